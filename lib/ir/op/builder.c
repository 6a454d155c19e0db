// builder.c -- making ops at a place, with inferred result types.
#include "mlc/ir/builder.h"

#include "mlc/ir/interfaces.h"
#include "mlc/ir/loc.h"
#include "op_impl.h"
#include "record/relation.h"

void
mlc_builder_init(MlcBuilder *b, MlcContext *ctx)
{
    *b = (MlcBuilder){.ctx = ctx, .loc = mlc_loc_unknown(ctx)};
}

void
mlc_builder_before(MlcBuilder *b, MlcOp *op)
{
    b->block = op->block;
    b->before = op;
    b->loc = op->loc;
}

void
mlc_builder_after(MlcBuilder *b, MlcOp *op)
{
    b->block = op->block;
    b->before = op->next;
    b->loc = op->loc;
}

void
mlc_builder_at_end(MlcBuilder *b, MlcBlock *block)
{
    b->block = block;
    b->before = NULL;
}

void
mlc_builder_at_start(MlcBuilder *b, MlcBlock *block)
{
    b->block = block;
    b->before = block->first;
}

MlcOp *
mlc_builder_insert(MlcBuilder *b, MlcOp *op)
{
    if (b->before)
        mlc_op_insert_before(op, b->before);
    else if (b->block)
        mlc_block_append(b->block, op);
    if (b->inserted)
        b->inserted(b, op);
    return op;
}

MlcOp *
mlc_builder_create(MlcBuilder *b, const MlcOpState *state)
{
    MlcOpState located = *state;
    if (!located.loc)
        located.loc = b->loc;
    return mlc_builder_insert(b, mlc_op_create(b->ctx, &located));
}

// --- inference

// One result per group, all of the first operand's type.
static bool
infer_same_type(const MlcOpState *state, MlcTypeVec *results)
{
    if (!mlc_op_def_has_trait(state->def, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE) ||
        state->num_operands == 0)
        return false;
    for (size_t i = 0; i < state->def->num_results; i++)
        if (state->def->results[i].arity != MLC_ONE)
            return false;
    for (size_t i = 0; i < state->def->num_results; i++)
        mlc_vec_push(results, mlc_value_type(state->operands[0]));
    return true;
}

bool
mlc_infer_types(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    mlc_vec_clear(results);
    if (state->def->num_results == 0 && state->def->dialect)
        return true;
    const MlcInferTypes *methods = mlc_op_def_interface(state->def, MLC_INTERFACE_INFER_TYPES);
    if (methods)
        return methods->infer(ctx, state, results);
    return infer_same_type(state, results) || mlc_relations_infer(ctx, state, results);
}

MlcOp *
mlc_build_op(MlcBuilder *b, const char *name, const MlcType *result_types, size_t num_results,
             MlcValue *const *operands, size_t num_operands, const MlcNamedAttr *attrs,
             size_t num_attrs, size_t num_regions)
{
    const MlcOpDef *def = mlc_context_op(b->ctx, mlc_str(name));
    if (!def)
        mlc_bug("mlc_build_op: '%s' is not registered", name);
    MlcOpState state = {.loc = b->loc,
                        .def = def,
                        .operands = operands,
                        .num_operands = num_operands,
                        .result_types = result_types,
                        .num_results = num_results,
                        .attrs = attrs,
                        .num_attrs = num_attrs,
                        .num_regions = num_regions};
    MlcTypeVec inferred = {0};
    if (num_results == MLC_INFER_RESULTS) {
        state.num_results = 0;
        if (!mlc_infer_types(b->ctx, &state, &inferred))
            mlc_bug("mlc_build_op: result types of '%s' cannot be inferred", name);
        state.result_types = inferred.data;
        state.num_results = inferred.size;
    }
    MlcOp *op = mlc_builder_create(b, &state);
    mlc_vec_release(&inferred);
    return op;
}

MlcValue *
mlc_build_value(MlcBuilder *b, const char *name, MlcType type, MlcValue *const *operands,
                size_t num_operands)
{
    MlcOp *op = mlc_build_op(b, name, type ? &type : NULL, type ? 1 : MLC_INFER_RESULTS, operands,
                             num_operands, NULL, 0, 0);
    return mlc_op_result(op, 0);
}

MlcOp *
mlc_with_attr(MlcOp *op, const char *name, MlcAttr value)
{
    mlc_op_set_attr(op, name, value);
    return op;
}

MlcNamedAttr
mlc_named(MlcContext *ctx, const char *name, MlcAttr value)
{
    return (MlcNamedAttr){mlc_string_attr_get(ctx, mlc_str(name)), value};
}

MlcBlock *
mlc_builder_create_block(MlcBuilder *b, MlcRegion *region, const MlcType *arg_types,
                         size_t num_args)
{
    MlcBlock *block = mlc_block_create(b->ctx);
    for (size_t i = 0; i < num_args; i++)
        mlc_block_add_arg(block, arg_types[i], b->loc);
    mlc_region_append(region, block);
    mlc_builder_at_end(b, block);
    return block;
}

// --- constants

MlcValue *
mlc_build_constant(MlcBuilder *b, MlcAttr value)
{
    MlcType type = mlc_attr_type(value);
    MlcNamedAttr attr = mlc_named(b->ctx, "value", value);
    return mlc_op_result(mlc_build_op(b, "arith.constant", &type, 1, NULL, 0, &attr, 1, 0), 0);
}

static MlcValue *
build_scalar_or_splat(MlcBuilder *b, MlcType type, MlcAttr element)
{
    return mlc_build_constant(b, mlc_type_is_shaped(type) ? mlc_dense_attr_splat(type, element)
                                                          : element);
}

MlcValue *
mlc_build_index(MlcBuilder *b, int64_t value)
{
    return mlc_build_constant(b, mlc_index_attr_get(b->ctx, value));
}

MlcValue *
mlc_build_int(MlcBuilder *b, MlcType type, int64_t value)
{
    return build_scalar_or_splat(b, type, mlc_integer_attr_get(mlc_type_element(type), value));
}

MlcValue *
mlc_build_float(MlcBuilder *b, MlcType type, double value)
{
    return build_scalar_or_splat(b, type, mlc_float_attr_get(mlc_type_element(type), value));
}

MlcValue *
mlc_build_binary(MlcBuilder *b, const char *name, MlcValue *lhs, MlcValue *rhs)
{
    return mlc_build(b, name, mlc_value_type(lhs), lhs, rhs);
}

MlcValue *
mlc_build_select(MlcBuilder *b, MlcValue *condition, MlcValue *yes, MlcValue *no)
{
    return mlc_build(b, "arith.select", mlc_value_type(yes), condition, yes, no);
}

MlcValue *
mlc_build_compare(MlcBuilder *b, int64_t predicate, MlcValue *lhs, MlcValue *rhs)
{
    MlcType type = mlc_value_type(lhs), i1 = mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS);
    bool is_float = mlc_type_is_float(mlc_type_element(type));
    MlcType result = mlc_type_is_shaped(type) ? mlc_type_with_element(type, i1) : i1;
    MlcNamedAttr attr = mlc_named(b->ctx, "predicate", mlc_i64_attr_get(b->ctx, predicate));
    MlcValue *operands[2] = {lhs, rhs};
    MlcOp *op = mlc_build_op(b, is_float ? "arith.cmpf" : "arith.cmpi", &result, 1, operands, 2,
                             &attr, 1, 0);
    return mlc_op_result(op, 0);
}

// build_op.c -- making ops by name, with result types that follow from what is given.
#include "mlc/ir/builder.h"

#include "mlc/ir/interfaces.h"
#include "mlc/support/alloc.h"
#include "mlc/support/cli.h"
#include "op/op_check.h"
#include "relation.h"

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

static MLC_NORETURN void
refuse(const MlcBuilder *b, const char *function, const char *name, const char *why)
{
    MlcBuf place = {0};
    mlc_loc_append_place(b->ctx, b->loc, &place);
    mlc_mistake(function, "'%s' at %s: %s", name, mlc_buf_c_str(&place), why);
}

// The name is a typing error, or of a dialect that nobody loaded.
static MLC_NORETURN void
refuse_name(const MlcBuilder *b, const char *function, const char *name)
{
    const char *dot = strchr(name, '.');
    MlcStr prefix = mlc_str_n(name, dot ? (size_t)(dot - name) : strlen(name));
    const MlcDialectDef *dialect = mlc_context_dialect(b->ctx, prefix);
    MLC_VEC(MlcStr) names = {0};
    for (size_t i = 0; dialect && i < dialect->num_ops; i++)
        mlc_vec_push(&names, mlc_str(dialect->ops[i]->name));
    MlcStr near = mlc_closest_name(mlc_str(name), names.data, names.size);
    MlcBuf why = {0};
    if (!dialect)
        mlc_buf_printf(&why, "no dialect '%.*s' is registered", MLC_STR_FMT(prefix));
    else if (near.size > 0)
        mlc_buf_printf(&why, "there is no such op; did you mean '%.*s'?", MLC_STR_FMT(near));
    else
        mlc_buf_append_c(&why, "there is no such op");
    refuse(b, function, name, mlc_buf_c_str(&why));
}

MlcOp *
mlc_build_op(MlcBuilder *b, const char *name, const MlcType *result_types, size_t num_results,
             MlcValue *const *operands, size_t num_operands, const MlcNamedAttr *attrs,
             size_t num_attrs, size_t num_regions)
{
    const MlcOpDef *def = mlc_context_op(b->ctx, mlc_str(name));
    if (!def)
        refuse_name(b, __func__, name);
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
        MLC_CHECK_OPERANDS(b, &state);
        state.num_results = 0;
        if (!mlc_infer_types(b->ctx, &state, &inferred))
            refuse(b, __func__, name, "result types cannot be inferred");
        state.result_types = inferred.data;
        state.num_results = inferred.size;
    }
    MlcOp *op = mlc_builder_create(b, &state);
    mlc_vec_release(&inferred);
    return op;
}

enum { FEW = 16 }; // of each kind: what lies on the stack

static MlcNamedAttr
group_sizes(MlcContext *ctx, const char *name, const int32_t *counts, size_t num_groups)
{
    return mlc_named(ctx, name, mlc_i32_array_attr_get(ctx, counts, num_groups));
}

MlcOp *
mlc_build_groups(MlcBuilder *b, const MlcOpDef *def, const MlcTypes *results,
                 const MlcValues *operands, const MlcAttr *attrs, MlcBlock *const *successors,
                 size_t num_regions)
{
    MlcValue *few_values[FEW], **values = few_values;
    MlcType few_types[FEW], *types = few_types;
    MlcNamedAttr few_attrs[FEW + 2], *named = few_attrs;
    int32_t counts[FEW];
    assert(def->num_operands <= FEW && def->num_results <= FEW);
    size_t num_values = 0, num_types = 0, num_given = 0, num_named = 0;
    for (size_t i = 0; operands && i < def->num_operands; i++)
        num_values += operands[i].count;
    for (size_t i = 0; results && i < def->num_results; i++)
        num_types += results[i].count;
    for (size_t i = 0; attrs && i < def->num_attrs; i++) // of many that a record may have, few
        num_given += attrs[i] != NULL;
    if (num_given > FEW)
        named = mlc_malloc((num_given + 2) * sizeof *named);
    if (num_values > FEW)
        values = mlc_malloc(num_values * sizeof *values);
    if (num_types > FEW)
        types = mlc_malloc(num_types * sizeof *types);
    num_values = num_types = 0;
    for (size_t i = 0; operands && i < def->num_operands; i++) {
        counts[i] = (int32_t)operands[i].count;
        for (size_t k = 0; k < operands[i].count; k++)
            values[num_values++] = operands[i].items[k];
    }
    if (operands && mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        named[num_named++] = group_sizes(b->ctx, "operandSegmentSizes", counts, def->num_operands);
    for (size_t i = 0; results && i < def->num_results; i++) {
        counts[i] = (int32_t)results[i].count;
        for (size_t k = 0; k < results[i].count; k++)
            types[num_types++] = results[i].items[k];
    }
    if (results && mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_RESULTS))
        named[num_named++] = group_sizes(b->ctx, "resultSegmentSizes", counts, def->num_results);
    for (size_t i = 0; attrs && i < def->num_attrs; i++)
        if (attrs[i])
            named[num_named++] = mlc_named(b->ctx, def->attrs[i].name, attrs[i]);
    MlcOpState state = {.loc = b->loc,
                        .def = def,
                        .operands = values,
                        .num_operands = num_values,
                        .result_types = types,
                        .num_results = num_types,
                        .attrs = named,
                        .num_attrs = num_named,
                        .successors = successors,
                        .num_successors = successors ? def->num_successors : 0,
                        .num_regions = num_regions};
    MlcTypeVec inferred = {0};
    if (!results) {
        MLC_CHECK_OPERANDS(b, &state);
        if (!mlc_infer_types(b->ctx, &state, &inferred))
            refuse(b, __func__, def->name, "result types cannot be inferred");
        state.result_types = inferred.data;
        state.num_results = inferred.size;
    }
    MlcOp *op = mlc_builder_create(b, &state);
    mlc_vec_release(&inferred);
    if (values != few_values)
        mlc_free(values);
    if (types != few_types)
        mlc_free(types);
    if (named != few_attrs)
        mlc_free(named);
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

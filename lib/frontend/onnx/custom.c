// custom.c -- operators that a user's dialect defines.
//
// A node of domain `com.acme` and operator `Swish` is the op `com_acme.Swish` of a dialect that is
// none of ours, if there is one: its operands are the node's inputs, its attributes those of the
// node, as the record's constraints take them. The record says what the result is, or the model
// does.
#include "node.h"

#include "mlc/dialects.h"
#include "mlc/support/cli.h"

// "com.acme": `com_acme`, as dialects' names have no dots.
static MlcStr
dialect_name(MlcOnnxImport *im, MlcStr domain)
{
    char *name = MLC_NEW_ARRAY(&im->arena, char, domain.size + 1);
    for (size_t i = 0; i < domain.size; i++)
        name[i] = domain.data[i] == '.' ? '_' : domain.data[i];
    return mlc_str_n(name, domain.size);
}

static const MlcDialectDef *
find_dialect(MlcOnnxImport *im, MlcStr name)
{
    const MlcDialectDef *dialect = name.size ? mlc_context_dialect(im->ctx, name) : NULL;
    return dialect && !mlc_is_builtin_dialect(dialect) ? dialect : NULL;
}

const MlcOpDef *
mlc_onnx_find_custom(MlcOnnxImport *im, const MlcOnnxNode *node)
{
    if (node->domain.size == 0)
        return NULL;
    MlcStr dialect = dialect_name(im, node->domain);
    if (!find_dialect(im, dialect))
        return NULL;
    return mlc_context_op(im->ctx, mlc_arena_printf(&im->arena, "%.*s.%.*s", MLC_STR_FMT(dialect),
                                                    MLC_STR_FMT(node->op_type)));
}

bool
mlc_onnx_unknown_domain(MlcOnnxNodeImport *n, const char *hint)
{
    MlcOnnxImport *im = n->import;
    MlcStr name = dialect_name(im, n->node->domain);
    const MlcDialectDef *dialect = find_dialect(im, name);
    if (!dialect)
        return mlc_onnx_unsupported(n,
                                    "its domain is '%.*s'; a dialect '%.*s' with an op '%.*s' "
                                    "could say what it means (--load), or a function of a library "
                                    "(--shared-libs)%s",
                                    MLC_STR_FMT(n->node->domain), MLC_STR_FMT(name),
                                    MLC_STR_FMT(n->node->op_type), hint);
    MlcStr *names = MLC_NEW_ARRAY(&im->arena, MlcStr, dialect->num_ops + 1);
    for (size_t i = 0; i < dialect->num_ops; i++)
        names[i] = mlc_str(dialect->ops[i]->name + name.size + 1);
    MlcStr closest = mlc_closest_name(n->node->op_type, names, dialect->num_ops);
    return mlc_onnx_unsupported(n,
                                closest.size ? "the dialect '%s' has no such op; did you mean "
                                               "'%.*s'?"
                                             : "the dialect '%s' has no such op%.*s",
                                dialect->name, MLC_STR_FMT(closest));
}

// ---- attributes

// The first of these that the slot takes, or NULL.
static MlcAttr
first_taken(const MlcAttrSlot *slot, const MlcAttr *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (mlc_constraint_check_attr(slot->constraint, candidates[i]))
            return candidates[i];
    return NULL;
}

static MlcAttr
take_int(MlcContext *ctx, const MlcAttrSlot *slot, int64_t value)
{
    MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
    MlcAttr wide = mlc_integer_attr_get(i64, value);
    if (mlc_constraint_check_attr(slot->constraint, wide))
        return wide;
    MlcAttr index = mlc_integer_attr_get(mlc_index_type_get(ctx), value);
    MlcAttr truth = value == 0 || value == 1 ? mlc_bool_attr_get(ctx, value == 1) : index;
    MlcType i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    MlcAttr narrow = value == (int32_t)value ? mlc_integer_attr_get(i32, value) : index;
    return first_taken(slot, (MlcAttr[]){index, truth, narrow}, 3);
}

static MlcAttr
take_ints(MlcOnnxNodeImport *n, const MlcAttrSlot *slot, MlcOnnxInts ints)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
    MlcAttr *items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, ints.count + 1);
    for (size_t i = 0; i < ints.count; i++)
        items[i] = mlc_integer_attr_get(i64, ints.items[i]);
    return first_taken(slot,
                       (MlcAttr[]){mlc_i64_array_attr_get(ctx, ints.items, ints.count),
                                   mlc_array_attr_get(ctx, items, ints.count)},
                       2);
}

static MlcAttr
take_floats(MlcOnnxNodeImport *n, const MlcAttrSlot *slot, MlcOnnxFloats floats)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcType f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32);
    MlcAttr *items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, floats.count + 1);
    float *numbers = MLC_NEW_ARRAY(&n->import->arena, float, floats.count + 1);
    for (size_t i = 0; i < floats.count; i++) {
        numbers[i] = mlc_onnx_float_at(floats, i);
        items[i] = mlc_float_attr_get(f32, numbers[i]);
    }
    return first_taken(slot,
                       (MlcAttr[]){mlc_dense_array_attr_get(f32, numbers, floats.count),
                                   mlc_array_attr_get(ctx, items, floats.count)},
                       2);
}

static MlcAttr
take(MlcOnnxNodeImport *n, const MlcAttrSlot *slot, const MlcOnnxAttribute *a)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    switch ((MlcOnnxAttributeType)a->type) {
    case MLC_ONNX_ATTRIBUTE_INT:
        return take_int(ctx, slot, a->i);
    case MLC_ONNX_ATTRIBUTE_FLOAT: {
        MlcType f64 = mlc_float_type_get(ctx, MLC_FLOAT_F64);
        MlcType f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32);
        return first_taken(
            slot, (MlcAttr[]){mlc_float_attr_get(f32, a->f), mlc_float_attr_get(f64, a->f)}, 2);
    }
    case MLC_ONNX_ATTRIBUTE_STRING:
        return first_taken(slot, (MlcAttr[]){mlc_string_attr_get(ctx, a->s)}, 1);
    case MLC_ONNX_ATTRIBUTE_INTS:
        return take_ints(n, slot, a->ints);
    case MLC_ONNX_ATTRIBUTE_FLOATS:
        return take_floats(n, slot, a->floats);
    default:
        return NULL;
    }
}

static bool
copy_attributes(MlcOnnxNodeImport *n, const MlcOpDef *def, MlcNamedAttr *attrs, size_t *count)
{
    for (size_t i = 0; i < n->node->attribute.count; i++) {
        const MlcOnnxAttribute *a = &n->node->attribute.items[i];
        size_t k = 0;
        while (k < def->num_attrs && !mlc_str_equal(a->name, mlc_str(def->attrs[k].name)))
            k++;
        if (k == def->num_attrs)
            return mlc_onnx_invalid(n, "'%s' has no attribute '%.*s'", def->name,
                                    MLC_STR_FMT(a->name));
        if (a->ref_attr_name.size)
            return mlc_onnx_unsupported(n, "attribute '%.*s' is an argument of the function",
                                        MLC_STR_FMT(a->name));
        MlcAttr value = take(n, &def->attrs[k], a);
        if (!value)
            return mlc_onnx_invalid(n, "attribute '%.*s' of '%s' is to be %s", MLC_STR_FMT(a->name),
                                    def->name, def->attrs[k].constraint->summary);
        attrs[(*count)++] = mlc_named(mlc_onnx_context_of(n), def->attrs[k].name, value);
    }
    return true;
}

// ---- results

// The type that elements of `a` and `b` have side by side, where one is repeated; NULL: they do not
// fit, or nobody knows.
static MlcType
broadcast_types(MlcOnnxNodeImport *n, MlcType a, MlcType b)
{
    if (!mlc_type_has_rank(a) || !mlc_type_has_rank(b))
        return NULL;
    size_t rank_a = mlc_type_rank(a), rank_b = mlc_type_rank(b);
    size_t rank = rank_a > rank_b ? rank_a : rank_b;
    int64_t *shape = MLC_NEW_ARRAY(&n->import->arena, int64_t, rank + 1);
    for (size_t i = 0; i < rank; i++) {
        int64_t x = i + rank_a < rank ? 1 : mlc_type_dim(a, i + rank_a - rank);
        int64_t y = i + rank_b < rank ? 1 : mlc_type_dim(b, i + rank_b - rank);
        if (x != y && x != 1 && y != 1)
            return NULL;
        shape[i] = x == 1 ? y : x;
    }
    return mlc_tensor_type_get(mlc_type_element(a), shape, rank, NULL);
}

// What the record says, or follows from the shapes of an element-wise op's operands.
static bool
infer_results(MlcOnnxNodeImport *n, MlcOpState *state, MlcTypeVec *types)
{
    const MlcOpDef *def = state->def;
    if (mlc_infer_types(n->import->ctx, state, types) && types->size == n->node->output.count)
        return true;
    mlc_vec_clear(types);
    if (!mlc_op_def_has_trait(def, MLC_TRAIT_ELEMENTWISE) || state->num_operands == 0 ||
        n->node->output.count != 1)
        return false;
    MlcType type = mlc_value_type(state->operands[0]);
    for (size_t i = 1; type && i < state->num_operands; i++)
        type = broadcast_types(n, type, mlc_value_type(state->operands[i]));
    if (type)
        mlc_vec_push(types, type);
    return type != NULL;
}

static bool
find_results(MlcOnnxNodeImport *n, MlcOpState *state, MlcTypeVec *types)
{
    if (infer_results(n, state, types))
        return true;
    for (size_t i = 0; i < n->node->output.count; i++) {
        MlcType type = mlc_onnx_declared_type(n, i);
        if (!type)
            return mlc_onnx_unsupported(n,
                                        "neither '%s' nor the model says of which type output "
                                        "%zu is",
                                        state->def->name, i);
        mlc_vec_push(types, type);
    }
    return true;
}

// A group of each kind may be a list, if all others are single ones: then numbers alone say what is
// what.
static bool
takes(const MlcValueDef *groups, size_t num_groups, size_t count)
{
    size_t least = 0, most = num_groups;
    for (size_t i = 0; i < num_groups; i++) {
        least += groups[i].arity == MLC_ONE;
        if (groups[i].arity != MLC_ONE && groups[i].arity != MLC_OPTIONAL)
            most = SIZE_MAX;
    }
    return count >= least && count <= most && (least + 1 >= num_groups);
}

static bool
check_counts(MlcOnnxNodeImport *n, const MlcOpDef *def)
{
    if (def->num_regions || def->num_successors)
        return mlc_onnx_unsupported(n, "'%s' has regions or successors, which no node has",
                                    def->name);
    while (n->num_inputs && !n->inputs[n->num_inputs - 1]) // left out
        n->num_inputs--;
    if (!takes(def->operands, def->num_operands, n->num_inputs))
        return mlc_onnx_invalid(n, "'%s' does not take %zu inputs", def->name, n->num_inputs);
    if (!takes(def->results, def->num_results, n->node->output.count))
        return mlc_onnx_invalid(n, "'%s' does not have %zu outputs", def->name,
                                n->node->output.count);
    for (size_t i = 0; i < n->num_inputs; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
    return true;
}

MlcOp *
mlc_onnx_build_custom(MlcOnnxNodeImport *n, const MlcOpDef *def)
{
    MlcOnnxImport *im = n->import;
    MlcNamedAttr *attrs = MLC_NEW_ARRAY(&im->arena, MlcNamedAttr, n->node->attribute.count + 1);
    MlcOpState state = {.def = def, .operands = n->inputs, .attrs = attrs};
    MlcTypeVec types = {0};
    MlcOp *op = NULL;
    bool ok = check_counts(n, def) && copy_attributes(n, def, attrs, &state.num_attrs);
    state.num_operands = n->num_inputs;
    ok = ok && find_results(n, &state, &types);
    if (ok) {
        state.result_types = types.data;
        state.num_results = types.size;
        op = mlc_builder_create(&im->builder, &state);
        ok = mlc_onnx_infer(n, op);
    }
    mlc_vec_release(&types);
    return ok ? op : NULL;
}

bool
mlc_onnx_import_custom(MlcOnnxNodeImport *n, const MlcOpDef *def)
{
    MlcOp *op = mlc_onnx_build_custom(n, def);
    for (size_t i = 0; op && i < mlc_op_num_results(op); i++)
        n->outputs[i] = mlc_op_result(op, i);
    return op != NULL;
}

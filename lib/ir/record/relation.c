// relation.c -- what a relation says of types, for inference, formats and verification, which one
// evaluator (derive) serves; and inference. Completion, which repeats it, is relation_complete.c.
#include "relation.h"

#include "context/context_impl.h"

#include "mlc/ir/context.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/text.h"

// --- types

static MlcType
builtin_type(MlcContext *ctx, const char *text)
{
    MlcFloatKind kind;
    if (strcmp(text, "index") == 0)
        return mlc_index_type_get(ctx);
    if (strcmp(text, "none") == 0)
        return mlc_none_type_get(ctx);
    if (text[0] == 'i' && text[1] >= '1' && text[1] <= '9') {
        unsigned width = 0;
        const char *at = text + 1;
        for (; *at >= '0' && *at <= '9' && width < 100000; at++)
            width = width * 10 + (unsigned)(*at - '0');
        if (!*at)
            return mlc_integer_type_get(ctx, width, MLC_SIGNLESS);
    }
    if (mlc_float_kind_from_name(mlc_str(text), &kind))
        return mlc_float_type_get(ctx, kind);
    return ctx->text->parse_type(ctx, mlc_str(text));
}

MlcType
mlc_constraint_only_type(MlcContext *ctx, const MlcConstraint *constraint)
{
    const MlcConstraint *only = mlc_constraint_only(constraint);
    switch (only ? only->kind : MLC_CONSTRAINT_ANY) {
    case MLC_CONSTRAINT_SAME:
        return builtin_type(ctx, only->names[0]);
    case MLC_CONSTRAINT_INTEGER:
        return mlc_integer_type_get(ctx, (unsigned)only->a,
                                    (MlcSignedness)__builtin_ctzll((uint64_t)only->b));
    case MLC_CONSTRAINT_FLOAT:
        return mlc_float_type_get(ctx, (MlcFloatKind)__builtin_ctzll((uint64_t)only->a));
    case MLC_CONSTRAINT_TYPE_KIND:
        return only->a >> MLC_TYPE_INDEX & 1 ? mlc_index_type_get(ctx) : mlc_none_type_get(ctx);
    case MLC_CONSTRAINT_DIALECT_TYPE: {
        const MlcTypeDef *def = mlc_context_type(ctx, mlc_str(only->names[0]));
        return def && def->num_params == 0 ? mlc_dialect_type_get(ctx, def, NULL, 0) : NULL;
    }
    default:
        return NULL;
    }
}

// The shape of `type` with another element type; a scalar's "shape" is none.
static MlcType
like(MlcType type, MlcType element)
{
    if (mlc_type_is(type, MLC_TYPE_COMPLEX) || !mlc_type_is_shaped(type))
        return element;
    return mlc_type_with_element(type, element);
}

// Of a dialect's type: its first parameter that is a type.
static MlcType
element_of(MlcType type)
{
    for (size_t i = 0; mlc_dialect_type_def(type) && i < mlc_dialect_type_num_params(type); i++) {
        MlcAttr param = mlc_dialect_type_param(type, i);
        if (param && mlc_attr_is(param, MLC_ATTR_TYPE))
            return mlc_type_attr_value(param);
    }
    return mlc_type_element(type);
}

static MlcType
parameter_of(MlcType type, const char *name)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    for (size_t i = 0; def && i < def->num_params; i++) {
        MlcAttr param = mlc_dialect_type_param(type, i);
        if (strcmp(def->params[i].name, name) == 0 && param && mlc_attr_is(param, MLC_ATTR_TYPE))
            return mlc_type_attr_value(param);
    }
    return NULL;
}

MlcType
mlc_relation_derive(MlcContext *ctx, const MlcRelation *relation, MlcType from)
{
    switch (relation->kind) {
    case MLC_RELATION_TYPE_OF:
        return from;
    case MLC_RELATION_EXACTLY:
        return builtin_type(ctx, relation->text);
    case MLC_RELATION_LIKE:
        return like(from, builtin_type(ctx, relation->text));
    case MLC_RELATION_ELEMENT:
    case MLC_RELATION_REPEAT_ELEMENT:
        return element_of(from);
    case MLC_RELATION_PARAMETER:
        return parameter_of(from, relation->text);
    case MLC_RELATION_TENSOR_OF:
        if (mlc_type_is(from, MLC_TYPE_MEMREF))
            return mlc_tensor_type_get(mlc_type_element(from), mlc_type_shape(from),
                                       mlc_type_rank(from), NULL);
        return mlc_type_is(from, MLC_TYPE_UNRANKED_MEMREF)
                   ? mlc_unranked_tensor_type_get(mlc_type_element(from))
                   : NULL;
    case MLC_RELATION_MEMREF_OF:
        if (mlc_type_is(from, MLC_TYPE_TENSOR))
            return mlc_memref_type_get(mlc_type_element(from), mlc_type_shape(from),
                                       mlc_type_rank(from), NULL, NULL);
        return mlc_type_is(from, MLC_TYPE_UNRANKED_TENSOR)
                   ? mlc_unranked_memref_type_get(mlc_type_element(from), NULL)
                   : NULL;
    default:
        return NULL;
    }
}

static const char *
place_name(const MlcOpDef *op, MlcPlaceRef place)
{
    switch (place.place) {
    case MLC_PLACE_OPERAND:
        return op->operands[place.index].name;
    case MLC_PLACE_RESULT:
        return op->results[place.index].name;
    case MLC_PLACE_ATTR:
        return op->attrs[place.index].name;
    default:
        return place.place == MLC_PLACE_ALL_OPERANDS ? "operands" : "results";
    }
}

void
mlc_relation_describe(MlcBuf *out, const MlcOpDef *op, const MlcRelation *relation)
{
    static const char *const calls[] = {
        [MLC_RELATION_LIKE] = "like",           [MLC_RELATION_ELEMENT] = "element",
        [MLC_RELATION_INPUTS] = "inputs",       [MLC_RELATION_RESULTS] = "results",
        [MLC_RELATION_TENSOR_OF] = "tensor_of", [MLC_RELATION_MEMREF_OF] = "memref_of"};
    bool is_exact = relation->kind == MLC_RELATION_EXACTLY;
    const char *from = is_exact ? "" : place_name(op, relation->from);
    bool is_call = relation->kind < sizeof calls / sizeof *calls && calls[relation->kind];
    if (is_exact)
        mlc_buf_append_c(out, relation->text);
    else if (relation->kind == MLC_RELATION_PARAMETER)
        mlc_buf_printf(out, "%s.%s", from, relation->text);
    else if (relation->kind == MLC_RELATION_LIKE)
        mlc_buf_printf(out, "like(%s, %s)", from, relation->text);
    else
        mlc_buf_printf(out, is_call ? "%s(%s)" : "%s%s", is_call ? calls[relation->kind] : "",
                       from);
}

MlcType
mlc_relation_attr_type(MlcAttr attr)
{
    if (!attr)
        return NULL;
    return mlc_attr_is(attr, MLC_ATTR_TYPE) ? mlc_type_attr_value(attr) : mlc_attr_type(attr);
}

static MlcType
only_type(const MlcTypeView *view, const MlcConstraint *constraint)
{
    return mlc_constraint_only_type(view->ctx, constraint);
}

static MlcType
derive(const MlcTypeView *view, const MlcRelation *relation, MlcType from)
{
    return mlc_relation_derive(view->ctx, relation, from);
}

static bool
types_of_function(const MlcRelation *relation, MlcType function, const MlcType **types,
                  size_t *count)
{
    if (!mlc_type_is(function, MLC_TYPE_FUNCTION))
        return false;
    bool inputs = relation->kind == MLC_RELATION_INPUTS;
    *types = inputs ? mlc_function_type_inputs(function) : mlc_function_type_results(function);
    *count =
        inputs ? mlc_function_type_num_inputs(function) : mlc_function_type_num_results(function);
    return true;
}

const MlcTypeSteps mlc_type_steps = {
    .only = only_type, .derive = derive, .list = types_of_function};

// --- inference of an op about to be made

typedef struct StateView {
    MlcTypeView view;
    const MlcOpState *state;
    MlcTypeVec operands, results;
    MLC_VEC(size_t) firsts; // of operand groups, and the end
} StateView;

static MlcAttr
state_attr(const MlcOpState *state, const char *name)
{
    for (size_t i = 0; i < state->num_attrs; i++)
        if (mlc_str_equal(mlc_string_attr_value(state->attrs[i].name), mlc_str(name)))
            return state->attrs[i].value;
    return NULL;
}

static bool
find_operand_groups(StateView *v)
{
    const MlcOpDef *def = v->state->def;
    MlcAttr sizes = mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS)
                        ? state_attr(v->state, "operandSegmentSizes")
                        : NULL;
    size_t num_fixed = 0, num_free = 0, at = 0;
    for (size_t i = 0; i < def->num_operands; i++) {
        num_fixed += def->operands[i].arity == MLC_ONE;
        num_free += def->operands[i].arity != MLC_ONE;
    }
    if (!sizes && (num_free > 1 || v->state->num_operands < num_fixed))
        return false;
    for (size_t i = 0; i < def->num_operands; i++) {
        mlc_vec_push(&v->firsts, at);
        int64_t size =
            def->operands[i].arity == MLC_ONE ? 1 : (int64_t)(v->state->num_operands - num_fixed);
        if (sizes && !mlc_int_list_attr_get(sizes, i, &size))
            return false;
        if (size < 0 || (size_t)size > v->state->num_operands - at)
            return false;
        at += (size_t)size;
    }
    mlc_vec_push(&v->firsts, at);
    return true;
}

static bool
state_group(MlcTypeView *view, MlcPlaceRef place, MlcType **types, size_t *count)
{
    StateView *v = (StateView *)view;
    if (place.place == MLC_PLACE_OPERAND) {
        *types = v->operands.data + v->firsts.data[place.index];
        *count = v->firsts.data[place.index + 1] - v->firsts.data[place.index];
        return true;
    }
    if (place.place == MLC_PLACE_ALL_OPERANDS)
        return *types = v->operands.data, *count = v->operands.size, true;
    if (place.place == MLC_PLACE_RESULT && view->def->results[place.index].arity == MLC_ONE)
        return *types = v->results.data + place.index, *count = 1, true;
    return false;
}

static MlcType
state_attr_type(MlcTypeView *view, size_t slot)
{
    StateView *v = (StateView *)view;
    MlcAttr attr = state_attr(v->state, view->def->attrs[slot].name);
    return mlc_relation_attr_type(
        attr ? attr : mlc_context_default_attr(view->ctx, &view->def->attrs[slot]));
}

static void
ignore_group(MlcTypeView *view, MlcPlaceRef place, const MlcType *types, size_t count)
{
    (void)view, (void)place, (void)types, (void)count;
}

bool
mlc_relations_infer(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    const MlcOpDef *def = state->def;
    StateView v = {.view = {.ctx = ctx,
                            .def = def,
                            .steps = &mlc_type_steps,
                            .group = state_group,
                            .attr_type = state_attr_type,
                            .set_group = ignore_group},
                   .state = state};
    bool ok = find_operand_groups(&v);
    for (size_t i = 0; i < def->num_results; i++)
        ok &= def->results[i].arity == MLC_ONE;
    if (ok) {
        for (size_t i = 0; i < state->num_operands; i++)
            mlc_vec_push(&v.operands, mlc_value_type(state->operands[i]));
        for (size_t i = 0; i < def->num_results; i++)
            mlc_vec_push(&v.results, NULL);
        mlc_relations_complete(&v.view);
        for (size_t i = 0; i < v.results.size; i++)
            ok &= v.results.data[i] != NULL;
    }
    for (size_t i = 0; ok && i < v.results.size; i++)
        mlc_vec_push(results, v.results.data[i]);
    mlc_vec_release(&v.operands);
    mlc_vec_release(&v.results);
    mlc_vec_release(&v.firsts);
    return ok;
}

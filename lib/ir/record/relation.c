// relation.c -- types that follow from other types, for inference, formats and verification.
//
// One evaluator (derive) serves all three; who asks gives a view of the types known so far.
// Completion repeats until nothing new follows; every round sets at least one type, so it ends.
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

const MlcConstraint *
mlc_constraint_part(const MlcConstraint *constraint, MlcConstraintKind kind)
{
    if (!constraint || constraint->kind == kind)
        return constraint;
    for (size_t i = 0; constraint->kind == MLC_CONSTRAINT_ALL_OF && i < constraint->num_args; i++) {
        const MlcConstraint *part = mlc_constraint_part(constraint->args[i], kind);
        if (part)
            return part;
    }
    return NULL;
}

MlcType
mlc_constraint_only_type(MlcContext *ctx, const MlcConstraint *constraint)
{
    if (!constraint)
        return NULL;
    switch (constraint->kind) {
    case MLC_CONSTRAINT_SAME:
        return builtin_type(ctx, constraint->names[0]);
    case MLC_CONSTRAINT_INTEGER:
        for (int s = MLC_SIGNLESS; s <= MLC_UNSIGNED; s++)
            if (constraint->a && constraint->b == 1 << s)
                return mlc_integer_type_get(ctx, (unsigned)constraint->a, (MlcSignedness)s);
        return NULL;
    case MLC_CONSTRAINT_FLOAT:
        for (int kind = 0; kind < MLC_FLOAT_NUM_KINDS; kind++)
            if (constraint->a == INT64_C(1) << kind)
                return mlc_float_type_get(ctx, (MlcFloatKind)kind);
        return NULL;
    case MLC_CONSTRAINT_TYPE_KIND:
        return constraint->a == INT64_C(1) << MLC_TYPE_INDEX  ? mlc_index_type_get(ctx)
               : constraint->a == INT64_C(1) << MLC_TYPE_NONE ? mlc_none_type_get(ctx)
                                                              : NULL;
    case MLC_CONSTRAINT_DIALECT_TYPE: {
        const MlcTypeDef *def = mlc_context_type(ctx, mlc_str(constraint->names[0]));
        return def && def->num_params == 0 ? mlc_dialect_type_get(ctx, def, NULL, 0) : NULL;
    }
    case MLC_CONSTRAINT_ALL_OF:
        for (size_t i = 0; i < constraint->num_args; i++) {
            MlcType type = mlc_constraint_only_type(ctx, constraint->args[i]);
            if (type)
                return type;
        }
        return NULL;
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

// --- completion

static bool
get_group(MlcTypeView *view, MlcPlaceRef place, MlcType **types, size_t *count)
{
    return view->group(view, place, types, count);
}

static uint8_t
arity_of(const MlcTypeView *view, MlcPlaceRef place)
{
    return place.place == MLC_PLACE_OPERAND  ? view->def->operands[place.index].arity
           : place.place == MLC_PLACE_RESULT ? view->def->results[place.index].arity
                                             : (uint8_t)MLC_VARIADIC;
}

static MlcType
attr_type(MlcTypeView *view, size_t slot)
{
    MlcAttr attr = view->attr(view, slot);
    if (!attr)
        return NULL;
    return mlc_attr_is(attr, MLC_ATTR_TYPE) ? mlc_type_attr_value(attr) : mlc_attr_type(attr);
}

// The first type of the place that is known.
static MlcType
known_type(MlcTypeView *view, MlcPlaceRef place)
{
    if (place.place == MLC_PLACE_ATTR)
        return attr_type(view, place.index);
    MlcType *types;
    size_t count;
    if (!get_group(view, place, &types, &count))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (types[i])
            return types[i];
    return NULL;
}

// Gives `type` to what is not known there; true if that was anything.
static bool
fill(MlcTypeView *view, MlcPlaceRef place, MlcType type)
{
    if (!type || place.place == MLC_PLACE_ATTR)
        return false;
    MlcType *types;
    size_t count;
    if (!get_group(view, place, &types, &count)) {
        if (arity_of(view, place) != MLC_ONE)
            return false;
        view->set_group(view, place, &type, 1);
        return true;
    }
    bool changed = false;
    for (size_t i = 0; i < count; i++)
        if (!types[i]) {
            types[i] = type;
            changed = true;
        }
    return changed;
}

static bool
fill_list(MlcTypeView *view, MlcPlaceRef place, const MlcType *from, size_t num_from)
{
    MlcType *types;
    size_t count;
    if (place.place == MLC_PLACE_ATTR)
        return false;
    if (!get_group(view, place, &types, &count)) {
        view->set_group(view, place, from, num_from);
        return true;
    }
    bool changed = false;
    for (size_t i = 0; i < count && i < num_from; i++)
        if (!types[i] && from[i]) {
            types[i] = from[i];
            changed = true;
        }
    return changed;
}

static bool
apply_one_way(MlcTypeView *view, const MlcRelation *r)
{
    MlcType *types;
    size_t count;
    if (r->kind == MLC_RELATION_EXACTLY)
        return fill(view, r->to, builtin_type(view->ctx, r->text));
    if (r->kind == MLC_RELATION_INPUTS || r->kind == MLC_RELATION_RESULTS) {
        MlcType from = known_type(view, r->from);
        if (!from || !mlc_type_is(from, MLC_TYPE_FUNCTION))
            return false;
        return r->kind == MLC_RELATION_INPUTS
                   ? fill_list(view, r->to, mlc_function_type_inputs(from),
                               mlc_function_type_num_inputs(from))
                   : fill_list(view, r->to, mlc_function_type_results(from),
                               mlc_function_type_num_results(from));
    }
    bool is_list = r->from.place != MLC_PLACE_ATTR && get_group(view, r->from, &types, &count) &&
                   count > 1 && arity_of(view, r->to) != MLC_ONE && r->kind == MLC_RELATION_TYPE_OF;
    if (is_list)
        return fill_list(view, r->to, types, count);
    MlcType from = known_type(view, r->from);
    bool changed = from && fill(view, r->to, mlc_relation_derive(view->ctx, r, from));
    // Equality goes both ways.
    MlcType to = r->kind == MLC_RELATION_TYPE_OF ? known_type(view, r->to) : NULL;
    return (to && fill(view, r->from, to)) || changed;
}

static bool
apply_members(MlcTypeView *view, const MlcRelation *r)
{
    if (r->kind != MLC_RELATION_SAME_TYPE)
        return false;
    MlcType type = NULL;
    for (size_t i = 0; i < r->num_members && !type; i++)
        type = known_type(view, r->members[i]);
    bool changed = false;
    for (size_t i = 0; type && i < r->num_members; i++)
        changed |= fill(view, r->members[i], type);
    return changed;
}

static bool
apply_same_type_traits(MlcTypeView *view)
{
    const MlcOpDef *def = view->def;
    bool with_results = mlc_op_def_has_trait(def, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE);
    if (!with_results && !mlc_op_def_has_trait(def, MLC_TRAIT_SAME_OPERANDS_TYPE))
        return false;
    MlcType type = NULL;
    for (uint16_t i = 0; i < def->num_operands && !type; i++)
        type = known_type(view, (MlcPlaceRef){MLC_PLACE_OPERAND, i});
    for (uint16_t i = 0; with_results && i < def->num_results && !type; i++)
        type = known_type(view, (MlcPlaceRef){MLC_PLACE_RESULT, i});
    bool changed = false;
    for (uint16_t i = 0; type && i < def->num_operands; i++)
        changed |= fill(view, (MlcPlaceRef){MLC_PLACE_OPERAND, i}, type);
    for (uint16_t i = 0; type && with_results && i < def->num_results; i++)
        changed |= fill(view, (MlcPlaceRef){MLC_PLACE_RESULT, i}, type);
    return changed;
}

static bool
apply_constraints(MlcTypeView *view)
{
    const MlcOpDef *def = view->def;
    bool changed = false;
    for (uint16_t i = 0; i < def->num_operands; i++)
        changed |= fill(view, (MlcPlaceRef){MLC_PLACE_OPERAND, i},
                        mlc_constraint_only_type(view->ctx, def->operands[i].type));
    for (uint16_t i = 0; i < def->num_results; i++)
        changed |= fill(view, (MlcPlaceRef){MLC_PLACE_RESULT, i},
                        mlc_constraint_only_type(view->ctx, def->results[i].type));
    return changed;
}

void
mlc_relations_complete(MlcTypeView *view)
{
    apply_constraints(view);
    bool changed = true;
    for (unsigned rounds = 0; changed && rounds < 64; rounds++) {
        changed = apply_same_type_traits(view);
        for (size_t i = 0; i < view->def->num_relations; i++) {
            const MlcRelation *r = &view->def->relations[i];
            changed |=
                r->kind >= MLC_RELATION_SAME_TYPE ? apply_members(view, r) : apply_one_way(view, r);
        }
    }
}

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

static MlcAttr
state_slot(MlcTypeView *view, size_t slot)
{
    StateView *v = (StateView *)view;
    MlcAttr attr = state_attr(v->state, view->def->attrs[slot].name);
    return attr ? attr : mlc_context_default_attr(view->ctx, &view->def->attrs[slot]);
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
                            .group = state_group,
                            .attr = state_slot,
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

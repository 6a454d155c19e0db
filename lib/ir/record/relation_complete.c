// relation_complete.c -- which types follow from which.
//
// What follows is a matter of the view's steps: types (relation.c), or, when builders are generated
// and there are no types yet, whether one is known (tools/mlc-gen/builders.c). Completion repeats
// until nothing new follows; every round sets at least one type, so it ends.
#include "relation.h"

static bool
is_one_bit(int64_t mask)
{
    return mask && !(mask & (mask - 1));
}

const MlcConstraint *
mlc_constraint_only(const MlcConstraint *c)
{
    if (!c)
        return NULL;
    switch ((MlcConstraintKind)c->kind) {
    case MLC_CONSTRAINT_SAME:
    case MLC_CONSTRAINT_DIALECT_TYPE:
        return c;
    case MLC_CONSTRAINT_INTEGER:
        return c->a && is_one_bit(c->b) ? c : NULL;
    case MLC_CONSTRAINT_FLOAT:
        return is_one_bit(c->a) ? c : NULL;
    case MLC_CONSTRAINT_TYPE_KIND:
        return c->a == 1 << MLC_TYPE_INDEX || c->a == 1 << MLC_TYPE_NONE ? c : NULL;
    case MLC_CONSTRAINT_ALL_OF:
        for (size_t i = 0; i < c->num_args; i++)
            if (mlc_constraint_only(c->args[i]))
                return mlc_constraint_only(c->args[i]);
        return NULL;
    default:
        return NULL;
    }
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

// The first type of the place that is known.
static MlcType
known_type(MlcTypeView *view, MlcPlaceRef place)
{
    if (place.place == MLC_PLACE_ATTR)
        return view->attr_type(view, place.index);
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

// Of `to`, whose number is not known, there are as many as of `from`, of which there may be
// several.
static bool
has_as_many(MlcTypeView *view, const MlcRelation *r)
{
    MlcType *types;
    size_t count;
    return arity_of(view, r->from) == MLC_VARIADIC && !get_group(view, r->to, &types, &count);
}

static bool
apply_one_way(MlcTypeView *view, const MlcRelation *r)
{
    MlcType *types;
    size_t count;
    if (r->kind == MLC_RELATION_EXACTLY)
        return fill(view, r->to, view->steps->derive(view, r, NULL));
    if (r->kind == MLC_RELATION_INPUTS || r->kind == MLC_RELATION_RESULTS) {
        MlcType from = known_type(view, r->from);
        const MlcType *list;
        return from && view->steps->list(r, from, &list, &count) &&
               fill_list(view, r->to, list, count);
    }
    bool is_list = r->from.place != MLC_PLACE_ATTR && get_group(view, r->from, &types, &count) &&
                   (count > 1 || has_as_many(view, r)) && arity_of(view, r->to) != MLC_ONE &&
                   r->kind == MLC_RELATION_TYPE_OF;
    if (is_list)
        return fill_list(view, r->to, types, count);
    MlcType from = known_type(view, r->from);
    bool changed = from && fill(view, r->to, view->steps->derive(view, r, from));
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
                        view->steps->only(view, def->operands[i].type));
    for (uint16_t i = 0; i < def->num_results; i++)
        changed |= fill(view, (MlcPlaceRef){MLC_PLACE_RESULT, i},
                        view->steps->only(view, def->results[i].type));
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
            changed |= mlc_relation_is_among(r) ? apply_members(view, r) : apply_one_way(view, r);
        }
    }
}

bool
mlc_region_gives_result(const MlcOpDef *op, size_t region, size_t result, size_t *first)
{
    const MlcRegionSignature *s = NULL;
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_SIGNATURES)
            s = &((const MlcRegionSignature *)op->interfaces[i].methods)[region];
    for (size_t i = 0; s && s->tells_yields && i < s->num_yields; i++) {
        const MlcRelation *r = &s->yields[i];
        bool is_result = r->from.place == MLC_PLACE_RESULT,
             is_one = r->kind == MLC_RELATION_EXACTLY;
        if (is_result)
            is_one |= op->results[r->from.index].arity == MLC_ONE;
        else if (r->from.place == MLC_PLACE_OPERAND)
            is_one |= op->operands[r->from.index].arity == MLC_ONE;
        *first = i;
        if (r->kind == MLC_RELATION_TYPE_OF && is_result && r->from.index == result)
            return is_one || i + 1u == s->num_yields;
        if (!is_one)
            return false; // who knows where the next one stands
    }
    return false;
}

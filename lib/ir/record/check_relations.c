// check_relations.c -- relations and traits of a loaded op that no types can meet.
//
// Values that must be of one type are a class. Where a constraint or a relation leaves a class some
// types that can be listed, one of them must be what all others allow. Classes of which nothing can
// be listed (any shaped type) are believed.
#include "check_relations.h"

#include "context/context_impl.h"
#include "relation.h"

typedef struct Solver {
    MlcContext *ctx;
    const MlcOpDef *op;
    size_t num_places;   // operand groups, then result groups
    size_t *class_of;    // of each place
    MlcType (*exact)[2]; // what relations say that it is
} Solver;

static const MlcConstraint *
constraint_of(const Solver *s, size_t place)
{
    size_t n = s->op->num_operands;
    return place < n ? s->op->operands[place].type : s->op->results[place - n].type;
}

// The number of a place; SIZE_MAX: an attribute.
static size_t
place_of(const Solver *s, MlcPlaceRef ref)
{
    return ref.place == MLC_PLACE_OPERAND  ? ref.index
           : ref.place == MLC_PLACE_RESULT ? (size_t)s->op->num_operands + ref.index
                                           : SIZE_MAX;
}

static void
unite(Solver *s, size_t a, size_t b)
{
    if (a == SIZE_MAX || b == SIZE_MAX)
        return;
    size_t from = s->class_of[b], to = s->class_of[a];
    for (size_t i = 0; i < s->num_places; i++)
        if (s->class_of[i] == from)
            s->class_of[i] = to;
}

static void
list_floats(MlcContext *ctx, int64_t kinds, MlcTypeVec *out)
{
    for (int kind = 0; kind < MLC_FLOAT_NUM_KINDS; kind++)
        if (kinds >> kind & 1)
            mlc_vec_push(out, mlc_float_type_get(ctx, (MlcFloatKind)kind));
}

// Appends the types that a constraint allows, and perhaps others; false: they cannot be listed.
static bool
list_types(MlcContext *ctx, const MlcConstraint *c, MlcTypeVec *out)
{
    bool ok = c->num_args > 0;
    switch (c->kind) {
    case MLC_CONSTRAINT_TYPE_KIND:
        if (c->a >> MLC_TYPE_INDEX & 1)
            mlc_vec_push(out, mlc_index_type_get(ctx));
        if (c->a >> MLC_TYPE_FLOAT & 1)
            list_floats(ctx, -1, out);
        return !(c->a & ~(INT64_C(1) << MLC_TYPE_INDEX | INT64_C(1) << MLC_TYPE_FLOAT));
    case MLC_CONSTRAINT_INTEGER:
        for (int signedness = MLC_SIGNLESS; c->a && signedness <= MLC_UNSIGNED; signedness++)
            mlc_vec_push(out, mlc_integer_type_get(ctx, (unsigned)c->a, (MlcSignedness)signedness));
        return c->a != 0;
    case MLC_CONSTRAINT_FLOAT:
        list_floats(ctx, c->a, out);
        return true;
    case MLC_CONSTRAINT_ANY_OF:
        for (size_t i = 0; ok && i < c->num_args; i++)
            ok = list_types(ctx, c->args[i], out);
        return ok;
    case MLC_CONSTRAINT_ALL_OF:
        for (size_t i = 0; i < c->num_args; i++)
            if (list_types(ctx, c->args[i], out))
                return true;
        return false;
    case MLC_CONSTRAINT_SAME:
        mlc_vec_push(out, ctx->text->parse_type(ctx, mlc_str(c->names[0])));
        return mlc_vec_last(out) != NULL;
    default:
        return false;
    }
}

// Whether all places of the class may be of that type.
static bool
is_allowed(const Solver *s, size_t class, MlcType type)
{
    for (size_t i = 0; i < s->num_places; i++) {
        if (s->class_of[i] != class)
            continue;
        for (int k = 0; k < 2; k++)
            if (s->exact[i][k] && s->exact[i][k] != type)
                return false;
        if (!mlc_constraint_check_type(constraint_of(s, i), type))
            return false;
    }
    return true;
}

static bool
can_be(const Solver *s, size_t class)
{
    MlcTypeVec types = {0};
    bool is_known = false;
    for (size_t i = 0; i < s->num_places && !is_known; i++)
        if (s->class_of[i] == class && s->exact[i][0]) {
            mlc_vec_push(&types, s->exact[i][0]);
            is_known = true;
        }
    for (size_t i = 0; i < s->num_places && !is_known; i++) {
        types.size = 0;
        is_known = s->class_of[i] == class && list_types(s->ctx, constraint_of(s, i), &types);
    }
    bool ok = !is_known;
    for (size_t i = 0; !ok && i < types.size; i++)
        ok = is_allowed(s, class, types.data[i]);
    mlc_vec_release(&types);
    return ok;
}

static bool
all_can_be(const Solver *s)
{
    for (size_t i = 0; i < s->num_places; i++)
        if (!can_be(s, s->class_of[i]))
            return false;
    return true;
}

static void
add_traits(Solver *s)
{
    bool all = mlc_op_def_has_trait(s->op, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE);
    size_t n = all                                                         ? s->num_places
               : mlc_op_def_has_trait(s->op, MLC_TRAIT_SAME_OPERANDS_TYPE) ? s->op->num_operands
                                                                           : 0;
    for (size_t i = 1; i < n; i++)
        unite(s, 0, i);
}

static void
add_relation(Solver *s, const MlcRelation *r)
{
    size_t to = place_of(s, r->to);
    if (r->kind == MLC_RELATION_EXACTLY && to != SIZE_MAX)
        s->exact[to][s->exact[to][0] != NULL] = mlc_relation_derive(s->ctx, r, NULL);
    if (r->kind == MLC_RELATION_TYPE_OF)
        unite(s, to, place_of(s, r->from));
    for (size_t i = 1; r->kind == MLC_RELATION_SAME_TYPE && i < r->num_members; i++)
        unite(s, place_of(s, r->members[0]), place_of(s, r->members[i]));
}

// `y = f64` of an y that must be f32 is said as such.
static bool
add(Solver *s, MlcYamlLoader *l, const MlcYaml *item, const MlcRelation *r)
{
    size_t to = place_of(s, r->to);
    MlcType type = r->kind == MLC_RELATION_EXACTLY && to != SIZE_MAX
                       ? mlc_relation_derive(s->ctx, r, NULL)
                       : NULL;
    if (type && !mlc_constraint_check_type(constraint_of(s, to), type))
        return mlc_yaml_loader_fail(l, item, "this cannot be: the type must be %s, and %s is not",
                                    constraint_of(s, to)->summary, r->text);
    add_relation(s, r);
    return all_can_be(s) ||
           mlc_yaml_loader_fail(l, item,
                                "this cannot be: no type meets it, the constraints and what "
                                "stands before");
}

void
mlc_check_relations(MlcContext *ctx, MlcYamlLoader *l, const MlcOpDef *op)
{
    const MlcYaml *node = mlc_map_get(&l->nodes, op), *list = mlc_yaml_get(node, "relations");
    Solver s = {.ctx = ctx, .op = op, .num_places = (size_t)op->num_operands + op->num_results};
    s.class_of = mlc_calloc(s.num_places + 1, sizeof *s.class_of);
    s.exact = mlc_calloc(s.num_places + 1, sizeof *s.exact);
    for (size_t i = 0; i < s.num_places; i++)
        s.class_of[i] = i;
    bool could = all_can_be(&s); // a constraint that nothing meets is another matter
    add_traits(&s);
    if (could && !(could = all_can_be(&s)))
        mlc_yaml_loader_fail(l, mlc_yaml_get(node, "traits"),
                             "this cannot be: no type is what all of them must be that the traits "
                             "make the same");
    for (size_t i = 0; could && list && i < op->num_relations; i++)
        could = add(&s, l, list->items[i], &op->relations[i]);
    mlc_free(s.class_of);
    mlc_free(s.exact);
}

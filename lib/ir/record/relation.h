// relation.h -- what follows from relations between the types of an op's operands, results and
// attributes (MlcRelation in mlc/ir/def.h): for type inference, the custom syntax, verification.
#ifndef MLC_IR_RELATION_H
#define MLC_IR_RELATION_H

#include "mlc/ir/interfaces.h"

// Types by place, while some are not known yet: NULL marks an unknown type.
typedef struct MlcTypeView MlcTypeView;

// What follows at once: from a constraint, and from one type by a relation. NULL, false: nothing.
typedef struct MlcTypeSteps {
    MlcType (*only)(const MlcTypeView *view, const MlcConstraint *constraint);
    MlcType (*derive)(const MlcTypeView *view, const MlcRelation *relation, MlcType from);
    bool (*list)(const MlcRelation *relation, MlcType from, const MlcType **types, size_t *count);
} MlcTypeSteps;
extern const MlcTypeSteps mlc_type_steps; // of types

struct MlcTypeView {
    MlcContext *ctx;
    const MlcOpDef *def;
    const MlcTypeSteps *steps;
    // Fills first and count of the group into *types (an array whose entries may be set); false if
    // the number of values of that group is not known yet.
    bool (*group)(struct MlcTypeView *view, MlcPlaceRef place, MlcType **types, size_t *count);
    // The type of a slot's attribute, or that it holds; NULL if it is absent or has none.
    MlcType (*attr_type)(struct MlcTypeView *view, size_t slot);
    // Told that a group whose count was not known (result groups) has these types.
    void (*set_group)(struct MlcTypeView *view, MlcPlaceRef place, const MlcType *types,
                      size_t count);
};

// Fills in every type that follows from the definition's traits, relations and constraints that
// allow one type only; repeats until nothing more follows. Contradictions are left to the verifier.
void mlc_relations_complete(MlcTypeView *view);

// The part of a constraint that leaves no choice of a type: of kind SAME, INTEGER, FLOAT, TYPE_KIND
// or DIALECT_TYPE, this one if the type has no parameters; NULL if there is none.
const MlcConstraint *mlc_constraint_only(const MlcConstraint *constraint);
// The only type a constraint allows, NULL if there are several.
MlcType mlc_constraint_only_type(MlcContext *ctx, const MlcConstraint *constraint);

// The part of a kind in a constraint: itself, or one of those that must all hold; NULL if there is
// none.
const MlcConstraint *mlc_constraint_part(const MlcConstraint *constraint, MlcConstraintKind kind);

// Whether it holds among members, and not from one place to another.
static inline bool
mlc_relation_is_among(const MlcRelation *relation)
{
    return relation->kind >= MLC_RELATION_SAME_TYPE && relation->kind != MLC_RELATION_PARAMETER;
}

// What a one-way relation makes its left side, as it is written: "element(lhs)".
void mlc_relation_describe(MlcBuf *out, const MlcOpDef *op, const MlcRelation *relation);

// Whether terminators of that region give the values of result group `result`, from operand *first
// on: one, or, of a variadic group, all the rest.
bool mlc_region_gives_result(const MlcOpDef *op, size_t region, size_t result, size_t *first);

// Of an attribute that a relation names: its type, or that it holds; NULL if it has none.
MlcType mlc_relation_attr_type(MlcAttr attr);
// What a relation says of a type, given `from`; NULL: nothing.
MlcType mlc_relation_derive(MlcContext *ctx, const MlcRelation *relation, MlcType from);
// Result types of an op about to be made from traits and relations; false (silently) if they do not
// follow.
bool mlc_relations_infer(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results);

#endif

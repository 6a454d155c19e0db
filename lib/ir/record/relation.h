// relation.h -- relations between the types of an op's operands, results and attributes, as data:
// used by type inference, the custom syntax and verification.
#ifndef MLC_IR_RELATION_H
#define MLC_IR_RELATION_H

#include "mlc/ir/interfaces.h"

// What a relation or a format names: a group of an op by its number in the definition.
typedef enum MlcPlace {
    MLC_PLACE_OPERAND,
    MLC_PLACE_RESULT,
    MLC_PLACE_ATTR, // its type if it is a typed attribute, the type it holds if it is a type
                    // attribute
    MLC_PLACE_REGION,
    MLC_PLACE_SUCCESSOR,
    MLC_PLACE_PARAM, // of a type or attribute
    MLC_PLACE_ALL_OPERANDS,
    MLC_PLACE_ALL_RESULTS,
} MlcPlace;

typedef struct MlcPlaceRef {
    uint8_t place; // MlcPlace
    uint16_t index;
} MlcPlaceRef;

typedef enum MlcRelationKind {
    // One-way: the types of `to` follow from `from` (a variadic `to` repeats one type, or goes
    // element by element).
    MLC_RELATION_TYPE_OF,        // to = from
    MLC_RELATION_EXACTLY,        // to = `text`
    MLC_RELATION_LIKE,           // to = like(from, text): from's shape with the element type `text`
    MLC_RELATION_ELEMENT,        // to = element(from)
    MLC_RELATION_REPEAT_ELEMENT, // to = repeat(element(from), size(from)): one per element
    MLC_RELATION_INPUTS,         // to = inputs(from), a function type
    MLC_RELATION_RESULTS,        // to = results(from)
    MLC_RELATION_TENSOR_OF,      // to = tensor_of(from): the tensor type of a memref
    MLC_RELATION_MEMREF_OF,      // to = memref_of(from)
    // Among `members`.
    MLC_RELATION_SAME_TYPE,
    MLC_RELATION_SAME_ELEMENT,
    MLC_RELATION_SAME_SHAPE,
    MLC_RELATION_SAME_RANK,
    MLC_RELATION_SAME_TENSOR_SHAPE, // whatever is no tensor counts as a scalar
    MLC_RELATION_SCALAR_OR_SHAPE,   // the first is a scalar, or all have one shape
} MlcRelationKind;

typedef struct MlcRelation {
    uint8_t kind; // MlcRelationKind
    MlcPlaceRef to, from;
    const char *text; // a builtin type
    const MlcPlaceRef *members;
    uint16_t num_members;
    const char *message; // after "failed to verify that "; NULL: made from the kind
} MlcRelation;

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

// Of an attribute that a relation names: its type, or that it holds; NULL if it has none.
MlcType mlc_relation_attr_type(MlcAttr attr);
// What a relation says of a type, given `from`; NULL: nothing.
MlcType mlc_relation_derive(MlcContext *ctx, const MlcRelation *relation, MlcType from);
// Result types of an op about to be made from traits and relations; false (silently) if they do not
// follow.
bool mlc_relations_infer(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results);

#endif

// conversion_impl.h -- private: type converters, targets, and the state of a conversion.
//
// A conversion is a transaction. What patterns do goes into a log; a pattern that fails, or makes
// what cannot be made legal, is undone back to where it began, and so is the whole when an op
// cannot be converted.
#ifndef MLC_IR_CONVERSION_IMPL_H
#define MLC_IR_CONVERSION_IMPL_H

#include "rewrite/rewrite_impl.h"

typedef struct MlcTypeRuleEntry {
    MlcTypeRule rule;
    void *user;
} MlcTypeRuleEntry;

typedef struct MlcMaterializeEntry { // one of the two
    MlcMaterialize one;
    MlcMaterializeMany many;
    void *user;
} MlcMaterializeEntry;

typedef struct MlcConvertedTypes {
    bool ok;
    size_t size;
    MlcType types[];
} MlcConvertedTypes;

struct MlcTypeConverter {
    MlcContext *ctx;
    MlcArena arena;
    MLC_VEC(MlcTypeRuleEntry) rules;
    MLC_VEC(MlcMaterializeEntry) sources, targets;
    MlcMap known; // type -> MlcConvertedTypes *
};

// The pattern of ops with MLC_INTERFACE_SEMANTICS: the op of scf or func that does the same.
bool mlc_lower_semantics_op(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, void *user);
// Whether it ends a region of an op that neither says what it means nor was made of one that does.
bool mlc_is_foreign_end(const MlcOp *op);
// Gives `made` the function type and attributes of `op`, if that is a function, converted.
bool mlc_conversion_retype_function(MlcConversion *c, MlcOp *op, MlcOp *made);

// What `type` becomes; remembered.
const MlcConvertedTypes *mlc_type_converter_lookup(MlcTypeConverter *tc, MlcType type);

typedef enum MlcLegality {
    MLC_LEGALITY_UNKNOWN,
    MLC_LEGALITY_LEGAL,
    MLC_LEGALITY_ILLEGAL,
    MLC_LEGALITY_DYNAMIC, // plus an index into `dynamics`
} MlcLegality;

typedef struct MlcDynamicEntry {
    MlcLegalFn fn;
    void *user;
} MlcDynamicEntry;

struct MlcConversionTarget {
    MlcContext *ctx;
    MlcArena arena;
    MlcStrMap ops, dialects; // name -> MlcLegality
    MLC_VEC(MlcDynamicEntry) dynamics;
};

// Legal, illegal or unknown; `by_name` is what the name says.
MlcLegality mlc_conversion_target_legality(const MlcConversionTarget *t, uint64_t by_name,
                                           MlcOp *op);
// DYNAMIC or more where it depends on the op.
uint64_t mlc_conversion_target_legality_of_name(const MlcConversionTarget *t, MlcStr name);

// --- the legality graph

#define MLC_NO_DEPTH UINT32_MAX
// depths[i]: patterns that have to follow each other, pattern i included, until only legal ops are
// left; MLC_NO_DEPTH: no chain of patterns ends. Patterns that do not say what they make count 1.
void mlc_conversion_depths(const MlcConversionTarget *target, const MlcConversionPattern *patterns,
                           size_t num_patterns, uint32_t *depths);

// --- the state

typedef enum MlcConversionEditKind {
    MLC_EDIT_MADE,     // op
    MLC_EDIT_CAST,     // op: made by the driver
    MLC_EDIT_REPLACED, // op: its results have replacements, or are erased
    MLC_EDIT_MODIFIED, // op; saved
    MLC_EDIT_MOVED,    // regions to and from
    MLC_EDIT_ARGS,     // saved: the block's arguments before
    MLC_EDIT_INLINED,  // saved: ops that left their block
} MlcConversionEditKind;

typedef struct MlcConversionEdit {
    MlcConversionEditKind kind;
    MlcOp *op; // NULL once it is gone
    void *saved;
    MlcRegion *to, *from;
} MlcConversionEdit;

typedef struct MlcReplacement {
    bool is_erased;
    uint32_t size;
    MlcValue *values[];
} MlcReplacement;

typedef struct MlcConversionCast {
    size_t edit;    // its op is that of the log
    bool is_source; // makes the old type from the new
} MlcConversionCast;

typedef struct MlcConversionReason {
    size_t depth; // patterns that led to the op
    const MlcOpDef *def;
    const MlcConversionPattern *pattern; // NULL: none is for it
    char *text;
} MlcConversionReason;

typedef struct MlcConversionDef { // what a conversion knows of an op's definition
    uint64_t legality;            // DYNAMIC or more where it depends on the op
    size_t size;
    const MlcConversionPattern *patterns[]; // in the order in which they are tried
} MlcConversionDef;

struct MlcConversion {
    MlcBuilder builder; // first
    MlcEraseListener listener;
    MlcArena arena;
    MlcOp *root;
    MlcConversionTarget *target;
    MlcTypeConverter *types; // may be NULL
    const MlcConversionPattern *patterns;
    size_t num_patterns;
    uint32_t *depths; // of patterns
    bool is_full;
    MlcOpVec *analysis; // takes what could be converted, and failures do not matter; else NULL

    MLC_VEC(MlcOp *) ops; // there at the start, or inside ops that patterns made: see op->work
    MLC_VEC(MlcConversionEdit) log;
    MlcMap replacements; // old value -> MlcReplacement *
    MlcMap casts_of;     // hash of values and types -> index in `casts`
    MLC_VEC(MlcConversionCast) casts;
    MlcMap defs; // definition -> MlcConversionDef *
    const MlcOpDef *cast_def;
    MLC_VEC(MlcConversionReason) reasons;
    MLC_VEC(const MlcConversionPattern *) active; // each applied to what the one before made
    const MlcConversionPattern *running;
    char *why; // what the running pattern says of its failure
};

// op->work while a conversion runs: where the op stands, in `log` or in `ops`, and whether it is
// replaced; 0: not heard of.
enum { MLC_WORK_DEAD = 1, MLC_WORK_IN_LOG = 2, MLC_WORK_SHIFT = 2 };

static inline bool
mlc_conversion_is_replaced(const MlcOp *op)
{
    return op->work & MLC_WORK_DEAD;
}

void mlc_conversion_note_op(MlcConversion *c, MlcOp *op); // puts it into `ops`
void mlc_conversion_on_inserted(MlcBuilder *b, MlcOp *op);
void mlc_conversion_on_erased(MlcEraseListener *listener, MlcOp *op);
bool mlc_conversion_is_dead(const MlcConversion *c, const MlcOp *op); // or inside such an op
// Moves the ops of `block` but its terminator to where the builder is; the values stand for its
// arguments.
void mlc_conversion_inline_block(MlcConversion *c, MlcBlock *block, MlcValue *const *args);
// Undoes what was done since the log had `mark` entries.
void mlc_conversion_undo(MlcConversion *c, size_t mark);
// Appends what the op's operands are now in their new types, and how many each became. False with
// `why` set.
bool mlc_conversion_remap_operands(MlcConversion *c, MlcOp *op, MlcValueVec *values,
                                   uint32_t *counts);
// The end: old values give way to new ones, casts that meet cancel, others are materialised.
// False after a diagnostic, and nothing done, if an erased value is still used.
bool mlc_conversion_commit(MlcConversion *c);

#endif

// conversion_impl.h -- private: type converters and targets, as the conversion driver sees them.
#ifndef MLC_IR_CONVERSION_IMPL_H
#define MLC_IR_CONVERSION_IMPL_H

#include "rewrite_impl.h"

typedef struct MlcTypeRuleEntry {
    MlcTypeRule rule;
    void *user;
} MlcTypeRuleEntry;

typedef struct MlcMaterializeEntry {
    MlcMaterialize fn;
    void *user;
} MlcMaterializeEntry;

struct MlcTypeConverter {
    MlcContext *ctx;
    MLC_VEC(MlcTypeRuleEntry) rules;
    MLC_VEC(MlcMaterializeEntry) sources, targets;
    MlcMap known; // type -> the one it becomes, NULL if it cannot
};

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

// Legal, illegal or unknown.
MlcLegality mlc_conversion_target_legality(MlcConversionTarget *t, MlcOp *op);

#endif

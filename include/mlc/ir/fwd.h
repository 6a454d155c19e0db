// fwd.h -- the names of the IR. A star means identity (an MlcOp may change under you); types,
// attributes, locations, affine expressions and maps are uniqued by their context, immutable, and
// compared with ==.
//
// Ownership: what has a star has an owner (mlc/ir/op.h); what has none is the context's.
// Threads: each header says it.
#ifndef MLC_IR_FWD_H
#define MLC_IR_FWD_H

#include "mlc/support/base.h"

typedef struct MlcContext MlcContext;
typedef struct MlcOp MlcOp;
typedef struct MlcBlock MlcBlock;
typedef struct MlcRegion MlcRegion;
typedef struct MlcValue MlcValue;
typedef struct MlcUse MlcUse; // one operand slot of an op, linked into its value's use list

typedef const struct MlcTypeData *MlcType;
typedef const struct MlcAttrData *MlcAttr;
typedef const struct MlcLocData *MlcLoc; // may be a tagged word: never dereference
typedef const struct MlcExprData *MlcAffineExpr;
typedef const struct MlcMapData *MlcAffineMap;
typedef const struct MlcSetData *MlcIntegerSet;

typedef struct MlcOpDef MlcOpDef;     // what an op is: mlc/ir/def.h
typedef struct MlcTypeDef MlcTypeDef; // what a dialect's type is
typedef struct MlcAttrDef MlcAttrDef; // what a dialect's attribute is
typedef struct MlcDialectDef MlcDialectDef;
typedef struct MlcConstraint MlcConstraint;
typedef struct MlcBlob MlcBlob;             // bytes of a big constant: mlc/ir/blob.h
typedef struct MlcDatum MlcDatum;           // a value at run time: mlc/interp.h
typedef struct MlcPatternSet MlcPatternSet; // mlc/ir/rewrite.h

#endif

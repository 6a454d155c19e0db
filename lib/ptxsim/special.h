// special.h -- special registers, by name.
#ifndef MLC_LIB_PTXSIM_SPECIAL_H
#define MLC_LIB_PTXSIM_SPECIAL_H

#include "inst.h"

typedef enum SpecialKind {
    SPECIAL_TID, // x, y, z follow each other
    SPECIAL_NTID = SPECIAL_TID + 3,
    SPECIAL_CTAID = SPECIAL_NTID + 3,
    SPECIAL_NCTAID = SPECIAL_CTAID + 3,
    SPECIAL_CLUSTERID = SPECIAL_NCTAID + 3,
    SPECIAL_NCLUSTERID = SPECIAL_CLUSTERID + 3,
    SPECIAL_CLUSTER_CTAID = SPECIAL_NCLUSTERID + 3,
    SPECIAL_CLUSTER_NCTAID = SPECIAL_CLUSTER_CTAID + 3,
    SPECIAL_LANEID = SPECIAL_CLUSTER_NCTAID + 3,
    SPECIAL_WARPID,
    SPECIAL_NWARPID,
    SPECIAL_LANEMASK_EQ,
    SPECIAL_LANEMASK_LE,
    SPECIAL_LANEMASK_LT,
    SPECIAL_LANEMASK_GE,
    SPECIAL_LANEMASK_GT,
    SPECIAL_CLUSTER_CTARANK,
    SPECIAL_CLUSTER_NCTARANK,
    SPECIAL_DYNAMIC_SHARED,
    SPECIAL_TOTAL_SHARED,
    SPECIAL_ZERO, // %smid, %gridid and their kin: one device, one launch
    SPECIAL_ONE,
    SPECIAL_CLOCK, // read when it is asked for
} SpecialKind;

// The special register of that name ("%tid.x"); its width in bytes.
bool ptx_find_special(MlcStr name, SpecialKind *kind, unsigned *bytes);

#endif

// alias.h -- what two values that refer to memory may share, and what an op does to such memory.
//
// Values are followed to the buffers behind them, through views and control flow, and buffers are
// told apart by who allocates them. Nothing is kept between questions, so the IR may change.
//
// Ownership: nothing is kept; values and ops are borrowed.
// Threads: as for reading ops (mlc/ir/op.h).
#ifndef MLC_ANALYSIS_ALIAS_H
#define MLC_ANALYSIS_ALIAS_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

// About the buffers, not the parts of them that a value looks at: a view and its source are one.
typedef enum MlcAlias {
    MLC_ALIAS_NO,   // never the same
    MLC_ALIAS_MAY,  // not known
    MLC_ALIAS_MUST, // always the same
} MlcAlias;
// How two values that are buffers or pointers lie: whether they never, may, or must name the same
// memory.
MLC_API MlcAlias mlc_alias(MlcValue *a, MlcValue *b);

// Bits: what an op, with all that is in its regions, may do to the buffer of a value. Allocating it
// is neither.
typedef enum MlcModRef {
    MLC_MOD_REF_NONE = 0,
    MLC_MOD_REF_REF = 1, // read it
    MLC_MOD_REF_MOD = 2, // write or free it
    MLC_MOD_REF_BOTH = 3,
} MlcModRef;
// Whether `op`, and all in its regions, may read or write the memory that `location` names.
MLC_API MlcModRef mlc_mod_ref(MlcOp *op, MlcValue *location);

// The values that may stand for the buffer of `value`: those that are no view of another and are
// not handed on by control flow. Appended. False if there may be others.
MLC_API bool mlc_underlying_buffers(MlcValue *value, MlcValueVec *out);
// Whether nobody gets the buffer, or a view of it, but ops that read and write it and calls that
// give no buffers back: no control flow hands it on, and nobody frees it.
MLC_API bool mlc_buffer_stays(MlcValue *buffer);
// Whether the value is memory that its op has just allocated.
MLC_API bool mlc_is_allocated(MlcValue *value);
// More than any machine has: sums of thousands of such do not overflow.
#define MLC_MOST_BYTES (INT64_C(1) << 48)
// Bytes of a static shape, whose elements are whole bytes each; MLC_MOST_BYTES where they are more.
MLC_API int64_t mlc_buffer_bytes(MlcType shaped);
// False after an error at an op whose first result is of a static shape of so many.
MLC_API MLC_NODISCARD bool mlc_buffer_check_bytes(MlcOp *alloc);
// What the value is a view of, of a view and so on; itself if it is none.
MLC_API MlcValue *mlc_viewed_buffer(MlcValue *value);

MLC_END_DECLS

#endif

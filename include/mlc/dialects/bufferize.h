// bufferize.h -- what ops say about tensors becoming buffers (MLC_INTERFACE_BUFFERIZE), and what
// their hooks may ask.
//
// A tensor is a value, a buffer is a place. An op that makes a new tensor from a destination
// operand may write in the destination's place if nobody needs the old contents any more; the pass
// `bufferize` decides that for the whole function first (lib/passes/memory/bufferize_analysis.c)
// and then asks each op to rewrite itself on buffers.
//
// Ownership: a bufferizer is the pass's, hooks borrow it; new ops belong to their block.
// Threads: a bufferizer serves one isolated op, in the thread that works on that.
#ifndef MLC_DIALECTS_BUFFERIZE_H
#define MLC_DIALECTS_BUFFERIZE_H

#include "mlc/ir.h"
#include "mlc/support/map.h"

MLC_BEGIN_DECLS

// On a call where functions return buffers: [array<i64: ...>, type], the codes of the callee's
// arguments and its type on buffers. A code is -1 (no tensor), or a sum: the argument is read, is
// written; the result that may share its memory, times MLC_CALL_RESULT from 1 on (0: none), and
// whether that is all of the buffer. Without it, results are destinations behind the arguments.
#define MLC_CALL_BUFFERS "mlc.call_buffers"
enum { MLC_CALL_READS = 1, MLC_CALL_WRITES = 2, MLC_CALL_WHOLE = 4, MLC_CALL_RESULT = 8 };

// One bufferisation of a function: what was decided before, and the buffers so far. Made and
// released by the pass; hooks go through the functions below.
typedef struct MlcBufferizer {
    MlcMap in_place; // MlcUse * of written operands that are done in place
    MlcMap put_back; // ops that insert a slice where it was taken from
    MlcMap chosen;   // tensor -> memref it shall have
    MlcMap buffers;  // tensor -> memref
    bool (*same)(struct MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b);
    bool (*may_share)(struct MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b);
    void (*unite)(struct MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b, bool whole);
} MlcBufferizer;

// On an op that is left on tensors, whatever its kind can do. A bool: have the buffers of what it
// makes the identity layout? Else they may have any.
#define MLC_STAYS_ON_TENSORS "mlc.stays_on_tensors"

typedef struct MlcBufferize {
    // Does the op look at the contents of tensor operand `i`? Does it write there? A view (a slice,
    // a reshape) does neither.
    bool (*reads)(MlcOp *op, size_t i);
    bool (*writes)(MlcOp *op, size_t i);
    // The value that has (part of) operand i's buffer if the op is done in place: a result, or an
    // argument of its region; NULL: none. `*whole` tells whether it is all of the buffer. Of an
    // operand that is read and not written it may be a copy: that is decided, too.
    MlcValue *(*alias)(MlcOp *op, size_t i, bool *whole);
    // Does the op read each element of operand `read` before it writes the one of the same indices
    // of operand `write`, and never after? Then both may be one tensor. NULL: no.
    bool (*in_step)(MlcOp *op, size_t read, size_t write);
    // Of ops with regions that hand tensors on: calls mlc_bufferizer_unite for all that may share a
    // buffer, but for operands, for which `alias` speaks. Asked before anything is decided, and
    // again when what is in the regions is. May be NULL.
    void (*hand_on)(MlcOp *op, MlcBufferizer *bufferizer);
    // Of ops that write operand 0 into a part of operand 1 (tensor.insert_slice): is that just the
    // part which `extract` cuts from its operand 0? May be NULL.
    bool (*inserts_what)(MlcOp *op, MlcOp *extract);
    // Rewrites the op: makes ops on buffers through `b`, tells the buffers of tensor results with
    // mlc_bufferizer_set. The driver erases the op. False after a diagnostic.
    bool (*bufferize)(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer);
} MlcBufferize;

// What `reads` or `writes` are of ops that do so with all operands, or with none.
MLC_API bool mlc_bufferize_always(MlcOp *op, size_t i);
MLC_API bool mlc_bufferize_never(MlcOp *op, size_t i);

MLC_API const MlcBufferize *mlc_bufferize_methods(MlcOp *op); // NULL: it says nothing
// Ranked or not.
MLC_API bool mlc_value_is_tensor(const MlcValue *value);
MLC_API bool mlc_op_has_tensors(MlcOp *op); // among its operands and results
// The buffer of a tensor that is read.
MLC_API MlcValue *mlc_bufferizer_buffer(MlcBufferizer *bufferizer, MlcValue *tensor);
// The buffer to write for destination operand `i`: the operand's own if the op is in place, else a
// fresh one, into which the old contents are copied if the op reads them.
MLC_API MlcValue *mlc_bufferizer_destination(MlcBufferizer *bufferizer, MlcBuilder *b, MlcOp *op,
                                             size_t i);
// A fresh buffer for a tensor type; `sizes` are its dynamic dimensions.
MLC_API MlcValue *mlc_bufferizer_alloc(MlcBufferizer *bufferizer, MlcBuilder *b, MlcType tensor,
                                       MlcValue *const *sizes, size_t num_sizes);
// The same in a memory space (NULL: the default), of a ranked tensor.
MLC_API MlcValue *mlc_bufferizer_alloc_in(MlcBuilder *b, MlcType tensor, MlcAttr space,
                                          MlcValue *const *sizes, size_t num_sizes);
// A buffer for a result of static shape that is made where it is: the one chosen beforehand, or a
// fresh one.
MLC_API MlcValue *mlc_bufferizer_made(MlcBufferizer *bufferizer, MlcBuilder *b, MlcValue *result);
// A fresh buffer with the contents of `buffer`, which is of the tensor type `tensor`.
MLC_API MlcValue *mlc_bufferizer_copied(MlcBufferizer *bufferizer, MlcBuilder *b, MlcValue *buffer,
                                        MlcType tensor);
MLC_API void mlc_bufferizer_set(MlcBufferizer *bufferizer, MlcValue *tensor, MlcValue *buffer);
// A buffer chosen beforehand for a tensor (a destination argument of the function); NULL: none.
MLC_API MlcValue *mlc_bufferizer_chosen(MlcBufferizer *bufferizer, MlcValue *tensor);
// Do the two tensors have the same buffer, whole?
MLC_API bool mlc_bufferizer_same(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b);
// May they share memory?
MLC_API bool mlc_bufferizer_may_share(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b);
// For `hand_on`: they may share memory, or have the same buffer (`whole`).
MLC_API void mlc_bufferizer_unite(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b, bool whole);
// Was the written operand decided to be done in place?
MLC_API bool mlc_bufferizer_in_place(MlcBufferizer *bufferizer, MlcOp *op, size_t i);
// Is what `insert` puts into operand 1 from operand 0 already there, because the source was cut
// from the same place and everything since was done in place?
MLC_API bool mlc_bufferizer_is_put_back(MlcBufferizer *bufferizer, MlcOp *insert);
// Erases the ops of a region that still work on tensors, once they are rewritten.
MLC_API void mlc_bufferizer_erase_tensor_ops(MlcRegion *region);
// Rewrites one op, or those of a region; hooks of ops with regions call them once they have set
// their arguments.
MLC_API bool mlc_bufferizer_op(MlcBufferizer *bufferizer, MlcOp *op);
MLC_API bool mlc_bufferizer_region(MlcBufferizer *bufferizer, MlcRegion *region);
// The identity-layout memref of a tensor type.
MLC_API MlcType mlc_bufferizer_memref_type(MlcType tensor);
// The same, in the memory space of `buffer`.
MLC_API MlcType mlc_bufferizer_type_beside(MlcValue *buffer, MlcType tensor);
// A type that buffers of both types, which differ in their layouts at most, can be cast to.
MLC_API MlcType mlc_bufferizer_common_type(MlcType a, MlcType b);
// memref.copy, or nothing if they are one.
MLC_API void mlc_bufferizer_copy(MlcBuilder *b, MlcValue *from, MlcValue *to);

MLC_END_DECLS

#endif

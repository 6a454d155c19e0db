// linalg_impl.h -- what the patterns and verifiers of linalg share.
#ifndef MLC_LINALG_IMPL_H
#define MLC_LINALG_IMPL_H

#include "mlc/dialects/linalg.h"
#include "mlc/ir.h"
#include "mlc/ir/mixed.h"
#include "mlc/ir/rewrite.h"

static inline MlcOp *
operand_def(const MlcOp *op, size_t i)
{
    return mlc_value_def(mlc_op_operand(op, i));
}

static inline bool
is_tensor(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR);
}

static inline bool
is_memref(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_MEMREF);
}

// All shaped operands are tensors, or all are memrefs.
bool mlc_linalg_is_on_tensors(const MlcOp *op);
bool mlc_linalg_is_on_buffers(const MlcOp *op);
// A tensor.cast to `type`, or the value itself where it is of that type.
MlcValue *mlc_linalg_cast(MlcBuilder *b, MlcValue *value, MlcType type);
// linalg.fill of `dest`; gives the filled tensor, NULL on buffers.
MlcValue *mlc_linalg_build_fill(MlcBuilder *b, MlcValue *value, MlcValue *dest);
// Fills the region of an op of one input and one destination: it yields the input. Returns the op.
MlcOp *mlc_linalg_yield_input(MlcOp *op);
bool mlc_linalg_replace(MlcRewriter *rw, MlcOp *op, MlcValue *value);

#endif

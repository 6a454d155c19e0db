// op_check.h -- private: what a checking build asks of who calls the functions of mlc/ir/op.h and
// mlc/ir/builder.h. In other builds every macro is nothing.
//
// Erased ops, values and blocks are found by their guards (context/check.h). NULL is left to the
// processor, which tells it as well.
#ifndef MLC_IR_OP_CHECK_H
#define MLC_IR_OP_CHECK_H

#include "context/check.h"
#include "mlc/ir/builder.h"
#include "op_impl.h"

#ifdef MLC_CHECKING

void mlc_check_op(const char *function, const MlcOp *op);
void mlc_check_value(const char *function, const MlcValue *value);
void mlc_check_block(const char *function, const MlcBlock *block);
// Of what a builder is given: as many operands as the record has; and results, regions, successors.
void mlc_check_operands(const char *function, const MlcBuilder *b, const MlcOpState *state);
void mlc_check_state(const char *function, const MlcBuilder *b, const MlcOpState *state);
// "'arith.addi' at t.mlir:3:1", in a buffer of this thread's last few.
const char *mlc_check_text(const MlcOp *op);
// Whether this thread may edit inside `isolated`; a mistake if not.
void mlc_check_edit(MlcOp *isolated);

#define MLC_CHECK_OP(op) mlc_check_op(__func__, op)
#define MLC_CHECK_VALUE(value) mlc_check_value(__func__, value)
#define MLC_CHECK_BLOCK(block) mlc_check_block(__func__, block)
#define MLC_CHECK_OPERANDS(b, state) mlc_check_operands(__func__, b, state)
#define MLC_CHECK_STATE(b, state) mlc_check_state(__func__, b, state)
#define MLC_CHECK_EDIT(isolated) mlc_check_edit(isolated)

#else

#define MLC_CHECK_OP(op) ((void)0)
#define MLC_CHECK_VALUE(value) ((void)0)
#define MLC_CHECK_BLOCK(block) ((void)0)
#define MLC_CHECK_OPERANDS(b, state) ((void)0)
#define MLC_CHECK_STATE(b, state) ((void)0)
#define MLC_CHECK_EDIT(isolated) ((void)0)

#endif

// The i-th operand, result, ... of an op, which has `count`.
#define MLC_CHECK_INDEX(op, what, i, count)                                                        \
    MLC_CHECK((i) < (count), "there is no " what " %zu of %s, which has %zu", (size_t)(i),         \
              mlc_check_text(op), (size_t)(count))
#define MLC_CHECK_ARG(block, i)                                                                    \
    MLC_CHECK((i) < (block)->num_args, "there is no argument %zu of the block, which has %u",      \
              (size_t)(i), (block)->num_args)
#define MLC_CHECK_DETACHED(op)                                                                     \
    MLC_CHECK(!(op)->block, "%s is in a block already", mlc_check_text(op))
#define MLC_CHECK_UNUSED(op)                                                                       \
    MLC_CHECK(!mlc_op_has_uses(op), "%s still has uses", mlc_check_text(op))

#endif

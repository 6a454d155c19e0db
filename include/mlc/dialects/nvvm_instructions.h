// nvvm_instructions.h -- what nvvm ops are on the machine: the rows of
// lib/dialects/nvvm/instructions.yaml, which says what their fields mean.
//
// Ownership: rows are constant and live for ever.
// Threads: any; ops as for reading them (mlc/ir/op.h).
#ifndef MLC_DIALECTS_NVVM_INSTRUCTIONS_H
#define MLC_DIALECTS_NVVM_INSTRUCTIONS_H

#include "mlc/ir/fwd.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

typedef struct MlcNvvmInstruction {
    const char *op;        // "mbarrier.init", "read.ptx.sreg.*"
    const char *intrinsic; // a template, like `assembly`; NULL: none
    const char *overloads, *args;
    const char *assembly; // NULL: none
    const char *code;     // a function that makes what the templates cannot say; NULL: none
    int num_operands;     // of the assembly, without a predicate; -1: all
    const char *sm;       // the least that has it: "80"; "90a": that one and no other
    unsigned ptx;         // 70 for 7.0
} MlcNvvmInstruction;

// The row of an op of this name ("nvvm.barrier0"); NULL if there is none.
MLC_API const MlcNvvmInstruction *mlc_nvvm_instruction(MlcStr name);
// Whether `op` is the row's assembly: it has no intrinsic, or `op` has a predicate.
MLC_API bool mlc_nvvm_is_assembly(const MlcNvvmInstruction *row, const MlcOp *op);
// Appends a template's text for `op`; its results are numbered before its operands.
MLC_API void mlc_nvvm_expand(MlcBuf *out, const MlcOp *op, const char *text);

MLC_END_DECLS

#endif

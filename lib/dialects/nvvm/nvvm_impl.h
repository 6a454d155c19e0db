// nvvm_impl.h -- what the dialect's files share.
#ifndef MLC_DIALECTS_NVVM_IMPL_H
#define MLC_DIALECTS_NVVM_IMPL_H

#include "mlc/dialects/nvvm_instructions.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/op.h"

#define ERROR_AT(op, ...) mlc_error(mlc_op_context(op), mlc_op_loc(op), __VA_ARGS__)

MlcType mlc_nvvm_struct_of(MlcType element, size_t count); // at most 64
size_t mlc_nvvm_struct_size(MlcType type);
MlcType mlc_nvvm_struct_member(MlcType type, size_t i);

// The table from instructions.yaml.
extern const MlcNvvmInstruction mlc_nvvm_instructions[];
extern const size_t mlc_nvvm_num_instructions;

#endif

// llvm_impl.h -- what the hooks of the dialect ask of its types.
#ifndef MLC_DIALECTS_LLVM_IMPL_H
#define MLC_DIALECTS_LLVM_IMPL_H

#include "mlc/dialects/llvm.h"
#include "mlc/ir.h"

bool mlc_llvm_is_any_of(MlcType type, const char *const *names); // NULL-terminated
bool mlc_llvm_is_element_type(MlcType type); // may stand in an array or a structure
bool mlc_llvm_is_signless_integer(MlcType type);
bool mlc_llvm_is_float(MlcType type); // of LLVM, ppc_fp128 included
bool mlc_llvm_is_ptr(MlcType type);
unsigned mlc_llvm_address_space(MlcType ptr);
bool mlc_llvm_is_vector(MlcType type); // builtin of rank 1, or the dialect's own
MlcType mlc_llvm_vector_element(MlcType vector);
int64_t mlc_llvm_vector_size(MlcType vector); // elements, of scalable vectors at least
bool mlc_llvm_vector_is_scalable(MlcType vector);

MlcType mlc_llvm_comparison_type(MlcType operand); // i1, or a vector of it

// Structures by their members; opaque ones have none.
size_t mlc_llvm_struct_size(MlcType type);
MlcType mlc_llvm_struct_member(MlcType type, size_t i);
MlcType mlc_llvm_array_element(MlcType array);
int64_t mlc_llvm_array_size(MlcType array);

// What a target extension type can be used for.
typedef enum MlcLlvmTargetUse {
    MLC_LLVM_TARGET_LOAD,
    MLC_LLVM_TARGET_ZERO,
    MLC_LLVM_TARGET_GLOBAL
} MlcLlvmTargetUse;
bool mlc_llvm_target_supports(MlcType target, MlcLlvmTargetUse use);

// Function types.
MlcType mlc_llvm_func_result(MlcType func);
size_t mlc_llvm_func_num_params(MlcType func);
MlcType mlc_llvm_func_param(MlcType func, size_t i);
bool mlc_llvm_func_is_variadic(MlcType func);

// Shared by the verifiers.
bool mlc_llvm_is_array_of_bytes(MlcType type, size_t size);
MlcOp *mlc_llvm_parent_func(const MlcOp *op); // NULL if it is in none
MlcAttr mlc_llvm_subprogram_of(MlcLoc loc);   // what the debugger calls it; NULL
bool mlc_llvm_verify_param_attr(MlcOp *op, MlcType type, MlcNamedAttr attr, bool is_result);

#endif

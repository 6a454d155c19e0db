// func_passing.h -- how values go into functions and come out of them.
#ifndef MLC_CONVERSION_FUNC_PASSING_H
#define MLC_CONVERSION_FUNC_PASSING_H

#include "to_llvm.h"

// A memref, of known rank or not.
bool llvm_is_descriptor(MlcType type);
// Appends the types in which a value of `type` is passed: a descriptor as its fields, or, if `bare`
// and its strides are static, as the aligned pointer. False if it has no llvm form.
bool llvm_passed_as(MlcTypeConverter *types, MlcType type, bool bare, MlcTypeVec *out);
// The arguments of a function's first block become those of `signature`, and descriptors again of
// fields and pointers.
void llvm_convert_entry(MlcConversion *c, MlcBlock *entry, const MlcSignatureConversion *signature);
// What C calls, or defines, of a function that has become `made` (func_c_interface.c); `op` is what
// it was, `result` what `made` returns, NULL: nothing. The body was not moved yet.
bool llvm_add_c_interface(MlcConversion *c, MlcOp *op, MlcOp *made, MlcType result);

#endif

// kernel_arguments.h -- arguments of private functions for which all callers pass constants: they
// can be brought into another form when compiling.
#ifndef MLC_PASSES_KERNEL_ARGUMENTS_H
#define MLC_PASSES_KERNEL_ARGUMENTS_H

#include "constant_remade.h"

#include "mlc/dialects/memref_build.h"
#include "mlc/ir/mixed.h"
#include "mlc/pass.h"

typedef struct MlcKernelCall {
    MlcOp *op;
    size_t first; // operand that is argument 0
} MlcKernelCall;
typedef MLC_VEC(MlcKernelCall) MlcKernelCalls;

// A private function with a body.
bool mlc_is_kernel_function(MlcOp *op);
// Calls `visit` for each contraction of static shape right in the body of a kernel function of
// `module`, or in that of a loop there over images of a number that is not known. It may erase any
// op but another such one.
void mlc_kernel_visit_contractions(MlcPass *pass, MlcOp *module,
                                   void (*visit)(MlcPass *pass, MlcOp *module, MlcOp *function,
                                                 MlcOp *op));
// mlc_constant_remade of the constant `value`; a resource's name ends with `suffix`.
MlcAttr mlc_kernel_constant_remade(MlcValue *value, MlcType type, const char *suffix,
                                   MlcRemakeFn make, const void *recipe, size_t recipe_size);
// All calls of `function` in `module`; false if there are none, or one passes no constant of that
// kind as argument `arg`.
bool mlc_kernel_calls(MlcOp *module, MlcOp *function, size_t arg, MlcKernelCalls *calls);
// Gives every caller's constant the form that `make` finds for it (once for each constant; the same
// type for all), and the argument that type. Returns the new argument `arg`; the old one is the
// next, and goes when the caller of this has replaced its uses.
MlcValue *mlc_kernel_remake_argument(MlcOp *function, size_t arg, const MlcKernelCalls *calls,
                                     MlcAttr (*make)(MlcValue *constant, void *user), void *user);
// The function's type becomes what its body's arguments say, its results stay. Arguments that were
// added come last, and have no attributes.
void mlc_function_follow_arguments(MlcOp *function);
// Nothing may use it.
void mlc_function_erase_argument(MlcOp *function, size_t arg);
// The argument that is a buffer becomes its address (mlc_build_address), of which, and of `shape`,
// the function makes the buffer where it begins (behind what makes the shape). The function's type
// does not follow.
void mlc_argument_to_address(MlcOp *function, size_t arg, const MlcMixedList *shape);
// The function that the pass option `function` names; NULL after an error.
MlcOp *mlc_model_function(MlcPass *pass, MlcOp *module);
// The model function's first call of each kernel function, in order.
void mlc_first_kernel_calls(MlcOp *function, MlcKernelCalls *calls);
// What a call is given that no constant is, each value once.
void mlc_kernel_call_inputs(const MlcKernelCall *call, MlcValueVec *inputs);
// An argument that is only reshaped, once or several times, and constant for all callers, comes
// reshaped.
void mlc_kernel_absorb_reshape(MlcOp *module, MlcOp *function, size_t arg);

#endif

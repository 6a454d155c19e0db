// translate.h -- the state of one translation from the llvm dialect to an LLVM module.
#ifndef MLC_LIB_TARGET_TRANSLATE_H
#define MLC_LIB_TARGET_TRANSLATE_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/op.h"
#include "mlc/ir/type.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"

typedef MLC_VEC(LLVMValueRef) ValueVec;
typedef MLC_VEC(LLVMTypeRef) TypeVec;

typedef struct Translator {
    LLVMContextRef llvm;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    MlcOp *root;
    MlcMap types;           // MlcType -> LLVMTypeRef
    MlcMap rows;            // MlcOpDef -> OpRow
    MlcStrMap symbols;      // name -> LLVMValueRef
    MlcMap globals;         // op -> LLVMValueRef: modules of a GPU each have names of their own
    MlcStrMap comdats;      // names of selectors
    MlcMap metadata;        // attribute -> LLVMMetadataRef
    MlcMap metadata_kinds;  // MlcOpDef -> which attributes of metadata it has
    LLVMDIBuilderRef debug; // NULL: not asked for yet
    // Of the function at hand:
    MlcMap values; // MlcValue -> LLVMValueRef
    MlcMap blocks; // MlcBlock -> LLVMBasicBlockRef
    LLVMValueRef function;
    LLVMMetadataRef scope; // of its debug locations; NULL: it has none
    LLVMValueRef before;   // the last instruction before the op at hand
    bool gpu;
    bool is_plain; // for no machine: what the module says, and nothing more
    unsigned part,
        num_parts;  // functions with another number are only declared; num_parts 0: all are defined
    bool failed;    // a diagnostic was given
    bool op_failed; // the op at hand could not be translated
} Translator;

// One op of the dialect. `emit` returns the value of the (only) result, or NULL: no result, or
// t->op_failed.
typedef struct OpRow OpRow;
typedef LLVMValueRef (*EmitFn)(Translator *t, MlcOp *op, const OpRow *row);
struct OpRow {
    const char *name;
    EmitFn emit;
    int code;              // an LLVM opcode, for the emitters that serve many ops
    const char *intrinsic; // "llvm.fma"
    const char
        *overloads; // types an intrinsic is overloaded by: r the result's, a digit: that operand's
    const char
        *args; // its arguments in order: a digit: that operand; name:width;: an attribute as iN
};

// A located error; returns NULL.
void *mlc_translate_error(Translator *t, MlcOp *op, const char *format, ...) MLC_PRINTF(3, 4);

// types.c. `op` is where errors are reported.
LLVMTypeRef mlc_translate_type(Translator *t, MlcOp *op, MlcType type);
LLVMTypeRef mlc_translate_function_type(Translator *t, MlcOp *op, MlcType type);
bool mlc_llvm_function_type_parts(MlcType type, MlcType *result, MlcAttr *params,
                                  bool *is_variadic);
LLVMValueRef mlc_translate_constant(Translator *t, MlcOp *op, MlcAttr attr, MlcType type);

// ops.c
LLVMValueRef mlc_translate_operand(Translator *t, MlcOp *op, size_t i);
bool mlc_translate_op(Translator *t, MlcOp *op);
void mlc_translate_fast_math(LLVMValueRef value, MlcOp *op);
int64_t mlc_translate_int_attr(MlcOp *op, const char *name, int64_t otherwise);

LLVMValueRef mlc_translate_symbol(Translator *t, MlcOp *op, MlcAttr ref);
// Of a function that takes `args` and gives what the op does.
LLVMTypeRef mlc_translate_call_type(Translator *t, MlcOp *op, const ValueVec *args);
// Of the function that `op` calls with `args`.
LLVMTypeRef mlc_translate_called_type(Translator *t, MlcOp *op, LLVMValueRef callee,
                                      const ValueVec *args);
void mlc_translate_unknown(Translator *t, MlcOp *op); // the error about an op without a row

// calls.c
const OpRow *mlc_call_rows(size_t *num_rows);

// attributes.c
void mlc_translate_function_attributes(Translator *t, MlcOp *op, LLVMValueRef function);

// intrinsics.c
const OpRow *mlc_intrinsic_rows(size_t *num_rows);
LLVMValueRef mlc_emit_intrinsic(Translator *t, MlcOp *op, const OpRow *row);

// nvvm.c: of an op of this name; NULL: it is none of nvvm's that LLVM has an intrinsic for.
const OpRow *mlc_nvvm_row(MlcStr name);
// rocdl.c: the same for ops of rocdl.
const OpRow *mlc_rocdl_row(MlcStr name);

// module.c: creates t->module from t->root. False: diagnostics were given.
bool mlc_translate_module(Translator *t);
// The LLVM block in which translated `block` ends.
LLVMBasicBlockRef mlc_translate_block(Translator *t, MlcOp *op, MlcBlock *block);

#endif

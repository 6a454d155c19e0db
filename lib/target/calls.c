// calls.c -- calls beside llvm.call: those that may unwind and what catches them, and those of
// intrinsics by name.
#include "translate.h"

#include <llvm-c/Analysis.h>

// --- unwinding

static void
count_arguments(MlcOp *op, size_t *first, size_t *count)
{
    int64_t size = 0;
    MlcAttr sizes = mlc_op_attr(op, "operandSegmentSizes");
    (void)mlc_int_list_attr_get(sizes, 0, &size);
    *first = mlc_op_attr(op, "callee") ? 0 : 1;
    *count = (size_t)size - *first;
}

static LLVMValueRef
emit_invoke(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcAttr name = mlc_op_attr(op, "callee");
    LLVMValueRef callee =
        name ? mlc_translate_symbol(t, op, name) : mlc_translate_operand(t, op, 0);
    LLVMBasicBlockRef normal = mlc_translate_block(t, op, mlc_op_successor(op, 0));
    LLVMBasicBlockRef unwind = mlc_translate_block(t, op, mlc_op_successor(op, 1));
    size_t first, count;
    ValueVec args = {0};
    LLVMValueRef call = NULL;
    if (!callee || !normal || !unwind)
        return NULL;
    count_arguments(op, &first, &count);
    for (size_t i = 0; i < count && !t->op_failed; i++)
        mlc_vec_push(&args, mlc_translate_operand(t, op, first + i));
    LLVMTypeRef type = t->op_failed ? NULL : mlc_translate_called_type(t, op, callee, &args);
    if (type)
        call = LLVMBuildInvoke2(t->builder, type, callee, args.data, (unsigned)args.size, normal,
                                unwind, "");
    mlc_vec_release(&args);
    if (call)
        LLVMSetInstructionCallConv(call, (unsigned)mlc_translate_int_attr(op, "CConv", 0));
    return call;
}

static LLVMValueRef
emit_landingpad(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMTypeRef type = mlc_translate_type(t, op, mlc_value_type(mlc_op_result(op, 0)));
    if (!type)
        return NULL;
    LLVMValueRef pad =
        LLVMBuildLandingPad(t->builder, type, NULL, (unsigned)mlc_op_num_operands(op), "");
    LLVMSetCleanup(pad, mlc_op_attr(op, "cleanup") != NULL);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        LLVMValueRef clause = mlc_translate_operand(t, op, i);
        if (!clause)
            return NULL;
        LLVMAddClause(pad, clause);
    }
    return pad;
}

static LLVMValueRef
emit_resume(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMValueRef value = mlc_translate_operand(t, op, 0);
    return value ? LLVMBuildResume(t->builder, value) : NULL;
}

// --- intrinsics by name

static void
append_type(MlcBuf *text, LLVMTypeRef type)
{
    char *name = LLVMPrintTypeToString(type);
    mlc_buf_append_c(text, name);
    LLVMDisposeMessage(name);
}

// LLVM says whether an overloaded intrinsic may have a type only of a module that calls it so.
static bool
is_valid_intrinsic(Translator *t, const char *name, LLVMTypeRef type)
{
    LLVMModuleRef scratch = LLVMModuleCreateWithNameInContext("scratch", t->llvm);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(t->llvm);
    LLVMValueRef intrinsic = LLVMAddFunction(scratch, name, type);
    LLVMTypeRef void_type = LLVMVoidTypeInContext(t->llvm), types[16];
    LLVMValueRef caller = LLVMAddFunction(scratch, "caller",
                                          LLVMFunctionType(void_type, NULL, 0, false)),
                 args[16];
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(t->llvm, caller, ""));
    LLVMGetParamTypes(type, types);
    for (unsigned i = 0; i < LLVMCountParamTypes(type); i++)
        args[i] = LLVMConstNull(types[i]);
    LLVMBuildCall2(builder, type, intrinsic, args, LLVMCountParamTypes(type), "");
    LLVMBuildRetVoid(builder);
    bool is_broken = LLVMVerifyModule(scratch, LLVMReturnStatusAction, NULL);
    LLVMDisposeBuilder(builder);
    LLVMDisposeModule(scratch);
    return !is_broken;
}

static LLVMValueRef
try_overloads(Translator *t, unsigned id, LLVMTypeRef *overloads, size_t count, LLVMTypeRef type)
{
    size_t length;
    char *name = (char *)LLVMIntrinsicCopyOverloadedName2(t->module, id, overloads, count, &length);
    LLVMValueRef function = NULL;
    if (is_valid_intrinsic(t, name, type)) {
        function = LLVMGetNamedFunction(t->module, name);
        function = function ? function : LLVMAddFunction(t->module, name, type);
    }
    LLVMDisposeMessage(name);
    return function;
}

// The overloads are among the types of the call: the result's and operands', or operands' from one
// on.
static LLVMValueRef
declare_overloaded(Translator *t, MlcOp *op, unsigned id, MlcStr name, LLVMTypeRef type)
{
    LLVMTypeRef types[17] = {LLVMGetReturnType(type)};
    unsigned num_types = LLVMCountParamTypes(type) + 1;
    if (num_types > 17)
        return mlc_translate_error(t, op, "has too many operands");
    LLVMGetParamTypes(type, types + 1);
    bool is_void = LLVMGetTypeKind(types[0]) == LLVMVoidTypeKind;
    for (unsigned count = 1; count <= 3; count++)
        for (unsigned first = is_void; first + count <= num_types; first++) {
            LLVMValueRef function = try_overloads(t, id, types + first, count, type);
            if (function)
                return function;
        }
    MlcBuf text = {0};
    append_type(&text, type);
    mlc_error(mlc_op_context(op), mlc_op_loc(op),
              "call intrinsic signature %s to overloaded intrinsic \"%.*s\" does not match any of "
              "the overloads",
              mlc_buf_c_str(&text), MLC_STR_FMT(name));
    mlc_buf_release(&text);
    return NULL;
}

static bool
check_types(MlcOp *op, MlcStr name, LLVMTypeRef found, LLVMTypeRef want)
{
    MlcBuf text = {0};
    unsigned count = LLVMCountParamTypes(found), expected = LLVMCountParamTypes(want);
    LLVMTypeRef found_types[64], want_types[64];
    if (LLVMGetReturnType(found) != LLVMGetReturnType(want)) {
        mlc_buf_append_c(&text, "intrinsic call returns ");
        append_type(&text, LLVMGetReturnType(found));
        mlc_buf_printf(&text, " but \"%.*s\" actually returns ", MLC_STR_FMT(name));
        append_type(&text, LLVMGetReturnType(want));
    } else if (LLVMIsFunctionVarArg(want) ? count < expected : count != expected) {
        mlc_buf_printf(&text, "intrinsic call has %u operands but \"%.*s\" expects %u", count,
                       MLC_STR_FMT(name), expected);
    } else if (count <= 64) {
        LLVMGetParamTypes(found, found_types);
        LLVMGetParamTypes(want, want_types);
        for (unsigned i = 0; i < expected && text.size == 0; i++) {
            if (found_types[i] == want_types[i])
                continue;
            mlc_buf_printf(&text, "intrinsic call operand #%u has type ", i);
            append_type(&text, found_types[i]);
            mlc_buf_printf(&text, " but \"%.*s\" expects ", MLC_STR_FMT(name));
            append_type(&text, want_types[i]);
        }
    }
    bool ok = text.size == 0;
    if (!ok)
        mlc_error(mlc_op_context(op), mlc_op_loc(op), "%s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return ok;
}

static LLVMValueRef
find_intrinsic(Translator *t, MlcOp *op, MlcStr name, LLVMTypeRef type)
{
    unsigned id = LLVMLookupIntrinsicID(name.data, name.size);
    if (id == 0)
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "could not find LLVM intrinsic: \"%.*s\"", MLC_STR_FMT(name)),
               NULL;
    if (LLVMIntrinsicIsOverloaded(id))
        return declare_overloaded(t, op, id, name, type);
    if (!check_types(op, name, type, LLVMIntrinsicGetType(t->llvm, id, NULL, 0)))
        return NULL;
    return LLVMGetIntrinsicDeclaration(t->module, id, NULL, 0);
}

static LLVMValueRef
emit_call_intrinsic(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcStr name = mlc_string_attr_value(mlc_op_attr(op, "intrin"));
    ValueVec args = {0};
    LLVMValueRef call = NULL;
    for (size_t i = 0; i < mlc_op_num_operands(op) && !t->op_failed; i++)
        mlc_vec_push(&args, mlc_translate_operand(t, op, i));
    LLVMTypeRef type = t->op_failed ? NULL : mlc_translate_call_type(t, op, &args);
    LLVMValueRef callee = type ? find_intrinsic(t, op, name, type) : NULL;
    if (callee)
        call = LLVMBuildCall2(t->builder, LLVMGlobalGetValueType(callee), callee, args.data,
                              (unsigned)args.size, "");
    mlc_vec_release(&args);
    if (call) {
        mlc_translate_fast_math(call, op);
        return call;
    }
    t->failed = t->op_failed = true;
    mlc_error(mlc_op_context(op), mlc_op_loc(op),
              "LLVM Translation failed for operation: llvm.call_intrinsic");
    return NULL;
}

const OpRow *
mlc_call_rows(size_t *num_rows)
{
    static const OpRow rows[] = {
        {.name = "llvm.invoke", .emit = emit_invoke},
        {.name = "llvm.landingpad", .emit = emit_landingpad},
        {.name = "llvm.resume", .emit = emit_resume},
        {.name = "llvm.call_intrinsic", .emit = emit_call_intrinsic},
    };
    *num_rows = sizeof rows / sizeof rows[0];
    return rows;
}

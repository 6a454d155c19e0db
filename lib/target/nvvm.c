// nvvm.c -- nvvm ops whose intrinsic depends on an attribute or on a type.
#include "translate.h"

// LLVM has an intrinsic for each verified op.
static LLVMValueRef
call(Translator *t, MlcStr name, const ValueVec *args)
{
    unsigned id = LLVMLookupIntrinsicID(name.data, name.size);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(t->module, id, NULL, 0);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    if (LLVMCountParamTypes(type) != args->size)
        mlc_bug("'%.*s' with %zu arguments", MLC_STR_FMT(name), args->size);
    return LLVMBuildCall2(t->builder, type, function, args->data, (unsigned)args->size, "");
}

static bool
operands(Translator *t, MlcOp *op, ValueVec *args)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        LLVMValueRef value = mlc_translate_operand(t, op, i);
        if (!value)
            return false;
        mlc_vec_push(args, value);
    }
    return true;
}

static const char *
case_of(MlcOp *op, const char *attr, const char *const *names, size_t num_names)
{
    int64_t kind = mlc_translate_int_attr(op, attr, -1);
    return kind >= 0 && (size_t)kind < num_names ? names[kind] : NULL;
}

static LLVMValueRef
emit_shfl(Translator *t, MlcOp *op, const OpRow *row)
{
    static const char *const kinds[] = {"bfly", "up", "down", "idx"};
    (void)row;
    const char *kind = case_of(op, "kind", kinds, 4);
    MlcType type = mlc_value_type(mlc_op_operand(op, 1));
    bool is_float = mlc_type_is(type, MLC_TYPE_FLOAT);
    if (!kind || mlc_type_bit_width(type) != 32)
        return mlc_translate_error(t, op, "shuffles i32 and f32 only, got %s", mlc_type_text(type));
    MlcBuf name = {0};
    ValueVec args = {0};
    mlc_buf_printf(&name, "llvm.nvvm.shfl.sync.%s.%s%s", kind, is_float ? "f32" : "i32",
                   mlc_op_attr(op, "return_value_and_is_valid") ? "p" : "");
    LLVMValueRef value = operands(t, op, &args) ? call(t, mlc_buf_str(&name), &args) : NULL;
    mlc_vec_release(&args);
    mlc_buf_release(&name);
    return value;
}

static LLVMValueRef
emit_redux(Translator *t, MlcOp *op, const OpRow *row)
{
    static const char *const kinds[] = {NULL, "add",  "and",  "max", "min",
                                        "or", "umax", "umin", "xor"};
    (void)row;
    const char *kind = case_of(op, "kind", kinds, 9);
    if (!kind)
        mlc_bug("an unknown kind of reduction");
    MlcBuf name = {0};
    ValueVec args = {0};
    mlc_buf_printf(&name, "llvm.nvvm.redux.sync.%s", kind);
    LLVMValueRef value = operands(t, op, &args) ? call(t, mlc_buf_str(&name), &args) : NULL;
    mlc_vec_release(&args);
    mlc_buf_release(&name);
    return value;
}

static LLVMValueRef
emit_cp_async(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    int64_t bytes = mlc_translate_int_attr(op, "size", 0);
    bool in_l2 = mlc_translate_int_attr(op, "modifier", 0) == 1; // cg: 16 bytes only
    if ((bytes != 4 && bytes != 8 && bytes != 16) || (in_l2 && bytes != 16))
        mlc_bug("a verified copy of %lld bytes", (long long)bytes);
    MlcBuf name = {0};
    ValueVec args = {0};
    mlc_buf_printf(&name, "llvm.nvvm.cp.async.%s.shared.global.%lld%s", in_l2 ? "cg" : "ca",
                   (long long)bytes, mlc_op_num_operands(op) > 2 ? ".s" : "");
    LLVMValueRef value = operands(t, op, &args) ? call(t, mlc_buf_str(&name), &args) : NULL;
    mlc_vec_release(&args);
    mlc_buf_release(&name);
    return value;
}

static LLVMValueRef
emit_barrier(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    ValueVec args = {0};
    LLVMValueRef value = NULL;
    if (operands(t, op, &args)) {
        static const char *const names[] = {"llvm.nvvm.barrier0", "llvm.nvvm.barrier.n",
                                            "llvm.nvvm.barrier"};
        value = args.size <= 2 ? call(t, mlc_str(names[args.size]), &args) : NULL;
    }
    mlc_vec_release(&args);
    return value;
}

static const OpRow rows[] = {
    {.name = "nvvm.shfl.sync", .emit = emit_shfl},
    {.name = "nvvm.redux.sync", .emit = emit_redux},
    {.name = "nvvm.cp.async.shared.global", .emit = emit_cp_async},
    {.name = "nvvm.barrier", .emit = emit_barrier},
};

const OpRow *
mlc_nvvm_rows(size_t *num_rows)
{
    *num_rows = sizeof rows / sizeof rows[0];
    return rows;
}

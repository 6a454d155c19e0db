// nvvm.c -- nvvm ops as intrinsics: by their rows of instructions.yaml, or by functions where types
// and counts of operands are in the name.
#include "translate.h"

#include "mlc/dialects/nvvm_instructions.h"

// `overload`: the type of a pointer that the intrinsic is overloaded by, or NULL.
static LLVMValueRef
call_of(Translator *t, MlcOp *op, MlcStr name, LLVMTypeRef overload, const ValueVec *args)
{
    unsigned id = LLVMLookupIntrinsicID(name.data, name.size);
    if (id == 0)
        return mlc_translate_error(t, op, "LLVM 19 has no intrinsic '%.*s'", MLC_STR_FMT(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(t->module, id, &overload, overload ? 1 : 0);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    if (LLVMCountParamTypes(type) != args->size)
        mlc_bug("'%.*s' with %zu arguments", MLC_STR_FMT(name), args->size);
    return LLVMBuildCall2(t->builder, type, function, args->data, (unsigned)args->size, "");
}

static LLVMValueRef
call(Translator *t, MlcOp *op, MlcStr name, const ValueVec *args)
{
    return call_of(t, op, name, NULL, args);
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
    LLVMValueRef value = operands(t, op, &args) ? call(t, op, mlc_buf_str(&name), &args) : NULL;
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
    LLVMValueRef value = operands(t, op, &args) ? call(t, op, mlc_buf_str(&name), &args) : NULL;
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
        value = args.size <= 2 ? call(t, op, mlc_str(names[args.size]), &args) : NULL;
    }
    mlc_vec_release(&args);
    return value;
}

// --- matrices

// The case of an enumeration that `attr` has, or "".
static void
append_case(MlcBuf *out, MlcOp *op, const char *attr)
{
    MlcBuf template = {0};
    mlc_buf_printf(&template, "<%s>", attr);
    mlc_nvvm_expand(out, op, mlc_buf_c_str(&template));
    mlc_buf_release(&template);
}

// A call with the operands of `op` and the intrinsic `name`, which is released.
static LLVMValueRef
call_with_operands(Translator *t, MlcOp *op, MlcBuf *name, LLVMTypeRef overload)
{
    ValueVec args = {0};
    LLVMValueRef value =
        operands(t, op, &args) ? call_of(t, op, mlc_buf_str(name), overload, &args) : NULL;
    mlc_vec_release(&args);
    mlc_buf_release(name);
    return value;
}

// "f16" or "f32": what a struct of registers of a result, or one register, holds.
static const char *
float_of(MlcType type)
{
    if (mlc_type_isa(type, "llvm.struct")) {
        MlcAttr body = mlc_dialect_type_param(type, 2);
        type = mlc_type_attr_value(mlc_array_attr_element(body, 0));
    }
    return mlc_type_is(type, MLC_TYPE_VECTOR) ? "f16" : "f32";
}

static bool
is_text(const MlcBuf *buf, const char *text)
{
    return mlc_str_equal(mlc_buf_str(buf), mlc_str(text));
}

// What tells products of one shape apart: the accumulators' types for f16, else the operands'.
static void
append_signature(MlcBuf *name, MlcOp *op, const char *attr_a, const char *attr_b, const char *d,
                 const char *c)
{
    MlcBuf a = {0}, b = {0};
    append_case(&a, op, attr_a);
    append_case(&b, op, attr_b);
    if (is_text(&a, "f16"))
        mlc_buf_printf(name, ".%s.%s", d, c);
    else
        mlc_buf_printf(name, ".%s", mlc_buf_c_str(&a));
    if (!is_text(&a, "f16") && !mlc_str_equal(mlc_buf_str(&a), mlc_buf_str(&b)))
        mlc_buf_printf(name, ".%s", mlc_buf_c_str(&b));
    mlc_buf_release(&a);
    mlc_buf_release(&b);
}

static LLVMValueRef
emit_mma(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcAttr shape = mlc_op_attr(op, "shape");
    long long size[3];
    for (size_t i = 0; i < 3; i++)
        size[i] = (long long)mlc_attr_as_int(mlc_dialect_attr_param(shape, i));
    size_t first, count;
    mlc_op_operand_group(op, 2, &first, &count);
    MlcBuf name = {0};
    mlc_nvvm_expand(&name, op, "llvm.nvvm.mma<b1Op=xor_popc?.xor.popc><b1Op=and_popc?.and.popc>");
    mlc_buf_printf(&name, ".m%lldn%lldk%lld.", size[0], size[1], size[2]);
    mlc_nvvm_expand(&name, op, "<layoutA>.<layoutB><intOverflowBehavior=satfinite?.satfinite>");
    append_signature(&name, op, "multiplicandAPtxType", "multiplicandBPtxType",
                     float_of(mlc_value_type(mlc_op_result(op, 0))),
                     float_of(mlc_value_type(mlc_op_operand(op, first))));
    return call_with_operands(t, op, &name, NULL);
}

// Of a matrix and memory; the address is what the intrinsic is overloaded by.
static LLVMValueRef
move_matrix(Translator *t, MlcOp *op, const char *intrinsic)
{
    MlcBuf name = {0};
    mlc_nvvm_expand(&name, op, intrinsic);
    return call_with_operands(t, op, &name,
                              mlc_translate_type(t, op, mlc_value_type(mlc_op_operand(op, 0))));
}

// A fragment of one register is no struct for LLVM.
static LLVMValueRef
emit_wmma_load(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMValueRef value =
        move_matrix(t, op, "llvm.nvvm.wmma.m<m>n<n>k<k>.load.<frag>.<layout>.stride.<eltype>");
    LLVMTypeRef type = mlc_translate_type(t, op, mlc_value_type(mlc_op_result(op, 0)));
    if (!value || !type || LLVMTypeOf(value) == type)
        return value;
    return LLVMBuildInsertValue(t->builder, LLVMGetPoison(type), value, 0, "");
}

// The intrinsic takes the stride last, as the op does.
static LLVMValueRef
emit_wmma_store(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    return move_matrix(t, op, "llvm.nvvm.wmma.m<m>n<n>k<k>.store.d.<layout>.stride.<eltype>");
}

// eltypeB is the accumulators' type.
static LLVMValueRef
emit_wmma_mma(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcBuf name = {0};
    const char *d = float_of(mlc_value_type(mlc_op_result(op, 0)));
    mlc_nvvm_expand(&name, op, "llvm.nvvm.wmma.m<m>n<n>k<k>.mma.<layoutA>.<layoutB>");
    append_signature(&name, op, "eltypeA", "eltypeA", d, d);
    return call_with_operands(t, op, &name, NULL);
}

// --- by row

static const OpRow by_code[] = {
    {.name = "barrier", .emit = emit_barrier},
    {.name = "cp_async", .emit = emit_cp_async},
    {.name = "mma", .emit = emit_mma},
    {.name = "shfl", .emit = emit_shfl},
    {.name = "wmma_load", .emit = emit_wmma_load},
    {.name = "wmma_mma", .emit = emit_wmma_mma},
    {.name = "wmma_store", .emit = emit_wmma_store},
};

static LLVMValueRef
emit_intrinsic(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    const MlcNvvmInstruction *instruction = mlc_nvvm_instruction(mlc_op_name(op));
    if (mlc_nvvm_is_assembly(instruction, op))
        return mlc_translate_unknown(t, op), NULL;
    MlcBuf name = {0};
    mlc_nvvm_expand(&name, op, instruction->intrinsic);
    OpRow made = {.intrinsic = mlc_buf_c_str(&name),
                  .overloads = instruction->overloads ? instruction->overloads : "",
                  .args = instruction->args};
    LLVMValueRef value = mlc_emit_intrinsic(t, op, &made);
    mlc_buf_release(&name);
    return value;
}

const OpRow *
mlc_nvvm_row(MlcStr name)
{
    static const OpRow by_template = {.name = "nvvm", .emit = emit_intrinsic};
    const MlcNvvmInstruction *instruction = mlc_nvvm_instruction(name);
    for (size_t i = 0; instruction && i < sizeof by_code / sizeof *by_code; i++)
        if (instruction->code && strcmp(instruction->code, by_code[i].name) == 0)
            return &by_code[i];
    return instruction && instruction->intrinsic ? &by_template : NULL;
}

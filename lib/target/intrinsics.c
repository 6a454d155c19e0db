// intrinsics.c -- ops that are calls of LLVM intrinsics: llvm.intr.*.
//
// Most of llvm.intr.X is llvm.X, overloaded by the type of its result, with the operands as
// arguments; that is the rule, and the table has the exceptions: other overloads, arguments that
// are attributes, other names.
#include "translate.h"

// clang-format off
static const OpRow exceptions[] = {
    // overloaded by operands
    {.name = "llvm.intr.is.fpclass",            .overloads = "0",    .args = "0bit:32;"},
    {.name = "llvm.intr.lround",                .overloads = "r0"},
    {.name = "llvm.intr.llround",               .overloads = "r0"},
    {.name = "llvm.intr.lrint",                 .overloads = "r0"},
    {.name = "llvm.intr.llrint",                .overloads = "r0"},
    {.name = "llvm.intr.powi",                  .overloads = "r1"},
    {.name = "llvm.intr.sadd.with.overflow",    .overloads = "0"},
    {.name = "llvm.intr.uadd.with.overflow",    .overloads = "0"},
    {.name = "llvm.intr.ssub.with.overflow",    .overloads = "0"},
    {.name = "llvm.intr.usub.with.overflow",    .overloads = "0"},
    {.name = "llvm.intr.smul.with.overflow",    .overloads = "0"},
    {.name = "llvm.intr.umul.with.overflow",    .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.fadd",    .overloads = "1"},
    {.name = "llvm.intr.vector.reduce.fmul",    .overloads = "1"},
    {.name = "llvm.intr.vector.reduce.add",     .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.mul",     .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.and",     .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.or",      .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.xor",     .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.smax",    .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.smin",    .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.umax",    .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.umin",    .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.fmax",    .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.fmin",    .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.fmaximum", .overloads = "0"},
    {.name = "llvm.intr.vector.reduce.fminimum", .overloads = "0"},
    {.name = "llvm.intr.get.active.lane.mask",  .overloads = "r0"},
    {.name = "llvm.intr.expect",                .overloads = "r"},
    {.name = "llvm.intr.threadlocal.address",   .overloads = "r"},
    {.name = "llvm.intr.stacksave",             .overloads = "r"},
    {.name = "llvm.intr.stackrestore",          .overloads = "0"},
    {.name = "llvm.intr.assume",                .overloads = "",     .args = "0"},
    {.name = "llvm.intr.vastart",               .intrinsic = "llvm.va_start", .overloads = "0"},
    {.name = "llvm.intr.vaend",                 .intrinsic = "llvm.va_end",   .overloads = "0"},
    {.name = "llvm.intr.vacopy",                .intrinsic = "llvm.va_copy",  .overloads = "0"},
    // attributes among the arguments
    {.name = "llvm.intr.abs",                   .overloads = "r",    .args = "0is_int_min_poison:1;"},
    {.name = "llvm.intr.ctlz",                  .overloads = "r",    .args = "0is_zero_poison:1;"},
    {.name = "llvm.intr.cttz",                  .overloads = "r",    .args = "0is_zero_poison:1;"},
    {.name = "llvm.intr.memcpy",                .overloads = "012",  .args = "012isVolatile:1;"},
    {.name = "llvm.intr.memcpy.inline",         .overloads = "01n",  .args = "01len:64;isVolatile:1;"},
    {.name = "llvm.intr.memmove",               .overloads = "012",  .args = "012isVolatile:1;"},
    {.name = "llvm.intr.memset",                .overloads = "02",   .args = "012isVolatile:1;"},
    {.name = "llvm.intr.prefetch",              .overloads = "0",    .args = "0rw:32;hint:32;cache:32;"},
    {.name = "llvm.intr.lifetime.start",        .overloads = "0",    .args = "size:64;0"},
    {.name = "llvm.intr.lifetime.end",          .overloads = "0",    .args = "size:64;0"},
    {.name = "llvm.intr.vector.insert",         .overloads = "r1",   .args = "01pos:64;"},
    {.name = "llvm.intr.vector.extract",        .overloads = "r0",   .args = "0pos:64;"},
    {.name = "llvm.intr.masked.load",           .overloads = "r0",   .args = "0alignment:32;1p"},
    {.name = "llvm.intr.masked.store",          .overloads = "01",   .args = "01alignment:32;2"},
    {.name = "llvm.intr.masked.gather",         .overloads = "r0",   .args = "0alignment:32;1p"},
    {.name = "llvm.intr.masked.scatter",        .overloads = "01",   .args = "01alignment:32;2"},
    {.name = "llvm.intr.masked.expandload",     .overloads = "r",    .args = "012"},
    {.name = "llvm.intr.masked.compressstore",  .overloads = "0",    .args = "012"},
    {.name = "llvm.intr.matrix.multiply",       .overloads = "r01",  .args = "01lhs_rows:32;lhs_columns:32;rhs_columns:32;"},
    {.name = "llvm.intr.matrix.column.major.load", .overloads = "r1", .args = "01isVolatile:1;rows:32;columns:32;"},
    {.name = "llvm.intr.matrix.column.major.store", .overloads = "02", .args = "012isVolatile:1;rows:32;columns:32;"},
    {.name = "llvm.intr.matrix.transpose",      .overloads = "r",    .args = "0rows:32;columns:32;"},
};
// clang-format on

const OpRow *
mlc_intrinsic_rows(size_t *num_rows)
{
    *num_rows = sizeof exceptions / sizeof exceptions[0];
    return exceptions;
}

// "llvm.intr.fma" -> "llvm.fma"
static MlcStr
intrinsic_name(MlcBuf *buf, MlcOp *op, const OpRow *row)
{
    size_t prefix = strlen("llvm.intr.");
    MlcStr name = mlc_op_name(op);
    if (row->intrinsic)
        return mlc_str(row->intrinsic);
    mlc_buf_printf(buf, "llvm.%.*s", (int)(name.size - prefix), name.data + prefix);
    return mlc_buf_str(buf);
}

static LLVMTypeRef
overload_type(Translator *t, MlcOp *op, char letter)
{
    size_t operand = (size_t)(letter - '0');
    if (letter == 'n') // memcpy.inline: the length is an i64 attribute
        return LLVMInt64TypeInContext(t->llvm);
    if (letter == 'r' && mlc_op_num_results(op) == 1)
        return mlc_translate_type(t, op, mlc_value_type(mlc_op_result(op, 0)));
    if (letter != 'r' && operand < mlc_op_num_operands(op))
        return mlc_translate_type(t, op, mlc_value_type(mlc_op_operand(op, operand)));
    return mlc_translate_error(t, op, "has too few operands or results for the intrinsic");
}

static bool
add_attribute(Translator *t, MlcOp *op, const char **spec, ValueVec *args)
{
    const char *colon = strchr(*spec, ':'), *end = strchr(*spec, ';');
    MlcAttr attr = mlc_op_attr_str(op, mlc_str_n(*spec, (size_t)(colon - *spec)));
    int64_t value = 0;
    if (mlc_attr_is(attr, MLC_ATTR_INTEGER) && mlc_type_is_integer(mlc_attr_type(attr), 1))
        value = mlc_attr_as_bool(attr);
    else if (mlc_attr_is(attr, MLC_ATTR_UNIT))
        value = 1;
    else if (attr && !mlc_attr_try_as_int(attr, &value))
        return mlc_translate_error(t, op, "attribute %.*s must be an integer", (int)(colon - *spec),
                                   *spec),
               false;
    unsigned width = (unsigned)(colon[1] - '0');
    if (colon[2] != ';')
        width = width * 10 + (unsigned)(colon[2] - '0');
    mlc_vec_push(args, LLVMConstInt(LLVMIntTypeInContext(t->llvm, width), (uint64_t)value, true));
    *spec = end + 1;
    return true;
}

static bool
add_operand(Translator *t, MlcOp *op, size_t i, ValueVec *args)
{
    if (i >= mlc_op_num_operands(op))
        return mlc_translate_error(t, op, "expected at least %zu operands", i + 1), false;
    LLVMValueRef value = mlc_translate_operand(t, op, i);
    mlc_vec_push(args, value);
    return value != NULL;
}

// The last operand of masked.load and masked.gather, which may be absent: any value will do.
static bool
add_pass_through(Translator *t, MlcOp *op, ValueVec *args)
{
    if (mlc_op_num_operands(op) > 2)
        return add_operand(t, op, 2, args);
    LLVMTypeRef type = mlc_translate_type(t, op, mlc_value_type(mlc_op_result(op, 0)));
    if (type)
        mlc_vec_push(args, LLVMGetPoison(type));
    return type != NULL;
}

static bool
collect_args(Translator *t, MlcOp *op, const char *spec, ValueVec *args)
{
    if (!spec) {
        for (size_t i = 0; i < mlc_op_num_operands(op); i++)
            if (!add_operand(t, op, i, args))
                return false;
        return true;
    }
    while (*spec != '\0') {
        bool ok;
        if (*spec >= '0' && *spec <= '9')
            ok = add_operand(t, op, (size_t)(*spec++ - '0'), args);
        else if (*spec == 'p' && spec[1] == '\0')
            ok = ++spec, add_pass_through(t, op, args);
        else
            ok = add_attribute(t, op, &spec, args);
        if (!ok)
            return false;
    }
    return true;
}

static LLVMValueRef
declare(Translator *t, MlcOp *op, const OpRow *row)
{
    MlcBuf buf = {0};
    MlcStr name = intrinsic_name(&buf, op, row);
    unsigned id = LLVMLookupIntrinsicID(name.data, name.size);
    mlc_buf_release(&buf);
    if (id == 0)
        return mlc_translate_error(t, op, "LLVM 19 has no such intrinsic");
    TypeVec types = {0};
    const char *overloads = row->overloads ? row->overloads : "r";
    if (LLVMIntrinsicIsOverloaded(id))
        for (const char *at = overloads; *at != '\0' && !t->op_failed; at++)
            mlc_vec_push(&types, overload_type(t, op, *at));
    LLVMValueRef function =
        t->op_failed ? NULL : LLVMGetIntrinsicDeclaration(t->module, id, types.data, types.size);
    mlc_vec_release(&types);
    return function;
}

LLVMValueRef
mlc_emit_intrinsic(Translator *t, MlcOp *op, const OpRow *row)
{
    LLVMValueRef function = declare(t, op, row);
    ValueVec args = {0};
    LLVMValueRef call = NULL;
    if (function && collect_args(t, op, row->args, &args)) {
        LLVMTypeRef type = LLVMGlobalGetValueType(function);
        if (LLVMCountParamTypes(type) != args.size)
            mlc_translate_error(t, op, "the intrinsic takes %u arguments, got %zu",
                                LLVMCountParamTypes(type), args.size);
        else
            call = LLVMBuildCall2(t->builder, type, function, args.data, (unsigned)args.size, "");
    }
    mlc_vec_release(&args);
    if (call)
        mlc_translate_fast_math(call, op);
    return call;
}

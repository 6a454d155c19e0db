// complex_to_llvm.c -- complex numbers as structs of two floats: what makes them, and their parts.
// The rest is in terms of these by then (`complex_to_standard` in complex.rules).
#include "to_llvm.h"

#include "mlc/dialects/complex.h"

static MlcValue *
pair(MlcBuilder *b, MlcType type, MlcValue *real, MlcValue *imaginary)
{
    MlcValue *made = mlc_llvm_mlir_undef(b, type);
    made = mlc_llvm_insertvalue(b, made, real, (int64_t[]){0}, 1);
    return mlc_llvm_insertvalue(b, made, imaginary, (int64_t[]){1}, 1);
}

static bool
lower_create(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcValue *made = pair(mlc_conversion_builder(c), type, operands[0], operands[1]);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

static bool
lower_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcAttr parts = mlc_complex_constant_value(op);
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcValue *values[2];
    for (size_t i = 0; i < 2; i++)
        values[i] = mlc_llvm_mlir_constant(b, llvm_struct_member(type, i),
                                           mlc_array_attr_element(parts, i));
    MlcValue *made = pair(b, type, values[0], values[1]);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

// `user`: which.
static bool
lower_part(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    const int64_t *part = user;
    MlcValue *made = llvm_extract(mlc_conversion_builder(c), operands[0], part, 1);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

static int64_t real = 0, imaginary = 1;
static const MlcConversionPattern patterns[] = {
    {.root = "complex.create", .convert = lower_create},
    {.root = "complex.constant", .convert = lower_constant},
    {.root = "complex.re", .convert = lower_part, .user = &real},
    {.root = "complex.im", .convert = lower_part, .user = &imaginary},
};
const LlvmPatterns complex_to_llvm_patterns = {"complex", "llvm", patterns,
                                               sizeof patterns / sizeof *patterns};

LLVM_PASS_OF(complex_to_llvm_patterns)

MLC_PASS(complex_to_llvm, .flag = "convert-complex-to-llvm",
         .summary = "Lower what complex numbers are made of, and their parts, to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)

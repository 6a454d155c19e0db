// math_to_rocdl.c -- functions of math as calls of the library that a vendor has for its GPUs:
// libdevice (`__nv_expf`) of NVIDIA, OCML (`__ocml_exp_f32`) of AMD.
//
// Both have functions of f32 and f64: f16 goes as f32, and vectors go element by element. What a
// library has no function for is left to the lowerings of math to llvm.
#include "to_llvm.h"

typedef struct Library {
    const char *prefix, *suffix_f32, *suffix_f64;
} Library;

// The op, and its function without the library's prefix and suffix.
#define FUNCTIONS(row, library)                                                                    \
    row("arith.remf", "fmod", library) row("math.absf", "fabs", library)                           \
        row("math.acos", "acos", library) row("math.acosh", "acosh", library)                      \
            row("math.asin", "asin", library) row("math.asinh", "asinh", library)                  \
                row("math.atan", "atan", library) row("math.atan2", "atan2", library) row(         \
                    "math.atanh", "atanh", library) row("math.cbrt", "cbrt", library)              \
                    row("math.ceil", "ceil", library) row("math.cos", "cos", library) row(         \
                        "math.cosh", "cosh", library) row("math.erf", "erf", library)              \
                        row("math.exp", "exp", library) row("math.exp2", "exp2", library) row(     \
                            "math.expm1", "expm1", library) row("math.floor", "floor", library)    \
                            row("math.log", "log", library) row("math.log10", "log10", library)    \
                                row("math.log1p", "log1p", library)                                \
                                    row("math.log2", "log2", library)                              \
                                        row("math.powf", "pow", library)                           \
                                            row("math.rsqrt", "rsqrt", library)                    \
                                                row("math.sin", "sin", library)                    \
                                                    row("math.sinh", "sinh", library)              \
                                                        row("math.sqrt", "sqrt", library)          \
                                                            row("math.tan", "tan", library)        \
                                                                row("math.tanh", "tanh", library)
#define NAMES(op, function, library) {op, function},
static const struct {
    const char *op, *function;
} functions[] = {FUNCTIONS(NAMES, )};
enum { NUM_FUNCTIONS = sizeof functions / sizeof *functions, MAX_ARGS = 2 };

static const char *
function_of(MlcOp *op)
{
    for (size_t i = 0; i < NUM_FUNCTIONS; i++)
        if (mlc_str_equal(mlc_op_name(op), mlc_str(functions[i].op)))
            return functions[i].function;
    return NULL;
}

// The call of scalars; NULL: something else has the function's name.
static MlcValue *
call(MlcConversion *c, MlcOp *op, MlcValue *const *args, const Library *library)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t n = mlc_op_num_operands(op);
    MlcType type = mlc_value_type(args[0]), f32 = mlc_float_type_get(b->ctx, MLC_FLOAT_F32);
    bool is_small = mlc_type_bit_width(type) < 32;
    MlcType as = is_small ? f32 : type, types[MAX_ARGS];
    MlcValue *values[MAX_ARGS];
    for (size_t i = 0; i < n; i++) {
        values[i] = is_small ? mlc_llvm_fpext(b, f32, args[i]) : args[i];
        types[i] = as;
    }
    MlcBuf name = {0};
    mlc_buf_printf(&name, "%s%s%s", library->prefix, function_of(op),
                   as == f32 ? library->suffix_f32 : library->suffix_f64);
    MlcValue *made = NULL;
    if (llvm_declare_before(c, op, mlc_buf_c_str(&name), llvm_function_type(b->ctx, as, types, n)))
        made = mlc_op_result(llvm_call_function(b, mlc_buf_c_str(&name), as, values, n), 0);
    mlc_buf_release(&name);
    return made && is_small ? mlc_llvm_fptrunc(b, type, made) : made;
}

static bool
lower_vector(MlcConversion *c, MlcOp *op, MlcValue *const *operands, const Library *library)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(operands[0]),
            i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *result = mlc_llvm_mlir_undef(b, type);
    for (int64_t i = 0; i < mlc_type_num_elements(type); i++) {
        MlcValue *place = llvm_constant(b, i64, i), *args[MAX_ARGS];
        for (size_t k = 0; k < mlc_op_num_operands(op); k++)
            args[k] = mlc_llvm_extractelement(b, operands[k], place);
        MlcValue *made = call(c, op, args, library);
        if (!made)
            return false;
        result = mlc_llvm_insertelement(b, result, made, place);
    }
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

static bool
lower(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcType type = mlc_value_type(operands[0]), element = mlc_type_element(type);
    bool is_vector = mlc_type_is(type, MLC_TYPE_VECTOR);
    if (!mlc_type_is_float(element) || mlc_type_bit_width(element) > 64 ||
        mlc_type_bit_width(element) < 16)
        return mlc_conversion_no_match(c, op, "the library has no functions of %s",
                                       mlc_type_text(mlc_op_operand_type(op, 0)));
    if (is_vector && mlc_vector_type_is_scalable(type, 0))
        return mlc_conversion_no_match(c, op, "elements of scalable vectors are not counted");
    if (is_vector)
        return lower_vector(c, op, operands, user);
    MlcValue *made = call(c, op, operands, user);
    if (made)
        mlc_conversion_replace(c, op, &made, 1);
    return made != NULL;
}

// Before LLVM's own functions.
#define PATTERN(op, function, library)                                                             \
    {.root = op, .benefit = 2, .convert = lower, .user = (void *)&(library)},

static const Library libdevice = {"__nv_", "f", ""}, ocml = {"__ocml_", "_f32", "_f64"};
static const MlcConversionPattern libdevice_patterns[] = {FUNCTIONS(PATTERN, libdevice)};
static const MlcConversionPattern ocml_patterns[] = {FUNCTIONS(PATTERN, ocml)};
const LlvmPatterns math_to_libdevice_patterns = {"math", "math", libdevice_patterns, NUM_FUNCTIONS};
const LlvmPatterns math_to_ocml_patterns = {"math", "math", ocml_patterns, NUM_FUNCTIONS};

static const LlvmPatterns *const sets[] = {&math_to_ocml_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    return llvm_convert(root, LLVM_DESCRIPTORS, 64, sets, NULL);
}

MLC_PASS(math_to_rocdl, .flag = "convert-math-to-rocdl",
         .summary = "Lower math to calls of AMD's library of functions",
         .dependent_dialects = llvm_dialects, .converts = converts, .run = run)

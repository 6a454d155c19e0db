// gpu_to_nvvm.c -- what is inside GPU modules becomes the llvm and nvvm dialects; the host's side
// stays as it is.
//
// Buffers are bare pointers, as on the CPU. Illegal afterwards inside gpu.module: gpu but for its
// end, and what convert-to-llvm lowers.
#include "to_llvm/to_llvm.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/pass.h"

static bool
lower_function(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_gpu_func_function_type(op);
    MlcTypeVec params = {0};
    bool ok = mlc_function_type_num_results(type) == 0;
    for (size_t i = 0; ok && i < mlc_function_type_num_inputs(type); i++)
        ok = mlc_type_converter_convert(mlc_conversion_types(c), mlc_function_type_inputs(type)[i],
                                        &params);
    MlcType made_type = ok ? llvm_function_type(b->ctx, NULL, params.data, params.size) : NULL;
    mlc_vec_release(&params);
    if (!ok)
        return mlc_conversion_no_match(c, op, "its type %s has no llvm form", mlc_type_text(type));
    MlcOp *made = mlc_llvm_func(b, mlc_symbol_name(op), mlc_type_attr_get(made_type));
    if (mlc_op_attr(op, "gpu.kernel")) {
        mlc_op_set_attr(made, "gpu.kernel", mlc_unit_attr_get(b->ctx)); // what launches refer to
        mlc_op_set_attr(made, "nvvm.kernel", mlc_unit_attr_get(b->ctx));
    }
    if (mlc_gpu_func_known_block_size(op))
        mlc_op_set_attr(made, "nvvm.maxntid", mlc_gpu_func_known_block_size(op));
    if (!mlc_conversion_take_region(c, mlc_op_region(made, 0), mlc_op_region(op, 0)))
        return false;
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_return(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    mlc_llvm_return(mlc_conversion_builder(c), NULL);
    mlc_conversion_erase(c, op);
    return true;
}

// user: the three special registers, for x, y and z.
static bool
lower_register(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    MlcBuilder *b = mlc_conversion_builder(c);
    int64_t dim = mlc_enum_attr_value(mlc_op_attr(op, "dimension")); // MlcGpuDim
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS),
            i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *read = mlc_build_value(b, ((const char *const *)user)[dim], i32, NULL, 0);
    MlcValue *wide = mlc_llvm_sext(b, i64, read);
    mlc_conversion_replace(c, op, &wide, 1);
    return true;
}

#define REGISTERS(name)                                                                            \
    {                                                                                              \
        "nvvm.read.ptx.sreg." name ".x", "nvvm.read.ptx.sreg." name ".y",                          \
            "nvvm.read.ptx.sreg." name ".z"                                                        \
    }
static const char *thread_id[] = REGISTERS("tid"), *block_id[] = REGISTERS("ctaid"),
                  *block_dim[] = REGISTERS("ntid"), *grid_dim[] = REGISTERS("nctaid");

static const MlcConversionPattern gpu_patterns[] = {
    {.root = "gpu.func", .convert = lower_function},
    {.root = "gpu.return", .convert = lower_return},
    {.root = "gpu.thread_id", .convert = lower_register, .user = thread_id},
    {.root = "gpu.block_id", .convert = lower_register, .user = block_id},
    {.root = "gpu.block_dim", .convert = lower_register, .user = block_dim},
    {.root = "gpu.grid_dim", .convert = lower_register, .user = grid_dim},
};

static const LlvmPatterns gpu_to_nvvm_patterns = {"gpu", "nvvm", gpu_patterns,
                                                  sizeof gpu_patterns / sizeof *gpu_patterns};

static const LlvmPatterns *const sets[] = {&gpu_to_nvvm_patterns,    &arith_to_llvm_patterns,
                                           &math_to_llvm_patterns,   &cf_to_llvm_patterns,
                                           &memref_to_llvm_patterns, &vector_to_llvm_patterns,
                                           &index_to_llvm_patterns,  NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    static const char *const illegal[] = {"arith",  "math",  "cf",  "memref",
                                          "vector", "index", "gpu", NULL};
    return llvm_convert(module, LLVM_BARE_POINTERS, 64, sets, illegal);
}

static const char *const dialects[] = {"llvm", "nvvm", NULL};

MLC_PASS(gpu_to_nvvm, .flag = "convert-gpu-to-nvvm",
         .summary = "Lower GPU modules to llvm and nvvm", .anchor = "gpu.module",
         .dependent_dialects = dialects, .converts = converts, .run = run)

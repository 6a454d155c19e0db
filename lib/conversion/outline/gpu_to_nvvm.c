// gpu_to_nvvm.c -- what is inside GPU modules becomes the llvm and nvvm dialects; the host's side
// stays as it is.
//
// Memrefs are descriptors, and so are passed by their fields; with use-bare-ptr-memref-call-conv
// they are passed as pointers. On the path of models (bare-pointers) they are pointers throughout,
// as on the CPU, and functions of math are LLVM's, where else they are libdevice's.
// Illegal afterwards inside gpu.module: gpu but for its end, nvgpu, and what convert-to-llvm
// lowers.
#include "gpu_kernels.h"
#include "to_llvm/nvgpu_warpgroup.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/ir/symbol.h"

enum { LANES = 32 };

// --- registers

#define REGISTERS(name) GPU_REGISTERS("nvvm.read.ptx.sreg." name, NULL)
static const GpuRegisters thread_id = REGISTERS("tid"), block_id = REGISTERS("ctaid"),
                          block_dim = REGISTERS("ntid"), grid_dim = REGISTERS("nctaid"),
                          cluster_id = REGISTERS("clusterid"),
                          cluster_dim = REGISTERS("nclusterid"),
                          cluster_block_id = REGISTERS("cluster.ctaid"),
                          cluster_dim_blocks = REGISTERS("cluster.nctaid"),
                          lane_id = {{"nvvm.read.ptx.sreg.laneid"}, NULL},
                          subgroup_size = {{"nvvm.read.ptx.sreg.warpsize"}, NULL};
static const GpuGlobalId global_id = {&block_id, &block_dim, &thread_id};

// --- printing

// vprintf takes the values in a struct on the stack: floats as f64.
static bool
lower_printf(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType ptr = llvm_ptr(b->ctx, 0), f64 = mlc_float_type_get(b->ctx, MLC_FLOAT_F64),
            i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcType params[2] = {ptr, ptr};
    if (!llvm_declare(c, op, "vprintf", llvm_function_type(b->ctx, i32, params, 2)))
        return false;
    MlcValue *text = gpu_format_text(c, op, 0);
    MlcValueVec values = {0};
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = operands[i];
        if (mlc_type_is_float(mlc_value_type(value)) && mlc_value_type(value) != f64)
            value = mlc_llvm_fpext(b, f64, value);
        mlc_vec_push(&values, value);
        mlc_vec_push(&types, mlc_value_type(value));
    }
    MlcType record = llvm_struct(b->ctx, types.data, types.size);
    MlcValue *place = mlc_llvm_alloca(b, ptr, llvm_i64(b, 1), record);
    for (size_t i = 0; i < values.size; i++) {
        int32_t member[2] = {0, (int32_t)i};
        MlcValue *at = mlc_llvm_getelementptr(b, ptr, place, NULL, 0, member, 2, record);
        llvm_store(b, values.data[i], at, 0);
    }
    llvm_call_function(b, "vprintf", i32, (MlcValue *[]){text, place}, 2);
    mlc_vec_release(&values);
    mlc_vec_release(&types);
    mlc_conversion_erase(c, op);
    return true;
}

// --- between the lanes of a warp

static MlcValue *
shuffle_word(MlcBuilder *b, MlcValue *value, MlcValue *offset, MlcValue *clamp, int64_t mode,
             MlcValue **is_valid)
{
    static const MlcNvvmShflKind kinds[] = {
        [MLC_GPU_SHUFFLE_MODE_XOR] = MLC_NVVM_SHFL_KIND_BFLY,
        [MLC_GPU_SHUFFLE_MODE_DOWN] = MLC_NVVM_SHFL_KIND_DOWN,
        [MLC_GPU_SHUFFLE_MODE_UP] = MLC_NVVM_SHFL_KIND_UP,
        [MLC_GPU_SHUFFLE_MODE_IDX] = MLC_NVVM_SHFL_KIND_IDX,
    };
    MlcType type = mlc_value_type(value), i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS),
            members[2] = {type, mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS)};
    MlcValue *all = llvm_constant(b, i32, -1);
    MlcValue *moved = mlc_nvvm_shfl_sync(b, is_valid ? llvm_struct(b->ctx, members, 2) : type, all,
                                         value, offset, clamp, kinds[mode]);
    if (!is_valid)
        return moved;
    mlc_op_set_attr(mlc_value_def(moved), "return_value_and_is_valid", mlc_unit_attr_get(b->ctx));
    *is_valid = llvm_extract(b, moved, (int64_t[]){1}, 1);
    return llvm_extract(b, moved, (int64_t[]){0}, 1);
}

// Values of 64 bits go in two words.
static MlcValue *
shuffle_words(MlcBuilder *b, MlcValue *value, MlcValue *offset, MlcValue *clamp, int64_t mode,
              MlcValue **is_valid)
{
    int64_t two = 2;
    MlcType type = mlc_value_type(value), i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS),
            pair = mlc_vector_type_get(i32, &two, 1, NULL);
    MlcValue *words = mlc_llvm_bitcast(b, pair, value), *moved = mlc_llvm_mlir_undef(b, pair);
    for (int64_t i = 0; i < 2; i++) {
        MlcValue *place = llvm_constant(b, i32, i);
        MlcValue *word = shuffle_word(b, mlc_llvm_extractelement(b, words, place), offset, clamp,
                                      mode, i == 0 ? is_valid : NULL);
        moved = mlc_llvm_insertelement(b, moved, word, place);
    }
    return mlc_llvm_bitcast(b, type, moved);
}

// Segments of `width` lanes: the instruction takes the bits of a lane's number that do not change,
// and the last lane of a segment (the first one, upwards).
static bool
lower_shuffle(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    int64_t mode = mlc_gpu_shuffle_mode(op), width;
    MlcValue *clamp, *results[2] = {NULL};
    int64_t last = mode == MLC_GPU_SHUFFLE_MODE_UP ? 0 : LANES - 1;
    if (mlc_value_constant_int(mlc_op_operand(op, 2), &width)) {
        clamp = llvm_constant(b, i32, ((LANES - width) << 8) | last);
    } else {
        MlcValue *fixed =
            mlc_llvm_shl(b, mlc_llvm_sub(b, llvm_constant(b, i32, LANES), operands[2]),
                         llvm_constant(b, i32, 8));
        clamp = mlc_llvm_or(b, fixed, llvm_constant(b, i32, last));
    }
    bool asks = mlc_value_has_uses(mlc_op_result(op, 1));
    bool is_long = mlc_type_bit_width(mlc_value_type(operands[0])) == 64;
    results[0] = (is_long ? shuffle_words : shuffle_word)(b, operands[0], operands[1], clamp, mode,
                                                          asks ? &results[1] : NULL);
    if (!asks)
        results[1] = llvm_constant(b, mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS), 1);
    mlc_conversion_replace(c, op, results, 2);
    return true;
}

// --- all lanes at once

// nvvm.redux.sync combines i32 of a warp; what it has not was lowered before.
static const struct {
    bool has;
    MlcNvvmReduxKind kind;
} redux[] = {
    [MLC_GPU_ALL_REDUCE_OP_ADD] = {true, MLC_NVVM_REDUX_KIND_ADD},
    [MLC_GPU_ALL_REDUCE_OP_AND] = {true, MLC_NVVM_REDUX_KIND_AND},
    [MLC_GPU_ALL_REDUCE_OP_MAXSI] = {true, MLC_NVVM_REDUX_KIND_MAX},
    [MLC_GPU_ALL_REDUCE_OP_MAXUI] = {true, MLC_NVVM_REDUX_KIND_UMAX},
    [MLC_GPU_ALL_REDUCE_OP_MINSI] = {true, MLC_NVVM_REDUX_KIND_MIN},
    [MLC_GPU_ALL_REDUCE_OP_MINUI] = {true, MLC_NVVM_REDUX_KIND_UMIN},
    [MLC_GPU_ALL_REDUCE_OP_OR] = {true, MLC_NVVM_REDUX_KIND_OR},
    [MLC_GPU_ALL_REDUCE_OP_XOR] = {true, MLC_NVVM_REDUX_KIND_XOR},
    [MLC_GPU_ALL_REDUCE_OP_MAXIMUMF] = {false, 0},
};

static bool
is_redux(MlcOp *op)
{
    return mlc_gpu_subgroup_reduce_isa(op) && redux[mlc_gpu_subgroup_reduce_op(op)].has &&
           mlc_gpu_subgroup_reduce_uniform(op) &&
           mlc_type_is_integer(mlc_op_operand_type(op, 0), 32);
}

static bool
lower_redux(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcValue *made = mlc_nvvm_redux_sync(b, i32, operands[0], llvm_constant(b, i32, -1),
                                         redux[mlc_gpu_subgroup_reduce_op(op)].kind);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

// --- the pass

// `spaces` NULL: memory spaces are those of models.
static int
convert_type(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *spaces)
{
    int found = gpu_convert_mma_matrix(type, out);
    return found || !spaces ? found : gpu_convert_space(types, type, out, spaces);
}

static const MlcConversionPattern gpu_patterns[] = {
    {.root = "gpu.thread_id", .convert = gpu_lower_register, .user = (void *)&thread_id},
    {.root = "gpu.block_id", .convert = gpu_lower_register, .user = (void *)&block_id},
    {.root = "gpu.block_dim", .convert = gpu_lower_register, .user = (void *)&block_dim},
    {.root = "gpu.grid_dim", .convert = gpu_lower_register, .user = (void *)&grid_dim},
    {.root = "gpu.cluster_id", .convert = gpu_lower_register, .user = (void *)&cluster_id},
    {.root = "gpu.cluster_dim", .convert = gpu_lower_register, .user = (void *)&cluster_dim},
    {.root = "gpu.cluster_block_id",
     .convert = gpu_lower_register,
     .user = (void *)&cluster_block_id},
    {.root = "gpu.cluster_dim_blocks",
     .convert = gpu_lower_register,
     .user = (void *)&cluster_dim_blocks},
    {.root = "gpu.lane_id", .convert = gpu_lower_register, .user = (void *)&lane_id},
    {.root = "gpu.subgroup_size", .convert = gpu_lower_register, .user = (void *)&subgroup_size},
    {.root = "gpu.global_id", .convert = gpu_lower_global_id, .user = (void *)&global_id},
    {.root = "gpu.dynamic_shared_memory", .convert = gpu_lower_dynamic_memory},
    {.root = "gpu.shuffle", .convert = lower_shuffle},
    {.root = "gpu.subgroup_reduce", .convert = lower_redux},
    {.root = "gpu.return", .convert = gpu_lower_return},
    {.root = "gpu.printf", .convert = lower_printf},
};
static const LlvmPatterns gpu_to_nvvm_patterns = {"gpu", "nvvm", gpu_patterns,
                                                  sizeof gpu_patterns / sizeof *gpu_patterns};

static const LlvmPatterns *const sets[] = {&gpu_to_nvvm_patterns,
                                           &gpu_mma_patterns,
                                           &arith_to_llvm_patterns,
                                           &math_to_llvm_patterns,
                                           &cf_to_llvm_patterns,
                                           &func_to_llvm_patterns,
                                           &memref_to_llvm_patterns,
                                           &vector_to_llvm_patterns,
                                           &index_to_llvm_patterns,
                                           &nvgpu_to_nvvm_patterns,
                                           &nvgpu_barrier_patterns,
                                           &nvgpu_warpgroup_patterns,
                                           NULL};
enum { NUM_SETS = sizeof sets / sizeof *sets, NUM_MORE = 2 };

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op) || op == &mlc_gpu_func_def;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    static const char *const illegal[] = {"arith", "math", "cf",    "memref", "vector",
                                          "index", "gpu",  "nvgpu", NULL};
    static const GpuSpaces spaces = {.global = 1, .workgroup = GPU_SHARED, .private = 0};
    bool is_model = mlc_pass_option_bool(pass, "bare-pointers");
    unsigned index_bits = 0;
    GpuKernels kernels = {.kernel = "nvvm.kernel",
                          .block_size = "nvvm.maxntid",
                          .is_bare = mlc_pass_option_bool(pass, "use-bare-ptr-memref-call-conv"),
                          .is_model = is_model};
    const MlcConversionPattern functions[] = {
        {.root = "gpu.func", .convert = gpu_lower_function, .user = &kernels},
    };
    const LlvmPatterns function_set = {"gpu", "nvvm", functions,
                                       sizeof functions / sizeof *functions};
    const LlvmPatterns *chosen[NUM_SETS + NUM_MORE] = {&function_set, &math_to_libdevice_patterns};
    if (!llvm_read_index_bits(pass, module, &index_bits) ||
        !gpu_lower_reductions(module, LANES,
                              mlc_pass_option_bool(pass, "has-redux") ? is_redux : NULL))
        return false;
    memcpy(chosen + (is_model ? 1 : NUM_MORE), sets, sizeof sets);
    LlvmConversion how = {.types = is_model ? LLVM_BARE_POINTERS : LLVM_DESCRIPTORS,
                          .index_bits = index_bits,
                          .sets = chosen,
                          .illegal = illegal,
                          .rule = convert_type,
                          .rule_user = is_model ? NULL : (void *)&spaces};
    return llvm_convert_as(module, &how);
}

static const char *const dialects[] = {"llvm",   "nvvm", "arith",  "cf",
                                       "memref", "scf",  "vector", NULL};

static const MlcPassOption options[] = {
    LLVM_INDEX_OPTION,
    {"use-bare-ptr-memref-call-conv", MLC_OPTION_BOOL, NULL,
     "memrefs of static shape are passed as pointers"},
    {"bare-pointers", MLC_OPTION_BOOL, NULL,
     "memrefs of static strides are pointers to their first element, not descriptors"},
    {"has-redux", MLC_OPTION_BOOL, NULL,
     "the machine combines integers of a warp at once (sm_80 and later)"},
};

MLC_PASS(gpu_to_nvvm, .flag = "convert-gpu-to-nvvm",
         .summary = "Lower GPU modules to llvm and nvvm", .anchor = "gpu.module",
         .options = options, .num_options = sizeof options / sizeof *options,
         .dependent_dialects = dialects, .converts = converts, .run = run)

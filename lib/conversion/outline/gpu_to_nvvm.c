// gpu_to_nvvm.c -- what is inside GPU modules becomes the llvm and nvvm dialects; the host's side
// stays as it is.
//
// Buffers are bare pointers, as on the CPU. Workgroup memory is a global of its own space for each
// attribution, and one without a size for what the launch asks for; private memory is the stack's.
// Illegal afterwards inside gpu.module: gpu but for its end, nvgpu, and what convert-to-llvm
// lowers.
#include "to_llvm/to_llvm.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/ir/symbol.h"
#include "mlc/pass.h"

enum { SHARED = 3, LANES = 32, WORKGROUP_ALIGNMENT = 16, DYNAMIC_ALIGNMENT = 1024 };

// --- functions

// A global of workgroup memory before `op`, a function or what is in one. `size` 0: as much as the
// launch asks for.
static void
create_workgroup_global(MlcBuilder *b, MlcStr name, MlcType element, int64_t size)
{
    MlcOp *made =
        mlc_llvm_mlir_global(b, llvm_array(element, size), name,
                             size ? MLC_LLVM_LINKAGE_INTERNAL : MLC_LLVM_LINKAGE_EXTERNAL);
    mlc_op_set_attr(made, "addr_space", mlc_i32_attr_get(b->ctx, SHARED));
    mlc_llvm_mlir_global_set_alignment(
        made, mlc_i64_attr_get(b->ctx, size ? WORKGROUP_ALIGNMENT : DYNAMIC_ALIGNMENT));
}

// What attribution `i` of a function becomes: an address, taken at the start of `entry`. NULL: its
// type has no size.
static MlcValue *
attribution(MlcConversion *c, MlcOp *function, MlcBlock *entry, size_t i, MlcType type,
            bool is_workgroup)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType element =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type));
    if (!element || !mlc_type_has_static_shape(type))
        return NULL;
    int64_t size = mlc_type_num_elements(type);
    MlcValue *address;
    MlcBuf name = {0};
    if (is_workgroup) {
        MlcStr parent = mlc_symbol_name(function);
        MlcBuilder outside = *b;
        mlc_buf_printf(&name, "__wg_%.*s_%zu", MLC_STR_FMT(parent), i);
        mlc_builder_before(&outside, function);
        create_workgroup_global(&outside, mlc_buf_str(&name), element, size);
    }
    MlcBuilder at_start = *b;
    mlc_builder_at_start(&at_start, entry);
    if (is_workgroup) {
        address = mlc_llvm_mlir_addressof(&at_start, llvm_ptr(b->ctx, SHARED), mlc_buf_str(&name));
    } else {
        address =
            mlc_llvm_alloca(&at_start, llvm_ptr(b->ctx, 0), llvm_i64(&at_start, size), element);
    }
    mlc_buf_release(&name);
    return address;
}

// The entry block's arguments: those of the function's type, then attributions.
static bool
convert_entry(MlcConversion *c, MlcOp *function, MlcBlock *entry, size_t num_workgroup,
              size_t num_inputs)
{
    MlcSignatureConversion signature = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_block_num_args(entry); i++) {
        MlcType type = mlc_value_type(mlc_block_arg(entry, i));
        if (i < num_inputs) {
            ok = mlc_signature_conversion_add_converted(&signature, mlc_conversion_types(c), type);
            continue;
        }
        size_t number = i - num_inputs;
        MlcValue *address = attribution(c, function, entry, number, type, number < num_workgroup);
        ok = address != NULL;
        mlc_signature_conversion_add_replaced(&signature, address);
    }
    if (ok)
        mlc_conversion_convert_signature(c, entry, &signature);
    mlc_signature_conversion_release(&signature);
    return ok;
}

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
    mlc_conversion_move_region(c, mlc_op_region(made, 0), mlc_op_region(op, 0));
    MlcBlock *entry = mlc_region_first(mlc_op_region(made, 0));
    MlcAttr count = mlc_op_attr(op, "workgroup_attributions");
    size_t num_workgroup = count ? (size_t)mlc_attr_as_int(count) : 0;
    if (!convert_entry(c, made, entry, num_workgroup, mlc_function_type_num_inputs(type)))
        return mlc_conversion_no_match(c, op, "it has workgroup or private memory of no size");
    for (MlcBlock *block = mlc_block_next(entry); block; block = mlc_block_next(block))
        if (!mlc_conversion_convert_block_args(c, block))
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
                  *block_dim[] = REGISTERS("ntid"), *grid_dim[] = REGISTERS("nctaid"),
                  *cluster_id[] = REGISTERS("clusterid"), *cluster_dim[] = REGISTERS("nclusterid"),
                  *cluster_block_id[] = REGISTERS("cluster.ctaid"),
                  *cluster_dim_blocks[] = REGISTERS("cluster.nctaid");

// Registers that stand for one number.
static bool
lower_plain_register(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS),
            i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *wide = mlc_llvm_sext(b, i64, mlc_build_value(b, user, i32, NULL, 0));
    mlc_conversion_replace(c, op, &wide, 1);
    return true;
}

// --- memory

static bool
lower_dynamic_memory(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    static const char name[] = "__dynamic_shmem";
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS), ptr = llvm_ptr(b->ctx, SHARED);
    MlcOp *function = mlc_op_parent_of_kind(op, &mlc_llvm_func_def);
    MlcOp *module = mlc_op_parent_of_kind(op, &mlc_gpu_module_def);
    if (!to || !function || !module)
        return mlc_conversion_no_match(c, op, "it is in no kernel");
    if (!mlc_symbol_lookup(module, mlc_str(name))) {
        MlcBuilder outside = *b;
        mlc_builder_before(&outside, function);
        create_workgroup_global(&outside, mlc_str(name), byte, 0);
    }
    LlvmMemrefParts parts = {0};
    parts.allocated = parts.aligned = mlc_llvm_mlir_addressof(b, ptr, mlc_str(name));
    parts.sizes[0] = llvm_i64(b, 0);
    parts.strides[0] = llvm_i64(b, 1);
    MlcValue *memref = llvm_memref_pack(b, byte, mlc_type_rank(type), to, &parts);
    mlc_conversion_replace(c, op, &memref, 1);
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

static const MlcConversionPattern gpu_patterns[] = {
    {.root = "gpu.func", .convert = lower_function},
    {.root = "gpu.return", .convert = lower_return},
    {.root = "gpu.thread_id", .convert = lower_register, .user = thread_id},
    {.root = "gpu.block_id", .convert = lower_register, .user = block_id},
    {.root = "gpu.block_dim", .convert = lower_register, .user = block_dim},
    {.root = "gpu.grid_dim", .convert = lower_register, .user = grid_dim},
    {.root = "gpu.cluster_id", .convert = lower_register, .user = cluster_id},
    {.root = "gpu.cluster_dim", .convert = lower_register, .user = cluster_dim},
    {.root = "gpu.cluster_block_id", .convert = lower_register, .user = cluster_block_id},
    {.root = "gpu.cluster_dim_blocks", .convert = lower_register, .user = cluster_dim_blocks},
    {.root = "gpu.lane_id", .convert = lower_plain_register, .user = "nvvm.read.ptx.sreg.laneid"},
    {.root = "gpu.subgroup_size",
     .convert = lower_plain_register,
     .user = "nvvm.read.ptx.sreg.warpsize"},
    {.root = "gpu.dynamic_shared_memory", .convert = lower_dynamic_memory},
    {.root = "gpu.shuffle", .convert = lower_shuffle},
};

static const LlvmPatterns gpu_to_nvvm_patterns = {"gpu", "nvvm", gpu_patterns,
                                                  sizeof gpu_patterns / sizeof *gpu_patterns};

static const LlvmPatterns *const sets[] = {&gpu_to_nvvm_patterns,    &arith_to_llvm_patterns,
                                           &math_to_llvm_patterns,   &cf_to_llvm_patterns,
                                           &memref_to_llvm_patterns, &vector_to_llvm_patterns,
                                           &index_to_llvm_patterns,  &nvgpu_to_nvvm_patterns,
                                           &nvgpu_barrier_patterns,  NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    static const char *const illegal[] = {"arith", "math", "cf",    "memref", "vector",
                                          "index", "gpu",  "nvgpu", NULL};
    return llvm_convert(module, LLVM_BARE_POINTERS, 64, sets, illegal);
}

static const char *const dialects[] = {"llvm", "nvvm", NULL};

MLC_PASS(gpu_to_nvvm, .flag = "convert-gpu-to-nvvm",
         .summary = "Lower GPU modules to llvm and nvvm", .anchor = "gpu.module",
         .dependent_dialects = dialects, .converts = converts, .run = run)

// gpu_to_rocdl.c -- what is inside GPU modules becomes the llvm and rocdl dialects, for AMD.
//
// Memrefs are descriptors, passed by their fields or, with use-bare-ptr-memref-call-conv, as
// pointers. A wave has 64 lanes, or 32 on chips from gfx10 on; shuffles are ds_bpermute, which
// reads a lane that each lane names. Stacks lie in address space 5, and bf16 is the integer of its
// bits, which the machine has no arithmetic of. Functions of math are calls of AMD's library.
// Illegal afterwards inside gpu.module: gpu but for its end, and what convert-to-llvm lowers.
#include "gpu_kernels.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/rocdl.h"

enum { STACK_SPACE = 5, CONSTANT_SPACE = 4, WORD = 32 };

// Of the target as LLVM 19 has it.
static const char data_layout[] =
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-"
    "p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
    "v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";

static MlcType
i32_type(MlcBuilder *b)
{
    return mlc_integer_type_get(b->ctx, WORD, MLC_SIGNLESS);
}

// --- registers

static const GpuRegisters thread_id = GPU_REGISTERS("rocdl.workitem.id", "gpu.known_block_size"),
                          block_id = GPU_REGISTERS("rocdl.workgroup.id", "gpu.known_grid_size"),
                          block_dim = GPU_REGISTERS("rocdl.workgroup.dim", NULL),
                          grid_dim = GPU_REGISTERS("rocdl.grid.dim", NULL);
static const GpuGlobalId global_id = {&block_id, &block_dim, &thread_id};

// How many lanes stand before this one.
static MlcValue *
lane_number(MlcBuilder *b)
{
    MlcType i32 = i32_type(b);
    MlcValue *zero = llvm_constant(b, i32, 0), *all = llvm_constant(b, i32, -1);
    MlcValue *low = mlc_rocdl_mbcnt_lo(b, i32, all, zero);
    return mlc_rocdl_mbcnt_hi(b, i32, all, low);
}

static bool
lower_lane_id(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType index = llvm_result_type(c, op);
    MlcValue *lane = lane_number(b);
    if (index != mlc_value_type(lane))
        lane = mlc_llvm_sext(b, index, lane);
    mlc_conversion_replace(c, op, &lane, 1);
    return true;
}

// user: lanes of a wave.
static bool
lower_subgroup_size(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    MlcValue *size =
        llvm_constant(mlc_conversion_builder(c), llvm_result_type(c, op), *(const int64_t *)user);
    mlc_conversion_replace(c, op, &size, 1);
    return true;
}

static bool
lower_barrier(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    mlc_rocdl_barrier(mlc_conversion_builder(c));
    mlc_conversion_erase(c, op);
    return true;
}

// --- shuffles

// The lane that this one reads, before it is looked whether that lies in its segment.
static MlcValue *
source_lane(MlcBuilder *b, MlcValue *lane, MlcValue *offset, int64_t mode)
{
    switch (mode) {
    case MLC_GPU_SHUFFLE_MODE_UP:
        return mlc_llvm_sub(b, lane, offset);
    case MLC_GPU_SHUFFLE_MODE_DOWN:
        return mlc_llvm_add(b, lane, offset);
    case MLC_GPU_SHUFFLE_MODE_XOR:
        return mlc_llvm_xor(b, lane, offset);
    default:
        return offset;
    }
}

// Words of what is shuffled: one, or the two of 64 bits in a vector.
static MlcValue *
permute(MlcBuilder *b, MlcValue *value, MlcValue *address)
{
    MlcType type = mlc_value_type(value), i32 = i32_type(b);
    int64_t two = 2;
    if (mlc_type_bit_width(type) == WORD) {
        MlcValue *word = type == i32 ? value : mlc_llvm_bitcast(b, i32, value);
        word = mlc_rocdl_ds_bpermute(b, i32, address, word);
        return type == i32 ? word : mlc_llvm_bitcast(b, type, word);
    }
    MlcType pair = mlc_vector_type_get(i32, &two, 1, NULL);
    MlcValue *words = mlc_llvm_bitcast(b, pair, value), *moved = mlc_llvm_mlir_undef(b, pair);
    for (int64_t i = 0; i < two; i++) {
        MlcValue *place = llvm_constant(b, i32, i);
        MlcValue *word =
            mlc_rocdl_ds_bpermute(b, i32, address, mlc_llvm_extractelement(b, words, place));
        moved = mlc_llvm_insertelement(b, moved, word, place);
    }
    return mlc_llvm_bitcast(b, type, moved);
}

// Segments of `width` lanes: one that would read beyond the end of its own reads itself, and says
// that it is not valid. Addresses are of bytes.
static bool
lower_shuffle(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i32 = i32_type(b);
    int64_t mode = mlc_gpu_shuffle_mode(op);
    MlcValue *lane = lane_number(b), *zero = llvm_constant(b, i32, 0), *width = operands[2];
    MlcValue *mask = mlc_llvm_sub(b, zero, width);
    MlcValue *end = mlc_llvm_and(b, mlc_llvm_add(b, lane, width), mask);
    MlcValue *from = source_lane(b, lane, operands[1], mode);
    MlcValue *is_valid = mlc_llvm_icmp(b, from, end, MLC_LLVM_ICMP_PREDICATE_SLT);
    if (mode == MLC_GPU_SHUFFLE_MODE_UP) {
        MlcValue *begin = mlc_llvm_and(b, lane, mask);
        is_valid = mlc_llvm_icmp(b, from, begin, MLC_LLVM_ICMP_PREDICATE_SGE);
    }
    from = mlc_llvm_select(b, is_valid, from, lane);
    MlcValue *address = mlc_llvm_shl(b, from, llvm_constant(b, i32, 2));
    MlcValue *results[2] = {permute(b, operands[0], address), is_valid};
    mlc_conversion_replace(c, op, results, 2);
    return true;
}

// --- printing

// OpenCL's printf is C's.
static bool
lower_printf_opencl(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType ptr = llvm_ptr(b->ctx, CONSTANT_SPACE), i32 = i32_type(b);
    MlcAttr param = mlc_type_attr_get(ptr);
    MlcAttr attrs[3] = {mlc_type_attr_get(i32), mlc_array_attr_get(b->ctx, &param, 1),
                        mlc_bool_attr_get(b->ctx, true)};
    MlcType type =
        mlc_dialect_type_get(b->ctx, mlc_context_type(b->ctx, mlc_str("llvm.func")), attrs, 3);
    if (!llvm_declare(c, op, "printf", type))
        return false;
    MlcValueVec args = {0};
    mlc_vec_push(&args, gpu_format_text(c, op, CONSTANT_SPACE));
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&args, operands[i]);
    MlcOp *call = llvm_call_function(b, "printf", i32, args.data, args.size);
    mlc_op_set_attr(call, "var_callee_type", mlc_type_attr_get(type));
    mlc_vec_release(&args);
    mlc_conversion_erase(c, op);
    return true;
}

// An argument in 64 bits: floats as f64, integers filled with zeros.
static MlcValue *
to_word(MlcBuilder *b, MlcValue *value)
{
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS),
            f64 = mlc_float_type_get(b->ctx, MLC_FLOAT_F64);
    if (mlc_type_is_float(mlc_value_type(value))) {
        if (mlc_value_type(value) != f64)
            value = mlc_llvm_fpext(b, f64, value);
        return mlc_llvm_bitcast(b, i64, value);
    }
    return mlc_value_type(value) == i64 ? value : mlc_llvm_zext(b, i64, value);
}

// HIP's printf sends the text and then arguments, seven at a time, to the host.
static bool
lower_printf_hip(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    enum { AT_ONCE = 7 };
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i32 = i32_type(b), i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcType ptr = llvm_ptr(b->ctx, 0), text_types[4] = {i64, ptr, i64, i32},
            arg_types[10] = {i64, i32, i64, i64, i64, i64, i64, i64, i64, i32};
    size_t n = mlc_op_num_operands(op);
    if (!llvm_declare(c, op, "__ockl_printf_begin", llvm_function_type(b->ctx, i64, &i64, 1)) ||
        !llvm_declare(c, op, "__ockl_printf_append_string_n",
                      llvm_function_type(b->ctx, i64, text_types, 4)) ||
        (n > 0 && !llvm_declare(c, op, "__ockl_printf_append_args",
                                llvm_function_type(b->ctx, i64, arg_types, 10))))
        return false;
    MlcValue *zero = llvm_constant(b, i64, 0);
    MlcValue *message =
        mlc_op_result(llvm_call_function(b, "__ockl_printf_begin", i64, &zero, 1), 0);
    MlcValue *text = gpu_format_text(c, op, 0);
    MlcValue *size = llvm_constant(b, i64, (int64_t)mlc_gpu_printf_format(op).size + 1);
    MlcValue *is_last = llvm_constant(b, i32, 1), *is_not_last = llvm_constant(b, i32, 0);
    MlcValue *args[10] = {message, text, size, n ? is_not_last : is_last};
    message =
        mlc_op_result(llvm_call_function(b, "__ockl_printf_append_string_n", i64, args, 4), 0);
    for (size_t i = 0; i < n; i += AT_ONCE) {
        size_t count = n - i < AT_ONCE ? n - i : AT_ONCE;
        args[0] = message;
        args[1] = llvm_constant(b, i32, (int64_t)count);
        for (size_t k = 0; k < AT_ONCE; k++)
            args[2 + k] = k < count ? to_word(b, operands[i + k]) : zero;
        args[9] = i + count == n ? is_last : is_not_last;
        message =
            mlc_op_result(llvm_call_function(b, "__ockl_printf_append_args", i64, args, 10), 0);
    }
    mlc_conversion_erase(c, op);
    return true;
}

// --- the pass

static int
convert_bf16(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *spaces)
{
    MlcType element = mlc_type_element(type);
    bool is_bf16 = mlc_type_is_float(element) && mlc_float_type_kind(element) == MLC_FLOAT_BF16;
    if (!is_bf16 || !(element == type || mlc_type_is(type, MLC_TYPE_VECTOR)))
        return gpu_convert_space(types, type, out, spaces);
    MlcType bits = mlc_integer_type_get(mlc_type_context(type), 16, MLC_SIGNLESS);
    MlcType to = element == type
                     ? bits
                     : mlc_type_converter_convert_one(types, mlc_type_with_element(type, bits));
    if (!to)
        return -1;
    mlc_vec_push(out, to);
    return 1;
}

static const MlcConversionPattern gpu_patterns[] = {
    {.root = "gpu.return", .convert = gpu_lower_return},
    {.root = "gpu.thread_id", .convert = gpu_lower_register, .user = (void *)&thread_id},
    {.root = "gpu.block_id", .convert = gpu_lower_register, .user = (void *)&block_id},
    {.root = "gpu.block_dim", .convert = gpu_lower_register, .user = (void *)&block_dim},
    {.root = "gpu.grid_dim", .convert = gpu_lower_register, .user = (void *)&grid_dim},
    {.root = "gpu.global_id", .convert = gpu_lower_global_id, .user = (void *)&global_id},
    {.root = "gpu.lane_id", .convert = lower_lane_id},
    {.root = "gpu.barrier", .convert = lower_barrier},
    {.root = "gpu.shuffle", .convert = lower_shuffle},
    {.root = "gpu.dynamic_shared_memory", .convert = gpu_lower_dynamic_memory},
};
static const LlvmPatterns gpu_to_rocdl_patterns = {"gpu", "rocdl", gpu_patterns,
                                                   sizeof gpu_patterns / sizeof *gpu_patterns};

static const LlvmPatterns *const sets[] = {&gpu_to_rocdl_patterns,   &math_to_ocml_patterns,
                                           &arith_to_llvm_patterns,  &math_to_llvm_patterns,
                                           &cf_to_llvm_patterns,     &func_to_llvm_patterns,
                                           &memref_to_llvm_patterns, &vector_to_llvm_patterns,
                                           &index_to_llvm_patterns,  NULL};
enum { NUM_SETS = sizeof sets / sizeof *sets };

// What an option decides has its patterns in `run`.
static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op) || op == &mlc_gpu_func_def || op == &mlc_gpu_subgroup_size_def ||
           op == &mlc_gpu_printf_def;
}

static void
set_target(MlcConversionTarget *target, MlcTypeConverter *types)
{
    (void)types;
    mlc_conversion_target_legal_dialect(target, "rocdl");
}

// Waves of 32 lanes from gfx10 on; "gfx942" is of the ninth.
static int64_t
lanes_of(MlcStr chip)
{
    enum { DIGITS_OF_OLD = 6, WIDE = 64, NARROW = 32 };
    return chip.size > DIGITS_OF_OLD ? NARROW : WIDE;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    static const char *const illegal[] = {"math", "cf", "memref", "vector", "index", "gpu", NULL};
    static const GpuSpaces spaces = {.global = 1, .workgroup = GPU_SHARED, .private = STACK_SPACE};
    MlcStr runtime = mlc_pass_option_str(pass, "runtime");
    bool is_hip = mlc_str_equal(runtime, mlc_str("HIP")),
         is_opencl = mlc_str_equal(runtime, mlc_str("OpenCL"));
    unsigned index_bits = 0;
    int64_t lanes = lanes_of(mlc_pass_option_str(pass, "chipset"));
    GpuKernels kernels = {.kernel = "rocdl.kernel",
                          .block_size = "rocdl.reqd_work_group_size",
                          .flat_size = "rocdl.flat_work_group_size",
                          .stack_space = STACK_SPACE,
                          .is_bare = mlc_pass_option_bool(pass, "use-bare-ptr-memref-call-conv")};
    const MlcConversionPattern patterns[] = {
        {.root = "gpu.func", .convert = gpu_lower_function, .user = &kernels},
        {.root = "gpu.subgroup_size", .convert = lower_subgroup_size, .user = &lanes},
        {.root = "gpu.printf", .convert = is_hip ? lower_printf_hip : lower_printf_opencl},
    };
    size_t n = sizeof patterns / sizeof *patterns;
    const LlvmPatterns set = {"gpu", "rocdl", patterns, is_hip || is_opencl ? n : n - 1};
    const LlvmPatterns *chosen[NUM_SETS + 1] = {&set};
    memcpy(chosen + 1, sets, sizeof sets);
    if (!llvm_read_index_bits(pass, module, &index_bits))
        return false;
    if (!is_hip && !is_opencl && !mlc_str_equal(runtime, mlc_str("unknown")))
        return mlc_op_error(module, "runtime must be unknown, HIP or OpenCL");
    if (!mlc_op_attr(module, "llvm.data_layout"))
        mlc_op_set_attr(module, "llvm.data_layout",
                        mlc_string_attr_get(mlc_op_context(module), mlc_str(data_layout)));
    if (!gpu_lower_reductions(module, lanes, NULL))
        return false;
    LlvmConversion how = {.types = LLVM_DESCRIPTORS,
                          .index_bits = index_bits,
                          .sets = chosen,
                          .illegal = illegal,
                          .rule = convert_bf16,
                          .rule_user = (void *)&spaces,
                          .set_target = set_target};
    return llvm_convert_as(module, &how);
}

static const char *const dialects[] = {"llvm",   "rocdl", "arith",  "cf",
                                       "memref", "scf",   "vector", NULL};

static const MlcPassOption options[] = {
    {"chipset", MLC_OPTION_STRING, "gfx900", "the chip that it runs on"},
    LLVM_INDEX_OPTION,
    {"use-bare-ptr-memref-call-conv", MLC_OPTION_BOOL, NULL,
     "memrefs of static shape are passed as pointers"},
    {"runtime", MLC_OPTION_STRING, "unknown",
     "what gpu.printf calls: unknown (it is an error), HIP or OpenCL"},
};

MLC_PASS(gpu_to_rocdl, .flag = "convert-gpu-to-rocdl",
         .summary = "Lower GPU modules to llvm and rocdl", .anchor = "gpu.module",
         .options = options, .num_options = sizeof options / sizeof *options,
         .dependent_dialects = dialects, .converts = converts, .run = run)

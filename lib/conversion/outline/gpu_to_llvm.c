// gpu_to_llvm.c -- the host's side of gpu becomes calls of a runtime library, `mgpu*`, as MLIR's
// tools have it; what is around becomes llvm too. The library is the user's to bring: mlc has none.
//
// A token is the stream that its op was put into, or an event where gpu.wait joins streams. An op
// that makes a token takes exactly one and goes into its stream; gpu-async-region makes them so.
// Launches stay, with what their kernels take: who translates them knows the code (gpu.binary).
#include "gpu_host_calls.h"
#include "to_llvm/func_passing.h"

#include "mlc/dialects/gpu.h"
#include "mlc/pass.h"

enum { WORD_ALIGNMENT = 16 };

static bool
finish(MlcConversion *c, MlcOp *op, MlcValue *stream)
{
    if (stream && mlc_op_num_results(op) > 0)
        mlc_conversion_replace(c, op, &stream, 1);
    else
        mlc_conversion_erase(c, op);
    return true;
}

static MlcType
byte_type(MlcBuilder *b)
{
    return mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
}

// Bytes of `count` elements: the address of that element from 0, as a number.
static MlcValue *
bytes_of(MlcBuilder *b, MlcType element, MlcValue *count)
{
    int32_t raw = INT32_MIN;
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcValue *end =
        mlc_llvm_getelementptr(b, ptr, mlc_llvm_mlir_zero(b, ptr), &count, 1, &raw, 1, element);
    return mlc_llvm_ptrtoint(b, mlc_value_type(count), end);
}

// Elements of a buffer without gaps.
static MlcValue *
num_elements(MlcBuilder *b, const LlvmMemref *m)
{
    if (mlc_type_has_static_shape(m->type))
        return llvm_i64(b, mlc_type_num_elements(m->type));
    MlcValue *count = NULL;
    for (size_t i = 0; i < m->rank; i++) {
        MlcValue *size = llvm_memref_size(b, m, i);
        count = count ? mlc_llvm_mul(b, count, size) : size;
    }
    return count;
}

// --- memory

// The new buffer's type has no layout, and no size of it is above the first that is not known.
static MlcValue *
describe(MlcConversion *c, MlcOp *op, MlcValue *const *dynamic, MlcValue *stream)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_op_result_type(op, 0), to = llvm_result_type(c, op);
    MlcType ptr = llvm_ptr(b->ctx, 0), i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcType element =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type));
    size_t rank = mlc_type_rank(type);
    LlvmMemrefParts parts = {0};
    for (size_t i = 0; i < rank; i++)
        parts.sizes[i] =
            mlc_type_dim(type, i) == MLC_DYNAMIC ? *dynamic++ : llvm_i64(b, mlc_type_dim(type, i));
    MlcValue *count = llvm_i64(b, 1);
    for (size_t i = rank; i-- > 0;) {
        parts.strides[i] = count;
        count = i + 1 == rank ? parts.sizes[i] : mlc_llvm_mul(b, count, parts.sizes[i]);
    }
    MlcValue *bytes = bytes_of(b, element, count);
    bool is_shared = mlc_gpu_alloc_host_shared(op);
    MlcValue *args[3] = {bytes, stream ? stream : mlc_llvm_mlir_zero(b, ptr),
                         llvm_constant(b, byte_type(b), is_shared)};
    MlcType params[3] = {i64, ptr, byte_type(b)};
    if (!llvm_declare(c, op, "mgpuMemAlloc", llvm_function_type(b->ctx, ptr, params, 3)))
        return NULL;
    parts.allocated = mlc_op_result(llvm_call_function(b, "mgpuMemAlloc", ptr, args, 3), 0);
    if (llvm_address_space(type))
        parts.allocated =
            mlc_llvm_addrspacecast(b, llvm_ptr(b->ctx, llvm_address_space(type)), parts.allocated);
    parts.aligned = parts.allocated;
    return llvm_memref_pack(b, element, rank, to, &parts);
}

static bool
lower_alloc(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcValue *stream = NULL;
    size_t first, count;
    bool is_shared = mlc_gpu_alloc_host_shared(op), is_async = mlc_op_num_results(op) > 1;
    if (!llvm_result_type(c, op))
        return llvm_no_type(c, op);
    if (mlc_memref_type_layout(mlc_op_result_type(op, 0)))
        return mlc_conversion_no_match(c, op, "its type has a layout");
    if (is_shared && is_async)
        return mlc_conversion_no_match(c, op, "memory of both sides is not allocated in a stream");
    if (!is_shared && !gpu_host_stream(c, op, operands, &stream))
        return false;
    mlc_op_operand_group(op, 1, &first, &count);
    MlcValue *results[2] = {describe(c, op, operands + first, stream), stream};
    if (!results[0])
        return false;
    mlc_conversion_replace(c, op, results, is_async ? 2 : 1);
    return true;
}

static bool
lower_dealloc(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    LlvmMemref m;
    MlcValue *stream;
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    llvm_memref_read(&m, c, mlc_op_operand_type(op, 1), operands[1]);
    MlcValue *args[2] = {gpu_host_pointer(b, llvm_memref_allocated(b, &m)), stream};
    return gpu_host_call(c, op, "mgpuMemFree", NULL, args, 2) && finish(c, op, stream);
}

// Both buffers are without gaps, which the op does not say; their types do.
static bool
lower_memcpy(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType to = mlc_op_operand_type(op, mlc_op_num_operands(op) - 2),
            from = mlc_op_operand_type(op, mlc_op_num_operands(op) - 1);
    LlvmMemref dst, src;
    MlcValue *stream;
    if (mlc_memref_type_layout(to) || mlc_memref_type_layout(from))
        return mlc_conversion_no_match(c, op, "a buffer has a layout");
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    llvm_memref_read(&dst, c, to, operands[1]);
    llvm_memref_read(&src, c, from, operands[2]);
    MlcValue *bytes = bytes_of(b, src.element, num_elements(b, &src));
    MlcValue *args[4] = {NULL, gpu_host_pointer(b, llvm_memref_aligned(b, &src)), bytes, stream};
    args[0] = gpu_host_pointer(b, llvm_memref_aligned(b, &dst));
    return gpu_host_call(c, op, "mgpuMemcpy", NULL, args, 4) && finish(c, op, stream);
}

static bool
lower_memset(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_op_operand_type(op, mlc_op_num_operands(op) - 2),
            value_type = mlc_op_operand_type(op, mlc_op_num_operands(op) - 1);
    unsigned bits = mlc_type_is_int_or_index(value_type) || mlc_type_is_float(value_type)
                        ? mlc_type_bit_width(value_type)
                        : 0;
    LlvmMemref m;
    MlcValue *stream;
    if (mlc_memref_type_layout(type))
        return mlc_conversion_no_match(c, op, "the buffer has a layout");
    if (mlc_type_is(value_type, MLC_TYPE_INDEX) || (bits != 32 && bits != 16))
        return mlc_conversion_no_match(c, op, "only words of 16 and 32 bits can be filled in");
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    llvm_memref_read(&m, c, type, operands[1]);
    MlcValue *args[4] = {NULL, operands[2], num_elements(b, &m), stream};
    if (mlc_type_is_float(mlc_value_type(args[1])))
        args[1] = mlc_llvm_bitcast(b, mlc_integer_type_get(b->ctx, bits, MLC_SIGNLESS), args[1]);
    args[0] = gpu_host_pointer(b, llvm_memref_aligned(b, &m));
    return gpu_host_call(c, op, bits == 32 ? "mgpuMemset32" : "mgpuMemset16", NULL, args, 4) &&
           finish(c, op, stream);
}

// user: the function.
static bool
lower_register(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType element = mlc_type_converter_convert_one(mlc_conversion_types(c),
                                                     mlc_type_element(mlc_op_operand_type(op, 0)));
    int32_t one = 1;
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcValue *end =
        mlc_llvm_getelementptr(b, ptr, mlc_llvm_mlir_zero(b, ptr), NULL, 0, &one, 1, element);
    MlcValue *bytes = mlc_llvm_ptrtoint(b, mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS), end);
    MlcValue *args[3] = {llvm_unranked_rank(b, operands[0]),
                         llvm_unranked_descriptor(b, operands[0]), bytes};
    return gpu_host_call(c, op, user, NULL, args, 3) && finish(c, op, NULL);
}

static bool
lower_default_device(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    return gpu_host_call(c, op, "mgpuSetDefaultDevice", NULL, operands, 1) && finish(c, op, NULL);
}

// --- streams and events

// Whether a converted token is a stream: what made it is a call that creates one.
static bool
is_stream(MlcValue *token)
{
    MlcOp *def = mlc_value_def(token);
    MlcAttr callee = mlc_llvm_call_isa(def) ? mlc_llvm_call_callee(def) : NULL;
    return callee &&
           mlc_str_equal(mlc_symbol_ref_attr_name(callee, 0), mlc_str("mgpuStreamCreate"));
}

// An event behind what was put into the stream until the op that made `token`.
static MlcValue *
record_event(MlcConversion *c, MlcOp *op, MlcValue *token, MlcValue *stream)
{
    MlcBuilder *b = mlc_conversion_builder(c), before = *b;
    mlc_builder_after(b, mlc_value_def(token));
    b->loc = before.loc;
    MlcOp *made = gpu_host_call(c, op, "mgpuEventCreate", llvm_ptr(b->ctx, 0), NULL, 0);
    MlcValue *event = made ? mlc_op_result(made, 0) : NULL;
    if (event && !gpu_host_call(c, op, "mgpuEventRecord", NULL, (MlcValue *[]){event, stream}, 2))
        event = NULL;
    *b = before;
    return event;
}

// A new stream that waits for the others.
static bool
join_streams(MlcConversion *c, MlcOp *op, MlcValue *const *operands)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValueVec events = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_op_num_operands(op); i++) {
        MlcValue *event = operands[i];
        if (is_stream(event))
            event = record_event(c, op, mlc_op_operand(op, i), event);
        ok = event != NULL;
        mlc_vec_push(&events, event);
    }
    MlcOp *made =
        ok ? gpu_host_call(c, op, "mgpuStreamCreate", llvm_ptr(b->ctx, 0), NULL, 0) : NULL;
    MlcValue *stream = made ? mlc_op_result(made, 0) : NULL;
    for (size_t i = 0; stream && i < events.size; i++)
        ok = ok && gpu_host_call(c, op, "mgpuStreamWaitEvent", NULL,
                                 (MlcValue *[]){stream, events.data[i]}, 2);
    for (size_t i = 0; stream && i < events.size; i++)
        ok = ok && gpu_host_call(c, op, "mgpuEventDestroy", NULL, &events.data[i], 1);
    mlc_vec_release(&events);
    return ok && stream && finish(c, op, stream);
}

static bool
lower_wait(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (mlc_op_num_results(op) > 0)
        return join_streams(c, op, operands);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *token = operands[i];
        bool stream = is_stream(token);
        if (!gpu_host_call(c, op, stream ? "mgpuStreamSynchronize" : "mgpuEventSynchronize", NULL,
                           &token, 1) ||
            !gpu_host_call(c, op, stream ? "mgpuStreamDestroy" : "mgpuEventDestroy", NULL, &token,
                           1))
            return false;
    }
    return finish(c, op, NULL);
}

// --- launches

static char bare_pointers[] = "bare pointers";

// Arguments as the kernel takes them: a descriptor by its fields, or its pointer.
static void
push_argument(MlcBuilder *b, MlcType type, MlcValue *value, bool is_bare, MlcValueVec *out)
{
    if (!llvm_is_descriptor(type) || llvm_is_ptr(mlc_value_type(value)))
        mlc_vec_push(out, value);
    else if (is_bare)
        mlc_vec_push(out, llvm_extract(b, value, (int64_t[]){1}, 1));
    else
        llvm_memref_unpack(b, value, out);
}

// user: kernels take bare pointers, where it is not NULL.
static bool
lower_launch(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    bool is_async = mlc_op_num_results(op) > 0;
    size_t num_tokens = mlc_gpu_launch_func_num_async_dependencies(op), first, count;
    if (num_tokens > 1)
        return mlc_conversion_no_match(c, op, "it waits for more than one token");
    if (!is_async && num_tokens > 0)
        return mlc_conversion_no_match(c, op, "it waits for a token and makes none");
    MlcValue *stream = num_tokens ? operands[0] : NULL;
    if (is_async && !stream) {
        MlcOp *made = gpu_host_call(c, op, "mgpuStreamCreate", llvm_ptr(b->ctx, 0), NULL, 0);
        if (!made)
            return false;
        stream = mlc_op_result(made, 0);
    }
    MlcValueVec args = {0};
    MlcValue *sizes[10] = {NULL}; // of the grid, of a block, of a cluster; shared memory
    for (size_t i = 0; i < 10; i++) {
        mlc_op_operand_group(op, 1 + i, &first, &count);
        sizes[i] = count ? operands[first] : NULL;
    }
    mlc_op_operand_group(op, 11, &first, &count);
    for (size_t i = first; i < first + count; i++)
        push_argument(b, mlc_op_operand_type(op, i), operands[i], user != NULL, &args);
    MlcOp *made = mlc_gpu_launch_func(b, NULL, NULL, 0, sizes[0], sizes[1], sizes[2], sizes[3],
                                      sizes[4], sizes[5], sizes[6], sizes[7], sizes[8], sizes[9],
                                      args.data, args.size, stream, mlc_gpu_launch_func_kernel(op));
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_vec_release(&args);
    return finish(c, op, stream);
}

// --- the pass

#define PATTERNS(convention)                                                                       \
    {                                                                                              \
        {.root = "gpu.alloc", .convert = lower_alloc},                                             \
            {.root = "gpu.dealloc", .convert = lower_dealloc},                                     \
            {.root = "gpu.memcpy", .convert = lower_memcpy},                                       \
            {.root = "gpu.memset", .convert = lower_memset},                                       \
            {.root = "gpu.host_register",                                                          \
             .convert = lower_register,                                                            \
             .user = "mgpuMemHostRegisterMemRef"},                                                 \
            {.root = "gpu.host_unregister",                                                        \
             .convert = lower_register,                                                            \
             .user = "mgpuMemHostUnregisterMemRef"},                                               \
            {.root = "gpu.set_default_device", .convert = lower_default_device},                   \
            {.root = "gpu.wait", .convert = lower_wait},                                           \
            {.root = "gpu.launch_func", .convert = lower_launch, .user = (convention)},            \
    }
static const MlcConversionPattern patterns[] = PATTERNS(NULL);
static const MlcConversionPattern bare_patterns[] = PATTERNS(bare_pointers);
enum { NUM_PATTERNS = sizeof patterns / sizeof *patterns };
static const LlvmPatterns host_patterns = {"gpu", "llvm", patterns, NUM_PATTERNS};
static const LlvmPatterns bare_host_patterns = {"gpu", "llvm", bare_patterns, NUM_PATTERNS};

static const LlvmPatterns *const sets[] = {
    &host_patterns,
    &gpu_sparse_patterns,
    &arith_to_llvm_patterns,
    &cf_to_llvm_patterns,
    &func_to_llvm_patterns,
    &memref_to_llvm_patterns,
    &math_to_llvm_patterns,
    &complex_to_llvm_patterns,
    &index_to_llvm_patterns,
    &vector_to_llvm_patterns,
    NULL,
};

// Tokens and handles are addresses that the library gives.
static int
convert_handle(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *user)
{
    (void)types, (void)user;
    static const char *const handles[] = {"gpu.async.token", "gpu.sparse.dntensor_handle",
                                          "gpu.sparse.spmat_handle", "gpu.sparse.spgemmop_handle"};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (mlc_type_isa(type, handles[i])) {
            mlc_vec_push(out, llvm_ptr(mlc_type_context(type), 0));
            return 1;
        }
    return 0;
}

static bool
is_legal_launch(MlcOp *op, void *types)
{
    return mlc_type_converter_is_legal_op(types, op);
}

// What has no call is an error, with the reason.
static void
set_target(MlcConversionTarget *target, MlcTypeConverter *types)
{
    for (size_t i = 0; i < NUM_PATTERNS; i++)
        mlc_conversion_target_illegal_op(target, patterns[i].root);
    for (size_t i = 0; i < gpu_sparse_patterns.num_patterns; i++)
        mlc_conversion_target_illegal_op(target, gpu_sparse_patterns.patterns[i].root);
    mlc_conversion_target_dynamic_op(target, "gpu.launch_func", is_legal_launch, types);
}

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    enum { NUM_SETS = sizeof sets / sizeof *sets };
    const LlvmPatterns *chosen[NUM_SETS];
    memcpy(chosen, sets, sizeof chosen);
    for (size_t i = 0; i < NUM_SETS; i++) {
        if (chosen[i] == &host_patterns &&
            mlc_pass_option_bool(pass, "use-bare-pointers-for-kernels"))
            chosen[i] = &bare_host_patterns;
        if (chosen[i] == &func_to_llvm_patterns &&
            mlc_pass_option_bool(pass, "use-bare-pointers-for-host"))
            chosen[i] = &func_to_llvm_bare_patterns;
    }
    LlvmConversion how = {.types = LLVM_DESCRIPTORS,
                          .index_bits = 64,
                          .sets = chosen,
                          .rule = convert_handle,
                          .set_target = set_target};
    return llvm_convert_as(root, &how);
}

static const MlcPassOption options[] = {
    {"use-bare-pointers-for-host", MLC_OPTION_BOOL, NULL,
     "memrefs of static shape are passed to functions of the host as pointers"},
    {"use-bare-pointers-for-kernels", MLC_OPTION_BOOL, NULL,
     "memrefs are passed to kernels as pointers, as convert-gpu-to-nvvm has it with "
     "use-bare-ptr-memref-call-conv"},
};

MLC_PASS(gpu_to_llvm, .flag = "gpu-to-llvm",
         .summary = "Lower the host's side of gpu to calls of a runtime library",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)

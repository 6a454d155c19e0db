// gpu_eval.c -- what launches do: each block's threads run as the interpreter's threads and meet at
// barriers.
//
// Blocks run one after the other, in the order that the seed asks for. A subgroup has 32 lanes.
// Device memory is memory.
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"
#include "mlc/support/alloc.h"
#include "mlc/support/powers.h"

// The machine that is interpreted: NVIDIA's, as lib/machine/targets.yaml has it; CUDA has the most
// threads of a block.
enum { SUBGROUP_SIZE = 32, MAX_THREADS = 1024 };

// What the threads of a block share.
typedef struct Launch {
    MlcOp *op;
    MlcOp *kernel; // the function; NULL: the op's own region
    int64_t grid[3], block[3], block_id[3];
    size_t num_threads;
    MlcBuffer *dynamic;
    MlcDatum *exchange;   // a value per thread
    const MlcDatum *args; // kernel operands, then workgroup buffers
    size_t num_args;
    MlcRegion *body;
    size_t num_workgroup;
} Launch;

static Launch *
launch_of(MlcEval *e, MlcOp *op)
{
    if (!e->launch)
        mlc_eval_error(e, op, "runs outside a kernel launch");
    return e->launch;
}

static size_t
count_attr(MlcOp *op, const char *name)
{
    int64_t n;
    MlcAttr attr = mlc_op_attr(op, name);
    return attr && mlc_attr_try_as_int(attr, &n) && n > 0 ? (size_t)n : 0;
}

// --- running

static void
thread_position(const Launch *launch, size_t thread, int64_t *position)
{
    int64_t rest = (int64_t)thread;
    for (size_t i = 0; i < 3; i++) {
        position[i] = rest % launch->block[i];
        rest /= launch->block[i];
    }
}

// A buffer for an attribution: workgroup or private memory that a kernel declares as a block
// argument.
static bool
make_attribution(MlcEval *e, MlcOp *op, MlcValue *arg, MlcDatum *out)
{
    MlcType type = mlc_value_type(arg);
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || !mlc_type_has_static_shape(type))
        return mlc_eval_error(e, op, "declares memory of a shape that is not static");
    return mlc_eval_memref_create(e, op, type, mlc_type_rank(type), mlc_type_shape(type), out);
}

// Attributions from block argument `first` on.
static bool
make_attributions(MlcEval *e, const Launch *launch, size_t first, size_t count, MlcDatum *out)
{
    MlcBlock *block = mlc_region_first(launch->body);
    for (size_t i = 0; i < count; i++)
        if (!make_attribution(e, launch->op, mlc_block_arg(block, first + i), &out[i]))
            return false;
    return true;
}

static bool
free_attributions(MlcEval *e, MlcOp *op, const MlcDatum *buffers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!mlc_eval_buffer_free(e, op, buffers[i].memref.buffer))
            return false;
    return true;
}

static bool
run_thread(MlcEval *e, size_t thread, void *user)
{
    Launch *launch = user;
    size_t num_lead = launch->kernel ? 0 : 12,
           num_block_args = mlc_block_num_args(mlc_region_first(launch->body));
    size_t num_private = num_block_args - num_lead - launch->num_args;
    MlcDatum *args = mlc_eval_alloc(e, (num_block_args + 1) * sizeof *args);
    int64_t position[3];
    thread_position(launch, thread, position);
    const int64_t *lists[4] = {launch->block_id, position, launch->grid, launch->block};
    for (size_t i = 0; i < num_lead; i++)
        args[i] = mlc_datum_index(mlc_eval_context(e), lists[i / 3][i % 3]);
    memcpy(args + num_lead, launch->args, launch->num_args * sizeof *args);
    MlcDatum *privates = args + num_lead + launch->num_args;
    if (!make_attributions(e, launch, num_lead + launch->num_args, num_private, privates))
        return false;
    bool ok = launch->kernel
                  ? mlc_eval_call(e, launch->op, launch->kernel, args, num_block_args, NULL, 0)
                  : mlc_eval_region(e, launch->body, args, num_block_args, NULL, 0);
    return ok && free_attributions(e, launch->op, privates, num_private);
}

static bool
run_block(MlcEval *e, Launch *launch, size_t dynamic_bytes)
{
    size_t num_operands = launch->num_args - launch->num_workgroup;
    MlcDatum *shared =
        (MlcDatum *)(uintptr_t)launch->args + num_operands; // ours, made in run_launch
    if (!make_attributions(e, launch, (launch->kernel ? 0 : 12) + num_operands,
                           launch->num_workgroup, shared))
        return false;
    launch->dynamic = dynamic_bytes ? mlc_eval_buffer_create(e, launch->op, dynamic_bytes) : NULL;
    if (dynamic_bytes && !launch->dynamic)
        return false;
    return mlc_eval_threads(e, launch->op, launch->num_threads, run_thread, launch) &&
           free_attributions(e, launch->op, shared, launch->num_workgroup) &&
           (!launch->dynamic || mlc_eval_buffer_free(e, launch->op, launch->dynamic));
}

static bool
run_grid(MlcEval *e, Launch *launch, size_t dynamic_bytes)
{
    const int64_t *grid = launch->grid;
    size_t total = 0;
    if (!mlc_mul_size((size_t)grid[0], (size_t)grid[1], &total) ||
        !mlc_mul_size(total, (size_t)grid[2], &total))
        return mlc_eval_error(e, launch->op, "launches more blocks than can be counted");
    size_t mark = mlc_eval_mark(e);
    for (uint64_t i = 0; i < total; i++) {
        uint64_t rest = mlc_eval_order(e, i, total);
        for (size_t d = 0; d < 3; d++) {
            launch->block_id[d] = (int64_t)(rest % (uint64_t)launch->grid[d]);
            rest /= (uint64_t)launch->grid[d];
        }
        if (!run_block(e, launch, dynamic_bytes))
            return false;
        mlc_eval_collect(e, mark, NULL, 0);
    }
    return true;
}

// Groups 1 to 3 are the grid, 4 to 6 the block; group 10 the bytes of dynamic memory: gpu.launch
// and gpu.launch_func alike.
static bool
read_sizes(MlcEval *e, MlcOp *op, const MlcDatum *operands, Launch *launch, size_t *dynamic_bytes)
{
    size_t first, count;
    for (size_t i = 0; i < 3; i++) {
        mlc_op_operand_group(op, 1 + i, &first, &count);
        launch->grid[i] = mlc_datum_as_int(&operands[first]);
        mlc_op_operand_group(op, 4 + i, &first, &count);
        launch->block[i] = mlc_datum_as_int(&operands[first]);
        if (launch->grid[i] < 0 || launch->block[i] <= 0 || launch->block[i] > MAX_THREADS)
            return mlc_eval_error(e, op, "launches %lld blocks of %lld threads in dimension %zu",
                                  (long long)launch->grid[i], (long long)launch->block[i], i);
    }
    launch->num_threads = (size_t)(launch->block[0] * launch->block[1] * launch->block[2]);
    if (launch->num_threads > MAX_THREADS)
        return mlc_eval_error(e, op, "launches blocks of %zu threads, more than %d",
                              launch->num_threads, MAX_THREADS);
    mlc_op_operand_group(op, 10, &first, &count);
    *dynamic_bytes = count ? (size_t)mlc_datum_as_uint(&operands[first]) : 0;
    return true;
}

static bool
run_launch(MlcEval *e, Launch *launch, const MlcDatum *operands, const MlcDatum *kernel_operands,
           size_t num_kernel_operands)
{
    size_t dynamic_bytes = 0;
    if (!read_sizes(e, launch->op, operands, launch, &dynamic_bytes))
        return false;
    launch->num_workgroup =
        count_attr(launch->kernel ? launch->kernel : launch->op, "workgroup_attributions");
    launch->num_args = num_kernel_operands + launch->num_workgroup;
    size_t num_lead = launch->kernel ? 0 : 12;
    if (mlc_block_num_args(mlc_region_first(launch->body)) < num_lead + launch->num_args)
        return mlc_eval_error(e, launch->op, "launches a kernel of fewer arguments");
    MlcDatum *args = mlc_eval_alloc(e, (launch->num_args + 1) * sizeof *args);
    memcpy(args, kernel_operands, num_kernel_operands * sizeof *args);
    launch->args = args;
    launch->exchange = mlc_eval_alloc(e, launch->num_threads * sizeof *launch->exchange);
    void *outer = e->launch;
    e->launch = launch;
    bool ok = run_grid(e, launch, dynamic_bytes);
    e->launch = outer;
    return ok;
}

bool
mlc_gpu_launch_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    Launch launch = {.op = op, .body = mlc_op_region(op, 0)};
    return run_launch(e, &launch, operands, operands, 0);
}

bool
mlc_gpu_launch_func_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    MlcOp *kernel = mlc_eval_symbol(e, op, mlc_op_attr(op, "kernel"));
    if (!kernel)
        return false;
    if (mlc_op_num_regions(kernel) == 0 || mlc_region_is_empty(mlc_op_region(kernel, 0)))
        return mlc_eval_error(e, op, "launches a kernel that has no body");
    Launch launch = {.op = op, .kernel = kernel, .body = mlc_op_region(kernel, 0)};
    size_t first, count;
    mlc_op_operand_group(op, 11, &first, &count);
    return run_launch(e, &launch, operands, operands + first, count);
}

// --- where a thread stands

typedef enum Question {
    THREAD_ID,
    BLOCK_ID,
    BLOCK_DIM,
    GRID_DIM,
    GLOBAL_ID,
    LANE_ID,
    SUBGROUP_ID,
    NUM_SUBGROUPS,
} Question;

static bool
answer(MlcEval *e, MlcOp *op, Question question, MlcDatum *results)
{
    if (mlc_eval_is_folding(e))
        return false;
    const Launch *launch = launch_of(e, op);
    if (!launch)
        return false;
    MlcAttr attr = mlc_op_attr(op, "dimension");
    size_t dim = attr ? (size_t)mlc_enum_attr_value(attr) : 0;
    int64_t position[3], value = 0, thread = (int64_t)e->thread,
                         threads = (int64_t)launch->num_threads;
    thread_position(launch, e->thread, position);
    switch (question) {
    case THREAD_ID:
        value = position[dim];
        break;
    case BLOCK_ID:
        value = launch->block_id[dim];
        break;
    case BLOCK_DIM:
        value = launch->block[dim];
        break;
    case GRID_DIM:
        value = launch->grid[dim];
        break;
    case GLOBAL_ID:
        value = launch->block_id[dim] * launch->block[dim] + position[dim];
        break;
    case LANE_ID:
        value = thread % SUBGROUP_SIZE;
        break;
    case SUBGROUP_ID:
        value = thread / SUBGROUP_SIZE;
        break;
    case NUM_SUBGROUPS:
        value = (threads + SUBGROUP_SIZE - 1) / SUBGROUP_SIZE;
        break;
    }
    results[0] = mlc_datum_index(mlc_eval_context(e), value);
    return true;
}

#define QUESTION(name, question)                                                                   \
    bool mlc_gpu_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results) \
    {                                                                                              \
        (void)operands;                                                                            \
        return answer(e, op, question, results);                                                   \
    }

QUESTION(thread_id, THREAD_ID)
QUESTION(block_id, BLOCK_ID)
QUESTION(block_dim, BLOCK_DIM)
QUESTION(grid_dim, GRID_DIM)
QUESTION(global_id, GLOBAL_ID)
QUESTION(lane_id, LANE_ID)
QUESTION(subgroup_id, SUBGROUP_ID)
QUESTION(num_subgroups, NUM_SUBGROUPS)

bool
mlc_gpu_subgroup_size_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)op, (void)operands;
    if (mlc_eval_is_folding(e))
        return false;
    results[0] = mlc_datum_index(mlc_eval_context(e), SUBGROUP_SIZE);
    return true;
}

// --- threads among each other

bool
mlc_gpu_barrier_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands, (void)results;
    const Launch *launch = launch_of(e, op);
    return launch && mlc_eval_barrier(e, op, 0, launch->num_threads);
}

static void
subgroup_of(const Launch *launch, size_t thread, size_t *first, size_t *count)
{
    *first = thread / SUBGROUP_SIZE * SUBGROUP_SIZE;
    size_t rest = launch->num_threads - *first;
    *count = rest < SUBGROUP_SIZE ? rest : SUBGROUP_SIZE;
}

// The lane to read from within segments of `width` lanes (PTX ISA, shfl.sync); false: none, and the
// own value stays.
static bool
source_lane(int64_t mode, int64_t lane, int64_t offset, int64_t width, int64_t *source)
{
    int64_t segment = lane / width * width;
    *source = mode == 0   ? lane ^ offset
              : mode == 1 ? lane + offset
              : mode == 2 ? lane - offset
                          : segment + (offset & (width - 1));
    return mode == 2 ? *source >= segment : *source < segment + width && *source >= 0;
}

bool
mlc_gpu_shuffle_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (mlc_eval_is_folding(e))
        return false;
    Launch *launch = launch_of(e, op);
    int64_t width = mlc_datum_as_int(&operands[2]), source;
    if (!launch)
        return false;
    if (width > SUBGROUP_SIZE || !mlc_is_power_of_two(width))
        return mlc_eval_error(e, op, "has a width of %lld lanes", (long long)width);
    size_t thread = e->thread, first, count;
    subgroup_of(launch, thread, &first, &count);
    launch->exchange[thread] = operands[0];
    if (!mlc_eval_barrier(e, op, first, count))
        return false;
    bool valid =
        source_lane(mlc_enum_attr_value(mlc_op_attr(op, "mode")), (int64_t)(thread - first),
                    mlc_datum_as_int(&operands[1]), width, &source) &&
        (size_t)source < count;
    results[0] = valid ? launch->exchange[first + (size_t)source] : operands[0];
    results[1] = mlc_datum_int(results[1].type, valid);
    return mlc_eval_barrier(e, op, first, count); // nobody writes again before all have read
}

// By the number of gpu.all_reduce_op.
static const MlcCombine reductions[] = {
    MLC_COMBINE_ADD,     MLC_COMBINE_MUL,          MLC_COMBINE_MIN_UNSIGNED, MLC_COMBINE_MIN_SIGNED,
    MLC_COMBINE_MINNUM,  MLC_COMBINE_MAX_UNSIGNED, MLC_COMBINE_MAX_SIGNED,   MLC_COMBINE_MAXNUM,
    MLC_COMBINE_AND,     MLC_COMBINE_OR,           MLC_COMBINE_XOR,          MLC_COMBINE_MINIMUM,
    MLC_COMBINE_MAXIMUM,
};

static bool
combine_values(MlcEval *e, MlcOp *op, const MlcDatum *a, const MlcDatum *b, MlcDatum *out)
{
    MlcAttr attr = mlc_op_attr(op, "op");
    if (attr)
        return mlc_eval_combine(e, op, reductions[mlc_enum_attr_value(attr)], a, b, out);
    MlcDatum pair[2] = {*a, *b};
    return mlc_eval_region(e, mlc_op_region(op, 0), pair, 2, out, 1);
}

// In the order of the threads' numbers, by each thread for itself.
static bool
reduce_over(MlcEval *e, MlcOp *op, size_t first, size_t count, const MlcDatum *value,
            MlcDatum *result)
{
    Launch *launch = e->launch;
    launch->exchange[e->thread] = *value;
    if (!mlc_eval_barrier(e, op, first, count))
        return false;
    MlcDatum sum = launch->exchange[first];
    for (size_t i = 1; i < count; i++) {
        MlcDatum before = sum;
        if (!combine_values(e, op, &before, &launch->exchange[first + i], &sum))
            return false;
    }
    *result = sum;
    return mlc_eval_barrier(e, op, first, count);
}

bool
mlc_gpu_all_reduce_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const Launch *launch = mlc_eval_is_folding(e) ? NULL : launch_of(e, op);
    return launch && reduce_over(e, op, 0, launch->num_threads, &operands[0], &results[0]);
}

bool
mlc_gpu_subgroup_reduce_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const Launch *launch = mlc_eval_is_folding(e) ? NULL : launch_of(e, op);
    if (!launch)
        return false;
    if (mlc_datum_is_elements(&operands[0]))
        return mlc_eval_error(e, op, "reduces vectors, which the interpreter does not know");
    size_t first, count;
    subgroup_of(launch, e->thread, &first, &count);
    return reduce_over(e, op, first, count, &operands[0], &results[0]);
}

// --- memory

bool
mlc_gpu_dynamic_shared_memory_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                   MlcDatum *results)
{
    (void)operands;
    const Launch *launch = mlc_eval_is_folding(e) ? NULL : launch_of(e, op);
    if (!launch)
        return false;
    if (!launch->dynamic)
        return mlc_eval_error(e, op, "asks for dynamic memory of a launch that has none");
    int64_t size = (int64_t)mlc_buffer_size(launch->dynamic);
    results[0] = mlc_eval_memref(e, results[0].type, launch->dynamic, 0, 1, &size, NULL);
    return true;
}

bool
mlc_gpu_alloc_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = results[0].type;
    size_t first, count, rank = mlc_type_rank(type), used = 0;
    int64_t *sizes = mlc_eval_alloc(e, (rank + 1) * sizeof *sizes);
    mlc_op_operand_group(op, 1, &first, &count);
    for (size_t i = 0; i < rank; i++)
        sizes[i] = mlc_type_dim(type, i) == MLC_DYNAMIC
                       ? mlc_datum_as_int(&operands[first + used++])
                       : mlc_type_dim(type, i);
    return mlc_eval_memref_create(e, op, type, rank, sizes, &results[0]);
}

// The first operand of group 1: behind the asynchronous dependencies, which are all done when they
// are asked about.
static const MlcDatum *
after_tokens(MlcOp *op, const MlcDatum *operands)
{
    size_t first, count;
    mlc_op_operand_group(op, 1, &first, &count);
    return operands + first;
}

bool
mlc_gpu_dealloc_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    return mlc_eval_buffer_free(e, op, after_tokens(op, operands)->memref.buffer);
}

bool
mlc_gpu_memcpy_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    const MlcDatum *to = after_tokens(op, operands), *from = to + 1;
    if (mlc_datum_num_elements(to) != mlc_datum_num_elements(from))
        return mlc_eval_error(e, op, "copies between memrefs of different sizes");
    void *packed = mlc_eval_alloc(e, mlc_datum_num_elements(to) * mlc_datum_element_bytes(to));
    return mlc_eval_gather(e, op, from, packed) && mlc_eval_scatter(e, op, to, packed);
}

bool
mlc_gpu_memset_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    const MlcDatum *to = after_tokens(op, operands);
    size_t bytes = mlc_datum_element_bytes(to), count = mlc_datum_num_elements(to);
    char *packed = mlc_eval_alloc(e, count * bytes + 16);
    for (size_t i = 0; i < count; i++)
        mlc_datum_write(packed + i * bytes, to + 1);
    return mlc_eval_scatter(e, op, to, packed);
}

bool
mlc_gpu_wait_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)e, (void)op, (void)operands, (void)results;
    return true;
}

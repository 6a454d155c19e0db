// gpu_points.c -- loops of a thread, and their body.
//
// Neighbouring threads have neighbouring elements. Where an element has several threads, each takes
// every so many iterations of the longest reduction. What they come to lies in workgroup memory
// then, and one of them joins it, in order.
#include "gpu_points.h"

#include "gpu_chain.h"
#include "gpu_padding.h"
#include "gpu_point.h"
#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

enum { THREADS = 256, MAX_SHARES = 32, MIN_ITERATIONS = 16, BLOCKS_OF_A_CORE = 2 };

typedef struct PointKernel {
    MlcBuilder *b;
    MlcOp *op;
    int64_t elements, shares; // of a block; threads of an element
    int64_t sizes[MLC_SMALL_RANK];
    LoopGroup group;                   // the result's loops
    size_t shared_loop;                // whose iterations an element's threads take in turn
    MlcValue *thread, *share, *inside; // inside: whether there is an element; NULL: always
    MlcValue *ivs[MLC_SMALL_RANK];
    MlcValue *partial; // what the result's element has come to
    Padding padding[MLC_SMALL_RANK];
    bool is_padded[MLC_SMALL_RANK]; // by input
} PointKernel;

// Whether the body does nothing but read, of buffers that `op` does not write, and check.
static bool
reads_alone(MlcOp *op)
{
    MLC_FOR_EACH_PREORDER (inner, op) {
        if (inner == op || mlc_op_is_memory_effect_free(inner) || mlc_op_num_regions(inner) > 0 ||
            mlc_op_has_trait(inner, MLC_TRAIT_TERMINATOR) || mlc_cf_assert_isa(inner))
            continue;
        if (!mlc_memref_load_isa(inner) ||
            mlc_viewed_buffer(mlc_op_operand(inner, 0)) == mlc_viewed_buffer(gpu_output_of(op)))
            return false;
    }
    return true;
}

bool
gpu_points_are_picked(MlcOp *op)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        if (mlc_memref_load_isa(inner) || mlc_cf_assert_isa(inner))
            return true;
    return false;
}

bool
gpu_points_fit(MlcOp *op)
{
    int64_t sizes[MLC_SMALL_RANK], count = 1;
    if (!mlc_structured_is_small(op) || mlc_structured_num_outputs(op) != 1 ||
        mlc_structured_num_inputs(op) > MLC_SMALL_RANK || !gpu_is_buffer(gpu_output_of(op)))
        return false;
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    if (!mlc_affine_map_is_projected_permutation(out, false) || !reads_alone(op))
        return false;
    mlc_structured_loop_sizes(op, sizes);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++) {
        bool is_parallel = mlc_structured_iterator(op, i) == MLC_ITERATOR_PARALLEL;
        if (sizes[i] <= 0 || is_parallel != mlc_affine_map_uses_dim(out, (unsigned)i) ||
            (is_parallel && __builtin_mul_overflow(count, sizes[i], &count)))
            return false;
    }
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++) {
        MlcValue *input = mlc_op_operand(op, i);
        if (mlc_type_is(mlc_value_type(input), MLC_TYPE_TENSOR) ||
            (gpu_is_buffer(input) &&
             mlc_viewed_buffer(input) == mlc_viewed_buffer(gpu_output_of(op))))
            return false;
    }
    return count <= (int64_t)INT32_MAX;
}

bool
gpu_points_are_padded(MlcOp *op)
{
    Padding padding;
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++)
        if (gpu_is_buffer(mlc_op_operand(op, i)) &&
            gpu_padding_read(&padding, mlc_op_operand(op, i), op))
            return true;
    return false;
}

static MlcValue *
read_element(void *user, MlcBuilder *b, MlcOp *op, size_t i, MlcValue *const *ivs)
{
    PointKernel *k = user;
    if (i == mlc_structured_num_inputs(op))
        return k->partial;
    if (!k->is_padded[i])
        return gpu_load_element(b, op, i, ivs);
    MlcValue *indices[MLC_SMALL_RANK];
    gpu_element_indices(b, op, i, ivs, indices);
    return gpu_padding_load(&k->padding[i], b, indices);
}

static LoopGroup
result_loops(MlcOp *op, const int64_t *sizes)
{
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    LoopGroup group = {.count = mlc_affine_map_num_results(out), .size = 1};
    for (size_t i = 0; i < group.count; i++) {
        group.loops[i] = (unsigned)mlc_map_result_dim(out, i);
        group.size *= sizes[group.loops[i]];
    }
    return group;
}

// The longest reduction; the number of loops: there is none.
static size_t
longest_reduction(MlcOp *op, const int64_t *sizes)
{
    size_t n = mlc_structured_num_loops(op), longest = n;
    for (size_t i = 0; i < n; i++)
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL &&
            (longest == n || sizes[i] > sizes[longest]))
            longest = i;
    return longest;
}

void
gpu_points_schedule(MlcOp *op, const MlcTargetDesc *target, Schedule *schedule)
{
    int64_t sizes[MLC_SMALL_RANK], shares = 1;
    mlc_structured_loop_sizes(op, sizes);
    size_t loop = longest_reduction(op, sizes);
    int64_t size = result_loops(op, sizes).size;
    bool can_share = loop < mlc_structured_num_loops(op) && gpu_can_combine(op);
    while (can_share && shares < MAX_SHARES && sizes[loop] >= 2 * shares * MIN_ITERATIONS &&
           size * shares < (int64_t)target->cores * BLOCKS_OF_A_CORE * THREADS)
        shares *= 2;
    *schedule =
        (Schedule){.kind = MLC_GPU_SCHEDULE_KIND_POINTS, .warps = {THREADS / shares, shares}};
}

static MlcOp *
begin_guard(MlcBuilder *b, MlcValue *condition)
{
    MlcOp *guard = mlc_scf_if(b, NULL, 0, condition);
    mlc_builder_create_block(b, mlc_op_region(guard, 0), NULL, 0);
    mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
    return guard;
}

// The launch; the builder goes into its body, where the parallel loops are in `ivs`. Threads beyond
// the last element do its work, too, but for the end.
static void
create_launch(PointKernel *k)
{
    MlcBuilder *b = k->b;
    MlcValue *one = mlc_build_index(b, 1), *bytes = NULL;
    MlcType index[12], i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcType element = mlc_type_element(mlc_value_type(gpu_output_of(k->op)));
    int64_t threads = k->elements * k->shares;
    if (k->shares > 1)
        bytes = mlc_build_int(b, i32, threads * (mlc_type_bit_width(element) / 8));
    MlcOp *launch = mlc_gpu_launch(
        b, NULL, NULL, 0, mlc_build_index(b, mlc_ceil_div(k->group.size, k->elements)), one, one,
        mlc_build_index(b, threads), one, one, NULL, NULL, NULL, bytes);
    for (size_t i = 0; i < 12; i++)
        index[i] = mlc_index_type_get(b->ctx);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(launch, 0), index, 12);
    mlc_builder_before(b, mlc_gpu_terminator(b));
    k->thread = mlc_block_arg(body, 3);
    k->share = gpu_divide(b, k->thread, k->elements);
    MlcValue *number = mlc_arith_addi(b, gpu_scale(b, mlc_block_arg(body, 0), k->elements),
                                      gpu_modulo(b, k->thread, k->elements));
    if (k->group.size % k->elements != 0) {
        MlcValue *last = mlc_build_index(b, k->group.size - 1);
        k->inside = mlc_arith_cmpi(b, number, last, MLC_ARITH_CMPI_PREDICATE_ULE);
        number = mlc_build_select(b, k->inside, number, last);
    }
    gpu_group_indices(b, &k->group, k->sizes, number, k->ivs);
}

// Loops `loop` and on that are reductions, with what they come to.
static MlcValue *
build_reductions(PointKernel *k, size_t loop, MlcValue *partial)
{
    MlcBuilder *b = k->b;
    size_t n = mlc_structured_num_loops(k->op);
    while (loop < n && mlc_structured_iterator(k->op, loop) == MLC_ITERATOR_PARALLEL)
        loop++;
    if (loop == n) {
        k->partial = partial;
        return gpu_build_point(b, k->op, k->ivs, read_element, k);
    }
    MlcType types[2] = {mlc_index_type_get(b->ctx), mlc_value_type(partial)};
    bool in_turn = k->shares > 1 && loop == k->shared_loop;
    MlcOp *made = mlc_scf_for(b, &types[1], 1, in_turn ? k->share : mlc_build_index(b, 0),
                              mlc_build_index(b, k->sizes[loop]),
                              mlc_build_index(b, in_turn ? k->shares : 1), &partial, 1);
    MlcBuilder outside = *b;
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(made, 0), types, 2);
    k->ivs[loop] = mlc_block_arg(body, 0);
    MlcValue *next = build_reductions(k, loop + 1, mlc_block_arg(body, 1));
    mlc_scf_yield(b, &next, 1);
    *b = outside;
    return mlc_op_result(made, 0);
}

// What all threads of an element come to; the builder goes to where one of them has it.
static MlcValue *
join_shares(PointKernel *k, MlcValue *partial, ChainPoint *point)
{
    MlcBuilder *b = k->b;
    MlcType type = mlc_value_type(partial);
    int64_t count = MLC_DYNAMIC, shape = k->elements * k->shares;
    MlcAttr space =
        mlc_enum_attr_get(b->ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_WORKGROUP);
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    MlcValue *bytes =
        mlc_gpu_dynamic_shared_memory(b, mlc_memref_type_get(byte, &count, 1, NULL, space));
    MlcValue *zero = mlc_build_index(b, 0);
    MlcValue *memory =
        mlc_memref_view(b, mlc_memref_type_get(type, &shape, 1, NULL, space), bytes, zero, NULL, 0);
    mlc_memref_store(b, partial, memory, &k->thread, 1);
    mlc_gpu_barrier(b);
    MlcValue *is_first = mlc_arith_cmpi(b, k->share, zero, MLC_ARITH_CMPI_PREDICATE_EQ);
    begin_guard(b, k->inside ? mlc_arith_andi(b, k->inside, is_first) : is_first);
    MlcValue *sum = gpu_chain_initial(point, b);
    for (int64_t i = 0; i < k->shares; i++) {
        MlcValue *at = gpu_add(b, k->thread, i * k->elements);
        MlcValue *part = mlc_memref_load(b, memory, &at, 1);
        sum = sum ? gpu_combine(b, k->op, sum, part) : part;
    }
    return sum;
}

static void
build_element(PointKernel *k, const Chain *chain)
{
    MlcBuilder *b = k->b;
    MlcValue *coordinates[MLC_SMALL_RANK], *value;
    for (size_t i = 0; i < k->group.count; i++)
        coordinates[i] = k->ivs[k->group.loops[i]];
    ChainPoint point = {.chain = chain, .coordinates = coordinates};
    MlcType element = mlc_type_element(mlc_value_type(gpu_output_of(k->op)));
    if (k->shares > 1) {
        value = build_reductions(k, 0, gpu_neutral(b, k->op));
        value = join_shares(k, value, &point);
    } else {
        if (k->inside)
            begin_guard(b, k->inside);
        MlcValue *initial = gpu_chain_initial(&point, b);
        if (!initial)
            initial = mlc_type_is(element, MLC_TYPE_FLOAT) ? mlc_build_float(b, element, 0)
                                                           : mlc_build_int(b, element, 0);
        value = build_reductions(k, 0, initial);
    }
    gpu_chain_finish(&point, b, value);
    gpu_chain_point_release(&point);
}

void
gpu_points_launch(MlcOp *op, const Schedule *schedule)
{
    MlcBuilder b;
    PointKernel k = {
        .b = &b, .op = op, .elements = schedule->warps[0], .shares = schedule->warps[1]};
    MlcValueVec inputs = {0};
    Chain chain;
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++) {
        MlcValue *input = mlc_op_operand(op, i);
        k.is_padded[i] = gpu_is_buffer(input) && gpu_padding_read(&k.padding[i], input, op);
        if (k.is_padded[i])
            mlc_vec_push(&inputs, input);
    }
    mlc_structured_loop_sizes(op, k.sizes);
    k.group = result_loops(op, k.sizes);
    k.shared_loop = longest_reduction(op, k.sizes);
    gpu_chain_read(&chain, op);
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, gpu_chain_place(&chain));
    b.loc = mlc_op_loc(op);
    create_launch(&k);
    build_element(&k, &chain);
    gpu_chain_erase(&chain);
    gpu_chain_release(&chain);
    for (size_t i = 0; i < inputs.size; i++)
        gpu_padding_erase(inputs.data[i]);
    mlc_vec_release(&inputs);
}

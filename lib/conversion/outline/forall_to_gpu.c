// forall_to_gpu.c -- scf.forall that says what its iterations run on becomes a launch.
//
// One mapped to blocks is a launch with a block for each iteration. Those inside that are mapped to
// threads, warps or warpgroups run on the block's threads, counted in one number: iteration i of a
// loop over warps is that of threads 32 i to 32 i + 31. A block has as many threads as the largest
// of its loops takes; the others rest meanwhile, and all meet at a barrier behind it. Buffers that
// the block allocates in workgroup memory are parts of what the launch asks for.
#include "mlc/analysis/alias.h"
#include "mlc/machine.h"
#include "mlc/pass.h"

#include "mlc/ir.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

enum { MAX_THREADS = 1024, WARPS_OF_GROUP = 4, BUFFER_ALIGNMENT = 128, LINEAR = 3 };

typedef enum Mapping { NONE, BLOCKS, WARPGROUPS, WARPS, THREADS } Mapping;

static const char *const names[] = {NULL, "gpu.block", "gpu.warpgroup", "gpu.warp", "gpu.thread"};

// What all dimensions of a loop are mapped to; NONE: nothing, or several kinds.
static Mapping
mapping_of(MlcOp *loop)
{
    MlcAttr list = mlc_scf_forall_isa(loop) ? mlc_op_attr(loop, "mapping") : NULL;
    Mapping found = NONE;
    for (size_t i = 0; list && i < mlc_array_attr_size(list); i++) {
        Mapping kind = BLOCKS;
        while (kind <= THREADS && !mlc_attr_isa(mlc_array_attr_element(list, i), names[kind]))
            kind++;
        if (kind > THREADS || (i > 0 && kind != found))
            return NONE;
        found = kind;
    }
    return found;
}

// How fast dimension `i` moves: 0 the fastest. x is; of linear dimensions the first one. Each speed
// is that of one dimension, as the verifier knows.
static int64_t
speed_of(MlcOp *loop, size_t i)
{
    MlcAttr id = mlc_dialect_attr_param(mlc_array_attr_element(mlc_op_attr(loop, "mapping"), i), 0);
    int64_t value = mlc_enum_attr_value(id);
    return value >= LINEAR ? value - LINEAR : value;
}

typedef struct Bound {
    MlcValue *lower, *step, *count;
} Bound;
typedef MLC_VEC(Bound) BoundVec;

static MlcValue *
bound_value(MlcBuilder *b, MlcOp *loop, size_t group, const char *constants, size_t i)
{
    MlcAttr list = mlc_op_attr(loop, constants);
    size_t next, count;
    mlc_op_operand_group(loop, group, &next, &count);
    for (size_t k = 0; k < i; k++)
        next += mlc_dense_array_attr_int(list, k) == MLC_DYNAMIC;
    int64_t constant = mlc_dense_array_attr_int(list, i);
    return constant == MLC_DYNAMIC ? mlc_op_operand(loop, next) : mlc_build_index(b, constant);
}

static size_t
num_dims(MlcOp *loop)
{
    return mlc_dense_array_attr_size(mlc_op_attr(loop, "staticUpperBound"));
}

// Iterations of each dimension, as constants where the bounds are.
static void
read_bounds(MlcBuilder *b, MlcOp *loop, BoundVec *out)
{
    for (size_t i = 0; i < num_dims(loop); i++) {
        MlcValue *lower = bound_value(b, loop, 0, "staticLowerBound", i),
                 *upper = bound_value(b, loop, 1, "staticUpperBound", i),
                 *step = bound_value(b, loop, 2, "staticStep", i);
        int64_t from, to, by;
        bool known = mlc_value_constant_int(lower, &from) && mlc_value_constant_int(upper, &to) &&
                     mlc_value_constant_int(step, &by) && by > 0;
        MlcValue *count = known ? mlc_build_index(b, to > from ? mlc_ceil_div(to - from, by) : 0)
                                : mlc_arith_ceildivsi(b, mlc_arith_subi(b, upper, lower), step);
        mlc_vec_push(out, (Bound){lower, step, count});
    }
}

// The product of counts; 0: they are not known.
static int64_t
num_iterations(const BoundVec *bounds)
{
    int64_t product = 1, count;
    for (size_t i = 0; i < bounds->size; i++)
        if (!mlc_value_constant_int(bounds->data[i].count, &count) || count <= 0 ||
            __builtin_mul_overflow(product, count, &product))
            return 0;
    return product;
}

// The body's indices from the number of the iteration.
static void
replace_indices(MlcBuilder *b, MlcOp *loop, const BoundVec *bounds, MlcValue *number)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    size_t left = bounds->size;
    for (int64_t speed = 0; left > 0; speed++)
        for (size_t i = 0; i < bounds->size; i++) {
            if (speed_of(loop, i) != speed)
                continue;
            Bound bound = bounds->data[i];
            MlcValue *index = number;
            if (--left > 0) {
                index = mlc_arith_remui(b, number, bound.count);
                number = mlc_arith_divui(b, number, bound.count);
            }
            index = mlc_arith_addi(b, bound.lower, mlc_arith_muli(b, index, bound.step));
            mlc_value_replace_uses(mlc_block_arg(body, i), index);
        }
}

// --- loops of the threads of a block

static int64_t
threads_of(Mapping mapping, int64_t subgroup)
{
    return mapping == THREADS ? 1 : mapping == WARPS ? subgroup : subgroup * WARPS_OF_GROUP;
}

static void
lower_inner(MlcOp *loop, MlcValue *thread, int64_t threads, int64_t subgroup)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, loop);
    BoundVec bounds = {0};
    read_bounds(&b, loop, &bounds);
    int64_t each = threads_of(mapping_of(loop), subgroup), count = num_iterations(&bounds);
    MlcValue *number = each == 1 ? thread : mlc_arith_divui(&b, thread, mlc_build_index(&b, each));
    MlcOp *guard = NULL;
    if (count * each < threads)
        guard = mlc_scf_if(
            &b, NULL, 0,
            mlc_arith_cmpi(&b, number, mlc_build_index(&b, count), MLC_ARITH_CMPI_PREDICATE_ULT));
    MlcOp *barrier = mlc_gpu_barrier(&b);
    mlc_builder_before(&b, barrier);
    if (guard) {
        mlc_builder_create_block(&b, mlc_op_region(guard, 0), NULL, 0);
        mlc_builder_before(&b, mlc_scf_yield(&b, NULL, 0));
    }
    replace_indices(&b, loop, &bounds, number);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    mlc_op_erase(mlc_block_last(body));
    mlc_block_splice(b.block, b.before, body);
    mlc_op_erase(loop);
    mlc_vec_release(&bounds);
}

// Workgroup buffers of the body become parts of the launch's memory; returns its bytes.
static int64_t
place_buffers(MlcBuilder *b, MlcOp *root)
{
    MlcOpVec allocs = {0};
    int64_t offset = 0, size = MLC_DYNAMIC;
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_memref_alloc_isa(op)) {
            MlcType type = mlc_value_type(mlc_op_result(op, 0));
            MlcAttr space = mlc_memref_type_memory_space(type);
            if (space && mlc_attr_isa(space, "gpu.address_space") &&
                mlc_enum_attr_value(space) == MLC_GPU_ADDRESS_SPACE_WORKGROUP &&
                mlc_type_has_static_shape(type) && !mlc_memref_type_layout(type))
                mlc_vec_push(&allocs, op);
        }
    for (size_t i = 0; i < allocs.size; i++) {
        MlcType type = mlc_value_type(mlc_op_result(allocs.data[i], 0)),
                byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
        MlcBuilder at = *b;
        mlc_builder_before(&at, allocs.data[i]);
        MlcValue *memory = mlc_gpu_dynamic_shared_memory(
            &at, mlc_memref_type_get(byte, &size, 1, NULL, mlc_memref_type_memory_space(type)));
        MlcValue *view = mlc_memref_view(&at, type, memory, mlc_build_index(&at, offset), NULL, 0);
        offset += mlc_ceil_div(mlc_buffer_bytes(type), BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT;
        MLC_FOR_EACH_USE_SAFE (use, mlc_op_result(allocs.data[i], 0))
            if (mlc_memref_dealloc_isa(mlc_use_owner(use)))
                mlc_op_erase(mlc_use_owner(use));
        mlc_op_replace(allocs.data[i], &view, 1);
    }
    mlc_vec_release(&allocs);
    return offset;
}

// --- loops over blocks

// Its iterations are some threads' alone: a loop in it would have the others at its barrier.
static bool
is_in_mapped(MlcOp *op, MlcOp *outer)
{
    for (MlcOp *parent = mlc_op_parent(op); parent != outer; parent = mlc_op_parent(parent))
        if (mapping_of(parent) != NONE)
            return true;
    return false;
}

// Threads of a block: what its loops take. 0 after an error.
static int64_t
find_threads(MlcOp *loop, MlcOpVec *inner, int64_t subgroup, int64_t otherwise)
{
    int64_t threads = 0;
    MLC_FOR_EACH_PREORDER (op, loop) {
        if (op == loop || !mlc_scf_forall_isa(op) || !mlc_op_attr(op, "mapping"))
            continue;
        Mapping mapping = mapping_of(op);
        if (mapping == NONE || mapping == BLOCKS)
            return mlc_op_error(op, "expected it to be mapped to threads, warps or warpgroups"), 0;
        if (is_in_mapped(op, loop))
            return mlc_op_error(op, "is inside a loop that is mapped to threads itself"), 0;
        BoundVec bounds = {0};
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(op));
        mlc_builder_before(&b, op);
        read_bounds(&b, op, &bounds);
        int64_t count = num_iterations(&bounds) * threads_of(mapping, subgroup);
        mlc_vec_release(&bounds);
        if (count == 0 || count > MAX_THREADS)
            return mlc_op_error(op, "expected a known number of iterations, of at most %d threads",
                                MAX_THREADS),
                   0;
        if (mlc_op_num_results(op) > 0)
            return mlc_op_error(op, "has results: it has no buffers yet"), 0;
        threads = count > threads ? count : threads;
        mlc_vec_push(inner, op);
    }
    return threads ? mlc_ceil_div(threads, subgroup) * subgroup : otherwise;
}

static bool
lower_outer(MlcOp *loop, const MlcTargetDesc *target)
{
    MlcBuilder b;
    MlcOpVec inner = {0};
    if (mlc_op_num_results(loop) > 0)
        return mlc_op_error(loop, "has results: it has no buffers yet");
    int64_t subgroup = target->gpu_subgroup,
            threads = find_threads(loop, &inner, subgroup, target->gpu_subgroup);
    if (threads == 0)
        return mlc_vec_release(&inner), false;
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, loop);
    BoundVec bounds = {0};
    read_bounds(&b, loop, &bounds);
    MlcValue *blocks = mlc_build_index(&b, 1), *one = blocks;
    for (size_t i = 0; i < bounds.size; i++)
        blocks = mlc_arith_muli(&b, blocks, bounds.data[i].count);
    MlcType i32 = mlc_integer_type_get(b.ctx, 32, MLC_SIGNLESS), index[12];
    int64_t bytes = place_buffers(&b, loop);
    bool ok = bytes <= INT32_MAX || mlc_op_error(loop, "has workgroup buffers of 2 GiB or more");
    MlcValue *memory = bytes ? mlc_build_int(&b, i32, bytes) : NULL;
    MlcOp *launch =
        mlc_gpu_launch(&b, NULL, NULL, 0, blocks, one, one, mlc_build_index(&b, threads), one, one,
                       NULL, NULL, NULL, memory);
    for (size_t i = 0; i < 12; i++)
        index[i] = mlc_index_type_get(b.ctx);
    MlcBlock *body = mlc_builder_create_block(&b, mlc_op_region(launch, 0), index, 12);
    mlc_builder_before(&b, mlc_gpu_terminator(&b));
    replace_indices(&b, loop, &bounds, mlc_block_arg(body, 0));
    MlcBlock *from = mlc_region_first(mlc_op_region(loop, 0));
    mlc_op_erase(mlc_block_last(from));
    mlc_block_splice(b.block, b.before, from);
    mlc_op_erase(loop);
    for (size_t i = inner.size; i-- > 0;)
        lower_inner(inner.data[i], mlc_block_arg(body, 3), threads, subgroup);
    mlc_vec_release(&inner);
    mlc_vec_release(&bounds);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_scf_forall_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    const MlcTargetDesc *target = mlc_target_desc_gpu(mlc_pass_target(pass));
    MlcOpVec loops = {0};
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root)
        if (mapping_of(op) == BLOCKS && !mlc_op_parent_of_kind(op, &mlc_scf_forall_def))
            mlc_vec_push(&loops, op);
    for (size_t i = 0; i < loops.size; i++)
        ok = lower_outer(loops.data[i], target) && ok;
    mlc_vec_release(&loops);
    return ok;
}

static const char *const dialects[] = {"gpu", "arith", "scf", "memref", NULL};

MLC_PASS(forall_to_gpu, .flag = "convert-forall-to-gpu",
         .summary = "Launch scf.forall that is mapped to blocks and threads",
         .dependent_dialects = dialects, .converts = converts, .run = run)

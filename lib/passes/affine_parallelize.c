// affine_parallelize.c -- outermost affine loops whose iterations are independent become
// affine.parallel.
//
// Two accesses of one buffer, one of them a write, are independent across iterations if in some
// dimension of the buffer both touch only c*i + [low, high], where i is the loop's variable, the
// range covers everything inside the loop, and is narrower than a step of i. (The strong SIV test
// widened to intervals: Goff, Kennedy, Tseng, PLDI 1991.) Windows (memref.subview) are followed to
// the buffer they are cut from; different arguments of a kernel never overlap. A perfect nest of
// parallel loops becomes one op, so that there are iterations enough to share out.
//
// By cost: a loop that takes less than it costs to wake another thread stays as it is; others carry
// `mlc.grain`, the iterations that a thread takes at a time, so that taking them is a small part of
// running them, and no more loops of a nest are joined than make iterations of that size.
#include "op_cycles.h"

#include "mlc/affine_gather.h"
#include "mlc/pass.h"

enum { MAX_RANK = 16 };

// An access, as expressions of index values in every dimension of its root buffer, `extent`
// elements from there on.
typedef struct Access {
    MlcOp *op;
    MlcValue *root;
    bool is_write;
    size_t rank;
    MlcAffineExpr index[MAX_RANK];
    int64_t extent[MAX_RANK];
} Access;

typedef struct Nest {
    MlcOp *loop;
    MlcGather values; // shared by all expressions
    MLC_VEC(Access) accesses;
} Nest;

// How an op that touches memory says where: operand number of the buffer, first index, vector
// accessed (-1: one element).
static const struct {
    const char *name;
    int memref, vector; // vector: operand number; -1: the result; -2: a scalar
    bool is_write, has_map;
} kinds[] = {
    {"affine.load", 0, -2, false, true},        {"affine.store", 1, -2, true, true},
    {"affine.vector_load", 0, -1, false, true}, {"affine.vector_store", 1, 0, true, true},
    {"memref.load", 0, -2, false, false},       {"memref.store", 1, -2, true, false},
    {"vector.load", 0, -1, false, false},       {"vector.store", 1, 0, true, false},
    {"vector.maskedload", 0, -1, false, false}, {"vector.maskedstore", 0, -3, true, false},
    {"memref.prefetch", 0, -2, false, false},   {"affine.prefetch", 0, -2, false, true},
};

static bool
gather_indices(Nest *nest, MlcOp *op, size_t first, bool has_map, Access *access)
{
    if (!has_map) {
        for (size_t d = 0; d < access->rank; d++)
            if (!mlc_gather(&nest->values, mlc_op_operand(op, first + d), &access->index[d]))
                return false;
        return true;
    }
    MlcAffineMap map = mlc_affine_map_attr_value(mlc_op_attr(op, "map"));
    MlcAffineExpr inputs[MLC_GATHER_MAX];
    size_t n = mlc_affine_map_num_inputs(map), num_dims = mlc_affine_map_num_dims(map);
    for (size_t i = 0; i < n; i++)
        if (n > MLC_GATHER_MAX ||
            !mlc_gather(&nest->values, mlc_op_operand(op, first + i), &inputs[i]))
            return false;
    for (size_t d = 0; d < access->rank; d++)
        access->index[d] = mlc_affine_replace(mlc_affine_map_result(map, d), inputs, num_dims,
                                              inputs + num_dims, n - num_dims);
    return true;
}

// From a window to the buffer it is cut from: its offsets are added, dropped dimensions come back
// with extent 1.
static bool
follow_subview(Nest *nest, MlcOp *view, Access *access)
{
    MlcType source = mlc_value_type(mlc_op_operand(view, 0)),
            window = mlc_value_type(mlc_op_result(view, 0));
    MlcAttr offsets = mlc_op_attr(view, "static_offsets"),
            sizes = mlc_op_attr(view, "static_sizes");
    MlcAttr strides = mlc_op_attr(view, "static_strides");
    size_t rank = mlc_type_rank(source), next_operand = 1, next_dim = 0;
    Access out = *access;
    if (rank > MAX_RANK)
        return false;
    for (size_t d = 0; d < rank; d++) {
        int64_t offset = mlc_dense_array_attr_int(offsets, d),
                size = mlc_dense_array_attr_int(sizes, d);
        MlcAffineExpr start = NULL;
        if (mlc_dense_array_attr_int(strides, d) != 1)
            return false;
        if (offset != MLC_DYNAMIC)
            start = mlc_affine_constant(mlc_op_context(view), offset);
        else if (!mlc_gather(&nest->values, mlc_op_operand(view, next_operand++), &start))
            return false;
        bool kept = next_dim < mlc_type_rank(window) && mlc_type_dim(window, next_dim) == size;
        out.index[d] = kept ? mlc_affine_add(start, access->index[next_dim]) : start;
        out.extent[d] = kept ? access->extent[next_dim] : 1;
        next_dim += kept;
    }
    out.rank = rank;
    *access = out;
    return next_dim == mlc_type_rank(window);
}

static bool
push_access(Nest *nest, Access *access)
{
    for (MlcOp *def; (def = mlc_value_def(access->root)) &&
                     mlc_str_equal(mlc_op_name(def), mlc_str("memref.subview"));) {
        if (!follow_subview(nest, def, access))
            return false;
        access->root = mlc_op_operand(def, 0);
    }
    if (!mlc_value_is_inside(access->root,
                             nest->loop)) // what is allocated inside belongs to the iteration
        mlc_vec_push(&nest->accesses, *access);
    return true;
}

static bool
add_access(Nest *nest, MlcOp *op, size_t kind)
{
    Access access = {.op = op, .is_write = kinds[kind].is_write};
    access.root = mlc_op_operand(op, (size_t)kinds[kind].memref);
    MlcType type = mlc_value_type(access.root);
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_rank(type) > MAX_RANK)
        return false;
    access.rank = mlc_type_rank(type);
    for (size_t d = 0; d < access.rank; d++)
        access.extent[d] = 1;
    int vector = kinds[kind].vector;
    if (vector != -2 && access.rank > 0) {
        MlcValue *value = vector == -1   ? mlc_op_result(op, 0)
                          : vector == -3 ? mlc_op_operand(op, mlc_op_num_operands(op) - 1)
                                         : mlc_op_operand(op, (size_t)vector);
        if (mlc_type_rank(mlc_value_type(value)) != 1)
            return false;
        access.extent[access.rank - 1] = mlc_type_dim(mlc_value_type(value), 0);
    }
    if (!gather_indices(nest, op, (size_t)kinds[kind].memref + 1, kinds[kind].has_map, &access))
        return false;
    return push_access(nest, &access);
}

// memref.copy: all of both buffers.
static bool
add_copy(Nest *nest, MlcOp *op)
{
    for (size_t i = 0; i < 2; i++) {
        Access access = {.op = op, .is_write = i == 1, .root = mlc_op_operand(op, i)};
        MlcType type = mlc_value_type(access.root);
        if (mlc_type_rank(type) > MAX_RANK || !mlc_type_has_static_shape(type))
            return false;
        access.rank = mlc_type_rank(type);
        for (size_t d = 0; d < access.rank; d++) {
            access.index[d] = mlc_affine_constant(mlc_op_context(op), 0);
            access.extent[d] = mlc_type_dim(type, d);
        }
        if (!push_access(nest, &access))
            return false;
    }
    return true;
}

static bool
is_harmless(MlcOp *op)
{
    return mlc_op_is_memory_effect_free(op) || mlc_op_num_regions(op) > 0 ||
           mlc_str_equal(mlc_op_name(op), mlc_str("memref.alloc")) ||
           mlc_str_equal(mlc_op_name(op), mlc_str("memref.alloca")) ||
           mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR);
}

static MlcOp *
collect(Nest *nest)
{
    MLC_FOR_EACH_PREORDER (op, nest->loop) {
        size_t kind = 0, n = sizeof kinds / sizeof *kinds;
        while (kind < n && !mlc_str_equal(mlc_op_name(op), mlc_str(kinds[kind].name)))
            kind++;
        bool known = kind < n ? add_access(nest, op, kind)
                     : mlc_str_equal(mlc_op_name(op), mlc_str("memref.copy")) ? add_copy(nest, op)
                                                                              : is_harmless(op);
        if (!known)
            return op;
    }
    return NULL;
}

// What `value`, a loop variable, ranges over; false if its loop's bounds are not constant.
static bool
range_of(MlcValue *value, int64_t *low, int64_t *high)
{
    MlcOp *loop = mlc_block_parent(mlc_value_block(value));
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    int64_t upper, step;
    if (!methods || !methods->constant_bounds ||
        !methods->constant_bounds(loop, mlc_value_index(value), low, &upper, &step))
        return false;
    *high = upper > *low ? *low + (upper - *low - 1) / step * step : *low;
    return true;
}

// index = coefficient * variable + outer + [low, high], where `outer` is the part of variables
// outside the loop.
typedef struct Span {
    int64_t coefficient, low, high;
    int64_t outer[MLC_GATHER_MAX];
} Span;

static bool
span_of(const Nest *nest, MlcAffineExpr index, int64_t extent, Span *span)
{
    int64_t coeffs[MLC_GATHER_MAX + 1];
    size_t n = nest->values.num_values;
    *span = (Span){0};
    if (!mlc_affine_linear(index, (unsigned)n, 0, coeffs))
        return false;
    span->low = span->high = coeffs[n];
    for (size_t i = 0; i < n; i++) {
        MlcValue *value = nest->values.values[i];
        MlcOp *owner = mlc_block_parent(mlc_value_block(value));
        int64_t low, high;
        if (coeffs[i] == 0)
            continue;
        if (owner == nest->loop) {
            span->coefficient = coeffs[i];
        } else if (!mlc_op_is_ancestor(nest->loop, owner)) {
            span->outer[i] = coeffs[i];
        } else {
            if (!range_of(value, &low, &high))
                return false;
            span->low += coeffs[i] > 0 ? coeffs[i] * low : coeffs[i] * high;
            span->high += coeffs[i] > 0 ? coeffs[i] * high : coeffs[i] * low;
        }
    }
    span->high += extent - 1;
    return true;
}

static bool
independent(const Nest *nest, const Access *a, const Access *b, int64_t step)
{
    for (size_t d = 0; d < a->rank && a->rank == b->rank; d++) {
        Span x, y;
        if (!span_of(nest, a->index[d], a->extent[d], &x) ||
            !span_of(nest, b->index[d], b->extent[d], &y))
            continue;
        if (x.coefficient == 0 || x.coefficient != y.coefficient ||
            memcmp(x.outer, y.outer, sizeof x.outer) != 0)
            continue;
        int64_t low = x.low < y.low ? x.low : y.low, high = x.high > y.high ? x.high : y.high;
        int64_t stride = x.coefficient > 0 ? x.coefficient * step : -x.coefficient * step;
        if (high - low < stride)
            return true;
    }
    return false;
}

// A view that is no window (a reshape, memref.view) stands for its buffer only if nothing else
// there goes around it.
static MlcValue *
base_of(MlcValue *root)
{
    for (MlcOp *def;
         (def = mlc_value_def(root)) && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE);) {
        if (mlc_str_equal(mlc_op_name(def), mlc_str("memref.view")))
            return root; // kernel-scratch gives each its own bytes
        root = mlc_op_operand(def, 0);
    }
    return root;
}

static bool
is_parallel(MlcOp *loop)
{
    int64_t lower, upper, step;
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    if (mlc_op_num_results(loop) > 0)
        return mlc_op_remark(loop,
                             "not parallel: it carries values from one iteration to the next"),
               false;
    if (!methods->constant_bounds(loop, 0, &lower, &upper, &step))
        return mlc_op_remark(loop, "not parallel: its bounds are not constant"), false;
    Nest nest = {.loop = loop};
    MlcOp *obstacle = collect(&nest);
    const Access *bad = NULL;
    for (size_t i = 0; !obstacle && !bad && i < nest.accesses.size; i++)
        for (size_t j = i; !bad && j < nest.accesses.size; j++) {
            const Access *a = &nest.accesses.data[i], *b = &nest.accesses.data[j];
            if ((!a->is_write && !b->is_write) || base_of(a->root) != base_of(b->root))
                continue;
            if (a->root != b->root || !independent(&nest, a, b, step))
                bad = a;
        }
    if (obstacle)
        mlc_op_remark(loop, "not parallel: what '%.*s' inside touches is not known",
                      MLC_STR_FMT(mlc_op_name(obstacle)));
    else if (bad)
        mlc_op_remark(loop, "not parallel: '%.*s' inside may touch what another iteration touches",
                      MLC_STR_FMT(mlc_op_name(bad->op)));
    bool ok = !obstacle && !bad;
    mlc_vec_release(&nest.accesses);
    return ok;
}

// The only loop in the body, if all else there has no effect and can go inside; else NULL.
static MlcOp *
only_inner_loop(MlcOp *loop)
{
    MlcOp *inner = NULL;
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MLC_FOR_EACH_OP (op, body) {
        if (mlc_str_equal(mlc_op_name(op), mlc_str("affine.for"))) {
            if (inner)
                return NULL;
            inner = op;
        } else if (op != mlc_block_terminator(body) && (!mlc_op_is_pure(op) || inner)) {
            return NULL;
        }
    }
    return inner;
}

static void
sink_into(MlcOp *outer, MlcOp *inner)
{
    MlcOp *first = mlc_block_first(mlc_region_first(mlc_op_region(inner, 0)));
    MLC_FOR_EACH_OP_SAFE (op, mlc_region_first(mlc_op_region(outer, 0))) {
        if (op == inner)
            return;
        mlc_op_move_before(op, first);
    }
}

enum { MAX_DEPTH = 3 };

static MlcOp *
make_parallel(MlcOp *const *loops, size_t num_loops)
{
    MlcContext *ctx = mlc_op_context(loops[0]);
    MlcAffineExpr lower[MAX_DEPTH], upper[MAX_DEPTH];
    int64_t steps[MAX_DEPTH];
    MLC_VEC(MlcAttr) step_attrs = {0};
    for (size_t i = 0; i < num_loops; i++) {
        const MlcLoop *methods = mlc_op_interface(loops[i], MLC_INTERFACE_LOOP);
        int64_t low, high;
        methods->constant_bounds(loops[i], 0, &low, &high, &steps[i]);
        lower[i] = mlc_affine_constant(ctx, low);
        upper[i] = mlc_affine_constant(ctx, high);
        mlc_vec_push(&step_attrs, mlc_i64_attr_get(ctx, steps[i]));
    }
    int64_t shape = (int64_t)num_loops;
    MlcType group_type =
        mlc_tensor_type_get(mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), &shape, 1, NULL);
    MlcAttr groups = mlc_dense_attr_splat(group_type, mlc_i32_attr_get(ctx, 1));
    MlcNamedAttr attrs[] = {
        mlc_named(ctx, "reductions", mlc_array_attr_get(ctx, NULL, 0)),
        mlc_named(ctx, "lowerBoundsMap",
                  mlc_affine_map_attr_get(mlc_affine_map_get(ctx, 0, 0, lower, num_loops))),
        mlc_named(ctx, "lowerBoundsGroups", groups),
        mlc_named(ctx, "upperBoundsMap",
                  mlc_affine_map_attr_get(mlc_affine_map_get(ctx, 0, 0, upper, num_loops))),
        mlc_named(ctx, "upperBoundsGroups", groups),
        mlc_named(ctx, "steps", mlc_array_attr_get(ctx, step_attrs.data, step_attrs.size)),
    };
    mlc_vec_release(&step_attrs);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, loops[0]);
    MlcOp *parallel = mlc_build_op(&b, "affine.parallel", NULL, 0, NULL, 0, attrs,
                                   sizeof attrs / sizeof *attrs, 1);
    MlcOp *innermost = loops[num_loops - 1];
    mlc_region_take_body(mlc_op_region(parallel, 0), mlc_op_region(innermost, 0));
    MlcBlock *body = mlc_region_first(mlc_op_region(parallel, 0));
    for (size_t i = 0; i + 1 < num_loops; i++) {
        MlcValue *variable = mlc_block_arg(mlc_region_first(mlc_op_region(loops[i], 0)), 0);
        mlc_value_replace_uses(variable, mlc_block_insert_arg(body, i, mlc_value_type(variable),
                                                              mlc_op_loc(loops[i])));
    }
    mlc_op_erase(loops[0]);
    return parallel;
}

// ---- what it costs to share out

enum {
    MIN_THREADS = 2,     // to gain anything from
    CHUNKS_PER_COST = 20 // a chunk takes this many times what it costs to take it
};

static double
chunk_cycles(const MlcTargetDesc *target)
{
    return CHUNKS_PER_COST * (double)target->chunk_cycles;
}

static bool
is_worth_sharing(MlcOp *loop, const MlcTargetDesc *target)
{
    double cycles = mlc_op_cycles(loop, target), cost = MIN_THREADS * (double)target->region_cycles;
    if (cycles < cost)
        mlc_op_remark(loop,
                      "not parallel: it takes about %.0f cycles, sharing it out saves none "
                      "below %.0f",
                      cycles, cost);
    return cycles >= cost;
}

static int64_t
grain_of(MlcOp *innermost, const MlcTargetDesc *target)
{
    double body = mlc_op_body_cycles(innermost, target), wanted = chunk_cycles(target);
    return body >= wanted ? 1 : body > 1 ? (int64_t)(wanted / body) + 1 : (int64_t)wanted;
}

static bool
share_out(MlcOp *outermost, const MlcTargetDesc *target)
{
    MlcOp *loops[MAX_DEPTH] = {outermost};
    if ((target && !is_worth_sharing(outermost, target)) || !is_parallel(outermost))
        return false;
    size_t depth = 1;
    for (MlcOp *inner; depth < MAX_DEPTH && (inner = only_inner_loop(loops[depth - 1]));) {
        bool is_fine =
            target && mlc_op_body_cycles(loops[depth - 1], target) < chunk_cycles(target);
        if (is_fine || !is_parallel(inner))
            break;
        sink_into(loops[depth - 1], inner);
        loops[depth++] = inner;
    }
    int64_t grain = target ? grain_of(loops[depth - 1], target) : 1;
    MlcOp *parallel = make_parallel(loops, depth);
    if (target)
        mlc_op_set_attr(parallel, "mlc.grain", mlc_i64_attr_get(mlc_op_context(parallel), grain));
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    const MlcTargetDesc *target =
        mlc_pass_option_bool(pass, "by-cost") ? mlc_pass_target(pass) : NULL;
    MlcOpVec outermost = {0};
    for (MlcOp *op = root, *next; op; op = next) {
        next = mlc_op_preorder_next(op, root);
        if (!mlc_op_interface(op, MLC_INTERFACE_LOOP))
            continue;
        if (mlc_str_equal(mlc_op_name(op), mlc_str("affine.for")))
            mlc_vec_push(&outermost, op);
        while (next && mlc_op_is_ancestor(op, next)) // nothing inside is outermost
            next = mlc_op_preorder_next(next, root);
    }
    int64_t count = 0;
    for (size_t i = 0; i < outermost.size; i++)
        count += share_out(outermost.data[i], target);
    mlc_vec_release(&outermost);
    mlc_pass_count(pass, "parallel-loops", count);
    return true;
}

static const MlcPassOption options[] = {
    {"by-cost", MLC_OPTION_BOOL, "false",
     "leave loops that the target's threads would not make faster, and set the grain of others"},
};

static const char *const dialects[] = {"affine", NULL};

MLC_PASS(affine_parallelize, .flag = "affine-parallelize",
         .summary = "Run independent iterations of outermost affine loops in parallel",
         .anchor = "func.func", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .run = run)

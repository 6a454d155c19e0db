// vectorize_sums.c -- the loops of a reduction around accumulators in registers, and sums in blocks
// (sum_block.h).
#include "vectorize.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

enum { SHORT_BLOCK = 64 };

// `size` steps of the reduction at `level` from `start` on, and all of those inside, in the first
// `blocks` of the op's. `extent`: the size where it is MLC_DYNAMIC.
typedef struct Steps {
    size_t level;
    MlcAffineExpr start;
    int64_t size;
    size_t blocks;
    MlcAffineExpr extent;
} Steps;

typedef struct Loop {
    MlcOp *op;
    MlcBuilder outside;
} Loop;

// A loop over `size` elements, which carries the values; gives where in the reduction it is.
static MlcAffineExpr
enter_loop(MlcVectorizer *v, Loop *loop, MlcAffineExpr start, int64_t size, int64_t step,
           MlcValue **values, size_t num_values)
{
    loop->outside = v->b;
    loop->op = mlc_build_for(&v->b, 0, size, step, values, num_values);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop->op, 0));
    for (size_t i = 0; i < num_values; i++)
        values[i] = mlc_block_arg(body, i + 1);
    MlcAffineExpr at = mlc_index_values_expr(&v->indices, v->ctx, mlc_block_arg(body, 0));
    return mlc_affine_add(start, at);
}

// The same from `from` to `to`, which may be no step at all.
static MlcAffineExpr
enter_dynamic_loop(MlcVectorizer *v, Loop *loop, MlcAffineExpr from, MlcAffineExpr to, int64_t step,
                   MlcValue **values, size_t num_values)
{
    MlcValue *first = mlc_index_values_at(&v->indices, &v->b, from),
             *end = mlc_index_values_at(&v->indices, &v->b, to);
    loop->outside = v->b;
    loop->op = mlc_build_for_values(&v->b, first, end, step, values, num_values);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop->op, 0));
    for (size_t i = 0; i < num_values; i++)
        values[i] = mlc_block_arg(body, i + 1);
    return mlc_index_values_expr(&v->indices, v->ctx, mlc_block_arg(body, 0));
}

static void
leave_loop(MlcVectorizer *v, const Loop *loop, MlcValue **values, size_t num_values)
{
    mlc_scf_yield(&v->b, values, num_values);
    for (size_t i = 0; i < num_values; i++)
        values[i] = mlc_op_result(loop->op, i);
    v->b = loop->outside;
    v->indices.block = NULL;
}

static bool
is_innermost(const MlcVectorizer *v, const Steps *s)
{
    return s->level + 1 == v->num_reductions;
}

// Iterations of the innermost reduction that one op does.
static int64_t
step_lanes(const MlcVectorizer *v)
{
    return v->lanes ? v->lanes : v->depth ? v->depth : 1;
}

static int64_t
unroll_factor(MlcVectorizer *v, int64_t size)
{
    if (v->depth)
        return 1;
    bool is_wide = v->tile->num_chunks >= 4 && mlc_structured_is_contraction(v->op);
    return is_wide && !v->lanes && (size == MLC_DYNAMIC || size % 2 == 0) ? 2 : 1;
}

static void emit_steps(MlcVectorizer *v, Steps s, MlcValue **values, size_t num_values);

// All of a reduction.
static Steps
whole_loop(MlcVectorizer *v, size_t level, size_t blocks)
{
    size_t loop = v->reductions[level];
    return (Steps){level, mlc_affine_constant(v->ctx, 0), v->extent[loop], blocks,
                   v->dynamic_extent[loop]};
}

// All that is inside of one step; of `lanes` steps, where they run in the lanes of vectors, or of
// `count`.
static void
emit_step(MlcVectorizer *v, const Steps *s, MlcAffineExpr at, int64_t lanes, MlcValue *count,
          MlcValue **values, size_t num_values)
{
    v->at[v->reductions[s->level]] = at;
    if (!is_innermost(v, s)) {
        emit_steps(v, whole_loop(v, s->level + 1, s->blocks), values, num_values);
    } else if (v->lanes) {
        MlcChunk c = {.lanes = lanes, .width = v->lanes, .count = count};
        mlc_vectorize_lanes(v, values, c);
    } else if (v->depth) {
        mlc_vectorize_tile_step(v, values);
    } else {
        mlc_vectorize_points(v, values);
    }
}

static void
emit_chain(MlcVectorizer *v, const Steps *s, MlcValue **values, size_t num_values)
{
    int64_t lanes = is_innermost(v, s) ? step_lanes(v) : 1,
            unroll = is_innermost(v, s) ? unroll_factor(v, s->size) : 1, step = lanes * unroll,
            main = s->size / step * step;
    Loop loop;
    MlcAffineExpr at = s->start;
    if (main > step)
        at = enter_loop(v, &loop, s->start, main, step, values, num_values);
    for (int64_t u = 0; main > 0 && u < unroll; u++)
        emit_step(v, s, mlc_affine_add_const(at, u), lanes, NULL, values, num_values);
    if (main > step)
        leave_loop(v, &loop, values, num_values);
    if (main < s->size)
        emit_step(v, s, mlc_affine_add_const(s->start, main), s->size - main, NULL, values,
                  num_values);
}

// The same where the size is not known: full steps, and a loop for what they leave: single steps,
// or one whose lanes are masked.
static void
emit_dynamic_chain(MlcVectorizer *v, const Steps *s, MlcValue **values, size_t num_values)
{
    int64_t lanes = is_innermost(v, s) && v->lanes ? v->lanes : 1,
            unroll = is_innermost(v, s) ? unroll_factor(v, s->size) : 1, step = lanes * unroll;
    MlcAffineExpr by = mlc_affine_constant(v->ctx, step),
                  steps = mlc_affine_binary(MLC_AFFINE_FLOORDIV, s->extent, by),
                  middle = mlc_affine_add(s->start, mlc_affine_mul_const(steps, step)),
                  end = mlc_affine_add(s->start, s->extent);
    Loop loop;
    MlcAffineExpr at = enter_dynamic_loop(v, &loop, s->start, middle, step, values, num_values);
    for (int64_t u = 0; u < unroll; u++)
        emit_step(v, s, mlc_affine_add_const(at, u), lanes, NULL, values, num_values);
    leave_loop(v, &loop, values, num_values);
    if (step == 1)
        return;
    MlcAffineExpr left = mlc_affine_binary(MLC_AFFINE_MOD, s->extent, by);
    MlcValue *count = lanes > 1 ? mlc_index_values_at(&v->indices, &v->b, left) : NULL;
    at = enter_dynamic_loop(v, &loop, middle, end, lanes, values, num_values);
    emit_step(v, s, at, lanes, count, values, num_values);
    leave_loop(v, &loop, values, num_values);
}

// One block of the sum, from zero, and then added to `values`. Of several short blocks the first
// steps stand before the loop: products are made in less time than zeros are set and added to.
static void
emit_block(MlcVectorizer *v, Steps s, MlcValue **values, size_t num_values)
{
    MlcValue **sums = MLC_NEW_ARRAY(mlc_pass_scratch(v->pass), MlcValue *, num_values);
    for (size_t i = 0; i < num_values; i++) {
        MlcType type = mlc_value_type(values[i]);
        MlcAttr zero = mlc_float_attr_get(mlc_type_element(type), 0);
        bool is_vector = mlc_type_is(type, MLC_TYPE_VECTOR);
        sums[i] = mlc_build_constant(&v->b, is_vector ? mlc_dense_attr_splat(type, zero) : zero);
    }
    bool is_short = is_innermost(v, &s) && !v->lanes && s.size != MLC_DYNAMIC &&
                    s.size <= SHORT_BLOCK && s.size < v->extent[v->reductions[s.level]];
    int64_t first = is_short ? unroll_factor(v, s.size) : 0;
    for (int64_t u = 0; u < first; u++)
        emit_step(v, &s, mlc_affine_add_const(s.start, u), 1, NULL, sums, num_values);
    s.start = mlc_affine_add_const(s.start, first);
    s.size -= first;
    emit_steps(v, s, sums, num_values);
    for (size_t i = 0; i < num_values; i++)
        values[i] =
            mlc_vectorize_is_zero(values[i]) ? sums[i] : mlc_arith_addf(&v->b, values[i], sums[i]);
}

// Blocks of `size`, the last of them of what is left.
static void
emit_dynamic_blocks(MlcVectorizer *v, const Steps *s, int64_t size, MlcValue **values,
                    size_t num_values)
{
    MlcAffineExpr end = mlc_affine_add(s->start, s->extent), most = mlc_affine_dim(v->ctx, 0);
    Loop loop;
    MlcAffineExpr at = enter_dynamic_loop(v, &loop, s->start, end, size, values, num_values);
    MlcAffineExpr left = mlc_affine_add(end, mlc_affine_mul_const(at, -1)),
                  sizes[] = {mlc_affine_constant(v->ctx, size), most};
    MlcValue *rest = mlc_index_values_at(&v->indices, &v->b, left),
             *here = mlc_affine_min(&v->b, &rest, 1, mlc_affine_map_get(v->ctx, 1, 0, sizes, 2));
    MlcAffineExpr extent = mlc_index_values_expr(&v->indices, v->ctx, here);
    emit_block(v, (Steps){s->level, at, MLC_DYNAMIC, s->blocks - 1, extent}, values, num_values);
    leave_loop(v, &loop, values, num_values);
}

// In blocks, the last of which may be shorter, or one by one.
static void
emit_steps(MlcVectorizer *v, Steps s, MlcValue **values, size_t num_values)
{
    const MlcSumBlock *block = s.blocks ? &v->blocks.of[s.blocks - 1] : NULL;
    bool is_chain = !block || block->loop != v->reductions[s.level];
    if (s.size == MLC_DYNAMIC) {
        if (is_chain)
            emit_dynamic_chain(v, &s, values, num_values);
        else
            emit_dynamic_blocks(v, &s, block->size, values, num_values);
        return;
    }
    if (is_chain) {
        emit_chain(v, &s, values, num_values);
        return;
    }
    int64_t size = block->size, main = s.size / size * size;
    size_t inside = s.blocks - 1;
    if (main > size) {
        Loop loop;
        MlcAffineExpr at = enter_loop(v, &loop, s.start, main, size, values, num_values);
        emit_block(v, (Steps){s.level, at, size, inside, NULL}, values, num_values);
        leave_loop(v, &loop, values, num_values);
    } else if (main == size) {
        emit_block(v, (Steps){s.level, s.start, size, inside, NULL}, values, num_values);
    }
    MlcAffineExpr rest = mlc_affine_add_const(s.start, main);
    if (main < s.size)
        emit_block(v, (Steps){s.level, rest, s.size - main, inside, NULL}, values, num_values);
}

void
mlc_vectorize_sums(MlcVectorizer *v, MlcValue **values, size_t num_values)
{
    v->blocks = mlc_sum_blocks(v->op, v->reductions, v->num_reductions, v->lanes ? v->lanes : 1);
    emit_steps(v, whole_loop(v, 0, v->blocks.num), values, num_values);
}

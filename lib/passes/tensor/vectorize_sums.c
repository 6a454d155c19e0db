// vectorize_sums.c -- the loops of a reduction around accumulators in registers, and sums in blocks
// (sum_block.h).
#include "vectorize.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

enum { SHORT_BLOCK = 64 };

// `size` steps of the reduction at `level` from `start` on, and all of those inside, in the first
// `blocks` of the op's.
typedef struct Steps {
    size_t level;
    MlcAffineExpr start;
    int64_t size;
    size_t blocks;
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

static int64_t
unroll_factor(MlcVectorizer *v, int64_t size)
{
    bool is_wide = v->tile->num_chunks >= 4 && mlc_structured_is_contraction(v->op);
    return is_wide && !v->lanes && size % 2 == 0 ? 2 : 1;
}

static void emit_steps(MlcVectorizer *v, Steps s, MlcValue **values, size_t num_values);

// All that is inside of one step; of `lanes` steps, where they run in the lanes of vectors.
static void
emit_step(MlcVectorizer *v, const Steps *s, MlcAffineExpr at, int64_t lanes, MlcValue **values,
          size_t num_values)
{
    v->at[v->reductions[s->level]] = at;
    if (!is_innermost(v, s)) {
        MlcAffineExpr zero = mlc_affine_constant(v->ctx, 0);
        int64_t extent = v->extent[v->reductions[s->level + 1]];
        emit_steps(v, (Steps){s->level + 1, zero, extent, s->blocks}, values, num_values);
    } else if (v->lanes) {
        mlc_vectorize_lanes(v, values, (MlcChunk){.lanes = lanes, .width = v->lanes});
    } else {
        mlc_vectorize_points(v, values);
    }
}

static void
emit_chain(MlcVectorizer *v, const Steps *s, MlcValue **values, size_t num_values)
{
    int64_t lanes = is_innermost(v, s) && v->lanes ? v->lanes : 1,
            unroll = is_innermost(v, s) ? unroll_factor(v, s->size) : 1, step = lanes * unroll,
            main = s->size / step * step;
    Loop loop;
    MlcAffineExpr at = s->start;
    if (main > step)
        at = enter_loop(v, &loop, s->start, main, step, values, num_values);
    for (int64_t u = 0; main > 0 && u < unroll; u++)
        emit_step(v, s, mlc_affine_add_const(at, u), lanes, values, num_values);
    if (main > step)
        leave_loop(v, &loop, values, num_values);
    if (main < s->size)
        emit_step(v, s, mlc_affine_add_const(s->start, main), s->size - main, values, num_values);
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
    bool is_short = is_innermost(v, &s) && !v->lanes && s.size <= SHORT_BLOCK &&
                    s.size < v->extent[v->reductions[s.level]];
    int64_t first = is_short ? unroll_factor(v, s.size) : 0;
    for (int64_t u = 0; u < first; u++)
        emit_step(v, &s, mlc_affine_add_const(s.start, u), 1, sums, num_values);
    s.start = mlc_affine_add_const(s.start, first);
    s.size -= first;
    emit_steps(v, s, sums, num_values);
    for (size_t i = 0; i < num_values; i++)
        values[i] =
            mlc_vectorize_is_zero(values[i]) ? sums[i] : mlc_arith_addf(&v->b, values[i], sums[i]);
}

// In blocks, the last of which may be shorter, or one by one.
static void
emit_steps(MlcVectorizer *v, Steps s, MlcValue **values, size_t num_values)
{
    const MlcSumBlock *block = s.blocks ? &v->blocks.of[s.blocks - 1] : NULL;
    if (!block || block->loop != v->reductions[s.level]) {
        emit_chain(v, &s, values, num_values);
        return;
    }
    int64_t size = block->size, main = s.size / size * size;
    size_t inside = s.blocks - 1;
    if (main > size) {
        Loop loop;
        MlcAffineExpr at = enter_loop(v, &loop, s.start, main, size, values, num_values);
        emit_block(v, (Steps){s.level, at, size, inside}, values, num_values);
        leave_loop(v, &loop, values, num_values);
    } else if (main == size) {
        emit_block(v, (Steps){s.level, s.start, size, inside}, values, num_values);
    }
    MlcAffineExpr rest = mlc_affine_add_const(s.start, main);
    if (main < s.size)
        emit_block(v, (Steps){s.level, rest, s.size - main, inside}, values, num_values);
}

void
mlc_vectorize_sums(MlcVectorizer *v, MlcValue **values, size_t num_values)
{
    v->blocks = mlc_sum_blocks(v->op, v->reductions, v->num_reductions, v->lanes ? v->lanes : 1);
    Steps all = {0, mlc_affine_constant(v->ctx, 0), v->extent[v->reductions[0]], v->blocks.num};
    emit_steps(v, all, values, num_values);
}

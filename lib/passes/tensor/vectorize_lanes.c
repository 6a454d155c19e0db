// vectorize_lanes.c -- reductions in the lanes of vectors: dot products, rows that are summed.
//
// Each element of the result has a vector of its own, which a loop along the reduction adds to; its
// lanes are joined at the end. The order of the sum is a function of the shapes alone.
#include "vectorize.h"

#include "mlc/dialects/scf.h"
#include "mlc/dialects/vector.h"

// vector.reduction of `vector`, joined with `init` by what `combine` does.
static MlcValue *
reduce_lanes(MlcVectorizer *v, MlcValue *vector, MlcValue *init, MlcOp *combine)
{
    double neutral;
    MlcStr kind = mlc_str(mlc_combine_kind(combine, &neutral));
    const MlcAttrDef *def = &mlc_vector_kind_attr_def;
    int64_t value = 0;
    for (size_t i = 0; i < def->num_cases; i++)
        if (mlc_str_equal(mlc_str(def->cases[i].name), kind))
            value = def->cases[i].value;
    MlcValue *reduced = mlc_vector_reduction(&v->b, mlc_value_type(init), vector, NULL, value);
    MlcOp *join = mlc_builder_insert(&v->b, mlc_op_clone_without_regions(combine, NULL));
    mlc_op_set_operand(join, 0, init);
    mlc_op_set_operand(join, 1, reduced);
    return mlc_op_result(join, 0);
}

static void
move_to_element(MlcVectorizer *v, int64_t p, int64_t channel)
{
    mlc_vectorize_move_to(v, p, (MlcChunk){.start = channel});
}

// One step of all elements: `c` lanes of the reduction at v->at. Lanes that are off keep what they
// had.
static void
emit_lanes(MlcVectorizer *v, MlcValue **values, int64_t channels, MlcChunk c)
{
    MlcValue *mask = mlc_build_mask(&v->b, c);
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < v->tile->num_points; p++)
        for (int64_t i = 0; i < channels; i++) {
            MlcValue **value = &values[p * channels + i], *old = *value;
            move_to_element(v, p, i);
            *value = mlc_vectorize_body(v, old, c);
            if (mask)
                *value = mlc_build_select(&v->b, mask, *value, old);
        }
}

// Loop `level` of the reductions; the lanes' own loop is last, in steps of a vector, and a rest.
static void
emit_lane_loop(MlcVectorizer *v, size_t level, MlcValue **values, int64_t channels)
{
    size_t loop = v->reductions[level], num_values = (size_t)(v->tile->num_points * channels);
    bool is_lanes = level + 1 == v->num_reductions;
    int64_t step = is_lanes ? v->tile->vector : 1, main = v->extent[loop] / step * step;
    if (main > 0) {
        MlcBuilder outside = v->b;
        MlcOp *op = mlc_build_for(&v->b, 0, main, step, values, num_values);
        MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
        v->at[loop] = mlc_index_values_expr(&v->indices, v->ctx, mlc_block_arg(body, 0));
        for (size_t i = 0; i < num_values; i++)
            values[i] = mlc_block_arg(body, i + 1);
        if (is_lanes)
            emit_lanes(v, values, channels, (MlcChunk){.lanes = step, .width = step});
        else
            emit_lane_loop(v, level + 1, values, channels);
        mlc_scf_yield(&v->b, values, num_values);
        for (size_t i = 0; i < num_values; i++)
            values[i] = mlc_op_result(op, i);
        v->b = outside;
        v->indices.block = NULL;
    }
    if (main < v->extent[loop]) {
        v->at[loop] = mlc_affine_constant(v->ctx, main);
        emit_lanes(v, values, channels, (MlcChunk){.lanes = v->extent[loop] - main, .width = step});
    }
}

// The elements of the result, reduced and joined with what they start from, as the tile's vectors.
static void
finish_lanes(MlcVectorizer *v, MlcValue *const *values, int64_t channels, MlcOp *combine)
{
    MlcVectorTile *t = v->tile;
    mlc_vec_clear(&v->reads);
    v->channel = -1;
    for (int64_t p = 0; p < t->num_points; p++)
        for (int64_t i = 0; i < t->num_chunks; i++) {
            MlcChunk c = mlc_vectorize_chunk(t, i);
            MlcValue *lanes[MLC_MAX_LANES];
            for (int64_t k = 0; k < (c.width ? c.width : 1); k++) {
                if (k >= c.lanes) {
                    lanes[k] = lanes[0];
                    continue;
                }
                move_to_element(v, p, c.start + k);
                MlcValue *init = mlc_vectorize_operand(v, mlc_structured_num_inputs(v->op),
                                                       (MlcChunk){.lanes = 1});
                lanes[k] = reduce_lanes(v, values[p * channels + c.start + k], init, combine);
            }
            MlcType type = mlc_lanes_type(t->element, c.width);
            t->values[p * t->num_chunks + i] =
                c.width ? mlc_vector_from_elements(&v->b, type, lanes, (size_t)c.width) : lanes[0];
        }
}

void
mlc_vectorize_lane_reduction(MlcVectorizer *v, int loop, MlcOp *combine)
{
    int64_t channels = v->tile->rank ? v->tile->shape[v->tile->rank - 1] : 1;
    size_t n = (size_t)(v->tile->num_points * channels), last = 0;
    MlcValue **values = MLC_NEW_ARRAY(mlc_pass_scratch(v->pass), MlcValue *, n);
    double neutral = 0;
    (void)mlc_combine_kind(combine, &neutral);
    MlcValue *start = mlc_type_is_float(v->tile->element)
                          ? mlc_build_float(&v->b, v->tile->element, neutral)
                          : mlc_build_int(&v->b, v->tile->element, (int64_t)neutral);
    start = mlc_build_splat(&v->b, start, v->tile->vector);
    for (size_t i = 0; i < n; i++)
        values[i] = start;
    for (size_t i = 0; i < v->num_reductions; i++) // the lanes' loop goes innermost
        if (v->reductions[i] != (size_t)loop)
            v->reductions[last++] = v->reductions[i];
    v->reductions[last] = (size_t)loop;
    v->num_reductions = last + 1;
    v->channel = loop;
    emit_lane_loop(v, 0, values, channels);
    finish_lanes(v, values, channels, combine);
}

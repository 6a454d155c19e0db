// vectorize_lanes.c -- reductions in the lanes of vectors: dot products, rows that are summed.
//
// Each element of the result has a vector of its own, which a loop along the reduction adds to; its
// lanes are joined at the end. The order of the sum is a function of the shapes alone.
#include "vectorize.h"

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

static int64_t
num_channels(const MlcVectorTile *t)
{
    return t->rank ? t->shape[t->rank - 1] : 1;
}

// Lanes that are off keep what they had.
void
mlc_vectorize_lanes(MlcVectorizer *v, MlcValue **values, MlcChunk c)
{
    MlcValue *mask = mlc_build_mask(&v->b, c);
    int64_t channels = num_channels(v->tile);
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

// The elements of the result, reduced and joined with what they start from, as the tile's vectors.
static void
finish_lanes(MlcVectorizer *v, MlcValue *const *values, MlcOp *combine)
{
    MlcVectorTile *t = v->tile;
    int64_t channels = num_channels(t);
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
    size_t n = (size_t)(v->tile->num_points * num_channels(v->tile)), last = 0;
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
    v->lanes = v->tile->vector;
    mlc_vectorize_sums(v, values, n);
    finish_lanes(v, values, combine);
}

// vectorize_dots.c -- products of bytes in runs of four: one step of a sum for each vector of the
// result.
//
// The weights of a vector are read as four bytes for each of its lanes, the activations as one run
// of four that all lanes share. vector.contract says what becomes of them; vector-dot-products
// makes it the machine's instruction.
#include "vectorize.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/vector.h"

// The bytes of input `i`, widened as the body does: [4], or [lanes, 4] along the channels.
static MlcValue *
read_widened(MlcVectorizer *v, size_t i, MlcChunk c, MlcType sum)
{
    MlcValue *arg = mlc_block_arg(mlc_structured_body(v->op), i);
    MlcOp *widen = mlc_use_owner(mlc_value_first_use(arg));
    bool has_lanes = mlc_affine_map_uses_dim(mlc_structured_map(v->op, i), (unsigned)v->channel);
    int64_t shape[2] = {c.width, MLC_DOT_RUN};
    MlcChunk bytes = {.lanes = MLC_DOT_RUN, .width = MLC_DOT_RUN};
    if (has_lanes)
        bytes = (MlcChunk){.lanes = MLC_DOT_RUN * c.lanes, .width = MLC_DOT_RUN * c.width};
    MlcValue *value = mlc_vectorize_neighbours(v, i, bytes);
    MlcType element = mlc_type_element(mlc_value_type(value));
    if (has_lanes)
        value = mlc_vector_shape_cast(&v->b, mlc_vector_type_get(element, shape, 2, NULL), value);
    MlcType wide = mlc_vector_type_get(sum, has_lanes ? shape : shape + 1, has_lanes ? 2 : 1, NULL);
    return mlc_arith_extsi_isa(widen) ? mlc_arith_extsi(&v->b, wide, value)
                                      : mlc_arith_extui(&v->b, wide, value);
}

static MlcAttr
map_attr(MlcContext *ctx, const unsigned *loops, size_t n)
{
    return mlc_affine_map_attr_get(mlc_map_of_loops(ctx, 2, loops, n));
}

MlcValue *
mlc_vectorize_dot(MlcVectorizer *v, MlcValue *acc, MlcChunk c)
{
    MlcValue *factors[2];
    MlcAttr maps[3], iterators[2];
    MlcType element = mlc_type_element(mlc_value_type(mlc_op_operand(v->op, 2)));
    if (!acc)
        acc = mlc_vectorize_operand(v, 2, c);
    for (size_t i = 0; i < 2; i++) {
        factors[i] = read_widened(v, i, c, element);
        size_t rank = mlc_type_rank(mlc_value_type(factors[i]));
        maps[i] =
            map_attr(v->ctx, rank == 2 ? (const unsigned[]){0, 1} : (const unsigned[]){1}, rank);
    }
    maps[2] = map_attr(v->ctx, (const unsigned[]){0}, 1);
    for (int64_t i = 0; i < 2; i++) // of lanes: parallel; of the run: a reduction
        iterators[i] = mlc_enum_attr_get(v->ctx, &mlc_vector_iterator_type_attr_def, i);
    return mlc_vector_contract(&v->b, mlc_value_type(acc), factors[0], factors[1], acc,
                               mlc_array_attr_get(v->ctx, maps, 3),
                               mlc_array_attr_get(v->ctx, iterators, 2));
}

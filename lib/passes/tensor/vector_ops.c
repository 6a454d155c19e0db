// vector_ops.c -- see vector_ops.h. Transfers say that they are in bounds: the lanes that are not
// are masked.
#include "vector_ops.h"

#include "mlc/dialects/vector.h"

MlcType
mlc_lanes_type(MlcType element, int64_t width)
{
    return width ? mlc_vector_type_get(element, &width, 1, NULL) : element;
}

static MlcAffineMap
minor_map(MlcContext *ctx, size_t rank)
{
    MlcAffineExpr last = mlc_affine_dim(ctx, (unsigned)rank - 1);
    return mlc_affine_map_get(ctx, (unsigned)rank, 0, &last, 1);
}

static MlcAttr
in_bounds(MlcContext *ctx)
{
    MlcAttr is_inside = mlc_bool_attr_get(ctx, true);
    return mlc_array_attr_get(ctx, &is_inside, 1);
}

MlcValue *
mlc_build_mask(MlcBuilder *b, MlcChunk c)
{
    MlcType type = mlc_lanes_type(mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS), c.width);
    if (c.count)
        return mlc_vector_create_mask(b, type, &c.count, 1);
    if (c.lanes == c.width)
        return NULL;
    uint8_t bits[MLC_MAX_LANES] = {0};
    for (int64_t i = 0; i < c.lanes; i++)
        bits[i] = 1;
    return mlc_build_constant(b, mlc_dense_attr_get(type, bits, (size_t)c.width, false));
}

// What lanes that are off hold: of integers 1, since a body may divide by it.
static MlcValue *
build_padding(MlcBuilder *b, MlcType element)
{
    return mlc_type_is_float(element) ? mlc_build_float(b, element, 0)
                                      : mlc_build_int(b, element, 1);
}

MlcValue *
mlc_build_transfer_read(MlcBuilder *b, MlcValue *source, MlcValue *const *index, size_t rank,
                        MlcChunk c)
{
    MlcType element = mlc_type_element(mlc_value_type(source)),
            type = mlc_lanes_type(element, c.width);
    MlcValue *mask = mlc_build_mask(b, c), *padding = build_padding(b, element);
    return mlc_vector_transfer_read(b, type, source, index, rank, padding, mask,
                                    minor_map(b->ctx, rank), in_bounds(b->ctx));
}

MlcValue *
mlc_build_transfer_write(MlcBuilder *b, MlcValue *vector, MlcValue *dest, MlcValue *const *index,
                         size_t rank, MlcChunk c)
{
    MlcOp *op =
        mlc_vector_transfer_write(b, mlc_value_type(dest), vector, dest, index, rank,
                                  mlc_build_mask(b, c), minor_map(b->ctx, rank), in_bounds(b->ctx));
    return mlc_op_result(op, 0);
}

MlcValue *
mlc_build_splat(MlcBuilder *b, MlcValue *scalar, int64_t width)
{
    MlcAttr constant = mlc_value_constant(scalar);
    MlcType type = mlc_lanes_type(mlc_value_type(scalar), width);
    if (!width)
        return scalar;
    if (constant)
        return mlc_build_constant(b, mlc_dense_attr_splat(type, constant));
    return mlc_vector_broadcast(b, type, scalar);
}

MlcValue *
mlc_build_lane(MlcBuilder *b, MlcValue *vector, int64_t lane)
{
    MlcType type = mlc_type_element(mlc_value_type(vector));
    return mlc_vector_extract(b, type, vector, NULL, 0, &lane, 1);
}

static MlcValue *
build_shuffle(MlcBuilder *b, MlcValue *first, MlcValue *second, const MlcAttr *mask, size_t size)
{
    return mlc_vector_shuffle(b, first, second, mlc_array_attr_get(b->ctx, mask, size));
}

void
mlc_build_transpose(MlcBuilder *b, MlcValue **rows, int64_t width)
{
    MlcAttr lanes[2 * MLC_MAX_LANES], low[MLC_MAX_LANES], high[MLC_MAX_LANES];
    for (int64_t i = 0; i < 2 * width; i++)
        lanes[i] = mlc_i64_attr_get(b->ctx, i);
    for (int64_t s = 1; s < width; s *= 2) { // bit s of the row and of the lane change places
        for (int64_t i = 0; i < width; i++) {
            low[i] = lanes[i & s ? width + i - s : i];
            high[i] = lanes[i & s ? width + i : i + s];
        }
        for (int64_t i = 0; i < width; i++) {
            if (i & s)
                continue;
            MlcValue *first = rows[i], *second = rows[i + s];
            rows[i] = build_shuffle(b, first, second, low, (size_t)width);
            rows[i + s] = build_shuffle(b, first, second, high, (size_t)width);
        }
    }
}

// vector_ops.c -- see vector_ops.h. Transfers say that they are in bounds: the lanes that are not
// are masked.
#include "vector_ops.h"

#include "structured.h"
#include "mlc/dialects/vector.h"

MlcType
mlc_lanes_type(MlcType element, int64_t width)
{
    return width ? mlc_vector_type_get(element, &width, 1, NULL) : element;
}

static MlcAttr
minor_map(MlcContext *ctx, size_t rank)
{
    MlcAffineExpr last = mlc_affine_dim(ctx, (unsigned)rank - 1);
    return mlc_affine_map_attr_get(mlc_affine_map_get(ctx, (unsigned)rank, 0, &last, 1));
}

// permutation_map, in_bounds and operandSegmentSizes of a transfer op with `num_fixed` leading
// operands.
static void
transfer_attrs(MlcContext *ctx, size_t rank, const int32_t *segments, MlcNamedAttr attrs[3])
{
    MlcAttr in_bounds = mlc_bool_attr_get(ctx, true);
    attrs[0] = mlc_named(ctx, "permutation_map", minor_map(ctx, rank));
    attrs[1] = mlc_named(ctx, "in_bounds", mlc_array_attr_get(ctx, &in_bounds, 1));
    attrs[2] = mlc_named(ctx, "operandSegmentSizes", mlc_i32_array_attr_get(ctx, segments, 4));
}

MlcValue *
mlc_build_mask(MlcBuilder *b, MlcChunk c)
{
    if (c.lanes == c.width)
        return NULL;
    uint8_t bits[1024] = {0};
    for (int64_t i = 0; i < c.lanes; i++)
        bits[i] = 1;
    MlcType type = mlc_lanes_type(mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS), c.width);
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
    MlcValue *operands[MLC_MAX_RANK + 3] = {source}, *mask = mlc_build_mask(b, c);
    int32_t segments[4] = {1, (int32_t)rank, 1, mask != NULL};
    MlcNamedAttr attrs[3];
    size_t n = 1;
    for (size_t i = 0; i < rank; i++)
        operands[n++] = index[i];
    operands[n++] = build_padding(b, element);
    if (mask)
        operands[n++] = mask;
    transfer_attrs(b->ctx, rank, segments, attrs);
    MlcOp *op = mlc_build_op(b, "vector.transfer_read", &type, 1, operands, n, attrs, 3, 0);
    return mlc_op_result(op, 0);
}

MlcValue *
mlc_build_transfer_write(MlcBuilder *b, MlcValue *vector, MlcValue *dest, MlcValue *const *index,
                         size_t rank, MlcChunk c)
{
    MlcType type = mlc_value_type(dest);
    MlcValue *operands[MLC_MAX_RANK + 3] = {vector, dest}, *mask = mlc_build_mask(b, c);
    int32_t segments[4] = {1, 1, (int32_t)rank, mask != NULL};
    MlcNamedAttr attrs[3];
    size_t n = 2;
    for (size_t i = 0; i < rank; i++)
        operands[n++] = index[i];
    if (mask)
        operands[n++] = mask;
    transfer_attrs(b->ctx, rank, segments, attrs);
    MlcOp *op = mlc_build_op(b, "vector.transfer_write", &type, 1, operands, n, attrs, 3, 0);
    return mlc_op_result(op, 0);
}

MlcValue *
mlc_build_tensor_insert(MlcBuilder *b, MlcValue *scalar, MlcValue *dest, MlcValue *const *index,
                        size_t rank)
{
    MlcValue *operands[MLC_MAX_RANK + 2] = {scalar, dest};
    MlcType type = mlc_value_type(dest);
    for (size_t i = 0; i < rank; i++)
        operands[i + 2] = index[i];
    return mlc_op_result(mlc_build_op(b, "tensor.insert", &type, 1, operands, rank + 2, NULL, 0, 0),
                         0);
}

MlcValue *
mlc_build_tensor_extract(MlcBuilder *b, MlcValue *source, MlcValue *const *index, size_t rank)
{
    MlcValue *operands[MLC_MAX_RANK + 1] = {source};
    MlcType type = mlc_type_element(mlc_value_type(source));
    for (size_t i = 0; i < rank; i++)
        operands[i + 1] = index[i];
    return mlc_op_result(
        mlc_build_op(b, "tensor.extract", &type, 1, operands, rank + 1, NULL, 0, 0), 0);
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
    MlcNamedAttr attr =
        mlc_named(b->ctx, "static_position", mlc_i64_array_attr_get(b->ctx, &lane, 1));
    return mlc_op_result(mlc_build_op(b, "vector.extract", &type, 1, &vector, 1, &attr, 1, 0), 0);
}

static MlcValue *
build_shuffle(MlcBuilder *b, MlcValue *first, MlcValue *second, const MlcAttr *mask, size_t size)
{
    MlcType type = mlc_value_type(first);
    MlcNamedAttr attr = mlc_named(b->ctx, "mask", mlc_array_attr_get(b->ctx, mask, size));
    MlcValue *operands[] = {first, second};
    return mlc_op_result(mlc_build_op(b, "vector.shuffle", &type, 1, operands, 2, &attr, 1, 0), 0);
}

void
mlc_build_transpose(MlcBuilder *b, MlcValue **rows, int64_t width)
{
    enum { MAX_WIDTH = 64 };
    MlcAttr lanes[2 * MAX_WIDTH], low[MAX_WIDTH], high[MAX_WIDTH];
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

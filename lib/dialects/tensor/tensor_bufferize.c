// tensor_bufferize.c -- tensor ops on buffers: slices and reshapes are views, insertions are copies
// into views.
#include "mlc/dialects/bufferize.h"

static bool
never(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return false;
}

static bool
reads_first(MlcOp *op, size_t i)
{
    (void)op;
    return i == 0;
}

static bool
reads_first_two(MlcOp *op, size_t i)
{
    (void)op;
    return i <= 1;
}

static bool
writes_second(MlcOp *op, size_t i)
{
    (void)op;
    return i == 1;
}

static MlcValue *
part_of_first(MlcOp *op, size_t i, bool *whole)
{
    *whole = false;
    return i == 0 ? mlc_op_result(op, 0) : NULL;
}

static MlcValue *
whole_of_second(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return i == 1 ? mlc_op_result(op, 0) : NULL;
}

static bool
empty_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *result = mlc_op_result(op, 0), *buffer = mlc_bufferizer_chosen(bufferizer, result);
    if (!buffer) {
        MlcValueVec sizes = {0};
        MLC_FOR_EACH_OPERAND (size, op)
            mlc_vec_push(&sizes, size);
        buffer =
            mlc_bufferizer_alloc(bufferizer, b, mlc_value_type(result), sizes.data, sizes.size);
        mlc_vec_release(&sizes);
    }
    mlc_bufferizer_set(bufferizer, result, buffer);
    return true;
}

// memref.subview of `source` with the offsets, sizes and strides of a slice op, as a view of the
// shape of `slice`.
static MlcValue *
subview(MlcOp *op, MlcBuilder *b, MlcValue *source, MlcType slice, size_t first_operand)
{
    MlcAttr offsets = mlc_op_attr(op, "static_offsets"), sizes = mlc_op_attr(op, "static_sizes");
    MlcAttr strides = mlc_op_attr(op, "static_strides");
    size_t rank = mlc_type_rank(mlc_value_type(source)), next = 0;
    const int64_t *size = mlc_dense_array_attr_data(sizes);
    bool dropped[MLC_RANK_LIMIT] = {false};
    for (size_t i = 0; i < rank; i++) {
        if (next < mlc_type_rank(slice) && mlc_type_dim(slice, next) == size[i])
            next++;
        else
            dropped[i] = true;
    }
    MlcType type =
        mlc_memref_type_subview(mlc_value_type(source), mlc_dense_array_attr_data(offsets), size,
                                mlc_dense_array_attr_data(strides), dropped);
    MlcValueVec operands = {0};
    mlc_vec_push(&operands, source);
    for (size_t i = first_operand; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&operands, mlc_op_operand(op, i));
    int32_t segments[4] = {1, 0, 0, 0};
    const MlcAttr lists[3] = {offsets, sizes, strides};
    for (size_t g = 0; g < 3; g++)
        for (size_t i = 0; i < rank; i++)
            segments[g + 1] += mlc_dense_array_attr_int(lists[g], i) == MLC_DYNAMIC;
    MlcNamedAttr attrs[4] = {
        mlc_named(b->ctx, "static_offsets", offsets),
        mlc_named(b->ctx, "static_sizes", sizes),
        mlc_named(b->ctx, "static_strides", strides),
        mlc_named(b->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(b->ctx, segments, 4)),
    };
    MlcOp *view =
        mlc_build_op(b, "memref.subview", &type, 1, operands.data, operands.size, attrs, 4, 0);
    mlc_vec_release(&operands);
    return mlc_op_result(view, 0);
}

static bool
extract_slice_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *source = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0),
                       subview(op, b, source, mlc_value_type(mlc_op_result(op, 0)), 1));
    return true;
}

// Same offsets, sizes and strides, constants and values alike.
static bool
inserts_what(MlcOp *insert, MlcOp *extract)
{
    if (!mlc_op_is_named(extract, "tensor.extract_slice"))
        return false;
    static const char *const lists[] = {"static_offsets", "static_sizes", "static_strides"};
    for (size_t i = 0; i < 3; i++)
        if (mlc_op_attr(insert, lists[i]) != mlc_op_attr(extract, lists[i]))
            return false;
    size_t n = mlc_op_num_operands(extract) - 1;
    if (mlc_op_num_operands(insert) - 2 != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (mlc_op_operand(insert, i + 2) != mlc_op_operand(extract, i + 1))
            return false;
    return true;
}

static bool
insert_slice_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *dest = mlc_bufferizer_destination(bufferizer, b, op, 1);
    if (!mlc_bufferizer_in_place(bufferizer, op, 1) || !mlc_bufferizer_is_put_back(bufferizer, op))
        mlc_bufferizer_copy(b, mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0)),
                            subview(op, b, dest, mlc_value_type(mlc_op_operand(op, 0)), 2));
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), dest);
    return true;
}

static void
indices(MlcOp *op, size_t first, MlcValue *head, MlcValueVec *out)
{
    mlc_vec_push(out, head);
    for (size_t i = first; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(out, mlc_op_operand(op, i));
}

static bool
extract_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValueVec operands = {0};
    indices(op, 1, mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0)), &operands);
    MlcValue *loaded = mlc_build_value(b, "memref.load", mlc_value_type(mlc_op_result(op, 0)),
                                       operands.data, operands.size);
    mlc_value_replace_uses(mlc_op_result(op, 0), loaded);
    mlc_vec_release(&operands);
    return true;
}

static bool
insert_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *dest = mlc_bufferizer_destination(bufferizer, b, op, 1);
    MlcValueVec operands = {0};
    mlc_vec_push(&operands, mlc_op_operand(op, 0));
    indices(op, 2, dest, &operands);
    mlc_build_op(b, "memref.store", NULL, 0, operands.data, operands.size, NULL, 0, 0);
    mlc_vec_release(&operands);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), dest);
    return true;
}

static bool
dim_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *dim =
        mlc_build(b, "memref.dim", mlc_index_type_get(b->ctx),
                  mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0)), mlc_op_operand(op, 1));
    mlc_value_replace_uses(mlc_op_result(op, 0), dim);
    return true;
}

static bool
cast_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *result = mlc_op_result(op, 0);
    MlcValue *cast = mlc_build(b, "memref.cast", mlc_bufferizer_memref_type(mlc_value_type(result)),
                               mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0)));
    mlc_bufferizer_set(bufferizer, result, cast);
    return true;
}

// A reshape of a buffer without gaps; what has gaps (a slice) is copied together first.
static bool
reshape(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer, const char *name, bool expands)
{
    MlcValue *source = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0)),
             *result = mlc_op_result(op, 0);
    if (mlc_memref_type_layout(mlc_value_type(source))) {
        MlcType tensor = mlc_value_type(mlc_op_operand(op, 0));
        if (!mlc_type_has_static_shape(tensor))
            return mlc_op_error(
                op, "reshapes a slice of dynamic shape, which has no buffer of its own");
        MlcValue *packed = mlc_bufferizer_alloc(bufferizer, b, tensor, NULL, 0);
        mlc_bufferizer_copy(b, source, packed);
        source = packed;
    }
    MlcType type = mlc_bufferizer_memref_type(mlc_value_type(result));
    MlcValueVec operands = {0};
    indices(op, 1, source, &operands);
    MlcNamedAttr attrs[2] = {mlc_named(b->ctx, "reassociation", mlc_op_attr(op, "reassociation"))};
    if (expands)
        attrs[1] = mlc_named(b->ctx, "static_output_shape", mlc_op_attr(op, "static_output_shape"));
    MlcOp *view =
        mlc_build_op(b, name, &type, 1, operands.data, operands.size, attrs, expands ? 2 : 1, 0);
    mlc_vec_release(&operands);
    mlc_bufferizer_set(bufferizer, result, mlc_op_result(view, 0));
    return true;
}

static bool
expand_shape_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    return reshape(op, b, bufferizer, "memref.expand_shape", true);
}

static bool
collapse_shape_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    return reshape(op, b, bufferizer, "memref.collapse_shape", false);
}

const MlcBufferize mlc_tensor_empty_bufferize = {
    .reads = never, .writes = never, .bufferize = empty_bufferize};
const MlcBufferize mlc_tensor_dim_bufferize = {
    .reads = never, .writes = never, .bufferize = dim_bufferize};
const MlcBufferize mlc_tensor_extract_bufferize = {
    .reads = reads_first, .writes = never, .bufferize = extract_bufferize};
const MlcBufferize mlc_tensor_insert_bufferize = {.reads = reads_first_two,
                                                  .writes = writes_second,
                                                  .alias = whole_of_second,
                                                  .bufferize = insert_bufferize};
const MlcBufferize mlc_tensor_extract_slice_bufferize = {
    .reads = never, .writes = never, .alias = part_of_first, .bufferize = extract_slice_bufferize};
const MlcBufferize mlc_tensor_insert_slice_bufferize = {.reads = reads_first_two,
                                                        .writes = writes_second,
                                                        .alias = whole_of_second,
                                                        .inserts_what = inserts_what,
                                                        .bufferize = insert_slice_bufferize};
const MlcBufferize mlc_tensor_cast_bufferize = {
    .reads = never, .writes = never, .alias = part_of_first, .bufferize = cast_bufferize};
const MlcBufferize mlc_tensor_expand_shape_bufferize = {
    .reads = never, .writes = never, .alias = part_of_first, .bufferize = expand_shape_bufferize};
const MlcBufferize mlc_tensor_collapse_shape_bufferize = {
    .reads = never, .writes = never, .alias = part_of_first, .bufferize = collapse_shape_bufferize};

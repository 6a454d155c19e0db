// tensor_bufferize.c -- tensor ops on buffers: slices and reshapes are views, insertions are copies
// into views.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/mixed.h"

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
subview(MlcOp *op, MlcBuilder *b, MlcValue *source, MlcType slice)
{
    const int64_t *offsets = mlc_dense_array_attr_data(mlc_op_attr(op, "static_offsets")),
                  *sizes = mlc_dense_array_attr_data(mlc_op_attr(op, "static_sizes")),
                  *strides = mlc_dense_array_attr_data(mlc_op_attr(op, "static_strides"));
    size_t rank = mlc_type_rank(mlc_value_type(source)), next = 0;
    bool dropped[MLC_RANK_LIMIT] = {false};
    MlcSlice window;
    if (!mlc_slice_read(op, &window))
        mlc_bug("a slice of more dimensions than types have");
    for (size_t i = 0; i < rank; i++) {
        if (next < mlc_type_rank(slice) && mlc_type_dim(slice, next) == sizes[i])
            next++;
        else
            dropped[i] = true;
    }
    MlcType type =
        mlc_memref_type_subview(mlc_value_type(source), offsets, sizes, strides, dropped);
    MlcOp *view = mlc_build_slice(b, &mlc_memref_subview_def, type, &source, 1, &window);
    return mlc_op_result(view, 0);
}

static bool
extract_slice_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *source = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0),
                       subview(op, b, source, mlc_op_result_type(op, 0)));
    return true;
}

// Same offsets, sizes and strides, constants and values alike.
static bool
inserts_what(MlcOp *insert, MlcOp *extract)
{
    if (!mlc_tensor_extract_slice_isa(extract))
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
                            subview(op, b, dest, mlc_op_operand_type(op, 0)));
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), dest);
    return true;
}

static void
operands_from(MlcOp *op, size_t first, MlcValueVec *out)
{
    for (size_t i = first; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(out, mlc_op_operand(op, i));
}

static bool
extract_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValueVec indices = {0};
    operands_from(op, 1, &indices);
    MlcValue *buffer = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    mlc_value_replace_uses(mlc_op_result(op, 0),
                           mlc_memref_load(b, buffer, indices.data, indices.size));
    mlc_vec_release(&indices);
    return true;
}

static bool
insert_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *dest = mlc_bufferizer_destination(bufferizer, b, op, 1);
    MlcValueVec indices = {0};
    operands_from(op, 2, &indices);
    mlc_memref_store(b, mlc_op_operand(op, 0), dest, indices.data, indices.size);
    mlc_vec_release(&indices);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), dest);
    return true;
}

static bool
dim_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *buffer = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    mlc_value_replace_uses(mlc_op_result(op, 0), mlc_memref_dim(b, buffer, mlc_op_operand(op, 1)));
    return true;
}

static bool
cast_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *result = mlc_op_result(op, 0),
             *source = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    MlcType type = mlc_bufferizer_type_beside(source, mlc_value_type(result));
    if (mlc_type_has_rank(type) && mlc_type_has_rank(mlc_value_type(source)) &&
        mlc_memref_type_layout(mlc_value_type(source)))
        type = mlc_memref_type_get(
            mlc_type_element(type), mlc_type_shape(type), mlc_type_rank(type),
            mlc_memref_type_layout(mlc_value_type(source)), mlc_memref_type_memory_space(type));
    mlc_bufferizer_set(bufferizer, result, mlc_memref_cast(b, type, source));
    return true;
}

// The operand of a reshape as a buffer without gaps; what has gaps (a slice) is copied together
// first.
static MlcValue *
packed_source(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *source = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    MlcType tensor = mlc_op_operand_type(op, 0);
    if (!mlc_memref_type_layout(mlc_value_type(source)))
        return source;
    return mlc_bufferizer_copied(bufferizer, b, source, tensor);
}

static bool
expand_shape_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *source = packed_source(op, b, bufferizer);
    MlcAttr shape = mlc_tensor_expand_shape_static_output_shape(op);
    MlcValueVec sizes = {0};
    operands_from(op, 1, &sizes);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0),
                       mlc_memref_expand_shape(
                           b, mlc_bufferizer_type_beside(source, mlc_op_result_type(op, 0)), source,
                           sizes.data, sizes.size, mlc_tensor_expand_shape_reassociation(op),
                           mlc_dense_array_attr_data(shape), mlc_dense_array_attr_size(shape)));
    mlc_vec_release(&sizes);
    return true;
}

static bool
collapse_shape_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *source = packed_source(op, b, bufferizer);
    mlc_bufferizer_set(
        bufferizer, mlc_op_result(op, 0),
        mlc_memref_collapse_shape(b, mlc_bufferizer_type_beside(source, mlc_op_result_type(op, 0)),
                                  source, mlc_tensor_collapse_shape_reassociation(op)));
    return true;
}

static bool
reads_second(MlcOp *op, size_t i)
{
    (void)op;
    return i == 1;
}

// The shape is a tensor that is read.
static bool
reshape_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *source = packed_source(op, b, bufferizer),
             *shape = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 1));
    MlcType type = mlc_bufferizer_type_beside(source, mlc_op_result_type(op, 0));
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0),
                       mlc_memref_reshape(b, type, source, shape));
    return true;
}

// Before the end of the iteration, and without a result: it is the loop's.
static bool
parallel_insert_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *dest = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 1));
    if (!mlc_bufferizer_in_place(bufferizer, op, 1))
        return mlc_op_error(op, "not bufferizable under the given constraints: cannot avoid RaW "
                                "conflict");
    mlc_builder_before(b, mlc_op_parent(op));
    b->loc = mlc_op_loc(op);
    if (!mlc_bufferizer_is_put_back(bufferizer, op))
        mlc_bufferizer_copy(b, mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0)),
                            subview(op, b, dest, mlc_op_operand_type(op, 0)));
    return true;
}

const MlcBufferize mlc_tensor_reshape_bufferize = {.reads = reads_second,
                                                   .writes = mlc_bufferize_never,
                                                   .alias = part_of_first,
                                                   .bufferize = reshape_bufferize};
const MlcBufferize mlc_tensor_parallel_insert_slice_bufferize = {.reads = reads_first_two,
                                                                 .writes = writes_second,
                                                                 .inserts_what = inserts_what,
                                                                 .bufferize =
                                                                     parallel_insert_bufferize};
const MlcBufferize mlc_tensor_empty_bufferize = {
    .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .bufferize = empty_bufferize};
const MlcBufferize mlc_tensor_dim_bufferize = {
    .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .bufferize = dim_bufferize};
const MlcBufferize mlc_tensor_extract_bufferize = {
    .reads = reads_first, .writes = mlc_bufferize_never, .bufferize = extract_bufferize};
const MlcBufferize mlc_tensor_insert_bufferize = {.reads = reads_first_two,
                                                  .writes = writes_second,
                                                  .alias = whole_of_second,
                                                  .bufferize = insert_bufferize};
const MlcBufferize mlc_tensor_extract_slice_bufferize = {.reads = mlc_bufferize_never,
                                                         .writes = mlc_bufferize_never,
                                                         .alias = part_of_first,
                                                         .bufferize = extract_slice_bufferize};
const MlcBufferize mlc_tensor_insert_slice_bufferize = {.reads = reads_first_two,
                                                        .writes = writes_second,
                                                        .alias = whole_of_second,
                                                        .inserts_what = inserts_what,
                                                        .bufferize = insert_slice_bufferize};
const MlcBufferize mlc_tensor_cast_bufferize = {.reads = mlc_bufferize_never,
                                                .writes = mlc_bufferize_never,
                                                .alias = part_of_first,
                                                .bufferize = cast_bufferize};
const MlcBufferize mlc_tensor_expand_shape_bufferize = {.reads = mlc_bufferize_never,
                                                        .writes = mlc_bufferize_never,
                                                        .alias = part_of_first,
                                                        .bufferize = expand_shape_bufferize};
const MlcBufferize mlc_tensor_collapse_shape_bufferize = {.reads = mlc_bufferize_never,
                                                          .writes = mlc_bufferize_never,
                                                          .alias = part_of_first,
                                                          .bufferize = collapse_shape_bufferize};

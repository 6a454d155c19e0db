// range.c -- what is known when compiling of indices and divisors: whether all are in range.
#include "mlc/dialects/graph_geometry.h"

#include "mlc/dialects/graph.h"
#include "mlc/ir.h"

// Integers of a constant, read from its bytes. `num_elements` is 0 without any.
typedef struct Integers {
    const char *data;
    size_t num_elements, width; // bytes
    bool is_splat;
} Integers;

static bool
read_constant(MlcValue *value, Integers *out)
{
    MlcAttr attr = mlc_value_constant(value);
    MlcType type = mlc_value_type(value), element = mlc_type_element(type);
    size_t num_bytes;
    if (!attr || !mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_type_has_static_shape(type) ||
        !mlc_type_is(element, MLC_TYPE_INTEGER) || mlc_type_bit_width(element) > 64)
        return false;
    *out = (Integers){.num_elements = (size_t)mlc_type_num_elements(type),
                      .width = mlc_elements_attr_element_bytes(element),
                      .is_splat = mlc_elements_attr_is_splat(attr)};
    out->data = mlc_elements_attr_data(attr, &num_bytes);
    return out->data && num_bytes >= (out->is_splat ? 1 : out->num_elements) * out->width;
}

// Little-endian, of 1, 2, 4 or 8 bytes.
static int64_t
integer_at(const Integers *integers, size_t i)
{
    int64_t value = 0;
    size_t at = integers->is_splat ? 0 : i, unused = 64 - 8 * integers->width;
    memcpy(&value, integers->data + at * integers->width, integers->width);
    return (int64_t)((uint64_t)value << unused) >> unused;
}

size_t
mlc_graph_indexed_dims(MlcOp *op, size_t *first)
{
    *first = 0;
    if (mlc_graph_gather_isa(op) || mlc_graph_gather_elements_isa(op) ||
        mlc_graph_scatter_elements_isa(op))
        return *first = (size_t)mlc_graph_axis(op), 1;
    if (!mlc_graph_gather_nd_isa(op) && !mlc_graph_scatter_nd_isa(op))
        return 0;
    MlcType indices = mlc_value_type(mlc_op_operand(op, 1));
    if (mlc_graph_gather_nd_isa(op))
        *first = (size_t)mlc_attr_as_int(mlc_op_attr(op, "batch_dims"));
    return (size_t)mlc_type_dim(indices, mlc_type_rank(indices) - 1);
}

static MlcGraphRange
range_of_indices(MlcOp *op, int64_t *value)
{
    Integers indices;
    size_t first;
    MlcType data = mlc_value_type(mlc_op_operand(op, 0));
    MlcType type = mlc_value_type(mlc_op_operand(op, 1));
    if (!mlc_type_has_rank(data) || !mlc_type_has_rank(type) ||
        !read_constant(mlc_op_operand(op, 1), &indices))
        return MLC_GRAPH_RANGE_UNKNOWN;
    size_t count = mlc_graph_indexed_dims(op, &first);
    for (size_t i = 0; i < indices.num_elements; i++) {
        int64_t size = mlc_type_dim(data, first + i % count), index = integer_at(&indices, i);
        if (size == MLC_DYNAMIC)
            return MLC_GRAPH_RANGE_UNKNOWN;
        if (index < -size || index >= size)
            return *value = index, MLC_GRAPH_OUT_OF_RANGE;
    }
    return MLC_GRAPH_IN_RANGE;
}

static MlcGraphRange
range_of_divisors(MlcOp *op, int64_t *value)
{
    Integers divisors;
    MlcType type = mlc_value_type(mlc_op_operand(op, 1));
    *value = 0;
    if (mlc_type_is_float(mlc_type_element(type)))
        return MLC_GRAPH_IN_RANGE;
    if (!read_constant(mlc_op_operand(op, 1), &divisors))
        return MLC_GRAPH_RANGE_UNKNOWN;
    for (size_t i = 0; i < divisors.num_elements; i++)
        if (integer_at(&divisors, i) == 0)
            return MLC_GRAPH_OUT_OF_RANGE;
    return MLC_GRAPH_IN_RANGE;
}

bool
mlc_graph_is_partial(MlcOp *op)
{
    return mlc_graph_gather_isa(op) || mlc_graph_gather_elements_isa(op) ||
           mlc_graph_gather_nd_isa(op) || mlc_graph_scatter_elements_isa(op) ||
           mlc_graph_scatter_nd_isa(op) || mlc_graph_expect_isa(op) || mlc_graph_div_isa(op) ||
           mlc_graph_mod_isa(op);
}

MlcGraphRange
mlc_graph_range(MlcOp *op, int64_t *value)
{
    if (mlc_op_attr(op, MLC_GRAPH_CHECKED))
        return MLC_GRAPH_IN_RANGE;
    if (mlc_graph_div_isa(op) || mlc_graph_mod_isa(op))
        return range_of_divisors(op, value);
    if (mlc_graph_expect_isa(op)) // what is expected and constant is folded
        return MLC_GRAPH_RANGE_UNKNOWN;
    return mlc_graph_is_partial(op) ? range_of_indices(op, value) : MLC_GRAPH_RANGE_UNKNOWN;
}

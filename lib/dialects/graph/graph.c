// graph.c -- folds, verification and constants of the graph dialect. Shapes are in shapes.c,
// meanings in eval.c.
#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"

#include "mlc/dialects/graph.h"
#include "mlc/operator.h"
#include "mlc/ir.h"

bool
mlc_graph_constant_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_op_attr(op, "value");
    return true;
}

// Block arguments stand for the operands, the yield for the results.
bool
mlc_graph_kernel_verify(MlcOp *op)
{
    MlcOp *yield = mlc_block_last(mlc_region_first(mlc_op_region(op, 0)));
    return mlc_graph_yield_isa(yield) ||
           mlc_op_error(op, "expected 'graph.yield' at the end of the body");
}

// Reshapes move nothing: their result is the operand's elements.
static size_t
first_operand(const MlcOp *op)
{
    (void)op;
    return 0;
}

const MlcViewLike mlc_graph_view = {.source = first_operand};

// ---- ops that work row by row

static bool
reduction_reads_row(MlcOp *op, size_t i)
{
    (void)i;
    bool marked[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    MlcAttr keepdims = mlc_op_attr(op, "keepdims");
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) == 0 ||
        (keepdims && !mlc_attr_as_bool(keepdims)))
        return false;
    mlc_graph_reduced_axes(op, marked);
    for (size_t d = 0; d < mlc_type_rank(type); d++)
        if (marked[d] != (d + 1 == mlc_type_rank(type)))
            return false;
    return true;
}

const MlcRows mlc_graph_reduction_rows = {.reads_row = reduction_reads_row};

static bool
softmax_reads_row(MlcOp *op, size_t i)
{
    (void)i;
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    return mlc_type_has_rank(type) && mlc_graph_axis(op) + 1 == (int64_t)mlc_type_rank(type);
}

const MlcRows mlc_graph_softmax_rows = {.reads_row = softmax_reads_row};

// Of the left operand. A constant matrix is better walked once, by panels, for all rows.
static bool
matmul_reads_row(MlcOp *op, size_t i)
{
    MlcType rhs = mlc_value_type(mlc_op_operand(op, 1));
    return i == 0 && mlc_type_has_rank(rhs) && mlc_type_rank(rhs) > 2 &&
           !mlc_value_constant(mlc_op_operand(op, 1));
}

const MlcRows mlc_graph_matmul_rows = {.reads_row = matmul_reads_row};

// ---- windows

static bool
slice_is_window(MlcOp *op)
{
    int64_t starts[MLC_SMALL_RANK], steps[MLC_SMALL_RANK];
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    if (!mlc_type_has_small_rank(from) || !mlc_type_has_rank(to))
        return false;
    mlc_graph_slice_bounds(op, starts, steps);
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (steps[i] != 1)
            return false;
    return true;
}

const MlcWindows mlc_graph_slice_windows = {.is_window = slice_is_window};

static bool
transpose_reads_window(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return true;
}

const MlcWindows mlc_graph_transpose_windows = {.reads_window = transpose_reads_window};

// The result is what `op`, a slice, leaves of its operand's last dimension: all of it.
static bool
keeps_rows(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_value_type(mlc_op_result(op, 0));
    size_t rank = mlc_type_has_rank(from) ? mlc_type_rank(from) : 0;
    MlcAttr size = rank ? mlc_size_of_dim(from, rank - 1) : NULL;
    return size && mlc_type_has_rank(to) && size == mlc_size_of_dim(to, rank - 1);
}

// The rows of what a constant matrix is multiplied by; and matrices on the right that are not
// constant, whose rows lie in the window as they do in what it is cut from.
static bool
product_reads_window(MlcOp *op, size_t i)
{
    MlcAttr trans_a = mlc_op_attr(op, "trans_a");
    MlcOp *def = mlc_value_def(mlc_op_operand(op, i));
    if (i == 1)
        return mlc_graph_matmul_isa(op) && mlc_graph_slice_isa(def) && keeps_rows(def) &&
               mlc_type_has_rank(mlc_op_operand_type(op, 1)) &&
               mlc_type_rank(mlc_op_operand_type(op, 1)) > 2;
    return i == 0 && mlc_value_constant(mlc_op_operand(op, 1)) &&
           !(trans_a && mlc_attr_as_bool(trans_a));
}

const MlcWindows mlc_graph_product_windows = {.reads_window = product_reads_window,
                                              .reads_rows_abreast = true};

// ---- folds: results keep their type, so an operand only takes the result's place if the types are
// the same

static bool
fold_to_operand(MlcOp *op, size_t i, MlcFold *results)
{
    if (mlc_value_type(mlc_op_operand(op, i)) != mlc_value_type(mlc_op_result(op, 0)))
        return false;
    results[0].value = mlc_op_operand(op, i);
    return true;
}

// identity(x) -> x
bool
mlc_graph_identity_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return fold_to_operand(op, 0, results);
}

// expect(x, n) {expected = n} -> x
bool
mlc_graph_expect_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    int64_t value;
    bool is_met = constants[1] && mlc_type_num_elements(mlc_attr_type(constants[1])) == 1 &&
                  mlc_attr_try_as_int(mlc_elements_attr_element(constants[1], 0), &value) &&
                  value == mlc_graph_expect_expected(op);
    return is_met && fold_to_operand(op, 0, results);
}

// cast(x) -> x, to the same type
bool
mlc_graph_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return fold_to_operand(op, 0, results);
}

// bitcast(bitcast(x)) -> x, back to the first type
bool
mlc_graph_bitcast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    if (fold_to_operand(op, 0, results))
        return true;
    if (!inner || !mlc_graph_bitcast_isa(inner) ||
        mlc_value_type(mlc_op_operand(inner, 0)) != mlc_value_type(mlc_op_result(op, 0)))
        return false;
    results[0].value = mlc_op_operand(inner, 0);
    return true;
}

// As many bits, of numbers of any kind.
// Its makers said what its results are.
static bool
keep_types(MlcOp *op)
{
    (void)op;
    return true;
}

const MlcInferShapes mlc_graph_operator_infer_shapes = {.infer = keep_types};

bool
mlc_graph_operator_verify(MlcOp *op)
{
    MlcAttr absent = mlc_graph_operator_absent(op);
    size_t num_absent = absent ? mlc_int_list_attr_size(absent) : 0;
    size_t count = mlc_op_num_operands(op) + mlc_op_num_results(op);
    int64_t place = -1, next;
    if (mlc_op_num_results(op) == 0)
        return mlc_op_error(op, "expected at least one result");
    if (count > MLC_OPERATOR_MAX_TENSORS || num_absent > MLC_OPERATOR_MAX_TENSORS - count)
        return mlc_op_error(op, "has %zu inputs and results, expected at most %d",
                            count + num_absent, MLC_OPERATOR_MAX_TENSORS);
    for (size_t i = 0; i < num_absent; i++, place = next)
        if (!mlc_int_list_attr_get(absent, i, &next) || next <= place ||
            next >= (int64_t)(mlc_op_num_operands(op) + num_absent))
            return mlc_op_error(op, "'absent' is to be rising numbers of inputs");
    return true;
}

bool
mlc_graph_bitcast_verify(MlcOp *op)
{
    MlcType from = mlc_type_element(mlc_value_type(mlc_op_operand(op, 0)));
    MlcType to = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    if (mlc_type_bit_width(from) != mlc_type_bit_width(to))
        return mlc_op_error(op, "the bits of %s are not as many as those of %s",
                            mlc_type_text(from), mlc_type_text(to));
    return mlc_graph_elementwise_verify(op);
}

// All elements are this number. Zeros of floats must have the sign asked for: x + 0.0 is not x
// where x is -0.0.
static bool
is_splat_of(MlcAttr attr, double number, bool negative_zero)
{
    if (!attr || !mlc_attr_type(attr) || !mlc_type_is(mlc_attr_type(attr), MLC_TYPE_TENSOR) ||
        mlc_type_num_elements(mlc_attr_type(attr)) < 1)
        return false;
    bool one = mlc_type_num_elements(mlc_attr_type(attr)) == 1;
    if (!mlc_elements_attr_is_splat(attr) && !one)
        return false;
    MlcAttr element = mlc_elements_attr_element(attr, 0);
    int64_t integer;
    if (mlc_attr_is(element, MLC_ATTR_FLOAT)) {
        double value = mlc_float_attr_as_double(element);
        return value == number && (number != 0 || (__builtin_signbit(value) != 0) == negative_zero);
    }
    return mlc_attr_try_as_int(element, &integer) && integer == (int64_t)number;
}

// x + -0.0 -> x, -0.0 + x -> x (for integers, 0)
bool
mlc_graph_add_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (is_splat_of(constants[1], 0, true))
        return fold_to_operand(op, 0, results);
    return is_splat_of(constants[0], 0, true) && fold_to_operand(op, 1, results);
}

// x - 0.0 -> x
bool
mlc_graph_sub_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_splat_of(constants[1], 0, false) && fold_to_operand(op, 0, results);
}

// x * 1 -> x, 1 * x -> x
bool
mlc_graph_mul_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (is_splat_of(constants[1], 1, false))
        return fold_to_operand(op, 0, results);
    return is_splat_of(constants[0], 1, false) && fold_to_operand(op, 1, results);
}

// x / 1 -> x
bool
mlc_graph_div_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_splat_of(constants[1], 1, false) && fold_to_operand(op, 0, results);
}

// reshape(x) -> x, to the same shape, of which each size is known or has a name
bool
mlc_graph_reshape_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!mlc_type_has_rank(type))
        return false;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (!mlc_size_of_dim(type, i))
            return false;
    return fold_to_operand(op, 0, results);
}

// transpose(x) -> x, by the identity permutation
bool
mlc_graph_transpose_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    int64_t perm[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    (void)constants;
    if (!mlc_type_has_small_rank(type))
        return false;
    mlc_graph_permutation(op, perm);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (perm[i] != (int64_t)i)
            return false;
    return fold_to_operand(op, 0, results);
}

// concat(x) -> x
bool
mlc_graph_concat_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return mlc_op_num_operands(op) == 1 && fold_to_operand(op, 0, results);
}

// slice(x) -> x, expand(x) -> x, where nothing is left out or added
bool
mlc_graph_slice_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    int64_t starts[MLC_SMALL_RANK], steps[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    (void)constants;
    if (!mlc_type_has_small_rank(type))
        return false;
    mlc_graph_slice_bounds(op, starts, steps);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (steps[i] != 1) // backwards takes as many
            return false;
    return mlc_type_has_static_shape(type) && fold_to_operand(op, 0, results);
}

bool
mlc_graph_expand_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    (void)constants;
    return mlc_type_has_rank(type) && mlc_type_has_static_shape(type) &&
           fold_to_operand(op, 0, results);
}

// where(c, x, x) -> x, where(true, x, y) -> x, where(false, x, y) -> y
bool
mlc_graph_where_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (mlc_op_operand(op, 1) == mlc_op_operand(op, 2) && fold_to_operand(op, 1, results))
        return true;
    MlcAttr condition = constants[0];
    if (!condition || mlc_type_num_elements(mlc_attr_type(condition)) < 1 ||
        (!mlc_elements_attr_is_splat(condition) &&
         mlc_type_num_elements(mlc_attr_type(condition)) != 1))
        return false;
    bool holds = mlc_attr_as_bool(mlc_elements_attr_element(condition, 0));
    return fold_to_operand(op, holds ? 1 : 2, results);
}

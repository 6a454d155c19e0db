// ops_bits.c -- ONNX operators: what reads numbers as bits.
#include "found_sizes.h"
#include "node.h"

#include <inttypes.h>

static bool
import_bit_shift(MlcOnnxNodeImport *n)
{
    MlcStr direction = mlc_str("");
    if (!mlc_onnx_read_str(n, "direction", &direction))
        return false;
    bool is_left = mlc_str_equal(direction, mlc_str("LEFT"));
    if (!is_left && !mlc_str_equal(direction, mlc_str("RIGHT")))
        return mlc_onnx_invalid(n, "attribute 'direction' is '%.*s'", MLC_STR_FMT(direction));
    const MlcOpDef *op = is_left ? &mlc_graph_shift_left_def : &mlc_graph_shift_right_def;
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, op, n->inputs[0], n->inputs[1]));
}

static bool
import_bitwise_not(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0])), bits = element;
    if (mlc_onnx_is_unsigned(element))
        bits = mlc_integer_type_get(mlc_onnx_context_of(n), mlc_integer_type_width(element),
                                    MLC_SIGNLESS);
    MlcValue *x = mlc_onnx_bitcast(n, n->inputs[0], bits);
    x = mlc_onnx_build_two(n, &mlc_graph_bitwise_xor_def, x, mlc_onnx_build_number(n, bits, -1));
    return mlc_onnx_set_result(n, mlc_onnx_bitcast(n, x, element));
}

// The same bytes; a truth value is one of 0 and 1.
static bool
import_bit_cast(MlcOnnxNodeImport *n)
{
    int64_t to = 0;
    if (!mlc_onnx_read_int(n, "to", &to))
        return false;
    if (!mlc_onnx_data_type_name(to))
        return mlc_onnx_invalid(n, "attribute 'to' is %" PRId64 ", which is no data type", to);
    MlcType element = mlc_onnx_element_type(mlc_onnx_context_of(n), to);
    if (!element)
        return mlc_onnx_unsupported(n, "a cast to %s", mlc_onnx_data_type_name(to));
    MlcType from = mlc_type_element(mlc_value_type(n->inputs[0]));
    bool has_truth = mlc_type_is_integer(from, 1) || mlc_type_is_integer(element, 1);
    unsigned other = mlc_type_bit_width(mlc_type_is_integer(from, 1) ? element : from);
    if (has_truth && other <= 8)
        return mlc_onnx_set_result(n, mlc_onnx_cast(n, n->inputs[0], element));
    return mlc_onnx_set_result(n, mlc_onnx_bitcast(n, n->inputs[0], element));
}

static const MlcOnnxOperator rows[] = {
    {"BitCast", 26, MLC_ONNX_NEWEST, 1, 1, .import = import_bit_cast},
    {"BitShift", 11, MLC_ONNX_NEWEST, 2, 2, .import = import_bit_shift},
    {"BitwiseAnd", 18, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(bitwise_and)},
    {"BitwiseNot", 18, MLC_ONNX_NEWEST, 1, 1, .import = import_bitwise_not,
     .found = mlc_onnx_rule_elementwise},
    {"BitwiseOr", 18, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(bitwise_or)},
    {"BitwiseXor", 18, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(bitwise_xor)},
};
const MlcOnnxOperators mlc_onnx_bits = MLC_ONNX_OPERATORS(rows);

// one_op.c -- operators that are one graph op: made as their rows say.
#include "node.h"

// `pads`, or what `auto_pad` says instead of them.
static bool
copy_pads(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs)
{
    static const struct {
        const char *onnx, *graph;
    } modes[] = {{"NOTSET", NULL},
                 {"VALID", NULL},
                 {"SAME_UPPER", "same_upper"},
                 {"SAME_LOWER", "same_lower"}};
    MlcStr mode = mlc_str("NOTSET");
    MlcOnnxInts pads = {0};
    if (!mlc_onnx_read_str(n, "auto_pad", &mode))
        return false;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!mlc_str_equal(mode, mlc_str(modes[i].onnx)))
            continue;
        if (modes[i].graph)
            mlc_onnx_add_attr(n, attrs, "auto_pad",
                              mlc_string_attr_get(mlc_onnx_context_of(n), mlc_str(modes[i].graph)));
        if (i == 0 && !mlc_onnx_read_ints(n, "pads", &pads))
            return false;
        if (pads.count)
            mlc_onnx_add_ints(n, attrs, "pads", pads);
        return true;
    }
    return mlc_onnx_invalid(n, "attribute 'auto_pad' is '%.*s'", MLC_STR_FMT(mode));
}

// What input `row->input` holds, as the node's attribute would.
static bool
read_input(MlcOnnxNodeImport *n, const MlcOnnxAttrRow *row, MlcOnnxAttribute *read)
{
    if (!mlc_onnx_constant_ints(n, row->input, &read->ints))
        return false;
    if (row->kind == MLC_ONNX_ROW_INTS)
        return true;
    if (read->ints.count != 1)
        return mlc_onnx_invalid(n, "input %u must be a scalar", row->input);
    read->i = read->ints.items[0];
    return true;
}

// A list in which some integers are sizes that are known when the model runs: numbers, and texts
// beside them.
static bool
copy_sizes(MlcOnnxNodeImport *n, const MlcOnnxAttrRow *row, MlcOnnxAttrs *attrs)
{
    MlcOnnxSizes sizes;
    MlcOnnxInts numbers;
    if (!mlc_onnx_sizes_of(n, n->inputs[row->input], &sizes))
        return false;
    mlc_onnx_size_numbers(n, &sizes, 1, &numbers);
    mlc_onnx_add_ints(n, attrs, row->as ? row->as : row->name, numbers);
    mlc_onnx_add_attr(n, attrs, row->sizes, mlc_onnx_size_texts(n, &sizes));
    return true;
}

static bool
copy_attr(MlcOnnxNodeImport *n, const MlcOnnxAttrRow *row, MlcOnnxAttrs *attrs)
{
    static const MlcOnnxAttributeType types[] = {
        [MLC_ONNX_ROW_INT] = MLC_ONNX_ATTRIBUTE_INT,
        [MLC_ONNX_ROW_BOOL] = MLC_ONNX_ATTRIBUTE_INT,
        [MLC_ONNX_ROW_FLOAT] = MLC_ONNX_ATTRIBUTE_FLOAT,
        [MLC_ONNX_ROW_INTS] = MLC_ONNX_ATTRIBUTE_INTS,
    };
    const char *as = row->as ? row->as : row->name;
    const MlcOnnxAttribute *given = NULL;
    MlcOnnxAttribute read = {0};
    bool ok = true;
    if (row->kind == MLC_ONNX_ROW_PADS)
        return copy_pads(n, attrs);
    if (row->sizes && mlc_onnx_is_sizes(mlc_onnx_input_or_null(n, row->input)))
        return copy_sizes(n, row, attrs);
    if (row->input && mlc_onnx_input_or_null(n, row->input))
        ok = read_input(n, row, &read), given = &read;
    else
        given = mlc_onnx_find_attribute(n, row->name, types[row->kind], &ok);
    if (!ok)
        return false;
    if (!given && row->is_required)
        return mlc_onnx_invalid(n, "attribute '%s' is required", row->name);
    if (!given && row->otherwise)
        read.i = *row->otherwise, given = &read;
    if (!given)
        return true;
    if (row->kind == MLC_ONNX_ROW_INT)
        mlc_onnx_add_int(n, attrs, as, given->i);
    else if (row->kind == MLC_ONNX_ROW_BOOL)
        mlc_onnx_add_bool(n, attrs, as, given->i != 0);
    else if (row->kind == MLC_ONNX_ROW_FLOAT)
        mlc_onnx_add_float(n, attrs, as, given->f);
    else if (given->ints.count || row->is_required)
        mlc_onnx_add_ints(n, attrs, as, given->ints);
    return true;
}

// The inputs that are the op's operands: as many as it takes, without absent ones at the end; of a
// list none may be absent.
static bool
count_operands(MlcOnnxNodeImport *n, size_t *count)
{
    const MlcOpDef *op = n->row->op;
    bool is_list = op->operands[0].arity == MLC_VARIADIC;
    *count = is_list || n->num_inputs < op->num_operands ? n->num_inputs : op->num_operands;
    while (!is_list && *count > 0 && !n->inputs[*count - 1])
        (*count)--;
    for (size_t i = 0; i < *count; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
    return true;
}

bool
mlc_onnx_copy_attrs(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs)
{
    for (const MlcOnnxAttrRow *attr = n->row->attrs; attr && attr->name; attr++)
        if (!copy_attr(n, attr, attrs))
            return false;
    return true;
}

bool
mlc_onnx_import_one_op(MlcOnnxNodeImport *n)
{
    const MlcOnnxOperator *row = n->row;
    MlcOnnxAttrs attrs = {0};
    size_t num_operands;
    if ((row->check && !row->check(n)) || !count_operands(n, &num_operands) ||
        !mlc_onnx_copy_attrs(n, &attrs))
        return false;
    MlcType element = row->element == MLC_ONNX_TRUTH
                          ? mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS)
                          : mlc_type_element(mlc_value_type(n->inputs[row->element]));
    return mlc_onnx_set_result(
        n, mlc_onnx_build_typed(n, row->op, element, n->inputs, num_operands, &attrs));
}

// f16 or bf16, whichever comes last; NULL: neither.
static MlcType
widen_inputs(MlcOnnxNodeImport *n)
{
    MlcType narrow = NULL, f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    for (size_t i = 0; i < n->num_inputs; i++) {
        MlcType element = n->inputs[i] ? mlc_type_element(mlc_value_type(n->inputs[i])) : NULL;
        if (!element || !mlc_type_is_float(element) || mlc_type_bit_width(element) != 16)
            continue;
        narrow = element;
        n->inputs[i] = mlc_onnx_cast(n, n->inputs[i], f32);
    }
    return narrow;
}

bool
mlc_onnx_import_row(MlcOnnxNodeImport *n)
{
    MlcType narrow = n->row->on_f32 ? widen_inputs(n) : NULL;
    if (!(n->row->import ? n->row->import(n) : mlc_onnx_import_one_op(n)))
        return false;
    for (size_t i = 0; narrow && i < n->node->output.count; i++)
        if (n->outputs[i])
            n->outputs[i] = mlc_onnx_cast(n, n->outputs[i], narrow);
    return true;
}

// node.c -- see node.h.
#include "found_sizes.h"

#include "mlc/ir/eval.h"

#include <inttypes.h>
#include <limits.h>

// ---- attributes of nodes

static bool
has_type(const MlcOnnxAttribute *attribute, MlcOnnxAttributeType type)
{
    // Files before IR version 2 give no type: any use is believed.
    return !attribute->has_type || attribute->type == MLC_ONNX_ATTRIBUTE_UNDEFINED ||
           attribute->type == (int64_t)type;
}

const MlcOnnxAttribute *
mlc_onnx_find_attribute(MlcOnnxNodeImport *n, const char *name, MlcOnnxAttributeType type, bool *ok)
{
    for (size_t i = 0; i < n->node->attribute.count; i++) {
        const MlcOnnxAttribute *attribute = &n->node->attribute.items[i];
        if (!mlc_str_equal(attribute->name, mlc_str(name)))
            continue;
        if (attribute->ref_attr_name.size)
            return *ok = mlc_onnx_unsupported(n, "attribute '%s' is an argument of the function",
                                              name),
                   NULL;
        if (has_type(attribute, type))
            return attribute;
        return *ok = mlc_onnx_invalid(n, "attribute '%s' has type %" PRId64 ", expected %d", name,
                                      attribute->type, (int)type),
               NULL;
    }
    return NULL;
}

bool
mlc_onnx_read_int(MlcOnnxNodeImport *n, const char *name, int64_t *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_INT, &ok);
    if (a)
        *value = a->i;
    return ok;
}

bool
mlc_onnx_read_float(MlcOnnxNodeImport *n, const char *name, float *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
    if (a)
        *value = a->f;
    return ok;
}

bool
mlc_onnx_read_str(MlcOnnxNodeImport *n, const char *name, MlcStr *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_STRING, &ok);
    if (a)
        *value = a->s;
    return ok;
}

bool
mlc_onnx_read_ints(MlcOnnxNodeImport *n, const char *name, MlcOnnxInts *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_INTS, &ok);
    if (a)
        *value = a->ints;
    return ok;
}

// ---- what must be known when compiling

bool
mlc_onnx_unknown_rank(MlcOnnxNodeImport *n)
{
    return mlc_onnx_unsupported(n, "the rank of its input '%.*s' is unknown, it must be fixed",
                                MLC_STR_FMT(n->node->input.items[0]));
}

bool
mlc_onnx_unknown_size(MlcOnnxNodeImport *n, int64_t dim)
{
    return mlc_onnx_unsupported(n,
                                "size %" PRId64 " of its input '%.*s' is unknown, it must be fixed",
                                dim, MLC_STR_FMT(n->node->input.items[0]));
}

bool
mlc_onnx_unknown_value(MlcOnnxNodeImport *n, size_t i)
{
    if (mlc_onnx_want_value(n->import, n->inputs[i]))
        return false;
    MlcStr name = n->node->input.items[i];
    if (!mlc_value_def(n->inputs[i]) && n->import->call_depth == 0)
        return mlc_onnx_unsupported(n,
                                    "its input '%.*s' is the model's, it must be a constant: give "
                                    "it with --input-value '%.*s=FILE'",
                                    MLC_STR_FMT(name), MLC_STR_FMT(name));
    return mlc_onnx_unsupported(
        n, "its input '%.*s' is computed at run time, it must be a constant", MLC_STR_FMT(name));
}

// ---- building

enum { MAX_FOLDED = 64 };

MlcContext *
mlc_onnx_context_of(MlcOnnxNodeImport *n)
{
    return n->import->ctx;
}

void
mlc_onnx_add_attr(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, MlcAttr value)
{
    if (attrs->count == MLC_ONNX_MAX_ATTRS)
        mlc_bug("too many attributes");
    attrs->items[attrs->count++] = mlc_named(mlc_onnx_context_of(n), name, value);
}

void
mlc_onnx_add_int(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, int64_t value)
{
    mlc_onnx_add_attr(n, attrs, name, mlc_i64_attr_get(mlc_onnx_context_of(n), value));
}

void
mlc_onnx_add_bool(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, bool value)
{
    mlc_onnx_add_attr(n, attrs, name, mlc_bool_attr_get(mlc_onnx_context_of(n), value));
}

void
mlc_onnx_add_float(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, float value)
{
    mlc_onnx_add_attr(n, attrs, name,
                      mlc_float_attr_get(mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32),
                                         (double)value));
}

void
mlc_onnx_add_ints(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, MlcOnnxInts value)
{
    mlc_onnx_add_attr(n, attrs, name,
                      mlc_i64_array_attr_get(mlc_onnx_context_of(n), value.items, value.count));
}

MlcValue *
mlc_onnx_build_value(MlcOnnxNodeImport *n, MlcAttr value)
{
    return mlc_graph_constant(&n->import->builder, value);
}

MlcValue *
mlc_onnx_build_tensor(MlcOnnxNodeImport *n, const MlcOnnxTensor *tensor)
{
    const char *refused = NULL;
    MlcValue *value = mlc_onnx_build_constant(n->import, tensor, &refused);
    if (refused)
        mlc_onnx_unsupported(n, "%s", refused);
    return value;
}

static bool
is_small_constant(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_value_constant(value) && mlc_type_has_static_shape(type) &&
           mlc_type_num_elements(type) <= MAX_FOLDED;
}

// What is computed of f16 and bf16 is rounded once, where it leaves the model (graph-widen-floats):
// not here, op by op.
static bool
would_round(MlcOp *op)
{
    MlcType element = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    return mlc_type_is_float(element) && mlc_type_bit_width(element) < 32 &&
           !mlc_op_has_trait(op, MLC_TRAIT_MOVES_ELEMENTS) && !mlc_graph_cast_isa(op);
}

// Shapes are computed in the graph by ops on small constants: such an op becomes its value here, so
// that importers of later nodes can read it.
static MlcValue *
fold_small(MlcOnnxNodeImport *n, MlcOp *op)
{
    MlcValue *result = mlc_op_result(op, 0);
    MlcType type = mlc_value_type(result);
    MlcAttr constants[MAX_FOLDED];
    MlcFold fold = {0};
    size_t num_operands = mlc_op_num_operands(op);
    if (num_operands == 0 || num_operands > MAX_FOLDED || !mlc_type_has_rank(type) ||
        !mlc_type_has_static_shape(type) || mlc_type_num_elements(type) > MAX_FOLDED ||
        would_round(op))
        return result;
    MlcValue *sizes = mlc_onnx_fold_sizes(n, op);
    if (sizes) {
        mlc_op_erase(op);
        return sizes;
    }
    for (size_t i = 0; i < num_operands; i++) {
        if (!is_small_constant(mlc_op_operand(op, i)))
            return result;
        constants[i] = mlc_value_constant(mlc_op_operand(op, i));
    }
    if (!mlc_eval_fold(op, constants, &fold) || !fold.attr)
        return result;
    MlcValue *constant = mlc_onnx_build_value(n, fold.attr);
    mlc_op_erase(op);
    return constant;
}

bool
mlc_onnx_infer(MlcOnnxNodeImport *n, MlcOp *op)
{
    const MlcInferShapes *infer = mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES);
    uint64_t num_unsupported = mlc_context_num_unsupported(n->import->ctx);
    if ((!infer || infer->infer(op)) && mlc_verify(op))
        return true;
    // The op's own message names the node as its location.
    bool is_valid = mlc_context_num_unsupported(n->import->ctx) > num_unsupported;
    if (is_valid)
        mlc_onnx_note_unknown(n);
    (*(is_valid ? &n->import->num_unsupported : &n->import->num_invalid))++;
    return false;
}

MlcValue *
mlc_onnx_build_typed(MlcOnnxNodeImport *n, const MlcOpDef *def, MlcType element,
                     MlcValue *const *operands, size_t num_operands, const MlcOnnxAttrs *attrs)
{
    for (size_t i = 0; i < num_operands; i++)
        if (!operands[i]) // an error was reported where it was to be made
            return NULL;
    MlcType type = mlc_unranked_tensor_type_get(element);
    MlcOpState state = {.def = def,
                        .operands = operands,
                        .num_operands = num_operands,
                        .result_types = &type,
                        .num_results = 1,
                        .attrs = attrs ? attrs->items : NULL,
                        .num_attrs = attrs ? attrs->count : 0};
    MlcOp *op = mlc_builder_create(&n->import->builder, &state);
    if (!mlc_onnx_infer(n, op))
        return NULL;
    return fold_small(n, op);
}

MlcValue *
mlc_onnx_build(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *const *operands,
               size_t num_operands, const MlcOnnxAttrs *attrs)
{
    if (!operands[0])
        return NULL;
    return mlc_onnx_build_typed(n, op, mlc_type_element(mlc_value_type(operands[0])), operands,
                                num_operands, attrs);
}

bool
mlc_onnx_set_result(MlcOnnxNodeImport *n, MlcValue *value)
{
    n->outputs[0] = value;
    return value != NULL;
}

bool
mlc_onnx_has_output(const MlcOnnxNodeImport *n, size_t i)
{
    return i < n->node->output.count && n->node->output.items[i].size > 0;
}

MlcValue *
mlc_onnx_input_or_null(const MlcOnnxNodeImport *n, size_t i)
{
    return i < n->num_inputs ? n->inputs[i] : NULL;
}

// Of an unsigned 64-bit integer the upper half is none.
bool
mlc_onnx_can_list(MlcOnnxNodeImport *n, int64_t count)
{
    enum { MOST = 1 << 26 };
    return count <= MOST || mlc_onnx_unsupported(n, "a list of %" PRId64 " numbers", count);
}

bool
mlc_onnx_element_int(MlcAttr element, int64_t *value)
{
    if (!mlc_attr_try_as_int(element, value))
        return false;
    MlcType type = mlc_attr_type(element);
    return *value >= 0 || !mlc_type_is(type, MLC_TYPE_INTEGER) ||
           mlc_integer_type_signedness(type) != MLC_UNSIGNED;
}

bool
mlc_onnx_constant_ints(MlcOnnxNodeImport *n, size_t i, MlcOnnxInts *ints)
{
    MlcAttr value = mlc_value_constant(n->inputs[i]);
    if (!value && mlc_onnx_known_ints(n, n->inputs[i], ints))
        return true;
    if (!value)
        return mlc_onnx_unknown_value(n, i);
    int64_t count = mlc_type_num_elements(mlc_attr_type(value));
    if (!mlc_type_is_int_or_index(mlc_type_element(mlc_attr_type(value))))
        return mlc_onnx_invalid(n, "input %zu must hold integers", i);
    if (!mlc_onnx_can_list(n, count))
        return false;
    int64_t *items = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count);
    for (int64_t k = 0; k < count; k++)
        if (!mlc_onnx_element_int(mlc_elements_attr_element(value, (size_t)k), &items[k]))
            return mlc_onnx_invalid(n, "input %zu must hold integers", i);
    *ints = (MlcOnnxInts){items, (size_t)count};
    return true;
}

bool
mlc_onnx_constant_float(MlcOnnxNodeImport *n, size_t i, double *number)
{
    MlcAttr value = mlc_value_constant(n->inputs[i]);
    MlcOnnxInts known = {0};
    if (!value && mlc_onnx_known_ints(n, n->inputs[i], &known) && known.count == 1) {
        *number = (double)known.items[0];
        return true;
    }
    if (!value)
        return mlc_onnx_unknown_value(n, i);
    if (mlc_type_num_elements(mlc_attr_type(value)) != 1)
        return mlc_onnx_invalid(n, "input %zu must be a scalar", i);
    MlcAttr element = mlc_elements_attr_element(value, 0);
    int64_t integer;
    if (mlc_attr_is(element, MLC_ATTR_FLOAT)) {
        *number = mlc_float_attr_as_double(element);
        return true;
    }
    if (!mlc_onnx_element_int(element, &integer))
        return mlc_onnx_invalid(n, "input %zu must hold integers", i);
    *number = (double)integer;
    return true;
}

bool
mlc_onnx_attribute_or_input_ints(MlcOnnxNodeImport *n, const char *name, size_t i,
                                 MlcOnnxInts *ints, bool *given)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_INTS, &ok);
    *given = a || mlc_onnx_input_or_null(n, i);
    if (a)
        *ints = a->ints;
    else if (mlc_onnx_input_or_null(n, i))
        return mlc_onnx_constant_ints(n, i, ints);
    return ok;
}

MlcValue *
mlc_onnx_reshape(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts shape, bool allow_zero)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "shape", shape);
    if (allow_zero)
        mlc_onnx_add_bool(n, &attrs, "allow_zero", true);
    return mlc_onnx_build(n, &mlc_graph_reshape_def, &value, 1, &attrs);
}

MlcValue *
mlc_onnx_build_one(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value)
{
    return value ? mlc_onnx_build(n, op, &value, 1, NULL) : NULL;
}

MlcValue *
mlc_onnx_build_two(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *lhs, MlcValue *rhs)
{
    return lhs && rhs ? mlc_onnx_build(n, op, (MlcValue *[]){lhs, rhs}, 2, NULL) : NULL;
}

MlcType
mlc_onnx_i64(MlcOnnxNodeImport *n)
{
    return mlc_integer_type_get(mlc_onnx_context_of(n), 64, MLC_SIGNLESS);
}

MlcValue *
mlc_onnx_int(MlcOnnxNodeImport *n, int64_t value)
{
    return mlc_onnx_build_ints(n, &value, NULL, 0);
}

MlcValue *
mlc_onnx_build_ints(MlcOnnxNodeImport *n, const int64_t *items, const int64_t *shape, size_t rank)
{
    MlcType i64 = mlc_onnx_i64(n);
    MlcType type = mlc_tensor_type_get(i64, shape, rank, NULL);
    size_t count = (size_t)mlc_type_num_elements(type);
    return mlc_onnx_build_value(n, mlc_dense_attr_get(type, items, count * sizeof *items, false));
}

MlcValue *
mlc_onnx_build_floats(MlcOnnxNodeImport *n, MlcType element, const double *items,
                      const int64_t *shape, size_t rank)
{
    if (!mlc_type_is_float(element))
        return mlc_onnx_unsupported(n, "elements of type %s", mlc_type_text(element)), NULL;
    bool is_narrow = mlc_type_bit_width(element) < 32;
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcType kept = is_narrow ? mlc_float_type_get(ctx, MLC_FLOAT_F32) : element;
    MlcType type = mlc_tensor_type_get(kept, shape, rank, NULL);
    size_t count = (size_t)mlc_type_num_elements(type);
    MlcAttr *numbers = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = mlc_float_attr_get(kept, items[i]);
    MlcValue *value = mlc_onnx_build_value(n, mlc_dense_attr_from_elements(type, numbers, count));
    if (!is_narrow)
        return value;
    type = mlc_type_with_element(type, element);
    MlcValue *cast = mlc_graph_cast(&n->import->builder, type, value);
    mlc_graph_cast_set_rounds(mlc_value_def(cast), false);
    return cast;
}

MlcValue *
mlc_onnx_transpose(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts perm)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "perm", perm);
    return mlc_onnx_build(n, &mlc_graph_transpose_def, &value, 1, &attrs);
}

MlcValue *
mlc_onnx_slice(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts starts, MlcOnnxInts ends,
               MlcOnnxInts axes, MlcOnnxInts steps)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "starts", starts);
    mlc_onnx_add_ints(n, &attrs, "ends", ends);
    if (axes.count)
        mlc_onnx_add_ints(n, &attrs, "axes", axes);
    if (steps.count)
        mlc_onnx_add_ints(n, &attrs, "steps", steps);
    return mlc_onnx_build(n, &mlc_graph_slice_def, &value, 1, &attrs);
}

MlcValue *
mlc_onnx_build_scalar(MlcOnnxNodeImport *n, MlcType element, double number)
{
    return mlc_onnx_build_floats(n, element, &number, NULL, 0);
}

MlcValue *
mlc_onnx_reduce_axes(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value, MlcOnnxInts axes)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", axes);
    return value ? mlc_onnx_build(n, op, &value, 1, &attrs) : NULL;
}

MlcValue *
mlc_onnx_compare(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *lhs, MlcValue *rhs)
{
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcValue *sides[] = {lhs, rhs};
    return lhs && rhs ? mlc_onnx_build_typed(n, op, i1, sides, 2, NULL) : NULL;
}

MlcValue *
mlc_onnx_select(MlcOnnxNodeImport *n, MlcValue *condition, MlcValue *lhs, MlcValue *rhs)
{
    MlcValue *operands[] = {condition, lhs, rhs};
    if (!condition || !lhs || !rhs)
        return NULL;
    MlcType element = mlc_type_element(mlc_value_type(lhs));
    return mlc_onnx_build_typed(n, &mlc_graph_where_def, element, operands, 3, NULL);
}

MlcValue *
mlc_onnx_cast(MlcOnnxNodeImport *n, MlcValue *value, MlcType element)
{
    if (!value || mlc_type_element(mlc_value_type(value)) == element)
        return value;
    return mlc_onnx_build_typed(n, &mlc_graph_cast_def, element, &value, 1, NULL);
}

MlcValue *
mlc_onnx_build_number(MlcOnnxNodeImport *n, MlcType element, double number)
{
    if (mlc_type_is_float(element))
        return mlc_onnx_build_scalar(n, element, number);
    MlcType type = mlc_tensor_type_get(element, NULL, 0, NULL);
    MlcAttr integer = mlc_integer_attr_get(element, (int64_t)number);
    return mlc_onnx_build_value(n, mlc_dense_attr_splat(type, integer));
}

MlcValue *
mlc_onnx_build_count(MlcOnnxNodeImport *n, int64_t size, size_t dim, size_t rank)
{
    int64_t shape[MLC_SMALL_RANK + 1];
    if (!mlc_onnx_can_list(n, size))
        return NULL;
    int64_t *numbers = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)size + 1);
    for (int64_t i = 0; i < size; i++)
        numbers[i] = i;
    for (size_t i = 0; i < rank; i++)
        shape[i] = i == dim ? size : 1;
    return mlc_onnx_build_ints(n, numbers, shape, rank);
}

MlcValue *
mlc_onnx_concat(MlcOnnxNodeImport *n, MlcValue *const *values, size_t count, int64_t axis)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", axis);
    for (size_t i = 0; i < count; i++)
        if (!values[i])
            return NULL;
    return mlc_onnx_build(n, &mlc_graph_concat_def, values, count, &attrs);
}

bool
mlc_onnx_read_axis(MlcOnnxNodeImport *n, const char *name, MlcType type, int64_t *axis)
{
    if (!mlc_onnx_read_int(n, name, axis))
        return false;
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (*axis < -rank || *axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, *axis,
                                rank);
    *axis += *axis < 0 ? rank : 0;
    return true;
}

static const MlcOnnxShape *
declared_shape(const MlcOnnxValueInfo *infos, size_t count, MlcStr name)
{
    for (size_t i = 0; i < count; i++)
        if (mlc_str_equal(infos[i].name, name) && infos[i].type && infos[i].type->tensor_type)
            return infos[i].type->tensor_type->shape;
    return NULL;
}

int64_t
mlc_onnx_declared_size(const MlcOnnxNodeImport *n, size_t i, size_t dim)
{
    const MlcOnnxGraph *graph = n->import->model->graph;
    if (!mlc_onnx_has_output(n, i) || n->import->scope.size || !graph)
        return -1;
    MlcStr name = n->node->output.items[i];
    const MlcOnnxShape *shape = declared_shape(graph->output.items, graph->output.count, name);
    if (!shape)
        shape = declared_shape(graph->value_info.items, graph->value_info.count, name);
    bool is_known = shape && dim < shape->dim.count && shape->dim.items[dim].has_dim_value &&
                    shape->dim.items[dim].dim_value >= 0;
    return is_known ? shape->dim.items[dim].dim_value : -1;
}

MlcValue *
mlc_onnx_expect(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *number, int64_t expected,
                const char *what)
{
    MlcOnnxAttrs attrs = {0};
    MlcType i64 = mlc_onnx_i64(n);
    number = mlc_onnx_cast(n, number, i64);
    mlc_onnx_add_int(n, &attrs, "expected", expected);
    mlc_onnx_add_attr(n, &attrs, "what",
                      mlc_string_attr_get(mlc_onnx_context_of(n), mlc_str(what)));
    return value && number
               ? mlc_onnx_build(n, &mlc_graph_expect_def, (MlcValue *[]){value, number}, 2, &attrs)
               : NULL;
}

MlcValue *
mlc_onnx_assert(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *truth, const char *message)
{
    MlcOnnxAttrs attrs = {0};
    MlcAttr text = mlc_string_attr_get(mlc_onnx_context_of(n), mlc_str(message));
    truth = mlc_onnx_cast(n, truth, mlc_onnx_i64(n));
    mlc_onnx_add_int(n, &attrs, "expected", 1);
    mlc_onnx_add_attr(n, &attrs, "what", text);
    mlc_onnx_add_bool(n, &attrs, "is_whole", true);
    return value && truth
               ? mlc_onnx_build(n, &mlc_graph_expect_def, (MlcValue *[]){value, truth}, 2, &attrs)
               : NULL;
}

bool
mlc_onnx_is_unsigned(MlcType element)
{
    return mlc_type_is(element, MLC_TYPE_INTEGER) &&
           mlc_integer_type_signedness(element) == MLC_UNSIGNED;
}

MlcValue *
mlc_onnx_bitcast(MlcOnnxNodeImport *n, MlcValue *value, MlcType element)
{
    if (!value || mlc_type_element(mlc_value_type(value)) == element)
        return value;
    return mlc_onnx_build_typed(n, &mlc_graph_bitcast_def, element, &value, 1, NULL);
}

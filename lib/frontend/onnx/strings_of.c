// strings_of.c -- see strings_of.h.
#include "found_sizes.h"
#include "lists.h"
#include "strings_of.h"

#include "mlc/dialects/func.h"
#include "mlc/runtime/abi.h"
#include "mlc/support/regex.h"

#include <inttypes.h>

MlcType
mlc_onnx_string_type(MlcContext *ctx)
{
    return mlc_integer_type_get(ctx, 64, MLC_SIGNED);
}

MlcType
mlc_onnx_any_element_type(MlcContext *ctx, int64_t data_type)
{
    return data_type == MLC_ONNX_STRING ? mlc_onnx_string_type(ctx)
                                        : mlc_onnx_element_type(ctx, data_type);
}

bool
mlc_onnx_is_strings(const MlcOnnxImport *im, MlcValue *value)
{
    MlcType element = value ? mlc_onnx_item_element(im, value) : NULL;
    return element && mlc_type_is_string(element);
}

// ---- constants

int64_t
mlc_onnx_literal_bytes(MlcOnnxImport *im, MlcStr bytes)
{
    bool fresh;
    MlcStrMapEntry *entry = mlc_str_map_insert(&im->literal_numbers, bytes, &fresh);
    if (fresh) {
        entry->value = im->literals.size;
        mlc_vec_push(&im->literals, bytes);
    }
    return (int64_t)entry->value;
}

int64_t
mlc_onnx_literal(MlcOnnxImport *im, MlcStr text)
{
    const char *at = text.data, *end = text.data + text.size;
    uint32_t character;
    while (at < end) {
        size_t byte = (size_t)(at - text.data);
        if (!mlc_utf8_next(&at, end, &character))
            return mlc_onnx_fail(im, "a string of the model is no UTF-8 at its byte %zu", byte), -1;
    }
    return mlc_onnx_literal_bytes(im, text);
}

MlcValue *
mlc_onnx_build_strings(MlcOnnxImport *im, const MlcStr *items, const int64_t *shape, size_t rank)
{
    MlcType type = mlc_tensor_type_get(mlc_onnx_string_type(im->ctx), shape, rank, NULL);
    size_t count = (size_t)mlc_type_num_elements(type);
    int64_t *numbers = MLC_NEW_ARRAY(&im->arena, int64_t, count + 1);
    for (size_t i = 0; i < count; i++)
        if ((numbers[i] = mlc_onnx_literal(im, items[i])) < 0)
            return NULL;
    return mlc_graph_constant(&im->builder,
                              mlc_dense_attr_get(type, numbers, count * sizeof *numbers, false));
}

MlcValue *
mlc_onnx_build_string_tensor(MlcOnnxImport *im, const MlcOnnxTensor *tensor)
{
    if (!mlc_onnx_tensor_strings(&im->reader, tensor))
        return mlc_onnx_fail_reading(im), NULL;
    if (!mlc_onnx_check_rank(im, tensor->name, tensor->dims.count))
        return NULL;
    return mlc_onnx_build_strings(im, tensor->string_data.items, tensor->dims.items,
                                  tensor->dims.count);
}

void
mlc_onnx_tell_literals(MlcOnnxImport *im, MlcOp *module)
{
    MLC_VEC(MlcAttr) attrs = {0};
    for (size_t i = 0; i < im->literals.size; i++)
        mlc_vec_push(&attrs, mlc_string_attr_get(im->ctx, im->literals.data[i]));
    if (attrs.size > 0)
        mlc_op_set_attr(module, "mlc.literals",
                        mlc_array_attr_get(im->ctx, attrs.data, attrs.size));
    mlc_vec_release(&attrs);
}

// ---- what is asked of the runtime

// The function that stands for it, declared at the module's end.
static void
declare_text(MlcOnnxImport *im)
{
    MlcOp *module = mlc_op_parent(mlc_block_parent(im->body));
    MlcType i64 = mlc_integer_type_get(im->ctx, 64, MLC_SIGNLESS);
    MlcType types[] = {i64, i64, i64, i64, i64, i64};
    MlcBuilder b;
    if (im->declares_text)
        return;
    im->declares_text = true;
    mlc_builder_init(&b, im->ctx);
    mlc_builder_at_end(&b, mlc_region_first(mlc_op_region(module, 0)));
    MlcOp *function = mlc_func_func(&b, mlc_str(MLC_RT_TEXT_FUNCTION),
                                    mlc_function_type_get(im->ctx, types, 5, types + 5, 1));
    mlc_op_set_attr(function, "sym_visibility", mlc_string_attr_get(im->ctx, mlc_str("private")));
}

MlcValue *
mlc_onnx_text(MlcOnnxNodeImport *n, const char *what, MlcType element, MlcValue *const *operands,
              size_t num_operands)
{
    MlcValue *flat[4];
    MlcOnnxAttrs attrs = {0};
    if (num_operands == 0 || !operands[0])
        return NULL;
    MlcType type = mlc_value_type(operands[0]);
    if (!mlc_type_has_rank(type) || !mlc_type_has_small_rank(type) ||
        !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    int64_t count = mlc_type_num_elements(type);
    for (size_t i = 0; i < num_operands; i++)
        if (!operands[i] ||
            !(flat[i] = mlc_onnx_reshape(n, operands[i], (MlcOnnxInts){&count, 1}, true)))
            return NULL;
    declare_text(n->import);
    mlc_onnx_add_attr(n, &attrs, "what",
                      mlc_string_attr_get(mlc_onnx_context_of(n), mlc_str(what)));
    MlcValue *made =
        mlc_onnx_build_typed(n, &mlc_graph_text_def, element, flat, num_operands, &attrs);
    return made ? mlc_onnx_reshape(n, made,
                                   (MlcOnnxInts){mlc_type_shape(type), mlc_type_rank(type)}, true)
                : NULL;
}

MlcValue *
mlc_onnx_expand(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts shape)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "shape", shape);
    return value ? mlc_onnx_build(n, &mlc_graph_expand_def, &value, 1, &attrs) : NULL;
}

// Literals have numbers from 0 on, and all other strings greater ones: a table of places for all
// literals that there are so far, and one more, finds each at once.
MlcValue *
mlc_onnx_look_up(MlcOnnxNodeImport *n, MlcValue *strings, const MlcStr *keys, size_t num_keys,
                 MlcValue *values)
{
    MlcOnnxImport *im = n->import;
    MlcType i64 = mlc_integer_type_get(im->ctx, 64, MLC_SIGNLESS);
    for (size_t i = 0; i < num_keys; i++)
        if (mlc_onnx_literal(im, keys[i]) < 0)
            return NULL;
    int64_t count = (int64_t)im->literals.size + 1, last = count - 1;
    int64_t *places = MLC_NEW_ARRAY(&im->arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        places[i] = (int64_t)num_keys;
    for (size_t i = num_keys; i-- > 0;) // of one that is there twice the first
        places[mlc_onnx_literal(im, keys[i])] = (int64_t)i;
    MlcValue *numbers = mlc_onnx_bitcast(n, strings, i64);
    numbers = mlc_onnx_build_two(n, &mlc_graph_min_def, numbers, mlc_onnx_int(n, last));
    numbers = mlc_onnx_build_two(n, &mlc_graph_max_def, numbers, mlc_onnx_int(n, 0));
    MlcValue *at = mlc_onnx_gather_there(n, mlc_onnx_build_ints(n, places, &count, 1), numbers, 0);
    return mlc_onnx_gather_there(n, values, at, 0);
}

// operators.c -- nodes that functions of shared libraries compute (mlc/operator.h).
//
// A node of domain `com.acme` and operator `Runs` is computed by `com_acme_Runs`, if one of the
// libraries has it. It becomes a graph.operator. What its outputs are says the record of a user's
// dialect, the function `com_acme_Runs_shape`, or the model, whoever comes first.
#include "operators.h"

#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/operator.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>

typedef MLC_VEC(MlcAttr) AttrVec;

bool
mlc_onnx_open_libraries(MlcOnnxImport *im)
{
    for (size_t i = 0; i < im->options.num_libraries; i++) {
        MlcStr path = mlc_arena_strdup(&im->arena, im->options.libraries[i]);
        void *handle = dlopen(path.data, RTLD_NOW | RTLD_LOCAL); // stays open: functions are kept
        if (!handle)
            return mlc_error(im->ctx, mlc_loc_unknown(im->ctx),
                             "cannot open the shared library '%s': %s", path.data, dlerror());
        mlc_vec_push(&im->libraries, handle);
    }
    return true;
}

static MlcStr
domain_of(const MlcOnnxNode *node)
{
    return node->domain.size ? node->domain : mlc_str("ai.onnx");
}

// "com_acme_Runs": what C cannot spell is an underscore.
static const char *
symbol_of(MlcOnnxImport *im, const MlcOnnxNode *node, const char *suffix)
{
    MlcStr text = mlc_arena_printf(&im->arena, "%.*s_%.*s%s", MLC_STR_FMT(domain_of(node)),
                                   MLC_STR_FMT(node->op_type), suffix);
    char *symbol = mlc_arena_alloc(&im->arena, text.size + 1, 1);
    for (size_t i = 0; i <= text.size; i++)
        symbol[i] = i < text.size && !isalnum((unsigned char)text.data[i]) ? '_' : text.data[i];
    return symbol;
}

bool
mlc_onnx_find_function(MlcOnnxImport *im, const MlcOnnxNode *node, MlcOnnxFunctionFound *found)
{
    *found = (MlcOnnxFunctionFound){0};
    if (im->libraries.size == 0)
        return false;
    const char *symbol = symbol_of(im, node, "");
    for (size_t i = 0; i < im->libraries.size; i++)
        if (dlsym(im->libraries.data[i], symbol)) {
            *found = (MlcOnnxFunctionFound){
                mlc_str(symbol), mlc_path_base(im->options.libraries[i]), im->libraries.data[i]};
            return true;
        }
    return false;
}

// ---- attributes

static MlcAttr
take_ints(MlcOnnxNodeImport *n, MlcOnnxInts ints)
{
    MlcAttr *items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, ints.count + 1);
    for (size_t i = 0; i < ints.count; i++)
        items[i] = mlc_i64_attr_get(n->import->ctx, ints.items[i]);
    return mlc_array_attr_get(n->import->ctx, items, ints.count);
}

static MlcAttr
take_floats(MlcOnnxNodeImport *n, MlcOnnxFloats floats)
{
    MlcType f32 = mlc_float_type_get(n->import->ctx, MLC_FLOAT_F32);
    MlcAttr *items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, floats.count + 1);
    for (size_t i = 0; i < floats.count; i++)
        items[i] = mlc_float_attr_get(f32, mlc_onnx_float_at(floats, i));
    return mlc_array_attr_get(n->import->ctx, items, floats.count);
}

static MlcAttr
take(MlcOnnxNodeImport *n, const MlcOnnxAttribute *a)
{
    MlcContext *ctx = n->import->ctx;
    switch ((MlcOnnxAttributeType)a->type) {
    case MLC_ONNX_ATTRIBUTE_INT:
        return mlc_i64_attr_get(ctx, a->i);
    case MLC_ONNX_ATTRIBUTE_FLOAT:
        return mlc_float_attr_get(mlc_float_type_get(ctx, MLC_FLOAT_F32), a->f);
    case MLC_ONNX_ATTRIBUTE_STRING:
        return mlc_string_attr_get(ctx, a->s);
    case MLC_ONNX_ATTRIBUTE_INTS:
        return take_ints(n, a->ints);
    case MLC_ONNX_ATTRIBUTE_FLOATS:
        return take_floats(n, a->floats);
    default:
        return NULL;
    }
}

static MlcAttr
attributes_of_node(MlcOnnxNodeImport *n)
{
    size_t count = n->node->attribute.count;
    MlcNamedAttr *all = MLC_NEW_ARRAY(&n->import->arena, MlcNamedAttr, count + 1);
    for (size_t i = 0; i < count; i++) {
        const MlcOnnxAttribute *a = &n->node->attribute.items[i];
        MlcAttr value = a->ref_attr_name.size ? NULL : take(n, a);
        if (!value)
            return mlc_onnx_unsupported(n,
                                        "attribute '%.*s' is no number, string or list of numbers",
                                        MLC_STR_FMT(a->name)),
                   NULL;
        all[i] = (MlcNamedAttr){mlc_string_attr_get(n->import->ctx, a->name), value};
    }
    return mlc_dict_attr_get(n->import->ctx, all, count);
}

// A dense array as an array of its numbers.
static MlcAttr
listed(MlcOnnxNodeImport *n, MlcAttr array)
{
    size_t count = mlc_dense_array_attr_size(array);
    MlcType element = mlc_dense_array_attr_element_type(array);
    unsigned bits = mlc_type_bit_width(element);
    MlcAttr *items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, count + 1);
    for (size_t i = 0; i < count; i++) {
        const void *at = (const char *)mlc_dense_array_attr_data(array) + i * bits / 8;
        double wide;
        float narrow;
        memcpy(&narrow, at, sizeof narrow);
        if (bits == 64)
            memcpy(&wide, at, sizeof wide);
        items[i] = mlc_type_is_float(element)
                       ? mlc_float_attr_get(element, bits == 64 ? wide : (double)narrow)
                       : mlc_i64_attr_get(n->import->ctx, mlc_dense_array_attr_int(array, i));
    }
    return mlc_array_attr_get(n->import->ctx, items, count);
}

// Those of the record, with what it has for those that the node leaves out.
static MlcAttr
attributes_of_op(MlcOnnxNodeImport *n, MlcOp *op)
{
    const MlcOpDef *def = mlc_op_def(op);
    MlcNamedAttr *all = MLC_NEW_ARRAY(&n->import->arena, MlcNamedAttr, (size_t)def->num_attrs + 1);
    size_t count = 0;
    for (size_t i = 0; i < def->num_attrs; i++) {
        MlcAttr value = mlc_op_attr(op, def->attrs[i].name);
        if (value)
            all[count++] =
                mlc_named(n->import->ctx, def->attrs[i].name,
                          mlc_attr_is(value, MLC_ATTR_DENSE_ARRAY) ? listed(n, value) : value);
    }
    return mlc_dict_attr_get(n->import->ctx, all, count);
}

// ---- the shape rule

static int64_t
opset_of(const MlcOnnxImport *im, const MlcOnnxNode *node)
{
    for (size_t i = 0; i < im->model->opset_import.count; i++)
        if (mlc_str_equal(im->model->opset_import.items[i].domain, node->domain))
            return im->model->opset_import.items[i].version;
    return node->domain.size ? 0 : im->opset;
}

static void
describe_attributes(MlcOnnxNodeImport *n, MlcOperatorCall *call)
{
    size_t count = n->node->attribute.count;
    MlcOperatorAttribute *all = MLC_NEW_ARRAY(&n->import->arena, MlcOperatorAttribute, count + 1);
    for (size_t i = 0; i < count; i++) {
        const MlcOnnxAttribute *a = &n->node->attribute.items[i];
        bool is_float = a->type == MLC_ONNX_ATTRIBUTE_FLOAT || a->type == MLC_ONNX_ATTRIBUTE_FLOATS;
        bool is_one = a->type == MLC_ONNX_ATTRIBUTE_FLOAT || a->type == MLC_ONNX_ATTRIBUTE_INT;
        size_t size = is_one ? 1 : is_float ? a->floats.count : a->ints.count;
        double *floats = MLC_NEW_ARRAY(&n->import->arena, double, size + 1);
        for (size_t k = 0; is_float && k < size; k++)
            floats[k] = is_one ? (double)a->f : (double)mlc_onnx_float_at(a->floats, k);
        all[i] = (MlcOperatorAttribute){.name = mlc_arena_strdup(&n->import->arena, a->name).data,
                                        .kind = is_float ? MLC_OPERATOR_FLOATS : MLC_OPERATOR_INTS,
                                        .count = size};
        if (a->type == MLC_ONNX_ATTRIBUTE_STRING) {
            all[i].kind = MLC_OPERATOR_TEXT;
            all[i].count = a->s.size;
            all[i].text = mlc_arena_strdup(&n->import->arena, a->s).data;
        } else if (is_float)
            all[i].floats = floats;
        else
            all[i].ints = is_one ? &a->i : a->ints.items;
    }
    call->attributes = all;
    call->num_attributes = count;
}

// The elements of a constant; NULL for what is none, or has too many to repeat.
static void *
data_of(MlcOnnxNodeImport *n, MlcValue *value)
{
    enum { MAX_REPEATED = 1 << 16 };
    MlcAttr attr = mlc_value_constant(value);
    size_t size;
    if (!attr || !mlc_elements_attr_has_data(attr))
        return NULL;
    const char *data = mlc_elements_attr_data(attr, &size);
    int64_t count = mlc_type_num_elements(mlc_value_type(value));
    if (!mlc_elements_attr_is_splat(attr))
        return (void *)(uintptr_t)data;
    if (count > MAX_REPEATED)
        return NULL;
    char *all = mlc_arena_alloc(&n->import->arena, (size_t)count * size + 1, 64);
    for (int64_t i = 0; i < count; i++)
        memcpy(all + (size_t)i * size, data, size);
    return all;
}

// The number that stands for a size known when the model runs only: -1, -2... in the order of the
// inputs; equal sizes have one.
static int64_t
number_of_size(MlcAttr size, AttrVec *sizes)
{
    size_t i = 0;
    while (i < sizes->size && (!size || sizes->data[i] != size))
        i++;
    if (i == sizes->size)
        mlc_vec_push(sizes, size);
    return -1 - (int64_t)i;
}

static bool
describe_inputs(MlcOnnxNodeImport *n, MlcOperatorCall *call, AttrVec *sizes)
{
    MlcRtTensor *all = MLC_NEW_ARRAY(&n->import->arena, MlcRtTensor, n->num_inputs + 1);
    for (size_t i = 0; i < n->num_inputs; i++) {
        if (!n->inputs[i])
            continue;
        MlcType type = mlc_value_type(n->inputs[i]);
        if (!mlc_type_has_rank(type))
            return mlc_onnx_unsupported(n, "the rank of its input %zu is unknown", i);
        if (!mlc_type_to_runtime(mlc_type_element(type), &all[i].type))
            return mlc_onnx_unsupported(n, "its input %zu has elements of type %s", i,
                                        mlc_type_text(mlc_type_element(type)));
        int64_t *dims = MLC_NEW_ARRAY(&n->import->arena, int64_t, mlc_type_rank(type) + 1);
        for (size_t k = 0; k < mlc_type_rank(type); k++)
            dims[k] = mlc_type_dim(type, k) == MLC_DYNAMIC
                          ? number_of_size(mlc_size_of_dim(type, k), sizes)
                          : mlc_type_dim(type, k);
        all[i] = (MlcRtTensor){all[i].type, (int32_t)mlc_type_rank(type), dims,
                               data_of(n, n->inputs[i])};
    }
    call->inputs = all;
    call->num_inputs = n->num_inputs;
    return true;
}

// The type that the rule gave for output `i`.
static MlcType
type_of(MlcOnnxNodeImport *n, const MlcOperatorShape *shape, size_t i, const AttrVec *sizes)
{
    MlcContext *ctx = n->import->ctx;
    MlcType element = mlc_type_from_runtime(ctx, shape->type);
    int64_t dims[MLC_OPERATOR_MAX_RANK];
    MlcAttr names[MLC_OPERATOR_MAX_RANK], empty = mlc_string_attr_get(ctx, mlc_str(""));
    bool ok = element && shape->rank >= 0 && shape->rank <= MLC_OPERATOR_MAX_RANK, is_open = false;
    for (int32_t k = 0; ok && k < shape->rank; k++) {
        bool is_size = shape->dims[k] < 0;
        ok = !is_size || (-1 - shape->dims[k] < (int64_t)sizes->size);
        names[k] = ok && is_size ? sizes->data[-1 - shape->dims[k]] : empty;
        dims[k] = is_size ? MLC_DYNAMIC : shape->dims[k];
        ok = ok && names[k];
        is_open |= is_size;
    }
    if (!ok)
        return mlc_onnx_unsupported(n, "its shape rule gives output %zu no type that there is", i),
               NULL;
    MlcAttr list = mlc_array_attr_get(ctx, names, (size_t)shape->rank);
    MlcType type = mlc_tensor_type_get(
        element, dims, (size_t)shape->rank,
        is_open ? mlc_dialect_attr_get(ctx, &mlc_graph_dims_attr_def, &list, 1) : NULL);
    if (mlc_type_has_static_shape(type) && mlc_type_num_elements(type) < 0)
        return mlc_onnx_unsupported(n, "its shape rule gives output %zu too many elements", i),
               NULL;
    return type;
}

static bool
apply_rule(MlcOnnxNodeImport *n, MlcOperatorShapeFunction rule, MlcTypeVec *types)
{
    size_t count = n->node->output.count;
    char message[256] = "";
    MlcOperatorCall call = {.size = sizeof call,
                            .domain = mlc_arena_strdup(&n->import->arena, domain_of(n->node)).data,
                            .name = mlc_arena_strdup(&n->import->arena, n->node->op_type).data,
                            .opset = opset_of(n->import, n->node),
                            .message = message,
                            .message_size = sizeof message};
    MlcOperatorShape *shapes = MLC_NEW_ARRAY(&n->import->arena, MlcOperatorShape, count + 1);
    AttrVec sizes = {0};
    describe_attributes(n, &call);
    bool ok = describe_inputs(n, &call, &sizes);
    if (ok && rule(&call, shapes) != 0) {
        message[sizeof message - 1] = '\0';
        ok = mlc_onnx_invalid(n, "its shape rule fails: %s", message[0] ? message : "no reason");
    }
    for (size_t i = 0; ok && i < count; i++) {
        MlcType type = type_of(n, &shapes[i], i, &sizes);
        mlc_vec_push(types, type);
        ok = type != NULL;
    }
    mlc_vec_release(&sizes);
    return ok;
}

static bool
find_types(MlcOnnxNodeImport *n, const MlcOnnxFunctionFound *found, MlcOp *like, MlcTypeVec *types)
{
    MlcOperatorShapeFunction rule = NULL;
    for (size_t i = 0; like && i < mlc_op_num_results(like); i++)
        mlc_vec_push(types, mlc_op_result_type(like, i));
    if (like)
        return true;
    const char *symbol = symbol_of(n->import, n->node, "_shape");
    *(void **)(void *)&rule = dlsym(found->handle, symbol);
    if (rule)
        return apply_rule(n, rule, types);
    for (size_t i = 0; i < n->node->output.count; i++) {
        MlcType type = mlc_onnx_declared_type(n, i);
        if (!type)
            return mlc_onnx_unsupported(n,
                                        "neither '%s' nor the model says of which type output "
                                        "%zu is",
                                        symbol, i);
        mlc_vec_push(types, type);
    }
    return true;
}

// ---- the op

bool
mlc_onnx_import_function(MlcOnnxNodeImport *n, const MlcOnnxFunctionFound *found, MlcOp *like)
{
    MlcOnnxImport *im = n->import;
    MlcContext *ctx = im->ctx;
    MlcTypeVec types = {0};
    MlcValueVec inputs = {0};
    MLC_VEC(int64_t) absent = {0};
    while (n->num_inputs && !n->inputs[n->num_inputs - 1])
        n->num_inputs--;
    for (size_t i = 0; i < n->num_inputs; i++)
        if (n->inputs[i])
            mlc_vec_push(&inputs, n->inputs[i]);
        else
            mlc_vec_push(&absent, (int64_t)i);
    MlcAttr attributes = like ? attributes_of_op(n, like) : attributes_of_node(n);
    bool ok = attributes && find_types(n, found, like, &types);
    if (ok) {
        MlcNamedAttr attrs[] = {
            mlc_named(ctx, "function", mlc_string_attr_get(ctx, found->symbol)),
            mlc_named(ctx, "library", mlc_string_attr_get(ctx, found->library)),
            mlc_named(ctx, "domain", mlc_string_attr_get(ctx, domain_of(n->node))),
            mlc_named(ctx, "name", mlc_string_attr_get(ctx, n->node->op_type)),
            mlc_named(ctx, "opset", mlc_i64_attr_get(ctx, opset_of(im, n->node))),
            mlc_named(ctx, "attributes", attributes),
            mlc_named(ctx, "absent", mlc_i64_array_attr_get(ctx, absent.data, absent.size)),
        };
        MlcOpState state = {.def = &mlc_graph_operator_def,
                            .operands = inputs.data,
                            .num_operands = inputs.size,
                            .result_types = types.data,
                            .num_results = types.size,
                            .attrs = attrs,
                            .num_attrs = sizeof attrs / sizeof *attrs - (absent.size == 0)};
        MlcOp *op = mlc_builder_create(&im->builder, &state);
        ok = mlc_onnx_infer(n, op);
        for (size_t i = 0; ok && i < types.size; i++)
            n->outputs[i] = mlc_op_result(op, i);
    }
    if (like)
        mlc_op_erase(like);
    mlc_vec_release(&types);
    mlc_vec_release(&inputs);
    mlc_vec_release(&absent);
    return ok;
}

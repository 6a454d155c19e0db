// signature.c -- inputs and outputs of a model that was read and not compiled yet.
#include "compilation.h"

#include "mlc/target.h"

// {mlc.name = "image"}; else, as plan-memory calls it, "input_0".
static const char *
name_of(MlcArena *arena, MlcAttr attrs, size_t i, const char *otherwise)
{
    MlcAttr dict =
        attrs && i < mlc_array_attr_size(attrs) ? mlc_array_attr_element(attrs, i) : NULL;
    MlcAttr name = dict ? mlc_dict_attr_find(dict, mlc_str("mlc.name")) : NULL;
    if (name && mlc_attr_is(name, MLC_ATTR_STRING))
        return mlc_arena_strdup(arena, mlc_string_attr_value(name)).data;
    return mlc_arena_printf(arena, "%s_%zu", otherwise, i).data;
}

static bool
describe(MlcArena *arena, MlcType type, const char *name, MlcRtTensorInfo *info)
{
    *info = (MlcRtTensorInfo){.name = name};
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) && !mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR))
        return false;
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) > INT32_MAX ||
        !mlc_target_runtime_type(mlc_type_element(type), &info->type)) {
        info->type = 0;
        return true;
    }
    int64_t *dims = MLC_NEW_ARRAY(arena, int64_t, mlc_type_rank(type) + 1);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        dims[i] = mlc_type_dim(type, i) == MLC_DYNAMIC ? -1 : mlc_type_dim(type, i);
    info->rank = (int32_t)mlc_type_rank(type);
    info->dims = dims;
    return true;
}

// Results that are a size of another one (`mlc.size_of`) are none of their own, and leave that size
// open.
static void
open_found_sizes(MlcAttr attrs, const MlcRtTensorInfo *infos, size_t *count)
{
    size_t num_results = *count;
    for (size_t i = 0; attrs && i < num_results && i < mlc_array_attr_size(attrs); i++) {
        MlcAttr dict = mlc_array_attr_element(attrs, i);
        MlcAttr size_of = dict ? mlc_dict_attr_find(dict, mlc_str("mlc.size_of")) : NULL;
        int64_t output, dim;
        if (!size_of || !mlc_int_list_attr_get(size_of, 0, &output) ||
            !mlc_int_list_attr_get(size_of, 1, &dim) || output < 0 || (size_t)output >= i ||
            dim < 0 || dim >= infos[output].rank)
            continue;
        ((int64_t *)(uintptr_t)infos[output].dims)[dim] = -1;
        *count = i < *count ? i : *count;
    }
}

// Whether inputs of such a form come from files of a kind of their own: which one.
static bool
kind_of_form(MlcStr form, MlcOnnxValueKind *kind)
{
    static const struct {
        const char *form;
        MlcOnnxValueKind kind;
    } kinds[] = {{"sequence(", MLC_ONNX_VALUE_SEQUENCE},
                 {"optional(", MLC_ONNX_VALUE_OPTIONAL},
                 {"map(", MLC_ONNX_VALUE_MAP}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *kind = kinds[i].kind;
        if (form.size > strlen(kinds[i].form) &&
            memcmp(form.data, kinds[i].form, strlen(kinds[i].form)) == 0)
            return true;
    }
    return false;
}

void
module_lists(MlcOp *module, MlcArena *arena, bool of_outputs, ListValue **lists, size_t *count)
{
    MlcAttr all = mlc_op_attr(module, of_outputs ? "mlc.output_values" : "mlc.input_values");
    size_t num_values = mlc_attr_is(all, MLC_ATTR_ARRAY) ? mlc_array_attr_size(all) : 0;
    *lists = MLC_NEW_ARRAY(arena, ListValue, num_values + 1);
    *count = 0;
    for (size_t i = 0; i < num_values; i++) {
        MlcAttr entry = mlc_array_attr_element(all, i);
        MlcAttr name = mlc_dict_attr_find(entry, mlc_str("name"));
        MlcStr form = mlc_string_attr_value(mlc_dict_attr_find(entry, mlc_str("form")));
        MlcOnnxValueKind kind;
        if (kind_of_form(form, &kind))
            (*lists)[(*count)++] =
                (ListValue){mlc_arena_strdup(arena, mlc_string_attr_value(name)).data, kind};
    }
}

static bool
describe_all(MlcArena *arena, const MlcType *types, size_t count, MlcAttr attrs,
             const char *otherwise, const MlcRtTensorInfo **out)
{
    MlcRtTensorInfo *infos = MLC_NEW_ARRAY(arena, MlcRtTensorInfo, count + 1);
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        ok &= describe(arena, types[i], name_of(arena, attrs, i, otherwise), &infos[i]);
    *out = infos;
    return ok;
}

bool
module_signature(MlcOp *module, MlcArena *arena, const MlcRtTensorInfo **inputs, size_t *num_inputs,
                 const MlcRtTensorInfo **outputs, size_t *num_outputs)
{
    MlcOp *function = mlc_symbol_lookup(module, mlc_str("main"));
    const MlcFunction *methods =
        function ? mlc_op_interface(function, MLC_INTERFACE_FUNCTION) : NULL;
    MlcType type = methods ? methods->type(function) : NULL;
    if (!type || !mlc_type_is(type, MLC_TYPE_FUNCTION))
        return false;
    *num_inputs = mlc_function_type_num_inputs(type);
    *num_outputs = mlc_function_type_num_results(type);
    MlcAttr result_attrs = mlc_op_slot(function, methods->res_attrs_slot);
    if (!describe_all(arena, mlc_function_type_inputs(type), *num_inputs,
                      mlc_op_slot(function, methods->arg_attrs_slot), "input", inputs) ||
        !describe_all(arena, mlc_function_type_results(type), *num_outputs, result_attrs, "output",
                      outputs))
        return false;
    open_found_sizes(result_attrs, *outputs, num_outputs);
    return true;
}

// operator_fields.c -- from an entry of `mlc.operators` to the bytes that the runtime reads.
#include "operator_fields.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/ir/type.h"
#include "mlc/operator.h"
#include "mlc/runtime/artefact.h"

static void
add_field(MlcBuf *out, MlcArtefactFieldKind kind, const void *data, size_t size)
{
    MlcArtefactField head = {(uint32_t)kind, (uint32_t)size};
    mlc_buf_append(out, &head, sizeof head);
    mlc_buf_append(out, data, size);
    mlc_buf_append_repeated(out, '\0', (8 - size % 8) % 8);
}

static void
add_text(MlcBuf *out, MlcArtefactFieldKind kind, MlcStr text)
{
    MlcBuf copy = {0};
    mlc_buf_append_str(&copy, text);
    mlc_buf_append_char(&copy, '\0');
    add_field(out, kind, copy.data, copy.size);
    mlc_buf_release(&copy);
}

static bool
add_tensor(MlcBuf *out, MlcArtefactFieldKind kind, MlcAttr attr)
{
    int64_t numbers[2] = {0, 0}; // left out
    MlcType type = mlc_attr_is(attr, MLC_ATTR_TYPE) ? mlc_type_attr_value(attr) : NULL;
    MlcRtType element;
    if (type) {
        if (!mlc_type_is_shaped(type) || !mlc_type_has_rank(type) ||
            mlc_type_rank(type) > MLC_OPERATOR_MAX_RANK ||
            !mlc_type_to_runtime(mlc_type_element(type), &element))
            return false;
        numbers[0] = element;
        numbers[1] = (int64_t)mlc_type_rank(type);
    }
    add_field(out, kind, numbers, sizeof numbers);
    return true;
}

static bool
add_tensors(MlcBuf *out, MlcArtefactFieldKind kind, MlcAttr list)
{
    bool ok = mlc_attr_is(list, MLC_ATTR_ARRAY);
    for (size_t i = 0; ok && i < mlc_array_attr_size(list); i++)
        ok = add_tensor(out, kind, mlc_array_attr_element(list, i));
    return ok;
}

// A number, or an array of such: all integers, or all floats.
static bool
add_numbers(MlcBuf *out, MlcAttr value)
{
    bool is_list = mlc_attr_is(value, MLC_ATTR_ARRAY), is_float = false;
    size_t count = is_list ? mlc_array_attr_size(value) : 1;
    MlcBuf numbers = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        MlcAttr item = is_list ? mlc_array_attr_element(value, i) : value;
        int64_t integer;
        bool floats = mlc_attr_is(item, MLC_ATTR_FLOAT);
        double real = floats ? mlc_float_attr_as_double(item) : 0;
        ok = (i == 0 || floats == is_float) && (floats || mlc_attr_try_as_int(item, &integer));
        is_float = floats;
        if (ok)
            mlc_buf_append(&numbers, floats ? (void *)&real : (void *)&integer, 8);
    }
    if (ok)
        add_field(out, is_float ? MLC_ARTEFACT_FIELD_FLOATS : MLC_ARTEFACT_FIELD_INTS, numbers.data,
                  numbers.size);
    mlc_buf_release(&numbers);
    return ok;
}

static bool
add_attributes(MlcBuf *out, MlcAttr dict)
{
    bool ok = mlc_attr_is(dict, MLC_ATTR_DICT);
    for (size_t i = 0; ok && i < mlc_dict_attr_size(dict); i++) {
        MlcNamedAttr entry = mlc_dict_attr_entry(dict, i);
        add_text(out, MLC_ARTEFACT_FIELD_ATTRIBUTE, mlc_string_attr_value(entry.name));
        if (mlc_attr_is(entry.value, MLC_ATTR_STRING))
            add_text(out, MLC_ARTEFACT_FIELD_TEXT, mlc_string_attr_value(entry.value));
        else
            ok = add_numbers(out, entry.value);
    }
    return ok;
}

static bool
add_texts(MlcBuf *out, MlcAttr described)
{
    static const struct {
        const char *name;
        MlcArtefactFieldKind kind;
    } texts[] = {{"function", MLC_ARTEFACT_FIELD_FUNCTION},
                 {"library", MLC_ARTEFACT_FIELD_LIBRARY},
                 {"domain", MLC_ARTEFACT_FIELD_DOMAIN},
                 {"name", MLC_ARTEFACT_FIELD_NAME}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        MlcAttr text = mlc_dict_attr_find(described, mlc_str(texts[i].name));
        if (!mlc_attr_is(text, MLC_ATTR_STRING))
            return false;
        add_text(out, texts[i].kind, mlc_string_attr_value(text));
    }
    return true;
}

bool
mlc_operator_fields(MlcOp *module, MlcAttr described, MlcBuf *out)
{
    bool ok = mlc_attr_is(described, MLC_ATTR_DICT) && add_texts(out, described);
    MlcAttr opset = ok ? mlc_dict_attr_find(described, mlc_str("opset")) : NULL;
    int64_t number = 0;
    if (opset && mlc_attr_try_as_int(opset, &number))
        add_field(out, MLC_ARTEFACT_FIELD_OPSET, &number, sizeof number);
    ok = ok &&
         add_tensors(out, MLC_ARTEFACT_FIELD_INPUT,
                     mlc_dict_attr_find(described, mlc_str("inputs"))) &&
         add_tensors(out, MLC_ARTEFACT_FIELD_OUTPUT,
                     mlc_dict_attr_find(described, mlc_str("outputs"))) &&
         add_attributes(out, mlc_dict_attr_find(described, mlc_str("attributes")));
    return ok || mlc_op_error(module, "has an entry of 'mlc.operators' that no artefact can hold");
}

// tensor_value.c -- a TensorProto in a file of its own, and a SequenceProto, OptionalProto or
// MapProto, in and out.
#include "tensor.h"
#include "wire.h"

#include "mlc/frontend/onnx.h"
#include "mlc/support/sized.h"

static bool
read_tensor(MlcOnnxReader *reader, const MlcOnnxTensor *tensor, MlcOnnxTensorValue *value)
{
    MlcOnnxFolder nowhere = {0};
    MlcOnnxBytes data = {0};
    bool is_text = tensor && tensor->data_type == MLC_ONNX_STRING &&
                   value->size >= offsetof(MlcOnnxTensorValue, strings) + sizeof value->strings;
    if (!tensor || !(is_text ? mlc_onnx_tensor_strings(reader, tensor)
                             : mlc_onnx_tensor_bytes(reader, &nowhere, tensor, &data)))
        return false;
    if (is_text)
        value->strings = tensor->string_data.items;
    value->data_type = tensor->data_type;
    value->dims = tensor->dims.items;
    value->rank = tensor->dims.count;
    value->data = data.data;
    value->num_bytes = data.size;
    return true;
}

bool
mlc_onnx_tensor_read(const void *bytes, size_t size, const char *name, MlcArena *arena,
                     MlcOnnxTensorValue *value, MlcBuf *error)
{
    MlcOnnxReader reader;
    if (read_tensor(&reader, mlc_onnx_read_tensor(&reader, name, arena, bytes, size), value))
        return true;
    mlc_buf_append_c(error, reader.error);
    return false;
}

// ---- sequences and optionals

typedef struct ValueReader {
    MlcOnnxReader reader;
    MlcBuf *error;
} ValueReader;

static bool
fail_value(ValueReader *r, uint64_t offset, const char *what)
{
    mlc_buf_printf(r->error, "%s: at byte %llu: %s", r->reader.file_name,
                   (unsigned long long)offset, what);
    return false;
}

static bool
tensor_value(ValueReader *r, const MlcOnnxTensor *tensor, MlcOnnxValue *value)
{
    *value =
        (MlcOnnxValue){.kind = MLC_ONNX_VALUE_TENSOR, .tensor = {MLC_SIZED(MlcOnnxTensorValue)}};
    if (read_tensor(&r->reader, tensor, &value->tensor))
        return true;
    mlc_buf_append_c(r->error, r->reader.error);
    return false;
}

// Nesting is bounded by the reader's.
static bool
sequence_value(ValueReader *r, const MlcOnnxSequence *sequence, MlcOnnxValue *value)
{
    size_t count = sequence->tensor_values.count + sequence->sequence_values.count;
    MlcOnnxValue *items = MLC_NEW_ARRAY(r->reader.arena, MlcOnnxValue, count + 1);
    *value = (MlcOnnxValue){MLC_ONNX_VALUE_SEQUENCE, .items = items, .num_items = count};
    if (sequence->map_values.count + sequence->optional_values.count +
        sequence->sparse_tensor_values.count)
        return fail_value(r, sequence->offset, "a sequence of maps, optionals or sparse tensors");
    if (sequence->tensor_values.count && sequence->sequence_values.count)
        return fail_value(r, sequence->offset, "a sequence of tensors and of sequences");
    for (size_t i = 0; i < sequence->tensor_values.count; i++)
        if (!tensor_value(r, &sequence->tensor_values.items[i], items++))
            return false;
    for (size_t i = 0; i < sequence->sequence_values.count; i++)
        if (!sequence_value(r, &sequence->sequence_values.items[i], items++))
            return false;
    return true;
}

static bool
optional_value(ValueReader *r, const MlcOnnxOptional *optional, MlcOnnxValue *value)
{
    MlcOnnxValue *item = MLC_NEW(r->reader.arena, MlcOnnxValue);
    *value = (MlcOnnxValue){MLC_ONNX_VALUE_OPTIONAL, .items = item};
    if (optional->map_value || optional->optional_value || optional->sparse_tensor_value)
        return fail_value(r, optional->offset, "an optional map, optional or sparse tensor");
    value->num_items = (optional->tensor_value != NULL) + (optional->sequence_value != NULL);
    if (value->num_items > 1)
        return fail_value(r, optional->offset, "an optional of two values");
    if (optional->tensor_value)
        return tensor_value(r, optional->tensor_value, item);
    return !optional->sequence_value || sequence_value(r, optional->sequence_value, item);
}

// A tensor of rank 1 of what are scalars in the file; without any, of no type.
static bool
values_of_map(ValueReader *r, const MlcOnnxMap *map, size_t count, MlcOnnxValue *value)
{
    const MlcOnnxSequence *in = map->values;
    MlcOnnxValue *one = MLC_NEW(r->reader.arena, MlcOnnxValue);
    MlcStr *strings = MLC_NEW_ARRAY(r->reader.arena, MlcStr, count + 1);
    int64_t *dims = MLC_NEW(r->reader.arena, int64_t);
    char *data = NULL;
    if ((in ? in->tensor_values.count : 0) != count)
        return fail_value(r, map->offset, "a map with other numbers of keys and values");
    *value =
        (MlcOnnxValue){.kind = MLC_ONNX_VALUE_TENSOR, .tensor = {MLC_SIZED(MlcOnnxTensorValue)}};
    for (size_t i = 0; i < count; i++) {
        if (!tensor_value(r, &in->tensor_values.items[i], one))
            return false;
        const MlcOnnxTensorValue *t = &one->tensor;
        bool is_one = t->rank == 0 || (t->rank == 1 && t->dims[0] == 1);
        if (!is_one || (i > 0 && t->data_type != value->tensor.data_type))
            return fail_value(r, map->offset, "a map whose values are no scalars of one type");
        value->tensor.data_type = t->data_type;
        if (t->strings)
            strings[i] = t->strings[0];
        if (!data)
            data = mlc_arena_alloc(r->reader.arena, count * t->num_bytes + 1, 8);
        if (t->num_bytes) // strings have none
            memcpy(data + i * t->num_bytes, t->data, t->num_bytes);
        value->tensor.num_bytes += t->num_bytes;
    }
    *dims = (int64_t)count;
    value->tensor.dims = dims;
    value->tensor.rank = 1;
    value->tensor.data = data ? data : "";
    value->tensor.strings = value->tensor.data_type == MLC_ONNX_STRING ? strings : NULL;
    return true;
}

static bool
map_value(ValueReader *r, const MlcOnnxMap *map, MlcOnnxValue *value)
{
    size_t count = map->keys.count + map->string_keys.count;
    MlcOnnxValue *items = MLC_NEW_ARRAY(r->reader.arena, MlcOnnxValue, 2);
    int64_t *dims = MLC_NEW(r->reader.arena, int64_t);
    *value = (MlcOnnxValue){.kind = MLC_ONNX_VALUE_MAP, .items = items, .num_items = 2};
    if (map->keys.count && map->string_keys.count)
        return fail_value(r, map->offset, "a map of strings and of numbers");
    *dims = (int64_t)count;
    items[0] = (MlcOnnxValue){
        .kind = MLC_ONNX_VALUE_TENSOR,
        .tensor = {MLC_SIZED(MlcOnnxTensorValue),
                   .data_type = map->string_keys.count ? MLC_ONNX_STRING
                                : map->keys.count      ? MLC_ONNX_INT64
                                                       : MLC_ONNX_UNDEFINED,
                   .dims = dims, .rank = 1,
                   .data = map->keys.items ? (const void *)map->keys.items : "",
                   .num_bytes = map->keys.count * sizeof(int64_t),
                   .strings = map->string_keys.count ? map->string_keys.items : NULL}};
    return values_of_map(r, map, count, &items[1]);
}

bool
mlc_onnx_value_read(const void *bytes, size_t size, const char *name, MlcOnnxValueKind kind,
                    MlcArena *arena, MlcOnnxValue *value, MlcBuf *error)
{
    ValueReader r = {.error = error};
    const void *message;
    if (kind == MLC_ONNX_VALUE_OPTIONAL) {
        message = mlc_onnx_read_optional(&r.reader, name, arena, bytes, size);
        if (message)
            return optional_value(&r, message, value);
    } else if (kind == MLC_ONNX_VALUE_SEQUENCE) {
        message = mlc_onnx_read_sequence(&r.reader, name, arena, bytes, size);
        if (message)
            return sequence_value(&r, message, value);
    } else if (kind == MLC_ONNX_VALUE_MAP) {
        message = mlc_onnx_read_map(&r.reader, name, arena, bytes, size);
        if (message)
            return map_value(&r, message, value);
    } else {
        message = mlc_onnx_read_tensor(&r.reader, name, arena, bytes, size);
        if (message)
            return tensor_value(&r, message, value);
    }
    mlc_buf_append_c(error, r.reader.error);
    return false;
}

// ---- writing

// Of onnx.proto's TensorProto.
enum {
    FIELD_DIMS = 1,
    FIELD_DATA_TYPE = 2,
    FIELD_STRING_DATA = 6,
    FIELD_NAME = 8,
    FIELD_RAW_DATA = 9
};

static bool
is_text(const MlcOnnxTensorValue *value)
{
    return value->data_type == MLC_ONNX_STRING && MLC_FIELD(value, strings);
}

static size_t
count_elements(const MlcOnnxTensorValue *value)
{
    size_t count = 1; // of a tensor that is in memory
    for (size_t i = 0; i < value->rank; i++)
        count *= (size_t)value->dims[i];
    return count;
}

void
mlc_onnx_tensor_write_header(MlcBuf *out, MlcStr name, const MlcOnnxTensorValue *value)
{
    for (size_t i = 0; i < value->rank; i++)
        mlc_onnx_write_number(out, FIELD_DIMS, (uint64_t)value->dims[i]);
    mlc_onnx_write_number(out, FIELD_DATA_TYPE, (uint64_t)value->data_type);
    mlc_onnx_write_bytes(out, FIELD_NAME, name);
    for (size_t i = 0; is_text(value) && i < count_elements(value); i++)
        mlc_onnx_write_bytes(out, FIELD_STRING_DATA, value->strings[i]);
    if (is_text(value))
        return;
    mlc_onnx_write_head(out, FIELD_RAW_DATA, value->num_bytes);
}

// Of onnx-data.proto. The numbers of fields with items are the same in sequences and optionals, and
// the types of elements are these numbers less 2.
enum { FIELD_VALUE_NAME = 1, FIELD_ELEMENT = 2 };
static const unsigned item_fields[] = {
    [MLC_ONNX_VALUE_TENSOR] = 3,
    [MLC_ONNX_VALUE_SEQUENCE] = 5,
    [MLC_ONNX_VALUE_OPTIONAL] = 7,
    [MLC_ONNX_VALUE_MAP] = 6,
};

static const unsigned element_types[] = {
    [MLC_ONNX_VALUE_TENSOR] = 1,
    [MLC_ONNX_VALUE_SEQUENCE] = 3,
    [MLC_ONNX_VALUE_OPTIONAL] = 5,
    [MLC_ONNX_VALUE_MAP] = 4,
};

enum { FIELD_KEY_TYPE = 2, FIELD_KEYS = 3, FIELD_STRING_KEYS = 4, FIELD_VALUES = 5 };

// Keys of 64 bits or strings, and a sequence of a scalar for each.
static void
append_map(MlcBuf *out, const MlcOnnxTensorValue *keys, const MlcOnnxTensorValue *values)
{
    size_t count = count_elements(keys);
    MlcBuf sequence = {0};
    mlc_onnx_write_number(out, FIELD_KEY_TYPE, (uint64_t)keys->data_type);
    mlc_onnx_write_number(&sequence, FIELD_ELEMENT, element_types[MLC_ONNX_VALUE_TENSOR]);
    for (size_t i = 0; i < count; i++) {
        uint64_t key;
        MlcBuf item = {0};
        MlcOnnxTensorValue one = *values;
        if (is_text(keys)) {
            mlc_onnx_write_bytes(out, FIELD_STRING_KEYS, keys->strings[i]);
        } else {
            memcpy(&key, (const char *)keys->data + i * sizeof key, sizeof key);
            mlc_onnx_write_number(out, FIELD_KEYS, key);
        }
        one.rank = 0;
        one.num_bytes = values->num_bytes / count;
        one.strings = is_text(values) ? values->strings + i : NULL;
        mlc_onnx_tensor_write_header(&item, mlc_str(""), &one);
        if (!is_text(values))
            mlc_buf_append(&item, (const char *)values->data + i * one.num_bytes, one.num_bytes);
        mlc_onnx_write_bytes(&sequence, item_fields[MLC_ONNX_VALUE_TENSOR], mlc_buf_str(&item));
        mlc_buf_release(&item);
    }
    mlc_onnx_write_bytes(out, FIELD_VALUES, mlc_buf_str(&sequence));
    mlc_buf_release(&sequence);
}

void
mlc_onnx_value_write(MlcBuf *out, MlcStr name, const MlcOnnxValue *value)
{
    if (value->kind == MLC_ONNX_VALUE_TENSOR) {
        mlc_onnx_tensor_write_header(out, name, &value->tensor);
        if (!is_text(&value->tensor))
            mlc_buf_append(out, value->tensor.data, value->tensor.num_bytes);
        return;
    }
    mlc_onnx_write_bytes(out, FIELD_VALUE_NAME, name);
    if (value->kind == MLC_ONNX_VALUE_MAP) {
        append_map(out, &value->items[0].tensor, &value->items[1].tensor);
        return;
    }
    MlcOnnxValueKind kind = value->num_items ? value->items[0].kind : MLC_ONNX_VALUE_TENSOR;
    if (value->num_items || value->kind == MLC_ONNX_VALUE_SEQUENCE)
        mlc_onnx_write_number(out, FIELD_ELEMENT, element_types[kind]);
    for (size_t i = 0; i < value->num_items; i++) {
        MlcBuf item = {0};
        mlc_onnx_value_write(&item, mlc_str(""), &value->items[i]);
        mlc_onnx_write_bytes(out, item_fields[kind], mlc_buf_str(&item));
        mlc_buf_release(&item);
    }
}

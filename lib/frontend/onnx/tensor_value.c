// tensor_value.c -- a TensorProto in a file of its own, in and out.
#include "tensor.h"

#include "mlc/frontend/onnx.h"

bool
mlc_onnx_tensor_read(const void *bytes, size_t size, const char *name, MlcArena *arena,
                     MlcOnnxTensorValue *value, MlcBuf *error)
{
    MlcOnnxReader reader;
    MlcOnnxFolder nowhere = {0};
    MlcOnnxBytes data;
    const MlcOnnxTensor *tensor = mlc_onnx_read_tensor(&reader, name, arena, bytes, size);
    if (!tensor || !mlc_onnx_tensor_bytes(&reader, &nowhere, tensor, &data)) {
        mlc_buf_append_c(error, reader.error);
        return false;
    }
    value->data_type = tensor->data_type;
    value->dims = tensor->dims.items;
    value->rank = tensor->dims.count;
    value->data = data.data;
    value->num_bytes = data.size;
    return true;
}

// ---- writing

static void
append_varint(MlcBuf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        mlc_buf_append_char(out, (char)(number | 0x80));
    mlc_buf_append_char(out, (char)number);
}

// Of onnx.proto's TensorProto; the low three bits of a tag say what follows.
enum { FOLLOWS_NUMBER = 0, FOLLOWS_BYTES = 2 };
enum { FIELD_DIMS = 1, FIELD_DATA_TYPE = 2, FIELD_NAME = 8, FIELD_RAW_DATA = 9 };

static void
append_field(MlcBuf *out, unsigned field, unsigned follows, uint64_t number)
{
    append_varint(out, field << 3 | follows);
    append_varint(out, number);
}

void
mlc_onnx_tensor_write_header(MlcBuf *out, MlcStr name, const MlcOnnxTensorValue *value)
{
    for (size_t i = 0; i < value->rank; i++)
        append_field(out, FIELD_DIMS, FOLLOWS_NUMBER, (uint64_t)value->dims[i]);
    append_field(out, FIELD_DATA_TYPE, FOLLOWS_NUMBER, (uint64_t)value->data_type);
    append_field(out, FIELD_NAME, FOLLOWS_BYTES, name.size);
    mlc_buf_append_str(out, name);
    append_field(out, FIELD_RAW_DATA, FOLLOWS_BYTES, value->num_bytes);
}

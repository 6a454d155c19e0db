// tensor_file.c -- .npy, .pb and .png files as inputs of a model, against every type and a few
// shapes.
#include "common.h"

#include "value_file.h"

// Strings have the same bytes; in .npy without what is no UTF-8, and without NULs at the end.
static bool
is_same(const MlcRtTensor *a, const MlcRtTensor *b, size_t size, TensorFormat format)
{
    const MlcRtString *x = a->data, *y = b->data;
    if (a->type != MLC_RT_STRING)
        return memcmp(a->data, b->data, size) == 0;
    for (size_t i = 0; format == TENSOR_PB && i < size / sizeof *x; i++)
        if (x[i].size != y[i].size || memcmp(x[i].data, y[i].data, x[i].size) != 0)
            return false;
    return true;
}

// What was read is written, and read as the same.
static void
check_round_trip(const TensorFile *file, const MlcRtTensorInfo *want, TensorFormat format)
{
    TensorFile again;
    MlcBuf error = {0};
    size_t size = mlc_rt_type_bytes(want->type);
    for (int32_t i = 0; i < want->rank; i++)
        size *= (size_t)file->dims[i];
    const char *path = fuzz_write(format == TENSOR_PB ? "x.pb" : "x.npy", "", 0);
    if (!tensor_file_write(path, format, want->name, &file->tensor, &error) ||
        !tensor_file_read(&again, path, "input", want, &error) ||
        !is_same(&file->tensor, &again.tensor, size, format))
        abort();
    tensor_file_release(&again);
    mlc_buf_release(&error);
}

// The same bytes as a sequence, an optional and a map: what they hold is told, and read as that
// many tensors; what was read is written, and read as the same.
static void
check_lists(const uint8_t *data, size_t size)
{
    const char *path = fuzz_write("list.pb", data, size);
    for (int kind = MLC_ONNX_VALUE_SEQUENCE; kind <= MLC_ONNX_VALUE_MAP; kind++) {
        MlcArena arena = {0};
        MlcOnnxValue value, again;
        MlcBuf error = {0}, items = {0}, bytes = {0};
        ListValue list = {"x", (MlcOnnxValueKind)kind};
        bool ok = value_file_items(&list, path, &items, &error);
        if (ok != (error.size == 0) || ok != (items.size > 0))
            abort();
        if (ok && !mlc_onnx_value_read(data, size, "x", list.kind, &arena, &value, &error))
            abort();
        if (ok) {
            mlc_onnx_value_write(&bytes, mlc_str("x"), &value);
            if (!mlc_onnx_value_read(bytes.data, bytes.size, "x", list.kind, &arena, &again,
                                     &error) ||
                again.num_items != value.num_items)
                abort();
        }
        mlc_arena_release(&arena);
        mlc_buf_release(&error);
        mlc_buf_release(&items);
        mlc_buf_release(&bytes);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t open[] = {-1, -1, -1, -1}, picture[] = {1, 3, -1, -1},
                         gray[] = {1, -1, -1}, row[] = {4};
    static const struct {
        int32_t rank;
        const int64_t *dims;
    } shapes[] = {{1, row}, {0, row}, {4, open}, {3, gray}, {4, picture}, {2, open}, {1, open}};
    check_lists(data, size);
    bool is_picture = size > 0 && data[0] == 0x89, is_npy = size > 0 && data[0] == 0x93;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        // A picture is only read as floats; of an array the type is tried that it may have.
        MlcRtType type = is_picture ? MLC_RT_F32 : (MlcRtType)(size % MLC_RT_NUM_TYPES);
        if (mlc_rt_type_bytes(type) == 0)
            type = MLC_RT_F32;
        MlcRtTensorInfo want = {
            .name = "x", .type = type, .rank = shapes[i].rank, .dims = shapes[i].dims};
        const char *path = fuzz_write(is_picture ? "x.png" : is_npy ? "x.npy" : "x.pb", data, size);
        TensorFile file;
        MlcBuf error = {0};
        if (tensor_file_read(&file, path, "input", &want, &error)) {
            if (error.size > 0 || file.tensor.rank != want.rank)
                abort();
            check_round_trip(&file, &want, TENSOR_NPY);
            check_round_trip(&file, &want, TENSOR_PB);
            tensor_file_release(&file);
        } else if (error.size == 0) {
            abort(); // refused without a word
        }
        mlc_buf_release(&error);
    }
    return 0;
}

// value_file.c -- see value_file.h. ONNX's files for such values are SequenceProto, OptionalProto
// and MapProto; .npy has none, there each tensor is a file of its own.
#include "value_file.h"

#include "mlc/support/file.h"
#include "mlc/support/vec.h"

typedef MLC_VEC(const MlcOnnxTensorValue *) Leaves;

// Nesting is bounded by the reader's.
static void
add_leaves(const MlcOnnxValue *value, Leaves *leaves)
{
    if (value->kind == MLC_ONNX_VALUE_TENSOR)
        mlc_vec_push(leaves, &value->tensor);
    for (size_t i = 0; i < value->num_items; i++)
        add_leaves(&value->items[i], leaves);
}

typedef struct OpenValue {
    MlcFile bytes;
    MlcArena arena;
    MlcOnnxValue value;
    Leaves leaves;
} OpenValue;

static bool
open_value(OpenValue *open, const ListValue *value, const char *path, MlcBuf *error)
{
    size_t size = strlen(path);
    *open = (OpenValue){0};
    if (size < 3 || strcmp(path + size - 3, ".pb") != 0) {
        mlc_buf_printf(error, "'%s': %s comes from a .pb file", path,
                       value->kind == MLC_ONNX_VALUE_SEQUENCE ? "a sequence"
                       : value->kind == MLC_ONNX_VALUE_MAP    ? "a map"
                                                              : "an optional");
        return false;
    }
    if (!mlc_file_open(&open->bytes, path, MLC_FILE_READ_ONLY, error))
        return false;
    bool ok = mlc_onnx_value_read(open->bytes.data, open->bytes.size, path, value->kind,
                                  &open->arena, &open->value, error);
    if (ok)
        add_leaves(&open->value, &open->leaves);
    return ok;
}

static void
close_value(OpenValue *open)
{
    mlc_vec_release(&open->leaves);
    mlc_arena_release(&open->arena);
    mlc_file_release(&open->bytes);
}

static void
append_shape(MlcBuf *out, const MlcOnnxTensorValue *tensor)
{
    for (size_t i = 0; i < tensor->rank; i++)
        mlc_buf_printf(out, "%s%lld", i ? "x" : "", (long long)tensor->dims[i]);
    if (tensor->rank == 0)
        mlc_buf_append_c(out, "scalar");
}

bool
value_file_items(const ListValue *value, const char *path, MlcBuf *items, MlcBuf *error)
{
    OpenValue open;
    size_t before = error->size;
    mlc_buf_printf(error, "input '%s': ", value->name);
    bool ok = open_value(&open, value, path, error);
    if (ok) {
        error->size = before;
        mlc_buf_printf(items, "%s=", value->name);
        size_t num_told =
            value->kind == MLC_ONNX_VALUE_MAP ? 1 : open.leaves.size; // as many values
        for (size_t i = 0; i < num_told; i++) {
            mlc_buf_append_c(items, i ? ":" : "");
            append_shape(items, open.leaves.data[i]);
        }
        bool is_none = value->kind == MLC_ONNX_VALUE_OPTIONAL && open.value.num_items == 0;
        if (open.leaves.size == 0)
            mlc_buf_append_c(items, is_none ? "none" : "empty");
    }
    close_value(&open);
    return ok;
}

static bool
is_item(const char *tensor, const char *value)
{
    size_t size = strlen(value);
    return strncmp(tensor, value, size) == 0 && tensor[size] == '[';
}

bool
value_file_read(const ListValue *value, const char *path, const char *role,
                const MlcRtTensorInfo *infos, size_t num_infos, TensorFile *files, MlcBuf *error)
{
    OpenValue open;
    size_t before = error->size, first = 0, count = 0;
    MlcBuf reason = {0};
    mlc_buf_printf(error, "%s '%s': ", role, value->name);
    while (first < num_infos && !is_item(infos[first].name, value->name))
        first++;
    while (first + count < num_infos && is_item(infos[first + count].name, value->name))
        count++;
    bool ok = open_value(&open, value, path, error);
    if (ok && open.leaves.size != count) {
        mlc_buf_printf(error, "'%s': it has %zu tensors, expected %zu", path, open.leaves.size,
                       count);
        ok = false;
    }
    for (size_t i = 0; ok && i < count; i++) {
        tensor_file_release(&files[first + i]);
        ok = infos[first + i].type == 0 ||
             tensor_file_take(&files[first + i], open.leaves.data[i], &infos[first + i], &reason);
        if (!ok)
            mlc_buf_printf(error, "'%s': item %zu: %s", path, i, mlc_buf_c_str(&reason));
    }
    if (ok)
        error->size = before;
    close_value(&open);
    mlc_buf_release(&reason);
    return ok;
}

// A map for each row of a table.
static MlcOnnxValue
maps_of(const MlcRtValueInfo *info, const MlcSession *session, MlcArena *arena)
{
    MlcOnnxTensorValue keys =
        tensor_file_give(mlc_session_output(session, info->first_tensor), arena);
    MlcOnnxTensorValue row =
        tensor_file_give(mlc_session_output(session, info->first_tensor + 1), arena);
    size_t num_rows = (size_t)row.dims[0];
    size_t bytes = num_rows ? row.num_bytes / num_rows : 0;
    MlcOnnxValue *maps = MLC_NEW_ARRAY(arena, MlcOnnxValue, num_rows + 1);
    row.dims++;
    row.rank--;
    row.num_bytes = bytes;
    for (size_t i = 0; i < num_rows; i++) {
        MlcOnnxValue *both = MLC_NEW_ARRAY(arena, MlcOnnxValue, 2);
        both[0] = (MlcOnnxValue){.kind = MLC_ONNX_VALUE_TENSOR, .tensor = keys};
        both[1] = (MlcOnnxValue){.kind = MLC_ONNX_VALUE_TENSOR, .tensor = row};
        maps[i] = (MlcOnnxValue){.kind = MLC_ONNX_VALUE_MAP, .items = both, .num_items = 2};
        row.data = (const char *)row.data + bytes;
    }
    return (MlcOnnxValue){.kind = MLC_ONNX_VALUE_SEQUENCE, .items = maps, .num_items = num_rows};
}

static MlcOnnxValue
value_of(const MlcRtValueInfo *info, const MlcSession *session, MlcArena *arena)
{
    static const MlcOnnxValueKind kinds[] = {
        [MLC_RT_TENSOR] = MLC_ONNX_VALUE_TENSOR,
        [MLC_RT_SEQUENCE] = MLC_ONNX_VALUE_SEQUENCE,
        [MLC_RT_OPTIONAL] = MLC_ONNX_VALUE_OPTIONAL,
        [MLC_RT_MAP] = MLC_ONNX_VALUE_MAP,
    };
    if (info->form == MLC_RT_TABLE)
        return maps_of(info, session, arena);
    MlcOnnxValue value = {.kind = kinds[info->form], .num_items = (size_t)info->num_items};
    if (info->form == MLC_RT_TENSOR)
        value.tensor = tensor_file_give(mlc_session_output(session, info->first_tensor), arena);
    MlcOnnxValue *items = MLC_NEW_ARRAY(arena, MlcOnnxValue, value.num_items + 1);
    for (size_t i = 0; i < value.num_items; i++)
        items[i] = value_of(&info->items[i], session, arena);
    value.items = items;
    return value;
}

bool
value_file_write(const char *path, const MlcRtValueInfo *info, const MlcSession *session,
                 MlcBuf *error)
{
    MlcArena arena = {0};
    MlcBuf bytes = {0};
    MlcFileWriter writer;
    MlcOnnxValue value = value_of(info, session, &arena);
    mlc_onnx_value_write(&bytes, mlc_str(info->name), &value);
    bool ok = mlc_file_writer_begin(&writer, path, error) &&
              mlc_file_writer_write(&writer, bytes.data, bytes.size, error) &&
              mlc_file_writer_commit(&writer, error);
    if (!ok)
        mlc_file_writer_abandon(&writer);
    mlc_buf_release(&bytes);
    mlc_arena_release(&arena);
    return ok;
}

// tensor_file.c -- .npy, .pb and .png files as inputs of a model, .npy and .pb as its outputs.
//
// The type must be the model's: converting behind the user's back hides mistakes (float64 is
// numpy's default). Pictures are read by libpng's simplified API, which turns palettes, 16 bits,
// alpha and interlacing into plain bytes.
#include "tensor_file.h"

#include "mlc/frontend/onnx.h"
#include "mlc/support/alloc.h"
#include "mlc/support/file.h"
#include "mlc/support/npy.h"
#include "mlc/support/regex.h"

#include <png.h>

// numpy's letter of each type.
static char
npy_kind(MlcRtType type)
{
    switch (type) {
    case MLC_RT_F32:
    case MLC_RT_F64:
    case MLC_RT_F16:
        return 'f';
    case MLC_RT_I8:
    case MLC_RT_I16:
    case MLC_RT_I32:
    case MLC_RT_I64:
    case MLC_RT_I4:
    case MLC_RT_I2:
        return 'i';
    case MLC_RT_U8:
    case MLC_RT_U16:
    case MLC_RT_U32:
    case MLC_RT_U64:
    case MLC_RT_U4:
    case MLC_RT_U2:
        return 'u';
    case MLC_RT_BOOL:
        return 'b';
    case MLC_RT_STRING:
        return 'U';
    default:
        return 'V'; // bytes without a name, as ml_dtypes writes them: bf16, floats of 8 bits and
                    // less
    }
}

// TensorProto.DataType
static int64_t
onnx_type(MlcRtType type)
{
    static const unsigned char types[MLC_RT_NUM_TYPES] = {
        [MLC_RT_F32] = 1,       [MLC_RT_U8] = 2,          [MLC_RT_I8] = 3,
        [MLC_RT_U16] = 4,       [MLC_RT_I16] = 5,         [MLC_RT_I32] = 6,
        [MLC_RT_I64] = 7,       [MLC_RT_BOOL] = 9,        [MLC_RT_F16] = 10,
        [MLC_RT_F64] = 11,      [MLC_RT_U32] = 12,        [MLC_RT_U64] = 13,
        [MLC_RT_BF16] = 16,     [MLC_RT_F8E4M3FN] = 17,   [MLC_RT_F8E4M3FNUZ] = 18,
        [MLC_RT_F8E5M2] = 19,   [MLC_RT_F8E5M2FNUZ] = 20, [MLC_RT_U4] = 21,
        [MLC_RT_I4] = 22,       [MLC_RT_F4E2M1FN] = 23,   [MLC_RT_F8E8M0FNU] = 24,
        [MLC_RT_U2] = 25,       [MLC_RT_I2] = 26,         [MLC_RT_F6E2M3FN] = 27,
        [MLC_RT_F6E3M2FN] = 28, [MLC_RT_STRING] = 8,
    };
    return types[type];
}

// Bits of an element that has less than a byte; 0: of any other type.
static unsigned
packed_bits(MlcRtType type)
{
    switch (type) {
    case MLC_RT_I4:
    case MLC_RT_U4:
    case MLC_RT_F4E2M1FN:
        return 4;
    case MLC_RT_F6E2M3FN:
    case MLC_RT_F6E3M2FN:
        return 6;
    case MLC_RT_I2:
    case MLC_RT_U2:
        return 2;
    default:
        return 0;
    }
}

static void
append_dims(MlcBuf *out, const int64_t *dims, int rank)
{
    mlc_buf_append_char(out, '[');
    for (int i = 0; i < rank; i++)
        mlc_buf_printf(out, dims[i] < 0 ? "%s?" : "%s%lld", i ? ", " : "", (long long)dims[i]);
    mlc_buf_append_char(out, ']');
}

static bool
check_shape(const int64_t *dims, int rank, const MlcRtTensorInfo *want, MlcBuf *error)
{
    bool same = rank == want->rank;
    for (int i = 0; same && i < rank; i++)
        same = want->dims[i] < 0 || want->dims[i] == dims[i];
    if (same)
        return true;
    mlc_buf_append_c(error, "expected shape ");
    append_dims(error, want->dims, want->rank);
    mlc_buf_append_c(error, ", got ");
    append_dims(error, dims, rank);
    return false;
}

static void
set_tensor(TensorFile *file, const MlcRtTensorInfo *want, int rank, void *data)
{
    file->tensor =
        (MlcRtTensor){.type = want->type, .rank = rank, .dims = file->dims, .data = data};
}

// Of a scalar there may be no list.
static void
copy_dims(TensorFile *file, const int64_t *dims, int rank)
{
    for (int i = 0; i < rank; i++)
        file->dims[i] = dims[i];
}

// A copy, aligned as the runtime wants it: the file's data is aligned only as its header happens
// to be long.
static void
copy_array(TensorFile *file, const MlcRtTensorInfo *want, const int64_t *dims, int rank,
           const void *data, size_t num_bytes)
{
    copy_dims(file, dims, rank);
    set_tensor(file, want, rank, mlc_malloc(num_bytes ? num_bytes : 1));
    if (num_bytes)
        memcpy(file->tensor.data, data, num_bytes);
}

static size_t
count_of(const int64_t *dims, int rank)
{
    size_t count = 1; // of an array that is in memory
    for (int i = 0; i < rank; i++)
        count *= (size_t)dims[i];
    return count;
}

// One block: the strings, then their bytes, each with a NUL behind it.
static void
copy_strings(TensorFile *file, const MlcRtTensorInfo *want, const int64_t *dims, int rank,
             const MlcStr *strings)
{
    size_t count = count_of(dims, rank), size = count * sizeof(MlcRtString);
    for (size_t i = 0; i < count; i++)
        size += strings[i].size + 1;
    copy_dims(file, dims, rank);
    set_tensor(file, want, rank, mlc_malloc(size + 1));
    MlcRtString *made = file->tensor.data;
    char *bytes = (char *)(made + count);
    for (size_t i = 0; i < count; i++) {
        made[i] = (MlcRtString){bytes, strings[i].size};
        if (strings[i].size)
            memcpy(bytes, strings[i].data, strings[i].size);
        bytes[strings[i].size] = '\0';
        bytes += strings[i].size + 1;
    }
}

static void
append_utf8(MlcBuf *out, uint32_t c)
{
    if (c < 0x80) {
        mlc_buf_append_char(out, (char)c);
        return;
    }
    unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    mlc_buf_append_char(out, (char)((0xf00u >> (more + 1) & 0xff) | c >> (6 * more)));
    while (more-- > 0)
        mlc_buf_append_char(out, (char)(0x80 | (c >> (6 * more) & 0x3f)));
}

// Texts of numpy: characters of four bytes, up to the zeros at the end.
static bool
take_texts(TensorFile *file, const MlcRtTensorInfo *want, const MlcNpy *npy, MlcBuf *error)
{
    size_t count = count_of(npy->dims, npy->rank), width = npy->item_bytes / 4;
    MlcStr *strings = mlc_calloc(count + 1, sizeof *strings);
    MlcBuf all = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        size_t before = all.size, used = 0;
        for (size_t pass = 0; pass < 2; pass++)
            for (size_t k = 0; ok && k < (pass ? used : width); k++) {
                uint32_t c;
                memcpy(&c, (const char *)npy->data + i * npy->item_bytes + 4 * k, sizeof c);
                ok = c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000);
                if (!ok)
                    mlc_buf_printf(error, "element %zu has the character %u, which is none", i, c);
                else if (pass)
                    append_utf8(&all, c);
                else
                    used = c ? k + 1 : used;
            }
        strings[i].size = all.size - before;
    }
    const char *at = mlc_buf_c_str(&all);
    for (size_t i = 0; i < count; at += strings[i++].size)
        strings[i].data = at;
    if (ok)
        copy_strings(file, want, npy->dims, npy->rank, strings);
    mlc_buf_release(&all);
    mlc_free(strings);
    return ok;
}

// Bytes of a file as elements of less than a byte: numbers that they hold. Of bytes without a name
// the low bits count.
static bool
check_small(TensorFile *file, char kind, size_t num_bytes, MlcBuf *error)
{
    unsigned bits = packed_bits(file->tensor.type);
    bool is_signed = npy_kind(file->tensor.type) == 'i';
    unsigned sign = is_signed && bits ? 1u << (bits - 1) : 0;
    unsigned char *bytes = file->tensor.data;
    for (size_t i = 0; bits && i < num_bytes; i++) {
        unsigned code = bytes[i] & ((1u << bits) - 1);
        unsigned char held = (unsigned char)((code ^ sign) - sign);
        if (held != bytes[i] && kind != 'V') {
            mlc_buf_printf(error, "element %zu is %d, which %s does not hold", i,
                           is_signed ? (int)(signed char)bytes[i] : (int)bytes[i],
                           mlc_rt_type_name(file->tensor.type));
            return false;
        }
        bytes[i] = held;
    }
    return true;
}

static bool
read_npy(TensorFile *file, const char *path, const MlcRtTensorInfo *want, MlcBuf *error)
{
    MlcFile bytes;
    MlcNpy npy;
    MlcBuf reason = {0};
    if (!mlc_file_open(&bytes, path, MLC_FILE_READ_ONLY, error))
        return false;
    bool ok = mlc_npy_read(bytes.data, bytes.size, &npy, &reason);
    size_t item = mlc_rt_type_bytes(want->type);
    char kind = npy.kind == 'f' && npy.item_bytes == 1 ? 'V' : npy.kind; // ml_dtypes' float8_e5m2
    bool is_raw = kind == 'V' && packed_bits(want->type);
    bool is_text = kind == 'U' && want->type == MLC_RT_STRING;
    if (ok && !is_text && ((kind != npy_kind(want->type) && !is_raw) || npy.item_bytes != item)) {
        mlc_buf_printf(&reason, "expected type %s (numpy's %c%zu), got %c%u",
                       mlc_rt_type_name(want->type), npy_kind(want->type), item, npy.kind,
                       npy.item_bytes);
        ok = false;
    }
    ok = ok && check_shape(npy.dims, npy.rank, want, &reason);
    if (ok && is_text) {
        ok = take_texts(file, want, &npy, &reason);
    } else if (ok) {
        copy_array(file, want, npy.dims, npy.rank, npy.data, npy.num_bytes);
        ok = check_small(file, kind, npy.num_bytes, &reason);
    }
    if (!ok)
        mlc_buf_printf(error, "'%s': %s", path, mlc_buf_c_str(&reason));
    mlc_buf_release(&reason);
    mlc_file_release(&bytes);
    return ok;
}

static bool
check_pb(const MlcOnnxTensorValue *value, const MlcRtTensorInfo *want, MlcBuf *error)
{
    if (value->data_type != onnx_type(want->type)) {
        mlc_buf_printf(error, "expected type %s (ONNX's %lld), got %lld",
                       mlc_rt_type_name(want->type), (long long)onnx_type(want->type),
                       (long long)value->data_type);
        return false;
    }
    if (value->rank > sizeof((TensorFile *)0)->dims / sizeof(int64_t)) {
        mlc_buf_printf(error, "it has %zu dimensions", value->rank);
        return false;
    }
    return check_shape(value->dims, (int)value->rank, want, error);
}

bool
tensor_file_take(TensorFile *file, const MlcOnnxTensorValue *value, const MlcRtTensorInfo *want,
                 MlcBuf *error)
{
    MlcOnnxTensorValue typed = *value;
    if (typed.data_type == 0 && typed.num_bytes == 0) // of a map without entries: of any type
        typed.data_type = onnx_type(want->type);
    value = &typed;
    if (!check_pb(value, want, error))
        return false;
    if (want->type == MLC_RT_STRING) {
        copy_strings(file, want, value->dims, (int)value->rank, value->strings);
        return true;
    }
    if (!packed_bits(want->type)) {
        copy_array(file, want, value->dims, (int)value->rank, value->data, value->num_bytes);
        return true;
    }
    size_t count = 1; // of a shape that fits what is wanted
    for (size_t i = 0; i < value->rank; i++)
        count *= (size_t)value->dims[i];
    char *elements = mlc_malloc(count + 1);
    mlc_onnx_unpack(elements, value->data, count, value->data_type);
    copy_array(file, want, value->dims, (int)value->rank, elements, count);
    mlc_free(elements);
    return true;
}

static bool
read_pb(TensorFile *file, const char *path, const MlcRtTensorInfo *want, MlcBuf *error)
{
    MlcFile bytes;
    MlcArena arena = {0};
    MlcBuf reason = {0};
    MlcOnnxTensorValue value = {MLC_SIZED(MlcOnnxTensorValue)};
    if (!mlc_file_open(&bytes, path, MLC_FILE_READ_ONLY, error))
        return false;
    bool ok = mlc_onnx_tensor_read(bytes.data, bytes.size, path, &arena, &value, error);
    if (ok && !(ok = tensor_file_take(file, &value, want, &reason)))
        mlc_buf_printf(error, "'%s': %s", path, mlc_buf_c_str(&reason));
    mlc_buf_release(&reason);
    mlc_arena_release(&arena);
    mlc_file_release(&bytes);
    return ok;
}

// Channels, height and width that a picture needs for the input: 1 or 3, and sizes or -1.
static bool
picture_shape(const MlcRtTensorInfo *want, int64_t shape[3], MlcBuf *error)
{
    bool batched = want->rank == 4 && (want->dims[0] == 1 || want->dims[0] < 0);
    if (want->type != MLC_RT_F32 || (want->rank != 3 && !batched) ||
        (want->dims[batched] != 1 && want->dims[batched] != 3)) {
        mlc_buf_printf(
            error, "a picture is an input of f32 [1, C, H, W] with C 1 or 3, but this input is %s ",
            mlc_rt_type_name(want->type));
        append_dims(error, want->dims, want->rank);
        return false;
    }
    memcpy(shape, want->dims + batched, 3 * sizeof *shape);
    return true;
}

// Interleaved bytes [H, W, C] to floats [C, H, W].
static float *
to_planes(const unsigned char *pixels, size_t channels, size_t area)
{
    float *planes = mlc_malloc(channels * area * sizeof *planes);
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < area; i++)
            planes[c * area + i] = (float)pixels[i * channels + c] / 255.0f;
    return planes;
}

static bool
decode(TensorFile *file, png_image *image, const MlcRtTensorInfo *want, MlcBuf *reason)
{
    int64_t shape[3];
    if (!picture_shape(want, shape, reason))
        return false;
    int64_t dims[4] = {1, shape[0], image->height, image->width};
    const int64_t *given = dims + (want->rank == 3);
    if (!check_shape(given, want->rank, want, reason))
        return false;
    image->format = shape[0] == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    size_t area = (size_t)image->height * image->width;
    unsigned char *pixels = mlc_malloc(PNG_IMAGE_SIZE(*image));
    bool ok = png_image_finish_read(image, &(png_color){0, 0, 0}, pixels, 0, NULL);
    if (ok) {
        memcpy(file->dims, given, (size_t)want->rank * sizeof *given);
        set_tensor(file, want, want->rank, to_planes(pixels, (size_t)shape[0], area));
    } else {
        mlc_buf_append_c(reason, image->message);
    }
    mlc_free(pixels);
    return ok;
}

static bool
read_png(TensorFile *file, const char *path, const MlcRtTensorInfo *want, MlcBuf *error)
{
    MlcFile bytes;
    if (!mlc_file_open(&bytes, path, MLC_FILE_READ_ONLY, error))
        return false;
    MlcBuf reason = {0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool ok = png_image_begin_read_from_memory(&image, bytes.data, bytes.size);
    if (!ok)
        mlc_buf_append_c(&reason, image.message);
    // libpng warns of damage that it can read past; a model should not be fed such a picture.
    ok = ok && decode(file, &image, want, &reason);
    if (ok && image.warning_or_error) {
        tensor_file_release(file);
        mlc_buf_append_c(&reason, image.message);
        ok = false;
    }
    if (!ok)
        mlc_buf_printf(error, "'%s': %s", path, mlc_buf_c_str(&reason));
    png_image_free(&image);
    mlc_buf_release(&reason);
    mlc_file_release(&bytes);
    return ok;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

bool
tensor_file_read(TensorFile *file, const char *path, const char *role, const MlcRtTensorInfo *want,
                 MlcBuf *error)
{
    *file = (TensorFile){0};
    MlcBuf reason = {0};
    bool ok = false;
    if (ends_with(path, ".npy"))
        ok = read_npy(file, path, want, &reason);
    else if (ends_with(path, ".pb"))
        ok = read_pb(file, path, want, &reason);
    else if (ends_with(path, ".png"))
        ok = read_png(file, path, want, &reason);
    else
        mlc_buf_printf(&reason, "'%s': neither .npy, .pb nor .png", path);
    if (!ok)
        mlc_buf_printf(error, "%s '%s': %s", role, want->name, mlc_buf_c_str(&reason));
    mlc_buf_release(&reason);
    return ok;
}

void
tensor_file_release(TensorFile *file)
{
    mlc_free(file->tensor.data);
    *file = (TensorFile){0};
}

MlcOnnxTensorValue
tensor_file_give(const MlcRtTensor *tensor, MlcArena *arena)
{
    size_t count = 1, bits = packed_bits(tensor->type);
    for (int32_t i = 0; i < tensor->rank; i++)
        count *= (size_t)tensor->dims[i];
    MlcOnnxTensorValue value = {MLC_SIZED(MlcOnnxTensorValue),
                                .rank = (size_t)tensor->rank,
                                .data_type = onnx_type(tensor->type),
                                .dims = tensor->dims,
                                .data = tensor->data,
                                .num_bytes = count * mlc_rt_type_bytes(tensor->type)};
    if (tensor->type == MLC_RT_STRING) {
        const MlcRtString *from = tensor->data;
        MlcStr *strings = MLC_NEW_ARRAY(arena, MlcStr, count + 1);
        for (size_t i = 0; i < count; i++)
            strings[i] = mlc_str_n(from[i].data, from[i].size);
        value.strings = strings;
        value.data = "";
        value.num_bytes = 0;
    }
    if (bits) {
        value.num_bytes = (count * bits + 7) / 8;
        char *packed = mlc_arena_alloc(arena, value.num_bytes + 1, 1);
        mlc_onnx_pack(packed, tensor->data, count, value.data_type);
        value.data = packed;
    }
    return value;
}

// Strings as numpy has them; the longest one decides the room of each.
static void
append_texts(MlcBuf *out, const MlcRtTensor *tensor)
{
    const MlcRtString *strings = tensor->data;
    size_t count = count_of(tensor->dims, tensor->rank), width = 0;
    MlcBuf all = {0};
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            const char *at = strings[i].data, *end = at + strings[i].size;
            uint32_t c;
            size_t length = 0;
            for (; at < end; length++)
                if (mlc_utf8_next(&at, end, &c) && pass)
                    mlc_buf_append(&all, &c, sizeof c);
                else if (pass)
                    mlc_buf_append(&all, &(uint32_t){0xfffd}, sizeof c);
            width = !pass && length > width ? length : width;
            if (pass)
                mlc_buf_append_repeated(&all, '\0', 4 * (width - length));
        }
    }
    mlc_npy_write_header(out, 'U', 4 * (unsigned)width, tensor->dims, tensor->rank);
    mlc_buf_append_str(out, mlc_buf_str(&all));
    mlc_buf_release(&all);
}

bool
tensor_file_write(const char *path, TensorFormat format, const char *name,
                  const MlcRtTensor *tensor, MlcBuf *error)
{
    MlcArena arena = {0};
    MlcBuf header = {0};
    const void *data = tensor->data;
    size_t element = mlc_rt_type_bytes(tensor->type), bytes = element;
    for (int32_t i = 0; i < tensor->rank; i++)
        bytes *= (size_t)tensor->dims[i];
    if (format == TENSOR_PB) {
        MlcOnnxTensorValue value = tensor_file_give(tensor, &arena);
        mlc_onnx_tensor_write_header(&header, mlc_str(name), &value);
        data = value.data;
        bytes = value.num_bytes;
    } else if (tensor->type == MLC_RT_STRING) {
        bytes = 0;
        append_texts(&header, tensor);
    } else {
        mlc_npy_write_header(&header, npy_kind(tensor->type), (unsigned)element, tensor->dims,
                             tensor->rank);
    }
    MlcFileWriter writer;
    bool ok = mlc_file_writer_begin(&writer, path, error) &&
              mlc_file_writer_write(&writer, header.data, header.size, error) &&
              mlc_file_writer_write(&writer, data, bytes, error) &&
              mlc_file_writer_commit(&writer, error);
    if (!ok)
        mlc_file_writer_abandon(&writer);
    mlc_buf_release(&header);
    mlc_arena_release(&arena);
    return ok;
}

void
tensor_file_path(MlcBuf *out, const char *folder, const char *name, TensorFormat format)
{
    mlc_buf_printf(out, "%s/", folder);
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '/' || c == ':' || c == '%' || c < ' ' || c == 127)
            mlc_buf_printf(out, "%%%02X", c);
        else
            mlc_buf_append_char(out, (char)c);
    }
    mlc_buf_append_c(out, format == TENSOR_PB ? ".pb" : ".npy");
}

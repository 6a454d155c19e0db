// tensor.c -- find, check and if need be convert the elements of a TensorProto.
//
// Weights are the bulk of a model, so the usual forms (raw_data, float_data in one packed run,
// external files) are never copied. External data is untrusted: its location must be a relative
// path without "..", and the resolved file must lie inside the resolved folder of the model, so
// that a symlink cannot lead out of it; offset and length are checked against the mapped size.
#include "tensor.h"

#include "mlc/frontend/onnx.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

// Which typed field holds the elements when raw_data does not.
typedef enum TypedField {
    FIELD_NONE,
    FIELD_FLOAT,
    FIELD_INT32,
    FIELD_INT64,
    FIELD_DOUBLE,
    FIELD_UINT64,
} TypedField;

typedef struct DataType {
    const char *name;
    uint8_t bits;
    uint8_t field; // TypedField
    uint8_t parts; // entries of the typed field per element: 2 for complex
} DataType;

static const DataType data_types[MLC_ONNX_NUM_DATA_TYPES] = {
    [MLC_ONNX_FLOAT] = {"float", 32, FIELD_FLOAT, 1},
    [MLC_ONNX_UINT8] = {"uint8", 8, FIELD_INT32, 1},
    [MLC_ONNX_INT8] = {"int8", 8, FIELD_INT32, 1},
    [MLC_ONNX_UINT16] = {"uint16", 16, FIELD_INT32, 1},
    [MLC_ONNX_INT16] = {"int16", 16, FIELD_INT32, 1},
    [MLC_ONNX_INT32] = {"int32", 32, FIELD_INT32, 1},
    [MLC_ONNX_INT64] = {"int64", 64, FIELD_INT64, 1},
    [MLC_ONNX_STRING] = {"string", 0, FIELD_NONE, 1},
    [MLC_ONNX_BOOL] = {"bool", 8, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT16] = {"float16", 16, FIELD_INT32, 1},
    [MLC_ONNX_DOUBLE] = {"double", 64, FIELD_DOUBLE, 1},
    [MLC_ONNX_UINT32] = {"uint32", 32, FIELD_UINT64, 1},
    [MLC_ONNX_UINT64] = {"uint64", 64, FIELD_UINT64, 1},
    [MLC_ONNX_COMPLEX64] = {"complex64", 64, FIELD_FLOAT, 2},
    [MLC_ONNX_COMPLEX128] = {"complex128", 128, FIELD_DOUBLE, 2},
    [MLC_ONNX_BFLOAT16] = {"bfloat16", 16, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT8E4M3FN] = {"float8e4m3fn", 8, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT8E4M3FNUZ] = {"float8e4m3fnuz", 8, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT8E5M2] = {"float8e5m2", 8, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT8E5M2FNUZ] = {"float8e5m2fnuz", 8, FIELD_INT32, 1},
    [MLC_ONNX_UINT4] = {"uint4", 4, FIELD_INT32, 1},
    [MLC_ONNX_INT4] = {"int4", 4, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT4E2M1] = {"float4e2m1", 4, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT8E8M0] = {"float8e8m0", 8, FIELD_INT32, 1},
    [MLC_ONNX_UINT2] = {"uint2", 2, FIELD_INT32, 1},
    [MLC_ONNX_INT2] = {"int2", 2, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT6E2M3] = {"float6e2m3", 6, FIELD_INT32, 1},
    [MLC_ONNX_FLOAT6E3M2] = {"float6e3m2", 6, FIELD_INT32, 1},
};

static const DataType *
find_data_type(int64_t type)
{
    return type > 0 && type < MLC_ONNX_NUM_DATA_TYPES && data_types[type].name ? &data_types[type]
                                                                               : NULL;
}

MLC_PRINTF(3, 4)
static bool
fail(MlcOnnxReader *reader, const MlcOnnxTensor *tensor, const char *format, ...)
{
    char message[320];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    int name_size = tensor->name.size > 80 ? 80 : (int)tensor->name.size;
    snprintf(reader->error, sizeof reader->error, "%.96s: at byte %" PRIu64 ": tensor '%.*s': %s",
             reader->file_name, tensor->offset, name_size,
             tensor->name.data ? tensor->name.data : "", message);
    return false;
}

// Bytes of all elements, from the dims.
static bool
expected_size(MlcOnnxReader *reader, const MlcOnnxTensor *tensor, const DataType *type,
              size_t *num_elements, size_t *size)
{
    size_t count = 1;
    for (size_t i = 0; i < tensor->dims.count; i++) {
        int64_t dim = tensor->dims.items[i];
        if (dim < 0)
            return fail(reader, tensor, "dimension %zu is %" PRId64, i, dim);
        if (__builtin_mul_overflow(count, (size_t)dim, &count))
            return fail(reader, tensor, "the shape has more elements than fit in 64 bits");
    }
    size_t bits;
    if (__builtin_mul_overflow(count, (size_t)type->bits, &bits) || bits > SIZE_MAX - 7)
        return fail(reader, tensor, "the shape has more elements than fit in 64 bits");
    *num_elements = count;
    *size = (bits + 7) / 8;
    return true;
}

static bool
find_entry(const MlcOnnxTensor *tensor, const char *key, MlcStr *value)
{
    for (size_t i = 0; i < tensor->external_data.count; i++)
        if (mlc_str_equal(tensor->external_data.items[i].key, mlc_str(key))) {
            *value = tensor->external_data.items[i].value;
            return true;
        }
    return false;
}

// A decimal number that the external_data entry `key` gives, or `*number` as it is if there is no
// such entry.
static bool
read_entry_number(MlcOnnxReader *reader, const MlcOnnxTensor *tensor, const char *key,
                  uint64_t *number)
{
    MlcStr text;
    if (!find_entry(tensor, key, &text))
        return true;
    *number = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(*number, UINT64_C(10), number) ||
            __builtin_add_overflow(*number, (uint64_t)digit, number))
            return fail(reader, tensor, "external data: '%s' is not a number of bytes", key);
    }
    return text.size > 0 || fail(reader, tensor, "external data: '%s' is empty", key);
}

static bool
is_inside_name(MlcStr location)
{
    if (location.size == 0 || location.data[0] == '/' || location.size >= PATH_MAX / 2 ||
        memchr(location.data, 0, location.size))
        return false;
    for (size_t i = 0; i < location.size;) {
        const char *part = location.data + i;
        const char *slash = memchr(part, '/', location.size - i);
        size_t size = slash ? (size_t)(slash - part) : location.size - i;
        if (size == 2 && part[0] == '.' && part[1] == '.')
            return false;
        i += size + 1;
    }
    return true;
}

static bool
lies_in(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    bool root = size == 1; // the model lies in "/"
    return strncmp(path, folder, size) == 0 && (root || path[size] == '/' || !path[size]);
}

// Whether a link may lead from the model's folder to `resolved`. A model that came in an archive
// may bring links of its own to any file, so mostly not; but beside a model that is itself a link
// into a folder of blobs, to other files of that folder.
static bool
may_read(const MlcOnnxFolder *folder, const char *resolved)
{
    if (folder->allow_links || lies_in(resolved, folder->path))
        return true;
    size_t size = folder->blobs ? strlen(folder->blobs) : 0;
    return size > 0 && lies_in(resolved, folder->blobs) && resolved[size] == '/' &&
           !strchr(resolved + size + 1, '/');
}

// The resolved path of `location` in the folder, in the arena; it is checked to lie inside.
static bool
resolve_location(MlcOnnxReader *reader, MlcOnnxFolder *folder, const MlcOnnxTensor *tensor,
                 MlcStr location, const char **path)
{
    if (!folder->path)
        return fail(reader, tensor, "external data is not read here");
    if (!is_inside_name(location))
        return fail(reader, tensor,
                    "external data: location '%.*s' must be a path inside the model's folder",
                    (int)(location.size > 100 ? 100 : location.size),
                    location.size ? location.data : "");
    char joined[PATH_MAX * 2], resolved[PATH_MAX];
    snprintf(joined, sizeof joined, "%s/%.*s", folder->path, MLC_STR_FMT(location));
    if (!realpath(joined, resolved))
        return fail(reader, tensor, "external data: cannot open '%.*s': %s", MLC_STR_FMT(location),
                    strerror(errno));
    if (!may_read(folder, resolved))
        return fail(reader, tensor,
                    "external data: '%.*s' is a link out of the model's folder, to '%s'; "
                    "--allow-external-links follows it",
                    MLC_STR_FMT(location), resolved);
    struct stat status;
    if (stat(resolved, &status) != 0 || !S_ISREG(status.st_mode)) // a pipe would block
        return fail(reader, tensor, "external data: '%.*s' is not a file", MLC_STR_FMT(location));
    *path = mlc_arena_strdup(reader->arena, mlc_str(resolved)).data;
    return true;
}

static bool
open_data_file(MlcOnnxReader *reader, MlcOnnxFolder *folder, const MlcOnnxTensor *tensor,
               MlcStr location, MlcOnnxDataFile **out)
{
    for (MlcOnnxDataFile *f = folder->files; f; f = f->next)
        if (mlc_str_equal(f->location, location)) {
            *out = f;
            return true;
        }
    const char *path;
    if (!resolve_location(reader, folder, tensor, location, &path))
        return false;
    MlcOnnxDataFile *f = mlc_calloc(1, sizeof *f);
    MlcBuf reason = {0};
    if (!mlc_file_open(&f->file, path, MLC_FILE_READ_ONLY, &reason)) {
        fail(reader, tensor, "external data: %s", mlc_buf_c_str(&reason));
        mlc_buf_release(&reason);
        mlc_free(f);
        return false;
    }
    mlc_buf_release(&reason);
    f->location = location;
    f->next = folder->files;
    *out = folder->files = f;
    return true;
}

static bool
external_bytes(MlcOnnxReader *reader, MlcOnnxFolder *folder, const MlcOnnxTensor *tensor,
               size_t size, MlcOnnxBytes *bytes)
{
    MlcStr location;
    if (!find_entry(tensor, "location", &location))
        return fail(reader, tensor, "external data without a 'location'");
    uint64_t offset = 0, length = size;
    if (!read_entry_number(reader, tensor, "offset", &offset) ||
        !read_entry_number(reader, tensor, "length", &length))
        return false;
    if (length != size)
        return fail(reader, tensor, "external data: 'length' is %" PRIu64 ", the shape needs %zu",
                    length, size);
    MlcOnnxDataFile *f;
    if (!open_data_file(reader, folder, tensor, location, &f))
        return false;
    if (offset > f->file.size || length > f->file.size - offset)
        return fail(reader, tensor,
                    "external data: bytes %" PRIu64 " to %" PRIu64 " of '%.*s', which has %zu",
                    offset, offset + length, MLC_STR_FMT(location), f->file.size);
    *bytes = (MlcOnnxBytes){(const char *)f->file.data + offset, size, MLC_ONNX_SOURCE_FILE, f};
    return true;
}

// Keeps the low `width` bytes of each entry: `stride` bytes apart, little-endian.
static const void *
narrow(MlcArena *arena, const void *entries, size_t count, size_t stride, size_t width)
{
    if (count == 0)
        return NULL;
    char *out = mlc_arena_alloc(arena, count * width, 16); // at most the entries' own size
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * width, (const char *)entries + i * stride, width);
    return out;
}

const char *
mlc_onnx_data_type_name(int64_t type)
{
    const DataType *found = find_data_type(type);
    return found ? found->name : NULL;
}

int64_t
mlc_onnx_data_type_of(MlcStr name)
{
    for (size_t i = 0; i < MLC_ONNX_NUM_DATA_TYPES; i++)
        if (data_types[i].name && strlen(data_types[i].name) == name.size &&
            strncasecmp(data_types[i].name, name.data, name.size) == 0)
            return (int64_t)i;
    return 0;
}

unsigned
mlc_onnx_data_type_bits(int64_t type)
{
    const DataType *found = find_data_type(type);
    return found ? found->bits : 0;
}

// ---- elements of less than a byte

static bool
has_sign(int64_t data_type)
{
    return data_type == MLC_ONNX_INT4 || data_type == MLC_ONNX_INT2;
}

bool
mlc_onnx_unpack(void *to, const void *packed, size_t count, int64_t data_type)
{
    unsigned bits = mlc_onnx_data_type_bits(data_type);
    if (bits == 0 || bits >= 8)
        return false;
    unsigned mask = (1u << bits) - 1, sign = has_sign(data_type) ? 1u << (bits - 1) : 0;
    const unsigned char *from = packed;
    for (size_t i = 0; i < count; i++) {
        size_t at = i * bits;
        unsigned code = from[at / 8] >> at % 8;
        if (at % 8 + bits > 8)
            code |= (unsigned)from[at / 8 + 1] << (8 - at % 8);
        code &= mask;
        ((unsigned char *)to)[i] = (unsigned char)((code ^ sign) - sign);
    }
    return true;
}

bool
mlc_onnx_pack(void *to, const void *elements, size_t count, int64_t data_type)
{
    unsigned bits = mlc_onnx_data_type_bits(data_type);
    if (bits == 0 || bits >= 8)
        return false;
    const unsigned char *from = elements;
    unsigned char *packed = to;
    memset(to, 0, (count * bits + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        size_t at = i * bits;
        unsigned code = (from[i] & ((1u << bits) - 1)) << at % 8;
        packed[at / 8] |= (unsigned char)code;
        if (code >> 8)
            packed[at / 8 + 1] |= (unsigned char)(code >> 8);
    }
    return true;
}

static bool
typed_bytes(MlcOnnxReader *reader, const MlcOnnxTensor *tensor, const DataType *type,
            size_t num_elements, size_t size, MlcOnnxBytes *bytes)
{
    struct {
        const char *name;
        const void *items;
        size_t count, width;
    } fields[] = {
        [FIELD_FLOAT] = {"float_data", tensor->float_data.items, tensor->float_data.count, 4},
        [FIELD_INT32] = {"int32_data", tensor->int32_data.items, tensor->int32_data.count, 4},
        [FIELD_INT64] = {"int64_data", tensor->int64_data.items, tensor->int64_data.count, 8},
        [FIELD_DOUBLE] = {"double_data", tensor->double_data.items, tensor->double_data.count, 8},
        [FIELD_UINT64] = {"uint64_data", tensor->uint64_data.items, tensor->uint64_data.count, 8},
    };
    // Elements of less than a byte come packed, one byte an entry; but those of 6 bits one by one.
    size_t want = type->bits < 6 ? size : num_elements * type->parts;
    size_t width = type->bits < 8 ? 1 : (size_t)type->bits / 8 / type->parts;
    size_t count = fields[type->field].count, stride = fields[type->field].width;
    if (count != want)
        return fail(reader, tensor, "%s has %zu entries, the shape needs %zu",
                    fields[type->field].name, count, want);
    const void *items = fields[type->field].items;
    if (type->bits == 6) {
        char *packed = mlc_arena_alloc(reader->arena, size + 1, 1);
        const void *entries = narrow(reader->arena, items, count, stride, 1);
        mlc_onnx_pack(packed, entries, count, tensor->data_type);
        *bytes = (MlcOnnxBytes){packed, size, MLC_ONNX_SOURCE_ARENA, NULL};
        return true;
    }
    bool in_model =
        (const char *)items >= reader->data && (const char *)items < reader->data + reader->size;
    *bytes = (MlcOnnxBytes){
        .data = width == stride ? items : narrow(reader->arena, items, count, stride, width),
        .size = size,
        .source = in_model && width == stride ? MLC_ONNX_SOURCE_MODEL : MLC_ONNX_SOURCE_ARENA};
    return true;
}

// The folder that a model lies in which is reached through a link, if its name is "blobs".
static char *
folder_of_blobs(const char *model_path)
{
    struct stat status;
    char *real = lstat(model_path, &status) == 0 && S_ISLNK(status.st_mode)
                     ? realpath(model_path, NULL)
                     : NULL;
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        *slash = '\0';
    char *name = slash ? strrchr(real, '/') : NULL;
    if (name && strcmp(name, "/blobs") == 0)
        return real;
    free(real);
    return NULL;
}

bool
mlc_onnx_folder_init(MlcOnnxFolder *folder, const char *model_path)
{
    const char *slash = strrchr(model_path, '/');
    char *parent = slash ? strndup(model_path, (size_t)(slash - model_path) + 1) : strdup(".");
    *folder = (MlcOnnxFolder){.path = realpath(parent, NULL), .blobs = folder_of_blobs(model_path)};
    free(parent);
    return folder->path != NULL;
}

void
mlc_onnx_folder_release(MlcOnnxFolder *folder)
{
    while (folder->files) {
        MlcOnnxDataFile *next = folder->files->next;
        mlc_file_release(&folder->files->file);
        mlc_free(folder->files);
        folder->files = next;
    }
    free(folder->path);
    free(folder->blobs);
    folder->path = folder->blobs = NULL;
}

bool
mlc_onnx_tensor_strings(MlcOnnxReader *reader, const MlcOnnxTensor *tensor)
{
    static const DataType text = {"string", 8, FIELD_NONE, 1};
    size_t count = 0, size = 0;
    if (tensor->segment || tensor->has_raw_data || tensor->data_location == MLC_ONNX_EXTERNAL)
        return fail(reader, tensor, "strings stand in string_data and nowhere else");
    if (!expected_size(reader, tensor, &text, &count, &size))
        return false;
    return count == tensor->string_data.count ||
           fail(reader, tensor, "string_data has %zu entries, the shape needs %zu",
                tensor->string_data.count, count);
}

bool
mlc_onnx_tensor_bytes(MlcOnnxReader *reader, MlcOnnxFolder *folder, const MlcOnnxTensor *tensor,
                      MlcOnnxBytes *bytes)
{
    const DataType *type = find_data_type(tensor->data_type);
    if (!type)
        return fail(reader, tensor, "data type %" PRId64 " is unknown", tensor->data_type);
    if (type->bits == 0)
        return fail(reader, tensor, "elements of type %s are not supported", type->name);
    if (tensor->segment)
        return fail(reader, tensor, "tensors in segments are not supported");
    size_t num_elements = 0, size = 0;
    if (!expected_size(reader, tensor, type, &num_elements, &size))
        return false;
    if (tensor->data_location == MLC_ONNX_EXTERNAL)
        return external_bytes(reader, folder, tensor, size, bytes);
    if (!tensor->has_raw_data)
        return typed_bytes(reader, tensor, type, num_elements, size, bytes);
    if (tensor->raw_data.size != size)
        return fail(reader, tensor, "raw_data has %zu bytes, the shape needs %zu",
                    tensor->raw_data.size, size);
    *bytes = (MlcOnnxBytes){tensor->raw_data.data, size, MLC_ONNX_SOURCE_MODEL, NULL};
    return true;
}

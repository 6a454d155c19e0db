// proto.c -- protobuf's wire format, read by tables.
//
// A message is read in two walks over its bytes: the first counts what each list holds, so that
// lists are allocated once and exactly; the second fills the struct. Nested messages are
// length-delimited, so the first walk hops over them and the cost stays linear in the file for each
// level of nesting. Nothing is copied but lists of varints; a singular message given twice (which
// protobuf would merge, and no writer produces) is refused, and so is a known field with the wrong
// wire type (which protobuf would call unknown): both mean a broken file.
// (https://protobuf.dev/programming-guides/encoding)
#include "proto.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "packed floats are used as they lie in the file, which is little-endian"
#endif

enum { MAX_DEPTH = 64, MAX_FIELDS = 24 };

// An empty message takes two bytes in the file and some hundred in memory; real files take less
// than 20 times their size.
static size_t
memory_limit(const MlcOnnxReader *reader)
{
    return ((size_t)256 << 20) + 32 * reader->size;
}

static_assert(sizeof((MlcOnnxReader){0}.path) / sizeof((MlcOnnxReader){0}.path[0]) == MAX_DEPTH,
              "the path has a slot per level");

typedef enum WireType {
    WIRE_VARINT = 0,
    WIRE_64_BIT = 1,
    WIRE_BYTES = 2,
    WIRE_START_GROUP = 3,
    WIRE_END_GROUP = 4,
    WIRE_32_BIT = 5,
} WireType;

typedef struct Message Message;

typedef struct Field {
    uint16_t number;
    uint8_t kind; // MlcOnnxKind
    bool is_list;
    uint16_t offset;     // of the value, the list or the pointer in the struct
    uint16_t has_offset; // of the has_ flag; only for ONE
    const char *name;
    const Message *message; // only for MLC_ONNX_KIND_MESSAGE
} Field;

struct Message {
    const char *name;
    size_t size; // of the struct, bytes
    size_t num_fields;
    Field fields[MAX_FIELDS]; // by ascending number
};

// Every list in proto.h has this layout.
typedef struct List {
    void *items;
    size_t count;
} List;

#define DECLARE_TABLE(UPPER, Camel, lower) static const Message lower##_message;
MLC_ONNX_MESSAGES(DECLARE_TABLE)

// offsetof() names `self`, which each table defines as its struct.
#define FIELD_ONE(number_, name_, KIND_)                                                           \
    {.number = number_,                                                                            \
     .kind = MLC_ONNX_KIND_##KIND_,                                                                \
     .offset = offsetof(SELF, name_),                                                              \
     .has_offset = offsetof(SELF, has_##name_),                                                    \
     .name = #name_},
#define FIELD_MANY(number_, name_, List_, KIND_)                                                   \
    {.number = number_,                                                                            \
     .kind = MLC_ONNX_KIND_##KIND_,                                                                \
     .is_list = true,                                                                              \
     .offset = offsetof(SELF, name_),                                                              \
     .name = #name_},
#define FIELD_SUB(number_, name_, Message_, lower_)                                                \
    {.number = number_,                                                                            \
     .kind = MLC_ONNX_KIND_MESSAGE,                                                                \
     .offset = offsetof(SELF, name_),                                                              \
     .name = #name_,                                                                               \
     .message = &lower_##_message},
#define FIELD_SUBS(number_, name_, Message_, lower_)                                               \
    {.number = number_,                                                                            \
     .kind = MLC_ONNX_KIND_MESSAGE,                                                                \
     .is_list = true,                                                                              \
     .offset = offsetof(SELF, name_),                                                              \
     .name = #name_,                                                                               \
     .message = &lower_##_message},
#define COUNT_FIELD(...) +1
#define TABLE(UPPER, Camel)                                                                        \
    {                                                                                              \
        .name = #Camel, .size = sizeof(MlcOnnx##Camel),                                            \
        .num_fields = 0 MLC_ONNX_##UPPER(COUNT_FIELD, COUNT_FIELD, COUNT_FIELD, COUNT_FIELD),      \
        .fields = {MLC_ONNX_##UPPER(FIELD_ONE, FIELD_MANY, FIELD_SUB, FIELD_SUBS)},                \
    }

#define SELF MlcOnnxModel
static const Message model_message = TABLE(MODEL, Model);
#undef SELF
#define SELF MlcOnnxGraph
static const Message graph_message = TABLE(GRAPH, Graph);
#undef SELF
#define SELF MlcOnnxNode
static const Message node_message = TABLE(NODE, Node);
#undef SELF
#define SELF MlcOnnxAttribute
static const Message attribute_message = TABLE(ATTRIBUTE, Attribute);
#undef SELF
#define SELF MlcOnnxTensor
static const Message tensor_message = TABLE(TENSOR, Tensor);
#undef SELF
#define SELF MlcOnnxSegment
static const Message segment_message = TABLE(SEGMENT, Segment);
#undef SELF
#define SELF MlcOnnxSparseTensor
static const Message sparse_tensor_message = TABLE(SPARSE_TENSOR, SparseTensor);
#undef SELF
#define SELF MlcOnnxValueInfo
static const Message value_info_message = TABLE(VALUE_INFO, ValueInfo);
#undef SELF
#define SELF MlcOnnxType
static const Message type_message = TABLE(TYPE, Type);
#undef SELF
#define SELF MlcOnnxTensorType
static const Message tensor_type_message = TABLE(TENSOR_TYPE, TensorType);
#undef SELF
#define SELF MlcOnnxSequenceType
static const Message sequence_type_message = TABLE(SEQUENCE_TYPE, SequenceType);
#undef SELF
#define SELF MlcOnnxMapType
static const Message map_type_message = TABLE(MAP_TYPE, MapType);
#undef SELF
#define SELF MlcOnnxOpaqueType
static const Message opaque_type_message = TABLE(OPAQUE_TYPE, OpaqueType);
#undef SELF
#define SELF MlcOnnxShape
static const Message shape_message = TABLE(SHAPE, Shape);
#undef SELF
#define SELF MlcOnnxDim
static const Message dim_message = TABLE(DIM, Dim);
#undef SELF
#define SELF MlcOnnxOpset
static const Message opset_message = TABLE(OPSET, Opset);
#undef SELF
#define SELF MlcOnnxFunction
static const Message function_message = TABLE(FUNCTION, Function);
#undef SELF
#define SELF MlcOnnxEntry
static const Message entry_message = TABLE(ENTRY, Entry);
#undef SELF
#define SELF MlcOnnxAnnotation
static const Message annotation_message = TABLE(ANNOTATION, Annotation);
#undef SELF
#define SELF MlcOnnxSequence
static const Message sequence_message = TABLE(SEQUENCE_VALUE, Sequence);
#undef SELF
#define SELF MlcOnnxOptional
static const Message optional_message = TABLE(OPTIONAL_VALUE, Optional);
#undef SELF
#define SELF MlcOnnxMap
static const Message map_message = TABLE(MAP_VALUE, Map);
#undef SELF

// A window of the file; never read past `end`.
typedef struct Cursor {
    const char *at;
    const char *end;
} Cursor;

// One field as it lies in the file: `bits` holds a varint or fixed-width value, `bytes` what is
// length-delimited.
typedef struct Item {
    uint32_t number;
    WireType wire;
    uint64_t bits;
    Cursor bytes;
} Item;

static void
print_path(const MlcOnnxReader *reader, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (unsigned i = 0; i < reader->depth && used < size; i++) {
        const char *dot = i ? "." : "";
        int n = reader->path[i].index < 0
                    ? snprintf(out + used, size - used, "%s%s", dot, reader->path[i].field)
                    : snprintf(out + used, size - used, "%s%s[%lld]", dot, reader->path[i].field,
                               (long long)reader->path[i].index);
        used += (size_t)n;
    }
}

MLC_PRINTF(3, 4)
static bool
fail(MlcOnnxReader *reader, const char *at, const char *format, ...)
{
    char path[256], message[192];
    print_path(reader, path, sizeof path);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(reader->error, sizeof reader->error, "%.96s: at byte %zu: %s%s%s%s", reader->file_name,
             (size_t)(at - reader->data), path[0] ? "field " : "", path, path[0] ? ": " : "",
             message);
    return false;
}

static bool
read_varint(MlcOnnxReader *reader, Cursor *cursor, uint64_t *value)
{
    const char *start = cursor->at;
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (cursor->at == cursor->end)
            return fail(reader, start, "truncated: the message ends inside a number");
        uint8_t byte = (uint8_t)*cursor->at++;
        if (shift < 64)
            result |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = result;
            return true;
        }
    }
    return fail(reader, start, "malformed: a number of more than 10 bytes");
}

static bool
read_fixed(MlcOnnxReader *reader, Cursor *cursor, size_t size, uint64_t *value)
{
    if ((size_t)(cursor->end - cursor->at) < size)
        return fail(reader, cursor->at, "truncated: %zu bytes wanted, %zu left", size,
                    (size_t)(cursor->end - cursor->at));
    *value = 0;
    memcpy(value, cursor->at, size);
    cursor->at += size;
    return true;
}

static bool
read_bytes(MlcOnnxReader *reader, Cursor *cursor, Cursor *bytes)
{
    uint64_t size;
    const char *start = cursor->at;
    if (!read_varint(reader, cursor, &size))
        return false;
    if (size > (uint64_t)(cursor->end - cursor->at))
        return fail(reader, start, "truncated: %llu bytes announced, %zu left",
                    (unsigned long long)size, (size_t)(cursor->end - cursor->at));
    bytes->at = cursor->at;
    bytes->end = cursor->at += size;
    return true;
}

static bool
read_tag(MlcOnnxReader *reader, Cursor *cursor, Item *item)
{
    const char *start = cursor->at;
    uint64_t tag;
    if (!read_varint(reader, cursor, &tag))
        return false;
    item->number = (uint32_t)(tag >> 3);
    item->wire = (WireType)(tag & 7);
    if (tag >> 3 == 0 || tag >> 3 >= (UINT64_C(1) << 29))
        return fail(reader, start, "malformed: field number %llu", (unsigned long long)(tag >> 3));
    if (item->wire > WIRE_32_BIT)
        return fail(reader, start, "malformed: wire type %d", (int)item->wire);
    return true;
}

static bool
read_payload(MlcOnnxReader *reader, Cursor *cursor, Item *item)
{
    switch (item->wire) {
    case WIRE_VARINT:
        return read_varint(reader, cursor, &item->bits);
    case WIRE_64_BIT:
        return read_fixed(reader, cursor, 8, &item->bits);
    case WIRE_BYTES:
        return read_bytes(reader, cursor, &item->bytes);
    case WIRE_32_BIT:
        return read_fixed(reader, cursor, 4, &item->bits);
    default:
        return true; // groups: see skip_group
    }
}

// Groups are obsolete and none of ours: pass over one, and those inside it, without recursion.
static bool
skip_group(MlcOnnxReader *reader, Cursor *cursor)
{
    for (size_t open = 1; open > 0;) {
        Item item;
        if (!read_tag(reader, cursor, &item) || !read_payload(reader, cursor, &item))
            return false;
        if (item.wire == WIRE_START_GROUP)
            open++;
        else if (item.wire == WIRE_END_GROUP)
            open--;
    }
    return true;
}

static bool
read_after_tag(MlcOnnxReader *reader, Cursor *cursor, Item *item, const char *start)
{
    if (item->wire == WIRE_START_GROUP)
        return skip_group(reader, cursor);
    if (item->wire == WIRE_END_GROUP)
        return fail(reader, start, "malformed: a group ends that none began");
    return read_payload(reader, cursor, item);
}

static bool
read_item(MlcOnnxReader *reader, Cursor *cursor, Item *item)
{
    const char *start = cursor->at;
    return read_tag(reader, cursor, item) && read_after_tag(reader, cursor, item, start);
}

static int
find_field(const Message *message, uint32_t number)
{
    for (size_t i = 0; i < message->num_fields; i++)
        if (message->fields[i].number == number)
            return (int)i;
    return -1;
}

static WireType
wire_of(const Field *field)
{
    static const WireType wires[] = {
        [MLC_ONNX_KIND_INT64] = WIRE_VARINT, [MLC_ONNX_KIND_INT32] = WIRE_VARINT,
        [MLC_ONNX_KIND_FLOAT] = WIRE_32_BIT, [MLC_ONNX_KIND_DOUBLE] = WIRE_64_BIT,
        [MLC_ONNX_KIND_STR] = WIRE_BYTES,    [MLC_ONNX_KIND_MESSAGE] = WIRE_BYTES,
    };
    return wires[field->kind];
}

static size_t
item_size(const Field *field)
{
    switch ((MlcOnnxKind)field->kind) {
    case MLC_ONNX_KIND_INT64:
        return sizeof(int64_t);
    case MLC_ONNX_KIND_INT32:
        return sizeof(int32_t);
    case MLC_ONNX_KIND_FLOAT:
        return sizeof(float);
    case MLC_ONNX_KIND_DOUBLE:
        return sizeof(double);
    case MLC_ONNX_KIND_STR:
        return sizeof(MlcStr);
    case MLC_ONNX_KIND_MESSAGE:
        break;
    }
    return field->message->size;
}

static bool
is_packed(const Field *field, const Item *item)
{
    return field->is_list && item->wire == WIRE_BYTES && wire_of(field) != WIRE_BYTES;
}

static bool
check_wire(MlcOnnxReader *reader, const Field *field, const Item *item, const char *at)
{
    if (item->wire == wire_of(field) || is_packed(field, item))
        return true;
    return fail(reader, at, "malformed: expected wire type %d, got %d", (int)wire_of(field),
                (int)item->wire);
}

// How many list items `item` holds: one, or what is packed in it.
static bool
count_items(MlcOnnxReader *reader, const Field *field, const Item *item, size_t *count)
{
    if (!is_packed(field, item)) {
        *count += 1;
        return true;
    }
    size_t size = (size_t)(item->bytes.end - item->bytes.at);
    if (wire_of(field) == WIRE_VARINT) {
        for (const char *p = item->bytes.at; p < item->bytes.end; p++)
            *count += !(*p & 0x80);
        if (size && (item->bytes.end[-1] & 0x80))
            return fail(reader, item->bytes.end, "truncated: the list ends inside a number");
        return true;
    }
    if (size % item_size(field))
        return fail(reader, item->bytes.at, "malformed: %zu bytes packed, not a multiple of %zu",
                    size, item_size(field));
    *count += size / item_size(field);
    return true;
}

static bool
push(MlcOnnxReader *reader, const char *at, const char *field, int64_t index)
{
    if (reader->depth == MAX_DEPTH)
        return fail(reader, at, "messages are nested deeper than %d", MAX_DEPTH);
    reader->path[reader->depth].field = field;
    reader->path[reader->depth].index = index;
    reader->depth++;
    return true;
}

// The first walk: list lengths, by index in the table. `only[i]` is the one packed run that is the
// whole list, if there is one.
static bool
count_lists(MlcOnnxReader *reader, const Message *message, Cursor cursor, size_t *counts,
            Cursor *only)
{
    size_t num_runs[MAX_FIELDS] = {0};
    while (cursor.at < cursor.end) {
        const char *start = cursor.at;
        Item item;
        if (!read_tag(reader, &cursor, &item))
            return false;
        int i = find_field(message, item.number);
        if (i < 0) {
            if (!read_after_tag(reader, &cursor, &item, start))
                return false;
            continue;
        }
        const Field *field = &message->fields[i];
        if (!push(reader, start, field->name, field->is_list ? (int64_t)counts[i] : -1))
            return false;
        if (!read_after_tag(reader, &cursor, &item, start) ||
            !check_wire(reader, field, &item, start) ||
            !count_items(reader, field, &item, &counts[i]))
            return false;
        reader->depth--;
        only[i] = num_runs[i]++ == 0 && is_packed(field, &item) ? item.bytes : (Cursor){0};
    }
    return true;
}

// Floats packed in one run are used as they lie in the file.
static bool
can_borrow(const Field *field, Cursor only)
{
    return only.at && (field->kind == MLC_ONNX_KIND_FLOAT || field->kind == MLC_ONNX_KIND_DOUBLE);
}

static bool
allocate(MlcOnnxReader *reader, size_t size, const char *at, void **out)
{
    reader->allocated += size;
    if (reader->allocated > memory_limit(reader))
        return fail(reader, at, "the file needs more than %zu MiB of memory to read",
                    memory_limit(reader) >> 20);
    *out = mlc_arena_alloc(reader->arena, size, 8);
    return true;
}

// Sizes do not overflow: counts[i] is at most the file's size in bytes and items are smaller than 1
// KiB.
static bool
allocate_lists(MlcOnnxReader *reader, const Message *message, char *out, const size_t *counts,
               const Cursor *only, const char *at)
{
    for (size_t i = 0; i < message->num_fields; i++) {
        const Field *field = &message->fields[i];
        if (!field->is_list || counts[i] == 0)
            continue;
        List *list = (List *)(out + field->offset);
        if (can_borrow(field, only[i]))
            *list = (List){(void *)(uintptr_t)only[i].at, counts[i]};
        else if (!allocate(reader, counts[i] * item_size(field), at, &list->items))
            return false;
    }
    return true;
}

static bool read_message(MlcOnnxReader *reader, const Message *message, Cursor cursor, char *out);

static bool
read_value(MlcOnnxReader *reader, const Field *field, const Item *item, char *out)
{
    switch ((MlcOnnxKind)field->kind) {
    case MLC_ONNX_KIND_INT64:
    case MLC_ONNX_KIND_DOUBLE:
        memcpy(out, &item->bits, 8);
        return true;
    case MLC_ONNX_KIND_INT32:
    case MLC_ONNX_KIND_FLOAT:
        memcpy(out, &item->bits, 4);
        return true;
    case MLC_ONNX_KIND_STR:
        *(MlcStr *)out = mlc_str_n(item->bytes.at, (size_t)(item->bytes.end - item->bytes.at));
        return true;
    case MLC_ONNX_KIND_MESSAGE:
        break;
    }
    return read_message(reader, field->message, item->bytes, out);
}

static bool
read_packed(MlcOnnxReader *reader, const Field *field, Cursor bytes, List *list)
{
    size_t size = item_size(field);
    while (bytes.at < bytes.end) {
        uint64_t bits;
        if (!(wire_of(field) == WIRE_VARINT ? read_varint(reader, &bytes, &bits)
                                            : read_fixed(reader, &bytes, size, &bits)))
            return false;
        memcpy((char *)list->items + size * list->count++, &bits, size);
    }
    return true;
}

static bool
read_list_item(MlcOnnxReader *reader, const Field *field, const Item *item, List *list, Cursor only)
{
    if (can_borrow(field, only))
        return true;
    if (is_packed(field, item))
        return read_packed(reader, field, item->bytes, list);
    return read_value(reader, field, item, (char *)list->items + item_size(field) * list->count++);
}

static bool
read_single(MlcOnnxReader *reader, const Field *field, const Item *item, char *out, const char *at)
{
    if (field->kind != MLC_ONNX_KIND_MESSAGE) {
        *(bool *)(out + field->has_offset) = true;
        return read_value(reader, field, item, out + field->offset);
    }
    void **slot = (void **)(out + field->offset);
    if (*slot)
        return fail(reader, at, "malformed: given twice");
    return allocate(reader, field->message->size, at, slot) &&
           read_value(reader, field, item, *slot);
}

static bool
read_field(MlcOnnxReader *reader, const Field *field, const Item *item, char *out, Cursor only,
           const char *at)
{
    if (!field->is_list)
        return read_single(reader, field, item, out, at);
    return read_list_item(reader, field, item, (List *)(out + field->offset), only);
}

// Fills the struct at `out` from the window `cursor`. Recursion is bounded by the path's MAX_DEPTH.
static bool
read_message(MlcOnnxReader *reader, const Message *message, Cursor cursor, char *out)
{
    size_t counts[MAX_FIELDS] = {0};
    Cursor only[MAX_FIELDS] = {0};
    memset(out, 0, message->size);
    ((uint64_t *)out)[0] = (uint64_t)(cursor.at - reader->data);
    ((uint64_t *)out)[1] = (uint64_t)(cursor.end - cursor.at);
    if (!count_lists(reader, message, cursor, counts, only) ||
        !allocate_lists(reader, message, out, counts, only, cursor.at))
        return false;
    while (cursor.at < cursor.end) {
        const char *start = cursor.at;
        Item item;
        if (!read_item(reader, &cursor, &item))
            return false;
        int i = find_field(message, item.number);
        if (i < 0)
            continue;
        const Field *field = &message->fields[i];
        int64_t index = field->is_list ? (int64_t)((List *)(out + field->offset))->count : -1;
        if (!push(reader, start, field->name, index))
            return false;
        if (!read_field(reader, field, &item, out, only[i], start))
            return false;
        reader->depth--;
    }
    return true;
}

static void *
read_file(MlcOnnxReader *reader, const char *file_name, MlcArena *arena, const Message *message,
          const void *data, size_t size)
{
    *reader = (MlcOnnxReader){.file_name = file_name, .arena = arena, .data = data, .size = size};
    Cursor cursor = {data, (const char *)data + size};
    void *out = mlc_arena_alloc(arena, message->size, 8);
    return read_message(reader, message, cursor, out) ? out : NULL;
}

const MlcOnnxTensor *
mlc_onnx_read_tensor(MlcOnnxReader *reader, const char *file_name, MlcArena *arena,
                     const void *data, size_t size)
{
    return read_file(reader, file_name, arena, &tensor_message, data, size);
}

const MlcOnnxSequence *
mlc_onnx_read_sequence(MlcOnnxReader *reader, const char *file_name, MlcArena *arena,
                       const void *data, size_t size)
{
    return read_file(reader, file_name, arena, &sequence_message, data, size);
}

const MlcOnnxOptional *
mlc_onnx_read_optional(MlcOnnxReader *reader, const char *file_name, MlcArena *arena,
                       const void *data, size_t size)
{
    return read_file(reader, file_name, arena, &optional_message, data, size);
}

const MlcOnnxMap *
mlc_onnx_read_map(MlcOnnxReader *reader, const char *file_name, MlcArena *arena, const void *data,
                  size_t size)
{
    return read_file(reader, file_name, arena, &map_message, data, size);
}

const MlcOnnxModel *
mlc_onnx_read(MlcOnnxReader *reader, const char *file_name, MlcArena *arena, const void *data,
              size_t size)
{
    return read_file(reader, file_name, arena, &model_message, data, size);
}

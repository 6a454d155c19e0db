// model_mutator.c -- mutations of ONNX models by fields of the protobuf wire format: a model that
// is cut or flipped by bytes is mostly no protobuf any more, and what the importer and the passes
// do is behind that. Knows no schema: bytes that are a message all through count as one. Half of
// the time the caller's own mutations are left to do their work.
#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_out, unsigned seed);

enum { MAX_FIELDS = 1 << 14, MAX_DEPTH = 12, VARINT_BYTES = 10 };
enum Wire { VARINT, FIXED64, BYTES, FIXED32 = 5 };

// Fields in the order in which they stand; what is in one follows it, up to `end`.
typedef struct Field {
    uint64_t key;         // number and wire type
    uint64_t path;        // a hash of the keys that lead to it: equal for fields of one kind
    uint64_t value;       // of those of wire type VARINT
    const uint8_t *bytes; // of the others
    size_t size;
    size_t end;                 // index behind all that is in it
    bool is_leaf;               // nothing is in it that could be changed alone
    bool is_gone;               // left out
    const struct Field *behind; // stands behind it as well, or NULL; as it was read
} Field;

typedef struct Model {
    Field fields[MAX_FIELDS];
    size_t count;
} Model;

static uint64_t state;

static size_t
random_below(size_t limit)
{
    return fuzz_random_below(&state, limit);
}

// ---- reading

static bool
read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < VARINT_BYTES && *at < end; i++) {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool
read_field(const uint8_t **at, const uint8_t *end, Field *f)
{
    *f = (Field){0};
    if (!read_varint(at, end, &f->key) || f->key >> 3 == 0)
        return false;
    unsigned wire = f->key & 7;
    if (wire == VARINT)
        return read_varint(at, end, &f->value);
    uint64_t size = wire == FIXED64 ? 8 : 4;
    if ((wire == BYTES && !read_varint(at, end, &size)) ||
        (wire != BYTES && wire != FIXED64 && wire != FIXED32) || size > (size_t)(end - *at))
        return false;
    f->bytes = *at;
    f->size = (size_t)size;
    *at += size;
    return true;
}

// All of the bytes as fields; false, and nothing is added, if they are no message.
static bool
read_message(Model *m, const uint8_t *at, const uint8_t *end, uint64_t path, unsigned depth)
{
    size_t begin = m->count;
    while (at < end) {
        size_t i = m->count;
        if (i == MAX_FIELDS || !read_field(&at, end, &m->fields[i])) {
            m->count = begin;
            return false;
        }
        Field *f = &m->fields[i];
        m->count++;
        f->path = (path ^ f->key) * UINT64_C(0x9e3779b97f4a7c15);
        f->is_leaf = (f->key & 7) != BYTES || f->size == 0 || depth == MAX_DEPTH ||
                     !read_message(m, f->bytes, f->bytes + f->size, f->path, depth + 1);
        f->end = m->count;
    }
    return true;
}

// ---- writing

typedef struct Out {
    uint8_t *data;
    size_t size, max;
    bool is_full;
} Out;

static void
put(Out *out, const void *bytes, size_t size)
{
    if (size > out->max - out->size) {
        out->is_full = true;
        return;
    }
    if (size)
        memcpy(out->data + out->size, bytes, size);
    out->size += size;
}

static void
put_varint(Out *out, uint64_t value)
{
    uint8_t bytes[VARINT_BYTES];
    size_t count = 0;
    do {
        bytes[count++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    put(out, bytes, count);
}

static void
put_leaf(Out *out, const Field *f)
{
    put_varint(out, f->key);
    if ((f->key & 7) == VARINT) {
        put_varint(out, f->value);
        return;
    }
    if ((f->key & 7) == BYTES)
        put_varint(out, f->size);
    put(out, f->bytes, f->size);
}

static void
put_fields(Out *out, const Model *m, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i = m->fields[i].end) {
        const Field *f = &m->fields[i];
        if (f->is_gone)
            continue;
        if (f->is_leaf) {
            put_leaf(out, f);
        } else { // its size is known behind it
            Out inner = {.data = malloc(out->max + 1), .max = out->max};
            put_fields(&inner, m, i + 1, f->end);
            put_leaf(out, &(Field){.key = f->key, .bytes = inner.data, .size = inner.size});
            out->is_full |= inner.is_full;
            free(inner.data);
        }
        if (f->behind)
            put_leaf(out, f->behind);
    }
}

// ---- one change

static uint64_t
telling_number(uint64_t old)
{
    static const int64_t telling[] = {
        0,  1,  2,   3,   4,    5,         7,         8,         16,        17,         64,
        -1, -2, 127, 255, 1024, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, UINT32_MAX, 1 << 20,
    };
    if (random_below(3) == 0)
        return old + random_below(5) - 2;
    return (uint64_t)telling[random_below(sizeof telling / sizeof *telling)];
}

// A field of the same kind: so a node takes a node's place, and a size a size's. NULL: none.
static const Field *
like(const Model *from, uint64_t path)
{
    size_t start = random_below(from->count);
    for (size_t i = 0; i < from->count; i++) {
        const Field *f = &from->fields[(start + i) % from->count];
        if (f->path == path)
            return f;
    }
    return NULL;
}

static void
change_leaf(Field *f, uint8_t *room)
{
    static const char *const texts[] = {"", "x", "y", "axis", "axes", "Add", "Loop", "If", "TopK"};
    enum { MAX_FLIPPED = 64 };
    if ((f->key & 7) == VARINT) {
        f->value = telling_number(f->value);
    } else if (random_below(8) == 0 && (f->key & 7) == BYTES) {
        f->bytes = (const uint8_t *)texts[random_below(sizeof texts / sizeof *texts)];
        f->size = strlen((const char *)f->bytes);
    } else if (f->size > 0 && f->size <= MAX_FLIPPED) {
        memcpy(room, f->bytes, f->size);
        room[random_below(f->size)] ^= (uint8_t)(1u << random_below(8));
        f->bytes = room;
    } else if ((f->key & 7) == BYTES) {
        f->size = random_below(f->size + 1);
    }
}

// Mostly what keeps a model a model: a number for a number, one of its kind for a field.
static bool
change(Model *m, const Model *other, uint8_t *room)
{
    size_t i = random_below(m->count);
    Field *f = &m->fields[i];
    const Field *with = like(other, f->path);
    bool is_text = f->is_leaf && (f->key & 7) == BYTES;
    switch (random_below(12)) {
    case 0:
        f->is_gone = true;
        return true;
    case 1:
        f->behind = with;
        return with;
    case 2:
        if (f->is_leaf)
            change_leaf(f, room);
        return f->is_leaf;
    default:
        if (f->is_leaf && !is_text) {
            change_leaf(f, room);
            return true;
        }
        if (!with || with == f ||
            (f->size == with->size && !memcmp(f->bytes, with->bytes, f->size)))
            return false;
        f->bytes = with->bytes;
        f->size = with->size;
        f->is_leaf = true;
        return true;
    }
}

static size_t
mutate(const uint8_t *data, size_t size, const uint8_t *data2, size_t size2, uint8_t *out,
       size_t max_out)
{
    enum { MAX_CHANGES = 2, ROOM = 64 };
    static Model model, other;
    static uint8_t rooms[MAX_CHANGES][ROOM];
    model.count = other.count = 0;
    if (!read_message(&model, data, data + size, 0, 0) || model.count == 0 ||
        !read_message(&other, data2, data2 + size2, 0, 0) || other.count == 0)
        return 0;
    size_t num_changes = 1 + random_below(MAX_CHANGES);
    for (size_t i = 0, tries = 0; i < num_changes && tries < 100; tries++)
        i += change(&model, &other, rooms[i]);
    Out result = {.data = out, .max = max_out};
    put_fields(&result, &model, 0, model.count);
    return result.is_full ? 0 : result.size;
}

// ---- what libFuzzer, and standalone.c, call

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + FUZZ_RANDOM_SEED;
    uint8_t *copy = malloc(size + 1), *out = malloc(max_size + 1);
    if (size)
        memcpy(copy, data, size);
    size_t made = random_below(16) ? mutate(copy, size, copy, size, out, max_size) : 0;
    if (made > 0)
        memcpy(data, out, made);
    free(copy);
    free(out);
    return made > 0 ? made : LLVMFuzzerMutate(data, size, max_size);
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
                          uint8_t *out, size_t max_out, unsigned seed)
{
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + FUZZ_RANDOM_SEED;
    return mutate(data1, size1, data2, size2, out, max_out);
}

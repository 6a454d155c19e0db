// bytecode_read.c -- the file, its tables, and the ops.
//
// Everything a file says is checked before it is used: offsets and counts against the bytes that
// are left, indices against the tables, nesting against the limit. What an op's record wants is the
// verifier's business, as with the generic text. A body is read by recursion, in its own numbering.
#include "bytecode_read.h"

#include <stdarg.h>

#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"

enum { MAX_SLOTS = 256 }; // attributes that a record declares

// ---- numbers

bool
bytecode_fail(BytecodeCursor *c, const char *format, ...)
{
    MlcBytecode *file = c->file;
    if (!file->failed) {
        MlcBuf text = {0};
        va_list args;
        va_start(args, format);
        mlc_buf_vprintf(&text, format, args);
        va_end(args);
        mlc_error(file->ctx, mlc_loc_file(file->ctx, file->name, 0, 0),
                  "invalid bytecode at byte %zu: %s",
                  (size_t)((const char *)c->at - file->text.data), mlc_buf_c_str(&text));
        mlc_buf_release(&text);
    }
    file->failed = true;
    c->at = c->end;
    return false;
}

bool
bytecode_get(BytecodeCursor *c, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; c->at < c->end; shift += 7) {
        uint64_t byte = *c->at++;
        if (shift == 63 && byte > 1)
            return bytecode_fail(c, "a number is wider than 64 bits");
        *value |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return bytecode_fail(c, "the file is cut off");
}

bool
bytecode_get_signed(BytecodeCursor *c, int64_t *value)
{
    uint64_t bits;
    if (!bytecode_get(c, &bits))
        return false;
    *value = (int64_t)((bits >> 1) ^ (~(bits & 1) + 1));
    return true;
}

bool
bytecode_get_count(BytecodeCursor *c, size_t *count)
{
    uint64_t value;
    *count = 0;
    if (!bytecode_get(c, &value))
        return false;
    if (value > (uint64_t)(c->end - c->at))
        return bytecode_fail(c, "%llu things in %zu bytes", (unsigned long long)value,
                             (size_t)(c->end - c->at));
    *count = (size_t)value;
    return true;
}

bool
bytecode_get_below(BytecodeCursor *c, uint64_t limit, const char *what, uint64_t *value)
{
    return bytecode_get(c, value) &&
           (*value < limit ||
            bytecode_fail(c, "%s %llu is out of range", what, (unsigned long long)*value));
}

bool
bytecode_get_string(BytecodeCursor *c, MlcStr *string)
{
    uint64_t index;
    if (!bytecode_get_below(c, c->file->num_strings, "string", &index))
        return false;
    *string = c->file->strings[index];
    return true;
}

// ---- tables

static bool
read_strings(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_STRINGS];
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    file->strings = MLC_NEW_ARRAY(&file->arena, MlcStr, n);
    for (size_t i = 0; i < n; i++)
        if (!bytecode_get_count(c, &file->strings[i].size))
            return false;
    for (size_t i = 0; i < n; i++) {
        size_t size = file->strings[i].size;
        if (size >= (size_t)(c->end - c->at) || c->at[size] != '\0')
            return bytecode_fail(c, "string %zu is cut off", i);
        file->strings[i].data = (const char *)c->at;
        c->at += size + 1;
    }
    file->num_strings = n;
    return true;
}

const MlcOpDef *
bytecode_find_op(BytecodeCursor *c, MlcStr name)
{
    const MlcBytecode *file = c->file;
    const MlcOpDef *def = mlc_context_op(file->ctx, name);
    if (def || mlc_context_allows_unregistered(file->ctx))
        return def ? def : mlc_context_unregistered_op(file->ctx, name);
    bytecode_fail(
        c, "unregistered operation '%.*s' found in dialect that does not allow unknown operations",
        MLC_STR_FMT(name));
    return NULL;
}

static bool
read_name(MlcBytecode *file, BytecodeCursor *c, BytecodeName *name)
{
    MlcStr text;
    size_t n;
    if (!bytecode_get_string(c, &text) || !bytecode_get_count(c, &n))
        return false;
    *name = (BytecodeName){.def = bytecode_find_op(c, text), .num_slots = (uint32_t)n};
    if (!name->def)
        return false;
    name->slot_names = MLC_NEW_ARRAY(&file->arena, MlcStr, n);
    name->slots = MLC_NEW_ARRAY(&file->arena, int32_t, n);
    for (size_t i = 0; i < n; i++) {
        if (!bytecode_get_string(c, &name->slot_names[i]))
            return false;
        name->slots[i] = -1;
        for (unsigned s = 0; s < name->def->num_attrs; s++)
            if (mlc_str_equal(name->slot_names[i], mlc_str(name->def->attrs[s].name)))
                name->slots[i] = (int32_t)s;
    }
    return true;
}

static bool
read_names(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_NAMES];
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    file->names = MLC_NEW_ARRAY(&file->arena, BytecodeName, n);
    for (; file->num_names < n; file->num_names++)
        if (!read_name(file, c, &file->names[file->num_names]))
            return false;
    return true;
}

// ---- resources

static void
release_data(void *user)
{
    BytecodeData *data = user;
    if (atomic_fetch_sub(&data->users, 1) > 1)
        return;
    if (data->release)
        data->release(data->user);
    mlc_free(data);
}

MlcBlob *
bytecode_make_blob(MlcBytecode *file, const uint8_t *bytes, size_t size, size_t alignment)
{
    if (!file->data->release || (alignment > 1 && (uintptr_t)bytes % alignment))
        return mlc_blob_create_copy(bytes, size, alignment ? alignment : 1);
    atomic_fetch_add(&file->data->users, 1);
    return mlc_blob_create(bytes, size, alignment, release_data, file->data);
}

static bool
read_resources(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_RESOURCES];
    const BytecodeCursor *bytes = &file->sections[SECTION_BYTES];
    size_t n, total = (size_t)(bytes->end - bytes->at);
    if (!bytecode_get_count(c, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcStr key;
        uint64_t is_there, alignment, size, at;
        if (!bytecode_get_string(c, &key) || !bytecode_get_below(c, 2, "flag", &is_there) ||
            !bytecode_get_below(c, 4097, "alignment", &alignment) || !bytecode_get(c, &size) ||
            !bytecode_get(c, &at))
            return false;
        if (at > total || size > total - at || (alignment & (alignment - 1)))
            return bytecode_fail(c, "resource '%.*s' lies outside of the file", MLC_STR_FMT(key));
        if (!is_there || mlc_str_map_has(&file->blobs, key))
            continue;
        mlc_str_map_set(&file->blobs, key,
                        bytecode_make_blob(file, bytes->at + at, (size_t)size, (size_t)alignment));
    }
    return true;
}

static void
release_blobs(MlcBytecode *file)
{
    MLC_STR_MAP_FOR_EACH (entry, &file->blobs)
        mlc_blob_release((MlcBlob *)(uintptr_t)entry->value);
    mlc_str_map_release(&file->blobs);
}

static bool
read_external(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_EXTERNAL];
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcStr section, key, value;
        if (!bytecode_get_string(c, &section) || !bytecode_get_string(c, &key) ||
            !bytecode_get_string(c, &value))
            return false;
        if (file->options.external)
            mlc_external_resources_add(file->options.external, section, key, value);
    }
    return true;
}

// ---- ops

// A body being read: its values by number. Those used before their definition are results of
// placeholders until then.
typedef struct Piece {
    BytecodeCursor *c;
    MlcValue **values;
    size_t num_values, next, num_open;
    uint64_t depth;
    // Of the op being read; as stacks, since ops nest.
    MLC_VEC(MlcValue *) operands;
    MLC_VEC(MlcType) types;
    MLC_VEC(MlcBlock *) successors;
} Piece;

typedef struct Blocks {
    MlcBlock **data;
    size_t size;
} Blocks;

static bool read_op(Piece *p, const Blocks *blocks, MlcBlock *into, MlcOp **made);

MlcValue *
bytecode_make_placeholder(MlcContext *ctx)
{
    MlcType none = mlc_none_type_get(ctx);
    MlcOpState state = {.loc = mlc_loc_unknown(ctx),
                        .def = mlc_context_unregistered_op(ctx, mlc_str("mlc.forward_reference")),
                        .result_types = &none,
                        .num_results = 1};
    return mlc_op_result(mlc_op_create(ctx, &state), 0);
}

void
bytecode_replace_placeholder(MlcValue *placeholder, MlcValue *value)
{
    mlc_value_replace_uses(placeholder, value);
    mlc_op_erase(mlc_value_def(placeholder));
}

static bool
get_value(Piece *p, MlcValue **value)
{
    int64_t back;
    if (!bytecode_get_signed(p->c, &back))
        return false;
    uint64_t number = p->next - (uint64_t)back;
    if (number >= p->num_values)
        return bytecode_fail(p->c, "a use of a value that is not there");
    if (!p->values[number]) {
        p->values[number] = bytecode_make_placeholder(p->c->file->ctx);
        p->num_open++;
    }
    *value = p->values[number];
    return true;
}

static bool
define(Piece *p, MlcValue *value)
{
    if (p->next == p->num_values)
        return bytecode_fail(p->c, "more values than were announced");
    MlcValue *before = p->values[p->next];
    p->values[p->next++] = value;
    if (before) {
        bytecode_replace_placeholder(before, value);
        p->num_open--;
    }
    return true;
}

static bool
get_op_loc(BytecodeCursor *c, MlcLoc *loc)
{
    uint64_t kind, line, column;
    MlcStr name;
    *loc = mlc_loc_unknown(c->file->ctx);
    if (!bytecode_get(c, &kind) || kind == 0)
        return !c->file->failed;
    if (kind > 1) {
        MlcBytecode *file = c->file;
        if (kind - 2 >= file->num_values || file->values[kind - 2].tag < TAG_LOC ||
            file->values[kind - 2].tag >= TAG_EXPR)
            return bytecode_fail(c, "value %llu is not a location", (unsigned long long)kind - 2);
        *loc = file->values[kind - 2].value;
        return true;
    }
    if (!bytecode_get_string(c, &name) || !bytecode_get_below(c, UINT32_MAX, "line", &line) ||
        !bytecode_get_below(c, UINT32_MAX, "column", &column))
        return false;
    *loc = mlc_loc_file(c->file->ctx, name, (unsigned)line, (unsigned)column);
    return true;
}

bool
bytecode_check_limit(BytecodeCursor *c, size_t n, const char *what)
{
    uint64_t limit = mlc_context_limits(c->file->ctx)->operands;
    return n <= limit || bytecode_fail(c, "%zu %s are above the limit of %llu (--limit-operands)",
                                       n, what, (unsigned long long)limit);
}

static bool
read_block(Piece *p, const Blocks *blocks, MlcBlock *block)
{
    size_t args, ops;
    if (!bytecode_get_count(p->c, &args) || !bytecode_check_limit(p->c, args, "block arguments"))
        return false;
    for (size_t i = 0; i < args; i++) {
        MlcType type;
        MlcLoc loc;
        if (!bytecode_get_type(p->c, &type) || !get_op_loc(p->c, &loc) ||
            !define(p, mlc_block_add_arg(block, type, loc)))
            return false;
    }
    if (!bytecode_get_count(p->c, &ops))
        return false;
    for (size_t i = 0; i < ops; i++)
        if (!read_op(p, blocks, block, NULL))
            return false;
    return true;
}

static bool
read_region(Piece *p, MlcRegion *region)
{
    Blocks blocks;
    if (!bytecode_get_count(p->c, &blocks.size))
        return false;
    if (++p->depth > mlc_context_limits(p->c->file->ctx)->nesting)
        return bytecode_fail(p->c, "nested deeper than the limit (--limit-nesting)");
    MlcBlock *few[4];
    blocks.data = blocks.size <= 4 ? few : mlc_calloc(blocks.size, sizeof *blocks.data);
    for (size_t i = 0; i < blocks.size; i++)
        mlc_region_append(region, blocks.data[i] = mlc_block_create(p->c->file->ctx));
    bool ok = true;
    for (size_t i = 0; ok && i < blocks.size; i++)
        ok = read_block(p, &blocks, blocks.data[i]);
    if (blocks.data != few)
        mlc_free(blocks.data);
    p->depth--;
    return ok;
}

// The body of an isolated op: a piece in its own numbering.
static bool
read_body(MlcBytecode *file, BytecodePiece piece, MlcOp *op, uint64_t depth)
{
    BytecodeCursor c = {piece.at, piece.at + piece.size, file};
    Piece p = {.c = &c, .depth = depth};
    bool ok = bytecode_get_count(&c, &p.num_values);
    p.values = ok ? mlc_calloc(p.num_values + 1, sizeof *p.values) : NULL;
    for (size_t i = 0; ok && i < op->num_regions; i++)
        ok = read_region(&p, mlc_op_region(op, i));
    if (ok && (c.at != c.end || p.next != p.num_values || p.num_open > 0))
        ok = bytecode_fail(
            &c, "a body does not end where it should, or uses values that it does not define");
    if (!ok) { // placeholders may be used still
        mlc_op_drop_references(op);
        for (size_t i = p.next; p.values && i < p.num_values; i++)
            if (p.values[i])
                mlc_op_destroy(mlc_value_def(p.values[i]));
    }
    mlc_free(p.values);
    mlc_vec_release(&p.operands);
    mlc_vec_release(&p.types);
    mlc_vec_release(&p.successors);
    return ok;
}

static bool
read_regions(Piece *p, MlcOp *op)
{
    MlcBytecode *file = p->c->file;
    if (!op->is_isolated) {
        for (size_t i = 0; i < op->num_regions; i++)
            if (!read_region(p, mlc_op_region(op, i)))
                return false;
        return true;
    }
    BytecodePiece piece;
    if (!bytecode_get_count(p->c, &piece.size))
        return false;
    piece.at = p->c->at;
    p->c->at += piece.size;
    if (file->options.lazy && op->block) {
        mlc_map_set_u64(&file->pending, mlc_word(op), file->pieces.size);
        mlc_vec_push(&file->pieces, piece);
        return true;
    }
    return read_body(file, piece, op, p->depth + 1);
}

static bool
get_slots(Piece *p, const BytecodeName *name, MlcNamedAttr **late, size_t *num_late, MlcAttr *slots)
{
    size_t n;
    *num_late = 0;
    *late = NULL;
    if (!bytecode_get_count(p->c, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t slot;
        MlcAttr value;
        if (!bytecode_get_below(p->c, name->num_slots, "attribute", &slot) ||
            !bytecode_get_attr(p->c, &value))
            return false;
        if (name->slots[slot] >= 0) {
            slots[name->slots[slot]] = value;
            continue;
        }
        // Of a version of the dialect that had such an attribute.
        if (!*late)
            *late = mlc_calloc(n, sizeof **late);
        (*late)[(*num_late)++] =
            (MlcNamedAttr){mlc_string_attr_get(p->c->file->ctx, name->slot_names[slot]), value};
    }
    return true;
}

// Attributes go where they were, absent ones stay absent.
static bool
read_attrs(Piece *p, unsigned parts, const BytecodeName *name, MlcAttr *slots, MlcAttr *dict,
           MlcAttr *properties)
{
    MlcNamedAttr *late = NULL;
    size_t num_late = 0;
    bool ok = true;
    if (parts & OP_SLOTS)
        ok = get_slots(p, name, &late, &num_late, slots);
    if (ok && (parts & OP_DICT))
        ok = bytecode_get_attr(p->c, dict) && (mlc_attr_is(*dict, MLC_ATTR_DICT) ||
                                               bytecode_fail(p->c, "attributes are no dictionary"));
    if (ok && (parts & OP_PROPERTIES))
        ok = bytecode_get_attr(p->c, properties) &&
             (mlc_attr_is(*properties, MLC_ATTR_DICT) ||
              bytecode_fail(p->c, "properties are no dictionary"));
    for (size_t i = 0; ok && i < num_late; i++)
        *dict = mlc_dict_attr_with(p->c->file->ctx, *dict, mlc_string_attr_value(late[i].name),
                                   late[i].value);
    mlc_free(late);
    return ok;
}

static bool
read_operands(Piece *p)
{
    size_t n;
    if (!bytecode_get_count(p->c, &n) || !bytecode_check_limit(p->c, n, "operands"))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcValue *value = NULL;
        if (!get_value(p, &value))
            return false;
        mlc_vec_push(&p->operands, value);
    }
    return true;
}

static bool
read_results(Piece *p)
{
    size_t n;
    if (!bytecode_get_count(p->c, &n) || !bytecode_check_limit(p->c, n, "results"))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcType type;
        if (!bytecode_get_type(p->c, &type))
            return false;
        mlc_vec_push(&p->types, type);
    }
    return true;
}

static bool
read_successors(Piece *p, const Blocks *blocks)
{
    size_t n;
    if (!bytecode_get_count(p->c, &n) || !bytecode_check_limit(p->c, n, "successors"))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t block;
        if (!bytecode_get_below(p->c, blocks->size, "block", &block))
            return false;
        mlc_vec_push(&p->successors, blocks->data[block]);
    }
    return true;
}

static bool
read_op(Piece *p, const Blocks *blocks, MlcBlock *into, MlcOp **made)
{
    MlcBytecode *file = p->c->file;
    uint64_t index, parts;
    MlcLoc loc;
    if (!bytecode_get_below(p->c, file->num_names, "operation name", &index) ||
        !get_op_loc(p->c, &loc) || !bytecode_get_below(p->c, 128, "parts of an operation", &parts))
        return false;
    const BytecodeName *name = &file->names[index];
    const MlcOpDef *def = name->def;
    MlcAttr slots[MAX_SLOTS], dict = NULL, properties = NULL;
    if (def->num_attrs > MAX_SLOTS || ((parts & OP_PROPERTIES) && def->dialect))
        return bytecode_fail(p->c, "'%s' cannot have those attributes", def->name);
    memset(slots, 0, def->num_attrs * sizeof *slots);
    size_t num_regions = 0;
    p->operands.size = p->types.size = p->successors.size = 0;
    bool ok = read_attrs(p, (unsigned)parts, name, slots, &dict, &properties) &&
              (!(parts & OP_OPERANDS) || read_operands(p)) &&
              (!(parts & OP_RESULTS) || read_results(p)) &&
              (!(parts & OP_SUCCESSORS) || read_successors(p, blocks)) &&
              (!(parts & OP_REGIONS) || (bytecode_get_count(p->c, &num_regions) &&
                                         bytecode_check_limit(p->c, num_regions, "regions")));
    if (!ok)
        return false;
    MlcOpState state = {.loc = loc,
                        .def = def,
                        .operands = p->operands.data,
                        .num_operands = p->operands.size,
                        .result_types = p->types.data,
                        .num_results = p->types.size,
                        .successors = p->successors.data,
                        .num_successors = p->successors.size,
                        .num_regions = num_regions,
                        .properties = properties};
    MlcOp *op = mlc_op_create(file->ctx, &state);
    memcpy(mlc_op_slots_(op), slots, def->num_attrs * sizeof *slots);
    op->dict = mlc_dict_attr_size(dict) ? dict : NULL;
    if (into)
        mlc_block_append(into, op);
    if (made)
        *made = op;
    for (size_t i = 0; i < op->num_results; i++)
        if (!define(p, mlc_op_result(op, i)))
            return false;
    return num_regions == 0 || read_regions(p, op);
}

static bool
read_root(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_OPS];
    Piece p = {.c = c};
    Blocks none = {0};
    bool ok = bytecode_get_count(c, &p.num_values);
    p.values = ok ? mlc_calloc(p.num_values + 1, sizeof *p.values) : NULL;
    ok = ok && read_op(&p, &none, NULL, &file->root);
    if (ok && (c->at != c->end || p.num_open > 0))
        ok = bytecode_fail(c, "the ops do not end where they should");
    if (!ok && file->root) {
        mlc_op_destroy(file->root);
        file->root = NULL;
    }
    for (size_t i = p.next; !ok && p.values && i < p.num_values; i++)
        if (p.values[i])
            mlc_op_destroy(mlc_value_def(p.values[i]));
    mlc_free(p.values);
    mlc_vec_release(&p.operands);
    mlc_vec_release(&p.types);
    mlc_vec_release(&p.successors);
    return ok;
}

// ---- the file

static uint64_t
get_u(const char *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return value;
}

static bool
read_header(MlcBytecode *file)
{
    const char *start = file->text.data;
    size_t size = file->text.size, table = BYTECODE_HEADER_SIZE + 16 * NUM_SECTIONS;
    BytecodeCursor c = {(const uint8_t *)start, (const uint8_t *)start + size, file};
    if (size < BYTECODE_HEADER_SIZE || !mlc_is_bytecode(file->text))
        return bytecode_fail(&c, "no bytecode");
    uint64_t version = get_u(start + 4, 4);
    if (version != MLC_BYTECODE_VERSION)
        return bytecode_fail(&c, "version %u is not the one that is read, %d", (unsigned)version,
                             MLC_BYTECODE_VERSION);
    if (size < table || get_u(start + 8, 4) != NUM_SECTIONS)
        return bytecode_fail(&c, "the table of sections is broken");
    for (size_t i = 0; i < NUM_SECTIONS; i++) {
        uint64_t at = get_u(start + BYTECODE_HEADER_SIZE + 16 * i, 8),
                 length = get_u(start + BYTECODE_HEADER_SIZE + 16 * i + 8, 8);
        if (at < table || at > size || length > size - at)
            return bytecode_fail(&c, "section %zu lies outside of the file", i);
        const uint8_t *from = (const uint8_t *)start + at;
        file->sections[i] = (BytecodeCursor){from, from + length, file};
    }
    return true;
}

bool
mlc_is_bytecode(MlcStr data)
{
    return data.size >= sizeof bytecode_magic &&
           (memcmp(data.data, bytecode_magic, sizeof bytecode_magic) == 0 ||
            mlir_bytecode_is(data));
}

MlcBytecode *
mlc_bytecode_open(MlcContext *ctx, MlcStr data, MlcStr name, const MlcBytecodeReadOptions *options)
{
    MlcBytecode *file = mlc_calloc(1, sizeof *file);
    mlc_arena_init(&file->arena);
    file->ctx = ctx;
    file->text = data;
    file->name = mlc_arena_strdup(&file->arena, name);
    if (options)
        file->options = *options;
    file->data = mlc_calloc(1, sizeof *file->data);
    file->data->release = file->options.release;
    file->data->user = file->options.user;
    atomic_store(&file->data->users, 1);
    bool ok = mlir_bytecode_is(data)
                  ? mlir_bytecode_open(file)
                  : read_header(file) && read_strings(file) && read_names(file) &&
                        read_resources(file) && bytecode_read_values(file) &&
                        bytecode_read_bodies(file) && read_external(file) && read_root(file);
    if (!file->mlir) // all attributes are made
        release_blobs(file);
    if (ok)
        return file;
    mlc_bytecode_close(file);
    return NULL;
}

MlcOp *
mlc_bytecode_root(const MlcBytecode *file)
{
    return file->root;
}

bool
mlc_bytecode_is_pending(const MlcBytecode *file, const MlcOp *op)
{
    return mlc_map_has_u64(&file->pending, mlc_word(op));
}

size_t
mlc_bytecode_num_pending(const MlcBytecode *file)
{
    return mlc_map_size(&file->pending);
}

bool
mlc_bytecode_materialize(MlcBytecode *file, MlcOp *op)
{
    uint64_t index;
    if (!mlc_map_get_u64(&file->pending, mlc_word(op), &index))
        return true;
    mlc_map_erase_u64(&file->pending, mlc_word(op));
    file->failed = false;
    BytecodePiece piece = file->pieces.data[index];
    return file->mlir ? mlir_bytecode_read_body(file, piece, op) : read_body(file, piece, op, 1);
}

void
mlc_bytecode_close(MlcBytecode *file)
{
    if (!file)
        return;
    release_blobs(file);
    mlc_map_release(&file->pending);
    mlc_vec_release(&file->pieces);
    mlir_bytecode_release(file);
    release_data(file->data);
    mlc_arena_release(&file->arena);
    mlc_free(file);
}

MlcOp *
mlc_bytecode_read(MlcContext *ctx, MlcStr data, MlcStr name, MlcExternalResources *external)
{
    MlcBytecodeReadOptions options = {.external = external};
    MlcBytecode *file = mlc_bytecode_open(ctx, data, name, &options);
    MlcOp *root = file ? file->root : NULL;
    mlc_bytecode_close(file);
    return root;
}

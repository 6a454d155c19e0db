// bytecode_read.c -- the file, its tables, and the ops.
//
// Everything a file says is checked before it is used: offsets and counts against the bytes that
// are left, indices against the tables, nesting against the limit. What an op's record wants is the
// verifier's business, as with the generic text. A body is read by recursion, in its own numbering.
#include "bytecode_read.h"

#include "context/context_impl.h"

#include <stdarg.h>

#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"

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
bytecode_expand(BytecodeCursor *c, uint64_t bytes)
{
    MlcBytecode *file = c->file;
    uint64_t *sum = file->open ? file->open : &file->expansion;
    *sum = bytes > UINT64_MAX - *sum ? UINT64_MAX : *sum + bytes;
    return *sum <= file->expansion_limit ||
           bytecode_fail(c,
                         "what it shares takes more than the limit of %llu bytes where it is "
                         "written out (--limit-expansion)",
                         (unsigned long long)file->expansion_limit);
}

bool
bytecode_get_long(BytecodeCursor *c, uint64_t *value)
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
    return !c->file->open || bytecode_expand(c, string->size);
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

static bool
read_kinds(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_KINDS];
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    file->kinds = MLC_NEW_ARRAY(&file->arena, BytecodePiece, n);
    file->models = MLC_NEW_ARRAY(&file->arena, MlcOp *, n);
    file->expansions = MLC_NEW_ARRAY(&file->arena, uint64_t, n);
    file->num_kinds = n;
    for (size_t i = 0; i < n; i++)
        if (!bytecode_get_count(c, &file->kinds[i].size))
            return false;
    for (size_t i = 0; i < n; i++) {
        if (file->kinds[i].size > (size_t)(c->end - c->at))
            return bytecode_fail(c, "kind %zu is cut off", i);
        file->kinds[i].at = c->at;
        c->at += file->kinds[i].size;
    }
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
    // Of the op before, in a file.
    uint64_t file; // string, plus 1
    MlcLoc start;  // line 0, column 0 of the file; NULL: it does not fit a word
    uint64_t line, column;
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
get_file_loc(Piece *p, uint64_t file, MlcLoc *loc)
{
    MlcBytecode *f = p->c->file;
    if (file >= f->num_strings)
        return bytecode_fail(p->c, "string %llu is out of range", (unsigned long long)file);
    if (p->file != file + 1)
        p->start = mlc_loc_file(f->ctx, f->strings[file], 0, 0);
    p->file = file + 1;
    *loc = mlc_loc_in_file(p->start, (unsigned)p->line, (unsigned)p->column);
    if (!*loc)
        *loc = mlc_loc_file(f->ctx, f->strings[file], (unsigned)p->line, (unsigned)p->column);
    return true;
}

static bool
get_value_loc(Piece *p, uint64_t index, MlcLoc *loc)
{
    const MlcBytecode *file = p->c->file;
    *loc = mlc_loc_unknown(file->ctx);
    if (index == 0)
        return true;
    if (index > file->num_values || file->values[index - 1].tag < TAG_LOC ||
        file->values[index - 1].tag >= TAG_EXPR)
        return bytecode_fail(p->c, "value %llu is not a location", (unsigned long long)index - 1);
    *loc = file->values[index - 1].value;
    return bytecode_expand(p->c, file->values[index - 1].expansion);
}

static bool
get_op_loc(Piece *p, MlcLoc *loc)
{
    uint64_t bits;
    if (!bytecode_get(p->c, &bits))
        return false;
    uint64_t kind = bits & 3, what = bits >> 2;
    if (kind == LOC_VALUE)
        return get_value_loc(p, what, loc);
    if (kind == LOC_FILE)
        return bytecode_get_below(p->c, UINT32_MAX, "line", &p->line) &&
               bytecode_get_below(p->c, UINT32_MAX, "column", &p->column) &&
               get_file_loc(p, what, loc);
    p->line += bytecode_unzigzag(what);
    if (kind == LOC_COLUMN && !bytecode_get_below(p->c, UINT32_MAX, "column", &p->column))
        return false;
    if (p->file == 0 || p->line >= UINT32_MAX)
        return bytecode_fail(p->c, "a location is no place in a file");
    return get_file_loc(p, p->file - 1, loc);
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
        if (!bytecode_get_type(p->c, &type) || !get_op_loc(p, &loc) ||
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
    if (++p->depth > mlc_nesting_limit(p->c->file->ctx))
        return bytecode_fail(p->c, "nested deeper than the limit of %llu (--limit-nesting)",
                             (unsigned long long)mlc_nesting_limit(p->c->file->ctx));
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

// ---- kinds of ops

// Attributes that the definition has no slot for, any more, go to the dictionary.
static bool
get_slots(BytecodeCursor *c, const BytecodeName *name, MlcOp *model)
{
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t slot;
        MlcAttr value;
        if (!bytecode_get_below(c, name->num_slots, "attribute", &slot) ||
            !bytecode_get_attr(c, &value))
            return false;
        if (name->slots[slot] >= 0)
            mlc_op_slots_(model)[name->slots[slot]] = value;
        else
            model->dict =
                mlc_dict_attr_with(c->file->ctx, model->dict, name->slot_names[slot], value);
    }
    return true;
}

static bool
get_dict(BytecodeCursor *c, MlcAttr *dict)
{
    return bytecode_get_attr(c, dict) &&
           (mlc_attr_is(*dict, MLC_ATTR_DICT) || bytecode_fail(c, "attributes are no dictionary"));
}

// Attributes go where they were; absent ones stay absent, but for those with a default.
static bool
get_attrs(BytecodeCursor *c, const BytecodeName *name, unsigned parts, MlcOp *model)
{
    MlcAttr dict = NULL;
    if (((parts & KIND_SLOTS) && !get_slots(c, name, model)) ||
        ((parts & KIND_DICT) && !get_dict(c, &dict)))
        return false;
    if (!model->dict && mlc_dict_attr_size(dict) > 0)
        model->dict = dict;
    for (size_t i = 0; model->dict != dict && i < mlc_dict_attr_size(dict); i++) {
        MlcNamedAttr entry = mlc_dict_attr_entry(dict, i);
        model->dict = mlc_dict_attr_with(c->file->ctx, model->dict,
                                         mlc_string_attr_value(entry.name), entry.value);
    }
    mlc_op_fill_defaults(model);
    return !(parts & KIND_PROPERTIES) || bytecode_get_attr(c, &mlc_op_slots_(model)[0]);
}

static bool
get_model(BytecodeCursor *c, const BytecodeName *name, unsigned parts, MlcOp *model)
{
    for (size_t i = 0; i < model->num_results; i++) {
        MlcValue *result = mlc_op_result(model, i);
        result->index = (uint32_t)i & INT32_MAX;
        if (!bytecode_get_type(c, &result->type))
            return false;
    }
    return get_attrs(c, name, parts, model) &&
           (c->at == c->end || bytecode_fail(c, "a kind does not end where it should"));
}

static bool
read_kind(MlcBytecode *file, uint64_t index)
{
    static const char *const counted[] = {"operands", "results", "successors", "regions"};
    BytecodePiece piece = file->kinds[index];
    BytecodeCursor c = {piece.at, piece.at + piece.size, file};
    uint64_t name_index, parts, counts[4] = {0};
    if (!bytecode_get_below(&c, file->num_names, "operation name", &name_index) ||
        !bytecode_get_below(&c, 128, "parts of an operation", &parts))
        return false;
    const BytecodeName *name = &file->names[name_index];
    if ((parts & KIND_PROPERTIES) && name->def->dialect)
        return bytecode_fail(&c, "'%s' cannot have those attributes", name->def->name);
    for (unsigned i = 0; i < 4; i++)
        if ((parts & (KIND_OPERANDS << i)) &&
            (!bytecode_get(&c, &counts[i]) || !bytecode_check_limit(&c, counts[i], counted[i])))
            return false;
    MlcOp *model =
        mlc_op_alloc(file->ctx, name->def, NULL, counts[0], counts[1], counts[2], counts[3]);
    file->models[index] = model;
    file->open = &file->expansions[index];
    bool ok = get_model(&c, name, (unsigned)parts, model);
    file->open = NULL;
    if (ok)
        return true;
    mlc_op_free(model);
    file->models[index] = NULL;
    return false;
}

// ---- ops

static bool
read_op(Piece *p, const Blocks *blocks, MlcBlock *into, MlcOp **made)
{
    MlcBytecode *file = p->c->file;
    uint64_t kind;
    MlcLoc loc;
    if (!bytecode_get_below(p->c, file->num_kinds, "kind", &kind) ||
        (!file->models[kind] && !read_kind(file, kind)) || !get_op_loc(p, &loc) ||
        !bytecode_expand(p->c, file->expansions[kind]))
        return false;
    const MlcOp *model = file->models[kind];
    if ((size_t)model->num_operands + model->num_successors + model->num_regions >
        (size_t)(p->c->end - p->c->at))
        return bytecode_fail(p->c, "the file is cut off");
    MlcOp *op = mlc_op_alloc_like(model, loc);
    if (into)
        mlc_block_link_op(into, op, NULL);
    if (made)
        *made = op;
    for (size_t i = 0; i < op->num_operands; i++) {
        MlcValue *value = NULL;
        if (!get_value(p, &value))
            return false;
        mlc_use_link_(&op->operands[i], value);
    }
    MlcBlockUse *successors = mlc_op_successors_(op);
    for (size_t i = 0; i < op->num_successors; i++) {
        uint64_t block;
        if (!bytecode_get_below(p->c, blocks->size, "block", &block))
            return false;
        mlc_block_use_link_(&successors[i], blocks->data[block]);
    }
    for (size_t i = 0; i < op->num_results; i++)
        if (!define(p, mlc_op_result(op, i)))
            return false;
    return op->num_regions == 0 || read_regions(p, op);
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

static MlcBytecode *
create(MlcContext *ctx, MlcStr data, MlcStr name, const MlcBytecodeReadOptions *options)
{
    MlcBytecode *file = mlc_calloc(1, sizeof *file);
    mlc_arena_init(&file->arena);
    file->ctx = ctx;
    file->text = data;
    file->name = mlc_arena_strdup(&file->arena, name);
    if (options)
        mlc_sized_copy(&file->options, sizeof file->options, options, "MlcBytecodeReadOptions");
    file->data = mlc_calloc(1, sizeof *file->data);
    file->data->release = file->options.release;
    file->data->user = file->options.user;
    atomic_store(&file->data->users, 1);
    file->expansion_limit =
        mlc_context_limits(ctx)->expansion + MLC_EXPANSION_PER_BYTE * (uint64_t)data.size;
    return file;
}

MlcBytecode *
mlc_bytecode_open(MlcContext *ctx, MlcStr data, MlcStr name, const MlcBytecodeReadOptions *options)
{
    MlcBytecode *file = create(ctx, data, name, options);
    bool ok = mlir_bytecode_is(data)
                  ? mlir_bytecode_open(file)
                  : read_header(file) && read_strings(file) && read_names(file) &&
                        read_kinds(file) && read_resources(file) && bytecode_read_values(file) &&
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
    mlc_op_note_edit(op);
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
    for (size_t i = 0; i < file->num_kinds; i++)
        if (file->models[i])
            mlc_op_free(file->models[i]);
    mlir_bytecode_release(file);
    release_data(file->data);
    mlc_arena_release(&file->arena);
    mlc_free(file);
}

MlcOp *
mlc_bytecode_read(MlcContext *ctx, MlcStr data, MlcStr name, MlcExternalResources *external)
{
    MlcBytecodeReadOptions options = {MLC_SIZED(MlcBytecodeReadOptions), .external = external};
    MlcBytecode *file = mlc_bytecode_open(ctx, data, name, &options);
    MlcOp *root = file ? file->root : NULL;
    mlc_bytecode_close(file);
    return root;
}

void
bytecode_read_external(MlcContext *ctx, MlcStr data, MlcStr name, MlcExternalResources *external)
{
    MlcBytecodeReadOptions options = {MLC_SIZED(MlcBytecodeReadOptions), .external = external};
    MlcBytecode *file = create(ctx, data, name, &options);
    if (mlir_bytecode_is(data))
        mlir_bytecode_read_external(file);
    else
        (void)(read_header(file) && read_strings(file) && read_external(file));
    mlc_bytecode_close(file);
}

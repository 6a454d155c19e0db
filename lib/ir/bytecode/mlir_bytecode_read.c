// mlir_bytecode_read.c -- MLIR's bytecode: numbers, sections and tables.
//
// Everything a file says is checked before it is used, as with our own format.
#include "mlir_bytecode.h"

#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"

// ---- definitions

bool
mlir_is_segments(const MlcOpDef *def, size_t slot)
{
    const char *name = def->attrs[slot].name;
    return (mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS) &&
            strcmp(name, "operandSegmentSizes") == 0) ||
           (mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_RESULTS) &&
            strcmp(name, "resultSegmentSizes") == 0);
}

void
mlir_order_slots(const MlcOpDef *def, uint16_t *order)
{
    for (uint16_t slot = 0; slot < def->num_attrs; slot++) {
        size_t at = slot;
        for (; at > 0 && strcmp(def->attrs[order[at - 1]].name, def->attrs[slot].name) > 0; at--)
            order[at] = order[at - 1];
        order[at] = slot;
    }
}

// ---- numbers

static bool
fail_at_end(BytecodeCursor *c)
{
    return bytecode_fail(c, "attempting to parse a byte at the end of the bytecode");
}

bool
mlir_get_byte(BytecodeCursor *c, uint8_t *byte)
{
    *byte = 0;
    if (c->at == c->end)
        return fail_at_end(c);
    *byte = *c->at++;
    return true;
}

bool
mlir_get(BytecodeCursor *c, uint64_t *value)
{
    *value = 0;
    if (c->at == c->end)
        return fail_at_end(c);
    unsigned first = *c->at, more = first ? (unsigned)__builtin_ctz(first) : 8;
    if ((size_t)(c->end - c->at) <= more)
        return bytecode_fail(c, "attempting to parse %u bytes when only %zu remain", more,
                             (size_t)(c->end - c->at) - 1);
    for (unsigned i = 0; i <= more && i < 8; i++)
        *value |= (uint64_t)c->at[more == 8 ? i + 1 : i] << (8 * i);
    if (more < 8)
        *value >>= more + 1;
    c->at += more + 1;
    return true;
}

bool
mlir_get_signed(BytecodeCursor *c, int64_t *value)
{
    uint64_t bits;
    bool ok = mlir_get(c, &bits);
    *value = (int64_t)((bits >> 1) ^ (~(bits & 1) + 1));
    return ok;
}

bool
mlir_get_flagged(BytecodeCursor *c, uint64_t *value, bool *flag)
{
    bool ok = mlir_get(c, value);
    *flag = *value & 1;
    *value >>= 1;
    return ok;
}

bool
mlir_get_count(BytecodeCursor *c, size_t *count)
{
    uint64_t value;
    *count = 0;
    if (!mlir_get(c, &value))
        return false;
    if (value > (uint64_t)(c->end - c->at))
        return fail_at_end(c);
    *count = (size_t)value;
    return true;
}

static bool
string_at(BytecodeCursor *c, uint64_t index, MlcStr *string)
{
    if (index >= c->file->num_strings)
        return bytecode_fail(c, "invalid string index: %llu", (unsigned long long)index);
    *string = c->file->strings[index];
    return true;
}

bool
mlir_get_string(BytecodeCursor *c, MlcStr *string)
{
    uint64_t index;
    return mlir_get(c, &index) && string_at(c, index, string) &&
           (!c->file->open || bytecode_expand(c, string->size));
}

// ---- sections

// Bytes up to an alignment, counted from the start of the file.
static bool
skip_padding(BytecodeCursor *c, uint64_t alignment)
{
    if (alignment == 0 || (alignment & (alignment - 1)))
        return bytecode_fail(c, "expected alignment to be a power-of-two");
    uint64_t at = (uint64_t)((const char *)c->at - c->file->text.data);
    uint64_t padding = -at & (alignment - 1);
    if (padding > (uint64_t)(c->end - c->at))
        return fail_at_end(c);
    c->at += padding;
    return true;
}

bool
mlir_get_section(BytecodeCursor *c, MlirSection *id, BytecodeCursor *section)
{
    uint8_t byte;
    uint64_t size, alignment = 1;
    if (!mlir_get_byte(c, &byte) || !mlir_get(c, &size))
        return false;
    if ((byte & 0x7f) >= MLIR_NUM_SECTIONS)
        return bytecode_fail(c, "invalid section ID: %u", byte & 0x7fu);
    if ((byte & 0x80) && (!mlir_get(c, &alignment) || !skip_padding(c, alignment)))
        return false;
    if (size > (uint64_t)(c->end - c->at))
        return bytecode_fail(c, "attempting to parse a section of %llu bytes when only %zu remain",
                             (unsigned long long)size, (size_t)(c->end - c->at));
    *id = (MlirSection)(byte & 0x7f);
    *section = (BytecodeCursor){c->at, c->at + size, c->file};
    c->at += size;
    return true;
}

static bool
read_sections(MlcBytecode *file, BytecodeCursor *c)
{
    static const char *const names[MLIR_NUM_SECTIONS] = {
        "String (0)",   "Dialect (1)",        "AttrType (2)",        "AttrTypeOffset (3)", "IR (4)",
        "Resource (5)", "ResourceOffset (6)", "DialectVersions (7)", "Properties (8)",
    };
    MlirBytecode *m = file->mlir;
    while (c->at < c->end) {
        MlirSection id;
        BytecodeCursor section;
        if (!mlir_get_section(c, &id, &section))
            return false;
        if (m->has_section[id])
            return bytecode_fail(c, "duplicate top-level section: %s", names[id]);
        m->has_section[id] = true;
        m->sections[id] = section;
    }
    for (unsigned id = 0; id < MLIR_NUM_SECTIONS; id++) {
        bool optional = id == MLIR_SECTION_RESOURCES || id == MLIR_SECTION_RESOURCE_SIZES ||
                        id == MLIR_SECTION_DIALECT_VERSIONS ||
                        (id == MLIR_SECTION_PROPERTIES && m->version < MLIR_VERSION_PROPERTIES);
        if (!m->has_section[id] && !optional)
            return bytecode_fail(c, "missing data for top-level section: %s", names[id]);
        if (!m->has_section[id])
            m->sections[id] = (BytecodeCursor){c->end, c->end, file};
    }
    return true;
}

static bool
read_header(MlcBytecode *file, BytecodeCursor *c)
{
    MlirBytecode *m = file->mlir;
    c->at += sizeof mlir_bytecode_magic;
    if (!mlir_get(c, &m->version))
        return false;
    if (m->version > MLIR_BYTECODE_VERSION)
        return bytecode_fail(c, "bytecode version %llu is newer than the current version %d",
                             (unsigned long long)m->version, MLIR_BYTECODE_VERSION);
    const uint8_t *end = memchr(c->at, '\0', (size_t)(c->end - c->at));
    if (!end)
        return bytecode_fail(c, "malformed null-terminated string, no null character found");
    c->at = end + 1;
    return true;
}

// Sizes come last string first, and include the NUL.
static bool
read_strings(MlcBytecode *file)
{
    BytecodeCursor *c = &file->mlir->sections[MLIR_SECTION_STRINGS];
    size_t n, all = (size_t)(c->end - c->at), total = 0;
    uint64_t size;
    if (!mlir_get_count(c, &n))
        return false;
    file->strings = MLC_NEW_ARRAY(&file->arena, MlcStr, n);
    for (size_t i = n; i-- > 0;) {
        if (!mlir_get(c, &size))
            return false;
        if (size > all - total)
            return bytecode_fail(c, "string size exceeds the available data size");
        total += (size_t)size;
        file->strings[i] = mlc_str_n((const char *)c->end - total, (size_t)size);
    }
    if (total != (size_t)(c->end - c->at))
        return bytecode_fail(c, "unexpected trailing data between the offsets for strings and "
                                "their data");
    for (size_t i = 0; i < n; i++) {
        MlcStr *string = &file->strings[i];
        if (string->size == 0 || string->data[--string->size] != '\0')
            return bytecode_fail(c, "string %zu does not end", i);
    }
    file->num_strings = n;
    return true;
}

// ---- dialects and names of ops

static bool
read_dialects(BytecodeCursor *c, MlirBytecode *m)
{
    size_t n;
    if (!mlir_get_count(c, &n))
        return false;
    m->dialects = MLC_NEW_ARRAY(&c->file->arena, MlcStr, n);
    for (; m->num_dialects < n; m->num_dialects++) {
        uint64_t index;
        bool versioned = false;
        MlirSection id;
        BytecodeCursor version; // of dialects whose changes nobody here knows
        bool ok = m->version < MLIR_VERSION_DIALECTS ? mlir_get(c, &index)
                                                     : mlir_get_flagged(c, &index, &versioned);
        if (!ok || !string_at(c, index, &m->dialects[m->num_dialects]) ||
            (versioned && !mlir_get_section(c, &id, &version)))
            return false;
    }
    return true;
}

static bool
get_dialect(BytecodeCursor *c, uint64_t *dialect)
{
    return mlir_get(c, dialect) &&
           (*dialect < c->file->mlir->num_dialects ||
            bytecode_fail(c, "invalid dialect index: %llu", (unsigned long long)*dialect));
}

static bool
get_name(BytecodeCursor *c, uint64_t dialect, MlirName *name)
{
    MlcBytecode *file = c->file;
    MlirBytecode *m = file->mlir;
    uint64_t index;
    MlcStr text = {0};
    *name = (MlirName){.was_registered = true};
    bool ok = m->version < MLIR_VERSION_PROPERTIES
                  ? mlir_get(c, &index)
                  : mlir_get_flagged(c, &index, &name->was_registered);
    if (!ok || !string_at(c, index, &text))
        return false;
    MlcBuf full = {0};
    mlc_buf_append_str(&full, m->dialects[dialect]);
    if (text.size > 0) // a name without a dialect is that of one
        mlc_buf_append_char(&full, '.');
    mlc_buf_append_str(&full, text);
    name->text = mlc_arena_strdup(&file->arena, mlc_buf_str(&full));
    mlc_buf_release(&full);
    return true;
}

static bool
read_names(MlcBytecode *file)
{
    BytecodeCursor *c = &file->mlir->sections[MLIR_SECTION_DIALECTS];
    MlirBytecode *m = file->mlir;
    size_t announced, n;
    MLC_VEC(MlirName) names = {0};
    bool ok = read_dialects(c, m) &&
              (m->version < MLIR_VERSION_ARGUMENT_LOCS || mlir_get_count(c, &announced));
    while (ok && c->at < c->end) {
        uint64_t dialect;
        ok = get_dialect(c, &dialect) && mlir_get_count(c, &n);
        for (size_t i = 0; ok && i < n; i++) {
            MlirName name;
            ok = get_name(c, dialect, &name);
            if (ok)
                mlc_vec_push(&names, name);
        }
    }
    m->names = MLC_NEW_ARRAY(&file->arena, MlirName, names.size);
    if (names.size > 0)
        memcpy(m->names, names.data, names.size * sizeof *names.data);
    m->num_names = names.size;
    mlc_vec_release(&names);
    return ok;
}

// ---- entries and properties

// Entries come in groups of a dialect each; their bytes follow each other in another section.
static bool
read_entries(BytecodeCursor *c, BytecodeCursor *bytes, MlirEntries *entries, size_t n)
{
    entries->data = MLC_NEW_ARRAY(&c->file->arena, MlirEntry, n);
    while (entries->size < n) {
        uint64_t dialect, size;
        size_t group;
        if (!get_dialect(c, &dialect) || !mlir_get_count(c, &group))
            return false;
        if (group == 0 || group > n - entries->size)
            return bytecode_fail(c, "a group of %zu attributes or types", group);
        for (size_t i = 0; i < group; i++) {
            MlirEntry *entry = &entries->data[entries->size];
            *entry = (MlirEntry){.dialect = (uint32_t)dialect};
            if (!mlir_get_flagged(c, &size, &entry->is_custom))
                return false;
            if (size > (uint64_t)(bytes->end - bytes->at))
                return bytecode_fail(
                    c, "Attribute or Type entry offset points past the end of section");
            entry->at = bytes->at;
            entry->size = (size_t)size;
            bytes->at += size;
            entries->size++;
        }
    }
    return true;
}

static bool
read_attrs_and_types(MlcBytecode *file)
{
    MlirBytecode *m = file->mlir;
    BytecodeCursor *c = &m->sections[MLIR_SECTION_ENTRY_SIZES],
                   bytes = m->sections[MLIR_SECTION_ENTRIES];
    size_t attrs, types;
    if (!mlir_get_count(c, &attrs) || !mlir_get_count(c, &types) ||
        !read_entries(c, &bytes, &m->attrs, attrs) || !read_entries(c, &bytes, &m->types, types))
        return false;
    return c->at == c->end ||
           bytecode_fail(c, "unexpected trailing data in the Attribute/Type offset section");
}

static bool
read_properties(MlcBytecode *file)
{
    MlirBytecode *m = file->mlir;
    BytecodeCursor *c = &m->sections[MLIR_SECTION_PROPERTIES];
    size_t n, size;
    if (c->at == c->end)
        return true;
    if (!mlir_get_count(c, &n))
        return false;
    m->properties = MLC_NEW_ARRAY(&file->arena, BytecodePiece, n);
    for (; m->num_properties < n; m->num_properties++) {
        if (!mlir_get_count(c, &size))
            return false;
        m->properties[m->num_properties] = (BytecodePiece){c->at, size};
        c->at += size;
    }
    return true;
}

// ---- resources

typedef enum ResourceKind { RESOURCE_BLOB, RESOURCE_BOOL, RESOURCE_STRING } ResourceKind;

typedef struct Resource {
    MlcStr section, key;
    ResourceKind kind;
} Resource;

static bool
get_blob(BytecodeCursor *c, uint64_t *alignment, size_t *size)
{
    uint64_t n;
    if (!mlir_get(c, alignment) || !mlir_get(c, &n) || !skip_padding(c, *alignment))
        return false;
    if (n > (uint64_t)(c->end - c->at) || *alignment > 4096)
        return bytecode_fail(c, "a resource of %llu bytes, aligned to %llu", (unsigned long long)n,
                             (unsigned long long)*alignment);
    *size = (size_t)n;
    return true;
}

// What the text has for it: a blob is its alignment and its bytes, in hexadecimal.
static bool
append_resource_text(BytecodeCursor *c, ResourceKind kind, MlcBuf *out)
{
    uint8_t flag;
    MlcStr string;
    uint64_t alignment;
    size_t size;
    switch (kind) {
    case RESOURCE_BOOL:
        if (!mlir_get_byte(c, &flag))
            return false;
        mlc_buf_append_c(out, flag ? "true" : "false");
        return true;
    case RESOURCE_STRING:
        if (!mlir_get_string(c, &string))
            return false;
        mlc_buf_append_quoted(out, string);
        return true;
    default:
        if (!get_blob(c, &alignment, &size))
            return false;
        mlc_buf_append_c(out, "\"0x");
        for (unsigned i = 0; i < 4; i++)
            mlc_buf_printf(out, "%02X", (unsigned)(alignment >> (8 * i)) & 0xff);
        for (size_t i = 0; i < size; i++)
            mlc_buf_printf(out, "%02X", c->at[i]);
        mlc_buf_append_char(out, '"');
        return true;
    }
}

static bool
read_external_resource(BytecodeCursor *c, const Resource *resource)
{
    MlcBuf text = {0};
    bool ok = append_resource_text(c, resource->kind, &text);
    if (ok && c->file->options.external)
        mlc_external_resources_add(c->file->options.external, resource->section, resource->key,
                                   mlc_buf_str(&text));
    mlc_buf_release(&text);
    return ok;
}

static bool
read_dialect_resource(BytecodeCursor *c, const Resource *resource)
{
    MlcBytecode *file = c->file;
    uint64_t alignment;
    size_t size;
    if (resource->kind != RESOURCE_BLOB)
        return bytecode_fail(c, "resource '%.*s' is no blob", MLC_STR_FMT(resource->key));
    if (!get_blob(c, &alignment, &size))
        return false;
    if (!mlc_str_map_has(&file->blobs, resource->key))
        mlc_str_map_set(&file->blobs, resource->key,
                        bytecode_make_blob(file, c->at, size, (size_t)alignment));
    return true;
}

// A resource without bytes is a declaration.
static bool
read_resource(BytecodeCursor *c, BytecodeCursor *bytes, MlcStr section, bool is_external)
{
    MlirBytecode *m = c->file->mlir;
    Resource resource = {.section = section};
    uint64_t size;
    uint8_t kind;
    if (!mlir_get_string(c, &resource.key) || !mlir_get(c, &size) || !mlir_get_byte(c, &kind))
        return false;
    if (kind > RESOURCE_STRING || size > (uint64_t)(bytes->end - bytes->at))
        return bytecode_fail(c, "resource '%.*s' lies outside of the file",
                             MLC_STR_FMT(resource.key));
    resource.kind = (ResourceKind)kind;
    if (!is_external)
        mlc_vec_push(&m->resources, resource.key);
    BytecodeCursor entry = {bytes->at, bytes->at + size, c->file};
    bytes->at += size;
    if (size == 0)
        return true;
    return is_external ? read_external_resource(&entry, &resource)
                       : read_dialect_resource(&entry, &resource);
}

// `external_only`: the groups that stand first.
static bool
read_resources(MlcBytecode *file, bool external_only)
{
    MlirBytecode *m = file->mlir;
    BytecodeCursor *c = &m->sections[MLIR_SECTION_RESOURCE_SIZES],
                   bytes = m->sections[MLIR_SECTION_RESOURCES];
    size_t num_external, n;
    if (c->at == c->end)
        return true;
    if (!mlir_get_count(c, &num_external))
        return false;
    for (size_t group = 0; c->at < c->end; group++) {
        bool is_external = group < num_external;
        if (external_only && !is_external)
            return true;
        uint64_t dialect;
        MlcStr section = {0};
        if (!(is_external ? mlir_get_string(c, &section) : get_dialect(c, &dialect)) ||
            !mlir_get_count(c, &n))
            return false;
        for (size_t i = 0; i < n; i++)
            if (!read_resource(c, &bytes, section, is_external))
                return false;
    }
    return true;
}

// ---- the file

bool
mlir_bytecode_is(MlcStr data)
{
    return data.size >= sizeof mlir_bytecode_magic &&
           memcmp(data.data, mlir_bytecode_magic, sizeof mlir_bytecode_magic) == 0;
}

bool
mlir_bytecode_open(MlcBytecode *file)
{
    const uint8_t *start = (const uint8_t *)file->text.data;
    BytecodeCursor c = {start, start + file->text.size, file};
    file->mlir = MLC_NEW(&file->arena, MlirBytecode);
    return read_header(file, &c) && read_sections(file, &c) && read_strings(file) &&
           read_properties(file) && read_names(file) && read_resources(file, false) &&
           read_attrs_and_types(file) && mlir_read_ir(file);
}

void
mlir_bytecode_read_external(MlcBytecode *file)
{
    const uint8_t *start = (const uint8_t *)file->text.data;
    BytecodeCursor c = {start, start + file->text.size, file};
    file->mlir = MLC_NEW(&file->arena, MlirBytecode);
    (void)(read_header(file, &c) && read_sections(file, &c) && read_strings(file) &&
           read_resources(file, true));
}

void
mlir_bytecode_release(MlcBytecode *file)
{
    if (file->mlir)
        mlc_vec_release(&file->mlir->resources);
}

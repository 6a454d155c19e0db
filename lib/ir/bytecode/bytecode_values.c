// bytecode_values.c -- reads types, attributes, locations and affine things, each once.
//
// An entry may refer to earlier ones only, so one pass over the section makes them all. Whatever
// the constructors take for granted is checked here, since a file may hold anything.
#include "bytecode_read.h"
#include "context/context_impl.h"

#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"

// The entry that is being read.
static BytecodeValue *
current(const BytecodeCursor *c)
{
    return &c->file->values[c->file->num_values];
}

// The entry with that index, if its tag is in [low, low + count). Outside of the section itself
// `current` is behind the last entry, and its depth is nobody's.
static const BytecodeValue *
find(BytecodeCursor *c, uint64_t index, uint8_t low, uint8_t count, const char *what)
{
    const MlcBytecode *file = c->file;
    if (index >= file->num_values || file->values[index].tag < low ||
        file->values[index].tag >= low + count) {
        bytecode_fail(c, "value %llu is not %s", (unsigned long long)index, what);
        return NULL;
    }
    const BytecodeValue *entry = &file->values[index];
    if (file->num_values < file->capacity && current(c)->depth <= entry->depth)
        current(c)->depth = entry->depth + 1;
    return bytecode_expand(c, entry->expansion) ? entry : NULL;
}

static bool
get_ref(BytecodeCursor *c, uint8_t low, uint8_t count, const char *what,
        const BytecodeValue **entry)
{
    uint64_t index;
    return bytecode_get(c, &index) && (*entry = find(c, index, low, count, what));
}

bool
bytecode_get_type(BytecodeCursor *c, MlcType *type)
{
    const BytecodeValue *entry;
    if (!get_ref(c, TAG_TYPE, TAG_ATTR - TAG_TYPE, "a type", &entry))
        return false;
    *type = entry->value;
    return true;
}

bool
bytecode_get_attr(BytecodeCursor *c, MlcAttr *attr)
{
    const BytecodeValue *entry;
    if (!get_ref(c, TAG_ATTR, TAG_LOC - TAG_ATTR, "an attribute", &entry))
        return false;
    *attr = entry->value;
    return true;
}

bool
bytecode_get_loc(BytecodeCursor *c, MlcLoc *loc)
{
    const BytecodeValue *entry;
    if (!get_ref(c, TAG_LOC, TAG_EXPR - TAG_LOC, "a location", &entry))
        return false;
    *loc = entry->value;
    return true;
}

// One more than the index, 0: none.
static bool
get_optional(BytecodeCursor *c, uint8_t low, uint8_t count, const char *what, const void **value)
{
    uint64_t index;
    *value = NULL;
    if (!bytecode_get(c, &index) || index == 0)
        return !c->file->failed;
    const BytecodeValue *entry = find(c, index - 1, low, count, what);
    *value = entry ? entry->value : NULL;
    return entry != NULL;
}

static bool
get_optional_attr(BytecodeCursor *c, MlcAttr *attr)
{
    const void *value;
    bool ok = get_optional(c, TAG_ATTR, TAG_LOC - TAG_ATTR, "an attribute", &value);
    *attr = value;
    return ok;
}

static bool
get_optional_type(BytecodeCursor *c, MlcType *type)
{
    const void *value;
    bool ok = get_optional(c, TAG_TYPE, TAG_ATTR - TAG_TYPE, "a type", &value);
    *type = value;
    return ok;
}

static const BytecodeParts parts = {.count = bytecode_get_count,
                                    .string = bytecode_get_string,
                                    .type = bytecode_get_type,
                                    .attr = bytecode_get_attr,
                                    .loc = bytecode_get_loc};

// ---- types

static bool
get_shape(BytecodeCursor *c, MlcTypeKind kind, BytecodeShape *shape)
{
    *shape = (BytecodeShape){0};
    size_t rank;
    if (!bytecode_get_count(c, &rank))
        return false;
    if (rank > MLC_RANK_LIMIT || rank > mlc_context_limits(c->file->ctx)->rank)
        return bytecode_fail(c, "rank %zu is above the limit (--limit-rank)", rank);
    shape->rank = rank;
    for (size_t i = 0; i < rank; i++) {
        uint64_t dim;
        if (!bytecode_get(c, &dim))
            return false;
        if (dim > INT64_MAX || (kind == MLC_TYPE_VECTOR && dim < 2))
            return bytecode_fail(c, "a dimension is out of range");
        shape->dims[i] = dim == 0 ? MLC_DYNAMIC : (int64_t)dim - 1;
    }
    for (size_t i = 0; kind == MLC_TYPE_VECTOR && i < rank; i++) {
        uint64_t flag;
        if (!bytecode_get_below(c, 2, "flag", &flag))
            return false;
        shape->scalable[i] = flag;
        shape->has_scalable |= flag != 0;
    }
    return true;
}

static MlcType
read_shaped(BytecodeCursor *c, MlcTypeKind kind)
{
    MlcType element;
    BytecodeShape shape = {.rank = 0};
    MlcAttr first = NULL, space = NULL;
    bool ranked = kind != MLC_TYPE_UNRANKED_TENSOR && kind != MLC_TYPE_UNRANKED_MEMREF;
    if (!bytecode_get_type(c, &element) || (ranked && !get_shape(c, kind, &shape)))
        return NULL;
    if ((kind == MLC_TYPE_TENSOR || kind == MLC_TYPE_MEMREF) && !get_optional_attr(c, &first))
        return NULL;
    if ((kind == MLC_TYPE_MEMREF || kind == MLC_TYPE_UNRANKED_MEMREF) &&
        !get_optional_attr(c, &space))
        return NULL;
    return bytecode_make_shaped(c, kind, element, &shape, first, space);
}

static MlcType
read_integer_type(BytecodeCursor *c)
{
    uint64_t width, signedness;
    return bytecode_get(c, &width) && bytecode_get(c, &signedness)
               ? bytecode_make_integer_type(c, width, signedness)
               : NULL;
}

// A variadic parameter is an array of what fits.
static bool
fits_param(const MlcParamDef *def, MlcAttr param)
{
    if (!def->constraint || mlc_constraint_check_attr(def->constraint, param))
        return true;
    if (!mlc_attr_is(param, MLC_ATTR_ARRAY))
        return false;
    for (size_t i = 0; i < mlc_array_attr_size(param); i++)
        if (!mlc_constraint_check_attr(def->constraint, mlc_array_attr_element(param, i)))
            return false;
    return true;
}

// Parameters as the record of a dialect's type or attribute wants them.
static bool
get_params(BytecodeCursor *c, const char *name, const MlcParamDef *defs, size_t num_defs,
           BytecodeAttrs *params)
{
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    if (n != num_defs)
        return bytecode_fail(c, "'%s' has %zu parameters, not %zu", name, num_defs, n);
    for (size_t i = 0; i < n; i++) {
        MlcAttr param;
        if (!get_optional_attr(c, &param))
            return false;
        bool fits = param ? fits_param(&defs[i], param) : defs[i].optional;
        if (!fits)
            return bytecode_fail(c, "parameter '%s' of '%s' is wrong", defs[i].name, name);
        mlc_vec_push(params, param);
    }
    return true;
}

static MlcErrorSink
sink_of(const BytecodeCursor *c)
{
    MlcContext *ctx = c->file->ctx;
    return (MlcErrorSink){.ctx = ctx, .loc = mlc_loc_file(ctx, c->file->name, 0, 0)};
}

static MlcType
read_dialect_type(BytecodeCursor *c)
{
    MlcStr name;
    BytecodeAttrs params = {0};
    if (!bytecode_get_string(c, &name))
        return NULL;
    const MlcTypeDef *def = mlc_context_type(c->file->ctx, name);
    if (!def)
        return bytecode_fail(c, "unknown type '%.*s'", MLC_STR_FMT(name)), NULL;
    MlcErrorSink sink = sink_of(c);
    bool ok = get_params(c, def->name, def->params, def->num_params, &params);
    if (ok && def->verify && !def->verify(&sink, params.data))
        ok = bytecode_fail(c, "invalid type '%s'", def->name);
    MlcType type = ok ? mlc_dialect_type_get(c->file->ctx, def, params.data, params.size) : NULL;
    mlc_vec_release(&params);
    return type;
}

// Of an opaque type or attribute.
static bool
get_foreign(BytecodeCursor *c, MlcStr *dialect, MlcStr *body)
{
    return bytecode_get_string(c, dialect) && bytecode_get_string(c, body) &&
           (mlc_is_dialect_namespace(*dialect) || bytecode_fail(c, "invalid dialect namespace"));
}

static MlcType
read_type(BytecodeCursor *c, MlcTypeKind kind)
{
    MlcContext *ctx = c->file->ctx;
    uint64_t number;
    MlcType element;
    MlcStr dialect, body;
    switch (kind) {
    case MLC_TYPE_INTEGER:
        return read_integer_type(c);
    case MLC_TYPE_INDEX:
        return mlc_index_type_get(ctx);
    case MLC_TYPE_NONE:
        return mlc_none_type_get(ctx);
    case MLC_TYPE_FLOAT:
        return bytecode_get_below(c, MLC_FLOAT_NUM_KINDS, "float type", &number)
                   ? mlc_float_type_get(ctx, (MlcFloatKind)number)
                   : NULL;
    case MLC_TYPE_COMPLEX:
        return bytecode_get_type(c, &element) ? bytecode_make_complex(c, element) : NULL;
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_UNRANKED_TENSOR:
    case MLC_TYPE_MEMREF:
    case MLC_TYPE_UNRANKED_MEMREF:
        return read_shaped(c, kind);
    case MLC_TYPE_FUNCTION:
    case MLC_TYPE_TUPLE:
        return bytecode_read_list_type(c, &parts, kind == MLC_TYPE_FUNCTION);
    case MLC_TYPE_DIALECT:
        return read_dialect_type(c);
    case MLC_TYPE_OPAQUE:
        return get_foreign(c, &dialect, &body) ? mlc_opaque_type_get(ctx, dialect, body) : NULL;
    }
    return bytecode_fail(c, "unknown kind of type %d", (int)kind), NULL;
}

// ---- attributes

static bool
get_bytes(BytecodeCursor *c, const void **data, size_t *size)
{
    if (!bytecode_get_count(c, size))
        return false;
    *data = c->at;
    c->at += *size;
    return true;
}

static MlcAttr
read_integer(BytecodeCursor *c)
{
    MlcType type;
    if (!bytecode_get_type(c, &type))
        return NULL;
    if (!mlc_type_is_int_or_index(type))
        return bytecode_fail(c, "an integer attribute of type '%s'", mlc_type_text(type)), NULL;
    unsigned width = mlc_type_bit_width(type);
    size_t n = width <= 64 ? 1 : (width + 63) / 64;
    if ((size_t)(c->end - c->at) < n)
        return bytecode_fail(c, "an integer of %u bits is cut off", width), NULL;
    uint64_t *words = mlc_calloc(n, sizeof *words);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = bytecode_get(c, &words[i]);
    MlcArena arena;
    mlc_arena_init(&arena);
    MlcAttr attr = NULL;
    if (ok) {
        MlcWide wide = mlc_wide_from_words(&arena, width, words, n);
        attr = mlc_integer_attr_get_wide(type, &wide);
    }
    mlc_arena_release(&arena);
    mlc_free(words);
    return attr;
}

static MlcAttr
read_float(BytecodeCursor *c)
{
    MlcType type;
    uint64_t lo, hi;
    if (!bytecode_get_type(c, &type) || !bytecode_get(c, &lo) || !bytecode_get(c, &hi))
        return NULL;
    if (!mlc_type_is_float(type))
        return bytecode_fail(c, "a float attribute of type '%s'", mlc_type_text(type)), NULL;
    unsigned width = mlc_type_bit_width(type);
    uint64_t high = width <= 64 ? hi : width < 128 ? hi >> (width - 64) : 0;
    bool fits = high == 0 && (width >= 64 || lo >> width == 0);
    if (!fits)
        return bytecode_fail(c, "a float does not fit '%s'", mlc_type_text(type)), NULL;
    return mlc_float_attr_get_bits(type, lo, hi);
}

static bool
get_strings(BytecodeCursor *c, MlcStr **strings, size_t *n)
{
    *strings = NULL;
    if (!bytecode_get_count(c, n))
        return false;
    *strings = mlc_calloc(*n + 1, sizeof **strings);
    for (size_t i = 0; i < *n; i++)
        if (!bytecode_get_string(c, &(*strings)[i]))
            return false;
    return true;
}

static MlcAttr
read_dense(BytecodeCursor *c)
{
    MlcType type;
    uint64_t splat;
    const void *data;
    size_t size;
    return bytecode_get_type(c, &type) && bytecode_get_below(c, 2, "flag", &splat) &&
                   get_bytes(c, &data, &size)
               ? bytecode_make_dense(c, type, data, size, splat)
               : NULL;
}

static MlcAttr
read_dense_string(BytecodeCursor *c)
{
    MlcType type;
    MlcStr *strings = NULL;
    size_t n;
    bool ok = bytecode_get_type(c, &type) && get_strings(c, &strings, &n);
    MlcAttr attr = ok ? bytecode_make_dense_string(c, type, strings, n) : NULL;
    mlc_free(strings);
    return attr;
}

static MlcAttr
read_dense_array(BytecodeCursor *c)
{
    MlcType element;
    size_t n, size;
    const void *data;
    return bytecode_get_type(c, &element) && bytecode_get_count(c, &n) && get_bytes(c, &data, &size)
               ? bytecode_make_dense_array(c, element, n, data, size)
               : NULL;
}

static MlcAttr
read_strided(BytecodeCursor *c)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t n;
    if (!bytecode_get_signed(c, &offset) || !bytecode_get_count(c, &n))
        return NULL;
    if (n > MLC_RANK_LIMIT)
        return bytecode_fail(c, "a layout of %zu strides", n), NULL;
    for (size_t i = 0; i < n; i++) {
        if (!bytecode_get_signed(c, &strides[i]))
            return NULL;
        if (strides[i] == 0)
            return bytecode_fail(c, "a stride of 0"), NULL;
    }
    return mlc_strided_layout_attr_get(c->file->ctx, offset, strides, n);
}

static MlcAttr
read_dialect_attr(BytecodeCursor *c)
{
    MlcStr name;
    BytecodeAttrs params = {0};
    if (!bytecode_get_string(c, &name))
        return NULL;
    const MlcAttrDef *def = mlc_context_attr(c->file->ctx, name);
    if (!def)
        return bytecode_fail(c, "unknown attribute '%.*s'", MLC_STR_FMT(name)), NULL;
    MlcErrorSink sink = sink_of(c);
    MlcAttr attr = NULL;
    bool ok;
    if (def->cases) {
        MlcAttr value;
        int64_t number;
        size_t n;
        ok = bytecode_get_count(c, &n) && n == 1 && get_optional_attr(c, &value) && value &&
             mlc_attr_try_as_int(value, &number) && bytecode_is_enum_case(def, number);
        if (ok)
            mlc_vec_push(&params, value);
        else
            bytecode_fail(c, "no case of '%s'", def->name);
    } else {
        ok = get_params(c, def->name, def->params, def->num_params, &params);
    }
    if (ok && def->verify && !def->verify(&sink, params.data))
        ok = bytecode_fail(c, "invalid attribute '%s'", def->name);
    if (ok)
        attr = mlc_dialect_attr_get(c->file->ctx, def, params.data, params.size);
    mlc_vec_release(&params);
    return attr;
}

static MlcAttr
read_symbol(BytecodeCursor *c)
{
    MlcStr *path;
    size_t n;
    MlcAttr attr = NULL;
    if (get_strings(c, &path, &n)) {
        if (n > 0)
            attr = mlc_symbol_ref_attr_get_nested(c->file->ctx, path, n);
        else
            bytecode_fail(c, "a symbol reference without a name");
    }
    mlc_free(path);
    return attr;
}

static MlcAttr
read_resource(BytecodeCursor *c)
{
    MlcType type;
    MlcStr key;
    return bytecode_get_type(c, &type) && bytecode_get_string(c, &key)
               ? bytecode_make_resource(c, type, key)
               : NULL;
}

static MlcAttr
read_attr(BytecodeCursor *c, MlcAttrKind kind)
{
    MlcContext *ctx = c->file->ctx;
    MlcType type;
    MlcLoc loc;
    MlcStr dialect, body;
    MlcAttr referenced;
    const BytecodeValue *entry;
    switch (kind) {
    case MLC_ATTR_UNIT:
        return mlc_unit_attr_get(ctx);
    case MLC_ATTR_INTEGER:
        return read_integer(c);
    case MLC_ATTR_FLOAT:
        return read_float(c);
    case MLC_ATTR_STRING:
        if (!bytecode_get_string(c, &body) || !get_optional_type(c, &type))
            return NULL;
        return type ? mlc_string_attr_get_typed(body, type) : mlc_string_attr_get(ctx, body);
    case MLC_ATTR_ARRAY:
        return bytecode_read_array(c, &parts);
    case MLC_ATTR_DICT:
        return bytecode_read_dict(c, &parts);
    case MLC_ATTR_TYPE:
        return bytecode_get_type(c, &type) ? mlc_type_attr_get(type) : NULL;
    case MLC_ATTR_SYMBOL_REF:
        return read_symbol(c);
    case MLC_ATTR_AFFINE_MAP:
        return get_ref(c, TAG_MAP, 1, "a map", &entry) ? mlc_affine_map_attr_get(entry->value)
                                                       : NULL;
    case MLC_ATTR_INTEGER_SET:
        return get_ref(c, TAG_SET, 1, "a set", &entry) ? mlc_integer_set_attr_get(entry->value)
                                                       : NULL;
    case MLC_ATTR_DENSE:
        return read_dense(c);
    case MLC_ATTR_DENSE_STRING:
        return read_dense_string(c);
    case MLC_ATTR_DENSE_RESOURCE:
        return read_resource(c);
    case MLC_ATTR_SPARSE:
        return bytecode_read_sparse(c, &parts);
    case MLC_ATTR_DENSE_ARRAY:
        return read_dense_array(c);
    case MLC_ATTR_STRIDED_LAYOUT:
        return read_strided(c);
    case MLC_ATTR_DISTINCT:
        return get_optional_attr(c, &referenced) && referenced
                   ? mlc_distinct_attr_create(ctx, referenced)
                   : (bytecode_fail(c, "a distinct attribute of nothing"), NULL);
    case MLC_ATTR_LOC:
        return bytecode_get_loc(c, &loc) ? mlc_loc_attr(ctx, loc) : NULL;
    case MLC_ATTR_DIALECT:
        return read_dialect_attr(c);
    case MLC_ATTR_OPAQUE:
        if (!get_foreign(c, &dialect, &body) || !get_optional_type(c, &type))
            return NULL;
        return mlc_opaque_attr_get(ctx, dialect, body, type);
    }
    return bytecode_fail(c, "unknown kind of attribute %d", (int)kind), NULL;
}

// ---- locations and affine things

static MlcLoc
read_fused(BytecodeCursor *c)
{
    MlcAttr metadata;
    BytecodeLocs locs = {0};
    bool ok = get_optional_attr(c, &metadata) && bytecode_get_locs(c, &parts, &locs);
    MlcLoc fused = ok ? mlc_loc_fused(c->file->ctx, locs.data, locs.size, metadata) : NULL;
    mlc_vec_release(&locs);
    return fused;
}

static MlcLoc
read_loc(BytecodeCursor *c, MlcLocKind kind)
{
    MlcContext *ctx = c->file->ctx;
    MlcStr name;
    uint64_t line, column;
    switch (kind) {
    case MLC_LOC_UNKNOWN:
        return mlc_loc_unknown(ctx);
    case MLC_LOC_FILE:
        return bytecode_get_string(c, &name) && bytecode_get_below(c, UINT32_MAX, "line", &line) &&
                       bytecode_get_below(c, UINT32_MAX, "column", &column)
                   ? mlc_loc_file(ctx, name, (unsigned)line, (unsigned)column)
                   : NULL;
    case MLC_LOC_NAME:
        return bytecode_read_name_loc(c, &parts);
    case MLC_LOC_CALLSITE:
        return bytecode_read_callsite(c, &parts);
    case MLC_LOC_FUSED:
        return read_fused(c);
    }
    return bytecode_fail(c, "unknown kind of location %d", (int)kind), NULL;
}

static uint32_t
max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static MlcAffineExpr
read_expr(BytecodeCursor *c, MlcAffineKind kind)
{
    MlcContext *ctx = c->file->ctx;
    BytecodeValue *self = current(c);
    const BytecodeValue *lhs, *rhs;
    uint64_t position;
    int64_t value;
    switch (kind) {
    case MLC_AFFINE_CONSTANT:
        return bytecode_get_signed(c, &value) ? mlc_affine_constant(ctx, value) : NULL;
    case MLC_AFFINE_DIM:
    case MLC_AFFINE_SYMBOL:
        if (!bytecode_get_below(c, 1u << 16, "position", &position))
            return NULL;
        *(kind == MLC_AFFINE_DIM ? &self->dims : &self->symbols) = (uint32_t)position + 1;
        return kind == MLC_AFFINE_DIM ? mlc_affine_dim(ctx, (unsigned)position)
                                      : mlc_affine_symbol(ctx, (unsigned)position);
    default:
        if (!get_ref(c, TAG_EXPR, TAG_MAP - TAG_EXPR, "an expression", &lhs) ||
            !get_ref(c, TAG_EXPR, TAG_MAP - TAG_EXPR, "an expression", &rhs))
            return NULL;
        self->dims = max_u32(lhs->dims, rhs->dims);
        self->symbols = max_u32(lhs->symbols, rhs->symbols);
        return mlc_affine_binary(kind, lhs->value, rhs->value);
    }
}

// Expressions over `dims` and `symbols`; with `equality`, each has its flag.
static bool
get_exprs(BytecodeCursor *c, uint64_t dims, uint64_t symbols, MlcAffineExpr **exprs,
          bool **equality, size_t *n)
{
    if (!bytecode_get_count(c, n))
        return false;
    *exprs = mlc_calloc(*n + 1, sizeof **exprs);
    if (equality)
        *equality = mlc_calloc(*n + 1, sizeof **equality);
    for (size_t i = 0; i < *n; i++) {
        const BytecodeValue *expr;
        uint64_t flag = 0;
        if (!get_ref(c, TAG_EXPR, TAG_MAP - TAG_EXPR, "an expression", &expr) ||
            (equality && !bytecode_get_below(c, 2, "flag", &flag)))
            return false;
        if (expr->dims > dims || expr->symbols > symbols)
            return bytecode_fail(c, "an expression uses inputs that its map has not");
        (*exprs)[i] = expr->value;
        if (equality)
            (*equality)[i] = flag;
    }
    return true;
}

static const void *
read_map_or_set(BytecodeCursor *c, bool is_set)
{
    uint64_t dims, symbols;
    MlcAffineExpr *exprs = NULL;
    bool *equality = NULL;
    size_t n;
    const void *value = NULL;
    bool ok = bytecode_get_below(c, 1u << 16, "number of dimensions", &dims) &&
              bytecode_get_below(c, 1u << 16, "number of symbols", &symbols) &&
              get_exprs(c, dims, symbols, &exprs, is_set ? &equality : NULL, &n);
    MlcContext *ctx = c->file->ctx;
    if (ok && is_set && n == 0)
        ok = bytecode_fail(c, "a set without constraints");
    if (ok && is_set)
        value = mlc_integer_set_get(ctx, (unsigned)dims, (unsigned)symbols, exprs, equality, n);
    else if (ok)
        value = mlc_affine_map_get(ctx, (unsigned)dims, (unsigned)symbols, exprs, n);
    mlc_free(exprs);
    mlc_free(equality);
    return value;
}

static const void *
read_value(BytecodeCursor *c, unsigned tag)
{
    if (tag < TAG_ATTR)
        return read_type(c, (MlcTypeKind)(tag - TAG_TYPE));
    if (tag < TAG_LOC)
        return read_attr(c, (MlcAttrKind)(tag - TAG_ATTR));
    if (tag < TAG_EXPR)
        return read_loc(c, (MlcLocKind)(tag - TAG_LOC));
    if (tag <= TAG_EXPR + MLC_AFFINE_SYMBOL)
        return read_expr(c, (MlcAffineKind)(tag - TAG_EXPR));
    if (tag == TAG_MAP || tag == TAG_SET)
        return read_map_or_set(c, tag == TAG_SET);
    return bytecode_fail(c, "unknown tag %u", tag), NULL;
}

bool
bytecode_read_values(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_VALUES];
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    file->values = MLC_NEW_ARRAY(&file->arena, BytecodeValue, n);
    file->capacity = n;
    uint64_t limit = mlc_nesting_limit(file->ctx);
    for (; file->num_values < n; file->num_values++) {
        if (c->at == c->end)
            return bytecode_fail(c, "the file is cut off");
        unsigned tag = *c->at++;
        BytecodeValue *self = current(c);
        *self = (BytecodeValue){.tag = (uint8_t)tag};
        const uint8_t *start = c->at;
        file->open = &self->expansion;
        self->value = read_value(c, tag);
        file->open = NULL;
        self->expansion += (uint64_t)(c->at - start);
        if (!self->value)
            return bytecode_fail(c, "value %zu is broken", file->num_values);
        if (self->depth > limit)
            return bytecode_fail(c, "nested deeper than the limit of %llu (--limit-nesting)",
                                 (unsigned long long)limit);
    }
    return true;
}

static bool
is_list_of_types(MlcAttr attr)
{
    if (!mlc_attr_is(attr, MLC_ATTR_ARRAY))
        return false;
    for (size_t i = 0; i < mlc_array_attr_size(attr); i++)
        if (!mlc_attr_is(mlc_array_attr_element(attr, i), MLC_ATTR_TYPE))
            return false;
    return true;
}

bool
bytecode_read_bodies(MlcBytecode *file)
{
    BytecodeCursor *c = &file->sections[SECTION_BODIES];
    size_t n;
    if (!bytecode_get_count(c, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcType type;
        MlcAttr body;
        if (!bytecode_get_type(c, &type) || !bytecode_get_attr(c, &body))
            return false;
        if (!mlc_type_is(type, MLC_TYPE_DIALECT) || !is_list_of_types(body) ||
            !mlc_dialect_type_set_body(type, body))
            return bytecode_fail(c, "type '%s' cannot have that body", mlc_type_text(type));
    }
    return true;
}

// parse_attr.c -- what the grammar's actions make of numbers, elements, types and strings, with
// upstream's checks.
#include <assert.h>

#include "mlc/ir/blob.h"
#include "mlc/support/softfloat.h"
#include "parse_impl.h"
#include "text.tab.h"

// --- strings

static int
hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Without quotes and escapes; borrowed from the text where there are none.
MlcStr
mlc_text_unquote(MlcParser *p, MlcStr text)
{
    const char *at = text.data + 1, *end = text.data + text.size - 1;
    if (!memchr(at, '\\', (size_t)(end - at)))
        return mlc_str_n(at, (size_t)(end - at));
    char *out = mlc_arena_alloc(&p->arena, text.size, 1);
    size_t size = 0;
    for (; at < end; at++) {
        if (*at != '\\') {
            out[size++] = *at;
            continue;
        }
        const char *escape = at++;
        char c = *at;
        if (c == '"' || c == '\\')
            out[size++] = c;
        else if (c == 'n' || c == 't')
            out[size++] = c == 'n' ? '\n' : '\t';
        else if (hex_digit(c) >= 0 && at + 1 < end && hex_digit(at[1]) >= 0) {
            out[size++] = (char)(hex_digit(c) * 16 + hex_digit(at[1]));
            at++;
        } else {
            mlc_parser_fail_at(p, escape, "unknown escape in string literal");
            return (MlcStr){0};
        }
    }
    return mlc_str_n(out, size);
}

bool
mlc_parser_unescape(MlcParser *p, MlcToken token, MlcStr *value)
{
    MlcStr text = mlc_token_str(token);
    if (token.kind == TOK_AT)
        text = mlc_str_n(text.data + 1, text.size - 1);
    if (token.kind == TOK_AT && text.data[0] != '"')
        return *value = text, true;
    *value = mlc_text_unquote(p, text);
    return value->data != NULL;
}

MlcAttr
mlc_text_symbol(MlcParser *p, size_t mark)
{
    for (size_t i = mark; i < p->names.size; i++) {
        MlcStr text = p->names.data[i];
        MlcToken token = {.kind = TOK_AT, .at = text.data, .end = text.data + text.size};
        if (!mlc_parser_unescape(p, token, &p->names.data[i]))
            return NULL;
    }
    MlcAttr attr =
        mlc_symbol_ref_attr_get_nested(p->ctx, p->names.data + mark, p->names.size - mark);
    p->names.size = mark;
    return attr;
}

bool
mlc_text_push_entry(MlcParser *p, MlcStr name, MlcAttr value, bool quoted)
{
    if (quoted)
        name = mlc_text_unquote(p, name);
    if (!name.data)
        return false;
    if (quoted && name.size == 0)
        return mlc_parser_fail_wrong(p, "expected valid attribute name");
    mlc_vec_push(&p->named, (MlcNamedAttr){mlc_string_attr_get(p->ctx, name), value});
    return true;
}

MlcAttr
mlc_text_dict(MlcParser *p, size_t mark)
{
    MlcStr name;
    const MlcNamedAttr *entries = p->named.data + mark;
    size_t count = p->named.size - mark;
    if (mlc_dict_attr_find_duplicate(entries, count, &name)) {
        mlc_parser_fail_wrong(p, "duplicate key '%.*s' in dictionary attribute", MLC_STR_FMT(name));
        return NULL;
    }
    MlcAttr attr = mlc_dict_attr_get(p->ctx, entries, count);
    p->named.size = mark;
    return attr;
}

// --- types

bool
mlc_text_small_int(MlcParser *p, MlcStr text, int64_t *value)
{
    uint64_t v = 0;
    size_t i = text.size > 2 && text.data[1] == 'x' ? 2 : 0;
    unsigned base = i ? 16 : 10;
    for (; i < text.size; i++)
        if (__builtin_mul_overflow(v, base, &v) ||
            __builtin_add_overflow(v, (unsigned)hex_digit(text.data[i]), &v))
            return mlc_parser_fail_at(p, text.data, "integer value too large");
    if (v > INT64_MAX)
        return mlc_parser_fail_at(p, text.data, "integer value too large");
    *value = (int64_t)v;
    return true;
}

MlcType
mlc_text_int_type(MlcParser *p, MlcStr text)
{
    MlcSignedness sign = text.data[0] == 's'   ? MLC_SIGNED
                         : text.data[0] == 'u' ? MLC_UNSIGNED
                                               : MLC_SIGNLESS;
    size_t skip = sign == MLC_SIGNLESS ? 1 : 2;
    uint64_t width = 0;
    for (size_t i = skip; i < text.size && width <= UINT32_MAX; i++)
        width = width * 10 + (unsigned)(text.data[i] - '0');
    uint64_t limit = mlc_context_limits(p->ctx)->integer_width;
    if (width > limit || width >= MLC_WIDE_MAX_WIDTH) {
        mlc_parser_fail_at(
            p, text.data, "integer bitwidth is limited to %llu bits",
            (unsigned long long)(limit < MLC_WIDE_MAX_WIDTH ? limit : MLC_WIDE_MAX_WIDTH - 1));
        return NULL;
    }
    return mlc_integer_type_get(p->ctx, (unsigned)width, sign);
}

bool
mlc_text_push_dim(MlcParser *p, MlcStr text, bool scalable)
{
    int64_t value;
    if (text.size > 1 && text.data[1] == 'x')
        return mlc_parser_fail_at(p, text.data, "invalid dimension");
    uint64_t v = 0;
    for (size_t i = 0; i < text.size; i++)
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (unsigned)(text.data[i] - '0'), &v))
            return mlc_parser_fail_at(p, text.data, "invalid dimension");
    if (v > INT64_MAX)
        return mlc_parser_fail_at(p, text.data, "invalid dimension");
    value = (int64_t)v;
    mlc_vec_push(&p->ints, value);
    mlc_vec_push(&p->flags, scalable);
    return true;
}

static bool
is_layout(MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_AFFINE_MAP) || mlc_attr_is(attr, MLC_ATTR_STRIDED_LAYOUT);
}

static bool
is_memory_space(MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_INTEGER) || mlc_attr_is(attr, MLC_ATTR_STRING) ||
           mlc_attr_is(attr, MLC_ATTR_DICT) || mlc_attr_is(attr, MLC_ATTR_DIALECT) ||
           mlc_attr_is(attr, MLC_ATTR_OPAQUE);
}

static MlcType
make_memref(MlcParser *p, const int64_t *shape, size_t rank, MlcType element, size_t extras,
            bool ranked, const char *at)
{
    MlcAttr layout = NULL, space = NULL;
    if (!mlc_type_can_hold(MLC_TYPE_MEMREF, element))
        return mlc_parser_fail_at(p, at, "invalid memref element type"), NULL;
    for (size_t i = extras; i < p->attrs.size; i++) {
        MlcAttr attr = p->attrs.data[i];
        if (is_layout(attr) && ranked && !layout && !space)
            layout = attr;
        else if (is_layout(attr) || space)
            return mlc_parser_fail_wrong(
                       p, is_layout(attr) ? "expected memory space to be last in memref type"
                                          : "multiple memory spaces specified in memref type"),
                   NULL;
        else
            space = attr;
    }
    if (space && !is_memory_space(space))
        return mlc_parser_fail_at(p, at, "unsupported memory space Attribute"), NULL;
    if (!ranked)
        return mlc_unranked_memref_type_get(element, space);
    if (mlc_attr_is(layout, MLC_ATTR_AFFINE_MAP) &&
        mlc_affine_map_num_dims(mlc_affine_map_attr_value(layout)) != rank)
        return mlc_parser_fail_at(p, at,
                                  "memref layout mismatch between rank and affine map: %zu != %u",
                                  rank, mlc_affine_map_num_dims(mlc_affine_map_attr_value(layout))),
               NULL;
    if (mlc_attr_is(layout, MLC_ATTR_STRIDED_LAYOUT) &&
        mlc_strided_layout_attr_size(layout) != rank)
        return mlc_parser_fail_at(p, at, "expected the number of strides to match the rank"), NULL;
    return mlc_memref_type_get(element, shape, rank, layout, space);
}

static MlcType
make_vector(MlcParser *p, const int64_t *shape, const uint8_t *flags, size_t rank, MlcType element,
            const char *at)
{
    if (!mlc_type_can_hold(MLC_TYPE_VECTOR, element))
        return mlc_parser_fail_at(p, at, "vector elements must be int/index/float type"), NULL;
    bool scalable[MLC_RANK_LIMIT], any = false;
    for (size_t i = 0; i < rank; i++) {
        scalable[i] = flags[i];
        any |= flags[i] != 0;
        if (shape[i] == MLC_DYNAMIC)
            return mlc_parser_fail_at(p, at, "expected static vector dimensions"), NULL;
        if (shape[i] <= 0)
            return mlc_parser_fail_at(p, at,
                                      "vector types must have positive constant sizes but got %lld",
                                      (long long)shape[i]),
                   NULL;
    }
    return mlc_vector_type_get(element, shape, rank, any ? scalable : NULL);
}

MlcType
mlc_text_shaped(MlcParser *p, int kind, size_t dims, MlcType element, size_t extras, const char *at)
{
    bool ranked = kind != MLC_TYPE_UNRANKED_TENSOR && kind != MLC_TYPE_UNRANKED_MEMREF;
    size_t rank = ranked ? p->ints.size - dims : 0;
    const int64_t *shape = p->ints.data + (ranked ? dims : 0);
    const uint8_t *flags = rank ? p->flags.data + p->flags.size - rank : NULL;
    uint64_t limit = mlc_context_limits(p->ctx)->rank;
    limit = limit < MLC_RANK_LIMIT ? limit : MLC_RANK_LIMIT;
    if (rank > limit)
        return mlc_parser_fail_at(p, at, "rank %zu is above the limit of %llu (--limit-rank)", rank,
                                  (unsigned long long)limit),
               NULL;
    for (size_t i = 0; kind != MLC_TYPE_VECTOR && i < rank; i++)
        if (flags[i])
            return mlc_parser_fail_at(p, at, "scalable dimensions are for vectors only"), NULL;
    MlcType type = NULL;
    if (kind == MLC_TYPE_VECTOR)
        type = make_vector(p, shape, flags, rank, element, at);
    else if (kind == MLC_TYPE_MEMREF || kind == MLC_TYPE_UNRANKED_MEMREF)
        type = make_memref(p, shape, rank, element, extras, ranked, at);
    else if (!mlc_type_can_hold(MLC_TYPE_TENSOR, element))
        mlc_parser_fail_at(p, element == NULL ? at : p->prev_end,
                           "invalid tensor element type: '%s'", mlc_type_text(element));
    else if (p->attrs.size - extras > 1)
        mlc_parser_fail_wrong(p, "expected '>' in tensor type");
    else
        type = ranked ? mlc_tensor_type_get(element, shape, rank,
                                            p->attrs.size > extras ? p->attrs.data[extras] : NULL)
                      : mlc_unranked_tensor_type_get(element);
    p->attrs.size = extras;
    if (ranked) {
        p->ints.size = dims;
        p->flags.size -= rank;
    }
    return type;
}

MlcAttr
mlc_text_strided(MlcParser *p, size_t mark, int64_t offset)
{
    for (size_t i = mark; i < p->ints.size; i++)
        if (p->ints.data[i] == 0)
            return mlc_parser_fail_wrong(p, "strides must not be zero"), NULL;
    MlcAttr attr =
        mlc_strided_layout_attr_get(p->ctx, offset, p->ints.data + mark, p->ints.size - mark);
    p->ints.size = mark;
    return attr;
}

MlcAttr
mlc_text_distinct(MlcParser *p, MlcStr number, MlcAttr referenced)
{
    MlcStr key = mlc_arena_printf(&p->arena, "distinct[%.*s]", MLC_STR_FMT(number));
    MlcAttr known = mlc_str_map_get(p->outer ? &p->outer->attr_aliases : &p->attr_aliases, key);
    if (!known && p->outer) // numbers are the file's
        return p->failed = true, NULL;
    if (!known) {
        known = mlc_distinct_attr_create(p->ctx, referenced);
        mlc_str_map_set(&p->attr_aliases, key, known);
    } else if (mlc_distinct_attr_referenced(known) != referenced) {
        return mlc_parser_fail_wrong(p,
                                     "referenced attribute does not match previous definition: %s",
                                     mlc_attr_text(mlc_distinct_attr_referenced(known))),
               NULL;
    }
    return known;
}

MlcLoc
mlc_text_file_loc(MlcParser *p, MlcStr file, MlcStr line, MlcStr column)
{
    int64_t l, c;
    MlcStr name = mlc_text_unquote(p, file);
    if (!name.data || !mlc_text_small_int(p, line, &l) || !mlc_text_small_int(p, column, &c))
        return NULL;
    if (l > UINT32_MAX || c > UINT32_MAX)
        return mlc_parser_fail_wrong(p, "expected integer column number in FileLineColLoc"), NULL;
    return mlc_loc_file(p->ctx, name, (unsigned)l, (unsigned)c);
}

// --- numbers

MlcAttr
mlc_text_bool(MlcParser *p, MlcRun *run, bool value)
{
    (void)run;
    return mlc_bool_attr_get(p->ctx, value);
}

static bool
is_hex(MlcStr text)
{
    return text.size > 1 && text.data[1] == 'x';
}

// The value in `width` bits, if it is in range as upstream sees it: positive signed and index
// values keep the sign bit clear, negative ones set it.
static bool
read_wide(MlcParser *p, MlcType type, MlcStr text, bool negative, MlcWide *out)
{
    bool is_index = mlc_type_is(type, MLC_TYPE_INDEX);
    uint32_t width = is_index ? 64 : mlc_integer_type_width(type);
    bool is_signed = is_index || mlc_integer_type_signedness(type) == MLC_SIGNED;
    size_t bits = mlc_wide_parse_bits(text);
    if (width > 0 && bits > width) // 0 has one bit, and fits i0
        return false;
    MlcWide value;
    if (!mlc_wide_parse(&p->arena, width, text, &value))
        return false;
    if (negative) {
        value = mlc_wide_neg(&p->arena, value);
        if (!mlc_wide_is_negative(value))
            return false;
    } else if (is_signed && mlc_wide_is_negative(value)) {
        return false;
    }
    *out = value;
    return true;
}

// The bits of a float written in hexadecimal.
static bool
read_float_bits(MlcParser *p, MlcFloatKind kind, MlcStr text, const char *at, bool negative,
                MlcFloat *out)
{
    if (!is_hex(text)) {
        mlc_parser_fail_at(p, at, "unexpected decimal integer literal for a floating point value");
        mlc_note(p->ctx, mlc_parser_loc_of(p, at),
                 "add a trailing dot to make the literal a float");
        return false;
    }
    if (negative)
        return mlc_parser_fail_at(p, at,
                                  "hexadecimal float literal should not have a leading minus");
    MlcWide value;
    uint32_t width = mlc_float_info(kind)->width;
    if (mlc_wide_parse_bits(text) > width || !mlc_wide_parse(&p->arena, width, text, &value))
        return mlc_parser_fail_at(p, at, "hexadecimal float constant out of range for type");
    const uint64_t *words = mlc_wide_words(&value);
    *out = mlc_float_from_bits(kind, words[0], mlc_wide_num_words(value) > 1 ? words[1] : 0);
    return true;
}

static bool
read_float(MlcParser *p, MlcFloatKind kind, int token, MlcStr text, const char *at, bool negative,
           MlcFloat *out)
{
    if (token == TOK_INT)
        return read_float_bits(p, kind, text, at, negative, out);
    if (!mlc_float_parse_literal(kind, text, out))
        return mlc_parser_fail_at(p, at, "floating point value too large for attribute");
    if (negative)
        *out = mlc_float_neg(*out);
    return true;
}

static MlcAttr
integer_attr(MlcParser *p, MlcStr text, const char *at, bool negative, MlcType type)
{
    if (negative && mlc_type_is(type, MLC_TYPE_INTEGER) &&
        mlc_integer_type_signedness(type) == MLC_UNSIGNED)
        return mlc_parser_fail_at(p, at,
                                  "negative integer literal not valid for unsigned integer type"),
               NULL;
    // Most numbers fit whatever their sign.
    if (text.size < 9 && !is_hex(text) && mlc_type_bit_width(type) >= 32 &&
        mlc_type_bit_width(type) <= 64) {
        int64_t value = 0;
        for (size_t i = 0; i < text.size; i++)
            value = value * 10 + (text.data[i] - '0');
        if (value || !negative)
            return mlc_integer_attr_get(type, negative ? -value : value);
    }
    MlcWide value;
    if (!read_wide(p, type, text, negative, &value))
        return mlc_parser_fail_at(p, at, "integer constant out of range for attribute"), NULL;
    return mlc_integer_attr_get_wide(type, &value);
}

MlcAttr
mlc_text_number(MlcParser *p, int token, MlcStr text, const char *at, bool negative, MlcType type)
{
    if (!type)
        type = token == TOK_INT ? mlc_integer_type_get(p->ctx, 64, MLC_SIGNLESS)
                                : mlc_float_type_get(p->ctx, MLC_FLOAT_F64);
    if (mlc_type_is_float(type)) {
        MlcFloat value;
        if (!read_float(p, mlc_float_type_kind(type), token, text, at, negative, &value))
            return NULL;
        return mlc_float_attr_get_bits(type, value.lo, value.hi);
    }
    if (token == TOK_FLOAT)
        return mlc_parser_fail_at(p, at, "floating point value not valid for specified type"), NULL;
    if (!mlc_type_is_int_or_index(type))
        return mlc_parser_fail_at(p, at, "integer literal not valid for specified type"), NULL;
    return integer_attr(p, text, at, negative, type);
}

// --- literals of elements

void
mlc_literal_list_init(MlcLiteralList *list)
{
    list->elements.size = 0;
    list->shape.size = 0;
    list->depth = 0;
    list->leaf_depth = 0;
    list->is_bad = list->is_list = list->is_complex = list->in_complex = false;
}

void
mlc_literal_list_swap(MlcLiteralList *a, MlcLiteralList *b)
{
    MlcLiteralList tmp = *a;
    *a = *b;
    *b = tmp;
}

void
mlc_literal_open(MlcLiteralList *list)
{
    list->is_list = true;
    list->depth++;
    while (list->shape.size < list->depth)
        mlc_vec_push(&list->shape, -1);
}

void
mlc_literal_close(MlcLiteralList *list, size_t count)
{
    int64_t *dim = &list->shape.data[list->depth - 1];
    if (*dim >= 0 && *dim != (int64_t)count)
        list->is_bad = true;
    *dim = (int64_t)count;
    list->depth--;
}

void
mlc_literal_leaf(MlcLiteralList *list, int token, bool negative, MlcStr text)
{
    if (list->leaf_depth && list->leaf_depth != list->depth + 1)
        list->is_bad = true;
    list->leaf_depth = list->depth + 1;
    mlc_vec_push(&list->elements,
                 (MlcLiteral){.token = token, .negative = negative, .at = text.data, .text = text});
}

void
mlc_literal_complex(MlcLiteralList *list, bool begins)
{
    list->is_complex = true;
    list->in_complex = begins;
}

// Little-endian, `size` bytes.
static void
store(unsigned char *to, uint64_t lo, uint64_t hi, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = i < 8    ? (unsigned char)(lo >> (8 * i))
                : i < 16 ? (unsigned char)(hi >> (8 * (i - 8)))
                         : 0;
}

static bool
store_int(MlcParser *p, const MlcLiteral *e, MlcType type, unsigned char *to, size_t size)
{
    if (e->token == TOK_K_TRUE || e->token == TOK_K_FALSE) {
        if (!mlc_type_is_integer(type, 1))
            return mlc_parser_fail_at(p, e->at, "expected i1 type for 'true' or 'false' values");
        to[0] = e->token == TOK_K_TRUE;
        return true;
    }
    if (e->token != TOK_INT)
        return mlc_parser_fail_at(p, e->at, "expected integer elements, but parsed %s",
                                  e->token == TOK_FLOAT ? "floating-point" : "string");
    if (e->negative && mlc_type_is(type, MLC_TYPE_INTEGER) &&
        mlc_integer_type_signedness(type) == MLC_UNSIGNED)
        return mlc_parser_fail_at(p, e->at,
                                  "expected unsigned integer elements, but parsed negative value");
    MlcWide value;
    if (!read_wide(p, type, e->text, e->negative, &value))
        return mlc_parser_fail_at(p, e->at, "integer constant out of range for type");
    if (value.width <= 64) {
        store(to, (uint64_t)value.word, 0, size);
        return true;
    }
    memset(to, 0, size);
    mlc_wide_to_bytes(value, to);
    return true;
}

static bool
store_float(MlcParser *p, const MlcLiteral *e, MlcType type, unsigned char *to, size_t size)
{
    MlcFloat value;
    bool is_bits = e->token == TOK_INT && is_hex(e->text);
    if (!is_bits && e->token != TOK_FLOAT)
        return mlc_parser_fail_at(p, e->at, "expected floating-point elements, but parsed %s",
                                  e->token == TOK_STRING ? "string" : "integer");
    if (!read_float(p, mlc_float_type_kind(type), e->token, e->text, e->at, e->negative, &value))
        return false;
    store(to, value.lo, value.hi, size);
    return true;
}

static bool
store_scalar(MlcParser *p, const MlcLiteral *e, MlcType type, unsigned char *to, size_t size)
{
    return mlc_type_is_float(type) ? store_float(p, e, type, to, size)
                                   : store_int(p, e, type, to, size);
}

static bool
is_number_type(MlcType type)
{
    return mlc_type_is_float(type) || mlc_type_is_int_or_index(type);
}

// Bits per element in the raw form of upstream: whole bytes, except for i1.
static size_t
raw_bits(MlcType type)
{
    size_t bits = mlc_type_is(type, MLC_TYPE_INDEX) ? 64 : mlc_type_bit_width(type);
    return bits == 1 ? 1 : (bits + 7) / 8 * 8;
}

// dense<"0x..."> : bytes in memory order.
static MlcAttr
dense_from_hex(MlcParser *p, const MlcLiteral *literal, MlcType type, const char *at)
{
    MlcStr text = mlc_text_unquote(p, literal->text);
    if (!text.data)
        return NULL;
    if (text.size < 2 || text.data[0] != '0' || text.data[1] != 'x' || text.size % 2)
        return mlc_parser_fail_at(p, literal->at,
                                  "expected string containing hex digits starting with `0x`"),
               NULL;
    size_t num_bytes = text.size / 2 - 1;
    unsigned char *raw = mlc_malloc(num_bytes + 1);
    for (size_t i = 0; i < num_bytes; i++) {
        int high = hex_digit(text.data[2 + 2 * i]), low = hex_digit(text.data[3 + 2 * i]);
        if (high < 0 || low < 0) {
            mlc_free(raw);
            return mlc_parser_fail_at(p, literal->at,
                                      "expected string containing hex digits starting with `0x`"),
                   NULL;
        }
        raw[i] = (unsigned char)(high * 16 + low);
    }
    MlcType element = mlc_type_element(type);
    bool is_complex = mlc_type_is(element, MLC_TYPE_COMPLEX);
    MlcType scalar = is_complex ? mlc_type_element(element) : element;
    size_t bits = raw_bits(scalar), per = is_complex ? 2 : 1,
           count = (size_t)mlc_type_num_elements(type) * per;
    size_t size = mlc_elements_attr_element_bytes(scalar);
    bool is_splat = bits == 1 ? num_bytes == 1 && (raw[0] == 0 || raw[0] == 0xff || count == 1)
                              : num_bytes == bits / 8 * per;
    if (!is_splat && num_bytes != (bits == 1 ? (count + 7) / 8 : count * (bits / 8))) {
        mlc_free(raw);
        return mlc_parser_fail_at(p, at,
                                  "elements hex data size is invalid for provided type: '%s'",
                                  mlc_type_text(type)),
               NULL;
    }
    size_t num = is_splat ? per : count;
    MlcAttr attr;
    if (bits != 1 && size == bits / 8) {
        attr = mlc_dense_attr_get(type, raw, num * size, is_splat);
    } else {
        unsigned char *data = mlc_calloc(num ? num : 1, size);
        for (size_t i = 0; i < num; i++)
            if (bits == 1)
                data[i] = raw[i / 8] >> (i % 8) & 1;
            else
                memcpy(data + i * size, raw + i * (bits / 8), bits / 8);
        attr = mlc_dense_attr_get(type, data, num * size, is_splat);
        mlc_free(data);
    }
    mlc_free(raw);
    return attr;
}

static void
append_shape(MlcBuf *buf, const int64_t *shape, size_t rank)
{
    for (size_t i = 0; i < rank; i++) {
        mlc_buf_append_c(buf, i ? ", " : "");
        mlc_buf_append_int(buf, shape[i]);
    }
}

static bool
check_shape(MlcParser *p, const MlcLiteralList *list, MlcType type, const char *at)
{
    if (!list->is_list)
        return true;
    size_t rank = list->shape.size;
    if (rank == mlc_type_rank(type) &&
        memcmp(list->shape.data, mlc_type_shape(type), rank * sizeof(int64_t)) == 0)
        return true;
    MlcBuf have = {0}, want = {0};
    append_shape(&have, list->shape.data, rank);
    append_shape(&want, mlc_type_shape(type), mlc_type_rank(type));
    mlc_parser_fail_at(p, at,
                       "inferred shape of elements literal ([%s]) does not match type ([%s])",
                       mlc_buf_c_str(&have), mlc_buf_c_str(&want));
    mlc_buf_release(&have);
    mlc_buf_release(&want);
    return false;
}

static MlcAttr
dense_strings(MlcParser *p, const MlcLiteralList *list, MlcType type)
{
    size_t first = p->names.size;
    for (size_t i = 0; i < list->elements.size; i++) {
        const MlcLiteral *e = &list->elements.data[i];
        if (e->token != TOK_STRING)
            return mlc_parser_fail_at(p, e->at, "expected string elements"), NULL;
        MlcStr text = mlc_text_unquote(p, e->text);
        if (!text.data)
            return NULL;
        mlc_vec_push(&p->names, text);
    }
    MlcAttr attr = mlc_dense_string_attr_get(type, p->names.data + first, list->elements.size);
    p->names.size = first;
    return attr;
}

static bool
is_static_shaped(MlcParser *p, MlcType type, const char *at)
{
    if (!mlc_type_is_shaped(type))
        return mlc_parser_fail_at(p, at, "elements literal must be a shaped type");
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_parser_fail_at(p, at, "elements literal type must have static shape");
    if (mlc_type_num_elements(type) < 0)
        return mlc_parser_fail_at(p, at, "elements literal type has too many elements");
    return true;
}

MlcAttr
mlc_text_dense(MlcParser *p, MlcLiteralList *list, MlcType type, const char *at)
{
    if (!is_static_shaped(p, type, at))
        return NULL;
    if (list->is_bad)
        return mlc_parser_fail_at(
                   p, at, "tensor literal is invalid; ranks are not consistent between elements"),
               NULL;
    MlcType element = mlc_type_element(type);
    bool is_complex = mlc_type_is(element, MLC_TYPE_COMPLEX);
    MlcType scalar = is_complex ? mlc_type_element(element) : element;
    size_t count = list->elements.size;
    if (is_number_type(scalar) && count == 1 && !list->is_list &&
        list->elements.data[0].token == TOK_STRING)
        return dense_from_hex(p, &list->elements.data[0], type, at);
    if (!check_shape(p, list, type, at))
        return NULL;
    if (count == 0 && mlc_type_num_elements(type) > 0)
        return mlc_parser_fail_at(p, at,
                                  "parsed zero elements, but type ('%s') expected at least 1",
                                  mlc_type_text(type)),
               NULL;
    if (!is_number_type(scalar))
        return dense_strings(p, list, type);
    if (list->is_complex != is_complex && count)
        return mlc_parser_fail_at(
                   p, at, is_complex ? "expected complex elements" : "unexpected complex element"),
               NULL;
    size_t size = mlc_elements_attr_element_bytes(scalar), num_bytes;
    uint64_t limit = mlc_context_limits(p->ctx)->constant;
    if (size > 16 && (!mlc_mul_size(count, size, &num_bytes) || num_bytes > limit))
        return mlc_parser_fail_at(p, at,
                                  "%zu elements of %zu bytes each are above the limit of %llu "
                                  "bytes (--limit-constant)",
                                  count, size, (unsigned long long)limit),
               NULL;
    unsigned char *data = mlc_calloc(count ? count : 1, size);
    bool ok = true, is_splat = true;
    size_t step = size * (is_complex ? 2 : 1);
    for (size_t i = 0; ok && i < count; i++)
        ok = store_scalar(p, &list->elements.data[i], scalar, data + i * size, size);
    for (size_t i = step; ok && is_splat && i < count * size; i += step)
        is_splat = memcmp(data, data + i, step) == 0;
    is_splat = is_splat && count;
    MlcAttr attr =
        ok ? mlc_dense_attr_get(type, data, is_splat ? step : count * size, is_splat) : NULL;
    mlc_free(data);
    return attr;
}

MlcAttr
mlc_text_dense_array(MlcParser *p, MlcType element, const char *at)
{
    bool is_int = mlc_type_is(element, MLC_TYPE_INTEGER);
    unsigned width = is_int ? mlc_integer_type_width(element) : 0;
    if (is_int ? !(width == 1 || width == 8 || width == 16 || width == 32 || width == 64)
               : !(mlc_type_is_float(element) &&
                   (mlc_type_bit_width(element) == 32 || mlc_type_bit_width(element) == 64)))
        return mlc_parser_fail_at(p, at,
                                  is_int ? "element type bitwidth must be a multiple of 8"
                                         : "expected integer or float type"),
               NULL;
    size_t size = mlc_elements_attr_element_bytes(element), count = p->literal.elements.size;
    unsigned char *data = mlc_calloc(count ? count : 1, size);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = store_scalar(p, &p->literal.elements.data[i], element, data + i * size, size);
    MlcAttr attr = ok ? mlc_dense_array_attr_get(element, data, count) : NULL;
    mlc_free(data);
    return attr;
}

MlcAttr
mlc_text_resource(MlcParser *p, MlcStr key, MlcType type, const char *at)
{
    if (!mlc_type_is_shaped(type))
        return mlc_parser_fail_at(p, at, "`dense_resource` expected a shaped type"), NULL;
    return mlc_dense_resource_attr_get(type, key, NULL);
}

// Each row of the indices names an element of the type.
static bool
check_sparse_indices(MlcParser *p, MlcAttr indices, MlcType type, const char *at)
{
    size_t rank = mlc_type_rank(type), rows = (size_t)mlc_type_dim(mlc_attr_type(indices), 0);
    for (size_t row = 0; row < rows; row++) {
        MlcBuf text = {0};
        bool is_inside = true;
        for (size_t i = 0; i < rank; i++) {
            int64_t index = mlc_attr_as_int(mlc_elements_attr_element(indices, row * rank + i));
            is_inside &= index >= 0 && index < mlc_type_dim(type, i);
            append_shape(&text, &index, 1);
            mlc_buf_append_c(&text, i + 1 < rank ? ", " : "");
        }
        if (!is_inside)
            mlc_parser_fail_at(p, at,
                               "sparse index #%zu is not contained within the value shape, with "
                               "index=[%s], and type='%s'",
                               row, mlc_buf_c_str(&text), mlc_type_text(type));
        mlc_buf_release(&text);
        if (!is_inside)
            return false;
    }
    return true;
}

MlcAttr
mlc_text_sparse(MlcParser *p, MlcLiteralList *indices, MlcLiteralList *values, MlcType type,
                const char *at)
{
    if (!is_static_shaped(p, type, at))
        return NULL;
    int64_t rank = (int64_t)mlc_type_rank(type);
    int64_t n = values->is_list && values->shape.size ? values->shape.data[0]
                : values->elements.size               ? 1
                                                      : 0;
    MlcType i64 = mlc_integer_type_get(p->ctx, 64, MLC_SIGNLESS);
    // A splat of indices means one index vector of one value.
    bool flat = !indices->is_list || indices->shape.size == 1;
    int64_t index_shape[2] = {flat ? (indices->is_list && rank == 1 ? n : 1) : n, rank};
    if (!indices->elements.size)
        index_shape[0] = 0;
    if (indices->is_list && indices->shape.size == 1) { // [0, 1] stands for [[0, 1]]
        index_shape[0] = rank ? indices->shape.data[0] / rank : 0;
        indices->is_list = false;
    }
    MlcType index_type = mlc_tensor_type_get(i64, index_shape, 2, NULL);
    int64_t value_shape[1] = {n};
    MlcType value_type = mlc_tensor_type_get(mlc_type_element(type), value_shape, 1, NULL);
    MlcAttr index_attr = mlc_text_dense(p, indices, index_type, at);
    if (!index_attr || !check_sparse_indices(p, index_attr, type, at))
        return NULL;
    MlcAttr value_attr = mlc_text_dense(p, values, value_type, at);
    if (value_attr && index_shape[0] == 0) // values of no place are none
        value_attr = mlc_dense_attr_get(
            mlc_tensor_type_get(mlc_type_element(type), (int64_t[]){0}, 1, NULL), "", 0, false);
    return value_attr ? mlc_sparse_attr_get(type, index_attr, value_attr) : NULL;
}

// print_value.c -- types, attributes and locations, byte for byte as MLIR spells them.
#include <ctype.h>

#include "mlc/ir/blob.h"
#include "mlc/support/softfloat.h"
#include "print_impl.h"
#include "record/relation.h"

// --- types

static void
print_dims(MlcPrinter *p, MlcType type)
{
    MlcBuf *buf = p->buf;
    bool is_vector = mlc_type_is(type, MLC_TYPE_VECTOR);
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        int64_t dim = mlc_type_dim(type, i);
        bool scalable = is_vector && mlc_vector_type_is_scalable(type, i);
        if (scalable)
            mlc_buf_append_char(buf, '[');
        if (dim == MLC_DYNAMIC)
            mlc_buf_append_char(buf, '?');
        else
            mlc_buf_append_int(buf, dim);
        if (scalable)
            mlc_buf_append_char(buf, ']');
        mlc_buf_append_char(buf, 'x');
    }
}

static void
print_types(MlcPrinter *p, const MlcType *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            mlc_buf_append(p->buf, ", ", 2);
        mlc_print_type(p, types[i]);
    }
}

void
mlc_print_function_type(MlcPrinter *p, const MlcType *ins, size_t num_ins, const MlcType *outs,
                        size_t num_outs)
{
    mlc_buf_append_char(p->buf, '(');
    print_types(p, ins, num_ins);
    mlc_buf_append_c(p->buf, ") -> ");
    bool wrapped = num_outs != 1 || mlc_type_is(outs[0], MLC_TYPE_FUNCTION);
    if (wrapped)
        mlc_buf_append_char(p->buf, '(');
    print_types(p, outs, num_outs);
    if (wrapped)
        mlc_buf_append_char(p->buf, ')');
}

// "bar<...>" can stand behind a dot; anything else goes between angle brackets, but for what would
// make an arrow of the last one: it was read behind a dot.
static bool
is_simple_symbol(const char *text, size_t size)
{
    size_t i = 0;
    if (size > 0 && text[size - 1] == '-')
        return true;
    if (size == 0 || !isalpha((unsigned char)text[0]))
        return false;
    while (i < size && (isalnum((unsigned char)text[i]) || text[i] == '.' || text[i] == '_'))
        i++;
    return i == size || (text[i] == '<' && text[size - 1] == '>');
}

// Puts `dialect.` or `dialect<` before, and what is needed behind, the text from `start` on.
static void
wrap_symbol(MlcPrinter *p, char sigil, MlcStr dialect, size_t start)
{
    MlcBuf *buf = p->buf;
    size_t size = buf->size - start, prefix = dialect.size + 2;
    bool simple = is_simple_symbol(buf->data + start, size);
    mlc_buf_reserve(buf, prefix + 1);
    memmove(buf->data + start + prefix, buf->data + start, size);
    buf->data[start] = sigil;
    memcpy(buf->data + start + 1, dialect.data, dialect.size);
    buf->data[start + 1 + dialect.size] = simple ? '.' : '<';
    buf->size += prefix;
    if (!simple)
        mlc_buf_append_char(buf, '>');
}

static MlcStr
dialect_name(const char *name)
{
    const char *dot = strchr(name, '.');
    return mlc_str_n(name, dot ? (size_t)(dot - name) : strlen(name));
}

static const char *
mnemonic(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot ? dot + 1 : name;
}

void
mlc_print_stripped_type(MlcPrinter *p, MlcType type)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    if (def->print) {
        def->print(p, type);
        return;
    }
    if (!def->format)
        return;
    MlcAttr params[32];
    size_t count = mlc_dialect_type_num_params(type);
    for (size_t i = 0; i < count && i < 32; i++)
        params[i] = mlc_dialect_type_param(type, i);
    mlc_format_print_params(p, def->format, def->params, params, NULL);
}

static void
print_dialect_type(MlcPrinter *p, MlcType type)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    size_t start = p->buf->size;
    mlc_buf_append_c(p->buf, mnemonic(def->name));
    mlc_print_stripped_type(p, type);
    wrap_symbol(p, '!', dialect_name(def->name), start);
}

static void
print_memref(MlcPrinter *p, MlcType type, bool ranked)
{
    mlc_buf_append_c(p->buf, ranked ? "memref<" : "memref<*x");
    if (ranked)
        print_dims(p, type);
    mlc_print_type(p, mlc_type_element(type));
    MlcAttr layout = ranked ? mlc_memref_type_layout(type) : NULL,
            space = mlc_memref_type_memory_space(type);
    if (layout) {
        mlc_buf_append(p->buf, ", ", 2);
        mlc_print_attr_elided(p, layout, MLC_TYPE_MAY_BE_ELIDED);
    }
    if (space) {
        mlc_buf_append(p->buf, ", ", 2);
        mlc_print_attr_elided(p, space, MLC_TYPE_MAY_BE_ELIDED);
    }
    mlc_buf_append_char(p->buf, '>');
}

// What was printed of `symbol` before: texts do not change while a printer lives, once the aliases
// are known.
static bool
print_again(MlcPrinter *p, const void *symbol)
{
    if (p->is_collecting)
        return false;
    const MlcPrintedText **recent = &p->recent_texts[mlc_print_slot(symbol)];
    if (!*recent || (*recent)->symbol != symbol) {
        const MlcPrintedText *known = mlc_map_get(&p->texts, symbol);
        if (!known)
            return false;
        *recent = known;
    }
    mlc_buf_append_str(p->buf, (*recent)->text);
    return true;
}

static void
remember(MlcPrinter *p, const void *symbol, size_t start)
{
    size_t size = p->buf->size - start;
    if (p->is_collecting || p->gave_up || size > 256)
        return;
    MlcPrintedText *known = MLC_NEW(&p->arena, MlcPrintedText);
    known->symbol = symbol;
    known->text = mlc_arena_strdup(&p->arena, mlc_str_n(p->buf->data + start, size));
    mlc_map_set(&p->texts, symbol, known);
}

void
mlc_print_type_body(MlcPrinter *p, MlcType type)
{
    MlcBuf *buf = p->buf;
    size_t start;
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_INTEGER:
        if (mlc_integer_type_signedness(type) != MLC_SIGNLESS)
            mlc_buf_append_char(buf, mlc_integer_type_signedness(type) == MLC_SIGNED ? 's' : 'u');
        mlc_buf_append_char(buf, 'i');
        mlc_buf_append_uint(buf, mlc_integer_type_width(type));
        break;
    case MLC_TYPE_INDEX:
        mlc_buf_append(buf, "index", 5);
        break;
    case MLC_TYPE_FLOAT:
        mlc_buf_append_c(buf, mlc_float_info(mlc_float_type_kind(type))->name);
        break;
    case MLC_TYPE_NONE:
        mlc_buf_append(buf, "none", 4);
        break;
    case MLC_TYPE_COMPLEX:
        mlc_buf_append_c(buf, "complex<");
        mlc_print_type(p, mlc_type_element(type));
        mlc_buf_append_char(buf, '>');
        break;
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_TENSOR:
        mlc_buf_append_c(buf, mlc_type_is(type, MLC_TYPE_VECTOR) ? "vector<" : "tensor<");
        print_dims(p, type);
        mlc_print_type(p, mlc_type_element(type));
        if (mlc_type_is(type, MLC_TYPE_TENSOR) && mlc_tensor_type_encoding(type)) {
            mlc_buf_append(buf, ", ", 2);
            mlc_print_attribute(p, mlc_tensor_type_encoding(type));
        }
        mlc_buf_append_char(buf, '>');
        break;
    case MLC_TYPE_UNRANKED_TENSOR:
        mlc_buf_append_c(buf, "tensor<*x");
        mlc_print_type(p, mlc_type_element(type));
        mlc_buf_append_char(buf, '>');
        break;
    case MLC_TYPE_MEMREF:
    case MLC_TYPE_UNRANKED_MEMREF:
        print_memref(p, type, mlc_type_is(type, MLC_TYPE_MEMREF));
        break;
    case MLC_TYPE_FUNCTION:
        mlc_print_function_type(p, mlc_function_type_inputs(type),
                                mlc_function_type_num_inputs(type), mlc_function_type_results(type),
                                mlc_function_type_num_results(type));
        break;
    case MLC_TYPE_TUPLE:
        mlc_buf_append_c(buf, "tuple<");
        for (size_t i = 0; i < mlc_tuple_type_size(type); i++) {
            mlc_buf_append_c(buf, i ? ", " : "");
            mlc_print_type(p, mlc_tuple_type_element(type, i));
        }
        mlc_buf_append_char(buf, '>');
        break;
    case MLC_TYPE_DIALECT:
        print_dialect_type(p, type);
        break;
    case MLC_TYPE_OPAQUE:
        start = buf->size;
        mlc_buf_append_str(buf, mlc_opaque_type_body(type));
        wrap_symbol(p, '!', mlc_opaque_type_dialect(type), start);
        break;
    }
}

void
mlc_print_type(MlcPrinter *p, MlcType type)
{
    if (!type) {
        mlc_buf_append_c(p->buf, "<<NULL TYPE>>");
        return;
    }
    if (print_again(p, type)) // those with an alias never get there
        return;
    if (p->is_collecting ? mlc_visit_symbol(p, type, true, false) : mlc_print_alias(p, type))
        return;
    size_t start = p->buf->size;
    mlc_print_type_body(p, type);
    remember(p, type, start);
}

// --- elements

static uint64_t
load(const unsigned char *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size && i < 8; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static void
print_int_bytes(MlcBuf *buf, MlcType type, const unsigned char *at, size_t size)
{
    bool is_index = mlc_type_is(type, MLC_TYPE_INDEX);
    unsigned width = is_index ? 64 : mlc_integer_type_width(type);
    bool is_unsigned = !is_index && mlc_integer_type_signedness(type) == MLC_UNSIGNED;
    if (width == 1 && !is_index && mlc_integer_type_signedness(type) == MLC_SIGNLESS) {
        mlc_buf_append_c(buf, at[0] ? "true" : "false");
        return;
    }
    if (width <= 64) {
        uint64_t value = width == 0 ? 0 : load(at, size);
        if (is_unsigned)
            mlc_buf_append_uint(buf, width % 64 ? value & (UINT64_MAX >> (64 - width)) : value);
        else if (width == 0)
            mlc_buf_append_char(buf, '0');
        else
            mlc_buf_append_int(buf, (int64_t)(value << (64 - width)) >> (64 - width));
        return;
    }
    MlcArena arena = {0};
    MlcWide wide = mlc_wide_from_bytes(&arena, width, at, (width + 7) / 8);
    if (is_unsigned)
        mlc_wide_print_unsigned(buf, wide);
    else
        mlc_wide_print_signed(buf, wide);
    mlc_arena_release(&arena);
}

static void
print_scalar_bytes(MlcBuf *buf, MlcType type, const unsigned char *at, size_t size)
{
    if (!mlc_type_is_float(type)) {
        print_int_bytes(buf, type, at, size);
        return;
    }
    uint64_t hi = size > 8 ? load(at + 8, size - 8) : 0;
    mlc_float_print_literal(buf,
                            mlc_float_from_bits(mlc_float_type_kind(type), load(at, size), hi));
}

static void
print_element(MlcPrinter *p, MlcAttr attr, size_t i)
{
    MlcType element = mlc_type_element(mlc_attr_type(attr));
    bool is_complex = mlc_type_is(element, MLC_TYPE_COMPLEX);
    MlcType scalar = is_complex ? mlc_type_element(element) : element;
    size_t num_bytes, size = mlc_elements_attr_element_bytes(scalar);
    const unsigned char *data = mlc_elements_attr_data(attr, &num_bytes);
    if (!is_complex) {
        print_scalar_bytes(p->buf, scalar, data + i * size, size);
        return;
    }
    mlc_buf_append_char(p->buf, '(');
    print_scalar_bytes(p->buf, scalar, data + 2 * i * size, size);
    mlc_buf_append_char(p->buf, ',');
    print_scalar_bytes(p->buf, scalar, data + (2 * i + 1) * size, size);
    mlc_buf_append_char(p->buf, ')');
}

static void
print_string_element(MlcPrinter *p, MlcAttr attr, size_t i)
{
    mlc_buf_append_quoted(p->buf, mlc_dense_string_attr_element(attr, i));
}

// Nested brackets by shape.
static void
print_elements(MlcPrinter *p, MlcAttr attr, bool is_splat,
               void (*print)(MlcPrinter *p, MlcAttr attr, size_t i))
{
    MlcType type = mlc_attr_type(attr);
    size_t rank = mlc_type_rank(type), count = (size_t)mlc_type_num_elements(type);
    if (is_splat) {
        print(p, attr, 0);
        return;
    }
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        size_t span = 1, opened = 0, closed = 0;
        for (size_t d = rank; d-- > 0;) {
            span *= (size_t)mlc_type_dim(type, d);
            opened += i % span == 0;
            closed += (i + 1) % span == 0;
        }
        mlc_buf_append_c(p->buf, i ? ", " : "");
        mlc_buf_append_repeated(p->buf, '[', opened);
        print(p, attr, i);
        mlc_buf_append_repeated(p->buf, ']', closed);
    }
}

static void
print_hex_bytes(MlcBuf *buf, const unsigned char *data, size_t size)
{
    static const char digits[] = "0123456789ABCDEF";
    char *to = mlc_buf_reserve(buf, 2 * size);
    for (size_t i = 0; i < size; i++) {
        to[2 * i] = digits[data[i] >> 4];
        to[2 * i + 1] = digits[data[i] & 15];
    }
    buf->size += 2 * size;
}

// The elements as upstream stores them: i1 packed, other widths rounded up to bytes.
static void
print_hex_elements(MlcPrinter *p, MlcAttr attr)
{
    MlcType element = mlc_type_element(mlc_attr_type(attr));
    MlcType scalar = mlc_type_is(element, MLC_TYPE_COMPLEX) ? mlc_type_element(element) : element;
    size_t num_bytes, size = mlc_elements_attr_element_bytes(scalar);
    const unsigned char *data = mlc_elements_attr_data(attr, &num_bytes);
    size_t bits = mlc_type_is(scalar, MLC_TYPE_INDEX) ? 64 : mlc_type_bit_width(scalar),
           count = num_bytes / size;
    mlc_buf_append_c(p->buf, "\"0x");
    if (bits == 1) {
        for (size_t i = 0; i < count; i += 8) {
            unsigned char byte = 0;
            for (size_t j = i; j < i + 8 && j < count; j++)
                byte |= (unsigned char)((data[j] & 1) << (j - i));
            print_hex_bytes(p->buf, &byte, 1);
        }
    } else if ((bits + 7) / 8 == size) {
        print_hex_bytes(p->buf, data, num_bytes);
    } else {
        for (size_t i = 0; i < count; i++)
            print_hex_bytes(p->buf, data + i * size, (bits + 7) / 8);
    }
    mlc_buf_append_char(p->buf, '"');
}

static void
print_dense_body(MlcPrinter *p, MlcAttr attr, bool allow_hex)
{
    bool is_splat = mlc_elements_attr_is_splat(attr);
    if (!is_splat && allow_hex && mlc_type_num_elements(mlc_attr_type(attr)) > 100)
        print_hex_elements(p, attr);
    else
        print_elements(p, attr, is_splat, print_element);
}

static void
print_dense(MlcPrinter *p, MlcAttr attr)
{
    int64_t limit = p->flags.elide_elements_over;
    if (limit >= 0 && !mlc_elements_attr_is_splat(attr) &&
        mlc_type_num_elements(mlc_attr_type(attr)) > limit) {
        mlc_buf_append_c(p->buf, "dense_resource<__elided__>");
        return;
    }
    mlc_buf_append_c(p->buf, "dense<");
    print_dense_body(p, attr, true);
    mlc_buf_append_char(p->buf, '>');
}

static void
print_string_elements(MlcPrinter *p, MlcAttr attr)
{
    bool is_splat = true;
    size_t count = (size_t)mlc_type_num_elements(mlc_attr_type(attr));
    for (size_t i = 1; is_splat && i < count; i++)
        is_splat = mlc_str_equal(mlc_dense_string_attr_element(attr, 0),
                                 mlc_dense_string_attr_element(attr, i));
    print_elements(p, attr, is_splat && count, print_string_element);
}

static void
print_dense_strings(MlcPrinter *p, MlcAttr attr)
{
    mlc_buf_append_c(p->buf, "dense<");
    print_string_elements(p, attr);
    mlc_buf_append_char(p->buf, '>');
}

static void
print_sparse(MlcPrinter *p, MlcAttr attr)
{
    MlcAttr indices = mlc_sparse_attr_indices(attr), values = mlc_sparse_attr_values(attr);
    mlc_buf_append_c(p->buf, "sparse<");
    if (mlc_type_num_elements(mlc_attr_type(indices)) > 0) {
        print_dense_body(p, indices, false);
        mlc_buf_append(p->buf, ", ", 2);
        if (mlc_attr_is(values, MLC_ATTR_DENSE_STRING))
            print_string_elements(p, values);
        else
            print_dense_body(p, values, true);
    }
    mlc_buf_append_char(p->buf, '>');
}

static void
print_resource(MlcPrinter *p, MlcAttr attr)
{
    mlc_buf_append_c(p->buf, "dense_resource<");
    mlc_print_keyword_or_string(p->buf, mlc_dense_resource_attr_key(attr));
    mlc_buf_append_char(p->buf, '>');
    if (mlc_dense_resource_attr_blob(attr) &&
        mlc_map_add(&p->resource_seen, mlc_dense_resource_attr_blob(attr)))
        mlc_vec_push(&p->resources, attr);
}

static void
print_dense_array(MlcPrinter *p, MlcAttr attr)
{
    MlcType element = mlc_dense_array_attr_element_type(attr);
    size_t size = mlc_elements_attr_element_bytes(element);
    const unsigned char *data = mlc_dense_array_attr_data(attr);
    for (size_t i = 0; i < mlc_dense_array_attr_size(attr); i++) {
        mlc_buf_append_c(p->buf, i ? ", " : "");
        print_scalar_bytes(p->buf, element, data + i * size, size);
    }
}

// --- attributes

static bool
is_bare_identifier(MlcStr s)
{
    if (s.size == 0 || !(isalpha((unsigned char)s.data[0]) || s.data[0] == '_'))
        return false;
    for (size_t i = 1; i < s.size; i++)
        if (!isalnum((unsigned char)s.data[i]) && s.data[i] != '_' && s.data[i] != '$' &&
            s.data[i] != '.')
            return false;
    return true;
}

void
mlc_print_keyword_or_string(MlcBuf *buf, MlcStr text)
{
    if (is_bare_identifier(text))
        mlc_buf_append_str(buf, text);
    else
        mlc_buf_append_quoted(buf, text);
}

void
mlc_print_symbol_name(MlcPrinter *p, MlcStr name)
{
    mlc_buf_append_char(p->buf, '@');
    mlc_print_keyword_or_string(p->buf, name);
}

void
mlc_print_named_attr(MlcPrinter *p, MlcNamedAttr attr)
{
    mlc_print_keyword_or_string(p->buf, mlc_string_attr_value(attr.name));
    if (mlc_attr_is(attr.value, MLC_ATTR_UNIT))
        return;
    mlc_buf_append(p->buf, " = ", 3);
    mlc_print_attribute(p, attr.value);
}

static void
print_int_attr(MlcPrinter *p, MlcAttr attr)
{
    MlcType type = mlc_attr_type(attr);
    int64_t value;
    bool is_integer = mlc_type_is(type, MLC_TYPE_INTEGER);
    bool is_unsigned = is_integer && mlc_integer_type_signedness(type) == MLC_UNSIGNED;
    if (!is_unsigned && mlc_attr_try_as_int(attr, &value)) {
        mlc_buf_append_int(p->buf, value);
        return;
    }
    MlcWide wide = mlc_attr_wide(attr);
    if (is_unsigned)
        mlc_wide_print_unsigned(p->buf, wide);
    else
        mlc_wide_print_signed(p->buf, wide);
}

void
mlc_print_enum(MlcPrinter *p, const MlcAttrDef *def, int64_t value)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->cases[i].value == value) {
            mlc_print_keyword_or_string(p->buf, mlc_str(def->cases[i].name));
            return;
        }
    if (!def->is_bit_enum) {
        mlc_buf_append_int(p->buf, value);
        return;
    }
    // The bits, lowest first; a case of several bits stands for them when all are set. What is
    // separated by a bar is no token, so it stands in quotes.
    bool any = false;
    const char *separator = def->separator ? def->separator : ",";
    bool is_quoted = strcmp(separator, "|") == 0;
    int64_t left = value;
    if (is_quoted)
        mlc_buf_append_char(p->buf, '"');
    for (size_t i = 0; i < def->num_cases; i++) {
        int64_t bits = def->cases[i].value;
        bool covered = bits == 0 || (left & bits) != bits;
        for (size_t j = 0; !covered && j < def->num_cases; j++) {
            int64_t wider = def->cases[j].value;
            covered = wider == bits ? j < i // another name of the same
                                    : (wider & bits) == bits && (value & wider) == wider;
        }
        if (covered)
            continue;
        if (any)
            mlc_buf_append_c(p->buf, separator);
        mlc_buf_append_c(p->buf, def->cases[i].name);
        any = true;
    }
    if (is_quoted)
        mlc_buf_append_char(p->buf, '"');
}

void
mlc_print_stripped_attr(MlcPrinter *p, MlcAttr attr)
{
    const MlcAttrDef *def = mlc_dialect_attr_def(attr);
    if (def->print) {
        def->print(p, attr);
        return;
    }
    if (def->num_cases && !def->format) {
        mlc_buf_append_char(p->buf, '<');
        mlc_print_enum(p, def, mlc_enum_attr_value(attr));
        mlc_buf_append_char(p->buf, '>');
        return;
    }
    if (!def->format)
        return;
    MlcAttr params[32];
    size_t count = mlc_dialect_attr_num_params(attr);
    for (size_t i = 0; i < count && i < 32; i++)
        params[i] = mlc_dialect_attr_param(attr, i);
    mlc_format_print_params(p, def->format, def->params, params, def->num_cases ? def : NULL);
}

static void
print_dialect_attr(MlcPrinter *p, MlcAttr attr)
{
    const MlcAttrDef *def = mlc_dialect_attr_def(attr);
    size_t start = p->buf->size;
    mlc_buf_append_c(p->buf, mnemonic(def->name));
    mlc_print_stripped_attr(p, attr);
    wrap_symbol(p, '#', dialect_name(def->name), start);
}

static void
print_distinct(MlcPrinter *p, MlcAttr attr)
{
    p->gave_up |= p->is_worker; // numbers count through the whole text
    bool inserted;
    MlcMapEntry *entry = mlc_map_insert(&p->distinct_numbers, (uint64_t)(uintptr_t)attr, &inserted);
    if (inserted)
        entry->value = p->next_distinct++;
    mlc_buf_printf(p->buf, "distinct[%u]<", (unsigned)entry->value);
    MlcAttr referenced = mlc_distinct_attr_referenced(attr);
    if (!mlc_attr_is(referenced, MLC_ATTR_UNIT))
        mlc_print_attribute(p, referenced);
    mlc_buf_append_char(p->buf, '>');
}

static void
print_strided(MlcPrinter *p, MlcAttr attr)
{
    mlc_buf_append_c(p->buf, "strided<[");
    for (size_t i = 0; i < mlc_strided_layout_attr_size(attr); i++) {
        int64_t stride = mlc_strided_layout_attr_strides(attr)[i];
        mlc_buf_append_c(p->buf, i ? ", " : "");
        if (stride == MLC_DYNAMIC)
            mlc_buf_append_char(p->buf, '?');
        else
            mlc_buf_append_int(p->buf, stride);
    }
    mlc_buf_append_char(p->buf, ']');
    int64_t offset = mlc_strided_layout_attr_offset(attr);
    if (offset == MLC_DYNAMIC)
        mlc_buf_append_c(p->buf, ", offset: ?");
    else if (offset != 0)
        mlc_buf_printf(p->buf, ", offset: %lld", (long long)offset);
    mlc_buf_append_char(p->buf, '>');
}

static void
print_list(MlcPrinter *p, MlcAttr attr)
{
    mlc_buf_append_char(p->buf, '[');
    for (size_t i = 0; i < mlc_array_attr_size(attr); i++) {
        if (i)
            mlc_buf_append(p->buf, ", ", 2);
        mlc_print_attr_elided(p, mlc_array_attr_element(attr, i), MLC_TYPE_MAY_BE_ELIDED);
    }
    mlc_buf_append_char(p->buf, ']');
}

static void
print_dict(MlcPrinter *p, MlcAttr attr)
{
    mlc_buf_append_char(p->buf, '{');
    for (size_t i = 0; i < mlc_dict_attr_size(attr); i++) {
        if (i)
            mlc_buf_append(p->buf, ", ", 2);
        mlc_print_named_attr(p, mlc_dict_attr_entry(attr, i));
    }
    mlc_buf_append_char(p->buf, '}');
}

static void
print_symbol_ref(MlcPrinter *p, MlcAttr attr)
{
    for (size_t i = 0; i < mlc_symbol_ref_attr_size(attr); i++) {
        mlc_buf_append_c(p->buf, i ? "::" : "");
        mlc_print_symbol_name(p, mlc_symbol_ref_attr_name(attr, i));
    }
}

// True if the type behind it is left out whatever the caller wants.
static bool
print_attr_value(MlcPrinter *p, MlcAttr attr, MlcTypeElision elision)
{
    MlcBuf *buf = p->buf;
    MlcType type;
    size_t start;
    uint64_t lo, hi;
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_UNIT:
        mlc_buf_append(buf, "unit", 4);
        return true;
    case MLC_ATTR_INTEGER:
        type = mlc_attr_type(attr);
        if (mlc_type_is_integer(type, 1)) {
            mlc_buf_append_c(buf, mlc_attr_as_bool(attr) ? "true" : "false");
            return true;
        }
        print_int_attr(p, attr);
        return elision == MLC_TYPE_MAY_BE_ELIDED && mlc_type_is_integer(type, 64);
    case MLC_ATTR_FLOAT:
        type = mlc_attr_type(attr);
        mlc_float_attr_bits(attr, &lo, &hi);
        bool printed_bits =
            mlc_float_print_literal(buf, mlc_float_from_bits(mlc_float_type_kind(type), lo, hi));
        return elision == MLC_TYPE_MAY_BE_ELIDED && mlc_float_type_kind(type) == MLC_FLOAT_F64 &&
               !printed_bits;
    case MLC_ATTR_STRING:
        mlc_buf_append_quoted(buf, mlc_string_attr_value(attr));
        return false;
    case MLC_ATTR_ARRAY:
        print_list(p, attr);
        return true;
    case MLC_ATTR_DICT:
        print_dict(p, attr);
        return true;
    case MLC_ATTR_TYPE:
        mlc_print_type(p, mlc_type_attr_value(attr));
        return true;
    case MLC_ATTR_SYMBOL_REF:
        print_symbol_ref(p, attr);
        return true;
    case MLC_ATTR_AFFINE_MAP:
        mlc_buf_append_c(buf, "affine_map<");
        mlc_affine_map_print(mlc_affine_map_attr_value(attr), buf);
        mlc_buf_append_char(buf, '>');
        return true;
    case MLC_ATTR_INTEGER_SET:
        mlc_buf_append_c(buf, "affine_set<");
        mlc_integer_set_print(mlc_integer_set_attr_value(attr), buf);
        mlc_buf_append_char(buf, '>');
        return true;
    case MLC_ATTR_DENSE:
        print_dense(p, attr);
        return false;
    case MLC_ATTR_DENSE_STRING:
        print_dense_strings(p, attr);
        return false;
    case MLC_ATTR_DENSE_RESOURCE:
        print_resource(p, attr);
        return false;
    case MLC_ATTR_SPARSE:
        print_sparse(p, attr);
        return false;
    case MLC_ATTR_DENSE_ARRAY:
        mlc_buf_append_c(buf, "array<");
        mlc_print_type(p, mlc_dense_array_attr_element_type(attr));
        if (mlc_dense_array_attr_size(attr))
            mlc_buf_append_c(buf, ": ");
        print_dense_array(p, attr);
        mlc_buf_append_char(buf, '>');
        return true;
    case MLC_ATTR_STRIDED_LAYOUT:
        print_strided(p, attr);
        return true;
    case MLC_ATTR_DISTINCT:
        print_distinct(p, attr);
        return true;
    case MLC_ATTR_LOC:
        mlc_buf_append_c(buf, "loc(");
        mlc_print_loc_body(p, mlc_attr_as_loc(attr), false, true);
        mlc_buf_append_char(buf, ')');
        return true;
    case MLC_ATTR_DIALECT:
        print_dialect_attr(p, attr);
        return true;
    case MLC_ATTR_OPAQUE:
        start = buf->size;
        mlc_buf_append_str(buf, mlc_opaque_attr_body(attr));
        wrap_symbol(p, '#', mlc_opaque_attr_dialect(attr), start);
        return false;
    }
    return true;
}

void
mlc_print_attr_body(MlcPrinter *p, MlcAttr attr, MlcTypeElision elision)
{
    bool done = print_attr_value(p, attr, elision);
    MlcType type = done || elision == MLC_TYPE_ELIDED ? NULL : mlc_attr_type(attr);
    if (!type || mlc_type_is(type, MLC_TYPE_NONE))
        return;
    mlc_buf_append(p->buf, " : ", 3);
    mlc_print_type(p, type);
}

void
mlc_print_attr_elided(MlcPrinter *p, MlcAttr attr, MlcTypeElision elision)
{
    if (!attr) {
        mlc_buf_append_c(p->buf, "<<NULL ATTRIBUTE>>");
        return;
    }
    bool is_costly = elision == MLC_TYPE_NEVER_ELIDED && (mlc_attr_is(attr, MLC_ATTR_DIALECT) ||
                                                          mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY));
    if (is_costly && print_again(p, attr))
        return;
    bool is_loc = mlc_attr_is(attr, MLC_ATTR_LOC);
    const void *symbol = is_loc ? (const void *)mlc_attr_as_loc(attr) : attr;
    if (p->is_collecting ? mlc_visit_symbol(p, symbol, false, is_loc) : mlc_print_alias(p, symbol))
        return;
    size_t start = p->buf->size;
    mlc_print_attr_body(p, attr, elision);
    if (is_costly)
        remember(p, attr, start);
}

void
mlc_print_attribute(MlcPrinter *p, MlcAttr attr)
{
    mlc_print_attr_elided(p, attr, MLC_TYPE_NEVER_ELIDED);
}

void
mlc_print_attribute_without_type(MlcPrinter *p, MlcAttr attr)
{
    mlc_print_attr_elided(p, attr, MLC_TYPE_ELIDED);
}

// [1, 2]: a dense array without array<...>, and what custom syntax shows of other attributes.
void
mlc_print_slot_attr(MlcPrinter *p, const MlcConstraint *constraint, MlcAttr attr, bool qualified)
{
    if (!attr) {
        mlc_print_attribute(p, attr);
        return;
    }
    const MlcConstraint *part = mlc_constraint_part(constraint, MLC_CONSTRAINT_DIALECT_ATTR);
    bool is_dialect = part != NULL;
    const MlcAttrDef *def = is_dialect ? mlc_context_attr(p->ctx, mlc_str(part->names[0])) : NULL;
    if (def && def->is_bare_integer && mlc_attr_is(attr, MLC_ATTR_INTEGER)) {
        mlc_print_enum(p, def, mlc_enum_attr_value(attr));
        return;
    }
    if (constraint && constraint->name && strcmp(constraint->name, "symbol_name") == 0 &&
        mlc_attr_is(attr, MLC_ATTR_STRING)) {
        mlc_print_symbol_name(p, mlc_string_attr_value(attr));
        return;
    }
    if (!qualified && def && mlc_attr_is(attr, MLC_ATTR_DIALECT) &&
        mlc_dialect_attr_def(attr) == def) {
        if (p->is_collecting ? !mlc_visit_symbol(p, attr, false, false) : !mlc_print_alias(p, attr))
            mlc_print_stripped_attr(p, attr);
        return;
    }
    if (!qualified && mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY)) {
        mlc_buf_append_char(p->buf, '[');
        print_dense_array(p, attr);
        mlc_buf_append_char(p->buf, ']');
        return;
    }
    const MlcConstraint *typed = mlc_constraint_part(constraint, MLC_CONSTRAINT_ATTR_TYPE);
    bool is_typed = typed && mlc_constraint_only_type(p->ctx, typed->args[0]) &&
                    (mlc_attr_is(attr, MLC_ATTR_INTEGER) || mlc_attr_is(attr, MLC_ATTR_FLOAT));
    mlc_print_attr_elided(p, attr, is_typed ? MLC_TYPE_ELIDED : MLC_TYPE_NEVER_ELIDED);
}

// --- locations

void
mlc_print_loc_body(MlcPrinter *p, MlcLoc loc, bool pretty, bool is_top)
{
    MlcBuf *buf = p->buf;
    if (!is_top &&
        (p->is_collecting ? mlc_visit_symbol(p, loc, false, true) : mlc_print_alias(p, loc)))
        return;
    switch (mlc_loc_kind(loc)) {
    case MLC_LOC_UNKNOWN:
        mlc_buf_append_c(buf, pretty ? "[unknown]" : "unknown");
        break;
    case MLC_LOC_FILE:
        if (pretty)
            mlc_buf_append_str(buf, mlc_loc_file_name(p->ctx, loc));
        else
            mlc_buf_append_quoted(buf, mlc_loc_file_name(p->ctx, loc));
        mlc_buf_printf(buf, ":%u:%u", mlc_loc_line(loc), mlc_loc_column(loc));
        break;
    case MLC_LOC_NAME:
        mlc_buf_append_quoted(buf, mlc_loc_name_str(loc));
        if (mlc_loc_kind(mlc_loc_child(loc, 0)) != MLC_LOC_UNKNOWN) {
            mlc_buf_append_char(buf, '(');
            mlc_print_loc_body(p, mlc_loc_child(loc, 0), pretty, false);
            mlc_buf_append_char(buf, ')');
        }
        break;
    case MLC_LOC_CALLSITE:
        if (!pretty)
            mlc_buf_append_c(buf, "callsite(");
        mlc_print_loc_body(p, mlc_loc_child(loc, 0), pretty, false);
        mlc_buf_append_c(buf, " at ");
        mlc_print_loc_body(p, mlc_loc_child(loc, 1), pretty, false);
        if (!pretty)
            mlc_buf_append_char(buf, ')');
        break;
    case MLC_LOC_FUSED:
        if (!pretty)
            mlc_buf_append_c(buf, "fused");
        if (mlc_loc_metadata(loc)) {
            mlc_buf_append_char(buf, '<');
            mlc_print_attribute(p, mlc_loc_metadata(loc));
            mlc_buf_append_char(buf, '>');
        }
        mlc_buf_append_char(buf, '[');
        for (size_t i = 0; i < mlc_loc_num_children(loc); i++) {
            mlc_buf_append_c(buf, i ? ", " : "");
            mlc_print_loc_body(p, mlc_loc_child(loc, i), pretty, false);
        }
        mlc_buf_append_char(buf, ']');
        break;
    }
}

void
mlc_print_trailing_loc(MlcPrinter *p, MlcLoc loc, bool allow_alias)
{
    if (!p->flags.debug_info || p->is_collecting)
        return;
    mlc_buf_append_char(p->buf, ' ');
    if (p->flags.pretty_debug_info) {
        mlc_print_loc_body(p, loc, true, true);
        return;
    }
    mlc_buf_append_c(p->buf, "loc(");
    if (!allow_alias || !mlc_print_alias(p, loc))
        mlc_print_loc_body(p, loc, false, true);
    mlc_buf_append_char(p->buf, ')');
}

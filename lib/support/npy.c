// npy.c -- NumPy's .npy files, versions 1 to 3: magic, version, length of the header, and the
// header, a Python dictionary.
//
// The dictionary is what numpy.lib.format writes and nothing more: three keys in any order,
// strings, a bool and a tuple of integers. Whatever else a Python expression might be is refused
// with words.
#include "mlc/support/npy.h"

static const char magic[6] = "\x93NUMPY";

typedef struct Scanner {
    const char *at, *end;
} Scanner;

static void
skip_spaces(Scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t'))
        s->at++;
}

static bool
take(Scanner *s, char c)
{
    skip_spaces(s);
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

static bool
take_word(Scanner *s, const char *word)
{
    skip_spaces(s);
    size_t size = strlen(word);
    if ((size_t)(s->end - s->at) < size || memcmp(s->at, word, size) != 0)
        return false;
    s->at += size;
    return true;
}

static bool
take_string(Scanner *s, MlcStr *text)
{
    char quote = take(s, '\'') ? '\'' : '"';
    if (quote == '"' && !take(s, '"'))
        return false;
    const char *end = memchr(s->at, quote, (size_t)(s->end - s->at));
    if (!end)
        return false;
    *text = mlc_str_n(s->at, (size_t)(end - s->at));
    s->at = end + 1;
    return true;
}

static bool
take_size(Scanner *s, int64_t *value)
{
    skip_spaces(s);
    const char *first = s->at;
    *value = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, *s->at - '0', value))
            return false;
    return s->at > first;
}

static bool
fail(MlcBuf *error, const char *what)
{
    mlc_buf_printf(error, "%s", what);
    return false;
}

static bool
read_shape(Scanner *s, MlcNpy *npy, MlcBuf *error)
{
    if (!take(s, '('))
        return fail(error, "the .npy header's shape is no tuple");
    while (!take(s, ')')) {
        if (npy->rank == MLC_NPY_MAX_RANK)
            return fail(error, "the .npy array has more than 32 dimensions");
        if (!take_size(s, &npy->dims[npy->rank]))
            return fail(error,
                        "the .npy header's shape has a size that is no number from 0 to 2^63 - 1");
        npy->rank++;
        if (!take(s, ',') && npy->rank > 0 && (skip_spaces(s), s->at == s->end || *s->at != ')'))
            return fail(error, "the .npy header's shape does not end");
    }
    return true;
}

static bool
read_type(MlcStr descr, MlcNpy *npy, MlcBuf *error)
{
    Scanner s = {descr.data, descr.data + descr.size};
    int64_t bytes = 0;
    char order = descr.size > 0 ? *s.at++ : 0;
    char kind = s.at < s.end ? *s.at++ : 0;
    bool has_size = take_size(&s, &bytes), is_text = kind == 'U';
    if (has_size && is_text && bytes <= MLC_NPY_MAX_CHARACTERS)
        bytes *= 4;
    if (!has_size || s.at != s.end || !strchr("<>=|", order) || !strchr("fiubcVU", kind) || !kind ||
        bytes < !is_text ||
        bytes > (is_text ? 4 * MLC_NPY_MAX_CHARACTERS : MLC_NPY_MAX_ITEM_BYTES)) {
        mlc_buf_printf(error, "the .npy type '%.*s' is not read: numbers, bools and texts only",
                       MLC_STR_FMT(descr));
        return false;
    }
    if (order == '>' && bytes > 1) {
        mlc_buf_printf(error,
                       "the .npy type '%.*s' is big-endian: convert it, e.g. array.astype('<%c%d')",
                       MLC_STR_FMT(descr), kind, (int)bytes);
        return false;
    }
    npy->kind = kind;
    npy->item_bytes = (unsigned)bytes;
    return true;
}

static bool
read_dictionary(Scanner *s, MlcNpy *npy, MlcBuf *error)
{
    bool has_type = false, has_order = false, has_shape = false;
    if (!take(s, '{'))
        return fail(error, "the .npy header is no dictionary");
    while (!take(s, '}')) {
        MlcStr key, descr;
        if (!take_string(s, &key) || !take(s, ':'))
            return fail(error, "the .npy header is damaged");
        if (mlc_str_equal(key, mlc_str("descr")) && !has_type) {
            if (!take_string(s, &descr))
                return fail(error, "the .npy array is of structures, which are not read");
            has_type = true;
            if (!read_type(descr, npy, error))
                return false;
        } else if (mlc_str_equal(key, mlc_str("fortran_order")) && !has_order) {
            has_order = true;
            if (take_word(s, "True"))
                return fail(error,
                            "the .npy array is column-major: save numpy.ascontiguousarray(array)");
            if (!take_word(s, "False"))
                return fail(error, "the .npy header's fortran_order is no bool");
        } else if (mlc_str_equal(key, mlc_str("shape")) && !has_shape) {
            has_shape = true;
            if (!read_shape(s, npy, error))
                return false;
        } else {
            return fail(error, "the .npy header has a key that is not known, or one twice");
        }
        take(s, ',');
    }
    return (has_type && has_order && has_shape) ||
           fail(error, "the .npy header lacks one of descr, fortran_order, shape");
}

bool
mlc_npy_read(const void *bytes, size_t size, MlcNpy *npy, MlcBuf *error)
{
    const unsigned char *head = bytes;
    *npy = (MlcNpy){0};
    if (size < 12 || memcmp(head, magic, sizeof magic) != 0)
        return fail(error, "no .npy file: it does not begin with numpy's mark");
    unsigned version = head[6];
    if (version < 1 || version > 3)
        return fail(error, "the .npy file's version is not 1, 2 or 3");
    size_t start = version == 1 ? 10 : 12;
    size_t length = (size_t)head[8] | (size_t)head[9] << 8;
    if (version > 1)
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    if (length > size - start)
        return fail(error, "the .npy file ends within its header");
    Scanner s = {(const char *)bytes + start, (const char *)bytes + start + length};
    if (!read_dictionary(&s, npy, error))
        return false;
    size_t num_bytes = npy->item_bytes;
    for (int i = 0; i < npy->rank; i++)
        if (__builtin_mul_overflow(num_bytes, (size_t)npy->dims[i], &num_bytes))
            return fail(error, "the .npy array is larger than memory can be");
    if (num_bytes > size - start - length) {
        mlc_buf_printf(error, "the .npy file ends early: %zu bytes of data expected, got %zu",
                       num_bytes, size - start - length);
        return false;
    }
    npy->data = s.end;
    npy->num_bytes = num_bytes;
    return true;
}

void
mlc_npy_write_header(MlcBuf *out, char kind, unsigned item_bytes, const int64_t *dims, int rank)
{
    MlcBuf text;
    mlc_buf_init(&text);
    mlc_buf_printf(&text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
                   item_bytes > 1 || kind == 'U' ? '<' : '|', kind,
                   kind == 'U' ? item_bytes / 4 : item_bytes);
    for (int i = 0; i < rank; i++)
        mlc_buf_printf(&text, i + 1 < rank || rank == 1 ? "%lld," : "%lld", (long long)dims[i]);
    mlc_buf_append_str(&text, mlc_str("), }"));
    // Spaces, then a newline, up to a multiple of 64 bytes; 10 stand before the text.
    mlc_buf_append_repeated(&text, ' ', 63 - (10 + text.size) % 64);
    mlc_buf_append_str(&text, mlc_str("\n"));
    mlc_buf_append(out, magic, sizeof magic);
    unsigned char rest[4] = {1, 0, (unsigned char)(text.size & 0xff),
                             (unsigned char)(text.size >> 8)};
    mlc_buf_append(out, rest, sizeof rest);
    mlc_buf_append(out, text.data, text.size);
    mlc_buf_release(&text);
}

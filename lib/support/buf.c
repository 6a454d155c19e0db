// buf.c -- growing, numbers, escapes.
#include "mlc/support/buf.h"

#include <stdio.h>

void
mlc_buf_init(MlcBuf *buf)
{
    memset(buf, 0, sizeof *buf);
}

void
mlc_buf_release(MlcBuf *buf)
{
    mlc_free(buf->data);
    mlc_buf_init(buf);
}

char *
mlc_buf_reserve(MlcBuf *buf, size_t extra)
{
    size_t needed;
    if (!mlc_add_size(buf->size, extra, &needed))
        mlc_out_of_memory(SIZE_MAX);
    if (needed > buf->capacity || !buf->data) {
        size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;
        while (capacity < needed)
            if (!mlc_mul_size(capacity, 2, &capacity))
                mlc_out_of_memory(SIZE_MAX);
        buf->data = mlc_realloc(buf->data, capacity);
        buf->capacity = capacity;
    }
    return buf->data + buf->size;
}

void
mlc_buf_append_repeated(MlcBuf *buf, char c, size_t count)
{
    memset(mlc_buf_reserve(buf, count), c, count);
    buf->size += count;
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

// Two digits of a number below 100, at *to; the first only if it is not 0 or `all` are wanted.
static inline char *
put_pair(char *to, unsigned number, bool all)
{
    if (all || number >= 10) {
        memcpy(to, digit_pairs + 2 * number, 2);
        return to + 2;
    }
    *to = (char)('0' + number);
    return to + 1;
}

static inline char *
put_below_10000(char *to, unsigned number, bool all)
{
    if (!all && number < 100)
        return put_pair(to, number, false);
    return put_pair(put_pair(to, number / 100, all), number % 100, true);
}

void
mlc_buf_append_uint(MlcBuf *buf, uint64_t value)
{
    if (value >= 100000000) {
        mlc_buf_append_uint(buf, value / 100000000);
        value %= 100000000;
        char *to = put_below_10000(mlc_buf_reserve(buf, 8), (unsigned)(value / 10000), true);
        put_below_10000(to, (unsigned)(value % 10000), true);
        buf->size += 8;
        return;
    }
    char *at = buf->capacity - buf->size < 8 ? mlc_buf_reserve(buf, 8) : buf->data + buf->size;
    unsigned number = (unsigned)value, high = number / 10000;
    if (high)
        at = put_below_10000(put_below_10000(at, high, false), number % 10000, true);
    else
        at = put_below_10000(at, number, false);
    buf->size = (size_t)(at - buf->data);
}

void
mlc_buf_append_int(MlcBuf *buf, int64_t value)
{
    if (value < 0)
        mlc_buf_append_char(buf, '-');
    mlc_buf_append_uint(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void
mlc_buf_append_hex(MlcBuf *buf, uint64_t value, unsigned min_digits)
{
    for (unsigned i = 16; i-- > 0;)
        if (i < min_digits || i == 0 || value >> (4 * i))
            mlc_buf_append_char(buf, "0123456789ABCDEF"[value >> (4 * i) & 15]);
}

void
mlc_buf_vprintf(MlcBuf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t room = buf->capacity - buf->size;
    int length = vsnprintf(buf->data ? buf->data + buf->size : NULL, room, format, args);
    if (length <
        0) { // 2 GiB or more, which a name in a file may have; formats are checked by the compiler
        va_end(again);
        mlc_buf_append_c(buf, "(a text too long to print)");
        return;
    }
    if ((size_t)length >= room)
        vsnprintf(mlc_buf_reserve(buf, (size_t)length + 1), (size_t)length + 1, format, again);
    va_end(again);
    buf->size += (size_t)length;
}

void
mlc_buf_printf(MlcBuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(buf, format, args);
    va_end(args);
}

void
mlc_buf_append_escaped(MlcBuf *buf, MlcStr s)
{
    for (size_t i = 0; i < s.size; i++) {
        size_t plain = i;
        while (plain < s.size && s.data[plain] >= 0x20 && s.data[plain] < 0x7f &&
               s.data[plain] != '"' && s.data[plain] != '\\')
            plain++;
        mlc_buf_append(buf, s.data + i, plain - i);
        if ((i = plain) == s.size)
            return;
        unsigned char c = (unsigned char)s.data[i];
        if (c == '\\') {
            mlc_buf_append(buf, "\\\\", 2);
        } else {
            mlc_buf_append_char(buf, '\\');
            mlc_buf_append_hex(buf, c, 2);
        }
    }
}

void
mlc_buf_append_quoted(MlcBuf *buf, MlcStr s)
{
    mlc_buf_append_char(buf, '"');
    mlc_buf_append_escaped(buf, s);
    mlc_buf_append_char(buf, '"');
}

const char *
mlc_buf_c_str(MlcBuf *buf)
{
    *mlc_buf_reserve(buf, 1) = '\0';
    return buf->data;
}

char *
mlc_buf_take(MlcBuf *buf, size_t *size)
{
    mlc_buf_c_str(buf);
    char *data = buf->data;
    if (size)
        *size = buf->size;
    mlc_buf_init(buf);
    return data;
}

// buf.h -- a growable buffer of bytes: text being printed, messages, files being written.
//
// A zeroed MlcBuf is a valid empty buffer. `data` is not NUL-terminated; mlc_buf_c_str makes it so.
//
// Ownership: the struct is the caller's to release; slices of it last until the next append.
// Threads: a buffer belongs to one at a time.
#ifndef MLC_SUPPORT_BUF_H
#define MLC_SUPPORT_BUF_H

#include <stdarg.h>

#include "mlc/support/alloc.h"

MLC_BEGIN_DECLS

typedef struct MlcBuf {
    char *data;
    size_t size;     // bytes
    size_t capacity; // bytes
} MlcBuf;

// Empty; takes no memory yet.
MLC_API void mlc_buf_init(MlcBuf *buf);
MLC_API void mlc_buf_release(MlcBuf *buf);

// Room for `extra` more bytes; returns where they go. The caller adds to `size` what it wrote.
MLC_API char *mlc_buf_reserve(MlcBuf *buf, size_t extra);

// Empties it, and keeps its memory.
static inline void
mlc_buf_clear(MlcBuf *buf)
{
    buf->size = 0;
}

// Bytes, which are copied; they may not lie in the buffer itself.
static inline void
mlc_buf_append(MlcBuf *buf, const void *data, size_t size)
{
    char *at = buf->capacity - buf->size >= size && buf->data ? buf->data + buf->size
                                                              : mlc_buf_reserve(buf, size);
    if (size)
        memcpy(at, data, size);
    buf->size += size;
}

// The bytes of a view.
static inline void
mlc_buf_append_str(MlcBuf *buf, MlcStr s)
{
    mlc_buf_append(buf, s.data, s.size);
}

// A C string without its end.
static inline void
mlc_buf_append_c(MlcBuf *buf, const char *c_string)
{
    mlc_buf_append(buf, c_string, strlen(c_string));
}

// One byte.
static inline void
mlc_buf_append_char(MlcBuf *buf, char c)
{
    if (buf->size == buf->capacity)
        mlc_buf_reserve(buf, 1);
    buf->data[buf->size++] = c;
}

// `count` times the same byte; numbers in decimal digits.
MLC_API void mlc_buf_append_repeated(MlcBuf *buf, char c, size_t count);
// In decimal digits.
MLC_API void mlc_buf_append_int(MlcBuf *buf, int64_t value);
MLC_API void mlc_buf_append_uint(MlcBuf *buf, uint64_t value);

// Upper-case hexadecimal, at least `min_digits` digits, no 0x.
MLC_API void mlc_buf_append_hex(MlcBuf *buf, uint64_t value, unsigned min_digits);

// As C's printf, appended.
MLC_API void mlc_buf_printf(MlcBuf *buf, const char *format, ...) MLC_PRINTF(2, 3);
MLC_API void mlc_buf_vprintf(MlcBuf *buf, const char *format, va_list args) MLC_PRINTF(2, 0);

// As an MLIR string literal, quotes included: a backslash is doubled, a quote and every byte that
// is not printable ASCII become a backslash and two upper-case hex digits.
MLC_API void mlc_buf_append_quoted(MlcBuf *buf, MlcStr s);
// The same without the quotes around it.
MLC_API void mlc_buf_append_escaped(MlcBuf *buf, MlcStr s);

// The bytes so far, valid until the next append.
static inline MlcStr
mlc_buf_str(const MlcBuf *buf)
{
    return mlc_str_n(buf->data, buf->size);
}

// The same with a NUL behind it (not counted in `size`).
MLC_API const char *mlc_buf_c_str(MlcBuf *buf);

// Hands the memory to the caller (mlc_free it), NUL-terminated; *size may be NULL. The buffer is
// empty afterwards.
MLC_API MLC_NODISCARD char *mlc_buf_take(MlcBuf *buf, size_t *size);

MLC_END_DECLS

#endif

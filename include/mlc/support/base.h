// base.h -- what every header of mlc leans on: visibility, attributes, string slices.
//
// Ownership: slices own nothing; the bytes outlive them.
// Threads: any.
#ifndef MLC_SUPPORT_BASE_H
#define MLC_SUPPORT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define MLC_BEGIN_DECLS extern "C" {
#define MLC_END_DECLS }
#else
#define MLC_BEGIN_DECLS
#define MLC_END_DECLS
#endif

#define MLC_API __attribute__((visibility("default")))
#define MLC_NODISCARD __attribute__((warn_unused_result))
#define MLC_NORETURN __attribute__((noreturn))
#define MLC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

MLC_BEGIN_DECLS

// A slice of bytes, usually UTF-8; no NUL follows unless the function that gives it says so.
typedef struct MlcStr {
    const char *data;
    size_t size; // bytes
} MlcStr;

// A view of bytes that somebody else owns.
static inline MlcStr
mlc_str(const char *c_string)
{
    MlcStr s;
    s.data = c_string;
    s.size = c_string ? strlen(c_string) : 0;
    return s;
}

// A view of `size` bytes that somebody else owns.
static inline MlcStr
mlc_str_n(const char *data, size_t size)
{
    MlcStr s;
    s.data = data;
    s.size = size;
    return s;
}

// As many bytes, and the same ones.
static inline bool
mlc_str_equal(MlcStr a, MlcStr b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// printf("%.*s", MLC_STR_FMT(s)).
#define MLC_STR_FMT(s) (int)(s).size, (s).data

// a / b, rounded up; both positive, and no larger than INT64_MAX together.
static inline int64_t
mlc_ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

// A fault of ours, never the user's: prints the message with file and line, and aborts.
MLC_API MLC_NORETURN void mlc_bug_at(const char *file, int line, const char *format, ...)
    MLC_PRINTF(3, 4);
#define mlc_bug(...) mlc_bug_at(__FILE__, __LINE__, __VA_ARGS__)

MLC_END_DECLS

#endif

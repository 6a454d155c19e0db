// common.c -- errors, element types, pages.
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

bool
mlc_rt_fail(MlcRtError *error, MlcRtStatus status, const char *format, ...)
{
    if (!error)
        return false;
    error->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return false;
}

static const struct {
    const char *name;
    size_t bytes;
} types[MLC_RT_NUM_TYPES] = {
    [MLC_RT_F32] = {"f32", 4},
    [MLC_RT_F64] = {"f64", 8},
    [MLC_RT_F16] = {"f16", 2},
    [MLC_RT_BF16] = {"bf16", 2},
    [MLC_RT_I8] = {"i8", 1},
    [MLC_RT_I16] = {"i16", 2},
    [MLC_RT_I32] = {"i32", 4},
    [MLC_RT_I64] = {"i64", 8},
    [MLC_RT_U8] = {"u8", 1},
    [MLC_RT_U16] = {"u16", 2},
    [MLC_RT_U32] = {"u32", 4},
    [MLC_RT_U64] = {"u64", 8},
    [MLC_RT_BOOL] = {"bool", 1},
    [MLC_RT_F8E4M3FN] = {"f8E4M3FN", 1},
    [MLC_RT_F8E4M3FNUZ] = {"f8E4M3FNUZ", 1},
    [MLC_RT_F8E5M2] = {"f8E5M2", 1},
    [MLC_RT_F8E5M2FNUZ] = {"f8E5M2FNUZ", 1},
    [MLC_RT_I4] = {"i4", 1},
    [MLC_RT_U4] = {"u4", 1},
    [MLC_RT_I2] = {"i2", 1},
    [MLC_RT_U2] = {"u2", 1},
    [MLC_RT_F4E2M1FN] = {"f4E2M1FN", 1},
    [MLC_RT_F6E2M3FN] = {"f6E2M3FN", 1},
    [MLC_RT_F6E3M2FN] = {"f6E3M2FN", 1},
    [MLC_RT_F8E8M0FNU] = {"f8E8M0FNU", 1},
    [MLC_RT_STRING] = {"string", sizeof(MlcRtString)},
};

const char *
mlc_rt_type_name(MlcRtType type)
{
    return (unsigned)type < MLC_RT_NUM_TYPES && types[type].name ? types[type].name : "?";
}

size_t
mlc_rt_type_bytes(MlcRtType type)
{
    return (unsigned)type < MLC_RT_NUM_TYPES ? types[type].bytes : 0;
}

bool
mlc_rt_tensor_bytes(MlcRtType type, int32_t rank, const int64_t *dims, size_t *bytes)
{
    uint64_t product = mlc_rt_type_bytes(type);
    bool empty = false;
    for (int32_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return false;
        empty |= dims[i] == 0;
    }
    for (int32_t i = 0; i < rank && !empty; i++)
        if (__builtin_mul_overflow(product, (uint64_t)dims[i], &product) || product > UINT64_C(1)
                                                                                          << 47)
            return false;
    *bytes = empty ? 0 : product;
    return true;
}

char *
mlc_rt_pages_create(size_t bytes)
{
    if (bytes == 0)
        return NULL;
    enum { HUGE = 2 << 20 };
    char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    // Packed weights and activations are streamed: with 4 KiB pages the TLB is what limits.
    if (bytes >= 2 * (size_t)HUGE)
        madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

void
mlc_rt_pages_destroy(char *pages, size_t bytes)
{
    if (pages)
        munmap(pages, bytes);
}

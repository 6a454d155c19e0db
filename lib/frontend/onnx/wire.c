// wire.c -- see wire.h.
#include "wire.h"

// The low three bits of a tag say what follows.
enum { FOLLOWS_NUMBER = 0, FOLLOWS_BYTES = 2 };

static void
append_varint(MlcBuf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        mlc_buf_append_char(out, (char)(number | 0x80));
    mlc_buf_append_char(out, (char)number);
}

void
mlc_onnx_write_number(MlcBuf *out, unsigned field, uint64_t number)
{
    append_varint(out, field << 3 | FOLLOWS_NUMBER);
    append_varint(out, number);
}

void
mlc_onnx_write_head(MlcBuf *out, unsigned field, size_t size)
{
    append_varint(out, field << 3 | FOLLOWS_BYTES);
    append_varint(out, size);
}

void
mlc_onnx_write_bytes(MlcBuf *out, unsigned field, MlcStr bytes)
{
    mlc_onnx_write_head(out, field, bytes.size);
    mlc_buf_append_str(out, bytes);
}

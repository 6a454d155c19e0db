// packed.c -- a blob of elements of less than a byte, packed in ONNX, as one of a byte each, made
// when it is asked for.
#include "tensor.h"

#include "mlc/frontend/onnx.h"
#include "mlc/ir/blob.h"
#include "mlc/support/alloc.h"

typedef struct Packed {
    MlcBlob *source;
    size_t count;
    int64_t data_type;
} Packed;

static void
make(void *to, void *user)
{
    const Packed *p = user;
    void *temporary;
    const void *from = mlc_blob_borrow(p->source, &temporary);
    mlc_onnx_unpack(to, from, p->count, p->data_type);
    mlc_blob_give_back(p->source, temporary);
}

static void
release(void *user)
{
    Packed *p = user;
    mlc_blob_release(p->source);
    mlc_free(p);
}

MlcBlob *
mlc_onnx_unpacked_blob(MlcBlob *packed, size_t count, int64_t data_type)
{
    Packed *p = mlc_malloc(sizeof *p);
    *p = (Packed){packed, count, data_type};
    return mlc_blob_create_deferred(count, 64, make, release, p);
}

// blob.c -- reference-counted bytes.
#include "mlc/ir/blob.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "mlc/support/alloc.h"
#include "mlc/support/hash.h"

struct MlcBlob {
    const void *data;
    size_t size, alignment;
    void (*release)(void *user);
    void *user;
    atomic_size_t num_references;
    _Atomic uint64_t hash; // 0: not computed
};

MlcBlob *
mlc_blob_create(const void *data, size_t size, size_t alignment, void (*release)(void *user),
                void *user)
{
    MlcBlob *blob = mlc_calloc(1, sizeof *blob);
    blob->data = data;
    blob->size = size;
    blob->alignment = alignment;
    blob->release = release;
    blob->user = user;
    atomic_init(&blob->num_references, 1);
    return blob;
}

MlcBlob *
mlc_blob_create_empty(size_t size, size_t alignment, void **data)
{
    size_t align = alignment < sizeof(void *) ? sizeof(void *) : alignment, padded;
    if (!mlc_add_size(size, align, &padded))
        mlc_out_of_memory(SIZE_MAX);
    padded &= ~(align - 1);
    void *memory = aligned_alloc(align, padded);
    if (!memory)
        mlc_out_of_memory(padded);
    memset(memory, 0, padded);
    *data = memory;
    return mlc_blob_create(memory, size, alignment, free, memory);
}

MlcBlob *
mlc_blob_create_copy(const void *data, size_t size, size_t alignment)
{
    void *memory;
    MlcBlob *blob = mlc_blob_create_empty(size, alignment, &memory);
    if (size)
        memcpy(memory, data, size);
    return blob;
}

void
mlc_blob_retain(MlcBlob *blob)
{
    atomic_fetch_add_explicit(&blob->num_references, 1, memory_order_relaxed);
}

void
mlc_blob_release(MlcBlob *blob)
{
    if (!blob || atomic_fetch_sub_explicit(&blob->num_references, 1, memory_order_acq_rel) != 1)
        return;
    if (blob->release)
        blob->release(blob->user);
    mlc_free(blob);
}

const void *
mlc_blob_data(const MlcBlob *blob)
{
    return blob->data;
}

size_t
mlc_blob_size(const MlcBlob *blob)
{
    return blob->size;
}

size_t
mlc_blob_alignment(const MlcBlob *blob)
{
    return blob->alignment;
}

uint64_t
mlc_blob_hash(MlcBlob *blob)
{
    uint64_t hash = atomic_load_explicit(&blob->hash, memory_order_relaxed);
    if (!hash) {
        hash = mlc_hash_bytes(blob->data, blob->size, MLC_HASH_SEED) | 1;
        atomic_store_explicit(&blob->hash, hash, memory_order_relaxed);
    }
    return hash;
}

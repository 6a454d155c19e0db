// blob.c -- reference-counted bytes.
#include "mlc/ir/blob.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "mlc/support/alloc.h"
#include "mlc/support/file.h"
#include "mlc/support/hash.h"

struct MlcBlob {
    _Atomic(const void *) data; // NULL: not made yet
    size_t size, alignment;
    void (*make)(void *to, void *user); // NULL: the bytes came with the blob
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
    atomic_init(&blob->data, data);
    blob->size = size;
    blob->alignment = alignment;
    blob->release = release;
    blob->user = user;
    atomic_init(&blob->num_references, 1);
    return blob;
}

static void *
zeroed_memory(size_t size, size_t alignment)
{
    size_t align = alignment < sizeof(void *) ? sizeof(void *) : alignment, padded;
    if (!mlc_add_size(size, align, &padded))
        mlc_out_of_memory(SIZE_MAX);
    padded &= ~(align - 1);
    return memset(mlc_aligned_alloc(align, padded), 0, padded);
}

MlcBlob *
mlc_blob_create_empty(size_t size, size_t alignment, void **data)
{
    *data = zeroed_memory(size, alignment);
    return mlc_blob_create(*data, size, alignment, mlc_free, *data);
}

MlcBlob *
mlc_blob_create_deferred(size_t size, size_t alignment, void (*make)(void *to, void *user),
                         void (*release)(void *user), void *user)
{
    MlcBlob *blob = mlc_blob_create(NULL, size, alignment, release, user);
    blob->make = make;
    return blob;
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
    if (blob->make)
        mlc_file_memory_release((void *)atomic_load_explicit(&blob->data, memory_order_relaxed),
                                blob->size);
    mlc_free(blob);
}

static const void *
known_data(const MlcBlob *blob)
{
    return atomic_load_explicit(&((MlcBlob *)blob)->data, memory_order_acquire);
}

bool
mlc_blob_is_deferred(const MlcBlob *blob)
{
    return blob->make && !known_data(blob);
}

// Of threads that come at the same time, one's bytes stay.
const void *
mlc_blob_data(const MlcBlob *blob)
{
    const void *data = known_data(blob);
    if (data || !blob->make)
        return data;
    void *made = mlc_file_memory(blob->size);
    blob->make(made, blob->user);
    if (atomic_compare_exchange_strong(&((MlcBlob *)blob)->data, &data, made))
        return made;
    mlc_file_memory_release(made, blob->size);
    return data;
}

void
mlc_blob_copy_to(const MlcBlob *blob, void *to)
{
    if (mlc_blob_is_deferred(blob))
        blob->make(to, blob->user);
    else if (blob->size > 0)
        memcpy(to, known_data(blob), blob->size);
}

const void *
mlc_blob_borrow(const MlcBlob *blob, void **temporary)
{
    *temporary = NULL;
    if (!mlc_blob_is_deferred(blob))
        return known_data(blob);
    *temporary = mlc_file_memory(blob->size);
    blob->make(*temporary, blob->user);
    return *temporary;
}

void
mlc_blob_give_back(const MlcBlob *blob, void *temporary)
{
    mlc_file_memory_release(temporary, blob->size);
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
        hash = mlc_hash_bytes(mlc_blob_data(blob), blob->size, MLC_HASH_SEED) | 1;
        atomic_store_explicit(&blob->hash, hash, memory_order_relaxed);
    }
    return hash;
}

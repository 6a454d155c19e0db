// caches.c -- see caches.h.
//
// A cache is rows of elements behind the dimension along which it grows, [outer, room, row]. In
// memory of another room the elements of each outer index lie elsewhere, so they are moved one by
// one.
#include "caches.h"
#include "pool.h"

#include <errno.h>

typedef struct Rows {
    char *to;
    const char *from;
    size_t outer;
    size_t bytes;                // of each, that are there
    size_t apart_to, apart_from; // bytes
} Rows;

// Of a tensor of these dims: how many come before dimension `dim`, and the bytes of one element of
// it with all behind.
static void
split_dims(const MlcRtTensor *t, const int64_t *dims, uint32_t dim, size_t *outer, size_t *row)
{
    *outer = 1;
    *row = mlc_rt_type_bytes(t->type);
    for (int32_t i = 0; i < t->rank; i++) {
        if ((uint32_t)i < dim)
            *outer *= (size_t)dims[i];
        else if ((uint32_t)i > dim)
            *row *= (size_t)dims[i];
    }
}

static void
copy_rows(void *context, int64_t begin, int64_t end, void *scratch)
{
    const Rows *r = context;
    (void)scratch;
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
        memcpy(r->to + i * r->apart_to, r->from + i * r->apart_from, r->bytes);
}

void
mlc_rt_cache_begin(const MlcArtefactCache *info, const MlcRtTensor *output, const void *input,
                   int64_t past, int64_t threads)
{
    size_t outer, row;
    split_dims(output, output->dims, info->dim, &outer, &row);
    Rows rows = {.to = output->data,
                 .from = input,
                 .bytes = (size_t)past * row,
                 .apart_to = (size_t)output->dims[info->dim] * row,
                 .apart_from = (size_t)past * row};
    char none;
    if (outer > 0 && rows.bytes > 0)
        mlc_rt_pool_run(threads, copy_rows, &rows, (int64_t)outer, &none, 0);
}

static bool
same_but_for(const MlcRtCache *cache, const MlcRtTensor *t, uint32_t dim, int32_t *other)
{
    for (int32_t i = 0; i < t->rank; i++)
        if ((uint32_t)i != dim && cache->dims[i] != t->dims[i])
            return *other = i, false;
    return true;
}

bool
mlc_rt_cache_lay_out(MlcRtCache *cache, const MlcRtTensor *output, const char *name,
                     MlcRtError *error)
{
    uint32_t dim = cache->info->dim;
    int32_t other = 0;
    size_t bytes, outer, row;
    bool is_same = cache->memory && same_but_for(cache, output, dim, &other);
    if (is_same && cache->dims[dim] == output->dims[dim])
        return true;
    if (cache->memory && !is_same && cache->length > 0)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                           "dimension %d of '%s' is %lld, but its cache was begun with %lld: "
                           "mlc_session_set_length makes it empty",
                           other, name, (long long)output->dims[other],
                           (long long)cache->dims[other]);
    if (!mlc_rt_tensor_bytes(output->type, output->rank, output->dims, &bytes))
        return mlc_rt_fail(error, MLC_RT_MEMORY, "the cache of '%s' is too large", name);
    char *memory = mlc_rt_pages_create(bytes);
    if (!memory && bytes > 0)
        return mlc_rt_fail(error, MLC_RT_MEMORY,
                           "not enough memory for the cache of '%s' (%zu bytes): %s", name, bytes,
                           strerror(errno));
    if (is_same && cache->length > 0) {
        split_dims(output, output->dims, dim, &outer, &row);
        Rows rows = {.to = memory,
                     .from = cache->memory,
                     .bytes = (size_t)cache->length * row,
                     .apart_to = (size_t)output->dims[dim] * row,
                     .apart_from = (size_t)cache->dims[dim] * row};
        copy_rows(&rows, 0, (int64_t)outer, NULL);
    }
    mlc_rt_cache_release(cache);
    cache->memory = memory;
    cache->bytes = bytes;
    for (int32_t i = 0; i < output->rank; i++)
        cache->dims[i] = output->dims[i];
    return true;
}

void
mlc_rt_cache_release(MlcRtCache *cache)
{
    mlc_rt_pages_destroy(cache->memory, cache->bytes);
    cache->memory = NULL;
    cache->bytes = 0;
}

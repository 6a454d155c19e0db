// slab.c -- memory for ops and blocks: size classes, free lists per thread, slabs of 256 KiB, later
// of 2 MiB.
//
// Lists belong to threads and not to modules, so that passes on siblings allocate and free without
// a lock. A list that grows long gives half of itself to a shared one, where other threads take it:
// what one thread parses and another erases comes round. Slabs stay with the process. Under
// AddressSanitizer every object is its own malloc, so that uses after erasure are seen; in a
// checking build each has a guard (check.c).
#include <stdlib.h>
#include <sys/mman.h>

#include "mlc/support/alloc.h"
#include "check.h"
#include "context_impl.h"

#define GRANULE 16
#define NUM_CLASSES 64 // up to 1 KiB; above: malloc
#define SLAB_SIZE (256 * 1024)
#define BIG_SLAB_SIZE (2 * 1024 * 1024)
#define NUM_SMALL_SLABS 8 // of a thread
#define MAX_LIST_BYTES (64 * 1024)

#if defined(__SANITIZE_ADDRESS__)
#define USE_MALLOC 1
#else
#define USE_MALLOC 0
#endif

typedef struct FreeNode {
    struct FreeNode *next;
    struct FreeNode *next_batch; // in the shared lists
} FreeNode;

typedef struct Cache {
    FreeNode *lists[NUM_CLASSES];
    uint32_t counts[NUM_CLASSES];
    char *at, *end; // rest of the current slab
    size_t num_slabs;
    unsigned stripe; // of the contexts' counts of bytes, plus 1
    bool is_registered;
} Cache;

static _Thread_local Cache thread_cache;

// In a shared library the address is found by a call, which the compiler would make again and
// again.
static __attribute__((noinline)) Cache *
own_cache(void)
{
    return &thread_cache;
}

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(FreeNode *) shared_batches[NUM_CLASSES];
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void
give_batch(size_t class, FreeNode *batch)
{
    pthread_mutex_lock(&shared_lock);
    batch->next_batch = atomic_load_explicit(&shared_batches[class], memory_order_relaxed);
    atomic_store_explicit(&shared_batches[class], batch, memory_order_relaxed);
    pthread_mutex_unlock(&shared_lock);
}

static FreeNode *
take_batch(size_t class)
{
    if (!atomic_load_explicit(&shared_batches[class], memory_order_relaxed))
        return NULL;
    pthread_mutex_lock(&shared_lock);
    FreeNode *batch = atomic_load_explicit(&shared_batches[class], memory_order_relaxed);
    if (batch)
        atomic_store_explicit(&shared_batches[class], batch->next_batch, memory_order_relaxed);
    pthread_mutex_unlock(&shared_lock);
    return batch;
}

static void
flush_cache(void *user)
{
    Cache *cache = user;
    for (size_t class = 0; class < NUM_CLASSES; class ++) {
        if (cache->lists[class])
            give_batch(class, cache->lists[class]);
        cache->lists[class] = NULL;
        cache->counts[class] = 0;
    }
}

static void
make_key(void)
{
    pthread_key_create(&key, flush_cache);
}

// So that a thread that ends gives back its lists.
static void
register_cache(Cache *cache)
{
    pthread_once(&key_once, make_key);
    pthread_setspecific(key, cache);
    cache->is_registered = true;
}

static size_t
class_size(size_t class)
{
    return (class + 1) * GRANULE;
}

// Later slabs are big and get their pages in one go: a fault for each costs as much as making the
// ops in it (2 us in a virtual machine).
static void
start_slab(Cache *cache)
{
    size_t size = cache->num_slabs++ < NUM_SMALL_SLABS ? SLAB_SIZE : BIG_SLAB_SIZE;
    cache->at = mlc_malloc(size);
    cache->end = cache->at + size;
#ifdef MADV_POPULATE_WRITE
    uintptr_t page = 4096, from = ((uintptr_t)cache->at + page - 1) / page * page,
              to = (uintptr_t)cache->end / page * page;
    if (size == BIG_SLAB_SIZE)
        (void)madvise((void *)from, to - from, MADV_POPULATE_WRITE); // older kernels: no harm
#endif
}

static void *
alloc_slow(Cache *cache, size_t class)
{
    if (!cache->is_registered)
        register_cache(cache);
    FreeNode *batch = take_batch(class);
    if (batch) {
        cache->lists[class] = batch->next;
        for (FreeNode *n = batch->next; n; n = n->next)
            cache->counts[class]++;
        return batch;
    }
    size_t size = class_size(class);
    if ((size_t)(cache->end - cache->at) < size)
        start_slab(cache);
    void *memory = cache->at;
    cache->at += size;
    return memory;
}

static void
count_bytes(Cache *cache, MlcContext *ctx, int64_t bytes)
{
    static _Atomic unsigned next_stripe;
    if (!cache->stripe)
        cache->stripe = 1 + atomic_fetch_add(&next_stripe, 1) % MLC_NUM_STRIPES;
    atomic_fetch_add_explicit(&ctx->op_bytes[cache->stripe - 1].bytes, bytes, memory_order_relaxed);
}

void *
mlc_slab_alloc(MlcContext *ctx, size_t size)
{
    Cache *cache = own_cache();
    count_bytes(cache, ctx, (int64_t)size);
#ifdef MLC_CHECKING
    return mlc_guarded_alloc(ctx, size);
#endif
    size_t class = (size - 1) / GRANULE;
    if (USE_MALLOC || class >= NUM_CLASSES)
        return mlc_malloc(size);
    FreeNode *node = cache->lists[class];
    if (!node)
        return alloc_slow(cache, class);
    cache->lists[class] = node->next;
    cache->counts[class]--;
    return node;
}

void
mlc_slab_free(MlcContext *ctx, void *memory, size_t size)
{
    Cache *cache = own_cache();
    count_bytes(cache, ctx, -(int64_t)size);
#ifdef MLC_CHECKING
    mlc_guarded_free(memory, size);
    return;
#endif
    size_t class = (size - 1) / GRANULE;
    if (USE_MALLOC || class >= NUM_CLASSES) {
        mlc_free(memory);
        return;
    }
    if (!cache->is_registered)
        register_cache(cache);
    FreeNode *node = memory;
    uint32_t most = (uint32_t)(MAX_LIST_BYTES / class_size(class));
    if (cache->counts[class] >= most) {
        give_batch(class, cache->lists[class]);
        cache->lists[class] = NULL;
        cache->counts[class] = 0;
    }
    node->next = cache->lists[class];
    cache->lists[class] = node;
    cache->counts[class]++;
}

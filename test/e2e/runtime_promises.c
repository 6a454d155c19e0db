// runtime_promises.c -- ARTEFACT...: what the runtime promises of memory, checked on compiled
// models.
//
// With the allocator and mmap interposed, a run after the session's creation allocates nothing.
// With memory of the caller's, filled beforehand, a run writes up to the last line of the planned
// arena (so the plan is no larger than what is used) and not a byte beyond what was given.
#include "mlc/runtime.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILL = 0xA5, LINE = 64, GUARD = 4096, RUNS = 5, THREADS = 2 };

static atomic_bool armed;
static atomic_long allocations;

static void
count(void)
{
    if (atomic_load_explicit(&armed, memory_order_relaxed))
        atomic_fetch_add(&allocations, 1);
}

// glibc's own names for the functions interposed here, which need no dlsym and so no allocation to
// find.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *
malloc(size_t size)
{
    count();
    return __libc_malloc(size);
}

void *
calloc(size_t number, size_t size)
{
    count();
    return __libc_calloc(number, size);
}

void *
realloc(void *old, size_t size)
{
    count();
    return __libc_realloc(old, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

int
posix_memalign(void **result, size_t alignment, size_t size)
{
    count();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : 12; // ENOMEM
}

void *
mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);
    count();
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "mmap");
    return next(address, size, protection, flags, file, offset);
}

static bool
fail(const char *path, const char *what, const char *detail)
{
    printf("FAIL %s: %s: %s\n", path, what, detail);
    return false;
}

static size_t
num_bytes(const MlcRtTensorInfo *info)
{
    size_t bytes = mlc_rt_type_bytes(info->type);
    for (int32_t i = 0; i < info->rank; ++i)
        bytes *= info->dims[i] < 0 ? 1 : (size_t)info->dims[i];
    return bytes;
}

// Small numbers in every input: f32 in [-1, 1], other types a byte pattern of small values. They
// live until the end.
static bool
set_inputs(MlcSession *session, const MlcModel *model, MlcRtError *error)
{
    unsigned state = 1;
    for (int32_t i = 0; i < mlc_model_num_inputs(model); ++i) {
        const MlcRtTensorInfo *info = mlc_model_input(model, i);
        size_t bytes = num_bytes(info);
        float *data = calloc(1, bytes + LINE);
        for (size_t k = 0; info->type == MLC_RT_F32 && k < bytes / sizeof(float); ++k) {
            state = state * 1664525u + 1013904223u;
            data[k] = (float)(state >> 8) / (float)(1u << 23) - 1.0f;
        }
        MlcRtTensor tensor = {info->type, info->rank, info->dims, data};
        if (!mlc_session_set_input(session, i, &tensor, error))
            return false;
    }
    return true;
}

static bool
check_memory(const char *path, const MlcModel *model, const unsigned char *memory, size_t bytes)
{
    for (size_t i = bytes; i < bytes + GUARD; ++i)
        if (memory[i] != FILL)
            return fail(path, "memory", "a byte beyond the caller's arena was written");
    size_t arena = mlc_model_arena_bytes(model);
    for (size_t i = arena > LINE ? arena - LINE : 0; i < arena; ++i)
        if (memory[i] != FILL)
            return true;
    return arena == 0 || fail(path, "memory", "the last line of the planned arena was not written");
}

static bool
check_model(const char *path)
{
    MlcRtError error = {0};
    MlcModel *model = mlc_model_load(path, NULL, &error);
    if (!model)
        return fail(path, "load", error.message);
    MlcSessionOptions options = {MLC_SIZED(MlcSessionOptions), .threads = THREADS};
    size_t bytes = mlc_session_memory_bytes(model, &options);
    unsigned char *memory = aligned_alloc(4096, (bytes + GUARD + 4095) / 4096 * 4096);
    memset(memory, FILL, bytes + GUARD);
    options.memory = memory;
    options.memory_bytes = bytes;
    MlcSession *session = mlc_session_create(model, &options, &error);
    if (!session)
        return fail(path, "create session", error.message);
    if (!set_inputs(session, model, &error))
        return fail(path, "set input", error.message);

    atomic_store(&allocations, 0);
    atomic_store(&armed, true);
    bool ran = true;
    for (int i = 0; i < RUNS && ran; ++i)
        ran = mlc_session_run(session, &error);
    atomic_store(&armed, false);
    if (!ran)
        return fail(path, "run", error.message);
    if (atomic_load(&allocations) > 0) {
        printf("FAIL %s: %ld allocations in %d runs\n", path, atomic_load(&allocations), RUNS);
        return false;
    }
    if (!check_memory(path, model, memory, bytes))
        return false;
    printf("%s: no allocation in %d runs; arena of %zu bytes used to its end\n", path, RUNS,
           mlc_model_arena_bytes(model));
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    return true;
}

int
main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; ++i)
        failed += !check_model(argv[i]);
    printf("%d passed, %d failed\n", argc - 1 - failed, failed);
    return failed || argc < 2;
}

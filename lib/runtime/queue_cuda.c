// queue_cuda.c -- a session's work on a CUDA device: an arena, a tape of what was asked for, and
// memory that copies go through.
//
// What the host gives is copied at once to memory that the driver has pinned, so that the host's
// side may be used again and the device fetches it when its turn comes, beside other work. What the
// host gets arrives there too: what it needs now is waited for, outputs are handed over when the
// run ends. The same run takes the same places, so that its tape is the same. Where there is no
// pinned memory, or a copy is large, the driver copies from the host's side, which is waited for.
#include "tape_cuda.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    CHUNK_BYTES = 1 << 20,
    MAX_IDLE_RUNS = MLC_RT_MAX_GRAPHS, // that did not use a chunk, until it is given back
    MAX_STAGED = 64 << 20,             // bytes of a copy through pinned memory
    MAX_PINNED = 256 << 20,            // of all copies of a run
    FAULT_WORDS = 1024,                // of a block
};

// A piece of memory that a run allocates from.
typedef struct Chunk {
    struct Chunk *next;
    MlcCudaAddress address; // of pinned memory, the host's
    size_t bytes, used;
    unsigned idle_runs;
} Chunk;

// A copy that the host gets when the run ends.
typedef struct Later {
    void *to;
    const void *from;
    size_t bytes;
} Later;

// Words that are 0 when a run begins, each with the message of a run that changed it. They stay:
// a run that fails has them cleared before the next one.
typedef struct Faults {
    MlcCudaAddress *blocks; // of FAULT_WORDS words each
    size_t num_blocks;
    const char **messages; // room for one of each word
    uint32_t *seen;        // the same, when a run has ended
    size_t used;           // of this run
    bool is_clear;
} Faults;

struct MlcRtQueue {
    MlcRtDevice *device;
    MlcRtTape tape;
    size_t num_streams, stream; // the one at hand
    MlcCudaAddress arena;
    size_t arena_bytes;
    Chunk *chunks, *pinned; // what runs allocated so far
    size_t pinned_bytes;    // of this run
    Later *later;
    size_t num_later, later_room;
    Faults faults;
    int64_t num_launches, num_marks; // of this run
    bool is_busy;                    // something is under way, or may be since something failed
};

MlcRtQueue *
mlc_rt_queue_create(MlcRtDevice *device, size_t num_streams, bool has_graphs, MlcRtError *error)
{
    MlcRtQueue *q = calloc(1, sizeof *q);
    if (!q) {
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        return NULL;
    }
    q->device = device;
    q->num_streams =
        num_streams == 0 || num_streams > MLC_RT_MAX_STREAMS ? MLC_RT_MAX_STREAMS : num_streams;
    if (!mlc_rt_cuda_use(device, error) || !mlc_rt_tape_init(&q->tape, device, has_graphs, error)) {
        free(q);
        return NULL;
    }
    return q;
}

static void
free_chunk(const MlcRtQueue *q, const Chunk *chunk, bool is_pinned)
{
    const MlcRtCudaDriver *driver = q->device->driver;
    if (is_pinned)
        (void)driver->host_free((void *)(uintptr_t)chunk->address);
    else
        (void)driver->memory_free(chunk->address);
}

static void
release_chunks(const MlcRtQueue *q, Chunk *chunks, bool is_pinned)
{
    for (Chunk *next; chunks; chunks = next) {
        next = chunks->next;
        free_chunk(q, chunks, is_pinned);
        free(chunks);
    }
}

void
mlc_rt_queue_destroy(MlcRtQueue *q)
{
    if (!q)
        return;
    (void)mlc_rt_cuda_use(q->device, NULL); // without it the driver refuses what follows
    if (q->is_busy)
        mlc_rt_tape_settle(&q->tape);
    mlc_rt_tape_release(&q->tape);
    (void)q->device->driver->memory_free(q->arena);
    release_chunks(q, q->chunks, false);
    release_chunks(q, q->pinned, true);
    for (size_t i = 0; i < q->faults.num_blocks; i++)
        (void)q->device->driver->memory_free(q->faults.blocks[i]);
    free(q->faults.blocks);
    free((void *)q->faults.messages);
    free(q->faults.seen);
    free(q->later);
    free(q);
}

bool
mlc_rt_queue_reserve(MlcRtQueue *q, size_t bytes, void **arena, MlcRtError *error)
{
    if (bytes > q->arena_bytes) {
        MlcCudaAddress made = 0;
        if (!mlc_rt_cuda_use(q->device, error) ||
            !mlc_rt_cuda_alloc(q->device, bytes, "an arena", &made, error))
            return false;
        (void)q->device->driver->memory_free(q->arena);
        q->arena = made;
        q->arena_bytes = bytes;
    }
    *arena = (void *)(uintptr_t)q->arena;
    return true;
}

// Gives back what so many runs, and this one so far, did not use. False: there is no such chunk.
static bool
free_idle_chunks(const MlcRtQueue *q, Chunk **chunks, unsigned idle_runs, bool is_pinned)
{
    bool any = false;
    for (Chunk **at = chunks, *c; (c = *at);) {
        if (c->used > 0 || c->idle_runs < idle_runs) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        free_chunk(q, c, is_pinned);
        free(c);
        any = true;
    }
    return any;
}

// Sizes that grow from run to run ask for new chunks. Sizes that come again find theirs, in the
// same order, so that what they ask for is the same.
static void
reuse_chunks(const MlcRtQueue *q, Chunk **chunks, bool is_pinned)
{
    for (Chunk *c = *chunks; c; c = c->next) {
        c->idle_runs = c->used > 0 ? 0 : c->idle_runs + 1;
        c->used = 0;
    }
    (void)free_idle_chunks(q, chunks, MAX_IDLE_RUNS, is_pinned);
}

// Blocks `first` and on.
static bool
clear_faults(MlcRtQueue *q, size_t first, MlcRtError *error)
{
    static const uint32_t zeros[FAULT_WORDS];
    const MlcRtCudaDriver *driver = q->device->driver;
    int result = MLC_CUDA_SUCCESS;
    for (size_t i = first; result == MLC_CUDA_SUCCESS && i < q->faults.num_blocks; i++)
        result = driver->copy_in(q->faults.blocks[i], zeros, sizeof zeros, q->tape.streams[0]);
    if (result == MLC_CUDA_SUCCESS)
        result = driver->stream_wait(q->tape.streams[0]);
    return !mlc_rt_cuda_failed(q->device, result, error, "copying to it fails");
}

bool
mlc_rt_queue_begin(MlcRtQueue *q, MlcRtError *error)
{
    if (!mlc_rt_cuda_use(q->device, error))
        return false;
    mlc_rt_tape_clear(&q->tape); // of a run that failed
    if (q->is_busy)
        mlc_rt_tape_settle(&q->tape);
    q->is_busy = false;
    if (q->faults.used > 0 && !q->faults.is_clear && !clear_faults(q, 0, error))
        return false;
    q->faults.used = 0;
    q->stream = q->num_later = q->pinned_bytes = 0;
    q->num_launches = q->num_marks = 0;
    reuse_chunks(q, &q->chunks, false);
    reuse_chunks(q, &q->pinned, true);
    return true;
}

static bool
fill_chunk(const MlcRtQueue *q, Chunk *c, bool is_pinned, MlcRtError *error)
{
    void *host = NULL;
    if (!is_pinned)
        return mlc_rt_cuda_alloc(q->device, c->bytes, "a buffer", &c->address, error);
    bool ok = q->device->driver->host_alloc(&host, c->bytes, 0) == MLC_CUDA_SUCCESS;
    c->address = (uintptr_t)host;
    return ok;
}

// Behind those that there are: what came before finds its place again.
static Chunk *
add_chunk(MlcRtQueue *q, Chunk **chunks, size_t bytes, bool is_pinned, MlcRtError *error)
{
    Chunk *c = calloc(1, sizeof *c);
    if (!c) {
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        return NULL;
    }
    c->bytes = bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes;
    bool ok = fill_chunk(q, c, is_pinned, error) ||
              (free_idle_chunks(q, chunks, 1, is_pinned) && fill_chunk(q, c, is_pinned, error));
    if (!ok) {
        free(c);
        return NULL;
    }
    while (*chunks)
        chunks = &(*chunks)->next;
    return *chunks = c;
}

// 0 after an error.
static MlcCudaAddress
take(MlcRtQueue *q, Chunk **chunks, size_t bytes, bool is_pinned, MlcRtError *error)
{
    size_t align = 256, size = bytes > 0 ? (bytes + align - 1) / align * align : align;
    Chunk *c = *chunks;
    while (c && size > c->bytes - c->used)
        c = c->next;
    c = c ? c : add_chunk(q, chunks, size, is_pinned, error);
    if (!c)
        return 0;
    MlcCudaAddress address = c->address + c->used;
    c->used += size;
    return address;
}

bool
mlc_rt_queue_alloc(MlcRtQueue *q, int64_t bytes, void **out, MlcRtError *error)
{
    MlcCudaAddress address = take(q, &q->chunks, bytes > 0 ? (size_t)bytes : 0, false, error);
    *out = (void *)(uintptr_t)address;
    return address != 0;
}

// A function has to be told of more than 48 KiB, once.
static bool
set_shared_bytes(MlcRtDevice *d, size_t kernel, int64_t wanted, MlcRtError *error)
{
    enum { WITHOUT_ASKING = 48 << 10 };
    uint32_t bytes = wanted < 0 || wanted > INT32_MAX ? INT32_MAX : (uint32_t)wanted;
    int result = MLC_CUDA_SUCCESS;
    char text[200];
    if (bytes <= WITHOUT_ASKING)
        return true;
    pthread_mutex_lock(&d->lock);
    if (bytes > d->shared_bytes[kernel])
        result = d->driver->function_set(d->functions[kernel],
                                         MLC_CUDA_FUNCTION_DYNAMIC_SHARED_BYTES, (int)bytes);
    if (result == MLC_CUDA_SUCCESS && bytes > d->shared_bytes[kernel])
        d->shared_bytes[kernel] = bytes;
    pthread_mutex_unlock(&d->lock);
    snprintf(text, sizeof text, "kernel '%s' cannot have %u bytes of shared memory",
             d->code->kernels[kernel], bytes);
    return !mlc_rt_cuda_failed(d, result, error, text);
}

bool
mlc_rt_queue_launch(MlcRtQueue *q, int64_t kernel, const int64_t *sizes, const void *const *args,
                    MlcRtError *error)
{
    enum { MOST = 512, FIXED = 1 + MLC_RT_LAUNCH_SIZES };
    const MlcRtDeviceCode *code = q->device->code;
    int64_t words[FIXED + MOST], count = sizes[MLC_RT_LAUNCH_ARGUMENTS];
    size_t used = FIXED;
    for (int64_t i = 0; i < count && used <= FIXED + MOST; i++)
        used += mlc_rt_argument_words(sizes, i);
    if (kernel < 0 || (size_t)kernel >= code->num_kernels || used > FIXED + MOST)
        return mlc_rt_fail(error, MLC_RT_CORRUPT, "'%s' has no kernel %lld", code->model,
                           (long long)kernel);
    if (sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0)
        return true; // an empty grid, which the driver refuses
    if (!set_shared_bytes(q->device, (size_t)kernel, sizes[MLC_RT_LAUNCH_SHARED], error))
        return false;
    words[0] = kernel;
    memcpy(words + 1, sizes, MLC_RT_LAUNCH_SIZES * sizeof *sizes);
    int64_t *at = words + FIXED;
    for (int64_t i = 0; i < count; i++) {
        size_t size = mlc_rt_argument_words(sizes, i);
        memcpy(at, args[i], size * sizeof *at);
        at += size;
    }
    q->num_launches++;
    return mlc_rt_tape_add(&q->tape, MLC_RT_COMMAND_LAUNCH, q->stream, words, used, error);
}

static bool
submit(MlcRtQueue *q, MlcRtError *error)
{
    q->is_busy = true;
    return mlc_rt_tape_submit(&q->tape, error);
}

bool
mlc_rt_queue_order(MlcRtQueue *q, int64_t what, int64_t number, MlcRtError *error)
{
    switch ((MlcRtOrder)what) {
    case MLC_RT_ORDER_STREAM:
        q->stream = number < 0 ? 0 : (size_t)number % q->num_streams;
        return true;
    case MLC_RT_ORDER_RECORD:
    case MLC_RT_ORDER_WAIT:
        return mlc_rt_tape_need(&q->tape, &q->tape.events, number, false, error) &&
               mlc_rt_tape_add(&q->tape,
                               what == MLC_RT_ORDER_WAIT ? MLC_RT_COMMAND_WAIT
                                                         : MLC_RT_COMMAND_RECORD,
                               q->stream, &number, 1, error);
    case MLC_RT_ORDER_SUBMIT:
        return submit(q, error);
    }
    return mlc_rt_fail(error, MLC_RT_CORRUPT, "'%s' has no event %lld", q->device->code->model,
                       (long long)number);
}

static bool
submit_and_wait(MlcRtQueue *q, MlcRtError *error)
{
    if (!submit(q, error) ||
        mlc_rt_cuda_failed(q->device, q->device->driver->stream_wait(q->tape.streams[0]), error,
                           "a kernel fails"))
        return false;
    q->is_busy = false;
    return true;
}

static bool
add_copy(MlcRtQueue *q, MlcCudaAddress to, MlcCudaAddress from, size_t bytes, MlcRtCopy direction,
         MlcRtError *error)
{
    int64_t words[] = {(int64_t)to, (int64_t)from, (int64_t)bytes, direction};
    return mlc_rt_tape_add(&q->tape, MLC_RT_COMMAND_COPY, q->stream, words, 4, error);
}

// To the host when the run ends.
static bool
add_later(MlcRtQueue *q, void *to, MlcCudaAddress from, size_t bytes, MlcRtError *error)
{
    if (q->num_later == q->later_room) {
        size_t room = q->later_room * 2 + 8;
        Later *grown = realloc(q->later, room * sizeof *grown);
        if (!grown)
            return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        q->later = grown;
        q->later_room = room;
    }
    q->later[q->num_later++] = (Later){to, (const void *)(uintptr_t)from, bytes};
    return true;
}

// Without pinned memory: behind all that was asked for, and waited for.
static bool
copy_now(MlcRtQueue *q, MlcCudaAddress to, MlcCudaAddress from, size_t bytes, MlcRtCopy direction,
         MlcRtError *error)
{
    size_t stream = q->stream;
    q->stream = 0;
    bool ok = submit(q, error) && add_copy(q, to, from, bytes, direction, error) &&
              submit_and_wait(q, error);
    q->stream = stream;
    if (!ok)
        mlc_rt_tape_settle(&q->tape); // the memory is the caller's
    return ok;
}

// Pinned memory; 0: there is none for it.
static MlcCudaAddress
stage(MlcRtQueue *q, size_t bytes)
{
    if (bytes > MAX_STAGED || bytes > MAX_PINNED - q->pinned_bytes)
        return 0;
    q->pinned_bytes += bytes;
    return take(q, &q->pinned, bytes, true, NULL);
}

bool
mlc_rt_queue_copy(MlcRtQueue *q, void *to, const void *from, int64_t bytes, MlcRtCopy direction,
                  MlcRtError *error)
{
    MlcCudaAddress target = (uintptr_t)to, source = (uintptr_t)from;
    size_t size = bytes > 0 ? (size_t)bytes : 0;
    bool is_late = direction == MLC_RT_COPY_TO_HOST_LATER;
    direction = is_late ? MLC_RT_COPY_TO_HOST : direction;
    if (size == 0)
        return true;
    if (direction == MLC_RT_COPY_WITHIN)
        return add_copy(q, target, source, size, direction, error);
    MlcCudaAddress staged = stage(q, size);
    if (!staged)
        return copy_now(q, target, source, size, direction, error);
    if (direction == MLC_RT_COPY_TO_DEVICE) {
        memcpy((void *)(uintptr_t)staged, from, size);
        return add_copy(q, target, staged, size, direction, error);
    }
    if (!add_copy(q, staged, source, size, direction, error))
        return false;
    if (is_late)
        return add_later(q, to, staged, size, error);
    if (!submit_and_wait(q, error))
        return false;
    memcpy(to, (const void *)(uintptr_t)staged, size);
    return true;
}

// ---- faults

static bool
add_fault_block(MlcRtQueue *q, MlcRtError *error)
{
    Faults *f = &q->faults;
    size_t blocks = f->num_blocks + 1, words = blocks * FAULT_WORDS;
    MlcCudaAddress *grown = realloc(f->blocks, blocks * sizeof *grown);
    f->blocks = grown ? grown : f->blocks;
    const char **messages = realloc((void *)f->messages, words * sizeof *messages);
    f->messages = messages ? messages : f->messages;
    uint32_t *seen = realloc(f->seen, words * sizeof *seen);
    f->seen = seen ? seen : f->seen;
    if (!grown || !messages || !seen)
        return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
    if (!mlc_rt_cuda_alloc(q->device, FAULT_WORDS * sizeof *seen, "a buffer",
                           &f->blocks[f->num_blocks], error))
        return false;
    f->num_blocks++;
    return clear_faults(q, f->num_blocks - 1, error);
}

// The words that are asked for in a run are the same in the next one, so its tape is.
bool
mlc_rt_queue_fault_word(MlcRtQueue *q, const char *message, void **out, MlcRtError *error)
{
    Faults *f = &q->faults;
    if (f->used == f->num_blocks * FAULT_WORDS && !add_fault_block(q, error))
        return false;
    size_t word = f->used++;
    f->messages[word] = message;
    f->is_clear = false;
    *out =
        (void *)(uintptr_t)(f->blocks[word / FAULT_WORDS] + word % FAULT_WORDS * sizeof(int32_t));
    return true;
}

// Behind all that was asked for.
static bool
fetch_faults(MlcRtQueue *q, MlcRtError *error)
{
    const Faults *f = &q->faults;
    int result = MLC_CUDA_SUCCESS;
    for (size_t at = 0; result == MLC_CUDA_SUCCESS && at < f->used; at += FAULT_WORDS) {
        size_t count = f->used - at < FAULT_WORDS ? f->used - at : FAULT_WORDS;
        result = q->device->driver->copy_out(f->seen + at, f->blocks[at / FAULT_WORDS],
                                             count * sizeof *f->seen, q->tape.streams[0]);
    }
    return !mlc_rt_cuda_failed(q->device, result, error, "copying from it fails");
}

static bool
check_faults(MlcRtQueue *q, MlcRtError *error)
{
    Faults *f = &q->faults;
    for (size_t i = 0; i < f->used; i++)
        if (f->seen[i] != 0)
            return mlc_rt_fail(error, MLC_RT_RUN, "%s", f->messages[i]);
    f->is_clear = true;
    return true;
}

bool
mlc_rt_queue_wait(MlcRtQueue *q, MlcRtError *error)
{
    q->is_busy = true;
    if (!mlc_rt_tape_submit(&q->tape, error) || !fetch_faults(q, error) ||
        !submit_and_wait(q, error) || !check_faults(q, error))
        return false;
    for (size_t i = 0; i < q->num_later; i++)
        memcpy(q->later[i].to, q->later[i].from, q->later[i].bytes);
    q->num_later = 0;
    return true;
}

bool
mlc_rt_queue_tensor_map(MlcRtQueue *q, void *map, const void *address, const int64_t *numbers,
                        MlcRtError *error)
{
    enum { MAX_RANK = 5 };
    const MlcRtDevice *d = q->device;
    uint64_t dims[MAX_RANK], strides[MAX_RANK];
    uint32_t box[MAX_RANK], steps[MAX_RANK], rank = (uint32_t)numbers[MLC_RT_TENSOR_RANK];
    for (uint32_t i = 0; i < MAX_RANK; i++) {
        dims[i] = (uint64_t)numbers[MLC_RT_TENSOR_SIZES + i];
        strides[i] = (uint64_t)numbers[MLC_RT_TENSOR_STRIDES + i];
        box[i] = (uint32_t)numbers[MLC_RT_TENSOR_TILE + i];
        steps[i] = 1;
    }
    // The driver takes no stride for the contiguous dimension.
    int result = !d->driver->tensor_map
                     ? MLC_CUDA_NOT_SUPPORTED
                     : d->driver->tensor_map(map, (int)numbers[MLC_RT_TENSOR_TYPE], rank,
                                             (MlcCudaAddress)(uintptr_t)address, dims, strides + 1,
                                             box, steps, (int)numbers[MLC_RT_TENSOR_INTERLEAVE],
                                             (int)numbers[MLC_RT_TENSOR_SWIZZLE],
                                             (int)numbers[MLC_RT_TENSOR_PROMOTION],
                                             (int)numbers[MLC_RT_TENSOR_FILL]);
    return !mlc_rt_cuda_failed(d, result, error, "a tensor cannot be described to a kernel");
}

// ---- times

int64_t
mlc_rt_queue_num_launches(const MlcRtQueue *q)
{
    return q->num_launches;
}

bool
mlc_rt_queue_mark(MlcRtQueue *q, int64_t *mark, MlcRtError *error)
{
    *mark = q->num_marks;
    if (!mlc_rt_tape_need(&q->tape, &q->tape.marks, *mark, true, error) ||
        !mlc_rt_tape_add(&q->tape, MLC_RT_COMMAND_MARK, q->stream, mark, 1, error))
        return false;
    q->num_marks++;
    return true;
}

bool
mlc_rt_queue_elapsed(const MlcRtQueue *q, int64_t from, int64_t to, int64_t *nanoseconds,
                     MlcRtError *error)
{
    float milliseconds = 0;
    MlcCudaEvent *const *marks = q->tape.marks.data;
    int result = q->device->driver->event_elapsed(&milliseconds, marks[from], marks[to]);
    *nanoseconds = (int64_t)((double)milliseconds * 1e6);
    return !mlc_rt_cuda_failed(q->device, result, error, "the time between two events is not told");
}

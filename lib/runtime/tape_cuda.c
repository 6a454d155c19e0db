// tape_cuda.c -- see tape_cuda.h.
//
// A tape is a segment of a run: from where the host waited, or began with work of its own, to where
// it does next. All streams begin it behind the first one, and that one ends it behind all, so
// segments are in order and a graph of one needs nothing from outside.
//
// A segment that was asked for before, word for word, becomes a graph the second time and is one
// launch from then on. Copies go through memory of the queue's own (queue_cuda.c), so their
// addresses stay where a caller's change. What differs is issued command by command, so sizes that
// grow from run to run cost no graph; the graphs used last are kept.
#include "tape_cuda.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>

enum { HEAD = 3 }; // words of a command ahead of its own: kind, stream, how many words in all

// Room for `more` behind `size` elements of `bytes`. NULL after an error, and the old ones stay.
static void *
grow(void *data, size_t size, size_t *room, size_t more, size_t bytes, MlcRtError *error)
{
    if (size + more <= *room && data)
        return data;
    size_t wanted = (size + more) * 2;
    void *grown = realloc(data, wanted * bytes);
    if (grown)
        *room = wanted;
    else
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
    return grown;
}

bool
mlc_rt_tape_add(MlcRtTape *t, MlcRtCommand kind, size_t stream, const int64_t *words, size_t count,
                MlcRtError *error)
{
    MlcRtWords *w = &t->words;
    int64_t *data = grow(w->data, w->size, &w->room, HEAD + count, sizeof *data, error);
    if (!data)
        return false;
    w->data = data;
    data += w->size;
    data[0] = kind;
    data[1] = (int64_t)stream;
    data[2] = (int64_t)(HEAD + count);
    memcpy(data + HEAD, words, count * sizeof *words);
    w->size += HEAD + count;
    t->is_used[stream] = true;
    t->num_commands++;
    return true;
}

static bool
make_event(const MlcRtTape *t, MlcCudaEvent **event, bool has_time, MlcRtError *error)
{
    unsigned flags = has_time ? 0 : MLC_CUDA_EVENT_DISABLE_TIMING;
    return *event || !mlc_rt_cuda_failed(t->device, t->device->driver->event_create(event, flags),
                                         error, "no event");
}

bool
mlc_rt_tape_need(MlcRtTape *t, MlcRtEvents *e, int64_t number, bool has_time, MlcRtError *error)
{
    enum { MOST = 1 << 20 };
    if (number < 0 || number >= MOST)
        return mlc_rt_fail(error, MLC_RT_CORRUPT, "'%s' has no event %lld", t->device->code->model,
                           (long long)number);
    while (e->size <= (size_t)number) {
        size_t room = e->size, same = e->size;
        MlcCudaEvent **data = grow(e->data, e->size, &room, 1, sizeof *data, error);
        if (!data)
            return false;
        e->data = data;
        int64_t *streams = grow(e->streams, e->size, &same, 1, sizeof *streams, error);
        if (!streams)
            return false;
        e->streams = streams;
        for (; e->size < room; e->size++) {
            e->data[e->size] = NULL;
            e->streams[e->size] = -1;
        }
    }
    return make_event(t, &e->data[number], has_time, error);
}

bool
mlc_rt_tape_init(MlcRtTape *t, const MlcRtDevice *device, bool has_graphs, MlcRtError *error)
{
    *t = (MlcRtTape){.device = device, .has_graphs = has_graphs};
    return !mlc_rt_cuda_failed(
        device, device->driver->stream_create(&t->streams[0], MLC_CUDA_STREAM_NON_BLOCKING), error,
        "no stream of work");
}

static void
forget_graph(const MlcRtTape *t, MlcRtGraph *graph)
{
    if (graph->exec)
        (void)t->device->driver->graph_exec_destroy(graph->exec);
    free(graph->words.data);
    *graph = (MlcRtGraph){0};
}

static void
release_events(const MlcRtTape *t, MlcRtEvents *e)
{
    for (size_t i = 0; i < e->size; i++)
        if (e->data[i])
            (void)t->device->driver->event_destroy(e->data[i]);
    free(e->data);
    free(e->streams);
}

void
mlc_rt_tape_release(MlcRtTape *t)
{
    const MlcRtCudaDriver *driver = t->device->driver;
    for (size_t i = 0; i < MLC_RT_MAX_GRAPHS; i++)
        forget_graph(t, &t->graphs[i]);
    for (size_t i = MLC_RT_MAX_STREAMS; i-- > 0;) {
        if (t->streams[i])
            (void)driver->stream_destroy(t->streams[i]);
        if (t->joins[i])
            (void)driver->event_destroy(t->joins[i]);
    }
    if (t->forks)
        (void)driver->event_destroy(t->forks);
    release_events(t, &t->events);
    release_events(t, &t->marks);
    free(t->words.data);
    free(t->args);
}

void
mlc_rt_tape_clear(MlcRtTape *t)
{
    t->words.size = 0;
    t->num_commands = 0;
    memset(t->is_used, 0, sizeof t->is_used);
    for (size_t i = 0; i < t->events.size; i++)
        t->events.streams[i] = -1;
}

void
mlc_rt_tape_settle(const MlcRtTape *t)
{
    for (size_t i = 0; i < MLC_RT_MAX_STREAMS; i++)
        if (t->streams[i])
            (void)t->device->driver->stream_wait(t->streams[i]);
}

// ---- issuing

// What is beyond 32 bits stays too much: the driver refuses it.
static uint32_t
launch_size(int64_t size)
{
    return size < 0 || size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

// Clusters of blocks are an attribute, which older drivers know of as little as older devices.
static int
launch_with(const MlcRtCudaDriver *driver, MlcCudaLaunchConfig *c, MlcCudaFunction *function,
            void **args)
{
    const uint32_t *cluster = c->attributes->value.cluster;
    if (cluster[0] <= 1 && cluster[1] <= 1 && cluster[2] <= 1)
        return driver->launch(function, c->grid[0], c->grid[1], c->grid[2], c->block[0],
                              c->block[1], c->block[2], c->shared_bytes, c->stream, args, NULL);
    c->num_attributes = 1;
    return driver->launch_clusters ? driver->launch_clusters(c, function, args, NULL)
                                   : MLC_CUDA_NOT_SUPPORTED;
}

static bool
issue_launch(MlcRtTape *t, MlcCudaStream *stream, int64_t *words, MlcRtError *error)
{
    const MlcRtDevice *d = t->device;
    int64_t *sizes = words + 1, *args = sizes + MLC_RT_LAUNCH_SIZES;
    size_t count = (size_t)sizes[MLC_RT_LAUNCH_ARGUMENTS];
    MlcCudaLaunchAttribute cluster = {.kind = MLC_CUDA_LAUNCH_CLUSTER};
    MlcCudaLaunchConfig config = {.stream = stream, .attributes = &cluster};
    char text[200];
    void **places = grow(t->args, 0, &t->args_room, count + 1, sizeof *places, error);
    if (!places)
        return false;
    t->args = places;
    for (size_t i = 0; i < count; i++) {
        places[i] = args;
        args += mlc_rt_argument_words(sizes, (int64_t)i);
    }
    for (int i = 0; i < 3; i++) {
        config.grid[i] = launch_size(sizes[i]);
        config.block[i] = launch_size(sizes[3 + i]);
        cluster.value.cluster[i] = launch_size(sizes[6 + i]);
    }
    config.shared_bytes = launch_size(sizes[MLC_RT_LAUNCH_SHARED]);
    int result = launch_with(d->driver, &config, d->functions[words[0]], places);
    snprintf(text, sizeof text, "kernel '%s' is not launched", d->code->kernels[words[0]]);
    return !mlc_rt_cuda_failed(d, result, error, text);
}

static bool
issue_copy(const MlcRtTape *t, MlcCudaStream *stream, const int64_t *words, MlcRtError *error)
{
    static const char *const what[] = {"copying to it fails", "copying from it fails",
                                       "copying on it fails"};
    const MlcRtCudaDriver *driver = t->device->driver;
    MlcCudaAddress to = (MlcCudaAddress)words[0], from = (MlcCudaAddress)words[1];
    size_t bytes = (size_t)words[2];
    int result = words[3] == MLC_RT_COPY_TO_DEVICE
                     ? driver->copy_in(to, (const void *)(uintptr_t)from, bytes, stream)
                 : words[3] == MLC_RT_COPY_TO_HOST
                     ? driver->copy_out((void *)(uintptr_t)to, from, bytes, stream)
                     : driver->copy_within(to, from, bytes, stream);
    return !mlc_rt_cuda_failed(t->device, result, error, what[words[3]]);
}

// Stream `to` waits for what is on stream `from` now.
static bool
order(MlcRtTape *t, MlcCudaEvent *event, size_t from, size_t to, MlcRtError *error)
{
    const MlcRtCudaDriver *driver = t->device->driver;
    return !mlc_rt_cuda_failed(t->device, driver->event_record(event, t->streams[from]), error,
                               "an event is not recorded") &&
           !mlc_rt_cuda_failed(t->device, driver->stream_wait_event(t->streams[to], event, 0),
                               error, "an event is not waited for");
}

static bool
issue_event(MlcRtTape *t, MlcRtCommand kind, size_t stream, size_t number, MlcRtError *error)
{
    const MlcRtCudaDriver *driver = t->device->driver;
    MlcCudaStream *on = t->streams[stream];
    if (kind == MLC_RT_COMMAND_WAIT) {
        int64_t recorded = t->events.streams[number];
        if (recorded < 0 || recorded == (int64_t)stream)
            return true; // before all streams met, or in order anyway
        return !mlc_rt_cuda_failed(t->device,
                                   driver->stream_wait_event(on, t->events.data[number], 0), error,
                                   "an event is not waited for");
    }
    bool is_mark = kind == MLC_RT_COMMAND_MARK;
    MlcRtEvents *events = is_mark ? &t->marks : &t->events;
    events->streams[number] = (int64_t)stream;
    return !mlc_rt_cuda_failed(t->device, driver->event_record(events->data[number], on), error,
                               "an event is not recorded");
}

static bool
issue(MlcRtTape *t, MlcRtError *error)
{
    int64_t *at = t->words.data, *end = at + t->words.size;
    bool ok = true;
    for (size_t s = 1; ok && s < MLC_RT_MAX_STREAMS; s++)
        ok = !t->is_used[s] || order(t, t->forks, 0, s, error);
    for (; ok && at < end; at += at[2]) {
        size_t stream = (size_t)at[1];
        switch ((MlcRtCommand)at[0]) {
        case MLC_RT_COMMAND_LAUNCH:
            ok = issue_launch(t, t->streams[stream], at + HEAD, error);
            break;
        case MLC_RT_COMMAND_COPY:
            ok = issue_copy(t, t->streams[stream], at + HEAD, error);
            break;
        default:
            ok = issue_event(t, (MlcRtCommand)at[0], stream, (size_t)at[HEAD], error);
        }
    }
    for (size_t s = 1; ok && s < MLC_RT_MAX_STREAMS; s++)
        ok = !t->is_used[s] || order(t, t->joins[s], s, 0, error);
    return ok;
}

// What issuing needs is made ahead: nothing is while a graph is captured.
static bool
prepare(MlcRtTape *t, MlcRtError *error)
{
    for (size_t s = 1; s < MLC_RT_MAX_STREAMS; s++) {
        if (!t->is_used[s])
            continue;
        if (!t->streams[s] && mlc_rt_cuda_failed(t->device,
                                                 t->device->driver->stream_create(
                                                     &t->streams[s], MLC_CUDA_STREAM_NON_BLOCKING),
                                                 error, "no stream of work"))
            return false;
        if (!make_event(t, &t->forks, false, error) || !make_event(t, &t->joins[s], false, error))
            return false;
    }
    return true;
}

// ---- graphs

static uint64_t
hash_of(const MlcRtWords *words)
{
    uint64_t hash = words->size;
    for (size_t i = 0; i < words->size; i++) {
        hash = (hash ^ (uint64_t)words->data[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

// That of the same words, whose exec is NULL if they were there once; else NULL, and they are
// remembered in place of what was used longest ago.
static MlcRtGraph *
find_graph(MlcRtTape *t)
{
    const MlcRtWords *words = &t->words;
    uint64_t hash = hash_of(words);
    MlcRtGraph *oldest = &t->graphs[0];
    t->uses++;
    for (size_t i = 0; i < MLC_RT_MAX_GRAPHS; i++) {
        MlcRtGraph *g = &t->graphs[i];
        bool is_same = g->last_use > 0 && g->hash == hash;
        if (is_same && g->exec)
            is_same = g->words.size == words->size &&
                      memcmp(g->words.data, words->data, words->size * sizeof(int64_t)) == 0;
        if (is_same) {
            g->last_use = t->uses;
            return g;
        }
        if (g->last_use < oldest->last_use)
            oldest = g;
    }
    forget_graph(t, oldest);
    oldest->hash = hash;
    oldest->last_use = t->uses;
    return NULL;
}

// Captures what issuing does. Without a graph after a failure, which costs time only: what is wrong
// is told when the same is issued.
static void
make_graph(MlcRtTape *t, MlcRtGraph *g)
{
    const MlcRtCudaDriver *driver = t->device->driver;
    MlcCudaGraph *graph = NULL;
    size_t bytes = t->words.size * sizeof(int64_t);
    if (driver->stream_capture(t->streams[0], MLC_CUDA_CAPTURE_THREAD_LOCAL) != MLC_CUDA_SUCCESS)
        return;
    bool ok = issue(t, NULL);
    ok = driver->stream_captured(t->streams[0], &graph) == MLC_CUDA_SUCCESS && ok && graph;
    g->words = (MlcRtWords){malloc(bytes), t->words.size, t->words.size};
    if (ok && g->words.data && driver->graph_instantiate &&
        driver->graph_instantiate(&g->exec, graph, 0) == MLC_CUDA_SUCCESS)
        memcpy(g->words.data, t->words.data, bytes);
    else
        g->exec = NULL;
    if (graph)
        (void)driver->graph_destroy(graph);
}

static bool
begin(MlcRtTape *t, MlcRtError *error)
{
    MlcRtGraph *g = t->has_graphs && t->num_commands > 1 ? find_graph(t) : NULL;
    if (g && !g->exec) {
        make_graph(t, g);
        for (size_t i = 0; i < t->events.size; i++)
            t->events.streams[i] = -1;
        if (!g->exec) {
            forget_graph(t, g);
            t->has_graphs = false;
            g = NULL;
        }
    }
    if (g)
        return !mlc_rt_cuda_failed(t->device,
                                   t->device->driver->graph_launch(g->exec, t->streams[0]), error,
                                   "a graph is not launched");
    return issue(t, error);
}

bool
mlc_rt_tape_submit(MlcRtTape *t, MlcRtError *error)
{
    bool ok = t->words.size == 0 || (prepare(t, error) && begin(t, error));
    mlc_rt_tape_clear(t);
    return ok;
}

// graph.c -- what streams are asked for while they capture becomes a graph, and a graph is work of
// a stream.
//
// A stream that waits for an event of a capture joins it. A graph's launch does its tasks in some
// order that the graph allows, the newest first or drawn from the seed; two that are not ordered
// and touch the same memory are told.
#include "emulator.h"

#include "mlc/support/alloc.h"

static __thread unsigned num_captures; // that this thread began

bool
captures_here(void)
{
    return num_captures > 0;
}

static void
graph_release(MlcCudaGraph *graph)
{
    if (--graph->refs > 0)
        return;
    list_remove(&emulator.graphs, graph);
    for (size_t i = 0; i < graph->nodes.size; i++) {
        task_free(graph->nodes.data[i].task);
        mlc_vec_release(&graph->nodes.data[i].before);
    }
    mlc_vec_release(&graph->nodes);
    mlc_free(graph);
}

static void
copy_nodes(Nodes *to, const Nodes *from)
{
    for (size_t i = 0; i < from->size; i++) {
        bool is_there = false;
        for (size_t k = 0; k < to->size; k++)
            is_there |= to->data[k] == from->data[i];
        if (!is_there)
            mlc_vec_push(to, from->data[i]);
    }
}

void
graph_add(MlcCudaStream *stream, Task *task)
{
    uint32_t number = (uint32_t)stream->capture->nodes.size;
    Node node = {.task = task, .before = stream->last};
    mlc_vec_push(&stream->capture->nodes, node);
    stream->last = (Nodes){0};
    mlc_vec_push(&stream->last, number);
}

void
graph_record(MlcCudaStream *stream, MlcCudaEvent *event)
{
    event->stream = NULL;
    event->capture = stream->capture;
    mlc_vec_clear(&event->last);
    copy_nodes(&event->last, &stream->last);
}

MlcCudaResult
graph_wait(MlcCudaStream *stream, const MlcCudaEvent *event)
{
    MlcCudaGraph *graph = event->capture;
    bool is_captured = list_has(&emulator.graphs, graph) && graph->origin;
    if (!is_captured || (stream->capture && stream->capture != graph))
        return MLC_CUDA_CAPTURE_ISOLATION;
    stream->capture = graph;
    copy_nodes(&stream->last, &event->last);
    return MLC_CUDA_SUCCESS;
}

int
cuStreamBeginCapture_v2(MlcCudaStream *stream, int mode)
{
    MlcCudaResult result = emulator_begin_with(__func__, stream);
    if (result == MLC_CUDA_SUCCESS && (stream->capture || mode != MLC_CUDA_CAPTURE_THREAD_LOCAL))
        result = MLC_CUDA_INVALID_VALUE;
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    MlcCudaGraph *graph = mlc_calloc(1, sizeof *graph);
    *graph = (MlcCudaGraph){.origin = stream, .refs = 1};
    mlc_vec_push(&emulator.graphs, graph);
    stream->capture = graph;
    num_captures++;
    return emulator_end(MLC_CUDA_SUCCESS);
}

// One bit each: the node and all that are before it.
typedef struct Sets {
    uint64_t *bits;
    size_t words; // of each
} Sets;

static void
find_sets(const MlcCudaGraph *graph, Sets *sets)
{
    sets->words = graph->nodes.size / 64 + 1;
    sets->bits = mlc_calloc(sets->words * (graph->nodes.size + 1), sizeof *sets->bits);
    for (size_t i = 0; i < graph->nodes.size; i++) {
        uint64_t *own = sets->bits + i * sets->words;
        const Nodes *before = &graph->nodes.data[i].before;
        own[i / 64] |= UINT64_C(1) << i % 64;
        for (size_t k = 0; k < before->size; k++)
            for (size_t w = 0; w < sets->words; w++)
                own[w] |= sets->bits[before->data[k] * sets->words + w];
    }
}

static bool
is_before(const Sets *sets, size_t a, size_t b)
{
    return sets->bits[b * sets->words + a / 64] >> a % 64 & 1;
}

// All that was captured is before where the origin is now.
static bool
is_joined(const MlcCudaGraph *graph, const MlcCudaStream *origin)
{
    Sets sets = {0};
    bool is = true;
    find_sets(graph, &sets);
    for (size_t i = 0; i < graph->nodes.size && is; i++) {
        is = false;
        for (size_t k = 0; k < origin->last.size; k++)
            is |= is_before(&sets, i, origin->last.data[k]);
    }
    mlc_free(sets.bits);
    return is;
}

int
cuStreamEndCapture(MlcCudaStream *stream, MlcCudaGraph **out)
{
    MlcCudaResult result = emulator_begin_with(__func__, stream);
    bool captures =
        list_has(&emulator.streams, stream) && stream->capture && stream->capture->origin == stream;
    *out = NULL;
    if (!captures)
        return emulator_end(result == MLC_CUDA_SUCCESS ? MLC_CUDA_CAPTURE_UNMATCHED : result);
    MlcCudaGraph *graph = stream->capture; // which ends, whatever comes of it
    if (result == MLC_CUDA_SUCCESS && !is_joined(graph, stream))
        result = MLC_CUDA_CAPTURE_UNJOINED;
    for (size_t i = 0; i < emulator.streams.size; i++) {
        MlcCudaStream *s = emulator.streams.data[i];
        if (s->capture != graph)
            continue;
        s->capture = NULL;
        mlc_vec_clear(&s->last);
    }
    graph->origin = NULL;
    num_captures--;
    if (result == MLC_CUDA_SUCCESS)
        *out = graph;
    else
        graph_release(graph);
    return emulator_end(result);
}

int
cuGraphInstantiateWithFlags(MlcCudaGraphExec **exec, MlcCudaGraph *graph, unsigned long long flags)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (result == MLC_CUDA_SUCCESS &&
        (!list_has(&emulator.graphs, graph) || graph->origin || flags))
        result = MLC_CUDA_INVALID_VALUE;
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    *exec = mlc_calloc(1, sizeof **exec);
    **exec = (MlcCudaGraphExec){.graph = graph, .refs = 1};
    mlc_vec_push(&emulator.execs, *exec);
    graph->refs++;
    return emulator_end(MLC_CUDA_SUCCESS);
}

void
exec_release(MlcCudaGraphExec *exec)
{
    if (!exec || --exec->refs > 0)
        return;
    list_remove(&emulator.execs, exec);
    graph_release(exec->graph);
    mlc_free(exec);
}

int
cuGraphLaunch(MlcCudaGraphExec *exec, MlcCudaStream *stream)
{
    MlcCudaResult result = emulator_begin_with(__func__, stream);
    if (result == MLC_CUDA_SUCCESS && !list_has(&emulator.execs, exec))
        result = MLC_CUDA_INVALID_HANDLE;
    if (result == MLC_CUDA_SUCCESS && stream->capture)
        result = MLC_CUDA_CAPTURE_UNSUPPORTED;
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    task_put(stream, TASK_GRAPH, 0)->exec = exec;
    exec->refs++;
    return emulator_end(MLC_CUDA_SUCCESS);
}

int
cuGraphExecDestroy(MlcCudaGraphExec *exec)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (!list_has(&emulator.execs, exec))
        return emulator_end(MLC_CUDA_INVALID_HANDLE);
    exec_release(exec);
    return emulator_end(result);
}

int
cuGraphDestroy(MlcCudaGraph *graph)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (!list_has(&emulator.graphs, graph) || graph->origin)
        return emulator_end(MLC_CUDA_INVALID_VALUE);
    graph_release(graph);
    return emulator_end(result);
}

// The newest task of those that may be next, or one drawn.
static size_t
choose_next(const MlcCudaGraph *graph, const bool *is_done)
{
    Nodes ready = {0};
    for (uint32_t i = 0; i < graph->nodes.size; i++) {
        const Nodes *before = &graph->nodes.data[i].before;
        bool is_ready = !is_done[i];
        for (size_t k = 0; k < before->size && is_ready; k++)
            is_ready = is_done[before->data[k]];
        if (is_ready)
            mlc_vec_push(&ready, i);
    }
    size_t next = ready.data[emulator.seed ? draw() % ready.size : ready.size - 1];
    mlc_vec_release(&ready);
    return next;
}

static MlcCudaResult
check_node(const MlcCudaGraph *graph, const Sets *sets, const Touches *touches, const bool *is_done,
           size_t node)
{
    uint64_t address;
    for (size_t i = 0; i < graph->nodes.size; i++) {
        if (!is_done[i] || is_before(sets, i, node) ||
            !touches_meet(&touches[i], &touches[node], &address))
            continue;
        order_tell(task_name(graph->nodes.data[i].task), task_name(graph->nodes.data[node].task),
                   address);
        return emulator.fault = MLC_CUDA_LAUNCH_FAILED;
    }
    return MLC_CUDA_SUCCESS;
}

MlcCudaResult
graph_do(const MlcCudaGraphExec *exec, Touches *all)
{
    const MlcCudaGraph *graph = exec->graph;
    size_t count = graph->nodes.size;
    bool *is_done = mlc_calloc(count + 1, sizeof *is_done);
    Touches *touches = mlc_calloc(count + 1, sizeof *touches);
    Sets sets = {0};
    MlcCudaResult result = MLC_CUDA_SUCCESS;
    find_sets(graph, &sets);
    if (emulator.trace)
        fprintf(emulator.trace, "{\"graph\": %zu}\n", count);
    for (size_t k = 0; k < count && result == MLC_CUDA_SUCCESS; k++) {
        size_t next = choose_next(graph, is_done);
        result = task_do(graph->nodes.data[next].task, emulator.no_races ? NULL : &touches[next]);
        touches_sort(&touches[next]);
        if (result == MLC_CUDA_SUCCESS)
            result = check_node(graph, &sets, touches, is_done, next);
        is_done[next] = true;
        for (size_t i = 0; all && i < touches[next].size; i++)
            mlc_vec_push(all, touches[next].data[i]);
    }
    for (size_t i = 0; i < count; i++)
        mlc_vec_release(&touches[i]);
    mlc_free(sets.bits);
    mlc_free(touches);
    mlc_free(is_done);
    return result;
}

void
graphs_destroy_all(void)
{
    while (emulator.execs.size) {
        MlcCudaGraphExec *exec = mlc_vec_last(&emulator.execs);
        exec->refs = 1;
        exec_release(exec);
    }
    while (emulator.graphs.size) {
        MlcCudaGraph *graph = mlc_vec_last(&emulator.graphs);
        graph->refs = 1;
        graph_release(graph);
    }
    mlc_vec_release(&emulator.execs);
    mlc_vec_release(&emulator.graphs);
    num_captures = 0;
}

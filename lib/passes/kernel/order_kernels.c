// order_kernels.c -- where a model's arena has a limit, the order of its kernels that needs least.
//
// Calls of kernels on tensors may be in any order that makes values before they are read. What
// lives at a time depends on it: a branch that is computed long before it is wanted lies about.
// Only a module that says a limit (`mlc.max_arena`) has its kernels ordered, so nothing changes
// anywhere else; plan-memory tells whether the limit is kept.
//
// The search builds orders from the front, all of one length side by side: of the sets of kernels
// that have been run it keeps those of the least peak so far, each set once (a beam search; where
// no set is dropped it is dynamic programming over all of them, and the order is the best there
// is). A kernel that frees as much as it makes, without a new peak, is taken at once: it can wait
// for nothing better. Ties go to the order that was there.
#include "kernel_arguments.h"
#include "kernel_graph.h"

#include "mlc/ir.h"
#include "mlc/support/hash.h"
#include "mlc/support/map.h"

#include <stdlib.h>

// How many sets are kept side by side: WORK over the square of the number of kernels, within these.
enum { WORK = 1 << 26, MIN_WIDTH = 8, MAX_WIDTH = 4096 };

typedef struct State {
    uint64_t *done;  // a bit for each node that has run
    uint64_t *ready; // and for each that may be next
    uint64_t key;    // of what has run
    int64_t now, peak;
    uint32_t parent, node; // in the states before; what was run
} State;
typedef MLC_VEC(State) StateVec;

typedef struct Search {
    MlcKernelGraph graph;
    size_t num_words, width;
    MlcArena *arena;
    bool is_exact;
} Search;

// ---- running

static bool
has_run(const uint64_t *done, size_t node)
{
    return done[node / 64] >> (node % 64) & 1;
}

static void
set_bit(uint64_t *set, size_t node)
{
    set[node / 64] |= UINT64_C(1) << (node % 64);
}

static bool
is_ready(const Search *s, const uint64_t *done, size_t node)
{
    const MlcKernelNode *n = &s->graph.nodes[node];
    bool ready = true;
    for (size_t i = 0; ready && i < n->before.size; i++)
        ready = has_run(done, n->before.data[i]);
    return ready;
}

// Bytes that nobody wants once the node has run, too.
static int64_t
freed_by(const Search *s, const uint64_t *done, size_t node)
{
    int64_t freed = 0;
    const MlcKernelNode *n = &s->graph.nodes[node];
    for (size_t i = 0; i < n->buffers.size; i++) {
        const MlcKernelBuffer *buffer = &s->graph.buffers[n->buffers.data[i]];
        bool is_wanted = false;
        for (size_t k = 0; k < buffer->users.size && !is_wanted; k++)
            is_wanted = buffer->users.data[k] != node && !has_run(done, buffer->users.data[k]);
        freed += is_wanted ? 0 : buffer->bytes;
    }
    return freed;
}

static State
run_node(const Search *s, const State *state, uint32_t parent, size_t node)
{
    State next = *state;
    int64_t high = state->now + s->graph.nodes[node].made;
    next.peak = high > state->peak ? high : state->peak;
    next.now = high - freed_by(s, state->done, node);
    next.key = state->key ^ mlc_hash_u64(node + 1);
    next.parent = parent;
    next.node = (uint32_t)node;
    return next; // with the parent's set
}

// The peak of the order that is there.
static int64_t
present_peak(const Search *s)
{
    State state = {.done = MLC_NEW_ARRAY(s->arena, uint64_t, s->num_words)};
    for (size_t i = 0; i < s->graph.num_nodes; i++) {
        state = run_node(s, &state, 0, i);
        set_bit(state.done, i);
    }
    return state.peak;
}

// ---- the search

// The next node at or behind `node` that may run; SIZE_MAX: none.
static size_t
next_ready(const Search *s, const State *state, size_t node)
{
    for (size_t word = node / 64; word < s->num_words; word++) {
        uint64_t bits = state->ready[word];
        if (word == node / 64)
            bits &= ~UINT64_C(0) << (node % 64);
        if (bits)
            return word * 64 + (size_t)__builtin_ctzll(bits);
    }
    return SIZE_MAX;
}

// Adds what follows when the node runs, unless its set is there already with less.
static void
add_state(const State *after, StateVec *next, MlcMap *seen)
{
    uint64_t known;
    if (!mlc_map_get_u64(seen, after->key, &known)) {
        mlc_vec_push(next, *after);
        mlc_map_set_u64(seen, after->key, next->size);
    } else if (after->peak < next->data[known - 1].peak)
        next->data[known - 1] = *after;
}

// Adds what may follow. A node that can wait for nothing better is alone.
static void
expand(const Search *s, const State *state, uint32_t number, StateVec *next, MlcMap *seen)
{
    for (size_t i = 0; (i = next_ready(s, state, i)) != SIZE_MAX; i++) {
        State after = run_node(s, state, number, i);
        if (after.peak == state->peak && after.now <= state->now) {
            add_state(&after, next, seen);
            return;
        }
    }
    for (size_t i = 0; (i = next_ready(s, state, i)) != SIZE_MAX; i++) {
        State after = run_node(s, state, number, i);
        add_state(&after, next, seen);
    }
}

static int
least_first(const void *a, const void *b)
{
    const State *x = a, *y = b;
    if (x->peak != y->peak)
        return x->peak < y->peak ? -1 : 1;
    if (x->now != y->now)
        return x->now < y->now ? -1 : 1;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

// Those that are kept get sets of their own.
static void
keep_least(Search *s, StateVec *next, uint64_t *sets)
{
    qsort(next->data, next->size, sizeof *next->data, least_first);
    s->is_exact &= next->size <= s->width;
    next->size = next->size < s->width ? next->size : s->width;
    for (size_t i = 0; i < next->size; i++) {
        State *state = &next->data[i];
        uint64_t *own = sets + i * 2 * s->num_words;
        memcpy(own, state->done, s->num_words * sizeof *own);
        memcpy(own + s->num_words, state->ready, s->num_words * sizeof *own);
        state->done = own;
        state->ready = own + s->num_words;
        set_bit(state->done, state->node);
        state->ready[state->node / 64] &= ~(UINT64_C(1) << (state->node % 64));
        const MlcKernelNode *node = &s->graph.nodes[state->node];
        for (size_t k = 0; k < node->after.size; k++)
            if (is_ready(s, state->done, node->after.data[k]))
                set_bit(state->ready, node->after.data[k]);
    }
}

// The order found in `order`; returns its peak.
static int64_t
search(Search *s, uint32_t *order)
{
    size_t n = s->graph.num_nodes, set_words = 2 * s->width * s->num_words;
    uint64_t *sets = MLC_NEW_ARRAY(s->arena, uint64_t, 2 * set_words);
    struct Step {
        uint32_t parent, node;
    } *steps = MLC_NEW_ARRAY(s->arena, struct Step, n * s->width + 1);
    StateVec now = {0}, next = {0};
    mlc_vec_push(&now, ((State){.done = sets, .ready = sets + s->num_words}));
    for (size_t i = 0; i < n; i++)
        if (s->graph.nodes[i].before.size == 0)
            set_bit(now.data[0].ready, i);
    for (size_t depth = 0; depth < n; depth++) {
        MlcMap seen = {0};
        mlc_vec_clear(&next);
        for (size_t i = 0; i < now.size; i++)
            expand(s, &now.data[i], (uint32_t)i, &next, &seen);
        mlc_map_release(&seen);
        keep_least(s, &next, sets + (depth + 1) % 2 * set_words);
        for (size_t i = 0; i < next.size; i++)
            steps[depth * s->width + i] = (struct Step){next.data[i].parent, next.data[i].node};
        StateVec swap = now;
        now = next;
        next = swap;
    }
    int64_t peak = now.data[0].peak;
    for (size_t depth = n, at = 0; depth-- > 0;) {
        const struct Step *step = &steps[depth * s->width + at];
        order[depth] = step->node;
        at = step->parent;
    }
    mlc_vec_release(&now);
    mlc_vec_release(&next);
    return peak;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    if (!mlc_op_attr(module, "mlc.max_arena"))
        return true;
    MlcOp *function = mlc_model_function(pass, module);
    if (!function)
        return false;
    Search s = {.arena = mlc_pass_scratch(pass), .is_exact = true};
    MlcBlock *block = mlc_region_first(mlc_op_region(function, 0));
    mlc_kernel_graph_read(&s.graph, block, s.arena);
    s.num_words = s.graph.num_nodes / 64 + 1;
    int64_t present = present_peak(&s);
    if (s.graph.num_nodes > 0) {
        size_t width = WORK / s.graph.num_nodes / s.graph.num_nodes;
        s.width = width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
        uint32_t *order = MLC_NEW_ARRAY(s.arena, uint32_t, s.graph.num_nodes);
        int64_t found = search(&s, order);
        for (size_t i = 0; found < present && i < s.graph.num_nodes; i++)
            mlc_op_move_before(s.graph.nodes[order[i]].op, mlc_block_last(block));
        mlc_pass_count(pass, "bytes-before", present);
        mlc_pass_count(pass, "bytes-after", found < present ? found : present);
        mlc_pass_count(pass, "best-there-is", s.is_exact);
    }
    mlc_kernel_graph_release(&s.graph);
    return true;
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "The model function"},
};

MLC_PASS(order_kernels, .flag = "order-kernels",
         .summary = "Order kernels so that the arena keeps a limit", .anchor = "builtin.module",
         .options = options, .num_options = 1, .run = run)

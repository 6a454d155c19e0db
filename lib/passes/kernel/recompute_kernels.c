// recompute_kernels.c -- where a model's arena has a limit that no order keeps, values that lie
// about are dropped and computed again before they are read.
//
// At the position where most bytes live, a value that is neither made nor read there may go: its
// kernel is called again in front of the first one that reads it from there on. What that call
// reads and nobody keeps so long lives longer, or is computed again too, up to MAX_DEPTH kernels
// deep. Of all such plans that lower the peak (or how many positions have it) the one is taken
// whose kernels cost least for the bytes that it gains there; and so on, until the buffers have
// places within the limit, or nothing helps.
//
// What kernels need for themselves, such as padded copies, is known when they are loops, and later
// passes let some kernels write over what they read. So first a copy of the model goes through
// those passes: where the limit is kept as it is, nothing changes, and else it tells each kernel's
// scratch, which lives at its calls.
//
// Recomputing checkpointed parts is Griewank's and Chen et al.'s (arXiv 1604.06174); the price of a
// value, cost over bytes, is that of Kirisame et al. (arXiv 2006.09616, without staleness, for all
// is known before). plan-memory tells whether the limit is kept.
#include "buffer_places.h"
#include "kernel_arguments.h"
#include "kernel_graph.h"

#include "mlc/dialects/func.h"
#include "mlc/ir.h"

#include <stdlib.h>

enum { MAX_DEPTH = 8, MAX_CHAIN = 24, MAX_CANDIDATES = 32, MAX_ROUNDS = 1024 };

// The order of nodes, some of which run twice. What a second run makes are other buffers.
typedef MLC_VEC(uint32_t) Numbers;
typedef struct Step {
    uint32_t node;
    size_t again; // 1 for the first of a plan's calls, 2 for the second...; 0: in its own place
} Step;

typedef struct Peak {
    int64_t bytes;
    size_t count, at; // positions that have it, the first of them
} Peak;

// Calls of `chain` in front of node `before`, from which on what they make is read.
typedef struct Plan {
    uint32_t before;
    Numbers chain;
    double price;
} Plan;

typedef struct Recompute {
    MlcArena arena; // of a round
    MlcBlock *block;
    MlcSymbolTable *symbols;
    MlcMap repeatable; // function -> 1, or 2 for one that is not
    MlcKernelGraph graph;
    MlcMap scratch;  // function -> bytes that a call is given (kernel-scratch)
    MlcOp **kernels; // what nodes call, where that may run again
    int64_t *needed; // scratch of nodes
    int64_t limit;
    Step *steps;      // room for a plan's
    int64_t *lives;   // of buffers, and of those made again: first and last step; first -1: none
    int64_t *changes; // of living bytes, by step
    MlcBufferPlaces places; // those of `lives`
} Recompute;

// ---- what lives when

// The buffer that a step sees: those that the plan's calls make are numbered behind the others.
static size_t
buffer_seen(const Recompute *r, const Plan *plan, uint32_t buffer, const Step *step)
{
    uint32_t maker = r->graph.buffers[buffer].maker;
    size_t num_made = step->again;
    if (plan && !step->again && step->node >= plan->before)
        num_made = plan->chain.size;
    for (size_t i = 0; i < num_made; i++)
        if (plan->chain.data[i] == maker)
            return buffer + r->graph.num_buffers;
    return buffer;
}

static size_t
list_steps(const Recompute *r, const Plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < r->graph.num_nodes; i++) {
        for (size_t k = 0; plan && plan->before == i && k < plan->chain.size; k++)
            r->steps[n++] = (Step){plan->chain.data[k], k + 1};
        r->steps[n++] = (Step){(uint32_t)i, 0};
    }
    return n;
}

// Fills `lives` for the order with the plan's calls in it (NULL: as it is).
static Peak
find_peak(Recompute *r, const Plan *plan)
{
    size_t n = list_steps(r, plan), num = 2 * r->graph.num_buffers;
    Peak peak = {0};
    for (size_t i = 0; i < 2 * num; i++)
        r->lives[i] = -1;
    memset(r->changes, 0, (n + 1) * sizeof *r->changes);
    for (size_t i = 0; i < n; i++) {
        const MlcKernelNode *node = &r->graph.nodes[r->steps[i].node];
        for (size_t k = 0; k < node->buffers.size; k++) {
            int64_t *life =
                &r->lives[2 * buffer_seen(r, plan, node->buffers.data[k], &r->steps[i])];
            life[0] = life[0] < 0 ? (int64_t)i : life[0];
            life[1] = (int64_t)i;
        }
    }
    for (size_t b = 0; b < num; b++)
        if (r->lives[2 * b] >= 0) {
            r->changes[r->lives[2 * b]] += r->graph.buffers[b % r->graph.num_buffers].bytes;
            r->changes[r->lives[2 * b + 1] + 1] -= r->graph.buffers[b % r->graph.num_buffers].bytes;
        }
    int64_t now = 0;
    for (size_t i = 0; i < n; i++) {
        now += r->changes[i];
        int64_t here = now + r->needed[r->steps[i].node];
        if (here > peak.bytes)
            peak = (Peak){here, 0, i};
        peak.count += here == peak.bytes;
    }
    return peak;
}

// Whether what lives as `lives` says, without a plan, has places within the limit.
static bool
fits(Recompute *r)
{
    mlc_vec_clear(&r->places);
    for (size_t b = 0; b < r->graph.num_buffers; b++)
        if (r->lives[2 * b] >= 0 && r->graph.buffers[b].bytes > 0)
            mlc_vec_push(&r->places, ((MlcBufferPlace){.bytes = r->graph.buffers[b].bytes,
                                                       .first = (size_t)r->lives[2 * b],
                                                       .last = (size_t)r->lives[2 * b + 1]}));
    for (size_t i = 0; i < r->graph.num_nodes; i++)
        if (r->needed[i] > 0)
            mlc_vec_push(&r->places,
                         ((MlcBufferPlace){.bytes = r->needed[i], .first = i, .last = i}));
    return mlc_buffer_place(&r->places, &r->arena) <= r->limit;
}

// ---- plans

// No other calls are in it.
static bool
is_repeatable(Recompute *r, MlcOp *kernel)
{
    uint64_t known;
    if (mlc_map_get_u64(&r->repeatable, (uint64_t)(uintptr_t)kernel, &known))
        return known == 1;
    bool is_it = mlc_is_kernel_function(kernel);
    MLC_FOR_EACH_PREORDER (op, kernel)
        is_it &= mlc_op_interface(op, MLC_INTERFACE_CALL) == NULL;
    mlc_map_set_u64(&r->repeatable, (uint64_t)(uintptr_t)kernel, is_it ? 1 : 2);
    return is_it;
}

static MlcOp *
find_callee(const Recompute *r, uint32_t number)
{
    MlcOp *op = r->graph.nodes[number].op;
    return mlc_func_call_isa(op) ? mlc_symbol_table_lookup(r->symbols, mlc_func_call_callee(op))
                                 : NULL;
}

// What the node calls, if that gives the same again; not with outputs of the model, in whose memory
// it may find something.
static MlcOp *
find_kernel(Recompute *r, uint32_t number)
{
    const MlcKernelNode *node = &r->graph.nodes[number];
    MlcOp *kernel = find_callee(r, number);
    if (!kernel || mlc_op_attr(node->op, "mlc.run_once"))
        return NULL;
    for (size_t i = 0; i < node->buffers.size; i++) {
        const MlcKernelBuffer *buffer = &r->graph.buffers[node->buffers.data[i]];
        if (buffer->maker == number && buffer->bytes == 0)
            return NULL;
    }
    return is_repeatable(r, kernel) ? kernel : NULL;
}

static double
cost_of(const Recompute *r, uint32_t number)
{
    static const char *const names[] = {"mlc.flops", "mlc.bytes"};
    double cost = 1;
    for (size_t i = 0; i < 2; i++) {
        int64_t amount;
        MlcAttr attr = mlc_op_attr(r->kernels[number], names[i]);
        cost += attr && mlc_attr_try_as_int(attr, &amount) ? (double)amount : 0;
    }
    return cost;
}

static bool
is_in(const Numbers *numbers, uint32_t number)
{
    for (size_t i = 0; i < numbers->size; i++)
        if (numbers->data[i] == number)
            return true;
    return false;
}

// Adds the kernels that must run again, first those that others read, for `number` to run in front
// of `before`.
static void
add_chain(const Recompute *r, uint32_t number, uint32_t before, size_t depth, Numbers *chain)
{
    const MlcKernelNode *node = &r->graph.nodes[number];
    for (size_t i = 0; depth > 0 && i < node->buffers.size && chain->size < MAX_CHAIN; i++) {
        const MlcKernelBuffer *buffer = &r->graph.buffers[node->buffers.data[i]];
        uint32_t last = buffer->users.size ? buffer->users.data[buffer->users.size - 1] : 0;
        if (buffer->maker != number && buffer->bytes > 0 && last < before &&
            !is_in(chain, buffer->maker) && r->kernels[buffer->maker])
            add_chain(r, buffer->maker, before, depth - 1, chain);
    }
    if (!is_in(chain, number))
        mlc_vec_push(chain, number);
}

// The bytes that live at step `at` of the order that was looked at last, scratch with them.
static int64_t
bytes_at(const Recompute *r, size_t at)
{
    int64_t bytes = r->needed[r->steps[at].node];
    for (size_t i = 0; i <= at; i++)
        bytes += r->changes[i];
    return bytes;
}

// Whether to drop the buffer at the peak and compute it again helps, how deep and at what price.
static void
try_buffer(Recompute *r, const Peak *now, uint32_t maker, uint32_t before, Plan *best)
{
    size_t chain_size = 0;
    for (size_t depth = 0; depth <= MAX_DEPTH; depth = depth ? 2 * depth : 1) {
        Plan plan = {.before = before};
        add_chain(r, maker, before, depth, &plan.chain);
        bool is_other = plan.chain.size != chain_size;
        chain_size = plan.chain.size;
        Peak then = is_other ? find_peak(r, &plan) : *now;
        bool is_lower =
            then.bytes < now->bytes || (then.bytes == now->bytes && then.count < now->count);
        if (is_lower) {
            int64_t gain = now->bytes - bytes_at(r, now->at);
            for (size_t i = 0; i < plan.chain.size; i++)
                plan.price += cost_of(r, plan.chain.data[i]);
            plan.price /= gain > 1 ? (double)gain : 1;
        }
        if (is_lower && (best->chain.size == 0 || plan.price < best->price)) {
            Plan swap = *best;
            *best = plan;
            plan = swap;
        }
        mlc_vec_release(&plan.chain);
    }
}

static int
biggest_first(const void *a, const void *b)
{
    const MlcKernelBuffer *x = *(const MlcKernelBuffer *const *)a;
    const MlcKernelBuffer *y = *(const MlcKernelBuffer *const *)b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->maker < y->maker ? -1 : x->maker > y->maker;
}

// The first node behind the peak that reads it; 0: it is made or read there, or not wanted any
// more.
static uint32_t
next_reader(const MlcKernelBuffer *buffer, size_t at)
{
    uint32_t next = 0;
    if (buffer->maker >= at)
        return 0;
    for (size_t i = 0; i < buffer->users.size; i++) {
        if (buffer->users.data[i] == at)
            return 0;
        if (!next && buffer->users.data[i] > at)
            next = buffer->users.data[i];
    }
    return next;
}

// The best plan for the peak; one without a chain if nothing helps.
static Plan
find_plan(Recompute *r, const Peak *now)
{
    MlcPtrVec idle = {0};
    Plan best = {0};
    for (size_t i = 0; i < r->graph.num_buffers; i++)
        if (r->graph.buffers[i].bytes > 0 && next_reader(&r->graph.buffers[i], now->at))
            mlc_vec_push(&idle, &r->graph.buffers[i]);
    if (idle.size > 0)
        qsort(idle.data, idle.size, sizeof *idle.data, biggest_first);
    for (size_t i = 0; i < idle.size && i < MAX_CANDIDATES; i++) {
        const MlcKernelBuffer *buffer = idle.data[i];
        if (r->kernels[buffer->maker])
            try_buffer(r, now, buffer->maker, next_reader(buffer, now->at), &best);
    }
    mlc_vec_release(&idle);
    return best;
}

// ---- rewriting

// Operands of what is cloned: views of what has been cloned are views of the clones.
static void
clone_views(MlcOp *op, MlcOp *at, MlcCloneMap *map)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        MlcOp *def = mlc_value_def(value);
        if (!def || !mlc_is_tensor_view(def) || mlc_clone_map_get(map, value) != value)
            continue;
        clone_views(def, at, map);
        if (mlc_clone_map_get(map, mlc_op_operand(def, 0)) != mlc_op_operand(def, 0))
            mlc_op_insert_before(mlc_op_clone(def, map), at);
    }
}

// Ops from `at` on read `with`, and what is a view of it.
static void
replace_behind(const Recompute *r, MlcValue *value, MlcValue *with, MlcOp *at)
{
    for (MlcUse *use = mlc_value_first_use(value), *next; use; use = next) {
        next = mlc_use_next(use);
        MlcOp *user = mlc_block_find_ancestor(r->block, mlc_use_owner(use));
        if (user == at || mlc_op_is_before(at, user)) {
            mlc_use_set(use, with);
        } else if (mlc_is_tensor_view(user)) {
            MlcCloneMap *map = mlc_clone_map_create();
            mlc_clone_map_set(map, value, with);
            MlcOp *view = mlc_op_clone(user, map);
            mlc_op_insert_before(view, at);
            replace_behind(r, mlc_op_result(user, 0), mlc_op_result(view, 0), at);
            mlc_clone_map_destroy(map);
            if (!mlc_value_has_uses(mlc_op_result(view, 0)))
                mlc_op_erase(view);
        }
    }
}

static void
apply(const Recompute *r, const Plan *plan)
{
    MlcOp *at = r->graph.nodes[plan->before].op;
    MlcCloneMap *map = mlc_clone_map_create();
    MlcOpVec clones = {0};
    for (size_t i = 0; i < plan->chain.size; i++) {
        MlcOp *op = r->graph.nodes[plan->chain.data[i]].op;
        clone_views(op, at, map);
        mlc_vec_push(&clones, mlc_op_clone(op, map));
        mlc_op_insert_before(clones.data[i], at);
    }
    for (size_t i = 0; i < plan->chain.size; i++)
        for (size_t k = 0; k < mlc_op_num_results(clones.data[i]); k++)
            replace_behind(r, mlc_op_result(r->graph.nodes[plan->chain.data[i]].op, k),
                           mlc_op_result(clones.data[i], k), at);
    mlc_vec_release(&clones);
    mlc_clone_map_destroy(map);
}

// ---- the pass

// Kernels of the copy have the names that they have here.
static void
read_scratch(Recompute *r, MlcOp *copy)
{
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(copy, 0))) {
        MlcAttr bytes = mlc_op_attr(op, "mlc.call_scratch");
        MlcOp *kernel = bytes ? mlc_symbol_table_lookup(r->symbols, mlc_symbol_name(op)) : NULL;
        if (kernel)
            mlc_map_set_u64(&r->scratch, (uint64_t)(uintptr_t)kernel,
                            (uint64_t)mlc_buffer_align(mlc_attr_as_int(bytes)));
    }
}

// The arena of the model as it is, by the very passes that will make it; -1: they fail.
static int64_t
measured_arena(Recompute *r, MlcPass *pass, MlcOp *module)
{
    static const char passes[] = "kernel-constants,bufferize,canonicalize,cse,affine-pipeline";
    MlcContext *ctx = mlc_pass_context(pass);
    MlcCloneMap *map = mlc_clone_map_create();
    MlcOp *copy = mlc_op_clone(module, map);
    MlcDiagList said = {0};
    int64_t bytes = -1;
    mlc_diag_capture_begin(ctx, &said);
    mlc_op_set_attr(copy, "mlc.max_arena", NULL);
    bool ok = mlc_pass_run_pipeline(pass, mlc_str(passes), copy);
    MlcAttr attr = ok ? mlc_op_attr(copy, "mlc.arena_bytes") : NULL;
    if (!attr || !mlc_attr_try_as_int(attr, &bytes))
        bytes = -1;
    if (ok)
        read_scratch(r, copy);
    mlc_diag_capture_end(ctx, &said);
    mlc_diag_discard(ctx, &said); // it is said again when the model itself is lowered
    mlc_op_destroy(copy);
    mlc_clone_map_destroy(map);
    return bytes;
}

static void
read_graph(Recompute *r)
{
    mlc_kernel_graph_read(&r->graph, r->block, &r->arena);
    size_t most = r->graph.num_nodes + MAX_CHAIN + MAX_DEPTH + 1;
    r->steps = MLC_NEW_ARRAY(&r->arena, Step, most);
    r->changes = MLC_NEW_ARRAY(&r->arena, int64_t, most + 1);
    r->lives = MLC_NEW_ARRAY(&r->arena, int64_t, 4 * r->graph.num_buffers + 1);
    r->kernels = MLC_NEW_ARRAY(&r->arena, MlcOp *, r->graph.num_nodes + 1);
    r->needed = MLC_NEW_ARRAY(&r->arena, int64_t, r->graph.num_nodes + 1);
    for (size_t i = 0; i < r->graph.num_nodes; i++) {
        MlcOp *callee = find_callee(r, (uint32_t)i);
        uint64_t bytes = 0;
        if (callee)
            mlc_map_get_u64(&r->scratch, (uint64_t)(uintptr_t)callee, &bytes);
        r->needed[i] = (int64_t)bytes;
        r->kernels[i] = find_kernel(r, (uint32_t)i);
    }
}

// One value less at the peak; false where nothing helps.
static bool
recompute_one(Recompute *r, const Peak *now, MlcPass *pass)
{
    Plan plan = find_plan(r, now);
    bool helps = plan.chain.size > 0;
    if (helps) {
        apply(r, &plan);
        mlc_pass_count(pass, "kernels-run-again", (int64_t)plan.chain.size);
    }
    mlc_vec_release(&plan.chain);
    return helps;
}

// False where the limit is kept, or cannot be.
static bool
improve(Recompute *r, MlcPass *pass)
{
    mlc_arena_init(&r->arena);
    read_graph(r);
    Peak now = find_peak(r, NULL);
    bool is_kept = now.bytes <= r->limit && fits(r),
         helps = !is_kept && recompute_one(r, &now, pass);
    mlc_kernel_graph_release(&r->graph);
    mlc_arena_release(&r->arena);
    return helps;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    Recompute r = {0};
    MlcAttr limit = mlc_op_attr(module, "mlc.max_arena");
    if (!limit || !mlc_attr_try_as_int(limit, &r.limit))
        return true;
    MlcOp *function = mlc_model_function(pass, module);
    if (!function)
        return false;
    r.block = mlc_region_first(mlc_op_region(function, 0));
    r.symbols = mlc_symbol_table_create(module);
    int64_t bytes = measured_arena(&r, pass, module);
    bool is_kept = bytes < 0 || bytes <= r.limit; // what fails there fails again, and is told then
    for (size_t i = 0; !is_kept && i < MAX_ROUNDS && improve(&r, pass); i++)
        ;
    mlc_vec_release(&r.places);
    mlc_map_release(&r.repeatable);
    mlc_map_release(&r.scratch);
    mlc_symbol_table_destroy(r.symbols);
    return true;
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "The model function"},
};

MLC_PASS(recompute_kernels, .flag = "recompute-kernels",
         .summary = "Compute values again rather than keep them, so that the arena keeps a limit",
         .anchor = "builtin.module", .options = options, .num_options = 1, .run = run)

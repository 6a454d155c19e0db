// gpu_streams.c -- on which stream each kernel and copy of the model function runs, and which
// events order them.
//
// What touches no memory that an earlier op writes, nor writes what one touches, may run beside it:
// branches of a network, copies of inputs. Two buffers that share a place in the arena, one after
// the other, touch the same memory, so this comes behind plan-memory. Where places are known when
// the model runs only, two buffers may share one unless both are alive at the same time.
//
// Ops get what the runtime is told (gpu-to-runtime): `mlc.stream`, without it 0; `mlc.event`, the
// number of an event that is recorded behind the op; `mlc.waits`, numbers that its stream waits for
// ahead of it. Where the host waits, or begins with work of its own (`mlc.submit`), all streams
// meet: nothing is ordered beyond that.
//
// An op follows on the stream whose last op it depends on, else takes a stream where nothing is
// left that it need not wait for. What a stream knows of others is a clock, so no wait is told
// twice (Lamport).
#include "kernel_arguments.h"

#include "mlc/analysis/alias.h"
#include "mlc/ir.h"
#include "mlc/support/map.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"

enum { MAX_STREAMS = 8 };

typedef struct Clock {
    size_t done[MAX_STREAMS]; // of each stream, how many of its ops
} Clock;

// What an op does to one buffer.
typedef struct Access {
    MlcValue *memory;   // the arena, or what is a buffer of its own; NULL: not known
    MlcValue *window;   // of it
    int64_t begin, end; // bytes of it; -1: not known
    size_t first, last; // positions where the window is used
    MlcModRef what;
} Access;

typedef struct Work {
    MlcOp *op;
    size_t first_access, num_accesses;
    size_t stream;
    Clock clock; // what is done when this is, of its own stream itself
    int64_t event;
} Work;

typedef struct Plan {
    MlcOp *function;
    MlcSymbolTable *symbols;
    size_t num_streams;
    MlcMap positions; // op of the body -> its position + 1
    MLC_VEC(Access) accesses;
    MLC_VEC(Work) works;
    size_t first;                   // of those since all streams met
    Clock known[MAX_STREAMS];       // what each stream knows
    size_t count[MAX_STREAMS];      // its ops
    size_t last[MAX_STREAMS];       // its last one
    bool is_used[MAX_STREAMS];      // since all met
    int64_t num_events, num_beside; // events; ops that are not on stream 0
} Plan;

static void
join(Clock *to, const Clock *from)
{
    for (size_t i = 0; i < MAX_STREAMS; i++)
        to->done[i] = from->done[i] > to->done[i] ? from->done[i] : to->done[i];
}

// ---- what ops touch

static bool
is_device_memory(MlcValue *value)
{
    return mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF) &&
           mlc_memref_type_memory_space(mlc_value_type(value));
}

static void
find_life(const Plan *p, MlcValue *value, Access *access)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(p->function, 0));
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        if (mlc_op_interface(user, MLC_INTERFACE_VIEW_LIKE)) {
            find_life(p, mlc_op_result(user, 0), access);
            continue;
        }
        size_t at =
            (size_t)(uintptr_t)mlc_map_get(&p->positions, mlc_block_find_ancestor(body, user));
        access->first = at < access->first ? at : access->first;
        access->last = at > access->last ? at : access->last;
    }
}

// The window of memory that the value looks at: what is cut out of an argument first.
static Access
access_of(const Plan *p, MlcValue *value, MlcModRef what)
{
    Access access = {.begin = -1, .end = -1, .first = SIZE_MAX, .what = what};
    MlcOp *def = mlc_value_def(value);
    MlcValue *source = value;
    while (def && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE)) {
        value = source;
        source = mlc_op_operand(def, 0);
        def = mlc_value_def(source);
    }
    bool is_own = !def || mlc_memref_alloc_isa(def);
    access.memory = is_own ? source : NULL;
    access.window = def ? source : value;
    MlcOp *view = def ? NULL : mlc_value_def(value);
    MlcType type = mlc_value_type(value);
    int64_t offset;
    if (view && mlc_memref_view_isa(view) && mlc_type_has_static_shape(type) &&
        mlc_mixed_constant((MlcMixed){mlc_memref_view_byte_shift(view), 0}, &offset)) {
        access.begin = offset;
        access.end = offset + mlc_buffer_bytes(type);
    }
    find_life(p, access.window, &access);
    return access;
}

static bool
is_conflict(const Access *a, const Access *b)
{
    if (!((a->what | b->what) & MLC_MOD_REF_MOD))
        return false;
    if (!a->memory || !b->memory || a->window == b->window)
        return true;
    if (a->memory != b->memory)
        return false;
    if (a->begin >= 0 && b->begin >= 0)
        return a->begin < b->end && b->begin < a->end;
    return a->last < b->first || b->last < a->first; // a place may be used again
}

static bool
depends(const Plan *p, const Work *later, const Work *earlier)
{
    for (size_t i = 0; i < later->num_accesses; i++)
        for (size_t k = 0; k < earlier->num_accesses; k++)
            if (is_conflict(&p->accesses.data[later->first_access + i],
                            &p->accesses.data[earlier->first_access + k]))
                return true;
    return false;
}

// What the function says of its argument (gpu-device-memory).
static MlcModRef
argument_use(MlcOp *function, size_t arg)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(function, methods->arg_attrs_slot);
    MlcAttr said =
        attrs && arg < mlc_array_attr_size(attrs)
            ? mlc_dict_attr_find(mlc_array_attr_element(attrs, arg), mlc_str("mlc.access"))
            : NULL;
    if (!mlc_attr_is(said, MLC_ATTR_STRING))
        return MLC_MOD_REF_BOTH;
    MlcStr text = mlc_string_attr_value(said);
    return mlc_str_equal(text, mlc_str("read"))    ? MLC_MOD_REF_REF
           : mlc_str_equal(text, mlc_str("write")) ? MLC_MOD_REF_MOD
           : mlc_str_equal(text, mlc_str("none"))  ? MLC_MOD_REF_NONE
                                                   : MLC_MOD_REF_BOTH;
}

static void
add_access(Plan *p, Work *work, MlcValue *value, MlcModRef what)
{
    if (!is_device_memory(value) || what == MLC_MOD_REF_NONE)
        return;
    Access access = access_of(p, value, what);
    mlc_vec_push(&p->accesses, access);
    work->num_accesses++;
}

// ---- streams

// One whose last op is waited for anyway, the latest of them; else one that has nothing to do; else
// the one that began its last op first.
static size_t
choose_stream(const Plan *p, const Clock *needed)
{
    size_t best = SIZE_MAX, idle = SIZE_MAX, oldest = 0;
    for (size_t s = 0; s < p->num_streams; s++) {
        bool is_behind = p->is_used[s] && needed->done[s] >= p->count[s];
        if (is_behind && (best == SIZE_MAX || p->last[s] > p->last[best]))
            best = s;
        if (!p->is_used[s] && idle == SIZE_MAX)
            idle = s;
        if (p->last[s] < p->last[oldest])
            oldest = s;
    }
    return best != SIZE_MAX ? best : idle != SIZE_MAX ? idle : oldest;
}

static MlcAttr
event_of(Plan *p, Work *work)
{
    MlcContext *ctx = mlc_op_context(work->op);
    if (work->event < 0) {
        work->event = p->num_events++;
        mlc_op_set_attr(work->op, "mlc.event", mlc_i64_attr_get(ctx, work->event));
    }
    return mlc_i64_attr_get(ctx, work->event);
}

static void
place(Plan *p, Work *work, const MlcPtrVec *needed_works, const Clock *needed)
{
    MlcContext *ctx = mlc_op_context(work->op);
    size_t s = choose_stream(p, needed);
    Clock *known = &p->known[s];
    MLC_VEC(MlcAttr) waits = {0};
    for (size_t i = 0; i < needed_works->size; i++) { // the latest first
        Work *other = needed_works->data[i];
        if (other->stream == s || other->clock.done[other->stream] <= known->done[other->stream])
            continue;
        mlc_vec_push(&waits, event_of(p, other));
        join(known, &other->clock);
    }
    work->stream = s;
    known->done[s] = ++p->count[s];
    work->clock = *known;
    p->is_used[s] = true;
    p->last[s] = (size_t)(work - p->works.data);
    if (s > 0)
        mlc_op_set_attr(work->op, "mlc.stream", mlc_i64_attr_get(ctx, (int64_t)s));
    if (waits.size)
        mlc_op_set_attr(work->op, "mlc.waits", mlc_array_attr_get(ctx, waits.data, waits.size));
    p->num_beside += s > 0;
    mlc_vec_release(&waits);
}

static void
place_work(Plan *p, Work *work)
{
    Clock needed = {{0}};
    MlcPtrVec works = {0};
    for (size_t i = p->works.size - 1; i-- > p->first;) {
        Work *other = &p->works.data[i];
        if (other->clock.done[other->stream] <= needed.done[other->stream] ||
            !depends(p, work, other))
            continue;
        mlc_vec_push(&works, other);
        join(&needed, &other->clock);
    }
    place(p, work, &works, &needed);
    mlc_vec_release(&works);
}

// The host waits, or has all submitted: every stream knows of all.
static void
meet(Plan *p)
{
    for (size_t s = 0; s < p->num_streams; s++) {
        memcpy(p->known[s].done, p->count, sizeof p->count);
        p->is_used[s] = false;
    }
    p->first = p->works.size;
}

static void
place_call(Plan *p, MlcOp *call, const MlcCall *methods)
{
    MlcAttr name = methods->callee(call);
    MlcOp *callee =
        name ? mlc_symbol_table_lookup(p->symbols, mlc_symbol_ref_attr_name(name, 0)) : NULL;
    size_t first, count;
    if (!callee || mlc_region_is_empty(mlc_op_region(callee, 0)))
        return;
    if (mlc_op_attr(callee, "mlc.place")) {
        if (p->works.size > p->first)
            mlc_op_set_attr(call, "mlc.submit", mlc_unit_attr_get(mlc_op_context(call)));
        meet(p);
        return;
    }
    Work work = {.op = call, .first_access = p->accesses.size, .event = -1};
    methods->arguments(call, &first, &count);
    for (size_t i = 0; i < count; i++)
        add_access(p, &work, mlc_op_operand(call, first + i), argument_use(callee, i));
    mlc_vec_push(&p->works, work);
    place_work(p, &p->works.data[p->works.size - 1]);
}

static void
place_copy(Plan *p, MlcOp *copy)
{
    MlcValue *to = mlc_gpu_memcpy_dst(copy), *from = mlc_gpu_memcpy_src(copy);
    Work work = {.op = copy, .first_access = p->accesses.size, .event = -1};
    add_access(p, &work, to, MLC_MOD_REF_MOD);
    add_access(p, &work, from, MLC_MOD_REF_REF);
    mlc_vec_push(&p->works, work);
    place_work(p, &p->works.data[p->works.size - 1]);
    if (!is_device_memory(to) && !mlc_op_attr(copy, "mlc.at_end"))
        meet(p); // the host reads it now
}

static void
place_all(Plan *p)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(p->function, 0));
    size_t at = 0;
    MLC_FOR_EACH_OP (op, body)
        mlc_map_set(&p->positions, op, (void *)(uintptr_t)++at);
    mlc_vec_reserve(&p->works, at); // their addresses stay
    MLC_FOR_EACH_OP (op, body) {
        const MlcCall *methods = mlc_op_interface(op, MLC_INTERFACE_CALL);
        if (methods)
            place_call(p, op, methods);
        else if (mlc_gpu_memcpy_isa(op))
            place_copy(p, op);
    }
}

// Nobody asks below.
static void
forget_accesses(MlcOp *module)
{
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0)))
        if (mlc_is_kernel_function(op)) {
            const MlcFunction *methods = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
            mlc_op_set_slot(op, methods->arg_attrs_slot, NULL);
        }
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcOp *function = mlc_model_function(pass, module);
    int64_t streams = mlc_pass_option_int(pass, "streams");
    if (!function)
        return false;
    if (streams < 1 || streams > MAX_STREAMS)
        return mlc_op_error(module, "there are 1 to %d streams, not %lld", MAX_STREAMS,
                            (long long)streams);
    Plan p = {.function = function,
              .symbols = mlc_symbol_table_create(module),
              .num_streams = (size_t)streams};
    mlc_map_init(&p.positions);
    if (mlc_op_attr(module, "mlc.device_memory"))
        place_all(&p);
    forget_accesses(module);
    mlc_pass_count(pass, "events", p.num_events);
    mlc_pass_count(pass, "beside", p.num_beside);
    mlc_symbol_table_destroy(p.symbols);
    mlc_map_release(&p.positions);
    mlc_vec_release(&p.accesses);
    mlc_vec_release(&p.works);
    return true;
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "The model function"},
    {"streams", MLC_OPTION_INT, "4", "How many there are"},
};

MLC_PASS(gpu_streams, .flag = "gpu-streams",
         .summary = "Run what does not depend on each other on several streams",
         .anchor = "builtin.module", .options = options, .num_options = 2, .run = run)

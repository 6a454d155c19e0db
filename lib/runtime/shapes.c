// shapes.c -- see shapes.h.
//
// The tables are read as they lie in the artefact. Steps are checked when the model is loaded,
// stack and all, so that a run trusts them. Numbers are checked as they are computed: no sum wraps,
// and no size is negative.
#include "shapes.h"

#include "mlc/support/places.h"

#include <stdlib.h>

enum { MAX_STACK = 32, MAX_TRIES = 8 };
#define MAX_BYTES (INT64_C(1) << 47)
#define UNPLACED INT64_MIN // the offset of a buffer whose size is not known yet

typedef struct Tables {
    MlcArtefactShapes counts;
    const uint32_t *symbols;
    const MlcArtefactSize *sizes;
    const MlcArtefactStep *steps;
    const MlcArtefactCheck *checks;
    const MlcArtefactBuffer *buffers;
    const MlcArtefactCache *caches;
} Tables;

typedef struct Grown {
    bool is_grown; // the cache is the session's
    int64_t length, room;
} Grown;

struct MlcRtShapePlan {
    const MlcModel *model;
    Tables tables;
    int64_t *symbols; // -1: not bound yet
    int64_t *sizes;   // of the code
    MlcPlaced *places;
    MlcPlacing *work;
    Grown *grown;     // of each cache
    uint32_t *placed; // the buffers that `places` has
    uint32_t num_placed;
};

// ---- the tables

// False if they are not as long as they say.
static bool
find_tables(const void *section, size_t size, Tables *t)
{
    if (size < sizeof t->counts)
        return false;
    memcpy(&t->counts, section, sizeof t->counts);
    const MlcArtefactShapes *c = &t->counts;
    uint64_t names = (uint64_t)c->num_symbols + c->num_symbols % 2, at = sizeof *c;
    const char *bytes = section;
    t->symbols = (const uint32_t *)(const void *)(bytes + at);
    at += names * sizeof *t->symbols;
    t->sizes = (const MlcArtefactSize *)(const void *)(bytes + at);
    at += (uint64_t)c->num_sizes * sizeof *t->sizes;
    t->steps = (const MlcArtefactStep *)(const void *)(bytes + at);
    at += (uint64_t)c->num_steps * sizeof *t->steps;
    t->checks = (const MlcArtefactCheck *)(const void *)(bytes + at);
    at += (uint64_t)c->num_checks * sizeof *t->checks;
    t->buffers = (const MlcArtefactBuffer *)(const void *)(bytes + at);
    at += (uint64_t)c->num_buffers * sizeof *t->buffers;
    t->caches = (const MlcArtefactCache *)(const void *)(bytes + at);
    at += (uint64_t)c->num_caches * sizeof *t->caches;
    return at == size;
}

// The steps of a size leave one number on a stack that is deep enough.
static bool
check_steps(const Tables *t, const MlcArtefactSize *size)
{
    size_t depth = 0;
    if (size->first_step > t->counts.num_steps ||
        size->num_steps > t->counts.num_steps - size->first_step)
        return false;
    for (uint32_t i = 0; i < size->num_steps; i++) {
        const MlcArtefactStep *step = &t->steps[size->first_step + i];
        if (step->kind == MLC_RT_STEP_OPERATION) {
            if (step->number < MLC_RT_ADD || step->number > MLC_RT_MIN || depth < 2)
                return false;
            depth--;
            continue;
        }
        bool is_symbol = step->kind == MLC_RT_STEP_SYMBOL;
        if ((!is_symbol && step->kind != MLC_RT_STEP_NUMBER) || depth == MAX_STACK ||
            (is_symbol && (step->number < 0 || step->number >= t->counts.num_symbols)))
            return false;
        depth++;
    }
    return depth == 1;
}

static bool
is_symbol(const Tables *t, uint32_t size)
{
    return size < t->counts.num_sizes && t->sizes[size].num_steps == 1 &&
           t->steps[t->sizes[size].first_step].kind == MLC_RT_STEP_SYMBOL;
}

// Inputs, outputs and dimensions are looked at where those of the model are known.
static bool
check_cache(const Tables *t, const MlcArtefactCache *c)
{
    return is_symbol(t, c->past) && is_symbol(t, c->room) && c->present < t->counts.num_sizes;
}

bool
mlc_rt_caches_check(const MlcModel *model)
{
    Tables t;
    if (!model->shape_tables || !find_tables(model->shape_tables, model->shape_bytes, &t))
        return !model->shape_tables;
    for (uint32_t i = 0; i < t.counts.num_caches; i++) {
        const MlcArtefactCache *c = &t.caches[i];
        if (c->input >= (uint32_t)model->num_inputs || c->output >= (uint32_t)model->num_outputs)
            return false;
        const MlcRtTensorInfo *in = &model->tensors[c->input],
                              *out = &model->tensors[model->num_inputs + (int32_t)c->output];
        if (in->rank != out->rank || in->type != out->type || in->type == MLC_RT_STRING ||
            c->dim >= (uint32_t)in->rank ||
            model->dim_shapes[in->dims - model->dims + c->dim] != c->past + 1 ||
            model->dim_shapes[out->dims - model->dims + c->dim] != c->room + 1)
            return false;
    }
    return true;
}

bool
mlc_model_cache(const MlcModel *model, int32_t input, int32_t *output, const char **dim)
{
    Tables t;
    if (!model->shape_tables || !find_tables(model->shape_tables, model->shape_bytes, &t))
        return false;
    for (uint32_t i = 0; i < t.counts.num_caches; i++)
        if (input >= 0 && t.caches[i].input == (uint32_t)input) {
            *output = (int32_t)t.caches[i].output;
            *dim = model->tensors[input].dim_names[t.caches[i].dim];
            return true;
        }
    return false;
}

const char *
mlc_rt_shapes_check(const void *section, size_t size, size_t strings, uint32_t num_outputs)
{
    Tables t;
    if (!find_tables(section, size, &t))
        return "table of shapes";
    for (uint32_t i = 0; i < t.counts.num_symbols; i++)
        if (t.symbols[i] >= strings)
            return "a name in the table of shapes";
    for (uint32_t i = 0; i < t.counts.num_sizes; i++)
        if (t.sizes[i].text >= strings || !check_steps(&t, &t.sizes[i]))
            return "steps in the table of shapes";
    for (uint32_t i = 0; i < t.counts.num_checks; i++)
        if (t.checks[i].a >= t.counts.num_sizes || t.checks[i].b >= t.counts.num_sizes ||
            t.checks[i].where >= strings)
            return "checks in the table of shapes";
    for (uint32_t i = 0; i < t.counts.num_buffers; i++)
        if (t.buffers[i].bytes >= t.counts.num_sizes || t.buffers[i].first > t.buffers[i].last ||
            t.buffers[i].output > num_outputs)
            return "buffers in the table of shapes";
    for (uint32_t i = 0; i < t.counts.num_caches; i++)
        if (!check_cache(&t, &t.caches[i]))
            return "caches in the table of shapes";
    for (uint32_t i = 0; i < t.counts.num_sizes; i++)
        if (t.sizes[i].computed > t.counts.num_sizes || (t.sizes[i].computed && !is_symbol(&t, i)))
            return "computed sizes in the table of shapes";
    return NULL;
}

// ---- the plan

MlcRtShapePlan *
mlc_rt_shape_plan_create(const MlcModel *model)
{
    MlcRtShapePlan *plan = calloc(1, sizeof *plan);
    if (!plan || !find_tables(model->shape_tables, model->shape_bytes, &plan->tables))
        return free(plan), NULL;
    const MlcArtefactShapes *c = &plan->tables.counts;
    plan->model = model;
    plan->symbols = calloc(c->num_symbols + 1, sizeof *plan->symbols);
    plan->sizes = calloc((size_t)c->num_sizes + c->num_buffers + 1, sizeof *plan->sizes);
    plan->places = calloc(c->num_buffers + 1, sizeof *plan->places);
    plan->work = calloc(c->num_buffers + 1, sizeof *plan->work);
    plan->grown = calloc(c->num_caches + 1, sizeof *plan->grown);
    plan->placed = calloc(c->num_buffers + 1, sizeof *plan->placed);
    if (plan->symbols && plan->sizes && plan->places && plan->work && plan->grown && plan->placed)
        return plan;
    mlc_rt_shape_plan_destroy(plan);
    return NULL;
}

void
mlc_rt_shape_plan_destroy(MlcRtShapePlan *plan)
{
    if (!plan)
        return;
    free(plan->symbols);
    free(plan->sizes);
    free(plan->places);
    free(plan->work);
    free(plan->grown);
    free(plan->placed);
    free(plan);
}

const int64_t *
mlc_rt_shape_plan_sizes(const MlcRtShapePlan *plan)
{
    return plan->sizes;
}

static const char *
string(const MlcRtShapePlan *plan, uint32_t offset)
{
    return plan->model->data + plan->model->header.sections[MLC_ARTEFACT_STRINGS].offset + offset;
}

static bool
operate(int64_t operation, int64_t a, int64_t b, int64_t *result)
{
    switch (operation) {
    case MLC_RT_ADD:
        return !__builtin_add_overflow(a, b, result);
    case MLC_RT_SUB:
        return !__builtin_sub_overflow(a, b, result);
    case MLC_RT_MUL:
        return !__builtin_mul_overflow(a, b, result);
    case MLC_RT_FLOORDIV:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *result = a / b - (a % b != 0 && (a < 0) != (b < 0));
        return true;
    default:
        *result = (a > b) == (operation == MLC_RT_MAX) ? a : b;
        return true;
    }
}

// False if it does not fit, or divides by 0. `*is_known`: the code has computed all that is in it.
static bool
compute(const MlcRtShapePlan *plan, const MlcArtefactSize *size, bool *is_known, int64_t *result)
{
    int64_t stack[MAX_STACK];
    size_t depth = 0;
    for (uint32_t i = 0; i < size->num_steps; i++) {
        const MlcArtefactStep *step = &plan->tables.steps[size->first_step + i];
        if (step->kind != MLC_RT_STEP_OPERATION) {
            bool is_symbol = step->kind == MLC_RT_STEP_SYMBOL;
            *is_known = !is_symbol || plan->symbols[step->number] >= 0;
            if (!*is_known)
                return true;
            stack[depth++] = is_symbol ? plan->symbols[step->number] : step->number;
            continue;
        }
        depth--;
        if (!operate(step->number, stack[depth - 1], stack[depth], &stack[depth - 1]))
            return false;
    }
    *result = stack[0];
    return true;
}

// The size that a dimension of the model is; NULL: none.
static const MlcArtefactSize *
size_of_dim(const MlcRtShapePlan *plan, size_t dim)
{
    uint32_t number = plan->model->dim_shapes[dim];
    return number ? &plan->tables.sizes[number - 1] : NULL;
}

// Which symbol the size is alone; -1: none.
static int64_t
symbol_of(const MlcRtShapePlan *plan, const MlcArtefactSize *size)
{
    const MlcArtefactStep *step = size ? &plan->tables.steps[size->first_step] : NULL;
    return size && size->num_steps == 1 && step->kind == MLC_RT_STEP_SYMBOL ? step->number : -1;
}

// ---- caches

const MlcArtefactCache *
mlc_rt_shape_plan_caches(const MlcRtShapePlan *plan, size_t *count)
{
    *count = plan->tables.counts.num_caches;
    return plan->tables.caches;
}

// Of a size that is one symbol.
static int64_t
number_of_symbol(const MlcRtShapePlan *plan, uint32_t size)
{
    return symbol_of(plan, &plan->tables.sizes[size]);
}

const char *
mlc_rt_shape_plan_cache_name(const MlcRtShapePlan *plan, size_t i)
{
    const MlcArtefactCache *cache = &plan->tables.caches[i];
    return string(plan, plan->tables.symbols[number_of_symbol(plan, cache->past)]);
}

void
mlc_rt_shape_plan_grow(MlcRtShapePlan *plan, size_t i, int64_t length, int64_t room)
{
    plan->grown[i] = (Grown){.is_grown = true, .length = length, .room = room};
}

// The first of the dims of input `i`, counted over all.
static size_t
first_dim(const MlcModel *m, uint32_t i)
{
    return (size_t)(m->tensors[i].dims - m->dims);
}

void
mlc_rt_shape_plan_open(const MlcRtShapePlan *plan, int64_t *dims)
{
    const MlcModel *m = plan->model;
    for (uint32_t i = 0; i < plan->tables.counts.num_caches; i++) {
        uint32_t input = plan->tables.caches[i].input;
        size_t first = first_dim(m, input);
        for (int32_t k = 0; plan->grown[i].is_grown && k < m->tensors[input].rank; k++)
            if (m->dims[first + (size_t)k] < 0)
                dims[first + (size_t)k] = -1;
    }
}

// The inputs that are the session's have the sizes that others tell, and its length.
static void
fill_in(const MlcRtShapePlan *plan, int64_t *dims)
{
    const MlcModel *m = plan->model;
    for (uint32_t i = 0; i < plan->tables.counts.num_caches; i++) {
        uint32_t input = plan->tables.caches[i].input;
        size_t first = first_dim(m, input);
        for (int32_t k = 0; k < m->tensors[input].rank; k++) {
            uint32_t number = m->dim_shapes[first + (size_t)k];
            if (dims[first + (size_t)k] < 0 && number)
                dims[first + (size_t)k] = plan->sizes[number - 1];
        }
    }
}

// The room: the session's, or what the output needs.
static bool
bind_caches(MlcRtShapePlan *plan, MlcRtError *error)
{
    const Tables *t = &plan->tables;
    for (uint32_t i = 0; i < t->counts.num_caches; i++) {
        const MlcArtefactCache *cache = &t->caches[i];
        const MlcArtefactSize *present = &t->sizes[cache->present];
        int64_t needed;
        bool is_known = true;
        if (!compute(plan, present, &is_known, &needed) || !is_known)
            return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                               "the size '%s' is too large, or divides by 0, for these inputs",
                               string(plan, present->text));
        if (plan->grown[i].is_grown && needed > plan->grown[i].room)
            return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                               "along '%s' there is room for %lld, but '%s' is %lld: "
                               "mlc_session_grow makes more",
                               mlc_rt_shape_plan_cache_name(plan, i),
                               (long long)plan->grown[i].room, string(plan, present->text),
                               (long long)needed);
        plan->symbols[number_of_symbol(plan, cache->room)] =
            plan->grown[i].is_grown ? plan->grown[i].room : needed;
    }
    return true;
}

static bool
is_room(const MlcRtShapePlan *plan, int64_t symbol)
{
    for (uint32_t i = 0; i < plan->tables.counts.num_caches; i++)
        if (number_of_symbol(plan, plan->tables.caches[i].room) == symbol)
            return true;
    return false;
}

// The symbol that is computed size `number`; -1: there is none.
static int64_t
computed_symbol(const MlcRtShapePlan *plan, int64_t number)
{
    for (uint32_t i = 0; i < plan->tables.counts.num_sizes; i++)
        if ((int64_t)plan->tables.sizes[i].computed == number + 1)
            return number_of_symbol(plan, i);
    return -1;
}

static bool
is_computed(const MlcRtShapePlan *plan, int64_t symbol)
{
    for (uint32_t i = 0; i < plan->tables.counts.num_sizes; i++)
        if (plan->tables.sizes[i].computed && number_of_symbol(plan, i) == symbol)
            return true;
    return false;
}

// Dimensions of one name have the same size already.
static bool
bind_symbols(MlcRtShapePlan *plan, const int64_t *dims, size_t num_dims, MlcRtError *error)
{
    for (uint32_t i = 0; i < plan->tables.counts.num_symbols; i++)
        plan->symbols[i] = -1;
    for (size_t i = 0; i < num_dims; i++) {
        int64_t symbol = symbol_of(plan, size_of_dim(plan, i));
        if (symbol >= 0 && dims[i] >= 0)
            plan->symbols[symbol] = dims[i];
    }
    for (uint32_t i = 0; i < plan->tables.counts.num_caches; i++)
        if (plan->grown[i].is_grown)
            plan->symbols[number_of_symbol(plan, plan->tables.caches[i].past)] =
                plan->grown[i].length;
    for (uint32_t i = 0; i < plan->tables.counts.num_symbols; i++)
        if (plan->symbols[i] < 0 && !is_room(plan, i) && !is_computed(plan, i))
            return mlc_rt_fail(error, MLC_RT_CORRUPT, "no input has the dimension '%s'",
                               string(plan, plan->tables.symbols[i]));
    return bind_caches(plan, error);
}

// All that are not known yet (-1), as far as they follow from what is.
static bool
compute_sizes(MlcRtShapePlan *plan, MlcRtError *error)
{
    for (uint32_t i = 0; i < plan->tables.counts.num_sizes; i++) {
        const MlcArtefactSize *size = &plan->tables.sizes[i];
        int64_t result = -1;
        bool is_known = true;
        if (plan->sizes[i] >= 0)
            continue;
        if (!compute(plan, size, &is_known, &result))
            return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                               "the size '%s' is too large, or divides by 0, for these inputs",
                               string(plan, size->text));
        if (is_known && result < 0)
            return mlc_rt_fail(error, MLC_RT_ARGUMENT, "the size '%s' is %lld for these inputs",
                               string(plan, size->text), (long long)result);
        plan->sizes[i] = result;
    }
    return true;
}

// Of an input whose dimension is declared as an expression of others: "past + seq".
static bool
check_inputs(const MlcRtShapePlan *plan, const int64_t *dims, MlcRtError *error)
{
    const MlcModel *m = plan->model;
    for (int32_t i = 0; i < m->num_inputs; i++)
        for (int32_t k = 0; k < m->tensors[i].rank; k++) {
            size_t at = (size_t)(m->tensors[i].dims - m->dims) + (size_t)k;
            uint32_t number = m->dim_shapes[at];
            if (number && plan->sizes[number - 1] != dims[at])
                return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                                   "dimension %d of input '%s' is %lld, but '%s' is %lld by the "
                                   "other inputs",
                                   k, m->tensors[i].name, (long long)dims[at],
                                   string(plan, plan->tables.sizes[number - 1].text),
                                   (long long)plan->sizes[number - 1]);
        }
    return true;
}

static bool
check_equal(const MlcRtShapePlan *plan, MlcRtError *error)
{
    for (uint32_t i = 0; i < plan->tables.counts.num_checks; i++) {
        const MlcArtefactCheck *check = &plan->tables.checks[i];
        const MlcArtefactSize *a = &plan->tables.sizes[check->a],
                              *b = &plan->tables.sizes[check->b];
        bool is_known = plan->sizes[check->a] >= 0 && plan->sizes[check->b] >= 0;
        if (is_known && plan->sizes[check->a] != plan->sizes[check->b])
            return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                               "sizes '%s' and '%s' must be equal at '%s', but are %lld and %lld",
                               string(plan, a->text), string(plan, b->text),
                               string(plan, check->where), (long long)plan->sizes[check->a],
                               (long long)plan->sizes[check->b]);
    }
    return true;
}

// Buffers of known sizes that have no place yet get places from 0 on, within `*bytes`.
static bool
place_buffers(MlcRtShapePlan *plan, int64_t *bytes, MlcRtError *error)
{
    const MlcArtefactShapes *c = &plan->tables.counts;
    int64_t total = 0, *offsets = plan->sizes + c->num_sizes;
    plan->num_placed = 0;
    for (uint32_t i = 0; i < c->num_buffers; i++) {
        const MlcArtefactBuffer *buffer = &plan->tables.buffers[i];
        int64_t size = plan->sizes[buffer->bytes];
        if (buffer->output || size < 0 || offsets[i] != UNPLACED)
            continue;
        if (size > MAX_BYTES || __builtin_add_overflow(total, size, &total))
            return mlc_rt_fail(error, MLC_RT_MEMORY, "a buffer of '%s' bytes is too large: %lld",
                               string(plan, plan->tables.sizes[buffer->bytes].text),
                               (long long)size);
        size = (size + MLC_RT_ALIGNMENT - 1) / MLC_RT_ALIGNMENT * MLC_RT_ALIGNMENT;
        plan->placed[plan->num_placed] = i;
        plan->places[plan->num_placed++] =
            (MlcPlaced){.bytes = size, .first = buffer->first, .last = buffer->last};
    }
    *bytes = mlc_places_find(plan->places, plan->num_placed, MAX_TRIES, plan->work);
    if (*bytes > MAX_BYTES)
        return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for an arena of %lld bytes",
                           (long long)*bytes);
    for (uint32_t i = 0; i < plan->num_placed; i++)
        offsets[plan->placed[i]] = plan->places[i].offset;
    return true;
}

// What follows from the symbols that are known by now.
static bool
follow(MlcRtShapePlan *plan, int64_t *dims, int64_t *bytes, MlcRtError *error)
{
    const MlcModel *m = plan->model;
    if (!compute_sizes(plan, error))
        return false;
    fill_in(plan, dims);
    if (!check_inputs(plan, dims, error) || !check_equal(plan, error))
        return false;
    for (int32_t i = m->num_inputs; i < m->num_inputs + m->num_outputs; i++)
        for (int32_t k = 0; k < m->tensors[i].rank; k++) {
            size_t at = (size_t)(m->tensors[i].dims - m->dims) + (size_t)k;
            if (m->dim_shapes[at])
                dims[at] = plan->sizes[m->dim_shapes[at] - 1];
        }
    return place_buffers(plan, bytes, error);
}

bool
mlc_rt_shape_plan_run(MlcRtShapePlan *plan, int64_t *dims, int64_t *arena_bytes, MlcRtError *error)
{
    const MlcModel *m = plan->model;
    const MlcArtefactShapes *c = &plan->tables.counts;
    const MlcRtTensorInfo *first_output = &m->tensors[m->num_inputs];
    size_t num_inputs = m->num_outputs ? (size_t)(first_output->dims - m->dims) : m->num_dims;
    for (uint32_t i = 0; i < c->num_sizes; i++)
        plan->sizes[i] = -1;
    for (uint32_t i = 0; i < c->num_buffers; i++)
        plan->sizes[c->num_sizes + i] = UNPLACED;
    return bind_symbols(plan, dims, num_inputs, error) && follow(plan, dims, arena_bytes, error);
}

uint32_t
mlc_rt_shape_plan_num_computed(const MlcRtShapePlan *plan)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < plan->tables.counts.num_sizes; i++)
        most = plan->tables.sizes[i].computed > most ? plan->tables.sizes[i].computed : most;
    return most;
}

bool
mlc_rt_shape_plan_set(MlcRtShapePlan *plan, int64_t number, int64_t value, int64_t *dims,
                      int64_t *bytes, MlcRtError *error)
{
    int64_t symbol = number < 0 ? -1 : computed_symbol(plan, number);
    if (symbol < 0 || value < 0 || plan->symbols[symbol] >= 0)
        return mlc_rt_fail(error, MLC_RT_RUN, "the model computes %lld as its size %lld",
                           (long long)value, (long long)number);
    plan->symbols[symbol] = value;
    return follow(plan, dims, bytes, error);
}

void
mlc_rt_shape_plan_move(MlcRtShapePlan *plan, const char *arena, intptr_t distance,
                       void *const *outputs)
{
    const MlcArtefactShapes *c = &plan->tables.counts;
    int64_t *offsets = plan->sizes + c->num_sizes;
    for (uint32_t i = 0; i < plan->num_placed; i++)
        offsets[plan->placed[i]] += distance;
    for (uint32_t i = 0; i < c->num_buffers; i++) {
        uint32_t output = plan->tables.buffers[i].output;
        if (output && outputs[output - 1])
            offsets[i] = (intptr_t)outputs[output - 1] - (intptr_t)arena;
    }
}

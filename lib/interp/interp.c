// interp.c -- runs functions, regions and blocks.
//
// Blocks are turned into steps when they are first entered: looking values up by number instead of
// by address is what makes loops bearable. What an op means is its `eval` slot; structured ops
// without one mean mlc_eval_structured.
#include "mlc/interp.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#include "interp_impl.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_geometry.h"
#include "mlc/support/alloc.h"

#define DEFAULT_MAX_DEPTH 1000
#define MAX_NOTES 8
enum { POINTS_PER_STEP = 1024 };

static MlcInterp *
interp_of(MlcEval *e)
{
    return (MlcInterp *)e;
}

// --- code

static void
number(Scope *scope, MlcValue *value)
{
    mlc_map_set_u64(&scope->numbers, (uint64_t)(uintptr_t)value, scope->num_slots++);
}

Scope *
mlc_interp_scope(MlcInterp *interp, MlcOp *root)
{
    Scope *scope = mlc_map_get(&interp->scopes, root);
    if (scope)
        return scope;
    scope = MLC_NEW(&interp->arena, Scope);
    MLC_FOR_EACH_PREORDER (op, root) {
        for (size_t i = 0; i < mlc_op_num_results(op) && op != root; i++)
            number(scope, mlc_op_result(op, i));
        for (size_t r = 0; r < mlc_op_num_regions(op); r++)
            for (MlcBlock *block = mlc_region_first(mlc_op_region(op, r)); block;
                 block = mlc_block_next(block))
                for (size_t i = 0; i < mlc_block_num_args(block); i++)
                    number(scope, mlc_block_arg(block, i));
    }
    mlc_map_set_u64(&interp->scopes, (uint64_t)(uintptr_t)root, (uint64_t)(uintptr_t)scope);
    return scope;
}

static bool
find_slot(const Scope *scope, const MlcValue *value, uint32_t *slot)
{
    uint64_t at;
    if (!mlc_map_get_u64(&scope->numbers, (uint64_t)(uintptr_t)value, &at))
        return false;
    *slot = (uint32_t)at;
    return true;
}

// Functions are isolated: they use what is theirs.
static uint32_t
slot_of(const Scope *scope, const MlcValue *value)
{
    uint32_t slot;
    if (!find_slot(scope, value, &slot))
        mlc_bug("a value of another function");
    return slot;
}

static bool
is_terminator(MlcOp *op)
{
    return mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) ||
           (!mlc_op_is_registered(op) && !mlc_op_next(op));
}

// An op of the graph level may visit more points than a run has steps: a window of millions.
static uint64_t
weight_of(MlcOp *op)
{
    bool is_known = mlc_op_def(op)->dialect == &mlc_graph_dialect && mlc_op_num_results(op) > 0 &&
                    mlc_op_num_operands(op) > 0 && mlc_op_num_regions(op) == 0;
    for (size_t i = 0; is_known && i < mlc_op_num_operands(op); i++)
        is_known = mlc_type_has_static_shape(mlc_value_type(mlc_op_operand(op, i)));
    for (size_t i = 0; is_known && i < mlc_op_num_results(op); i++)
        is_known = mlc_type_has_static_shape(mlc_value_type(mlc_op_result(op, i)));
    return is_known ? 1 + (uint64_t)mlc_graph_eval_steps(op) / POINTS_PER_STEP : 1;
}

static void
make_step(MlcInterp *interp, const Scope *scope, MlcOp *op, Step *step)
{
    size_t num_operands = mlc_op_num_operands(op), num_results = mlc_op_num_results(op);
    uint32_t *slots = mlc_arena_alloc_array(&interp->arena, num_operands + num_results + 1,
                                            sizeof *slots, MLC_ALIGNOF(uint32_t));
    for (size_t i = 0; i < num_operands; i++)
        slots[i] = slot_of(scope, mlc_op_operand(op, i));
    for (size_t i = 0; i < num_results; i++)
        slots[num_operands + i] = slot_of(scope, mlc_op_result(op, i));
    *step = (Step){.op = op,
                   .eval = mlc_op_def(op)->eval,
                   .num_operands = (uint32_t)num_operands,
                   .num_results = (uint32_t)num_results,
                   .slots = slots,
                   .weight = weight_of(op),
                   .is_terminator = is_terminator(op)};
    if (!step->eval && mlc_op_interface(op, MLC_INTERFACE_STRUCTURED))
        step->eval = mlc_eval_structured;
}

static Code *
code_of(MlcInterp *interp, MlcBlock *block)
{
    Code *code = mlc_map_get(&interp->codes, block);
    if (code)
        return code;
    const Scope *scope = interp->frame->scope;
    code = MLC_NEW(&interp->arena, Code);
    MLC_FOR_EACH_OP (op, block)
        code->num_steps++;
    code->steps = MLC_NEW_ARRAY(&interp->arena, Step, code->num_steps);
    code->num_args = mlc_block_num_args(block);
    uint32_t *args = MLC_NEW_ARRAY(&interp->arena, uint32_t, code->num_args + 1);
    for (size_t i = 0; i < code->num_args; i++)
        args[i] = slot_of(scope, mlc_block_arg(block, i));
    code->args = args;
    size_t at = 0;
    MLC_FOR_EACH_OP (op, block)
        make_step(interp, scope, op, &code->steps[at++]);
    mlc_map_set_u64(&interp->codes, (uint64_t)(uintptr_t)block, (uint64_t)(uintptr_t)code);
    return code;
}

// --- frames

Frame *
mlc_interp_push_frame(MlcInterp *interp, Scope *scope)
{
    Frame *frame = mlc_calloc(1, sizeof *frame);
    frame->scope = scope;
    frame->slots = mlc_calloc(scope->num_slots + 1, sizeof *frame->slots);
    frame->next = interp->frames;
    frame->link = &interp->frames;
    if (frame->next)
        frame->next->link = &frame->next;
    interp->frames = frame;
    return frame;
}

static void
free_on_exit(MlcInterp *interp, Frame *frame, size_t mark)
{
    while (frame->on_exit.size > mark) {
        MlcBuffer *buffer = mlc_vec_pop(&frame->on_exit);
        mlc_eval_buffer_free(&interp->eval, NULL, buffer);
    }
}

void
mlc_interp_pop_frame(MlcInterp *interp, Frame *frame)
{
    free_on_exit(interp, frame, 0);
    mlc_vec_release(&frame->on_exit);
    for (size_t i = 0; i < frame->scope->num_slots; i++)
        mlc_datum_drop(&interp->eval, &frame->slots[i]);
    *frame->link = frame->next;
    if (frame->next)
        frame->next->link = frame->link;
    mlc_free(frame->slots);
    mlc_free(frame);
}

static void
set_slot(MlcInterp *interp, uint32_t slot, const MlcDatum *value, MlcType type)
{
    MlcDatum *at = &interp->frame->slots[slot], old = *at;
    mlc_datum_hold(value);
    *at = *value;
    at->type = type;
    mlc_datum_drop(&interp->eval, &old);
}

// All are held before the first old one is dropped: arguments may be the block's own, in another
// order.
static bool
bind_args(MlcInterp *interp, MlcBlock *block, const Code *code, const MlcDatum *args,
          size_t num_args)
{
    if (num_args != code->num_args)
        return mlc_op_error(mlc_block_parent(block), "runs a block of %zu arguments with %zu",
                            code->num_args, num_args);
    for (size_t i = 0; i < num_args; i++)
        mlc_datum_hold(&args[i]);
    for (size_t i = 0; i < num_args; i++) {
        MlcDatum value = args[i];
        set_slot(interp, code->args[i], &value, mlc_value_type(mlc_block_arg(block, i)));
    }
    for (size_t i = 0; i < num_args; i++)
        mlc_datum_unhold(&interp->eval, &args[i]);
    return true;
}

// --- what an op made

static bool
fits_type(const MlcDatum *d, MlcType type)
{
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_INTEGER:
    case MLC_TYPE_INDEX:
        return d->type && mlc_type_is_int_or_index(d->type) &&
               d->integer.width == mlc_type_bit_width(type);
    case MLC_TYPE_FLOAT:
        return d->type && mlc_type_is_float(d->type) &&
               mlc_float_type_kind(d->type) == mlc_float_type_kind(type);
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_MEMREF:
        break;
    default:
        return true;
    }
    bool is_memref = mlc_type_is(type, MLC_TYPE_MEMREF);
    if (!d->type || (is_memref ? !mlc_datum_is_memref(d) : !mlc_datum_is_elements(d)) ||
        d->rank != mlc_type_rank(type))
        return false;
    const int64_t *shape = is_memref ? d->memref.sizes : d->elements.shape,
                  *want = mlc_type_shape(type);
    for (size_t i = 0; i < d->rank; i++)
        if (want[i] != MLC_DYNAMIC && want[i] != shape[i])
            return false;
    return true;
}

static bool
misfit(MlcInterp *interp, MlcOp *op, const MlcDatum *d, MlcType type)
{
    MlcBuf shape = {0};
    if (d->type && (mlc_datum_is_memref(d) || mlc_datum_is_elements(d)))
        for (size_t i = 0; i < d->rank; i++)
            mlc_buf_printf(
                &shape, "%s%lld", i ? "x" : "",
                (long long)(mlc_datum_is_memref(d) ? d->memref.sizes : d->elements.shape)[i]);
    mlc_eval_error(&interp->eval, op, "made a value of type %s and shape [%s] where %s is expected",
                   d->type ? mlc_type_text(d->type) : "(none)", mlc_buf_c_str(&shape),
                   mlc_type_text(type));
    mlc_buf_release(&shape);
    return false;
}

static void
trace(MlcInterp *interp, MlcOp *op, const MlcDatum *results, size_t num_results)
{
    MlcBuf buf = {0};
    mlc_buf_append_str(&buf, mlc_op_name(op));
    for (size_t i = 0; i < num_results; i++) {
        mlc_buf_append_c(&buf, i ? ", " : " = ");
        mlc_interp_print_datum(interp, &results[i], &buf);
    }
    fprintf(stderr, "%s\n", mlc_buf_c_str(&buf));
    mlc_buf_release(&buf);
}

// --- blocks

static bool
spend(MlcInterp *interp, MlcOp *op, uint64_t steps)
{
    uint64_t most = interp->config.max_steps;
    interp->steps = steps > UINT64_MAX - interp->steps ? UINT64_MAX : interp->steps + steps;
    return !most || interp->steps <= most ||
           mlc_op_error(op, "not executed: the limit of %llu steps is reached",
                        (unsigned long long)most);
}

static bool
count_step(MlcInterp *interp, const Step *step)
{
    if (!spend(interp, step->op, step->weight))
        return false;
    if (!step->eval && !step->is_terminator)
        return mlc_op_error(step->op, "has no meaning that the interpreter knows");
    return true;
}

static void
gather_operands(const MlcInterp *interp, const Step *step, MlcDatum *operands)
{
    for (uint32_t i = 0; i < step->num_operands; i++) {
        operands[i] = interp->frame->slots[step->slots[i]];
        if (!operands[i].type)
            mlc_bug("operand %u of '%s' is used before it is made", i, mlc_op_name(step->op).data);
    }
}

static bool
store_results(MlcInterp *interp, const Step *step, const MlcDatum *results)
{
    for (uint32_t i = 0; i < step->num_results; i++) {
        MlcType type = mlc_value_type(mlc_op_result(step->op, i));
        if (!fits_type(&results[i], type))
            return misfit(interp, step->op, &results[i], type);
        set_slot(interp, step->slots[step->num_operands + i], &results[i], type);
    }
    if (interp->config.trace)
        trace(interp, step->op, results, step->num_results);
    return true;
}

#define FEW_DATUMS 12

static bool
run_step(MlcInterp *interp, const Step *step)
{
    MlcEval *e = &interp->eval;
    size_t mark = mlc_eval_mark(e), count = step->num_operands + step->num_results;
    MlcDatum few[FEW_DATUMS];
    MlcDatum *operands = count <= FEW_DATUMS ? few : mlc_eval_alloc(e, count * sizeof *operands);
    MlcDatum *results = operands + step->num_operands;
    bool ok = count_step(interp, step);
    gather_operands(interp, step, operands);
    for (uint32_t i = 0; ok && i < step->num_results; i++)
        results[i] = (MlcDatum){.type = mlc_value_type(mlc_op_result(step->op, i))};
    ok = ok && step->eval(e, step->op, operands, results) && store_results(interp, step, results);
    mlc_eval_drain(e, mark);
    return ok;
}

// Runs the terminator; *next is the block it goes on to, or NULL with `results` filled from its
// operands.
static bool
run_terminator(MlcInterp *interp, const Step *step, MlcDatum *results, size_t num_results,
               MlcBlock **next)
{
    MlcEval *e = &interp->eval;
    MlcDatum few[FEW_DATUMS];
    MlcDatum *operands = step->num_operands <= FEW_DATUMS
                             ? few
                             : mlc_eval_alloc(e, step->num_operands * sizeof *operands);
    if (!count_step(interp, step))
        return false;
    gather_operands(interp, step, operands);
    interp->next = NULL;
    if (step->eval && !step->eval(e, step->op, operands, NULL))
        return false;
    *next = interp->next;
    if (*next)
        return true;
    if (mlc_op_num_successors(step->op) > 0)
        return mlc_op_error(step->op, "has no meaning that the interpreter knows");
    if (step->num_operands != num_results)
        return mlc_op_error(step->op, "leaves its region with %u values where %zu are expected",
                            step->num_operands, num_results);
    for (size_t i = 0; i < num_results; i++) {
        results[i] = operands[i];
        mlc_datum_hold(&results[i]);
        mlc_datum_unhold(e, &results[i]);
    }
    return true;
}

static bool
run_block(MlcInterp *interp, MlcBlock *block, const MlcDatum *args, size_t num_args,
          MlcDatum *results, size_t num_results, MlcBlock **next)
{
    *next = NULL;
    const Code *code = code_of(interp, block);
    if (!bind_args(interp, block, code, args, num_args))
        return false;
    for (size_t i = 0; i < code->num_steps; i++) {
        const Step *step = &code->steps[i];
        if (step->is_terminator)
            return run_terminator(interp, step, results, num_results, next);
        if (!run_step(interp, step))
            return false;
    }
    if (num_results)
        mlc_bug("a block that gives values has no terminator");
    return true;
}

// The interpreter recurses in C where the program nests or calls.
static bool
has_stack(MlcInterp *interp, MlcRegion *region)
{
    if ((char *)__builtin_frame_address(0) > interp->stack_end)
        return true;
    return mlc_op_error(mlc_region_parent(region),
                        "nests and calls deeper than the interpreter's stack allows");
}

static bool
run_region(MlcEval *e, MlcRegion *region, const MlcDatum *args, size_t num_args, MlcDatum *results,
           size_t num_results)
{
    MlcInterp *interp = interp_of(e);
    MlcBlock *block = mlc_region_first(region), *next;
    if (!has_stack(interp, region))
        return false;
    Frame *frame = interp->frame;
    size_t mark = frame->on_exit.size;
    bool ok = run_block(interp, block, args, num_args, results, num_results, &next);
    size_t fresh = mlc_eval_mark(e);
    while (ok && next) {
        // The branch's arguments leave the interpreter's hands before the block can branch again.
        size_t count = interp->next_args.size;
        MlcDatum few[FEW_DATUMS],
            *own = count <= FEW_DATUMS ? few : mlc_malloc(count * sizeof *own);
        if (count)
            memcpy(own, interp->next_args.data, count * sizeof *own);
        block = next;
        ok = run_block(interp, block, own, count, results, num_results, &next);
        if (own != few)
            mlc_free(own);
        if (ok && next)
            mlc_eval_collect(e, fresh, interp->next_args.data, interp->next_args.size);
    }
    MlcOp *parent = mlc_region_parent(region);
    if (mlc_op_has_trait(parent, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE))
        free_on_exit(interp, frame, mark);
    return ok;
}

static bool
take_branch(MlcEval *e, MlcOp *op, size_t successor, const MlcDatum *args, size_t num_args)
{
    MlcInterp *interp = interp_of(e);
    interp->next = mlc_op_successor(op, successor);
    mlc_vec_clear(&interp->next_args);
    for (size_t i = 0; i < num_args; i++)
        mlc_vec_push(&interp->next_args, args[i]);
    return true;
}

// --- calls

static MlcRegion *
body_of(MlcOp *callee)
{
    const MlcCallable *callable = mlc_op_interface(callee, MLC_INTERFACE_CALLABLE);
    MlcRegion *body = callable && callable->body       ? callable->body(callee)
                      : mlc_op_num_regions(callee) > 0 ? mlc_op_region(callee, 0)
                                                       : NULL;
    return body && !mlc_region_is_empty(body) ? body : NULL;
}

static bool
run_call(MlcEval *e, MlcOp *op, MlcOp *callee, const MlcDatum *args, size_t num_args,
         MlcDatum *results, size_t num_results)
{
    MlcInterp *interp = interp_of(e);
    MlcRegion *body = body_of(callee);
    MlcOp *at = op ? op : callee;
    bool ok = true;
    if (!body && mlc_interp_helper(interp, at, mlc_symbol_name(callee), args, num_args, results,
                                   num_results, &ok))
        return ok;
    if (!body)
        return mlc_op_error(at, "calls '%.*s', which has no body",
                            MLC_STR_FMT(mlc_symbol_name(callee)));
    uint64_t max_depth = interp->config.max_depth ? interp->config.max_depth : DEFAULT_MAX_DEPTH;
    if (interp->depth >= max_depth)
        return mlc_op_error(at, "calls deeper than the limit of %llu",
                            (unsigned long long)max_depth);
    Frame *caller = interp->frame,
          *frame = mlc_interp_push_frame(interp, mlc_interp_scope(interp, callee));
    interp->frame = frame;
    interp->depth++;
    ok = run_region(e, body, args, num_args, results, num_results);
    --interp->depth;
    interp->frame = caller;
    for (size_t i = 0; ok && i < num_results; i++)
        mlc_datum_hold(&results[i]);
    mlc_interp_pop_frame(interp, frame);
    for (size_t i = 0; ok && i < num_results; i++)
        mlc_datum_unhold(e, &results[i]);
    if (!ok && op && interp->num_notes++ < MAX_NOTES)
        mlc_op_note(op, "called from here");
    return ok;
}

// --- the rest of the runner

static const MlcDatum *
lookup(MlcEval *e, MlcValue *value)
{
    Frame *frame = interp_of(e)->frame;
    uint32_t slot;
    if (!frame || !find_slot(frame->scope, value, &slot) || !frame->slots[slot].type)
        return NULL;
    return &frame->slots[slot];
}

// An op refers to one symbol, mostly: its answer is kept.
static MlcOp *
find_symbol(MlcEval *e, MlcOp *op, MlcAttr name)
{
    MlcInterp *interp = interp_of(e);
    MlcOp *found = mlc_map_get(&interp->symbols, op);
    size_t last = mlc_symbol_ref_attr_size(name) - 1;
    if (found && mlc_str_equal(mlc_symbol_name(found), mlc_symbol_ref_attr_name(name, last)))
        return found;
    found = mlc_symbol_lookup_ref(op, name);
    if (!found) {
        mlc_op_error(op, "refers to %s, which is not defined", mlc_attr_text(name));
        return NULL;
    }
    mlc_map_set_u64(&interp->symbols, (uint64_t)(uintptr_t)op, (uint64_t)(uintptr_t)found);
    return found;
}

static void **
memory_of(MlcEval *e, MlcOp *key)
{
    MlcInterp *interp = interp_of(e);
    void **word = mlc_map_get(&interp->memory, key);
    if (!word) {
        word = mlc_arena_alloc_zeroed(&interp->arena, sizeof *word, MLC_ALIGNOF(void *));
        mlc_map_set_u64(&interp->memory, (uint64_t)(uintptr_t)key, (uint64_t)(uintptr_t)word);
    }
    return word;
}

static void
note_on_exit(MlcEval *e, MlcBuffer *buffer)
{
    Frame *frame = interp_of(e)->frame;
    mlc_vec_push(&frame->on_exit, buffer);
}

static const MlcEvalRunner runner = {
    .region = run_region,
    .call = run_call,
    .lookup = lookup,
    .branch = take_branch,
    .symbol = find_symbol,
    .memory = memory_of,
    .threads = mlc_interp_threads,
    .barrier = mlc_interp_barrier,
    .on_exit = note_on_exit,
    .service = mlc_interp_service,
};

bool
mlc_interp_count_points(MlcEval *e, MlcOp *op, const int64_t *sizes, size_t num_loops)
{
    uint64_t points = 1;
    for (size_t i = 0; i < num_loops; i++)
        if (__builtin_mul_overflow(points, (uint64_t)sizes[i], &points))
            points = UINT64_MAX;
    return e->runner != &runner || spend(interp_of(e), op, points / POINTS_PER_STEP);
}

// --- from outside

MlcInterp *
mlc_interp_create(MlcOp *module, const MlcInterpConfig *config)
{
    MlcInterp *interp = mlc_calloc(1, sizeof *interp);
    mlc_eval_init(&interp->eval, mlc_op_context(module));
    interp->eval.runner = &runner;
    interp->module = module;
    if (config)
        mlc_sized_copy(&interp->config, sizeof interp->config, config, "MlcInterpConfig");
    if (interp->config.max_memory)
        interp->eval.max_memory = (size_t)interp->config.max_memory;
    interp->eval.seed = interp->config.seed;
    mlc_arena_init(&interp->arena);
    return interp;
}

void
mlc_interp_destroy(MlcInterp *interp)
{
    if (!interp)
        return;
    while (interp->frames) // those of threads that an error left waiting
        mlc_interp_pop_frame(interp, interp->frames);
    mlc_eval_release(&interp->eval);
    MLC_MAP_FOR_EACH (entry, &interp->scopes)
        mlc_map_release(&((Scope *)(uintptr_t)entry->value)->numbers);
    mlc_map_release(&interp->scopes);
    mlc_map_release(&interp->codes);
    mlc_map_release(&interp->symbols);
    mlc_map_release(&interp->memory);
    mlc_vec_release(&interp->next_args);
    for (size_t i = 0; i < interp->stacks.size; i++)
        mlc_free(interp->stacks.data[i]);
    mlc_vec_release(&interp->stacks);
    mlc_vec_release(&interp->pointees);
    mlc_vec_release(&interp->bound);
    mlc_arena_release(&interp->arena);
    mlc_free(interp);
}

MlcEval *
mlc_interp_eval(MlcInterp *interp)
{
    return &interp->eval;
}

uint64_t
mlc_interp_steps(const MlcInterp *interp)
{
    return interp->steps;
}

// A dialect's function type, `llvm.func`, as a builtin one: (result, parameters, ...).
static MlcType
from_dialect_type(MlcType type)
{
    MlcAttr result = mlc_dialect_type_param(type, 0), params = mlc_dialect_type_param(type, 1);
    MlcType inputs[64], output = mlc_type_attr_value(result);
    size_t num_inputs = mlc_array_attr_size(params);
    if (num_inputs > 64)
        return NULL;
    for (size_t i = 0; i < num_inputs; i++)
        inputs[i] = mlc_type_attr_value(mlc_array_attr_element(params, i));
    return mlc_function_type_get(mlc_type_context(type), inputs, num_inputs, &output,
                                 mlc_type_isa(output, "llvm.void") ? 0 : 1);
}

MlcType
mlc_interp_function_type(MlcOp *function)
{
    const MlcFunction *interface = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = interface && interface->type ? interface->type(function) : NULL;
    if (!type) {
        MlcAttr attr = mlc_op_attr(function, "function_type");
        type = mlc_attr_is(attr, MLC_ATTR_TYPE) ? mlc_type_attr_value(attr) : NULL;
    }
    if (type && mlc_type_isa(type, "llvm.func"))
        return from_dialect_type(type);
    return type && mlc_type_is(type, MLC_TYPE_FUNCTION) ? type : NULL;
}

MlcOp *
mlc_interp_function(MlcInterp *interp, MlcStr name)
{
    MlcOp *function = mlc_symbol_lookup(interp->module, name);
    if (!function) {
        mlc_op_error(interp->module, "has no function '%.*s'", MLC_STR_FMT(name));
        return NULL;
    }
    if (!mlc_interp_function_type(function)) {
        mlc_op_error(function, "is no function that can be called");
        return NULL;
    }
    return function;
}

#define STACK_MARGIN ((size_t)256 << 10)

// Where this thread's C stack ends, less a margin for what the deepest hook needs. The main
// thread's stack is as large as its limit allows, which may be endless: 8 MiB are relied on at
// most.
static char *
find_stack_end(void)
{
    pthread_attr_t attr;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
        pthread_attr_getstack(&attr, &low, &size);
        pthread_attr_destroy(&attr);
    }
    char *here = __builtin_frame_address(0), *most = here - (((size_t)8 << 20) - STACK_MARGIN);
    char *end = low ? (char *)low + STACK_MARGIN : here - ((size_t)1 << 20);
    return end > most ? end : most;
}

bool
mlc_interp_call(MlcInterp *interp, MlcStr name, const MlcDatum *args, size_t num_args,
                MlcDatum *results, size_t num_results)
{
    MlcOp *function = mlc_interp_function(interp, name);
    if (!function)
        return false;
    MlcType type = mlc_interp_function_type(function);
    if (num_args != mlc_function_type_num_inputs(type) ||
        num_results != mlc_function_type_num_results(type))
        return mlc_op_error(function, "called with %zu arguments for %zu results, has %zu and %zu",
                            num_args, num_results, mlc_function_type_num_inputs(type),
                            mlc_function_type_num_results(type));
    for (size_t i = 0; i < num_args; i++)
        if (!fits_type(&args[i], mlc_function_type_inputs(type)[i]))
            return misfit(interp, function, &args[i], mlc_function_type_inputs(type)[i]);
    interp->num_notes = 0;
    interp->stack_end = find_stack_end();
    // Results stay on the stack of fresh cells, which is not drained before the interpreter goes.
    bool ok = run_call(&interp->eval, NULL, function, args, num_args, results, num_results);
    fflush(stdout); // what the program printed comes before what the caller makes of its results
    return ok;
}

// ownership_based_buffer_deallocation.c -- every buffer that a function allocates, or is given with
// a call's results, is freed where its block ends, unless it lives on.
//
// Each buffer has an indicator in each block where it is alive: an i1, whether the block has to
// free it. An allocation's is true, an argument's false, a view's that of what it shows; control
// flow hands indicators on beside buffers. At a block's end, one bufferization.dealloc takes all
// buffers that the block may have to free, with their indicators, and those that it hands on or
// that are needed later; the latter are not freed, and who owns them is the op's result. A function
// owns none of its arguments, and its caller all of its results: what it returns and may not own is
// cloned. (MLIR's documentation of ownership-based buffer deallocation; its names and results.)
#include "ownership.h"

#include "mlc/analysis.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

static const char manual[] = "bufferization.manual_deallocation";

typedef struct BlockState {
    MlcMap owned;           // buffer -> its indicator
    MlcMap unknown;         // buffers of which several indicators may be the right one
    MlcValueVec to_free;    // as far as indicators say so
    MlcValueVec live_in;    // buffers of blocks before, in the same region
    MlcValue *constants[2]; // false and true, if they were asked for
} BlockState;

typedef struct Deallocation {
    OwnershipSignatures signatures;
    MlcMap states; // block -> BlockState
} Deallocation;

static BlockState *
state_of(Deallocation *d, const MlcBlock *block)
{
    return mlc_map_get(&d->states, block);
}

// --- who owns what

static MlcValue *
constant(BlockState *state, MlcBlock *block, bool value)
{
    if (!state->constants[value]) {
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(mlc_block_parent(block)));
        mlc_builder_at_start(&b, block);
        b.loc = mlc_op_loc(mlc_block_parent(block));
        state->constants[value] = mlc_build_constant(&b, mlc_bool_attr_get(b.ctx, value));
    }
    return state->constants[value];
}

// The buffer's indicator; NULL: it is not known. Buffers from around the block's region are theirs
// who have them.
static MlcValue *
indicator_of(BlockState *state, MlcBlock *block, const MlcValue *buffer)
{
    if (mlc_map_has(&state->unknown, buffer))
        return NULL;
    MlcValue *indicator = mlc_map_get(&state->owned, buffer);
    return indicator ? indicator : constant(state, block, false);
}

static void
set_indicator(BlockState *state, MlcValue *buffer, MlcValue *indicator)
{
    mlc_map_erase(&state->unknown, buffer);
    mlc_map_set(&state->owned, buffer, indicator);
}

static void
own(BlockState *state, MlcValue *buffer, MlcValue *indicator)
{
    set_indicator(state, buffer, indicator);
    mlc_vec_push(&state->to_free, buffer);
}

static bool
is_constant_true(MlcValue *indicator)
{
    int64_t value;
    return mlc_value_constant_int(indicator, &value) && value != 0;
}

// --- deallocations

// The buffer whose address the allocation gave, as free needs it: of a view that is not the view.
static MlcValue *
build_base(MlcBuilder *b, MlcValue *buffer)
{
    MlcType type = mlc_value_type(buffer), index = mlc_index_type_get(b->ctx),
            none = mlc_memref_type_get(mlc_type_element(type), NULL, 0, NULL,
                                       mlc_memref_type_memory_space(type));
    int64_t zero = 0;
    if (!mlc_type_has_rank(type))
        buffer = mlc_memref_reinterpret_cast(b, none, buffer, NULL, 0, NULL, 0, NULL, 0, &zero, 1,
                                             NULL, 0, NULL, 0);
    size_t rank = mlc_type_rank(mlc_value_type(buffer));
    MlcTypeVec types = {0};
    for (size_t i = 0; i < rank; i++)
        mlc_vec_push(&types, index);
    MlcOp *metadata = mlc_memref_extract_strided_metadata(b, none, index, types.data, rank,
                                                          types.data, rank, buffer);
    mlc_vec_release(&types);
    return mlc_op_result(metadata, 0);
}

typedef struct ToFree {
    MlcValueVec bases, conditions;
} ToFree;

static void
release_to_free(ToFree *f)
{
    mlc_vec_release(&f->bases);
    mlc_vec_release(&f->conditions);
}

// Who owns these is known: what the block makes is owned or not, and what control flow hands on has
// an indicator, those included that blocks before it left behind.
static void
collect_to_free(MlcBuilder *b, BlockState *state, MlcBlock *block, ToFree *out)
{
    for (size_t i = 0; i < state->to_free.size; i++) {
        MlcValue *buffer = state->to_free.data[i];
        mlc_vec_push(&out->bases, build_base(b, buffer));
        mlc_vec_push(&out->conditions, indicator_of(state, block, buffer));
    }
}

static MlcOp *
build_dealloc(MlcBuilder *b, const ToFree *f, const MlcValueVec *retained)
{
    if (f->bases.size == 0 && retained->size == 0)
        return NULL;
    return mlc_bufferization_dealloc(b, f->bases.data, f->bases.size, f->conditions.data,
                                     f->conditions.size, retained->data, retained->size);
}

// --- block ends

static void
buffers_among(MlcOp *op, size_t first, size_t count, MlcValueVec *out)
{
    for (size_t i = first; i < first + count; i++)
        if (ownership_is_buffer(mlc_op_operand(op, i)))
            mlc_vec_push(out, mlc_op_operand(op, i));
}

// What the function returns in place of `buffer`: it, or a clone where it is not owned.
static MlcValue *
build_owned(MlcBuilder *b, BlockState *state, MlcBlock *block, MlcValue *buffer)
{
    MlcValue *indicator = indicator_of(state, block, buffer), *result;
    MlcType type = mlc_value_type(buffer);
    if (indicator && is_constant_true(indicator))
        return buffer;
    if (!indicator) {
        result = mlc_bufferization_clone(b, type, buffer);
    } else {
        MlcOp *branch = mlc_scf_if(b, &type, 1, indicator);
        MlcBuilder in = *b;
        mlc_builder_create_block(&in, mlc_op_region(branch, 0), NULL, 0);
        mlc_scf_yield(&in, &buffer, 1);
        mlc_builder_create_block(&in, mlc_op_region(branch, 1), NULL, 0);
        MlcValue *clone = mlc_bufferization_clone(&in, type, buffer);
        mlc_scf_yield(&in, &clone, 1);
        result = mlc_op_result(branch, 0);
    }
    own(state, result, constant(state, block, true));
    return result;
}

// The end of a block that leaves its region.
static void
handle_leaving(Deallocation *d, MlcOp *end)
{
    MlcBlock *block = mlc_op_block(end);
    BlockState *state = state_of(d, block);
    uint64_t number = 0;
    HandedOn handed = {0, mlc_op_num_operands(end), 0};
    if (mlc_map_get_u64(&d->signatures.ends, (uint64_t)(uintptr_t)end, &number))
        handed = d->signatures.handed_on.data[number - 1];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(end));
    mlc_builder_before(&b, end);
    if (!number && mlc_op_interface(mlc_block_parent(block), MLC_INTERFACE_FUNCTION))
        for (size_t i = 0; i < handed.count; i++)
            if (ownership_is_buffer(mlc_op_operand(end, i)))
                mlc_op_set_operand(end, i, build_owned(&b, state, block, mlc_op_operand(end, i)));
    ToFree f = {0};
    MlcValueVec retained = {0};
    buffers_among(end, handed.first, handed.count, &retained);
    collect_to_free(&b, state, block, &f);
    MlcOp *dealloc = build_dealloc(&b, &f, &retained);
    for (size_t i = 0; i < handed.num_indicators; i++)
        mlc_op_set_operand(end, handed.first + handed.count + i, mlc_op_result(dealloc, i));
    release_to_free(&f);
    mlc_vec_release(&retained);
}

// Buffers that the branch forwards to a successor, and behind them those that the successor needs;
// returns how many are forwarded.
static size_t
retained_for(Deallocation *d, MlcOp *branch, size_t successor, MlcValueVec *out)
{
    const MlcBranch *methods = mlc_op_interface(branch, MLC_INTERFACE_BRANCH);
    size_t first, count;
    methods->successor_operands(branch, successor, &first, &count);
    buffers_among(branch, first, count, out);
    size_t num_forwarded = out->size;
    const MlcValueVec *needed = &state_of(d, mlc_op_successor(branch, successor))->live_in;
    for (size_t i = 0; i < needed->size; i++)
        mlc_vec_push(out, needed->data[i]);
    return num_forwarded;
}

static void
handle_branch(Deallocation *d, MlcOp *branch)
{
    MlcBlock *block = mlc_op_block(branch);
    BlockState *state = state_of(d, block);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(branch));
    mlc_builder_before(&b, branch);
    ToFree f = {0};
    MlcValueVec retained = {0};
    size_t num_forwarded = retained_for(d, branch, 0, &retained);
    collect_to_free(&b, state, block, &f);
    MlcOp *dealloc = build_dealloc(&b, &f, &retained);
    for (size_t i = 0; i < retained.size; i++) {
        set_indicator(state, retained.data[i], mlc_op_result(dealloc, i));
        if (i < num_forwarded)
            mlc_branch_append(branch, 0, mlc_op_result(dealloc, i));
    }
    release_to_free(&f);
    mlc_vec_release(&retained);
}

// The deallocation for one way of a conditional branch: `taken`, under whose condition buffers are
// freed. `owned`: what is needed there -> its indicator.
static void
free_on_way(Deallocation *d, MlcBuilder *b, MlcOp *branch, size_t way, const ToFree *f,
            MlcValue *taken, MlcMap *owned)
{
    MlcValueVec retained = {0};
    ToFree here = {.bases = f->bases};
    for (size_t i = 0; i < f->conditions.size; i++)
        mlc_vec_push(&here.conditions, mlc_arith_andi(b, f->conditions.data[i], taken));
    size_t num_forwarded = retained_for(d, branch, way, &retained);
    MlcOp *dealloc = build_dealloc(b, &here, &retained);
    for (size_t i = 0; i < retained.size; i++)
        if (i < num_forwarded)
            mlc_branch_append(branch, way, mlc_op_result(dealloc, i));
        else
            mlc_map_set(owned, retained.data[i], mlc_op_result(dealloc, i));
    mlc_vec_release(&here.conditions);
    mlc_vec_release(&retained);
}

// A deallocation for each way, under its condition; what is needed on both has the indicator of the
// one that is taken.
static void
handle_cond_branch(Deallocation *d, MlcOp *branch)
{
    MlcBlock *block = mlc_op_block(branch);
    BlockState *state = state_of(d, block);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(branch));
    mlc_builder_before(&b, branch);
    MlcValue *condition = mlc_cf_cond_br_condition(branch), *other = NULL;
    MlcMap owned[2];
    mlc_map_init(&owned[0]);
    mlc_map_init(&owned[1]);
    ToFree f = {0};
    collect_to_free(&b, state, block, &f);
    free_on_way(d, &b, branch, 0, &f, condition, &owned[0]);
    if (f.bases.size > 0)
        other =
            mlc_arith_xori(&b, mlc_build_constant(&b, mlc_bool_attr_get(b.ctx, true)), condition);
    free_on_way(d, &b, branch, 1, &f, other, &owned[1]);
    MLC_MAP_FOR_EACH (entry, &owned[0])
        set_indicator(state, mlc_map_entry_key(entry), mlc_map_entry_value(entry));
    MLC_MAP_FOR_EACH (entry, &owned[1]) {
        MlcValue *buffer = mlc_map_entry_key(entry), *here = mlc_map_entry_value(entry),
                 *there = mlc_map_get(&owned[0], buffer);
        set_indicator(state, buffer, there ? mlc_arith_select(&b, condition, there, here) : here);
    }
    mlc_map_release(&owned[0]);
    mlc_map_release(&owned[1]);
    release_to_free(&f);
}

// --- other ops

static bool
has_effect(MlcOp *op, uint8_t effect, const MlcValue *on)
{
    MlcEffectVec effects = {0};
    bool found = false;
    if (mlc_op_effects(op, &effects))
        for (size_t i = 0; i < effects.size; i++)
            found |= (effects.data[i].effect & effect) && effects.data[i].value == on;
    mlc_vec_release(&effects);
    return found;
}

// A buffer that is freed by hand must not be one that is freed anyway.
static void
check_manual_free(BlockState *state, MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MLC_FOR_EACH_OPERAND (value, op) {
        if (!ownership_is_buffer(value) || !has_effect(op, MLC_EFFECT_FREE, value))
            continue;
        MlcValue *indicator = indicator_of(state, mlc_op_block(op), value);
        if (!indicator)
            continue;
        MlcValue *yes = mlc_build_constant(&b, mlc_bool_attr_get(b.ctx, true));
        mlc_cf_assert(&b, mlc_arith_xori(&b, indicator, yes),
                      mlc_str("expected that the block does not have ownership"));
    }
}

// A result that the op does not allocate may be any buffer that it is given.
static void
take_from_operands(BlockState *state, MlcOp *op, MlcValue *result)
{
    MlcBlock *block = mlc_op_block(op);
    bool known = true;
    MlcValue *all = NULL;
    MLC_FOR_EACH_OPERAND (operand, op) {
        if (!ownership_is_buffer(operand))
            continue;
        MlcValue *one = indicator_of(state, block, operand);
        known = known && one && (!all || all == one);
        all = one;
    }
    set_indicator(state, result, all ? all : constant(state, block, false));
    if (!known)
        mlc_map_add(&state->unknown, result);
}

static void
handle_select(BlockState *state, MlcOp *op)
{
    MlcBlock *block = mlc_op_block(op);
    MlcValue *condition = mlc_op_operand(op, 0),
             *yes = indicator_of(state, block, mlc_op_operand(op, 1)),
             *no = indicator_of(state, block, mlc_op_operand(op, 2));
    if (!yes || !no || yes == no) {
        take_from_operands(state, op, mlc_op_result(op, 0));
        return;
    }
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_after(&b, op);
    set_indicator(state, mlc_op_result(op, 0), mlc_arith_select(&b, condition, yes, no));
}

static void
handle_op(Deallocation *d, BlockState *state, MlcOp *op)
{
    MlcBlock *block = mlc_op_block(op);
    if (mlc_op_attr(op, manual))
        check_manual_free(state, op);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i),
                 *given = mlc_map_get(&d->signatures.indicators, result);
        if (!ownership_is_buffer(result))
            continue;
        if (given)
            own(state, result, given);
        else if (mlc_op_interface(op, MLC_INTERFACE_CALL))
            own(state, result, constant(state, block, true));
        else if (mlc_memref_alloca_isa(op) || mlc_op_attr(op, manual))
            set_indicator(state, result, constant(state, block, false));
        else if (has_effect(op, MLC_EFFECT_ALLOC, result))
            own(state, result, constant(state, block, true));
        else if (mlc_arith_select_isa(op))
            handle_select(state, op);
        else
            take_from_operands(state, op, result);
    }
}

// --- blocks

typedef MLC_VEC(MlcBlock *) Blocks;

typedef struct Visit {
    MlcBlock *block;
    size_t next; // successor
} Visit;

// The blocks that control reaches, each behind those that lead to it; false: there is a loop.
static bool
sort_blocks(MlcRegion *region, Blocks *out)
{
    if (mlc_region_is_empty(region))
        return true;
    enum { OPEN = 1, DONE };
    MlcMap seen;
    mlc_map_init(&seen);
    MLC_VEC(Visit) stack = {0};
    bool ok = true;
    mlc_vec_push(&stack, ((Visit){mlc_region_first(region), 0}));
    while (ok && stack.size > 0) {
        Visit *visit = &stack.data[stack.size - 1];
        MlcOp *end = mlc_block_last(visit->block);
        mlc_map_set_u64(&seen, (uint64_t)(uintptr_t)visit->block, OPEN);
        if (end && visit->next < mlc_op_num_successors(end)) {
            MlcBlock *next = mlc_op_successor(end, visit->next++);
            uint64_t mark = 0;
            mlc_map_get_u64(&seen, (uint64_t)(uintptr_t)next, &mark);
            ok = mark != OPEN;
            if (mark == 0)
                mlc_vec_push(&stack, ((Visit){next, 0}));
            continue;
        }
        mlc_map_set_u64(&seen, (uint64_t)(uintptr_t)visit->block, DONE);
        mlc_vec_push(out, visit->block);
        stack.size--;
    }
    for (size_t i = 0; i < out->size / 2; i++) {
        MlcBlock *block = out->data[i];
        out->data[i] = out->data[out->size - 1 - i];
        out->data[out->size - 1 - i] = block;
    }
    mlc_vec_release(&stack);
    mlc_map_release(&seen);
    return ok;
}

static void
enter_block(Deallocation *d, MlcBlock *block)
{
    BlockState *state = state_of(d, block);
    for (size_t i = 0; i < state->live_in.size; i++) {
        MlcValue *buffer = state->live_in.data[i];
        MlcBlock *home = mlc_value_parent_block(buffer);
        own(state, buffer, indicator_of(state_of(d, home), home, buffer));
    }
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        MlcValue *arg = mlc_block_arg(block, i);
        if (!ownership_is_buffer(arg))
            continue;
        MlcValue *given = mlc_map_get(&d->signatures.indicators, arg);
        own(state, arg, given ? given : constant(state, block, false));
    }
}

static void
process_block(Deallocation *d, MlcBlock *block)
{
    BlockState *state = state_of(d, block);
    MlcOp *end = mlc_block_terminator(block);
    enter_block(d, block);
    MLC_FOR_EACH_OP_SAFE (op, block) {
        if (op == end)
            break;
        handle_op(d, state, op);
    }
    if (end && mlc_op_num_successors(end) == 0)
        handle_leaving(d, end);
    else if (end && mlc_cf_cond_br_isa(end))
        handle_cond_branch(d, end);
    else if (end)
        handle_branch(d, end);
}

static void
process_region(Deallocation *d, MlcRegion *region)
{
    Blocks blocks = {0};
    sort_blocks(region, &blocks);
    for (size_t i = 0; i < blocks.size; i++)
        process_block(d, blocks.data[i]);
    mlc_vec_release(&blocks);
}

// --- functions

static void
create_states(Deallocation *d, MlcOp *function)
{
    MlcLiveness *liveness = mlc_liveness_create(function);
    MlcValueVec values = {0};
    MLC_FOR_EACH_PREORDER (op, function)
        MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
            BlockState *state = mlc_calloc(1, sizeof *state);
            mlc_map_set(&d->states, block, state);
            mlc_vec_clear(&values);
            if (mlc_block_prev(block))
                mlc_liveness_in(liveness, block, &values);
            for (size_t i = 0; i < values.size; i++)
                if (ownership_is_buffer(values.data[i]) &&
                    mlc_block_region(mlc_value_parent_block(values.data[i])) ==
                        mlc_block_region(block))
                    mlc_vec_push(&state->live_in, values.data[i]);
        }
    mlc_vec_release(&values);
    mlc_liveness_destroy(liveness);
}

static void
release_states(Deallocation *d)
{
    MLC_MAP_FOR_EACH (entry, &d->states) {
        BlockState *state = mlc_map_entry_value(entry);
        mlc_map_release(&state->owned);
        mlc_map_release(&state->unknown);
        mlc_vec_release(&state->to_free);
        mlc_vec_release(&state->live_in);
        mlc_free(state);
    }
    mlc_map_release(&d->states);
}

// Inner regions first: what they make has no bearing on the blocks around.
static void
process_function(Deallocation *d, MlcOp *function)
{
    create_states(d, function);
    MlcOpVec ops = {0};
    MLC_FOR_EACH_POSTORDER (op, function)
        if (mlc_op_num_regions(op) > 0)
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++)
        for (size_t r = 0; r < mlc_op_num_regions(ops.data[i]); r++)
            process_region(d, mlc_op_region(ops.data[i], r));
    mlc_vec_release(&ops);
    release_states(d);
}

// --- what must hold beforehand

static bool
has_buffers(MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (ownership_is_buffer(value))
            return true;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (ownership_is_buffer(mlc_op_result(op, i)))
            return true;
    return false;
}

static bool
check_effects(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcEffectVec effects = {0};
    bool known = mlc_op_effects(op, &effects), frees = false;
    for (size_t i = 0; known && i < effects.size && mlc_op_num_regions(op) == 0; i++)
        frees |= effects.data[i].effect == MLC_EFFECT_FREE;
    mlc_vec_release(&effects);
    if (!known && (mlc_op_num_regions(op) == 0 || !mlc_op_is_registered(op)) &&
        !mlc_op_interface(op, MLC_INTERFACE_CALL) && !mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR))
        return mlc_error(ctx, mlc_op_loc(op),
                         "ops with unknown memory side effects are not supported");
    return !frees || mlc_op_attr(op, manual) ||
           mlc_error(ctx, mlc_op_loc(op), "memory free side-effect on MemRef value not supported!");
}

// Do buffers leave the op's regions without anybody knowing where to?
static bool
hands_on_out_of_sight(MlcOp *op)
{
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH) ||
        mlc_op_interface(op, MLC_INTERFACE_FUNCTION))
        return false;
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *end = mlc_block_terminator(block);
        for (size_t i = 0; end && i < mlc_op_num_operands(end); i++)
            if (ownership_is_buffer(mlc_op_operand(end, i)))
                return true;
    }
    return false;
}

static bool
check_op(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    if (mlc_bufferization_dealloc_isa(op))
        return mlc_error(ctx, mlc_op_loc(op),
                         "No deallocation operations must be present when running this pass!");
    if (mlc_op_num_successors(op) > 1 && !mlc_cf_cond_br_isa(op))
        return mlc_error(ctx, mlc_op_loc(op),
                         "Terminators with more than one successor are not supported!");
    for (size_t r = 0; r < mlc_op_num_regions(op); r++) {
        Blocks blocks = {0};
        bool ok = sort_blocks(mlc_op_region(op, r), &blocks);
        mlc_vec_release(&blocks);
        if (!ok)
            return mlc_error(ctx, mlc_op_loc(op),
                             "Only structured control-flow loops are supported.");
    }
    if (hands_on_out_of_sight(op))
        return mlc_error(ctx, mlc_op_loc(op),
                         "All operations with attached regions need to implement the "
                         "RegionBranchOpInterface.");
    return !has_buffers(op) || check_effects(op);
}

static bool
is_function(MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_FUNCTION) &&
           !mlc_region_is_empty(mlc_op_region(op, 0));
}

// Is there a buffer that somebody has to free, and does nobody do so by hand?
static bool
needs_frees(MlcOp *function)
{
    bool needed = false;
    MLC_FOR_EACH_PREORDER (op, function) {
        MlcEffectVec effects = {0};
        bool frees = false;
        if (mlc_op_num_regions(op) == 0 && mlc_op_effects(op, &effects))
            for (size_t i = 0; i < effects.size; i++) {
                if (!effects.data[i].value || !ownership_is_buffer(effects.data[i].value))
                    continue;
                frees |= effects.data[i].effect == MLC_EFFECT_FREE;
                needed |= effects.data[i].effect == MLC_EFFECT_ALLOC && !mlc_memref_alloca_isa(op);
            }
        mlc_vec_release(&effects);
        if (frees)
            return false;
        bool gives = mlc_op_interface(op, MLC_INTERFACE_CALL) != NULL;
        for (size_t i = 0; gives && i < mlc_op_num_results(op); i++)
            needed |= ownership_is_buffer(mlc_op_result(op, i));
        bool returns = mlc_op_parent(op) == function && mlc_op_has_trait(op, MLC_TRAIT_RETURN_LIKE);
        for (size_t i = 0; returns && i < mlc_op_num_operands(op); i++)
            needed |= ownership_is_buffer(mlc_op_operand(op, i));
    }
    return needed;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Deallocation d = {0};
    MlcOpVec functions = {0};
    bool ok = true, only_needed = mlc_pass_option_bool(pass, "only-where-needed");
    MLC_FOR_EACH_PREORDER (op, root)
        if (is_function(op) && (!only_needed || needs_frees(op))) {
            mlc_vec_push(&functions, op);
            MLC_FOR_EACH_PREORDER (inner, op)
                ok = check_op(inner) && ok;
        }
    if (ok && !only_needed && mlc_pass_option_bool(pass, "private-function-dynamic-ownership"))
        ownership_find_dynamic(&d.signatures, root);
    for (size_t i = 0; ok && i < functions.size; i++)
        ownership_extend_signatures(&d.signatures, functions.data[i]);
    for (size_t i = 0; ok && i < functions.size; i++)
        process_function(&d, functions.data[i]);
    mlc_vec_release(&functions);
    ownership_release(&d.signatures);
    return ok;
}

static const MlcPassOption options[] = {
    {"private-function-dynamic-ownership", MLC_OPTION_BOOL, NULL,
     "private functions return who owns their results, instead of clones"},
    {"only-where-needed", MLC_OPTION_BOOL, NULL,
     "leave functions alone that have no buffers to free, or free them by hand; all return owned "
     "buffers then"},
};
static const char *const dialects[] = {"arith", "bufferization", "cf", "memref", "scf", NULL};

MLC_PASS(ownership_based_buffer_deallocation, .flag = "ownership-based-buffer-deallocation",
         .summary = "Free every buffer where its block ends, unless it lives on",
         .options = options, .num_options = 2, .dependent_dialects = dialects, .run = run)

// alias.c -- may two values share memory? By effects, views and control flow of the op records.
//
// A value's underlying buffers are found by going back from views to their sources, from buffers
// that pure ops give to the buffers that they take, from block arguments to what branches and
// entered regions hand over, and from results of ops with regions to what leaves these. Two
// different buffers are apart if both are allocated here, or if one is and the other comes into the
// function from outside. (After MLIR's LocalAliasAnalysis.)
#include "mlc/analysis/alias.h"

#include "solver.h"

enum { MAX_DEPTH = 10 }; // values behind each other that are looked through

typedef struct Search {
    MlcMap seen;
    MlcValueVec *out;
    bool is_complete;
} Search;

static void
add_buffer(Search *s, MlcValue *value)
{
    for (size_t i = 0; i < s->out->size; i++)
        if (s->out->data[i] == value)
            return;
    mlc_vec_push(s->out, value);
}

static void look_behind(Search *s, MlcValue *value, unsigned depth);

// What `source` (`op`, or a terminator of its regions) hands to input number `index` of point `to`;
// false if that is not told by operands.
static bool
look_behind_edge(Search *s, MlcOp *op, MlcOp *source, int to, size_t index, unsigned depth)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    const MlcRegionTerminator *leaving = mlc_op_interface(source, MLC_INTERFACE_REGION_TERMINATOR);
    size_t first_input, num_inputs, first, count;
    branch->inputs(op, to, &first_input, &num_inputs);
    if (source == op)
        branch->entry_operands(op, to, &first, &count);
    else if (leaving)
        leaving->operands(source, to, &first, &count);
    else
        return false;
    if (index < first_input || index - first_input >= num_inputs || index - first_input >= count)
        return false;
    look_behind(s, mlc_op_operand(source, first + index - first_input), depth);
    return true;
}

static bool
leads_to(MlcOp *op, MlcOp *source, int to)
{
    PointNumbers points = {0};
    bool found = false;
    mlc_region_points(op, source == op ? NULL : source, NULL, &points);
    for (size_t i = 0; i < points.size; i++)
        found = found || points.data[i] == to;
    mlc_vec_release(&points);
    return found;
}

// Input `index` of point `to` of an op with regions (-1: its results).
static bool
look_behind_point(Search *s, MlcOp *op, int to, size_t index, unsigned depth)
{
    if (!mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH))
        return false;
    bool any = false, known = true;
    if (leads_to(op, op, to)) {
        any = true;
        known = look_behind_edge(s, op, op, to, index, depth);
    }
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *end = mlc_block_terminator(block);
        if (!known || !end || mlc_op_num_successors(end) > 0 || !leads_to(op, end, to))
            continue;
        any = true;
        known = look_behind_edge(s, op, end, to, index, depth);
    }
    return any && known;
}

typedef struct Incoming {
    Search *search;
    size_t index; // of the argument
    unsigned depth;
    bool is_known;
} Incoming;

static void
look_behind_branch(MlcOp *terminator, size_t successor, void *user)
{
    Incoming *in = user;
    MlcValue *value = mlc_branch_operand(terminator, successor, in->index);
    if (value)
        look_behind(in->search, value, in->depth);
    else
        in->is_known = false;
}

// False: the argument is where it begins.
static bool
look_behind_argument(Search *s, MlcValue *value, unsigned depth)
{
    MlcBlock *block = mlc_value_block(value);
    size_t index = mlc_value_index(value);
    MlcRegion *region = mlc_block_region(block);
    MlcOp *owner = region ? mlc_region_parent(region) : NULL;
    if (!owner)
        return false;
    if (mlc_region_first(region) == block)
        return look_behind_point(s, owner, (int)mlc_region_index(region), index, depth);
    Incoming in = {s, index, depth, true};
    mlc_block_visit_predecessors(block, look_behind_branch, &in);
    return in.is_known;
}

static bool
is_memref(const MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF);
}

// The buffers that `value`, a result, is one of or a view of: operands of its op. None: it is
// something else.
static void
find_sources(MlcValue *value, MlcValueVec *out)
{
    MlcOp *op = mlc_value_def(value);
    const MlcViewLike *view = mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE);
    if (view) {
        mlc_vec_push(out, mlc_op_operand(op, view->source(op)));
        return;
    }
    if (!is_memref(value) || mlc_op_num_regions(op) > 0 || !mlc_op_is_pure(op))
        return;
    MLC_FOR_EACH_OPERAND (operand, op)
        if (is_memref(operand))
            mlc_vec_push(out, operand);
}

static bool
look_behind_result(Search *s, MlcValue *value, unsigned depth)
{
    MlcValueVec sources = {0};
    find_sources(value, &sources);
    bool any = sources.size > 0;
    for (size_t i = 0; i < sources.size; i++)
        look_behind(s, sources.data[i], depth);
    mlc_vec_release(&sources);
    return any || look_behind_point(s, mlc_value_def(value), -1, mlc_value_index(value), depth);
}

// Results of ops that hand on nothing, and arguments that are not explained, are buffers.
static void
look_behind(Search *s, MlcValue *value, unsigned depth)
{
    if (mlc_map_has(&s->seen, value))
        return;
    mlc_map_add(&s->seen, value);
    if (depth >= MAX_DEPTH) {
        s->is_complete = false;
        return;
    }
    if (mlc_value_def(value) ? look_behind_result(s, value, depth + 1)
                             : look_behind_argument(s, value, depth + 1))
        return;
    add_buffer(s, value);
}

bool
mlc_underlying_buffers(MlcValue *value, MlcValueVec *out)
{
    Search s = {.out = out, .is_complete = true};
    mlc_map_init(&s.seen);
    look_behind(&s, value, 0);
    mlc_map_release(&s.seen);
    return s.is_complete;
}

MlcValue *
mlc_viewed_buffer(MlcValue *value)
{
    while (mlc_value_def(value)) {
        MlcValueVec sources = {0};
        find_sources(value, &sources);
        MlcValue *source = sources.size == 1 ? sources.data[0] : NULL;
        mlc_vec_release(&sources);
        if (!source)
            break;
        value = source;
    }
    return value;
}

static bool
gives_buffers(const MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (is_memref(mlc_op_result(op, i)))
            return true;
    return false;
}

static bool
frees(MlcOp *op)
{
    MlcEffectVec effects = {0};
    bool found = false;
    if (mlc_op_effects(op, &effects))
        for (size_t i = 0; i < effects.size; i++)
            found |= effects.data[i].effect == MLC_EFFECT_FREE;
    mlc_vec_release(&effects);
    return found;
}

int64_t
mlc_buffer_bytes(MlcType shaped)
{
    unsigned bits = mlc_type_bit_width(mlc_type_element(shaped));
    int64_t count = mlc_type_num_elements(shaped), bytes; // -1: they overflow
    bool overflows = count < 0 || __builtin_mul_overflow(count, (int64_t)(bits + 7) / 8, &bytes);
    return overflows || bytes > MLC_MOST_BYTES ? MLC_MOST_BYTES : bytes;
}

bool
mlc_buffer_check_bytes(MlcOp *alloc)
{
    MlcType type = mlc_op_result_type(alloc, 0);
    return !mlc_type_has_static_shape(type) || mlc_buffer_bytes(type) < MLC_MOST_BYTES ||
           mlc_op_error(alloc, "allocates more bytes than a machine has");
}

bool
mlc_buffer_stays(MlcValue *buffer)
{
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *op = mlc_use_owner(use);
        if (mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE)) {
            for (size_t i = 0; i < mlc_op_num_results(op); i++)
                if (!mlc_buffer_stays(mlc_op_result(op, i)))
                    return false;
        } else if (mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) ||
                   mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH) || gives_buffers(op) ||
                   frees(op)) {
            return false;
        }
    }
    return true;
}

bool
mlc_is_allocated(MlcValue *value)
{
    MlcOp *op = mlc_value_def(value);
    MlcEffectVec effects = {0};
    bool found = false;
    if (op && mlc_op_effects(op, &effects))
        for (size_t i = 0; i < effects.size; i++)
            found |= effects.data[i].effect == MLC_EFFECT_ALLOC && effects.data[i].value == value;
    mlc_vec_release(&effects);
    return found;
}

// An argument of a function, or other isolated op, around `op`: what it refers to was there before.
static bool
comes_from_outside(const MlcValue *value, const MlcOp *op)
{
    MlcBlock *block = mlc_value_block(value);
    MlcRegion *region = block ? mlc_block_region(block) : NULL;
    MlcOp *owner = region ? mlc_region_parent(region) : NULL;
    return owner && mlc_region_first(region) == block && mlc_op_is_ancestor(owner, op) &&
           (mlc_op_interface(owner, MLC_INTERFACE_FUNCTION) ||
            mlc_op_has_trait(owner, MLC_TRAIT_ISOLATED));
}

static MlcAlias
alias_of_buffers(MlcValue *a, MlcValue *b)
{
    if (a == b)
        return MLC_ALIAS_MUST;
    bool a_fresh = mlc_is_allocated(a), b_fresh = mlc_is_allocated(b);
    if ((a_fresh && b_fresh) || (a_fresh && comes_from_outside(b, mlc_value_def(a))) ||
        (b_fresh && comes_from_outside(a, mlc_value_def(b))))
        return MLC_ALIAS_NO;
    return MLC_ALIAS_MAY;
}

MlcAlias
mlc_alias(MlcValue *a, MlcValue *b)
{
    if (a == b || mlc_viewed_buffer(a) == mlc_viewed_buffer(b))
        return MLC_ALIAS_MUST;
    MlcValueVec of_a = {0}, of_b = {0};
    bool known = mlc_underlying_buffers(a, &of_a);
    known = mlc_underlying_buffers(b, &of_b) && known;
    MlcAlias result = MLC_ALIAS_MAY;
    for (size_t i = 0; known && i < of_a.size; i++)
        for (size_t j = 0; j < of_b.size; j++) {
            MlcAlias one = alias_of_buffers(of_a.data[i], of_b.data[j]);
            result = (i + j == 0 || result == one) ? one : MLC_ALIAS_MAY;
            known = result != MLC_ALIAS_MAY;
            if (!known)
                break;
        }
    mlc_vec_release(&of_a);
    mlc_vec_release(&of_b);
    return result;
}

MlcModRef
mlc_mod_ref(MlcOp *op, MlcValue *location)
{
    MlcEffectVec effects = {0};
    unsigned result = MLC_MOD_REF_NONE;
    if (!mlc_op_effects(op, &effects))
        result = MLC_MOD_REF_BOTH;
    for (size_t i = 0; i < effects.size && result != MLC_MOD_REF_BOTH; i++) {
        unsigned bit = effects.data[i].effect == MLC_EFFECT_ALLOC  ? MLC_MOD_REF_NONE
                       : effects.data[i].effect == MLC_EFFECT_READ ? MLC_MOD_REF_REF
                                                                   : MLC_MOD_REF_MOD;
        if ((result & bit) == bit)
            continue;
        MlcValue *value = effects.data[i].value;
        if (!value || mlc_alias(value, location) != MLC_ALIAS_NO)
            result |= bit;
    }
    mlc_vec_release(&effects);
    return (MlcModRef)result;
}

// fuse.c -- decide which ops become one kernel, and merge element-wise structured ops.
//
// Two levels, one rule: an op that works element by element goes where its input is made, if nobody
// outside wants that input. Ops on whole tensors (they infer shapes, or are element-wise) are
// grouped into graph.kernel regions: one op of any kind, then the element-wise ops that follow it,
// in any shape that ends in one value. Structured ops (linalg) are merged body into body, through
// their maps; what has a reduction stays an op of its own, and `tile` computes it inside its
// consumer's tiles. Only traits, interfaces, types and uses are asked, so an op of a loaded dialect
// fuses like a built-in one.
#include "fuse.h"
#include "kernel/kernel_notes.h"
#include "schedule.h"

#include "mlc/ir.h"

#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"

#include <stdio.h>

// ---- groups of ops on whole tensors

typedef struct Group {
    MlcOpVec ops;                  // last to first
    bool has_anchor;               // one op that is not element-wise
    bool works_by_row;             // every op does
    uintptr_t rounded;             // which loops' result it rounds to fewer bits; 0: none's
    MLC_VEC(const char *) reasons; // why producers stay out
} Group;

typedef struct Grouper {
    MlcPass *pass;
    MlcMap of;   // op -> Group
    MlcMap ends; // ops that end loops which do not work by row -> number of those, from 1
    MlcPtrVec groups;
} Grouper;

// A view whose result another op takes stays with the caller and costs nothing; one that is
// returned has to be copied.
static bool
is_free_view(MlcOp *op)
{
    if (!mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE))
        return false;
    MLC_FOR_EACH_USE (use, mlc_op_result(op, 0))
        if (mlc_op_has_trait(mlc_use_owner(use), MLC_TRAIT_TERMINATOR))
            return false;
    return true;
}

static bool
is_tensor_level(MlcOp *op)
{
    if (mlc_op_num_results(op) != 1 || mlc_op_num_regions(op) != 0 || mlc_structured(op) ||
        mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) || !mlc_op_is_pure(op) ||
        !mlc_type_is(mlc_value_type(mlc_op_result(op, 0)), MLC_TYPE_TENSOR) || is_free_view(op))
        return false;
    return mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) ||
           mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES);
}

// The first `n` dimensions of both are numbers, or sizes of one text.
static bool
same_dims(MlcType a, MlcType b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        MlcAttr size = mlc_size_of_dim(a, i);
        if (!size || size != mlc_size_of_dim(b, i))
            return false;
    }
    return true;
}

static bool
same_shape(MlcType a, MlcType b)
{
    return mlc_type_has_rank(a) && mlc_type_has_rank(b) && mlc_type_rank(a) == mlc_type_rank(b) &&
           same_dims(a, b, mlc_type_rank(a));
}

static bool
has_one_user(MlcValue *value)
{
    MlcUse *first = mlc_value_first_use(value);
    for (MlcUse *use = first; use; use = mlc_use_next(use))
        if (mlc_use_owner(use) != mlc_use_owner(first))
            return false;
    return first != NULL;
}

// Tells every element-wise user that it could have had its operand in registers.
static void
remark_users(Grouper *g, MlcValue *value, const char *reason)
{
    MlcOp *told = NULL;
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        Group *group = mlc_map_get(&g->of, user);
        if (user != told && group && mlc_op_has_trait(user, MLC_TRAIT_ELEMENTWISE)) {
            mlc_op_remark(user, "not fused: %s", reason);
            mlc_vec_push(&group->reasons, reason);
        }
        told = user;
    }
}

// ---- rows: a chain of ops that each compute a row of the result from the same row of what they
// read is one kernel however many reductions it has, since `tile{rows}` computes it row by row.

static bool
reads_row(MlcOp *op, size_t i)
{
    const MlcRows *rows = mlc_op_interface(op, MLC_INTERFACE_ROWS);
    return rows ? rows->reads_row(op, i) : mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE);
}

// All dimensions but the last.
static bool
same_rows(MlcType a, MlcType b)
{
    return mlc_type_has_rank(a) && mlc_type_has_rank(b) && mlc_type_rank(a) == mlc_type_rank(b) &&
           mlc_type_rank(a) >= 2 && same_dims(a, b, mlc_type_rank(a) - 1);
}

// An op that does not work by row, or an element-wise one that can be done in its registers, which
// is better than in the rows of what follows: the number of the loops (of several, those that come
// last), `next` of new ones. 0: neither.
static uintptr_t
ended_loops(Grouper *g, MlcOp *op, uintptr_t next)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE))
        return reads_row(op, 0) ? 0 : next;
    uintptr_t last = 0;
    MLC_FOR_EACH_OPERAND (value, op) {
        uintptr_t loops =
            mlc_value_def(value) ? (uintptr_t)mlc_map_get(&g->ends, mlc_value_def(value)) : 0;
        if (loops > last && has_one_user(value) &&
            same_shape(mlc_value_type(value), mlc_value_type(mlc_op_result(op, 0))))
            last = loops;
    }
    return last;
}

static unsigned
bits_of(MlcType type)
{
    MlcType element = mlc_type_element(type);
    return mlc_type_is_int_or_index(element) || mlc_type_is_float(element)
               ? mlc_type_bit_width(element)
               : 0;
}

// The number of the loops whose result `op` rounds to fewer bits; 0: none's.
static uintptr_t
rounded_loops(Grouper *g, MlcOp *op)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) || mlc_op_num_operands(op) == 0)
        return 0;
    bool narrows = bits_of(mlc_op_result_type(op, 0)) < bits_of(mlc_op_operand_type(op, 0));
    return narrows ? (uintptr_t)mlc_map_get(&g->ends, op) : 0;
}

// The group that all users of `op` are in, if op may be computed row by row with them.
static Group *
rows_of_users(Grouper *g, MlcOp *op)
{
    MlcValue *value = mlc_op_result(op, 0);
    Group *group = NULL;
    if (mlc_map_has(&g->ends, op))
        return NULL;
    MLC_FOR_EACH_USE (use, value) {
        Group *other = mlc_map_get(&g->of, mlc_use_owner(use));
        if (!other || (group && other != group) || !other->works_by_row ||
            !reads_row(mlc_use_owner(use), mlc_use_index(use)))
            return NULL;
        group = other;
    }
    MlcType type = mlc_value_type(value);
    return group && same_rows(type, mlc_value_type(mlc_op_result(group->ops.data[0], 0))) ? group
                                                                                          : NULL;
}

// The one group that all users of `op` are in, if op may be computed there: each works element by
// element on op's own shape, and the group has room for a loop nest if op brings one.
static Group *
group_of_users(Grouper *g, MlcOp *op)
{
    MlcValue *value = mlc_op_result(op, 0);
    Group *group = NULL;
    bool is_elementwise = mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE), is_first = true;
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        Group *other = mlc_map_get(&g->of, user);
        if (!is_first && other != group) {
            remark_users(g, value, "producer has several uses");
            return NULL;
        }
        if (other && mlc_op_has_trait(user, MLC_TRAIT_ELEMENTWISE) &&
            !same_shape(mlc_value_type(value), mlc_value_type(mlc_op_result(user, 0)))) {
            remark_users(g, value, "producer has another shape than the result");
            return NULL;
        }
        if (other && !mlc_op_has_trait(user, MLC_TRAIT_ELEMENTWISE))
            return NULL;
        group = other;
        is_first = false;
    }
    uintptr_t rounded = rounded_loops(g, op);
    if (group && rounded && group->rounded && rounded != group->rounded) {
        remark_users(g, value, "what other loops gave is rounded to fewer bits where it is made");
        return NULL;
    }
    return group && (is_elementwise || !group->has_anchor) ? group : NULL;
}

static Group *
new_group(Grouper *g)
{
    Group *group = MLC_NEW(mlc_pass_scratch(g->pass), Group);
    group->works_by_row = true;
    mlc_vec_push(&g->groups, group);
    return group;
}

// Users come first, so that a value that several of them want is seen to stay in one kernel. Of two
// ops with loops that a group reads, the later one joins: a kernel has one loop nest,
// unless all of it works by row. Where what the other gives is rounded to fewer bits, that is done
// there, so that fewer bytes pass memory.
static void
group_op(Grouper *g, MlcOp *op)
{
    Group *group = rows_of_users(g, op);
    if (!group)
        group = group_of_users(g, op);
    if (!group)
        group = new_group(g);
    mlc_vec_push(&group->ops, op);
    group->has_anchor |= !mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE);
    group->works_by_row &= reads_row(op, 0);
    if (!group->rounded)
        group->rounded = rounded_loops(g, op);
    mlc_map_set(&g->of, op, group);
}

// One element: part of the kernel. Bigger constants are arguments, so that equal kernels merge and
// weights can be packed.
static bool
is_small_constant(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_value_constant(value) && mlc_type_is(type, MLC_TYPE_TENSOR) &&
           mlc_type_has_static_shape(type) && mlc_type_num_elements(type) == 1;
}

static void
to_program_order(Group *group)
{
    for (size_t i = 0, n = group->ops.size; i < n / 2; i++) {
        MlcOp *op = group->ops.data[i];
        group->ops.data[i] = group->ops.data[n - 1 - i];
        group->ops.data[n - 1 - i] = op;
    }
}

// Values that the group takes from outside, each once, and small constants, which are cloned.
static void
collect_inputs(Grouper *g, Group *group, MlcValueVec *inputs, MlcValueVec *constants)
{
    MlcMap seen = {0};
    for (size_t i = 0; i < group->ops.size; i++)
        MLC_FOR_EACH_OPERAND (value, group->ops.data[i]) {
            MlcOp *def = mlc_value_def(value);
            if ((def && mlc_map_get(&g->of, def) == group) || !mlc_map_add(&seen, value))
                continue;
            if (is_small_constant(value))
                mlc_vec_push(constants, value);
            else
                mlc_vec_push(inputs, value);
        }
    mlc_map_release(&seen);
}

static void
move_into_kernel(Group *group, MlcOp *kernel, const MlcValueVec *inputs,
                 const MlcValueVec *constants)
{
    MlcContext *ctx = mlc_op_context(kernel);
    MlcCloneMap *map = mlc_clone_map_create();
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    b.loc = mlc_op_loc(group->ops.data[0]);
    MlcBlock *block = mlc_builder_create_block(&b, mlc_op_region(kernel, 0), NULL, 0);
    for (size_t i = 0; i < inputs->size; i++) {
        MlcValue *input = inputs->data[i];
        mlc_clone_map_set(map, input, mlc_block_add_arg(block, mlc_value_type(input), b.loc));
    }
    for (size_t i = 0; i < constants->size; i++) {
        MlcOp *clone =
            mlc_builder_insert(&b, mlc_op_clone(mlc_value_def(constants->data[i]), NULL));
        mlc_clone_map_set(map, constants->data[i], mlc_op_result(clone, 0));
    }
    MlcOp *last = NULL;
    for (size_t i = 0; i < group->ops.size; i++) {
        last = mlc_builder_insert(&b, mlc_op_clone(group->ops.data[i], map));
        mlc_clone_map_set(map, mlc_op_result(group->ops.data[i], 0), mlc_op_result(last, 0));
    }
    MlcValue *result = mlc_op_result(last, 0);
    mlc_graph_yield(&b, &result, 1);
    mlc_clone_map_destroy(map);
}

// All the nodes that a group computes.
static MlcLoc
group_loc(const Group *group)
{
    MLC_VEC(MlcLoc) locs = {0};
    for (size_t i = 0; i < group->ops.size; i++)
        mlc_vec_push(&locs, mlc_op_loc(group->ops.data[i]));
    MlcLoc loc = mlc_loc_fused(mlc_op_context(group->ops.data[0]), locs.data, locs.size, NULL);
    mlc_vec_release(&locs);
    return loc;
}

static void
build_kernel(Grouper *g, Group *group)
{
    MlcValueVec inputs = {0}, constants = {0};
    to_program_order(group);
    collect_inputs(g, group, &inputs, &constants);
    MlcOp *last = group->ops.data[group->ops.size - 1];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(last));
    mlc_builder_before(&b, last);
    b.loc = group_loc(group);
    MlcType type = mlc_value_type(mlc_op_result(last, 0));
    MlcOp *kernel = mlc_graph_kernel(&b, &type, 1, inputs.data, inputs.size);
    for (size_t i = 0; i < group->reasons.size; i++) {
        char note[80];
        snprintf(note, sizeof note, "not fused: %s", group->reasons.data[i]);
        mlc_op_add_kernel_note(kernel, mlc_str(note));
    }
    mlc_vec_release(&group->reasons);
    move_into_kernel(group, kernel, &inputs, &constants);
    MlcValue *result = mlc_op_result(kernel, 0);
    mlc_value_replace_uses(mlc_op_result(last, 0), result);
    for (size_t i = group->ops.size; i-- > 0;)
        mlc_op_erase(group->ops.data[i]);
    mlc_pass_count(g->pass, "kernels", 1);
    mlc_pass_count(g->pass, "ops-fused", (int64_t)group->ops.size - 1);
    mlc_vec_release(&inputs);
    mlc_vec_release(&constants);
}

// ---- windows: an op that only cuts a window out of a tensor is computed where it is read, if that
// needs no copy. Rows that are read abreast and fall on each other in the first cache do.

// What rows are multiplied by.
static bool
reads_matrix(const MlcUse *use)
{
    MlcOp *user = mlc_use_owner(use);
    return mlc_op_interface(user, MLC_INTERFACE_ROWS) && mlc_use_index(use) > 0 &&
           !reads_row(user, mlc_use_index(use)) && reads_row(user, 0);
}

static bool
reads_window(Grouper *g, MlcUse *use)
{
    MlcOp *user = mlc_use_owner(use);
    if (mlc_op_has_trait(user, MLC_TRAIT_ELEMENTWISE))
        return true;
    const MlcWindows *windows = mlc_op_interface(user, MLC_INTERFACE_WINDOWS);
    if (!windows || !windows->reads_window || !windows->reads_window(user, mlc_use_index(use)))
        return false;
    if (reads_matrix(use))
        return true;
    MlcType from = mlc_value_type(mlc_op_operand(mlc_value_def(mlc_use_value(use)), 0));
    int64_t bytes = mlc_type_bit_width(mlc_type_element(from)) / 8;
    return !windows->reads_rows_abreast || mlc_type_rank(from) == 0 ||
           !mlc_rows_collide(mlc_type_dim(from, mlc_type_rank(from) - 1) * bytes,
                             mlc_pass_target(g->pass));
}

static void
join_user(Grouper *g, Group *group)
{
    MlcOp *op = group->ops.data[0];
    const MlcWindows *windows = mlc_op_interface(op, MLC_INTERFACE_WINDOWS);
    MlcUse *use = mlc_value_first_use(mlc_op_result(op, 0));
    if (group->ops.size != 1 || !windows || !windows->is_window || !windows->is_window(op) ||
        !use || mlc_use_next(use))
        return;
    Group *user = mlc_map_get(&g->of, mlc_use_owner(use));
    bool is_of_rows = user && user->works_by_row && user->has_anchor && !reads_matrix(use);
    if (!user || is_of_rows || !reads_window(g, use))
        return;
    mlc_vec_push(&user->ops, op);
    mlc_map_set(&g->of, op, user);
    mlc_vec_clear(&group->ops);
}

static void
group_block(MlcPass *pass, MlcBlock *block)
{
    Grouper g = {.pass = pass};
    uintptr_t next = 1;
    MLC_FOR_EACH_OP (op, block) {
        uintptr_t loops = is_tensor_level(op) ? ended_loops(&g, op, next) : 0;
        if (loops)
            mlc_map_set(&g.ends, op, (void *)loops);
        next += loops == next;
    }
    for (MlcOp *op = mlc_block_last(block); op; op = mlc_op_prev(op))
        if (is_tensor_level(op))
            group_op(&g, op);
    for (size_t i = 0; i < g.groups.size; i++)
        join_user(&g, g.groups.data[i]);
    for (size_t i = g.groups.size; i-- > 0;)
        if (((Group *)g.groups.data[i])->ops.size > 0)
            build_kernel(&g, g.groups.data[i]);
    for (size_t i = 0; i < g.groups.size; i++)
        mlc_vec_release(&((Group *)g.groups.data[i])->ops);
    mlc_map_release(&g.of);
    mlc_map_release(&g.ends);
    mlc_vec_release(&g.groups);
}

// ---- control flow: an op whose regions run on whole tensors is a kernel by itself, with all that
// its regions do. What they take from outside becomes arguments, and so do constants: only what
// callers pass can be packed. So is an op without effects that must not run before its time.

static bool
is_kernel_by_itself(MlcOp *op)
{
    bool stays_in_place = mlc_op_is_memory_effect_free(op) && !mlc_op_is_speculatable(op);
    return (mlc_op_num_regions(op) > 0 || stays_in_place) && mlc_op_num_results(op) > 0 &&
           !mlc_structured(op) && !mlc_op_has_trait(op, MLC_TRAIT_ISOLATED) &&
           mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES);
}

static void
hoist_constants(MlcOp *control)
{
    MlcOpVec constants = {0};
    MLC_FOR_EACH_PREORDER (op, control)
        if (mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) &&
            !is_small_constant(mlc_op_result(op, 0)))
            mlc_vec_push(&constants, op);
    for (size_t i = 0; i < constants.size; i++)
        mlc_op_move_before(constants.data[i], control);
    mlc_vec_release(&constants);
}

static void
clone_into_kernel(MlcOp *kernel, MlcOp *op, const MlcValueVec *inputs, const MlcOpVec *constants)
{
    MlcCloneMap *map = mlc_clone_map_create();
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(kernel));
    b.loc = mlc_op_loc(op);
    MlcBlock *block = mlc_builder_create_block(&b, mlc_op_region(kernel, 0), NULL, 0);
    for (size_t i = 0; i < inputs->size; i++)
        mlc_clone_map_set(map, inputs->data[i],
                          mlc_block_add_arg(block, mlc_value_type(inputs->data[i]), b.loc));
    for (size_t i = 0; i < constants->size; i++)
        mlc_builder_insert(&b, mlc_op_clone(constants->data[i], map));
    MlcOp *clone = mlc_builder_insert(&b, mlc_op_clone(op, map));
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(clone); i++)
        mlc_vec_push(&results, mlc_op_result(clone, i));
    mlc_graph_yield(&b, results.data, results.size);
    mlc_vec_release(&results);
    mlc_clone_map_destroy(map);
}

static void
wrap(MlcPass *pass, MlcOp *op)
{
    MlcValueVec inputs = {0};
    MlcOpVec constants = {0}, small = {0};
    MlcTypeVec types = {0};
    hoist_constants(op);
    mlc_op_find_captures(op, true, &inputs, &constants);
    for (size_t i = 0; i < constants.size; i++)
        if (is_small_constant(mlc_op_result(constants.data[i], 0)))
            mlc_vec_push(&small, constants.data[i]);
        else
            mlc_vec_push(&inputs, mlc_op_result(constants.data[i], 0));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    b.loc = mlc_op_loc(op);
    MlcOp *kernel = mlc_graph_kernel(&b, types.data, types.size, inputs.data, inputs.size);
    mlc_op_set_attr(kernel, MLC_KERNEL_NOTES, mlc_op_attr(op, MLC_KERNEL_NOTES));
    mlc_op_set_attr(op, MLC_KERNEL_NOTES, NULL);
    clone_into_kernel(kernel, op, &inputs, &small);
    MlcValueVec results = {0};
    for (size_t i = 0; i < types.size; i++)
        mlc_vec_push(&results, mlc_op_result(kernel, i));
    mlc_op_replace(op, results.data, results.size);
    mlc_pass_count(pass, "kernels", 1);
    mlc_vec_release(&results);
    mlc_vec_release(&inputs);
    mlc_vec_release(&constants);
    mlc_vec_release(&small);
    mlc_vec_release(&types);
}

// ---- structured ops

// Moves elements and computes nothing: reading through it costs no more than reading its input.
static bool
is_copy(MlcOp *op)
{
    MlcValue *element = mlc_op_operand(mlc_block_last(mlc_structured_body(op)), 0);
    return mlc_value_block(element) == mlc_structured_body(op);
}

static const char *
why_not_merge(MlcOp *consumer, size_t i, MlcOp *producer)
{
    MlcAffineMap read = mlc_structured_map(consumer, i);
    size_t out = mlc_structured_num_inputs(producer);
    if (mlc_structured_num_outputs(producer) != 1 || mlc_structured_num_outputs(consumer) != 1 ||
        mlc_op_num_results(producer) != 1 || mlc_op_num_results(consumer) != 1)
        return "it has several results";
    if (!mlc_affine_map_is_permutation(mlc_structured_map(producer, out)))
        return "it does not write its result point by point";
    MlcValue *output = mlc_structured_output_arg(producer);
    if ((output && mlc_value_has_uses(output)) || mlc_structured_uses_index(producer))
        return "its body needs more than its inputs' elements";
    if (!is_copy(producer) && !mlc_affine_map_is_projected_permutation(read, true))
        return "its consumer reads windows of it";
    if (!is_copy(producer) && !mlc_structured_is_parallel(consumer) &&
        !mlc_affine_map_is_permutation(read))
        return "its consumer would compute it again for each point of another loop";
    if (!has_one_user(mlc_op_result(producer, 0)))
        return "it has several uses";
    return NULL;
}

// The value of `block`'s yield, its ops cloned at the builder with what `map` says.
static MlcValue *
inline_body(MlcBuilder *b, MlcBlock *block, MlcCloneMap *map)
{
    MlcOp *yield = mlc_block_last(block);
    MLC_FOR_EACH_OP (op, block) {
        if (op == yield)
            break;
        MlcOp *clone = mlc_builder_insert(b, mlc_op_clone(op, map));
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            mlc_clone_map_set(map, mlc_op_result(op, i), mlc_op_result(clone, i));
    }
    return mlc_clone_map_get(map, mlc_op_operand(yield, 0));
}

typedef struct Merge {
    MlcValueVec inputs;
    MLC_VEC(MlcAffineMap) maps;
} Merge;

// The position of an input read by `map`, added if it is new.
static size_t
merged_input(Merge *m, MlcValue *value, MlcAffineMap map)
{
    for (size_t i = 0; i < m->inputs.size; i++)
        if (m->inputs.data[i] == value && m->maps.data[i] == map)
            return i;
    mlc_vec_push(&m->inputs, value);
    mlc_vec_push(&m->maps, map);
    return m->inputs.size - 1;
}

// consumer(producer(x)) as one op: each of the producer's inputs is read through both maps.
static void
merge_structured(MlcOp *consumer, MlcOp *producer)
{
    MlcBlock *consumer_body = mlc_structured_body(consumer),
             *producer_body = mlc_structured_body(producer);
    size_t num_c = mlc_structured_num_inputs(consumer), num_p = mlc_structured_num_inputs(producer);
    size_t at_c[64], at_p[64], read_at = 0;
    Merge m = {0};
    MlcAffineMap inverse = mlc_affine_map_inverse_permutation(mlc_structured_map(producer, num_p));
    for (size_t i = 0; i < num_c; i++) {
        MlcAffineMap map = mlc_structured_map(consumer, i);
        if (mlc_value_def(mlc_op_operand(consumer, i)) == producer)
            read_at = i;
        else
            at_c[i] = merged_input(&m, mlc_op_operand(consumer, i), map);
    }
    MlcAffineMap loops = mlc_affine_map_compose(inverse, mlc_structured_map(consumer, read_at));
    for (size_t i = 0; i < num_p; i++)
        at_p[i] = merged_input(&m, mlc_op_operand(producer, i),
                               mlc_affine_map_compose(mlc_structured_map(producer, i), loops));
    mlc_vec_push(&m.maps, mlc_structured_map(consumer, num_c));

    MlcIterator iterators[MLC_SMALL_RANK];
    size_t num_loops = mlc_structured_num_loops(consumer);
    for (size_t i = 0; i < num_loops; i++)
        iterators[i] = mlc_structured_iterator(consumer, i);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(consumer));
    mlc_builder_before(&b, consumer);
    MlcOp *merged =
        mlc_build_open_generic(&b, m.inputs.data, m.inputs.size, mlc_op_operand(consumer, num_c),
                               m.maps.data, iterators, num_loops);
    MlcBlock *body = mlc_region_first(mlc_op_region(merged, 0));
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_builder_at_end(&b, body);
    for (size_t i = 0; i < num_p; i++)
        mlc_clone_map_set(map, mlc_block_arg(producer_body, i), mlc_block_arg(body, at_p[i]));
    MlcValue *element = inline_body(&b, producer_body, map);
    for (size_t i = 0; i < num_c; i++)
        mlc_clone_map_set(map, mlc_block_arg(consumer_body, i),
                          mlc_value_def(mlc_op_operand(consumer, i)) == producer
                              ? element
                              : mlc_block_arg(body, at_c[i]));
    MlcValue *output = mlc_structured_output_arg(consumer);
    if (output)
        mlc_clone_map_set(map, output, mlc_block_arg(body, m.inputs.size));
    MlcValue *result = inline_body(&b, consumer_body, map);
    mlc_linalg_yield(&b, &result, 1);
    mlc_clone_map_destroy(map);

    result = mlc_op_result(merged, 0);
    mlc_op_replace(consumer, &result, 1);
    mlc_op_erase(producer);
    mlc_vec_release(&m.inputs);
    mlc_vec_release(&m.maps);
}

// All operands that `producer` makes are read alike, so that one clone of its body serves them.
static bool
reads_alike(MlcOp *consumer, MlcOp *producer)
{
    MlcAffineMap first = NULL;
    for (size_t i = 0; i < mlc_op_num_operands(consumer); i++) {
        if (mlc_value_def(mlc_op_operand(consumer, i)) != producer)
            continue;
        MlcAffineMap map = mlc_structured_map(consumer, i);
        if (first && first != map)
            return false;
        first = map;
    }
    return true;
}

static bool
merge_one(MlcPass *pass, MlcOp *consumer)
{
    for (size_t i = 0; i < mlc_op_num_operands(consumer); i++) {
        MlcOp *producer = mlc_value_def(mlc_op_operand(consumer, i));
        if (!producer || !mlc_structured(producer) ||
            mlc_op_block(producer) != mlc_op_block(consumer) ||
            mlc_op_num_operands(consumer) + mlc_op_num_operands(producer) > 64 ||
            !mlc_structured_is_small(consumer))
            continue;
        if (i >= mlc_structured_num_inputs(consumer))
            continue; // what the consumer starts from: `tile` fuses that
        if (!mlc_structured_is_parallel(producer))
            continue; // computed in its consumer's tiles
        const char *reason = why_not_merge(consumer, i, producer);
        if (!reason && !reads_alike(consumer, producer))
            reason = "its consumer reads it in two ways";
        if (reason) {
            mlc_kernel_remark(producer, "not fused: %s", reason);
            continue;
        }
        merge_structured(consumer, producer);
        mlc_pass_count(pass, "ops-fused", 1);
        return true;
    }
    return false;
}

bool
mlc_fuse_into_user(MlcOp *producer)
{
    MlcValue *value = mlc_op_result(producer, 0);
    MlcUse *use = mlc_value_has_one_use(value) ? mlc_value_first_use(value) : NULL;
    MlcOp *user = use ? mlc_use_owner(use) : NULL;
    if (!user || !mlc_structured(user) || mlc_op_block(user) != mlc_op_block(producer) ||
        mlc_op_num_operands(user) + mlc_op_num_operands(producer) > 64 ||
        !mlc_structured_is_parallel(user) || !mlc_structured_is_small(user) ||
        mlc_use_index(use) >= mlc_structured_num_inputs(user) ||
        why_not_merge(user, mlc_use_index(use), producer))
        return false;
    merge_structured(user, producer);
    return true;
}

// From the last op up, so that a chain ends in its consumer. A merged op stands where its consumer
// stood and is tried again.
static void
merge_block(MlcPass *pass, MlcBlock *block)
{
    MlcOp *op = mlc_block_last(block);
    while (op) {
        MlcOp *next = mlc_op_next(op);
        if (mlc_structured(op) && merge_one(pass, op))
            op = next ? mlc_op_prev(next) : mlc_block_last(block);
        else
            op = mlc_op_prev(op);
    }
}

// In the bodies of loops and branches, too.
static void
merge_inside(MlcPass *pass, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i)) {
            merge_block(pass, block);
            MLC_FOR_EACH_OP (inner, block)
                if (!mlc_structured(inner))
                    merge_inside(pass, inner);
        }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    for (size_t i = 0; i < mlc_op_num_regions(root); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(root, i)) {
            group_block(pass, block);
            MLC_FOR_EACH_OP_SAFE (op, block)
                if (is_kernel_by_itself(op))
                    wrap(pass, op);
        }
    merge_inside(pass, root);
    return true;
}

static const char *const dialects[] = {"graph", "linalg", NULL};

MLC_PASS(fuse, .flag = "fuse",
         .summary = "Group ops into kernels, and merge element-wise structured ops",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)

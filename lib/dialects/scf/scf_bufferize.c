// scf_bufferize.c -- loops that carry tensors become loops over buffers that stay where they are.
//
// Each tensor that goes round has one buffer: that of its initial value, or a copy. What is yielded
// for it is there already, or is copied there. A branch yields into one buffer made before, unless
// all branches yield what is in one buffer from outside. Of dynamic shape, branches yield their
// buffers.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/semantics.h"

// Of scf.for, and of loops whose records say that they are one: bounds, then first values.
static size_t
first_init(MlcOp *loop)
{
    return mlc_op_num_operands(loop) - mlc_op_num_results(loop);
}

static bool
loop_touches(MlcOp *op, size_t i)
{
    return i >= first_init(op);
}

static MlcValue *
loop_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return i >= first_init(op) ? mlc_op_result(op, i - first_init(op)) : NULL;
}

static MlcValue *
loop_arg(MlcOp *op, MlcBlock *body, size_t i)
{
    return mlc_block_arg(body, mlc_block_num_args(body) - mlc_op_num_results(op) + i);
}

static void
other_result_types(MlcOp *op, MlcTypeVec *types)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (!mlc_value_is_tensor(mlc_op_result(op, i)))
            mlc_vec_push(types, mlc_op_result_type(op, i));
}

// The op without what carries tensors.
static MlcOp *
without_tensors(MlcOp *op, MlcBuilder *b)
{
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        if (!mlc_value_is_tensor(value))
            mlc_vec_push(&operands, value);
    other_result_types(op, &types);
    MlcOp *made = mlc_builder_create(b, &(MlcOpState){.loc = mlc_op_loc(op),
                                                      .def = mlc_op_def(op),
                                                      .operands = operands.data,
                                                      .num_operands = operands.size,
                                                      .result_types = types.data,
                                                      .num_results = types.size,
                                                      .num_regions = mlc_op_num_regions(op)});
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    return made;
}

// Copies what `terminator` hands on for each tensor into the buffer of `targets[i]`, unless it is
// there already, as if all were copied at once; leaves the other operands. The first `first` stay.
// Those of `handed` (NULL: none) are handed on as buffers.
static void
copy_to_targets(MlcOp *terminator, size_t first, MlcValue *const *targets, const MlcMap *handed,
                MlcBufferizer *bufferizer)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(terminator));
    mlc_builder_before(&b, terminator);
    size_t n = mlc_op_num_operands(terminator) - first;
    MlcValueVec kept = {0}, from = {0}, to = {0}, moved = {0};
    for (size_t i = 0; i < first; i++)
        mlc_vec_push(&kept, mlc_op_operand(terminator, i));
    for (size_t i = 0; i < n; i++) {
        MlcValue *value = mlc_op_operand(terminator, first + i);
        if (!mlc_value_is_tensor(value)) {
            mlc_vec_push(&kept, value);
        } else if (handed && mlc_map_has(handed, targets[i])) {
            mlc_vec_push(&kept, mlc_bufferizer_buffer(bufferizer, value));
        } else if (!mlc_bufferizer_same(bufferizer, value, targets[i])) {
            mlc_vec_push(&from, mlc_bufferizer_buffer(bufferizer, value));
            mlc_vec_push(&to, mlc_bufferizer_buffer(bufferizer, targets[i]));
            mlc_vec_push(&moved, targets[i]);
            // An earlier copy may have overwritten it: take it aside before any.
            for (size_t k = 0; k + 1 < moved.size; k++)
                if (mlc_bufferizer_may_share(bufferizer, value, moved.data[k])) {
                    MlcValue **last = &from.data[from.size - 1];
                    *last = mlc_bufferizer_copied(bufferizer, &b, *last, mlc_value_type(value));
                    break;
                }
        }
    }
    for (size_t i = 0; i < from.size; i++)
        mlc_bufferizer_copy(&b, from.data[i], to.data[i]);
    mlc_op_set_operands(terminator, kept.data, kept.size);
    mlc_vec_release(&kept);
    mlc_vec_release(&from);
    mlc_vec_release(&to);
    mlc_vec_release(&moved);
}

// Rewrites what is in a region, all but its terminator.
static bool
rewrite_body(MlcBlock *body, MlcBufferizer *bufferizer)
{
    MLC_FOR_EACH_OP_SAFE (child, body)
        if (child != mlc_block_terminator(body) && !mlc_bufferizer_op(bufferizer, child))
            return false;
    return true;
}

// Values that are no tensors take the new op's results.
static void
replace_other_results(MlcOp *op, MlcOp *made)
{
    for (size_t i = 0, next = 0; i < mlc_op_num_results(op); i++)
        if (!mlc_value_is_tensor(mlc_op_result(op, i)))
            mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, next++));
}

static void
erase_tensor_args(MlcBlock *block)
{
    for (size_t i = mlc_block_num_args(block); i-- > 0;)
        if (mlc_value_is_tensor(mlc_block_arg(block, i)))
            mlc_block_erase_arg(block, i);
}

// What is yielded is in this buffer by then, or is copied there and shares nothing with it.
static void
loop_hand_on(MlcOp *op, MlcBufferizer *bufferizer)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i);
        if (mlc_value_is_tensor(result))
            mlc_bufferizer_unite(bufferizer, loop_arg(op, body, i), result, true);
    }
}

static bool
loop_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcValueVec args = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *arg = loop_arg(op, body, i), *buffer = NULL;
        mlc_vec_push(&args, arg);
        if (!mlc_value_is_tensor(mlc_op_result(op, i)))
            continue;
        buffer = mlc_bufferizer_destination(bufferizer, b, op, first_init(op) + i);
        mlc_bufferizer_set(bufferizer, arg, buffer);
        mlc_bufferizer_set(bufferizer, mlc_op_result(op, i), buffer);
    }
    MlcOp *made = without_tensors(op, b);
    mlc_region_take_body(mlc_op_region(made, 0), mlc_op_region(op, 0));
    bool ok = rewrite_body(body, bufferizer);
    if (ok) {
        copy_to_targets(mlc_block_terminator(body), 0, args.data, NULL, bufferizer);
        mlc_bufferizer_erase_tensor_ops(mlc_op_region(made, 0));
        erase_tensor_args(body);
        replace_other_results(op, made);
    }
    mlc_vec_release(&args);
    return ok;
}

static bool
terminator_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    (void)op, (void)b, (void)bufferizer;
    mlc_bug("a terminator is rewritten with its op");
}

// What a branch yields as result i.
static MlcValue *
yielded(MlcOp *op, size_t branch, size_t i)
{
    return mlc_op_operand(mlc_block_terminator(mlc_region_first(mlc_op_region(op, branch))), i);
}

static void
branches_hand_on(MlcOp *op, MlcBufferizer *bufferizer)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i);
        if (!mlc_value_is_tensor(result))
            continue;
        bool one = true;
        for (size_t r = 1; r < mlc_op_num_regions(op); r++)
            one = one && mlc_bufferizer_same(bufferizer, yielded(op, 0, i), yielded(op, r, i));
        for (size_t r = 0; r < mlc_op_num_regions(op); r++)
            mlc_bufferizer_unite(bufferizer, yielded(op, r, i), result, one);
    }
}

// The buffers of results, made before the branches that copy into them. Where all branches yield
// one buffer, it is from outside, and the result has it. Those of dynamic shape are `handed` on.
static void
choose_branch_buffers(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer, MlcMap *handed)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i);
        if (!mlc_value_is_tensor(result) ||
            mlc_bufferizer_same(bufferizer, yielded(op, 0, i), result))
            continue;
        if (mlc_type_has_static_shape(mlc_value_type(result)))
            mlc_bufferizer_set(bufferizer, result, mlc_bufferizer_made(bufferizer, b, result));
        else
            mlc_map_set(handed, result, result);
    }
}

static bool
rewrite_branch(MlcBlock *body, MlcBufferizer *bufferizer, const MlcValueVec *results,
               const MlcMap *handed)
{
    if (!rewrite_body(body, bufferizer))
        return false;
    MlcOp *yield = mlc_block_terminator(body);
    for (size_t i = 0; i < results->size; i++)
        if (mlc_value_is_tensor(results->data[i]) && !mlc_map_has(handed, results->data[i]) &&
            mlc_bufferizer_same(bufferizer, mlc_op_operand(yield, i), results->data[i]))
            mlc_bufferizer_set(bufferizer, results->data[i],
                               mlc_bufferizer_buffer(bufferizer, mlc_op_operand(yield, i)));
    copy_to_targets(yield, 0, results->data, handed, bufferizer);
    mlc_bufferizer_erase_tensor_ops(mlc_block_region(body));
    return true;
}

// The types of what the branches yield now; of buffers one that all can have.
static void
yielded_types(MlcOp *op, MlcTypeVec *types)
{
    MlcOp *first = mlc_block_terminator(mlc_region_first(mlc_op_region(op, 0)));
    for (size_t i = 0; i < mlc_op_num_operands(first); i++) {
        MlcType type = mlc_op_operand_type(first, i);
        for (size_t r = 1; r < mlc_op_num_regions(op); r++)
            if (!mlc_region_is_empty(mlc_op_region(op, r)))
                type = mlc_bufferizer_common_type(type, mlc_value_type(yielded(op, r, i)));
        mlc_vec_push(types, type);
    }
}

static void
cast_yields(MlcOp *op, const MlcTypeVec *types)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *yield = mlc_block_terminator(block);
        mlc_builder_before(&b, yield);
        for (size_t i = 0; i < types->size; i++)
            if (mlc_op_operand_type(yield, i) != types->data[i])
                mlc_op_set_operand(yield, i,
                                   mlc_memref_cast(&b, types->data[i], mlc_op_operand(yield, i)));
    }
}

// The op with other results, over the regions of `op`.
static MlcOp *
with_results(MlcOp *op, MlcBuilder *b, const MlcTypeVec *types)
{
    MlcValueVec operands = {0};
    MLC_VEC(MlcNamedAttr) attrs = {0};
    MlcAttr all = mlc_op_all_attrs(op);
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands, value);
    for (size_t i = 0; i < mlc_dict_attr_size(all); i++)
        mlc_vec_push(&attrs, mlc_dict_attr_entry(all, i));
    MlcOpState state = {.loc = mlc_op_loc(op),
                        .def = mlc_op_def(op),
                        .operands = operands.data,
                        .num_operands = operands.size,
                        .result_types = types->data,
                        .num_results = types->size,
                        .attrs = attrs.data,
                        .num_attrs = attrs.size,
                        .num_regions = mlc_op_num_regions(op)};
    MlcOp *made = mlc_builder_create(b, &state);
    mlc_vec_release(&operands);
    mlc_vec_release(&attrs);
    for (size_t r = 0; r < mlc_op_num_regions(op); r++)
        mlc_region_take_body(mlc_op_region(made, r), mlc_op_region(op, r));
    return made;
}

static bool
branches_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcMap handed = {0};
    MlcTypeVec types = {0};
    MlcValueVec results = {0};
    choose_branch_buffers(op, b, bufferizer, &handed);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&results, mlc_op_result(op, i));
    bool ok = true;
    for (size_t r = 0; ok && r < mlc_op_num_regions(op); r++)
        ok = mlc_region_is_empty(mlc_op_region(op, r)) ||
             rewrite_branch(mlc_region_first(mlc_op_region(op, r)), bufferizer, &results, &handed);
    if (ok) {
        yielded_types(op, &types);
        cast_yields(op, &types);
        MlcOp *made = with_results(op, b, &types);
        for (size_t i = 0, next = 0; i < results.size; i++)
            if (mlc_map_has(&handed, results.data[i]))
                mlc_bufferizer_set(bufferizer, results.data[i], mlc_op_result(made, next++));
            else if (!mlc_value_is_tensor(results.data[i]))
                mlc_value_replace_uses(results.data[i], mlc_op_result(made, next++));
    }
    mlc_map_release(&handed);
    mlc_vec_release(&types);
    mlc_vec_release(&results);
    return ok;
}

static void
execute_hand_on(MlcOp *op, MlcBufferizer *bufferizer)
{
    for (size_t i = 0; mlc_region_has_one_block(mlc_op_region(op, 0)) && i < mlc_op_num_results(op);
         i++)
        if (mlc_value_is_tensor(mlc_op_result(op, i)))
            mlc_bufferizer_unite(bufferizer, yielded(op, 0, i), mlc_op_result(op, i), true);
}

// What the region yields is handed on; buffers from outside need not be.
static bool
execute_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    if (!mlc_region_has_one_block(mlc_op_region(op, 0)))
        return mlc_op_error(op, "has tensors and more than one block");
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcOp *yield = mlc_block_terminator(body);
    if (!rewrite_body(body, bufferizer))
        return false;
    MlcTypeVec types = {0};
    MlcValueVec kept = {0}, results = {0};
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++) {
        MlcValue *value = mlc_op_operand(yield, i), *result = mlc_op_result(op, i);
        if (mlc_value_is_tensor(value)) {
            value = mlc_bufferizer_buffer(bufferizer, value);
            mlc_bufferizer_set(bufferizer, result, value);
            if (!mlc_value_is_inside(value, op))
                continue;
        }
        mlc_vec_push(&kept, value);
        mlc_vec_push(&types, mlc_value_type(value));
        mlc_vec_push(&results, result);
    }
    mlc_op_set_operands(yield, kept.data, kept.size);
    mlc_bufferizer_erase_tensor_ops(mlc_op_region(op, 0));
    MlcOp *made = with_results(op, b, &types);
    for (size_t i = 0; i < results.size; i++)
        if (mlc_value_is_tensor(results.data[i]))
            mlc_bufferizer_set(bufferizer, results.data[i], mlc_op_result(made, i));
        else
            mlc_value_replace_uses(results.data[i], mlc_op_result(made, i));
    mlc_vec_release(&types);
    mlc_vec_release(&kept);
    mlc_vec_release(&results);
    return true;
}

static MlcValue *
while_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return mlc_block_arg(mlc_region_first(mlc_scf_while_before(op)), i);
}

// Results and the arguments of `after` are what `before` ended with: in the buffer of one of its
// arguments, or in one of their own.
static void
while_hand_on(MlcOp *op, MlcBufferizer *bufferizer)
{
    MlcBlock *before = mlc_region_first(mlc_scf_while_before(op)),
             *after = mlc_region_first(mlc_scf_while_after(op));
    MlcOp *condition = mlc_block_terminator(before), *yield = mlc_block_terminator(after);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i), *given = mlc_op_operand(condition, i + 1);
        if (!mlc_value_is_tensor(result))
            continue;
        bool there = false;
        for (size_t k = 0; k < mlc_block_num_args(before); k++)
            there = there || (mlc_value_is_tensor(mlc_block_arg(before, k)) &&
                              mlc_bufferizer_same(bufferizer, given, mlc_block_arg(before, k)));
        mlc_bufferizer_unite(bufferizer, given, result, there);
        mlc_bufferizer_unite(bufferizer, mlc_block_arg(after, i), result, true);
    }
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (mlc_value_is_tensor(mlc_op_operand(op, i)))
            mlc_bufferizer_unite(bufferizer, mlc_op_operand(yield, i), mlc_block_arg(before, i),
                                 false);
}

// The buffers of results and of `after`'s arguments, before anything inside is rewritten.
static bool
choose_while_buffers(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer,
                     const MlcValueVec *results)
{
    MlcBlock *before = mlc_region_first(mlc_scf_while_before(op)),
             *after = mlc_region_first(mlc_scf_while_after(op));
    for (size_t i = 0; i < results->size; i++) {
        MlcValue *result = results->data[i], *buffer = NULL;
        if (!mlc_value_is_tensor(result))
            continue;
        for (size_t k = 0; !buffer && k < mlc_block_num_args(before); k++)
            if (mlc_value_is_tensor(mlc_block_arg(before, k)) &&
                mlc_bufferizer_same(bufferizer, result, mlc_block_arg(before, k)))
                buffer = mlc_bufferizer_buffer(bufferizer, mlc_block_arg(before, k));
        if (!buffer && !mlc_type_has_static_shape(mlc_value_type(result)))
            return mlc_op_error(op, "ends with a new tensor of dynamic shape");
        if (!buffer)
            buffer = mlc_bufferizer_made(bufferizer, b, result);
        mlc_bufferizer_set(bufferizer, result, buffer);
        mlc_bufferizer_set(bufferizer, mlc_block_arg(after, i), buffer);
    }
    return true;
}

static bool
while_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcBlock *before = mlc_region_first(mlc_scf_while_before(op)),
             *after = mlc_region_first(mlc_scf_while_after(op));
    MlcValueVec inits = {0}, args = {0}, results = {0};
    MlcTypeVec types = {0};
    other_result_types(op, &types);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        mlc_vec_push(&args, mlc_block_arg(before, i));
        if (mlc_value_is_tensor(value))
            mlc_bufferizer_set(bufferizer, args.data[i],
                               mlc_bufferizer_destination(bufferizer, b, op, i));
        else
            mlc_vec_push(&inits, value);
    }
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&results, mlc_op_result(op, i));
    bool ok = choose_while_buffers(op, b, bufferizer, &results);
    if (ok) {
        MlcOp *made = mlc_scf_while(b, types.data, types.size, inits.data, inits.size);
        mlc_op_set_discardable(made, mlc_op_discardable(op));
        for (size_t r = 0; r < 2; r++)
            mlc_region_take_body(mlc_op_region(made, r), mlc_op_region(op, r));
        ok = rewrite_body(before, bufferizer) && rewrite_body(after, bufferizer);
        if (ok) {
            copy_to_targets(mlc_block_terminator(before), 1, results.data, NULL, bufferizer);
            copy_to_targets(mlc_block_terminator(after), 0, args.data, NULL, bufferizer);
            for (size_t r = 0; r < 2; r++)
                mlc_bufferizer_erase_tensor_ops(mlc_op_region(made, r));
            erase_tensor_args(before);
            erase_tensor_args(after);
            replace_other_results(op, made);
        }
    }
    mlc_vec_release(&inits);
    mlc_vec_release(&args);
    mlc_vec_release(&results);
    mlc_vec_release(&types);
    return ok;
}

#define LOOP                                                                                       \
    {                                                                                              \
        .reads = loop_touches, .writes = loop_touches, .alias = loop_alias,                        \
        .hand_on = loop_hand_on, .bufferize = loop_bufferize                                       \
    }
#define BRANCHES                                                                                   \
    {                                                                                              \
        .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .hand_on = branches_hand_on,  \
        .bufferize = branches_bufferize                                                            \
    }
#define TERMINATOR                                                                                 \
    {                                                                                              \
        .reads = mlc_bufferize_always, .writes = mlc_bufferize_never,                              \
        .bufferize = terminator_bufferize                                                          \
    }

const MlcBufferize mlc_scf_for_bufferize = LOOP;
const MlcBufferize mlc_scf_if_bufferize = BRANCHES;
const MlcBufferize mlc_scf_index_switch_bufferize = BRANCHES;
const MlcBufferize mlc_scf_condition_bufferize = TERMINATOR;
const MlcBufferize mlc_scf_yield_bufferize = TERMINATOR;
const MlcBufferize mlc_semantics_loop_bufferize = LOOP;
const MlcBufferize mlc_semantics_if_bufferize = BRANCHES;
const MlcBufferize mlc_semantics_yield_bufferize = TERMINATOR;
const MlcBufferize mlc_scf_while_bufferize = {.reads = mlc_bufferize_always,
                                              .writes = mlc_bufferize_always,
                                              .alias = while_alias,
                                              .hand_on = while_hand_on,
                                              .bufferize = while_bufferize};
const MlcBufferize mlc_scf_execute_region_bufferize = {.reads = mlc_bufferize_never,
                                                       .writes = mlc_bufferize_never,
                                                       .hand_on = execute_hand_on,
                                                       .bufferize = execute_bufferize};

// scf_parallel.c -- scf.parallel and scf.forall: dimensions of one iteration, constant bounds,
// loops in loops, and outputs that nobody writes or reads.
#include "scf_rewrite.h"
#include "mlc/dialects/tensor.h"

// --- scf.parallel

typedef struct Bounds {
    MlcValueVec lower, upper, step;
} Bounds;

static void
release_bounds(Bounds *bounds)
{
    mlc_vec_release(&bounds->lower);
    mlc_vec_release(&bounds->upper);
    mlc_vec_release(&bounds->step);
}

static void
add_dim(Bounds *bounds, const MlcOp *op, size_t i)
{
    mlc_vec_push(&bounds->lower, mlc_scf_parallel_lower_bound(op, i));
    mlc_vec_push(&bounds->upper, mlc_scf_parallel_upper_bound(op, i));
    mlc_vec_push(&bounds->step, mlc_scf_parallel_step(op, i));
}

// The loop with these bounds instead, and a block without ops.
static MlcOp *
new_parallel(MlcRewriter *rw, MlcOp *op, const Bounds *bounds)
{
    MlcTypeVec types = {0}, args = {0};
    MlcValueVec inits = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
        mlc_vec_push(&inits, mlc_scf_parallel_init_vals(op, i));
    }
    size_t n = bounds->lower.size;
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&args, mlc_value_type(bounds->lower.data[i]));
    MlcOp *made =
        mlc_scf_parallel(mlc_rewriter_builder(rw), types.data, types.size, bounds->lower.data, n,
                         bounds->upper.data, n, bounds->step.data, n, inits.data, inits.size);
    mlc_scf_add_block(rw, mlc_op_region(made, 0), &args);
    mlc_vec_release(&types);
    mlc_vec_release(&args);
    mlc_vec_release(&inits);
    return made;
}

static void
replace_with_results(MlcRewriter *rw, MlcOp *op, MlcOp *made)
{
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&results, mlc_op_result(made, i));
    mlc_rewriter_replace(rw, op, results.data, results.size);
    mlc_vec_release(&results);
}

// One iteration in all: the body, and each reduction of the initial value with what it gives.
static void
inline_parallel(MlcRewriter *rw, MlcOp *op, MlcValue *const *lower)
{
    MlcOp *reduce = mlc_block_last(scf_body(op, 0));
    mlc_rewriter_inline_block(rw, scf_body(op, 0), op, lower);
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcBlock *block = scf_body(reduce, i);
        MlcOp *end = mlc_block_last(block);
        MlcValue *args[] = {mlc_scf_parallel_init_vals(op, i), mlc_op_operand(reduce, i)};
        mlc_rewriter_inline_block(rw, block, op, args);
        mlc_vec_push(&results, mlc_op_operand(end, 0));
        mlc_rewriter_erase(rw, end);
    }
    mlc_rewriter_erase(rw, reduce);
    mlc_rewriter_replace(rw, op, results.data, results.size);
    mlc_vec_release(&results);
}

static void
drop_dims(MlcRewriter *rw, MlcOp *op, const Bounds *bounds, const MlcValueVec *known)
{
    MlcOp *made = new_parallel(rw, op, bounds);
    MlcValueVec args = {0};
    for (size_t i = 0, k = 0; i < known->size; i++)
        mlc_vec_push(&args,
                     known->data[i] ? known->data[i] : mlc_block_arg(scf_body(made, 0), k++));
    mlc_rewriter_append_block(rw, scf_body(op, 0), scf_body(made, 0), args.data);
    replace_with_results(rw, op, made);
    mlc_vec_release(&args);
}

bool
mlc_scf_fold_parallel_dims(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t rank = mlc_scf_parallel_num_lower_bound(op);
    Bounds bounds = {0};
    MlcValueVec known = {0}, inits = {0};
    bool is_empty = false;
    for (size_t i = 0; i < rank && !is_empty; i++) {
        MlcValue *lower = mlc_scf_parallel_lower_bound(op, i);
        int64_t count = -1;
        bool is_known = mlc_scf_trip_count((MlcMixed){lower, 0},
                                           (MlcMixed){mlc_scf_parallel_upper_bound(op, i), 0},
                                           (MlcMixed){mlc_scf_parallel_step(op, i), 0}, &count);
        is_empty = is_known && count == 0;
        mlc_vec_push(&known, is_known && count == 1 ? lower : NULL);
        if (!mlc_vec_last(&known))
            add_dim(&bounds, op, i);
    }
    bool changed = is_empty || bounds.lower.size < rank;
    for (size_t i = 0; is_empty && i < mlc_op_num_results(op); i++)
        mlc_vec_push(&inits, mlc_scf_parallel_init_vals(op, i));
    if (is_empty)
        mlc_rewriter_replace(rw, op, inits.data, inits.size);
    else if (changed && bounds.lower.size == 0)
        inline_parallel(rw, op, known.data);
    else if (changed)
        drop_dims(rw, op, &bounds, &known);
    release_bounds(&bounds);
    mlc_vec_release(&known);
    mlc_vec_release(&inits);
    return changed;
}

static bool
bounds_use_args_of(MlcOp *inner, MlcBlock *block)
{
    MLC_FOR_EACH_OPERAND (value, inner)
        if (mlc_value_block(value) == block)
            return true;
    return false;
}

// A loop that holds nothing but a loop.
bool
mlc_scf_merge_nested_parallel(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBlock *body = scf_body(op, 0);
    MlcOp *inner = mlc_block_first(body);
    if (!mlc_scf_parallel_isa(inner) || mlc_op_next(inner) != mlc_block_last(body) ||
        bounds_use_args_of(inner, body) || mlc_op_num_results(op) || mlc_op_num_results(inner))
        return false;
    Bounds bounds = {0};
    MlcOp *const loops[] = {op, inner};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < mlc_scf_parallel_num_lower_bound(loops[k]); i++)
            add_dim(&bounds, loops[k], i);
    MlcOp *made = new_parallel(rw, op, &bounds);
    MlcBlock *new_body = scf_body(made, 0);
    MlcValueVec args = {0};
    for (size_t i = 0; i < bounds.lower.size; i++)
        mlc_vec_push(&args, mlc_block_arg(new_body, i));
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_rewriter_replace_value(rw, mlc_block_arg(body, i), args.data[i]);
    mlc_rewriter_append_block(rw, scf_body(inner, 0), new_body,
                              args.data + mlc_block_num_args(body));
    mlc_rewriter_erase(rw, op);
    mlc_vec_release(&args);
    release_bounds(&bounds);
    return true;
}

// --- scf.forall

static const char *const bound_names[3] = {"dynamicLowerBound", "dynamicUpperBound", "dynamicStep"};

typedef struct Space { // of iterations: lower bounds, upper bounds, steps
    MlcMixedList lists[3];
} Space;

static bool
read_space(const MlcOp *op, Space *space)
{
    for (size_t i = 0; i < 3; i++)
        if (!mlc_mixed_list_read(op, bound_names[i], &space->lists[i]))
            return false;
    return true;
}

// Bounds that are constants move into the attributes.
bool
mlc_scf_fold_bounds(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Space space;
    bool changed = false;
    if (!read_space(op, &space))
        return false;
    for (size_t i = 0; i < 3; i++) {
        MlcMixedList *list = &space.lists[i];
        bool any = false;
        for (size_t k = 0; k < list->size; k++) {
            int64_t constant;
            if (!list->items[k].value || !mlc_mixed_constant(list->items[k], &constant))
                continue;
            list->items[k] = mlc_mixed(constant);
            any = true;
        }
        if (any)
            mlc_mixed_list_write(op, bound_names[i], list);
        changed |= any;
    }
    if (changed)
        mlc_rewriter_changed(rw, op);
    return changed;
}

static size_t
rank_of(const MlcOp *op)
{
    return mlc_dense_array_attr_size(mlc_scf_forall_static_upper_bound(op));
}

static MlcBlock *
end_of(const MlcOp *op)
{
    return scf_body(mlc_block_last(scf_body(op, 0)), 0);
}

// Of output `i` the first that writes it: tensor.parallel_insert_slice into its argument. NULL:
// nothing.
static MlcOp *
first_write(const MlcOp *op, size_t i)
{
    MlcValue *arg = mlc_block_arg(scf_body(op, 0), rank_of(op) + i);
    MLC_FOR_EACH_OP (write, end_of(op))
        if (mlc_tensor_parallel_insert_slice_isa(write) && mlc_op_operand(write, 1) == arg)
            return write;
    return NULL;
}

// The loop with these bounds and outputs, and a block without ops.
static MlcOp *
new_forall(MlcRewriter *rw, MlcOp *op, const Space *space, const MlcValueVec *outs)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcTypeVec types = {0};
    size_t rank = space->lists[0].size;
    for (size_t i = 0; i < rank; i++)
        mlc_vec_push(&types, mlc_index_type_get(b->ctx));
    for (size_t i = 0; i < outs->size; i++)
        mlc_vec_push(&types, mlc_value_type(outs->data[i]));
    MlcOp *made = mlc_scf_forall(b, types.data + rank, outs->size, NULL, 0, NULL, 0, NULL, 0,
                                 outs->data, outs->size, NULL, 0, NULL, 0, NULL, 0);
    for (size_t i = 0; i < 3; i++)
        mlc_mixed_list_write(made, bound_names[i], &space->lists[i]);
    mlc_scf_forall_set_mapping(made, mlc_scf_forall_mapping(op));
    mlc_scf_add_block(rw, mlc_op_region(made, 0), &types);
    mlc_vec_release(&types);
    return made;
}

// Outputs that nobody writes are what they were; those that nobody reads need not be written.
bool
mlc_scf_drop_outputs(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_results(op), rank = rank_of(op);
    Space space;
    MlcValueVec outs = {0}, args = {0}, results = {0};
    MLC_VEC(bool) is_kept = {0};
    for (size_t i = 0; i < n; i++) {
        bool keep = mlc_value_has_uses(mlc_op_result(op, i)) && first_write(op, i);
        mlc_vec_push(&is_kept, keep);
        if (keep)
            mlc_vec_push(&outs, mlc_scf_forall_outputs(op, i));
    }
    bool changed = outs.size < n && read_space(op, &space);
    if (changed) {
        for (size_t i = 0; i < n; i++)
            for (MlcOp *write; !is_kept.data[i] && (write = first_write(op, i));)
                mlc_rewriter_erase(rw, write);
        MlcOp *made = new_forall(rw, op, &space, &outs);
        MlcBlock *body = scf_body(made, 0);
        for (size_t i = 0; i < rank; i++)
            mlc_vec_push(&args, mlc_block_arg(body, i));
        for (size_t i = 0, k = 0; i < n; i++) {
            MlcValue *out = mlc_scf_forall_outputs(op, i);
            mlc_vec_push(&args, is_kept.data[i] ? mlc_block_arg(body, rank + k) : out);
            mlc_vec_push(&results, is_kept.data[i] ? mlc_op_result(made, k++) : out);
        }
        mlc_rewriter_append_block(rw, scf_body(op, 0), body, args.data);
        mlc_rewriter_replace(rw, op, results.data, results.size);
    }
    mlc_vec_release(&outs);
    mlc_vec_release(&args);
    mlc_vec_release(&results);
    mlc_vec_release(&is_kept);
    return changed;
}

static MlcValue *
cast_to(MlcRewriter *rw, MlcType type, MlcValue *value)
{
    return mlc_value_type(value) == type ? value
                                         : mlc_tensor_cast(mlc_rewriter_builder(rw), type, value);
}

// The loop works on the sources of casts, and casts inside and after.
bool
mlc_scf_fold_cast_of_output(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_results(op), rank = rank_of(op);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    Space space;
    MlcValueVec outs = {0}, args = {0}, results = {0};
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        MlcValue *out = mlc_scf_forall_outputs(op, i);
        bool is_cast = mlc_scf_is_cast_to_less(mlc_value_def(out));
        changed |= is_cast;
        mlc_vec_push(&outs, is_cast ? mlc_op_operand(mlc_value_def(out), 0) : out);
    }
    changed = changed && read_space(op, &space);
    if (changed) {
        MlcOp *made = new_forall(rw, op, &space, &outs);
        MlcBlock *body = scf_body(made, 0);
        mlc_builder_at_start(b, body);
        for (size_t i = 0; i < rank + n; i++) {
            MlcType type = mlc_value_type(mlc_block_arg(scf_body(op, 0), i));
            mlc_vec_push(&args, cast_to(rw, type, mlc_block_arg(body, i)));
        }
        for (size_t i = 0; i < n; i++) // writes go to the arguments themselves
            for (MlcOp *write; (write = first_write(op, i));)
                mlc_op_set_operand(write, 1, mlc_block_arg(body, rank + i));
        mlc_rewriter_append_block(rw, scf_body(op, 0), body, args.data);
        mlc_builder_after(b, made);
        for (size_t i = 0; i < n; i++)
            mlc_vec_push(&results,
                         cast_to(rw, mlc_value_type(mlc_op_result(op, i)), mlc_op_result(made, i)));
        mlc_rewriter_replace(rw, op, results.data, results.size);
    }
    mlc_vec_release(&outs);
    mlc_vec_release(&args);
    mlc_vec_release(&results);
    return changed;
}

// One iteration in all: the body; slices are inserted, one after the other.
static void
inline_forall(MlcRewriter *rw, MlcOp *op, const MlcValueVec *lower)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValueVec args = {0}, results = {0};
    for (size_t i = 0; i < lower->size; i++)
        mlc_vec_push(&args, lower->data[i]);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&args, mlc_scf_forall_outputs(op, i));
    MlcOp *end = mlc_block_last(scf_body(op, 0));
    mlc_rewriter_inline_block(rw, scf_body(op, 0), op, args.data);
    mlc_builder_before(b, op);
    MLC_FOR_EACH_OP (write, scf_body(end, 0)) {
        MlcSlice slice;
        if (!mlc_slice_read(write, &slice))
            continue;
        MlcValue *operands[] = {mlc_op_operand(write, 0), mlc_op_operand(write, 1)};
        MlcOp *insert = mlc_build_slice(b, mlc_context_op(b->ctx, mlc_str("tensor.insert_slice")),
                                        mlc_value_type(operands[1]), operands, 2, &slice);
        mlc_vec_push(&results, mlc_op_result(insert, 0));
    }
    mlc_rewriter_erase(rw, end);
    mlc_rewriter_replace(rw, op, results.data, results.size);
    mlc_vec_release(&args);
    mlc_vec_release(&results);
}

static void
drop_forall_dims(MlcRewriter *rw, MlcOp *op, const Space *left, const MlcValueVec *known)
{
    MlcValueVec outs = {0}, args = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&outs, mlc_scf_forall_outputs(op, i));
    MlcOp *made = new_forall(rw, op, left, &outs);
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    size_t k = 0;
    for (size_t i = 0; i < known->size; i++)
        mlc_vec_push(&args,
                     known->data[i] ? known->data[i] : mlc_block_arg(scf_body(made, 0), k++));
    for (size_t i = 0; i < outs.size; i++)
        mlc_vec_push(&args, mlc_block_arg(scf_body(made, 0), k + i));
    mlc_rewriter_append_block(rw, scf_body(op, 0), scf_body(made, 0), args.data);
    replace_with_results(rw, op, made);
    mlc_vec_release(&outs);
    mlc_vec_release(&args);
}

// Dimensions that are mapped to something stay.
bool
mlc_scf_fold_forall_dims(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr mapping = mlc_scf_forall_mapping(op);
    Space space, left = {0};
    if ((mapping && mlc_array_attr_size(mapping)) || !read_space(op, &space))
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValueVec known = {0}, outs = {0};
    size_t rank = space.lists[0].size;
    bool is_empty = false;
    for (size_t i = 0; i < rank && !is_empty; i++) {
        int64_t count = -1;
        MlcMixed lower = space.lists[0].items[i];
        bool is_known =
            mlc_scf_trip_count(lower, space.lists[1].items[i], space.lists[2].items[i], &count);
        is_empty = is_known && count == 0;
        mlc_vec_push(&known, is_known && count == 1 ? mlc_mixed_value(b, lower) : NULL);
        for (size_t k = 0; k < 3 && !mlc_vec_last(&known); k++)
            left.lists[k].items[left.lists[k].size++] = space.lists[k].items[i];
    }
    bool changed = is_empty || left.lists[0].size < rank;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&outs, mlc_scf_forall_outputs(op, i));
    if (is_empty)
        mlc_rewriter_replace(rw, op, outs.data, outs.size);
    else if (changed && left.lists[0].size == 0)
        inline_forall(rw, op, &known);
    else if (changed)
        drop_forall_dims(rw, op, &left, &known);
    mlc_vec_release(&known);
    mlc_vec_release(&outs);
    return changed;
}

// dim(forall's result) -> dim(the output it writes): it has the same shape
bool
mlc_scf_dim_of_output(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *source = mlc_op_operand(op, 0);
    MlcOp *loop = mlc_value_def(source);
    if (!mlc_scf_forall_isa(loop))
        return false;
    mlc_op_set_operand(op, 0, mlc_scf_forall_outputs(loop, mlc_value_index(source)));
    mlc_rewriter_changed(rw, op);
    return true;
}

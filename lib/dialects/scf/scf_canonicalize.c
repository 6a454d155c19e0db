// scf_canonicalize.c -- scf.for, scf.execute_region and scf.index_switch: loops that run never or
// once, carried values that never change, and regions that can stand without their op.
#include "scf_rewrite.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/tensor.h"

void
mlc_scf_replace_with_body(MlcRewriter *rw, MlcOp *op, MlcBlock *block, MlcValue *const *args)
{
    MlcOp *yield = mlc_block_last(block);
    mlc_rewriter_inline_block(rw, block, op, args);
    MlcValueVec values = {0};
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&values, value);
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_rewriter_erase(rw, yield);
    mlc_vec_release(&values);
}

void
mlc_scf_set_operands(MlcRewriter *rw, MlcOp *op, const MlcValueVec *values)
{
    mlc_op_set_operands(op, values->data, values->size);
    mlc_rewriter_changed(rw, op);
}

MlcBlock *
mlc_scf_add_block(MlcRewriter *rw, MlcRegion *region, const MlcTypeVec *types)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcBlock *block = mlc_block_create(b->ctx);
    mlc_region_append(region, block);
    for (size_t i = 0; i < types->size; i++)
        mlc_block_add_arg(block, types->data[i], b->loc);
    return block;
}

bool
mlc_scf_trip_count(MlcMixed lower, MlcMixed upper, MlcMixed step, int64_t *count)
{
    int64_t l, u, s, range;
    if (mlc_mixed_equal(lower, upper))
        return *count = 0, true;
    if (!mlc_mixed_constant(lower, &l) || !mlc_mixed_constant(upper, &u) ||
        !mlc_mixed_constant(step, &s) || s <= 0 || __builtin_sub_overflow(u, l, &range))
        return false;
    *count = range <= 0 ? -(-range / s) : range / s + (range % s != 0);
    return true;
}

bool
mlc_scf_is_cast_to_less(const MlcOp *op)
{
    if (!mlc_tensor_cast_isa(op))
        return false;
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    if (from == to || !mlc_type_is(from, MLC_TYPE_TENSOR) || !mlc_type_is(to, MLC_TYPE_TENSOR))
        return false;
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (mlc_type_dim(from, i) == MLC_DYNAMIC && mlc_type_dim(to, i) != MLC_DYNAMIC)
            return false;
    return true;
}

bool
mlc_scf_region_holds(const MlcRegion *region, const MlcOp *op)
{
    for (; op; op = mlc_op_parent(op))
        if (mlc_op_region_of(op) == region)
            return true;
    return false;
}

// --- scf.for

// Any loop whose record has first values: the first of them, and of the body's arguments for them.
static size_t
first_init(MlcOp *loop)
{
    size_t arg, init, count;
    mlc_derived_loop.iter_args(loop, &arg, &init, &count);
    return mlc_op_def(loop)->loop->inits ? init : mlc_op_num_operands(loop);
}

static size_t
first_arg(MlcOp *loop)
{
    size_t arg, init, count;
    mlc_derived_loop.iter_args(loop, &arg, &init, &count);
    return arg;
}

// The loop again, with other initial values, and a block without ops.
static MlcOp *
rebuild_loop(MlcRewriter *rw, MlcOp *op, const MlcValueVec *inits)
{
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    size_t num_vars = first_arg(op);
    for (size_t i = 0; i < num_vars; i++)
        mlc_vec_push(&types, mlc_value_type(mlc_block_arg(scf_body(op, 0), i)));
    for (size_t i = 0; i < first_init(op); i++)
        mlc_vec_push(&operands, mlc_op_operand(op, i));
    for (size_t i = 0; i < inits->size; i++) {
        mlc_vec_push(&operands, inits->data[i]);
        mlc_vec_push(&types, mlc_value_type(inits->data[i]));
    }
    MlcOp *made = mlc_rewriter_rebuild(rw, op, operands.data, operands.size, types.data + num_vars,
                                       types.size - num_vars);
    mlc_scf_add_block(rw, mlc_op_region(made, 0), &types);
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    return made;
}

typedef struct Carried { // one of a loop's carried values
    MlcValue *init, *arg, *yielded, *result;
} Carried;

static Carried
carried(MlcOp *op, size_t i)
{
    MlcBlock *body = scf_body(op, 0);
    return (Carried){mlc_op_operand(op, first_init(op) + i), mlc_block_arg(body, first_arg(op) + i),
                     mlc_op_operand(mlc_block_last(body), i), mlc_op_result(op, i)};
}

// It stays what it was, or nobody asks what it became.
static bool
is_forwarded(Carried c)
{
    return c.arg == c.yielded ||
           (!mlc_value_has_uses(c.arg) && (c.yielded == c.init || !mlc_value_has_uses(c.result)));
}

bool
mlc_scf_drop_iter_args(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_results(op);
    MLC_VEC(bool) is_kept = {0};
    MlcValueVec inits = {0}, args = {0}, yields = {0}, results = {0};
    for (size_t i = 0; i < n; i++) {
        Carried c = carried(op, i);
        bool keep = !is_forwarded(c);
        mlc_vec_push(&is_kept, keep);
        if (keep)
            mlc_vec_push(&inits, c.init);
    }
    bool changed = inits.size < n;
    if (changed) {
        MlcOp *made = rebuild_loop(rw, op, &inits), *yield = mlc_block_last(scf_body(op, 0));
        MlcBlock *body = scf_body(made, 0);
        size_t num_vars = first_arg(op);
        for (size_t i = 0; i < num_vars; i++)
            mlc_vec_push(&args, mlc_block_arg(body, i));
        for (size_t i = 0, k = 0; i < n; i++) {
            MlcValue *init = carried(op, i).init;
            if (is_kept.data[i])
                mlc_vec_push(&yields, mlc_op_operand(yield, i));
            mlc_vec_push(&args, is_kept.data[i] ? mlc_block_arg(body, num_vars + k) : init);
            mlc_vec_push(&results, is_kept.data[i] ? mlc_op_result(made, k++) : init);
        }
        mlc_scf_set_operands(rw, yield, &yields);
        mlc_rewriter_append_block(rw, scf_body(op, 0), body, args.data);
        mlc_rewriter_replace(rw, op, results.data, results.size);
    }
    mlc_vec_release(&is_kept);
    mlc_vec_release(&inits);
    mlc_vec_release(&args);
    mlc_vec_release(&yields);
    mlc_vec_release(&results);
    return changed;
}

// upper - lower: of constants, or of x + c and x.
static bool
constant_range(MlcOp *op, int64_t *range)
{
    MlcValue *lower = mlc_op_operand(op, 0), *upper = mlc_op_operand(op, 1);
    int64_t l, u;
    if (lower == upper)
        return *range = 0, true;
    if (mlc_value_constant_int(lower, &l) && mlc_value_constant_int(upper, &u))
        return !__builtin_sub_overflow(u, l, range);
    MlcOp *add = mlc_value_def(upper);
    if (!mlc_arith_addi_isa(add))
        return false;
    for (size_t i = 0; i < 2; i++)
        if (mlc_op_operand(add, i) == lower)
            return mlc_value_constant_int(mlc_op_operand(add, 1 - i), range);
    return false;
}

// No iteration: the initial values. One iteration: the body. Several of an empty body: what it
// yields, unless that changes.
bool
mlc_scf_remove_trivial_loop(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t range, step;
    if (!constant_range(op, &range))
        return false;
    MlcBlock *body = scf_body(op, 0);
    MlcValueVec values = {0};
    bool ok = true;
    if (range <= 0) {
        for (size_t i = 3; i < mlc_op_num_operands(op); i++)
            mlc_vec_push(&values, mlc_op_operand(op, i));
        mlc_rewriter_replace(rw, op, values.data, values.size);
    } else if (!mlc_value_constant_int(mlc_op_operand(op, 2), &step)) {
        return false;
    } else if (step >= range) {
        mlc_vec_push(&values, mlc_op_operand(op, 0));
        for (size_t i = 3; i < mlc_op_num_operands(op); i++)
            mlc_vec_push(&values, mlc_op_operand(op, i));
        mlc_scf_replace_with_body(rw, op, body, values.data);
    } else {
        ok = mlc_block_first(body) == mlc_block_last(body);
        MLC_FOR_EACH_OPERAND (value, mlc_block_last(body)) {
            ok = ok && !mlc_value_is_inside(value, op);
            mlc_vec_push(&values, value);
        }
        if (ok)
            mlc_rewriter_replace(rw, op, values.data, values.size);
    }
    mlc_vec_release(&values);
    return ok;
}

static MlcValue *
cast_to(MlcRewriter *rw, MlcType type, MlcValue *value)
{
    return mlc_tensor_cast(mlc_rewriter_builder(rw), type, value);
}

// The loop carries the source of the cast, and casts where it is used and yielded.
static MlcOp *
carry_source(MlcRewriter *rw, MlcOp *op, size_t i)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *source = mlc_op_operand(mlc_value_def(mlc_op_operand(op, 3 + i)), 0);
    MlcType wide = mlc_value_type(mlc_op_operand(op, 3 + i)), narrow = mlc_value_type(source);
    MlcValueVec inits = {0}, args = {0};
    for (size_t k = 3; k < mlc_op_num_operands(op); k++)
        mlc_vec_push(&inits, k == 3 + i ? source : mlc_op_operand(op, k));
    MlcOp *made = rebuild_loop(rw, op, &inits);
    MlcBlock *body = scf_body(made, 0);
    for (size_t k = 0; k < mlc_block_num_args(body); k++)
        mlc_vec_push(&args, mlc_block_arg(body, k));
    mlc_builder_at_start(b, body);
    args.data[1 + i] = cast_to(rw, wide, args.data[1 + i]);
    mlc_rewriter_append_block(rw, scf_body(op, 0), body, args.data);
    MlcOp *yield = mlc_block_last(body);
    mlc_builder_before(b, yield);
    mlc_op_set_operand(yield, i, cast_to(rw, narrow, mlc_op_operand(yield, i)));
    mlc_rewriter_changed(rw, yield);
    mlc_vec_release(&inits);
    mlc_vec_release(&args);
    return made;
}

bool
mlc_scf_fold_cast_of_init(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        if (!mlc_scf_is_cast_to_less(mlc_value_def(mlc_op_operand(op, 3 + i))) ||
            !mlc_value_has_one_use(mlc_op_result(op, i)))
            continue;
        MlcOp *made = carry_source(rw, op, i);
        mlc_builder_after(mlc_rewriter_builder(rw), made);
        MlcValueVec results = {0};
        for (size_t k = 0; k < mlc_op_num_results(op); k++)
            mlc_vec_push(&results, mlc_op_result(made, k));
        results.data[i] = cast_to(rw, mlc_value_type(mlc_op_result(op, i)), results.data[i]);
        mlc_rewriter_replace(rw, op, results.data, results.size);
        mlc_vec_release(&results);
        return true;
    }
    return false;
}

// --- scf.execute_region

bool
mlc_scf_inline_one_block(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    if (!mlc_region_has_one_block(mlc_op_region(op, 0)) ||
        !mlc_scf_yield_isa(mlc_block_last(scf_body(op, 0))))
        return false;
    mlc_scf_replace_with_body(rw, op, scf_body(op, 0), NULL);
    return true;
}

static void
build_br(MlcRewriter *rw, MlcLoc loc, MlcBlock *to, const MlcOp *yield)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    const MlcOpDef *def = mlc_context_op(b->ctx, mlc_str("cf.br"));
    MlcValueVec args = {0};
    for (size_t i = 0; yield && i < mlc_op_num_operands(yield); i++)
        mlc_vec_push(&args, mlc_op_operand(yield, i));
    mlc_builder_create(b, &(MlcOpState){.loc = loc,
                                        .def = def,
                                        .operands = args.data,
                                        .num_operands = args.size,
                                        .successors = &to,
                                        .num_successors = 1});
    mlc_vec_release(&args);
}

// Blocks of a function may be as many as one likes: those of the region stand among them.
bool
mlc_scf_inline_blocks(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *parent = mlc_op_parent(op);
    if (!mlc_scf_execute_region_isa(parent) && !mlc_op_interface(parent, MLC_INTERFACE_FUNCTION))
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcBlock *before = mlc_op_block(op), *after = mlc_block_split(op);
    mlc_builder_at_end(b, before);
    build_br(rw, mlc_op_loc(op), scf_body(op, 0), NULL);
    while (scf_body(op, 0)) {
        MlcBlock *block = scf_body(op, 0);
        MlcOp *yield = mlc_block_last(block);
        mlc_region_insert_before(after, block);
        if (!mlc_scf_yield_isa(yield))
            continue;
        mlc_builder_before(b, yield);
        build_br(rw, mlc_op_loc(yield), after, yield);
        mlc_rewriter_erase(rw, yield);
    }
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&results, mlc_block_add_arg(after, mlc_value_type(mlc_op_result(op, i)),
                                                 mlc_op_loc(op)));
    mlc_rewriter_replace(rw, op, results.data, results.size);
    mlc_vec_release(&results);
    return true;
}

// --- scf.index_switch

bool
mlc_scf_take_constant_case(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t arg;
    if (!mlc_value_constant_int(mlc_op_operand(op, 0), &arg))
        return false;
    MlcAttr cases = mlc_scf_index_switch_cases(op);
    size_t n = mlc_dense_array_attr_size(cases), i = 0;
    while (i < n && mlc_dense_array_attr_int(cases, i) != arg)
        i++;
    mlc_scf_replace_with_body(rw, op, scf_body(op, i < n ? i + 1 : 0), NULL);
    return true;
}

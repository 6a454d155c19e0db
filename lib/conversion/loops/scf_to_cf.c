// scf_to_cf.c -- structured control flow becomes branches between blocks.
//
// Ops are rewritten innermost first, so that a region may hold several blocks when its op's turn
// comes: each op's block is split behind it, the region's blocks move in between, and the region's
// yields become branches. Parallel loops that are left here run one iteration after the other.
// Illegal afterwards: every op of `scf`.
#include "mlc/pass.h"

#include "mlc/ir.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/scf.h"

static MlcValueVec
operands_from(MlcOp *op, size_t first)
{
    MlcValueVec values = {0};
    for (size_t i = first; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&values, mlc_op_operand(op, i));
    return values;
}

// Splits behind `op`; the new block gets arguments in the place of op's results.
static MlcBlock *
split_after(MlcOp *op)
{
    MlcBlock *after = mlc_block_split(mlc_op_next(op));
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i);
        mlc_value_replace_uses(result,
                               mlc_block_add_arg(after, mlc_value_type(result), mlc_op_loc(op)));
    }
    return after;
}

// Moves the blocks of `region` between the op's block and `after`. Returns the first and last of
// them.
static void
inline_region(MlcRegion *region, MlcBlock *after, MlcBlock **first, MlcBlock **last)
{
    *first = mlc_region_first(region);
    *last = mlc_region_last(region);
    for (MlcBlock *block = *first, *next; block; block = next) {
        next = mlc_block_next(block);
        mlc_region_insert_before(after, block);
    }
}

static void
replace_yield(MlcOp *yield, MlcBlock *to)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(yield));
    mlc_builder_before(&b, yield);
    MlcValueVec values = operands_from(yield, 0);
    mlc_cf_br(&b, values.data, values.size, to);
    mlc_vec_release(&values);
    mlc_op_erase(yield);
}

// The body's entry becomes the loop's head, with the induction variable and the carried values as
// arguments.
static void
lower_for(MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    MlcValue *lower = mlc_op_operand(op, 0), *upper = mlc_op_operand(op, 1),
             *step = mlc_op_operand(op, 2);
    MlcBlock *before = mlc_op_block(op), *after = mlc_block_split(mlc_op_next(op)), *head, *last;
    inline_region(mlc_op_region(op, 0), after, &head, &last);
    MlcOp *yield = mlc_block_last(last);
    MlcBlock *body = mlc_block_split(mlc_block_first(head));
    if (last == head)
        last = body;
    b.loc = mlc_op_loc(op);
    mlc_builder_at_end(&b, last);
    MlcValueVec next = {0};
    mlc_vec_push(&next, mlc_arith_addi(&b, mlc_block_arg(head, 0), step));
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&next, value);
    mlc_cf_br(&b, next.data, next.size, head);
    mlc_vec_release(&next);
    mlc_op_erase(yield);
    mlc_builder_at_end(&b, before);
    MlcValueVec start = operands_from(op, 3);
    mlc_vec_push(&start, NULL);
    memmove(start.data + 1, start.data, (start.size - 1) * sizeof *start.data);
    start.data[0] = lower;
    mlc_cf_br(&b, start.data, start.size, head);
    mlc_vec_release(&start);
    mlc_builder_at_end(&b, head);
    MlcValue *goes_on =
        mlc_arith_cmpi(&b, mlc_block_arg(head, 0), upper, MLC_ARITH_CMPI_PREDICATE_SLT);
    mlc_cf_cond_br(&b, goes_on, NULL, 0, NULL, 0, body, after);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_value_replace_uses(mlc_op_result(op, i), mlc_block_arg(head, i + 1));
    mlc_op_erase(op);
}

static void
lower_if(MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    b.loc = mlc_op_loc(op);
    MlcValue *condition = mlc_op_operand(op, 0);
    MlcBlock *before = mlc_op_block(op), *after = split_after(op), *yes, *no = after, *last;
    inline_region(mlc_op_region(op, 0), after, &yes, &last);
    replace_yield(mlc_block_last(last), after);
    if (!mlc_region_is_empty(mlc_op_region(op, 1))) {
        inline_region(mlc_op_region(op, 1), after, &no, &last);
        replace_yield(mlc_block_last(last), after);
    }
    mlc_op_erase(op);
    mlc_builder_at_end(&b, before);
    mlc_cf_cond_br(&b, condition, NULL, 0, NULL, 0, yes, no);
}

// before: scf.condition(%c) %args goes to after or leaves; after: scf.yield goes back.
static void
lower_while(MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    b.loc = mlc_op_loc(op);
    MlcBlock *entry = mlc_op_block(op), *after = split_after(op), *before, *before_last, *body,
             *body_last;
    inline_region(mlc_op_region(op, 0), after, &before, &before_last);
    inline_region(mlc_op_region(op, 1), after, &body, &body_last);
    replace_yield(mlc_block_last(body_last), before);
    MlcOp *condition = mlc_block_last(before_last);
    MlcValueVec values = operands_from(condition, 1);
    for (size_t i = 0; i < values.size; i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), values.data[i]);
    for (size_t i = mlc_block_num_args(body); i-- > 0;)
        mlc_block_erase_arg(body, i);
    mlc_builder_before(&b, condition);
    mlc_cf_cond_br(&b, mlc_op_operand(condition, 0), NULL, 0, values.data, values.size, body,
                   after);
    mlc_vec_release(&values);
    mlc_op_erase(condition);
    mlc_builder_at_end(&b, entry);
    MlcValueVec start = operands_from(op, 0);
    mlc_cf_br(&b, start.data, start.size, before);
    mlc_vec_release(&start);
    mlc_op_erase(op);
}

static void
lower_execute_region(MlcOp *op)
{
    MlcBlock *before = mlc_op_block(op), *after = split_after(op), *first, *last;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    MlcRegion *region = mlc_op_region(op, 0);
    MLC_FOR_EACH_BLOCK (block, region) {
        MlcOp *end = mlc_block_last(block);
        if (mlc_scf_yield_isa(end))
            replace_yield(end, after);
    }
    inline_region(region, after, &first, &last);
    b.loc = mlc_op_loc(op);
    mlc_op_erase(op);
    mlc_builder_at_end(&b, before);
    mlc_cf_br(&b, NULL, 0, first);
}

// A nest of scf.for, outermost dimension first, around the body.
static void
lower_parallel(MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    size_t n = mlc_op_num_operands(op) / 3; // lower bounds, upper bounds, steps
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcOpVec loops = {0};
    for (size_t i = 0; i < n; i++) {
        MlcOp *loop = mlc_scf_for(&b, NULL, 0, mlc_op_operand(op, i), mlc_op_operand(op, n + i),
                                  mlc_op_operand(op, 2 * n + i), NULL, 0);
        mlc_vec_push(&loops, loop);
        MlcType index = mlc_index_type_get(b.ctx);
        MlcBlock *inner = mlc_builder_create_block(&b, mlc_op_region(loop, 0), &index, 1);
        mlc_value_replace_uses(mlc_block_arg(body, i), mlc_block_arg(inner, 0));
        mlc_scf_yield(&b, NULL, 0);
        mlc_builder_before(&b, mlc_block_last(inner));
    }
    mlc_op_erase(mlc_block_last(body)); // scf.reduce
    MlcOp *innermost = mlc_vec_last(&loops);
    MlcBlock *inner = mlc_region_first(mlc_op_region(innermost, 0));
    mlc_block_splice(inner, mlc_block_last(inner), body);
    mlc_op_erase(op);
    for (size_t i = loops.size; i-- > 0;)
        lower_for(loops.data[i]);
    mlc_vec_release(&loops);
}

static bool
check(MlcOp *op)
{
    if (!mlc_scf_parallel_isa(op))
        return true;
    if (mlc_op_num_results(op) > 0)
        return mlc_op_error(op, "reductions of parallel loops are not lowered to branches");
    uint64_t nesting = mlc_context_limits(mlc_op_context(op))->nesting;
    if (mlc_op_num_operands(op) / 3 > nesting)
        return mlc_op_error(op,
                            "would be loops nested deeper than the limit of %llu "
                            "(--limit-nesting)",
                            (unsigned long long)nesting);
    return true;
}

static const struct {
    const char *name;
    void (*lower)(MlcOp *op);
} lowerings[] = {
    {"scf.for", lower_for},           {"scf.if", lower_if},
    {"scf.while", lower_while},       {"scf.execute_region", lower_execute_region},
    {"scf.parallel", lower_parallel},
};
enum { NUM_LOWERINGS = sizeof lowerings / sizeof *lowerings };

static size_t
lowering_of(MlcOp *op)
{
    size_t i = 0;
    while (i < NUM_LOWERINGS && !mlc_op_is_named(op, lowerings[i].name))
        i++;
    return i;
}

static bool
converts(const MlcOpDef *op)
{
    for (size_t i = 0; i < NUM_LOWERINGS; i++)
        if (strcmp(lowerings[i].name, op->name) == 0)
            return true;
    return false;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    // Innermost first. The list is made before anything moves; parallel loops go before what they
    // hold, since their bodies must still be one block.
    MlcOpVec ops = {0}, parallel = {0};
    bool ok = true;
    MLC_FOR_EACH_POSTORDER (op, root) {
        MlcStr name = mlc_op_name(op);
        if (name.size < 4 || memcmp(name.data, "scf.", 4) != 0 ||
            mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR))
            continue;
        if (lowering_of(op) == NUM_LOWERINGS)
            ok = mlc_op_error(op, "is not lowered to branches");
        ok = check(op) && ok;
        mlc_vec_push(mlc_scf_parallel_isa(op) ? &parallel : &ops, op);
    }
    for (size_t i = 0; ok && i < parallel.size; i++)
        lower_parallel(parallel.data[i]);
    for (size_t i = 0; ok && i < ops.size; i++)
        lowerings[lowering_of(ops.data[i])].lower(ops.data[i]);
    mlc_vec_release(&ops);
    mlc_vec_release(&parallel);
    return ok;
}

static const char *const dialects[] = {"cf", "arith", NULL};

MLC_PASS(scf_to_cf, .flag = "convert-scf-to-cf",
         .summary = "Lower structured control flow to branches", .dependent_dialects = dialects,
         .converts = converts, .run = run)

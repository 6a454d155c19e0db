// scf_for_loop_canonicalization.c -- what is simpler inside of loops, and behind them, because of
// how far their variables go: affine.min and affine.max with one entry that is always the one, and
// sizes of tensors that are carried along without changing shape.
#include "mlc/pass.h"

#include "affine_min_max.h"

#include "mlc/dialects/scf.h"

static bool
linear_of_bound(MlcLinearSystem *system, const MlcOp *loop, size_t group, size_t i, MlcLinear *out)
{
    size_t first, count;
    mlc_op_operand_group(loop, group, &first, &count);
    return i < count && mlc_linear_of_value(system, mlc_op_operand(loop, first + i), out);
}

// Adds what is known of variable `i` of the loop.
static void
add_range(MlcLinearSystem *system, MlcOp *loop, const MlcLoop *methods, size_t i,
          MlcValue *variable)
{
    MlcLinear lower = {{0}}, upper = {{0}};
    int64_t step, *from = &lower.coeffs[MLC_LINEAR_MAX], *to = &upper.coeffs[MLC_LINEAR_MAX];
    if (methods->constant_bounds && methods->constant_bounds(loop, i, from, to, &step)) {
        mlc_linear_require_range(system, variable, &lower, &upper, step);
        return;
    }
    // Bounds of these are operands, one group each.
    bool has_operands = mlc_scf_parallel_isa(loop) || mlc_scf_for_isa(loop);
    size_t first, count;
    if (!has_operands || !linear_of_bound(system, loop, 0, i, &lower) ||
        !linear_of_bound(system, loop, 1, i, &upper))
        return;
    mlc_op_operand_group(loop, 2, &first, &count);
    if (!mlc_value_constant_int(mlc_op_operand(loop, first + i), &step))
        step = 1; // at least
    mlc_linear_require_range(system, variable, &lower, &upper, step);
}

// Every loop variable among the op's operands.
static void
add_ranges(MlcLinearSystem *system, MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        MlcBlock *block = mlc_value_block(value);
        MlcOp *loop = block ? mlc_block_parent(block) : NULL;
        const MlcLoop *methods = loop ? mlc_op_interface(loop, MLC_INTERFACE_LOOP) : NULL;
        if (!methods || !methods->induction_var)
            continue;
        for (size_t i = 0; i < methods->num_induction_vars(loop); i++)
            if (methods->induction_var(loop, i) == value)
                add_range(system, loop, methods, i, value);
    }
}

static bool
simplify(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcLinearSystem system = {.num_vars = 0};
    MlcValue *value;
    add_ranges(&system, op);
    bool ok =
        system.rows.size > 0 && mlc_simplify_min_max(mlc_rewriter_builder(rw), op, &system, &value);
    mlc_linear_release(&system);
    if (ok)
        mlc_rewriter_replace(rw, op, &value, 1);
    return ok;
}

// Carried value `i` of a loop: the argument, what is yielded for it, and what it starts from.
typedef struct Carried {
    MlcValue *arg, *yielded, *init;
} Carried;

static bool
carried(MlcOp *loop, size_t i, Carried *c)
{
    const MlcLoop *methods = loop ? mlc_op_interface(loop, MLC_INTERFACE_LOOP) : NULL;
    size_t first_arg, first_operand, count;
    if (!methods || !methods->iter_args || !mlc_scf_for_isa(loop))
        return false;
    methods->iter_args(loop, &first_arg, &first_operand, &count);
    MlcBlock *body = mlc_region_first(methods->body(loop));
    if (i >= count)
        return false;
    *c = (Carried){mlc_block_arg(body, first_arg + i), mlc_op_operand(mlc_block_last(body), i),
                   mlc_op_operand(loop, first_operand + i)};
    return true;
}

// The tensor that a result was made from by writing into it; NULL if it was not.
static MlcValue *
written_tensor(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    size_t first, count;
    if (!def || !mlc_op_destinations(def, &first, &count) || mlc_value_index(value) >= count)
        return NULL;
    return mlc_op_operand(def, first + mlc_value_index(value));
}

// Whether what is yielded is the argument, written to. Loops inside are followed in turn; each step
// goes to an op before, so this ends.
static bool
keeps_shape(const Carried *outermost)
{
    MLC_VEC(Carried) open = {0};
    mlc_vec_push(&open, *outermost);
    bool keeps = true;
    while (keeps && open.size > 0) {
        Carried c = mlc_vec_pop(&open);
        MlcValue *value = c.yielded;
        while (value && value != c.arg) {
            Carried inner;
            if (carried(mlc_value_def(value), mlc_value_index(value), &inner)) {
                mlc_vec_push(&open, inner);
                value = inner.init;
            } else {
                value = written_tensor(value);
            }
        }
        keeps = value != NULL;
    }
    mlc_vec_release(&open);
    return keeps;
}

// A size of what a loop carries or leaves is that of what it starts from.
static bool
ask_init(MlcRewriter *rw, MlcOp *dim, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *value = mlc_op_operand(dim, 0);
    MlcBlock *block = mlc_value_block(value);
    MlcOp *loop = block ? mlc_block_parent(block) : mlc_value_def(value);
    size_t index = mlc_value_index(value);
    Carried c;
    if (block) {
        if (index == 0 || !carried(loop, index - 1, &c) || c.arg != value)
            return false;
    } else if (!carried(loop, index, &c)) {
        return false;
    }
    if (mlc_type_is(mlc_value_type(value), MLC_TYPE_UNRANKED_TENSOR) || !keeps_shape(&c))
        return mlc_rewriter_no_match(rw, dim, "is of something that may change its shape");
    mlc_op_set_operand(dim, 0, c.init);
    mlc_rewriter_changed(rw, dim);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    static const MlcPattern all[] = {
        {.name = "affine.min: within loops",
         .root = "affine.min",
         .benefit = 1,
         .rewrite = simplify},
        {.name = "affine.max: within loops",
         .root = "affine.max",
         .benefit = 1,
         .rewrite = simplify},
        {.name = "tensor.dim: of loops", .root = "tensor.dim", .benefit = 1, .rewrite = ask_init},
    };
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add_all(patterns, all, sizeof all / sizeof *all);
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"affine", "arith", NULL};

MLC_PASS(scf_for_loop_canonicalization, .flag = "scf-for-loop-canonicalization",
         .summary = "Simplify what is inside of loops by the range of their variables",
         .dependent_dialects = dialects, .run = run)

// verify_control_flow.c -- what is passed along control flow fits what receives it: operands of
// branches and block arguments, operands and terminators of region ops and the arguments and
// results they reach. The texts are MLIR's.
#include "mlc/ir/diag.h"
#include "mlc/ir/interfaces.h"
#include "verify_impl.h"

bool
mlc_verify_branch(MlcOp *op, const MlcBranch *branch)
{
    for (uint32_t i = 0; i < op->num_successors; i++) {
        const MlcBlock *block = mlc_op_successor(op, i);
        size_t first, count;
        branch->successor_operands(op, i, &first, &count);
        if (count != block->num_args)
            return mlc_error(op->ctx, op->loc,
                             "branch has %zu operands for successor #%u, but target block has %u",
                             count, i, block->num_args);
        for (uint32_t j = 0; j < count; j++)
            if (mlc_value_type(op->operands[first + j].value) !=
                mlc_value_type(mlc_block_arg(block, j)))
                return mlc_error(op->ctx, op->loc,
                                 "type mismatch for bb argument #%u of successor #%u", j, i);
    }
    return true;
}

static bool
verify_loop_counts(MlcOp *op, size_t num_inits, size_t num_args, size_t num_yielded)
{
    if (num_inits != num_args)
        return mlc_op_error(op, "different number of inits and region iter_args: %zu != %zu",
                            num_inits, num_args);
    if (num_yielded && num_yielded != num_args)
        return mlc_op_error(op,
                            "different number of region iter_args and yielded values: %zu != %zu",
                            num_args, num_yielded);
    if (op->num_results != num_args)
        return mlc_op_error(op, "different number of loop results and region iter_args: %zu != %zu",
                            (size_t)op->num_results, num_args);
    return true;
}

static bool
verify_loop_types(MlcOp *op, size_t i, const MlcValue *a, const char *what_a, const MlcValue *b,
                  const char *what_b)
{
    MlcType left = mlc_value_type(a), right = mlc_value_type(b);
    return left == right ||
           mlc_op_error(op, "%zu-th %s and %zu-th %s have different type: '%s' != '%s'", i, what_a,
                        i, what_b, mlc_type_text(left), mlc_type_text(right));
}

// Initial values, arguments of the body, what it yields and the results: of one count and type
// each.
bool
mlc_verify_loop_values(MlcOp *op, const MlcLoop *loop)
{
    MlcBlock *body = op->num_regions == 1 ? mlc_region_first(mlc_op_region(op, 0)) : NULL;
    size_t first_arg, first_init, num_inits;
    if (!loop->iter_args || !body || loop->is_parallel(op))
        return true;
    loop->iter_args(op, &first_arg, &first_init, &num_inits);
    if (mlc_block_num_args(body) < first_arg)
        return true; // the op's own verification says what is missing
    MlcOp *yield = mlc_block_terminator(body);
    size_t num_args = mlc_block_num_args(body) - first_arg;
    size_t num_yielded = yield ? mlc_op_num_operands(yield) : 0;
    if (!verify_loop_counts(op, num_inits, num_args, num_yielded))
        return false;
    for (size_t i = 0; i < num_args; i++) {
        MlcValue *arg = mlc_block_arg(body, first_arg + i);
        if (!verify_loop_types(op, i, mlc_op_operand(op, first_init + i), "init", arg,
                               "region iter_arg") ||
            (num_yielded && !verify_loop_types(op, i, arg, "region iter_arg",
                                               mlc_op_operand(yield, i), "yielded value")) ||
            !verify_loop_types(op, i, arg, "region iter_arg", mlc_op_result(op, i), "loop result"))
            return false;
    }
    return true;
}

// Of a loop that its record tells: as many bounds of each kind, and an argument of their type each.
// It is checked behind the op's own hooks: what our loops say themselves is said in MLIR's words.
static bool
verify_bounds(MlcOp *op, MlcLoopBound bound, size_t num_vars, const char *what)
{
    size_t first, count, num_dynamic = 0, num = mlc_loop_num_bounds(op, bound);
    if (num != num_vars)
        return mlc_op_error(op, "has %zu %s, but %zu lower bounds", num, what, num_vars);
    MlcAttr constants = bound.attr ? mlc_op_slot(op, bound.attr - 1u) : NULL;
    if (!mlc_attr_is(constants, MLC_ATTR_DENSE_ARRAY))
        return true;
    if (!mlc_type_is_integer(mlc_dense_array_attr_element_type(constants), 64))
        return mlc_op_error(op, "has %s that are not 64-bit integers", what);
    if (!bound.operands)
        return true;
    mlc_op_operand_group(op, bound.operands - 1u, &first, &count);
    for (size_t i = 0; i < num; i++)
        num_dynamic += mlc_dense_array_attr_int(constants, i) == MLC_DYNAMIC;
    return num_dynamic == count ||
           mlc_op_error(op, "has %zu operands for %zu %s that are not constant", count, num_dynamic,
                        what);
}

bool
mlc_verify_loop(MlcOp *op)
{
    const MlcLoopDef *loop = op->def->loop;
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    size_t first, count, num_vars = mlc_loop_num_bounds(op, loop->lower);
    if (!verify_bounds(op, loop->lower, num_vars, "lower bounds") ||
        !verify_bounds(op, loop->upper, num_vars, "upper bounds") ||
        !verify_bounds(op, loop->step, num_vars, "steps"))
        return false;
    size_t num_args = body ? mlc_block_num_args(body) : 0;
    if (num_args < num_vars)
        return mlc_op_error(op, "has a body of %zu arguments for %zu induction variables", num_args,
                            num_vars);
    MlcType type = mlc_index_type_get(op->ctx);
    if (loop->lower.operands && num_vars) {
        mlc_op_operand_group(op, loop->lower.operands - 1u, &first, &count);
        type = count ? mlc_value_type(mlc_op_operand(op, first)) : type;
    }
    for (size_t i = 0; i < num_vars; i++)
        if (mlc_value_type(mlc_block_arg(body, i)) != type)
            return mlc_op_error(op, "has an induction variable of type '%s', but bounds of '%s'",
                                mlc_type_text(mlc_value_type(mlc_block_arg(body, i))),
                                mlc_type_text(type));
    return true;
}

// What arrives at a point: arguments of a region's entry block, or results of the op.
static MlcValue *
input_at(MlcOp *op, int point, size_t i)
{
    return point < 0 ? mlc_op_result(op, i)
                     : mlc_block_arg(mlc_op_region(op, (size_t)point)->first, i);
}

typedef struct EdgeNames {
    char from[32], to[32];
} EdgeNames;

static void
name_edge(int from, int to, EdgeNames *names)
{
    strcpy(names->from, "parent operands");
    strcpy(names->to, "parent results");
    if (from >= 0)
        snprintf(names->from, sizeof names->from, "Region #%d", from);
    if (to >= 0)
        snprintf(names->to, sizeof names->to, "Region #%d", to);
}

// Operands [first, first + count) of `source` go from point `from` of `op` to point `to`.
static bool
verify_edge(MlcOp *op, const MlcRegionBranch *branch, int from, int to, MlcOp *source, size_t first,
            size_t count)
{
    if (to >= 0 && !mlc_op_region(op, (size_t)to)->first)
        return true;
    size_t first_input, num_inputs;
    branch->inputs(op, to, &first_input, &num_inputs);
    if (count != num_inputs) {
        EdgeNames names;
        name_edge(from, to, &names);
        return mlc_op_error(
            op,
            " region control flow edge from %s to %s: source has %zu operands, but target "
            "successor needs %zu",
            names.from, names.to, count, num_inputs);
    }
    for (size_t i = 0; i < count; i++) {
        MlcType given = mlc_value_type(source->operands[first + i].value);
        MlcType wanted = mlc_value_type(input_at(op, to, first_input + i));
        if (given == wanted)
            continue;
        EdgeNames names;
        name_edge(from, to, &names);
        return mlc_op_error(
            op,
            " along control flow edge from %s to %s: source type #%zu '%s' should match input "
            "type #%zu '%s'",
            names.from, names.to, i, mlc_type_text(given), i, mlc_type_text(wanted));
    }
    return true;
}

#define MAX_POINTS 64

static bool
verify_leaving(MlcOp *op, const MlcRegionBranch *branch, int from, MlcOp *terminator)
{
    const MlcRegionTerminator *methods =
        mlc_op_interface(terminator, MLC_INTERFACE_REGION_TERMINATOR);
    int points[MAX_POINTS];
    size_t num_points = methods ? branch->successors(op, from, points) : 0;
    for (size_t i = 0; i < num_points; i++) {
        size_t first, count;
        methods->operands(terminator, points[i], &first, &count);
        if (!verify_edge(op, branch, from, points[i], terminator, first, count))
            return false;
    }
    return true;
}

bool
mlc_verify_region_branch(MlcOp *op, const MlcRegionBranch *branch)
{
    if (op->num_regions >= MAX_POINTS)
        return true;
    int points[MAX_POINTS];
    size_t num_points = branch->successors(op, -1, points);
    for (size_t i = 0; i < num_points; i++) {
        size_t first, count;
        branch->entry_operands(op, points[i], &first, &count);
        if (!verify_edge(op, branch, -1, points[i], op, first, count))
            return false;
    }
    for (uint32_t r = 0; r < op->num_regions; r++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, r))
            if (block->last && !verify_leaving(op, branch, (int)r, block->last))
                return false;
    return true;
}

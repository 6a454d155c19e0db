// scf_semantics.c -- loops and conditions of other dialects, whose records say `semantics: repeat`,
// `for`, `for-each`, `if` or `yield`: what scf's own ops do, on ops of the same groups. A repeat
// counts from 0.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/semantics.h"
#include "mlc/ir/int_range.h"
#include "scf_rewrite.h"

static bool
is_count(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_INDEX) || mlc_type_is_integer(type, 0);
}

// --- repeat

bool
mlc_semantics_repeat_verify(MlcOp *op)
{
    MlcType type = mlc_op_operand_type(op, 0);
    return is_count(type) || mlc_op_error(op, "repeats '%s' times, which is no index or integer",
                                          mlc_type_text(type));
}

bool
mlc_semantics_repeat_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t n = mlc_op_num_results(op);
    int64_t count = mlc_datum_as_int(&operands[0]);
    MlcDatum *args = mlc_eval_alloc(e, (n + 1) * sizeof *args);
    memcpy(results, operands + 1, n * sizeof *results);
    size_t mark = mlc_eval_mark(e);
    for (int64_t i = 0; i < count; i++) {
        memcpy(args, results, n * sizeof *args);
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, n, results, n))
            return false;
        mlc_eval_collect(e, mark, results, n);
    }
    return true;
}

// No round: the first values. One round: the body.
bool
mlc_semantics_repeat_unroll(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t count;
    if (!mlc_value_constant_int(mlc_op_operand(op, 0), &count) || count > 1)
        return false;
    MlcValueVec inits = {0};
    for (size_t i = 1; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&inits, mlc_op_operand(op, i));
    if (count == 1)
        mlc_scf_replace_with_body(rw, op, scf_body(op, 0), inits.data);
    else
        mlc_rewriter_replace(rw, op, inits.data, inits.size);
    mlc_vec_release(&inits);
    return true;
}

// --- for

bool
mlc_semantics_for_verify(MlcOp *op)
{
    MlcType type = mlc_op_operand_type(op, 0);
    if (!is_count(type))
        return mlc_op_error(op, "has bounds of type '%s', which is no index or integer",
                            mlc_type_text(type));
    for (size_t i = 1; i < 3; i++)
        if (mlc_op_operand_type(op, i) != type)
            return mlc_op_error(op, "has bounds and a step of several types: '%s' and '%s'",
                                mlc_type_text(type), mlc_type_text(mlc_op_operand_type(op, i)));
    return true;
}

bool
mlc_semantics_for_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_scf_for_eval(e, op, operands, results);
}

bool
mlc_semantics_for_unroll(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    return mlc_scf_remove_trivial_loop(rw, op, pattern);
}

bool
mlc_semantics_loop_drop_values(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    return mlc_scf_drop_iter_args(rw, op, pattern);
}

// --- for-each

bool
mlc_semantics_for_each_verify(MlcOp *op)
{
    MlcType type = mlc_op_operand_type(op, 0);
    MlcBlock *body = scf_body(op, 0);
    bool is_known = mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_is(type, MLC_TYPE_MEMREF);
    if (mlc_type_is_shaped(type) && (!is_known || mlc_type_rank(type) != 1))
        return mlc_op_error(op, "goes through '%s', which is no tensor or memref of one dimension",
                            mlc_type_text(type));
    if (mlc_block_num_args(body) == 0)
        return mlc_op_error(op, "has a body without an argument for the element");
    MlcType element = mlc_value_type(mlc_block_arg(body, 0));
    return !is_known || element == mlc_type_element(type) ||
           mlc_op_error(op, "goes through '%s', but its body takes '%s'", mlc_type_text(type),
                        mlc_type_text(element));
}

bool
mlc_semantics_for_each_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t n = mlc_op_num_results(op);
    bool is_memref = mlc_datum_is_memref(&operands[0]);
    if (!is_memref && !mlc_datum_is_elements(&operands[0]))
        return mlc_eval_error(e, op, "goes through '%s', which has no elements here",
                              mlc_type_text(mlc_op_operand_type(op, 0)));
    int64_t count = (int64_t)mlc_datum_num_elements(&operands[0]);
    MlcDatum *args = mlc_eval_alloc(e, (n + 1) * sizeof *args);
    memcpy(results, operands + 1, n * sizeof *results);
    size_t mark = mlc_eval_mark(e);
    for (int64_t i = 0; i < count; i++) {
        if (!is_memref)
            mlc_datum_element(e, &operands[0], (size_t)i, &args[0]);
        else if (!mlc_eval_load(e, op, &operands[0], &i, &args[0]))
            return false;
        memcpy(args + 1, results, n * sizeof *args);
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, n + 1, results, n))
            return false;
        mlc_eval_collect(e, mark, results, n);
    }
    return true;
}

// --- if

static bool
has_else(MlcOp *op)
{
    return mlc_op_num_regions(op) > 1 && !mlc_region_is_empty(mlc_op_region(op, 1));
}

bool
mlc_semantics_if_verify(MlcOp *op)
{
    MlcType type = mlc_op_operand_type(op, 0);
    return mlc_type_is_integer(type, 1) ||
           mlc_op_error(op, "has a condition of type '%s', and not 'i1'", mlc_type_text(type));
}

bool
mlc_semantics_if_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    bool condition = mlc_datum_as_bool(&operands[0]);
    return (!condition && !has_else(op)) || mlc_eval_region(e, mlc_op_region(op, !condition), NULL,
                                                            0, results, mlc_op_num_results(op));
}

bool
mlc_semantics_if_take_branch(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    int64_t condition;
    if (has_else(op))
        return mlc_scf_take_known_branch(rw, op, pattern);
    if (!mlc_value_constant_int(mlc_op_operand(op, 0), &condition))
        return false;
    if (condition)
        mlc_scf_replace_with_body(rw, op, scf_body(op, 0), NULL);
    else
        mlc_rewriter_erase(rw, op);
    return true;
}

static size_t
if_successors(MlcOp *op, int from, int *successors)
{
    successors[0] = from < 0 ? 0 : -1;
    successors[1] = has_else(op) ? 1 : -1;
    return from < 0 ? 2 : 1;
}

static size_t
if_entry_successors(MlcOp *op, const MlcAttr *constants, int *successors)
{
    if_successors(op, -1, successors);
    if (!constants[0])
        return 2;
    if (!mlc_attr_as_bool(constants[0]))
        successors[0] = successors[1];
    return 1;
}

static void
no_entry_operands(MlcOp *op, int to, size_t *first, size_t *count)
{
    (void)op, (void)to;
    *first = *count = 0;
}

static void
results_only(MlcOp *op, int to, size_t *first, size_t *count)
{
    *first = 0;
    *count = to < 0 ? mlc_op_num_results(op) : 0;
}

const MlcRegionBranch mlc_semantics_if_region_branch = {.successors = if_successors,
                                                        .entry_operands = no_entry_operands,
                                                        .inputs = results_only,
                                                        .entry_successors = if_entry_successors,
                                                        .at_most_once = true};

// body_eval.c -- the meaning of an elementwise op from its record's `body`.
//
// The body is expanded to scalar ops once per evaluation, in a block of its own, and these are run
// on every element: the very ops that a lowering makes, so both mean the same. Operands are
// stretched as numpy does where the op has the broadcast trait.
#include "mlc/body.h"

#include "mlc/ir.h"
#include "mlc/ir/eval.h"

enum { MAX_OPERANDS = 8, MAX_RANK = 32, MAX_SLOTS = 128 };

typedef struct Program {
    MlcBlock *block;
    MlcValue *values[MAX_SLOTS]; // arguments, then results of ops, in order
    MlcDatum data[MAX_SLOTS];
    size_t num_values;
    MlcValue *result;
} Program;

static bool
build_program(MlcOp *op, const MlcDatum *operands, MlcType element, Program *p)
{
    const MlcOpDef *def = mlc_op_def(op);
    const char *names[MAX_OPERANDS];
    MlcBuilder b;
    p->block = mlc_block_create(mlc_op_context(op));
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        names[i] = def->operands[i].name;
        p->values[p->num_values++] =
            mlc_block_add_arg(p->block, mlc_type_element(operands[i].type), mlc_op_loc(op));
    }
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_at_end(&b, p->block);
    b.loc = mlc_op_loc(op);
    MlcBody body = {.text = def->body,
                    .names = names,
                    .values = p->values,
                    .num_values = p->num_values,
                    .attrs = op,
                    .element = element,
                    .is_total = true};
    if (mlc_body_build(&b, &body, &p->result, 1) != 1)
        return false;
    MLC_FOR_EACH_OP (inner, p->block) {
        if (p->num_values == MAX_SLOTS || mlc_op_num_results(inner) != 1 ||
            !mlc_op_def(inner)->eval)
            return false;
        p->values[p->num_values++] = mlc_op_result(inner, 0);
    }
    return true;
}

static const MlcDatum *
datum_of(const Program *p, const MlcValue *value)
{
    size_t i = 0;
    while (p->values[i] != value)
        i++;
    return &p->data[i];
}

static bool
run_program(MlcEval *e, Program *p, size_t num_args)
{
    size_t slot = num_args;
    MLC_FOR_EACH_OP (inner, p->block) {
        MlcDatum operands[4];
        size_t n = mlc_op_num_operands(inner);
        for (size_t i = 0; i < n && i < 4; i++)
            operands[i] = *datum_of(p, mlc_op_operand(inner, i));
        p->data[slot] = (MlcDatum){.type = mlc_value_type(mlc_op_result(inner, 0))};
        if (n > 4 || !mlc_op_def(inner)->eval(e, inner, operands, &p->data[slot++]))
            return false;
    }
    return true;
}

// numpy's rule on the shapes at hand: aligned at their ends, 1 fits any size.
static bool
result_shape(MlcEval *e, MlcOp *op, const MlcDatum *operands, int64_t *shape, size_t *rank)
{
    size_t n = mlc_op_num_operands(op);
    *rank = 0;
    for (size_t i = 0; i < n; i++)
        *rank = operands[i].rank > *rank ? operands[i].rank : *rank;
    if (*rank > MAX_RANK)
        return mlc_eval_error(e, op, "rank %zu is more than %d", *rank, MAX_RANK);
    for (size_t d = 0; d < *rank; d++) {
        shape[d] = 1;
        for (size_t i = 0; i < n; i++) {
            if (d + operands[i].rank < *rank)
                continue;
            int64_t size = operands[i].elements.shape[d + operands[i].rank - *rank];
            if (size != 1 && shape[d] != 1 && size != shape[d])
                return mlc_eval_error(e, op, "sizes %lld and %lld do not broadcast",
                                      (long long)shape[d], (long long)size);
            shape[d] = size == 1 ? shape[d] : size;
        }
    }
    return true;
}

static size_t
operand_position(const MlcDatum *operand, const int64_t *index, size_t rank)
{
    size_t at = 0;
    for (size_t d = 0; d < operand->rank; d++) {
        int64_t size = operand->elements.shape[d];
        at = at * (size_t)size + (size == 1 ? 0 : (size_t)index[d + rank - operand->rank]);
    }
    return at;
}

static bool
run_elements(MlcEval *e, MlcOp *op, const MlcDatum *operands, Program *p, MlcDatum *out,
             const int64_t *shape, size_t rank)
{
    int64_t index[MAX_RANK] = {0};
    size_t count = mlc_datum_num_elements(out), mark = mlc_eval_mark(e),
           n = mlc_op_num_operands(op);
    for (size_t i = 0; i < count; i++, mlc_next_index(index, shape, rank)) {
        for (size_t k = 0; k < n; k++)
            mlc_datum_element(e, &operands[k], operand_position(&operands[k], index, rank),
                              &p->data[k]);
        if (!run_program(e, p, n))
            return false;
        mlc_datum_set_element(out, i, datum_of(p, p->result));
        if (mlc_eval_mark(e) > mark)
            mlc_eval_collect(e, mark, NULL, 0);
    }
    return true;
}

bool
mlc_body_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t shape[MAX_RANK];
    size_t rank, n = mlc_op_num_operands(op);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), element = mlc_type_element(type);
    Program p = {0};
    MlcDatum out;
    if (n > MAX_OPERANDS)
        return mlc_eval_error(e, op, "has more than %d operands", MAX_OPERANDS);
    bool scalar = n > 0;
    for (size_t i = 0; i < n; i++)
        scalar &= !mlc_datum_is_elements(&operands[i]);
    bool ok = build_program(op, operands, element, &p);
    if (ok && scalar) {
        memcpy(p.data, operands, n * sizeof *operands);
        ok = run_program(e, &p, n);
        results[0] = ok ? *datum_of(&p, p.result) : results[0];
    } else if (ok) {
        ok = result_shape(e, op, operands, shape, &rank) &&
             mlc_eval_elements_of_rank(e, op, type, shape, rank, &out) &&
             run_elements(e, op, operands, &p, &out, shape, rank);
        results[0] = ok ? out : results[0];
    }
    mlc_block_destroy(p.block);
    return ok;
}

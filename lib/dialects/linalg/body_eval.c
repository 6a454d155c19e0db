// body_eval.c -- the meaning of an elementwise op from its record's `body`.
//
// The body is expanded once per evaluation, in a block of its own, to the very ops that a lowering
// makes, so both mean the same. They are run on vectors: the elements of some results at a time,
// operands stretched as numpy does.
#include "mlc/dialects/linalg_body.h"

#include "mlc/ir.h"
#include "mlc/ir/eval.h"

enum { MAX_OPERANDS = 8, MAX_SLOTS = 128 };

// Elements computed at a time, and bytes of them at most.
enum { MAX_LANES = 256, MAX_LANE_BYTES = 1 << 16 };

typedef struct Program {
    MlcBlock *block;
    MlcValue *values[MAX_SLOTS]; // arguments, then results of ops, in order
    MlcDatum data[MAX_SLOTS];
    size_t num_values;
    MlcValue *result;
} Program;

// `lanes`: of its vectors; 0 for scalars.
static MlcType
lanes_of(MlcType element, int64_t lanes)
{
    return lanes ? mlc_vector_type_get(element, &lanes, 1, NULL) : element;
}

static bool
build_program(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcType element, int64_t lanes,
              Program *p)
{
    const MlcOpDef *def = mlc_op_def(op);
    const char *names[MAX_OPERANDS];
    MlcBuilder b;
    p->block = mlc_block_create(mlc_op_context(op));
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        names[i] = def->operands[i].name;
        MlcType type = lanes_of(mlc_type_element(operands[i].type), lanes);
        p->values[p->num_values++] = mlc_block_add_arg(p->block, type, mlc_op_loc(op));
    }
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_at_end(&b, p->block);
    b.loc = mlc_op_loc(op);
    MlcBody body = {.text = def->body,
                    .names = names,
                    .values = p->values,
                    .num_values = p->num_values,
                    .attrs = op,
                    .element = lanes_of(element, lanes),
                    .is_total = true,
                    .is_silent = mlc_eval_is_folding(e)};
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
    if (*rank > MLC_RANK_LIMIT)
        return mlc_eval_error(e, op, "rank %zu is more than %d", *rank, MLC_RANK_LIMIT);
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

static void
fill(char *to, const char *element, size_t size, size_t count)
{
    memcpy(to, element, size);
    for (size_t done = 1; done < count; done *= 2)
        memcpy(to + done * size, to, (2 * done <= count ? done : count - done) * size);
}

// What an operand gives to `count` results from number `first` on; lanes after them repeat the
// last, which can be computed.
static void
gather(const MlcDatum *from, const int64_t *shape, size_t rank, size_t first, size_t count,
       MlcDatum *to)
{
    int64_t index[MLC_RANK_LIMIT] = {0}, last = rank ? shape[rank - 1] : 1;
    size_t size = mlc_datum_element_bytes(to), lanes = mlc_datum_num_elements(to), run;
    char *lane = to->elements.data;
    if (!mlc_datum_is_elements(from)) {
        mlc_datum_write(lane, from);
        fill(lane, lane, size, lanes);
        return;
    }
    bool is_row = from->rank && from->elements.shape[from->rank - 1] == last;
    for (size_t d = rank; d-- > 0; first /= (size_t)shape[d])
        index[d] = (int64_t)(first % (size_t)shape[d]);
    for (size_t i = 0; i < count; i += run) {
        const char *at =
            (const char *)from->elements.data + size * operand_position(from, index, rank);
        run = rank ? (size_t)(last - index[rank - 1]) : 1;
        run = run < count - i ? run : count - i;
        if (is_row)
            memcpy(lane + i * size, at, run * size);
        else
            fill(lane + i * size, at, size, run);
        if (rank)
            index[rank - 1] += (int64_t)run - 1;
        mlc_next_index(index, shape, rank);
    }
    if (count < lanes)
        fill(lane + count * size, lane + (count - 1) * size, size, lanes - count);
}

static bool
run_elements(MlcEval *e, MlcOp *op, const MlcDatum *operands, Program *p, MlcDatum *out,
             const int64_t *shape, size_t rank, size_t lanes)
{
    size_t total = mlc_datum_num_elements(out), size = mlc_datum_element_bytes(out),
           n = mlc_op_num_operands(op);
    for (size_t k = 0; k < n; k++)
        if (!mlc_eval_elements(e, op, mlc_value_type(p->values[k]), NULL, &p->data[k]))
            return false;
    size_t mark = mlc_eval_mark(e);
    for (size_t i = 0; i < total; i += lanes) {
        size_t count = total - i < lanes ? total - i : lanes;
        for (size_t k = 0; k < n; k++)
            gather(&operands[k], shape, rank, i, count, &p->data[k]);
        if (!run_program(e, p, n))
            return false;
        memcpy((char *)out->elements.data + i * size, datum_of(p, p->result)->elements.data,
               count * size);
        mlc_eval_collect(e, mark, NULL, 0);
    }
    return true;
}

// Of all results at once if they are few.
static int64_t
num_lanes(const MlcOp *op, const MlcDatum *operands, const MlcDatum *out)
{
    size_t size = mlc_datum_element_bytes(out), lanes = mlc_datum_num_elements(out);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        size_t bytes = mlc_datum_element_bytes(&operands[i]);
        size = bytes > size ? bytes : size;
    }
    lanes = lanes < MAX_LANES ? lanes : MAX_LANES;
    lanes = lanes < MAX_LANE_BYTES / size ? lanes : MAX_LANE_BYTES / size;
    return lanes ? (int64_t)lanes : 1;
}

bool
mlc_body_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t shape[MLC_RANK_LIMIT];
    size_t rank, n = mlc_op_num_operands(op);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), element = mlc_type_element(type);
    Program p = {0};
    MlcDatum out;
    if (n > MAX_OPERANDS)
        return mlc_eval_error(e, op, "has more than %d operands", MAX_OPERANDS);
    bool scalar = n > 0, ok;
    for (size_t i = 0; i < n; i++)
        scalar &= !mlc_datum_is_elements(&operands[i]);
    if (scalar) {
        ok = build_program(e, op, operands, element, 0, &p);
        memcpy(p.data, operands, n * sizeof *operands);
        ok = ok && run_program(e, &p, n);
        results[0] = ok ? *datum_of(&p, p.result) : results[0];
    } else {
        ok = result_shape(e, op, operands, shape, &rank) &&
             mlc_eval_elements_of_rank(e, op, type, shape, rank, &out);
        int64_t lanes = ok ? num_lanes(op, operands, &out) : 1;
        ok = ok && build_program(e, op, operands, element, lanes, &p) &&
             run_elements(e, op, operands, &p, &out, shape, rank, (size_t)lanes);
        results[0] = ok ? out : results[0];
    }
    if (p.block)
        mlc_block_destroy(p.block);
    return ok;
}

// gpu_causal.c -- see gpu_causal.h.
//
// Read from the value that the softmax is taken of: a choice of the score or -inf by a comparison,
// or a sum of the score and a choice of 0 or a number. The comparison is of the indices of query
// and key, each with a number added to it.
//
// A sum hides by -inf, or by a number that no score that is finite makes up for. Such a score may
// be as large as LEAST, and each query must see a key: of none it would see all alike.
#include "gpu_causal.h"

#include "gpu_point.h"

#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"

#include <math.h>

static const double LEAST = -1e30; // what hides by being added is at most this

// The loops of the last op on scores.
typedef struct Loops {
    MlcOp *op;
    int64_t row, key;
} Loops;

static bool
number_of(const Loops *l, MlcValue *value, double *number)
{
    MlcBlock *body = mlc_structured_body(l->op);
    for (size_t i = 0; i < mlc_structured_num_inputs(l->op); i++)
        if (value == mlc_block_arg(body, i))
            value = mlc_op_operand(l->op, i);
    MlcAttr constant = mlc_value_constant(value);
    if (!mlc_attr_is(constant, MLC_ATTR_FLOAT))
        return false;
    *number = mlc_float_attr_as_double(constant);
    return true;
}

// An index and a number.
typedef struct Place {
    int64_t loop, offset;
} Place;

static bool
read_place(MlcValue *value, Place *place)
{
    MlcOp *def = mlc_value_def(value);
    int64_t number;
    if (def && mlc_linalg_index_isa(def)) {
        *place = (Place){.loop = mlc_linalg_index_dim(def)};
        return true;
    }
    if (!def || !mlc_arith_addi_isa(def))
        return false;
    for (size_t i = 0; i < 2; i++) {
        MlcAttr constant = mlc_value_constant(mlc_op_operand(def, i));
        if (constant && mlc_attr_try_as_int(constant, &number) &&
            read_place(mlc_op_operand(def, 1 - i), place))
            return !__builtin_add_overflow(place->offset, number, &place->offset);
    }
    return false;
}

// key <= row + offset, or that it is not so; as the comparison `left < right`, `left <= right`, or
// the other way round.
static bool
read_comparison(const Loops *l, MlcValue *condition, int64_t *offset, bool *holds_where_shown)
{
    MlcOp *compare = mlc_value_def(condition);
    Place left, right;
    if (!compare || !mlc_arith_cmpi_isa(compare) ||
        !read_place(mlc_op_operand(compare, 0), &left) ||
        !read_place(mlc_op_operand(compare, 1), &right))
        return false;
    MlcArithCmpiPredicate p = mlc_arith_cmpi_predicate(compare);
    bool is_unsigned = p >= MLC_ARITH_CMPI_PREDICATE_ULT, is_greater, is_strict;
    if (p == MLC_ARITH_CMPI_PREDICATE_EQ || p == MLC_ARITH_CMPI_PREDICATE_NE ||
        (is_unsigned && (left.offset < 0 || right.offset < 0)))
        return false;
    is_greater = p == MLC_ARITH_CMPI_PREDICATE_SGT || p == MLC_ARITH_CMPI_PREDICATE_SGE ||
                 p == MLC_ARITH_CMPI_PREDICATE_UGT || p == MLC_ARITH_CMPI_PREDICATE_UGE;
    is_strict = p == MLC_ARITH_CMPI_PREDICATE_SLT || p == MLC_ARITH_CMPI_PREDICATE_SGT ||
                p == MLC_ARITH_CMPI_PREDICATE_ULT || p == MLC_ARITH_CMPI_PREDICATE_UGT;
    if (is_greater) { // right < left, or right <= left
        Place other = left;
        left = right;
        right = other;
    }
    *holds_where_shown = left.loop == l->key;
    if (*holds_where_shown) { // key + left <= row + right
        *offset = right.offset - left.offset - is_strict;
        return right.loop == l->row;
    }
    // row + left <= key + right where hidden: shown is key < row + left - right
    *offset = left.offset - right.offset - !is_strict;
    return left.loop == l->row && right.loop == l->key;
}

// Which of `numbers` a key gets that is shown, and one that is not; false: `value` is no such
// choice.
static bool
read_select(Causal *c, const Loops *l, MlcValue *value)
{
    MlcOp *select = mlc_value_def(value);
    bool holds;
    if (!select || !mlc_arith_select_isa(select) ||
        !read_comparison(l, mlc_op_operand(select, 0), &c->offset, &holds))
        return false;
    c->select = select;
    c->shown = holds ? 1 : 2;
    return true;
}

static bool
hides(Causal *c, const Loops *l, MlcValue *value)
{
    MlcOp *sum = mlc_value_def(value);
    double shown, hidden;
    if (read_select(c, l, value))
        return number_of(l, mlc_op_operand(c->select, 3 - c->shown), &hidden) &&
               hidden == -INFINITY;
    c->is_sum = true;
    if (!sum || !mlc_arith_addf_isa(sum) ||
        (!read_select(c, l, mlc_op_operand(sum, 0)) && !read_select(c, l, mlc_op_operand(sum, 1))))
        return false;
    return number_of(l, mlc_op_operand(c->select, c->shown), &shown) && shown == 0 &&
           number_of(l, mlc_op_operand(c->select, 3 - c->shown), &hidden) &&
           (hidden == -INFINITY || (hidden <= LEAST && c->offset >= 0));
}

// Where loop `loop` of the product lies in its result.
static int64_t
place_in_result(const Product *p, unsigned loop)
{
    MlcAffineMap out = mlc_structured_map(p->op, 2);
    for (size_t i = 0; i < mlc_affine_map_num_results(out); i++)
        if (mlc_map_result_dim(out, i) == (int)loop)
            return (int64_t)i;
    return -1;
}

// Whether elements of other buffers are of the score.
static bool
reads_others(const Chain *scores, MlcOp *op)
{
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++) {
        MlcValue *read = mlc_op_operand(op, i);
        bool is_known = read == gpu_output_of(scores->root);
        for (size_t k = 0; k < scores->followers.size; k++)
            is_known |= read == gpu_output_of(scores->followers.data[k]);
        if (gpu_is_buffer(read) && !is_known)
            return true;
    }
    return false;
}

void
gpu_causal_read(Causal *causal, const Product *p, const Chain *scores, MlcValue *buffer)
{
    *causal = (Causal){0};
    if (scores->followers.size == 0 || p->sides[SIDE_ROWS].count != 1 ||
        p->sides[SIDE_COLUMNS].count != 1)
        return;
    MlcOp *last = scores->followers.data[scores->followers.size - 1];
    size_t n = mlc_structured_num_inputs(last);
    Loops loops = {last, place_in_result(p, p->sides[SIDE_ROWS].loops[0]),
                   place_in_result(p, p->sides[SIDE_COLUMNS].loops[0])};
    MlcValue *value = mlc_op_operand(mlc_block_terminator(mlc_structured_body(last)), 0);
    Causal found = {0};
    bool ok = gpu_output_of(last) == buffer &&
              gpu_is_identity(mlc_structured_map(last, n), mlc_structured_num_loops(last)) &&
              hides(&found, &loops, value);
    // What is added to a hidden score of another buffer might not be finite.
    for (size_t i = 0; ok && found.is_sum && i < scores->followers.size; i++)
        ok = !reads_others(scores, scores->followers.data[i]);
    if (ok)
        *causal = found;
}

// vector_moves.c -- ops that only choose elements: broadcast, transpose, slices, and their kin.
//
// Which element goes where is not said here again: the op's meaning is run on numbers of elements
// instead of elements, and what comes out is the choice. Each row of a result is then made of the
// rows that its elements come from.
#include "vector_dims.h"

#include "mlc/dialects/vector.h"
#include "mlc/ir/eval.h"

enum { SOURCE_SHIFT = 40 };

// `type` with numbers for elements.
static MlcType
numbers_of(MlcType type)
{
    MlcType number = mlc_integer_type_get(mlc_type_context(type), 64, MLC_SIGNLESS);
    return mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_with_element(type, number) : number;
}

static bool
number_operand(MlcEval *e, MlcOp *op, size_t i, MlcDatum *out)
{
    MlcType type = numbers_of(mlc_value_type(mlc_op_operand(op, i)));
    int64_t first = (int64_t)i << SOURCE_SHIFT;
    if (!mlc_type_is(type, MLC_TYPE_VECTOR)) {
        *out = mlc_datum_int(type, first);
        return true;
    }
    if (!mlc_eval_elements(e, op, type, NULL, out))
        return false;
    for (size_t k = 0; k < mlc_datum_num_elements(out); k++) {
        MlcDatum number = mlc_datum_int(mlc_type_element(type), first + (int64_t)k);
        mlc_datum_set_element(out, k, &number);
    }
    return true;
}

static void
read_lanes(MlcEval *e, const MlcDatum *numbers, Lane *lanes)
{
    bool is_vector = mlc_datum_is_elements(numbers);
    for (size_t i = 0; i < mlc_datum_num_elements(numbers); i++) {
        MlcDatum number = *numbers;
        if (is_vector)
            mlc_datum_element(e, numbers, i, &number);
        int64_t value = mlc_datum_as_int(&number);
        lanes[i].source = (size_t)(value >> SOURCE_SHIFT);
        lanes[i].element = (size_t)(value & (((int64_t)1 << SOURCE_SHIFT) - 1));
    }
}

static MlcValue *
choose(MlcBuilder *b, MlcType type, MlcValue *const *sources, const Lane *lanes)
{
    if (!mlc_type_is(type, MLC_TYPE_VECTOR))
        return vector_lane(b, sources[lanes[0].source], lanes[0].element);
    MlcValueVec rows = {0};
    size_t length = (size_t)vector_row_length(type);
    for (size_t i = 0; i < (size_t)vector_num_rows(type); i++)
        mlc_vec_push(&rows, vector_of_lanes(b, sources, lanes + i * length, length));
    MlcValue *made = vector_of_rows(b, type, rows.data);
    mlc_vec_release(&rows);
    return made;
}

// The same elements of a value of the same type: that value.
static MlcValue *
whole_source(MlcType type, MlcValue *const *sources, const Lane *lanes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lanes[i].source != lanes[0].source || lanes[i].element != i)
            return NULL;
    MlcValue *source = sources[lanes[0].source];
    return mlc_value_type(source) == type ? source : NULL;
}

static bool
is_big(MlcType type)
{
    return vector_is_scalable(type) ||
           (mlc_type_is(type, MLC_TYPE_VECTOR) && mlc_type_num_elements(type) > MAX_WRITTEN_OUT);
}

// Ops of one dimension that are lowered as they are.
static bool
is_simple(MlcOp *op)
{
    MlcType type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_rank(type) : 0;
    if (mlc_vector_shuffle_isa(op))
        return rank == 1 && mlc_op_operand_type(op, 0) == mlc_op_operand_type(op, 1) &&
               mlc_type_rank(mlc_op_operand_type(op, 0)) == 1;
    return rank <= 1 && (mlc_vector_broadcast_isa(op) || mlc_vector_splat_isa(op) ||
                         mlc_vector_from_elements_isa(op));
}

static bool
lower_move(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t num_operands = mlc_op_num_operands(op), num_results = mlc_op_num_results(op);
    bool fits = !is_simple(op);
    for (size_t i = 0; i < num_operands; i++)
        fits = fits && !is_big(mlc_op_operand_type(op, i));
    for (size_t i = 0; i < num_results; i++)
        fits = fits && !is_big(mlc_op_result_type(op, i));
    if (!fits)
        return false;
    MlcEval e;
    mlc_eval_init(&e, mlc_op_context(op));
    MlcDatum *operands = mlc_eval_alloc(&e, (num_operands + num_results) * sizeof *operands);
    MlcDatum *results = operands + num_operands;
    bool ok = true;
    MlcValueVec sources = {0}, made = {0};
    for (size_t i = 0; ok && i < num_operands; i++) {
        mlc_vec_push(&sources, mlc_op_operand(op, i));
        ok = number_operand(&e, op, i, &operands[i]);
    }
    for (size_t i = 0; i < num_results; i++)
        results[i].type = numbers_of(mlc_op_result_type(op, i));
    ok = ok && mlc_op_def(op)->eval(&e, op, operands, results);
    for (size_t i = 0; ok && i < num_results; i++) {
        MlcType type = mlc_op_result_type(op, i);
        size_t n = mlc_datum_num_elements(&results[i]);
        Lane *lanes = mlc_calloc(n, sizeof *lanes);
        read_lanes(&e, &results[i], lanes);
        MlcValue *whole = whole_source(type, sources.data, lanes, n);
        mlc_vec_push(&made,
                     whole ? whole : choose(mlc_rewriter_builder(rw), type, sources.data, lanes));
        mlc_free(lanes);
    }
    if (ok)
        mlc_rewriter_replace(rw, op, made.data, made.size);
    mlc_vec_release(&sources);
    mlc_vec_release(&made);
    mlc_eval_release(&e);
    return ok;
}

#define MOVE(op)                                                                                   \
    {                                                                                              \
        .name = "choice of elements", .root = op, .benefit = 1, .rewrite = lower_move              \
    }
const MlcPattern vector_move_patterns[] = {
    MOVE("vector.broadcast"),
    MOVE("vector.splat"),
    MOVE("vector.shape_cast"),
    MOVE("vector.transpose"),
    MOVE("vector.insert_strided_slice"),
    MOVE("vector.extract_strided_slice"),
    MOVE("vector.shuffle"),
    MOVE("vector.interleave"),
    MOVE("vector.deinterleave"),
    MOVE("vector.from_elements"),
};
const size_t vector_num_move_patterns = sizeof vector_move_patterns / sizeof *vector_move_patterns;

// amx.c -- shapes that the instructions take, and what they compute. Texts are MLIR's.
#include "mlc/dialects/amx.h"
#include "mlc/ir.h"
#include "mlc/ir/eval.h"

#include <math.h>

enum { MOST_ROWS = 16, MOST_BYTES = 64, WORD = 4 }; // of a tile; bytes of a sum

// ---- shapes

static bool
verify_tile(MlcOp *op, MlcType tile)
{
    int64_t rows = mlc_type_dim(tile, 0),
            bytes = mlc_type_dim(tile, 1) * mlc_type_bit_width(mlc_type_element(tile)) / 8;
    if (rows > MOST_ROWS)
        return mlc_op_error(op, "bad row height: %lld", (long long)rows);
    if (bytes > MOST_BYTES || bytes % WORD != 0)
        return mlc_op_error(op, "bad column width: %lld", (long long)bytes);
    return true;
}

static bool
verify_access(MlcOp *op, MlcType base, MlcType tile, size_t num_indices)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(base);
    if (num_indices != rank)
        return mlc_op_error(op, "requires %zu indices", rank);
    if (mlc_type_element(base) != mlc_type_element(tile) || rank < 2)
        return mlc_op_error(op, "expected a buffer of two or more dimensions and the tile's "
                                "elements");
    if (rank > MLC_RANK_LIMIT || !mlc_memref_type_strides(base, &offset, strides) ||
        strides[rank - 1] != 1)
        return mlc_op_error(op, "most minor memref dim must have unit stride");
    return verify_tile(op, tile);
}

bool
mlc_amx_tile_load_verify(MlcOp *op)
{
    return verify_access(op, mlc_op_operand_type(op, 0), mlc_op_result_type(op, 0),
                         mlc_op_num_operands(op) - 1);
}

bool
mlc_amx_tile_store_verify(MlcOp *op)
{
    size_t last = mlc_op_num_operands(op) - 1;
    return verify_access(op, mlc_op_operand_type(op, 0), mlc_op_operand_type(op, last), last - 1);
}

bool
mlc_amx_tile_zero_verify(MlcOp *op)
{
    return verify_tile(op, mlc_op_result_type(op, 0));
}

// `run`: elements of a factor that are added to one sum.
static bool
verify_product(MlcOp *op, int64_t run, MlcTypeKind kind)
{
    MlcType lhs = mlc_op_operand_type(op, 0), rhs = mlc_op_operand_type(op, 1),
            acc = mlc_op_operand_type(op, 2);
    int64_t m = mlc_type_dim(lhs, 0), k = mlc_type_dim(lhs, 1) / run, n = mlc_type_dim(rhs, 1);
    for (size_t i = 0; i < 3; i++)
        if (!verify_tile(op, mlc_op_operand_type(op, i)))
            return false;
    if (mlc_type_dim(acc, 0) != m || mlc_type_dim(acc, 1) * run != n || mlc_type_dim(rhs, 0) != k)
        return mlc_op_error(op, "bad mult shape: %lld x %lld x %lld", (long long)m,
                            (long long)mlc_type_dim(acc, 1), (long long)k);
    bool has_types = mlc_type_element(lhs) == mlc_type_element(rhs) &&
                     mlc_type_bit_width(mlc_type_element(lhs)) * run == 32 &&
                     mlc_type_is(mlc_type_element(acc), kind) &&
                     mlc_type_bit_width(mlc_type_element(acc)) == 32;
    return has_types || mlc_op_error(op, "unsupported type combination");
}

bool
mlc_amx_tile_mulf_verify(MlcOp *op)
{
    return verify_product(op, 2, MLC_TYPE_FLOAT);
}

bool
mlc_amx_tile_muli_verify(MlcOp *op)
{
    return verify_product(op, WORD, MLC_TYPE_INTEGER);
}

// ---- meanings

bool
mlc_amx_tile_zero_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    MlcType type = results[0].type, element = mlc_type_element(type);
    MlcDatum zero =
        mlc_type_is_float(element)
            ? mlc_datum_soft(element, mlc_float_from_double(0, mlc_float_type_kind(element)))
            : mlc_datum_int(element, 0);
    if (!mlc_eval_elements(e, op, type, mlc_type_shape(type), &results[0]))
        return false;
    for (size_t i = 0; i < mlc_datum_num_elements(&results[0]); i++)
        mlc_datum_set_element(&results[0], i, &zero);
    return true;
}

bool
mlc_amx_tile_load_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t indices[MLC_RANK_LIMIT];
    mlc_datum_as_ints(operands + 1, operands[0].rank, indices);
    return mlc_eval_load_vector(e, op, &operands[0], indices, results[0].type, &results[0]);
}

bool
mlc_amx_tile_store_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    int64_t indices[MLC_RANK_LIMIT];
    mlc_datum_as_ints(operands + 1, operands[0].rank, indices);
    return mlc_eval_store_vector(e, op, &operands[0], indices, &operands[1 + operands[0].rank]);
}

static int64_t
element(MlcEval *e, const MlcDatum *tile, int64_t i, bool is_unsigned)
{
    MlcDatum value;
    mlc_datum_element(e, tile, (size_t)i, &value);
    return is_unsigned ? (uint8_t)mlc_datum_as_int(&value) : mlc_datum_as_int(&value);
}

bool
mlc_amx_tile_muli_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType lhs = operands[0].type, acc = operands[2].type;
    bool lhs_unsigned = mlc_op_attr(op, "isZextLhs") != NULL,
         rhs_unsigned = mlc_op_attr(op, "isZextRhs") != NULL;
    int64_t m = mlc_type_dim(acc, 0), n = mlc_type_dim(acc, 1), k = mlc_type_dim(lhs, 1);
    if (!mlc_eval_copy_elements(e, op, &operands[2], &results[0]))
        return false;
    for (int64_t i = 0; i < m * n; i++) {
        int64_t sum = element(e, &operands[2], i, false);
        for (int64_t p = 0; p < k; p++)
            sum += element(e, &operands[0], i / n * k + p, lhs_unsigned) *
                   element(e, &operands[1], p / WORD * WORD * n + i % n * WORD + p % WORD,
                           rhs_unsigned);
        MlcDatum value = mlc_datum_int(mlc_type_element(acc), (int32_t)sum);
        mlc_datum_set_element(&results[0], (size_t)i, &value);
    }
    return true;
}

static float
real(MlcEval *e, const MlcDatum *tile, int64_t i)
{
    MlcDatum value;
    mlc_datum_element(e, tile, (size_t)i, &value);
    return (float)mlc_datum_as_double(&value);
}

// As tdpbf16ps adds up, but for denormal numbers, which count here.
bool
mlc_amx_tile_mulf_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType acc = operands[2].type;
    int64_t m = mlc_type_dim(acc, 0), n = mlc_type_dim(acc, 1),
            k = mlc_type_dim(operands[0].type, 1);
    if (!mlc_eval_copy_elements(e, op, &operands[2], &results[0]))
        return false;
    for (int64_t i = 0; i < m * n; i++) {
        float sums[2] = {0, 0};
        for (int64_t p = 0; p < k; p++)
            sums[p % 2] =
                fmaf(real(e, &operands[0], i / n * k + p),
                     real(e, &operands[1], p / 2 * 2 * n + i % n * 2 + p % 2), sums[p % 2]);
        float sum = real(e, &operands[2], i) + (sums[0] + sums[1]);
        MlcDatum value = mlc_datum_float(mlc_type_element(acc), (double)sum);
        mlc_datum_set_element(&results[0], (size_t)i, &value);
    }
    return true;
}

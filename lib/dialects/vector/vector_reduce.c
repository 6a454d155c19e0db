// vector_reduce.c -- reductions of nothing or of one element, and sums that are a contraction's
// accumulator.
#include "vector_impl.h"

// The op that combines two values as `kind` says; `a op b`, under a mask `mask ? a op b : b`.
static MlcValue *
combine(MlcBuilder *b, int64_t kind, MlcValue *x, MlcValue *y, MlcAttr fastmath, MlcValue *mask)
{
    static const struct {
        int64_t kind;
        const char *integer, *floating;
    } ops[] = {
        {MLC_VECTOR_KIND_ADD, "arith.addi", "arith.addf"},
        {MLC_VECTOR_KIND_MUL, "arith.muli", "arith.mulf"},
        {MLC_VECTOR_KIND_MINUI, "arith.minui", NULL},
        {MLC_VECTOR_KIND_MINSI, "arith.minsi", NULL},
        {MLC_VECTOR_KIND_MAXUI, "arith.maxui", NULL},
        {MLC_VECTOR_KIND_MAXSI, "arith.maxsi", NULL},
        {MLC_VECTOR_KIND_AND, "arith.andi", NULL},
        {MLC_VECTOR_KIND_OR, "arith.ori", NULL},
        {MLC_VECTOR_KIND_XOR, "arith.xori", NULL},
        {MLC_VECTOR_KIND_MINNUMF, NULL, "arith.minnumf"},
        {MLC_VECTOR_KIND_MAXNUMF, NULL, "arith.maxnumf"},
        {MLC_VECTOR_KIND_MINIMUMF, NULL, "arith.minimumf"},
        {MLC_VECTOR_KIND_MAXIMUMF, NULL, "arith.maximumf"},
    };
    MlcType type = mlc_value_type(x), element = is_vector(type) ? mlc_type_element(type) : type;
    size_t i = 0;
    while (ops[i].kind != kind)
        i++;
    bool is_float = mlc_type_is(element, MLC_TYPE_FLOAT);
    MlcValue *result = mlc_build(b, is_float ? ops[i].floating : ops[i].integer, type, x, y);
    if (is_float && fastmath)
        mlc_op_set_attr(mlc_value_def(result), "fastmath", fastmath);
    return mask ? mlc_build_select(b, mask, result, y) : result;
}

// A masked op is replaced with the vector.mask around it.
static MlcOp *
root_of(MlcRewriter *rw, MlcOp *op, MlcValue **mask)
{
    MlcOp *masking = mlc_vector_masking_op(op);
    *mask = masking ? mlc_op_operand(masking, 0) : NULL;
    if (masking)
        mlc_builder_before(mlc_rewriter_builder(rw), masking);
    return masking ? masking : op;
}

static void
replace_root(MlcRewriter *rw, MlcOp *root, MlcValue *value)
{
    mlc_rewriter_replace(rw, root, &value, 1);
}

static MlcValue *
first_element(MlcBuilder *b, MlcValue *vector)
{
    static const int64_t zeros[MLC_RANK_LIMIT];
    MlcType type = mlc_value_type(vector), element = mlc_type_element(type);
    if (mlc_type_rank(type) == 0)
        return mlc_vector_extractelement(b, vector, NULL);
    return mlc_vector_build_extract(b, vector, element, zeros, mlc_type_rank(type));
}

// reduction of one lane -> the lane, combined with the accumulator
bool
mlc_vector_reduce_one(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType type = mlc_op_operand_type(op, 0);
    if (mlc_type_rank(type) > 0 && mlc_type_dim(type, 0) != 1)
        return false;
    MlcValue *mask;
    MlcOp *root = root_of(rw, op, &mask);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (mask)
        mask = first_element(b, mask);
    MlcValue *result = first_element(b, mlc_op_operand(op, 0));
    if (mlc_op_num_operands(op) > 1)
        result = combine(b, mlc_vector_reduction_kind(op), result, mlc_op_operand(op, 1),
                         mlc_vector_reduction_fastmath(op), mask);
    replace_root(rw, root, result);
    return true;
}

// multi_reduction of no dimension of a 1-D vector -> it (as MLIR has it, without the accumulator)
bool
mlc_vector_multi_reduction_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return mlc_type_rank(mlc_op_operand_type(op, 0)) == 1 &&
           list_size(mlc_vector_multi_reduction_reduction_dims(op)) == 0 &&
           to_value(results, mlc_op_operand(op, 0));
}

// multi_reduction of dimensions of size 1 -> a cast, combined with the accumulator
bool
mlc_vector_reduce_unit_dims(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    MlcAttr dims = mlc_vector_multi_reduction_reduction_dims(op);
    for (size_t i = 0; i < list_size(dims); i++)
        if (mlc_type_dim(from, (size_t)list_int(dims, i)) != 1)
            return false;
    if (mlc_type_rank(from) > MLC_RANK_LIMIT)
        return false;
    MlcValue *mask, *source = mlc_op_operand(op, 0), *cast;
    MlcOp *root = root_of(rw, op, &mask);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (is_vector(to)) {
        if (mask)
            mask = mlc_vector_shape_cast(
                b, mlc_type_with_element(to, mlc_type_element(mlc_value_type(mask))), mask);
        cast = mlc_vector_shape_cast(b, to, source);
    } else {
        mask = mask ? first_element(b, mask) : NULL;
        cast = first_element(b, source);
    }
    replace_root(
        rw, root,
        combine(b, mlc_vector_multi_reduction_kind(op), mlc_op_operand(op, 1), cast, NULL, mask));
    return true;
}

// --- contract

static bool
is_zero(MlcAttr constant)
{
    if (mlc_attr_is(constant, MLC_ATTR_DENSE))
        constant =
            mlc_elements_attr_is_splat(constant) ? mlc_elements_attr_element(constant, 0) : NULL;
    if (mlc_attr_is(constant, MLC_ATTR_INTEGER)) {
        int64_t value;
        return mlc_attr_try_as_int(constant, &value) && value == 0;
    }
    if (!mlc_attr_is(constant, MLC_ATTR_FLOAT))
        return false;
    uint64_t low, high;
    mlc_float_attr_bits(constant, &low, &high);
    return low == 0 && high == 0;
}

// contract(a, b, 0) + c -> contract(a, b, c)
bool
mlc_vector_accumulate(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    for (size_t i = 0; i < 2; i++) {
        MlcOp *contract = operand_def(op, i);
        if (!mlc_vector_contract_isa(contract) ||
            !is_zero(mlc_value_constant(mlc_op_operand(contract, 2))))
            continue;
        MlcOp *made = mlc_op_clone(contract, NULL);
        mlc_op_set_operand(made, 2, mlc_op_operand(op, 1 - i));
        mlc_builder_insert(mlc_rewriter_builder(rw), made);
        mlc_rewriter_replace_with(rw, op, made);
        return true;
    }
    return false;
}

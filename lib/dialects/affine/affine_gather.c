// affine_gather.c -- index values read back as affine expressions of loop variables.
#include "mlc/dialects/affine_gather.h"

#include "mlc/dialects/affine_compose.h"

enum { MAX_DEPTH = 32 }; // of arithmetic that is followed

static bool
is_loop_variable(MlcValue *value)
{
    MlcBlock *block = mlc_value_block(value);
    if (!block || !mlc_block_parent(block))
        return false;
    MlcStr name = mlc_op_name(mlc_block_parent(block));
    return (mlc_str_equal(name, mlc_str("affine.for")) && mlc_value_index(value) == 0) ||
           mlc_str_equal(name, mlc_str("affine.parallel"));
}

// A size that is given to the function: an index argument, a dimension of an argument, or a product
// of such.
static bool
is_size(MlcValue *value, unsigned depth)
{
    MlcOp *def = mlc_value_def(value);
    int64_t constant;
    if (mlc_value_constant_int(value, &constant))
        return true;
    if (depth == 0 || !mlc_type_is(mlc_value_type(value), MLC_TYPE_INDEX) ||
        !mlc_affine_is_top_level(value))
        return false;
    if (!def)
        return mlc_op_interface(mlc_block_parent(mlc_value_block(value)), MLC_INTERFACE_FUNCTION);
    MlcStr name = mlc_op_name(def);
    if (mlc_str_equal(name, mlc_str("memref.dim")))
        return mlc_affine_is_symbol(value) && !mlc_value_def(mlc_op_operand(def, 0));
    return mlc_str_equal(name, mlc_str("arith.muli")) &&
           is_size(mlc_op_operand(def, 0), depth - 1) && is_size(mlc_op_operand(def, 1), depth - 1);
}

static bool
append_value(MlcGather *e, MlcValue *value, MlcAffineExpr *dim)
{
    size_t i = 0;
    while (i < e->num_values && e->values[i] != value)
        i++;
    if (i == MLC_GATHER_MAX)
        return false;
    if (i == e->num_values)
        e->values[e->num_values++] = value;
    *dim = mlc_affine_dim(mlc_value_context(value), (unsigned)i);
    return true;
}

static bool gather(MlcGather *e, MlcValue *value, unsigned depth, MlcAffineExpr *out);

// The arithmetic that `value` is made by.
static bool
follow(MlcGather *e, MlcValue *value, unsigned depth, MlcAffineExpr *out)
{
    int64_t constant;
    MlcContext *ctx = mlc_value_context(value);
    if (mlc_value_constant_int(value, &constant)) {
        *out = mlc_affine_constant(ctx, constant);
        return true;
    }
    if (is_loop_variable(value) || is_size(value, depth))
        return append_value(e, value, out);
    MlcOp *def = mlc_value_def(value);
    if (!def || depth == 0)
        return false;
    MlcStr name = mlc_op_name(def);
    if (mlc_str_equal(name, mlc_str("affine.apply"))) {
        MlcAffineMap map = mlc_op_affine_map(def, "map");
        MlcAffineExpr inputs[MLC_GATHER_MAX];
        size_t n = mlc_op_num_operands(def), num_dims = mlc_affine_map_num_dims(map);
        for (size_t i = 0; i < n; i++)
            if (n > MLC_GATHER_MAX || !gather(e, mlc_op_operand(def, i), depth - 1, &inputs[i]))
                return false;
        *out = mlc_affine_replace(mlc_affine_map_result(map, 0), inputs, num_dims,
                                  inputs + num_dims, n - num_dims);
        return true;
    }
    bool is_add = mlc_str_equal(name, mlc_str("arith.addi")),
         is_sub = mlc_str_equal(name, mlc_str("arith.subi"));
    bool is_mul = mlc_str_equal(name, mlc_str("arith.muli"));
    MlcAffineExpr lhs, rhs;
    if (!(is_add || is_sub || is_mul) || !gather(e, mlc_op_operand(def, 0), depth - 1, &lhs) ||
        !gather(e, mlc_op_operand(def, 1), depth - 1, &rhs))
        return false;
    if (is_mul && mlc_affine_kind(lhs) != MLC_AFFINE_CONSTANT &&
        mlc_affine_kind(rhs) != MLC_AFFINE_CONSTANT)
        return false;
    *out = is_add   ? mlc_affine_add(lhs, rhs)
           : is_sub ? mlc_affine_sub(lhs, rhs)
                    : mlc_affine_mul(lhs, rhs);
    return true;
}

// What is no such arithmetic is a symbol where no loop is around it: the number of rows that tiles
// leave is a matter of comparisons.
static bool
gather(MlcGather *e, MlcValue *value, unsigned depth, MlcAffineExpr *out)
{
    size_t num_values = e->num_values;
    if (follow(e, value, depth, out))
        return true;
    e->num_values = num_values;
    return mlc_value_def(value) && mlc_type_is(mlc_value_type(value), MLC_TYPE_INDEX) &&
           mlc_affine_is_top_level(value) && append_value(e, value, out);
}

bool
mlc_gather(MlcGather *e, MlcValue *value, MlcAffineExpr *out)
{
    return gather(e, value, MAX_DEPTH, out);
}

bool
mlc_gather_bound(MlcGather *e, MlcValue *value, bool is_upper, MlcAffineExpr *results,
                 size_t *num_results)
{
    MlcOp *def = mlc_value_def(value);
    MlcStr name = def ? mlc_op_name(def) : mlc_str("");
    if (def && mlc_str_equal(name, mlc_str(is_upper ? "affine.min" : "affine.max"))) {
        MlcAffineMap map = mlc_op_affine_map(def, "map");
        MlcAffineExpr inputs[MLC_GATHER_MAX];
        size_t n = mlc_op_num_operands(def), num_dims = mlc_affine_map_num_dims(map);
        if (n > MLC_GATHER_MAX || mlc_affine_map_num_results(map) > MLC_GATHER_MAX)
            return false;
        for (size_t i = 0; i < n; i++)
            if (!mlc_gather(e, mlc_op_operand(def, i), &inputs[i]))
                return false;
        for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
            results[i] = mlc_affine_replace(mlc_affine_map_result(map, i), inputs, num_dims,
                                            inputs + num_dims, n - num_dims);
        *num_results = mlc_affine_map_num_results(map);
        return true;
    }
    if (def && mlc_str_equal(name, mlc_str(is_upper ? "arith.minsi" : "arith.maxsi"))) {
        *num_results = 2;
        return mlc_gather(e, mlc_op_operand(def, 0), &results[0]) &&
               mlc_gather(e, mlc_op_operand(def, 1), &results[1]);
    }
    *num_results = 1;
    return mlc_gather(e, value, results);
}

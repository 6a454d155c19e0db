// builtin.c -- hooks of builtin, and the predicates behind its constraints.
#include "mlc/dialects/builtin.h"

#include "mlc/ir.h"

bool
mlc_builtin_is_typed_attr(const void *attr)
{
    MlcAttr a = attr;
    return mlc_attr_type(a) != NULL || mlc_attr_is(a, MLC_ATTR_DENSE_ARRAY) ||
           mlc_attr_is(a, MLC_ATTR_STRING); // of type none, unless it says another
}

bool
mlc_builtin_is_flat_symbol_ref(const void *attr)
{
    MlcAttr a = attr;
    return mlc_attr_is(a, MLC_ATTR_SYMBOL_REF) && mlc_symbol_ref_attr_size(a) == 1;
}

bool
mlc_builtin_is_function_type_attr(const void *attr)
{
    MlcAttr a = attr;
    return mlc_attr_is(a, MLC_ATTR_TYPE) && mlc_type_is(mlc_type_attr_value(a), MLC_TYPE_FUNCTION);
}

bool
mlc_builtin_is_memref_type_attr(const void *attr)
{
    MlcAttr a = attr;
    return mlc_attr_is(a, MLC_ATTR_TYPE) && mlc_type_is(mlc_type_attr_value(a), MLC_TYPE_MEMREF);
}

bool
mlc_builtin_is_fixed_vector(const void *type)
{
    MlcType t = type;
    return mlc_type_is(t, MLC_TYPE_VECTOR) && !mlc_vector_type_has_scalable(t);
}

bool
mlc_builtin_is_strided_memref(const void *type)
{
    MlcType t = type;
    if (!mlc_type_is(t, MLC_TYPE_MEMREF))
        return false;
    int64_t offset, strides[MLC_RANK_LIMIT];
    return mlc_type_rank(t) <= MLC_RANK_LIMIT && mlc_memref_type_strides(t, &offset, strides);
}

// Discardable attributes of a module belong to dialects.
bool
mlc_builtin_module_verify(MlcOp *op)
{
    MlcAttr dict = mlc_op_discardable(op);
    for (size_t i = 0; dict && i < mlc_dict_attr_size(dict); i++) {
        MlcStr name = mlc_string_attr_value(mlc_dict_attr_entry(dict, i).name);
        if (!memchr(name.data, '.', name.size))
            return mlc_op_error(
                op, "can only contain attributes with dialect-prefixed names, found: '%.*s'",
                MLC_STR_FMT(name));
    }
    return true;
}

bool
mlc_builtin_unrealized_conversion_cast_verify(MlcOp *op)
{
    if (mlc_op_num_results(op) == 0)
        return mlc_op_error(op, "expected at least one result for cast operation");
    return true;
}

static bool
has_result_types_of_operands(const MlcOp *op, const MlcOp *inner)
{
    if (mlc_op_num_results(op) != mlc_op_num_operands(inner))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (mlc_value_type(mlc_op_result(op, i)) != mlc_value_type(mlc_op_operand(inner, i)))
            return false;
    return true;
}

// The cast whose results, all and in order, are the operands of `op`; NULL if there is none.
static MlcOp *
inner_cast(const MlcOp *op)
{
    MlcOp *inner = mlc_op_num_operands(op) ? mlc_value_def(mlc_op_operand(op, 0)) : NULL;
    if (!mlc_builtin_unrealized_conversion_cast_isa(inner) ||
        mlc_op_num_results(inner) != mlc_op_num_operands(op))
        return NULL;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (mlc_op_operand(op, i) != mlc_op_result(inner, i))
            return NULL;
    return inner;
}

// cast(x) : T -> T is x; cast(cast(x) : T -> U) : U -> T is x.
bool
mlc_builtin_unrealized_conversion_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    const MlcOp *from = has_result_types_of_operands(op, op) ? op : inner_cast(op);
    if (!from || !has_result_types_of_operands(op, from))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        results[i].value = mlc_op_operand(from, i);
    return true;
}

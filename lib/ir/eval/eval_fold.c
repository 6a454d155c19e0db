// eval_fold.c -- meanings applied element by element, and constant folding by meaning.
#include "mlc/ir/eval.h"
#include "mlc/ir/attr.h"
#include "mlc/support/alloc.h"

// Of integers: products and quotients of wide ones take the square of their words.
enum { MAX_FOLDED_WIDTH = 1 << 16 };

// Of a splat that is read as all its elements.
enum { MAX_SPREAD_BYTES = 1 << 20 };

static bool
is_shaped(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_VECTOR) || mlc_type_is(type, MLC_TYPE_TENSOR) ||
           mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR);
}

bool
mlc_eval_elementwise(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results,
                     MlcScalarEval scalar)
{
    size_t num_operands = mlc_op_num_operands(op);
    const MlcDatum *shaped = NULL;
    for (size_t i = 0; i < num_operands; i++)
        if (mlc_datum_is_elements(&operands[i]))
            shaped = &operands[i];
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), element = mlc_type_element(type);
    if (!shaped) {
        results[0].type = element;
        return scalar(e, op, operands, &results[0]);
    }
    MlcDatum out, few[4];
    if (!mlc_eval_elements_of_rank(e, op, type, shaped->elements.shape, shaped->rank, &out))
        return false;
    size_t count = mlc_datum_num_elements(shaped);
    for (size_t i = 0; i < num_operands; i++)
        if (mlc_datum_is_elements(&operands[i]) && mlc_datum_num_elements(&operands[i]) != count)
            return mlc_eval_error(e, op, "operands of %zu and %zu elements",
                                  mlc_datum_num_elements(&operands[i]), count);
    MlcDatum *scalars = num_operands <= 4 ? few : mlc_eval_alloc(e, num_operands * sizeof *scalars);
    size_t mark = mlc_eval_mark(e);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < num_operands; k++)
            mlc_datum_element(e, &operands[k], i, &scalars[k]);
        MlcDatum result = {.type = element};
        if (!scalar(e, op, scalars, &result))
            return false;
        mlc_datum_set_element(&out, i, &result);
        if (mlc_eval_mark(e) > mark)
            mlc_eval_collect(e, mark, NULL, 0);
    }
    results[0] = out;
    return true;
}

// Element-wise on splats alone: the meaning on one element, whatever the shape.
static bool
is_splat_op(MlcOp *op, const MlcAttr *constants)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) || mlc_op_num_results(op) != 1 ||
        !is_shaped(mlc_value_type(mlc_op_result(op, 0))) ||
        !mlc_type_has_rank(mlc_value_type(mlc_op_result(op, 0))) ||
        !mlc_type_has_static_shape(mlc_value_type(mlc_op_result(op, 0))))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (mlc_attr_is(constants[i], MLC_ATTR_DENSE) && !mlc_elements_attr_is_splat(constants[i]))
            return false;
        else if (mlc_attr_is(constants[i], MLC_ATTR_DENSE_RESOURCE))
            return false;
    return true;
}

static bool
result_to_fold(MlcOp *op, size_t i, const MlcDatum *d, bool is_splat, MlcFold *fold)
{
    MlcType type = mlc_value_type(mlc_op_result(op, i));
    if (mlc_datum_is_elements(d) && d->elements.num_bytes > MLC_MAX_FOLDED_BYTES)
        return false;
    MlcAttr attr = mlc_datum_to_attr(d);
    if (!attr)
        return false;
    if (is_splat)
        attr = mlc_dense_attr_splat(type, attr);
    if (mlc_attr_type(attr) != type)
        return false;
    fold->attr = attr;
    return true;
}

// How many elements such a vector has is not known; only one value for all of them says nothing
// of it.
static bool
is_scalable(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_VECTOR))
        return false;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_vector_type_is_scalable(type, i))
            return true;
    return false;
}

static bool
is_too_wide(MlcType type)
{
    MlcType element = is_shaped(type) ? mlc_type_element(type) : type;
    return mlc_type_is(element, MLC_TYPE_INTEGER) && mlc_type_bit_width(element) > MAX_FOLDED_WIDTH;
}

static bool
has_scalable(MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (is_scalable(mlc_value_type(mlc_op_result(op, i))))
            return true;
    MLC_FOR_EACH_OPERAND (value, op)
        if (is_scalable(mlc_value_type(value)))
            return true;
    return false;
}

// Known before anything is evaluated.
static bool
is_bigger(MlcType type, size_t bytes)
{
    size_t bits;
    if (!is_shaped(type) || !mlc_type_has_static_shape(type))
        return false;
    MlcType element = mlc_type_element(type);
    if (mlc_type_is(element, MLC_TYPE_COMPLEX))
        element = mlc_type_element(element);
    if (!mlc_type_is_int_or_index(element) && !mlc_type_is_float(element))
        return false;
    return !mlc_mul_size((size_t)mlc_type_num_elements(type), mlc_type_bit_width(element), &bits) ||
           bits / 8 > bytes;
}

static bool
fold_with(MlcEval *e, MlcOp *op, const MlcAttr *constants, MlcFold *folds)
{
    size_t num_operands = mlc_op_num_operands(op), num_results = mlc_op_num_results(op);
    bool is_splat = is_splat_op(op, constants);
    if (!is_splat && has_scalable(op))
        return false;
    for (size_t i = 0; i < num_results; i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        if (is_too_wide(type) || (!is_splat && is_bigger(type, MLC_MAX_FOLDED_BYTES)))
            return false;
    }
    MlcDatum *operands = mlc_eval_alloc(e, (num_operands + num_results) * sizeof *operands);
    MlcDatum *results = operands + num_operands;
    for (size_t i = 0; i < num_operands; i++) {
        MlcAttr attr = constants[i];
        if (is_splat && mlc_attr_is(attr, MLC_ATTR_DENSE))
            attr = mlc_elements_attr_element(attr, 0);
        else if (mlc_attr_is(attr, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(attr) &&
                 is_bigger(mlc_attr_type(attr), MAX_SPREAD_BYTES))
            return false;
        if (!mlc_datum_from_attr(e, attr, &operands[i]))
            return false;
    }
    for (size_t i = 0; i < num_results; i++)
        results[i].type = mlc_value_type(mlc_op_result(op, i));
    if (!mlc_op_def(op)->eval(e, op, operands, results))
        return false;
    for (size_t i = 0; i < num_results; i++)
        if (!result_to_fold(op, i, &results[i], is_splat, &folds[i]))
            return false;
    return true;
}

// The llvm dialect's constants may say another type than their value has.
static bool
is_of_type(MlcAttr constant, MlcType type)
{
    MlcType own = mlc_attr_type(constant);
    return !own || own == type;
}

bool
mlc_eval_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    const MlcOpDef *def = mlc_op_def(op);
    if (!def->eval || mlc_op_num_results(op) == 0 || mlc_op_num_regions(op) > 0 ||
        !mlc_op_has_trait(op, MLC_TRAIT_NO_MEMORY_EFFECT) ||
        mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) || mlc_op_has_trait(op, MLC_TRAIT_OWN_FOLDS))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (!constants[i] || !is_of_type(constants[i], mlc_value_type(mlc_op_operand(op, i))))
            return false;
    MlcEval e;
    mlc_eval_init(&e, mlc_op_context(op));
    bool ok = fold_with(&e, op, constants, results);
    for (size_t i = 0; !ok && i < mlc_op_num_results(op); i++)
        results[i] = (MlcFold){0};
    mlc_eval_release(&e);
    return ok;
}

// conversion_retype.c -- the same op with converted types, whatever the op: what a conversion of
// types needs for functions, calls, branches and structured control flow.
//
// Values that became several stand where the one stood. Sizes of operand and result groups follow;
// a group of one value (a condition) must stay one.
#include "conversion_impl.h"

#include "mlc/support/alloc.h"

// Values in place of those in [first, first + size).
static size_t
sum(const uint32_t *counts, size_t first, size_t size)
{
    size_t total = 0;
    for (size_t i = first; i < first + size; i++)
        total += counts[i];
    return total;
}

// Segments of a variadic of variadics: an attribute of its own says how they share the group.
static void
resize_segments(MlcOp *op, MlcOp *made, const char *name, size_t first, const uint32_t *counts)
{
    MlcAttr old = mlc_op_attr(op, name);
    MLC_VEC(int32_t) sizes = {0};
    for (size_t i = 0; old && i < mlc_int_list_attr_size(old); i++) {
        int64_t size = 0;
        mlc_int_list_attr_get(old, i, &size);
        mlc_vec_push(&sizes, (int32_t)sum(counts, first, (size_t)size));
        first += (size_t)size;
    }
    if (old)
        mlc_op_set_attr(made, name, mlc_i32_array_attr_get(op->ctx, sizes.data, sizes.size));
    mlc_vec_release(&sizes);
}

typedef void (*GroupOf)(const MlcOp *op, size_t group, size_t *first, size_t *size);

// The op fits its definition with these many values for each it had.
static bool
groups_fit(MlcConversion *c, MlcOp *op, const MlcValueDef *defs, size_t num_groups, GroupOf group,
           const uint32_t *counts)
{
    for (size_t i = 0; i < num_groups; i++) {
        size_t first, size;
        group(op, i, &first, &size);
        if (defs[i].arity <= MLC_OPTIONAL && sum(counts, first, size) != size)
            return mlc_conversion_no_match(c, op, "'%s' must stay one value", defs[i].name);
    }
    return true;
}

static void
resize_groups(MlcOp *op, MlcOp *made, const char *attr, const MlcValueDef *defs, size_t num_groups,
              GroupOf group, const uint32_t *counts)
{
    MLC_VEC(int32_t) sizes = {0};
    for (size_t i = 0; i < num_groups; i++) {
        size_t first, size;
        group(op, i, &first, &size);
        mlc_vec_push(&sizes, (int32_t)sum(counts, first, size));
        if (defs[i].segments)
            resize_segments(op, made, defs[i].segments, first, counts);
    }
    if (attr)
        mlc_op_set_attr(made, attr, mlc_i32_array_attr_get(op->ctx, sizes.data, sizes.size));
    mlc_vec_release(&sizes);
}

// --- functions

static bool
convert_list(MlcConversion *c, MlcOp *op, const MlcType *types, size_t n, MlcTypeVec *out,
             uint32_t *counts)
{
    for (size_t i = 0; i < n; i++) {
        size_t before = out->size;
        if (c->types ? !mlc_type_converter_convert(c->types, types[i], out)
                     : (mlc_vec_push(out, types[i]), false))
            return mlc_conversion_no_match(c, op, "type %s cannot be converted",
                                           mlc_type_text(types[i]));
        counts[i] = (uint32_t)(out->size - before);
    }
    return true;
}

// Attributes stay with values that stay one.
static MlcAttr
spread_attrs(MlcContext *ctx, MlcAttr attrs, const uint32_t *counts)
{
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < mlc_array_attr_size(attrs); i++)
        for (uint32_t j = 0; j < counts[i]; j++)
            mlc_vec_push(&list, counts[i] == 1 ? mlc_array_attr_element(attrs, i)
                                               : mlc_dict_attr_get(ctx, NULL, 0));
    MlcAttr spread = mlc_array_attr_get(ctx, list.data, list.size);
    mlc_vec_release(&list);
    return spread;
}

bool
mlc_conversion_retype_function(MlcConversion *c, MlcOp *op, MlcOp *made)
{
    const MlcFunction *function = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcType type = function ? function->type(op) : NULL;
    if (!type || !mlc_type_is(type, MLC_TYPE_FUNCTION))
        return true;
    size_t n = mlc_function_type_num_inputs(type), m = mlc_function_type_num_results(type);
    MlcTypeVec inputs = {0}, results = {0};
    uint32_t *counts = mlc_malloc((n + m + 1) * sizeof *counts);
    bool ok = convert_list(c, op, mlc_function_type_inputs(type), n, &inputs, counts) &&
              convert_list(c, op, mlc_function_type_results(type), m, &results, counts + n);
    if (ok) {
        type = mlc_function_type_get(op->ctx, inputs.data, inputs.size, results.data, results.size);
        mlc_op_set_slot(made, function->type_slot, mlc_type_attr_get(type));
        MlcAttr arg_attrs = mlc_op_slot(op, function->arg_attrs_slot),
                res_attrs = mlc_op_slot(op, function->res_attrs_slot);
        if (arg_attrs)
            mlc_op_set_slot(made, function->arg_attrs_slot,
                            spread_attrs(op->ctx, arg_attrs, counts));
        if (res_attrs)
            mlc_op_set_slot(made, function->res_attrs_slot,
                            spread_attrs(op->ctx, res_attrs, counts + n));
    }
    mlc_free(counts);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return ok;
}

// --- the op

static bool
take_regions(MlcConversion *c, MlcOp *made, MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_regions; i++)
        if (!mlc_conversion_take_region(c, mlc_op_region(made, i), mlc_op_region(op, i)))
            return false;
    return true;
}

static bool
retype(MlcConversion *c, MlcOp *op, const MlcValueVec *values, const MlcTypeVec *types,
       const uint32_t *operand_counts, const uint32_t *result_counts)
{
    const MlcOpDef *def = op->def;
    if (!groups_fit(c, op, def->operands, def->num_operands, mlc_op_operand_group,
                    operand_counts) ||
        !groups_fit(c, op, def->results, def->num_results, mlc_op_result_group, result_counts))
        return false;
    MlcOp *made =
        mlc_rebuild_op(&c->builder, op, values->data, values->size, types->data, types->size);
    bool sized_operands = mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS),
         sized_results = mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_RESULTS);
    resize_groups(op, made, sized_operands ? "operandSegmentSizes" : NULL, def->operands,
                  def->num_operands, mlc_op_operand_group, operand_counts);
    resize_groups(op, made, sized_results ? "resultSegmentSizes" : NULL, def->results,
                  def->num_results, mlc_op_result_group, result_counts);
    if (!mlc_conversion_retype_function(c, op, made) || !take_regions(c, made, op))
        return false;
    MlcValueVec results = {0};
    for (uint32_t i = 0; i < made->num_results; i++)
        mlc_vec_push(&results, mlc_op_result(made, i));
    MlcValueRange *ranges = mlc_malloc((op->num_results + 1) * sizeof *ranges);
    size_t at = 0;
    for (uint32_t i = 0; i < op->num_results; at += result_counts[i++])
        ranges[i] = (MlcValueRange){results.data + at, result_counts[i]};
    mlc_conversion_replace_ranges(c, op, ranges);
    mlc_free(ranges);
    mlc_vec_release(&results);
    return true;
}

bool
mlc_conversion_retype(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, void *user)
{
    (void)user;
    size_t n = op->num_operands, m = op->num_results;
    uint32_t *counts = mlc_malloc((n + m + 1) * sizeof *counts);
    MlcValueVec values = {0};
    MlcTypeVec old = {0}, types = {0};
    for (size_t i = 0; i < n; i++) {
        counts[i] = (uint32_t)operands[i].size;
        for (size_t j = 0; j < operands[i].size; j++)
            mlc_vec_push(&values, operands[i].values[j]);
    }
    for (size_t i = 0; i < m; i++)
        mlc_vec_push(&old, mlc_value_type(mlc_op_result(op, i)));
    bool ok = convert_list(c, op, old.data, m, &types, counts + n) &&
              retype(c, op, &values, &types, counts, counts + n);
    mlc_vec_release(&values);
    mlc_vec_release(&old);
    mlc_vec_release(&types);
    mlc_free(counts);
    return ok;
}

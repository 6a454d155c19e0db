// linalg_builder.c -- makes tensor and linalg ops for lowerings.
#include "linalg_builder.h"

#include "mlc/dialects/linalg_body.h"

MlcType
mlc_lb_type(const MlcLbShape *shape, MlcType element)
{
    return mlc_tensor_type_get(element, shape->dims, shape->rank, NULL);
}

MlcValue *
mlc_lb_dim(MlcLb *lb, MlcValue *tensor, size_t i)
{
    MlcValue *operands[] = {tensor, mlc_build_index(&lb->b, (int64_t)i)};
    return mlc_build_value(&lb->b, "tensor.dim", mlc_index_type_get(lb->ctx), operands, 2);
}

MlcValue *
mlc_lb_index(MlcLb *lb, size_t i)
{
    MlcType index = mlc_index_type_get(lb->ctx);
    MlcNamedAttr dim = mlc_named(lb->ctx, "dim", mlc_i64_attr_get(lb->ctx, (int64_t)i));
    return mlc_op_result(mlc_build_op(&lb->b, "linalg.index", &index, 1, NULL, 0, &dim, 1, 0), 0);
}

void
mlc_lb_shape_of(MlcLb *lb, MlcValue *tensor, MlcLbShape *shape)
{
    MlcType type = mlc_value_type(tensor);
    *shape = (MlcLbShape){.rank = mlc_type_rank(type)};
    for (size_t i = 0; i < shape->rank; i++) {
        shape->dims[i] = mlc_type_dim(type, i);
        if (shape->dims[i] == MLC_DYNAMIC)
            shape->values[i] = mlc_lb_dim(lb, tensor, i);
    }
}

static size_t
dynamic_values(const MlcLbShape *shape, MlcValue **values)
{
    size_t n = 0;
    for (size_t i = 0; i < shape->rank; i++)
        if (shape->dims[i] == MLC_DYNAMIC)
            values[n++] = shape->values[i];
    return n;
}

MlcValue *
mlc_lb_empty(MlcLb *lb, const MlcLbShape *shape, MlcType element)
{
    MlcValue *sizes[MLC_LB_MAX_RANK];
    size_t n = dynamic_values(shape, sizes);
    return mlc_build_value(&lb->b, "tensor.empty", mlc_lb_type(shape, element), sizes, n);
}

MlcAffineMap
mlc_lb_map(MlcContext *ctx, unsigned num_dims, const unsigned *loops, size_t n)
{
    MlcAffineExpr results[MLC_LB_MAX_RANK];
    for (size_t i = 0; i < n; i++)
        results[i] = mlc_affine_dim(ctx, loops[i]);
    return mlc_affine_map_get(ctx, num_dims, 0, results, n);
}

// The region of a structured op: elements in, the body, linalg.yield.
static bool
fill_region(MlcLb *lb, MlcOp *op, const MlcLbGeneric *g)
{
    MlcBuilder saved = lb->b, outside = lb->b; // constants of the body stand before the op
    mlc_builder_before(&outside, op);
    MlcType types[MLC_LB_MAX_INPUTS + 1];
    MlcValue *args[MLC_LB_MAX_INPUTS + 1], *result;
    for (size_t i = 0; i <= g->num_inputs; i++)
        types[i] = mlc_type_element(mlc_value_type(mlc_op_operand(op, i)));
    MlcBlock *block =
        mlc_builder_create_block(&lb->b, mlc_op_region(op, 0), types, g->num_inputs + 1);
    for (size_t i = 0; i <= g->num_inputs; i++)
        args[i] = mlc_block_arg(block, i);
    MlcBody body = {.text = g->body,
                    .names = g->names,
                    .values = args,
                    .num_values = g->num_inputs + 1,
                    .attrs = g->attrs,
                    .element = types[g->num_inputs],
                    .fastmath = lb->fastmath,
                    .constants = &outside,
                    .is_total = true};
    result = g->make ? g->make(lb, args, g->user) : NULL;
    bool ok = result || mlc_body_build(&lb->b, &body, &result, 1) == 1;
    if (ok)
        mlc_build_op(&lb->b, "linalg.yield", NULL, 0, &result, 1, NULL, 0, 0);
    lb->b = saved;
    return ok;
}

static MlcAttr
iterator_types(MlcLb *lb, const char *letters, size_t n)
{
    MlcAttr items[2 * MLC_LB_MAX_RANK];
    const MlcAttrDef *def = mlc_context_attr(lb->ctx, mlc_str("linalg.iterator_type"));
    for (size_t i = 0; i < n; i++)
        items[i] = mlc_enum_attr_get(lb->ctx, def, letters && letters[i] == 'r');
    return mlc_array_attr_get(lb->ctx, items, n);
}

MlcValue *
mlc_lb_generic(MlcLb *lb, const MlcLbGeneric *g)
{
    MlcNamedAttr attrs[5];
    MlcValue *operands[MLC_LB_MAX_INPUTS + 1];
    MlcAttr maps[MLC_LB_MAX_INPUTS + 1];
    size_t n = 0;
    memcpy(operands, g->inputs, g->num_inputs * sizeof *operands);
    operands[g->num_inputs] = g->output;
    int32_t segments[] = {(int32_t)g->num_inputs, 1};
    attrs[n++] =
        mlc_named(lb->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(lb->ctx, segments, 2));
    if (!g->name) {
        for (size_t i = 0; i <= g->num_inputs; i++)
            maps[i] = mlc_affine_map_attr_get(g->maps[i]);
        attrs[n++] = mlc_named(lb->ctx, "indexing_maps",
                               mlc_array_attr_get(lb->ctx, maps, g->num_inputs + 1));
        attrs[n++] =
            mlc_named(lb->ctx, "iterator_types", iterator_types(lb, g->iterators, g->num_loops));
    }
    for (size_t i = 0; i < g->num_extra; i++)
        attrs[n++] = g->extra[i];
    MlcType type = mlc_value_type(g->output);
    MlcOp *op = mlc_build_op(&lb->b, g->name ? g->name : "linalg.generic", &type, 1, operands,
                             g->num_inputs + 1, attrs, n, 1);
    return fill_region(lb, op, g) ? mlc_op_result(op, 0) : NULL;
}

MlcValue *
mlc_lb_filled(MlcLb *lb, const MlcLbShape *shape, MlcType element, double value)
{
    int64_t whole = value >= 0x1p63 ? INT64_MAX : (int64_t)value;
    MlcValue *scalar = mlc_type_is_float(element) ? mlc_build_float(&lb->b, element, value)
                                                  : mlc_build_int(&lb->b, element, whole);
    static const char *const names[] = {"value", "out"};
    MlcLbGeneric fill = {.name = "linalg.fill",
                         .inputs = {scalar},
                         .num_inputs = 1,
                         .output = mlc_lb_empty(lb, shape, element),
                         .body = "value",
                         .names = names};
    return mlc_lb_generic(lb, &fill);
}

// ---- reshapes

static MlcAttr
reassociation(MlcLb *lb, const size_t *group, size_t rank, size_t num_groups)
{
    MlcAttr groups[MLC_LB_MAX_RANK], dims[MLC_LB_MAX_RANK];
    MlcType i64 = mlc_integer_type_get(lb->ctx, 64, MLC_SIGNLESS);
    for (size_t g = 0; g < num_groups; g++) {
        size_t n = 0;
        for (size_t i = 0; i < rank; i++)
            if (group[i] == g)
                dims[n++] = mlc_integer_attr_get(i64, (int64_t)i);
        groups[g] = mlc_array_attr_get(lb->ctx, dims, n);
    }
    return mlc_array_attr_get(lb->ctx, groups, num_groups);
}

MlcValue *
mlc_lb_collapse(MlcLb *lb, MlcValue *tensor, const size_t *group, const MlcLbShape *shape)
{
    MlcType from = mlc_value_type(tensor);
    if (mlc_type_rank(from) == shape->rank)
        return tensor;
    MlcType type = mlc_lb_type(shape, mlc_type_element(from));
    MlcNamedAttr attr = mlc_named(lb->ctx, "reassociation",
                                  reassociation(lb, group, mlc_type_rank(from), shape->rank));
    return mlc_op_result(
        mlc_build_op(&lb->b, "tensor.collapse_shape", &type, 1, &tensor, 1, &attr, 1, 0), 0);
}

MlcValue *
mlc_lb_expand(MlcLb *lb, MlcValue *tensor, const size_t *group, const MlcLbShape *shape)
{
    MlcType from = mlc_value_type(tensor), type = mlc_lb_type(shape, mlc_type_element(from));
    if (mlc_type_rank(from) == shape->rank)
        return tensor;
    MlcValue *operands[MLC_LB_MAX_RANK + 1] = {tensor};
    size_t n = 1 + dynamic_values(shape, operands + 1);
    MlcNamedAttr attrs[] = {
        mlc_named(lb->ctx, "reassociation",
                  reassociation(lb, group, shape->rank, mlc_type_rank(from))),
        mlc_named(lb->ctx, "static_output_shape",
                  mlc_i64_array_attr_get(lb->ctx, shape->dims, shape->rank)),
    };
    return mlc_op_result(
        mlc_build_op(&lb->b, "tensor.expand_shape", &type, 1, operands, n, attrs, 2, 0), 0);
}

// Cuts both shapes into the smallest runs of equal product. Group numbers of each dim; the number
// of groups, or 0 if the shapes do not match that way. Dims of size 1 at the end join the last
// group.
static size_t
match_shapes(const int64_t *a, size_t rank_a, const int64_t *b, size_t rank_b, size_t *group_a,
             size_t *group_b)
{
    size_t i = 0, k = 0, groups = 0;
    while (i < rank_a && k < rank_b) {
        bool dynamic = a[i] == MLC_DYNAMIC || b[k] == MLC_DYNAMIC;
        if (dynamic && a[i] != b[k])
            return 0;
        int64_t product_a = a[i], product_b = b[k];
        group_a[i++] = groups;
        group_b[k++] = groups;
        while (!dynamic && product_a != product_b) {
            bool left = product_a < product_b;
            if (left ? i == rank_a || a[i] == MLC_DYNAMIC : k == rank_b || b[k] == MLC_DYNAMIC)
                return 0;
            if (left) {
                product_a *= a[i];
                group_a[i++] = groups;
            } else {
                product_b *= b[k];
                group_b[k++] = groups;
            }
        }
        groups++;
    }
    for (; i < rank_a; i++) {
        if (a[i] != 1 || groups == 0)
            return 0;
        group_a[i] = groups - 1;
    }
    for (; k < rank_b; k++) {
        if (b[k] != 1 || groups == 0)
            return 0;
        group_b[k] = groups - 1;
    }
    return groups;
}

static bool
has_zero(MlcType type)
{
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == 0)
            return true;
    return false;
}

bool
mlc_lb_can_reshape(MlcType from, MlcType to)
{
    size_t ga[MLC_LB_MAX_RANK], gb[MLC_LB_MAX_RANK];
    size_t rank_a = mlc_type_rank(from), rank_b = mlc_type_rank(to);
    if (has_zero(from) || rank_a == 0 || rank_b == 0)
        return mlc_type_has_static_shape(from) && mlc_type_has_static_shape(to);
    return match_shapes(mlc_type_shape(from), rank_a, mlc_type_shape(to), rank_b, ga, gb) > 0;
}

MlcValue *
mlc_lb_reshape(MlcLb *lb, MlcValue *tensor, const MlcLbShape *shape)
{
    size_t group_a[MLC_LB_MAX_RANK] = {0}, group_b[MLC_LB_MAX_RANK] = {0};
    MlcType from = mlc_value_type(tensor);
    MlcLbShape old;
    if (has_zero(from))
        return mlc_lb_empty(lb, shape, mlc_type_element(from));
    mlc_lb_shape_of(lb, tensor, &old);
    MlcLbShape middle = {.rank = 0};
    if (old.rank > 0 && shape->rank > 0) {
        middle.rank = match_shapes(old.dims, old.rank, shape->dims, shape->rank, group_a, group_b);
        for (size_t g = 0; g < middle.rank; g++)
            middle.dims[g] = 1;
        for (size_t i = 0; i < old.rank; i++) {
            bool dynamic = old.dims[i] == MLC_DYNAMIC; // alone in its group, but for ones
            size_t g = group_a[i];
            middle.dims[g] = dynamic || middle.dims[g] == MLC_DYNAMIC
                                 ? MLC_DYNAMIC
                                 : middle.dims[g] * old.dims[i];
            if (dynamic)
                middle.values[g] = old.values[i];
        }
    }
    tensor = mlc_lb_collapse(lb, tensor, group_a, &middle);
    return mlc_lb_expand(lb, tensor, group_b, shape);
}

// ---- padding, slices

MlcValue *
mlc_lb_pad(MlcLb *lb, MlcValue *tensor, const int64_t *low, const int64_t *high, MlcAttr value)
{
    MlcType from = mlc_value_type(tensor);
    size_t rank = mlc_type_rank(from);
    int64_t dims[MLC_LB_MAX_RANK];
    bool any = false;
    for (size_t i = 0; i < rank; i++) {
        int64_t dim = mlc_type_dim(from, i);
        any |= low[i] || high[i];
        dims[i] = dim == MLC_DYNAMIC ? dim : dim + low[i] + high[i];
    }
    if (!any)
        return tensor;
    MlcType type = mlc_tensor_type_get(mlc_type_element(from), dims, rank, NULL);
    int32_t segments[] = {1, 0, 0};
    MlcNamedAttr attrs[] = {
        mlc_named(lb->ctx, "static_low", mlc_i64_array_attr_get(lb->ctx, low, rank)),
        mlc_named(lb->ctx, "static_high", mlc_i64_array_attr_get(lb->ctx, high, rank)),
        mlc_named(lb->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(lb->ctx, segments, 3)),
    };
    MlcValue *constant = mlc_build_constant(&lb->b, value);
    MlcOp *op = mlc_build_op(&lb->b, "tensor.pad", &type, 1, &tensor, 1, attrs, 3, 1);
    MlcBuilder saved = lb->b;
    MlcType index[MLC_LB_MAX_RANK];
    for (size_t i = 0; i < rank; i++)
        index[i] = mlc_index_type_get(lb->ctx);
    mlc_builder_create_block(&lb->b, mlc_op_region(op, 0), index, rank);
    mlc_build_op(&lb->b, "tensor.yield", NULL, 0, &constant, 1, NULL, 0, 0);
    lb->b = saved;
    return mlc_op_result(op, 0);
}

MlcValue *
mlc_lb_insert_slice(MlcLb *lb, MlcValue *source, MlcValue *dest, const int64_t *offsets)
{
    MlcLbShape shape;
    mlc_lb_shape_of(lb, source, &shape);
    MlcValue *operands[MLC_LB_MAX_RANK + 2] = {source, dest};
    size_t n = dynamic_values(&shape, operands + 2);
    int64_t strides[MLC_LB_MAX_RANK];
    for (size_t i = 0; i < shape.rank; i++)
        strides[i] = 1;
    int32_t segments[] = {1, 1, 0, (int32_t)n, 0};
    MlcNamedAttr attrs[] = {
        mlc_named(lb->ctx, "static_offsets", mlc_i64_array_attr_get(lb->ctx, offsets, shape.rank)),
        mlc_named(lb->ctx, "static_sizes", mlc_i64_array_attr_get(lb->ctx, shape.dims, shape.rank)),
        mlc_named(lb->ctx, "static_strides", mlc_i64_array_attr_get(lb->ctx, strides, shape.rank)),
        mlc_named(lb->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(lb->ctx, segments, 5)),
    };
    MlcType type = mlc_value_type(dest);
    return mlc_op_result(
        mlc_build_op(&lb->b, "tensor.insert_slice", &type, 1, operands, 2 + n, attrs, 4, 0), 0);
}

MlcValue *
mlc_lb_extract_slice(MlcLb *lb, MlcValue *source, const int64_t *offsets, const MlcLbShape *shape)
{
    MlcValue *operands[MLC_LB_MAX_RANK + 1] = {source};
    size_t n = dynamic_values(shape, operands + 1);
    int64_t strides[MLC_LB_MAX_RANK];
    for (size_t i = 0; i < shape->rank; i++)
        strides[i] = 1;
    int32_t segments[] = {1, 0, (int32_t)n, 0};
    MlcNamedAttr attrs[] = {
        mlc_named(lb->ctx, "static_offsets", mlc_i64_array_attr_get(lb->ctx, offsets, shape->rank)),
        mlc_named(lb->ctx, "static_sizes",
                  mlc_i64_array_attr_get(lb->ctx, shape->dims, shape->rank)),
        mlc_named(lb->ctx, "static_strides", mlc_i64_array_attr_get(lb->ctx, strides, shape->rank)),
        mlc_named(lb->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(lb->ctx, segments, 4)),
    };
    MlcType type = mlc_lb_type(shape, mlc_type_element(mlc_value_type(source)));
    return mlc_op_result(
        mlc_build_op(&lb->b, "tensor.extract_slice", &type, 1, operands, 1 + n, attrs, 4, 0), 0);
}

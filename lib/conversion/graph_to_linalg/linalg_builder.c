// linalg_builder.c -- makes tensor and linalg ops for lowerings.
#include "linalg_builder.h"

#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/mixed.h"

MlcType
mlc_lb_type(const MlcLbShape *shape, MlcType element)
{
    return mlc_tensor_type_get(element, shape->dims, shape->rank, NULL);
}

MlcValue *
mlc_lb_dim(MlcLb *lb, MlcValue *tensor, size_t i)
{
    return mlc_tensor_dim(&lb->b, tensor, mlc_build_index(&lb->b, (int64_t)i));
}

MlcValue *
mlc_lb_index(MlcLb *lb, size_t i)
{
    return mlc_linalg_index(&lb->b, (int64_t)i);
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
    return mlc_tensor_empty(&lb->b, mlc_lb_type(shape, element), sizes, n);
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
        mlc_linalg_yield(&lb->b, &result, 1);
    lb->b = saved;
    return ok;
}

static MlcAttr
iterator_types(MlcLb *lb, const char *letters, size_t n)
{
    MlcAttr items[2 * MLC_LB_MAX_RANK];
    for (size_t i = 0; i < n; i++)
        items[i] =
            mlc_enum_attr_get(lb->ctx, &mlc_linalg_iterator_type_attr_def,
                              letters && letters[i] == 'r' ? MLC_LINALG_ITERATOR_TYPE_REDUCTION
                                                           : MLC_LINALG_ITERATOR_TYPE_PARALLEL);
    return mlc_array_attr_get(lb->ctx, items, n);
}

MlcValue *
mlc_lb_generic(MlcLb *lb, const MlcLbGeneric *g)
{
    MlcType type = mlc_value_type(g->output);
    const MlcTypes results[] = {{&type, 1}};
    const MlcValues operands[] = {{g->inputs, g->num_inputs}, {&g->output, 1}};
    MlcOp *op = mlc_build_groups(&lb->b, g->def ? g->def : &mlc_linalg_generic_def, results,
                                 operands, NULL, NULL, 1);
    if (!g->def) {
        MlcAttr maps[MLC_LB_MAX_INPUTS + 1];
        for (size_t i = 0; i <= g->num_inputs; i++)
            maps[i] = mlc_affine_map_attr_get(g->maps[i]);
        mlc_linalg_generic_set_indexing_maps(op,
                                             mlc_array_attr_get(lb->ctx, maps, g->num_inputs + 1));
        mlc_linalg_generic_set_iterator_types(op, iterator_types(lb, g->iterators, g->num_loops));
    }
    for (size_t i = 0; i < g->num_extra; i++)
        mlc_op_set_attr_str(op, mlc_string_attr_value(g->extra[i].name), g->extra[i].value);
    return fill_region(lb, op, g) ? mlc_op_result(op, 0) : NULL;
}

MlcValue *
mlc_lb_filled(MlcLb *lb, const MlcLbShape *shape, MlcType element, double value)
{
    int64_t whole = value >= 0x1p63 ? INT64_MAX : (int64_t)value;
    MlcValue *scalar = mlc_type_is_float(element) ? mlc_build_float(&lb->b, element, value)
                                                  : mlc_build_int(&lb->b, element, whole);
    static const char *const names[] = {"value", "out"};
    MlcLbGeneric fill = {.def = &mlc_linalg_fill_def,
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
    return mlc_tensor_collapse_shape(&lb->b, type, tensor,
                                     reassociation(lb, group, mlc_type_rank(from), shape->rank));
}

MlcValue *
mlc_lb_expand(MlcLb *lb, MlcValue *tensor, const size_t *group, const MlcLbShape *shape)
{
    MlcType from = mlc_value_type(tensor), type = mlc_lb_type(shape, mlc_type_element(from));
    if (mlc_type_rank(from) == shape->rank)
        return tensor;
    MlcValue *sizes[MLC_LB_MAX_RANK];
    size_t n = dynamic_values(shape, sizes);
    return mlc_tensor_expand_shape(&lb->b, type, tensor, sizes, n,
                                   reassociation(lb, group, shape->rank, mlc_type_rank(from)),
                                   shape->dims, shape->rank);
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
    MlcValue *constant = mlc_build_constant(&lb->b, value);
    MlcValue *padded =
        mlc_tensor_pad(&lb->b, type, tensor, NULL, 0, NULL, 0, low, rank, high, rank);
    MlcBuilder saved = lb->b;
    MlcType index[MLC_LB_MAX_RANK];
    for (size_t i = 0; i < rank; i++)
        index[i] = mlc_index_type_get(lb->ctx);
    mlc_builder_create_block(&lb->b, mlc_op_region(mlc_value_def(padded), 0), index, rank);
    mlc_tensor_yield(&lb->b, constant);
    lb->b = saved;
    return padded;
}

// The window of `shape` at `offsets`, element by element.
static MlcSlice
slice_of(const int64_t *offsets, const MlcLbShape *shape)
{
    size_t rank = shape->rank;
    MlcSlice slice = {.offsets.size = rank, .sizes.size = rank, .strides.size = rank};
    for (size_t i = 0; i < rank; i++) {
        bool is_dynamic = shape->dims[i] == MLC_DYNAMIC;
        slice.offsets.items[i] = mlc_mixed(offsets[i]);
        slice.sizes.items[i] = (MlcMixed){is_dynamic ? shape->values[i] : NULL, shape->dims[i]};
        slice.strides.items[i] = mlc_mixed(1);
    }
    return slice;
}

MlcValue *
mlc_lb_insert_slice(MlcLb *lb, MlcValue *source, MlcValue *dest, const int64_t *offsets)
{
    MlcLbShape shape;
    mlc_lb_shape_of(lb, source, &shape);
    MlcSlice slice = slice_of(offsets, &shape);
    MlcValue *operands[] = {source, dest};
    MlcOp *op = mlc_build_slice(&lb->b, &mlc_tensor_insert_slice_def, mlc_value_type(dest),
                                operands, 2, &slice);
    return mlc_op_result(op, 0);
}

MlcValue *
mlc_lb_extract_slice(MlcLb *lb, MlcValue *source, const int64_t *offsets, const MlcLbShape *shape)
{
    MlcSlice slice = slice_of(offsets, shape);
    MlcType type = mlc_lb_type(shape, mlc_type_element(mlc_value_type(source)));
    return mlc_op_result(
        mlc_build_slice(&lb->b, &mlc_tensor_extract_slice_def, type, &source, 1, &slice), 0);
}

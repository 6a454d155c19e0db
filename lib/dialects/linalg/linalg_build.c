// linalg_build.c -- see linalg_build.h.
#include "mlc/dialects/linalg_build.h"

#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/mixed.h"

MlcType
mlc_tensor_shape_type(const MlcTensorShape *shape, MlcType element)
{
    return mlc_tensor_type_get(element, shape->dims, shape->rank, NULL);
}

MlcValue *
mlc_build_dim(MlcBuilder *b, MlcValue *tensor, size_t i)
{
    return mlc_tensor_dim(b, tensor, mlc_build_index(b, (int64_t)i));
}

void
mlc_build_shape_of(MlcBuilder *b, MlcValue *tensor, MlcTensorShape *shape)
{
    MlcType type = mlc_value_type(tensor);
    *shape = (MlcTensorShape){.rank = mlc_type_rank(type)};
    for (size_t i = 0; i < shape->rank; i++) {
        shape->dims[i] = mlc_type_dim(type, i);
        if (shape->dims[i] == MLC_DYNAMIC)
            shape->values[i] = mlc_build_dim(b, tensor, i);
    }
}

static size_t
dynamic_values(const MlcTensorShape *shape, MlcValue **values)
{
    size_t n = 0;
    for (size_t i = 0; i < shape->rank; i++)
        if (shape->dims[i] == MLC_DYNAMIC)
            values[n++] = shape->values[i];
    return n;
}

MlcValue *
mlc_build_empty(MlcBuilder *b, MlcType type)
{
    return mlc_tensor_empty(b, type, NULL, 0);
}

MlcValue *
mlc_build_empty_shape(MlcBuilder *b, const MlcTensorShape *shape, MlcType element)
{
    MlcValue *sizes[MLC_BUILD_RANK];
    size_t n = dynamic_values(shape, sizes);
    return mlc_tensor_empty(b, mlc_tensor_shape_type(shape, element), sizes, n);
}

MlcAffineMap
mlc_map_of_loops(MlcContext *ctx, unsigned num_dims, const unsigned *loops, size_t n)
{
    MlcAffineExpr results[MLC_BUILD_RANK];
    for (size_t i = 0; i < n; i++)
        results[i] = mlc_affine_dim(ctx, loops[i]);
    return mlc_affine_map_get(ctx, num_dims, 0, results, n);
}

// The region of a structured op: elements in, the body, linalg.yield.
static bool
fill_region(MlcBuilder *b, MlcOp *op, const MlcGeneric *g)
{
    MlcBuilder saved = *b, outside = *b; // constants of the body stand before the op
    mlc_builder_before(&outside, op);
    MlcType types[MLC_BUILD_MAX_INPUTS + 1];
    MlcValue *args[MLC_BUILD_MAX_INPUTS + 1], *result;
    for (size_t i = 0; i <= g->num_inputs; i++)
        types[i] = mlc_type_element(mlc_value_type(mlc_op_operand(op, i)));
    MlcBlock *block = mlc_builder_create_block(b, mlc_op_region(op, 0), types, g->num_inputs + 1);
    for (size_t i = 0; i <= g->num_inputs; i++)
        args[i] = mlc_block_arg(block, i);
    MlcBody body = {.text = g->body,
                    .names = g->names,
                    .values = args,
                    .num_values = g->num_inputs + 1,
                    .attrs = g->attrs,
                    .element = types[g->num_inputs],
                    .fastmath = g->fastmath,
                    .constants = &outside,
                    .is_total = true};
    result = g->make ? g->make(b, args, g->user) : NULL;
    bool ok = result || mlc_body_build(b, &body, &result, 1) == 1;
    if (ok)
        mlc_linalg_yield(b, &result, 1);
    *b = saved;
    return ok;
}

static MlcAttr
iterator_types(MlcContext *ctx, const MlcIterator *iterators, size_t num_loops)
{
    MLC_VEC(MlcAttr) attrs = {0};
    for (size_t i = 0; i < num_loops; i++)
        mlc_vec_push(&attrs, mlc_enum_attr_get(ctx, &mlc_linalg_iterator_type_attr_def,
                                               iterators[i] == MLC_ITERATOR_PARALLEL
                                                   ? MLC_LINALG_ITERATOR_TYPE_PARALLEL
                                                   : MLC_LINALG_ITERATOR_TYPE_REDUCTION));
    MlcAttr array = mlc_array_attr_get(ctx, attrs.data, num_loops);
    mlc_vec_release(&attrs);
    return array;
}

MlcOp *
mlc_build_bare_generic(MlcBuilder *b, MlcValue *const *operands, size_t num_inputs,
                       size_t num_outputs, const MlcAffineMap *maps, const MlcIterator *iterators,
                       size_t num_loops)
{
    size_t n = num_inputs + num_outputs;
    MLC_VEC(MlcAttr) map_attrs = {0};
    MlcTypeVec results = {0};
    for (size_t i = 0; i < n; i++) {
        MlcType type = mlc_value_type(operands[i]);
        mlc_vec_push(&map_attrs, mlc_affine_map_attr_get(maps[i]));
        if (i >= num_inputs && mlc_type_is(type, MLC_TYPE_TENSOR))
            mlc_vec_push(&results, type);
    }
    MlcOp *op = mlc_linalg_generic(b, results.data, results.size, operands, num_inputs,
                                   operands + num_inputs, num_outputs,
                                   mlc_array_attr_get(b->ctx, map_attrs.data, n),
                                   iterator_types(b->ctx, iterators, num_loops));
    mlc_vec_release(&map_attrs);
    mlc_vec_release(&results);
    return op;
}

MlcBlock *
mlc_build_generic_body(MlcBuilder *b, MlcOp *generic)
{
    MlcTypeVec args = {0};
    MLC_FOR_EACH_OPERAND (value, generic)
        mlc_vec_push(&args, mlc_type_element(mlc_value_type(value)));
    MlcBuilder inside = *b;
    MlcBlock *body =
        mlc_builder_create_block(&inside, mlc_op_region(generic, 0), args.data, args.size);
    mlc_vec_release(&args);
    return body;
}

MlcOp *
mlc_build_open_generic(MlcBuilder *b, MlcValue *const *inputs, size_t num_inputs, MlcValue *output,
                       const MlcAffineMap *maps, const MlcIterator *iterators, size_t num_loops)
{
    MlcValueVec operands = {0};
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&operands, inputs[i]);
    mlc_vec_push(&operands, output);
    MlcOp *op = mlc_build_bare_generic(b, operands.data, num_inputs, 1, maps, iterators, num_loops);
    mlc_build_generic_body(b, op);
    mlc_vec_release(&operands);
    return op;
}

MlcValue *
mlc_build_copy(MlcBuilder *b, MlcValue *source, MlcValue *fill, MlcValue *dest)
{
    size_t rank = mlc_type_rank(mlc_value_type(dest));
    MlcAffineMap map = mlc_affine_map_identity(b->ctx, (unsigned)rank);
    MlcAffineMap maps[2] = {map, map};
    MlcIterator iterators[MLC_BUILD_RANK] = {MLC_ITERATOR_PARALLEL};
    MlcOp *op = mlc_build_open_generic(b, &source, source != NULL, dest, maps, iterators, rank);
    MlcBuilder inside = *b;
    mlc_builder_at_end(&inside, mlc_region_first(mlc_op_region(op, 0)));
    MlcValue *element = source ? mlc_block_arg(inside.block, 0) : fill;
    mlc_linalg_yield(&inside, &element, 1);
    return mlc_op_result(op, 0);
}

// The op, its region still empty.
static MlcOp *
build_op(MlcBuilder *b, const MlcGeneric *g)
{
    MlcValue *operands[MLC_BUILD_MAX_INPUTS + 1];
    MlcIterator iterators[MLC_BUILD_RANK];
    if (g->def) {
        MlcType type = mlc_value_type(g->output);
        const MlcTypes results[] = {{&type, 1}};
        const MlcValues groups[] = {{g->inputs, g->num_inputs}, {&g->output, 1}};
        return mlc_build_groups(b, g->def, results, groups, NULL, NULL, 1);
    }
    memcpy(operands, g->inputs, g->num_inputs * sizeof *operands);
    operands[g->num_inputs] = g->output;
    for (size_t i = 0; i < g->num_loops; i++)
        iterators[i] =
            g->iterators && g->iterators[i] == 'r' ? MLC_ITERATOR_REDUCTION : MLC_ITERATOR_PARALLEL;
    return mlc_build_bare_generic(b, operands, g->num_inputs, 1, g->maps, iterators, g->num_loops);
}

MlcValue *
mlc_build_generic(MlcBuilder *b, const MlcGeneric *g)
{
    MlcOp *op = build_op(b, g);
    for (size_t i = 0; i < g->num_extra; i++)
        mlc_op_set_attr_str(op, mlc_string_attr_value(g->extra[i].name), g->extra[i].value);
    return fill_region(b, op, g) ? mlc_op_result(op, 0) : NULL;
}

MlcValue *
mlc_build_filled(MlcBuilder *b, const MlcTensorShape *shape, MlcType element, double value)
{
    int64_t whole = value >= 0x1p63 ? INT64_MAX : (int64_t)value;
    MlcValue *scalar = mlc_type_is_float(element) ? mlc_build_float(b, element, value)
                                                  : mlc_build_int(b, element, whole);
    static const char *const names[] = {"value", "out"};
    MlcGeneric fill = {.def = &mlc_linalg_fill_def,
                       .inputs = {scalar},
                       .num_inputs = 1,
                       .output = mlc_build_empty_shape(b, shape, element),
                       .body = "value",
                       .names = names};
    return mlc_build_generic(b, &fill);
}

// ---- reshapes

static MlcAttr
reassociation(MlcBuilder *b, const size_t *group, size_t rank, size_t num_groups)
{
    MlcAttr groups[MLC_BUILD_RANK], dims[MLC_BUILD_RANK];
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    for (size_t g = 0; g < num_groups; g++) {
        size_t n = 0;
        for (size_t i = 0; i < rank; i++)
            if (group[i] == g)
                dims[n++] = mlc_integer_attr_get(i64, (int64_t)i);
        groups[g] = mlc_array_attr_get(b->ctx, dims, n);
    }
    return mlc_array_attr_get(b->ctx, groups, num_groups);
}

MlcValue *
mlc_build_expand_shape(MlcBuilder *b, MlcValue *value, MlcType type, MlcAttr reassociation)
{
    return mlc_tensor_expand_shape(b, type, value, NULL, 0, reassociation, mlc_type_shape(type),
                                   mlc_type_rank(type));
}

MlcValue *
mlc_build_collapse_to(MlcBuilder *b, MlcValue *tensor, const size_t *group,
                      const MlcTensorShape *shape)
{
    MlcType from = mlc_value_type(tensor);
    if (mlc_type_rank(from) == shape->rank)
        return tensor;
    MlcType type = mlc_tensor_shape_type(shape, mlc_type_element(from));
    return mlc_tensor_collapse_shape(b, type, tensor,
                                     reassociation(b, group, mlc_type_rank(from), shape->rank));
}

MlcValue *
mlc_build_expand_to(MlcBuilder *b, MlcValue *tensor, const size_t *group,
                    const MlcTensorShape *shape)
{
    MlcType from = mlc_value_type(tensor),
            type = mlc_tensor_shape_type(shape, mlc_type_element(from));
    if (mlc_type_rank(from) == shape->rank)
        return tensor;
    MlcValue *sizes[MLC_BUILD_RANK];
    size_t n = dynamic_values(shape, sizes);
    return mlc_tensor_expand_shape(b, type, tensor, sizes, n,
                                   reassociation(b, group, shape->rank, mlc_type_rank(from)),
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
mlc_can_build_reshape(MlcType from, MlcType to)
{
    size_t ga[MLC_BUILD_RANK], gb[MLC_BUILD_RANK];
    size_t rank_a = mlc_type_rank(from), rank_b = mlc_type_rank(to);
    if (has_zero(from) || rank_a == 0 || rank_b == 0)
        return mlc_type_has_static_shape(from) && mlc_type_has_static_shape(to);
    return match_shapes(mlc_type_shape(from), rank_a, mlc_type_shape(to), rank_b, ga, gb) > 0;
}

MlcValue *
mlc_build_reshape(MlcBuilder *b, MlcValue *tensor, const MlcTensorShape *shape)
{
    size_t group_a[MLC_BUILD_RANK] = {0}, group_b[MLC_BUILD_RANK] = {0};
    MlcType from = mlc_value_type(tensor);
    MlcTensorShape old;
    if (has_zero(from))
        return mlc_build_empty_shape(b, shape, mlc_type_element(from));
    mlc_build_shape_of(b, tensor, &old);
    MlcTensorShape middle = {.rank = 0};
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
    tensor = mlc_build_collapse_to(b, tensor, group_a, &middle);
    return mlc_build_expand_to(b, tensor, group_b, shape);
}

// ---- padding, slices

MlcValue *
mlc_build_pad(MlcBuilder *b, MlcValue *tensor, const int64_t *low, const int64_t *high,
              MlcAttr value)
{
    MlcType from = mlc_value_type(tensor);
    size_t rank = mlc_type_rank(from);
    int64_t dims[MLC_BUILD_RANK];
    bool any = false;
    for (size_t i = 0; i < rank; i++) {
        int64_t dim = mlc_type_dim(from, i);
        any |= low[i] || high[i];
        dims[i] = dim == MLC_DYNAMIC ? dim : dim + low[i] + high[i];
    }
    if (!any)
        return tensor;
    MlcType type = mlc_tensor_type_get(mlc_type_element(from), dims, rank, NULL);
    MlcValue *constant = mlc_build_constant(b, value);
    MlcValue *padded = mlc_tensor_pad(b, type, tensor, NULL, 0, NULL, 0, low, rank, high, rank);
    MlcBuilder saved = *b;
    MlcType index[MLC_BUILD_RANK];
    for (size_t i = 0; i < rank; i++)
        index[i] = mlc_index_type_get(b->ctx);
    mlc_builder_create_block(b, mlc_op_region(mlc_value_def(padded), 0), index, rank);
    mlc_tensor_yield(b, constant);
    *b = saved;
    return padded;
}

// The window of `shape` at `offsets`, element by element.
static MlcSlice
slice_of(const int64_t *offsets, const MlcTensorShape *shape)
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
mlc_build_insert_slice(MlcBuilder *b, MlcValue *source, MlcValue *dest, const int64_t *offsets)
{
    MlcTensorShape shape;
    mlc_build_shape_of(b, source, &shape);
    MlcSlice slice = slice_of(offsets, &shape);
    MlcValue *operands[] = {source, dest};
    MlcOp *op =
        mlc_build_slice(b, &mlc_tensor_insert_slice_def, mlc_value_type(dest), operands, 2, &slice);
    return mlc_op_result(op, 0);
}

MlcValue *
mlc_build_insert_slice_at(MlcBuilder *b, MlcValue *source, MlcValue *dest, const MlcMixed *offsets)
{
    int64_t none[MLC_BUILD_RANK] = {0};
    MlcTensorShape shape;
    mlc_build_shape_of(b, source, &shape);
    MlcSlice slice = slice_of(none, &shape);
    for (size_t i = 0; i < shape.rank; i++)
        slice.offsets.items[i] = offsets[i];
    MlcValue *operands[] = {source, dest};
    MlcOp *op =
        mlc_build_slice(b, &mlc_tensor_insert_slice_def, mlc_value_type(dest), operands, 2, &slice);
    return mlc_op_result(op, 0);
}

MlcValue *
mlc_build_extract_slice_at(MlcBuilder *b, MlcValue *source, const MlcMixed *offsets,
                           const MlcTensorShape *shape)
{
    int64_t none[MLC_BUILD_RANK] = {0};
    MlcSlice slice = slice_of(none, shape);
    for (size_t i = 0; i < shape->rank; i++)
        slice.offsets.items[i] = offsets[i];
    MlcType type = mlc_tensor_shape_type(shape, mlc_type_element(mlc_value_type(source)));
    return mlc_op_result(
        mlc_build_slice(b, &mlc_tensor_extract_slice_def, type, &source, 1, &slice), 0);
}

MlcValue *
mlc_build_extract_slice(MlcBuilder *b, MlcValue *source, const int64_t *offsets,
                        const MlcTensorShape *shape)
{
    MlcSlice slice = slice_of(offsets, shape);
    MlcType type = mlc_tensor_shape_type(shape, mlc_type_element(mlc_value_type(source)));
    return mlc_op_result(
        mlc_build_slice(b, &mlc_tensor_extract_slice_def, type, &source, 1, &slice), 0);
}

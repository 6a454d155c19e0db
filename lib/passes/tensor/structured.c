// structured.c -- see structured.h.
//
// An index value that comes from an affine.apply is replaced by the apply's expression, so the
// positions that passes write down are in terms of induction variables and constants, however many
// slices lie in between.
#include "structured.h"

#include <stdlib.h>

#include "mlc/ir.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

void
mlc_ivs_release(MlcIvs *ivs)
{
    mlc_vec_release(&ivs->values);
    mlc_map_release(&ivs->cache);
}

static MlcAffineExpr
dim_of(MlcIvs *ivs, MlcContext *ctx, MlcValue *value)
{
    for (size_t i = 0; i < ivs->values.size; i++)
        if (ivs->values.data[i] == value)
            return mlc_affine_dim(ctx, (unsigned)i);
    mlc_vec_push(&ivs->values, value);
    return mlc_affine_dim(ctx, (unsigned)ivs->values.size - 1);
}

MlcAffineExpr
mlc_ivs_expr(MlcIvs *ivs, MlcContext *ctx, MlcValue *value)
{
    int64_t constant;
    if (mlc_value_constant_int(value, &constant))
        return mlc_affine_constant(ctx, constant);
    MlcOp *def = mlc_value_def(value);
    if (!mlc_affine_apply_isa(def))
        return dim_of(ivs, ctx, value);
    MlcAffineMap map = mlc_affine_map_attr_value(mlc_op_attr(def, "map"));
    size_t n = mlc_op_num_operands(def);
    unsigned num_dims = mlc_affine_map_num_dims(map);
    MlcAffineExpr inputs[2 * MLC_MAX_LOOPS];
    if (n > 2 * MLC_MAX_LOOPS)
        return dim_of(ivs, ctx, value);
    for (size_t i = 0; i < n; i++)
        inputs[i] = mlc_ivs_expr(ivs, ctx, mlc_op_operand(def, i));
    return mlc_affine_replace(mlc_affine_map_result(map, 0), inputs, num_dims, inputs + num_dims,
                              n - num_dims);
}

static MlcValue *
build_apply(MlcIvs *ivs, MlcBuilder *b, MlcAffineExpr e)
{
    size_t n = ivs->values.size, used = 0;
    MlcAffineExpr *renumber = mlc_malloc((n + 1) * sizeof *renumber);
    MlcValue **operands = mlc_malloc((n + 1) * sizeof(MlcValue *));
    for (size_t i = 0; i < n; i++) {
        renumber[i] = mlc_affine_dim(b->ctx, (unsigned)used);
        if (mlc_affine_uses_dim(e, (unsigned)i))
            operands[used++] = ivs->values.data[i];
    }
    e = mlc_affine_replace(e, renumber, n, NULL, 0);
    MlcAffineMap map = mlc_affine_map_get(b->ctx, (unsigned)used, 0, &e, 1);
    MlcValue *value = mlc_affine_apply(b, operands, used, map);
    mlc_free(renumber);
    mlc_free(operands);
    return value;
}

MlcValue *
mlc_ivs_value(MlcIvs *ivs, MlcBuilder *b, MlcAffineExpr e)
{
    if (mlc_affine_kind(e) == MLC_AFFINE_DIM)
        return ivs->values.data[mlc_affine_position(e)];
    if (ivs->block != b->block)
        mlc_map_clear(&ivs->cache);
    ivs->block = b->block;
    MlcValue *value = mlc_map_get(&ivs->cache, e);
    if (value)
        return value;
    int64_t constant;
    value = mlc_affine_is_constant(e, &constant) ? mlc_build_index(b, constant)
                                                 : build_apply(ivs, b, e);
    mlc_map_set(&ivs->cache, e, value);
    return value;
}

bool
mlc_window_is_whole(const MlcWindow *w, MlcType type)
{
    for (size_t i = 0; i < w->rank; i++) {
        int64_t offset;
        if (!mlc_affine_is_constant(w->offsets[i], &offset) || offset != 0 ||
            w->sizes[i] != mlc_type_dim(type, i))
            return false;
    }
    return true;
}

void
mlc_operand_window(MlcAffineMap map, const MlcWindow *loops, MlcWindow *w)
{
    w->rank = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < w->rank; i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        int64_t coefficients[MLC_MAX_LOOPS + 1], size = 1, divisor;
        int divided = mlc_affine_divided_dim(e, &divisor);
        if (divided >= 0) { // tiles start at multiples
            w->sizes[i] = loops->sizes[divided] / divisor;
            w->offsets[i] =
                mlc_affine_binary(MLC_AFFINE_FLOORDIV, loops->offsets[divided],
                                  mlc_affine_constant(mlc_affine_map_context(map), divisor));
            continue;
        }
        mlc_affine_linear(e, (unsigned)loops->rank, 0, coefficients);
        for (size_t d = 0; d < loops->rank; d++)
            size += coefficients[d] * (loops->sizes[d] - 1);
        w->sizes[i] = size;
        w->offsets[i] = mlc_affine_replace(e, loops->offsets, loops->rank, NULL, 0);
    }
}

// Where a window begins: static offsets as numbers, others as `values` too; steps of 1.
typedef struct SliceParts {
    int64_t offsets[MLC_MAX_RANK], strides[MLC_MAX_RANK];
    MlcValue *values[MLC_MAX_RANK];
    size_t num_values;
} SliceParts;

static void
slice_parts(MlcBuilder *b, MlcIvs *ivs, const MlcWindow *w, SliceParts *s)
{
    s->num_values = 0;
    for (size_t i = 0; i < w->rank; i++) {
        s->strides[i] = 1;
        if (mlc_affine_is_constant(w->offsets[i], &s->offsets[i]))
            continue;
        s->offsets[i] = MLC_DYNAMIC;
        s->values[s->num_values++] = mlc_ivs_value(ivs, b, w->offsets[i]);
    }
}

MlcValue *
mlc_build_extract_slice(MlcBuilder *b, MlcIvs *ivs, MlcValue *source, const MlcWindow *w,
                        MlcType type)
{
    SliceParts s;
    slice_parts(b, ivs, w, &s);
    return mlc_tensor_extract_slice(b, type, source, s.values, s.num_values, NULL, 0, NULL, 0,
                                    s.offsets, w->rank, w->sizes, w->rank, s.strides, w->rank);
}

MlcValue *
mlc_build_insert_slice(MlcBuilder *b, MlcIvs *ivs, MlcValue *source, MlcValue *dest,
                       const MlcWindow *w)
{
    SliceParts s;
    slice_parts(b, ivs, w, &s);
    return mlc_tensor_insert_slice(b, source, dest, s.values, s.num_values, NULL, 0, NULL, 0,
                                   s.offsets, w->rank, w->sizes, w->rank, s.strides, w->rank);
}

bool
mlc_window_of_slice(MlcOp *slice, size_t num_fixed, MlcIvs *ivs, MlcWindow *w)
{
    MlcAttr offsets = mlc_op_attr(slice, "static_offsets");
    MlcAttr sizes = mlc_op_attr(slice, "static_sizes");
    MlcAttr strides = mlc_op_attr(slice, "static_strides");
    size_t dynamic = num_fixed;
    w->rank = mlc_int_list_attr_size(offsets);
    if (w->rank > MLC_MAX_RANK)
        return false;
    for (size_t i = 0; i < w->rank; i++) {
        int64_t offset, stride;
        if (!mlc_int_list_attr_get(offsets, i, &offset) ||
            !mlc_int_list_attr_get(sizes, i, &w->sizes[i]) || w->sizes[i] == MLC_DYNAMIC ||
            !mlc_int_list_attr_get(strides, i, &stride) || stride != 1)
            return false;
        w->offsets[i] = offset == MLC_DYNAMIC ? mlc_ivs_expr(ivs, mlc_op_context(slice),
                                                             mlc_op_operand(slice, dynamic++))
                                              : mlc_affine_constant(mlc_op_context(slice), offset);
    }
    return true;
}

MlcOp *
mlc_build_for(MlcBuilder *b, int64_t lower, int64_t upper, int64_t step, MlcValue *const *inits,
              size_t num_inits)
{
    MlcType *types = mlc_malloc((num_inits + 1) * sizeof(MlcType));
    types[0] = mlc_index_type_get(b->ctx);
    for (size_t i = 0; i < num_inits; i++)
        types[i + 1] = mlc_value_type(inits[i]);
    MlcValue *from = mlc_build_index(b, lower), *to = mlc_build_index(b, upper);
    MlcOp *loop =
        mlc_scf_for(b, types + 1, num_inits, from, to, mlc_build_index(b, step), inits, num_inits);
    mlc_builder_create_block(b, mlc_op_region(loop, 0), types, num_inits + 1);
    mlc_free(types);
    return loop;
}

void
mlc_build_yield(MlcBuilder *b, MlcValue *const *values, size_t num_values)
{
    mlc_scf_yield(b, values, num_values);
}

MlcValue *
mlc_build_empty(MlcBuilder *b, MlcType type)
{
    return mlc_tensor_empty(b, type, NULL, 0);
}

MlcValue *
mlc_build_collapse_shape(MlcBuilder *b, MlcValue *value, MlcType type, MlcAttr reassociation)
{
    return mlc_tensor_collapse_shape(b, type, value, reassociation);
}

MlcValue *
mlc_build_expand_shape(MlcBuilder *b, MlcValue *value, MlcType type, MlcAttr reassociation)
{
    return mlc_tensor_expand_shape(b, type, value, NULL, 0, reassociation, mlc_type_shape(type),
                                   mlc_type_rank(type));
}

MlcValue *
mlc_build_copy(MlcBuilder *b, MlcValue *source, MlcValue *fill, MlcValue *dest)
{
    size_t rank = mlc_type_rank(mlc_value_type(dest));
    MlcAffineMap map = mlc_affine_map_identity(b->ctx, (unsigned)rank);
    MlcAffineMap maps[2] = {map, map};
    MlcIterator iterators[MLC_MAX_LOOPS] = {MLC_ITERATOR_PARALLEL};
    MlcOp *op = mlc_build_generic(b, &source, source != NULL, dest, maps, iterators, rank);
    MlcBuilder inside = *b;
    mlc_builder_at_end(&inside, mlc_region_first(mlc_op_region(op, 0)));
    MlcValue *element = source ? mlc_block_arg(inside.block, 0) : fill;
    mlc_linalg_yield(&inside, &element, 1);
    return mlc_op_result(op, 0);
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
mlc_build_empty_generic(MlcBuilder *b, MlcValue *const *operands, size_t num_inputs,
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
mlc_build_generic(MlcBuilder *b, MlcValue *const *inputs, size_t num_inputs, MlcValue *output,
                  const MlcAffineMap *maps, const MlcIterator *iterators, size_t num_loops)
{
    MlcValueVec operands = {0};
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&operands, inputs[i]);
    mlc_vec_push(&operands, output);
    MlcOp *op =
        mlc_build_empty_generic(b, operands.data, num_inputs, 1, maps, iterators, num_loops);
    mlc_build_generic_body(b, op);
    mlc_vec_release(&operands);
    return op;
}

bool
mlc_value_is_zero(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!def || !mlc_op_is_static_structured(def))
        return false;
    MlcValue *element = mlc_op_operand(mlc_block_last(mlc_structured_body(def)), 0);
    if (mlc_value_block(element) == mlc_structured_body(def) && !mlc_value_def(element)) {
        size_t i = mlc_value_index(element);
        if (i >= mlc_op_num_operands(def))
            return false;
        element = mlc_op_operand(def, i); // linalg.fill
    }
    MlcAttr constant = mlc_value_constant(element);
    return constant && mlc_attr_is(constant, MLC_ATTR_FLOAT) &&
           mlc_float_attr_as_double(constant) == 0;
}

bool
mlc_value_is_empty_tensor(MlcValue *value)
{
    return mlc_tensor_empty_isa(mlc_value_def(value));
}

// The element-wise op that alone reads `value`, in the order of its own result.
static MlcOp *
elementwise_user(MlcValue *value, MlcBlock *block)
{
    MlcUse *use = mlc_value_has_one_use(value) ? mlc_value_first_use(value) : NULL;
    MlcOp *user = use ? mlc_use_owner(use) : NULL;
    if (!user || mlc_op_block(user) != block || !mlc_op_is_static_structured(user) ||
        !mlc_structured_is_elementwise(user))
        return NULL;
    size_t num_inputs = mlc_structured_num_inputs(user);
    MlcAffineMap out = mlc_structured_map(user, num_inputs);
    return mlc_use_index(use) < num_inputs && mlc_structured_map(user, mlc_use_index(use)) == out &&
                   mlc_affine_map_is_projected_permutation(out, false)
               ? user
               : NULL;
}

MlcOp *
mlc_structured_root(MlcOp *op)
{
    MlcOp *root = op, *user;
    while ((user = elementwise_user(mlc_op_result(root, 0), mlc_op_block(op))))
        root = user;
    if (root != op)
        return root;
    MlcValue *value = mlc_op_result(op, 0);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_after(&b, op);
    MlcValue *place = mlc_build_empty(&b, mlc_value_type(value));
    MlcValue *copy = mlc_build_copy(&b, place, NULL, place);
    mlc_value_replace_uses(value, copy);
    mlc_op_set_operand(mlc_value_def(copy), 0, value);
    return mlc_value_def(copy);
}

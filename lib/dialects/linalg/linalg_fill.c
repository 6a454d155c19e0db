// linalg_fill.c -- what reads a filled tensor reads the value; what reshapes, pads, packs, copies
// or transposes one fills another instead.
#include "linalg_impl.h"

#include "mlc/dialects/linalg_body.h"

#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/tensor.h"
#include "mlc/dialects/affine.h"

MlcOp *
mlc_linalg_yield_input(MlcOp *op)
{
    MlcBuilder body;
    mlc_builder_init(&body, mlc_op_context(op));
    body.loc = mlc_op_loc(op);
    MlcType elements[2] = {mlc_type_element(mlc_op_operand_type(op, 0)),
                           mlc_type_element(mlc_op_operand_type(op, 1))};
    MlcValue *in =
        mlc_block_arg(mlc_builder_create_block(&body, mlc_op_region(op, 0), elements, 2), 0);
    mlc_linalg_yield(&body, &in, 1);
    return op;
}

MlcValue *
mlc_linalg_build_fill(MlcBuilder *b, MlcValue *value, MlcValue *dest)
{
    MlcType type = mlc_value_type(dest);
    MlcOp *op = mlc_linalg_fill(b, &type, is_tensor(type), &value, 1, &dest, 1);
    mlc_structured_build_body(op);
    return mlc_op_num_results(op) ? mlc_op_result(op, 0) : NULL;
}

// The fill that makes operand i, NULL if none does; its operands are the value and the destination.
static MlcOp *
fill_of(const MlcOp *op, size_t i)
{
    MlcOp *def = operand_def(op, i);
    return mlc_linalg_fill_isa(def) && mlc_op_num_results(def) == 1 ? def : NULL;
}

static bool
replace_by_fill(MlcRewriter *rw, MlcOp *op, MlcOp *fill, MlcValue *dest)
{
    return mlc_linalg_replace(
        rw, op, mlc_linalg_build_fill(mlc_rewriter_builder(rw), mlc_op_operand(fill, 0), dest));
}

// reshape(fill(v, t)) -> fill(v, reshape(t))
bool
mlc_linalg_reshape_of_fill(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *fill = fill_of(op, 0);
    if (!fill)
        return false;
    MlcOp *made = mlc_op_clone(op, NULL);
    mlc_op_set_operand(made, 0, mlc_op_operand(fill, 1));
    mlc_builder_insert(mlc_rewriter_builder(rw), made);
    return replace_by_fill(rw, op, fill, mlc_op_result(made, 0));
}

// extract(fill(v, t)) -> v
bool
mlc_linalg_extract_of_fill(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *fill = fill_of(op, 0);
    return fill && mlc_linalg_replace(rw, op, mlc_op_operand(fill, 0));
}

// copy(fill(v, t), u), transpose likewise -> fill(v, u)
bool
mlc_linalg_copy_of_fill(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *fill = fill_of(op, 0);
    return fill && mlc_op_num_results(op) == 1 &&
           replace_by_fill(rw, op, fill, mlc_op_operand(op, 1));
}

// copy(x, fill(v, t)) -> copy(x, t)
bool
mlc_linalg_copy_over_fill(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *fill = fill_of(op, 1);
    if (!fill)
        return false;
    mlc_op_set_operand(op, 1, mlc_op_operand(fill, 1));
    mlc_rewriter_changed(rw, op);
    return true;
}

// pack(fill(v, t)), padded with v -> fill(v, the destination)
bool
mlc_linalg_pack_of_fill(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *fill = fill_of(op, 0);
    size_t first, count;
    mlc_op_operand_group(op, 2, &first, &count);
    if (!fill || !mlc_value_has_one_use(mlc_op_operand(op, 1)) ||
        (count && mlc_op_operand(op, first) != mlc_op_operand(fill, 0)))
        return false;
    return replace_by_fill(rw, op, fill, mlc_op_operand(op, 1));
}

// The value that a tensor.pad pads with everywhere; NULL if it depends on the place.
static MlcValue *
padding_of(MlcOp *pad)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(pad, 0));
    MlcOp *yield = block ? mlc_block_last(block) : NULL;
    if (!yield || mlc_op_num_operands(yield) != 1)
        return NULL;
    MlcValue *value = mlc_op_operand(yield, 0);
    return mlc_value_is_inside(value, pad) ? NULL : value;
}

// The sum of sizes: a constant, or affine.apply of the values.
static MlcMixed
sum_of(MlcBuilder *b, const MlcMixed *terms, size_t n)
{
    MlcValueMap vm = {NULL, {0}};
    MlcAffineExpr sum = mlc_affine_constant(b->ctx, 0);
    for (size_t i = 0; i < n; i++) {
        int64_t constant;
        if (mlc_mixed_constant(terms[i], &constant)) {
            sum = mlc_affine_add_const(sum, constant);
            continue;
        }
        sum = mlc_affine_add(sum, mlc_affine_dim(b->ctx, (unsigned)vm.operands.size));
        mlc_vec_push(&vm.operands, terms[i].value);
    }
    vm.map = mlc_affine_map_get(b->ctx, (unsigned)vm.operands.size, 0, &sum, 1);
    MlcMixed result = {NULL, 0};
    if (!mlc_affine_map_is_constant(vm.map, &result.constant)) {
        mlc_value_map_compose_fully(&vm);
        mlc_value_map_canonicalize(&vm);
        if (vm.operands.size == 1 &&
            mlc_affine_map_result(vm.map, 0) == (mlc_affine_map_num_dims(vm.map)
                                                     ? mlc_affine_dim(b->ctx, 0)
                                                     : mlc_affine_symbol(b->ctx, 0))) {
            result.value = vm.operands.data[0];
        } else {
            result.value = mlc_affine_apply(b, vm.operands.data, vm.operands.size, vm.map);
        }
    }
    mlc_value_map_release(&vm);
    return result;
}

// tensor.empty of these sizes.
static MlcValue *
build_empty(MlcBuilder *b, const MlcMixedList *sizes, MlcType like)
{
    int64_t shape[MLC_RANK_LIMIT];
    MlcValueVec dynamic = {0};
    for (size_t i = 0; i < sizes->size; i++) {
        shape[i] = mlc_mixed_static(sizes->items[i]);
        if (sizes->items[i].value)
            mlc_vec_push(&dynamic, sizes->items[i].value);
    }
    MlcType type = mlc_tensor_type_get(mlc_type_element(like), shape, sizes->size, NULL);
    MlcValue *empty = mlc_tensor_empty(b, type, dynamic.data, dynamic.size);
    mlc_vec_release(&dynamic);
    return empty;
}

// pad(fill(v, t)) with v -> fill(v, empty of the padded size)
bool
mlc_linalg_pad_of_fill(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *fill = fill_of(op, 0);
    MlcMixedList low, high, sizes = {.size = 0};
    MlcType type = mlc_op_result_type(op, 0);
    if (!fill || padding_of(op) != mlc_op_operand(fill, 0) ||
        !mlc_mixed_list_read(op, "low", &low) || !mlc_mixed_list_read(op, "high", &high) ||
        mlc_type_rank(type) > MLC_RANK_LIMIT)
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        MlcMixed size = mlc_mixed(mlc_type_dim(type, i));
        if (size.constant == MLC_DYNAMIC)
            size = sum_of(b,
                          (MlcMixed[]){mlc_mixed_dim(b, mlc_op_operand(op, 0), i), low.items[i],
                                       high.items[i]},
                          3);
        sizes.items[sizes.size++] = size;
    }
    MlcValue *empty = build_empty(b, &sizes, type);
    return mlc_linalg_replace(
        rw, op, mlc_linalg_cast(b, mlc_linalg_build_fill(b, mlc_op_operand(fill, 0), empty), type));
}

// Dimension i of two insertions, where both know it, shows that they touch no common element.
static bool
is_apart_in(const MlcSlice *a, const MlcSlice *b, size_t i)
{
    const MlcSlice *both[2] = {a, b};
    int64_t first[2], last[2];
    for (size_t k = 0; k < 2; k++) {
        MlcMixed offset = both[k]->offsets.items[i], size = both[k]->sizes.items[i],
                 stride = both[k]->strides.items[i];
        if (offset.value || size.value || stride.value)
            return false;
        first[k] = offset.constant;
        last[k] = offset.constant + (size.constant - 1) * stride.constant;
    }
    return last[0] < first[1] || last[1] < first[0];
}

// The tensor that `insert` and the insertions before it, which it does not touch, are put into;
// NULL if that cannot be told.
static MlcValue *
first_destination(MlcOp *insert, const MlcSlice *slice)
{
    MlcValue *dest = mlc_op_operand(insert, 1);
    for (;;) {
        MlcOp *prior = mlc_value_def(dest);
        MlcSlice other;
        if (!mlc_tensor_insert_slice_isa(prior))
            return dest;
        if (mlc_type_rank(mlc_op_operand_type(prior, 0)) !=
                mlc_type_rank(mlc_op_result_type(prior, 0)) ||
            !mlc_slice_read(prior, &other))
            return NULL;
        bool is_apart = false;
        for (size_t i = 0; i < other.offsets.size; i++)
            is_apart |= is_apart_in(slice, &other, i);
        if (!is_apart)
            return dest;
        dest = mlc_op_operand(prior, 1);
    }
}

// insert_slice(pad(x) with v, fill(v)) -> insert_slice(x, ...), further in by the padding
bool
mlc_linalg_insert_pad_into_fill(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *pad = operand_def(op, 0);
    MlcSlice slice;
    MlcMixedList low;
    if (!mlc_tensor_pad_isa(pad) ||
        mlc_type_rank(mlc_op_operand_type(op, 0)) != mlc_type_rank(mlc_op_result_type(op, 0)) ||
        !mlc_slice_read(op, &slice) || !mlc_mixed_list_read(pad, "low", &low))
        return false;
    MlcValue *dest = first_destination(op, &slice);
    MlcOp *fill = dest ? mlc_value_def(dest) : NULL;
    if (!mlc_linalg_fill_isa(fill) || padding_of(pad) != mlc_op_operand(fill, 0))
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *source = mlc_op_operand(pad, 0);
    for (size_t i = 0; i < slice.offsets.size; i++)
        slice.offsets.items[i] = sum_of(b, (MlcMixed[]){low.items[i], slice.offsets.items[i]}, 2);
    for (size_t i = 0; i < slice.sizes.size; i++)
        slice.sizes.items[i] = mlc_mixed_dim(b, source, i);
    MlcValue *operands[2] = {source, mlc_op_operand(op, 1)};
    mlc_rewriter_replace_with(rw, op,
                              mlc_build_slice(b, &mlc_tensor_insert_slice_def,
                                              mlc_op_result_type(op, 0), operands, 2, &slice));
    return true;
}

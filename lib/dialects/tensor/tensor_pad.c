// tensor_pad.c -- canonicalisation of tensor.pad: widths that are constants, casts on both sides,
// and pads of different dimensions in a row.
#include "tensor_impl.h"

#include "mlc/ir/rewrite.h"

typedef struct Pad {
    MlcMixedList low, high;
} Pad;

static bool
read_pad(const MlcOp *op, Pad *pad)
{
    return mlc_mixed_list_read(op, "low", &pad->low) && mlc_mixed_list_read(op, "high", &pad->high);
}

// Without its region.
static MlcOp *
build_pad(MlcRewriter *rw, MlcOp *like, MlcType type, MlcValue *source, const Pad *pad)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcNamedMixed lists[] = {{"low", &pad->low}, {"high", &pad->high}};
    MlcNamedAttr nofold = {0};
    if (mlc_tensor_pad_nofold(like))
        nofold = mlc_named(b->ctx, "nofold", mlc_unit_attr_get(b->ctx));
    MlcOp *made = mlc_build_op_mixed(b, &mlc_tensor_pad_def, type, &source, 1, lists, 2, nofold, 1);
    mlc_region_take_body(mlc_op_region(made, 0), mlc_op_region(like, 0));
    return made;
}

// pad by 0 -> cast
bool
mlc_tensor_pad_by_nothing(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Pad pad;
    return !mlc_tensor_pad_nofold(op) && read_pad(op, &pad) && mlc_mixed_list_all(&pad.low, 0) &&
           mlc_mixed_list_all(&pad.high, 0) &&
           mlc_tensor_replace_cast(rw, op, mlc_op_operand(op, 0));
}

// pad(cast(x)) -> cast(pad(x)), of x that knows more of its shape
bool
mlc_tensor_pad_of_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cast = mlc_tensor_foldable_cast(mlc_op_operand(op, 0));
    Pad pad;
    int64_t shape[MLC_RANK_LIMIT];
    if (!cast || !read_pad(op, &pad))
        return false;
    MlcType source = mlc_op_operand_type(cast, 0), result = mlc_op_result_type(op, 0);
    for (size_t i = 0; i < pad.low.size; i++)
        shape[i] =
            mlc_tensor_padded_size(mlc_type_dim(source, i), mlc_mixed_static(pad.low.items[i]),
                                   mlc_mixed_static(pad.high.items[i]), mlc_type_dim(result, i));
    MlcType type = mlc_tensor_shaped_like(source, shape, pad.low.size);
    if (type == result) {
        mlc_op_set_operand(op, 0, mlc_op_operand(cast, 0));
        mlc_rewriter_changed(rw, op);
        return true;
    }
    MlcOp *made = build_pad(rw, op, type, mlc_op_operand(cast, 0), &pad);
    return mlc_tensor_replace_cast(rw, op, mlc_op_result(made, 0));
}

// cast(pad(x)) : t -> pad(x) : t, of t that knows more
bool
mlc_tensor_cast_of_pad(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *result = mlc_op_result(op, 0);
    Pad pad;
    if (!mlc_value_has_one_use(result) || !read_pad(op, &pad))
        return false;
    MlcOp *cast = mlc_use_owner(mlc_value_first_use(result));
    if (!mlc_tensor_cast_isa(cast) ||
        !mlc_tensor_knows_as_much(mlc_op_result_type(cast, 0), mlc_value_type(result)))
        return false;
    MlcOp *made = build_pad(rw, op, mlc_op_result_type(cast, 0), mlc_op_operand(op, 0), &pad);
    mlc_rewriter_replace_with(rw, cast, made);
    mlc_rewriter_erase(rw, op);
    return true;
}

static bool
fold_widths(MlcMixedList *list)
{
    bool any = false;
    for (size_t i = 0; i < list->size; i++) {
        MlcMixed folded =
            list->items[i].value ? mlc_mixed_of(list->items[i].value) : list->items[i];
        any |= folded.value != list->items[i].value;
        list->items[i] = folded;
    }
    return any;
}

// Widths that are constants stand in the attributes, if the result's type gets to know more by
// them.
bool
mlc_tensor_make_widths_static(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    int64_t shape[MLC_RANK_LIMIT];
    bool changes = false, all_dynamic = true;
    Pad pad;
    if (!read_pad(op, &pad))
        return false;
    fold_widths(&pad.low);
    fold_widths(&pad.high);
    for (size_t i = 0; i < pad.low.size; i++) {
        int64_t dim = mlc_type_dim(result, i);
        shape[i] = dim != MLC_DYNAMIC
                       ? dim
                       : mlc_tensor_padded_size(mlc_type_dim(source, i),
                                                mlc_mixed_static(pad.low.items[i]),
                                                mlc_mixed_static(pad.high.items[i]), MLC_DYNAMIC);
        changes |= shape[i] != dim;
        all_dynamic &= shape[i] == MLC_DYNAMIC;
    }
    if (!changes || all_dynamic)
        return false;
    MlcType type = mlc_tensor_shaped_like(result, shape, pad.low.size);
    MlcOp *made = build_pad(rw, op, type, mlc_op_operand(op, 0), &pad);
    return mlc_tensor_replace_cast(rw, op, mlc_op_result(made, 0));
}

// --- pads of different dimensions

// The constant that a pad is made of, or NULL.
static MlcAttr
padding_constant(const MlcOp *pad)
{
    MlcOp *yield = mlc_block_last(mlc_region_first(mlc_op_region(pad, 0)));
    return mlc_tensor_yield_isa(yield) ? mlc_value_constant(mlc_op_operand(yield, 0)) : NULL;
}

static bool
is_padded(const Pad *pad, size_t dim)
{
    return !mlc_mixed_is(pad->low.items[dim], 0) || !mlc_mixed_is(pad->high.items[dim], 0);
}

// One window and one pad for two of each: in every dimension one pair does nothing.
static bool
join_windows(const MlcSlice *inner, const MlcSlice *outer, Pad *pad, const Pad *outer_pad,
             MlcType padded_type, MlcSlice *out)
{
    *out = *inner;
    for (size_t i = 0; i < inner->sizes.size; i++) {
        bool inside = is_padded(pad, i), outside = is_padded(outer_pad, i);
        if (inside && outside)
            return false;
        if (!inside && mlc_mixed_is(inner->offsets.items[i], 0))
            out->offsets.items[i] = outer->offsets.items[i];
        else if (outside || !mlc_mixed_is(outer->offsets.items[i], 0))
            return false;
        if (!outside)
            continue;
        if (mlc_type_dim(padded_type, i) == MLC_DYNAMIC ||
            !mlc_mixed_is(inner->sizes.items[i], mlc_type_dim(padded_type, i)))
            return false;
        out->sizes.items[i] = outer->sizes.items[i];
        pad->high.items[i] = outer_pad->high.items[i];
    }
    return true;
}

// pad(slice(pad(slice(x)))) -> pad(slice(x)), if the pads are high ones, of one constant, and no
// dimension is padded twice
bool
mlc_tensor_join_pads(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0)),
          *outer_pad =
              mlc_tensor_extract_slice_isa(inner) ? mlc_value_def(mlc_op_operand(inner, 0)) : NULL,
          *outer =
              mlc_tensor_pad_isa(outer_pad) ? mlc_value_def(mlc_op_operand(outer_pad, 0)) : NULL;
    size_t rank = mlc_type_rank(mlc_op_operand_type(op, 0));
    MlcSlice slices[2], window;
    Pad pads[2];
    if (!mlc_tensor_extract_slice_isa(outer) || mlc_tensor_pad_nofold(outer_pad) ||
        mlc_type_rank(mlc_op_operand_type(outer, 0)) != rank ||
        mlc_type_rank(mlc_op_operand_type(outer_pad, 0)) != rank || !read_pad(op, &pads[0]) ||
        !read_pad(outer_pad, &pads[1]) || !mlc_slice_read(inner, &slices[0]) ||
        !mlc_slice_read(outer, &slices[1]) || !mlc_mixed_list_all(&slices[0].strides, 1) ||
        !mlc_mixed_list_all(&slices[1].strides, 1) || !mlc_mixed_list_all(&pads[0].low, 0) ||
        !mlc_mixed_list_all(&pads[1].low, 0))
        return false;
    MlcAttr constant = padding_constant(op);
    if (!constant || constant != padding_constant(outer_pad) ||
        !join_windows(&slices[0], &slices[1], &pads[0], &pads[1], mlc_op_operand_type(inner, 0),
                      &window))
        return false;
    MlcValue *source = mlc_op_operand(outer, 0);
    MlcType type = mlc_tensor_slice_type(mlc_value_type(source), &window.sizes, rank);
    MlcOp *slice = mlc_build_slice(mlc_rewriter_builder(rw), &mlc_tensor_extract_slice_def, type,
                                   &source, 1, &window);
    mlc_rewriter_replace_with(
        rw, op, build_pad(rw, op, mlc_op_result_type(op, 0), mlc_op_result(slice, 0), &pads[0]));
    return true;
}

// pad to the same static shape -> the source
bool
mlc_tensor_pad_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType type = mlc_op_result_type(op, 0);
    return mlc_op_operand_type(op, 0) == type && mlc_type_has_static_shape(type) &&
           !mlc_tensor_pad_nofold(op) && (results->value = mlc_op_operand(op, 0));
}

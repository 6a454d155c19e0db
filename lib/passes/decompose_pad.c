// decompose_pad.c -- tensor.pad by a constant becomes a fill and a copy into the middle, which tile
// like any op.
//
// The padded tensor is a scratch buffer of the kernel: the copy is small beside the convolution
// that reads it, and makes every window of it a plain one (docs/kernels.md has the times). A pad of
// nothing goes away.
#include "structured.h"

#include "mlc/ir.h"

// The scalar that the region yields; made before the pad if it is a constant inside. NULL: it
// depends on the position.
static MlcValue *
pad_value(MlcOp *pad, MlcBuilder *b)
{
    MlcValue *value = mlc_op_operand(mlc_block_last(mlc_region_first(mlc_op_region(pad, 0))), 0);
    if (!mlc_value_is_inside(value, pad))
        return value;
    MlcAttr constant = mlc_value_constant(value);
    return constant ? mlc_build_constant(b, constant) : NULL;
}

static bool
decompose(MlcOp *pad)
{
    MlcContext *ctx = mlc_op_context(pad);
    MlcValue *source = mlc_op_operand(pad, 0), *result = mlc_op_result(pad, 0);
    MlcType from = mlc_value_type(source), to = mlc_value_type(result);
    MlcAttr low = mlc_op_attr(pad, "static_low");
    MlcWindow w = {.rank = mlc_type_rank(from)};
    if (!mlc_type_has_static_shape(from) || !mlc_type_has_static_shape(to) || w.rank > MLC_MAX_RANK)
        return false;
    for (size_t i = 0; i < w.rank; ++i) {
        int64_t offset;
        if (!mlc_int_list_attr_get(low, i, &offset) || offset == MLC_DYNAMIC || offset < 0 ||
            mlc_type_dim(to, i) < mlc_type_dim(from, i))
            return false;
        w.offsets[i] = mlc_affine_constant(ctx, offset);
        w.sizes[i] = mlc_type_dim(from, i);
    }
    if (from == to) {
        mlc_op_replace(pad, &source, 1);
        return true;
    }
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, pad);
    MlcValue *value = pad_value(pad, &b);
    if (!value)
        return false;
    MlcIvs ivs = {0};
    MlcType tensor = mlc_tensor_type_get(mlc_type_element(from), w.sizes, w.rank, NULL);
    MlcValue *filled = mlc_build_copy(&b, NULL, value, mlc_build_empty(&b, to));
    MlcValue *middle = mlc_build_extract_slice(&b, &ivs, filled, &w, tensor);
    MlcValue *copy = mlc_build_copy(&b, source, NULL, middle);
    MlcValue *padded = mlc_build_insert_slice(&b, &ivs, copy, filled, &w);
    mlc_op_replace(pad, &padded, 1);
    mlc_ivs_release(&ivs);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_POSTORDER (op, root) {
        if (!mlc_str_equal(mlc_op_name(op), mlc_str("tensor.pad")))
            continue;
        if (decompose(op))
            mlc_pass_count(pass, "pads-decomposed", 1);
        else
            mlc_op_remark(
                op, "not decomposed: dynamic or negative, or its value depends on the position");
    }
    return true;
}

static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};

MLC_PASS(decompose_pad, .flag = "decompose-pad",
         .summary = "Turn tensor.pad into a fill and a copy", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)

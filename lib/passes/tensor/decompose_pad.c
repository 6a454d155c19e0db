// decompose_pad.c -- tensor.pad by a constant becomes a fill and a copy into the middle, which tile
// like any op.
//
// The padded tensor is a scratch buffer of the kernel: the copy is small beside a convolution over
// all channels, and makes every window of it a plain one. Where it is not small, `tile` can leave
// the pad out (pads.h); those are kept if asked. A pad of nothing goes away.
#include "pads.h"

#include "mlc/ir.h"

#include "mlc/dialects/tensor.h"

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_tensor_pad_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool keep = mlc_pass_option_bool(pass, "keep-clippable");
    bool around = mlc_pass_option_bool(pass, "around");
    MLC_FOR_EACH_POSTORDER (op, root) {
        MlcClip clip;
        if (!mlc_tensor_pad_isa(op) || (keep && mlc_pad_can_clip(op, &clip)))
            continue;
        if (mlc_pad_decompose(op, mlc_pass_target(pass), around))
            mlc_pass_count(pass, "pads-decomposed", 1);
        else
            mlc_op_remark(
                op, "not decomposed: dynamic or negative, or its value depends on the position");
    }
    return true;
}

static const MlcPassOption options[] = {
    {"keep-clippable", MLC_OPTION_BOOL, "false",
     "leave pads whose reader can be clipped to what is inside, by 'tile'"},
    {"around", MLC_OPTION_BOOL, "false",
     "fill what is around the source alone, in slabs, instead of all"},
};

static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};

MLC_PASS(decompose_pad, .flag = "decompose-pad",
         .summary = "Turn tensor.pad into a fill and a copy", .anchor = "func.func",
         .options = options, .num_options = 2, .dependent_dialects = dialects, .converts = converts,
         .run = run)

// scf_forall.c -- what scf-forall-to-for and scf-forall-to-parallel share.
#include "scf_forall.h"

#include "mlc/dialects/scf.h"

// One list of bounds: operands of the group, and the constants between them.
static void
read_bounds(MlcBuilder *b, MlcOp *op, size_t group, const char *constants, MlcValueVec *out)
{
    MlcAttr list = mlc_op_attr(op, constants);
    size_t next, count;
    mlc_op_operand_group(op, group, &next, &count);
    for (size_t i = 0; i < mlc_dense_array_attr_size(list); i++) {
        int64_t constant = mlc_dense_array_attr_int(list, i);
        mlc_vec_push(out, constant == MLC_DYNAMIC ? mlc_op_operand(op, next++)
                                                  : mlc_build_index(b, constant));
    }
}

static void
replace(MlcOp *op, void (*build)(MlcBuilder *b, const MlcForallBounds *bounds, MlcValueVec *ivs))
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcForallBounds bounds = {0};
    read_bounds(&b, op, 0, "staticLowerBound", &bounds.lower);
    read_bounds(&b, op, 1, "staticUpperBound", &bounds.upper);
    read_bounds(&b, op, 2, "staticStep", &bounds.step);
    MlcValueVec ivs = {0};
    build(&b, &bounds, &ivs);
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    for (size_t i = 0; i < ivs.size; i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), ivs.data[i]);
    mlc_op_erase(mlc_block_last(body));
    mlc_block_splice(b.block, b.before, body);
    mlc_op_erase(op);
    mlc_vec_release(&ivs);
    mlc_vec_release(&bounds.lower);
    mlc_vec_release(&bounds.upper);
    mlc_vec_release(&bounds.step);
}

void
mlc_replace_foralls(MlcOp *root,
                    void (*build)(MlcBuilder *b, const MlcForallBounds *bounds, MlcValueVec *ivs))
{
    MLC_FOR_EACH_POSTORDER (op, root) {
        if (!mlc_scf_forall_isa(op))
            continue;
        if (mlc_op_num_results(op) > 0)
            mlc_op_remark(op, "is left, as it has results: bufferise first");
        else
            replace(op, build);
    }
}

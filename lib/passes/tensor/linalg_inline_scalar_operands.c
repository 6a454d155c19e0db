// linalg_inline_scalar_operands.c -- inputs of which a structured op reads one element alone are
// read in its body instead.
#include "mlc/analysis/structured.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/tensor.h"

static bool
is_constant_map(MlcAffineMap map)
{
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        if (mlc_affine_kind(mlc_affine_map_result(map, i)) != MLC_AFFINE_CONSTANT)
            return false;
    return true;
}

static bool
has_tensors_only(const MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF))
            return false;
    return true;
}

// The element that `map` names, at the builder's place.
static MlcValue *
read_element(MlcBuilder *b, MlcValue *operand, MlcAffineMap map)
{
    if (!mlc_type_is(mlc_value_type(operand), MLC_TYPE_TENSOR))
        return operand;
    MlcValueVec indices = {0};
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        mlc_vec_push(&indices, mlc_build_index(b, mlc_affine_value(mlc_affine_map_result(map, i))));
    MlcValue *element = mlc_tensor_extract(b, operand, indices.data, indices.size);
    mlc_vec_release(&indices);
    return element;
}

static bool
inline_scalars(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t num_inputs = mlc_structured_num_inputs(op), num_loops = mlc_structured_num_loops(op);
    MlcValueVec kept = {0};
    MLC_VEC(size_t) scalars = {0};
    MLC_VEC(MlcAffineMap) maps = {0};
    MLC_VEC(MlcIterator) iterators = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        if (i < num_inputs && is_constant_map(map)) {
            mlc_vec_push(&scalars, i);
            continue;
        }
        mlc_vec_push(&kept, mlc_op_operand(op, i));
        mlc_vec_push(&maps, map);
    }
    bool ok = scalars.size > 0 && has_tensors_only(op);
    if (ok) {
        for (size_t i = 0; i < num_loops; i++)
            mlc_vec_push(&iterators, mlc_structured_iterator(op, i));
        MlcBuilder *b = mlc_rewriter_builder(rw);
        MlcOp *generic = mlc_build_bare_generic(b, kept.data, num_inputs - scalars.size,
                                                mlc_structured_num_outputs(op), maps.data,
                                                iterators.data, num_loops);
        mlc_region_take_body(mlc_op_region(generic, 0), mlc_op_region(op, 0));
        MlcBlock *body = mlc_region_first(mlc_op_region(generic, 0));
        MlcBuilder inside = *b;
        mlc_builder_at_start(&inside, body);
        for (size_t i = scalars.size; i-- > 0;) {
            size_t number = scalars.data[i];
            MlcValue *element =
                read_element(&inside, mlc_op_operand(op, number), mlc_structured_map(op, number));
            mlc_rewriter_replace_value(rw, mlc_block_arg(body, number), element);
            mlc_block_erase_arg(body, number);
        }
        mlc_rewriter_replace_with(rw, op, generic);
    }
    mlc_vec_release(&kept);
    mlc_vec_release(&scalars);
    mlc_vec_release(&maps);
    mlc_vec_release(&iterators);
    return ok;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "linalg.generic: scalars read in the body",
                                               .root = "linalg.generic",
                                               .benefit = 1,
                                               .rewrite = inline_scalars});
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};

MLC_PASS(linalg_inline_scalar_operands, .flag = "linalg-inline-scalar-operands",
         .summary = "Read inputs of one element in the body of linalg.generic",
         .dependent_dialects = dialects, .run = run)

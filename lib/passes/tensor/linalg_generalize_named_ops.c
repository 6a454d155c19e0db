// linalg_generalize_named_ops.c -- structured ops with a name of their own as linalg.generic.
#include "mlc/analysis/structured.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"

static bool
generalize(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    const MlcStructured *methods = mlc_structured(op);
    if (!methods || methods->body_lacks_outputs || mlc_linalg_generic_isa(op) ||
        mlc_op_num_regions(op) != 1)
        return mlc_rewriter_no_match(rw, op, "is not a named op with a body over all operands");
    size_t num_loops = mlc_structured_num_loops(op), num_operands = mlc_op_num_operands(op);
    MlcValueVec operands = {0};
    MLC_VEC(MlcAffineMap) maps = {0};
    MLC_VEC(MlcIterator) iterators = {0};
    for (size_t i = 0; i < num_operands; i++) {
        mlc_vec_push(&operands, mlc_op_operand(op, i));
        mlc_vec_push(&maps, mlc_structured_map(op, i));
    }
    for (size_t i = 0; i < num_loops; i++)
        mlc_vec_push(&iterators, mlc_structured_iterator(op, i));
    MlcOp *generic = mlc_build_bare_generic(
        mlc_rewriter_builder(rw), operands.data, mlc_structured_num_inputs(op),
        mlc_structured_num_outputs(op), maps.data, iterators.data, num_loops);
    mlc_region_take_body(mlc_op_region(generic, 0), mlc_op_region(op, 0));
    mlc_rewriter_replace_with(rw, op, generic);
    mlc_vec_release(&operands);
    mlc_vec_release(&maps);
    mlc_vec_release(&iterators);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return mlc_op_def_interface(op, MLC_INTERFACE_STRUCTURED) && op != &mlc_linalg_generic_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "linalg: named op as linalg.generic",
                                               .interface = MLC_INTERFACE_STRUCTURED + 1,
                                               .benefit = 1,
                                               .rewrite = generalize});
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"linalg", NULL};

MLC_PASS(linalg_generalize_named_ops, .flag = "linalg-generalize-named-ops",
         .summary = "Turn named structured ops into linalg.generic", .dependent_dialects = dialects,
         .converts = converts, .run = run)

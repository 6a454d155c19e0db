// affine_expand_index_ops.c -- affine.delinearize_index as affine.apply: each index is a quotient
// by the product of the sizes behind it, and what remains goes on.
#include "mlc/dialects/affine.h"
#include "mlc/dialects/affine_compose.h"
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

// kind(x, y), composed with what makes them.
static MlcValue *
combine(MlcBuilder *b, MlcAffineKind kind, MlcValue *x, MlcValue *y, bool are_symbols)
{
    MlcAffineExpr lhs = are_symbols ? mlc_affine_symbol(b->ctx, 0) : mlc_affine_dim(b->ctx, 0);
    MlcAffineExpr rhs = are_symbols ? mlc_affine_symbol(b->ctx, 1) : mlc_affine_dim(b->ctx, 1);
    MlcAffineExpr e = mlc_affine_binary(kind, lhs, rhs);
    MlcValueMap vm = {0};
    vm.map = mlc_affine_map_get(b->ctx, are_symbols ? 0 : 2, are_symbols ? 2 : 0, &e, 1);
    mlc_vec_push(&vm.operands, x);
    mlc_vec_push(&vm.operands, y);
    return mlc_value_map_build(b, &vm);
}

static bool
expand(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    size_t n = mlc_op_num_operands(op) - 1;
    MlcValueVec divisors = {0}, indices = {0};
    for (size_t i = 1; i < n; i++) { // the product of sizes i, i + 1 ...
        MlcValue *product = mlc_op_operand(op, i + 1);
        for (size_t j = i + 1; j < n; j++)
            product = combine(b, MLC_AFFINE_MUL, product, mlc_op_operand(op, j + 1), true);
        mlc_vec_push(&divisors, product);
    }
    MlcValue *rest = mlc_op_operand(op, 0);
    for (size_t i = 0; i < divisors.size; i++) {
        MlcValue *divisor = divisors.data[i];
        mlc_vec_push(&indices, combine(b, MLC_AFFINE_FLOORDIV, rest, divisor, false));
        rest = combine(b, MLC_AFFINE_MOD, rest, divisor, false);
    }
    mlc_vec_push(&indices, rest);
    mlc_rewriter_replace(rw, op, indices.data, indices.size);
    mlc_vec_release(&divisors);
    mlc_vec_release(&indices);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_affine_delinearize_index_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "affine.delinearize_index: divisions",
                                               .root = "affine.delinearize_index",
                                               .benefit = 1,
                                               .rewrite = expand});
    mlc_apply_patterns_greedily(root, patterns, NULL);
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"affine", "arith", NULL};

MLC_PASS(affine_expand_index_ops, .flag = "affine-expand-index-ops",
         .summary = "Lower affine operations on indices into fundamental ones",
         .dependent_dialects = dialects, .converts = converts, .run = run)

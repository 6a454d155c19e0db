// linalg_to_scf.c -- structured ops on buffers as scf loops around loads, the scalar body and
// stores.
//
// Loops have the sizes of the first operand dimension that each runs along by itself, as in MLIR.
// Structured ops on tensors stay.
#include "linalg_to_scf.h"

#include "linalg_loops.h"

#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/ir/mixed.h"
#include "mlc/ir/rewrite.h"

// The element's indices behind the memref.
static void
push_indices(MlcBuilder *b, MlcAffineMap map, MlcValue *const *ivs, MlcValueVec *out)
{
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcValueMap index = {.map = mlc_affine_map_sub(map, &i, 1)};
        for (size_t d = 0; d < mlc_affine_map_num_dims(map); d++)
            mlc_vec_push(&index.operands, ivs[d]);
        mlc_vec_push(out, mlc_value_map_build(b, &index));
    }
}

static MlcValue *
build_load(MlcBuilder *b, MlcValue *memref, MlcAffineMap map, MlcValue *const *ivs)
{
    MlcValueVec indices = {0};
    push_indices(b, map, ivs, &indices);
    MlcValue *value = mlc_memref_load(b, memref, indices.data, indices.size);
    mlc_vec_release(&indices);
    return value;
}

static void
build_store(MlcBuilder *b, MlcValue *value, MlcValue *memref, MlcAffineMap map,
            MlcValue *const *ivs)
{
    MlcValueVec indices = {0};
    push_indices(b, map, ivs, &indices);
    mlc_memref_store(b, value, memref, indices.data, indices.size);
    mlc_vec_release(&indices);
}

const MlcElementAccess mlc_plain_access = {build_load, build_store};

// Sizes of all dimensions of the operands, in order, and of each loop the first of them that it
// runs along: in a verified op there is one for each.
static void
loop_sizes(MlcOp *op, MlcBuilder *b, MlcMixed *sizes, size_t num_loops)
{
    bool found[MLC_RANK_LIMIT] = {false};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        MlcValue *operand = mlc_op_operand(op, i);
        for (size_t r = 0; r < mlc_affine_map_num_results(map); r++) {
            MlcMixed size = mlc_mixed_dim(b, operand, r);
            MlcAffineExpr e = mlc_affine_map_result(map, r);
            unsigned d =
                mlc_affine_kind(e) == MLC_AFFINE_DIM ? mlc_affine_position(e) : MLC_RANK_LIMIT;
            if (d >= num_loops || found[d])
                continue;
            found[d] = true;
            sizes[d] = size;
        }
    }
}

typedef struct Range {
    MlcValue *lower, *upper, *step;
} Range;

static void
open_for(MlcBuilder *b, const Range *range, MlcValue **iv)
{
    MlcOp *loop = mlc_scf_for(b, NULL, 0, range->lower, range->upper, range->step, NULL, 0);
    MlcType index = mlc_index_type_get(b->ctx);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), &index, 1);
    *iv = mlc_block_arg(body, 0);
    mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
}

static void
open_parallel(MlcBuilder *b, const Range *ranges, size_t n, MlcValue **ivs)
{
    MlcValue *lower[MLC_RANK_LIMIT], *upper[MLC_RANK_LIMIT], *steps[MLC_RANK_LIMIT];
    MlcType types[MLC_RANK_LIMIT];
    for (size_t i = 0; i < n; i++) {
        lower[i] = ranges[i].lower;
        upper[i] = ranges[i].upper;
        steps[i] = ranges[i].step;
        types[i] = mlc_index_type_get(b->ctx);
    }
    MlcOp *loop = mlc_scf_parallel(b, NULL, 0, lower, n, upper, n, steps, n, NULL, 0);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types, n);
    for (size_t i = 0; i < n; i++)
        ivs[i] = mlc_block_arg(body, i);
    mlc_builder_before(b, mlc_scf_reduce(b, NULL, 0, 0));
}

static bool
lower(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const bool *parallel = pattern->user;
    size_t n = mlc_structured_num_loops(op);
    if (mlc_structured_has_tensors(op) || n > MLC_RANK_LIMIT || !mlc_structured_body(op))
        return mlc_rewriter_no_match(rw, op, "works on tensors, or has no scalar body");
    MlcBuilder b = *mlc_rewriter_builder(rw);
    MlcMixed sizes[MLC_RANK_LIMIT];
    Range ranges[MLC_RANK_LIMIT];
    MlcValue *ivs[MLC_RANK_LIMIT];
    loop_sizes(op, &b, sizes, n);
    for (size_t i = 0; i < n; i++) {
        ranges[i].lower = mlc_build_index(&b, 0);
        ranges[i].upper = mlc_mixed_value(&b, sizes[i]);
        ranges[i].step = mlc_build_index(&b, 1);
    }
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (*parallel && end < n && mlc_structured_iterator(op, end) == MLC_ITERATOR_PARALLEL)
            end++;
        if (end > i)
            open_parallel(&b, ranges + i, end - i, ivs + i);
        else
            open_for(&b, &ranges[end++], &ivs[i]);
        i = end;
    }
    mlc_structured_build_point(op, &b, ivs, &mlc_plain_access);
    mlc_rewriter_erase(rw, op);
    return true;
}

void
mlc_lower_structured_to_scf(MlcPass *pass, MlcOp *root, bool parallel)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "linalg: scf loops",
                                               .interface = MLC_INTERFACE_STRUCTURED + 1,
                                               .benefit = 1,
                                               .rewrite = lower,
                                               .user = &parallel});
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
}

static bool
converts(const MlcOpDef *op)
{
    return mlc_op_def_interface(op, MLC_INTERFACE_STRUCTURED) != NULL;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    mlc_lower_structured_to_scf(pass, root, false);
    return true;
}

static const char *const dialects[] = {"affine", "arith", "memref", "scf", NULL};

MLC_PASS(linalg_to_scf, .flag = "convert-linalg-to-loops",
         .summary = "Lower structured ops on buffers to loops", .dependent_dialects = dialects,
         .converts = converts, .run = run)

// gpu_async_region.c -- what the host asks of the GPU returns at once, and the host waits where it
// must: in a block each such op goes behind the one before, by its token.
//
// The first makes a stream (`gpu.wait async`). Before an op with an effect that is not the GPU's,
// and before the end of the block, the host waits for the token. gpu.wait that is there joins in.
// gpu-to-llvm wants ops so. MLIR's pass also carries tokens out of async.execute, of a dialect that
// is not here.
#include "mlc/pass.h"

#include "mlc/ir.h"

#include "mlc/dialects/gpu.h"

enum { MAX_GROUPS = 16 };

// An op that may wait for tokens and make one: those are its first operands and its last result.
static bool
can_be_async(MlcOp *op)
{
    const MlcOpDef *def = mlc_op_def(op);
    bool waits = def->dialect && strcmp(def->dialect->name, "gpu") == 0 && def->num_operands > 0 &&
                 def->num_results > 0 && def->num_results < MAX_GROUPS &&
                 def->num_operands < MAX_GROUPS &&
                 strcmp(def->operands[0].name, "asyncDependencies") == 0;
    // Memory that the host sees is allocated for it, there and then.
    return waits && !(mlc_gpu_alloc_isa(op) && mlc_gpu_alloc_host_shared(op));
}

static MlcValue *
token_of(MlcOp *op)
{
    size_t n = mlc_op_num_results(op);
    bool has = n > 0 && mlc_type_isa(mlc_op_result_type(op, n - 1), "gpu.async.token");
    return has ? mlc_op_result(op, n - 1) : NULL;
}

static MlcType
token_type(MlcContext *ctx)
{
    return mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("gpu.async.token")), NULL, 0);
}

// It waits for one more token, ahead of the others.
static void
add_dependency(MlcOp *op, MlcValue *token)
{
    MlcValueVec tokens = {0};
    size_t first, count;
    mlc_op_operand_group(op, 0, &first, &count);
    mlc_vec_push(&tokens, token);
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(&tokens, mlc_op_operand(op, first + i));
    mlc_op_set_operand_group(op, 0, tokens.data, tokens.size);
    mlc_vec_release(&tokens);
}

// The op again, with a token behind its other results. The old one goes.
static MlcOp *
with_token(MlcOp *op)
{
    const MlcOpDef *def = mlc_op_def(op);
    MlcContext *ctx = mlc_op_context(op);
    MlcType token = token_type(ctx);
    MlcTypes types[MAX_GROUPS];
    MlcValues operands[MAX_GROUPS];
    MlcTypeVec results = {0};
    MlcValueVec values = {0};
    MLC_VEC(MlcAttr) attrs = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&results, mlc_op_result_type(op, i));
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&values, mlc_op_operand(op, i));
    for (size_t i = 0; i < def->num_results; i++) {
        size_t first, count;
        mlc_op_result_group(op, i, &first, &count);
        types[i] = (MlcTypes){results.data + first, count};
    }
    types[def->num_results - 1] = (MlcTypes){&token, 1};
    for (size_t i = 0; i < def->num_operands; i++) {
        size_t first, count;
        mlc_op_operand_group(op, i, &first, &count);
        operands[i] = (MlcValues){values.data + first, count};
    }
    for (size_t i = 0; i < def->num_attrs; i++)
        mlc_vec_push(&attrs, mlc_op_slot(op, i));
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    MlcOp *made = mlc_build_groups(&b, def, types, operands, attrs.data, NULL, 0);
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    for (size_t i = 0; i < results.size; i++)
        mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, i));
    mlc_op_erase(op);
    mlc_vec_release(&results);
    mlc_vec_release(&values);
    mlc_vec_release(&attrs);
    return made;
}

// `*token`: what the block's work is behind; NULL: nothing that the host does not know of.
static bool
visit(MlcOp *op, MlcValue **token)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    if (mlc_gpu_launch_isa(op))
        return mlc_op_error(op, "replace with gpu.launch_func first");
    if (mlc_gpu_wait_isa(op)) {
        if (*token)
            add_dependency(op, *token);
        *token = token_of(op);
        return true;
    }
    if (can_be_async(op)) {
        if (!*token)
            *token = mlc_op_result(mlc_gpu_wait(&b, token_type(b.ctx), NULL, 0), 0);
        add_dependency(op, *token);
        *token = token_of(token_of(op) ? op : with_token(op));
        return true;
    }
    bool must_wait =
        mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) || !mlc_op_is_memory_effect_free(op);
    if (*token && must_wait) {
        mlc_gpu_wait(&b, NULL, token, 1);
        *token = NULL;
    }
    return true;
}

static bool
run(MlcPass *pass, MlcOp *function)
{
    (void)pass;
    MLC_VEC(MlcBlock *) blocks = {0};
    bool ok = true;
    MLC_FOR_EACH_POSTORDER (op, function)
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            mlc_vec_push(&blocks, block);
    for (size_t i = 0; ok && i < blocks.size; i++) {
        MlcValue *token = NULL;
        MLC_FOR_EACH_OP_SAFE (op, blocks.data[i])
            ok = ok && visit(op, &token);
    }
    mlc_vec_release(&blocks);
    return ok;
}

static const char *const dialects[] = {"gpu", NULL};

MLC_PASS(gpu_async_region, .flag = "gpu-async-region",
         .summary = "Put what the host asks of a GPU into streams", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)

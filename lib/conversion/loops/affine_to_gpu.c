// affine_to_gpu.c -- an outermost nest of affine loops becomes a launch: the first loops are
// dimensions of the grid, those inside them dimensions of a block, one thread an iteration.
//
// Who asks for it says that iterations may run in any order: nothing is proven here
// (affine-parallelize does that). Bounds must be known before the nest begins, and the nest must be
// perfect down to the last loop that is mapped. Loops further in stay as they are.
#include "affine_to_scf.h"

#include "mlc/pass.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/gpu.h"

enum { NUM_AXES = 3, MAX_LOOPS = 2 * NUM_AXES };

typedef struct Nest {
    MlcOp *loops[MAX_LOOPS];
    size_t num_blocks, num_threads; // of `loops`
    MlcValue *lower[MAX_LOOPS], *size[MAX_LOOPS], *step[MAX_LOOPS];
} Nest;

static MlcBlock *
body_of(MlcOp *loop)
{
    return mlc_region_first(mlc_op_region(loop, 0));
}

// The loop that is all of another one's body; NULL: there is none, as an error says.
static MlcOp *
only_loop_in(MlcOp *loop)
{
    MlcOp *first = mlc_block_first(body_of(loop));
    if (mlc_affine_for_isa(first) && mlc_op_next(first) == mlc_block_last(body_of(loop)))
        return first;
    mlc_op_error(first, "expected perfectly nested loops in the body");
    return NULL;
}

// Uses of a loop's variable by affine ops would be of a value that is no dimension.
static bool
check_uses(MlcOp *loop)
{
    MLC_FOR_EACH_USE (use, mlc_block_arg(body_of(loop), 0)) {
        MlcOp *user = mlc_use_owner(use);
        const MlcDialectDef *dialect = mlc_op_def(user)->dialect; // NULL: not registered
        if (dialect && strcmp(dialect->name, "affine") == 0)
            return mlc_op_error(user, "depends on a mapped loop by an affine map: lower-affine or "
                                      "affine-expand-index-ops comes first");
    }
    return true;
}

static bool
check_loop(const Nest *nest, MlcOp *loop)
{
    if (mlc_op_num_results(loop) > 0)
        return mlc_op_error(loop, "loops that carry values are not mapped");
    for (size_t i = 0; i < mlc_op_num_operands(loop); i++)
        if (mlc_value_is_inside(mlc_op_operand(loop, i), nest->loops[0]))
            return mlc_op_error(loop, "loops with bounds depending on other mapped loops are not "
                                      "supported");
    return true;
}

static bool
find_nest(Nest *nest, MlcOp *root)
{
    size_t n = nest->num_blocks + nest->num_threads;
    for (size_t i = 0; i < n; i++) {
        nest->loops[i] = i == 0 ? root : only_loop_in(nest->loops[i - 1]);
        if (!nest->loops[i] || !check_loop(nest, nest->loops[i]))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        if (!check_uses(nest->loops[i]))
            return false;
    return true;
}

// Where the loop begins, its step, and how many iterations it has.
static void
build_range(Nest *nest, MlcBuilder *b, size_t i)
{
    MlcOp *loop = nest->loops[i];
    size_t lower, upper, num_lower, num_upper;
    mlc_op_operand_group(loop, 0, &lower, &num_lower);
    mlc_op_operand_group(loop, 1, &upper, &num_upper);
    MlcAffineMap from = mlc_affine_for_lower_bound_map(loop),
                 to = mlc_affine_for_upper_bound_map(loop);
    int64_t step = mlc_affine_for_step(loop);
    MlcValueVec values = {0};
    for (size_t k = 0; k < mlc_op_num_operands(loop); k++)
        mlc_vec_push(&values, mlc_op_operand(loop, k));
    nest->lower[i] = affine_expand_bound(b, from, 0, mlc_affine_map_num_results(from),
                                         values.data + lower, false);
    MlcValue *end =
        affine_expand_bound(b, to, 0, mlc_affine_map_num_results(to), values.data + upper, true);
    mlc_vec_release(&values);
    nest->size[i] = mlc_arith_subi(b, end, nest->lower[i]);
    nest->step[i] = mlc_build_index(b, step);
    if (step != 1)
        nest->size[i] = mlc_arith_ceildivsi(b, nest->size[i], nest->step[i]);
}

// Index `i` of the nest, from the id that stands for it.
static MlcValue *
build_index(const Nest *nest, MlcBuilder *b, size_t i, MlcValue *id)
{
    int64_t step;
    if (!mlc_value_constant_int(nest->step[i], &step) || step != 1)
        id = mlc_arith_muli(b, nest->step[i], id);
    return mlc_arith_addi(b, nest->lower[i], id);
}

static void
launch(Nest *nest)
{
    size_t n = nest->num_blocks + nest->num_threads;
    MlcOp *root = nest->loops[0], *last = nest->loops[n - 1];
    MlcContext *ctx = mlc_op_context(root);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, root);
    for (size_t i = 0; i < n; i++)
        build_range(nest, &b, i);
    MlcValue *one = mlc_build_index(&b, 1), *sizes[MAX_LOOPS];
    MlcType indices[4 * NUM_AXES];
    for (size_t i = 0; i < 4 * NUM_AXES; i++)
        indices[i] = mlc_index_type_get(ctx);
    for (size_t k = 0; k < NUM_AXES; k++) {
        sizes[k] = k < nest->num_blocks ? nest->size[k] : one;
        sizes[NUM_AXES + k] = k < nest->num_threads ? nest->size[nest->num_blocks + k] : one;
    }
    MlcOp *made = mlc_gpu_launch(&b, NULL, NULL, 0, sizes[0], sizes[1], sizes[2], sizes[3],
                                 sizes[4], sizes[5], NULL, NULL, NULL, NULL);
    MlcBlock *body = mlc_builder_create_block(&b, mlc_op_region(made, 0), indices, 4 * NUM_AXES);
    for (size_t i = 0; i < n; i++) {
        size_t axis = i < nest->num_blocks ? i : NUM_AXES + i - nest->num_blocks;
        MlcValue *index = build_index(nest, &b, i, mlc_block_arg(body, axis));
        mlc_value_replace_uses(mlc_block_arg(body_of(nest->loops[i]), 0), index);
    }
    MlcBlock *from = body_of(last);
    mlc_op_erase(mlc_block_last(from));
    mlc_block_splice(body, NULL, from);
    mlc_builder_at_end(&b, body);
    mlc_gpu_terminator(&b);
    mlc_op_erase(root);
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_affine_for_def;
}

static bool
run(MlcPass *pass, MlcOp *function)
{
    int64_t blocks = mlc_pass_option_int(pass, "gpu-block-dims"),
            threads = mlc_pass_option_int(pass, "gpu-thread-dims");
    const char *too_many = blocks < 0 || blocks > NUM_AXES     ? "block"
                           : threads < 0 || threads > NUM_AXES ? "thread"
                                                               : NULL;
    MlcOpVec loops = {0};
    bool ok = true;
    MLC_FOR_EACH_BLOCK_IN_OP (block, function)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_affine_for_isa(op))
                mlc_vec_push(&loops, op);
    for (size_t i = 0; i < loops.size && blocks + threads > 0; i++) {
        Nest nest = {.num_blocks = (size_t)blocks, .num_threads = (size_t)threads};
        if (too_many)
            ok = mlc_op_error(loops.data[i], "cannot map to more than 3 %s dimensions", too_many);
        else if (find_nest(&nest, loops.data[i]))
            launch(&nest);
        else
            ok = false;
    }
    mlc_vec_release(&loops);
    return ok;
}

static const char *const dialects[] = {"gpu", "arith", NULL};

static const MlcPassOption options[] = {
    {"gpu-block-dims", MLC_OPTION_INT, "1", "how many loops are dimensions of the grid, 3 at most"},
    {"gpu-thread-dims", MLC_OPTION_INT, "1", "how many are dimensions of a block, 3 at most"},
};

MLC_PASS(affine_to_gpu, .flag = "convert-affine-for-to-gpu",
         .summary = "Launch outermost nests of affine loops on a GPU", .anchor = "func.func",
         .options = options, .num_options = sizeof options / sizeof *options,
         .dependent_dialects = dialects, .converts = converts, .run = run)

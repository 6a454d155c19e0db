// scf_parallel_loop_tiling.c -- innermost parallel loops without reductions as loops over tiles and
// loops inside of them.
//
// The last tile may be cut short: by the inner loop's upper bound, or (no-min-max-bounds) by a
// condition in its body, which keeps its trip count constant.
#include "mlc/dialects/affine.h"
#include "mlc/dialects/affine_compose.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

static MlcOp *
build_parallel(MlcBuilder *b, const MlcValueVec *lower, const MlcValueVec *upper,
               const MlcValueVec *step)
{
    return mlc_scf_parallel(b, NULL, 0, lower->data, lower->size, upper->data, upper->size,
                            step->data, step->size, NULL, 0);
}

// The body of a new loop, ended by an empty scf.reduce; the builder stands before that.
static MlcBlock *
build_body(MlcBuilder *b, MlcOp *loop, size_t num_loops)
{
    MlcTypeVec types = {0};
    for (size_t i = 0; i < num_loops; i++)
        mlc_vec_push(&types, mlc_index_type_get(b->ctx));
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types.data, types.size);
    mlc_vec_release(&types);
    MlcLoc loc = b->loc;
    mlc_builder_before(b, mlc_scf_reduce(b, NULL, 0, 0));
    b->loc = loc;
    return body;
}

static bool
divides_statically(MlcValue *lower, MlcValue *upper, MlcValue *step, int64_t tile_size)
{
    int64_t from, to, by, span;
    if (!mlc_value_constant_int(lower, &from) || !mlc_value_constant_int(upper, &to) ||
        !mlc_value_constant_int(step, &by) || by <= 0 || __builtin_sub_overflow(to, from, &span))
        return false;
    int64_t iterations = span / by + (span % by > 0);
    return iterations % tile_size == 0;
}

// min(tile, upper - i)
static MlcValue *
build_tile_end(MlcBuilder *b, MlcValue *tile, MlcValue *upper, MlcValue *variable)
{
    MlcAffineExpr results[] = {
        mlc_affine_dim(b->ctx, 0),
        mlc_affine_sub(mlc_affine_dim(b->ctx, 1), mlc_affine_dim(b->ctx, 2))};
    return mlc_affine_min(b, (MlcValue *[]){tile, upper, variable}, 3,
                          mlc_affine_map_get(b->ctx, 3, 0, results, 2));
}

// scf.if that holds where all indices are below the loop's upper bounds; the builder moves into it.
static void
open_bounds_check(MlcBuilder *b, const MlcValueVec *indices, const MlcValueVec *upper)
{
    MlcValue *inside = mlc_build_constant(b, mlc_bool_attr_get(b->ctx, true));
    for (size_t i = 0; i < indices->size; i++)
        inside = mlc_arith_andi(
            b, inside,
            mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, indices->data[i], upper->data[i]));
    MlcOp *check = mlc_scf_if(b, NULL, 0, inside);
    MlcLoc loc = b->loc;
    mlc_builder_create_block(b, mlc_op_region(check, 0), NULL, 0);
    mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
    b->loc = loc;
}

static MlcValueVec
group(const MlcOp *loop, size_t number)
{
    MlcValueVec values = {0};
    size_t first, count;
    mlc_op_operand_group(loop, number, &first, &count);
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(&values, mlc_op_operand(loop, first + i));
    return values;
}

static void
tile(MlcOp *loop, const int64_t *sizes, size_t num_sizes, bool checks_inside)
{
    MlcValueVec lower = group(loop, 0), upper = group(loop, 1), step = group(loop, 2);
    MlcValueVec zeros = {0}, tiles = {0}, ends = {0}, indices = {0};
    size_t n = lower.size;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, loop);
    MlcValue *zero = mlc_build_index(&b, 0);
    for (size_t i = 0; i < n; i++) {
        mlc_vec_push(&zeros, zero);
        mlc_vec_push(&tiles, mlc_build_index(&b, i < num_sizes ? sizes[i] : 1));
    }
    for (size_t i = 0; i < n; i++)
        tiles.data[i] = mlc_arith_muli(&b, step.data[i], tiles.data[i]);
    MlcBlock *outer = build_body(&b, build_parallel(&b, &lower, &upper, &tiles), n);
    bool is_cut = false;
    for (size_t i = 0; i < n; i++) {
        bool divides = divides_statically(lower.data[i], upper.data[i], step.data[i],
                                          i < num_sizes ? sizes[i] : 1);
        is_cut = is_cut || !divides;
        mlc_vec_push(
            &ends, divides || checks_inside
                       ? tiles.data[i]
                       : build_tile_end(&b, tiles.data[i], upper.data[i], mlc_block_arg(outer, i)));
    }
    MlcBlock *inner = build_body(&b, build_parallel(&b, &zeros, &ends, &step), n);
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&indices,
                     mlc_arith_addi(&b, mlc_block_arg(inner, i), mlc_block_arg(outer, i)));
    if (checks_inside && is_cut)
        open_bounds_check(&b, &indices, &upper);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    for (size_t i = 0; i < n; i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), indices.data[i]);
    mlc_op_erase(mlc_block_last(body));
    mlc_block_splice(b.block, b.before, body);
    mlc_op_erase(loop);
    MlcValueVec *lists[] = {&lower, &upper, &step, &zeros, &tiles, &ends, &indices};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        mlc_vec_release(lists[i]);
}

static bool
is_innermost(MlcOp *loop)
{
    MLC_FOR_EACH_PREORDER (op, loop)
        if (op != loop && mlc_scf_parallel_isa(op))
            return false;
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    const int64_t *sizes;
    size_t num_sizes = mlc_pass_option_ints(pass, "parallel-loop-tile-sizes", &sizes);
    bool checks_inside = mlc_pass_option_bool(pass, "no-min-max-bounds");
    for (size_t i = 0; i < num_sizes; i++)
        if (sizes[i] <= 0)
            return mlc_op_error(root, "tile size cannot be %lld", (long long)sizes[i]);
    MLC_FOR_EACH_OF_KIND (loop, root, &mlc_scf_parallel_def)
        if (is_innermost(loop) && mlc_op_num_results(loop) == 0)
            tile(loop, sizes, num_sizes, checks_inside);
    return true;
}

static const MlcPassOption options[] = {
    {"parallel-loop-tile-sizes", MLC_OPTION_INT_LIST, NULL, "iterations of a tile, per loop"},
    {"no-min-max-bounds", MLC_OPTION_BOOL, NULL,
     "whole tiles only, with a condition inside instead of shorter inner loops"},
};
static const char *const dialects[] = {"affine", "arith", NULL};

MLC_PASS(scf_parallel_loop_tiling, .flag = "scf-parallel-loop-tiling",
         .summary = "Tile parallel loops", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = dialects,
         .run = run)

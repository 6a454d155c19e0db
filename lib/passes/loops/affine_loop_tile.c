// affine_loop_tile.c -- cuts perfect nests of affine loops into tiles.
//
// Each loop becomes one over tiles and one inside of a tile; all loops over tiles stand outside.
// That is legal where the nest is fully permutable: no dependence has a negative component in it
// (Wolf & Lam, PLDI 1991). Sizes are given, or chosen so that what a tile touches fits a cache;
// those are then divisors of the trip counts, to need no minimum.
#include "affine_accesses.h"
#include "affine_loops.h"
#include "mlc/pass.h"
#include "mlc/dialects/affine.h"

#include <math.h>

enum { DEFAULT_TILE = 4 };

typedef struct Band {
    MlcOp *loops[MLC_SMALL_RANK]; // outermost first
    int64_t sizes[MLC_SMALL_RANK];
    size_t size;
} Band;

// A loop with nothing else in it than the next one, and so on.
static void
find_band(MlcOp *root, Band *band)
{
    band->size = 0;
    for (MlcOp *loop = root; loop && band->size < MLC_SMALL_RANK;) {
        band->loops[band->size++] = loop;
        MlcOp *first = mlc_block_first(mlc_region_first(mlc_op_region(loop, 0)));
        bool is_alone = first && mlc_is_affine_for(first) && mlc_op_next(first) &&
                        mlc_op_next(mlc_op_next(first)) == NULL;
        loop = is_alone ? first : NULL;
    }
}

static MlcValue *
variable_of(MlcOp *loop)
{
    return mlc_block_arg(mlc_region_first(mlc_op_region(loop, 0)), 0);
}

// Loops that carry no values, with bounds that none of the others' variables change.
static bool
is_rectangular(const Band *band)
{
    for (size_t i = 0; i < band->size; i++) {
        if (mlc_op_num_results(band->loops[i]) > 0 || !mlc_affine_for_step_size(band->loops[i]))
            return false;
        MLC_FOR_EACH_OPERAND (value, band->loops[i])
            for (size_t j = 0; j < i; j++)
                if (mlc_value_is_inside(value, band->loops[j]))
                    return false;
    }
    return true;
}

// ---- sizes

// The greatest divisor of the trip count up to the size, if the count is known.
static int64_t
divisor_near(MlcOp *loop, int64_t size)
{
    int64_t trips = mlc_affine_for_trip_count(loop);
    if (trips <= 0)
        return size;
    if (trips > 1 && size > trips / 2)
        size = trips / 2;
    while (trips % size)
        size--;
    return size;
}

// As many times smaller in all dimensions together as the bytes that the nest touches (-1: not
// known) exceed the cache.
static void
choose_sizes(Band *band, int64_t bytes, int64_t cache_bytes)
{
    int64_t excess = bytes < 0 ? -1 : mlc_ceil_div(bytes, cache_bytes), product = 1;
    int64_t each = (int64_t)pow((double)excess, 1.0 / (double)band->size);
    for (size_t i = 0; i < band->size; i++) {
        int64_t size = excess < 0           ? DEFAULT_TILE
                       : excess <= 1        ? 1
                       : i + 1 < band->size ? each
                       : excess < product   ? 1
                                            : excess / product;
        product *= size;
        band->sizes[i] = excess >= 0 && excess <= 1 ? 1 : divisor_near(band->loops[i], size);
    }
}

static void
set_sizes(MlcPass *pass, Band *band, int64_t footprint)
{
    const int64_t *sizes;
    int64_t one = mlc_pass_option_int(pass, "tile-size");
    size_t num_sizes = mlc_pass_option_ints(pass, "tile-sizes", &sizes);
    if (one == 0 && num_sizes == 0) {
        choose_sizes(band, footprint, mlc_pass_option_int(pass, "cache-size") * 1024);
        return;
    }
    for (size_t i = 0; i < band->size; i++)
        band->sizes[i] = one ? one : i < num_sizes ? sizes[i] : DEFAULT_TILE;
}

// ---- loops

// The old variable, now that of the loop over tiles, and the bound of the loop in a tile: the least
// of the tile's end and the old bounds, where those may come first.
static MlcValueMap
end_of_tile(MlcOp *loop, MlcValue *tile, int64_t size)
{
    MlcContext *ctx = mlc_op_context(loop);
    int64_t trips = mlc_affine_for_trip_count(loop), step = mlc_affine_for_step_size(loop);
    MlcValueMap upper = mlc_affine_for_bound(loop, true);
    bool is_whole = trips >= 0 && (trips < size || trips % size == 0);
    unsigned num_dims = is_whole ? 0 : mlc_affine_map_num_dims(upper.map);
    unsigned num_symbols = is_whole ? 0 : mlc_affine_map_num_symbols(upper.map);
    MLC_VEC(MlcAffineExpr) ends = {0};
    int64_t length = (trips >= 0 && trips < size ? trips : size) * step;
    mlc_vec_push(&ends,
                 mlc_affine_add(mlc_affine_dim(ctx, num_dims), mlc_affine_constant(ctx, length)));
    MlcValueMap end = {0};
    for (unsigned i = 0; i < num_dims; i++)
        mlc_vec_push(&end.operands, upper.operands.data[i]);
    mlc_vec_push(&end.operands, tile);
    for (unsigned i = 0; i < num_symbols; i++)
        mlc_vec_push(&end.operands, upper.operands.data[num_dims + i]);
    for (size_t i = 0; !is_whole && i < mlc_affine_map_num_results(upper.map); i++)
        mlc_vec_push(&ends, mlc_affine_map_result(upper.map, i));
    end.map = mlc_affine_map_get(ctx, num_dims + 1, num_symbols, ends.data, ends.size);
    mlc_vec_release(&ends);
    mlc_value_map_release(&upper);
    return end;
}

static MlcOp *
build_loop(MlcBuilder *b, const MlcValueMap *lower, const MlcValueMap *upper, int64_t step)
{
    MlcOp *loop =
        mlc_affine_for(b, NULL, 0, lower->operands.data, lower->operands.size, upper->operands.data,
                       upper->operands.size, NULL, 0, lower->map, upper->map, step);
    MlcType index = mlc_index_type_get(b->ctx);
    MlcBuilder inside = *b;
    mlc_builder_create_block(&inside, mlc_op_region(loop, 0), &index, 1);
    mlc_affine_yield(&inside, NULL, 0);
    mlc_builder_before(b, mlc_block_last(mlc_region_first(mlc_op_region(loop, 0))));
    return loop;
}

static void
tile(const Band *band)
{
    MlcOp *root = band->loops[0], *innermost = band->loops[band->size - 1], *last = NULL;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(root));
    mlc_builder_before(&b, root);
    MlcValue *tiles[MLC_SMALL_RANK], *points[MLC_SMALL_RANK];
    for (size_t i = 0; i < band->size; i++) {
        MlcOp *loop = band->loops[i];
        MlcValueMap lower = mlc_affine_for_bound(loop, false);
        MlcValueMap upper = mlc_affine_for_bound(loop, true);
        b.loc = mlc_op_loc(loop);
        tiles[i] = variable_of(
            build_loop(&b, &lower, &upper, mlc_affine_for_step_size(loop) * band->sizes[i]));
        mlc_value_map_release(&lower);
        mlc_value_map_release(&upper);
    }
    for (size_t i = 0; i < band->size; i++) {
        MlcOp *loop = band->loops[i];
        MlcAffineExpr start = mlc_affine_dim(b.ctx, 0);
        MlcValueMap lower = {.map = mlc_affine_map_get(b.ctx, 1, 0, &start, 1)};
        mlc_vec_push(&lower.operands, tiles[i]);
        MlcValueMap upper = end_of_tile(loop, tiles[i], band->sizes[i]);
        b.loc = mlc_op_loc(loop);
        last = build_loop(&b, &lower, &upper, mlc_affine_for_step_size(loop));
        points[i] = variable_of(last);
        mlc_value_map_release(&lower);
        mlc_value_map_release(&upper);
    }
    for (size_t i = 0; i < band->size; i++)
        mlc_value_replace_uses(variable_of(band->loops[i]), points[i]);
    MlcBlock *body = mlc_region_first(mlc_op_region(innermost, 0));
    MlcBlock *into = mlc_region_first(mlc_op_region(last, 0));
    mlc_op_erase(mlc_block_last(body));
    mlc_block_splice(into, mlc_block_last(into), body);
    mlc_op_erase(root);
}

static void
tile_band(MlcPass *pass, MlcOp *root)
{
    Band band;
    find_band(root, &band);
    MlcAccesses nest = {.op = root};
    MlcOp *unknown = mlc_accesses_collect(&nest);
    if (unknown && band.size > 1) // iterations of one loop stay in order
        mlc_op_remark(root, "not tiled: it is not known what '%.*s' touches%s",
                      MLC_STR_FMT(mlc_op_name(unknown)), mlc_accesses_limit(&nest));
    else if (!mlc_accesses_permutable(&nest, band.loops, band.size))
        mlc_op_remark(root, "tiling nest is invalid due to dependences");
    else if (is_rectangular(&band)) {
        set_sizes(pass, &band, unknown ? -1 : mlc_accesses_footprint(&nest));
        tile(&band);
    }
    mlc_vec_release(&nest.list);
}

static bool
run(MlcPass *pass, MlcOp *function)
{
    const int64_t *sizes;
    size_t num_sizes = mlc_pass_option_ints(pass, "tile-sizes", &sizes);
    bool ok =
        mlc_pass_option_int(pass, "tile-size") >= 0 && mlc_pass_option_int(pass, "cache-size") > 0;
    for (size_t i = 0; i < num_sizes; i++)
        ok = ok && sizes[i] > 0;
    if (!ok)
        return mlc_op_error(function, "sizes of tiles and caches must be positive");
    MlcOpVec roots = {0};
    MLC_FOR_EACH_BLOCK_IN_OP (block, function)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_is_affine_for(op))
                mlc_vec_push(&roots, op);
    for (size_t i = 0; i < roots.size; i++)
        tile_band(pass, roots.data[i]);
    mlc_vec_release(&roots);
    return true;
}

static const MlcPassOption options[] = {
    {"cache-size", MLC_OPTION_INT, "512", "KiB of the cache that a tile is to fit"},
    {"tile-size", MLC_OPTION_INT, "0", "iterations of a tile in every loop"},
    {"tile-sizes", MLC_OPTION_INT_LIST, NULL, "iterations of a tile in each loop, outermost first"},
};
static const char *const dialects[] = {"affine", NULL};

MLC_PASS(affine_loop_tile, .flag = "affine-loop-tile", .summary = "Tile affine loop nests",
         .anchor = "func.func", .options = options, .num_options = 3,
         .dependent_dialects = dialects, .run = run)

// linalg_to_affine.c -- structured ops on buffers become affine loop nests around their scalar
// bodies; copies between buffers with gaps too.
//
// The plain lowering of whatever was not vectorised. One loop per iterator, in order; each operand
// is loaded at its indexing map, the body is cloned, what it yields is stored. Illegal afterwards:
// structured ops on memrefs.
#include "mlc/pass.h"

#include "linalg_to_scf.h"

#include "mlc/ir.h"
#include "mlc/ir/mixed.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

enum { MIN_RUN_BYTES = 64 };

// A nest of loops; not affine where a size is no symbol: of a window whose size each iteration of
// a loop around it computes.
typedef struct Nest {
    size_t num_loops;
    int64_t sizes[MLC_RANK_LIMIT];
    MlcValue *dynamic[MLC_RANK_LIMIT]; // of sizes that are not static
    MlcValue *ivs[MLC_RANK_LIMIT];
} Nest;

static bool
is_affine(const Nest *nest)
{
    for (size_t i = 0; i < nest->num_loops; i++)
        if (nest->dynamic[i] && !mlc_affine_is_symbol(nest->dynamic[i]))
            return false;
    return true;
}

// affine.for %i = 0 to size; the builder moves into its body.
static MlcValue *
open_affine_loop(MlcBuilder *b, int64_t size, MlcValue *dynamic_size)
{
    MlcAffineExpr symbol = mlc_affine_symbol(b->ctx, 0);
    MlcAffineMap upper = dynamic_size ? mlc_affine_map_get(b->ctx, 0, 1, &symbol, 1)
                                      : mlc_affine_map_constant(b->ctx, size);
    MlcOp *loop = mlc_affine_for(b, NULL, 0, NULL, 0, &dynamic_size, dynamic_size ? 1 : 0, NULL, 0,
                                 mlc_affine_map_constant(b->ctx, 0), upper, 1);
    MlcType index = mlc_index_type_get(b->ctx);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), &index, 1);
    mlc_builder_before(b, mlc_affine_yield(b, NULL, 0));
    return mlc_block_arg(body, 0);
}

static MlcValue *
open_plain_loop(MlcBuilder *b, int64_t size, MlcValue *dynamic_size)
{
    MlcType index = mlc_index_type_get(b->ctx);
    MlcValue *zero = mlc_build_index(b, 0), *one = mlc_build_index(b, 1),
             *end = dynamic_size ? dynamic_size : mlc_build_index(b, size);
    MlcOp *loop = mlc_scf_for(b, NULL, 0, zero, end, one, NULL, 0);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), &index, 1);
    mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
    return mlc_block_arg(body, 0);
}

static void
open_loops(MlcBuilder *b, Nest *nest)
{
    bool affine = is_affine(nest);
    for (size_t i = 0; i < nest->num_loops; i++)
        nest->ivs[i] = affine ? open_affine_loop(b, nest->sizes[i], nest->dynamic[i])
                              : open_plain_loop(b, nest->sizes[i], nest->dynamic[i]);
}

// The size of loop `d` where it is not static: the dimension of an operand that the loop runs
// along.
static MlcValue *
dynamic_loop_size(MlcOp *op, MlcBuilder *b, size_t loop)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        for (size_t r = 0; r < mlc_affine_map_num_results(map); r++) {
            MlcAffineExpr e = mlc_affine_map_result(map, r);
            if (mlc_affine_kind(e) == MLC_AFFINE_DIM && mlc_affine_position(e) == loop)
                return mlc_memref_dim(b, mlc_op_operand(op, i), mlc_build_index(b, (int64_t)r));
        }
    }
    mlc_bug("no operand of a verified op goes along loop %zu", loop);
}

static MlcValue *
affine_load(MlcBuilder *b, MlcValue *memref, MlcAffineMap map, MlcValue *const *ivs)
{
    MlcType type = mlc_type_element(mlc_value_type(memref));
    return mlc_affine_load(b, type, memref, ivs, mlc_affine_map_num_inputs(map), map);
}

static void
affine_store(MlcBuilder *b, MlcValue *value, MlcValue *memref, MlcAffineMap map,
             MlcValue *const *ivs)
{
    mlc_affine_store(b, value, memref, ivs, mlc_affine_map_num_inputs(map), map);
}

static const MlcElementAccess affine_access = {affine_load, affine_store};

static const MlcElementAccess *
access_in(const Nest *nest)
{
    return is_affine(nest) ? &affine_access : &mlc_plain_access;
}

static bool
lower_structured(MlcOp *op)
{
    if (mlc_structured_has_tensors(op))
        return true; // bufferize comes first
    Nest nest = {.num_loops = mlc_structured_num_loops(op)};
    if (nest.num_loops > MLC_RANK_LIMIT)
        return mlc_op_error(op, "has more than %d loops", MLC_RANK_LIMIT);
    mlc_structured_loop_sizes(op, nest.sizes);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    for (size_t i = 0; i < nest.num_loops; i++)
        if (nest.sizes[i] == MLC_DYNAMIC)
            nest.dynamic[i] = dynamic_loop_size(op, &b, i);
    open_loops(&b, &nest);
    mlc_structured_build_point(op, &b, nest.ivs, access_in(&nest));
    mlc_op_erase(op);
    return true;
}

// The window of `memref` at `ivs`, whole in the last `run` dimensions.
static MlcValue *
run_at(MlcBuilder *b, MlcValue *memref, MlcValue *const *ivs, size_t run)
{
    MlcType type = mlc_value_type(memref);
    size_t rank = mlc_type_rank(type), outer = rank - run;
    MlcSlice slice = {.offsets.size = rank, .sizes.size = rank, .strides.size = rank};
    int64_t offsets[MLC_RANK_LIMIT], sizes[MLC_RANK_LIMIT], strides[MLC_RANK_LIMIT];
    for (size_t i = 0; i < rank; i++) {
        offsets[i] = i < outer ? MLC_DYNAMIC : 0;
        sizes[i] = i < outer ? 1 : mlc_type_dim(type, i);
        strides[i] = 1;
        slice.offsets.items[i] = (MlcMixed){i < outer ? ivs[i] : NULL, 0};
        slice.sizes.items[i] = mlc_mixed(sizes[i]);
        slice.strides.items[i] = mlc_mixed(1);
    }
    MlcType window = mlc_memref_type_subview(type, offsets, sizes, strides, NULL);
    return mlc_op_result(mlc_build_slice(b, &mlc_memref_subview_def, window, &memref, 1, &slice),
                         0);
}

// memref.copy between buffers that are not both without gaps: runs that lie alike in both are
// copied whole, if they are no shorter than a call is worth.
static void
lower_copy(MlcOp *op)
{
    MlcValue *from = mlc_op_operand(op, 0), *to = mlc_op_operand(op, 1);
    MlcType type = mlc_value_type(from);
    if (!mlc_type_has_rank(type) || !mlc_type_has_rank(mlc_value_type(to)))
        return; // nobody knows how many loops
    size_t rank = mlc_type_rank(type), run = mlc_memref_type_run(type);
    size_t other = mlc_memref_type_run(mlc_value_type(to)), bytes = 1;
    run = run < other ? run : other;
    if (run == rank && mlc_type_has_static_shape(type))
        return;
    for (size_t i = rank - run; i < rank; i++)
        bytes *= (size_t)mlc_type_dim(type, i);
    bytes *= mlc_elements_attr_element_bytes(mlc_type_element(type));
    run = bytes < MIN_RUN_BYTES ? 0 : run;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    Nest nest = {.num_loops = rank - run};
    for (size_t i = 0; i < nest.num_loops; i++) {
        nest.sizes[i] = mlc_type_dim(type, i);
        if (nest.sizes[i] == MLC_DYNAMIC)
            nest.dynamic[i] = mlc_memref_dim(&b, from, mlc_build_index(&b, (int64_t)i));
    }
    open_loops(&b, &nest);
    if (run > 0) {
        MlcValue *source = run_at(&b, from, nest.ivs, run);
        mlc_memref_copy(&b, source, run_at(&b, to, nest.ivs, run));
        mlc_op_erase(op);
        return;
    }
    const MlcElementAccess *access = access_in(&nest);
    MlcAffineMap identity = mlc_affine_map_identity(b.ctx, (unsigned)rank);
    access->store(&b, access->load(&b, from, identity, nest.ivs), to, identity, nest.ivs);
    mlc_op_erase(op);
}

static bool
converts(const MlcOpDef *op)
{
    return mlc_op_def_interface(op, MLC_INTERFACE_STRUCTURED) || op == &mlc_memref_copy_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    bool ok = true;
    MLC_FOR_EACH_POSTORDER (op, root) {
        if (mlc_op_interface(op, MLC_INTERFACE_STRUCTURED))
            ok = lower_structured(op) && ok;
        else if (mlc_memref_copy_isa(op))
            lower_copy(op);
    }
    return ok;
}

static const char *const dialects[] = {"affine", "arith", "memref", "scf", NULL};

MLC_PASS(linalg_to_affine, .flag = "convert-linalg-to-affine-loops",
         .summary = "Lower structured ops on buffers to affine loops",
         .dependent_dialects = dialects, .converts = converts, .run = run)

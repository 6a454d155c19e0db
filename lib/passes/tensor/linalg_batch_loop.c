// linalg_batch_loop.c -- a kernel that reads windows of images, of a number that is known only when
// it runs, becomes a loop over images.
//
// The dynamic size is the first dimension of everything, and each image is computed from that image
// alone: then an iteration is the kernel for a batch of one, whose shapes are static, and padding,
// Winograd's algorithm and tiles are those of the static form. Products without windows need no
// loop: their rows are tiled whatever their number is (tile.c), and a panel of weights serves all
// images.
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"
#include "loop_sizes.h"
#include "windows.h"

#include "mlc/pass.h"

#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

// Of images: the first dimension is dynamic, no other is.
static bool
is_batch(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_type_has_rank(type) ||
        mlc_type_rank(type) == 0 || !mlc_type_has_small_rank(type) ||
        mlc_type_dim(type, 0) != MLC_DYNAMIC)
        return false;
    for (size_t i = 1; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            return false;
    return true;
}

static bool
is_static(MlcType type)
{
    return !mlc_type_is_shaped(type) ||
           (mlc_type_has_rank(type) && mlc_type_has_static_shape(type));
}

static MlcType
image_type(MlcType type)
{
    int64_t shape[MLC_SMALL_RANK];
    memcpy(shape, mlc_type_shape(type), mlc_type_rank(type) * sizeof *shape);
    shape[0] = 1;
    return mlc_tensor_type_get(mlc_type_element(type), shape, mlc_type_rank(type), NULL);
}

static bool
touches_batch(MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (!is_static(mlc_value_type(value)))
            return true;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (!is_static(mlc_op_result_type(op, i)))
            return true;
    return false;
}

// One loop, parallel, runs along the first dimension of all operands that have images, and along
// nothing else.
static bool
computes_images(MlcOp *op)
{
    if ((!mlc_structured(op) && !mlc_tiling(op)) || mlc_op_num_results(op) != 1 ||
        !mlc_structured_is_small(op) || mlc_structured_uses_index(op))
        return false;
    int loop = -1;
    for (size_t i = mlc_op_num_operands(op); i-- > 0;) {
        MlcType type = mlc_value_type(mlc_op_operand(op, i));
        MlcAffineMap map = mlc_structured_map(op, i);
        bool has_images = !is_static(type);
        if (has_images && (!is_batch(type) || mlc_map_result_dim(map, 0) < 0))
            return false;
        if (has_images && loop < 0)
            loop = mlc_map_result_dim(map, 0);
        if (loop < 0 || (has_images && mlc_map_result_dim(map, 0) != loop))
            return false; // the output comes first, and has images
        for (size_t r = has_images; r < mlc_affine_map_num_results(map); r++)
            if (mlc_affine_uses_dim(mlc_affine_map_result(map, r), (unsigned)loop))
                return false;
    }
    return mlc_structured_iterator(op, (size_t)loop) == MLC_ITERATOR_PARALLEL;
}

static bool
pads_images(MlcOp *op)
{
    int64_t low, high;
    return mlc_tensor_pad_isa(op) && mlc_op_num_operands(op) <= 2 &&
           mlc_int_list_attr_get(mlc_op_attr(op, "static_low"), 0, &low) && low == 0 &&
           mlc_int_list_attr_get(mlc_op_attr(op, "static_high"), 0, &high) && high == 0;
}

static bool
reshapes_images(MlcOp *op)
{
    MlcGroups groups;
    return (mlc_tensor_collapse_shape_isa(op) || mlc_tensor_expand_shape_isa(op)) &&
           mlc_groups_read(mlc_op_attr(op, "reassociation"), &groups) &&
           mlc_groups_first(&groups, 1) == 1;
}

// Windows of more than one element: what makes a loop over images worth it.
static bool
reads_windows(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    int64_t sizes[MLC_SMALL_RANK];
    if (!mlc_structured(op))
        return mlc_tensor_pad_isa(op);
    mlc_structured_loop_sizes(op, sizes);
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        MlcAffineExpr loops[MLC_SMALL_RANK];
        for (size_t d = 0; d < mlc_structured_num_loops(op); d++)
            loops[d] =
                sizes[d] == 1 ? mlc_affine_constant(ctx, 0) : mlc_affine_dim(ctx, (unsigned)d);
        for (size_t r = 0; r < mlc_affine_map_num_results(map); r++) {
            MlcAffineExpr e = mlc_affine_replace(mlc_affine_map_result(map, r), loops,
                                                 mlc_structured_num_loops(op), NULL, 0);
            if (mlc_affine_kind(e) != MLC_AFFINE_DIM && mlc_affine_kind(e) != MLC_AFFINE_CONSTANT)
                return true;
        }
    }
    return false;
}

// Whether all that the function computes of images is one image at a time.
static bool
goes_by_image(MlcOp *function)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(function, 0));
    MlcOp *ret = mlc_block_terminator(block);
    bool has_windows = false;
    if (mlc_block_next(block) || mlc_op_num_operands(ret) != 1 ||
        !is_batch(mlc_op_operand_type(ret, 0)) || !mlc_value_def(mlc_op_operand(ret, 0)))
        return false;
    for (size_t i = 0; i < mlc_block_num_args(block); i++)
        if (!is_static(mlc_value_type(mlc_block_arg(block, i))) &&
            !is_batch(mlc_value_type(mlc_block_arg(block, i))))
            return false;
    MLC_FOR_EACH_OP (op, block) {
        if (op == ret || !touches_batch(op))
            continue;
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            if (!is_batch(mlc_op_result_type(op, i)))
                return false;
        if (!mlc_tensor_empty_isa(op) && !computes_images(op) && !pads_images(op) &&
            !reshapes_images(op))
            return false;
        has_windows |= reads_windows(op);
    }
    return has_windows;
}

typedef struct Loop {
    MlcBuilder b;
    MlcCloneMap *map; // images -> one
    MlcIndexValues indices;
    MlcAffineExpr at; // which image
} Loop;

static MlcWindow
image_window(Loop *l, MlcType type)
{
    MlcType image = image_type(type);
    MlcWindow w = {.rank = mlc_type_rank(image)};
    for (size_t i = 0; i < w.rank; i++) {
        w.offsets[i] = i == 0 ? l->at : mlc_affine_constant(l->b.ctx, 0);
        w.sizes[i] = mlc_type_dim(image, i);
    }
    return w;
}

static void
clone_for_image(Loop *l, MlcOp *op)
{
    MlcType type = image_type(mlc_op_result_type(op, 0));
    MlcValue *old = mlc_op_result(op, 0), *made;
    if (mlc_tensor_empty_isa(op)) {
        made = mlc_build_empty(&l->b, type);
    } else if (mlc_tensor_expand_shape_isa(op)) {
        made = mlc_build_expand_shape(&l->b, mlc_clone_map_get(l->map, mlc_op_operand(op, 0)), type,
                                      mlc_op_attr(op, "reassociation"));
    } else {
        made = mlc_op_result(mlc_builder_insert(&l->b, mlc_op_clone(op, l->map)), 0);
        mlc_value_set_type(made, type);
    }
    mlc_clone_map_set(l->map, old, made);
}

// What is computed into an empty tensor and put into `place` at the end is computed there.
static void
compute_in_place(MlcValue *value, MlcValue *place)
{
    for (MlcOp *op; (op = mlc_value_def(value)) && (mlc_structured(op) || mlc_tiling(op));) {
        size_t out = mlc_structured_num_inputs(op);
        value = mlc_op_operand(op, out);
        if (mlc_tensor_empty_isa(mlc_value_def(value)) &&
            mlc_value_type(value) == mlc_value_type(place))
            mlc_op_set_operand(op, out, place);
    }
}

static void
build_loop(MlcOp *function)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(function, 0));
    MlcOp *ret = mlc_block_terminator(block);
    MlcValue *result = mlc_op_operand(ret, 0);
    Loop l = {.map = mlc_clone_map_create()};
    mlc_builder_init(&l.b, mlc_op_context(function));
    mlc_builder_before(&l.b, ret);
    MlcValue *dest = mlc_build_empty_like(&l.b, result), *count = mlc_size_value(&l.b, dest, 0);
    MlcBuilder outside = l.b;
    MlcOp *loop = mlc_build_for_values(&l.b, mlc_build_index(&l.b, 0), count, 1, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    l.at = mlc_index_values_expr(&l.indices, l.b.ctx, mlc_block_arg(body, 0));
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        MlcValue *arg = mlc_block_arg(block, i);
        if (is_static(mlc_value_type(arg)))
            continue;
        MlcWindow w = image_window(&l, mlc_value_type(arg));
        mlc_clone_map_set(
            l.map, arg,
            mlc_window_extract(&l.b, &l.indices, arg, &w, image_type(mlc_value_type(arg))));
    }
    MlcWindow w = image_window(&l, mlc_value_type(result));
    MlcValue *place = mlc_window_extract(&l.b, &l.indices, mlc_block_arg(body, 1), &w,
                                         image_type(mlc_value_type(result)));
    MLC_FOR_EACH_OP (op, block)
        if (op != ret && op != loop && touches_batch(op) && mlc_value_def(dest) != op &&
            is_batch(mlc_op_result_type(op, 0))) // not what says how many there are
            clone_for_image(&l, op);
    MlcValue *image = mlc_clone_map_get(l.map, result);
    compute_in_place(image, place);
    MlcValue *all = mlc_window_insert(&l.b, &l.indices, image, mlc_block_arg(body, 1), &w);
    mlc_scf_yield(&l.b, &all, 1);
    l.b = outside;
    mlc_op_set_operand(ret, 0, mlc_op_result(loop, 0));
    mlc_clone_map_destroy(l.map);
    mlc_index_values_release(&l.indices);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(root, 0))) {
        if (!mlc_is_kernel_function(op) || !goes_by_image(op))
            continue;
        build_loop(op);
        mlc_kernel_note(op, "image by image");
        mlc_pass_count(pass, "kernels", 1);
        MlcBlock *block = mlc_region_first(mlc_op_region(op, 0));
        MlcOp *prev;
        for (MlcOp *dead = mlc_block_last(block); dead; dead = prev) {
            prev = mlc_op_prev(dead);
            if (!mlc_op_has_uses(dead) && mlc_op_num_results(dead) > 0 &&
                mlc_op_is_trivially_dead(dead))
                mlc_op_erase(dead);
        }
    }
    return true;
}

static const char *const dialects[] = {"affine", "arith", "scf", "tensor", NULL};

MLC_PASS(linalg_batch_loop, .flag = "linalg-batch-loop",
         .summary = "Loop over images where kernels of windows have a dynamic number of them",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)

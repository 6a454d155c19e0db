// linalg_dot_products.c -- products of bytes with constant weights, four products at a time.
//
// A machine with an instruction for it adds the sum of four products of bytes to an i32. So the
// reduction along which the activations are contiguous is cut into runs of four, the innermost
// loop, and weights are stored with the four of a channel side by side, channel after channel:
// [..., K, N] becomes [..., K / 4, N, 4]. All other loops stay as they are, and what cuts, packs
// and vectorises them finds a contraction whose step is four bytes instead of a number. Which signs
// the bytes have must be what the instruction multiplies; graph-integer-products sees to it. Sums
// in registers of small matrices begin at zero: what they began at is added by the op that reads
// them, which the order of integers leaves as it was.
//
// On a GPU (`whole`) loops stay, and a channel's weights are one run, [..., N, K]: matrix
// instructions take 16 bytes of the depth at once.
#include "fuse.h"
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"
#include "schedule.h"

#include "mlc/analysis/structured.h"
#include "mlc/ir.h"
#include "mlc/machine.h"
#include "mlc/support/strided.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"

enum { RUN = MLC_DOT_RUN };

// ---- weights

typedef struct Quads {
    MlcType type;                              // before
    size_t inner, channel;                     // dimensions of the run, and of the result's last
    size_t others[MLC_SMALL_RANK], num_others; // the rest, in order
    bool whole;                                // the run is all of its dimension
} Quads;

static MlcType
quads_type(const Quads *q)
{
    int64_t shape[MLC_SMALL_RANK + 1];
    size_t n = 0;
    for (size_t i = 0; i < q->num_others; i++)
        shape[n++] = mlc_type_dim(q->type, q->others[i]);
    int64_t inner = mlc_type_dim(q->type, q->inner);
    if (!q->whole)
        shape[n++] = inner / RUN;
    shape[n++] = mlc_type_dim(q->type, q->channel);
    shape[n++] = q->whole ? inner : RUN;
    return mlc_tensor_type_get(mlc_type_element(q->type), shape, n, NULL);
}

static void
reorder(void *to, const void *from, bool is_splat, const void *recipe)
{
    const Quads *q = recipe;
    int64_t strides[MLC_SMALL_RANK], step = 1;
    MlcStridedDim moves[MLC_SMALL_RANK + 2];
    size_t n = q->num_others;
    for (size_t i = mlc_type_rank(q->type); i-- > 0; step *= mlc_type_dim(q->type, i))
        strides[i] = is_splat ? 0 : step;
    int64_t inner = mlc_type_dim(q->type, q->inner), channels = mlc_type_dim(q->type, q->channel),
            run = q->whole ? inner : RUN;
    moves[n] = (MlcStridedDim){inner / run, channels * run, strides[q->inner] * run};
    moves[n + 1] = (MlcStridedDim){channels, run, strides[q->channel]};
    moves[n + 2] = (MlcStridedDim){run, 1, strides[q->inner]};
    step = inner * channels;
    for (size_t i = n; i-- > 0; step *= mlc_type_dim(q->type, q->others[i]))
        moves[i] =
            (MlcStridedDim){mlc_type_dim(q->type, q->others[i]), step, strides[q->others[i]]};
    mlc_strided_copy(to, from, 1, moves, n + 3);
}

static MlcAttr
reorder_constant(MlcValue *constant, void *user)
{
    Quads *q = user;
    return mlc_kernel_constant_remade(constant, quads_type(q), ".quads", reorder, q, sizeof *q);
}

// ---- which products

typedef struct Product {
    MlcOp *op;
    size_t x, w; // operands
    int inner;   // the loop that is cut
    Quads quads;
} Product;

static bool
is_integer(MlcType type, unsigned bits)
{
    return mlc_type_is(type, MLC_TYPE_INTEGER) && mlc_type_bit_width(type) == bits;
}

// Argument `i` of the body is widened and nothing else: by its sign?
static bool
is_widened(MlcOp *op, size_t i, bool *is_signed)
{
    MlcValue *arg = mlc_block_arg(mlc_structured_body(op), i);
    if (!mlc_value_has_one_use(arg))
        return false;
    MlcOp *user = mlc_use_owner(mlc_value_first_use(arg));
    *is_signed = mlc_arith_extsi_isa(user);
    return *is_signed || mlc_arith_extui_isa(user);
}

static bool
has_right_signs(MlcOp *op, size_t x, size_t w, const MlcTargetDesc *target)
{
    bool x_signed, w_signed;
    if (!is_widened(op, x, &x_signed) || !is_widened(op, w, &w_signed) || !w_signed)
        return false;
    return x_signed == (target->dot_products == MLC_DOT_SIGNED_SIGNED);
}

// The reduction along the last dimension of the activations, which the weights have as a dimension
// too; -1: none.
static int
inner_loop(const Product *p)
{
    MlcAffineMap x = mlc_structured_map(p->op, p->x), w = mlc_structured_map(p->op, p->w);
    size_t rank = mlc_affine_map_num_results(x);
    int64_t extent[MLC_SMALL_RANK];
    int loop = rank ? mlc_map_result_dim(x, rank - 1) : -1;
    mlc_structured_loop_sizes(p->op, extent);
    if (loop < 0 || mlc_structured_iterator(p->op, (size_t)loop) == MLC_ITERATOR_PARALLEL ||
        extent[loop] <= 0 || (!p->quads.whole && extent[loop] % RUN != 0))
        return -1;
    for (size_t i = 0; i + 1 < rank; i++)
        if (mlc_affine_uses_dim(mlc_affine_map_result(x, i), (unsigned)loop))
            return -1;
    return mlc_affine_map_uses_dim(w, (unsigned)loop) ? loop : -1;
}

static bool
read_quads(Product *p)
{
    MlcAffineMap w = mlc_structured_map(p->op, p->w), x = mlc_structured_map(p->op, p->x),
                 out = mlc_structured_map(p->op, 2);
    size_t rank = mlc_affine_map_num_results(out);
    int channel = rank ? mlc_map_result_dim(out, rank - 1) : -1;
    p->inner = inner_loop(p);
    p->quads.type = mlc_value_type(mlc_op_operand(p->op, p->w));
    if (p->inner < 0 || channel < 0 || !mlc_affine_map_is_projected_permutation(w, false) ||
        !mlc_affine_map_uses_dim(w, (unsigned)channel) ||
        mlc_affine_map_uses_dim(x, (unsigned)channel) ||
        mlc_structured_num_loops(p->op) >= MLC_SMALL_RANK ||
        mlc_affine_map_num_results(w) >= MLC_SMALL_RANK)
        return false;
    for (size_t i = 0; i < mlc_affine_map_num_results(w); i++) {
        int loop = mlc_map_result_dim(w, i);
        if (loop == channel)
            p->quads.channel = i;
        else if (loop == p->inner)
            p->quads.inner = i;
        else
            p->quads.others[p->quads.num_others++] = i;
    }
    return true;
}

static bool
is_argument_of(MlcValue *value, MlcOp *function)
{
    return !mlc_value_def(value) && mlc_value_has_one_use(value) &&
           mlc_value_block(value) == mlc_region_first(mlc_op_region(function, 0));
}

// Elements of operand `i`: 2 is the result.
static bool
has_integers(MlcOp *op, size_t i, unsigned bits)
{
    return is_integer(mlc_type_element(mlc_value_type(mlc_op_operand(op, i))), bits);
}

// Why the product of integers is none of bytes by constant bytes in runs of four; NULL: it is one.
static const char *
why_not(MlcPass *pass, MlcOp *function, Product *p)
{
    MlcOp *op = p->op;
    if (mlc_pass_target(pass)->dot_products == MLC_DOT_NONE)
        return "the machine has no such instruction";
    if (!has_integers(op, 0, 8) || !has_integers(op, 1, 8))
        return "its factors are no bytes";
    if (!is_argument_of(mlc_op_operand(op, p->w), function))
        return "its weights are computed";
    if (!has_right_signs(op, p->x, p->w, mlc_pass_target(pass)))
        return "the machine multiplies bytes of other signs";
    return read_quads(p) ? NULL : "its inner loop does not go in runs of four";
}

// ---- the product

// The maps of the op with another loop, the last one, that the loop which is cut goes in runs of;
// where it is not cut, with weights in another order.
static void
cut_maps(const Product *p, MlcAffineMap *maps)
{
    MlcContext *ctx = mlc_op_context(p->op);
    unsigned n = (unsigned)mlc_structured_num_loops(p->op);
    MlcAffineExpr dims[MLC_SMALL_RANK], results[MLC_SMALL_RANK], place = mlc_affine_dim(ctx, n);
    for (unsigned i = 0; i < n; i++)
        dims[i] = mlc_affine_dim(ctx, i);
    if (p->quads.whole)
        place = dims[p->inner];
    else
        dims[p->inner] = mlc_affine_add(mlc_affine_mul_const(dims[p->inner], RUN), place);
    for (size_t k = 0; k < 3; k++) {
        MlcAffineMap old = mlc_structured_map(p->op, k);
        size_t rank = mlc_affine_map_num_results(old), count = 0;
        for (size_t i = 0; i < rank && k != p->w; i++)
            results[count++] = mlc_affine_replace(mlc_affine_map_result(old, i), dims, n, NULL, 0);
        for (size_t i = 0; i < p->quads.num_others && k == p->w; i++)
            results[count++] = mlc_affine_map_result(old, p->quads.others[i]);
        if (k == p->w) {
            if (!p->quads.whole)
                results[count++] = mlc_affine_dim(ctx, (unsigned)p->inner);
            results[count++] = mlc_affine_map_result(old, p->quads.channel);
            results[count++] = place;
        }
        maps[k] = mlc_affine_map_get(ctx, n + !p->quads.whole, 0, results, count);
    }
}

static MlcOp *
rebuild(const Product *p, MlcValue *weight)
{
    MlcAffineMap maps[3];
    MlcIterator iterators[MLC_SMALL_RANK];
    MlcValue *inputs[2];
    size_t n = mlc_structured_num_loops(p->op), loops = n + !p->quads.whole;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(p->op));
    mlc_builder_before(&b, p->op);
    cut_maps(p, maps);
    inputs[p->x] = mlc_op_operand(p->op, p->x);
    inputs[p->w] = weight;
    for (size_t i = 0; i < loops; i++)
        iterators[i] = i < n ? mlc_structured_iterator(p->op, i) : MLC_ITERATOR_REDUCTION;
    MlcOp *generic =
        mlc_build_open_generic(&b, inputs, 2, mlc_op_operand(p->op, 2), maps, iterators, loops);
    MlcBlock *from = mlc_structured_body(p->op), *to = mlc_region_first(mlc_op_region(generic, 0));
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_builder_at_end(&b, to);
    for (size_t i = 0; i < 3; i++)
        mlc_clone_map_set(map, mlc_block_arg(from, i), mlc_block_arg(to, i));
    MLC_FOR_EACH_OP (inner, from) {
        MlcOp *clone = mlc_builder_insert(&b, mlc_op_clone(inner, map));
        for (size_t i = 0; i < mlc_op_num_results(inner); i++)
            mlc_clone_map_set(map, mlc_op_result(inner, i), mlc_op_result(clone, i));
    }
    mlc_clone_map_destroy(map);
    MlcValue *result = mlc_op_result(generic, 0);
    mlc_op_replace(p->op, &result, 1);
    return generic;
}

// ---- sums from zero

static bool
is_zero(MlcAttr constant)
{
    int64_t zero;
    if (constant && mlc_attr_is(constant, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(constant))
        constant = mlc_elements_attr_element(constant, 0);
    return constant && mlc_attr_try_as_int(constant, &zero) && zero == 0;
}

// The tensor of which `init` has an element for each of its own, and by which map; else itself.
static MlcValue *
broadcast_source(MlcValue *init, MlcAffineMap *map)
{
    MlcOp *def = mlc_value_def(init);
    *map = mlc_affine_map_identity(mlc_type_context(mlc_value_type(init)),
                                   (unsigned)mlc_type_rank(mlc_value_type(init)));
    if (!def || !mlc_op_is_static_structured(def) || !mlc_structured_is_parallel(def) ||
        mlc_structured_num_inputs(def) != 1 || mlc_structured_map(def, 1) != *map)
        return init;
    MlcBlock *body = mlc_structured_body(def);
    if (mlc_op_operand(mlc_block_last(body), 0) != mlc_block_arg(body, 0))
        return init;
    *map = mlc_structured_map(def, 0);
    return mlc_op_operand(def, 0);
}

static void
start_from_zero(MlcOp *product)
{
    MlcValue *init = mlc_op_operand(product, 2), *sums = mlc_op_result(product, 0);
    MlcType type = mlc_value_type(sums);
    MlcContext *ctx = mlc_op_context(product);
    size_t rank = mlc_type_rank(type);
    MlcIterator iterators[MLC_SMALL_RANK];
    MlcAffineMap maps[3];
    MlcBuilder b;
    MlcOp *def = mlc_value_def(init);
    if (mlc_linalg_fill_isa(def) && is_zero(mlc_value_constant(mlc_op_operand(def, 0))))
        return;
    MlcValue *inputs[] = {sums, broadcast_source(init, &maps[1])};
    maps[0] = maps[2] = mlc_affine_map_identity(ctx, (unsigned)rank);
    for (size_t i = 0; i < rank; i++)
        iterators[i] = MLC_ITERATOR_PARALLEL;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, product);
    MlcTensorShape shape;
    mlc_build_shape_of(&b, init, &shape);
    mlc_op_set_operand(product, 2, mlc_build_filled(&b, &shape, mlc_type_element(type), 0));
    if (is_zero(mlc_value_constant(init)))
        return;
    mlc_builder_after(&b, product);
    MlcValue *place = mlc_build_empty(&b, type);
    MlcOp *sum = mlc_build_open_generic(&b, inputs, 2, place, maps, iterators, rank);
    mlc_value_replace_uses(sums, mlc_op_result(sum, 0));
    mlc_op_set_operand(sum, 0, sums);
    MlcBlock *body = mlc_region_first(mlc_op_region(sum, 0));
    mlc_builder_at_end(&b, body);
    MlcValue *added = mlc_arith_addi(&b, mlc_block_arg(body, 0), mlc_block_arg(body, 1));
    mlc_linalg_yield(&b, &added, 1);
    (void)mlc_fuse_into_user(sum);
}

static void
visit(MlcPass *pass, MlcOp *module, MlcOp *function, MlcOp *op)
{
    const char *reason = "its weights are computed";
    if (mlc_structured_dot_loop(op) >= 0)
        return;
    for (size_t w = 2; w-- > 0 && has_integers(op, 2, 32);) {
        Product p = {
            .op = op, .x = 1 - w, .w = w, .quads.whole = mlc_pass_option_bool(pass, "whole")};
        MlcKernelCalls calls = {0};
        const char *fault = why_not(pass, function, &p);
        if (!fault && p.quads.whole && p.quads.inner == mlc_type_rank(p.quads.type) - 1)
            return; // they are
        reason = w == 1 && fault ? fault : reason;
        if (fault)
            continue;
        size_t arg = mlc_value_index(mlc_op_operand(op, w));
        bool is_constant = mlc_kernel_calls(module, function, arg, &calls);
        if (is_constant) {
            MlcValue *weight =
                mlc_kernel_remake_argument(function, arg, &calls, reorder_constant, &p.quads);
            MlcOp *product = rebuild(&p, weight);
            if (!p.quads.whole && mlc_tile_product_depth(product, mlc_pass_target(pass)) > 0)
                start_from_zero(product);
            mlc_block_erase_arg(mlc_value_block(weight), arg + 1);
            mlc_kernel_note(function, "dot products of bytes, argument %zu %s", arg,
                            p.quads.whole ? "by channels" : "by fours");
            mlc_pass_count(pass, "dot-products", 1);
        }
        mlc_vec_release(&calls);
        if (is_constant)
            return;
    }
    if (has_integers(op, 2, 32))
        mlc_kernel_note(function, "no dot products of bytes: %s", reason);
}

// Weights of convolutions of one tap come in another shape.
static void
absorb_reshapes(MlcOp *module)
{
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_is_kernel_function(op))
            continue;
        MlcBlock *entry = mlc_region_first(mlc_op_region(op, 0));
        for (size_t i = 0; i < mlc_block_num_args(entry); i++)
            if (is_integer(mlc_type_element(mlc_value_type(mlc_block_arg(entry, i))), 8))
                mlc_kernel_absorb_reshape(module, op, i);
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    if (mlc_pass_target(pass)->dot_products != MLC_DOT_NONE)
        absorb_reshapes(root);
    mlc_kernel_visit_contractions(pass, root, visit);
    return true;
}

static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};
static const MlcPassOption options[] = {
    {"whole", MLC_OPTION_BOOL, NULL, "a channel's weights lie together, in one run, for a GPU"},
};

MLC_PASS(linalg_dot_products, .flag = "linalg-dot-products",
         .summary = "Cut products of bytes into runs of four, which one instruction adds up",
         .anchor = "builtin.module", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .run = run)

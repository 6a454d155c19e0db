// graph_layout.c -- activations with channels last, weights in the order their loops read them.
//
// A CPU convolution streams [N, H, W, C]: neighbouring channels are neighbours in memory, so its
// inner loop is vectors of output channels. Each op with a layout is made again for NHWC between
// two transposes; the second is remembered as "the NHWC form of this value", so that the next op
// takes that form and the transposes die. Elementwise ops, concat, pad, slices, gathers along a
// dimension, reshapes of the spatial dimensions and reductions pass the form on; the model's own
// transposes give it (sequences of channels become images) and end in it. Constant filters are
// transposed here, when compiling. What is left (usually one transpose of the image, and none where
// a flattened map enters a Gemm: its constant matrix takes the permuted rows) is a remark. A
// transpose that only moves sizes of 1 is a reshape. Gemm's constant matrix is stored [K, N].
#include "graph_constants.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

typedef struct Layouter {
    MlcPass *pass;
    MlcContext *ctx;
    MlcBuilder b;
    MlcMap nhwc;  // value -> the same in NHWC
    MlcMap given; // those of them that the model itself transposed
} Layouter;

// ---- permutations: result dimension i is dimension perm[i]

static void
to_nhwc_perm(size_t rank, int64_t *perm)
{
    perm[0] = 0;
    for (size_t i = 2; i < rank; i++)
        perm[i - 1] = (int64_t)i;
    perm[rank - 1] = 1;
}

static void
to_nchw_perm(size_t rank, int64_t *perm)
{
    perm[0] = 0;
    perm[1] = (int64_t)rank - 1;
    for (size_t i = 2; i < rank; i++)
        perm[i] = (int64_t)i - 1;
}

// [O, I, spatial...] to [spatial..., I, O].
static void
filter_perm(size_t rank, int64_t *perm)
{
    for (size_t i = 2; i < rank; i++)
        perm[i - 2] = (int64_t)i;
    perm[rank - 2] = 1;
    perm[rank - 1] = 0;
}

static MlcType
permuted_type(Layouter *l, MlcType type, const int64_t *perm)
{
    int64_t dims[MLC_SMALL_RANK];
    MlcAttr names[MLC_SMALL_RANK], encoding = mlc_tensor_type_encoding(type);
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        dims[i] = mlc_type_dim(type, (size_t)perm[i]);
    if (encoding && mlc_attr_isa(encoding, "graph.dims")) {
        MlcAttr list = mlc_dialect_attr_param(encoding, 0);
        for (size_t i = 0; i < rank; i++)
            names[i] = mlc_array_attr_element(list, (size_t)perm[i]);
        list = mlc_array_attr_get(l->ctx, names, rank);
        encoding = mlc_dialect_attr_get(l->ctx, mlc_dialect_attr_def(encoding), &list, 1);
    }
    return mlc_tensor_type_get(mlc_type_element(type), dims, rank, encoding);
}

// Only sizes of 1 change places; then no element moves.
static bool
moves_only_ones(MlcType type, const int64_t *perm)
{
    int64_t last = -1;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        if (mlc_type_dim(type, (size_t)perm[i]) == 1)
            continue;
        if (perm[i] < last)
            return false;
        last = perm[i];
    }
    return true;
}

static MlcValue *
build_transpose(Layouter *l, MlcValue *value, const int64_t *perm)
{
    MlcType from = mlc_value_type(value), type = permuted_type(l, from, perm);
    size_t rank = mlc_type_rank(from);
    // A size of 0 would copy.
    if (moves_only_ones(from, perm) && mlc_type_has_static_shape(from) &&
        mlc_type_num_elements(from) > 0)
        return mlc_graph_reshape_as(&l->b, type, value, mlc_type_shape(type), rank, false);
    return mlc_graph_transpose_as(&l->b, type, value, perm, rank);
}

// The value permuted: a constant when compiling, else by a transpose.
static MlcValue *
permuted(Layouter *l, MlcValue *value, const int64_t *perm)
{
    MlcAttr constant = mlc_value_constant(value);
    MlcType type = mlc_value_type(value);
    MlcAttr moved =
        constant && mlc_type_has_static_shape(type)
            ? mlc_constant_permute(constant, mlc_type_shape(type), perm, mlc_type_rank(type))
            : NULL;
    if (!moved)
        return build_transpose(l, value, perm);
    return mlc_graph_constant(&l->b, moved);
}

// ---- values and their NHWC form

static bool
has_nhwc(Layouter *l, MlcValue *value)
{
    return mlc_map_has(&l->nhwc, value);
}

static MlcValue *
nhwc_of(Layouter *l, MlcValue *value)
{
    int64_t perm[MLC_SMALL_RANK];
    MlcValue *known = mlc_map_get(&l->nhwc, value);
    if (known)
        return known;
    to_nhwc_perm(mlc_type_rank(mlc_value_type(value)), perm);
    known = permuted(l, value, perm);
    mlc_map_set(&l->nhwc, value, known);
    return known;
}

static MlcOp *
clone_op(Layouter *l, MlcOp *op, MlcType type)
{
    MlcOp *clone = mlc_builder_insert(&l->b, mlc_op_clone_without_regions(op, NULL));
    mlc_value_set_type(mlc_op_result(clone, 0), type);
    return clone;
}

static MlcType
nhwc_type(Layouter *l, MlcType type)
{
    int64_t perm[MLC_SMALL_RANK];
    to_nhwc_perm(mlc_type_rank(type), perm);
    return permuted_type(l, type, perm);
}

// `made` computes what `op` did, in NHWC: users in NCHW get a transpose back, that dies if there
// are none in the end.
static void
finish(Layouter *l, MlcOp *op, MlcOp *made)
{
    int64_t perm[MLC_SMALL_RANK];
    MlcValue *result = mlc_op_result(made, 0);
    to_nchw_perm(mlc_type_rank(mlc_value_type(result)), perm);
    MlcValue *back = build_transpose(l, result, perm);
    mlc_map_set(&l->nhwc, back, result);
    mlc_op_replace(op, &back, 1);
}

// ---- ops

static bool
has_computable_rank(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_is(type, MLC_TYPE_TENSOR) && mlc_type_rank(type) >= 3 &&
           mlc_type_has_small_rank(type);
}

static bool
has_nchw_layout(MlcOp *op)
{
    return mlc_op_def_attr_slot(mlc_op_def(op), mlc_str("layout")) >= 0 &&
           mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NCHW &&
           has_computable_rank(mlc_op_operand(op, 0)) && has_computable_rank(mlc_op_result(op, 0));
}

static void
convert_layout_op(Layouter *l, MlcOp *op)
{
    int64_t perm[MLC_SMALL_RANK];
    MlcOp *made = clone_op(l, op, nhwc_type(l, mlc_value_type(mlc_op_result(op, 0))));
    mlc_builder_before(&l->b, made);
    mlc_op_set_operand(made, 0, nhwc_of(l, mlc_op_operand(op, 0)));
    if (mlc_graph_conv_isa(op)) {
        MlcValue *filter = mlc_op_operand(op, 1);
        filter_perm(mlc_type_rank(mlc_value_type(filter)), perm);
        mlc_op_set_operand(made, 1, permuted(l, filter, perm));
    }
    mlc_op_set_attr(made, "layout",
                    mlc_enum_attr_get(l->ctx, &mlc_graph_layout_attr_def, MLC_GRAPH_LAYOUT_NHWC));
    mlc_builder_before(&l->b, op);
    finish(l, op, made);
    mlc_pass_count(l->pass, "ops-nhwc", 1);
}

// An operand of an elementwise op in NHWC, or NULL: scalars as they are, what has a lower rank
// stretched with ones at the front.
static MlcValue *
elementwise_operand(Layouter *l, MlcValue *value, size_t rank)
{
    MlcType type = mlc_value_type(value);
    MlcAttr constant = mlc_value_constant(value);
    int64_t dims[MLC_SMALL_RANK], perm[MLC_SMALL_RANK];
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_rank(type) > rank)
        return NULL;
    if (mlc_type_has_static_shape(type) && mlc_type_num_elements(type) == 1)
        return value;
    if (mlc_type_rank(type) == rank)
        return nhwc_of(l, value);
    if (!mlc_type_has_static_shape(type))
        return NULL;
    for (size_t i = 0; i < rank; i++)
        dims[i] =
            i + mlc_type_rank(type) < rank ? 1 : mlc_type_dim(type, i + mlc_type_rank(type) - rank);
    to_nhwc_perm(rank, perm);
    if (!constant) {
        MlcType full = mlc_tensor_type_get(mlc_type_element(type), dims, rank, NULL);
        return permuted(l, mlc_graph_reshape_as(&l->b, full, value, dims, rank, false), perm);
    }
    MlcAttr moved = mlc_constant_permute(constant, dims, perm, rank);
    if (!moved)
        return NULL;
    return mlc_graph_constant(&l->b, moved);
}

// An operand has an NHWC form; not only because the model itself transposed it, or all others have
// one too (constants take any).
static bool
wants_nhwc(Layouter *l, MlcOp *op)
{
    bool any = false, any_made = false, all = true;
    MLC_FOR_EACH_OPERAND (value, op) {
        if (mlc_value_constant(value))
            continue;
        any |= has_nhwc(l, value);
        any_made |= has_nhwc(l, value) && !mlc_map_has(&l->given, value);
        all &= has_nhwc(l, value);
    }
    return any_made || (any && all);
}

static void
convert_elementwise(Layouter *l, MlcOp *op)
{
    MlcValue *operands[8];
    size_t n = mlc_op_num_operands(op);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (n > sizeof operands / sizeof *operands)
        return;
    for (size_t i = 0; i < n; i++)
        if (!(operands[i] = elementwise_operand(l, mlc_op_operand(op, i), mlc_type_rank(type))))
            return; // what was made for the others is dead
    MlcOp *made = clone_op(l, op, nhwc_type(l, type));
    mlc_op_set_operands(made, operands, n);
    finish(l, op, made);
}

// Where dimension `axis` of NCHW stands in NHWC.
static int64_t
moved_axis(size_t rank, int64_t axis)
{
    return axis == 0 ? 0 : axis == 1 ? (int64_t)rank - 1 : axis - 1;
}

static void
convert_concat(Layouter *l, MlcOp *op)
{
    MlcValueVec operands = {0};
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands, nhwc_of(l, value));
    int64_t axis = moved_axis(mlc_type_rank(type), mlc_graph_axis(op));
    MlcOp *made = clone_op(l, op, nhwc_type(l, type));
    mlc_op_set_operands(made, operands.data, operands.size);
    mlc_op_set_attr(made, "axis", mlc_i64_attr_get(l->ctx, axis));
    mlc_vec_release(&operands);
    finish(l, op, made);
}

static void
convert_pad(Layouter *l, MlcOp *op)
{
    int64_t pads[2 * MLC_SMALL_RANK] = {0};
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    size_t rank = mlc_type_rank(type);
    MlcAttr old = mlc_op_attr(op, "pads");
    for (size_t i = 0; i < rank; i++) {
        size_t to = (size_t)moved_axis(rank, (int64_t)i);
        if (!mlc_int_list_attr_get(old, i, &pads[to]) ||
            !mlc_int_list_attr_get(old, i + rank, &pads[to + rank]))
            return;
    }
    MlcValue *input = nhwc_of(l, mlc_op_operand(op, 0));
    MlcOp *made = clone_op(l, op, nhwc_type(l, type));
    mlc_op_set_operand(made, 0, input);
    mlc_op_set_attr(made, "pads", mlc_i64_array_attr_get(l->ctx, pads, 2 * rank));
    finish(l, op, made);
}

static void
convert_slice(Layouter *l, MlcOp *op)
{
    int64_t axes[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    size_t rank = mlc_type_rank(type), n = mlc_int_list_attr_size(mlc_op_attr(op, "starts"));
    MlcAttr given = mlc_op_attr(op, "axes");
    for (size_t i = 0; i < n; i++) {
        axes[i] = (int64_t)i;
        if (given && !mlc_int_list_attr_get(given, i, &axes[i]))
            return;
        axes[i] = moved_axis(rank, axes[i] + (axes[i] < 0 ? (int64_t)rank : 0));
    }
    MlcOp *made = clone_op(l, op, nhwc_type(l, type));
    mlc_op_set_operand(made, 0, nhwc_of(l, mlc_op_operand(op, 0)));
    mlc_op_set_attr(made, "axes", mlc_i64_array_attr_get(l->ctx, axes, n));
    finish(l, op, made);
}

// Of a list of indices, so that the rank stays.
static void
convert_gather(Layouter *l, MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!has_nhwc(l, mlc_op_operand(op, 0)) ||
        mlc_type_rank(mlc_value_type(mlc_op_operand(op, 1))) != 1)
        return;
    int64_t axis = moved_axis(mlc_type_rank(type), mlc_graph_axis(op));
    MlcOp *made = clone_op(l, op, nhwc_type(l, type));
    mlc_op_set_operand(made, 0, nhwc_of(l, mlc_op_operand(op, 0)));
    mlc_op_set_attr(made, "axis", mlc_i64_attr_get(l->ctx, axis));
    finish(l, op, made);
}

// [N, C, H, W] to [N, C, H * W] and back: channels stay last.
static void
convert_reshape(Layouter *l, MlcOp *op)
{
    MlcValue *input = mlc_op_operand(op, 0);
    MlcType from = mlc_value_type(input), type = mlc_value_type(mlc_op_result(op, 0));
    if (!has_computable_rank(mlc_op_result(op, 0)) || !mlc_type_has_static_shape(from) ||
        !mlc_type_has_static_shape(type) || mlc_type_dim(from, 0) != mlc_type_dim(type, 0) ||
        mlc_type_dim(from, 1) != mlc_type_dim(type, 1))
        return;
    MlcType moved = nhwc_type(l, type);
    MlcOp *made = clone_op(l, op, moved);
    mlc_op_set_operand(made, 0, nhwc_of(l, input));
    mlc_op_set_attr(made, "shape",
                    mlc_i64_array_attr_get(l->ctx, mlc_type_shape(moved), mlc_type_rank(moved)));
    mlc_op_set_attr(made, "allow_zero", mlc_bool_attr_get(l->ctx, true));
    finish(l, op, made);
}

// The model's own change of layout: to NHWC it is the form that is known, from NHWC it makes one
// known.
static void
convert_transpose(Layouter *l, MlcOp *op)
{
    int64_t perm[MLC_SMALL_RANK], wanted[MLC_SMALL_RANK];
    MlcValue *input = mlc_op_operand(op, 0);
    if (!has_computable_rank(input))
        return;
    size_t rank = mlc_type_rank(mlc_value_type(input));
    mlc_graph_permutation(op, perm);
    to_nhwc_perm(rank, wanted);
    if (has_nhwc(l, input) && memcmp(perm, wanted, rank * sizeof *perm) == 0) {
        MlcValue *form = nhwc_of(l, input);
        mlc_op_replace(op, &form, 1);
        return;
    }
    to_nchw_perm(rank, wanted);
    if (memcmp(perm, wanted, rank * sizeof *perm) == 0) {
        mlc_map_set(&l->nhwc, mlc_op_result(op, 0), input);
        mlc_map_add(&l->given, mlc_op_result(op, 0));
    }
}

// With keepdims the result has an NHWC form; without, it is the same tensor if the dims left keep
// their order.
static void
convert_reduction(Layouter *l, MlcOp *op)
{
    bool marked[MLC_SMALL_RANK];
    int64_t axes[MLC_SMALL_RANK];
    MlcValue *input = mlc_op_operand(op, 0);
    size_t rank = mlc_type_rank(mlc_value_type(input)), n = 0, kept_spatial = 0;
    mlc_graph_reduced_axes(op, marked);
    for (size_t i = 0; i < rank; i++) {
        if (marked[i])
            axes[n++] = moved_axis(rank, (int64_t)i);
        kept_spatial += i >= 2 && !marked[i];
    }
    MlcAttr keep = mlc_op_attr(op, "keepdims");
    bool keeps = keep && mlc_attr_as_bool(keep), ordered = marked[1] || kept_spatial == 0;
    if (!keeps && !ordered)
        return;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcOp *made = clone_op(l, op, keeps ? nhwc_type(l, type) : type);
    mlc_op_set_operand(made, 0, mlc_map_get(&l->nhwc, input));
    mlc_op_set_attr(made, "axes", mlc_i64_array_attr_get(l->ctx, axes, n));
    MlcValue *result = mlc_op_result(made, 0);
    if (keeps)
        finish(l, op, made);
    else
        mlc_op_replace(op, &result, 1);
}

// ---- Gemm's constant matrix

static void
store_matrix_plain(Layouter *l, MlcOp *gemm)
{
    MlcAttr flag = mlc_op_attr(gemm, "trans_b"),
            matrix = mlc_value_constant(mlc_op_operand(gemm, 1));
    if (!flag || !mlc_attr_as_bool(flag) || !matrix)
        return;
    mlc_op_set_operand(gemm, 1, permuted(l, mlc_op_operand(gemm, 1), (const int64_t[]){1, 0}));
    mlc_op_set_attr(gemm, "trans_b", mlc_bool_attr_get(l->ctx, false));
}

// gemm(flatten(x), B) with x known in NHWC: flatten that, and take B's rows in its order.
static void
permute_matrix_rows(Layouter *l, MlcOp *gemm)
{
    MlcOp *flat = mlc_value_def(mlc_op_operand(gemm, 0));
    MlcAttr flag = mlc_op_attr(gemm, "trans_a"),
            matrix = mlc_value_constant(mlc_op_operand(gemm, 1));
    if (!flat || !(mlc_graph_flatten_isa(flat) || mlc_graph_reshape_isa(flat)) ||
        !has_nhwc(l, mlc_op_operand(flat, 0)) || !matrix || (flag && mlc_attr_as_bool(flag)) ||
        mlc_attr_as_bool(mlc_op_attr(gemm, "trans_b")))
        return;
    MlcType image = mlc_value_type(mlc_op_operand(flat, 0)),
            rows = mlc_value_type(mlc_op_result(flat, 0));
    MlcType type = mlc_attr_type(matrix);
    size_t rank = mlc_type_rank(image);
    int64_t shape[MLC_SMALL_RANK], perm[MLC_SMALL_RANK], size = 1;
    for (size_t i = 1; i < rank; i++) {
        shape[i - 1] = mlc_type_dim(image, i);
        if (shape[i - 1] == MLC_DYNAMIC)
            return;
        size *= shape[i - 1];
        perm[i - 1] = i + 1 < rank ? (int64_t)i : 0; // [C, spatial..., N] to [spatial..., C, N]
    }
    if (mlc_type_rank(rows) != 2 || mlc_type_dim(rows, 1) != size ||
        mlc_type_dim(type, 0) != size || rank >= MLC_SMALL_RANK)
        return;
    shape[rank - 1] = mlc_type_dim(type, 1);
    perm[rank - 1] = (int64_t)rank - 1;
    MlcAttr moved = mlc_constant_permute(matrix, shape, perm, rank);
    moved = moved ? mlc_constant_reshape(moved, mlc_type_shape(type), 2) : NULL;
    if (!moved)
        return;
    MlcOp *made = clone_op(l, flat, rows);
    mlc_op_set_operand(made, 0, mlc_map_get(&l->nhwc, mlc_op_operand(flat, 0)));
    mlc_op_set_operand(gemm, 0, mlc_op_result(made, 0));
    mlc_op_set_operand(gemm, 1, mlc_constant_build(gemm, moved));
    if (!mlc_op_has_uses(flat))
        mlc_op_erase(flat);
}

// ---- the pass

static bool
is_reduction(MlcOp *op)
{
    return mlc_graph_reduce_mean_isa(op) || mlc_graph_reduce_sum_isa(op) ||
           mlc_graph_reduce_max_isa(op) || mlc_graph_reduce_min_isa(op) ||
           mlc_graph_reduce_prod_isa(op);
}

static void
convert(Layouter *l, MlcOp *op)
{
    if (mlc_op_num_results(op) != 1 || mlc_op_num_regions(op) || mlc_op_num_operands(op) == 0)
        return;
    mlc_builder_before(&l->b, op);
    if (has_nchw_layout(op))
        convert_layout_op(l, op);
    else if (mlc_graph_gemm_isa(op)) {
        store_matrix_plain(l, op);
        permute_matrix_rows(l, op);
    } else if (mlc_graph_transpose_isa(op))
        convert_transpose(l, op);
    else if (!wants_nhwc(l, op))
        return;
    else if (mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) &&
             has_computable_rank(mlc_op_result(op, 0)))
        convert_elementwise(l, op);
    else if (mlc_graph_concat_isa(op))
        convert_concat(l, op);
    else if (mlc_graph_pad_isa(op))
        convert_pad(l, op);
    else if (mlc_graph_slice_isa(op))
        convert_slice(l, op);
    else if (mlc_graph_gather_isa(op))
        convert_gather(l, op);
    else if (mlc_graph_reshape_isa(op))
        convert_reshape(l, op);
    else if (is_reduction(op))
        convert_reduction(l, op);
}

// From the last to the first, so that a chain of dead ones goes.
static void
drop_dead(Layouter *l, MlcBlock *block)
{
    MlcOp *op = mlc_block_last(block);
    while (op) {
        MlcOp *prev = mlc_op_prev(op);
        if (mlc_op_is_trivially_dead(op))
            mlc_op_erase(op);
        op = prev;
    }
    MLC_FOR_EACH_OP (left, block)
        if (mlc_graph_transpose_isa(left)) {
            mlc_op_remark(left,
                          "a transpose is left: its input and its users want different layouts");
            mlc_pass_count(l->pass, "transposes-left", 1);
        }
}

static void
convert_block(MlcPass *pass, MlcBlock *block)
{
    Layouter l = {.pass = pass, .ctx = mlc_pass_context(pass)};
    mlc_builder_init(&l.b, l.ctx);
    mlc_map_init(&l.nhwc);
    mlc_map_init(&l.given);
    MLC_FOR_EACH_OP_SAFE (op, block)
        convert(&l, op);
    drop_dead(&l, block);
    mlc_map_release(&l.nhwc);
    mlc_map_release(&l.given);
}

// Bodies of control flow by themselves: no form of a value goes in or out.
static void
convert_inside(MlcPass *pass, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i)) {
            convert_block(pass, block);
            MLC_FOR_EACH_OP (inner, block)
                convert_inside(pass, inner);
        }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    convert_inside(pass, root);
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_layout, .flag = "graph-layout",
         .summary = "Channels-last activations, weights transposed when compiling",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)

// graph_simplify.c -- algebra on whole tensors.
//
//   reshape(reshape(x)), flatten(x)           -> one reshape of x
//   transpose(transpose(x))                   -> one transpose, or x
//   transpose that only moves sizes of 1      -> reshape
//   conv(x, w) + b, b constant per channel    -> conv(x, w, b)
//   matmul(x, w) + b, of matrices, b a vector -> gemm(x, w, b); and gemm(x, w) + b
//   reshape(gemm(x, w, b)), rows regrouped    -> matmul(reshape(x), w) + b
//   matmul(x, transpose(w)), w constant       -> matmul(x, w'), the elements moved here
//   matmul(x, transpose(w)), gemm of transposes -> gemm with flags
//   conv(pad(x), w), pad spatial and zero     -> conv with the padding in its window
//   conv with taps that read padding alone    -> conv without them
//   pow(x, 2), pow(x, 3)                      -> products
//   gather of neighbours                      -> slice
//   reshape(slice(x)), whole groups of x      -> slice(reshape(x)), which moves nothing first
//   slice(transpose(x))                       -> transpose(slice(x)), each its own part
//   average_pool with uneven borders          -> average_pool of whole windows, times a constant
// together with the ops' own folds and the removal of dead ops, by the greedy driver. No rule
// undoes another's work, and each leaves fewer ops, or cheaper ones of a kind that no rule makes
// again, so this ends.
#include "graph_constants.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

static MlcOp *
operand_def(MlcOp *op, size_t i)
{
    return mlc_value_def(mlc_op_operand(op, i));
}

static bool
has_small_rank(MlcValue *value)
{
    return mlc_type_has_small_rank(mlc_value_type(value));
}

// All sizes are numbers, or have names.
static bool
has_sizes(MlcType type)
{
    if (!mlc_type_has_small_rank(type))
        return false;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (!mlc_size_of_dim(type, i))
            return false;
    return true;
}

// Whether a reshape can say the shape: one size without a name is what the others leave, but -1
// beside a size of 0 says nothing.
static bool
can_reshape_to(MlcType type)
{
    size_t unknown = 0;
    bool is_empty = false;
    if (!mlc_type_has_small_rank(type))
        return false;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        is_empty |= mlc_type_dim(type, i) == 0;
        unknown += !mlc_size_of_dim(type, i);
    }
    return unknown <= (is_empty ? 0 : 1);
}

static MlcValue *
build_reshape(MlcRewriter *rw, MlcType type, MlcValue *input)
{
    int64_t shape[MLC_SMALL_RANK];
    bool has_names = false;
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++) {
        bool is_open = mlc_type_dim(type, i) == MLC_DYNAMIC, is_named = mlc_size_of_dim(type, i);
        shape[i] = !is_open ? mlc_type_dim(type, i) : is_named ? 1 : -1;
        has_names |= is_open && is_named;
    }
    MlcValue *value =
        mlc_graph_reshape_as(mlc_rewriter_builder(rw), type, input, shape, rank, true);
    if (has_names)
        mlc_graph_reshape_set_sizes(mlc_value_def(value), mlc_size_names(type));
    return value;
}

// The same shape but for dimension `i`, which is a number in both.
static MlcType
with_size(MlcType type, size_t i, int64_t size, MlcType element)
{
    int64_t shape[MLC_SMALL_RANK];
    memcpy(shape, mlc_type_shape(type), mlc_type_rank(type) * sizeof *shape);
    shape[i] = size;
    return mlc_tensor_type_get(element, shape, mlc_type_rank(type), mlc_tensor_type_encoding(type));
}

static void
replace(MlcRewriter *rw, MlcOp *op, MlcValue *value)
{
    mlc_rewriter_replace(rw, op, &value, 1);
}

// reshape(reshape(x)) -> reshape(x); flatten counts as a reshape
static bool
merge_reshapes(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = operand_def(op, 0);
    if (!mlc_graph_reshape_isa(inner) && !mlc_graph_flatten_isa(inner))
        return mlc_rewriter_no_match(rw, op, "its input is no reshape");
    if (!can_reshape_to(mlc_op_result_type(op, 0)))
        return mlc_rewriter_no_match(rw, op, "more than one size is unknown");
    replace(rw, op, build_reshape(rw, mlc_op_result_type(op, 0), mlc_op_operand(inner, 0)));
    return true;
}

// flatten(x) -> reshape(x)
static bool
flatten_to_reshape(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    if (!can_reshape_to(mlc_op_result_type(op, 0)))
        return mlc_rewriter_no_match(rw, op, "more than one size is unknown");
    replace(rw, op, build_reshape(rw, mlc_op_result_type(op, 0), mlc_op_operand(op, 0)));
    return true;
}

// transpose(transpose(x, p), q) -> transpose(x, p[q[i]])
static bool
merge_transposes(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t outer[MLC_SMALL_RANK], inner[MLC_SMALL_RANK], both[MLC_SMALL_RANK];
    MlcOp *def = operand_def(op, 0);
    if (!mlc_graph_transpose_isa(def) || !has_small_rank(mlc_op_operand(op, 0)) ||
        !has_small_rank(mlc_op_operand(def, 0)))
        return mlc_rewriter_no_match(rw, op, "its input is no transpose");
    size_t rank = mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0)));
    mlc_graph_permutation(op, outer);
    mlc_graph_permutation(def, inner);
    for (size_t i = 0; i < rank; i++)
        both[i] = inner[outer[i]];
    replace(rw, op,
            mlc_graph_transpose_as(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0),
                                   mlc_op_operand(def, 0), both, rank));
    return true;
}

// transpose(x) -> reshape(x), where the sizes that are not 1 keep their order
static bool
transpose_to_reshape(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t perm[MLC_SMALL_RANK], last = -1;
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    MlcType result = mlc_value_type(mlc_op_result(op, 0));
    if (!has_sizes(type) || !has_sizes(result))
        return mlc_rewriter_no_match(rw, op, "a size is unknown");
    mlc_graph_permutation(op, perm);
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        if (mlc_type_dim(type, (size_t)perm[i]) == 1)
            continue;
        if (perm[i] < last)
            return mlc_rewriter_no_match(rw, op, "it moves elements");
        last = perm[i];
    }
    replace(rw, op, build_reshape(rw, result, mlc_op_operand(op, 0)));
    return true;
}

// The constant as one number per channel: all its sizes but the channel's are 1. NULL if it is not
// that.
static MlcAttr
per_channel(MlcValue *value, size_t rank, size_t channel, int64_t channels)
{
    MlcAttr constant = mlc_value_constant(value);
    MlcType type = mlc_value_type(value);
    if (!constant || !mlc_type_has_rank(type) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) > rank || mlc_type_num_elements(type) != channels)
        return NULL;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) != 1 && i + rank - mlc_type_rank(type) != channel)
            return NULL;
    return mlc_constant_reshape(constant, &channels, 1);
}

static MlcOp *
single_user_producer(MlcOp *op, size_t i, bool (*isa)(const MlcOp *op))
{
    MlcOp *def = operand_def(op, i);
    return isa(def) && mlc_value_has_one_use(mlc_op_result(def, 0)) &&
                   mlc_value_type(mlc_op_result(def, 0)) == mlc_value_type(mlc_op_result(op, 0))
               ? def
               : NULL;
}

// conv(x, w) + b -> conv(x, w, b)
static bool
add_to_conv_bias(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    for (size_t i = 0; i < 2; i++) {
        MlcOp *conv = single_user_producer(op, i, mlc_graph_conv_isa);
        MlcType type = mlc_value_type(mlc_op_result(op, 0));
        if (!conv || mlc_op_num_operands(conv) != 2 || !mlc_type_has_rank(type))
            continue;
        size_t rank = mlc_type_rank(type);
        size_t channel = mlc_graph_layout(conv) == MLC_GRAPH_LAYOUT_NHWC ? rank - 1 : 1;
        MlcAttr bias =
            per_channel(mlc_op_operand(op, 1 - i), rank, channel, mlc_type_dim(type, channel));
        if (!bias)
            continue;
        MlcValue *operands[] = {mlc_op_operand(conv, 0), mlc_op_operand(conv, 1),
                                mlc_constant_build(conv, bias)};
        mlc_op_set_operands(conv, operands, 3);
        mlc_rewriter_changed(rw, conv);
        replace(rw, op, mlc_op_result(conv, 0));
        return true;
    }
    return mlc_rewriter_no_match(rw, op, "it adds nothing constant to a convolution");
}

// gemm(x, w) + b -> gemm(x, w, b), b a vector
static bool
add_bias_to_gemm(MlcRewriter *rw, MlcOp *op, MlcOp *gemm, MlcValue *bias)
{
    MlcType type = mlc_value_type(bias);
    if (mlc_op_num_operands(gemm) != 2 || !mlc_type_has_rank(type) || mlc_type_rank(type) != 1 ||
        !mlc_type_has_static_shape(type))
        return false;
    MlcValue *sum = mlc_graph_gemm_as(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0),
                                      mlc_op_operand(gemm, 0), mlc_op_operand(gemm, 1), bias,
                                      mlc_graph_gemm_trans_a(gemm), mlc_graph_gemm_trans_b(gemm));
    mlc_graph_gemm_set_alpha(mlc_value_def(sum), mlc_graph_gemm_alpha(gemm));
    replace(rw, op, sum);
    return true;
}

// matmul(x, w) + b -> gemm(x, w, b)
static bool
add_to_gemm(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    for (size_t i = 0; i < 2; i++) {
        MlcOp *matmul = single_user_producer(op, i, mlc_graph_matmul_isa);
        MlcOp *gemm = single_user_producer(op, i, mlc_graph_gemm_isa);
        if (gemm && add_bias_to_gemm(rw, op, gemm, mlc_op_operand(op, 1 - i)))
            return true;
        MlcType bias = mlc_value_type(mlc_op_operand(op, 1 - i));
        if (!matmul || !mlc_type_has_rank(bias) || mlc_type_rank(bias) != 1 ||
            !mlc_type_has_static_shape(bias))
            continue;
        MlcType a = mlc_value_type(mlc_op_operand(matmul, 0)),
                b = mlc_value_type(mlc_op_operand(matmul, 1));
        if (!mlc_type_has_rank(a) || mlc_type_rank(a) != 2 || !mlc_type_has_rank(b) ||
            mlc_type_rank(b) != 2 || !mlc_type_is_float(mlc_type_element(a)))
            continue;
        MlcType type = mlc_value_type(mlc_op_result(op, 0));
        replace(rw, op,
                mlc_graph_gemm_as(mlc_rewriter_builder(rw), type, mlc_op_operand(matmul, 0),
                                  mlc_op_operand(matmul, 1), mlc_op_operand(op, 1 - i), false,
                                  false));
        return true;
    }
    return mlc_rewriter_no_match(rw, op, "it adds no vector to a product of matrices");
}

// A product of matrices that are not transposed or scaled, what it adds being the same for all
// rows.
static bool
is_product_of_rows(MlcOp *op)
{
    if (mlc_graph_matmul_isa(op))
        return has_small_rank(mlc_op_operand(op, 0)) && has_small_rank(mlc_op_operand(op, 1)) &&
               mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0))) >= 2 &&
               mlc_type_rank(mlc_value_type(mlc_op_operand(op, 1))) == 2;
    if (!mlc_graph_gemm_isa(op) || mlc_attr_as_bool(mlc_op_attr(op, "trans_a")) ||
        mlc_float_attr_as_double(mlc_op_attr(op, "alpha")) != 1 ||
        mlc_float_attr_as_double(mlc_op_attr(op, "beta")) != 1)
        return false;
    if (mlc_op_num_operands(op) < 3)
        return true;
    MlcType added = mlc_value_type(mlc_op_operand(op, 2));
    return mlc_type_has_rank(added) && (mlc_type_rank(added) < 2 || mlc_type_dim(added, 0) == 1);
}

// The constant matrix of a product, [K, N]; NULL if there is none.
static MlcAttr
constant_matrix(MlcOp *product)
{
    MlcAttr matrix = mlc_value_constant(mlc_op_operand(product, 1)),
            trans_b = mlc_op_attr(product, "trans_b");
    if (!matrix || !trans_b || !mlc_attr_as_bool(trans_b))
        return matrix;
    static const int64_t swapped[] = {1, 0};
    return mlc_constant_permute(matrix, mlc_type_shape(mlc_attr_type(matrix)), swapped, 2);
}

// reshape(gemm(x, w, b)) -> matmul(reshape(x), w) + b, where rows stay rows and w is constant: what
// follows, as it does in models whose linear layers are Gemms between reshapes, meets the product
static bool
product_under_reshape(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *product = operand_def(op, 0);
    MlcType to = mlc_value_type(mlc_op_result(op, 0));
    size_t rank = mlc_type_has_rank(to) ? mlc_type_rank(to) : 0;
    if (!product || !mlc_value_has_one_use(mlc_op_operand(op, 0)) || !is_product_of_rows(product))
        return mlc_rewriter_no_match(rw, op, "its input is no product of rows");
    MlcType from = mlc_value_type(mlc_op_operand(op, 0));
    MlcType x = mlc_value_type(mlc_op_operand(product, 0));
    if (rank < 3 || !has_sizes(to) || !has_sizes(from) || !has_sizes(x) ||
        mlc_type_dim(to, rank - 1) == MLC_DYNAMIC ||
        mlc_type_dim(to, rank - 1) != mlc_type_dim(from, mlc_type_rank(from) - 1))
        return mlc_rewriter_no_match(rw, op, "its rows are not the product's");
    MlcAttr matrix = constant_matrix(product);
    if (!matrix)
        return mlc_rewriter_no_match(rw, op, "its matrix is no constant, or has no bytes");
    MlcType rows =
        with_size(to, rank - 1, mlc_type_dim(x, mlc_type_rank(x) - 1), mlc_type_element(x));
    MlcValue *lhs = build_reshape(rw, rows, mlc_op_operand(product, 0));
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *value = mlc_graph_matmul_as(b, to, lhs, mlc_constant_build(op, matrix));
    if (mlc_op_num_operands(product) == 3)
        value = mlc_graph_add_as(b, to, value, mlc_op_operand(product, 2));
    replace(rw, op, value);
    return true;
}

// The matrix that operand `i` is the transpose of; NULL if it is not.
static MlcValue *
transposed_matrix(MlcOp *op, size_t i)
{
    int64_t perm[MLC_SMALL_RANK];
    MlcOp *def = operand_def(op, i);
    if (!mlc_graph_transpose_isa(def) || !has_small_rank(mlc_op_operand(def, 0)) ||
        mlc_type_rank(mlc_value_type(mlc_op_operand(def, 0))) != 2)
        return NULL;
    mlc_graph_permutation(def, perm);
    return perm[0] == 1 ? mlc_op_operand(def, 0) : NULL;
}

// matmul(x, transpose(w)), w constant -> matmul(x, w'), whatever its size: the product packs it
// anyway
static bool
matmul_of_constant_transpose(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t perm[MLC_SMALL_RANK];
    MlcOp *def = operand_def(op, 1);
    MlcAttr matrix = mlc_graph_transpose_isa(def) && has_small_rank(mlc_op_operand(def, 0))
                         ? mlc_value_constant(mlc_op_operand(def, 0))
                         : NULL;
    if (!matrix)
        return mlc_rewriter_no_match(rw, op, "its second operand is no transposed constant");
    MlcType type = mlc_attr_type(matrix);
    mlc_graph_permutation(def, perm);
    MlcAttr moved = mlc_constant_permute(matrix, mlc_type_shape(type), perm, mlc_type_rank(type));
    if (!moved)
        return mlc_rewriter_no_match(rw, op, "the constant has no bytes");
    mlc_op_set_operand(op, 1, mlc_constant_build(op, moved));
    mlc_rewriter_changed(rw, op);
    return true;
}

// matmul(x, transpose(w)) -> gemm(x, w) with trans_b, of matrices
static bool
matmul_of_transpose(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType a = mlc_value_type(mlc_op_operand(op, 0));
    MlcValue *matrix = transposed_matrix(op, 1);
    if (!matrix || !mlc_type_has_rank(a) || mlc_type_rank(a) != 2 ||
        !mlc_type_is_float(mlc_type_element(a)))
        return mlc_rewriter_no_match(rw, op, "its second operand is no transposed matrix");
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    replace(rw, op,
            mlc_graph_gemm_as(mlc_rewriter_builder(rw), type, mlc_op_operand(op, 0), matrix, NULL,
                              false, true));
    return true;
}

// gemm(transpose(a), transpose(b)) -> gemm(a, b) with the flags turned
static bool
gemm_of_transpose(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    static const char *const flags[] = {"trans_a", "trans_b"};
    bool found = false;
    for (size_t i = 0; i < 2; i++) {
        MlcValue *matrix = transposed_matrix(op, i);
        if (!matrix)
            continue;
        bool flag = mlc_attr_as_bool(mlc_op_attr(op, flags[i]));
        mlc_op_set_operand(op, i, matrix);
        mlc_op_set_attr(op, flags[i], mlc_bool_attr_get(mlc_op_context(op), !flag));
        found = true;
    }
    if (!found)
        return mlc_rewriter_no_match(rw, op, "no operand is a transposed matrix");
    mlc_rewriter_changed(rw, op);
    return true;
}

// Spatial padding of zeros, as window padding; false if it pads anything else.
static bool
spatial_pads(MlcOp *pad, MlcGraphLayout layout, size_t rank, int64_t *low, int64_t *high)
{
    MlcAttr pads = mlc_op_attr(pad, "pads"), value = mlc_op_attr(pad, "value");
    size_t first = layout == MLC_GRAPH_LAYOUT_NHWC ? 1 : 2;
    if (mlc_float_attr_as_double(value) != 0 || mlc_int_list_attr_size(pads) != 2 * rank)
        return false;
    for (size_t i = 0; i < rank; i++) {
        int64_t a, b;
        bool spatial = i >= first && i < first + rank - 2;
        if (!mlc_int_list_attr_get(pads, i, &a) || !mlc_int_list_attr_get(pads, i + rank, &b) ||
            a < 0 || b < 0 || (!spatial && (a || b)))
            return false;
        if (spatial) {
            low[i - first] = a;
            high[i - first] = b;
        }
    }
    return true;
}

// conv(pad(x), w) -> conv(x, w)
static bool
pad_into_conv(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcGraphWindow w;
    int64_t low[MLC_GRAPH_MAX_SPATIAL], high[MLC_GRAPH_MAX_SPATIAL],
        pads[2 * MLC_GRAPH_MAX_SPATIAL];
    MlcOp *pad = operand_def(op, 0);
    if (!mlc_graph_pad_isa(pad) || mlc_op_attr(op, "auto_pad") || !mlc_graph_window(op, &w) ||
        !spatial_pads(pad, mlc_graph_layout(op), w.rank + 2, low, high))
        return mlc_rewriter_no_match(rw, op, "its input is not padded with zeros");
    for (size_t i = 0; i < w.rank; i++) {
        pads[i] = w.pad_begin[i] + low[i];
        pads[i + w.rank] = w.pad_end[i] + high[i];
    }
    mlc_op_set_operand(op, 0, mlc_op_operand(pad, 0));
    mlc_op_set_attr(op, "pads", mlc_i64_array_attr_get(mlc_op_context(op), pads, 2 * w.rank));
    mlc_rewriter_changed(rw, op);
    return true;
}

// The taps of dimension `i` that read the input at any position of the result: `first` to `last`,
// or as many more as leave no window of negative padding.
static void
find_live_taps(MlcOp *op, const MlcGraphWindow *w, size_t i, int64_t *first, int64_t *last)
{
    size_t dim = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC ? i + 1 : i + 2;
    int64_t size = mlc_type_dim(mlc_value_type(mlc_op_operand(op, 0)), dim), step = w->dilations[i];
    int64_t reach = (mlc_type_dim(mlc_value_type(mlc_op_result(op, 0)), dim) - 1) * w->strides[i];
    int64_t before = w->pad_begin[i] / step, behind = w->pad_end[i] / step;
    *first = 0;
    *last = w->kernel[i] - 1;
    while (*first < *last && *first < before && *first * step - w->pad_begin[i] + reach < 0)
        ++*first;
    while (*last > *first && w->kernel[i] - 1 - *last < behind &&
           *last * step - w->pad_begin[i] >= size)
        --*last;
}

// A filter dilated so far that taps only ever meet padding (DeepLab's on a small image) does
// without them.
static bool
drop_taps_in_padding(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcGraphWindow w;
    MlcValue *filter = mlc_op_operand(op, 1);
    int64_t starts[MLC_GRAPH_MAX_SPATIAL], ends[MLC_GRAPH_MAX_SPATIAL], axes[MLC_GRAPH_MAX_SPATIAL],
        pads[2 * MLC_GRAPH_MAX_SPATIAL];
    bool any = false;
    if (!mlc_graph_window(op, &w) || !mlc_type_has_static_shape(mlc_value_type(filter)) ||
        !mlc_type_has_static_shape(mlc_value_type(mlc_op_operand(op, 0))) ||
        !mlc_type_has_static_shape(mlc_value_type(mlc_op_result(op, 0))))
        return mlc_rewriter_no_match(rw, op, "its window or sizes are not known");
    size_t spatial = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC ? 0 : 2;
    for (size_t i = 0; i < w.rank; i++) {
        int64_t last;
        find_live_taps(op, &w, i, &starts[i], &last);
        ends[i] = last + 1;
        axes[i] = (int64_t)(spatial + i);
        pads[i] = w.pad_begin[i] - starts[i] * w.dilations[i];
        pads[i + w.rank] = w.pad_end[i] - (w.kernel[i] - ends[i]) * w.dilations[i];
        any |= ends[i] - starts[i] != w.kernel[i];
    }
    if (!any)
        return mlc_rewriter_no_match(rw, op, "each tap reads the input");
    MlcBuilder *b = mlc_rewriter_builder(rw);
    mlc_op_set_operand(op, 1, mlc_graph_build_slice(b, filter, axes, starts, ends, w.rank));
    mlc_op_set_attr(op, "auto_pad", NULL);
    mlc_op_set_attr(op, "pads", mlc_i64_array_attr_get(b->ctx, pads, 2 * w.rank));
    mlc_rewriter_changed(rw, op);
    return true;
}

// Pads of the window so that no window hangs over the padded input.
static void
fitting_pads(MlcOp *op, const MlcGraphWindow *w, int64_t *pads)
{
    size_t first = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC ? 1 : 2;
    MlcType input = mlc_value_type(mlc_op_operand(op, 0));
    MlcType result = mlc_value_type(mlc_op_result(op, 0));
    for (size_t i = 0; i < w->rank; i++) {
        int64_t extent = (w->kernel[i] - 1) * w->dilations[i] + 1;
        int64_t need = (mlc_type_dim(result, first + i) - 1) * w->strides[i] + extent -
                       mlc_type_dim(input, first + i) - w->pad_begin[i];
        pads[i] = w->pad_begin[i];
        pads[i + w->rank] = need > w->pad_end[i] ? need : w->pad_end[i];
    }
}

// area / count at every position: a tensor over the spatial dims, and the channel where it is last.
// NULL if all are 1.
static MlcAttr
average_corrections(MlcOp *op, const MlcGraphWindow *w)
{
    bool nhwc = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC, uniform = true;
    MlcType result = mlc_value_type(mlc_op_result(op, 0));
    int64_t dims[MLC_GRAPH_MAX_SPATIAL + 1] = {0};
    size_t total = 1;
    double area = 1;
    for (size_t i = 0; i < w->rank; i++) {
        dims[i] = mlc_type_dim(result, (nhwc ? 1 : 2) + i);
        total *= (size_t)dims[i];
        area *= (double)w->kernel[i];
    }
    dims[w->rank] = 1;
    double *factors = mlc_calloc(total, sizeof *factors);
    for (size_t at = 0; at < total; at++) {
        double count = 1;
        size_t rest = at;
        for (size_t i = w->rank; i-- > 0; rest /= (size_t)dims[i])
            count *= (double)mlc_graph_window_count(op, w, i, (int64_t)(rest % (size_t)dims[i]));
        factors[at] = count > 0 ? area / count : 0;
        uniform &= factors[at] == 1;
    }
    MlcType type = mlc_tensor_type_get(mlc_type_element(result), dims, w->rank + nhwc, NULL);
    MlcAttr value = uniform ? NULL : mlc_constant_make(type, factors, total, mlc_str("counts"));
    mlc_free(factors);
    return value;
}

// average_pool where windows cover different numbers of elements -> the mean over the whole window,
// times a constant
static bool
average_pool_to_uniform(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcGraphWindow w;
    int64_t pads[2 * MLC_GRAPH_MAX_SPATIAL];
    MlcType input = mlc_value_type(mlc_op_operand(op, 0));
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    for (size_t i = 1; mlc_type_has_rank(type) && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC || mlc_type_dim(input, i) == MLC_DYNAMIC)
            return mlc_rewriter_no_match(rw, op, "a size is unknown");
    if (!mlc_type_has_rank(type) || !mlc_graph_window(op, &w))
        return mlc_rewriter_no_match(rw, op, "a size is unknown");
    bool is_whole = mlc_graph_window_counts_whole(op, &w);
    if (!is_whole && !mlc_graph_window_counts_kept(op, &w))
        return mlc_rewriter_no_match(rw, op, "there are too many windows");
    MlcAttr corrections = is_whole ? NULL : average_corrections(op, &w);
    if (!corrections)
        return mlc_rewriter_no_match(rw, op, "its windows all cover as many elements");
    fitting_pads(op, &w, pads);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcOp *pool = mlc_builder_insert(b, mlc_op_clone(op, NULL));
    mlc_op_set_attr(pool, "pads", mlc_i64_array_attr_get(b->ctx, pads, 2 * w.rank));
    mlc_op_set_attr(pool, "auto_pad", NULL);
    mlc_op_set_attr(pool, "ceil_mode", mlc_bool_attr_get(b->ctx, false));
    mlc_op_set_attr(pool, "count_include_pad", mlc_bool_attr_get(b->ctx, true));
    MlcValue *factors = mlc_constant_build(op, corrections);
    replace(rw, op, mlc_graph_mul_as(b, type, mlc_op_result(pool, 0), factors));
    return true;
}

// pow(x, 2) -> x * x, pow(x, 3) -> x * x * x, of floats (0.5 is no sqrt: -inf and -0.0 differ)
static bool
pow_of_small(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    double exponent;
    MlcValue *x = mlc_op_operand(op, 0);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcAttr value = mlc_value_constant(mlc_op_operand(op, 1));
    if (!value || mlc_type_num_elements(mlc_attr_type(value)) != 1 ||
        !mlc_constant_read(value, &exponent, 1) || mlc_value_type(x) != type)
        return mlc_rewriter_no_match(rw, op, "its exponent is no single known number");
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (exponent != 2 && exponent != 3)
        return mlc_rewriter_no_match(rw, op, "its exponent is not 2 or 3");
    MlcValue *result = mlc_graph_mul_as(b, type, x, x);
    if (exponent == 3)
        result = mlc_graph_mul_as(b, type, result, x);
    replace(rw, op, result);
    return true;
}

// Indices that count up by one, as a slice's start; false if they do not, or are outside.
static bool
counts_up(MlcAttr indices, int64_t size, int64_t *start, int64_t *count)
{
    *count = mlc_type_num_elements(mlc_attr_type(indices));
    for (int64_t i = 0; i < *count; i++) {
        int64_t index;
        if (!mlc_attr_try_as_int(mlc_elements_attr_element(indices, (size_t)i), &index))
            return false;
        index += index < 0 ? size : 0;
        *start = i == 0 ? index : *start;
        if (index != *start + i || index < 0 || index >= size)
            return false;
    }
    return *count > 0;
}

// gather of neighbours -> slice, as a window; in the result's shape
static bool
gather_of_neighbours(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t start, count, axis, end;
    MlcAttr indices = mlc_value_constant(mlc_op_operand(op, 1));
    MlcValue *data = mlc_op_operand(op, 0);
    MlcType type = mlc_value_type(data), result = mlc_value_type(mlc_op_result(op, 0));
    if (!indices || !has_sizes(type) || !has_sizes(result))
        return mlc_rewriter_no_match(rw, op, "its indices or shapes are not known");
    axis = mlc_graph_axis(op);
    if (mlc_type_dim(type, (size_t)axis) == MLC_DYNAMIC ||
        !counts_up(indices, mlc_type_dim(type, (size_t)axis), &start, &count))
        return mlc_rewriter_no_match(rw, op, "its indices are no neighbours");
    end = start + count;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *value = mlc_graph_build_slice(b, data, &axis, &start, &end, 1);
    if (mlc_value_type(value) != result)
        value = build_reshape(rw, result, value);
    replace(rw, op, value);
    return true;
}

// The one dimension that a slice cuts, into neighbours, and where it begins; false: it cuts
// several, none, or what it cuts is not known.
static bool
sliced_axis(MlcOp *slice, size_t *axis, int64_t *start)
{
    int64_t starts[MLC_SMALL_RANK], steps[MLC_SMALL_RANK];
    MlcType from = mlc_value_type(mlc_op_operand(slice, 0)),
            to = mlc_value_type(mlc_op_result(slice, 0));
    size_t cut = 0;
    if (!has_sizes(from) || !has_sizes(to) || mlc_op_attr(slice, "start_sizes") ||
        mlc_op_attr(slice, "end_sizes"))
        return false;
    mlc_graph_slice_bounds(slice, starts, steps);
    for (size_t i = 0; i < mlc_type_rank(from); i++) {
        if (mlc_size_of_dim(from, i) == mlc_size_of_dim(to, i) && steps[i] == 1)
            continue;
        if (mlc_type_dim(from, i) == MLC_DYNAMIC || mlc_type_dim(to, i) == MLC_DYNAMIC)
            return false;
        *axis = i;
        *start = starts[i];
        cut += steps[i] == 1 ? 1 : 2;
    }
    return cut == 1;
}

// The product of the sizes from `first` to before `last`; NULL if no text says it.
static MlcAttr
size_between(MlcType type, size_t first, size_t last)
{
    MlcAttr size = mlc_size_number(mlc_type_context(type), 1);
    for (size_t i = first; i < last; i++)
        size = mlc_size_combine(MLC_SIZE_MUL, size, mlc_size_of_dim(type, i));
    return size;
}

// The same where all are numbers.
static bool
number_between(MlcType type, size_t first, size_t last, int64_t *number)
{
    MlcAttr size = size_between(type, first, last);
    return size && mlc_size_is_number(size, number);
}

// The dimension that begins where `axis` of `from` does, as both count the elements before it; the
// rank if there is none. Of several, sizes of 1 before another, it is the last.
static size_t
same_axis(MlcType from, size_t axis, MlcType to)
{
    MlcAttr before = size_between(from, 0, axis);
    size_t found = mlc_type_rank(to);
    for (size_t i = 0; before && i < mlc_type_rank(to); i++)
        if (size_between(to, 0, i) == before &&
            (found == mlc_type_rank(to) || mlc_type_dim(to, i - 1) == 1))
            found = i;
    return found;
}

static bool
has_no_elements(MlcType type)
{
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == 0)
            return true;
    return false;
}

// The transpose that makes `value`, also through a reshape that alone reads it; NULL if none does.
static MlcOp *
transpose_behind(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (mlc_graph_reshape_isa(def) && mlc_value_has_one_use(mlc_op_operand(def, 0)))
        def = operand_def(def, 0);
    return mlc_graph_transpose_isa(def) ? def : NULL;
}

// reshape(slice(x)) -> slice(reshape(x)), where the slice is whole groups of a dimension (one of
// query, key and value) that the reshape makes a dimension of its own (its heads): the reshape is a
// view then, and the slice the window that the next op reads
static bool
reshape_of_slice(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cut = operand_def(op, 0);
    MlcType to = mlc_value_type(mlc_op_result(op, 0));
    size_t axis, along;
    int64_t start, group, inner;
    if (!mlc_graph_slice_isa(cut) || !mlc_value_has_one_use(mlc_op_operand(op, 0)))
        return mlc_rewriter_no_match(rw, op, "its input is no slice");
    if (transpose_behind(mlc_op_operand(cut, 0)))
        return mlc_rewriter_no_match(rw, op, "it is a slice of a transpose, which comes first");
    if (!sliced_axis(cut, &axis, &start) || !has_sizes(to) || has_no_elements(to))
        return mlc_rewriter_no_match(rw, op, "the slice cuts more than one dimension");
    if (mlc_tensor_type_encoding(to) && !mlc_size_names(to))
        return mlc_rewriter_no_match(rw, op, "a slice's result has no encoding");
    MlcType from = mlc_value_type(mlc_op_operand(cut, 0));
    size_t rank = mlc_type_rank(to);
    along = same_axis(from, axis, to);
    if (along + 1 >= rank)
        return mlc_rewriter_no_match(rw, op,
                                     "it splits no dimension that begins where the slice's does");
    if (mlc_type_dim(to, along) == MLC_DYNAMIC || !number_between(to, along + 1, rank, &group) ||
        !number_between(from, axis + 1, mlc_type_rank(from), &inner) || start * inner % group ||
        mlc_type_dim(from, axis) * inner % group)
        return mlc_rewriter_no_match(rw, op, "the slice is no whole groups");
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType groups =
        with_size(to, along, mlc_type_dim(from, axis) * inner / group, mlc_type_element(to));
    MlcValue *value = build_reshape(rw, groups, mlc_op_operand(cut, 0));
    int64_t dim = (int64_t)along, first = start * inner / group,
            end = first + mlc_type_dim(to, along);
    replace(rw, op, mlc_graph_build_slice(b, value, &dim, &first, &end, 1));
    return true;
}

static bool
is_only_sliced(MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value)
        if (!mlc_graph_slice_isa(mlc_use_owner(use)))
            return false;
    return true;
}

// slice(transpose(x)) -> transpose(slice(x)), also where a reshape between the two keeps the
// dimension: each moves its own part, or nothing if that has a size of 1 there (query, key and
// value that torch makes the first dimension and takes apart again)
static bool
slice_of_transpose(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *source = mlc_op_operand(op, 0);
    MlcOp *transpose = transpose_behind(source);
    size_t axis, along;
    int64_t start, perm[MLC_SMALL_RANK];
    if (!transpose || !is_only_sliced(source) || !sliced_axis(op, &axis, &start))
        return mlc_rewriter_no_match(rw, op, "it is no slice of a transpose along one dimension");
    MlcValue *x = mlc_op_operand(transpose, 0);
    MlcType from = mlc_value_type(source), moved = mlc_value_type(mlc_op_result(transpose, 0)),
            to = mlc_value_type(mlc_op_result(op, 0));
    if (!has_sizes(mlc_value_type(x)) || !has_sizes(moved) || has_no_elements(moved))
        return mlc_rewriter_no_match(rw, op, "a size is unknown, or 0");
    along = same_axis(from, axis, moved);
    size_t rank = mlc_type_rank(moved);
    if (along == rank || mlc_type_dim(moved, along) != mlc_type_dim(from, axis))
        return mlc_rewriter_no_match(rw, op, "the reshape does not keep the dimension");
    mlc_graph_permutation(transpose, perm);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    int64_t end = start + mlc_type_dim(to, axis);
    MlcValue *value = mlc_graph_build_slice(b, x, &perm[along], &start, &end, 1);
    value = mlc_graph_transpose(b, value, perm, rank);
    if (mlc_value_type(value) != to)
        value = build_reshape(rw, to, value);
    replace(rw, op, value);
    return true;
}

static const MlcPattern patterns[] = {
    {.name = "pow-of-small", .root = "graph.pow", .benefit = 1, .rewrite = pow_of_small},
    {.name = "gather-of-neighbours",
     .root = "graph.gather",
     .benefit = 1,
     .rewrite = gather_of_neighbours},
    {.name = "reshape-of-slice",
     .root = "graph.reshape",
     .benefit = 2,
     .rewrite = reshape_of_slice},
    {.name = "slice-of-transpose",
     .root = "graph.slice",
     .benefit = 1,
     .rewrite = slice_of_transpose},
    {.name = "merge-reshapes", .root = "graph.reshape", .benefit = 1, .rewrite = merge_reshapes},
    {.name = "flatten-to-reshape",
     .root = "graph.flatten",
     .benefit = 1,
     .rewrite = flatten_to_reshape},
    {.name = "merge-transposes",
     .root = "graph.transpose",
     .benefit = 2,
     .rewrite = merge_transposes},
    {.name = "transpose-to-reshape",
     .root = "graph.transpose",
     .benefit = 1,
     .rewrite = transpose_to_reshape},
    {.name = "add-to-conv-bias", .root = "graph.add", .benefit = 1, .rewrite = add_to_conv_bias},
    {.name = "add-to-gemm", .root = "graph.add", .benefit = 1, .rewrite = add_to_gemm},
    {.name = "product-under-reshape",
     .root = "graph.reshape",
     .benefit = 2,
     .rewrite = product_under_reshape},
    {.name = "matmul-of-constant-transpose",
     .root = "graph.matmul",
     .benefit = 2,
     .rewrite = matmul_of_constant_transpose},
    {.name = "matmul-of-transpose",
     .root = "graph.matmul",
     .benefit = 1,
     .rewrite = matmul_of_transpose},
    {.name = "gemm-of-transpose", .root = "graph.gemm", .benefit = 1, .rewrite = gemm_of_transpose},
    {.name = "average-pool-to-uniform",
     .root = "graph.average_pool",
     .benefit = 1,
     .rewrite = average_pool_to_uniform},
    {.name = "pad-into-conv", .root = "graph.conv", .benefit = 2, .rewrite = pad_into_conv},
    {.name = "drop-taps-in-padding",
     .root = "graph.conv",
     .benefit = 1,
     .rewrite = drop_taps_in_padding},
};

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *set = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add_all(set, patterns, sizeof patterns / sizeof *patterns);
    bool converged = mlc_apply_patterns_greedily(root, set, NULL);
    mlc_pattern_set_destroy(set);
    if (!converged)
        mlc_op_remark(root, "stopped before nothing was left to simplify");
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_simplify, .flag = "graph-simplify", .summary = "Simplify graph ops by algebra",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)

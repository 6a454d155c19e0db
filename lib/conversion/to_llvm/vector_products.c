// vector_products.c -- contractions, outer products and reductions, written out: each row of the
// result is combined with one row of products after the other.
#include "vector_dims.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/vector.h"

// A loop nest over `sizes` in which an operand's element is found by a map.
typedef struct Nest {
    size_t rank;
    int64_t sizes[MLC_RANK_LIMIT], at[MLC_RANK_LIMIT];
    bool is_reduced[MLC_RANK_LIMIT];
    size_t out[MLC_RANK_LIMIT], out_rank; // loops of the result's dimensions
} Nest;

static unsigned
loop_of(MlcAffineMap map, size_t i)
{
    return mlc_affine_position(mlc_affine_map_result(map, i));
}

static int64_t
linear_at(const Nest *nest, MlcAffineMap map, MlcType type)
{
    int64_t linear = 0;
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        linear = linear * mlc_type_dim(type, i) + nest->at[loop_of(map, i)];
    return linear;
}

// Counts loop `i` on; false where it begins again.
static bool
step(Nest *nest, size_t i)
{
    if (++nest->at[i] < nest->sizes[i])
        return true;
    nest->at[i] = 0;
    return false;
}

// The next point of the loops that are reduced; false after the last.
static bool
next_term(Nest *nest)
{
    for (size_t i = nest->rank; i-- > 0;)
        if (nest->is_reduced[i] && step(nest, i))
            return true;
    return false;
}

// The next row of the result, by its dimensions but the last.
static bool
next_row(Nest *nest)
{
    for (size_t i = nest->out_rank; i-- > 1;)
        if (step(nest, nest->out[i - 1]))
            return true;
    return false;
}

// The operand's elements along the result's last dimension, at a point of the other loops.
static MlcValue *
row_of(MlcBuilder *b, Nest *nest, MlcAffineMap map, MlcValue *operand)
{
    MlcType type = mlc_value_type(operand);
    if (nest->out_rank == 0)
        return vector_lane(b, operand, (size_t)linear_at(nest, map, type));
    size_t last = nest->out[nest->out_rank - 1], n = (size_t)nest->sizes[last];
    Lane *lanes = mlc_calloc(n, sizeof *lanes);
    for (size_t i = 0; i < n; i++) {
        nest->at[last] = (int64_t)i;
        lanes[i].element = (size_t)linear_at(nest, map, type);
    }
    nest->at[last] = 0;
    MlcValue *row = vector_of_lanes(b, &operand, lanes, n);
    mlc_free(lanes);
    return row;
}

// `value` with elements like those of `like`, which are as wide or wider.
static MlcValue *
widened(MlcBuilder *b, MlcValue *value, MlcValue *like)
{
    MlcType type = mlc_value_type(value), element = mlc_type_element(mlc_value_type(like));
    if (mlc_type_element(type) == element)
        return value;
    MlcType to =
        mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_with_element(type, element) : element;
    return mlc_type_is_float(element) ? mlc_arith_extf(b, to, value)
                                      : mlc_arith_extsi(b, to, value);
}

typedef struct Product {
    Nest nest;
    MlcValue *factors[2]; // the second NULL: there is one
    MlcAffineMap maps[2];
    int64_t kind;
} Product;

static MlcValue *
accumulate(MlcBuilder *b, Product *p, MlcValue *acc)
{
    do {
        MlcValue *x = widened(b, row_of(b, &p->nest, p->maps[0], p->factors[0]), acc);
        if (p->factors[1]) {
            MlcValue *y = widened(b, row_of(b, &p->nest, p->maps[1], p->factors[1]), acc);
            x = vector_combine(b, MLC_VECTOR_KIND_MUL, x, y);
        }
        acc = vector_combine(b, p->kind, acc, x);
    } while (next_term(&p->nest));
    return acc;
}

static bool
write_out(MlcRewriter *rw, MlcOp *op, Product *p, MlcValue *acc)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    int64_t count = 1;
    for (size_t i = 0; i < p->nest.rank; i++)
        if (__builtin_mul_overflow(count, p->nest.sizes[i], &count) || count > MAX_WRITTEN_OUT)
            return false;
    MlcType type = mlc_value_type(acc);
    if (!mlc_type_is(type, MLC_TYPE_VECTOR))
        return mlc_rewriter_replace_op(rw, op, accumulate(b, p, acc));
    MlcValueVec rows = {0};
    int64_t row = 0;
    do
        mlc_vec_push(&rows, accumulate(b, p, vector_row(b, acc, row++)));
    while (next_row(&p->nest));
    mlc_rewriter_replace_op(rw, op, vector_of_rows(b, type, rows.data));
    mlc_vec_release(&rows);
    return true;
}

static bool
is_masked(MlcOp *op)
{
    return mlc_vector_mask_isa(mlc_op_parent(op));
}

static bool
read_nest(Nest *nest, MlcAffineMap out, const MlcAffineMap *maps, MlcValue *const *factors,
          size_t num_factors)
{
    nest->rank = mlc_affine_map_num_dims(out);
    if (nest->rank > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < nest->rank; i++)
        nest->is_reduced[i] = true;
    nest->out_rank = mlc_affine_map_num_results(out);
    for (size_t i = 0; i < nest->out_rank; i++) {
        nest->out[i] = loop_of(out, i);
        nest->is_reduced[nest->out[i]] = false;
    }
    for (size_t k = 0; k < num_factors; k++)
        for (size_t i = 0; i < mlc_affine_map_num_results(maps[k]); i++) {
            if (mlc_affine_kind(mlc_affine_map_result(maps[k], i)) != MLC_AFFINE_DIM)
                return false;
            nest->sizes[loop_of(maps[k], i)] = mlc_type_dim(mlc_value_type(factors[k]), i);
        }
    return true;
}

static bool
lower_contract(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Product p = {.kind = mlc_vector_contract_kind(op),
                 .factors = {mlc_op_operand(op, 0), mlc_op_operand(op, 1)}};
    MlcAttr maps = mlc_vector_contract_indexing_maps(op);
    for (size_t i = 0; i < 2; i++)
        p.maps[i] = mlc_affine_map_attr_value(mlc_array_attr_element(maps, i));
    MlcAffineMap out = mlc_affine_map_attr_value(mlc_array_attr_element(maps, 2));
    if (is_masked(op) || vector_is_scalable(mlc_op_operand_type(op, 0)) ||
        vector_is_scalable(mlc_op_operand_type(op, 1)) ||
        !read_nest(&p.nest, out, p.maps, p.factors, 2))
        return false;
    return write_out(rw, op, &p, mlc_op_operand(op, 2));
}

static bool
lower_multi_reduction(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType type = mlc_op_operand_type(op, 0);
    size_t rank = mlc_type_rank(type);
    MlcContext *ctx = mlc_op_context(op);
    MlcAffineExpr kept[MLC_RANK_LIMIT];
    size_t num_kept = 0;
    MlcAttr dims = mlc_vector_multi_reduction_reduction_dims(op);
    for (size_t i = 0; i < rank; i++) {
        bool is_reduced = false;
        int64_t dim = 0;
        for (size_t k = 0; k < mlc_int_list_attr_size(dims); k++)
            is_reduced |= mlc_int_list_attr_get(dims, k, &dim) && dim == (int64_t)i;
        if (!is_reduced)
            kept[num_kept++] = mlc_affine_dim(ctx, (unsigned)i);
    }
    Product p = {.kind = mlc_vector_multi_reduction_kind(op),
                 .factors = {mlc_op_operand(op, 0)},
                 .maps = {mlc_affine_map_identity(ctx, (unsigned)rank)}};
    MlcAffineMap out = mlc_affine_map_get(ctx, (unsigned)rank, 0, kept, num_kept);
    if (is_masked(op) || vector_is_scalable(type) || !read_nest(&p.nest, out, p.maps, p.factors, 1))
        return false;
    return write_out(rw, op, &p, mlc_op_operand(op, 1));
}

// Row i is lhs[i] * rhs, combined with that of the accumulator; a scalar rhs: lhs * rhs.
static bool
lower_outerproduct(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *lhs = mlc_op_operand(op, 0), *rhs = mlc_op_operand(op, 1);
    MlcValue *acc = mlc_op_num_operands(op) > 2 ? mlc_op_operand(op, 2) : NULL;
    MlcType type = mlc_op_result_type(op, 0);
    bool is_flat = mlc_type_rank(type) == 1;
    int64_t kind = mlc_vector_outerproduct_kind(op);
    if (is_masked(op) || vector_is_scalable(type) || mlc_type_num_elements(type) > MAX_WRITTEN_OUT)
        return false;
    MlcValueVec rows = {0};
    for (int64_t i = 0; i < vector_num_rows(type); i++) {
        MlcValue *factor = is_flat ? rhs : vector_lane(b, lhs, (size_t)i);
        MlcValue *row = vector_combine(b, MLC_VECTOR_KIND_MUL,
                                       mlc_vector_broadcast(b, vector_row_type(type), factor),
                                       is_flat ? lhs : rhs);
        mlc_vec_push(&rows, acc ? vector_combine(b, kind, vector_row(b, acc, i), row) : row);
    }
    mlc_rewriter_replace_op(rw, op, vector_of_rows(b, type, rows.data));
    mlc_vec_release(&rows);
    return true;
}

// reduction(v, acc) -> combine(acc, reduction(v)), but for sums and products of floats, which have
// an order; of no dimensions: the element.
static bool
lower_reduction(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *vector = mlc_op_operand(op, 0);
    MlcValue *acc = mlc_op_num_operands(op) > 1 ? mlc_op_operand(op, 1) : NULL;
    MlcType type = mlc_value_type(vector), element = mlc_op_result_type(op, 0);
    int64_t kind = mlc_vector_reduction_kind(op);
    bool is_ordered =
        mlc_type_is_float(element) && (kind == MLC_VECTOR_KIND_ADD || kind == MLC_VECTOR_KIND_MUL);
    bool is_scalar = mlc_type_rank(type) == 0;
    if (is_masked(op) || (!is_scalar && (!acc || is_ordered)))
        return false;
    MlcValue *value = is_scalar ? vector_lane(b, vector, 0)
                                : mlc_vector_reduction(b, element, vector, NULL, kind);
    return mlc_rewriter_replace_op(rw, op, acc ? vector_combine(b, kind, acc, value) : value);
}

const MlcPattern vector_product_patterns[] = {
    {.name = "products row by row",
     .root = "vector.contract",
     .benefit = 1,
     .rewrite = lower_contract},
    {.name = "rows combined",
     .root = "vector.multi_reduction",
     .benefit = 1,
     .rewrite = lower_multi_reduction},
    {.name = "products row by row",
     .root = "vector.outerproduct",
     .benefit = 1,
     .rewrite = lower_outerproduct},
    {.name = "accumulator apart",
     .root = "vector.reduction",
     .benefit = 1,
     .rewrite = lower_reduction},
};
const size_t vector_num_product_patterns =
    sizeof vector_product_patterns / sizeof *vector_product_patterns;

// vectorize_body.c -- the body of a structured op on vectors, and what it reads by itself.
//
// A product added to something becomes vector.fma. Positions that the body computes
// (linalg.index, arithmetic on it) stay scalars: those of the first lane.
#include "vectorize.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/tensor.h"
#include "mlc/dialects/vector.h"

// ---- elements that the body finds by itself: linalg.index, tensor.extract

static bool
varies(MlcVectorizer *v, MlcValue *value)
{
    return mlc_map_has(&v->varying, value);
}

// A position that is one further for each lane.
static bool
counts_lanes(MlcVectorizer *v, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!varies(v, value) || mlc_linalg_index_isa(def))
        return varies(v, value);
    if (!mlc_arith_addi_isa(def))
        return false;
    MlcValue *lhs = mlc_op_operand(def, 0), *rhs = mlc_op_operand(def, 1);
    return (counts_lanes(v, lhs) && !varies(v, rhs)) || (counts_lanes(v, rhs) && !varies(v, lhs));
}

bool
mlc_vectorize_can_extract(MlcVectorizer *v, MlcOp *op, MlcOp *extract)
{
    size_t rank = mlc_op_num_operands(extract) - 1;
    if (mlc_value_is_inside(mlc_op_operand(extract, 0), op))
        return false;
    for (size_t i = 0; i < rank; i++) {
        MlcValue *index = mlc_op_operand(extract, i + 1);
        if (varies(v, index) && (i + 1 < rank || !counts_lanes(v, index)))
            return false;
    }
    return true;
}

bool
mlc_vectorize_is_position(MlcVectorizer *v, MlcValue *value)
{
    return mlc_map_has(&v->positions, value);
}

static bool
is_position(MlcVectorizer *v, MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        if (!mlc_tensor_extract_isa(user) &&
            (mlc_op_num_results(user) != 1 ||
             !mlc_vectorize_is_position(v, mlc_op_result(user, 0))))
            return false;
    }
    return mlc_value_has_uses(value);
}

void
mlc_vectorize_analyze_body(MlcVectorizer *v, MlcOp *op, int channel)
{
    MlcBlock *body = mlc_structured_body(op);
    bool has_extracts = false;
    mlc_map_clear(&v->varying);
    mlc_map_clear(&v->positions);
    MLC_FOR_EACH_OP (inner, body)
        has_extracts |= mlc_tensor_extract_isa(inner);
    if (!has_extracts)
        return;
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        if (channel >= 0 && mlc_affine_map_uses_dim(mlc_structured_map(op, i), (unsigned)channel))
            mlc_map_add(&v->varying, mlc_block_arg(body, i));
    MLC_FOR_EACH_OP (inner, body) {
        bool does =
            mlc_linalg_index_isa(inner) && mlc_attr_as_int(mlc_op_attr(inner, "dim")) == channel;
        MLC_FOR_EACH_OPERAND (operand, inner)
            does |= varies(v, operand);
        if (does && mlc_op_num_results(inner) == 1)
            mlc_map_add(&v->varying, mlc_op_result(inner, 0));
    }
    for (MlcOp *inner = mlc_block_last(body); inner; inner = mlc_op_prev(inner))
        if (mlc_op_num_results(inner) == 1 && is_position(v, mlc_op_result(inner, 0)))
            mlc_map_add(&v->positions, mlc_op_result(inner, 0));
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        if (is_position(v, mlc_block_arg(body, i)))
            mlc_map_add(&v->positions, mlc_block_arg(body, i));
}

// The tensor that a body reads from by itself, in memory.
static MlcValue *
extracted_tensor(MlcVectorizer *v, MlcOp *extract)
{
    MlcValue *source = mlc_op_operand(extract, 0);
    MlcVectorTile *t = mlc_map_get(&v->tiles, source);
    return t ? mlc_vectorize_memory(v, t) : source;
}

// A value of the body in the first lane of the vector at v->at.
static MlcValue *
position_value(MlcVectorizer *v, MlcCloneMap *positions, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    MlcValue *found = mlc_clone_map_get(positions, value);
    if (found != value || !mlc_value_is_inside(value, v->op))
        return found;
    if (!def) {
        found = mlc_vectorize_operand(v, mlc_value_index(value), (MlcChunk){.lanes = 1});
    } else if (mlc_linalg_index_isa(def)) {
        size_t loop = (size_t)mlc_attr_as_int(mlc_op_attr(def, "dim"));
        found = mlc_index_values_at(&v->indices, &v->b, v->at[loop]);
    } else {
        MLC_FOR_EACH_OPERAND (operand, def)
            (void)position_value(v, positions, operand);
        MlcOp *clone = mlc_op_clone_without_regions(def, positions);
        if (mlc_tensor_extract_isa(def))
            mlc_op_set_operand(clone, 0, extracted_tensor(v, def));
        found = mlc_op_result(mlc_builder_insert(&v->b, clone), 0);
    }
    mlc_clone_map_set(positions, value, found);
    return found;
}

static MlcValue *
emit_extract(MlcVectorizer *v, MlcCloneMap *positions, MlcOp *extract, MlcChunk c)
{
    MlcValue *index[MLC_SMALL_RANK];
    size_t rank = mlc_op_num_operands(extract) - 1;
    if (!c.width || !varies(v, mlc_op_result(extract, 0)))
        return mlc_build_splat(&v->b, position_value(v, positions, mlc_op_result(extract, 0)),
                               c.width);
    for (size_t i = 0; i < rank; i++)
        index[i] = position_value(v, positions, mlc_op_operand(extract, i + 1));
    return mlc_build_transfer_read(&v->b, extracted_tensor(v, extract), index, rank, c);
}

// ---- the body

// The product, if `op` adds one that nothing else uses.
static MlcOp *
fusable_product(MlcOp *op, size_t i)
{
    MlcOp *product = mlc_value_def(mlc_op_operand(op, i));
    if (!mlc_arith_addf_isa(op) || !mlc_arith_mulf_isa(product) ||
        mlc_op_block(product) != mlc_op_block(op) ||
        !mlc_value_has_one_use(mlc_op_result(product, 0)))
        return NULL;
    return product;
}

static bool
is_fused_product(MlcOp *op)
{
    if (!mlc_arith_mulf_isa(op) || !mlc_value_has_one_use(mlc_op_result(op, 0)))
        return false;
    MlcUse *use = mlc_value_first_use(mlc_op_result(op, 0));
    MlcOp *user = mlc_use_owner(use);
    if (!mlc_arith_addf_isa(user))
        return false;
    return fusable_product(user, 0) == op ||
           (!fusable_product(user, 0) && fusable_product(user, 1) == op);
}

static MlcValue *
mapped(MlcVectorizer *v, MlcCloneMap *map, MlcValue *value, int64_t width)
{
    MlcValue *found = mlc_clone_map_get(map, value);
    if (found != value || mlc_value_is_inside(value, v->op))
        return found;
    MlcValue *splat = mlc_build_splat(&v->b, value, width);
    mlc_clone_map_set(map, value, splat);
    return splat;
}

bool
mlc_vectorize_is_zero(MlcValue *value)
{
    MlcAttr constant = mlc_value_constant(value);
    if (constant && mlc_attr_is(constant, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(constant))
        constant = mlc_elements_attr_element(constant, 0);
    return constant && mlc_attr_is(constant, MLC_ATTR_FLOAT) &&
           mlc_float_attr_as_double(constant) == 0;
}

// Whether `value` is what a step of a sum adds to.
static bool
is_accumulator(MlcVectorizer *v, MlcValue *value)
{
    return v->num_reductions > 0 && mlc_value_block(value) == mlc_structured_body(v->op) &&
           mlc_value_index(value) == mlc_structured_num_inputs(v->op);
}

// A sum from zero begins with its first product: one that is -0 stays so, but becomes 0 where the
// sum is added to what the whole started from. Nowhere else: a * x + 0 is never -0.
static MlcValue *
emit_fma(MlcVectorizer *v, MlcCloneMap *map, MlcOp *add, MlcOp *product, size_t i, int64_t width)
{
    MlcValue *a = mapped(v, map, mlc_op_operand(product, 0), width);
    MlcValue *x = mapped(v, map, mlc_op_operand(product, 1), width);
    MlcValue *to = mlc_op_operand(add, 1 - i), *acc = mapped(v, map, to, width);
    return mlc_vectorize_is_zero(acc) && is_accumulator(v, to) ? mlc_arith_mulf(&v->b, a, x)
                                                               : mlc_vector_fma(&v->b, a, x, acc);
}

static void
emit_body_op(MlcVectorizer *v, MlcCloneMap *map, MlcOp *op, int64_t width)
{
    MlcAttr constant = mlc_op_constant(op);
    MlcValue *result = mlc_op_result(op, 0);
    if (constant) {
        MlcType type = mlc_lanes_type(mlc_value_type(result), width);
        MlcAttr value = width ? mlc_dense_attr_splat(type, constant) : constant;
        mlc_clone_map_set(map, result, mlc_build_constant(&v->b, value));
        return;
    }
    if (width && is_fused_product(op))
        return;
    for (size_t i = 0; width && i < 2 && i < mlc_op_num_operands(op); i++) {
        MlcOp *product = fusable_product(op, i);
        if (product) {
            mlc_clone_map_set(map, result, emit_fma(v, map, op, product, i, width));
            return;
        }
    }
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        (void)mapped(v, map, mlc_op_operand(op, i), width);
    MlcOp *wide = mlc_builder_insert(&v->b, mlc_op_clone_without_regions(op, map));
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType element = mlc_value_type(mlc_op_result(op, i));
        mlc_value_set_type(mlc_op_result(wide, i), mlc_lanes_type(element, width));
        mlc_clone_map_set(map, mlc_op_result(op, i), mlc_op_result(wide, i));
    }
}

MlcValue *
mlc_vectorize_body(MlcVectorizer *v, MlcValue *acc, MlcChunk c)
{
    if (v->dot_loop >= 0)
        return mlc_vectorize_dot(v, acc, c);
    MlcBlock *body = mlc_structured_body(v->op);
    MlcOp *yield = mlc_block_last(body);
    MlcCloneMap *map = mlc_clone_map_create(), *positions = mlc_clone_map_create();
    size_t num_inputs = mlc_structured_num_inputs(v->op);
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        MlcValue *arg = mlc_block_arg(body, i);
        if (mlc_value_has_uses(arg) && !mlc_vectorize_is_position(v, arg))
            mlc_clone_map_set(map, arg,
                              acc && i == num_inputs ? acc : mlc_vectorize_operand(v, i, c));
    }
    MLC_FOR_EACH_OP (op, body) {
        if (op == yield ||
            (mlc_op_num_results(op) == 1 && mlc_vectorize_is_position(v, mlc_op_result(op, 0))))
            continue;
        if (mlc_tensor_extract_isa(op))
            mlc_clone_map_set(map, mlc_op_result(op, 0), emit_extract(v, positions, op, c));
        else
            emit_body_op(v, map, op, c.width);
    }
    MlcValue *result = mapped(v, map, mlc_op_operand(yield, 0), c.width);
    mlc_clone_map_destroy(map);
    mlc_clone_map_destroy(positions);
    return result;
}

void
mlc_vectorize_move_to(MlcVectorizer *v, int64_t p, MlcChunk c)
{
    int64_t coordinates[MLC_SMALL_RANK] = {0};
    MlcAffineMap out = mlc_structured_map(v->op, mlc_structured_num_inputs(v->op));
    mlc_vectorize_point(v->tile, p, coordinates);
    if (v->tile->rank)
        coordinates[v->tile->rank - 1] = c.start;
    for (size_t i = 0; i < v->tile->rank; i++)
        v->at[mlc_map_result_dim(out, i)] = mlc_affine_constant(v->ctx, coordinates[i]);
}

void
mlc_vectorize_points(MlcVectorizer *v, MlcValue **values)
{
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < v->tile->num_points; p++)
        for (int64_t i = 0; i < v->tile->num_chunks; i++) {
            MlcChunk c = mlc_vectorize_chunk(v->tile, i);
            MlcValue **value = &values[p * v->tile->num_chunks + i];
            mlc_vectorize_move_to(v, p, c);
            *value = mlc_vectorize_body(v, *value, c);
        }
}

// vector_transfers.c -- transfers between vectors and buffers become loads and stores, with a mask
// where lanes may be outside.
//
// One dimension at a time is a vector in memory: the last one. A transfer that reads or writes
// along it, with stride one, is a load or store of neighbouring elements; a transfer of one element
// broadcast to all lanes is a scalar load, and a matrix along the last two dimensions that is
// surely inside a load or store of two dimensions. One whose rows are all there, but may be cut, is
// a transfer for each row. Whether lanes can be outside is in the op (`in_bounds`), or follows from
// static sizes. Illegal afterwards: vector transfers.
#include "vector_transfers.h"

#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/vector.h"

void
vector_transfer_read(MlcOp *op, VectorTransfer *t)
{
    t->op = op;
    t->is_write = mlc_op_num_results(op) == 0;
    size_t first = t->is_write ? 1 : 0, rank;
    t->memref = mlc_op_operand(op, first);
    rank = mlc_type_rank(mlc_value_type(t->memref));
    for (size_t i = 0; i < rank; i++)
        mlc_vec_push(&t->indices, mlc_op_operand(op, first + 1 + i));
    size_t next = first + 1 + rank;
    t->vector = t->is_write ? mlc_op_operand(op, 0) : mlc_op_result(op, 0);
    if (!t->is_write)
        t->padding = mlc_op_operand(op, next++);
    if (next < mlc_op_num_operands(op))
        t->mask = mlc_op_operand(op, next);
    t->map = mlc_op_affine_map(op, "permutation_map");
}

bool
vector_transfer_in_bounds(const VectorTransfer *t, size_t i)
{
    MlcAttr flags = mlc_op_attr(t->op, "in_bounds");
    return mlc_attr_is(flags, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(flags) &&
           mlc_attr_as_bool(mlc_array_attr_element(flags, i));
}

// Is the transfer inside the buffer whatever the flags say: a constant index, a static size?
static bool
fits(const VectorTransfer *t)
{
    size_t last = t->indices.size - 1;
    int64_t index, size = mlc_type_dim(mlc_value_type(t->memref), last);
    return size != MLC_DYNAMIC && mlc_value_constant_int(t->indices.data[last], &index) &&
           index >= 0 && index + mlc_type_dim(mlc_value_type(t->vector), 0) <= size;
}

static bool
has_unit_stride(MlcType memref)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(memref);
    return rank > 0 && rank <= MLC_RANK_LIMIT &&
           mlc_memref_type_strides(memref, &offset, strides) && strides[rank - 1] == 1;
}

static bool
is_broadcast(const VectorTransfer *t)
{
    int64_t zero;
    return !t->is_write && !t->mask && mlc_affine_map_is_constant(t->map, &zero);
}

bool
vector_transfer_is_contiguous(const VectorTransfer *t)
{
    MlcType memref = mlc_value_type(t->memref);
    if (!mlc_type_is(memref, MLC_TYPE_MEMREF) || mlc_type_rank(mlc_value_type(t->vector)) != 1)
        return false;
    if (is_broadcast(t))
        return true;
    MlcAffineExpr along = mlc_affine_map_result(t->map, 0);
    return mlc_affine_kind(along) == MLC_AFFINE_DIM &&
           mlc_affine_position(along) + 1 == mlc_type_rank(memref) && has_unit_stride(memref);
}

// A matrix along the last two dimensions, all its rows inside.
static bool
is_matrix(const VectorTransfer *t)
{
    size_t rank = t->indices.size;
    MlcContext *ctx = mlc_op_context(t->op);
    if (mlc_type_rank(mlc_value_type(t->vector)) != 2 || t->mask || rank < 2 ||
        !vector_transfer_in_bounds(t, 0) || !has_unit_stride(mlc_value_type(t->memref)))
        return false;
    for (size_t i = 0; i < 2; i++)
        if (mlc_affine_map_result(t->map, i) != mlc_affine_dim(ctx, (unsigned)(rank - 2 + i)))
            return false;
    return true;
}

// Lanes below size - index, and the op's own mask.
static MlcValue *
mask_of(const VectorTransfer *t, MlcBuilder *b)
{
    if (vector_transfer_in_bounds(t, 0) || fits(t))
        return t->mask;
    size_t last = t->indices.size - 1;
    int64_t static_size = mlc_type_dim(mlc_value_type(t->memref), last),
            lanes = mlc_type_dim(mlc_value_type(t->vector), 0);
    MlcValue *size = static_size != MLC_DYNAMIC
                         ? mlc_build_index(b, static_size)
                         : mlc_memref_dim(b, t->memref, mlc_build_index(b, (int64_t)last));
    MlcValue *left = mlc_arith_subi(b, size, t->indices.data[last]);
    MlcType type =
        mlc_vector_type_get(mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS), &lanes, 1, NULL);
    MlcValue *mask = mlc_vector_create_mask(b, type, &left, 1);
    return t->mask ? mlc_arith_andi(b, mask, t->mask) : mask;
}

// A read whose map has only constants: one element for all lanes.
static bool
lower_broadcast_read(const VectorTransfer *t, MlcRewriter *rw)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType type = mlc_value_type(t->vector);
    MlcValue *element = mlc_memref_load(b, t->memref, t->indices.data, t->indices.size);
    MlcValue *vector = mlc_vector_broadcast(b, type, element);
    mlc_rewriter_replace(rw, t->op, &vector, 1);
    return true;
}

static bool
lower_contiguous(const VectorTransfer *t, MlcRewriter *rw)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType type = mlc_value_type(t->vector);
    MlcValue *mask = mask_of(t, b), *const *indices = t->indices.data;
    size_t rank = t->indices.size;
    if (t->is_write) {
        if (mask)
            mlc_vector_maskedstore(b, t->memref, indices, rank, mask, t->vector);
        else
            mlc_vector_store(b, t->vector, t->memref, indices, rank);
        mlc_rewriter_erase(rw, t->op);
        return true;
    }
    MlcValue *loaded = mask ? mlc_vector_maskedload(b, type, t->memref, indices, rank, mask,
                                                    mlc_vector_broadcast(b, type, t->padding))
                            : mlc_vector_load(b, type, t->memref, indices, rank);
    mlc_rewriter_replace(rw, t->op, &loaded, 1);
    return true;
}

static bool
lower_matrix(const VectorTransfer *t, MlcRewriter *rw)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (t->is_write) {
        mlc_vector_store(b, t->vector, t->memref, t->indices.data, t->indices.size);
        mlc_rewriter_erase(rw, t->op);
        return true;
    }
    MlcValue *loaded =
        mlc_vector_load(b, mlc_value_type(t->vector), t->memref, t->indices.data, t->indices.size);
    mlc_rewriter_replace(rw, t->op, &loaded, 1);
    return true;
}

// A transfer for each row, whose end may be outside.
static bool
lower_rows(const VectorTransfer *t, MlcRewriter *rw)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType type = mlc_value_type(t->vector);
    int64_t lanes = mlc_type_dim(type, 1);
    size_t rank = t->indices.size;
    MlcType row_type = mlc_vector_type_get(mlc_type_element(type), &lanes, 1, NULL);
    MlcAffineExpr along = mlc_affine_dim(b->ctx, (unsigned)(rank - 1));
    MlcAffineMap map = mlc_affine_map_get(b->ctx, (unsigned)rank, 0, &along, 1);
    MlcAttr outside = mlc_bool_attr_get(b->ctx, false),
            in_bounds = mlc_array_attr_get(b->ctx, &outside, 1);
    MlcValue *first = t->indices.data[rank - 2];
    MlcValue *made = t->is_write ? NULL : mlc_vector_broadcast(b, type, t->padding);
    for (int64_t i = 0; i < mlc_type_dim(type, 0); i++) {
        t->indices.data[rank - 2] = mlc_arith_addi(b, first, mlc_build_index(b, i));
        if (t->is_write) {
            MlcValue *row = mlc_vector_extract(b, row_type, t->vector, NULL, 0, &i, 1);
            mlc_vector_transfer_write(b, NULL, row, t->memref, t->indices.data, rank, NULL, map,
                                      in_bounds);
        } else {
            MlcValue *row = mlc_vector_transfer_read(b, row_type, t->memref, t->indices.data, rank,
                                                     t->padding, NULL, map, in_bounds);
            made = mlc_vector_insert(b, row, made, NULL, 0, &i, 1);
        }
    }
    if (t->is_write)
        mlc_rewriter_erase(rw, t->op);
    else
        mlc_rewriter_replace(rw, t->op, &made, 1);
    return true;
}

static bool
lower_transfer(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    VectorTransfer t = {0};
    vector_transfer_read(op, &t);
    MlcType memref = mlc_value_type(t.memref);
    bool is_vector = mlc_type_rank(mlc_value_type(t.vector)) == 1, ok = false;
    if (mlc_type_is(memref, MLC_TYPE_MEMREF) && is_matrix(&t))
        ok = vector_transfer_in_bounds(&t, 1) ? lower_matrix(&t, rw) : lower_rows(&t, rw);
    else if (!mlc_type_is(memref, MLC_TYPE_MEMREF) || !is_vector)
        ok = mlc_rewriter_no_match(rw, op, "not between a one-dimensional vector and a memref");
    else if (!vector_transfer_is_contiguous(&t))
        ok = mlc_rewriter_no_match(rw, op, "not along the buffer's last dimension with stride one");
    else
        ok = is_broadcast(&t) ? lower_broadcast_read(&t, rw) : lower_contiguous(&t, rw);
    mlc_vec_release(&t.indices);
    return ok;
}

static const MlcPattern patterns[] = {
    {.name = "transfer-read",
     .root = "vector.transfer_read",
     .benefit = 1,
     .rewrite = lower_transfer},
    {.name = "transfer-write",
     .root = "vector.transfer_write",
     .benefit = 1,
     .rewrite = lower_transfer},
};

static bool
converts(const MlcOpDef *op)
{
    return strcmp(op->name, patterns[0].root) == 0 || strcmp(op->name, patterns[1].root) == 0;
}

void
vector_lower_transfers(MlcOp *root)
{
    MlcPatternSet *set = mlc_pattern_set_create(mlc_op_context(root));
    mlc_pattern_set_add_all(set, patterns, 2);
    MlcGreedyConfig config = {MLC_SIZED(MlcGreedyConfig), .no_region_simplify = true};
    mlc_apply_patterns_greedily(root, set, &config);
    mlc_pattern_set_destroy(set);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    vector_lower_transfers(root);
    return true;
}

static const char *const dialects[] = {"arith", "memref", "vector", NULL};

MLC_PASS(vector_transfers, .flag = "lower-vector-transfers",
         .summary = "Turn vector transfers on buffers into loads and stores",
         .dependent_dialects = dialects, .converts = converts, .run = run)

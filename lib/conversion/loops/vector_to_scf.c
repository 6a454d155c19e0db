// vector_to_scf.c -- transfers that are no load or store of neighbours become loops over elements.
//
// Those are transfers of several dimensions or of none, along another than the last dimension, or
// with gaps. The loops go through a buffer on the stack, of the vector's shape, which is loaded as
// a whole behind them, or stored before them: a vector has no elements at places that are not
// constant. With `full-unroll` there are no loops and no such buffer. What lies outside, or is
// masked, is asked at each element: an scf.if. Nothing is illegal afterwards: transfers on tensors
// stay, and those that lower-vector-transfers takes.
#include "vector_transfers.h"

#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/vector.h"

// More elements than this are not unrolled.
enum { MAX_UNROLLED = 4096 };

typedef struct Walk {
    VectorTransfer *t;
    MlcType type;          // of the vector
    MlcValue *buffer;      // of its elements; NULL: unrolled
    MlcValue *mask_buffer; // NULL: not masked, or unrolled
    MlcValue *result;      // of an unrolled read, so far
    MlcValue *at[MLC_RANK_LIMIT];
    int64_t constant_at[MLC_RANK_LIMIT]; // where it is unrolled
} Walk;

// The dimension of the buffer that dimension `i` of the vector runs along; SIZE_MAX: none.
static size_t
buffer_dim(const VectorTransfer *t, size_t i)
{
    MlcAffineExpr e = mlc_affine_map_result(t->map, i);
    return mlc_affine_kind(e) == MLC_AFFINE_DIM ? mlc_affine_position(e) : SIZE_MAX;
}

static MlcValue *
both(MlcBuilder *b, MlcValue *x, MlcValue *y)
{
    return !x ? y : !y ? x : mlc_arith_andi(b, x, y);
}

// A lane of the mask, whose dimensions are the buffer's that the vector has.
static MlcValue *
mask_lane(Walk *w, MlcBuilder *b)
{
    MlcValue *at[MLC_RANK_LIMIT];
    int64_t constant_at[MLC_RANK_LIMIT];
    size_t n = 0;
    for (size_t d = 0; d < w->t->indices.size; d++)
        for (size_t i = 0; i < mlc_type_rank(w->type); i++)
            if (buffer_dim(w->t, i) == d) {
                at[n] = w->at[i];
                constant_at[n++] = w->constant_at[i];
            }
    if (w->mask_buffer)
        return mlc_memref_load(b, w->mask_buffer, at, n);
    MlcType bit = mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS);
    return mlc_vector_extract(b, bit, w->t->mask, NULL, 0, constant_at, n);
}

// Fills `indices` with the element's place; the condition under which it is read or written, NULL:
// always.
static MlcValue *
place_of(Walk *w, MlcBuilder *b, MlcValue **indices)
{
    const VectorTransfer *t = w->t;
    MlcValue *inside = NULL;
    MlcType memref = mlc_value_type(t->memref);
    for (size_t d = 0; d < t->indices.size; d++)
        indices[d] = t->indices.data[d];
    for (size_t i = 0; i < mlc_type_rank(w->type); i++) {
        size_t d = buffer_dim(t, i);
        if (d == SIZE_MAX)
            continue;
        indices[d] = mlc_arith_addi(b, indices[d], w->at[i]);
        if (vector_transfer_in_bounds(t, i))
            continue;
        int64_t known = mlc_type_dim(memref, d);
        MlcValue *size = known != MLC_DYNAMIC
                             ? mlc_build_index(b, known)
                             : mlc_memref_dim(b, t->memref, mlc_build_index(b, (int64_t)d));
        inside = both(b, inside, mlc_arith_cmpi(b, indices[d], size, MLC_ARITH_CMPI_PREDICATE_SLT));
    }
    return both(b, inside, t->mask ? mask_lane(w, b) : NULL);
}

static MlcOp *
begin_if(MlcBuilder *b, MlcType result, MlcValue *condition, MlcBuilder *outside)
{
    MlcOp *branch = mlc_scf_if(b, &result, result ? 1 : 0, condition);
    *outside = *b;
    mlc_builder_create_block(b, mlc_op_region(branch, 0), NULL, 0);
    return branch;
}

static void
read_element(Walk *w, MlcBuilder *b)
{
    MlcValue *indices[MLC_RANK_LIMIT];
    const VectorTransfer *t = w->t;
    size_t n = t->indices.size;
    MlcValue *condition = place_of(w, b, indices), *element;
    if (condition) {
        MlcBuilder outside;
        MlcOp *branch = begin_if(b, mlc_type_element(w->type), condition, &outside);
        element = mlc_memref_load(b, t->memref, indices, n);
        mlc_scf_yield(b, &element, 1);
        mlc_builder_create_block(b, mlc_op_region(branch, 1), NULL, 0);
        mlc_scf_yield(b, (MlcValue *const[]){t->padding}, 1);
        *b = outside;
        element = mlc_op_result(branch, 0);
    } else {
        element = mlc_memref_load(b, t->memref, indices, n);
    }
    size_t rank = mlc_type_rank(w->type);
    if (w->buffer)
        mlc_memref_store(b, element, w->buffer, w->at, rank);
    else
        w->result = rank ? mlc_vector_insert(b, element, w->result, NULL, 0, w->constant_at, rank)
                         : mlc_vector_broadcast(b, w->type, element);
}

static void
write_element(Walk *w, MlcBuilder *b)
{
    MlcValue *indices[MLC_RANK_LIMIT];
    const VectorTransfer *t = w->t;
    size_t rank = mlc_type_rank(w->type);
    MlcValue *element = w->buffer ? mlc_memref_load(b, w->buffer, w->at, rank)
                                  : mlc_vector_extract(b, mlc_type_element(w->type), t->vector,
                                                       NULL, 0, w->constant_at, rank);
    MlcValue *condition = place_of(w, b, indices);
    MlcBuilder outside = *b;
    if (condition)
        begin_if(b, NULL, condition, &outside);
    mlc_memref_store(b, element, t->memref, indices, t->indices.size);
    if (condition)
        mlc_scf_yield(b, NULL, 0);
    *b = outside;
}

// Dimension `dim` of the vector and those behind it.
static void
walk(Walk *w, MlcBuilder *b, size_t dim)
{
    if (dim == mlc_type_rank(w->type)) {
        if (w->t->is_write)
            write_element(w, b);
        else
            read_element(w, b);
        return;
    }
    int64_t size = mlc_type_dim(w->type, dim);
    if (w->buffer) {
        MlcOp *loop = mlc_scf_for(b, NULL, 0, mlc_build_index(b, 0), mlc_build_index(b, size),
                                  mlc_build_index(b, 1), NULL, 0);
        MlcBuilder outside = *b;
        MlcType index = mlc_index_type_get(b->ctx);
        MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), &index, 1);
        w->at[dim] = mlc_block_arg(body, 0);
        walk(w, b, dim + 1);
        mlc_scf_yield(b, NULL, 0);
        *b = outside;
        return;
    }
    for (int64_t i = 0; i < size; i++) {
        w->at[dim] = mlc_build_index(b, i);
        w->constant_at[dim] = i;
        walk(w, b, dim + 1);
    }
}

// On the stack of the function, not again in each iteration of a loop around the transfer.
static MlcValue *
stack_buffer(MlcBuilder *b, MlcOp *op, MlcType vector)
{
    MlcOp *scope = mlc_op_parent(op), *inner = op;
    while (scope && !mlc_op_has_trait(scope, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE)) {
        inner = scope;
        scope = mlc_op_parent(scope);
    }
    MlcBuilder before = *b;
    MlcBlock *block = mlc_op_block(inner);
    mlc_builder_at_start(b, mlc_region_first(mlc_block_region(block)));
    MlcType type = mlc_memref_type_get(mlc_type_element(vector), mlc_type_shape(vector),
                                       mlc_type_rank(vector), NULL, NULL);
    MlcValue *buffer = mlc_memref_alloca(b, type, NULL, 0, NULL, 0);
    *b = before;
    return buffer;
}

static void
store_whole(MlcBuilder *b, MlcValue *vector, MlcValue *buffer)
{
    MlcValue *zeros[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(mlc_value_type(vector));
    for (size_t i = 0; i < rank; i++)
        zeros[i] = mlc_build_index(b, 0);
    mlc_vector_store(b, vector, buffer, zeros, rank);
}

static MlcValue *
load_whole(MlcBuilder *b, MlcType type, MlcValue *buffer)
{
    MlcValue *zeros[MLC_RANK_LIMIT];
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        zeros[i] = mlc_build_index(b, 0);
    return mlc_vector_load(b, type, buffer, zeros, mlc_type_rank(type));
}

static MlcValue *
zeros_of(MlcBuilder *b, MlcType type)
{
    MlcType element = mlc_type_element(type);
    MlcAttr zero = mlc_type_is_float(element) ? mlc_float_attr_get(element, 0)
                                              : mlc_integer_attr_get(element, 0);
    return mlc_build_constant(b, mlc_dense_attr_splat(type, zero));
}

static void
lower(Walk *w, MlcBuilder *b, bool unroll)
{
    const VectorTransfer *t = w->t;
    if (!unroll) {
        w->buffer = stack_buffer(b, t->op, w->type);
        if (t->mask)
            store_whole(b, t->mask,
                        w->mask_buffer = stack_buffer(b, t->op, mlc_value_type(t->mask)));
        if (t->is_write)
            store_whole(b, t->vector, w->buffer);
    } else if (!t->is_write && mlc_type_rank(w->type) > 0) {
        w->result = zeros_of(b, w->type);
    }
    walk(w, b, 0);
    if (!unroll && !t->is_write)
        w->result = load_whole(b, w->type, w->buffer);
}

static bool
lower_transfer(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    VectorTransfer t = {0};
    vector_transfer_read(op, &t);
    Walk w = {.t = &t, .type = mlc_value_type(t.vector)};
    MlcType memref = mlc_value_type(t.memref);
    bool is_scalable = false, unroll = pattern->user || mlc_type_rank(w.type) == 0;
    for (size_t i = 0; i < mlc_type_rank(w.type); i++)
        is_scalable |= mlc_vector_type_is_scalable(w.type, i);
    bool fits = mlc_type_is(memref, MLC_TYPE_MEMREF) && !is_scalable &&
                mlc_type_element(memref) == mlc_type_element(w.type) &&
                !mlc_vector_mask_isa(mlc_op_parent(op)) && !vector_transfer_is_contiguous(&t) &&
                !(unroll && mlc_type_num_elements(w.type) > MAX_UNROLLED);
    if (fits) {
        lower(&w, mlc_rewriter_builder(rw), unroll);
        if (t.is_write)
            mlc_rewriter_erase(rw, op);
        else
            mlc_rewriter_replace(rw, op, &w.result, 1);
    }
    mlc_vec_release(&t.indices);
    return fits;
}

static const char *const roots[] = {"vector.transfer_read", "vector.transfer_write"};

static bool
converts(const MlcOpDef *op)
{
    return strcmp(op->name, roots[0]) == 0 || strcmp(op->name, roots[1]) == 0;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    static bool yes = true;
    MlcPatternSet *set = mlc_pattern_set_create(mlc_pass_context(pass));
    for (size_t i = 0; i < 2; i++)
        mlc_pattern_set_add(
            set, (MlcPattern){.name = "transfer of elements",
                              .root = roots[i],
                              .benefit = 1,
                              .rewrite = lower_transfer,
                              .user = mlc_pass_option_bool(pass, "full-unroll") ? &yes : NULL});
    MlcGreedyConfig config = {MLC_SIZED(MlcGreedyConfig), .no_region_simplify = true};
    mlc_apply_patterns_greedily(root, set, &config);
    mlc_pattern_set_destroy(set);
    return true;
}

static const char *const dialects[] = {"arith", "memref", "scf", "vector", NULL};
static const MlcPassOption options[] = {
    {"full-unroll", MLC_OPTION_BOOL, NULL, "element by element, without loops"}};

MLC_PASS(vector_to_scf, .flag = "convert-vector-to-scf",
         .summary = "Turn vector transfers with gaps or of several dimensions into loops",
         .options = options, .num_options = 1, .dependent_dialects = dialects, .converts = converts,
         .run = run)

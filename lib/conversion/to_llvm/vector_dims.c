// vector_dims.c -- vectors of several dimensions become rows of one.
//
// What works element by element works on rows; masks, loads and stores are made row by row; what
// chooses elements is in vector_moves.c, what multiplies and reduces in vector_products.c, and
// printing prints lanes. Afterwards such vectors are only carried, and put together and taken apart
// by vector.insert and vector.extract at constant positions. No op is illegal: scalable vectors,
// and those of very many elements, stay.
#include "vector_dims.h"

#include "mlc/ir/eval.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/vector.h"

static size_t
rank_of(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_rank(type) : 0;
}

static bool
is_written_out(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_VECTOR) && !vector_is_scalable(type) &&
           mlc_type_num_elements(type) <= MAX_WRITTEN_OUT;
}

// --- element by element

// The same op on row `row` of each operand.
static MlcOp *
op_on_row(MlcRewriter *rw, MlcOp *op, int64_t row)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *operand = mlc_op_operand(op, i);
        bool is_vector = rank_of(mlc_value_type(operand)) > 1;
        mlc_vec_push(&operands, is_vector ? vector_row(b, operand, row) : operand);
    }
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, vector_row_type(mlc_op_result_type(op, i)));
    MlcOp *made =
        mlc_rewriter_rebuild(rw, op, operands.data, operands.size, types.data, types.size);
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    return made;
}

static bool
lower_elementwise(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t num_results = mlc_op_num_results(op), num_operands = mlc_op_num_operands(op);
    bool fits = num_results > 0 && num_operands > 0;
    for (size_t i = 0; fits && i < num_results; i++)
        fits = rank_of(mlc_op_result_type(op, i)) > 1 && is_written_out(mlc_op_result_type(op, i));
    if (!fits)
        return false;
    MLC_VEC(MlcOp *) rows = {0};
    for (int64_t i = 0; i < vector_num_rows(mlc_op_result_type(op, 0)); i++)
        mlc_vec_push(&rows, op_on_row(rw, op, i));
    MlcValueVec values = {0}, made = {0};
    for (size_t r = 0; r < num_results; r++) {
        mlc_vec_clear(&values);
        for (size_t i = 0; i < rows.size; i++)
            mlc_vec_push(&values, mlc_op_result(rows.data[i], r));
        mlc_vec_push(&made, vector_of_rows(mlc_rewriter_builder(rw), mlc_op_result_type(op, r),
                                           values.data));
    }
    mlc_rewriter_replace(rw, op, made.data, made.size);
    mlc_vec_release(&rows);
    mlc_vec_release(&values);
    mlc_vec_release(&made);
    return true;
}

// --- masks

static bool
lower_constant_mask(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(type);
    int64_t at[MLC_RANK_LIMIT] = {0}, set;
    if (!is_written_out(type) || rank == 1)
        return false;
    MlcAttr sizes = mlc_vector_constant_mask_mask_dim_sizes(op);
    size_t n = (size_t)mlc_type_num_elements(type);
    uint8_t *bits = mlc_calloc(n, 1);
    for (size_t i = 0; i < n; i++) {
        bits[i] = 1;
        // Of no dimensions: one number that says whether the lane is on.
        for (size_t d = 0; d < (rank ? rank : 1); d++)
            bits[i] &= mlc_int_list_attr_get(sizes, d, &set) && at[d] < set;
        mlc_next_index(at, mlc_type_shape(type), rank);
    }
    MlcAttr value = mlc_dense_attr_get(type, bits, n, false);
    mlc_free(bits);
    return mlc_rewriter_replace_op(rw, op, mlc_build_constant(mlc_rewriter_builder(rw), value));
}

// A lane is on where each of its indices is below the operand: a row is off as a whole, or that of
// the last dimension.
static bool
lower_create_mask(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(type);
    if (!is_written_out(type) || rank == 1)
        return false;
    MlcValue *last = mlc_op_operand(op, rank ? rank - 1 : 0);
    if (rank == 0) {
        MlcValue *is_on =
            mlc_arith_cmpi(b, mlc_build_index(b, 0), last, MLC_ARITH_CMPI_PREDICATE_SLT);
        return mlc_rewriter_replace_op(rw, op, mlc_vector_broadcast(b, type, is_on));
    }
    MlcValue *row = mlc_vector_create_mask(b, vector_row_type(type), &last, 1),
             *off = vector_zeros(b, vector_row_type(type));
    MlcValueVec rows = {0};
    int64_t at[MLC_RANK_LIMIT] = {0};
    for (int64_t i = 0; i < vector_num_rows(type); i++) {
        MlcValue *is_on = NULL;
        for (size_t d = 0; d + 1 < rank; d++) {
            MlcValue *below = mlc_arith_cmpi(b, mlc_build_index(b, at[d]), mlc_op_operand(op, d),
                                             MLC_ARITH_CMPI_PREDICATE_SLT);
            is_on = is_on ? mlc_arith_andi(b, is_on, below) : below;
        }
        mlc_vec_push(&rows, mlc_arith_select(b, is_on, row, off));
        mlc_next_index(at, mlc_type_shape(type), rank - 1);
    }
    mlc_rewriter_replace_op(rw, op, vector_of_rows(b, type, rows.data));
    mlc_vec_release(&rows);
    return true;
}

// --- memory

// vector.load and vector.store: `vector` lies over the last dimensions of the buffer.
static bool
lower_access(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    bool is_store = mlc_op_num_results(op) == 0;
    size_t first = is_store ? 1 : 0;
    MlcValue *vector = is_store ? mlc_op_operand(op, 0) : mlc_op_result(op, 0),
             *memref = mlc_op_operand(op, first);
    MlcType type = mlc_value_type(vector), buffer = mlc_value_type(memref);
    size_t rank = mlc_type_rank(type), buffer_rank = mlc_type_rank(buffer);
    if (rank <= 1 || !is_written_out(type) || mlc_type_element(buffer) != mlc_type_element(type))
        return false;
    MlcValueVec rows = {0};
    int64_t at[MLC_RANK_LIMIT] = {0};
    for (int64_t i = 0; i < vector_num_rows(type); i++) {
        MlcValue *indices[MLC_RANK_LIMIT];
        for (size_t d = 0; d < buffer_rank; d++) {
            size_t dim = d + rank - buffer_rank; // of the vector; wraps around before it
            indices[d] = mlc_op_operand(op, first + 1 + d);
            if (dim < rank - 1 && at[dim] > 0)
                indices[d] = mlc_arith_addi(b, indices[d], mlc_build_index(b, at[dim]));
        }
        if (is_store)
            mlc_vector_store(b, vector_row(b, vector, i), memref, indices, buffer_rank);
        else
            mlc_vec_push(&rows,
                         mlc_vector_load(b, vector_row_type(type), memref, indices, buffer_rank));
        mlc_next_index(at, mlc_type_shape(type), rank - 1);
    }
    if (is_store)
        mlc_rewriter_erase(rw, op);
    else
        mlc_rewriter_replace_op(rw, op, vector_of_rows(b, type, rows.data));
    mlc_vec_release(&rows);
    return true;
}

// --- printing

static void
print_sign(MlcBuilder *b, int64_t sign)
{
    MlcOp *made = mlc_vector_print(b, NULL);
    mlc_vector_print_set_punctuation(made, sign);
}

// Dimension `dim` from element `first` on.
static void
print_dims(MlcBuilder *b, MlcValue *vector, size_t dim, size_t first)
{
    MlcType type = mlc_value_type(vector);
    size_t rank = mlc_type_rank(type), below = 1;
    if (dim == (rank ? rank : 1)) {
        MlcOp *made = mlc_vector_print(b, vector_lane(b, vector, first));
        mlc_vector_print_set_punctuation(made, MLC_VECTOR_PUNCTUATION_NO_PUNCTUATION);
        return;
    }
    for (size_t i = dim + 1; i < rank; i++)
        below *= (size_t)mlc_type_dim(type, i);
    print_sign(b, MLC_VECTOR_PUNCTUATION_OPEN);
    for (size_t i = 0; i < (rank ? (size_t)mlc_type_dim(type, dim) : 1); i++) {
        if (i > 0)
            print_sign(b, MLC_VECTOR_PUNCTUATION_COMMA);
        print_dims(b, vector, dim + 1, first + i * below);
    }
    print_sign(b, MLC_VECTOR_PUNCTUATION_CLOSE);
}

static bool
lower_print(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (mlc_op_num_operands(op) == 0 || !is_written_out(mlc_op_operand_type(op, 0)))
        return false;
    print_dims(b, mlc_op_operand(op, 0), 0, 0);
    if (mlc_vector_print_punctuation(op) != MLC_VECTOR_PUNCTUATION_NO_PUNCTUATION)
        print_sign(b, mlc_vector_print_punctuation(op));
    mlc_rewriter_erase(rw, op);
    return true;
}

#define ROWS(op, fn)                                                                               \
    {                                                                                              \
        .name = "row by row", .root = op, .benefit = 1, .rewrite = fn                              \
    }
static const MlcPattern patterns[] = {
    ROWS("vector.bitcast", lower_elementwise),
    ROWS("vector.constant_mask", lower_constant_mask),
    ROWS("vector.create_mask", lower_create_mask),
    ROWS("vector.load", lower_access),
    ROWS("vector.store", lower_access),
    ROWS("vector.print", lower_print),
    {.name = "row by row",
     .interface = MLC_PATTERN_TRAIT(MLC_TRAIT_ELEMENTWISE),
     .benefit = 1,
     .rewrite = lower_elementwise},
};
enum { NUM_PATTERNS = sizeof patterns / sizeof *patterns };

void
vector_lower_dims(MlcOp *root)
{
    MlcPatternSet *set = mlc_pattern_set_create(mlc_op_context(root));
    mlc_pattern_set_add_all(set, patterns, NUM_PATTERNS);
    mlc_pattern_set_add_all(set, vector_move_patterns, vector_num_move_patterns);
    mlc_pattern_set_add_all(set, vector_product_patterns, vector_num_product_patterns);
    MlcGreedyConfig config = {MLC_SIZED(MlcGreedyConfig), .no_region_simplify = true};
    mlc_apply_patterns_greedily(root, set, &config);
    mlc_pattern_set_destroy(set);
}

static bool
is_root(const MlcPattern *list, size_t n, const MlcOpDef *op)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].root && strcmp(list[i].root, op->name) == 0)
            return true;
    return false;
}

static bool
converts(const MlcOpDef *op)
{
    return is_root(patterns, NUM_PATTERNS, op) ||
           is_root(vector_move_patterns, vector_num_move_patterns, op) ||
           is_root(vector_product_patterns, vector_num_product_patterns, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    vector_lower_dims(root);
    return true;
}

static const char *const dialects[] = {"arith", "vector", NULL};

MLC_PASS(vector_dims, .flag = "lower-vector-dims",
         .summary = "Turn vectors of several dimensions into rows of one",
         .dependent_dialects = dialects, .converts = converts, .run = run)

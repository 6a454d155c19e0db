// linalg_compute_masks.c -- kernels compute masks of two numbers that they were given as constants.
//
// What hides later keys from a query (attention of decoders) is a constant of every exporter: one
// number where the column is at most the row and an offset, another one elsewhere. A kernel that
// compares indices reads no memory for it, and who schedules the kernel sees what is hidden whole.
// The constant goes where nobody else needs it.
//
// Only arguments for which all callers pass such a triangle, with the same offset and numbers. It
// is read by structured ops, at two of their loops, itself or without dimensions of 1.
#include "kernel/kernel_arguments.h"

#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"

// [rows, columns]: `numbers[0]` where the column is at most the row and `offset`, else
// `numbers[1]`.
typedef struct Triangle {
    int64_t rows, columns, offset;
    MlcAttr numbers[2];
} Triangle;

// Elements of a matrix, and two of them to compare with.
typedef struct Matrix {
    const char *bytes, *shown, *hidden;
    size_t element;
    int64_t rows, columns;
} Matrix;

static const char *
at(const Matrix *m, int64_t row, int64_t column)
{
    return m->bytes + (size_t)(row * m->columns + column) * m->element;
}

// Elements at the beginning of a row that are shown, if all behind are hidden; -1: they are not.
static int64_t
count_shown(const Matrix *m, int64_t row)
{
    int64_t count = 0;
    while (count < m->columns && memcmp(at(m, row, count), m->shown, m->element) == 0)
        count++;
    for (int64_t i = count; i < m->columns; i++)
        if (memcmp(at(m, row, i), m->hidden, m->element) != 0)
            return -1;
    return count;
}

static bool
read_matrix(const Matrix *m, int64_t *offset)
{
    bool is_known = false;
    for (int64_t row = 0; row < m->rows; row++) {
        int64_t count = count_shown(m, row);
        if (count > 0 && count < m->columns && !is_known) {
            *offset = count - 1 - row;
            is_known = true;
        }
        if (count < 0)
            return false;
    }
    for (int64_t row = 0; row < m->rows && is_known; row++) {
        int64_t most = row + *offset + 1, count = count_shown(m, row);
        if (count != (most < 0 ? 0 : most > m->columns ? m->columns : most))
            return false;
    }
    return is_known;
}

// Rows and columns of a type that has no other dimensions but of 1.
static bool
read_shape(MlcType type, Triangle *t)
{
    size_t rank = mlc_type_is(type, MLC_TYPE_TENSOR) ? mlc_type_rank(type) : 0;
    if (rank < 2 || !mlc_type_has_static_shape(type))
        return false;
    *t = (Triangle){.rows = mlc_type_dim(type, rank - 2), .columns = mlc_type_dim(type, rank - 1)};
    return mlc_type_num_elements(type) == t->rows * t->columns && t->rows > 1 && t->columns > 1;
}

static bool
read_constant(MlcAttr constant, Triangle *t)
{
    MlcType type = mlc_attr_type(constant);
    bool is_splat, found = false;
    void *temporary;
    if (!read_shape(type, t))
        return false;
    size_t size = mlc_elements_attr_element_bytes(mlc_type_element(type));
    size_t places[2] = {(size_t)((t->rows - 1) * t->columns), (size_t)t->columns - 1};
    const char *bytes = mlc_constant_borrow(constant, &is_splat, &temporary);
    if (!is_splat) {
        Matrix m = {bytes,     bytes + places[0] * size, bytes + places[1] * size, size, t->rows,
                    t->columns};
        found = memcmp(m.shown, m.hidden, size) != 0 && read_matrix(&m, &t->offset);
    }
    mlc_constant_give_back(constant, temporary);
    for (size_t i = 0; found && i < 2; i++)
        t->numbers[i] = mlc_elements_attr_element(constant, places[i]);
    return found;
}

static bool
is_same(const Triangle *a, const Triangle *b)
{
    return a->offset == b->offset && a->rows == b->rows && a->columns == b->columns &&
           a->numbers[0] == b->numbers[0] && a->numbers[1] == b->numbers[1];
}

// What all callers pass.
static bool
read_argument(MlcOp *module, MlcOp *function, size_t arg, Triangle *t)
{
    MlcKernelCalls calls = {0};
    bool ok = mlc_kernel_calls(module, function, arg, &calls);
    for (size_t i = 0; ok && i < calls.size; i++) {
        MlcValue *value = mlc_op_operand(calls.data[i].op, calls.data[i].first + arg);
        Triangle other;
        ok = read_constant(mlc_value_constant(value), i ? &other : t) &&
             (i == 0 || is_same(&other, t));
    }
    mlc_vec_release(&calls);
    return ok;
}

// --- the kernel

// Whether operand `i` of `op`, which has the triangle's elements, is read at two loops.
static bool
reads_at_loops(MlcOp *op, size_t i, const Triangle *t)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, i));
    size_t rank = mlc_type_rank(type);
    MlcAffineMap map = mlc_structured(op) ? mlc_structured_map(op, i) : NULL;
    return map && mlc_linalg_generic_isa(op) && mlc_structured_is_parallel(op) &&
           i < mlc_structured_num_inputs(op) && rank >= 2 &&
           mlc_type_dim(type, rank - 2) == t->rows && mlc_type_dim(type, rank - 1) == t->columns &&
           mlc_map_result_dim(map, rank - 2) >= 0 && mlc_map_result_dim(map, rank - 1) >= 0;
}

// Whether all who read the argument, or what is it without dimensions of 1, can do without. Weights
// of products cannot, so their elements need not be looked at.
static bool
is_replaceable(MlcValue *value, const Triangle *t)
{
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        bool is_reshape = mlc_op_num_operands(user) == 1 && mlc_op_attr(user, "reassociation");
        if (is_reshape ? !is_replaceable(mlc_op_result(user, 0), t)
                       : !reads_at_loops(user, mlc_use_index(use), t))
            return false;
    }
    return true;
}

static MlcValue *
build_element(MlcBuilder *b, const Triangle *t, int64_t row_loop, int64_t column_loop)
{
    MlcValue *row = mlc_linalg_index(b, row_loop), *column = mlc_linalg_index(b, column_loop);
    if (t->offset)
        row = mlc_arith_addi(b, row, mlc_build_index(b, t->offset));
    MlcValue *is_shown = mlc_arith_cmpi(b, column, row, MLC_ARITH_CMPI_PREDICATE_SLE);
    return mlc_build_select(b, is_shown, mlc_arith_constant(b, t->numbers[0]),
                            mlc_arith_constant(b, t->numbers[1]));
}

// Without input `number`, whose element the body computes.
static void
replace_input(MlcOp *op, size_t number, const Triangle *t)
{
    size_t num_inputs = mlc_structured_num_inputs(op), num_loops = mlc_structured_num_loops(op);
    size_t rank = mlc_type_rank(mlc_value_type(mlc_op_operand(op, number)));
    MlcAffineMap map = mlc_structured_map(op, number);
    MlcValueVec kept = {0};
    MLC_VEC(MlcAffineMap) maps = {0};
    MLC_VEC(MlcIterator) iterators = {0};
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    b.loc = mlc_op_loc(op);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        if (i == number)
            continue;
        mlc_vec_push(&kept, mlc_op_operand(op, i));
        mlc_vec_push(&maps, mlc_structured_map(op, i));
    }
    for (size_t i = 0; i < num_loops; i++)
        mlc_vec_push(&iterators, mlc_structured_iterator(op, i));
    MlcOp *made =
        mlc_build_bare_generic(&b, kept.data, num_inputs - 1, mlc_structured_num_outputs(op),
                               maps.data, iterators.data, num_loops);
    mlc_region_take_body(mlc_op_region(made, 0), mlc_op_region(op, 0));
    MlcBlock *body = mlc_region_first(mlc_op_region(made, 0));
    mlc_builder_at_start(&b, body);
    MlcValue *element =
        build_element(&b, t, mlc_map_result_dim(map, rank - 2), mlc_map_result_dim(map, rank - 1));
    mlc_value_replace_uses(mlc_block_arg(body, number), element);
    mlc_block_erase_arg(body, number);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, i));
    mlc_op_erase(op);
    mlc_vec_release(&kept);
    mlc_vec_release(&maps);
    mlc_vec_release(&iterators);
}

static void
replace_reads(MlcValue *value, const Triangle *t)
{
    MlcUse *use;
    while ((use = mlc_value_first_use(value))) {
        MlcOp *user = mlc_use_owner(use);
        if (!mlc_op_attr(user, "reassociation")) {
            replace_input(user, mlc_use_index(use), t);
            continue;
        }
        replace_reads(mlc_op_result(user, 0), t);
        mlc_op_erase(user);
    }
}

static void
drop_argument(MlcOp *module, MlcOp *function, size_t arg)
{
    MlcKernelCalls calls = {0};
    (void)mlc_kernel_calls(module, function, arg, &calls); // they pass constants
    for (size_t i = 0; i < calls.size; i++)
        mlc_op_erase_operand(calls.data[i].op, calls.data[i].first + arg);
    mlc_vec_release(&calls);
    mlc_function_erase_argument(function, arg);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MLC_FOR_EACH_OP (function, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_is_kernel_function(function))
            continue;
        MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
        for (size_t i = mlc_block_num_args(entry); i-- > 0;) {
            Triangle triangle;
            MlcValue *value = mlc_block_arg(entry, i);
            if (!mlc_value_has_uses(value) || !read_shape(mlc_value_type(value), &triangle) ||
                !is_replaceable(value, &triangle) || !read_argument(module, function, i, &triangle))
                continue;
            replace_reads(value, &triangle);
            drop_argument(module, function, i);
            mlc_pass_count(pass, "masks", 1);
        }
    }
    return true;
}

static const char *const dialects[] = {"arith", "linalg", NULL};

MLC_PASS(linalg_compute_masks, .flag = "linalg-compute-masks",
         .summary = "Compute constant masks of kernels from indices", .anchor = "builtin.module",
         .dependent_dialects = dialects, .run = run)

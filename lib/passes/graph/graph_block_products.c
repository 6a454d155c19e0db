// graph_block_products.c -- products of few rows by integers that have a scale for each block of a
// column keep the integers.
//
//   x * w,  w[k, n] = scales[k / size, n] * numbers[k, n]   ->   block_matmul(x, numbers, scales)
//
// That is what a dequantised weight in blocks of a few bits becomes when it is imported. Folded, it
// would be a matrix of f32, and one row times a matrix takes the time that reading it takes; more
// rows than a few are faster by f32. It is done before constants are folded.
#include "graph_quantized.h"

#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_geometry.h"
#include "mlc/pass.h"
#include "mlc/support/alloc.h"

enum { FEW_ROWS = 4 };

static bool
has_few_rows(MlcValue *x)
{
    MlcType type = mlc_value_type(x);
    int64_t rows = 1;
    if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type))
        return false;
    for (size_t i = 0; i + 1 < mlc_type_rank(type); i++)
        rows = rows > FEW_ROWS ? rows : rows * mlc_type_dim(type, i);
    return rows > 0 && rows <= FEW_ROWS;
}

// The scales, [blocks, N], if `value` is [K, N] of them, each repeated for the places of its block.
static MlcValue *
scales_of_blocks(MlcValue *value, int64_t *size)
{
    MlcOp *gather = mlc_value_def(value);
    if (!mlc_graph_gather_isa(gather) || mlc_graph_axis(gather) != 0)
        return NULL;
    MlcValue *scales = mlc_op_operand(gather, 0), *places = mlc_op_operand(gather, 1);
    MlcType type = mlc_value_type(scales), result = mlc_value_type(value);
    MlcAttr constant = mlc_value_constant(places);
    if (!mlc_value_constant(scales) || !constant || mlc_type_rank(type) != 2 ||
        mlc_type_rank(result) != 2 || mlc_type_dim(type, 0) < 1 ||
        mlc_type_dim(result, 0) % mlc_type_dim(type, 0) != 0)
        return NULL;
    *size = mlc_type_dim(result, 0) / mlc_type_dim(type, 0);
    for (int64_t i = 0; i < mlc_type_dim(result, 0); i++) {
        int64_t place;
        if (!mlc_attr_try_as_int(mlc_elements_attr_element(constant, (size_t)i), &place) ||
            place != i / *size)
            return NULL;
    }
    return scales;
}

// The numbers of a matrix as bytes with signs, [blocks, size, N]; NULL: some are none.
static MlcValue *
bytes_of(MlcOp *op, MlcValue *numbers, int64_t size)
{
    MlcType type = mlc_value_type(numbers);
    int64_t dims[] = {mlc_type_dim(type, 0) / size, size, mlc_type_dim(type, 1)};
    size_t count = (size_t)mlc_type_num_elements(type);
    int32_t *values = mlc_read_integers(numbers);
    bool fits = values != NULL;
    for (size_t i = 0; fits && i < count; i++)
        fits = values[i] >= INT8_MIN && values[i] <= INT8_MAX;
    MlcType i8 = mlc_integer_type_get(mlc_op_context(op), 8, MLC_SIGNLESS);
    MlcValue *bytes = fits ? mlc_build_bytes(op, mlc_tensor_type_get(i8, dims, 3, NULL), values,
                                             count, mlc_str("blocks"))
                           : NULL;
    mlc_free(values);
    return bytes;
}

static void
visit(MlcPass *pass, MlcOp *op)
{
    MlcValue *x = mlc_op_operand(op, 0);
    MlcOp *mul = mlc_value_def(mlc_op_operand(op, 1));
    if (!mlc_graph_mul_isa(mul) || !has_few_rows(x))
        return;
    for (size_t i = 0; i < 2; i++) {
        int64_t size;
        MlcOp *cast = mlc_value_def(mlc_op_operand(mul, i));
        MlcValue *scales = scales_of_blocks(mlc_op_operand(mul, 1 - i), &size);
        if (!scales || !mlc_graph_cast_isa(cast) || size < 2 ||
            mlc_type_element(mlc_value_type(scales)) != mlc_type_element(mlc_value_type(x)))
            continue;
        MlcValue *bytes = bytes_of(op, mlc_op_operand(cast, 0), size);
        if (!bytes)
            continue;
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(op));
        mlc_builder_before(&b, op);
        MlcValue *value = mlc_graph_block_matmul(&b, x, bytes, scales);
        mlc_op_replace(op, &value, 1);
        mlc_pass_count(pass, "products-of-blocks", 1);
        return;
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_graph_matmul_isa(op))
            visit(pass, op);
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_block_products, .flag = "graph-block-products",
         .summary = "Keep integers that have a scale for each block, where few rows pass them",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)

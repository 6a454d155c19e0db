// graph_split_products.c -- products with a long inner dimension become sums of shorter ones.
//
// A kernel walks panels of its constant matrix: all rows, and as many columns as accumulators have
// room for. A panel wants to stay in the second cache while the rows of activations pass; where the
// inner dimension is too long for that, schedule.c takes a narrower panel, and where the
// activations do not fit beside it either, each panel fetches all of them from farther away. Then
//
//   matmul(x, w) -> matmul(x[.., 0:k], w[0:k]) + matmul(x[.., k:], w[k:]) + ...
//
// with parts as even as possible. The parts of the activations are copied, which is little next to
// what it saves: rows lie closer together, so that they do not fall on each other in the first
// cache. (128 x 3072 x 768 on a Zen 4 core: 6.5 ms whole, 5.7 in three parts, copies included.)
//
// Whether it does depends on the number of rows, and parts round differently from the whole: under
// `mlc.numerics = "strict"`, where a sample alone has the bits that it has in a batch, nothing is
// cut.
#include "graph_constants.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph.h"
#include "mlc/passes/numerics.h"
#include "mlc/pass.h"
#include "mlc/machine.h"

enum { PART_MULTIPLE = 16 }; // elements: parts begin at the start of a cache line

static bool
has_attr(MlcOp *op, const char *name)
{
    return mlc_attr_as_bool(mlc_op_attr(op, name));
}

// A product of static float tensors, its second operand a constant matrix as it is multiplied.
static bool
is_plain_product(MlcOp *op)
{
    bool is_gemm = mlc_graph_gemm_isa(op);
    if (!is_gemm && !mlc_graph_matmul_isa(op))
        return false;
    if (is_gemm && (has_attr(op, "trans_a") || has_attr(op, "trans_b") ||
                    mlc_float_attr_as_double(mlc_op_attr(op, "alpha")) != 1))
        return false;
    MlcType x = mlc_value_type(mlc_op_operand(op, 0)), w = mlc_value_type(mlc_op_operand(op, 1));
    return mlc_value_constant(mlc_op_operand(op, 1)) && mlc_type_has_rank(x) &&
           mlc_type_has_static_shape(x) && mlc_type_rank(x) > 1 && mlc_type_rank(w) == 2 &&
           mlc_type_is_float(mlc_type_element(x));
}

// Into how many parts; 1: as it is.
static int64_t
num_parts(MlcOp *op, const MlcTargetDesc *target)
{
    MlcType x = mlc_value_type(mlc_op_operand(op, 0));
    int64_t inner = mlc_type_dim(x, mlc_type_rank(x) - 1), l2 = (int64_t)target->l2_bytes;
    int64_t vector = target->vector_bits / 8, bytes = mlc_type_bit_width(mlc_type_element(x)) / 8;
    int64_t wide = inner * (target->vector_registers >= 32 ? 4 : 2) * vector; // as in schedule.c
    int64_t narrow = inner * 2 * vector, most = mlc_target_resident_bytes(target);
    if (wide <= most || mlc_type_num_elements(x) * bytes + narrow <= l2 || most == 0)
        return 1;
    return mlc_ceil_div(wide, most);
}

static void
split(MlcOp *op, int64_t parts)
{
    MlcValue *x = mlc_op_operand(op, 0), *sum = NULL;
    MlcAttr matrix = mlc_value_constant(mlc_op_operand(op, 1));
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    int64_t inner = mlc_type_dim(mlc_attr_type(matrix), 0);
    int64_t axis = (int64_t)mlc_type_rank(mlc_value_type(x)) - 1;
    int64_t each = mlc_ceil_div(inner, parts);
    each = (each + PART_MULTIPLE - 1) / PART_MULTIPLE * PART_MULTIPLE;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    for (int64_t start = 0; start < inner; start += each) {
        int64_t end = start + each < inner ? start + each : inner;
        MlcAttr rows = mlc_constant_rows(matrix, start, end - start);
        if (!rows) // no bytes to cut; found at the first part
            return;
        MlcValue *lhs = mlc_graph_build_slice(&b, x, &axis, &start, &end, 1);
        MlcValue *rhs = mlc_constant_build(op, rows);
        if (sum) {
            sum = mlc_graph_add_as(&b, type, sum, mlc_graph_matmul_as(&b, type, lhs, rhs));
            continue;
        }
        MlcOp *first = mlc_builder_insert(&b, mlc_op_clone(op, NULL)); // with what it adds
        mlc_op_set_operand(first, 0, lhs);
        mlc_op_set_operand(first, 1, rhs);
        sum = mlc_op_result(first, 0);
    }
    mlc_op_replace(op, &sum, 1);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOp *module = mlc_op_parent(root);
    MlcNumerics numerics = MLC_NUMERICS_DEFAULT;
    if (module && !mlc_module_numerics(module, &numerics))
        return false;
    if (numerics == MLC_NUMERICS_STRICT)
        return true;
    for (size_t i = 0; i < mlc_op_num_regions(root); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(root, i))
            MLC_FOR_EACH_OP_SAFE (op, block) {
                int64_t parts = is_plain_product(op) ? num_parts(op, mlc_pass_target(pass)) : 1;
                if (parts == 1)
                    continue;
                mlc_op_remark(op, "split into %lld products: its panels are too long for the cache",
                              (long long)parts);
                split(op, parts);
                mlc_pass_count(pass, "split", 1);
            }
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_split_products, .flag = "graph-split-products",
         .summary = "Cut matrix products with long inner dimensions into sums",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)

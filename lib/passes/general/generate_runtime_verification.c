// generate_runtime_verification.c -- assertions in front of ops (or behind views) whose operands
// can only be checked when the program runs.
//
// Ops say what to check through an interface; for structured ops it follows from their maps: each
// operand has the sizes that the loops reach in it. Ops are gathered first, since checks are ops
// that could be checked. The order of what is built is MLIR 19's.
#include "mlc/pass.h"

#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/index.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/mixed.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/alloc.h"

static MlcValue *
compare(MlcBuilder *b, MlcIndexCmpPredicate predicate, MlcValue *lhs, MlcValue *rhs)
{
    return mlc_build_or_fold(b, mlc_value_def(mlc_index_cmp(b, lhs, rhs, predicate)));
}

// A size of a shaped value: folded, or a constant behind a constant that numbers the dimension.
static MlcValue *
build_size(MlcBuilder *b, MlcValue *shaped, size_t dim)
{
    bool is_memref = mlc_type_is(mlc_value_type(shaped), MLC_TYPE_MEMREF);
    MlcValue *number = mlc_build_index(b, (int64_t)dim);
    MlcValue *size =
        is_memref ? mlc_memref_dim(b, shaped, number) : mlc_tensor_dim(b, shaped, number);
    return mlc_build_or_fold(b, mlc_value_def(size));
}

// --- structured ops

typedef struct Loops {
    MlcValueVec last; // iteration of each
    MlcValue *zero, *one;
} Loops;

// The last iteration of each loop, by the first operand that has a dimension of its own for it;
// false if there is none for a loop.
static bool
build_loops(MlcBuilder *b, MlcOp *op, Loops *loops)
{
    size_t num_loops = mlc_structured_num_loops(op);
    MlcMixed *sizes = mlc_malloc((num_loops + 1) * sizeof *sizes);
    bool *is_found = mlc_calloc(num_loops + 1, sizeof *is_found), all = true;
    for (size_t k = 0; k < mlc_op_num_operands(op); k++) {
        MlcAffineMap map = mlc_structured_map(op, k);
        MlcValue *operand = mlc_op_operand(op, k);
        for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
            MlcMixed size = mlc_mixed(mlc_type_dim(mlc_value_type(operand), i));
            if (size.constant == MLC_DYNAMIC)
                size.value = build_size(b, operand, i);
            MlcAffineExpr e = mlc_affine_map_result(map, i);
            if (mlc_affine_kind(e) != MLC_AFFINE_DIM || is_found[mlc_affine_position(e)])
                continue;
            sizes[mlc_affine_position(e)] = size;
            is_found[mlc_affine_position(e)] = true;
        }
    }
    for (size_t i = 0; i < num_loops; i++)
        all &= is_found[i];
    if (all) {
        loops->zero = mlc_build_index(b, 0);
        loops->one = mlc_build_index(b, 1);
    }
    for (size_t i = 0; i < num_loops && all; i++) {
        MlcValue *size = mlc_mixed_value(b, sizes[i]);
        MlcValue *last = mlc_build_or_fold(b, mlc_value_def(mlc_index_sub(b, size, loops->one)));
        mlc_vec_push(&loops->last, last);
    }
    mlc_free(is_found);
    mlc_free(sizes);
    return all;
}

// Indices reached in an operand: `first` of the first iterations, `last` of the last ones.
typedef struct Reach {
    int64_t first;
    MlcMixed last;
} Reach;

static void
build_reach(MlcBuilder *b, MlcAffineMap map, size_t result, const MlcValueVec *last, Reach *reach)
{
    size_t n = mlc_affine_map_num_dims(map);
    int64_t *zeros = mlc_calloc(n + 1, sizeof *zeros);
    if (!mlc_affine_eval(mlc_affine_map_result(map, result), zeros, NULL, &reach->first))
        reach->first = 0; // an expression that has no value has none for any iteration
    mlc_free(zeros);
    MlcValueMap vm = {.map = mlc_affine_map_sub(map, &result, 1)};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&vm.operands, last->data[i]);
    mlc_value_map_compose(&vm);
    int64_t constant = 0;
    bool is_constant = mlc_affine_map_is_constant(vm.map, &constant);
    reach->last = mlc_mixed(constant);
    if (is_constant)
        mlc_value_map_release(&vm);
    else
        reach->last.value = mlc_value_map_build(b, &vm);
}

// The lesser end is not negative, and one more than the greater is the size, or at most the size
// where several loops make the index.
static void
check_dimension(MlcBuilder *b, MlcOp *op, size_t operand, size_t dim, Reach reach,
                const Loops *loops)
{
    MlcAffineExpr e = mlc_affine_map_result(mlc_structured_map(op, operand), dim);
    MlcValue *first = mlc_build_index(b, reach.first), *last = mlc_mixed_value(b, reach.last);
    MlcValue *min = mlc_build_or_fold(b, mlc_value_def(mlc_index_mins(b, last, first)));
    MlcValue *is_positive = compare(b, MLC_INDEX_CMP_PREDICATE_SGE, min, loops->zero);
    mlc_build_runtime_check(b, op, is_positive,
                            "unexpected negative result on dimension #%zu of input/output operand "
                            "#%zu",
                            dim, operand);
    MlcValue *max = mlc_build_or_fold(b, mlc_value_def(mlc_index_maxs(b, last, first)));
    MlcValue *inferred = mlc_build_or_fold(b, mlc_value_def(mlc_index_add(b, max, loops->one)));
    MlcValue *actual = build_size(b, mlc_op_operand(op, operand), dim);
    bool is_exact = mlc_affine_kind(e) == MLC_AFFINE_DIM;
    MlcValue *fits = compare(b, is_exact ? MLC_INDEX_CMP_PREDICATE_EQ : MLC_INDEX_CMP_PREDICATE_SLE,
                             inferred, actual);
    mlc_build_runtime_check(b, op, fits,
                            "dimension #%zu of input/output operand #%zu is incompatible with "
                            "inferred dimension size",
                            dim, operand);
}

static void
check_structured(MlcBuilder *b, MlcOp *op)
{
    Loops loops = {0};
    size_t num_operands = build_loops(b, op, &loops) ? mlc_op_num_operands(op) : 0;
    for (size_t k = 0; k < num_operands; k++) {
        MlcAffineMap map = mlc_structured_map(op, k);
        size_t rank = mlc_affine_map_num_results(map);
        Reach *reach = mlc_malloc((rank + 1) * sizeof *reach);
        for (size_t i = 0; i < rank; i++)
            build_reach(b, map, i, &loops.last, &reach[i]);
        for (size_t i = 0; i < rank; i++)
            check_dimension(b, op, k, i, reach[i], &loops);
        mlc_free(reach);
    }
    mlc_vec_release(&loops.last);
}

// --- the pass

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec ops = {0};
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_op_interface(op, MLC_INTERFACE_RUNTIME_CHECK) ||
            (mlc_structured(op) && mlc_op_has_trait(op, MLC_TRAIT_DESTINATION_STYLE)))
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++) {
        MlcOp *op = ops.data[i];
        const MlcRuntimeCheck *methods = mlc_op_interface(op, MLC_INTERFACE_RUNTIME_CHECK);
        MlcBuilder b;
        mlc_builder_init(&b, mlc_pass_context(pass));
        mlc_builder_before(&b, op);
        if (methods)
            methods->generate(op, &b);
        else
            check_structured(&b, op);
    }
    mlc_vec_release(&ops);
    return true;
}

MLC_PASS(generate_runtime_verification, .flag = "generate-runtime-verification",
         .summary = "Generate additional runtime op verification checks", .run = run)

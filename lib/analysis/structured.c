// structured.c -- questions about structured ops: what their loops and maps are like.
#include "mlc/analysis/structured.h"

bool
mlc_affine_is_constant(MlcAffineExpr e, int64_t *value)
{
    if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT)
        return false;
    *value = mlc_affine_value(e);
    return true;
}

// Counts of iterations, elements and bytes are multiplied with small numbers all over schedules:
// what stays below this does not overflow there. It is hours of work for a machine.
#define MOST_ITERATIONS (INT64_C(1) << 52)

static bool
is_countable(const int64_t *sizes, size_t n)
{
    int64_t product = 1;
    for (size_t i = 0; i < n; i++) {
        int64_t size = sizes[i] == MLC_DYNAMIC ? MLC_ASSUMED_SIZE : sizes[i];
        if (__builtin_mul_overflow(product, size, &product) || product > MOST_ITERATIONS)
            return false;
    }
    return true;
}

// Operands are tensors or scalars, none known to be empty; `is_static`: of static shape. Their
// elements, and iterations, can be counted.
static bool
has_loops(MlcOp *op, bool is_static)
{
    if (mlc_structured_num_outputs(op) != 1 || mlc_op_num_results(op) != 1 ||
        !mlc_structured_is_small(op))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_value_type(mlc_op_operand(op, i));
        bool is_tensor = mlc_type_is(type, MLC_TYPE_TENSOR);
        if (mlc_type_is_shaped(type) &&
            (!is_tensor || (is_static && !mlc_type_has_static_shape(type))))
            return false;
        for (size_t d = 0; is_tensor && d < mlc_type_rank(type); d++)
            if (mlc_type_dim(type, d) == 0)
                return false;
        if (is_tensor && !is_countable(mlc_type_shape(type), mlc_type_rank(type)))
            return false;
    }
    int64_t sizes[MLC_SMALL_RANK];
    mlc_structured_loop_sizes(op, sizes);
    return is_countable(sizes, mlc_structured_num_loops(op));
}

static bool
has_static_loops(MlcOp *op)
{
    return has_loops(op, true);
}

// Each loop of dynamic size is a dimension of an operand by itself.
static bool
has_sizes(MlcOp *op)
{
    int64_t sizes[MLC_SMALL_RANK];
    bool is_named[MLC_SMALL_RANK] = {false};
    mlc_structured_loop_sizes(op, sizes);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        for (size_t r = 0; r < mlc_affine_map_num_results(map); r++)
            if (mlc_map_result_dim(map, r) >= 0)
                is_named[mlc_map_result_dim(map, r)] = true;
    }
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (sizes[i] == MLC_DYNAMIC && !is_named[i])
            return false;
    return true;
}

bool
mlc_op_is_sized_structured(MlcOp *op)
{
    return mlc_structured(op) && mlc_structured_body(op) && has_loops(op, false) && has_sizes(op);
}

void
mlc_structured_assumed_sizes(MlcOp *op, int64_t *sizes)
{
    mlc_structured_loop_sizes(op, sizes);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (sizes[i] == MLC_DYNAMIC)
            sizes[i] = MLC_ASSUMED_SIZE;
}

bool
mlc_op_is_static_structured(MlcOp *op)
{
    return mlc_structured(op) && mlc_structured_body(op) && has_static_loops(op);
}

bool
mlc_op_is_static_tiling(MlcOp *op, int64_t group[MLC_SMALL_RANK])
{
    return mlc_tiling(op) && has_static_loops(op) && mlc_tiling(op)->group(op, group);
}

int
mlc_structured_transposed_loop(MlcOp *op, size_t i, int channel)
{
    MlcAffineMap map = mlc_structured_map(op, i);
    size_t rank = mlc_affine_map_num_results(map);
    int along = rank > 1 ? mlc_map_result_dim(map, rank - 1) : -1;
    if (along < 0 || channel < 0 || along == channel ||
        mlc_structured_iterator(op, (size_t)along) != MLC_ITERATOR_PARALLEL)
        return -1;
    bool has_channel = false;
    for (size_t r = 0; r + 1 < rank; r++) {
        if (mlc_map_result_dim(map, r) == channel)
            has_channel = true;
        else if (mlc_affine_uses_dim(mlc_affine_map_result(map, r), (unsigned)channel) ||
                 mlc_affine_uses_dim(mlc_affine_map_result(map, r), (unsigned)along))
            return -1;
    }
    return has_channel ? along : -1;
}

bool
mlc_structured_reads_vectors(MlcOp *op)
{
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    size_t out_rank = mlc_affine_map_num_results(out);
    int channel = out_rank ? mlc_map_result_dim(out, out_rank - 1) : -1;
    for (size_t i = 0; channel >= 0 && i < mlc_structured_num_inputs(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        size_t rank = mlc_affine_map_num_results(map);
        for (size_t r = 0; r < rank; r++)
            if (mlc_affine_uses_dim(mlc_affine_map_result(map, r), (unsigned)channel) &&
                (r + 1 < rank || mlc_map_result_dim(map, r) != channel))
                return false;
    }
    return true;
}

bool
mlc_structured_is_parallel(MlcOp *op)
{
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL)
            return false;
    return true;
}

bool
mlc_structured_is_elementwise(MlcOp *op)
{
    if (!mlc_structured_is_parallel(op))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (!mlc_affine_map_is_projected_permutation(mlc_structured_map(op, i), true))
            return false;
    return true;
}

bool
mlc_structured_is_contraction(MlcOp *op)
{
    if (!mlc_structured(op) || mlc_structured_num_inputs(op) != 2 || mlc_structured_is_parallel(op))
        return false;
    MlcBlock *body = mlc_structured_body(op);
    MlcOp *yield = mlc_block_last(body);
    MlcOp *add = mlc_value_def(mlc_op_operand(yield, 0));
    if (!mlc_op_is_named(add, "arith.addf") && !mlc_op_is_named(add, "arith.addi"))
        return false;
    for (size_t i = 0; i < 2; i++) {
        MlcOp *mul = mlc_value_def(mlc_op_operand(add, i));
        if (mlc_op_operand(add, 1 - i) == mlc_block_arg(body, 2) &&
            (mlc_op_is_named(mul, "arith.mulf") || mlc_op_is_named(mul, "arith.muli")))
            return true;
    }
    return false;
}

int
mlc_affine_divided_dim(MlcAffineExpr e, int64_t *divisor)
{
    if (mlc_affine_kind(e) != MLC_AFFINE_FLOORDIV ||
        mlc_affine_kind(mlc_affine_lhs(e)) != MLC_AFFINE_DIM ||
        !mlc_affine_is_constant(mlc_affine_rhs(e), divisor))
        return -1;
    return (int)mlc_affine_position(mlc_affine_lhs(e));
}

// `dim mod divisor`, or floordiv: whether a run of `length` steps from a multiple of it stays
// between two multiples of the divisor.
static bool
is_cut_between(MlcAffineExpr e, unsigned loop, int64_t length)
{
    int64_t divisor;
    return mlc_affine_kind(mlc_affine_lhs(e)) == MLC_AFFINE_DIM &&
           mlc_affine_position(mlc_affine_lhs(e)) == loop &&
           mlc_affine_is_constant(mlc_affine_rhs(e), &divisor) && divisor % length == 0;
}

bool
mlc_affine_step(MlcAffineExpr e, unsigned num_dims, unsigned loop, int64_t length, int64_t *step)
{
    MlcAffineKind kind = mlc_affine_kind(e);
    bool is_cut = kind == MLC_AFFINE_MOD || kind == MLC_AFFINE_FLOORDIV;
    if (is_cut && is_cut_between(e, loop, length)) {
        *step = kind == MLC_AFFINE_MOD;
        return true;
    }
    int64_t coefficients[MLC_SMALL_RANK + 1] = {0};
    *step = 0;
    if (!mlc_affine_uses_dim(e, loop))
        return true;
    if (!mlc_affine_linear(e, num_dims, 0, coefficients))
        return false;
    *step = coefficients[loop];
    return true;
}

int
mlc_map_result_dim(MlcAffineMap map, size_t i)
{
    MlcAffineExpr e = mlc_affine_map_result(map, i);
    return mlc_affine_kind(e) == MLC_AFFINE_DIM ? (int)mlc_affine_position(e) : -1;
}

bool
mlc_affine_map_uses_dim(MlcAffineMap map, unsigned dim)
{
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        if (mlc_affine_uses_dim(mlc_affine_map_result(map, i), dim))
            return true;
    return false;
}

bool
mlc_structured_uses_index(MlcOp *op)
{
    if (!mlc_structured(op))
        return false;
    MLC_FOR_EACH_OP (inner, mlc_structured_body(op))
        if (mlc_op_is_named(inner, "linalg.index"))
            return true;
    return false;
}

const char *
mlc_combine_kind(MlcOp *combine, double *neutral)
{
    static const struct {
        const char *op, *kind;
        double neutral;
    } kinds[] = {
        {"arith.addf", "add", 0},
        {"arith.addi", "add", 0},
        {"arith.ori", "or", 0},
        {"arith.maxui", "maxui", 0},
        {"arith.mulf", "mul", 1},
        {"arith.maximumf", "maximumf", -__builtin_inf()},
        {"arith.minimumf", "minimumf", __builtin_inf()},
        {"arith.maxnumf", "maxnumf", -__builtin_inf()},
        {"arith.minnumf", "minnumf", __builtin_inf()},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (mlc_op_is_named(combine, kinds[i].op)) {
            *neutral = kinds[i].neutral;
            return kinds[i].kind;
        }
    return NULL;
}

MlcValue *
mlc_structured_output_arg(MlcOp *op)
{
    MlcBlock *body = mlc_structured_body(op);
    size_t i = mlc_structured_num_inputs(op);
    return i < mlc_block_num_args(body) ? mlc_block_arg(body, i) : NULL;
}

MlcOp *
mlc_structured_combine(MlcOp *op)
{
    MlcBlock *body = mlc_structured_body(op);
    MlcValue *acc = mlc_structured_output_arg(op);
    MlcOp *combine = mlc_value_def(mlc_op_operand(mlc_block_last(body), 0));
    double neutral;
    if (!acc || !combine || mlc_op_block(combine) != body || !mlc_combine_kind(combine, &neutral) ||
        !mlc_value_has_one_use(acc))
        return NULL;
    return mlc_use_owner(mlc_value_first_use(acc)) == combine ? combine : NULL;
}

// Whether `map` has the loop in its last result alone, which goes on by 1 along it and by multiples
// of `run` along all others.
static bool
walks_in_runs(MlcAffineMap map, unsigned loop, int64_t run)
{
    size_t rank = mlc_affine_map_num_results(map);
    unsigned n = mlc_affine_map_num_dims(map);
    int64_t coefficients[MLC_SMALL_RANK + 1] = {0};
    for (size_t i = 0; i + 1 < rank; i++)
        if (mlc_affine_uses_dim(mlc_affine_map_result(map, i), loop))
            return false;
    if (rank == 0)
        return false;
    if (!mlc_affine_linear(mlc_affine_map_result(map, rank - 1), n, 0, coefficients) ||
        coefficients[loop] != 1)
        return false;
    for (unsigned d = 0; d <= n; d++)
        if (d != loop && coefficients[d] % run != 0)
            return false;
    return true;
}

static bool
is_integer(MlcValue *value, unsigned bits)
{
    MlcType element = mlc_type_element(mlc_value_type(value));
    return mlc_type_is(element, MLC_TYPE_INTEGER) && mlc_type_bit_width(element) == bits;
}

int
mlc_structured_dot_loop(MlcOp *op)
{
    enum { RUN = 4 };
    int64_t extent[MLC_SMALL_RANK];
    if (!mlc_structured_is_contraction(op) || !mlc_op_is_static_structured(op) ||
        !is_integer(mlc_op_operand(op, 2), 32))
        return -1;
    int loop = (int)mlc_structured_num_loops(op) - 1;
    mlc_structured_loop_sizes(op, extent);
    if (mlc_structured_iterator(op, (size_t)loop) == MLC_ITERATOR_PARALLEL || extent[loop] != RUN)
        return -1;
    for (size_t i = 0; i < 2; i++) {
        MlcValue *arg = mlc_block_arg(mlc_structured_body(op), i);
        MlcOp *user = mlc_value_has_one_use(arg) ? mlc_use_owner(mlc_value_first_use(arg)) : NULL;
        if (!is_integer(mlc_op_operand(op, i), 8) ||
            !(mlc_op_is_named(user, "arith.extsi") || mlc_op_is_named(user, "arith.extui")) ||
            !walks_in_runs(mlc_structured_map(op, i), (unsigned)loop, RUN))
            return -1;
    }
    return loop;
}

typedef enum Walk { WALK_STAYS, WALK_CONTIGUOUS, WALK_JUMPS } Walk;

// How an operand moves in memory for one step of `loop`.
enum { LEAST_PANEL = 8 }; // channels, where a dimension is cut into panels

static Walk
walk_of(MlcAffineMap map, unsigned loop)
{
    size_t n = mlc_affine_map_num_results(map);
    Walk walk = WALK_STAYS;
    for (size_t i = 0; i < n; i++) {
        int64_t step;
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        bool is_even = mlc_affine_step(e, mlc_affine_map_num_dims(map), loop, LEAST_PANEL, &step);
        if (!is_even || step != 0)
            walk = is_even && i + 1 == n && step == 1 ? WALK_CONTIGUOUS : WALK_JUMPS;
    }
    return walk;
}

// The worst walk of an input whose elements the body reads.
static Walk
worst_walk(MlcOp *op, unsigned loop)
{
    Walk worst = WALK_STAYS;
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++) {
        Walk walk = walk_of(mlc_structured_map(op, i), loop);
        if (mlc_value_has_uses(mlc_block_arg(mlc_structured_body(op), i)) && walk > worst)
            worst = walk;
    }
    return worst;
}

int
mlc_structured_lane_loop(MlcOp *op, MlcOp **combine)
{
    if (!mlc_structured(op))
        return -1;
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    size_t rank = mlc_affine_map_num_results(out);
    int channel = rank ? mlc_map_result_dim(out, rank - 1) : -1;
    if (channel >= 0 && worst_walk(op, (unsigned)channel) != WALK_JUMPS)
        return -1;
    if (mlc_structured_dot_loop(op) >= 0)
        return -1;
    *combine = mlc_structured_combine(op);
    for (size_t i = mlc_structured_num_loops(op); *combine && i-- > 0;)
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL &&
            worst_walk(op, (unsigned)i) == WALK_CONTIGUOUS)
            return (int)i;
    return -1;
}

int64_t
mlc_structured_reduction_size(MlcOp *op)
{
    int64_t sizes[MLC_SMALL_RANK], product = 1;
    mlc_structured_assumed_sizes(op, sizes);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL)
            product *= sizes[i];
    return product;
}

bool
mlc_value_is_zero(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!def || !mlc_op_is_static_structured(def))
        return false;
    MlcValue *element = mlc_op_operand(mlc_block_last(mlc_structured_body(def)), 0);
    if (mlc_value_block(element) == mlc_structured_body(def) && !mlc_value_def(element)) {
        size_t i = mlc_value_index(element);
        if (i >= mlc_op_num_operands(def))
            return false;
        element = mlc_op_operand(def, i); // linalg.fill
    }
    MlcAttr constant = mlc_value_constant(element);
    return constant && mlc_attr_is(constant, MLC_ATTR_FLOAT) &&
           mlc_float_attr_as_double(constant) == 0;
}

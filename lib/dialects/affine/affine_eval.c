// affine_eval.c -- what affine loops, conditions and accesses do.
#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

// The results of a map on operands, in memory of the evaluation; NULL after an error.
static int64_t *
apply(MlcEval *e, MlcOp *op, MlcAffineMap map, const MlcDatum *operands)
{
    size_t num_inputs = mlc_affine_map_num_inputs(map),
           num_results = mlc_affine_map_num_results(map);
    int64_t *inputs = mlc_eval_alloc(e, (num_inputs + num_results + 1) * sizeof *inputs),
            *results = inputs + num_inputs;
    for (size_t i = 0; i < num_inputs; i++)
        inputs[i] = mlc_datum_as_int(&operands[i]);
    if (!mlc_affine_map_eval(map, inputs, results)) {
        mlc_eval_error(e, op, "has a map that divides by zero or overflows");
        return NULL;
    }
    return results;
}

static int64_t
largest(const int64_t *values, size_t n)
{
    int64_t result = values[0];
    for (size_t i = 1; i < n; i++)
        result = values[i] > result ? values[i] : result;
    return result;
}

static int64_t
smallest(const int64_t *values, size_t n)
{
    int64_t result = values[0];
    for (size_t i = 1; i < n; i++)
        result = values[i] < result ? values[i] : result;
    return result;
}

// --- values

bool
mlc_affine_apply_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t *values = apply(e, op, mlc_op_affine_map(op, "map"), operands);
    if (values)
        results[0] = mlc_datum_index(mlc_eval_context(e), values[0]);
    return values != NULL;
}

bool
mlc_affine_max_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    int64_t *values = apply(e, op, map, operands);
    if (values)
        results[0] =
            mlc_datum_index(mlc_eval_context(e), largest(values, mlc_affine_map_num_results(map)));
    return values != NULL;
}

bool
mlc_affine_min_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    int64_t *values = apply(e, op, map, operands);
    if (values)
        results[0] =
            mlc_datum_index(mlc_eval_context(e), smallest(values, mlc_affine_map_num_results(map)));
    return values != NULL;
}

bool
mlc_affine_delinearize_index_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                  MlcDatum *results)
{
    int64_t rest = mlc_datum_as_int(&operands[0]);
    for (size_t i = mlc_op_num_results(op); i-- > 0;) {
        int64_t size = mlc_datum_as_int(&operands[1 + i]);
        if (size <= 0)
            return mlc_eval_error(e, op, "has a basis element of %lld", (long long)size);
        int64_t at = i == 0 ? rest : (rest % size + size) % size;
        results[i] = mlc_datum_index(mlc_eval_context(e), at);
        rest = (rest - at) / size;
    }
    return true;
}

// --- loops

bool
mlc_affine_for_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAffineMap lower_map = mlc_op_affine_map(op, "lowerBoundMap"),
                 upper_map = mlc_op_affine_map(op, "upperBoundMap");
    size_t first, count, num_carried = mlc_op_num_results(op);
    mlc_op_operand_group(op, 1, &first, &count);
    int64_t *lowers = apply(e, op, lower_map, operands),
            *uppers = apply(e, op, upper_map, operands + first);
    int64_t step = mlc_attr_as_int(mlc_op_attr(op, "step"));
    if (!lowers || !uppers)
        return false;
    if (step <= 0)
        return mlc_eval_error(e, op, "has a step of %lld", (long long)step);
    int64_t lower = largest(lowers, mlc_affine_map_num_results(lower_map)),
            upper = smallest(uppers, mlc_affine_map_num_results(upper_map));
    MlcDatum *args = mlc_eval_alloc(e, (num_carried + 1) * sizeof *args);
    mlc_op_operand_group(op, 2, &first, &count);
    memcpy(results, operands + first, num_carried * sizeof *results);
    size_t mark = mlc_eval_mark(e);
    for (int64_t i = lower; i < upper; i += step) {
        args[0] = mlc_datum_index(mlc_eval_context(e), i);
        memcpy(args + 1, results, num_carried * sizeof *args);
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, num_carried + 1, results, num_carried))
            return false;
        mlc_eval_collect(e, mark, results, num_carried);
    }
    return true;
}

bool
mlc_affine_if_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcIntegerSet set = mlc_integer_set_attr_value(mlc_op_attr(op, "condition"));
    size_t num_dims = mlc_integer_set_num_dims(set),
           num_inputs = num_dims + mlc_integer_set_num_symbols(set);
    int64_t *inputs = mlc_eval_alloc(e, (num_inputs + 1) * sizeof *inputs);
    for (size_t i = 0; i < num_inputs; i++)
        inputs[i] = mlc_datum_as_int(&operands[i]);
    bool holds = true;
    for (size_t i = 0; i < mlc_integer_set_num_constraints(set); i++) {
        int64_t value;
        if (!mlc_affine_eval(mlc_integer_set_constraint(set, i), inputs, inputs + num_dims, &value))
            return mlc_eval_error(e, op, "has a condition that divides by zero or overflows");
        holds &= mlc_integer_set_is_equality(set, i) ? value == 0 : value >= 0;
    }
    MlcRegion *region = mlc_op_region(op, holds ? 0 : 1);
    return mlc_region_is_empty(region) ||
           mlc_eval_region(e, region, NULL, 0, results, mlc_op_num_results(op));
}

// The identity of a reduction, since affine.parallel has no initial values.
static bool
identity_of(MlcEval *e, MlcOp *op, MlcCombine kind, MlcType type, MlcDatum *out)
{
    if (mlc_type_is_float(type)) {
        MlcFloatKind format = mlc_float_type_kind(type);
        bool is_max = kind == MLC_COMBINE_MAXIMUM || kind == MLC_COMBINE_MAXNUM;
        bool is_min = kind == MLC_COMBINE_MINIMUM || kind == MLC_COMBINE_MINNUM;
        *out = is_max || is_min ? mlc_datum_soft(type, mlc_float_inf(format, is_max))
                                : mlc_datum_float(type, kind == MLC_COMBINE_MUL ? 1.0 : 0.0);
        return true;
    }
    if (!mlc_type_is_int_or_index(type))
        return mlc_eval_error(e, op, "reduces values of a type that the interpreter does not know");
    MlcArena arena = {0};
    uint32_t width = mlc_type_bit_width(type);
    MlcWide value = mlc_wide_from_uint(&arena, width, kind == MLC_COMBINE_MUL);
    if (kind == MLC_COMBINE_MAX_SIGNED)
        value = mlc_wide_signed_min(&arena, width);
    else if (kind == MLC_COMBINE_MIN_SIGNED)
        value = mlc_wide_signed_max(&arena, width);
    else if (kind == MLC_COMBINE_MIN_UNSIGNED || kind == MLC_COMBINE_AND)
        value = mlc_wide_all_ones(&arena, width);
    *out = mlc_datum_wide(e, type, value);
    mlc_arena_release(&arena);
    return true;
}

typedef struct Band {
    size_t rank;
    int64_t *lower, *step, *count; // `count` iterations
    uint64_t total;
    MlcCombine *kinds; // of results
} Band;

// Bound i is the largest (smallest) of its group of map results.
static int64_t
next_bound(MlcAttr groups, size_t i, const int64_t **values, bool is_lower)
{
    int64_t size = 1;
    mlc_int_list_attr_get(groups, i, &size);
    int64_t bound = is_lower ? largest(*values, (size_t)size) : smallest(*values, (size_t)size);
    *values += size;
    return bound;
}

static bool
read_band(MlcEval *e, MlcOp *op, const MlcDatum *operands, Band *band)
{
    MlcAffineMap lower_map = mlc_op_affine_map(op, "lowerBoundsMap");
    MlcAttr steps = mlc_op_attr(op, "steps"), kinds = mlc_op_attr(op, "reductions"),
            lower_groups = mlc_op_attr(op, "lowerBoundsGroups"),
            upper_groups = mlc_op_attr(op, "upperBoundsGroups");
    const int64_t *lowers = apply(e, op, lower_map, operands);
    const int64_t *uppers = apply(e, op, mlc_op_affine_map(op, "upperBoundsMap"),
                                  operands + mlc_affine_map_num_inputs(lower_map));
    if (!lowers || !uppers)
        return false;
    band->rank = mlc_int_list_attr_size(steps);
    band->lower = mlc_eval_alloc(e, (3 * band->rank + 1) * sizeof(int64_t));
    band->step = band->lower + band->rank;
    band->count = band->step + band->rank;
    band->total = 1;
    for (size_t i = 0; i < band->rank; i++) {
        mlc_int_list_attr_get(steps, i, &band->step[i]);
        if (band->step[i] <= 0)
            return mlc_eval_error(e, op, "has a step of %lld", (long long)band->step[i]);
        band->lower[i] = next_bound(lower_groups, i, &lowers, true);
        int64_t span = next_bound(upper_groups, i, &uppers, false) - band->lower[i];
        band->count[i] = span <= 0 ? 0 : (span + band->step[i] - 1) / band->step[i];
        band->total *= (uint64_t)band->count[i];
    }
    size_t num_results = mlc_op_num_results(op);
    band->kinds = mlc_eval_alloc(e, (num_results + 1) * sizeof *band->kinds);
    for (size_t i = 0; i < num_results; i++) {
        int64_t kind = -1;
        mlc_int_list_attr_get(kinds, i, &kind);
        band->kinds[i] = mlc_combine_from_rmw_kind(kind);
    }
    return true;
}

bool
mlc_affine_parallel_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Band band = {0};
    size_t num_results = mlc_op_num_results(op);
    if (!read_band(e, op, operands, &band))
        return false;
    MlcDatum *args = mlc_eval_alloc(e, (band.rank + num_results + 1) * sizeof *args),
             *values = args + band.rank;
    for (size_t r = 0; r < num_results; r++)
        if (!identity_of(e, op, band.kinds[r], results[r].type, &results[r]))
            return false;
    size_t mark = mlc_eval_mark(e);
    for (uint64_t i = 0; i < band.total; i++) {
        uint64_t rest = mlc_eval_order(e, i, band.total);
        for (size_t d = band.rank; d-- > 0; rest /= (uint64_t)band.count[d]) {
            int64_t at = (int64_t)(rest % (uint64_t)band.count[d]);
            args[d] = mlc_datum_index(mlc_eval_context(e), band.lower[d] + at * band.step[d]);
        }
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, band.rank, values, num_results))
            return false;
        for (size_t r = 0; r < num_results; r++) {
            MlcDatum so_far = results[r];
            if (!mlc_eval_combine(e, op, band.kinds[r], &so_far, &values[r], &results[r]))
                return false;
        }
        mlc_eval_collect(e, mark, results, num_results);
    }
    return true;
}

// --- accesses

bool
mlc_affine_load_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t *indices = apply(e, op, mlc_op_affine_map(op, "map"), operands + 1);
    return indices && mlc_eval_load(e, op, &operands[0], indices, &results[0]);
}

bool
mlc_affine_store_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    int64_t *indices = apply(e, op, mlc_op_affine_map(op, "map"), operands + 2);
    return indices && mlc_eval_store(e, op, &operands[1], indices, &operands[0]);
}

bool
mlc_affine_prefetch_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)e, (void)op, (void)operands, (void)results;
    return true;
}

bool
mlc_affine_vector_load_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t *indices = apply(e, op, mlc_op_affine_map(op, "map"), operands + 1);
    return indices &&
           mlc_eval_load_vector(e, op, &operands[0], indices, results[0].type, &results[0]);
}

bool
mlc_affine_vector_store_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    int64_t *indices = apply(e, op, mlc_op_affine_map(op, "map"), operands + 2);
    return indices && mlc_eval_store_vector(e, op, &operands[1], indices, &operands[0]);
}

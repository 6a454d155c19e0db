// affine_canonicalize.c -- canonicalisation: maps composed with the ops that make their operands,
// minima and maxima merged and put in order, loops and conditions that do nothing taken away.
#include <stdlib.h>

#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/affine.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/alloc.h"

static MlcAffineMap
map_of(const MlcOp *op)
{
    return mlc_op_affine_map(op, "map");
}

// Puts a new map and its operands in the place of those from `first` on.
static void
set_map_and_operands(MlcRewriter *rw, MlcOp *op, size_t first, const MlcValueMap *vm)
{
    MlcValueVec operands = {0};
    for (size_t i = 0; i < first; i++)
        mlc_vec_push(&operands, mlc_op_operand(op, i));
    for (size_t i = 0; i < vm->operands.size; i++)
        mlc_vec_push(&operands, vm->operands.data[i]);
    mlc_op_set_operands(op, operands.data, operands.size);
    mlc_op_set_attr(op, "map", mlc_affine_map_attr_get(vm->map));
    mlc_vec_release(&operands);
    mlc_rewriter_changed(rw, op);
}

// Ops with one map, whose operands are the op's last.
static bool
compose_map(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAffineMap old = map_of(op);
    size_t first = mlc_op_num_operands(op) - mlc_affine_map_num_inputs(old);
    MlcValueMap vm = mlc_value_map_of(old, op, first);
    mlc_value_map_compose(&vm);
    mlc_value_map_canonicalize(&vm);
    mlc_value_map_simplify(&vm);
    bool changed = !mlc_value_map_is(&vm, old, op, first);
    if (changed)
        set_map_and_operands(rw, op, first, &vm);
    mlc_value_map_release(&vm);
    return changed;
}

// --- affine.min, affine.max

// min(x) -> x
static bool
single_result(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    if (mlc_affine_map_num_results(map_of(op)) != 1)
        return false;
    MlcValueMap vm = mlc_value_map_of(map_of(op), op, 0);
    MlcValue *apply = mlc_affine_apply(mlc_rewriter_builder(rw), vm.operands.data, vm.operands.size,
                                       mlc_op_affine_map(op, "map"));
    mlc_rewriter_replace(rw, op, &apply, 1);
    mlc_value_map_release(&vm);
    return true;
}

// min(x, y, x) -> min(x, y)
static bool
drop_duplicates(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAffineMap map = mlc_affine_map_without_duplicates(map_of(op));
    if (map == map_of(op))
        return false;
    mlc_op_set_affine_map(op, "map", map);
    mlc_rewriter_changed(rw, op);
    return true;
}

// The op of the same kind that makes a result of the map, if that is an input by itself.
static MlcOp *
producer_of(const MlcOp *op, MlcAffineExpr e)
{
    MlcAffineKind kind = mlc_affine_kind(e);
    if (kind != MLC_AFFINE_DIM && kind != MLC_AFFINE_SYMBOL)
        return NULL;
    size_t i = mlc_affine_position(e) +
               (kind == MLC_AFFINE_SYMBOL ? mlc_affine_map_num_dims(map_of(op)) : 0);
    MlcOp *def = mlc_value_def(mlc_op_operand(op, i));
    return def && mlc_op_def(def) == mlc_op_def(op) ? def : NULL;
}

typedef struct Merge {
    MLC_VEC(MlcAffineExpr) results;
    MlcValueVec dims, symbols;
} Merge;

// Appends the operands of an op's map, and those results that `keeps_producers` allows.
static void
append_map(Merge *m, MlcOp *op, bool keeps_producers)
{
    MlcAffineMap map = map_of(op);
    MlcContext *ctx = mlc_op_context(op);
    unsigned num_dims = mlc_affine_map_num_dims(map), n = mlc_affine_map_num_inputs(map);
    MlcAffineExpr *inputs = mlc_malloc((n + 1) * sizeof *inputs);
    for (unsigned i = 0; i < n; i++) {
        MlcValueVec *values = i < num_dims ? &m->dims : &m->symbols;
        inputs[i] = i < num_dims ? mlc_affine_dim(ctx, (unsigned)values->size)
                                 : mlc_affine_symbol(ctx, (unsigned)values->size);
        mlc_vec_push(values, mlc_op_operand(op, i));
    }
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        if (keeps_producers || !producer_of(op, e))
            mlc_vec_push(&m->results,
                         mlc_affine_replace(e, inputs, num_dims, inputs + num_dims, n - num_dims));
    }
    mlc_free(inputs);
}

// min(min(x, y), z) -> min(z, x, y)
static bool
merge_producers(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    enum { MAX_MERGED = 256 }; // results: a chain of minima would have all of them in each
    MlcAffineMap map = map_of(op);
    Merge m = {0};
    MlcOpVec producers = {0};
    size_t num_results = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcOp *producer = producer_of(op, mlc_affine_map_result(map, i));
        if (!producer)
            continue;
        mlc_vec_push(&producers, producer);
        num_results += mlc_affine_map_num_results(map_of(producer));
    }
    if (!producers.size || num_results > MAX_MERGED) {
        mlc_vec_release(&producers);
        return false;
    }
    append_map(&m, op, false);
    for (size_t i = 0; i < producers.size; i++)
        append_map(&m, producers.data[i], true);
    map = mlc_affine_map_get(mlc_op_context(op), (unsigned)m.dims.size, (unsigned)m.symbols.size,
                             m.results.data, m.results.size);
    MlcValueMap vm = {.map = map, .operands = m.dims};
    for (size_t i = 0; i < m.symbols.size; i++)
        mlc_vec_push(&vm.operands, m.symbols.data[i]);
    set_map_and_operands(rw, op, 0, &vm);
    mlc_value_map_release(&vm);
    mlc_vec_release(&m.symbols);
    mlc_vec_release(&m.results);
    mlc_vec_release(&producers);
    return true;
}

typedef struct Row {
    const int64_t *coeffs; // dimensions, symbols, the constant
    size_t size, result;
} Row;

static int
compare_rows(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    for (size_t i = 0; i < x->size; i++)
        if (x->coeffs[i] != y->coeffs[i])
            return x->coeffs[i] < y->coeffs[i] ? -1 : 1;
    return x->result < y->result ? -1 : x->result > y->result;
}

// Linear results in the order of their coefficients.
static bool
sort_results(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAffineMap map = map_of(op);
    unsigned num_dims = mlc_affine_map_num_dims(map);
    size_t n = mlc_affine_map_num_results(map), width = mlc_affine_map_num_inputs(map) + 1;
    int64_t *coeffs = mlc_malloc((n * width + 1) * sizeof *coeffs);
    Row *rows = mlc_malloc((n + 1) * sizeof *rows);
    size_t *order = mlc_malloc((n + 1) * sizeof *order);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        rows[i] = (Row){coeffs + i * width, width, i};
        ok = mlc_affine_linear(mlc_affine_map_result(map, i), num_dims,
                               (unsigned)(width - 1) - num_dims, coeffs + i * width);
    }
    if (ok) {
        qsort(rows, n, sizeof *rows, compare_rows);
        for (size_t i = 0; i < n; i++)
            order[i] = rows[i].result;
        MlcAffineMap sorted = mlc_affine_map_sub(map, order, n);
        ok = sorted != map;
        if (ok) {
            mlc_op_set_affine_map(op, "map", sorted);
            mlc_rewriter_changed(rw, op);
        }
    }
    mlc_free(coeffs);
    mlc_free(rows);
    mlc_free(order);
    return ok;
}

// --- affine.for

// 0, 1, 2 for "more"; -1 if it is not known.
static int
trip_count(MlcOp *op)
{
    int64_t lower, upper, step, span;
    if (!mlc_affine_map_is_constant(mlc_affine_for_lower_bound_map(op), &lower) ||
        !mlc_affine_map_is_constant(mlc_affine_for_upper_bound_map(op), &upper) ||
        !mlc_attr_try_as_int(mlc_affine_for_step_attr(op), &step))
        return -1;
    if (lower >= upper)
        return 0;
    return !__builtin_sub_overflow(upper, lower, &span) && span <= step ? 1 : 2;
}

// A body that only yields: what the last iteration yields, where that is a value from before.
bool
mlc_affine_fold_empty_loop(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcOp *yield = mlc_block_first(body);
    size_t first, count, n = mlc_op_num_results(op);
    if (!n || mlc_op_next(yield))
        return false;
    int trips = trip_count(op);
    mlc_op_operand_group(op, 2, &first, &count);
    bool has_outer = false, is_permuted = false, ok = true;
    MlcValueVec values = {0};
    for (size_t i = 0; i < n && ok; i++) {
        MlcValue *value = trips == 0 ? mlc_op_operand(op, first + i) : mlc_op_operand(yield, i);
        bool is_arg = mlc_value_block(value) == body;
        size_t arg = is_arg ? mlc_value_index(value) : 0;
        ok = !is_arg || arg > 0;
        has_outer |= !is_arg;
        is_permuted |= is_arg && arg != i + 1;
        mlc_vec_push(&values, is_arg && ok ? mlc_op_operand(op, first + arg - 1) : value);
    }
    if (trips < 0)
        ok &= !has_outer && !is_permuted;
    else if (trips > 1)
        ok &= !is_permuted;
    if (ok)
        mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return ok;
}

// --- affine.if

bool
mlc_affine_drop_empty_else(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcRegion *region = mlc_op_region(op, 1);
    if (mlc_region_is_empty(region) || mlc_op_num_results(op))
        return false;
    MlcBlock *block = mlc_region_first(region);
    MlcOp *first = mlc_block_first(block);
    if (!first || mlc_op_next(first))
        return false;
    mlc_rewriter_erase_block(rw, block);
    mlc_rewriter_changed(rw, op);
    return true;
}

// 1 if the set is everything, 0 if it is empty, as canonical sets say it; -1 otherwise.
static int
known_condition(MlcIntegerSet set)
{
    if (mlc_integer_set_num_constraints(set) != 1 || !mlc_integer_set_is_equality(set, 0))
        return -1;
    MlcAffineExpr e = mlc_integer_set_constraint(set, 0);
    if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT)
        return -1;
    return mlc_affine_value(e) == 0 ? 1 : mlc_affine_value(e) == 1 ? 0 : -1;
}

bool
mlc_affine_take_known_branch(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int known = known_condition(mlc_integer_set_attr_value(mlc_op_attr(op, "condition")));
    if (known < 0)
        return false;
    MlcRegion *region = mlc_op_region(op, known ? 0 : 1);
    if (mlc_region_is_empty(region)) {
        mlc_rewriter_erase(rw, op);
        return true;
    }
    MlcBlock *block = mlc_region_first(region);
    MlcOp *yield = mlc_block_last(block);
    mlc_rewriter_inline_block(rw, block, op, NULL);
    MlcValueVec values = {0};
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&values, value);
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    mlc_rewriter_erase(rw, yield);
    return true;
}

// --- sets

#define COMPOSES(op)                                                                               \
    void mlc_affine_##op##_patterns(MlcPatternSet *set)                                            \
    {                                                                                              \
        mlc_pattern_set_add(set, (MlcPattern){.name = "affine." #op ": composed map",              \
                                              .root = "affine." #op,                               \
                                              .benefit = 1,                                        \
                                              .rewrite = compose_map});                            \
    }
COMPOSES(apply)
COMPOSES(load)
COMPOSES(store)
COMPOSES(prefetch)
COMPOSES(vector_load)
COMPOSES(vector_store)

static void
add_extremum_patterns(MlcPatternSet *set, const char *root)
{
    const MlcPattern patterns[] = {
        {.name = "affine.min/max: one result", .rewrite = single_result},
        {.name = "affine.min/max: equal results", .rewrite = drop_duplicates},
        {.name = "affine.min/max: of the same", .rewrite = merge_producers},
        {.name = "affine.min/max: composed map", .rewrite = compose_map},
        {.name = "affine.min/max: order", .rewrite = sort_results},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        MlcPattern pattern = patterns[i];
        pattern.root = root;
        pattern.benefit = 1;
        mlc_pattern_set_add(set, pattern);
    }
}

void
mlc_affine_min_patterns(MlcPatternSet *set)
{
    add_extremum_patterns(set, "affine.min");
}

void
mlc_affine_max_patterns(MlcPatternSet *set)
{
    add_extremum_patterns(set, "affine.max");
}

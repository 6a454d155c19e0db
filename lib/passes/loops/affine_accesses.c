// affine_accesses.c -- see affine_accesses.h.
#include "affine_accesses.h"

#include "affine_loops.h"
#include "mlc/analysis/linear.h"
#include "mlc/analysis/structured.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

// An index that is not known (one read from memory): anywhere in that dimension.
static void
touch_anywhere(MlcAccess *access, size_t d, MlcType buffer)
{
    enum { MOST = INT32_MAX }; // of a dimension that is not known: no step is as wide
    access->index[d] = mlc_affine_constant(mlc_type_context(buffer), 0);
    access->extent[d] = mlc_type_dim(buffer, d) == MLC_DYNAMIC ? MOST : mlc_type_dim(buffer, d);
}

static bool
gather_indices(MlcAccesses *nest, MlcOp *op, MlcAccess *access)
{
    size_t first, count;
    mlc_op_access_indices(op, &first, &count);
    MlcAffineMap map = mlc_op_access_map(op);
    if (!map) {
        MlcType buffer = mlc_value_type(access->root);
        for (size_t d = 0; d < access->rank; d++)
            if (!mlc_gather(&nest->values, mlc_op_operand(op, first + d), &access->index[d]))
                touch_anywhere(access, d, buffer);
        return true;
    }
    MlcAffineExpr inputs[MLC_GATHER_MAX];
    size_t n = mlc_affine_map_num_inputs(map), num_dims = mlc_affine_map_num_dims(map);
    for (size_t i = 0; i < n; i++)
        if (n > MLC_GATHER_MAX ||
            !mlc_gather(&nest->values, mlc_op_operand(op, first + i), &inputs[i]))
            return false;
    for (size_t d = 0; d < access->rank; d++)
        access->index[d] = mlc_affine_replace(mlc_affine_map_result(map, d), inputs, num_dims,
                                              inputs + num_dims, n - num_dims);
    return true;
}

// From a window to the buffer it is cut from: its offsets are added, dropped dimensions come back
// with extent 1.
static bool
follow_subview(MlcAccesses *nest, MlcOp *view, MlcAccess *access)
{
    MlcType source = mlc_value_type(mlc_op_operand(view, 0)),
            window = mlc_value_type(mlc_op_result(view, 0));
    MlcAttr offsets = mlc_op_attr(view, "static_offsets"),
            sizes = mlc_op_attr(view, "static_sizes");
    MlcAttr strides = mlc_op_attr(view, "static_strides");
    size_t rank = mlc_type_rank(source), next_operand = 1, next_dim = 0;
    MlcAccess out = *access;
    if (!mlc_type_has_small_rank(source))
        return false;
    for (size_t d = 0; d < rank; d++) {
        int64_t offset = mlc_dense_array_attr_int(offsets, d),
                size = mlc_dense_array_attr_int(sizes, d);
        MlcAffineExpr start = NULL;
        int64_t stride = mlc_dense_array_attr_int(strides, d);
        if (stride != 1 && (stride < 1 || stride > INT32_MAX || access->is_write))
            return false; // what is between would count as written
        if (offset != MLC_DYNAMIC)
            start = mlc_affine_constant(mlc_op_context(view), offset);
        else if (!mlc_gather(&nest->values, mlc_op_operand(view, next_operand++), &start))
            start = NULL;
        bool kept = next_dim < mlc_type_rank(window) && mlc_type_dim(window, next_dim) == size;
        if (!start) {
            touch_anywhere(&out, d, source);
        } else {
            MlcAffineExpr index = kept ? access->index[next_dim] : NULL;
            int64_t further = kept ? access->extent[next_dim] - 1 : 0; // from the first to the last
            if (__builtin_mul_overflow(further, stride, &further) || further == INT64_MAX)
                return false;
            out.index[d] =
                kept ? mlc_affine_add(start, mlc_affine_mul_const(index, stride)) : start;
            out.extent[d] = further + 1;
        }
        next_dim += kept;
    }
    out.rank = rank;
    *access = out;
    return next_dim == mlc_type_rank(window);
}

static bool
push_access(MlcAccesses *nest, MlcAccess *access)
{
    for (MlcOp *def; (def = mlc_value_def(access->root)) && mlc_memref_subview_isa(def);) {
        if (!follow_subview(nest, def, access))
            return false;
        access->root = mlc_op_operand(def, 0);
    }
    if (!mlc_value_is_inside(access->root,
                             nest->op)) // what is allocated inside belongs to the iteration
        mlc_vec_push(&nest->list, *access);
    return true;
}

static bool
add_access(MlcAccesses *nest, MlcOp *op)
{
    MlcAccess access = {
        .op = op, .is_write = mlc_op_access(op)->is_write, .root = mlc_op_access_memref(op)};
    MlcType type = mlc_value_type(access.root);
    if (mlc_op_access(op)->permutation || !mlc_type_has_small_rank(type))
        return false;
    access.rank = mlc_type_rank(type);
    for (size_t d = 0; d < access.rank; d++)
        access.extent[d] = 1;
    MlcValue *value = mlc_op_access_value(op);
    if (value && !mlc_op_accesses_element(op) && access.rank > 0) {
        size_t rank = mlc_type_rank(mlc_value_type(value));
        if (rank > access.rank)
            return false;
        for (size_t i = 0; i < rank; i++)
            access.extent[access.rank - rank + i] = mlc_type_dim(mlc_value_type(value), i);
    }
    return gather_indices(nest, op, &access) && push_access(nest, &access);
}

// memref.copy: all of both buffers.
static bool
add_copy(MlcAccesses *nest, MlcOp *op)
{
    for (size_t i = 0; i < 2; i++) {
        MlcAccess access = {.op = op, .is_write = i == 1, .root = mlc_op_operand(op, i)};
        MlcType type = mlc_value_type(access.root);
        if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type))
            return false;
        access.rank = mlc_type_rank(type);
        for (size_t d = 0; d < access.rank; d++) {
            access.index[d] = mlc_affine_constant(mlc_op_context(op), 0);
            access.extent[d] = mlc_type_dim(type, d);
        }
        if (!push_access(nest, &access))
            return false;
    }
    return true;
}

static bool
is_harmless(MlcOp *op)
{
    return mlc_op_is_memory_effect_free(op) || mlc_op_num_regions(op) > 0 ||
           mlc_memref_alloc_isa(op) || mlc_memref_alloca_isa(op) ||
           mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR);
}

MlcOp *
mlc_accesses_collect(MlcAccesses *nest)
{
    MLC_FOR_EACH_PREORDER (op, nest->op) {
        bool is_access = mlc_op_access(op) &&
                         mlc_type_is(mlc_value_type(mlc_op_access_memref(op)), MLC_TYPE_MEMREF);
        bool known = is_access                 ? add_access(nest, op)
                     : mlc_memref_copy_isa(op) ? add_copy(nest, op)
                                               : is_harmless(op);
        if (!known)
            return op;
    }
    return NULL;
}

const char *
mlc_accesses_limit(const MlcAccesses *nest)
{
    static_assert(MLC_GATHER_MAX == 256, "the text");
    return nest->values.num_values == MLC_GATHER_MAX ? ", by more than 256 loop variables" : "";
}

// The range of the variable of a loop that begins at a number, and ends at the least of several
// bounds of which one is a number.
static bool
range_of_bounded(MlcOp *loop, int64_t *low, int64_t *high)
{
    MlcAffineMap from = mlc_affine_for_lower_bound_map(loop),
                 to = mlc_affine_for_upper_bound_map(loop);
    bool found = false;
    if (mlc_affine_map_num_results(from) != 1 ||
        !mlc_affine_is_constant(mlc_affine_map_result(from, 0), low))
        return false;
    for (size_t i = 0; i < mlc_affine_map_num_results(to); i++) {
        int64_t bound;
        if (!mlc_affine_is_constant(mlc_affine_map_result(to, i), &bound))
            continue;
        *high = found && *high < bound - 1 ? *high : bound - 1;
        found = true;
    }
    *high = found && *high < *low ? *low : *high;
    return found;
}

// What `value`, a loop variable, ranges over; false if its loop's bounds are not constant.
static bool
range_of(MlcValue *value, int64_t *low, int64_t *high)
{
    MlcOp *loop = mlc_block_parent(mlc_value_parent_block(value));
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    int64_t upper, step;
    if (mlc_value_def(value) || !methods || !methods->constant_bounds)
        return false;
    if (!methods->constant_bounds(loop, mlc_value_index(value), low, &upper, &step))
        return mlc_is_affine_for(loop) && mlc_value_index(value) == 0 &&
               range_of_bounded(loop, low, high);
    *high = upper > *low ? *low + (upper - *low - 1) / step * step : *low;
    return true;
}

// index = coefficient * variable + outer + [low, high]: `variable` is that of the op if it is a
// loop and asked for, `outer` the part of variables outside the op.
typedef struct Span {
    int64_t coefficient, low, high;
    int64_t outer[MLC_GATHER_MAX];
} Span;

static bool
span_of(const MlcAccesses *nest, const MlcAccess *access, size_t d, bool by_iteration, Span *span)
{
    int64_t coeffs[MLC_GATHER_MAX + 1];
    size_t n = nest->values.num_values;
    *span = (Span){0};
    if (!mlc_affine_linear(access->index[d], (unsigned)n, 0, coeffs))
        return false;
    span->low = span->high = coeffs[n];
    for (size_t i = 0; i < n; i++) {
        MlcValue *value = nest->values.values[i];
        MlcOp *owner = mlc_block_parent(mlc_value_parent_block(value));
        int64_t low, high;
        if (coeffs[i] == 0)
            continue;
        if (owner == nest->op && by_iteration) {
            span->coefficient = coeffs[i];
        } else if (!mlc_op_is_ancestor(nest->op, owner)) {
            span->outer[i] = coeffs[i];
        } else {
            if (!range_of(value, &low, &high))
                return false;
            span->low += coeffs[i] > 0 ? coeffs[i] * low : coeffs[i] * high;
            span->high += coeffs[i] > 0 ? coeffs[i] * high : coeffs[i] * low;
        }
    }
    span->high += access->extent[d] - 1;
    return true;
}

// Whether x in one iteration and y in another never meet: a loop of a few iterations, in which
// they may move at different speeds.
static bool
few_never_meet(MlcOp *op, const Span *x, const Span *y)
{
    enum { FEW = 16 };
    const MlcLoop *methods = mlc_op_interface(op, MLC_INTERFACE_LOOP);
    int64_t lower, upper, step;
    if (!methods || !methods->constant_bounds ||
        !methods->constant_bounds(op, 0, &lower, &upper, &step) || upper - lower > FEW * step)
        return false;
    for (int64_t i = lower; i < upper; i += step)
        for (int64_t j = lower; j < upper; j += step)
            if (i != j && x->coefficient * i + x->low <= y->coefficient * j + y->high &&
                y->coefficient * j + y->low <= x->coefficient * i + x->high)
                return false;
    return true;
}

static bool
independent(const MlcAccesses *nest, const MlcAccess *a, const MlcAccess *b, int64_t step)
{
    for (size_t d = 0; d < a->rank && a->rank == b->rank; d++) {
        Span x, y;
        if (!span_of(nest, a, d, true, &x) || !span_of(nest, b, d, true, &y))
            continue;
        if (memcmp(x.outer, y.outer, sizeof x.outer) != 0)
            continue;
        if (few_never_meet(nest->op, &x, &y))
            return true;
        if (x.coefficient == 0 || x.coefficient != y.coefficient)
            continue;
        int64_t low = x.low < y.low ? x.low : y.low, high = x.high > y.high ? x.high : y.high;
        int64_t stride = x.coefficient > 0 ? x.coefficient * step : -x.coefficient * step;
        if (high - low < stride)
            return true;
    }
    return false;
}

// A view that is no window (a reshape, memref.view) stands for its buffer only if nothing else
// there goes around it.
static MlcValue *
base_of(MlcValue *root)
{
    for (MlcOp *def;
         (def = mlc_value_def(root)) && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE);) {
        if (mlc_memref_view_isa(def))
            return root; // kernel-scratch gives each its own bytes
        root = mlc_op_operand(def, 0);
    }
    return root;
}

const MlcAccess *
mlc_accesses_conflict(const MlcAccesses *nest, int64_t step)
{
    for (size_t i = 0; i < nest->list.size; i++)
        for (size_t j = i; j < nest->list.size; j++) {
            const MlcAccess *a = &nest->list.data[i], *b = &nest->list.data[j];
            if ((!a->is_write && !b->is_write) || base_of(a->root) != base_of(b->root))
                continue;
            if (a->root != b->root || !independent(nest, a, b, step))
                return a;
        }
    return NULL;
}

// Whether all of y's part that lies outside of `m` is in x's, too.
static bool
has_outer(const MlcAccesses *n, const Span *x, const MlcAccesses *m, const Span *y)
{
    for (size_t i = 0; i < m->values.num_values; i++) {
        size_t k = 0;
        while (k < n->values.num_values && n->values.values[k] != m->values.values[i])
            k++;
        int64_t coefficient = k < n->values.num_values ? x->outer[k] : 0;
        if (y->outer[i] != coefficient)
            return false;
    }
    return true;
}

bool
mlc_access_is_apart(const MlcAccesses *n, const MlcAccess *a, const MlcAccesses *m,
                    const MlcAccess *b)
{
    for (size_t d = 0; d < a->rank && a->rank == b->rank; d++) {
        Span x, y;
        if (span_of(n, a, d, false, &x) && span_of(m, b, d, false, &y) && has_outer(n, &x, m, &y) &&
            has_outer(m, &y, n, &x) && (x.high < y.low || y.high < x.low))
            return true;
    }
    return false;
}

bool
mlc_accesses_disjoint(const MlcAccesses *n, const MlcAccesses *m)
{
    for (size_t i = 0; i < n->list.size; i++)
        for (size_t j = 0; j < m->list.size; j++) {
            const MlcAccess *a = &n->list.data[i], *b = &m->list.data[j];
            if ((a->is_write || b->is_write) && base_of(a->root) == base_of(b->root) &&
                (a->root != b->root || !mlc_access_is_apart(n, a, m, b)))
                return false;
        }
    return true;
}

// Whether a and b touch different elements in one iteration of all loops around `at`, an op around
// both, and of its own.
static bool
apart(const MlcAccesses *at, const MlcAccess *a, const MlcAccess *b)
{
    for (size_t d = 0; d < a->rank; d++) {
        Span x, y;
        if (span_of(at, a, d, true, &x) && span_of(at, b, d, true, &y) &&
            memcmp(x.outer, y.outer, sizeof x.outer) == 0 && x.coefficient == y.coefficient &&
            (x.high < y.low || y.high < x.low))
            return true;
    }
    return false;
}

// Whether no two iterations of the loop have a and b meet; of a condition: whatever it decides.
static bool
never_meet_across(const MlcAccesses *at, const MlcAccess *a, const MlcAccess *b)
{
    int64_t lower, upper, step;
    const MlcLoop *methods = mlc_op_interface(at->op, MLC_INTERFACE_LOOP);
    if (mlc_affine_if_isa(at->op) || mlc_scf_if_isa(at->op))
        return true;
    return methods && methods->constant_bounds &&
           (mlc_affine_for_isa(at->op) || mlc_scf_for_isa(at->op)) &&
           methods->constant_bounds(at->op, 0, &lower, &upper, &step) &&
           independent(at, a, b, step);
}

bool
mlc_access_is_first(const MlcAccesses *nest, const MlcAccess *a, const MlcAccess *b)
{
    MlcAccesses at = {.values = nest->values};
    MlcOp *inner_a = a->op, *inner_b = b->op;
    if (a->op == b->op || a->rank != b->rank)
        return false;
    at.op = mlc_op_parent(a->op);
    while (!mlc_op_is_ancestor(at.op, b->op)) {
        inner_a = at.op;
        at.op = mlc_op_parent(at.op);
    }
    while (mlc_op_parent(inner_b) != at.op)
        inner_b = mlc_op_parent(inner_b);
    bool is_first = mlc_op_block(inner_a) != mlc_op_block(inner_b) || // then and else
                    mlc_op_is_before(inner_a, inner_b) || apart(&at, a, b);
    for (; is_first && mlc_op_is_ancestor(nest->op, at.op); at.op = mlc_op_parent(at.op))
        is_first = never_meet_across(&at, a, b);
    return is_first;
}

// --- dependences in a nest

// Two iterations that may touch one element: the same expressions over two copies of the variables
// that lie inside of the nest.
typedef struct Pair {
    MlcLinearSystem system;
    size_t variable[2][MLC_GATHER_MAX]; // of each gathered value
} Pair;

static bool
add_variable(Pair *pair, size_t copy, size_t value, const MlcAccesses *nest)
{
    MlcLinearSystem *system = &pair->system;
    int64_t low, high;
    if (system->num_vars >= MLC_LINEAR_MAX)
        return false;
    size_t var = pair->variable[copy][value] = system->num_vars++;
    if (range_of(nest->values.values[value], &low, &high)) {
        MlcLinear above = {0}, below = {0};
        above.coeffs[var] = 1, above.coeffs[MLC_LINEAR_MAX] = -low;
        below.coeffs[var] = -1, below.coeffs[MLC_LINEAR_MAX] = high;
        mlc_linear_require(system, &above);
        mlc_linear_require(system, &below);
    }
    return true;
}

static bool
init_pair(Pair *pair, const MlcAccesses *nest)
{
    for (size_t i = 0; i < nest->values.num_values; i++) {
        MlcValue *value = nest->values.values[i];
        MlcOp *owner = mlc_block_parent(mlc_value_parent_block(value));
        bool is_inside = owner == nest->op || mlc_op_is_ancestor(nest->op, owner);
        if (!add_variable(pair, 0, i, nest))
            return false;
        pair->variable[1][i] = pair->variable[0][i];
        if (is_inside && !add_variable(pair, 1, i, nest))
            return false;
    }
    return true;
}

static void
require_between(MlcLinearSystem *system, const MlcLinear *e, int64_t low, int64_t high)
{
    MlcLinear zero = {0}, above, below;
    if (mlc_linear_add(&zero, 1, e, -low, &above))
        mlc_linear_require(system, &above);
    if (mlc_linear_add(&zero, -1, e, high, &below))
        mlc_linear_require(system, &below);
}

// a's elements in the first iteration meet b's in the second. What is not linear says nothing.
static void
require_overlap(Pair *pair, const MlcAccesses *nest, const MlcAccess *a, const MlcAccess *b)
{
    size_t n = nest->values.num_values;
    for (size_t d = 0; d < a->rank && a->root == b->root; d++) {
        int64_t of_a[MLC_GATHER_MAX + 1], of_b[MLC_GATHER_MAX + 1];
        MlcLinear distance = {0}; // from a's first element to b's
        if (!mlc_affine_linear(a->index[d], (unsigned)n, 0, of_a) ||
            !mlc_affine_linear(b->index[d], (unsigned)n, 0, of_b))
            continue;
        bool fits = !__builtin_sub_overflow(of_b[n], of_a[n], &distance.coeffs[MLC_LINEAR_MAX]);
        for (size_t i = 0; fits && i < n; i++) {
            int64_t *x = &distance.coeffs[pair->variable[0][i]];
            int64_t *y = &distance.coeffs[pair->variable[1][i]];
            fits =
                !__builtin_sub_overflow(*x, of_a[i], x) && !__builtin_add_overflow(*y, of_b[i], y);
        }
        if (fits)
            require_between(&pair->system, &distance, 1 - b->extent[d], a->extent[d] - 1);
    }
}

// How much further the second iteration is in a loop; false if no index is of that loop.
static bool
progress_in(const Pair *pair, const MlcAccesses *nest, MlcOp *loop, MlcLinear *out)
{
    MlcValue *variable = mlc_block_arg(mlc_region_first(mlc_op_region(loop, 0)), 0);
    *out = (MlcLinear){0};
    for (size_t i = 0; i < nest->values.num_values; i++)
        if (nest->values.values[i] == variable) {
            out->coeffs[pair->variable[0][i]] = -1;
            out->coeffs[pair->variable[1][i]] = 1;
            return true;
        }
    return false;
}

// Whether no dependence of b on a has its first positive distance in loop `first` and a negative
// one in loop `second`.
static bool
is_kept(const MlcAccesses *nest, const MlcAccess *a, const MlcAccess *b, MlcOp *const *band,
        size_t first, size_t second)
{
    Pair pair = {0};
    MlcLinear progress;
    bool ok = false;
    if (init_pair(&pair, nest)) {
        require_overlap(&pair, nest, a, b);
        for (size_t i = 0; i <= second; i++) {
            int64_t step = mlc_affine_for_step_size(band[i]);
            if ((i > first && i < second) || !progress_in(&pair, nest, band[i], &progress))
                continue;
            if (i < first)
                require_between(&pair.system, &progress, 0, 0);
            else if (i == first)
                require_between(&pair.system, &progress, step, INT32_MAX);
            else
                require_between(&pair.system, &progress, INT32_MIN, -step);
        }
        ok = mlc_linear_contradicts(&pair.system, NULL);
    }
    mlc_linear_release(&pair.system);
    return ok;
}

bool
mlc_accesses_permutable(const MlcAccesses *nest, MlcOp *const *band, size_t num_loops)
{
    for (size_t i = 0; i < nest->list.size; i++)
        for (size_t j = 0; j < nest->list.size; j++) {
            const MlcAccess *a = &nest->list.data[i], *b = &nest->list.data[j];
            if ((!a->is_write && !b->is_write) || base_of(a->root) != base_of(b->root))
                continue;
            for (size_t first = 0; first < num_loops; first++)
                for (size_t second = first + 1; second < num_loops; second++)
                    if (!is_kept(nest, a, b, band, first, second))
                        return false;
        }
    return true;
}

// --- sizes

// The box around what one access touches, made larger by that of another one.
static bool
extend_box(const MlcAccesses *nest, const MlcAccess *access, bool is_first, int64_t *low,
           int64_t *high)
{
    for (size_t d = 0; d < access->rank; d++) {
        Span span;
        if (!span_of(nest, access, d, false, &span))
            return false;
        low[d] = is_first || span.low < low[d] ? span.low : low[d];
        high[d] = is_first || span.high > high[d] ? span.high : high[d];
    }
    return true;
}

int64_t
mlc_accesses_footprint(const MlcAccesses *nest)
{
    int64_t total = 0, low[MLC_SMALL_RANK], high[MLC_SMALL_RANK];
    for (size_t i = 0; i < nest->list.size; i++) {
        MlcType type = mlc_value_type(nest->list.data[i].root), element = mlc_type_element(type);
        bool is_first = true;
        for (size_t j = 0; is_first && j < i; j++)
            is_first = nest->list.data[j].root != nest->list.data[i].root;
        for (size_t j = i; is_first && j < nest->list.size; j++)
            if (nest->list.data[j].root == nest->list.data[i].root &&
                !extend_box(nest, &nest->list.data[j], j == i, low, high))
                return -1;
        int64_t lanes = mlc_type_is(element, MLC_TYPE_VECTOR) ? mlc_type_num_elements(element) : 1;
        int64_t bytes = (mlc_type_bit_width(mlc_type_element(element)) + 7) / 8;
        if (mlc_type_is(mlc_type_element(element), MLC_TYPE_INDEX))
            bytes = 8;
        bool fits = !__builtin_mul_overflow(bytes, lanes, &bytes) && bytes > 0;
        for (size_t d = 0; is_first && fits && d < nest->list.data[i].rank; d++)
            fits = !__builtin_mul_overflow(bytes, high[d] - low[d] + 1, &bytes);
        if (!fits || (is_first && __builtin_add_overflow(total, bytes, &total)))
            return -1;
    }
    return total;
}

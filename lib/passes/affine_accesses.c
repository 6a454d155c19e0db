// affine_accesses.c -- see affine_accesses.h.
#include "affine_accesses.h"

// How an op that touches memory says where: operand number of the buffer, first index, vector
// accessed (-1: one element).
static const struct {
    const char *name;
    int memref, vector; // vector: operand number; -1: the result; -2: a scalar
    bool is_write, has_map;
} kinds[] = {
    {"affine.load", 0, -2, false, true},        {"affine.store", 1, -2, true, true},
    {"affine.vector_load", 0, -1, false, true}, {"affine.vector_store", 1, 0, true, true},
    {"memref.load", 0, -2, false, false},       {"memref.store", 1, -2, true, false},
    {"vector.load", 0, -1, false, false},       {"vector.store", 1, 0, true, false},
    {"vector.maskedload", 0, -1, false, false}, {"vector.maskedstore", 0, -3, true, false},
    {"memref.prefetch", 0, -2, false, false},   {"affine.prefetch", 0, -2, false, true},
};

static bool
gather_indices(MlcAccesses *nest, MlcOp *op, size_t first, bool has_map, MlcAccess *access)
{
    if (!has_map) {
        for (size_t d = 0; d < access->rank; d++)
            if (!mlc_gather(&nest->values, mlc_op_operand(op, first + d), &access->index[d]))
                return false;
        return true;
    }
    MlcAffineMap map = mlc_op_affine_map(op, "map");
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
    if (rank > MLC_ACCESS_MAX_RANK)
        return false;
    for (size_t d = 0; d < rank; d++) {
        int64_t offset = mlc_dense_array_attr_int(offsets, d),
                size = mlc_dense_array_attr_int(sizes, d);
        MlcAffineExpr start = NULL;
        if (mlc_dense_array_attr_int(strides, d) != 1)
            return false;
        if (offset != MLC_DYNAMIC)
            start = mlc_affine_constant(mlc_op_context(view), offset);
        else if (!mlc_gather(&nest->values, mlc_op_operand(view, next_operand++), &start))
            return false;
        bool kept = next_dim < mlc_type_rank(window) && mlc_type_dim(window, next_dim) == size;
        out.index[d] = kept ? mlc_affine_add(start, access->index[next_dim]) : start;
        out.extent[d] = kept ? access->extent[next_dim] : 1;
        next_dim += kept;
    }
    out.rank = rank;
    *access = out;
    return next_dim == mlc_type_rank(window);
}

static bool
push_access(MlcAccesses *nest, MlcAccess *access)
{
    for (MlcOp *def;
         (def = mlc_value_def(access->root)) && mlc_op_is_named(def, "memref.subview");) {
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
add_access(MlcAccesses *nest, MlcOp *op, size_t kind)
{
    MlcAccess access = {.op = op, .is_write = kinds[kind].is_write};
    access.root = mlc_op_operand(op, (size_t)kinds[kind].memref);
    MlcType type = mlc_value_type(access.root);
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_rank(type) > MLC_ACCESS_MAX_RANK)
        return false;
    access.rank = mlc_type_rank(type);
    for (size_t d = 0; d < access.rank; d++)
        access.extent[d] = 1;
    int vector = kinds[kind].vector;
    if (vector != -2 && access.rank > 0) {
        MlcValue *value = vector == -1   ? mlc_op_result(op, 0)
                          : vector == -3 ? mlc_op_operand(op, mlc_op_num_operands(op) - 1)
                                         : mlc_op_operand(op, (size_t)vector);
        if (mlc_type_rank(mlc_value_type(value)) != 1)
            return false;
        access.extent[access.rank - 1] = mlc_type_dim(mlc_value_type(value), 0);
    }
    if (!gather_indices(nest, op, (size_t)kinds[kind].memref + 1, kinds[kind].has_map, &access))
        return false;
    return push_access(nest, &access);
}

// memref.copy: all of both buffers.
static bool
add_copy(MlcAccesses *nest, MlcOp *op)
{
    for (size_t i = 0; i < 2; i++) {
        MlcAccess access = {.op = op, .is_write = i == 1, .root = mlc_op_operand(op, i)};
        MlcType type = mlc_value_type(access.root);
        if (mlc_type_rank(type) > MLC_ACCESS_MAX_RANK || !mlc_type_has_static_shape(type))
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
           mlc_op_is_named(op, "memref.alloc") || mlc_op_is_named(op, "memref.alloca") ||
           mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR);
}

MlcOp *
mlc_accesses_collect(MlcAccesses *nest)
{
    MLC_FOR_EACH_PREORDER (op, nest->op) {
        size_t kind = 0, n = sizeof kinds / sizeof *kinds;
        while (kind < n && !mlc_op_is_named(op, kinds[kind].name))
            kind++;
        bool known = kind < n                             ? add_access(nest, op, kind)
                     : mlc_op_is_named(op, "memref.copy") ? add_copy(nest, op)
                                                          : is_harmless(op);
        if (!known)
            return op;
    }
    return NULL;
}

// What `value`, a loop variable, ranges over; false if its loop's bounds are not constant.
static bool
range_of(MlcValue *value, int64_t *low, int64_t *high)
{
    MlcOp *loop = mlc_block_parent(mlc_value_block(value));
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    int64_t upper, step;
    if (!methods || !methods->constant_bounds ||
        !methods->constant_bounds(loop, mlc_value_index(value), low, &upper, &step))
        return false;
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
        MlcOp *owner = mlc_block_parent(mlc_value_block(value));
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

static bool
independent(const MlcAccesses *nest, const MlcAccess *a, const MlcAccess *b, int64_t step)
{
    for (size_t d = 0; d < a->rank && a->rank == b->rank; d++) {
        Span x, y;
        if (!span_of(nest, a, d, true, &x) || !span_of(nest, b, d, true, &y))
            continue;
        if (x.coefficient == 0 || x.coefficient != y.coefficient ||
            memcmp(x.outer, y.outer, sizeof x.outer) != 0)
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
        if (mlc_op_is_named(def, "memref.view"))
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

// Both at the top level, so no variables lie outside.
static bool
disjoint(const MlcAccesses *n, const MlcAccess *a, const MlcAccesses *m, const MlcAccess *b)
{
    for (size_t d = 0; d < a->rank && a->root == b->root; d++) {
        Span x, y;
        if (span_of(n, a, d, false, &x) && span_of(m, b, d, false, &y) &&
            (x.high < y.low || y.high < x.low))
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
                !disjoint(n, a, m, b))
                return false;
        }
    return true;
}

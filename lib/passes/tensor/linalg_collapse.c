// linalg_collapse.c -- loops that walk memory as one become one.
//
// Two loops a, b of a structured op may be one loop if every operand has them side by side as plain
// dimensions, or not at all: rows and columns of a 1x1 convolution, all dimensions of an
// element-wise op. Reduction loops of one iteration go away first, or they would hide such pairs. A
// tensor between two structured ops has one shape for both, so that tiles can be fused through it:
// what one op cannot merge, its neighbours do not merge either (a fixpoint over the block).
// Elsewhere tensor.collapse_shape and tensor.expand_shape, which cost nothing, change the shape.
//
// Before that, element-wise ops on a reduction's collapsed result (a grouped convolution's, whose
// channels are [groups, channels]) take its shape, so that they can be computed in its tiles.
#include "loop_sizes.h"

#include "mlc/analysis/structured.h"
#include "mlc/ir.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/tensor.h"

enum { MAX_OPERANDS = 32 };

// What is merged in one op: next[a] = b where b is the inner neighbour of a.
typedef struct Merges {
    MlcOp *op;
    size_t num_loops;
    bool dropped[MLC_SMALL_RANK]; // reductions of one iteration
    int next[MLC_SMALL_RANK];     // -1: none
} Merges;

typedef struct Collapsed { // a result that now has another shape
    MlcValue *value;
    MlcAttr reassociation;
} Collapsed;

typedef struct Collapser {
    MlcPass *pass;
    MlcContext *ctx;
    MlcMap merges;    // op -> Merges
    MlcMap collapsed; // old result -> Collapsed
} Collapser;

// Operand map with dropped loops at 0.
static MlcAffineMap
map_of(const Merges *m, size_t operand)
{
    MlcAffineMap map = mlc_structured_map(m->op, operand);
    MlcContext *ctx = mlc_op_context(m->op);
    MlcAffineExpr dims[MLC_SMALL_RANK], results[MLC_SMALL_RANK];
    size_t n = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < m->num_loops; i++)
        dims[i] = m->dropped[i] ? mlc_affine_constant(ctx, 0) : mlc_affine_dim(ctx, (unsigned)i);
    for (size_t i = 0; i < n; i++)
        results[i] = mlc_affine_replace(mlc_affine_map_result(map, i), dims, m->num_loops, NULL, 0);
    return mlc_affine_map_get(ctx, (unsigned)m->num_loops, 0, results, n);
}

static bool
is_zero(MlcAffineMap map, size_t result)
{
    int64_t value;
    return mlc_affine_is_constant(mlc_affine_map_result(map, result), &value) && value == 0;
}

// One image of a batch of dynamic size.
static bool
is_image(MlcOp *slice)
{
    MlcType source = mlc_value_type(mlc_op_operand(slice, 0)),
            type = mlc_value_type(mlc_op_result(slice, 0));
    bool is_one = mlc_type_rank(type) == mlc_type_rank(source) &&
                  mlc_type_dim(source, 0) == MLC_DYNAMIC && mlc_type_dim(type, 0) == 1;
    for (size_t i = 1; is_one && i < mlc_type_rank(type); i++)
        is_one = mlc_type_dim(type, i) == mlc_type_dim(source, i) &&
                 mlc_type_dim(type, i) != MLC_DYNAMIC;
    return is_one;
}

// A slice has gaps: its dimensions are no longer side by side in memory.
static bool
is_contiguous(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    return !mlc_tensor_extract_slice_isa(def) || is_image(def);
}

// Every operand has `a` and `b` side by side, or neither.
static bool
can_merge(const Merges *m, int a, int b)
{
    if (mlc_structured_iterator(m->op, (size_t)a) != mlc_structured_iterator(m->op, (size_t)b))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(m->op); i++) {
        MlcAffineMap map = map_of(m, i);
        size_t uses_a = 0, uses_b = 0, pairs = 0, n = mlc_affine_map_num_results(map);
        for (size_t r = 0; r < n; r++) {
            uses_a += mlc_affine_uses_dim(mlc_affine_map_result(map, r), (unsigned)a);
            uses_b += mlc_affine_uses_dim(mlc_affine_map_result(map, r), (unsigned)b);
            pairs +=
                mlc_map_result_dim(map, r) == a && r + 1 < n && mlc_map_result_dim(map, r + 1) == b;
        }
        if (uses_a != pairs || uses_b != pairs || pairs > 1 ||
            (pairs && !is_contiguous(mlc_op_operand(m->op, i))))
            return false;
    }
    return true;
}

// Whether loops of these sizes may become one: sizes that are not known are counted as 1.
static bool
fits(const int64_t *extent, size_t n)
{
    int64_t product = 1;
    for (size_t i = 0; i < n; i++)
        if (extent[i] > 0 && __builtin_mul_overflow(product, extent[i], &product))
            return false;
    return true;
}

static void
find_merges(Merges *m)
{
    int64_t extent[MLC_SMALL_RANK];
    m->num_loops = mlc_structured_num_loops(m->op);
    mlc_structured_loop_sizes(m->op, extent);
    bool keep =
        !mlc_structured(m->op) || mlc_structured_uses_index(m->op) || !fits(extent, m->num_loops);
    for (size_t i = 0; i < m->num_loops; i++) {
        m->next[i] = -1;
        m->dropped[i] =
            !keep && extent[i] == 1 && mlc_structured_iterator(m->op, i) != MLC_ITERATOR_PARALLEL;
    }
    for (size_t i = 0; !keep && i < mlc_op_num_operands(m->op); i++) {
        MlcAffineMap map = map_of(m, i);
        for (size_t r = 0; r + 1 < mlc_affine_map_num_results(map); r++) {
            int a = mlc_map_result_dim(map, r), b = mlc_map_result_dim(map, r + 1);
            if (a >= 0 && b >= 0 && a != b && can_merge(m, a, b))
                m->next[a] = b;
        }
    }
}

// Whether dimensions i and i + 1 of the tensor at `operand` are merged; clears the merge if asked.
static bool
merges_dims(Merges *m, size_t operand, size_t i, bool clear)
{
    MlcAffineMap map = map_of(m, operand);
    int a = mlc_map_result_dim(map, i), b = mlc_map_result_dim(map, i + 1);
    bool merged = a >= 0 && b >= 0 && m->next[a] == b;
    if (clear && a >= 0)
        m->next[a] = -1;
    return merged;
}

// Makes producer and consumer agree on the tensor at the consumer's `operand`; true if something
// was given up.
static bool
agree(Merges *producer, Merges *consumer, size_t operand)
{
    size_t out = mlc_structured_num_inputs(producer->op);
    size_t rank = mlc_type_rank(mlc_value_type(mlc_op_result(producer->op, 0)));
    bool changed = false;
    for (size_t i = 0; i + 1 < rank; i++) {
        bool p = merges_dims(producer, out, i, false), c = merges_dims(consumer, operand, i, false);
        if (p == c)
            continue;
        merges_dims(p ? producer : consumer, p ? out : operand, i, true);
        changed = true;
    }
    return changed;
}

static void
find_all_merges(Collapser *c, MlcBlock *block)
{
    MLC_FOR_EACH_OP (op, block) {
        int64_t group[MLC_SMALL_RANK];
        if ((!mlc_op_is_sized_structured(op) && !mlc_op_is_static_tiling(op, group)) ||
            mlc_op_num_operands(op) > MAX_OPERANDS)
            continue;
        Merges *m = MLC_NEW(mlc_pass_scratch(c->pass), Merges);
        m->op = op;
        find_merges(m);
        mlc_map_set(&c->merges, op, m);
    }
    for (bool changed = true; changed;) {
        changed = false;
        MLC_MAP_FOR_EACH (entry, &c->merges) {
            Merges *m = mlc_map_entry_value(entry);
            for (size_t i = 0; i < mlc_op_num_operands(m->op); i++) {
                MlcOp *def = mlc_value_def(mlc_op_operand(m->op, i));
                Merges *producer = def ? mlc_map_get(&c->merges, def) : NULL;
                if (producer)
                    changed |= agree(producer, m, i);
            }
        }
    }
}

// ---- the rewrite

static bool
has_merges(const Merges *m)
{
    for (size_t i = 0; i < m->num_loops; i++)
        if (m->dropped[i] || m->next[i] >= 0)
            return true;
    return false;
}

// New loop number of each old one: merged loops share it, dropped ones have -1. Returns how many
// there are.
static size_t
number_loops(const Merges *m, int *number)
{
    bool is_inner[MLC_SMALL_RANK] = {false};
    size_t n = 0;
    for (size_t i = 0; i < m->num_loops; i++)
        if (m->next[i] >= 0)
            is_inner[m->next[i]] = true;
    for (size_t i = 0; i < m->num_loops; i++)
        number[i] = -1;
    for (size_t i = 0; i < m->num_loops; i++) {
        if (is_inner[i] || m->dropped[i])
            continue;
        for (int k = (int)i; k >= 0; k = m->next[k])
            number[k] = (int)n;
        n++;
    }
    return n;
}

// The groups of dimensions of an operand that become one: first[g] is the first dimension of group
// g.
static size_t
group_dims(const Merges *m, MlcAffineMap map, size_t *first)
{
    size_t n = 0, rank = mlc_affine_map_num_results(map);
    bool open = true; // the group so far has only dimensions of size 1 that no loop walks
    for (size_t i = 0; i < rank; i++) {
        int a = i ? mlc_map_result_dim(map, i - 1) : -1, b = mlc_map_result_dim(map, i);
        bool joins = i > 0 && (is_zero(map, i) || open || (a >= 0 && b >= 0 && m->next[a] == b));
        if (joins && is_zero(map, i) &&
            !open) { // a 1 after a loop's dimension stays with it only at the end
            bool rest = true;
            for (size_t k = i; k < rank; k++)
                rest &= is_zero(map, k);
            joins = rest;
        }
        if (!joins) {
            first[n++] = i;
            open = true;
        }
        open &= is_zero(map, i);
    }
    first[n] = rank;
    return n;
}

static MlcAttr
reassociation_of(MlcContext *ctx, const size_t *first, size_t n)
{
    MlcAttr groups[MLC_SMALL_RANK], dims[MLC_SMALL_RANK];
    for (size_t g = 0; g < n; g++) {
        for (size_t i = first[g]; i < first[g + 1]; i++)
            dims[i - first[g]] = mlc_i64_attr_get(ctx, (int64_t)i);
        groups[g] = mlc_array_attr_get(ctx, dims, first[g + 1] - first[g]);
    }
    return mlc_array_attr_get(ctx, groups, n);
}

static MlcType
collapsed_type(MlcType type, const size_t *first, size_t n)
{
    int64_t shape[MLC_SMALL_RANK];
    for (size_t g = 0; g < n; g++) {
        shape[g] = 1;
        for (size_t i = first[g]; i < first[g + 1] && shape[g] != MLC_DYNAMIC; i++)
            shape[g] = mlc_type_dim(type, i) == MLC_DYNAMIC ? MLC_DYNAMIC
                                                            : shape[g] * mlc_type_dim(type, i);
    }
    return mlc_tensor_type_get(mlc_type_element(type), shape, n, NULL);
}

// The map of the new operand: one result a group.
static MlcAffineMap
collapsed_map(const Merges *m, MlcAffineMap map, const size_t *first, size_t n, const int *number,
              size_t num_loops)
{
    MlcContext *ctx = mlc_op_context(m->op);
    MlcAffineExpr dims[MLC_SMALL_RANK], results[MLC_SMALL_RANK];
    for (size_t i = 0; i < m->num_loops; i++)
        dims[i] =
            number[i] < 0 ? mlc_affine_constant(ctx, 0) : mlc_affine_dim(ctx, (unsigned)number[i]);
    for (size_t g = 0; g < n; g++) {
        size_t at = first[g];
        while (at + 1 < first[g + 1] && is_zero(map, at))
            at++;
        results[g] =
            mlc_affine_replace(mlc_affine_map_result(map, at), dims, m->num_loops, NULL, 0);
    }
    return mlc_affine_map_get(ctx, (unsigned)num_loops, 0, results, n);
}

// tensor.empty of the collapsed type, whose dynamic sizes are products of those of `tensor`.
static MlcValue *
build_collapsed_empty(MlcBuilder *b, MlcValue *tensor, MlcType to, const size_t *first)
{
    MlcValue *sizes[MLC_SMALL_RANK];
    size_t num_sizes = 0;
    for (size_t g = 0; g < mlc_type_rank(to); g++) {
        if (mlc_type_dim(to, g) != MLC_DYNAMIC)
            continue;
        MlcValue *product = mlc_size_value(b, tensor, first[g]);
        for (size_t i = first[g] + 1; i < first[g + 1]; i++)
            product = mlc_arith_muli(b, product, mlc_size_value(b, tensor, i));
        sizes[num_sizes++] = product;
    }
    return mlc_tensor_empty(b, to, sizes, num_sizes);
}

static MlcValue *
build_collapse(Collapser *c, MlcBuilder *b, MlcValue *value, const size_t *first, size_t n)
{
    MlcType type = mlc_value_type(value), to = collapsed_type(type, first, n);
    if (n == mlc_type_rank(type))
        return value;
    MlcAttr reassociation = reassociation_of(c->ctx, first, n);
    Collapsed *known = mlc_map_get(&c->collapsed, value);
    if (known && known->reassociation == reassociation)
        return known->value;
    if (mlc_tensor_empty_isa(mlc_value_def(value)))
        return build_collapsed_empty(b, value, to, first);
    return mlc_tensor_collapse_shape(b, to, value, reassociation);
}

static MlcOp *
build_collapsed(Collapser *c, const Merges *m, MlcBuilder *b, size_t *out_first, size_t *out_n)
{
    MlcValue *operands[MAX_OPERANDS];
    MlcAffineMap maps[MAX_OPERANDS];
    MlcIterator iterators[MLC_SMALL_RANK];
    int number[MLC_SMALL_RANK];
    size_t num_loops = number_loops(m, number), out = mlc_structured_num_inputs(m->op);
    for (size_t i = 0; i < m->num_loops; i++)
        if (number[i] >= 0)
            iterators[number[i]] = mlc_structured_iterator(m->op, i);
    for (size_t i = 0; i <= out; i++) {
        MlcValue *value = mlc_op_operand(m->op, i);
        MlcAffineMap map = map_of(m, i);
        size_t first[MLC_SMALL_RANK + 1], n = group_dims(m, map, first);
        maps[i] = collapsed_map(m, map, first, n, number, num_loops);
        operands[i] = mlc_type_is_shaped(mlc_value_type(value))
                          ? build_collapse(c, b, value, first, n)
                          : value;
        if (i == out) {
            memcpy(out_first, first, (n + 1) * sizeof *first);
            *out_n = n;
        }
    }
    return mlc_build_open_generic(b, operands, out, operands[out], maps, iterators, num_loops);
}

// tensor.expand_shape to the shape of `old`.
static MlcValue *
build_expanded(MlcBuilder *b, MlcValue *value, MlcValue *old, MlcAttr reassociation)
{
    MlcType type = mlc_value_type(old);
    MlcValue *sizes[MLC_SMALL_RANK];
    size_t num_sizes = 0, rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            sizes[num_sizes++] = mlc_size_value(b, old, i);
    return mlc_tensor_expand_shape(b, type, value, sizes, num_sizes, reassociation,
                                   mlc_type_shape(type), rank);
}

static void
collapse_op(Collapser *c, const Merges *m)
{
    MlcBuilder b;
    mlc_builder_init(&b, c->ctx);
    mlc_builder_before(&b, m->op);
    size_t first[MLC_SMALL_RANK + 1] = {0}, n = 0;
    MlcOp *made = build_collapsed(c, m, &b, first, &n);
    MlcBlock *to = mlc_region_first(mlc_op_region(made, 0)), *from = mlc_structured_body(m->op);
    for (size_t i = 0; i < mlc_block_num_args(from); i++)
        mlc_value_replace_uses(mlc_block_arg(from, i), mlc_block_arg(to, i));
    mlc_block_splice(to, NULL, from);

    MlcValue *old = mlc_op_result(m->op, 0), *result = mlc_op_result(made, 0);
    MlcType type = mlc_value_type(old);
    if (mlc_value_type(result) != type) {
        Collapsed *done = MLC_NEW(mlc_pass_scratch(c->pass), Collapsed);
        *done = (Collapsed){result, reassociation_of(c->ctx, first, n)};
        result = build_expanded(&b, result, old, done->reassociation);
        mlc_map_set(&c->collapsed, result, done);
    }
    mlc_op_replace(m->op, &result, 1);
    mlc_pass_count(c->pass, "ops-collapsed", 1);
}

// Shapes that nothing reads any more.
static void
erase_dead(MlcBlock *block)
{
    MlcOp *prev;
    for (MlcOp *op = mlc_block_last(block); op; op = prev) {
        prev = mlc_op_prev(op);
        if (mlc_op_num_results(op) > 0 && mlc_op_is_trivially_dead(op))
            mlc_op_erase(op);
    }
}

// ---- element-wise ops in the shape of what they read

// The operand of `op` that collapses the result of a reduction nobody else reads, -1: none.
static int
collapsed_operand(MlcOp *op)
{
    if (!mlc_op_is_static_structured(op) || mlc_structured_uses_index(op) ||
        !mlc_structured_is_elementwise(op) || mlc_op_num_operands(op) > MAX_OPERANDS)
        return -1;
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    if (out != mlc_affine_map_identity(mlc_op_context(op), (unsigned)mlc_structured_num_loops(op)))
        return -1;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) { // zeros in a map are no loop to split
        MlcAffineMap map = mlc_structured_map(op, i);
        for (size_t r = 0; r < mlc_affine_map_num_results(map); r++)
            if (mlc_map_result_dim(map, r) < 0)
                return -1;
    }
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++) {
        MlcOp *shape = mlc_value_def(mlc_op_operand(op, i));
        if (!mlc_tensor_collapse_shape_isa(shape) ||
            !mlc_value_has_one_use(mlc_op_result(shape, 0)) || mlc_structured_map(op, i) != out)
            continue;
        MlcValue *source = mlc_op_operand(shape, 0);
        MlcOp *def = mlc_value_def(source);
        if (def && mlc_op_is_static_structured(def) && !mlc_structured_is_parallel(def) &&
            mlc_value_has_one_use(source) &&
            mlc_type_rank(mlc_value_type(source)) <= MLC_SMALL_RANK)
            return (int)i;
    }
    return -1;
}

// An operand read by `map`, each of its loops split into the dimensions of `wide` that `groups`
// joins;
// `*expanded` is its map over these.
static MlcValue *
expand_operand(MlcBuilder *b, MlcValue *value, MlcAffineMap map, const MlcGroups *groups,
               MlcType wide, MlcAffineMap *expanded)
{
    MlcType type = mlc_value_type(value);
    MlcAffineExpr results[MLC_SMALL_RANK];
    int64_t shape[MLC_SMALL_RANK];
    MlcGroups own = {0};
    size_t n = 0, rank = mlc_affine_map_num_results(map);
    for (size_t r = 0; r < rank; r++) {
        size_t loop = (size_t)mlc_map_result_dim(map, r), first = mlc_groups_first(groups, loop);
        size_t end = mlc_groups_first(groups, loop + 1);
        mlc_groups_push(&own, end - first);
        for (size_t d = first; d < end; d++) {
            shape[n] = mlc_type_dim(wide, d);
            results[n++] = mlc_affine_dim(b->ctx, (unsigned)d);
        }
    }
    *expanded = mlc_affine_map_get(b->ctx, (unsigned)mlc_type_rank(wide), 0, results, n);
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || n == rank)
        return value;
    MlcType to = mlc_tensor_type_get(mlc_type_element(type), shape, n, NULL);
    if (mlc_tensor_empty_isa(mlc_value_def(value)))
        return mlc_build_empty(b, to);
    return mlc_build_expand_shape(b, value, to, mlc_groups_attr(b->ctx, &own));
}

// op(collapse(x), y) -> collapse(op(x, expand(y)))
static bool
take_shape(MlcPass *pass, MlcOp *op)
{
    int operand = collapsed_operand(op);
    MlcGroups groups;
    if (operand < 0)
        return false;
    MlcOp *collapse = mlc_value_def(mlc_op_operand(op, (size_t)operand));
    MlcValue *source = mlc_op_operand(collapse, 0), *inputs[MAX_OPERANDS];
    MlcAttr reassociation = mlc_op_attr(collapse, "reassociation");
    MlcType wide = mlc_value_type(source);
    if (!mlc_groups_read(reassociation, &groups))
        return false;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcAffineMap maps[MAX_OPERANDS];
    MlcIterator iterators[MLC_SMALL_RANK] = {MLC_ITERATOR_PARALLEL};
    size_t out = mlc_structured_num_inputs(op);
    for (size_t i = 0; i <= out; i++)
        inputs[i] = expand_operand(&b, mlc_op_operand(op, i), mlc_structured_map(op, i), &groups,
                                   wide, &maps[i]);
    inputs[operand] = source;
    MlcOp *made =
        mlc_build_open_generic(&b, inputs, out, inputs[out], maps, iterators, mlc_type_rank(wide));
    MlcBlock *to = mlc_region_first(mlc_op_region(made, 0)), *from = mlc_structured_body(op);
    for (size_t i = 0; i < mlc_block_num_args(from); i++)
        mlc_value_replace_uses(mlc_block_arg(from, i), mlc_block_arg(to, i));
    mlc_block_splice(to, NULL, from);
    MlcValue *result = mlc_tensor_collapse_shape(&b, mlc_value_type(mlc_op_result(op, 0)),
                                                 mlc_op_result(made, 0), reassociation);
    mlc_op_replace(op, &result, 1);
    mlc_pass_count(pass, "ops-expanded", 1);
    return true;
}

static void
collapse_block(MlcPass *pass, MlcBlock *block)
{
    bool expanded = false;
    MLC_FOR_EACH_OP_SAFE (op, block)
        expanded |= mlc_structured(op) && take_shape(pass, op);
    if (expanded)
        erase_dead(block);

    Collapser c = {.pass = pass, .ctx = mlc_pass_context(pass)};
    bool changed = false;
    find_all_merges(&c, block);
    MLC_MAP_FOR_EACH (entry, &c.merges) {
        Merges *m = mlc_map_entry_value(entry);
        if (has_merges(m)) {
            collapse_op(&c, m);
            changed = true;
        }
    }
    if (changed)
        erase_dead(block);
    mlc_map_release(&c.merges);
    mlc_map_release(&c.collapsed);
}

// In the bodies of loops and branches, too.
static void
collapse_inside(MlcPass *pass, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i)) {
            collapse_block(pass, block);
            MLC_FOR_EACH_OP (inner, block)
                if (!mlc_structured(inner))
                    collapse_inside(pass, inner);
        }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    collapse_inside(pass, root);
    return true;
}

static const char *const dialects[] = {"linalg", "tensor", NULL};

MLC_PASS(linalg_collapse, .flag = "linalg-collapse",
         .summary = "Merge loops of structured ops that walk memory as one", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)

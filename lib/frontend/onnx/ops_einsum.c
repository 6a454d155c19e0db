// ops_einsum.c -- Einsum of one or two operands, as reductions and one batched matrix product.
//
// A label that one operand alone has, and the result has not, is summed away first. What is left of
// two operands falls into four groups: batch (in both and in the result), contracted (in both
// only), and the free labels of each side. The operands become [batch..., M, K] and [batch..., K,
// N], M, K and N the products of their groups' sizes, and the product is taken apart and put in the
// order of the result. Sizes may be open; those of a label in two operands that are not the same
// text are compared when the model runs. The dimensions that "..." stands for are labels too, by
// their distance from its last one.
#include "node.h"

#include "mlc/dialects/graph_sizes.h"

#include <ctype.h>
#include <inttypes.h>

enum { MAX_LABELS = 128, MAX_OPERANDS = 2 };

typedef struct Labels {
    size_t count;
    char items[MLC_SMALL_RANK];
} Labels;

typedef struct Einsum {
    MlcOnnxNodeImport *n;
    size_t num_operands;
    Labels operands[MAX_OPERANDS], result;
    MlcValue *values[MAX_OPERANDS]; // of these labels
    MlcAttr sizes[MAX_LABELS];
} Einsum;

static bool
has(const Labels *labels, char label)
{
    return memchr(labels->items, label, labels->count) != NULL;
}

// The letters up to ',', '-' or the end of the equation. "..." is the label 0.
static bool
read_letters(Einsum *e, MlcStr equation, size_t *at, Labels *labels)
{
    for (; *at < equation.size; ++*at) {
        char c = equation.data[*at];
        if (c == ',' || c == '-')
            break;
        if (c == ' ')
            continue;
        bool is_dots = *at + 3 <= equation.size && memcmp(equation.data + *at, "...", 3) == 0;
        if ((!is_dots && !isalpha((unsigned char)c)) || (is_dots && has(labels, 0)))
            return mlc_onnx_invalid(e->n, "equation '%.*s'", MLC_STR_FMT(equation));
        if (labels->count == MLC_SMALL_RANK)
            return mlc_onnx_unsupported(e->n, "equation '%.*s'", MLC_STR_FMT(equation));
        labels->items[labels->count++] = is_dots ? 0 : c;
        *at += is_dots ? 2 : 0;
    }
    return true;
}

// `count` labels in the place of the one that stands for "...".
static bool
spell_dots(Einsum *e, Labels *labels, size_t count)
{
    char *dots = memchr(labels->items, 0, labels->count);
    if (!dots)
        return true;
    if (labels->count - 1 + count > MLC_SMALL_RANK)
        return mlc_onnx_unsupported(e->n, "an equation of so many dimensions");
    size_t at = (size_t)(dots - labels->items);
    memmove(dots + count, dots + 1, labels->count - at - 1);
    for (size_t i = 0; i < count; i++)
        dots[i] = (char)(count - i);
    labels->count += count - 1;
    return true;
}

// An operand's labels: one for each of its dimensions.
static bool
read_labels(Einsum *e, MlcStr equation, size_t *at, size_t i)
{
    MlcType type = mlc_value_type(e->n->inputs[i]);
    Labels *labels = &e->operands[i];
    if (!read_letters(e, equation, at, labels))
        return false;
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unsupported(e->n, "an input of type %s", mlc_type_text(type));
    size_t rank = mlc_type_rank(type), num_letters = labels->count - has(labels, 0);
    if (rank >= num_letters && !spell_dots(e, labels, rank - num_letters))
        return false;
    return rank == labels->count || mlc_onnx_invalid(e->n, "%zu labels for an input of type %s",
                                                     labels->count, mlc_type_text(type));
}

// The dimensions of "...": as many as the operand has most of.
static size_t
count_dots(const Einsum *e)
{
    size_t count = 0;
    for (size_t i = 0; i < e->num_operands; i++)
        for (size_t k = 0; k < e->operands[i].count; k++)
            if (e->operands[i].items[k] <= MLC_SMALL_RANK &&
                (size_t)e->operands[i].items[k] > count)
                count = (size_t)e->operands[i].items[k];
    return count;
}

// Without "->", what "..." stands for, and the labels that occur once, in the order of the
// alphabet.
static void
find_implicit_result(Einsum *e)
{
    for (size_t i = count_dots(e); i > 0; i--)
        e->result.items[e->result.count++] = (char)i;
    for (int c = 'A'; c <= 'z'; c++) {
        size_t times = 0;
        for (size_t i = 0; i < e->num_operands; i++)
            for (size_t k = 0; k < e->operands[i].count; k++)
                times += e->operands[i].items[k] == (char)c;
        if (times == 1 && e->result.count < MLC_SMALL_RANK)
            e->result.items[e->result.count++] = (char)c;
    }
}

static bool
read_equation(Einsum *e)
{
    MlcOnnxNodeImport *n = e->n;
    MlcStr equation = mlc_str("");
    size_t at = 0;
    if (!mlc_onnx_read_str(n, "equation", &equation))
        return false;
    e->num_operands = n->num_inputs;
    if (e->num_operands > MAX_OPERANDS)
        return mlc_onnx_unsupported(n, "%zu operands", e->num_operands);
    for (size_t i = 0; i < e->num_operands; i++) {
        if (i > 0 && (at >= equation.size || equation.data[at++] != ','))
            return mlc_onnx_invalid(n, "equation '%.*s' has not %zu operands",
                                    MLC_STR_FMT(equation), e->num_operands);
        if (!read_labels(e, equation, &at, i))
            return false;
    }
    if (at == equation.size) {
        find_implicit_result(e);
        return true;
    }
    if (at + 1 >= equation.size || equation.data[at] != '-' || equation.data[at + 1] != '>')
        return mlc_onnx_invalid(n, "equation '%.*s'", MLC_STR_FMT(equation));
    at += 2;
    if (!read_letters(e, equation, &at, &e->result) || !spell_dots(e, &e->result, count_dots(e)))
        return false;
    for (size_t k = 0; k < e->result.count; k++)
        if (memchr(e->result.items, e->result.items[k], k))
            return mlc_onnx_invalid(n, "equation '%.*s'", MLC_STR_FMT(equation));
    return at == equation.size || mlc_onnx_invalid(n, "equation '%.*s'", MLC_STR_FMT(equation));
}

// Dimensions `a` < `b` of one label become one, the last: every (size + 1)-th element of the matrix
// that they are.
static MlcValue *
diagonal(Einsum *e, MlcValue *value, size_t a, size_t b)
{
    MlcOnnxNodeImport *n = e->n;
    MlcType type = mlc_value_type(value);
    size_t rank = mlc_type_rank(type), to = 0;
    int64_t perm[MLC_SMALL_RANK], shape[MLC_SMALL_RANK], size = mlc_type_dim(type, a);
    int64_t start = 0, end = size * size, step = size + 1, axis = (int64_t)rank - 2;
    if (!mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "a diagonal of an input of type %s", mlc_type_text(type)),
               NULL;
    if (mlc_type_dim(type, b) != size)
        return mlc_onnx_invalid(n, "a diagonal of an input of type %s", mlc_type_text(type)), NULL;
    for (size_t i = 0; i < rank; i++)
        if (i != a && i != b) {
            shape[to] = mlc_type_dim(type, i);
            perm[to++] = (int64_t)i;
        }
    shape[to] = end;
    perm[to] = (int64_t)a;
    perm[to + 1] = (int64_t)b;
    value = mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, rank});
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, rank - 1}, true) : NULL;
    return value ? mlc_onnx_slice(n, value, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                                  (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){&step, 1})
                 : NULL;
}

static bool
take_diagonals(Einsum *e, size_t i)
{
    Labels *labels = &e->operands[i];
    e->values[i] = e->n->inputs[i];
    for (size_t b = 1; b < labels->count; b++) {
        char label = labels->items[b], *first = memchr(labels->items, label, b);
        if (!first)
            continue;
        size_t a = (size_t)(first - labels->items);
        if (!(e->values[i] = diagonal(e, e->values[i], a, b)))
            return false;
        memmove(labels->items + b, labels->items + b + 1, labels->count - b - 1);
        memmove(first, first + 1, labels->count - a - 2);
        labels->items[labels->count - 2] = label;
        labels->count--;
        b = 0; // from the start: places have changed
    }
    return true;
}

// One label has one size in all operands.
static bool
join_size(Einsum *e, char label, MlcAttr size)
{
    MlcAttr *known = &e->sizes[(size_t)label];
    int64_t a, b;
    if (!*known || *known == size)
        return *known = size, true;
    if (mlc_size_is_number(*known, &a) && mlc_size_is_number(size, &b))
        return mlc_onnx_unsupported(e->n, "sizes %" PRId64 " and %" PRId64 " of label '%c'", a, b,
                                    isalpha(label) ? label : '.');
    mlc_onnx_expect_equal(e->n, *known, size);
    return true;
}

static bool
read_sizes(Einsum *e)
{
    for (size_t i = 0; i < e->num_operands; i++) {
        MlcOnnxSizes dims;
        if (!mlc_onnx_dims_of(e->n, e->values[i], &dims))
            return false;
        for (size_t k = 0; k < e->operands[i].count; k++)
            if (!join_size(e, e->operands[i].items[k], dims.items[k]))
                return false;
    }
    for (size_t k = 0; k < e->result.count; k++)
        if (!has(&e->operands[0], e->result.items[k]) &&
            !(e->num_operands > 1 && has(&e->operands[1], e->result.items[k])))
            return mlc_onnx_invalid(e->n, "label '%c' of the result is in no operand",
                                    e->result.items[k]);
    return true;
}

// Sums over what only operand `i` has.
static MlcValue *
sum_alone(Einsum *e, size_t i)
{
    MlcOnnxNodeImport *n = e->n;
    Labels *labels = &e->operands[i], kept = {0};
    int64_t axes[MLC_SMALL_RANK];
    size_t count = 0;
    for (size_t k = 0; k < labels->count; k++) {
        char c = labels->items[k];
        if (has(&e->result, c) || (e->num_operands > 1 && has(&e->operands[1 - i], c)))
            kept.items[kept.count++] = c;
        else
            axes[count++] = (int64_t)k;
    }
    *labels = kept;
    if (count == 0)
        return e->values[i];
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){axes, count});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    return mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &e->values[i], 1, &attrs);
}

// From the order of `from` to that of `to`, the same labels.
static MlcValue *
reorder(Einsum *e, MlcValue *value, const Labels *from, const Labels *to)
{
    int64_t perm[MLC_SMALL_RANK];
    bool is_same = true;
    for (size_t k = 0; k < to->count; k++) {
        const char *place = memchr(from->items, to->items[k], from->count);
        perm[k] = place - from->items;
        is_same &= perm[k] == (int64_t)k;
    }
    return !value || is_same ? value
                             : mlc_onnx_transpose(e->n, value, (MlcOnnxInts){perm, to->count});
}

static MlcAttr
product(const Einsum *e, const Labels *labels)
{
    MlcAttr size = mlc_size_number(e->n->import->ctx, 1);
    for (size_t k = 0; k < labels->count; k++)
        size = mlc_size_combine(MLC_SIZE_MUL, size, e->sizes[(size_t)labels->items[k]]);
    return size;
}

// To these sizes; NULL, after an error, where no text says one.
static MlcValue *
reshape(Einsum *e, MlcValue *value, MlcAttr *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!sizes[i])
            return mlc_onnx_unsupported(e->n, "an input of type %s",
                                        mlc_type_text(mlc_value_type(value))),
                   NULL;
    return mlc_onnx_reshape_to(e->n, value, &(MlcOnnxSizes){sizes, count});
}

static void
append(Labels *to, const Labels *labels)
{
    memcpy(to->items + to->count, labels->items, labels->count);
    to->count += labels->count;
}

// The operand as [batch..., product of `rows`, product of `columns`].
static MlcValue *
as_matrices(Einsum *e, MlcValue *value, const Labels *labels, const Labels *batch,
            const Labels *rows, const Labels *columns)
{
    Labels order = *batch;
    MlcAttr shape[MLC_SMALL_RANK + 2];
    append(&order, rows);
    append(&order, columns);
    for (size_t k = 0; k < batch->count; k++)
        shape[k] = e->sizes[(size_t)batch->items[k]];
    shape[batch->count] = product(e, rows);
    shape[batch->count + 1] = product(e, columns);
    value = reorder(e, value, labels, &order);
    return value ? reshape(e, value, shape, batch->count + 2) : NULL;
}

static MlcValue *
multiply(Einsum *e, MlcValue *lhs, MlcValue *rhs)
{
    const Labels *left = &e->operands[0], *right = &e->operands[1];
    Labels batch = {0}, contracted = {0}, rows = {0}, columns = {0};
    for (size_t k = 0; k < left->count; k++) {
        char c = left->items[k];
        Labels *group = !has(right, c) ? &rows : has(&e->result, c) ? &batch : &contracted;
        group->items[group->count++] = c;
    }
    for (size_t k = 0; k < right->count; k++)
        if (!has(left, right->items[k]))
            columns.items[columns.count++] = right->items[k];
    if (batch.count + rows.count + columns.count > MLC_SMALL_RANK ||
        batch.count + 2 > MLC_SMALL_RANK)
        return mlc_onnx_unsupported(e->n, "a result of so many dimensions"), NULL;
    lhs = as_matrices(e, lhs, left, &batch, &rows, &contracted);
    rhs = as_matrices(e, rhs, right, &batch, &contracted, &columns);
    MlcValue *value = mlc_onnx_build_two(e->n, &mlc_graph_matmul_def, lhs, rhs);
    Labels order = batch;
    MlcAttr shape[MLC_SMALL_RANK];
    append(&order, &rows);
    append(&order, &columns);
    for (size_t k = 0; k < order.count; k++)
        shape[k] = e->sizes[(size_t)order.items[k]];
    value = value ? reshape(e, value, shape, order.count) : NULL;
    return reorder(e, value, &order, &e->result);
}

bool
mlc_onnx_import_einsum(MlcOnnxNodeImport *n)
{
    Einsum e = {.n = n};
    for (size_t i = 0; i < n->num_inputs; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
    if (!read_equation(&e))
        return false;
    for (size_t i = 0; i < e.num_operands; i++)
        if (!take_diagonals(&e, i))
            return false;
    if (!read_sizes(&e))
        return false;
    MlcValue *lhs = sum_alone(&e, 0), *rhs = e.num_operands > 1 ? sum_alone(&e, 1) : NULL;
    if (!lhs || (e.num_operands > 1 && !rhs))
        return false;
    MlcValue *value =
        e.num_operands > 1 ? multiply(&e, lhs, rhs) : reorder(&e, lhs, &e.operands[0], &e.result);
    return mlc_onnx_set_result(
        n, value == n->inputs[0] ? mlc_onnx_build_one(n, &mlc_graph_identity_def, value) : value);
}

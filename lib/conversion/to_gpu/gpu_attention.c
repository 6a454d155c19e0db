// gpu_attention.c -- finds attention among the ops of a kernel.
//
// From the first product on, ops are taken in order: those that work on scores point by point, a
// maximum of each row, exponentials of differences to it, their sum, a division by it, and a
// product of the quotients. Fills may stand anywhere among them. Buffers in between are nobody
// else's, and may be one and the same: what an op reads must be what its predecessor left there.
#include "gpu_attention.h"

#include "gpu_point.h"
#include "gpu_schedule.h"

#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/math.h"
#include "mlc/dialects/memref.h"

#include <math.h>

typedef enum Stage { AT_SCORES, AT_MAXIMUM, AT_POWERS, AT_SUM, AT_WEIGHTS, NUM_STAGES } Stage;

typedef struct Reader {
    Attention *a;
    Stage stage;
    MlcValue *buffers[NUM_STAGES]; // what a stage came to; NULL: nobody needs it any more
    MlcOpVec fills;                // of buffers that nothing was done with since
    MlcOp *init;                   // another op that fills the second product's result; or NULL
} Reader;

static bool
is_f32(MlcValue *buffer)
{
    MlcType type = mlc_type_element(mlc_value_type(buffer));
    return mlc_type_is(type, MLC_TYPE_FLOAT) && mlc_float_type_kind(type) == MLC_FLOAT_F32;
}

// The number that all of a fill's result is; false: it has none.
static bool
filled_with(MlcOp *fill, double *number)
{
    MlcBlock *body = mlc_structured_body(fill);
    MlcValue *value = mlc_op_operand(mlc_block_terminator(body), 0);
    for (size_t i = 0; i < mlc_structured_num_inputs(fill); i++)
        if (value == mlc_block_arg(body, i))
            value = mlc_op_operand(fill, i);
    MlcAttr constant = mlc_value_constant(value);
    if (!mlc_attr_is(constant, MLC_ATTR_FLOAT))
        return false;
    *number = mlc_float_attr_as_double(constant);
    return true;
}

static bool
is_fill(MlcOp *op)
{
    double number;
    if (!mlc_structured_is_parallel(op) || mlc_structured_num_outputs(op) != 1 ||
        !mlc_affine_map_is_permutation(mlc_structured_map(op, mlc_structured_num_inputs(op))))
        return false;
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++)
        if (gpu_is_buffer(mlc_op_operand(op, i)))
            return false;
    return filled_with(op, &number);
}

static MlcOp *
take_fill(Reader *r, MlcValue *buffer)
{
    for (size_t i = r->fills.size; i-- > 0;)
        if (gpu_output_of(r->fills.data[i]) == buffer) {
            MlcOp *fill = r->fills.data[i];
            r->fills.data[i] = r->fills.data[--r->fills.size];
            return fill;
        }
    return NULL;
}

// --- maps: loops are those of the scores, keys the last one

static size_t
rank_of(const Reader *r)
{
    return mlc_type_rank(mlc_value_type(gpu_output_of(r->a->scores.root)));
}

// The input of `op` that is `buffer`, read as `count` of the loops say, one after the other; the
// number of inputs: there is none, or it is read twice.
static size_t
input_of(const Reader *r, MlcOp *op, MlcValue *buffer, size_t count)
{
    size_t n = mlc_structured_num_inputs(op), found = n;
    for (size_t i = 0; i < n; i++) {
        if (mlc_op_operand(op, i) != buffer)
            continue;
        if (found < n || !gpu_is_identity(mlc_structured_map(op, i), count))
            return n;
        found = i;
    }
    return mlc_structured_num_loops(op) == rank_of(r) ? found : n;
}

// --- one op of each kind

// A reduction of `source` along keys, by an op of which `is_it` says so, from `neutral`.
static bool
reduces(Reader *r, MlcOp *op, MlcValue *source, bool (*is_it)(const MlcOp *op), double neutral)
{
    size_t rank = rank_of(r);
    MlcOp *combine = mlc_structured_combine(op), *fill;
    double number;
    if (!combine || !is_it(combine) || mlc_structured_num_inputs(op) != 1 ||
        input_of(r, op, source, rank) != 0 ||
        !gpu_is_identity(mlc_structured_map(op, 1), rank - 1) || !is_f32(gpu_output_of(op)) ||
        mlc_structured_iterator(op, rank - 1) != MLC_ITERATOR_REDUCTION)
        return false;
    MlcValue *element = mlc_block_arg(mlc_structured_body(op), 0);
    if (mlc_op_operand(combine, 0) != element && mlc_op_operand(combine, 1) != element)
        return false;
    fill = take_fill(r, gpu_output_of(op));
    if (!fill || !filled_with(fill, &number) || number != neutral)
        return false;
    mlc_vec_push(&r->a->ops, fill);
    return true;
}

// An op on all scores, with the scores (or exponentials) and a number of each row as inputs.
static bool
walks(const Reader *r, MlcOp *op, MlcValue *whole, MlcValue *row, size_t inputs[2])
{
    size_t n = mlc_structured_num_inputs(op), rank = rank_of(r);
    inputs[0] = input_of(r, op, whole, rank);
    inputs[1] = input_of(r, op, row, rank - 1);
    if (inputs[0] == n || inputs[1] == n || !mlc_structured_is_parallel(op) ||
        mlc_structured_num_outputs(op) != 1 || !gpu_is_identity(mlc_structured_map(op, n), rank) ||
        mlc_value_has_uses(mlc_block_arg(mlc_structured_body(op), n)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (i != inputs[0] && i != inputs[1] && gpu_is_buffer(mlc_op_operand(op, i)))
            return false;
    return true;
}

static MlcValue *
yielded(MlcOp *op)
{
    return mlc_op_operand(mlc_block_terminator(mlc_structured_body(op)), 0);
}

// exp(score - maximum)
static bool
makes_powers(const Reader *r, MlcOp *op)
{
    size_t inputs[2];
    if (!walks(r, op, r->buffers[AT_SCORES], r->buffers[AT_MAXIMUM], inputs) ||
        !is_f32(gpu_output_of(op)))
        return false;
    MlcBlock *body = mlc_structured_body(op);
    MlcOp *power = mlc_value_def(yielded(op));
    MlcOp *difference =
        power && mlc_math_exp_isa(power) ? mlc_value_def(mlc_op_operand(power, 0)) : NULL;
    return difference && mlc_arith_subf_isa(difference) &&
           mlc_op_operand(difference, 0) == mlc_block_arg(body, inputs[0]) &&
           mlc_op_operand(difference, 1) == mlc_block_arg(body, inputs[1]);
}

static bool
depends_on(MlcValue *value, MlcValue *on)
{
    if (value == on)
        return true;
    MlcOp *def = mlc_value_def(value);
    if (!def || mlc_value_block(value) != mlc_value_block(on))
        return false;
    MLC_FOR_EACH_OPERAND (operand, def)
        if (depends_on(operand, on))
            return true;
    return false;
}

static MlcValue *
without_narrowing(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    return def && mlc_arith_truncf_isa(def) ? mlc_op_operand(def, 0) : value;
}

// Takes `x != x ? 0 : x` apart.
static MlcValue *
without_nan(Attention *a, MlcOp *op, MlcValue *value)
{
    MlcOp *select = mlc_value_def(value);
    if (!select || !mlc_arith_select_isa(select))
        return value;
    MlcOp *compare = mlc_value_def(mlc_op_operand(select, 0));
    MlcValue *zero = mlc_op_operand(select, 1), *x = mlc_op_operand(select, 2);
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++)
        if (zero == mlc_block_arg(mlc_structured_body(op), i))
            zero = mlc_op_operand(op, i);
    MlcAttr constant = mlc_value_constant(zero);
    if (!compare || !mlc_arith_cmpf_isa(compare) || !mlc_attr_is(constant, MLC_ATTR_FLOAT) ||
        mlc_float_attr_as_double(constant) != 0)
        return NULL;
    MlcArithCmpfPredicate predicate = mlc_arith_cmpf_predicate(compare);
    MlcValue *tested = mlc_op_operand(compare, 0);
    if ((predicate != MLC_ARITH_CMPF_PREDICATE_UNE && predicate != MLC_ARITH_CMPF_PREDICATE_UNO) ||
        tested != mlc_op_operand(compare, 1) || (tested != x && without_narrowing(tested) != x))
        return NULL;
    a->zeroes_nan = true;
    return x;
}

// A quotient that is linear in the exponential: power * f(sum) or power / f(sum). So it can be
// taken of the sum of weighted values as well.
static bool
makes_weights(Reader *r, MlcOp *op)
{
    size_t inputs[2];
    if (!walks(r, op, r->buffers[AT_POWERS], r->buffers[AT_SUM], inputs))
        return false;
    MlcValue *power = mlc_block_arg(mlc_structured_body(op), inputs[0]);
    MlcValue *weight = without_nan(r->a, op, without_narrowing(yielded(op)));
    MlcOp *def = weight ? mlc_value_def(weight) : NULL;
    if (!def || (!mlc_arith_mulf_isa(def) && !mlc_arith_divf_isa(def)))
        return false;
    MlcValue *left = mlc_op_operand(def, 0), *right = mlc_op_operand(def, 1);
    if (right == power && mlc_arith_mulf_isa(def)) {
        right = left;
        left = power;
    }
    r->a->norm = op;
    r->a->weight = weight;
    return left == power && !depends_on(right, power);
}

// --- products

// Whether rows and batch of both products count the same way, as the scores' dimensions do.
static bool
agree(const Attention *a)
{
    const Product *first = &a->products[0], *second = &a->products[1];
    MlcAffineMap out = mlc_structured_map(first->op, 2),
                 in = mlc_structured_map(second->op, second->factors[0]);
    size_t rank = mlc_affine_map_num_results(out);
    int of_first[MLC_SMALL_RANK], of_second[MLC_SMALL_RANK];
    if (mlc_affine_map_num_results(in) != rank)
        return false;
    for (size_t i = 0; i < MLC_SMALL_RANK; i++)
        of_first[i] = of_second[i] = -1;
    for (size_t i = 0; i < rank; i++) {
        int loop = mlc_map_result_dim(in, i);
        if (loop < 0)
            return false;
        of_first[mlc_map_result_dim(out, i)] = of_second[loop] = (int)i;
    }
    static const ProductSide sides[][2] = {
        {SIDE_ROWS, SIDE_ROWS}, {SIDE_BATCH, SIDE_BATCH}, {SIDE_COLUMNS, SIDE_DEPTH}};
    for (size_t s = 0; s < 3; s++) {
        const LoopGroup *x = &first->sides[sides[s][0]], *y = &second->sides[sides[s][1]];
        if (x->count != y->count)
            return false;
        for (size_t i = 0; i < x->count; i++)
            if (of_first[x->loops[i]] != of_second[y->loops[i]])
                return false;
    }
    return first->sides[SIDE_COLUMNS].count == 1;
}

static bool
is_second_product(Reader *r, MlcOp *op)
{
    Attention *a = r->a;
    Product *p = &a->products[1];
    if (!gpu_product_read(p, op) || p->element[0] != p->element[1] ||
        p->source[0] != r->buffers[AT_WEIGHTS] || p->source[1] == p->source[0] ||
        p->element[0] != a->products[0].element[0] || p->num_edges[1] > 0 || !agree(a))
        return false;
    gpu_chain_read(&a->result, op);
    // A fill among the ops of the softmax is not right ahead of the product.
    MlcOp *fill = take_fill(r, gpu_output_of(op));
    if (!a->result.init)
        a->result.init = fill;
    return r->fills.size == 0 && (!r->init || r->init == a->result.init);
}

// --- what stands ahead of it

static bool
is_harmless(MlcOp *op)
{
    return mlc_op_is_memory_effect_free(op) || mlc_memref_alloc_isa(op);
}

// What `op` does with a buffer, or a view of it. Arguments of a function never overlap.
static MlcModRef
effect_on(MlcOp *op, MlcValue *buffer)
{
    MlcModRef effect = MLC_MOD_REF_NONE;
    size_t n = mlc_structured(op) ? mlc_structured_num_inputs(op) : 0;
    for (size_t i = 0; !is_harmless(op) && i < mlc_op_num_operands(op); i++)
        if (gpu_is_buffer(mlc_op_operand(op, i)) &&
            mlc_viewed_buffer(mlc_op_operand(op, i)) == mlc_viewed_buffer(buffer))
            effect |= i < n ? MLC_MOD_REF_REF : MLC_MOD_REF_BOTH;
    return effect;
}

// The last op ahead of the first product that touches the factor with the rows.
static MlcOp *
maker_of_rows(const Product *p)
{
    for (MlcOp *op = mlc_op_prev(p->op); op; op = mlc_op_prev(op))
        if (effect_on(op, p->source[0]) != MLC_MOD_REF_NONE)
            return op;
    return NULL;
}

// Whether nobody but the first product reads what `scale` wrote, before it is filled anew.
static bool
is_for_product(const Attention *a, MlcOp *scale)
{
    MlcValue *buffer = mlc_viewed_buffer(a->products[0].source[0]);
    bool is_result = mlc_viewed_buffer(a->products[1].result) == buffer;
    bool is_alloc = mlc_value_def(buffer) && mlc_memref_alloc_isa(mlc_value_def(buffer));
    if (is_result ? !a->result.init : !is_alloc)
        return false;
    for (MlcOp *op = mlc_op_next(scale); op; op = mlc_op_next(op)) {
        if (is_result && op == a->result.init)
            return true;
        if (op != a->products[0].op && effect_on(op, buffer) != MLC_MOD_REF_NONE)
            return false;
    }
    return true;
}

// The op that made the factor with the rows, if it can be computed wherever an element is read.
static MlcOp *
find_scale(const Attention *a)
{
    const Product *p = &a->products[0];
    MlcOp *scale = maker_of_rows(p);
    if (!scale || !gpu_is_pointwise(scale) || gpu_output_of(scale) != p->source[0] ||
        mlc_op_attr(scale, GPU_SCHEDULE_ATTR))
        return NULL;
    size_t n = mlc_structured_num_inputs(scale);
    if (mlc_value_has_uses(mlc_block_arg(mlc_structured_body(scale), n)))
        return NULL;
    for (size_t i = 0; i < n; i++)
        for (MlcOp *op = scale; op != p->op; op = mlc_op_next(op))
            if (gpu_is_buffer(mlc_op_operand(scale, i)) &&
                effect_on(op, mlc_op_operand(scale, i)) & MLC_MOD_REF_MOD)
                return NULL;
    return is_for_product(a, scale) ? scale : NULL;
}

// --- the walk

// `op` leads to `stage`; what was filled and is written anew needed no fill.
static bool
advance(Reader *r, MlcOp *op, Stage stage)
{
    static const unsigned needed[NUM_STAGES] = {
        [AT_SCORES] = 1U << AT_SCORES,   [AT_MAXIMUM] = 1U << AT_SCORES | 1U << AT_MAXIMUM,
        [AT_POWERS] = 1U << AT_POWERS,   [AT_SUM] = 1U << AT_POWERS | 1U << AT_SUM,
        [AT_WEIGHTS] = 1U << AT_WEIGHTS,
    };
    MlcOp *fill = take_fill(r, gpu_output_of(op));
    r->stage = stage;
    r->buffers[stage] = gpu_output_of(op);
    for (size_t i = 0; i < NUM_STAGES; i++)
        if (!(needed[stage] >> i & 1))
            r->buffers[i] = NULL;
    if (fill)
        mlc_vec_push(&r->a->ops, fill);
    mlc_vec_push(&r->a->ops, op);
    return true;
}

// Takes one op; false: it is not what comes next.
static bool
take(Reader *r, MlcOp *op)
{
    Attention *a = r->a;
    MlcValue **buffers = r->buffers;
    if (!mlc_structured(op) || !mlc_structured_is_small(op) || mlc_op_attr(op, GPU_SCHEDULE_ATTR) ||
        mlc_structured_num_outputs(op) != 1 || !gpu_is_buffer(gpu_output_of(op)))
        return false;
    if (is_fill(op)) {
        for (size_t i = 0; i < NUM_STAGES; i++)
            if (buffers[i] == gpu_output_of(op))
                return false;
        mlc_vec_push(&r->fills, op);
        return true;
    }
    switch (r->stage) {
    case AT_SCORES:
        if (gpu_chain_take(&a->scores, op))
            return advance(r, op, AT_SCORES);
        if (!is_f32(buffers[AT_SCORES]) ||
            !reduces(r, op, buffers[AT_SCORES], mlc_arith_maximumf_isa, -INFINITY))
            return false;
        a->buffer = buffers[AT_SCORES];
        return advance(r, op, AT_MAXIMUM);
    case AT_MAXIMUM:
        return makes_powers(r, op) && advance(r, op, AT_POWERS);
    case AT_POWERS:
        return reduces(r, op, buffers[AT_POWERS], mlc_arith_addf_isa, 0) && advance(r, op, AT_SUM);
    case AT_SUM:
        return makes_weights(r, op) && advance(r, op, AT_WEIGHTS);
    default:
        return false;
    }
}

// Everything up to the second product.
static bool
walk(Reader *r)
{
    Attention *a = r->a;
    for (MlcOp *op = mlc_op_next(a->scores.root); op; op = mlc_op_next(op)) {
        if (is_harmless(op))
            continue;
        if (r->stage == AT_WEIGHTS && mlc_structured_is_contraction(op))
            return !mlc_op_attr(op, GPU_SCHEDULE_ATTR) && is_second_product(r, op);
        if (r->stage == AT_WEIGHTS && !r->init && !is_fill(op) && gpu_is_pointwise(op))
            r->init = op;
        else if (!take(r, op))
            return false;
    }
    return false;
}

static bool
is_in(const Attention *a, const MlcOp *op)
{
    for (size_t i = 0; i < a->ops.size; i++)
        if (a->ops.data[i] == op)
            return true;
    return false;
}

// Whether `op` writes nothing but buffers of its own, which only ops of the attention touch.
static bool
is_private(const Attention *a, MlcOp *op)
{
    MlcValue *buffer = gpu_output_of(op);
    if (!mlc_value_def(buffer) || !mlc_memref_alloc_isa(mlc_value_def(buffer)))
        return false;
    MLC_FOR_EACH_USE (use, buffer)
        if (!is_in(a, mlc_use_owner(use)))
            return false;
    return true;
}

// Whether `op` writes the result.
static bool
is_end(const Attention *a, const MlcOp *op)
{
    for (size_t i = 0; i < a->result.followers.size; i++)
        if (a->result.followers.data[i] == op)
            return true;
    return op == a->result.root || op == a->result.init;
}

// Whether some block may read of `written` what another one has written.
static bool
is_read(const Attention *a, MlcValue *written)
{
    const Product *products = a->products;
    for (size_t n = 0; n < a->ops.size; n++) {
        MlcOp *op = a->ops.data[n];
        for (size_t i = 0; !is_end(a, op) && i < mlc_structured_num_inputs(op); i++) {
            MlcValue *read = mlc_op_operand(op, i);
            bool is_scaled = a->scale && op == products[0].op && read == products[0].source[0];
            if (gpu_is_buffer(read) && !is_scaled &&
                mlc_viewed_buffer(read) == mlc_viewed_buffer(written))
                return true;
        }
    }
    return mlc_viewed_buffer(products[1].source[1]) == mlc_viewed_buffer(written);
}

static bool
result_is_apart(const Attention *a)
{
    for (size_t i = 0; i < a->ops.size; i++)
        if (is_end(a, a->ops.data[i]) && is_read(a, gpu_output_of(a->ops.data[i])))
            return false;
    return true;
}

static bool
read_all(Attention *a, MlcOp *first)
{
    Reader r = {.a = a};
    Product *p = &a->products[0];
    if (!mlc_structured(first) || !gpu_product_read(p, first) || p->element[0] != p->element[1] ||
        p->num_edges[0] + p->num_edges[1] > 0 || !is_f32(p->result) ||
        !mlc_affine_map_is_projected_permutation(mlc_structured_map(first, p->factors[0]), false))
        return false;
    Chain chain;
    gpu_chain_read(&chain, first);
    a->scores = (Chain){.root = first, .init = chain.init};
    gpu_chain_release(&chain);
    if (!a->scores.init)
        return false;
    mlc_vec_push(&a->ops, a->scores.init);
    advance(&r, first, AT_SCORES);
    bool ok = walk(&r);
    mlc_vec_release(&r.fills);
    if (!ok)
        return false;
    a->scale = find_scale(a);
    size_t num_private = a->ops.size;
    if (a->scale)
        mlc_vec_push(&a->ops, a->scale);
    if (a->result.init)
        mlc_vec_push(&a->ops, a->result.init);
    mlc_vec_push(&a->ops, a->result.root);
    for (size_t i = 0; i < a->result.followers.size; i++)
        mlc_vec_push(&a->ops, a->result.followers.data[i]);
    for (size_t i = 0; i < num_private; i++)
        if (!is_private(a, a->ops.data[i]))
            return false;
    gpu_causal_read(&a->causal, p, &a->scores, a->buffer);
    return result_is_apart(a);
}

bool
gpu_attention_read(Attention *a, MlcOp *first)
{
    *a = (Attention){0};
    return read_all(a, first);
}

void
gpu_attention_release(Attention *a)
{
    gpu_chain_release(&a->scores);
    gpu_chain_release(&a->result);
    mlc_vec_release(&a->ops);
}

// gpu_chain.c -- finds what follows a root, and computes it element by element.
//
// An op joins if all its loops are parallel, its output is its whole buffer, point by point, and it
// stands right behind the chain: nothing with an effect is between. What it reads of the chain it
// reads at its own point, and nobody in the chain reads at another point what it writes: blocks run
// in any order. Arguments of a function never overlap. A buffer that only the chain touches is not
// written.
#include "gpu_chain.h"
#include "gpu_point.h"
#include "gpu_schedule.h"

#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/memref.h"

static bool
chain_writes(const Chain *chain, MlcValue *buffer)
{
    if (gpu_output_of(chain->root) == buffer)
        return true;
    for (size_t i = 0; i < chain->followers.size; i++)
        if (gpu_output_of(chain->followers.data[i]) == buffer)
            return true;
    return false;
}

static bool
is_in_chain(const Chain *chain, const MlcOp *op)
{
    for (size_t i = 0; i < chain->followers.size; i++)
        if (chain->followers.data[i] == op)
            return true;
    return op == chain->root || op == chain->init;
}

bool
gpu_is_pointwise(MlcOp *op)
{
    return mlc_structured(op) && mlc_structured_is_small(op) && mlc_structured_is_parallel(op) &&
           mlc_structured_num_outputs(op) == 1 && gpu_is_buffer(gpu_output_of(op)) &&
           mlc_affine_map_is_permutation(mlc_structured_map(op, mlc_structured_num_inputs(op)));
}

// Reads of the chain's buffers, one at least, at the point that it writes.
static bool
follows(const Chain *chain, MlcOp *op)
{
    if (!gpu_is_pointwise(op) || mlc_op_attr(op, GPU_SCHEDULE_ATTR)) // of another kernel
        return false;
    size_t n = mlc_structured_num_inputs(op);
    MlcAffineMap out = mlc_structured_map(op, n);
    MlcValue *result = gpu_output_of(op);
    bool reads = false, has_value = mlc_value_has_uses(mlc_block_arg(mlc_structured_body(op), n));
    for (size_t i = 0; i < n; i++) {
        if (!chain_writes(chain, mlc_op_operand(op, i)))
            continue;
        if (mlc_structured_map(op, i) != out)
            return false;
        reads = true;
    }
    if (chain_writes(chain, result))
        return has_value || reads;
    return reads && mlc_type_rank(mlc_value_type(result)) ==
                        mlc_type_rank(mlc_value_type(gpu_output_of(chain->root)));
}

// Whether `reader` may read of the buffer `written` what another point of its loops is there for.
static bool
reads_elsewhere(MlcOp *reader, MlcValue *written)
{
    size_t n = reader ? mlc_structured_num_inputs(reader) : 0;
    for (size_t i = 0; i < n; i++) {
        MlcValue *read = mlc_op_operand(reader, i);
        if (gpu_is_buffer(read) && mlc_viewed_buffer(read) == mlc_viewed_buffer(written) &&
            (read != written || mlc_structured_map(reader, i) != mlc_structured_map(reader, n)))
            return true;
    }
    if (reader)
        MLC_FOR_EACH_PREORDER (op, reader) // what its body picks itself
            if (mlc_memref_load_isa(op) &&
                mlc_viewed_buffer(mlc_op_operand(op, 0)) == mlc_viewed_buffer(written))
                return true;
    return false;
}

// Whether `op` can join: no order of points is needed between it and the ops of the chain.
static bool
is_in_step(const Chain *chain, MlcOp *op)
{
    MlcValue *written = gpu_output_of(op);
    if (reads_elsewhere(chain->root, written) || reads_elsewhere(chain->init, written) ||
        reads_elsewhere(op, gpu_output_of(chain->root)))
        return false;
    for (size_t i = 0; i < chain->followers.size; i++)
        if (reads_elsewhere(chain->followers.data[i], written) ||
            reads_elsewhere(op, gpu_output_of(chain->followers.data[i])))
            return false;
    return !reads_elsewhere(op, written);
}

static bool
is_harmless(MlcOp *op)
{
    MlcEffectVec effects = {0};
    bool known = mlc_op_is_pure(op);
    if (!known && mlc_op_effects(op, &effects)) {
        known = true;
        for (size_t i = 0; i < effects.size; i++)
            known &= effects.data[i].effect == MLC_EFFECT_ALLOC;
    }
    mlc_vec_release(&effects);
    return known;
}

// The op that filled the result: the last one before the root that touches it, with nothing between
// that might write what it reads.
static MlcOp *
find_init(MlcOp *root)
{
    MlcValue *result = gpu_output_of(root);
    for (MlcOp *op = mlc_op_prev(root); op; op = mlc_op_prev(op)) {
        if (gpu_is_pointwise(op) && gpu_output_of(op) == result &&
            !mlc_op_attr(op, GPU_SCHEDULE_ATTR)) {
            size_t n = mlc_structured_num_inputs(op);
            bool reads = mlc_value_has_uses(mlc_block_arg(mlc_structured_body(op), n));
            return reads || reads_elsewhere(op, result) ? NULL : op;
        }
        if (!is_harmless(op))
            return NULL;
    }
    return NULL;
}

bool
gpu_chain_take(Chain *chain, MlcOp *op)
{
    if (!follows(chain, op) || !is_in_step(chain, op))
        return false;
    mlc_vec_push(&chain->followers, op);
    return true;
}

void
gpu_chain_read(Chain *chain, MlcOp *root)
{
    *chain = (Chain){.root = root, .init = find_init(root)};
    for (MlcOp *op = mlc_op_next(root); op; op = mlc_op_next(op))
        if (!gpu_chain_take(chain, op) && !is_harmless(op))
            break;
}

void
gpu_chain_release(Chain *chain)
{
    mlc_vec_release(&chain->followers);
}

MlcOp *
gpu_chain_place(const Chain *chain)
{
    return chain->followers.size ? chain->followers.data[chain->followers.size - 1] : chain->root;
}

// Made by an op of its own, and used by nobody but the chain.
static bool
is_temporary(const Chain *chain, MlcValue *buffer)
{
    MlcOp *def = mlc_value_def(buffer);
    if (!mlc_memref_alloc_isa(def))
        return false;
    MLC_FOR_EACH_USE (use, buffer)
        if (!is_in_chain(chain, mlc_use_owner(use)))
            return false;
    return true;
}

void
gpu_chain_erase(Chain *chain)
{
    MlcOpVec ops = {0};
    for (size_t i = chain->followers.size; i-- > 0;)
        mlc_vec_push(&ops, chain->followers.data[i]);
    mlc_vec_push(&ops, chain->root);
    if (chain->init)
        mlc_vec_push(&ops, chain->init);
    for (size_t i = 0; i < ops.size; i++) {
        MlcOp *def = mlc_value_def(gpu_output_of(ops.data[i]));
        mlc_op_erase(ops.data[i]);
        if (mlc_memref_alloc_isa(def) && !mlc_value_has_uses(mlc_op_result(def, 0)))
            mlc_op_erase(def);
    }
    mlc_vec_release(&ops);
}

// --- values at a point

static MlcValue *
value_of(const ChainPoint *point, MlcValue *buffer)
{
    for (size_t i = point->buffers.size; i-- > 0;)
        if (point->buffers.data[i] == buffer)
            return point->values.data[i];
    return NULL;
}

// The loops of `op` at the point: its output is the result's coordinates.
static void
loops_at(const ChainPoint *point, MlcOp *op, MlcValue **ivs)
{
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    for (size_t i = 0; i < mlc_affine_map_num_results(out); i++)
        ivs[mlc_map_result_dim(out, i)] = point->coordinates[i];
}

static MlcValue *
read_element(void *user, MlcBuilder *b, MlcOp *op, size_t i, MlcValue *const *ivs)
{
    MlcValue *value = value_of(user, mlc_op_operand(op, i));
    return value ? value : gpu_load_element(b, op, i, ivs);
}

static MlcValue *
build_body(ChainPoint *point, MlcBuilder *b, MlcOp *op)
{
    MlcValue *ivs[MLC_SMALL_RANK];
    loops_at(point, op, ivs);
    return gpu_build_point(b, op, ivs, read_element, point);
}

// Whether the init's body yields a constant 0, its own or one that the op is given.
static bool
is_zero(MlcOp *init)
{
    MlcBlock *body = mlc_structured_body(init);
    MlcValue *value = mlc_op_operand(mlc_block_terminator(body), 0);
    for (size_t i = 0; i < mlc_structured_num_inputs(init); i++)
        if (value == mlc_block_arg(body, i))
            value = mlc_op_operand(init, i);
    MlcAttr constant = mlc_value_constant(value);
    int64_t number;
    if (mlc_attr_is(constant, MLC_ATTR_FLOAT))
        return mlc_float_attr_as_double(constant) == 0;
    return mlc_attr_is(constant, MLC_ATTR_INTEGER) && mlc_attr_try_as_int(constant, &number) &&
           number == 0;
}

MlcValue *
gpu_chain_initial(ChainPoint *point, MlcBuilder *b)
{
    MlcValue *result = gpu_output_of(point->chain->root);
    if (!point->chain->init)
        return mlc_memref_load(b, result, point->coordinates,
                               mlc_type_rank(mlc_value_type(result)));
    return is_zero(point->chain->init) ? NULL : build_body(point, b, point->chain->init);
}

static size_t
num_writers(const Chain *chain, MlcValue *buffer)
{
    size_t count = gpu_output_of(chain->root) == buffer;
    for (size_t i = 0; i < chain->followers.size; i++)
        count += gpu_output_of(chain->followers.data[i]) == buffer;
    return count;
}

// A buffer is written once, with its last value.
static void
put(ChainPoint *point, MlcBuilder *b, MlcValue *buffer, MlcValue *value)
{
    size_t count = 0;
    mlc_vec_push(&point->buffers, buffer);
    mlc_vec_push(&point->values, value);
    for (size_t i = 0; i < point->buffers.size; i++)
        count += point->buffers.data[i] == buffer;
    if (count == num_writers(point->chain, buffer) && !is_temporary(point->chain, buffer))
        mlc_memref_store(b, value, buffer, point->coordinates,
                         mlc_type_rank(mlc_value_type(buffer)));
}

void
gpu_chain_finish(ChainPoint *point, MlcBuilder *b, MlcValue *value)
{
    put(point, b, gpu_output_of(point->chain->root), value);
    for (size_t i = 0; i < point->chain->followers.size; i++) {
        MlcOp *op = point->chain->followers.data[i];
        put(point, b, gpu_output_of(op), build_body(point, b, op));
    }
}

MlcValue *
gpu_chain_value(ChainPoint *point, MlcBuilder *b, MlcValue *value, MlcValue *buffer)
{
    mlc_vec_push(&point->buffers, gpu_output_of(point->chain->root));
    mlc_vec_push(&point->values, value);
    for (size_t i = 0; i < point->chain->followers.size; i++) {
        MlcOp *op = point->chain->followers.data[i];
        value = build_body(point, b, op);
        mlc_vec_push(&point->buffers, gpu_output_of(op));
        mlc_vec_push(&point->values, value);
    }
    return value_of(point, buffer);
}

void
gpu_chain_point_release(ChainPoint *point)
{
    mlc_vec_release(&point->buffers);
    mlc_vec_release(&point->values);
}

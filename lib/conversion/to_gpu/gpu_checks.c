// gpu_checks.c -- assertions go to the elements that they are about.
//
// An assertion is over a reduction: `or` of what is wrong with each element of a buffer, from 0. On
// a device its result would have to come back before anything else may begin. Ops behind that pick
// elements or divide, and read that buffer at every element of it, check each one themselves
// instead. That is the same as long as all that rely on the assertion do; where one reads the
// buffer in another way, or what was computed from it, the assertion stays, and the kernel with it
// on the CPU.
#include "gpu_checks.h"

#include "gpu_chain.h"
#include "gpu_point.h"
#include "gpu_points.h"

#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

// An assertion, of which the reduction's body says what is wrong with an element.
typedef struct Check {
    MlcOp *assertion;
    MlcOpVec ops;    // the condition's
    MlcOp *elements; // the reduction that looks at them
    MlcValue *wrong; // of its body, i1
    MlcOpVec users;  // that rely on it
} Check;

static bool
is_int_constant(MlcValue *value, int64_t number)
{
    int64_t found;
    return mlc_value_constant_int(value, &found) && found == number;
}

// The op that reduces into the buffer, which a fill with 0 and nobody else writes and `reader`
// alone reads. NULL: it is none of that.
static MlcOp *
reduction_into(Check *c, MlcValue *buffer, MlcOp *reader)
{
    MlcOp *alloc = mlc_value_def(buffer), *fill = NULL, *reduction = NULL;
    if (!mlc_memref_alloc_isa(alloc))
        return NULL;
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *user = mlc_use_owner(use);
        if (user == reader)
            continue;
        bool writes = mlc_structured(user) && mlc_structured_num_outputs(user) == 1 &&
                      mlc_use_index(use) == mlc_structured_num_inputs(user);
        if (writes && mlc_linalg_fill_isa(user) && !fill &&
            is_int_constant(mlc_op_operand(user, 0), 0))
            fill = user;
        else if (writes && mlc_linalg_generic_isa(user) && !reduction)
            reduction = user;
        else
            return NULL;
    }
    if (!fill || !reduction)
        return NULL;
    mlc_vec_push(&c->ops, reduction);
    mlc_vec_push(&c->ops, fill);
    mlc_vec_push(&c->ops, alloc);
    return reduction;
}

// What a body that yields `or` of the result and something else has as that; NULL: it does not.
static MlcValue *
or_with(MlcOp *reduction)
{
    MlcBlock *body = mlc_structured_body(reduction);
    MlcValue *yielded = mlc_op_operand(mlc_block_terminator(body), 0);
    MlcOp *join = mlc_value_def(yielded);
    MlcValue *result = mlc_block_arg(body, mlc_structured_num_inputs(reduction));
    if (mlc_structured_num_inputs(reduction) != 1 || !join || !mlc_arith_ori_isa(join) ||
        mlc_structured_uses_index(reduction))
        return NULL;
    for (size_t i = 0; i < 2; i++)
        if (mlc_op_operand(join, i) == result)
            return mlc_op_operand(join, 1 - i);
    return NULL;
}

// Whether all that the body computes can be computed elsewhere.
static bool
is_pure_body(MlcOp *op)
{
    MLC_FOR_EACH_OP (inner, mlc_structured_body(op))
        if (!mlc_op_has_trait(inner, MLC_TRAIT_TERMINATOR) &&
            (!mlc_op_is_pure(inner) || mlc_op_num_regions(inner) > 0))
            return false;
    return true;
}

// Whether the op walks every element of its input.
static bool
walks_all(MlcOp *op, size_t input)
{
    MlcAffineMap map = mlc_structured_map(op, input);
    MlcType type = mlc_value_type(mlc_op_operand(op, input));
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        int dim = mlc_map_result_dim(map, i);
        MlcAffineMap one = mlc_affine_map_sub(map, &i, 1);
        int64_t place;
        if (dim < 0 && !(mlc_type_dim(type, i) == 1 && mlc_affine_map_is_constant(one, &place)))
            return false;
        for (size_t k = 0; dim >= 0 && k < i; k++)
            if (mlc_map_result_dim(map, k) == dim)
                return false;
    }
    return true;
}

// From the assertion back to what is wrong with an element.
static bool
read_check(Check *c, MlcOp *assertion)
{
    *c = (Check){.assertion = assertion};
    MlcOp *compare = mlc_value_def(mlc_cf_assert_arg(assertion));
    if (!compare || !mlc_arith_cmpi_isa(compare) ||
        mlc_arith_cmpi_predicate(compare) != MLC_ARITH_CMPI_PREDICATE_EQ ||
        !is_int_constant(mlc_op_operand(compare, 1), 0))
        return false;
    MlcOp *load = mlc_value_def(mlc_op_operand(compare, 0));
    if (!load || !mlc_memref_load_isa(load) || mlc_op_num_operands(load) != 1 ||
        !mlc_value_has_one_use(mlc_op_result(load, 0)) ||
        !mlc_value_has_one_use(mlc_op_result(compare, 0)))
        return false;
    mlc_vec_push(&c->ops, assertion);
    mlc_vec_push(&c->ops, compare);
    mlc_vec_push(&c->ops, load);
    c->elements = reduction_into(c, mlc_op_operand(load, 0), load);
    MlcValue *what = c->elements ? or_with(c->elements) : NULL;
    while (what && what == mlc_block_arg(mlc_structured_body(c->elements), 0)) { // by rows
        c->elements = reduction_into(c, mlc_op_operand(c->elements, 0), c->elements);
        what = c->elements ? or_with(c->elements) : NULL;
    }
    MlcOp *extend = what ? mlc_value_def(what) : NULL;
    if (!extend || !mlc_arith_extsi_isa(extend) || !is_pure_body(c->elements) ||
        !gpu_is_buffer(mlc_op_operand(c->elements, 0)) || !walks_all(c->elements, 0))
        return false;
    c->wrong = mlc_op_operand(extend, 0);
    return mlc_type_is_integer(mlc_value_type(c->wrong), 1);
}

// --- who relies on it

static bool
has(const MlcValueVec *values, const MlcValue *value)
{
    for (size_t i = 0; i < values->size; i++)
        if (values->data[i] == value)
            return true;
    return false;
}

// Whether the op needs numbers to be right: it picks elements, or divides.
static bool
is_partial(MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root)
        if (op != root && !mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) &&
            (mlc_memref_load_isa(op) || !mlc_op_is_speculatable(op)))
            return true;
    return false;
}

static bool
reads_any(MlcOp *root, const MlcValueVec *buffers)
{
    MLC_FOR_EACH_PREORDER (op, root)
        MLC_FOR_EACH_OPERAND (value, op)
            if (mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF) &&
                has(buffers, mlc_viewed_buffer(value)))
                return true;
    return false;
}

// The buffer of which the value is all, in another shape perhaps; NULL: it is a part.
static MlcValue *
whole_buffer(MlcValue *value)
{
    for (MlcOp *def; (def = mlc_value_def(value)) &&
                     (mlc_memref_collapse_shape_isa(def) || mlc_memref_expand_shape_isa(def));)
        value = mlc_op_operand(def, 0);
    return mlc_viewed_buffer(value) == value ? value : NULL;
}

// The input of `op` that has every checked element; the number of inputs: none has.
static size_t
checked_input(const Check *c, MlcOp *op)
{
    MlcValue *checked = mlc_op_operand(c->elements, 0), *buffer = whole_buffer(checked);
    size_t n = mlc_structured_num_inputs(op), i = 0;
    while (i < n && (!gpu_is_buffer(mlc_op_operand(op, i)) ||
                     whole_buffer(mlc_op_operand(op, i)) != buffer || !walks_all(op, i)))
        i++;
    return buffer ? i : n;
}

// All ops that rely on the check and can make it themselves; false: one cannot, or there is none.
static bool
find_users(Check *c)
{
    MlcValueVec tainted = {0}; // the buffer, and what was computed from it unchecked
    mlc_vec_push(&tainted, mlc_viewed_buffer(mlc_op_operand(c->elements, 0)));
    bool fits = true;
    MLC_FOR_EACH_OP (op, mlc_op_block(c->assertion)) {
        bool is_own = false;
        for (size_t i = 0; i < c->ops.size; i++)
            is_own |= c->ops.data[i] == op;
        if (is_own || mlc_op_is_memory_effect_free(op) || !reads_any(op, &tainted))
            continue;
        bool is_plain = mlc_structured(op) && mlc_structured_num_outputs(op) == 1;
        bool checks = is_plain && mlc_linalg_generic_isa(op) && gpu_points_fit(op) &&
                      checked_input(c, op) < mlc_structured_num_inputs(op);
        if (mlc_memref_copy_isa(op) || (is_plain && !is_partial(op)))
            mlc_vec_push(&tainted,
                         mlc_viewed_buffer(mlc_op_operand(op, mlc_op_num_operands(op) - 1)));
        else if (checks)
            mlc_vec_push(&c->users, op);
        else
            fits = false;
    }
    mlc_vec_release(&tainted);
    return fits && c->users.size > 0;
}

static void
release(Check *c)
{
    mlc_vec_release(&c->ops);
    mlc_vec_release(&c->users);
}

static bool
read(Check *c, MlcOp *assertion)
{
    return read_check(c, assertion) && find_users(c);
}

void
gpu_checks_read(GpuChecks *checks, MlcOp *function)
{
    *checks = (GpuChecks){0};
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(function, 0))) {
        Check c;
        if (!mlc_cf_assert_isa(op))
            continue;
        if (read(&c, op)) {
            mlc_vec_push(&checks->assertions, op);
            for (size_t i = 0; i < c.ops.size; i++)
                mlc_vec_push(&checks->ops, c.ops.data[i]);
        }
        release(&c);
    }
}

void
gpu_checks_release(GpuChecks *checks)
{
    mlc_vec_release(&checks->assertions);
    mlc_vec_release(&checks->ops);
}

bool
gpu_checks_have(const GpuChecks *checks, const MlcOp *op)
{
    for (size_t i = 0; i < checks->ops.size; i++)
        if (checks->ops.data[i] == op)
            return true;
    return false;
}

// --- in a body

static MlcValue *
build_zero(MlcBuilder *b, MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_FLOAT) ? mlc_build_float(b, type, 0)
                                             : mlc_build_int(b, type, 0);
}

// Whether the element is right, at the start of the body; the builder is left behind it.
static MlcValue *
build_condition(const Check *c, MlcOp *op, MlcBuilder *b)
{
    MlcBlock *body = mlc_structured_body(op), *from = mlc_structured_body(c->elements);
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_clone_map_set(map, mlc_block_arg(from, 0), mlc_block_arg(body, checked_input(c, op)));
    mlc_builder_at_start(b, body);
    MLC_FOR_EACH_OP (inner, from) {
        mlc_builder_insert(b, mlc_op_clone(inner, map));
        if (inner == mlc_value_def(c->wrong))
            break;
    }
    MlcValue *wrong = mlc_clone_map_get(map, c->wrong);
    mlc_clone_map_destroy(map);
    return mlc_arith_xori(b, wrong, mlc_build_int(b, mlc_value_type(wrong), 1));
}

// What the body does goes into a branch that is taken where the element is right.
static void
guard_body(const Check *c, MlcOp *op)
{
    MlcBlock *body = mlc_structured_body(op);
    MlcOp *yield = mlc_block_terminator(body);
    MlcValue *value = mlc_op_operand(yield, 0);
    MlcType type = mlc_value_type(value);
    MlcOpVec moved = {0};
    MlcBuilder b;
    MLC_FOR_EACH_OP (inner, body)
        if (inner != yield && !mlc_linalg_index_isa(inner)) // indices are the body's own
            mlc_vec_push(&moved, inner);
    mlc_builder_init(&b, mlc_op_context(op));
    b.loc = mlc_op_loc(c->assertion);
    MlcValue *holds = build_condition(c, op, &b);
    mlc_cf_assert(&b, holds, mlc_cf_assert_msg(c->assertion));
    mlc_builder_before(&b, yield);
    MlcOp *branch = mlc_scf_if(&b, &type, 1, holds);
    mlc_builder_create_block(&b, mlc_op_region(branch, 0), NULL, 0);
    MlcOp *end = mlc_scf_yield(&b, &value, 1);
    for (size_t i = 0; i < moved.size; i++)
        mlc_op_move_before(moved.data[i], end);
    mlc_builder_create_block(&b, mlc_op_region(branch, 1), NULL, 0);
    MlcValue *zero = build_zero(&b, type);
    mlc_scf_yield(&b, &zero, 1);
    mlc_op_set_operand(yield, 0, mlc_op_result(branch, 0));
    mlc_vec_release(&moved);
}

// Whoever uses the op's results goes first.
static void
erase_all(MlcOpVec *ops)
{
    for (size_t left = ops->size; left > 0;) {
        size_t before = left;
        for (size_t i = 0; i < ops->size; i++) {
            MlcOp *op = ops->data[i];
            if (!op || (mlc_op_num_results(op) > 0 && mlc_value_has_uses(mlc_op_result(op, 0))))
                continue;
            mlc_op_erase(op);
            ops->data[i] = NULL;
            left--;
        }
        if (left == before)
            mlc_bug("an assertion's condition is used elsewhere");
    }
}

void
gpu_checks_sink(GpuChecks *checks)
{
    for (size_t i = 0; i < checks->assertions.size; i++) {
        Check c;
        if (read(&c, checks->assertions.data[i]))
            for (size_t k = 0; k < c.users.size; k++)
                guard_body(&c, c.users.data[k]);
        release(&c);
    }
    erase_all(&checks->ops);
    mlc_vec_clear(&checks->ops);
}

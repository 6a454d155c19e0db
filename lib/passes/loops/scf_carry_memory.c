// scf_carry_memory.c -- an element that a loop reads, changes and writes back in every iteration is
// carried from one iteration to the next: read once before the loop, and written once behind it.
//
//   for k { c[i] = c[i] + a[k] }   ->   s = c[i]; s = for k (s) { s + a[k] }; c[i] = s
//
// Innermost loops first, so that what leaves one is found in the next. Loops have constant bounds
// and run. In the loop nothing else may touch the buffer; different arguments of a function, and
// what it allocates, do not overlap. LLVM does the same where it can tell buffers apart, which it
// cannot of a kernel's bare pointers.
#include "mlc/analysis/alias.h"
#include "mlc/ir.h"
#include "mlc/pass.h"

#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

// A store in a loop's body, and loads of the same element ahead of it.
typedef struct Carried {
    MlcOp *loop, *store;
    MlcOpVec loads;
} Carried;

static bool
is_outside(MlcOp *loop, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    return !mlc_op_is_ancestor(loop, def ? def : mlc_block_parent(mlc_value_block(value)));
}

// memref.load has buffer and indices from operand 0 on, memref.store from 1.
static bool
is_same_place(const MlcOp *load, const MlcOp *store)
{
    size_t count = mlc_op_num_operands(load);
    if (count + 1 != mlc_op_num_operands(store))
        return false;
    for (size_t i = 0; i < count; i++)
        if (mlc_op_operand(load, i) != mlc_op_operand(store, i + 1))
            return false;
    return true;
}

static bool
is_function_argument(MlcValue *value)
{
    MlcBlock *block = mlc_value_block(value);
    MlcOp *function = mlc_block_parent(block);
    return mlc_op_interface(function, MLC_INTERFACE_FUNCTION) &&
           block == mlc_region_first(mlc_op_region(function, 0));
}

// What loops and branches pass on may be any buffer, twice the same too.
static bool
is_own_buffer(MlcValue *root)
{
    MlcOp *def = mlc_value_def(root);
    return def ? mlc_memref_alloc_isa(def) || mlc_memref_alloca_isa(def)
               : is_function_argument(root);
}

static bool
may_overlap(MlcValue *a, MlcValue *b)
{
    MlcValue *x = mlc_viewed_buffer(a), *y = mlc_viewed_buffer(b);
    return x == y || !is_own_buffer(x) || !is_own_buffer(y);
}

// Whether `op`, which is in the loop, may touch the buffer.
static bool
may_touch(MlcOp *op, MlcValue *buffer)
{
    MlcEffectVec effects = {0};
    bool touches = !mlc_op_effects(op, &effects);
    for (size_t i = 0; i < effects.size; i++)
        touches |= !effects.data[i].value || may_overlap(effects.data[i].value, buffer);
    mlc_vec_release(&effects);
    return touches;
}

// Fills `loads`; false if the element must stay where it is.
static bool
collect(Carried *c)
{
    MlcValue *buffer = mlc_op_operand(c->store, 1);
    for (size_t i = 1; i < mlc_op_num_operands(c->store); i++)
        if (!is_outside(c->loop, mlc_op_operand(c->store, i)))
            return false;
    MLC_FOR_EACH_PREORDER (op, c->loop) {
        if (mlc_op_num_regions(op) > 0 || op == c->store)
            continue;
        bool is_load = mlc_memref_load_isa(op) && mlc_op_block(op) == mlc_op_block(c->store) &&
                       is_same_place(op, c->store) && mlc_op_is_before(op, c->store);
        if (is_load)
            mlc_vec_push(&c->loads, op);
        else if (may_touch(op, buffer))
            return false;
    }
    return c->loads.size > 0;
}

// The loop again with one more value that it carries; its body moves.
static MlcOp *
build_loop(MlcOp *old, MlcBuilder *b, MlcValue *init)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(old, 0));
    MlcTypeVec types = {0};
    MlcValueVec inits = {0};
    for (size_t i = 3; i < mlc_op_num_operands(old); i++)
        mlc_vec_push(&inits, mlc_op_operand(old, i));
    mlc_vec_push(&inits, init);
    for (size_t i = 0; i < inits.size; i++)
        mlc_vec_push(&types, mlc_value_type(inits.data[i]));
    MlcOp *made =
        mlc_scf_for(b, types.data, types.size, mlc_op_operand(old, 0), mlc_op_operand(old, 1),
                    mlc_op_operand(old, 2), inits.data, inits.size);
    mlc_vec_release(&types);
    mlc_vec_release(&inits);
    mlc_region_take_body(mlc_op_region(made, 0), mlc_op_region(old, 0));
    mlc_block_add_arg(body, mlc_value_type(init), mlc_op_loc(old));
    return made;
}

static void
carry(Carried *c)
{
    MlcOp *store = c->store;
    MlcValue *stored = mlc_op_operand(store, 0);
    MlcBlock *body = mlc_op_block(store);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(store));
    mlc_builder_before(&b, c->loop);
    b.loc = mlc_op_loc(store);
    MlcOp *first = mlc_op_clone(c->loads.data[0], NULL);
    mlc_builder_insert(&b, first);
    MlcOp *loop = build_loop(c->loop, &b, mlc_op_result(first, 0));
    MlcValue *carried = mlc_block_arg(body, mlc_block_num_args(body) - 1);
    for (size_t i = 0; i < c->loads.size; i++) {
        stored = stored == mlc_op_result(c->loads.data[i], 0) ? carried : stored;
        mlc_op_replace(c->loads.data[i], &carried, 1);
    }
    MlcOp *yield = mlc_block_last(body);
    mlc_op_insert_operands(yield, mlc_op_num_operands(yield), &stored, 1);
    for (size_t i = 0; i < mlc_op_num_results(c->loop); i++)
        mlc_value_replace_uses(mlc_op_result(c->loop, i), mlc_op_result(loop, i));
    mlc_op_move_before(store, c->loop);
    mlc_op_set_operand(store, 0, mlc_op_result(loop, mlc_op_num_results(loop) - 1));
    mlc_op_erase(c->loop);
}

// A loop that may not run touches nothing then, so nothing of it is read or written for it.
static bool
runs(MlcOp *loop)
{
    int64_t low, high;
    return mlc_value_constant_int(mlc_op_operand(loop, 0), &low) &&
           mlc_value_constant_int(mlc_op_operand(loop, 1), &high) && low < high;
}

// One element of those that the loop writes; false: there is none.
static bool
carry_one(MlcOp *loop)
{
    if (!runs(loop))
        return false;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(loop, 0))) {
        Carried c = {.loop = loop, .store = op};
        bool ok = mlc_memref_store_isa(op) && collect(&c);
        if (ok)
            carry(&c);
        mlc_vec_release(&c.loads);
        if (ok)
            return true;
    }
    return false;
}

// `loop` is another op when an element is carried, so the parent's ops are looked at again.
static void
run_on_block(MlcPass *pass, MlcBlock *block)
{
    for (MlcOp *op = mlc_block_first(block), *next; op; op = next) {
        MlcOp *prev = mlc_op_prev(op);
        for (size_t i = 0; i < mlc_op_num_regions(op); i++)
            MLC_FOR_EACH_BLOCK (inner, mlc_op_region(op, i))
                run_on_block(pass, inner);
        next = mlc_op_next(op);
        if (mlc_scf_for_isa(op) && carry_one(op)) {
            mlc_pass_count(pass, "carried", 1);
            next = prev ? mlc_op_next(prev) : mlc_block_first(block);
        }
    }
}

static bool
run(MlcPass *pass, MlcOp *function)
{
    for (size_t i = 0; i < mlc_op_num_regions(function); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(function, i))
            run_on_block(pass, block);
    return true;
}

static const char *const dialects[] = {"scf", NULL};

MLC_PASS(scf_carry_memory, .flag = "scf-carry-memory",
         .summary = "Carry what a loop reads and writes back at one place", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)

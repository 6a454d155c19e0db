// inline.c -- put the bodies of called functions in place of their calls.
//
// Callees come before callers (a walk over the call graph in post-order), so a body that is copied
// has no calls left to inline, and every call is looked at once. A function that is being visited
// further up the walk calls itself, directly or not: such a call stays. Only bodies of one block go
// in: more would split the caller's block, which not every parent allows. Private functions that
// nobody calls any more are erased, as mlir-opt's inliner does.
#include "mlc/pass.h"

#include "mlc/support/map.h"

typedef enum State { UNSEEN, ACTIVE, DONE } State;

typedef struct Inliner {
    MlcPass *pass;
    MlcSymbolTable *symbols;
    MlcMap states;  // callable op -> State
    MlcMap inlined; // callables that went into a caller: only these are asked whether they are
                    // still used
    int64_t num_inlined;
} Inliner;

typedef MLC_VEC(MlcOp *) OpVec;

static MlcOp *
callee_of(Inliner *in, MlcOp *call)
{
    const MlcCall *interface = mlc_op_interface(call, MLC_INTERFACE_CALL);
    MlcAttr ref = interface->callee(call);
    if (!ref || mlc_symbol_ref_attr_size(ref) != 1)
        return NULL;
    return mlc_symbol_table_lookup(in->symbols, mlc_symbol_ref_attr_name(ref, 0));
}

static MlcBlock *
body_of(MlcOp *callable)
{
    const MlcCallable *interface = mlc_op_interface(callable, MLC_INTERFACE_CALLABLE);
    MlcRegion *region = interface ? interface->body(callable) : NULL;
    return region && mlc_region_has_one_block(region) ? mlc_region_first(region) : NULL;
}

// Whether each argument and result of the call has the type that the body gives it; what does not
// verify stays as it is.
static bool
fits(MlcOp *call, size_t first, size_t count, MlcBlock *body, MlcOp *last)
{
    if (count != mlc_block_num_args(body) || mlc_op_num_results(call) != mlc_op_num_operands(last))
        return false;
    for (size_t i = 0; i < count; i++)
        if (mlc_value_type(mlc_op_operand(call, first + i)) !=
            mlc_value_type(mlc_block_arg(body, i)))
            return false;
    for (size_t i = 0; i < mlc_op_num_results(call); i++)
        if (mlc_value_type(mlc_op_result(call, i)) != mlc_value_type(mlc_op_operand(last, i)))
            return false;
    return true;
}

static void
inline_call(Inliner *in, MlcOp *call, MlcOp *callee)
{
    MlcBlock *body = body_of(callee);
    MlcOp *last = body ? mlc_block_terminator(body) : NULL;
    if (!last || !mlc_op_has_trait(last, MLC_TRAIT_RETURN_LIKE)) {
        mlc_op_remark(call, "not inlined: the callee's body is not one block that returns");
        return;
    }
    size_t first, count;
    ((const MlcCall *)mlc_op_interface(call, MLC_INTERFACE_CALL))->arguments(call, &first, &count);
    if (!fits(call, first, count, body, last))
        return;
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < count; i++)
        mlc_clone_map_set(map, mlc_block_arg(body, i), mlc_op_operand(call, first + i));
    MLC_FOR_EACH_OP (op, body)
        if (op != last)
            mlc_op_insert_before(mlc_op_clone(op, map), call);
    MlcValueVec results = {0};
    MLC_FOR_EACH_OPERAND (value, last)
        mlc_vec_push(&results, mlc_clone_map_get(map, value));
    mlc_op_replace(call, results.data, results.size);
    mlc_vec_release(&results);
    mlc_clone_map_destroy(map);
    mlc_map_insert(&in->inlined, (uint64_t)(uintptr_t)callee, NULL);
    in->num_inlined++;
}

static void
calls_in(MlcOp *root, OpVec *calls)
{
    MLC_FOR_EACH_OP_WITH_INTERFACE_POSTORDER (op, root, MLC_INTERFACE_CALL)
        mlc_vec_push(calls, op);
}

typedef struct Frame {
    MlcOp *callable;
    OpVec calls;
    size_t next;
} Frame;

// A stack of our own: call chains are as long as the user's program makes them.
static void
visit(Inliner *in, MlcOp *root)
{
    MLC_VEC(Frame) stack = {0};
    Frame frame = {.callable = root};
    calls_in(root, &frame.calls);
    mlc_map_set_u64(&in->states, (uint64_t)(uintptr_t)root, ACTIVE);
    mlc_vec_push(&stack, frame);
    while (stack.size > 0) {
        Frame *top = &mlc_vec_last(&stack);
        if (top->next == top->calls.size) {
            mlc_map_set_u64(&in->states, (uint64_t)(uintptr_t)top->callable, DONE);
            mlc_vec_release(&top->calls);
            (void)mlc_vec_pop(&stack);
            continue;
        }
        MlcOp *call = top->calls.data[top->next];
        MlcOp *callee = callee_of(in, call);
        uint64_t state = UNSEEN;
        if (callee)
            mlc_map_get_u64(&in->states, (uint64_t)(uintptr_t)callee, &state);
        if (callee && state == UNSEEN) { // its own calls first; this call comes again after them
            frame = (Frame){.callable = callee};
            calls_in(callee, &frame.calls);
            mlc_map_set_u64(&in->states, (uint64_t)(uintptr_t)callee, ACTIVE);
            mlc_vec_push(&stack, frame);
            continue;
        }
        top->next++;
        if (callee && state == DONE)
            inline_call(in, call, callee);
    }
    mlc_vec_release(&stack);
}

// Again until nothing changes: a function may be used by another that goes.
static void
erase_unused(Inliner *in, MlcOp *root)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < in->inlined.num_entries; i++) {
            MlcMapEntry entry = in->inlined.entries[i];
            MlcOp *op = (MlcOp *)(uintptr_t)entry.key;
            if (!entry.live || !mlc_symbol_is_private(op) || mlc_symbol_has_uses(op, root))
                continue;
            mlc_map_erase_u64(&in->inlined, entry.key);
            mlc_symbol_table_erase(in->symbols, op);
            changed = true;
        }
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Inliner in = {.pass = pass, .symbols = mlc_symbol_table_create(root)};
    OpVec callables = {0};
    MLC_FOR_EACH_BLOCK_IN_OP (block, root)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_op_interface(op, MLC_INTERFACE_CALLABLE))
                mlc_vec_push(&callables, op);
    for (size_t i = 0; i < callables.size; i++)
        if (!mlc_map_has_u64(&in.states, (uint64_t)(uintptr_t)callables.data[i]))
            visit(&in, callables.data[i]);
    erase_unused(&in, root);
    mlc_symbol_table_destroy(in.symbols);
    mlc_map_release(&in.states);
    mlc_map_release(&in.inlined);
    mlc_vec_release(&callables);
    mlc_pass_count(pass, "num-inlined", in.num_inlined);
    return true;
}

MLC_PASS(inline, .flag = "inline", .title = "Inliner", .summary = "Inline function calls",
         .anchor = "builtin.module", .run = run)

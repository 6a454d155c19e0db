// inline.c -- put the bodies of called functions in place of their calls.
//
// Callees come before callers (post-order of the call graph). Each function is first simplified by
// a pipeline, then takes in what it calls, and again while that brings new calls, `max-iterations`
// times. A function that calls itself is not taken in: one that does so by way of others comes to
// it once the others are inside. A body of several blocks splits the caller's block, which not
// every parent allows. Private functions that nobody calls any more are erased, as mlir-opt's
// inliner does.
#include "mlc/pass.h"

#include "mlc/support/map.h"

typedef enum State { UNSEEN, ACTIVE, DONE } State;

typedef MLC_VEC(MlcOp *) OpVec;

typedef struct Inliner {
    MlcPass *pass;
    MlcOp *root;
    MlcSymbolTable *symbols;
    MlcMap states;    // callable op -> State
    MlcMap done_with; // callables that went into a caller or had none: only these are asked whether
                      // they are still used
    OpVec order;      // callees before callers
    int64_t num_inlined;
} Inliner;

static MlcOp *
callee_of(Inliner *in, MlcOp *call)
{
    const MlcCall *interface = mlc_op_interface(call, MLC_INTERFACE_CALL);
    MlcAttr ref = interface->callee(call);
    if (!ref || mlc_symbol_ref_attr_size(ref) != 1)
        return NULL;
    return mlc_symbol_table_lookup(in->symbols, mlc_symbol_ref_attr_name(ref, 0));
}

static MlcRegion *
body_of(MlcOp *callable)
{
    const MlcCallable *interface = mlc_op_interface(callable, MLC_INTERFACE_CALLABLE);
    MlcRegion *region = interface ? interface->body(callable) : NULL;
    return region && !mlc_region_is_empty(region) ? region : NULL;
}

static MlcOp *
returning_end(const MlcBlock *block)
{
    MlcOp *last = mlc_block_terminator(block);
    return last && mlc_op_has_trait(last, MLC_TRAIT_RETURN_LIKE) ? last : NULL;
}

typedef struct Arguments { // operands of a call
    size_t first, count;
} Arguments;

static Arguments
arguments_of(MlcOp *call)
{
    Arguments args;
    const MlcCall *interface = mlc_op_interface(call, MLC_INTERFACE_CALL);
    interface->arguments(call, &args.first, &args.count);
    return args;
}

static bool
returns_results_of(MlcOp *call, const MlcOp *end)
{
    if (mlc_op_num_results(call) != mlc_op_num_operands(end))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(call); i++)
        if (mlc_value_type(mlc_op_result(call, i)) != mlc_value_type(mlc_op_operand(end, i)))
            return false;
    return true;
}

// Whether each argument and result of the call has the type that the body gives it; what does not
// verify stays as it is.
static bool
fits(MlcOp *call, MlcRegion *body)
{
    Arguments args = arguments_of(call);
    MlcBlock *entry = mlc_region_first(body);
    bool ok = args.count == mlc_block_num_args(entry), returns = false;
    for (size_t i = 0; ok && i < args.count; i++)
        ok = mlc_value_type(mlc_op_operand(call, args.first + i)) ==
             mlc_value_type(mlc_block_arg(entry, i));
    MLC_FOR_EACH_BLOCK (block, body) {
        MlcOp *end = returning_end(block);
        ok = ok && (!end || returns_results_of(call, end));
        returns |= end != NULL;
    }
    return ok && (returns || !mlc_region_has_one_block(body));
}

// A call in the body of its own callee would be inlined for ever, and what an op of nobody's
// definition means where it stands is not known.
static bool
can_be_inlined(Inliner *in, MlcOp *callee)
{
    MLC_FOR_EACH_PREORDER (op, callee) {
        if (op == callee)
            continue;
        if (!mlc_op_is_registered(op))
            return false;
        if (mlc_op_interface(op, MLC_INTERFACE_CALL) && callee_of(in, op) == callee)
            return false;
    }
    return true;
}

static int64_t
num_ops(MlcOp *callable)
{
    int64_t count = -1;
    MLC_FOR_EACH_PREORDER (op, callable)
        count++;
    return count;
}

static bool
is_profitable(Inliner *in, MlcOp *caller, MlcOp *callee)
{
    int64_t threshold = mlc_pass_option_int(in->pass, "inlining-threshold");
    if (threshold == UINT32_MAX)
        return true;
    int64_t caller_ops = num_ops(caller);
    return threshold > 0 && (caller_ops == 0 || num_ops(callee) * 100 / caller_ops <= threshold);
}

static bool
may_have_blocks(MlcOp *call, MlcOp *callee)
{
    MlcOp *parent = mlc_op_parent(call);
    return mlc_op_def(parent) == mlc_op_def(callee) ||
           !mlc_op_has_trait(parent, MLC_TRAIT_SINGLE_BLOCK);
}

static void
inline_block(MlcOp *call, MlcBlock *body, MlcCloneMap *map)
{
    MlcOp *last = mlc_block_last(body);
    MLC_FOR_EACH_OP (op, body)
        if (op != last)
            mlc_op_insert_before(mlc_op_clone(op, map), call);
    MlcValueVec results = {0};
    MLC_FOR_EACH_OPERAND (value, last)
        mlc_vec_push(&results, mlc_clone_map_get(map, value));
    mlc_op_replace(call, results.data, results.size);
    mlc_vec_release(&results);
}

// A branch of the dialect that the return is of, or of cf.
static void
branch_instead(MlcOp *end, MlcBlock *to)
{
    MlcContext *ctx = mlc_op_context(end);
    bool is_llvm = mlc_str_equal(mlc_op_name(end), mlc_str("llvm.return"));
    MlcValueVec args = {0};
    MLC_FOR_EACH_OPERAND (value, end)
        mlc_vec_push(&args, value);
    MlcOp *br = mlc_op_create(
        ctx, &(MlcOpState){.loc = mlc_op_loc(end),
                           .def = mlc_context_op(ctx, mlc_str(is_llvm ? "llvm.br" : "cf.br")),
                           .operands = args.data,
                           .num_operands = args.size,
                           .successors = &to,
                           .num_successors = 1});
    mlc_op_insert_before(br, end);
    mlc_op_erase(end);
    mlc_vec_release(&args);
}

// The block is split behind the call; returns branch to the second half, whose arguments are the
// results.
static void
inline_blocks(MlcOp *call, MlcRegion *body, MlcCloneMap *map)
{
    MlcBlock *before = mlc_op_block(call), *after = mlc_block_split(call);
    MlcRegion *copy = mlc_region_create();
    mlc_region_clone_into(body, copy, map);
    MlcBlock *entry = mlc_region_first(copy);
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        mlc_value_replace_uses(mlc_block_arg(entry, i),
                               mlc_op_operand(call, arguments_of(call).first + i));
    while (mlc_region_first(copy)) {
        MlcBlock *block = mlc_region_first(copy);
        MlcOp *end = returning_end(block);
        mlc_region_insert_before(after, block);
        if (end)
            branch_instead(end, after);
    }
    mlc_region_destroy(copy);
    mlc_block_splice(before, NULL, entry);
    mlc_block_destroy(entry);
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(call); i++)
        mlc_vec_push(&results, mlc_block_add_arg(after, mlc_value_type(mlc_op_result(call, i)),
                                                 mlc_op_loc(call)));
    mlc_op_replace(call, results.data, results.size);
    mlc_vec_release(&results);
}

static bool
inline_call(Inliner *in, MlcOp *caller, MlcOp *call, MlcOp *callee)
{
    MlcRegion *body = body_of(callee);
    if (!body || mlc_op_has_trait(call, MLC_TRAIT_TERMINATOR) || !fits(call, body) ||
        !can_be_inlined(in, callee) || !is_profitable(in, caller, callee))
        return false;
    bool is_one_block = mlc_region_has_one_block(body);
    if (!is_one_block && !may_have_blocks(call, callee))
        return false;
    Arguments args = arguments_of(call);
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < args.count; i++)
        mlc_clone_map_set(map, mlc_block_arg(mlc_region_first(body), i),
                          mlc_op_operand(call, args.first + i));
    if (is_one_block)
        inline_block(call, mlc_region_first(body), map);
    else
        inline_blocks(call, body, map);
    mlc_clone_map_destroy(map);
    mlc_map_insert(&in->done_with, (uint64_t)(uintptr_t)callee, NULL);
    in->num_inlined++;
    return true;
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

// Adds what `root` calls to the order, then itself. A stack of our own: call chains are as long as
// the user's program makes them.
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
            mlc_vec_push(&in->order, top->callable);
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
    }
    mlc_vec_release(&stack);
}

// That of `op-pipelines` for ops of this name ("func.func(cse,canonicalize)"), or the default.
static MlcStr
pipeline_for(const MlcPass *pass, const MlcOp *op)
{
    MlcStr name = mlc_op_name(op);
    const MlcStr *pipelines;
    size_t n = mlc_pass_option_strs(pass, "op-pipelines", &pipelines);
    for (size_t i = 0; i < n; i++)
        if (pipelines[i].size > name.size + 2 && pipelines[i].data[name.size] == '(' &&
            mlc_str_equal(mlc_str_n(pipelines[i].data, name.size), name))
            return mlc_str_n(pipelines[i].data + name.size + 1, pipelines[i].size - name.size - 2);
    return mlc_pass_option_str(pass, "default-pipeline");
}

static bool
simplify(Inliner *in, MlcOp *callable)
{
    MlcStr pipeline = pipeline_for(in->pass, callable);
    return pipeline.size == 0 || !mlc_op_has_trait(callable, MLC_TRAIT_ISOLATED) ||
           mlc_pass_run_pipeline(in->pass, pipeline, callable);
}

static bool
inline_calls(Inliner *in, MlcOp *callable)
{
    OpVec calls = {0};
    bool any = false;
    calls_in(callable, &calls);
    for (size_t i = 0; i < calls.size; i++) {
        MlcOp *callee = callee_of(in, calls.data[i]);
        if (callee && callee != callable)
            any |= inline_call(in, callable, calls.data[i], callee);
    }
    mlc_vec_release(&calls);
    return any;
}

static bool
process(Inliner *in, MlcOp *callable)
{
    if (mlc_symbol_is_private(callable) && !mlc_symbol_has_uses(callable, in->root)) {
        mlc_map_insert(&in->done_with, (uint64_t)(uintptr_t)callable, NULL);
        return true;
    }
    int64_t rounds = mlc_pass_option_int(in->pass, "max-iterations");
    bool again = true;
    for (int64_t i = 0; again && (i == 0 || i < rounds); i++) {
        if (!simplify(in, callable))
            return false;
        again = inline_calls(in, callable);
    }
    return true;
}

// Again until nothing changes: a function may be used by another that goes.
static void
erase_unused(Inliner *in, MlcOp *root)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < in->done_with.num_entries; i++) {
            MlcMapEntry entry = in->done_with.entries[i];
            MlcOp *op = (MlcOp *)(uintptr_t)entry.key;
            if (!entry.live || !mlc_symbol_is_private(op) || mlc_symbol_has_uses(op, root))
                continue;
            mlc_map_erase_u64(&in->done_with, entry.key);
            mlc_symbol_table_erase(in->symbols, op);
            changed = true;
        }
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Inliner in = {.pass = pass, .root = root, .symbols = mlc_symbol_table_create(root)};
    MLC_FOR_EACH_BLOCK_IN_OP (block, root)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_op_interface(op, MLC_INTERFACE_CALLABLE) &&
                !mlc_map_has_u64(&in.states, (uint64_t)(uintptr_t)op))
                visit(&in, op);
    bool ok = true;
    for (size_t i = 0; ok && i < in.order.size; i++)
        ok = process(&in, in.order.data[i]);
    if (ok)
        erase_unused(&in, root);
    mlc_symbol_table_destroy(in.symbols);
    mlc_map_release(&in.states);
    mlc_map_release(&in.done_with);
    mlc_vec_release(&in.order);
    mlc_pass_count(pass, "num-inlined", in.num_inlined);
    return ok;
}

static const MlcPassOption options[] = {
    {"default-pipeline", MLC_OPTION_STRING, "canonicalize",
     "Passes for functions that `op-pipelines` has none for"},
    {"op-pipelines", MLC_OPTION_STRING_LIST, "", "Passes by function op: 'func.func(cse)'"},
    {"inlining-threshold", MLC_OPTION_INT, "4294967295",
     "Inline if the callee's ops are at most so many per cent of the caller's"},
    {"max-iterations", MLC_OPTION_INT, "4", "Rounds of inlining in a function"},
};

MLC_PASS(inline, .flag = "inline", .title = "Inliner", .summary = "Inline function calls",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .run = run)

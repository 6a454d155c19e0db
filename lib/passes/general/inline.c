// inline.c -- put the bodies of called functions in place of their calls.
//
// Groups of functions that call each other are taken callees first (call graph). A group is
// simplified by a pipeline, then takes in what it calls, and again while that brings new calls,
// `max-iterations` times. Calls that came with a body are looked at in the same round, unless that
// would inline a function into its own copy. A private function whose last use is the call gives
// its own blocks, and goes; so does one that nobody uses. Whether a call may be inlined at all is
// asked of the dialects (mlc/ir/inline.h).
#include "mlc/pass.h"

#include "mlc/analysis.h"
#include "mlc/ir/inline.h"
#include "mlc/support/alloc.h"
#include "mlc/support/map.h"

typedef MLC_VEC(size_t) SizeVec;

#define NO_HISTORY SIZE_MAX

typedef struct Call {
    MlcOp *op;
    size_t caller, callee;
    size_t history; // of the call whose body brought this one
} Call;

typedef struct History { // `callee` was inlined at a call that came from `parent`
    size_t callee, parent;
} History;

typedef struct Function {
    bool can_go; // when it has no uses
    bool is_gone;
    size_t num_uses; // in bodies of other functions
    SizeVec used;    // functions named in its body
} Function;

typedef struct Inliner {
    MlcPass *pass;
    MlcCallGraph *graph;
    Function *functions;
    MlcMap uses; // (user, used) -> how often
    MLC_VEC(Call) calls;
    MLC_VEC(History) history;
    Call current; // being inlined
    int64_t num_inlined;
} Inliner;

// --- uses

static MlcMapEntry *
uses_of(Inliner *in, size_t user, size_t used)
{
    bool is_new;
    MlcMapEntry *entry = mlc_map_insert(&in->uses, (uint64_t)user << 32 | used, &is_new);
    if (is_new)
        entry->value = 0;
    return entry;
}

static void
add_uses(Inliner *in, size_t user, size_t used, size_t count)
{
    MlcMapEntry *entry = uses_of(in, user, used);
    if (entry->value == 0)
        mlc_vec_push(&in->functions[user].used, used);
    entry->value += count;
    in->functions[used].num_uses += count;
}

static void
forget_uses(Inliner *in, size_t user)
{
    SizeVec *used = &in->functions[user].used;
    for (size_t i = 0; i < used->size; i++) {
        MlcMapEntry *entry = uses_of(in, user, used->data[i]);
        in->functions[used->data[i]].num_uses -= entry->value;
        entry->value = 0;
    }
    used->size = 0;
}

typedef struct Counting {
    Inliner *in;
    MlcOp *from; // where names are looked up
    size_t user;
} Counting;

static void
count_use(MlcOp *op, MlcAttr ref, void *data)
{
    Counting *c = data;
    size_t used;
    (void)op;
    if (mlc_call_graph_find(c->in->graph, mlc_call_graph_symbol(c->in->graph, c->from, ref), &used))
        add_uses(c->in, c->user, used, 1);
}

static void
count_uses(Inliner *in, size_t user)
{
    MlcOp *callable = mlc_call_graph_callable(in->graph, user);
    Counting c = {in, mlc_op_parent(callable), user};
    forget_uses(in, user);
    if (c.from)
        (void)mlc_symbol_visit_uses(callable, true, count_use, &c);
}

static void
keep_used(MlcOp *op, MlcAttr ref, void *data)
{
    Inliner *in = data;
    size_t used;
    if (mlc_call_graph_find(in->graph, mlc_call_graph_symbol(in->graph, mlc_op_parent(op), ref),
                            &used))
        in->functions[used].can_go = false;
}

// What ops beside the functions name stays.
static bool
keep_used_beside(Inliner *in, MlcOp *table)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, table)
        MLC_FOR_EACH_OP (op, block)
            if (!mlc_callable_body(op) && !mlc_symbol_visit_uses(op, true, keep_used, in))
                return false;
    return true;
}

static bool
is_symbol_hidden(MlcOp *symbol, const MlcOp *root)
{
    if (mlc_symbol_is_private(symbol))
        return true;
    bool hidden = !mlc_op_block(root);
    for (MlcOp *op = mlc_op_parent(symbol); op && !hidden; op = mlc_op_parent(op)) {
        hidden = !mlc_op_is_symbol(op) || mlc_symbol_is_private(op);
        if (op == root)
            break;
    }
    return hidden && !mlc_symbol_is_public(symbol);
}

static void
start_uses(Inliner *in, MlcOp *root)
{
    size_t n = mlc_call_graph_size(in->graph);
    bool known = true;
    for (size_t i = 0; i < n; i++) {
        MlcOp *op = mlc_call_graph_callable(in->graph, i);
        in->functions[i].can_go = mlc_op_is_symbol(op) && is_symbol_hidden(op, root);
    }
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE))
            known &= keep_used_beside(in, op);
    for (size_t i = 0; i < n; i++) {
        in->functions[i].can_go &= known;
        count_uses(in, i);
    }
}

static void
drop(Inliner *in, size_t function)
{
    forget_uses(in, function);
    in->functions[function].is_gone = true;
}

// --- one call

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
calls_itself(const Inliner *in, size_t function)
{
    size_t n;
    const size_t *callees = mlc_call_graph_callees(in->graph, function, &n);
    for (size_t i = 0; i < n; i++)
        if (callees[i] == function)
            return true;
    return false;
}

static bool
is_repeated(const Inliner *in, const Call *call)
{
    for (size_t h = call->history; h != NO_HISTORY; h = in->history.data[h].parent)
        if (in->history.data[h].callee == call->callee)
            return true;
    return false;
}

// Calls of symbols in the ops of one region, and in the regions of those. The order is MLIR's.
static void
collect_calls(Inliner *in, MlcRegion *region, size_t caller, size_t history, bool is_copy)
{
    typedef struct Todo {
        MlcBlock *block;
        size_t caller;
    } Todo;
    MLC_VEC(Todo) todo = {0};
    MLC_FOR_EACH_BLOCK (block, region)
        mlc_vec_push(&todo, ((Todo){block, caller}));
    while (todo.size > 0) {
        Todo t = mlc_vec_pop(&todo);
        MLC_FOR_EACH_OP (op, t.block) {
            const MlcCall *methods = mlc_op_interface(op, MLC_INTERFACE_CALL);
            MlcAttr ref = methods ? methods->callee(op) : NULL;
            size_t callee, inner = t.caller;
            if (mlc_attr_is(ref, MLC_ATTR_SYMBOL_REF) && mlc_symbol_ref_attr_size(ref) == 1 &&
                mlc_call_graph_find(
                    in->graph,
                    mlc_call_graph_symbol(in->graph, mlc_call_graph_callable(in->graph, t.caller),
                                          ref),
                    &callee))
                mlc_vec_push(&in->calls, ((Call){op, t.caller, callee, history}));
            if (methods || (mlc_call_graph_find(in->graph, op, &inner) && !is_copy))
                continue;
            MLC_FOR_EACH_BLOCK_IN_OP (block, op)
                mlc_vec_push(&todo, ((Todo){block, inner}));
        }
    }
    mlc_vec_release(&todo);
}

static void
collect_new_calls(MlcRegion *copy, void *user)
{
    Inliner *in = user;
    mlc_vec_push(&in->history, ((History){in->current.callee, in->current.history}));
    collect_calls(in, copy, in->current.caller, in->history.size - 1, true);
}

static bool
inline_call(Inliner *in, Call call)
{
    MlcOp *callee = mlc_call_graph_callable(in->graph, call.callee);
    if (in->functions[call.callee].is_gone || is_repeated(in, &call) ||
        mlc_op_is_ancestor(callee, call.op) || calls_itself(in, call.callee) ||
        !is_profitable(in, mlc_call_graph_callable(in->graph, call.caller), callee))
        return false;
    Function *f = &in->functions[call.callee];
    bool is_last = f->can_go && f->num_uses == 1;
    in->current = call;
    if (!mlc_inline_call(call.op, callee, is_last, collect_new_calls, in))
        return false;
    in->num_inlined++;
    uses_of(in, call.caller, call.callee)->value--;
    f->num_uses--;
    for (size_t i = 0; i < f->used.size; i++)
        add_uses(in, call.caller, f->used.data[i],
                 uses_of(in, call.callee, f->used.data[i])->value);
    if (is_last)
        drop(in, call.callee);
    return true;
}

// --- groups

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
simplify(Inliner *in, size_t function)
{
    MlcOp *callable = mlc_call_graph_callable(in->graph, function);
    MlcStr pipeline = pipeline_for(in->pass, callable);
    if (pipeline.size == 0 || !mlc_op_has_trait(callable, MLC_TRAIT_ISOLATED))
        return true;
    if (!mlc_pass_run_pipeline(in->pass, pipeline, callable))
        return false;
    count_uses(in, function);
    return true;
}

static bool
is_dead(const Function *f)
{
    return f->is_gone || (f->can_go && f->num_uses == 0);
}

static bool
inline_calls(Inliner *in, const size_t *group, size_t size)
{
    bool any = false;
    in->calls.size = in->history.size = 0;
    for (size_t i = 0; i < size; i++) {
        MlcOp *callable = mlc_call_graph_callable(in->graph, group[i]);
        Function *f = &in->functions[group[i]];
        if (is_dead(f))
            drop(in, group[i]);
        else
            collect_calls(in, mlc_callable_body(callable), group[i], NO_HISTORY, false);
    }
    for (size_t i = 0; i < in->calls.size; i++) // grows
        any |=
            !in->functions[in->calls.data[i].caller].is_gone && inline_call(in, in->calls.data[i]);
    return any;
}

static bool
process(Inliner *in, const size_t *group, size_t size)
{
    int64_t rounds = mlc_pass_option_int(in->pass, "max-iterations");
    bool again = true;
    for (int64_t round = 0; again && (round == 0 || round < rounds); round++) {
        for (size_t i = 0; i < size; i++)
            if (!is_dead(&in->functions[group[i]]) && !simplify(in, group[i]))
                return false;
        again = inline_calls(in, group, size);
    }
    return true;
}

static void
erase_gone(Inliner *in)
{
    for (size_t i = mlc_call_graph_size(in->graph); i-- > 0;)
        if (in->functions[i].is_gone)
            mlc_op_erase(mlc_call_graph_callable(in->graph, i));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Inliner in = {.pass = pass, .graph = mlc_call_graph_create(root)};
    size_t n = mlc_call_graph_size(in.graph), size;
    in.functions = mlc_calloc(n + 1, sizeof *in.functions);
    start_uses(&in, root);
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_call_graph_num_groups(in.graph); i++) {
        const size_t *group = mlc_call_graph_group(in.graph, i, &size);
        ok = process(&in, group, size);
    }
    if (ok)
        erase_gone(&in);
    for (size_t i = 0; i < n; i++)
        mlc_vec_release(&in.functions[i].used);
    mlc_free(in.functions);
    mlc_map_release(&in.uses);
    mlc_vec_release(&in.calls);
    mlc_vec_release(&in.history);
    mlc_call_graph_destroy(in.graph);
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

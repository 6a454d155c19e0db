// inline.c -- a called body in place of its call.
//
// The body is copied (or moved) into a region of nobody's, where the dialects add what they must,
// and from there into the caller: a body of one block that returns op by op before the call,
// so that what follows the call is not touched; any other body splits the caller's block.
// Copies remember where they were called from, in their locations.
#include "mlc/ir/inline.h"

#include "mlc/ir/context.h"
#include "mlc/ir/diag.h"

#include "mlc/ir/interfaces.h"
#include "mlc/ir/loc.h"

static const MlcDialectDef *
dialect_of(const MlcOp *op)
{
    return op && mlc_op_is_registered(op) ? mlc_op_def(op)->dialect : NULL;
}

static const MlcInliner *
inliner_of(const MlcOp *op)
{
    const MlcDialectDef *dialect = dialect_of(op);
    return dialect ? dialect->inliner : NULL;
}

static bool
allows(const MlcOp *op, MlcInlines what)
{
    const MlcDialectDef *dialect = dialect_of(op);
    return dialect && dialect->inlines & what;
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

MlcValue *
mlc_inlining_argument(const MlcInlining *in, const MlcValue *value)
{
    MlcBlock *block = mlc_value_block(value);
    if (!block || block != mlc_region_first(in->body))
        return NULL;
    return mlc_op_operand(in->call, arguments_of(in->call).first + mlc_value_index(value));
}

static MlcOp *
returning_end(const MlcBlock *block)
{
    MlcOp *last = mlc_block_terminator(block);
    return last && mlc_op_has_trait(last, MLC_TRAIT_RETURN_LIKE) ? last : NULL;
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
fits(const MlcInlining *in)
{
    Arguments args = arguments_of(in->call);
    MlcBlock *entry = mlc_region_first(in->body);
    bool ok = args.count == mlc_block_num_args(entry);
    for (size_t i = 0; ok && i < args.count; i++)
        ok = mlc_value_type(mlc_op_operand(in->call, args.first + i)) ==
             mlc_value_type(mlc_block_arg(entry, i));
    MLC_FOR_EACH_BLOCK (block, in->body) {
        MlcOp *end = returning_end(block);
        ok = ok && mlc_block_terminator(block) && (!end || returns_results_of(in->call, end));
    }
    return ok;
}

static bool
is_straight(const MlcRegion *body)
{
    return mlc_region_has_one_block(body) && returning_end(mlc_region_first(body));
}

static bool
may_have_blocks(const MlcInlining *in)
{
    MlcOp *parent = mlc_region_parent(in->into);
    return mlc_op_def(parent) == mlc_op_def(in->callable) ||
           !mlc_op_has_trait(parent, MLC_TRAIT_SINGLE_BLOCK);
}

static bool
can_branch(const MlcRegion *body)
{
    MLC_FOR_EACH_BLOCK (block, body) {
        MlcOp *end = returning_end(block);
        const MlcInliner *inliner = end ? inliner_of(end) : NULL;
        if (end && (!inliner || !inliner->branch))
            return false;
    }
    return true;
}

static bool
may_op(const MlcInlining *in, MlcOp *op)
{
    const MlcInliner *inliner = inliner_of(op);
    return allows(op, MLC_INLINES_OPS) && (!inliner || !inliner->may_op || inliner->may_op(in, op));
}

static bool
is_allowed(const MlcInlining *in)
{
    MlcOp *parent = mlc_region_parent(in->into);
    const MlcInliner *call = inliner_of(in->call), *around = inliner_of(parent);
    if (!allows(in->call, MLC_INLINES_CALLS) || !allows(parent, MLC_INLINES_REGIONS))
        return false;
    if ((call && call->may_call && !call->may_call(in)) ||
        (around && around->may_region && !around->may_region(in)))
        return false;
    MLC_FOR_EACH_PREORDER (op, in->callable)
        if (op != in->callable && !may_op(in, op))
            return false;
    return true;
}

static void
relocate(MlcRegion *copy, MlcLoc caller)
{
    MlcLoc from = NULL, to = NULL; // neighbours often share theirs
    MLC_FOR_EACH_BLOCK (block, copy) {
        MLC_FOR_EACH_OP (top, block)
            MLC_FOR_EACH_PREORDER (op, top) {
                MlcLoc loc = mlc_op_loc(op);
                if (loc != from)
                    to = mlc_loc_callsite(mlc_op_context(op), from = loc, caller);
                mlc_op_set_loc(op, to);
            }
    }
}

// How deep ops lie in each other below `root`.
static uint64_t
depth_below(MlcOp *root)
{
    uint64_t depth = 0, deepest = 0;
    MlcOp *last = root;
    MLC_FOR_EACH_PREORDER (op, root) {
        if (op == root)
            continue;
        MlcOp *parent = mlc_op_parent(op);
        for (; last != parent && mlc_op_parent(last) != parent; last = mlc_op_parent(last))
            depth--;
        depth += last == parent;
        deepest = depth > deepest ? depth : deepest;
        last = op;
    }
    return deepest;
}

// Else calls of calls would be nests that no reader takes, and that every walk to a parent pays
// for.
static bool
keeps_nesting(const MlcInlining *in)
{
    uint64_t limit = mlc_context_limits(mlc_op_context(in->call))->nesting, depth = 0;
    for (MlcOp *op = mlc_op_parent(in->call); op && depth <= limit; op = mlc_op_parent(op))
        depth++;
    if (depth <= limit && depth_below(in->callable) <= limit - depth)
        return true;
    mlc_op_remark(in->call,
                  "not inlined: would be nested deeper than the limit of %llu (--limit-nesting)",
                  (unsigned long long)limit);
    return false;
}

// The region that will be put in the call's place, with the call's operands for arguments.
static MlcRegion *
body_for(const MlcInlining *in, bool take)
{
    MlcRegion *copy = mlc_region_create();
    const MlcInliner *inliner = inliner_of(in->call);
    Arguments args = arguments_of(in->call);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(in->call));
    mlc_builder_before(&b, in->call);
    MlcValueVec values = {0};
    for (size_t i = 0; i < args.count; i++) {
        MlcValue *value = mlc_op_operand(in->call, args.first + i);
        if (inliner && inliner->argument)
            value = inliner->argument(&b, in, i, value);
        mlc_vec_push(&values, value);
    }
    if (take) {
        mlc_region_take_body(copy, in->body);
    } else {
        MlcCloneMap *map = mlc_clone_map_create();
        mlc_region_clone_into(in->body, copy, map);
        mlc_clone_map_destroy(map);
    }
    for (size_t i = 0; i < values.size; i++)
        mlc_value_replace_uses(mlc_block_arg(mlc_region_first(copy), i), values.data[i]);
    mlc_vec_release(&values);
    relocate(copy, mlc_op_loc(in->call));
    return copy;
}

static void
replace_by_block(MlcOp *call, MlcRegion *copy)
{
    MlcBlock *body = mlc_region_first(copy);
    MlcOp *end = mlc_block_last(body);
    for (size_t i = 0; i < mlc_op_num_results(call); i++)
        mlc_value_replace_uses(mlc_op_result(call, i), mlc_op_operand(end, i));
    mlc_op_erase(end);
    mlc_block_splice(mlc_op_block(call), call, body);
    mlc_op_erase(call);
}

static void
branch_instead(MlcOp *end, MlcBlock *to)
{
    MlcValueVec args = {0};
    MLC_FOR_EACH_OPERAND (value, end)
        mlc_vec_push(&args, value);
    MlcOp *br = mlc_op_create(mlc_op_context(end), &(MlcOpState){.loc = mlc_op_loc(end),
                                                                 .def = inliner_of(end)->branch,
                                                                 .operands = args.data,
                                                                 .num_operands = args.size,
                                                                 .successors = &to,
                                                                 .num_successors = 1});
    mlc_op_insert_before(br, end);
    mlc_op_erase(end);
    mlc_vec_release(&args);
}

static void
replace_by_blocks(MlcOp *call, MlcRegion *copy)
{
    MlcBlock *before = mlc_op_block(call), *after = mlc_block_split(call);
    for (size_t i = 0; i < mlc_op_num_results(call); i++)
        mlc_value_replace_uses(
            mlc_op_result(call, i),
            mlc_block_add_arg(after, mlc_value_type(mlc_op_result(call, i)), mlc_op_loc(call)));
    mlc_op_erase(call);
    MlcBlock *entry = mlc_region_first(copy);
    while (mlc_region_first(copy)) {
        MlcBlock *block = mlc_region_first(copy);
        MlcOp *end = returning_end(block);
        mlc_region_insert_before(after, block);
        if (end)
            branch_instead(end, after);
    }
    mlc_block_splice(before, NULL, entry);
    mlc_block_destroy(entry);
}

bool
mlc_inline_call(MlcOp *call, MlcOp *callable, bool take, void (*visit)(MlcRegion *copy, void *user),
                void *user)
{
    const MlcCallable *interface = mlc_op_interface(callable, MLC_INTERFACE_CALLABLE);
    MlcInlining in = {call, callable, interface->body(callable), mlc_op_region_of(call)};
    if (!in.body || mlc_region_is_empty(in.body) || !in.into || !mlc_region_parent(in.into) ||
        mlc_op_has_trait(call, MLC_TRAIT_TERMINATOR) || !fits(&in))
        return false;
    bool straight = is_straight(in.body);
    if ((!straight && (!may_have_blocks(&in) || !can_branch(in.body))) || !is_allowed(&in) ||
        !keeps_nesting(&in))
        return false;
    MlcRegion *copy = body_for(&in, take);
    const MlcInliner *inliner = inliner_of(call);
    if (inliner && inliner->inlined)
        inliner->inlined(&in, copy);
    if (visit)
        visit(copy, user);
    if (straight)
        replace_by_block(call, copy);
    else
        replace_by_blocks(call, copy);
    mlc_region_destroy(copy);
    return true;
}

// op_check.c -- what a checking build asks of who calls the library: what is used lives, lists are
// as long as records say, and threads edit where they said they would.
#include "op_check.h"

#include <pthread.h>
#include <stdio.h>

#include "mlc/ir/loc.h"

#ifdef MLC_CHECKING

const char *
mlc_check_text(const MlcOp *op)
{
    static _Thread_local char texts[4][256];
    static _Thread_local unsigned next;
    char *text = texts[next++ % 4];
    MlcBuf place = {0};
    mlc_loc_append_place(op->ctx, op->loc, &place);
    snprintf(text, sizeof *texts, place.size ? "'%s' at %s" : "'%s'", op->def->name,
             mlc_buf_c_str(&place));
    mlc_buf_release(&place);
    return text;
}

// --- what is used lives

void
mlc_check_op(const char *function, const MlcOp *op)
{
    if (op)
        mlc_guarded_expect(function, op, "op");
}

void
mlc_check_value(const char *function, const MlcValue *value)
{
    if (value && value->is_arg)
        mlc_guarded_expect(function, value, "block argument");
    else if (value)
        mlc_guarded_expect(function, mlc_result_owner_(value), "op of the value");
}

void
mlc_check_block(const char *function, const MlcBlock *block)
{
    if (block)
        mlc_guarded_expect(function, block, "block");
}

// --- lists are as long as records say

// `given` of the things that groups of a record stand for; `num_single` of these are one each.
static void
expect_count(const char *function, const MlcBuilder *b, const MlcOpDef *def, const char *what,
             size_t num_groups, size_t num_single, size_t given)
{
    bool is_open = num_single < num_groups;
    if (given == num_single || (is_open && given > num_single))
        return;
    MlcBuf place = {0};
    mlc_loc_append_place(b->ctx, b->loc, &place);
    mlc_mistake(function, "'%s' at %s takes %zu %s%s, got %zu", def->name, mlc_buf_c_str(&place),
                num_single, what, is_open ? " or more" : "", given);
}

// How many of a list of definitions, of whatever kind, have the arity of one.
#define NUM_SINGLE(defs, num_defs)                                                                 \
    __extension__({                                                                                \
        size_t count = 0;                                                                          \
        for (size_t i = 0; i < (num_defs); i++)                                                    \
            count += (defs)[i].arity == MLC_ONE;                                                   \
        count;                                                                                     \
    })

void
mlc_check_operands(const char *function, const MlcBuilder *b, const MlcOpState *state)
{
    const MlcOpDef *def = state->def;
    if (!def->dialect)
        return;
    expect_count(function, b, def, "operands", def->num_operands,
                 NUM_SINGLE(def->operands, def->num_operands), state->num_operands);
    for (size_t i = 0; i < state->num_operands; i++) {
        if (!state->operands[i])
            mlc_mistake(function, "operand %zu of '%s' is NULL", i, def->name);
        mlc_check_value(function, state->operands[i]);
    }
}

void
mlc_check_state(const char *function, const MlcBuilder *b, const MlcOpState *state)
{
    const MlcOpDef *def = state->def;
    mlc_check_operands(function, b, state);
    if (!def->dialect)
        return;
    expect_count(function, b, def, "results", def->num_results,
                 NUM_SINGLE(def->results, def->num_results), state->num_results);
    expect_count(function, b, def, "regions", def->num_regions,
                 NUM_SINGLE(def->regions, def->num_regions), state->num_regions);
    expect_count(function, b, def, "successors", def->num_successors,
                 NUM_SINGLE(def->successors, def->num_successors), state->num_successors);
    for (size_t i = 0; i < state->num_results; i++)
        if (!state->result_types[i])
            mlc_mistake(function, "the type of result %zu of '%s' is NULL", i, def->name);
}

// --- threads edit where they said they would

static _Thread_local MlcEditScope *innermost;

static uintptr_t
this_thread(void)
{
    return (uintptr_t)pthread_self();
}

static MlcOp *
outermost(MlcOp *op)
{
    for (MlcOp *parent; (parent = mlc_op_parent(op));)
        op = parent;
    return op;
}

void
mlc_check_edit(MlcOp *isolated)
{
    for (MlcOp *op = isolated; op; op = mlc_op_parent(op)) {
        uintptr_t owner = op->is_isolated ? atomic_load(&mlc_op_edits_(op)->thread) : 0;
        if (owner && owner != this_thread())
            mlc_mistake("edit", "another thread works inside of %s", mlc_check_text(op));
        if (owner)
            break;
    }
    MlcOp *scope = innermost ? innermost->isolated : NULL;
    if (scope && !mlc_op_is_ancestor(scope, isolated) && outermost(scope) == outermost(isolated))
        mlc_mistake("edit", "%s is not inside of %s, where this thread works",
                    mlc_check_text(isolated), mlc_check_text(scope));
}

void
mlc_edit_scope_begin(MlcEditScope *scope, MlcOp *isolated)
{
    *scope = (MlcEditScope){isolated->is_isolated ? isolated : NULL, innermost, 0};
    if (!scope->isolated)
        return;
    scope->before = atomic_exchange(&mlc_op_edits_(isolated)->thread, this_thread());
    if (scope->before && scope->before != this_thread())
        mlc_mistake(__func__, "two threads work in %s", mlc_check_text(isolated));
    innermost = scope;
}

void
mlc_edit_scope_end(MlcEditScope *scope)
{
    if (!scope->isolated)
        return;
    innermost = scope->outer;
    if (mlc_guarded_lives(scope->isolated))
        atomic_store(&mlc_op_edits_(scope->isolated)->thread, scope->before);
}

#else

void
mlc_edit_scope_begin(MlcEditScope *scope, MlcOp *isolated)
{
    (void)scope, (void)isolated;
}

void
mlc_edit_scope_end(MlcEditScope *scope)
{
    (void)scope;
}

#endif

// symbol_dce.c -- erase symbols that nothing can reach.
//
// What must stay is marked first: ops that are no symbols, symbols that others may see (public
// ones, unless their table is itself out of sight), and from there every symbol that is named, with
// each table on the way to it. A table that stays is a scope of its own and is marked in turn.
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "mlc/support/map.h"

typedef struct Marker {
    MlcMap live;
    MlcOpVec work;
    MlcOp *table; // of the op whose uses are being visited
} Marker;

// A symbol that is public may be used by what we cannot see.
static bool
can_discard(MlcOp *symbol, bool table_is_hidden)
{
    return (table_is_hidden || mlc_symbol_is_private(symbol)) && !mlc_symbol_is_public(symbol);
}

static void
mark(Marker *m, MlcOp *symbol)
{
    if (mlc_map_add(&m->live, symbol))
        mlc_vec_push(&m->work, symbol);
}

// All of @a::@b or nothing: names that lead nowhere keep nothing alive.
static void
mark_named(MlcOp *user, MlcAttr ref, void *data)
{
    (void)user;
    Marker *m = data;
    MlcOp *path[16], *at = m->table;
    size_t n = mlc_symbol_ref_attr_size(ref);
    for (size_t i = 0; i < n && i < 16; i++) {
        at = at && mlc_op_has_trait(at, MLC_TRAIT_SYMBOL_TABLE)
                 ? mlc_symbol_lookup(at, mlc_symbol_ref_attr_name(ref, i))
                 : NULL;
        path[i] = at;
    }
    for (size_t i = 0; at && i < n && i < 16; i++)
        mark(m, path[i]);
}

static bool mark_in(MlcOp *table, bool is_hidden, MlcMap *live);

static bool
mark_uses_of(Marker *m, MlcOp *op, bool is_hidden)
{
    if (mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE) &&
        !mark_in(op, is_hidden || !mlc_op_is_symbol(op) || mlc_symbol_is_private(op), &m->live))
        return false;
    m->table = mlc_op_parent(op);
    if (mlc_symbol_visit_uses(op, true, mark_named, m))
        return true;
    return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                     "operation contains potentially unknown symbol table, meaning that we can't "
                     "reliable compute symbol uses");
}

// Marks what must stay of `table`'s symbols, and what these need. Tables nest as modules do, so
// this recurses as deep as the parser lets regions nest.
static bool
mark_in(MlcOp *table, bool is_hidden, MlcMap *live)
{
    Marker m = {.live = *live};
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(table, 0))
        MLC_FOR_EACH_OP (op, block) {
            if (!mlc_op_is_symbol(op))
                mlc_vec_push(&m.work, op);
            else if (!can_discard(op, is_hidden))
                mark(&m, op);
        }
    bool ok = true;
    while (ok && m.work.size)
        ok = mark_uses_of(&m, mlc_vec_pop(&m.work), is_hidden);
    mlc_vec_release(&m.work);
    *live = m.live;
    return ok;
}

static int64_t
erase_dead(MlcOp *table, const MlcMap *live)
{
    int64_t num_erased = 0;
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(table, 0))
        MLC_FOR_EACH_OP_SAFE (op, block)
            if (mlc_op_is_symbol(op) && !mlc_map_has(live, op)) {
                mlc_op_erase(op);
                num_erased++;
            }
    return num_erased;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    if (!mlc_op_has_trait(root, MLC_TRAIT_SYMBOL_TABLE))
        return mlc_op_error(
            root, " was scheduled to run under SymbolDCE, but does not define a symbol table");
    bool is_hidden = !mlc_op_parent(root) || !mlc_op_is_symbol(root) || mlc_symbol_is_private(root);
    MlcMap live = {0};
    mlc_symbol_cache_begin();
    bool ok = mark_in(root, is_hidden, &live);
    mlc_symbol_cache_end();
    int64_t num_erased = 0;
    if (ok)
        MLC_FOR_EACH_POSTORDER (op, root)
            if (mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE))
                num_erased += erase_dead(op, &live);
    mlc_map_release(&live);
    mlc_pass_count(pass, "num-dce'd", num_erased);
    return ok;
}

MLC_PASS(symbol_dce, .flag = "symbol-dce", .summary = "Eliminate dead symbols", .run = run)

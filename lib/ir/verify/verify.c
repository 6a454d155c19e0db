// verify.c -- the verifier: first every op and block by itself, then what needs verified ops inside
// (terminators, region traits, hooks, symbol uses), and last dominance and isolation, which need a
// well-formed CFG. A later round runs only if those before it found nothing; within a round every
// op is looked at, each reporting its first fault.
#include "mlc/ir/symbol.h"
#include "mlc/ir/verify.h"

#include "mlc/ir/diag.h"
#include "mlc/ir/interfaces.h"
#include "mlc/ir/loc.h"
#include "mlc/support/alloc.h"
#include "mlc/support/pool.h"
#include "op/op_impl.h"
#include "op/op_shape.h"
#include "verify_impl.h"

// As mlc_op_error without the "'name' op" in front.
#define ERROR_AT(op, ...) mlc_error((op)->ctx, (op)->loc, __VA_ARGS__)

// --- blocks

static bool
may_lack_terminator(const MlcBlock *block)
{
    const MlcOp *parent = mlc_block_parent(block);
    if (!parent)
        return true;
    if (block->region->first != block->region->last)
        return false;
    return !mlc_op_is_registered(parent) || mlc_op_has_trait(parent, MLC_TRAIT_NO_TERMINATOR);
}

static bool
verify_block(MlcBlock *block)
{
    if (!block->first)
        return may_lack_terminator(block) || mlc_error(block->ctx, block->region->parent->loc,
                                                       "empty block: expect at least a terminator");
    for (MlcOp *op = block->first; op != block->last; op = op->next)
        if (op->num_successors)
            return ERROR_AT(op, "operation with block successors must terminate its parent block");
    MlcOp *last = block->last;
    for (uint32_t i = 0; i < last->num_successors; i++) {
        MlcBlock *successor = mlc_op_successor(last, i);
        if (!successor || successor->region != block->region)
            return mlc_op_error(last, "branching to block of a different region");
    }
    return true;
}

static bool
verify_terminators(MlcOp *op)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *last = block->last;
        if (last && !may_lack_terminator(block) && mlc_op_is_registered(last) &&
            !mlc_op_has_trait(last, MLC_TRAIT_TERMINATOR)) {
            MlcBuf text = {0};
            mlc_diag_append_op(&text, last);
            ERROR_AT(last, "block with no terminator, has %s", mlc_buf_c_str(&text));
            mlc_buf_release(&text);
            return false;
        }
    }
    return true;
}

// --- ops by themselves

static bool
verify_unregistered(MlcOp *op)
{
    if (op->ctx->allow_unregistered)
        return true;
    const char *dot = strchr(op->def->name, '.');
    MlcStr dialect = mlc_str_n(op->def->name, dot ? (size_t)(dot - op->def->name) : 0);
    if (dot && mlc_context_dialect(op->ctx, dialect))
        return ERROR_AT(op,
                        "unregistered operation '%s' found in dialect ('%.*s') that does not allow "
                        "unknown operations",
                        op->def->name, MLC_STR_FMT(dialect));
    return mlc_op_error(op, "created with unregistered dialect. If this is intended, please call "
                            "allowUnregisteredDialects() on the MLIRContext, or use "
                            "-allow-unregistered-dialect with the MLIR opt tool used");
}

// `name` is without the dialect's.
static bool
verify_listed(MlcOp *op, const MlcDialectDef *dialect, MlcStr name, MlcAttr value)
{
    for (size_t i = 0; i < dialect->num_discardable; i++) {
        const MlcAttrSlot *slot = &dialect->discardable[i];
        if (!mlc_str_equal(name, mlc_str(slot->name)))
            continue;
        return mlc_constraint_check_attr(slot->constraint, value) ||
               mlc_op_error(op, "attribute '%s.%s' failed to satisfy constraint: %s", dialect->name,
                            slot->name, slot->constraint->summary);
    }
    return mlc_op_error(op, "attribute '%s.%.*s' is none that the dialect '%s' has", dialect->name,
                        MLC_STR_FMT(name), dialect->name);
}

// Whether an attribute that is none of the op's own is one that its dialect lists, if that lists
// any.
static bool
verify_prefixed(MlcOp *op, MlcNamedAttr attr, bool is_of_op)
{
    MlcStr name = mlc_string_attr_value(attr.name);
    const char *dot = memchr(name.data, '.', name.size);
    if (!dot)
        return true;
    size_t size = (size_t)(dot - name.data);
    const MlcDialectDef *dialect = mlc_context_dialect(op->ctx, mlc_str_n(name.data, size));
    if (!dialect)
        return true;
    if (is_of_op && dialect->verify_attr && !dialect->verify_attr(op, attr))
        return false;
    return dialect->num_discardable == 0 ||
           verify_listed(op, dialect, mlc_str_n(dot + 1, name.size - size - 1), attr.value);
}

static bool
verify_dict(MlcOp *op, MlcAttr dict, bool is_of_op)
{
    for (size_t i = 0; i < mlc_dict_attr_size(dict); i++)
        if (!verify_prefixed(op, mlc_dict_attr_entry(dict, i), is_of_op))
            return false;
    return true;
}

// Those of the op, and of a function's arguments and results.
static bool
verify_discardable(MlcOp *op)
{
    if (op->dict && !verify_dict(op, op->dict, true))
        return false;
    const MlcFunction *function = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    if (!function)
        return true;
    const size_t slots[] = {function->arg_attrs_slot, function->res_attrs_slot};
    for (size_t k = 0; k < 2; k++) {
        MlcAttr list = mlc_op_slot(op, slots[k]);
        for (size_t i = 0; mlc_attr_is(list, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(list); i++)
            if (mlc_attr_is(mlc_array_attr_element(list, i), MLC_ATTR_DICT) &&
                !verify_dict(op, mlc_array_attr_element(list, i), false))
                return false;
    }
    return true;
}

static bool
verify_region_entries(MlcOp *op)
{
    if (!op->num_regions)
        return true;
    bool is_graph = mlc_op_has_trait(op, MLC_TRAIT_GRAPH_REGION);
    for (uint32_t i = 0; i < op->num_regions; i++) {
        const MlcRegion *region = mlc_op_region(op, i);
        if (!region->first)
            continue;
        if (is_graph && region->first != region->last)
            return mlc_op_error(op, "expects graph region #%u to have 0 or 1 blocks", i);
        if (region->first->first_use)
            return ERROR_AT(op, "entry block of region may not have predecessors");
    }
    return true;
}

// Whether an op agrees with its definition is a question of the types of its values and of its
// attributes, and most ops ask what another one has asked before; only what it stands in and what
// it holds is asked of each. What was found right is remembered, whole: by thread, since passes
// verify functions one by one. A wrong one is always looked at, to be reported.
#define NUM_SEEN_BITS 11
typedef struct Seen {
    uint64_t serial; // of the context that all is of
    MlcOpShape entries[1 << NUM_SEEN_BITS];
} Seen;

static __attribute__((noinline)) Seen *
own_seen(void)
{
    static _Thread_local Seen seen;
    return &seen;
}

static bool
verify_place(MlcOp *op)
{
    uint64_t of_place = MLC_TRAIT_BIT(TERMINATOR) | MLC_TRAIT_BIT(SYMBOL);
    if (!op->num_regions && !op->def->parents && !(op->def->traits & of_place))
        return true;
    return mlc_verify_structure(op) && mlc_verify_region_shapes(op) && mlc_verify_position(op);
}

static bool
verify_definition(MlcOp *op)
{
    MlcOpShape shape, *entry;
    uint64_t hash;
    if (!mlc_op_shape(op, &shape, &hash))
        return mlc_verify_record(op) && mlc_verify_traits(op);
    Seen *seen = own_seen();
    if (seen->serial != op->ctx->serial) {
        memset(seen, 0, sizeof *seen);
        seen->serial = op->ctx->serial;
    }
    entry = &seen->entries[hash >> (64 - NUM_SEEN_BITS)];
    if (mlc_op_shape_equal(&shape, entry))
        return verify_place(op);
    if (!mlc_verify_record(op) || !mlc_verify_traits(op))
        return false;
    *entry = shape;
    return true;
}

static bool
verify_alone(MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_operands; i++)
        if (!op->operands[i].value)
            return ERROR_AT(op, "null operand found");
    if ((op->dict || op->num_regions > 0) && !verify_discardable(op))
        return false;
    if (!mlc_op_is_registered(op)) {
        if (!verify_unregistered(op))
            return false;
    } else if (!verify_definition(op)) {
        return false;
    } else if (op->def->facts.facts & MLC_FACT_REQUIREMENTS &&
               !op->ctx->text->meets_requirements(op)) {
        return false;
    } else if (op->def->verify) { // it answers for the op's access, too
        if (!op->def->verify(op))
            return false;
    } else if (op->def->facts.facts & MLC_FACT_ACCESS && !mlc_verify_access(op)) {
        return false;
    }
    return verify_region_entries(op);
}

// A root and what is inside up to isolated ops, which are layers of their own.
typedef struct Layer {
    MlcOp *root;
    bool ok;
    MlcOpVec isolated;
    MlcDominance *dom;
    MlcBlock *block;   // of the op that was looked at last
    bool is_reachable; // that block
} Layer;

static bool
is_other_layer(const Layer *layer, const MlcOp *op)
{
    return op->is_isolated && op != layer->root;
}

static bool
stops(const MlcOp *root, bool ok)
{
    return !ok && root->ctx->verifies_first_fault;
}

// What is inside an op that is wrong is left alone: its hooks may rely on their parent.
static MlcWalk
verify_one(MlcOp *op, void *user)
{
    Layer *layer = user;
    if (is_other_layer(layer, op)) {
        mlc_vec_push(&layer->isolated, op);
        return MLC_WALK_SKIP;
    }
    bool alone = verify_alone(op);
    layer->ok &= alone;
    if (alone)
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            layer->ok &= verify_block(block);
    if (stops(layer->root, layer->ok))
        return MLC_WALK_STOP;
    return alone ? MLC_WALK_CONTINUE : MLC_WALK_SKIP;
}

// --- ops with what is inside

static bool
verify_control_flow(MlcOp *op)
{
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    if (branch && !mlc_verify_branch(op, branch))
        return false;
    const MlcRegionSignature *signatures = mlc_op_interface(op, MLC_INTERFACE_SIGNATURES);
    if (signatures && !mlc_verify_signatures(op, signatures))
        return false;
    const MlcLoop *loop = mlc_op_interface(op, MLC_INTERFACE_LOOP);
    if (loop && !mlc_verify_loop_values(op, loop))
        return false;
    const MlcRegionBranch *region_branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    return !region_branch || mlc_verify_region_branch(op, region_branch);
}

// Uses of symbols are looked at where the table is that has them: not when a function alone is
// verified, while its siblings may be at work.
static bool
verify_symbol_uses(MlcOp *op, const MlcOp *root)
{
    const MlcSymbolUser *user = mlc_op_interface(op, MLC_INTERFACE_SYMBOL_USER);
    if (!user)
        return true;
    const MlcOp *table = op;
    do {
        if (table == root)
            return true;
        table = mlc_op_parent(table);
    } while (!mlc_op_has_trait(table, MLC_TRAIT_SYMBOL_TABLE));
    return user->verify(op);
}

// Most ops have nothing inside, go nowhere and use no symbol.
static bool
has_inside(const MlcOp *op)
{
    if (op->num_regions || op->num_successors || op->def->verify_regions ||
        mlc_op_def_has_trait(op->def, MLC_TRAIT_SYMBOL_TABLE) ||
        mlc_op_def_has_trait(op->def, MLC_TRAIT_DESTINATION_STYLE))
        return true;
    for (uint16_t i = 0; i < op->def->num_interfaces; i++)
        if (op->def->interfaces[i].id == MLC_INTERFACE_SYMBOL_USER ||
            op->def->interfaces[i].id == MLC_INTERFACE_BRANCH)
            return true;
    return false;
}

// Ops that use symbols are left for later, in `users`.
static bool
verify_inside(const Layer *layer, MlcOpVec *users)
{
    bool ok = true, has_terminators = true;
    MlcOp *root = layer->root, *next;
    for (MlcOp *op = mlc_op_layer_first(root, root); op && !stops(root, ok && has_terminators);
         op = next) {
        next = mlc_op_layer_next(op, root);
        if (is_other_layer(layer, op) || !has_inside(op))
            continue;
        has_terminators &= verify_terminators(op);
        if (!has_terminators) // what is around may look for them
            continue;
        ok &= mlc_verify_region_traits(op) && verify_control_flow(op) &&
              (!op->def->verify_regions || op->def->verify_regions(op)) &&
              (!op->def->loop || mlc_verify_loop(op));
        if (mlc_op_interface(op, MLC_INTERFACE_SYMBOL_USER))
            mlc_vec_push(users, op);
    }
    return ok && has_terminators;
}

// --- dominance and isolation

static bool
region_encloses(const MlcRegion *outer, const MlcRegion *inner)
{
    while (inner && inner != outer)
        inner = inner->parent ? mlc_op_region_of(inner->parent) : NULL;
    return inner != NULL;
}

static const char *
relation_between(const MlcRegion *of_use, const MlcRegion *of_def)
{
    return of_use == of_def                  ? "in the same region"
           : region_encloses(of_def, of_use) ? "in a parent region"
           : region_encloses(of_use, of_def) ? "in a child region"
                                             : "neither in a parent nor in a child region";
}

static bool
report_dominance(MlcOp *op, uint32_t i)
{
    MlcValue *value = op->operands[i].value;
    MlcOp *def = mlc_value_def(value);
    MlcBlock *block = mlc_value_parent_block(value);
    ERROR_AT(op, "operand #%u does not dominate this use", i);
    MlcRegion *region = block ? block->region : NULL;
    const char *where = relation_between(op->block->region, region);
    if (def) {
        bool is_apart = strncmp(where, "neither", 7) == 0;
        mlc_note(op->ctx, def->loc, "operand defined here (op %s%s)", is_apart ? "is " : "",
                 block == op->block ? "in the same block" : where);
        return false;
    }
    MlcLoc loc = region && region->parent ? region->parent->loc : mlc_loc_unknown(op->ctx);
    size_t number = 0;
    for (const MlcBlock *b = block->prev; b; b = b->prev)
        number++;
    mlc_note(op->ctx, loc, "operand defined as a block argument (block #%zu %s)", number, where);
    return false;
}

// The isolated op between a use and the region of its definition; NULL if there is none.
static MlcOp *
isolation_between(MlcOp *op, const MlcRegion *of_def)
{
    for (MlcRegion *region = mlc_op_region_of(op); region && region != of_def;) {
        MlcOp *parent = region->parent;
        if (parent && parent->is_isolated)
            return region_encloses(region, of_def) ? NULL : parent;
        region = parent ? mlc_op_region_of(parent) : NULL;
    }
    return NULL;
}

static bool
verify_operands(MlcDominance *dom, MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_operands; i++) {
        MlcValue *value = op->operands[i].value;
        MlcBlock *block = mlc_value_parent_block(value);
        if (block == op->block && (value->is_arg || mlc_op_is_before(mlc_result_owner_(value), op)))
            continue;
        if (block != op->block) {
            MlcOp *isolated = isolation_between(op, block ? block->region : NULL);
            if (isolated) {
                mlc_op_error(op, "using value defined outside the region");
                mlc_op_note(isolated, "required by region isolation constraints");
                return false;
            }
        }
        if (!mlc_dominance_value(dom, value, op))
            return report_dominance(op, i);
    }
    return true;
}

static MlcWalk
verify_operands_of(MlcOp *op, void *user)
{
    Layer *layer = user;
    if (op != layer->root && op->num_operands) {
        if (op->block != layer->block) {
            layer->block = op->block;
            layer->is_reachable = mlc_dominance_is_reachable(layer->dom, op->block);
        }
        if (layer->is_reachable)
            layer->ok &= verify_operands(layer->dom, op);
    }
    if (stops(layer->root, layer->ok))
        return MLC_WALK_STOP;
    return is_other_layer(layer, op) ? MLC_WALK_SKIP : MLC_WALK_CONTINUE;
}

static bool
verify_dominance(Layer *layer)
{
    layer->dom = mlc_dominance_create(layer->root);
    layer->ok = true;
    mlc_op_walk_preorder(layer->root, verify_operands_of, layer);
    mlc_dominance_destroy(layer->dom);
    return layer->ok;
}

// --- layers

static bool verify_layers(MlcOp *root, MlcOpVec *users, bool is_outermost);

// Isolated ops next to each other, shared out among threads.
#define MAX_CHUNKS 64
typedef struct Chunk {
    bool ok;
    MlcOpVec users;
    MlcDiagList diags;
} Chunk;

typedef struct Shared {
    const MlcOpVec *ops;
    size_t num_chunks;
    Chunk chunks[MAX_CHUNKS];
} Shared;

static void
verify_chunk(void *user, size_t i, unsigned worker)
{
    (void)worker;
    Shared *shared = user;
    Chunk *chunk = &shared->chunks[i];
    MlcContext *ctx = shared->ops->data[0]->ctx;
    size_t n = shared->ops->size, end = n * (i + 1) / shared->num_chunks;
    mlc_diag_capture_begin(ctx, &chunk->diags);
    mlc_symbol_cache_begin();
    chunk->ok = true;
    for (size_t at = n * i / shared->num_chunks; at < end; at++)
        chunk->ok &= verify_layers(shared->ops->data[at], &chunk->users, false);
    mlc_symbol_cache_end();
    mlc_diag_capture_end(ctx, &chunk->diags);
}

static bool
verify_in_threads(const MlcOpVec *ops, MlcOpVec *users, MlcPool *pool)
{
    MlcContext *ctx = ops->data[0]->ctx;
    Shared *shared = mlc_calloc(1, sizeof *shared);
    shared->ops = ops;
    shared->num_chunks = mlc_pool_num_threads(pool) * (size_t)4;
    if (shared->num_chunks > MAX_CHUNKS)
        shared->num_chunks = MAX_CHUNKS;
    mlc_parallel_for(pool, shared->num_chunks, verify_chunk, shared);
    bool ok = true;
    for (size_t i = 0; i < shared->num_chunks; i++) {
        Chunk *chunk = &shared->chunks[i];
        ok &= chunk->ok;
        mlc_diag_replay(ctx, &chunk->diags);
        for (size_t j = 0; j < chunk->users.size; j++)
            mlc_vec_push(users, chunk->users.data[j]);
        mlc_vec_release(&chunk->users);
    }
    mlc_free(shared);
    return ok;
}

// An isolated op with all inside that was found right and not edited since. What it says itself is
// looked at anyway, since that depends on where it stands; and uses of symbols on what they name.
static bool
is_verified(MlcOp *root)
{
    const MlcEdits *edits = root->is_isolated ? mlc_op_edits_(root) : NULL;
    return edits && edits->is_verified && edits->verified == mlc_op_edits(root) &&
           (!edits->has_unregistered || root->ctx->allow_unregistered);
}

static void
note_verified(MlcOp *root, bool uses_symbols)
{
    if (!root->is_isolated)
        return;
    MlcEdits *edits = mlc_op_edits_(root);
    edits->verified = mlc_op_edits(root);
    edits->is_verified = true;
    edits->uses_symbols = uses_symbols;
    edits->has_unregistered = root->ctx->allow_unregistered; // or may have
}

static void
collect_symbol_users(MlcOp *root, MlcOpVec *users)
{
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_op_interface(op, MLC_INTERFACE_SYMBOL_USER))
            mlc_vec_push(users, op);
}

// An isolated op with all inside: its own layer's ops one by one, then the layers inside, then what
// needs them to be right. So a fault in one function hides none in another.
static bool
verify_layers(MlcOp *root, MlcOpVec *users, bool is_outermost)
{
    size_t num_users = users->size;
    if (is_verified(root)) {
        if (mlc_op_edits_(root)->uses_symbols)
            collect_symbol_users(root, users);
        return verify_alone(root);
    }
    Layer layer = {.root = root, .ok = true};
    mlc_op_walk_preorder(root, verify_one, &layer);
    bool ok = layer.ok;
    MlcPool *pool = NULL;
    if (is_outermost && layer.isolated.size > 1)
        pool = mlc_context_pool_for(root->ctx, mlc_context_text_bytes(root->ctx));
    if (pool)
        ok &= verify_in_threads(&layer.isolated, users, pool);
    for (size_t i = 0; i < layer.isolated.size && !pool; i++)
        ok &= verify_layers(layer.isolated.data[i], users, false);
    mlc_vec_release(&layer.isolated);
    ok = ok && verify_inside(&layer, users) && verify_dominance(&layer);
    if (ok)
        note_verified(root, users->size > num_users);
    return ok;
}

void
mlc_context_verify_first_fault(MlcContext *ctx, bool first)
{
    ctx->verifies_first_fault = first;
}

bool
mlc_verify(MlcOp *op)
{
    MlcOpVec users = {0};
    mlc_symbol_cache_begin();
    bool ok = verify_layers(op, &users, true);
    for (size_t i = 0, n = ok ? users.size : 0; i < n; i++)
        ok &= verify_symbol_uses(users.data[i], op);
    mlc_symbol_cache_end();
    mlc_vec_release(&users);
    return ok;
}

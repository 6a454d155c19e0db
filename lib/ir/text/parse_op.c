// parse_op.c -- ops, blocks and regions, names of values and blocks, whole modules.
//
// Written by hand, not in bison: an op's syntax is chosen by its name, regions hold ops again, and
// values are resolved while reading; a grammar entry per op would cost more than the op
// (docs/internals/text.md).
//
// Names are interned once per parser; a name points at its innermost definition, so that leaving a
// region costs what was defined in it and nothing is ever erased from a hash table. Values used
// before their definition are placeholder ops, replaced when the definition comes.
#include <assert.h>
#include <stdlib.h>

#include "mlc/ir/blob.h"
#include "op/op_impl.h"
#include "parse_impl.h"
#include "text.tab.h"

static bool parse_operation(MlcParser *p, MlcBlock *block);

// --- values

// %0, %1, ..., as printers count: found without hashing. NULL: not such a name, or too far from the
// names so far.
static MlcSsaName *
numbered_name(MlcParser *p, MlcStr text)
{
    size_t number = 0;
    if (text.size < 2 || (unsigned char)(text.data[1] - '0') > 9 || text.size > 9 ||
        (text.data[1] == '0' && text.size > 2))
        return NULL;
    for (size_t i = 1; i < text.size; i++) {
        unsigned digit = (unsigned char)text.data[i] - '0';
        if (digit > 9)
            return NULL;
        number = number * 10 + digit;
    }
    size_t chunk = number / MLC_SSA_CHUNK;
    if (chunk >= p->numbered_names.size) {
        if (number > p->text.size) // fewer names than that are in it
            return NULL;
        while (p->numbered_names.size <= chunk)
            mlc_vec_push(&p->numbered_names, NULL);
    }
    MlcSsaName **names = &p->numbered_names.data[chunk];
    if (!*names)
        *names = MLC_NEW_ARRAY(&p->arena, MlcSsaName, MLC_SSA_CHUNK);
    return *names + number % MLC_SSA_CHUNK;
}

static MlcSsaName *
intern_name(MlcParser *p, MlcStr text)
{
    MlcSsaName *numbered = numbered_name(p, text);
    if (numbered)
        return numbered;
    MlcSsaName *name = mlc_memo_get(&p->ssa_names, text);
    if (!name) {
        name = MLC_NEW(&p->arena, MlcSsaName);
        mlc_memo_set(&p->ssa_names, text, name);
    }
    return name;
}

static __attribute__((noinline)) MlcSsaEntry *
add_entry(MlcParser *p, MlcSsaName *name)
{
    MlcSsaEntry *entry = p->free_entries;
    if (entry)
        p->free_entries = entry->outer;
    else
        entry = mlc_arena_alloc(&p->arena, sizeof *entry, MLC_ALIGNOF(MlcSsaEntry));
    *entry =
        (MlcSsaEntry){.name = name, .outer = name->top, .num_values = 1, .isolation = p->isolation};
    entry->values = &entry->one;
    name->top = entry;
    return entry;
}

static inline MlcSsaEntry *
entry_of(MlcParser *p, MlcStr text)
{
    MlcSsaName *name = intern_name(p, text);
    return name->top && name->top->isolation == p->isolation ? name->top : add_entry(p, name);
}

static void
make_room(MlcParser *p, MlcSsaEntry *entry, uint32_t number)
{
    if (number < entry->num_values)
        return;
    uint32_t count = number + 1 < entry->num_values * 2 ? entry->num_values * 2 : number + 1;
    MlcSsaValue *values = MLC_NEW_ARRAY(&p->arena, MlcSsaValue, count);
    memcpy(values, entry->values, entry->num_values * sizeof *values);
    entry->values = values;
    entry->num_values = count;
}

static MlcValue *
make_placeholder(MlcParser *p, MlcStr name, const char *at, MlcType type)
{
    if (!p->placeholder_def)
        p->placeholder_def = mlc_context_unregistered_op(p->ctx, mlc_str("mlc.forward_reference"));
    MlcOpState state = {.loc = mlc_loc_unknown(p->ctx),
                        .def = p->placeholder_def,
                        .result_types = &type,
                        .num_results = 1};
    MlcOp *op = mlc_op_create(p->ctx, &state);
    mlc_map_set_u64(&p->forward_index, (uint64_t)(uintptr_t)op, p->forwards.size);
    mlc_vec_push(&p->forwards, (MlcForward){.op = op, .at = at, .name = name});
    return mlc_op_result(op, 0);
}

bool
mlc_parser_resolve(MlcParser *p, const MlcOperandRef *ref, MlcType type, MlcValue **value)
{
    MlcSsaEntry *entry = entry_of(p, ref->name);
    MlcSsaValue *known = ref->number < entry->num_values ? &entry->values[ref->number] : NULL;
    if (known && known->value) {
        *value = known->value;
        MlcType have = mlc_value_type(known->value);
        if (have == type)
            return true;
        mlc_parser_fail_at(
            p, ref->at, "use of value '%.*s' expects different type than prior uses: '%s' vs '%s'",
            MLC_STR_FMT(ref->name), mlc_type_text(type), mlc_type_text(have));
        mlc_note(p->ctx, mlc_parser_loc_of(p, known->at), "prior use here");
        return false;
    }
    if (entry->values[0].value && !entry->values[0].is_forward)
        return mlc_parser_fail_at(p, ref->at, "reference to invalid result number");
    make_room(p, entry, ref->number);
    if (!entry->was_forward && !entry->is_recorded) {
        entry->was_forward = true;
        mlc_vec_push(&p->isolated, entry);
    }
    *value = make_placeholder(p, ref->name, ref->at, type);
    entry->values[ref->number] = (MlcSsaValue){.value = *value, .at = ref->at, .is_forward = true};
    return true;
}

static bool
define_forward(MlcParser *p, MlcStr name, uint32_t number, const char *at, MlcSsaValue *known,
               MlcValue *value)
{
    MlcType want = mlc_value_type(known->value), have = mlc_value_type(value);
    if (want != have) {
        mlc_parser_fail_at(p, at, "definition of SSA value '%.*s#%u' has type '%s'",
                           MLC_STR_FMT(name), number, mlc_type_text(have));
        mlc_note(p->ctx, mlc_parser_loc_of(p, known->at), "previously used here with type '%s'",
                 mlc_type_text(want));
        return false;
    }
    MlcOp *placeholder = mlc_value_def(known->value);
    mlc_value_replace_uses(known->value, value);
    // Ops that are being read around this one use it too: a region may define what its op takes.
    for (MlcOpBuild *op = p->build; op; op = op->outer)
        for (size_t i = 0; i < op->operands.size; i++)
            if (op->operands.data[i] == known->value)
                op->operands.data[i] = value;
    uint64_t index = 0;
    if (mlc_map_get_u64(&p->forward_index, (uint64_t)(uintptr_t)placeholder, &index)) {
        p->forwards.data[index].op = NULL;
        mlc_map_erase_u64(&p->forward_index, (uint64_t)(uintptr_t)placeholder);
    }
    mlc_op_erase(placeholder);
    return true;
}

static bool
define(MlcParser *p, MlcStr name, uint32_t number, const char *at, MlcValue *value)
{
    MlcSsaEntry *entry = entry_of(p, name);
    make_room(p, entry, number);
    MlcSsaValue *known = &entry->values[number];
    if (known->value && !known->is_forward) {
        mlc_parser_fail_at(p, at, "redefinition of SSA value '%.*s'", MLC_STR_FMT(name));
        mlc_note(p->ctx, mlc_parser_loc_of(p, known->at), "previously defined here");
        return false;
    }
    if (known->value && !define_forward(p, name, number, at, known, value))
        return false;
    *known = (MlcSsaValue){.value = value, .at = at};
    if (!entry->is_recorded) {
        entry->is_recorded = true;
        mlc_vec_push(&p->defined, entry);
    }
    return true;
}

static void
forget(MlcParser *p, MlcSsaEntry *entry)
{
    assert(entry->name->top == entry);
    entry->name->top = entry->outer;
    if (entry->was_forward) { // still stands in p->isolated
        entry->name = NULL;
        return;
    }
    entry->outer = p->free_entries;
    p->free_entries = entry;
}

// --- scopes

typedef struct Scope {
    size_t defined, isolated;
    uint32_t isolation, region;
    MlcBlockEntry *blocks;
    bool is_isolated;
} Scope;

static Scope
open_scope(MlcParser *p, bool is_isolated)
{
    Scope scope = {p->defined.size, p->isolated.size, p->isolation,
                   p->region,       p->region_blocks, is_isolated};
    if (is_isolated)
        p->isolation = ++p->next_isolation;
    p->region = ++p->next_region;
    p->region_blocks = NULL;
    return scope;
}

static bool
close_scope(MlcParser *p, const Scope *scope)
{
    const char *undefined = NULL;
    for (MlcBlockEntry *entry = p->region_blocks; entry; entry = entry->next) {
        entry->name->top = entry->outer;
        if (entry->is_defined)
            continue;
        if (entry->block)
            mlc_vec_push(&p->loose_blocks, entry->block);
        if (!undefined || entry->at < undefined)
            undefined = entry->at;
    }
    while (p->defined.size > scope->defined) {
        MlcSsaEntry *entry = mlc_vec_pop(&p->defined);
        forget(p, entry);
    }
    if (scope->is_isolated) {
        while (p->isolated.size > scope->isolated) {
            MlcSsaEntry *entry = mlc_vec_pop(&p->isolated);
            if (entry->name)
                entry->name->top = entry->outer;
        }
    }
    p->isolation = scope->isolation;
    p->region = scope->region;
    p->region_blocks = scope->blocks;
    return !undefined || p->failed ||
           mlc_parser_fail_at(p, undefined, "reference to an undefined block");
}

// --- blocks

static MlcBlockEntry *
block_entry(MlcParser *p, MlcStr text, const char *at)
{
    bool inserted;
    MlcStrMapEntry *slot = mlc_str_map_insert(&p->block_names, text, &inserted);
    if (inserted) {
        MlcBlockName *name = MLC_NEW(&p->arena, MlcBlockName);
        name->name = text;
        slot->value = (uint64_t)(uintptr_t)name;
    }
    MlcBlockName *name = (MlcBlockName *)(uintptr_t)slot->value;
    if (name->top && name->top->region == p->region)
        return name->top;
    MlcBlockEntry *entry = MLC_NEW(&p->arena, MlcBlockEntry);
    *entry = (MlcBlockEntry){
        .name = name, .outer = name->top, .next = p->region_blocks, .at = at, .region = p->region};
    name->top = entry;
    p->region_blocks = entry;
    return entry;
}

bool
mlc_parse_successor(MlcParser *p, MlcBlock **block)
{
    if (!mlc_parser_is(p, TOK_CARET))
        return mlc_parser_fail_wrong(p, "expected block name");
    MlcBlockEntry *entry = block_entry(p, mlc_token_str(p->tok), p->tok.at);
    mlc_parser_advance(p);
    if (!entry->block)
        entry->block = mlc_block_create(p->ctx);
    *block = entry->block;
    return true;
}

static bool
parse_trailing_loc(MlcParser *p, MlcLoc *loc, MlcDeferredLoc *deferred)
{
    deferred->at = NULL;
    if (!mlc_parser_is(p, TOK_BARE) || !mlc_token_is(p->tok, "loc"))
        return true;
    mlc_parser_advance(p);
    if (!mlc_parser_expect(p, '(', "'(' in location"))
        return false;
    if (mlc_parser_is(p, TOK_HASH)) {
        MlcStr name = mlc_token_str(p->tok);
        name = mlc_str_n(name.data + 1, name.size - 1);
        bool is_alias = !memchr(name.data, '.', name.size) && !memchr(name.data, '<', name.size);
        if (is_alias && !mlc_parser_attr_alias(p, name, p->tok.at)) {
            *deferred = (MlcDeferredLoc){.at = p->tok.at, .alias = name};
            mlc_parser_advance(p);
            return mlc_parser_expect(p, ')', "')' in location");
        }
    }
    MlcRun run = {0};
    if (!mlc_text_run(p, &run, TOK_START_LOC))
        return false;
    *loc = run.loc;
    return mlc_parser_expect(p, ')', "')' in location");
}

bool
mlc_parse_optional_loc(MlcParser *p, MlcLoc *loc)
{
    MlcDeferredLoc deferred;
    if (!parse_trailing_loc(p, loc, &deferred))
        return false;
    if (deferred.at)
        return mlc_parser_fail_at(p, deferred.at, "undefined symbol alias id '%.*s'",
                                  MLC_STR_FMT(deferred.alias));
    return true;
}

// NULL, after an error, if the alias is none of a location.
static MlcLoc
resolve_alias(MlcParser *p, const MlcParser *outer, const MlcDeferredLoc *deferred)
{
    MlcAttr attr = mlc_str_map_get(&outer->attr_aliases, deferred->alias);
    if (!attr) {
        mlc_parser_fail_at(p, deferred->at, "operation location alias was never defined");
        return NULL;
    }
    if (!mlc_attr_is(attr, MLC_ATTR_LOC)) {
        mlc_parser_fail_at(p, deferred->at, "expected location, but found '%s'",
                           mlc_attr_text(attr));
        return NULL;
    }
    return mlc_attr_as_loc(attr);
}

static bool
resolve_location(MlcParser *p, const MlcParser *outer, const MlcDeferredLoc *deferred)
{
    MlcLoc loc = resolve_alias(p, outer, deferred);
    if (!loc)
        return false;
    if (deferred->op)
        mlc_op_set_loc(deferred->op, loc);
    else if (deferred->block)
        mlc_block_set_arg_loc(deferred->block, deferred->arg, loc);
    return true;
}

static void
defer(MlcParser *p, MlcDeferredLoc deferred, MlcOp *op, MlcBlock *block, size_t arg)
{
    if (!deferred.at)
        return;
    deferred.op = op;
    deferred.block = block;
    deferred.arg = arg;
    mlc_vec_push(&p->deferred_locs, deferred);
}

// %a: type loc(...)
static bool
parse_block_args(MlcParser *p, MlcBlock *block)
{
    if (mlc_parser_take(p, ')'))
        return true;
    do {
        MlcOperandRef ref;
        MlcType type;
        MlcDeferredLoc deferred;
        if (!mlc_parse_operand(p, &ref) ||
            !mlc_parser_expect(p, ':', "':' and type for SSA operand") ||
            !mlc_parse_type_into(p, &type))
            return false;
        MlcLoc loc = mlc_parser_loc_of(p, ref.at);
        if (!parse_trailing_loc(p, &loc, &deferred))
            return false;
        MlcValue *arg = mlc_block_add_arg(block, type, loc);
        defer(p, deferred, NULL, block, mlc_value_index(arg));
        if (!define(p, ref.name, ref.number, ref.at, arg))
            return false;
    } while (mlc_parser_take(p, ','));
    return mlc_parser_expect(p, ')', "')' in argument list");
}

static bool
parse_block_body(MlcParser *p, MlcBlock *block)
{
    while (!mlc_parser_is(p, TOK_CARET) && !mlc_parser_is(p, '}'))
        if (!parse_operation(p, block))
            return false;
    return true;
}

// ^name(args): ops. The block is appended to the region before its ops are read, so that a failure
// leaves no loose end.
static bool
parse_named_block(MlcParser *p, MlcRegion *region, MlcBlock *given)
{
    MlcToken token = p->tok;
    if (!mlc_parser_expect(p, TOK_CARET, "block name"))
        return false;
    MlcBlockEntry *entry = block_entry(p, mlc_token_str(token), token.at);
    if (entry->is_defined)
        return mlc_parser_fail_at(p, token.at, "redefinition of block '%.*s'",
                                  MLC_STR_FMT(mlc_token_str(token)));
    entry->is_defined = true;
    entry->at = token.at;
    if (!entry->block)
        entry->block = given ? given : mlc_block_create(p->ctx);
    if (entry->block != given)
        mlc_region_append(region, entry->block);
    if (mlc_parser_take(p, '(') && !parse_block_args(p, entry->block))
        return false;
    return mlc_parser_expect(p, ':', "':' after block name") && parse_block_body(p, entry->block);
}

void
mlc_parser_add_entry_args(MlcParser *p, MlcBlock *block, const MlcBlockArgRefVec *args)
{
    for (size_t i = 0; i < args->size; i++) {
        const MlcBlockArgRef *arg = &args->data[i];
        MlcLoc loc = arg->loc ? arg->loc : mlc_parser_loc_of(p, arg->ref.at);
        mlc_block_add_arg(block, arg->type, loc);
        // Of a function's signature, the last ones: found by their place.
        for (size_t j = p->deferred_locs.size; j-- > 0;) {
            MlcDeferredLoc *deferred = &p->deferred_locs.data[j];
            if (deferred->op || deferred->block)
                break;
            if (deferred->arg == (size_t)(arg->ref.at - p->text.data)) {
                deferred->block = block;
                deferred->arg = i;
            }
        }
    }
}

static bool
define_entry_args(MlcParser *p, MlcBlock *block, const MlcBlockArgRef *args, size_t num_args)
{
    if (num_args && mlc_parser_is(p, TOK_CARET))
        return mlc_parser_fail_at(p, p->tok.at,
                                  "invalid block name in region with named arguments");
    for (size_t i = 0; i < num_args; i++) {
        const MlcOperandRef *ref = &args[i].ref;
        MlcSsaEntry *entry = entry_of(p, ref->name);
        if (ref->number < entry->num_values && entry->values[ref->number].value) {
            mlc_parser_fail_at(p, ref->at, "region entry argument '%.*s' is already in use",
                               MLC_STR_FMT(ref->name));
            mlc_note(p->ctx, mlc_parser_loc_of(p, entry->values[ref->number].at),
                     "previously referenced here");
            return false;
        }
        if (!define(p, ref->name, ref->number, ref->at, mlc_block_arg(block, i)))
            return false;
    }
    return true;
}

// `entry`, in the region already, has the arguments; NULL: there are none, and no block yet.
static bool
parse_region_body(MlcParser *p, MlcRegion *region, MlcBlock *entry, const MlcBlockArgRef *args,
                  size_t num_args)
{
    if (!num_args && mlc_parser_is(p, '}'))
        return true;
    if (!num_args && mlc_parser_is(p, TOK_CARET)) {
        if (!parse_named_block(p, region, entry))
            return false;
    } else {
        if (!entry) {
            entry = mlc_block_create(p->ctx);
            mlc_region_append(region, entry);
        }
        if (!define_entry_args(p, entry, args, num_args) || !parse_block_body(p, entry))
            return false;
    }
    while (!mlc_parser_is(p, '}'))
        if (!parse_named_block(p, region, NULL))
            return false;
    return true;
}

static bool
parse_region_here(MlcParser *p, MlcRegion *region, const MlcBlockArgRefVec *args)
{
    MlcBlock *entry = NULL;
    size_t num_args = args ? args->size : 0;
    bool isolated = p->in_custom_isolated;
    Scope scope = open_scope(p, isolated);
    if (num_args) {
        entry = mlc_block_create(p->ctx);
        mlc_region_append(region, entry);
        mlc_parser_add_entry_args(p, entry, args);
    }
    bool ok = parse_region_body(p, region, entry, num_args ? args->data : NULL, num_args);
    ok = close_scope(p, &scope) && ok;
    p->in_custom_isolated = isolated;
    return ok;
}

bool
mlc_parse_region(MlcParser *p, MlcRegion *region, const MlcBlockArgRefVec *args)
{
    if (!mlc_parser_expect(p, '{', "'{' to begin a region"))
        return false;
    if (!mlc_parser_nest(p))
        return false;
    bool ok = mlc_parser_leave_body(p, region, args) || parse_region_here(p, region, args);
    p->depth--;
    return ok && mlc_parser_expect(p, '}', "'}'");
}

// True if the body ends where it was thought to, and leaves nothing open.
bool
mlc_parser_read_body(MlcParser *p, const MlcBody *body)
{
    p->depth = body->depth;
    p->default_dialects.size = 0;
    mlc_vec_push(&p->default_dialects, body->default_dialect);
    mlc_parser_reset(p, body->at, false);
    Scope scope = open_scope(p, true);
    bool ok = parse_region_body(p, mlc_block_region(body->block), body->block, body->args,
                                body->num_args);
    ok = close_scope(p, &scope) && ok && p->tok.at == body->close;
    for (size_t i = 0; ok && i < p->deferred_locs.size; i++)
        ok = resolve_location(p, p->outer, &p->deferred_locs.data[i]);
    for (size_t i = 0; ok && i < p->forwards.size; i++)
        ok = !p->forwards.data[i].op;
    p->deferred_locs.size = 0;
    if (ok)
        p->forwards.size = 0;
    return ok;
}

int
mlc_parse_optional_region(MlcParser *p, MlcRegion *region, const MlcBlockArgRefVec *args)
{
    if (!mlc_parser_is(p, '{'))
        return 0;
    return mlc_parse_region(p, region, args) ? 1 : -1;
}

bool
mlc_parse_block_arg(MlcParser *p, bool with_type, MlcBlockArgRef *arg)
{
    *arg = (MlcBlockArgRef){0};
    if (!mlc_parse_operand(p, &arg->ref))
        return false;
    if (with_type && (!mlc_parse_token(p, ":") || !mlc_parse_type_into(p, &arg->type)))
        return false;
    if (with_type && mlc_parser_is(p, '{')) {
        MlcNamedAttrVec attrs = {0};
        bool ok = mlc_parse_named_attrs(p, &attrs);
        if (ok)
            arg->attrs = mlc_dict_attr_get(p->ctx, attrs.data, attrs.size);
        mlc_vec_release(&attrs);
        if (!ok)
            return false;
    }
    MlcDeferredLoc deferred;
    if (!parse_trailing_loc(p, &arg->loc, &deferred))
        return false;
    defer(p, deferred, NULL, NULL, (size_t)(arg->ref.at - p->text.data));
    return true;
}

// --- ops being read

static MlcOpBuild *
take_build(MlcParser *p, const MlcOpDef *def, MlcLoc loc)
{
    MlcOpBuild *op;
    if (p->builds.size) {
        op = mlc_vec_pop(&p->builds);
        op->operands.size = op->result_types.size = op->attrs.size = op->successors.size =
            op->regions.size = op->refs.size = 0;
    } else {
        op = MLC_NEW(&p->arena, MlcOpBuild);
    }
    op->def = def;
    op->loc = loc;
    op->num_results = 0;
    op->has_properties = false;
    op->num_properties = 0;
    op->properties = NULL;
    return op;
}

// Regions that did not become part of an op wait for the end: ops elsewhere may use what is in
// them.
static void
give_build_back(MlcParser *p, MlcOpBuild *op)
{
    for (size_t i = 0; i < op->regions.size; i++)
        mlc_vec_push(&p->dead, mlc_region_parent(op->regions.data[i]));
    op->regions.size = 0;
    mlc_vec_push(&p->builds, op);
}

MlcRegion *
mlc_op_build_region(MlcParser *p, MlcOpBuild *op)
{
    MlcOp *holder;
    if (p->holders.size) {
        holder = mlc_vec_pop(&p->holders);
    } else {
        if (!p->holder_def)
            p->holder_def = mlc_context_unregistered_op(p->ctx, mlc_str("mlc.region_holder"));
        MlcOpState state = {.loc = mlc_loc_unknown(p->ctx), .def = p->holder_def, .num_regions = 1};
        holder = mlc_op_create(p->ctx, &state);
    }
    mlc_vec_push(&op->regions, mlc_op_region(holder, 0));
    return mlc_vec_last(&op->regions);
}

static MlcOp *
create_op(MlcParser *p, MlcOpBuild *op)
{
    MlcOpState state = {
        .loc = op->loc,
        .def = op->def,
        .operands = op->operands.data,
        .num_operands = op->operands.size,
        .result_types = op->result_types.data,
        .num_results = op->result_types.size,
        .attrs = op->attrs.data,
        .num_attrs = op->attrs.size,
        .successors = op->successors.data,
        .num_successors = op->successors.size,
        .num_regions = op->regions.size,
        .properties = op->properties,
    };
    MlcOp *made = mlc_op_create(p->ctx, &state);
    for (size_t i = 0; i < op->regions.size; i++) {
        MlcOp *holder = mlc_region_parent(op->regions.data[i]);
        mlc_region_take_body(mlc_op_region(made, i), op->regions.data[i]);
        mlc_vec_push(&p->holders, holder);
    }
    op->regions.size = 0;
    return made;
}

static const MlcOpDef *
find_op(MlcParser *p, MlcStr name)
{
    const MlcOpDef *def = mlc_memo_get(&p->ops, name);
    if (!def && (def = mlc_context_op(p->ctx, name)))
        mlc_memo_set(&p->ops, name, def);
    return def;
}

static MlcStr
dialect_prefix(MlcStr name)
{
    const char *dot = memchr(name.data, '.', name.size);
    return mlc_str_n(name.data, dot ? (size_t)(dot - name.data) : 0);
}

// --- the generic form

static bool
parse_generic_operands(MlcParser *p, MlcOperandRefVec *refs)
{
    return mlc_parser_expect(p, '(', "'(' to start operand list") &&
           mlc_parse_operand_list(p, refs) && mlc_parser_expect(p, ')', "')' to end operand list");
}

static bool
parse_generic_successors(MlcParser *p, MlcOpBuild *op)
{
    if (!mlc_parser_take(p, '['))
        return true;
    do {
        MlcBlock *block;
        if (!mlc_parse_successor(p, &block))
            return false;
        mlc_vec_push(&op->successors, block);
    } while (mlc_parser_take(p, ','));
    return mlc_parser_expect(p, ']', "']'");
}

static bool
parse_generic_regions(MlcParser *p, MlcOpBuild *op)
{
    if (!mlc_parser_take(p, '('))
        return true;
    do {
        p->in_custom_isolated = false;
        if (!mlc_parse_region(p, mlc_op_build_region(p, op), NULL))
            return false;
    } while (mlc_parser_take(p, ','));
    return mlc_parser_expect(p, ')', "')' to end region list");
}

// (types) -> types, or false without a message: the grammar reads it then, and knows what to say.
static bool
parse_plain_signature(MlcParser *p, MlcTypeVec *inputs, MlcTypeVec *results)
{
    if (!mlc_parser_take(p, '('))
        return false;
    if (!mlc_parser_take(p, ')') && (!mlc_parse_type_list(p, inputs) || !mlc_parser_take(p, ')')))
        return false;
    if (!mlc_parser_take(p, TOK_ARROW))
        return false;
    if (!mlc_parser_take(p, '(')) {
        MlcType type;
        bool ok = mlc_parse_type_into(p, &type);
        if (ok)
            mlc_vec_push(results, type);
        return ok;
    }
    return mlc_parser_take(p, ')') || (mlc_parse_type_list(p, results) && mlc_parser_take(p, ')'));
}

static bool
parse_signature(MlcParser *p, MlcTypeVec *inputs, MlcTypeVec *results)
{
    const char *at = p->tok.at;
    if (parse_plain_signature(p, inputs, results))
        return true;
    if (p->failed)
        return false;
    mlc_parser_reset(p, at, false);
    inputs->size = results->size = 0;
    MlcType type;
    if (!mlc_parse_type_into(p, &type))
        return false;
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION))
        return mlc_parser_fail_at(p, at, "expected function type");
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
        mlc_vec_push(inputs, mlc_function_type_inputs(type)[i]);
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        mlc_vec_push(results, mlc_function_type_results(type)[i]);
    return true;
}

static bool
parse_generic_type(MlcParser *p, MlcOpBuild *op)
{
    const MlcOperandRefVec *refs = &op->refs;
    if (!mlc_parser_expect(p, ':', "':' followed by operation type"))
        return false;
    const char *at = p->tok.at;
    p->inputs.size = op->result_types.size = 0;
    if (!parse_signature(p, &p->inputs, &op->result_types))
        return false;
    if (p->inputs.size != refs->size)
        return mlc_parser_fail_at(p, at, "expected %zu operand type%s but had %zu", refs->size,
                                  refs->size == 1 ? "" : "s", p->inputs.size);
    for (size_t i = 0; i < refs->size; i++)
        if (!mlc_resolve_operand(p, &refs->data[i], p->inputs.data[i], op))
            return false;
    return true;
}

static bool
parse_generic_body(MlcParser *p, MlcOpBuild *op, const char *at)
{
    return parse_generic_operands(p, &op->refs) && parse_generic_successors(p, op) &&
           mlc_parse_properties(p, op) && parse_generic_regions(p, op) &&
           mlc_parse_attr_dict(p, op) && parse_generic_type(p, op) &&
           mlc_parser_check_properties(p, op, at);
}

static const MlcOpDef *
generic_def(MlcParser *p, MlcToken token)
{
    MlcStr name;
    if (!mlc_parser_unescape(p, token, &name))
        return NULL;
    if (name.size == 0 || memchr(name.data, '\0', name.size))
        return mlc_parser_fail_at(p, token.at, "empty operation name is invalid"), NULL;
    const MlcOpDef *def = find_op(p, name);
    if (def)
        return def;
    MlcStr dialect = dialect_prefix(name);
    if (mlc_context_dialect(p->ctx, dialect) && !mlc_context_allows_unregistered(p->ctx))
        return mlc_parser_fail_at(
                   p, token.at,
                   "unregistered operation '%.*s' found in dialect ('%.*s') that does not allow "
                   "unknown operations",
                   MLC_STR_FMT(name), MLC_STR_FMT(dialect)),
               NULL;
    if (!mlc_context_allows_unregistered(p->ctx))
        return mlc_parser_fail_at(
                   p, p->tok.at,
                   "operation being parsed with an unregistered dialect. If this is intended, "
                   "please use -allow-unregistered-dialect with the MLIR tool used"),
               NULL;
    def = mlc_context_unregistered_op(p->ctx, name);
    mlc_memo_set(&p->ops, mlc_str_n(token.at + 1, name.size), def);
    return def;
}

// --- the custom form

static void
note_dialects(MlcParser *p, const char *at)
{
    MlcBuf names = {0};
    for (size_t i = 0; i < mlc_context_num_dialects(p->ctx); i++)
        mlc_buf_printf(&names, "%s%s", i ? ", " : "", mlc_context_dialect_at(p->ctx, i)->name);
    mlc_note(p->ctx, mlc_parser_loc_of(p, at),
             "Registered dialects: %s ; for more info on dialect registration see "
             "https://mlir.llvm.org/getting_started/Faq/#registered-loaded-dependent-"
             "whats-up-with-dialects-management",
             mlc_buf_c_str(&names));
    mlc_buf_release(&names);
}

static const MlcOpDef *
custom_def(MlcParser *p, MlcToken token)
{
    MlcStr name = mlc_token_str(token);
    const MlcOpDef *def = find_op(p, name);
    if (def)
        return def;
    MlcStr tried = {0};
    if (!memchr(name.data, '.', name.size)) {
        const char *dialect =
            p->default_dialects.size ? mlc_vec_last(&p->default_dialects) : "builtin";
        tried = mlc_arena_printf(&p->arena, "%s.%.*s", dialect, MLC_STR_FMT(name));
        def = mlc_context_op(p->ctx, tried);
        if (def)
            return def;
        return mlc_parser_fail_at(p, token.at, "custom op '%.*s' is unknown (tried '%.*s' as well)",
                                  MLC_STR_FMT(name), MLC_STR_FMT(tried)),
               NULL;
    }
    MlcStr dialect = dialect_prefix(name);
    if (!mlc_context_dialect(p->ctx, dialect)) {
        mlc_parser_fail_at(p, token.at, "Dialect `%.*s' not found for custom op '%.*s' ",
                           MLC_STR_FMT(dialect), MLC_STR_FMT(name));
        note_dialects(p, token.at);
        return NULL;
    }
    return mlc_parser_fail_at(p, token.at, "custom op '%.*s' is unknown", MLC_STR_FMT(name)), NULL;
}

// The terminator that the custom form leaves out, and the block that `{}` stands for.
static void
complete_regions(MlcParser *p, MlcOpBuild *op)
{
    const MlcOpDef *def = op->def;
    for (size_t i = 0; i < op->regions.size; i++) {
        MlcRegion *region = op->regions.data[i];
        size_t slot = i < def->num_regions ? i : def->num_regions ? def->num_regions - 1u : 0;
        bool is_sized = slot < def->num_regions && def->regions[slot].shape == MLC_REGION_SIZED_1;
        if (mlc_region_is_empty(region) && is_sized)
            mlc_region_append(region, mlc_block_create(p->ctx));
        if (!mlc_op_def_has_trait(def, MLC_TRAIT_IMPLICIT_TERMINATOR) ||
            mlc_region_is_empty(region) || !def->implicit_terminator)
            continue;
        MlcBlock *block = mlc_region_last(region);
        MlcOp *last = mlc_block_last(block);
        const MlcOpDef *terminator = mlc_context_op(p->ctx, mlc_str(def->implicit_terminator));
        if (!terminator || (last && mlc_op_has_trait(last, MLC_TRAIT_TERMINATOR)))
            continue;
        size_t num_regions = 0;
        while (num_regions < terminator->num_regions &&
               terminator->regions[num_regions].arity == MLC_ONE)
            num_regions++;
        MlcOpState state = {.loc = op->loc, .def = terminator, .num_regions = num_regions};
        MlcOp *made = mlc_op_create(p->ctx, &state);
        for (size_t r = 0; r < num_regions; r++)
            if (terminator->regions[r].shape == MLC_REGION_SIZED_1)
                mlc_region_append(mlc_op_region(made, r), mlc_block_create(p->ctx));
        mlc_block_append(block, made);
    }
}

static bool
parse_custom_body(MlcParser *p, MlcOpBuild *op, MlcToken name)
{
    const MlcOpDef *def = op->def;
    p->in_custom_isolated = mlc_op_def_has_trait(def, MLC_TRAIT_ISOLATED);
    bool ok;
    if (def->parse)
        ok = def->parse(p, op);
    else if (def->format)
        ok = mlc_format_parse_op(p, op);
    else
        ok = mlc_parser_fail_at(p, name.at, "op '%s' has no custom form", def->name);
    if (!ok)
        return p->failed ? false
                         : mlc_parser_fail_at(p, p->tok.at, "custom op '%s' could not be parsed",
                                              def->name);
    complete_regions(p, op);
    return !p->failed;
}

// --- operations

// %a, %b:2 = ...
static bool
parse_result_names(MlcParser *p, size_t *total)
{
    do {
        MlcToken token = p->tok;
        int64_t count = 1;
        if (!mlc_parser_expect(p, TOK_PERCENT, "valid ssa identifier"))
            return false;
        if (mlc_parser_take(p, ':')) {
            if (!mlc_parser_is(p, TOK_INT))
                return mlc_parser_fail_wrong(p, "expected integer number of results");
            if (!mlc_text_small_int(p, mlc_token_str(p->tok), &count))
                return false;
            if (count < 1)
                return mlc_parser_fail_at(p, p->tok.at,
                                          "expected named operation to have at least 1 result");
            if ((uint64_t)count > mlc_context_limits(p->ctx)->operands)
                return mlc_parser_fail_at(p, p->tok.at,
                                          "more results than the limit of %llu (--limit-operands)",
                                          (unsigned long long)mlc_context_limits(p->ctx)->operands);
            mlc_parser_advance(p);
        }
        mlc_vec_push(&p->results,
                     (__typeof__(*p->results.data)){mlc_token_str(token), token.at, (size_t)count});
        *total += (size_t)count;
    } while (mlc_parser_take(p, ','));
    return mlc_parser_expect(p, '=', "'=' after SSA name");
}

static bool
define_results(MlcParser *p, MlcOp *op, size_t first, size_t total, const char *at)
{
    size_t count = mlc_op_num_results(op);
    if (count == 0)
        return mlc_parser_fail_at(p, at, "cannot name an operation with no results");
    if (total != count)
        return mlc_parser_fail_at(p, at,
                                  "operation defines %zu result%s but was provided %zu to bind",
                                  count, count == 1 ? "" : "s", total);
    size_t result = 0;
    for (size_t i = first; i < p->results.size; i++)
        for (size_t j = 0; j < p->results.data[i].count; j++, result++)
            if (!define(p, p->results.data[i].name, (uint32_t)j, p->results.data[i].at,
                        mlc_op_result(op, result)))
                return false;
    return true;
}

static const char *
default_dialect(const MlcOpDef *def)
{
    return def->dialect && mlc_op_def_has_trait(def, MLC_TRAIT_HAS_DEFAULT_DIALECT)
               ? def->dialect->name
               : "";
}

static bool
read_body(MlcParser *p, MlcOpBuild *op, MlcToken name)
{
    bool isolated = p->in_custom_isolated;
    const char *custom_op = p->custom_op;
    const MlcOpDef *reading = p->reading;
    p->reading = op->def;
    p->custom_op = name.kind == TOK_STRING ? NULL : op->def->name;
    mlc_vec_push(&p->default_dialects, default_dialect(op->def));
    bool ok = name.kind == TOK_STRING ? parse_generic_body(p, op, name.at)
                                      : parse_custom_body(p, op, name);
    p->default_dialects.size--;
    p->in_custom_isolated = isolated;
    p->custom_op = custom_op;
    p->reading = reading;
    return ok;
}

// The scalar body that the custom form of a structured op leaves out.
static bool
build_structured_body(MlcParser *p, MlcOp *op)
{
    const MlcStructured *structured = mlc_op_interface(op, MLC_INTERFACE_STRUCTURED);
    if (!structured || !structured->build_body || mlc_op_num_regions(op) != 1 ||
        !mlc_region_is_empty(mlc_op_region(op, 0)))
        return true;
    const MlcStructuredDef *def = op->def->structured;
    size_t want = def && def->names ? (size_t)def->num_ins + def->num_outs : op->num_operands;
    if (want != op->num_operands)
        return mlc_error(p->ctx, mlc_parser_loc(p),
                         "custom op '%s' [parseNamedStructuredOpRegion] ods-gen generated region "
                         "expects %zu args, got %u",
                         op->def->name, want, op->num_operands);
    return structured->build_body(op);
}

static bool
parse_operation(MlcParser *p, MlcBlock *block)
{
    size_t first_result = p->results.size, num_named = 0;
    const char *start = p->tok.at;
    if (mlc_parser_is(p, TOK_PERCENT) && !parse_result_names(p, &num_named))
        return false;
    MlcToken name = p->tok;
    if (name.kind != TOK_STRING && name.kind != TOK_BARE)
        return mlc_parser_fail_wrong(p, "expected operation name in quotes");
    MlcLoc loc = mlc_parser_loc(p);
    mlc_parser_advance(p);
    const MlcOpDef *def = name.kind == TOK_STRING ? generic_def(p, name) : custom_def(p, name);
    if (!def)
        return false;
    MlcOpBuild *op = take_build(p, def, loc);
    op->num_results = num_named;
    MlcDeferredLoc deferred = {0};
    op->outer = p->build;
    p->build = op;
    bool ok = read_body(p, op, name) && parse_trailing_loc(p, &op->loc, &deferred);
    p->build = op->outer;
    if (!ok) {
        give_build_back(p, op);
        return false;
    }
    MlcOp *made = create_op(p, op);
    give_build_back(p, op);
    mlc_block_append(block, made);
    if (name.kind != TOK_STRING && def->structured && !build_structured_body(p, made)) {
        p->failed = true;
        return false;
    }
    defer(p, deferred, made, NULL, 0);
    ok = num_named == 0 || define_results(p, made, first_result, num_named, start);
    p->results.size = first_result;
    return ok;
}

// --- files

static bool
parse_alias(MlcParser *p, bool is_attr)
{
    MlcToken token = p->tok;
    MlcStr name = mlc_str_n(token.at + 1, (size_t)(token.end - token.at) - 1);
    MlcStrMap *aliases = is_attr ? &p->attr_aliases : &p->type_aliases;
    if (mlc_str_map_has(aliases, name))
        return mlc_parser_fail_at(p, token.at, "redefinition of %s alias id '%.*s'",
                                  is_attr ? "attribute" : "type", MLC_STR_FMT(name));
    if (memchr(name.data, '.', name.size) || memchr(name.data, '<', name.size))
        return mlc_parser_fail_at(p, token.at,
                                  "%s names with a '.' are reserved for dialect-defined names",
                                  is_attr ? "attribute" : "type");
    mlc_parser_advance(p);
    if (!mlc_parser_expect(
            p, '=', is_attr ? "'=' in attribute alias definition" : "'=' in type alias definition"))
        return false;
    MlcAttr attr = NULL;
    MlcType type = NULL;
    uint64_t outside = p->expansion;
    const char *start = p->tok.at;
    p->expansion = 0;
    if (is_attr ? !mlc_parse_attribute(p, NULL, &attr) : !mlc_parse_type_into(p, &type))
        return false;
    mlc_str_map_set_u64(&p->alias_sizes, mlc_token_str(token),
                        p->expansion + (uint64_t)(p->prev_end - start));
    p->expansion = outside;
    if (p->bodies.size)
        mlc_str_map_set(&p->late_aliases, name, token.at);
    mlc_str_map_set(aliases, name, is_attr ? (const void *)attr : (const void *)type);
    return true;
}

static int
nibble(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// "0x" <alignment, 4 bytes> <data>
static bool
parse_blob(MlcParser *p, MlcStr key)
{
    MlcToken token = p->tok;
    MlcStr text;
    if (!mlc_parse_string(p, &text) || p->skips_blobs)
        return p->skips_blobs;
    if (text.size < 10 || text.data[0] != '0' || text.data[1] != 'x' || text.size % 2)
        return mlc_parser_fail_at(p, token.at, "expected hex string blob for key '%.*s'",
                                  MLC_STR_FMT(key));
    size_t size = text.size / 2 - 5;
    uint32_t alignment = 0;
    void *data;
    for (size_t i = 2; i < text.size; i++)
        if (nibble(text.data[i]) < 0)
            return mlc_parser_fail_at(p, token.at, "expected hex string blob for key '%.*s'",
                                      MLC_STR_FMT(key));
    for (unsigned i = 0; i < 4; i++)
        alignment |= (uint32_t)(nibble(text.data[2 + 2 * i]) * 16 + nibble(text.data[3 + 2 * i]))
                     << (8 * i);
    if (alignment > 4096)
        return mlc_parser_fail_at(p, token.at,
                                  "the blob of key '%.*s' asks for an alignment of %u, more than "
                                  "4096",
                                  MLC_STR_FMT(key), alignment);
    if (alignment & (alignment - 1))
        return mlc_parser_fail_at(
            p, token.at,
            "expected hex string blob for key '%.*s' to encode alignment in first 4 bytes, "
            "but got non-power-of-2 value: %u",
            MLC_STR_FMT(key), alignment);
    MlcBlob *blob = mlc_blob_create_empty(size, alignment ? alignment : 1, &data);
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)data)[i] =
            (unsigned char)(nibble(text.data[10 + 2 * i]) * 16 + nibble(text.data[11 + 2 * i]));
    mlc_dense_resource_set_blob(p->ctx, key, blob);
    mlc_blob_release(blob);
    return true;
}

// { key: "0x...", ... } of one dialect.
// The entry's value as it is printed, for tools.
static bool
parse_external_value(MlcParser *p, MlcStr section, MlcStr key)
{
    const char *from = p->tok.at;
    MlcAttr value;
    if (!mlc_parse_attribute(p, NULL, &value))
        return false;
    MlcBuf text = {0};
    if (mlc_attr_is(value, MLC_ATTR_STRING))
        mlc_buf_append_quoted(&text, mlc_string_attr_value(value));
    else
        mlc_buf_append(&text, from, (size_t)(p->prev_end - from));
    if (p->options.external)
        mlc_external_resources_add(p->options.external, section, key, mlc_buf_str(&text));
    mlc_buf_release(&text);
    return true;
}

// `section` is empty in dialect_resources, whose strings are blobs.
static bool
parse_resource_entries(MlcParser *p, MlcStr section)
{
    if (!mlc_parser_expect(p, '{', "'{'"))
        return false;
    if (mlc_parser_take(p, '}'))
        return true;
    do {
        MlcStr key;
        bool ok = mlc_parser_is(p, TOK_STRING) ? mlc_parse_string(p, &key)
                                               : mlc_parse_keyword_any(p, &key);
        if (!ok || !mlc_parser_expect(p, ':', "':'"))
            return false;
        bool is_blob = section.size == 0 && mlc_parser_is(p, TOK_STRING);
        if (is_blob ? !parse_blob(p, key) : !parse_external_value(p, section, key))
            return false;
    } while (mlc_parser_take(p, ','));
    return mlc_parser_expect(p, '}', "'}'");
}

// {-# dialect_resources: { builtin: { ... } }, external_resources: { ... } #-}
static bool
parse_file_metadata(MlcParser *p)
{
    mlc_parser_advance(p);
    if (mlc_parser_take(p, TOK_FILE_END))
        return true;
    do {
        MlcToken token = p->tok;
        MlcStr section;
        if (!mlc_parse_keyword_any(p, &section) || !mlc_parser_expect(p, ':', "':'") ||
            !mlc_parser_expect(p, '{', "'{'"))
            return false;
        bool is_dialect = mlc_token_is(token, "dialect_resources");
        if (!is_dialect && !mlc_token_is(token, "external_resources"))
            return mlc_parser_fail_at(p, token.at, "unknown key '%.*s' in file metadata dictionary",
                                      MLC_STR_FMT(section));
        if (mlc_parser_take(p, '}'))
            continue;
        do {
            MlcStr name;
            bool ok = mlc_parser_is(p, TOK_STRING) ? mlc_parse_string(p, &name)
                                                   : mlc_parse_keyword_any(p, &name);
            if (!ok || !mlc_parser_expect(p, ':', "':'") ||
                !parse_resource_entries(p, is_dialect ? mlc_str("") : name))
                return false;
        } while (mlc_parser_take(p, ','));
        if (!mlc_parser_expect(p, '}', "'}'"))
            return false;
    } while (mlc_parser_take(p, ','));
    return mlc_parser_expect(p, TOK_FILE_END, "'#-}'");
}

void
mlc_parse_external_resources(MlcContext *ctx, MlcStr text, MlcStr name,
                             MlcExternalResources *resources)
{
    const char *end = text.data + text.size, *at = end;
    do
        at = memrchr(text.data, '{', (size_t)(at - text.data));
    while (at && (end - at < 3 || at[1] != '-' || at[2] != '#'));
    MlcParser p;
    if (!at || !mlc_parser_init(&p, ctx, mlc_str_n(at, (size_t)(end - at)), name))
        return;
    p.options.external = resources;
    p.skips_blobs = true;
    (void)parse_file_metadata(&p);
    mlc_parser_release(&p);
}

static bool
resolve_locations(MlcParser *p)
{
    for (size_t i = 0; i < p->deferred_locs.size; i++)
        if (!resolve_location(p, p, &p->deferred_locs.data[i]))
            return false;
    return true;
}

static bool
report_undeclared(MlcParser *p)
{
    bool ok = true;
    for (size_t i = 0; i < p->forwards.size; i++)
        if (p->forwards.data[i].op)
            ok = mlc_parser_fail_at(p, p->forwards.data[i].at, "use of undeclared SSA value name");
    return ok;
}

static bool
parse_file(MlcParser *p, MlcBlock *block)
{
    for (;;) {
        bool ok;
        switch (p->tok.kind) {
        case 0:
            return !p->failed;
        case TOK_BAD:
            return false;
        case TOK_HASH:
        case TOK_BANG:
            ok = parse_alias(p, p->tok.kind == TOK_HASH);
            break;
        case TOK_FILE_BEGIN:
            ok = parse_file_metadata(p);
            break;
        default:
            ok = parse_operation(p, block);
        }
        if (!ok)
            return false;
    }
}

MlcOp *
mlc_make_module(MlcContext *ctx, MlcStr file)
{
    MlcStr name = mlc_str("builtin.module");
    const MlcOpDef *def = mlc_context_op(ctx, name);
    MlcOpState state = {.loc = mlc_loc_file(ctx, file, 0, 0),
                        .def = def ? def : mlc_context_unregistered_op(ctx, name),
                        .num_regions = 1};
    MlcOp *module = mlc_op_create(ctx, &state);
    if (mlc_region_is_empty(mlc_op_region(module, 0)))
        mlc_region_append(mlc_op_region(module, 0), mlc_block_create(ctx));
    return module;
}

// What is left over: everything lets go of everything first, since broken IR may refer from
// anywhere to anywhere.
void
mlc_parser_drop_leftovers(MlcParser *p)
{
    for (size_t i = 0; i < p->dead.size; i++)
        mlc_op_drop_references(p->dead.data[i]);
    for (size_t i = 0; i < p->forwards.size; i++)
        if (p->forwards.data[i].op)
            mlc_op_destroy(p->forwards.data[i].op);
    for (size_t i = 0; i < p->dead.size; i++)
        mlc_op_destroy(p->dead.data[i]);
    for (size_t i = 0; i < p->loose_blocks.size; i++)
        mlc_block_destroy(p->loose_blocks.data[i]);
    for (size_t i = 0; i < p->holders.size; i++)
        mlc_op_destroy(p->holders.data[i]);
    for (size_t i = 0; i < p->builds.size; i++) {
        MlcOpBuild *op = p->builds.data[i];
        mlc_vec_release(&op->operands);
        mlc_vec_release(&op->refs);
        mlc_vec_release(&op->result_types);
        mlc_vec_release(&op->attrs);
        mlc_vec_release(&op->successors);
        mlc_vec_release(&op->regions);
    }
}

static bool
has_one_op(const MlcBlock *block)
{
    return !mlc_block_is_empty(block) && mlc_block_first(block) == mlc_block_last(block);
}

MlcOp *
mlc_parser_top_level(MlcParser *p)
{
    MlcOp *module = mlc_make_module(p->ctx, p->name);
    MlcBlock *block = mlc_region_first(mlc_op_region(module, 0));
    Scope scope = open_scope(p, true);
    bool ok = parse_file(p, block) && mlc_parser_read_bodies(p);
    ok = close_scope(p, &scope) && ok;
    ok = ok && resolve_locations(p) && report_undeclared(p);
    if (!ok) {
        mlc_vec_push(&p->dead, module);
        module = NULL;
    } else if (p->options.no_implicit_module && !has_one_op(block)) {
        size_t count = 0;
        MLC_FOR_EACH_OP (op, block)
            count++;
        mlc_error(p->ctx, mlc_op_loc(module),
                  "source must contain a single top-level operation, found: %zu", count);
        mlc_op_destroy(module);
        module = NULL;
    } else if (has_one_op(block) && (p->options.no_implicit_module ||
                                     mlc_op_isa(mlc_block_first(block), mlc_op_def(module)))) {
        MlcOp *only = mlc_block_first(block);
        mlc_op_remove(only);
        mlc_op_destroy(module);
        module = only;
    }
    mlc_parser_drop_leftovers(p);
    return module;
}

MlcOp *
mlc_parse_text(MlcContext *ctx, MlcStr text, MlcStr name, const MlcParseOptions *options)
{
    MlcParser p;
    mlc_context_add_source(ctx, name, text);
    MlcOp *module;
    if (mlc_parse_in_threads(ctx, text, name, options, &module))
        return module;
    if (!mlc_parser_init(&p, ctx, text, name))
        return NULL;
    if (options)
        p.options = *options;
    module = mlc_parser_top_level(&p);
    mlc_parser_release(&p);
    return module;
}

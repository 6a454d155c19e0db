// symbol.c -- symbols and tables of them; uses of a symbol are found in attributes, wherever they
// nest.
#include "mlc/ir/symbol.h"

#include "mlc/support/alloc.h"
#include "op_impl.h"

static MlcAttr
name_attr(MlcOp *symbol)
{
    MlcAttr name = mlc_op_attr(symbol, "sym_name");
    return mlc_attr_is(name, MLC_ATTR_STRING) ? name : NULL;
}

MlcStr
mlc_symbol_name(MlcOp *symbol)
{
    MlcAttr name = name_attr(symbol);
    return name ? mlc_string_attr_value(name) : (MlcStr){NULL, 0};
}

void
mlc_symbol_set_name(MlcOp *symbol, MlcStr name)
{
    mlc_op_set_attr(symbol, "sym_name", mlc_string_attr_get(symbol->ctx, name));
}

bool
mlc_op_is_symbol(MlcOp *op)
{
    return mlc_op_has_trait(op, MLC_TRAIT_SYMBOL) && name_attr(op);
}

static bool
has_visibility(MlcOp *symbol, const char *which)
{
    MlcAttr visibility = mlc_op_attr(symbol, "sym_visibility");
    return mlc_attr_is(visibility, MLC_ATTR_STRING) &&
           mlc_str_equal(mlc_string_attr_value(visibility), mlc_str(which));
}

bool
mlc_symbol_is_private(MlcOp *symbol)
{
    return has_visibility(symbol, "private");
}

bool
mlc_symbol_is_public(MlcOp *symbol)
{
    return !has_visibility(symbol, "private") && !has_visibility(symbol, "nested");
}

MlcOp *
mlc_symbol_table_of(MlcOp *op)
{
    while (op && !mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE))
        op = mlc_op_parent(op);
    return op;
}

static MlcBlock *
table_block(MlcOp *table)
{
    return table->num_regions ? mlc_op_region(table, 0)->first : NULL;
}

// While a module is verified nothing changes: lookups share one table per op then, or each would
// walk the whole block.
static _Thread_local struct {
    MlcMap tables; // symbol table op -> MlcSymbolTable
    unsigned depth;
} cache;

void
mlc_symbol_cache_begin(void)
{
    cache.depth++;
}

void
mlc_symbol_cache_end(void)
{
    if (--cache.depth > 0)
        return;
    MLC_MAP_FOR_EACH (entry, &cache.tables)
        mlc_symbol_table_destroy(mlc_map_entry_value(entry));
    mlc_map_release(&cache.tables);
}

static MlcOp *
lookup_cached(MlcOp *table, MlcAttr name)
{
    MlcSymbolTable *symbols = mlc_map_get(&cache.tables, table);
    if (!symbols) {
        symbols = mlc_symbol_table_create(table);
        mlc_map_set(&cache.tables, table, symbols);
    }
    return mlc_symbol_table_lookup(symbols, mlc_string_attr_value(name));
}

static MlcOp *
lookup_name(MlcOp *table, MlcAttr name)
{
    if (cache.depth)
        return lookup_cached(table, name);
    MlcBlock *block = table_block(table);
    for (MlcOp *op = block ? block->first : NULL; op; op = op->next)
        if (name_attr(op) == name)
            return op;
    return NULL;
}

MlcOp *
mlc_symbol_lookup(MlcOp *table, MlcStr name)
{
    return lookup_name(table, mlc_string_attr_get(table->ctx, name));
}

// @a::@b from one table: a there, then b in the table that a is.
static MlcOp *
lookup_path(MlcOp *table, MlcAttr ref)
{
    MlcOp *op = table;
    for (size_t i = 0; i < ref->array.size && op; i++) {
        if (!mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE))
            return NULL;
        op = lookup_name(op, ref->array.elements[i]);
    }
    return op;
}

MlcOp *
mlc_symbol_lookup_ref(MlcOp *from, MlcAttr symbol_ref)
{
    assert(mlc_attr_is(symbol_ref, MLC_ATTR_SYMBOL_REF));
    for (MlcOp *table = mlc_symbol_table_of(from); table;) {
        MlcOp *found = lookup_path(table, symbol_ref);
        if (found)
            return found;
        MlcOp *parent = mlc_op_parent(table);
        table = parent ? mlc_symbol_table_of(parent) : NULL;
    }
    return NULL;
}

// --- tables

struct MlcSymbolTable {
    MlcOp *op;
    MlcMap symbols;  // name attribute -> op
    MlcMap suffixes; // name attribute -> the number tried last
};

MlcSymbolTable *
mlc_symbol_table_create(MlcOp *table)
{
    MlcSymbolTable *t = mlc_calloc(1, sizeof *t);
    t->op = table;
    MlcBlock *block = table_block(table);
    for (MlcOp *op = block ? block->first : NULL; op; op = op->next) {
        MlcAttr name = name_attr(op);
        if (name && !mlc_map_has(&t->symbols, name)) // of two with one name the first counts
            mlc_map_set(&t->symbols, name, op);
    }
    return t;
}

void
mlc_symbol_table_destroy(MlcSymbolTable *table)
{
    if (!table)
        return;
    mlc_map_release(&table->symbols);
    mlc_map_release(&table->suffixes);
    mlc_free(table);
}

MlcOp *
mlc_symbol_table_lookup(MlcSymbolTable *table, MlcStr name)
{
    return mlc_map_get(&table->symbols, mlc_string_attr_get(table->op->ctx, name));
}

static void
make_name_unique(MlcSymbolTable *table, MlcOp *symbol)
{
    MlcAttr wanted = name_attr(symbol), name = wanted;
    MlcMapEntry *suffix = mlc_map_insert(&table->suffixes, mlc_word(wanted), NULL);
    MlcBuf text = {0};
    while (mlc_map_has(&table->symbols, name)) {
        mlc_buf_clear(&text);
        mlc_buf_append_str(&text, mlc_string_attr_value(wanted));
        mlc_buf_printf(&text, "_%llu", (unsigned long long)suffix->value++);
        name = mlc_string_attr_get(symbol->ctx, mlc_buf_str(&text));
    }
    mlc_buf_release(&text);
    mlc_symbol_set_name(symbol, mlc_string_attr_value(name));
}

void
mlc_symbol_table_insert(MlcSymbolTable *table, MlcOp *symbol)
{
    assert(name_attr(symbol));
    if (mlc_map_get(&table->symbols, name_attr(symbol)) == symbol)
        return;
    if (mlc_map_has(&table->symbols, name_attr(symbol)))
        make_name_unique(table, symbol);
    mlc_map_set(&table->symbols, name_attr(symbol), symbol);
    if (!symbol->block)
        mlc_block_append(table_block(table->op), symbol);
}

void
mlc_symbol_table_erase(MlcSymbolTable *table, MlcOp *symbol)
{
    mlc_map_erase(&table->symbols, name_attr(symbol));
    mlc_op_erase(symbol);
}

// --- uses

// Rewrites attributes with new first names in their symbol references, or looks for one name.
// Attributes nest as deep as the parser allows.
typedef struct Renaming {
    const MlcMap *names; // from string attribute to string attribute; NULL: only looks for
    MlcAttr wanted;
    bool found;
} Renaming;

static MlcAttr rename_in(MlcAttr attr, Renaming *r);

static MlcAttr
rename_ref(MlcAttr attr, Renaming *r)
{
    MlcAttr name = attr->array.elements[0], to = r->names ? mlc_map_get(r->names, name) : NULL;
    r->found |= to || name == r->wanted;
    if (!to)
        return attr;
    MLC_VEC(MlcStr) path = {0};
    mlc_vec_push(&path, mlc_string_attr_value(to));
    for (size_t i = 1; i < attr->array.size; i++)
        mlc_vec_push(&path, mlc_symbol_ref_attr_name(attr, i));
    MlcAttr renamed = mlc_symbol_ref_attr_get_nested(attr->ctx, path.data, path.size);
    mlc_vec_release(&path);
    return renamed;
}

static MlcAttr
rename_in_list(MlcAttr attr, const MlcAttr *elements, size_t n, Renaming *r)
{
    MlcAttr *renamed = mlc_malloc(n * sizeof *renamed);
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        renamed[i] = elements[i] ? rename_in(elements[i], r) : NULL;
        changed |= renamed[i] != elements[i];
    }
    if (changed)
        attr = attr->kind == MLC_ATTR_ARRAY
                   ? mlc_array_attr_get(attr->ctx, renamed, n)
                   : mlc_dialect_attr_get(attr->ctx, attr->dialect.def, renamed, n);
    mlc_free(renamed);
    return attr;
}

static MlcAttr
rename_in_dict(MlcAttr attr, Renaming *r)
{
    MlcAttr renamed = attr;
    for (size_t i = 0; i < attr->dict.size; i++) {
        MlcNamedAttr entry = attr->dict.entries[i];
        MlcAttr value = rename_in(entry.value, r);
        if (value != entry.value)
            renamed =
                mlc_dict_attr_with(attr->ctx, renamed, mlc_string_attr_value(entry.name), value);
    }
    return renamed;
}

static MlcAttr
rename_in(MlcAttr attr, Renaming *r)
{
    if (r->found && !r->names)
        return attr;
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_SYMBOL_REF:
        return rename_ref(attr, r);
    case MLC_ATTR_ARRAY:
        return rename_in_list(attr, attr->array.elements, attr->array.size, r);
    case MLC_ATTR_DIALECT:
        return rename_in_list(attr, attr->dialect.params, attr->dialect.num_params, r);
    case MLC_ATTR_DICT:
        return rename_in_dict(attr, r);
    default:
        return attr;
    }
}

static void
rename_in_op(MlcOp *op, Renaming *r)
{
    MlcAttr *slots = mlc_op_slots_(op);
    for (size_t i = 0; i < op->num_slots; i++) {
        MlcAttr renamed = slots[i] ? rename_in(slots[i], r) : NULL;
        if (renamed != slots[i]) {
            slots[i] = renamed;
            mlc_count_edit(op);
        }
    }
    if (op->dict)
        mlc_op_set_discardable(op, rename_in(op->dict, r));
}

// Ops below `root`; inside a nested symbol table the name may mean another symbol, so its ops are
// left out, but the table's own attributes are not.
static bool
rename_below(MlcOp *root, Renaming *r)
{
    for (size_t i = 0; i < root->num_regions; i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(root, i))
            MLC_FOR_EACH_OP (top, block) {
                for (MlcOp *op = top; op && (r->names || !r->found);) {
                    rename_in_op(op, r);
                    MlcOp *next = mlc_op_preorder_next(op, top);
                    if (mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE))
                        while (next && mlc_op_is_ancestor(op, next))
                            next = mlc_op_preorder_next(next, top);
                    op = next;
                }
            }
    return r->found;
}

bool
mlc_symbol_has_uses(MlcOp *symbol, MlcOp *root)
{
    Renaming r = {.wanted = name_attr(symbol)};
    return r.wanted && rename_below(root, &r);
}

bool
mlc_symbol_rename_uses(MlcOp *root, const MlcMap *names)
{
    Renaming r = {.names = names};
    return rename_below(root, &r);
}

// --- visits

typedef struct Visit {
    MlcSymbolUseFn visit;
    void *data;
    MlcOp *user;
} Visit;

// Attributes nest as deep as the parser allows.
static void
visit_attr(MlcAttr attr, const Visit *v)
{
    if (!attr)
        return;
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_SYMBOL_REF:
        v->visit(v->user, attr, v->data);
        return;
    case MLC_ATTR_ARRAY:
        for (size_t i = 0; i < attr->array.size; i++)
            visit_attr(attr->array.elements[i], v);
        return;
    case MLC_ATTR_DIALECT:
        for (size_t i = 0; i < attr->dialect.num_params; i++)
            visit_attr(attr->dialect.params[i], v);
        return;
    case MLC_ATTR_DICT:
        for (size_t i = 0; i < attr->dict.size; i++)
            visit_attr(attr->dict.entries[i].value, v);
        return;
    default:
        return;
    }
}

static void
visit_attrs(MlcOp *op, Visit *v)
{
    v->user = op;
    for (size_t i = 0; i < op->num_slots; i++)
        visit_attr(mlc_op_slots_(op)[i], v);
    visit_attr(op->dict, v);
}

static bool
may_be_unknown_table(const MlcOp *op)
{
    return op->num_regions == 1 && !op->def->dialect;
}

bool
mlc_symbol_visit_uses(MlcOp *from, bool itself, MlcSymbolUseFn visit, void *data)
{
    Visit v = {visit, data, NULL};
    if (itself && may_be_unknown_table(from))
        return false;
    if (itself)
        visit_attrs(from, &v);
    if (itself && mlc_op_has_trait(from, MLC_TRAIT_SYMBOL_TABLE))
        return true;
    for (MlcOp *op = mlc_op_preorder_next(from, from), *next; op; op = next) {
        visit_attrs(op, &v);
        if (may_be_unknown_table(op))
            return false;
        next = mlc_op_preorder_next(op, from);
        if (mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE))
            while (next && mlc_op_is_ancestor(op, next))
                next = mlc_op_preorder_next(next, from);
    }
    return true;
}

// print_alias.c -- which attributes, types and locations get an alias, in MLIR's order.
//
// Aliases are found by printing everything once into a buffer that is thrown away: what is not
// printed gets none. Ops that hold nothing with an affine map, set or the like are skipped over
// (unless locations are printed), so that this costs little on most files. An alias's number counts
// those of its name, after a stable sort by depth (what it contains comes before it), types first,
// then name. Those used by locations of ops only are printed at the end of the file.
#include <stdlib.h>

#include "op/op_impl.h"
#include "print_shape.h"

static const char *
mnemonic(const MlcAttrDef *def)
{
    return strchr(def->name, '.') + 1;
}

// The alias an attribute, type or location would like.
static const char *
wanted_name(const void *symbol, bool is_type, bool is_loc)
{
    if (is_loc)
        return "loc";
    if (is_type) {
        MlcType type = symbol;
        return mlc_type_is(type, MLC_TYPE_TUPLE) && mlc_tuple_type_size(type) > 16 ? "tuple" : NULL;
    }
    MlcAttr attr = symbol;
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_AFFINE_MAP:
        return "map";
    case MLC_ATTR_INTEGER_SET:
        return "set";
    case MLC_ATTR_DISTINCT:
        return mlc_attr_is(mlc_distinct_attr_referenced(attr), MLC_ATTR_UNIT) ? NULL : "distinct";
    case MLC_ATTR_DIALECT:
        return mlc_dialect_attr_def(attr)->has_alias ? mnemonic(mlc_dialect_attr_def(attr)) : NULL;
    default:
        return NULL;
    }
}

static void
forbid_deferring(MlcPrinter *p, uint32_t index)
{
    MlcAlias *alias = &p->aliases.data[index];
    if (!alias->can_defer)
        return;
    alias->can_defer = false;
    for (size_t i = 0; i < alias->children.size; i++)
        forbid_deferring(p, alias->children.data[i]);
}

// Visits children by printing the body; the text goes away.
static void
visit_children(MlcPrinter *p, const void *symbol, bool is_type, bool is_loc)
{
    size_t start = p->buf->size;
    if (is_type)
        mlc_print_type_body(p, symbol);
    else if (is_loc)
        mlc_print_loc_body(p, (MlcLoc)symbol, false, true);
    else
        mlc_print_attr_body(p, symbol, MLC_TYPE_NEVER_ELIDED);
    p->buf->size = start;
}

bool
mlc_visit_symbol(MlcPrinter *p, const void *symbol, bool is_type, bool is_loc)
{
    bool inserted;
    MlcMapEntry *entry = mlc_map_insert(&p->alias_index, (uint64_t)(uintptr_t)symbol, &inserted);
    uint32_t index;
    if (!inserted) {
        index = (uint32_t)entry->value - 1;
        if (!p->can_defer)
            forbid_deferring(p, index);
    } else {
        entry->value = p->aliases.size + 1;
        index = (uint32_t)p->aliases.size;
        const char *name = wanted_name(symbol, is_type, is_loc);
        mlc_vec_push(&p->aliases, (MlcAlias){.symbol = symbol,
                                             .name = name,
                                             .depth = name != NULL,
                                             .is_type = is_type,
                                             .is_loc = is_loc,
                                             .can_defer = p->can_defer});
        uint32_t outer_depth = p->max_depth;
        __typeof__(p->children) outer = p->children;
        __typeof__(*p->children) children = {0};
        p->max_depth = 0;
        p->children = &children;
        visit_children(p, symbol, is_type, is_loc);
        MlcAlias *alias = &p->aliases.data[index];
        memcpy(&alias->children, &children, sizeof children);
        if (p->max_depth)
            alias->depth = p->max_depth + 1;
        p->max_depth = outer_depth;
        p->children = outer;
    }
    if (p->children) {
        if (p->aliases.data[index].depth > p->max_depth)
            p->max_depth = p->aliases.data[index].depth;
        mlc_vec_push(p->children, index);
    }
    return true;
}

// --- what can be skipped

static bool type_is_free(MlcPrinter *p, MlcType type);
static bool attr_is_free(MlcPrinter *p, MlcAttr attr);

// Nothing inside has an alias.
static bool
inspect_attr(MlcPrinter *p, MlcAttr attr)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_UNIT:
    case MLC_ATTR_SYMBOL_REF:
    case MLC_ATTR_DENSE_ARRAY:
    case MLC_ATTR_STRIDED_LAYOUT:
        return true;
    case MLC_ATTR_INTEGER:
    case MLC_ATTR_FLOAT:
    case MLC_ATTR_STRING:
    case MLC_ATTR_DENSE:
    case MLC_ATTR_DENSE_RESOURCE:
        return !mlc_attr_type(attr) || type_is_free(p, mlc_attr_type(attr));
    case MLC_ATTR_TYPE:
        return type_is_free(p, mlc_type_attr_value(attr));
    case MLC_ATTR_ARRAY:
        for (size_t i = 0; i < mlc_array_attr_size(attr); i++)
            if (!attr_is_free(p, mlc_array_attr_element(attr, i)))
                return false;
        return true;
    case MLC_ATTR_DICT:
        for (size_t i = 0; i < mlc_dict_attr_size(attr); i++)
            if (!attr_is_free(p, mlc_dict_attr_entry(attr, i).value))
                return false;
        return true;
    case MLC_ATTR_DIALECT:
        if (mlc_dialect_attr_def(attr)->has_alias)
            return false;
        for (size_t i = 0; i < mlc_dialect_attr_num_params(attr); i++)
            if (!attr_is_free(p, mlc_dialect_attr_param(attr, i)))
                return false;
        return true;
    default:
        return false;
    }
}

static bool
attr_is_free(MlcPrinter *p, MlcAttr attr)
{
    uint64_t known;
    if (!attr)
        return true;
    MlcAttrKind kind = mlc_attr_kind(attr);
    if (kind != MLC_ATTR_ARRAY && kind != MLC_ATTR_DICT && kind != MLC_ATTR_DIALECT)
        return inspect_attr(p, attr);
    if (mlc_map_get_u64(&p->alias_free, (uint64_t)(uintptr_t)attr, &known))
        return known;
    bool is_free = inspect_attr(p, attr);
    mlc_map_set_u64(&p->alias_free, (uint64_t)(uintptr_t)attr, is_free);
    return is_free;
}

static bool
inspect_type(MlcPrinter *p, MlcType type)
{
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_COMPLEX:
    case MLC_TYPE_UNRANKED_TENSOR:
        return type_is_free(p, mlc_type_element(type));
    case MLC_TYPE_TENSOR:
        return type_is_free(p, mlc_type_element(type)) &&
               attr_is_free(p, mlc_tensor_type_encoding(type));
    case MLC_TYPE_MEMREF:
        return type_is_free(p, mlc_type_element(type)) &&
               attr_is_free(p, mlc_memref_type_layout(type)) &&
               attr_is_free(p, mlc_memref_type_memory_space(type));
    case MLC_TYPE_UNRANKED_MEMREF:
        return type_is_free(p, mlc_type_element(type)) &&
               attr_is_free(p, mlc_memref_type_memory_space(type));
    case MLC_TYPE_FUNCTION:
        for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
            if (!type_is_free(p, mlc_function_type_inputs(type)[i]))
                return false;
        for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
            if (!type_is_free(p, mlc_function_type_results(type)[i]))
                return false;
        return true;
    case MLC_TYPE_DIALECT:
        for (size_t i = 0; i < mlc_dialect_type_num_params(type); i++)
            if (!attr_is_free(p, mlc_dialect_type_param(type, i)))
                return false;
        return true;
    case MLC_TYPE_TUPLE:
        return false;
    default:
        return true;
    }
}

static bool
type_is_free(MlcPrinter *p, MlcType type)
{
    uint64_t known;
    MlcTypeKind kind = mlc_type_kind(type);
    if (kind == MLC_TYPE_INTEGER || kind == MLC_TYPE_INDEX || kind == MLC_TYPE_FLOAT)
        return true;
    if (mlc_map_get_u64(&p->alias_free, (uint64_t)(uintptr_t)type, &known))
        return known;
    bool is_free = inspect_type(p, type);
    mlc_map_set_u64(&p->alias_free, (uint64_t)(uintptr_t)type, is_free);
    return is_free;
}

static inline bool
is_free(MlcPrinter *p, const void *symbol, bool is_type)
{
    const void **recent = &p->recent_free[mlc_print_slot(symbol)];
    if (!symbol || *recent == symbol)
        return true;
    if (is_type ? !type_is_free(p, symbol) : !attr_is_free(p, symbol))
        return false;
    *recent = symbol;
    return true;
}

static bool
op_is_free(MlcPrinter *p, MlcOp *op)
{
    const MlcAttr *slots = mlc_op_slots_(op);
    for (uint32_t i = 0; i < op->num_slots; i++) // also the properties of an unregistered op
        if (!is_free(p, slots[i], false))
            return false;
    if (!is_free(p, op->dict, false))
        return false;
    for (uint32_t i = 0; i < op->num_results; i++)
        if (!is_free(p, mlc_op_results_(op)[i].type, true))
            return false;
    for (uint32_t i = 0; i < op->num_operands; i++)
        if (op->operands[i].value && !is_free(p, op->operands[i].value->type, true))
            return false;
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        for (uint32_t i = 0; i < block->num_args; i++)
            if (!is_free(p, block->args[i]->value.type, true))
                return false;
    return true;
}

static void
merge_aliases(MlcPrinter *p, const MlcPrintBody *body)
{
    MlcAliasList *list = body->found;
    size_t first_new = p->aliases.size;
    for (uint32_t i = body->first_alias; i < body->end_alias; i++) {
        const MlcAlias *alias = &list->aliases.data[i];
        bool inserted;
        MlcMapEntry *entry = mlc_map_insert(&p->alias_index, mlc_word(alias->symbol), &inserted);
        if (inserted) {
            entry->value = p->aliases.size + 1;
            mlc_vec_push(&p->aliases, *alias);
            memset(&mlc_vec_last(&p->aliases).children, 0, sizeof alias->children);
        } else if (!alias->can_defer) {
            forbid_deferring(p, (uint32_t)entry->value - 1);
        }
        list->outer[i] = (uint32_t)entry->value - 1;
    }
    for (uint32_t i = body->first_alias; i < body->end_alias; i++) {
        const MlcAlias *alias = &list->aliases.data[i];
        MlcAlias *own = &p->aliases.data[list->outer[i]];
        for (size_t j = 0; list->outer[i] >= first_new && j < alias->children.size; j++)
            mlc_vec_push(&own->children, list->outer[alias->children.data[j]]);
    }
}

bool
mlc_collect_body(MlcPrinter *p, MlcPrintBody *body)
{
    if (body->found)
        merge_aliases(p, body);
    else if (p->flags.generic && !body->num_ops)
        mlc_count_body(body, body->op);
    return body->found;
}

void
mlc_collect_from(MlcPrinter *p, MlcOp *op)
{
    MlcPrintBody *body = op->is_isolated ? mlc_print_body(p, op) : NULL;
    if (body && mlc_collect_body(p, body))
        return;
    MlcPrintShape *shape = p->flags.debug_info ? NULL : mlc_print_shape(p, op);
    if (shape && shape->is_collected)
        return;
    if (shape)
        shape->is_collected = true;
    if (p->flags.debug_info || !op_is_free(p, op)) {
        mlc_print_op(p, op); // visits what is inside its regions as well
        p->buf->size = 0;
        return;
    }
    if (!op->num_regions || p->flags.skip_regions)
        return;
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        for (MlcOp *inner = block->first; inner; inner = inner->next)
            mlc_collect_from(p, inner);
}

// --- numbers

static int
compare_aliases(const void *x, const void *y)
{
    const MlcAlias *a = x, *b = y;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    if (a->is_type != b->is_type)
        return a->is_type ? -1 : 1;
    int order = strcmp(a->name, b->name);
    return order ? order : a->number < b->number ? -1 : a->number > b->number;
}

void
mlc_collect_aliases(MlcPrinter *p, MlcOp *root)
{
    MlcBuf *out = p->buf;
    MlcBuf scratch = {0};
    p->buf = &scratch;
    p->is_collecting = true;
    mlc_collect_from(p, root);
    p->is_collecting = false;
    p->buf = out;
    mlc_buf_release(&scratch);

    // Keep those with a name, in order of first sight, which makes the sort stable.
    size_t count = 0;
    for (size_t i = 0; i < p->aliases.size; i++) {
        mlc_vec_release(&p->aliases.data[i].children);
        if (!p->aliases.data[i].name)
            continue;
        p->aliases.data[count] = p->aliases.data[i];
        p->aliases.data[count].number = (uint32_t)count;
        count++;
    }
    p->aliases.size = count;
    if (count)
        qsort(p->aliases.data, count, sizeof *p->aliases.data, compare_aliases);
    mlc_map_clear(&p->alias_index);
    MlcMap numbers = {0}; // by name: a name is one string of its definition
    for (size_t i = 0; i < count; i++) {
        MlcAlias *alias = &p->aliases.data[i];
        MlcMapEntry *next = mlc_map_insert(&numbers, (uint64_t)(uintptr_t)alias->name, NULL);
        alias->number = (uint32_t)next->value++;
        mlc_map_set_u64(&p->alias_index, (uint64_t)(uintptr_t)alias->symbol, i + 1);
    }
    mlc_map_release(&numbers);
    mlc_map_clear(&p->resource_seen);
    mlc_map_clear(&p->distinct_numbers);
    p->resources.size = 0;
    p->next_distinct = 0;
}

static void
print_name(MlcPrinter *p, const MlcAlias *alias)
{
    mlc_buf_append_char(p->buf, alias->is_type ? '!' : '#');
    mlc_buf_append_c(p->buf, alias->name);
    if (alias->number)
        mlc_buf_append_uint(p->buf, alias->number);
}

bool
mlc_print_alias(MlcPrinter *p, const void *symbol)
{
    uint64_t index;
    if (p->aliases.size == 0 ||
        !mlc_map_get_u64(&p->alias_index, (uint64_t)(uintptr_t)symbol, &index))
        return false;
    print_name(p, &p->aliases.data[index - 1]);
    return true;
}

void
mlc_print_alias_definitions(MlcPrinter *p, bool deferred)
{
    for (size_t i = 0; i < p->aliases.size; i++) {
        const MlcAlias *alias = &p->aliases.data[i];
        if (alias->can_defer != deferred)
            continue;
        print_name(p, alias);
        mlc_buf_append_c(p->buf, " = ");
        if (alias->is_type) {
            mlc_print_type_body(p, alias->symbol);
        } else if (alias->is_loc) {
            mlc_buf_append_c(p->buf, "loc(");
            mlc_print_loc_body(p, (MlcLoc)alias->symbol, false, true);
            mlc_buf_append_char(p->buf, ')');
        } else {
            mlc_print_attr_body(p, alias->symbol, MLC_TYPE_NEVER_ELIDED);
        }
        mlc_buf_append_char(p->buf, '\n');
    }
}

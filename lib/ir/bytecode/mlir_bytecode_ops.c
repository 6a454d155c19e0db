// mlir_bytecode_ops.c -- the ops of a file in MLIR's bytecode.
//
// Values are numbered per isolated op: a region's own come first, those of regions inside it follow
// while they are read, and are forgotten behind them. The properties of an op are written by its
// definition, without names; what they are follows from our own record of it.
#include "mlir_bytecode.h"

#include "context/context_impl.h"

#include <stdlib.h>

#include "mlc/ir/interfaces.h"
#include "mlc/ir/loc.h"

enum { MAX_SLOTS = 256 }; // attributes that a record declares

// The order in which a value's uses stood, if it is not that of reading: the use that comes i-th,
// the last one read first, stood at places[i].
typedef struct UseOrder {
    MlcValue *value;
    uint64_t index; // of it, among the results or arguments
    uint64_t *places;
    size_t size;
    bool is_pairs; // (i, place) of those that moved
} UseOrder;

// What is read of one isolated op.
typedef struct Scope {
    BytecodeCursor *c;
    MLC_VEC(MlcValue *) values;
    size_t num_open; // used before their definition
    uint64_t depth;
    MLC_VEC(UseOrder) orders;
    // Of the op being read.
    MLC_VEC(MlcValue *) operands;
    MLC_VEC(MlcType) types;
    MLC_VEC(MlcBlock *) successors;
} Scope;

// Of a region that is being read.
typedef struct Region {
    MlcBlock **blocks;
    size_t num_blocks, next, end; // numbers of its own values
} Region;

// Of an op: what its attributes say.
typedef struct OpAttrs {
    MlcAttr dict, properties;
    MlcAttr slots[MAX_SLOTS];
} OpAttrs;

// ---- values

static bool
get_value(Scope *s, MlcValue **value)
{
    uint64_t number;
    if (!mlir_get(s->c, &number))
        return false;
    if (number >= s->values.size)
        return bytecode_fail(s->c, "invalid value index: %llu", (unsigned long long)number);
    if (!s->values.data[number]) {
        s->values.data[number] = bytecode_make_placeholder(s->c->file->ctx);
        s->num_open++;
    }
    *value = s->values.data[number];
    return true;
}

static bool
has_room(Scope *s, const Region *region, size_t n)
{
    return n <= region->end - region->next ||
           bytecode_fail(s->c,
                         "value index range was outside of the expected range for the parent "
                         "region, got [%zu, %zu), but the maximum index was %zu",
                         region->next, region->next + n, s->values.size - (s->values.size > 0));
}

static void
define(Scope *s, Region *region, MlcValue *value)
{
    MlcValue *before = s->values.data[region->next];
    s->values.data[region->next++] = value;
    if (before) {
        bytecode_replace_placeholder(before, value);
        s->num_open--;
    }
}

// ---- orders of uses

static bool
get_use_order(BytecodeCursor *c, UseOrder *order)
{
    uint64_t n;
    if (!mlir_get_flagged(c, &n, &order->is_pairs))
        return false;
    if (n > (uint64_t)(c->end - c->at) || (order->is_pairs && n % 2))
        return bytecode_fail(c, "an order of %llu uses", (unsigned long long)n);
    order->size = (size_t)n;
    order->places = MLC_NEW_ARRAY(&c->file->arena, uint64_t, order->size);
    for (size_t i = 0; i < order->size; i++)
        if (!mlir_get(c, &order->places[i]))
            return false;
    return true;
}

// Orders for some of `n` results or arguments; which values those are, the caller knows.
static bool
get_use_orders(Scope *s, size_t n)
{
    uint64_t count = 1;
    if (n == 0 || (n > 1 && !mlir_get(s->c, &count)))
        return bytecode_fail(s->c, "orders of uses without values");
    for (uint64_t i = 0; i < count; i++) {
        UseOrder order = {0};
        if ((n > 1 && !mlir_get(s->c, &order.index)) || !get_use_order(s->c, &order))
            return false;
        if (order.index >= n)
            return bytecode_fail(s->c, "an order of uses of value %llu of %zu",
                                 (unsigned long long)order.index, n);
        mlc_vec_push(&s->orders, order);
    }
    return true;
}

typedef struct PlacedUse {
    uint64_t op; // its number in the order of reading
    size_t operand;
    MlcUse *use;
} PlacedUse;

static int
compare_last_first(const void *a, const void *b)
{
    const PlacedUse *x = a, *y = b;
    if (x->op != y->op)
        return x->op > y->op ? -1 : 1;
    return x->operand > y->operand ? -1 : x->operand < y->operand;
}

// Where each use goes: places[i], or i itself if no pair moves it. False: no permutation.
static bool
expand_order(const UseOrder *order, size_t n, uint64_t *places)
{
    bool *taken = mlc_calloc(n + 1, sizeof *taken);
    bool ok = order->is_pairs || order->size == n;
    for (size_t i = 0; i < n; i++)
        places[i] = order->is_pairs || !ok ? i : order->places[i];
    for (size_t i = 0; ok && order->is_pairs && i < order->size; i += 2)
        if ((ok = order->places[i] < n))
            places[order->places[i]] = order->places[i + 1];
    for (size_t i = 0; ok && i < n; i++) {
        ok = places[i] < n && !taken[places[i]];
        if (ok)
            taken[places[i]] = true;
    }
    mlc_free(taken);
    return ok;
}

static bool
apply_use_order(Scope *s, const UseOrder *order, const MlcMap *numbers)
{
    MLC_VEC(PlacedUse) uses = {0};
    for (MlcUse *use = order->value->first_use; use; use = use->next) {
        PlacedUse placed = {.operand = (size_t)(use - use->owner->operands), .use = use};
        mlc_map_get_u64(numbers, mlc_word(use->owner), &placed.op);
        mlc_vec_push(&uses, placed);
    }
    if (uses.size > 1)
        qsort(uses.data, uses.size, sizeof *uses.data, compare_last_first);
    uint64_t *places = mlc_calloc(uses.size + 1, sizeof *places);
    MlcUse **ordered = mlc_calloc(uses.size + 1, sizeof(MlcUse *));
    bool ok = expand_order(order, uses.size, places) ||
              bytecode_fail(s->c, "an order of uses is no permutation of %zu", uses.size);
    for (size_t i = 0; ok && i < uses.size; i++) {
        ordered[places[i]] = uses.data[i].use;
        mlc_use_unlink_(uses.data[i].use);
    }
    for (size_t i = uses.size; ok && i-- > 0;) // each goes to the front
        mlc_use_link_(ordered[i], order->value);
    mlc_free(ordered);
    mlc_free(places);
    mlc_vec_release(&uses);
    return ok;
}

static bool
apply_use_orders(Scope *s, MlcOp *root)
{
    MlcMap numbers = {0};
    uint64_t next = 0;
    if (s->orders.size > 0)
        for (MlcOp *op = root; op; op = mlc_op_preorder_next(op, root))
            mlc_map_set_u64(&numbers, mlc_word(op), next++);
    bool ok = true;
    for (size_t i = 0; ok && i < s->orders.size; i++)
        ok = apply_use_order(s, &s->orders.data[i], &numbers);
    mlc_map_release(&numbers);
    return ok;
}

// ---- attributes

// The definition of a name that is used, and its slots in the order of their names.
static bool
resolve_name(BytecodeCursor *c, MlirName *name)
{
    if (name->def)
        return true;
    const MlcOpDef *def = bytecode_find_op(c, name->text);
    if (!def)
        return false;
    if (def->num_attrs > MAX_SLOTS)
        return bytecode_fail(c, "'%s' has too many attributes", def->name);
    name->order = MLC_NEW_ARRAY(&c->file->arena, uint16_t, def->num_attrs);
    mlir_order_slots(def, name->order);
    name->def = def;
    return true;
}

// The sizes of groups: all of them, or those that are not 0 with their positions in the low bits.
static bool
get_segments(BytecodeCursor *c, size_t num_groups, MlcAttr *attr)
{
    int32_t sizes[MAX_SLOTS] = {0};
    uint64_t n, bits = 0, value;
    bool is_sparse;
    if (!mlir_get_flagged(c, &n, &is_sparse) || (is_sparse && n > 0 && !mlir_get(c, &bits)))
        return false;
    if (n > num_groups || num_groups > MAX_SLOTS || bits > 16)
        return bytecode_fail(c, "%llu sizes of %zu groups", (unsigned long long)n, num_groups);
    for (uint64_t i = 0; i < n; i++) {
        if (!mlir_get(c, &value))
            return false;
        uint64_t at = is_sparse ? value & ((UINT64_C(1) << bits) - 1) : i;
        value = is_sparse ? value >> bits : value;
        if (at >= num_groups || value > INT32_MAX)
            return bytecode_fail(c, "group %llu of %zu has size %llu", (unsigned long long)at,
                                 num_groups, (unsigned long long)value);
        sizes[at] = (int32_t)value;
    }
    *attr = mlc_i32_array_attr_get(c->file->ctx, sizes, num_groups);
    return true;
}

static bool
get_number(BytecodeCursor *c, const MlcAttrSlot *slot, MlcAttr *attr)
{
    uint64_t value;
    const MlcConstraint *constraint = slot->constraint;
    const MlcAttrDef *def =
        constraint->kind == MLC_CONSTRAINT_DIALECT_ATTR && constraint->num_names == 1
            ? mlc_context_attr(c->file->ctx, mlc_str(constraint->names[0]))
            : NULL;
    if (!mlir_get(c, &value))
        return false;
    if (!def || !bytecode_is_enum_case(def, (int64_t)value))
        return bytecode_fail(c, "'%s' cannot be %llu", slot->name, (unsigned long long)value);
    *attr = mlc_enum_attr_get(c->file->ctx, def, (int64_t)value);
    return true;
}

static bool
get_inherent(BytecodeCursor *c, const MlcOpDef *def, size_t slot, MlcAttr *attr)
{
    const MlcAttrSlot *s = &def->attrs[slot];
    if (s->is_number)
        return get_number(c, s, attr);
    bool may_lack = s->optional || (s->default_text && !mlir_is_segments(def, slot));
    return may_lack ? mlir_get_optional_attr(c, attr) : mlir_get_attr(c, attr);
}

// As the op's definition in MLIR writes them.
static bool
get_native_properties(BytecodeCursor *c, const MlirName *name, OpAttrs *attrs)
{
    const MlcOpDef *def = name->def;
    bool plain_segments = c->file->mlir->version >= MLIR_VERSION_SEGMENTS;
    for (size_t i = 0; i < def->num_attrs; i++) {
        size_t slot = name->order[i];
        if (!(plain_segments && mlir_is_segments(def, slot)) &&
            !get_inherent(c, def, slot, &attrs->slots[slot]))
            return false;
    }
    for (size_t slot = 0; plain_segments && slot < def->num_attrs; slot++) {
        if (!mlir_is_segments(def, slot))
            continue;
        bool of_operands = def->attrs[slot].name[0] == 'o';
        if (!get_segments(c, of_operands ? def->num_operands : def->num_results,
                          &attrs->slots[slot]))
            return false;
    }
    return true;
}

static bool
get_properties(Scope *s, const MlirName *name, MlcLoc loc, OpAttrs *attrs)
{
    MlcBytecode *file = s->c->file;
    const MlirBytecode *m = file->mlir;
    uint64_t index;
    if (!mlir_get(s->c, &index))
        return false;
    if (index >= m->num_properties)
        return bytecode_fail(s->c, "invalid properties index: %llu", (unsigned long long)index);
    BytecodePiece piece = m->properties[index];
    BytecodeCursor c = {piece.at, piece.at + piece.size, file};
    bool is_known = name->def->dialect != NULL, ok;
    if (is_known && name->was_registered) {
        ok = get_native_properties(&c, name, attrs);
    } else if (!name->was_registered) {
        ok = mlir_get_attr(&c, &attrs->properties) &&
             (!is_known || mlc_attr_is(attrs->properties, MLC_ATTR_DICT) ||
              mlir_fail_attr(&c, "DictionaryAttr", attrs->properties));
    } else if (piece.size == 0) {
        ok = true;
    } else {
        file->failed = true;
        return mlc_error(file->ctx, loc,
                         "the properties of '%.*s' cannot be read: they are in the encoding of "
                         "its definition, which is not known here",
                         MLC_STR_FMT(name->text));
    }
    if (ok && c.at != c.end)
        ok = bytecode_fail(&c, "more properties than are known");
    if (!ok)
        mlc_note(file->ctx, loc, "in the properties of '%.*s'", MLC_STR_FMT(name->text));
    return ok;
}

// ---- ops

static bool
get_operands(Scope *s)
{
    size_t n;
    if (!mlir_get_count(s->c, &n) || !bytecode_check_limit(s->c, n, "operands"))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcValue *value = NULL;
        if (!get_value(s, &value))
            return false;
        mlc_vec_push(&s->operands, value);
    }
    return true;
}

static bool
get_results(Scope *s)
{
    size_t n;
    if (!mlir_get_count(s->c, &n) || !bytecode_check_limit(s->c, n, "results"))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcType type;
        if (!mlir_get_type(s->c, &type))
            return false;
        mlc_vec_push(&s->types, type);
    }
    return true;
}

static bool
get_successors(Scope *s, const Region *region)
{
    size_t n;
    if (!mlir_get_count(s->c, &n) || !bytecode_check_limit(s->c, n, "successors"))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t block;
        if (!mlir_get(s->c, &block))
            return false;
        if (block >= region->num_blocks)
            return bytecode_fail(s->c, "invalid successor index: %llu", (unsigned long long)block);
        mlc_vec_push(&s->successors, region->blocks[block]);
    }
    return true;
}

// Attributes of a dictionary go to the slots they belong to: older versions have no properties, and
// an op may have got a definition since.
static MlcOp *
make_op(Scope *s, MlcOpState *state, const OpAttrs *attrs)
{
    MlcContext *ctx = s->c->file->ctx;
    const MlcOpDef *def = state->def;
    MlcAttr dict = attrs->dict;
    for (size_t i = 0;
         def->dialect && attrs->properties && i < mlc_dict_attr_size(attrs->properties); i++) {
        MlcNamedAttr entry = mlc_dict_attr_entry(attrs->properties, i);
        dict = mlc_dict_attr_with(ctx, dict, mlc_string_attr_value(entry.name), entry.value);
    }
    size_t n = dict ? mlc_dict_attr_size(dict) : 0;
    MlcNamedAttr *named = n ? mlc_calloc(n, sizeof *named) : NULL;
    for (size_t i = 0; i < n; i++)
        named[i] = mlc_dict_attr_entry(dict, i);
    state->attrs = named;
    state->num_attrs = n;
    state->properties = def->dialect ? NULL : attrs->properties;
    state->operands = s->operands.data;
    state->num_operands = s->operands.size;
    state->result_types = s->types.data;
    state->num_results = s->types.size;
    state->successors = s->successors.data;
    state->num_successors = s->successors.size;
    MlcOp *op = mlc_op_create(ctx, state);
    for (size_t i = 0; def->dialect && i < def->num_attrs; i++)
        if (attrs->slots[i])
            mlc_op_slots_(op)[i] = attrs->slots[i];
    mlc_free(named);
    return op;
}

static bool read_regions(Scope *s, MlcOp *op, bool is_isolated);

static bool
get_op_attrs(Scope *s, unsigned parts, const MlirName *name, MlcLoc loc, OpAttrs *attrs)
{
    attrs->dict = attrs->properties = NULL;
    memset(attrs->slots, 0, name->def->num_attrs * sizeof(MlcAttr));
    if ((parts & MLIR_OP_ATTRS) && (!mlir_get_attr(s->c, &attrs->dict) ||
                                    (!mlc_attr_is(attrs->dict, MLC_ATTR_DICT) &&
                                     !mlir_fail_attr(s->c, "DictionaryAttr", attrs->dict))))
        return false;
    return !(parts & MLIR_OP_PROPERTIES) || get_properties(s, name, loc, attrs);
}

static bool
read_op(Scope *s, Region *region, MlcBlock *block)
{
    MlirBytecode *m = s->c->file->mlir;
    uint64_t index, num_regions = 0;
    uint8_t parts;
    bool is_isolated = false;
    OpAttrs attrs;
    MlcOpState state = {0};
    if (!mlir_get(s->c, &index))
        return false;
    if (index >= m->num_names)
        return bytecode_fail(s->c, "invalid operation name index: %llu", (unsigned long long)index);
    MlirName *name = &m->names[index];
    if (!mlir_get_byte(s->c, &parts) || !mlir_get_loc(s->c, &state.loc) ||
        !resolve_name(s->c, name))
        return false;
    state.def = name->def;
    s->operands.size = s->types.size = s->successors.size = 0;
    size_t first_order = s->orders.size;
    if (!get_op_attrs(s, parts, name, state.loc, &attrs) ||
        ((parts & MLIR_OP_RESULTS) && !get_results(s)) ||
        ((parts & MLIR_OP_OPERANDS) && !get_operands(s)) ||
        ((parts & MLIR_OP_SUCCESSORS) && !get_successors(s, region)) ||
        ((parts & MLIR_OP_USE_ORDERS) && !get_use_orders(s, s->types.size)) ||
        ((parts & MLIR_OP_REGIONS) && !mlir_get_flagged(s->c, &num_regions, &is_isolated)) ||
        !bytecode_check_limit(s->c, num_regions, "regions"))
        return false;
    state.num_regions = num_regions;
    MlcOp *op = make_op(s, &state, &attrs);
    mlc_block_append(block, op);
    for (size_t i = first_order; i < s->orders.size; i++)
        s->orders.data[i].value = mlc_op_result(op, s->orders.data[i].index);
    if (!has_room(s, region, mlc_op_num_results(op)))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        define(s, region, mlc_op_result(op, i));
    return num_regions == 0 || read_regions(s, op, is_isolated);
}

// ---- blocks and regions

static bool
read_args(Scope *s, Region *region, MlcBlock *block)
{
    MlcBytecode *file = s->c->file;
    uint64_t version = file->mlir->version;
    size_t n, first_order = s->orders.size;
    uint8_t has_orders = 0;
    if (!mlir_get_count(s->c, &n) || !bytecode_check_limit(s->c, n, "block arguments") ||
        !has_room(s, region, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t type_index;
        bool has_loc = true;
        MlcType type;
        MlcLoc loc = mlc_loc_unknown(file->ctx);
        bool ok = version < MLIR_VERSION_ARGUMENT_LOCS
                      ? mlir_get(s->c, &type_index)
                      : mlir_get_flagged(s->c, &type_index, &has_loc);
        if (!ok || !mlir_get_type_at(s->c, type_index, &type) ||
            (has_loc && !mlir_get_loc(s->c, &loc)))
            return false;
        define(s, region, mlc_block_add_arg(block, type, loc));
    }
    if (version < MLIR_VERSION_USE_ORDERS)
        return true;
    if (!mlir_get_byte(s->c, &has_orders) || (has_orders && !get_use_orders(s, n)))
        return false;
    for (size_t i = first_order; i < s->orders.size; i++)
        s->orders.data[i].value = mlc_block_arg(block, s->orders.data[i].index);
    return true;
}

static bool
read_block(Scope *s, Region *region, MlcBlock *block)
{
    uint64_t ops;
    bool has_args;
    if (!mlir_get_flagged(s->c, &ops, &has_args) || (has_args && !read_args(s, region, block)))
        return false;
    for (uint64_t i = 0; i < ops; i++)
        if (!read_op(s, region, block))
            return false;
    return true;
}

static bool
read_region(Scope *s, MlcRegion *into)
{
    MlcContext *ctx = s->c->file->ctx;
    Region region = {.next = s->values.size};
    size_t num_values;
    if (!mlir_get_count(s->c, &region.num_blocks))
        return false;
    if (region.num_blocks == 0)
        return true;
    if (!mlir_get_count(s->c, &num_values))
        return false;
    if (++s->depth > mlc_nesting_limit(ctx))
        return bytecode_fail(s->c, "nested deeper than the limit of %llu (--limit-nesting)",
                             (unsigned long long)mlc_nesting_limit(ctx));
    for (size_t i = 0; i < num_values; i++)
        mlc_vec_push(&s->values, NULL);
    region.end = s->values.size;
    MlcBlock *few[4];
    region.blocks =
        region.num_blocks <= 4 ? few : mlc_calloc(region.num_blocks, sizeof(MlcBlock *));
    for (size_t i = 0; i < region.num_blocks; i++)
        mlc_region_append(into, region.blocks[i] = mlc_block_create(ctx));
    bool ok = true;
    for (size_t i = 0; ok && i < region.num_blocks; i++)
        ok = read_block(s, &region, region.blocks[i]);
    if (region.blocks != few)
        mlc_free(region.blocks);
    if (ok && region.next != region.end)
        ok = bytecode_fail(s->c, s->num_open > 0
                                     ? "not all forward unresolved forward operand references"
                                     : "a region does not define all of its values");
    if (ok) // else placeholders are looked for among them
        s->values.size = region.end - num_values;
    s->depth--;
    return ok;
}

// Placeholders may be in use still: everything lets go of everything first.
static bool
finish_scope(Scope *s, MlcOp *op, bool ok)
{
    if (ok && s->num_open > 0)
        ok = bytecode_fail(s->c, "not all forward unresolved forward operand references");
    ok = ok && apply_use_orders(s, op);
    if (!ok) {
        mlc_op_drop_references(op);
        for (size_t i = 0; i < s->values.size; i++) {
            MlcOp *def = s->values.data[i] ? mlc_value_def(s->values.data[i]) : NULL;
            if (def && !def->block) // all others stand in a block
                mlc_op_destroy(def);
        }
    }
    mlc_vec_release(&s->values);
    mlc_vec_release(&s->orders);
    mlc_vec_release(&s->operands);
    mlc_vec_release(&s->types);
    mlc_vec_release(&s->successors);
    return ok;
}

static bool
read_isolated(BytecodeCursor *c, MlcOp *op, uint64_t depth)
{
    Scope s = {.c = c, .depth = depth};
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_op_num_regions(op); i++)
        ok = read_region(&s, mlc_op_region(op, i));
    return finish_scope(&s, op, ok);
}

static bool
read_regions(Scope *s, MlcOp *op, bool is_isolated)
{
    MlcBytecode *file = s->c->file;
    if (!is_isolated) {
        for (size_t i = 0; i < mlc_op_num_regions(op); i++)
            if (!read_region(s, mlc_op_region(op, i)))
                return false;
        return true;
    }
    if (file->mlir->version < MLIR_VERSION_LAZY)
        return read_isolated(s->c, op, s->depth + 1);
    MlirSection id;
    BytecodeCursor section;
    if (!mlir_get_section(s->c, &id, &section))
        return false;
    if (id != MLIR_SECTION_IR)
        return bytecode_fail(s->c, "expected IR section for region");
    if (file->options.lazy && s->depth > 0) {
        mlc_map_set_u64(&file->pending, mlc_word(op), file->pieces.size);
        mlc_vec_push(&file->pieces,
                     (BytecodePiece){section.at, (size_t)(section.end - section.at)});
        return true;
    }
    return read_isolated(&section, op, s->depth + 1) &&
           (section.at == section.end ||
            bytecode_fail(&section, "a region does not end where it should"));
}

bool
mlir_bytecode_read_body(MlcBytecode *file, BytecodePiece piece, MlcOp *op)
{
    BytecodeCursor c = {piece.at, piece.at + piece.size, file};
    return read_isolated(&c, op, 1);
}

// ---- the file

// One op is the root itself; several stand in a module.
static MlcOp *
take_root(MlcOp *holder, MlcBlock *block)
{
    MlcOp *only = mlc_block_first(block);
    if (!only || only != mlc_block_last(block))
        return holder;
    mlc_op_remove(only);
    mlc_op_destroy(holder);
    return only;
}

bool
mlir_read_ir(MlcBytecode *file)
{
    MlcContext *ctx = file->ctx;
    BytecodeCursor *c = &file->mlir->sections[MLIR_SECTION_IR];
    MlcStr module = mlc_str("builtin.module");
    const MlcOpDef *def = mlc_context_op(ctx, module);
    MlcOpState state = {.loc = mlc_loc_file(ctx, file->name, 0, 0),
                        .def = def ? def : mlc_context_unregistered_op(ctx, module),
                        .num_regions = 1};
    MlcOp *holder = mlc_op_create(ctx, &state);
    MlcBlock *block = mlc_block_create(ctx);
    mlc_region_append(mlc_op_region(holder, 0), block);
    Scope s = {.c = c};
    Region region = {.blocks = &block, .num_blocks = 1};
    bool ok = finish_scope(&s, holder, read_block(&s, &region, block));
    if (ok && c->at != c->end)
        ok = bytecode_fail(c, "the IR does not end where it should");
    if (!ok) {
        mlc_op_destroy(holder);
        return false;
    }
    file->root = take_root(holder, block);
    return true;
}

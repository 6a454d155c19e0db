// decode.c -- statements to instructions: scopes, names, operands.
//
// Opcodes are found by their first word; the function for it takes the modifiers that it knows, and
// one that nobody took is an error. Registers get their place when they are first named, so that
// `.reg .b32 %r<100000>` costs nothing.
#include "decode.h"

#include <stdarg.h>

#include "exec.h"
#include "exec_warp.h"
#include "special.h"

enum { MAX_REGISTERS = 1 << 16 };

const PtxTypeInfo ptx_types[NUM_TYPES] = {
    [TYPE_NONE] = {"", 0, CLASS_BITS},           [TYPE_PRED] = {"pred", 4, CLASS_BITS},
    [TYPE_B8] = {"b8", 1, CLASS_BITS},           [TYPE_B16] = {"b16", 2, CLASS_BITS},
    [TYPE_B32] = {"b32", 4, CLASS_BITS},         [TYPE_B64] = {"b64", 8, CLASS_BITS},
    [TYPE_B128] = {"b128", 16, CLASS_BITS},      [TYPE_U8] = {"u8", 1, CLASS_UNSIGNED},
    [TYPE_U16] = {"u16", 2, CLASS_UNSIGNED},     [TYPE_U32] = {"u32", 4, CLASS_UNSIGNED},
    [TYPE_U64] = {"u64", 8, CLASS_UNSIGNED},     [TYPE_S8] = {"s8", 1, CLASS_SIGNED},
    [TYPE_S16] = {"s16", 2, CLASS_SIGNED},       [TYPE_S32] = {"s32", 4, CLASS_SIGNED},
    [TYPE_S64] = {"s64", 8, CLASS_SIGNED},       [TYPE_F16] = {"f16", 2, CLASS_FLOAT},
    [TYPE_BF16] = {"bf16", 2, CLASS_FLOAT},      [TYPE_F16X2] = {"f16x2", 4, CLASS_FLOAT},
    [TYPE_BF16X2] = {"bf16x2", 4, CLASS_FLOAT},  [TYPE_F32] = {"f32", 4, CLASS_FLOAT},
    [TYPE_F64] = {"f64", 8, CLASS_FLOAT},        [TYPE_TF32] = {"tf32", 4, CLASS_FLOAT},
    [TYPE_E4M3] = {"e4m3", 1, CLASS_FLOAT},      [TYPE_E5M2] = {"e5m2", 1, CLASS_FLOAT},
    [TYPE_E4M3X2] = {"e4m3x2", 2, CLASS_FLOAT},  [TYPE_E5M2X2] = {"e5m2x2", 2, CLASS_FLOAT},
    [TYPE_U16X2] = {"u16x2", 4, CLASS_UNSIGNED}, [TYPE_S16X2] = {"s16x2", 4, CLASS_SIGNED},
    [TYPE_S4] = {"s4", 1, CLASS_SIGNED},         [TYPE_U4] = {"u4", 1, CLASS_UNSIGNED},
    [TYPE_B1] = {"b1", 1, CLASS_BITS},
};

bool
find_type(MlcStr name, PtxType *type)
{
    for (unsigned i = 1; i < NUM_TYPES; i++)
        if (mlc_str_equal(name, mlc_str(ptx_types[i].name))) {
            *type = (PtxType)i;
            return true;
        }
    return false;
}

static bool
error_at(Decoder *d, PtxAt at, const char *format, va_list args)
{
    MlcBuf text = {0};
    mlc_buf_vprintf(&text, format, args);
    ptx_error(d->reporter, at, "'%s' %s", d->statement->name.data, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    d->failed = d->told = true;
    return false;
}

bool
decode_error(Decoder *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_at(d, d->statement->at, format, args);
    va_end(args);
    return false;
}

bool
decode_error_at(Decoder *d, const PtxOperand *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_at(d, o ? o->at : d->statement->at, format, args);
    va_end(args);
    return false;
}

// --- modifiers

bool
take(Decoder *d, const char *modifier)
{
    for (unsigned i = 0; i < d->num_modifiers; i++)
        if (!d->used[i] && mlc_str_equal(d->modifiers[i], mlc_str(modifier))) {
            d->used[i] = true;
            return true;
        }
    return false;
}

int
take_one_of(Decoder *d, const char *const *choices)
{
    for (int i = 0; choices[i]; i++)
        if (take(d, choices[i]))
            return i;
    return -1;
}

void
take_prefixed(Decoder *d, const char *prefix)
{
    size_t size = strlen(prefix);
    for (unsigned i = 0; i < d->num_modifiers; i++)
        if (d->modifiers[i].size >= size && memcmp(d->modifiers[i].data, prefix, size) == 0)
            d->used[i] = true;
}

bool
take_type(Decoder *d, PtxType *type)
{
    for (unsigned i = 0; i < d->num_modifiers; i++)
        if (!d->used[i] && find_type(d->modifiers[i], type)) {
            d->used[i] = true;
            return true;
        }
    return decode_error(d, "names no type");
}

static void
split_modifiers(Decoder *d)
{
    MlcStr rest = d->statement->name;
    d->num_modifiers = 0;
    memset(d->used, 0, sizeof d->used);
    for (bool first = true;; first = false) {
        const char *dot = rest.size ? memchr(rest.data, '.', rest.size) : NULL;
        size_t size = dot ? (size_t)(dot - rest.data) : rest.size;
        if (!first && d->num_modifiers < MAX_MODIFIERS)
            d->modifiers[d->num_modifiers++] = mlc_str_n(rest.data, size);
        if (!dot)
            return;
        rest = mlc_str_n(dot + 1, rest.size - size - 1);
    }
}

// --- names

static void
add_symbol(Decoder *d, Symbol symbol)
{
    bool inserted;
    MlcStrMapEntry *entry = mlc_str_map_insert(&d->names, symbol.name, &inserted);
    symbol.shadowed = inserted ? 0 : (uint32_t)entry->value;
    mlc_vec_push(&d->symbols, symbol);
    entry->value = d->symbols.size;
}

static void
open_scope(Decoder *d)
{
    mlc_vec_push(&d->scopes, (uint32_t)d->symbols.size);
    mlc_vec_push(&d->scope_ids, d->next_scope++);
}

static void
close_scope(Decoder *d)
{
    uint32_t size = mlc_vec_pop(&d->scopes);
    (void)mlc_vec_pop(&d->scope_ids);
    while (d->symbols.size > size) {
        Symbol symbol = mlc_vec_pop(&d->symbols);
        mlc_str_map_insert(&d->names, symbol.name, NULL)->value = symbol.shadowed;
    }
}

static Symbol *
find_symbol(Decoder *d, MlcStr name, uint32_t *index)
{
    const MlcStrMapEntry *entry = mlc_str_map_find(&d->names, name);
    if (!entry || entry->value == 0)
        return NULL;
    *index = (uint32_t)entry->value - 1;
    return &d->symbols.data[*index];
}

// The register `number` of a symbol, made if it is new; NO_REGISTER: too many.
static uint32_t
register_of(Decoder *d, uint32_t symbol, uint32_t number, MlcStr name, unsigned width)
{
    bool inserted;
    MlcPtxEntry *e = d->entry;
    MlcMapEntry *found = mlc_map_insert(&d->registers, (uint64_t)symbol << 32 | number, &inserted);
    // Symbols of scopes that are closed give their place to others: their registers stay theirs.
    if (!inserted && mlc_str_equal(e->names.data[found->value], name) &&
        (unsigned char)d->register_width.data[found->value] == width)
        return (uint32_t)found->value;
    if (e->names.size >= MAX_REGISTERS) {
        decode_error(d, "is about more than %d registers", MAX_REGISTERS);
        return NO_REGISTER;
    }
    found->value = e->names.size;
    mlc_vec_push(&e->names, name);
    mlc_vec_push(&d->register_at, e->lane_bytes);
    mlc_buf_append_char(&d->register_width, (char)width);
    e->lane_bytes += width == 0 ? 8 : width > 4 ? 8 * LANES : 4 * LANES;
    return (uint32_t)found->value;
}

static uint32_t
register_of_name(Decoder *d, MlcStr name)
{
    uint32_t index;
    Symbol *symbol = find_symbol(d, name, &index);
    if (symbol)
        return symbol->kind == SYMBOL_REGISTER
                   ? register_of(d, index, 0, symbol->name, symbol->width)
                   : NO_REGISTER;
    size_t stem = name.size;
    while (stem > 0 && name.data[stem - 1] >= '0' && name.data[stem - 1] <= '9')
        stem--;
    char key[64];
    if (stem == name.size || stem > sizeof key - 1 || name.size - stem > 9)
        return NO_REGISTER;
    memcpy(key, name.data, stem);
    key[stem] = '<';
    symbol = find_symbol(d, mlc_str_n(key, stem + 1), &index);
    uint32_t number = 0;
    for (size_t i = stem; i < name.size; i++)
        number = number * 10 + (uint32_t)(name.data[i] - '0');
    if (!symbol || number >= symbol->value)
        return NO_REGISTER;
    return register_of(d, index, number, name, symbol->width);
}

static uint32_t
special_register(Decoder *d, MlcStr name, unsigned *bytes)
{
    SpecialKind kind;
    if (!ptx_find_special(name, &kind, bytes))
        return NO_REGISTER;
    MlcPtxEntry *e = d->entry;
    size_t before = e->names.size;
    uint32_t reg = register_of(d, UINT32_MAX, kind * 2 + (*bytes == 8), name, *bytes);
    if (reg != NO_REGISTER && e->names.size > before)
        mlc_vec_push(&e->specials,
                     (Special){(uint8_t)kind, (uint8_t)*bytes, d->register_at.data[reg], reg});
    return reg;
}

// --- operands

// {a} is a.
static PtxOperand *
only_item(PtxOperand *o)
{
    return o && o->kind == PTX_LIST && !o->first->next ? o->first : o;
}

static bool
as_register(Decoder *d, MlcStr name, Operand *out)
{
    uint32_t reg = register_of_name(d, name);
    unsigned bytes;
    if (reg == NO_REGISTER)
        reg = special_register(d, name, &bytes);
    if (reg == NO_REGISTER)
        return false;
    unsigned width = (unsigned char)d->register_width.data[reg];
    *out = (Operand){.kind = width ? OPERAND_REG : OPERAND_PRED,
                     .bytes = width > 4 ? 8 : 4,
                     .width = (uint8_t)width,
                     .reg = reg,
                     .at = d->register_at.data[reg]};
    return true;
}

static bool
check_width(Decoder *d, const PtxOperand *o, PtxType type, bool loose, const Operand *found)
{
    unsigned bytes = ptx_types[type].bytes;
    if (found->kind == OPERAND_PRED)
        return decode_error_at(d, o, "takes no predicate: '%s'", o->name.data);
    if (loose ? found->width < bytes : found->width != bytes && !(bytes == 1 && found->width == 2))
        return decode_error_at(d, o, "takes %u bits, and '%s' has %u", 8 * bytes, o->name.data,
                               8 * found->width);
    return true;
}

bool
result(Decoder *d, PtxOperand *o, PtxType type, bool loose, Operand *out)
{
    o = only_item(o);
    if (type == TYPE_PRED)
        return pred_result(d, o, out);
    *out = (Operand){0};
    if (o && o->kind == PTX_NAME && mlc_str_equal(o->name, mlc_str("_")))
        return true;
    if (!o || o->kind != PTX_NAME || o->bits || !as_register(d, o->name, out))
        return decode_error_at(d, o, "needs a register here");
    mlc_vec_push(&d->defs, out->reg);
    return check_width(d, o, type, loose, out);
}

bool
pred_result(Decoder *d, PtxOperand *o, Operand *out)
{
    *out = (Operand){0};
    if (!o || (o->kind == PTX_NAME && mlc_str_equal(o->name, mlc_str("_"))))
        return true;
    if (o->kind != PTX_NAME || !as_register(d, o->name, out) || out->kind != OPERAND_PRED)
        return decode_error_at(d, o, "needs a predicate here");
    mlc_vec_push(&d->defs, out->reg);
    return true;
}

bool
pred_source(Decoder *d, PtxOperand *o, Operand *out)
{
    *out = (Operand){0};
    if (o && o->kind == PTX_INT) {
        out->imm = o->bits;
        return true;
    }
    if (!o || o->kind != PTX_NAME || !as_register(d, o->name, out) || out->kind != OPERAND_PRED)
        return decode_error_at(d, o, "needs a predicate here");
    out->negated = o->is_not;
    mlc_vec_push(&d->uses, out->reg);
    return true;
}

// The bits of a number as an operand of that type.
static bool
literal(Decoder *d, const PtxOperand *o, PtxType type, uint64_t *bits)
{
    bool is_float = ptx_types[type].class == CLASS_FLOAT;
    *bits = o->bits;
    if (o->kind == PTX_INT && is_float && ptx_types[type].bytes >= 4 && type != TYPE_F16X2 &&
        type != TYPE_BF16X2 && type != TYPE_TF32)
        return decode_error_at(d, o, "needs a float here");
    if (o->kind == PTX_F64 && ptx_types[type].bytes == 4)
        *bits = float_bits((float)bits_double(o->bits));
    else if ((o->kind == PTX_F64 && ptx_types[type].bytes != 8) ||
             (o->kind == PTX_F32 && ptx_types[type].bytes != 4))
        return decode_error_at(d, o, "has a float of another width");
    if (ptx_types[type].bytes < 8)
        *bits &= (UINT64_C(1) << 8 * ptx_types[type].bytes) - 1;
    return true;
}

static void
add_constant(Decoder *d, uint64_t bits, unsigned bytes, Operand *out)
{
    bool inserted;
    MlcMapEntry *found =
        mlc_map_insert(bytes == 8 ? &d->wide_constants : &d->constants, bits, &inserted);
    if (inserted) {
        MlcBuf *consts = &d->entry->consts;
        found->value = consts->size;
        for (unsigned l = 0; l < LANES; l++)
            mlc_buf_append(consts, &bits, bytes);
    }
    *out = (Operand){.kind = OPERAND_CONST,
                     .bytes = (uint8_t)bytes,
                     .width = (uint8_t)bytes,
                     .reg = NO_REGISTER,
                     .at = (uint32_t)found->value,
                     .imm = bits};
}

// The address that a symbol stands for.
static bool
symbol_address(Decoder *d, MlcStr name, uint64_t *value)
{
    uint32_t index;
    Symbol *symbol = find_symbol(d, name, &index);
    if (!symbol || symbol->kind != SYMBOL_ADDRESS)
        return false;
    *value = symbol->value;
    return true;
}

bool
source(Decoder *d, PtxOperand *o, PtxType type, bool loose, Operand *out)
{
    uint64_t bits;
    o = only_item(o);
    if (type == TYPE_PRED)
        return pred_source(d, o, out);
    unsigned bytes = ptx_types[type].bytes > 4 ? 8 : 4;
    switch (o ? o->kind : PTX_ARGS) {
    case PTX_NAME:
        if (!o->bits && !o->is_not && as_register(d, o->name, out)) {
            mlc_vec_push(&d->uses, out->reg);
            return check_width(d, o, type, loose, out);
        }
        if (symbol_address(d, o->name, &bits)) {
            add_constant(d, bits + o->bits, bytes, out);
            return true;
        }
        if (mlc_str_equal(o->name, mlc_str("WARP_SZ"))) {
            add_constant(d, LANES, bytes, out);
            return true;
        }
        return decode_error_at(d, o, "names what is not declared: '%s'", o->name.data);
    case PTX_INT:
    case PTX_F32:
    case PTX_F64:
        if (!literal(d, o, type, &bits))
            return false;
        add_constant(d, bits, bytes, out);
        return true;
    default:
        return decode_error_at(d, o, "needs a register or a number here");
    }
}

bool
address(Decoder *d, PtxOperand *o, Operand *out)
{
    if (!o || o->kind != PTX_ADDRESS)
        return decode_error_at(d, o, "needs an address here");
    const PtxOperand *base = o->first;
    uint64_t offset = o->bits, value;
    Operand reg;
    *out = (Operand){.kind = OPERAND_ADDRESS, .reg = NO_REGISTER};
    if (base->kind == PTX_INT) {
        out->imm = base->bits;
    } else if (base->kind == PTX_NAME && as_register(d, base->name, &reg)) {
        if (reg.kind != OPERAND_REG || reg.width < 4)
            return decode_error_at(d, o, "needs an address of 32 or 64 bits: '%s'",
                                   base->name.data);
        *out = reg;
        out->kind = OPERAND_ADDRESS;
        out->imm = offset;
        mlc_vec_push(&d->uses, reg.reg);
    } else if (base->kind == PTX_NAME && symbol_address(d, base->name, &value)) {
        out->imm = value + offset;
    } else {
        return decode_error_at(d, o, "names what is not declared: '%s'",
                               base->kind == PTX_NAME ? base->name.data : "");
    }
    if (base->next)
        return source_list(d, base->next, TYPE_B32, false, 0, &(Operand){0}) &&
               decode_error_at(d, o, "takes no coordinates");
    return true;
}

bool
constant(Decoder *d, PtxOperand *o, uint64_t *out)
{
    if (!o || o->kind != PTX_INT)
        return decode_error_at(d, o, "needs a constant here");
    *out = o->bits;
    return true;
}

static bool
list_of(Decoder *d, PtxOperand *o, PtxType type, bool loose, unsigned count, bool is_result,
        Operand *out)
{
    uint32_t first = (uint32_t)d->entry->lists.size, num = 0;
    for (PtxOperand *item = o && o->kind == PTX_LIST ? o->first : o; item; item = item->next) {
        Operand one;
        if (!(is_result ? result : source)(d, item, type, loose, &one))
            return false;
        mlc_vec_push(&d->entry->lists, one);
        num++;
        if (o->kind != PTX_LIST)
            break;
    }
    if (count && num != count)
        return decode_error_at(d, o, "takes %u registers here, got %u", count, num);
    *out = (Operand){.kind = OPERAND_LIST, .count = num, .list = first, .reg = NO_REGISTER};
    return true;
}

bool
result_list(Decoder *d, PtxOperand *o, PtxType type, bool loose, unsigned count, Operand *out)
{
    return list_of(d, o, type, loose, count, true, out);
}

bool
source_list(Decoder *d, PtxOperand *o, PtxType type, bool loose, unsigned count, Operand *out)
{
    return list_of(d, o, type, loose, count, false, out);
}

bool
expect_operands(Decoder *d, unsigned least, unsigned most)
{
    if (d->num_written >= least && d->num_written <= most)
        return true;
    return decode_error(d, "takes %u operands, got %u", d->num_written < least ? least : most,
                        d->num_written);
}

PtxSpace
take_space(Decoder *d)
{
    static const struct {
        const char *name;
        PtxSpace space;
    } spaces[] = {
        {"global", SPACE_GLOBAL},      {"shared", SPACE_SHARED},
        {"shared::cta", SPACE_SHARED}, {"shared::cluster", SPACE_SHARED_CLUSTER},
        {"local", SPACE_LOCAL},        {"const", SPACE_CONST},
        {"param", SPACE_PARAM},        {"param::entry", SPACE_PARAM},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (take(d, spaces[i].name))
            return spaces[i].space;
    return SPACE_GENERIC;
}

bool
emit(Decoder *d, ExecFn exec)
{
    d->in.exec = exec;
    return !d->told;
}

// --- instructions

static DecodeFn
find_opcode(MlcStr name, bool *is_scalar)
{
    static const Opcode *const tables[] = {ptx_scalar_opcodes, ptx_memory_opcodes, ptx_warp_opcodes,
                                           ptx_matrix_opcodes};
    const char *dot = memchr(name.data, '.', name.size);
    MlcStr stem = mlc_str_n(name.data, dot ? (size_t)(dot - name.data) : name.size);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const Opcode *row = tables[t]; row->name; row++)
            if (mlc_str_equal(stem, mlc_str(row->name))) {
                *is_scalar = tables[t] == ptx_scalar_opcodes;
                return row->decode;
            }
    return NULL;
}

static bool
read_guard(Decoder *d)
{
    const PtxOperand *guard = d->statement->guard;
    Operand o;
    if (!guard)
        return true;
    if (!as_register(d, guard->name, &o) || o.kind != OPERAND_PRED)
        return decode_error_at(d, guard, "is guarded by what is no predicate: '%s'",
                               guard->name.data);
    d->in.has_guard = true;
    d->in.guard_at = o.at;
    d->in.guard_reg = o.reg;
    d->in.guard_negated = guard->is_not;
    return true;
}

static void
keep_numbers(MlcPtxEntry *e, const NumberVec *from, uint32_t *first, uint32_t *count)
{
    *first = (uint32_t)e->regs.size;
    *count = (uint32_t)from->size;
    for (size_t i = 0; i < from->size; i++)
        mlc_vec_push(&e->regs, from->data[i]);
}

static bool
decode_instruction(Decoder *d)
{
    bool is_scalar;
    DecodeFn decode = find_opcode(d->statement->name, &is_scalar);
    if (!decode)
        return decode_error(d, "is no instruction that is known here");
    split_modifiers(d);
    d->num_written = 0;
    memset(d->written, 0, sizeof d->written);
    for (PtxOperand *o = d->statement->operands; o; o = o->next) {
        if (d->num_written == MAX_WRITTEN)
            return decode_error(d, "has too many operands");
        d->written[d->num_written++] = o;
    }
    d->in = (Inst){.line = d->statement->at.line,
                   .column = d->statement->at.column,
                   .vector = 1,
                   .name = d->statement->name.data,
                   .guard_reg = NO_REGISTER};
    mlc_vec_clear(&d->uses);
    mlc_vec_clear(&d->defs);
    if (!read_guard(d) || !decode(d))
        return false;
    d->in.copies |= is_scalar;
    for (unsigned i = 0; i < d->num_modifiers; i++)
        if (!d->used[i])
            return decode_error(d, "has a modifier that is not known here: '.%.*s'",
                                MLC_STR_FMT(d->modifiers[i]));
    keep_numbers(d->entry, &d->uses, &d->in.uses, &d->in.num_uses);
    keep_numbers(d->entry, &d->defs, &d->in.defs, &d->in.num_defs);
    mlc_vec_push(&d->entry->code, d->in);
    return true;
}

static void
declare_registers(Decoder *d)
{
    PtxType type;
    const PtxStatement *s = d->statement;
    if (!find_type(s->name, &type) || type == TYPE_B128 || type == TYPE_NONE) {
        ptx_error(d->reporter, s->at, "registers of type '%s' are not there", s->name.data);
        d->failed = true;
        return;
    }
    uint8_t width = type == TYPE_PRED ? 0 : ptx_types[type].bytes < 2 ? 2 : ptx_types[type].bytes;
    for (const PtxOperand *o = s->operands; o; o = o->next) {
        Symbol symbol = {.kind = o->is_not ? SYMBOL_REGISTERS : SYMBOL_REGISTER,
                         .name = o->name,
                         .width = width,
                         .value = o->bits};
        if (o->is_not)
            symbol.name = mlc_arena_printf(&d->module->arena, "%s<", o->name.data);
        add_symbol(d, symbol);
    }
}

// --- variables

static uint64_t
variable_bytes(const PtxVariable *v, uint64_t *align)
{
    PtxType type;
    if (!find_type(v->type, &type))
        type = TYPE_B8;
    uint64_t element = (uint64_t)ptx_types[type].bytes * v->vector;
    *align = v->align ? v->align : element;
    return element * v->count;
}

static uint32_t
place_after(uint32_t *end, uint64_t bytes, uint64_t align, uint64_t limit)
{
    uint64_t at = (*end + align - 1) / align * align;
    if (bytes > limit || at > limit - bytes)
        return UINT32_MAX;
    *end = (uint32_t)(at + bytes);
    return (uint32_t)at;
}

static void
declare_variable(Decoder *d, const PtxVariable *v)
{
    uint64_t align, bytes = variable_bytes(v, &align);
    MlcPtxEntry *e = d->entry;
    Symbol symbol = {.kind = SYMBOL_ADDRESS, .name = v->name};
    uint32_t at = UINT32_MAX;
    if (align == 0 || align & (align - 1) || align > 65536) {
        ptx_error(d->reporter, v->at, "'%s' must be aligned to a power of 2", v->name.data);
        d->failed = true;
        return;
    }
    if (mlc_str_equal(v->space, mlc_str("shared"))) {
        uint32_t end = STATIC_SHARED_BASE + e->static_shared;
        at = v->is_extern ? e->dynamic_at
                          : place_after(&end, bytes, align, STATIC_SHARED_BASE + MAX_SHARED_BYTES);
        e->static_shared = end - STATIC_SHARED_BASE;
        symbol.space = SPACE_SHARED;
    } else if (mlc_str_equal(v->space, mlc_str("local"))) {
        at = place_after(&e->local_bytes, bytes, align, 512 * 1024);
        symbol.space = SPACE_LOCAL;
    } else {
        ptx_error(d->reporter, v->at, "a variable in .%s in a function is not supported",
                  v->space.data);
        d->failed = true;
        return;
    }
    if (at == UINT32_MAX) {
        ptx_error(d->reporter, v->at, "'%s' has %" PRIu64 " bytes, more than are left",
                  v->name.data, bytes);
        d->failed = true;
        return;
    }
    symbol.value = at;
    add_symbol(d, symbol);
}

// Which of the module's shared variables a kernel names.
static void
mark_operands(const MlcStrMap *shared, const PtxOperand *o, bool *named)
{
    uint64_t index;
    for (; o; o = o->next) {
        if (o->kind == PTX_NAME && mlc_str_map_get_u64(shared, o->name, &index))
            named[index] = true;
        if (o->first && o->kind != PTX_PAIR)
            mark_operands(shared, o->first, named);
    }
}

static void
declare_module_variables(Decoder *d, const PtxFunction *function)
{
    MlcPtxModule *module = d->module;
    MlcStrMap shared;
    size_t n = module->num_variables;
    bool *named = mlc_calloc(n + 1, sizeof *named);
    mlc_str_map_init(&shared, NULL);
    for (size_t i = 0; i < n; i++)
        if (mlc_str_equal(module->variables[i].space, mlc_str("shared")))
            mlc_str_map_set_u64(&shared, module->variables[i].name, i);
    for (const PtxStatement *s = function->body; s; s = s->next)
        if (s->kind == PTX_INSTRUCTION)
            mark_operands(&shared, s->operands, named);
    size_t i = 0;
    for (const PtxVariable *v = module->text.variables.first; v; v = v->next, i++) {
        bool is_shared = mlc_str_equal(v->space, mlc_str("shared"));
        if (is_shared && named[i] && !module->variables[i].is_dynamic)
            declare_variable(d, v);
        else if (!is_shared)
            add_symbol(d, (Symbol){.kind = SYMBOL_ADDRESS,
                                   .name = v->name,
                                   .space = SPACE_GLOBAL,
                                   .value = module->variables[i].address});
    }
    // Function's own ones come before what the launch gives: see place_dynamic.
    mlc_str_map_release(&shared);
    mlc_free(named);
}

// Dynamic shared memory begins where the static ends, which must be known before operands are.
static void
place_dynamic(Decoder *d, const PtxFunction *function)
{
    MlcPtxEntry *e = d->entry;
    uint32_t before = e->static_shared;
    uint64_t most_align = 16;
    for (const PtxStatement *s = function->body; s; s = s->next)
        if (s->kind == PTX_VARIABLE && mlc_str_equal(s->variable->space, mlc_str("shared")) &&
            !s->variable->is_extern) {
            uint64_t align, bytes = variable_bytes(s->variable, &align);
            uint32_t end = STATIC_SHARED_BASE + e->static_shared;
            if (align && !(align & (align - 1)))
                place_after(&end, bytes, align, STATIC_SHARED_BASE + MAX_SHARED_BYTES);
            e->static_shared = end - STATIC_SHARED_BASE;
        }
    size_t i = 0;
    for (const PtxVariable *v = d->module->text.variables.first; v; v = v->next, i++)
        if (d->module->variables[i].is_dynamic && v->align > most_align && v->align <= 1024)
            most_align = v->align;
    uint64_t dynamic = (STATIC_SHARED_BASE + e->static_shared + most_align - 1) & ~(most_align - 1);
    i = 0;
    for (const PtxVariable *v = d->module->text.variables.first; v; v = v->next, i++)
        if (d->module->variables[i].is_dynamic)
            add_symbol(d, (Symbol){.kind = SYMBOL_ADDRESS,
                                   .name = v->name,
                                   .space = SPACE_SHARED,
                                   .value = dynamic});
    e->static_shared = before;
    e->dynamic_at = (uint32_t)dynamic;
}

static void
declare_params(Decoder *d, const PtxFunction *function)
{
    MlcPtxEntry *e = d->entry;
    for (const PtxVariable *v = function->params; v; v = v->next)
        e->num_params++;
    e->params = MLC_NEW_ARRAY(&d->module->arena, Param, e->num_params + 1);
    size_t i = 0;
    for (const PtxVariable *v = function->params; v; v = v->next, i++) {
        uint64_t align, bytes = variable_bytes(v, &align);
        uint32_t at = align && !(align & (align - 1))
                          ? place_after(&e->param_bytes, bytes, align, 32764)
                          : UINT32_MAX;
        if (at == UINT32_MAX) {
            ptx_error(d->reporter, v->at, "parameters take more than 32764 bytes at '%s'",
                      v->name.data);
            d->failed = true;
            return;
        }
        e->params[i] = (Param){v->name, at, (uint32_t)bytes};
        add_symbol(
            d,
            (Symbol){.kind = SYMBOL_ADDRESS, .name = v->name, .space = SPACE_PARAM, .value = at});
    }
}

// --- labels

static MlcStr
label_key(Decoder *d, MlcStr name, uint32_t scope)
{
    return mlc_arena_printf(&d->module->arena, "%s@%u", name.data, scope);
}

// Where each label is: instructions are numbered as they will be decoded.
static void
find_labels(Decoder *d, const PtxFunction *function)
{
    uint32_t pc = 0, next = 0;
    NumberVec open = {0};
    mlc_vec_push(&d->parents, UINT32_MAX);
    mlc_vec_push(&open, next++);
    for (const PtxStatement *s = function->body; s; s = s->next) {
        if (s->kind == PTX_OPEN) {
            mlc_vec_push(&d->parents, mlc_vec_last(&open));
            mlc_vec_push(&open, next++);
        } else if (s->kind == PTX_CLOSE) {
            (void)mlc_vec_pop(&open);
        } else if (s->kind == PTX_INSTRUCTION) {
            pc++;
        } else if (s->kind == PTX_LABEL) {
            bool inserted;
            MlcStr key = label_key(d, s->name, mlc_vec_last(&open));
            MlcStrMapEntry *entry = mlc_str_map_insert(&d->labels, key, &inserted);
            if (!inserted) {
                ptx_error(d->reporter, s->at, "label '%s' is there already", s->name.data);
                d->failed = true;
            }
            entry->value = pc;
        }
    }
    mlc_vec_release(&open);
}

bool
decode_label(Decoder *d, PtxOperand *o, uint32_t *pc)
{
    if (!o || o->kind != PTX_NAME)
        return decode_error_at(d, o, "needs a label here");
    uint64_t value;
    for (uint32_t scope = mlc_vec_last(&d->scope_ids); scope != UINT32_MAX;
         scope = d->parents.data[scope])
        if (mlc_str_map_get_u64(&d->labels, label_key(d, o->name, scope), &value)) {
            *pc = (uint32_t)value;
            return true;
        }
    return decode_error_at(d, o, "goes to a label that is not there: '%s'", o->name.data);
}

static void
decode_body(Decoder *d, const PtxFunction *function)
{
    open_scope(d);
    for (const PtxStatement *s = function->body; s; s = s->next) {
        d->statement = s;
        switch (s->kind) {
        case PTX_OPEN:
            open_scope(d);
            break;
        case PTX_CLOSE:
            close_scope(d);
            break;
        case PTX_INSTRUCTION:
            d->told = false;
            if (!decode_instruction(d) && !d->told)
                decode_error(d, "does not say what it does");
            break;
        case PTX_REGISTERS:
            declare_registers(d);
            break;
        case PTX_VARIABLE:
            declare_variable(d, s->variable);
            break;
        default:
            break;
        }
    }
    close_scope(d);
}

static void
release(Decoder *d)
{
    mlc_str_map_release(&d->names);
    mlc_vec_release(&d->symbols);
    mlc_vec_release(&d->scopes);
    mlc_vec_release(&d->scope_ids);
    mlc_vec_release(&d->parents);
    mlc_str_map_release(&d->labels);
    mlc_map_release(&d->constants);
    mlc_map_release(&d->wide_constants);
    mlc_map_release(&d->registers);
    mlc_vec_release(&d->register_at);
    mlc_buf_release(&d->register_width);
    mlc_vec_release(&d->uses);
    mlc_vec_release(&d->defs);
}

bool
ptx_decode(MlcPtxModule *module, const PtxFunction *function, PtxReporter *reporter)
{
    MlcPtxEntry *entry = MLC_NEW(&module->arena, MlcPtxEntry);
    Decoder d = {.module = module, .entry = entry, .reporter = reporter};
    entry->module = module;
    entry->name = function->name;
    entry->place = function->at;
    entry->function = function;
    memcpy(entry->max_threads, function->max_threads, sizeof entry->max_threads);
    entry->is_required = function->is_required;
    mlc_vec_push(&module->entries, entry);
    mlc_str_map_init(&d.names, NULL);
    mlc_str_map_init(&d.labels, NULL);
    declare_module_variables(&d, function);
    place_dynamic(&d, function);
    declare_params(&d, function);
    find_labels(&d, function);
    if (!d.failed)
        decode_body(&d, function);
    // A body may end without ret.
    Inst end = {.exec = ptx_exit,
                .name = "ret",
                .vector = 1,
                .line = function->at.line,
                .guard_reg = NO_REGISTER};
    mlc_vec_push(&entry->code, end);
    mlc_vec_reserve(&entry->regs, 1); // instructions name a place of it, if no register either
    entry->static_shared = entry->dynamic_at - STATIC_SHARED_BASE;
    release(&d);
    return !d.failed;
}

// c_value.c -- which attributes are values of C in the generated headers: numbers, enumerations,
// strings, types, maps and lists of numbers; all others stay attributes.
#include "gen.h"

#include <ctype.h>

typedef struct CValue {
    const char *constraint; // of builtin.yaml
    const char *type;
    const char *to_attr; // a function of the context, if that is asked for, and the value
    bool takes_context;
    const char *from_attr; // a function of the attribute
    const char *more;      // its other arguments
} CValue;

static const CValue c_values[] = {
    {"i64_attr", "int64_t", "mlc_i64_attr_get", true, "mlc_attr_as_int", ""},
    {"index_attr", "int64_t", "mlc_index_attr_get", true, "mlc_attr_as_int", ""},
    {"i32_attr", "int32_t", "mlc_i32_attr_get", true, "mlc_attr_as_int", ""},
    {"bool_attr", "bool", "mlc_bool_attr_get", true, "mlc_attr_as_bool", ""},
    {"i1_attr", "bool", "mlc_bool_attr_get", true, "mlc_attr_as_bool", ""},
    {"string_attr", "MlcStr", "mlc_string_attr_get", true, "mlc_string_attr_value", ""},
    {"symbol_name", "MlcStr", "mlc_string_attr_get", true, "mlc_string_attr_value", ""},
    {"flat_symbol_ref", "MlcStr", "mlc_symbol_ref_attr_get", true, "mlc_symbol_ref_attr_name",
     ", 0"},
    {"type_attr", "MlcType", "mlc_type_attr_get", false, "mlc_type_attr_value", ""},
    {"function_type_attr", "MlcType", "mlc_type_attr_get", false, "mlc_type_attr_value", ""},
    {"affine_map_attr", "MlcAffineMap", "mlc_affine_map_attr_get", false,
     "mlc_affine_map_attr_value", ""},
};

// The list of numbers that the attribute is: "i32" or "i64"; NULL: it is none.
static const char *
list_of(const MlcAttrSlot *slot)
{
    const char *name = slot->constraint && slot->constraint->name ? slot->constraint->name : "";
    return strcmp(name, "dense_i64_array") == 0   ? "i64"
           : strcmp(name, "dense_i32_array") == 0 ? "i32"
                                                  : NULL;
}

// The next constraint to look at where several must hold: the first, which says what it is.
static const MlcConstraint *
first_of(const MlcConstraint *c)
{
    return c->kind == MLC_CONSTRAINT_ALL_OF && c->num_args > 0 ? c->args[0] : NULL;
}

static const CValue *
c_value_of(const MlcAttrSlot *slot)
{
    for (const MlcConstraint *c = slot->constraint; c; c = first_of(c))
        for (size_t i = 0; c->name && i < sizeof c_values / sizeof *c_values; i++)
            if (strcmp(c->name, c_values[i].constraint) == 0)
                return &c_values[i];
    return NULL;
}

// The enumeration of this dialect that the attribute is of; NULL: none.
static const MlcAttrDef *
enum_of(const GenDialect *d, const MlcAttrSlot *slot)
{
    for (const MlcConstraint *c = slot->constraint; c; c = first_of(c))
        for (size_t i = 0; c->kind == MLC_CONSTRAINT_DIALECT_ATTR && i < d->def->num_attrs; i++)
            if (strcmp(d->def->attrs[i]->name, c->names[0]) == 0 && d->def->attrs[i]->num_cases)
                return d->def->attrs[i];
    return NULL;
}

const char *
gen_enum_type(Gen *gen, const MlcAttrDef *def)
{
    MlcBuf text = {0};
    mlc_buf_append_c(&text, "Mlc");
    bool begins = true;
    for (const char *c = def->name; *c; c++) {
        if (isalnum((unsigned char)*c))
            mlc_buf_append_char(&text, begins ? (char)toupper((unsigned char)*c) : *c);
        begins = !isalnum((unsigned char)*c);
    }
    const char *name = mlc_arena_strdup(&gen->arena, mlc_buf_str(&text)).data;
    mlc_buf_release(&text);
    return name;
}

// "mlc_arith_cmpi_predicate_attr_def"
static const char *
enum_symbol(Gen *gen, const GenDialect *d, const MlcAttrDef *def)
{
    return mlc_arena_printf(&gen->arena, "mlc_%s_%s_attr_def", d->name, gen_c_name(gen, def->name))
        .data;
}

const char *
gen_c_type(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot)
{
    const CValue *value = c_value_of(slot);
    const MlcAttrDef *def = value ? NULL : enum_of(d, slot);
    return value              ? value->type
           : !def             ? "MlcAttr"
           : def->is_bit_enum ? "int64_t"
                              : gen_enum_type(gen, def);
}

// Whether the C value of a slot that may be left out has one that says so: no list, no text.
static bool
can_be_absent(const MlcAttrSlot *slot)
{
    const CValue *value = c_value_of(slot);
    return list_of(slot) || (value && strncmp(value->type, "Mlc", 3) == 0);
}

void
gen_c_param(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot, MlcBuf *out)
{
    const char *name = gen_param(gen, slot->name), *list = list_of(slot);
    if (slot->optional && !can_be_absent(slot))
        mlc_buf_printf(out, ", MlcAttr %s", name);
    else if (list)
        mlc_buf_printf(out, ", const int%s_t *%s, size_t num_%s", list + 1, name, name);
    else
        mlc_buf_printf(out, ", %s %s", gen_c_type(gen, d, slot), name);
}

void
gen_c_to_attr(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot, const char *ctx,
              const char *name, MlcBuf *out)
{
    const char *list = list_of(slot);
    const CValue *value = c_value_of(slot);
    const MlcAttrDef *def = enum_of(d, slot);
    if (slot->optional && !can_be_absent(slot)) {
        mlc_buf_append_c(out, name);
        return;
    }
    if (slot->optional)
        mlc_buf_printf(out, "!%s%s ? NULL : ", name,
                       value && strcmp(value->type, "MlcStr") == 0 ? ".data" : "");
    if (list)
        mlc_buf_printf(out, "mlc_%s_array_attr_get(%s, %s, num_%s)", list, ctx, name, name);
    else if (value)
        mlc_buf_printf(out, "%s(%s%s%s)", value->to_attr, value->takes_context ? ctx : "",
                       value->takes_context ? ", " : "", name);
    else if (def)
        mlc_buf_printf(out, "mlc_enum_attr_get(%s, &%s, %s)", ctx, enum_symbol(gen, d, def), name);
    else
        mlc_buf_append_c(out, name);
}

void
gen_c_from_attr(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot, const char *attr,
                MlcBuf *out)
{
    const CValue *value = c_value_of(slot);
    const MlcAttrDef *def = value ? NULL : enum_of(d, slot);
    if (value)
        mlc_buf_printf(out, "%s%s(%s%s)", strcmp(value->type, "int32_t") == 0 ? "(int32_t)" : "",
                       value->from_attr, attr, value->more);
    else if (def)
        mlc_buf_printf(out, "(%s)mlc_enum_attr_value(%s)", gen_c_type(gen, d, slot), attr);
    else
        mlc_buf_append_c(out, attr);
}

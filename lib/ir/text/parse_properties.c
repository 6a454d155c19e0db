// parse_properties.c -- `<{...}>` of the generic form: the inherent attributes of an op.
//
// MLIR keeps them in a struct of C++, so a value of another kind never reaches the verifier there:
// it is refused when the op has been read. A constraint of ours says the kind too; what it says
// beyond it (widths, ranges, types of elements) is left to the verifier, as there. A name that the
// record has no attribute for is dropped.
#include "mlc/ir/diag.h"
#include "mlc/ir/text.h"
#include "parse_impl.h"

bool
mlc_parse_properties(MlcParser *p, MlcOpBuild *op)
{
    if (!mlc_parser_take(p, '<'))
        return true;
    op->has_properties = true;
    bool ok = op->def->dialect && mlc_parser_is(p, '{')
                  ? mlc_parse_named_attrs(p, &op->attrs)
                  : mlc_parse_attribute(p, NULL, &op->properties);
    op->num_properties = op->attrs.size;
    return ok && mlc_parser_expect(p, '>', "'>'");
}

// Of an array the kind is all that counts; booleans, dense arrays and dense numbers are kinds of
// their own.
static bool
has_part_of_kind(const MlcConstraint *c, MlcAttr value)
{
    switch ((MlcConstraintKind)c->kind) {
    case MLC_CONSTRAINT_ATTR_KIND:
    case MLC_CONSTRAINT_DIALECT_ATTR:
        return mlc_constraint_check_attr(c, value);
    case MLC_CONSTRAINT_ATTR_ELEMENTS:
        return !mlc_attr_is(value, MLC_ATTR_DENSE_ARRAY) || mlc_constraint_check_attr(c, value);
    case MLC_CONSTRAINT_ATTR_TYPE:
        return !mlc_attr_is(value, MLC_ATTR_DENSE) ||
               mlc_type_is_int_or_index(mlc_type_element(mlc_attr_type(value))) ||
               mlc_constraint_check_attr(c, value);
    case MLC_CONSTRAINT_ALL_OF:
        for (size_t i = 0; i < c->num_args; i++)
            if (!has_part_of_kind(c->args[i], value))
                return false;
        return true;
    default:
        return true;
    }
}

bool
mlc_constraint_has_kind(const MlcConstraint *c, MlcAttr value)
{
    if (c->kind == MLC_CONSTRAINT_PREDICATE)
        return mlc_constraint_check_attr(c, value);
    return has_part_of_kind(c, value);
}

// NULL: none by that name.
static MlcAttr
find_property(const MlcOpBuild *op, const char *name)
{
    for (size_t i = 0; i < op->num_properties; i++)
        if (mlc_str_equal(mlc_string_attr_value(op->attrs.data[i].name), mlc_str(name)))
            return op->attrs.data[i].value;
    return NULL;
}

static bool
check_segments(const MlcAttrSlot *slot, MlcAttr value, size_t num_groups, MlcBuf *why)
{
    if (!mlc_constraint_check_attr(slot->constraint, value))
        mlc_buf_append_c(why, "expected DenseI32ArrayAttr for key `value`");
    else if (mlc_dense_array_attr_size(value) != num_groups)
        mlc_buf_printf(why, "size mismatch in attribute conversion: %zu vs %zu",
                       mlc_dense_array_attr_size(value), num_groups);
    return why->size == 0;
}

// Of a number's enumeration, without its namespace.
static const char *
enum_name(MlcContext *ctx, const MlcAttrSlot *slot)
{
    const MlcAttrDef *def = mlc_constraint_enum(ctx, slot->constraint);
    const char *name = def && def->upstream ? def->upstream : slot->name;
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static bool
check_property(MlcContext *ctx, const MlcOpDef *def, size_t slot_index, MlcAttr value, MlcBuf *why)
{
    const MlcAttrSlot *slot = &def->attrs[slot_index];
    if (slot_index + 1u == def->facts.operand_sizes)
        return check_segments(slot, value, def->num_operands, why);
    if (slot_index + 1u == def->facts.result_sizes)
        return check_segments(slot, value, def->num_results, why);
    if (!slot->constraint || mlc_constraint_has_kind(slot->constraint, value))
        return true;
    if (slot->is_number) {
        const char *enumeration = enum_name(ctx, slot);
        mlc_buf_printf(why, "expected '%s' attribute to be an %sAttr, but got %s", slot->name,
                       enumeration, mlc_attr_text(value));
        return false;
    }
    mlc_buf_printf(why, "Invalid attribute `%s` in property conversion: %s", slot->name,
                   mlc_attr_text(value));
    return false;
}

static bool
check_properties(MlcContext *ctx, MlcOpBuild *op, MlcBuf *why)
{
    const MlcOpDef *def = op->def;
    if (def->num_attrs == 0)
        return mlc_buf_append_c(why, "this operation does not support properties"), false;
    if (op->properties)
        return mlc_buf_append_c(why, "expected DictionaryAttr to set properties"), false;
    for (size_t i = 0; i < def->num_attrs; i++) {
        MlcAttr value = find_property(op, def->attrs[i].name);
        if (value && !check_property(ctx, def, i, value, why))
            return false;
    }
    return true;
}

static void
drop_unknown(MlcOpBuild *op)
{
    size_t kept = 0;
    for (size_t i = 0; i < op->attrs.size; i++)
        if (i >= op->num_properties ||
            mlc_op_def_attr_slot(op->def, mlc_string_attr_value(op->attrs.data[i].name)) >= 0)
            op->attrs.data[kept++] = op->attrs.data[i];
    op->attrs.size = kept;
}

bool
mlc_parser_check_properties(MlcParser *p, MlcOpBuild *op, const char *at)
{
    if (!op->has_properties || !op->def->dialect)
        return true;
    MlcBuf why = {0};
    bool ok = check_properties(p->ctx, op, &why);
    if (ok) {
        drop_unknown(op);
    } else {
        MlcAttr given = op->properties
                            ? op->properties
                            : mlc_dict_attr_get(p->ctx, op->attrs.data, op->num_properties);
        mlc_parser_fail_at(p, at, "invalid properties %s for op %s: %s", mlc_attr_text(given),
                           op->def->name, mlc_buf_c_str(&why));
    }
    mlc_buf_release(&why);
    return ok;
}

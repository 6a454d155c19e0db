// conversion_lowering.c -- ops whose records say which op of another dialect they become.
#include "mlc/ir/def.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/alloc.h"

// The enumeration that an attribute of the slot is of; NULL: none.
static const MlcAttrDef *
enumeration_of(MlcContext *ctx, const MlcAttrSlot *slot, MlcAttr attr)
{
    const MlcAttrDef *def = attr ? mlc_dialect_attr_def(attr) : NULL;
    if (!def && slot->constraint && slot->constraint->kind == MLC_CONSTRAINT_DIALECT_ATTR)
        def = mlc_context_attr(ctx, mlc_str(slot->constraint->names[0]));
    return def && def->num_cases ? def : NULL;
}

// Keywords of C have a `_` in front in some enumerations: `_false` is `false`.
static const MlcEnumCase *
case_named(const MlcAttrDef *def, const char *name)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (strcmp(def->cases[i].name + (def->cases[i].name[0] == '_'), name + (name[0] == '_')) ==
            0)
            return &def->cases[i];
    return NULL;
}

// The cases of `value` by the same names in `to`; of flags, each one. False: one is not there.
static bool
map_cases(const MlcAttrDef *from, const MlcAttrDef *to, int64_t value, int64_t *mapped)
{
    int64_t left = value;
    *mapped = 0;
    for (size_t i = 0; i < from->num_cases; i++) {
        int64_t bit = from->cases[i].value;
        bool is_meant = from->is_bit_enum ? (bit & (bit - 1)) == 0 && (left & bit) : bit == value;
        if (!is_meant)
            continue;
        const MlcEnumCase *found = case_named(to, from->cases[i].name);
        if (!found)
            return false;
        *mapped |= found->value;
        left &= ~bit;
        if (!from->is_bit_enum)
            return true;
    }
    return from->is_bit_enum && left == 0;
}

MlcAttr
mlc_lowered_attr(MlcContext *ctx, MlcAttr attr, const MlcAttrSlot *from, const MlcAttrSlot *to)
{
    const MlcAttrDef *before = enumeration_of(ctx, from, attr);
    const MlcAttrDef *after = before ? enumeration_of(ctx, to, NULL) : NULL;
    int64_t value;
    if (!after || before == after)
        return attr;
    return map_cases(before, after, mlc_enum_attr_value(attr), &value)
               ? mlc_enum_attr_get(ctx, after, value)
               : NULL;
}

// An attribute that the lowering does not carry over may be dropped if it says nothing: flags are
// permissions, and a default is what is meant without it.
static bool
may_drop(MlcContext *ctx, MlcAttr attr, const MlcAttrSlot *slot)
{
    const MlcAttrDef *def = enumeration_of(ctx, slot, attr);
    return (def && def->is_bit_enum) || attr == mlc_context_default_attr(ctx, slot);
}

// The attribute of `slot` as `to` calls it; false after saying why not.
static bool
lower_attr(MlcConversion *c, MlcOp *op, MlcAttr attr, const MlcAttrSlot *slot, const MlcOpDef *to,
           const char *name, MlcNamedAttr *result)
{
    MlcContext *ctx = mlc_op_context(op);
    int to_slot = mlc_op_def_attr_slot(to, mlc_str(name));
    if (to_slot < 0)
        return mlc_conversion_no_match(c, op, "'%s' has no attribute '%s'", to->name, name);
    attr = mlc_lowered_attr(ctx, attr, slot, &to->attrs[to_slot]);
    if (!attr)
        return mlc_conversion_no_match(c, op, "'%s' of '%s' has no such case", name, to->name);
    *result = mlc_named(ctx, name, attr);
    return true;
}

static bool
lower_attrs(MlcConversion *c, MlcOp *op, const MlcLowering *lowering, const MlcOpDef *to,
            MlcNamedAttr *attrs, size_t *num_attrs)
{
    const MlcOpDef *def = mlc_op_def(op);
    for (size_t i = 0; i < def->num_attrs; i++) {
        const MlcAttrSlot *slot = &def->attrs[i];
        MlcAttr attr = mlc_op_slot(op, i);
        bool is_carried = !attr;
        for (size_t k = 0; attr && k < lowering->num_attrs; k++) {
            if (strcmp(lowering->attrs[2 * k + 1], slot->name) != 0)
                continue;
            if (!lower_attr(c, op, attr, slot, to, lowering->attrs[2 * k], &attrs[(*num_attrs)++]))
                return false;
            is_carried = true;
        }
        if (!is_carried && !may_drop(mlc_op_context(op), attr, slot))
            return mlc_conversion_no_match(c, op, "'%s' has no place for '%s'", to->name,
                                           slot->name);
    }
    return true;
}

bool
mlc_conversion_lower_by_record(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    enum { FEW = 8 };
    const MlcLowering *lowering = user;
    const MlcOpDef *to = mlc_context_op(mlc_op_context(op), mlc_str(lowering->op));
    MlcNamedAttr attrs[MLC_MAX_LOWERED_ATTRS];
    size_t num_attrs = 0, num_results = mlc_op_num_results(op);
    MlcType few[FEW], *types = few;
    if (!to || !mlc_op_def_is_flat(to))
        return mlc_conversion_no_match(c, op, "there is no such op '%s'", lowering->op);
    if (num_results > FEW)
        types = mlc_malloc(num_results * sizeof *types);
    bool ok = lower_attrs(c, op, lowering, to, attrs, &num_attrs);
    for (size_t i = 0; i < num_results && ok; i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        types[i] = mlc_type_converter_convert_one(mlc_conversion_types(c), type);
        if (!types[i])
            ok = mlc_conversion_no_match(c, op, "its type %s has no %s form", mlc_type_text(type),
                                         to->dialect->name);
    }
    MlcOpState state = {.loc = mlc_conversion_builder(c)->loc,
                        .def = to,
                        .operands = operands,
                        .num_operands = mlc_op_num_operands(op),
                        .result_types = types,
                        .num_results = num_results,
                        .attrs = attrs,
                        .num_attrs = num_attrs};
    if (ok) {
        MlcOp *made = mlc_builder_create(mlc_conversion_builder(c), &state);
        MlcValueVec results = {0};
        for (size_t i = 0; i < num_results; i++)
            mlc_vec_push(&results, mlc_op_result(made, i));
        mlc_conversion_replace(c, op, results.data, results.size);
        mlc_vec_release(&results);
    }
    if (types != few)
        mlc_free(types);
    return ok;
}

void
mlc_conversion_add_lowerings(const MlcDialectDef *dialect, const char *to,
                             MlcConversionPatternVec *patterns)
{
    size_t length = strlen(to);
    for (size_t i = 0; i < dialect->num_ops; i++) {
        const MlcOpDef *op = dialect->ops[i];
        for (size_t k = 0; k < op->num_lowers_to; k++)
            if (strncmp(op->lowers_to[k].op, to, length) == 0 && op->lowers_to[k].op[length] == '.')
                mlc_vec_push(patterns, ((MlcConversionPattern){
                                           .root = op->name,
                                           .convert = mlc_conversion_lower_by_record,
                                           .user = (void *)(uintptr_t)&op->lowers_to[k]}));
    }
}

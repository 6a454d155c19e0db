// conversion_lowering.c -- ops whose records say which op of another dialect they become.
#include "mlc/ir/def.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/arena.h"

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

// An attribute that is carried over: slots of both ops, enumerations where they differ, and what
// was mapped last.
typedef struct Carried {
    const MlcAttrSlot *from, *to; // `to` NULL: there is none
    size_t slot;
    const MlcAttrDef *before, *after;
    MlcAttr last;
    MlcNamedAttr mapped; // its name is known before
} Carried;

// A record's lowering with its names looked up, once for all ops of a conversion.
typedef struct Plan {
    const MlcLowering *lowering;
    const MlcOpDef *to; // NULL: there is no such op
    Carried carried[MLC_MAX_LOWERED_ATTRS];
    uint64_t others;      // slots that must have their defaults
    const char *makes[2]; // the op's name, NULL
} Plan;

// Flags are permissions: without them less is allowed, so they may be dropped.
static bool
are_flags(MlcContext *ctx, const MlcAttrSlot *slot)
{
    const MlcAttrDef *def = enumeration_of(ctx, slot, NULL);
    return def && def->is_bit_enum;
}

static void
plan_lowering(MlcContext *ctx, const MlcOpDef *op, const MlcLowering *lowering, Plan *plan)
{
    *plan = (Plan){.lowering = lowering,
                   .to = mlc_context_op(ctx, mlc_str(lowering->op)),
                   .makes = {lowering->op, NULL}};
    for (size_t i = 0; i < op->num_attrs && i < 64; i++)
        if (!are_flags(ctx, &op->attrs[i]))
            plan->others |= UINT64_C(1) << i;
    for (size_t i = 0; i < lowering->num_attrs && plan->to; i++) {
        Carried *c = &plan->carried[i];
        int to = mlc_op_def_attr_slot(plan->to, mlc_str(lowering->attrs[2 * i]));
        c->slot = (size_t)mlc_op_def_attr_slot(op, mlc_str(lowering->attrs[2 * i + 1]));
        c->from = &op->attrs[c->slot];
        c->to = to < 0 ? NULL : &plan->to->attrs[to];
        c->before = enumeration_of(ctx, c->from, NULL);
        c->after = c->before && c->to ? enumeration_of(ctx, c->to, NULL) : NULL;
        c->mapped = mlc_named(ctx, lowering->attrs[2 * i], NULL);
        plan->others &= ~(UINT64_C(1) << c->slot);
    }
}

// The attribute as the other op has it; false after saying why not.
static bool
map_attr(MlcConversion *c, MlcOp *op, MlcAttr attr, Carried *carried, const MlcOpDef *to)
{
    int64_t value;
    MlcAttr mapped = attr;
    if (attr == carried->last)
        return true;
    if (!carried->to)
        return mlc_conversion_no_match(c, op, "'%s' has no such attribute", to->name);
    if (carried->after && carried->before != carried->after) {
        if (!map_cases(carried->before, carried->after, mlc_enum_attr_value(attr), &value))
            return mlc_conversion_no_match(c, op, "'%s' of '%s' has no such case",
                                           carried->to->name, to->name);
        mapped = mlc_enum_attr_get(mlc_op_context(op), carried->after, value);
    }
    carried->mapped.value = mapped;
    carried->last = attr;
    return true;
}

static bool
lower_attrs(MlcConversion *c, MlcOp *op, Plan *plan, MlcNamedAttr *attrs, size_t *num_attrs)
{
    MlcContext *ctx = mlc_op_context(op);
    for (size_t i = 0; i < plan->lowering->num_attrs; i++) {
        Carried *carried = &plan->carried[i];
        MlcAttr attr = mlc_op_slot(op, carried->slot);
        if (!attr)
            continue;
        if (!map_attr(c, op, attr, carried, plan->to))
            return false;
        attrs[(*num_attrs)++] = carried->mapped;
    }
    for (uint64_t left = plan->others; left; left &= left - 1) {
        size_t i = (size_t)__builtin_ctzll(left);
        const MlcAttrSlot *slot = &mlc_op_def(op)->attrs[i];
        MlcAttr attr = mlc_op_slot(op, i);
        if (attr && attr != mlc_context_default_attr(ctx, slot))
            return mlc_conversion_no_match(c, op, "'%s' has no place for '%s'", plan->to->name,
                                           slot->name);
    }
    return true;
}

// Vectors may become what other ops carry, and this one does not compute with: arrays of rows.
static bool
takes_vectors(MlcConversion *c, MlcOp *op, const MlcOpDef *to, MlcValue *const *operands)
{
    for (size_t i = 0; i < mlc_op_num_operands(op) && i < to->num_operands; i++) {
        MlcType type = mlc_value_type(operands[i]);
        if (mlc_type_is(mlc_op_operand_type(op, i), MLC_TYPE_VECTOR) &&
            !mlc_type_is(type, MLC_TYPE_VECTOR) &&
            !mlc_constraint_check_type(to->operands[i].type, type))
            return mlc_conversion_no_match(c, op, "'%s' does not take %s", to->name,
                                           mlc_type_text(type));
    }
    return true;
}

static bool
lower_by_record(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    enum { FEW = 8 };
    Plan *plan = user;
    MlcTypeConverter *converter = mlc_conversion_types(c);
    MlcNamedAttr attrs[MLC_MAX_LOWERED_ATTRS];
    size_t num_attrs = 0, num_results = mlc_op_num_results(op);
    MlcType types[FEW];
    MlcValue *results[FEW];
    if (!plan->to || !mlc_op_def_is_flat(plan->to))
        return mlc_conversion_no_match(c, op, "there is no such op '%s'", plan->lowering->op);
    if (num_results > FEW)
        return mlc_conversion_no_match(c, op, "it has more than %d results", (int)FEW);
    if (!lower_attrs(c, op, plan, attrs, &num_attrs))
        return false;
    for (size_t i = 0; i < num_results; i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        types[i] = converter ? mlc_type_converter_convert_one(converter, type) : type;
        if (!types[i])
            return mlc_conversion_no_match(c, op, "its type %s has no %s form", mlc_type_text(type),
                                           plan->to->dialect->name);
    }
    if (!takes_vectors(c, op, plan->to, operands))
        return false;
    MlcOpState state = {.loc = mlc_conversion_builder(c)->loc,
                        .def = plan->to,
                        .operands = operands,
                        .num_operands = mlc_op_num_operands(op),
                        .result_types = types,
                        .num_results = num_results,
                        .attrs = attrs,
                        .num_attrs = num_attrs};
    MlcOp *made = mlc_builder_create(mlc_conversion_builder(c), &state);
    for (size_t i = 0; i < num_results; i++)
        results[i] = mlc_op_result(made, i);
    mlc_conversion_replace(c, op, results, num_results);
    return true;
}

bool
mlc_conversion_has_pattern(const MlcConversionPattern *patterns, size_t num_patterns,
                           const MlcOpDef *op)
{
    for (size_t i = 0; i < num_patterns; i++)
        if (patterns[i].root && strcmp(patterns[i].root, op->name) == 0)
            return true;
    return false;
}

// Whether it is an op of the dialect `to`; NULL: any.
static bool
is_of(const MlcLowering *lowering, const char *to)
{
    size_t length = to ? strlen(to) : 0;
    return !to || (strncmp(lowering->op, to, length) == 0 && lowering->op[length] == '.');
}

bool
mlc_op_def_lowers_to(const MlcOpDef *op, const char *to)
{
    for (size_t i = 0; i < op->num_lowers_to; i++)
        if (is_of(&op->lowers_to[i], to))
            return true;
    return false;
}

void
mlc_conversion_add_lowerings(MlcContext *ctx, const MlcDialectDef *dialect, const char *to,
                             MlcArena *arena, MlcConversionPatternVec *patterns)
{
    for (size_t i = 0; i < dialect->num_ops; i++) {
        const MlcOpDef *op = dialect->ops[i];
        for (size_t k = 0; k < op->num_lowers_to; k++) {
            if (!is_of(&op->lowers_to[k], to))
                continue;
            Plan *plan = MLC_NEW(arena, Plan);
            plan_lowering(ctx, op, &op->lowers_to[k], plan);
            if (!to && !plan->to)
                continue;
            mlc_vec_push(patterns, ((MlcConversionPattern){.root = op->name,
                                                           .convert = lower_by_record,
                                                           .user = plan,
                                                           .makes = to ? NULL : plan->makes}));
        }
    }
}

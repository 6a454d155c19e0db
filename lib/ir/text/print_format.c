// print_format.c -- runs format programs to print ops, types and attributes. Blanks were decided
// when compiling.
#include "print_format.h"

static void print_nodes(MlcFormatPrint *s, const uint32_t *node, const uint32_t *end);

static void
comma(MlcPrinter *p, bool wanted)
{
    if (wanted)
        mlc_buf_append(p->buf, ", ", 2);
}

// --- places

void
mlc_format_values(MlcOp *op, MlcPlaceRef place, size_t *first, size_t *count, bool *is_operand)
{
    *first = *count = 0;
    *is_operand = place.place == MLC_PLACE_OPERAND || place.place == MLC_PLACE_ALL_OPERANDS;
    switch (place.place) {
    case MLC_PLACE_OPERAND:
        mlc_op_operand_group(op, place.index, first, count);
        break;
    case MLC_PLACE_RESULT:
        mlc_op_result_group(op, place.index, first, count);
        break;
    case MLC_PLACE_ALL_OPERANDS:
        *count = mlc_op_num_operands(op);
        break;
    case MLC_PLACE_ALL_RESULTS:
        *count = mlc_op_num_results(op);
        break;
    }
}

MlcType
mlc_format_type_at(MlcOp *op, size_t i, bool is_operand)
{
    return mlc_value_type(is_operand ? mlc_op_operand(op, i) : mlc_op_result(op, i));
}

// Successors and regions of a variadic group: it is the last one.
static size_t
group_end(size_t index, uint8_t arity, size_t total)
{
    return arity == MLC_ONE ? index + 1 : total;
}

bool
mlc_format_is_present(MlcOp *op, MlcPlaceRef place)
{
    const MlcOpDef *def = mlc_op_def(op);
    size_t first, count;
    bool is_operand;
    switch (place.place) {
    case MLC_PLACE_ATTR: {
        MlcAttr value = mlc_op_slot(op, place.index);
        const MlcAttrSlot *slot = &def->attrs[place.index];
        return value &&
               !(slot->default_text && mlc_context_default_attr(mlc_op_context(op), slot) == value);
    }
    case MLC_PLACE_REGION:
        if (def->regions[place.index].arity != MLC_ONE)
            return mlc_op_num_regions(op) > place.index;
        return !mlc_region_is_empty(mlc_op_region(op, place.index));
    case MLC_PLACE_SUCCESSOR:
        return mlc_op_num_successors(op) > place.index;
    default:
        mlc_format_values(op, place, &first, &count, &is_operand);
        return count > 0;
    }
}

// --- elements

static void
print_segments(MlcFormatPrint *s, size_t group, size_t first, size_t count, bool types)
{
    const char *name = s->def->operands[group].segments;
    MlcAttr sizes = name ? mlc_op_attr(s->op, name) : NULL;
    size_t at = first;
    for (size_t i = 0; sizes && i < mlc_int_list_attr_size(sizes); i++) {
        int64_t size = 0;
        mlc_int_list_attr_get(sizes, i, &size);
        comma(s->p, i > 0);
        mlc_buf_append_char(s->p->buf, '(');
        for (int64_t j = 0; j < size && at < first + count; j++, at++) {
            comma(s->p, j > 0);
            if (types)
                mlc_print_type(s->p, mlc_value_type(mlc_op_operand(s->op, at)));
            else
                mlc_print_value_name(s->p, mlc_op_operand(s->op, at), true);
        }
        mlc_buf_append_char(s->p->buf, ')');
    }
}

// A terminator that says nothing is left out.
static void
print_region(MlcFormatPrint *s, size_t index)
{
    MlcRegion *region = mlc_op_region(s->op, index);
    bool terminator = true;
    if (mlc_op_def_has_trait(s->def, MLC_TRAIT_IMPLICIT_TERMINATOR) &&
        !mlc_region_is_empty(region)) {
        MlcOp *last = mlc_block_terminator(mlc_region_first(region));
        MlcAttr attrs = last ? mlc_op_discardable(last) : NULL;
        terminator = last && (mlc_op_num_operands(last) || mlc_op_num_results(last) ||
                              (attrs && mlc_dict_attr_size(attrs)));
    }
    mlc_print_region(s->p, region, true, terminator, false);
}

static void
print_var(MlcFormatPrint *s, MlcPlaceRef place, unsigned flags)
{
    MlcPrinter *p = s->p;
    size_t first, count, end;
    bool is_operand;
    switch (place.place) {
    case MLC_PLACE_ATTR:
        mlc_print_slot_attr(p, s->def->attrs[place.index].constraint,
                            mlc_op_slot(s->op, place.index), flags & MLC_FORMAT_QUALIFIED);
        return;
    case MLC_PLACE_REGION:
        end = group_end(place.index, s->def->regions[place.index].arity, mlc_op_num_regions(s->op));
        for (size_t i = place.index; i < end; i++) {
            comma(p, i > place.index);
            print_region(s, i);
        }
        return;
    case MLC_PLACE_SUCCESSOR:
        end = group_end(place.index, s->def->successors[place.index].arity,
                        mlc_op_num_successors(s->op));
        for (size_t i = place.index; i < end; i++) {
            comma(p, i > place.index);
            mlc_print_block_name(p, mlc_op_successor(s->op, i));
        }
        return;
    default:
        mlc_format_values(s->op, place, &first, &count, &is_operand);
        if (place.place == MLC_PLACE_OPERAND &&
            s->def->operands[place.index].arity == MLC_VARIADIC_OF_VARIADIC)
            print_segments(s, place.index, first, count, false);
        else
            mlc_print_operands(p, s->op, first, count);
    }
}

static void
print_type(MlcFormatPrint *s, MlcPlaceRef place, unsigned flags)
{
    size_t first, count;
    bool is_operand;
    mlc_format_values(s->op, place, &first, &count, &is_operand);
    const MlcValueDef *def = place.place == MLC_PLACE_OPERAND  ? &s->def->operands[place.index]
                             : place.place == MLC_PLACE_RESULT ? &s->def->results[place.index]
                                                               : NULL;
    if (def && def->arity == MLC_VARIADIC_OF_VARIADIC) {
        print_segments(s, place.index, first, count, true);
        return;
    }
    for (size_t i = first; i < first + count; i++) {
        MlcType type = mlc_format_type_at(s->op, i, is_operand);
        comma(s->p, i > first);
        bool stripped = def && def->arity == MLC_ONE && !(flags & MLC_FORMAT_QUALIFIED) &&
                        def->type && def->type->kind == MLC_CONSTRAINT_DIALECT_TYPE &&
                        mlc_type_is(type, MLC_TYPE_DIALECT) && mlc_dialect_type_def(type)->format &&
                        !mlc_dialect_type_def(type)->print;
        size_t before = s->p->buf->size;
        if (stripped)
            mlc_print_stripped_type(s->p, type);
        if (s->p->buf->size == before) // nothing to show: with its name, then
            mlc_print_type(s->p, type);
    }
}

static void
print_functional_type(MlcFormatPrint *s, MlcPlaceRef ins, MlcPlaceRef outs)
{
    size_t first, count;
    bool is_operand;
    mlc_format_values(s->op, ins, &first, &count, &is_operand);
    mlc_buf_append_char(s->p->buf, '(');
    for (size_t i = first; i < first + count; i++) {
        comma(s->p, i > first);
        mlc_print_type(s->p, mlc_format_type_at(s->op, i, is_operand));
    }
    mlc_buf_append_c(s->p->buf, ") -> ");
    mlc_format_values(s->op, outs, &first, &count, &is_operand);
    bool wrapped =
        count != 1 || mlc_type_is(mlc_format_type_at(s->op, first, is_operand), MLC_TYPE_FUNCTION);
    if (wrapped)
        mlc_buf_append_char(s->p->buf, '(');
    for (size_t i = first; i < first + count; i++) {
        comma(s->p, i > first);
        mlc_print_type(s->p, mlc_format_type_at(s->op, i, is_operand));
    }
    if (wrapped)
        mlc_buf_append_char(s->p->buf, ')');
}

static void
print_group(MlcFormatPrint *s, const uint32_t *node)
{
    size_t num_anchors = mlc_format_a(node[0]);
    bool present = false;
    for (size_t i = 0; i < num_anchors && !present; i++)
        present = mlc_format_is_present(s->op, mlc_format_place(node[2 + i]));
    if (mlc_format_flags(node[0]) & MLC_FORMAT_INVERTED)
        present = !present;
    const uint32_t *then = node + 2 + num_anchors, *otherwise = then + 1 + then[0];
    if (present)
        print_nodes(s, then + 1, then + 1 + then[0]);
    else
        print_nodes(s, otherwise + 1, otherwise + 1 + otherwise[0]);
}

// Whether anything that the elements of a clause show is there.
static bool
any_present(MlcFormatPrint *s, const uint32_t *node, const uint32_t *end)
{
    for (; node < end; node += node[1])
        if (mlc_format_op(node[0]) == MLC_FORMAT_VAR &&
            mlc_format_is_present(s->op, mlc_format_place(node[2])))
            return true;
    return false;
}

static void
print_oilist(MlcFormatPrint *s, const uint32_t *node)
{
    const uint32_t *clause = node + 2;
    for (size_t i = 0; i < mlc_format_a(node[0]); i++, clause += 2 + clause[1]) {
        const uint32_t *element = clause + 2, *end = element + clause[1];
        if (!any_present(s, element, end))
            continue;
        if (clause[0] >> 16 & MLC_FORMAT_SPACE_BEFORE)
            mlc_buf_append_char(s->p->buf, ' ');
        mlc_buf_append_c(s->p->buf, s->format->strings[clause[0] & 0xffff]);
        MlcPlaceRef place = mlc_format_place(element[2]);
        bool is_unit = clause[1] == 3 && place.place == MLC_PLACE_ATTR &&
                       mlc_attr_is(mlc_op_slot(s->op, place.index), MLC_ATTR_UNIT);
        if (!is_unit)
            print_nodes(s, element, end);
    }
}

static void
print_prop_dict(MlcFormatPrint *s, const uint32_t *node)
{
    bool any = false;
    for (size_t i = 0; i < s->def->num_attrs; i++) {
        const MlcAttrSlot *slot = &s->def->attrs[i];
        MlcAttr value = mlc_op_slot(s->op, i);
        bool skip = !value || strstr(slot->name, "SegmentSizes") ||
                    (slot->default_text && mlc_context_default_attr(s->p->ctx, slot) == value);
        for (size_t j = 0; j < mlc_format_a(node[0]) && !skip; j++)
            skip = node[2 + j] == i;
        if (skip)
            continue;
        mlc_buf_append_c(s->p->buf, any ? ", " : " <{");
        mlc_print_named_attr(
            s->p, (MlcNamedAttr){mlc_string_attr_get(s->p->ctx, mlc_str(slot->name)), value});
        any = true;
    }
    if (any)
        mlc_buf_append_c(s->p->buf, "}>");
}

static void
print_custom(MlcFormatPrint *s, const uint32_t *node)
{
    const uint32_t *args[12], *end = node + node[1];
    size_t count = 0;
    for (const uint32_t *arg = node + 2; arg < end && count < 12; arg += arg[1])
        args[count++] = arg;
    mlc_format_print_custom(s, mlc_str(s->format->strings[mlc_format_a(node[0])]), args, count);
}

static void
print_node(MlcFormatPrint *s, const uint32_t *node)
{
    MlcBuf *buf = s->p->buf;
    unsigned flags = mlc_format_flags(node[0]);
    if (flags & MLC_FORMAT_ELIDED)
        return;
    if (flags & MLC_FORMAT_SPACE_BEFORE)
        mlc_buf_append_char(buf, ' ');
    switch (mlc_format_op(node[0])) {
    case MLC_FORMAT_LITERAL:
        mlc_buf_append_c(buf, s->format->strings[mlc_format_a(node[0])]);
        break;
    case MLC_FORMAT_SPACE:
        mlc_buf_append_char(buf, ' ');
        break;
    case MLC_FORMAT_NEWLINE:
        mlc_buf_append_char(buf, '\n');
        mlc_buf_append_repeated(buf, ' ', s->p->indent);
        break;
    case MLC_FORMAT_ATTR_DICT:
        mlc_print_op_dict(s->p, s->op, NULL, node + 2, mlc_format_a(node[0]),
                          flags & MLC_FORMAT_KEYWORD, true);
        break;
    case MLC_FORMAT_PROP_DICT:
        print_prop_dict(s, node);
        break;
    case MLC_FORMAT_VAR:
        print_var(s, mlc_format_place(node[2]), flags);
        break;
    case MLC_FORMAT_TYPE:
        print_type(s, mlc_format_place(node[2]), flags);
        break;
    case MLC_FORMAT_FUNCTIONAL_TYPE:
        print_functional_type(s, mlc_format_place(node[2]), mlc_format_place(node[3]));
        break;
    case MLC_FORMAT_REGIONS:
        for (size_t i = 0; i < mlc_op_num_regions(s->op); i++) {
            comma(s->p, i > 0);
            print_region(s, i);
        }
        break;
    case MLC_FORMAT_SUCCESSORS:
        for (size_t i = 0; i < mlc_op_num_successors(s->op); i++) {
            comma(s->p, i > 0);
            mlc_print_block_name(s->p, mlc_op_successor(s->op, i));
        }
        break;
    case MLC_FORMAT_CUSTOM:
        print_custom(s, node);
        break;
    case MLC_FORMAT_GROUP:
        print_group(s, node);
        break;
    case MLC_FORMAT_OILIST:
        print_oilist(s, node);
        break;
    case MLC_FORMAT_STRUCTURED:
        mlc_format_print_structured(s);
        break;
    }
}

static void
print_nodes(MlcFormatPrint *s, const uint32_t *node, const uint32_t *end)
{
    for (; node < end; node += node[1])
        print_node(s, node);
}

void
mlc_format_print_op(MlcPrinter *p, MlcOp *op, const MlcFormat *format)
{
    MlcFormatPrint s = {p, op, mlc_op_def(op), format};
    print_nodes(&s, format->code, format->code + format->code_size);
}

// --- parameters

typedef struct Params {
    MlcPrinter *p;
    const MlcFormat *format;
    const MlcParamDef *defs;
    const MlcAttr *values;
    const MlcAttrDef *enumeration;
} Params;

static bool
param_is_present(Params *s, size_t i)
{
    if (!s->values[i])
        return false;
    if (s->enumeration || !s->defs[i].default_text)
        return true;
    return mlc_parse_attr(s->p->ctx, mlc_str(s->defs[i].default_text)) != s->values[i];
}

static void
print_single_param(Params *s, const MlcParamDef *param, MlcAttr value, unsigned flags)
{
    const MlcAttrDef *def = value ? mlc_dialect_attr_def(value) : NULL;
    int64_t number;
    if (def && def->num_cases &&
        mlc_constraint_part(param->constraint, MLC_CONSTRAINT_DIALECT_ATTR))
        // the keyword alone, which is read where the parameter is of that kind
        mlc_print_enum(s->p, def, mlc_enum_attr_value(value));
    else if (param->spelling == MLC_SPELLED_UNSIGNED && mlc_attr_try_as_int(value, &number) &&
             number < 0 && mlc_integer_type_width(mlc_attr_type(value)) > 1)
        mlc_buf_printf(s->p->buf, "%llu",
                       (unsigned long long)number &
                           UINT64_MAX >> (64 - mlc_integer_type_width(mlc_attr_type(value))));
    else if (param->spelling == MLC_SPELLED_MAP && mlc_attr_is(value, MLC_ATTR_AFFINE_MAP))
        mlc_affine_map_print(mlc_affine_map_attr_value(value), s->p->buf);
    else
        mlc_print_slot_attr(s->p, param->constraint, value, flags & MLC_FORMAT_QUALIFIED);
}

static void
print_param(Params *s, size_t i, unsigned flags)
{
    MlcAttr value = s->values[i];
    if (s->enumeration && i == 0) {
        mlc_print_enum(s->p, s->enumeration, mlc_enum_attr_value(value));
    } else if (s->defs[i].is_list && mlc_attr_is(value, MLC_ATTR_ARRAY)) {
        for (size_t j = 0; j < mlc_array_attr_size(value); j++) {
            comma(s->p, j > 0);
            print_single_param(s, &s->defs[i], mlc_array_attr_element(value, j), flags);
        }
    } else {
        print_single_param(s, &s->defs[i], value, flags);
    }
}

static void
print_param_nodes(Params *s, const uint32_t *node, const uint32_t *end)
{
    MlcBuf *buf = s->p->buf;
    for (; node < end; node += node[1]) {
        unsigned flags = mlc_format_flags(node[0]);
        uint32_t op = mlc_format_op(node[0]);
        if (flags & MLC_FORMAT_SPACE_BEFORE && op != MLC_FORMAT_GROUP)
            mlc_buf_append_char(buf, ' ');
        if (op == MLC_FORMAT_LITERAL) {
            mlc_buf_append_c(buf, s->format->strings[mlc_format_a(node[0])]);
        } else if (op == MLC_FORMAT_SPACE) {
            mlc_buf_append_char(buf, ' ');
        } else if (op == MLC_FORMAT_VAR) {
            print_param(s, mlc_format_place(node[2]).index, flags);
        } else if (op == MLC_FORMAT_PARAMS || op == MLC_FORMAT_STRUCT) {
            bool any = false;
            for (size_t i = 0; i < mlc_format_a(node[0]); i++) {
                size_t param = node[2 + i];
                bool can_miss = s->defs[param].optional || s->defs[param].default_text;
                if (can_miss && !param_is_present(s, param))
                    continue;
                comma(s->p, any);
                any = true;
                if (op == MLC_FORMAT_STRUCT)
                    mlc_buf_printf(buf, "%s = ", s->defs[param].name);
                print_param(s, param, flags);
            }
        } else if (op == MLC_FORMAT_GROUP) {
            size_t num_anchors = mlc_format_a(node[0]);
            bool present = false;
            for (size_t i = 0; i < num_anchors; i++)
                present |= param_is_present(s, mlc_format_place(node[2 + i]).index);
            const uint32_t *then = node + 2 + num_anchors, *otherwise = then + 1 + then[0];
            if (present)
                print_param_nodes(s, then + 1, then + 1 + then[0]);
            else
                print_param_nodes(s, otherwise + 1, otherwise + 1 + otherwise[0]);
        }
    }
}

void
mlc_format_print_params(MlcPrinter *p, const MlcFormat *format, const MlcParamDef *defs,
                        const MlcAttr *params, const MlcAttrDef *enumeration)
{
    Params s = {p, format, defs, params, enumeration};
    print_param_nodes(&s, format->code, format->code + format->code_size);
}

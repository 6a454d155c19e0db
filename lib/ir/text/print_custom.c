// print_custom.c -- custom<...>(...) directives, printed: the other half of parse_custom.c.
#include "print_format.h"

typedef struct Args {
    const uint32_t *const *nodes;
    size_t count;
} Args;

static MlcPlaceRef
place_at(const Args *args, size_t i)
{
    return mlc_format_place(args->nodes[i][2]);
}

static void
values_at(MlcFormatPrint *s, const Args *args, size_t i, size_t *first, size_t *count)
{
    bool is_operand;
    mlc_format_values(s->op, place_at(args, i), first, count, &is_operand);
}

static MlcType
type_at(MlcFormatPrint *s, const Args *args, size_t i)
{
    size_t first, count;
    bool is_operand;
    mlc_format_values(s->op, place_at(args, i), &first, &count, &is_operand);
    return count ? mlc_format_type_at(s->op, first, is_operand) : NULL;
}

static MlcAttr
attr_at(MlcFormatPrint *s, const Args *args, size_t i)
{
    return mlc_op_slot(s->op, place_at(args, i).index);
}

static void
print_index_list(MlcFormatPrint *s, const Args *args)
{
    size_t first, count, next = 0;
    values_at(s, args, 0, &first, &count);
    MlcAttr statics = attr_at(s, args, 1);
    mlc_buf_append_char(s->p->buf, '[');
    for (size_t i = 0; i < mlc_int_list_attr_size(statics); i++) {
        int64_t value = 0;
        mlc_buf_append_c(s->p->buf, i ? ", " : "");
        if (mlc_int_list_attr_get(statics, i, &value) && value == MLC_DYNAMIC)
            mlc_print_value_name(s->p, next < count ? mlc_op_operand(s->op, first + next++) : NULL,
                                 true);
        else
            mlc_buf_append_int(s->p->buf, value);
    }
    mlc_buf_append_char(s->p->buf, ']');
}

static void
print_visibility(MlcFormatPrint *s, const Args *args)
{
    MlcAttr attr = attr_at(s, args, 0);
    if (attr)
        mlc_buf_append_str(s->p->buf, mlc_string_attr_value(attr));
}

static void
print_async(MlcFormatPrint *s, const Args *args)
{
    size_t first, count;
    bool is_async = type_at(s, args, 0) != NULL;
    if (is_async)
        mlc_buf_append_c(s->p->buf, "async");
    values_at(s, args, 1, &first, &count);
    if (!count)
        return;
    mlc_buf_append_c(s->p->buf, is_async ? " [" : "[");
    mlc_print_operands(s->p, s->op, first, count);
    mlc_buf_append_char(s->p->buf, ']');
}

static void
print_dict(MlcFormatPrint *s, const Args *args)
{
    const uint32_t *node = args->nodes[0];
    mlc_print_op_dict(s->p, s->op, NULL, node + 2, mlc_format_a(node[0]), false, true);
}

static void
print_overflow(MlcFormatPrint *s, const Args *args)
{
    MlcAttr flags = attr_at(s, args, 0);
    if (!flags || mlc_enum_attr_value(flags) == 0)
        return;
    mlc_buf_append_c(s->p->buf, " overflow<");
    const MlcAttrDef *def = mlc_dialect_attr_def(flags);
    if (def)
        mlc_print_enum(s->p, def, mlc_enum_attr_value(flags));
    mlc_buf_append_char(s->p->buf, '>');
}

// ^block(%a : type) with `count` operands from `first` on.
static void
print_successor(MlcFormatPrint *s, size_t successor, size_t first, size_t count)
{
    mlc_print_block_name(s->p, mlc_op_successor(s->op, successor));
    if (!count)
        return;
    mlc_buf_append_char(s->p->buf, '(');
    mlc_print_operands(s->p, s->op, first, count);
    for (size_t i = 0; i < count; i++) {
        mlc_buf_append_c(s->p->buf, i ? ", " : " : ");
        mlc_print_type(s->p, mlc_value_type(mlc_op_operand(s->op, first + i)));
    }
    mlc_buf_append_char(s->p->buf, ')');
}

static void
new_line(MlcFormatPrint *s)
{
    mlc_buf_append_char(s->p->buf, '\n');
    mlc_buf_append_repeated(s->p->buf, ' ', s->p->indent);
}

// Cases print without sign, whatever the width.
static void
print_unsigned(MlcPrinter *p, MlcAttr value)
{
    int64_t number;
    unsigned width = mlc_type_is(mlc_attr_type(value), MLC_TYPE_INTEGER)
                         ? mlc_integer_type_width(mlc_attr_type(value))
                         : 64;
    if (width > 64 || !mlc_attr_try_as_int(value, &number))
        mlc_print_attr_elided(p, value, MLC_TYPE_ELIDED);
    else
        mlc_buf_append_uint(p->buf, (uint64_t)number & (UINT64_MAX >> (64 - width)));
}

static void
print_switch(MlcFormatPrint *s, const Args *args)
{
    bool has_default = args->count == 8;
    MlcAttr values = attr_at(s, args, has_default ? 4 : 1);
    MlcPlaceRef operands = place_at(args, has_default ? 6 : 3);
    size_t first, count;
    if (has_default) {
        values_at(s, args, 2, &first, &count);
        mlc_buf_append_c(s->p->buf, "  default: ");
        print_successor(s, 0, first, count);
    } else {
        mlc_buf_append_char(s->p->buf, '[');
        new_line(s);
    }
    const char *segments_name = s->def->operands[operands.index].segments;
    MlcAttr segments = segments_name ? mlc_op_attr(s->op, segments_name) : NULL;
    mlc_op_operand_group(s->op, operands.index, &first, &count);
    size_t num_cases = values ? (size_t)mlc_type_num_elements(mlc_attr_type(values)) : 0;
    for (size_t i = 0; i < num_cases; i++) {
        int64_t size = 0;
        mlc_int_list_attr_get(segments, i, &size);
        if (has_default || i)
            mlc_buf_append_char(s->p->buf, ',');
        if (has_default || i)
            new_line(s);
        mlc_buf_append_c(s->p->buf, "  ");
        print_unsigned(s->p, mlc_elements_attr_element(values, i));
        mlc_buf_append_c(s->p->buf, ": ");
        print_successor(s, i + 1, first, (size_t)size);
        first += (size_t)size;
    }
    if (values)
        new_line(s);
    if (!has_default)
        mlc_buf_append_char(s->p->buf, ']');
    else if (!values)
        (void)0;
}

static void
print_case_regions(MlcFormatPrint *s, const Args *args)
{
    MlcAttr values = attr_at(s, args, 0);
    size_t first = place_at(args, 1).index;
    for (size_t i = 0; i < mlc_int_list_attr_size(values); i++) {
        int64_t value = 0;
        mlc_int_list_attr_get(values, i, &value);
        new_line(s);
        mlc_buf_printf(s->p->buf, "case %lld ", (long long)value);
        mlc_print_region(s->p, mlc_op_region(s->op, first + i), false, true, false);
    }
}

static void
print_gep_indices(MlcFormatPrint *s, const Args *args)
{
    size_t first, count, next = 0;
    values_at(s, args, 0, &first, &count);
    MlcAttr constants = attr_at(s, args, 1);
    for (size_t i = 0; i < mlc_int_list_attr_size(constants); i++) {
        int64_t value = 0;
        mlc_int_list_attr_get(constants, i, &value);
        mlc_buf_append_c(s->p->buf, i ? ", " : "");
        if (value == INT32_MIN && next < count)
            mlc_print_value_name(s->p, mlc_op_operand(s->op, first + next++), true);
        else
            mlc_buf_append_int(s->p->buf, value);
    }
}

static void
print_global(MlcFormatPrint *s, const Args *args)
{
    MlcAttr type = attr_at(s, args, 0), value = attr_at(s, args, 1);
    mlc_print_type(s->p, mlc_type_attr_value(type));
    if (!value)
        return;
    mlc_buf_append_c(s->p->buf, " = ");
    if (mlc_attr_is(value, MLC_ATTR_UNIT))
        mlc_buf_append_c(s->p->buf, "uninitialized");
    else
        mlc_print_attribute_without_type(s->p, value);
}

static void
print_optional_attr(MlcFormatPrint *s, const Args *args)
{
    MlcPlaceRef place = place_at(args, 0);
    MlcAttr attr = attr_at(s, args, 0);
    if (attr)
        mlc_print_slot_attr(s->p, s->def->attrs[place.index].constraint, attr, false);
}

static void
print_launch_type(MlcFormatPrint *s, const Args *args)
{
    MlcType type = type_at(s, args, 0);
    if (!type || mlc_type_is(type, MLC_TYPE_INDEX))
        return;
    mlc_buf_append_c(s->p->buf, ": ");
    mlc_print_type(s->p, type);
}

static void
print_launch_operands(MlcFormatPrint *s, const Args *args)
{
    size_t first, count;
    values_at(s, args, 0, &first, &count);
    if (!count)
        return;
    mlc_buf_append_c(s->p->buf, "args(");
    for (size_t i = first; i < first + count; i++) {
        mlc_buf_append_c(s->p->buf, i > first ? ", " : "");
        mlc_print_value_name(s->p, mlc_op_operand(s->op, i), true);
        mlc_buf_append_c(s->p->buf, " : ");
        mlc_print_type(s->p, mlc_value_type(mlc_op_operand(s->op, i)));
    }
    mlc_buf_append_char(s->p->buf, ')');
}

static void
print_nothing(MlcFormatPrint *s, const Args *args)
{
    (void)s, (void)args;
}

static void
print_bracketed_attr(MlcFormatPrint *s, const Args *args)
{
    MlcPlaceRef place = place_at(args, 0);
    if (!mlc_format_is_present(s->op, place))
        return;
    mlc_buf_append_char(s->p->buf, '<');
    mlc_print_attribute(s->p, attr_at(s, args, 0));
    mlc_buf_append_char(s->p->buf, '>');
}

static const struct {
    const char *name;
    size_t min_args;
    void (*print)(MlcFormatPrint *s, const Args *args);
} customs[] = {
    {"AllReduceOperation", 1, print_optional_attr},
    {"AsyncDependencies", 2, print_async},
    {"DynamicIndexList", 2, print_index_list},
    {"GEPIndices", 2, print_gep_indices},
    {"GlobalMemrefOpTypeAndInitialValue", 2, print_global},
    {"InsertExtractValueElementType", 3, print_nothing},
    {"LLVMOpAttrs", 1, print_dict},
    {"LaunchDimType", 2, print_launch_type},
    {"LaunchFuncOperands", 1, print_launch_operands},
    {"OffloadingHandler", 1, print_bracketed_attr},
    {"OverflowFlags", 1, print_overflow},
    {"ShuffleType", 3, print_nothing},
    {"SwitchCases", 2, print_case_regions},
    {"SwitchOpCases", 5, print_switch},
    {"SymbolVisibility", 1, print_visibility},
};

void
mlc_format_print_custom(MlcFormatPrint *s, MlcStr name, const uint32_t *const *nodes,
                        size_t num_args)
{
    Args args = {nodes, num_args};
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++)
        if (mlc_str_equal(name, mlc_str(customs[i].name)) && num_args >= customs[i].min_args) {
            customs[i].print(s, &args);
            return;
        }
}

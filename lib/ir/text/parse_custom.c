// parse_custom.c -- custom<...>(...) directives of formats: shapes of syntax that several ops
// share, by upstream's names.
//
// They know places, not dialects: types they make come from the constraints of what they fill.
#include "parse_format.h"
#include "text.tab.h"

typedef int (*CustomFn)(MlcFormatParse *s, const MlcFormatArgs *args, bool optional);

static const MlcConstraint *
constraint_of(const MlcFormatParse *s, MlcPlaceRef place)
{
    return place.place == MLC_PLACE_OPERAND  ? s->def->operands[place.index].type
           : place.place == MLC_PLACE_RESULT ? s->def->results[place.index].type
                                             : s->def->attrs[place.index].constraint;
}

// ($values, $statics): [%a, 4]
static int
parse_index_list(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    MlcAttr statics;
    if (optional && !mlc_parser_is(s->p, '['))
        return 0;
    MlcFormatGroup *values = mlc_format_group(s, mlc_format_arg_place(args, 0));
    if (!mlc_parse_dynamic_index_list(s->p, "[", "]", &values->refs, &statics))
        return -1;
    mlc_format_set_attr(s, mlc_format_arg_place(args, 1), statics);
    return 1;
}

// ($visibility): public, private, nested
static int
parse_visibility(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    static const char *const words[] = {"public", "private", "nested"};
    for (size_t i = 0; i < 3; i++)
        if (mlc_parse_optional_token(s->p, words[i])) {
            mlc_format_set_attr(s, mlc_format_arg_place(args, 0),
                                mlc_string_attr_get(s->p->ctx, mlc_str(words[i])));
            return 1;
        }
    return 0;
}

// (type($token), $dependencies): async [%a, %b]
static int
parse_async(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcParser *p = s->p;
    MlcPlaceRef token = mlc_format_arg_place(args, 0);
    const char *at = p->tok.at;
    if (mlc_parse_optional_token(p, "async")) {
        if (s->op->num_results == 0)
            return mlc_parser_fail_at(p, at, "needs to be named when marked 'async'"), -1;
        mlc_format_add_type(s, token, mlc_constraint_only_type(p->ctx, constraint_of(s, token)));
    }
    if (!mlc_parser_is(p, '['))
        return 1;
    MlcFormatGroup *g = mlc_format_group(s, mlc_format_arg_place(args, 1));
    return mlc_parse_operands_within(p, "[", "]", &g->refs) ? 1 : -1;
}

static int
parse_dict(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)args, (void)optional;
    return mlc_parse_attr_dict(s->p, s->op) ? 1 : -1;
}

// ($flags): overflow<nsw, nuw>
static int
parse_overflow(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcAttr flags;
    MlcPlaceRef place = mlc_format_arg_place(args, 0);
    const MlcAttrDef *def = mlc_constraint_enum(s->p->ctx, constraint_of(s, place));
    if (!mlc_parse_optional_token(s->p, "overflow"))
        return 0;
    if (!def || !mlc_parse_token(s->p, "<") || !mlc_parse_enum_param(s->p, def, &flags) ||
        !mlc_parse_token(s->p, ">"))
        return -1;
    mlc_format_set_attr(s, place, flags);
    return 1;
}

// ^block(%a, %b : types), into a group of operands.
static bool
parse_successor_with_operands(MlcFormatParse *s, MlcPlaceRef operands)
{
    MlcBlock *block;
    MlcFormatGroup *g = mlc_format_group(s, operands);
    if (!mlc_parse_successor(s->p, &block))
        return false;
    mlc_vec_push(&s->op->successors, block);
    size_t before = g->refs.size;
    g->has_types = true;
    if (mlc_parser_take(s->p, '(') &&
        (!mlc_parse_operand_list(s->p, &g->refs) || !mlc_parse_token(s->p, ":") ||
         !mlc_parse_type_list(s->p, &g->types) || !mlc_parse_token(s->p, ")")))
        return false;
    if (operands.place == MLC_PLACE_OPERAND &&
        s->def->operands[operands.index].arity == MLC_VARIADIC_OF_VARIADIC)
        mlc_vec_push(&g->segments, (int32_t)(g->refs.size - before));
    return true;
}

// 1: ^a, 2: ^b(%x : i32)
static bool
parse_case(MlcFormatParse *s, MlcPlaceRef operands, MlcType type, MlcAttr *value)
{
    MlcToken token;
    bool negative = mlc_parser_take(s->p, '-');
    token = s->p->tok;
    if (!mlc_parser_is(s->p, TOK_INT))
        return mlc_parser_fail_custom(s->p, s->p->tok.at, "expected integer value");
    *value = mlc_text_number(s->p, TOK_INT, mlc_token_str(token), token.at, negative, type);
    mlc_parser_advance(s->p);
    return *value && mlc_parse_token(s->p, ":") && parse_successor_with_operands(s, operands);
}

static void
set_case_values(MlcFormatParse *s, MlcPlaceRef place, MlcType type, size_t first)
{
    size_t count = s->p->attrs.size - first;
    int64_t shape[1] = {(int64_t)count};
    if (count)
        mlc_format_set_attr(s, place,
                            mlc_dense_attr_from_elements(mlc_vector_type_get(type, shape, 1, NULL),
                                                         s->p->attrs.data + first, count));
    s->p->attrs.size = first;
}

// (ref(type($flag)), $default, $defaultOperands, type, $values, $destinations, $operands, type), or
// without the default: (ref(type($flag)), $values, $destinations, $operands, type) in brackets of
// its own.
static int
parse_switch(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    bool has_default = args->count == 8;
    MlcFormatGroup *flag = mlc_format_group(s, mlc_format_arg_place(args, 0));
    MlcPlaceRef values = mlc_format_arg_place(args, has_default ? 4 : 1);
    MlcPlaceRef operands = mlc_format_arg_place(args, has_default ? 6 : 3);
    if (!flag->types.size || !mlc_type_is_int_or_index(flag->types.data[0]))
        return mlc_parser_fail_wrong(s->p, "expected an integer type"), -1;
    size_t first = s->p->attrs.size;
    s->operands[operands.index].has_types = true;
    if (has_default) {
        if (!mlc_parse_token(s->p, "default") || !mlc_parse_token(s->p, ":") ||
            !parse_successor_with_operands(s, mlc_format_arg_place(args, 2)))
            return -1;
    } else if (!mlc_parse_token(s->p, "[")) {
        return -1;
    } else if (mlc_parser_take(s->p, ']')) {
        return 1;
    }
    MlcAttr value = NULL;
    for (bool more = has_default ? mlc_parser_take(s->p, ',') : true; more;
         more = mlc_parser_take(s->p, ',')) {
        if (!parse_case(s, operands, flag->types.data[0], &value))
            return -1;
        mlc_vec_push(&s->p->attrs, value);
    }
    set_case_values(s, values, flag->types.data[0], first);
    return has_default || mlc_parse_token(s->p, "]") ? 1 : -1;
}

// ($cases, $regions): case 2 { ... }
static int
parse_case_regions(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MLC_VEC(int64_t) values = {0};
    bool ok = true;
    while (ok && mlc_parse_optional_token(s->p, "case")) {
        int64_t value = 0;
        ok = mlc_parse_integer(s->p, &value) &&
             mlc_parse_region(s->p, mlc_op_build_region(s->p, s->op), NULL);
        mlc_vec_push(&values, value);
    }
    if (ok)
        mlc_format_set_attr(s, mlc_format_arg_place(args, 0),
                            mlc_i64_array_attr_get(s->p->ctx, values.data, values.size));
    mlc_vec_release(&values);
    return ok ? 1 : -1;
}

// ($dynamic, $constants): %i, 0
static int
parse_gep_indices(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcFormatGroup *g = mlc_format_group(s, mlc_format_arg_place(args, 0));
    MLC_VEC(int32_t) constants = {0};
    bool ok = true;
    do {
        MlcOperandRef ref;
        int64_t value = INT32_MIN;
        int found = mlc_parse_optional_operand(s->p, &ref);
        if (found > 0)
            mlc_vec_push(&g->refs, ref);
        ok = found > 0 || (found == 0 && mlc_parse_integer(s->p, &value));
        mlc_vec_push(&constants, (int32_t)value);
    } while (ok && mlc_parser_take(s->p, ','));
    if (ok)
        mlc_format_set_attr(s, mlc_format_arg_place(args, 1),
                            mlc_i32_array_attr_get(s->p->ctx, constants.data, constants.size));
    mlc_vec_release(&constants);
    return ok ? 1 : -1;
}

// ($type, $value): memref<2xi32> = dense<0>, = uninitialized
static int
parse_global(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcType type;
    MlcAttr value;
    if (!mlc_parse_type_into(s->p, &type))
        return -1;
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || !mlc_type_has_static_shape(type))
        return mlc_parser_error_at(s->p, s->op->loc,
                                   "type should be static shaped memref, but got '%s'",
                                   mlc_type_text(type)),
               -1;
    mlc_format_set_attr(s, mlc_format_arg_place(args, 0), mlc_type_attr_get(type));
    if (!mlc_parser_take(s->p, '='))
        return 1;
    if (mlc_parse_optional_token(s->p, "uninitialized")) {
        value = mlc_unit_attr_get(s->p->ctx);
    } else {
        MlcType hint = mlc_tensor_type_get(mlc_type_element(type), mlc_type_shape(type),
                                           mlc_type_rank(type), NULL);
        if (!mlc_parse_attribute(s->p, hint, &value))
            return -1;
    }
    mlc_format_set_attr(s, mlc_format_arg_place(args, 1), value);
    return 1;
}

// ($op): one of an enumeration's keywords, or nothing
static int
parse_optional_enum(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcPlaceRef place = mlc_format_arg_place(args, 0);
    MlcAttr value;
    int found = mlc_parse_slot_attr(s->p, constraint_of(s, place), s->def->attrs[place.index].name,
                                    true, &value);
    if (found > 0)
        mlc_format_set_attr(s, place, value);
    return found;
}

// (type($x), ref($cluster), type($cluster)...): `: type`, index if left out
static int
parse_launch_type(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcType type = mlc_index_type_get(s->p->ctx);
    if (mlc_parser_take(s->p, ':') && !mlc_parse_type_into(s->p, &type))
        return -1;
    bool has_cluster = mlc_format_group(s, mlc_format_arg_place(args, 1))->refs.size > 0;
    mlc_format_add_type(s, mlc_format_arg_place(args, 0), type);
    for (size_t i = 2; has_cluster && i < args->count; i++)
        mlc_format_add_type(s, mlc_format_arg_place(args, i), type);
    return 1;
}

// ($operands, type($operands)): args(%a : type, ...)
static int
parse_launch_operands(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcPlaceRef place = mlc_format_arg_place(args, 0);
    MlcFormatGroup *g = mlc_format_group(s, place);
    g->has_types = true;
    if (!mlc_parse_optional_token(s->p, "args"))
        return 0;
    if (!mlc_parse_token(s->p, "("))
        return -1;
    if (mlc_parser_take(s->p, ')'))
        return 1;
    do {
        MlcOperandRef ref;
        MlcType type;
        if (!mlc_parse_operand(s->p, &ref) || !mlc_parse_token(s->p, ":") ||
            !mlc_parse_type_into(s->p, &type))
            return -1;
        mlc_vec_push(&g->refs, ref);
        mlc_format_add_type(s, place, type);
    } while (mlc_parser_take(s->p, ','));
    return mlc_parse_token(s->p, ")") ? 1 : -1;
}

// A vector type of a dialect's own: its integer parameter that is no flag counts the elements.
static int
parse_shuffle_of_dialect_vector(MlcFormatParse *s, const MlcFormatArgs *args, MlcType type,
                                MlcAttr mask)
{
    MlcAttr params[8];
    size_t count = mlc_dialect_type_num_params(type);
    bool found = false;
    for (size_t i = 0; i < count && i < 8; i++) {
        params[i] = mlc_dialect_type_param(type, i);
        if (mlc_attr_is(params[i], MLC_ATTR_INTEGER) &&
            !mlc_type_is_integer(mlc_attr_type(params[i]), 1)) {
            params[i] = mlc_integer_attr_get(mlc_attr_type(params[i]),
                                             (int64_t)mlc_int_list_attr_size(mask));
            found = true;
        }
    }
    if (!found || count > 8)
        return mlc_parser_fail_custom(s->p, s->p->tok.at,
                                      "expected an LLVM compatible vector type"),
               -1;
    mlc_format_add_type(s, mlc_format_arg_place(args, 1),
                        mlc_dialect_type_get(s->p->ctx, mlc_dialect_type_def(type), params, count));
    return 1;
}

// (ref(type($v1)), type($res), ref($mask)): the vector type of as many elements as the mask has
static int
parse_shuffle_type(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcFormatGroup *v1 = mlc_format_group(s, mlc_format_arg_place(args, 0));
    MlcAttr mask = mlc_format_get_attr(s, mlc_format_arg_place(args, 2));
    if (v1->types.size && mlc_type_is(v1->types.data[0], MLC_TYPE_DIALECT) && mask)
        return parse_shuffle_of_dialect_vector(s, args, v1->types.data[0], mask);
    if (!v1->types.size || !mlc_type_is(v1->types.data[0], MLC_TYPE_VECTOR) || !mask)
        return mlc_parser_fail_custom(s->p, s->p->tok.at,
                                      "expected an LLVM compatible vector type"),
               -1;
    int64_t shape[1] = {(int64_t)mlc_int_list_attr_size(mask)};
    bool scalable[1] = {mlc_vector_type_has_scalable(v1->types.data[0])};
    if (!shape[0])
        return mlc_parser_fail_wrong(s->p, "expected a mask"), -1;
    mlc_format_add_type(s, mlc_format_arg_place(args, 1),
                        mlc_vector_type_get(mlc_type_element(v1->types.data[0]), shape, 1,
                                            scalable[0] ? scalable : NULL));
    return 1;
}

static MlcType
list_member(MlcAttr list, int64_t index)
{
    if (!mlc_attr_is(list, MLC_ATTR_ARRAY) || index < 0 ||
        (size_t)index >= mlc_array_attr_size(list) ||
        !mlc_attr_is(mlc_array_attr_element(list, (size_t)index), MLC_ATTR_TYPE))
        return NULL;
    return mlc_type_attr_value(mlc_array_attr_element(list, (size_t)index));
}

// The type at `index` of an aggregate: a dialect type whose parameters are a list of types (or that
// has such a body), or one type and a count. `*is_aggregate`: whether it is one.
static MlcType
aggregate_member(MlcType type, int64_t index, bool *is_aggregate)
{
    *is_aggregate = false;
    if (!mlc_type_is(type, MLC_TYPE_DIALECT))
        return NULL;
    size_t num_params = mlc_dialect_type_num_params(type);
    for (size_t i = 0; i < num_params; i++) {
        MlcAttr param = mlc_dialect_type_param(type, i);
        int64_t count;
        *is_aggregate = mlc_attr_is(param, MLC_ATTR_TYPE) || mlc_attr_is(param, MLC_ATTR_ARRAY);
        if (mlc_attr_is(param, MLC_ATTR_ARRAY))
            return list_member(param, index);
        if (mlc_attr_is(param, MLC_ATTR_TYPE) && i + 1 < num_params &&
            mlc_attr_try_as_int(mlc_dialect_type_param(type, i + 1), &count))
            return index >= 0 && index < count ? mlc_type_attr_value(param) : NULL;
    }
    MlcAttr body = mlc_dialect_type_body(type);
    *is_aggregate |= body != NULL;
    return list_member(body, index);
}

// (type($value), ref(type($container)), ref($position)): nothing is read
static int
infer_member_type(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcFormatGroup *container = mlc_format_group(s, mlc_format_arg_place(args, 1));
    MlcAttr position = mlc_format_get_attr(s, mlc_format_arg_place(args, 2));
    MlcType type = container->types.size ? container->types.data[0] : NULL;
    if (!type || mlc_type_is(type, MLC_TYPE_TENSOR) ||
        mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR) || mlc_type_is(type, MLC_TYPE_MEMREF))
        return mlc_parser_fail_custom(s->p, s->p->tok.at, "expected LLVM IR Dialect type, got '%s'",
                                      type ? mlc_type_text(type) : "none"),
               -1;
    for (size_t i = 0; i < mlc_int_list_attr_size(position); i++) {
        int64_t index = 0;
        bool is_aggregate;
        mlc_int_list_attr_get(position, i, &index);
        MlcType member = aggregate_member(type, index, &is_aggregate);
        if (!is_aggregate)
            return mlc_parser_fail_custom(s->p, s->p->tok.at,
                                          "expected LLVM IR structure/array type, got: '%s'",
                                          mlc_type_text(type)),
                   -1;
        if (!member)
            return mlc_parser_fail_custom(s->p, s->p->tok.at, "position out of bounds: %lld",
                                          (long long)index),
                   -1;
        type = member;
    }
    mlc_format_add_type(s, mlc_format_arg_place(args, 0), type);
    return 1;
}

// ($handler): <attribute>
static int
parse_bracketed_attr(MlcFormatParse *s, const MlcFormatArgs *args, bool optional)
{
    (void)optional;
    MlcAttr value;
    if (!mlc_parser_take(s->p, '<'))
        return 0;
    if (!mlc_parse_attribute(s->p, NULL, &value) || !mlc_parse_token(s->p, ">"))
        return -1;
    mlc_format_set_attr(s, mlc_format_arg_place(args, 0), value);
    return 1;
}

static const struct {
    const char *name;
    size_t min_args;
    CustomFn parse;
} customs[] = {
    {"AllReduceOperation", 1, parse_optional_enum},
    {"AsyncDependencies", 2, parse_async},
    {"DynamicIndexList", 2, parse_index_list},
    {"GEPIndices", 2, parse_gep_indices},
    {"GlobalMemrefOpTypeAndInitialValue", 2, parse_global},
    {"InsertExtractValueElementType", 3, infer_member_type},
    {"LLVMOpAttrs", 1, parse_dict},
    {"LaunchDimType", 2, parse_launch_type},
    {"LaunchFuncOperands", 1, parse_launch_operands},
    {"OffloadingHandler", 1, parse_bracketed_attr},
    {"OverflowFlags", 1, parse_overflow},
    {"ShuffleType", 3, parse_shuffle_type},
    {"SwitchCases", 2, parse_case_regions},
    {"SwitchOpCases", 5, parse_switch},
    {"SymbolVisibility", 1, parse_visibility},
};

bool
mlc_format_is_custom(MlcStr name)
{
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++)
        if (mlc_str_equal(name, mlc_str(customs[i].name)))
            return true;
    return false;
}

int
mlc_format_parse_custom(MlcFormatParse *s, MlcStr name, const MlcFormatArgs *args, bool optional)
{
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++)
        if (mlc_str_equal(name, mlc_str(customs[i].name)) && args->count >= customs[i].min_args)
            return customs[i].parse(s, args, optional);
    return mlc_parser_fail_wrong(s->p, "custom<%.*s> in the format of '%s' is not known",
                                 MLC_STR_FMT(name), s->def->name),
           -1;
}

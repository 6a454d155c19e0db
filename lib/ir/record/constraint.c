// constraint.c -- evaluates the small trees that say which types and attributes a definition
// allows.
#include "context/context_impl.h"
#include "mlc/ir/def.h"
#include "mlc/ir/text.h"

// The type or attribute that `text` names, parsed once per context. The key is the text's address:
// it lives in a record.
static const void *
parsed(MlcContext *ctx, const char *text, bool is_type)
{
    typedef struct Parsed {
        uint64_t head[sizeof(MlcUniqued) / 8];
        uint64_t text;
        _Atomic(const void *) what;
    } Parsed;
    uint64_t key = mlc_word(text);
    MlcPart part = {&key, sizeof key};
    Parsed *entry =
        (Parsed *)(uintptr_t)mlc_intern(ctx, MLC_CATEGORY_PARSED, 0, &part, 1, sizeof key);
    const void *what = atomic_load_explicit(&entry->what, memory_order_acquire);
    if (!what) {
        what = is_type ? (const void *)ctx->text->parse_type(ctx, mlc_str(text))
                       : (const void *)ctx->text->parse_attr(ctx, mlc_str(text));
        atomic_store_explicit(&entry->what, what, memory_order_release);
    }
    return what;
}

bool
mlc_constraint_check_type(const MlcConstraint *c, MlcType type)
{
    if (!c)
        return true;
    if (!type)
        return false;
    switch ((MlcConstraintKind)c->kind) {
    case MLC_CONSTRAINT_ANY:
        return true;
    case MLC_CONSTRAINT_TYPE_KIND:
        return c->a >> mlc_type_kind(type) & 1;
    case MLC_CONSTRAINT_INTEGER:
        return mlc_type_is(type, MLC_TYPE_INTEGER) &&
               (!c->a || mlc_integer_type_width(type) == c->a) &&
               (!c->b || (c->b >> mlc_integer_type_signedness(type) & 1));
    case MLC_CONSTRAINT_FLOAT:
        return mlc_type_is_float(type) && (c->a >> mlc_float_type_kind(type) & 1);
    case MLC_CONSTRAINT_ANY_OF:
        for (size_t i = 0; i < c->num_args; i++)
            if (mlc_constraint_check_type(c->args[i], type))
                return true;
        return false;
    case MLC_CONSTRAINT_ALL_OF:
        for (size_t i = 0; i < c->num_args; i++)
            if (!mlc_constraint_check_type(c->args[i], type))
                return false;
        return true;
    case MLC_CONSTRAINT_NOT:
        return !mlc_constraint_check_type(c->args[0], type);
    case MLC_CONSTRAINT_ELEMENT:
        return (mlc_type_is_shaped(type) || mlc_type_is(type, MLC_TYPE_COMPLEX)) &&
               mlc_constraint_check_type(c->args[0], mlc_type_element(type));
    case MLC_CONSTRAINT_RANK:
        return mlc_type_has_rank(type) && (int64_t)mlc_type_rank(type) >= c->a &&
               (int64_t)mlc_type_rank(type) <= c->b;
    case MLC_CONSTRAINT_STATIC_SHAPE:
        return mlc_type_has_static_shape(type);
    case MLC_CONSTRAINT_DIALECT_TYPE:
        return mlc_type_isa(type, c->names[0]);
    case MLC_CONSTRAINT_SAME:
        return type == parsed(mlc_type_context(type), c->names[0], true);
    case MLC_CONSTRAINT_PARAMETERS:
        if (!mlc_dialect_type_def(type) || mlc_dialect_type_num_params(type) != c->num_args)
            return false;
        for (size_t i = 0; i < c->num_args; i++)
            if (!mlc_constraint_check_attr(c->args[i], mlc_dialect_type_param(type, i)))
                return false;
        return true;
    case MLC_CONSTRAINT_PREDICATE:
        return c->check(type);
    default:
        return false; // constraints of attributes
    }
}

static bool
is_case(const MlcAttrDef *def, int64_t value)
{
    int64_t all_bits = 0;
    for (size_t i = 0; i < def->num_cases; i++) {
        if (def->cases[i].value == value)
            return true;
        all_bits |= def->cases[i].value;
    }
    return def->is_bit_enum && (value & ~all_bits) == 0;
}

static bool
is_of_dialect(MlcAttr attr, const char *name)
{
    int64_t value;
    if (mlc_attr_isa(attr, name))
        return true;
    if (!mlc_attr_try_as_int(attr, &value))
        return false;
    const MlcAttrDef *def = mlc_context_attr(mlc_attr_context(attr), mlc_str(name));
    return def && def->is_bare_integer &&
           mlc_type_is_integer(mlc_attr_type(attr), def->enum_width) && is_case(def, value);
}

static bool
all_elements(const MlcConstraint *c, MlcAttr attr)
{
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY))
        return mlc_constraint_check_type(c->args[0], mlc_dense_array_attr_element_type(attr));
    if (!mlc_attr_is(attr, MLC_ATTR_ARRAY))
        return false;
    for (size_t i = 0; i < mlc_array_attr_size(attr); i++)
        if (!mlc_constraint_check_attr(c->args[0], mlc_array_attr_element(attr, i)))
            return false;
    return true;
}

static bool
is_in_range(const MlcConstraint *c, MlcAttr attr)
{
    int64_t value;
    if (mlc_attr_is(attr, MLC_ATTR_INTEGER))
        return mlc_attr_try_as_int(attr, &value) && value >= c->a && value <= c->b;
    for (size_t i = 0; i < mlc_int_list_attr_size(attr); i++)
        if (!mlc_int_list_attr_get(attr, i, &value) || value < c->a || value > c->b)
            return false;
    return mlc_attr_is(attr, MLC_ATTR_ARRAY) || mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY) ||
           mlc_attr_is(attr, MLC_ATTR_DENSE);
}

static bool
has_count(const MlcConstraint *c, MlcAttr attr)
{
    bool is_list = mlc_attr_is(attr, MLC_ATTR_ARRAY) || mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY);
    int64_t size = is_list ? (int64_t)mlc_int_list_attr_size(attr) : -1;
    return is_list && size >= c->a && size <= c->b;
}

// Whether the character, or set of them, that a pattern has at *at is `c`; *at goes behind it. The
// loader has seen that it ends.
static bool
takes(const char **at, char c)
{
    const unsigned char *p = (const unsigned char *)*at, byte = (unsigned char)c;
    bool is_set = *p == '[', is_escaped = *p == '\\', found = *p == '?' && !is_escaped;
    bool is_other = is_set && p[1] == '^';
    p += is_other ? 2 : is_set || is_escaped;
    do { // a ] that stands first is one of the set
        unsigned char low = *p;
        if (is_set && p[1] == '-' && p[2] != ']')
            p += 2;
        found = found || (low <= byte && byte <= *p);
    } while (*++p != ']' && is_set);
    *at = (const char *)p + is_set;
    return found != is_other;
}

// As a whole. Where it does not go on, only the last * takes one more: that is enough.
static bool
matches(const char *pattern, MlcStr text)
{
    const char *star = NULL;
    size_t i = 0, from = 0;
    while (i < text.size) {
        if (*pattern == '*') {
            star = ++pattern, from = i;
        } else if (*pattern && takes(&pattern, text.data[i])) {
            i++;
        } else if (star) {
            pattern = star, i = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool
mlc_constraint_check_attr(const MlcConstraint *c, MlcAttr attr)
{
    if (!c)
        return true;
    if (!attr)
        return false;
    switch ((MlcConstraintKind)c->kind) {
    case MLC_CONSTRAINT_ANY:
        return true;
    case MLC_CONSTRAINT_ATTR_KIND:
        return c->a >> mlc_attr_kind(attr) & 1;
    case MLC_CONSTRAINT_ANY_OF:
        for (size_t i = 0; i < c->num_args; i++)
            if (mlc_constraint_check_attr(c->args[i], attr))
                return true;
        return false;
    case MLC_CONSTRAINT_ALL_OF:
        for (size_t i = 0; i < c->num_args; i++)
            if (!mlc_constraint_check_attr(c->args[i], attr))
                return false;
        return true;
    case MLC_CONSTRAINT_NOT:
        return !mlc_constraint_check_attr(c->args[0], attr);
    case MLC_CONSTRAINT_ATTR_TYPE:
        return mlc_constraint_check_type(c->args[0], mlc_attr_is(attr, MLC_ATTR_TYPE)
                                                         ? mlc_type_attr_value(attr)
                                                         : mlc_attr_type(attr));
    case MLC_CONSTRAINT_ATTR_ELEMENTS:
        return all_elements(c, attr);
    case MLC_CONSTRAINT_DIALECT_ATTR:
        return is_of_dialect(attr, c->names[0]);
    case MLC_CONSTRAINT_PARAMETERS:
        if (!mlc_attr_is(attr, MLC_ATTR_DIALECT) ||
            mlc_dialect_attr_num_params(attr) != c->num_args)
            return false;
        for (size_t i = 0; i < c->num_args; i++)
            if (!mlc_constraint_check_attr(c->args[i], mlc_dialect_attr_param(attr, i)))
                return false;
        return true;
    case MLC_CONSTRAINT_ATTR_SAME:
        return attr == parsed(mlc_attr_context(attr), c->names[0], false);
    case MLC_CONSTRAINT_ATTR_MATCHES:
        return mlc_attr_is(attr, MLC_ATTR_STRING) &&
               matches(c->names[0], mlc_string_attr_value(attr));
    case MLC_CONSTRAINT_INT_RANGE:
        return is_in_range(c, attr);
    case MLC_CONSTRAINT_COUNT:
        return has_count(c, attr);
    case MLC_CONSTRAINT_PREDICATE:
        return c->check(attr);
    default:
        return false; // constraints of types
    }
}

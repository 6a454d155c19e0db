// yaml_constraint.c -- constraint expressions of dialect YAML to MlcConstraint trees.
//
// Named constraints are evaluated when first asked for, so their order in the file is free; one
// that needs itself is an error. Where an expression gives no summary, one is made in the words
// MLIR's messages have.
#include "yaml_loader.h"

#include <assert.h>

#include "did_you_mean.h"
#include "mlc/ir/limits.h"
#include "mlc/support/softfloat.h"

typedef struct Named {
    const MlcYaml *node;
    const MlcConstraint *constraint;
    bool busy;
} Named;

static const char *const type_kinds[] = {
    [MLC_TYPE_INTEGER] = "integer",   [MLC_TYPE_INDEX] = "index",
    [MLC_TYPE_FLOAT] = "float",       [MLC_TYPE_NONE] = "none",
    [MLC_TYPE_COMPLEX] = "complex",   [MLC_TYPE_VECTOR] = "vector",
    [MLC_TYPE_TENSOR] = "tensor",     [MLC_TYPE_UNRANKED_TENSOR] = "unranked_tensor",
    [MLC_TYPE_MEMREF] = "memref",     [MLC_TYPE_UNRANKED_MEMREF] = "unranked_memref",
    [MLC_TYPE_FUNCTION] = "function", [MLC_TYPE_TUPLE] = "tuple",
    [MLC_TYPE_DIALECT] = "dialect",   [MLC_TYPE_OPAQUE] = "opaque",
};

static const char *const attr_kinds[] = {
    [MLC_ATTR_UNIT] = "unit",
    [MLC_ATTR_INTEGER] = "integer",
    [MLC_ATTR_FLOAT] = "float",
    [MLC_ATTR_STRING] = "string",
    [MLC_ATTR_ARRAY] = "array",
    [MLC_ATTR_DICT] = "dict",
    [MLC_ATTR_TYPE] = "type",
    [MLC_ATTR_SYMBOL_REF] = "symbol_ref",
    [MLC_ATTR_AFFINE_MAP] = "affine_map",
    [MLC_ATTR_INTEGER_SET] = "integer_set",
    [MLC_ATTR_DENSE] = "dense",
    [MLC_ATTR_DENSE_STRING] = "dense_string",
    [MLC_ATTR_DENSE_RESOURCE] = "dense_resource",
    [MLC_ATTR_SPARSE] = "sparse",
    [MLC_ATTR_DENSE_ARRAY] = "dense_array",
    [MLC_ATTR_STRIDED_LAYOUT] = "strided_layout",
    [MLC_ATTR_DISTINCT] = "distinct",
    [MLC_ATTR_LOC] = "loc",
    [MLC_ATTR_DIALECT] = "dialect",
    [MLC_ATTR_OPAQUE] = "opaque",
};

static const char *const signednesses[] = {
    [MLC_SIGNLESS] = "signless",
    [MLC_SIGNED] = "signed",
    [MLC_UNSIGNED] = "unsigned",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BIT(n) (INT64_C(1) << (n))

enum { MOST_PARTS = 1000, MOST_OPEN = 100 };

static MlcConstraint *
make(MlcYamlLoader *l, MlcConstraintKind kind)
{
    MlcConstraint *c = MLC_NEW(l->arena, MlcConstraint);
    c->kind = (uint8_t)kind;
    c->name = "";
    c->summary = "";
    return c;
}

static void
set_args(MlcYamlLoader *l, MlcConstraint *c, const MlcConstraint *const *args, size_t n)
{
    c->args = mlc_arena_memdup(l->arena, args, n * sizeof *args, MLC_ALIGNOF(void *));
    c->num_args = (uint16_t)n;
}

static const char *
summary_printf(MlcYamlLoader *l, const char *format, const char *text)
{
    MlcBuf buf = {0};
    for (; *format; format++)
        if (*format == '%')
            mlc_buf_append_c(&buf, text);
        else
            mlc_buf_append_char(&buf, *format);
    const char *result = mlc_arena_strdup(l->arena, mlc_buf_str(&buf)).data;
    mlc_buf_release(&buf);
    return result;
}

static const char *
join(MlcYamlLoader *l, const MlcConstraint *const *args, size_t n, const char *separator)
{
    MlcBuf buf = {0};
    for (size_t i = 0; i < n; i++) {
        if (i)
            mlc_buf_append_c(&buf, separator);
        mlc_buf_append_c(&buf, args[i]->summary);
    }
    const char *result = mlc_arena_strdup(l->arena, mlc_buf_str(&buf)).data;
    mlc_buf_release(&buf);
    return result;
}

static int
word_index(MlcStr word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (words[i] && mlc_str_equal(word, mlc_str(words[i])))
            return (int)i;
    return -1;
}

static void
unknown_word(MlcYamlLoader *l, const MlcYaml *node, const char *const *words, size_t n)
{
    MlcStr word = mlc_yaml_as_str(node, "");
    MlcNames names = {0};
    for (size_t i = 0; i < n; i++)
        if (words[i])
            mlc_vec_push(&names, mlc_str(words[i]));
    mlc_yaml_loader_fail(l, node, "unknown word '%s'%s", word.data,
                         mlc_did_you_mean(l->arena, word, &names));
}

// A word or a list of words as a bit mask.
static int64_t
words_mask(MlcYamlLoader *l, const MlcYaml *node, const char *const *words, size_t n)
{
    int64_t mask = 0;
    const MlcYaml *const *items = mlc_yaml_is_sequence(node) ? node->items : &node;
    size_t count = mlc_yaml_is_sequence(node) ? node->num_items : 1;
    for (size_t i = 0; i < count; i++) {
        int bit = word_index(mlc_yaml_as_str(items[i], ""), words, n);
        if (bit < 0)
            unknown_word(l, items[i], words, n);
        else
            mask |= BIT(bit);
    }
    return mask;
}

static const char *
mask_summary(MlcYamlLoader *l, int64_t mask, const char *const *words, size_t n)
{
    MlcBuf buf = {0};
    for (size_t i = 0; i < n; i++)
        if (mask & BIT(i)) {
            mlc_buf_append_c(&buf, buf.size ? " or " : "");
            mlc_buf_append_c(&buf, words[i]);
        }
    const char *result = mlc_arena_strdup(l->arena, mlc_buf_str(&buf)).data;
    mlc_buf_release(&buf);
    return result;
}

// Whether it can hold for attributes, or for types.
static bool
is_of(const MlcConstraint *c, bool of_attrs)
{
    switch ((MlcConstraintKind)c->kind) {
    case MLC_CONSTRAINT_TYPE_KIND:
    case MLC_CONSTRAINT_INTEGER:
    case MLC_CONSTRAINT_FLOAT:
    case MLC_CONSTRAINT_ELEMENT:
    case MLC_CONSTRAINT_RANK:
    case MLC_CONSTRAINT_SAME:
    case MLC_CONSTRAINT_DIALECT_TYPE:
        return !of_attrs;
    case MLC_CONSTRAINT_ATTR_KIND:
    case MLC_CONSTRAINT_ATTR_TYPE:
    case MLC_CONSTRAINT_ATTR_ELEMENTS:
    case MLC_CONSTRAINT_INT_RANGE:
    case MLC_CONSTRAINT_COUNT:
    case MLC_CONSTRAINT_DIALECT_ATTR:
    case MLC_CONSTRAINT_ATTR_SAME:
    case MLC_CONSTRAINT_ATTR_MATCHES:
        return of_attrs;
    case MLC_CONSTRAINT_ANY_OF:
    case MLC_CONSTRAINT_ALL_OF:
    case MLC_CONSTRAINT_NOT:
        for (size_t i = 0; i < c->num_args; i++)
            if (!is_of(c->args[i], of_attrs))
                return false;
        return true;
    default:
        return true;
    }
}

static MlcConstraint *
read_list(MlcYamlLoader *l, const MlcYaml *node, MlcConstraintKind kind, const char *separator)
{
    MlcConstraint *c = make(l, kind);
    if (!mlc_yaml_is_sequence(node)) {
        mlc_yaml_loader_fail(l, node, "expected a list of constraints");
        return c;
    }
    MLC_VEC(const MlcConstraint *) args = {0};
    MLC_YAML_FOR_EACH (item, node)
        mlc_vec_push(&args, mlc_yaml_loader_constraint(l, item));
    if (!args.size)
        mlc_yaml_loader_fail(l, node, "expected a list of constraints");
    if (args.size) {
        set_args(l, c, args.data, args.size);
        c->summary = join(l, c->args, c->num_args, separator);
    }
    mlc_vec_release(&args);
    return c;
}

static MlcConstraint *
read_any_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return read_list(l, node, MLC_CONSTRAINT_ANY_OF, " or ");
}

static MlcConstraint *
read_all_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return read_list(l, node, MLC_CONSTRAINT_ALL_OF, " and ");
}

static MlcConstraint *
read_unary(MlcYamlLoader *l, const MlcYaml *node, MlcConstraintKind kind, const char *format)
{
    MlcConstraint *c = make(l, kind);
    const MlcConstraint *arg = mlc_yaml_loader_constraint(l, node);
    set_args(l, c, &arg, 1);
    c->summary = summary_printf(l, format, arg->summary);
    return c;
}

static MlcConstraint *
read_not(MlcYamlLoader *l, const MlcYaml *node)
{
    return read_unary(l, node, MLC_CONSTRAINT_NOT, "not %");
}

static MlcConstraint *
read_element(MlcYamlLoader *l, const MlcYaml *node)
{
    return read_unary(l, node, MLC_CONSTRAINT_ELEMENT, "shaped of % values");
}

static MlcConstraint *
read_elements(MlcYamlLoader *l, const MlcYaml *node)
{
    return read_unary(l, node, MLC_CONSTRAINT_ATTR_ELEMENTS, "array of % elements");
}

static MlcConstraint *
read_attr_type(MlcYamlLoader *l, const MlcYaml *node)
{
    return read_unary(l, node, MLC_CONSTRAINT_ATTR_TYPE, "% attribute");
}

static MlcConstraint *
read_kind(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_TYPE_KIND);
    c->a = words_mask(l, node, type_kinds, COUNT(type_kinds));
    c->summary = mask_summary(l, c->a, type_kinds, COUNT(type_kinds));
    return c;
}

static MlcConstraint *
read_attr_kind(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_ATTR_KIND);
    c->a = words_mask(l, node, attr_kinds, COUNT(attr_kinds));
    c->summary =
        summary_printf(l, "% attribute", mask_summary(l, c->a, attr_kinds, COUNT(attr_kinds)));
    return c;
}

// {width: 32, signedness: [signless]}: "32-bit signless integer".
static MlcConstraint *
read_integer(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_INTEGER);
    mlc_yaml_loader_check_keys(l, node, "integer",
                               (const char *const[]){"width", "signedness", NULL});
    const MlcYaml *bits = mlc_yaml_get(node, "width");
    c->a = mlc_yaml_as_int(bits, 0);
    if (bits && (c->a < 1 || c->a > MLC_INTEGER_WIDTH_LIMIT))
        mlc_yaml_loader_fail(l, bits, "the width of an integer is from 1 to %d",
                             MLC_INTEGER_WIDTH_LIMIT);
    const MlcYaml *sign = mlc_yaml_get(node, "signedness");
    c->b = sign ? words_mask(l, sign, signednesses, COUNT(signednesses)) : 7;
    MlcStr width = c->a ? mlc_arena_printf(l->arena, "%lld-bit ", (long long)c->a) : mlc_str("");
    bool one = c->b == 1 || c->b == 2 || c->b == 4;
    const char *word = one ? mask_summary(l, c->b, signednesses, COUNT(signednesses)) : "";
    c->summary = mlc_arena_printf(l->arena, "%s%s%sinteger", width.data, word, one ? " " : "").data;
    return c;
}

static const char *
float_summary(MlcYamlLoader *l, MlcFloatKind kind)
{
    switch (kind) {
    case MLC_FLOAT_BF16:
        return "bfloat16 type";
    case MLC_FLOAT_F16:
    case MLC_FLOAT_F32:
    case MLC_FLOAT_F64:
    case MLC_FLOAT_F80:
    case MLC_FLOAT_F128:
        return mlc_arena_printf(l->arena, "%u-bit float", (unsigned)mlc_float_info(kind)->width)
            .data;
    default:
        return mlc_arena_printf(l->arena, "%s type", mlc_float_info(kind)->name).data;
    }
}

static MlcConstraint *
read_float(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_FLOAT);
    const MlcYaml *const *items = mlc_yaml_is_sequence(node) ? node->items : &node;
    size_t count = mlc_yaml_is_sequence(node) ? node->num_items : 1;
    for (size_t i = 0; i < count; i++) {
        MlcFloatKind kind;
        MlcStr name = mlc_yaml_as_str(items[i], "");
        if (!mlc_float_kind_from_name(name, &kind)) {
            mlc_yaml_loader_fail(l, items[i], "unknown float type '%s'", name.data);
            continue;
        }
        c->a |= BIT(kind);
        const char *text = float_summary(l, kind);
        c->summary = i ? mlc_arena_printf(l->arena, "%s or %s", c->summary, text).data : text;
    }
    return c;
}

// A container kind and what its elements are.
static MlcConstraint *
container_of(MlcYamlLoader *l, const MlcYaml *node, int64_t kinds, const char *format)
{
    MlcConstraint *kind = make(l, MLC_CONSTRAINT_TYPE_KIND);
    kind->a = kinds;
    const MlcConstraint *element = mlc_yaml_loader_constraint(l, node);
    MlcConstraint *on_element = make(l, MLC_CONSTRAINT_ELEMENT);
    set_args(l, on_element, &element, 1);
    MlcConstraint *c = make(l, MLC_CONSTRAINT_ALL_OF);
    if (element->kind == MLC_CONSTRAINT_ANY)
        c = kind;
    else
        set_args(l, c, (const MlcConstraint *const[]){kind, on_element}, 2);
    kind->summary = on_element->summary = "";
    c->summary = summary_printf(l, format, element->summary);
    return c;
}

static MlcConstraint *
read_vector_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_VECTOR), "vector of % values");
}

static MlcConstraint *
read_tensor_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_TENSOR) | BIT(MLC_TYPE_UNRANKED_TENSOR),
                        "tensor of % values");
}

static MlcConstraint *
read_ranked_tensor_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_TENSOR), "ranked tensor of % values");
}

static MlcConstraint *
read_unranked_tensor_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_UNRANKED_TENSOR), "unranked.tensor of % values");
}

static MlcConstraint *
read_memref_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_MEMREF), "memref of % values");
}

static MlcConstraint *
read_unranked_memref_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_UNRANKED_MEMREF), "unranked.memref of % values");
}

static MlcConstraint *
read_any_memref_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_MEMREF) | BIT(MLC_TYPE_UNRANKED_MEMREF),
                        "ranked or unranked memref of % values");
}

static MlcConstraint *
read_shaped_of(MlcYamlLoader *l, const MlcYaml *node)
{
    int64_t kinds = BIT(MLC_TYPE_VECTOR) | BIT(MLC_TYPE_TENSOR) | BIT(MLC_TYPE_UNRANKED_TENSOR) |
                    BIT(MLC_TYPE_MEMREF) | BIT(MLC_TYPE_UNRANKED_MEMREF);
    return container_of(l, node, kinds, "shaped of % values");
}

static MlcConstraint *
read_complex_of(MlcYamlLoader *l, const MlcYaml *node)
{
    return container_of(l, node, BIT(MLC_TYPE_COMPLEX), "complex type with % elements");
}

// n, or [low, high] where null is no bound.
static MlcConstraint *
read_bounds(MlcYamlLoader *l, const MlcYaml *node, MlcConstraintKind kind, int64_t lowest)
{
    MlcConstraint *c = make(l, kind);
    c->a = lowest;
    c->b = INT64_MAX;
    if (mlc_yaml_try_as_int(node, &c->a)) {
        c->b = c->a;
        if (c->a < lowest)
            mlc_yaml_loader_fail(l, node, "expected a number that is not negative");
        return c;
    }
    bool is_pair = mlc_yaml_is_sequence(node) && node->num_items == 2;
    for (size_t i = 0; is_pair && i < 2; i++)
        is_pair = mlc_yaml_is_null(node->items[i]) ||
                  mlc_yaml_try_as_int(node->items[i], i ? &c->b : &c->a);
    if (!is_pair || c->a > c->b)
        mlc_yaml_loader_fail(l, node, "expected an integer or [low, high]");
    return c;
}

static const char *
bounds_summary(MlcYamlLoader *l, const MlcConstraint *c, const char *noun)
{
    long long a = (long long)c->a, b = (long long)c->b;
    if (c->b == INT64_MAX)
        return mlc_arena_printf(l->arena, "whose minimum %s is %lld", noun, a).data;
    if (c->a == c->b)
        return mlc_arena_printf(l->arena, "whose %s is %lld", noun, a).data;
    return mlc_arena_printf(l->arena, "whose minimum %s is %lld whose maximum %s is %lld", noun, a,
                            noun, b)
        .data;
}

static MlcConstraint *
read_rank(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = read_bounds(l, node, MLC_CONSTRAINT_RANK, 0);
    c->summary = c->a == c->b ? mlc_arena_printf(l->arena, "of rank %lld", (long long)c->a).data
                              : bounds_summary(l, c, "rank");
    return c;
}

static MlcConstraint *
read_range(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = read_bounds(l, node, MLC_CONSTRAINT_INT_RANGE, INT64_MIN);
    c->summary = bounds_summary(l, c, "value");
    return c;
}

static MlcConstraint *
read_count(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = read_bounds(l, node, MLC_CONSTRAINT_COUNT, 0);
    c->summary =
        c->a == c->b
            ? mlc_arena_printf(l->arena, "with exactly %lld elements", (long long)c->a).data
            : mlc_arena_printf(l->arena, "with at least %lld elements", (long long)c->a).data;
    return c;
}

static MlcConstraint *
read_static_shape(MlcYamlLoader *l, const MlcYaml *node)
{
    if (!mlc_yaml_as_bool(node, false))
        mlc_yaml_loader_fail(l, node, "expected 'true'");
    MlcConstraint *c = make(l, MLC_CONSTRAINT_STATIC_SHAPE);
    c->summary = "statically shaped";
    return c;
}

static void
set_name(MlcYamlLoader *l, MlcConstraint *c, const char *name)
{
    c->names = mlc_arena_memdup(l->arena, &name, sizeof name, MLC_ALIGNOF(void *));
    c->num_names = 1;
}

static MlcConstraint *
read_exactly(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_SAME);
    if (!mlc_yaml_is_scalar(node) || !node->text.size)
        mlc_yaml_loader_fail(l, node, "expected a type as text");
    set_name(l, c, mlc_yaml_as_str(node, "").data);
    mlc_vec_push(&l->types, ((struct MlcYamlText){c->names[0], node}));
    c->summary = c->names[0];
    return c;
}

static MlcConstraint *
read_attr_exactly(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_ATTR_SAME);
    if (!mlc_yaml_is_scalar(node) || !node->text.size)
        mlc_yaml_loader_fail(l, node, "expected an attribute as text");
    set_name(l, c, mlc_yaml_as_str(node, "").data);
    mlc_vec_push(&l->attrs, ((struct MlcYamlText){c->names[0], node}));
    c->summary = c->names[0];
    return c;
}

// Behind the character, or set of characters, that a pattern has here; NULL: it does not end.
static const char *
skip_one(const char *at)
{
    if (*at == '\\')
        return at[1] ? at + 2 : NULL;
    if (*at != '[')
        return at + 1;
    at += at[1] == '^' ? 2 : 1;
    do // a ] that stands first is one of the set
        if (!*at)
            return NULL;
    while (*++at != ']');
    return at + 1;
}

static MlcConstraint *
read_matches(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_ATTR_MATCHES);
    if (!mlc_yaml_is_scalar(node) || !node->text.size)
        mlc_yaml_loader_fail(l, node, "expected a pattern: text with * ? [a-z] [^a-z]");
    set_name(l, c, mlc_yaml_as_str(node, "").data);
    const char *at = c->names[0];
    while (at && *at)
        at = skip_one(at);
    if (!at)
        mlc_yaml_loader_fail(l, node, "the pattern '%s' ends in the middle of a '[' or '\\'",
                             c->names[0]);
    c->summary = mlc_arena_printf(l->arena, "string like '%s'", c->names[0]).data;
    return c;
}

// A constraint of types is one of the type that a parameter holds.
static MlcConstraint *
read_parameters(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = read_list(l, node, MLC_CONSTRAINT_PARAMETERS, ", ");
    for (size_t i = 0; i < c->num_args; i++) {
        if (is_of(c->args[i], true))
            continue;
        MlcConstraint *held = make(l, MLC_CONSTRAINT_ATTR_TYPE);
        set_args(l, held, &c->args[i], 1);
        held->summary = c->args[i]->summary;
        ((const MlcConstraint **)(uintptr_t)c->args)[i] = held;
    }
    c->summary = summary_printf(l, "with parameters %", c->summary);
    return c;
}

static MlcConstraint *
read_predicate(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *c = make(l, MLC_CONSTRAINT_PREDICATE);
    mlc_yaml_loader_want(l, node, &c->check, mlc_yaml_as_str(node, "").data);
    c->summary = "of the form its check asks";
    return c;
}

static const struct {
    const char *key;
    MlcConstraint *(*read)(MlcYamlLoader *l, const MlcYaml *node);
} expressions[] = {
    {"any_of", read_any_of},
    {"all_of", read_all_of},
    {"not", read_not},
    {"kind", read_kind},
    {"integer", read_integer},
    {"float", read_float},
    {"element", read_element},
    {"vector_of", read_vector_of},
    {"tensor_of", read_tensor_of},
    {"ranked_tensor_of", read_ranked_tensor_of},
    {"unranked_tensor_of", read_unranked_tensor_of},
    {"memref_of", read_memref_of},
    {"unranked_memref_of", read_unranked_memref_of},
    {"any_memref_of", read_any_memref_of},
    {"shaped_of", read_shaped_of},
    {"complex_of", read_complex_of},
    {"rank", read_rank},
    {"static_shape", read_static_shape},
    {"exactly", read_exactly},
    {"parameters", read_parameters},
    {"attr_kind", read_attr_kind},
    {"attr_type", read_attr_type},
    {"attr_exactly", read_attr_exactly},
    {"matches", read_matches},
    {"elements", read_elements},
    {"range", read_range},
    {"count", read_count},
    {"predicate", read_predicate},
};

// One key of an expression; NULL after an error.
static MlcConstraint *
read_term(MlcYamlLoader *l, const MlcYaml *key, const MlcYaml *value)
{
    for (size_t i = 0; i < COUNT(expressions); i++)
        if (mlc_str_equal(key->text, mlc_str(expressions[i].key)))
            return expressions[i].read(l, value);
    mlc_yaml_loader_fail(l, key, "unknown constraint '%s'", key->text.data);
    return NULL;
}

static MlcConstraint *
read_expression(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcConstraint *terms[COUNT(expressions)];
    size_t n = 0;
    const MlcYaml *summary = mlc_yaml_get(node, "summary");
    const MlcYaml *upstream = mlc_yaml_get(node, "upstream");
    for (size_t i = 0; i < node->num_items; i++) {
        if (node->items[i] == summary || node->items[i] == upstream)
            continue;
        MlcConstraint *term = read_term(l, node->keys[i], node->items[i]);
        if (term && n < COUNT(terms))
            terms[n++] = term;
    }
    if (!node->num_items)
        mlc_yaml_loader_fail(l, node, "expected a constraint: a name or an expression");
    if (summary && !mlc_yaml_is_scalar(summary))
        mlc_yaml_loader_fail(l, summary, "expected a text under 'summary'");
    MlcConstraint *c = n == 1 ? terms[0] : make(l, n ? MLC_CONSTRAINT_ALL_OF : MLC_CONSTRAINT_ANY);
    if (n > 1) {
        set_args(l, c, (const MlcConstraint *const *)terms, n);
        c->summary = join(l, c->args, n, " ");
    }
    if (summary)
        c->summary = mlc_yaml_as_str(summary, "").data;
    if (upstream)
        c->upstream = mlc_yaml_as_str(upstream, "").data;
    return c;
}

// A dialect's type, attribute or enumeration as a constraint. MLIR calls a parameter of that kind
// by the definition's name without the prefix, LLVM_DIFileAttr DIFileAttr.
static MlcConstraint *
constraint_of_definition(MlcYamlLoader *l, MlcConstraintKind kind, const char *name,
                         const char *summary, const char *record)
{
    MlcConstraint *c = make(l, kind);
    const char *prefix = record ? strchr(record, '_') : NULL;
    set_name(l, c, name);
    c->summary = summary && *summary ? summary : name;
    c->upstream = prefix ? prefix + 1 : record;
    return c;
}

// The words MLIR has for an enumeration that is kept as an integer, or has none of its own.
static const char *
enum_summary(MlcYamlLoader *l, const MlcAttrDef *def)
{
    MlcBuf buf = {0};
    mlc_buf_printf(&buf, "allowed %u-bit signless integer cases: ", def->enum_width);
    for (size_t i = 0; i < def->num_cases; i++) {
        if (i)
            mlc_buf_append_c(&buf, ", ");
        mlc_buf_append_int(&buf, def->cases[i].value);
    }
    const char *text = mlc_arena_strdup(l->arena, mlc_buf_str(&buf)).data;
    mlc_buf_release(&buf);
    return text;
}

static const char *
local_name(const char *full)
{
    return strchr(full, '.') + 1;
}

static const MlcConstraint *
find_in_dialect(MlcYamlLoader *l, const MlcDialectDef *d, MlcStr name)
{
    for (size_t i = 0; i < d->num_constraints; i++)
        if (mlc_str_equal(name, mlc_str(d->constraints[i]->name)))
            return d->constraints[i];
    for (size_t i = 0; i < d->num_types; i++)
        if (mlc_str_equal(name, mlc_str(local_name(d->types[i]->name))))
            return constraint_of_definition(l, MLC_CONSTRAINT_DIALECT_TYPE, d->types[i]->name,
                                            d->types[i]->summary, d->types[i]->record);
    for (size_t i = 0; i < d->num_attrs; i++) {
        const MlcAttrDef *def = d->attrs[i];
        if (!mlc_str_equal(name, mlc_str(local_name(def->name))))
            continue;
        bool has_words = !def->num_cases || (def->summary && *def->summary);
        bool is_number = def->is_bare_integer && !def->is_bit_enum;
        MlcConstraint *c = constraint_of_definition(
            l, MLC_CONSTRAINT_DIALECT_ATTR, def->name,
            is_number || !has_words ? enum_summary(l, def) : def->summary, def->record);
        if (def->num_cases)
            c->upstream = def->params[0].upstream;
        return c;
    }
    return NULL;
}

// Whoever checks or describes a constraint meets all of it, as often as it is named.
static bool
has_few_parts(const MlcConstraint *c, unsigned *left)
{
    if (*left == 0)
        return false;
    --*left;
    for (size_t i = 0; i < c->num_args; i++)
        if (!has_few_parts(c->args[i], left))
            return false;
    return true;
}

// Of a constraint just read; what comes after an error is the least that can be checked.
static MlcConstraint *
within_limits(MlcYamlLoader *l, MlcConstraint *c, MlcStr name, const MlcYaml *node)
{
    unsigned left = MOST_PARTS;
    if (!c || has_few_parts(c, &left))
        return c;
    mlc_yaml_loader_fail(l, node, "constraint '%s' has more than %d parts, with those it names",
                         name.data, MOST_PARTS);
    return make(l, MLC_CONSTRAINT_ANY);
}

static const MlcConstraint *
evaluate(MlcYamlLoader *l, MlcStr name, Named *named, const MlcYaml *user)
{
    if (named->constraint)
        return named->constraint;
    if (named->busy) {
        mlc_yaml_loader_fail(l, user, "constraint '%s' needs itself", name.data);
        return make(l, MLC_CONSTRAINT_ANY);
    }
    if (l->num_open_constraints == MOST_OPEN) {
        mlc_yaml_loader_fail(l, user, "more than %d constraints need each other in a row",
                             MOST_OPEN);
        return make(l, MLC_CONSTRAINT_ANY);
    }
    l->num_open_constraints++;
    named->busy = true;
    MlcConstraint *c;
    if (mlc_yaml_is_mapping(named->node)) {
        c = within_limits(l, read_expression(l, named->node), name, named->node);
    } else { // another name of what is there
        const MlcConstraint *other = mlc_yaml_loader_constraint(l, named->node);
        const char *symbol = mlc_map_get(&l->symbols, &other->check);
        c = make(l, MLC_CONSTRAINT_ALL_OF);
        if (other->kind == MLC_CONSTRAINT_PREDICATE && !other->check && !symbol) {
            // Of another dialect that mlc-gen reads, which alone knows the function's name.
            c->summary = other->summary, c->upstream = other->upstream;
            set_args(l, c, &other, 1);
        } else {
            *c = *other;
        }
        if (symbol)
            mlc_yaml_loader_want(l, mlc_map_get(&l->nodes, &other->check), &c->check, symbol);
    }
    c->name = name.data;
    named->busy = false;
    l->num_open_constraints--;
    return named->constraint = c;
}

static const MlcConstraint *
find_qualified(MlcYamlLoader *l, const MlcYaml *node, size_t dot)
{
    MlcStr head = mlc_str_n(node->text.data, dot);
    MlcStr tail = mlc_str_n(node->text.data + dot + 1, node->text.size - dot - 1);
    bool is_used =
        mlc_str_equal(head, mlc_str("builtin")) || mlc_str_equal(head, mlc_str(l->dialect->name));
    for (size_t i = 0; i < l->uses.size; i++)
        is_used |= mlc_str_equal(head, mlc_str(l->uses.data[i]));
    if (!is_used) {
        mlc_yaml_loader_fail(l, node, "'%s' is not among the dialects in 'uses'",
                             mlc_arena_strdup(l->arena, head).data);
        return make(l, MLC_CONSTRAINT_ANY);
    }
    const MlcDialectDef *d = l->find(l->user, head);
    return d ? find_in_dialect(l, d, tail) : NULL;
}

static const MlcConstraint *
find_by_name(MlcYamlLoader *l, const MlcYaml *node)
{
    Named *named = mlc_str_map_get(&l->constraints, node->text);
    if (named)
        return evaluate(l, node->text, named, node);
    const MlcConstraint *found = find_in_dialect(l, l->dialect, node->text);
    if (found)
        return found;
    const char *dot = memchr(node->text.data, '.', node->text.size);
    if (dot)
        found = find_qualified(l, node, (size_t)(dot - node->text.data));
    if (found || strcmp(l->dialect->name, "builtin") == 0)
        return found;
    const MlcDialectDef *builtin = l->find(l->user, mlc_str("builtin"));
    return builtin ? find_in_dialect(l, builtin, node->text) : NULL;
}

// What find_by_name would have found by a bare name.
static void
no_constraint(MlcYamlLoader *l, const MlcYaml *node)
{
    const MlcDialectDef *builtin = l->find(l->user, mlc_str("builtin"));
    MlcNames names = {0};
    MLC_STR_MAP_FOR_EACH (entry, &l->constraints)
        mlc_vec_push(&names, entry->key);
    for (size_t i = 0; i < l->dialect->num_types; i++)
        mlc_vec_push(&names, mlc_str(local_name(l->dialect->types[i]->name)));
    for (size_t i = 0; i < l->dialect->num_attrs; i++)
        mlc_vec_push(&names, mlc_str(local_name(l->dialect->attrs[i]->name)));
    for (size_t i = 0; builtin && i < builtin->num_constraints; i++)
        mlc_vec_push(&names, mlc_str(builtin->constraints[i]->name));
    mlc_yaml_loader_fail(l, node, "no constraint, type, attribute or enum is named '%s'%s",
                         node->text.data, mlc_did_you_mean(l->arena, node->text, &names));
}

const MlcConstraint *
mlc_yaml_loader_constraint(MlcYamlLoader *l, const MlcYaml *node)
{
    if (mlc_yaml_is_mapping(node))
        return read_expression(l, node);
    const MlcConstraint *found = NULL;
    if (!mlc_yaml_is_scalar(node))
        mlc_yaml_loader_fail(l, node, "expected a constraint: a name or an expression");
    else if (!(found = find_by_name(l, node)))
        no_constraint(l, node);
    return found ? found : make(l, MLC_CONSTRAINT_ANY);
}

const MlcConstraint *
mlc_yaml_loader_constraint_of(MlcYamlLoader *l, const MlcYaml *node, bool of_attrs)
{
    size_t faults = l->num_faults;
    const MlcConstraint *c = mlc_yaml_loader_constraint(l, node);
    if (l->num_faults == faults && !is_of(c, of_attrs))
        mlc_yaml_loader_fail(l, node,
                             of_attrs ? "expected a constraint of attributes, not of types"
                                      : "expected a constraint of types, not of attributes");
    return c;
}

void
mlc_yaml_loader_add_constraints(MlcYamlLoader *l, const MlcYaml *section)
{
    if (!section)
        return;
    if (!mlc_yaml_is_mapping(section)) {
        mlc_yaml_loader_fail(l, section, "expected a mapping of constraints");
        return;
    }
    for (size_t i = 0; i < section->num_items; i++) {
        Named *named = MLC_NEW(l->arena, Named);
        named->node = section->items[i];
        if (mlc_str_map_get(&l->constraints, section->keys[i]->text))
            mlc_yaml_loader_fail(l, section->keys[i], "constraint '%s' is defined twice",
                                 section->keys[i]->text.data);
        mlc_str_map_set(&l->constraints, section->keys[i]->text, named);
    }
}

void
mlc_yaml_loader_finish_constraints(MlcYamlLoader *l)
{
    size_t n = mlc_str_map_size(&l->constraints);
    const MlcConstraint **all = MLC_NEW_ARRAY(l->arena, const MlcConstraint *, n);
    size_t i = 0;
    MLC_STR_MAP_FOR_EACH (entry, &l->constraints) {
        Named *named = (Named *)(uintptr_t)entry->value;
        all[i++] = evaluate(l, entry->key, named, named->node);
    }
    l->dialect->constraints = all;
    l->dialect->num_constraints = n;
}

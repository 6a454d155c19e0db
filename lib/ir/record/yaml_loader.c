// yaml_loader.c -- dialect YAML to records in arena memory: the one reader, for the generator and
// for --load-dialect.
//
// Mappings are closed: an unknown key is a fault at its place. Loading goes on after a fault, so
// that one run reports them all. Functions and vtables are only named: `symbols` maps the slot that
// wants one to its C name, which the generator prints and the run-time loader looks up.
#include "yaml_loader.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "did_you_mean.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/file.h"
#include "yaml_check.h"
#include "yaml_compile.h"
#include "yaml_lowering.h"
#include "yaml_require.h"
#include "yaml_roles.h"
#include "yaml_semantics.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const trait_names[] = {
    [MLC_TRAIT_NO_MEMORY_EFFECT] = "no_memory_effect",
    [MLC_TRAIT_SPECULATABLE] = "speculatable",
    [MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS] = "recursive_memory_effects",
    [MLC_TRAIT_RECURSIVELY_SPECULATABLE] = "recursively_speculatable",
    [MLC_TRAIT_COMMUTATIVE] = "commutative",
    [MLC_TRAIT_IDEMPOTENT] = "idempotent",
    [MLC_TRAIT_INVOLUTION] = "involution",
    [MLC_TRAIT_CONSTANT_LIKE] = "constant_like",
    [MLC_TRAIT_TERMINATOR] = "terminator",
    [MLC_TRAIT_RETURN_LIKE] = "return_like",
    [MLC_TRAIT_ISOLATED] = "isolated",
    [MLC_TRAIT_SINGLE_BLOCK] = "single_block",
    [MLC_TRAIT_NO_REGION_ARGUMENTS] = "no_region_arguments",
    [MLC_TRAIT_NO_TERMINATOR] = "no_terminator",
    [MLC_TRAIT_IMPLICIT_TERMINATOR] = "implicit_terminator",
    [MLC_TRAIT_GRAPH_REGION] = "graph_region",
    [MLC_TRAIT_SYMBOL] = "symbol",
    [MLC_TRAIT_SYMBOL_TABLE] = "symbol_table",
    [MLC_TRAIT_AFFINE_SCOPE] = "affine_scope",
    [MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE] = "automatic_allocation_scope",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE] = "same_operands_and_result_type",
    [MLC_TRAIT_SAME_OPERANDS_TYPE] = "same_operands_type",
    [MLC_TRAIT_SAME_OPERANDS_ELEMENT_TYPE] = "same_operands_element_type",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE] = "same_operands_and_result_element_type",
    [MLC_TRAIT_SAME_OPERANDS_SHAPE] = "same_operands_shape",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_SHAPE] = "same_operands_and_result_shape",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_RANK] = "same_operands_and_result_rank",
    [MLC_TRAIT_RESULTS_ARE_BOOL_LIKE] = "results_are_bool_like",
    [MLC_TRAIT_ELEMENTWISE] = "elementwise",
    [MLC_TRAIT_SCALARIZABLE] = "scalarizable",
    [MLC_TRAIT_VECTORIZABLE] = "vectorizable",
    [MLC_TRAIT_TENSORIZABLE] = "tensorizable",
    [MLC_TRAIT_ATTR_SIZED_OPERANDS] = "attr_sized_operands",
    [MLC_TRAIT_ATTR_SIZED_RESULTS] = "attr_sized_results",
    [MLC_TRAIT_PARALLEL] = "parallel",
    [MLC_TRAIT_DESTINATION_STYLE] = "destination_style",
    [MLC_TRAIT_STRUCTURED] = "structured",
    [MLC_TRAIT_HAS_DEFAULT_DIALECT] = "has_default_dialect",
    [MLC_TRAIT_ALWAYS_INLINE_BODY] = "always_inline_body",
    [MLC_TRAIT_BROADCAST] = "broadcast",
    [MLC_TRAIT_OWN_FOLDS] = "own_folds",
    [MLC_TRAIT_PROPAGATES_POISON] = "propagates_poison",
    [MLC_TRAIT_MOVES_ELEMENTS] = "moves_elements",
};
static_assert(COUNT(trait_names) == MLC_TRAIT_COUNT, "every trait has a name");

// Interfaces: their word, and what `derived` stands for (NULL: it must be given).
static const struct {
    const char *name;
    const char *derived;
} interface_names[] = {
    [MLC_INTERFACE_INFER_TYPES] = {"infer_types", NULL},
    [MLC_INTERFACE_BRANCH] = {"branch", "mlc_derived_branch"},
    [MLC_INTERFACE_REGION_BRANCH] = {"region_branch", "mlc_derived_region_branch"},
    [MLC_INTERFACE_REGION_TERMINATOR] = {"region_terminator", "mlc_derived_region_terminator"},
    [MLC_INTERFACE_LOOP] = {"loop", "mlc_derived_loop"},
    [MLC_INTERFACE_CALL] = {"call", NULL},
    [MLC_INTERFACE_CALLABLE] = {"callable", "mlc_derived_callable"},
    [MLC_INTERFACE_FUNCTION] = {"function", NULL},
    [MLC_INTERFACE_MEMORY_EFFECTS] = {"memory_effects", NULL},
    [MLC_INTERFACE_SPECULATION] = {"speculation", NULL},
    [MLC_INTERFACE_STRUCTURED] = {"structured", "mlc_derived_structured"},
    [MLC_INTERFACE_TILING] = {"tiling", NULL},
    [MLC_INTERFACE_BUFFERIZE] = {"bufferize", NULL},
    [MLC_INTERFACE_VIEW_LIKE] = {"view_like", "mlc_derived_view_like"},
    [MLC_INTERFACE_INFER_SHAPES] = {"infer_shapes", NULL},
    [MLC_INTERFACE_ROWS] = {"rows", NULL},
    [MLC_INTERFACE_WINDOWS] = {"windows", NULL},
    [MLC_INTERFACE_ACCESS] = {"access", NULL},
    [MLC_INTERFACE_ASM_NAMES] = {"asm_names", "mlc_derived_asm_names"},
    [MLC_INTERFACE_SYMBOL_USER] = {"symbol_user", NULL},
    [MLC_INTERFACE_INT_RANGE] = {"int_range", NULL},
    [MLC_INTERFACE_FASTMATH] = {"fastmath", "mlc_derived_fastmath"},
    [MLC_INTERFACE_SLOT_ALLOCATION] = {"slot_allocation", NULL},
    [MLC_INTERFACE_SLOT_USE] = {"slot_use", "mlc_derived_slot_use"},
    [MLC_INTERFACE_RUNTIME_CHECK] = {"runtime_check", "mlc_memref_access_runtime_check"},
    [MLC_INTERFACE_REQUIREMENTS] = {"requirements", NULL},
    [MLC_INTERFACE_SIGNATURES] = {"signatures", NULL},
    [MLC_INTERFACE_SEMANTICS] = {"semantics", NULL},
};
static_assert(COUNT(interface_names) == MLC_INTERFACE_COUNT, "every interface has a name");

static int
trait_from_name(MlcStr name)
{
    for (size_t i = 0; i < COUNT(trait_names); i++)
        if (mlc_str_equal(name, mlc_str(trait_names[i])))
            return (int)i;
    return -1;
}

static int
interface_from_name(MlcStr name)
{
    for (size_t i = 0; i < COUNT(interface_names); i++)
        if (mlc_str_equal(name, mlc_str(interface_names[i].name)))
            return (int)i;
    return -1;
}

bool
mlc_yaml_loader_fail(MlcYamlLoader *l, const MlcYaml *node, const char *format, ...)
{
    MlcBuf buf = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&buf, format, args);
    va_end(args);
    l->num_faults++;
    l->report(l->user, node && node->filename ? node->filename : l->filename, node ? node->line : 1,
              node ? node->column : 1, mlc_buf_c_str(&buf));
    mlc_buf_release(&buf);
    return false;
}

void
mlc_yaml_loader_want(MlcYamlLoader *l, const MlcYaml *node, const void *slot, const char *symbol)
{
    if (node)
        mlc_map_set(&l->nodes, slot, node);
    mlc_map_set(&l->symbols, slot, symbol);
}

static bool
is_among(MlcStr word, const char *const *words)
{
    for (; *words; words++)
        if (mlc_str_equal(word, mlc_str(*words)))
            return true;
    return false;
}

bool
mlc_yaml_loader_check_keys(MlcYamlLoader *l, const MlcYaml *node, const char *what,
                           const char *const *allowed)
{
    if (!mlc_yaml_is_mapping(node))
        return mlc_yaml_loader_fail(l, node, "expected a mapping that describes the %s", what);
    bool ok = true;
    for (size_t i = 0; i < node->num_items; i++)
        if (!is_among(node->keys[i]->text, allowed))
            ok = mlc_yaml_loader_fail(
                l, node->keys[i], "unknown key '%s' of %s%s", node->keys[i]->text.data, what,
                mlc_did_you_mean_word(l->arena, node->keys[i]->text, allowed));
    return ok;
}

static const char *
text_of(MlcYamlLoader *l, const MlcYaml *node, const char *key)
{
    const MlcYaml *item = mlc_yaml_get(node, key);
    if (item && !mlc_yaml_is_scalar(item))
        mlc_yaml_loader_fail(l, item, "expected a text under '%s'", key);
    return mlc_yaml_is_scalar(item) ? item->text.data : NULL;
}

static bool
flag_of(MlcYamlLoader *l, const MlcYaml *node, const char *key)
{
    const MlcYaml *item = mlc_yaml_get(node, key);
    bool flag = false;
    if (item && !mlc_yaml_try_as_bool(item, &flag))
        mlc_yaml_loader_fail(l, item, "expected 'true' or 'false' under '%s'", key);
    return flag;
}

// Remembers where a record, or a part of one, was read: pages ask there for what no program needs.
static void
keep_node(MlcYamlLoader *l, const void *part, const MlcYaml *node)
{
    text_of(l, node, "doc");
    text_of(l, node, "description");
    mlc_map_set(&l->nodes, part, node);
}

// Letters, digits, `_` and, where `dots`, inner `.`; not starting with a digit.
static const char *
name_of(MlcYamlLoader *l, const MlcYaml *node, const char *what, bool dots)
{
    const char *name = text_of(l, node, "name");
    if (!name || !*name) {
        if (mlc_yaml_is_mapping(node)) // else it was told
            mlc_yaml_loader_fail(l, node, "the %s has no name", what);
        return "unnamed";
    }
    for (const char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        bool inner = c > name && ((*c >= '0' && *c <= '9') || (dots && *c == '.'));
        if (!letter && !inner) {
            mlc_yaml_loader_fail(l, mlc_yaml_get(node, "name"), "'%s' is no name of a %s", name,
                                 what);
            return "unnamed";
        }
    }
    return name;
}

static const char *
full_name(MlcYamlLoader *l, const char *name)
{
    return mlc_arena_printf(l->arena, "%s.%s", l->dialect->name, name).data;
}

// The items of `key`, which must be a list; NULL and 0 if it is not there.
static const MlcYaml *const *
list_of(MlcYamlLoader *l, const MlcYaml *node, const char *key, size_t *n)
{
    const MlcYaml *list = mlc_yaml_get(node, key);
    *n = 0;
    if (!list || mlc_yaml_is_null(list))
        return NULL;
    if (!mlc_yaml_is_sequence(list)) {
        mlc_yaml_loader_fail(l, list, "expected a list under '%s'", key);
        return NULL;
    }
    *n = list->num_items;
    return list->items;
}

static uint8_t
read_word(MlcYamlLoader *l, const MlcYaml *node, const char *const *words, uint8_t otherwise)
{
    if (!node)
        return otherwise;
    for (uint8_t i = 0; words[i]; i++)
        if (mlc_str_equal(mlc_yaml_as_str(node, ""), mlc_str(words[i])))
            return i;
    MlcStr word = mlc_yaml_as_str(node, "");
    mlc_yaml_loader_fail(l, node, "unknown word '%s'%s", word.data,
                         mlc_did_you_mean_word(l->arena, word, words));
    return otherwise;
}

// A name of C made from a dialect's: mlc_llvm_intr_abs_fold from "intr.abs", "fold"; without a name
// the dialect's own.
static const char *
c_name(MlcYamlLoader *l, const char *name, const char *suffix)
{
    MlcStr s = name ? mlc_arena_printf(l->arena, "mlc_%s_%s_%s", l->dialect->name, name, suffix)
                    : mlc_arena_printf(l->arena, "mlc_%s_%s", l->dialect->name, suffix);
    char *text = (char *)s.data;
    for (char *c = text; *c; c++)
        if (*c == '.')
            *c = '_';
    return text;
}

// `- verify` or `- verify: symbol`: the word, and the symbol where one is written. Nothing if it
// was told to be neither.
static MlcStr
hook_word(MlcYamlLoader *l, const MlcYaml *item, const char **symbol)
{
    *symbol = NULL;
    if (mlc_yaml_is_mapping(item) && item->num_items == 1 && mlc_yaml_is_scalar(item->items[0])) {
        *symbol = mlc_yaml_as_str(item->items[0], "").data;
        return item->keys[0]->text;
    }
    if (mlc_yaml_is_scalar(item))
        return mlc_yaml_as_str(item, "");
    mlc_yaml_loader_fail(l, item, "expected a word, or `word: symbol`");
    return (MlcStr){0};
}

// `of a mask: transpose_mask`: a pattern and its C function, mlc_vector_transpose_mask. A name that
// begins with an op's is of that op, "tensor.dim: of a loop". One word in camel case is MLIR's
// name, and stands alone.
static void
read_patterns(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    MlcPattern *patterns = MLC_NEW_ARRAY(l->arena, MlcPattern, node->num_items);
    for (size_t i = 0; i < node->num_items; i++) {
        const char *key = node->keys[i]->text.data, *colon = strstr(key, ": ");
        const char *root = op->name, *what = colon ? colon + 2 : key;
        const MlcYaml *by = node->items[i];
        if (colon)
            root = mlc_arena_strdup(l->arena, mlc_str_n(key, (size_t)(colon - key))).data;
        if (!mlc_yaml_is_scalar(by) || !by->text.size) {
            mlc_yaml_loader_fail(l, by, "expected the C function of the pattern '%s'", key);
            continue;
        }
        bool stands_alone = *what >= 'A' && *what <= 'Z' && !strchr(what, ' ');
        patterns[i].name =
            stands_alone ? what : mlc_arena_printf(l->arena, "%s: %s", root, what).data;
        patterns[i].root = root;
        patterns[i].benefit = 1;
        bool is_symbol = strncmp(by->text.data, "mlc_", 4) == 0;
        mlc_yaml_loader_want(l, by, &patterns[i].rewrite,
                             is_symbol ? by->text.data : c_name(l, NULL, by->text.data));
    }
    if (op->canonical)
        mlc_yaml_loader_fail(l, node, "'%s' lists patterns twice", op->name);
    op->canonical = patterns;
    op->num_canonical = (uint16_t)node->num_items;
}

// The patterns that an item of `hooks` lists; NULL if it is something else.
static const MlcYaml *
listed_patterns(const MlcYaml *item)
{
    const MlcYaml *patterns = mlc_yaml_get(item, "patterns");
    return mlc_yaml_is_mapping(patterns) && item->num_items == 1 ? patterns : NULL;
}

typedef struct Hook {
    const char *name;
    const void *slot;
} Hook;

static void
unknown_hook(MlcYamlLoader *l, const MlcYaml *node, MlcStr name, const Hook *hooks, size_t n)
{
    MlcNames names = {0};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&names, mlc_str(hooks[i].name));
    mlc_yaml_loader_fail(l, node, "unknown hook '%s'%s", name.data,
                         mlc_did_you_mean(l->arena, name, &names));
}

// `op` is NULL for hooks of anything else.
static void
read_hooks(MlcYamlLoader *l, const MlcYaml *node, const char *owner, MlcOpDef *op,
           const Hook *hooks, size_t num_hooks)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "hooks", &n);
    for (size_t i = 0; i < n; i++) {
        const char *symbol;
        if (op && listed_patterns(items[i])) {
            read_patterns(l, listed_patterns(items[i]), op);
            continue;
        }
        MlcStr word = hook_word(l, items[i], &symbol);
        if (!word.size && !mlc_yaml_is_scalar(items[i]))
            continue; // that was said
        size_t h = 0;
        if (!word.data)
            continue;
        while (h < num_hooks && !mlc_str_equal(word, mlc_str(hooks[h].name)))
            h++;
        if (h == num_hooks)
            unknown_hook(l, items[i], word, hooks, num_hooks);
        else if (mlc_map_has(&l->nodes, hooks[h].slot))
            mlc_yaml_loader_fail(l, items[i], "hook '%s' is there twice", word.data);
        else
            mlc_yaml_loader_want(l, items[i], hooks[h].slot,
                                 symbol ? symbol : c_name(l, owner, hooks[h].name));
    }
}

static const char *const spellings[] = {"attribute", "signed", "unsigned", "string", "map", NULL};

static const MlcParamDef *
read_params(MlcYamlLoader *l, const MlcYaml *node, uint16_t *num)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "parameters", &n);
    MlcParamDef *params = MLC_NEW_ARRAY(l->arena, MlcParamDef, n);
    for (size_t i = 0; i < n; i++) {
        const MlcYaml *item = items[i];
        params[i].name = "";
        if (!mlc_yaml_loader_check_keys(
                l, item, "parameter",
                KEYS("name", "type", "arity", "optional", "default", "spelled", "upstream", "doc")))
            continue;
        keep_node(l, &params[i], item);
        params[i].name = name_of(l, item, "parameter", false);
        params[i].optional = flag_of(l, item, "optional");
        params[i].default_text = text_of(l, item, "default");
        params[i].upstream = text_of(l, item, "upstream");
        if (mlc_yaml_get(item, "spelled"))
            params[i].spelling = (uint8_t)read_word(l, mlc_yaml_get(item, "spelled"), spellings, 0);
        MlcStr arity = mlc_yaml_as_str(mlc_yaml_get(item, "arity"), "one");
        params[i].is_list = mlc_str_equal(arity, mlc_str("variadic"));
        if (!params[i].is_list && !mlc_str_equal(arity, mlc_str("one")))
            mlc_yaml_loader_fail(l, item, "a parameter's arity is one or variadic");
    }
    mlc_yaml_check_params(l, params, n);
    *num = (uint16_t)n;
    return params;
}

// What MLIR calls a parameter whose record does not say it: by its spelling, else as its constraint
// says, all of a list.
static const char *
upstream_of(MlcYamlLoader *l, const MlcParamDef *param, MlcStr type)
{
    static const struct {
        const char *type;
        MlcSpelling spelling;
        const char *upstream;
    } spelled[] = {
        {"i32_attr", MLC_SPELLED_SIGNED, "int"},
        {"i32_attr", MLC_SPELLED_UNSIGNED, "unsigned"},
        {"i64_attr", MLC_SPELLED_SIGNED, "int64_t"},
        {"i64_attr", MLC_SPELLED_UNSIGNED, "uint64_t"},
        {"bool_attr", MLC_SPELLED_UNSIGNED, "bool"},
        {"string_attr", MLC_SPELLED_STRING, "::llvm::StringRef"},
        {"affine_map_attr", MLC_SPELLED_MAP, "AffineMap"},
    };
    const char *name = param->constraint->upstream;
    for (size_t i = 0; i < COUNT(spelled); i++)
        if (mlc_str_equal(type, mlc_str(spelled[i].type)) && param->spelling == spelled[i].spelling)
            name = spelled[i].upstream;
    return name && param->is_list ? mlc_arena_printf(l->arena, "::llvm::ArrayRef<%s>", name).data
                                  : name;
}

// Constraints may name types and attributes, so they are read when all of those are known. `record`
// is MLIR's definition with these parameters, or NULL.
static void
read_param_constraints(MlcYamlLoader *l, const MlcYaml *node, const char *record,
                       const MlcParamDef *params, size_t n)
{
    const MlcYaml *list = mlc_yaml_get(node, "parameters");
    for (size_t i = 0; i < n; i++) {
        const MlcYaml *type = mlc_yaml_get(list->items[i], "type");
        MlcParamDef *param = (MlcParamDef *)params + i;
        if (!type) {
            mlc_yaml_loader_fail(l, list->items[i], "the parameter '%s' has no type", param->name);
            continue;
        }
        param->constraint = mlc_yaml_loader_constraint_of(l, type, true);
        MlcStr name = mlc_yaml_as_str(type, "");
        bool is_number =
            mlc_str_equal(name, mlc_str("i32_attr")) || mlc_str_equal(name, mlc_str("i64_attr"));
        if (is_number && param->spelling == MLC_SPELLED_ATTRIBUTE)
            param->spelling = MLC_SPELLED_SIGNED;
        if (record && !param->upstream)
            param->upstream = upstream_of(l, param, name);
        if ((param->spelling == MLC_SPELLED_SIGNED || param->spelling == MLC_SPELLED_UNSIGNED) &&
            !is_number && !mlc_str_equal(name, mlc_str("bool_attr")))
            mlc_yaml_loader_fail(l, list->items[i],
                                 "a number is of type i32_attr, i64_attr or bool_attr");
        if (param->spelling == MLC_SPELLED_MAP && !mlc_str_equal(name, mlc_str("affine_map_attr")))
            mlc_yaml_loader_fail(l, list->items[i], "a map is of type affine_map_attr");
    }
}

#define DEF_KEYS KEYS("name", "summary", "description", "parameters", "format", "hooks", "record")

static MlcTypeDef *
read_type(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcTypeDef *def = MLC_NEW(l->arena, MlcTypeDef);
    keep_node(l, def, node);
    mlc_yaml_loader_check_keys(l, node, "type", DEF_KEYS);
    const char *name = name_of(l, node, "type", true);
    def->name = full_name(l, name);
    def->dialect = l->dialect;
    def->summary = text_of(l, node, "summary");
    def->record = text_of(l, node, "record");
    def->params = read_params(l, node, &def->num_params);
    const Hook hooks[] = {{"verify", &def->verify}, {"parse", &def->parse}, {"print", &def->print}};
    read_hooks(l, node, mlc_arena_printf(l->arena, "%s_type", name).data, NULL, hooks,
               COUNT(hooks));
    return def;
}

static MlcAttrDef *
read_attr(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcAttrDef *def = MLC_NEW(l->arena, MlcAttrDef);
    keep_node(l, def, node);
    mlc_yaml_loader_check_keys(l, node, "attribute",
                               KEYS("name", "summary", "description", "parameters", "format",
                                    "hooks", "alias", "poison", "record"));
    const char *name = name_of(l, node, "attribute", true);
    def->name = full_name(l, name);
    def->dialect = l->dialect;
    def->summary = text_of(l, node, "summary");
    def->record = text_of(l, node, "record");
    def->params = read_params(l, node, &def->num_params);
    const Hook hooks[] = {{"verify", &def->verify}, {"parse", &def->parse}, {"print", &def->print}};
    def->is_poison = flag_of(l, node, "poison");
    def->has_alias = flag_of(l, node, "alias");
    read_hooks(l, node, mlc_arena_printf(l->arena, "%s_attr", name).data, NULL, hooks,
               COUNT(hooks));
    return def;
}

static void
read_cases(MlcYamlLoader *l, const MlcYaml *node, MlcAttrDef *def)
{
    const MlcYaml *cases = mlc_yaml_get(node, "cases");
    if (!mlc_yaml_is_mapping(cases) || cases->num_items == 0) {
        mlc_yaml_loader_fail(l, node, "expected 'cases', a mapping from name to value");
        return;
    }
    MlcEnumCase *out = MLC_NEW_ARRAY(l->arena, MlcEnumCase, cases->num_items);
    for (size_t i = 0; i < cases->num_items; i++) {
        out[i].name = cases->keys[i]->text.data;
        if (strcspn(out[i].name, " \t\"<>(){},") != cases->keys[i]->text.size)
            mlc_yaml_loader_fail(l, cases->keys[i], "'%s' is no name of a case", out[i].name);
        if (!mlc_yaml_try_as_int(cases->items[i], &out[i].value))
            mlc_yaml_loader_fail(l, cases->items[i], "expected the integer value of '%s'",
                                 out[i].name);
    }
    def->cases = out;
    def->num_cases = (uint16_t)cases->num_items;
    mlc_yaml_check_cases(l, cases, def);
}

static MlcAttrDef *
read_enum(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcAttrDef *def = MLC_NEW(l->arena, MlcAttrDef);
    keep_node(l, def, node);
    mlc_yaml_loader_check_keys(l, node, "enum",
                               KEYS("name", "summary", "description", "width", "bare", "bits",
                                    "separator", "cases", "format", "upstream", "record",
                                    "parameter", "unknown", "missing"));
    def->name = full_name(l, name_of(l, node, "enum", true));
    def->dialect = l->dialect;
    def->summary = text_of(l, node, "summary");
    def->is_bare_integer = flag_of(l, node, "bare");
    def->is_bit_enum = flag_of(l, node, "bits");
    int64_t width = mlc_yaml_as_int(mlc_yaml_get(node, "width"), 32);
    if (width != 8 && width != 32 && width != 64) {
        mlc_yaml_loader_fail(l, mlc_yaml_get(node, "width"), "the width of an enum is 8, 32 or 64");
        width = 32;
    }
    def->enum_width = (uint8_t)width;
    def->separator = text_of(l, node, "separator");
    def->upstream = text_of(l, node, "upstream");
    def->record = text_of(l, node, "record");
    def->unknown = text_of(l, node, "unknown");
    def->missing = text_of(l, node, "missing");
    if (def->is_bit_enum && !def->separator)
        def->separator = "|";
    read_cases(l, node, def);
    MlcParamDef *value = MLC_NEW(l->arena, MlcParamDef);
    const MlcYaml *parameter = mlc_yaml_get(node, "parameter");
    if (parameter)
        mlc_yaml_loader_check_keys(l, parameter, "parameter", KEYS("name", "upstream"));
    value->name = parameter ? name_of(l, parameter, "parameter", false) : "value";
    value->upstream = parameter ? text_of(l, parameter, "upstream") : def->upstream;
    def->params = value;
    def->num_params = 1;
    return def;
}

static int
compare_attrs(const void *a, const void *b)
{
    return strcmp((*(const MlcAttrDef *const *)a)->name, (*(const MlcAttrDef *const *)b)->name);
}

static int
compare_types(const void *a, const void *b)
{
    return strcmp((*(const MlcTypeDef *const *)a)->name, (*(const MlcTypeDef *const *)b)->name);
}

static int
compare_ops(const void *a, const void *b)
{
    return strcmp((*(const MlcOpDef *const *)a)->name, (*(const MlcOpDef *const *)b)->name);
}

// `parse`: the hook that reads them otherwise.
static void
check_has_format(MlcYamlLoader *l, const MlcYaml *node, const char *name, size_t num_params,
                 const void *parse)
{
    if (num_params && !mlc_yaml_get(node, "format") && !mlc_map_has(&l->symbols, parse))
        mlc_yaml_loader_fail(l, node, "'%s' has parameters: it needs a format", name);
}

static void
read_types_and_attrs(MlcYamlLoader *l, const MlcYaml *root)
{
    size_t num_types, num_attrs, num_enums;
    const MlcYaml *const *types = list_of(l, root, "types", &num_types);
    const MlcYaml *const *attrs = list_of(l, root, "attributes", &num_attrs);
    const MlcYaml *const *enums = list_of(l, root, "enums", &num_enums);
    MlcTypeDef **type_defs = MLC_NEW_ARRAY(l->arena, MlcTypeDef *, num_types);
    MlcAttrDef **attr_defs = MLC_NEW_ARRAY(l->arena, MlcAttrDef *, num_attrs + num_enums);
    for (size_t i = 0; i < num_types; i++)
        type_defs[i] = read_type(l, types[i]);
    for (size_t i = 0; i < num_attrs; i++)
        attr_defs[i] = read_attr(l, attrs[i]);
    for (size_t i = 0; i < num_enums; i++)
        attr_defs[num_attrs + i] = read_enum(l, enums[i]);
    l->dialect->types = (const MlcTypeDef *const *)type_defs;
    l->dialect->num_types = num_types;
    l->dialect->attrs = (const MlcAttrDef *const *)attr_defs;
    l->dialect->num_attrs = num_attrs + num_enums;

    mlc_yaml_loader_add_constraints(l, mlc_yaml_get(root, "constraints"));
    mlc_yaml_loader_finish_constraints(l);
    for (size_t i = 0; i < num_types; i++) {
        read_param_constraints(l, types[i], type_defs[i]->record, type_defs[i]->params,
                               type_defs[i]->num_params);
        check_has_format(l, types[i], type_defs[i]->name, type_defs[i]->num_params,
                         &type_defs[i]->parse);
        type_defs[i]->format =
            mlc_yaml_compile_type_format(l, mlc_yaml_get(types[i], "format"), type_defs[i]);
    }
    for (size_t i = 0; i < num_attrs; i++) {
        read_param_constraints(l, attrs[i], attr_defs[i]->record, attr_defs[i]->params,
                               attr_defs[i]->num_params);
        check_has_format(l, attrs[i], attr_defs[i]->name, attr_defs[i]->num_params,
                         &attr_defs[i]->parse);
        attr_defs[i]->format =
            mlc_yaml_compile_attr_format(l, mlc_yaml_get(attrs[i], "format"), attr_defs[i]);
    }
    for (size_t i = 0; i < num_enums; i++)
        attr_defs[num_attrs + i]->format = mlc_yaml_compile_attr_format(
            l, mlc_yaml_get(enums[i], "format"), attr_defs[num_attrs + i]);
    if (num_types)
        qsort(type_defs, num_types, sizeof *type_defs, compare_types);
    for (size_t i = 1; i < num_types; i++)
        if (strcmp(type_defs[i - 1]->name, type_defs[i]->name) == 0)
            mlc_yaml_loader_fail(l, mlc_map_get(&l->nodes, type_defs[i]),
                                 "type '%s' is defined twice", type_defs[i]->name);
    if (num_attrs + num_enums)
        qsort(attr_defs, num_attrs + num_enums, sizeof *attr_defs, compare_attrs);
    for (size_t i = 1; i < num_attrs + num_enums; i++)
        if (strcmp(attr_defs[i - 1]->name, attr_defs[i]->name) == 0)
            mlc_yaml_loader_fail(l, mlc_map_get(&l->nodes, attr_defs[i]),
                                 "attribute '%s' is defined twice", attr_defs[i]->name);
}

static const char *const arities[] = {"one", "optional", "variadic", NULL};
static const char *const effect_words[] = {"read", "write", "alloc", "free", NULL};

static uint8_t
read_effects(MlcYamlLoader *l, const MlcYaml *node)
{
    uint8_t effects = 0;
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "effects", &n);
    for (size_t i = 0; i < n; i++)
        effects |= (uint8_t)(1 << read_word(l, items[i], effect_words, 0));
    return effects;
}

static void
read_value(MlcYamlLoader *l, const MlcYaml *node, const char *what, MlcValueDef *value)
{
    mlc_yaml_loader_check_keys(l, node, what, KEYS("name", "type", "arity", "effects", "doc"));
    keep_node(l, value, node);
    value->name = name_of(l, node, what, false);
    value->effects = read_effects(l, node);
    const MlcYaml *type = mlc_yaml_get(node, "type");
    if (type)
        value->type = mlc_yaml_loader_constraint_of(l, type, false);
    else
        mlc_yaml_loader_fail(l, node, "the %s '%s' has no type", what, value->name);
    const MlcYaml *arity = mlc_yaml_get(node, "arity");
    if (mlc_yaml_is_mapping(arity)) {
        mlc_yaml_loader_check_keys(l, arity, "arity", KEYS("variadic_of"));
        value->arity = MLC_VARIADIC_OF_VARIADIC;
        value->segments = text_of(l, arity, "variadic_of");
    } else {
        value->arity = read_word(l, arity, arities, MLC_ONE);
    }
}

static const MlcValueDef *
read_values(MlcYamlLoader *l, const MlcYaml *node, const char *key, const char *what, uint16_t *num)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, key, &n);
    MlcValueDef *values = MLC_NEW_ARRAY(l->arena, MlcValueDef, n);
    for (size_t i = 0; i < n; i++)
        read_value(l, items[i], what, &values[i]);
    *num = (uint16_t)n;
    return values;
}

const MlcConstraint *
mlc_yaml_loader_builtin_constraint(MlcYamlLoader *l, const char *name)
{
    MlcYaml node = {.kind = MLC_YAML_SCALAR, .line = 1, .column = 1, .text = mlc_str(name)};
    return mlc_yaml_loader_constraint(l, &node);
}

// Sizes that nobody gives are zeros.
static MlcAttrSlot
segments_slot(MlcYamlLoader *l, const char *name, size_t num_groups)
{
    MlcBuf text = {0};
    mlc_buf_append_c(&text, "array<i32");
    for (size_t i = 0; i < num_groups; i++)
        mlc_buf_append_c(&text, i ? ", 0" : ": 0");
    mlc_buf_append_c(&text, ">");
    MlcAttrSlot slot = {.name = name,
                        .constraint = mlc_yaml_loader_builtin_constraint(l, "dense_i32_array"),
                        .default_text =
                            mlc_arena_printf(l->arena, "%s", mlc_buf_c_str(&text)).data};
    mlc_buf_release(&text);
    return slot;
}

static void
read_op_attrs(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op, const MlcSemantics *semantics)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "attributes", &n);
    MlcAttrSlot *all = MLC_NEW_ARRAY(l->arena, MlcAttrSlot, n + 2 + MLC_YAML_MAX_SEMANTICS_ATTRS);
    size_t num_implied = mlc_yaml_semantics_attrs(l, semantics, all);
    MlcAttrSlot *slots = all + num_implied;
    for (size_t i = 0; i < n; i++) {
        const MlcYaml *item = items[i];
        slots[i].name = "unnamed"; // what other parts of the record are compared with
        if (!mlc_yaml_loader_check_keys(
                l, item, "attribute",
                KEYS("name", "type", "optional", "default", "number", "infers", "doc")))
            continue;
        keep_node(l, &slots[i], item);
        slots[i].name = name_of(l, item, "attribute", true);
        slots[i].optional = flag_of(l, item, "optional");
        slots[i].default_text = text_of(l, item, "default");
        slots[i].is_number = flag_of(l, item, "number");
        slots[i].infers = flag_of(l, item, "infers");
        const MlcYaml *type = mlc_yaml_get(item, "type");
        if (type)
            slots[i].constraint = mlc_yaml_loader_constraint_of(l, type, true);
        else
            mlc_yaml_loader_fail(l, item, "the attribute '%s' has no type", slots[i].name);
    }
    if (mlc_op_def_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        slots[n++] = segments_slot(l, "operandSegmentSizes", op->num_operands);
    if (mlc_op_def_has_trait(op, MLC_TRAIT_ATTR_SIZED_RESULTS))
        slots[n++] = segments_slot(l, "resultSegmentSizes", op->num_results);
    op->attrs = all;
    op->num_attrs = (uint16_t)(num_implied + n);
}

static void
read_regions(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    static const char *const shapes[] = {"any", "sized_1", "min_1", "max_1", NULL};
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "regions", &n);
    MlcRegionDef *regions = MLC_NEW_ARRAY(l->arena, MlcRegionDef, n);
    for (size_t i = 0; i < n; i++) {
        mlc_yaml_loader_check_keys(l, items[i], "region",
                                   KEYS("name", "shape", "arity", "args", "yields", "doc"));
        keep_node(l, &regions[i], items[i]);
        regions[i].name = name_of(l, items[i], "region", false);
        regions[i].shape = read_word(l, mlc_yaml_get(items[i], "shape"), shapes, MLC_REGION_ANY);
        regions[i].arity = read_word(l, mlc_yaml_get(items[i], "arity"), arities, MLC_ONE);
    }
    op->regions = regions;
    op->num_regions = (uint16_t)n;
}

static void
read_successors(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "successors", &n);
    MlcSuccessorDef *successors = MLC_NEW_ARRAY(l->arena, MlcSuccessorDef, n);
    for (size_t i = 0; i < n; i++) {
        mlc_yaml_loader_check_keys(l, items[i], "successor", KEYS("name", "arity", "doc"));
        keep_node(l, &successors[i], items[i]);
        successors[i].name = name_of(l, items[i], "successor", false);
        successors[i].arity = read_word(l, mlc_yaml_get(items[i], "arity"), arities, MLC_ONE);
    }
    op->successors = successors;
    op->num_successors = (uint16_t)n;
}

static void
unknown_trait(MlcYamlLoader *l, const MlcYaml *node, MlcStr name)
{
    MlcNames names = {0};
    for (size_t i = 0; i < COUNT(trait_names); i++)
        mlc_vec_push(&names, mlc_str(trait_names[i]));
    mlc_vec_push(&names, mlc_str("pure"));
    mlc_vec_push(&names, mlc_str("elementwise_mappable"));
    mlc_yaml_loader_fail(l, node, "unknown trait '%s'%s", name.data,
                         mlc_did_you_mean(l->arena, name, &names));
}

static void
read_traits(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "traits", &n);
    for (size_t i = 0; i < n; i++) {
        MlcStr name = mlc_yaml_as_str(items[i], "");
        int trait = trait_from_name(name);
        if (trait >= 0)
            op->traits |= UINT64_C(1) << trait;
        else if (mlc_str_equal(name, mlc_str("pure")))
            op->traits |= MLC_TRAITS_PURE;
        else if (mlc_str_equal(name, mlc_str("elementwise_mappable")))
            op->traits |= MLC_TRAIT_BIT(ELEMENTWISE) | MLC_TRAIT_BIT(SCALARIZABLE) |
                          MLC_TRAIT_BIT(VECTORIZABLE) | MLC_TRAIT_BIT(TENSORIZABLE);
        else
            unknown_trait(l, items[i], name);
    }
    op->implicit_terminator = text_of(l, node, "implicit_terminator");
    if (op->implicit_terminator)
        op->traits |= MLC_TRAIT_BIT(IMPLICIT_TERMINATOR) | MLC_TRAIT_BIT(SINGLE_BLOCK);
    if (mlc_yaml_get(node, "structured"))
        op->traits |= MLC_TRAIT_BIT(STRUCTURED);
    if ((op->traits & MLC_TRAIT_BIT(STRUCTURED)) && !op->implicit_terminator)
        op->implicit_terminator = "linalg.yield"; // its body is linalg's
}

// What every structured op can unless it says otherwise: its record's loops and maps are enough.
static const struct {
    MlcInterface id;
    const char *symbol;
} of_structured[] = {
    {MLC_INTERFACE_BUFFERIZE, "mlc_linalg_structured_bufferize"},
    {MLC_INTERFACE_MEMORY_EFFECTS, "mlc_linalg_structured_memory_effects"},
};

static bool
names_interface(const MlcYaml *const *items, size_t n, MlcInterface id)
{
    for (size_t i = 0; i < n; i++) {
        bool has_symbol = mlc_yaml_is_mapping(items[i]) && items[i]->num_items == 1;
        const MlcYaml *word = has_symbol ? items[i]->keys[0] : items[i];
        if (mlc_str_equal(mlc_yaml_as_str(word, ""), mlc_str(interface_names[id].name)))
            return true;
    }
    return false;
}

static void
add_derived(MlcYamlLoader *l, MlcInterfaceEntry *entry, MlcInterface id)
{
    entry->id = id;
    mlc_yaml_loader_want(l, NULL, &entry->methods, interface_names[id].derived);
}

static int
unknown_interface(MlcYamlLoader *l, const MlcYaml *node, MlcStr name)
{
    MlcNames names = {0};
    for (size_t i = 0; i < COUNT(interface_names); i++)
        mlc_vec_push(&names, mlc_str(interface_names[i].name));
    mlc_yaml_loader_fail(l, node, "unknown interface '%s'%s", name.data,
                         mlc_did_you_mean(l->arena, name, &names));
    return -1;
}

// One entry of `interfaces`; its number, -1 after a fault.
static int
read_interface(MlcYamlLoader *l, const MlcYaml *node, const MlcYaml *item, const char *name,
               MlcInterfaceEntry *entry)
{
    const char *symbol;
    MlcStr word = hook_word(l, item, &symbol);
    int id = word.data ? interface_from_name(word) : -1;
    bool has_access = mlc_yaml_get(node, "access") != NULL;
    bool is_of_access = id == MLC_INTERFACE_SLOT_USE || id == MLC_INTERFACE_RUNTIME_CHECK;
    bool is_derived = symbol && strcmp(symbol, "derived") == 0;
    if (!word.data)
        return -1;
    if (id < 0)
        return unknown_interface(l, item, word);
    bool has_loop = mlc_yaml_get(node, "loop") != NULL;
    if (id == MLC_INTERFACE_SEMANTICS)
        return mlc_yaml_loader_fail(l, item, "this interface is what the key 'semantics' says"), -1;
    if (id == MLC_INTERFACE_REQUIREMENTS)
        return mlc_yaml_loader_fail(l, item, "this interface is what the key 'require' says"), -1;
    if (id == MLC_INTERFACE_SIGNATURES)
        return mlc_yaml_loader_fail(l, item,
                                    "this interface is what the regions' 'args' and "
                                    "'yields' say"),
               -1;
    if (id == MLC_INTERFACE_ACCESS || (id == MLC_INTERFACE_LOOP && (has_loop || is_derived)))
        return mlc_yaml_loader_fail(l, item, "this interface is what the key '%s' says", word.data),
               -1;
    if (is_derived && is_of_access && !has_access)
        return mlc_yaml_loader_fail(l, item, "'%s' is derived from 'access', which is not there",
                                    word.data),
               -1;
    bool is_own = !is_derived && (symbol || id != MLC_INTERFACE_FASTMATH);
    if (is_derived && id == MLC_INTERFACE_REGION_BRANCH && has_loop)
        symbol = "mlc_derived_loop_branch";
    else if (is_derived && id == MLC_INTERFACE_SPECULATION && has_loop)
        symbol = "mlc_derived_loop_speculation";
    else if (is_derived)
        symbol = interface_names[id].derived;
    else if (!symbol)
        symbol =
            id == MLC_INTERFACE_FASTMATH ? interface_names[id].derived : c_name(l, name, word.data);
    if (!symbol)
        mlc_yaml_loader_fail(l, item, "interface '%s' cannot be derived", word.data);
    entry->id = (uint32_t)id;
    mlc_yaml_loader_want(l, is_own ? item : NULL, &entry->methods, symbol);
    return id;
}

// Those that come with what the op means, unless it says otherwise.
static size_t
add_of_semantics(MlcYamlLoader *l, const MlcSemantics *s, const MlcYaml *const *items,
                 size_t num_items, MlcInterfaceEntry *entries)
{
    size_t n, num = 0;
    const MlcYamlInterface *all = mlc_yaml_semantics_interfaces(s, &n);
    for (size_t i = 0; i < n; i++)
        if (!names_interface(items, num_items, all[i].id)) {
            entries[num].id = all[i].id;
            mlc_yaml_loader_want(l, NULL, &entries[num++].methods, all[i].symbol);
        }
    if (s)
        entries[num++] = (MlcInterfaceEntry){.id = MLC_INTERFACE_SEMANTICS, .methods = s};
    return num;
}

static void
read_interfaces(MlcYamlLoader *l, const MlcYaml *node, const char *name, MlcOpDef *op,
                const MlcSemantics *semantics)
{
    size_t n, num = 0;
    const MlcYaml *const *items = list_of(l, node, "interfaces", &n);
    bool has_structured = mlc_op_def_has_trait(op, MLC_TRAIT_STRUCTURED);
    bool has_name =
        op->result_name || op->num_results > 1; // results of several groups are named after them
    MlcInterfaceEntry *entries = MLC_NEW_ARRAY(
        l->arena, MlcInterfaceEntry, n + COUNT(of_structured) + MLC_YAML_MAX_INTERFACES + 7);
    for (size_t i = 0; has_structured && i < COUNT(of_structured); i++)
        if (!names_interface(items, n, of_structured[i].id)) {
            entries[num].id = of_structured[i].id;
            mlc_yaml_loader_want(l, NULL, &entries[num++].methods, of_structured[i].symbol);
        }
    for (size_t i = 0; i < n; i++) {
        int id = read_interface(l, node, items[i], name, &entries[num]);
        num += id >= 0;
        has_structured &= id != MLC_INTERFACE_STRUCTURED;
        has_name &= id != MLC_INTERFACE_ASM_NAMES;
    }
    num += add_of_semantics(l, semantics, items, n, entries + num);
    if (has_structured)
        add_derived(l, &entries[num++], MLC_INTERFACE_STRUCTURED);
    if (has_name)
        add_derived(l, &entries[num++], MLC_INTERFACE_ASM_NAMES);
    if (op->loop)
        add_derived(l, &entries[num++], MLC_INTERFACE_LOOP);
    const MlcYaml *said = mlc_yaml_get(node, "access");
    bool tells_effects = names_interface(items, n, MLC_INTERFACE_MEMORY_EFFECTS);
    const void *access = said ? mlc_yaml_read_access(l, said, op, tells_effects) : NULL;
    if (access)
        entries[num++] = (MlcInterfaceEntry){.id = MLC_INTERFACE_ACCESS, .methods = access};
    const MlcYaml *require = mlc_yaml_get(node, "require");
    if (require)
        entries[num++] = (MlcInterfaceEntry){.id = MLC_INTERFACE_REQUIREMENTS,
                                             .methods = mlc_yaml_read_requirements(l, require, op)};
    const MlcRegionSignature *signatures = mlc_yaml_read_signatures(l, op);
    if (signatures)
        entries[num++] = (MlcInterfaceEntry){.id = MLC_INTERFACE_SIGNATURES, .methods = signatures};
    op->interfaces = entries;
    op->num_interfaces = (uint16_t)num;
}

static void
read_parents(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "parents", &n);
    if (!n)
        return;
    const char **parents = MLC_NEW_ARRAY(l->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        parents[i] = mlc_yaml_as_str(items[i], "").data;
    op->parents = parents;
}

// One of `ins` or `outs`: maps go to the record, the types are for the implied operand groups.
static void
read_structured_operands(MlcYamlLoader *l, const MlcYaml *node, const char *key, const char **maps,
                         uint8_t *num)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, node, key, &n);
    for (size_t i = 0; i < n; i++) {
        mlc_yaml_loader_check_keys(l, items[i], "structured operand",
                                   KEYS("name", "map", "type", "doc"));
        if (mlc_yaml_get(items[i], "type"))
            mlc_yaml_loader_fail(l, mlc_yaml_get(items[i], "type"),
                                 "the operands in ins and outs have no types of their own: list "
                                 "the groups under 'operands' and 'results'");
        name_of(l, items[i], "structured operand", false);
        maps[i] = text_of(l, items[i], "map");
    }
    if (n > UINT8_MAX / 2)
        mlc_yaml_loader_fail(l, mlc_yaml_get(node, key), "more than %d operands", UINT8_MAX / 2);
    *num = (uint8_t)n;
}

static const char *
read_iterators(MlcYamlLoader *l, const MlcYaml *node, uint8_t *num)
{
    static const char *const words[] = {"parallel", "reduction", "window", NULL};
    size_t n;
    const MlcYaml *const *items = list_of(l, node, "iterators", &n);
    char *letters = MLC_NEW_ARRAY(l->arena, char, n + 1);
    for (size_t i = 0; i < n; i++)
        letters[i] = "prw"[read_word(l, items[i], words, 0)];
    *num = (uint8_t)n;
    return letters;
}

static size_t
count_of(const MlcYaml *node, const char *key)
{
    const MlcYaml *list = mlc_yaml_get(node, key);
    return mlc_yaml_is_sequence(list) ? list->num_items : 0;
}

// The names of operands that `body` and the maps use, in order: ins, then outs.
static const char *const *
structured_names(MlcYamlLoader *l, const MlcYaml *node)
{
    size_t n = 0;
    const char **names =
        MLC_NEW_ARRAY(l->arena, const char *, count_of(node, "ins") + count_of(node, "outs") + 1);
    MLC_YAML_FOR_EACH (item, mlc_yaml_get(node, "ins"))
        names[n++] = mlc_yaml_as_str(mlc_yaml_get(item, "name"), "").data;
    MLC_YAML_FOR_EACH (out, mlc_yaml_get(node, "outs"))
        names[n++] = mlc_yaml_as_str(mlc_yaml_get(out, "name"), "").data;
    return names;
}

static void
read_structured(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    if (!node)
        return;
    if (!mlc_yaml_loader_check_keys(l, node, "structure",
                                    KEYS("ins", "outs", "iterators", "symbols", "body")))
        return;
    MlcStructuredDef *def = MLC_NEW(l->arena, MlcStructuredDef);
    const char **maps =
        MLC_NEW_ARRAY(l->arena, const char *, count_of(node, "ins") + count_of(node, "outs") + 1);
    read_structured_operands(l, node, "ins", maps, &def->num_ins);
    read_structured_operands(l, node, "outs", maps + def->num_ins, &def->num_outs);
    def->maps = maps;
    def->names = structured_names(l, node);
    def->iterators = read_iterators(l, node, &def->num_loops);
    size_t n;
    const MlcYaml *const *symbols = list_of(l, node, "symbols", &n);
    const char **texts = MLC_NEW_ARRAY(l->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        texts[i] = mlc_yaml_as_str(symbols[i], "").data;
    def->symbols = texts;
    def->num_symbols = n;
    def->body = text_of(l, node, "body");
    if (def->body)
        mlc_yaml_loader_want(l, NULL, &def->build_body, "mlc_structured_build_body");
    op->structured = def;
}

// A structured op that lists no operands has those of linalg: inputs, outputs, a result per output
// tensor, a body.
static void
imply_structured_groups(MlcYamlLoader *l, MlcOpDef *op)
{
    MlcValueDef *operands = MLC_NEW_ARRAY(l->arena, MlcValueDef, 2);
    operands[0] = (MlcValueDef){.name = "inputs",
                                .type = mlc_yaml_loader_builtin_constraint(l, "any_type"),
                                .arity = MLC_VARIADIC};
    operands[1] = (MlcValueDef){.name = "outputs",
                                .type = mlc_yaml_loader_builtin_constraint(l, "any_shaped"),
                                .arity = MLC_VARIADIC};
    MlcValueDef *results = MLC_NEW(l->arena, MlcValueDef);
    *results = (MlcValueDef){.name = "result_tensors",
                             .type = mlc_yaml_loader_builtin_constraint(l, "ranked_tensor"),
                             .arity = MLC_VARIADIC};
    MlcRegionDef *region = MLC_NEW(l->arena, MlcRegionDef);
    *region = (MlcRegionDef){.name = "region", .shape = MLC_REGION_ANY};
    op->operands = operands;
    op->num_operands = 2;
    op->results = results;
    op->num_results = 1;
    op->regions = region;
    op->num_regions = 1;
    op->traits |= MLC_TRAIT_BIT(DESTINATION_STYLE) | MLC_TRAIT_BIT(ATTR_SIZED_OPERANDS) |
                  MLC_TRAIT_BIT(SINGLE_BLOCK);
}

// What ops cost that do not say: their dialect's default.
static uint8_t
read_cost(MlcYamlLoader *l, const MlcYaml *node, uint8_t otherwise)
{
    const MlcYaml *said = mlc_yaml_get(node, "cost");
    int64_t cost = mlc_yaml_as_int(said, otherwise);
    if (said && (cost < 1 || cost > UINT8_MAX))
        mlc_yaml_loader_fail(l, said, "a cost is a number from 1 to %d", UINT8_MAX);
    return (uint8_t)cost;
}

static MlcOpDef *
read_op(MlcYamlLoader *l, const MlcYaml *node)
{
    MlcOpDef *op = MLC_NEW(l->arena, MlcOpDef);
    mlc_yaml_loader_check_keys(l, node, "op",
                               KEYS("name", "summary", "description", "operands", "results",
                                    "attributes", "regions", "successors", "traits", "parents",
                                    "implicit_terminator", "relations", "interfaces", "hooks",
                                    "require", "format", "structured", "body", "result_name",
                                    "cost", "access", "loop", "lowers_to", "semantics"));
    keep_node(l, op, node);
    const char *name = name_of(l, node, "op", true);
    op->name = full_name(l, name);
    op->dialect = l->dialect;
    op->summary = text_of(l, node, "summary");
    op->body = text_of(l, node, "body");
    op->result_name = text_of(l, node, "result_name");
    op->cost = read_cost(l, node, l->op_cost);
    read_traits(l, node, op);
    op->operands = read_values(l, node, "operands", "operand", &op->num_operands);
    op->results = read_values(l, node, "results", "result", &op->num_results);
    read_regions(l, node, op);
    read_successors(l, node, op);
    read_structured(l, mlc_yaml_get(node, "structured"), op);
    if (op->structured && !mlc_yaml_get(node, "operands"))
        imply_structured_groups(l, op);
    const MlcSemantics *semantics = mlc_yaml_read_semantics(l, node, op);
    read_op_attrs(l, node, op, semantics);
    mlc_yaml_read_lowers_to(l, node, op);
    if (mlc_yaml_get(node, "loop") && !semantics)
        op->loop = mlc_yaml_read_loop(l, mlc_yaml_get(node, "loop"), op);
    read_interfaces(l, node, name, op, semantics);
    read_parents(l, node, op);
    if (op->body && op->num_results == 1 && op->results[0].arity == MLC_ONE)
        mlc_yaml_loader_want(l, NULL, &op->eval, "mlc_body_eval"); // unless hooks name another
    const Hook hooks[] = {
        {"verify", &op->verify}, {"verify_regions", &op->verify_regions},
        {"fold", &op->fold},     {"patterns", &op->patterns},
        {"parse", &op->parse},   {"print", &op->print},
        {"eval", &op->eval},
    };
    read_hooks(l, node, name, op, hooks, COUNT(hooks));
    mlc_yaml_semantics_hooks(l, node, semantics, op);
    mlc_yaml_check_op(l, node, op);
    mlc_yaml_compile_op(l, node, op);
    if (l->num_faults == 0) // else names may be missing, and the dialect is refused
        mlc_op_def_find_facts(op);
    return op;
}

static void
read_ops(MlcYamlLoader *l, const MlcYaml *root)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, root, "ops", &n);
    MlcOpDef **ops = MLC_NEW_ARRAY(l->arena, MlcOpDef *, n);
    for (size_t i = 0; i < n; i++)
        ops[i] = read_op(l, items[i]);
    if (n)
        qsort(ops, n, sizeof *ops, compare_ops);
    for (size_t i = 1; i < n; i++)
        if (strcmp(ops[i - 1]->name, ops[i]->name) == 0)
            mlc_yaml_loader_fail(l, mlc_map_get(&l->nodes, ops[i]), "op '%s' is defined twice",
                                 ops[i]->name);
    l->dialect->ops = (const MlcOpDef *const *)ops;
    l->dialect->num_ops = n;
    mlc_yaml_check_twins(l);
}

// Whether a value can become such an op.
static bool
is_constant(const MlcOpDef *op)
{
    bool has_value = false;
    for (size_t i = 0; i < op->num_attrs; i++)
        has_value |= strcmp(op->attrs[i].name, "value") == 0;
    return has_value && mlc_op_def_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) &&
           op->num_operands + op->num_regions == 0 && op->num_results == 1 &&
           op->results[0].arity == MLC_ONE;
}

// Those of other dialects are asked there; builtin is read before all others, so it is believed.
static void
check_constants(MlcYamlLoader *l, const MlcYaml *head)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, head, "constants", &n);
    for (size_t i = 0; i < n && strcmp(l->dialect->name, "builtin") != 0; i++) {
        const char *name = mlc_yaml_as_str(items[i], "").data, *dot = strchr(name, '.');
        MlcStr prefix = mlc_str_n(name, dot ? (size_t)(dot - name) : 0);
        bool is_own = mlc_str_equal(prefix, mlc_str(l->dialect->name));
        const MlcDialectDef *dialect = is_own ? l->dialect : dot ? l->find(l->user, prefix) : NULL;
        const MlcOpDef *op = NULL;
        for (size_t k = 0; dialect && !op && k < dialect->num_ops; k++)
            op = strcmp(dialect->ops[k]->name, name) == 0 ? dialect->ops[k] : NULL;
        if (!op)
            mlc_yaml_loader_fail(l, items[i], "there is no op '%s'%s", name,
                                 mlc_did_you_mean_op(l->arena, mlc_str(name), dialect));
        else if (!is_constant(op))
            mlc_yaml_loader_fail(
                l, items[i], "'%s' is not constant_like, with an attribute 'value' and one result",
                name);
    }
}

// A head that does not say what its ops fold to: the dialect's own constants, as they are written.
static void
imply_constants(MlcYamlLoader *l, const MlcYaml *head)
{
    MlcDialectDef *dialect = l->dialect;
    if (mlc_yaml_get(head, "constants") || mlc_map_has(&l->symbols, &dialect->materialize))
        return;
    const char **names = MLC_NEW_ARRAY(l->arena, const char *, dialect->num_ops + 1);
    size_t n = 0;
    for (size_t i = 0; i < dialect->num_ops; i++)
        if (is_constant(dialect->ops[i]))
            names[n++] = dialect->ops[i]->name;
    dialect->constants = n ? names : NULL;
}

static void
read_discardable(MlcYamlLoader *l, const MlcYaml *root)
{
    size_t n;
    const MlcYaml *const *items = list_of(l, root, "discardable", &n);
    MlcAttrSlot *slots = MLC_NEW_ARRAY(l->arena, MlcAttrSlot, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (!mlc_yaml_loader_check_keys(
                l, items[i], "discardable attribute",
                KEYS("name", "type", "on", "summary", "written_by", "read_by")))
            continue;
        keep_node(l, &slots[i], items[i]);
        slots[i].name = name_of(l, items[i], "discardable attribute", false);
        for (size_t k = 0; k < i; k++)
            if (slots[k].name && strcmp(slots[i].name, slots[k].name) == 0)
                mlc_yaml_loader_fail(l, items[i], "attribute '%s' is there twice", slots[i].name);
        const MlcYaml *type = mlc_yaml_get(items[i], "type");
        if (type)
            slots[i].constraint = mlc_yaml_loader_constraint_of(l, type, true);
        else
            mlc_yaml_loader_fail(l, items[i], "the attribute '%s' has no type", slots[i].name);
    }
    l->dialect->discardable = slots;
    l->dialect->num_discardable = n;
}

static void
read_head(MlcYamlLoader *l, const MlcYaml *root)
{
    const MlcYaml *head = mlc_yaml_get(root, "dialect");
    l->dialect->name = "unnamed";
    if (!mlc_yaml_loader_check_keys(l, head ? head : root, "dialect",
                                    KEYS("name", "summary", "description", "files", "uses",
                                         "inlines", "cost", "hooks", "unknown_type", "constants")))
        return;
    keep_node(l, l->dialect, head);
    l->dialect->name = name_of(l, head, "dialect", false);
    l->dialect->summary = text_of(l, head, "summary");
    l->dialect->unknown_type = text_of(l, head, "unknown_type");
    l->op_cost = read_cost(l, head, 0);
    size_t n;
    const MlcYaml *const *uses = list_of(l, head, "uses", &n);
    for (size_t i = 0; i < n; i++) {
        MlcStr name = mlc_yaml_as_str(uses[i], "");
        mlc_vec_push(&l->uses, name.data);
        if (!l->find(l->user, name))
            mlc_yaml_loader_fail(l, uses[i], "there is no dialect '%s'", name.data);
    }
    static const char *const inlines[] = {"ops", "regions", "calls", NULL};
    const MlcYaml *const *words = list_of(l, head, "inlines", &n);
    for (size_t i = 0; i < n; i++)
        l->dialect->inlines |= (uint8_t)(1U << read_word(l, words[i], inlines, 0));
    const MlcYaml *const *constants = list_of(l, head, "constants", &n);
    const char **names = n ? MLC_NEW_ARRAY(l->arena, const char *, n + 1) : NULL;
    for (size_t i = 0; i < n; i++)
        names[i] = mlc_yaml_as_str(constants[i], "").data;
    l->dialect->constants = names;
    const Hook hooks[] = {{"materialize", &l->dialect->materialize},
                          {"verify_attr", &l->dialect->verify_attr},
                          {"inliner", &l->dialect->inliner}};
    read_hooks(l, head, NULL, NULL, hooks, COUNT(hooks));
}

// The reader's own message has its place in front: "file:line:column: message".
static void
report_syntax(MlcYamlLoader *l, const char *filename, MlcBuf *error)
{
    unsigned line = 1, column = 1;
    int used = 0;
    const char *text = mlc_buf_c_str(error);
    size_t head = strlen(filename);
    if (strncmp(text, filename, head) == 0 &&
        sscanf(text + head, ":%u:%u: %n", &line, &column, &used) == 2)
        text += head + (size_t)used;
    l->num_faults++;
    l->report(l->user, filename, line, column, text);
}

#define SECTIONS "constraints", "enums", "types", "attributes", "ops", "discardable"

const MlcYaml *
mlc_yaml_loader_parse(MlcYamlLoader *l, MlcStr text, const char *filename)
{
    MlcBuf error = {0};
    const MlcYaml *root = mlc_yaml_parse(l->arena, text, filename, &error);
    if (!root)
        report_syntax(l, filename, &error);
    mlc_buf_release(&error);
    return root;
}

// A further file of the dialect, beside the first; NULL after a report.
static const MlcYaml *
read_part(MlcYamlLoader *l, const MlcYaml *name)
{
    MlcStr word = mlc_yaml_as_str(name, "");
    if (!word.size || memchr(word.data, '/', word.size))
        return mlc_yaml_loader_fail(l, name, "expected the name of a file beside this one"), NULL;
    const char *slash = strrchr(l->filename, '/');
    int folder = slash ? (int)(slash + 1 - l->filename) : 0;
    const char *path = mlc_arena_printf(l->arena, "%.*s%s", folder, l->filename, word.data).data;
    MlcBuf error = {0};
    MlcFile file;
    const MlcYaml *root = NULL;
    if (mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error)) {
        root = mlc_yaml_loader_parse(l, mlc_str_n(file.data, file.size), path);
        mlc_file_release(&file);
    } else {
        mlc_yaml_loader_fail(l, name, "%s", mlc_buf_c_str(&error));
    }
    mlc_buf_release(&error);
    if (root)
        mlc_yaml_loader_check_keys(l, root, "further file", KEYS(SECTIONS));
    return root;
}

// `a`, then `b`: a section of two files. A section of one alone is left as it is, whatever it is.
static const MlcYaml *
join_sections(MlcYamlLoader *l, const MlcYaml *a, const MlcYaml *b)
{
    if (!a || !b || mlc_yaml_is_null(b))
        return a ? a : b;
    if (a->kind != b->kind || b->kind == MLC_YAML_SCALAR) {
        mlc_yaml_loader_fail(l, b, "this section has another form in another file");
        return a;
    }
    size_t n = a->num_items + b->num_items;
    const MlcYaml **items = MLC_NEW_ARRAY(l->arena, const MlcYaml *, n);
    const MlcYaml **keys = MLC_NEW_ARRAY(l->arena, const MlcYaml *, n);
    for (size_t i = 0; i < n; i++) {
        const MlcYaml *from = i < a->num_items ? a : b;
        size_t at = i < a->num_items ? i : i - a->num_items;
        items[i] = from->items[at];
        keys[i] = from->kind == MLC_YAML_MAPPING ? from->keys[at] : NULL;
    }
    MlcYaml *all = MLC_NEW(l->arena, MlcYaml);
    *all = *a;
    all->items = items;
    all->keys = keys;
    all->num_items = n;
    return all;
}

// The first file and those that its `files` names, as if they were one.
static const MlcYaml *
join_files(MlcYamlLoader *l, const MlcYaml *root)
{
    static const char *const sections[] = {SECTIONS};
    size_t n, num_sections = COUNT(sections);
    const MlcYaml *const *names = list_of(l, mlc_yaml_get(root, "dialect"), "files", &n);
    if (!n)
        return root;
    MlcYaml *all = MLC_NEW(l->arena, MlcYaml);
    MlcYaml *words = MLC_NEW_ARRAY(l->arena, MlcYaml, num_sections);
    const MlcYaml **keys = MLC_NEW_ARRAY(l->arena, const MlcYaml *, num_sections);
    const MlcYaml **items = MLC_NEW_ARRAY(l->arena, const MlcYaml *, num_sections);
    for (size_t i = 0; i < num_sections; i++) {
        words[i] = (MlcYaml){.kind = MLC_YAML_SCALAR, .text = mlc_str(sections[i])};
        keys[i] = &words[i];
        items[i] = mlc_yaml_get(root, sections[i]);
    }
    for (size_t i = 0; i < n; i++) {
        const MlcYaml *part = read_part(l, names[i]);
        for (size_t k = 0; k < num_sections; k++)
            items[k] = join_sections(l, items[k], mlc_yaml_get(part, sections[k]));
    }
    *all = *root;
    all->items = items;
    all->keys = keys;
    all->num_items = num_sections;
    return all;
}

const MlcDialectDef *
mlc_yaml_load(MlcYamlLoader *l, MlcStr text)
{
    mlc_map_init(&l->symbols);
    mlc_map_init(&l->nodes);
    mlc_str_map_init(&l->constraints, NULL);
    l->dialect = MLC_NEW(l->arena, MlcDialectDef);
    const MlcYaml *root = mlc_yaml_loader_parse(l, text, l->filename);
    if (root &&
        mlc_yaml_loader_check_keys(l, root, "dialect file", KEYS("dialect", "package", SECTIONS))) {
        mlc_yaml_check_package(l, mlc_yaml_get(root, "package"));
        read_head(l, root);
        const MlcYaml *head = mlc_yaml_get(root, "dialect");
        root = join_files(l, root);
        read_types_and_attrs(l, root);
        read_ops(l, root);
        check_constants(l, head);
        imply_constants(l, head);
        read_discardable(l, root);
    }
    return l->num_faults ? NULL : l->dialect;
}

void
mlc_yaml_loader_release(MlcYamlLoader *l)
{
    mlc_map_release(&l->symbols);
    mlc_map_release(&l->nodes);
    mlc_str_map_release(&l->constraints);
    mlc_vec_release(&l->uses);
    mlc_vec_release(&l->types);
    mlc_vec_release(&l->attrs);
    mlc_vec_release(&l->customs);
}

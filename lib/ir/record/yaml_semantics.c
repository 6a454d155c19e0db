// yaml_semantics.c -- `semantics: repeat` and its kin: one table says what follows from a word, and
// which groups and regions an op must have for it.
#include "yaml_semantics.h"

#include "did_you_mean.h"
#include "mlc/ir/rewrite.h"

#define BIT(name) MLC_TRAIT_BIT(name)
enum { MAX_PATTERNS = 2 };

typedef struct Meaning {
    const char *name;
    const char *words; // on pages
    uint64_t traits;
    uint8_t num_ones;     // single operands in front
    bool has_inits;       // then perhaps any number
    const char *operands; // all of that, in words; NULL: any operands
    uint8_t min_regions, max_regions;
    bool has_results;
    const char *eval, *verify, *parse, *print;
    MlcYamlInterface interfaces[MLC_YAML_MAX_INTERFACES];
    struct {
        const char *name, *symbol;
    } patterns[MAX_PATTERNS];
} Meaning;

static const Meaning meanings[MLC_MEANING_COUNT] = {
    [MLC_MEANING_REPEAT] =
        {.name = "repeat",
         .words = "runs its region so many times, on what it yielded the time before",
         .traits = BIT(SINGLE_BLOCK) | BIT(RECURSIVE_MEMORY_EFFECTS) |
                   BIT(RECURSIVELY_SPECULATABLE) | BIT(AUTOMATIC_ALLOCATION_SCOPE),
         .num_ones = 1,
         .has_inits = true,
         .operands = "how often it runs, and any number of first values",
         .min_regions = 1,
         .max_regions = 1,
         .has_results = true,
         .eval = "mlc_semantics_repeat_eval",
         .verify = "mlc_semantics_repeat_verify",
         .interfaces = {{MLC_INTERFACE_REGION_BRANCH, "mlc_derived_loop_branch"},
                        {MLC_INTERFACE_BUFFERIZE, "mlc_semantics_loop_bufferize"}},
         .patterns = {{"of no or one round", "mlc_semantics_repeat_unroll"},
                      {"of values that stay", "mlc_semantics_loop_drop_values"}}},
    [MLC_MEANING_FOR] =
        {.name = "for",
         .words = "runs its region for each index from the first operand up to the second, by the "
                  "third, on what it yielded the time before",
         .traits =
             BIT(SINGLE_BLOCK) | BIT(RECURSIVE_MEMORY_EFFECTS) | BIT(AUTOMATIC_ALLOCATION_SCOPE),
         .num_ones = 3,
         .has_inits = true,
         .operands = "a lower bound, an upper bound, a step, and any number of first values",
         .min_regions = 1,
         .max_regions = 1,
         .has_results = true,
         .eval = "mlc_semantics_for_eval",
         .verify = "mlc_semantics_for_verify",
         .interfaces = {{MLC_INTERFACE_REGION_BRANCH, "mlc_derived_loop_branch"},
                        {MLC_INTERFACE_SPECULATION, "mlc_derived_loop_speculation"},
                        {MLC_INTERFACE_INT_RANGE, "mlc_semantics_for_int_range"},
                        {MLC_INTERFACE_BUFFERIZE, "mlc_semantics_loop_bufferize"}},
         .patterns = {{"of no or one round", "mlc_semantics_for_unroll"},
                      {"of values that stay", "mlc_semantics_loop_drop_values"}}},
    [MLC_MEANING_FOR_EACH] =
        {.name = "for-each",
         .words = "runs its region for each element of its first operand, on what it yielded the "
                  "time before",
         .traits =
             BIT(SINGLE_BLOCK) | BIT(RECURSIVE_MEMORY_EFFECTS) | BIT(AUTOMATIC_ALLOCATION_SCOPE),
         .num_ones = 1,
         .has_inits = true,
         .operands = "what it goes through, and any number of first values",
         .min_regions = 1,
         .max_regions = 1,
         .has_results = true,
         .eval = "mlc_semantics_for_each_eval",
         .verify = "mlc_semantics_for_each_verify",
         .interfaces = {{MLC_INTERFACE_REGION_BRANCH, "mlc_derived_loop_branch"}},
         .patterns = {{"of values that stay", "mlc_semantics_loop_drop_values"}}},
    [MLC_MEANING_IF] =
        {.name = "if",
         .words = "runs its first region where the condition holds, else its second",
         .traits = BIT(SINGLE_BLOCK) | BIT(NO_REGION_ARGUMENTS) | BIT(RECURSIVE_MEMORY_EFFECTS) |
                   BIT(RECURSIVELY_SPECULATABLE),
         .num_ones = 1,
         .operands = "a condition, and nothing else",
         .min_regions = 1,
         .max_regions = 2,
         .has_results = true,
         .eval = "mlc_semantics_if_eval",
         .verify = "mlc_semantics_if_verify",
         .interfaces = {{MLC_INTERFACE_REGION_BRANCH, "mlc_semantics_if_region_branch"},
                        {MLC_INTERFACE_BUFFERIZE, "mlc_semantics_if_bufferize"}},
         .patterns = {{"of a condition that is known", "mlc_semantics_if_take_branch"}}},
    [MLC_MEANING_YIELD] =
        {.name = "yield",
         .words = "ends a region with what it gives to the op around it, to its next round, or to "
                  "who called it",
         .traits = MLC_TRAITS_PURE | BIT(TERMINATOR) | BIT(RETURN_LIKE),
         .interfaces = {{MLC_INTERFACE_REGION_TERMINATOR, "mlc_derived_region_terminator"},
                        {MLC_INTERFACE_BUFFERIZE, "mlc_semantics_yield_bufferize"}}},
    [MLC_MEANING_CALL] = {.name = "call",
                          .words = "calls the function `callee`",
                          .has_results = true,
                          .eval = "mlc_semantics_call_eval",
                          .interfaces = {{MLC_INTERFACE_CALL, "mlc_semantics_call"},
                                         {MLC_INTERFACE_SYMBOL_USER,
                                          "mlc_semantics_call_symbol_user"}}},
    [MLC_MEANING_FUNCTION] =
        {.name = "function",
         .words = "a function: a name, a type, and a body unless it is declared only",
         .traits =
             BIT(AFFINE_SCOPE) | BIT(AUTOMATIC_ALLOCATION_SCOPE) | BIT(ISOLATED) | BIT(SYMBOL),
         .operands = "none",
         .min_regions = 1,
         .max_regions = 1,
         .verify = "mlc_semantics_function_verify",
         .parse = "mlc_semantics_function_parse",
         .print = "mlc_semantics_function_print",
         .interfaces = {{MLC_INTERFACE_FUNCTION, "mlc_semantics_function"},
                        {MLC_INTERFACE_CALLABLE, "mlc_derived_callable"}}},
};

static const Meaning *
meaning_of(const MlcSemantics *s)
{
    return &meanings[s->meaning];
}

const char *
mlc_yaml_semantics_words(const MlcSemantics *s)
{
    return meaning_of(s)->words;
}

static bool
fits_operands(const Meaning *m, const MlcOpDef *op)
{
    size_t n = op->num_operands, most = (size_t)m->num_ones + m->has_inits;
    if (!m->operands)
        return true;
    for (size_t i = 0; i < n && i < m->num_ones; i++)
        if (op->operands[i].arity != MLC_ONE)
            return false;
    return n >= m->num_ones && n <= most &&
           (n == m->num_ones || op->operands[m->num_ones].arity == MLC_VARIADIC);
}

// One block each; the second of two may be missing.
static void
shape_regions(const Meaning *m, MlcOpDef *op)
{
    MlcRegionDef *regions = (MlcRegionDef *)op->regions;
    for (size_t i = 0; i < op->num_regions && m->traits & BIT(SINGLE_BLOCK); i++)
        if (regions[i].shape == MLC_REGION_ANY)
            regions[i].shape = i ? MLC_REGION_MAX_1 : MLC_REGION_SIZED_1;
}

static void
check_shape(MlcYamlLoader *l, const MlcYaml *at, const Meaning *m, const MlcOpDef *op)
{
    if (!fits_operands(m, op))
        mlc_yaml_loader_fail(l, at, "the operands of '%s' are %s", m->name, m->operands);
    if (op->num_results && !m->has_results)
        mlc_yaml_loader_fail(l, at, "'%s' has no results", m->name);
    bool ok = op->num_regions >= m->min_regions && op->num_regions <= m->max_regions;
    for (size_t i = 0; i < op->num_regions; i++)
        ok = ok && op->regions[i].arity == MLC_ONE;
    if (!ok && m->min_regions == m->max_regions)
        mlc_yaml_loader_fail(l, at, "'%s' has %s", m->name,
                             m->max_regions ? "one region" : "no regions");
    else if (!ok)
        mlc_yaml_loader_fail(l, at, "'%s' has one region, or two", m->name);
    if (ok && op->num_results && op->num_regions < m->max_regions)
        mlc_yaml_loader_fail(l, at, "'%s' with results has two regions", m->name);
    if (op->num_successors)
        mlc_yaml_loader_fail(l, at, "'%s' has no successors", m->name);
}

// Bounds and first values, as `loop` would say them.
static void
tell_loop(MlcYamlLoader *l, const Meaning *m, MlcOpDef *op)
{
    MlcLoopDef *loop = MLC_NEW(l->arena, MlcLoopDef);
    if (m->num_ones == 3)
        *loop = (MlcLoopDef){.lower = {.operands = 1}, .upper = {.operands = 2}, .step = {3, 0}};
    loop->inits = op->num_operands > m->num_ones ? (uint8_t)(m->num_ones + 1) : 0;
    op->loop = loop;
}

const MlcSemantics *
mlc_yaml_read_semantics(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    const MlcYaml *word = mlc_yaml_get(node, "semantics");
    size_t i = 0, faults = l->num_faults;
    if (!word)
        return NULL;
    while (i < MLC_MEANING_COUNT &&
           !mlc_str_equal(mlc_yaml_as_str(word, ""), mlc_str(meanings[i].name)))
        i++;
    if (i == MLC_MEANING_COUNT) {
        MlcNames names = {0};
        for (i = 0; i < MLC_MEANING_COUNT; i++)
            mlc_vec_push(&names, mlc_str(meanings[i].name));
        mlc_yaml_loader_fail(l, word, "unknown semantics '%s'%s", mlc_yaml_as_str(word, "").data,
                             mlc_did_you_mean(l->arena, mlc_yaml_as_str(word, ""), &names));
        return NULL;
    }
    const Meaning *m = &meanings[i];
    static const char *const others[] = {"loop", "access", "structured", "body", "lowers_to"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (mlc_yaml_get(node, others[k]))
            mlc_yaml_loader_fail(l, mlc_yaml_get(node, others[k]),
                                 "'%s' says it all: there is no '%s' beside it", m->name,
                                 others[k]);
    if (i == MLC_MEANING_FUNCTION && !mlc_yaml_get(node, "regions")) {
        MlcRegionDef *body = MLC_NEW(l->arena, MlcRegionDef);
        body->name = "body";
        op->regions = body;
        op->num_regions = 1;
    }
    check_shape(l, word, m, op);
    if (l->num_faults > faults)
        return NULL;
    op->traits |= m->traits;
    shape_regions(m, op);
    if (m->has_inits)
        tell_loop(l, m, op);
    if (i == MLC_MEANING_FOR_EACH)
        ((MlcValueDef *)op->operands)[0].effects |= MLC_EFFECT_READ;
    MlcSemantics *s = MLC_NEW(l->arena, MlcSemantics);
    s->meaning = (uint8_t)i;
    return s;
}

size_t
mlc_yaml_semantics_attrs(MlcYamlLoader *l, const MlcSemantics *s, MlcAttrSlot *slots)
{
    static const struct {
        const char *name, *constraint;
        bool optional;
    } of_function[] = {{"sym_name", "symbol_name", false},
                       {"function_type", "function_type_attr", false},
                       {"sym_visibility", "string_attr", true},
                       {"arg_attrs", "dict_array", true},
                       {"res_attrs", "dict_array", true}};
    size_t n =
        s && s->meaning == MLC_MEANING_FUNCTION ? sizeof of_function / sizeof *of_function : 0;
    for (size_t i = 0; i < n; i++)
        slots[i] = (MlcAttrSlot){
            .name = of_function[i].name,
            .constraint = mlc_yaml_loader_builtin_constraint(l, of_function[i].constraint),
            .optional = of_function[i].optional};
    if (!s || s->meaning != MLC_MEANING_CALL)
        return n;
    slots[0] = (MlcAttrSlot){
        .name = "callee", .constraint = mlc_yaml_loader_builtin_constraint(l, "flat_symbol_ref")};
    return 1;
}

const MlcYamlInterface *
mlc_yaml_semantics_interfaces(const MlcSemantics *s, size_t *n)
{
    *n = 0;
    while (s && *n < MLC_YAML_MAX_INTERFACES && meaning_of(s)->interfaces[*n].symbol)
        ++*n;
    return s ? meaning_of(s)->interfaces : NULL;
}

static void
want(MlcYamlLoader *l, const void *slot, const char *symbol)
{
    if (symbol && !mlc_map_has(&l->symbols, slot))
        mlc_yaml_loader_want(l, NULL, slot, symbol);
}

void
mlc_yaml_semantics_hooks(MlcYamlLoader *l, const MlcYaml *node, const MlcSemantics *s, MlcOpDef *op)
{
    if (!s)
        return;
    const Meaning *m = meaning_of(s);
    if (m->verify && mlc_map_has(&l->symbols, &op->verify_regions))
        mlc_yaml_loader_fail(l, mlc_yaml_get(node, "hooks"),
                             "'verify_regions' is what '%s' has itself", m->name);
    bool has_format = mlc_yaml_get(node, "format") != NULL;
    want(l, &op->verify_regions, m->verify);
    want(l, &op->eval, m->eval);
    want(l, &op->parse, has_format ? NULL : m->parse);
    want(l, &op->print, has_format ? NULL : m->print);
    if (op->canonical || !m->patterns[0].name)
        return;
    MlcPattern *patterns = MLC_NEW_ARRAY(l->arena, MlcPattern, MAX_PATTERNS);
    for (; op->num_canonical < MAX_PATTERNS && m->patterns[op->num_canonical].name;
         op->num_canonical++) {
        MlcPattern *p = &patterns[op->num_canonical];
        const char *name = m->patterns[op->num_canonical].name;
        *p = (MlcPattern){.name = mlc_arena_printf(l->arena, "%s: %s", op->name, name).data,
                          .root = op->name,
                          .benefit = 1};
        want(l, &p->rewrite, m->patterns[op->num_canonical].symbol);
    }
    op->canonical = patterns;
}

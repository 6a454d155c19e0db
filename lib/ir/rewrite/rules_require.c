// rules_require.c -- `require` of an op in YAML: conditions in the language of guards, over the
// op's own operands, results and attributes.
//
// A requirement is a rule without a pattern: its guard is the condition, and its result lists what
// is said where it does not hold, text and values in turn. mlc-gen runs the same code.
#include "record/yaml_loader.h"
#include "rules_impl.h"

typedef struct Source { // what stands in one node
    MlcYamlLoader *loader;
    const MlcYaml *node;
} Source;

static void
report(void *user, const char *filename, unsigned line, unsigned column, const char *message)
{
    MlcYamlLoader *l = ((const Source *)user)->loader;
    l->num_faults++;
    l->report(l->user, filename, line, column, message);
}

static const MlcDialectDef *
find(void *user, MlcStr name)
{
    MlcYamlLoader *l = ((const Source *)user)->loader;
    return l->find(l->user, name);
}

// Types are read when the dialect's own are known.
static bool
keep_type(void *user, const char *text, MlcBuf *error)
{
    (void)error;
    const Source *source = user;
    mlc_vec_push(&source->loader->types, ((struct MlcYamlText){text, source->node}));
    return true;
}

// The expression at `at` characters of the node's text; NULL after reports. `term`: as it was read.
static MlcRuleExpr *
compile(RuleBuild *b, const Source *source, size_t at, MlcStr text, RuleTerm **term)
{
    const MlcYaml *node = source->node;
    MlcRulesCompiler *c = b->compiler;
    *c = (MlcRulesCompiler){.parse = {.arena = source->loader->arena,
                                      .report = report,
                                      .user = (void *)(uintptr_t)source,
                                      .filename = node->filename,
                                      .is_expression = true,
                                      .line = node->line,
                                      .column = node->column + node->quoted + (unsigned)at},
                            .find = find,
                            .is_type = keep_type,
                            .function = source->loader->function};
    b->is_guard = true;
    MlcRuleExpr *e = rules_parse(&c->parse, text) ? rules_expression(b, c->parse.expression) : NULL;
    *term = c->parse.expression;
    return e;
}

// A literal brace is doubled. Copies to `out` up to a single brace or the end; how far that is.
static size_t
copy_text(MlcStr text, size_t at, MlcBuf *out)
{
    while (at < text.size) {
        char c = text.data[at];
        bool is_brace = c == '{' || c == '}';
        if (is_brace && (at + 1 == text.size || text.data[at + 1] != c))
            break;
        mlc_buf_append_char(out, c);
        at += is_brace ? 2 : 1;
    }
    return at;
}

typedef MLC_VEC(const MlcRuleExpr *) Parts;

static void
push_text(const Source *source, MlcBuf *text, Parts *parts)
{
    MlcRuleExpr *e = MLC_NEW(source->loader->arena, MlcRuleExpr);
    e->kind = MLC_RULE_TEXT;
    e->text = mlc_arena_strdup(source->loader->arena, mlc_buf_str(text)).data;
    if (text->size)
        mlc_vec_push(parts, e);
    mlc_buf_release(text);
}

// What a message says between the braces.
static bool
push_value(RuleBuild *b, const Source *source, const RuleText *rule, size_t at, MlcStr text,
           Parts *parts)
{
    RuleTerm *term;
    const MlcRuleExpr *e = compile(b, source, at, text, &term);
    if (!e || !rules_check_said(b, rule, term, e))
        return false;
    mlc_vec_push(parts, e);
    return true;
}

// "inner sizes differ: {dim(lhs, 1)} and {dim(rhs, 0)}"
static bool
compile_message(RuleBuild *b, const Source *source, const RuleText *rule, Parts *parts)
{
    MlcStr text = source->node->text;
    for (size_t at = 0; at < text.size;) {
        MlcBuf words = {0};
        at = copy_text(text, at, &words);
        push_text(source, &words, parts);
        if (at == text.size)
            break;
        const char *from = text.data + at + 1, *end = memchr(text.data + at, '}', text.size - at);
        if (text.data[at] == '}' || !end)
            return mlc_yaml_loader_fail(source->loader, source->node,
                                        "'%c' at character %zu of the message has no other half",
                                        text.data[at], at + 1);
        if (!push_value(b, source, rule, at + 1, mlc_str_n(from, (size_t)(end - from)), parts))
            return false;
        at = (size_t)(end - text.data) + 1;
    }
    return true;
}

static MlcRuleExpr *
list_of(MlcArena *arena, const Parts *parts)
{
    MlcRuleExpr *list = MLC_NEW(arena, MlcRuleExpr);
    const MlcRuleExpr **args = MLC_NEW_ARRAY(arena, const MlcRuleExpr *, parts->size + 1);
    if (parts->size)
        memcpy(args, parts->data, parts->size * sizeof *args);
    list->kind = MLC_RULE_TUPLE;
    list->args = args;
    list->num_args = (uint8_t)parts->size;
    return list;
}

const MlcRule *
mlc_rules_requirement(MlcYamlLoader *l, const MlcOpDef *op, const MlcYaml *condition,
                      const MlcYaml *message)
{
    MlcRulesCompiler compiler;
    RuleBuild b = {.compiler = &compiler, .of = op};
    RuleTerm pattern = {.kind = RULE_APPLY, .op = op}, *term;
    RuleText text = {.pattern = &pattern};
    Parts parts = {0};
    MlcRule *rule = MLC_NEW(l->arena, MlcRule);
    rule->name = condition->text.data;
    Source source = {l, condition};
    rule->guard = compile(&b, &source, 0, condition->text, &term);
    bool ok = rule->guard && rules_check_guard(&b, &text, term, rule->guard);
    source.node = message;
    if (message)
        ok = compile_message(&b, &source, &text, &parts) && ok;
    if (ok && parts.size > UINT8_MAX)
        ok = mlc_yaml_loader_fail(l, message, "the message has more than %d parts", UINT8_MAX);
    if (ok && b.vars.size > MLC_RULE_MAX_VARS)
        ok = mlc_yaml_loader_fail(l, condition, "more than %d names", MLC_RULE_MAX_VARS);
    if (message && ok)
        rule->result = list_of(l->arena, &parts);
    MlcRuleVar *vars = MLC_NEW_ARRAY(l->arena, MlcRuleVar, b.vars.size + 1);
    if (b.vars.size)
        memcpy(vars, b.vars.data, b.vars.size * sizeof *vars);
    rule->vars = vars;
    rule->num_vars = (uint8_t)b.vars.size;
    mlc_vec_release(&parts);
    mlc_vec_release(&b.vars);
    return ok ? rule : NULL;
}

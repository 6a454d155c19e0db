// load_rules.c -- `--load-rules`: rules into tables that live as long as the context. Native
// functions are those of rules everywhere, which are exported, and those that plugins and the
// program have registered, as hooks of loaded dialects are.
#include <dlfcn.h>

#include "context/context_impl.h"
#include "mlc/ir/loc.h"
#include "mlc/support/file.h"
#include "record/hooks.h"
#include "rules_compile.h"

static MlcRuleFunction
find_function(const char *symbol)
{
    const MlcHook *hook = mlc_hook_find(symbol);
    if (hook)
        return (MlcRuleFunction)hook->function;
    bool is_common = strncmp(symbol, "mlc_rule_", 9) == 0;
    void *address = is_common ? dlsym(RTLD_DEFAULT, symbol) : NULL;
    MlcRuleFunction function;
    memcpy(&function, &address, sizeof function);
    return function;
}

// Of a dialect that is compiled.
static const MlcDialectMore *
more_of(const MlcDialectDef *dialect)
{
    const MlcDialectMore *more = dialect->more;
    return more && MLC_FIELD(more, num_lowerings) ? more : NULL;
}

static const MlcRuleSet *
find_compiled(MlcContext *ctx, MlcStr name)
{
    for (size_t d = 0; d < mlc_context_num_dialects(ctx); d++) {
        const MlcDialectMore *more = more_of(mlc_context_dialect_at(ctx, d));
        for (size_t i = 0; more && i < more->num_lowerings; i++)
            if (mlc_str_equal(mlc_str(more->lowerings[i].name), name))
                return &more->lowerings[i];
    }
    return NULL;
}

const MlcRuleSet *
mlc_rule_set_find(MlcContext *ctx, MlcStr name)
{
    for (const struct MlcLoaded *l = ctx->loaded; l; l = l->next)
        for (size_t i = 0; i < l->num_sets; i++)
            if (mlc_str_equal(mlc_str(l->sets[i].name), name))
                return &l->sets[i];
    return find_compiled(ctx, name);
}

// The i-th of those compiled outside of mlc; without `set` only how many there are.
static size_t
compiled_sets(const MlcContext *ctx, size_t i, const MlcRuleSet **set)
{
    size_t n = 0;
    for (size_t d = 0; d < mlc_context_num_dialects(ctx); d++) {
        const MlcDialectMore *more = more_of(mlc_context_dialect_at(ctx, d));
        if (!more || !MLC_FIELD(more, is_outside))
            continue;
        if (set && i >= n && i - n < more->num_lowerings)
            *set = &more->lowerings[i - n];
        n += more->num_lowerings;
    }
    return n;
}

size_t
mlc_num_rule_sets(const MlcContext *ctx)
{
    size_t num_sets = compiled_sets(ctx, 0, NULL);
    for (const struct MlcLoaded *l = ctx->loaded; l; l = l->next)
        num_sets += l->num_sets;
    return num_sets;
}

const MlcRuleSet *
mlc_rule_set_at(const MlcContext *ctx, size_t i)
{
    const MlcRuleSet *set = NULL;
    size_t end = mlc_num_rule_sets(ctx); // what was read last stands first
    for (const struct MlcLoaded *l = ctx->loaded; l; l = l->next) {
        end -= l->num_sets;
        if (i >= end)
            return &l->sets[i - end];
    }
    compiled_sets(ctx, i, &set);
    return set;
}

// Lowerings go by name, wherever they stand.
static bool
are_new(MlcContext *ctx, MlcRulesCompiler *c)
{
    for (size_t i = 0; i < c->parse.sets.size; i++) {
        const RuleSetText *set = c->parse.sets.data[i];
        if (mlc_rule_set_find(ctx, set->name))
            return rules_fail(&c->parse, set->line, set->column,
                              "another file has a lowering '%s' already", set->name.data);
    }
    return true;
}

// `name` is what messages call the text.
static bool
load(MlcContext *ctx, MlcStr text, const char *name)
{
    struct MlcLoaded *loaded = mlc_context_loaded_create(ctx);
    MlcRulesCompiler compiler = {
        .parse = {.arena = &loaded->arena,
                  .report = mlc_loader_report,
                  .user = ctx,
                  .filename = mlc_arena_strdup(&loaded->arena, mlc_str(name)).data},
        .find = mlc_loader_find_dialect,
        .is_type = mlc_loader_is_type,
        .is_attr = mlc_loader_is_attr,
        .function = find_function};
    bool ok = mlc_rules_compile(&compiler, text) && are_new(ctx, &compiler);
    if (ok) {
        const MlcRuleTable **tables =
            MLC_NEW_ARRAY(&loaded->arena, const MlcRuleTable *, compiler.tables.size + 1);
        for (size_t i = 0; i < compiler.tables.size; i++)
            tables[i] = compiler.tables.data[i];
        loaded->rules = tables;
        loaded->num_rules = compiler.tables.size;
        MlcRuleSet *sets = MLC_NEW_ARRAY(&loaded->arena, MlcRuleSet, compiler.sets.size + 1);
        for (size_t i = 0; i < compiler.sets.size; i++)
            sets[i] = compiler.sets.data[i];
        loaded->sets = sets;
        loaded->num_sets = compiler.sets.size;
    }
    mlc_rules_compiler_release(&compiler);
    return ok;
}

bool
mlc_load_rules_text(MlcContext *ctx, MlcStr text, const char *name)
{
    return mlc_loader_load_text(ctx, text, name, load, MLC_EXTENSION_RULES);
}

bool
mlc_load_rules(MlcContext *ctx, const char *path)
{
    return mlc_loader_load_file(ctx, path, load, MLC_EXTENSION_RULES);
}

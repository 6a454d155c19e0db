// load_rules.c -- `--load-rules`: rules into tables that live as long as the context. Native
// functions are found among the symbols of the process, as hooks of loaded dialects are.
#include <dlfcn.h>

#include "context/context_impl.h"
#include "mlc/ir/loc.h"
#include "mlc/support/file.h"
#include "rules_compile.h"

static MlcRuleFunction
find_function(const char *symbol)
{
    void *address = dlsym(RTLD_DEFAULT, symbol);
    MlcRuleFunction function;
    memcpy(&function, &address, sizeof function);
    return function;
}

bool
mlc_load_rules(MlcContext *ctx, const char *path)
{
    MlcFile file;
    if (!mlc_loader_open(ctx, path, &file))
        return false;
    struct MlcLoaded *loaded = mlc_context_loaded_create(ctx);
    MlcRulesCompiler compiler = {
        .parse = {.arena = &loaded->arena,
                  .report = mlc_loader_report,
                  .user = ctx,
                  .filename = mlc_arena_strdup(&loaded->arena, mlc_str(path)).data},
        .find = mlc_loader_find_dialect,
        .function = find_function};
    bool ok = mlc_rules_compile(&compiler, mlc_str_n(file.data, file.size));
    if (ok) {
        const MlcRuleTable **tables =
            MLC_NEW_ARRAY(&loaded->arena, const MlcRuleTable *, compiler.tables.size + 1);
        for (size_t i = 0; i < compiler.tables.size; i++)
            tables[i] = compiler.tables.data[i];
        loaded->rules = tables;
        loaded->num_rules = compiler.tables.size;
    }
    mlc_rules_compiler_release(&compiler);
    mlc_file_release(&file);
    return ok;
}

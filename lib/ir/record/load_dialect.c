// load_dialect.c -- `--load-dialect`: a dialect's YAML into records that live as long as the
// context.
//
// Functions and vtables that the YAML names are those that plugins and the program have registered
// (mlc/ir/hook.h). What follows from its words (`interface: derived`) is libmlc's own, exported so
// that this room need not know the dialects'.
#include <dlfcn.h>

#include "context/context_impl.h"
#include "check_dialect.h"
#include "hooks.h"
#include "mlc/dialects.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/rule.h"
#include "mlc/support/file.h"
#include "yaml_loader.h"
#include "yaml_reference.h"

const MlcDialectDef *
mlc_loader_find_dialect(void *user, MlcStr name)
{
    return mlc_context_dialect(user, name);
}

void
mlc_loader_report(void *user, const char *filename, unsigned line, unsigned column,
                  const char *message)
{
    mlc_error(user, mlc_loc_file(user, mlc_str(filename), line, column), "%s", message);
}

static MlcLoc
loc_of(MlcContext *ctx, const MlcYamlLoader *loader, const MlcYaml *node)
{
    return node ? mlc_loc_file(ctx, mlc_str(node->filename), node->line, node->column)
                : mlc_loc_file(ctx, mlc_str(loader->filename), 1, 1);
}

// Whether it is one that the dialect's plugin or program has for it: any other function is not
// made to be called so.
static bool
is_own_symbol(const MlcYamlLoader *loader, const char *name)
{
    size_t n = strlen(loader->dialect->name);
    return strncmp(name, "mlc_", 4) == 0 && strncmp(name + 4, loader->dialect->name, n) == 0 &&
           name[4 + n] == '_';
}

// A function's or a vtable's.
static const void *
find_hook(const char *name)
{
    const MlcHook *hook = mlc_hook_find(name);
    const void *address = hook ? hook->table : NULL;
    if (hook && hook->function)
        memcpy(&address, &hook->function, sizeof address);
    return address;
}

// Fills every slot that wants a function or a vtable; a slot holds one pointer, whatever its type.
static bool
resolve_symbols(MlcContext *ctx, MlcYamlLoader *loader)
{
    bool ok = true;
    MLC_MAP_FOR_EACH (entry, &loader->symbols) {
        const char *name = mlc_map_entry_value(entry);
        const MlcYaml *node = mlc_map_get(&loader->nodes, mlc_map_entry_key(entry));
        if (node && !is_own_symbol(loader, name)) {
            ok = mlc_error(ctx, loc_of(ctx, loader, node),
                           "'%s' is no function of this dialect: their names begin with 'mlc_%s_'",
                           name, loader->dialect->name);
            continue;
        }
        const void *address = node ? find_hook(name) : dlsym(RTLD_DEFAULT, name);
        if (!address)
            ok = mlc_error(ctx, loc_of(ctx, loader, node),
                           "no plugin defines '%s', which the dialect names", name);
        memcpy(mlc_map_entry_key(entry), &address, sizeof address);
    }
    return ok;
}

bool
mlc_loader_open(MlcContext *ctx, const char *path, MlcFile *file)
{
    MlcBuf error = {0};
    bool ok = mlc_file_open(file, path, MLC_FILE_READ_ONLY, &error) ||
              mlc_error(ctx, mlc_loc_unknown(ctx), "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

struct MlcLoaded *
mlc_context_loaded_create(MlcContext *ctx)
{
    struct MlcLoaded *loaded = mlc_calloc(1, sizeof *loaded);
    pthread_mutex_lock(&ctx->lock);
    loaded->next = ctx->loaded;
    ctx->loaded = loaded;
    pthread_mutex_unlock(&ctx->lock);
    return loaded;
}

// Registered, its texts are read; what is wrong is not there.
static bool
add_dialect(MlcContext *ctx, MlcYamlLoader *loader)
{
    const MlcDialectDef *dialect = loader->dialect;
    if (mlc_context_dialect(ctx, mlc_str(dialect->name)))
        return mlc_error(ctx, loc_of(ctx, loader, mlc_map_get(&loader->nodes, dialect)),
                         "dialect '%s' is already registered", dialect->name);
    if (!mlc_context_register_dialect(ctx, dialect))
        return false;
    bool ok = mlc_check_dialect(ctx, loader, dialect);
    if (!ok)
        mlc_context_drop_dialect(ctx, dialect);
    return ok;
}

// What extensions read from memory are remembered by: no file's name.
static const char *
memory_name(MlcContext *ctx, const char *name)
{
    size_t size = sizeof "<memory>/" + strlen(name);
    char *path = mlc_context_alloc(ctx, size, 1);
    snprintf(path, size, "<memory>/%s", name);
    return path;
}

static MlcRuleFunction
find_function(const char *symbol)
{
    void *address = dlsym(RTLD_DEFAULT, symbol);
    MlcRuleFunction function;
    memcpy(&function, &address, sizeof function);
    return function;
}

// `name` is what messages call the text.
static MlcYamlLoader
loader_for(MlcContext *ctx, const char *name)
{
    MlcArena *arena = &mlc_context_loaded_create(ctx)->arena;
    return (MlcYamlLoader){.arena = arena,
                           .filename = mlc_arena_strdup(arena, mlc_str(name)).data,
                           .find = mlc_loader_find_dialect,
                           .report = mlc_loader_report,
                           .user = ctx,
                           .requirement = ctx->text->requirement,
                           .function = find_function};
}

bool
mlc_define_dialect(MlcContext *ctx, MlcStr text, const char *name)
{
    MlcYamlLoader loader = loader_for(ctx, name);
    const MlcDialectDef *dialect = mlc_yaml_load(&loader, text);
    bool ok = dialect && resolve_symbols(ctx, &loader) && add_dialect(ctx, &loader);
    mlc_yaml_loader_release(&loader);
    return ok;
}

bool
mlc_loader_load_text(MlcContext *ctx, MlcStr text, const char *name, MlcLoaderDefine define,
                     MlcExtensionKind kind)
{
    bool ok = define(ctx, text, name);
    if (ok)
        mlc_context_add_extension(ctx, kind, memory_name(ctx, name));
    return ok;
}

bool
mlc_loader_load_file(MlcContext *ctx, const char *path, MlcLoaderDefine define,
                     MlcExtensionKind kind)
{
    MlcFile file;
    if (!mlc_loader_open(ctx, path, &file))
        return false;
    bool ok = define(ctx, mlc_str_n(file.data, file.size), path);
    mlc_file_release(&file);
    if (ok)
        mlc_context_add_extension(ctx, kind, path);
    return ok;
}

bool
mlc_load_dialect_text(MlcContext *ctx, MlcStr text, const char *name)
{
    return mlc_loader_load_text(ctx, text, name, mlc_define_dialect, MLC_EXTENSION_DIALECT);
}

bool
mlc_load_dialect(MlcContext *ctx, const char *path)
{
    return mlc_loader_load_file(ctx, path, mlc_define_dialect, MLC_EXTENSION_DIALECT);
}

typedef struct Referred {
    MlcContext *ctx;
    const char *(*passes)(void *user, const MlcOpDef *op);
    void *user;
} Referred;

// Of those that are loaded.
static bool
has_rules(void *user, const MlcOpDef *op)
{
    for (const struct MlcLoaded *l = ((const Referred *)user)->ctx->loaded; l; l = l->next)
        for (size_t i = 0; i < l->num_rules; i++)
            if (strcmp(l->rules[i]->op->name, op->name) == 0)
                return true;
    return false;
}

static const char *
passes_of(void *user, const MlcOpDef *op)
{
    const Referred *referred = user;
    return referred->passes ? referred->passes(referred->user, op) : NULL;
}

bool
mlc_dialect_reference(MlcContext *ctx, const char *path,
                      const char *(*passes)(void *user, const MlcOpDef *op), void *user,
                      MlcBuf *out)
{
    MlcFile file;
    if (!mlc_loader_open(ctx, path, &file))
        return false;
    MlcYamlLoader loader = loader_for(ctx, path);
    Referred referred = {ctx, passes, user};
    MlcReference reference = {.loader = &loader,
                              .has_rules = has_rules,
                              .passes = passes_of,
                              .user = &referred,
                              .dialect = mlc_yaml_load(&loader, mlc_str_n(file.data, file.size))};
    if (reference.dialect)
        mlc_yaml_reference(&reference, out);
    mlc_yaml_loader_release(&loader);
    mlc_file_release(&file);
    return reference.dialect != NULL;
}

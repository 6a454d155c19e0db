// extensions.c -- plugins, whose functions dialects name; packages; dialects, which rules name;
// each kind in the order given.
#include "extensions.h"

#include "tool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "mlc/dialects.h"
#include "mlc/frontend/irdl.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/rule.h"
#include "mlc/plugin.h"
#include "mlc/support/buf.h"

// The value of --FLAG=VALUE or --FLAG VALUE at `*i`; NULL: it is something else.
static const char *
argument_of(const char *flag, char **argv, int *i)
{
    const char *arg = argv[*i] + strspn(argv[*i], "-");
    if (arg == argv[*i] || strncmp(arg, flag, strlen(flag)) != 0)
        return NULL;
    arg += strlen(flag);
    if (*arg == '=')
        return arg + 1;
    return *arg == 0 ? argv[++*i] : NULL;
}

static bool
open_plugin(const char *path)
{
    MlcBuf error = {0};
    bool ok = mlc_plugin_open(path, &error) || tool_error("%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

// Those that a package names.
static bool
open_package_plugins(MlcContext *ctx, const char *path)
{
    MlcPackage *package = mlc_package_read(ctx, path);
    MlcBuf error = {0};
    bool ok = package != NULL;
    for (size_t i = 0; ok && i < mlc_package_size(package); i++) {
        const MlcExtension *part = mlc_package_at(package, i);
        if (part->kind == MLC_EXTENSION_PLUGIN && !mlc_plugin_open(part->path, &error))
            ok = mlc_error(ctx, part->loc, "%s", mlc_buf_c_str(&error));
    }
    mlc_buf_release(&error);
    mlc_package_destroy(package);
    return ok;
}

bool
extensions_open_plugins(char **argv)
{
    MlcContext *ctx = mlc_context_create(); // for messages
    bool ok = true;
    for (int i = 1; argv[i] && ok; i++) {
        const char *plugin = argument_of("load-plugin", argv, &i);
        const char *package = plugin || !argv[i] ? NULL : argument_of("load", argv, &i);
        ok = (!plugin || open_plugin(plugin)) && (!package || open_package_plugins(ctx, package));
        if (!argv[i])
            break;
    }
    mlc_context_destroy(ctx);
    return ok;
}

bool
extensions_are_given(const Extensions *extensions)
{
    return extensions->packages.size + extensions->plugins.size + extensions->dialects.size +
               extensions->irdl.size + extensions->rules.size >
           0;
}

static bool
load_plugin(MlcContext *ctx, const char *path)
{
    MlcBuf error = {0};
    const MlcPlugin *plugin = mlc_plugin_open(path, &error);
    bool ok = plugin ? mlc_context_has_extension(ctx, MLC_EXTENSION_PLUGIN, path) ||
                           mlc_plugin_load(plugin, ctx)
                     : mlc_error(ctx, mlc_loc_unknown(ctx), "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

bool
extensions_load(const Extensions *extensions, MlcContext *ctx)
{
    const struct {
        const MlcStrVec *paths;
        bool (*load)(MlcContext *ctx, const char *path);
    } kinds[] = {{&extensions->plugins, load_plugin},
                 {&extensions->packages, mlc_load_package},
                 {&extensions->dialects, mlc_load_dialect},
                 {&extensions->irdl, mlc_load_irdl},
                 {&extensions->rules, mlc_load_rules}};
    mlc_context_set_irdl_loader(ctx, mlc_load_irdl);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < kinds[k].paths->size; i++)
            if (!kinds[k].load(ctx, kinds[k].paths->data[i].data))
                return false;
    return true;
}

static void
append_options(MlcBuf *out, const char *option, const MlcStrVec *paths)
{
    for (size_t i = 0; i < paths->size; i++) {
        char whole[PATH_MAX];
        const char *path = paths->data[i].data, *at = realpath(path, whole) ? whole : path;
        mlc_buf_printf(out, " %s='", option);
        for (; *at; at++)
            if (*at == '\'')
                mlc_buf_append_c(out, "'\\''");
            else
                mlc_buf_append_char(out, *at);
        mlc_buf_append_char(out, '\'');
    }
}

void
extensions_append(const Extensions *extensions, MlcBuf *out)
{
    append_options(out, "--load", &extensions->packages);
    append_options(out, "--load-plugin", &extensions->plugins);
    append_options(out, "--load-dialect", &extensions->dialects);
    append_options(out, "--irdl-file", &extensions->irdl);
    append_options(out, "--load-rules", &extensions->rules);
}

void
extensions_release(Extensions *extensions)
{
    mlc_vec_release(&extensions->packages);
    mlc_vec_release(&extensions->plugins);
    mlc_vec_release(&extensions->dialects);
    mlc_vec_release(&extensions->irdl);
    mlc_vec_release(&extensions->rules);
}

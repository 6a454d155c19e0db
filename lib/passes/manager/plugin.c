// plugin.c -- opens shared objects that bring passes and dialects.
#include "mlc/plugin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mlc/dialects.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/rule.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct Open {
    const MlcPlugin *plugin;
    const char *path; // as it was first opened
} Open;
static MLC_VEC(Open) open_plugins; // never shrinks; lives as long as the process

static bool
is_open(const MlcPlugin *plugin)
{
    for (size_t i = 0; i < open_plugins.size; i++)
        if (open_plugins.data[i].plugin == plugin)
            return true;
    return false;
}

static bool
refuse(MlcBuf *error, const char *path, const char *why)
{
    mlc_buf_printf(error, "%s: %s", path, why);
    return false;
}

static bool
is_taken(const char *name, const char *path, MlcBuf *error)
{
    const char *kind = mlc_pass_find(mlc_str(name))       ? "pass"
                       : mlc_pipeline_find(mlc_str(name)) ? "pipeline"
                                                          : NULL;
    if (kind)
        mlc_buf_printf(error, "%s: there is a %s '%s' already", path, kind, name);
    return kind != NULL;
}

// `file` is NULL of a record that the program has itself, `path` what messages call it.
static bool
add(const MlcPlugin *plugin, const char *file, const char *path, MlcBuf *error)
{
    if (is_open(plugin))
        return true;
    if (plugin->api != MLC_PLUGIN_API || plugin->size <= offsetof(MlcPlugin, load)) {
        mlc_buf_printf(error, "%s: it was compiled for plugin API %u, this is %d", path,
                       plugin->api, MLC_PLUGIN_API);
        return false;
    }
    const MlcPipelineDef *pipelines = MLC_FIELD(plugin, pipelines);
    size_t num_pipelines = MLC_FIELD(plugin, num_pipelines);
    for (size_t i = 0; i < plugin->num_passes + num_pipelines; i++) {
        const char *name = i < plugin->num_passes ? plugin->passes[i]->flag
                                                  : pipelines[i - plugin->num_passes].name;
        if (is_taken(name, path, error))
            return false;
    }
    if (!mlc_register_hooks(MLC_FIELD(plugin, hooks), MLC_FIELD(plugin, num_hooks)))
        return refuse(error, path, "another plugin has a hook of the same name");
    for (size_t i = 0; i < plugin->num_passes; i++)
        (void)mlc_pass_register(plugin->passes[i]);
    for (size_t i = 0; i < num_pipelines; i++)
        (void)mlc_pipeline_register(&pipelines[i]);
    mlc_vec_push(&open_plugins, ((Open){plugin, file ? strdup(file) : NULL}));
    return true;
}

static const MlcPlugin *
open_locked(const char *path, MlcBuf *error)
{
    // A name without a slash is looked for where libraries are, unless it is a file here.
    char *here = NULL;
    if (!strchr(path, '/') && access(path, R_OK) == 0 && asprintf(&here, "./%s", path) < 0)
        here = NULL;
    void *object = dlopen(here ? here : path, RTLD_NOW | RTLD_LOCAL);
    free(here);
    const MlcPlugin *plugin = object ? dlsym(object, "mlc_plugin") : NULL;
    if (!object)
        refuse(error, path, dlerror());
    else if (!plugin)
        refuse(error, path, "it is no plugin: it has no 'mlc_plugin'");
    return plugin && add(plugin, path, path, error) ? plugin : NULL;
}

const MlcPlugin *
mlc_plugin_open(const char *path, MlcBuf *error)
{
    pthread_mutex_lock(&lock);
    const MlcPlugin *plugin = open_locked(path, error);
    pthread_mutex_unlock(&lock);
    return plugin;
}

static const char *
path_of(const MlcPlugin *plugin)
{
    const char *path = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < open_plugins.size; i++)
        if (open_plugins.data[i].plugin == plugin)
            path = open_plugins.data[i].path;
    pthread_mutex_unlock(&lock);
    return path;
}

bool
mlc_plugin_register(const MlcPlugin *plugin, MlcBuf *error)
{
    pthread_mutex_lock(&lock);
    bool ok = add(plugin, NULL, plugin->name, error);
    pthread_mutex_unlock(&lock);
    return ok;
}

bool
mlc_plugin_load(const MlcPlugin *plugin, MlcContext *ctx)
{
    for (size_t i = 0; i < plugin->num_dialects; i++)
        if (!mlc_context_register_dialect(ctx, plugin->dialects[i]))
            return false;
    if (plugin->load && !plugin->load(ctx))
        return false;
    if (path_of(plugin)) // else it is part of the program
        mlc_context_add_extension(ctx, MLC_EXTENSION_PLUGIN, path_of(plugin));
    return true;
}

static bool
load_plugin(MlcContext *ctx, const MlcExtension *part)
{
    MlcBuf error = {0};
    const MlcPlugin *plugin = mlc_plugin_open(part->path, &error);
    bool ok = plugin ? mlc_plugin_load(plugin, ctx)
                     : mlc_error(ctx, part->loc, "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

static bool
load_part(MlcContext *ctx, const MlcExtension *part)
{
    if (mlc_context_has_extension(ctx, part->kind, part->path))
        return true;
    switch (part->kind) {
    case MLC_EXTENSION_PLUGIN:
        return load_plugin(ctx, part);
    case MLC_EXTENSION_DIALECT:
        return mlc_load_dialect(ctx, part->path);
    case MLC_EXTENSION_RULES:
        return mlc_load_rules(ctx, part->path);
    case MLC_EXTENSION_TESTS:
    case MLC_EXTENSION_IRDL:
        break;
    }
    return true;
}

bool
mlc_load_package(MlcContext *ctx, const char *path)
{
    MlcPackage *package = mlc_package_read(ctx, path);
    bool ok = package != NULL;
    for (size_t i = 0; ok && i < mlc_package_size(package); i++)
        ok = load_part(ctx, mlc_package_at(package, i));
    mlc_package_destroy(package);
    return ok;
}

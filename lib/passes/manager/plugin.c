// plugin.c -- opens shared objects that bring passes and dialects.
#include "mlc/plugin.h"

#include <dlfcn.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MLC_VEC(const MlcPlugin *) open_plugins; // never shrinks; lives as long as the process

static bool
is_open(const MlcPlugin *plugin)
{
    for (size_t i = 0; i < open_plugins.size; i++)
        if (open_plugins.data[i] == plugin)
            return true;
    return false;
}

static const MlcPlugin *
refuse(MlcBuf *error, const char *path, const char *why)
{
    mlc_buf_printf(error, "%s: %s", path, why);
    return NULL;
}

static const MlcPlugin *
register_passes(const MlcPlugin *plugin, const char *path, MlcBuf *error)
{
    for (size_t i = 0; i < plugin->num_passes; i++)
        if (mlc_pass_find(mlc_str(plugin->passes[i]->flag))) {
            mlc_buf_printf(error, "%s: there is a pass '%s' already", path,
                           plugin->passes[i]->flag);
            return NULL;
        }
    for (size_t i = 0; i < plugin->num_passes; i++)
        (void)mlc_pass_register(plugin->passes[i]);
    mlc_vec_push(&open_plugins, plugin);
    return plugin;
}

static const MlcPlugin *
open_locked(const char *path, MlcBuf *error)
{
    // Global, so that hooks of dialects in YAML are found in it.
    void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!object)
        return refuse(error, path, dlerror());
    const MlcPlugin *plugin = dlsym(object, "mlc_plugin");
    if (plugin && is_open(plugin))
        return plugin;
    if (!plugin)
        return refuse(error, path, "it is no plugin: it has no 'mlc_plugin'");
    if (plugin->api == MLC_PLUGIN_API && plugin->size >= sizeof *plugin)
        return register_passes(plugin, path, error);
    mlc_buf_printf(error, "%s: it was compiled for plugin API %u, this is %d", path, plugin->api,
                   MLC_PLUGIN_API);
    return NULL;
}

const MlcPlugin *
mlc_plugin_open(const char *path, MlcBuf *error)
{
    pthread_mutex_lock(&lock);
    const MlcPlugin *plugin = open_locked(path, error);
    pthread_mutex_unlock(&lock);
    return plugin;
}

bool
mlc_plugin_load(const MlcPlugin *plugin, MlcContext *ctx)
{
    for (size_t i = 0; i < plugin->num_dialects; i++)
        if (!mlc_context_register_dialect(ctx, plugin->dialects[i]))
            return false;
    return !plugin->load || plugin->load(ctx);
}

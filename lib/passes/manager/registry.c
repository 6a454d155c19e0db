// registry.c -- finds passes and pipelines by flag: the built-in tables, then what plugins added.
#include "registry.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// They never shrink, and live as long as the process.
static MLC_VEC(const MlcPassDef *) added;
static MLC_VEC(const MlcPipelineDef *) added_pipelines;

size_t
mlc_num_passes(void)
{
    pthread_mutex_lock(&lock);
    size_t n = mlc_num_builtin_passes + added.size;
    pthread_mutex_unlock(&lock);
    return n;
}

const MlcPassDef *
mlc_pass_at(size_t i)
{
    if (i < mlc_num_builtin_passes)
        return mlc_builtin_passes[i];
    pthread_mutex_lock(&lock);
    const MlcPassDef *def = added.data[i - mlc_num_builtin_passes];
    pthread_mutex_unlock(&lock);
    return def;
}

// A flag is its own spelling, or the pass's name with either of `-` and `_`.
static bool
is_named(const MlcPassDef *def, MlcStr name)
{
    if (mlc_str_equal(name, mlc_str(def->flag)))
        return true;
    if (strlen(def->name) != name.size)
        return false;
    for (size_t i = 0; i < name.size; i++)
        if ((name.data[i] == '-' ? '_' : name.data[i]) != def->name[i])
            return false;
    return true;
}

const MlcPassDef *
mlc_pass_find(MlcStr name)
{
    for (size_t i = 0; i < mlc_num_passes(); i++)
        if (is_named(mlc_pass_at(i), name))
            return mlc_pass_at(i);
    return NULL;
}

static bool
is_taken(const char *flag)
{
    return mlc_pass_find(mlc_str(flag)) || mlc_pipeline_find(mlc_str(flag));
}

bool
mlc_pass_register(const MlcPassDef *def)
{
    if (is_taken(def->flag))
        return false;
    pthread_mutex_lock(&lock);
    mlc_vec_push(&added, def);
    pthread_mutex_unlock(&lock);
    return true;
}

size_t
mlc_num_pipelines(void)
{
    pthread_mutex_lock(&lock);
    size_t n = mlc_num_builtin_pipelines + added_pipelines.size;
    pthread_mutex_unlock(&lock);
    return n;
}

const MlcPipelineDef *
mlc_pipeline_at(size_t i)
{
    if (i < mlc_num_builtin_pipelines)
        return &mlc_builtin_pipelines[i];
    pthread_mutex_lock(&lock);
    const MlcPipelineDef *def = added_pipelines.data[i - mlc_num_builtin_pipelines];
    pthread_mutex_unlock(&lock);
    return def;
}

const MlcPipelineDef *
mlc_pipeline_find(MlcStr name)
{
    for (size_t i = 0; i < mlc_num_pipelines(); i++)
        if (mlc_str_equal(name, mlc_str(mlc_pipeline_at(i)->name)))
            return mlc_pipeline_at(i);
    return NULL;
}

bool
mlc_pipeline_register(const MlcPipelineDef *def)
{
    if (is_taken(def->name))
        return false;
    pthread_mutex_lock(&lock);
    mlc_vec_push(&added_pipelines, def);
    pthread_mutex_unlock(&lock);
    return true;
}

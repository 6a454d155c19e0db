// hooks.c -- the tables of what dialects and rules from files may call.
#include "hooks.h"

#include <pthread.h>

#include "mlc/support/vec.h"

typedef struct Table {
    const MlcHook *hooks;
    size_t num_hooks;
} Table;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MLC_VEC(Table) tables; // never shrinks; lives as long as the process

static const MlcHook *
find(const char *name)
{
    for (size_t i = 0; i < tables.size; i++)
        for (size_t k = 0; k < tables.data[i].num_hooks; k++)
            if (strcmp(tables.data[i].hooks[k].name, name) == 0)
                return &tables.data[i].hooks[k];
    return NULL;
}

static bool
is_taken(const MlcHook *hook)
{
    const MlcHook *other = find(hook->name);
    return other && (other->function != hook->function || other->table != hook->table);
}

const MlcHook *
mlc_hook_find(const char *name)
{
    pthread_mutex_lock(&lock);
    const MlcHook *hook = find(name);
    pthread_mutex_unlock(&lock);
    return hook;
}

bool
mlc_register_hooks(const MlcHook *hooks, size_t num_hooks)
{
    bool ok = true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_hooks && ok; i++)
        ok = !is_taken(&hooks[i]);
    if (ok)
        mlc_vec_push(&tables, (Table){hooks, num_hooks});
    pthread_mutex_unlock(&lock);
    return ok;
}

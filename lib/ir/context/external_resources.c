// external_resources.c -- the list of what tools keep beside a module.
#include "mlc/ir/text.h"

#include "mlc/support/arena.h"
#include "mlc/support/vec.h"

struct MlcExternalResources {
    MlcArena arena;
    MLC_VEC(MlcExternalResource) entries;
};

MlcExternalResources *
mlc_external_resources_create(void)
{
    MlcExternalResources *resources = mlc_calloc(1, sizeof *resources);
    mlc_arena_init(&resources->arena);
    return resources;
}

void
mlc_external_resources_destroy(MlcExternalResources *resources)
{
    if (!resources)
        return;
    mlc_vec_release(&resources->entries);
    mlc_arena_release(&resources->arena);
    mlc_free(resources);
}

void
mlc_external_resources_add(MlcExternalResources *resources, MlcStr section, MlcStr key,
                           MlcStr value)
{
    MlcArena *arena = &resources->arena;
    MlcExternalResource entry = {mlc_arena_strdup(arena, section), mlc_arena_strdup(arena, key),
                                 mlc_arena_strdup(arena, value)};
    mlc_vec_push(&resources->entries, entry);
}

void
mlc_external_resources_truncate(MlcExternalResources *resources, size_t size)
{
    resources->entries.size = size;
}

size_t
mlc_external_resources_size(const MlcExternalResources *resources)
{
    return resources->entries.size;
}

const MlcExternalResource *
mlc_external_resources_at(const MlcExternalResources *resources, size_t i)
{
    return &resources->entries.data[i];
}

// targets.c -- see targets.h.
#include "targets.h"

#include "mlc/object.h"

#include <stdio.h>
#include <stdlib.h>

static bool
is_device(const MlcTargetDesc *desc)
{
    return desc->gpu_block_threads > 0;
}

// Artefacts are made for processors whose code can be linked, and for devices.
static bool
is_offered(const MlcTargetDesc *desc)
{
    return is_device(desc) || mlc_image_can_link(desc);
}

static bool
refuse(MlcStr name)
{
    fprintf(stderr, "mlc: unknown target '%.*s'; there are host", MLC_STR_FMT(name));
    for (size_t i = 0; i < mlc_num_target_descs(); i++)
        if (is_offered(mlc_target_desc_at(i)))
            fprintf(stderr, ", %s", mlc_target_desc_at(i)->name);
    fprintf(stderr, "\n");
    return false;
}

static bool
add(Targets *out, MlcStr name)
{
    const MlcTargetDesc *desc = mlc_target_desc_find(name);
    if (!desc || !is_offered(desc))
        return refuse(name);
    if (!is_device(desc) && out->host) {
        fprintf(stderr, "mlc: a model has one processor, not both %s and %s\n", out->host->name,
                desc->name);
        return false;
    }
    if (!is_device(desc)) {
        out->host = desc;
        return true;
    }
    for (size_t i = 0; i < out->num_devices; i++)
        if (out->devices[i] == desc)
            return true;
    if (out->num_devices == MAX_DEVICES)
        mlc_bug("more kinds of devices than there is room for");
    out->devices[out->num_devices++] = desc;
    return true;
}

bool
targets_find(MlcStr list, Targets *out)
{
    *out = (Targets){0};
    for (size_t at = 0; list.size && at <= list.size;) {
        const char *comma = memchr(list.data + at, ',', list.size - at);
        size_t end = comma ? (size_t)(comma - list.data) : list.size;
        if (!add(out, mlc_str_n(list.data + at, end - at)))
            return false;
        at = end + 1;
    }
    return true;
}

const MlcTargetDesc *
targets_common_device(const Targets *targets)
{
    const MlcTargetDesc *common = NULL;
    for (size_t i = 0; i < targets->num_devices; i++)
        if (!common || (common->gpu_has_warpgroups && !targets->devices[i]->gpu_has_warpgroups))
            common = targets->devices[i];
    return common;
}

const MlcTargetDesc *
target_for_capability(int capability)
{
    const MlcTargetDesc *best = NULL;
    long best_number = 0;
    for (size_t i = 0; i < mlc_num_target_descs(); i++) {
        const MlcTargetDesc *desc = mlc_target_desc_at(i);
        char *end;
        if (strncmp(desc->cpu, "sm_", 3) != 0)
            continue;
        long number = strtol(desc->cpu + 3, &end, 10);
        bool fits = *end == 'a' ? number == capability : number <= capability;
        if (fits && number > best_number) {
            best = desc;
            best_number = number;
        }
    }
    return best;
}

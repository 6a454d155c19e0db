// device_images.c -- PTX text for each device that an artefact is made for, in parts that threads
// share; and cubins beside it, where ptxas is there.
#include "device_images.h"

#include "cubin.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/op.h"
#include "mlc/support/alloc.h"
#include "mlc/support/pool.h"

static void
add_images(DeviceImages *d, const MlcTargetDesc *desc, const MlcObjects *parts)
{
    for (size_t i = 0; i < parts->num_objects; i++)
        mlc_vec_push(&d->images,
                     (MlcArtefactImageSpec){desc->name, mlc_buf_str(&parts->buffers[i])});
}

typedef struct Assembly {
    const char *ptxas, *cpu;
    const MlcObjects *texts;
    MlcObjects cubins;
    MlcBuf *errors; // of each part; empty: it is there
} Assembly;

static void
assemble_part(void *user, size_t i, unsigned worker)
{
    Assembly *a = user;
    (void)worker;
    (void)cubin_assemble(a->ptxas, a->cpu, mlc_buf_str(&a->texts->buffers[i]), CUBIN_SECONDS,
                         &a->cubins.buffers[i], &a->errors[i]);
}

// All parts of a target or none: what ptxas does not take, the driver may.
static MlcObjects
assemble(MlcOp *module, const MlcTargetDesc *desc, const char *ptxas, const MlcObjects *texts,
         MlcPool *pool)
{
    Assembly a = {.ptxas = ptxas, .cpu = desc->cpu, .texts = texts};
    size_t count = texts->num_objects;
    bool ok = true;
    a.cubins = (MlcObjects){mlc_calloc(count + 1, sizeof(MlcBuf)), count};
    a.errors = mlc_calloc(count + 1, sizeof *a.errors);
    mlc_parallel_for(pool, count, assemble_part, &a);
    for (size_t i = 0; i < count; i++) {
        if (ok && a.errors[i].size > 0)
            mlc_op_warning(module, "no cubins for %s, but PTX: %s", desc->name,
                           mlc_buf_c_str(&a.errors[i]));
        ok = ok && a.errors[i].size == 0;
        mlc_buf_release(&a.errors[i]);
    }
    mlc_free(a.errors);
    if (!ok)
        mlc_target_objects_release(&a.cubins);
    return a.cubins;
}

bool
device_images_emit(DeviceImages *d, MlcOp *module, const MlcTargetOptions *options,
                   struct MlcPool *pool)
{
    MlcAttr names = mlc_op_attr(module, "mlc.device_kernels");
    if (!mlc_attr_is(names, MLC_ATTR_ARRAY) || mlc_array_attr_size(names) == 0)
        return true;
    if (options->num_devices == 0)
        return mlc_op_error(module, "has kernels for a device, but no device to compile them for");
    for (size_t i = 0; i < mlc_array_attr_size(names); i++)
        mlc_vec_push(&d->kernels, mlc_string_attr_value(mlc_array_attr_element(names, i)).data);
    for (size_t i = 0; i < options->num_devices; i++) {
        MlcTargetOptions own = *options;
        MlcObjects parts;
        own.desc = options->devices[i];
        own.progress = NULL;
        if (!mlc_target_emit_objects(module, &own, pool, &parts))
            return false;
        mlc_vec_push(&d->texts, parts);
        if (options->ptxas) {
            mlc_vec_push(&d->cubins, assemble(module, own.desc, options->ptxas, &parts, pool));
            add_images(d, own.desc, &mlc_vec_last(&d->cubins));
        }
        add_images(d, own.desc, &parts);
    }
    d->spec = (MlcArtefactDeviceSpec){MLC_SIZED(MlcArtefactDeviceSpec), .images = d->images.data,
                                      .num_images = d->images.size, .kernels = d->kernels.data,
                                      .num_kernels = d->kernels.size};
    return true;
}

void
device_images_release(DeviceImages *d)
{
    for (size_t i = 0; i < d->texts.size; i++)
        mlc_target_objects_release(&d->texts.data[i]);
    for (size_t i = 0; i < d->cubins.size; i++)
        mlc_target_objects_release(&d->cubins.data[i]);
    mlc_vec_release(&d->texts);
    mlc_vec_release(&d->cubins);
    mlc_vec_release(&d->images);
    mlc_vec_release(&d->kernels);
}

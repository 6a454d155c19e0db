// device_images.c -- PTX text for each device that an artefact is made for, in parts that threads
// share.
#include "device_images.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/op.h"

static void
add_target(DeviceImages *d, const MlcTargetDesc *desc, const MlcObjects *parts)
{
    mlc_vec_push(&d->texts, *parts);
    for (size_t i = 0; i < parts->num_objects; i++)
        mlc_vec_push(&d->images,
                     (MlcArtefactImageSpec){desc->name, mlc_buf_str(&parts->buffers[i])});
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
        add_target(d, own.desc, &parts);
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
    mlc_vec_release(&d->texts);
    mlc_vec_release(&d->images);
    mlc_vec_release(&d->kernels);
}

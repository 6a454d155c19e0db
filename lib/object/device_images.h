// device_images.h -- the code that an artefact has for devices.
#ifndef MLC_LIB_OBJECT_DEVICE_IMAGES_H
#define MLC_LIB_OBJECT_DEVICE_IMAGES_H

#include "mlc/object.h"
#include "mlc/target.h"

typedef struct DeviceImages {
    MlcArtefactDeviceSpec spec;
    MLC_VEC(MlcArtefactImageSpec) images;
    MLC_VEC(MlcObjects) texts;  // of each target, its parts
    MLC_VEC(MlcObjects) cubins; // the same, assembled; none where that was not done
    MLC_VEC(const char *) kernels;
} DeviceImages;

// The functions of the module's gpu.modules, for each of the devices of `options`. Without any in
// the module, nothing. False after diagnostics; to be released in any case.
bool device_images_emit(DeviceImages *d, MlcOp *module, const MlcTargetOptions *options,
                        struct MlcPool *pool);
void device_images_release(DeviceImages *d);

#endif

// device.c -- what an artefact has for devices, and the devices that a model's sessions opened.
//
// A device is opened by the first session that wants it, and closed with the model, so whoever only
// looks at a model needs none.
#include "device.h"

#include "cuda_driver.h"
#include "model.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Opened {
    struct Opened *next;
    MlcRtDevice *device;
} Opened;

struct MlcRtDevices {
    MlcRtDeviceCode code;
    pthread_mutex_t lock;
    Opened *opened;
    MlcRtImage *images;
    const char **kernels;
};

bool
mlc_rt_image_is_cubin(const MlcRtImage *image)
{
    return image->size > 4 && memcmp(image->data,
                                     "\x7f"
                                     "ELF",
                                     4) == 0;
}

static bool
read_image(MlcRtImage *out, const char *section, size_t size, size_t i, MlcStr strings)
{
    MlcArtefactImage image;
    memcpy(&image, section + sizeof(MlcArtefactDevice) + i * sizeof image, sizeof image);
    if (image.target >= strings.size || image.offset > size || image.size == 0 ||
        image.size > size - image.offset || section[image.offset + image.size - 1] != '\0')
        return false;
    *out = (MlcRtImage){strings.data + image.target, section + image.offset, image.size};
    return true;
}

bool
mlc_rt_read_device(MlcModel *model, const char *section, size_t size, MlcStr strings)
{
    MlcArtefactDevice counts;
    if (size == 0)
        return true;
    if (size < sizeof counts)
        return false;
    memcpy(&counts, section, sizeof counts);
    size_t names = sizeof counts + counts.num_images * sizeof(MlcArtefactImage);
    if (names > size || counts.num_kernels > (size - names) / sizeof(uint32_t))
        return false;
    MlcRtDevices *d = model->devices = calloc(1, sizeof *d);
    if (!d)
        return false;
    pthread_mutex_init(&d->lock, NULL);
    d->images = calloc((size_t)counts.num_images + 1, sizeof *d->images);
    d->kernels = calloc((size_t)counts.num_kernels + 1, sizeof *d->kernels);
    if (!d->images || !d->kernels)
        return false;
    for (size_t i = 0; i < counts.num_images; i++)
        if (!read_image(&d->images[i], section, size, i, strings))
            return false;
    for (size_t i = 0; i < counts.num_kernels; i++) {
        uint32_t name;
        memcpy(&name, section + names + i * sizeof name, sizeof name);
        if (name >= strings.size)
            return false;
        d->kernels[i] = strings.data + name;
    }
    d->code = (MlcRtDeviceCode){.images = d->images,
                                .num_images = counts.num_images,
                                .kernels = d->kernels,
                                .num_kernels = counts.num_kernels};
    return true;
}

MlcRtDevice *
mlc_rt_model_device(const MlcModel *model, const char *name, MlcRtError *error)
{
    MlcRtDevices *d = model->devices;
    MlcRtDevice *device = NULL;
    if (!name || !*name || strcmp(name, "cuda") == 0)
        name = "cuda:0"; // one device, whatever it is called
    pthread_mutex_lock(&d->lock);
    if (!d->code.model) { // once: sessions that run read it without the lock
        d->code.model = mlc_model_name(model);
        d->code.constants = model->constants;
        d->code.constants_bytes = model->header.sections[MLC_ARTEFACT_CONSTANTS].size;
    }
    for (Opened *o = d->opened; o && !device; o = o->next)
        if (strcmp(mlc_rt_device_name(o->device), name) == 0)
            device = o->device;
    Opened *made = device ? NULL : calloc(1, sizeof *made);
    if (!device && !made)
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
    if (made && (device = made->device = mlc_rt_device_open(name, &d->code, error))) {
        made->next = d->opened;
        d->opened = made;
    } else {
        free(made);
    }
    pthread_mutex_unlock(&d->lock);
    return device;
}

void
mlc_rt_devices_destroy(MlcRtDevices *d)
{
    if (!d)
        return;
    for (Opened *o = d->opened, *next; o; o = next) {
        next = o->next;
        mlc_rt_device_close(o->device);
        free(o);
    }
    pthread_mutex_destroy(&d->lock);
    free(d->images);
    free(d->kernels);
    free(d);
}

const char *
mlc_model_device_target(const MlcModel *model, int32_t index)
{
    const MlcRtDevices *d = model->devices;
    for (size_t i = 0; d && i < d->code.num_images; i++)
        if ((i == 0 || strcmp(d->images[i].target, d->images[i - 1].target) != 0) && index-- == 0)
            return d->images[i].target;
    return NULL;
}

size_t
mlc_model_device_bytes(const MlcModel *model, int32_t index, bool of_cubins)
{
    const MlcRtDevices *d = model->devices;
    const char *target = mlc_model_device_target(model, index);
    size_t bytes = 0;
    for (size_t i = 0; target && i < d->code.num_images; i++)
        if (strcmp(d->images[i].target, target) == 0 &&
            mlc_rt_image_is_cubin(&d->images[i]) == of_cubins)
            bytes += d->images[i].size - 1;
    return bytes;
}

bool
mlc_device_describe(const char *device, MlcDeviceInfo *info, MlcRtError *error)
{
    MlcCudaDevice number;
    size_t bytes = 0;
    int capability = 0, multiprocessors = 0;
    MlcDeviceInfo found = {0};
    const MlcRtCudaDriver *driver = mlc_rt_cuda_driver(error);
    if (!driver || !mlc_rt_cuda_find(driver, device, &number, error) ||
        !mlc_rt_cuda_check(driver, device,
                           driver->device_name(found.name, sizeof found.name, number), error) ||
        !mlc_rt_cuda_capability(driver, device, number, &capability, error) ||
        !mlc_rt_cuda_check(
            driver, device,
            driver->device_attribute(&multiprocessors, MLC_CUDA_ATTRIBUTE_MULTIPROCESSORS, number),
            error) ||
        !mlc_rt_cuda_check(driver, device, driver->device_memory(&bytes, number), error))
        return false;
    found.capability = capability;
    found.multiprocessors = multiprocessors;
    found.memory_bytes = bytes;
    *info = found;
    return true;
}

// object.c -- object files, as the cache of compiled code may give them back: linked, or refused.
#include "common.h"

#include "mlc/object.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcImage image;
    MlcBuf error = {0};
    MlcStr object = mlc_str_n((const char *)data, size);
    if (mlc_image_link(&image, &object, 1, &error))
        mlc_image_release(&image);
    else if (error.size == 0)
        abort(); // refused without a word
    mlc_buf_release(&error);
    return 0;
}

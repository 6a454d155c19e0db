// interfaces.c -- interfaces of others: numbers by name for the process, vtables by op for the
// context.
#include "context_impl.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MlcStrVec names; // never shrinks; lives as long as the process

uint32_t
mlc_interface_id(const char *name)
{
    pthread_mutex_lock(&lock);
    size_t i = 0;
    while (i < names.size && !mlc_str_equal(names.data[i], mlc_str(name)))
        i++;
    if (i == names.size) {
        MlcBuf copy = {0};
        mlc_buf_append_c(&copy, name);
        size_t size;
        const char *text = mlc_buf_take(&copy, &size);
        mlc_vec_push(&names, mlc_str_n(text, size));
    }
    pthread_mutex_unlock(&lock);
    return (uint32_t)(MLC_INTERFACE_OTHERS + i);
}

void
mlc_context_add_interface(MlcContext *ctx, const MlcOpDef *def, uint32_t interface,
                          const void *methods)
{
    size_t i = interface - MLC_INTERFACE_OTHERS;
    while (ctx->interfaces.size <= i) {
        mlc_vec_push(&ctx->interfaces, (MlcMap){0});
        mlc_map_init(&mlc_vec_last(&ctx->interfaces));
    }
    mlc_map_set(&ctx->interfaces.data[i], def, methods);
}

const void *
mlc_context_other_interface(const MlcContext *ctx, const MlcOpDef *def, uint32_t interface)
{
    size_t i = interface - MLC_INTERFACE_OTHERS;
    return i < ctx->interfaces.size ? mlc_map_get(&ctx->interfaces.data[i], def) : NULL;
}

// target_open.c -- finds libmlc_target and opens it, once.
#include "mlc/target.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "mlc/support/file.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const MlcTargetApi *api;
static MlcBuf failure;

// libmlc_target.so in the folder of whatever this function was linked into (libmlc, or a tool), or
// in ../lib from it; else where the system looks. One that is there and does not load is the
// answer.
static void *
open_beside_us(void)
{
    Dl_info info;
    if (dladdr((void *)(uintptr_t)mlc_target_open, &info) == 0 || !info.dli_fname)
        return dlopen("libmlc_target.so", RTLD_NOW | RTLD_LOCAL);
    MlcStr folder = mlc_path_dir(mlc_str(info.dli_fname));
    static const char *const places[] = {"", "../lib/"};
    MlcBuf path = {0};
    for (size_t i = 0; i < 2; i++) {
        mlc_buf_clear(&path);
        mlc_buf_printf(&path, "%.*s/%slibmlc_target.so", MLC_STR_FMT(folder), places[i]);
        if (mlc_file_exists(mlc_buf_c_str(&path)))
            break;
        mlc_buf_clear(&path);
    }
    void *library =
        dlopen(path.size ? mlc_buf_c_str(&path) : "libmlc_target.so", RTLD_NOW | RTLD_LOCAL);
    mlc_buf_release(&path);
    return library;
}

static void
open_library(void)
{
    const char *path = getenv("MLC_TARGET_LIBRARY");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : open_beside_us();
    const char *reason = library ? NULL : dlerror();
    void *entry = library ? dlsym(library, MLC_TARGET_ENTRY) : NULL;
    if (entry) {
        api = ((const MlcTargetApi *(*)(void))(uintptr_t)entry)();
        return;
    }
    mlc_buf_printf(
        &failure,
        "cannot generate code: %s; install libmlc_target beside libmlc, or set MLC_TARGET_LIBRARY",
        reason ? reason : "libmlc_target.so has no " MLC_TARGET_ENTRY);
}

const MlcTargetApi *
mlc_target_open(MlcBuf *error)
{
    pthread_once(&once, open_library);
    if (!api && error)
        mlc_buf_append_str(error, mlc_buf_str(&failure));
    return api;
}

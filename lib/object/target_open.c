// target_open.c -- finds libmlc_target and opens it, once.
#include "mlc/target.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "mlc/support/file.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const MlcTargetApi *api;
static MlcBuf failure;

// In the folder of whatever this function was linked into (libmlc, or a tool), or in ../lib from
// it. One that is there and does not load is the answer.
void
mlc_target_file(MlcBuf *path)
{
    const char *chosen = getenv("MLC_TARGET_LIBRARY");
    Dl_info info;
    static const char *const places[] = {"", "../lib/"};
    bool is_known = dladdr((void *)(uintptr_t)mlc_target_open, &info) != 0 && info.dli_fname;
    for (size_t i = 0; !chosen && is_known && i < sizeof places / sizeof *places; i++) {
        MlcStr folder = mlc_path_dir(mlc_str(info.dli_fname));
        mlc_buf_clear(path);
        mlc_buf_printf(path, "%.*s/%s" MLC_TARGET_FILE, MLC_STR_FMT(folder), places[i]);
        if (mlc_file_exists(mlc_buf_c_str(path)))
            return;
    }
    mlc_buf_clear(path);
    mlc_buf_append_c(path, chosen ? chosen : MLC_TARGET_FILE);
}

static void
open_library(void)
{
    MlcBuf path = {0};
    mlc_target_file(&path);
    void *library = dlopen(mlc_buf_c_str(&path), RTLD_NOW | RTLD_LOCAL);
    mlc_buf_release(&path);
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

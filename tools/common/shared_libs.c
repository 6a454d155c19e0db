// shared_libs.c -- shared libraries, opened so that code made later finds their functions.
#include "shared_libs.h"

#include <dlfcn.h>

#include "mlc/support/file.h"
#include "mlc/target.h"

static bool
open_one(const char *path, MlcBuf *error)
{
    if (dlopen(path, RTLD_NOW | RTLD_GLOBAL))
        return true;
    mlc_buf_printf(error, "cannot open the shared library '%s': %s", path, dlerror());
    return false;
}

void
shared_libs_list(const MlcStrVec *lists, MlcArena *arena, MlcStrVec *paths)
{
    for (size_t i = 0; i < lists->size; i++)
        for (MlcStr left = lists->data[i]; left.size > 0;) {
            const char *comma = memchr(left.data, ',', left.size);
            size_t size = comma ? (size_t)(comma - left.data) : left.size;
            if (size > 0)
                mlc_vec_push(paths, mlc_arena_strdup(arena, mlc_str_n(left.data, size)));
            size += comma != NULL;
            left = mlc_str_n(left.data + size, left.size - size);
        }
}

bool
shared_libs_open(const MlcStrVec *lists, MlcBuf *error)
{
    MlcArena arena;
    MlcStrVec paths = {0};
    bool ok = true;
    mlc_arena_init(&arena);
    shared_libs_list(lists, &arena, &paths);
    for (size_t i = 0; ok && i < paths.size; i++)
        ok = open_one(paths.data[i].data, error);
    mlc_vec_release(&paths);
    mlc_arena_release(&arena);
    return ok;
}

bool
shared_libs_open_runner_utils(MlcBuf *error)
{
    // It lies beside the library that generates code.
    MlcBuf path = {0}, file = {0};
    mlc_target_file(&path);
    MlcStr folder = mlc_path_dir(mlc_buf_str(&path));
    mlc_buf_printf(&file, "%.*s/" MLC_RUNNER_UTILS_FILE, MLC_STR_FMT(folder));
    bool is_there = mlc_file_exists(mlc_buf_c_str(&file));
    bool ok = open_one(is_there ? mlc_buf_c_str(&file) : MLC_RUNNER_UTILS_FILE, error);
    mlc_buf_release(&file);
    mlc_buf_release(&path);
    return ok;
}

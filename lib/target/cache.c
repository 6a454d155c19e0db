// cache.c -- object code on disk, found by what it was made from: the module's bitcode as
// translated, the target, the passes.
//
// A hit saves LLVM's passes and code generation, which is nearly all of compiling. Files appear
// whole (renamed into place) and carry their key and a hash of their content, so that processes may
// share a folder and a damaged file is only a miss. Nothing about the cache is an error: what
// cannot be read or written is compiled.
#include "machine.h"

#include <stdlib.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include "mlc/support/file.h"
#include "mlc/support/hash.h"

enum { CACHE_VERSION = 1 };

typedef struct Header {
    char magic[8];
    uint64_t key[2];
    uint64_t size; // of what follows, bytes
    uint64_t hash; // of what follows
} Header;

static const char magic[8] = "MLCOBJ\r\n";

bool
mlc_cache_find_folder(const MlcTargetOptions *options, MlcStr *folder)
{
    const char *path = options && options->cache_dir ? options->cache_dir : getenv("MLC_CACHE_DIR");
    *folder = mlc_str(path ? path : "");
    return folder->size > 0;
}

void
mlc_cache_key(LLVMModuleRef module, const MlcTargetOptions *options, const MlcTargetDesc *desc,
              MlcStr passes, uint64_t key[2])
{
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    MlcBuf what = {0};
    mlc_buf_printf(&what, "%d %u.%u.%u %s %s %s %d %.*s %d%d\n", CACHE_VERSION, major, minor, patch,
                   desc->triple, desc->cpu, desc->features, options ? options->opt_level : 0,
                   MLC_STR_FMT(passes), options && options->loop_vectorize,
                   options && options->slp_vectorize);
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
    for (int i = 0; i < 2; i++) {
        key[i] = mlc_hash_bytes(what.data, what.size, MLC_HASH_SEED + (uint64_t)i);
        key[i] = mlc_hash_bytes(LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), key[i]);
    }
    LLVMDisposeMemoryBuffer(bitcode);
    mlc_buf_release(&what);
}

static void
file_path(MlcStr folder, const uint64_t key[2], MlcBuf *path)
{
    mlc_buf_printf(path, "%.*s/%016llx%016llx.o", MLC_STR_FMT(folder), (unsigned long long)key[0],
                   (unsigned long long)key[1]);
}

bool
mlc_cache_read(MlcStr folder, const uint64_t key[2], MlcBuf *out)
{
    MlcBuf path = {0}, error = {0};
    MlcFile file;
    file_path(folder, key, &path);
    bool hit = false;
    if (mlc_file_exists(mlc_buf_c_str(&path)) &&
        mlc_file_open(&file, mlc_buf_c_str(&path), MLC_FILE_READ_ONLY, &error)) {
        Header h;
        if (file.size >= sizeof h) {
            memcpy(&h, file.data, sizeof h);
            hit = memcmp(h.magic, magic, sizeof magic) == 0 && h.key[0] == key[0] &&
                  h.key[1] == key[1] && h.size == file.size - sizeof h &&
                  h.hash == mlc_hash_bytes(file.data + sizeof h, h.size, MLC_HASH_SEED);
        }
        if (hit)
            mlc_buf_append(out, file.data + sizeof h, h.size);
        mlc_file_release(&file);
    }
    mlc_buf_release(&path);
    mlc_buf_release(&error);
    return hit;
}

void
mlc_cache_write(MlcStr folder, const uint64_t key[2], MlcStr object)
{
    Header h = {.key = {key[0], key[1]},
                .size = object.size,
                .hash = mlc_hash_bytes(object.data, object.size, MLC_HASH_SEED)};
    memcpy(h.magic, magic, sizeof magic);
    MlcBuf path = {0}, error = {0}, text = {0};
    mlc_buf_append_str(&text, folder);
    if (mlc_dir_create(mlc_buf_c_str(&text), &error)) {
        file_path(folder, key, &path);
        mlc_buf_clear(&text);
        mlc_buf_append(&text, &h, sizeof h);
        mlc_buf_append_str(&text, object);
        if (!mlc_file_write_atomic(mlc_buf_c_str(&path), text.data, text.size, &error))
            mlc_buf_clear(&error);
    }
    mlc_buf_release(&path);
    mlc_buf_release(&error);
    mlc_buf_release(&text);
}

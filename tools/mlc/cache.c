// cache.c -- compiled models on disk, found by what they were made from: the bytes of the model and
// of its data files, the options, the machine, and the compiler itself.
//
// Files appear whole, so that processes may share a folder; their own hashes tell whether they are
// damaged, and then they are made again. Nothing about the cache is an error: what cannot be read
// or written is compiled.
//
// A name is KEY-HASH.mlcm: what the artefact was made from, and its own hash. The file that a user
// asked for is kept as a link to it where that is possible, since large models take longer to copy
// than to compile, and is given again as one while no other of his files is; if he writes other
// contents into it, the hash is no longer that of the name. Objects (lib/target/cache.c) lie
// beside.
#include "mlc.h"

#include "mlc/frontend/onnx.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/text.h"
#include "mlc/runtime/artefact.h"
#include "mlc/support/file.h"
#include "mlc/support/vec.h"
#include "mlc/target.h"
#include "mlc/machine.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEY_DIGITS = 16, OBJECT_DIGITS = 32 };
static const char suffix[] = ".mlcm";
static const long long DEFAULT_LIMIT = 16LL << 30; // bytes of all models; MLC_CACHE_LIMIT

// A file as it is now, without reading it.
static void
add_stamp(MlcBuf *key, const char *path)
{
    struct stat s;
    if (stat(path, &s) == 0)
        mlc_buf_printf(key, "%lld %lld %lld\n", (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                       (long long)s.st_mtim.tv_nsec);
}

// Another build of the compiler makes other code.
static void
add_compiler(MlcBuf *key)
{
    Dl_info info;
    MlcBuf path = {0};
    mlc_buf_printf(key, "mlc %s %d\n", MLC_VERSION, MLC_ARTEFACT_VERSION);
    add_stamp(key, "/proc/self/exe");
    if (dladdr((void *)(uintptr_t)mlc_parse_module, &info) != 0 && info.dli_fname)
        add_stamp(key, info.dli_fname);
    mlc_target_file(&path);
    add_stamp(key, mlc_buf_c_str(&path));
    mlc_buf_release(&path);
}

// Of what the inputs' files hold the model knows nothing, but for these.
static void
add_value(MlcBuf *key, const MlcOnnxInputValue *value)
{
    if (!value->is_constant)
        return;
    mlc_buf_printf(key, "--input-value %.*s", MLC_STR_FMT(value->name));
    for (size_t i = 0; i < value->rank; i++)
        mlc_buf_printf(key, " %lld", (long long)value->dims[i]);
    mlc_buf_printf(key, "\n%016llx\n",
                   (unsigned long long)mlc_artefact_hash(value->data, value->num_bytes));
}

// Another version of it is another file.
static void
add_program(MlcBuf *key, MlcStr path)
{
    struct stat s;
    if (path.size && stat(path.data, &s) == 0)
        mlc_buf_printf(key, "--ptxas %.*s %lld %lld\n", MLC_STR_FMT(path), (long long)s.st_size,
                       (long long)s.st_mtime);
}

static void
add_options(MlcBuf *key, const char *model, const CompileOptions *o)
{
    const MlcTargetDesc *desc = o->target.size ? mlc_target_desc_find(o->target) : NULL;
    desc = desc ? desc : mlc_target_desc_host();
    MlcStr name = model_stem(model);
    mlc_buf_printf(key, "%.*s\n%.*s %.*s %.*s %d %d %d\n%s %s %s %s %u\n", MLC_STR_FMT(name),
                   MLC_STR_FMT(o->target), MLC_STR_FMT(o->numerics), MLC_STR_FMT(o->max_arena),
                   (int)o->llvm_vectorizers, (int)o->allow_external_links, (int)o->require_compiled,
                   desc->name, desc->triple, desc->cpu, desc->features, desc->cores);
    mlc_buf_printf(key, "--host-kernels %.*s\n", MLC_STR_FMT(o->host_kernels));
    add_program(key, o->ptxas);
    for (size_t i = 0; i < o->dims.size; i++)
        mlc_buf_printf(key, "--dim %.*s\n", MLC_STR_FMT(o->dims.data[i]));
    for (size_t i = 0; i < o->items.size; i++)
        mlc_buf_printf(key, "--items %.*s\n", MLC_STR_FMT(o->items.data[i]));
    for (size_t i = 0; i < o->num_values; i++)
        add_value(key, &o->values[i]);
    mlc_buf_printf(key, "%zu %zu %zu %zu %zu\n", desc->l1d_bytes, desc->l1d_ways, desc->line_bytes,
                   desc->l2_bytes, desc->l3_bytes);
}

static void
add_bytes(MlcBuf *key, const MlcFile *file)
{
    mlc_buf_printf(key, "%zu %016llx\n", file->size,
                   (unsigned long long)mlc_artefact_hash(file->data, file->size));
}

// Reading anything else may never end.
static bool
is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static bool
add_data_files(MlcBuf *key, const char *model, const MlcFile *file)
{
    MlcArena arena;
    MlcStrVec locations = {0};
    MlcBuf path = {0}, error = {0};
    mlc_arena_init(&arena);
    bool ok = mlc_onnx_data_files(file->data, file->size, &arena, &locations);
    for (size_t i = 0; ok && i < locations.size; i++) {
        MlcFile data;
        mlc_buf_clear(&path);
        mlc_buf_printf(&path, "%.*s/%.*s", MLC_STR_FMT(mlc_path_dir(mlc_str(model))),
                       MLC_STR_FMT(locations.data[i]));
        ok = is_file(mlc_buf_c_str(&path)) &&
             mlc_file_open(&data, mlc_buf_c_str(&path), MLC_FILE_READ_ONLY, &error);
        if (ok) {
            add_bytes(key, &data);
            mlc_file_release(&data);
        }
    }
    mlc_buf_release(&path);
    mlc_buf_release(&error);
    mlc_vec_release(&locations);
    mlc_arena_release(&arena);
    return ok;
}

static bool
has_suffix(const char *name, const char *end)
{
    size_t size = strlen(name), end_size = strlen(end);
    return size >= end_size && strcmp(name + size - end_size, end) == 0;
}

static bool
make_key(MlcBuf *key, const char *model, const CompileOptions *options)
{
    MlcBuf error = {0};
    MlcFile file;
    bool is_text = has_suffix(model, ".mlir");
    bool ok = mlc_file_open(&file, model, MLC_FILE_READ_ONLY, &error);
    mlc_buf_release(&error);
    if (!ok)
        return false;
    if (is_text && memmem(file.data, file.size, MLC_RECORDED_SECTION,
                          sizeof MLC_RECORDED_SECTION - 1)) { // files that may have others
        mlc_file_release(&file);
        return false;
    }
    add_compiler(key);
    add_options(key, model, options);
    add_bytes(key, &file);
    ok = is_text || add_data_files(key, model, &file);
    mlc_file_release(&file);
    return ok;
}

static MlcStr
folder_of(const CompileOptions *options)
{
    const char *path = options->cache_dir.data ? options->cache_dir.data : getenv("MLC_CACHE_DIR");
    return mlc_str(path ? path : "");
}

bool
cache_place(const char *model, const CompileOptions *options, MlcBuf *place)
{
    MlcStr folder = folder_of(options);
    MlcBuf key = {0}, error = {0};
    mlc_buf_append_str(place, folder);
    bool ok = folder.size > 0 && !mlc_file_is_stream(model) && // which can be read once
              !extensions_are_given(&options->extensions) &&   // whose files may have others
              options->shared_libs.size == 0 &&                // which say shapes
              mlc_dir_create(mlc_buf_c_str(place), &error) && make_key(&key, model, options);
    mlc_buf_clear(place);
    if (ok)
        mlc_buf_printf(place, "%.*s/%0*llx", MLC_STR_FMT(folder), KEY_DIGITS,
                       (unsigned long long)mlc_artefact_hash(key.data, key.size));
    mlc_buf_release(&key);
    mlc_buf_release(&error);
    return ok;
}

// The hash in the artefact's header, which covers those of its parts; 0 if it has none.
static uint64_t
hash_in(int fd)
{
    MlcArtefactHeader header = {0};
    return pread(fd, &header, sizeof header, 0) == sizeof header ? header.hash : 0;
}

static uint64_t
hash_of(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t hash = fd >= 0 ? hash_in(fd) : 0;
    if (fd >= 0)
        close(fd);
    return hash;
}

static void
append_name(MlcBuf *path, const char *place, uint64_t hash)
{
    mlc_buf_printf(path, "%s-%016llx%s", place, (unsigned long long)hash, suffix);
}

// The file of this key, whatever its hash; false if there is none.
static bool
find_file(const char *place, MlcBuf *path)
{
    MlcStr folder = mlc_path_dir(mlc_str(place)), key = mlc_path_base(mlc_str(place));
    bool found = false;
    mlc_buf_append_str(path, folder);
    DIR *dir = opendir(mlc_buf_c_str(path));
    for (struct dirent *d; !found && dir && (d = readdir(dir));)
        if (has_suffix(d->d_name, suffix) && strncmp(d->d_name, key.data, key.size) == 0) {
            mlc_buf_printf(path, "/%s", d->d_name);
            found = true;
        }
    if (dir)
        closedir(dir);
    return found;
}

// The place's model and its file, which is removed if it is damaged. It is used now: `trim` takes
// what was not for longest. The access time says so, since the time of modification is also that of
// a user's file.
static MlcModel *
load(const char *place, MlcBuf *path, const MlcModelOptions *options, MlcRtError *error)
{
    static const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    MlcBuf expected = {0};
    MlcModel *model = NULL;
    if (find_file(place, path)) {
        append_name(&expected, place, hash_of(mlc_buf_c_str(path)));
        bool is_ours = mlc_str_equal(mlc_buf_str(path), mlc_buf_str(&expected));
        if (is_ours)
            model = mlc_model_load(mlc_buf_c_str(path), options, error);
        if (model || error->status == MLC_RT_ISA) // which is looked at last, after the hash
            (void)!utimensat(AT_FDCWD, mlc_buf_c_str(path), now, 0);
        else if (!is_ours || error->status == MLC_RT_CORRUPT || error->status == MLC_RT_VERSION)
            unlink(mlc_buf_c_str(path));
    }
    mlc_buf_release(&expected);
    return model;
}

MlcModel *
cache_load(const char *place, const MlcModelOptions *options)
{
    MlcRtError error = {0};
    MlcBuf path = {0};
    MlcModel *model = load(place, &path, options, &error);
    mlc_buf_release(&path);
    return model;
}

bool
cache_find(const char *place, MlcBuf *path)
{
    MlcRtError error = {0};
    MlcModel *model = load(place, path, NULL, &error);
    bool has = model || error.status == MLC_RT_ISA;
    mlc_model_destroy(model);
    return has;
}

bool
cache_give(const char *kept, const char *to, MlcBuf *error)
{
    struct stat from, there;
    bool is_new = stat(to, &there) != 0;
    if (stat(kept, &from) != 0 || strcmp(to, "-") == 0)
        return mlc_file_copy_atomic(kept, to, error);
    if (is_new ? from.st_nlink == 1 && link(kept, to) == 0
               : from.st_dev == there.st_dev && from.st_ino == there.st_ino) {
        (void)!utimensat(AT_FDCWD, to, NULL, 0); // for who compares it with its source
        return true;
    }
    return mlc_file_copy_atomic(kept, to, error);
}

typedef struct Entry {
    const char *name;
    off_t size;
    struct timespec used;
} Entry;
typedef MLC_VEC(Entry) Entries;

static int
latest_first(const void *a, const void *b)
{
    const struct timespec *x = &((const Entry *)a)->used, *y = &((const Entry *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return (x->tv_sec < y->tv_sec) - (x->tv_sec > y->tv_sec);
    return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

// Only what has a name that the cache gives is its own: a user may keep other files in the folder.
static size_t
key_digits(const char *name)
{
    size_t n = strspn(name, "0123456789abcdef");
    return n == KEY_DIGITS || n == OBJECT_DIGITS ? n : 0;
}

static bool
is_entry(const char *name)
{
    size_t n = key_digits(name);
    return n == OBJECT_DIGITS ? strcmp(name + n, ".o") == 0 : n > 0 && has_suffix(name, suffix);
}

// What a process that was killed left unfinished goes after a day.
static bool
is_left_over(const char *name, const struct stat *s)
{
    enum { DAY = 24 * 60 * 60 };
    size_t n = key_digits(name);
    return n > 0 && (!name[n] || has_suffix(name, ".tmp")) && time(NULL) - s->st_mtim.tv_sec > DAY;
}

static void
list_entries(DIR *dir, MlcArena *names, Entries *entries)
{
    for (struct dirent *d; (d = readdir(dir));) {
        struct stat s;
        if (fstatat(dirfd(dir), d->d_name, &s, 0) != 0 || !S_ISREG(s.st_mode))
            continue;
        if (is_entry(d->d_name))
            mlc_vec_push(entries, (Entry){mlc_arena_strdup(names, mlc_str(d->d_name)).data,
                                          s.st_size, s.st_atim});
        else if (is_left_over(d->d_name, &s))
            unlinkat(dirfd(dir), d->d_name, 0);
    }
}

// Takes away what was not used for longest, if all is too large now that `place` was written.
static void
trim(const char *place)
{
    const char *text = getenv("MLC_CACHE_LIMIT");
    long long limit = text ? strtoll(text, NULL, 10) : DEFAULT_LIMIT, total = 0;
    MlcBuf folder = {0};
    mlc_buf_append_str(&folder, mlc_path_dir(mlc_str(place)));
    DIR *dir = opendir(mlc_buf_c_str(&folder));
    MlcArena names;
    Entries entries = {0};
    mlc_arena_init(&names);
    if (dir)
        list_entries(dir, &names, &entries);
    if (entries.size)
        qsort(entries.data, entries.size, sizeof *entries.data, latest_first);
    for (size_t i = 0; i < entries.size; i++) {
        total += entries.data[i].size;
        if (total > limit && i > 0) // what was just made stays
            unlinkat(dirfd(dir), entries.data[i].name, 0);
    }
    mlc_vec_release(&entries);
    mlc_arena_release(&names);
    if (dir)
        closedir(dir);
    mlc_buf_release(&folder);
}

void
cache_keep(const char *place, const char *artefact)
{
    MlcBuf path = {0}, error = {0};
    append_name(&path, place, hash_of(artefact));
    const char *to = mlc_buf_c_str(&path);
    if (link(artefact, to) == 0 || errno == EEXIST || mlc_file_copy_atomic(artefact, to, &error))
        trim(place);
    mlc_buf_release(&path);
    mlc_buf_release(&error);
}

void
cache_commit(const char *place, MlcFileWriter *artefact)
{
    MlcBuf path = {0}, error = {0};
    append_name(&path, place, hash_in(artefact->fd));
    if (mlc_file_writer_commit_as(artefact, mlc_buf_c_str(&path), &error))
        trim(place);
    mlc_buf_release(&path);
    mlc_buf_release(&error);
}

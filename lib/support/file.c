// file.c -- mapping files with two NULs behind them, and replacing files whole.
//
// A file that is written has no name until it is whole (O_TMPFILE), so that nothing stays of a
// process that is killed; where the file system cannot do that, or another file is replaced, it has
// a temporary one, which is listed as unfinished. mlc_files_stop takes away what is listed. It
// takes the lock under which files are made and named and never gives it back: no other thread
// leaves anything between then and the process's end.
//
// flex scans a buffer in place if it may write into it and two NUL bytes follow. The rest of a
// file's last page is zero anyway; only when the size leaves less than two bytes of it, one more
// page is needed. So an anonymous mapping with room for both is made first and the file is mapped
// over its front: what remains behind is anonymous zero pages.
#include "mlc/support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mlc/support/vec.h"
#include "quota_here.h"

typedef MLC_VEC(char *) Names;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows
static Names unfinished;                                 // files and folders, as they were made
static bool is_together;                                 // what is made is listed until it is kept
static unsigned temp_counter;
static MlcQuota *quota; // that the thread which has the lock is under

// Whoever stops at a limit must not have the lock: mlc_files_stop waits for it.
static void
lock_files(void)
{
    pthread_mutex_lock(&lock);
    quota = mlc_quota_here;
    mlc_quota_here = NULL;
}

static void
unlock_files(void)
{
    mlc_quota_here = quota;
    pthread_mutex_unlock(&lock);
}

static bool
fail(MlcBuf *error, const char *path, int code)
{
    if (error)
        mlc_buf_printf(error, "'%s': %s", path, strerror(code));
    return false;
}

static bool
map_file(MlcFile *file, int fd, size_t size, MlcFileMode mode)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), needed;
    if (!mlc_add_size(size, 2 + page - 1, &needed))
        return false;
    needed &= ~(page - 1);
    int protection = mode == MLC_FILE_PRIVATE ? PROT_READ | PROT_WRITE : PROT_READ;
    int sharing = mode == MLC_FILE_PRIVATE ? MAP_PRIVATE : MAP_SHARED;
    char *data = mmap(NULL, needed, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        return false;
    if (mmap(data, size, protection, sharing | MAP_FIXED, fd, 0) == MAP_FAILED) {
        munmap(data, needed);
        return false;
    }
    *file = (MlcFile){.data = data, .size = size, .mapped_size = needed};
    return true;
}

static bool
read_all(MlcFile *file, int fd, const char *path, MlcBuf *error)
{
    MlcBuf bytes = {0};
    for (;;) {
        char *at = mlc_buf_reserve(&bytes, 1 << 16);
        ssize_t count = read(fd, at, 1 << 16);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            int code = errno;
            mlc_buf_release(&bytes);
            return fail(error, path, code);
        }
        if (count == 0)
            break;
        bytes.size += (size_t)count;
    }
    memset(mlc_buf_reserve(&bytes, 2), 0, 2);
    *file = (MlcFile){.data = bytes.data, .size = bytes.size};
    return true;
}

bool
mlc_file_open(MlcFile *file, const char *path, MlcFileMode mode, MlcBuf *error)
{
    *file = (MlcFile){0};
    if (strcmp(path, "-") == 0)
        return read_all(file, STDIN_FILENO, path, error);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(error, path, errno);
    struct stat info;
    bool ok;
    if (fstat(fd, &info) != 0)
        ok = fail(error, path, errno);
    else if (S_ISDIR(info.st_mode))
        ok = fail(error, path, EISDIR);
    else if (S_ISREG(info.st_mode) && info.st_size > 0 &&
             map_file(file, fd, (size_t)info.st_size, mode))
        ok = true;
    else
        ok = read_all(file, fd, path, error);
    close(fd);
    return ok;
}

void
mlc_file_release(MlcFile *file)
{
    if (file->mapped_size)
        munmap(file->data, file->mapped_size);
    else
        mlc_free(file->data);
    *file = (MlcFile){0};
}

void
mlc_file_forget(const MlcFile *file)
{
    if (file->mapped_size && madvise(file->data, file->mapped_size, MADV_DONTNEED) != 0)
        errno = 0; // then the pages stay
}

static char *
copy_c_string(const char *s)
{
    size_t size = strlen(s) + 1;
    return memcpy(mlc_malloc(size), s, size);
}

// The file that a chain of symbolic links ends at, so that the rename replaces the file and not the
// link.
static char *
resolve(const char *path)
{
    char *real = realpath(path, NULL);
    char *copy = copy_c_string(real ? real : path);
    free(real);
    return copy;
}

// ---- what is unfinished

static void
list_unfinished(const char *path)
{
    mlc_vec_push(&unfinished, copy_c_string(path));
}

static void
unlist_unfinished(const char *path)
{
    for (size_t i = unfinished.size; i > 0; --i) {
        if (strcmp(unfinished.data[i - 1], path) != 0)
            continue;
        mlc_free(unfinished.data[i - 1]);
        memmove(unfinished.data + i - 1, unfinished.data + i,
                (unfinished.size - i) * sizeof *unfinished.data);
        unfinished.size--;
        return;
    }
}

// What was made last goes first, so that folders are empty.
static void
discard(void)
{
    is_together = false;
    while (unfinished.size > 0) {
        char *path = unfinished.data[--unfinished.size];
        (void)!remove(path);
        mlc_free(path);
    }
}

void
mlc_files_together(void)
{
    lock_files();
    is_together = true;
    unlock_files();
}

void
mlc_files_keep(void)
{
    lock_files();
    is_together = false;
    while (unfinished.size > 0)
        mlc_free(unfinished.data[--unfinished.size]);
    mlc_vec_release(&unfinished);
    unlock_files();
}

void
mlc_files_discard(void)
{
    lock_files();
    discard();
    mlc_vec_release(&unfinished);
    unlock_files();
}

void
mlc_files_stop(void)
{
    lock_files();
    discard();
}

// ---- files that appear whole

static void
release_writer(MlcFileWriter *writer)
{
    mlc_free(writer->path);
    mlc_free(writer->temp_path);
    *writer = (MlcFileWriter){.fd = -1};
}

static char *
temp_name(const char *path)
{
    MlcBuf name = {0};
    mlc_buf_printf(&name, "%s.%ld-%u.tmp", path, (long)getpid(), temp_counter++);
    return mlc_buf_take(&name, NULL);
}

// A file without a name in the folder of `path`; -1 if the file system has none, or it could not be
// named later.
static int
open_nameless(const char *path)
{
    MlcBuf folder = {0};
    mlc_buf_append_str(&folder, mlc_path_dir(mlc_str(path)));
    int fd = access("/proc/self/fd", X_OK) == 0
                 ? open(mlc_buf_c_str(&folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666)
                 : -1;
    mlc_buf_release(&folder);
    return fd;
}

// Opens a new file beside `path`; its mode is what the process's mask leaves of 0666.
static int
open_temp(const char *path, char **temp_path)
{
    int fd = open_nameless(path);
    while (fd < 0) {
        *temp_path = temp_name(path);
        fd = open(*temp_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            list_unfinished(*temp_path);
        else if (errno != EEXIST)
            break;
        else
            mlc_free(*temp_path);
    }
    return fd;
}

bool
mlc_file_writer_begin(MlcFileWriter *writer, const char *path, MlcBuf *error)
{
    *writer = (MlcFileWriter){.fd = -1};
    if (strcmp(path, "-") == 0) {
        *writer = (MlcFileWriter){STDOUT_FILENO, copy_c_string(path), NULL, true};
        return true;
    }
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode))
        return fail(error, path, EISDIR);
    if (there && !S_ISREG(info.st_mode)) {
        writer->fd = open(path, O_WRONLY | O_CLOEXEC);
        if (writer->fd < 0)
            return fail(error, path, errno);
        writer->path = copy_c_string(path);
        writer->is_direct = true;
        return true;
    }
    if (there && access(path, W_OK) != 0)
        return fail(error, path, errno);
    writer->path = resolve(path);
    lock_files();
    writer->fd = open_temp(writer->path, &writer->temp_path);
    int code = errno;
    unlock_files();
    if (writer->fd < 0) {
        release_writer(writer);
        return fail(error, path, code);
    }
    // A file that cannot keep its mode is still the right file.
    if (there && fchmod(writer->fd, info.st_mode & 07777) != 0)
        errno = 0;
    return true;
}

// -1 if the folder takes no files.
static int
open_unlinked(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    MlcBuf name = {0};
    if (fd >= 0)
        return fd;
    mlc_buf_printf(&name, "%s/mlc-XXXXXX", folder);
    lock_files();
    fd = mkostemp(name.data, O_CLOEXEC);
    if (fd >= 0)
        unlink(name.data);
    unlock_files();
    mlc_buf_release(&name);
    return fd;
}

// In the first folder that takes files, which `*folder` becomes; -1 if there is none.
static int
open_temporary(const char **folder)
{
    const char *given = getenv("TMPDIR");
    const char *const folders[] = {given && *given ? given : "/var/tmp", "/tmp"};
    int fd = -1;
    for (size_t i = 0; fd < 0 && i < 2; i++)
        fd = open_unlinked(*folder = folders[i]);
    return fd;
}

void
mlc_file_writer_begin_temporary(MlcFileWriter *writer)
{
    const char *folder;
    *writer = (MlcFileWriter){.fd = open_temporary(&folder)};
    writer->path = copy_c_string(writer->fd >= 0 ? folder : "memory");
    if (writer->fd < 0)
        writer->fd = memfd_create("mlc", MFD_CLOEXEC);
}

// ---- memory in files

// What is less costs more to map than it saves.
enum { LEAST_MAPPED = 32 << 20 };

// A file of `size` bytes, all of which there is room for: a page that is not there when it is
// written ends the process. -1 if there is none.
static int
open_with_room(size_t size)
{
    const char *folder;
    struct rlimit most; // beyond which a signal comes
    if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur < size)
        return -1;
    int fd = open_temporary(&folder);
    if (fd >= 0 && fallocate(fd, 0, 0, (off_t)size) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void *
mlc_file_memory(size_t size)
{
    enum { ALIGNMENT = 64 };
    if (size > SIZE_MAX / 2)
        mlc_out_of_memory(size);
    size_t padded = (size / ALIGNMENT + 1) * ALIGNMENT;
    if (size < LEAST_MAPPED)
        return memset(mlc_aligned_alloc(ALIGNMENT, padded), 0, padded);
    int fd = open_with_room(size);
    void *data = MAP_FAILED;
    if (fd >= 0) {
        data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    if (data == MAP_FAILED)
        data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        mlc_out_of_memory(size);
    return data;
}

void
mlc_file_memory_release(void *data, size_t size)
{
    if (!data)
        return;
    if (size < LEAST_MAPPED)
        mlc_free(data);
    else
        munmap(data, size);
}

bool
mlc_file_writer_write(MlcFileWriter *writer, const void *data, size_t size, MlcBuf *error)
{
    const char *at = data;
    while (size > 0) {
        // One call writes at most 2 GiB on Linux; smaller pieces cost nothing.
        ssize_t count = write(writer->fd, at, size < (1u << 30) ? size : 1u << 30);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(error, writer->path, errno);
        at += count;
        size -= (size_t)count;
    }
    return true;
}

bool
mlc_file_writer_rewrite(MlcFileWriter *writer, const void *data, size_t size, MlcBuf *error)
{
    const char *at = data;
    for (off_t offset = 0; size > 0;) {
        ssize_t count = pwrite(writer->fd, at, size, offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(error, writer->path, errno);
        at += count;
        offset += count;
        size -= (size_t)count;
    }
    return true;
}

// A file that takes another's place is written out at once by some file systems (ext4), 0.3 s for
// 600 MB; one that changes places with it is not. The other file then has the temporary name.
static bool
take_place(const char *from, const char *to, bool *has_changed)
{
    *has_changed = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
    return *has_changed || rename(from, to) == 0;
}

// Under its own name, or, where there is a file already, a temporary one.
static bool
give_name(MlcFileWriter *writer, const char *path)
{
    char file[64];
    snprintf(file, sizeof file, "/proc/self/fd/%d", writer->fd);
    if (linkat(AT_FDCWD, file, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
        return true;
    while (errno == EEXIST) {
        char *name = temp_name(path);
        if (linkat(AT_FDCWD, file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            list_unfinished(name);
            writer->temp_path = name;
            return true;
        }
        mlc_free(name);
    }
    return false;
}

// Returns 0, or what went wrong. With the lock.
static int
name_whole_file(MlcFileWriter *writer, const char *path, bool *has_old)
{
    if (!writer->temp_path && !give_name(writer, path))
        return errno;
    if (writer->temp_path && !take_place(writer->temp_path, path, has_old))
        return errno;
    if (writer->temp_path && !*has_old)
        unlist_unfinished(writer->temp_path);
    if (is_together)
        list_unfinished(path);
    return 0;
}

static void
remove_temp(MlcFileWriter *writer)
{
    unlink(writer->temp_path);
    lock_files();
    unlist_unfinished(writer->temp_path);
    unlock_files();
}

// A named file is closed first, which may tell that it could not be written (NFS); a nameless one
// needs its descriptor to be named.
static bool
commit_as(MlcFileWriter *writer, const char *path, MlcBuf *error)
{
    bool is_named = writer->temp_path, has_old = false;
    int code = is_named && close(writer->fd) != 0 ? errno : 0;
    lock_files();
    if (code == 0)
        code = name_whole_file(writer, path, &has_old);
    unlock_files();
    if (!is_named)
        close(writer->fd);
    if (writer->temp_path && (has_old || code != 0))
        remove_temp(writer);
    if (code != 0)
        fail(error, path, code);
    release_writer(writer); // `path` may be its own
    return code == 0;
}

bool
mlc_file_writer_commit_as(MlcFileWriter *writer, const char *path, MlcBuf *error)
{
    return commit_as(writer, path, error);
}

bool
mlc_file_writer_commit(MlcFileWriter *writer, MlcBuf *error)
{
    if (!writer->is_direct)
        return commit_as(writer, writer->path, error);
    bool ok =
        writer->fd == STDOUT_FILENO || close(writer->fd) == 0 || fail(error, writer->path, errno);
    release_writer(writer);
    return ok;
}

void
mlc_file_writer_abandon(MlcFileWriter *writer)
{
    if (!writer->path)
        return;
    if (writer->fd != STDOUT_FILENO)
        close(writer->fd);
    if (writer->temp_path)
        remove_temp(writer);
    release_writer(writer);
}

bool
mlc_file_write_atomic(const char *path, const void *data, size_t size, MlcBuf *error)
{
    MlcFileWriter writer;
    if (!mlc_file_writer_begin(&writer, path, error))
        return false;
    if (!mlc_file_writer_write(&writer, data, size, error)) {
        mlc_file_writer_abandon(&writer);
        return false;
    }
    return mlc_file_writer_commit(&writer, error);
}

static bool
copy_bytes(const MlcFile *from, int from_fd, MlcFileWriter *writer, MlcBuf *error)
{
    if (!writer->is_direct && ioctl(writer->fd, FICLONE, from_fd) == 0)
        return true;
    return mlc_file_writer_write(writer, from->data, from->size, error);
}

bool
mlc_file_copy_atomic(const char *from, const char *to, MlcBuf *error)
{
    MlcFileWriter writer;
    MlcFile file;
    if (!mlc_file_open(&file, from, MLC_FILE_READ_ONLY, error))
        return false;
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    bool ok = mlc_file_writer_begin(&writer, to, error);
    if (ok && copy_bytes(&file, fd, &writer, error))
        ok = mlc_file_writer_commit(&writer, error);
    else if (ok) {
        mlc_file_writer_abandon(&writer);
        ok = false;
    }
    if (fd >= 0)
        close(fd);
    mlc_file_release(&file);
    return ok;
}

bool
mlc_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool
mlc_file_is_stream(const char *path)
{
    struct stat info;
    return strcmp(path, "-") == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

static bool
make_one_dir(const char *path)
{
    struct stat info;
    lock_files();
    int code = mkdir(path, 0777) == 0 ? 0 : errno;
    if (code == 0 && is_together)
        list_unfinished(path);
    unlock_files();
    if (code == 0)
        return true;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return true;
    errno = code == EEXIST ? ENOTDIR : code;
    return false;
}

bool
mlc_dir_create(const char *path, MlcBuf *error)
{
    char *part = copy_c_string(path);
    bool ok = true;
    for (char *p = part; ok && *p; p++) {
        if (*p != '/' || p == part)
            continue;
        *p = '\0';
        ok = make_one_dir(part);
        *p = '/';
    }
    ok = ok && make_one_dir(part);
    mlc_free(part);
    return ok || fail(error, path, errno);
}

MlcStr
mlc_path_dir(MlcStr path)
{
    size_t end = path.size;
    while (end > 0 && path.data[end - 1] != '/')
        --end;
    if (end == 0)
        return mlc_str(".");
    while (end > 1 && path.data[end - 1] == '/')
        --end;
    return mlc_str_n(path.data, end);
}

MlcStr
mlc_path_base(MlcStr path)
{
    size_t start = path.size;
    while (start > 0 && path.data[start - 1] != '/')
        --start;
    return mlc_str_n(path.data + start, path.size - start);
}

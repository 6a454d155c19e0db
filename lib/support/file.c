// file.c -- mapping files with two NULs behind them, and replacing files whole.
//
// flex scans a buffer in place if it may write into it and two NUL bytes follow. The rest of a
// file's last page is zero anyway; only when the size leaves less than two bytes of it, one more
// page is needed. So an anonymous mapping with room for both is made first and the file is mapped
// over its front: what remains behind is anonymous zero pages.
#include "mlc/support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void
release_writer(MlcFileWriter *writer)
{
    mlc_free(writer->path);
    mlc_free(writer->temp_path);
    *writer = (MlcFileWriter){.fd = -1};
}

// Opens a new file beside `path`; its mode is what the process's mask leaves of 0666.
static int
open_temp(const char *path, char **temp_path)
{
    static atomic_uint counter;
    for (;;) {
        MlcBuf name = {0};
        mlc_buf_printf(&name, "%s.%ld-%u.tmp", path, (long)getpid(), atomic_fetch_add(&counter, 1));
        *temp_path = mlc_buf_take(&name, NULL);
        int fd = open(*temp_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
        mlc_free(*temp_path);
    }
}

bool
mlc_file_writer_begin(MlcFileWriter *writer, const char *path, MlcBuf *error)
{
    *writer = (MlcFileWriter){.fd = -1};
    if (strcmp(path, "-") == 0) {
        writer->fd = STDOUT_FILENO;
        writer->path = copy_c_string(path);
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
        return true;
    }
    if (there && access(path, W_OK) != 0)
        return fail(error, path, errno);
    writer->path = resolve(path);
    writer->fd = open_temp(writer->path, &writer->temp_path);
    if (writer->fd < 0) {
        int code = errno;
        release_writer(writer);
        return fail(error, path, code);
    }
    // A file that cannot keep its mode is still the right file.
    if (there && fchmod(writer->fd, info.st_mode & 07777) != 0)
        errno = 0;
    return true;
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
// 600 MB; one that changes places with it is not.
static bool
take_place(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) != 0)
        return rename(from, to) == 0;
    unlink(from);
    return true;
}

bool
mlc_file_writer_commit(MlcFileWriter *writer, MlcBuf *error)
{
    bool ok = true;
    if (writer->fd != STDOUT_FILENO && close(writer->fd) != 0)
        ok = fail(error, writer->path, errno);
    if (ok && writer->temp_path && !take_place(writer->temp_path, writer->path))
        ok = fail(error, writer->path, errno);
    if (!ok && writer->temp_path)
        unlink(writer->temp_path);
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
        unlink(writer->temp_path);
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
    if (writer->temp_path && ioctl(writer->fd, FICLONE, from_fd) == 0)
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
    if (mkdir(path, 0777) == 0)
        return true;
    int code = errno;
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
    for (char *p = part; ok && *p; ++p) {
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

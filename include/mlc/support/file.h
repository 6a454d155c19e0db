// file.h -- whole files in and out, directories; failures as text.
//
// Functions that fail return false and append `'path': reason` (strerror's words) to `error`.
//
// Ownership: files and writers are the caller's: release the one, commit or abandon the other.
// Threads: any, on structs of their own; what is unfinished is known to the process.
#ifndef MLC_SUPPORT_FILE_H
#define MLC_SUPPORT_FILE_H

#include "mlc/support/base.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

typedef enum MlcFileMode {
    MLC_FILE_READ_ONLY, // shared pages, not writable
    MLC_FILE_PRIVATE,   // writable, the file stays as it is: what flex scans in place
} MlcFileMode;

// A file in memory. Two NUL bytes follow its last byte in both modes.
typedef struct MlcFile {
    char *data;
    size_t size;        // bytes, the two NULs not counted
    size_t mapped_size; // bytes to unmap; 0: `data` came from mlc_malloc
} MlcFile;

// "-" reads standard input. What cannot be mapped (a pipe) is read.
MLC_API MLC_NODISCARD bool mlc_file_open(MlcFile *file, const char *path, MlcFileMode mode,
                                         MlcBuf *error);
MLC_API void mlc_file_release(MlcFile *file);
// Gives back the memory of a file that is hardly read again: its pages come from disk when they
// are. What a private mapping's owner wrote into it is lost.
MLC_API void mlc_file_forget(const MlcFile *file);

// Writes a new file and gives it the name `path` when it is whole: readers see the old file or the
// new one. A path that is there and no regular file (/dev/stdout, a pipe) is written to directly;
// "-" is standard output.
MLC_API MLC_NODISCARD bool mlc_file_write_atomic(const char *path, const void *data, size_t size,
                                                 MlcBuf *error);

// The same in pieces, for files that are not in one buffer: begin, write to `fd`, then commit or
// abandon. Until then the file has no name, where the file system can do that.
typedef struct MlcFileWriter {
    int fd; // read and write, unless it is direct
    char *path;
    char *temp_path; // its name until then, "PATH.PID-N.tmp"; NULL: none
    bool is_direct;  // what is written is gone: standard output, a pipe, a device
} MlcFileWriter;

// Opens a file beside `path`, under a name of its own. False, with why in `error`.
MLC_API MLC_NODISCARD bool mlc_file_writer_begin(MlcFileWriter *writer, const char *path,
                                                 MlcBuf *error);
// A file that never gets a name, only to be abandoned: in TMPDIR (/var/tmp, /tmp), or in memory
// where no folder takes files.
MLC_API void mlc_file_writer_begin_temporary(MlcFileWriter *writer);
MLC_API MLC_NODISCARD bool mlc_file_writer_write(MlcFileWriter *writer, const void *data,
                                                 size_t size, MlcBuf *error);
// What was written first becomes `data`; an error where there is no going back (a pipe).
MLC_API MLC_NODISCARD bool mlc_file_writer_rewrite(MlcFileWriter *writer, const void *data,
                                                   size_t size, MlcBuf *error);
MLC_API MLC_NODISCARD bool mlc_file_writer_commit(MlcFileWriter *writer, MlcBuf *error);
// Under another name in the same file system; for a file that is not direct.
MLC_API MLC_NODISCARD bool mlc_file_writer_commit_as(MlcFileWriter *writer, const char *path,
                                                     MlcBuf *error);
// Does nothing after a failed begin or a commit.
MLC_API void mlc_file_writer_abandon(MlcFileWriter *writer);

// `size` zeroed bytes at a multiple of 64, for what is made of a model's weights. Many of them are
// pages of such a temporary file, which the system can write out where it is short of memory; few,
// or where no file takes them, are plain memory. Released with the same size.
MLC_API void *mlc_file_memory(size_t size);
MLC_API void mlc_file_memory_release(void *data, size_t size);

// Files and folders of one result, which is there as a whole or not at all: those made after
// `together` are taken away again by `discard`, unless `keep` came first. Of the process.
MLC_API void mlc_files_together(void);
MLC_API void mlc_files_keep(void);
MLC_API void mlc_files_discard(void);
// For a process that is about to end: takes away what is unfinished, and from now on threads that
// would make or name a file wait forever. Not for a signal handler itself, but for a thread that
// waits for signals.
MLC_API void mlc_files_stop(void);

// A copy of a regular file, whole or not at all; shares the blocks where the file system can.
MLC_API MLC_NODISCARD bool mlc_file_copy_atomic(const char *from, const char *to, MlcBuf *error);

// Whether there is anything of that name that we may see.
MLC_API bool mlc_file_exists(const char *path);

// Makes `path` and its missing parents; one that is there is fine.
MLC_API MLC_NODISCARD bool mlc_dir_create(const char *path, MlcBuf *error);

// Whether what is written to `path` goes straight to a reader and cannot be read again: "-", a
// pipe, a device.
MLC_API bool mlc_file_is_stream(const char *path);

// "dir/base.ext": the part up to the last '/', "." without one; what follows it.
MLC_API MlcStr mlc_path_dir(MlcStr path);
MLC_API MlcStr mlc_path_base(MlcStr path);

MLC_END_DECLS

#endif

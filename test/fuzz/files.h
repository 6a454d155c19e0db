// files.h -- a folder for files whose readers want a path. It goes with the process, however that
// ends.
#ifndef MLC_TEST_FUZZ_FILES_H
#define MLC_TEST_FUZZ_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char fuzz_folder[] = "/tmp/mlc_fuzz_XXXXXX", fuzz_path[64];

// A child waits for the end of a pipe whose other end only this process has: handlers would not
// hear of a kill, and libFuzzer takes the signals for itself. The child's session is its own, so
// that Ctrl-C leaves it to its work.
static inline void
fuzz_make_folder(void)
{
    int ends[2];
    if (!mkdtemp(fuzz_folder) || pipe2(ends, O_CLOEXEC) != 0)
        abort();
    if (fork() == 0) {
        char byte;
        setsid();
        close(ends[1]);
        while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
            ;
        execlp("rm", "rm", "-rf", fuzz_folder, (char *)NULL);
        _exit(1);
    }
    close(ends[0]);
}

// Writes the one file of this process's folder; its path holds until the next call.
static inline const char *
fuzz_write(const char *name, const void *data, size_t size)
{
    if (fuzz_path[0])
        unlink(fuzz_path);
    else
        fuzz_make_folder();
    snprintf(fuzz_path, sizeof fuzz_path, "%s/%s", fuzz_folder, name);
    FILE *file = fopen(fuzz_path, "wb");
    if (!file || (size > 0 && fwrite(data, size, 1, file) != 1) || fclose(file) != 0)
        abort();
    return fuzz_path;
}

#endif

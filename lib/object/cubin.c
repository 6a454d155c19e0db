// cubin.c -- see cubin.h.
//
// The program is started without a shell. What it reads, writes and says goes through files that
// never have names, so there is nothing to clean up, whatever ends this process.
#include "cubin.h"

#include "mlc/support/file.h"
#include "mlc/target.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool
is_program(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

// In the folders of PATH that are told from the root: what is looked for in the current one is
// whatever lies there.
static bool
find_in_path(MlcBuf *path)
{
    const char *rest = getenv("PATH");
    while (rest && *rest) {
        size_t size = strcspn(rest, ":");
        mlc_buf_clear(path);
        mlc_buf_printf(path, "%.*s/ptxas", (int)size, rest);
        if (*rest == '/' && is_program(mlc_buf_c_str(path)))
            return true;
        rest += size + (rest[size] == ':');
    }
    mlc_buf_clear(path);
    return false;
}

bool
mlc_ptxas_find(MlcStr given, MlcBuf *path, MlcBuf *error)
{
    if (given.size == 0)
        return find_in_path(path);
    mlc_buf_append_str(path, given);
    if (is_program(mlc_buf_c_str(path)))
        return true;
    if (error)
        mlc_buf_printf(error, "'%.*s' is no program that could be ptxas", MLC_STR_FMT(given));
    return false;
}

static bool
read_all(int fd, MlcBuf *out)
{
    char bytes[4096];
    ssize_t got;
    if (lseek(fd, 0, SEEK_SET) != 0)
        return false;
    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        mlc_buf_append(out, bytes, (size_t)got);
    return got == 0;
}

// Ends a child that takes longer. Where the system (before Linux 5.3) does not tell the end of one,
// it takes what it takes.
static bool
ends_within(pid_t child, int seconds)
{
    int fd = pidfd_open(child, 0), result;
    struct pollfd end = {.fd = fd, .events = POLLIN};
    if (fd < 0)
        return true;
    do
        result = poll(&end, 1, seconds * 1000);
    while (result < 0 && errno == EINTR);
    if (result == 0)
        (void)kill(child, SIGKILL);
    (void)close(fd);
    return result != 0;
}

// Its status, as of waitpid; -1 with why in `error`. It reads `in`, writes `out` (its descriptor 3)
// and says things to `said`.
static int
run(char *const *argv, int in, int out, int said, int seconds, MlcBuf *error)
{
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, 0);
    posix_spawn_file_actions_adddup2(&files, said, 1);
    posix_spawn_file_actions_adddup2(&files, said, 2);
    posix_spawn_file_actions_adddup2(&files, out, 3);
    int result = posix_spawn(&child, argv[0], &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    bool is_late = result == 0 && !ends_within(child, seconds);
    while (result == 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            result = errno;
    if (is_late) {
        mlc_buf_printf(error, "'%s' takes more than %d s", argv[0], seconds);
        return -1;
    }
    if (result == 0)
        return status;
    mlc_buf_printf(error, "'%s' does not run: %s", argv[0], strerror(result));
    return -1;
}

static void
tell_failure(const char *ptxas, int status, int said, MlcBuf *error)
{
    MlcBuf text = {0};
    (void)read_all(said, &text);
    const char *line = mlc_buf_c_str(&text);
    if (WIFEXITED(status))
        mlc_buf_printf(error, "'%s' ends with %d: %.*s", ptxas, WEXITSTATUS(status),
                       (int)strcspn(line, "\n"), line);
    else
        mlc_buf_printf(error, "'%s' is ended by signal %d", ptxas, WTERMSIG(status));
    mlc_buf_release(&text);
}

bool
cubin_assemble(const char *ptxas, const char *cpu, MlcStr ptx, int seconds, MlcBuf *cubin,
               MlcBuf *error)
{
    static const char magic[] = "\x7f"
                                "ELF";
    MlcFileWriter files[3]; // what it reads, writes and says
    MlcBuf arch = {0};
    for (size_t i = 0; i < 3; i++)
        mlc_file_writer_begin_temporary(&files[i]);
    mlc_buf_printf(&arch, "-arch=%s", cpu);
    const char *argv[] = {ptxas, mlc_buf_c_str(&arch), "-o", "/dev/fd/3", "-", NULL};
    bool ok = mlc_file_writer_write(&files[0], ptx.data, ptx.size, error);
    if (ok && lseek(files[0].fd, 0, SEEK_SET) == 0) {
        int status = run((char *const *)(uintptr_t)argv, files[0].fd, files[1].fd, files[2].fd,
                         seconds, error);
        ok = status == 0 && read_all(files[1].fd, cubin) && cubin->size > sizeof magic &&
             memcmp(cubin->data, magic, sizeof magic - 1) == 0;
        if (!ok && status >= 0)
            tell_failure(ptxas, status, files[2].fd, error);
    }
    for (size_t i = 0; i < 3; i++)
        mlc_file_writer_abandon(&files[i]);
    mlc_buf_release(&arch);
    return ok;
}

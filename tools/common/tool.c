// tool.c -- signals, standard output, the version.
//
// Signals are blocked in all threads and taken by one that waits for them: what it does then may
// take locks and free memory, which a handler must not.
#include "tool.h"

#include "mlc/support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sigset_t awaited;
static const char *name;

static void *
end_on_signal(void *unused)
{
    int number;
    sigset_t one;
    (void)unused;
    while (sigwait(&awaited, &number) != 0)
        ;
    mlc_files_stop();
    sigemptyset(&one);
    sigaddset(&one, number);
    kill(getpid(), number); // its action is the default one still
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

// The first file opened must not become standard output. Where that was closed, what is printed
// fails, as it would have.
static void
occupy_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void
tool_begin(const char *tool)
{
    name = tool;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;
    pthread_t thread;
    occupy_standard_files();
    sigemptyset(&awaited);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            sigaddset(&awaited, numbers[i]); // nohup and a shell's & ignore some: so do we
    signal(SIGXFSZ, SIG_IGN);
    pthread_sigmask(SIG_BLOCK, &awaited, NULL);
    if (pthread_create(&thread, NULL, end_on_signal, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
}

const char *
tool_name(void)
{
    return name;
}

bool
tool_error(const char *format, ...)
{
    fprintf(stderr, "%s: ", name);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return false;
}

int
tool_end(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        tool_error("cannot write to standard output: %s", strerror(errno));
        code = code ? code : 1;
    }
    if (code == 0)
        mlc_files_keep();
    else
        mlc_files_discard();
    return code;
}

void
tool_print_version(const char *version)
{
    printf("%s %s (%s%s, %s)\n", name, version ? version : MLC_VERSION,
           version ? "mlc " MLC_VERSION ", " : "", MLC_LLVM_VERSION, MLC_BUILD_TYPE);
}

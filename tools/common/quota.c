// quota.c -- a thread that waits for the time to be up, or for another one to exceed a limit.
//
// Who exceeds one may hold any lock, so it only says so and stops; the waiting thread tells and
// ends the process. It asks for no lock but its own, that of the tasks and that of files, under
// which no limit is looked at (lib/support/file.c).
#include "quota.h"

#include "tool.h"

#include "mlc/support/budget.h"
#include "mlc/support/file.h"
#include "mlc/support/quota.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char begun[1 << 13]; // of the message, while nothing is known
static MlcQuotaLimits limits;
static MlcQuota *quota; // NULL: no limit holds
static pthread_t watcher;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; // of what follows, under `lock`
static MlcQuotaKind exceeded;
static bool is_over;

static void
tell_and_end(void)
{
    MlcBuf text = {0};
    mlc_quota_describe(&limits, exceeded, &text);
    dprintf(STDERR_FILENO, "%s %s\n", begun, mlc_buf_c_str(&text));
    mlc_files_stop();
    _exit(1);
}

static void *
watch(void *user)
{
    const struct timespec *end = user;
    pthread_mutex_lock(&lock);
    int code = 0;
    while (!is_over && !exceeded && code == 0)
        code = limits.nanoseconds ? pthread_cond_timedwait(&changed, &lock, end)
                                  : pthread_cond_wait(&changed, &lock);
    if (!is_over && !exceeded) {
        exceeded = MLC_QUOTA_TIME;
        mlc_quota_task_tell(begun, sizeof begun);
    }
    if (!is_over)
        tell_and_end(); // with the lock: nobody gets away
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void
on_exceeded(MlcQuotaKind kind, void *user)
{
    (void)user;
    pthread_mutex_lock(&lock);
    exceeded = kind;
    mlc_quota_task_tell(begun, sizeof begun);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    for (;;)
        pause();
}

static bool
parse_size(MlcStr text, int64_t *bytes)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB", "TiB"};
    char copy[32], *end;
    if (text.size == 0 || text.size >= sizeof copy || text.data[0] < '0' || text.data[0] > '9')
        return false;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    *bytes = strtoll(copy, &end, 10);
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i]) == 0)
            return *bytes > 0 && *bytes <= INT64_MAX >> 10 * i && (*bytes <<= 10 * i, true);
    return false;
}

static bool
complain(const char *option, const char *expected, MlcStr got)
{
    return tool_error("option '--%s' expects %s, got '%.*s'", option, expected, MLC_STR_FMT(got));
}

bool
tool_read_size(const char *option, MlcStr text, int64_t *bytes)
{
    return parse_size(text, bytes) || complain(option, "a size such as 512MiB or 2GiB", text);
}

static bool
read_flags(const QuotaFlags *flags)
{
    if (flags->memory.data && !tool_read_size("max-memory", flags->memory, &limits.memory))
        return false;
    if (flags->time.data && !mlc_parse_duration(flags->time, &limits.nanoseconds))
        return complain("max-seconds", "a time such as 10 or 0.5", flags->time);
    limits.ops = flags->ops;
    return limits.ops >= 0 ||
           tool_error("option '--max-ops' expects a number that is not negative, got %lld",
                      (long long)limits.ops);
}

bool
tool_quota_begin(const QuotaFlags *flags)
{
    static struct timespec end;
    if (!read_flags(flags))
        return false;
    if (quota || (!limits.memory && !limits.ops && !limits.nanoseconds))
        return true;
    snprintf(begun, sizeof begun, "%s:", tool_name());
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t at = end.tv_nsec + limits.nanoseconds;
    end.tv_sec += (time_t)(at / 1000000000);
    end.tv_nsec = (long)(at % 1000000000);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
    int code = pthread_create(&watcher, NULL, watch, &end);
    if (code != 0)
        return tool_error("%s", strerror(code));
    quota = mlc_quota_begin(&limits, on_exceeded, NULL);
    return true;
}

bool
tool_quota_holds(void)
{
    return quota != NULL;
}

void
tool_quota_end(void)
{
    if (!quota)
        return;
    (void)mlc_quota_exceeded(quota); // the watcher may be late: then it ends the process here
    pthread_mutex_lock(&lock);
    is_over = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(watcher, NULL);
    pthread_cond_destroy(&changed);
    mlc_quota_end(quota);
    quota = NULL;
}

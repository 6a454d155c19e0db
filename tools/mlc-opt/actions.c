// actions.c -- watches, times and counts actions. Profiles are Chrome's trace-event JSON.
#include "actions.h"

#include "tool.h"

#include "mlc/ir/op.h"
#include "mlc/support/buf.h"
#include "mlc/support/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tags[] = {"apply-pattern", "greedy-iteration", "pass-execution"};

static DebugCounter *
find_counter(ActionWatch *watch, MlcStr tag)
{
    for (size_t i = 0; i < watch->counts.size; i++)
        if (mlc_str_equal(watch->counts.data[i].tag, tag))
            return &watch->counts.data[i];
    return NULL;
}

// One "tag-skip=N" or "tag-count=N".
static bool
read_counter(ActionWatch *watch, MlcStr text)
{
    char copy[80];
    if (text.size >= sizeof copy)
        return tool_error("malformed debug counter '%.*s'", MLC_STR_FMT(text));
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    char *equals = strchr(copy, '='),
         *dash = equals ? memrchr(copy, '-', (size_t)(equals - copy)) : NULL;
    char *end = NULL;
    long long value = equals ? strtoll(equals + 1, &end, 10) : -1;
    if (!dash || value < 0 || *end || end == equals + 1)
        return tool_error("malformed debug counter '%.*s'", MLC_STR_FMT(text));
    *equals = *dash = '\0';
    DebugCounter *counter = find_counter(watch, mlc_str(copy));
    bool is_skip = strcmp(dash + 1, "skip") == 0;
    if (!counter || (!is_skip && strcmp(dash + 1, "count") != 0))
        return tool_error("no such debug counter: '%.*s'", MLC_STR_FMT(text));
    *(is_skip ? &counter->skip : &counter->count) = value;
    return true;
}

static FILE *
open_file(MlcStr path)
{
    if (mlc_str_equal(path, mlc_str("-")))
        return stderr;
    FILE *file = fopen(path.data, "w");
    if (!file)
        tool_error("cannot write '%s': %s", path.data, strerror(errno));
    return file;
}

bool
actions_open(ActionWatch *watch)
{
    pthread_mutex_init(&watch->lock, NULL);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        mlc_vec_push(&watch->counts, ((DebugCounter){.tag = mlc_str(tags[i]), .count = -1}));
    for (MlcStr rest = watch->counters; rest.size > 0;) {
        const char *comma = memchr(rest.data, ',', rest.size);
        size_t size = comma ? (size_t)(comma - rest.data) : rest.size;
        if (!read_counter(watch, mlc_str_n(rest.data, size)))
            return false;
        size += comma != NULL;
        rest = mlc_str_n(rest.data + size, rest.size - size);
    }
    if (watch->log.size > 0 && !(watch->log_file = open_file(watch->log)))
        return false;
    return watch->profile.size == 0 || (watch->profile_file = open_file(watch->profile));
}

static void
log_action(ActionWatch *watch, const char *what, const MlcAction *action)
{
    if (!watch->log_file)
        return;
    fprintf(watch->log_file, "%s `%s`", what, action->tag);
    if (*action->name)
        fprintf(watch->log_file, " `%s`", action->name);
    if (action->iteration > 0)
        fprintf(watch->log_file, " %" PRId64, action->iteration);
    if (action->op)
        fprintf(watch->log_file, " on '%.*s'", MLC_STR_FMT(mlc_op_name(action->op)));
    if (action->reason)
        fprintf(watch->log_file, ": %s", action->reason);
    fputc('\n', watch->log_file);
}

static void
trace_action(ActionWatch *watch, char phase, const MlcAction *action)
{
    if (!watch->profile_file)
        return;
    fprintf(watch->profile_file,
            "%s{\"name\": \"%s\", \"cat\": \"PERF\", \"ph\": \"%c\", \"pid\": 0, \"tid\": %ld, "
            "\"ts\": %" PRId64 ", \"args\": {\"desc\": \"%s\"}}",
            watch->had_event ? ",\n" : "[", action->tag, phase, (long)gettid(),
            mlc_clock_wall() / 1000, action->name);
    watch->had_event = true;
}

static bool
begin(const MlcAction *action, void *user)
{
    ActionWatch *watch = user;
    pthread_mutex_lock(&watch->lock);
    DebugCounter *counter = find_counter(watch, mlc_str(action->tag));
    bool goes = true;
    if (counter) {
        int64_t number = counter->seen++;
        goes = number >= counter->skip &&
               (counter->count < 0 || number - counter->skip < counter->count);
    }
    log_action(watch, goes ? "begins" : "skips", action);
    if (goes)
        trace_action(watch, 'B', action);
    pthread_mutex_unlock(&watch->lock);
    return goes;
}

static void
end(const MlcAction *action, void *user)
{
    ActionWatch *watch = user;
    pthread_mutex_lock(&watch->lock);
    log_action(watch, "completed", action);
    trace_action(watch, 'E', action);
    pthread_mutex_unlock(&watch->lock);
}

void
actions_install(ActionWatch *watch, MlcContext *ctx)
{
    MlcActionHandler handler = {MLC_SIZED(MlcActionHandler), .begin = begin, .end = end,
                                .user = watch};
    if (watch->log_file || watch->profile_file || watch->counters.size > 0 || watch->print_counters)
        mlc_context_set_action_handler(ctx, &handler);
}

static void
close_file(FILE *file)
{
    if (file && file != stderr)
        fclose(file);
}

void
actions_close(ActionWatch *watch)
{
    if (watch->print_counters) {
        fprintf(stderr, "DebugCounter counters:\n");
        for (size_t i = 0; i < watch->counts.size; i++) {
            const DebugCounter *c = &watch->counts.data[i];
            fprintf(stderr, "%-32.*s: {%" PRId64 ",%" PRId64 ",%" PRId64 "}\n", MLC_STR_FMT(c->tag),
                    c->seen, c->skip, c->count < 0 ? 0 : c->count);
        }
    }
    if (watch->profile_file)
        fprintf(watch->profile_file, "%s]\n", watch->had_event ? "" : "[");
    close_file(watch->log_file);
    close_file(watch->profile_file);
    mlc_vec_release(&watch->counts);
    pthread_mutex_destroy(&watch->lock);
}

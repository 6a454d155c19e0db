// cli.c -- matching arguments against the table, help text, "did you mean".
#include "mlc/support/cli.h"

#include <errno.h>
#include <stdlib.h>

static const MlcCliOption *
find_option(const MlcCliOption *options, size_t num_options, MlcStr name)
{
    for (size_t i = 0; i < num_options; i++)
        if (mlc_str_equal(mlc_str(options[i].name), name))
            return &options[i];
    return NULL;
}

// Appends a line of its own.
static bool MLC_PRINTF(2, 3) fault(MlcBuf *error, const char *format, ...)
{
    if (error->size > 0 && error->data[error->size - 1] != '\n')
        mlc_buf_append_char(error, '\n');
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(error, format, args);
    va_end(args);
    return false;
}

static bool
unknown_option(const MlcCliOption *options, size_t num_options, MlcStr name, MlcBuf *error)
{
    MlcStr *names = mlc_calloc(num_options, sizeof *names);
    for (size_t i = 0; i < num_options; i++)
        names[i] = mlc_str(options[i].name);
    MlcStr near = mlc_closest_name(name, names, num_options);
    mlc_free(names);
    fault(error, "unknown option '--%.*s'", MLC_STR_FMT(name));
    if (near.size > 0)
        mlc_buf_printf(error, "; did you mean '--%.*s'?", MLC_STR_FMT(near));
    return false;
}

static bool
set_flag(const MlcCliOption *option, MlcStr value, MlcBuf *error)
{
    bool *target = option->target;
    if (!value.data || mlc_str_equal(value, mlc_str("true")) || mlc_str_equal(value, mlc_str("1")))
        *target = true;
    else if (mlc_str_equal(value, mlc_str("false")) || mlc_str_equal(value, mlc_str("0")))
        *target = false;
    else
        return fault(error, "option '--%s' expects true or false, got '%.*s'", option->name,
                     MLC_STR_FMT(value));
    return true;
}

// `value` is the end of an argument, so a NUL follows it.
static bool
set_int(const MlcCliOption *option, MlcStr value, MlcBuf *error)
{
    char *end;
    errno = 0;
    long long number = strtoll(value.data, &end, 0);
    if (value.size == 0 || *end || errno)
        return fault(error, "option '--%s' expects an integer, got '%.*s'", option->name,
                     MLC_STR_FMT(value));
    *(int64_t *)option->target = number;
    return true;
}

static bool
set_double(const MlcCliOption *option, MlcStr value, MlcBuf *error)
{
    char *end;
    double number = strtod(value.data, &end);
    if (value.size == 0 || *end)
        return fault(error, "option '--%s' expects a number, got '%.*s'", option->name,
                     MLC_STR_FMT(value));
    *(double *)option->target = number;
    return true;
}

// The event's message becomes a line of its own.
static bool
call_event(const MlcCliOption *option, MlcStr value, MlcBuf *error)
{
    MlcBuf message = {0};
    bool ok = option->event(option->target, mlc_str(option->name), value, &message);
    if (message.size > 0)
        fault(error, "%.*s", MLC_STR_FMT(mlc_buf_str(&message)));
    mlc_buf_release(&message);
    return ok;
}

static bool
apply(const MlcCliOption *option, MlcStr value, MlcBuf *error)
{
    switch (option->kind) {
    case MLC_CLI_FLAG:
        return set_flag(option, value, error);
    case MLC_CLI_STRING:
        *(MlcStr *)option->target = value;
        return true;
    case MLC_CLI_INT:
        return set_int(option, value, error);
    case MLC_CLI_DOUBLE:
        return set_double(option, value, error);
    case MLC_CLI_LIST:
        mlc_vec_push((MlcStrVec *)option->target, value);
        return true;
    case MLC_CLI_EVENT:
        return call_event(option, value, error);
    }
    mlc_bug("option '%s' has no kind", option->name);
}

static bool
wants_value(const MlcCliOption *option)
{
    return option->kind != MLC_CLI_FLAG && option->kind != MLC_CLI_EVENT;
}

bool
mlc_cli_parse(const MlcCliOption *options, size_t num_options, int argc, char *const *argv,
              MlcStrVec *positional, MlcBuf *error)
{
    bool ok = true, only_positional = false;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (only_positional || arg[0] != '-' || arg[1] == '\0') {
            mlc_vec_push(positional, mlc_str(arg));
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_positional = true;
            continue;
        }
        arg += arg[1] == '-' ? 2 : 1;
        const char *equals = strchr(arg, '=');
        MlcStr name = mlc_str_n(arg, equals ? (size_t)(equals - arg) : strlen(arg));
        MlcStr value = mlc_str(equals ? equals + 1 : NULL);
        const MlcCliOption *option = find_option(options, num_options, name);
        if (!option) {
            ok = unknown_option(options, num_options, name, error);
        } else if (wants_value(option) && !equals && i + 1 == argc) {
            ok = fault(error, "option '--%s' expects a value", option->name);
        } else {
            if (wants_value(option) && !equals)
                value = mlc_str(argv[++i]);
            ok &= apply(option, value, error);
        }
    }
    return ok;
}

static const char *
value_name(const MlcCliOption *option)
{
    static const char *const by_kind[] = {
        [MLC_CLI_STRING] = "string", [MLC_CLI_INT] = "int",  [MLC_CLI_DOUBLE] = "number",
        [MLC_CLI_LIST] = "string",   [MLC_CLI_EVENT] = NULL, [MLC_CLI_FLAG] = NULL,
    };
    return option->value_name ? option->value_name : by_kind[option->kind];
}

// "  --name=<value>", and its length.
static size_t
append_left_column(MlcBuf *buf, const MlcCliOption *option)
{
    size_t before = buf->size;
    mlc_buf_printf(buf, "  --%s", option->name);
    if (value_name(option))
        mlc_buf_printf(buf, option->kind == MLC_CLI_EVENT ? "[=<%s>]" : "=<%s>",
                       value_name(option));
    return buf->size - before;
}

void
mlc_cli_help(MlcBuf *buf, const char *usage, const char *overview, const MlcCliOption *options,
             size_t num_options)
{
    const size_t column = 34;
    mlc_buf_printf(buf, "usage: %s\n\n%s\n\noptions:\n", usage, overview);
    for (size_t i = 0; i < num_options; i++) {
        if (!options[i].help)
            continue;
        size_t length = append_left_column(buf, &options[i]);
        if (length + 2 > column) {
            mlc_buf_append_char(buf, '\n');
            length = 0;
        }
        mlc_buf_append_repeated(buf, ' ', column - length);
        mlc_buf_printf(buf, "%s\n", options[i].help);
    }
}

static size_t
min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

// The optimal string alignment distance, row by row; three rows suffice because a swap looks back
// two.
size_t
mlc_edit_distance(MlcStr a, MlcStr b, size_t limit)
{
    size_t gap = a.size > b.size ? a.size - b.size : b.size - a.size;
    if (gap > limit || a.size > 1000 || b.size > 1000)
        return limit + 1;
    size_t width = b.size + 1;
    size_t *rows = mlc_malloc(3 * width * sizeof *rows);
    for (size_t j = 0; j < width; j++)
        rows[j] = j;
    for (size_t i = 1; i <= a.size; i++) {
        size_t *row = rows + i % 3 * width;
        const size_t *above = rows + (i - 1) % 3 * width;
        row[0] = i;
        for (size_t j = 1; j < width; j++) {
            size_t replace = above[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            row[j] = min_size(replace, 1 + min_size(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1])
                row[j] = min_size(row[j], rows[(i - 2) % 3 * width + j - 2] + 1);
        }
    }
    size_t distance = rows[a.size % 3 * width + b.size];
    mlc_free(rows);
    return min_size(distance, limit + 1);
}

MlcStr
mlc_closest_name(MlcStr name, const MlcStr *candidates, size_t num_candidates)
{
    // A third of the letters may be wrong, as compilers have it.
    size_t limit = name.size < 3 ? 1 : (name.size + 2) / 3, best = limit + 1;
    MlcStr nearest = mlc_str_n("", 0);
    for (size_t i = 0; i < num_candidates; i++) {
        size_t distance = mlc_edit_distance(name, candidates[i], limit);
        if (distance < best && distance < candidates[i].size) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

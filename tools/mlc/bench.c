// bench.c -- mlc bench: times of single runs after a warm-up, as a line, as JSON, and by kernel.
#include "mlc.h"

#include "mlc/support/clock.h"
#include "mlc/support/file.h"
#include "mlc/support/json.h"
#include "mlc/support/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MIN_RUNS = 3, MIN_WARM_UP_RUNS = 2 };
static const double warm_up_share = 0.1; // of the time to measure

typedef MLC_VEC(double) Times;

// Seconds of each run, at least `min_runs` and for `seconds` in all; `times` NULL: only runs.
static bool
run_for(MlcSession *session, double seconds, size_t min_runs, Times *times, MlcBuf *error)
{
    MlcRtError fault;
    double end = mlc_clock_seconds() + seconds;
    for (size_t i = 0; i < min_runs || mlc_clock_seconds() < end; i++) {
        double start = mlc_clock_seconds();
        if (!mlc_session_run(session, &fault)) {
            mlc_buf_append_c(error, fault.message);
            return false;
        }
        if (times)
            mlc_vec_push(times, mlc_clock_seconds() - start);
    }
    return true;
}

// Of this program: getrusage's figure has that of the process which started it in it.
static int64_t
peak_rss_bytes(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long long kib = 0;
    while (status && kib == 0 && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %lld kB", &kib);
    if (status)
        fclose(status);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (kib ? kib : (int64_t)usage.ru_maxrss) * 1024;
}

static bool
write_json(const char *path, const OpenModel *open, const Times *times, MlcBuf *error)
{
    MlcBuf text = {0};
    MlcJson json;
    mlc_json_init(&json, &text);
    mlc_json_begin_object(&json);
    mlc_json_key(&json, "model");
    mlc_json_c_str(&json, mlc_model_name(open->model));
    mlc_json_key(&json, "threads");
    mlc_json_int(&json, mlc_session_threads(open->session));
    mlc_json_key(&json, "load_s");
    mlc_json_double(&json, open->load_seconds);
    mlc_json_key(&json, "peak_rss_bytes");
    mlc_json_int(&json, peak_rss_bytes());
    mlc_json_key(&json, "times");
    mlc_json_begin_array(&json);
    for (size_t i = 0; i < times->size; i++)
        mlc_json_double(&json, times->data[i]);
    mlc_json_end_array(&json);
    mlc_json_end_object(&json);
    mlc_buf_append_char(&text, '\n');
    bool ok = mlc_file_write_atomic(path, text.data, text.size, error);
    mlc_buf_release(&text);
    return ok;
}

static int
compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void
print_times(const OpenModel *open, Times *times)
{
    qsort(times->data, times->size, sizeof *times->data, compare_doubles);
    double median = times->data[times->size / 2];
    double unit = median < 1e-3 ? 1e6 : 1e3;
    const char *name = median < 1e-3 ? "us" : "ms";
    printf("%s: %d threads, %zu runs: median %.3f %s, best %.3f %s; load %.3f s, peak %.1f MiB\n",
           mlc_model_name(open->model), mlc_session_threads(open->session), times->size,
           unit * median, name, unit * times->data[0], name, open->load_seconds,
           (double)peak_rss_bytes() / (1 << 20));
}

static void
bench(const OpenModel *open, double seconds, const char *json, const OpenOptions *how,
      MlcBuf *error)
{
    Times times = {0};
    if (run_for(open->session, warm_up_share * seconds, MIN_WARM_UP_RUNS, NULL, error) &&
        run_for(open->session, seconds, MIN_RUNS, &times, error) &&
        expect_check(open, how->tolerance, error) &&
        (!json || write_json(json, open, &times, error))) {
        print_times(open, &times);
        give_profile(open, how, error);
    }
    mlc_vec_release(&times);
}

int
mlc_verb_bench(int argc, char **argv)
{
    MlcStrVec inputs = {0}, expect = {0};
    MlcStr json = {0};
    OpenOptions how = {.inputs = &inputs,
                       .expect = &expect,
                       .tolerance = DEFAULT_TOLERANCE,
                       .threads = THREADS_NOT_GIVEN};
    double seconds = 1;
    int code;
    const MlcCliOption options[] = {
        {"input", MLC_CLI_LIST, &inputs, "NAME=FILE", "an input, from .npy or .png; once per input",
         NULL},
        {"threads", MLC_CLI_INT, &how.threads, "N",
         "at most so many threads; default: one per core", NULL},
        {"min-time", MLC_CLI_DOUBLE, &seconds, "S",
         "measure for at least so many seconds; default 1", NULL},
        {"json", MLC_CLI_STRING, &json, "file",
         "write the seconds of each run, load_s and peak_rss_bytes here", NULL},
        DEVICE_CLI(&how),
        EXPECT_CLI(&how, &expect),
        PROFILE_CLI(&how),
        COMPILE_CLI(&how.compile),
    };
    const char *model = parse_verb("mlc bench", "Times a model (.onnx) or an artefact.", options,
                                   sizeof options / sizeof *options, argc, argv, &code);
    OpenModel open;
    if (model &&
        (!check_threads(&how.threads) || !check_seconds_and_tolerance(seconds, how.tolerance)))
        code = EXIT_WRONG;
    else if (model && (code = model_open(&open, model, &how)) == EXIT_OK) {
        MlcBuf error = {0};
        bench(&open, seconds, json.data, &how, &error);
        if (error.size > 0)
            code = report(&error);
        model_close(&open);
    }
    mlc_vec_release(&inputs);
    compile_options_release(&how.compile);
    mlc_vec_release(&expect);
    return code;
}

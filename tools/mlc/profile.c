// profile.c -- where the time of a model goes: a table by kernel beside what the machine could do,
// and the last run as a Chrome trace.
#include "mlc.h"

#include "mlc/support/alloc.h"
#include "mlc/support/file.h"
#include "mlc/support/json.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Row {
    const MlcRtKernelInfo *info;
    MlcRtProfile profile;
} Row;

static int
slowest_first(const void *a, const void *b)
{
    int64_t x = ((const Row *)a)->profile.nanoseconds, y = ((const Row *)b)->profile.nanoseconds;
    return (x < y) - (x > y);
}

static Row *
take_rows(const OpenModel *open, int32_t *count)
{
    *count = mlc_model_num_kernels(open->model);
    Row *rows = mlc_calloc((size_t)*count + 1, sizeof *rows);
    for (int32_t i = 0; i < *count; i++)
        rows[i] = (Row){mlc_model_kernel(open->model, i), mlc_session_profile(open->session, i)};
    return rows;
}

void
print_lines(const char *first, const char *separator, const char *lines)
{
    for (const char *before = first; *lines; before = separator) {
        size_t size = strcspn(lines, "\n");
        printf("%s%.*s", before, (int)size, lines);
        lines += size + (lines[size] == '\n');
    }
}

static void
print_share(const Roofline *machine, double flops, double bytes, double seconds)
{
    if (machine)
        printf(" %6.0f%%", 100 * roofline_share(machine, flops, bytes, seconds));
    else
        printf(" %7s", "-");
}

static void
print_row(const Row *row, double total, const Roofline *machine)
{
    double flops = (double)row->info->flops, bytes = (double)row->info->bytes;
    double calls = (double)row->profile.calls, ns = (double)row->profile.nanoseconds;
    double seconds = calls > 0 ? ns * 1e-9 / calls : 0;
    printf("%6.1f%% %9.2f %8.1f %7.1f", total > 0 ? 100 * ns / total : 0, seconds * 1e6,
           seconds > 0 ? flops * 1e-9 / seconds : 0, seconds > 0 ? bytes * 1e-9 / seconds : 0);
    print_share(machine, flops, bytes, seconds);
    printf("  %s:", row->info->name);
    print_lines(" ", " ", row->info->nodes);
    print_lines("\n                                            ", "; ", row->info->notes);
    printf("\n");
}

// What the processor could do; NULL, and nothing measured, where kernels run on a device.
static const Roofline *
print_roofline(const OpenModel *open, Roofline *machine)
{
    if (mlc_model_device_target(open->model, 0)) {
        printf("kernels run on a device, which says how long they take; no roofline\n");
        return NULL;
    }
    int threads = mlc_session_threads(open->session);
    *machine = roofline_measure(threads);
    printf("roofline of %d thread%s: %.0f GFLOP/s (f32), %.1f GB/s from memory, measured now\n",
           threads, threads == 1 ? "" : "s", machine->flops * 1e-9, machine->bytes * 1e-9);
    return machine;
}

// Times are of all runs of the session, a warm-up among them.
static void
print_table(const OpenModel *open, Row *rows, int32_t count)
{
    Roofline measured;
    const Roofline *machine = print_roofline(open, &measured);
    double total = 0, flops = 0, bytes = 0;
    int64_t runs = 0;
    for (int32_t i = 0; i < count; i++) {
        total += (double)rows[i].profile.nanoseconds;
        flops += (double)rows[i].info->flops;
        bytes += (double)rows[i].info->bytes;
        runs = rows[i].profile.calls > runs ? rows[i].profile.calls : runs;
    }
    qsort(rows, (size_t)count, sizeof *rows, slowest_first);
    printf("  share   us/call  GFLOP/s    GB/s  of roof  kernel, the nodes it computes; how and "
           "why\n");
    for (int32_t i = 0; i < count; i++)
        print_row(&rows[i], total, machine);
    double seconds = runs ? total * 1e-9 / (double)runs : 0;
    printf("%6.1f%% %9.2f %8.1f %7.1f", 100.0, seconds * 1e6,
           seconds > 0 ? flops * 1e-9 / seconds : 0, seconds > 0 ? bytes * 1e-9 / seconds : 0);
    print_share(machine, flops, bytes, seconds);
    printf("  all kernels, of a run\n");
}

static void
write_event(MlcJson *json, const Row *row, int64_t origin)
{
    const MlcRtKernelInfo *info = row->info;
    MlcStr first = mlc_str_n(info->nodes, strcspn(info->nodes, "\n"));
    mlc_json_begin_object(json);
    mlc_json_key(json, "name");
    mlc_json_str(json, first.size ? first : mlc_str(info->name));
    mlc_json_key(json, "ph");
    mlc_json_c_str(json, "X");
    mlc_json_key(json, "ts");
    mlc_json_double(json, (double)(row->profile.last_start - origin) * 1e-3);
    mlc_json_key(json, "dur");
    mlc_json_double(json, (double)row->profile.last_nanoseconds * 1e-3);
    mlc_json_key(json, "pid");
    mlc_json_int(json, 1);
    mlc_json_key(json, "tid");
    mlc_json_int(json, 1);
    mlc_json_key(json, "args");
    mlc_json_begin_object(json);
    mlc_json_key(json, "kernel");
    mlc_json_c_str(json, info->name);
    mlc_json_key(json, "nodes");
    mlc_json_c_str(json, info->nodes);
    mlc_json_key(json, "notes");
    mlc_json_c_str(json, info->notes);
    mlc_json_key(json, "flops");
    mlc_json_uint(json, info->flops);
    mlc_json_key(json, "bytes");
    mlc_json_uint(json, info->bytes);
    mlc_json_end_object(json);
    mlc_json_end_object(json);
}

// The Trace Event Format's complete events, in microseconds.
static bool
write_trace(const Row *rows, int32_t count, const char *path, MlcBuf *error)
{
    MlcBuf text = {0};
    MlcJson json;
    mlc_json_init(&json, &text);
    mlc_json_begin_object(&json);
    mlc_json_key(&json, "displayTimeUnit");
    mlc_json_c_str(&json, "ns");
    mlc_json_key(&json, "traceEvents");
    mlc_json_begin_array(&json);
    for (int32_t i = 0; i < count; i++)
        write_event(&json, &rows[i], rows[0].profile.last_start);
    mlc_json_end_array(&json);
    mlc_json_end_object(&json);
    mlc_buf_append_char(&text, '\n');
    bool ok = mlc_file_write_atomic(path, text.data, text.size, error);
    mlc_buf_release(&text);
    return ok;
}

void
give_profile(const OpenModel *open, const OpenOptions *how, MlcBuf *error)
{
    int32_t count;
    Row *rows = take_rows(open, &count);
    bool ok = how->trace.size == 0 || write_trace(rows, count, how->trace.data, error);
    if (ok && how->profile)
        print_table(open, rows, count);
    mlc_free(rows);
}

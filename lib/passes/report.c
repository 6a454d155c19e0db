// report.c -- what a run took and counted, as text: the timing tree and the statistics.
#include "manager.h"

static double
seconds(int64_t nanoseconds)
{
    return (double)nanoseconds * 1e-9;
}

static int64_t
total_of(const PassItem *item)
{
    int64_t total = item->def ? (int64_t)atomic_load(&((PassItem *)item)->nanoseconds) : 0;
    for (size_t i = 0; i < item->items.size; i++)
        total += total_of(item->items.data[i]);
    return total;
}

static void
report_times(const PassItem *item, int64_t total, int depth, MlcBuf *out)
{
    int64_t own = total_of(item);
    double share = total > 0 ? 100.0 * (double)own / (double)total : 0;
    mlc_buf_printf(out, "  %9.4f (%5.1f%%)  %*s", seconds(own), share, 2 * depth, "");
    if (item->def)
        mlc_buf_printf(out, "%s\n", item->def->flag);
    else
        mlc_buf_printf(out, "'%.*s' Pipeline\n", MLC_STR_FMT(item->anchor));
    for (size_t i = 0; i < item->items.size; i++)
        report_times(item->items.data[i], total, depth + 1, out);
}

static void
report_statistics(const PassItem *item, MlcBuf *out)
{
    if (item->statistics.size > 0)
        mlc_buf_printf(out, "%s\n", item->def->flag);
    for (size_t i = 0; i < item->statistics.size; i++)
        mlc_buf_printf(out, "  (S) %8lld %s\n", (long long)item->statistics.data[i].value,
                       item->statistics.data[i].name);
    for (size_t i = 0; i < item->items.size; i++)
        report_statistics(item->items.data[i], out);
}

static void
title(const char *text, MlcBuf *out)
{
    static const char line[] =
        "===-------------------------------------------------------------------------===\n";
    mlc_buf_printf(out, "%s%*s%s\n%s", line, (int)(79 - strlen(text)) / 2, "", text, line);
}

void
mlc_pass_manager_report(MlcPassManager *pm, MlcBuf *out)
{
    if (pm->config.statistics) {
        title("... Pass statistics report ...", out);
        report_statistics(&pm->root, out);
    }
    if (!pm->config.timing)
        return;
    title("... Execution time report ...", out);
    mlc_buf_printf(out, "  Total Execution Time: %.4f seconds\n\n  ----Time----     ----Name----\n",
                   seconds(pm->total_nanoseconds));
    for (size_t i = 0; i < pm->root.items.size; i++)
        report_times(pm->root.items.data[i], pm->total_nanoseconds, 0, out);
    mlc_buf_printf(out, "  %9.4f (100.0%%)  Total\n", seconds(pm->total_nanoseconds));
}

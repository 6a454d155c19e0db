// report.c -- what runs took and counted, as text: times and statistics, as trees or flat lists.
//
// Wall time of passes inside a pipeline that ran on several threads is the pipeline's, shared out
// by how busy each pass kept the threads; user time is their sum.
#include "manager.h"

#include "mlc/support/clock.h"

#include <ctype.h>
#include <stdlib.h>

PassClock
mlc_pass_clock(void)
{
    return (PassClock){mlc_clock_wall(), mlc_clock_thread()};
}

void
mlc_pass_title(const MlcPassDef *def, MlcBuf *out)
{
    if (def->title) {
        mlc_buf_append_c(out, def->title);
        return;
    }
    bool starts = true;
    for (const char *c = def->flag; *c; c++) {
        if (*c != '-')
            mlc_buf_append_char(out, (char)(starts ? toupper((unsigned char)*c) : *c));
        starts = *c == '-';
    }
}

// --- times

typedef struct Row {
    char *name;
    unsigned depth;
    double wall, cpu; // seconds
} Row;

typedef struct Table {
    const MlcPassManager *pm;
    MLC_VEC(Row) rows;
} Table;

static void
add_row(Table *t, unsigned depth, double wall, double cpu, MlcBuf *name)
{
    mlc_buf_append_char(name, '\0');
    Row row = {mlc_buf_take(name, NULL), depth, wall, cpu};
    mlc_vec_push(&t->rows, row);
}

static void
add_named_row(Table *t, unsigned depth, double factor, const char *prefix, const PassTime *time)
{
    MlcBuf name = {0};
    mlc_buf_printf(&name, "%s%s", prefix, time->name);
    add_row(t, depth, factor * (double)time->wall * 1e-9, (double)time->cpu * 1e-9, &name);
}

static int64_t
total_cpu(const PassItem *item)
{
    int64_t total = item->def ? (int64_t)atomic_load(&((PassItem *)item)->cpu) : 0;
    for (size_t i = 0; i < item->items.size; i++)
        total += total_cpu(item->items.data[i]);
    return total;
}

// Whose items are shown below it.
static const PassItem *
shown(const PassItem *item)
{
    return item->inner ? item->inner : item;
}

static int64_t
busy_wall(const PassItem *item)
{
    int64_t total = 0;
    for (size_t i = 0; i < item->items.size; i++)
        total += (int64_t)atomic_load(&item->items.data[i]->wall);
    return total;
}

static void
add_item(Table *t, const PassItem *item, unsigned depth, double factor)
{
    double wall = factor * (double)(int64_t)atomic_load(&((PassItem *)item)->wall);
    MlcBuf name = {0};
    if (item->def)
        mlc_pass_title(item->def, &name);
    else
        mlc_buf_printf(&name, "'%.*s' Pipeline", MLC_STR_FMT(item->anchor));
    add_row(t, depth, wall * 1e-9, (double)total_cpu(item) * 1e-9, &name);
    for (size_t i = 0; i < item->analyses.size; i++)
        add_named_row(t, depth + 1, factor, "(A) ", &item->analyses.data[i]);
    double busy = (double)busy_wall(shown(item)) * factor;
    double inner = busy > wall && busy > 0 ? factor * wall / busy : factor;
    for (size_t i = 0; i < shown(item)->items.size; i++)
        add_item(t, shown(item)->items.data[i], depth + 1, inner);
}

static void
append_time(double seconds, double total, MlcBuf *out)
{
    mlc_buf_printf(out, "  %8.4f (%5.1f%%)", seconds, total > 0 ? 100 * seconds / total : 100);
}

static void
append_row(const Table *t, const Row *row, const Row *total, MlcBuf *out)
{
    if (t->pm->config.threads != 1)
        append_time(row->cpu, total->cpu, out);
    append_time(row->wall, total->wall, out);
    mlc_buf_printf(out, "  %*s%s\n", 2 * (int)row->depth, "", row->name);
}

static int
by_wall(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    return x->wall < y->wall ? 1 : x->wall > y->wall ? -1 : strcmp(x->name, y->name);
}

// Rows of one name become one.
static void
flatten(Table *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->rows.size; i++) {
        Row row = t->rows.data[i];
        size_t k = 0;
        while (k < kept && strcmp(t->rows.data[k].name, row.name) != 0)
            k++;
        if (k < kept) {
            t->rows.data[k].wall += row.wall;
            t->rows.data[k].cpu += row.cpu;
            mlc_free(row.name);
        } else {
            row.depth = 0;
            t->rows.data[kept++] = row;
        }
    }
    t->rows.size = kept;
    qsort(t->rows.data, t->rows.size, sizeof(Row), by_wall);
}

static void
title(const char *text, MlcBuf *out)
{
    static const char line[] =
        "===-------------------------------------------------------------------------===\n";
    mlc_buf_printf(out, "%s%*s%s\n%s", line, (int)(79 - strlen(text)) / 2, "", text, line);
}

static void
add_caller_rows(Table *t, const PassTime *times, size_t n, Row *total)
{
    for (size_t i = 0; i < n; i++) {
        add_named_row(t, 0, 1, "", &times[i]);
        total->wall += (double)times[i].wall * 1e-9;
    }
}

// What is in no row: between the passes. Its user time is not known, and the total's is the rows'.
static Row
rest_of(const Table *t, Row *total)
{
    Row rest = {"Rest", 0, total->wall, 0};
    for (size_t i = 0; i < t->rows.size; i++) {
        if (t->rows.data[i].depth > 0)
            continue;
        rest.wall -= t->rows.data[i].wall;
        total->cpu += t->rows.data[i].cpu;
    }
    rest.wall = rest.wall > 0 ? rest.wall : 0;
    return rest;
}

static void
report_times(const MlcPassManager *pm, MlcBuf *out)
{
    Table t = {.pm = pm};
    Row total = {"Total", 0, (double)pm->wall * 1e-9, 0};
    add_caller_rows(&t, pm->before.data, pm->before.size, &total);
    for (size_t i = 0; i < pm->root.items.size; i++)
        add_item(&t, pm->root.items.data[i], 0, 1);
    add_caller_rows(&t, pm->after.data, pm->after.size, &total);
    Row rest = rest_of(&t, &total);
    if (pm->config.timing_list)
        flatten(&t);
    title("... Execution time report ...", out);
    mlc_buf_printf(out,
                   "  Total Execution Time: %.4f seconds\n\n%s  ----Wall Time----  ----Name----\n",
                   total.wall, pm->config.threads != 1 ? "  ----User Time----" : "");
    for (size_t i = 0; i < t.rows.size; i++) {
        append_row(&t, &t.rows.data[i], &total, out);
        mlc_free(t.rows.data[i].name);
    }
    append_row(&t, &rest, &total, out);
    append_row(&t, &total, &total, out);
    mlc_vec_release(&t.rows);
}

void
mlc_pass_manager_add_time(MlcPassManager *pm, const char *name, int64_t wall, int64_t cpu)
{
    PassTime time = {name, wall, cpu};
    if (pm->has_run)
        mlc_vec_push(&pm->after, time);
    else
        mlc_vec_push(&pm->before, time);
}

// --- statistics

static void
report_statistics(const PassItem *item, unsigned depth, bool flat, MlcBuf *out)
{
    if (!flat || item->statistics.size > 0) {
        mlc_buf_printf(out, "%*s", flat ? 0 : 2 * (int)depth, "");
        if (item->def)
            mlc_pass_title(item->def, out);
        else
            mlc_buf_printf(out, "'%.*s' Pipeline", MLC_STR_FMT(item->anchor));
        mlc_buf_append_char(out, '\n');
    }
    for (size_t i = 0; i < item->statistics.size; i++)
        mlc_buf_printf(out, "%*s(S) %6lld %s\n", flat ? 2 : 2 * (int)depth + 2, "",
                       (long long)item->statistics.data[i].value, item->statistics.data[i].name);
    for (size_t i = 0; i < shown(item)->items.size; i++)
        report_statistics(shown(item)->items.data[i], depth + 1, flat, out);
}

void
mlc_pass_manager_report(MlcPassManager *pm, MlcBuf *out)
{
    if (pm->config.statistics) {
        title("... Pass statistics report ...", out);
        for (size_t i = 0; i < pm->root.items.size; i++)
            report_statistics(pm->root.items.data[i], 0, pm->config.statistics_list, out);
    }
    if (pm->config.timing)
        report_times(pm, out);
}

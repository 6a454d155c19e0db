// print_op_stats.c -- how often each op occurs, as a table or as JSON, on stderr.
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "mlc/support/map.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Row {
    MlcStr name;
    size_t dialect; // bytes of the name before the dot
    uint64_t count;
} Row;
typedef MLC_VEC(Row) Rows;

static int
compare(const void *a, const void *b)
{
    MlcStr x = ((const Row *)a)->name, y = ((const Row *)b)->name;
    int order = memcmp(x.data, y.data, x.size < y.size ? x.size : y.size);
    return order ? order : (x.size > y.size) - (x.size < y.size);
}

static void
count_ops(MlcOp *root, Rows *rows)
{
    MlcMap numbers = {0}; // definition -> row
    MLC_FOR_EACH_PREORDER (op, root) {
        bool is_new;
        MlcMapEntry *entry = mlc_map_insert(&numbers, (uint64_t)(uintptr_t)mlc_op_def(op), &is_new);
        if (is_new) {
            MlcStr name = mlc_op_name(op);
            const char *dot = memchr(name.data, '.', name.size);
            entry->value = rows->size;
            mlc_vec_push(rows, (Row){name, dot ? (size_t)(dot - name.data) : 0, 0});
        }
        rows->data[entry->value].count++;
    }
    mlc_map_release(&numbers);
    qsort(rows->data, rows->size, sizeof *rows->data, compare);
}

// Names are aligned at the dot.
static void
print_table(const Rows *rows, MlcBuf *out)
{
    size_t widest_dialect = 0, widest_name = 0;
    for (size_t i = 0; i < rows->size; i++) {
        Row row = rows->data[i];
        size_t name = row.name.size - row.dialect - (row.dialect > 0);
        widest_dialect = row.dialect > widest_dialect ? row.dialect : widest_dialect;
        widest_name = name > widest_name ? name : widest_name;
    }
    mlc_buf_printf(out, "Operations encountered:\n-----------------------\n");
    for (size_t i = 0; i < rows->size; i++) {
        Row row = rows->data[i];
        size_t skip = row.dialect + (row.dialect > 0);
        mlc_buf_printf(out, "%*.*s%c%-*.*s , %llu\n", (int)widest_dialect + 2, (int)row.dialect,
                       row.name.data, row.dialect ? '.' : ' ', (int)widest_name,
                       (int)(row.name.size - skip), row.name.data + skip,
                       (unsigned long long)row.count);
    }
}

static void
print_json(const Rows *rows, MlcBuf *out)
{
    mlc_buf_printf(out, "{\n");
    for (size_t i = 0; i < rows->size; i++)
        mlc_buf_printf(out, "  \"%.*s\" : %llu%s\n", (int)rows->data[i].name.size,
                       rows->data[i].name.data, (unsigned long long)rows->data[i].count,
                       i + 1 < rows->size ? "," : "");
    mlc_buf_printf(out, "}\n");
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Rows rows = {0};
    MlcBuf out = {0};
    count_ops(root, &rows);
    if (mlc_pass_option_bool(pass, "json"))
        print_json(&rows, &out);
    else
        print_table(&rows, &out);
    MlcStr text = mlc_buf_str(&out);
    fwrite(text.data, 1, text.size, stderr);
    mlc_buf_release(&out);
    mlc_vec_release(&rows);
    return true;
}

static const MlcPassOption options[] = {
    {"json", MLC_OPTION_BOOL, "false", "Print as JSON"},
};

MLC_PASS(print_op_stats, .flag = "print-op-stats", .summary = "Print statistics of operations",
         .options = options, .num_options = sizeof options / sizeof *options, .run = run)

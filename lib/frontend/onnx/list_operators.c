// list_operators.c -- which operators there are, and which of them mlc has: from ONNX's schemas and
// from the importer's own tables, so that no list has to be kept.
#include "import.h"
#include "schemas.h"
#include "strings_of.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NEWEST = 28, NEWEST_ML = 5 };

typedef struct Line {
    const char *domain, *name;
    int64_t since, until; // opsets; NEWEST of the domain: still
    const char *text;     // the whole line
} Line;

typedef struct Lines {
    MlcContext *ctx;
    MlcArena arena;
    bool (*is_compiled)(const MlcOpDef *op); // NULL: all are
    MLC_VEC(Line) all;
} Lines;

static const char *
shown(const char *domain)
{
    return domain[0] ? domain : "ai.onnx";
}

static int64_t
newest_of(const char *domain)
{
    return domain[0] == 0 ? NEWEST : strcmp(domain, "ai.onnx.ml") == 0 ? NEWEST_ML : 1;
}

static const MlcOnnxOperator *
find_row(const char *domain, const char *name, int64_t opset)
{
    return domain[0] ? mlc_onnx_find_other(mlc_str(domain), mlc_str(name), opset)
                     : mlc_onnx_find_operator(mlc_str(name), opset);
}

// ---- types

// Whether the operator, as the row says it, takes elements of this type. What is more than one op
// takes what those take, which is found when it is imported.
static bool
takes(MlcContext *ctx, const MlcOnnxOperator *row, int64_t type)
{
    MlcType element = mlc_onnx_element_type(ctx, type);
    if (type == MLC_ONNX_STRING)
        return row->takes_strings;
    if (!element || row->import || !row->op || row->op->num_operands == 0)
        return element != NULL;
    return mlc_constraint_check_type(row->op->operands[0].type,
                                     mlc_unranked_tensor_type_get(element));
}

static void
append_types(MlcBuf *out, Lines *lines, const MlcOnnxOperator *row, uint64_t mask, bool taken)
{
    const char *before = taken ? "" : "; no: ";
    for (int64_t type = 1; type < MLC_ONNX_NUM_DATA_TYPES; type++)
        if (mask >> type & 1 && (!row || takes(lines->ctx, row, type) == taken)) {
            mlc_buf_printf(out, "%s%s", before, mlc_onnx_data_type_name(type));
            before = ", ";
        }
}

// ---- lines

static const char *
status_of(const Lines *lines, const MlcOnnxOperator *row)
{
    bool is_one_op = row && row->op && !row->import;
    if (!row)
        return "no";
    return is_one_op && lines->is_compiled && !lines->is_compiled(row->op) ? "interpreted"
                                                                           : "compiled";
}

static void
add_line(Lines *lines, const char *domain, const char *name, int64_t since, int64_t until,
         const MlcOnnxOperator *row, const char *types)
{
    char opsets[48];
    snprintf(opsets, sizeof opsets,
             until >= newest_of(domain) ? "%" PRId64 "-" : "%" PRId64 "-%" PRId64, since, until);
    MlcStr text = mlc_arena_printf(&lines->arena, "%-24s %-28s %-6s %-8s %s", shown(domain), name,
                                   opsets, status_of(lines, row), types);
    mlc_vec_push(&lines->all, ((Line){domain, name, since, until, text.data}));
}

// The schema's opsets, where the row is one.
static void
add_schema(Lines *lines, const MlcOnnxSchema *schema, int64_t until)
{
    uint64_t mask = schema->inputs[0] ? strtoull(schema->inputs + 1, NULL, 16) : 0;
    for (int64_t since = schema->since, next; since <= until; since = next) {
        const MlcOnnxOperator *row = find_row(schema->domain, schema->name, since);
        MlcBuf types = {0};
        next = since + 1;
        while (next <= until && find_row(schema->domain, schema->name, next) == row)
            next++;
        append_types(&types, lines, row, mask, true);
        if (row)
            append_types(&types, lines, row, mask, false);
        add_line(lines, schema->domain, schema->name, since, next - 1, row, mlc_buf_c_str(&types));
        mlc_buf_release(&types);
    }
}

static bool
is_chosen(const char *domain, const char *name, MlcStr wanted_domain, MlcStr wanted_name)
{
    return (wanted_domain.size == 0 || mlc_str_equal(wanted_domain, mlc_str(shown(domain)))) &&
           (wanted_name.size == 0 || mlc_str_equal(wanted_name, mlc_str(name)));
}

static bool
has_schema(const char *domain, const char *name)
{
    for (size_t i = 0; i < mlc_onnx_num_schemas(); i++)
        if (strcmp(mlc_onnx_schema(i)->domain, domain) == 0 &&
            strcmp(mlc_onnx_schema(i)->name, name) == 0)
            return true;
    return false;
}

static int
compare_lines(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    int order = strcmp(shown(x->domain), shown(y->domain));
    order = order ? order : strcmp(x->name, y->name);
    return order ? order : (x->since > y->since) - (x->since < y->since);
}

static void
add_all(Lines *lines, MlcStr domain, MlcStr name)
{
    size_t count = mlc_onnx_num_schemas();
    const char *of;
    for (size_t i = 0; i < count; i++) {
        const MlcOnnxSchema *schema = mlc_onnx_schema(i);
        const MlcOnnxSchema *next = i + 1 < count ? mlc_onnx_schema(i + 1) : NULL;
        bool is_replaced = next && strcmp(next->name, schema->name) == 0 &&
                           strcmp(next->domain, schema->domain) == 0;
        if (!schema->is_deprecated && is_chosen(schema->domain, schema->name, domain, name))
            add_schema(lines, schema, is_replaced ? next->since - 1 : newest_of(schema->domain));
    }
    const MlcOnnxOperator *row;
    for (size_t i = 0; (row = mlc_onnx_operator(i, &of)); i++)
        if (!has_schema(of, row->name) && is_chosen(of, row->name, domain, name))
            add_line(lines, of, row->name, row->since, newest_of(of), row, "");
}

bool
mlc_onnx_list_operators(MlcContext *ctx, MlcStr domain, MlcStr name, MlcBuf *out)
{
    return mlc_onnx_list_operators_by(ctx, domain, name, NULL, out);
}

bool
mlc_onnx_list_operators_by(MlcContext *ctx, MlcStr domain, MlcStr name,
                           bool (*is_compiled)(const MlcOpDef *op), MlcBuf *out)
{
    Lines lines = {.ctx = ctx, .is_compiled = is_compiled};
    mlc_arena_init(&lines.arena);
    add_all(&lines, domain, name);
    if (lines.all.size)
        qsort(lines.all.data, lines.all.size, sizeof *lines.all.data, compare_lines);
    for (size_t i = 0; i < lines.all.size; i++) {
        MlcStr line = mlc_str(lines.all.data[i].text);
        while (line.size && line.data[line.size - 1] == ' ')
            line.size--;
        mlc_buf_append_str(out, line);
        mlc_buf_append_c(out, "\n");
    }
    bool any = lines.all.size > 0;
    mlc_vec_release(&lines.all);
    mlc_arena_release(&lines.arena);
    return any;
}

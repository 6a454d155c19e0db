// pipeline.c -- builds the tree of items from a pipeline's text, and prints it back.
#include "pipeline_parse.h"

#include "mlc/support/cli.h"
#include "pipeline.tab.h"
#include "pipeline_lex.h"

#include <stdlib.h>

static MlcLoc
here(const PipelineParse *parse, MlcStr token)
{
    unsigned column =
        token.data >= parse->text.data && token.data <= parse->text.data + parse->text.size
            ? (unsigned)(token.data - parse->text.data) + 1
            : 1;
    return mlc_loc_file(parse->pm->ctx, mlc_str("<pass-pipeline>"), 1, column);
}

PassItem *
mlc_pass_item_create(MlcPassManager *pm, const MlcPassDef *def, MlcStr anchor)
{
    PassItem *item = MLC_NEW(&pm->arena, PassItem);
    item->def = def;
    item->anchor = mlc_arena_strdup(&pm->arena, anchor);
    return item;
}

void
mlc_pass_item_release(PassItem *item)
{
    for (size_t i = 0; i < item->items.size; i++)
        mlc_pass_item_release(item->items.data[i]);
    mlc_vec_release(&item->items);
    mlc_vec_release(&item->statistics);
    mlc_vec_release(&item->analyses);
}

// The nested pipeline on `anchor` at the end of `parent`, made if the last item is another.
static PassItem *
nest(MlcPassManager *pm, PassItem *parent, MlcStr anchor)
{
    if (parent->items.size > 0) {
        PassItem *last = mlc_vec_last(&parent->items);
        if (!last->def && mlc_str_equal(last->anchor, anchor))
            return last;
    }
    PassItem *item = mlc_pass_item_create(pm, NULL, anchor);
    mlc_vec_push(&parent->items, item);
    return item;
}

static bool
unknown_pass(MlcPassManager *pm, MlcStr name, MlcLoc loc)
{
    MLC_VEC(MlcStr) names = {0};
    for (size_t i = 0; i < mlc_num_passes(); i++)
        mlc_vec_push(&names, mlc_str(mlc_pass_at(i)->flag));
    for (size_t i = 0; i < mlc_num_pipelines(); i++)
        mlc_vec_push(&names, mlc_str(mlc_pipeline_at(i)->name));
    MlcStr near = mlc_closest_name(name, names.data, names.size);
    mlc_vec_release(&names);
    if (near.size > 0)
        return mlc_error(pm->ctx, loc, "unknown pass '%.*s'; did you mean '%.*s'?",
                         MLC_STR_FMT(name), MLC_STR_FMT(near));
    return mlc_error(pm->ctx, loc, "unknown pass '%.*s'", MLC_STR_FMT(name));
}

static bool
parse_into(MlcPassManager *pm, PassItem *root, MlcStr text)
{
    PipelineParse parse = {.pm = pm, .text = text};
    mlc_vec_push(&parse.open, root);
    void *scanner;
    mlc_pipeline_lex_init_extra(&parse, &scanner);
    void *buffer = mlc_pipeline__scan_bytes(text.data, (int)text.size, scanner);
    bool ok = mlc_pipeline_parse(&parse, scanner) == 0;
    mlc_pipeline__delete_buffer(buffer, scanner);
    mlc_pipeline_lex_destroy(scanner);
    mlc_vec_release(&parse.open);
    return ok;
}

static bool
add_pipeline(MlcPassManager *pm, PassItem *parent, const MlcPipelineDef *def, MlcLoc loc)
{
    for (const OpenPipeline *o = pm->open_pipelines; o; o = o->outer)
        if (o->def == def)
            return mlc_error(pm->ctx, loc, "pipeline '%s' contains itself", def->name);
    OpenPipeline open = {def, pm->open_pipelines};
    pm->open_pipelines = &open;
    bool ok = parse_into(pm, parent, mlc_str(def->text));
    pm->open_pipelines = open.outer;
    return ok;
}

bool
mlc_pass_item_add(MlcPassManager *pm, PassItem *parent, MlcStr flag, MlcStr options, MlcLoc loc)
{
    const MlcPipelineDef *pipeline = mlc_pipeline_find(flag);
    if (pipeline) {
        if (options.size > 0)
            return mlc_error(pm->ctx, loc, "pipeline '%s' takes no options", pipeline->name);
        return add_pipeline(pm, parent, pipeline, loc);
    }
    const MlcPassDef *def = mlc_pass_find(flag);
    if (!def)
        return unknown_pass(pm, flag, loc);
    if (def->anchor && !mlc_str_equal(parent->anchor, mlc_str(def->anchor))) {
        bool nests = mlc_str_equal(parent->anchor, mlc_str("builtin.module")) ||
                     mlc_str_equal(parent->anchor, mlc_str("any"));
        if (!nests || mlc_str_equal(mlc_str(def->anchor), mlc_str("builtin.module")))
            return mlc_error(pm->ctx, loc,
                             "pass '%.*s' runs on '%s' and cannot be put into a pipeline on '%.*s'",
                             MLC_STR_FMT(flag), def->anchor, MLC_STR_FMT(parent->anchor));
        parent = nest(pm, parent, mlc_str(def->anchor));
    }
    PassItem *item = mlc_pass_item_create(pm, def, parent->anchor);
    if (!mlc_pass_item_parse_options(pm, item, options, loc))
        return false;
    mlc_vec_push(&parent->items, item);
    return true;
}

bool
pipeline_pass(PipelineParse *parse, MlcStr name, MlcStr options)
{
    bool ok =
        mlc_pass_item_add(parse->pm, mlc_vec_last(&parse->open), name, options, here(parse, name));
    parse->failed |= !ok;
    return ok;
}

bool
pipeline_open(PipelineParse *parse, MlcStr anchor)
{
    PassItem *parent = mlc_vec_last(&parse->open);
    bool is_any = mlc_str_equal(anchor, mlc_str("any"));
    bool is_root = parse->open.size == 1 && (is_any || mlc_str_equal(anchor, parent->anchor));
    if (!is_root && !is_any && !memchr(anchor.data, '.', anchor.size)) {
        mlc_error(parse->pm->ctx, here(parse, anchor),
                  "'%.*s' is not the name of an op to nest passes on, such as 'func.func'",
                  MLC_STR_FMT(anchor));
        parse->failed = true;
        return false;
    }
    mlc_vec_push(&parse->open, is_root ? parent : nest(parse->pm, parent, anchor));
    return true;
}

void
pipeline_close(PipelineParse *parse)
{
    (void)mlc_vec_pop(&parse->open);
}

void
pipeline_syntax_error(PipelineParse *parse, const char *message)
{
    if (parse->failed)
        return;
    parse->failed = true;
    if (strncmp(message, "syntax error, ", 14) == 0)
        message += 14;
    mlc_error(parse->pm->ctx, here(parse, pipeline_slice(parse)), "pass pipeline: %s", message);
}

bool
mlc_pass_manager_parse(MlcPassManager *pm, MlcStr pipeline)
{
    MlcStr text = mlc_arena_strdup(&pm->arena, pipeline);
    mlc_context_add_source(pm->ctx, mlc_str("<pass-pipeline>"), text);
    bool ok = parse_into(pm, &pm->root, text);
    mlc_context_remove_source(pm->ctx, text); // it dies with the pass manager, the context does not
    return ok;
}

bool
mlc_pass_manager_add(MlcPassManager *pm, MlcStr flag, MlcStr options)
{
    return mlc_pass_item_add(pm, &pm->root, flag, options, mlc_loc_unknown(pm->ctx));
}

static int
by_option_name(const void *a, const void *b)
{
    const MlcPassOption *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

// As mlir-opt has it: every option, sorted, an empty list as nothing, blanks between.
static void
print_options(const PassItem *item, MlcBuf *out)
{
    const MlcPassDef *def = item->def;
    if (def->num_options == 0)
        return;
    const MlcPassOption **sorted = mlc_calloc(def->num_options, sizeof *sorted);
    for (size_t i = 0; i < def->num_options; i++)
        sorted[i] = &def->options[i];
    qsort(sorted, def->num_options, sizeof *sorted, by_option_name);
    mlc_buf_append_char(out, '{');
    for (size_t i = 0; i < def->num_options; i++) {
        const MlcPassOption *option = sorted[i];
        const PassValue *value = &item->values[option - def->options];
        bool is_list =
            option->kind == MLC_OPTION_INT_LIST || option->kind == MLC_OPTION_STRING_LIST;
        if (i > 0)
            mlc_buf_append_char(out, ' ');
        if (is_list && value->text.size == 0)
            continue;
        mlc_buf_printf(out, "%s=", option->name);
        if (option->kind == MLC_OPTION_BOOL)
            mlc_buf_append_c(out, value->integer ? "true" : "false");
        else
            mlc_pass_value_print(value->text, out);
    }
    mlc_buf_append_char(out, '}');
    mlc_free(sorted);
}

void
mlc_pass_item_print(const PassItem *item, MlcBuf *out)
{
    if (item->def) {
        mlc_buf_printf(out, "%s", item->def->flag);
        print_options(item, out);
        return;
    }
    mlc_buf_printf(out, "%.*s(", MLC_STR_FMT(item->anchor));
    for (size_t i = 0; i < item->items.size; i++) {
        if (i > 0)
            mlc_buf_append_char(out, ',');
        mlc_pass_item_print(item->items.data[i], out);
    }
    mlc_buf_append_char(out, ')');
}

void
mlc_pass_manager_print_pipeline(MlcPassManager *pm, MlcBuf *out)
{
    mlc_pass_item_print(&pm->root, out);
}

size_t
mlc_pass_manager_size(const MlcPassManager *pm)
{
    return pm->root.items.size;
}

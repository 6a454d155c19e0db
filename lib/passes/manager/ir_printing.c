// ir_printing.c -- the IR before and after passes, to stderr or to a tree of files.
//
// A tree has a folder for every op on the way to the one printed,
// `builtin_module_NAME/func_func_f/`, and in it a file N_M_flag.mlir: how often the op and those
// around it were printed before, outermost first. Names and headers are mlir-opt's.
#include "manager.h"

#include "mlc/support/file.h"

static bool
is_listed(const char *const *flags, const char *flag)
{
    for (; flags && *flags; flags++)
        if (strcmp(*flags, flag) == 0)
            return true;
    return false;
}

static MlcStr
symbol_of(MlcOp *op)
{
    MlcAttr name = mlc_op_attr(op, "sym_name");
    return name && mlc_attr_is(name, MLC_ATTR_STRING) ? mlc_string_attr_value(name)
                                                      : mlc_str("no-symbol-name");
}

// Appends "builtin_module_m/func_func_f" of the ops from the root to `op`, and their counts to
// `counts`.
static void
append_place(MlcPassManager *pm, MlcOp *op, MlcBuf *path, MlcBuf *counts)
{
    if (mlc_op_parent(op)) {
        append_place(pm, mlc_op_parent(op), path, counts);
        mlc_buf_append_char(path, '/');
    }
    size_t from = path->size;
    mlc_buf_printf(path, "%.*s_%.*s", MLC_STR_FMT(mlc_op_name(op)), MLC_STR_FMT(symbol_of(op)));
    for (size_t i = from; i < path->size; i++)
        if (path->data[i] == '.' || path->data[i] == '/')
            path->data[i] = '_';
    MlcMapEntry *entry = mlc_map_insert(&pm->print_counts, (uint64_t)(uintptr_t)op, NULL);
    if (entry->value == 0)
        entry->value = 1;
    mlc_buf_printf(counts, "%llu_", (unsigned long long)entry->value - 1);
}

static void
write_file(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op, const MlcBuf *text)
{
    MlcBuf path = {0}, counts = {0}, error = {0};
    pthread_mutex_lock(&pm->lock);
    mlc_map_insert(&pm->print_counts, (uint64_t)(uintptr_t)op, NULL)->value++;
    mlc_buf_printf(&path, "%s/", pm->config.print_tree_dir);
    append_place(pm, op, &path, &counts);
    bool ok = mlc_dir_create(mlc_buf_c_str(&path), &error);
    pthread_mutex_unlock(&pm->lock);
    mlc_buf_printf(&path, "/%s%s.mlir", mlc_buf_c_str(&counts), def->flag);
    ok = ok && mlc_file_write_atomic(mlc_buf_c_str(&path), text->data, text->size, &error);
    if (!ok)
        mlc_warning(pm->ctx, mlc_op_loc(op), "IR is not printed: %s", mlc_buf_c_str(&error));
    mlc_buf_release(&path);
    mlc_buf_release(&counts);
    mlc_buf_release(&error);
}

static void
print_ir(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op, const char *when, const char *how)
{
    MlcBuf text = {0};
    mlc_buf_printf(&text, "// -----// IR Dump %s ", when);
    mlc_pass_title(def, &text);
    mlc_buf_printf(&text, "%s (%s)", how, def->flag);
    MlcOp *shown = op;
    if (pm->config.print_module_scope) {
        mlc_buf_printf(&text, " ('%.*s' operation", MLC_STR_FMT(mlc_op_name(op)));
        if (mlc_op_attr(op, "sym_name"))
            mlc_buf_printf(&text, ": @%.*s", MLC_STR_FMT(symbol_of(op)));
        mlc_buf_append_char(&text, ')');
        while (mlc_op_parent(shown))
            shown = mlc_op_parent(shown);
    }
    mlc_buf_append_c(&text, " //----- //\n");
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.local_scope = mlc_op_parent(shown); // around it, other threads are at work
    mlc_op_print(shown, &flags, &text);
    mlc_buf_append_c(&text, "\n\n");
    if (pm->config.print_tree_dir)
        write_file(pm, def, op, &text);
    else
        fwrite(text.data, 1, text.size, stderr);
    mlc_buf_release(&text);
}

void
mlc_pass_print_before(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op)
{
    if (pm->config.print_before_all || is_listed(pm->config.print_before, def->flag))
        print_ir(pm, def, op, "Before", "");
}

void
mlc_pass_print_after(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op, bool ok, bool changed)
{
    bool listed = pm->config.print_after_all || is_listed(pm->config.print_after, def->flag);
    bool lists = pm->config.print_after && *pm->config.print_after;
    if (ok && pm->config.print_after_change)
        listed = (listed || !lists) && changed;
    if (!ok && (listed || pm->config.print_after_failure))
        print_ir(pm, def, op, "After", " Failed");
    else if (ok && listed && !pm->config.print_after_failure)
        print_ir(pm, def, op, "After", "");
}

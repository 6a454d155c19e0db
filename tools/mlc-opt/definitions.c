// definitions.c -- definitions of dialects and rules, checked and described.
#include "definitions.h"

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/rule.h"
#include "mlc/plugin.h"

#include <stdio.h>

static bool
is_rules(const char *path)
{
    const char *end = strrchr(path, '.');
    return end && strcmp(end, ".rules") == 0;
}

// Rules of a dialect that has mistakes would only say that it is not there.
static bool
check_rules(MlcContext *ctx, const char *path, MlcLoc loc, bool dialects_are_fine)
{
    return dialects_are_fine
               ? mlc_load_rules(ctx, path)
               : mlc_error(ctx, loc, "'%s' was not checked: its dialect has mistakes", path);
}

// One part of a package.
static bool
load_part(MlcContext *ctx, const MlcExtension *part, bool *dialects_are_fine)
{
    if (mlc_context_has_extension(ctx, part->kind, part->path))
        return true;
    if (part->kind == MLC_EXTENSION_DIALECT)
        return mlc_load_dialect(ctx, part->path) || (*dialects_are_fine = false);
    if (part->kind != MLC_EXTENSION_RULES)
        return true; // plugins are open, and tests are a folder
    return check_rules(ctx, part->path, part->loc, *dialects_are_fine);
}

static bool
load_plugin(MlcContext *ctx, const MlcExtension *part)
{
    MlcBuf error = {0};
    const MlcPlugin *plugin = mlc_plugin_open(part->path, &error);
    bool ok = plugin ? mlc_context_has_extension(ctx, part->kind, part->path) ||
                           mlc_plugin_load(plugin, ctx)
                     : mlc_error(ctx, part->loc, "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

static bool
check_package(MlcContext *ctx, const char *path)
{
    MlcPackage *package = mlc_package_read(ctx, path);
    bool ok = package != NULL, dialects_are_fine = true;
    for (size_t i = 0; package && i < mlc_package_size(package); i++) {
        const MlcExtension *part = mlc_package_at(package, i);
        ok = (part->kind == MLC_EXTENSION_PLUGIN ? load_plugin(ctx, part)
                                                 : load_part(ctx, part, &dialects_are_fine)) &&
             ok;
    }
    mlc_package_destroy(package);
    return ok;
}

bool
check_definitions(const Options *o, const MlcStrVec *files)
{
    MlcContext *ctx = create_context(o);
    bool ok = load_dialects(o, ctx), dialects_are_fine = true;
    for (size_t i = 0; i < files->size; i++) {
        const char *path = files->data[i].data;
        bool is_fine =
            is_rules(path)
                ? check_rules(ctx, path, mlc_loc_file(ctx, mlc_str(path), 1, 1), dialects_are_fine)
                : check_package(ctx, path);
        dialects_are_fine &= is_fine || is_rules(path);
        mlc_diag_flush(ctx);
        if (is_fine)
            printf("%s: no mistakes\n", path);
        fflush(stdout); // in order with what is wrong with the next
        ok &= is_fine;
    }
    mlc_context_destroy(ctx);
    return ok;
}

// The names of passes that make others of the op, and of lowerings.
static const char *
passes_of(void *user, const MlcOpDef *op)
{
    MlcContext *ctx = user;
    MlcBuf text = {0};
    for (size_t i = 0; i < mlc_num_passes(); i++) {
        const MlcPassDef *pass = mlc_pass_at(i);
        if (pass->converts && pass->converts(op))
            mlc_buf_printf(&text, "%s%s", text.size ? " " : "", pass->flag);
    }
    for (size_t i = 0; i < mlc_num_rule_sets(ctx); i++) {
        const MlcRuleSet *set = mlc_rule_set_at(ctx, i);
        for (size_t k = 0; k < set->num_tables; k++)
            if (strcmp(set->tables[k]->op->name, op->name) == 0)
                mlc_buf_printf(&text, "%slower{by=%s}", text.size ? " " : "", set->name);
    }
    char *names = mlc_context_alloc(ctx, text.size + 1, 1);
    strcpy(names, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return *names ? names : NULL;
}

bool
show_references(const Options *o, const MlcStrVec *files)
{
    MlcContext *ctx = create_context(o);
    MlcBuf out = {0};
    bool ok = load_dialects(o, ctx);
    for (size_t i = 0; ok && i < files->size; i++) {
        const char *path = files->data[i].data;
        ok = check_package(ctx, path) && mlc_dialect_reference(ctx, path, passes_of, ctx, &out);
    }
    mlc_diag_flush(ctx);
    if (ok)
        fwrite(out.data, 1, out.size, stdout);
    mlc_buf_release(&out);
    mlc_context_destroy(ctx);
    return ok;
}

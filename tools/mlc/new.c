// new.c -- mlc new: a project with a dialect of its own, copied from the template that is installed
// beside the tools (share/mlc/template).
//
// The template is a project by itself, whose dialect is called `calc`. Wherever that stands, in
// names of files and in what is in them, the copy has its own name.
#include "mlc.h"

#include "mlc/dialects.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char placeholder[] = "calc";
enum { MAX_NAME = 64 };

static bool
check_name(const char *name, MlcBuf *error)
{
    size_t size = strlen(name);
    bool is_word = name[0] >= 'a' && name[0] <= 'z' && size <= MAX_NAME &&
                   size == strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (!is_word) {
        mlc_buf_printf(error,
                       "a dialect is called by lower-case letters, digits and '_', %d at most and "
                       "a letter first, not '%s'",
                       MAX_NAME, name);
        return false;
    }
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    bool is_taken = mlc_context_dialect(ctx, mlc_str(name)) != NULL;
    mlc_context_destroy(ctx);
    if (is_taken)
        mlc_buf_printf(error, "mlc has a dialect '%s' already", name);
    return !is_taken;
}

static void
append_renamed(MlcBuf *out, MlcStr text, const char *name)
{
    size_t size = sizeof placeholder - 1;
    for (const char *at; (at = memmem(text.data, text.size, placeholder, size));) {
        size_t before = (size_t)(at - text.data);
        mlc_buf_append_str(out, mlc_str_n(text.data, before));
        mlc_buf_append_c(out, name);
        text = mlc_str_n(at + size, text.size - before - size);
    }
    mlc_buf_append_str(out, text);
}

static bool
copy_file(const char *from, const char *to, const char *name, MlcBuf *error)
{
    MlcFile file;
    if (!mlc_file_open(&file, from, MLC_FILE_READ_ONLY, error))
        return false;
    MlcBuf text = {0};
    append_renamed(&text, mlc_str_n(file.data, file.size), name);
    mlc_file_release(&file);
    bool ok = mlc_file_write_atomic(to, text.data, text.size, error);
    mlc_buf_release(&text);
    return ok;
}

// One step of the walk through the template: a folder is made, a file copied.
static bool
copy_entry(const FTSENT *entry, size_t root_size, const char *name, MlcBuf *error)
{
    MlcBuf to = {0};
    mlc_buf_append_c(&to, name);
    append_renamed(&to, mlc_str(entry->fts_path + root_size), name);
    const char *path = mlc_buf_c_str(&to);
    bool ok = true;
    if (entry->fts_info == FTS_D)
        ok = mlc_dir_create(path, error);
    else if (entry->fts_info == FTS_F)
        ok = copy_file(entry->fts_path, path, name, error);
    else if (entry->fts_info != FTS_DP) {
        mlc_buf_printf(error, "cannot read the template '%s': %s", entry->fts_path,
                       strerror(entry->fts_errno));
        ok = false;
    }
    mlc_buf_release(&to);
    return ok;
}

static bool
copy_template(char *root, const char *name, MlcBuf *error)
{
    FTS *walk = fts_open((char *[]){root, NULL}, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    bool ok = walk != NULL;
    if (!ok)
        mlc_buf_printf(error, "cannot read the template '%s': %s", root, strerror(errno));
    for (FTSENT *entry; ok && (entry = fts_read(walk));)
        ok = copy_entry(entry, strlen(root), name, error);
    if (walk)
        fts_close(walk);
    return ok;
}

// Where the template is, seen from this program.
static bool
find_template(MlcBuf *path, MlcBuf *error)
{
    char self[4096];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self);
    if (size < 0) {
        mlc_buf_printf(error, "/proc/self/exe: %s", strerror(errno));
        return false;
    }
    MlcStr folder = mlc_path_dir(mlc_str_n(self, (size_t)size));
    mlc_buf_printf(path, "%.*s/" MLC_DATA_FROM_BIN "/template", MLC_STR_FMT(folder));
    return true;
}

int
mlc_verb_new(int argc, char **argv)
{
    const char *name;
    int code;
    if (!parse_arguments("mlc new",
                         "Writes a project with a dialect of its own into the new folder NAME: "
                         "YAML, rules, a plugin with a pass, tests.",
                         "NAME", NULL, 0, argc, argv, &name, 1, &code))
        return code;
    MlcBuf error = {0}, root = {0};
    bool ok = check_name(name, &error) && find_template(&root, &error);
    if (ok && mlc_file_exists(name)) {
        mlc_buf_printf(&error, "'%s' is there already", name);
        ok = false;
    }
    mlc_files_together(); // all of them, or none
    ok = ok && copy_template((char *)(uintptr_t)mlc_buf_c_str(&root), name, &error);
    mlc_buf_release(&root);
    if (!ok)
        return report(&error);
    printf("%s: a new project; %s/README.md says how to build it\n", name, name);
    return EXIT_OK;
}

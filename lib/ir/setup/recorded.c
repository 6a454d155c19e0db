// recorded.c -- what a file was written with: plugins, dialects and rules, in its external
// resources.
//
// They stand behind the module in text, and must be known before the module is read: so they are
// read ahead, alone.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "context/context_impl.h"
#include "mlc/dialects.h"
#include "mlc/ir/bytecode.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/rule.h"
#include "mlc/ir/text.h"
#include "mlc/support/buf.h"
#include "mlc/support/file.h"

// By MlcExtensionKind; a number follows.
static const char *const words[] = {"plugin", "dialect", "rules", NULL, "irdl"};
enum { NUM_WORDS = sizeof words / sizeof *words };
enum { MAX_SIZE = 16 << 20 }; // of a file that another one names

void
mlc_record_extensions(MlcContext *ctx, MlcExternalResources *resources)
{
    for (size_t i = 0; i < mlc_context_num_extensions(ctx); i++) {
        MlcExtension extension = mlc_context_extension_at(ctx, i);
        MlcBuf key = {0}, value = {0};
        mlc_buf_printf(&key, "%s%zu", words[extension.kind], i);
        mlc_buf_append_quoted(&value, mlc_str(extension.path));
        mlc_external_resources_add(resources, mlc_str(MLC_RECORDED_SECTION), mlc_buf_str(&key),
                                   mlc_buf_str(&value));
        mlc_buf_release(&key);
        mlc_buf_release(&value);
    }
}

void
mlc_context_set_irdl_loader(MlcContext *ctx, MlcExtensionLoader loader)
{
    ctx->load_irdl = loader;
}

// The kind that a key says; NUM_WORDS: none.
static size_t
kind_of(MlcStr key)
{
    size_t kind = 0;
    for (; kind < NUM_WORDS; kind++) {
        size_t n = words[kind] ? strlen(words[kind]) : 0;
        if (n > 0 && key.size > n && memcmp(key.data, words[kind], n) == 0 &&
            strspn(key.data + n, "0123456789") == key.size - n)
            break;
    }
    return kind;
}

// The same file, or one of its name that was loaded from elsewhere.
static bool
is_loaded(MlcContext *ctx, MlcExtensionKind kind, const char *path)
{
    if (mlc_context_has_extension(ctx, kind, path))
        return true;
    MlcStr base = mlc_path_base(mlc_str(path));
    for (size_t i = 0; i < mlc_context_num_extensions(ctx); i++) {
        MlcExtension extension = mlc_context_extension_at(ctx, i);
        if (extension.kind == kind && mlc_str_equal(mlc_path_base(mlc_str(extension.path)), base))
            return true;
    }
    return false;
}

// Whoever wrote the file chose the paths: nothing is opened that may never end.
static bool
load(MlcContext *ctx, MlcExtensionKind kind, const char *path, MlcLoc loc)
{
    if (is_loaded(ctx, kind, path))
        return true;
    if (kind == MLC_EXTENSION_PLUGIN) {
        mlc_warning(ctx, loc, "written with the plugin '%s', which only --load-plugin loads", path);
        return true;
    }
    const char *what = kind == MLC_EXTENSION_IRDL ? "dialects" : words[kind], *why = NULL;
    struct stat found;
    if (stat(path, &found) != 0 || access(path, R_OK) != 0)
        why = strerror(errno);
    else if (!S_ISREG(found.st_mode))
        why = "it is no regular file";
    else if (found.st_size > MAX_SIZE)
        why = "it is larger than definitions are";
    else if (kind == MLC_EXTENSION_IRDL && !ctx->load_irdl)
        why = "nobody here reads IRDL";
    if (why)
        return mlc_error(ctx, loc, "written with the %s in '%s': %s", what, path, why);
    if (kind == MLC_EXTENSION_IRDL)
        return ctx->load_irdl(ctx, path);
    return kind == MLC_EXTENSION_DIALECT ? mlc_load_dialect(ctx, path) : mlc_load_rules(ctx, path);
}

// Where the entry stands: in text, at its value.
static MlcLoc
loc_of(MlcContext *ctx, MlcStr text, MlcStr name, MlcStr value)
{
    const char *at = memmem(text.data, text.size, value.data, value.size), *line = text.data;
    unsigned number = 1;
    if (!at || mlc_is_bytecode(text))
        return mlc_loc_file(ctx, name, 0, 0);
    for (const char *end; (end = memchr(line, '\n', (size_t)(at - line))); line = end + 1)
        number++;
    return mlc_loc_file(ctx, name, number, (unsigned)(at - line) + 1);
}

static bool
load_entry(MlcContext *ctx, const MlcExternalResource *entry, MlcStr text, MlcStr name)
{
    size_t kind = kind_of(entry->key);
    MlcLoc loc = loc_of(ctx, text, name, entry->value);
    MlcAttr path = kind < NUM_WORDS && entry->value.size && *entry->value.data == '"'
                       ? mlc_parse_attr(ctx, entry->value)
                       : NULL;
    if (!path || !mlc_attr_is(path, MLC_ATTR_STRING))
        return mlc_error(ctx, loc, "'%.*s' is no entry of '" MLC_RECORDED_SECTION "'",
                         MLC_STR_FMT(entry->key));
    return load(ctx, (MlcExtensionKind)kind, mlc_string_attr_value(path).data, loc);
}

bool
mlc_load_recorded(MlcContext *ctx, MlcStr text, MlcStr name)
{
    MlcExternalResources *resources = mlc_external_resources_create();
    mlc_read_external_resources(ctx, text, name, resources);
    bool ok = true;
    for (size_t i = 0; i < mlc_external_resources_size(resources); i++) {
        const MlcExternalResource *entry = mlc_external_resources_at(resources, i);
        if (mlc_str_equal(entry->section, mlc_str(MLC_RECORDED_SECTION)))
            ok = load_entry(ctx, entry, text, name) && ok;
    }
    mlc_external_resources_destroy(resources);
    return ok;
}

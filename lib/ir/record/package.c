// package.c -- `package:` of a dialect's YAML: which files make it up.
//
// Nothing is loaded here, since whoever loads plugins stands above: a package is a list of files,
// those of the dialects that it names included, once each, in the order in which they are loaded.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "context/context_impl.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/loc.h"
#include "mlc/support/file.h"
#include "yaml_check.h"
#include "yaml_loader.h"

struct MlcPackage {
    MlcContext *ctx;
    MlcArena arena;
    MLC_VEC(MlcExtension) parts;
};

// A file that is being read, and the one that names it.
typedef struct Reading {
    const struct Reading *outer;
    const char *path, *whole; // as it was named, and without links
} Reading;

static const char *
whole_path(MlcArena *arena, const char *path)
{
    char whole[PATH_MAX];
    return mlc_arena_strdup(arena, mlc_str(realpath(path, whole) ? whole : path)).data;
}

static bool
is_same_file(const char *a, const char *b)
{
    char whole[2][PATH_MAX];
    return strcmp(realpath(a, whole[0]) ? whole[0] : a, realpath(b, whole[1]) ? whole[1] : b) == 0;
}

static bool
has_part(const MlcPackage *p, MlcExtensionKind kind, const char *path)
{
    for (size_t i = 0; i < p->parts.size; i++)
        if (p->parts.data[i].kind == kind && is_same_file(p->parts.data[i].path, path))
            return true;
    return false;
}

static MlcLoc
loc_of(const MlcPackage *p, const MlcYaml *node)
{
    return mlc_loc_file(p->ctx, mlc_str(node->filename), node->line, node->column);
}

// `name` beside the file that names it.
static const char *
path_beside(MlcPackage *p, const Reading *reading, const char *name)
{
    const char *slash = strrchr(reading->path, '/');
    int folder = slash && *name != '/' ? (int)(slash + 1 - reading->path) : 0;
    return mlc_arena_printf(&p->arena, "%.*s%s", folder, reading->path, name).data;
}

static bool
is_there(const MlcPackage *p, MlcExtensionKind kind, const char *path, MlcLoc loc)
{
    struct stat found;
    if (stat(path, &found) != 0 || access(path, R_OK) != 0)
        return mlc_error(p->ctx, loc, "'%s': %s", path, strerror(errno));
    bool is_folder = S_ISDIR(found.st_mode), wants_folder = kind == MLC_EXTENSION_TESTS;
    return is_folder == wants_folder ||
           mlc_error(p->ctx, loc, "'%s' is %s folder", path, is_folder ? "a" : "no");
}

// The items of a key: a list, or one name alone.
static size_t
names_of(const MlcYaml *node, const MlcYaml *const **items, const MlcYaml **single)
{
    *single = node;
    *items = mlc_yaml_is_sequence(node) ? node->items : single;
    return mlc_yaml_is_sequence(node) ? node->num_items : node != NULL;
}

static bool read_dialect(MlcPackage *p, const char *path, MlcLoc loc, const Reading *outer);

static bool
read_names(MlcPackage *p, const MlcYaml *section, const char *key, MlcExtensionKind kind,
           const Reading *reading)
{
    const MlcYaml *const *items, *single;
    size_t n = names_of(mlc_yaml_get(section, key), &items, &single);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        const char *path = path_beside(p, reading, mlc_yaml_as_str(items[i], "").data);
        MlcLoc loc = loc_of(p, items[i]);
        if (!is_there(p, kind, path, loc))
            ok = false;
        else if (kind == MLC_EXTENSION_DIALECT)
            ok = read_dialect(p, path, loc, reading) && ok;
        else if (!has_part(p, kind, path))
            mlc_vec_push(&p->parts, ((MlcExtension){kind, path, loc}));
    }
    return ok;
}

// The file's tree, checked as far as `package` goes; NULL after diagnostics.
static const MlcYaml *
parse(MlcPackage *p, const char *path, MlcLoc loc)
{
    MlcFile file;
    MlcBuf error = {0};
    if (!mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error)) {
        mlc_error(p->ctx, loc, "%s", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return NULL;
    }
    MlcYamlLoader loader = {
        .arena = &p->arena, .filename = path, .report = mlc_loader_report, .user = p->ctx};
    const MlcYaml *root = mlc_yaml_loader_parse(&loader, mlc_str_n(file.data, file.size), path);
    mlc_file_release(&file);
    if (root)
        mlc_yaml_check_package(&loader, mlc_yaml_get(root, "package"));
    return loader.num_faults ? NULL : root;
}

static bool
read_dialect(MlcPackage *p, const char *path, MlcLoc loc, const Reading *outer)
{
    Reading reading = {outer, path, whole_path(&p->arena, path)};
    for (const Reading *r = outer; r; r = r->outer)
        if (strcmp(r->whole, reading.whole) == 0)
            return mlc_error(p->ctx, loc, "'%s' needs itself: it is what names this file", r->path);
    if (has_part(p, MLC_EXTENSION_DIALECT, path))
        return true;
    const MlcYaml *root = parse(p, path, loc);
    if (!root)
        return false;
    const MlcYaml *section = mlc_yaml_get(root, "package");
    bool ok = read_names(p, section, "dialects", MLC_EXTENSION_DIALECT, &reading);
    mlc_vec_push(&p->parts, ((MlcExtension){MLC_EXTENSION_DIALECT, path, loc}));
    ok = read_names(p, section, "plugin", MLC_EXTENSION_PLUGIN, &reading) && ok;
    ok = read_names(p, section, "rules", MLC_EXTENSION_RULES, &reading) && ok;
    return read_names(p, section, "tests", MLC_EXTENSION_TESTS, &reading) && ok;
}

// By kind, each kind as it is.
static void
sort_parts(MlcPackage *p)
{
    MLC_VEC(MlcExtension) sorted = {0};
    for (int kind = MLC_EXTENSION_PLUGIN; kind <= MLC_EXTENSION_TESTS; kind++)
        for (size_t i = 0; i < p->parts.size; i++)
            if ((int)p->parts.data[i].kind == kind)
                mlc_vec_push(&sorted, p->parts.data[i]);
    memcpy(p->parts.data, sorted.data, sorted.size * sizeof *sorted.data);
    mlc_vec_release(&sorted);
}

MlcPackage *
mlc_package_read(MlcContext *ctx, const char *path)
{
    MlcPackage *p = mlc_calloc(1, sizeof *p);
    p->ctx = ctx;
    mlc_arena_init(&p->arena);
    path = mlc_arena_strdup(&p->arena, mlc_str(path)).data;
    if (!read_dialect(p, path, mlc_loc_unknown(ctx), NULL)) {
        mlc_package_destroy(p);
        return NULL;
    }
    sort_parts(p);
    return p;
}

void
mlc_package_destroy(MlcPackage *p)
{
    if (!p)
        return;
    mlc_vec_release(&p->parts);
    mlc_arena_release(&p->arena);
    mlc_free(p);
}

size_t
mlc_package_size(const MlcPackage *p)
{
    return p->parts.size;
}

const MlcExtension *
mlc_package_at(const MlcPackage *p, size_t i)
{
    return &p->parts.data[i];
}

// --- what a context has loaded

size_t
mlc_context_num_extensions(MlcContext *ctx)
{
    pthread_mutex_lock(&ctx->lock);
    size_t n = ctx->extensions.size;
    pthread_mutex_unlock(&ctx->lock);
    return n;
}

MlcExtension
mlc_context_extension_at(MlcContext *ctx, size_t i)
{
    pthread_mutex_lock(&ctx->lock);
    MlcExtension extension = ctx->extensions.data[i];
    pthread_mutex_unlock(&ctx->lock);
    return extension;
}

bool
mlc_context_has_extension(MlcContext *ctx, MlcExtensionKind kind, const char *path)
{
    for (size_t i = mlc_context_num_extensions(ctx); i-- > 0;) {
        MlcExtension extension = mlc_context_extension_at(ctx, i);
        if (extension.kind == kind && is_same_file(extension.path, path))
            return true;
    }
    return false;
}

void
mlc_context_add_extension(MlcContext *ctx, MlcExtensionKind kind, const char *path)
{
    pthread_mutex_lock(&ctx->lock);
    MlcExtension extension = {kind, whole_path(&ctx->arena, path), NULL};
    mlc_vec_push(&ctx->extensions, extension);
    pthread_mutex_unlock(&ctx->lock);
}

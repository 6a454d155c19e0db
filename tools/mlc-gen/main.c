// main.c -- mlc-gen: the dialect generator of the build.
//
//     mlc-gen DIRECTORY DIALECT OUT.c OUT.h      a dialect's tables and declarations
//     mlc-gen --outside FOLDER DIRECTORY DIALECT OUT.c OUT.h
//                                                the same for another tree: FOLDER has the
//                                                dialect, DIRECTORY those of mlc that it uses
//     mlc-gen --reference DIRECTORY CONVERSIONS OUT DIALECT...
//                                                pages in the folder OUT; CONVERSIONS is what
//                                                mlc-opt --show-conversions prints
//     mlc-gen --registry OUT.c DIALECT...        the list of all dialects
//     mlc-gen --targets IN.yaml OUT.c            the table of machine descriptions
//     mlc-gen --instructions IN.yaml OUT.c       the table of what nvvm ops are on the machine
//     mlc-gen --hook-count DIRECTORY DIALECT...  how many ops have syntax in C; fails above 10 %
//
// It loads YAML with the loader that `--load-dialect` has, so both know one language.
#include "gen.h"

#include <ctype.h>

#include <stdio.h>
#include <stdlib.h>

#include "mlc/support/file.h"
#include "record/yaml_reference.h"

static void
report(void *user, const char *filename, unsigned line, unsigned column, const char *message)
{
    (void)user;
    fprintf(stderr, "%s:%u:%u: error: %s\n", filename, line, column, message);
}

static const MlcDialectDef *
find_dialect(void *user, MlcStr name)
{
    Gen *gen = user;
    GenDialect *d = gen_load(gen, mlc_arena_strdup(&gen->arena, name).data);
    return d ? d->def : NULL;
}

// The file of a dialect that ends with `suffix`.
static const char *
file_of(Gen *gen, const char *name, const char *suffix)
{
    if (gen->outside) {
        const char *path =
            mlc_arena_printf(&gen->arena, "%s/%s%s", gen->outside, name, suffix).data;
        if (mlc_file_exists(path))
            return path;
    }
    return mlc_arena_printf(&gen->arena, "%s/%s/%s%s", gen->directory, name, name, suffix).data;
}

GenDialect *
gen_load(Gen *gen, const char *name)
{
    for (size_t i = 0; i < gen->dialects.size; i++)
        if (strcmp(gen->dialects.data[i]->name, name) == 0)
            return gen->dialects.data[i];
    GenDialect *d = MLC_NEW(&gen->arena, GenDialect);
    d->name = name;
    mlc_vec_push(&gen->dialects, d);
    MlcBuf error = {0};
    MlcFile file;
    const char *path = file_of(gen, name, ".yaml");
    if (!mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error)) {
        fprintf(stderr, "mlc-gen: %s\n", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return NULL;
    }
    d->loader = (MlcYamlLoader){.arena = &gen->arena,
                                .filename = path,
                                .find = find_dialect,
                                .report = report,
                                .user = gen,
                                .requirement = mlc_rules_requirement};
    d->def = mlc_yaml_load(&d->loader, mlc_str_n(file.data, file.size));
    mlc_file_release(&file);
    return d->def ? d : NULL;
}

bool
gen_load_rules(Gen *gen, GenDialect *d)
{
    MlcBuf error = {0};
    MlcFile file;
    const char *path = file_of(gen, d->name, ".rules");
    if (!mlc_file_exists(path))
        return true;
    d->rules = (MlcRulesCompiler){.parse = {.arena = &gen->arena,
                                            .dialect = mlc_str(d->name),
                                            .report = report,
                                            .user = gen,
                                            .filename = path},
                                  .find = find_dialect};
    bool ok = mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error);
    if (ok) {
        ok = mlc_rules_compile(&d->rules, mlc_str_n(file.data, file.size));
        mlc_file_release(&file);
    } else {
        fprintf(stderr, "mlc-gen: %s\n", mlc_buf_c_str(&error));
    }
    mlc_buf_release(&error);
    return ok;
}

const char *
gen_c_name(Gen *gen, const char *full_name)
{
    char *name = (char *)mlc_arena_strdup(&gen->arena, mlc_str(strchr(full_name, '.') + 1)).data;
    for (char *c = name; *c; c++)
        if (*c == '.')
            *c = '_';
    return name;
}

void
gen_string(MlcBuf *out, const char *text)
{
    if (!text) {
        mlc_buf_append_c(out, "NULL");
        return;
    }
    mlc_buf_append_char(out, '"');
    for (; *text; text++) {
        if (*text == '\n')
            mlc_buf_append_c(out, "\\n");
        else if (*text == '"' || *text == '\\')
            mlc_buf_printf(out, "\\%c", *text);
        else if ((unsigned char)*text < 32 || *text == '?')
            mlc_buf_printf(out, "\\%03o", (unsigned char)*text);
        else
            mlc_buf_append_char(out, *text);
    }
    mlc_buf_append_char(out, '"');
}

const char *
gen_snake(Gen *gen, const char *name)
{
    MlcBuf text = {0};
    for (const char *c = name; *c; c++) {
        bool begins_word = isupper((unsigned char)*c) && c > name &&
                           (islower((unsigned char)c[-1]) || isdigit((unsigned char)c[-1]));
        if (begins_word)
            mlc_buf_append_char(&text, '_');
        mlc_buf_append_char(&text, (char)tolower((unsigned char)*c));
    }
    const char *snake = mlc_arena_strdup(&gen->arena, mlc_buf_str(&text)).data;
    mlc_buf_release(&text);
    return snake;
}

const char *
gen_param(Gen *gen, const char *name)
{
    static const char *const taken[] = {
        "and",  "auto",    "b",      "bool",     "case",   "default",  "do",     "double", "else",
        "enum", "false",   "float",  "for",      "if",     "inline",   "int",    "new",    "not",
        "or",   "private", "public", "restrict", "return", "signed",   "static", "struct", "switch",
        "this", "true",    "union",  "unsigned", "void",   "volatile", "xor"};
    const char *snake =
        gen_snake(gen, gen_c_name(gen, mlc_arena_printf(&gen->arena, ".%s", name).data));
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(snake, taken[i]) == 0)
            return mlc_arena_printf(&gen->arena, "%s_", snake).data;
    return snake;
}

const char *
gen_symbol(const GenDialect *d, const void *slot)
{
    return mlc_map_get(&d->loader.symbols, slot);
}

// Written only if it changed, so that a new reference page does not recompile the world.
static bool
write_file(const char *path, const MlcBuf *text)
{
    MlcBuf error = {0};
    MlcFile old;
    if (mlc_file_exists(path) && mlc_file_open(&old, path, MLC_FILE_READ_ONLY, &error)) {
        bool same = mlc_str_equal(mlc_str_n(old.data, old.size), mlc_buf_str(text));
        mlc_file_release(&old);
        if (same)
            return true;
    }
    bool ok = mlc_file_write_atomic(path, text->data, text->size, &error);
    if (!ok)
        fprintf(stderr, "mlc-gen: %s\n", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

static bool
generate(Gen *gen, char **args)
{
    GenDialect *d = gen_load(gen, args[0]);
    if (!d || !gen_load_rules(gen, d))
        return false;
    static void (*const printers[])(Gen *, GenDialect *, MlcBuf *) = {gen_tables, gen_header};
    bool ok = true;
    for (size_t i = 0; i < 2; i++) {
        MlcBuf out = {0};
        printers[i](gen, d, &out);
        ok = write_file(args[1 + i], &out) && ok;
        mlc_buf_release(&out);
    }
    return ok;
}

// Lines "arith.addf: convert-arith-to-llvm convert-to-llvm".
static bool
read_conversions(Gen *gen, const char *path)
{
    MlcBuf error = {0};
    MlcFile file;
    bool ok = mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error);
    if (!ok)
        fprintf(stderr, "mlc-gen: %s\n", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    if (!ok)
        return false;
    mlc_str_map_init(&gen->conversions, NULL);
    char *line = (char *)mlc_arena_strdup(&gen->arena, mlc_str_n(file.data, file.size)).data;
    mlc_file_release(&file);
    for (char *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        char *passes = strstr(line, ": ");
        if (passes)
            mlc_str_map_set(&gen->conversions, mlc_str_n(line, (size_t)(passes - line)),
                            passes + 2);
    }
    return true;
}

typedef struct Referred {
    Gen *gen;
    const GenDialect *d;
} Referred;

static bool
has_rules(void *user, const MlcOpDef *op)
{
    const GenDialect *d = ((const Referred *)user)->d;
    for (size_t i = 0; i < d->rules.tables.size; i++)
        if (d->rules.tables.data[i]->op == op)
            return true;
    return false;
}

static const char *
passes_of(void *user, const MlcOpDef *op)
{
    Gen *gen = ((const Referred *)user)->gen;
    MlcStrMapEntry *entry = mlc_str_map_find(&gen->conversions, mlc_str(op->name));
    return entry ? (const char *)(uintptr_t)entry->value : NULL;
}

static bool
write_reference(Gen *gen, const char *folder, char **names, int num_names)
{
    bool ok = true;
    for (int i = 0; i < num_names; i++) {
        GenDialect *d = gen_load(gen, names[i]);
        if (!d || !gen_load_rules(gen, d))
            return false;
        MlcBuf out = {0};
        Referred referred = {gen, d};
        mlc_yaml_reference(&(MlcReference){.loader = &d->loader,
                                           .dialect = d->def,
                                           .has_rules = has_rules,
                                           .passes = passes_of,
                                           .user = &referred},
                           &out);
        const char *path = mlc_arena_printf(&gen->arena, "%s/%s.md", folder, names[i]).data;
        ok = write_file(path, &out) && ok;
        mlc_buf_release(&out);
    }
    return ok;
}

static bool
write_registry(const char *path, char **names, int num_names)
{
    MlcBuf out = {0};
    mlc_buf_append_c(
        &out,
        "// Written by mlc-gen from the mlc_add_dialect lines.\n#include \"mlc/dialects.h\"\n\n");
    for (int i = 0; i < num_names; i++)
        mlc_buf_printf(&out, "extern const MlcDialectDef mlc_%s_dialect;\n", names[i]);
    mlc_buf_append_c(&out, "\nstatic const MlcDialectDef *const all[] = {\n");
    for (int i = 0; i < num_names; i++)
        mlc_buf_printf(&out, "    &mlc_%s_dialect,\n", names[i]);
    mlc_buf_append_c(&out, "};\n\nvoid\nmlc_register_all_dialects(MlcContext *ctx)\n{\n"
                           "    for (size_t i = 0; i < sizeof all / sizeof *all; i++)\n"
                           "        mlc_context_register_dialect(ctx, all[i]);\n}\n\n"
                           "bool\nmlc_is_builtin_dialect(const MlcDialectDef *dialect)\n{\n"
                           "    for (size_t i = 0; i < sizeof all / sizeof *all; i++)\n"
                           "        if (all[i] == dialect)\n            return true;\n"
                           "    return false;\n}\n");
    bool ok = write_file(path, &out);
    mlc_buf_release(&out);
    return ok;
}

const MlcYaml *
gen_read_list(Gen *gen, const char *path, const char *key)
{
    MlcBuf error = {0};
    MlcFile file;
    const MlcYaml *root = NULL;
    if (mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error)) {
        root = mlc_yaml_parse(&gen->arena, mlc_str_n(file.data, file.size), path, &error);
        mlc_file_release(&file);
    }
    const MlcYaml *list = root ? mlc_yaml_get(root, key) : NULL;
    if (error.size > 0)
        fprintf(stderr, "mlc-gen: %s\n", mlc_buf_c_str(&error));
    else if (!list || !mlc_yaml_is_sequence(list))
        fprintf(stderr, "mlc-gen: %s: the file begins with '%s:'\n", path, key);
    mlc_buf_release(&error);
    return list && mlc_yaml_is_sequence(list) ? list : NULL;
}

static bool
write_rows(bool (*print)(Gen *gen, const char *path, MlcBuf *out), const char *in, const char *path)
{
    Gen gen = {0};
    MlcBuf out = {0};
    bool ok = print(&gen, in, &out) && write_file(path, &out);
    mlc_buf_release(&out);
    mlc_arena_release(&gen.arena);
    return ok;
}

// Syntax is data: at most one op in ten has a C function for it.
static bool
count_hooks(Gen *gen, char **names, int num_names)
{
    size_t num_ops = 0, num_hooks = 0;
    for (int i = 0; i < num_names; i++) {
        GenDialect *d = gen_load(gen, names[i]);
        if (!d)
            return false;
        size_t here = 0;
        for (size_t k = 0; k < d->def->num_ops; k++)
            here += gen_symbol(d, &d->def->ops[k]->parse) || gen_symbol(d, &d->def->ops[k]->print);
        printf("%-14s %4zu ops, %3zu with C syntax\n", names[i], d->def->num_ops, here);
        num_ops += d->def->num_ops;
        num_hooks += here;
    }
    printf("%-14s %4zu ops, %3zu with C syntax (%.1f %%)\n", "all", num_ops, num_hooks,
           num_ops ? 100.0 * (double)num_hooks / (double)num_ops : 0.0);
    return num_hooks * 10 <= num_ops;
}

static void
release(Gen *gen)
{
    for (size_t i = 0; i < gen->dialects.size; i++) {
        mlc_yaml_loader_release(&gen->dialects.data[i]->loader);
        mlc_rules_compiler_release(&gen->dialects.data[i]->rules);
    }
    mlc_vec_release(&gen->dialects);
    mlc_arena_release(&gen->arena);
}

int
main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "--registry") == 0)
        return write_registry(argv[2], argv + 3, argc - 3) ? 0 : 1;
    if (argc == 4 && strcmp(argv[1], "--targets") == 0)
        return write_rows(gen_targets, argv[2], argv[3]) ? 0 : 1;
    if (argc == 4 && strcmp(argv[1], "--instructions") == 0)
        return write_rows(gen_instructions, argv[2], argv[3]) ? 0 : 1;
    bool is_outside = argc == 7 && strcmp(argv[1], "--outside") == 0;
    bool counts = argc >= 4 && strcmp(argv[1], "--hook-count") == 0;
    bool refers = argc >= 6 && strcmp(argv[1], "--reference") == 0;
    if (argc != 5 && !counts && !refers && !is_outside) {
        fprintf(stderr, "usage: mlc-gen DIRECTORY DIALECT OUT.c OUT.h\n"
                        "       mlc-gen --outside FOLDER DIRECTORY DIALECT OUT.c OUT.h\n"
                        "       mlc-gen --reference DIRECTORY CONVERSIONS OUT DIALECT...\n"
                        "       mlc-gen --registry OUT.c DIALECT...\n"
                        "       mlc-gen --targets IN.yaml OUT.c\n"
                        "       mlc-gen --instructions IN.yaml OUT.c\n"
                        "       mlc-gen --hook-count DIRECTORY DIALECT...\n");
        return 1;
    }
    Gen gen = {.directory = is_outside         ? argv[3]
                            : counts || refers ? argv[2]
                                               : argv[1],
               .outside = is_outside ? argv[2] : NULL};
    bool ok = refers ? read_conversions(&gen, argv[3]) &&
                           write_reference(&gen, argv[4], argv + 5, argc - 5)
              : counts ? count_hooks(&gen, argv + 3, argc - 3)
                       : generate(&gen, argv + (is_outside ? 4 : 2));
    if (refers)
        mlc_str_map_release(&gen.conversions);
    release(&gen);
    return ok ? 0 : 1;
}

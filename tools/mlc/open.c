// open.c -- command lines of the verbs, and a model opened with its inputs.
#include "mlc.h"

#include "mlc/support/alloc.h"
#include "mlc/support/clock.h"
#include "mlc/support/file.h"
#include "mlc/support/vec.h"
#include "mlc/target.h"

#include <stdio.h>

int
report(MlcBuf *error)
{
    MlcStr rest = mlc_buf_str(error);
    while (rest.size > 0) {
        const char *end = memchr(rest.data, '\n', rest.size);
        size_t size = end ? (size_t)(end - rest.data) : rest.size;
        fprintf(stderr, "mlc: %.*s\n", (int)size, rest.data);
        size += end != NULL;
        rest = mlc_str_n(rest.data + size, rest.size - size);
    }
    mlc_buf_release(error);
    return EXIT_WRONG;
}

bool
parse_arguments(const char *verb, const char *overview, const char *positional,
                const MlcCliOption *options, size_t num_options, int argc, char **argv,
                const char **values, size_t num_values, int *code)
{
    MlcStrVec given = {0};
    MlcBuf text = {0};
    bool ok = false;
    *code = EXIT_WRONG;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            char usage[64];
            snprintf(usage, sizeof usage, "%s %s [options]", verb, positional);
            mlc_cli_help(&text, usage, overview, options, num_options);
            printf("%s", mlc_buf_c_str(&text));
            *code = EXIT_OK;
            goto done;
        }
    }
    if (!mlc_cli_parse(options, num_options, argc, argv, &given, &text)) {
        report(&text);
    } else if (given.size != num_values) {
        mlc_buf_printf(&text, "%s expects %s, got %zu argument%s; %s --help lists the options",
                       verb, positional, given.size, given.size == 1 ? "" : "s", verb);
        report(&text);
    } else {
        for (size_t i = 0; i < num_values; i++)
            values[i] = given.data[i].data; // of argv, so a NUL ends it
        *code = EXIT_OK;
        ok = true;
    }
done:
    mlc_buf_release(&text);
    mlc_vec_release(&given);
    return ok;
}

const char *
parse_verb(const char *verb, const char *overview, const MlcCliOption *options, size_t num_options,
           int argc, char **argv, int *code)
{
    const char *model = NULL;
    parse_arguments(verb, overview, "MODEL", options, num_options, argc, argv, &model, 1, code);
    return model;
}

bool
check_threads(int64_t *threads)
{
    if (*threads == THREADS_NOT_GIVEN)
        *threads = THREADS_DEFAULT;
    else if (*threads < 1 || *threads > 1024) {
        fprintf(stderr, "mlc: option '--threads' expects a number from 1 to 1024, got %lld\n",
                (long long)*threads);
        return false;
    }
    return true;
}

// Inputs and outputs alike: what an option's NAME=FILE may name.
typedef struct Role {
    const char *word, *option;
    int32_t (*count)(const MlcModel *model);
    const MlcRtTensorInfo *(*info)(const MlcModel *model, int32_t index);
    int32_t (*find)(const MlcModel *model, const char *name);
} Role;

static const Role input_role = {"input", "--input", mlc_model_num_inputs, mlc_model_input,
                                mlc_model_find_input};
static const Role output_role = {"output", "--expect", mlc_model_num_outputs, mlc_model_output,
                                 mlc_model_find_output};

static void
list_names(const MlcModel *model, const Role *role, MlcBuf *out)
{
    for (int32_t i = 0; i < role->count(model); i++)
        mlc_buf_printf(out, "%s'%s'", i ? ", " : "", role->info(model, i)->name);
}

// One NAME=FILE, into the file of that name.
static bool
read_file(const MlcModel *model, const Role *role, TensorFile *files, MlcStr spec, MlcBuf *error)
{
    const char *equals = memchr(spec.data, '=', spec.size);
    if (!equals) {
        mlc_buf_printf(error, "%s expects NAME=FILE, got '%.*s'; the model's %ss are ",
                       role->option, MLC_STR_FMT(spec), role->word);
        list_names(model, role, error);
        return false;
    }
    MlcBuf name = {0};
    mlc_buf_append(&name, spec.data, (size_t)(equals - spec.data));
    int32_t index = role->find(model, mlc_buf_c_str(&name));
    bool ok = false;
    if (index < 0) {
        mlc_buf_printf(error, "the model has no %s '%s'; it has ", role->word,
                       mlc_buf_c_str(&name));
        list_names(model, role, error);
    } else if (files[index].tensor.data) {
        mlc_buf_printf(error, "%s '%s' is given twice", role->word, mlc_buf_c_str(&name));
    } else {
        ok = tensor_file_read(&files[index], equals + 1, role->word, role->info(model, index),
                              error);
    }
    mlc_buf_release(&name);
    return ok;
}

static bool
read_files(const MlcModel *model, const Role *role, const MlcStrVec *specs, TensorFile **files,
           MlcBuf *error)
{
    *files = mlc_calloc((size_t)role->count(model) + 1, sizeof **files);
    for (size_t i = 0; specs && i < specs->size; i++)
        if (!read_file(model, role, *files, specs->data[i], error))
            return false;
    return true;
}

static bool
set_inputs(OpenModel *open, MlcBuf *error)
{
    MlcRtError fault;
    for (int32_t i = 0; i < mlc_model_num_inputs(open->model); i++) {
        const MlcRtTensor *tensor = &open->inputs[i].tensor;
        const char *name = mlc_model_input(open->model, i)->name;
        if (!tensor->data)
            mlc_buf_printf(error, "%sinput '%s' is missing: --input %s=FILE",
                           error->size ? "\n" : "", name, name);
        else if (!mlc_session_set_input(open->session, i, tensor, &fault))
            mlc_buf_append_c(error, fault.message);
    }
    return error->size == 0;
}

bool
is_source(const char *path)
{
    const char *end = strrchr(path, '.');
    return end && (strcmp(end, ".onnx") == 0 || strcmp(end, ".mlir") == 0);
}

// The cache's model, made first if it has none; without a cache, code in this process. perf is told
// of an artefact's functions, so for it there is one, in memory. With a budget for compiling
// nothing goes into the cache, for something may be left out.
static int
open_source(OpenModel *open, const char *path, const OpenOptions *options, MlcRtError *fault)
{
    CompileOptions compile = options->compile;
    MlcModelOptions load = {.perf_map = options->perf_map};
    MlcBudget budget;
    MlcBuf place = {0};
    int code = EXIT_OK;
    if (!start_budget(&compile, &budget))
        return EXIT_WRONG;
    compile.threads = options->threads;
    const char *file = cache_place(path, &compile, &place) ? mlc_buf_c_str(&place) : NULL;
    open->model = file ? cache_load(file, &load) : NULL;
    if (!open->model && file && !compile.budget) {
        code = compile_model(path, &compile, file, NULL);
        if (code == EXIT_OK) {
            open->model = mlc_model_load(file, &load, fault);
            cache_keep(file, file);
        }
    } else if (!open->model) {
        compile.jit = load.perf_map ? NULL : &open->jit;
        code = compile_model(path, &compile, NULL, &open->image);
        load.resolve = load.perf_map ? NULL : mlc_target_jit_lookup;
        load.user = open->jit;
        if (code == EXIT_OK)
            open->model = mlc_model_load_memory(open->image.data, open->image.size, &load, fault);
    }
    mlc_buf_release(&place);
    return code;
}

int
model_open(OpenModel *open, const char *path, const OpenOptions *options)
{
    *open = (OpenModel){0};
    MlcBuf error = {0};
    MlcRtError fault = {0};
    double start = mlc_clock_seconds();
    int code = is_source(path) ? open_source(open, path, options, &fault) : EXIT_OK;
    if (code != EXIT_OK)
        return code;
    if (!is_source(path))
        open->model =
            mlc_model_load(path, &(MlcModelOptions){.perf_map = options->perf_map}, &fault);
    if (open->model) {
        MlcSessionOptions session = {.threads = (int32_t)options->threads,
                                     .profile = options->profile || options->trace.size > 0};
        open->session = mlc_session_create(open->model, &session, &fault);
    }
    open->load_seconds = mlc_clock_seconds() - start;
    if (!open->session)
        mlc_buf_append_c(&error, fault.message);
    else if (read_files(open->model, &input_role, options->inputs, &open->inputs, &error) &&
             read_files(open->model, &output_role, options->expect, &open->expected, &error) &&
             set_inputs(open, &error)) {
        mlc_buf_release(&error);
        return EXIT_OK;
    }
    model_close(open);
    return report(&error);
}

void
model_close(OpenModel *open)
{
    for (int32_t i = 0; open->inputs && i < mlc_model_num_inputs(open->model); i++)
        tensor_file_release(&open->inputs[i]);
    for (int32_t i = 0; open->expected && i < mlc_model_num_outputs(open->model); i++)
        tensor_file_release(&open->expected[i]);
    mlc_free(open->inputs);
    mlc_free(open->expected);
    mlc_session_destroy(open->session);
    mlc_model_destroy(open->model);
    if (open->jit)
        mlc_target_open(NULL)->jit_destroy(open->jit);
    mlc_buf_release(&open->image);
    *open = (OpenModel){0};
}

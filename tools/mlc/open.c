// open.c -- command lines of the verbs, and a model opened with its inputs.
#include "mlc.h"

#include "mlc/support/alloc.h"
#include "mlc/support/file.h"
#include "mlc/support/vec.h"
#include "mlc/target.h"

#include <stdio.h>
#include <time.h>

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

const char *
parse_verb(const char *verb, const char *overview, const MlcCliOption *options, size_t num_options,
           int argc, char **argv, int *code)
{
    MlcStrVec positional = {0};
    MlcBuf text = {0};
    const char *model = NULL;
    *code = EXIT_WRONG;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            char usage[64];
            snprintf(usage, sizeof usage, "%s MODEL [options]", verb);
            mlc_cli_help(&text, usage, overview, options, num_options);
            printf("%s", mlc_buf_c_str(&text));
            *code = EXIT_OK;
            goto done;
        }
    }
    if (!mlc_cli_parse(options, num_options, argc, argv, &positional, &text)) {
        report(&text);
    } else if (positional.size != 1) {
        mlc_buf_printf(&text, "%s expects one model, got %zu; %s --help lists the options", verb,
                       positional.size, verb);
        report(&text);
    } else {
        model = positional.data[0].data; // of argv, so a NUL ends it
        *code = EXIT_OK;
    }
done:
    mlc_buf_release(&text);
    mlc_vec_release(&positional);
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

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
list_inputs(const MlcModel *model, MlcBuf *out)
{
    for (int32_t i = 0; i < mlc_model_num_inputs(model); i++)
        mlc_buf_printf(out, "%s'%s'", i ? ", " : "", mlc_model_input(model, i)->name);
}

// One NAME=FILE. Sets the session's input.
static bool
set_input(OpenModel *open, MlcStr spec, MlcBuf *error)
{
    const char *equals = memchr(spec.data, '=', spec.size);
    if (!equals) {
        mlc_buf_printf(error, "--input expects NAME=FILE, got '%.*s'; the model's inputs are ",
                       MLC_STR_FMT(spec));
        list_inputs(open->model, error);
        return false;
    }
    MlcBuf name = {0};
    mlc_buf_append(&name, spec.data, (size_t)(equals - spec.data));
    int32_t index = mlc_model_find_input(open->model, mlc_buf_c_str(&name));
    bool ok = false;
    if (index < 0) {
        mlc_buf_printf(error, "the model has no input '%s'; it has ", mlc_buf_c_str(&name));
        list_inputs(open->model, error);
    } else if (open->inputs[index].tensor.data) {
        mlc_buf_printf(error, "input '%s' is given twice", mlc_buf_c_str(&name));
    } else if (tensor_file_read(&open->inputs[index], equals + 1,
                                mlc_model_input(open->model, index), error)) {
        MlcRtError fault;
        ok = mlc_session_set_input(open->session, index, &open->inputs[index].tensor, &fault);
        if (!ok)
            mlc_buf_append_c(error, fault.message);
    }
    mlc_buf_release(&name);
    return ok;
}

static bool
set_inputs(OpenModel *open, const MlcStrVec *specs, MlcBuf *error)
{
    int32_t count = mlc_model_num_inputs(open->model);
    open->inputs = mlc_calloc((size_t)count + 1, sizeof *open->inputs);
    for (size_t i = 0; specs && i < specs->size; i++)
        if (!set_input(open, specs->data[i], error))
            return false;
    for (int32_t i = 0; i < count; i++) {
        if (open->inputs[i].tensor.data)
            continue;
        mlc_buf_printf(error, "%sinput '%s' is missing: --input %s=FILE", error->size ? "\n" : "",
                       mlc_model_input(open->model, i)->name,
                       mlc_model_input(open->model, i)->name);
    }
    return error->size == 0;
}

bool
is_source(const char *path)
{
    const char *end = strrchr(path, '.');
    return end && (strcmp(end, ".onnx") == 0 || strcmp(end, ".mlir") == 0);
}

// The cache's model, made first if it has none; without a cache, code in this process.
static int
open_source(OpenModel *open, const char *path, const OpenOptions *options, MlcRtError *fault)
{
    CompileOptions compile = options->compile;
    MlcBuf place = {0};
    int code = EXIT_OK;
    compile.threads = options->threads;
    if (cache_place(path, &compile, &place)) {
        const char *file = mlc_buf_c_str(&place);
        open->model = cache_load(file);
        if (!open->model && (code = compile_model(path, &compile, file, NULL)) == EXIT_OK) {
            open->model = mlc_model_load(file, NULL, fault);
            cache_trim(file);
        }
    } else {
        compile.jit = &open->jit;
        code = compile_model(path, &compile, NULL, &open->image);
        MlcModelOptions load = {.resolve = mlc_target_jit_lookup, .user = open->jit};
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
    double start = now();
    int code = is_source(path) ? open_source(open, path, options, &fault) : EXIT_OK;
    if (code != EXIT_OK)
        return code;
    if (!is_source(path))
        open->model = mlc_model_load(path, NULL, &fault);
    if (open->model) {
        MlcSessionOptions session = {.threads = (int32_t)options->threads,
                                     .profile = options->profile || options->trace.size > 0};
        open->session = mlc_session_create(open->model, &session, &fault);
    }
    open->load_seconds = now() - start;
    if (!open->session)
        mlc_buf_append_c(&error, fault.message);
    else if (set_inputs(open, options->inputs, &error)) {
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
    mlc_free(open->inputs);
    mlc_session_destroy(open->session);
    mlc_model_destroy(open->model);
    if (open->jit)
        mlc_target_open(NULL)->jit_destroy(open->jit);
    mlc_buf_release(&open->image);
    *open = (OpenModel){0};
}

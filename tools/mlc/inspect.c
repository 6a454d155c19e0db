// inspect.c -- mlc inspect: of an artefact what it needs and holds; of a model, its IR at a level.
#include "mlc.h"

#include "mlc/support/map.h"

#include <stdio.h>

static void
print_tensor(const char *what, const MlcRtTensorInfo *info)
{
    printf("%-8s %s: %s [", what, info->name, mlc_rt_type_name(info->type));
    for (int32_t i = 0; i < info->rank; i++) {
        const char *separator = i ? ", " : "";
        if (info->dims[i] >= 0)
            printf("%s%lld", separator, (long long)info->dims[i]);
        else
            printf("%s%s", separator, info->dim_names[i][0] ? info->dim_names[i] : "?");
    }
    printf("]\n");
}

static void
print_memory(const char *what, size_t bytes)
{
    printf("%-8s %12zu bytes  %s\n", "memory", bytes, what);
}

static void
print_kernels(const MlcModel *model)
{
    int32_t count = mlc_model_num_kernels(model);
    MlcStrMap functions;
    mlc_str_map_init(&functions, NULL);
    for (int32_t i = 0; i < count; i++)
        mlc_str_map_insert(&functions, mlc_str(mlc_model_kernel(model, i)->name), NULL);
    printf("%-8s %d calls of %zu functions, equal ones merged; in the order they run\n", "kernels",
           count, (size_t)mlc_str_map_size(&functions));
    mlc_str_map_release(&functions);
    for (int32_t i = 0; i < count; i++) {
        const MlcRtKernelInfo *info = mlc_model_kernel(model, i);
        printf("  %s:", info->name);
        print_lines(" ", " ", info->nodes);
        if (info->flops > 0 || info->bytes > 0)
            printf("\n      %.3f MFLOP, %.3f MB", (double)info->flops * 1e-6,
                   (double)info->bytes * 1e-6);
        print_lines("\n      ", "\n      ", info->notes);
        printf("\n");
    }
}

static void
print_artefact(const MlcModel *model)
{
    printf("%-8s %s\n", "model", mlc_model_name(model));
    printf("%-8s %s (%s)\n", "needs", mlc_model_isa(model), mlc_model_features(model));
    const char *target;
    for (int32_t i = 0; (target = mlc_model_device_target(model, i)); i++)
        printf("%-8s %s: %zu bytes of PTX, %zu of cubins\n", "device", target,
               mlc_model_device_bytes(model, i, false), mlc_model_device_bytes(model, i, true));
    for (int32_t i = 0; i < mlc_model_num_inputs(model); i++)
        print_tensor("input", mlc_model_input(model, i));
    for (int32_t i = 0; i < mlc_model_num_outputs(model); i++)
        print_tensor("output", mlc_model_output(model, i));
    print_memory("arena: values between kernels", mlc_model_arena_bytes(model));
    print_memory("scratch of each thread", mlc_model_scratch_bytes(model));
    print_memory("constants in the file", mlc_model_constants_bytes(model));
    print_memory("constants prepared when loading", mlc_model_prepared_bytes(model));
    print_memory("code", mlc_model_text_bytes(model));
    if (mlc_model_left_out(model) > 0)
        printf("%-8s %llu steps left out or done in part: the code depends on the clock\n",
               "budget", (unsigned long long)mlc_model_left_out(model));
    print_kernels(model);
}

static bool
open_written(const MlcFileWriter *out, MlcFile *file, MlcBuf *error)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", out->fd);
    return mlc_file_open(file, path, MLC_FILE_READ_ONLY, error);
}

static int
inspect(const char *path, const CompileOptions *compile)
{
    MlcBuf error = {0};
    MlcFileWriter out = {0};
    MlcFile image = {0};
    MlcRtError fault;
    MlcModel *model = NULL;
    MlcArena arena;
    int code = EXIT_OK;
    mlc_arena_init(&arena);
    MlcModelOptions load = load_options(&compile->shared_libs, false, &arena);
    if (!is_source(path)) {
        model = mlc_model_load(path, &load, &fault);
    } else {
        CompileOptions own = *compile;
        own.keeps_open_dims = own.names_open_dims = true;
        mlc_file_writer_begin_temporary(&out);
        code = compile_model(path, &own, &out);
        if (code == EXIT_OK && !open_written(&out, &image, &error))
            code = report(&error);
        if (code == EXIT_OK) // a folder of temporary files may allow no code
            model = mlc_model_load_memory(image.data, image.size, &load, &fault);
    }
    mlc_arena_release(&arena);
    if (model)
        print_artefact(model);
    else if (code == EXIT_OK) {
        mlc_buf_append_c(&error, fault.message);
        code = report(&error);
    }
    mlc_model_destroy(model);
    mlc_file_release(&image);
    mlc_file_writer_abandon(&out);
    return code;
}

static int
run_verb(CompileOptions *compile, int argc, char **argv)
{
    MlcStr level = {0};
    int code;
    const MlcCliOption options[] = {
        {"level", MLC_CLI_STRING, &level, "name", "print the model's IR at this level instead",
         NULL},
        SOURCE_CLI(compile),
    };
    const char *path = parse_verb("mlc inspect", "Shows a model or an artefact.", options,
                                  sizeof options / sizeof *options, argc, argv, &code);
    if (!path)
        return code;
    if (!is_source(path) && level.size == 0 && !check_no_model_options(path, compile))
        return EXIT_WRONG;
    InputFiles files;
    CompileOptions used = *compile;
    code = input_files_read(&files, path, &used, NULL, false);
    if (code == EXIT_OK)
        code = level.size > 0 ? print_level(path, &used, level) : inspect(path, &used);
    input_files_release(&files);
    return code;
}

int
mlc_verb_inspect(int argc, char **argv)
{
    CompileOptions compile = {0};
    int code = run_verb(&compile, argc, argv);
    compile_options_release(&compile);
    return code;
}

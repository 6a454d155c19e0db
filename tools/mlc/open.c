// open.c -- command lines of the verbs, and a model opened with its inputs.
#include "mlc.h"
#include "shared_libs.h"

#include "mlc/frontend/onnx.h"
#include "mlc/support/alloc.h"
#include "mlc/support/clock.h"
#include "mlc/support/file.h"
#include "mlc/support/vec.h"
#include "mlc/target.h"
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>

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
            snprintf(usage, sizeof usage, "%s%s%s [options]", verb, num_values ? " " : "",
                     num_values ? positional : "");
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
                       verb, num_values ? positional : "no arguments", given.size,
                       given.size == 1 ? "" : "s", verb);
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

bool
check_seconds_and_tolerance(double seconds, double tolerance)
{
    if (seconds >= 0 && tolerance >= 0)
        return true;
    fprintf(stderr, "mlc: option '%s' expects a number that is not negative\n",
            seconds >= 0 ? "--tolerance" : "--min-time");
    return false;
}

// Inputs or outputs: what an option's NAME=FILE may name.
typedef struct Role {
    const char *word, *option;
    const MlcRtTensorInfo *infos; // an element type of 0: nothing is known but the name
    size_t count;
    ListValue *lists; // those that are no tensors: their tensors are among the infos
    size_t num_lists;
    bool skips_lists;              // they were read already
    const CompileOptions *compile; // inputs: what this has values of may be a constant; or NULL
} Role;

static bool
is_constant(const Role *role, MlcStr name)
{
    bool has = false;
    for (size_t i = 0; role->compile && i < role->compile->num_values; i++)
        has |= mlc_str_equal(role->compile->values[i].name, name);
    return has;
}

static void
list_names(const Role *role, MlcBuf *out)
{
    for (size_t i = 0; i < role->count; i++)
        mlc_buf_printf(out, "%s'%s'", i ? ", " : "", role->infos[i].name);
    for (size_t i = 0; i < role->num_lists; i++)
        mlc_buf_printf(out, "%s'%s'", role->count + i ? ", " : "", role->lists[i].name);
    if (role->count + role->num_lists == 0)
        mlc_buf_append_c(out, "none");
}

static const ListValue *
find_list(const Role *role, MlcStr name)
{
    for (size_t i = 0; i < role->num_lists; i++)
        if (mlc_str_equal(mlc_str(role->lists[i].name), name))
            return &role->lists[i];
    return NULL;
}

// One NAME=FILE, into the file of that name.
static bool
read_file(const Role *role, TensorFile *files, MlcStr spec, MlcBuf *error)
{
    const char *equals = memchr(spec.data, '=', spec.size);
    if (!equals) {
        mlc_buf_printf(error, "%s expects NAME=FILE, got '%.*s'; the model's %ss are ",
                       role->option, MLC_STR_FMT(spec), role->word);
        list_names(role, error);
        return false;
    }
    MlcStr name = mlc_str_n(spec.data, (size_t)(equals - spec.data));
    const ListValue *list = find_list(role, name);
    if (list)
        return role->skips_lists || value_file_read(list, equals + 1, role->word, role->infos,
                                                    role->count, files, error);
    size_t index = 0;
    while (index < role->count && !mlc_str_equal(mlc_str(role->infos[index].name), name))
        index++;
    if (index == role->count && is_constant(role, name))
        return true;
    if (index == role->count) {
        mlc_buf_printf(error, "the model has no %s '%.*s'; it has ", role->word, MLC_STR_FMT(name));
        list_names(role, error);
        return false;
    }
    if (files[index].tensor.data) {
        mlc_buf_printf(error, "%s '%.*s' is given twice", role->word, MLC_STR_FMT(name));
        return false;
    }
    return role->infos[index].type == 0 ||
           tensor_file_read(&files[index], equals + 1, role->word, &role->infos[index], error);
}

// The files, one for each of the role, are the caller's to release.
static bool
read_files(const Role *role, const MlcStrVec *specs, TensorFile **files, MlcBuf *error)
{
    *files = mlc_calloc(role->count + 1, sizeof **files);
    for (size_t i = 0; specs && i < specs->size; i++)
        if (!read_file(role, *files, specs->data[i], error))
            return false;
    return true;
}

static void
release_files(TensorFile *files, size_t count)
{
    for (size_t i = 0; files && i < count; i++)
        tensor_file_release(&files[i]);
    mlc_free(files);
}

// The input is a cache of the session's.
static bool
is_grown(const OpenModel *open, size_t input)
{
    int32_t output;
    const char *dim;
    return open && mlc_model_cache(open->model, (int32_t)input, &output, &dim) &&
           mlc_session_length(open->session, dim) >= 0;
}

// `open` may be NULL: nothing is known but the inputs.
static bool
check_all_given(const Role *role, const TensorFile *files, const OpenModel *open, MlcBuf *error)
{
    for (size_t i = 0; i < role->count; i++)
        if (role->infos[i].type != 0 && !files[i].tensor.data && !is_grown(open, i))
            mlc_buf_printf(error, "%sinput '%s' is missing: --input %s=FILE",
                           error->size ? "\n" : "", role->infos[i].name, role->infos[i].name);
    return error->size == 0;
}

static void
lists_of_model(const MlcRtValueInfo *values, int32_t count, MlcArena *arena, Role *role)
{
    role->lists = MLC_NEW_ARRAY(arena, ListValue, (size_t)count + 1);
    for (int32_t i = 0; i < count; i++) {
        MlcRtForm form = values[i].form;
        if (form == MLC_RT_SEQUENCE || form == MLC_RT_OPTIONAL || form == MLC_RT_MAP)
            role->lists[role->num_lists++] =
                (ListValue){values[i].name, form == MLC_RT_SEQUENCE   ? MLC_ONNX_VALUE_SEQUENCE
                                            : form == MLC_RT_OPTIONAL ? MLC_ONNX_VALUE_OPTIONAL
                                                                      : MLC_ONNX_VALUE_MAP};
    }
}

// Inputs and outputs of a model that can run. The arrays are the arena's.
static void
roles_of_model(const MlcModel *model, MlcArena *arena, Role *inputs, Role *outputs)
{
    size_t num_inputs = (size_t)mlc_model_num_inputs(model),
           num_outputs = (size_t)mlc_model_num_outputs(model);
    MlcRtTensorInfo *infos = MLC_NEW_ARRAY(arena, MlcRtTensorInfo, num_inputs + num_outputs + 1);
    for (size_t i = 0; i < num_inputs; i++)
        infos[i] = *mlc_model_input(model, (int32_t)i);
    for (size_t i = 0; i < num_outputs; i++)
        infos[num_inputs + i] = *mlc_model_output(model, (int32_t)i);
    *inputs = (Role){.word = "input", .option = "--input", .infos = infos, .count = num_inputs};
    *outputs = (Role){
        .word = "output", .option = "--expect", .infos = infos + num_inputs, .count = num_outputs};
    lists_of_model(mlc_model_input_value(model, 0), mlc_model_num_input_values(model), arena,
                   inputs);
    lists_of_model(mlc_model_output_value(model, 0), mlc_model_num_output_values(model), arena,
                   outputs);
}

int
check_files(MlcOp *module, const MlcStrVec *inputs, const MlcStrVec *expect,
            const CompileOptions *options, bool is_complete)
{
    MlcArena arena;
    MlcBuf error = {0};
    Role in = {.word = "input", .option = "--input", .compile = options},
         out = {.word = "output", .option = "--expect"};
    TensorFile *given = NULL, *expected = NULL;
    mlc_arena_init(&arena);
    module_lists(module, &arena, false, &in.lists, &in.num_lists);
    module_lists(module, &arena, true, &out.lists, &out.num_lists);
    if (module_signature(module, &arena, &in.infos, &in.count, &out.infos, &out.count) &&
        read_files(&in, inputs, &given, &error) && read_files(&out, expect, &expected, &error) &&
        is_complete)
        (void)check_all_given(&in, given, NULL, &error);
    release_files(given, in.count);
    release_files(expected, out.count);
    mlc_arena_release(&arena);
    return error.size > 0 ? report(&error) : EXIT_OK;
}

bool
check_no_model_options(const char *path, const CompileOptions *options)
{
    const char *given = options->dims.size > 0           ? "--dim"
                        : options->items.size > 0        ? "--items"
                        : options->input_values.size > 0 ? "--input-value"
                                                         : NULL;
    if (given)
        fprintf(stderr, "mlc: %s is for ONNX models, '%s' is none\n", given, path);
    return !given;
}

enum { MAX_VALUE = 4096 }; // elements: axes, shapes, places, no images

typedef struct ReadInputs {
    InputFiles *in;
    const MlcStrVec *inputs, *values;
    bool are_complete;
} ReadInputs;

// Names, sizes and numbers are those of the files and of the arena.
static void
keep_input(InputFiles *in, const MlcRtTensorInfo *info, const TensorFile *file, bool is_constant)
{
    size_t bytes = mlc_rt_type_bytes(info->type), count = 1;
    bool is_number = info->type != MLC_RT_STRING; // strings have numbers when a model runs
    for (int32_t k = 0; k < info->rank; k++) {
        if (info->dims[k] < 0)
            mlc_vec_push(&in->dims, mlc_arena_printf(&in->arena, "%s.%d=%lld", info->name, (int)k,
                                                     (long long)file->dims[k]));
        count *= (size_t)file->dims[k];
    }
    if (is_number && (count <= MAX_VALUE || is_constant))
        in->values[in->num_values++] = (MlcOnnxInputValue){.name = mlc_str(info->name),
                                                           .dims = file->dims,
                                                           .rank = (size_t)info->rank,
                                                           .data = file->tensor.data,
                                                           .num_bytes = count * bytes,
                                                           .is_constant = is_constant};
}

// Whether one of "NAME=SHAPES" is of this name.
static bool
are_known(const InputFiles *in, MlcStr name)
{
    bool are = false;
    for (size_t i = 0; i < in->items.size; i++) {
        MlcStr given = in->items.data[i];
        are |= given.size > name.size && given.data[name.size] == '=' &&
               memcmp(given.data, name.data, name.size) == 0;
    }
    return are;
}

// What the files of sequences and optionals hold, where --items does not say it.
static bool
read_items(InputFiles *in, const Role *role, const MlcStrVec *specs, MlcBuf *error)
{
    MlcBuf items = {0};
    bool ok = true;
    for (size_t i = 0; ok && specs && i < specs->size; i++) {
        MlcStr spec = specs->data[i];
        const char *equals = memchr(spec.data, '=', spec.size);
        MlcStr name = mlc_str_n(spec.data, equals ? (size_t)(equals - spec.data) : 0);
        const ListValue *list = equals ? find_list(role, name) : NULL;
        if (!list || are_known(in, name))
            continue;
        mlc_buf_clear(&items);
        ok = value_file_items(list, equals + 1, &items, error);
        if (ok)
            mlc_vec_push(&in->items, mlc_arena_strdup(&in->arena, mlc_buf_str(&items)));
    }
    mlc_buf_release(&items);
    return ok;
}

// What is not said of an input that is no tensor and has no file.
static bool
check_items(const InputFiles *in, const Role *role, MlcBuf *error)
{
    for (size_t i = 0; i < role->num_lists; i++)
        if (!are_known(in, mlc_str(role->lists[i].name)))
            mlc_buf_printf(error, "%sinput '%s' is missing: --input %s=FILE.pb",
                           error->size ? "\n" : "", role->lists[i].name, role->lists[i].name);
    return error->size == 0;
}

// Where all sizes are known, what is wrong with the files is told later, with the compiled model's
// names.
static int
read_inputs(MlcOp *module, void *user)
{
    const ReadInputs *r = user;
    InputFiles *in = r->in;
    Role role = {.word = "input", .option = "--input", .skips_lists = true};
    const MlcRtTensorInfo *outputs;
    MlcBuf error = {0};
    size_t num_outputs;
    bool is_open = false;
    if (!module_signature(module, &in->arena, &role.infos, &role.count, &outputs, &num_outputs))
        return EXIT_OK;
    module_lists(module, &in->arena, false, &role.lists, &role.num_lists);
    if (!read_items(in, &role, r->inputs, &error) ||
        (r->are_complete && !check_items(in, &role, &error)))
        return report(&error);
    for (size_t i = 0; i < role.count; i++)
        for (int32_t k = 0; k < role.infos[i].rank; k++)
            is_open |= role.infos[i].dims[k] < 0;
    in->num_files = role.count;
    in->values = MLC_NEW_ARRAY(&in->arena, MlcOnnxInputValue, role.count + 1);
    bool *is_run = MLC_NEW_ARRAY(&in->arena, bool, role.count + 1);
    bool ok = read_files(&role, r->inputs, &in->files, &error);
    for (size_t i = 0; ok && i < role.count; i++)
        is_run[i] = in->files[i].tensor.data != NULL;
    role.option = "--input-value";
    for (size_t i = 0; ok && i < r->values->size; i++)
        ok = read_file(&role, in->files, r->values->data[i], &error);
    ok = ok && (!r->are_complete || check_all_given(&role, in->files, NULL, &error));
    for (size_t i = 0; ok && i < role.count; i++)
        if (in->files[i].tensor.data)
            keep_input(in, &role.infos[i], &in->files[i], !is_run[i]);
    if (!ok && (is_open || r->values->size > 0))
        return report(&error);
    mlc_buf_release(&error);
    return EXIT_OK;
}

int
input_files_read(InputFiles *in, const char *path, CompileOptions *options, const MlcStrVec *inputs,
                 bool are_complete)
{
    *in = (InputFiles){0};
    ReadInputs read = {in, inputs, &options->input_values, are_complete};
    const char *end = strrchr(path, '.');
    int code = EXIT_OK;
    mlc_arena_init(&in->arena);
    for (size_t i = 0; i < options->dims.size; i++)
        mlc_vec_push(&in->dims, options->dims.data[i]);
    for (size_t i = 0; i < options->items.size; i++)
        mlc_vec_push(&in->items, options->items.data[i]);
    bool has_files = are_complete || (inputs && inputs->size > 0) || options->input_values.size > 0;
    if ((!end || strcmp(end, ".mlir") != 0) && has_files)
        code = read_signature(path, options, read_inputs, &read);
    options->dims = in->dims;
    options->items = in->items;
    options->values = in->values;
    options->num_values = in->num_values;
    return code;
}

void
input_files_release(InputFiles *in)
{
    release_files(in->files, in->num_files);
    mlc_vec_release(&in->dims);
    mlc_vec_release(&in->items);
    mlc_arena_release(&in->arena);
}

typedef struct Check {
    const OpenOptions *options;
    const CompileOptions *compile;
    bool has_constants; // inputs became some
} Check;

static bool
has_input(const MlcRtTensorInfo *inputs, size_t count, MlcStr name)
{
    bool has = false;
    for (size_t i = 0; i < count; i++)
        has |= mlc_str_equal(mlc_str(inputs[i].name), name);
    return has;
}

static int
check_options(MlcOp *module, void *user)
{
    Check *check = user;
    const CompileOptions *compile = check->compile;
    const MlcRtTensorInfo *inputs, *outputs;
    size_t num_inputs, num_outputs;
    MlcArena arena;
    mlc_arena_init(&arena);
    if (module_signature(module, &arena, &inputs, &num_inputs, &outputs, &num_outputs))
        for (size_t i = 0; i < compile->num_values; i++)
            if (!has_input(inputs, num_inputs, compile->values[i].name)) {
                check->has_constants = true;
                fprintf(stderr, "mlc: note: input '%.*s' must be known: compiled for its value\n",
                        MLC_STR_FMT(compile->values[i].name));
            }
    mlc_arena_release(&arena);
    return check_files(module, check->options->inputs, check->options->expect, compile, true);
}

static bool
set_inputs(OpenModel *open, const OpenOptions *options, MlcBuf *error)
{
    MlcArena arena;
    MlcRtError fault;
    Role inputs, outputs;
    mlc_arena_init(&arena);
    roles_of_model(open->model, &arena, &inputs, &outputs);
    inputs.compile = &options->compile;
    bool ok = read_files(&inputs, options->inputs, &open->inputs, error) &&
              read_files(&outputs, options->expect, &open->expected, error) &&
              check_all_given(&inputs, open->inputs, open, error);
    for (size_t i = 0; ok && i < inputs.count; i++) {
        if (!open->inputs[i].tensor.data && is_grown(open, i))
            continue;
        ok = mlc_session_set_input(open->session, (int32_t)i, &open->inputs[i].tensor, &fault);
        if (!ok)
            mlc_buf_append_c(error, fault.message);
    }
    mlc_arena_release(&arena);
    return ok;
}

bool
is_source(const char *path)
{
    const char *end = strrchr(path, '.');
    return end && (strcmp(end, ".onnx") == 0 || strcmp(end, ".mlir") == 0);
}

// The cache's model, made first if it has none; without a cache, code in this process and the rest
// in a file without a name, so that constants are pages of a file in any case. perf is told of an
// artefact's functions, so for it that file has the code too. With a budget for compiling nothing
// goes into the cache, for something may be left out.
static int
open_source(OpenModel *open, const char *path, const OpenOptions *options,
            const MlcModelOptions *how, MlcRtError *fault)
{
    CompileOptions compile = options->compile;
    MlcModelOptions load = *how;
    MlcFileWriter file;
    MlcBuf place = {0}, reason = {0};
    compile.threads = options->threads;
    Check check = {options, &compile, false};
    compile.check = check_options;
    compile.check_user = &check;
    const char *kept = cache_place(path, &compile, &place) ? mlc_buf_c_str(&place) : NULL;
    open->model = kept ? cache_load(kept, &load) : NULL;
    bool is_kept =
        !open->model && kept && !compile.budget && mlc_file_writer_begin(&file, kept, &reason);
    int code = EXIT_OK;
    if (!open->model) {
        if (!is_kept)
            mlc_file_writer_begin_temporary(&file);
        compile.jit = is_kept || load.perf_map ? NULL : &open->jit;
        code = compile_model(path, &compile, &file);
        load.resolve = compile.jit ? mlc_target_jit_lookup : NULL;
        load.user = open->jit;
        load.trust_constants = true;
        if (code == EXIT_OK)
            open->model = mlc_model_load_file(file.fd, path, &load, fault);
        if (open->model && is_kept && !check.has_constants)
            cache_commit(kept, &file);
        mlc_file_writer_abandon(&file);
    }
    mlc_buf_release(&place);
    mlc_buf_release(&reason);
    return code;
}

// A source is compiled for the device that it is to run on. False after a fault.
static bool
choose_target(OpenOptions *options, MlcRtError *fault)
{
    MlcDeviceInfo info;
    if (options->device.size == 0)
        return true;
    if (!mlc_device_describe(options->device.data, &info, fault))
        return false;
    const MlcTargetDesc *target = target_for_capability(info.capability);
    if (target)
        options->compile.target = mlc_str(target->name);
    else
        snprintf(fault->message, sizeof fault->message,
                 "no code can be made for '%s', of compute capability %d.%d", options->device.data,
                 info.capability / 10, info.capability % 10);
    return target != NULL;
}

static int
read_and_open_source(OpenModel *open, const char *path, OpenOptions *options, InputFiles *files,
                     const MlcModelOptions *how, MlcRtError *fault)
{
    MlcBudget budget;
    if (!start_budget(&options->compile, &budget))
        return EXIT_WRONG;
    int code = input_files_read(files, path, &options->compile, options->inputs, true);
    if (code == EXIT_OK)
        code = open_source(open, path, options, how, fault);
    tool_quota_end();
    return code;
}

MlcModelOptions
load_options(const MlcStrVec *shared_libs, bool perf_map, MlcArena *arena)
{
    MlcStrVec paths = {0};
    shared_libs_list(shared_libs, arena, &paths);
    const char **libraries = MLC_NEW_ARRAY(arena, const char *, paths.size + 1);
    for (size_t i = 0; i < paths.size; i++)
        libraries[i] = paths.data[i].data;
    MlcModelOptions load = {MLC_SIZED(MlcModelOptions), .perf_map = perf_map,
                            .libraries = libraries, .num_libraries = paths.size};
    mlc_vec_release(&paths);
    return load;
}

// "past=1024"
static bool
grow_cache(OpenModel *open, MlcStr spec, MlcBuf *error)
{
    MlcRtError fault = {0};
    MlcBuf name = {0}, number = {0};
    char *end = NULL;
    size_t at = spec.size;
    while (at > 0 && spec.data[at - 1] != '=')
        at--;
    mlc_buf_printf(&number, "%.*s", (int)(spec.size - at), spec.data + at);
    long long room = strtoll(mlc_buf_c_str(&number), &end, 10);
    if (at < 2 || at == spec.size || *end != '\0' || room < 0) {
        mlc_buf_printf(error, "--grow wants NAME=ROOM, as past=1024, and got '%.*s'",
                       MLC_STR_FMT(spec));
    } else {
        mlc_buf_printf(&name, "%.*s", (int)at - 1, spec.data);
        if (!mlc_session_grow(open->session, mlc_buf_c_str(&name), room, &fault))
            mlc_buf_append_c(error, fault.message);
    }
    mlc_buf_release(&name);
    mlc_buf_release(&number);
    return error->size == 0;
}

static bool
grow_caches(OpenModel *open, const MlcStrVec *specs, MlcBuf *error)
{
    for (size_t i = 0; specs && i < specs->size; i++)
        if (!grow_cache(open, specs->data[i], error))
            return false;
    return true;
}

enum { MAX_STREAMS = 8 };

static bool
open_session(OpenModel *open, const OpenOptions *options, MlcBuf *error)
{
    MlcRtError fault = {0};
    MlcSessionOptions session = {MLC_SIZED(MlcSessionOptions), .threads = (int32_t)options->threads,
                                 .profile = options->profile || options->trace.size > 0,
                                 .device = options->device.size ? options->device.data : NULL,
                                 .streams = (int32_t)options->streams};
    if (options->streams < 0 || options->streams > MAX_STREAMS) {
        mlc_buf_printf(error, "option '--streams' expects a number from 1 to %d", MAX_STREAMS);
        return false;
    }
    open->session = mlc_session_create(open->model, &session, &fault);
    if (!open->session)
        mlc_buf_append_c(error, fault.message);
    return open->session != NULL && grow_caches(open, options->grow, error);
}

int
model_open(OpenModel *open, const char *path, const OpenOptions *options)
{
    *open = (OpenModel){0};
    MlcBuf error = {0};
    MlcRtError fault = {0};
    InputFiles files = {0};
    OpenOptions used = *options;
    MlcArena arena;
    double start = mlc_clock_seconds();
    if (!is_source(path) && !check_no_model_options(path, &options->compile))
        return EXIT_WRONG;
    if (is_source(path) && options->grow && options->grow->size > 0) {
        mlc_buf_append_c(&error, "--grow is for artefacts (mlc compile), whose sizes are open");
        return report(&error);
    }
    int code = EXIT_OK;
    mlc_arena_init(&arena);
    MlcModelOptions load = load_options(&options->compile.shared_libs, options->perf_map, &arena);
    if (is_source(path) && choose_target(&used, &fault))
        code = read_and_open_source(open, path, &used, &files, &load, &fault);
    else if (!is_source(path))
        open->model = mlc_model_load(path, &load, &fault);
    mlc_arena_release(&arena);
    if (code == EXIT_OK && !open->model)
        mlc_buf_append_c(&error, fault.message);
    bool ok = open->model && open_session(open, options, &error);
    open->load_seconds = mlc_clock_seconds() - start;
    ok = ok && set_inputs(open, &used, &error);
    input_files_release(&files);
    if (!ok)
        model_close(open);
    return ok ? EXIT_OK : code == EXIT_OK ? report(&error) : code;
}

void
model_close(OpenModel *open)
{
    if (open->model) {
        release_files(open->inputs, (size_t)mlc_model_num_inputs(open->model));
        release_files(open->expected, (size_t)mlc_model_num_outputs(open->model));
    }
    mlc_session_destroy(open->session);
    mlc_model_destroy(open->model);
    if (open->jit)
        mlc_target_open(NULL)->jit_destroy(open->jit);
    *open = (OpenModel){0};
}

// run.c -- mlc run: a model once, on inputs from files; outputs to files or, in short, to stdout.
#include "mlc.h"
#include "run_function.h"

#include "mlc/support/json.h"
#include "mlc/support/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

enum { MAX_SHOWN = 10 };

static void
print_value(const MlcRtTensor *t, size_t i)
{
    size_t bytes = mlc_rt_type_bytes(t->type);
    uint64_t bits = 0;
    if (t->type == MLC_RT_STRING) {
        const MlcRtString *text = (const MlcRtString *)t->data + i;
        MlcBuf shown = {0};
        MlcJson json;
        mlc_json_init(&json, &shown);
        mlc_json_str(&json, mlc_str_n(text->data, text->size));
        printf("%s", mlc_buf_c_str(&shown));
        mlc_buf_release(&shown);
        return;
    }
    MlcFloatKind kind;
    memcpy(&bits, (const char *)t->data + i * bytes, bytes); // little-endian
    if (is_float(t->type, &kind))
        printf("%g", mlc_float_to_double(mlc_float_from_bits(kind, bits, 0)));
    else if (t->type == MLC_RT_BOOL)
        printf(bits ? "true" : "false");
    else if ((t->type >= MLC_RT_I8 && t->type <= MLC_RT_I64) || t->type == MLC_RT_I4 ||
             t->type == MLC_RT_I2)
        printf("%" PRId64, (int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    else
        printf("%" PRIu64, bits);
}

static void
print_output(const char *name, const MlcRtTensor *t)
{
    size_t count = 1;
    printf("%s: %s [", name, mlc_rt_type_name(t->type));
    for (int32_t i = 0; i < t->rank; i++) {
        printf("%s%lld", i ? ", " : "", (long long)t->dims[i]);
        count *= (size_t)t->dims[i];
    }
    printf("]");
    for (size_t i = 0; i < count && i < MAX_SHOWN; i++) {
        printf(" ");
        print_value(t, i);
    }
    printf(count > MAX_SHOWN ? " ...\n" : "\n");
}

// The paths of what was written: names that differ may still be one for a file system that does not
// tell cases apart.
typedef struct Written {
    MLC_VEC(struct stat) files;
    MlcStrVec names;
} Written;

static bool
is_other_file(Written *written, const char *path, const char *name, MlcBuf *error)
{
    struct stat there;
    bool is_there = stat(path, &there) == 0;
    for (size_t i = 0; is_there && i < written->files.size; i++)
        if (written->files.data[i].st_dev == there.st_dev &&
            written->files.data[i].st_ino == there.st_ino) {
            mlc_buf_printf(error, "outputs '%s' and '%s' would be one file",
                           written->names.data[i].data, name);
            return false;
        }
    return true;
}

static void
note_file(Written *written, const char *path, const char *name)
{
    struct stat its;
    if (stat(path, &its) != 0)
        return;
    mlc_vec_push(&written->files, its);
    mlc_vec_push(&written->names, mlc_str(name));
}

// A tensor, or a value of other kinds as .pb.
static bool
write_output(const OpenModel *open, const MlcRtValueInfo *value, int32_t tensor, const char *folder,
             TensorFormat format, Written *written, MlcBuf *error)
{
    MlcBuf path = {0};
    bool is_whole = value->form != MLC_RT_TENSOR && format == TENSOR_PB;
    const char *name = is_whole ? value->name : mlc_model_output(open->model, tensor)->name;
    tensor_file_path(&path, folder, name, format);
    bool ok = is_other_file(written, mlc_buf_c_str(&path), name, error);
    if (ok && is_whole)
        ok = value_file_write(mlc_buf_c_str(&path), value, open->session, error);
    else if (ok)
        ok = tensor_file_write(mlc_buf_c_str(&path), format, name,
                               mlc_session_output(open->session, tensor), error);
    if (ok)
        note_file(written, mlc_buf_c_str(&path), name);
    mlc_buf_release(&path);
    return ok;
}

static bool
write_value(const OpenModel *open, const MlcRtValueInfo *value, const char *folder,
            TensorFormat format, Written *written, MlcBuf *error)
{
    int32_t count = value->form != MLC_RT_TENSOR && format == TENSOR_PB ? 1 : value->num_tensors;
    bool ok = true;
    for (int32_t i = 0; ok && i < count; i++)
        ok = write_output(open, value, value->first_tensor + i, folder, format, written, error);
    return ok;
}

// y: 2 maps of i64 to f32
//   {0: 0.25, 1: 0.75}
static void
print_table(const OpenModel *open, const MlcRtValueInfo *value)
{
    const MlcRtTensor *keys = mlc_session_output(open->session, value->first_tensor);
    const MlcRtTensor *values = mlc_session_output(open->session, value->first_tensor + 1);
    size_t rows = (size_t)values->dims[0], columns = (size_t)keys->dims[0];
    printf("%s: %zu maps of %s to %s\n", value->name, rows, mlc_rt_type_name(keys->type),
           mlc_rt_type_name(values->type));
    for (size_t i = 0; i < rows && i < MAX_SHOWN; i++) {
        printf("  {");
        for (size_t k = 0; k < columns && k < MAX_SHOWN; k++) {
            printf(k ? ", " : "");
            print_value(keys, k);
            printf(": ");
            print_value(values, i * columns + k);
        }
        printf(columns > MAX_SHOWN ? ", ...}\n" : "}\n");
    }
    printf(rows > MAX_SHOWN ? "  ...\n" : "");
}

static void
print_value_of(const OpenModel *open, const MlcRtValueInfo *value)
{
    if (value->form == MLC_RT_TABLE) {
        print_table(open, value);
        return;
    }
    if (value->form != MLC_RT_TENSOR)
        printf("%s: %s of %d\n", value->name, mlc_rt_form_name(value->form), value->num_items);
    for (int32_t i = value->first_tensor; i < value->first_tensor + value->num_tensors; i++)
        print_output(mlc_model_output(open->model, i)->name, mlc_session_output(open->session, i));
}

// Printed, or all of them as files, or none.
static bool
give_outputs(const OpenModel *open, const char *folder, TensorFormat format, MlcBuf *error)
{
    Written written = {0};
    mlc_files_together();
    bool ok = !folder || mlc_dir_create(folder, error);
    for (int32_t i = 0; ok && i < mlc_model_num_output_values(open->model); i++) {
        const MlcRtValueInfo *value = mlc_model_output_value(open->model, i);
        if (folder)
            ok = write_value(open, value, folder, format, &written, error);
        else
            print_value_of(open, value);
    }
    mlc_vec_release(&written.files);
    mlc_vec_release(&written.names);
    return ok;
}

static bool
parse_format(MlcStr text, TensorFormat *format)
{
    *format = mlc_str_equal(text, mlc_str("pb")) ? TENSOR_PB : TENSOR_NPY;
    if (text.size == 0 || *format == TENSOR_PB || mlc_str_equal(text, mlc_str("npy")))
        return true;
    fprintf(stderr, "mlc: --output-format expects npy or pb, got '%.*s'\n", MLC_STR_FMT(text));
    return false;
}

// What is for a model only, or for a function only, is not ignored with the other.
static bool
check_use(bool is_function, const OpenOptions *how)
{
    bool for_models = how->expect->size > 0 || how->profile || how->trace.size > 0 || how->perf_map;
    if (is_function && for_models)
        fprintf(stderr,
                "mlc: --expect, --profile, --trace and --perf-map are for models, not for a "
                "function (-e)\n");
    else
        return true;
    return false;
}

int
mlc_verb_run(int argc, char **argv)
{
    MlcStrVec inputs = {0}, expect = {0}, grow = {0};
    MlcStr folder = {0}, entry = {0}, format_name = {0};
    TensorFormat format = TENSOR_NPY;
    OpenOptions how = {.inputs = &inputs,
                       .expect = &expect,
                       .grow = &grow,
                       .tolerance = DEFAULT_TOLERANCE,
                       .threads = THREADS_NOT_GIVEN};
    int code;
    const MlcCliOption options[] = {
        {"grow", MLC_CLI_LIST, &grow, "NAME=ROOM",
         "caches along this dimension, as past=1024, begin empty, grow in place and are no inputs",
         NULL},
        {"input", MLC_CLI_LIST, &inputs, "NAME=FILE",
         "an input, from .npy, .pb or .png; once per input", NULL},
        {"output-dir", MLC_CLI_STRING, &folder, "folder",
         "write each output as .npy here, instead of printing it", NULL},
        {"output-format", MLC_CLI_STRING, &format_name, "npy|pb",
         "what files to write there; pb: ONNX's TensorProto, SequenceProto, OptionalProto", NULL},
        {"e", MLC_CLI_STRING, &entry, "name",
         "call this function of an .mlir file, of any type; each --input is an argument then: a "
         "number, an attribute, file.npy",
         NULL},
        {"threads", MLC_CLI_INT, &how.threads, "N",
         "at most so many threads; default: one per core", NULL},
        DEVICE_CLI(&how),
        EXPECT_CLI(&how, &expect),
        PROFILE_CLI(&how),
        COMPILE_CLI(&how.compile),
    };
    const char *model = parse_verb("mlc run", "Runs a model (.onnx) or an artefact once.", options,
                                   sizeof options / sizeof *options, argc, argv, &code);
    OpenModel open;
    if (model &&
        (!check_use(entry.size > 0, &how) || !check_threads(&how.threads) ||
         !parse_format(format_name, &format) || !check_seconds_and_tolerance(0, how.tolerance)))
        code = EXIT_WRONG;
    else if (model && entry.size > 0) {
        FunctionOptions function = {.entry = entry,
                                    .output_dir = folder,
                                    .inputs = &inputs,
                                    .shared_libs = &how.compile.shared_libs,
                                    .compile = &how.compile};
        code = run_function(model, &function);
    } else if (model && (code = model_open(&open, model, &how)) == EXIT_OK) {
        MlcRtError fault;
        MlcBuf error = {0};
        if (!mlc_session_run(open.session, &fault))
            mlc_buf_append_c(&error, fault.message);
        else if (give_outputs(&open, folder.data, format, &error)) {
            if (expect_check(&open, how.tolerance, &error))
                give_profile(&open, &how, &error);
            if (error.size > 0)
                mlc_files_keep(); // they are not what was wrong
        }
        if (error.size > 0)
            code = report(&error);
        model_close(&open);
    }
    mlc_vec_release(&grow);
    mlc_vec_release(&inputs);
    compile_options_release(&how.compile);
    mlc_vec_release(&expect);
    return code;
}

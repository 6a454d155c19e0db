// run.c -- mlc run: a model once, on inputs from files; outputs to files or, in short, to stdout.
#include "mlc.h"

#include "mlc/support/file.h"
#include "mlc/support/vec.h"

#include <stdio.h>

enum { MAX_SHOWN = 10 };

static void
print_value(const MlcRtTensor *t, size_t i)
{
    switch (t->type) {
    case MLC_RT_F32:
        printf(" %g", (double)((const float *)t->data)[i]);
        return;
    case MLC_RT_F64:
        printf(" %g", ((const double *)t->data)[i]);
        return;
    case MLC_RT_I64:
        printf(" %lld", (long long)((const int64_t *)t->data)[i]);
        return;
    case MLC_RT_I32:
        printf(" %d", ((const int32_t *)t->data)[i]);
        return;
    default:
        printf(" ?");
    }
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
    for (size_t i = 0; i < count && i < MAX_SHOWN; i++)
        print_value(t, i);
    printf(count > MAX_SHOWN ? " ...\n" : "\n");
}

static bool
give_outputs(const OpenModel *open, const char *folder, MlcBuf *error)
{
    if (folder && !mlc_dir_create(folder, error))
        return false;
    for (int32_t i = 0; i < mlc_model_num_outputs(open->model); i++) {
        const char *name = mlc_model_output(open->model, i)->name;
        const MlcRtTensor *tensor = mlc_session_output(open->session, i);
        if (!folder) {
            print_output(name, tensor);
            continue;
        }
        MlcBuf path = {0};
        tensor_file_path(&path, folder, name);
        bool ok = tensor_file_write(mlc_buf_c_str(&path), tensor, error);
        mlc_buf_release(&path);
        if (!ok)
            return false;
    }
    return true;
}

int
mlc_verb_run(int argc, char **argv)
{
    MlcStrVec inputs = {0}, expect = {0};
    MlcStr folder = {0};
    OpenOptions how = {.inputs = &inputs,
                       .expect = &expect,
                       .tolerance = DEFAULT_TOLERANCE,
                       .threads = THREADS_NOT_GIVEN};
    int code;
    const MlcCliOption options[] = {
        {"input", MLC_CLI_LIST, &inputs, "NAME=FILE", "an input, from .npy or .png; once per input",
         NULL},
        {"output-dir", MLC_CLI_STRING, &folder, "folder",
         "write each output as .npy here, instead of printing it", NULL},
        {"threads", MLC_CLI_INT, &how.threads, "N",
         "at most so many threads; default: one per core", NULL},
        EXPECT_CLI(&how, &expect),
        PROFILE_CLI(&how),
        COMPILE_CLI(&how.compile),
    };
    const char *model = parse_verb("mlc run", "Runs a model (.onnx) or an artefact once.", options,
                                   sizeof options / sizeof *options, argc, argv, &code);
    OpenModel open;
    if (model && !check_threads(&how.threads))
        code = EXIT_WRONG;
    else if (model && (code = model_open(&open, model, &how)) == EXIT_OK) {
        MlcRtError fault;
        MlcBuf error = {0};
        if (!mlc_session_run(open.session, &fault))
            mlc_buf_append_c(&error, fault.message);
        else if (give_outputs(&open, folder.data, &error) &&
                 expect_check(&open, how.tolerance, &error))
            give_profile(&open, &how, &error);
        if (error.size > 0)
            code = report(&error);
        model_close(&open);
    }
    mlc_vec_release(&inputs);
    mlc_vec_release(&expect);
    return code;
}

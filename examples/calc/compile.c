// compile.c -- from the dialect calc to code: in this process, or in a file.
#include "calc.h"

#include "mlc/ir/text.h"
#include "mlc/pass.h"
#include "mlc/runtime.h"
#include "mlc/target.h"

// --- in this process

static void
print_row(const float *row, int64_t size)
{
    for (int64_t i = 0; i < size; i++)
        printf("%s%g", i ? ", " : "[", (double)row[i]);
    printf("]");
}

// As calc reads it.
static void
print_result(const MlcRtTensor *result)
{
    const float *elements = result->data;
    if (result->rank == 0) {
        printf("%g\n", (double)*elements);
        return;
    }
    for (int64_t i = 0; i < result->dims[0]; i++) {
        printf("%s", i ? ",\n " : "[");
        print_row(elements + i * result->dims[1], result->dims[1]);
    }
    printf("]\n");
}

static bool
run_model(const MlcModel *model, MlcRtError *error)
{
    MlcSession *session = mlc_session_create(model, NULL, error);
    bool ok = session && mlc_session_run(session, error);
    for (int32_t i = 0; ok && i < mlc_model_num_outputs(model); i++)
        print_result(mlc_session_output(session, i));
    mlc_session_destroy(session);
    return ok;
}

bool
calc_run(MlcOp *module)
{
    MlcFileWriter file;
    MlcJit *jit = NULL;
    mlc_file_writer_begin_temporary(&file);
    bool ok = mlc_run_pipeline(module, mlc_str("calc-pipeline")) &&
              mlc_target_jit(module, NULL, NULL, &file, &jit);
    if (ok) {
        MlcModelOptions options = {MLC_SIZED(MlcModelOptions), .resolve = mlc_target_jit_lookup,
                                   .user = jit};
        MlcRtError error;
        MlcModel *model = mlc_model_load_file(file.fd, "calc", &options, &error);
        ok = model && run_model(model, &error);
        if (!ok)
            mlc_error(mlc_op_context(module), mlc_op_loc(module), "%s", error.message);
        mlc_model_destroy(model);
        mlc_target_open(NULL)->jit_destroy(jit);
    }
    mlc_file_writer_abandon(&file);
    return ok;
}

// --- in a file

bool
calc_write(MlcOp *module, const char *path)
{
    MlcFileWriter file;
    MlcBuf error = {0};
    bool begun = mlc_file_writer_begin(&file, path, &error);
    bool ok = begun && mlc_run_pipeline(module, mlc_str("calc-pipeline")) &&
              mlc_target_write_artefact(module, NULL, NULL, &file) &&
              mlc_file_writer_commit(&file, &error);
    if (begun && !ok)
        mlc_file_writer_abandon(&file);
    if (error.size)
        mlc_error(mlc_op_context(module), mlc_op_loc(module), "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

bool
calc_print(MlcOp *module, const char *pipeline)
{
    if (!mlc_run_pipeline(module, mlc_str(pipeline)))
        return false;
    MlcBuf text = {0};
    mlc_op_print(module, NULL, &text);
    printf("%s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return true;
}

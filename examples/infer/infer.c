// infer.c -- an ONNX model compiled and run by one program: infer MODEL. Its sizes must be fixed;
// inputs are all ones. What `mlc compile` and `mlc run` do, with the levels in one pipeline.
#include <stdio.h>
#include <stdlib.h>

#include "mlc/dialects.h"
#include "mlc/frontend/onnx.h"
#include "mlc/ir.h"
#include "mlc/pass.h"
#include "mlc/runtime.h"
#include "mlc/support/file.h"
#include "mlc/target.h"

// What passes remark on their decisions is left out.
static void
print_diagnostic(const MlcDiag *diag, void *ctx)
{
    if (diag->severity != MLC_REMARK)
        mlc_diag_print(ctx, diag, stderr);
}

// Writes the artefact; false after diagnostics.
static bool
compile(MlcContext *ctx, const char *path, MlcFileWriter *artefact)
{
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions), .needs_sizes = true};
    MlcImportStatus status;
    MlcOp *module = mlc_onnx_import(ctx, path, &options, &status);
    bool ok = module && mlc_run_pipeline(module, mlc_str("cpu-pipeline")) &&
              mlc_target_write_artefact(module, NULL, NULL, artefact);
    mlc_diag_flush(ctx);
    if (module)
        mlc_op_destroy(module);
    return ok;
}

static size_t
elements_of(const int64_t *dims, int32_t rank)
{
    size_t n = 1;
    for (int32_t i = 0; i < rank; i++)
        n *= (size_t)dims[i];
    return n;
}

// An input of f32; the session borrows it.
static float *
set_ones(MlcSession *session, const MlcModel *model, int32_t index, MlcRtError *error)
{
    const MlcRtTensorInfo *info = mlc_model_input(model, index);
    size_t n = elements_of(info->dims, info->rank);
    float *ones = malloc((n + 1) * sizeof *ones);
    for (size_t i = 0; ones && i < n; i++)
        ones[i] = 1;
    MlcRtTensor tensor = {MLC_RT_F32, info->rank, info->dims, ones};
    if (!ones || !mlc_session_set_input(session, index, &tensor, error)) {
        free(ones);
        return NULL;
    }
    return ones;
}

static void
print_output(const MlcModel *model, const MlcSession *session, int32_t index)
{
    const MlcRtTensor *tensor = mlc_session_output(session, index);
    printf("%s: %s", mlc_model_output(model, index)->name, mlc_rt_type_name(tensor->type));
    for (size_t i = 0; tensor->type == MLC_RT_F32 && i < 4; i++)
        if (i < elements_of(tensor->dims, tensor->rank))
            printf(" %g", (double)((const float *)tensor->data)[i]);
    printf("\n");
}

static bool
run(const MlcModel *model, MlcRtError *error)
{
    MlcSession *session = mlc_session_create(model, NULL, error);
    int32_t num_inputs = mlc_model_num_inputs(model);
    float **inputs = calloc((size_t)num_inputs + 1, sizeof *inputs);
    bool ok = session && inputs;
    for (int32_t i = 0; ok && i < num_inputs; i++)
        ok = (inputs[i] = set_ones(session, model, i, error)) != NULL;
    ok = ok && mlc_session_run(session, error);
    for (int32_t i = 0; ok && i < mlc_model_num_outputs(model); i++)
        print_output(model, session, i);
    mlc_session_destroy(session);
    for (int32_t i = 0; inputs && i < num_inputs; i++)
        free(inputs[i]);
    free(inputs);
    return ok;
}

int
main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: infer MODEL.onnx\n");
        return 1;
    }
    MlcRtError error = {0};
    MlcFileWriter artefact;
    MlcContext *ctx = mlc_context_create();
    mlc_context_set_diag_handler(ctx, print_diagnostic, ctx);
    mlc_register_all_dialects(ctx);
    mlc_file_writer_begin_temporary(&artefact); // a file without a name
    MlcModel *model = NULL;
    if (compile(ctx, argv[1], &artefact))
        model = mlc_model_load_file(artefact.fd, argv[1], NULL, &error);
    mlc_file_writer_abandon(&artefact);
    mlc_context_destroy(ctx);
    bool ok = model && run(model, &error);
    if (error.status != MLC_RT_OK)
        fprintf(stderr, "infer: %s\n", error.message);
    mlc_model_destroy(model);
    return ok ? 0 : 1;
}

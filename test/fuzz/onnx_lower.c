// onnx_lower.c -- any bytes as a model, on the whole way to the llvm dialect: each level verifies
// or says why it does not come about, within limits of memory, ops and time. The model runs in the
// interpreter on tensors and, lowered, on buffers, on the same inputs: what runs there without an
// error runs here without one, so no access of the lowered code lies outside of its buffer.
#include "common.h"

#include "mlc/frontend/onnx.h"
#include "mlc/interp.h"
#include "mlc/machine.h"
#include "mlc/object.h"
#include "mlc/pass.h"
#include "mlc/support/quota.h"

enum { MAX_ARGS = 64 };

static MlcQuotaLimits limits = {
    .memory = INT64_C(1) << 30, .ops = 300000, .nanoseconds = INT64_C(20000000000)};

// How far the models came; told at the end.
static struct {
    unsigned long given, imported, on_tensors, on_buffers, lowered;
} models;

static void
tell_models(void)
{
    printf(
        "onnx_lower: %lu inputs, %lu imported, %lu ran on tensors, %lu on buffers, %lu lowered\n",
        models.given, models.imported, models.on_tensors, models.on_buffers, models.lowered);
}

typedef struct Run {
    MlcContext *ctx;
    MlcOp *module;
    MlcQuota *quota;
    const MlcTargetDesc *target;
    uint8_t choice; // of the target, of what inputs hold, of whether a run interprets parts
    MlcBuf said;    // the last error
    bool is_ours;   // a pass left IR that does not verify
} Run;

static void
listen(const MlcDiag *diag, void *user)
{
    Run *run = user;
    for (size_t i = 0; i < diag->num_notes; i++)
        run->is_ours |= memmem(diag->notes[i].message.data, diag->notes[i].message.size,
                               "found after pass", 16) != NULL;
    if (diag->severity != MLC_ERROR)
        return;
    run->said.size = 0;
    mlc_buf_append(&run->said, diag->message.data, diag->message.size);
}

_Noreturn static void
give_up(Run *run, const char *what, const char *where)
{
    mlc_diag_flush(run->ctx);
    fprintf(stderr, "%s: %s: %s\n", where, what, mlc_buf_c_str(&run->said));
    abort();
}

// ---- lowering

static bool
lower(Run *run, const char *level)
{
    char name[64];
    snprintf(name, sizeof name, "%s-pipeline", level);
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.threads = 1;
    config.target = run->target;
    uint64_t num_errors = mlc_context_num_errors(run->ctx);
    MlcPassManager *pm = mlc_pass_manager_create(run->ctx, &config);
    bool ok = mlc_pass_manager_parse(pm, mlc_str(mlc_pipeline_find(mlc_str(name))->text)) &&
              mlc_pass_manager_run(pm, run->module);
    mlc_pass_manager_destroy(pm);
    mlc_diag_flush(run->ctx);
    bool is_over = mlc_quota_exceeded(run->quota) != MLC_QUOTA_NONE;
    if (run->is_ours && !is_over)
        give_up(run, "a pass left IR that does not verify", level);
    if (!ok && !is_over && mlc_context_num_errors(run->ctx) == num_errors)
        give_up(run, "failed without a word", level);
    return ok && !is_over;
}

// ---- running

static bool
is_small(MlcType type)
{
    enum { MAX_ELEMENTS = 1 << 12 };
    return mlc_type_has_rank(type) && mlc_type_has_static_shape(type) &&
           mlc_type_num_elements(type) <= MAX_ELEMENTS;
}

// A function of memrefs has its results behind its arguments. False if the model failed, or is
// beyond what is run here; `*is_over`: it took too long, or too much.
static bool
interpret(Run *run, size_t num_inputs, bool *is_over)
{
    enum { MAX_STEPS = 100000 };
    const MlcInterpConfig config = {MLC_SIZED(MlcInterpConfig), .max_steps = MAX_STEPS,
                                    .max_memory = INT64_C(4) << 20};
    MlcInterp *interp = mlc_interp_create(run->module, &config);
    MlcOp *function = mlc_interp_function(interp, mlc_str("main"));
    MlcType type = function ? mlc_interp_function_type(function) : NULL;
    size_t num_args = type ? mlc_function_type_num_inputs(type) : 0;
    size_t num_results = type ? mlc_function_type_num_results(type) : 0;
    MlcDatum args[MAX_ARGS] = {0}, results[MAX_ARGS] = {0};
    bool ok = type && num_args <= MAX_ARGS && num_results <= MAX_ARGS;
    *is_over = !ok;
    for (size_t i = 0; ok && i < num_args; i++) {
        char spec[32];
        MlcType arg = mlc_function_type_inputs(type)[i];
        if (i < num_inputs)
            snprintf(spec, sizeof spec, "random:%zu", run->choice + i);
        else
            snprintf(spec, sizeof spec, "undefined");
        ok = is_small(arg) && mlc_interp_read_datum(interp, arg, mlc_str(spec), &args[i]);
        *is_over = !ok;
    }
    ok = ok && mlc_interp_call(interp, mlc_str("main"), args, num_args, results, num_results);
    *is_over |= mlc_interp_steps(interp) >= MAX_STEPS;
    mlc_interp_destroy(interp);
    mlc_diag_flush(run->ctx);
    const char *said = mlc_buf_c_str(&run->said); // of sums that no element is added to, say
    *is_over |= !ok && strstr(said, "passes the interpreter's memory limit") != NULL;
    return ok;
}

static size_t
count_inputs(const Run *run)
{
    MlcOp *function = mlc_symbol_lookup(run->module, mlc_str("main"));
    return mlc_block_num_args(mlc_region_first(mlc_op_region(function, 0)));
}

static void
lower_and_run(Run *run)
{
    static const char *const to_buffers[] = {"kernels", "linalg", "vector", "memref"};
    static const char *const to_llvm[] = {"affine", "scf", "llvm"};
    size_t num_inputs = count_inputs(run);
    bool is_over = false, ok = lower(run, "graph");
    bool answers = ok && interpret(run, num_inputs, &is_over);
    for (size_t i = 0; ok && i < sizeof to_buffers / sizeof *to_buffers; i++)
        ok = lower(run, to_buffers[i]);
    models.on_tensors += answers;
    if (ok && answers && !is_over) {
        bool same = interpret(run, num_inputs, &is_over);
        models.on_buffers += same;
        if (!same && !is_over && mlc_quota_exceeded(run->quota) == MLC_QUOTA_NONE)
            give_up(run, "fails on buffers, and not on tensors", "memref");
    }
    for (size_t i = 0; ok && i < sizeof to_llvm / sizeof *to_llvm; i++)
        ok = lower(run, to_llvm[i]);
    models.lowered += ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (models.given++ == 0) {
        atexit(tell_models);
        if (getenv("MLC_FUZZ_SECONDS")) // standalone.c counts the processor's time
            limits.nanoseconds = 0;
    }
    Run run = {.ctx = mlc_context_create(), .choice = size ? data[size / 2] ^ data[size - 1] : 0};
    run.target = mlc_target_desc_at(run.choice % mlc_num_target_descs());
    if (!mlc_image_can_link(run.target))
        run.target = NULL;
    mlc_register_all_dialects(run.ctx);
    mlc_context_set_diag_handler(run.ctx, listen, &run);
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions), .names_sizes = true,
                                    .interprets = run.choice & 64};
    MlcImportStatus status;
    run.quota = mlc_quota_begin(&limits, NULL, NULL);
    run.module = mlc_onnx_import_bytes_with(run.ctx, "fuzz.onnx", data, size, &options, &status);
    models.imported += run.module != NULL;
    if (run.module && mlc_quota_exceeded(run.quota) == MLC_QUOTA_NONE)
        lower_and_run(&run);
    if (run.module)
        mlc_op_destroy(run.module);
    mlc_quota_end(run.quota);
    mlc_context_destroy(run.ctx);
    mlc_buf_release(&run.said);
    return 0;
}

// plugin.c -- what calc adds to mlc: its dialect, its pass, its lowering, and the way down to code.
#include "calc.h"

#include "calc-to-scf.h"
#include "mlc/dialects.h"
#include "mlc/dialects/calc.h"
#include "mlc/ir/rule.h"

extern const MlcPassDef mlc_pass_calc_expand; // expand.c

static const MlcDialectDef *const dialects[] = {&mlc_calc_dialect};
static const MlcPassDef *const passes[] = {&mlc_pass_calc_expand};
// `cpu-pipeline` fuses, tiles, vectorises, plans memory.
static const MlcPipelineDef pipelines[] = {
    {"calc-pipeline", "Calc down to the llvm dialect",
     "func.func(calc-expand,canonicalize,cse),lower{by=calc_to_scf},cpu-pipeline"}};

static bool
load(MlcContext *ctx)
{
    return mlc_load_rules_text(ctx, mlc_str(calc_to_scf), "calc-to-scf.rules");
}

MLC_PLUGIN(.name = "calc", .version = "0.1", .dialects = dialects, .num_dialects = 1,
           .passes = passes, .num_passes = 1, .pipelines = pipelines, .num_pipelines = 1,
           .load = load)

bool
calc_register(MlcContext *ctx)
{
    MlcBuf error = {0};
    mlc_register_all_dialects(ctx);
    bool ok = mlc_plugin_register(&mlc_plugin, &error)
                  ? mlc_plugin_load(&mlc_plugin, ctx)
                  : mlc_error(ctx, mlc_loc_unknown(ctx), "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

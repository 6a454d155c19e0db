// calc-plugin.c -- what `mlc-opt --load-plugin` finds: the dialect and its pass.
#include "mlc/dialects/calc.h"
#include "mlc/plugin.h"

extern const MlcPassDef mlc_pass_calc_expand; // calc-expand.c

static const MlcDialectDef *const dialects[] = {&mlc_calc_dialect};
static const MlcPassDef *const passes[] = {&mlc_pass_calc_expand};

MLC_PLUGIN(.name = "calc", .version = "0.1", .dialects = dialects, .num_dialects = 1,
           .passes = passes, .num_passes = 1)

// refused.c -- plugins that are not taken: of another API, with a pass that there is, whose `load`
// fails, and no plugin at all.
#include "mlc/plugin.h"

#include "mlc/ir/diag.h"
#include "mlc/ir/loc.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass, (void)root;
    return true;
}

static bool
fail(MlcContext *ctx)
{
    return mlc_error(ctx, mlc_loc_unknown(ctx), "the plugin does not like this context");
}

MLC_PASS(taken, .flag = "cse", .summary = "Has a name that is taken", .run = run)
static const MlcPassDef *const passes[] = {&mlc_pass_taken};

#if defined(REFUSED_API)
MLC_API const MlcPlugin mlc_plugin = {.api = MLC_PLUGIN_API + 1, .size = sizeof(MlcPlugin)};
#elif defined(REFUSED_PASS)
MLC_PLUGIN(.name = "refused", .version = "1", .passes = passes, .num_passes = 1)
#elif defined(REFUSED_LOAD)
MLC_PLUGIN(.name = "refused", .version = "1", .load = fail)
#endif
const void *const refused_uses[] = {passes, (const void *)(uintptr_t)fail};

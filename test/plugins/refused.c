// refused.c -- plugins that are not taken: of another API, with a pass or a pipeline that there is,
// with a hook of another's name, whose `load` fails, and no plugin at all.
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

static const MlcPipelineDef pipelines[] = {{"cleanup", "Has a name that is taken", "cse"}};

// The one table has a name that the other has for something else.
static const MlcHook hooks[] = {{.name = "mlc_refused_verify", .table = passes}};
static const MlcHook other_hooks[] = {{.name = "mlc_refused_verify", .table = hooks}};

#if defined(REFUSED_API)
MLC_API const MlcPlugin mlc_plugin = {MLC_SIZED(MlcPlugin), .api = MLC_PLUGIN_API + 1};
#elif defined(REFUSED_PASS)
MLC_PLUGIN(.name = "refused", .version = "1", .passes = passes, .num_passes = 1)
#elif defined(REFUSED_PIPELINE)
MLC_PLUGIN(.name = "refused", .version = "1", .pipelines = pipelines, .num_pipelines = 1)
#elif defined(REFUSED_HOOK)
MLC_PLUGIN(.name = "refused", .version = "1", .hooks = other_hooks, .num_hooks = 1)
#elif defined(REFUSED_LOAD)
MLC_PLUGIN(.name = "refused", .version = "1", .load = fail, .hooks = hooks, .num_hooks = 1)
#endif
const void *const refused_uses[] = {passes, pipelines, hooks, other_hooks,
                                    (const void *)(uintptr_t)fail};

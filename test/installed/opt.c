// opt.c -- a tool of one's own: mlc-opt with the pass of examples/plugin. With TAKEN in the
// environment the pass's name is taken before.
#include "mlc/opt.h"

#include <stdlib.h>

MLC_API extern const MlcPlugin mlc_plugin; // op_budget.c

int
main(int argc, char **argv)
{
    static const MlcPassDef other = {MLC_SIZED(MlcPassDef), .name = "op_budget",
                                     .flag = "op-budget"};
    static const MlcPlugin *const plugins[] = {&mlc_plugin};
    MlcOptSetup setup = {MLC_SIZED(MlcOptSetup), .name = "own-opt", .version = "3",
                         .plugins = plugins, .num_plugins = 1};
    if (getenv("TAKEN") && !mlc_pass_register(&other))
        return 2;
    return mlc_opt_main(argc, argv, &setup);
}

// calc-opt.c -- mlc-opt with calc in it.
#include "calc.h"
#include "mlc/opt.h"

int
main(int argc, char **argv)
{
    static const MlcPlugin *const plugins[] = {&mlc_plugin};
    MlcOptSetup setup = {MLC_SIZED(MlcOptSetup), .name = "calc-opt", .version = "0.1",
                         .plugins = plugins, .num_plugins = 1};
    return mlc_opt_main(argc, argv, &setup);
}

// opt.h -- mlc-opt as a function, so that a compiler on mlc has a tool of its own: all that mlc-opt
// does, with the compiler's dialects, passes and pipelines built in. In libmlc_opt.
//
//     int
//     main(int argc, char **argv)
//     {
//         static const MlcPlugin *const plugins[] = {&calc_plugin};
//         MlcOptSetup setup = {MLC_SIZED(MlcOptSetup), .name = "calc-opt", .plugins = plugins,
//                              .num_plugins = 1};
//         return mlc_opt_main(argc, argv, &setup);
//     }
//
// Ownership: it borrows everything until it returns; what plugins register stays as long as the
// process.
// Threads: it is the whole program, so it is called once, from main, before other threads are made:
// it sets what signals do, and makes threads itself.
#ifndef MLC_OPT_H
#define MLC_OPT_H

#include "mlc/plugin.h"

MLC_BEGIN_DECLS

typedef struct MlcOptSetup {
    size_t size;         // MLC_SIZED
    const char *name;    // of the tool, as messages and --help have it
    const char *version; // for --version, beside mlc's; NULL: mlc's alone
    const char *summary; // the line of --help; NULL: mlc-opt's
    // What the tool brings: its dialects are in every context behind the built-in ones, its passes
    // and pipelines are flags. The same records make plugins for mlc-opt.
    const MlcPlugin *const *plugins;
    size_t num_plugins;
} MlcOptSetup;

// Reads the command line and does what it says; `mlc-opt --help` has the options. Returns the exit
// code of the process: 0, or 1 after messages on stderr.
MLC_API MLC_NODISCARD int mlc_opt_main(int argc, char **argv, const MlcOptSetup *setup);

MLC_END_DECLS

#endif

// extensions.h -- what a command line adds to a context: packages, plugins, dialects and rules from
// files.
#ifndef MLC_TOOLS_COMMON_EXTENSIONS_H
#define MLC_TOOLS_COMMON_EXTENSIONS_H

#include "mlc/ir/context.h"
#include "mlc/support/cli.h"

typedef struct Extensions {
    MlcStrVec packages, plugins, dialects, irdl, rules; // paths
} Extensions;

// Rows of a tool's table of options.
#define EXTENSIONS_CLI(extensions)                                                                 \
    {"load",                                                                                       \
     MLC_CLI_LIST,                                                                                 \
     &(extensions)->packages,                                                                      \
     "file.yaml",                                                                                  \
     "define a dialect, and load what its 'package' names; may be given again",                    \
     NULL},                                                                                        \
        {"load-plugin",                                                                            \
         MLC_CLI_LIST,                                                                             \
         &(extensions)->plugins,                                                                   \
         "file.so",                                                                                \
         "passes and dialects of a shared object; may be given again",                             \
         NULL},                                                                                    \
        {"load-dialect",                                                                           \
         MLC_CLI_LIST,                                                                             \
         &(extensions)->dialects,                                                                  \
         "file.yaml",                                                                              \
         "define a dialect; may be given again",                                                   \
         NULL},                                                                                    \
        {"irdl-file",                                                                              \
         MLC_CLI_LIST,                                                                             \
         &(extensions)->irdl,                                                                      \
         "file.irdl.mlir",                                                                         \
         "define the dialects of a file in IRDL; may be given again",                              \
         NULL},                                                                                    \
    {                                                                                              \
        "load-rules", MLC_CLI_LIST, &(extensions)->rules, "file.rules",                            \
            "more rules for canonicalize; may be given again", NULL                                \
    }

// Opens the plugins that a command line loads, packages' too: for tools whose options are passes,
// before they are read. False after a message.
bool extensions_open_plugins(char **argv);

bool extensions_are_given(const Extensions *extensions);
// Into a context that has the other dialects. False after diagnostics.
bool extensions_load(const Extensions *extensions, MlcContext *ctx);
// Options that say the same to a shell in any folder, a blank before each.
void extensions_append(const Extensions *extensions, MlcBuf *out);
void extensions_release(Extensions *extensions);

#endif

// extensions.h -- what a command line adds to a context: dialects and rules from files.
#ifndef MLC_TOOLS_COMMON_EXTENSIONS_H
#define MLC_TOOLS_COMMON_EXTENSIONS_H

#include "mlc/ir/context.h"
#include "mlc/support/cli.h"

typedef struct Extensions {
    MlcStrVec dialects, rules; // paths
} Extensions;

// Rows of a tool's table of options.
#define EXTENSIONS_CLI(extensions)                                                                 \
    {"load-dialect",                                                                               \
     MLC_CLI_LIST,                                                                                 \
     &(extensions)->dialects,                                                                      \
     "file.yaml",                                                                                  \
     "define a dialect; may be given again",                                                       \
     NULL},                                                                                        \
    {                                                                                              \
        "load-rules", MLC_CLI_LIST, &(extensions)->rules, "file.rules",                            \
            "more rules for canonicalize; may be given again", NULL                                \
    }

bool extensions_are_given(const Extensions *extensions);
// Into a context that has the other dialects. False after diagnostics.
bool extensions_load(const Extensions *extensions, MlcContext *ctx);
// Options that say the same to a shell in any folder, a blank before each.
void extensions_append(const Extensions *extensions, MlcBuf *out);
void extensions_release(Extensions *extensions);

#endif

// limit_flags.h -- a flag for each limit on what input may ask (MlcLimits): rows of a table of
// options.
#ifndef MLC_TOOLS_LIMIT_FLAGS_H
#define MLC_TOOLS_LIMIT_FLAGS_H

#include "mlc/ir/context.h"
#include "mlc/support/cli.h"

#define LIMIT_OPTION(limits, flag, field, unit, what)                                              \
    {                                                                                              \
        "limit-" flag, MLC_CLI_INT, (int64_t *)&(limits)->field, unit, what, NULL                  \
    }

#define LIMIT_OPTIONS(limits)                                                                      \
    LIMIT_OPTION(limits, "nesting", nesting, "N",                                                  \
                 "regions, types, brackets in each other; 1000 at most"),                          \
        LIMIT_OPTION(limits, "operands", operands, "N", "of an op; results and others likewise"),  \
        LIMIT_OPTION(limits, "rank", rank, "N", "of shaped types, 64 at most"),                    \
        LIMIT_OPTION(limits, "integer-width", integer_width, "BITS", "of integer types"),          \
        LIMIT_OPTION(limits, "file-size", file_size, "BYTES", "of a text"),                        \
        LIMIT_OPTION(limits, "expansion", expansion, "BYTES",                                      \
                     "that aliases and shared values take in full, beside 256 times the file's"),  \
        LIMIT_OPTION(limits, "constant", constant, "BYTES",                                        \
                     "of a list of elements that are wider than 128 bits"),                        \
        LIMIT_OPTION(limits, "errors", errors, "N", "that are shown")

#endif

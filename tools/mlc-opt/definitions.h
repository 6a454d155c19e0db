// definitions.h -- mlc-opt --check-dialect and --dialect-reference: files of definitions, without a
// module.
#ifndef MLC_OPT_DEFINITIONS_H
#define MLC_OPT_DEFINITIONS_H

#include "process.h"

// Loads each file, a dialect with its package or rules, for its mistakes alone. False if there is
// one.
bool check_definitions(const Options *o, const MlcStrVec *files);
// Prints the reference pages of dialects, one after the other. False after diagnostics.
bool show_references(const Options *o, const MlcStrVec *files);

#endif

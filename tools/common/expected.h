// expected.h -- -verify-diagnostics: what a test's comments expect against what was diagnosed.
#ifndef MLC_TOOLS_EXPECTED_H
#define MLC_TOOLS_EXPECTED_H

#include "mlc/ir/diag.h"
#include "mlc/ir/loc.h"
#include "mlc/support/vec.h"

#include <regex.h>

// One `// expected-error @+1 {{text}}`: -error, -warning, -remark or -note; @+N, @-N, @above,
// @below, @unknown (line 0 is where there is none); with -re the text holds regular expressions
// between {{ and }}.
typedef struct Expected {
    MlcSeverity severity;
    unsigned line;  // where it is expected; 0: at no known place
    const char *at; // "expected-..." in the source
    MlcStr text;
    regex_t pattern;
    bool is_pattern, is_met;
} Expected;

typedef struct ExpectedCheck {
    MlcContext *ctx;
    MlcStr name, source;
    MLC_VEC(Expected) list;
    bool failed;
} ExpectedCheck;

// Reads the comments of `text`; false, after a message, if one is malformed.
bool expected_read(ExpectedCheck *check, MlcContext *ctx, MlcStr name, MlcStr text);
// The handler for the context's diagnostics; `user` is the check.
void expected_handle(const MlcDiag *diag, void *user);
// Says what was expected and did not come; true if all was as expected. Releases the check.
bool expected_finish(ExpectedCheck *check);

#endif

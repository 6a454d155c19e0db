// ops.c -- mlc ops: the operators of ONNX and of the other domains that mlc knows, and which of
// them it compiles.
#include "mlc.h"

#include "mlc/dialects.h"
#include "mlc/frontend/onnx.h"
#include "mlc/pass.h"

#include <stdio.h>

// Whether a pass lowers the op.
static bool
is_compiled(const MlcOpDef *op)
{
    for (size_t i = 0; i < mlc_num_passes(); i++) {
        bool (*converts)(const MlcOpDef *op) = MLC_FIELD(mlc_pass_at(i), converts);
        if (converts && converts(op))
            return true;
    }
    return false;
}

int
mlc_verb_ops(int argc, char **argv)
{
    MlcStr domain = {0}, name = {0};
    const MlcCliOption options[] = {
        {"domain", MLC_CLI_STRING, &domain, "name", "of this domain alone: ai.onnx, com.microsoft",
         NULL},
        {"operator", MLC_CLI_STRING, &name, "name", "this one alone", NULL},
    };
    int code;
    if (!parse_arguments("mlc ops",
                         "Prints each operator, the opsets in which it is the same, whether it is "
                         "compiled or interpreted, and the types that its first input may have.",
                         "", options, sizeof options / sizeof *options, argc, argv, NULL, 0, &code))
        return code;
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    MlcBuf text = {0};
    bool any = mlc_onnx_list_operators_by(ctx, domain, name, is_compiled, &text);
    if (any)
        fputs(mlc_buf_c_str(&text), stdout);
    else if (name.size)
        fprintf(stderr, "mlc: there is no operator '%.*s'\n", MLC_STR_FMT(name));
    else
        fprintf(stderr,
                "mlc: '%.*s' is no domain that mlc knows; a dialect could say what its operators "
                "mean (--load)\n",
                MLC_STR_FMT(domain));
    mlc_buf_release(&text);
    mlc_context_destroy(ctx);
    return any ? EXIT_OK : EXIT_WRONG;
}

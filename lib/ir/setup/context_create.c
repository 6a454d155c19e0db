// context_create.c -- a context of all parts: the one place that knows both what lives in a context
// and what is said about it in text.
#include "context/context_impl.h"
#include "rewrite/rewrite_impl.h"
#include "rewrite/rules_compile.h"
#include "rewrite/rules_match.h"
#include "text/parse_format.h"

#include "mlc/ir/text.h"

static const MlcTextFunctions text = {.parse_attr = mlc_parse_attr,
                                      .parse_type = mlc_parse_type,
                                      .parse_affine_map = mlc_parse_affine_map,
                                      .print_loc = mlc_loc_print,
                                      .requirement = mlc_rules_requirement,
                                      .meets_requirements = mlc_meets_requirements,
                                      .has_directive = mlc_format_is_custom};

MlcContext *
mlc_context_create(void)
{
    return mlc_context_make(&text);
}

void
mlc_context_destroy(MlcContext *ctx)
{
    if (!ctx)
        return;
    mlc_release_canonicalization(ctx);
    mlc_context_free(ctx);
}

// body_check.c -- whether the text of a record's body is one, before there is an op of it: its ops
// are made once, of floats, and thrown away.
#include "mlc/dialects/linalg_body.h"
#include "mlc/ir.h"

enum { MAX_OPERANDS = 64 };

bool
mlc_body_check(MlcContext *ctx, const MlcOpDef *def, MlcLoc loc)
{
    const MlcStructuredDef *structured = def->structured;
    size_t n = structured ? (size_t)structured->num_ins + structured->num_outs : def->num_operands;
    size_t num_results = structured ? structured->num_outs : 1;
    const char *names[MAX_OPERANDS];
    MlcValue *values[MAX_OPERANDS], *results[MAX_OPERANDS];
    if (n > MAX_OPERANDS)
        return mlc_error(ctx, loc, "a body is of at most %d operands", MAX_OPERANDS);
    MlcBlock *block = mlc_block_create(ctx);
    for (size_t i = 0; i < n; i++) {
        names[i] = structured ? structured->names[i] : def->operands[i].name;
        values[i] = mlc_block_add_arg(block, mlc_float_type_get(ctx, MLC_FLOAT_F32), loc);
    }
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_end(&b, block);
    b.loc = loc;
    MlcBody body = {.text = structured ? structured->body : def->body,
                    .names = names,
                    .values = values,
                    .num_values = n,
                    .attrs_of = def,
                    .element = mlc_float_type_get(ctx, MLC_FLOAT_F32),
                    .is_verified = true};
    size_t got = mlc_body_build(&b, &body, results, num_results);
    mlc_block_destroy(block);
    return got == num_results ||
           (got && mlc_error(ctx, loc, "the body gives %zu of %zu results", got, num_results));
}

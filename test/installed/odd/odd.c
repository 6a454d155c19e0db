// odd.c -- what odd.yaml and odd.rules name, and a program that doubles twice.
#include <stdio.h>

#include "mlc/dialects.h"
#include "mlc/dialects/odd.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"
#include "mlc/pass.h"

bool
mlc_odd_strange_verify(MlcOp *op)
{
    return mlc_odd_strange_predicate(op) || mlc_op_error(op, "has no predicate");
}

static bool
is_speculatable(MlcOp *op)
{
    return op != NULL;
}
const MlcSpeculation mlc_odd_twice_speculation = {.is_speculatable = is_speculatable};

bool
mlc_odd_rule_known(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return mlc_rule_takes(args, "v");
}

static const char source[] =
    "func.func private @g(!odd.row<4 x i16>)\n"
    "func.func @f(%x: i32, %a: memref<4xf32, strided<[2]>>) -> i32 {\n"
    "  %s = odd.strange %x, %a, %x {flags = #arith.fastmath<fast>, predicate = 2 : i64}\n"
    "     : i32, memref<4xf32, strided<[2]>>, i32\n"
    "  %0 = odd.twice %s : i32\n"
    "  %1 = odd.twice %0 : i32\n"
    "  return %1 : i32\n"
    "}\n";

static void
show(MlcOp *module)
{
    MlcBuf text = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    mlc_op_print(module, &flags, &text);
    puts(mlc_buf_c_str(&text));
    mlc_buf_release(&text);
}

int
main(void)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    bool ok = mlc_context_register_dialect(ctx, &mlc_odd_dialect);
    MlcOp *module = mlc_parse_module(ctx, mlc_str(source), mlc_str("odd.c"));
    MlcPassManager *passes = mlc_pass_manager_create(ctx, NULL);
    ok = ok && module && mlc_verify(module) &&
         mlc_pass_manager_parse(passes, mlc_str("builtin.module(canonicalize)")) &&
         mlc_pass_manager_run(passes, module);
    if (ok)
        show(module);
    ok = ok && mlc_num_rule_sets(ctx) == 1 && mlc_lower(module, mlc_rule_set_at(ctx, 0));
    mlc_diag_flush(ctx);
    if (ok)
        show(module);
    mlc_pass_manager_destroy(passes);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return ok ? 0 : 1;
}

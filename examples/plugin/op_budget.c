// op_budget.c -- a pass in a plugin: functions of more than so many ops are refused.
//
//   cc -shared -fPIC -o op_budget.so op_budget.c -lmlc
//   mlc-opt --load-plugin=op_budget.so file.mlir --op-budget=max=100
#include "mlc/ir.h"
#include "mlc/plugin.h"

static bool
run(MlcPass *pass, MlcOp *function)
{
    int64_t max = mlc_pass_option_int(pass, "max"), count = 0;
    for (MlcOp *op = function; (op = mlc_op_preorder_next(op, function));)
        count++;
    mlc_pass_count(pass, "num-ops", count);
    return count <= max || mlc_error(mlc_pass_context(pass), mlc_op_loc(function),
                                     "%lld ops, more than %lld", (long long)count, (long long)max);
}

static const MlcPassOption options[] = {{"max", MLC_OPTION_INT, "1000", "Most ops of a function"}};

MLC_PASS(op_budget, .flag = "op-budget", .summary = "Refuse functions of more than so many ops",
         .anchor = "func.func", .options = options, .num_options = 1, .run = run)

static const MlcPassDef *const passes[] = {&mlc_pass_op_budget};
MLC_PLUGIN(.name = "op_budget", .version = "1", .passes = passes, .num_passes = 1)

// assert_to_runtime.c -- what must hold when a model runs: else the run fails, with a message.
//
// cf.assert becomes a branch: on failure the message goes to the runtime (`fail` of its table,
// mlc/runtime/abi.h) and the function returns, so nothing that relies on the assertion runs.
// Nothing else stops: kernels that follow compute on what is there, which no kernel takes harm
// from, and the run's result is the failure. For functions whose first argument is the call record,
// between parallel-to-runtime, which gives them it, and convert-to-llvm.
#include "call_record.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/runtime/abi.h"

#include "mlc/dialects/cf.h"
#include "mlc/dialects/func.h"

#include <stdio.h>

typedef struct Messages {
    MlcOp *module;
    MlcSymbolTable *symbols;
    unsigned count;
} Messages;

// The address of a constant with the text, NUL-terminated.
static MlcValue *
message_address(Messages *m, MlcBuilder *b, MlcStr text)
{
    char name[32];
    MlcContext *ctx = b->ctx;
    snprintf(name, sizeof name, "assertion_%u", m->count++);
    MlcBuilder outside = *b;
    mlc_builder_at_start(&outside, mlc_region_first(mlc_op_region(m->module, 0)));
    MlcOp *global = llvm_text_global(&outside, mlc_str(name), text);
    mlc_symbol_table_insert(m->symbols, global);
    return mlc_llvm_mlir_addressof(b, llvm_ptr(ctx, 0), mlc_symbol_name(global));
}

// Tells the runtime and returns.
static void
build_failure(Messages *m, MlcBuilder *b, MlcValue *call, MlcStr text)
{
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcValue *table = call_record_field(b, call, MLC_RT_CALL_TABLE);
    MlcValue *operands[4] = {call_record_field(b, table, MLC_RT_TABLE_FAIL), call, llvm_i64(b, 1),
                             message_address(m, b, text)};
    mlc_llvm_call(b, i32, operands, 4);
    mlc_func_return(b, NULL, 0);
}

static bool
lower_assertion(Messages *m, MlcOp *function, MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcOp *end = mlc_block_terminator(mlc_op_block(op));
    if (mlc_op_parent(op) != function || !end)
        return mlc_op_error(op, "is inside of another op (run convert-scf-to-cf first)");
    if (mlc_block_num_args(entry) == 0 || !llvm_is_ptr(mlc_value_type(mlc_block_arg(entry, 0))))
        return mlc_op_error(op, "is in a function without the call record (run "
                                "parallel-to-runtime first)");
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    if (mlc_function_type_num_results(methods->type(function)) > 0)
        return mlc_op_error(op, "is in a function with results");
    MlcBlock *rest = mlc_block_split(mlc_op_next(op)), *failed = mlc_block_create(ctx);
    mlc_region_append(mlc_op_region(function, 0), failed);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    mlc_cf_cond_br(&b, mlc_cf_assert_arg(op), NULL, 0, NULL, 0, rest, failed);
    mlc_builder_at_end(&b, failed);
    build_failure(m, &b, mlc_block_arg(entry, 0), mlc_cf_assert_msg(op));
    mlc_op_erase(op);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_cf_assert_def;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    Messages m = {.module = module, .symbols = mlc_symbol_table_create(module)};
    bool ok = true;
    MLC_FOR_EACH_OF_KIND (assertion, module, &mlc_cf_assert_def) {
        MlcOp *function = mlc_op_parent(assertion);
        while (function && !mlc_func_func_isa(function))
            function = mlc_op_parent(function);
        if (function)
            ok &= lower_assertion(&m, function, assertion);
    }
    mlc_symbol_table_destroy(m.symbols);
    return ok;
}

static const char *const dialects[] = {"llvm", "cf", "func", NULL};

MLC_PASS(assert_to_runtime, .flag = "assert-to-runtime",
         .summary = "Hand failed assertions to the runtime", .anchor = "builtin.module",
         .dependent_dialects = dialects, .converts = converts, .run = run)

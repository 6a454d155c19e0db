// jit.c -- from text to a function that is called: x^2 + 1 as machine code in this process.
#include <stdio.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/pass.h"
#include "mlc/target.h"

static const char text[] = "func.func @f(%x: f64) -> f64 {\n"
                           "  %one = arith.constant 1.0 : f64\n"
                           "  %square = arith.mulf %x, %x : f64\n"
                           "  %y = arith.addf %square, %one : f64\n"
                           "  return %y : f64\n"
                           "}\n";

typedef double (*Function)(double);

// The code of @f, which lives as long as *jit; NULL after diagnostics.
static Function
compile(MlcOp *module, MlcJit **jit)
{
    if (!mlc_run_pipeline(module, mlc_str("canonicalize,convert-to-llvm")) ||
        !mlc_target_jit_module(module, NULL, jit))
        return NULL;
    return (Function)(uintptr_t)mlc_target_jit_function(module, *jit, mlc_str("f"));
}

int
main(void)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    MlcOp *module = mlc_parse_module(ctx, mlc_str(text), mlc_str("text"));
    MlcJit *jit = NULL;
    Function f = module ? compile(module, &jit) : NULL;
    if (f)
        printf("f(3) = %g\n", f(3));
    mlc_diag_flush(ctx);
    if (jit)
        mlc_target_open(NULL)->jit_destroy(jit);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return f ? 0 : 1;
}

// calc.h -- what the parts of calc share: the tree that the parser makes, and the steps from there.
//
//   text -- parser.y --> statements -- build.c --> the dialect calc -- compile.c --> code
//
// Functions that fail report errors at their place in the text first (mlc/ir/diag.h).
#ifndef CALC_H
#define CALC_H

#include "mlc/ir.h"
#include "mlc/plugin.h"
#include "mlc/support/arena.h"
#include "mlc/support/vec.h"

typedef enum CalcKind { CALC_NUMBER, CALC_MATRIX, CALC_NAME, CALC_CALL, CALC_REPEAT } CalcKind;

// An expression; it lives in the parser's arena, as all of the tree does.
typedef struct CalcExpr {
    CalcKind kind;
    MlcLoc loc;
    MlcStr name;            // NAME; CALL: a function, or an operator ("+"); REPEAT: its variable
    double number;          // NUMBER; REPEAT: how many times
    struct CalcExpr **args; // CALL: operands; REPEAT: what it begins with, and what it does;
    size_t num_args;        // MATRIX: a MATRIX for each row, of NUMBERs
} CalcExpr;

typedef enum CalcStatementKind { CALC_INPUT, CALC_LET, CALC_FUNCTION, CALC_SHOW } CalcStatementKind;

typedef struct CalcStatement {
    CalcStatementKind kind;
    MlcLoc loc;
    MlcStr name;          // all but SHOW
    int64_t shape[2];     // INPUT: rows and columns; 0: a scalar
    const MlcStr *params; // FUNCTION
    size_t num_params;
    CalcExpr *expr; // all but INPUT
} CalcStatement;

typedef MLC_VEC(CalcStatement *) CalcProgram;

// Appends the statements of `text`, which has `name` in messages, has two NUL bytes behind it, and
// stays, as `arena` does, for as long as the program is used.
bool calc_parse(MlcContext *ctx, MlcArena *arena, MlcStr name, MlcStr text, CalcProgram *program);

// A module whose @main takes the inputs and returns what is shown, in order, verified; the caller
// destroys it. NULL after errors.
MlcOp *calc_build(MlcContext *ctx, const CalcProgram *program);

// Dialect, pass, lowering, and the pipeline `calc-pipeline`.
MLC_API extern const MlcPlugin mlc_plugin;

// Registers that, and loads it into a context, behind mlc's own dialects. False after errors.
bool calc_register(MlcContext *ctx);

// Lowers the module to the llvm dialect and runs it in this process, then prints its results.
bool calc_run(MlcOp *module);

// Lowers the module, and writes it as a file that `mlc run` and libmlc_runtime load.
bool calc_write(MlcOp *module, const char *path);

// Prints the module as it is after this pipeline ("": as it was built).
bool calc_print(MlcOp *module, const char *pipeline);

#endif

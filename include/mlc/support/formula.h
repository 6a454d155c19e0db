// formula.h -- reads formulas: "m = max(a, b); select(a < 0, alpha * exp(-a), m)".
//
//   text       := statement (";" statement)* ";"?
//   statement  := (name "=")? comparison
//   comparison := sum (("<=" | ">=" | "==" | "!=" | "<" | ">") sum)?
//   sum        := product (("+" | "-") product)*
//   product    := unary (("*" | "/") unary)*
//   unary      := "-" unary | "(" comparison ")" | number | name | name "(" arguments? ")"
//   arguments  := comparison ("," comparison)*
//
// A maker says what each part becomes, in the order in which parts end: there is no tree. Texts may
// come from a user, so depth is bounded, and what is wrong is told to the maker with its place.
//
// Ownership: the struct is the caller's, names point into the text, values are the maker's.
// Threads: any, one at a time for one formula.
#ifndef MLC_SUPPORT_FORMULA_H
#define MLC_SUPPORT_FORMULA_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

enum { MLC_FORMULA_DEPTH = 64, MLC_FORMULA_ARGUMENTS = 4, MLC_FORMULA_LOCALS = 64 };

// What a part became.
typedef struct MlcFormulaTerm {
    void *value;   // NULL: a number
    double number; // then
} MlcFormulaTerm;

typedef enum MlcFormulaOp {
    MLC_FORMULA_NEGATE,
    MLC_FORMULA_ADD,
    MLC_FORMULA_SUBTRACT,
    MLC_FORMULA_MULTIPLY,
    MLC_FORMULA_DIVIDE,
    MLC_FORMULA_AT_MOST,
    MLC_FORMULA_AT_LEAST,
    MLC_FORMULA_EQUAL,
    MLC_FORMULA_DIFFERENT,
    MLC_FORMULA_LESS,
    MLC_FORMULA_GREATER,
} MlcFormulaOp;

typedef struct MlcFormula MlcFormula;

// All but `report` return false after a report, which ends the reading. `*out` is zeroed.
typedef struct MlcFormulaMaker {
    bool (*number)(MlcFormula *f, double number, MlcFormulaTerm *out); // NULL: it stays a number
    bool (*name)(MlcFormula *f, MlcStr name, MlcFormulaTerm *out);
    bool (*call)(MlcFormula *f, MlcStr name, const MlcFormulaTerm *args, size_t num_args,
                 MlcFormulaTerm *out);
    // One operand of MLC_FORMULA_NEGATE, two of all others.
    bool (*apply)(MlcFormula *f, MlcFormulaOp op, const MlcFormulaTerm *operands,
                  MlcFormulaTerm *out);
    void (*report)(MlcFormula *f, const char *message); // what is wrong with the text, at `f->at`
    const char *quoting;                                // the function of a name; may be NULL
    bool (*quote)(MlcFormula *f, MlcStr name, MlcFormulaTerm *out); // its call
} MlcFormulaMaker;

struct MlcFormula {
    const MlcFormulaMaker *maker;
    void *user;
    const char *at; // how far the text is read
    int depth;
    struct {
        MlcStr name;
        MlcFormulaTerm term;
    } locals[MLC_FORMULA_LOCALS];
    size_t num_locals;
};

// Reads one statement and the semicolon behind it; `*name` is empty where it has none. False after
// a report.
MLC_API MLC_NODISCARD bool mlc_formula_read(MlcFormula *f, MlcStr *name, MlcFormulaTerm *out);
// Whether nothing is left but space.
MLC_API bool mlc_formula_is_at_end(MlcFormula *f);
// What later statements may call by the name. False after a report: there are too many.
MLC_API MLC_NODISCARD bool mlc_formula_define(MlcFormula *f, MlcStr name, MlcFormulaTerm term);
// What was defined by the name; false: nothing.
MLC_API bool mlc_formula_find(const MlcFormula *f, MlcStr name, MlcFormulaTerm *out);

MLC_END_DECLS

#endif

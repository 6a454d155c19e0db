// linalg_body.h -- the `body:` of a record (docs/dialects.md): a scalar meaning as text, expanded
// to arith and math ops.
//
// Ownership: new ops belong to their block.
// Threads: as for editing ops (mlc/ir/op.h).
#ifndef MLC_DIALECTS_LINALG_BODY_H
#define MLC_DIALECTS_LINALG_BODY_H

#include "mlc/ir/builder.h"
#include "mlc/ir/interfaces.h"

MLC_BEGIN_DECLS

// What a body's names stand for, and the type of what it computes.
typedef struct MlcBody {
    const char *text;         // "select(input < 0, alpha * input, input)", or "a = ...; b = ..."
    const char *const *names; // of operands' elements
    MlcValue *const *values;  // what they are
    size_t num_values;
    MlcOp *attrs;     // numbers by name; may be NULL
    const MlcOpDef *attrs_of; // of an op that is not there: numbers nobody knows; may be NULL
    MlcType element;  // of the result, and what cast() converts to
    MlcAttr fastmath; // on every float op; NULL: none
    MlcValue *(*index)(MlcBuilder *b, MlcStr dim, void *user); // index(dim); may be NULL
    void *user;
    MlcBuilder *constants; // where constants are made; NULL: at the place of the other ops
    bool is_total;    // division that overflows wraps; floats that an integer type does not hold
                      // become what x86 makes of them: no result but of x / 0 is left open
    bool is_verified; // later, with what it is in: ops are made of wrong types too, for the
                      // verifier to tell
    bool is_silent;   // no diagnostic if the text is wrong
} MlcBody;

// Makes the ops at the builder's place; the results of the last `max_results` statements, in order
// (those before are names for later ones). Returns how many; 0 after a diagnostic at the builder's
// location if the text is wrong. Floats: comparisons are ordered, min and max keep NaN. Integers
// are signed.
MLC_API MLC_NODISCARD size_t mlc_body_build(MlcBuilder *b, const MlcBody *body, MlcValue **results,
                                            size_t max_results);

// The meaning of an elementwise op whose record has a `body`, for scalars and tensors: its `eval`
// hook, unless the record names another.
MLC_API bool mlc_body_eval(struct MlcEval *e, MlcOp *op, const MlcDatum *operands,
                           MlcDatum *results);

// Whether the body that the record has is one; false after a diagnostic at `loc`.
MLC_API bool mlc_body_check(MlcContext *ctx, const MlcOpDef *def, MlcLoc loc);

// #arith.fastmath<contract>: what mlc allows by default.
MLC_API MlcAttr mlc_fastmath_contract(MlcContext *ctx);

// Fills the empty region of an op whose record gives its body as text (`structured: {body: ...}`):
// a block with one argument per operand and the linalg.yield of what the text computes. True if
// there is nothing to fill in; false after a diagnostic.
MLC_API bool mlc_structured_build_body(MlcOp *op);
// Interfaces that every record with `structured:` has, also of dialects loaded at run time.
struct MlcBufferize;
extern MLC_API const struct MlcBufferize mlc_linalg_structured_bufferize;
extern MLC_API const MlcMemoryEffects mlc_linalg_structured_memory_effects;

MLC_END_DECLS

#endif

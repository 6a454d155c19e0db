// semantics.h -- what ops mean whose record says so in one word (`semantics` in YAML): hooks and
// vtables that records of such ops point to, loaded or built.
//
// Ownership: all is static and read only; what hooks build belongs to its block.
// Threads: any; hooks run in the thread that works on the op.
#ifndef MLC_DIALECTS_SEMANTICS_H
#define MLC_DIALECTS_SEMANTICS_H

#include "mlc/ir/eval.h"
#include "mlc/ir/interfaces.h"
#include "mlc/ir/rewrite.h"

MLC_BEGIN_DECLS

struct MlcBufferize;
struct MlcIntRange;

// --- `repeat`: operands are a count and first values

// Meanings, as `eval` of mlc/ir/def.h; types that fit, as `verify_regions`; patterns.
MLC_API bool mlc_semantics_repeat_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                       MlcDatum *results);
// The count is an index or an integer.
MLC_API bool mlc_semantics_repeat_verify(MlcOp *op);
// No round: the first values. One round: the body.
MLC_API bool mlc_semantics_repeat_unroll(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);

// --- `for`: operands are lower bound, upper bound, step and first values

// As scf.for.
MLC_API bool mlc_semantics_for_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                    MlcDatum *results);
// Bounds and step are of one type, an index or an integer.
MLC_API bool mlc_semantics_for_verify(MlcOp *op);
// As of a repeat.
MLC_API bool mlc_semantics_for_unroll(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);
extern MLC_API const struct MlcIntRange mlc_semantics_for_int_range;
// Of all loops: values that go round and stay what they were, or that nobody asks for.
MLC_API bool mlc_semantics_loop_drop_values(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);
extern MLC_API const struct MlcBufferize mlc_semantics_loop_bufferize;

// --- `for-each`: operands are a tensor or memref of one dimension, and first values

// In the order of the elements.
MLC_API bool mlc_semantics_for_each_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                         MlcDatum *results);
// The region takes an element. A type of another dialect may become a tensor when lowered.
MLC_API bool mlc_semantics_for_each_verify(MlcOp *op);

// --- `if`: the operand is a condition; one region or two

// As scf.if.
MLC_API bool mlc_semantics_if_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                   MlcDatum *results);
// The condition is an i1.
MLC_API bool mlc_semantics_if_verify(MlcOp *op);
// Of a condition that is known: its region.
MLC_API bool mlc_semantics_if_take_branch(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);
extern MLC_API const MlcRegionBranch mlc_semantics_if_region_branch;
extern MLC_API const struct MlcBufferize mlc_semantics_if_bufferize;

// --- `yield`: the end of a region of any of these
extern MLC_API const struct MlcBufferize mlc_semantics_yield_bufferize;

// --- `call` and `function`: attributes stand first, as in func.call and func.func

// As func.call.
MLC_API bool mlc_semantics_call_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                     MlcDatum *results);
extern MLC_API const MlcCall mlc_semantics_call;
extern MLC_API const MlcSymbolUser mlc_semantics_call_symbol_user;
// The syntax of func.func.
MLC_API bool mlc_semantics_function_parse(struct MlcParser *parser, struct MlcOpBuild *op);
// The same, printed.
MLC_API void mlc_semantics_function_print(struct MlcPrinter *printer, MlcOp *op);
// As func.func; what blocks end with is what the function's type returns.
MLC_API bool mlc_semantics_function_verify(MlcOp *op);
extern MLC_API const MlcFunction mlc_semantics_function;

MLC_END_DECLS

#endif

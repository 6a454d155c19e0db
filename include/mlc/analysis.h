// analysis.h -- questions about the IR that passes share. Data flow is in mlc/analysis/dataflow.h.
//
// Ownership: what is created is the caller's to destroy, before the IR that it is about.
// Threads: as for reading ops (mlc/ir/op.h); an object belongs to one at a time.
#ifndef MLC_ANALYSIS_H
#define MLC_ANALYSIS_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

// --- slices

// Ops that use `root`, and those that use what they make, and so on, ops in regions of such ops
// included: every op after those that it needs. Appended to `slice`.
MLC_API void mlc_forward_slice(MlcValue *root, MlcOpVec *slice);
// Ops that `root` is computed from, through operands and the operands of ops in regions: every op
// after those that it needs. Block arguments end a slice, but for those of `root` itself none is
// looked through.
MLC_API void mlc_backward_slice(MlcValue *root, MlcOpVec *slice);
// Ops of one region by block (reverse post-order, each unreachable block after) and place; an op
// deeper inside counts as the op of the region that holds it.
MLC_API void mlc_sort_by_dominance(MlcRegion *region, MlcOpVec *ops);

// --- liveness

// Which values of the root's regions are still needed where: by the ops that follow, however
// control goes on. Blocks that control never reaches need nothing.
typedef struct MlcLiveness MlcLiveness;
// Of all blocks inside `root`, found once; the caller destroys it. The IR must not change
// meanwhile.
MLC_API MlcLiveness *mlc_liveness_create(MlcOp *root);
MLC_API void mlc_liveness_destroy(MlcLiveness *liveness);
// Values needed from the block's start, and from its end on, in program order of their definitions;
// the block's own arguments are not counted among the first. Appended.
MLC_API void mlc_liveness_in(const MlcLiveness *liveness, const MlcBlock *block, MlcValueVec *out);
MLC_API void mlc_liveness_out(const MlcLiveness *liveness, const MlcBlock *block, MlcValueVec *out);
MLC_API bool mlc_liveness_is_live_after(const MlcLiveness *liveness, const MlcValue *value,
                                        const MlcOp *op);

// --- calls

// The symbol that a call names; NULL if there is none, or the call goes through a value.
MLC_API MlcOp *mlc_call_callee(MlcOp *call);
MLC_API MlcRegion *mlc_callable_body(const MlcOp *op); // NULL: none, or no callable

// Callables with a body under an op, numbered, and which calls which. What may be called from
// outside is not told apart: every callable may.
typedef struct MlcCallGraph MlcCallGraph;
// Of all callables inside `root`, found once; the caller destroys it. The IR must not change
// meanwhile.
MLC_API MlcCallGraph *mlc_call_graph_create(MlcOp *root);
MLC_API void mlc_call_graph_destroy(MlcCallGraph *graph);
// How many callables there are, the op of a node, and the node of an op: false if it is no callable
// of the graph.
MLC_API size_t mlc_call_graph_size(const MlcCallGraph *graph);
MLC_API MlcOp *mlc_call_graph_callable(const MlcCallGraph *graph, size_t node);
MLC_API bool mlc_call_graph_find(const MlcCallGraph *graph, const MlcOp *callable, size_t *node);
// The callables that it calls, or that are defined in it, each once. Calls of what has no body
// here, or is not known, are counted by the other function.
MLC_API const size_t *mlc_call_graph_callees(const MlcCallGraph *graph, size_t node, size_t *count);
MLC_API bool mlc_call_graph_calls_unknown(const MlcCallGraph *graph, size_t node);
// The symbol that a reference, or a call, in `from` names: fast for symbols of the root. Symbols
// that the root has gained or lost since are not known.
MLC_API MlcOp *mlc_call_graph_symbol(const MlcCallGraph *graph, MlcOp *from, MlcAttr ref);
MLC_API MlcOp *mlc_call_graph_callee(const MlcCallGraph *graph, MlcOp *call);
// Groups of callables that call each other, however far around (most are alone), callees' groups
// before their callers'.
MLC_API size_t mlc_call_graph_num_groups(const MlcCallGraph *graph);
MLC_API const size_t *mlc_call_graph_group(const MlcCallGraph *graph, size_t group, size_t *count);

MLC_END_DECLS

#endif

// dataflow.h -- data-flow analyses over the IR, run together by one solver until nothing changes.
//
// An analysis attaches a *state* to values, blocks or ops, and says how a state follows from
// others. The solver keeps a list of what to visit: a point (an op, or a block for its arguments)
// and the analysis to visit it. Asking for a state while visiting a point makes the point visited
// again whenever that state changes. Analyses that run together feed each other: which branches are
// taken depends on constants, and which values are constant depends on the branches taken.
//
// Control flow is asked of the op records (branch, region branch, call and callable interfaces), so
// an op of any dialect takes part. (After MLIR's DataFlowSolver; Wegman & Zadeck, TOPLAS 1991.)
//
// Ownership: the caller destroys the solver, which owns its states; analyses' records are borrowed
// until then.
// Threads: a solver belongs to one thread; what it analyses must not change in another.
#ifndef MLC_ANALYSIS_DATAFLOW_H
#define MLC_ANALYSIS_DATAFLOW_H

#include "mlc/ir.h"
#include "mlc/ir/int_range.h"
#include "mlc/support/arena.h"

MLC_BEGIN_DECLS

typedef struct MlcSolver MlcSolver;
typedef struct MlcFlow MlcFlow; // an analysis in use by a solver

// `top` is what is analysed: ops outside of it are not seen, and its own entry arguments may be
// anything.
MLC_API MlcSolver *mlc_solver_create(MlcOp *top);
MLC_API void mlc_solver_destroy(MlcSolver *solver);
// Runs everything that was added to the fixpoint. The IR must not change before the solver is
// destroyed, but for what the analysis' owner knows to be harmless.
MLC_API void mlc_solver_run(MlcSolver *solver);
// What is known of an op's results goes, since the op is about to: a new one may take its place.
MLC_API void mlc_solver_forget(MlcSolver *solver, MlcOp *op);

// --- what runs: which blocks and edges, and from where control comes. Sparse analyses add it.

// Adds the analysis. Afterwards: whether control can reach the block, as far as the other analyses
// know.
MLC_API void mlc_solver_add_dead_code(MlcSolver *solver);
MLC_API bool mlc_solver_block_is_live(const MlcSolver *solver, const MlcBlock *block);

// --- constants

typedef struct MlcConstant {
    bool is_known;                // false: nothing reached the value (yet)
    MlcAttr value;                // NULL: not a constant
    const MlcDialectDef *dialect; // that can make an op of it
} MlcConstant;
// Sparse conditional constant propagation: ops are folded on what is known of their operands.
MLC_API void mlc_solver_add_constants(MlcSolver *solver);
MLC_API MlcConstant mlc_solver_constant(const MlcSolver *solver, const MlcValue *value);

// --- integer ranges (mlc/ir/int_range.h); values of one number are constants to dead code analysis

// Adds the analysis, and dead code analysis with it.
MLC_API void mlc_solver_add_int_ranges(MlcSolver *solver);
// False if nothing is known: no integer, more than 64 bits, or never reached.
MLC_API bool mlc_solver_int_range(const MlcSolver *solver, const MlcValue *value, MlcRange *range);

// --- liveness: whether anything that can be seen depends on a value

// Adds the analysis: backwards, from ops with effects and what leaves `top`.
MLC_API void mlc_solver_add_liveness(MlcSolver *solver);
// What no analysed op makes or uses: results are dead, block arguments live.
MLC_API bool mlc_solver_value_is_live(const MlcSolver *solver, const MlcValue *value);

// --- sparse forward analyses of one's own: an element per value

typedef struct MlcSparseForward {
    const char *name;
    size_t size; // bytes of an element; all zero: nothing known yet
    // Adds what `from` says to `into`; true if that changed it.
    bool (*join)(void *into, const void *from);
    // The element of a value of which nothing is known.
    void (*unknown)(MlcValue *value, void *element);
    // Joins into the results of `op` (with mlc_flow_join) what follows from its operands' elements.
    void (*visit)(MlcFlow *flow, MlcOp *op, const void *const *operands);
    // Arguments of `region`, or results (region NULL) of `op` that control flow does not explain:
    // all but [first, first + count). NULL: unknown.
    void (*visit_unexplained)(MlcFlow *flow, MlcOp *op, MlcRegion *region, size_t first,
                              size_t count);
    // After an element changed: what other analyses learn of it. May be NULL.
    void (*changed)(MlcFlow *flow, MlcValue *value, const void *element);
} MlcSparseForward;
// Adds one; `def` must outlive the solver, which owns the flow.
MLC_API MlcFlow *mlc_solver_add_forward(MlcSolver *solver, const MlcSparseForward *def);
MLC_API const void *mlc_flow_element(MlcFlow *flow, const MlcValue *value); // NULL: never asked for
// The element, all zero if nothing is known; the point being visited depends on it from now on.
MLC_API const void *mlc_flow_ask(MlcFlow *flow, MlcValue *value);
MLC_API void mlc_flow_join(MlcFlow *flow, MlcValue *value, const void *element);
MLC_API void mlc_flow_join_unknown(MlcFlow *flow, MlcValue *value);
MLC_API MlcSolver *mlc_flow_solver(MlcFlow *flow);
// Joins into the constants that dead code analysis reads.
MLC_API void mlc_solver_join_constant(MlcSolver *solver, MlcValue *value, MlcConstant constant);

// --- dense analyses of one's own: an element per point, before and after each op

// Elements are flat; what they point at may live in mlc_flow_arena, and must not change. All bytes
// zero: control never comes here, as far as is known.
typedef struct MlcDense {
    const char *name;
    size_t size; // bytes of an element
    // Adds what `from` says to `into`; true if that changed it. Either may be all zero.
    bool (*join)(MlcFlow *flow, void *into, const void *from);
    // Where control comes from, or (backward) goes to, out of sight.
    void (*unknown)(MlcFlow *flow, void *element);
    // What holds on the other side of `op`, in `into`, which is zeroed: after it where `from` holds
    // before it, or (backward) the other way round.
    void (*visit)(MlcFlow *flow, MlcOp *op, const void *from, void *into);
    // The same of ops between whose regions control flows, `from` being what comes along an edge:
    // of the op alone, without its regions. NULL: nothing is done by it.
    void (*visit_regions_op)(MlcFlow *flow, MlcOp *op, const void *from, void *into);
    // Backward, what holds on an edge from or in `op` to the start of `block` (NULL: to where the
    // op with regions is over), where `from` holds there. NULL: the same.
    void (*visit_edge)(MlcFlow *flow, MlcOp *op, MlcBlock *block, const void *from, void *into);
    bool follows_calls; // into callables, and back; else calls are visited like other ops
} MlcDense;
// Add one; `def` must outlive the solver, which owns the flow. `user`: what mlc_flow_user gives
// back to the functions of `def`.
MLC_API MlcFlow *mlc_solver_add_dense_forward(MlcSolver *solver, const MlcDense *def, void *user);
MLC_API MlcFlow *mlc_solver_add_dense_backward(MlcSolver *solver, const MlcDense *def, void *user);
// What the analysis was added with.
MLC_API void *mlc_flow_user(const MlcFlow *flow);
// What holds right before and after an op; NULL where control never comes.
MLC_API const void *mlc_flow_before(const MlcFlow *flow, const MlcOp *op);
MLC_API const void *mlc_flow_after(const MlcFlow *flow, const MlcOp *op);
MLC_API MlcArena *mlc_flow_arena(MlcFlow *flow); // dies with the solver

MLC_END_DECLS

#endif

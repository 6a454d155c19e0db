// solver.h -- private: states, points and the work list.
#ifndef MLC_ANALYSIS_SOLVER_H
#define MLC_ANALYSIS_SOLVER_H

#include "mlc/analysis.h"
#include "mlc/analysis/dataflow.h"
#include "mlc/support/arena.h"
#include "mlc/support/map.h"

// What is visited: one of the two is set.
typedef struct Point {
    MlcOp *op;
    MlcBlock *block;
} Point;

typedef struct Work {
    Point point;
    MlcFlow *flow;
} Work;

// The head of every state.
typedef struct State {
    MLC_VEC(Work) dependents; // visited again when the state changes
    uint64_t subscribers; // bits of analyses that also visit: users of the value, ops of the block
} State;

typedef struct Executable { // of a block, an edge, or an op's results
    State state;
    bool is_live;
} Executable;

// From where control comes to a block, to the op after its regions, to a callable (calls), or back
// to a call (returns).
typedef struct Predecessor {
    MlcOp *op;
    size_t first, count; // inputs it hands values to
} Predecessor;
typedef struct Predecessors {
    State state;
    bool has_unknown;
    MLC_VEC(Predecessor) known;
} Predecessors;

typedef struct Element { // of a value, or a point; what the analysis knows follows
    State state;
    MlcValue *value;
} Element;

struct MlcFlow {
    MlcSolver *solver;
    unsigned number; // of the bit in State.subscribers
    void (*start)(MlcFlow *flow, MlcOp *top);
    void (*visit)(MlcFlow *flow, Point point);
    const MlcSparseForward *forward; // the definition, if it is one
    const MlcDense *dense;           // or this
    bool is_backward;                // of a dense one
    void *user;                      // of a dense one
    MlcMap elements;                 // value, op or block -> Element
};

struct MlcSolver {
    MlcOp *top;
    MlcArena arena;
    MLC_VEC(MlcFlow *) flows;
    MLC_VEC(Work) work; // first in, first out, from `next` on
    size_t next;
    Work current; // being visited: who asks
    MlcFlow *dead_code, *constants, *liveness, *int_ranges;
    MlcMap executable;   // block, successor slot, or op -> Executable
    MlcMap predecessors; // block or op -> Predecessors
};

MlcFlow *mlc_solver_add_flow(MlcSolver *s, void (*start)(MlcFlow *, MlcOp *),
                             void (*visit)(MlcFlow *, Point));
void mlc_solver_enqueue(MlcSolver *s, Point point, MlcFlow *flow);
// The point being visited depends on the state.
void mlc_solver_depend(MlcSolver *s, State *state);
void mlc_solver_depend_at(State *state, Point point, MlcFlow *flow);
void mlc_solver_changed(MlcSolver *s, State *state); // its dependents alone

Executable *mlc_solver_executable(MlcSolver *s, const void *key);
Predecessors *mlc_solver_predecessors(MlcSolver *s, const void *key);
// An edge of the CFG, by its slot among the terminator's successors.
const void *mlc_solver_edge_key(const MlcOp *terminator, size_t i);

Element *mlc_flow_find(MlcFlow *flow, MlcValue *value); // made if there is none
static inline void *
mlc_element_data(Element *element)
{
    return element + 1;
}
// Users of the value are visited by `flow` when its element changes.
void mlc_flow_subscribe(MlcFlow *from, MlcValue *value, MlcFlow *flow);

void mlc_solver_make_constants(MlcSolver *s); // the elements alone

// A sparse forward analysis, as flow->forward says.
void mlc_forward_start(MlcFlow *flow, MlcOp *top);
void mlc_forward_visit(MlcFlow *flow, Point point);

// Points of region control flow (regions by number, -1 the op itself) that are reached when
// entering `op` (terminator NULL) or from `terminator`; `constants` are those of its operands,
// where known.
typedef MLC_VEC(int) PointNumbers;
void mlc_region_points(MlcOp *op, MlcOp *terminator, const MlcAttr *constants,
                       PointNumbers *points);

#endif

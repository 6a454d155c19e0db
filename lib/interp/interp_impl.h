// interp_impl.h -- the interpreter's frames and code.
//
// A function (any op that is called) is a scope: its values, nested regions included, are numbered
// once, and each block is turned into steps with those numbers. A frame is one activation: a datum
// per number. Regions run in the frame of their function, so that they see the values around them;
// threads have a copy of the frame each.
#ifndef MLC_INTERP_IMPL_H
#define MLC_INTERP_IMPL_H

#include <ucontext.h>

#include "mlc/interp.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"

typedef struct Scope {
    MlcMap numbers; // value -> number
    size_t num_slots;
} Scope;

typedef struct Step {
    MlcOp *op;
    bool (*eval)(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results);
    uint32_t num_operands, num_results;
    const uint32_t *slots; // operands, then results
    uint64_t weight;       // steps that it counts as
    bool is_terminator;
} Step;

typedef struct Code { // of a block
    Step *steps;
    size_t num_steps;
    const uint32_t *args;
    size_t num_args;
} Code;

typedef struct Frame {
    Scope *scope;
    MlcDatum *slots; // type NULL: not defined yet
    MLC_VEC(MlcBuffer *) on_exit;
    struct Frame *next, **link; // of all frames that live
} Frame;

typedef struct Thread Thread;
typedef struct Team Team; // the threads of one mlc_eval_threads

enum { SERVICE_PARALLEL_FOR, SERVICE_KERNEL_BEGIN, SERVICE_KERNEL_END, SERVICE_FAIL, NUM_SERVICES };

// A function of the program's (mlc_interp_bind).
typedef struct Bound {
    const char *name;
    MlcInterpFn function;
    void *user;
} Bound;

struct MlcInterp {
    MlcEval eval; // first: an MlcEval * is an MlcInterp *
    MlcOp *module;
    MlcInterpConfig config;
    uint64_t steps;
    uint64_t depth;
    unsigned num_notes; // of calls that led to the error; after a few it is enough
    MlcArena arena;     // code
    MlcMap scopes;      // op -> Scope *
    MlcMap codes;       // block -> Code *
    MlcMap symbols;     // op -> the op that its reference names
    MlcMap memory;      // op -> void *
    Frame *frame;       // the one that runs
    Frame *frames;      // all
    MlcBlock *next;     // set by a branch, with its arguments
    MLC_VEC(MlcDatum) next_args;
    char *stack_end; // of the C stack that runs, with a margin: regions nest and functions call no
                     // deeper
    Team *team;      // whose thread runs; NULL: none
    MLC_VEC(char *) stacks;            // of threads, for reuse
    MLC_VEC(MlcDatum) pointees;        // memrefs that pointers were made for, as inputs
    MlcBuffer *services[NUM_SERVICES]; // whose addresses stand for the runtime's functions
    uint64_t scratch;                  // address of what tasks may use
    MLC_VEC(Bound) bound;
};

Scope *mlc_interp_scope(MlcInterp *interp, MlcOp *root);
Frame *mlc_interp_push_frame(MlcInterp *interp, Scope *scope);
void mlc_interp_pop_frame(MlcInterp *interp,
                          Frame *frame); // frees; `interp->frame` is the caller's to restore

bool mlc_interp_service(MlcEval *e, MlcOp *op, uint64_t address, const MlcDatum *args,
                        size_t num_args);
// Whether `name` is a function that the interpreter stands for, with such arguments; it was run,
// and *ok says how.
bool mlc_interp_helper(MlcInterp *interp, MlcOp *op, MlcStr name, const MlcDatum *args,
                       size_t num_args, MlcDatum *results, size_t num_results, bool *ok);
// Steps for the points of a nest of loops that an op runs by itself. False after an error: too
// many.
bool mlc_interp_count_points(MlcEval *e, MlcOp *op, const int64_t *sizes, size_t num_loops);
bool mlc_interp_read_pointer(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out);

bool mlc_interp_threads(MlcEval *e, MlcOp *op, size_t num_threads,
                        bool (*run)(MlcEval *e, size_t thread, void *user), void *user);
bool mlc_interp_barrier(MlcEval *e, MlcOp *op, size_t first, size_t count);

#endif

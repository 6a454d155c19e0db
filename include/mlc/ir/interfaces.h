// interfaces.h -- the vtables behind MlcInterface: how code asks what an op can do without knowing
// which it is.
//
// Ownership: vtables are constant and live as long as their definition; arrays that come out are
// the op's or the context's.
// Threads: methods are called from several at a time, each with its own ops.
#ifndef MLC_IR_INTERFACES_H
#define MLC_IR_INTERFACES_H

#include "mlc/ir/builder.h"
#include "mlc/ir/memory_slot.h"
#include "mlc/ir/op.h"
#include "mlc/support/vec.h"

MLC_BEGIN_DECLS

// MLC_INTERFACE_INFER_TYPES: result types from operands, attributes and regions of an op about to
// be made.
typedef struct MlcInferTypes {
    bool (*infer)(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results);
} MlcInferTypes;
// By interface, or by the definition's traits and relations; false (no diagnostic) if it cannot be
// inferred.
MLC_API bool mlc_infer_types(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results);

// MLC_INTERFACE_BRANCH: a terminator that passes operands to successors.
typedef struct MlcBranch {
    // First operand and count passed to successor i.
    void (*successor_operands)(const MlcOp *op, size_t i, size_t *first, size_t *count);
    // The successor taken if operands are these constants (NULL: unknown); -1 if not known. May be
    // NULL.
    int (*successor_for)(MlcOp *op, const MlcAttr *constants);
} MlcBranch;

// What terminator `op` passes to argument `arg` of its successor i; NULL if it makes the value
// itself (such come first) or does not say.
MLC_API MlcValue *mlc_branch_operand(const MlcOp *op, size_t i, size_t arg);
// Adds a value to those passed to successor i, which must have an operand group of its own (or a
// segment of one).
MLC_API void mlc_branch_append(MlcOp *op, size_t i, MlcValue *value);

// MLC_INTERFACE_REGION_BRANCH: control flow between an op's regions. Points are regions by number,
// -1 the parent op.
typedef struct MlcRegionBranch {
    // Points reachable from `from` (entering the op: -1). Fills successors, returns how many (<=
    // num_regions + 1).
    size_t (*successors)(MlcOp *op, int from, int *successors);
    // Operands of op handed to `to` when entering it; to -1: straight to the results.
    void (*entry_operands)(MlcOp *op, int to, size_t *first, size_t *count);
    // What receives values at point `to`: block arguments from `first_arg` on, or results.
    void (*inputs)(MlcOp *op, int to, size_t *first_arg, size_t *count);
    // As successors(op, -1), where operands are these constants (NULL: unknown). May be NULL.
    size_t (*entry_successors)(MlcOp *op, const MlcAttr *constants, int *successors);
    bool at_most_once; // no region runs twice while the op runs once
} MlcRegionBranch;
// MLC_INTERFACE_REGION_TERMINATOR: which operands a terminator passes to point `to` of its parent.
typedef struct MlcRegionTerminator {
    void (*operands)(MlcOp *terminator, int to, size_t *first, size_t *count);
    // The parent's successors(region), where operands are these constants. May be NULL.
    size_t (*successors)(MlcOp *terminator, const MlcAttr *constants, int *successors);
} MlcRegionTerminator;

// MLC_INTERFACE_LOOP: scf.for, scf.forall, scf.while, affine.for, affine.parallel...
typedef struct MlcLoop {
    MlcRegion *(*body)(MlcOp *loop);
    size_t (*num_induction_vars)(const MlcOp *loop);
    // Of loops with one iteration space dimension i: values, or constants, or maps with operands.
    // May leave NULL.
    MlcValue *(*induction_var)(MlcOp *loop, size_t i);
    // Constant lower bound, upper bound and step; false if not constant, or the step not positive.
    bool (*constant_bounds)(MlcOp *loop, size_t i, int64_t *lower, int64_t *upper, int64_t *step);
    bool (*is_parallel)(const MlcOp *loop);
    // Iteration arguments (loop-carried) and their initial operands: counts are equal to results.
    void (*iter_args)(MlcOp *loop, size_t *first_arg, size_t *first_operand, size_t *count);
} MlcLoop;

// How many bounds the op has by `bound` of its record's `loop`.
MLC_API size_t mlc_loop_num_bounds(const MlcOp *loop, MlcLoopBound bound);

// MLC_INTERFACE_CALL / CALLABLE / FUNCTION.
typedef struct MlcCall {
    MlcAttr (*callee)(const MlcOp *op); // a symbol reference, or NULL for indirect calls
    void (*arguments)(const MlcOp *op, size_t *first, size_t *count);
} MlcCall;
typedef struct MlcCallable {
    MlcRegion *(*body)(MlcOp *op); // NULL for declarations
} MlcCallable;
typedef struct MlcFunction {
    MlcType (*type)(const MlcOp *op); // the function type attribute (llvm.func: its own)
    size_t type_slot, sym_slot, visibility_slot, arg_attrs_slot, res_attrs_slot;
} MlcFunction;

// MLC_INTERFACE_MEMORY_EFFECTS: effects beyond those declared on operands and results.
typedef struct MlcMemoryEffect {
    uint8_t effect;  // one MlcEffect
    MlcValue *value; // NULL: some memory
} MlcMemoryEffect;
typedef MLC_VEC(MlcMemoryEffect) MlcEffectVec;
typedef struct MlcMemoryEffects {
    void (*effects)(MlcOp *op, MlcEffectVec *out);
} MlcMemoryEffects;
// All effects of an op, from its interface, record and traits, recursively; false if unknown (may
// do anything).
MLC_API bool mlc_op_effects(MlcOp *op, MlcEffectVec *out);

typedef struct MlcSpeculation {
    bool (*is_speculatable)(MlcOp *op); // the op itself; ops in its regions are asked too
} MlcSpeculation;

// MLC_INTERFACE_STRUCTURED: a loop nest over operands by affine maps, with a scalar body (linalg,
// and graph's ops that have one). Operands are ins, then outs (inits). Every function works on any
// structured op.
typedef enum MlcIterator {
    MLC_ITERATOR_PARALLEL,
    MLC_ITERATOR_REDUCTION,
    MLC_ITERATOR_WINDOW
} MlcIterator;
typedef struct MlcStructured {
    size_t (*num_loops)(MlcOp *op);
    MlcIterator (*iterator)(MlcOp *op, size_t loop);
    MlcAffineMap (*map)(MlcOp *op, size_t operand); // dims are loops; no symbols
    size_t (*num_inputs)(MlcOp *op);
    size_t (*num_outputs)(MlcOp *op);
    // One argument per operand, terminated by a yield of the outputs' elements.
    MlcBlock *(*body)(MlcOp *op);
    // Fills the empty region of an op whose custom form leaves it out; false after a diagnostic.
    // May be NULL.
    bool (*build_body)(MlcOp *op);
    bool body_lacks_outputs; // its arguments are for inputs alone
} MlcStructured;
MLC_API const MlcStructured *mlc_structured(MlcOp *op); // its vtable, or NULL
// MLC_INTERFACE_TILING: a loop nest without a scalar body, because groups of elements are computed
// together, each from one window of the only input (the transforms of Winograd convolution). The
// functions below work on these too, but for mlc_structured_body.
typedef MlcValue *(*MlcReadElement)(void *user, size_t i);
typedef struct MlcTiling {
    MlcStructured loops; // no body
    // Iterations of each loop that make one group: those of reductions are the window. False if
    // this op cannot be computed so.
    bool (*group)(MlcOp *op, int64_t *sizes);
    // Arithmetic from the elements of a window (row-major over the reduction loops) to those of the
    // group (row-major over the result), all of one float type or vectors of it.
    void (*emit)(MlcOp *op, struct MlcBuilder *b, MlcReadElement read, void *user, MlcValue **out);
} MlcTiling;
MLC_API const MlcTiling *mlc_tiling(MlcOp *op); // its vtable, or NULL
// Of a structured op, or one computed in groups, which it must be: its loops, outermost first,
// which operand is read or written where, and how many of the operands are inputs and outputs.
MLC_API size_t mlc_structured_num_loops(MlcOp *op);
MLC_API MlcIterator mlc_structured_iterator(MlcOp *op, size_t loop);
MLC_API MlcAffineMap mlc_structured_map(MlcOp *op, size_t operand);
MLC_API size_t mlc_structured_num_inputs(MlcOp *op);
MLC_API size_t mlc_structured_num_outputs(MlcOp *op);
// The block that computes an element; NULL if it is not there yet.
MLC_API MlcBlock *mlc_structured_body(MlcOp *op);
// Whether neither its loops nor the dimensions of any operand are more than MLC_SMALL_RANK: who
// schedules structured ops leaves others alone.
MLC_API bool mlc_structured_is_small(MlcOp *op);
// Iterations of each loop where the operands' static shapes tell, else MLC_DYNAMIC.
MLC_API void mlc_structured_loop_sizes(MlcOp *op, int64_t *sizes);

// The operands that an op with trait destination_style writes into: those that are tensors come
// back as its results, in order. False if there are none.
MLC_API bool mlc_op_destinations(const MlcOp *op, size_t *first, size_t *count);

// MLC_INTERFACE_VIEW_LIKE.
typedef struct MlcViewLike {
    size_t (*source)(const MlcOp *op); // operand number that results alias
} MlcViewLike;

// MLC_INTERFACE_INFER_SHAPES: refines the op's result types in place from its operands; false with
// a diagnostic if they contradict. Called in program order by graph_infer_shapes.
typedef struct MlcInferShapes {
    bool (*infer)(MlcOp *op);
} MlcInferShapes;

// MLC_INTERFACE_ROWS, of ops on whole tensors. A row is what lies along the last dimension at one
// position of all the others.
typedef struct MlcRows {
    // Whether a row of the result needs of operand `i` the same row and no other; of the rest it
    // may need anything.
    bool (*reads_row)(MlcOp *op, size_t i);
} MlcRows;

// MLC_INTERFACE_WINDOWS, of ops on whole tensors: which need no copy of a window of a tensor to
// read it. Element-wise ops never need one.
typedef struct MlcWindows {
    bool (*is_window)(MlcOp *op);              // the result is a window of operand 0; NULL: never
    bool (*reads_window)(MlcOp *op, size_t i); // operand `i` may be one; NULL: none
    bool reads_rows_abreast; // several rows of it at a time, so how far apart they lie matters
} MlcWindows;

// MLC_INTERFACE_BUFFERIZE: MlcBufferize, in mlc/dialects/bufferize.h.

// MLC_INTERFACE_ACCESS, from the record's `access`: reads or writes an element of a memref or
// tensor at indices, or a vector of its neighbours, and does nothing else. Operand and result
// groups and attributes are told by number; where 0 is none, the number is one more.
typedef struct MlcMemoryAccess {
    uint8_t memref, indices; // operand groups
    uint8_t value;           // 1 + the operand group that is written, or the result group that was
                             // read; 0: nothing is moved (a prefetch)
    uint8_t mask;            // 1 + operand group: lanes that it does not set are left alone
    uint8_t map;             // 1 + attribute: its results on the operands are the indices
    uint8_t permutation;     // 1 + attribute: from the memref's dimensions to the vector's; 0: the
                             // last dimensions, in order
    uint8_t in_bounds;       // 1 + attribute: per dimension of the vector, false if lanes may lie
                             // outside of the memref; 0: none do
    bool is_write;
    const char *twin; // the op of this access with a map, where it has none, or without; NULL: none
} MlcMemoryAccess;
MLC_API const MlcMemoryAccess *mlc_op_access(const MlcOp *op); // NULL: it is none
// One through a map, that moves a value and leaves no lane of it alone; else NULL.
MLC_API const MlcMemoryAccess *mlc_op_affine_access(const MlcOp *op);
// Of ops that are accesses: the operand that is the memref, by number and as a value; the index
// operands (a map's are dimensions, then symbols); what is written or was read, and the map, or
// NULL.
MLC_API size_t mlc_op_access_operand(const MlcOp *op);
MLC_API MlcValue *mlc_op_access_memref(const MlcOp *op);
MLC_API void mlc_op_access_indices(const MlcOp *op, size_t *first, size_t *count);
MLC_API MlcValue *mlc_op_access_value(const MlcOp *op);
MLC_API MlcAffineMap mlc_op_access_map(const MlcOp *op);
MLC_API bool mlc_op_accesses_element(const MlcOp *op); // a value that is one element
// The definition that `twin` names, if it is one of the same groups; else NULL.
MLC_API const MlcOpDef *mlc_op_access_twin(const MlcOp *op);
// The twin at the builder's place, with what it shares with `op` of attributes; `operands` stand
// for all of op's, but for the indices. `map` is for a twin that has one.
MLC_API MlcOp *mlc_build_access_twin(MlcBuilder *b, MlcOp *op, MlcValue *const *operands,
                                     MlcValue *const *indices, size_t num_indices,
                                     MlcAffineMap map);

// MLC_INTERFACE_ASM_NAMES: names wanted for results and block arguments ("c1_i32", "dim", "arg"),
// set through `set`.
typedef struct MlcAsmNames {
    void (*results)(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user);
    void (*block_args)(MlcOp *op, MlcRegion *region,
                       void (*set)(void *user, MlcValue *value, MlcStr name), void *user);
} MlcAsmNames;

typedef struct MlcSymbolUser {
    bool (*verify)(MlcOp *op);
} MlcSymbolUser;

// MLC_INTERFACE_RUNTIME_CHECK: what can only be checked when the op runs.
typedef struct MlcRuntimeCheck {
    // Builds the checks (mlc_build_runtime_check); `b` stands before the op.
    void (*generate)(MlcOp *op, MlcBuilder *b);
} MlcRuntimeCheck;
// Asserts `condition`; the message shows `op` and its location as they are now, and the reason.
MLC_API void mlc_build_runtime_check(MlcBuilder *b, MlcOp *op, MlcValue *condition,
                                     const char *format, ...) MLC_PRINTF(4, 5);

// The vtables of interfaces that follow from a record (docs/dialects.md): tables of dialects, built
// in or not, point at them.
struct MlcFastmath;
extern MLC_API const struct MlcFastmath mlc_derived_fastmath;
extern MLC_API const MlcViewLike mlc_derived_view_like;
extern MLC_API const MlcBranch mlc_derived_branch;
extern MLC_API const MlcCallable mlc_derived_callable;
extern MLC_API const MlcRegionTerminator mlc_derived_region_terminator;
extern MLC_API const MlcRegionBranch mlc_derived_region_branch;
extern MLC_API const MlcAsmNames mlc_derived_asm_names;
extern MLC_API const MlcStructured mlc_derived_structured;
extern MLC_API const MlcLoop mlc_derived_loop;
extern MLC_API const MlcSpeculation mlc_derived_loop_speculation;
extern MLC_API const MlcRegionBranch mlc_derived_loop_branch;
extern MLC_API const MlcRuntimeCheck mlc_memref_access_runtime_check; // of ops with `access`

MLC_END_DECLS

#endif

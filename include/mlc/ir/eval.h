// eval.h -- what an op means: the datums its `eval` slot works on, and what that slot may call.
//
// A datum is a value at run time. Integers and floats hold their bits (floats in their own format);
// vectors and tensors hold elements in the storage of mlc_dense_attr_get; a memref is a window
// (offset, sizes, strides) into a buffer. Constant folding and the interpreter (mlc/interp.h) call
// the same slots; while folding there is no memory and no region.
//
// Memory: what a datum points at lies in cells that the evaluation counts. A hook never counts: it
// makes datums with the functions here, or passes operands on, and what nobody keeps goes when the
// op has ended. Only a hook that runs many iterations tells, by mlc_eval_collect, which datums it
// still needs.
//
// Ownership: an evaluation is the caller's to release, and owns the memory of its datums; hooks
// free nothing.
// Threads: an evaluation belongs to one; several may evaluate the same ops while nobody edits them.
#ifndef MLC_IR_EVAL_H
#define MLC_IR_EVAL_H

#include "mlc/ir/op.h"
#include "mlc/support/softfloat.h"
#include "mlc/support/wide.h"

MLC_BEGIN_DECLS

// Constants that are no splat are stored in full in the IR; bigger ones than this are for passes
// that have a budget, not for folding.
#define MLC_MAX_FOLDED_BYTES ((size_t)64 << 10)

typedef struct MlcEval MlcEval; // one evaluation: memory, limits, who runs regions
typedef struct MlcCell MlcCell; // a counted piece of memory
typedef struct MlcBuffer
    MlcBuffer; // what memrefs are windows of: bytes, and whether they were freed

struct MlcDatum {
    MlcType type;
    MlcCell *cell; // what the pointers below point at; NULL: nothing, or memory that outlives the
                   // evaluation
    size_t rank;   // of vectors, tensors and memrefs: the type may be unranked
    union {
        MlcWide integer;  // integers and index
        uint64_t bits[2]; // floats, in the type's format
        struct {          // vector, tensor: row-major elements
            void *data;   // never written after the op that made it has ended
            size_t num_bytes;
            const int64_t *shape; // static, also where the type says `?`
        } elements;
        struct { // memref; pointers of `llvm` too, with rank 0 and an offset in bytes
            MlcBuffer *buffer;
            int64_t offset;         // elements
            const int64_t *sizes;   // rank of each
            const int64_t *strides; // elements
        } memref;
        void *opaque; // tokens, and what dialects need
    };
};

// Who runs regions, calls and threads: the interpreter.
typedef struct MlcEvalRunner {
    bool (*region)(MlcEval *e, MlcRegion *region, const MlcDatum *args, size_t num_args,
                   MlcDatum *results, size_t num_results);
    bool (*call)(MlcEval *e, MlcOp *op, MlcOp *callee, const MlcDatum *args, size_t num_args,
                 MlcDatum *results, size_t num_results);
    const MlcDatum *(*lookup)(MlcEval *e, MlcValue *value);
    bool (*branch)(MlcEval *e, MlcOp *op, size_t successor, const MlcDatum *args, size_t num_args);
    MlcOp *(*symbol)(MlcEval *e, MlcOp *op, MlcAttr name);
    void **(*memory)(MlcEval *e, MlcOp *key);
    bool (*threads)(MlcEval *e, MlcOp *op, size_t num_threads,
                    bool (*run)(MlcEval *e, size_t thread, void *user), void *user);
    bool (*barrier)(MlcEval *e, MlcOp *op, size_t first, size_t count);
    void (*on_exit)(MlcEval *e, MlcBuffer *buffer);
    bool (*service)(MlcEval *e, MlcOp *op, uint64_t address, const MlcDatum *args, size_t num_args);
} MlcEvalRunner;

// The interpreter's own structure begins with one.
struct MlcEval {
    MlcContext *ctx;
    const MlcEvalRunner *runner; // NULL while folding
    MlcCell **fresh;             // cells that nothing holds yet
    size_t num_fresh, max_fresh;
    MlcBuffer *buffers;     // all of them
    MlcBuffer **by_address; // those that are no windows
    size_t num_by_address, max_by_address;
    uint64_t next_address;
    size_t memory, max_memory; // bytes in cells and buffers
    uint64_t seed;             // of the order of independent iterations; 0: as written
    size_t thread;             // number of the thread that runs, in mlc_eval_threads
    const int64_t *indices;    // where the loops of the structured op stand whose body runs
    size_t num_indices;
    void *launch; // what the threads of a kernel share: the gpu dialect's
};

// An evaluation on the caller's stack that folds: no memory, no regions, until a runner is set.
// Release frees all its memory.
MLC_API void mlc_eval_init(MlcEval *e, MlcContext *ctx);
MLC_API void mlc_eval_release(MlcEval *e);

// --- for hooks

// The context of the IR that is run.
MLC_API MlcContext *mlc_eval_context(MlcEval *e);
// Whether constants are folded: then there is no memory, no region, and errors are silent.
MLC_API bool mlc_eval_is_folding(const MlcEval *e);
// An error at `op`; silent while folding, and where there is none. Returns false.
MLC_API bool mlc_eval_error(MlcEval *e, MlcOp *op, const char *format, ...) MLC_PRINTF(3, 4);
// Zeroed; gone when the op that runs has ended. Small things only: what may be big goes through
// mlc_eval_elements.
MLC_API void *mlc_eval_alloc(MlcEval *e, size_t size);

// Runs a region's block, or CFG, with arguments for its entry; results are the operands of the
// terminator that leaves it.
MLC_API MLC_NODISCARD bool mlc_eval_region(MlcEval *e, MlcRegion *region, const MlcDatum *args,
                                           size_t num_args, MlcDatum *results, size_t num_results);
// `op` is the call, for messages.
MLC_API MLC_NODISCARD bool mlc_eval_call(MlcEval *e, MlcOp *op, MlcOp *callee, const MlcDatum *args,
                                         size_t num_args, MlcDatum *results, size_t num_results);
// The datum of a value from outside the region being run.
MLC_API const MlcDatum *mlc_eval_lookup(MlcEval *e, MlcValue *value);
// For terminators: the block to go on with, and its arguments.
MLC_API bool mlc_eval_branch(MlcEval *e, MlcOp *op, size_t successor, const MlcDatum *args,
                             size_t num_args);
// The op that a symbol reference names, as seen from `op`; NULL after an error.
MLC_API MlcOp *mlc_eval_symbol(MlcEval *e, MlcOp *op, MlcAttr name);
// A word of the evaluation's own for `key`, NULL at first: the buffer of a global.
MLC_API void **mlc_eval_memory(MlcEval *e, MlcOp *key);

// In loops: mark before, collect after each iteration, naming the datums that go on to the next.
MLC_API size_t mlc_eval_mark(const MlcEval *e);
MLC_API void mlc_eval_collect(MlcEval *e, size_t mark, const MlcDatum *live, size_t num_live);
// The i-th of n independent iterations in the order that the seed asks for.
MLC_API uint64_t mlc_eval_order(const MlcEval *e, uint64_t i, uint64_t n);
// Runs `run` once per thread, each with its own values of what is defined inside; in any order, and
// in turns where they wait for each other. mlc_eval_barrier waits for threads first ... first +
// count - 1.
MLC_API MLC_NODISCARD bool mlc_eval_threads(MlcEval *e, MlcOp *op, size_t num_threads,
                                            bool (*run)(MlcEval *e, size_t thread, void *user),
                                            void *user);
MLC_API MLC_NODISCARD bool mlc_eval_barrier(MlcEval *e, MlcOp *op, size_t first, size_t count);

// Buffers. Contents are all ones at first: NaNs, where they are floats. NULL after an error: over
// the memory limit.
MLC_API MlcBuffer *mlc_eval_buffer_create(MlcEval *e, MlcOp *op, size_t num_bytes);
// A window of a buffer's bytes, which lives and dies with it. NULL after an error: out of bounds.
MLC_API MlcBuffer *mlc_eval_buffer_window(MlcEval *e, MlcOp *op, MlcBuffer *buffer, int64_t first,
                                          size_t num_bytes);
// False with an error: freed twice.
MLC_API bool mlc_eval_buffer_free(MlcEval *e, MlcOp *op, MlcBuffer *buffer);
// Frees it when the function (or what else is an automatic allocation scope) returns.
MLC_API void mlc_eval_buffer_free_on_exit(MlcEval *e, MlcBuffer *buffer);
// The bytes from `first` on; NULL after an error: out of bounds, used after free.
MLC_API void *mlc_eval_buffer_data(MlcEval *e, MlcOp *op, MlcBuffer *buffer, int64_t first,
                                   size_t num_bytes);
// Pointers as numbers, for IR that has them: buffers lie apart in an address space of their own, so
// that a pointer past the end of one is in none. An address is that of the first byte, and is known
// to be a function's if that is what was asked for.
MLC_API uint64_t mlc_buffer_address(const MlcBuffer *buffer);
// The bytes at an address; NULL after an error: in no buffer, freed, or constant and stored to.
MLC_API void *mlc_eval_pointer(MlcEval *e, MlcOp *op, uint64_t address, size_t num_bytes,
                               bool is_store);
// 0 after an error.
MLC_API uint64_t mlc_eval_function_address(MlcEval *e, MlcOp *op, MlcOp *function);

MLC_API MlcOp *mlc_eval_function_at(MlcEval *e, uint64_t address); // NULL: no function
// Calls what an address names: a function, or a service of the runtime that the interpreter stands
// for.
MLC_API MLC_NODISCARD bool mlc_eval_call_address(MlcEval *e, MlcOp *op, uint64_t address,
                                                 const MlcDatum *args, size_t num_args,
                                                 MlcDatum *results, size_t num_results);
// Bytes.
MLC_API size_t mlc_buffer_size(const MlcBuffer *buffer);
MLC_API bool mlc_buffer_is_same(const MlcBuffer *a, const MlcBuffer *b); // windows of one buffer
MLC_API void mlc_buffer_set_constant(MlcBuffer *buffer); // stores are errors from now on

// Memrefs. `strides` NULL: identity layout. Sizes and strides are copied.
MLC_API MlcDatum mlc_eval_memref(MlcEval *e, MlcType type, MlcBuffer *buffer, int64_t offset,
                                 size_t rank, const int64_t *sizes, const int64_t *strides);
// With a new buffer, in the type's layout; strides that it leaves open are those of packed
// elements, an offset is 0. Fails with a diagnostic: a negative size, or too many bytes.
MLC_API MLC_NODISCARD bool mlc_eval_memref_create(MlcEval *e, MlcOp *op, MlcType type, size_t rank,
                                                  const int64_t *sizes, MlcDatum *out);
// Address of an element (checked: bounds, use after free, constness); NULL after an error.
MLC_API void *mlc_eval_address(MlcEval *e, MlcOp *op, const MlcDatum *memref,
                               const int64_t *indices, bool is_store);
MLC_API bool mlc_eval_load(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices,
                           MlcDatum *out);
MLC_API bool mlc_eval_store(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices,
                            const MlcDatum *value);
// A vector at `indices`, over the memref's last dimensions; a memref of vectors has one per
// element.
MLC_API bool mlc_eval_load_vector(MlcEval *e, MlcOp *op, const MlcDatum *memref,
                                  const int64_t *indices, MlcType type, MlcDatum *out);
MLC_API bool mlc_eval_store_vector(MlcEval *e, MlcOp *op, const MlcDatum *memref,
                                   const int64_t *indices, const MlcDatum *vector);
// All elements, row-major, to and from packed storage.
MLC_API bool mlc_eval_gather(MlcEval *e, MlcOp *op, const MlcDatum *memref, void *to);
MLC_API bool mlc_eval_scatter(MlcEval *e, MlcOp *op, const MlcDatum *memref, const void *from);

// --- for who runs ops

// A held datum keeps its cell. Dropping may free it at once; unholding leaves that to who drains.
// Draining frees what nobody holds and is younger than the mark.
MLC_API void mlc_datum_hold(const MlcDatum *d);
MLC_API void mlc_datum_drop(MlcEval *e, const MlcDatum *d);
MLC_API void mlc_datum_unhold(MlcEval *e, const MlcDatum *d);
// Frees cells younger than `mark` that nobody holds.
MLC_API void mlc_eval_drain(MlcEval *e, size_t mark);

// --- datums

// Up to 64 bits, or sign-extended by mlc_datum_wide.
MLC_API MlcDatum mlc_datum_int(MlcType type, int64_t value);
// Of type index.
MLC_API MlcDatum mlc_datum_index(MlcContext *ctx, int64_t value);
MLC_API MlcDatum mlc_datum_wide(MlcEval *e, MlcType type, MlcWide value); // words are copied
MLC_API MlcDatum mlc_datum_float(MlcType type, double value);             // rounded to the type
MLC_API MlcDatum mlc_datum_soft(MlcType type, MlcFloat value);            // of the type's kind
MLC_API int64_t mlc_datum_as_int(const MlcDatum *d); // the low 64 bits, sign-extended
// So of `n` datums, as operands are that say where in a buffer.
static inline void
mlc_datum_as_ints(const MlcDatum *datums, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = mlc_datum_as_int(&datums[i]);
}
// The low 64 bits, zero-extended; whether any bit is set; a float as the nearest double, or in its
// own format. The kind of the datum must be right.
MLC_API uint64_t mlc_datum_as_uint(const MlcDatum *d);
MLC_API bool mlc_datum_as_bool(const MlcDatum *d);
MLC_API double mlc_datum_as_double(const MlcDatum *d);
MLC_API MlcFloat mlc_datum_as_soft(const MlcDatum *d);
MLC_API bool mlc_datum_is_elements(const MlcDatum *d); // vector or tensor
// Whether it is a window of a buffer; the pointers of llvm are, too.
MLC_API bool mlc_datum_is_memref(const MlcDatum *d);
// From integer, float and elements attributes; false for others.
MLC_API MLC_NODISCARD bool mlc_datum_from_attr(MlcEval *e, MlcAttr attr, MlcDatum *out);
MLC_API MlcAttr mlc_datum_to_attr(const MlcDatum *d); // NULL for memrefs and the like

// Vectors and tensors. New ones are zeroed; `shape` NULL: the type's. False after an error: over
// the memory limit.
MLC_API MLC_NODISCARD bool mlc_eval_elements(MlcEval *e, MlcOp *op, MlcType type,
                                             const int64_t *shape, MlcDatum *out);
// The same with rank given, for unranked types.
MLC_API MLC_NODISCARD bool mlc_eval_elements_of_rank(MlcEval *e, MlcOp *op, MlcType type,
                                                     const int64_t *shape, size_t rank,
                                                     MlcDatum *out);
MLC_API MLC_NODISCARD bool mlc_eval_copy_elements(MlcEval *e, MlcOp *op, const MlcDatum *from,
                                                  MlcDatum *out);
// The same elements in another shape of as many.
MLC_API MLC_NODISCARD bool mlc_eval_reshape(MlcEval *e, MlcOp *op, const MlcDatum *from,
                                            MlcType type, const int64_t *shape, size_t rank,
                                            MlcDatum *out);
MLC_API size_t mlc_datum_num_elements(const MlcDatum *d); // of memrefs too; 1 for scalars
// Of one element in storage.
MLC_API size_t mlc_datum_element_bytes(const MlcDatum *d);
// Element `i`, row-major, as a scalar, and a scalar put there: only by the op that made the
// elements.
MLC_API void mlc_datum_element(MlcEval *e, const MlcDatum *elements, size_t i, MlcDatum *out);
MLC_API void mlc_datum_set_element(MlcDatum *elements, size_t i, const MlcDatum *value);
// One element in storage.
MLC_API void mlc_datum_read(MlcEval *e, MlcType element, const void *at, MlcDatum *out);
MLC_API void mlc_datum_write(void *at, const MlcDatum *value);

// Row-major counting: the next of all indices below `shape`; false after the last, which wraps to
// zeros.
MLC_API bool mlc_next_index(int64_t *indices, const int64_t *shape, size_t rank);
// The row-major number of `indices`.
MLC_API int64_t mlc_linear_index(const int64_t *indices, const int64_t *shape, size_t rank);

// Applies a scalar meaning element by element where operands are vectors or tensors. `result->type`
// is set before.
typedef bool (*MlcScalarEval)(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result);
// False after an error of the scalar.
MLC_API bool mlc_eval_elementwise(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                  MlcDatum *results, MlcScalarEval scalar);

// Ways to combine two values into one: reductions, atomic updates.
typedef enum MlcCombine {
    MLC_COMBINE_ADD,
    MLC_COMBINE_MUL,
    MLC_COMBINE_MIN_SIGNED,
    MLC_COMBINE_MIN_UNSIGNED,
    MLC_COMBINE_MAX_SIGNED,
    MLC_COMBINE_MAX_UNSIGNED,
    MLC_COMBINE_AND,
    MLC_COMBINE_OR,
    MLC_COMBINE_XOR,
    MLC_COMBINE_MINIMUM, // floats: NaN if one is
    MLC_COMBINE_MAXIMUM,
    MLC_COMBINE_MINNUM, // floats: the other, if one is NaN
    MLC_COMBINE_MAXNUM,
    MLC_COMBINE_ASSIGN, // the second
} MlcCombine;
// Of scalars of one type; floats are rounded once. False after an error: a kind that is not for the
// type.
MLC_API bool mlc_eval_combine(MlcEval *e, MlcOp *op, MlcCombine kind, const MlcDatum *a,
                              const MlcDatum *b, MlcDatum *out);
// Of arith.atomic_rmw_kind, which dialects share.
MLC_API MlcCombine mlc_combine_from_rmw_kind(int64_t kind);

MLC_API double mlc_eval_maximum(double a, double b); // NaN if one is; +0 is greater than -0
// Of doubles, as IEEE 754 has minimum: NaN if one is, and -0 below +0.
MLC_API double mlc_eval_minimum(double a, double b);

// A list of sizes, offsets or strides that are partly attributes: where `list` (an attribute with
// integers) has MLC_DYNAMIC, the next of `operands`. `*used` counts operands taken. False after an
// error.
MLC_API bool mlc_eval_mixed(MlcEval *e, MlcOp *op, MlcAttr list, const MlcDatum *operands,
                            size_t *used, int64_t *out);

// Which of an op's `static_sizes` a result of lower rank leaves out: the unit ones that have no
// place in `type`. `dropped` has one flag per size.
MLC_API void mlc_eval_dropped_dims(MlcAttr static_sizes, MlcType type, bool *dropped);
// Whether offsets + i * strides, i below sizes, lie within `shape`; if not, an error. Where a size
// is 0 nothing does, wherever it were.
MLC_API MLC_NODISCARD bool mlc_eval_check_window(MlcEval *e, MlcOp *op, size_t rank,
                                                 const int64_t *shape, const int64_t *offsets,
                                                 const int64_t *sizes, const int64_t *strides,
                                                 bool *is_empty);
// The elements at offsets + i * strides, i below sizes, of row-major `data`: to `packed`, or from
// it. False after an error: out of bounds.
MLC_API bool mlc_eval_read_window(MlcEval *e, MlcOp *op, const MlcDatum *elements,
                                  const int64_t *offsets, const int64_t *sizes,
                                  const int64_t *strides, void *packed);
MLC_API bool mlc_eval_write_window(MlcEval *e, MlcOp *op, MlcDatum *elements,
                                   const int64_t *offsets, const int64_t *sizes,
                                   const int64_t *strides, const void *packed);

// Folds by `eval`: true, and an attribute per result, if all operands are constants and the op's
// meaning is known without memory and regions. Big results (over 64 KiB that are no splat) are not
// folded here.
MLC_API bool mlc_eval_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results);

MLC_END_DECLS

#endif

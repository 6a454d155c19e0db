// structured.h -- what the tensor-level passes share: questions about structured ops, and the IR
// they all make.
//
// Positions are affine expressions over a list of index values (MlcIvs): dim i is values.data[i].
// They stay expressions until an op needs them, so that offsets of nested slices are added up
// instead of chained.
#ifndef MLC_PASSES_STRUCTURED_H
#define MLC_PASSES_STRUCTURED_H

#include "mlc/analysis/structured.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"
#include "mlc/machine.h"

// The largest divisor of n up to `most`; both positive.
static inline int64_t
mlc_largest_divisor(int64_t n, int64_t most)
{
    while (n % most != 0)
        most--;
    return most;
}

typedef struct MlcIvs {
    MlcValueVec values;
    MlcMap cache; // expression -> index value, for ops made in `block`
    MlcBlock *block;
} MlcIvs;
void mlc_ivs_release(MlcIvs *ivs);
// The dim that stands for `value`; an affine.apply is seen through.
MlcAffineExpr mlc_ivs_expr(MlcIvs *ivs, MlcContext *ctx, MlcValue *value);
// The value of `e` at the builder's place: a constant, an induction variable or an affine.apply.
MlcValue *mlc_ivs_value(MlcIvs *ivs, MlcBuilder *b, MlcAffineExpr e);

// A window of a tensor: one offset and size a dimension, strides 1.
typedef struct MlcWindow {
    size_t rank;
    MlcAffineExpr offsets[MLC_MAX_RANK];
    int64_t sizes[MLC_MAX_RANK];
} MlcWindow;
// The window of an operand, read by `map`, that the iterations `loops` touch.
void mlc_operand_window(MlcAffineMap map, const MlcWindow *loops, MlcWindow *w);
bool mlc_window_is_whole(const MlcWindow *w, MlcType type);
// tensor.extract_slice and tensor.insert_slice. `type` is the slice's; it may leave out dimensions
// of size 1.
MlcValue *mlc_build_extract_slice(MlcBuilder *b, MlcIvs *ivs, MlcValue *source, const MlcWindow *w,
                                  MlcType type);
MlcValue *mlc_build_insert_slice(MlcBuilder *b, MlcIvs *ivs, MlcValue *source, MlcValue *dest,
                                 const MlcWindow *w);
// The window of an op that has the offsets, sizes and strides of tensor.extract_slice, its dynamic
// operands starting after the first `num_fixed`; false where a size is dynamic or a stride is
// not 1.
bool mlc_window_of_slice(MlcOp *slice, size_t num_fixed, MlcIvs *ivs, MlcWindow *w);

// scf.for with the builder left at the end of its empty body; the caller makes the scf.yield.
MlcOp *mlc_build_for(MlcBuilder *b, int64_t lower, int64_t upper, int64_t step,
                     MlcValue *const *inits, size_t num_inits);
void mlc_build_yield(MlcBuilder *b, MlcValue *const *values, size_t num_values);
MlcValue *mlc_build_empty(MlcBuilder *b, MlcType type); // tensor.empty of a static type

// linalg.generic with one output and an empty body: `maps` has one per input and the output's last;
// the body's arguments are made, its ops and linalg.yield are the caller's.
MlcOp *mlc_build_generic(MlcBuilder *b, MlcValue *const *inputs, size_t num_inputs,
                         MlcValue *output, const MlcAffineMap *maps, const MlcIterator *iterators,
                         size_t num_loops);
// The same with several outputs, or memrefs, and without the block; that, with its arguments.
MlcOp *mlc_build_empty_generic(MlcBuilder *b, MlcValue *const *operands, size_t num_inputs,
                               size_t num_outputs, const MlcAffineMap *maps,
                               const MlcIterator *iterators, size_t num_loops);
MlcBlock *mlc_build_generic_body(MlcBuilder *b, MlcOp *generic);

// linalg.generic that gives each element of `dest` the value of `source` there; `source` NULL: the
// scalar `fill`.
MlcValue *mlc_build_copy(MlcBuilder *b, MlcValue *source, MlcValue *fill, MlcValue *dest);
// tensor.collapse_shape and tensor.expand_shape of static types; `reassociation` is their
// attribute.
MlcValue *mlc_build_collapse_shape(MlcBuilder *b, MlcValue *value, MlcType type,
                                   MlcAttr reassociation);
MlcValue *mlc_build_expand_shape(MlcBuilder *b, MlcValue *value, MlcType type,
                                 MlcAttr reassociation);

bool mlc_value_is_empty_tensor(MlcValue *value);
// Whether all elements of `value` are a zero that the body of its op yields.
bool mlc_value_is_zero(MlcValue *value);
// Which tiles a kernel is cut into: iterations of each loop of the root (0: whole), and the loops
// from outermost.
typedef struct MlcSchedule {
    int64_t sizes[MLC_MAX_LOOPS];
    int64_t least[MLC_MAX_LOOPS]; // a rest of fewer iterations shares those of the tile before it
    unsigned order[MLC_MAX_LOOPS];
    int64_t unroll;  // of the innermost reduction
    bool keeps_pads; // padded tensors that the group reads are left as they are
} MlcSchedule;
// `heavy` is the op of the group with the most work (may be `root` itself); its loops are matched
// to those of `root` through the tensors between them, which have root's result shape.
// docs/internals/schedule.md has the reasons.
void mlc_schedule_for(MlcOp *root, MlcOp *heavy, const MlcTargetDesc *target, MlcSchedule *s);
// The last of the element-wise ops behind `op`, each of which alone reads the one before; if there
// is none, a copy of what `op` computes, made here: what is summed up in parts is then kept
// together, and goes to its place, which may be far apart, only once.
MlcOp *mlc_structured_root(MlcOp *op);
// Tiles the group that ends in *root by `schedule`; NULL: by the option tile-sizes of `pass`, or by
// mlc_schedule_for. Afterwards *root is the first op that took its place: what is done, is after
// it.
bool mlc_tile_group(MlcPass *pass, MlcOp **root, const MlcSchedule *schedule);
// Iterations of all reduction loops.
int64_t mlc_structured_reduction_size(MlcOp *op);
// How many vectors wide a panel of a contraction's weights is: 4, if as many iterations of its
// reductions then stay in the second cache, else 2.
int64_t mlc_panel_vectors(int64_t reduction, const MlcTargetDesc *target);
// Whether the rows of a tile of a product fall on each other in the first cache if they lie so many
// bytes apart: tiles have fewer then.
bool mlc_rows_collide(int64_t bytes, const MlcTargetDesc *target);
// Blocks of rows that the threads take of a product whose right side they all read: one for each
// core. What a core reads that another one wrote comes from there where the two share no cache, and
// to write there again the other one waits much longer; so all kernels leave the same rows to the
// same thread. 1: there are too few rows to read the right side several times for.
enum { MLC_LEAST_ROWS = 48 }; // of a share: 6 FMAs a byte of the right side
int64_t mlc_row_shares(int64_t rows, const MlcTargetDesc *target);
// A long chain of sums in f32 rounds at the size of what is summed up already; blocks of it, each
// summed from zero, keep the error near that of a block (Higham, "Accuracy and Stability of
// Numerical Algorithms", 4.2). So many steps of reduction `loop`, and all of the reductions inside,
// are a block, which may be the whole sum: a small one is then not rounded at the size of a large
// bias each time; 0: all is one chain. The accumulators of the other blocks leave the registers
// meanwhile, which is why blocks are long. A function of the op's shape, or what an op that was cut
// along its reduction says it was (mlc_set_sum_block): so the bits do not depend on the cut, if
// that is between blocks.
typedef struct MlcSumBlock {
    size_t loop;
    int64_t size;
} MlcSumBlock;
MlcSumBlock mlc_sum_block(MlcOp *contraction);
void mlc_set_sum_block(MlcOp *contraction); // as it is now; it has one reduction
// Shorter blocks than the op's shape would have, of at most `most` or twice as many steps, where
// they divide its one reduction.
void mlc_shorten_sum_block(MlcOp *contraction, int64_t most);
void mlc_keep_sum_block(MlcOp *from, MlcOp *to); // what was set for an op, for one in its place
// Elements of a vector register, for the widest element type of the op.
int64_t mlc_vector_length(MlcOp *op, const MlcTargetDesc *target);

#endif

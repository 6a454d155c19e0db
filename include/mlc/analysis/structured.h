// structured.h -- questions about structured ops (mlc/ir/interfaces.h): their loops, maps and
// bodies.
//
// Ownership: nothing is kept; ops are borrowed.
// Threads: as for reading ops (mlc/ir/op.h).
#ifndef MLC_ANALYSIS_STRUCTURED_H
#define MLC_ANALYSIS_STRUCTURED_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

// A structured op on tensors with static loops, none of them empty, and one result. Iterations, and
// elements of operands, are at most 2^52, so that products of them with small numbers fit.
MLC_API bool mlc_op_is_static_structured(MlcOp *op);
// The same where loops may have sizes that are known only when the op runs, and may be empty then.
MLC_API bool mlc_op_is_sized_structured(MlcOp *op);
// What a size that is known only then counts as where work and memory are estimated.
enum { MLC_ASSUMED_SIZE = 512 };
// mlc_structured_loop_sizes, with that for the dynamic ones.
MLC_API void mlc_structured_assumed_sizes(MlcOp *op, int64_t *sizes);
// The same as mlc_op_is_static_structured of an op that is computed in groups
// (MLC_INTERFACE_TILING); `group`: their iterations.
MLC_API bool mlc_op_is_static_tiling(MlcOp *op, int64_t group[MLC_SMALL_RANK]);
MLC_API bool mlc_structured_is_parallel(MlcOp *op); // no reductions
// Parallel, and all maps are projected permutations.
MLC_API bool mlc_structured_is_elementwise(MlcOp *op);
// acc + a * b over two inputs, the accumulator being the output.
MLC_API bool mlc_structured_is_contraction(MlcOp *op);
// The reduction loop to put into the lanes of vectors, where the result's last dimension will not
// do: an input is not contiguous along that, and all inputs are along this. `combine` is the op of
// the body that joins an element with the output. -1: none.
MLC_API int mlc_structured_lane_loop(MlcOp *op, MlcOp **combine);
// The innermost reduction of a contraction of bytes, in i32, that runs over four neighbours of both
// inputs, which begin at multiples of four: what dot products of four bytes compute. -1: none.
MLC_API int mlc_structured_dot_loop(MlcOp *op);
// The parallel loop along which operand `i` of the op is contiguous, where that is another than the
// one along the result's last dimension (`channel`), of which the operand has one element a step in
// another dimension: it is read transposed. -1: none.
MLC_API int mlc_structured_transposed_loop(MlcOp *op, size_t i, int channel);
// Each input has one element for the last dimension of the result, or neighbours in memory along it.
MLC_API bool mlc_structured_reads_vectors(MlcOp *op);
// The body's argument for the (first) output; NULL where it has none (linalg.map).
MLC_API MlcValue *mlc_structured_output_arg(MlcOp *op);
// The op of the body that yields the output's next element from its last one and something else, if
// it has a kind; else NULL.
MLC_API MlcOp *mlc_structured_combine(MlcOp *op);
// The kind of vector.reduction that does what `combine` does ("add"), and its neutral element;
// NULL: there is none.
MLC_API const char *mlc_combine_kind(MlcOp *combine, double *neutral);
// The loop that runs along result i of `map`, or -1 where it is no plain dim.
MLC_API int mlc_map_result_dim(MlcAffineMap map, size_t i);
// How far `e` moves for each step along `loop`, in a run of `length` steps that begins at a
// multiple of it: a dim that is cut into panels (`d mod 16`) goes on, and its panel (`d floordiv
// 16`) stays. False: it does not move evenly.
MLC_API bool mlc_affine_step(MlcAffineExpr e, unsigned num_dims, unsigned loop, int64_t length,
                             int64_t *step);
// `dim floordiv divisor`: the dim, else -1.
MLC_API int mlc_affine_divided_dim(MlcAffineExpr e, int64_t *divisor);
MLC_API bool mlc_affine_map_uses_dim(MlcAffineMap map, unsigned dim);
MLC_API bool mlc_structured_uses_index(MlcOp *op); // the body asks for its position
// Iterations of all reduction loops, of those of dynamic size as many as are assumed.
MLC_API int64_t mlc_structured_reduction_size(MlcOp *op);
// Whether all elements of `value` are a zero that the body of its op yields.
MLC_API bool mlc_value_is_zero(MlcValue *value);

// Whether an expression is a number, and which.
MLC_API bool mlc_affine_is_constant(MlcAffineExpr e, int64_t *value);

MLC_END_DECLS

#endif

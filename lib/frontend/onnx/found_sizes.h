// found_sizes.h -- dimensions whose size is found in the data when a model runs.
//
// Such a value has a type with the most that the size may be, and a number of its own: how many
// there are. What lies beyond in it has no meaning, but is always some number.
#ifndef MLC_FRONTEND_ONNX_FOUND_SIZES_H
#define MLC_FRONTEND_ONNX_FOUND_SIZES_H

#include "node.h"

// How many there are along the dimension, an i64 of rank 0; NULL: the type says it.
MlcValue *mlc_onnx_found_size(const MlcOnnxImport *im, MlcValue *value, size_t dim);
bool mlc_onnx_has_found_size(const MlcOnnxImport *im, MlcValue *value);
void mlc_onnx_set_found_size(MlcOnnxNodeImport *n, MlcValue *value, size_t dim, MlcValue *count);
// Output `i`, whose size `dim` is `count`; or, where the model declares that size, as many, and an
// error unless they are when the model runs. `what` is what is counted. False after an error.
bool mlc_onnx_give_found(MlcOnnxNodeImport *n, size_t i, MlcValue *value, size_t dim,
                         MlcValue *count, const char *what);

// A size: `count`, of which there may be as many as `most`; or, where that is NULL, `most` itself.
typedef struct MlcOnnxSize {
    int64_t most;
    MlcValue *count;
} MlcOnnxSize;

// The integers that a vector or a scalar holds, where each is known or computed from sizes that are
// found: MLC_SMALL_RANK of them at most. False, and no error, where they are not.
bool mlc_onnx_read_sizes(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxSize *sizes,
                         size_t *num_sizes);
// The same, of which none is found: though no constant, it is known.
bool mlc_onnx_known_ints(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts *ints);
// Where an op that only moves elements has element `i` of its result from. False: it does more.
bool mlc_onnx_moved_from(const MlcOnnxImport *im, MlcOp *op, int64_t i, MlcValue **from,
                         int64_t *at);
// What a Reshape is asked for: its shape, of which `counts` says numbers that are found, NULL where
// it is known. At most one of those is no number of its input's, and is -1. False after an error.
typedef struct MlcOnnxOpenShape {
    int64_t items[MLC_SMALL_RANK];
    MlcValue *counts[MLC_SMALL_RANK];
    size_t count;
} MlcOnnxOpenShape;
bool mlc_onnx_read_open_shape(MlcOnnxNodeImport *n, MlcOnnxOpenShape *shape);
// The one integer as an i64 of rank 0: the number itself that it hands on, if it does.
MlcValue *mlc_onnx_as_count(MlcOnnxNodeImport *n, MlcValue *value);
// Whether both are one number in every run, as far as can be seen.
bool mlc_onnx_is_same_count(MlcValue *a, MlcValue *b);

// The value with `number` in place of what lies beyond. NULL after an error.
MlcValue *mlc_onnx_fill_beyond(MlcOnnxNodeImport *n, MlcValue *value, double number);
// 0 to size - 1 as i64, in dimension `dim` of `rank`, all others 1; of any size.
MlcValue *mlc_onnx_build_places(MlcOnnxNodeImport *n, int64_t size, size_t dim, size_t rank);
// Rows of `value` along `axis` at these places, of which none is outside: that is not checked when
// the model runs. NULL after an error, or where one of them is.
MlcValue *mlc_onnx_gather_there(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *places,
                                size_t axis);

// Whether a loop has results whose size its iterations decide, and nobody knows how many there are
// (open_loops.c). `op` has the body of the node's Loop; its types are not inferred yet.
bool mlc_onnx_is_open_loop(MlcOnnxNodeImport *n, MlcOp *op, size_t num_carried);
// Such a loop in the place of `op`, which is erased, with found sizes; sets the node's outputs.
bool mlc_onnx_import_open_loop(MlcOnnxNodeImport *n, MlcOp *op, size_t num_carried);
// A node that reads such values, as its row says. It is refused where it would mix what is there
// with what lies beyond, and where neither the row nor its graph op says how it may be read.
bool mlc_onnx_import_found(MlcOnnxNodeImport *n);
bool mlc_onnx_refuse_found(MlcOnnxNodeImport *n);

// ---- what rows say (`found`): the node's import, of inputs with found sizes

bool mlc_onnx_rule_arg_max(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_arg_min(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_batch(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_beside_axis(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_cast_like(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_compress(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_concat(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_divide(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_elementwise(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_expand(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_flatten(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_gather(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_gather_elements(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_gather_nd(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_gemm(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_highest(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_hold(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_lowest(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_mean(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_non_zero(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_product(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_regions(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_reshape(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_rows(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_scatter_elements(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_scatter_nd(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_shape(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_size(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_slice(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_split(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_squeeze(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_sum(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_suppression(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_top_k(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_transpose(MlcOnnxNodeImport *n);
bool mlc_onnx_rule_unsqueeze(MlcOnnxNodeImport *n);

#endif

// computed_sizes.h -- sizes that the model computes, of which nobody knows the most.
//
// Such a size has a name, as an input's open dimension has (mlc/dialects/graph_sizes.h): a kernel
// computes the number, the code tells the runtime, and all behind it is of an open size. Where the
// most is known, found_sizes.h keeps the shapes static.
#ifndef MLC_FRONTEND_ONNX_COMPUTED_SIZES_H
#define MLC_FRONTEND_ONNX_COMPUTED_SIZES_H

#include "node.h"

// Whether the node may get names for its inputs (mlc_onnx_name_inputs) where it would be refused:
// it is none of an iteration or a branch.
bool mlc_onnx_may_name(const MlcOnnxNodeImport *n);
// The name of the size that this integer is when the model runs, where it is not negative; the same
// name for one that is the same. NULL after an error.
MlcAttr mlc_onnx_name_size(MlcOnnxNodeImport *n, MlcValue *count);
// The first elements along a dimension, as many as `count`, and no more. NULL after an error.
MlcValue *mlc_onnx_cut_to(MlcOnnxNodeImport *n, MlcValue *value, size_t dim, MlcValue *count);
// Of a value of found sizes (found_sizes.h) what there is. NULL after an error.
MlcValue *mlc_onnx_cut_to_found(MlcOnnxNodeImport *n, MlcValue *value);
// Which input of an operator is sizes that a run may compute. A row names one (import.h).
typedef struct MlcOnnxSizesInput {
    size_t input;
    size_t first; // this input, and those behind it, decide a shape, or what is read of one
    // Element `i` of all, which may say a size by a negative number, or by 0; NULL: it does not.
    MlcValue *(*fix)(MlcOnnxNodeImport *n, MlcValue *all, int64_t i, MlcValue *element);
    bool (*make)(MlcOnnxNodeImport *n); // the outputs instead; NULL: by names for the elements
} MlcOnnxSizesInput;
extern const MlcOnnxSizesInput mlc_onnx_sizes_are_input_0, mlc_onnx_sizes_are_input_1,
    mlc_onnx_sizes_are_input_3, mlc_onnx_sizes_of_expand, mlc_onnx_sizes_of_pad,
    mlc_onnx_sizes_of_range, mlc_onnx_sizes_of_reshape, mlc_onnx_sizes_of_slice;
// Inputs as a node of open sizes takes them: of found sizes only what there is; integers that are
// sizes by name (mlc_onnx_is_sizes). Whether any has changed, or the node's outputs are set.
typedef enum MlcOnnxNamed {
    MLC_ONNX_UNCHANGED,
    MLC_ONNX_RENAMED, // the inputs
    MLC_ONNX_MADE,    // the outputs
    MLC_ONNX_FAILED,  // after an error
} MlcOnnxNamed;
MlcOnnxNamed mlc_onnx_name_inputs(MlcOnnxNodeImport *n);

#endif

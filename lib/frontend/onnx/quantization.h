// quantization.h -- what importers of integers that stand for reals share: (number - zero point) *
// scale.
#ifndef MLC_FRONTEND_ONNX_QUANTIZATION_H
#define MLC_FRONTEND_ONNX_QUANTIZATION_H

#include "node.h"

// One number for all, one for each place along the axis, or for each block of places: in a shape
// that broadcasts with `beside`.
MlcValue *mlc_onnx_place_beside(MlcOnnxNodeImport *n, MlcValue *value, MlcType beside, int64_t axis,
                                int64_t block);
// `value` rounded, its zero point (NULL: 0) added, held within what `element` holds.
MlcValue *mlc_onnx_quantize(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *zero_point,
                            MlcType element);
// Integers less their zero point (NULL: none), of a shape beside them, as i32.
MlcValue *mlc_onnx_less_zero_point(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *zero_point,
                                   int64_t axis);
// Whether the first `count` inputs are there; an error if not.
bool mlc_onnx_check_inputs(MlcOnnxNodeImport *n, size_t count);

// A tensor of f32 as bytes: its least and its largest element, with 0 between them, become 0 and
// 255. False after an error.
typedef struct MlcOnnxRange {
    MlcValue *bytes, *scale, *zero_point;
} MlcOnnxRange;
bool mlc_onnx_quantize_by_range(MlcOnnxNodeImport *n, MlcValue *x, MlcOnnxRange *range);

#endif

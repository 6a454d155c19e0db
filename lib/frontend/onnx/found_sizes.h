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

// The value with `number` in place of what lies beyond. NULL after an error.
MlcValue *mlc_onnx_fill_beyond(MlcOnnxNodeImport *n, MlcValue *value, double number);
// 0 to size - 1 as i64, in dimension `dim` of `rank`, all others 1; of any size.
MlcValue *mlc_onnx_build_places(MlcOnnxNodeImport *n, int64_t size, size_t dim, size_t rank);
// Rows of `value` along `axis` at these places, of which none is outside: that is not checked when
// the model runs. NULL after an error, or where one of them is.
MlcValue *mlc_onnx_gather_there(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *places,
                                size_t axis);

// A node that reads such values, as its operator takes them: refused where it would mix what is
// there with what lies beyond.
bool mlc_onnx_import_found(MlcOnnxNodeImport *n);

#endif

// strings_of.h -- strings of a model: elements of type si64, which are numbers of strings.
//
// Equal strings have equal numbers, so operators that move, choose and compare elements take them
// as they are. What looks into strings is asked of the runtime when the model runs (graph.text).
#ifndef MLC_FRONTEND_ONNX_STRINGS_OF_H
#define MLC_FRONTEND_ONNX_STRINGS_OF_H

#include "node.h"

MlcType mlc_onnx_string_type(MlcContext *ctx);
// The element type of an ONNX data type, strings included; NULL if mlc has none.
MlcType mlc_onnx_any_element_type(MlcContext *ctx, int64_t data_type);
bool mlc_onnx_is_strings(const MlcOnnxImport *im, MlcValue *value); // a tensor of them, or a list

// The number of a string of the model, -1 after an error: it is no UTF-8.
int64_t mlc_onnx_literal(MlcOnnxImport *im, MlcStr text);
int64_t mlc_onnx_literal_bytes(MlcOnnxImport *im, MlcStr bytes); // of any bytes, which must stay
// A constant; NULL after an error. The other one of a tensor with string_data.
MlcValue *mlc_onnx_build_strings(MlcOnnxImport *im, const MlcStr *items, const int64_t *shape,
                                 size_t rank);
MlcValue *mlc_onnx_build_string_tensor(MlcOnnxImport *im, const MlcOnnxTensor *tensor);
void mlc_onnx_tell_literals(MlcOnnxImport *im, MlcOp *module);

// What the runtime makes of strings and numbers, element by element: operands of one shape, which
// is known; the result has it too. NULL after an error, or where an operand is NULL.
MlcValue *mlc_onnx_text(MlcOnnxNodeImport *n, const char *what, MlcType element,
                        MlcValue *const *operands, size_t num_operands);
// The value repeated to this shape.
MlcValue *mlc_onnx_expand(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts shape);
// For each string of a constant table of literals what the table `values` (of [count + 1], the last
// for all others) has: found by its number.
MlcValue *mlc_onnx_look_up(MlcOnnxNodeImport *n, MlcValue *strings, const MlcStr *keys,
                           size_t num_keys, MlcValue *values);
// Cast of, or to, strings.
bool mlc_onnx_cast_strings(MlcOnnxNodeImport *n, MlcType element);

#endif

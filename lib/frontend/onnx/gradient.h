// gradient.h -- derivatives of graph ops: what Gradient is made of.
#ifndef MLC_FRONTEND_ONNX_GRADIENT_H
#define MLC_FRONTEND_ONNX_GRADIENT_H

#include "node.h"

// The gradients of the sum of y's elements with respect to each of `xs`, which are results of ops
// that y may be computed from: of the x's type; zeros where y does not depend on it. False after an
// error at the node: an op between them has none that is known.
bool mlc_onnx_differentiate(MlcOnnxNodeImport *n, MlcValue *y, MlcValue *const *xs, size_t num_xs,
                            MlcValue **gradients);

// Of an op that has a text: what the gradient `g` of its result gives operand `i`, whose shape may
// be broadcast in it. NULL, with `*is_known`, where that is 0, or after an error; without, for
// another op.
MlcValue *mlc_onnx_derivative(MlcOnnxNodeImport *n, MlcOp *op, size_t i, MlcValue *g,
                              bool *is_known);

// The value in the shape of `like`: its own elements, stretched ones, or summed up along what
// broadcasting `like` stretched. NULL if the value is, or after an error.
MlcValue *mlc_onnx_reshape_like(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *like);
MlcValue *mlc_onnx_expand_like(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *like);
MlcValue *mlc_onnx_sum_to(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *like);
// The value with a dimension of 1 in front of its last `axis`. NULL if the value is, or after an
// error.
MlcValue *mlc_onnx_with_one(MlcOnnxNodeImport *n, MlcValue *value, size_t axis);

#endif

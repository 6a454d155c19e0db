// gradient.h -- derivatives of graph ops: what Gradient is made of.
#ifndef MLC_FRONTEND_ONNX_GRADIENT_H
#define MLC_FRONTEND_ONNX_GRADIENT_H

#include "node.h"

// The gradients of the sum of y's elements with respect to each of `xs`, which are results of ops
// that y may be computed from: of the x's type; zeros where y does not depend on it. False after an
// error at the node: an op between them has none that is known.
bool mlc_onnx_differentiate(MlcOnnxNodeImport *n, MlcValue *y, MlcValue *const *xs, size_t num_xs,
                            MlcValue **gradients);

// Of an element-wise op: what the gradient `g` of its result gives operand `i`, of the result's
// shape. NULL, with `*is_known`, where that is 0, or after an error; without, for another op.
MlcValue *mlc_onnx_derivative(MlcOnnxNodeImport *n, MlcOp *op, size_t i, MlcValue *g,
                              bool *is_known);

#endif

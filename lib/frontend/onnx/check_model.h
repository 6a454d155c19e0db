// check_model.h -- whether a model is one, by the rules of ONNX's specification.
#ifndef MLC_FRONTEND_ONNX_CHECK_MODEL_H
#define MLC_FRONTEND_ONNX_CHECK_MODEL_H

#include "import.h"

// The model that was read, which has a graph and whose opset is known: false after errors, as many
// as can be told apart.
bool mlc_onnx_check_model(MlcOnnxImport *im);
// A node whose inputs are there: whether their types are those of its operator. False after an
// error.
bool mlc_onnx_check_types(MlcOnnxNodeImport *n);

#endif

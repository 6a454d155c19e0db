// operators.h -- operators that are functions of libraries (mlc/operator.h).
#ifndef MLC_FRONTEND_ONNX_OPERATORS_H
#define MLC_FRONTEND_ONNX_OPERATORS_H

#include "node.h"

// A library of the options, open; and what a node is there.
typedef struct MlcOnnxFunctionFound {
    MlcStr symbol, library; // empty: there is none
    void *handle;
} MlcOnnxFunctionFound;

// Opens the libraries of the options. False after an error.
bool mlc_onnx_open_libraries(MlcOnnxImport *im);
// Whether a library has a function for the node.
bool mlc_onnx_find_function(MlcOnnxImport *im, const MlcOnnxNode *node,
                            MlcOnnxFunctionFound *found);
// Makes the call. Its outputs are as `like` has them, an op of the node's inputs that a user's
// dialect defines, which goes; else (NULL) as the function's shape rule or the model says.
bool mlc_onnx_import_function(MlcOnnxNodeImport *n, const MlcOnnxFunctionFound *found, MlcOp *like);

#endif

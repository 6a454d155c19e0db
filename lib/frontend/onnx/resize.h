// resize.h -- Resize along a dimension whose size is known when the model runs.
#ifndef MLC_FRONTEND_ONNX_RESIZE_H
#define MLC_FRONTEND_ONNX_RESIZE_H

#include "node.h"

typedef struct MlcOnnxResizeAxis {
    MlcStr mode, coordinates, nearest; // as the node says, each one that is known
    double cubic;                      // the coefficient a
    bool exclude_outside;
    bool antialias; // filters are as wide as a step where the image shrinks
    MlcAttr in, out; // sizes
    double scale;    // 0: out / in
} MlcOnnxResizeAxis;

// Not of a crop. NULL after an error.
MlcValue *mlc_onnx_resize_open_axis(MlcOnnxNodeImport *n, MlcValue *value, size_t axis,
                                    const MlcOnnxResizeAxis *how);

#endif

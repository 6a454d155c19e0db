// sampling.h -- what the importers share that read images at computed places.
//
// Values are NULL where one that they are made of is: an error was reported there.
#ifndef MLC_FRONTEND_ONNX_SAMPLING_H
#define MLC_FRONTEND_ONNX_SAMPLING_H

#include "node.h"

enum { MLC_ONNX_MAX_TAPS = 4 };

// One dimension of all places.
typedef struct MlcOnnxTaps {
    size_t count;
    MlcValue *pixel[MLC_ONNX_MAX_TAPS];  // i64, within the image
    MlcValue *weight[MLC_ONNX_MAX_TAPS]; // NULL: 1
    MlcValue *inside[MLC_ONNX_MAX_TAPS]; // i1: outside is 0; NULL: it is within
} MlcOnnxTaps;

// One number of the type of `value`'s elements.
MlcValue *mlc_onnx_number_like(MlcOnnxNodeImport *n, MlcValue *value, double number);
// A size, or what is `more`, as such a number.
MlcValue *mlc_onnx_size_like(MlcOnnxNodeImport *n, MlcValue *value, MlcAttr size, double more);
// value op number; of a comparison truth values.
MlcValue *mlc_onnx_by(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value, double number);
MlcValue *mlc_onnx_is(MlcOnnxNodeImport *n, MlcValue *value, const MlcOpDef *op, double number);
// Within [low, high], the latter one number; NaN is the lower bound.
MlcValue *mlc_onnx_hold(MlcOnnxNodeImport *n, MlcValue *value, double low, MlcValue *high);
// As i64.
MlcValue *mlc_onnx_whole(MlcOnnxNodeImport *n, MlcValue *value);
// [..., C, ...spatial] with the channels last, or back.
MlcValue *mlc_onnx_move_channels(MlcOnnxNodeImport *n, MlcValue *value, bool to_end);
// The pixels of `image` [..., C] that the tuples name. `is_within`: they are known to be inside.
MlcValue *mlc_onnx_gather_pixels(MlcOnnxNodeImport *n, MlcValue *image, MlcValue *tuples,
                                 int64_t batch_dims, bool is_within);
// An attribute of text, the first of `texts` where there is none, as the number of `means`.
bool mlc_onnx_read_choice(MlcOnnxNodeImport *n, const char *name, const char *const *texts,
                          const unsigned char *means, size_t count, unsigned *choice);
// Whether all sizes are known, or have a name.
bool mlc_onnx_has_sizes(MlcType type);

#endif

// tensor_file.h -- arrays and pictures in files, as inputs and outputs of a model.
#ifndef MLC_TOOLS_TENSOR_FILE_H
#define MLC_TOOLS_TENSOR_FILE_H

#include "mlc/frontend/onnx.h"
#include "mlc/runtime.h"
#include "mlc/support/buf.h"

// Owns its data and dims; stays where it is, for the tensor points into it.
typedef struct TensorFile {
    MlcRtTensor tensor;
    int64_t dims[32];
} TensorFile;

// Reads what `path` holds for `want`, an "input" or "output" (`role`): .npy, of the type and shape
// wanted; .pb, ONNX's TensorProto, likewise; .png, 8 bits a channel as value / 255, gray or RGB as [1, C, H, W] or without the leading
// 1 (C, H and W as the input has them). A size that `want` leaves open takes what the file has.
// False with "input 'name': 'path': what is wrong" appended to `error`.
bool tensor_file_read(TensorFile *file, const char *path, const char *role,
                      const MlcRtTensorInfo *want, MlcBuf *error);
void tensor_file_release(TensorFile *file);
// The same of a tensor that was read from a .pb file.
bool tensor_file_take(TensorFile *file, const MlcOnnxTensorValue *value,
                      const MlcRtTensorInfo *want, MlcBuf *error);
// A tensor as what is written to a .pb file. What it points to is the arena's, or the tensor's.
MlcOnnxTensorValue tensor_file_give(const MlcRtTensor *tensor, MlcArena *arena);

// What files of arrays there are to write.
typedef enum TensorFormat {
    TENSOR_NPY,
    TENSOR_PB, // TensorProto, which has a name for every type
} TensorFormat;

// Writes the file, whole or not at all; `name` is the tensor's, for .pb.
bool tensor_file_write(const char *path, TensorFormat format, const char *name,
                       const MlcRtTensor *tensor, MlcBuf *error);

// `folder`/NAME.npy (or .pb), appended to `out`. '/', ':', '%' and control characters of the name
// are written as in URLs ("a/b" is a%2Fb), so that other names are other files.
void tensor_file_path(MlcBuf *out, const char *folder, const char *name, TensorFormat format);

#endif

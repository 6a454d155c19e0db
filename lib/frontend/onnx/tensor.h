// tensor.h -- the numbers of a TensorProto, wherever they lie: raw bytes, typed fields, or another
// file.
#ifndef MLC_FRONTEND_ONNX_TENSOR_H
#define MLC_FRONTEND_ONNX_TENSOR_H

#include "proto.h"

#include "mlc/ir/fwd.h"
#include "mlc/support/file.h"

enum { MLC_ONNX_EXTERNAL = 1 }; // data_location: another file

// A mapped file that tensors point into, one per location named in the model.
typedef struct MlcOnnxDataFile {
    struct MlcOnnxDataFile *next;
    MlcStr location; // as the model names it
    MlcFile file;
} MlcOnnxDataFile;

// The model's folder: the only place external data may come from. Caller's storage.
typedef struct MlcOnnxFolder {
    char *path;       // absolute, symlinks resolved; NULL: external data is refused
    char *blobs;      // the folder "blobs" that the model, being a link, lies in; NULL: none
    bool allow_links; // out of the folder
    MlcOnnxDataFile *files;
} MlcOnnxFolder;

typedef enum MlcOnnxSource {
    MLC_ONNX_SOURCE_MODEL, // bytes of the model file
    MLC_ONNX_SOURCE_FILE,  // bytes of `file`
    MLC_ONNX_SOURCE_ARENA, // converted, in the reader's arena
} MlcOnnxSource;

// A tensor's elements: row-major, little-endian, `size` bytes; elements of less than a byte are
// packed from the low bits up.
typedef struct MlcOnnxBytes {
    const void *data; // may be unaligned
    size_t size;
    MlcOnnxSource source;
    MlcOnnxDataFile *file; // for MLC_ONNX_SOURCE_FILE
} MlcOnnxBytes;

// The folder of the model file at `model_path`. False with errno if there is none.
MLC_NODISCARD bool mlc_onnx_folder_init(MlcOnnxFolder *folder, const char *model_path);

// Unmaps every file of the folder: no MlcOnnxBytes of it may be used after.
void mlc_onnx_folder_release(MlcOnnxFolder *folder);

// "float16" for MLC_ONNX_FLOAT16; NULL for what is no data type.
const char *mlc_onnx_data_type_name(int64_t type);

// The other way round, in any case (TensorProto.DataType's names are capitals); 0: there is none.
int64_t mlc_onnx_data_type_of(MlcStr name);

// Bits of one element; 0 for strings and for what is no data type.
unsigned mlc_onnx_data_type_bits(int64_t type);

// The tensor's elements, borrowed where they lie in the right form, else converted into the
// reader's arena. False with `reader->error` if the shape, type, size or location is wrong;
// external data is then named with its file.
MLC_NODISCARD bool mlc_onnx_tensor_bytes(MlcOnnxReader *reader, MlcOnnxFolder *folder,
                                         const MlcOnnxTensor *tensor, MlcOnnxBytes *bytes);

// Of a tensor of strings: whether it has as many as its shape says, in the message.
MLC_NODISCARD bool mlc_onnx_tensor_strings(MlcOnnxReader *reader, const MlcOnnxTensor *tensor);

// A byte for each element of a packed blob, whose reference it takes.
MlcBlob *mlc_onnx_unpacked_blob(MlcBlob *packed, size_t count, int64_t data_type);

#endif

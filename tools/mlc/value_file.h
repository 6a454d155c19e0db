// value_file.h -- files of sequences and optionals, as inputs and outputs of a model.
#ifndef MLC_TOOLS_VALUE_FILE_H
#define MLC_TOOLS_VALUE_FILE_H

#include "tensor_file.h"

// An input or output that is no tensor. Its tensors are those named "NAME[0]", "NAME[1]"...
typedef struct ListValue {
    const char *name;
    MlcOnnxValueKind kind;
} ListValue;

// Appends what a .pb file says of such an input, as --items takes it: "seq=2x3:4x3". False with
// "input 'seq': 'path': what is wrong" appended to `error`.
bool value_file_items(const ListValue *value, const char *path, MlcBuf *items, MlcBuf *error);

// Reads the tensors of a value from a .pb file into `files`, one for each of `infos`, of which
// those of the value stand together. False as above, where there are not as many.
bool value_file_read(const ListValue *value, const char *path, const char *role,
                     const MlcRtTensorInfo *infos, size_t num_infos, TensorFile *files,
                     MlcBuf *error);

// Writes an output of the session that is no tensor as .pb; whole or not at all.
bool value_file_write(const char *path, const MlcRtValueInfo *value, const MlcSession *session,
                      MlcBuf *error);

#endif

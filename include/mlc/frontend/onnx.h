// onnx.h -- reads an ONNX model into a module of `graph` ops.
//
// Ownership: the module is the caller's to destroy; weights stay in the file, which the context
// keeps mapped.
// Threads: any; several may read models into one context.
#ifndef MLC_FRONTEND_ONNX_H
#define MLC_FRONTEND_ONNX_H

#include "mlc/ir/op.h"
#include "mlc/support/arena.h"
#include "mlc/support/buf.h"
#include "mlc/support/vec.h"

MLC_BEGIN_DECLS

typedef enum MlcImportStatus {
    MLC_IMPORT_OK,
    MLC_IMPORT_INVALID,     // the file is missing, broken, or no valid ONNX
    MLC_IMPORT_UNSUPPORTED, // valid as far as was looked at, but mlc lacks something that it uses
} MlcImportStatus;

// What an input will hold: elements of its type in row-major order, little-endian, of bool a byte
// each.
typedef struct MlcOnnxInputValue {
    MlcStr name;
    const int64_t *dims;
    size_t rank;
    const void *data;
    size_t num_bytes;
    bool is_constant; // else it is only where a node must know it
} MlcOnnxInputValue;

// Zeros are the defaults.
typedef struct MlcOnnxImportOptions {
    size_t size;               // MLC_SIZED
    bool allow_external_links; // follow links to external data out of the model's folder
    bool needs_sizes;          // refuse inputs with dimensions that have no size
    bool only_signature;       // @main with its arguments alone: no nodes, no results
    // Sizes of dimensions that the model leaves open: "batch=4" of all that have this name, "x.1=4"
    // of dimension 1 of input "x". Another size than the model has, or two of them, is an error.
    const MlcStr *dims;
    size_t num_dims;
    // Values of inputs. Where a node must know one of them, or what is computed from them, when it
    // is imported (axes, a shape), they are constants, as initialisers are: @main has no such
    // argument then.
    const MlcOnnxInputValue *values;
    size_t num_values;
    // What sequences and optionals that are inputs hold, by the shapes of their tensors:
    // "seq=2x3:4x3", "seq=empty", "opt=2x3", "opt=none"; "scalar" for rank 0. Each tensor is an
    // argument of @main then, "seq[0]", "seq[1]", "opt[0]". One that is not given is refused.
    const MlcStr *items;
    size_t num_items;
    bool names_sizes; // open dimensions without a name get one, "x.1": each is a size of its own
    // Shared libraries with functions of the model's own operators (mlc/operator.h): paths, as
    // dlopen takes them. They are opened, for shape rules, and stay open.
    const MlcStr *libraries;
    size_t num_libraries;
    // What is valid and refused becomes a call of mlc_run_nodes_operator (mlc/parts.h) where it
    // can, with a warning.
    bool interprets;
    bool infers_outputs; // outputs of the graph need no types
} MlcOnnxImportOptions;

// Reads the model at `path` into a builtin.module with one function `@main` over graph ops: an
// argument per graph input that has no initialiser, a result per graph output, their ONNX names in
// the argument and result attribute `mlc.name`. Where one of them is a sequence or an optional,
// each tensor in it is an argument or result, and the module's attributes `mlc.input_values` and
// `mlc.output_values` say what all of them are. Node names become locations. Initialisers become
// graph.constant; big ones are blobs that keep the mapped file (and files of external data) alive.
// External data must lie in the model's folder, with one exception: where the model is a link into
// a folder "blobs", its data may be links into the same one, as the cache of Hugging Face has them.
// A shape that the model declares and its operators contradict is a warning. NULL after
// diagnostics, which name every unsupported node of the model in one run.
MLC_API MLC_NODISCARD MlcOp *mlc_onnx_import(MlcContext *ctx, const char *path,
                                             const MlcOnnxImportOptions *options,
                                             MlcImportStatus *status);

// The same from bytes, which must outlive the module; `name` is for messages; external data is
// refused.
MLC_API MLC_NODISCARD MlcOp *mlc_onnx_import_bytes(MlcContext *ctx, const char *name,
                                                   const void *data, size_t size,
                                                   MlcImportStatus *status);

// The same with options.
MLC_API MLC_NODISCARD MlcOp *mlc_onnx_import_bytes_with(MlcContext *ctx, const char *name,
                                                        const void *data, size_t size,
                                                        const MlcOnnxImportOptions *options,
                                                        MlcImportStatus *status);

// Appends the locations of all external data of the model in these bytes, each once, as the model
// spells them: relative to its folder, not checked. Strings are in `arena`. False if the bytes are
// no ONNX model.
MLC_API MLC_NODISCARD bool mlc_onnx_data_files(const void *data, size_t size, MlcArena *arena,
                                               MlcStrVec *locations);

// A tensor in a file of its own (onnx.proto, TensorProto), as in the data of ONNX's tests. What it
// points to lives as long as the bytes it was read from and the arena.
typedef struct MlcOnnxTensorValue {
    size_t size;       // MLC_SIZED
    int64_t data_type; // TensorProto.DataType: 1 is FLOAT
    const int64_t *dims;
    size_t rank;
    const void *data; // row-major and little-endian; below a byte packed from the low bits up
    size_t num_bytes;
    const MlcStr *strings; // of data type 8 (strings), instead of data: one for each element
} MlcOnnxTensorValue;

// False with "name: at byte 17: ..." appended to `error`. External data is refused.
MLC_API MLC_NODISCARD bool mlc_onnx_tensor_read(const void *bytes, size_t size, const char *name,
                                                MlcArena *arena, MlcOnnxTensorValue *value,
                                                MlcBuf *error);
// Appends what a file of this tensor begins with: its `num_bytes` bytes of data follow. Of strings
// it is all.
MLC_API void mlc_onnx_tensor_write_header(MlcBuf *out, MlcStr name,
                                          const MlcOnnxTensorValue *value);

// A value in a file of its own: a TensorProto, SequenceProto, OptionalProto or MapProto.
typedef enum MlcOnnxValueKind {
    MLC_ONNX_VALUE_TENSOR,
    MLC_ONNX_VALUE_SEQUENCE,
    MLC_ONNX_VALUE_OPTIONAL,
    // Two items: keys of 64 bits or strings, and values, tensors of one dimension. Those that are
    // read and empty have data type 0.
    MLC_ONNX_VALUE_MAP,
} MlcOnnxValueKind;
typedef struct MlcOnnxValue {
    MlcOnnxValueKind kind;
    MlcOnnxTensorValue tensor;        // of that kind
    const struct MlcOnnxValue *items; // of others
    size_t num_items;
} MlcOnnxValue;

// Reads a file of the kind. As mlc_onnx_tensor_read. Maps in sequences and optionals are refused.
MLC_API MLC_NODISCARD bool mlc_onnx_value_read(const void *bytes, size_t size, const char *name,
                                               MlcOnnxValueKind kind, MlcArena *arena,
                                               MlcOnnxValue *value, MlcBuf *error);
// Appends the file of this value, whole.
MLC_API void mlc_onnx_value_write(MlcBuf *out, MlcStr name, const MlcOnnxValue *value);

// Elements of less than a byte: packed from the low bits up, as files have them, and a byte each
// (integers with their sign). False, with nothing written, for data types of a byte and more.
MLC_API bool mlc_onnx_unpack(void *to, const void *packed, size_t count, int64_t data_type);
MLC_API bool mlc_onnx_pack(void *to, const void *elements, size_t count, int64_t data_type);

// Appends a line for each operator of ONNX, and of the other domains that mlc knows, and each range
// of opsets in which it is the same: "ai.onnx  Abs  13-  compiled  float, ..., double". Types are
// those of the first input; those that mlc lacks stand behind "no:". Lines are sorted. `domain` and
// `name` choose some; empty ones, all. False, and nothing appended, where there are none.
MLC_API bool mlc_onnx_list_operators(MlcContext *ctx, MlcStr domain, MlcStr name, MlcBuf *out);
// The same, where operators that are one op of which `is_compiled` says no are "interpreted".
MLC_API bool mlc_onnx_list_operators_by(MlcContext *ctx, MlcStr domain, MlcStr name,
                                        bool (*is_compiled)(const MlcOpDef *op), MlcBuf *out);

MLC_END_DECLS

#endif

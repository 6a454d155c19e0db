// lists.h -- values that are no tensors: sequences, optionals and maps.
//
// A list is what the importer knows of such a value: which tensors (or lists) it holds, in order.
// It never becomes IR. What stands for it among values of the model's names is a value that no op
// of the model uses (MlcOnnxList), so operators that do not ask for lists never see one.
#ifndef MLC_FRONTEND_ONNX_LISTS_H
#define MLC_FRONTEND_ONNX_LISTS_H

#include "node.h"

typedef enum MlcOnnxListKind {
    MLC_ONNX_SEQUENCE,
    MLC_ONNX_OPTIONAL, // of one item, or none
    MLC_ONNX_MAP,      // of two: keys and values, both tensors of one dimension
    MLC_ONNX_TABLE,    // a sequence of maps with the same keys: keys [K], and values [N, K]
} MlcOnnxListKind;

typedef struct MlcOnnxList {
    MlcOnnxListKind kind;
    MlcType element; // of the tensors in it; of a map, of the values; NULL: not known
    MlcValue *const *items;
    size_t count;
} MlcOnnxList;

enum { MLC_ONNX_MAX_ITEMS = 1 << 14 }; // of one list

// The list that a value stands for; NULL: a tensor (or NULL).
const MlcOnnxList *mlc_onnx_list(const MlcOnnxImport *im, MlcValue *value);
// A value that no op of the model uses, for what is none.
MlcValue *mlc_onnx_build_stand_in(MlcOnnxImport *im);
// A value for a list; the items are copied.
MlcValue *mlc_onnx_build_list(MlcOnnxImport *im, MlcOnnxListKind kind, MlcType element,
                              MlcValue *const *items, size_t count);
const char *mlc_onnx_list_name(const MlcOnnxList *list); // "sequence"; of NULL: "tensor"
// The element type of the tensors in a value, a list or a tensor.
MlcType mlc_onnx_item_element(const MlcOnnxImport *im, MlcValue *value);

// Whether a type is one of values that are no tensors, and of which of them.
bool mlc_onnx_is_list_type(const MlcOnnxType *type);
// Its innermost tensors' type; NULL: it has none.
const MlcOnnxTensorType *mlc_onnx_innermost(const MlcOnnxType *type);

// Whether this is the name of a tensor in an input that is a list: "seq[0]" of "seq".
bool mlc_onnx_is_item(const MlcOnnxValueInfo *info, MlcStr name);
// An input of the model: arguments of @main as the caller says (options.items). NULL after an
// error, or with `*refused` set; without arguments where only the signature is wanted.
MlcValue *mlc_onnx_list_input(MlcOnnxImport *im, const MlcOnnxValueInfo *info, MlcBlock *block,
                              const char **refused);
// Whether the options speak of inputs that there are.
bool mlc_onnx_check_items(MlcOnnxImport *im, const MlcStrMap *initializers);

// The tensors of a value, in order, with their names: "y", or "y[0]", "y[1]"...
typedef struct MlcOnnxLeaves {
    MlcValueVec values;
    MLC_VEC(MlcStr) names;
} MlcOnnxLeaves;
void mlc_onnx_add_leaves(MlcOnnxImport *im, MlcValue *value, MlcStr name, MlcOnnxLeaves *leaves);
// "sequence(tensor, tensor)": what the runtime reads (mlc/runtime/artefact.h).
void mlc_onnx_append_form(MlcOnnxImport *im, MlcValue *value, MlcBuf *out);

// The repeated body of a Loop that carries lists: each iteration by itself, one after the other.
bool mlc_onnx_unroll_loop(MlcOnnxNodeImport *n, const MlcOnnxGraph *body);

#endif

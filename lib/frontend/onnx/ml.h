// ml.h -- what the importers of ai.onnx.ml share: lists of floats, rows of features, scores.
//
// What fails returns false or NULL after mlc_onnx_invalid or mlc_onnx_unsupported.
#ifndef MLC_FRONTEND_ONNX_ML_H
#define MLC_FRONTEND_ONNX_ML_H

#include "node.h"

// Attributes that are lists; empty where the node has none.
bool mlc_onnx_read_floats(MlcOnnxNodeImport *n, const char *name, MlcOnnxFloats *list);
bool mlc_onnx_read_strings(MlcOnnxNodeImport *n, const char *name, MlcOnnxStrs *list);
// A constant of the type `element` of the list's numbers; `shape` has as many.
MlcValue *mlc_onnx_build_listed(MlcOnnxNodeImport *n, MlcType element, MlcOnnxFloats list,
                                const int64_t *shape, size_t rank);

MlcType mlc_onnx_f32(MlcOnnxNodeImport *n);
MlcType mlc_onnx_f64(MlcOnnxNodeImport *n);
// Last dimension of a value; -1 after an error: it has none, or it is unknown.
int64_t mlc_onnx_num_features(MlcOnnxNodeImport *n, MlcValue *value);
// The first input as [N, F]: a vector is one row. In f64 if it is that, in f32 else.
MlcValue *mlc_onnx_open_rows(MlcOnnxNodeImport *n);
// The same, F a number. Of an input that leaves it open it is `count`, which is checked when the
// model runs (0: none is known, unsupported).
MlcValue *mlc_onnx_feature_rows(MlcOnnxNodeImport *n, int64_t count);
// value op number
MlcValue *mlc_onnx_build_with(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value,
                              double number);
// An op along the last dimension, which stays, of size 1.
MlcValue *mlc_onnx_reduce_last(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value);
// Scores of rows [N, F]: by coefficients [count, F] as a node lists them, and `count` numbers that
// are added, or none.
MlcValue *mlc_onnx_linear_scores(MlcOnnxNodeImport *n, MlcValue *rows, MlcOnnxFloats coefficients,
                                 int64_t count, MlcOnnxFloats added);
MlcValue *mlc_onnx_columns(MlcOnnxNodeImport *n, MlcValue *value, int64_t begin, int64_t end);

// What becomes of scores [N, C]: NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO or PROBIT.
typedef enum MlcOnnxPost {
    MLC_ONNX_POST_NONE,
    MLC_ONNX_POST_LOGISTIC,
    MLC_ONNX_POST_SOFTMAX,
    MLC_ONNX_POST_SOFTMAX_ZERO,
    MLC_ONNX_POST_PROBIT,
} MlcOnnxPost;
bool mlc_onnx_read_post(MlcOnnxNodeImport *n, MlcOnnxPost *post); // the attribute post_transform
MlcValue *mlc_onnx_post_transform(MlcOnnxNodeImport *n, MlcValue *scores, MlcOnnxPost post);
// Of two classes that have one score s [N, 1]: [N, 2]. NONE gives 1 - s and s where weights are all
// positive, else -s and s; so do SOFTMAX and SOFTMAX_ZERO, as in onnxruntime.
MlcValue *mlc_onnx_binary_scores(MlcOnnxNodeImport *n, MlcValue *score, bool are_positive,
                                 MlcOnnxPost post);

// The classes that a node gives as integers, or strings.
typedef struct MlcOnnxClasses {
    MlcOnnxInts numbers;
    MlcOnnxStrs names; // one of both is empty
    size_t count;
} MlcOnnxClasses;
bool mlc_onnx_read_classes(MlcOnnxNodeImport *n, const char *numbers, const char *strings,
                           MlcOnnxClasses *classes);
// All of them as a constant, [count]; or the one of this number, a scalar.
MlcValue *mlc_onnx_build_classes(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes);
MlcValue *mlc_onnx_build_class(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes, size_t i);
// Sets output 0 to the class of the largest score of each row [N, C], or of `scores` > `limit`
// where there is one column: the second class, and else the first one. Output 1 is `results`.
bool mlc_onnx_set_classes(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes, MlcValue *scores,
                          double limit, MlcValue *results);

#endif

// attention.h -- what the importers of attention share: heads, scores and rotations, of ONNX's own
// operators and of onnxruntime's.
#ifndef MLC_FRONTEND_ONNX_ATTENTION_H
#define MLC_FRONTEND_ONNX_ATTENTION_H

#include "node.h"

enum { MLC_ONNX_MAX_ROWS = 1 << 20 }; // of positions that a mask counts

typedef struct MlcOnnxAttention {
    MlcValue *q, *k, *v; // [N, heads, rows, size]
    MlcType element;     // of queries
    int64_t q_heads, kv_heads, rows, columns, size;
    int64_t offset;        // keys before the first query's
    MlcValue *num_columns; // [N, 1, 1, 1]: of each sample's keys, where it is given
    MlcValue *sink;   // [heads]: a score that takes its share and has no value, where all sizes are
                      // known; NULL: none
    float scale, cap; // of the scores; a scale of 0 is that of the size, a cap of 0 is none
    bool is_packed;   // inputs and result are [N, rows, heads * size]
    bool may_be_empty; // rows may have no key at all
} MlcOnnxAttention;

// The scores after each step: raw, capped, biased, and their softmax.
enum { MLC_ONNX_SCORES, MLC_ONNX_CAPPED, MLC_ONNX_BIASED, MLC_ONNX_SHARES, MLC_ONNX_NUM_STAGES };

// All return NULL, or false, after an error.
// [N, rows, heads * size] as [N, heads, rows, size], and back; 4-d is the former already.
MlcValue *mlc_onnx_unpack_heads(MlcOnnxNodeImport *n, MlcValue *value, int64_t heads);
MlcValue *mlc_onnx_pack_heads(MlcOnnxNodeImport *n, MlcValue *value);
// Sizes of `a`, from q, k and v.
bool mlc_onnx_measure_heads(MlcOnnxNodeImport *n, MlcOnnxAttention *a);
// The sum of the values by their shares, [N, heads, rows, size]; `bias` is added to the scores,
// NULL: nothing.
MlcValue *mlc_onnx_attend(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *bias,
                          MlcValue *stages[MLC_ONNX_NUM_STAGES]);
// Stage `which` with a dimension for all heads.
MlcValue *mlc_onnx_attention_stage(MlcOnnxNodeImport *n, const MlcOnnxAttention *a,
                                   MlcValue *const *stages, size_t which);
// The mask, made as long as there are keys: of truth values false beyond it, of floats -infinity.
MlcValue *mlc_onnx_lengthen_mask(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *mask);
// Both of two truths, either of which may be NULL: it says nothing.
MlcValue *mlc_onnx_build_both(MlcOnnxNodeImport *n, MlcValue *lhs, MlcValue *rhs);

// onnxruntime's Attention of `x`, [N, rows, queries, keys and values of all heads], by the node's
// attributes: sets its result, and keys and values if it has such an output. `mask` and `past` may
// be NULL; input `added`, if it is there, is added to the scores.
bool mlc_onnx_attend_projected(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *mask, MlcValue *past,
                               size_t added);

// How queries and keys are turned by their positions.
typedef struct MlcOnnxRotation {
    MlcValue *cos, *sin;
    MlcValue *positions; // rows of the tables, [N, rows]; NULL: these are [N, rows, size / 2]
    int64_t size;        // of each head is turned; 0: all of it
    bool is_interleaved; // neighbours are a pair, else halves
} MlcOnnxRotation;

// Of a value [N, heads, rows, size], or [N, rows, heads * size].
MlcValue *mlc_onnx_rotate(MlcOnnxNodeImport *n, MlcValue *value, int64_t heads,
                          const MlcOnnxRotation *rotation);

#endif

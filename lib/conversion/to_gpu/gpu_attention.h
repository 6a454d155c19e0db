// gpu_attention.h -- a product, a softmax along its rows and a product with that, as one kernel
// that never writes the scores (Milakov and Gimelshein, 2018; Dao et al., 2022).
#ifndef MLC_CONVERSION_GPU_ATTENTION_H
#define MLC_CONVERSION_GPU_ATTENTION_H

#include "gpu_causal.h"
#include "gpu_tiles.h"

#include "mlc/machine.h"

// What there is of it, found by structure from its first product. Rows of both products are the
// queries, columns of the first and depth of the second one the keys.
typedef struct Attention {
    Product products[2];
    MlcOp *scale;     // makes the first product's factor with the rows, point by point; or NULL
    Chain scores;     // the first product, and what is done with its elements
    MlcValue *buffer; // of the scores, as they go into the softmax
    Causal causal;    // keys that are hidden from a query
    MlcOp *norm;      // divides by the sum of a row
    MlcValue *weight; // in its body: an exponential over the sum, as f32
    bool zeroes_nan;  // a weight that is not a number is 0
    Chain result;     // the second product
    MlcOpVec ops;     // all of it, in order
} Attention;

// False: no attention begins at `first`, or somebody else reads what is between. The caller
// releases it either way.
bool gpu_attention_read(Attention *a, MlcOp *first);
void gpu_attention_release(Attention *a);
// The largest tile of which there are enough for the machine; false: there is none that fits.
bool gpu_attention_schedule(const Attention *a, const MlcTargetDesc *target, bool tf32,
                            Schedule *schedule);
// Launches it in the place of its ops; false, after an error, if the schedule does not fit.
bool gpu_attention_launch(Attention *a, const Schedule *schedule);

#endif

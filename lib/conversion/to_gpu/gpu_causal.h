// gpu_causal.h -- attention in which a query sees keys up to its own number: what hides the others,
// found by the comparison of their indices.
#ifndef MLC_CONVERSION_GPU_CAUSAL_H
#define MLC_CONVERSION_GPU_CAUSAL_H

#include "gpu_chain.h"
#include "gpu_product.h"

// The last op on scores leaves -inf, or so small a number that its exponential is 0, where it is
// not shown.
typedef struct Causal {
    MlcOp *select;  // in the body of that op: by the comparison; NULL: nothing is hidden
    size_t shown;   // its operand where the key is shown
    int64_t offset; // query i sees keys up to i + offset
    bool is_sum;    // hidden scores are what they are and a number; else the number
} Causal;

// `scores`: the first product `p`, and what is done with its elements, which end in `buffer`.
void gpu_causal_read(Causal *causal, const Product *p, const Chain *scores, MlcValue *buffer);

#endif

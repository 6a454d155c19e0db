// gpu_product.h -- a contraction as a product of matrices: which of its loops run over rows,
// columns, the depth and the batch, and where operands lie as functions of these.
#ifndef MLC_CONVERSION_GPU_PRODUCT_H
#define MLC_CONVERSION_GPU_PRODUCT_H

#include "gpu_padding.h"

#include "mlc/ir.h"

typedef enum ProductSide { SIDE_ROWS, SIDE_COLUMNS, SIDE_DEPTH, SIDE_BATCH, NUM_SIDES } ProductSide;

// Loops counted as one number, the last one fastest.
typedef struct LoopGroup {
    unsigned loops[MLC_SMALL_RANK];
    size_t count;
    int64_t size; // iterations of all of them
} LoopGroup;

// A dimension of a padded factor: the loops' place in it, 0 being the first element inside.
typedef struct EdgeCheck {
    int64_t steps[MLC_SMALL_RANK], start, size;
} EdgeCheck;

// Convolutions are products too: their rows are pixels, their depth taps and channels, and operands
// lie at a sum of multiples of the loops. Of a factor that is padded with zeros `source` is what is
// inside; steps and start are in that, and what is outside of an edge is zero.
typedef struct Product {
    MlcOp *op;
    LoopGroup sides[NUM_SIDES];
    int64_t sizes[MLC_SMALL_RANK];    // of the loops
    size_t factors[2];                // the operand with the rows, the one with the columns
    int64_t steps[2][MLC_SMALL_RANK]; // of those, elements for a step of each loop
    int64_t start[2];                 // where they begin; negative where that is outside
    MlcValue *source[2];              // the buffers
    EdgeCheck edges[2][MLC_SMALL_RANK];
    size_t num_edges[2];
    MlcType element[2]; // of those
    MlcValue *result;   // the buffer that is added to
} Product;

// Whether it multiplies bytes with signs, and adds them up in i32.
bool gpu_product_is_bytes(const Product *p);
// What its sums are made of: i32 of bytes, else f32.
MlcType gpu_product_sum_element(const Product *p);
// False: `op` is no product of static shape on buffers without gaps, or its result's last dimension
// runs along both factors.
bool gpu_product_read(Product *p, MlcOp *op);
// Elements between neighbours of a group's number in factor `i`: 1 where they are neighbours in
// memory.
int64_t gpu_product_step(const Product *p, size_t i, ProductSide side);
// Whether numbers of a group are always equally far apart in factor `i`; then `step` is how far, 0
// of a group of one.
bool gpu_product_line(const Product *p, size_t i, ProductSide side, int64_t *step);
// The most elements, at most `most`, that are always together in memory and begin at a multiple of
// their number, along `side` of factor `i`.
int64_t gpu_product_run(const Product *p, size_t i, ProductSide side, int64_t most);
// Where number `number` of a group lies in factor `i`, in elements from its start.
MlcValue *gpu_product_offset(MlcBuilder *b, const Product *p, size_t i, ProductSide side,
                             MlcValue *number);
// The same by other steps of the loops; NULL: they are all 0.
MlcValue *gpu_product_place(MlcBuilder *b, const Product *p, const int64_t *steps, ProductSide side,
                            MlcValue *number);
// The loops' indices of a group's number, into `ivs` by loop.
void gpu_group_indices(MlcBuilder *b, const LoopGroup *group, const int64_t *sizes,
                       MlcValue *number, MlcValue **ivs);

#endif

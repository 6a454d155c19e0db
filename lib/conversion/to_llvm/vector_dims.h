// vector_dims.h -- vectors of several dimensions as rows: those of the last dimension.
#ifndef MLC_CONVERSION_VECTOR_DIMS_H
#define MLC_CONVERSION_VECTOR_DIMS_H

#include "mlc/ir/rewrite.h"

// An element, row-major, of one of several values; of a scalar the only one.
typedef struct Lane {
    size_t source, element;
} Lane;

// Most elements that an op is written out for.
enum { MAX_WRITTEN_OUT = 1 << 16 };

// The length of the last dimension, and how many such rows there are; 1 where there are none.
int64_t vector_row_length(MlcType type);
int64_t vector_num_rows(MlcType type);
MlcType vector_row_type(MlcType type);                                 // of any vector
MlcValue *vector_row(MlcBuilder *b, MlcValue *vector, int64_t row);    // of rank 1 and less: itself
MlcValue *vector_lane(MlcBuilder *b, MlcValue *value, size_t element); // of a scalar: itself
// A vector of one dimension that has these lanes: a row, a broadcast, a shuffle of rows, or lane by
// lane.
MlcValue *vector_of_lanes(MlcBuilder *b, MlcValue *const *sources, const Lane *lanes, size_t n);
MlcValue *vector_of_rows(MlcBuilder *b, MlcType type, MlcValue *const *rows);
MlcValue *vector_zeros(MlcBuilder *b, MlcType type);
// Combines as kind `kind` says, element by element.
MlcValue *vector_combine(MlcBuilder *b, int64_t kind, MlcValue *x, MlcValue *y);
bool vector_is_scalable(MlcType type); // in any dimension; false of scalars

// Patterns that leave of vectors with several dimensions the extraction and insertion of rows and
// lanes, and ops on rows.
extern const MlcPattern vector_move_patterns[], vector_product_patterns[];
extern const size_t vector_num_move_patterns, vector_num_product_patterns;
// All of them, on what lies in `root`.
void vector_lower_dims(MlcOp *root);

#endif

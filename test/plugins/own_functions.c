// own_functions.c -- a shared library of a user's own, whose functions programs in text call.
#include "mlc/runner_utils.h"

#include <string.h>

MLC_API int64_t square_of(int64_t x);
MLC_API float sum_of_four(const float *x);
MLC_API int64_t _mlir_ciface_rows_of(MlcRunnerUnranked *matrix);
MLC_API void _mlir_ciface_first_row(void *row, MlcRunnerMemref *matrix);

int64_t
square_of(int64_t x)
{
    return x * x;
}

float
sum_of_four(const float *x)
{
    return x[0] + x[1] + x[2] + x[3];
}

int64_t
_mlir_ciface_rows_of(MlcRunnerUnranked *matrix)
{
    return *(const int64_t *)(matrix->memref + 1);
}

// The sizes of the matrix, then its strides: of both the second is that of a row.
void
_mlir_ciface_first_row(void *row, MlcRunnerMemref *matrix)
{
    const int64_t *sizes = (const int64_t *)(matrix + 1), list[2] = {sizes[1], sizes[3]};
    memcpy(row, matrix, sizeof *matrix);
    memcpy((char *)row + sizeof *matrix, list, sizeof list);
}

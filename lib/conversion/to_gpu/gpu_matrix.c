// gpu_matrix.c -- which unit computes products of a kind, and elements of their sums.
#include "gpu_matrix.h"

#include "mlc/dialects/vector.h"

const ProductUnit *
gpu_product_unit(MlcGpuScheduleKind kind)
{
    return kind == MLC_GPU_SCHEDULE_KIND_MMA   ? &gpu_unit_mma
           : kind == MLC_GPU_SCHEDULE_KIND_FMA ? &gpu_unit_fma
                                               : NULL;
}

const ProductUnit *
gpu_attention_unit(MlcGpuScheduleKind kind)
{
    return kind == MLC_GPU_SCHEDULE_KIND_ATTENTION_MMA   ? &gpu_unit_mma
           : kind == MLC_GPU_SCHEDULE_KIND_ATTENTION_FMA ? &gpu_unit_fma
                                                         : NULL;
}

// A sum is an element, or a vector of two rows of two.
MlcValue *
gpu_sum_element(MlcBuilder *b, MlcValue *sum, size_t e)
{
    int64_t place[2] = {(int64_t)e / 2, (int64_t)e % 2};
    if (!mlc_type_is(mlc_value_type(sum), MLC_TYPE_VECTOR))
        return sum;
    return mlc_vector_extract(b, mlc_type_element(mlc_value_type(sum)), sum, NULL, 0, place, 2);
}

MlcValue *
gpu_sum_with_element(MlcBuilder *b, MlcValue *sum, size_t e, MlcValue *element)
{
    int64_t place[2] = {(int64_t)e / 2, (int64_t)e % 2};
    if (!mlc_type_is(mlc_value_type(sum), MLC_TYPE_VECTOR))
        return element;
    return mlc_vector_insert(b, element, sum, NULL, 0, place, 2);
}

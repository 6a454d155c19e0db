// gpu_matrix.c -- which unit computes products of a kind.
#include "gpu_matrix.h"

const ProductUnit *
gpu_product_unit(MlcGpuScheduleKind kind)
{
    return kind == MLC_GPU_SCHEDULE_KIND_MMA   ? &gpu_unit_mma
           : kind == MLC_GPU_SCHEDULE_KIND_FMA ? &gpu_unit_fma
                                               : NULL;
}

// linalg.c -- what the records of linalg cannot say.
#include "mlc/dialects/linalg.h"

#include "mlc/ir.h"

bool
mlc_linalg_is_increasing(const void *attr)
{
    MlcAttr a = attr;
    if (!mlc_attr_is(a, MLC_ATTR_DENSE_ARRAY))
        return false;
    for (size_t i = 1; i < mlc_dense_array_attr_size(a); i++)
        if (mlc_dense_array_attr_int(a, i) <= mlc_dense_array_attr_int(a, i - 1))
            return false;
    return true;
}

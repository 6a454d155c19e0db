// expect.c -- outputs of a run beside the ones expected: --expect NAME=FILE.
#include "mlc.h"

#include <math.h>
#include <stdio.h>

bool
is_float(MlcRtType type, MlcFloatKind *kind)
{
    return mlc_float_kind_from_name(mlc_str(mlc_rt_type_name(type)), kind);
}

static double
element(const MlcRtTensor *t, MlcFloatKind kind, size_t i)
{
    size_t bytes = mlc_rt_type_bytes(t->type);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)t->data + i * bytes, bytes);
    return mlc_float_to_double(mlc_float_from_bits(kind, bits, 0));
}

// The largest difference over the largest expected value, if there is one that is not 0.
static double
float_error(const MlcRtTensor *got, const MlcRtTensor *want, MlcFloatKind kind, size_t count)
{
    double worst = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        double x = element(got, kind, i), y = element(want, kind, i);
        bool same = x == y || (isnan(x) && isnan(y));
        double difference = same ? 0 : isfinite(x - y) ? fabs(x - y) : INFINITY;
        worst = difference > worst ? difference : worst;
        largest = isfinite(y) && fabs(y) > largest ? fabs(y) : largest;
    }
    return largest > 0 ? worst / largest : worst;
}

static bool
are_same(const MlcRtTensor *got, const MlcRtTensor *want, size_t count)
{
    const MlcRtString *a = got->data, *b = want->data;
    bool same = true;
    if (got->type != MLC_RT_STRING)
        return memcmp(got->data, want->data, count * mlc_rt_type_bytes(got->type)) == 0;
    for (size_t i = 0; same && i < count; i++)
        same = a[i].size == b[i].size && memcmp(a[i].data, b[i].data, a[i].size) == 0;
    return same;
}

static bool
check_output(const char *name, const MlcRtTensor *got, const MlcRtTensor *want, double tolerance,
             MlcBuf *error)
{
    MlcFloatKind kind;
    size_t count = 1;
    for (int32_t i = 0; i < got->rank; i++) {
        count *= (size_t)got->dims[i];
        if (got->dims[i] != want->dims[i]) {
            mlc_buf_printf(error, "output '%s' has another shape than expected", name);
            return false;
        }
    }
    if (!is_float(got->type, &kind)) {
        if (are_same(got, want, count))
            return true;
        mlc_buf_printf(error, "output '%s' is not what is expected", name);
        return false;
    }
    double worst = float_error(got, want, kind, count);
    if (worst <= tolerance) {
        printf("%s: as expected, largest difference %.1e of the largest value\n", name, worst);
        return true;
    }
    mlc_buf_printf(error,
                   "output '%s' is not what is expected: largest difference %.1e of the largest "
                   "value, at most %.1e allowed",
                   name, worst, tolerance);
    return false;
}

bool
expect_check(const OpenModel *open, double tolerance, MlcBuf *error)
{
    for (int32_t i = 0; i < mlc_model_num_outputs(open->model); i++) {
        const MlcRtTensor *want = &open->expected[i].tensor;
        if (want->data &&
            !check_output(mlc_model_output(open->model, i)->name,
                          mlc_session_output(open->session, i), want, tolerance, error))
            return false;
    }
    return true;
}

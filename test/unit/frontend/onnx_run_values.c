// onnx_run_values.c -- values of models that run node by node: what they are cut from and put
// together of, and how many bytes there may be of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run.h"

static size_t all_bytes;
static MlcBuf error;
static MlcOnnxRunner r = {.all_bytes = &all_bytes, .error = &error};

static MlcOnnxRunValue *
numbered(const int64_t *dims, size_t rank)
{
    MlcOnnxRunValue *value = mlc_onnx_run_tensor(&r, MLC_RT_I64, dims, rank);
    int64_t *data = value->tensor.data;
    for (size_t i = 0; i < mlc_runtime_tensor_bytes(&value->tensor) / sizeof *data; i++)
        data[i] = (int64_t)i;
    return value;
}

static void
expect_numbers(const MlcOnnxRunValue *value, const int64_t *want, size_t count)
{
    assert_non_null(value);
    assert_int_equal(mlc_runtime_tensor_bytes(&value->tensor), count * sizeof *want);
    assert_memory_equal(value->tensor.data, want, count * sizeof *want);
}

static void
cuts_and_stacks(void **state)
{
    (void)state;
    MlcOnnxRunValue *x = numbered((int64_t[]){2, 3}, 2);
    MlcOnnxRunValue *crop = mlc_onnx_run_crop(&r, &x->tensor, (int64_t[]){2, 2});
    MlcOnnxRunValue *taken = mlc_onnx_run_take(&r, &x->tensor, 1, 2);
    expect_numbers(crop, (int64_t[]){0, 1, 3, 4}, 4);
    expect_numbers(taken, (int64_t[]){2, 5}, 2);
    MlcOnnxRunValues pieces = {0};
    for (int64_t i = 0; i < 2; i++)
        mlc_vec_push(&pieces, mlc_onnx_run_take(&r, &x->tensor, 0, i));
    MlcOnnxRunValue *stack = mlc_onnx_run_stack(&r, &pieces, 1, true);
    expect_numbers(stack, (int64_t[]){3, 0, 4, 1, 5, 2}, 6);
    MlcOnnxRunValue *list =
        mlc_onnx_run_list(&r, MLC_ONNX_RUN_SEQUENCE, MLC_RT_I64, pieces.data, 2);
    mlc_onnx_run_drop_all(&pieces);
    expect_numbers(list->items[1], (int64_t[]){3, 4, 5}, 3);
    MlcOnnxRunValue *all[] = {x, crop, taken, stack, list};
    for (size_t i = 0; i < 5; i++)
        mlc_onnx_run_drop(all[i]);
    assert_int_equal(all_bytes, 0); // nobody holds one
}

static void
expect_too_much(const MlcOnnxRunValue *value)
{
    assert_null(value);
    assert_non_null(strstr(mlc_buf_c_str(&error), "its values are of more than "));
    mlc_buf_release(&error);
    error = (MlcBuf){0};
}

static void
is_bounded(void **state)
{
    (void)state;
    int64_t huge[] = {INT64_MAX, INT64_MAX}, negative[] = {-1}, none[] = {INT64_MAX, 0};
    expect_too_much(mlc_onnx_run_tensor(&r, MLC_RT_F32, huge, 2));
    expect_too_much(mlc_onnx_run_tensor(&r, MLC_RT_F32, negative, 1));
    MlcOnnxRunValue *empty = mlc_onnx_run_tensor(&r, MLC_RT_F32, none, 2);
    assert_non_null(empty);
    mlc_onnx_run_drop(empty);
    all_bytes = MLC_ONNX_RUN_MAX_MEMORY - 8;
    expect_too_much(mlc_onnx_run_scalar(&r, MLC_RT_I64, 1));
    expect_too_much(mlc_onnx_run_list(&r, MLC_ONNX_RUN_SEQUENCE, MLC_RT_I64, NULL, 0));
    all_bytes = 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_and_stacks),
        cmocka_unit_test(is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// ir_eval.c -- datums: storage of every element type, attributes and back, cells that live as long
// as somebody holds them.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mlc/ir.h"
#include "mlc/ir/eval.h"

typedef struct Fixture {
    MlcContext *ctx;
    MlcEval e;
} Fixture;

static int
set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->ctx = mlc_context_create();
    mlc_eval_init(&f->e, f->ctx);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    Fixture *f = *state;
    mlc_eval_release(&f->e);
    mlc_context_destroy(f->ctx);
    free(f);
    return 0;
}

// An integer of every width below 200 survives storage, an attribute and the way back.
static void
test_integers(void **state)
{
    Fixture *f = *state;
    for (unsigned width = 1; width < 200; width++) {
        MlcType type = mlc_integer_type_get(f->ctx, width, MLC_SIGNLESS);
        MlcArena arena = {0};
        MlcWide value = mlc_wide_sub(&arena, mlc_wide_signed_max(&arena, width),
                                     mlc_wide_from_uint(&arena, width, 1));
        MlcDatum d = mlc_datum_wide(&f->e, type, value), read, back;
        unsigned char bytes[64] = {0};
        mlc_datum_write(bytes, &d);
        mlc_datum_read(&f->e, type, bytes, &read);
        assert_true(mlc_wide_equal(read.integer, value));
        assert_true(mlc_datum_from_attr(&f->e, mlc_datum_to_attr(&d), &back));
        assert_true(mlc_wide_equal(back.integer, value));
        mlc_arena_release(&arena);
    }
}

static void
test_floats(void **state)
{
    Fixture *f = *state;
    for (int kind = 0; kind < MLC_FLOAT_NUM_KINDS; kind++) {
        MlcType type = mlc_float_type_get(f->ctx, (MlcFloatKind)kind);
        double number = kind == MLC_FLOAT_F8E8M0FNU ? 2 : 1.5;
        MlcDatum d = mlc_datum_float(type, number), read;
        unsigned char bytes[16] = {0};
        mlc_datum_write(bytes, &d);
        mlc_datum_read(&f->e, type, bytes, &read);
        assert_true(mlc_float_same_bits(mlc_datum_as_soft(&d), mlc_datum_as_soft(&read)));
        assert_true(mlc_datum_as_double(&read) == number);
    }
    // bf16 has 8 bits of precision: a half of the last place is rounded to even
    MlcDatum rounded = mlc_datum_float(mlc_float_type_get(f->ctx, MLC_FLOAT_BF16), 1.0 + 1.0 / 256);
    assert_true(mlc_datum_as_double(&rounded) == 1.0);
}

static void
test_elements(void **state)
{
    Fixture *f = *state;
    MlcType i3 = mlc_integer_type_get(f->ctx, 3, MLC_SIGNLESS);
    MlcType type = mlc_tensor_type_get(i3, (const int64_t[]){2, 3}, 2, NULL);
    MlcDatum d, element, splat;
    assert_true(mlc_eval_elements(&f->e, NULL, type, NULL, &d));
    assert_int_equal(mlc_datum_num_elements(&d), 6);
    for (int64_t i = 0; i < 6; i++) {
        MlcDatum value = mlc_datum_int(i3, i - 3);
        mlc_datum_set_element(&d, (size_t)i, &value);
    }
    mlc_datum_element(&f->e, &d, 0, &element);
    assert_int_equal(mlc_datum_as_int(&element), -3);
    assert_int_equal(mlc_datum_as_uint(&element), 5);
    MlcAttr attr = mlc_datum_to_attr(&d);
    assert_int_equal(mlc_attr_as_int(mlc_elements_attr_element(attr, 5)), 2);
    MlcAttr seven = mlc_dense_attr_splat(type, mlc_integer_attr_get(i3, 1));
    assert_true(mlc_datum_from_attr(&f->e, seven, &splat));
    assert_int_equal(splat.elements.num_bytes, 6);
    assert_ptr_equal(mlc_datum_to_attr(&splat), seven);
}

static void
test_windows(void **state)
{
    Fixture *f = *state;
    MlcType type =
        mlc_tensor_type_get(mlc_index_type_get(f->ctx), (const int64_t[]){3, 4}, 2, NULL);
    MlcDatum d;
    assert_true(mlc_eval_elements(&f->e, NULL, type, NULL, &d));
    int64_t *data = d.elements.data, got[4];
    for (int64_t i = 0; i < 12; i++)
        data[i] = i;
    const int64_t offsets[] = {1, 0}, sizes[] = {2, 2}, strides[] = {1, 2}, far[] = {2, 0};
    assert_true(mlc_eval_read_window(&f->e, NULL, &d, offsets, sizes, strides, got));
    assert_memory_equal(got, ((const int64_t[]){4, 6, 8, 10}), sizeof got);
    assert_false(mlc_eval_read_window(&f->e, NULL, &d, far, sizes, strides, got));
}

// What is held stays; what nobody holds goes when the stack is drained; what is live goes on to the
// next iteration.
static void
test_cells(void **state)
{
    Fixture *f = *state;
    MlcType type =
        mlc_tensor_type_get(mlc_index_type_get(f->ctx), (const int64_t[]){1000}, 1, NULL);
    MlcDatum held, loose, live;
    size_t mark = mlc_eval_mark(&f->e), before = f->e.memory;
    assert_true(mlc_eval_elements(&f->e, NULL, type, NULL, &held));
    size_t each = f->e.memory - before;
    mlc_datum_hold(&held);
    assert_true(mlc_eval_elements(&f->e, NULL, type, NULL, &loose));
    assert_true(mlc_eval_elements(&f->e, NULL, type, NULL, &live));
    mlc_eval_collect(&f->e, mark, &live, 1);
    assert_int_equal(f->e.memory - before, 2 * each);
    ((int64_t *)live.elements.data)[999] = 1; // still ours
    mlc_eval_drain(&f->e, mark);
    assert_int_equal(f->e.memory - before, each);
    mlc_datum_drop(&f->e, &held);
    assert_int_equal(f->e.memory, before);
}

static void
test_limit(void **state)
{
    Fixture *f = *state;
    MlcDatum d;
    MlcType type = mlc_tensor_type_get(mlc_index_type_get(f->ctx),
                                       (const int64_t[]){INT64_C(1) << 40, 1 << 30}, 2, NULL);
    assert_false(mlc_eval_elements(&f->e, NULL, type, NULL, &d));
    f->e.max_memory = 100;
    type = mlc_tensor_type_get(mlc_index_type_get(f->ctx), (const int64_t[]){100}, 1, NULL);
    assert_false(mlc_eval_elements(&f->e, NULL, type, NULL, &d));
}

// Every seed gives a permutation.
static void
test_order(void **state)
{
    Fixture *f = *state;
    for (f->e.seed = 0; f->e.seed < 50; f->e.seed++)
        for (uint64_t n = 1; n < 40; n++) {
            bool seen[40] = {false};
            for (uint64_t i = 0; i < n; i++) {
                uint64_t at = mlc_eval_order(&f->e, i, n);
                assert_true(at < n && !seen[at]);
                assert_true(f->e.seed != 0 || at == i);
                seen[at] = true;
            }
        }
}

static void
test_dropped_dims(void **state)
{
    Fixture *f = *state;
    MlcType index = mlc_index_type_get(f->ctx);
    bool dropped[4];
    MlcAttr sizes = mlc_i64_array_attr_get(f->ctx, (const int64_t[]){1, 4, 1, MLC_DYNAMIC}, 4);
    mlc_eval_dropped_dims(
        sizes, mlc_tensor_type_get(index, (const int64_t[]){4, MLC_DYNAMIC}, 2, NULL), dropped);
    assert_true(dropped[0] && !dropped[1] && dropped[2] && !dropped[3]);
    mlc_eval_dropped_dims(
        sizes, mlc_tensor_type_get(index, (const int64_t[]){4, 1, MLC_DYNAMIC}, 3, NULL), dropped);
    assert_true(dropped[0] && !dropped[1] && !dropped[2] && !dropped[3]);
    mlc_eval_dropped_dims(
        sizes, mlc_tensor_type_get(index, (const int64_t[]){1, 4, 1, MLC_DYNAMIC}, 4, NULL),
        dropped);
    assert_true(!dropped[0] && !dropped[1] && !dropped[2] && !dropped[3]);
}

static void
test_combine(void **state)
{
    Fixture *f = *state;
    MlcType i8 = mlc_integer_type_get(f->ctx, 8, MLC_SIGNLESS),
            f32 = mlc_float_type_get(f->ctx, MLC_FLOAT_F32);
    MlcDatum a = mlc_datum_int(i8, -1), b = mlc_datum_int(i8, 1), out;
    assert_true(mlc_eval_combine(&f->e, NULL, MLC_COMBINE_MAX_UNSIGNED, &a, &b, &out));
    assert_int_equal(mlc_datum_as_int(&out), -1);
    assert_true(mlc_eval_combine(&f->e, NULL, MLC_COMBINE_MAX_SIGNED, &a, &b, &out));
    assert_int_equal(mlc_datum_as_int(&out), 1);
    MlcDatum nan = mlc_datum_soft(f32, mlc_float_nan(MLC_FLOAT_F32)), one = mlc_datum_float(f32, 1);
    assert_true(mlc_eval_combine(&f->e, NULL, MLC_COMBINE_MAXNUM, &nan, &one, &out));
    assert_true(mlc_datum_as_double(&out) == 1);
    assert_true(mlc_eval_combine(&f->e, NULL, MLC_COMBINE_MAXIMUM, &nan, &one, &out));
    assert_true(mlc_float_is_nan(mlc_datum_as_soft(&out)));
    assert_false(mlc_eval_combine(&f->e, NULL, MLC_COMBINE_XOR, &nan, &one, &out));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_integers), TEST(test_floats),  TEST(test_elements),
        TEST(test_windows),  TEST(test_cells),   TEST(test_limit),
        TEST(test_order),    TEST(test_combine), TEST(test_dropped_dims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

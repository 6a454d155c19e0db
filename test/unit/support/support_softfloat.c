// Floats of all kinds: rounding, special values, text, arithmetic. With an argument it is the other
// half of softfloat_mlir.py: "print" turns lines "kind high low" into what MLIR prints, "parse"
// does so for "kind literal".
#include "mlc/support/softfloat.h"

#include <math.h>
#include <stdio.h>

#include "mlc/support/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t seed = 1;

static uint64_t
next_random(void)
{
    return seed = mlc_hash_u64(seed + 1);
}

static MlcFloat
random_float(MlcFloatKind kind)
{
    uint32_t width = mlc_float_info(kind)->width;
    uint64_t low = next_random(), high = next_random();
    low = width < 64 ? low & ((UINT64_C(1) << width) - 1) : low;
    high = width <= 64 ? 0 : width == 128 ? high : high & ((UINT64_C(1) << (width - 64)) - 1);
    return mlc_float_from_bits(kind, low, high);
}

static MlcFloat
parse(MlcFloatKind kind, const char *text)
{
    MlcFloat out;
    assert_true(mlc_float_parse(kind, mlc_str(text), &out));
    return out;
}

static void
assert_prints(MlcFloat a, const char *expected)
{
    MlcBuf buf = {0};
    mlc_float_print(&buf, a);
    assert_string_equal(mlc_buf_c_str(&buf), expected);
    mlc_buf_release(&buf);
}

static void
names_and_kinds_agree(void **state)
{
    (void)state;
    for (int i = 0; i < MLC_FLOAT_NUM_KINDS; i++) {
        const MlcFloatInfo *info = mlc_float_info((MlcFloatKind)i);
        MlcFloatKind kind;
        assert_true(mlc_float_kind_from_name(mlc_str(info->name), &kind));
        assert_int_equal(kind, i);
        bool has_sign = info->specials != MLC_FLOAT_SPECIALS_POWERS;
        assert_int_equal(info->width, has_sign + info->exponent_bits + info->mantissa_bits);
    }
    MlcFloatKind kind;
    assert_false(mlc_float_kind_from_name(mlc_str("f33"), &kind));
}

static void
converts_like_the_machine(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_random();
        double value;
        memcpy(&value, &bits, sizeof value);
        // Half of them near the range of f32, where rounding and subnormals are.
        if (i % 2)
            value = ldexp(frexp(value, &(int){0}), (int)(next_random() % 300) - 160);
        if (isnan(value))
            continue;
        float narrow = (float)value;
        uint32_t expected;
        memcpy(&expected, &narrow, sizeof expected);
        MlcFloat a = mlc_float_from_double(MLC_FLOAT_F32, value);
        assert_true(a.lo == expected);
        assert_true(mlc_float_to_double(a) == (double)narrow);
    }
}

static void
widening_and_back_changes_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < MLC_FLOAT_NUM_KINDS; kind++)
        for (int i = 0; i < 1000; i++) {
            MlcFloat a = random_float((MlcFloatKind)kind);
            if (mlc_float_is_nan(a))
                continue;
            MlcFloat wide = mlc_float_convert(a, MLC_FLOAT_F128);
            MlcFloat again = mlc_float_convert(wide, a.kind);
            // f80 has two spellings of some subnormals.
            if (kind != MLC_FLOAT_F80)
                assert_true(mlc_float_same_bits(a, again));
            assert_int_equal(mlc_float_compare(a, again), 0);
        }
}

static void
overflow_by_kind(void **state)
{
    (void)state;
    static const struct {
        MlcFloatKind kind;
        double value;
        uint64_t bits;
    } cases[] = {
        {MLC_FLOAT_F16, 65519.0, 0x7bff},      {MLC_FLOAT_F16, 65520.0, 0x7c00},
        {MLC_FLOAT_F8E5M2, -1e9, 0xfc},        {MLC_FLOAT_F8E4M3FN, 448.0, 0x7e},
        {MLC_FLOAT_F8E4M3FN, 464.0, 0x7e},     {MLC_FLOAT_F8E4M3FN, 465.0, 0x7f},
        {MLC_FLOAT_F8E4M3FN, -465.0, 0xff},    {MLC_FLOAT_F8E4M3FNUZ, 1000.0, 0x80},
        {MLC_FLOAT_F8E4M3FNUZ, -0.0, 0x00},    {MLC_FLOAT_F8E5M2FNUZ, -1e-9, 0x00},
        {MLC_FLOAT_F8E4M3B11FNUZ, 30.0, 0x7f}, {MLC_FLOAT_F4E2M1FN, 100.0, 0x7},
        {MLC_FLOAT_F4E2M1FN, -100.0, 0xf},     {MLC_FLOAT_F6E3M2FN, 28.0, 0x1f},
        {MLC_FLOAT_F6E2M3FN, 0.125, 0x01},     {MLC_FLOAT_F8E3M4, 15.5, 0x6f},
        {MLC_FLOAT_F8E8M0FNU, 1.5, 0x80},      {MLC_FLOAT_F8E8M0FNU, 1.4999999, 0x7f},
        {MLC_FLOAT_F8E8M0FNU, -1e39, 0xff},    {MLC_FLOAT_F8E8M0FNU, 1e-60, 0x00},
        {MLC_FLOAT_F8E8M0FNU, 0.0, 0x00},      {MLC_FLOAT_BF16, 3.3895313892515355e38, 0x7f7f},
        {MLC_FLOAT_TF32, 1.0, 0x1fc00},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mlc_float_from_double(cases[i].kind, cases[i].value).lo, cases[i].bits);
}

static void
special_values(void **state)
{
    (void)state;
    for (int i = 0; i < MLC_FLOAT_NUM_KINDS; i++) {
        MlcFloatKind kind = (MlcFloatKind)i;
        bool has_nan = mlc_float_info(kind)->specials != MLC_FLOAT_SPECIALS_NONE;
        bool has_inf = mlc_float_info(kind)->specials == MLC_FLOAT_SPECIALS_IEEE;
        assert_int_equal(mlc_float_is_nan(mlc_float_nan(kind)), has_nan);
        assert_int_equal(mlc_float_is_inf(mlc_float_inf(kind, true)), has_inf);
        assert_int_equal(mlc_float_is_nan(mlc_float_from_double(kind, NAN)), has_nan);
        MlcFloat largest = mlc_float_largest(kind, false), zero = mlc_float_from_double(kind, 0);
        assert_int_equal(mlc_float_compare(largest, zero), 1);
        if (kind == MLC_FLOAT_F8E8M0FNU) // neither signs nor 0
            continue;
        assert_int_equal(mlc_float_compare(mlc_float_neg(largest), zero), -1);
        assert_true(mlc_float_same_bits(mlc_float_abs(mlc_float_neg(largest)), largest));
        assert_true(mlc_float_is_zero(mlc_float_neg(zero)));
        if (has_nan)
            assert_int_equal(mlc_float_compare(mlc_float_nan(kind), zero), 2);
        if (has_inf)
            assert_int_equal(mlc_float_compare(mlc_float_inf(kind, false), largest), 1);
    }
}

static void
prints_as_mlir(void **state)
{
    (void)state;
    assert_prints(mlc_float_from_double(MLC_FLOAT_F32, 1.0), "1.000000e+00");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F32, -0.0), "-0.000000e+00");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F32, 0.7), "0.699999988");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F32, 3.14159274), "3.14159274");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F32, 1.1e-7), "1.100000e-07");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F32, 1.23456789e-5), "1.23456794E-5");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F32, 16777216.0), "0x4B800000");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F64, 0.1), "1.000000e-01");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F64, 1.0 / 3.0), "0.33333333333333331");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F128, 0.1),
                  "0.100000000000000005551115123125782702");
    assert_prints(mlc_float_inf(MLC_FLOAT_F16, true), "0xFC00");
    assert_prints(mlc_float_nan(MLC_FLOAT_BF16), "0x7FC0");
    assert_prints(mlc_float_inf(MLC_FLOAT_F80, false), "0x7FFF8000000000000000");
    assert_prints(mlc_float_from_double(MLC_FLOAT_F8E4M3FN, 0.1), "1.015630e-01");
}

static void
parsing_rounds_once(void **state)
{
    (void)state;
    // A hair above the middle of two f16 (f32): the double nearest to it is the middle itself.
    assert_int_equal(parse(MLC_FLOAT_F16, "1.00048828125000000000000000001").lo, 0x3c01);
    assert_int_equal(parse(MLC_FLOAT_F16, "1.00048828125").lo, 0x3c00);
    assert_int_equal(parse(MLC_FLOAT_F32, "1.00000005960464477539062500000001").lo, 0x3f800001);
    MlcFloat literal;
    assert_true(mlc_float_parse_literal(MLC_FLOAT_F16, mlc_str("1.00048828125000000000000000001"),
                                        &literal));
    assert_int_equal(literal.lo, 0x3c00);
    assert_true(parse(MLC_FLOAT_F64, "4.9406564584124654e-324").lo == 1);
    assert_true(parse(MLC_FLOAT_F64, "2.4703282292062327208299493e-324").lo == 0);
    assert_true(parse(MLC_FLOAT_F64, "2.4703282292062328e-324").lo == 1);
    assert_true(mlc_float_is_inf(parse(MLC_FLOAT_F128, "1e999999999999999999999")));
    assert_true(mlc_float_is_zero(parse(MLC_FLOAT_F128, "1e-999999999999999999999")));
    assert_true(mlc_float_is_zero(parse(MLC_FLOAT_F32, "0.0e+30")));
    assert_true(parse(MLC_FLOAT_F64, "+17.").lo == parse(MLC_FLOAT_F64, "0.17e2").lo);
}

static void
very_long_literals(void **state)
{
    (void)state;
    // 1.625 is the middle of 1.5 and 1.75 in f8E5M2: the 1 behind 100,000 zeros breaks the tie.
    MlcBuf text = {0};
    mlc_buf_append_c(&text, "1.625");
    mlc_buf_append_repeated(&text, '0', 100000);
    assert_int_equal(parse(MLC_FLOAT_F8E5M2, mlc_buf_c_str(&text)).lo, 0x3e);
    mlc_buf_append_char(&text, '1');
    assert_int_equal(parse(MLC_FLOAT_F8E5M2, mlc_buf_c_str(&text)).lo, 0x3f);
    mlc_buf_clear(&text);
    mlc_buf_append_repeated(&text, '9', 100000);
    mlc_buf_append_c(&text, "e-99999");
    assert_true(mlc_float_to_double(parse(MLC_FLOAT_F128, mlc_buf_c_str(&text))) == 10.0);
    mlc_buf_release(&text);
}

static void
parsing_refuses_other_forms(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "-",   ".",    "e5",   "1e",   "1e+", "1.2.3",
                                        "0x1", "inf", "1.0f", " 1.0", "1.0 ", "nan", "--1"};
    MlcFloat out;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(mlc_float_parse(MLC_FLOAT_F64, mlc_str(texts[i]), &out));
}

static void
integers(void **state)
{
    (void)state;
    int64_t out;
    assert_true(mlc_float_from_int(MLC_FLOAT_F32, 16777217).lo == 0x4b800000);
    assert_true(mlc_float_to_double(mlc_float_from_int(MLC_FLOAT_F80, INT64_MIN)) == -0x1p63);
    assert_true(mlc_float_try_as_int(mlc_float_from_int(MLC_FLOAT_F128, INT64_MAX), &out));
    assert_true(out == INT64_MAX);
    assert_true(mlc_float_try_as_int(mlc_float_from_double(MLC_FLOAT_F32, -2.9), &out));
    assert_int_equal(out, -2);
    assert_true(mlc_float_try_as_int(mlc_float_from_double(MLC_FLOAT_F64, -0x1p63), &out));
    assert_false(mlc_float_try_as_int(mlc_float_from_double(MLC_FLOAT_F64, 0x1p63), &out));
    assert_false(mlc_float_try_as_int(mlc_float_nan(MLC_FLOAT_F16), &out));
}

static void
arithmetic(void **state)
{
    (void)state;
    MlcFloat third =
        mlc_float_div(mlc_float_from_int(MLC_FLOAT_F128, 1), mlc_float_from_int(MLC_FLOAT_F128, 3));
    assert_true(third.hi == UINT64_C(0x3ffd555555555555) &&
                third.lo == UINT64_C(0x5555555555555555));
    for (int kind = 0; kind < MLC_FLOAT_F8E8M0FNU; kind++) // which has no 0
        for (int i = 0; i < 1000; i++) {
            MlcFloat a = random_float((MlcFloatKind)kind), b = random_float((MlcFloatKind)kind);
            if (mlc_float_is_nan(a) || mlc_float_is_inf(a) || mlc_float_is_nan(b))
                continue;
            assert_true(mlc_float_is_zero(mlc_float_sub(a, a)));
            assert_true(mlc_float_same_bits(mlc_float_add(a, b), mlc_float_add(b, a)));
            assert_true(mlc_float_same_bits(mlc_float_mul(a, b), mlc_float_mul(b, a)));
            if (!mlc_float_is_zero(a))
                assert_true(mlc_float_to_double(mlc_float_div(a, a)) == 1.0);
        }
    MlcFloat inf = mlc_float_inf(MLC_FLOAT_F80, false);
    assert_true(mlc_float_same_bits(mlc_float_sub(inf, inf), mlc_float_nan(MLC_FLOAT_F80)));
    MlcFloat inf32 = mlc_float_inf(MLC_FLOAT_F32, false);
    assert_true(mlc_float_same_bits(mlc_float_sub(inf32, inf32), mlc_float_nan(MLC_FLOAT_F32)));
}

// The other half of softfloat_mlir.py.
static int
serve(bool parse_literals)
{
    static char name[32], text[4096];
    unsigned long long high = 0, low = 0;
    MlcBuf buf = {0};
    while (scanf("%31s", name) == 1) {
        MlcFloatKind kind;
        MlcFloat value;
        bool ok = mlc_float_kind_from_name(mlc_str(name), &kind);
        if (parse_literals) {
            ok = ok && scanf("%4095s", text) == 1 &&
                 mlc_float_parse_literal(kind, mlc_str(text), &value);
        } else {
            ok = ok && scanf("%llx %llx", &high, &low) == 2;
            value = mlc_float_from_bits(kind, low, high);
        }
        if (!ok)
            return 1;
        mlc_float_print(&buf, value);
        mlc_buf_append_char(&buf, '\n');
    }
    fwrite(buf.data, 1, buf.size, stdout);
    mlc_buf_release(&buf);
    return 0;
}

int
main(int argc, char **argv)
{
    if (argc > 1)
        return serve(strcmp(argv[1], "parse") == 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_kinds_agree),
        cmocka_unit_test(converts_like_the_machine),
        cmocka_unit_test(widening_and_back_changes_nothing),
        cmocka_unit_test(overflow_by_kind),
        cmocka_unit_test(special_values),
        cmocka_unit_test(prints_as_mlir),
        cmocka_unit_test(parsing_rounds_once),
        cmocka_unit_test(very_long_literals),
        cmocka_unit_test(parsing_refuses_other_forms),
        cmocka_unit_test(integers),
        cmocka_unit_test(arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Wide integers: laws that hold for random operands of many widths, 64 bits against the machine,
// text, edges.
#include "mlc/support/wide.h"

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

// Long runs of zeros and ones are where carries and quotient digits go wrong.
static MlcWide
random_wide(MlcArena *arena, uint32_t width)
{
    uint64_t words[64];
    for (size_t i = 0; i < 64; i++) {
        uint64_t random = next_random();
        words[i] = random % 4 == 0 ? 0 : random % 4 == 1 ? UINT64_MAX : next_random();
    }
    MlcWide a = mlc_wide_from_words(arena, width, words, 64);
    return mlc_wide_lshr(arena, a, next_random() % width);
}

static const uint32_t widths[] = {1, 7, 32, 63, 64, 65, 127, 128, 129, 192, 300, 1024, 2000};

#define FOR_EACH_WIDTH(width)                                                                      \
    for (const uint32_t *at_ = widths; at_ < widths + sizeof widths / sizeof *widths; at_++)       \
        for (uint32_t width = *at_, repeat_ = 0; repeat_ < 200; repeat_++)

static void
division_undoes_multiplication(void **state)
{
    (void)state;
    MlcArena arena = {0};
    FOR_EACH_WIDTH (width) {
        mlc_arena_reset(&arena);
        MlcWide a = random_wide(&arena, width), b = random_wide(&arena, width);
        if (mlc_wide_is_zero(b))
            continue;
        MlcWide q = mlc_wide_udiv(&arena, a, b), r = mlc_wide_urem(&arena, a, b);
        assert_true(mlc_wide_compare_unsigned(r, b) < 0);
        MlcWide again = mlc_wide_add(&arena, mlc_wide_mul(&arena, q, b), r);
        assert_true(mlc_wide_equal(again, a));
        q = mlc_wide_sdiv(&arena, a, b), r = mlc_wide_srem(&arena, a, b);
        again = mlc_wide_add(&arena, mlc_wide_mul(&arena, q, b), r);
        assert_true(mlc_wide_equal(again, a));
        assert_true(mlc_wide_is_zero(r) || mlc_wide_is_negative(r) == mlc_wide_is_negative(a));
    }
    mlc_arena_release(&arena);
}

static void
text_reads_back(void **state)
{
    (void)state;
    MlcArena arena = {0};
    MlcBuf buf = {0};
    FOR_EACH_WIDTH (width) {
        mlc_arena_reset(&arena);
        MlcWide a = random_wide(&arena, width), again;
        void (*const printers[])(MlcBuf *, MlcWide) = {mlc_wide_print_signed,
                                                       mlc_wide_print_unsigned, mlc_wide_print_hex};
        for (int i = 0; i < 3; i++) {
            mlc_buf_clear(&buf);
            printers[i](&buf, a);
            assert_true(mlc_wide_parse(&arena, width, mlc_buf_str(&buf), &again));
            assert_true(mlc_wide_equal(a, again));
        }
    }
    mlc_buf_release(&buf);
    mlc_arena_release(&arena);
}

static void
shifts_and_extensions_agree(void **state)
{
    (void)state;
    MlcArena arena = {0};
    FOR_EACH_WIDTH (width) {
        mlc_arena_reset(&arena);
        MlcWide a = random_wide(&arena, width);
        uint32_t amount = (uint32_t)(next_random() % (width + 2));
        // ashr is lshr of the sign-extended value.
        MlcWide wide = mlc_wide_sext(&arena, a, width + amount);
        MlcWide shifted = mlc_wide_trunc(&arena, mlc_wide_lshr(&arena, wide, amount), width);
        assert_true(mlc_wide_equal(shifted, mlc_wide_ashr(&arena, a, amount)));
        // shl is multiplication by two, again and again.
        MlcWide doubled = a;
        for (uint32_t i = 0; i < amount; i++)
            doubled = mlc_wide_add(&arena, doubled, doubled);
        assert_true(mlc_wide_equal(doubled, mlc_wide_shl(&arena, a, amount)));
        assert_int_equal(mlc_wide_popcount(a) + mlc_wide_popcount(mlc_wide_not(&arena, a)), width);
        assert_int_equal(mlc_wide_active_bits(a) + mlc_wide_count_leading_zeros(a), width);
    }
    mlc_arena_release(&arena);
}

static void
narrow_values_agree_with_the_machine(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; i++) {
        int64_t x = (int64_t)next_random() >> next_random() % 64;
        int64_t y = (int64_t)next_random() >> next_random() % 64;
        MlcWide a = mlc_wide_from_int(NULL, 64, x), b = mlc_wide_from_int(NULL, 64, y);
        assert_true(mlc_wide_low_int(mlc_wide_sub(NULL, a, b)) ==
                    (int64_t)((uint64_t)x - (uint64_t)y));
        assert_int_equal(mlc_wide_compare_signed(a, b), (x > y) - (x < y));
        assert_int_equal(mlc_wide_compare_unsigned(a, b),
                         ((uint64_t)x > (uint64_t)y) - ((uint64_t)x < (uint64_t)y));
        if (y == 0 || (x == INT64_MIN && y == -1))
            continue;
        assert_true(mlc_wide_low_int(mlc_wide_sdiv(NULL, a, b)) == x / y);
        assert_true(mlc_wide_low_int(mlc_wide_srem(NULL, a, b)) == x % y);
    }
}

static void
edges(void **state)
{
    (void)state;
    MlcArena arena = {0};
    MlcWide least = mlc_wide_signed_min(&arena, 100), minus_one = mlc_wide_all_ones(&arena, 100);
    assert_true(mlc_wide_equal(mlc_wide_sdiv(&arena, least, minus_one), least));
    assert_true(mlc_wide_is_zero(mlc_wide_srem(&arena, least, minus_one)));
    assert_true(mlc_wide_equal(
        mlc_wide_add(&arena, mlc_wide_signed_max(&arena, 100), mlc_wide_from_int(&arena, 100, 1)),
        least));
    int64_t small;
    uint64_t unsigned_small;
    assert_true(mlc_wide_try_as_int(minus_one, &small));
    assert_int_equal(small, -1);
    assert_false(mlc_wide_try_as_uint(minus_one, &unsigned_small));
    assert_false(mlc_wide_try_as_int(least, &small));
    assert_true(mlc_wide_is_zero(mlc_wide_shl(&arena, minus_one, UINT64_MAX)));
    assert_true(mlc_wide_equal(mlc_wide_ashr(&arena, least, 1000), minus_one));
    unsigned char bytes[13];
    mlc_wide_to_bytes(least, bytes);
    assert_int_equal(bytes[12], 8);
    assert_true(mlc_wide_equal(mlc_wide_from_bytes(&arena, 100, bytes, sizeof bytes), least));
    mlc_arena_release(&arena);
}

static void
parsing_checks_the_range(void **state)
{
    (void)state;
    MlcArena arena = {0};
    static const struct {
        uint32_t width;
        const char *text;
        bool fits;
    } cases[] = {
        {8, "255", true},
        {8, "256", false},
        {8, "-128", true},
        {8, "-129", false},
        {8, "0xFF", true},
        {8, "0x100", false},
        {8, "", false},
        {8, "-", false},
        {8, "0x", false},
        {8, "1a", false},
        {8, "+7", true},
        {8, "0000000000000001", true},
        {1, "-1", true},
        {1, "1", true},
        {1, "-2", false},
        {64, "18446744073709551615", true},
        {64, "18446744073709551616", false},
        {128, "340282366920938463463374607431768211455", true},
        {128, "340282366920938463463374607431768211456", false},
        {128, "-170141183460469231731687303715884105728", true},
        {128, "-170141183460469231731687303715884105729", false},
    };
    MlcWide out;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mlc_wide_parse(&arena, cases[i].width, mlc_str(cases[i].text), &out),
                         cases[i].fits);
    assert_int_equal(mlc_wide_parse_bits(mlc_str("256")), 9);
    assert_int_equal(mlc_wide_parse_bits(mlc_str("-256")), 9);
    assert_int_equal(mlc_wide_parse_bits(mlc_str("-257")), 10);
    assert_int_equal(mlc_wide_parse_bits(mlc_str("0")), 1);
    assert_int_equal(mlc_wide_parse_bits(mlc_str("x")), 0);
    mlc_arena_release(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(division_undoes_multiplication),
        cmocka_unit_test(text_reads_back),
        cmocka_unit_test(shifts_and_extensions_agree),
        cmocka_unit_test(narrow_values_agree_with_the_machine),
        cmocka_unit_test(edges),
        cmocka_unit_test(parsing_checks_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

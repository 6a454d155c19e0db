// int_ranges.c -- every transfer function on all ranges and numbers of three bits, and the analysis
// on IR that says what it expects.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "mlc/analysis/dataflow.h"
#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/int_range.h"

enum { WIDTH = 3, COUNT = 1 << WIDTH };

static int64_t
as_signed(uint64_t x)
{
    return x >= COUNT / 2 ? (int64_t)x - COUNT : (int64_t)x;
}

static bool
holds(MlcRange r, uint64_t x)
{
    return r.width == WIDTH && x >= r.umin && x <= r.umax && as_signed(x) >= r.smin &&
           as_signed(x) <= r.smax;
}

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// What an op gives, before it is cut to the width; false: undefined.
typedef bool (*Meaning)(int64_t a, int64_t b, int64_t *out);
#define MEANING(name, is_defined, value)                                                           \
    static bool name(int64_t a, int64_t b, int64_t *out)                                           \
    {                                                                                              \
        if (!(is_defined))                                                                         \
            return false;                                                                          \
        *out = (value);                                                                            \
        return true;                                                                               \
    }
MEANING(add, true, a + b)
MEANING(sub, true, a - b)
MEANING(mul, true, a *b)
MEANING(shl, b >= 0 && b < WIDTH, a *(INT64_C(1) << b))
MEANING(quotient, b != 0, a / b)
MEANING(quotient_up, b != 0, -floor_div(-a, b))
MEANING(quotient_down, b != 0, floor_div(a, b))
MEANING(remainder_of, b != 0, a % b)
MEANING(least, true, a < b ? a : b)
MEANING(most, true, a > b ? a : b)
MEANING(bits_and, true, a &b)
MEANING(bits_or, true, a | b)
MEANING(bits_xor, true, a ^ b)
MEANING(shift_right, b >= 0 && b < WIDTH, a >> b)

static const struct {
    const char *name;
    MlcRangeFn fn;
    Meaning meaning;
    enum { UNSIGNED = 1, SIGNED = 2, EITHER = 3, AMOUNT = 4 } reading; // AMOUNT: b is unsigned
    bool has_flags;
} functions[] = {
    {"add", mlc_range_add, add, EITHER, true},
    {"sub", mlc_range_sub, sub, EITHER, true},
    {"mul", mlc_range_mul, mul, EITHER, true},
    {"shl", mlc_range_shl, shl, EITHER | AMOUNT, true},
    {"divu", mlc_range_divu, quotient, UNSIGNED, false},
    {"divs", mlc_range_divs, quotient, SIGNED, false},
    {"ceildivu", mlc_range_ceildivu, quotient_up, UNSIGNED, false},
    {"ceildivs", mlc_range_ceildivs, quotient_up, SIGNED, false},
    {"floordivs", mlc_range_floordivs, quotient_down, SIGNED, false},
    {"remu", mlc_range_remu, remainder_of, UNSIGNED, false},
    {"rems", mlc_range_rems, remainder_of, SIGNED, false},
    {"minu", mlc_range_minu, least, UNSIGNED, false},
    {"mins", mlc_range_mins, least, SIGNED, false},
    {"maxu", mlc_range_maxu, most, UNSIGNED, false},
    {"maxs", mlc_range_maxs, most, SIGNED, false},
    {"and", mlc_range_and, bits_and, UNSIGNED, false},
    {"or", mlc_range_or, bits_or, UNSIGNED, false},
    {"xor", mlc_range_xor, bits_xor, UNSIGNED, false},
    {"shru", mlc_range_shru, shift_right, UNSIGNED, false},
    {"shrs", mlc_range_shrs, shift_right, SIGNED | AMOUNT, false},
};

// All ranges by unsigned bounds, then all by signed ones.
static size_t
all_ranges(MlcRange *ranges)
{
    size_t n = 0;
    for (int64_t min = 0; min < COUNT; min++)
        for (int64_t max = min; max < COUNT; max++) {
            ranges[n++] = mlc_range_unsigned(WIDTH, (uint64_t)min, (uint64_t)max);
            ranges[n++] = mlc_range_signed(WIDTH, min - COUNT / 2, max - COUNT / 2);
        }
    return n;
}

// Read one way; false if the op is undefined there, or overflows where flags say it does not.
static bool
result_of(size_t f, bool is_signed, uint64_t a, uint64_t b, unsigned flags, uint64_t *out)
{
    int64_t x = is_signed ? as_signed(a) : (int64_t)a, exact;
    int64_t y = is_signed && !(functions[f].reading & AMOUNT) ? as_signed(b) : (int64_t)b;
    if (!functions[f].meaning(x, y, &exact))
        return false;
    int64_t min = is_signed ? -COUNT / 2 : 0, max = min + COUNT - 1;
    if ((exact < min || exact > max) && (flags & (is_signed ? MLC_RANGE_NSW : MLC_RANGE_NUW)))
        return false;
    *out = (uint64_t)exact & (COUNT - 1);
    return true;
}

static void
check_values(size_t f, MlcRange a, MlcRange b, unsigned flags)
{
    MlcRange r = functions[f].fn(a, b, flags);
    for (uint64_t x = 0; x < COUNT; x++)
        for (uint64_t y = 0; y < COUNT; y++) {
            uint64_t u = 0, s = 0;
            if (!holds(a, x) || !holds(b, y) ||
                ((functions[f].reading & UNSIGNED) && !result_of(f, false, x, y, flags, &u)) ||
                ((functions[f].reading & SIGNED) && !result_of(f, true, x, y, flags, &s)))
                continue;
            uint64_t value = functions[f].reading & UNSIGNED ? u : s;
            if (!holds(r, value))
                fail_msg("%s(%d, %d) = %d, flags %u, is not in [%d, %d] [%d, %d]",
                         functions[f].name, (int)x, (int)y, (int)value, flags, (int)r.umin,
                         (int)r.umax, (int)r.smin, (int)r.smax);
        }
}

static void
test_functions(void **state)
{
    (void)state;
    MlcRange ranges[2 * COUNT * COUNT];
    size_t n = all_ranges(ranges);
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (unsigned flags = 0; flags < (functions[f].has_flags ? 4 : 1); flags++)
                    check_values(f, ranges[i], ranges[j], flags);
}

static bool
compare(MlcPredicate predicate, uint64_t a, uint64_t b)
{
    int64_t x = as_signed(a), y = as_signed(b);
    bool truth[] = {a == b, a != b, x<y, x <= y, x> y, x >= y, a<b, a <= b, a> b, a >= b};
    return truth[predicate];
}

static void
test_comparisons(void **state)
{
    (void)state;
    MlcRange ranges[2 * COUNT * COUNT];
    size_t n = all_ranges(ranges), num_known = 0;
    for (size_t i = 0; i < n * n * 10; i++) {
        MlcRange a = ranges[i / 10 / n], b = ranges[i / 10 % n];
        MlcPredicate predicate = (MlcPredicate)(i % 10);
        int known = mlc_range_compare(predicate, a, b);
        num_known += known >= 0;
        for (uint64_t x = 0; x < COUNT && known >= 0; x++)
            for (uint64_t y = 0; y < COUNT; y++)
                assert_true(!holds(a, x) || !holds(b, y) || compare(predicate, x, y) == known);
    }
    assert_true(num_known > n * n);
}

static void
test_widths(void **state)
{
    (void)state;
    MlcRange ranges[2 * COUNT * COUNT];
    size_t n = all_ranges(ranges);
    for (size_t i = 0; i < n; i++)
        for (uint64_t x = 0; x < COUNT; x++) {
            if (!holds(ranges[i], x))
                continue;
            MlcRange zero = mlc_range_zero_extend(ranges[i], 64);
            MlcRange sign = mlc_range_sign_extend(ranges[i], 64);
            MlcRange cut = mlc_range_truncate(ranges[i], 2);
            int64_t low = (int64_t)(x & 3) - (x & 2 ? 4 : 0);
            assert_true(x >= zero.umin && x <= zero.umax && zero.smin >= 0);
            assert_true(as_signed(x) >= sign.smin && as_signed(x) <= sign.smax);
            assert_true((x & 3) >= cut.umin && (x & 3) <= cut.umax);
            assert_true(low >= cut.smin && low <= cut.smax);
        }
}

// --- the analysis: ops say what the range of their first result is, as signed numbers

static char source[] =
    "func.func @sum(%a: i8) {\n"
    "  %c15 = arith.constant {want = array<i64: 15, 15>} 15 : i8\n"
    "  %low = arith.andi %a, %c15 {want = array<i64: 0, 15>} : i8\n"
    "  %sum = arith.addi %low, %c15 {want = array<i64: 15, 30>} : i8\n"
    "  %wide = arith.extsi %sum {want = array<i64: 15, 30>} : i8 to i32\n"
    "  %is = arith.cmpi ult, %low, %sum {want = array<i64: -1, 0>} : i8\n"
    "  return\n"
    "}\n"
    "func.func @loops(%n: index, %k: i32) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c10 = arith.constant 10 : index\n"
    "  scf.for %i = %c0 to %c10 step %c1 {\n"
    "    %j = arith.addi %i, %c0 {want = array<i64: 0, 9>} : index\n"
    "    scf.for %l = %i to %c10 step %c1 {\n"
    "      %m = arith.subi %l, %c1 {want = array<i64: -1, 8>} : index\n"
    "    }\n"
    "  }\n"
    "  affine.for %i = 2 to min affine_map<(d0) -> (d0, 7)>(%n) {\n"
    "    %j = affine.apply affine_map<(d0) -> (2 * d0)>(%i) {want = array<i64: 4, 12>}\n"
    "  }\n"
    "  affine.parallel (%i, %j) = (0, 1) to (4, 6) {\n"
    "    %k2 = arith.addi %i, %j {want = array<i64: 1, 8>} : index\n"
    "  }\n"
    "  scf.forall (%i) in (16) {\n"
    "    %j = arith.shli %i, %c1 {want = array<i64: 0, 30>} : index\n"
    "  }\n"
    "  %grown = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c1) -> (index) {\n"
    "    %y = arith.addi %x, %c1 {want = array<i64: -9223372036854775808, 9223372036854775807>} : "
    "index\n"
    "    scf.yield %y : index\n"
    "  }\n"
    "  return\n"
    "}\n"
    "func.func @shapes(%m: memref<4x?x8xf32>, %x: i1, %v: vector<4xi8>) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c2 = arith.constant 2 : index\n"
    "  %three = arith.constant dense<[1, 2, 3, 3]> : vector<4xi8>\n"
    "  %d = memref.dim {want = array<i64: 4, 4>} %m, %c0 : memref<4x?x8xf32>\n"
    "  %e = arith.select %x, %c0, %c2 {want = array<i64: 0, 2>} : index\n"
    "  %f = memref.dim {want = array<i64: 0, 9223372036854775807>} %m, %e : memref<4x?x8xf32>\n"
    "  %g = arith.addi %three, %three {want = array<i64: 2, 6>} : vector<4xi8>\n"
    "  %h = arith.remui %v, %three {want = array<i64: 0, 2>} : vector<4xi8>\n"
    "  return\n"
    "}\n"
    "gpu.module @m {\n"
    "  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 8, 12, 16>} {\n"
    "    %x = gpu.thread_id x {want = array<i64: 0, 7>}\n"
    "    %y = gpu.block_dim y {want = array<i64: 12, 12>}\n"
    "    %b = gpu.block_id x {want = array<i64: 0, 4294967294>}\n"
    "    %u = gpu.block_id x upper_bound 5 {want = array<i64: 0, 4>}\n"
    "    %g = gpu.global_id z {want = array<i64: 0, 68719476719>}\n"
    "    gpu.return\n"
    "  }\n"
    "}\n\0";

static void
test_analysis(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    MlcOp *module = mlc_parse_module(ctx, mlc_str(source), mlc_str("source"));
    assert_non_null(module);
    MlcSolver *solver = mlc_solver_create(module);
    mlc_solver_add_int_ranges(solver);
    mlc_solver_run(solver);
    size_t num_wanted = 0;
    MLC_FOR_EACH_PREORDER (op, module) {
        MlcAttr want = mlc_op_attr(op, "want");
        if (!want)
            continue;
        MlcRange range;
        num_wanted++;
        assert_true(mlc_solver_int_range(solver, mlc_op_result(op, 0), &range));
        if (range.smin != mlc_dense_array_attr_int(want, 0) ||
            range.smax != mlc_dense_array_attr_int(want, 1))
            fail_msg("wanted op %zu: [%" PRIi64 ", %" PRIi64 "]", num_wanted, range.smin,
                     range.smax);
    }
    assert_int_equal(num_wanted, 21);
    mlc_solver_destroy(solver);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_analysis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

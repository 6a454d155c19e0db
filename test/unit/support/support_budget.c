// Durations as they are written, and what is left of a budget.
#include "mlc/support/budget.h"
#include "mlc/support/clock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void
durations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t nanoseconds; // 0: refused
    } cases[] = {{"10s", 10000000000},
                 {"500ms", 500000000},
                 {"1.5s", 1500000000},
                 {"10", 10000000000},
                 {".25", 250000000},
                 {"0", 0},
                 {"0s", 0},
                 {"", 0},
                 {"s", 0},
                 {"-1s", 0},
                 {"10m", 0},
                 {"10 s", 0},
                 {"1e3s", 0},
                 {"1.2.3", 0},
                 {"nan", 0},
                 {".", 0},
                 {"99999999999999", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t got = 0;
        assert_int_equal(mlc_parse_duration(mlc_str(cases[i].text), &got),
                         cases[i].nanoseconds > 0);
        assert_int_equal(got, cases[i].nanoseconds);
    }
}

static void
what_is_left(void **state)
{
    (void)state;
    MlcBudget hour = mlc_budget_start(INT64_C(3600) * 1000000000), none = mlc_budget_start(1);
    assert_true(mlc_budget_left(&hour) > INT64_C(3000) * 1000000000);
    assert_true(mlc_budget_left(&hour) <= hour.nanoseconds);
    while (mlc_clock_wall() <= none.start + 1)
        ;
    assert_true(mlc_budget_left(&none) <= 0);
    assert_true(mlc_budget_left(NULL) == INT64_MAX);
    mlc_budget_leave_out(&none);
    mlc_budget_leave_out(&none);
    assert_int_equal(mlc_budget_left_out(&none), 2);
    assert_int_equal(mlc_budget_left_out(&hour), 0);
    assert_int_equal(mlc_budget_left_out(NULL), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

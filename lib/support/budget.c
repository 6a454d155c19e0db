// budget.c -- see mlc/support/budget.h.
#include "mlc/support/budget.h"

#include "mlc/support/clock.h"

#include <stdlib.h>

MlcBudget
mlc_budget_start(int64_t nanoseconds)
{
    return (MlcBudget){.start = mlc_clock_wall(), .nanoseconds = nanoseconds};
}

int64_t
mlc_budget_left(const MlcBudget *budget)
{
    return budget ? budget->nanoseconds - (mlc_clock_wall() - budget->start) : INT64_MAX;
}

void
mlc_budget_leave_out(MlcBudget *budget)
{
    __atomic_fetch_add(&budget->left_out, 1, __ATOMIC_RELAXED);
}

int64_t
mlc_budget_left_out(const MlcBudget *budget)
{
    return budget ? __atomic_load_n(&budget->left_out, __ATOMIC_RELAXED) : 0;
}

bool
mlc_parse_duration(MlcStr text, int64_t *nanoseconds)
{
    static const struct {
        const char *name;
        double nanoseconds;
    } units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}};
    char copy[32];
    if (text.size == 0 || text.size >= sizeof copy)
        return false;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    size_t digits = strspn(copy, "0123456789.");
    char unit[sizeof copy], *end;
    memcpy(unit, copy + digits, sizeof copy - digits);
    copy[digits] = '\0';
    double value = strtod(copy, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units && end != copy && *end == '\0'; i++) {
        double all = value * units[i].nanoseconds;
        if (strcmp(unit, units[i].name) == 0 && all >= 1 && all < 1e18)
            return *nanoseconds = (int64_t)all, true;
    }
    return false;
}

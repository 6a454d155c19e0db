// budget.c -- see mlc/support/budget.h.
#include "mlc/support/budget.h"

#include <stdlib.h>
#include <time.h>

int64_t
mlc_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

MlcBudget
mlc_budget_start(int64_t nanoseconds)
{
    return (MlcBudget){.start = mlc_nanoseconds(), .nanoseconds = nanoseconds};
}

int64_t
mlc_budget_left(const MlcBudget *budget)
{
    return budget ? budget->nanoseconds - (mlc_nanoseconds() - budget->start) : INT64_MAX;
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
    for (size_t i = 0; i < sizeof units / sizeof *units && end != copy && *end == '\0'; ++i) {
        double all = value * units[i].nanoseconds;
        if (strcmp(unit, units[i].name) == 0 && all >= 1 && all < 1e18)
            return *nanoseconds = (int64_t)all, true;
    }
    return false;
}

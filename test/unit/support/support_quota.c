// Quotas: what is counted, in which threads, who is told and once, and what is said.
#include "mlc/support/quota.h"

#include "mlc/support/arena.h"
#include "mlc/support/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static MlcQuotaKind told;
static int num_told;

static void
hear(MlcQuotaKind kind, void *user)
{
    assert_ptr_equal(user, &told);
    told = kind;
    num_told++;
}

static MlcQuota *
begin(MlcQuotaLimits limits)
{
    told = MLC_QUOTA_NONE;
    num_told = 0;
    return mlc_quota_begin(&limits, hear, &told);
}

static void
what_is_given_back_counts_no_more(void **state)
{
    (void)state;
    MlcQuota *quota = begin((MlcQuotaLimits){.memory = 2 * MIB});
    for (int i = 0; i < 10; i++) {
        void *memory = mlc_malloc(MIB);
        memory = mlc_realloc(memory, MIB + MIB / 2);
        mlc_free(memory);
        mlc_free(mlc_calloc(MIB, 1));
        mlc_free(mlc_aligned_alloc(64, MIB));
        MlcArena arena = {0};
        for (int k = 0; k < 100; k++)
            memset(mlc_arena_alloc(&arena, 1000, 8), 0, 1000);
        mlc_arena_release(&arena);
    }
    mlc_free(NULL);
    assert_int_equal(mlc_quota_exceeded(quota), MLC_QUOTA_NONE);
    assert_false(mlc_quota_is_over());
    mlc_quota_end(quota);
    mlc_quota_end(NULL);
}

static void
small_things_add_up(void **state)
{
    (void)state;
    MlcQuota *quota = begin((MlcQuotaLimits){.memory = MIB});
    MlcArena arena = {0};
    size_t held = 0;
    for (; !mlc_quota_is_over(); held += 100)
        memset(mlc_arena_alloc(&arena, 100, 4), 0, 100);
    assert_in_range(held, MIB / 8, MIB + MIB / 2);
    assert_int_equal(mlc_quota_exceeded(quota), MLC_QUOTA_MEMORY);
    assert_int_equal(told, MLC_QUOTA_MEMORY);
    assert_int_equal(num_told, 1);
    mlc_arena_release(&arena);
    mlc_quota_end(quota);
    assert_false(mlc_quota_is_over());
}

static void
what_is_large_is_told_before(void **state)
{
    (void)state;
    MlcQuota *quota = begin((MlcQuotaLimits){.memory = MIB});
    mlc_free(mlc_malloc(MIB + 1));
    assert_int_equal(told, MLC_QUOTA_MEMORY);
    mlc_quota_end(quota);
}

static void
take_some(void *user, size_t i, unsigned worker)
{
    (void)worker;
    ((void **)user)[i] = mlc_malloc(MIB / 16);
}

static void
loops_that_are_shared_out_count(void **state)
{
    (void)state;
    void *taken[32];
    for (unsigned threads = 1; threads <= 3; threads++) {
        MlcPool *pool = mlc_pool_create(threads);
        MlcQuota *quota = begin((MlcQuotaLimits){.memory = MIB});
        mlc_parallel_for(pool, 32, take_some, taken);
        assert_int_equal(mlc_quota_exceeded(quota), MLC_QUOTA_MEMORY);
        assert_int_equal(num_told, 1);
        for (size_t i = 0; i < 32; i++)
            mlc_free(taken[i]);
        mlc_quota_end(quota);
        mlc_pool_destroy(pool);
    }
}

static void
ops_count_when_they_are_made(void **state)
{
    (void)state;
    MlcQuota *outer = begin((MlcQuotaLimits){.ops = 3}),
             *inner = mlc_quota_begin(&(MlcQuotaLimits){.ops = 2}, NULL, NULL);
    for (int i = 0; i < 2; i++)
        mlc_quota_count_op();
    assert_false(mlc_quota_is_over());
    mlc_quota_count_op();
    assert_int_equal(mlc_quota_exceeded(inner), MLC_QUOTA_OPS);
    assert_int_equal(mlc_quota_exceeded(outer), MLC_QUOTA_NONE);
    mlc_quota_end(inner);
    assert_false(mlc_quota_is_over());
    mlc_quota_count_op();
    assert_true(mlc_quota_is_over());
    mlc_quota_end(outer);
}

static void
time_is_told_where_it_is_looked_at(void **state)
{
    (void)state;
    MlcQuota *quota = begin((MlcQuotaLimits){.nanoseconds = 1});
    while (!mlc_quota_is_over())
        ;
    assert_int_equal(told, MLC_QUOTA_TIME);
    mlc_quota_end(quota);
}

static void
limits_in_words(void **state)
{
    (void)state;
    static const struct {
        MlcQuotaLimits limits;
        MlcQuotaKind kind;
        const char *text;
    } cases[] = {
        {{.memory = 64 * MIB}, MLC_QUOTA_MEMORY, "on memory, 64 MiB (--max-memory)"},
        {{.memory = 1000}, MLC_QUOTA_MEMORY, "on memory, 1000 bytes (--max-memory)"},
        {{.ops = 7}, MLC_QUOTA_OPS, "on ops made, 7 (--max-ops)"},
        {{.nanoseconds = 1500000000}, MLC_QUOTA_TIME, "on time, 1.5 s (--max-seconds)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MlcBuf text = {0};
        mlc_quota_describe(&cases[i].limits, cases[i].kind, &text);
        assert_string_equal(mlc_buf_c_str(&text) + strlen("went beyond the limit "), cases[i].text);
        mlc_buf_release(&text);
    }
}

static void
tell(void *user, size_t i, unsigned worker)
{
    (void)i, (void)worker;
    mlc_quota_task_tell(user, 64);
}

static void
the_newest_task_is_told(void **state)
{
    (void)state;
    char text[64];
    MlcQuotaTask outer, inner;
    mlc_quota_task_begin(&outer, "pass", "a", "t.mlir:1:1"); // no quota: not listed
    assert_false(mlc_quota_task_tell(text, sizeof text));
    mlc_quota_task_end(&outer);
    MlcQuota *quota = begin((MlcQuotaLimits){.ops = 1});
    mlc_quota_task_begin(&outer, "pass", "a", "t.mlir:1:1");
    mlc_quota_task_begin(&inner, "reading", NULL, NULL);
    assert_true(mlc_quota_task_tell(text, sizeof text));
    assert_string_equal(text, "error: reading");
    mlc_quota_task_end(&inner);
    MlcPool *pool = mlc_pool_create(2);
    mlc_parallel_for(pool, 1, tell, text);
    assert_string_equal(text, "t.mlir:1:1: error: pass 'a'");
    mlc_pool_destroy(pool);
    mlc_quota_task_end(&outer);
    assert_false(mlc_quota_task_tell(text, sizeof text));
    mlc_quota_end(quota);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_back_counts_no_more),
        cmocka_unit_test(small_things_add_up),
        cmocka_unit_test(what_is_large_is_told_before),
        cmocka_unit_test(loops_that_are_shared_out_count),
        cmocka_unit_test(ops_count_when_they_are_made),
        cmocka_unit_test(time_is_told_where_it_is_looked_at),
        cmocka_unit_test(limits_in_words),
        cmocka_unit_test(the_newest_task_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

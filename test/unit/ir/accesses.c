// accesses.c -- what built-in records say of accesses of memory fits together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/interfaces.h"

static const MlcMemoryAccess *
access_of(const MlcOpDef *def)
{
    return mlc_op_def_interface(def, MLC_INTERFACE_ACCESS);
}

// One of the two has a map; each names the other; groups of the same roles are of one number.
static void
twins_name_each_other(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    size_t num_twins = 0;
    for (size_t i = 0; i < mlc_context_num_dialects(ctx); i++) {
        const MlcDialectDef *dialect = mlc_context_dialect_at(ctx, i);
        for (size_t k = 0; k < dialect->num_ops; k++) {
            const MlcMemoryAccess *access = access_of(dialect->ops[k]), *other;
            if (!access || !access->twin)
                continue;
            const MlcOpDef *twin = mlc_context_op(ctx, mlc_str(access->twin));
            assert_non_null(twin);
            other = access_of(twin);
            assert_non_null(other);
            assert_string_equal(other->twin, dialect->ops[k]->name);
            assert_true(!access->map == !!other->map);
            assert_int_equal(access->memref, other->memref);
            assert_int_equal(access->indices, other->indices);
            assert_int_equal(access->value, other->value);
            assert_int_equal(access->is_write, other->is_write);
            num_twins++;
        }
    }
    assert_int_equal(num_twins, 10); // load, store, prefetch, and of vectors
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twins_name_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

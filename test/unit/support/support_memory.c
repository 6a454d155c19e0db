// Arenas, checked sizes, growable arrays, byte buffers.
#include "mlc/support/alloc.h"
#include "mlc/support/arena.h"
#include "mlc/support/buf.h"
#include "mlc/support/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
checked_sizes(void **state)
{
    (void)state;
    size_t out;
    assert_true(mlc_mul_size(3, 4, &out));
    assert_int_equal(out, 12);
    assert_false(mlc_mul_size(SIZE_MAX / 2, 3, &out));
    assert_true(mlc_add_size(SIZE_MAX - 1, 1, &out));
    assert_false(mlc_add_size(SIZE_MAX, 1, &out));
}

static jmp_buf back;

static void
jump_back(size_t size, void *user)
{
    *(size_t *)user = size;
    longjmp(back, 1);
}

static void
out_of_memory_calls_the_handler(void **state)
{
    (void)state;
    size_t asked = 0;
    mlc_set_out_of_memory_handler(jump_back, &asked);
    if (setjmp(back) == 0) {
        mlc_free(mlc_calloc(SIZE_MAX / 2, 3));
        fail_msg("the handler was not called");
    }
    mlc_set_out_of_memory_handler(NULL, NULL);
    assert_true(asked == SIZE_MAX);
}

static void
aligned_memory_starts_at_multiples(void **state)
{
    (void)state;
    for (int64_t alignment = 1; alignment <= 4096; alignment *= 2) {
        unsigned char *memory = mlc_code_alloc(100, alignment);
        assert_true((uintptr_t)memory % (uintptr_t)(alignment > 64 ? alignment : 64) == 0);
        memory[99] = 1;
        mlc_code_free(memory);
    }
    mlc_code_free(mlc_code_alloc(0, 8));
}

static void
arena_aligns_and_keeps(void **state)
{
    (void)state;
    MlcArena arena;
    mlc_arena_init(&arena);
    unsigned char *objects[1000];
    for (size_t i = 0; i < 1000; i++) {
        size_t align = (size_t)1 << i % 8, size = i * 37 % 3000;
        objects[i] = mlc_arena_alloc(&arena, size, align);
        assert_int_equal((uintptr_t)objects[i] % align, 0);
        memset(objects[i], (int)i, size);
    }
    for (size_t i = 0; i < 1000; i++)
        for (size_t j = 0; j < i * 37 % 3000; j++)
            assert_int_equal(objects[i][j], (unsigned char)i);
    mlc_arena_release(&arena);
}

static void
big_objects_leave_the_chunk_in_use(void **state)
{
    (void)state;
    MlcArena arena = {0};
    char *before = mlc_arena_alloc(&arena, 1, 1);
    char *big = mlc_arena_alloc(&arena, 1 << 24, 64);
    char *after = mlc_arena_alloc(&arena, 1, 1);
    memset(big, 1, 1 << 24);
    assert_ptr_equal(after, before + 1);
    mlc_arena_reset(&arena);
    assert_true(arena.num_bytes < 1 << 20);
    assert_ptr_equal(mlc_arena_alloc(&arena, 1, 1), before);
    mlc_arena_release(&arena);
}

static void
arena_makes_zeroed_objects_and_strings(void **state)
{
    (void)state;
    MlcArena arena = {0};
    uint64_t *numbers = MLC_NEW_ARRAY(&arena, uint64_t, 100);
    for (int i = 0; i < 100; i++)
        assert_true(numbers[i] == 0);
    MlcStr copy = mlc_arena_strdup(&arena, mlc_str_n("tensor<4xf32>", 6));
    assert_string_equal(copy.data, "tensor");
    assert_string_equal(mlc_arena_printf(&arena, "%s%d", "c", 42).data, "c42");
    mlc_arena_release(&arena);
}

typedef struct Pair {
    int first, second;
} Pair;

static void
vec_grows_and_shrinks(void **state)
{
    (void)state;
    MLC_VEC(Pair) v = {0};
    for (int i = 0; i < 1000; i++)
        mlc_vec_push(&v, (Pair){i, -i});
    assert_int_equal(v.size, 1000);
    assert_int_equal(mlc_vec_pop(&v).second, -999);
    assert_int_equal(mlc_vec_last(&v).first, 998);
    mlc_vec_resize(&v, 2000);
    assert_int_equal(v.data[1999].first, 0);
    assert_int_equal(v.data[7].first, 7);
    mlc_vec_clear(&v);
    assert_int_equal(v.size, 0);
    mlc_vec_release(&v);
    assert_null(v.data);
}

static void
buf_appends(void **state)
{
    (void)state;
    MlcBuf buf = {0};
    assert_string_equal(mlc_buf_c_str(&buf), "");
    mlc_buf_append_int(&buf, INT64_MIN);
    mlc_buf_append_char(&buf, ' ');
    mlc_buf_append_uint(&buf, UINT64_MAX);
    mlc_buf_append_char(&buf, ' ');
    mlc_buf_append_hex(&buf, 0xab, 4);
    mlc_buf_append_hex(&buf, 0, 1);
    assert_string_equal(mlc_buf_c_str(&buf), "-9223372036854775808 18446744073709551615 00AB0");
    mlc_buf_clear(&buf);
    for (int i = 0; i < 1000; i++)
        mlc_buf_printf(&buf, "%03d", i);
    assert_int_equal(buf.size, 3000);
    assert_memory_equal(buf.data + 2997, "999", 3);
    mlc_buf_clear(&buf);
    mlc_buf_append_str(&buf, mlc_str("abc"));
    mlc_buf_append_repeated(&buf, '-', 3);
    size_t size;
    char *text = mlc_buf_take(&buf, &size);
    assert_int_equal(size, 6);
    assert_string_equal(text, "abc---");
    assert_null(buf.data);
    mlc_free(text);
}

static void
buf_quotes_as_mlir(void **state)
{
    (void)state;
    MlcBuf buf = {0};
    mlc_buf_append_quoted(&buf, mlc_str_n("a\"b\\c\n\0\xc3\xa9~", 10));
    assert_string_equal(mlc_buf_c_str(&buf), "\"a\\22b\\\\c\\0A\\00\\C3\\A9~\"");
    mlc_buf_release(&buf);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checked_sizes),
        cmocka_unit_test(out_of_memory_calls_the_handler),
        cmocka_unit_test(aligned_memory_starts_at_multiples),
        cmocka_unit_test(arena_aligns_and_keeps),
        cmocka_unit_test(big_objects_leave_the_chunk_in_use),
        cmocka_unit_test(arena_makes_zeroed_objects_and_strings),
        cmocka_unit_test(vec_grows_and_shrinks),
        cmocka_unit_test(buf_appends),
        cmocka_unit_test(buf_quotes_as_mlir),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

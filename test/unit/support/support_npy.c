// .npy files: what is written is read, what numpy writes is read, damage is refused with words.
#include "mlc/support/npy.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static MlcBuf file, error;

static void
begin(char kind, unsigned item_bytes, const int64_t *dims, int rank, size_t num_bytes)
{
    mlc_buf_clear(&file);
    mlc_buf_clear(&error);
    mlc_npy_write_header(&file, kind, item_bytes, dims, rank);
    for (size_t i = 0; i < num_bytes; i++)
        mlc_buf_append_char(&file, (char)i);
}

// A file with this header text, and 24 bytes of data.
static bool
read_header(const char *text)
{
    MlcNpy npy;
    mlc_buf_clear(&file);
    mlc_buf_clear(&error);
    mlc_buf_append(&file, "\x93NUMPY\x01\x00", 8);
    mlc_buf_append_char(&file, (char)strlen(text));
    mlc_buf_append_char(&file, 0);
    mlc_buf_append_c(&file, text);
    mlc_buf_append_repeated(&file, 'x', 24);
    return mlc_npy_read(file.data, file.size, &npy, &error);
}

static void
assert_refused(const char *text, const char *words)
{
    assert_false(read_header(text));
    assert_non_null(strstr(mlc_buf_c_str(&error), words));
}

static void
written_is_read(void **state)
{
    (void)state;
    static const int64_t dims[4] = {2, 1, 3, 1};
    for (int rank = 0; rank <= 4; rank++) {
        size_t count = 1;
        for (int i = 0; i < rank; i++)
            count *= (size_t)dims[i];
        begin('f', 4, dims, rank, count * 4);
        MlcNpy npy;
        assert_true(mlc_npy_read(file.data, file.size, &npy, &error));
        assert_int_equal(npy.kind, 'f');
        assert_int_equal(npy.item_bytes, 4);
        assert_int_equal(npy.rank, rank);
        for (int i = 0; i < rank; i++)
            assert_int_equal(npy.dims[i], dims[i]);
        assert_int_equal(npy.num_bytes, count * 4);
        assert_int_equal((const char *)npy.data - file.data, file.size - count * 4);
        assert_int_equal(((const char *)npy.data - file.data) % 64, 0);
    }
}

static void
truncated_is_refused(void **state)
{
    (void)state;
    static const int64_t dims[2] = {2, 3};
    begin('i', 8, dims, 2, 48);
    for (size_t size = 0; size < file.size; size++) {
        MlcNpy npy;
        char *copy = malloc(size + 1); // of its own size, for ASan
        memcpy(copy, file.data, size);
        mlc_buf_clear(&error);
        assert_false(mlc_npy_read(copy, size, &npy, &error));
        assert_true(error.size > 0);
        free(copy);
    }
}

static void
headers(void **state)
{
    (void)state;
    assert_true(read_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"));
    assert_true(read_header("{\"shape\":(6,),\"descr\":\"<i4\",\"fortran_order\":False}"));
    assert_true(read_header("{'descr': '|b1', 'fortran_order': False, 'shape': (0, 9), }"));
    assert_refused("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", "big-endian");
    assert_refused("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "column-major");
    assert_refused("{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }", "'|O'");
    assert_refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }",
                   "structures");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3), }", "size");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
                   "size");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
                   "larger");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), }", "ends early");
    assert_refused("{'descr': '<f4', 'fortran_order': False, }", "lacks");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", "damaged");
    assert_refused("['descr']", "dictionary");
}

static int
teardown(void **state)
{
    (void)state;
    mlc_buf_release(&file);
    mlc_buf_release(&error);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_is_read),
        cmocka_unit_test(truncated_is_refused),
        cmocka_unit_test(headers),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}

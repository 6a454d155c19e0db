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
    assert_string_equal(mlc_buf_c_str(&error), words);
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
    assert_refused("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }",
                   "the .npy type '>f4' is big-endian: convert it, e.g. array.astype('<f4')");
    assert_refused("{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }",
                   "the .npy type '|O' is not read: numbers, bools and texts only");
    assert_refused("{'descr': '<f99', 'fortran_order': False, 'shape': (2, 3), }",
                   "the .npy type '<f99' is not read: numbers, bools and texts only");
    assert_refused("{'descr': '', 'fortran_order': False, 'shape': (2, 3), }",
                   "the .npy type '' is not read: numbers, bools and texts only");
    assert_refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }",
                   "the .npy array is of structures, which are not read");
    assert_refused("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
                   "the .npy array is column-major: save numpy.ascontiguousarray(array)");
    assert_refused("{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3), }",
                   "the .npy header's fortran_order is no bool");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': 6, }",
                   "the .npy header's shape is no tuple");
    assert_refused(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,), }",
        "the .npy array has more than 32 dimensions");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3), }",
                   "the .npy header's shape has a size that is no number from 0 to 2^63 - 1");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
                   "the .npy header's shape has a size that is no number from 0 to 2^63 - 1");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }",
                   "the .npy header's shape does not end");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
                   "the .npy array is larger than memory can be");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), }",
                   "the .npy file ends early: 96 bytes of data expected, got 24");
    assert_refused("{'descr': '<f4', 'fortran_order': False, }",
                   "the .npy header lacks one of descr, fortran_order, shape");
    assert_refused("{'descr': '<f4', 'descr': '<f4', }",
                   "the .npy header has a key that is not known, or one twice");
    assert_refused("{'colour': 'red', }",
                   "the .npy header has a key that is not known, or one twice");
    assert_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
                   "the .npy header is damaged");
    assert_refused("['descr']", "the .npy header is no dictionary");
}

static void
beginnings(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        char byte;
        const char *words;
    } cases[] = {
        {1, 'n', "no .npy file: it does not begin with numpy's mark"},
        {6, 4, "the .npy file's version is not 1, 2 or 3"},
        {9, 1, "the .npy file ends within its header"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const int64_t dims[1] = {2};
        MlcNpy npy;
        begin('f', 4, dims, 1, 8);
        file.data[cases[i].at] = cases[i].byte;
        assert_false(mlc_npy_read(file.data, file.size, &npy, &error));
        assert_string_equal(mlc_buf_c_str(&error), cases[i].words);
    }
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
        cmocka_unit_test(beginnings),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}

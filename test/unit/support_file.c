// Files: two NULs behind every size, whole replacement, directories, and the words of failures.
#include "mlc/support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static char dir[] = "/tmp/mlc-file-test-XXXXXX";
static char path[256];
static MlcBuf error;

static const char *
in_dir(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static int
setup(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int
teardown(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", dir);
    mlc_buf_release(&error);
    return system(command);
}

static void
two_nuls_follow(void **state)
{
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t sizes[] = {0, 1, page - 2, page - 1, page, page + 1, 3 * page};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        char *bytes = mlc_malloc(sizes[i] + 1);
        memset(bytes, 'x', sizes[i]);
        assert_true(mlc_file_write_atomic(in_dir("sized"), bytes, sizes[i], &error));
        for (int mode = MLC_FILE_READ_ONLY; mode <= MLC_FILE_PRIVATE; ++mode) {
            MlcFile file;
            assert_true(mlc_file_open(&file, path, (MlcFileMode)mode, &error));
            assert_int_equal(file.size, sizes[i]);
            assert_memory_equal(file.data, bytes, sizes[i]);
            assert_int_equal(file.data[file.size], 0);
            assert_int_equal(file.data[file.size + 1], 0);
            mlc_file_release(&file);
        }
        mlc_free(bytes);
    }
}

static void
private_writes_stay_private(void **state)
{
    (void)state;
    MlcFile file, again;
    assert_true(mlc_file_write_atomic(in_dir("private"), "abc", 3, &error));
    assert_true(mlc_file_open(&file, path, MLC_FILE_PRIVATE, &error));
    memset(file.data, 'x', 5);
    assert_true(mlc_file_open(&again, path, MLC_FILE_READ_ONLY, &error));
    assert_memory_equal(again.data, "abc", 3);
    mlc_file_release(&again);
    mlc_file_release(&file);
}

static size_t
count_files(void)
{
    char command[300];
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", dir);
    FILE *pipe = popen(command, "r");
    size_t count = 0;
    assert_int_equal(fscanf(pipe, "%zu", &count), 1);
    pclose(pipe);
    return count;
}

static void
writes_replace_whole_files(void **state)
{
    (void)state;
    MlcFileWriter writer;
    MlcFile file;
    assert_true(mlc_file_write_atomic(in_dir("out"), "old", 3, &error));
    assert_int_equal(chmod(path, 0640), 0);
    size_t before = count_files();
    assert_true(mlc_file_writer_begin(&writer, path, &error));
    assert_true(mlc_file_writer_write(&writer, "half", 4, &error));
    mlc_file_writer_abandon(&writer);
    assert_int_equal(count_files(), before);
    assert_true(mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error));
    assert_memory_equal(file.data, "old", 4);
    mlc_file_release(&file);
    assert_true(mlc_file_writer_begin(&writer, path, &error));
    assert_true(mlc_file_writer_write(&writer, "old one", 7, &error));
    assert_true(mlc_file_writer_rewrite(&writer, "new", 3, &error));
    assert_true(mlc_file_writer_commit(&writer, &error));
    assert_int_equal(count_files(), before);
    assert_true(mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error));
    assert_memory_equal(file.data, "new one", 8);
    mlc_file_release(&file);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_true(mlc_file_write_atomic("/dev/null", "gone", 4, &error));
}

static void
assert_says(const char *expected)
{
    assert_non_null(strstr(mlc_buf_c_str(&error), expected));
    mlc_buf_clear(&error);
}

static void
failures_are_worded(void **state)
{
    (void)state;
    MlcFile file;
    mlc_buf_clear(&error);
    assert_false(mlc_file_open(&file, in_dir("missing"), MLC_FILE_PRIVATE, &error));
    assert_says("missing': No such file or directory");
    assert_false(mlc_file_open(&file, dir, MLC_FILE_PRIVATE, &error));
    assert_says("': Is a directory");
    assert_false(mlc_file_write_atomic(in_dir("no/such/dir"), "x", 1, &error));
    assert_says("no/such/dir': No such file or directory");
    assert_false(mlc_file_write_atomic(dir, "x", 1, &error));
    assert_says("': Is a directory");
    assert_false(mlc_file_write_atomic("/dev/full", "x", 1, &error));
    assert_says("'/dev/full': No space left on device");
}

static void
directories(void **state)
{
    (void)state;
    assert_true(mlc_dir_create(in_dir("a/b//c/"), &error));
    assert_true(mlc_file_exists(in_dir("a/b/c")));
    assert_true(mlc_dir_create(path, &error));
    assert_true(mlc_file_write_atomic(in_dir("a/file"), "x", 1, &error));
    mlc_buf_clear(&error);
    assert_false(mlc_dir_create(in_dir("a/file/d"), &error));
    assert_says("Not a directory");
}

static void
streams(void **state)
{
    (void)state;
    assert_true(mlc_file_is_stream("-"));
    assert_true(mlc_file_is_stream("/dev/null"));
    assert_false(mlc_file_is_stream(dir));
    assert_false(mlc_file_is_stream(in_dir("missing")));
    assert_true(mlc_file_write_atomic(in_dir("regular"), "x", 1, &error));
    assert_false(mlc_file_is_stream(path));
}

static void
assert_splits(const char *whole, const char *directory, const char *base)
{
    assert_true(mlc_str_equal(mlc_path_dir(mlc_str(whole)), mlc_str(directory)));
    assert_true(mlc_str_equal(mlc_path_base(mlc_str(whole)), mlc_str(base)));
}

static void
paths(void **state)
{
    (void)state;
    assert_splits("a/b.onnx", "a", "b.onnx");
    assert_splits("b.onnx", ".", "b.onnx");
    assert_splits("/b", "/", "b");
    assert_splits("a//b", "a", "b");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_nuls_follow),
        cmocka_unit_test(private_writes_stay_private),
        cmocka_unit_test(writes_replace_whole_files),
        cmocka_unit_test(failures_are_worded),
        cmocka_unit_test(directories),
        cmocka_unit_test(streams),
        cmocka_unit_test(paths),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

// Files: two NULs behind every size, whole replacement, directories, and the words of failures.
#include "mlc/support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static char dir[] = "/tmp/mlc-file-test-XXXXXX";
static char path[256];
static MlcBuf error;
static bool has_nameless = true;

// The C library's, for a file system that may have no files without names.
int
open(const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    bool makes = (flags & (O_CREAT | __O_TMPFILE)) != 0;
    unsigned mode = makes ? va_arg(args, unsigned) : 0;
    va_end(args);
    if ((flags & __O_TMPFILE) != 0 && !has_nameless)
        return errno = EOPNOTSUPP, -1;
    return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}

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
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *bytes = mlc_malloc(sizes[i] + 1);
        memset(bytes, 'x', sizes[i]);
        assert_true(mlc_file_write_atomic(in_dir("sized"), bytes, sizes[i], &error));
        for (int mode = MLC_FILE_READ_ONLY; mode <= MLC_FILE_PRIVATE; mode++) {
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
names_may_be_temporary(void **state)
{
    MlcFileWriter writer;
    has_nameless = false;
    size_t before = count_files();
    assert_true(mlc_file_writer_begin(&writer, in_dir("named"), &error));
    assert_non_null(strstr(writer.temp_path, "named."));
    assert_int_equal(count_files(), before + 1);
    mlc_file_writer_abandon(&writer);
    assert_int_equal(count_files(), before);
    writes_replace_whole_files(state);
    mlc_file_writer_begin_temporary(&writer);
    assert_true(mlc_file_writer_write(&writer, "x", 1, &error));
    mlc_file_writer_abandon(&writer);
    has_nameless = true;
}

static void
other_names(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        MlcFileWriter writer;
        has_nameless = i == 0;
        assert_true(mlc_file_writer_begin(&writer, in_dir("this"), &error));
        assert_true(mlc_file_writer_write(&writer, "abc", 3, &error));
        assert_true(mlc_file_writer_commit_as(&writer, in_dir("that"), &error));
        assert_false(mlc_file_exists(in_dir("this")));
        assert_true(mlc_file_exists(in_dir("that")));
        assert_true(mlc_file_writer_begin(&writer, in_dir("this"), &error));
        assert_false(mlc_file_writer_commit_as(&writer, in_dir("no/where"), &error));
        assert_non_null(strstr(mlc_buf_c_str(&error), "no/where': No such file or directory"));
        mlc_buf_clear(&error);
    }
    has_nameless = true;
}

static void
files_of_one_result(void **state)
{
    (void)state;
    size_t before = count_files();
    for (int keep = 0; keep < 2; keep++) {
        mlc_files_together();
        assert_true(mlc_dir_create(in_dir("result/inner"), &error));
        assert_true(mlc_file_write_atomic(in_dir("result/inner/file"), "x", 1, &error));
        if (keep)
            mlc_files_keep();
        mlc_files_discard();
        assert_int_equal(count_files(), before + keep);
        assert_int_equal(mlc_file_exists(in_dir("result/inner/file")), keep);
    }
    assert_true(mlc_dir_create(in_dir("alone"), &error));
    mlc_files_discard();
    assert_int_equal(count_files(), before + 2);
}

static void
stop_takes_away_what_is_unfinished(void **state)
{
    (void)state;
    size_t before = count_files();
    pid_t child = fork();
    if (child == 0) {
        MlcFileWriter named, nameless;
        has_nameless = false;
        bool ok = mlc_file_writer_begin(&named, in_dir("one"), &error);
        has_nameless = true;
        ok = ok && mlc_file_writer_begin(&nameless, in_dir("two"), &error);
        mlc_files_stop();
        _exit(ok ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_files(), before);
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
anonymous_kib(long *kib)
{
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    assert_non_null(status);
    *kib = -1;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "RssAnon: %ld kB", kib) == 1)
            break;
    fclose(status);
}

// Zeroed, wherever it lies; much of it is no anonymous memory, unless there is no file.
static void
memory_in_files(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 64, 5000, 40 << 20};
    long before, after;
    setenv("TMPDIR", dir, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        anonymous_kib(&before);
        char *data = mlc_file_memory(sizes[i]);
        assert_int_equal((uintptr_t)data % 64, 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_true(data[k] == 0);
        memset(data, 7, sizes[i]);
        anonymous_kib(&after);
        assert_true(after - before < 8 << 10);
        mlc_file_memory_release(data, sizes[i]);
    }
    struct rlimit most, none;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &most), 0);
    none = (struct rlimit){1 << 20, most.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    char *data = mlc_file_memory(40 << 20);
    assert_true(data[0] == 0 && data[(40 << 20) - 1] == 0);
    data[(40 << 20) - 1] = 1;
    mlc_file_memory_release(data, 40 << 20);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &most), 0);
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
        cmocka_unit_test(names_may_be_temporary),
        cmocka_unit_test(other_names),
        cmocka_unit_test(files_of_one_result),
        cmocka_unit_test(stop_takes_away_what_is_unfinished),
        cmocka_unit_test(failures_are_worded),
        cmocka_unit_test(directories),
        cmocka_unit_test(streams),
        cmocka_unit_test(memory_in_files),
        cmocka_unit_test(paths),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

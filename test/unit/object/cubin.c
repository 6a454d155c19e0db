// cubin.c -- a program that stands in for ptxas: one that gives a cubin, and one that does not end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cubin.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
assemble(const char *script, int seconds, MlcBuf *cubin, MlcBuf *error)
{
    char folder[] = "cubin_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "./%s/ptxas", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    bool ok = cubin_assemble(path, "sm_80", mlc_str("text"), seconds, cubin, error);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    return ok;
}

static void
gives_a_cubin(void **state)
{
    (void)state;
    MlcBuf cubin = {0}, error = {0};
    assert_true(assemble("printf '\\177ELF' >&3; cat >&3", 60, &cubin, &error));
    assert_string_equal(mlc_buf_c_str(&cubin), "\177ELFtext");
    assert_int_equal(error.size, 0);
    mlc_buf_release(&cubin);
    mlc_buf_release(&error);
}

static void
does_not_end(void **state)
{
    (void)state;
    MlcBuf cubin = {0}, error = {0};
    assert_false(assemble("exec sleep 1000", 1, &cubin, &error));
    assert_non_null(strstr(mlc_buf_c_str(&error), "ptxas' takes more than 1 s"));
    mlc_buf_release(&cubin);
    mlc_buf_release(&error);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_a_cubin),
                                       cmocka_unit_test(does_not_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

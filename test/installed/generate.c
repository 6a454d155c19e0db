// generate.c -- by pkg-config's mlc: whether libmlc finds what generates its code.
#include <stdio.h>

#include "mlc/target.h"

int
main(void)
{
    MlcBuf path = {0}, error = {0};
    mlc_target_file(&path);
    bool ok = mlc_target_open(&error) != NULL;
    printf("%s %s\n", mlc_buf_c_str(&path), mlc_buf_c_str(&error));
    mlc_buf_release(&path);
    mlc_buf_release(&error);
    return ok ? 0 : 1;
}

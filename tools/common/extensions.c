// extensions.c -- dialects first, since rules name their ops; each kind in the order given.
#include "extensions.h"

#include <limits.h>
#include <stdlib.h>

#include "mlc/dialects.h"
#include "mlc/ir/rule.h"
#include "mlc/support/buf.h"

bool
extensions_are_given(const Extensions *extensions)
{
    return extensions->dialects.size + extensions->rules.size > 0;
}

bool
extensions_load(const Extensions *extensions, MlcContext *ctx)
{
    for (size_t i = 0; i < extensions->dialects.size; i++)
        if (!mlc_load_dialect(ctx, extensions->dialects.data[i].data))
            return false;
    for (size_t i = 0; i < extensions->rules.size; i++)
        if (!mlc_load_rules(ctx, extensions->rules.data[i].data))
            return false;
    return true;
}

static void
append_option(MlcBuf *out, const char *option, const char *path)
{
    char whole[PATH_MAX];
    const char *at = realpath(path, whole) ? whole : path;
    mlc_buf_printf(out, " %s='", option);
    for (; *at; at++)
        if (*at == '\'')
            mlc_buf_append_c(out, "'\\''");
        else
            mlc_buf_append_char(out, *at);
    mlc_buf_append_char(out, '\'');
}

void
extensions_append(const Extensions *extensions, MlcBuf *out)
{
    for (size_t i = 0; i < extensions->dialects.size; i++)
        append_option(out, "--load-dialect", extensions->dialects.data[i].data);
    for (size_t i = 0; i < extensions->rules.size; i++)
        append_option(out, "--load-rules", extensions->rules.data[i].data);
}

void
extensions_release(Extensions *extensions)
{
    mlc_vec_release(&extensions->dialects);
    mlc_vec_release(&extensions->rules);
}

// common.h -- what fuzz targets share: a silent context, and texts with the NULs the parser wants.
#ifndef MLC_TEST_FUZZ_COMMON_H
#define MLC_TEST_FUZZ_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "files.h"

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/bytecode.h"
#include "mlc/support/alloc.h"

static inline void
fuzz_ignore(const MlcDiag *diag, void *user)
{
    (void)diag, (void)user;
}

// A context that knows every dialect, takes unregistered ones and says nothing.
static inline MlcContext *
fuzz_context(void)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_allow_unregistered(ctx, true);
    mlc_context_set_diag_handler(ctx, fuzz_ignore, NULL);
    return ctx;
}

// What stands beside a module, which is read before it.
static inline void
fuzz_read_ahead(MlcContext *ctx, MlcStr text)
{
    MlcExternalResources *resources = mlc_external_resources_create();
    mlc_read_external_resources(ctx, text, mlc_str("fuzz"), resources);
    mlc_external_resources_destroy(resources);
}

// The module that a file says, text or bytecode; NULL if it says none.
static inline MlcOp *
fuzz_parse(MlcContext *ctx, const void *data, size_t size)
{
    char *text = mlc_malloc(size + 2);
    memcpy(text, data, size);
    text[size] = text[size + 1] = '\0';
    fuzz_read_ahead(ctx, mlc_str_n(text, size));
    MlcOp *module = mlc_parse_source(ctx, mlc_str_n(text, size), mlc_str("fuzz.mlir"), NULL);
    mlc_context_remove_source(ctx, mlc_str_n(text, size));
    mlc_free(text);
    return module;
}

static inline void
fuzz_print(MlcOp *module, MlcBuf *out)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = flags.debug_info = true;
    mlc_op_print(module, &flags, out);
}

// Bytecode, lazily every second time; what is valid is printed.
static inline void
fuzz_read_bytecode(MlcContext *ctx, const void *data, size_t size)
{
    MlcStr bytes = mlc_str_n(data, size);
    fuzz_read_ahead(ctx, bytes);
    MlcBytecodeReadOptions options = {MLC_SIZED(MlcBytecodeReadOptions), .lazy = size % 2};
    MlcBytecode *file = mlc_bytecode_open(ctx, bytes, mlc_str("fuzz"), &options);
    if (!file)
        return;
    MlcOp *root = mlc_bytecode_root(file);
    bool ok = true;
    for (MlcOp *op = root; op && ok; op = mlc_op_preorder_next(op, root))
        ok = mlc_bytecode_materialize(file, op);
    MlcBuf text = {0};
    if (ok && mlc_verify(root))
        fuzz_print(root, &text);
    mlc_buf_release(&text);
    mlc_bytecode_close(file);
    mlc_op_destroy(root);
}

// Refuses to go on if two texts differ that a round trip should have left the same.
static inline void
fuzz_check_same(const char *what, MlcBuf *before, MlcBuf *after)
{
    if (mlc_str_equal(mlc_buf_str(before), mlc_buf_str(after)))
        return;
    fprintf(stderr, "%s:\n%s\n---\n%s\n", what, mlc_buf_c_str(before), mlc_buf_c_str(after));
    abort();
}

// The part of an input before a line "// ir"; `*ir` is what follows it, empty where there is none.
static inline MlcStr
fuzz_cut_ir(const void *data, size_t size, MlcStr *ir)
{
    static const char mark[] = "\n// ir\n";
    const char *text = data, *at = memmem(data, size, mark, sizeof mark - 1);
    size_t first_size = at ? (size_t)(at - text) : size;
    *ir = mlc_str_n(text + first_size, size - first_size);
    return mlc_str_n(text, first_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

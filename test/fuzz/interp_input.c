// interp_input.c -- what `mlc-opt --interpret --input` reads: a type in the first line, behind it
// the text of the value, or an .npy file.
#include "common.h"

#include "mlc/interp.h"

static const char module_text[] = "module attributes {mlc.constants = [dense<[1.0, 2.0]> : "
                                  "tensor<2xf32>, dense<7> : tensor<i8>], "
                                  "mlc.scratch_bytes = 64 : i64} {}";

static const MlcInterpConfig config = {MLC_SIZED(MlcInterpConfig), .max_memory = 1 << 20};

// What can be written as .npy is read as the same, where there is as much memory.
static void
check_npy(MlcOp *module, MlcInterp *interp, MlcType type, const MlcDatum *d, MlcBuf *text)
{
    MlcBuf error = {0}, again = {0};
    MlcStr path = mlc_str(fuzz_write("y.npy", "", 0));
    MlcDatum read = {0};
    if (!mlc_type_isa(type, "llvm.ptr") && mlc_interp_write_npy(interp, d, path.data, &error)) {
        MlcInterp *reader = mlc_interp_create(module, &config);
        if (mlc_interp_read_datum(reader, type, path, &read))
            mlc_interp_print_datum(reader, &read, &again);
        fuzz_check_same("an array does not come back", text, &again);
        mlc_interp_destroy(reader);
    }
    mlc_buf_release(&error);
    mlc_buf_release(&again);
}

static void
read_datum(MlcOp *module, MlcType type, MlcStr spec)
{
    MlcInterp *interp = mlc_interp_create(module, &config);
    MlcDatum d = {0};
    if (mlc_interp_read_datum(interp, type, spec, &d)) {
        MlcBuf out = {0};
        mlc_interp_print_datum(interp, &d, &out);
        check_npy(module, interp, type, &d, &out);
        mlc_buf_release(&out);
    }
    mlc_interp_destroy(interp);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    if (!end)
        return 0;
    MlcContext *ctx = fuzz_context();
    MlcBuf text = {0};
    mlc_buf_append(&text, data, (size_t)(end - data));
    mlc_buf_append(&text, "\0\0", 2);
    MlcType type = mlc_parse_type(ctx, mlc_str_n(text.data, text.size - 2));
    MlcStr spec = mlc_str_n((const char *)end + 1, size - (size_t)(end - data) - 1);
    MlcOp *module = fuzz_parse(ctx, module_text, sizeof module_text - 1);
    if (type && spec.size > 0 && spec.data[0] == '\x93')
        spec = mlc_str(fuzz_write("x.npy", spec.data, spec.size));
    else if (spec.size >= 4 && memcmp(spec.data + spec.size - 4, ".npy", 4) == 0)
        type = NULL; // some file of this machine
    if (type)
        read_datum(module, type, spec);
    mlc_buf_release(&text);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return 0;
}

// pairs.c -- a conversion of one's own, with libmlc: complex numbers become pairs of floats,
// through functions, calls and loops. `example_pairs FILE` prints the module after it.
#include <stdio.h>

#include "mlc/dialects.h"
#include "mlc/dialects/arith.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/file.h"

// complex<T> becomes T, T; other types stay.
static int
complex_to_pair(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *user)
{
    (void)types, (void)user;
    bool is_complex = mlc_type_is(type, MLC_TYPE_COMPLEX);
    mlc_vec_push(out, is_complex ? mlc_type_element(type) : type);
    if (is_complex)
        mlc_vec_push(out, mlc_type_element(type));
    return 1;
}

// (a + bi)(c + di) = (ac - bd) + (ad + bc)i
static bool
lower_mul(MlcConversion *conversion, MlcOp *op, const MlcValueRange *operands, void *user)
{
    (void)user;
    MlcBuilder *builder = mlc_conversion_builder(conversion);
    MlcValue *a = operands[0].values[0], *b = operands[0].values[1];
    MlcValue *c = operands[1].values[0], *d = operands[1].values[1];
    MlcValue *ac = mlc_arith_mulf(builder, a, c);
    MlcValue *bd = mlc_arith_mulf(builder, b, d);
    MlcValue *ad = mlc_arith_mulf(builder, a, d);
    MlcValue *bc = mlc_arith_mulf(builder, b, c);
    MlcValue *product[2] = {mlc_arith_subf(builder, ac, bd), mlc_arith_addf(builder, ad, bc)};
    mlc_conversion_replace_ranges(conversion, op, &(MlcValueRange){product, 2});
    return true;
}

static const char *const made_by_mul[] = {"arith.mulf", "arith.addf", "arith.subf", NULL};
static const MlcConversionPattern patterns[] = {
    {.root = "complex.mul", .convert_ranges = lower_mul, .makes = made_by_mul},
    {.root = "func.func", .convert_ranges = mlc_conversion_retype},
    {.root = "func.call", .convert_ranges = mlc_conversion_retype},
    {.root = "func.return", .convert_ranges = mlc_conversion_retype},
    {.root = "scf.for", .convert_ranges = mlc_conversion_retype},
    {.root = "scf.yield", .convert_ranges = mlc_conversion_retype},
};

static bool
has_legal_types(MlcOp *op, void *types)
{
    return mlc_type_converter_is_legal_signature(types, op);
}

static bool
convert(MlcOp *module)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcTypeConverter *types = mlc_type_converter_create(ctx);
    mlc_type_converter_add(types, complex_to_pair, NULL);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    mlc_conversion_target_illegal_dialect(target, "complex");
    mlc_conversion_target_legal_dialect(target, "arith");
    mlc_conversion_target_dynamic_dialect(target, "func", has_legal_types, types);
    mlc_conversion_target_dynamic_dialect(target, "scf", has_legal_types, types);
    bool ok =
        mlc_convert_partial(module, target, types, patterns, sizeof patterns / sizeof *patterns);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(types);
    return ok;
}

int
main(int argc, char **argv)
{
    MlcFile file = {0};
    MlcBuf error = {0};
    if (argc != 2 || !mlc_file_open(&file, argv[1], MLC_FILE_PRIVATE, &error)) {
        fprintf(stderr, "usage: example_pairs FILE\n%s\n", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return 2;
    }
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    MlcOp *module = mlc_parse_module(ctx, mlc_str_n(file.data, file.size), mlc_str(argv[1]));
    bool ok = module && mlc_verify(module) && convert(module);
    mlc_diag_flush(ctx);
    if (ok) {
        MlcBuf text = {0};
        MlcPrintFlags flags = mlc_print_flags_default();
        mlc_op_print(module, &flags, &text);
        puts(mlc_buf_c_str(&text));
        mlc_buf_release(&text);
    }
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    mlc_file_release(&file);
    return ok ? 0 : 1;
}

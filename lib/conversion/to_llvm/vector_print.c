// vector_print.c -- vector.print of a scalar, a sign or a text: calls of what a program's libraries
// offer (mlc/runner_utils.h).
#include "to_llvm.h"

#include "mlc/dialects/vector.h"
#include "mlc/ir/symbol.h"

static bool
call_print(MlcConversion *c, MlcOp *op, const char *name, MlcValue *value)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = value ? mlc_value_type(value) : NULL;
    if (!llvm_declare(c, op, name, llvm_function_type(b->ctx, NULL, &type, value ? 1 : 0)))
        return false;
    llvm_call_function(b, name, NULL, &value, value ? 1 : 0);
    return true;
}

// As a number of 64 bits; i1 is 0 or 1, and index has no sign.
static bool
print_integer(MlcConversion *c, MlcOp *op, MlcType type, MlcValue *value)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType wide = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    bool is_index = mlc_type_is(type, MLC_TYPE_INDEX);
    bool is_unsigned = is_index || mlc_integer_type_signedness(type) == MLC_UNSIGNED;
    unsigned bits = mlc_type_bit_width(mlc_value_type(value));
    if (bits > 64)
        return mlc_conversion_no_match(c, op, "integers of more than 64 bits are not printed");
    if (bits < 64)
        value = is_unsigned || bits == 1 ? mlc_llvm_zext(b, wide, value)
                                         : mlc_llvm_sext(b, wide, value);
    return call_print(c, op, is_unsigned ? "printU64" : "printI64", value);
}

static bool
print_float(MlcConversion *c, MlcOp *op, MlcType type, MlcValue *value)
{
    static const struct {
        MlcFloatKind kind;
        const char *name;
        bool by_bits;
    } names[] = {{MLC_FLOAT_F16, "printF16", true},
                 {MLC_FLOAT_BF16, "printBF16", true},
                 {MLC_FLOAT_F32, "printF32", false},
                 {MLC_FLOAT_F64, "printF64", false}};
    MlcBuilder *b = mlc_conversion_builder(c);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlc_float_type_kind(type) == names[i].kind) {
            MlcType bits = mlc_integer_type_get(b->ctx, 16, MLC_SIGNLESS);
            return call_print(c, op, names[i].name,
                              names[i].by_bits ? mlc_llvm_bitcast(b, bits, value) : value);
        }
    return mlc_conversion_no_match(c, op, "there is no function that prints %s",
                                   mlc_type_text(type));
}

// The text is a global of its own, with a zero behind.
static bool
print_text(MlcConversion *c, MlcOp *op, MlcStr text)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcOp *module = mlc_symbol_table_of(op);
    MlcBuf name = {0};
    size_t number = 0;
    do {
        mlc_buf_clear(&name);
        mlc_buf_printf(&name, "vector_print_str_%zu", number++);
    } while (mlc_symbol_lookup(module, mlc_buf_str(&name)));
    MlcBuilder before = *b;
    mlc_builder_at_start(b, mlc_region_first(mlc_op_region(module, 0)));
    llvm_text_global(b, mlc_buf_str(&name), text);
    *b = before;
    MlcValue *address = mlc_llvm_mlir_addressof(b, llvm_ptr(b->ctx, 0), mlc_buf_str(&name));
    mlc_buf_release(&name);
    return call_print(c, op, "printString", address);
}

bool
llvm_lower_print(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    static const char *const signs[] = {
        [MLC_VECTOR_PUNCTUATION_NO_PUNCTUATION] = NULL,
        [MLC_VECTOR_PUNCTUATION_NEWLINE] = "printNewline",
        [MLC_VECTOR_PUNCTUATION_COMMA] = "printComma",
        [MLC_VECTOR_PUNCTUATION_OPEN] = "printOpen",
        [MLC_VECTOR_PUNCTUATION_CLOSE] = "printClose",
    };
    MlcAttr text = mlc_vector_print_string_literal(op);
    bool ok = true;
    if (mlc_op_num_operands(op) > 0) {
        MlcType type = mlc_value_type(mlc_op_operand(op, 0));
        if (mlc_type_is(type, MLC_TYPE_VECTOR))
            return mlc_conversion_no_match(c, op, "vectors are printed lane by lane before");
        ok = mlc_type_is_float(type) ? print_float(c, op, type, operands[0])
                                     : print_integer(c, op, type, operands[0]);
    } else if (text) { // and nothing behind it
        if (!print_text(c, op, mlc_string_attr_value(text)))
            return false;
        mlc_conversion_erase(c, op);
        return true;
    }
    const char *sign = signs[mlc_vector_print_punctuation(op)];
    if (ok && sign)
        ok = call_print(c, op, sign, NULL);
    if (ok)
        mlc_conversion_erase(c, op);
    return ok;
}

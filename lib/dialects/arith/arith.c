// arith.c -- constants, verification and the smaller hooks of arith; rules fold (arith.rules).
#include "mlc/dialects/arith.h"
#include "mlc/dialects/vector.h"

#include "mlc/ir.h"
#include "mlc/ir/asm.h"

// arith.constant

bool
mlc_arith_constant_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), element = mlc_type_element(type);
    if (mlc_type_is(element, MLC_TYPE_INTEGER) &&
        mlc_integer_type_signedness(element) != MLC_SIGNLESS && mlc_type_is(type, MLC_TYPE_INTEGER))
        return mlc_op_error(op, "integer return type must be signless");
    switch (mlc_attr_kind(mlc_arith_constant_value(op))) {
    case MLC_ATTR_INTEGER:
    case MLC_ATTR_FLOAT:
    case MLC_ATTR_DENSE:
    case MLC_ATTR_DENSE_STRING:
    case MLC_ATTR_DENSE_RESOURCE:
    case MLC_ATTR_SPARSE:
        break;
    default:
        return mlc_op_error(op, "value must be an integer, float, or elements attribute");
    }
    if (mlc_type_is(type, MLC_TYPE_VECTOR) && mlc_vector_type_has_scalable(type) &&
        !mlc_elements_attr_is_splat(mlc_arith_constant_value(op)))
        return mlc_op_error(op, "intializing scalable vectors with elements attribute is not "
                                "supported unless it's a vector splat");
    return true;
}

bool
mlc_arith_constant_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_arith_constant_value(op);
    return true;
}

// %true, %c3, %c-1_i32; %cst for everything else.
static void
name_constant(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    MlcValue *result = mlc_op_result(op, 0);
    MlcAttr value = mlc_arith_constant_value(op);
    if (!mlc_attr_is(value, MLC_ATTR_INTEGER)) {
        set(user, result, mlc_str("cst"));
        return;
    }
    if (mlc_type_is_integer(mlc_attr_type(value), 1)) {
        set(user, result, mlc_str(mlc_attr_as_bool(value) ? "true" : "false"));
        return;
    }
    MlcBuf name = {0};
    mlc_buf_append_char(&name, 'c');
    mlc_wide_print_signed(&name, mlc_attr_wide(value));
    if (mlc_type_is(mlc_attr_type(value), MLC_TYPE_INTEGER))
        mlc_buf_printf(&name, "_%s", mlc_type_text(mlc_attr_type(value)));
    set(user, result, mlc_buf_str(&name));
    mlc_buf_release(&name);
}

const MlcAsmNames mlc_arith_constant_asm_names = {.results = name_constant};

// A constant times vscale: %c4_vscale.
static void
name_product(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    int64_t factor;
    for (size_t i = 0; i < 2; i++) {
        const MlcOp *other = mlc_value_def(mlc_op_operand(op, 1 - i));
        if (!mlc_vector_vscale_isa(other) ||
            !mlc_value_constant_int(mlc_op_operand(op, i), &factor))
            continue;
        MlcBuf name = {0};
        mlc_buf_printf(&name, "c%lld_vscale", (long long)factor);
        set(user, mlc_op_result(op, 0), mlc_buf_str(&name));
        mlc_buf_release(&name);
        return;
    }
}

const MlcAsmNames mlc_arith_muli_asm_names = {.results = name_product};

// Casts. Constraints say what goes in and out; widths are left.

static void
element_widths(const MlcOp *op, unsigned *from, unsigned *to)
{
    *from = mlc_type_bit_width(mlc_type_element(mlc_value_type(mlc_op_operand(op, 0))));
    *to = mlc_type_bit_width(mlc_type_element(mlc_value_type(mlc_op_result(op, 0))));
}

// The encoding of a tensor stays.
static bool
keeps_encoding(const MlcOp *op)
{
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    return !mlc_type_is(from, MLC_TYPE_TENSOR) || !mlc_type_is(to, MLC_TYPE_TENSOR) ||
           mlc_type_with_element(from, mlc_type_element(to)) == to;
}

bool
mlc_arith_verify_conversion(MlcOp *op)
{
    return keeps_encoding(op) || mlc_op_cast_error(op);
}

bool
mlc_arith_verify_widening(MlcOp *op)
{
    unsigned from, to;
    element_widths(op, &from, &to);
    return (from < to && keeps_encoding(op)) || mlc_op_cast_error(op);
}

bool
mlc_arith_verify_narrowing(MlcOp *op)
{
    unsigned from, to;
    element_widths(op, &from, &to);
    return (from > to && keeps_encoding(op)) || mlc_op_cast_error(op);
}

bool
mlc_arith_verify_index_cast(MlcOp *op)
{
    MlcType from = mlc_type_element(mlc_value_type(mlc_op_operand(op, 0)));
    MlcType to = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    bool is_cast = mlc_type_is(from, MLC_TYPE_INDEX) != mlc_type_is(to, MLC_TYPE_INDEX);
    return is_cast || mlc_op_cast_error(op);
}

bool
mlc_arith_bitcast_verify(MlcOp *op)
{
    MlcType from = mlc_type_element(mlc_value_type(mlc_op_operand(op, 0)));
    MlcType to = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    if (mlc_type_is(from, MLC_TYPE_INDEX) || mlc_type_is(to, MLC_TYPE_INDEX) ||
        mlc_type_bit_width(from) != mlc_type_bit_width(to))
        return mlc_op_cast_error(op);
    return true;
}

// arith.select %c, %a, %b : t, with the condition's type before it where that is no i1.

bool
mlc_arith_select_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRefVec refs = {0};
    MlcLoc loc = mlc_parser_loc(p);
    MlcType condition = mlc_integer_type_get(mlc_parser_context(p), 1, MLC_SIGNLESS), type = NULL;
    bool ok = mlc_parse_operand_list(p, &refs) && mlc_parse_attr_dict(p, op) &&
              mlc_parse_token(p, ":") && mlc_parse_type_into(p, &type);
    if (ok && mlc_parse_optional_token(p, ",")) {
        condition = type;
        ok = mlc_parse_type_into(p, &type);
    }
    if (ok && refs.size != 3)
        ok = mlc_parser_error_at(p, loc, "expected 3 operands");
    ok = ok && mlc_resolve_operand(p, &refs.data[0], condition, op) &&
         mlc_resolve_operand(p, &refs.data[1], type, op) &&
         mlc_resolve_operand(p, &refs.data[2], type, op);
    if (ok)
        mlc_vec_push(&op->result_types, type);
    mlc_vec_release(&refs);
    return ok;
}

void
mlc_arith_select_print(MlcPrinter *p, MlcOp *op)
{
    MlcType condition = mlc_value_type(mlc_op_operand(op, 0));
    mlc_print_str(p, " ");
    mlc_print_operands(p, op, 0, 3);
    mlc_print_attr_dict(p, op, NULL);
    mlc_print_str(p, " : ");
    if (mlc_type_is_shaped(condition)) {
        mlc_print_type(p, condition);
        mlc_print_str(p, ", ");
    }
    mlc_print_type(p, mlc_value_type(mlc_op_result(op, 0)));
}

// The relation compares shapes; encodings are part of the type, too.
bool
mlc_arith_select_verify(MlcOp *op)
{
    MlcType condition = mlc_op_operand_type(op, 0), type = mlc_op_result_type(op, 0);
    if (mlc_type_is_integer(condition, 1))
        return true;
    MlcType want =
        mlc_type_with_element(type, mlc_integer_type_get(mlc_op_context(op), 1, MLC_SIGNLESS));
    return condition == want || mlc_op_error(op,
                                             "expected condition type to have the same shape as "
                                             "the result type, expected '%s', but got '%s'",
                                             mlc_type_text(want), mlc_type_text(condition));
}

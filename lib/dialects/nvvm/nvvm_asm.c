// nvvm_asm.c -- syntax of nvvm.mma.sync: three groups of registers with one type each, and types of
// the matrices where the registers' do not tell.
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

static MlcAttr
matrix_type(MlcContext *ctx, const char *name)
{
    const MlcAttrDef *def = &mlc_nvvm_mma_type_attr_def;
    for (size_t i = 0; i < def->num_cases; i++)
        if (strcmp(def->cases[i].name, name) == 0)
            return mlc_enum_attr_get(ctx, def, def->cases[i].value);
    return NULL;
}

// What a matrix of registers of this type holds; NULL if that may be several things.
static MlcAttr
inferred_type(MlcType type, bool is_accumulator)
{
    MlcContext *ctx = mlc_type_context(type);
    MlcType element = mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_element(type) : type;
    if (mlc_type_is(element, MLC_TYPE_INTEGER))
        return is_accumulator ? matrix_type(ctx, "s32") : NULL;
    if (!mlc_type_is(element, MLC_TYPE_FLOAT))
        return NULL;
    switch (mlc_float_type_kind(element)) {
    case MLC_FLOAT_F64:
        return matrix_type(ctx, "f64");
    case MLC_FLOAT_F16:
        return matrix_type(ctx, "f16");
    case MLC_FLOAT_F32:
        return matrix_type(ctx, is_accumulator ? "f32" : "tf32");
    default:
        return NULL;
    }
}

static bool
has_attr(const MlcOpBuild *op, const char *name)
{
    for (size_t i = 0; i < op->attrs.size; i++)
        if (mlc_str_equal(mlc_string_attr_value(op->attrs.data[i].name), mlc_str(name)))
            return true;
    return false;
}

static const char *const type_attrs[] = {"multiplicandAPtxType", "multiplicandBPtxType"};

static bool
resolve_registers(MlcParser *p, MlcOpBuild *op, MlcOperandRefVec *groups, const MlcTypeVec *types)
{
    int32_t sizes[3];
    for (size_t i = 0; i < 3; i++) {
        sizes[i] = (int32_t)groups[i].size;
        for (size_t k = 0; k < groups[i].size; k++)
            if (!mlc_resolve_operand(p, &groups[i].data[k], types->data[i], op))
                return false;
        if (i == 2 || has_attr(op, type_attrs[i]))
            continue;
        MlcAttr inferred = inferred_type(types->data[i], true);
        if (!inferred)
            return mlc_parser_error_at(
                p, op->loc, "attribute %s is not provided explicitly and cannot be inferred",
                type_attrs[i]);
        mlc_op_build_attr(p, op, type_attrs[i], inferred);
    }
    mlc_op_build_attr(p, op, "operandSegmentSizes",
                      mlc_i32_array_attr_get(mlc_parser_context(p), sizes, 3));
    return true;
}

// nvvm.mma.sync A[%a] B[%b] C[%c, %d] {attrs} : (a, b, c) -> d
bool
mlc_nvvm_mma_sync_parse(MlcParser *p, MlcOpBuild *op)
{
    static const char *const names[] = {"A", "B", "C"};
    MlcOperandRefVec groups[3] = {0};
    MlcTypeVec types = {0};
    MlcType result;
    bool ok = true;
    for (size_t i = 0; ok && i < 3; i++)
        ok = mlc_parse_token(p, names[i]) && mlc_parse_operands_within(p, "[", "]", &groups[i]);
    ok = ok && mlc_parse_attr_dict(p, op) && mlc_parse_token(p, ":") && mlc_parse_token(p, "(") &&
         mlc_parse_type_list(p, &types) && mlc_parse_token(p, ")");
    if (ok && types.size != 3)
        ok = mlc_parser_error_at(
            p, op->loc, "expected one type for each operand segment but got %zu types", types.size);
    ok = ok && mlc_parse_token(p, "->") && mlc_parse_type_into(p, &result) &&
         resolve_registers(p, op, groups, &types);
    if (ok)
        mlc_vec_push(&op->result_types, result);
    for (size_t i = 0; i < 3; i++)
        mlc_vec_release(&groups[i]);
    mlc_vec_release(&types);
    return ok;
}

void
mlc_nvvm_mma_sync_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const all[] = {"operandSegmentSizes", NULL};
    static const char *const untyped[] = {"operandSegmentSizes", "multiplicandAPtxType",
                                          "multiplicandBPtxType", NULL};
    MlcType types[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        size_t first, count;
        mlc_op_operand_group(op, i, &first, &count);
        mlc_buf_printf(mlc_printer_buf(p), " %c[", "ABC"[i]);
        mlc_print_operands(p, op, first, count);
        mlc_print_str(p, "] ");
        types[i] = count ? mlc_value_type(mlc_op_operand(op, first)) : NULL;
    }
    mlc_print_attr_dict(p, op, types[0] && inferred_type(types[0], false) ? untyped : all);
    mlc_print_str(p, " : (");
    for (size_t i = 0; i < 3; i++) {
        mlc_print_str(p, i ? ", " : "");
        if (types[i])
            mlc_print_type(p, types[i]);
    }
    mlc_print_str(p, ") -> ");
    mlc_print_type(p, mlc_value_type(mlc_op_result(op, 0)));
}

// amx_to_llvm.c -- ops on tiles become the intrinsics that name registers (amx_registers.c).
//
// What is in a register is no value of LLVM's: those that ops give are never looked at.
#include "to_llvm.h"

#include "mlc/dialects/amx.h"
#include "mlc/dialects/llvm.h"

static bool
registers_of(MlcConversion *c, MlcOp *op, MlcValue **numbers, size_t n)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcAttr attr = mlc_op_attr(op, "mlc.tile_registers");
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    if (!attr || !mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY) || mlc_dense_array_attr_size(attr) != n)
        return mlc_conversion_no_match(c, op, "its tiles have no registers: run amx-registers");
    for (size_t i = 0; i < n; i++)
        numbers[i] = llvm_constant(b, byte, mlc_dense_array_attr_int(attr, i));
    return true;
}

static void
call(MlcBuilder *b, const char *intrinsic, MlcValue *const *args, size_t n)
{
    mlc_llvm_call_intrinsic(b, NULL, args, n, mlc_str(intrinsic));
}

static bool
replace_by_nothing(MlcConversion *c, MlcOp *op)
{
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcValue *nothing = mlc_llvm_mlir_undef(mlc_conversion_builder(c), type);
    mlc_conversion_replace(c, op, &nothing, 1);
    return true;
}

static bool
lower_zero(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcValue *number;
    if (!registers_of(c, op, &number, 1))
        return false;
    call(mlc_conversion_builder(c), "llvm.x86.tilezero", &number, 1);
    return replace_by_nothing(c, op);
}

// Register, address, bytes from row to row.
static bool
call_access(MlcConversion *c, MlcOp *op, MlcValue *const *operands, const char *intrinsic)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_op_operand_type(op, 0);
    size_t rank = mlc_type_rank(type);
    MlcValue *args[3];
    LlvmMemref m;
    if (!registers_of(c, op, args, 1))
        return false;
    llvm_memref_read(&m, c, type, operands[0]);
    args[1] = llvm_memref_element_ptr(c, type, operands[0], operands + 1);
    args[2] = llvm_mul_constant(b, llvm_memref_stride(b, &m, rank - 2),
                                (int64_t)llvm_element_bytes(mlc_type_element(type)));
    call(b, intrinsic, args, 3);
    return true;
}

static bool
lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    return call_access(c, op, operands, "llvm.x86.tileloadd64") && replace_by_nothing(c, op);
}

static bool
lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (!call_access(c, op, operands, "llvm.x86.tilestored64"))
        return false;
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_product(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    static const char *const of_signs[2][2] = {{"llvm.x86.tdpbssd", "llvm.x86.tdpbsud"},
                                               {"llvm.x86.tdpbusd", "llvm.x86.tdpbuud"}};
    (void)operands, (void)user;
    MlcValue *numbers[3];
    if (!registers_of(c, op, numbers, 3))
        return false;
    const char *intrinsic = "llvm.x86.tdpbf16ps";
    if (mlc_amx_tile_muli_isa(op))
        intrinsic =
            of_signs[mlc_op_attr(op, "isZextLhs") != NULL][mlc_op_attr(op, "isZextRhs") != NULL];
    call(mlc_conversion_builder(c), intrinsic, numbers, 3);
    return replace_by_nothing(c, op);
}

static const MlcConversionPattern patterns[] = {
    {.root = "amx.tile_zero", .convert = lower_zero},
    {.root = "amx.tile_load", .convert = lower_load},
    {.root = "amx.tile_store", .convert = lower_store},
    {.root = "amx.tile_muli", .convert = lower_product},
    {.root = "amx.tile_mulf", .convert = lower_product},
};
const LlvmPatterns amx_to_llvm_patterns = {"amx", "llvm", patterns,
                                           sizeof patterns / sizeof *patterns};

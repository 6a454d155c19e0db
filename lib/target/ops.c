// ops.c -- one row per op of the llvm dialect: which emitter makes it, with which LLVM opcode.
#include "metadata.h"
#include "translate.h"

#include <limits.h>

void *
mlc_translate_error(Translator *t, MlcOp *op, const char *format, ...)
{
    MlcBuf message = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&message, format, args);
    va_end(args);
    mlc_unsupported(mlc_op_context(op), mlc_op_loc(op), "'%s' op %s", mlc_op_name(op).data,
                    mlc_buf_c_str(&message));
    mlc_buf_release(&message);
    t->failed = t->op_failed = true;
    return NULL;
}

// In the words of mlir-translate.
void
mlc_translate_unknown(Translator *t, MlcOp *op)
{
    t->failed = t->op_failed = true;
    mlc_unsupported(mlc_op_context(op), mlc_op_loc(op),
                    "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` "
                    "registration for dialect for op: %s",
                    mlc_op_name(op).data);
}

LLVMValueRef
mlc_translate_operand(Translator *t, MlcOp *op, size_t i)
{
    LLVMValueRef value = mlc_map_get(&t->values, mlc_op_operand(op, i));
    // After an error elsewhere that is its consequence, and not worth a message.
    if (!value && !t->failed)
        mlc_translate_error(t, op, "operand %zu has no machine value", i);
    t->op_failed |= !value;
    return value;
}

int64_t
mlc_translate_int_attr(MlcOp *op, const char *name, int64_t otherwise)
{
    MlcAttr attr = mlc_op_attr(op, name);
    int64_t value;
    if (!attr)
        return otherwise;
    if (mlc_attr_is(attr, MLC_ATTR_DIALECT))
        return mlc_enum_attr_value(attr);
    return mlc_attr_try_as_int(attr, &value) ? value : otherwise;
}

static bool
has_flag(MlcOp *op, const char *name)
{
    MlcAttr attr = mlc_op_attr(op, name);
    return attr && (mlc_attr_is(attr, MLC_ATTR_UNIT) ||
                    (mlc_attr_is(attr, MLC_ATTR_INTEGER) && mlc_attr_as_bool(attr)));
}

static MlcAttr
required_attr(Translator *t, MlcOp *op, const char *name)
{
    MlcAttr attr = mlc_op_attr(op, name);
    return attr ? attr : mlc_translate_error(t, op, "requires attribute '%s'", name);
}

// Bits of #llvm.fastmath, in the dialect's order.
static const LLVMFastMathFlags fast_math_bits[] = {
    LLVMFastMathNoNaNs,          LLVMFastMathNoInfs,        LLVMFastMathNoSignedZeros,
    LLVMFastMathAllowReciprocal, LLVMFastMathAllowContract, LLVMFastMathApproxFunc,
    LLVMFastMathAllowReassoc,
};

void
mlc_translate_fast_math(LLVMValueRef value, MlcOp *op)
{
    int64_t bits = mlc_translate_int_attr(op, "fastmathFlags", 0);
    LLVMFastMathFlags flags = 0;
    for (size_t i = 0; i < sizeof fast_math_bits / sizeof fast_math_bits[0]; i++)
        if (bits >> i & 1)
            flags |= fast_math_bits[i];
    if (flags != 0 && LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
        LLVMSetFastMathFlags(value, flags);
}

static LLVMTypeRef
result_type(Translator *t, MlcOp *op)
{
    return mlc_translate_type(t, op, mlc_value_type(mlc_op_result(op, 0)));
}

#define OPERAND(name, i)                                                                           \
    LLVMValueRef name = mlc_translate_operand(t, op, i);                                           \
    if (!name)                                                                                     \
    return NULL

static LLVMValueRef
emit_binary(Translator *t, MlcOp *op, const OpRow *row)
{
    OPERAND(lhs, 0);
    OPERAND(rhs, 1);
    LLVMValueRef value = LLVMBuildBinOp(t->builder, (LLVMOpcode)row->code, lhs, rhs, "");
    if (!LLVMIsAInstruction(value))
        return value; // folded
    int64_t overflow = mlc_translate_int_attr(op, "overflowFlags", 0);
    if (overflow & 1)
        LLVMSetNSW(value, true);
    if (overflow & 2)
        LLVMSetNUW(value, true);
    if (has_flag(op, "isExact"))
        LLVMSetExact(value, true);
    if (has_flag(op, "isDisjoint"))
        LLVMSetIsDisjoint(value, true);
    mlc_translate_fast_math(value, op);
    return value;
}

static LLVMValueRef
emit_fneg(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(input, 0);
    LLVMValueRef value = LLVMBuildFNeg(t->builder, input, "");
    mlc_translate_fast_math(value, op);
    return value;
}

static LLVMValueRef
emit_cast(Translator *t, MlcOp *op, const OpRow *row)
{
    OPERAND(input, 0);
    LLVMTypeRef type = result_type(t, op);
    if (!type)
        return NULL;
    LLVMValueRef value = LLVMBuildCast(t->builder, (LLVMOpcode)row->code, input, type, "");
    if (has_flag(op, "nonNeg") && LLVMIsAInstruction(value))
        LLVMSetNNeg(value, true);
    return value;
}

static LLVMValueRef
emit_icmp(Translator *t, MlcOp *op, const OpRow *row)
{
    static const LLVMIntPredicate predicates[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT, LLVMIntSLE,
                                                  LLVMIntSGT, LLVMIntSGE, LLVMIntULT, LLVMIntULE,
                                                  LLVMIntUGT, LLVMIntUGE};
    (void)row;
    OPERAND(lhs, 0);
    OPERAND(rhs, 1);
    int64_t predicate = mlc_translate_int_attr(op, "predicate", -1);
    if (predicate < 0 || predicate > 9)
        mlc_bug("predicate %lld", (long long)predicate);
    return LLVMBuildICmp(t->builder, predicates[predicate], lhs, rhs, "");
}

static LLVMValueRef
emit_fcmp(Translator *t, MlcOp *op, const OpRow *row)
{
    static const LLVMRealPredicate predicates[] = {LLVMRealPredicateFalse,
                                                   LLVMRealOEQ,
                                                   LLVMRealOGT,
                                                   LLVMRealOGE,
                                                   LLVMRealOLT,
                                                   LLVMRealOLE,
                                                   LLVMRealONE,
                                                   LLVMRealORD,
                                                   LLVMRealUEQ,
                                                   LLVMRealUGT,
                                                   LLVMRealUGE,
                                                   LLVMRealULT,
                                                   LLVMRealULE,
                                                   LLVMRealUNE,
                                                   LLVMRealUNO,
                                                   LLVMRealPredicateTrue};
    (void)row;
    OPERAND(lhs, 0);
    OPERAND(rhs, 1);
    int64_t predicate = mlc_translate_int_attr(op, "predicate", -1);
    if (predicate < 0 || predicate > 15)
        mlc_bug("predicate %lld", (long long)predicate);
    LLVMValueRef value = LLVMBuildFCmp(t->builder, predicates[predicate], lhs, rhs, "");
    mlc_translate_fast_math(value, op);
    return value;
}

static LLVMValueRef
emit_select(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(condition, 0);
    OPERAND(if_true, 1);
    OPERAND(if_false, 2);
    LLVMValueRef value = LLVMBuildSelect(t->builder, condition, if_true, if_false, "");
    mlc_translate_fast_math(value, op);
    return value;
}

static LLVMValueRef
emit_freeze(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(input, 0);
    return LLVMBuildFreeze(t->builder, input, "");
}

static LLVMValueRef
emit_constant(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcAttr value = required_attr(t, op, "value");
    if (!value)
        return NULL;
    // A function as a constant: its address.
    if (mlc_attr_is(value, MLC_ATTR_SYMBOL_REF))
        return mlc_str_map_get(&t->symbols, mlc_symbol_ref_attr_name(value, 0));
    return mlc_translate_constant(t, op, value, mlc_value_type(mlc_op_result(op, 0)));
}

static LLVMValueRef
emit_undef(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMTypeRef type = result_type(t, op);
    return type ? LLVMGetUndef(type) : NULL;
}

static LLVMValueRef
emit_poison(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMTypeRef type = result_type(t, op);
    return type ? LLVMGetPoison(type) : NULL;
}

static LLVMValueRef
emit_zero(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMTypeRef type = result_type(t, op);
    return type ? LLVMConstNull(type) : NULL;
}

LLVMValueRef
mlc_translate_symbol(Translator *t, MlcOp *op, MlcAttr ref)
{
    if (!mlc_attr_is(ref, MLC_ATTR_SYMBOL_REF))
        mlc_bug("%s is no symbol", mlc_attr_text(ref));
    MlcStr name = mlc_symbol_ref_attr_name(ref, 0);
    LLVMValueRef value = mlc_str_map_get(&t->symbols, name);
    return value ? value
                 : mlc_translate_error(t, op, "'%.*s' is no function or global of this module",
                                       MLC_STR_FMT(name));
}

static LLVMValueRef
emit_addressof(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcAttr name = required_attr(t, op, "global_name");
    return name ? mlc_translate_symbol(t, op, name) : NULL;
}

static LLVMTypeRef
type_attr(Translator *t, MlcOp *op, const char *name)
{
    MlcAttr attr = required_attr(t, op, name);
    if (!attr)
        return NULL;
    if (!mlc_attr_is(attr, MLC_ATTR_TYPE))
        mlc_bug("attribute '%s' is no type", name);
    return mlc_translate_type(t, op, mlc_type_attr_value(attr));
}

static LLVMValueRef
emit_alloca(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(count, 0);
    LLVMTypeRef type = type_attr(t, op, "elem_type");
    if (!type)
        return NULL;
    // MLIR's translation keeps the count, even if it is 1.
    bool single = !t->is_plain && LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
    LLVMValueRef value = single ? LLVMBuildAlloca(t->builder, type, "")
                                : LLVMBuildArrayAlloca(t->builder, type, count, "");
    int64_t alignment = mlc_translate_int_attr(op, "alignment", 0);
    if (alignment > 0)
        LLVMSetAlignment(value, (unsigned)alignment);
    return value;
}

static void
set_metadata(Translator *t, LLVMValueRef instruction, const char *kind, LLVMMetadataRef *operands,
             size_t num_operands)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(t->llvm, operands, num_operands);
    LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(t->llvm, kind, (unsigned)strlen(kind)),
                    LLVMMetadataAsValue(t->llvm, node));
}

static void
set_access_flags(Translator *t, MlcOp *op, LLVMValueRef access)
{
    int64_t alignment = mlc_translate_int_attr(op, "alignment", 0);
    int64_t ordering = mlc_translate_int_attr(op, "ordering", 0);
    if (alignment > 0)
        LLVMSetAlignment(access, (unsigned)alignment);
    if (ordering > 0)
        LLVMSetOrdering(access, (LLVMAtomicOrdering)ordering);
    if (has_flag(op, "volatile_"))
        LLVMSetVolatile(access, true);
    if (has_flag(op, "invariant"))
        set_metadata(t, access, "invariant.load", NULL, 0);
    if (has_flag(op, "nontemporal")) {
        LLVMMetadataRef one =
            LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(t->llvm), 1, false));
        set_metadata(t, access, "nontemporal", &one, 1);
    }
}

static LLVMValueRef
emit_load(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(address, 0);
    LLVMTypeRef type = result_type(t, op);
    if (!type)
        return NULL;
    LLVMValueRef value = LLVMBuildLoad2(t->builder, type, address, "");
    set_access_flags(t, op, value);
    return value;
}

static LLVMValueRef
emit_store(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(value, 0);
    OPERAND(address, 1);
    set_access_flags(t, op, LLVMBuildStore(t->builder, value, address));
    return NULL;
}

static LLVMValueRef
emit_gep(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(base, 0);
    LLVMTypeRef type = type_attr(t, op, "elem_type");
    MlcAttr indices = required_attr(t, op, "rawConstantIndices");
    if (!type || !indices)
        return NULL;
    ValueVec values = {0};
    size_t next = 1;
    bool ok = true;
    for (size_t i = 0; i < mlc_int_list_attr_size(indices) && ok; i++) {
        int64_t index = 0;
        ok = mlc_int_list_attr_get(indices, i, &index);
        LLVMValueRef value = LLVMConstInt(LLVMInt32TypeInContext(t->llvm), (uint64_t)index, true);
        if (ok && index == INT32_MIN)
            value = mlc_translate_operand(t, op, next++);
        ok = ok && value;
        mlc_vec_push(&values, value);
    }
    LLVMValueRef result = NULL;
    if (ok && has_flag(op, "inbounds"))
        result =
            LLVMBuildInBoundsGEP2(t->builder, type, base, values.data, (unsigned)values.size, "");
    else if (ok)
        result = LLVMBuildGEP2(t->builder, type, base, values.data, (unsigned)values.size, "");
    mlc_vec_release(&values);
    return result;
}

static LLVMValueRef
emit_extractelement(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(vector, 0);
    OPERAND(position, 1);
    return LLVMBuildExtractElement(t->builder, vector, position, "");
}

static LLVMValueRef
emit_insertelement(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(vector, 0);
    OPERAND(value, 1);
    OPERAND(position, 2);
    return LLVMBuildInsertElement(t->builder, vector, value, position, "");
}

static LLVMValueRef
emit_shufflevector(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(first, 0);
    OPERAND(second, 1);
    MlcAttr mask = required_attr(t, op, "mask");
    if (!mask)
        return NULL;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(t->llvm);
    int64_t count = 2 * (int64_t)LLVMGetVectorSize(LLVMTypeOf(first));
    ValueVec lanes = {0};
    for (size_t i = 0; i < mlc_int_list_attr_size(mask); i++) {
        int64_t lane = -1;
        (void)mlc_int_list_attr_get(mask, i, &lane);
        if (lane >= count)
            mlc_translate_error(t, op, "takes lane %lld of %lld", (long long)lane,
                                (long long)count);
        mlc_vec_push(&lanes,
                     lane < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, (uint64_t)lane, false));
    }
    LLVMValueRef value = NULL;
    if (lanes.size == 0)
        mlc_translate_error(t, op, "the mask has no lanes");
    else if (!t->op_failed)
        value = LLVMBuildShuffleVector(t->builder, first, second,
                                       LLVMConstVector(lanes.data, (unsigned)lanes.size), "");
    mlc_vec_release(&lanes);
    return value;
}

// A path into nested structs and arrays: the inner aggregates are taken out one by one, as the C
// API has single indices.
static LLVMValueRef
emit_extractvalue(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(value, 0);
    MlcAttr position = required_attr(t, op, "position");
    for (size_t i = 0; position && i < mlc_int_list_attr_size(position); i++) {
        int64_t index = 0;
        (void)mlc_int_list_attr_get(position, i, &index);
        value = LLVMBuildExtractValue(t->builder, value, (unsigned)index, "");
    }
    return position ? value : NULL;
}

static LLVMValueRef
insert_at(Translator *t, LLVMValueRef into, LLVMValueRef value, MlcAttr position, size_t depth)
{
    int64_t index = 0;
    (void)mlc_int_list_attr_get(position, depth, &index);
    if (depth + 1 < mlc_int_list_attr_size(position)) {
        LLVMValueRef inner = LLVMBuildExtractValue(t->builder, into, (unsigned)index, "");
        value = insert_at(t, inner, value, position, depth + 1);
    }
    return LLVMBuildInsertValue(t->builder, into, value, (unsigned)index, "");
}

static LLVMValueRef
emit_insertvalue(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(container, 0);
    OPERAND(value, 1);
    MlcAttr position = required_attr(t, op, "position");
    return position ? insert_at(t, container, value, position, 0) : NULL;
}

static bool
operands_from(Translator *t, MlcOp *op, size_t first, ValueVec *values)
{
    for (size_t i = first; i < mlc_op_num_operands(op); i++) {
        LLVMValueRef value = mlc_translate_operand(t, op, i);
        if (!value)
            return false;
        mlc_vec_push(values, value);
    }
    return true;
}

LLVMTypeRef
mlc_translate_call_type(Translator *t, MlcOp *op, const ValueVec *args)
{
    LLVMTypeRef result =
        mlc_op_num_results(op) > 0 ? result_type(t, op) : LLVMVoidTypeInContext(t->llvm);
    TypeVec types = {0};
    for (size_t i = 0; i < args->size; i++)
        mlc_vec_push(&types, LLVMTypeOf(args->data[i]));
    LLVMTypeRef type =
        result ? LLVMFunctionType(result, types.data, (unsigned)types.size, false) : NULL;
    mlc_vec_release(&types);
    return type;
}

LLVMTypeRef
mlc_translate_called_type(Translator *t, MlcOp *op, LLVMValueRef callee, const ValueVec *args)
{
    return LLVMIsAFunction(callee) ? LLVMGlobalGetValueType(callee)
                                   : mlc_translate_call_type(t, op, args);
}

static LLVMValueRef
emit_call(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcAttr name = mlc_op_attr(op, "callee");
    if (!name && mlc_op_num_operands(op) == 0)
        mlc_bug("a verified llvm.call calls nothing");
    LLVMValueRef callee =
        name ? mlc_translate_symbol(t, op, name) : mlc_translate_operand(t, op, 0);
    ValueVec args = {0};
    LLVMValueRef call = NULL;
    if (callee && operands_from(t, op, name ? 0 : 1, &args)) {
        LLVMTypeRef type = mlc_translate_called_type(t, op, callee, &args);
        if (type && LLVMCountParamTypes(type) > args.size)
            mlc_translate_error(t, op, "passes %zu arguments, %u are expected", args.size,
                                LLVMCountParamTypes(type));
        else if (type)
            call = LLVMBuildCall2(t->builder, type, callee, args.data, (unsigned)args.size, "");
    }
    mlc_vec_release(&args);
    if (!call)
        return NULL;
    LLVMSetInstructionCallConv(call, LLVMIsAFunction(callee)
                                         ? LLVMGetFunctionCallConv(callee)
                                         : (unsigned)mlc_translate_int_attr(op, "CConv", 0));
    mlc_translate_fast_math(call, op);
    return call;
}

static LLVMValueRef
emit_inline_asm(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcAttr text = required_attr(t, op, "asm_string"),
            constraints = required_attr(t, op, "constraints");
    ValueVec args = {0};
    LLVMValueRef call = NULL;
    if (text && constraints && operands_from(t, op, 0, &args)) {
        LLVMTypeRef type = mlc_translate_called_type(
            t, op, LLVMGetUndef(LLVMPointerTypeInContext(t->llvm, 0)), &args);
        MlcStr code = mlc_string_attr_value(text), rules = mlc_string_attr_value(constraints);
        bool intel = mlc_translate_int_attr(op, "asm_dialect", 0) == 1;
        if (type) {
            LLVMValueRef callee = LLVMGetInlineAsm(
                type, code.data, code.size, rules.data, rules.size,
                has_flag(op, "has_side_effects"), has_flag(op, "is_align_stack"),
                intel ? LLVMInlineAsmDialectIntel : LLVMInlineAsmDialectATT, false);
            call = LLVMBuildCall2(t->builder, type, callee, args.data, (unsigned)args.size, "");
        }
    }
    mlc_vec_release(&args);
    // On a GPU every asm may be one that all lanes of a warp must reach together.
    if (call && t->gpu) {
        unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(t->llvm, kind, 0));
    }
    return call;
}

static LLVMValueRef
emit_fence(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMBuildFence(t->builder, (LLVMAtomicOrdering)mlc_translate_int_attr(op, "ordering", 7), false,
                   "");
    return NULL;
}

static LLVMValueRef
emit_atomicrmw(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(address, 0);
    OPERAND(value, 1);
    int64_t kind = mlc_translate_int_attr(op, "bin_op", -1);
    if (kind < 0 || kind > LLVMAtomicRMWBinOpUDecWrap)
        return mlc_translate_error(t, op, "unknown operation %lld", (long long)kind);
    LLVMValueRef result =
        LLVMBuildAtomicRMW(t->builder, (LLVMAtomicRMWBinOp)kind, address, value,
                           (LLVMAtomicOrdering)mlc_translate_int_attr(op, "ordering", 7), false);
    int64_t alignment = mlc_translate_int_attr(op, "alignment", 0);
    if (alignment > 0)
        LLVMSetAlignment(result, (unsigned)alignment);
    if (has_flag(op, "volatile_"))
        LLVMSetVolatile(result, true);
    return result;
}

static LLVMValueRef
emit_cmpxchg(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(address, 0);
    OPERAND(expected, 1);
    OPERAND(value, 2);
    LLVMValueRef result = LLVMBuildAtomicCmpXchg(
        t->builder, address, expected, value,
        (LLVMAtomicOrdering)mlc_translate_int_attr(op, "success_ordering", 7),
        (LLVMAtomicOrdering)mlc_translate_int_attr(op, "failure_ordering", 7), false);
    if (has_flag(op, "weak"))
        LLVMSetWeak(result, true);
    return result;
}

static LLVMValueRef
emit_return(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    if (mlc_op_num_operands(op) == 0) {
        LLVMBuildRetVoid(t->builder);
        return NULL;
    }
    OPERAND(value, 0);
    LLVMBuildRet(t->builder, value);
    return NULL;
}

static LLVMValueRef
emit_unreachable(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)op, (void)row;
    LLVMBuildUnreachable(t->builder);
    return NULL;
}

static LLVMBasicBlockRef
successor(Translator *t, MlcOp *op, size_t i)
{
    return mlc_translate_block(t, op, mlc_op_successor(op, i));
}

static LLVMValueRef
emit_br(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    LLVMBuildBr(t->builder, successor(t, op, 0));
    return NULL;
}

static void
set_branch_weights(Translator *t, MlcOp *op, LLVMValueRef branch)
{
    MlcAttr weights = mlc_op_attr(op, "branch_weights");
    size_t count = weights ? mlc_int_list_attr_size(weights) : 0;
    if (count == 0)
        return;
    MLC_VEC(LLVMMetadataRef) nodes = {0};
    mlc_vec_push(&nodes, LLVMMDStringInContext2(t->llvm, "branch_weights", 14));
    for (size_t i = 0; i < count; i++) {
        int64_t weight = 0;
        (void)mlc_int_list_attr_get(weights, i, &weight);
        mlc_vec_push(&nodes, LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(t->llvm),
                                                              (uint64_t)weight, false)));
    }
    set_metadata(t, branch, "prof", nodes.data, nodes.size);
    mlc_vec_release(&nodes);
}

static LLVMValueRef
emit_cond_br(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(condition, 0);
    set_branch_weights(
        t, op, LLVMBuildCondBr(t->builder, condition, successor(t, op, 0), successor(t, op, 1)));
    return NULL;
}

static LLVMValueRef
emit_switch(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    OPERAND(value, 0);
    MlcAttr cases = mlc_op_attr(op, "case_values");
    size_t count = mlc_op_num_successors(op) - 1;
    LLVMValueRef result = LLVMBuildSwitch(t->builder, value, successor(t, op, 0), (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        int64_t label = 0;
        if (!cases || !mlc_int_list_attr_get(cases, i, &label))
            mlc_bug("a verified llvm.switch has more successors than case values");
        LLVMAddCase(result, LLVMConstInt(LLVMTypeOf(value), (uint64_t)label, true),
                    successor(t, op, i + 1));
    }
    set_branch_weights(t, op, result);
    return NULL;
}

// clang-format off
#define BINARY(op, opcode) {.name = "llvm." op, .emit = emit_binary, .code = opcode}
#define CAST(op, opcode)   {.name = "llvm." op, .emit = emit_cast, .code = opcode}
static const OpRow rows[] = {
    BINARY("add", LLVMAdd),   BINARY("sub", LLVMSub),   BINARY("mul", LLVMMul),
    BINARY("udiv", LLVMUDiv), BINARY("sdiv", LLVMSDiv), BINARY("urem", LLVMURem), BINARY("srem", LLVMSRem),
    BINARY("and", LLVMAnd),   BINARY("or", LLVMOr),     BINARY("xor", LLVMXor),
    BINARY("shl", LLVMShl),   BINARY("lshr", LLVMLShr), BINARY("ashr", LLVMAShr),
    BINARY("fadd", LLVMFAdd), BINARY("fsub", LLVMFSub), BINARY("fmul", LLVMFMul),
    BINARY("fdiv", LLVMFDiv), BINARY("frem", LLVMFRem),
    CAST("bitcast", LLVMBitCast),   CAST("addrspacecast", LLVMAddrSpaceCast),
    CAST("inttoptr", LLVMIntToPtr), CAST("ptrtoint", LLVMPtrToInt),
    CAST("sext", LLVMSExt),         CAST("zext", LLVMZExt),     CAST("trunc", LLVMTrunc),
    CAST("sitofp", LLVMSIToFP),     CAST("uitofp", LLVMUIToFP), CAST("fptosi", LLVMFPToSI),
    CAST("fptoui", LLVMFPToUI),     CAST("fpext", LLVMFPExt),   CAST("fptrunc", LLVMFPTrunc),
    {.name = "llvm.fneg", .emit = emit_fneg},
    {.name = "llvm.icmp", .emit = emit_icmp},
    {.name = "llvm.fcmp", .emit = emit_fcmp},
    {.name = "llvm.select", .emit = emit_select},
    {.name = "llvm.freeze", .emit = emit_freeze},
    {.name = "llvm.mlir.constant", .emit = emit_constant},
    {.name = "llvm.mlir.undef", .emit = emit_undef},
    {.name = "llvm.mlir.poison", .emit = emit_poison},
    {.name = "llvm.mlir.zero", .emit = emit_zero},
    {.name = "llvm.mlir.addressof", .emit = emit_addressof},
    {.name = "llvm.alloca", .emit = emit_alloca},
    {.name = "llvm.load", .emit = emit_load},
    {.name = "llvm.store", .emit = emit_store},
    {.name = "llvm.getelementptr", .emit = emit_gep},
    {.name = "llvm.extractelement", .emit = emit_extractelement},
    {.name = "llvm.insertelement", .emit = emit_insertelement},
    {.name = "llvm.shufflevector", .emit = emit_shufflevector},
    {.name = "llvm.extractvalue", .emit = emit_extractvalue},
    {.name = "llvm.insertvalue", .emit = emit_insertvalue},
    {.name = "llvm.call", .emit = emit_call},
    {.name = "llvm.inline_asm", .emit = emit_inline_asm},
    {.name = "llvm.fence", .emit = emit_fence},
    {.name = "llvm.atomicrmw", .emit = emit_atomicrmw},
    {.name = "llvm.cmpxchg", .emit = emit_cmpxchg},
    {.name = "llvm.return", .emit = emit_return},
    {.name = "llvm.unreachable", .emit = emit_unreachable},
    {.name = "llvm.br", .emit = emit_br},
    {.name = "llvm.cond_br", .emit = emit_cond_br},
    {.name = "llvm.switch", .emit = emit_switch},
};
// clang-format on

static const OpRow *
find_in(const OpRow *table, size_t count, MlcStr name)
{
    for (size_t i = 0; i < count; i++)
        if (mlc_str_equal(mlc_str(table[i].name), name))
            return &table[i];
    return NULL;
}

static bool
starts_with(MlcStr s, const char *prefix)
{
    return s.size > strlen(prefix) && memcmp(s.data, prefix, strlen(prefix)) == 0;
}

// Once per kind of op in a module; afterwards the definition leads to the row.
static const OpRow *
find_row(Translator *t, MlcOp *op)
{
    static const OpRow by_rule = {.name = "llvm.intr", .overloads = NULL};
    const OpRow *row = mlc_map_get(&t->rows, mlc_op_def(op));
    if (row)
        return row;
    MlcStr name = mlc_op_name(op);
    size_t num_intrinsics, num_calls, num_metadata;
    const OpRow *intrinsics = mlc_intrinsic_rows(&num_intrinsics);
    const OpRow *calls = mlc_call_rows(&num_calls), *metadata = mlc_metadata_rows(&num_metadata);
    row = find_in(rows, sizeof rows / sizeof rows[0], name);
    if (!row)
        row = find_in(intrinsics, num_intrinsics, name);
    if (!row)
        row = mlc_nvvm_row(name);
    if (!row)
        row = mlc_rocdl_row(name);
    if (!row)
        row = find_in(calls, num_calls, name);
    if (!row)
        row = find_in(metadata, num_metadata, name);
    if (!row && starts_with(name, "llvm.intr."))
        row = &by_rule;
    if (row)
        mlc_map_set(&t->rows, mlc_op_def(op), row);
    return row;
}

bool
mlc_translate_op(Translator *t, MlcOp *op)
{
    const OpRow *row = find_row(t, op);
    if (!row)
        return mlc_translate_unknown(t, op), false;
    t->op_failed = false;
    mlc_metadata_begin_op(t, op);
    LLVMValueRef value = row->emit ? row->emit(t, op, row) : mlc_emit_intrinsic(t, op, row);
    mlc_metadata_end_op(t, op);
    if (!t->op_failed && mlc_op_num_results(op) == 1 && value)
        mlc_map_set(&t->values, mlc_op_result(op, 0), value);
    return !t->op_failed;
}

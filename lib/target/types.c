// types.c -- types and constant attributes.
//
// A dialect type's parameters are found by what they are (an integer is a count or an address
// space, a type the element, an array the members), not by position, which is the dialect's affair.
#include "translate.h"

static MlcAttr
param_of_kind(MlcType type, MlcAttrKind kind)
{
    for (size_t i = 0; i < mlc_dialect_type_num_params(type); i++)
        if (mlc_attr_is(mlc_dialect_type_param(type, i), kind))
            return mlc_dialect_type_param(type, i);
    return NULL;
}

// A unit, or a boolean that is true.
static bool
has_flag(MlcType type)
{
    for (size_t i = 0; i < mlc_dialect_type_num_params(type); i++) {
        MlcAttr p = mlc_dialect_type_param(type, i);
        if (mlc_attr_is(p, MLC_ATTR_UNIT))
            return true;
        if (mlc_attr_is(p, MLC_ATTR_INTEGER) && mlc_type_is_integer(mlc_attr_type(p), 1))
            return mlc_attr_as_bool(p);
    }
    return false;
}

static int64_t
integer_param(MlcType type, int64_t otherwise)
{
    for (size_t i = 0; i < mlc_dialect_type_num_params(type); i++) {
        MlcAttr p = mlc_dialect_type_param(type, i);
        int64_t value;
        if (mlc_attr_is(p, MLC_ATTR_INTEGER) && !mlc_type_is_integer(mlc_attr_type(p), 1) &&
            mlc_attr_try_as_int(p, &value))
            return value;
    }
    return otherwise;
}

static LLVMTypeRef
float_type(Translator *t, MlcOp *op, MlcType type)
{
    switch (mlc_float_type_kind(type)) {
    case MLC_FLOAT_BF16:
        return LLVMBFloatTypeInContext(t->llvm);
    case MLC_FLOAT_F16:
        return LLVMHalfTypeInContext(t->llvm);
    case MLC_FLOAT_F32:
        return LLVMFloatTypeInContext(t->llvm);
    case MLC_FLOAT_F64:
        return LLVMDoubleTypeInContext(t->llvm);
    case MLC_FLOAT_F80:
        return LLVMX86FP80TypeInContext(t->llvm);
    case MLC_FLOAT_F128:
        return LLVMFP128TypeInContext(t->llvm);
    default:
        return mlc_translate_error(t, op, "no machine type for %s", mlc_type_text(type));
    }
}

static LLVMTypeRef
vector_type(Translator *t, MlcOp *op, MlcType type)
{
    if (mlc_type_rank(type) != 1 || mlc_type_dim(type, 0) < 1)
        return mlc_translate_error(t, op, "no machine type for %s: only vectors of rank 1 have one",
                                   mlc_type_text(type));
    LLVMTypeRef element = mlc_translate_type(t, op, mlc_type_element(type));
    unsigned count = (unsigned)mlc_type_dim(type, 0);
    if (!element)
        return NULL;
    return mlc_vector_type_has_scalable(type) ? LLVMScalableVectorType(element, count)
                                              : LLVMVectorType(element, count);
}

static LLVMTypeRef
struct_type(Translator *t, MlcOp *op, MlcType type)
{
    MlcAttr name = param_of_kind(type, MLC_ATTR_STRING);
    MlcAttr body = param_of_kind(type, MLC_ATTR_ARRAY);
    if (!body && name)
        body = mlc_dialect_type_body(type);
    if (!body && name)
        return LLVMStructCreateNamed(t->llvm, mlc_string_attr_value(name).data);
    TypeVec members = {0};
    bool ok = true;
    for (size_t i = 0; body && i < mlc_array_attr_size(body) && ok; i++) {
        LLVMTypeRef member =
            mlc_translate_type(t, op, mlc_type_attr_value(mlc_array_attr_element(body, i)));
        ok = member != NULL;
        mlc_vec_push(&members, member);
    }
    LLVMTypeRef result = NULL;
    if (ok && name) {
        result = LLVMStructCreateNamed(t->llvm, mlc_string_attr_value(name).data);
        LLVMStructSetBody(result, members.data, (unsigned)members.size, has_flag(type));
    } else if (ok) {
        result =
            LLVMStructTypeInContext(t->llvm, members.data, (unsigned)members.size, has_flag(type));
    }
    mlc_vec_release(&members);
    return result;
}

static LLVMTypeRef
array_type(Translator *t, MlcOp *op, MlcType type)
{
    MlcAttr element = param_of_kind(type, MLC_ATTR_TYPE);
    LLVMTypeRef translated =
        element ? mlc_translate_type(t, op, mlc_type_attr_value(element)) : NULL;
    int64_t count = integer_param(type, -1);
    if (!translated || count < 0)
        return t->op_failed
                   ? NULL
                   : mlc_translate_error(t, op, "no machine type for %s", mlc_type_text(type));
    if (mlc_type_isa(type, "llvm.vec"))
        return LLVMVectorType(translated, (unsigned)count);
    return LLVMArrayType2(translated, (uint64_t)count);
}

bool
mlc_llvm_function_type_parts(MlcType type, MlcType *result, MlcAttr *params, bool *is_variadic)
{
    if (!mlc_type_isa(type, "llvm.func"))
        return false;
    MlcAttr first = param_of_kind(type, MLC_ATTR_TYPE);
    *params = param_of_kind(type, MLC_ATTR_ARRAY);
    *result = first ? mlc_type_attr_value(first) : NULL;
    *is_variadic = has_flag(type);
    return *result != NULL;
}

LLVMTypeRef
mlc_translate_function_type(Translator *t, MlcOp *op, MlcType type)
{
    MlcType result;
    MlcAttr params;
    bool is_variadic;
    if (!mlc_llvm_function_type_parts(type, &result, &params, &is_variadic))
        mlc_bug("a verified function has type %s", mlc_type_text(type));
    LLVMTypeRef translated = mlc_translate_type(t, op, result);
    TypeVec inputs = {0};
    bool ok = translated != NULL;
    for (size_t i = 0; params && i < mlc_array_attr_size(params) && ok; i++) {
        LLVMTypeRef input =
            mlc_translate_type(t, op, mlc_type_attr_value(mlc_array_attr_element(params, i)));
        ok = input != NULL;
        mlc_vec_push(&inputs, input);
    }
    if (ok)
        translated = LLVMFunctionType(translated, inputs.data, (unsigned)inputs.size, is_variadic);
    mlc_vec_release(&inputs);
    return ok ? translated : NULL;
}

// !llvm.target<"name", types..., numbers...>
static LLVMTypeRef
target_type(Translator *t, MlcOp *op, MlcType type)
{
    MlcAttr types = mlc_dialect_type_param(type, 1), numbers = mlc_dialect_type_param(type, 2);
    TypeVec type_params = {0};
    MLC_VEC(unsigned) int_params = {0};
    LLVMTypeRef made = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_array_attr_size(types); i++) {
        LLVMTypeRef param =
            mlc_translate_type(t, op, mlc_type_attr_value(mlc_array_attr_element(types, i)));
        mlc_vec_push(&type_params, param);
        ok = param != NULL;
    }
    for (size_t i = 0; i < mlc_array_attr_size(numbers); i++)
        mlc_vec_push(&int_params, (unsigned)mlc_attr_as_int(mlc_array_attr_element(numbers, i)));
    if (ok)
        made = LLVMTargetExtTypeInContext(
            t->llvm, mlc_string_attr_value(mlc_dialect_type_param(type, 0)).data, type_params.data,
            (unsigned)type_params.size, int_params.data, (unsigned)int_params.size);
    mlc_vec_release(&type_params);
    mlc_vec_release(&int_params);
    return made;
}

static LLVMTypeRef
dialect_type(Translator *t, MlcOp *op, MlcType type)
{
    if (mlc_type_isa(type, "llvm.ptr"))
        return LLVMPointerTypeInContext(t->llvm, (unsigned)integer_param(type, 0));
    if (mlc_type_isa(type, "llvm.struct"))
        return struct_type(t, op, type);
    if (mlc_type_isa(type, "llvm.array") || mlc_type_isa(type, "llvm.vec"))
        return array_type(t, op, type);
    if (mlc_type_isa(type, "llvm.func"))
        return mlc_translate_function_type(t, op, type);
    if (mlc_type_isa(type, "llvm.void"))
        return LLVMVoidTypeInContext(t->llvm);
    if (mlc_type_isa(type, "llvm.token"))
        return LLVMTokenTypeInContext(t->llvm);
    if (mlc_type_isa(type, "llvm.metadata"))
        return LLVMMetadataTypeInContext(t->llvm);
    if (mlc_type_isa(type, "llvm.label"))
        return LLVMLabelTypeInContext(t->llvm);
    if (mlc_type_isa(type, "llvm.ppc_fp128"))
        return LLVMPPCFP128TypeInContext(t->llvm);
    if (mlc_type_isa(type, "llvm.x86_mmx"))
        return LLVMX86MMXTypeInContext(t->llvm);
    if (mlc_type_isa(type, "llvm.target"))
        return target_type(t, op, type);
    return mlc_translate_error(t, op, "no machine type for %s: lower it to the llvm dialect first",
                               mlc_type_text(type));
}

static LLVMTypeRef
make_type(Translator *t, MlcOp *op, MlcType type)
{
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_INTEGER:
        if (mlc_integer_type_width(type) == 0)
            return mlc_translate_error(t, op, "an integer of no bits has no machine type");
        return LLVMIntTypeInContext(t->llvm, mlc_integer_type_width(type));
    case MLC_TYPE_INDEX:
        return mlc_translate_error(t, op,
                                   "index has no machine type: convert it to an integer first");
    case MLC_TYPE_FLOAT:
        return float_type(t, op, type);
    case MLC_TYPE_VECTOR:
        return vector_type(t, op, type);
    case MLC_TYPE_DIALECT:
        return dialect_type(t, op, type);
    default:
        return mlc_translate_error(t, op,
                                   "no machine type for %s: lower it to the llvm dialect first",
                                   mlc_type_text(type));
    }
}

LLVMTypeRef
mlc_translate_type(Translator *t, MlcOp *op, MlcType type)
{
    LLVMTypeRef known = mlc_map_get(&t->types, type);
    if (known)
        return known;
    LLVMTypeRef made = make_type(t, op, type);
    if (made)
        mlc_map_set(&t->types, type, made);
    return made;
}

// Located at the op, in upstream's words.
static LLVMValueRef
constant_error(Translator *t, MlcOp *op, const char *message)
{
    t->failed = t->op_failed = true;
    return mlc_error(mlc_op_context(op), mlc_op_loc(op), "%s", message), NULL;
}

static LLVMValueRef
int_constant(LLVMTypeRef type, MlcAttr attr)
{
    MlcWide wide = mlc_attr_wide(attr);
    return LLVMConstIntOfArbitraryPrecision(type, mlc_wide_num_words(wide), mlc_wide_words(&wide));
}

static LLVMValueRef
bits_constant(Translator *t, LLVMTypeRef type, unsigned width, uint64_t lo, uint64_t hi)
{
    uint64_t words[2] = {lo, hi};
    LLVMTypeRef bits = LLVMIntTypeInContext(t->llvm, width);
    return LLVMConstBitCast(LLVMConstIntOfArbitraryPrecision(bits, width > 64 ? 2 : 1, words),
                            type);
}

static LLVMValueRef
float_constant(Translator *t, MlcOp *op, LLVMTypeRef type, MlcAttr attr)
{
    uint64_t lo, hi;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind != LLVMIntegerTypeKind && mlc_translate_type(t, op, mlc_attr_type(attr)) != type)
        return constant_error(t, op, "FloatAttr does not match expected type of the constant");
    mlc_float_attr_bits(attr, &lo, &hi);
    return bits_constant(t, type, mlc_type_bit_width(mlc_attr_type(attr)), lo, hi);
}

// The elements [first, first + count of the type's leaves) as a constant of `type`, an array (of
// arrays) or a vector.
static LLVMValueRef
elements_constant(Translator *t, MlcOp *op, MlcAttr attr, LLVMTypeRef type, size_t *next)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_array = kind == LLVMArrayTypeKind;
    if (kind == LLVMStructTypeKind)
        return constant_error(t, op, "expected struct type to be a complex number");
    if (!is_array && kind != LLVMVectorTypeKind) {
        MlcAttr element = mlc_elements_attr_element(attr, (*next)++);
        if (mlc_attr_is(element, MLC_ATTR_FLOAT))
            return float_constant(t, op, type, element);
        if (mlc_attr_is(element, MLC_ATTR_INTEGER))
            return int_constant(type, element);
        return mlc_translate_error(t, op, "no machine constant for the elements of %s",
                                   mlc_type_text(mlc_attr_type(attr)));
    }
    size_t count = is_array ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
    ValueVec elements = {0};
    mlc_vec_reserve(&elements, count);
    for (size_t i = 0; i < count && !t->op_failed; i++)
        mlc_vec_push(&elements, elements_constant(t, op, attr, LLVMGetElementType(type), next));
    LLVMValueRef result = NULL;
    if (!t->op_failed)
        result = is_array ? LLVMConstArray2(LLVMGetElementType(type), elements.data, count)
                          : LLVMConstVector(elements.data, (unsigned)count);
    mlc_vec_release(&elements);
    return result;
}

static size_t
num_leaves(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind)
        return LLVMGetArrayLength2(type) * num_leaves(LLVMGetElementType(type));
    return kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static bool
check_resource(Translator *t, MlcOp *op, MlcType shaped, LLVMTypeRef type, const void *data,
               size_t num_bytes)
{
    LLVMTypeRef leaf = type;
    while (LLVMGetTypeKind(leaf) == LLVMArrayTypeKind ||
           LLVMGetTypeKind(leaf) == LLVMVectorTypeKind)
        leaf = LLVMGetElementType(leaf);
    unsigned bits = mlc_type_bit_width(mlc_type_element(shaped));
    bool is_known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    if (!is_known || LLVMGetTypeKind(leaf) == LLVMPointerTypeKind)
        return constant_error(t, op, "no known conversion for innermost element type");
    if (!data)
        return constant_error(t, op, "resource does not exist");
    return num_bytes / (size_t)mlc_type_num_elements(shaped) * 8 == bits ||
           constant_error(t, op, "raw data size does not match element type size");
}

static LLVMValueRef
dense_constant(Translator *t, MlcOp *op, MlcAttr attr, LLVMTypeRef type)
{
    MlcType shaped = mlc_attr_type(attr);
    bool is_resource = mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE);
    if (is_resource && !mlc_type_is(shaped, MLC_TYPE_TENSOR) &&
        !mlc_type_is(shaped, MLC_TYPE_VECTOR))
        return constant_error(t, op, "unsupported dense_resource type");
    size_t bytes;
    const void *data = mlc_elements_attr_data(attr, &bytes);
    if (is_resource && !check_resource(t, op, shaped, type, data, bytes))
        return NULL;
    if (!mlc_type_has_static_shape(shaped) ||
        (size_t)mlc_type_num_elements(shaped) != num_leaves(type))
        return mlc_translate_error(t, op, "%s does not fit the type of the constant",
                                   mlc_type_text(shaped));
    // Bytes go in one piece; the rest is short: big constants are not part of the code.
    bool is_byte_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
                         !mlc_elements_attr_is_splat(attr) &&
                         mlc_type_is_integer(mlc_type_element(shaped), 8) &&
                         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind;
    if (is_byte_array)
        return LLVMConstStringInContext2(t->llvm, data, bytes, true);
    size_t next = 0;
    return elements_constant(t, op, attr, type, &next);
}

static LLVMValueRef
array_constant(Translator *t, MlcOp *op, MlcAttr attr, LLVMTypeRef type)
{
    size_t count = mlc_array_attr_size(attr);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_struct = kind == LLVMStructTypeKind;
    if (!is_struct && kind != LLVMArrayTypeKind)
        return constant_error(t, op, "unsupported constant value");
    if (count != (is_struct ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type)))
        return mlc_translate_error(t, op, "the constant has %zu members, its type another number",
                                   count);
    ValueVec members = {0};
    for (size_t i = 0; i < count && !t->op_failed; i++) {
        LLVMTypeRef member =
            is_struct ? LLVMStructGetTypeAtIndex(type, (unsigned)i) : LLVMGetElementType(type);
        MlcAttr element = mlc_array_attr_element(attr, i);
        LLVMValueRef value = NULL;
        if (mlc_attr_is(element, MLC_ATTR_INTEGER))
            value = int_constant(member, element);
        else if (mlc_attr_is(element, MLC_ATTR_FLOAT))
            value = float_constant(t, op, member, element);
        else if (mlc_attr_is(element, MLC_ATTR_ARRAY))
            value = array_constant(t, op, element, member);
        else if (mlc_attr_is(element, MLC_ATTR_DENSE))
            value = dense_constant(t, op, element, member);
        else
            mlc_translate_error(t, op, "no machine constant for %s", mlc_attr_text(element));
        mlc_vec_push(&members, value);
    }
    LLVMValueRef result = NULL;
    if (!t->op_failed && is_struct)
        result = LLVMConstStructInContext(t->llvm, members.data, (unsigned)count,
                                          LLVMIsPackedStruct(type));
    else if (!t->op_failed)
        result = LLVMConstArray2(LLVMGetElementType(type), members.data, count);
    mlc_vec_release(&members);
    return result;
}

LLVMValueRef
mlc_translate_constant(Translator *t, MlcOp *op, MlcAttr attr, MlcType type)
{
    LLVMTypeRef to = mlc_translate_type(t, op, type);
    if (!to)
        return NULL;
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_INTEGER:
        if (LLVMGetTypeKind(to) == LLVMIntegerTypeKind)
            return int_constant(to, attr);
        break;
    case MLC_ATTR_FLOAT:
        return float_constant(t, op, to, attr);
    case MLC_ATTR_STRING: {
        MlcStr text = mlc_string_attr_value(attr);
        return LLVMConstStringInContext2(t->llvm, text.data, text.size, true);
    }
    case MLC_ATTR_DENSE:
    case MLC_ATTR_DENSE_RESOURCE:
        return dense_constant(t, op, attr, to);
    case MLC_ATTR_ARRAY:
        if (t->is_plain && LLVMGetTypeKind(to) == LLVMArrayTypeKind)
            break;
        return array_constant(t, op, attr, to);
    case MLC_ATTR_UNIT:
        return LLVMConstNull(to);
    case MLC_ATTR_DIALECT:
        if (mlc_attr_isa(attr, "llvm.zero"))
            return LLVMConstNull(to);
        if (mlc_attr_isa(attr, "llvm.undef"))
            return LLVMGetUndef(to);
        if (mlc_attr_isa(attr, "llvm.poison"))
            return LLVMGetPoison(to);
        break;
    default:
        break;
    }
    return constant_error(t, op, "unsupported constant value");
}

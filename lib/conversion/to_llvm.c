// to_llvm.c -- types of the llvm dialect for those of the dialects above it, and small builders.
#include "to_llvm.h"

MlcType
llvm_ptr(MlcContext *ctx, unsigned address_space)
{
    MlcAttr space = mlc_i32_attr_get(ctx, (int32_t)address_space);
    return mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.ptr")), &space, 1);
}

unsigned
llvm_address_space(MlcType memref)
{
    MlcAttr space = mlc_memref_type_memory_space(memref);
    int64_t number = 0;
    if (!space)
        return 0;
    if (mlc_attr_try_as_int(space, &number))
        return (unsigned)number;
    // gpu: global 1, workgroup 2, private 3, as in MLIR; NVPTX numbers them 1, 3, 5 (gpu-to-nvvm
    // maps them before).
    return 0;
}

MlcType
llvm_function_type(MlcContext *ctx, MlcType result, const MlcType *params, size_t num_params)
{
    if (!result)
        result = mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.void")), NULL, 0);
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < num_params; i++)
        mlc_vec_push(&list, mlc_type_attr_get(params[i]));
    MlcAttr attrs[3] = {mlc_type_attr_get(result), mlc_array_attr_get(ctx, list.data, list.size),
                        mlc_bool_attr_get(ctx, false)};
    mlc_vec_release(&list);
    return mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.func")), attrs, 3);
}

static int
convert_index(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (!mlc_type_is(type, MLC_TYPE_INDEX))
        return 0;
    mlc_vec_push(out, mlc_integer_type_get(mlc_type_context(type), 64, MLC_SIGNLESS));
    return 1;
}

static int
convert_memref(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
        return -1;
    if (!mlc_type_is(type, MLC_TYPE_MEMREF))
        return 0;
    int64_t offset, strides[64];
    if (mlc_type_rank(type) > 64 || !mlc_memref_type_strides(type, &offset, strides))
        return -1;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (strides[i] == MLC_DYNAMIC)
            return -1;
    mlc_vec_push(out, llvm_ptr(mlc_type_context(type), llvm_address_space(type)));
    return 1;
}

static int
convert_function(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION))
        return 0;
    mlc_vec_push(out, llvm_ptr(mlc_type_context(type), 0));
    return 1;
}

// Vectors of one dimension are LLVM's own; of index elements, i64.
static int
convert_vector(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (!mlc_type_is(type, MLC_TYPE_VECTOR))
        return 0;
    MlcType element = mlc_type_element(type);
    if (mlc_type_is(element, MLC_TYPE_INDEX))
        type = mlc_type_with_element(
            type, mlc_integer_type_get(mlc_type_context(type), 64, MLC_SIGNLESS));
    if (mlc_type_rank(type) == 0) {
        int64_t one = 1;
        type = mlc_vector_type_get(mlc_type_element(type), &one, 1, NULL);
    }
    if (mlc_type_rank(type) != 1)
        return -1;
    mlc_vec_push(out, type);
    return 1;
}

static int
convert_scalar(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    bool legal =
        mlc_type_is(type, MLC_TYPE_FLOAT) || mlc_type_is(type, MLC_TYPE_DIALECT) ||
        (mlc_type_is(type, MLC_TYPE_INTEGER) && mlc_integer_type_signedness(type) == MLC_SIGNLESS);
    if (!legal)
        return 0;
    mlc_vec_push(out, type);
    return 1;
}

MlcTypeConverter *
llvm_type_converter_create(MlcContext *ctx)
{
    MlcTypeConverter *tc = mlc_type_converter_create(ctx);
    mlc_type_converter_add(tc, convert_scalar, NULL);
    mlc_type_converter_add(tc, convert_vector, NULL);
    mlc_type_converter_add(tc, convert_function, NULL);
    mlc_type_converter_add(tc, convert_memref, NULL);
    mlc_type_converter_add(tc, convert_index, NULL);
    return tc;
}

MlcValue *
llvm_constant(MlcBuilder *b, MlcType type, int64_t value)
{
    MlcNamedAttr attr = mlc_named(b->ctx, "value", mlc_integer_attr_get(type, value));
    return mlc_op_result(mlc_build_op(b, "llvm.mlir.constant", &type, 1, NULL, 0, &attr, 1, 0), 0);
}

MlcValue *
llvm_i64(MlcBuilder *b, int64_t value)
{
    return llvm_constant(b, mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS), value);
}

static bool
constant_of(MlcValue *value, int64_t *result)
{
    MlcOp *def = mlc_value_def(value);
    return def && mlc_str_equal(mlc_op_name(def), mlc_str("llvm.mlir.constant")) &&
           mlc_attr_try_as_int(mlc_op_attr(def, "value"), result);
}

MlcValue *
llvm_add(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs)
{
    int64_t x, y;
    bool left = constant_of(lhs, &x), right = constant_of(rhs, &y);
    if (left && right)
        return llvm_constant(b, mlc_value_type(lhs), (int64_t)((uint64_t)x + (uint64_t)y));
    if (left && x == 0)
        return rhs;
    if (right && y == 0)
        return lhs;
    return mlc_build(b, "llvm.add", mlc_value_type(lhs), lhs, rhs);
}

MlcValue *
llvm_mul_constant(MlcBuilder *b, MlcValue *lhs, int64_t rhs)
{
    int64_t x;
    if (rhs == 1)
        return lhs;
    if (rhs == 0 || constant_of(lhs, &x))
        return llvm_constant(b, mlc_value_type(lhs),
                             rhs == 0 ? 0 : (int64_t)((uint64_t)x * (uint64_t)rhs));
    return mlc_build(b, "llvm.mul", mlc_value_type(lhs), lhs,
                     llvm_constant(b, mlc_value_type(lhs), rhs));
}

MlcValue *
llvm_element_ptr(MlcBuilder *b, MlcValue *base, MlcType element, MlcValue *index)
{
    int64_t constant;
    bool is_constant = index && constant_of(index, &constant);
    if (!index || (is_constant && constant == 0))
        return base;
    bool fits = is_constant && constant > INT32_MIN && constant <= INT32_MAX;
    int32_t raw = fits ? (int32_t)constant : INT32_MIN; // INT32_MIN: the index is an operand
    MlcNamedAttr attrs[2] = {
        mlc_named(b->ctx, "rawConstantIndices", mlc_i32_array_attr_get(b->ctx, &raw, 1)),
        mlc_named(b->ctx, "elem_type", mlc_type_attr_get(element)),
    };
    MlcType type = mlc_value_type(base);
    MlcValue *operands[2] = {base, index};
    return mlc_op_result(
        mlc_build_op(b, "llvm.getelementptr", &type, 1, operands, fits ? 1 : 2, attrs, 2, 0), 0);
}

MlcValue *
llvm_memref_element_ptr(MlcConversion *c, MlcOp *op, MlcType memref, MlcValue *base,
                        MlcValue *const *indices)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    int64_t offset, strides[64];
    if (mlc_type_rank(memref) > 64 || !mlc_memref_type_strides(memref, &offset, strides)) {
        mlc_conversion_no_match(c, op, "the memref has no strided layout");
        return NULL;
    }
    MlcValue *position = NULL;
    for (size_t i = 0; i < mlc_type_rank(memref); i++) {
        if (strides[i] == MLC_DYNAMIC) {
            mlc_conversion_no_match(c, op, "the memref's strides are not static");
            return NULL;
        }
        MlcValue *term = llvm_mul_constant(b, indices[i], strides[i]);
        position = position ? llvm_add(b, position, term) : term;
    }
    return llvm_element_ptr(b, base, mlc_type_element(memref), position);
}

unsigned
llvm_element_bytes(MlcType element)
{
    unsigned bits = mlc_type_bit_width(element), bytes = 1;
    while (bytes * 8 < bits)
        bytes *= 2;
    return bytes;
}

static MlcNamedAttr
alignment_attr(MlcBuilder *b, unsigned alignment)
{
    return mlc_named(b->ctx, "alignment", mlc_i64_attr_get(b->ctx, alignment));
}

MlcValue *
llvm_load(MlcBuilder *b, MlcType type, MlcValue *address, unsigned alignment)
{
    MlcNamedAttr attr = alignment_attr(b, alignment);
    return mlc_op_result(mlc_build_op(b, "llvm.load", &type, 1, &address, 1, &attr, 1, 0), 0);
}

void
llvm_store(MlcBuilder *b, MlcValue *value, MlcValue *address, unsigned alignment)
{
    MlcNamedAttr attr = alignment_attr(b, alignment);
    mlc_build_op(b, "llvm.store", NULL, 0, (MlcValue *[]){value, address}, 2, &attr, 1, 0);
}

// The bits of #arith.fastmath in the order of #llvm.fastmath, which is another.
static int64_t
fastmath_bits(int64_t arith)
{
    static const struct {
        uint8_t arith, llvm;
    } bits[] = {{1, 64}, {2, 1},   {4, 2},  {8, 4},
                {16, 8}, {32, 16}, {64, 32}}; // reassoc nnan ninf nsz arcp contract afn
    int64_t llvm = 0;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        llvm |= arith & bits[i].arith ? bits[i].llvm : 0;
    return llvm;
}

size_t
llvm_convert_flags(MlcOp *op, MlcBuilder *b, LlvmFlags flags, MlcNamedAttr *out)
{
    MlcAttr attr = flags == LLVM_FASTMATH ? mlc_op_attr(op, "fastmath") : NULL;
    if (attr && mlc_enum_attr_value(attr) != 0) {
        const MlcAttrDef *def = mlc_context_attr(b->ctx, mlc_str("llvm.fastmath"));
        *out = mlc_named(b->ctx, "fastmathFlags",
                         mlc_enum_attr_get(b->ctx, def, fastmath_bits(mlc_enum_attr_value(attr))));
        return 1;
    }
    attr = flags == LLVM_OVERFLOW ? mlc_op_attr(op, "overflowFlags") : NULL;
    if (attr && mlc_enum_attr_value(attr) != 0) {
        const MlcAttrDef *def = mlc_context_attr(b->ctx, mlc_str("llvm.overflow"));
        *out = mlc_named(b->ctx, "overflowFlags",
                         mlc_enum_attr_get(b->ctx, def, mlc_enum_attr_value(attr)));
        return 1;
    }
    return 0;
}

MlcType
llvm_result_type(MlcConversion *c, MlcOp *op)
{
    return mlc_type_converter_convert_one(mlc_conversion_types(c),
                                          mlc_value_type(mlc_op_result(op, 0)));
}

bool
llvm_no_type(MlcConversion *c, MlcOp *op)
{
    return mlc_conversion_no_match(c, op, "its type %s has no llvm form",
                                   mlc_type_text(mlc_value_type(mlc_op_result(op, 0))));
}

bool
llvm_lower_same(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    const LlvmSame *same = user;
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcNamedAttr attr;
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t num_attrs = llvm_convert_flags(op, b, same->flags, &attr);
    MlcOp *made =
        mlc_build_op(b, same->to, &type, 1, operands, mlc_op_num_operands(op), &attr, num_attrs, 0);
    MlcValue *result = mlc_op_result(made, 0);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

MlcType
llvm_memory_type(MlcType type)
{
    MlcType element = mlc_type_element(type);
    if (!mlc_type_is(type, MLC_TYPE_VECTOR) || !mlc_type_is(element, MLC_TYPE_INTEGER) ||
        mlc_type_bit_width(element) == 8 * llvm_element_bytes(element))
        return type;
    MlcContext *ctx = mlc_type_context(type);
    return mlc_type_with_element(
        type, mlc_integer_type_get(ctx, 8 * llvm_element_bytes(element), MLC_SIGNLESS));
}

MlcValue *
llvm_to_memory(MlcBuilder *b, MlcValue *value)
{
    MlcType type = llvm_memory_type(mlc_value_type(value));
    return type == mlc_value_type(value) ? value : mlc_build(b, "llvm.zext", type, value);
}

MlcValue *
llvm_from_memory(MlcBuilder *b, MlcValue *value, MlcType type)
{
    return type == mlc_value_type(value) ? value : mlc_build(b, "llvm.trunc", type, value);
}

// Elements and vectors of neighbouring elements alike: the address of the first, aligned as an
// element.
bool
llvm_lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0)), type = llvm_result_type(c, op);
    MlcValue *address = llvm_memref_element_ptr(c, op, memref, operands[0], operands + 1);
    if (!address || !type)
        return false;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *loaded =
        llvm_load(b, llvm_memory_type(type), address, llvm_element_bytes(mlc_type_element(memref)));
    loaded = llvm_from_memory(b, loaded, type);
    mlc_conversion_replace(c, op, &loaded, 1);
    return true;
}

bool
llvm_lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType memref = mlc_value_type(mlc_op_operand(op, 1));
    MlcValue *address = llvm_memref_element_ptr(c, op, memref, operands[1], operands + 2);
    if (!address)
        return false;
    MlcBuilder *b = mlc_conversion_builder(c);
    llvm_store(b, llvm_to_memory(b, operands[0]), address,
               llvm_element_bytes(mlc_type_element(memref)));
    mlc_conversion_erase(c, op);
    return true;
}

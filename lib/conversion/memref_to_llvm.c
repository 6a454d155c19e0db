// memref_to_llvm.c -- memrefs of static strides are pointers to their first element: windows move
// the pointer.
#include "to_llvm.h"

// The pointer stays where it is.
static bool
lower_same_pointer(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (!llvm_result_type(c, op))
        return llvm_no_type(c, op);
    mlc_conversion_replace(c, op, operands, 1);
    return true;
}

static bool
lower_subview(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0));
    MlcAttr statics = mlc_op_attr(op, "static_offsets");
    MlcValueVec offsets = {0};
    size_t next = 1;
    for (size_t i = 0; i < mlc_type_rank(memref); i++) {
        int64_t offset = mlc_dense_array_attr_int(statics, i);
        mlc_vec_push(&offsets, offset == MLC_DYNAMIC ? operands[next++] : llvm_i64(b, offset));
    }
    MlcValue *view = llvm_memref_element_ptr(c, op, memref, operands[0], offsets.data);
    mlc_vec_release(&offsets);
    if (!view || !llvm_result_type(c, op))
        return false;
    mlc_conversion_replace(c, op, &view, 1);
    return true;
}

// memref.view: a byte offset.
static bool
lower_view(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    if (!llvm_result_type(c, op))
        return llvm_no_type(c, op);
    MlcValue *view = llvm_element_ptr(b, operands[0], mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS),
                                      operands[1]);
    mlc_conversion_replace(c, op, &view, 1);
    return true;
}

static bool
lower_dim(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    int64_t i;
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0));
    if (!mlc_value_constant_int(mlc_op_operand(op, 1), &i) || i < 0 ||
        (size_t)i >= mlc_type_rank(memref) || mlc_type_dim(memref, (size_t)i) == MLC_DYNAMIC)
        return mlc_conversion_no_match(c, op, "the size is not static");
    MlcValue *size = llvm_i64(mlc_conversion_builder(c), mlc_type_dim(memref, (size_t)i));
    mlc_conversion_replace(c, op, &size, 1);
    return true;
}

// Buffers without gaps: one memcpy. Others are copied by loops before
// (convert-linalg-to-affine-loops).
static bool
lower_copy(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)),
            to = mlc_value_type(mlc_op_operand(op, 1));
    if (mlc_memref_type_run(from) < mlc_type_rank(from) ||
        mlc_memref_type_run(to) < mlc_type_rank(to))
        return mlc_conversion_no_match(c, op,
                                       "copies with gaps or of dynamic size become loops before");
    int64_t bytes = mlc_type_num_elements(from) * llvm_element_bytes(mlc_type_element(from));
    MlcValue *values[3] = {operands[1], operands[0], llvm_i64(b, bytes)};
    MlcNamedAttr attr = mlc_named(b->ctx, "isVolatile", mlc_bool_attr_get(b->ctx, false));
    mlc_build_op(b, "llvm.intr.memcpy", NULL, 0, values, 3, &attr, 1, 0);
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_prefetch(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0));
    MlcValue *address = llvm_memref_element_ptr(c, op, memref, operands[0], operands + 1);
    if (!address)
        return false;
    MlcNamedAttr attrs[3] = {
        mlc_named(b->ctx, "rw",
                  mlc_i32_attr_get(b->ctx, mlc_attr_as_bool(mlc_op_attr(op, "isWrite")))),
        mlc_named(
            b->ctx, "hint",
            mlc_i32_attr_get(b->ctx, (int32_t)mlc_attr_as_int(mlc_op_attr(op, "localityHint")))),
        mlc_named(b->ctx, "cache",
                  mlc_i32_attr_get(b->ctx, mlc_attr_as_bool(mlc_op_attr(op, "isDataCache")))),
    };
    mlc_build_op(b, "llvm.intr.prefetch", NULL, 0, &address, 1, attrs, 3, 0);
    mlc_conversion_erase(c, op);
    return true;
}

// A small buffer of a fixed size, on the stack.
static bool
lower_alloca(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_result(op, 0)), type = llvm_result_type(c, op);
    if (!type || !mlc_type_has_static_shape(memref))
        return mlc_conversion_no_match(c, op, "its size is not static");
    MlcValue *count = llvm_i64(b, mlc_type_num_elements(memref));
    MlcNamedAttr attrs[2] = {
        mlc_named(b->ctx, "elem_type", mlc_type_attr_get(mlc_type_element(memref))),
        mlc_named(b->ctx, "alignment", mlc_i64_attr_get(b->ctx, 64)),
    };
    MlcValue *made =
        mlc_op_result(mlc_build_op(b, "llvm.alloca", &type, 1, &count, 1, attrs, 2, 0), 0);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

static bool
lower_pointer_index(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *address =
        mlc_build(b, "llvm.ptrtoint", mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS), operands[0]);
    mlc_conversion_replace(c, op, &address, 1);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "memref.load", .convert = llvm_lower_load},
    {.root = "memref.store", .convert = llvm_lower_store},
    {.root = "memref.cast", .convert = lower_same_pointer},
    {.root = "memref.collapse_shape", .convert = lower_same_pointer},
    {.root = "memref.expand_shape", .convert = lower_same_pointer},
    {.root = "memref.subview", .convert = lower_subview},
    {.root = "memref.view", .convert = lower_view},
    {.root = "memref.dim", .convert = lower_dim},
    {.root = "memref.copy", .convert = lower_copy},
    {.root = "memref.prefetch", .convert = lower_prefetch},
    {.root = "memref.alloca", .convert = lower_alloca},
    {.root = "memref.extract_aligned_pointer_as_index", .convert = lower_pointer_index},
};
const LlvmPatterns memref_to_llvm_patterns = {patterns, sizeof patterns / sizeof *patterns};

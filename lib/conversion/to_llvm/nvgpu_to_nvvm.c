// nvgpu_to_nvvm.c -- nvgpu's ops on memrefs and vectors become nvvm's on pointers and registers.
//
// A lane's part of a matrix is a vector of rank 2: registers of 32 bits, and the elements in each.
// In llvm it is an array of vectors, as for any vector of rank 2; nvvm's products take the vectors
// as f16 pairs, or as the integers of their bits.
#include "nvgpu_warpgroup.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/pass.h"

enum { SHARED = 3 };

static MlcType
i32_type(MlcBuilder *b)
{
    return mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
}

static MlcValue *
to_i32(MlcBuilder *b, MlcValue *value)
{
    return mlc_llvm_trunc(b, i32_type(b), value);
}

static MlcValue *
operand(MlcOp *op, MlcValue *const *operands, size_t group)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    return count ? operands[first] : NULL;
}

// The address of memref[indices]: groups of the op.
static MlcValue *
address(MlcConversion *c, MlcOp *op, MlcValue *const *operands, size_t memref, size_t indices)
{
    size_t at, first, count;
    mlc_op_operand_group(op, memref, &at, &count);
    mlc_op_operand_group(op, indices, &first, &count);
    return llvm_memref_element_ptr(c, mlc_value_type(mlc_op_operand(op, at)), operands[at],
                                   operands + first);
}

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

// --- registers of matrices

// The i-th register of a matrix, of what type it has in the vector.
static MlcValue *
register_of(MlcBuilder *b, MlcValue *matrix, int64_t i)
{
    return llvm_extract(b, matrix, &i, 1);
}

static MlcValue *
element_of(MlcBuilder *b, MlcValue *vector, int64_t i)
{
    return mlc_llvm_extractelement(b, vector, llvm_constant(b, i32_type(b), i));
}

// Registers of an operand, as nvvm.mma.sync has them: pairs of f16 and f64 stay, others are i32.
static void
push_factors(MlcBuilder *b, MlcType type, MlcValue *matrix, MlcValueVec *out)
{
    MlcType element = mlc_type_element(type);
    bool is_f16 =
        mlc_type_is(element, MLC_TYPE_FLOAT) && mlc_float_type_kind(element) == MLC_FLOAT_F16;
    for (int64_t i = 0; i < mlc_type_dim(type, 0); i++) {
        MlcValue *value = register_of(b, matrix, i);
        if (mlc_type_bit_width(element) == 64)
            value = element_of(b, value, 0);
        else if (!is_f16)
            value = mlc_llvm_bitcast(b, i32_type(b), value);
        mlc_vec_push(out, value);
    }
}

// Sums: pairs of f16 stay, others are scalars.
static void
push_sums(MlcBuilder *b, MlcType type, MlcValue *matrix, MlcValueVec *out)
{
    bool is_f16 = mlc_type_bit_width(mlc_type_element(type)) == 16;
    for (int64_t i = 0; i < mlc_type_dim(type, 0); i++) {
        MlcValue *value = register_of(b, matrix, i);
        if (is_f16) {
            mlc_vec_push(out, value);
            continue;
        }
        for (int64_t k = 0; k < mlc_type_dim(type, 1); k++)
            mlc_vec_push(out, element_of(b, value, k));
    }
}

// The struct that an nvvm op gives, as the array of vectors that `type` is.
static MlcValue *
pack_sums(MlcBuilder *b, MlcType type, MlcType to, MlcValue *result)
{
    bool is_f16 = mlc_type_bit_width(mlc_type_element(type)) == 16;
    int64_t width = mlc_type_dim(type, 1), position = 0;
    MlcValue *packed = mlc_llvm_mlir_undef(b, to);
    for (int64_t i = 0; i < mlc_type_dim(type, 0); i++) {
        MlcValue *part;
        if (is_f16) {
            part = llvm_extract(b, result, &position, 1);
            position++;
        } else {
            MlcType row = mlc_vector_type_get(mlc_type_element(type), &width, 1, NULL);
            part = mlc_llvm_mlir_undef(b, row);
            for (int64_t k = 0; k < width; k++, position++)
                part = mlc_llvm_insertelement(b, part, llvm_extract(b, result, &position, 1),
                                              llvm_constant(b, i32_type(b), k));
        }
        packed = mlc_llvm_insertvalue(b, packed, part, &i, 1);
    }
    return packed;
}

static MlcType
repeated_struct(MlcContext *ctx, MlcType member, size_t count)
{
    MlcType members[8];
    for (size_t i = 0; i < count; i++)
        members[i] = member;
    return llvm_struct(ctx, members, count);
}

static MlcNvvmMmaType
matrix_type(MlcType element, bool is_tf32)
{
    if (is_tf32)
        return MLC_NVVM_MMA_TYPE_TF32;
    if (mlc_type_is(element, MLC_TYPE_INTEGER))
        return mlc_type_bit_width(element) == 4 ? MLC_NVVM_MMA_TYPE_S4 : MLC_NVVM_MMA_TYPE_S8;
    switch (mlc_float_type_kind(element)) {
    case MLC_FLOAT_F64:
        return MLC_NVVM_MMA_TYPE_F64;
    case MLC_FLOAT_BF16:
        return MLC_NVVM_MMA_TYPE_BF16;
    default:
        return MLC_NVVM_MMA_TYPE_F16;
    }
}

static MlcAttr
shape_attr(MlcContext *ctx, MlcAttr sizes)
{
    MlcAttr params[3];
    for (size_t i = 0; i < 3; i++)
        params[i] =
            mlc_i32_attr_get(ctx, (int32_t)mlc_attr_as_int(mlc_array_attr_element(sizes, i)));
    return mlc_dialect_attr_get(ctx, &mlc_nvvm_shape_attr_def, params, 3);
}

static bool
lower_mma(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType types[3], to = llvm_result_type(c, op);
    for (size_t i = 0; i < 3; i++)
        types[i] = mlc_value_type(mlc_op_operand(op, i));
    MlcType element = mlc_type_element(types[0]);
    bool is_integer = mlc_type_is(element, MLC_TYPE_INTEGER),
         is_f32 = !is_integer && mlc_float_type_kind(element) == MLC_FLOAT_F32;
    if (!to)
        return llvm_no_type(c, op);
    if (is_f32 && !mlc_nvgpu_mma_sync_tf32_enabled(op))
        return mlc_conversion_no_match(c, op, "f32 has no product unless it is rounded to tf32");
    MlcValueVec factors[2] = {0}, sums = {0};
    for (size_t i = 0; i < 2; i++)
        push_factors(b, types[i], operands[i], &factors[i]);
    push_sums(b, types[2], operands[2], &sums);
    MlcType result = repeated_struct(b->ctx, mlc_value_type(sums.data[0]), sums.size);
    MlcOp *made = mlc_value_def(mlc_nvvm_mma_sync(
        b, result, factors[0].data, factors[0].size, factors[1].data, factors[1].size, sums.data,
        sums.size, shape_attr(b->ctx, mlc_nvgpu_mma_sync_mma_shape(op)), MLC_NVVM_MMA_LAYOUT_ROW,
        MLC_NVVM_MMA_LAYOUT_COL));
    MlcAttr type =
        mlc_enum_attr_get(b->ctx, &mlc_nvvm_mma_type_attr_def, matrix_type(element, is_f32));
    mlc_op_set_attr(made, "multiplicandAPtxType", type);
    mlc_op_set_attr(made, "multiplicandBPtxType", type);
    if (is_integer) // saturating as MLIR has it, unless told otherwise
        mlc_op_set_attr(made, "intOverflowBehavior",
                        mlc_enum_attr_get(b->ctx, &mlc_nvvm_mma_int_overflow_attr_def,
                                          mlc_op_attr(op, "mlc.wraps")
                                              ? MLC_NVVM_MMA_INT_OVERFLOW_WRAPPED
                                              : MLC_NVVM_MMA_INT_OVERFLOW_SATFINITE));
    for (size_t i = 0; i < 2; i++)
        mlc_vec_release(&factors[i]);
    mlc_vec_release(&sums);
    return replace(c, op, pack_sums(b, types[2], to, mlc_op_result(made, 0)));
}

static bool
lower_ldmatrix(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    int64_t count = mlc_nvgpu_ldmatrix_num_tiles(op), width = mlc_type_dim(type, 1);
    if (!to)
        return llvm_no_type(c, op);
    MlcType i32 = i32_type(b), row = mlc_vector_type_get(mlc_type_element(type), &width, 1, NULL);
    MlcType read_type = count == 1 ? i32 : repeated_struct(b->ctx, i32, (size_t)count);
    MlcValue *read = mlc_nvvm_ldmatrix(b, read_type, address(c, op, operands, 0, 1), (int32_t)count,
                                       mlc_nvgpu_ldmatrix_transpose(op) ? MLC_NVVM_MMA_LAYOUT_COL
                                                                        : MLC_NVVM_MMA_LAYOUT_ROW);
    MlcValue *packed = mlc_llvm_mlir_undef(b, to);
    for (int64_t i = 0; i < count; i++) {
        MlcValue *part = count == 1 ? read : llvm_extract(b, read, &i, 1);
        packed = mlc_llvm_insertvalue(b, packed, mlc_llvm_bitcast(b, row, part), &i, 1);
    }
    return replace(c, op, packed);
}

// --- asynchronous copies; their tokens are nothing, for groups are counted

static bool
replace_by_token(MlcConversion *c, MlcOp *op)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    return replace(c, op, llvm_constant(b, i32_type(b), 0));
}

static bool
lower_async_copy(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t first, count;
    mlc_op_operand_group(op, 0, &first, &count);
    int64_t bits = mlc_type_bit_width(mlc_type_element(mlc_value_type(mlc_op_operand(op, first))));
    MlcValue *dst = address(c, op, operands, 0, 1), *src = address(c, op, operands, 2, 3),
             *size = operand(op, operands, 4);
    int64_t bytes = mlc_nvgpu_device_async_copy_dst_elements(op) * bits / 8;
    if (mlc_value_type(src) != llvm_ptr(b->ctx, 1))
        src = mlc_llvm_addrspacecast(b, llvm_ptr(b->ctx, 1), src);
    if (size) {
        MlcValue *in_bits = mlc_llvm_mul(b, llvm_constant(b, i32_type(b), bits), to_i32(b, size));
        size = mlc_llvm_lshr(b, in_bits, llvm_constant(b, i32_type(b), 3));
    }
    mlc_nvvm_cp_async_shared_global(b, dst, src, size, (int32_t)bytes,
                                    mlc_nvgpu_device_async_copy_bypass_l1(op)
                                        ? MLC_NVVM_LOAD_CACHE_MODIFIER_CG
                                        : MLC_NVVM_LOAD_CACHE_MODIFIER_CA);
    return replace_by_token(c, op);
}

static bool
lower_create_group(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    mlc_nvvm_cp_async_commit_group(mlc_conversion_builder(c));
    return replace_by_token(c, op);
}

static bool
lower_wait(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcAttr left = mlc_nvgpu_device_async_wait_num_groups(op);
    mlc_nvvm_cp_async_wait_group(mlc_conversion_builder(c),
                                 left ? (int32_t)mlc_attr_as_int(left) : 0);
    mlc_conversion_erase(c, op);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "nvgpu.ldmatrix", .convert = lower_ldmatrix},
    {.root = "nvgpu.mma.sync", .convert = lower_mma},
    {.root = "nvgpu.device_async_copy", .convert = lower_async_copy},
    {.root = "nvgpu.device_async_create_group", .convert = lower_create_group},
    {.root = "nvgpu.device_async_wait", .convert = lower_wait},
};
const LlvmPatterns nvgpu_to_nvvm_patterns = {"nvgpu", "nvvm", patterns,
                                             sizeof patterns / sizeof *patterns};

static const LlvmPatterns *const sets[] = {&nvgpu_to_nvvm_patterns, &nvgpu_barrier_patterns,
                                           &nvgpu_warpgroup_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    return llvm_convert(root, LLVM_DESCRIPTORS, 64, sets, NULL);
}

static const char *const dialects[] = {"llvm", "nvvm", NULL};

MLC_PASS(nvgpu_to_nvvm, .flag = "convert-nvgpu-to-nvvm",
         .summary = "Lower nvgpu to nvvm, memrefs as descriptors", .dependent_dialects = dialects,
         .converts = converts, .run = run)

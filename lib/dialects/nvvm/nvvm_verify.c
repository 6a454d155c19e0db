// nvvm_verify.c -- shapes, types and sizes that PTX has instructions for, apart from matrix
// products (nvvm_verify_mma.c). The texts are MLIR's.
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/ir.h"
#include "nvvm_impl.h"

MlcType
mlc_nvvm_struct_of(MlcType element, size_t count)
{
    MlcContext *ctx = mlc_type_context(element);
    MlcAttr members[64], params[3] = {NULL, mlc_bool_attr_get(ctx, false), NULL};
    for (size_t i = 0; i < count && i < 64; i++)
        members[i] = mlc_type_attr_get(element);
    params[2] = mlc_array_attr_get(ctx, members, count);
    return mlc_dialect_type_get(ctx, &mlc_llvm_struct_type_def, params, 3);
}

size_t
mlc_nvvm_struct_size(MlcType type)
{
    MlcAttr body = mlc_dialect_type_param(type, 2);
    return mlc_type_isa(type, "llvm.struct") && body ? mlc_array_attr_size(body) : 0;
}

MlcType
mlc_nvvm_struct_member(MlcType type, size_t i)
{
    return mlc_type_attr_value(mlc_array_attr_element(mlc_dialect_type_param(type, 2), i));
}

static int64_t
address_space(MlcValue *ptr)
{
    MlcAttr space = mlc_dialect_type_param(mlc_value_type(ptr), 0);
    return space ? mlc_attr_as_int(space) : 0;
}

bool
mlc_nvvm_shfl_sync_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!mlc_nvvm_shfl_sync_return_value_and_is_valid(op))
        return true;
    return (mlc_type_isa(type, "llvm.struct") && mlc_nvvm_struct_size(type) == 2 &&
            mlc_type_is_integer(mlc_nvvm_struct_member(type, 1), 1)) ||
           ERROR_AT(op, "expected return type to be a two-element struct with i1 as the second "
                        "element");
}

// --- copies

bool
mlc_nvvm_cp_async_shared_global_verify(MlcOp *op)
{
    enum { CA, CG };
    int64_t modifier = mlc_nvvm_cp_async_shared_global_modifier(op);
    int64_t size = mlc_nvvm_cp_async_shared_global_size(op);
    if (modifier != CA && modifier != CG)
        return ERROR_AT(op, "Only CG and CA cache modifiers are supported.");
    if (size != 4 && size != 8 && size != 16)
        return ERROR_AT(op, "expected byte size to be either 4, 8 or 16.");
    return modifier != CG || size == 16 ||
           ERROR_AT(op, "CG cache modifier is only support for 16 bytes copy.");
}

bool
mlc_nvvm_cp_async_bulk_tensor_shared_cluster_global_verify(MlcOp *op)
{
    size_t first, num_coordinates, num_offsets;
    mlc_op_operand_group(op, 2, &first, &num_coordinates);
    mlc_op_operand_group(op, 4, &first, &num_offsets);
    if (num_coordinates == 0 || num_coordinates > 5)
        return ERROR_AT(op, "expects coordinates between 1 to 5 dimension");
    if (num_offsets == 0)
        return true;
    if (num_coordinates < 3)
        return ERROR_AT(op, "to use im2col mode, the tensor has to be at least 3-dimensional");
    return num_coordinates == num_offsets + 2 ||
           ERROR_AT(op, "im2col offsets must be 2 less than number of coordinates");
}

bool
mlc_nvvm_cp_async_bulk_tensor_global_shared_cta_verify(MlcOp *op)
{
    size_t first, count;
    mlc_op_operand_group(op, 2, &first, &count);
    return count <= 5 || ERROR_AT(op, "Maximum 5 coordinates and dimension is supported.");
}

bool
mlc_nvvm_ldmatrix_verify(MlcOp *op)
{
    int64_t count = mlc_nvvm_ldmatrix_num(op);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcType i32 = mlc_integer_type_get(mlc_op_context(op), 32, MLC_SIGNLESS);
    if (address_space(mlc_op_operand(op, 0)) != 3)
        return mlc_op_error(op, "expected source pointer in memory space 3");
    if (count != 1 && count != 2 && count != 4)
        return mlc_op_error(op, "expected num attribute to be 1, 2 or 4");
    if (count == 1)
        return type == i32 || mlc_op_error(op, "expected destination type is i32");
    return type == mlc_nvvm_struct_of(i32, (size_t)count) ||
           mlc_op_error(op, "expected destination type is a structure of %lld elements of type i32",
                        (long long)count);
}

// --- barriers and registers

bool
mlc_nvvm_fence_proxy_verify(MlcOp *op)
{
    bool is_shared = mlc_nvvm_fence_proxy_kind(op) == MLC_NVVM_PROXY_KIND_ASYNC_SHARED;
    bool has_space = mlc_nvvm_fence_proxy_space(op) != NULL;
    if (is_shared && !has_space)
        return mlc_op_error(op, "async_shared fence requires space attribute");
    return is_shared || !has_space ||
           mlc_op_error(op, "only async_shared fence can have space attribute");
}

// --- fragments of matrices in registers

typedef struct Fragment {
    MlcType type;
    size_t count;
} Fragment;

// `size`: rows of A, columns of B.
static Fragment
fragment_of(MlcContext *ctx, int64_t matrix, int64_t fragment, int64_t size)
{
    enum { F16, F32, TF32, U8, S8, S32 };
    MlcType i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    MlcType f16 = mlc_float_type_get(ctx, MLC_FLOAT_F16);
    int64_t two = 2;
    switch (matrix) {
    case F16:
        return (Fragment){mlc_vector_type_get(f16, &two, 1, NULL), fragment == 2 ? 4 : 8};
    case F32:
        return (Fragment){mlc_float_type_get(ctx, MLC_FLOAT_F32), 8};
    case TF32:
        return (Fragment){i32, 4};
    case S32:
        return (Fragment){i32, 8};
    default:
        return (Fragment){i32, size == 32 ? 4 : size == 16 ? 2 : 1};
    }
}

static bool
is_loadable_space(MlcValue *ptr)
{
    int64_t space = address_space(ptr);
    return space == 0 || space == 1 || space == 3;
}

static bool
verify_result(MlcOp *op, Fragment fragment)
{
    return mlc_value_type(mlc_op_result(op, 0)) ==
               mlc_nvvm_struct_of(fragment.type, fragment.count) ||
           mlc_op_error(op, "expected destination type is a structure of %zu elements of type '%s'",
                        fragment.count, mlc_type_text(fragment.type));
}

bool
mlc_nvvm_wmma_load_verify(MlcOp *op)
{
    int64_t frag = mlc_nvvm_wmma_load_frag(op);
    MlcAttr size = frag == 0 ? mlc_nvvm_wmma_load_m_attr(op) : mlc_nvvm_wmma_load_n_attr(op);
    if (!is_loadable_space(mlc_op_operand(op, 0)))
        return mlc_op_error(op, "expected source pointer in memory space 0, 1, 3");
    return verify_result(op, fragment_of(mlc_op_context(op), mlc_nvvm_wmma_load_eltype(op), frag,
                                         mlc_attr_as_int(size)));
}

bool
mlc_nvvm_wmma_store_verify(MlcOp *op)
{
    size_t first, count;
    mlc_op_operand_group(op, 1, &first, &count);
    Fragment c = fragment_of(mlc_op_context(op), mlc_nvvm_wmma_store_eltype(op), 2, 0);
    if (!is_loadable_space(mlc_op_operand(op, 0)))
        return mlc_op_error(op, "expected operands to be a source pointer in memory space 0, 1, 3");
    if (count != c.count)
        return mlc_op_error(op, "expected %zu data operands", c.count);
    for (size_t i = 0; i < count; i++)
        if (mlc_value_type(mlc_op_operand(op, first + i)) != c.type)
            return mlc_op_error(op, "expected data operands of type '%s'", mlc_type_text(c.type));
    return true;
}

bool
mlc_nvvm_wmma_mma_verify(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    int64_t in = mlc_nvvm_wmma_mma_eltype_a(op);
    int64_t out = mlc_nvvm_wmma_mma_eltype_b(op);
    const Fragment parts[] = {fragment_of(ctx, in, 0, mlc_nvvm_wmma_mma_m(op)),
                              fragment_of(ctx, in, 1, mlc_nvvm_wmma_mma_n(op)),
                              fragment_of(ctx, out, 2, 0)};
    size_t count = parts[0].count + parts[1].count + parts[2].count, number = 0;
    if (mlc_op_num_operands(op) != count)
        return mlc_op_error(op, "expected %zu arguments", count);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < parts[i].count; k++, number++)
            if (mlc_value_type(mlc_op_operand(op, number)) != parts[i].type)
                return mlc_op_error(op, "expected argument %zu to be of type '%s'", number,
                                    mlc_type_text(parts[i].type));
    return verify_result(op, parts[2]);
}

// --- attributes of functions

static bool
is_named(MlcNamedAttr attr, const char *name)
{
    return mlc_str_equal(mlc_string_attr_value(attr.name), mlc_str(name));
}

bool
mlc_nvvm_verify_attr(MlcOp *op, MlcNamedAttr attr)
{
    MlcStr name = mlc_string_attr_value(attr.name);
    if (is_named(attr, "nvvm.kernel"))
        return mlc_llvm_func_isa(op) ||
               ERROR_AT(op, "'nvvm.kernel' attribute attached to unexpected op");
    if (is_named(attr, "nvvm.maxntid") || is_named(attr, "nvvm.reqntid")) {
        bool is_list = mlc_attr_is(attr.value, MLC_ATTR_DENSE_ARRAY);
        size_t size = is_list ? mlc_dense_array_attr_size(attr.value) : 0;
        return (size > 0 && size <= 3) ||
               ERROR_AT(op, "'\"%.*s\"' attribute must be integer array with maximum 3 index",
                        MLC_STR_FMT(name));
    }
    if (is_named(attr, "nvvm.minctasm") || is_named(attr, "nvvm.maxnreg"))
        return mlc_attr_is(attr.value, MLC_ATTR_INTEGER) ||
               ERROR_AT(op, "'\"%.*s\"' attribute must be integer constant", MLC_STR_FMT(name));
    return true;
}

// nvgpu_verify.c -- shapes, types and sizes that the machine has instructions for. The texts are
// MLIR's to the letter, slips ("supports only 2d memref is supported for now") included: its tests
// compare them. What a text calls not supported, MLIR has no form for either.
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/ir.h"

#include <string.h>

enum { SHARED = 3, MAX_COORDINATES = 5, SWIZZLED_BYTES = 128 };

static bool
is_shared(MlcType memref)
{
    MlcAttr space = mlc_memref_type_memory_space(memref);
    if (space && mlc_attr_isa(space, "gpu.address_space"))
        return mlc_enum_attr_value(space) == MLC_GPU_ADDRESS_SPACE_WORKGROUP;
    return space && mlc_attr_is(space, MLC_ATTR_INTEGER) && mlc_attr_as_int(space) == SHARED;
}

static bool
is_vector_of_rank_2(MlcType type)
{
    return mlc_type_rank(type) == 2;
}

// --- matrices of a warp

bool
mlc_nvgpu_ldmatrix_verify(MlcOp *op)
{
    MlcType source = mlc_value_type(mlc_nvgpu_ldmatrix_src_memref(op)),
            result = mlc_value_type(mlc_op_result(op, 0));
    int64_t bits = mlc_type_bit_width(mlc_type_element(source));
    int64_t num_tiles = mlc_nvgpu_ldmatrix_num_tiles(op);
    if (!is_shared(source))
        return mlc_op_error(op, "expected nvgpu.ldmatrix srcMemref must have a memory space "
                                "attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)");
    if (bits <= 0 || bits > 32)
        return mlc_op_error(op, "nvgpu.ldmatrix works only at 32b or smaller");
    if (mlc_nvgpu_ldmatrix_transpose(op) && bits != 16)
        return mlc_op_error(op, "nvgpu.ldmatrix transpose works only at 16b granularity");
    if (!is_vector_of_rank_2(result))
        return mlc_op_error(op, "results must be 2 dimensional vector");
    if (mlc_type_dim(result, 1) != 32 / bits)
        return mlc_op_error(op, "expected vector register shape[1] = %lld", (long long)(32 / bits));
    return mlc_type_dim(result, 0) == num_tiles ||
           mlc_op_error(op, "expected vector register shape[0] and numTiles to match");
}

typedef struct Fragment {
    int64_t m, n, k, elements; // `elements`: of A's type in a register of 32 (or 64) bits
    int64_t a, b, c;           // registers of a lane
} Fragment;

static bool
fragment_fits(MlcOp *op, size_t i, const char *name, int64_t want, int64_t rows, int64_t columns)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, i));
    if (mlc_type_num_elements(type) * 32 != want)
        return mlc_op_error(op, "expected %lld warp-wide matrix %s elements", (long long)want,
                            name);
    return (is_vector_of_rank_2(type) && mlc_type_dim(type, 0) == rows &&
            mlc_type_dim(type, 1) == columns) ||
           mlc_op_error(op, "expected matrix %s to be shaped (%lld x %lld)", name, (long long)rows,
                        (long long)columns);
}

// Elements of A and B that one step along k takes: 256 bits of a row.
static int64_t
k_of_type(MlcType element)
{
    int64_t bits = mlc_type_bit_width(element);
    return bits <= 0 ? 0 : bits == 64 ? 4 : 128 / bits;
}

static bool
verify_product(MlcOp *op, MlcAttr shape, bool is_sparse, bool is_tf32)
{
    MlcType a = mlc_value_type(mlc_op_operand(op, 0)), element = mlc_type_element(a);
    bool is_f64 = mlc_type_bit_width(element) == 64;
    int64_t size[3], step = k_of_type(element);
    if (mlc_array_attr_size(shape) != 3)
        return mlc_op_error(op, "expected mmaShape of three sizes");
    for (size_t i = 0; i < 3; i++)
        size[i] = mlc_attr_as_int(mlc_array_attr_element(shape, i));
    int64_t factor = is_sparse ? 2 : 1, rows = is_f64 ? 8 : 16, lanes = step;
    if (is_tf32 && !(mlc_type_is(element, MLC_TYPE_FLOAT) && mlc_type_bit_width(element) == 32))
        return mlc_op_error(op, "expected tf32 tensor cores only for F32 operands");
    if (step == 0 || size[0] != rows || size[1] != 8 ||
        (size[2] != step * factor && (is_f64 || size[2] != 2 * step * factor)))
        return mlc_op_error(op, "expected mmaShape of a product that the machine has");
    int64_t width = is_f64 ? 1 : 32 / mlc_type_bit_width(element), steps = size[2] / lanes;
    int64_t a_rows = is_f64 ? 1 : 2 * steps / factor;
    return fragment_fits(op, 0, "A", size[0] * size[2] / factor, a_rows, width) &&
           fragment_fits(op, 1, "B", size[1] * size[2], steps, width) &&
           fragment_fits(op, 2, "C", size[0] * size[1], is_f64 ? 1 : 2, 2);
}

bool
mlc_nvgpu_mma_sync_verify(MlcOp *op)
{
    return verify_product(op, mlc_nvgpu_mma_sync_mma_shape(op), false,
                          mlc_nvgpu_mma_sync_tf32_enabled(op) != NULL);
}

bool
mlc_nvgpu_mma_sp_sync_verify(MlcOp *op)
{
    int64_t selector = mlc_nvgpu_mma_sp_sync_sparsity_selector(op);
    if (selector != 0 && selector != 1)
        return mlc_op_error(op, "sparsity selector should be 0 or 1");
    return verify_product(op, mlc_nvgpu_mma_sp_sync_mma_shape(op), true,
                          mlc_nvgpu_mma_sp_sync_tf32_enabled(op) != NULL);
}

// --- copies

static bool
has_unit_stride(MlcType memref)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(memref);
    return rank == 0 ||
           (mlc_memref_type_strides(memref, &offset, strides) && strides[rank - 1] == 1);
}

// 4, 8 or 16 bytes.
static bool
verify_size(MlcOp *op, MlcType dst)
{
    int64_t count = mlc_nvgpu_device_async_copy_dst_elements(op),
            bits = mlc_type_bit_width(mlc_type_element(dst));
    MlcBuf choices = {0};
    bool fits = false;
    for (int64_t bytes = 4; bits > 0 && bytes <= 16; bytes *= 2) {
        if (bytes * 8 % bits != 0 || bytes * 8 < bits)
            continue;
        mlc_buf_printf(&choices, "%s%lld", choices.size ? ", " : "", (long long)(bytes * 8 / bits));
        fits |= count == bytes * 8 / bits;
    }
    if (!fits)
        mlc_op_error(op,
                     "Requested copy elements is %lld with width %lld. But copy elements could be "
                     "one of %s.",
                     (long long)count, (long long)bits, mlc_buf_c_str(&choices));
    mlc_buf_release(&choices);
    if (fits && mlc_nvgpu_device_async_copy_bypass_l1(op) && count * bits != 128)
        return mlc_op_error(op,
                            "bypassL1 does not satify alignment for '%s' with destination element "
                            "%lld. Unset bypassL1, or set destination element to %lld",
                            mlc_type_text(dst), (long long)count, (long long)(128 / bits));
    return fits;
}

bool
mlc_nvgpu_device_async_copy_verify(MlcOp *op)
{
    size_t at_dst, at_src, num_dst, num_src, first;
    mlc_op_operand_group(op, 0, &at_dst, &num_dst);
    mlc_op_operand_group(op, 2, &at_src, &num_src);
    MlcType dst = mlc_value_type(mlc_op_operand(op, at_dst)),
            src = mlc_value_type(mlc_op_operand(op, at_src));
    mlc_op_operand_group(op, 1, &first, &num_dst);
    mlc_op_operand_group(op, 3, &first, &num_src);
    if (!has_unit_stride(src))
        return mlc_op_error(op, "source memref most minor dim must have unit stride");
    if (!is_shared(dst))
        return mlc_op_error(op, "destination memref must have a memory space attribute of "
                                "IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)");
    if (!has_unit_stride(dst))
        return mlc_op_error(op, "destination memref most minor dim must have unit stride");
    if (mlc_type_element(dst) != mlc_type_element(src))
        return mlc_op_error(op, "source and destination must have the same element type");
    if (num_src != mlc_type_rank(src))
        return mlc_op_error(op, "expected %zu source indices, got %zu", mlc_type_rank(src),
                            num_src);
    if (num_dst != mlc_type_rank(dst))
        return mlc_op_error(op, "expected %zu destination indices, got %zu", mlc_type_rank(dst),
                            num_dst);
    return verify_size(op, dst);
}

// --- tiles of tensors

static MlcType
tile_of(MlcType descriptor)
{
    return mlc_type_attr_value(mlc_dialect_type_param(descriptor, 0));
}

// `memref`: what the tile is copied to, NULL where that is not known.
static bool
verify_tile(MlcOp *op, MlcType descriptor, MlcType memref)
{
    MlcType tile = tile_of(descriptor);
    bool is_swizzled = mlc_enum_attr_value(mlc_dialect_type_param(descriptor, 1)) != 0;
    size_t rank = mlc_type_rank(tile);
    int64_t bytes = mlc_type_bit_width(mlc_type_element(tile)) / 8;
    if (!is_shared(tile))
        return mlc_op_error(op, "the tensor map descriptor has incorrect address space, it must be "
                                "shared memory address space.");
    if (!mlc_type_has_static_shape(tile))
        return mlc_op_error(op, "the tensor map descriptor must be static shaped");
    for (size_t i = 0; i < rank; i++)
        if (mlc_type_dim(tile, i) <= 0 || mlc_type_dim(tile, i) > 256)
            return mlc_op_error(op,
                                "the tensor map descriptor must have dimensions between 1 and "
                                "256 but it is %lld",
                                (long long)mlc_type_dim(tile, i));
    if (rank > 1 && is_swizzled && mlc_type_dim(tile, rank - 1) * bytes != SWIZZLED_BYTES)
        return mlc_op_error(op,
                            "the tensormap descriptor must have last dimension of %d bytes but it "
                            "is %lld bytes",
                            SWIZZLED_BYTES, (long long)(mlc_type_dim(tile, rank - 1) * bytes));
    if (!memref)
        return true;
    if (!is_shared(memref))
        return mlc_op_error(op, "the destination memref has incorrect address space, it must be "
                                "shared memory address space");
    if (mlc_type_element(memref) != mlc_type_element(tile))
        return mlc_op_error(op,
                            "the element type of tensor map descriptor and memref must be same");
    if (mlc_type_rank(memref) != rank)
        return mlc_op_error(op,
                            "the shape of tensor map descriptor and memref must have same rank");
    for (size_t i = 0; i < rank; i++)
        if (mlc_type_dim(memref, i) != MLC_DYNAMIC &&
            mlc_type_dim(memref, i) != mlc_type_dim(tile, i))
            return mlc_op_error(op, "memref and tensor map shapes mismatch %s != %s",
                                mlc_type_text(memref), mlc_type_text(tile));
    return true;
}

static bool
verify_coordinates(MlcOp *op, size_t group)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    return count <= MAX_COORDINATES ||
           mlc_op_error(op, "Maximum %d coordinates are supported.", MAX_COORDINATES);
}

bool
mlc_nvgpu_tma_async_load_verify(MlcOp *op)
{
    return verify_tile(op, mlc_value_type(mlc_nvgpu_tma_async_load_tensor_map_descriptor(op)),
                       mlc_value_type(mlc_nvgpu_tma_async_load_dst(op))) &&
           verify_coordinates(op, 3);
}

bool
mlc_nvgpu_tma_async_store_verify(MlcOp *op)
{
    return verify_tile(op, mlc_value_type(mlc_nvgpu_tma_async_store_tensor_map_descriptor(op)),
                       mlc_value_type(mlc_nvgpu_tma_async_store_src(op))) &&
           verify_coordinates(op, 2);
}

bool
mlc_nvgpu_tma_create_descriptor_verify(MlcOp *op)
{
    size_t first, count;
    mlc_op_operand_group(op, 1, &first, &count);
    if (count > MAX_COORDINATES)
        return mlc_op_error(op, "Maximum %d coordinates are supported.", MAX_COORDINATES);
    return verify_tile(op, mlc_value_type(mlc_op_result(op, 0)), NULL);
}

// --- products of a warpgroup

bool
mlc_nvgpu_warpgroup_generate_descriptor_verify(MlcOp *op)
{
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0)),
            map = mlc_value_type(mlc_op_operand(op, 1)),
            tile = tile_of(mlc_value_type(mlc_op_result(op, 0)));
    if (memref != tile)
        return mlc_op_error(op, "memref and the tensor of the descriptor must be of one type");
    if (mlc_type_rank(memref) != 2)
        return mlc_op_error(op, "supports only 2d memref is supported for now");
    if (mlc_enum_attr_value(mlc_dialect_type_param(map, 1)) != MLC_NVGPU_SWIZZLE_KIND_SWIZZLE_128B)
        return mlc_op_error(op, "supports only %s is supported for the time being", "swizzle_128b");
    return mlc_enum_attr_value(mlc_dialect_type_param(map, 4)) == 0 ||
           mlc_op_error(op, "supports only %s is supported for the time being", "interleave_none");
}

static bool
is_supported(MlcType d, MlcType a, MlcType b)
{
    if (!mlc_type_is(a, MLC_TYPE_FLOAT))
        return mlc_type_is_integer(d, 32) && mlc_type_bit_width(a) == 8 &&
               mlc_type_bit_width(b) == 8;
    if (a != b || !mlc_type_is(d, MLC_TYPE_FLOAT))
        return false;
    switch (mlc_float_type_kind(a)) {
    case MLC_FLOAT_F16:
    case MLC_FLOAT_F8E4M3FN:
    case MLC_FLOAT_F8E5M2:
        return mlc_float_type_kind(d) == MLC_FLOAT_F32 || mlc_float_type_kind(d) == MLC_FLOAT_F16;
    case MLC_FLOAT_BF16:
    case MLC_FLOAT_F32:
    case MLC_FLOAT_TF32:
        return mlc_float_type_kind(d) == MLC_FLOAT_F32;
    default:
        return false;
    }
}

bool
mlc_nvgpu_warpgroup_mma_verify(MlcOp *op)
{
    MlcType a = tile_of(mlc_value_type(mlc_op_operand(op, 0))),
            b = tile_of(mlc_value_type(mlc_op_operand(op, 1))),
            c = tile_of(mlc_value_type(mlc_op_operand(op, 2))),
            d = tile_of(mlc_value_type(mlc_op_result(op, 0)));
    if (mlc_type_rank(a) != 2 || mlc_type_rank(b) != 2 || mlc_type_rank(c) != 2 ||
        mlc_type_rank(d) != 2)
        return mlc_op_error(op, "has matrices A, B, C and D, they must be 2 dimensional");
    if (c != d)
        return mlc_op_error(op, "type of matrix C and matrix D must be the same");
    if (mlc_type_dim(a, 1) != mlc_type_dim(b, 0))
        return mlc_op_error(op, "2nd dim matrix-A ( %lld )!= 1st dim matrix-B ( %lld )",
                            (long long)mlc_type_dim(a, 1), (long long)mlc_type_dim(b, 0));
    if (mlc_type_dim(a, 0) != mlc_type_dim(c, 0))
        return mlc_op_error(op, "1st dim matrix-A ( %lld )!= 1st dim matrix-C ( %lld )",
                            (long long)mlc_type_dim(a, 0), (long long)mlc_type_dim(c, 0));
    if (mlc_type_dim(b, 1) != mlc_type_dim(c, 1))
        return mlc_op_error(op, "2nd dim matrix-B ( %lld ) != 2nd dim matrix-C ( %lld )",
                            (long long)mlc_type_dim(b, 1), (long long)mlc_type_dim(c, 1));
    if (!is_supported(mlc_type_element(d), mlc_type_element(a), mlc_type_element(b)))
        return mlc_op_error(op, "'%s' += '%s' * '%s', it is not supported.",
                            mlc_type_text(mlc_type_element(d)), mlc_type_text(mlc_type_element(a)),
                            mlc_type_text(mlc_type_element(b)));
    return true;
}

bool
mlc_nvgpu_warpgroup_mma_store_verify(MlcOp *op)
{
    MlcType memref = mlc_value_type(mlc_op_operand(op, 1)),
            sums = tile_of(mlc_value_type(mlc_op_operand(op, 0)));
    bool same = mlc_type_rank(memref) == mlc_type_rank(sums) &&
                mlc_type_element(memref) == mlc_type_element(sums);
    for (size_t i = 0; same && i < mlc_type_rank(sums); i++)
        same = mlc_type_dim(memref, i) == MLC_DYNAMIC ||
               mlc_type_dim(memref, i) == mlc_type_dim(sums, i);
    return same || mlc_op_error(op, "'%s' does not hold an accumulator of '%s'",
                                mlc_type_text(memref), mlc_type_text(sums));
}

// gpu_bulk.c -- plans, describes and copies tiles in boxes (CUDA driver API,
// cuTensorMapEncodeTiled).
#include "gpu_bulk.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/nvgpu.h"

enum { ALIGNMENT = 16, MAX_BOX = 256 };

static bool
is_aligned(const BulkTile *t, int64_t elements)
{
    return elements * (LINE_BYTES / t->box[2]) % ALIGNMENT == 0;
}

// The factor as a tensor: its groups of loops must be one dimension each.
static bool
plan_tensor(BulkTile *t, const Product *p)
{
    ProductSide side = t->factor ? SIDE_COLUMNS : SIDE_ROWS;
    ProductSide order[3] = {SIDE_BATCH, side, SIDE_DEPTH};
    for (size_t i = 0; i < 3; i++) {
        t->sizes[i] = p->sides[order[i]].size;
        if (!gpu_product_line(p, t->factor, order[i], &t->strides[i]))
            return false;
    }
    t->is_depth_inner = t->strides[2] == 1;
    if (!t->is_depth_inner) {
        int64_t size = t->sizes[1], stride = t->strides[1];
        t->sizes[1] = t->sizes[2], t->strides[1] = t->strides[2];
        t->sizes[2] = size, t->strides[2] = stride;
    }
    t->has_batch = t->sizes[0] > 1;
    return t->strides[2] == 1 && p->num_edges[t->factor] == 0;
}

static MlcType
tile_type(const BulkTile *t, const Product *p)
{
    MlcContext *ctx = mlc_op_context(p->op);
    MlcAttr space =
        mlc_enum_attr_get(ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_WORKGROUP);
    size_t skipped = !t->has_batch;
    return mlc_memref_type_get(p->element[t->factor], t->box + skipped, 3 - skipped, NULL, space);
}

static MlcType
map_type(MlcType tile)
{
    MlcContext *ctx = mlc_type_context(tile);
    MlcAttr params[5] = {
        mlc_type_attr_get(tile),
        mlc_enum_attr_get(ctx, &mlc_nvgpu_swizzle_kind_attr_def,
                          MLC_NVGPU_SWIZZLE_KIND_SWIZZLE_128B),
        mlc_enum_attr_get(ctx, &mlc_nvgpu_l2_promo_kind_attr_def,
                          MLC_NVGPU_L2_PROMO_KIND_L2PROMO_256B),
        mlc_enum_attr_get(ctx, &mlc_nvgpu_oob_kind_attr_def, MLC_NVGPU_OOB_KIND_ZERO),
        mlc_enum_attr_get(ctx, &mlc_nvgpu_interleave_kind_attr_def, MLC_NVGPU_INTERLEAVE_KIND_NONE),
    };
    return mlc_dialect_type_get(ctx, &mlc_nvgpu_tensormap_descriptor_type_def, params, 5);
}

bool
gpu_bulk_plan(BulkTile *t, const Product *p, size_t factor, const int64_t size[3])
{
    *t = (BulkTile){.factor = factor};
    int64_t row = LINE_BYTES * 8 / mlc_type_bit_width(p->element[factor]); // elements
    if (!plan_tensor(t, p))
        return false;
    t->box[0] = 1;
    t->box[1] = t->is_depth_inner ? size[factor] : size[2];
    t->box[2] = row;
    t->blocks = t->is_depth_inner ? 1 : size[factor] / row;
    t->bytes = size[factor] * size[2] * (LINE_BYTES / row);
    bool fits = size[2] == row && size[factor] % row == 0 && t->box[1] <= MAX_BOX &&
                is_aligned(t, p->start[factor]) && is_aligned(t, t->strides[1]) &&
                (!t->has_batch || is_aligned(t, t->strides[0])) && t->strides[1] > 0;
    if (fits)
        t->map = map_type(tile_type(t, p));
    return fits;
}

void
gpu_bulk_describe(BulkTile *t, const Product *p, MlcBuilder *b)
{
    MlcValue *source = p->source[t->factor], *box[3];
    MlcType from = mlc_value_type(source);
    MlcAttr space = mlc_memref_type_memory_space(from);
    size_t skipped = !t->has_batch, rank = 3 - skipped;
    int64_t start = p->start[t->factor];
    MlcAttr layout = mlc_strided_layout_attr_get(b->ctx, start, t->strides + skipped, rank);
    MlcType type =
        mlc_memref_type_get(mlc_type_element(from), t->sizes + skipped, rank, layout, space);
    MlcValue *tensor =
        mlc_memref_reinterpret_cast(b, type, source, NULL, 0, NULL, 0, NULL, 0, &start, 1,
                                    t->sizes + skipped, rank, t->strides + skipped, rank);
    tensor =
        mlc_memref_cast(b, mlc_unranked_memref_type_get(mlc_type_element(from), space), tensor);
    for (size_t i = 0; i < rank; i++)
        box[i] = mlc_build_index(b, t->box[i + skipped]);
    t->description = mlc_nvgpu_tma_create_descriptor(b, t->map, tensor, box, rank);
}

void
gpu_bulk_copy(const ProductKernel *k, const BulkTile *t, MlcValue *depth, MlcValue *offset,
              MlcValue *group, MlcValue *id)
{
    MlcBuilder *b = k->b;
    MlcType type = tile_type(t, k->product);
    for (int64_t i = 0; i < t->blocks; i++) {
        MlcValue *at = gpu_add(b, k->first[t->factor], i * t->box[2]);
        MlcValue *coordinates[3] = {t->is_depth_inner ? depth : at, t->is_depth_inner ? at : depth,
                                    k->batch};
        MlcValue *to = mlc_memref_view(b, type, k->memory,
                                       gpu_add(b, offset, i * (t->bytes / t->blocks)), NULL, 0);
        mlc_nvgpu_tma_async_load(b, to, group, t->description, coordinates, t->has_batch ? 3 : 2,
                                 id, NULL, NULL);
    }
}

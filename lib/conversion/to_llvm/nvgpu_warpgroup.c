// nvgpu_warpgroup.c -- products of a warpgroup on tiles in workgroup memory: nvgpu to nvvm.
//
// A tile has rows of 128 bytes, permuted as tensor maps do (swizzle_128b). An operand whose depth
// is contiguous is rows of it; else it is blocks of 64 columns (128 bytes), one behind the other,
// each with a row for every number of the depth. A descriptor is where that begins, in 16 bytes,
// and how far apart blocks and groups of eight rows are (PTX ISA, "Matrix descriptor").
//
// An accumulator is a struct for each 64 rows, of what one thread has of them: warp w of four has
// rows 16 w and up; lane l has rows l / 4 and l / 4 + 8 of these, of each 8 columns 2 (l % 4) and
// the next. It is in flight from the product to the wait behind it.
#include "nvgpu_warpgroup.h"

#include "mlc/dialects/nvgpu.h"
#include "mlc/dialects/nvvm.h"

enum {
    SHARED = 3,
    ROWS = 64,         // of one instruction
    STEP_BYTES = 32,   // of the depth, of one instruction
    ROW_BYTES = 128,   // of a tile
    UNIT = 16,         // bytes that descriptors count
    MAX_COLUMNS = 256, // of one instruction
};

static MlcType
i32_type(MlcBuilder *b)
{
    return mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
}

static MlcType
tile_of(MlcType type)
{
    return mlc_type_attr_value(mlc_dialect_type_param(type, 0));
}

static int64_t
bytes_of(MlcType tile)
{
    return mlc_type_bit_width(mlc_type_element(tile)) / 8;
}

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

// --- accumulators

MlcType
llvm_warpgroup_accumulator(MlcType type)
{
    MlcType sums = tile_of(type), element = mlc_type_element(sums);
    int64_t rows = mlc_type_dim(sums, 0), columns = mlc_type_dim(sums, 1);
    MlcTypeVec members = {0};
    bool fits = mlc_type_bit_width(element) == 32 && rows % ROWS == 0 && rows > 0 &&
                columns % 8 == 0 && columns >= 8 && columns <= MAX_COLUMNS;
    if (!fits)
        return NULL;
    for (int64_t i = 0; i < columns / 2; i++)
        mlc_vec_push(&members, element);
    MlcType part = llvm_struct(mlc_type_context(type), members.data, members.size);
    mlc_vec_clear(&members);
    for (int64_t i = 0; i < rows / ROWS; i++)
        mlc_vec_push(&members, part);
    MlcType made = llvm_struct(mlc_type_context(type), members.data, members.size);
    mlc_vec_release(&members);
    return made;
}

// Nothing writes a product's registers between wgmma.fence and the product, or reads them before
// the wait: the same values, of an assembly without text: what reads them stays behind it, what
// computes them before it.
static MlcValue *
settle(MlcBuilder *b, MlcValue *part)
{
    MlcType type = mlc_value_type(part);
    size_t count = llvm_struct_size(type);
    MlcValueVec values = {0};
    MlcBuf constraints = {0};
    const char *letter = mlc_type_is(llvm_struct_member(type, 0), MLC_TYPE_FLOAT) ? "f" : "r";
    for (size_t i = 0; i < count; i++)
        mlc_buf_printf(&constraints, "%s=%s", i ? "," : "", letter);
    for (int64_t i = 0; i < (int64_t)count; i++) {
        mlc_buf_printf(&constraints, ",%lld", (long long)i);
        mlc_vec_push(&values, llvm_extract(b, part, &i, 1));
    }
    MlcOp *made = mlc_llvm_inline_asm(b, type, values.data, values.size, mlc_str(""),
                                      mlc_buf_str(&constraints));
    mlc_llvm_inline_asm_set_has_side_effects(made, mlc_unit_attr_get(b->ctx));
    mlc_llvm_inline_asm_set_asm_dialect(made, mlc_i64_attr_get(b->ctx, MLC_LLVM_ASM_DIALECT_ATT));
    mlc_vec_release(&values);
    mlc_buf_release(&constraints);
    return mlc_op_result(made, 0);
}

static bool
lower_init(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType to = llvm_result_type(c, op);
    if (!to)
        return llvm_no_type(c, op);
    MlcType part_type = llvm_struct_member(to, 0), element = llvm_struct_member(part_type, 0);
    MlcValue *zero = mlc_type_is(element, MLC_TYPE_FLOAT)
                         ? mlc_llvm_mlir_constant(b, element, mlc_float_attr_get(element, 0))
                         : llvm_constant(b, element, 0);
    MlcValue *part = mlc_llvm_mlir_undef(b, part_type), *made = mlc_llvm_mlir_undef(b, to);
    for (int64_t i = 0; i < (int64_t)llvm_struct_size(part_type); i++)
        part = mlc_llvm_insertvalue(b, part, zero, &i, 1);
    for (int64_t i = 0; i < (int64_t)llvm_struct_size(to); i++)
        made = mlc_llvm_insertvalue(b, made, settle(b, part), &i, 1);
    return replace(c, op, made);
}

// --- descriptors

static bool
lower_descriptor(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    enum { LEADING = 16, STRIDE = 32, SWIZZLE = 62, SWIZZLE_128B = 1, ADDRESS_BITS = 14 };
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType box = tile_of(mlc_value_type(mlc_op_operand(op, 1)));
    size_t rank = mlc_type_rank(box);
    LlvmMemref m;
    if (rank < 2 || mlc_type_dim(box, rank - 1) * bytes_of(box) != ROW_BYTES)
        return mlc_conversion_no_match(c, op, "rows of its tile are not of 128 bytes");
    llvm_memref_read(&m, c, mlc_value_type(mlc_op_operand(op, 0)), operands[0]);
    // Blocks are as far apart as one copy is large; of operands without blocks it counts for
    // nothing.
    uint64_t leading = (uint64_t)(mlc_type_dim(box, rank - 2) * ROW_BYTES / UNIT),
             stride = 8 * ROW_BYTES / UNIT;
    uint64_t rest = leading << LEADING | stride << STRIDE | (uint64_t)SWIZZLE_128B << SWIZZLE;
    MlcValue *address = mlc_llvm_ptrtoint(b, i32_type(b), llvm_memref_start(b, &m));
    address = mlc_llvm_lshr(b, address, llvm_constant(b, i32_type(b), 4));
    address = mlc_llvm_and(b, address, llvm_constant(b, i32_type(b), (1 << ADDRESS_BITS) - 1));
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    return replace(c, op,
                   mlc_llvm_or(b, mlc_llvm_zext(b, i64, address), llvm_i64(b, (int64_t)rest)));
}

static MlcValue *
advance(MlcBuilder *b, MlcValue *descriptor, int64_t bytes)
{
    return bytes ? mlc_llvm_add(b, descriptor, llvm_i64(b, bytes / UNIT)) : descriptor;
}

// --- the product

typedef struct Product {
    MlcType a, b, d;
    int64_t rows, columns, depth;
    int64_t step; // of the depth, of one instruction
    bool turns_a, turns_b;
} Product;

static bool
read_type(MlcType element, int64_t *type)
{
    if (mlc_type_is_integer(element, 8) || mlc_type_is_integer(element, 32)) {
        *type = mlc_type_is_integer(element, 8) ? MLC_NVVM_WGMMA_TYPE_S8 : MLC_NVVM_WGMMA_TYPE_S32;
        return true;
    }
    if (!mlc_type_is(element, MLC_TYPE_FLOAT))
        return false;
    switch (mlc_float_type_kind(element)) {
    case MLC_FLOAT_F16:
        *type = MLC_NVVM_WGMMA_TYPE_F16;
        return true;
    case MLC_FLOAT_BF16:
        *type = MLC_NVVM_WGMMA_TYPE_BF16;
        return true;
    case MLC_FLOAT_F8E4M3FN:
        *type = MLC_NVVM_WGMMA_TYPE_E4M3;
        return true;
    case MLC_FLOAT_F8E5M2:
        *type = MLC_NVVM_WGMMA_TYPE_E5M2;
        return true;
    case MLC_FLOAT_F32:
    case MLC_FLOAT_TF32:
        *type = MLC_NVVM_WGMMA_TYPE_TF32;
        return true;
    default:
        return false;
    }
}

static bool
read_product(Product *p, MlcOp *op)
{
    *p = (Product){.a = tile_of(mlc_value_type(mlc_op_operand(op, 0))),
                   .b = tile_of(mlc_value_type(mlc_op_operand(op, 1))),
                   .d = tile_of(mlc_value_type(mlc_op_operand(op, 2))),
                   .turns_a = mlc_nvgpu_warpgroup_mma_transpose_a(op) != NULL,
                   .turns_b = mlc_nvgpu_warpgroup_mma_transpose_b(op) != NULL};
    p->rows = mlc_type_dim(p->d, 0);
    p->columns = mlc_type_dim(p->d, 1);
    p->depth = mlc_type_dim(p->a, 1);
    p->step = STEP_BYTES / bytes_of(p->a);
    // Depth that is contiguous is one row of the tile.
    int64_t row = ROW_BYTES / bytes_of(p->a);
    return p->depth % p->step == 0 && (p->turns_a || p->depth == row) &&
           (p->turns_b || p->depth == row) && ((!p->turns_a && !p->turns_b) || bytes_of(p->a) == 2);
}

// Where rows `i` * 64 and up, at number `k` of the depth, begin.
static MlcValue *
operand_a(MlcBuilder *b, const Product *p, MlcValue *descriptor, int64_t i, int64_t k)
{
    int64_t block = (p->turns_a ? p->depth : ROWS) * ROW_BYTES;
    return advance(b, descriptor, i * block + k * (p->turns_a ? ROW_BYTES : STEP_BYTES / p->step));
}

static MlcValue *
operand_b(MlcBuilder *b, const Product *p, MlcValue *descriptor, int64_t k)
{
    return advance(b, descriptor, k * (p->turns_b ? ROW_BYTES : STEP_BYTES / p->step));
}

static MlcAttr
shape_of(MlcBuilder *b, const Product *p)
{
    MlcAttr sizes[3] = {mlc_i32_attr_get(b->ctx, ROWS),
                        mlc_i32_attr_get(b->ctx, (int32_t)p->columns),
                        mlc_i32_attr_get(b->ctx, (int32_t)p->step)};
    return mlc_dialect_attr_get(b->ctx, &mlc_nvvm_shape_attr_def, sizes, 3);
}

static MlcValue *
multiply(MlcBuilder *b, const Product *p, MlcValue *const *descriptors, int64_t i, MlcValue *sums)
{
    int64_t a = 0, other = 0, d = 0;
    if (!read_type(mlc_type_element(p->a), &a) || !read_type(mlc_type_element(p->b), &other))
        mlc_bug("a verified product of types without instruction");
    d = mlc_type_is(mlc_type_element(p->d), MLC_TYPE_FLOAT) ? MLC_NVVM_WGMMA_TYPE_F32
                                                            : MLC_NVVM_WGMMA_TYPE_S32;
    for (int64_t k = 0; k < p->depth; k += p->step)
        sums = mlc_nvvm_wgmma_mma_async(
            b, mlc_value_type(sums), sums, operand_a(b, p, descriptors[0], i, k),
            operand_b(b, p, descriptors[1], k), shape_of(b, p), (MlcNvvmWgmmaType)a,
            (MlcNvvmWgmmaType)other, (MlcNvvmWgmmaType)d, MLC_NVVM_WGMMA_SCALE_OUT_ONE,
            MLC_NVVM_WGMMA_SCALE_IN_ONE, MLC_NVVM_WGMMA_SCALE_IN_ONE,
            p->turns_a ? MLC_NVVM_MMA_LAYOUT_COL : MLC_NVVM_MMA_LAYOUT_ROW,
            p->turns_b ? MLC_NVVM_MMA_LAYOUT_ROW : MLC_NVVM_MMA_LAYOUT_COL);
    return sums;
}

static bool
lower_product(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType to = llvm_result_type(c, op);
    MlcAttr left = mlc_nvgpu_warpgroup_mma_wait_group(op);
    Product p;
    if (!to)
        return llvm_no_type(c, op);
    if (!read_product(&p, op))
        return mlc_conversion_no_match(c, op, "rows of its tiles are not of 128 bytes");
    mlc_nvvm_wgmma_fence_aligned(b);
    MlcValue *made = mlc_llvm_mlir_undef(b, to);
    for (int64_t i = 0; i < p.rows / ROWS; i++)
        made = mlc_llvm_insertvalue(
            b, made, multiply(b, &p, operands, i, llvm_extract(b, operands[2], &i, 1)), &i, 1);
    mlc_nvvm_wgmma_commit_group_sync_aligned(b);
    mlc_nvvm_wgmma_wait_group_sync_aligned(b, left ? (int32_t)mlc_attr_as_int(left) : 1);
    return replace(c, op, made);
}

static bool
lower_wait(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType to = llvm_result_type(c, op);
    if (!to)
        return llvm_no_type(c, op);
    mlc_nvvm_wgmma_wait_group_sync_aligned(b, 0);
    MlcValue *made = mlc_llvm_mlir_undef(b, to);
    for (int64_t i = 0; i < (int64_t)llvm_struct_size(to); i++)
        made = mlc_llvm_insertvalue(b, made, settle(b, llvm_extract(b, operands[0], &i, 1)), &i, 1);
    return replace(c, op, made);
}

// --- results

// Two neighbours of a thread are written at once where their places are known to be aligned.
static void
store_pair(MlcConversion *c, MlcType memref, MlcValue *base, MlcValue *const *at,
           MlcValue *const *values, bool is_aligned)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *next[2] = {at[0], mlc_llvm_add(b, at[1], llvm_i64(b, 1))},
             *place = llvm_memref_element_ptr(c, memref, base, at);
    int64_t two = 2;
    if (!is_aligned) {
        llvm_store(b, values[0], place, 4);
        llvm_store(b, values[1], llvm_memref_element_ptr(c, memref, base, next), 4);
        return;
    }
    MlcValue *pair =
        mlc_llvm_mlir_undef(b, mlc_vector_type_get(mlc_value_type(values[0]), &two, 1, NULL));
    for (int64_t i = 0; i < 2; i++)
        pair = mlc_llvm_insertelement(b, pair, values[i], llvm_constant(b, i32_type(b), i));
    llvm_store(b, pair, place, 8);
}

// Whether rows of 64 bits stay such: `mlc.aligned` says that the buffer begins so.
static bool
has_pairs(MlcOp *op)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    return mlc_op_attr(op, "mlc.aligned") &&
           mlc_memref_type_strides(mlc_op_operand_type(op, 1), &offset, strides) &&
           strides[1] == 1 && strides[0] != MLC_DYNAMIC && strides[0] % 2 == 0;
}

// The warpgroup's threads are those of x.
static bool
lower_result(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 1)),
            sums = tile_of(mlc_value_type(mlc_op_operand(op, 0)));
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *thread = mlc_llvm_zext(b, i64, mlc_nvvm_read_ptx_sreg_tid_x(b, i32_type(b)));
    MlcValue *warp = mlc_llvm_and(b, mlc_llvm_lshr(b, thread, llvm_i64(b, 5)), llvm_i64(b, 3)),
             *lane = mlc_llvm_and(b, thread, llvm_i64(b, 31));
    MlcValue *row = mlc_llvm_add(b, mlc_llvm_mul(b, warp, llvm_i64(b, 16)),
                                 mlc_llvm_lshr(b, lane, llvm_i64(b, 2)));
    MlcValue *column = mlc_llvm_mul(b, mlc_llvm_and(b, lane, llvm_i64(b, 3)), llvm_i64(b, 2));
    for (int64_t i = 0; i < mlc_type_dim(sums, 0) / ROWS; i++)
        for (int64_t n = 0; n < mlc_type_dim(sums, 1) / 2; n += 2) {
            MlcValue *at[2] = {
                mlc_llvm_add(b, row, llvm_i64(b, ROWS * i + 8 * (n / 2 % 2))),
                mlc_llvm_add(b, column, llvm_i64(b, 8 * (n / 4))),
            };
            MlcValue *values[2] = {llvm_extract(b, operands[0], (int64_t[]){i, n}, 2),
                                   llvm_extract(b, operands[0], (int64_t[]){i, n + 1}, 2)};
            store_pair(c, memref, operands[1], at, values, has_pairs(op));
        }
    mlc_conversion_erase(c, op);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "nvgpu.warpgroup.mma.init.accumulator", .convert = lower_init},
    {.root = "nvgpu.warpgroup.generate.descriptor", .convert = lower_descriptor},
    {.root = "nvgpu.warpgroup.mma", .convert = lower_product},
    {.root = "nvgpu.warpgroup.mma.wait", .convert = lower_wait},
    {.root = "nvgpu.warpgroup.mma.store", .convert = lower_result},
};
const LlvmPatterns nvgpu_warpgroup_patterns = {"nvgpu", "nvvm", patterns,
                                               sizeof patterns / sizeof *patterns};

// nvgpu_barriers.c -- barriers in memory, and copies of tiles that count at them: nvgpu to nvvm.
//
// A group of barriers is a buffer of i64 in its memory, a token the state of a phase, the
// description of a tensor a pointer.
#include "nvgpu_warpgroup.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/ir/symbol.h"

enum { SHARED = 3 };

static MlcType
i64_type(MlcContext *ctx)
{
    return mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
}

// memref<num_barriers x i64, its space>
static MlcType
group_memref(MlcType group)
{
    MlcContext *ctx = mlc_type_context(group);
    MlcAttr count = mlc_dialect_type_param(group, 1);
    int64_t size = count ? mlc_attr_as_int(count) : 1;
    MlcAttr space = mlc_dialect_type_param(group, 0);
    bool is_workgroup = mlc_attr_isa(space, "gpu.address_space") &&
                        mlc_enum_attr_value(space) == MLC_GPU_ADDRESS_SPACE_WORKGROUP;
    return mlc_memref_type_get(i64_type(ctx), &size, 1, NULL,
                               is_workgroup ? mlc_i64_attr_get(ctx, SHARED) : space);
}

int
llvm_convert_nvgpu_type(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)user;
    MlcContext *ctx = mlc_type_context(type);
    MlcType to = NULL;
    if (mlc_type_isa(type, "nvgpu.mbarrier.group"))
        to = mlc_type_converter_convert_one(tc, group_memref(type));
    else if (mlc_type_isa(type, "nvgpu.mbarrier.token") ||
             mlc_type_isa(type, "nvgpu.warpgroup.descriptor"))
        to = i64_type(ctx);
    else if (mlc_type_isa(type, "nvgpu.device.async.token"))
        to = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    else if (mlc_type_isa(type, "nvgpu.tensormap.descriptor"))
        to = llvm_ptr(ctx, 0);
    else if (mlc_type_isa(type, "nvgpu.warpgroup.accumulator"))
        to = llvm_warpgroup_accumulator(type);
    else
        return 0;
    if (to)
        mlc_vec_push(out, to);
    return to ? 1 : -1;
}

// --- operands

// The (only) value of an operand group; NULL: it is empty.
static MlcValue *
value_of(MlcOp *op, MlcValue *const *operands, size_t group)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    return count ? operands[first] : NULL;
}

static MlcValue *
to_i32(MlcBuilder *b, MlcValue *value)
{
    return mlc_llvm_trunc(b, mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS), value);
}

// The address of barrier `id` of a group; NULL: it is not in workgroup memory.
static MlcValue *
barrier_address(MlcConversion *c, MlcOp *op, MlcValue *const *operands, size_t group, size_t id)
{
    size_t at, count;
    mlc_op_operand_group(op, group, &at, &count);
    MlcType memref = group_memref(mlc_value_type(mlc_op_operand(op, at)));
    MlcValue *number = value_of(op, operands, id);
    if (llvm_address_space(memref) != SHARED)
        return mlc_conversion_no_match(c, op, "its barriers are not in workgroup memory"), NULL;
    return llvm_memref_element_ptr(c, memref, operands[at], &number);
}

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

static bool
erase(MlcConversion *c, MlcOp *op)
{
    mlc_conversion_erase(c, op);
    return true;
}

// --- barriers

// A global of workgroup memory for each group.
static bool
lower_create(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = group_memref(mlc_value_type(mlc_op_result(op, 0))),
            to = llvm_result_type(c, op);
    MlcOp *function = op, *table;
    while ((table = mlc_op_parent(function)) && !mlc_op_has_trait(table, MLC_TRAIT_SYMBOL_TABLE))
        function = table;
    if (!to || !table || llvm_address_space(memref) != SHARED)
        return mlc_conversion_no_match(c, op, "its barriers are not in workgroup memory");
    MlcBuf name = {0};
    mlc_buf_append_c(&name, "__mbarrier");
    for (int i = 0; mlc_symbol_lookup(table, mlc_buf_str(&name)); i++) {
        mlc_buf_clear(&name);
        mlc_buf_printf(&name, "__mbarrier_%d", i);
    }
    MlcBuilder outside = *b;
    mlc_builder_before(&outside, function);
    MlcOp *global =
        mlc_llvm_mlir_global(&outside, llvm_array(i64_type(b->ctx), mlc_type_dim(memref, 0)),
                             mlc_buf_str(&name), MLC_LLVM_LINKAGE_INTERNAL);
    mlc_op_set_attr(global, "addr_space", mlc_i32_attr_get(b->ctx, SHARED));
    mlc_llvm_mlir_global_set_alignment(global, mlc_i64_attr_get(b->ctx, 8));
    LlvmMemrefParts parts = {0};
    parts.allocated = parts.aligned =
        mlc_llvm_mlir_addressof(b, llvm_ptr(b->ctx, SHARED), mlc_buf_str(&name));
    parts.sizes[0] = llvm_i64(b, mlc_type_dim(memref, 0));
    parts.strides[0] = llvm_i64(b, 1);
    mlc_buf_release(&name);
    return replace(c, op, llvm_memref_pack(b, i64_type(b->ctx), 1, to, &parts));
}

static bool
lower_init(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *address = barrier_address(c, op, operands, 0, 2);
    if (!address)
        return false;
    mlc_nvvm_mbarrier_init_shared(b, address, to_i32(b, value_of(op, operands, 1)),
                                  value_of(op, operands, 3));
    return erase(c, op);
}

static bool
lower_arrive(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *address = barrier_address(c, op, operands, 0, 1);
    return address && replace(c, op, mlc_nvvm_mbarrier_arrive_shared(b, i64_type(b->ctx), address));
}

static bool
lower_arrive_nocomplete(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *address = barrier_address(c, op, operands, 0, 1);
    return address &&
           replace(c, op,
                   mlc_nvvm_mbarrier_arrive_nocomplete_shared(
                       b, i64_type(b->ctx), address, to_i32(b, value_of(op, operands, 2))));
}

static bool
lower_arrive_expect(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *address = barrier_address(c, op, operands, 0, 2);
    if (!address)
        return false;
    mlc_nvvm_mbarrier_arrive_expect_tx_shared(b, address, to_i32(b, value_of(op, operands, 1)),
                                              value_of(op, operands, 3));
    return erase(c, op);
}

static bool
lower_test_wait(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i1 = mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS);
    MlcValue *address = barrier_address(c, op, operands, 0, 2);
    return address &&
           replace(c, op,
                   mlc_nvvm_mbarrier_test_wait_shared(b, i1, address, value_of(op, operands, 1)));
}

static bool
lower_try_wait(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcValue *address = barrier_address(c, op, operands, 0, 3);
    if (!address)
        return false;
    MlcValue *ticks = to_i32(b, value_of(op, operands, 2)),
             *phase = mlc_llvm_zext(b, i32, value_of(op, operands, 1));
    mlc_nvvm_mbarrier_try_wait_parity_shared(b, address, phase, ticks);
    return erase(c, op);
}

// --- tiles of tensors

static bool
lower_prefetch(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    mlc_nvvm_prefetch_tensormap(mlc_conversion_builder(c), operands[0], value_of(op, operands, 1));
    return erase(c, op);
}

// Where the tile begins in workgroup memory, an operand of the op.
static MlcValue *
tile_address(MlcConversion *c, MlcOp *op, MlcValue *const *operands, size_t group)
{
    size_t at, count;
    LlvmMemref m;
    mlc_op_operand_group(op, group, &at, &count);
    llvm_memref_read(&m, c, mlc_value_type(mlc_op_operand(op, at)), operands[at]);
    return llvm_memref_start(mlc_conversion_builder(c), &m);
}

static void
push_coordinates(MlcBuilder *b, MlcOp *op, MlcValue *const *operands, size_t group,
                 MlcValueVec *out)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(out, to_i32(b, operands[first + i]));
}

static bool
lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *barrier = barrier_address(c, op, operands, 1, 4);
    if (!barrier)
        return false;
    MlcValueVec coordinates = {0};
    push_coordinates(b, op, operands, 3, &coordinates);
    mlc_nvvm_cp_async_bulk_tensor_shared_cluster_global(
        b, tile_address(c, op, operands, 0), value_of(op, operands, 2), coordinates.data,
        coordinates.size, barrier, NULL, 0, value_of(op, operands, 5), NULL,
        value_of(op, operands, 6));
    mlc_vec_release(&coordinates);
    return erase(c, op);
}

static bool
lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValueVec coordinates = {0};
    push_coordinates(b, op, operands, 2, &coordinates);
    mlc_nvvm_cp_async_bulk_tensor_global_shared_cta(
        b, value_of(op, operands, 1), tile_address(c, op, operands, 0), coordinates.data,
        coordinates.size, value_of(op, operands, 3));
    mlc_vec_release(&coordinates);
    return erase(c, op);
}

static const MlcConversionPattern patterns[] = {
    {.root = "nvgpu.mbarrier.create", .convert = lower_create},
    {.root = "nvgpu.mbarrier.init", .convert = lower_init},
    {.root = "nvgpu.mbarrier.arrive", .convert = lower_arrive},
    {.root = "nvgpu.mbarrier.arrive.nocomplete", .convert = lower_arrive_nocomplete},
    {.root = "nvgpu.mbarrier.arrive.expect_tx", .convert = lower_arrive_expect},
    {.root = "nvgpu.mbarrier.test.wait", .convert = lower_test_wait},
    {.root = "nvgpu.mbarrier.try_wait.parity", .convert = lower_try_wait},
    {.root = "nvgpu.tma.prefetch.descriptor", .convert = lower_prefetch},
    {.root = "nvgpu.tma.async.load", .convert = lower_load},
    {.root = "nvgpu.tma.async.store", .convert = lower_store},
};
const LlvmPatterns nvgpu_barrier_patterns = {"nvgpu", "nvvm", patterns,
                                             sizeof patterns / sizeof *patterns};

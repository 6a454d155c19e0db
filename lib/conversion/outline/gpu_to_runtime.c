// gpu_to_runtime.c -- launches and copies become calls of the runtime, through the table of the
// call record.
//
// A launch names its kernel by a number, the place of its function among those of the module's
// gpu.modules (`mlc.device_kernels`). Arguments are laid out on the stack, and an array of their
// places beside them: buffers are addresses, index is i64. Allocations of device memory that are
// left last until the run ends. Streams, events and where work is submitted (gpu-streams) are told
// around the ops that have them. After parallel-to-runtime, which gives functions the call record;
// ahead of convert-to-llvm.
#include "mlc/pass.h"
#include "mlc/runtime/abi.h"
#include "to_llvm/to_llvm.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/builtin.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/memref_build.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/ir/mixed.h"
#include "mlc/support/cuda_api.h"

#include <stdio.h>

typedef struct Device {
    MlcMap numbers; // kernel function -> its number + 1
    MlcOp *module;
    MlcSymbolTable *symbols;
    unsigned num_texts;
} Device;

static MlcType
i64_type(MlcBuilder *b)
{
    return mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
}

static MlcValue *
i64_constant(MlcBuilder *b, int64_t value)
{
    return llvm_constant(b, i64_type(b), value);
}

static MlcValue *
cast(MlcBuilder *b, MlcValue *value, MlcType type)
{
    if (mlc_value_type(value) == type)
        return value;
    return mlc_op_result(mlc_builtin_unrealized_conversion_cast(b, &type, 1, &value, 1), 0);
}

// What the kernel's parameter is: a buffer's address, index as i64, others as they are.
static MlcValue *
argument(MlcBuilder *b, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    if (mlc_type_is(type, MLC_TYPE_MEMREF) && !mlc_type_has_static_shape(type))
        value = mlc_build_address(b, value);
    if (mlc_type_is(type, MLC_TYPE_MEMREF))
        return cast(b, value, llvm_ptr(b->ctx, 0));
    return mlc_type_is(type, MLC_TYPE_INDEX) ? mlc_arith_index_cast(b, i64_type(b), value) : value;
}

static MlcValue *
place(MlcBuilder *b, MlcValue *array, size_t index)
{
    int32_t raw = (int32_t)index;
    MlcType ptr = llvm_ptr(b->ctx, 0);
    return mlc_llvm_getelementptr(b, ptr, array, NULL, 0, &raw, 1, i64_type(b));
}

// Room for `count` values of 8 bytes, once for the function.
static MlcValue *
build_array(MlcBuilder *b, MlcOp *at, size_t count)
{
    MlcOp *function = mlc_op_parent_of_kind(at, &mlc_func_func_def);
    MlcBuilder entry;
    mlc_builder_init(&entry, b->ctx);
    mlc_builder_at_start(&entry, mlc_region_first(mlc_op_region(function, 0)));
    entry.loc = mlc_op_loc(at);
    MlcValue *size = i64_constant(&entry, (int64_t)(count ? count : 1));
    return mlc_llvm_alloca(&entry, llvm_ptr(b->ctx, 0), size, i64_type(b));
}

static MlcValue *
call_record(MlcOp *op)
{
    MlcOp *function = mlc_op_parent_of_kind(op, &mlc_func_func_def);
    MlcBlock *entry = function ? mlc_region_first(mlc_op_region(function, 0)) : NULL;
    bool has_record = entry && mlc_block_num_args(entry) > 0 &&
                      mlc_value_type(mlc_block_arg(entry, 0)) == llvm_ptr(mlc_op_context(op), 0);
    if (has_record)
        return mlc_block_arg(entry, 0);
    mlc_op_error(op, "its function has no call record: parallel-to-runtime comes first");
    return NULL;
}

// What the entry returns, if anything (`result` may be NULL).
static MlcOp *
call_table(MlcBuilder *b, MlcValue *call, size_t entry, MlcType result, MlcValue *const *args,
           size_t num_args)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcValue *table = llvm_load(b, ptr, place(b, call, MLC_RT_CALL_TABLE), 8);
    MlcValue *operands[8] = {llvm_load(b, ptr, place(b, table, entry), 8), call};
    for (size_t i = 0; i < num_args; i++)
        operands[2 + i] = args[i];
    return mlc_llvm_call(b, result, operands, 2 + num_args);
}

static bool
is_tensor_map(MlcValue *value)
{
    return mlc_type_isa(mlc_value_type(value), "nvgpu.tensormap.descriptor");
}

// Grid, block, cluster and shared memory, and what arguments there are, as MLC_RT_LAUNCH_SIZES has
// them.
static MlcValue *
build_sizes(MlcBuilder *b, MlcOp *launch)
{
    MlcValue *array = build_array(b, launch, MLC_RT_LAUNCH_SIZES);
    MlcValue *one = NULL;
    for (size_t i = 0; i < MLC_RT_LAUNCH_ARGUMENTS; i++) {
        size_t first, count;
        mlc_op_operand_group(launch, 1 + i, &first, &count); // behind what must have ended
        MlcValue *value = NULL;
        if (count)
            value = mlc_op_operand(launch, first);
        else if (i < MLC_RT_LAUNCH_SHARED)
            value = one = one ? one : i64_constant(b, 1);
        else
            value = i64_constant(b, 0);
        MlcType type = mlc_value_type(value);
        if (mlc_type_is(type, MLC_TYPE_INDEX))
            value = mlc_arith_index_cast(b, i64_type(b), value);
        else if (type != i64_type(b))
            value = mlc_arith_extui(b, i64_type(b), value);
        llvm_store(b, value, place(b, array, i), 8);
    }
    size_t count = mlc_gpu_launch_func_num_kernel_operands(launch);
    uint64_t tensors = 0;
    for (size_t i = 0; i < count && i < 64; i++)
        if (is_tensor_map(mlc_gpu_launch_func_kernel_operands(launch, i)))
            tensors |= UINT64_C(1) << i;
    llvm_store(b, i64_constant(b, (int64_t)count), place(b, array, MLC_RT_LAUNCH_ARGUMENTS), 8);
    llvm_store(b, i64_constant(b, (int64_t)tensors), place(b, array, MLC_RT_LAUNCH_TENSORS), 8);
    return array;
}

// --- descriptions of tensors

// The driver's number of an element type; -1: it has none.
static int64_t
tensor_type(MlcType element)
{
    if (mlc_type_is_integer(element, 8))
        return MLC_CUDA_TENSOR_U8;
    if (!mlc_type_is(element, MLC_TYPE_FLOAT))
        return -1;
    MlcFloatKind kind = mlc_float_type_kind(element);
    return kind == MLC_FLOAT_F16    ? MLC_CUDA_TENSOR_F16
           : kind == MLC_FLOAT_BF16 ? MLC_CUDA_TENSOR_BF16
           : kind == MLC_FLOAT_F32  ? MLC_CUDA_TENSOR_F32
                                    : -1;
}

// What the runtime is told of the tensor; false: that is not all known when compiling.
static bool
tensor_numbers(MlcOp *create, MlcType tensor, int64_t numbers[MLC_RT_TENSOR_NUMBERS])
{
    enum { MAX_RANK = MLC_RT_TENSOR_STRIDES - MLC_RT_TENSOR_SIZES };
    static const size_t params[] = {[MLC_RT_TENSOR_INTERLEAVE] = 4,
                                    [MLC_RT_TENSOR_SWIZZLE] = 1,
                                    [MLC_RT_TENSOR_PROMOTION] = 2,
                                    [MLC_RT_TENSOR_FILL] = 3};
    MlcType map = mlc_value_type(mlc_op_result(create, 0));
    size_t rank = mlc_type_rank(tensor), first, count;
    int64_t offset, strides[MLC_RANK_LIMIT];
    mlc_op_operand_group(create, 1, &first, &count);
    if (!mlc_type_has_static_shape(tensor) || count != rank || rank > MAX_RANK ||
        !mlc_memref_type_strides(tensor, &offset, strides))
        return false;
    memset(numbers, 0, MLC_RT_TENSOR_NUMBERS * sizeof *numbers);
    numbers[MLC_RT_TENSOR_TYPE] = tensor_type(mlc_type_element(tensor));
    numbers[MLC_RT_TENSOR_RANK] = (int64_t)rank;
    for (size_t i = MLC_RT_TENSOR_INTERLEAVE; i <= MLC_RT_TENSOR_FILL; i++)
        numbers[i] = mlc_enum_attr_value(mlc_dialect_type_param(map, params[i]));
    for (size_t i = 0; i < rank; i++) {
        size_t d = rank - 1 - i; // sizes stand with the contiguous one last
        numbers[MLC_RT_TENSOR_SIZES + i] = mlc_type_dim(tensor, d);
        numbers[MLC_RT_TENSOR_STRIDES + i] =
            strides[d] * (mlc_type_bit_width(mlc_type_element(tensor)) / 8);
        if (strides[d] == MLC_DYNAMIC || !mlc_value_constant_int(mlc_op_operand(create, first + d),
                                                                 &numbers[MLC_RT_TENSOR_TILE + i]))
            return false;
    }
    return numbers[MLC_RT_TENSOR_TYPE] >= 0 && strides[rank - 1] == 1;
}

// Where the description lies that is argument `number`; NULL after an error at the op that makes
// it.
static MlcValue *
build_tensor_map(MlcBuilder *b, MlcOp *launch, MlcValue *map, size_t number)
{
    enum { ALIGNMENT = 64 };
    MlcOp *create = mlc_value_def(map);
    int64_t numbers[MLC_RT_TENSOR_NUMBERS];
    bool is_here = create && number < 64 && mlc_nvgpu_tma_create_descriptor_isa(create);
    MlcValue *tensor = is_here ? mlc_op_operand(create, 0) : NULL;
    MlcOp *view = is_here ? mlc_value_def(tensor) : NULL;
    if (view && mlc_memref_cast_isa(view))
        tensor = mlc_op_operand(view, 0);
    if (!tensor || !mlc_type_is(mlc_value_type(tensor), MLC_TYPE_MEMREF) ||
        !tensor_numbers(create, mlc_value_type(tensor), numbers)) {
        mlc_op_unsupported(
            create ? create : launch,
            "the runtime describes tensors whose sizes are known when compiling, as one of "
            "the first 64 arguments");
        return NULL;
    }
    MlcValue *array = build_array(b, launch, MLC_RT_TENSOR_NUMBERS),
             *made = build_array(b, launch, MLC_RT_TENSOR_MAP_BYTES / 8);
    mlc_llvm_alloca_set_alignment(mlc_value_def(made), mlc_i64_attr_get(b->ctx, ALIGNMENT));
    for (size_t i = 0; i < MLC_RT_TENSOR_NUMBERS; i++)
        llvm_store(b, i64_constant(b, numbers[i]), place(b, array, i), 8);
    MlcValue *args[3] = {made, argument(b, tensor), array};
    call_table(b, call_record(launch), MLC_RT_TABLE_TENSOR_MAP, NULL, args, 3);
    return made;
}

// NULL after an error.
static MlcValue *
build_arguments(MlcBuilder *b, MlcOp *launch)
{
    size_t count = mlc_gpu_launch_func_num_kernel_operands(launch);
    MlcValue *values = build_array(b, launch, count), *places = build_array(b, launch, count);
    for (size_t i = 0; i < count; i++) {
        MlcValue *at = place(b, values, i), *value = mlc_gpu_launch_func_kernel_operands(launch, i);
        if (is_tensor_map(value))
            at = build_tensor_map(b, launch, value, i); // passed by value, as it lies there
        else
            llvm_store(b, argument(b, value), at, 8);
        if (!at)
            return NULL;
        llvm_store(b, at, place(b, places, i), 8);
    }
    return places;
}

static bool
lower_launch(Device *d, MlcOp *launch)
{
    MlcValue *call = call_record(launch);
    MlcOp *kernel = mlc_symbol_lookup_ref(launch, mlc_gpu_launch_func_kernel(launch));
    uintptr_t number = (uintptr_t)mlc_map_get(&d->numbers, kernel);
    if (!call)
        return false;
    if (!number)
        return mlc_op_error(launch, "its kernel is in no gpu.module of this module");
    if (mlc_gpu_launch_func_num_async_dependencies(launch) || mlc_op_num_results(launch))
        return mlc_op_unsupported(launch, "launches with tokens are not lowered to the runtime");
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(launch));
    mlc_builder_before(&b, launch);
    MlcValue *args[3] = {i64_constant(&b, (int64_t)number - 1), build_sizes(&b, launch),
                         build_arguments(&b, launch)};
    if (!args[2])
        return false;
    call_table(&b, call, MLC_RT_TABLE_LAUNCH, NULL, args, 3);
    mlc_op_erase(launch);
    return true;
}

static bool
is_device_memory(MlcValue *value)
{
    if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF))
        return false;
    MlcAttr space = mlc_memref_type_memory_space(mlc_value_type(value));
    return space && space == mlc_enum_attr_get(mlc_type_context(mlc_value_type(value)),
                                               &mlc_gpu_address_space_attr_def,
                                               MLC_GPU_ADDRESS_SPACE_GLOBAL);
}

// Of a buffer without a layout.
static MlcValue *
build_bytes(MlcBuilder *b, MlcValue *buffer)
{
    MlcType type = mlc_value_type(buffer);
    int64_t bytes = (mlc_type_bit_width(mlc_type_element(type)) + 7) / 8;
    MlcValue *open = NULL;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        int64_t size = mlc_type_dim(type, i);
        if (size >= 0) {
            bytes *= size;
            continue;
        }
        MlcValue *dim = mlc_memref_dim(b, buffer, mlc_build_index(b, (int64_t)i));
        dim = mlc_build_or_fold(b, mlc_value_def(dim)); // no pass does it behind this one
        open = open ? mlc_arith_muli(b, open, dim) : dim;
    }
    MlcValue *known = mlc_build_index(b, bytes);
    return mlc_arith_index_cast(b, i64_type(b), open ? mlc_arith_muli(b, open, known) : known);
}

static bool
lower_copy(MlcOp *copy)
{
    MlcValue *call = call_record(copy), *to = mlc_gpu_memcpy_dst(copy),
             *from = mlc_gpu_memcpy_src(copy);
    bool to_device = is_device_memory(to), from_device = is_device_memory(from);
    if (!call)
        return false;
    if (!to_device && !from_device)
        return mlc_op_error(copy, "neither buffer is device memory");
    if (mlc_memref_type_layout(mlc_value_type(to)) || mlc_memref_type_layout(mlc_value_type(from)))
        return mlc_op_unsupported(copy, "buffers with a layout are not copied by the runtime");
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(copy));
    mlc_builder_before(&b, copy);
    bool is_late = mlc_op_attr(copy, "mlc.at_end");
    MlcRtCopy direction = !to_device     ? is_late ? MLC_RT_COPY_TO_HOST_LATER : MLC_RT_COPY_TO_HOST
                          : !from_device ? MLC_RT_COPY_TO_DEVICE
                                         : MLC_RT_COPY_WITHIN;
    MlcValue *args[4] = {argument(&b, to), argument(&b, from), build_bytes(&b, to),
                         i64_constant(&b, direction)};
    call_table(&b, call, MLC_RT_TABLE_COPY, NULL, args, 4);
    mlc_op_erase(copy);
    return true;
}

// Bytes of what an allocation makes: its open sizes are operands.
static MlcValue *
build_alloc_bytes(MlcBuilder *b, MlcOp *alloc)
{
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    int64_t bytes = (mlc_type_bit_width(mlc_type_element(type)) + 7) / 8;
    MlcValue *product = NULL;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        bytes *= mlc_type_dim(type, i) >= 0 ? mlc_type_dim(type, i) : 1;
    product = mlc_build_index(b, bytes);
    for (size_t i = 0; i < mlc_op_num_operands(alloc); i++)
        product = mlc_arith_muli(b, product, mlc_op_operand(alloc, i));
    return product;
}

// A buffer that the plan has no place for: memory until the run ends.
static bool
lower_alloc(MlcOp *alloc)
{
    MlcValue *call = call_record(alloc);
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    MlcValueVec sizes = {0};
    if (!call)
        return false;
    if (mlc_memref_type_layout(type))
        return mlc_op_unsupported(alloc, "buffers with a layout are not allocated by the runtime");
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(alloc));
    mlc_builder_before(&b, alloc);
    MlcValue *bytes = build_alloc_bytes(&b, alloc);
    MlcValue *size = mlc_arith_index_cast(&b, i64_type(&b), bytes);
    MlcOp *made = call_table(&b, call, MLC_RT_TABLE_DEVICE_ALLOC, llvm_ptr(b.ctx, 0), &size, 1);
    int64_t open = MLC_DYNAMIC;
    MlcType raw = mlc_memref_type_get(mlc_integer_type_get(b.ctx, 8, MLC_SIGNLESS), &open, 1, NULL,
                                      mlc_memref_type_memory_space(type));
    for (size_t i = 0; i < mlc_op_num_operands(alloc); i++)
        mlc_vec_push(&sizes, mlc_op_operand(alloc, i));
    MlcValue *view = mlc_memref_view(&b, type, cast(&b, mlc_op_result(made, 0), raw),
                                     mlc_build_index(&b, 0), sizes.data, sizes.size);
    mlc_vec_release(&sizes);
    mlc_op_replace(alloc, &view, 1);
    return true;
}

// A word that the runtime looks at when the run has ended, and the text to tell then.
static bool
lower_fault_word(Device *d, MlcOp *op)
{
    MlcValue *call = call_record(op);
    char name[32];
    if (!call)
        return false;
    MlcBuilder b, outside;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    snprintf(name, sizeof name, "fault_%u", d->num_texts++);
    outside = b;
    mlc_builder_at_start(&outside, mlc_region_first(mlc_op_region(d->module, 0)));
    MlcOp *text = llvm_text_global(&outside, mlc_str(name), mlc_gpu_fault_word_message(op));
    mlc_symbol_table_insert(d->symbols, text);
    MlcValue *address = mlc_llvm_mlir_addressof(&b, llvm_ptr(b.ctx, 0), mlc_symbol_name(text));
    MlcOp *made = call_table(&b, call, MLC_RT_TABLE_FAULT_WORD, llvm_ptr(b.ctx, 0), &address, 1);
    MlcValue *word = cast(&b, mlc_op_result(made, 0), mlc_op_result_type(op, 0));
    mlc_op_replace(op, &word, 1);
    return true;
}

// ---- streams

static bool
tell(MlcBuilder *b, MlcValue *call, MlcRtOrder what, int64_t number)
{
    MlcValue *args[2] = {i64_constant(b, what), i64_constant(b, number)};
    call_table(b, call, MLC_RT_TABLE_ORDER, NULL, args, 2);
    return true;
}

// Tells what the op says of its stream, and takes that from it; *stream is the one at hand.
static bool
lower_order(MlcOp *op, int64_t *stream)
{
    MlcValue *call = call_record(op);
    MlcAttr waits = mlc_op_attr(op, "mlc.waits");
    int64_t own = 0, event, number;
    MlcBuilder b;
    if (!call)
        return false;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    if (mlc_op_attr(op, "mlc.submit"))
        return tell(&b, call, MLC_RT_ORDER_SUBMIT, 0);
    (void)mlc_attr_try_as_int(mlc_op_attr(op, "mlc.stream"), &own);
    if (own != *stream)
        tell(&b, call, MLC_RT_ORDER_STREAM, own);
    *stream = own;
    for (size_t i = 0; mlc_attr_is(waits, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(waits); i++)
        if (mlc_attr_try_as_int(mlc_array_attr_element(waits, i), &number))
            tell(&b, call, MLC_RT_ORDER_WAIT, number);
    mlc_builder_after(&b, op);
    if (mlc_attr_try_as_int(mlc_op_attr(op, "mlc.event"), &event))
        tell(&b, call, MLC_RT_ORDER_RECORD, event);
    return true;
}

// In the function that the streams were chosen for: what says nothing is on stream 0.
static bool
lower_streams(MlcOp *function)
{
    static const char *const names[] = {"mlc.stream", "mlc.waits", "mlc.event", "mlc.submit"};
    MlcOpVec ops = {0};
    int64_t stream = 0;
    bool is_used = false, ok = true;
    MLC_FOR_EACH_PREORDER (op, function) {
        bool is_told = false;
        for (size_t i = 0; i < 4; i++)
            is_told |= mlc_op_attr(op, names[i]) != NULL;
        is_used |= is_told;
        if (is_told || mlc_gpu_memcpy_isa(op) || mlc_func_call_isa(op))
            mlc_vec_push(&ops, op);
    }
    for (size_t i = 0; ok && is_used && i < ops.size; i++) {
        ok = lower_order(ops.data[i], &stream);
        for (size_t k = 0; k < 4; k++)
            mlc_op_set_attr(ops.data[i], names[k], NULL);
    }
    mlc_vec_release(&ops);
    return ok;
}

// Numbers for all kernels, and their names.
static void
number_kernels(Device *d, MlcOp *module)
{
    MLC_VEC(MlcAttr) names = {0};
    MLC_FOR_EACH_OP (device, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_gpu_module_isa(device))
            continue;
        MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(device, 0))) {
            if (!mlc_op_attr(op, "gpu.kernel"))
                continue;
            MlcAttr name = mlc_string_attr_get(mlc_op_context(module), mlc_symbol_name(op));
            mlc_vec_push(&names, name);
            mlc_map_set(&d->numbers, op, (void *)(uintptr_t)names.size);
        }
    }
    if (names.size)
        mlc_op_set_attr(module, "mlc.device_kernels",
                        mlc_array_attr_get(mlc_op_context(module), names.data, names.size));
    mlc_vec_release(&names);
}

// A description that the launches have no need of any more, and views that only it had: memrefs of
// no rank have no bare pointers.
static void
erase_with_views(MlcOp *op)
{
    while (op && mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE) &&
           !mlc_value_has_uses(mlc_op_result(op, 0))) {
        MlcOp *source = mlc_value_def(mlc_op_operand(op, 0));
        mlc_op_erase(op);
        op = source;
    }
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_gpu_launch_func_def || op == &mlc_gpu_memcpy_def ||
           op == &mlc_gpu_fault_word_def;
}

static bool
lower(Device *d, MlcOp *op)
{
    return mlc_gpu_memcpy_isa(op)       ? lower_copy(op)
           : mlc_memref_alloc_isa(op)   ? lower_alloc(op)
           : mlc_gpu_fault_word_isa(op) ? lower_fault_word(d, op)
                                        : lower_launch(d, op);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    Device d = {.module = module, .symbols = mlc_symbol_table_create(module)};
    MlcOpVec ops = {0};
    bool ok = true;
    mlc_map_init(&d.numbers);
    number_kernels(&d, module);
    MLC_FOR_EACH_PREORDER (op, module)
        if (converts(mlc_op_def(op)) ||
            (mlc_memref_alloc_isa(op) && is_device_memory(mlc_op_result(op, 0))))
            mlc_vec_push(&ops, op);
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0)))
        if (mlc_func_func_isa(op))
            ok = lower_streams(op) && ok;
    for (size_t i = 0; i < ops.size; i++)
        ok = lower(&d, ops.data[i]) && ok;
    mlc_vec_clear(&ops);
    MLC_FOR_EACH_PREORDER (op, module)
        if (mlc_nvgpu_tma_create_descriptor_isa(op) && !mlc_value_has_uses(mlc_op_result(op, 0)))
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++)
        erase_with_views(ops.data[i]);
    mlc_vec_release(&ops);
    mlc_map_release(&d.numbers);
    mlc_symbol_table_destroy(d.symbols);
    return ok;
}

static const char *const dialects[] = {"llvm", "arith", "memref", NULL};

MLC_PASS(gpu_to_runtime, .flag = "gpu-to-runtime",
         .summary = "Hand launches and copies of device memory to the runtime",
         .anchor = "builtin.module", .dependent_dialects = dialects, .converts = converts,
         .run = run)

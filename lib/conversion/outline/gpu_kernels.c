// gpu_kernels.c -- functions of gpu.modules and the memory that they have, in llvm.
//
// Workgroup memory is a global of its own space for each attribution, and one without a size for
// what the launch asks for; private memory is the stack's.
#include "gpu_kernels.h"

#include "to_llvm/func_passing.h"

#include "mlc/dialects/gpu.h"
#include "mlc/ir/symbol.h"

enum { MODEL_ALIGNMENT = 16, DYNAMIC_ALIGNMENT = 1024 };

// --- memory

// A global of workgroup memory before `op`, a function or what is in one. `size` 0: as much as the
// launch asks for. `alignment` 0: its elements'.
static void
create_workgroup_global(MlcBuilder *b, MlcStr name, MlcType element, int64_t size,
                        int64_t alignment)
{
    MlcOp *made =
        mlc_llvm_mlir_global(b, llvm_array(element, size), name,
                             size ? MLC_LLVM_LINKAGE_INTERNAL : MLC_LLVM_LINKAGE_EXTERNAL);
    mlc_op_set_attr(made, "addr_space", mlc_i32_attr_get(b->ctx, GPU_SHARED));
    if (alignment)
        mlc_llvm_mlir_global_set_alignment(made, mlc_i64_attr_get(b->ctx, alignment));
}

// What `llvm.align` says of attribution `i` among the first or the second kind; 0: nothing.
static int64_t
alignment_of(MlcOp *function, const char *list, size_t i)
{
    MlcAttr attrs = mlc_op_attr(function, list);
    MlcAttr align =
        attrs ? mlc_dict_attr_find(mlc_array_attr_element(attrs, i), mlc_str("llvm.align")) : NULL;
    int64_t value = 0;
    return align && mlc_attr_try_as_int(align, &value) ? value : 0;
}

// The memref at an address, as the converted type has it.
static MlcValue *
describe(MlcConversion *c, MlcBuilder *b, MlcType type, MlcValue *address)
{
    MlcTypeConverter *types = mlc_conversion_types(c);
    MlcType to = mlc_type_converter_convert_one(types, type);
    MlcType element = mlc_type_converter_convert_one(types, mlc_type_element(type));
    MlcType ptr = llvm_is_ptr(to) ? to : llvm_struct_member(to, 0);
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!mlc_memref_type_strides(type, &offset, strides))
        mlc_bug("%s was converted and has no strided layout", mlc_type_text(type));
    if (mlc_value_type(address) != ptr)
        address = mlc_llvm_addrspacecast(b, ptr, address);
    if (llvm_is_ptr(to))
        return address;
    LlvmMemrefParts parts = {
        .allocated = address, .aligned = address, .offset = llvm_i64(b, offset)};
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        parts.sizes[i] = llvm_i64(b, mlc_type_dim(type, i));
        parts.strides[i] = llvm_i64(b, strides[i]);
    }
    return llvm_memref_pack(b, element, mlc_type_rank(type), to, &parts);
}

// The first element of a global.
static MlcValue *
first_element(MlcBuilder *b, MlcStr name, MlcType array, unsigned space)
{
    static const int32_t zeros[2] = {0, 0};
    MlcType ptr = llvm_ptr(b->ctx, space);
    MlcValue *address = mlc_llvm_mlir_addressof(b, ptr, name);
    return mlc_llvm_getelementptr(b, ptr, address, NULL, 0, zeros, 2, array);
}

// What attribution `i` of a function becomes, made at the start of `entry`. NULL: its type has no
// size.
static MlcValue *
attribution(MlcConversion *c, MlcOp *function, MlcOp *made, size_t i, size_t num_workgroup,
            MlcType type, const GpuKernels *kernels)
{
    MlcBuilder *b = mlc_conversion_builder(c), at_start = *b, outside = *b;
    MlcType element =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type));
    if (!element || !mlc_type_has_static_shape(type))
        return NULL;
    int64_t size = mlc_type_num_elements(type);
    MlcBlock *entry = mlc_region_first(mlc_op_region(made, 0));
    mlc_builder_at_start(&at_start, entry);
    if (i >= num_workgroup) {
        MlcValue *place = mlc_llvm_alloca(&at_start, llvm_ptr(b->ctx, kernels->stack_space),
                                          llvm_i64(&at_start, size), element);
        int64_t alignment = alignment_of(function, "private_attrib_attrs", i - num_workgroup);
        if (alignment)
            mlc_llvm_alloca_set_alignment(mlc_value_def(place),
                                          mlc_i64_attr_get(b->ctx, alignment));
        return describe(c, &at_start, type, place);
    }
    int64_t alignment = alignment_of(function, "workgroup_attrib_attrs", i);
    MlcStr parent = mlc_symbol_name(function);
    MlcBuf name = {0};
    mlc_buf_printf(&name, "__wg_%.*s_%zu", MLC_STR_FMT(parent), i);
    mlc_builder_before(&outside, made);
    create_workgroup_global(&outside, mlc_buf_str(&name), element, size,
                            alignment           ? alignment
                            : kernels->is_model ? MODEL_ALIGNMENT
                                                : 0);
    MlcValue *place =
        kernels->is_model
            ? mlc_llvm_mlir_addressof(&at_start, llvm_ptr(b->ctx, GPU_SHARED), mlc_buf_str(&name))
            : first_element(&at_start, mlc_buf_str(&name), llvm_array(element, size), GPU_SHARED);
    mlc_buf_release(&name);
    return describe(c, &at_start, type, place);
}

bool
gpu_lower_dynamic_memory(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    static const char name[] = "__dynamic_shmem";
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS),
            ptr = llvm_ptr(b->ctx, GPU_SHARED);
    MlcOp *function = mlc_op_parent_of_kind(op, &mlc_llvm_func_def);
    MlcOp *module = mlc_op_parent_of_kind(op, &mlc_gpu_module_def);
    if (!to || !function || !module)
        return mlc_conversion_no_match(c, op, "it is in no kernel");
    if (!mlc_symbol_lookup(module, mlc_str(name))) {
        MlcBuilder outside = *b;
        mlc_builder_before(&outside, function);
        create_workgroup_global(&outside, mlc_str(name), byte, 0, DYNAMIC_ALIGNMENT);
    }
    LlvmMemrefParts parts = {0};
    parts.allocated = parts.aligned = mlc_llvm_mlir_addressof(b, ptr, mlc_str(name));
    parts.sizes[0] = llvm_i64(b, 0);
    parts.strides[0] = llvm_i64(b, 1);
    MlcValue *memref = llvm_memref_pack(b, byte, mlc_type_rank(type), to, &parts);
    mlc_conversion_replace(c, op, &memref, 1);
    return true;
}

MlcValue *
gpu_format_text(MlcConversion *c, MlcOp *op, unsigned space)
{
    MlcBuilder *b = mlc_conversion_builder(c), outside = *b;
    MlcOp *module = mlc_op_parent_of_kind(op, &mlc_gpu_module_def);
    MlcBuf name = {0};
    for (size_t i = 0; !i || mlc_symbol_lookup(module, mlc_buf_str(&name)); i++) {
        mlc_buf_clear(&name);
        mlc_buf_printf(&name, "printfFormat_%zu", i);
    }
    mlc_builder_at_start(&outside, mlc_region_first(mlc_op_region(module, 0)));
    MlcOp *text = llvm_text_global(&outside, mlc_buf_str(&name), mlc_gpu_printf_format(op));
    mlc_llvm_mlir_global_set_linkage(text, MLC_LLVM_LINKAGE_INTERNAL);
    mlc_op_set_attr(text, "addr_space", mlc_i32_attr_get(b->ctx, (int32_t)space));
    MlcValue *first =
        first_element(b, mlc_buf_str(&name), mlc_llvm_mlir_global_global_type(text), space);
    mlc_buf_release(&name);
    return first;
}

// --- functions

static MlcAttr
flat_size(MlcContext *ctx, MlcAttr sizes)
{
    MlcBuf text = {0};
    int64_t product = 1;
    for (size_t i = 0; i < 3; i++)
        product *= mlc_dense_array_attr_int(sizes, i);
    mlc_buf_printf(&text, "%lld,%lld", (long long)product, (long long)product);
    MlcAttr attr = mlc_string_attr_get(ctx, mlc_buf_str(&text));
    mlc_buf_release(&text);
    return attr;
}

static void
copy_attributes(MlcOp *made, MlcOp *op, const GpuKernels *kernels)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcAttr block = mlc_gpu_func_known_block_size(op), grid = mlc_gpu_func_known_grid_size(op);
    if (mlc_op_attr(op, "gpu.kernel")) {
        mlc_op_set_attr(made, "gpu.kernel", mlc_unit_attr_get(ctx)); // what launches refer to
        mlc_op_set_attr(made, kernels->kernel, mlc_unit_attr_get(ctx));
    }
    if (grid)
        mlc_op_set_attr(made, "gpu.known_grid_size", grid);
    if (!block)
        return;
    mlc_op_set_attr(made, "gpu.known_block_size", block);
    mlc_op_set_attr(made, kernels->block_size, block);
    if (kernels->flat_size)
        mlc_op_set_attr(made, kernels->flat_size, flat_size(ctx, block));
}

// Descriptions of tensors are passed by value, where copies of tiles find them (PTX ISA,
// cp.async.bulk.tensor): 128 bytes each. `places`: which argument they are.
static void
pass_descriptions(MlcOp *made, const MlcSignatureConversion *signature, const size_t *places,
                  size_t count)
{
    enum { BYTES = 128, ALIGNMENT = 64 };
    MlcContext *ctx = mlc_op_context(made);
    MlcAttr none = mlc_dict_attr_get(ctx, NULL, 0);
    MLC_VEC(MlcAttr) attrs = {0};
    MlcType bytes = llvm_array(mlc_integer_type_get(ctx, 8, MLC_SIGNLESS), BYTES);
    const MlcNamedAttr own[] = {
        {mlc_string_attr_get(ctx, mlc_str("llvm.align")), mlc_i64_attr_get(ctx, ALIGNMENT)},
        {mlc_string_attr_get(ctx, mlc_str("llvm.byval")), mlc_type_attr_get(bytes)},
        {mlc_string_attr_get(ctx, mlc_str("nvvm.grid_constant")), mlc_unit_attr_get(ctx)},
    };
    for (size_t i = 0; i < signature->types.size; i++)
        mlc_vec_push(&attrs, none);
    for (size_t i = 0; i < count; i++)
        attrs.data[places[i]] = mlc_dict_attr_get(ctx, own, sizeof own / sizeof *own);
    mlc_op_set_attr(made, "arg_attrs", mlc_array_attr_get(ctx, attrs.data, attrs.size));
    mlc_vec_release(&attrs);
}

// The entry block's arguments: those of the function's type, then attributions.
static bool
convert_entry(MlcConversion *c, MlcOp *function, MlcOp *made, MlcSignatureConversion *signature,
              const GpuKernels *kernels)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(made, 0));
    MlcAttr count = mlc_op_attr(function, "workgroup_attributions");
    size_t num_workgroup = count ? (size_t)mlc_attr_as_int(count) : 0,
           num_inputs = signature->inputs.size;
    for (size_t i = num_inputs; i < mlc_block_num_args(entry); i++) {
        MlcType type = mlc_value_type(mlc_block_arg(entry, i));
        MlcValue *with =
            attribution(c, function, made, i - num_inputs, num_workgroup, type, kernels);
        if (!with)
            return mlc_conversion_no_match(c, function,
                                           "it has workgroup or private memory of no size");
        mlc_signature_conversion_add_replaced(signature, with);
    }
    llvm_convert_entry(c, entry, signature);
    return true;
}

bool
gpu_lower_function(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    const GpuKernels *kernels = user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_gpu_func_function_type(op);
    MlcSignatureConversion signature = {0};
    MlcTypeVec passed = {0};
    MLC_VEC(size_t) descriptions = {0};
    bool ok = mlc_function_type_num_results(type) == 0;
    for (size_t i = 0; ok && i < mlc_function_type_num_inputs(type); i++) {
        mlc_vec_clear(&passed);
        if (kernels->is_model &&
            mlc_type_isa(mlc_function_type_inputs(type)[i], "nvgpu.tensormap.descriptor"))
            mlc_vec_push(&descriptions, signature.types.size);
        ok = llvm_passed_as(mlc_conversion_types(c), mlc_function_type_inputs(type)[i],
                            kernels->is_bare, &passed);
        mlc_signature_conversion_add_input(&signature, passed.data, passed.size);
    }
    mlc_vec_release(&passed);
    if (!ok) {
        mlc_vec_release(&descriptions);
        mlc_signature_conversion_release(&signature);
        return mlc_conversion_no_match(c, op, "its type %s has no llvm form", mlc_type_text(type));
    }
    MlcType to = llvm_function_type(b->ctx, NULL, signature.types.data, signature.types.size);
    MlcOp *made = mlc_llvm_func(b, mlc_symbol_name(op), mlc_type_attr_get(to));
    copy_attributes(made, op, kernels);
    if (descriptions.size)
        pass_descriptions(made, &signature, descriptions.data, descriptions.size);
    mlc_vec_release(&descriptions);
    mlc_conversion_move_region(c, mlc_op_region(made, 0), mlc_op_region(op, 0));
    ok = convert_entry(c, op, made, &signature, kernels);
    mlc_signature_conversion_release(&signature);
    MlcBlock *block = mlc_block_next(mlc_region_first(mlc_op_region(made, 0)));
    for (; ok && block; block = mlc_block_next(block))
        ok = mlc_conversion_convert_block_args(c, block);
    if (ok)
        mlc_conversion_erase(c, op);
    return ok;
}

bool
gpu_lower_return(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    mlc_llvm_return(mlc_conversion_builder(c), NULL);
    mlc_conversion_erase(c, op);
    return true;
}

// --- registers and types

// What the function says of a size; 0: nothing.
static int64_t
known_size(MlcOp *op, const char *attr, size_t dimension)
{
    for (MlcOp *up = op; up && attr; up = mlc_op_parent(up)) {
        MlcAttr sizes = mlc_op_attr(up, attr);
        if (sizes && mlc_dense_array_attr_size(sizes) > dimension)
            return mlc_dense_array_attr_int(sizes, dimension);
    }
    return 0;
}

static MlcValue *
read_register(MlcConversion *c, MlcOp *op, const GpuRegisters *registers)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcType index =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_index_type_get(b->ctx));
    MlcAttr dimension = mlc_op_attr(op, "dimension");
    size_t i = dimension ? (size_t)mlc_enum_attr_value(dimension) : 0; // MlcGpuDim
    MlcValue *read = mlc_build_value(b, registers->names[i], i32, NULL, 0);
    int64_t end = known_size(op, registers->known, i);
    if (end > 0 && end <= INT32_MAX)
        mlc_op_set_attr(mlc_value_def(read), "range",
                        mlc_i32_array_attr_get(b->ctx, (int32_t[]){0, (int32_t)end}, 2));
    return index == i32 ? read : mlc_llvm_sext(b, index, read);
}

bool
gpu_lower_register(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    MlcValue *value = read_register(c, op, user);
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

// block * size + thread
bool
gpu_lower_global_id(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    const GpuGlobalId *of = user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *block = read_register(c, op, of->block), *size = read_register(c, op, of->size),
             *thread = read_register(c, op, of->thread);
    MlcValue *id = mlc_llvm_add(b, mlc_llvm_mul(b, block, size), thread);
    mlc_conversion_replace(c, op, &id, 1);
    return true;
}

int
gpu_convert_space(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *user)
{
    const GpuSpaces *spaces = user;
    if (!mlc_type_is(type, MLC_TYPE_MEMREF))
        return 0;
    MlcAttr space = mlc_memref_type_memory_space(type);
    if (!space || !mlc_attr_isa(space, "gpu.address_space"))
        return 0;
    int64_t kind = mlc_enum_attr_value(space);
    unsigned number = kind == MLC_GPU_ADDRESS_SPACE_GLOBAL      ? spaces->global
                      : kind == MLC_GPU_ADDRESS_SPACE_WORKGROUP ? spaces->workgroup
                                                                : spaces->private;
    int64_t sizes[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank && i < MLC_RANK_LIMIT; i++)
        sizes[i] = mlc_type_dim(type, i);
    if (rank > MLC_RANK_LIMIT)
        return -1;
    MlcAttr as_number = number ? mlc_i64_attr_get(mlc_type_context(type), number) : NULL;
    MlcType plain = mlc_memref_type_get(mlc_type_element(type), sizes, rank,
                                        mlc_memref_type_layout(type), as_number);
    MlcType to = mlc_type_converter_convert_one(types, plain);
    if (!to)
        return -1;
    mlc_vec_push(out, to);
    return 1;
}

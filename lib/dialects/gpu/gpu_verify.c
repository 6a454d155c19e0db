// gpu_verify.c -- what the records cannot say of reductions, launches, memory and matrices.
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/builtin.h"

#include "mlc/ir.h"

// --- reductions

// Whether values of the type can be combined so.
static bool
fits(int64_t kind, MlcType type)
{
    switch (kind) {
    case MLC_GPU_ALL_REDUCE_OP_MINNUMF:
    case MLC_GPU_ALL_REDUCE_OP_MAXNUMF:
    case MLC_GPU_ALL_REDUCE_OP_MINIMUMF:
    case MLC_GPU_ALL_REDUCE_OP_MAXIMUMF:
        return mlc_type_is_float(type);
    case MLC_GPU_ALL_REDUCE_OP_ADD:
    case MLC_GPU_ALL_REDUCE_OP_MUL:
        return true;
    default:
        return mlc_type_is(type, MLC_TYPE_INTEGER);
    }
}

static const char *
name_of(MlcAttr kind)
{
    const MlcAttrDef *def = mlc_dialect_attr_def(kind);
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (def->cases[i].value == mlc_enum_attr_value(kind))
            return def->cases[i].name;
    return "";
}

static bool
verify_kind(MlcOp *op, MlcAttr kind, MlcType element)
{
    if (fits(mlc_enum_attr_value(kind), element))
        return true;
    return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                     "`%s` reduction operation is not compatible with type '%s'", name_of(kind),
                     mlc_type_text(mlc_value_type(mlc_op_result(op, 0))));
}

static bool
fail(MlcOp *op, const char *message)
{
    return mlc_error(mlc_op_context(op), mlc_op_loc(op), "%s", message);
}

// Every block that ends the combining region yields one value of the type; there is such a block.
static bool
verify_yields(MlcOp *op, MlcRegion *body, MlcType type)
{
    size_t count = 0;
    MLC_FOR_EACH_BLOCK (block, body) {
        MlcOp *yield = mlc_block_last(block);
        if (!yield || !mlc_gpu_yield_isa(yield))
            continue;
        if (mlc_op_num_operands(yield) != 1)
            return fail(op, "expected one gpu.yield operand");
        if (mlc_value_type(mlc_op_operand(yield, 0)) != type)
            return fail(op, "incorrect gpu.yield type");
        count++;
    }
    return count > 0 || fail(op, "expected gpu.yield op in region");
}

bool
mlc_gpu_all_reduce_verify_regions(MlcOp *op)
{
    MlcRegion *body = mlc_op_region(op, 0);
    MlcAttr kind = mlc_gpu_all_reduce_op(op);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_region_is_empty(body) != (kind != NULL))
        return fail(op, "expected either an op attribute or a non-empty body");
    if (kind)
        return verify_kind(op, kind, type);
    MlcBlock *entry = mlc_region_first(body);
    if (mlc_block_num_args(entry) != 2)
        return fail(op, "expected two region arguments");
    for (size_t i = 0; i < 2; i++)
        if (mlc_value_type(mlc_block_arg(entry, i)) != type)
            return fail(op, "incorrect region argument type");
    return verify_yields(op, body, type);
}

bool
mlc_gpu_subgroup_reduce_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_type_is(type, MLC_TYPE_VECTOR)) {
        if (mlc_vector_type_is_scalable(type, 0))
            return mlc_op_error(op, "is not compatible with scalable vector types");
        type = mlc_type_element(type);
    }
    return verify_kind(op, mlc_gpu_subgroup_reduce_op_attr(op), type);
}

// --- functions and launches

// Arguments [first, last) of the body are memrefs of the address space.
static bool
verify_attributions(MlcOp *op, MlcBlock *entry, size_t first, size_t last, int64_t space)
{
    for (size_t i = first; i < last; i++) {
        MlcType type = mlc_value_type(mlc_block_arg(entry, i));
        if (!mlc_type_is(type, MLC_TYPE_MEMREF))
            return mlc_op_error(op, "expected memref type in attribution");
        MlcAttr own = mlc_memref_type_memory_space(type);
        if (own && mlc_attr_isa(own, "gpu.address_space") && mlc_enum_attr_value(own) != space)
            return mlc_op_error(op, "expected memory space %s in attribution",
                                space == MLC_GPU_ADDRESS_SPACE_PRIVATE ? "private" : "workgroup");
    }
    return true;
}

static size_t
num_workgroup_attributions(const MlcOp *op)
{
    MlcAttr attr = mlc_op_attr(op, "workgroup_attributions");
    int64_t count = 0;
    return attr && mlc_attr_try_as_int(attr, &count) && count > 0 ? (size_t)count : 0;
}

// Memory of the workgroup, then of the work item, from argument `first` on.
static bool
verify_memory(MlcOp *op, MlcBlock *entry, size_t first)
{
    size_t middle = first + num_workgroup_attributions(op), last = mlc_block_num_args(entry);
    return verify_attributions(op, entry, first, middle, MLC_GPU_ADDRESS_SPACE_WORKGROUP) &&
           verify_attributions(op, entry, middle, last, MLC_GPU_ADDRESS_SPACE_PRIVATE);
}

bool
mlc_gpu_launch_verify_regions(MlcOp *op)
{
    MlcBlock *entry = mlc_region_first(mlc_gpu_launch_body(op));
    size_t num_ids = mlc_gpu_launch_cluster_size_x(op) ? 18 : 12;
    if (!entry)
        return true;
    if (mlc_block_num_args(entry) < num_ids + num_workgroup_attributions(op))
        return mlc_op_error(op, "unexpected number of region arguments");
    if (!verify_memory(op, entry, num_ids))
        return false;
    MLC_FOR_EACH_BLOCK (block, mlc_gpu_launch_body(op)) {
        MlcOp *last = mlc_block_last(block);
        if (!last || mlc_op_num_successors(last) || mlc_gpu_terminator_isa(last))
            continue;
        fail(last, "expected 'gpu.terminator' or a terminator with successors");
        mlc_note(mlc_op_context(op), mlc_op_loc(op), "in 'gpu.launch' body region");
        return false;
    }
    return true;
}

bool
mlc_gpu_func_verify(MlcOp *op)
{
    MlcType type = mlc_gpu_func_function_type(op);
    MlcBlock *entry = mlc_region_first(mlc_gpu_func_body(op));
    if (mlc_op_attr(op, "gpu.kernel") && mlc_function_type_num_results(type))
        return mlc_op_error(op, "expected void return type for kernel function");
    if (!entry)
        return mlc_op_error(op, "expected body with at least one block");
    size_t n = mlc_function_type_num_inputs(type);
    size_t least = n + num_workgroup_attributions(op);
    if (mlc_block_num_args(entry) < least)
        return mlc_op_error(op, "expected at least %zu arguments to body region", least);
    for (size_t i = 0; i < n; i++)
        if (mlc_value_type(mlc_block_arg(entry, i)) != mlc_function_type_inputs(type)[i])
            return mlc_op_error(op,
                                "expected body region argument #%zu to be of type '%s', got '%s'",
                                i, mlc_type_text(mlc_function_type_inputs(type)[i]),
                                mlc_type_text(mlc_value_type(mlc_block_arg(entry, i))));
    return verify_memory(op, entry, n);
}

bool
mlc_gpu_return_verify(MlcOp *op)
{
    MlcOp *function = mlc_op_parent(op);
    MlcType type = mlc_gpu_func_function_type(function);
    size_t n = mlc_function_type_num_results(type);
    if (mlc_op_num_operands(op) != n) {
        mlc_op_error(op, "expected %zu result operands", n);
        mlc_note(mlc_op_context(op), mlc_op_loc(function), "return type declared here");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        MlcType have = mlc_value_type(mlc_op_operand(op, i));
        if (mlc_function_type_results(type)[i] != have)
            return mlc_op_error(op, "unexpected type `'%s'' for operand #%zu", mlc_type_text(have),
                                i);
    }
    return true;
}

bool
mlc_gpu_launch_func_verify(MlcOp *op)
{
    MlcOp *module = mlc_op_parent(op);
    while (module && !mlc_builtin_module_isa(module))
        module = mlc_op_parent(module);
    if (!module)
        return mlc_op_error(op, "expected to belong to a module");
    if (!mlc_op_attr(module, "gpu.container_module"))
        return mlc_op_error(op, "expected the closest surrounding module to have the "
                                "'gpu.container_module' attribute");
    MlcValue *x = mlc_gpu_launch_func_cluster_size_x(op),
             *y = mlc_gpu_launch_func_cluster_size_y(op),
             *z = mlc_gpu_launch_func_cluster_size_z(op);
    if (x && y && z &&
        (mlc_value_type(y) != mlc_value_type(x) || mlc_value_type(z) != mlc_value_type(x)))
        return mlc_op_error(op, "expects types of the cluster dimensions must be the same");
    return true;
}

static bool
verify_kernel_arguments(MlcOp *launch, MlcOp *kernel)
{
    MlcAttr signature = mlc_gpu_func_function_type_attr(kernel);
    if (!mlc_attr_is(signature, MLC_ATTR_TYPE) ||
        !mlc_type_is(mlc_type_attr_value(signature), MLC_TYPE_FUNCTION))
        return true; // which its own verification tells
    MlcType type = mlc_type_attr_value(signature);
    size_t given = mlc_gpu_launch_func_num_kernel_operands(launch);
    size_t wanted = mlc_function_type_num_inputs(type);
    if (given != wanted)
        return mlc_op_error(launch, "got %zu kernel operands but expected %zu", given, wanted);
    for (size_t i = 0; i < given; i++)
        if (mlc_value_type(mlc_gpu_launch_func_kernel_operands(launch, i)) !=
            mlc_function_type_inputs(type)[i])
            return mlc_op_error(launch, "type of function argument %zu does not match", i);
    return true;
}

// A launch in a function of the module: its kernel is there, and is one.
static bool
verify_launched_kernel(MlcOp *launch, MlcOp *module)
{
    MlcAttr ref = mlc_gpu_launch_func_kernel(launch);
    if (!ref || !mlc_attr_is(ref, MLC_ATTR_SYMBOL_REF))
        return true;
    MlcStr name = mlc_symbol_ref_attr_name(ref, 0);
    MlcOp *container = mlc_symbol_lookup(module, name);
    if (!container)
        return mlc_op_error(launch, "kernel container '%.*s' is undefined", MLC_STR_FMT(name));
    if (mlc_gpu_binary_isa(container))
        return true;
    if (!mlc_gpu_module_isa(container))
        return mlc_op_error(launch, "kernel module '%.*s' is undefined", MLC_STR_FMT(name));
    MlcOp *kernel = mlc_symbol_lookup_ref(module, ref);
    if (!kernel)
        return mlc_op_error(launch, "kernel function '%s' is undefined", mlc_attr_text(ref));
    if (!mlc_op_interface(kernel, MLC_INTERFACE_FUNCTION)) {
        mlc_op_error(launch, "referenced kernel '%s' is not a function", mlc_attr_text(ref));
        mlc_note(mlc_op_context(launch), mlc_op_loc(kernel), "see the kernel definition here");
        return false;
    }
    if (!mlc_op_attr(kernel, "gpu.kernel"))
        return mlc_op_error(launch, "kernel function is missing the 'gpu.kernel' attribute");
    return !mlc_gpu_func_isa(kernel) || verify_kernel_arguments(launch, kernel);
}

bool
mlc_gpu_verify_attr(MlcOp *op, MlcNamedAttr attr)
{
    if (!mlc_attr_is(attr.value, MLC_ATTR_UNIT) ||
        !mlc_str_equal(mlc_string_attr_value(attr.name), mlc_str("gpu.container_module")))
        return true;
    if (!mlc_builtin_module_isa(op))
        return fail(op, "expected 'gpu.container_module' attribute to be attached to "
                        "'builtin.module'");
    MLC_FOR_EACH_PREORDER (launch, op) {
        MlcOp *function = mlc_gpu_launch_func_isa(launch) ? mlc_op_parent(launch) : NULL;
        if (function && mlc_op_parent(function) == op && !verify_launched_kernel(launch, op))
            return false;
    }
    return true;
}

// --- memory

static bool
have_compatible_shapes(MlcType a, MlcType b)
{
    if (!mlc_type_has_rank(a) || !mlc_type_has_rank(b))
        return true;
    if (mlc_type_rank(a) != mlc_type_rank(b))
        return false;
    for (size_t i = 0; i < mlc_type_rank(a); i++) {
        int64_t x = mlc_type_shape(a)[i], y = mlc_type_shape(b)[i];
        if (x != y && x != MLC_DYNAMIC && y != MLC_DYNAMIC)
            return false;
    }
    return true;
}

bool
mlc_gpu_memcpy_verify(MlcOp *op)
{
    MlcType src = mlc_value_type(mlc_gpu_memcpy_src(op)),
            dst = mlc_value_type(mlc_gpu_memcpy_dst(op));
    if (mlc_type_element(src) != mlc_type_element(dst))
        return mlc_op_error(op, "arguments have incompatible element type");
    if (!have_compatible_shapes(src, dst))
        return mlc_op_error(op, "arguments have incompatible shape");
    return true;
}

bool
mlc_gpu_alloc_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_gpu_alloc_memref(op));
    size_t num_dynamic = 0, num_symbols = 0;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        num_dynamic += mlc_type_shape(type)[i] == MLC_DYNAMIC;
    if (mlc_gpu_alloc_num_dynamic_sizes(op) != num_dynamic)
        return mlc_op_error(
            op, "dimension operand count does not equal memref dynamic dimension count");
    MlcAttr layout = mlc_memref_type_layout(type);
    if (layout && mlc_attr_is(layout, MLC_ATTR_AFFINE_MAP))
        num_symbols = mlc_affine_map_num_symbols(mlc_affine_map_attr_value(layout));
    if (mlc_gpu_alloc_num_symbol_operands(op) != num_symbols)
        return mlc_op_error(op, "symbol operand count does not equal memref symbol count");
    return true;
}

bool
mlc_gpu_dynamic_shared_memory_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcAttr space = mlc_memref_type_memory_space(type);
    if (!space || !mlc_attr_isa(space, "gpu.address_space") ||
        mlc_enum_attr_value(space) != MLC_GPU_ADDRESS_SPACE_WORKGROUP)
        return mlc_op_error(op, "address space must be address_space<workgroup>");
    if (mlc_type_shape(type)[0] != MLC_DYNAMIC)
        return mlc_op_error(
            op, "result memref type must be memref<?xi8, #gpu.address_space<workgroup>>");
    return true;
}

// --- matrices of a subgroup

static bool
last_stride_is_one(MlcType type)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(type);
    return rank <= MLC_RANK_LIMIT && mlc_memref_type_strides(type, &offset, strides) &&
           (rank == 0 || strides[rank - 1] == 1);
}

static bool
is_operand(MlcType matrix, const char *name)
{
    return mlc_str_equal(mlc_string_attr_value(mlc_dialect_type_param(matrix, 2)), mlc_str(name));
}

static int64_t
size_of(MlcType matrix, size_t i)
{
    return mlc_dense_array_attr_int(mlc_dialect_type_param(matrix, 0), i);
}

bool
mlc_gpu_subgroup_mma_load_matrix_verify(MlcOp *op)
{
    return last_stride_is_one(mlc_value_type(mlc_op_operand(op, 0))) ||
           fail(op, "expected source memref most minor dim must have unit stride");
}

bool
mlc_gpu_subgroup_mma_store_matrix_verify(MlcOp *op)
{
    if (!last_stride_is_one(mlc_value_type(mlc_op_operand(op, 1))))
        return fail(op, "expected destination memref most minor dim must have unit stride");
    return is_operand(mlc_value_type(mlc_op_operand(op, 0)), "COp") ||
           fail(op, "expected the operand matrix being stored to have 'COp' operand type");
}

bool
mlc_gpu_subgroup_mma_compute_verify(MlcOp *op)
{
    MlcType a = mlc_value_type(mlc_op_operand(op, 0)), b = mlc_value_type(mlc_op_operand(op, 1)),
            c = mlc_value_type(mlc_op_operand(op, 2));
    if (!is_operand(a, "AOp") || !is_operand(b, "BOp") || !is_operand(c, "COp"))
        return fail(op, "operands must be in the order AOp, BOp, COp");
    if (size_of(a, 1) != size_of(b, 0) || size_of(a, 0) != size_of(c, 0) ||
        size_of(b, 1) != size_of(c, 1))
        return fail(op, "operand shapes do not satisfy matmul constraints");
    return true;
}

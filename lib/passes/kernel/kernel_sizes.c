// kernel_sizes.c -- buffers whose sizes are known when the model runs are passed as addresses.
//
// A kernel is told sizes as arguments of type `index` (outline-kernels). So its buffers need no
// descriptors: an argument memref<?x16xf32> becomes memref<f32>, the first element, and the kernel
// begins with the buffer made of that and of the sizes that `mlc.dims` names. Behind this pass no
// function but the model's takes a buffer of dynamic shape. Those of static shape stay as they are.
#include "kernel_arguments.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir/reassociation.h"

// Calls pass the first element of what they passed.
static void
pass_addresses(MlcOp *module, MlcStr callee, size_t arg)
{
    MLC_FOR_EACH_PREORDER (op, module) {
        const MlcCall *call = mlc_op_interface(op, MLC_INTERFACE_CALL);
        MlcAttr name = call ? call->callee(op) : NULL;
        size_t first, count;
        if (!name || !mlc_str_equal(mlc_symbol_ref_attr_name(name, 0), callee))
            continue;
        call->arguments(op, &first, &count);
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(op));
        mlc_builder_before(&b, op);
        MlcValue *buffer = mlc_op_operand(op, first + arg);
        mlc_op_set_operand(op, first + arg, mlc_build_address(&b, buffer));
    }
}

static bool
shape_argument(MlcOp *function, size_t arg, MlcMixedList *shape)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(function, methods->arg_attrs_slot);
    MlcAttr dict = attrs ? mlc_array_attr_element(attrs, arg) : NULL;
    MlcAttr dims = mlc_dict_attr_find(dict, mlc_str(MLC_DIMS_ATTR));
    MlcType type = mlc_value_type(mlc_block_arg(mlc_region_first(mlc_op_region(function, 0)), arg));
    shape->size = mlc_type_rank(type);
    for (size_t i = 0; i < shape->size; i++) {
        MlcValue *size = NULL;
        shape->items[i] = mlc_mixed(mlc_type_dim(type, i));
        if (mlc_type_dim(type, i) != MLC_DYNAMIC)
            continue;
        if (mlc_attr_is(dims, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(dims))
            size = mlc_size_in_function(function, mlc_array_attr_element(dims, i));
        if (!size)
            return mlc_op_unsupported(function, "size %zu of argument %zu is not known", i, arg);
        shape->items[i] = mlc_mixed_of(size);
    }
    return true;
}

// ---- sizes that ops ask buffers for

static MlcMixed size_of(MlcBuilder *b, MlcValue *buffer, size_t dim);

// Of a reshape: as it says, or the product of those that it joins.
static MlcMixed
size_of_reshape(MlcBuilder *b, MlcOp *reshape, size_t dim)
{
    MlcMixedList shape;
    MlcGroups groups;
    MlcValue *size = NULL, *source = mlc_op_operand(reshape, 0);
    if (mlc_mixed_list_read(reshape, "output_shape", &shape) && dim < shape.size)
        return shape.items[dim];
    if (!mlc_groups_read(mlc_op_attr(reshape, "reassociation"), &groups) || dim >= groups.size)
        return mlc_mixed(MLC_DYNAMIC);
    for (size_t k = mlc_groups_first(&groups, dim); k < groups.ends[dim]; k++) {
        MlcMixed part = size_of(b, source, k);
        if (mlc_mixed_is(part, MLC_DYNAMIC))
            return part;
        MlcValue *value = mlc_mixed_value(b, part);
        size = size ? mlc_arith_muli(b, size, value) : value;
    }
    return mlc_mixed_of(size);
}

// The number or the value that made the size of a buffer; MLC_DYNAMIC: not found.
static MlcMixed
size_of(MlcBuilder *b, MlcValue *buffer, size_t dim)
{
    MlcType type = mlc_value_type(buffer);
    MlcOp *def = mlc_value_def(buffer);
    MlcSlice slice;
    size_t open = 0;
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_dim(type, dim) != MLC_DYNAMIC || !def)
        return mlc_mixed(mlc_type_is(type, MLC_TYPE_MEMREF) ? mlc_type_dim(type, dim)
                                                            : MLC_DYNAMIC);
    for (size_t i = 0; i < dim; i++)
        open += mlc_type_dim(type, i) == MLC_DYNAMIC;
    if (mlc_memref_alloc_isa(def))
        return mlc_mixed_of(mlc_op_operand(def, open));
    if (mlc_memref_view_isa(def))
        return mlc_mixed_of(mlc_op_operand(def, 2 + open));
    if (mlc_memref_cast_isa(def))
        return size_of(b, mlc_op_operand(def, 0), dim);
    if (mlc_op_attr(def, "reassociation"))
        return size_of_reshape(b, def, dim);
    bool is_slice = mlc_op_attr(def, "static_sizes") && mlc_slice_read(def, &slice);
    if (is_slice && slice.sizes.size == mlc_type_rank(type))
        return slice.sizes.items[dim];
    return mlc_mixed(MLC_DYNAMIC);
}

// Nobody below has a descriptor to ask.
static void
answer_dims(MlcOp *function)
{
    MLC_FOR_EACH_POSTORDER (op, function) {
        int64_t dim;
        if (!mlc_memref_dim_isa(op) || !mlc_value_constant_int(mlc_op_operand(op, 1), &dim) ||
            dim < 0 || (size_t)dim >= mlc_type_rank(mlc_op_operand_type(op, 0)))
            continue;
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(op));
        mlc_builder_before(&b, op);
        MlcMixed size = size_of(&b, mlc_op_operand(op, 0), (size_t)dim);
        MlcValue *value = mlc_mixed_is(size, MLC_DYNAMIC) ? NULL : mlc_mixed_value(&b, size);
        if (value)
            mlc_op_replace(op, &value, 1);
    }
}

static bool
is_of_unknown_shape(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_MEMREF) && !mlc_type_has_static_shape(type);
}

static bool
lower_arguments(MlcPass *pass, MlcOp *module, MlcOp *function)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    bool any = false;
    for (size_t i = 0; i < mlc_block_num_args(entry); i++) {
        MlcMixedList shape;
        if (!is_of_unknown_shape(mlc_value_type(mlc_block_arg(entry, i))))
            continue;
        if (!shape_argument(function, i, &shape))
            return false;
        mlc_argument_to_address(function, i, &shape);
        pass_addresses(module, mlc_symbol_name(function), i);
        mlc_pass_count(pass, "addresses", 1);
        any = true;
    }
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    mlc_op_set_slot(function, methods->arg_attrs_slot, NULL); // nobody asks below
    if (any) {
        mlc_function_follow_arguments(function);
        answer_dims(function);
    }
    return true;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_is_kernel_function(op) && !lower_arguments(pass, module, op))
                return false;
    return true;
}

static const char *const dialects[] = {"memref", "arith", NULL};

MLC_PASS(kernel_sizes, .flag = "kernel-sizes",
         .summary = "Pass buffers of sizes known when the model runs as addresses",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)

// kernel_arguments.c -- see kernel_arguments.h.
#include "kernel_arguments.h"

#include "mlc/analysis/structured.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir.h"
#include "mlc/support/map.h"

#include "mlc/dialects/scf.h"

bool
mlc_is_kernel_function(MlcOp *op)
{
    MlcAttr visibility = mlc_op_attr(op, "sym_visibility");
    return mlc_op_interface(op, MLC_INTERFACE_FUNCTION) && mlc_op_num_regions(op) == 1 &&
           !mlc_region_is_empty(mlc_op_region(op, 0)) && mlc_attr_is(visibility, MLC_ATTR_STRING) &&
           mlc_str_equal(mlc_string_attr_value(visibility), mlc_str("private"));
}

static void
push_contraction(MlcOp *op, MlcOpVec *found)
{
    if (mlc_op_is_static_structured(op) && mlc_structured_is_contraction(op))
        mlc_vec_push(found, op);
}

// A loop over images of a number that is not known (linalg-batch-loop).
static bool
is_open_loop(MlcOp *op)
{
    int64_t lower, upper, step;
    const MlcLoop *methods = mlc_op_interface(op, MLC_INTERFACE_LOOP);
    return methods && mlc_scf_for_isa(op) &&
           !methods->constant_bounds(op, 0, &lower, &upper, &step);
}

void
mlc_kernel_visit_contractions(MlcPass *pass, MlcOp *module,
                              void (*visit)(MlcPass *pass, MlcOp *module, MlcOp *function,
                                            MlcOp *op))
{
    MlcOpVec found = {0};
    MLC_FOR_EACH_OP (function, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_is_kernel_function(function))
            continue;
        mlc_vec_clear(&found);
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(function, 0))
            MLC_FOR_EACH_OP (op, block) {
                push_contraction(op, &found);
                if (is_open_loop(op))
                    MLC_FOR_EACH_OP (inner, mlc_region_first(mlc_op_region(op, 0)))
                        push_contraction(inner, &found);
            }
        for (size_t i = 0; i < found.size; i++)
            visit(pass, module, function, found.data[i]);
    }
    mlc_vec_release(&found);
}

static bool
has_elements(MlcValue *value)
{
    MlcAttr attr = mlc_value_constant(value);
    MlcType element = mlc_type_element(mlc_value_type(value));
    return attr && mlc_elements_attr_has_data(attr) &&
           (mlc_type_is(element, MLC_TYPE_FLOAT) || mlc_type_is(element, MLC_TYPE_INTEGER));
}

MlcAttr
mlc_kernel_constant_remade(MlcValue *value, MlcType type, const char *suffix, MlcRemakeFn make,
                           const void *recipe, size_t recipe_size)
{
    MlcAttr old = mlc_value_constant(value);
    MlcBuf name = {0};
    if (mlc_attr_is(old, MLC_ATTR_DENSE_RESOURCE))
        mlc_buf_printf(&name, "%.*s%s", MLC_STR_FMT(mlc_dense_resource_attr_key(old)), suffix);
    MlcAttr made = mlc_constant_remade(old, type, mlc_buf_str(&name), make, recipe, recipe_size);
    mlc_buf_release(&name);
    return made;
}

static bool
is_call_of(MlcOp *op, MlcStr name, MlcKernelCall *call)
{
    const MlcCall *vtable = mlc_op_interface(op, MLC_INTERFACE_CALL);
    MlcAttr callee = vtable ? vtable->callee(op) : NULL;
    size_t count;
    if (!callee || !mlc_str_equal(mlc_symbol_ref_attr_name(callee, 0), name))
        return false;
    call->op = op;
    vtable->arguments(op, &call->first, &count);
    return true;
}

bool
mlc_kernel_calls(MlcOp *module, MlcOp *function, size_t arg, MlcKernelCalls *calls)
{
    MlcAttr name = mlc_op_attr(function, "sym_name");
    MLC_FOR_EACH_PREORDER (op, module) {
        MlcKernelCall call;
        if (!is_call_of(op, mlc_string_attr_value(name), &call))
            continue;
        if (!has_elements(mlc_op_operand(op, call.first + arg)))
            return false;
        mlc_vec_push(calls, call);
    }
    return calls->size > 0;
}

MlcOp *
mlc_model_function(MlcPass *pass, MlcOp *module)
{
    MlcStr name = mlc_pass_option_str(pass, "function");
    MlcOp *function = mlc_symbol_lookup(module, name);
    if (function && mlc_op_interface(function, MLC_INTERFACE_FUNCTION) &&
        mlc_region_has_one_block(mlc_op_region(function, 0)))
        return function;
    mlc_op_error(module, "has no model function '@%.*s' of one block", MLC_STR_FMT(name));
    return NULL;
}

void
mlc_first_kernel_calls(MlcOp *function, MlcKernelCalls *calls)
{
    MlcOp *table = mlc_symbol_table_of(mlc_op_parent(function));
    MlcMap seen = {0};
    MLC_FOR_EACH_PREORDER (op, function) {
        const MlcCall *vtable = mlc_op_interface(op, MLC_INTERFACE_CALL);
        MlcAttr callee = vtable ? vtable->callee(op) : NULL;
        MlcOp *kernel =
            callee ? mlc_symbol_lookup(table, mlc_symbol_ref_attr_name(callee, 0)) : NULL;
        size_t first, count;
        if (!kernel || !mlc_is_kernel_function(kernel) || mlc_map_get(&seen, kernel))
            continue;
        vtable->arguments(op, &first, &count);
        mlc_vec_push(calls, (MlcKernelCall){op, first});
        mlc_map_set(&seen, kernel, op);
    }
    mlc_map_release(&seen);
}

void
mlc_kernel_call_inputs(const MlcKernelCall *call, MlcValueVec *inputs)
{
    for (size_t i = call->first; i < mlc_op_num_operands(call->op); i++) {
        MlcValue *value = mlc_op_operand(call->op, i);
        bool is_known = mlc_value_constant(value) != NULL;
        for (size_t k = 0; k < inputs->size; k++)
            is_known |= inputs->data[k] == value;
        if (!is_known)
            mlc_vec_push(inputs, value);
    }
}

// Attributes of arguments, where there are any, are as many: none of those behind.
static void
follow_attributes(MlcOp *function, const MlcFunction *methods, size_t count)
{
    MlcAttr attrs = mlc_op_slot(function, methods->arg_attrs_slot);
    MLC_VEC(MlcAttr) all = {0};
    if (!attrs || mlc_array_attr_size(attrs) == count)
        return;
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(&all, i < mlc_array_attr_size(attrs)
                               ? mlc_array_attr_element(attrs, i)
                               : mlc_dict_attr_get(mlc_op_context(function), NULL, 0));
    mlc_op_set_slot(function, methods->arg_attrs_slot,
                    mlc_array_attr_get(mlc_op_context(function), all.data, all.size));
    mlc_vec_release(&all);
}

void
mlc_function_erase_argument(MlcOp *function, size_t arg)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(function, methods->arg_attrs_slot);
    MLC_VEC(MlcAttr) kept = {0};
    for (size_t i = 0; attrs && i < mlc_array_attr_size(attrs); i++)
        if (i != arg)
            mlc_vec_push(&kept, mlc_array_attr_element(attrs, i));
    if (attrs)
        mlc_op_set_slot(function, methods->arg_attrs_slot,
                        mlc_array_attr_get(mlc_op_context(function), kept.data, kept.size));
    mlc_vec_release(&kept);
    mlc_block_erase_arg(mlc_region_first(mlc_op_region(function, 0)), arg);
    mlc_function_follow_arguments(function);
}

void
mlc_function_follow_arguments(MlcOp *function)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcType old = methods->type(function);
    MlcTypeVec inputs = {0};
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        mlc_vec_push(&inputs, mlc_value_type(mlc_block_arg(entry, i)));
    MlcType made =
        mlc_function_type_get(mlc_op_context(function), inputs.data, inputs.size,
                              mlc_function_type_results(old), mlc_function_type_num_results(old));
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(made));
    follow_attributes(function, methods, inputs.size);
    mlc_vec_release(&inputs);
}

// The last op of `entry` that a size depends on is where the builder goes behind.
static void
after_sizes(MlcBuilder *b, MlcBlock *entry, const MlcMixedList *shape)
{
    MlcOp *last = NULL;
    mlc_builder_at_start(b, entry);
    MLC_FOR_EACH_OP (op, entry)
        for (size_t i = 0; i < shape->size; i++)
            if (shape->items[i].value && mlc_value_def(shape->items[i].value) == op)
                last = op;
    if (last)
        mlc_builder_after(b, last);
}

void
mlc_argument_to_address(MlcOp *function, size_t arg, const MlcMixedList *shape)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcValue *old = mlc_block_arg(entry, arg);
    MlcType type = mlc_value_type(old);
    MlcValue *address = mlc_block_insert_arg(entry, arg + 1, mlc_memref_element_type(type),
                                             mlc_block_arg_loc(entry, arg));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(function));
    b.loc = mlc_op_loc(function);
    after_sizes(&b, entry, shape);
    MlcValue *buffer = mlc_build_buffer_at(&b, address, type, shape);
    mlc_value_replace_uses(old, buffer);
    mlc_block_erase_arg(entry, arg);
}

static void
set_argument_type(MlcOp *function, size_t arg, MlcType type)
{
    const MlcFunction *vtable = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType old = vtable->type(function);
    MlcTypeVec inputs = {0};
    for (size_t i = 0; i < mlc_function_type_num_inputs(old); i++)
        mlc_vec_push(&inputs, i == arg ? type : mlc_function_type_inputs(old)[i]);
    MlcType made =
        mlc_function_type_get(mlc_op_context(function), inputs.data, inputs.size,
                              mlc_function_type_results(old), mlc_function_type_num_results(old));
    mlc_op_set_slot(function, vtable->type_slot, mlc_type_attr_get(made));
    mlc_vec_release(&inputs);
}

MlcValue *
mlc_kernel_remake_argument(MlcOp *function, size_t arg, const MlcKernelCalls *calls,
                           MlcAttr (*make)(MlcValue *constant, void *user), void *user)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcMap made = {0}; // constant op of a caller -> its new form
    MlcType type = NULL;
    for (size_t i = 0; i < calls->size; i++) {
        MlcOp *call = calls->data[i].op;
        size_t operand = calls->data[i].first + arg;
        MlcOp *def = mlc_value_def(mlc_op_operand(call, operand)), *other = mlc_map_get(&made, def);
        if (!other) {
            MlcAttr attr = make(mlc_op_result(def, 0), user);
            other = mlc_op_clone(def, NULL);
            mlc_op_set_attr(other, "value", attr);
            mlc_value_set_type(mlc_op_result(other, 0), mlc_attr_type(attr));
            mlc_op_insert_after(other, def);
            mlc_map_set(&made, def, other);
        }
        mlc_op_set_operand(call, operand, mlc_op_result(other, 0));
        type = mlc_value_type(mlc_op_result(other, 0));
    }
    MLC_MAP_FOR_EACH (entry_of, &made) {
        MlcOp *op = mlc_map_entry_key(entry_of);
        if (!mlc_op_has_uses(op))
            mlc_op_erase(op);
    }
    mlc_map_release(&made);
    set_argument_type(function, arg, type);
    return mlc_block_insert_arg(entry, arg, type, mlc_block_arg_loc(entry, arg));
}

// The same elements in the shape of type `user`.
static MlcAttr
reshape_constant(MlcValue *value, void *user)
{
    MlcType to = user;
    MlcAttr attr = mlc_value_constant(value);
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE))
        return mlc_dense_resource_attr_get(to, mlc_dense_resource_attr_key(attr),
                                           mlc_dense_resource_attr_blob(attr));
    size_t size;
    const void *bytes = mlc_elements_attr_data(attr, &size);
    return mlc_dense_attr_get(to, bytes, size, mlc_elements_attr_is_splat(attr));
}

static bool
absorb_one_reshape(MlcOp *module, MlcOp *function, size_t arg)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcValue *old = mlc_block_arg(entry, arg);
    MlcOp *reshape = mlc_value_has_one_use(old) ? mlc_use_owner(mlc_value_first_use(old)) : NULL;
    MlcKernelCalls calls = {0};
    bool absorbs = reshape && mlc_op_num_operands(reshape) == 1 &&
                   mlc_op_attr(reshape, "reassociation") &&
                   mlc_type_has_static_shape(mlc_value_type(mlc_op_result(reshape, 0))) &&
                   mlc_kernel_calls(module, function, arg, &calls);
    if (absorbs) {
        MlcType type = mlc_value_type(mlc_op_result(reshape, 0));
        MlcValue *value =
            mlc_kernel_remake_argument(function, arg, &calls, reshape_constant, (void *)type);
        mlc_op_replace(reshape, &value, 1);
        mlc_block_erase_arg(entry, arg + 1);
    }
    mlc_vec_release(&calls);
    return absorbs;
}

void
mlc_kernel_absorb_reshape(MlcOp *module, MlcOp *function, size_t arg)
{
    while (absorb_one_reshape(module, function, arg))
        ;
}

// graph_to_linalg.c -- every graph op as linalg on tensors: which goes which way, and what must be
// known of it, is in graph_check_lowerable.c.
//
// Named linalg ops where one says exactly what the graph op does (2-d convolutions and pools,
// matrix products), linalg.generic for the rest; ops with a scalar body in their record (a user's
// YAML included) all go one way. Broadcasting drops dimensions of size 1, so that all indexing maps
// are projected permutations. Float ops carry fastmath<contract>. Sizes in types (#graph.dims) end
// here: those of arguments and results go into `mlc.dims`, and those of ops become arguments of the
// function, or are computed where it begins (mlc/dialects/graph_sizes.h). So do unsigned types:
// bodies are made by them, then all are signless. Legal after: no op of the graph dialect but
// graph.kernel's, whose body is inlined. Checked before anything is changed, every op that cannot
// be lowered is an error.
#include "graph_lower.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/dialects/tensor.h"
#include "mlc/support/map.h"

// ---- the conversion

// Tensors get plain types.
static MlcType
plain_type(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_tensor_type_encoding(type) ||
        !mlc_attr_isa(mlc_tensor_type_encoding(type), "graph.dims"))
        return type;
    return mlc_tensor_type_get(mlc_type_element(type), mlc_type_shape(type), mlc_type_rank(type),
                               NULL);
}

// Unsigned integers and strings too: from here on ops say what they take a number for.
static MlcType
signless_type(MlcType type)
{
    MlcType element = mlc_type_element(type);
    if (!mlc_type_is(element, MLC_TYPE_INTEGER) ||
        mlc_integer_type_signedness(element) == MLC_SIGNLESS)
        return type;
    element =
        mlc_integer_type_get(mlc_type_context(type), mlc_type_bit_width(element), MLC_SIGNLESS);
    return mlc_type_is_shaped(type) ? mlc_type_with_element(type, element) : element;
}

static bool
retype(MlcValue *value, MlcType (*convert)(MlcType))
{
    MlcType type = mlc_value_type(value), converted = convert(type);
    if (converted != type)
        mlc_value_set_type(value, converted);
    return converted != type;
}

static bool
retype_function(MlcOp *func, MlcType (*convert)(MlcType))
{
    MlcAttr attr = mlc_op_attr(func, "function_type");
    if (!mlc_attr_is(attr, MLC_ATTR_TYPE) ||
        !mlc_type_is(mlc_type_attr_value(attr), MLC_TYPE_FUNCTION))
        return false;
    MlcType old = mlc_type_attr_value(attr);
    size_t num_inputs = mlc_function_type_num_inputs(old),
           num_results = mlc_function_type_num_results(old);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&types, convert(mlc_function_type_inputs(old)[i]));
    for (size_t i = 0; i < num_results; i++)
        mlc_vec_push(&types, convert(mlc_function_type_results(old)[i]));
    MlcType type = mlc_function_type_get(mlc_op_context(func), types.data, num_inputs,
                                         types.data + num_inputs, num_results);
    if (type != old)
        mlc_op_set_attr(func, "function_type", mlc_type_attr_get(type));
    mlc_vec_release(&types);
    return type != old;
}

// Whether anything had another type.
static bool
retype_inside(MlcOp *root, MlcType (*convert)(MlcType))
{
    bool any = false;
    MLC_FOR_EACH_PREORDER (op, root) {
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            any |= retype(mlc_op_result(op, i), convert);
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                any |= retype(mlc_block_arg(block, i), convert);
    }
    return retype_function(root, convert) || any;
}

// The same bits as `type`.
static MlcAttr
retyped_constant(MlcAttr value, MlcType type)
{
    int64_t number;
    size_t size;
    if (mlc_attr_is(value, MLC_ATTR_DENSE_RESOURCE))
        return mlc_dense_resource_attr_get(type, mlc_dense_resource_attr_key(value),
                                           mlc_dense_resource_attr_blob(value));
    if (mlc_attr_is(value, MLC_ATTR_DENSE)) {
        const void *data = mlc_elements_attr_data(value, &size);
        return mlc_dense_attr_get(type, data, size, mlc_elements_attr_is_splat(value));
    }
    return mlc_attr_try_as_int(value, &number) ? mlc_integer_attr_get(type, number) : value;
}

// What the caller of the model sees keeps its type, beside the name: `mlc.type`.
static void
keep_interface_types(MlcOp *func, const char *list, const MlcType *types, size_t count)
{
    MlcContext *ctx = mlc_op_context(func);
    MlcAttr attrs = mlc_op_attr(func, list);
    if (!mlc_attr_is(attrs, MLC_ATTR_ARRAY) || mlc_array_attr_size(attrs) != count)
        return;
    MLC_VEC(MlcAttr) kept = {0};
    for (size_t i = 0; i < count; i++) {
        MlcAttr dict = mlc_array_attr_element(attrs, i);
        MlcAttr element = mlc_type_attr_get(mlc_type_element(types[i]));
        bool is_kept = mlc_dict_attr_find(dict, mlc_str("mlc.type")) != NULL;
        mlc_vec_push(&kept, is_kept || signless_type(types[i]) == types[i]
                                ? dict
                                : mlc_dict_attr_with(ctx, dict, mlc_str("mlc.type"), element));
    }
    mlc_op_set_attr(func, list, mlc_array_attr_get(ctx, kept.data, kept.size));
    mlc_vec_release(&kept);
}

static void
make_signless(MlcOp *root)
{
    MlcAttr attr = mlc_op_attr(root, "function_type");
    MlcType type = mlc_attr_is(attr, MLC_ATTR_TYPE) ? mlc_type_attr_value(attr) : NULL;
    if (!retype_inside(root, signless_type))
        return;
    if (type && mlc_type_is(type, MLC_TYPE_FUNCTION)) {
        keep_interface_types(root, "arg_attrs", mlc_function_type_inputs(type),
                             mlc_function_type_num_inputs(type));
        keep_interface_types(root, "res_attrs", mlc_function_type_results(type),
                             mlc_function_type_num_results(type));
    }
    MLC_FOR_EACH_PREORDER (op, root) {
        MlcAttr value = mlc_op_num_results(op) == 1 && mlc_arith_constant_isa(op)
                            ? mlc_arith_constant_value(op)
                            : NULL;
        MlcType made = value ? mlc_value_type(mlc_op_result(op, 0)) : NULL;
        if (value && mlc_attr_type(value) != made)
            mlc_arith_constant_set_value(op, retyped_constant(value, made));
    }
}

// ---- sizes

// `mlc.dims` of each argument, or result, whose type has some.
static void
keep_sizes_of(MlcOp *func, size_t slot, const MlcType *types, size_t count)
{
    MlcContext *ctx = mlc_op_context(func);
    MlcAttr old = mlc_op_slot(func, slot);
    MLC_VEC(MlcAttr) made = {0};
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        MlcAttr names = mlc_size_names(types[i]);
        MlcAttr dict = old ? mlc_array_attr_element(old, i) : mlc_dict_attr_get(ctx, NULL, 0);
        any |= names != NULL;
        mlc_vec_push(&made,
                     names ? mlc_dict_attr_with(ctx, dict, mlc_str(MLC_DIMS_ATTR), names) : dict);
    }
    if (any)
        mlc_op_set_slot(func, slot, mlc_array_attr_get(ctx, made.data, made.size));
    mlc_vec_release(&made);
}

static void
keep_sizes(MlcOp *func)
{
    const MlcFunction *methods = mlc_op_interface(func, MLC_INTERFACE_FUNCTION);
    MlcType type = methods ? methods->type(func) : NULL;
    if (!type || !mlc_type_is(type, MLC_TYPE_FUNCTION))
        return;
    keep_sizes_of(func, methods->arg_attrs_slot, mlc_function_type_inputs(type),
                  mlc_function_type_num_inputs(type));
    keep_sizes_of(func, methods->res_attrs_slot, mlc_function_type_results(type),
                  mlc_function_type_num_results(type));
}

// What the types of values say, before they lose it.
static void
note_sizes(MlcOp *root, MlcMap *names)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            if (mlc_size_names(mlc_value_type(mlc_op_result(op, i))))
                mlc_map_set(names, mlc_op_result(op, i),
                            (void *)mlc_size_names(mlc_value_type(mlc_op_result(op, i))));
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                if (mlc_size_names(mlc_value_type(mlc_block_arg(block, i))))
                    mlc_map_set(names, mlc_block_arg(block, i),
                                (void *)mlc_size_names(mlc_value_type(mlc_block_arg(block, i))));
    }
}

// What ops ask of tensors (tensor.dim) whose sizes are known by name.
static void
answer_dims(MlcOp *root, const MlcMap *names)
{
    MLC_FOR_EACH_POSTORDER (op, root) {
        int64_t dim;
        MlcAttr list = mlc_tensor_dim_isa(op) ? mlc_map_get(names, mlc_op_operand(op, 0)) : NULL;
        MlcAttr index = list ? mlc_value_constant(mlc_op_operand(op, 1)) : NULL;
        if (!index || !mlc_attr_try_as_int(index, &dim) || dim < 0 ||
            (size_t)dim >= mlc_array_attr_size(list))
            continue;
        MlcAttr name = mlc_array_attr_element(list, (size_t)dim);
        MlcValue *size = mlc_value_def(mlc_op_operand(op, 0)) ? mlc_size_in_function(root, name)
                                                              : mlc_size_argument(root, name);
        if (size)
            mlc_op_replace(op, &size, 1);
    }
}

// A kernel that was not outlined: its ops take its place.
static void
inline_kernel(MlcOp *kernel)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(kernel, 0));
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), mlc_op_operand(kernel, i));
    MlcOp *yield = mlc_block_last(body);
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++)
        mlc_vec_push(&results, mlc_op_operand(yield, i));
    mlc_op_erase(yield);
    mlc_block_splice(mlc_op_block(kernel), kernel, body);
    mlc_op_replace(kernel, results.data, results.size);
    mlc_vec_release(&results);
}

// `op` was found to be lowerable; false, after a diagnostic, if its body is no expression.
static bool
lower_op(MlcOp *op, MlcOp *function, MlcMap *names)
{
    MlcGraphLowering lowering;
    if (mlc_graph_kernel_isa(op)) {
        inline_kernel(op);
        return true;
    }
    MlcGraphLower l = {.op = op, .function = function, .names = names};
    mlc_builder_init(&l.b, mlc_op_context(op));
    mlc_builder_before(&l.b, op);
    if (mlc_graph_is_control(mlc_op_def(op)))
        return mlc_graph_lower_control(&l);
    if (mlc_graph_yield_isa(op) || !mlc_graph_find_lowering(op, &lowering))
        return true;
    l.type = mlc_value_type(mlc_op_result(op, 0));
    l.sizes = mlc_map_get(names, mlc_op_result(op, 0));
    l.element = mlc_type_element(l.type);
    l.fastmath = mlc_fastmath_contract(mlc_op_context(op));
    MlcValue *value = lowering.lower(&l);
    if (!value)
        return false;
    if (mlc_value_type(value) != l.type) // a batch size that one side knows
        value = mlc_tensor_cast(&l.b, l.type, value);
    if (l.sizes)
        mlc_map_set(names, value, (void *)l.sizes);
    mlc_op_replace(op, &value, 1);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_graph_kernel_def || mlc_graph_is_control(op) || mlc_graph_is_lowered(op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root)
        ok &= mlc_graph_check_lowerable(pass, op);
    if (!ok)
        return false;
    MlcMap names = {0};
    note_sizes(root, &names);
    keep_sizes(root);
    retype_inside(root, plain_type);
    MLC_FOR_EACH_POSTORDER (op, root)
        if (op != root)
            ok &= lower_op(op, root, &names);
    answer_dims(root, &names);
    mlc_map_release(&names);
    make_signless(root);
    return ok;
}

static const char *const dialects[] = {"affine", "arith",  "cf",     "linalg", "math",
                                       "scf",    "tensor", "vector", NULL};

MLC_PASS(graph_to_linalg, .flag = "graph-to-linalg",
         .summary = "Lower graph ops to linalg on tensors", .anchor = "func.func",
         .dependent_dialects = dialects, .converts = converts, .run = run)

// buffer_results_to_out_params.c -- functions that return buffers take them as trailing arguments.
//
// Declarations, definitions and calls change together: the caller makes each buffer, the function
// copies what it returned into it. With `hoist-static-allocs` a buffer that is made and returned
// becomes the argument instead; only in the entry block and before one return, where no two such
// buffers can be alive in one argument.
#include "mlc/pass.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir/symbol.h"

static bool
is_buffer(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_MEMREF) && mlc_type_has_rank(type);
}

static bool
is_fully_dynamic(MlcType type)
{
    MlcAttr layout = mlc_memref_type_layout(type);
    if (!layout || !mlc_attr_is(layout, MLC_ATTR_STRIDED_LAYOUT) ||
        mlc_strided_layout_attr_offset(layout) != MLC_DYNAMIC)
        return false;
    for (size_t i = 0; i < mlc_strided_layout_attr_size(layout); i++)
        if (mlc_strided_layout_attr_strides(layout)[i] != MLC_DYNAMIC)
            return false;
    return true;
}

typedef struct Signature {
    MlcTypeVec inputs, results;
    MLC_VEC(MlcAttr) input_attrs, result_attrs;
} Signature;

static void
add_attrs(MlcContext *ctx, MlcAttr list, size_t i, const char *mark, Signature *s, bool is_input)
{
    MlcAttr dict = list ? mlc_array_attr_element(list, i) : mlc_dict_attr_get(ctx, NULL, 0);
    if (mark)
        dict = mlc_dict_attr_with(ctx, dict, mlc_str(mark), mlc_unit_attr_get(ctx));
    if (is_input)
        mlc_vec_push(&s->input_attrs, dict);
    else
        mlc_vec_push(&s->result_attrs, dict);
}

static bool
has_any(const MlcAttr *dicts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (mlc_dict_attr_size(dicts[i]) > 0)
            return true;
    return false;
}

static void
set_signature(MlcOp *function, const MlcFunction *methods, const Signature *s)
{
    MlcContext *ctx = mlc_op_context(function);
    MlcType type = mlc_function_type_get(ctx, s->inputs.data, s->inputs.size, s->results.data,
                                         s->results.size);
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
    mlc_op_set_slot(function, methods->arg_attrs_slot,
                    has_any(s->input_attrs.data, s->input_attrs.size)
                        ? mlc_array_attr_get(ctx, s->input_attrs.data, s->input_attrs.size)
                        : NULL);
    mlc_op_set_slot(function, methods->res_attrs_slot,
                    has_any(s->result_attrs.data, s->result_attrs.size)
                        ? mlc_array_attr_get(ctx, s->result_attrs.data, s->result_attrs.size)
                        : NULL);
}

static void
change_signature(MlcOp *function, bool marks_results)
{
    MlcContext *ctx = mlc_op_context(function);
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(function);
    MlcAttr args = mlc_op_slot(function, methods->arg_attrs_slot);
    MlcAttr results = mlc_op_slot(function, methods->res_attrs_slot);
    Signature s = {0};
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++) {
        mlc_vec_push(&s.inputs, mlc_function_type_inputs(type)[i]);
        add_attrs(ctx, args, i, NULL, &s, true);
    }
    MlcRegion *body = mlc_op_region(function, 0);
    MlcBlock *entry = mlc_region_is_empty(body) ? NULL : mlc_region_first(body);
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++) {
        MlcType result = mlc_function_type_results(type)[i];
        bool moves = is_buffer(result);
        mlc_vec_push(moves ? &s.inputs : &s.results, result);
        add_attrs(ctx, results, i, moves && marks_results ? "bufferize.result" : NULL, &s, moves);
        if (moves && entry)
            mlc_block_add_arg(entry, result, mlc_op_loc(function));
    }
    if (s.results.size < mlc_function_type_num_results(type))
        set_signature(function, methods, &s);
    mlc_vec_release(&s.inputs);
    mlc_vec_release(&s.results);
    mlc_vec_release(&s.input_attrs);
    mlc_vec_release(&s.result_attrs);
}

// The allocation that can be `argument` itself.
static MlcOp *
allocation_of(MlcValue *returned, MlcValue *argument, MlcBlock *entry)
{
    MlcOp *def = mlc_value_def(returned);
    return def && mlc_memref_alloc_isa(def) && mlc_op_block(def) == entry &&
                   mlc_op_num_operands(def) == 0 && !mlc_op_attr(def, "alignment") &&
                   mlc_value_type(returned) == mlc_value_type(argument)
               ? def
               : NULL;
}

static void
fill_arguments(MlcOp *ret, MlcBlock *entry, size_t num_outs, bool hoists)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(ret));
    mlc_builder_before(&b, ret);
    MlcValueVec kept = {0};
    size_t next = mlc_block_num_args(entry) - num_outs;
    for (size_t i = 0; i < mlc_op_num_operands(ret); i++) {
        MlcValue *value = mlc_op_operand(ret, i); // anew: it may be an argument by now
        if (!is_buffer(mlc_value_type(value))) {
            mlc_vec_push(&kept, value);
            continue;
        }
        MlcValue *argument = mlc_block_arg(entry, next++);
        MlcOp *alloc = hoists ? allocation_of(value, argument, entry) : NULL;
        if (alloc) {
            mlc_value_replace_uses(value, argument);
            mlc_op_erase(alloc);
        } else {
            mlc_memref_copy(&b, value, argument);
        }
    }
    mlc_op_set_operands(ret, kept.data, kept.size);
    mlc_vec_release(&kept);
}

static void
change_returns(MlcOp *function, bool hoists)
{
    MlcRegion *body = mlc_op_region(function, 0);
    MlcOpVec returns = {0};
    MLC_FOR_EACH_BLOCK (block, body) {
        MlcOp *last = mlc_block_terminator(block);
        if (last && mlc_func_return_isa(last))
            mlc_vec_push(&returns, last);
    }
    for (size_t i = 0; i < returns.size; i++) {
        size_t num_outs = 0;
        MLC_FOR_EACH_OPERAND (value, returns.data[i])
            num_outs += is_buffer(mlc_value_type(value));
        fill_arguments(returns.data[i], mlc_region_first(body), num_outs,
                       hoists && returns.size == 1);
    }
    mlc_vec_release(&returns);
}

static MlcValue *
make_buffer(MlcBuilder *b, MlcType type)
{
    MlcType plain =
        mlc_memref_type_get(mlc_type_element(type), mlc_type_shape(type), mlc_type_rank(type), NULL,
                            mlc_memref_type_memory_space(type));
    MlcValue *buffer = mlc_memref_alloc(b, plain, NULL, 0, NULL, 0);
    return plain == type ? buffer : mlc_memref_cast(b, type, buffer);
}

static void
change_call(MlcOp *call)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(call));
    mlc_builder_before(&b, call);
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    MLC_FOR_EACH_OPERAND (value, call)
        mlc_vec_push(&operands, value);
    for (size_t i = 0; i < mlc_op_num_results(call); i++) {
        MlcValue *result = mlc_op_result(call, i);
        if (!is_buffer(mlc_value_type(result))) {
            mlc_vec_push(&types, mlc_value_type(result));
            continue;
        }
        MlcValue *buffer = make_buffer(&b, mlc_value_type(result));
        mlc_value_replace_uses(result, buffer);
        mlc_vec_push(&operands, buffer);
    }
    if (types.size < mlc_op_num_results(call)) {
        MlcOp *made = mlc_func_call(&b, types.data, types.size, operands.data, operands.size,
                                    mlc_func_call_callee(call));
        for (size_t i = 0, k = 0; i < mlc_op_num_results(call); i++)
            if (!is_buffer(mlc_value_type(mlc_op_result(call, i))))
                mlc_value_replace_uses(mlc_op_result(call, i), mlc_op_result(made, k++));
        mlc_op_erase(call);
    }
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
}

static bool
check(MlcOp *op)
{
    if (mlc_func_func_isa(op)) {
        const MlcFunction *methods = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
        MlcType type = methods->type(op);
        for (size_t i = 0; i < mlc_function_type_num_results(type); i++) {
            MlcType result = mlc_function_type_results(type)[i];
            if (is_buffer(result) && mlc_memref_type_layout(result) && !is_fully_dynamic(result))
                return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                                 "cannot create out param for result with unsupported layout");
        }
    }
    for (size_t i = 0; mlc_func_call_isa(op) && i < mlc_op_num_results(op); i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        if (is_buffer(type) && !mlc_type_has_static_shape(type))
            return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                             "cannot create out param for dynamically shaped result");
    }
    return true;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    bool hoists = mlc_pass_option_bool(pass, "hoist-static-allocs");
    bool marks = mlc_pass_option_bool(pass, "add-result-attr");
    bool ok = true;
    MlcOpVec functions = {0}, calls = {0};
    MLC_FOR_EACH_PREORDER (op, module) {
        ok = check(op) && ok;
        if (mlc_func_func_isa(op))
            mlc_vec_push(&functions, op);
        else if (mlc_func_call_isa(op))
            mlc_vec_push(&calls, op);
    }
    for (size_t i = 0; ok && i < functions.size; i++) {
        change_signature(functions.data[i], marks);
        if (!mlc_region_is_empty(mlc_op_region(functions.data[i], 0)))
            change_returns(functions.data[i], hoists);
    }
    for (size_t i = 0; ok && i < calls.size; i++)
        change_call(calls.data[i]);
    mlc_vec_release(&functions);
    mlc_vec_release(&calls);
    return ok;
}

static const MlcPassOption options[] = {
    {"add-result-attr", MLC_OPTION_BOOL, NULL, "mark the new arguments as `bufferize.result`"},
    {"hoist-static-allocs", MLC_OPTION_BOOL, NULL,
     "build a buffer of static shape in the argument instead of copying it there"},
};
static const char *const dialects[] = {"memref", NULL};

MLC_PASS(buffer_results_to_out_params, .flag = "buffer-results-to-out-params",
         .summary = "Turn results that are buffers into arguments", .anchor = "builtin.module",
         .options = options, .num_options = 2, .dependent_dialects = dialects, .run = run)

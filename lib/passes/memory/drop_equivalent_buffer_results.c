// drop_equivalent_buffer_results.c -- functions do not return a buffer that they were given: who
// calls them has it.
#include "mlc/pass.h"

#include "mlc/analysis.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir/symbol.h"

// The argument that `value` is, through casts; -1: none.
static int64_t
argument_of(MlcValue *value, MlcBlock *entry)
{
    if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF))
        return -1;
    for (MlcOp *def; (def = mlc_value_def(value)) && mlc_memref_cast_isa(def);)
        value = mlc_op_operand(def, 0);
    return mlc_value_block(value) == entry ? (int64_t)mlc_value_index(value) : -1;
}

typedef MLC_VEC(int64_t) Arguments; // per result: the argument that it is, or -1

// The only return of the function; NULL: there is none, or several.
static MlcOp *
only_return(MlcOp *function)
{
    MlcOp *found = NULL;
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(function, 0)) {
        MlcOp *last = mlc_block_terminator(block);
        if (!last || !mlc_func_return_isa(last))
            continue;
        if (found)
            return NULL;
        found = last;
    }
    return found;
}

static void
change_call(MlcOp *call, const Arguments *arguments)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(call));
    mlc_builder_before(&b, call);
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    MLC_FOR_EACH_OPERAND (value, call)
        mlc_vec_push(&operands, value);
    for (size_t i = 0; i < arguments->size; i++)
        if (arguments->data[i] < 0)
            mlc_vec_push(&types, mlc_op_result_type(call, i));
    MlcOp *made = mlc_func_call(&b, types.data, types.size, operands.data, operands.size,
                                mlc_func_call_callee(call));
    mlc_op_set_discardable(made, mlc_op_discardable(call));
    for (size_t i = 0, next = 0; i < arguments->size; i++) {
        MlcValue *old = mlc_op_result(call, i), *with;
        if (arguments->data[i] < 0) {
            with = mlc_op_result(made, next++);
        } else {
            with = operands.data[arguments->data[i]];
            if (mlc_value_type(with) != mlc_value_type(old))
                with = mlc_memref_cast(&b, mlc_value_type(old), with);
        }
        mlc_value_replace_uses(old, with);
    }
    mlc_op_erase(call);
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
}

static void
change_function(MlcOp *function, MlcOp *ret, const Arguments *arguments)
{
    MlcContext *ctx = mlc_op_context(function);
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(function);
    MlcAttr old = mlc_op_slot(function, methods->res_attrs_slot);
    MlcValueVec kept = {0};
    MlcTypeVec results = {0};
    MLC_VEC(MlcAttr) attrs = {0};
    for (size_t i = 0; i < arguments->size; i++) {
        if (arguments->data[i] >= 0)
            continue;
        mlc_vec_push(&kept, mlc_op_operand(ret, i));
        mlc_vec_push(&results, mlc_function_type_results(type)[i]);
        mlc_vec_push(&attrs, old ? mlc_array_attr_element(old, i) : NULL);
    }
    mlc_op_set_operands(ret, kept.data, kept.size);
    type = mlc_function_type_get(ctx, mlc_function_type_inputs(type),
                                 mlc_function_type_num_inputs(type), results.data, results.size);
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
    if (old)
        mlc_op_set_slot(function, methods->res_attrs_slot,
                        attrs.size ? mlc_array_attr_get(ctx, attrs.data, attrs.size) : NULL);
    mlc_vec_release(&kept);
    mlc_vec_release(&results);
    mlc_vec_release(&attrs);
}

typedef struct Uses {
    MlcMap calls;  // function -> 1 + its place in `lists`
    MlcMap others; // functions that are named by something else
    MLC_VEC(MlcOpVec) lists;
} Uses;

static void
note_use(MlcOp *user, MlcAttr ref, void *data)
{
    Uses *uses = data;
    MlcOp *symbol = mlc_symbol_lookup_ref(user, ref);
    uint64_t place = 0;
    if (!symbol)
        return;
    if (!mlc_func_call_isa(user)) {
        mlc_map_add(&uses->others, symbol);
        return;
    }
    if (!mlc_map_get_u64(&uses->calls, (uint64_t)(uintptr_t)symbol, &place)) {
        mlc_vec_push(&uses->lists, (MlcOpVec){0});
        place = uses->lists.size;
        mlc_map_set_u64(&uses->calls, (uint64_t)(uintptr_t)symbol, place);
    }
    mlc_vec_push(&uses->lists.data[place - 1], user);
}

static void
drop(MlcOp *function, const MlcOpVec *calls)
{
    MlcOp *ret = only_return(function);
    Arguments arguments = {0};
    bool any = false;
    for (size_t i = 0; ret && i < mlc_op_num_operands(ret); i++) {
        mlc_vec_push(&arguments, argument_of(mlc_op_operand(ret, i),
                                             mlc_region_first(mlc_op_region(function, 0))));
        any = any || arguments.data[i] >= 0;
    }
    if (any) {
        change_function(function, ret, &arguments);
        for (size_t i = 0; calls && i < calls->size; i++)
            change_call(calls->data[i], &arguments);
    }
    mlc_vec_release(&arguments);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    Uses uses = {0};
    MlcOpVec functions = {0};
    mlc_symbol_cache_begin();
    bool known = mlc_symbol_visit_uses(module, false, note_use, &uses);
    mlc_symbol_cache_end();
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_func_func_isa(op) && !mlc_region_is_empty(mlc_op_region(op, 0)) &&
                !mlc_map_has(&uses.others, op))
                mlc_vec_push(&functions, op);
    for (size_t i = 0; known && i < functions.size; i++) {
        uint64_t place = 0;
        mlc_map_get_u64(&uses.calls, (uint64_t)(uintptr_t)functions.data[i], &place);
        drop(functions.data[i], place ? &uses.lists.data[place - 1] : NULL);
    }
    for (size_t i = 0; i < uses.lists.size; i++)
        mlc_vec_release(&uses.lists.data[i]);
    mlc_vec_release(&uses.lists);
    mlc_map_release(&uses.calls);
    mlc_map_release(&uses.others);
    mlc_vec_release(&functions);
    return true;
}

static const char *const dialects[] = {"memref", NULL};

MLC_PASS(drop_equivalent_buffer_results, .flag = "drop-equivalent-buffer-results",
         .summary = "Return no buffers that are arguments", .anchor = "builtin.module",
         .dependent_dialects = dialects, .run = run)

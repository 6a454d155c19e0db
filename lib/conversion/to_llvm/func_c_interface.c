// func_c_interface.c -- functions with `llvm.emit_c_interface` as C sees them: `_mlir_ciface_NAME`,
// which takes each memref as a pointer to its descriptor.
//
// A result that is a memref, or of several results the struct, is written behind a pointer that
// comes first. A function with a body gets such a wrapper; one without gets a body, which calls the
// wrapper that a library defines.
#include "func_passing.h"

typedef struct Interface {
    MlcConversion *c;
    MlcOp *made;       // the llvm.func of the function
    MlcType type;      // of the function before
    MlcType result;    // what `made` returns; NULL: nothing
    bool has_place;    // where the result is written comes first
    MlcTypeVec params; // of the wrapper
    MlcBuf name;
} Interface;

static bool
is_in_struct(const Interface *f)
{
    size_t n = mlc_function_type_num_results(f->type);
    return n > 1 || (n == 1 && llvm_is_descriptor(mlc_function_type_results(f->type)[0]));
}

static void
describe(Interface *f, MlcConversion *c, MlcOp *made, MlcType type, MlcType result)
{
    MlcTypeConverter *types = mlc_conversion_types(c);
    MlcType ptr = llvm_ptr(mlc_type_context(type), 0);
    *f = (Interface){.c = c, .made = made, .type = type, .result = result};
    f->has_place = is_in_struct(f);
    if (f->has_place)
        mlc_vec_push(&f->params, ptr);
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++) {
        MlcType input = mlc_function_type_inputs(type)[i];
        mlc_vec_push(&f->params, llvm_is_descriptor(input)
                                     ? ptr
                                     : mlc_type_converter_convert_one(types, input));
    }
    mlc_buf_printf(&f->name, "_mlir_ciface_%.*s", MLC_STR_FMT(mlc_symbol_name(made)));
}

static MlcType
wrapper_type(const Interface *f)
{
    return llvm_function_type(mlc_type_context(f->type), f->has_place ? NULL : f->result,
                              f->params.data, f->params.size);
}

static MlcOp *
call_by_name(MlcBuilder *b, MlcStr name, MlcType result, const MlcValueVec *arguments)
{
    MlcOp *made = mlc_llvm_call(b, result, arguments->data, arguments->size);
    mlc_llvm_call_set_callee(made, mlc_symbol_ref_attr_get(b->ctx, name));
    return made;
}

// _mlir_ciface_NAME: descriptors are loaded and passed as their fields.
static void
build_wrapper(Interface *f, MlcBuilder *b)
{
    MlcOp *wrapper = mlc_llvm_func(b, mlc_buf_str(&f->name), mlc_type_attr_get(wrapper_type(f)));
    mlc_op_set_attr(wrapper, "llvm.emit_c_interface", mlc_unit_attr_get(b->ctx));
    MlcBlock *entry =
        mlc_builder_create_block(b, mlc_op_region(wrapper, 0), f->params.data, f->params.size);
    MlcValueVec arguments = {0};
    for (size_t i = 0; i < mlc_function_type_num_inputs(f->type); i++) {
        MlcType input = mlc_function_type_inputs(f->type)[i];
        MlcValue *value = mlc_block_arg(entry, i + f->has_place);
        if (llvm_is_descriptor(input)) {
            MlcType to = mlc_type_converter_convert_one(mlc_conversion_types(f->c), input);
            llvm_memref_unpack(b, llvm_load(b, to, value, 0), &arguments);
        } else {
            mlc_vec_push(&arguments, value);
        }
    }
    MlcOp *made = call_by_name(b, mlc_symbol_name(f->made), f->result, &arguments);
    MlcValue *result = f->result ? mlc_op_result(made, 0) : NULL;
    if (f->has_place)
        llvm_store(b, result, mlc_block_arg(entry, 0), 0);
    mlc_llvm_return(b, f->has_place ? NULL : result);
    mlc_vec_release(&arguments);
}

// The body of a function that only the C interface has: descriptors go to the stack.
static void
build_body(Interface *f, MlcBuilder *b)
{
    MlcType type = mlc_type_attr_value(mlc_llvm_func_function_type(f->made));
    MlcTypeVec types = {0};
    MlcAttr params = mlc_dialect_type_param(type, 1);
    for (size_t i = 0; i < mlc_array_attr_size(params); i++)
        mlc_vec_push(&types, mlc_type_attr_value(mlc_array_attr_element(params, i)));
    MlcBlock *entry =
        mlc_builder_create_block(b, mlc_op_region(f->made, 0), types.data, types.size);
    mlc_vec_clear(&types);
    MlcValueVec arguments = {0}, fields = {0};
    MlcValue *place = NULL;
    if (f->has_place)
        mlc_vec_push(&arguments,
                     place = mlc_llvm_alloca(b, llvm_ptr(b->ctx, 0), llvm_i64(b, 1), f->result));
    size_t next = 0;
    for (size_t i = 0; i < mlc_function_type_num_inputs(f->type); i++) {
        MlcType input = mlc_function_type_inputs(f->type)[i];
        mlc_vec_clear(&types);
        llvm_passed_as(mlc_conversion_types(f->c), input, false, &types);
        mlc_vec_clear(&fields);
        for (size_t k = 0; k < types.size; k++)
            mlc_vec_push(&fields, mlc_block_arg(entry, next++));
        MlcType to = mlc_type_converter_convert_one(mlc_conversion_types(f->c), input);
        mlc_vec_push(&arguments, llvm_is_descriptor(input)
                                     ? llvm_on_stack(b, llvm_memref_from_fields(b, to, fields.data))
                                     : fields.data[0]);
    }
    MlcOp *made =
        call_by_name(b, mlc_buf_str(&f->name), f->has_place ? NULL : f->result, &arguments);
    MlcValue *result = !f->result     ? NULL
                       : f->has_place ? llvm_load(b, f->result, place, 0)
                                      : mlc_op_result(made, 0);
    mlc_llvm_return(b, result);
    mlc_vec_release(&types);
    mlc_vec_release(&fields);
    mlc_vec_release(&arguments);
}

bool
llvm_add_c_interface(MlcConversion *c, MlcOp *op, MlcOp *made, MlcType result)
{
    Interface f;
    MlcBuilder *b = mlc_conversion_builder(c), before = *b;
    const MlcFunction *methods = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    describe(&f, c, made, methods->type(op), result);
    bool ok = true;
    if (mlc_region_is_empty(mlc_op_region(op, 0))) {
        ok = llvm_declare(c, op, mlc_buf_c_str(&f.name), wrapper_type(&f));
        if (ok)
            build_body(&f, b);
    } else {
        build_wrapper(&f, b);
    }
    *b = before;
    mlc_vec_release(&f.params);
    mlc_buf_release(&f.name);
    return ok;
}

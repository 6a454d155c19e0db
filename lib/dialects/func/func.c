// func.c -- functions and calls: syntax, verification, interfaces.
#include "mlc/dialects/cf.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/semantics.h"

#include "mlc/ir.h"
#include "mlc/ir/asm.h"
#include "mlc/ir/inline.h"
#include "mlc/ir/rewrite.h"

const MlcInliner mlc_func_inliner = {.branch = &mlc_cf_br_def};

static MlcType
type_of(const MlcOp *op)
{
    return mlc_func_func_function_type(op);
}

// func.func

const MlcFunction mlc_func_func_function = {.type = type_of,
                                            .sym_slot = 0,
                                            .type_slot = 1,
                                            .visibility_slot = 2,
                                            .arg_attrs_slot = 3,
                                            .res_attrs_slot = 4};

static bool
parse_visibility(MlcParser *p, MlcOpBuild *op)
{
    static const char *const words[] = {"public", "private", "nested"};
    for (size_t i = 0; i < 3; i++)
        if (mlc_parse_optional_token(p, words[i])) {
            mlc_op_build_attr(p, op, "sym_visibility",
                              mlc_string_attr_get(mlc_parser_context(p), mlc_str(words[i])));
            return true;
        }
    return true;
}

// func.func private @name(%a: i32) -> i32 attributes {...} { ... }
bool
mlc_func_func_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcStr name;
    MlcSignature s = {0};
    if (!parse_visibility(p, op) || !mlc_parse_symbol_name(p, &name))
        return false;
    mlc_op_build_attr(p, op, "sym_name", mlc_string_attr_get(mlc_parser_context(p), name));
    bool ok = mlc_parse_signature(p, false, &s);
    if (ok) {
        mlc_signature_set_type(p, &s, op);
        ok = mlc_parse_attr_dict_with_keyword(p, op);
        mlc_signature_set_attrs(p, &s, op);
    }
    MlcRegion *body = mlc_op_build_region(p, op);
    bool has_names = s.args.size && s.args.data[0].ref.name.size;
    MlcLoc loc = mlc_parser_loc(p);
    int found = ok ? mlc_parse_optional_region(p, body, has_names ? &s.args : NULL) : -1;
    ok = found >= 0;
    if (found > 0 && mlc_region_is_empty(body))
        ok = mlc_parser_error_at(p, loc, "expected non-empty function body");
    mlc_signature_release(&s);
    return ok;
}

void
mlc_func_func_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"sym_name",  "sym_visibility", "function_type",
                                         "arg_attrs", "res_attrs",      NULL};
    MlcType type = type_of(op);
    MlcRegion *body = mlc_func_func_body(op);
    MlcAttr visibility = mlc_func_func_sym_visibility(op);
    mlc_print_str(p, " ");
    if (visibility) {
        mlc_print_str(p, mlc_string_attr_value(visibility).data);
        mlc_print_str(p, " ");
    }
    mlc_print_symbol_name(p, mlc_func_func_sym_name(op));
    mlc_print_signature(p, op, mlc_function_type_inputs(type), mlc_function_type_num_inputs(type),
                        mlc_function_type_results(type), mlc_function_type_num_results(type), false,
                        body);
    mlc_print_attr_dict_with_keyword(p, op, elided);
    if (!mlc_region_is_empty(body)) {
        mlc_print_str(p, " ");
        mlc_print_region(p, body, false, true, false);
    }
}

static bool
verify_attr_count(MlcOp *op, MlcAttr attrs, size_t n, const char *one, const char *many)
{
    if (!attrs || mlc_array_attr_size(attrs) == n)
        return true;
    return mlc_op_error(op,
                        "expects %s attribute array to have the same number of elements as the "
                        "number of function %s, "
                        "got %zu, but expected %zu",
                        one, many, mlc_array_attr_size(attrs), n);
}

// Attributes of arguments (results) belong to dialects: their names have a dot.
static bool
verify_attr_names(MlcOp *op, MlcAttr lists, const char *many)
{
    for (size_t i = 0; lists && i < mlc_array_attr_size(lists); i++) {
        MlcAttr dict = mlc_array_attr_element(lists, i);
        for (size_t k = 0; k < mlc_dict_attr_size(dict); k++) {
            MlcStr name = mlc_string_attr_value(mlc_dict_attr_entry(dict, k).name);
            if (!memchr(name.data, '.', name.size))
                return mlc_op_error(op, "%s may only have dialect attributes", many);
        }
    }
    return true;
}

static bool
verify_entry_block(MlcOp *op, MlcType type, MlcBlock *entry)
{
    size_t n = mlc_function_type_num_inputs(type);
    if (mlc_block_num_args(entry) != n)
        return mlc_op_error(op, "entry block must have %zu arguments to match function signature",
                            n);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        MlcType have = mlc_value_type(mlc_block_arg(entry, i)),
                want = mlc_function_type_inputs(type)[i];
        if (have != want)
            ok = mlc_op_error(
                op,
                "type of entry block argument #%zu('%s') must match the type of the corresponding "
                "argument in function signature('%s')",
                i, mlc_type_text(have), mlc_type_text(want));
    }
    return ok;
}

bool
mlc_func_func_verify(MlcOp *op)
{
    MlcType type = type_of(op);
    MlcBlock *entry = mlc_region_first(mlc_func_func_body(op));
    if (!verify_attr_count(op, mlc_func_func_arg_attrs(op), mlc_function_type_num_inputs(type),
                           "argument", "arguments") ||
        !verify_attr_count(op, mlc_func_func_res_attrs(op), mlc_function_type_num_results(type),
                           "result", "results") ||
        !verify_attr_names(op, mlc_func_func_arg_attrs(op), "arguments") ||
        !verify_attr_names(op, mlc_func_func_res_attrs(op), "results"))
        return false;
    if (entry)
        return verify_entry_block(op, type, entry);
    MlcAttr visibility = mlc_func_func_sym_visibility(op);
    if (!visibility || mlc_str_equal(mlc_string_attr_value(visibility), mlc_str("public")))
        return mlc_op_error(op, "symbol declaration cannot have public visibility");
    return true;
}

// func.return

bool
mlc_func_return_verify(MlcOp *op)
{
    MlcOp *function = mlc_op_parent(op);
    MlcStr name = mlc_func_func_sym_name(function);
    MlcType type = type_of(function);
    size_t n = mlc_function_type_num_results(type);
    if (mlc_op_num_operands(op) != n)
        return mlc_op_error(op, "has %zu operands, but enclosing function (@%.*s) returns %zu",
                            mlc_op_num_operands(op), MLC_STR_FMT(name), n);
    for (size_t i = 0; i < n; i++) {
        MlcType have = mlc_value_type(mlc_op_operand(op, i)),
                want = mlc_function_type_results(type)[i];
        if (have != want)
            return mlc_error(
                mlc_op_context(op), mlc_op_loc(op),
                "type of return operand %zu ('%s') doesn't match function result type ('%s') "
                "in function @%.*s",
                i, mlc_type_text(have), mlc_type_text(want), MLC_STR_FMT(name));
    }
    return true;
}

// func.call

static MlcAttr
call_callee(const MlcOp *op)
{
    return mlc_func_call_callee_attr(op);
}

static void
call_arguments(const MlcOp *op, size_t *first, size_t *count)
{
    *first = 0;
    *count = mlc_op_num_operands(op);
}

const MlcCall mlc_func_call_call = {.callee = call_callee, .arguments = call_arguments};
const MlcCall mlc_semantics_call = {.callee = call_callee, .arguments = call_arguments};

static bool
verify_call_operands(MlcOp *op, MlcType type)
{
    size_t n = mlc_function_type_num_inputs(type);
    if (mlc_op_num_operands(op) != n)
        return mlc_op_error(op, "incorrect number of operands for callee");
    for (size_t i = 0; i < n; i++) {
        MlcType have = mlc_value_type(mlc_op_operand(op, i)),
                want = mlc_function_type_inputs(type)[i];
        if (have != want)
            return mlc_op_error(op,
                                "operand type mismatch: expected operand type '%s', but provided "
                                "'%s' for operand number %zu",
                                mlc_type_text(want), mlc_type_text(have), i);
    }
    return true;
}

static void
note_types(MlcOp *op, const char *what, const MlcType *types, size_t n)
{
    MlcBuf text = {0};
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(&text, "%s'%s'", i ? ", " : "", mlc_type_text(types[i]));
    mlc_op_note(op, "%s: %s", what, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
}

static bool
verify_call_results(MlcOp *op, MlcType type)
{
    size_t n = mlc_function_type_num_results(type);
    if (mlc_op_num_results(op) != n)
        return mlc_op_error(op, "incorrect number of results for callee");
    for (size_t i = 0; i < n; i++) {
        MlcType have = mlc_value_type(mlc_op_result(op, i)),
                want = mlc_function_type_results(type)[i];
        if (have == want)
            continue;
        mlc_op_error(op, "result type mismatch at index %zu", i);
        MlcTypeVec types = {0};
        for (size_t k = 0; k < n; k++)
            mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, k)));
        note_types(op, "    op result types", types.data, n);
        note_types(op, "function result types", mlc_function_type_results(type), n);
        mlc_vec_release(&types);
        return false;
    }
    return true;
}

// The type of what `call` may call; NULL: not this one. Calls of other dialects call any function.
static MlcType
callable_type(const MlcOp *call, const MlcOp *function)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    if (!methods || (mlc_func_call_isa(call) && !mlc_func_func_isa(function)))
        return NULL;
    MlcType type = methods->type(function);
    return mlc_type_is(type, MLC_TYPE_FUNCTION) ? type : NULL;
}

static bool
verify_call_symbol(MlcOp *op)
{
    MlcAttr callee = mlc_func_call_callee_attr(op);
    MlcOp *function = mlc_symbol_lookup_ref(op, callee);
    MlcType type = function ? callable_type(op, function) : NULL;
    if (!type)
        return mlc_op_error(op, "'%.*s' does not reference a valid function",
                            MLC_STR_FMT(mlc_symbol_ref_attr_name(callee, 0)));
    return verify_call_operands(op, type) && verify_call_results(op, type);
}

const MlcSymbolUser mlc_func_call_symbol_user = {.verify = verify_call_symbol};
const MlcSymbolUser mlc_semantics_call_symbol_user = {.verify = verify_call_symbol};

// func.call_indirect

static MlcAttr
no_callee(const MlcOp *op)
{
    (void)op;
    return NULL;
}

static void
indirect_arguments(const MlcOp *op, size_t *first, size_t *count)
{
    *first = 1;
    *count = mlc_op_num_operands(op) - 1;
}

const MlcCall mlc_func_call_indirect_call = {.callee = no_callee, .arguments = indirect_arguments};

// call_indirect (constant @f) -> call @f
bool
mlc_func_call_constant(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *callee = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_func_constant_isa(callee))
        return false;
    MlcTypeVec types = {0};
    MlcValueVec args = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    for (size_t i = 1; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&args, mlc_op_operand(op, i));
    MlcOp *call = mlc_func_call(mlc_rewriter_builder(rw), types.data, types.size, args.data,
                                args.size, mlc_func_constant_value(callee));
    mlc_rewriter_replace_with(rw, op, call);
    mlc_vec_release(&types);
    mlc_vec_release(&args);
    return true;
}

// func.constant

bool
mlc_func_constant_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_func_constant_value_attr(op);
    return true;
}

static bool
verify_constant_symbol(MlcOp *op)
{
    MlcAttr name = mlc_func_constant_value_attr(op);
    MlcOp *function = mlc_symbol_lookup_ref(op, name);
    if (!function || !mlc_func_func_isa(function))
        return mlc_op_error(op, "reference to undefined function '%.*s'",
                            MLC_STR_FMT(mlc_symbol_ref_attr_name(name, 0)));
    if (type_of(function) != mlc_value_type(mlc_op_result(op, 0)))
        return mlc_op_error(op, "reference to function with mismatched type");
    return true;
}

const MlcSymbolUser mlc_func_constant_symbol_user = {.verify = verify_constant_symbol};

static void
name_constant(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    set(user, mlc_op_result(op, 0), mlc_str("f"));
}

const MlcAsmNames mlc_func_constant_asm_names = {.results = name_constant};

// llvm_asm.c -- custom syntax of LLVM's functions, globals, calls and comparisons: keywords of
// enumerations without their attribute around them, and types that follow from others.
#include "llvm_impl.h"
#include "mlc/ir/asm.h"

// The case of an enumeration that stands here as a keyword, else `otherwise`.
static int64_t
parse_case(MlcParser *p, const MlcAttrDef *def, int64_t otherwise)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->cases[i].name[0] && mlc_parse_optional_token(p, def->cases[i].name))
            return def->cases[i].value;
    return otherwise;
}

static const char *
case_name(const MlcAttrDef *def, int64_t value)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->cases[i].value == value)
            return def->cases[i].name;
    return "";
}

// An enumeration's keyword and a blank, unless it is the one that goes without saying.
static void
print_case(MlcPrinter *p, const MlcAttrDef *def, MlcAttr attr, int64_t unsaid)
{
    int64_t value = attr ? mlc_enum_attr_value(attr) : unsaid;
    const char *name = case_name(def, value);
    if (value == unsaid || !*name)
        return;
    mlc_print_str(p, name);
    mlc_print_str(p, " ");
}

static MlcAttr
i64(MlcParser *p, int64_t value)
{
    return mlc_i64_attr_get(mlc_parser_context(p), value);
}

static MlcAttr
enumeration(MlcParser *p, const MlcAttrDef *def, int64_t value)
{
    return mlc_enum_attr_get(mlc_parser_context(p), def, value);
}

static int64_t
value_of_case(const MlcAttrDef *def, const char *name)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (strcmp(def->cases[i].name, name) == 0)
            return def->cases[i].value;
    mlc_bug("'%s' has no case '%s'", def->name, name);
}

#define EXTERNAL value_of_case(&mlc_llvm_linkage_attr_def, "external")
#define CCC value_of_case(&mlc_llvm_cconv_attr_def, "ccc")
#define NO_TAIL_CALL value_of_case(&mlc_llvm_tailcallkind_attr_def, "none")

static void
parse_linkage_and_visibility(MlcParser *p, MlcOpBuild *op)
{
    mlc_op_build_attr(p, op, "linkage",
                      enumeration(p, &mlc_llvm_linkage_attr_def,
                                  parse_case(p, &mlc_llvm_linkage_attr_def, EXTERNAL)));
    mlc_op_build_attr(p, op, "visibility_",
                      i64(p, parse_case(p, &mlc_llvm_visibility_attr_def, 0)));
}

static void
parse_unnamed_addr(MlcParser *p, MlcOpBuild *op)
{
    mlc_op_build_attr(p, op, "unnamed_addr",
                      i64(p, parse_case(p, &mlc_llvm_unnamed_addr_attr_def, 0)));
}

// comdat(@table::@selector)
static bool
parse_optional_comdat(MlcParser *p, MlcOpBuild *op)
{
    MlcAttr comdat;
    if (!mlc_parse_optional_token(p, "comdat"))
        return true;
    if (!mlc_parse_token(p, "(") || !mlc_parse_attribute(p, NULL, &comdat) ||
        !mlc_parse_token(p, ")"))
        return false;
    mlc_op_build_attr(p, op, "comdat", comdat);
    return true;
}

static void
print_comdat(MlcPrinter *p, MlcAttr comdat)
{
    if (!comdat)
        return;
    mlc_print_str(p, " comdat(");
    mlc_print_attribute(p, comdat);
    mlc_print_str(p, ")");
}

static MlcType
function_type(MlcContext *ctx, MlcType result, const MlcTypeVec *args, bool is_variadic)
{
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < args->size; i++)
        mlc_vec_push(&list, mlc_type_attr_get(args->data[i]));
    MlcAttr params[3] = {mlc_type_attr_get(result), mlc_array_attr_get(ctx, list.data, list.size),
                         mlc_bool_attr_get(ctx, is_variadic)};
    mlc_vec_release(&list);
    return mlc_dialect_type_get(ctx, &mlc_llvm_func_type_def, params, 3);
}

static MlcType
void_type(MlcContext *ctx)
{
    return mlc_dialect_type_get(ctx, &mlc_llvm_void_type_def, NULL, 0);
}

// llvm.func linkage? visibility? unnamed_addr? cconv? @name(...) -> t vscale_range(a, b)?
// comdat(..)? attributes {..}? {..}?

static bool
parse_vscale_range(MlcParser *p, MlcOpBuild *op)
{
    int64_t low, high;
    if (!mlc_parse_optional_token(p, "vscale_range"))
        return true;
    if (!mlc_parse_token(p, "(") || !mlc_parse_integer(p, &low) || !mlc_parse_token(p, ",") ||
        !mlc_parse_integer(p, &high) || !mlc_parse_token(p, ")"))
        return false;
    MlcContext *ctx = mlc_parser_context(p);
    MlcAttr params[2] = {mlc_i32_attr_get(ctx, (int32_t)low), mlc_i32_attr_get(ctx, (int32_t)high)};
    mlc_op_build_attr(p, op, "vscale_range",
                      mlc_dialect_attr_get(ctx, &mlc_llvm_vscale_range_attr_def, params, 2));
    return true;
}

static bool
set_function_type(MlcParser *p, MlcLoc loc, const MlcSignature *s, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    if (s->results.size > 1)
        return mlc_parser_error_at(
            p, loc, "failed to construct function type: expected zero or one function result");
    if (s->results.size && !mlc_llvm_is_compatible_type(s->results.data[0]))
        return mlc_parser_error_at(
            p, loc,
            "failed to construct function type: expected LLVM type for function results'%s'",
            mlc_type_text(s->results.data[0]));
    MlcTypeVec args = {0};
    mlc_signature_types(s, &args);
    for (size_t i = 0; i < args.size; i++)
        if (!mlc_llvm_is_compatible_type(args.data[i]))
            return mlc_vec_release(&args),
                   mlc_parser_error_at(p, loc,
                                       "failed to construct function type: expected LLVM type for "
                                       "function arguments");
    MlcType type = function_type(ctx, s->results.size ? s->results.data[0] : void_type(ctx), &args,
                                 s->is_variadic);
    mlc_op_build_attr(p, op, "function_type", mlc_type_attr_get(type));
    mlc_vec_release(&args);
    return true;
}

bool
mlc_llvm_func_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcStr name;
    MlcSignature s = {0};
    parse_linkage_and_visibility(p, op);
    parse_unnamed_addr(p, op);
    mlc_op_build_attr(
        p, op, "CConv",
        enumeration(p, &mlc_llvm_cconv_attr_def, parse_case(p, &mlc_llvm_cconv_attr_def, CCC)));
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_symbol_name(p, &name))
        return false;
    mlc_op_build_attr(p, op, "sym_name", mlc_string_attr_get(mlc_parser_context(p), name));
    bool ok = mlc_parse_signature(p, true, &s) && set_function_type(p, loc, &s, op) &&
              parse_vscale_range(p, op) && parse_optional_comdat(p, op) &&
              mlc_parse_attr_dict_with_keyword(p, op);
    if (ok)
        mlc_signature_set_attrs(p, &s, op);
    MlcRegion *body = mlc_op_build_region(p, op);
    bool has_names = s.args.size && s.args.data[0].ref.name.size;
    ok = ok && mlc_parse_optional_region(p, body, has_names ? &s.args : NULL) >= 0;
    mlc_signature_release(&s);
    return ok;
}

static void
parts_of_function_type(MlcType type, MlcTypeVec *args, MlcType *result, bool *is_variadic)
{
    MlcAttr list = mlc_dialect_type_param(type, 1);
    for (size_t i = 0; i < mlc_array_attr_size(list); i++)
        mlc_vec_push(args, mlc_type_attr_value(mlc_array_attr_element(list, i)));
    *result = mlc_type_attr_value(mlc_dialect_type_param(type, 0));
    *is_variadic = mlc_attr_as_bool(mlc_dialect_type_param(type, 2));
}

void
mlc_llvm_func_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {
        "sym_name",    "function_type", "arg_attrs",    "res_attrs",    "linkage", "CConv",
        "visibility_", "comdat",        "unnamed_addr", "vscale_range", NULL};
    MlcTypeVec args = {0};
    MlcType result;
    bool is_variadic;
    MlcRegion *body = mlc_llvm_func_body(op);
    parts_of_function_type(mlc_type_attr_value(mlc_llvm_func_function_type(op)), &args, &result,
                           &is_variadic);
    mlc_print_str(p, " ");
    print_case(p, &mlc_llvm_linkage_attr_def, mlc_llvm_func_linkage_attr(op), EXTERNAL);
    print_case(p, &mlc_llvm_visibility_attr_def, mlc_llvm_func_visibility__attr(op), 0);
    print_case(p, &mlc_llvm_unnamed_addr_attr_def, mlc_llvm_func_unnamed_addr(op), 0);
    print_case(p, &mlc_llvm_cconv_attr_def, mlc_llvm_func_cconv_attr(op), CCC);
    mlc_print_symbol_name(p, mlc_llvm_func_sym_name(op));
    bool is_void = mlc_dialect_type_def(result) == &mlc_llvm_void_type_def;
    mlc_print_signature(p, op, args.data, args.size, &result, is_void ? 0 : 1, is_variadic, body);
    MlcAttr range = mlc_llvm_func_vscale_range(op);
    if (range)
        mlc_buf_printf(mlc_printer_buf(p), " vscale_range(%lld, %lld)",
                       (long long)mlc_attr_as_int(mlc_dialect_attr_param(range, 0)),
                       (long long)mlc_attr_as_int(mlc_dialect_attr_param(range, 1)));
    print_comdat(p, mlc_llvm_func_comdat(op));
    mlc_print_attr_dict_with_keyword(p, op, elided);
    if (!mlc_region_is_empty(body)) {
        mlc_print_str(p, " ");
        mlc_print_region(p, body, false, true, false);
    }
    mlc_vec_release(&args);
}

// llvm.mlir.global linkage? visibility? thread_local? unnamed_addr? constant? @name(value?) comdat?
// {attrs} : type {...}?

bool
mlc_llvm_mlir_global_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr name;
    MlcAttr value = NULL;
    MlcType type = NULL;
    parse_linkage_and_visibility(p, op);
    if (mlc_parse_optional_token(p, "thread_local"))
        mlc_op_build_attr(p, op, "thread_local_", mlc_unit_attr_get(ctx));
    parse_unnamed_addr(p, op);
    if (mlc_parse_optional_token(p, "constant"))
        mlc_op_build_attr(p, op, "constant", mlc_unit_attr_get(ctx));
    if (!mlc_parse_symbol_name(p, &name) || !mlc_parse_token(p, "("))
        return false;
    mlc_op_build_attr(p, op, "sym_name", mlc_string_attr_get(ctx, name));
    if (!mlc_parse_optional_token(p, ")")) {
        if (!mlc_parse_attribute(p, NULL, &value) || !mlc_parse_token(p, ")"))
            return false;
        mlc_op_build_attr(p, op, "value", value);
    }
    if (!parse_optional_comdat(p, op) || !mlc_parse_attr_dict(p, op))
        return false;
    if (mlc_parse_optional_token(p, ":") && !mlc_parse_type_into(p, &type))
        return false;
    MlcRegion *initializer = mlc_op_build_region(p, op);
    if (!type && mlc_attr_is(value, MLC_ATTR_STRING)) {
        MlcAttr params[2] = {mlc_type_attr_get(mlc_integer_type_get(ctx, 8, MLC_SIGNLESS)),
                             mlc_i64_attr_get(ctx, (int64_t)mlc_string_attr_value(value).size)};
        type = mlc_dialect_type_get(ctx, &mlc_llvm_array_type_def, params, 2);
    } else if (!type) {
        return mlc_parser_error_at(p, op->loc, "type can only be omitted for string globals");
    } else if (mlc_parse_optional_region(p, initializer, NULL) < 0) {
        return false;
    }
    mlc_op_build_attr(p, op, "global_type", mlc_type_attr_get(type));
    return true;
}

void
mlc_llvm_mlir_global_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {
        "sym_name",     "global_type",   "constant",    "value",  "linkage",
        "unnamed_addr", "thread_local_", "visibility_", "comdat", NULL};
    MlcAttr value = mlc_llvm_mlir_global_value(op);
    MlcRegion *initializer = mlc_llvm_mlir_global_initializer(op);
    mlc_print_str(p, " ");
    mlc_print_str(p, case_name(&mlc_llvm_linkage_attr_def, mlc_llvm_mlir_global_linkage(op)));
    mlc_print_str(p, " ");
    print_case(p, &mlc_llvm_visibility_attr_def, mlc_llvm_mlir_global_visibility__attr(op), 0);
    if (mlc_llvm_mlir_global_thread_local_(op))
        mlc_print_str(p, "thread_local ");
    print_case(p, &mlc_llvm_unnamed_addr_attr_def, mlc_llvm_mlir_global_unnamed_addr(op), 0);
    if (mlc_llvm_mlir_global_constant(op))
        mlc_print_str(p, "constant ");
    mlc_print_symbol_name(p, mlc_llvm_mlir_global_sym_name(op));
    mlc_print_str(p, "(");
    if (value)
        mlc_print_attribute(p, value);
    mlc_print_str(p, ")");
    print_comdat(p, mlc_llvm_mlir_global_comdat(op));
    mlc_print_attr_dict(p, op, elided);
    if (mlc_attr_is(value, MLC_ATTR_STRING))
        return;
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_llvm_mlir_global_global_type(op));
    if (!mlc_region_is_empty(initializer)) {
        mlc_print_str(p, " ");
        mlc_print_region(p, initializer, false, true, false);
    }
}

// llvm.call cconv? tailcall? @f(%a) vararg(type)? {attrs} : (t) -> u; a pointer in front: llvm.call
// %p(%a) : !llvm.ptr, (t) -> u

typedef struct CallParts {
    MlcOperandRefVec operands; // the pointer first, if there is one
    bool is_direct;
    MlcType pointer, type;
} CallParts;

static bool
parse_callee(MlcParser *p, CallParts *call, MlcOpBuild *op)
{
    MlcStr name;
    MlcOperandRef ref;
    int found = mlc_parse_optional_operand(p, &ref);
    if (found < 0)
        return false;
    call->is_direct = !found;
    if (found)
        mlc_vec_push(&call->operands, ref);
    else if (!mlc_parse_symbol_name(p, &name))
        return false;
    else
        mlc_op_build_attr(p, op, "callee", mlc_symbol_ref_attr_get(mlc_parser_context(p), name));
    return mlc_parse_operands_within(p, "(", ")", &call->operands);
}

static bool
parse_optional_vararg(MlcParser *p, MlcOpBuild *op)
{
    MlcType type;
    if (!mlc_parse_optional_token(p, "vararg"))
        return true;
    if (!mlc_parse_token(p, "(") || !mlc_parse_type_into(p, &type) || !mlc_parse_token(p, ")"))
        return false;
    mlc_op_build_attr(p, op, "var_callee_type", mlc_type_attr_get(type));
    return true;
}

static bool
resolve_call(MlcParser *p, CallParts *call, MlcLoc loc, MlcOpBuild *op)
{
    MlcTypeVec types = {0};
    if (!call->is_direct)
        mlc_vec_push(&types, call->pointer);
    for (size_t i = 0; i < mlc_function_type_num_inputs(call->type); i++)
        mlc_vec_push(&types, mlc_function_type_inputs(call->type)[i]);
    for (size_t i = 0; i < mlc_function_type_num_results(call->type); i++)
        mlc_vec_push(&op->result_types, mlc_function_type_results(call->type)[i]);
    bool ok = mlc_resolve_operands(p, &call->operands, &types, loc, op);
    mlc_vec_release(&types);
    return ok;
}

static bool
check_call_type(MlcParser *p, MlcLoc loc, MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION))
        return mlc_parser_error_at(p, loc, "expected trailing function type");
    if (mlc_function_type_num_results(type) > 1)
        return mlc_parser_error_at(p, loc, "expected function with 0 or 1 result");
    if (mlc_function_type_num_results(type) == 1 &&
        mlc_type_isa(mlc_function_type_results(type)[0], "llvm.void"))
        return mlc_parser_error_at(p, loc, "expected a non-void result type");
    return true;
}

static bool
parse_call_types(MlcParser *p, CallParts *call)
{
    MlcTypeVec types = {0};
    MlcLoc loc = mlc_parser_loc(p);
    bool ok = mlc_parse_token(p, ":") && mlc_parse_type_list(p, &types);
    if (ok && call->is_direct && types.size != 1)
        ok = mlc_parser_error_at(p, loc, "expected direct call to have 1 trailing type");
    if (ok && !call->is_direct && types.size != 2)
        ok = mlc_parser_error_at(p, loc, "expected indirect call to have 2 trailing types");
    if (ok) {
        call->pointer = types.data[0];
        call->type = types.data[types.size - 1];
        ok = check_call_type(p, loc, call->type);
    }
    mlc_vec_release(&types);
    return ok;
}

bool
mlc_llvm_call_parse(MlcParser *p, MlcOpBuild *op)
{
    CallParts call = {0};
    MlcLoc loc = mlc_parser_loc(p);
    mlc_op_build_attr(
        p, op, "CConv",
        enumeration(p, &mlc_llvm_cconv_attr_def, parse_case(p, &mlc_llvm_cconv_attr_def, CCC)));
    mlc_op_build_attr(p, op, "TailCallKind",
                      enumeration(p, &mlc_llvm_tailcallkind_attr_def,
                                  parse_case(p, &mlc_llvm_tailcallkind_attr_def, NO_TAIL_CALL)));
    bool ok = parse_callee(p, &call, op) && parse_optional_vararg(p, op) &&
              mlc_parse_attr_dict(p, op) && parse_call_types(p, &call) &&
              resolve_call(p, &call, loc, op);
    mlc_vec_release(&call.operands);
    return ok;
}

static void
print_function_type_of(MlcPrinter *p, MlcOp *op, size_t first, size_t count)
{
    MlcTypeVec ins = {0}, outs = {0};
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(&ins, mlc_value_type(mlc_op_operand(op, first + i)));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&outs, mlc_value_type(mlc_op_result(op, i)));
    mlc_print_function_type(p, ins.data, ins.size, outs.data, outs.size);
    mlc_vec_release(&ins);
    mlc_vec_release(&outs);
}

static void
print_callee(MlcPrinter *p, MlcOp *op, MlcAttr callee, size_t num_args)
{
    if (callee)
        mlc_print_symbol_name(p, mlc_symbol_ref_attr_name(callee, 0));
    else
        mlc_print_operands(p, op, 0, 1);
    mlc_print_str(p, "(");
    mlc_print_operands(p, op, callee ? 0 : 1, num_args);
    mlc_print_str(p, ")");
}

static void
print_vararg(MlcPrinter *p, MlcAttr type)
{
    if (!type)
        return;
    mlc_print_str(p, " vararg(");
    mlc_print_attribute(p, type);
    mlc_print_str(p, ")");
}

void
mlc_llvm_call_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"callee", "var_callee_type", "CConv", "TailCallKind",
                                         NULL};
    static const char *const elided_with_flags[] = {"callee",       "var_callee_type", "CConv",
                                                    "TailCallKind", "fastmathFlags",   NULL};
    MlcAttr callee = mlc_llvm_call_callee(op), flags = mlc_llvm_call_fastmath_flags_attr(op);
    size_t num_args = mlc_op_num_operands(op) - (callee ? 0 : 1);
    mlc_print_str(p, " ");
    print_case(p, &mlc_llvm_cconv_attr_def, mlc_llvm_call_cconv_attr(op), CCC);
    print_case(p, &mlc_llvm_tailcallkind_attr_def, mlc_llvm_call_tail_call_kind_attr(op),
               NO_TAIL_CALL);
    print_callee(p, op, callee, num_args);
    print_vararg(p, mlc_llvm_call_var_callee_type(op));
    bool has_flags = flags && mlc_enum_attr_value(flags) != 0;
    mlc_print_attr_dict(p, op, has_flags ? elided : elided_with_flags);
    mlc_print_str(p, " : ");
    if (!callee) {
        mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
        mlc_print_str(p, ", ");
    }
    print_function_type_of(p, op, callee ? 0 : 1, num_args);
}

// llvm.invoke @f(%a) to ^x(%b : t) unwind ^y {attrs} : (t) -> u

static bool
parse_successor(MlcParser *p, const char *word, int32_t *num_operands, MlcOpBuild *op)
{
    MlcBlock *block;
    MlcOperandRefVec refs = {0};
    MlcTypeVec types = {0};
    MlcLoc loc = mlc_parser_loc(p);
    bool ok = mlc_parse_token(p, word) && mlc_parse_successor(p, &block);
    if (ok && mlc_parse_optional_token(p, "("))
        ok = mlc_parse_operand_list(p, &refs) && mlc_parse_token(p, ":") &&
             mlc_parse_type_list(p, &types) && mlc_parse_token(p, ")") &&
             mlc_resolve_operands(p, &refs, &types, loc, op);
    if (ok)
        mlc_vec_push(&op->successors, block);
    *num_operands = (int32_t)refs.size;
    mlc_vec_release(&refs);
    mlc_vec_release(&types);
    return ok;
}

// Operands of successors come before the types of the call's own: those are resolved last, and put
// in front.
static bool
parse_invoke(MlcParser *p, CallParts *call, MlcOpBuild *op)
{
    MlcLoc loc = mlc_parser_loc(p);
    int32_t sizes[3];
    if (!parse_callee(p, call, op) || !parse_successor(p, "to", &sizes[1], op) ||
        !parse_successor(p, "unwind", &sizes[2], op) || !parse_optional_vararg(p, op) ||
        !mlc_parse_attr_dict(p, op) || !parse_call_types(p, call))
        return false;
    MlcValueVec passed = op->operands;
    op->operands = (MlcValueVec){0};
    bool ok = resolve_call(p, call, loc, op);
    sizes[0] = (int32_t)op->operands.size;
    for (size_t i = 0; i < passed.size; i++)
        mlc_vec_push(&op->operands, passed.data[i]);
    mlc_vec_release(&passed);
    mlc_op_build_attr(p, op, "operandSegmentSizes",
                      mlc_i32_array_attr_get(mlc_parser_context(p), sizes, 3));
    return ok;
}

bool
mlc_llvm_invoke_parse(MlcParser *p, MlcOpBuild *op)
{
    CallParts call = {0};
    mlc_op_build_attr(
        p, op, "CConv",
        enumeration(p, &mlc_llvm_cconv_attr_def, parse_case(p, &mlc_llvm_cconv_attr_def, CCC)));
    bool ok = parse_invoke(p, &call, op);
    mlc_vec_release(&call.operands);
    return ok;
}

static void
print_successor(MlcPrinter *p, MlcOp *op, size_t i)
{
    size_t first, size;
    mlc_print_successor(p, mlc_op_successor(op, i));
    mlc_op_operand_group(op, 1 + i, &first, &size);
    if (size == 0)
        return;
    mlc_print_str(p, "(");
    mlc_print_operands(p, op, first, size);
    mlc_print_str(p, " : ");
    for (size_t k = 0; k < size; k++) {
        mlc_print_str(p, k ? ", " : "");
        mlc_print_type(p, mlc_value_type(mlc_op_operand(op, first + k)));
    }
    mlc_print_str(p, ")");
}

void
mlc_llvm_invoke_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"callee", "var_callee_type", "CConv",
                                         "operandSegmentSizes", NULL};
    MlcAttr callee = mlc_llvm_invoke_callee(op);
    size_t first, size;
    mlc_op_operand_group(op, 0, &first, &size);
    size_t num_args = size - (callee ? 0 : 1);
    mlc_print_str(p, " ");
    print_case(p, &mlc_llvm_cconv_attr_def, mlc_llvm_invoke_cconv_attr(op), CCC);
    print_callee(p, op, callee, num_args);
    mlc_print_str(p, " to ");
    print_successor(p, op, 0);
    mlc_print_str(p, " unwind ");
    print_successor(p, op, 1);
    print_vararg(p, mlc_llvm_invoke_var_callee_type(op));
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    if (!callee) {
        mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
        mlc_print_str(p, ", ");
    }
    print_function_type_of(p, op, callee ? 0 : 1, num_args);
}

// llvm.landingpad cleanup (catch %a : t) (filter %b : u) : v

bool
mlc_llvm_landingpad_parse(MlcParser *p, MlcOpBuild *op)
{
    if (mlc_parse_optional_token(p, "cleanup"))
        mlc_op_build_attr(p, op, "cleanup", mlc_unit_attr_get(mlc_parser_context(p)));
    while (mlc_parse_optional_token(p, "(")) {
        MlcOperandRef ref;
        MlcType type;
        if (!mlc_parse_optional_token(p, "filter") && !mlc_parse_token(p, "catch"))
            return false;
        if (!mlc_parse_operand(p, &ref) || !mlc_parse_token(p, ":") ||
            !mlc_parse_type_into(p, &type) || !mlc_resolve_operand(p, &ref, type, op) ||
            !mlc_parse_token(p, ")"))
            return false;
    }
    MlcType type;
    if (!mlc_parse_token(p, ":") || !mlc_parse_type_into(p, &type))
        return false;
    mlc_vec_push(&op->result_types, type);
    return true;
}

void
mlc_llvm_landingpad_print(MlcPrinter *p, MlcOp *op)
{
    mlc_print_str(p, mlc_llvm_landingpad_cleanup(op) ? " cleanup " : " ");
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_value_type(mlc_op_operand(op, i));
        mlc_print_str(p, mlc_dialect_type_def(type) == &mlc_llvm_array_type_def ? "(filter "
                                                                                : "(catch ");
        mlc_print_operands(p, op, i, 1);
        mlc_print_str(p, " : ");
        mlc_print_type(p, type);
        mlc_print_str(p, ") ");
    }
    mlc_print_str(p, ": ");
    mlc_print_type(p, mlc_value_type(mlc_op_result(op, 0)));
}

// llvm.icmp "eq" %a, %b {attrs} : t, and fcmp

static bool
parse_comparison(MlcParser *p, MlcOpBuild *op, const MlcAttrDef *predicates)
{
    MlcStr name;
    MlcLoc loc = mlc_parser_loc(p);
    MlcOperandRef refs[2];
    MlcType type;
    MlcAttr predicate;
    if (!mlc_parse_attribute(p, NULL, &predicate))
        return false;
    if (!mlc_attr_is(predicate, MLC_ATTR_STRING))
        return mlc_parser_error_at(p, loc, "invalid kind of attribute specified");
    name = mlc_string_attr_value(predicate);
    size_t i = 0;
    while (i < predicates->num_cases && !mlc_str_equal(name, mlc_str(predicates->cases[i].name)))
        i++;
    if (i == predicates->num_cases)
        return mlc_parser_error_at(
            p, loc, "'%.*s' is an incorrect value of the 'predicate' attribute", MLC_STR_FMT(name));
    mlc_op_build_attr(p, op, "predicate", i64(p, predicates->cases[i].value));
    if (!mlc_parse_operand(p, &refs[0]) || !mlc_parse_token(p, ",") ||
        !mlc_parse_operand(p, &refs[1]) || !mlc_parse_attr_dict(p, op) ||
        !mlc_parse_token(p, ":") || !mlc_parse_type_into(p, &type) ||
        !mlc_resolve_operand(p, &refs[0], type, op) || !mlc_resolve_operand(p, &refs[1], type, op))
        return false;
    mlc_vec_push(&op->result_types, mlc_llvm_comparison_type(type));
    return true;
}

static void
print_comparison(MlcPrinter *p, MlcOp *op, const MlcAttrDef *predicates, MlcAttr predicate,
                 const char *const *elided)
{
    mlc_print_str(p, " \"");
    mlc_print_str(p, case_name(predicates, mlc_attr_as_int(predicate)));
    mlc_print_str(p, "\" ");
    mlc_print_operands(p, op, 0, 2);
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
}

bool
mlc_llvm_icmp_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_comparison(p, op, &mlc_llvm_icmp_predicate_attr_def);
}

void
mlc_llvm_icmp_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"predicate", NULL};
    print_comparison(p, op, &mlc_llvm_icmp_predicate_attr_def, mlc_llvm_icmp_predicate_attr(op),
                     elided);
}

bool
mlc_llvm_fcmp_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_comparison(p, op, &mlc_llvm_fcmp_predicate_attr_def);
}

void
mlc_llvm_fcmp_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"predicate", NULL};
    static const char *const elided_with_flags[] = {"predicate", "fastmathFlags", NULL};
    MlcAttr flags = mlc_llvm_fcmp_fastmath_flags_attr(op);
    bool has_flags = flags && mlc_enum_attr_value(flags) != 0;
    print_comparison(p, op, &mlc_llvm_fcmp_predicate_attr_def, mlc_llvm_fcmp_predicate_attr(op),
                     has_flags ? elided : elided_with_flags);
}

// llvm.alloca inalloca? %n x t {attrs} : (i64) -> !llvm.ptr

static MlcNamedAttr *
alignment_of(MlcOpBuild *op)
{
    for (size_t i = 0; i < op->attrs.size; i++)
        if (mlc_str_equal(mlc_string_attr_value(op->attrs.data[i].name), mlc_str("alignment")))
            return &op->attrs.data[i];
    return NULL;
}

// An alignment of 0 goes without saying.
static bool
check_alignment(MlcParser *p, MlcOpBuild *op)
{
    int64_t value;
    MlcNamedAttr *alignment = alignment_of(op);
    if (!alignment)
        return true;
    if (!mlc_attr_is(alignment->value, MLC_ATTR_INTEGER))
        return mlc_parser_error_at(p, op->loc, "expected integer alignment");
    if (mlc_attr_try_as_int(alignment->value, &value) && value == 0)
        *alignment = op->attrs.data[--op->attrs.size];
    return true;
}

bool
mlc_llvm_alloca_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef size;
    MlcType element, type;
    if (mlc_parse_optional_token(p, "inalloca"))
        mlc_op_build_attr(p, op, "inalloca", mlc_unit_attr_get(mlc_parser_context(p)));
    if (!mlc_parse_operand(p, &size) || !mlc_parse_token(p, "x") ||
        !mlc_parse_type_into(p, &element) || !mlc_parse_attr_dict(p, op) ||
        !mlc_parse_token(p, ":"))
        return false;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_type_into(p, &type) || !check_alignment(p, op))
        return false;
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION) || mlc_function_type_num_inputs(type) != 1 ||
        mlc_function_type_num_results(type) != 1)
        return mlc_parser_error_at(
            p, loc, "expected trailing function type with one argument and one result");
    mlc_op_build_attr(p, op, "elem_type", mlc_type_attr_get(element));
    mlc_vec_push(&op->result_types, mlc_function_type_results(type)[0]);
    return mlc_resolve_operand(p, &size, mlc_function_type_inputs(type)[0], op);
}

void
mlc_llvm_alloca_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"elem_type", "inalloca", NULL};
    static const char *const elided_with_alignment[] = {"elem_type", "inalloca", "alignment", NULL};
    MlcAttr alignment = mlc_llvm_alloca_alignment(op);
    mlc_print_str(p, mlc_llvm_alloca_inalloca(op) ? " inalloca " : " ");
    mlc_print_operands(p, op, 0, 1);
    mlc_print_str(p, " x ");
    mlc_print_type(p, mlc_llvm_alloca_elem_type(op));
    bool has_alignment = alignment && mlc_attr_as_int(alignment) != 0;
    mlc_print_attr_dict(p, op, has_alignment ? elided : elided_with_alignment);
    mlc_print_str(p, " : ");
    print_function_type_of(p, op, 0, 1);
}

// llvm_asm.c -- the syntax of functions, calls, globals, comparisons and stack slots.
#include "mlc/ir/asm.h"

#include "mlc/ir.h"

enum { EXTERNAL = 10 }; // of llvm.linkage: what is not written

static MlcAttr
enum_attr(MlcContext *ctx, const char *name, int64_t value)
{
    return mlc_enum_attr_get(ctx, mlc_context_attr(ctx, mlc_str(name)), value);
}

static const char *
case_name(MlcContext *ctx, const char *enum_name, int64_t value)
{
    const MlcAttrDef *def = mlc_context_attr(ctx, mlc_str(enum_name));
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (def->cases[i].value == value)
            return def->cases[i].name;
    return "";
}

// A keyword that is one of the enumeration's names, if it is there; else `*value` stays.
static bool
parse_optional_case(MlcParser *p, const char *enum_name, int64_t *value)
{
    const MlcAttrDef *def = mlc_context_attr(mlc_parser_context(p), mlc_str(enum_name));
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (def->cases[i].name[0] && mlc_parse_optional_token(p, def->cases[i].name))
            return *value = def->cases[i].value, true;
    return false;
}

// llvm.icmp "slt" %a, %b : i32 and llvm.fcmp.

static bool
parse_compare(MlcParser *p, MlcOpBuild *op, const char *enum_name)
{
    MlcContext *ctx = mlc_parser_context(p);
    const MlcAttrDef *def = mlc_context_attr(ctx, mlc_str(enum_name));
    MlcStr name;
    MlcOperandRef lhs, rhs;
    MlcType type;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_string(p, &name))
        return false;
    size_t i = 0;
    while (i < def->num_cases && !mlc_str_equal(name, mlc_str(def->cases[i].name)))
        i++;
    if (i == def->num_cases)
        return mlc_parser_error_at(p, loc, "'%.*s' is an incorrect value of the 'predicate' attribute", MLC_STR_FMT(name));
    if (!mlc_parse_operand(p, &lhs) || !mlc_parse_token(p, ",") || !mlc_parse_operand(p, &rhs) ||
        !mlc_parse_attr_dict(p, op) || !mlc_parse_token(p, ":") || !mlc_parse_type_into(p, &type))
        return false;
    mlc_op_build_attr(p, op, "predicate", mlc_i64_attr_get(ctx, def->cases[i].value));
    MlcType i1 = mlc_integer_type_get(ctx, 1, MLC_SIGNLESS);
    mlc_vec_push(&op->result_types, mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_with_element(type, i1) : i1);
    return mlc_resolve_operand(p, &lhs, type, op) && mlc_resolve_operand(p, &rhs, type, op);
}

static void
print_compare(MlcPrinter *p, MlcOp *op, const char *enum_name)
{
    static const char *const elided[] = {"predicate", NULL};
    int64_t predicate = mlc_enum_attr_value(mlc_op_attr(op, "predicate"));
    mlc_buf_printf(mlc_printer_buf(p), " \"%s\" ", case_name(mlc_op_context(op), enum_name, predicate));
    mlc_print_operands(p, op, 0, 2);
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
}

bool
mlc_llvm_icmp_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_compare(p, op, "llvm.icmp_predicate");
}

void
mlc_llvm_icmp_print(MlcPrinter *p, MlcOp *op)
{
    print_compare(p, op, "llvm.icmp_predicate");
}

bool
mlc_llvm_fcmp_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_compare(p, op, "llvm.fcmp_predicate");
}

void
mlc_llvm_fcmp_print(MlcPrinter *p, MlcOp *op)
{
    print_compare(p, op, "llvm.fcmp_predicate");
}

// llvm.alloca [inalloca] %n x f32 {alignment = 8 : i64} : (i64) -> !llvm.ptr

bool
mlc_llvm_alloca_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef count;
    MlcType element, type;
    if (mlc_parse_optional_token(p, "inalloca"))
        mlc_op_build_attr(p, op, "inalloca", mlc_unit_attr_get(mlc_parser_context(p)));
    if (!mlc_parse_operand(p, &count) || !mlc_parse_token(p, "x") || !mlc_parse_type_into(p, &element) ||
        !mlc_parse_attr_dict(p, op) || !mlc_parse_token(p, ":"))
        return false;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_type_into(p, &type))
        return false;
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION) || mlc_function_type_num_inputs(type) != 1 ||
        mlc_function_type_num_results(type) != 1)
        return mlc_parser_error_at(p, loc, "expected trailing function type with one argument and one result");
    mlc_op_build_attr(p, op, "elem_type", mlc_type_attr_get(element));
    mlc_vec_push(&op->result_types, mlc_function_type_results(type)[0]);
    return mlc_resolve_operand(p, &count, mlc_function_type_inputs(type)[0], op);
}

void
mlc_llvm_alloca_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"elem_type", "inalloca", NULL};
    static const char *const elided_alignment[] = {"elem_type", "inalloca", "alignment", NULL};
    MlcAttr alignment = mlc_op_attr(op, "alignment");
    MlcType in = mlc_value_type(mlc_op_operand(op, 0)), out = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_op_attr(op, "inalloca"))
        mlc_print_str(p, " inalloca");
    mlc_print_str(p, " ");
    mlc_print_operand(p, mlc_op_operand(op, 0));
    mlc_print_str(p, " x ");
    mlc_print_type(p, mlc_type_attr_value(mlc_op_attr(op, "elem_type")));
    bool unaligned = !alignment || mlc_attr_as_int(alignment) == 0;
    mlc_print_attr_dict(p, op, unaligned ? elided_alignment : elided);
    mlc_print_str(p, " : ");
    mlc_print_function_type(p, &in, 1, &out, 1);
}

// llvm.call @f(%a) : (i32) -> i32, llvm.call %fn(%a) : !llvm.ptr, (i32) -> ()

bool
mlc_llvm_call_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcOperandRef callee;
    MlcOperandRefVec args = {0};
    MlcStr symbol;
    MlcType type, pointer = NULL;
    int64_t value;
    if (parse_optional_case(p, "llvm.cconv", &value))
        mlc_op_build_attr(p, op, "CConv", enum_attr(ctx, "llvm.cconv", value));
    if (parse_optional_case(p, "llvm.tailcallkind", &value))
        mlc_op_build_attr(p, op, "TailCallKind", enum_attr(ctx, "llvm.tailcallkind", value));
    int indirect = mlc_parse_optional_operand(p, &callee);
    if (indirect < 0)
        return false;
    if (!indirect) {
        if (!mlc_parse_symbol_name(p, &symbol))
            return false;
        mlc_op_build_attr(p, op, "callee", mlc_symbol_ref_attr_get(ctx, symbol));
    }
    bool ok = mlc_parse_token(p, "(") && mlc_parse_operand_list(p, &args) && mlc_parse_token(p, ")");
    if (ok && mlc_parse_optional_token(p, "vararg")) {
        MlcType variadic;
        ok = mlc_parse_token(p, "(") && mlc_parse_type_into(p, &variadic) && mlc_parse_token(p, ")");
        if (ok)
            mlc_op_build_attr(p, op, "var_callee_type", mlc_type_attr_get(variadic));
    }
    ok = ok && mlc_parse_attr_dict(p, op) && mlc_parse_token(p, ":");
    if (ok && indirect)
        ok = mlc_parse_type_into(p, &pointer) && mlc_parse_token(p, ",") && mlc_resolve_operand(p, &callee, pointer, op);
    MlcLoc loc = mlc_parser_loc(p);
    ok = ok && mlc_parse_type_into(p, &type);
    if (ok && !mlc_type_is(type, MLC_TYPE_FUNCTION))
        ok = mlc_parser_error_at(p, loc, "expected a function type");
    if (ok && mlc_function_type_num_results(type) > 1)
        ok = mlc_parser_error_at(p, loc, "expected function with 0 or 1 result");
    if (ok && mlc_function_type_num_inputs(type) != args.size)
        ok = mlc_parser_error_at(p, loc, "%zu operands present, but expected %zu", args.size,
                                 mlc_function_type_num_inputs(type));
    for (size_t i = 0; ok && i < args.size; i++)
        ok = mlc_resolve_operand(p, &args.data[i], mlc_function_type_inputs(type)[i], op);
    if (ok && mlc_function_type_num_results(type) == 1)
        mlc_vec_push(&op->result_types, mlc_function_type_results(type)[0]);
    mlc_vec_release(&args);
    return ok;
}

void
mlc_llvm_call_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"callee", "CConv", "var_callee_type", "TailCallKind", NULL};
    MlcContext *ctx = mlc_op_context(op);
    MlcAttr callee = mlc_op_attr(op, "callee"), variadic = mlc_op_attr(op, "var_callee_type");
    MlcAttr convention = mlc_op_attr(op, "CConv"), tail = mlc_op_attr(op, "TailCallKind");
    size_t first = callee ? 0 : 1, count = mlc_op_num_operands(op) - first;
    MlcBuf *out = mlc_printer_buf(p);
    mlc_print_str(p, " ");
    if (convention && mlc_enum_attr_value(convention) != 0)
        mlc_buf_printf(out, "%s ", case_name(ctx, "llvm.cconv", mlc_enum_attr_value(convention)));
    if (tail && mlc_enum_attr_value(tail) != 0)
        mlc_buf_printf(out, "%s ", case_name(ctx, "llvm.tailcallkind", mlc_enum_attr_value(tail)));
    if (callee)
        mlc_print_symbol_name(p, mlc_symbol_ref_attr_name(callee, 0));
    else
        mlc_print_operand(p, mlc_op_operand(op, 0));
    mlc_print_str(p, "(");
    mlc_print_operands(p, op, first, count);
    mlc_print_str(p, ")");
    if (variadic) {
        mlc_print_str(p, " vararg(");
        mlc_print_attribute(p, variadic);
        mlc_print_str(p, ")");
    }
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    if (!callee) {
        mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
        mlc_print_str(p, ", ");
    }
    MlcTypeVec ins = {0}, outs = {0};
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(&ins, mlc_value_type(mlc_op_operand(op, first + i)));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&outs, mlc_value_type(mlc_op_result(op, i)));
    mlc_print_function_type(p, ins.data, ins.size, outs.data, outs.size);
    mlc_vec_release(&ins);
    mlc_vec_release(&outs);
}

// llvm.func internal @f(%arg0: !llvm.ptr {llvm.noalias}) -> i32 attributes {...} { ... }

static bool
parse_function_args(MlcParser *p, MlcBlockArgRefVec *args, MlcTypeVec *types, bool *variadic, bool *named)
{
    *variadic = false;
    *named = false;
    if (!mlc_parse_token(p, "("))
        return false;
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do {
        if ((*variadic = mlc_parse_optional_token(p, "...")))
            break;
        MlcBlockArgRef arg = {0};
        int is_type = mlc_parse_optional_type(p, &arg.type);
        if (is_type < 0 || (!is_type && !mlc_parse_block_arg(p, true, &arg)))
            return false;
        *named = !is_type;
        if (is_type && mlc_parse_optional_attribute(p, NULL, &arg.attrs) < 0)
            return false;
        mlc_vec_push(types, arg.type);
        mlc_vec_push(args, arg);
    } while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

static bool
parse_function_results(MlcParser *p, MlcType *result, MlcAttr *attrs)
{
    *result = NULL;
    *attrs = NULL;
    if (!mlc_parse_optional_token(p, "->"))
        return true;
    bool grouped = mlc_parse_optional_token(p, "(");
    if (!mlc_parse_type_into(p, result))
        return false;
    if (grouped && (mlc_parse_optional_attribute(p, NULL, attrs) < 0 || !mlc_parse_token(p, ")")))
        return false;
    return true;
}

static void
build_arg_attrs(MlcParser *p, MlcOpBuild *op, const MlcBlockArgRefVec *args)
{
    MlcContext *ctx = mlc_parser_context(p);
    MLC_VEC(MlcAttr) list = {0};
    bool any = false;
    for (size_t i = 0; i < args->size; i++) {
        MlcAttr attrs = args->data[i].attrs;
        any = any || (attrs && mlc_dict_attr_size(attrs) > 0);
        mlc_vec_push(&list, attrs ? attrs : mlc_dict_attr_get(ctx, NULL, 0));
    }
    if (any)
        mlc_op_build_attr(p, op, "arg_attrs", mlc_array_attr_get(ctx, list.data, list.size));
    mlc_vec_release(&list);
}

bool
mlc_llvm_func_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcBlockArgRefVec args = {0};
    MlcTypeVec types = {0};
    MlcStr name;
    MlcType result;
    MlcAttr result_attrs;
    bool variadic, named;
    int64_t linkage = EXTERNAL, visibility = 0, convention = 0;
    parse_optional_case(p, "llvm.linkage", &linkage);
    if (parse_optional_case(p, "llvm.visibility", &visibility))
        mlc_op_build_attr(p, op, "visibility_", mlc_i64_attr_get(ctx, visibility));
    if (parse_optional_case(p, "llvm.cconv", &convention))
        mlc_op_build_attr(p, op, "CConv", enum_attr(ctx, "llvm.cconv", convention));
    mlc_op_build_attr(p, op, "linkage", enum_attr(ctx, "llvm.linkage", linkage));
    bool ok = mlc_parse_symbol_name(p, &name) && parse_function_args(p, &args, &types, &variadic, &named) &&
              parse_function_results(p, &result, &result_attrs) && mlc_parse_attr_dict_with_keyword(p, op);
    if (ok) {
        MLC_VEC(MlcAttr) params = {0};
        for (size_t i = 0; i < types.size; i++)
            mlc_vec_push(&params, mlc_type_attr_get(types.data[i]));
        if (!result)
            result = mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.void")), NULL, 0);
        MlcAttr parts[3] = {mlc_type_attr_get(result), mlc_array_attr_get(ctx, params.data, params.size),
                            mlc_bool_attr_get(ctx, variadic)};
        mlc_vec_release(&params);
        MlcType type = mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.func")), parts, 3);
        mlc_op_build_attr(p, op, "sym_name", mlc_string_attr_get(ctx, name));
        mlc_op_build_attr(p, op, "function_type", mlc_type_attr_get(type));
        build_arg_attrs(p, op, &args);
        if (result_attrs)
            mlc_op_build_attr(p, op, "res_attrs", mlc_array_attr_get(ctx, &result_attrs, 1));
        ok = mlc_parse_optional_region(p, mlc_op_build_region(p, op), named ? &args : NULL) >= 0;
    }
    mlc_vec_release(&args);
    mlc_vec_release(&types);
    return ok;
}

static void
print_arg_dict(MlcPrinter *p, MlcAttr list, size_t i)
{
    MlcAttr dict = list ? mlc_array_attr_element(list, i) : NULL;
    if (!dict || mlc_dict_attr_size(dict) == 0)
        return;
    mlc_print_str(p, " ");
    mlc_print_attribute(p, dict);
}

static bool
is_void(MlcType type)
{
    return mlc_type_isa(type, "llvm.void");
}

void
mlc_llvm_func_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"sym_name", "function_type", "arg_attrs", "res_attrs",
                                         "linkage",  "visibility_",   "CConv",     NULL};
    MlcContext *ctx = mlc_op_context(op);
    MlcBuf *out = mlc_printer_buf(p);
    MlcType type = mlc_type_attr_value(mlc_op_attr(op, "function_type"));
    MlcAttr linkage = mlc_op_attr(op, "linkage"), visibility = mlc_op_attr(op, "visibility_");
    MlcAttr convention = mlc_op_attr(op, "CConv"), params = mlc_dialect_type_param(type, 1);
    MlcAttr arg_attrs = mlc_op_attr(op, "arg_attrs"), res_attrs = mlc_op_attr(op, "res_attrs");
    MlcType result = mlc_type_attr_value(mlc_dialect_type_param(type, 0));
    MlcRegion *body = mlc_op_region(op, 0);
    mlc_print_str(p, " ");
    if (linkage && mlc_enum_attr_value(linkage) != EXTERNAL)
        mlc_buf_printf(out, "%s ", case_name(ctx, "llvm.linkage", mlc_enum_attr_value(linkage)));
    if (visibility && mlc_enum_attr_value(visibility) != 0)
        mlc_buf_printf(out, "%s ", case_name(ctx, "llvm.visibility", mlc_enum_attr_value(visibility)));
    if (convention && mlc_enum_attr_value(convention) != 0)
        mlc_buf_printf(out, "%s ", case_name(ctx, "llvm.cconv", mlc_enum_attr_value(convention)));
    mlc_print_symbol_name(p, mlc_symbol_name(op));
    mlc_print_str(p, "(");
    size_t n = mlc_array_attr_size(params);
    for (size_t i = 0; i < n; i++) {
        mlc_print_str(p, i > 0 ? ", " : "");
        if (mlc_region_is_empty(body))
            mlc_print_type(p, mlc_type_attr_value(mlc_array_attr_element(params, i)));
        else
            mlc_print_block_arg(p, mlc_block_arg(mlc_region_first(body), i), true);
        print_arg_dict(p, arg_attrs, i);
    }
    if (mlc_attr_as_bool(mlc_dialect_type_param(type, 2)))
        mlc_print_str(p, n > 0 ? ", ..." : "...");
    mlc_print_str(p, ")");
    if (!is_void(result)) {
        MlcAttr dict = res_attrs ? mlc_array_attr_element(res_attrs, 0) : NULL;
        bool grouped = dict && mlc_dict_attr_size(dict) > 0;
        mlc_print_str(p, grouped ? " -> (" : " -> ");
        mlc_print_type(p, result);
        print_arg_dict(p, res_attrs, 0);
        mlc_print_str(p, grouped ? ")" : "");
    }
    mlc_print_attr_dict_with_keyword(p, op, elided);
    if (!mlc_region_is_empty(body)) {
        mlc_print_str(p, " ");
        mlc_print_region(p, body, false, true, false);
    }
}

// llvm.mlir.global internal constant @g(dense<0> : ...) {addr_space = 0 : i32} : type { initializer }

bool
mlc_llvm_mlir_global_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr name;
    MlcAttr value = NULL;
    int64_t linkage = EXTERNAL, visibility = 0, unnamed = 0;
    parse_optional_case(p, "llvm.linkage", &linkage);
    mlc_op_build_attr(p, op, "linkage", enum_attr(ctx, "llvm.linkage", linkage));
    if (parse_optional_case(p, "llvm.visibility", &visibility))
        mlc_op_build_attr(p, op, "visibility_", mlc_i64_attr_get(ctx, visibility));
    if (mlc_parse_optional_token(p, "thread_local"))
        mlc_op_build_attr(p, op, "thread_local_", mlc_unit_attr_get(ctx));
    if (parse_optional_case(p, "llvm.unnamed_addr", &unnamed))
        mlc_op_build_attr(p, op, "unnamed_addr", mlc_i64_attr_get(ctx, unnamed));
    if (mlc_parse_optional_token(p, "constant"))
        mlc_op_build_attr(p, op, "constant", mlc_unit_attr_get(ctx));
    if (!mlc_parse_symbol_name(p, &name) || !mlc_parse_token(p, "("))
        return false;
    mlc_op_build_attr(p, op, "sym_name", mlc_string_attr_get(ctx, name));
    if (!mlc_parse_optional_token(p, ")") && (!mlc_parse_attribute(p, NULL, &value) || !mlc_parse_token(p, ")")))
        return false;
    if (value)
        mlc_op_build_attr(p, op, "value", value);
    MlcType type = NULL;
    if (!mlc_parse_attr_dict(p, op))
        return false;
    if (mlc_parse_optional_token(p, ":") && !mlc_parse_type_into(p, &type))
        return false;
    if (!type && mlc_attr_is(value, MLC_ATTR_STRING)) { // the string's bytes
        MlcAttr params[2] = {mlc_type_attr_get(mlc_integer_type_get(ctx, 8, MLC_SIGNLESS)),
                             mlc_i64_attr_get(ctx, (int64_t)mlc_string_attr_value(value).size)};
        type = mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.array")), params, 2);
    }
    if (!type)
        return mlc_parser_error(p, "type can only be omitted for string globals");
    mlc_op_build_attr(p, op, "global_type", mlc_type_attr_get(type));
    return mlc_parse_optional_region(p, mlc_op_build_region(p, op), NULL) >= 0;
}

void
mlc_llvm_mlir_global_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"sym_name", "global_type",   "constant",     "value",       "linkage",
                                         "visibility_", "thread_local_", "unnamed_addr", NULL};
    MlcContext *ctx = mlc_op_context(op);
    MlcBuf *out = mlc_printer_buf(p);
    MlcAttr value = mlc_op_attr(op, "value"), visibility = mlc_op_attr(op, "visibility_");
    MlcAttr unnamed = mlc_op_attr(op, "unnamed_addr");
    mlc_buf_printf(out, " %s ", case_name(ctx, "llvm.linkage", mlc_enum_attr_value(mlc_op_attr(op, "linkage"))));
    if (visibility && mlc_enum_attr_value(visibility) != 0)
        mlc_buf_printf(out, "%s ", case_name(ctx, "llvm.visibility", mlc_enum_attr_value(visibility)));
    if (mlc_op_attr(op, "thread_local_"))
        mlc_print_str(p, "thread_local ");
    if (unnamed && mlc_enum_attr_value(unnamed) != 0)
        mlc_buf_printf(out, "%s ", case_name(ctx, "llvm.unnamed_addr", mlc_enum_attr_value(unnamed)));
    if (mlc_op_attr(op, "constant"))
        mlc_print_str(p, "constant ");
    mlc_print_symbol_name(p, mlc_symbol_name(op));
    mlc_print_str(p, "(");
    if (value)
        mlc_print_attribute(p, value);
    mlc_print_str(p, ")");
    mlc_print_attr_dict(p, op, elided);
    if (!mlc_attr_is(value, MLC_ATTR_STRING)) {
        mlc_print_str(p, " : ");
        mlc_print_type(p, mlc_type_attr_value(mlc_op_attr(op, "global_type")));
    }
    if (!mlc_region_is_empty(mlc_op_region(op, 0))) {
        mlc_print_str(p, " ");
        mlc_print_region(p, mlc_op_region(op, 0), false, true, false);
    }
}

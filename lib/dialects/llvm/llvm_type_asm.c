// llvm_type_asm.c -- the syntax of LLVM's types: inside one, the others stand without `!llvm.`.
//
// A struct with a name is identified by it; its body ([packed, member types...]) is set once and may mention the struct.
#include "mlc/ir/asm.h"

#include "mlc/ir.h"

#include <stdio.h>

static void print_type(MlcPrinter *p, MlcType type);
static bool parse_type(MlcParser *p, MlcType *type);

static const MlcTypeDef *
def_of(MlcParser *p, const char *name)
{
    return mlc_context_type(mlc_parser_context(p), mlc_str(name));
}

static void
print_types(MlcPrinter *p, MlcAttr list)
{
    for (size_t i = 0; i < mlc_array_attr_size(list); i++) {
        mlc_print_str(p, i > 0 ? ", " : "");
        print_type(p, mlc_type_attr_value(mlc_array_attr_element(list, i)));
    }
}

static bool
parse_types(MlcParser *p, const char *close, MlcAttr *list)
{
    MLC_VEC(MlcAttr) types = {0};
    bool ok = true;
    if (!mlc_parse_optional_token(p, close)) {
        do {
            MlcType type;
            if ((ok = parse_type(p, &type)))
                mlc_vec_push(&types, mlc_type_attr_get(type));
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, close);
    }
    *list = ok ? mlc_array_attr_get(mlc_parser_context(p), types.data, types.size) : NULL;
    mlc_vec_release(&types);
    return ok;
}

// !llvm.array<4 x f32>

MlcType
mlc_llvm_array_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    int64_t count;
    MlcType element;
    MlcContext *ctx = mlc_parser_context(p);
    if (!mlc_parse_token(p, "<") || !mlc_parse_integer(p, &count) || !mlc_parse_token(p, "x") ||
        !parse_type(p, &element) || !mlc_parse_token(p, ">"))
        return NULL;
    MlcAttr params[2] = {mlc_type_attr_get(element), mlc_i64_attr_get(ctx, count)};
    return mlc_dialect_type_get(ctx, def, params, 2);
}

void
mlc_llvm_array_type_print(MlcPrinter *p, MlcType type)
{
    mlc_buf_printf(mlc_printer_buf(p), "<%lld x ", (long long)mlc_attr_as_int(mlc_dialect_type_param(type, 1)));
    print_type(p, mlc_type_attr_value(mlc_dialect_type_param(type, 0)));
    mlc_print_str(p, ">");
}

// !llvm.func<void (ptr, i64, ...)>

MlcType
mlc_llvm_func_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcType result;
    MlcContext *ctx = mlc_parser_context(p);
    if (!mlc_parse_token(p, "<") || !parse_type(p, &result) || !mlc_parse_token(p, "("))
        return NULL;
    MLC_VEC(MlcAttr) params = {0};
    bool variadic = false, ok = true;
    if (!mlc_parse_optional_token(p, ")")) {
        do {
            MlcType type;
            if ((variadic = mlc_parse_optional_token(p, "...")))
                break;
            if ((ok = parse_type(p, &type)))
                mlc_vec_push(&params, mlc_type_attr_get(type));
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, ")");
    }
    ok = ok && mlc_parse_token(p, ">");
    MlcAttr attrs[3] = {mlc_type_attr_get(result), mlc_array_attr_get(ctx, params.data, params.size),
                        mlc_bool_attr_get(ctx, variadic)};
    mlc_vec_release(&params);
    return ok ? mlc_dialect_type_get(ctx, def, attrs, 3) : NULL;
}

void
mlc_llvm_func_type_print(MlcPrinter *p, MlcType type)
{
    MlcAttr params = mlc_dialect_type_param(type, 1);
    mlc_print_str(p, "<");
    print_type(p, mlc_type_attr_value(mlc_dialect_type_param(type, 0)));
    mlc_print_str(p, " (");
    print_types(p, params);
    if (mlc_attr_as_bool(mlc_dialect_type_param(type, 2)))
        mlc_print_str(p, mlc_array_attr_size(params) > 0 ? ", ..." : "...");
    mlc_print_str(p, ")>");
}

// !llvm.struct<(i32, ptr)>, packed: <packed (i8, i32)>; identified: <"name", (i32, ptr)>, <"name", opaque>, <"name">

MlcType
mlc_llvm_struct_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr text;
    MlcAttr params[3] = {NULL, mlc_bool_attr_get(ctx, false), NULL};
    if (!mlc_parse_token(p, "<"))
        return NULL;
    int named = mlc_parse_optional_string(p, &text);
    if (named < 0)
        return NULL;
    MlcType identified = NULL;
    if (named) {
        params[0] = mlc_string_attr_get(ctx, text);
        identified = mlc_dialect_type_get(ctx, def, params, 3);
        if (mlc_parse_optional_token(p, ">"))
            return identified;
        if (!mlc_parse_token(p, ","))
            return NULL;
        if (mlc_parse_optional_token(p, "opaque"))
            return mlc_parse_token(p, ">") ? identified : NULL;
    }
    params[1] = mlc_bool_attr_get(ctx, mlc_parse_optional_token(p, "packed"));
    if (!mlc_parse_token(p, "(") || !parse_types(p, ")", &params[2]) || !mlc_parse_token(p, ">"))
        return NULL;
    if (!identified)
        return mlc_dialect_type_get(ctx, def, params, 3);
    if (!mlc_dialect_type_set_body(identified, params[2]))
        return mlc_parser_error(p, "identified type already used with a different body"), NULL;
    return identified;
}

void
mlc_llvm_struct_type_print(MlcPrinter *p, MlcType type)
{
    MlcAttr name = mlc_dialect_type_param(type, 0), body = mlc_dialect_type_param(type, 2);
    mlc_print_str(p, "<");
    if (name) {
        mlc_buf_append_quoted(mlc_printer_buf(p), mlc_string_attr_value(name));
        body = mlc_dialect_type_body(type);
        mlc_print_str(p, body ? ", " : ", opaque>");
        if (!body)
            return;
    }
    if (mlc_attr_as_bool(mlc_dialect_type_param(type, 1)))
        mlc_print_str(p, "packed ");
    mlc_print_str(p, "(");
    print_types(p, body);
    mlc_print_str(p, ")>");
}

// A type inside another: LLVM's own by keyword, others as anywhere.

static bool
is_llvm_type(MlcType type)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    return def && strcmp(def->dialect->name, "llvm") == 0;
}

static void
print_type(MlcPrinter *p, MlcType type)
{
    if (!is_llvm_type(type)) {
        mlc_print_type(p, type);
        return;
    }
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    mlc_print_str(p, def->name + strlen("llvm."));
    if (mlc_type_isa(type, "llvm.ptr")) {
        MlcAttr space = mlc_dialect_type_num_params(type) > 0 ? mlc_dialect_type_param(type, 0) : NULL;
        if (space && mlc_attr_as_int(space) != 0)
            mlc_buf_printf(mlc_printer_buf(p), "<%lld>", (long long)mlc_attr_as_int(space));
    } else if (def->print) {
        def->print(p, type);
    }
}

static bool
parse_ptr(MlcParser *p, MlcType *type)
{
    MlcContext *ctx = mlc_parser_context(p);
    int64_t space = 0;
    if (mlc_parse_optional_token(p, "<") && (!mlc_parse_integer(p, &space) || !mlc_parse_token(p, ">")))
        return false;
    MlcAttr param = mlc_i32_attr_get(ctx, (int32_t)space);
    *type = mlc_dialect_type_get(ctx, def_of(p, "llvm.ptr"), &param, 1);
    return true;
}

static bool
parse_type(MlcParser *p, MlcType *type)
{
    int found = mlc_parse_optional_type(p, type);
    if (found != 0)
        return found > 0;
    MlcStr word;
    char name[64];
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_keyword_any(p, &word))
        return false;
    if (mlc_str_equal(word, mlc_str("ptr")))
        return parse_ptr(p, type);
    snprintf(name, sizeof name, "llvm.%.*s", MLC_STR_FMT(word));
    const MlcTypeDef *def = def_of(p, name);
    if (!def)
        return mlc_parser_error_at(p, loc, "unknown LLVM type: %.*s", MLC_STR_FMT(word));
    *type = def->parse ? def->parse(p, def) : mlc_dialect_type_get(mlc_parser_context(p), def, NULL, 0);
    return *type != NULL;
}

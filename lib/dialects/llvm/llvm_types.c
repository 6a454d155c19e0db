// llvm_types.c -- syntax and validity of LLVM's types. Inside of one, others stand by their
// mnemonic alone: a structure of a pointer and an array is !llvm.struct<(ptr, array<4 x f32>)>.
#include "mlc/dialects/llvm.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

static MlcType
type_param(MlcType type, size_t i)
{
    return mlc_type_attr_value(mlc_dialect_type_param(type, i));
}

// Parsing.

static bool parse_nested(MlcParser *p, MlcType *type);

static MlcType
make(MlcParser *p, const MlcTypeDef *def, const MlcAttr *params, size_t num_params)
{
    return mlc_dialect_type_get(mlc_parser_context(p), def, params, num_params);
}

static bool
parse_pointer(MlcParser *p, MlcType *type)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcAttr space = NULL;
    int64_t number;
    if (mlc_parse_optional_token(p, "<")) {
        if (!mlc_parse_integer(p, &number) || !mlc_parse_token(p, ">"))
            return false;
        space = mlc_i32_attr_get(ctx, (int32_t)number);
    }
    if (!space)
        space = mlc_i32_attr_get(ctx, 0);
    *type = make(p, &mlc_llvm_ptr_type_def, &space, 1);
    return true;
}

// Types whose mnemonic is all, and those whose hook reads what follows it.
static const struct {
    const char *word;
    const MlcTypeDef *def;
    MlcType (*parse)(MlcParser *p, const MlcTypeDef *def);
} nested_types[] = {
    {"array", &mlc_llvm_array_type_def, mlc_llvm_array_type_parse},
    {"struct", &mlc_llvm_struct_type_def, mlc_llvm_struct_type_parse},
    {"func", &mlc_llvm_func_type_def, mlc_llvm_func_type_parse},
    {"vec", &mlc_llvm_vec_type_def, mlc_llvm_vec_type_parse},
    {"target", &mlc_llvm_target_type_def, mlc_llvm_target_type_parse},
    {"void", &mlc_llvm_void_type_def, NULL},
    {"label", &mlc_llvm_label_type_def, NULL},
    {"token", &mlc_llvm_token_type_def, NULL},
    {"metadata", &mlc_llvm_metadata_type_def, NULL},
    {"ppc_fp128", &mlc_llvm_ppc_fp128_type_def, NULL},
    {"x86_mmx", &mlc_llvm_x86_mmx_type_def, NULL},
};

static bool
parse_nested(MlcParser *p, MlcType *type)
{
    if (mlc_parse_optional_token(p, "ptr"))
        return parse_pointer(p, type);
    for (size_t i = 0; i < sizeof nested_types / sizeof *nested_types; ++i) {
        if (!mlc_parse_optional_token(p, nested_types[i].word))
            continue;
        const MlcTypeDef *def = nested_types[i].def;
        *type = nested_types[i].parse ? nested_types[i].parse(p, def) : make(p, def, NULL, 0);
        return *type != NULL;
    }
    return mlc_parse_type_into(p, type);
}

// What is left of a count: `x f32`, or `xf32` in one piece.
static bool
parse_times(MlcParser *p, MlcType *type)
{
    MlcStr word;
    if (!mlc_parse_keyword_any(p, &word))
        return false;
    if (word.size == 0 || word.data[0] != 'x')
        return mlc_parser_error(p, "expected 'x' after the number of elements");
    if (word.size == 1)
        return parse_nested(p, type);
    MlcStr rest = mlc_str_n(word.data + 1, word.size - 1);
    if (mlc_str_equal(rest, mlc_str("ptr")))
        return parse_pointer(p, type);
    MlcBuf text = {0};
    mlc_buf_append_str(&text, rest);
    *type = mlc_parse_type(mlc_parser_context(p), mlc_str(mlc_buf_c_str(&text)));
    mlc_buf_release(&text);
    return *type != NULL;
}

// <4 x f32>
MlcType
mlc_llvm_array_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    int64_t count;
    MlcType element;
    if (!mlc_parse_token(p, "<") || !mlc_parse_integer(p, &count) || !parse_times(p, &element) ||
        !mlc_parse_token(p, ">"))
        return NULL;
    if (count < 0)
        return mlc_parser_error(p, "expected a number of elements that is not negative"), NULL;
    MlcAttr params[2] = {mlc_type_attr_get(element),
                         mlc_i64_attr_get(mlc_parser_context(p), count)};
    return make(p, def, params, 2);
}

// <4 x ptr>, <? x 4 x ptr> if scalable
MlcType
mlc_llvm_vec_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    int64_t count;
    MlcType element;
    if (!mlc_parse_token(p, "<"))
        return NULL;
    bool is_scalable = mlc_parse_optional_token(p, "?");
    if ((is_scalable && !mlc_parse_token(p, "x")) || !mlc_parse_integer(p, &count) ||
        !parse_times(p, &element) || !mlc_parse_token(p, ">"))
        return NULL;
    MlcAttr params[3] = {mlc_bool_attr_get(ctx, is_scalable), mlc_type_attr_get(element),
                         mlc_i64_attr_get(ctx, count)};
    return make(p, def, params, 3);
}

static bool
parse_types_until(MlcParser *p, const char *close, MlcTypeVec *types)
{
    if (mlc_parse_optional_token(p, close))
        return true;
    do {
        MlcType type;
        if (!parse_nested(p, &type))
            return false;
        mlc_vec_push(types, type);
    } while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, close);
}

static MlcAttr
array_of_types(MlcContext *ctx, const MlcTypeVec *types)
{
    MLC_VEC(MlcAttr) attrs = {0};
    for (size_t i = 0; i < types->size; ++i)
        mlc_vec_push(&attrs, mlc_type_attr_get(types->data[i]));
    MlcAttr array = mlc_array_attr_get(ctx, attrs.data, attrs.size);
    mlc_vec_release(&attrs);
    return array;
}

// `packed`? `(` types `)`
static bool
parse_body(MlcParser *p, bool *is_packed, MlcAttr *body)
{
    MlcTypeVec types = {0};
    *is_packed = mlc_parse_optional_token(p, "packed");
    bool ok = mlc_parse_token(p, "(") && parse_types_until(p, ")", &types);
    if (ok)
        *body = array_of_types(mlc_parser_context(p), &types);
    mlc_vec_release(&types);
    return ok;
}

// Identified structures that are being read or printed: inside of themselves they are only named.
enum { MAX_OPEN = 64 };
static _Thread_local struct {
    MlcType types[MAX_OPEN];
    size_t count;
} open_structs;

static MlcType
identified(MlcContext *ctx, const MlcTypeDef *def, MlcStr name, bool is_packed)
{
    MlcAttr params[3] = {mlc_string_attr_get(ctx, name), mlc_bool_attr_get(ctx, is_packed), NULL};
    return mlc_dialect_type_get(ctx, def, params, 3);
}

// <"name">: the structure of that name that is being read.
static MlcType
surrounding(MlcParser *p, const MlcTypeDef *def, MlcStr name)
{
    for (size_t i = 0; i < open_structs.count; ++i)
        if (mlc_str_equal(mlc_string_attr_value(mlc_dialect_type_param(open_structs.types[i], 0)),
                          name))
            return open_structs.types[i];
    return identified(mlc_parser_context(p), def, name, false);
}

// What follows `"name",`.
static MlcType
parse_identified(MlcParser *p, const MlcTypeDef *def, MlcStr name)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcLoc loc = mlc_parser_loc(p);
    MlcTypeVec members = {0};
    MlcType type = identified(ctx, def, name, mlc_parse_optional_token(p, "packed"));
    if (open_structs.count == MAX_OPEN)
        return mlc_parser_error(p, "structures are nested too deeply"), NULL;
    open_structs.types[open_structs.count++] = type;
    bool ok = mlc_parse_token(p, "(") && parse_types_until(p, ")", &members);
    --open_structs.count;
    if (ok && !mlc_dialect_type_set_body(type, array_of_types(ctx, &members)))
        ok = mlc_parser_error_at(p, loc, "identified type already used with a different body");
    mlc_vec_release(&members);
    return ok && mlc_parse_token(p, ">") ? type : NULL;
}

// <(i32, ptr)>, <packed (i8, i32)>, <"name", (ptr)>, <"name", opaque>, and <"name"> where it refers
// to what surrounds it
MlcType
mlc_llvm_struct_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr name;
    bool is_packed = false;
    MlcAttr body = NULL;
    if (!mlc_parse_token(p, "<"))
        return NULL;
    int has_name = mlc_parse_optional_string(p, &name);
    if (has_name < 0)
        return NULL;
    if (!has_name) {
        if (!parse_body(p, &is_packed, &body) || !mlc_parse_token(p, ">"))
            return NULL;
        MlcAttr params[3] = {NULL, mlc_bool_attr_get(ctx, is_packed), body};
        return make(p, def, params, 3);
    }
    if (mlc_parse_optional_token(p, ">"))
        return surrounding(p, def, name);
    if (!mlc_parse_token(p, ","))
        return NULL;
    if (mlc_parse_optional_token(p, "opaque"))
        return mlc_parse_token(p, ">") ? identified(ctx, def, name, false) : NULL;
    return parse_identified(p, def, name);
}

// <i32 (ptr, ...)>
MlcType
mlc_llvm_func_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcType result;
    MlcTypeVec types = {0};
    bool is_variadic = false,
         ok = mlc_parse_token(p, "<") && parse_nested(p, &result) && mlc_parse_token(p, "(");
    if (ok && !mlc_parse_optional_token(p, ")")) {
        do {
            MlcType type;
            if ((is_variadic = mlc_parse_optional_token(p, "...")))
                break;
            ok = parse_nested(p, &type);
            if (ok)
                mlc_vec_push(&types, type);
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, ")");
    }
    ok = ok && mlc_parse_token(p, ">");
    MlcType type = NULL;
    if (ok) {
        MlcAttr params[3] = {mlc_type_attr_get(result), array_of_types(ctx, &types),
                             mlc_bool_attr_get(ctx, is_variadic)};
        type = make(p, def, params, 3);
    }
    mlc_vec_release(&types);
    return type;
}

// <"name", i32, 0, 1>
MlcType
mlc_llvm_target_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr name;
    MlcTypeVec types = {0};
    MLC_VEC(MlcAttr) ints = {0};
    bool ok = mlc_parse_token(p, "<") && mlc_parse_string(p, &name);
    while (ok && mlc_parse_optional_token(p, ",")) {
        int64_t value;
        MlcType type;
        int found = mlc_parse_optional_integer(p, &value);
        if (found > 0)
            mlc_vec_push(&ints, mlc_i32_attr_get(ctx, (int32_t)value));
        else if ((ok = found == 0 && parse_nested(p, &type)))
            mlc_vec_push(&types, type);
    }
    ok = ok && mlc_parse_token(p, ">");
    MlcType type = NULL;
    if (ok) {
        MlcAttr params[3] = {mlc_string_attr_get(ctx, name), array_of_types(ctx, &types),
                             mlc_array_attr_get(ctx, ints.data, ints.size)};
        type = make(p, def, params, 3);
    }
    mlc_vec_release(&types);
    mlc_vec_release(&ints);
    return type;
}

// Printing.

static void
print_nested(MlcPrinter *p, MlcType type)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    if (!def || strcmp(def->dialect->name, "llvm") != 0) {
        mlc_print_type(p, type);
        return;
    }
    mlc_print_str(p, def->name + sizeof "llvm." - 1);
    if (def == &mlc_llvm_ptr_type_def) {
        int64_t space =
            mlc_dialect_type_param(type, 0) ? mlc_attr_as_int(mlc_dialect_type_param(type, 0)) : 0;
        if (space)
            mlc_buf_printf(mlc_printer_buf(p), "<%lld>", (long long)space);
    } else if (def->print) {
        def->print(p, type);
    }
}

static void
print_times(MlcPrinter *p, MlcAttr count, MlcType element)
{
    mlc_buf_printf(mlc_printer_buf(p), "%lld x ", (long long)mlc_attr_as_int(count));
    print_nested(p, element);
    mlc_print_str(p, ">");
}

void
mlc_llvm_array_type_print(MlcPrinter *p, MlcType type)
{
    mlc_print_str(p, "<");
    print_times(p, mlc_dialect_type_param(type, 1), type_param(type, 0));
}

void
mlc_llvm_vec_type_print(MlcPrinter *p, MlcType type)
{
    mlc_print_str(p, mlc_attr_as_bool(mlc_dialect_type_param(type, 0)) ? "<? x " : "<");
    print_times(p, mlc_dialect_type_param(type, 2), type_param(type, 1));
}

static void
print_list(MlcPrinter *p, MlcAttr types)
{
    for (size_t i = 0; i < mlc_array_attr_size(types); ++i) {
        if (i)
            mlc_print_str(p, ", ");
        print_nested(p, mlc_type_attr_value(mlc_array_attr_element(types, i)));
    }
}

static void
print_body(MlcPrinter *p, bool is_packed, MlcAttr body)
{
    mlc_print_str(p, is_packed ? "packed (" : "(");
    print_list(p, body);
    mlc_print_str(p, ")");
}

static bool
is_open(MlcType type)
{
    for (size_t i = 0; i < open_structs.count; ++i)
        if (open_structs.types[i] == type)
            return true;
    return open_structs.count == MAX_OPEN;
}

void
mlc_llvm_struct_type_print(MlcPrinter *p, MlcType type)
{
    MlcAttr name = mlc_dialect_type_param(type, 0);
    mlc_print_str(p, "<");
    if (!name) {
        print_body(p, mlc_attr_as_bool(mlc_dialect_type_param(type, 1)),
                   mlc_dialect_type_param(type, 2));
    } else {
        MlcAttr body = mlc_dialect_type_body(type);
        mlc_buf_append_quoted(mlc_printer_buf(p), mlc_string_attr_value(name));
        if (!body) {
            mlc_print_str(p, ", opaque");
        } else if (!is_open(type)) {
            open_structs.types[open_structs.count++] = type;
            mlc_print_str(p, ", ");
            print_body(p, mlc_attr_as_bool(mlc_dialect_type_param(type, 1)), body);
            --open_structs.count;
        }
    }
    mlc_print_str(p, ">");
}

void
mlc_llvm_func_type_print(MlcPrinter *p, MlcType type)
{
    MlcAttr params = mlc_dialect_type_param(type, 1);
    mlc_print_str(p, "<");
    print_nested(p, type_param(type, 0));
    mlc_print_str(p, " (");
    print_list(p, params);
    if (mlc_attr_as_bool(mlc_dialect_type_param(type, 2)))
        mlc_print_str(p, mlc_array_attr_size(params) ? ", ..." : "...");
    mlc_print_str(p, ")>");
}

void
mlc_llvm_target_type_print(MlcPrinter *p, MlcType type)
{
    MlcAttr types = mlc_dialect_type_param(type, 1), ints = mlc_dialect_type_param(type, 2);
    mlc_print_str(p, "<");
    mlc_buf_append_quoted(mlc_printer_buf(p),
                          mlc_string_attr_value(mlc_dialect_type_param(type, 0)));
    if (mlc_array_attr_size(types))
        mlc_print_str(p, ", ");
    print_list(p, types);
    for (size_t i = 0; i < mlc_array_attr_size(ints); ++i)
        mlc_buf_printf(mlc_printer_buf(p), ", %lld",
                       (long long)mlc_attr_as_int(mlc_array_attr_element(ints, i)));
    mlc_print_str(p, ">");
}

// llvm_types.c -- syntax and validity of LLVM's types. Inside of one, others stand by their
// mnemonic alone: a structure of a pointer and an array is !llvm.struct<(ptr, array<4 x f32>)>.
#include "llvm_impl.h"
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
parse_named(MlcParser *p, MlcStr word, MlcLoc loc, MlcType *type)
{
    if (mlc_str_equal(word, mlc_str("ptr")))
        return parse_pointer(p, type);
    for (size_t i = 0; i < sizeof nested_types / sizeof *nested_types; i++) {
        if (!mlc_str_equal(word, mlc_str(nested_types[i].word)))
            continue;
        const MlcTypeDef *def = nested_types[i].def;
        *type = nested_types[i].parse ? nested_types[i].parse(p, def) : make(p, def, NULL, 0);
        return *type != NULL;
    }
    return mlc_parser_error_at(p, loc, "unknown LLVM type: %.*s", MLC_STR_FMT(word));
}

static bool
parse_nested(MlcParser *p, MlcType *type)
{
    MlcStr word;
    MlcLoc loc = mlc_parser_loc(p);
    int found = mlc_parse_optional_type(p, type);
    if (found)
        return found > 0;
    return mlc_parse_keyword_any(p, &word) && parse_named(p, word, loc, type);
}

// `x f32`, or what is left of `4xf32` in one piece.
static bool
parse_after_times(MlcParser *p, MlcStr rest, MlcType *type)
{
    if (rest.size == 0)
        return parse_nested(p, type);
    bool is_builtin = strchr("fib", rest.data[0]) && rest.size > 1 && rest.data[1] != 'u';
    if (!is_builtin)
        return parse_named(p, rest, mlc_parser_loc(p), type);
    MlcBuf text = {0};
    mlc_buf_append_str(&text, rest);
    *type = mlc_parse_type(mlc_parser_context(p), mlc_str(mlc_buf_c_str(&text)));
    mlc_buf_release(&text);
    return *type != NULL;
}

static bool
take_times(MlcParser *p, MlcStr *rest)
{
    if (!mlc_parse_keyword_any(p, rest))
        return false;
    if (rest->size == 0 || rest->data[0] != 'x')
        return mlc_parser_error(p, "expected 'x'");
    *rest = mlc_str_n(rest->data + 1, rest->size - 1);
    return true;
}

// <4 x f32>
MlcType
mlc_llvm_array_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    int64_t count;
    MlcStr rest;
    MlcType element;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_token(p, "<") || !mlc_parse_integer(p, &count))
        return NULL;
    if (count < 0)
        return mlc_parser_error_at(p, loc, "an array cannot have %lld elements", (long long)count),
               NULL;
    if (!take_times(p, &rest) || !parse_after_times(p, rest, &element) || !mlc_parse_token(p, ">"))
        return NULL;
    if (!mlc_llvm_is_element_type(element))
        return mlc_parser_error_at(p, loc, "invalid array element type: '%s'",
                                   mlc_type_text(element)),
               NULL;
    MlcAttr params[2] = {mlc_type_attr_get(element),
                         mlc_i64_attr_get(mlc_parser_context(p), count)};
    return make(p, def, params, 2);
}

// `4 x`, `? x 4 x`, in pieces or in one, whose last may go on with the type's name. A dimension
// that is not known is -1.
typedef struct Dims {
    int64_t sizes[3];
    size_t count;
    MlcStr rest;
} Dims;

static bool
parse_dims(MlcParser *p, Dims *d)
{
    bool in_word = false; // `rest` goes on with a dimension
    while (d->count < 3) {
        int64_t size = 0;
        if (in_word) {
            while (d->rest.size && d->rest.data[0] >= '0' && d->rest.data[0] <= '9') {
                if (__builtin_mul_overflow(size, 10, &size) ||
                    __builtin_add_overflow(size, d->rest.data[0] - '0', &size))
                    return mlc_parser_error(p, "dimension does not fit into 64 bits");
                d->rest = mlc_str_n(d->rest.data + 1, d->rest.size - 1);
            }
        } else if (mlc_parse_optional_token(p, "?")) {
            size = -1;
        } else {
            int found = mlc_parse_optional_integer(p, &size);
            if (found <= 0)
                return found == 0;
        }
        d->sizes[d->count++] = size;
        if (in_word && d->rest.size && d->rest.data[0] == 'x')
            d->rest = mlc_str_n(d->rest.data + 1, d->rest.size - 1);
        else if (!take_times(p, &d->rest))
            return false;
        in_word = d->rest.size && d->rest.data[0] >= '0' && d->rest.data[0] <= '9';
        if (!in_word && d->rest.size)
            return true;
    }
    return true;
}

static bool
is_vec_element(MlcType type, bool is_scalable)
{
    if (mlc_type_isa(type, "llvm.ptr") || mlc_type_isa(type, "llvm.ppc_fp128"))
        return true;
    return is_scalable && (mlc_type_is_float(type) || mlc_llvm_is_signless_integer(type));
}

// <4 x ptr>, <? x 4 x ptr> if scalable
MlcType
mlc_llvm_vec_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    Dims dims = {0};
    MlcType element;
    if (!mlc_parse_token(p, "<"))
        return NULL;
    MlcLoc loc = mlc_parser_loc(p);
    if (!parse_dims(p, &dims))
        return NULL;
    MlcLoc type_loc = mlc_parser_loc(p);
    if (!parse_after_times(p, dims.rest, &element) || !mlc_parse_token(p, ">"))
        return NULL;
    bool is_scalable = dims.count == 2;
    if (dims.count == 0 || dims.count > 2 || is_scalable != (dims.sizes[0] < 0) ||
        (is_scalable && dims.sizes[1] < 0))
        return mlc_parser_error_at(p, loc,
                                   "expected '? x <integer> x <type>' or '<integer> x <type>'"),
               NULL;
    if (!is_scalable && (mlc_type_is_float(element) || mlc_llvm_is_signless_integer(element)))
        return mlc_parser_error_at(
                   p, type_loc,
                   "cannot use !llvm.vec for built-in primitives, use 'vector' instead"),
               NULL;
    if (dims.sizes[is_scalable] == 0)
        return mlc_parser_error_at(p, loc, "the number of vector elements must be positive"), NULL;
    if (!is_vec_element(element, is_scalable))
        return mlc_parser_error_at(p, loc, "invalid vector element type"), NULL;
    MlcAttr params[3] = {mlc_bool_attr_get(ctx, is_scalable), mlc_type_attr_get(element),
                         mlc_i64_attr_get(ctx, dims.sizes[is_scalable])};
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
    for (size_t i = 0; i < types->size; i++)
        mlc_vec_push(&attrs, mlc_type_attr_get(types->data[i]));
    MlcAttr array = mlc_array_attr_get(ctx, attrs.data, attrs.size);
    mlc_vec_release(&attrs);
    return array;
}

static bool
check_members(MlcParser *p, MlcLoc loc, const MlcTypeVec *types)
{
    for (size_t i = 0; i < types->size; i++)
        if (!mlc_llvm_is_element_type(types->data[i]))
            return mlc_parser_error_at(p, loc, "invalid LLVM structure element type: '%s'",
                                       mlc_type_text(types->data[i]));
    return true;
}

// `(` types `)`
static bool
parse_body(MlcParser *p, MlcAttr *body)
{
    MlcTypeVec types = {0};
    bool ok = mlc_parse_token(p, "(");
    MlcLoc loc = mlc_parser_loc(p);
    ok = ok && parse_types_until(p, ")", &types) && check_members(p, loc, &types);
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

// The structure of that name that is being read, or NULL.
static MlcType
surrounding(MlcStr name)
{
    for (size_t i = 0; i < open_structs.count; i++)
        if (mlc_str_equal(mlc_string_attr_value(mlc_dialect_type_param(open_structs.types[i], 0)),
                          name))
            return open_structs.types[i];
    return NULL;
}

// The body that a structure of this name was given, packed or not, or NULL.
static MlcAttr
known_body(MlcContext *ctx, const MlcTypeDef *def, MlcStr name)
{
    MlcAttr body = mlc_dialect_type_body(identified(ctx, def, name, false));
    return body ? body : mlc_dialect_type_body(identified(ctx, def, name, true));
}

// What follows `"name",`.
static MlcType
parse_identified(MlcParser *p, const MlcTypeDef *def, MlcStr name)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcAttr body = NULL;
    bool is_packed = mlc_parse_optional_token(p, "packed");
    MlcLoc loc = mlc_parser_loc(p);
    MlcType type = identified(ctx, def, name, is_packed);
    if (surrounding(name))
        return mlc_parser_error(p, "identifier already used for an enclosing struct"), NULL;
    if (open_structs.count == MAX_OPEN)
        return mlc_parser_error(p, "structures are nested too deeply"), NULL;
    open_structs.types[open_structs.count++] = type;
    bool ok = parse_body(p, &body) && mlc_parse_token(p, ">");
    --open_structs.count;
    if (!ok)
        return NULL;
    bool is_other = mlc_dialect_type_body(identified(ctx, def, name, !is_packed)) != NULL;
    if (is_other || !mlc_parser_set_type_body(p, type, body))
        return mlc_parser_error_at(p, loc, "identified type already used with a different body"),
               NULL;
    return type;
}

// <"name">: only inside of that structure.
static MlcType
parse_reference(MlcParser *p, MlcStr name, MlcLoc loc)
{
    MlcType type = surrounding(name);
    if (!type)
        mlc_parser_error_at(p, loc, "struct without a body only allowed in a recursive struct");
    return type;
}

static MlcType
parse_opaque(MlcParser *p, const MlcTypeDef *def, const MlcStr *name, MlcLoc loc)
{
    MlcContext *ctx = mlc_parser_context(p);
    if (!name)
        return mlc_parser_error_at(p, loc, "only identified structs can be opaque"), NULL;
    if (!mlc_parse_token(p, ">"))
        return NULL;
    if (known_body(ctx, def, *name))
        return mlc_parser_error_at(p, loc, "redeclaring defined struct as opaque"), NULL;
    return identified(ctx, def, *name, false);
}

// <(i32, ptr)>, <packed (i8, i32)>, <"name", (ptr)>, <"name", opaque>, and <"name"> where it refers
// to what surrounds it
MlcType
mlc_llvm_struct_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr name;
    MlcAttr body = NULL;
    if (!mlc_parse_token(p, "<"))
        return NULL;
    int has_name = mlc_parse_optional_string(p, &name);
    if (has_name < 0)
        return NULL;
    MlcLoc loc = mlc_parser_loc(p);
    if (has_name && mlc_parse_optional_token(p, ">"))
        return parse_reference(p, name, loc);
    if (has_name && !mlc_parse_token(p, ","))
        return NULL;
    loc = mlc_parser_loc(p);
    if (mlc_parse_optional_token(p, "opaque"))
        return parse_opaque(p, def, has_name ? &name : NULL, loc);
    if (has_name)
        return parse_identified(p, def, name);
    bool is_packed = mlc_parse_optional_token(p, "packed");
    if (!parse_body(p, &body) || !mlc_parse_token(p, ">"))
        return NULL;
    MlcAttr params[3] = {NULL, mlc_bool_attr_get(ctx, is_packed), body};
    return make(p, def, params, 3);
}

static bool
check_function(MlcParser *p, MlcLoc loc, MlcType result, const MlcTypeVec *args)
{
    static const char *const no_results[] = {"llvm.func", "llvm.metadata", "llvm.label", NULL};
    static const char *const no_args[] = {"llvm.func", "llvm.void", NULL};
    if (mlc_llvm_is_any_of(result, no_results))
        return mlc_parser_error_at(p, loc, "invalid function result type: '%s'",
                                   mlc_type_text(result));
    for (size_t i = 0; i < args->size; i++)
        if (mlc_llvm_is_any_of(args->data[i], no_args))
            return mlc_parser_error_at(p, loc, "invalid function argument type: '%s'",
                                       mlc_type_text(args->data[i]));
    return true;
}

// <i32 (ptr, ...)>
MlcType
mlc_llvm_func_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcType result;
    MlcTypeVec types = {0};
    MlcLoc loc = mlc_parser_loc(p);
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
    ok = ok && mlc_parse_token(p, ">") && check_function(p, loc, result, &types);
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
        MlcLoc loc = mlc_parser_loc(p);
        int found = mlc_parse_optional_integer(p, &value);
        if (found > 0)
            mlc_vec_push(&ints, mlc_i32_attr_get(ctx, (int32_t)value));
        else if (ints.size)
            ok = mlc_parser_error_at(p, loc,
                                     "failed to parse parameter list for target extension type");
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
    mlc_buf_printf(mlc_printer_buf(p), "%llu x ", (unsigned long long)mlc_attr_as_int(count));
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
    if (!mlc_attr_as_bool(mlc_dialect_type_param(type, 0))) {
        mlc_print_str(p, "<");
        print_times(p, mlc_dialect_type_param(type, 2), type_param(type, 1));
        return;
    }
    // Two blanks, as upstream has it.
    mlc_buf_printf(mlc_printer_buf(p), "<? x %lld x  ",
                   (long long)mlc_attr_as_int(mlc_dialect_type_param(type, 2)));
    print_nested(p, type_param(type, 1));
    mlc_print_str(p, ">");
}

static void
print_list(MlcPrinter *p, MlcAttr types)
{
    for (size_t i = 0; i < mlc_array_attr_size(types); i++) {
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
    for (size_t i = 0; i < open_structs.count; i++)
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
    for (size_t i = 0; i < mlc_array_attr_size(ints); i++)
        mlc_buf_printf(mlc_printer_buf(p), ", %lld",
                       (long long)mlc_attr_as_int(mlc_array_attr_element(ints, i)));
    mlc_print_str(p, ">");
}

// DW_OP_deref, DW_OP_constu(3), and DW_OP_LLVM_convert(16, DW_ATE_signed), whose second argument is
// an encoding.

static bool
is_conversion(MlcAttr opcode)
{
    enum { DW_OP_LLVM_CONVERT = 0x1001 };
    return mlc_enum_attr_value(opcode) == DW_OP_LLVM_CONVERT;
}

MlcAttr
mlc_llvm_di_expression_elem_attr_parse(MlcParser *p, const MlcAttrDef *def, MlcType hint)
{
    (void)hint;
    MlcContext *ctx = mlc_parser_context(p);
    MlcAttr params[2] = {0};
    MLC_VEC(MlcAttr) arguments = {0};
    bool ok = mlc_parse_attr_of(p, &mlc_llvm_dw_op_attr_def, &params[0]);
    if (ok && mlc_parse_optional_token(p, "(")) {
        do {
            int64_t value;
            MlcAttr encoding;
            if (arguments.size == 1 && is_conversion(params[0])) {
                ok = mlc_parse_attr_of(p, &mlc_llvm_dw_ate_attr_def, &encoding);
                value = ok ? mlc_enum_attr_value(encoding) : 0;
            } else {
                ok =
                    mlc_parse_integer(p, &value) || mlc_parser_error(p, "expected integer operand");
            }
            mlc_vec_push(&arguments, mlc_i64_attr_get(ctx, ok ? value : 0));
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, ")");
    }
    if (arguments.size)
        params[1] = mlc_array_attr_get(ctx, arguments.data, arguments.size);
    mlc_vec_release(&arguments);
    return ok ? mlc_dialect_attr_get(ctx, def, params, 2) : NULL;
}

static const char *
encoding_name(int64_t value)
{
    const MlcAttrDef *def = &mlc_llvm_dw_ate_attr_def;
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->cases[i].value == value)
            return def->cases[i].name;
    return "DW_ATE_void";
}

void
mlc_llvm_di_expression_elem_attr_print(MlcPrinter *p, MlcAttr attr)
{
    MlcAttr opcode = mlc_dialect_attr_param(attr, 0), arguments = mlc_dialect_attr_param(attr, 1);
    MlcBuf *buf = mlc_printer_buf(p);
    for (size_t i = 0; i < mlc_llvm_dw_op_attr_def.num_cases; i++)
        if (mlc_llvm_dw_op_attr_def.cases[i].value == mlc_enum_attr_value(opcode))
            mlc_print_str(p, mlc_llvm_dw_op_attr_def.cases[i].name);
    for (size_t i = 0; arguments && i < mlc_array_attr_size(arguments); i++) {
        int64_t value = mlc_attr_as_int(mlc_array_attr_element(arguments, i));
        mlc_print_str(p, i ? ", " : "(");
        if (i == 1 && is_conversion(opcode))
            mlc_print_str(p, encoding_name(value));
        else
            mlc_buf_printf(buf, "%llu", (unsigned long long)value);
    }
    if (arguments)
        mlc_print_str(p, ")");
}

// llvm_verify_symbols.c -- functions, globals and what refers to them, and the attributes the
// dialect hangs on arguments, results and modules.
#include "llvm_impl.h"

#include "mlc/support/powers.h"

#define ERROR_AT(op, ...) mlc_error(mlc_op_context(op), mlc_op_loc(op), __VA_ARGS__)

MlcOp *
mlc_llvm_parent_func(const MlcOp *op)
{
    return mlc_op_parent_of_kind(op, &mlc_llvm_func_def);
}

static bool
is_external(MlcOp *func)
{
    return mlc_region_is_empty(mlc_llvm_func_body(func));
}

static const char *
linkage_name(MlcAttr linkage)
{
    int64_t value = linkage ? mlc_enum_attr_value(linkage) : -1;
    for (size_t i = 0; i < mlc_llvm_linkage_attr_def.num_cases; i++)
        if (mlc_llvm_linkage_attr_def.cases[i].value == value)
            return mlc_llvm_linkage_attr_def.cases[i].name;
    return "external";
}

static bool
verify_comdat(MlcOp *op, MlcAttr comdat)
{
    if (!comdat)
        return true;
    MlcOp *selector = mlc_symbol_lookup_ref(op, comdat);
    return (selector && mlc_llvm_comdat_selector_isa(selector)) ||
           ERROR_AT(op, "expected comdat symbol");
}

static bool
is_at_module_level(const MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    return !parent || (mlc_op_has_trait(parent, MLC_TRAIT_SYMBOL_TABLE) &&
                       mlc_op_has_trait(parent, MLC_TRAIT_ISOLATED));
}

bool
mlc_llvm_linker_options_verify(MlcOp *op)
{
    return is_at_module_level(op) || mlc_op_error(op, "must appear at the module level");
}

// --- functions

// The one type of landing pads and of what they resume with.
typedef struct PadTypes {
    MlcType type;
    const char *message;
} PadTypes;

static MlcWalk
check_pad(MlcOp *op, void *user)
{
    PadTypes *pads = user;
    bool is_pad = mlc_llvm_landingpad_isa(op), is_resume = mlc_llvm_resume_isa(op);
    if (!is_pad && !is_resume)
        return MLC_WALK_CONTINUE;
    MlcType type = mlc_value_type(is_pad ? mlc_op_result(op, 0) : mlc_op_operand(op, 0));
    if (!pads->type || pads->type == type)
        return pads->type = type, MLC_WALK_CONTINUE;
    pads->message = is_pad
                        ? "'llvm.landingpad' should have a consistent result type inside a function"
                        : "'llvm.resume' should have a consistent input type inside a function";
    return MLC_WALK_STOP;
}

static bool
verify_entry(MlcOp *op, MlcType type)
{
    MlcBlock *entry = mlc_region_first(mlc_llvm_func_body(op));
    size_t count = mlc_llvm_func_num_params(type);
    if (mlc_block_num_args(entry) != count)
        return mlc_op_error(op, "entry block must have %zu arguments to match function signature",
                            count);
    for (size_t i = 0; i < count; i++) {
        MlcType arg = mlc_value_type(mlc_block_arg(entry, i));
        if (arg != mlc_llvm_func_param(type, i))
            return mlc_op_error(op,
                                "type of entry block argument #%zu('%s') must match the type of "
                                "the corresponding argument in function signature('%s')",
                                i, mlc_type_text(arg), mlc_type_text(mlc_llvm_func_param(type, i)));
    }
    return true;
}

static bool
verify_definition(MlcOp *op)
{
    PadTypes pads = {0};
    if (mlc_llvm_func_no_inline(op) && mlc_llvm_func_always_inline(op))
        return ERROR_AT(op, "no_inline and always_inline attributes are incompatible");
    if (mlc_llvm_func_optimize_none(op) && !mlc_llvm_func_no_inline(op))
        return mlc_op_error(op, "with optimize_none must also be no_inline");
    return mlc_op_walk_preorder(op, check_pad, &pads) || ERROR_AT(op, "%s", pads.message);
}

// One dictionary of dialect attributes for each argument, or result.
static bool
verify_dictionaries(MlcOp *op, MlcAttr list, MlcType type, bool is_result)
{
    const char *what = is_result ? "result" : "argument";
    bool has_result = !mlc_type_isa(mlc_llvm_func_result(type), "llvm.void");
    size_t count = is_result ? has_result : mlc_llvm_func_num_params(type);
    if (list && mlc_array_attr_size(list) != count)
        return mlc_op_error(op,
                            "expects %s attribute array to have the same number of elements as "
                            "the number of function %ss, got %zu, but expected %zu",
                            what, what, mlc_array_attr_size(list), count);
    for (size_t i = 0; list && i < count; i++) {
        MlcAttr attrs = mlc_array_attr_element(list, i);
        MlcType of = is_result ? mlc_llvm_func_result(type) : mlc_llvm_func_param(type, i);
        for (size_t k = 0; k < mlc_dict_attr_size(attrs); k++) {
            MlcNamedAttr attr = mlc_dict_attr_entry(attrs, k);
            MlcStr name = mlc_string_attr_value(attr.name);
            if (!memchr(name.data, '.', name.size))
                return mlc_op_error(op, "%ss may only have dialect attributes", what);
            if (!mlc_llvm_verify_param_attr(op, of, attr, is_result))
                return false;
        }
    }
    return true;
}

bool
mlc_llvm_func_verify(MlcOp *op)
{
    MlcType type = mlc_type_attr_value(mlc_llvm_func_function_type(op));
    const char *linkage = linkage_name(mlc_llvm_func_linkage_attr(op));
    if (!verify_dictionaries(op, mlc_llvm_func_arg_attrs(op), type, false) ||
        !verify_dictionaries(op, mlc_llvm_func_res_attrs(op), type, true))
        return false;
    if (!is_external(op) && !verify_entry(op, type))
        return false;
    if (strcmp(linkage, "common") == 0)
        return mlc_op_error(op, "functions cannot have 'common' linkage");
    if (!verify_comdat(op, mlc_llvm_func_comdat(op)))
        return false;
    if (!is_external(op))
        return verify_definition(op);
    return strcmp(linkage, "external") == 0 || strcmp(linkage, "extern_weak") == 0 ||
           mlc_op_error(op, "external functions must have 'external' or 'extern_weak' linkage");
}

// --- globals

static bool
is_zero(MlcAttr value)
{
    switch (mlc_attr_kind(value)) {
    case MLC_ATTR_INTEGER: {
        int64_t number;
        return mlc_attr_try_as_int(value, &number) && number == 0;
    }
    case MLC_ATTR_FLOAT:
        return mlc_float_attr_as_double(value) == 0;
    case MLC_ATTR_DENSE:
        return mlc_elements_attr_is_splat(value) && is_zero(mlc_elements_attr_element(value, 0));
    case MLC_ATTR_ARRAY:
        for (size_t i = 0; i < mlc_array_attr_size(value); i++)
            if (!is_zero(mlc_array_attr_element(value, i)))
                return false;
        return true;
    default:
        return false;
    }
}

static bool
verify_global_value(MlcOp *op, MlcType type, MlcAttr value)
{
    const char *linkage = linkage_name(mlc_llvm_mlir_global_linkage_attr(op));
    if (mlc_attr_is(value, MLC_ATTR_STRING) &&
        !mlc_llvm_is_array_of_bytes(type, mlc_string_attr_value(value).size))
        return mlc_op_error(op, "requires an i8 array type of the length equal to that of the "
                                "string attribute");
    if (mlc_type_isa(type, "llvm.target") &&
        !mlc_llvm_target_supports(type, MLC_LLVM_TARGET_GLOBAL))
        return mlc_op_error(op, "this target extension type cannot be used in a global");
    if (mlc_type_isa(type, "llvm.target") && value)
        return mlc_op_error(op, "global with target extension type can only be initialized with "
                                "zero-initializer");
    if (strcmp(linkage, "common") == 0 && value && !is_zero(value))
        return mlc_op_error(op, "expected zero value for 'common' linkage");
    if (strcmp(linkage, "appending") == 0 && !mlc_type_isa(type, "llvm.array"))
        return mlc_op_error(op, "expected array type for 'appending' linkage");
    return true;
}

bool
mlc_llvm_mlir_global_verify(MlcOp *op)
{
    MlcType type = mlc_llvm_mlir_global_global_type(op);
    bool is_valid = mlc_llvm_is_compatible_type(type) && !mlc_type_isa(type, "llvm.func") &&
                    mlc_llvm_is_element_type(type);
    if (!is_valid)
        return mlc_op_error(op, "expects type to be a valid element type for an LLVM global");
    if (!is_at_module_level(op))
        return mlc_op_error(op, "must appear at the module level");
    if (!verify_global_value(op, type, mlc_llvm_mlir_global_value(op)) ||
        !verify_comdat(op, mlc_llvm_mlir_global_comdat(op)))
        return false;
    MlcAttr alignment = mlc_llvm_mlir_global_alignment(op);
    int64_t value = alignment ? mlc_attr_as_int(alignment) : 1;
    return mlc_is_power_of_two(value) || ERROR_AT(op, "alignment attribute is not a power of 2");
}

bool
mlc_llvm_mlir_global_verify_regions(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_llvm_mlir_global_initializer(op));
    if (!block)
        return true;
    MlcType type = mlc_llvm_mlir_global_global_type(op);
    MlcOp *last = mlc_block_last(block);
    if (mlc_op_num_operands(last) == 0)
        return mlc_op_error(op, "initializer region cannot return void");
    MlcType found = mlc_value_type(mlc_op_operand(last, 0));
    if (found != type)
        return mlc_op_error(op, "initializer region type '%s' does not match global type '%s'",
                            mlc_type_text(found), mlc_type_text(type));
    MLC_FOR_EACH_OP (inner, block)
        if (!mlc_op_is_memory_effect_free(inner))
            return ERROR_AT(inner, "ops with side effects not allowed in global initializers");
    return !mlc_llvm_mlir_global_value(op) ||
           mlc_op_error(op, "cannot have both initializer value and region");
}

bool
mlc_llvm_comdat_verify_regions(MlcOp *op)
{
    MLC_FOR_EACH_OP (inner, mlc_region_first(mlc_llvm_comdat_body(op)))
        if (!mlc_llvm_comdat_selector_isa(inner))
            return ERROR_AT(inner, "only comdat selector symbols can appear in a comdat region");
    return true;
}

// Constructors and destructors.

bool
mlc_llvm_mlir_global_ctors_verify(MlcOp *op)
{
    return mlc_array_attr_size(mlc_llvm_mlir_global_ctors_ctors(op)) ==
               mlc_array_attr_size(mlc_llvm_mlir_global_ctors_priorities(op)) ||
           ERROR_AT(op, "mismatch between the number of ctors and the number of priorities");
}

bool
mlc_llvm_mlir_global_dtors_verify(MlcOp *op)
{
    return mlc_array_attr_size(mlc_llvm_mlir_global_dtors_dtors(op)) ==
               mlc_array_attr_size(mlc_llvm_mlir_global_dtors_priorities(op)) ||
           ERROR_AT(op, "mismatch between the number of dtors and the number of priorities");
}

static bool
verify_definitions(MlcOp *op, MlcAttr names)
{
    for (size_t i = 0; i < mlc_array_attr_size(names); i++) {
        MlcAttr name = mlc_array_attr_element(names, i);
        MlcOp *func = mlc_symbol_lookup_ref(op, name);
        MlcStr text = mlc_symbol_ref_attr_name(name, 0);
        if (!func || !mlc_llvm_func_isa(func))
            return mlc_op_error(op, "'%.*s' does not reference a valid LLVM function",
                                MLC_STR_FMT(text));
        if (is_external(func))
            return mlc_op_error(op, "'%.*s' does not have a definition", MLC_STR_FMT(text));
    }
    return true;
}

static bool
verify_ctors(MlcOp *op)
{
    return verify_definitions(op, mlc_llvm_mlir_global_ctors_ctors(op));
}

static bool
verify_dtors(MlcOp *op)
{
    return verify_definitions(op, mlc_llvm_mlir_global_dtors_dtors(op));
}

const MlcSymbolUser mlc_llvm_mlir_global_ctors_symbol_user = {.verify = verify_ctors};
const MlcSymbolUser mlc_llvm_mlir_global_dtors_symbol_user = {.verify = verify_dtors};

// --- users

static bool
verify_addressof(MlcOp *op)
{
    MlcOp *symbol = mlc_symbol_lookup_ref(op, mlc_llvm_mlir_addressof_global_name_attr(op));
    bool is_global = symbol && mlc_llvm_mlir_global_isa(symbol);
    if (!is_global && !(symbol && mlc_llvm_func_isa(symbol)))
        return mlc_op_error(op,
                            "must reference a global defined by 'llvm.mlir.global' or 'llvm.func'");
    MlcAttr space = is_global ? mlc_llvm_mlir_global_addr_space_attr(symbol) : NULL;
    unsigned expected = space ? (unsigned)mlc_attr_as_int(space) : 0;
    return !is_global || mlc_llvm_address_space(mlc_value_type(mlc_op_result(op, 0))) == expected ||
           mlc_op_error(op,
                        "pointer address space must match address space of the referenced global");
}

const MlcSymbolUser mlc_llvm_mlir_addressof_symbol_user = {.verify = verify_addressof};

// What a variadic function is called as.
static bool
verify_variadic(MlcOp *op, MlcAttr attr, size_t first, size_t count)
{
    if (!attr)
        return true;
    MlcType type = mlc_type_attr_value(attr), result = mlc_llvm_func_result(type);
    if (!mlc_llvm_func_is_variadic(type))
        return mlc_op_error(op, "expected var_callee_type to be a variadic function type");
    if (mlc_llvm_func_num_params(type) > count)
        return mlc_op_error(op, "expected var_callee_type to have at most %zu parameters", count);
    for (size_t i = 0; i < mlc_llvm_func_num_params(type); i++) {
        MlcType param = mlc_llvm_func_param(type, i),
                arg = mlc_value_type(mlc_op_operand(op, first + i));
        if (param != arg)
            return mlc_op_error(op, "var_callee_type parameter type mismatch: '%s' != '%s'",
                                mlc_type_text(param), mlc_type_text(arg));
    }
    if (mlc_op_num_results(op) == 0)
        return mlc_type_isa(result, "llvm.void") ||
               mlc_op_error(op, "expected var_callee_type to return void");
    MlcType found = mlc_value_type(mlc_op_result(op, 0));
    return found == result || mlc_op_error(op, "var_callee_type return type mismatch: '%s' != '%s'",
                                           mlc_type_text(result), mlc_type_text(found));
}

static bool
verify_call_result(MlcOp *op, MlcType type)
{
    MlcType expected = mlc_llvm_func_result(type);
    bool is_void = mlc_type_isa(expected, "llvm.void");
    if (mlc_op_num_results(op) == 0)
        return is_void || mlc_op_error(op, "expected function call to produce a value");
    if (is_void)
        return mlc_op_error(op, "calling function with void result must not produce values");
    MlcType found = mlc_value_type(mlc_op_result(op, 0));
    return found == expected || mlc_op_error(op, "result type mismatch: '%s' != '%s'",
                                             mlc_type_text(found), mlc_type_text(expected));
}

static bool
verify_signature(MlcOp *op, MlcType type)
{
    size_t count = mlc_op_num_operands(op), expected = mlc_llvm_func_num_params(type);
    bool is_variadic = mlc_llvm_func_is_variadic(type);
    if (is_variadic && !mlc_llvm_call_var_callee_type(op))
        return mlc_op_error(op, "missing var_callee_type attribute for vararg call");
    if (!is_variadic && count != expected)
        return mlc_op_error(op, "incorrect number of operands (%zu) for callee (expecting: %zu)",
                            count, expected);
    if (count < expected)
        return mlc_op_error(
            op, "incorrect number of operands (%zu) for varargs callee (expecting at least: %zu)",
            count, expected);
    for (size_t i = 0; i < expected; i++) {
        MlcType found = mlc_value_type(mlc_op_operand(op, i)), param = mlc_llvm_func_param(type, i);
        if (found != param)
            return mlc_op_error(op, "operand type mismatch for operand %zu: '%s' != '%s'", i,
                                mlc_type_text(found), mlc_type_text(param));
    }
    return verify_call_result(op, type);
}

MlcAttr
mlc_llvm_subprogram_of(MlcLoc loc)
{
    MlcAttr metadata = mlc_loc_kind(loc) == MLC_LOC_FUSED ? mlc_loc_metadata(loc) : NULL;
    if (metadata && mlc_dialect_attr_def(metadata) == &mlc_llvm_di_subprogram_attr_def)
        return metadata;
    for (size_t i = 0; i < mlc_loc_num_children(loc); i++) {
        MlcAttr found = mlc_llvm_subprogram_of(mlc_loc_child(loc, i));
        if (found)
            return found;
    }
    return NULL;
}

// LLVM wants to know where a call is if both functions are known to the debugger: it may be
// inlined.
static bool
verify_call_place(MlcOp *op, MlcOp *callee)
{
    MlcOp *func = mlc_op_parent(op);
    while (func && !mlc_op_interface(func, MLC_INTERFACE_FUNCTION))
        func = mlc_op_parent(func);
    return mlc_loc_kind(mlc_op_loc(op)) != MLC_LOC_UNKNOWN || !func ||
           mlc_region_is_empty(mlc_op_region(callee, 0)) ||
           !mlc_llvm_subprogram_of(mlc_op_loc(func)) ||
           !mlc_llvm_subprogram_of(mlc_op_loc(callee)) ||
           ERROR_AT(op, "inlinable function call in a function with a DISubprogram location must "
                        "have a debug location");
}

static bool
verify_call(MlcOp *op)
{
    MlcAttr callee = mlc_llvm_call_callee(op);
    size_t first = callee ? 0 : 1, count = mlc_op_num_operands(op);
    if (count < first)
        return mlc_op_error(op, "must have either a `callee` attribute or at least an operand");
    if (!verify_variadic(op, mlc_llvm_call_var_callee_type(op), first, count - first))
        return false;
    if (!callee) {
        MlcType type = mlc_value_type(mlc_op_operand(op, 0));
        return mlc_llvm_is_ptr(type) ||
               mlc_op_error(op, "indirect call expects a pointer as callee: '%s'",
                            mlc_type_text(type));
    }
    MlcOp *symbol = mlc_symbol_lookup_ref(op, callee);
    MlcStr name = mlc_symbol_ref_attr_name(callee, 0);
    if (!symbol)
        return mlc_op_error(op, "'%.*s' does not reference a symbol in the current scope",
                            MLC_STR_FMT(name));
    if (!mlc_llvm_func_isa(symbol))
        return mlc_op_error(op, "'%.*s' does not reference a valid LLVM function",
                            MLC_STR_FMT(name));
    return verify_call_place(op, symbol) &&
           verify_signature(op, mlc_type_attr_value(mlc_llvm_func_function_type(symbol)));
}

const MlcSymbolUser mlc_llvm_call_symbol_user = {.verify = verify_call};

bool
mlc_llvm_invoke_verify_regions(MlcOp *op)
{
    size_t first, count;
    mlc_op_operand_group(op, 0, &first, &count);
    size_t skip = mlc_llvm_invoke_callee(op) ? 0 : 1;
    if (count < skip)
        return mlc_op_error(op, "must have either a `callee` attribute or at least an operand");
    if (!verify_variadic(op, mlc_llvm_invoke_var_callee_type(op), first + skip, count - skip))
        return false;
    MlcOp *pad = mlc_block_first(mlc_op_successor(op, 1));
    return mlc_llvm_landingpad_isa(pad) ||
           ERROR_AT(op, "first operation in unwind destination should be a llvm.landingpad "
                        "operation");
}

// --- attributes on arguments, results and modules

typedef enum ParamKind { UNIT, TYPE, INTEGER } ParamKind;

// What the attribute is, and on values of which type it stands: pointers, integers, or any.
static const struct {
    const char *name;
    ParamKind kind;
    char on; // 'p', 'i' or 0
    bool not_on_results;
} param_attrs[] = {
    {"llvm.noalias", UNIT, 'p', false},
    {"llvm.readonly", UNIT, 'p', true},
    {"llvm.readnone", UNIT, 'p', true},
    {"llvm.writeonly", UNIT, 'p', true},
    {"llvm.nest", UNIT, 'p', true},
    {"llvm.nocapture", UNIT, 'p', true},
    {"llvm.nofree", UNIT, 'p', true},
    {"llvm.nonnull", UNIT, 'p', false},
    {"llvm.sret", TYPE, 'p', true},
    {"llvm.byval", TYPE, 'p', true},
    {"llvm.byref", TYPE, 'p', true},
    {"llvm.inalloca", TYPE, 'p', true},
    {"llvm.preallocated", TYPE, 'p', true},
    {"llvm.signext", UNIT, 'i', false},
    {"llvm.zeroext", UNIT, 'i', false},
    {"llvm.align", INTEGER, 'p', false},
    {"llvm.dereferenceable", INTEGER, 'p', false},
    {"llvm.dereferenceable_or_null", INTEGER, 'p', false},
    {"llvm.alignstack", INTEGER, 'p', true},
    {"llvm.noundef", UNIT, 0, false},
    {"llvm.inreg", UNIT, 0, false},
    {"llvm.returned", UNIT, 0, true},
    {"llvm.allocalign", UNIT, 0, true},
    {"llvm.allocptr", UNIT, 0, true},
};

bool
mlc_llvm_verify_param_attr(MlcOp *op, MlcType type, MlcNamedAttr attr, bool is_result)
{
    static const struct {
        MlcAttrKind kind;
        const char *text;
    } kinds[] = {[UNIT] = {MLC_ATTR_UNIT, "a unit"},
                 [TYPE] = {MLC_ATTR_TYPE, "a type"},
                 [INTEGER] = {MLC_ATTR_INTEGER, "an integer"}};
    size_t i = 0, count = sizeof param_attrs / sizeof *param_attrs;
    while (i < count &&
           !mlc_str_equal(mlc_string_attr_value(attr.name), mlc_str(param_attrs[i].name)))
        i++;
    if (i == count)
        return true;
    const char *name = param_attrs[i].name;
    if (is_result && param_attrs[i].not_on_results)
        return ERROR_AT(op, "\"%s\" is not a valid result attribute", name);
    if (!mlc_attr_is(attr.value, kinds[param_attrs[i].kind].kind))
        return ERROR_AT(op, "\"%s\" should be %s attribute", name, kinds[param_attrs[i].kind].text);
    if (!mlc_llvm_is_compatible_type(type)) // not of LLVM yet
        return true;
    if (param_attrs[i].on == 'p' && !mlc_llvm_is_ptr(type))
        return ERROR_AT(op, "\"%s\" attribute attached to non-pointer LLVM type", name);
    if (param_attrs[i].on == 'i' && !mlc_type_is(type, MLC_TYPE_INTEGER))
        return ERROR_AT(op, "\"%s\" attribute attached to non-integer LLVM type", name);
    return true;
}

// The part of LLVM's data layouts that starts with a letter it does not know.
static bool
verify_data_layout(MlcOp *op, MlcStr layout)
{
    for (size_t i = 0; i < layout.size; i++) {
        bool starts = i == 0 || layout.data[i - 1] == '-';
        if (starts && !strchr("seEpivfanSPAGmF", layout.data[i]))
            return mlc_op_error(op, "invalid data layout descriptor: Unknown specifier in "
                                    "datalayout string");
    }
    return true;
}

bool
mlc_llvm_verify_attr(MlcOp *op, MlcNamedAttr attr)
{
    if (!mlc_str_equal(mlc_string_attr_value(attr.name), mlc_str("llvm.data_layout")))
        return true;
    if (!mlc_attr_is(attr.value, MLC_ATTR_STRING))
        return mlc_op_error(op, "expected 'llvm.data_layout' to be a string attributes");
    return verify_data_layout(op, mlc_string_attr_value(attr.value));
}

bool
mlc_llvm_target_features_attr_verify(const MlcErrorSink *sink, const MlcAttr *params)
{
    for (size_t i = 0; params[0] && i < mlc_array_attr_size(params[0]); i++) {
        MlcAttr feature = mlc_array_attr_element(params[0], i);
        MlcStr text =
            mlc_attr_is(feature, MLC_ATTR_STRING) ? mlc_string_attr_value(feature) : (MlcStr){0};
        if (text.size == 0)
            return mlc_sink_error(sink, "target features can not be null or empty");
        if (text.data[0] != '+' && text.data[0] != '-')
            return mlc_sink_error(sink, "target features must start with '+' or '-'");
        if (memchr(text.data, ',', text.size))
            return mlc_sink_error(sink, "target features can not contain ','");
    }
    return true;
}

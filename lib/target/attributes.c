// attributes.c -- attributes of functions, their arguments and results: LLVM's own by the dialect's
// names, and those that are text.
#include "translate.h"

#include <stdlib.h>

static LLVMAttributeRef
string_attribute(Translator *t, MlcStr key, MlcStr value)
{
    return LLVMCreateStringAttribute(t->llvm, key.data, (unsigned)key.size, value.data,
                                     (unsigned)value.size);
}

static void
add_to_function(LLVMValueRef function, LLVMAttributeRef attribute)
{
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

static bool
takes_number(MlcStr name)
{
    static const char *const names[] = {"align",       "alignstack",      "allockind",
                                        "allocsize",   "dereferenceable", "dereferenceable_or_null",
                                        "memory",      "nofpclass",       "uwtable",
                                        "vscale_range"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlc_str_equal(name, mlc_str(names[i])))
            return true;
    return false;
}

// One of LLVM's, of a number or of none, or any text.
static void
add_passed(Translator *t, MlcOp *op, LLVMValueRef function, MlcStr name, MlcStr value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name.data, name.size);
    bool has_number = kind && takes_number(name);
    bool is_wrong = kind && has_number == (value.size == 0);
    if (is_wrong) {
        t->failed = true;
        if (has_number)
            mlc_error(mlc_op_context(op), mlc_op_loc(op), "LLVM attribute '%.*s' expects a value",
                      MLC_STR_FMT(name));
        else
            mlc_error(mlc_op_context(op), mlc_op_loc(op),
                      "LLVM attribute '%.*s' does not expect a value, found '%.*s'",
                      MLC_STR_FMT(name), MLC_STR_FMT(value));
        return;
    }
    add_to_function(function,
                    kind ? LLVMCreateEnumAttribute(t->llvm, kind,
                                                   has_number ? strtoull(value.data, NULL, 0) : 0)
                         : string_attribute(t, name, value));
}

// passthrough = ["nounwind", ["key", "value"]]
static void
add_passthrough(Translator *t, MlcOp *op, LLVMValueRef function)
{
    MlcAttr list = mlc_op_attr(op, "passthrough");
    for (size_t i = 0; mlc_attr_is(list, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(list); i++) {
        MlcAttr entry = mlc_array_attr_element(list, i);
        if (mlc_attr_is(entry, MLC_ATTR_STRING)) {
            add_passed(t, op, function, mlc_string_attr_value(entry), mlc_str_n("", 0));
            continue;
        }
        bool is_pair = mlc_attr_is(entry, MLC_ATTR_ARRAY) && mlc_array_attr_size(entry) == 2;
        MlcAttr key = is_pair ? mlc_array_attr_element(entry, 0) : NULL;
        MlcAttr value = is_pair ? mlc_array_attr_element(entry, 1) : NULL;
        if (mlc_attr_is(key, MLC_ATTR_STRING) && mlc_attr_is(value, MLC_ATTR_STRING)) {
            add_passed(t, op, function, mlc_string_attr_value(key), mlc_string_attr_value(value));
            continue;
        }
        t->failed = true;
        mlc_error(mlc_op_context(op), mlc_op_loc(op), "%s",
                  is_pair ? "expected arrays within 'passthrough' to contain two strings"
                          : "expected 'passthrough' to contain string or array attributes");
    }
}

// {llvm.noalias, llvm.align = 64 : i64, llvm.byval = !llvm.array<..>}: LLVM's names behind the
// dialect's prefix.
static void
add_value_attributes(Translator *t, MlcOp *op, LLVMValueRef function, LLVMAttributeIndex index,
                     MlcAttr dict)
{
    for (size_t i = 0; mlc_attr_is(dict, MLC_ATTR_DICT) && i < mlc_dict_attr_size(dict); i++) {
        MlcNamedAttr entry = mlc_dict_attr_entry(dict, i);
        MlcStr name = mlc_string_attr_value(entry.name);
        if (name.size <= 5 || memcmp(name.data, "llvm.", 5) != 0)
            continue; // another dialect's, nothing to us
        if (mlc_str_equal(name, mlc_str("llvm.struct_attrs")))
            continue; // of a struct's fields, which LLVM IR has no place for
        unsigned kind = LLVMGetEnumAttributeKindForName(name.data + 5, name.size - 5);
        if (kind == 0) {
            mlc_translate_error(t, op, "LLVM 19 has no attribute '%.*s'", (int)name.size - 5,
                                name.data + 5);
            continue;
        }
        int64_t value = 0;
        LLVMAttributeRef attribute;
        if (mlc_attr_is(entry.value, MLC_ATTR_TYPE)) {
            LLVMTypeRef type = mlc_translate_type(t, op, mlc_type_attr_value(entry.value));
            if (!type)
                continue;
            attribute = LLVMCreateTypeAttribute(t->llvm, kind, type);
        } else {
            if (mlc_attr_is(entry.value, MLC_ATTR_INTEGER))
                (void)mlc_attr_try_as_int(entry.value, &value);
            attribute = LLVMCreateEnumAttribute(t->llvm, kind, (uint64_t)value);
        }
        LLVMAddAttributeAtIndex(function, index, attribute);
    }
}

static void
add_number(Translator *t, LLVMValueRef function, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    add_to_function(function, LLVMCreateEnumAttribute(t->llvm, kind, value));
}

// Two bits for each kind of memory: LLVM's order is arguments, inaccessible, other.
static void
add_memory_effects(Translator *t, MlcOp *op, LLVMValueRef function)
{
    MlcAttr effects = mlc_op_attr(op, "memory");
    if (!effects)
        return;
    uint64_t other = (uint64_t)mlc_enum_attr_value(mlc_dialect_attr_param(effects, 0));
    uint64_t args = (uint64_t)mlc_enum_attr_value(mlc_dialect_attr_param(effects, 1));
    uint64_t hidden = (uint64_t)mlc_enum_attr_value(mlc_dialect_attr_param(effects, 2));
    add_number(t, function, "memory", args | hidden << 2 | other << 4);
}

static void
add_vscale_range(Translator *t, MlcOp *op, LLVMValueRef function)
{
    MlcAttr range = mlc_op_attr(op, "vscale_range");
    if (range)
        add_number(t, function, "vscale_range",
                   (uint64_t)mlc_attr_as_int(mlc_dialect_attr_param(range, 0)) << 32 |
                       (uint32_t)mlc_attr_as_int(mlc_dialect_attr_param(range, 1)));
}

// target_features = #llvm.target_features<["+a", "-b"]>
static void
add_features(Translator *t, MlcOp *op, LLVMValueRef function)
{
    MlcAttr features = mlc_op_attr(op, "target_features");
    MlcAttr list = features ? mlc_dialect_attr_param(features, 0) : NULL;
    MlcBuf text = {0};
    for (size_t i = 0; list && i < mlc_array_attr_size(list); i++) {
        mlc_buf_append_c(&text, i ? "," : "");
        mlc_buf_append_str(&text, mlc_string_attr_value(mlc_array_attr_element(list, i)));
    }
    if (list)
        add_to_function(function,
                        string_attribute(t, mlc_str("target-features"), mlc_buf_str(&text)));
    mlc_buf_release(&text);
}

// The dialect's attributes that are LLVM's flags or text under another name.
static const struct {
    const char *attr, *name;
    bool is_text;
} named[] = {
    {"always_inline", "alwaysinline", false},
    {"no_inline", "noinline", false},
    {"no_unwind", "nounwind", false},
    {"will_return", "willreturn", false},
    {"convergent", "convergent", false},
    {"optimize_none", "optnone", false},
    {"arm_streaming", "aarch64_pstate_sm_enabled", true},
    {"arm_locally_streaming", "aarch64_pstate_sm_body", true},
    {"arm_streaming_compatible", "aarch64_pstate_sm_compatible", true},
    {"arm_new_za", "aarch64_new_za", true},
    {"arm_in_za", "aarch64_in_za", true},
    {"arm_out_za", "aarch64_out_za", true},
    {"arm_inout_za", "aarch64_inout_za", true},
    {"arm_preserves_za", "aarch64_preserves_za", true},
    {"target_cpu", "target-cpu", true},
    {"tune_cpu", "tune-cpu", true},
    {"unsafe_fp_math", "unsafe-fp-math", true},
    {"no_infs_fp_math", "no-infs-fp-math", true},
    {"no_nans_fp_math", "no-nans-fp-math", true},
    {"approx_func_fp_math", "approx-func-fp-math", true},
    {"no_signed_zeros_fp_math", "no-signed-zeros-fp-math", true},
    {"denormal_fp_math", "denormal-fp-math", true},
    {"denormal_fp_math_f32", "denormal-fp-math-f32", true},
    {"fp_contract", "fp-contract", true},
};

static void
add_named(Translator *t, MlcOp *op, LLVMValueRef function)
{
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        MlcAttr attr = mlc_op_attr(op, named[i].attr);
        if (!attr)
            continue;
        if (!named[i].is_text)
            add_number(t, function, named[i].name, 0);
        else if (mlc_attr_is(attr, MLC_ATTR_STRING))
            add_to_function(
                function, string_attribute(t, mlc_str(named[i].name), mlc_string_attr_value(attr)));
        else
            add_to_function(function,
                            string_attribute(t, mlc_str(named[i].name),
                                             mlc_attr_is(attr, MLC_ATTR_UNIT) ? mlc_str("")
                                             : mlc_attr_as_bool(attr)         ? mlc_str("true")
                                                                              : mlc_str("false")));
    }
}

static void
add_frame_pointer(Translator *t, MlcOp *op, LLVMValueRef function)
{
    static const char *const kinds[] = {"none", "non-leaf", "all", "reserved"};
    MlcAttr attr = mlc_op_attr(op, "frame_pointer");
    int64_t kind = attr ? mlc_enum_attr_value(attr) : -1;
    if (kind >= 0 && kind < 4)
        add_to_function(function,
                        string_attribute(t, mlc_str("frame-pointer"), mlc_str(kinds[kind])));
}

void
mlc_translate_function_attributes(Translator *t, MlcOp *op, LLVMValueRef function)
{
    add_passthrough(t, op, function);
    add_named(t, op, function);
    add_memory_effects(t, op, function);
    add_vscale_range(t, op, function);
    add_features(t, op, function);
    add_frame_pointer(t, op, function);
    MlcAttr args = mlc_op_attr(op, "arg_attrs"), results = mlc_op_attr(op, "res_attrs");
    for (size_t i = 0; mlc_attr_is(args, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(args); i++)
        add_value_attributes(t, op, function, (LLVMAttributeIndex)i + 1,
                             mlc_array_attr_element(args, i));
    if (mlc_attr_is(results, MLC_ATTR_ARRAY) && mlc_array_attr_size(results) == 1)
        add_value_attributes(t, op, function, LLVMAttributeReturnIndex,
                             mlc_array_attr_element(results, 0));
}

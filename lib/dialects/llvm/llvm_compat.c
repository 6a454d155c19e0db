// llvm_compat.c -- which types LLVM has, and what they are made of.
#include "llvm_impl.h"

static MlcType
type_param(MlcType type, size_t i)
{
    return mlc_type_attr_value(mlc_dialect_type_param(type, i));
}

bool
mlc_llvm_is_any_of(MlcType type, const char *const *names)
{
    for (; *names; names++)
        if (mlc_type_isa(type, *names))
            return true;
    return false;
}

bool
mlc_llvm_is_element_type(MlcType type)
{
    static const char *const others[] = {"llvm.void", "llvm.label", "llvm.metadata",
                                         "llvm.func", "llvm.token", NULL};
    return !mlc_llvm_is_any_of(type, others);
}

bool
mlc_llvm_is_signless_integer(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_INTEGER) && mlc_integer_type_signedness(type) == MLC_SIGNLESS;
}

static bool
is_builtin_float(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_FLOAT))
        return false;
    switch (mlc_float_type_kind(type)) {
    case MLC_FLOAT_BF16:
    case MLC_FLOAT_F16:
    case MLC_FLOAT_F32:
    case MLC_FLOAT_F64:
    case MLC_FLOAT_F80:
    case MLC_FLOAT_F128:
        return true;
    default:
        return false;
    }
}

bool
mlc_llvm_is_float(MlcType type)
{
    return is_builtin_float(type) || mlc_type_isa(type, "llvm.ppc_fp128");
}

bool
mlc_llvm_is_ptr(MlcType type)
{
    return mlc_type_isa(type, "llvm.ptr");
}

unsigned
mlc_llvm_address_space(MlcType ptr)
{
    MlcAttr space = mlc_dialect_type_num_params(ptr) ? mlc_dialect_type_param(ptr, 0) : NULL;
    return space ? (unsigned)mlc_attr_as_int(space) : 0;
}

bool
mlc_llvm_is_vector(MlcType type)
{
    if (mlc_type_isa(type, "llvm.vec"))
        return true;
    if (!mlc_type_is(type, MLC_TYPE_VECTOR) || mlc_type_rank(type) != 1)
        return false;
    MlcType element = mlc_type_element(type);
    return mlc_llvm_is_signless_integer(element) || is_builtin_float(element) ||
           mlc_llvm_is_ptr(element);
}

MlcType
mlc_llvm_vector_element(MlcType vector)
{
    return mlc_type_is(vector, MLC_TYPE_VECTOR) ? mlc_type_element(vector) : type_param(vector, 1);
}

int64_t
mlc_llvm_vector_size(MlcType vector)
{
    return mlc_type_is(vector, MLC_TYPE_VECTOR)
               ? mlc_type_dim(vector, 0)
               : mlc_attr_as_int(mlc_dialect_type_param(vector, 2));
}

bool
mlc_llvm_vector_is_scalable(MlcType vector)
{
    return mlc_type_is(vector, MLC_TYPE_VECTOR)
               ? mlc_vector_type_has_scalable(vector)
               : mlc_attr_as_bool(mlc_dialect_type_param(vector, 0));
}

MlcType
mlc_llvm_comparison_type(MlcType operand)
{
    MlcType i1 = mlc_integer_type_get(mlc_type_context(operand), 1, MLC_SIGNLESS);
    if (mlc_type_is_shaped(operand))
        return mlc_type_with_element(operand, i1);
    if (!mlc_type_isa(operand, "llvm.vec"))
        return i1;
    bool is_scalable = mlc_llvm_vector_is_scalable(operand);
    int64_t size = mlc_llvm_vector_size(operand);
    return mlc_vector_type_get(i1, &size, 1, is_scalable ? &is_scalable : NULL);
}

static MlcAttr
struct_body(MlcType type)
{
    return mlc_dialect_type_param(type, 0) ? mlc_dialect_type_body(type)
                                           : mlc_dialect_type_param(type, 2);
}

size_t
mlc_llvm_struct_size(MlcType type)
{
    MlcAttr body = struct_body(type);
    return body ? mlc_array_attr_size(body) : 0;
}

MlcType
mlc_llvm_struct_member(MlcType type, size_t i)
{
    return mlc_type_attr_value(mlc_array_attr_element(struct_body(type), i));
}

MlcType
mlc_llvm_array_element(MlcType array)
{
    return type_param(array, 0);
}

int64_t
mlc_llvm_array_size(MlcType array)
{
    return mlc_attr_as_int(mlc_dialect_type_param(array, 1));
}

MlcType
mlc_llvm_func_result(MlcType func)
{
    return type_param(func, 0);
}

size_t
mlc_llvm_func_num_params(MlcType func)
{
    return mlc_array_attr_size(mlc_dialect_type_param(func, 1));
}

MlcType
mlc_llvm_func_param(MlcType func, size_t i)
{
    return mlc_type_attr_value(mlc_array_attr_element(mlc_dialect_type_param(func, 1), i));
}

bool
mlc_llvm_func_is_variadic(MlcType func)
{
    return mlc_attr_as_bool(mlc_dialect_type_param(func, 2));
}

// Identified structures may contain themselves: one that is being looked at is taken for granted.
typedef struct Visited {
    MlcType type;
    const struct Visited *outer;
} Visited;

static bool is_compatible(MlcType type, const Visited *outer);

static bool
is_compatible_struct(MlcType type, const Visited *outer)
{
    Visited self = {type, outer};
    for (; outer; outer = outer->outer)
        if (outer->type == type)
            return true;
    for (size_t i = 0; i < mlc_llvm_struct_size(type); i++)
        if (!is_compatible(mlc_llvm_struct_member(type, i), &self))
            return false;
    return true;
}

static bool
is_compatible(MlcType type, const Visited *outer)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    if (!def)
        return mlc_llvm_is_signless_integer(type) || is_builtin_float(type) ||
               mlc_llvm_is_vector(type);
    if (strcmp(def->dialect->name, "llvm") != 0)
        return false;
    if (def == &mlc_llvm_struct_type_def)
        return is_compatible_struct(type, outer);
    if (def == &mlc_llvm_array_type_def)
        return is_compatible(mlc_llvm_array_element(type), outer);
    if (def != &mlc_llvm_func_type_def)
        return true;
    for (size_t i = 0; i < mlc_llvm_func_num_params(type); i++)
        if (!is_compatible(mlc_llvm_func_param(type, i), outer))
            return false;
    return is_compatible(mlc_llvm_func_result(type), outer);
}

// Constraints of the record.

bool
mlc_llvm_is_compatible_type(const void *type)
{
    return is_compatible(type, NULL);
}

static bool
starts_with(MlcType target, const char *prefix)
{
    MlcStr name = mlc_string_attr_value(mlc_dialect_type_param(target, 0));
    return strncmp(name.data, prefix, strlen(prefix)) == 0;
}

// Target extension types are what their target makes of them: only those of SPIR-V and of AArch64's
// counters are values that memory can hold.
bool
mlc_llvm_is_loadable_type(const void *type)
{
    static const char *const without_size[] = {"llvm.void",  "llvm.func",     "llvm.label",
                                               "llvm.token", "llvm.metadata", NULL};
    MlcType t = type;
    if (mlc_type_isa(t, "llvm.struct") && mlc_dialect_type_param(t, 0) && !struct_body(t))
        return false;
    if (mlc_type_isa(t, "llvm.target"))
        return mlc_llvm_target_supports(t, MLC_LLVM_TARGET_LOAD);
    return !mlc_llvm_is_any_of(t, without_size) && mlc_llvm_is_compatible_type(t);
}

bool
mlc_llvm_target_supports(MlcType target, MlcLlvmTargetUse use)
{
    bool is_spirv = starts_with(target, "spirv."),
         is_aarch64 = starts_with(target, "aarch64.svcount");
    switch (use) {
    case MLC_LLVM_TARGET_ZERO:
    case MLC_LLVM_TARGET_GLOBAL:
        return is_spirv;
    default:
        return is_spirv || is_aarch64;
    }
}

bool
mlc_llvm_is_any_vector(const void *type)
{
    return mlc_llvm_is_vector(type);
}

// The dialect's own vectors by their elements.
bool
mlc_llvm_is_vec_of_ptr(const void *type)
{
    return mlc_type_isa(type, "llvm.vec") && mlc_llvm_is_ptr(mlc_llvm_vector_element(type));
}

bool
mlc_llvm_is_vec_of_float(const void *type)
{
    return mlc_type_isa(type, "llvm.vec") && mlc_llvm_is_float(mlc_llvm_vector_element(type));
}

bool
mlc_llvm_is_vec_of_int(const void *type)
{
    return mlc_type_isa(type, "llvm.vec") &&
           mlc_llvm_is_signless_integer(mlc_llvm_vector_element(type));
}

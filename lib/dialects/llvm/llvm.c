// llvm.c -- what is a type of LLVM.
#include "mlc/dialects/llvm.h"

#include "mlc/ir.h"

static bool
is_signless_integer(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_INTEGER) && mlc_integer_type_signedness(type) == MLC_SIGNLESS;
}

static bool
is_float_of_llvm(MlcType type)
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
mlc_llvm_is_compatible_type(const void *type)
{
    MlcType t = type;
    if (mlc_type_is(t, MLC_TYPE_DIALECT)) {
        const MlcDialectDef *dialect = mlc_dialect_type_def(t)->dialect;
        return strcmp(dialect->name, "llvm") == 0;
    }
    if (mlc_type_is(t, MLC_TYPE_VECTOR)) {
        MlcType element = mlc_type_element(t);
        return mlc_type_rank(t) == 1 && (is_signless_integer(element) || is_float_of_llvm(element) ||
                                         mlc_type_isa(element, "llvm.ptr"));
    }
    return is_signless_integer(t) || is_float_of_llvm(t);
}

bool
mlc_llvm_is_loadable_type(const void *type)
{
    MlcType t = type;
    static const char *const without_size[] = {"llvm.void", "llvm.func", "llvm.label", "llvm.token",
                                               "llvm.metadata"};
    for (size_t i = 0; i < sizeof without_size / sizeof *without_size; ++i)
        if (mlc_type_isa(t, without_size[i]))
            return false;
    return mlc_llvm_is_compatible_type(t);
}

static bool
is_ptr_in(MlcType type, int64_t space)
{
    if (!mlc_type_isa(type, "llvm.ptr"))
        return false;
    MlcAttr attr = mlc_dialect_type_num_params(type) ? mlc_dialect_type_param(type, 0) : NULL;
    return (attr ? mlc_attr_as_int(attr) : 0) == space;
}

bool
mlc_llvm_is_shared_ptr(const void *type)
{
    return is_ptr_in(type, 3);
}

bool
mlc_llvm_is_global_ptr(const void *type)
{
    return is_ptr_in(type, 1);
}

bool
mlc_llvm_is_default_ptr(const void *type)
{
    return is_ptr_in(type, 0);
}

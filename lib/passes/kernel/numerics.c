// numerics.c -- the names of the modes, and the one a module is in.
#include "mlc/passes/numerics.h"

static const char *const names[] = {
    [MLC_NUMERICS_STRICT] = "strict",
    [MLC_NUMERICS_DEFAULT] = "default",
    [MLC_NUMERICS_FAST] = "fast",
};

bool
mlc_numerics_find(MlcStr name, MlcNumerics *numerics)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlc_str_equal(name, mlc_str(names[i]))) {
            *numerics = (MlcNumerics)i;
            return true;
        }
    return false;
}

bool
mlc_module_numerics(MlcOp *module, MlcNumerics *numerics)
{
    MlcAttr attr = mlc_op_attr(module, "mlc.numerics");
    *numerics = MLC_NUMERICS_DEFAULT;
    if (!attr || (mlc_attr_is(attr, MLC_ATTR_STRING) &&
                  mlc_numerics_find(mlc_string_attr_value(attr), numerics)))
        return true;
    return mlc_op_error(module, "'mlc.numerics' must be \"strict\", \"default\" or \"fast\"");
}

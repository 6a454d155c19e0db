// symbol_privatize.c -- make the symbols of an op private, but for those on a list.
#include "mlc/pass.h"

#include "mlc/ir.h"

static bool
is_listed(MlcStr list, MlcStr name)
{
    while (list.size) {
        const char *comma = memchr(list.data, ',', list.size);
        size_t n = comma ? (size_t)(comma - list.data) : list.size;
        if (mlc_str_equal(mlc_str_n(list.data, n), name))
            return true;
        size_t used = n + (comma != NULL);
        list = mlc_str_n(list.data + used, list.size - used);
    }
    return false;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcStr kept = mlc_pass_option_str(pass, "exclude");
    MlcAttr is_private = mlc_string_attr_get(mlc_op_context(root), mlc_str("private"));
    for (size_t i = 0; i < mlc_op_num_regions(root); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(root, i))
            MLC_FOR_EACH_OP (op, block)
                if (mlc_op_is_symbol(op) && !is_listed(kept, mlc_symbol_name(op)))
                    mlc_op_set_attr(op, "sym_visibility", is_private);
    return true;
}

static const MlcPassOption options[] = {
    {"exclude", MLC_OPTION_STRING, "", "Symbols that stay as they are"},
};

MLC_PASS(symbol_privatize, .flag = "symbol-privatize", .summary = "Mark symbols private",
         .options = options, .num_options = sizeof options / sizeof *options, .run = run)

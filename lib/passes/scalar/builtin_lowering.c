// builtin_lowering.c -- lowerings of dialects that are built in, found by name.
#include "builtin_lowering.h"

#include "mlc/ir.h"
#include "mlc/ir/rule.h"

bool
builtin_lowering_converts(const char *name, const MlcOpDef *op)
{
    const MlcDialectMore *more = op->dialect->more;
    for (size_t i = 0; more && i < more->num_lowerings; i++)
        for (size_t k = 0; k < more->lowerings[i].num_tables; k++)
            if (more->lowerings[i].tables[k]->op == op &&
                strcmp(more->lowerings[i].name, name) == 0)
                return true;
    return false;
}

bool
builtin_lowering_run(const char *name, MlcPass *pass, MlcOp *root)
{
    return mlc_lower(root, mlc_rule_set_find(mlc_pass_context(pass), mlc_str(name)));
}

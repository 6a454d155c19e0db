// print_alias.c -- for each access of memory, in a remark, which earlier ones may touch the same
// buffer.
//
// Accesses of a function are numbered in program order; those that never share memory are left out.
#include "mlc/analysis/alias.h"
#include "mlc/pass.h"

typedef struct Access {
    MlcOp *op;
    MlcValue *memory;
} Access;
typedef MLC_VEC(Access) Accesses;

static void
add_accesses(MlcOp *op, Accesses *out)
{
    MlcEffectVec effects = {0};
    if (mlc_op_num_regions(op) == 0 && mlc_op_effects(op, &effects))
        for (size_t i = 0; i < effects.size; i++) {
            Access access = {op, effects.data[i].value};
            if (access.memory && effects.data[i].effect != MLC_EFFECT_ALLOC)
                mlc_vec_push(out, access);
        }
    mlc_vec_release(&effects);
}

static void
describe(const Accesses *accesses, size_t n)
{
    MlcBuf text = {0};
    for (size_t i = 0; i < n; i++) {
        MlcAlias alias = mlc_alias(accesses->data[i].memory, accesses->data[n].memory);
        if (alias != MLC_ALIAS_NO)
            mlc_buf_printf(&text, "%s %s %zu", text.size ? "," : ":",
                           alias == MLC_ALIAS_MUST ? "must alias" : "may alias", i);
    }
    MlcStr list = mlc_buf_str(&text);
    mlc_op_remark(accesses->data[n].op, "access %zu%.*s", n, (int)list.size, list.data);
    mlc_buf_release(&text);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    Accesses accesses = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        add_accesses(op, &accesses);
    for (size_t n = 0; n < accesses.size; n++)
        describe(&accesses, n);
    mlc_vec_release(&accesses);
    return true;
}

MLC_PASS(print_alias, .flag = "print-alias",
         .summary = "Say which accesses of memory may touch the same buffer", .anchor = "func.func",
         .run = run)

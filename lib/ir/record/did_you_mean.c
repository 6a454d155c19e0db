// did_you_mean.c -- names near a wrong one, for messages about definitions.
#include "did_you_mean.h"

#include "mlc/support/cli.h"

#include <string.h>

const char *
mlc_did_you_mean(MlcArena *arena, MlcStr wrong, MlcNames *names)
{
    MlcStr near = mlc_closest_name(wrong, names->data, names->size);
    const char *text =
        near.size ? mlc_arena_printf(arena, "; did you mean '%.*s'?", MLC_STR_FMT(near)).data : "";
    mlc_vec_release(names);
    return text;
}

const char *
mlc_did_you_mean_word(MlcArena *arena, MlcStr wrong, const char *const *words)
{
    MlcNames names = {0};
    for (; *words; words++)
        mlc_vec_push(&names, mlc_str(*words));
    return mlc_did_you_mean(arena, wrong, &names);
}

const char *
mlc_did_you_mean_op(MlcArena *arena, MlcStr wrong, const MlcDialectDef *dialect)
{
    bool is_full = memchr(wrong.data, '.', wrong.size);
    MlcNames names = {0};
    for (size_t i = 0; dialect && i < dialect->num_ops; i++) {
        const char *name = dialect->ops[i]->name;
        mlc_vec_push(&names, mlc_str(is_full ? name : strchr(name, '.') + 1));
    }
    return mlc_did_you_mean(arena, wrong, &names);
}

const char *
mlc_did_you_mean_attr(MlcArena *arena, MlcStr wrong, const MlcOpDef *op, bool groups)
{
    MlcNames names = {0};
    for (size_t i = 0; groups && i < op->num_operands; i++)
        mlc_vec_push(&names, mlc_str(op->operands[i].name));
    for (size_t i = 0; groups && i < op->num_results; i++)
        if (op->results[i].name)
            mlc_vec_push(&names, mlc_str(op->results[i].name));
    for (size_t i = 0; i < op->num_attrs; i++)
        mlc_vec_push(&names, mlc_str(op->attrs[i].name));
    return mlc_did_you_mean(arena, wrong, &names);
}

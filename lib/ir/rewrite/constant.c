// constant.c -- the op that a folded value becomes: `constants` of a dialect's record name those
// that may be made, and their own records say which values they take.
#include "rewrite_impl.h"

// Whether the op holds such a value and gives it such a type. Where relations tie the two, the
// value has the type; elsewhere it may have none.
static bool
takes(const MlcOpDef *def, MlcAttr value, MlcType type)
{
    MlcType own = mlc_attr_type(value);
    bool is_tied = def->num_relations > 0;
    return (own ? own == type : !is_tied) &&
           mlc_constraint_check_attr(def->attrs[def->facts.value - 1].constraint, value) &&
           mlc_constraint_check_type(def->results[0].type, type);
}

MlcOp *
mlc_build_constant_of(MlcBuilder *b, const MlcDialectDef *dialect, MlcAttr value, MlcType type,
                      MlcLoc loc)
{
    MlcOp *made = NULL;
    if (dialect && dialect->materialize)
        made = dialect->materialize(b, value, type, loc);
    for (const char *const *name = dialect ? dialect->constants : NULL; !made && name && *name;
         name++) {
        const MlcOpDef *def = mlc_context_op(b->ctx, mlc_str(*name));
        if (!def || !takes(def, value, type))
            continue;
        MlcNamedAttr attr = mlc_named(b->ctx, "value", value);
        MlcOpState state = {.loc = loc,
                            .def = def,
                            .result_types = &type,
                            .num_results = 1,
                            .attrs = &attr,
                            .num_attrs = 1};
        made = mlc_builder_create(b, &state);
    }
    return made;
}

// rules_set.c -- what a lowering says besides its rules: types, and what may not stay.
#include "record/relation.h"
#include "rules_impl.h"

#include <ctype.h>

#define FAIL(c, t, ...) rules_fail(&(c)->parse, (t)->line, (t)->column, __VA_ARGS__)

static const MlcTypeDef *
type_in_dialect(MlcRulesCompiler *c, MlcStr dialect, MlcStr name)
{
    const MlcDialectDef *d = dialect.size ? c->find(c->parse.user, dialect) : NULL;
    for (size_t i = 0; d && i < d->num_types; i++)
        if (mlc_str_equal(mlc_str(strchr(d->types[i]->name, '.') + 1), name))
            return d->types[i];
    return NULL;
}

// `calc.money`, or `money` where the file says `dialect calc`.
static const MlcTypeDef *
type_named(MlcRulesCompiler *c, MlcStr name)
{
    const char *dot = memchr(name.data, '.', name.size);
    if (!dot)
        return type_in_dialect(c, c->parse.dialect, name);
    size_t head = (size_t)(dot - name.data);
    return type_in_dialect(c, mlc_str_n(name.data, head), mlc_str_n(dot + 1, name.size - head - 1));
}

// The names that a rule gives the parameters of a type.
static bool
name_params(MlcRulesCompiler *c, const RuleTerm *from, MlcRuleType *type)
{
    if (from->kind != RULE_APPLY)
        return true;
    if (from->num_args != type->def->num_params)
        return FAIL(c, from, "type '%s' has %d parameter%s, not %zu", type->def->name,
                    type->def->num_params, type->def->num_params == 1 ? "" : "s", from->num_args);
    const char **names = MLC_NEW_ARRAY(c->parse.arena, const char *, from->num_args + 1);
    for (size_t i = 0; i < from->num_args; i++) {
        if (from->args[i]->kind != RULE_NAME || from->args[i]->label.size || from->args[i]->type)
            return FAIL(c, from->args[i], "a parameter of a type is a name here");
        names[i] = from->args[i]->name.data;
    }
    type->params = names;
    return true;
}

// Every name in braces is a parameter's.
static bool
check_places(MlcRulesCompiler *c, const RuleTerm *at, const MlcRuleType *type)
{
    for (const char *open = strchr(type->to, '{'); open; open = strchr(open + 1, '{')) {
        const char *close = strchr(open, '}');
        if (!close)
            return FAIL(c, at, "'{' without '}'");
        MlcStr name = mlc_str_n(open + 1, (size_t)(close - open - 1));
        bool known = false;
        for (size_t i = 0; type->params && i < type->def->num_params; i++)
            known |= mlc_str_equal(mlc_str(type->params[i]), name);
        if (!known)
            return FAIL(c, at, "no parameter '%.*s' in the type before '=>'", MLC_STR_FMT(name));
    }
    return true;
}

// Whether a parameter holds a number, or a type; of others nobody knows what they look like here.
static bool
holds(const MlcParamDef *param, MlcAttrKind kind)
{
    const MlcConstraint *part =
        param->is_list ? NULL : mlc_constraint_part(param->constraint, MLC_CONSTRAINT_ATTR_KIND);
    return part && part->a == (int64_t)1 << kind;
}

// The text, with these for parameters that are numbers and types; empty where others are in it.
static MlcStr
filled(MlcRulesCompiler *c, const MlcRuleType *type, const char *number, const char *element)
{
    MlcBuf text = {0};
    const char *at = type->to, *open;
    for (; at && (open = strchr(at, '{')); at = open ? strchr(open, '}') + 1 : NULL) {
        MlcStr name = mlc_str_n(open + 1, (size_t)(strchr(open, '}') - open - 1));
        size_t i = 0;
        while (!mlc_str_equal(mlc_str(type->params[i]), name))
            i++;
        bool is_number = holds(&type->def->params[i], MLC_ATTR_INTEGER);
        mlc_buf_append(&text, at, (size_t)(open - at));
        mlc_buf_append_c(&text, is_number ? number : element);
        if (!is_number && !holds(&type->def->params[i], MLC_ATTR_TYPE))
            open = NULL;
    }
    if (at)
        mlc_buf_append_c(&text, at);
    MlcStr result = at ? mlc_arena_strdup(c->parse.arena, mlc_buf_str(&text)) : mlc_str("");
    mlc_buf_release(&text);
    return result;
}

// A text that is no type whatever the parameters are is wrong.
static bool
check_filled(MlcRulesCompiler *c, const RuleTerm *at, const MlcRuleType *type)
{
    static const char *const numbers[] = {"4", "8", "16", "32", "64", "1"};
    static const char *const elements[] = {"f32", "i32", "index", "tensor<1xf32>"};
    enum {
        NUMBERS = sizeof numbers / sizeof *numbers,
        ELEMENTS = sizeof elements / sizeof *elements
    };
    bool is_type = !c->is_type;
    for (size_t i = 0; i < NUMBERS * ELEMENTS && !is_type; i++) {
        MlcBuf error = {0};
        MlcStr text = filled(c, type, numbers[i / ELEMENTS], elements[i % ELEMENTS]);
        is_type = !text.size || c->is_type(c->parse.user, text.data, &error);
        mlc_buf_release(&error);
    }
    return is_type || rules_check_type(c, at, filled(c, type, numbers[0], elements[0]).data);
}

static bool
compile_type(MlcRulesCompiler *c, const RuleTypeText *text, MlcRuleType *type)
{
    if (text->from->kind == RULE_TUPLE)
        return FAIL(c, text->from, "one type becomes another");
    if (text->from->kind == RULE_TEXT)
        type->from = text->from->name.data;
    else if (!(type->def = type_named(c, text->from->name)))
        return FAIL(c, text->from, "there is no type '%s'", text->from->name.data);
    if (type->def && !name_params(c, text->from, type))
        return false;
    if (text->to->kind == RULE_APPLY || text->to->kind == RULE_TUPLE)
        return FAIL(c, text->to, "a type is a text, or a parameter's name");
    type->to = text->to->kind == RULE_TEXT
                   ? text->to->name.data
                   : mlc_arena_printf(c->parse.arena, "{%s}", text->to->name.data).data;
    if ((type->from && !rules_check_type(c, text->from, type->from)) ||
        (!strchr(type->to, '{') && !rules_check_type(c, text->to, type->to)))
        return false;
    return check_places(c, text->to, type) && (!type->params || check_filled(c, text->to, type));
}

static bool
check_illegal(MlcRulesCompiler *c, const RuleIllegalText *text)
{
    const char *dot = memchr(text->name.data, '.', text->name.size);
    size_t head = dot ? (size_t)(dot - text->name.data) : text->name.size;
    const MlcDialectDef *d = c->find(c->parse.user, mlc_str_n(text->name.data, head));
    bool known = d && !dot;
    for (size_t i = 0; d && dot && i < d->num_ops; i++)
        known |= mlc_str_equal(mlc_str(d->ops[i]->name), text->name);
    return known || FAIL(c, text, "there is no dialect and no op '%s'", text->name.data);
}

void
rules_compile_set(MlcRulesCompiler *c, const RuleSetText *text, const MlcRuleTableVec *tables)
{
    MlcArena *arena = c->parse.arena;
    const MlcRuleTable **list = MLC_NEW_ARRAY(arena, const MlcRuleTable *, tables->size + 1);
    MlcRuleType *types = MLC_NEW_ARRAY(arena, MlcRuleType, c->parse.types.size + 1);
    const char **illegal = MLC_NEW_ARRAY(arena, const char *, c->parse.illegal.size + 1);
    MlcRuleSet set = {.name = text->name.data, .tables = list, .types = types, .illegal = illegal};
    for (size_t i = 0; i < tables->size; i++)
        list[set.num_tables++] = tables->data[i];
    for (size_t i = 0; i < c->parse.types.size; i++)
        if (c->parse.types.data[i].set == text)
            compile_type(c, &c->parse.types.data[i], &types[set.num_types++]);
    for (size_t i = 0; i < c->parse.illegal.size; i++)
        if (c->parse.illegal.data[i].set == text && check_illegal(c, &c->parse.illegal.data[i]))
            illegal[set.num_illegal++] = c->parse.illegal.data[i].name.data;
    mlc_vec_push(&c->sets, set);
}

// rules.c -- compiled rules as constant C data, next to the records of their dialect.
//
// Expressions are printed once per address, and once of those that are the same, inner ones first.
#include "gen.h"

typedef struct Rules {
    Gen *gen;
    GenDialect *d;
    MlcBuf *out;
    const char *(*constraint)(void *user, const MlcConstraint *c);
    void *user;
    MlcMap names;     // address of what was printed -> its C name
    MlcStrMap bodies; // "kind of a constant: its text" -> the C name of the one that was printed
    MlcMap foreign;   // ops and attributes of other dialects that were declared
    size_t num_printed;
} Rules;

static const char *
new_name(Rules *r, const void *address, const char *prefix)
{
    const char *name = mlc_arena_printf(&r->gen->arena, "%s%zu", prefix, r->num_printed++).data;
    mlc_map_set(&r->names, address, (void *)(uintptr_t)name);
    return name;
}

// &mlc_arith_addi_def, declared if it is of another dialect.
static const char *
definition(Rules *r, const void *def, const MlcDialectDef *dialect, const char *name,
           const char *type, const char *suffix)
{
    const char *symbol = mlc_arena_printf(&r->gen->arena, "mlc_%s_%s_%s", dialect->name,
                                          gen_c_name(r->gen, name), suffix)
                             .data;
    if (dialect != r->d->def && !mlc_map_has(&r->foreign, def)) {
        mlc_map_set(&r->foreign, def, (void *)(uintptr_t)symbol);
        mlc_buf_printf(r->out, "extern const %s %s;\n", type, symbol);
    }
    return mlc_arena_printf(&r->gen->arena, "&%s", symbol).data;
}

static const char *
op_symbol(Rules *r, const MlcOpDef *op)
{
    return definition(r, op, op->dialect, op->name, "MlcOpDef", "def");
}

// A constant of that text: one that was printed, or a new one, `type` [] where it is a list.
static const char *
constant(Rules *r, const void *address, const char *prefix, const char *type, const MlcBuf *body)
{
    bool is_list = type[strlen(type) - 1] == ']';
    MlcBuf key = {0};
    mlc_buf_printf(&key, "%s: %s", prefix, mlc_buf_c_str((MlcBuf *)(uintptr_t)body));
    const char *name = mlc_str_map_get(&r->bodies, mlc_buf_str(&key));
    if (name) {
        mlc_map_set(&r->names, address, (void *)(uintptr_t)name);
    } else {
        name = new_name(r, address, prefix);
        mlc_str_map_set(&r->bodies, mlc_buf_str(&key), name);
        mlc_buf_printf(r->out, "static const %.*s%s%s = {%s};\n",
                       (int)(strlen(type) - (is_list ? 2 : 0)), type, name, is_list ? "[]" : "",
                       mlc_buf_c_str((MlcBuf *)(uintptr_t)body));
    }
    mlc_buf_release(&key);
    return name;
}

static const char *expression(Rules *r, const MlcRuleExpr *e);

static const char *
list(Rules *r, const MlcRuleExpr *const *exprs, size_t n)
{
    if (!n)
        return "NULL";
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(&body, "&%s, ", expression(r, exprs[i]));
    const char *name = constant(r, exprs, "rule_list", "MlcRuleExpr *const []", &body);
    mlc_buf_release(&body);
    return name;
}

static void
print_attr_names(Rules *r, const MlcRuleExpr *e, MlcBuf *body)
{
    const char *attrs = list(r, e->attrs, e->num_attrs);
    MlcBuf names = {0};
    for (size_t i = 0; i < e->num_attrs; i++)
        mlc_buf_printf(&names, "\"%s\", ", e->attr_names[i]);
    const char *name = constant(r, e->attr_names, "rule_names", "char *const []", &names);
    mlc_buf_release(&names);
    mlc_buf_printf(body, ", .num_attrs = %u, .attrs = %s, .attr_names = %s", e->num_attrs, attrs,
                   name);
}

static void
print_regions(Rules *r, const MlcRuleExpr *e, MlcBuf *body)
{
    MlcBuf regions = {0};
    for (size_t i = 0; i < e->num_regions; i++) {
        const MlcRuleRegion *region = &e->regions[i];
        mlc_buf_printf(&regions, "{%u, %u, %u, %s}, ", region->variable, region->num_before,
                       region->num_after,
                       list(r, region->types, (size_t)region->num_before + region->num_after));
    }
    const char *name = constant(r, e->regions, "rule_regions", "MlcRuleRegion []", &regions);
    mlc_buf_printf(body, ", .num_regions = %u, .regions = %s", e->num_regions, name);
    mlc_buf_release(&regions);
}

static const char *
expression(Rules *r, const MlcRuleExpr *e)
{
    const char *known = mlc_map_get(&r->names, e);
    if (known)
        return known;
    MlcBuf body = {0};
    mlc_buf_printf(&body, ".kind = %u", e->kind);
    if (e->number)
        mlc_buf_printf(
            &body, e->number == INT64_MIN ? ", .number = INT64_MIN" : ", .number = INT64_C(%lld)",
            (long long)e->number);
    if (e->result)
        mlc_buf_printf(&body, ", .result = %u", e->result);
    if (e->kind == MLC_RULE_CALL) {
        mlc_buf_printf(&body, ", .function = %s", e->text);
    } else if (e->text) {
        mlc_buf_append_c(&body, ", .text = ");
        gen_string(&body, e->text);
    }
    if (e->op)
        mlc_buf_printf(&body, ", .op = %s", op_symbol(r, e->op));
    if (e->attr_def)
        mlc_buf_printf(&body, ", .attr_def = %s",
                       definition(r, e->attr_def, e->attr_def->dialect, e->attr_def->name,
                                  "MlcAttrDef", "attr_def"));
    if (e->num_args)
        mlc_buf_printf(&body, ", .num_args = %u, .args = %s", e->num_args,
                       list(r, e->args, e->num_args));
    if (e->num_attrs)
        print_attr_names(r, e, &body);
    if (e->num_regions)
        print_regions(r, e, &body);
    if (e->type)
        mlc_buf_printf(&body, ", .type = &%s", expression(r, e->type));
    const char *name = constant(r, e, "rule_expr", "MlcRuleExpr ", &body);
    mlc_buf_release(&body);
    return name;
}

static const char *
rule(Rules *r, const MlcRule *rule)
{
    const char *known = mlc_map_get(&r->names, rule);
    if (known)
        return known;
    const char *result = rule->result ? expression(r, rule->result) : NULL;
    const char *guard = rule->guard ? expression(r, rule->guard) : NULL;
    const char *name = new_name(r, rule, "rule");
    if (rule->num_vars)
        mlc_buf_printf(r->out, "static const MlcRuleVar %s_vars[] = {", name);
    for (size_t i = 0; i < rule->num_vars; i++) {
        mlc_buf_printf(r->out, "{\"%s\", %u, ", rule->vars[i].name, rule->vars[i].kind);
        gen_string(r->out, rule->vars[i].attr);
        mlc_buf_printf(r->out, ", %u}, ", rule->vars[i].index);
    }
    if (rule->num_vars)
        mlc_buf_append_c(r->out, "};\n");
    mlc_buf_printf(r->out, "static const MlcRule %s = {.name = ", name);
    gen_string(r->out, rule->name);
    if (result)
        mlc_buf_printf(r->out, ", .result = &%s", result);
    if (rule->num_vars)
        mlc_buf_printf(r->out, ", .vars = %s_vars, .num_vars = %u", name, rule->num_vars);
    if (guard)
        mlc_buf_printf(r->out, ", .guard = &%s", guard);
    mlc_buf_append_c(r->out, "};\n");
    return name;
}

static const char *
match(Rules *r, const MlcRuleMatch *m)
{
    const char *known = mlc_map_get(&r->names, m);
    if (known)
        return known;
    const char *of = rule(r, m->rule), *name = new_name(r, m, "rule_match");
    mlc_buf_printf(r->out, "static const MlcRuleMatch %s = {&%s, (const uint8_t[]){", name, of);
    for (size_t i = 0; i < m->rule->num_vars; i++)
        mlc_buf_printf(r->out, "%u, ", m->positions[i]);
    mlc_buf_append_c(r->out, m->rule->num_vars ? "}};\n" : "0}};\n");
    return name;
}

static const char *
subject(Rules *r, const MlcRuleNode *node)
{
    switch (node->question & ~MLC_RULE_ELSEWHERE) {
    case MLC_RULE_MADE_BY:
    case MLC_RULE_OP:
        return op_symbol(r, node->subject);
    case MLC_RULE_TYPE:
        return r->constraint(r->user, node->subject);
    case MLC_RULE_LITERAL:
    case MLC_RULE_ATTR:
        return mlc_arena_printf(&r->gen->arena, "&%s", expression(r, node->subject)).data;
    case MLC_RULE_MATCH:
        return mlc_arena_printf(&r->gen->arena, "&%s", match(r, node->subject)).data;
    default:
        return "NULL";
    }
}

// `name` is what its C names begin with.
static void
print_table(Rules *r, const MlcRuleTable *table, const char *name)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < table->num_nodes; i++) {
        const MlcRuleNode *n = &table->nodes[i];
        const char *about = i ? subject(r, n) : "NULL";
        mlc_buf_printf(&body, "    {%u, %u, %u, %u, %d, ", n->question, n->at, n->yes, n->no,
                       n->number);
        gen_string(&body, n->attr);
        mlc_buf_printf(&body, ", %s},\n", about);
    }
    mlc_buf_printf(r->out, "static const MlcRuleNode %s_rule_nodes[] = {\n%s};\n", name,
                   mlc_buf_c_str(&body));
    mlc_buf_printf(r->out, "static const MlcRulePosition %s_rule_positions[] = {", name);
    for (size_t i = 0; i < table->num_positions; i++)
        mlc_buf_printf(r->out, "{%u, %u}, ", table->positions[i].parent,
                       table->positions[i].operand);
    mlc_buf_printf(r->out,
                   "};\nstatic const MlcRuleTable %s_rules = {%s, %s_rule_positions, "
                   "%s_rule_nodes, %u, %u, %u, %u};\n",
                   name, op_symbol(r, table->op), name, name, table->num_positions,
                   table->num_nodes, table->folds, table->rewrites);
    mlc_buf_release(&body);
}

// The tables of a lowering are of ops of any dialect.
static const char *
table_name(Rules *r, const MlcRuleSet *set, const MlcRuleTable *table)
{
    return mlc_arena_printf(&r->gen->arena, "%s_%s_%s", set->name, table->op->dialect->name,
                            gen_c_name(r->gen, table->op->name))
        .data;
}

// The types that a lowering converts.
static void
print_set_types(Rules *r, const MlcRuleSet *set)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < set->num_types; i++) {
        const MlcRuleType *type = &set->types[i];
        if (type->params) {
            mlc_buf_printf(r->out, "static const char *const %s_params%zu[] = {", set->name, i);
            for (size_t k = 0; k < type->def->num_params; k++)
                mlc_buf_printf(r->out, "\"%s\", ", type->params[k]);
            mlc_buf_append_c(r->out, "NULL};\n");
        }
        mlc_buf_printf(&body, "    {%s, ",
                       type->def ? definition(r, type->def, type->def->dialect, type->def->name,
                                              "MlcTypeDef", "type_def")
                                 : "NULL");
        gen_string(&body, type->from);
        if (type->params)
            mlc_buf_printf(&body, ", %s_params%zu, ", set->name, i);
        else
            mlc_buf_append_c(&body, ", NULL, ");
        gen_string(&body, type->to);
        mlc_buf_append_c(&body, "},\n");
    }
    mlc_buf_printf(r->out, "static const MlcRuleType %s_types[] = {\n%s    {0}};\n", set->name,
                   mlc_buf_c_str(&body));
    mlc_buf_release(&body);
}

static void
print_set(Rules *r, const MlcRuleSet *set)
{
    for (size_t i = 0; i < set->num_tables; i++)
        print_table(r, set->tables[i], table_name(r, set, set->tables[i]));
    print_set_types(r, set);
    mlc_buf_printf(r->out, "static const MlcRuleTable *const %s_tables[] = {", set->name);
    for (size_t i = 0; i < set->num_tables; i++)
        mlc_buf_printf(r->out, "&%s_rules, ", table_name(r, set, set->tables[i]));
    mlc_buf_printf(r->out, "NULL};\nstatic const char *const %s_illegal[] = {", set->name);
    for (size_t i = 0; i < set->num_illegal; i++)
        mlc_buf_printf(r->out, "\"%s\", ", set->illegal[i]);
    mlc_buf_append_c(r->out, "NULL};\n");
}

// The dialect's lowerings, as `lowerings` of its `more`.
static void
print_sets(Rules *r)
{
    for (size_t i = 0; i < r->d->rules.sets.size; i++)
        print_set(r, &r->d->rules.sets.data[i]);
    mlc_buf_append_c(r->out, "static const MlcRuleSet lowerings[] = {\n");
    for (size_t i = 0; i < r->d->rules.sets.size; i++) {
        const MlcRuleSet *set = &r->d->rules.sets.data[i];
        mlc_buf_printf(r->out, "    {\"%s\", %s_tables, %zu, %s_types, %zu, %s_illegal, %zu},\n",
                       set->name, set->name, set->num_tables, set->name, set->num_types, set->name,
                       set->num_illegal);
    }
    mlc_buf_printf(r->out,
                   "};\nstatic const MlcDialectMore more = {MLC_SIZED(MlcDialectMore), "
                   ".lowerings = lowerings, .num_lowerings = %zu, .is_outside = %s};\n",
                   r->d->rules.sets.size, r->gen->outside ? "true" : "false");
}

// What an op requires, if it does.
static void
print_requirements(Rules *r, const MlcOpDef *op)
{
    const MlcRequirements *all = NULL;
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_REQUIREMENTS)
            all = op->interfaces[i].methods;
    if (!all)
        return;
    MlcBuf list = {0};
    for (size_t i = 0; i < all->num_rules; i++)
        mlc_buf_printf(&list, "&%s, ", rule(r, all->rules[i]));
    const char *name = gen_c_name(r->gen, op->name);
    mlc_buf_printf(r->out,
                   "static const MlcRule *const %s_required[] = {%s};\n"
                   "static const MlcRequirements %s_requirements = {%s_required, %zu};\n",
                   name, mlc_buf_c_str(&list), name, name, all->num_rules);
    mlc_buf_release(&list);
}

void
gen_rules(Gen *gen, GenDialect *d, MlcBuf *out,
          const char *(*constraint)(void *user, const MlcConstraint *c), void *user)
{
    Rules r = {.gen = gen, .d = d, .out = out, .constraint = constraint, .user = user};
    mlc_map_init(&r.names);
    mlc_str_map_init(&r.bodies, &gen->arena);
    mlc_map_init(&r.foreign);
    for (size_t i = 0; i < d->rules.tables.size; i++)
        print_table(&r, d->rules.tables.data[i],
                    gen_c_name(gen, d->rules.tables.data[i]->op->name));
    if (d->rules.sets.size)
        print_sets(&r);
    for (size_t i = 0; i < d->def->num_ops; i++)
        print_requirements(&r, d->def->ops[i]);
    mlc_map_release(&r.names);
    mlc_str_map_release(&r.bodies);
    mlc_map_release(&r.foreign);
}

const char *
gen_rules_of(Gen *gen, const GenDialect *d, const MlcOpDef *op)
{
    for (size_t i = 0; i < d->rules.tables.size; i++)
        if (d->rules.tables.data[i]->op == op)
            return mlc_arena_printf(&gen->arena, "&%s_rules", gen_c_name(gen, op->name)).data;
    return "NULL";
}

// tables.c -- the records of a dialect as constant C data.
//
// Arrays and constraints are printed once per content: half of arith's ops share their operand
// tables. Named constraints are symbols, so that other dialects point at them; everything else is
// static.
#include "gen.h"

#include "mlc/ir/interfaces.h"
#include "mlc/ir/rewrite.h"
#include "record/relation.h"

typedef struct Tables {
    Gen *gen;
    GenDialect *d;
    MlcBuf *out;
    MlcStrMap interned; // printed initialiser -> number
    MlcMap constraints; // MlcConstraint * -> symbol
} Tables;

// Prints `static const <type> <letter><n>[] = {<body>};` once per content; its name.
static const char *
intern(Tables *t, const char *type, char letter, MlcBuf *body)
{
    MlcStr key = mlc_arena_printf(&t->gen->arena, "%s %.*s", type, MLC_STR_FMT(mlc_buf_str(body)));
    bool is_new;
    MlcStrMapEntry *entry = mlc_str_map_insert(&t->interned, key, &is_new);
    if (is_new) {
        entry->value = mlc_str_map_size(&t->interned);
        mlc_buf_printf(t->out, "static const %s %c%u[] = {%.*s};\n", type, letter,
                       (unsigned)entry->value, MLC_STR_FMT(mlc_buf_str(body)));
    }
    mlc_buf_release(body);
    return mlc_arena_printf(&t->gen->arena, "%c%u", letter, (unsigned)entry->value).data;
}

static const char *
strings(Tables *t, const char *const *texts, size_t n, bool ends_with_null)
{
    if (!n && !ends_with_null)
        return "NULL";
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++) {
        gen_string(&body, texts[i]);
        mlc_buf_append_c(&body, ", ");
    }
    if (ends_with_null)
        mlc_buf_append_c(&body, "NULL");
    return intern(t, "char *const", 's', &body);
}

static const char *constraint_symbol(Tables *t, const MlcConstraint *c);

static void
constraint_body(Tables *t, const MlcConstraint *c, MlcBuf *body)
{
    const char *args = "NULL";
    if (c->num_args) {
        MlcBuf list = {0};
        for (size_t i = 0; i < c->num_args; i++)
            mlc_buf_printf(&list, "%s, ", constraint_symbol(t, c->args[i]));
        args = intern(t, "MlcConstraint *const", 'p', &list);
    }
    mlc_buf_append_c(body, "{.name = ");
    gen_string(body, c->name);
    mlc_buf_append_c(body, ", .summary = ");
    gen_string(body, c->summary);
    mlc_buf_printf(body, ", .kind = %u", c->kind);
    if (c->num_args)
        mlc_buf_printf(body, ", .num_args = %u, .args = %s", c->num_args, args);
    if (c->num_names)
        mlc_buf_printf(body, ", .num_names = %u, .names = %s", c->num_names,
                       strings(t, c->names, c->num_names, false));
    if (c->a)
        mlc_buf_printf(body, c->a == INT64_MIN ? ", .a = INT64_MIN" : ", .a = INT64_C(%lld)",
                       (long long)c->a);
    if (c->b)
        mlc_buf_printf(body, ", .b = INT64_C(%lld)", (long long)c->b);
    const char *check = NULL; // of the dialect that has the constraint
    for (size_t i = 0; i < t->gen->dialects.size && !check; i++)
        check = gen_symbol(t->gen->dialects.data[i], &c->check);
    if (check)
        mlc_buf_printf(body, ", .check = %s", check);
    if (c->upstream && *c->name) { // who names it in another dialect is told too
        mlc_buf_append_c(body, ", .upstream = ");
        gen_string(body, c->upstream);
    }
    mlc_buf_append_c(body, "}");
}

// An expression that points at the constraint.
static const char *
constraint_symbol(Tables *t, const MlcConstraint *c)
{
    if (!c)
        return "NULL";
    const char *known = mlc_map_get(&t->constraints, c);
    if (known)
        return known;
    MlcBuf body = {0};
    constraint_body(t, c, &body);
    const char *symbol = intern(t, "MlcConstraint", 'c', &body);
    mlc_map_set(&t->constraints, c, symbol);
    return symbol;
}

// Named constraints of this and of other dialects have symbols; those of others, when used, are
// declared. Other trees do not see the symbols and print what they use again.
static void
name_constraints(Tables *t)
{
    for (size_t i = 0; i < t->gen->dialects.size; i++) {
        const MlcDialectDef *other = t->gen->dialects.data[i]->def;
        if (t->gen->outside && other != t->d->def)
            continue;
        for (size_t k = 0; other && k < other->num_constraints; k++) {
            const MlcConstraint *c = other->constraints[k];
            MlcStr symbol =
                mlc_arena_printf(&t->gen->arena, "&mlc_%s_constraint_%s", other->name, c->name);
            mlc_map_set(&t->constraints, c, symbol.data);
            mlc_buf_printf(t->out, "extern const MlcConstraint %s;\n", symbol.data + 1);
        }
    }
}

static void
print_named_constraints(Tables *t)
{
    const MlcDialectDef *def = t->d->def;
    for (size_t i = 0; i < def->num_constraints; i++) {
        MlcBuf body = {0};
        constraint_body(t, def->constraints[i], &body);
        mlc_buf_printf(t->out, "const MlcConstraint mlc_%s_constraint_%s = %s;\n", def->name,
                       def->constraints[i]->name, mlc_buf_c_str(&body));
        mlc_buf_release(&body);
    }
}

static const char *
format(Tables *t, const MlcFormat *f)
{
    if (!f)
        return "NULL";
    MlcBuf code = {0};
    for (size_t i = 0; i < f->code_size; i++)
        mlc_buf_printf(&code, "0x%x,", f->code[i]);
    const char *code_name = f->code_size ? intern(t, "uint32_t", 'k', &code) : "NULL";
    const char *strings_name = strings(t, f->strings, f->num_strings, false);
    MlcBuf body = {0};
    mlc_buf_printf(&body, "{.code = %s, .code_size = %zu, .strings = %s, .num_strings = %zu}",
                   code_name, f->code_size, strings_name, f->num_strings);
    return intern(t, "MlcFormat", 'f', &body);
}

static const char *
params(Tables *t, const MlcParamDef *list, size_t n)
{
    if (!n)
        return "NULL";
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++) {
        mlc_buf_append_c(&body, "{");
        gen_string(&body, list[i].name);
        mlc_buf_printf(&body, ", %s, %d, ", constraint_symbol(t, list[i].constraint),
                       list[i].optional);
        gen_string(&body, list[i].default_text);
        mlc_buf_printf(&body, ", %d, %u, ", list[i].is_list, list[i].spelling);
        gen_string(&body, list[i].upstream);
        mlc_buf_append_c(&body, "}, ");
    }
    return intern(t, "MlcParamDef", 'q', &body);
}

static const char *
values(Tables *t, const MlcValueDef *list, size_t n)
{
    if (!n)
        return "NULL";
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++) {
        mlc_buf_append_c(&body, "{");
        gen_string(&body, list[i].name);
        mlc_buf_printf(&body, ", %s, %u, %u, ", constraint_symbol(t, list[i].type), list[i].arity,
                       list[i].effects);
        gen_string(&body, list[i].segments);
        mlc_buf_append_c(&body, "}, ");
    }
    return intern(t, "MlcValueDef", 'v', &body);
}

static const char *
attr_slots(Tables *t, const MlcAttrSlot *list, size_t n)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++) {
        mlc_buf_append_c(&body, "{");
        gen_string(&body, list[i].name);
        mlc_buf_printf(&body, ", %s, %d, ", constraint_symbol(t, list[i].constraint),
                       list[i].optional);
        gen_string(&body, list[i].default_text);
        mlc_buf_printf(&body, ", %d, %d}, ", list[i].is_number, list[i].infers);
    }
    return n ? intern(t, "MlcAttrSlot", 'a', &body) : "NULL";
}

static const char *
regions(Tables *t, const MlcRegionDef *list, size_t n)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++) {
        mlc_buf_append_c(&body, "{");
        gen_string(&body, list[i].name);
        mlc_buf_printf(&body, ", %u, %u}, ", list[i].arity, list[i].shape);
    }
    return n ? intern(t, "MlcRegionDef", 'r', &body) : "NULL";
}

static const char *
successors(Tables *t, const MlcSuccessorDef *list, size_t n)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++) {
        mlc_buf_append_c(&body, "{");
        gen_string(&body, list[i].name);
        mlc_buf_printf(&body, ", %u}, ", list[i].arity);
    }
    return n ? intern(t, "MlcSuccessorDef", 'u', &body) : "NULL";
}

static const char *
patterns(Tables *t, const MlcOpDef *op)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < op->num_canonical; i++) {
        mlc_buf_append_c(&body, "{.name = ");
        gen_string(&body, op->canonical[i].name);
        mlc_buf_append_c(&body, ", .root = ");
        gen_string(&body, op->canonical[i].root);
        mlc_buf_printf(&body, ", .benefit = %u, .rewrite = %s}, ", op->canonical[i].benefit,
                       gen_symbol(t->d, &op->canonical[i].rewrite));
    }
    return op->num_canonical ? intern(t, "MlcPattern", 'n', &body) : "NULL";
}

static const char *
loop(Tables *t, const MlcLoopDef *l)
{
    MlcBuf body = {0};
    if (!l)
        return "NULL";
    mlc_buf_printf(&body, "{{%u, %u}, {%u, %u}, {%u, %u}, %u}", l->lower.operands, l->lower.attr,
                   l->upper.operands, l->upper.attr, l->step.operands, l->step.attr, l->inits);
    return intern(t, "MlcLoopDef", 'o', &body);
}

static const char *
access(Tables *t, const MlcMemoryAccess *a)
{
    MlcBuf body = {0};
    mlc_buf_printf(&body,
                   "{.memref = %u, .indices = %u, .value = %u, .mask = %u, .map = %u, "
                   ".permutation = %u, .in_bounds = %u, .is_write = %d, .twin = ",
                   a->memref, a->indices, a->value, a->mask, a->map, a->permutation, a->in_bounds,
                   a->is_write);
    gen_string(&body, a->twin);
    mlc_buf_append_c(&body, "}");
    return intern(t, "MlcMemoryAccess", 'y', &body);
}

static void
place(MlcBuf *out, MlcPlaceRef ref)
{
    mlc_buf_printf(out, "{%u, %u}", ref.place, ref.index);
}

static const char *
relations(Tables *t, const MlcRelation *all, size_t n)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < n; i++) {
        const MlcRelation *r = &all[i];
        MlcBuf members = {0};
        for (size_t k = 0; k < r->num_members; k++) {
            place(&members, r->members[k]);
            mlc_buf_append_c(&members, ", ");
        }
        const char *list = r->num_members ? intern(t, "MlcPlaceRef", 'm', &members) : "NULL";
        mlc_buf_printf(&body, "{%u, ", r->kind);
        place(&body, r->to);
        mlc_buf_append_c(&body, ", ");
        place(&body, r->from);
        mlc_buf_append_c(&body, ", ");
        gen_string(&body, r->text);
        mlc_buf_printf(&body, ", %s, %u, ", list, r->num_members);
        gen_string(&body, r->message);
        mlc_buf_append_c(&body, "}, ");
    }
    return n ? intern(t, "MlcRelation", 'l', &body) : "NULL";
}

static const char *
signatures(Tables *t, const MlcOpDef *op, const MlcRegionSignature *all)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < op->num_regions; i++) {
        const char *args = relations(t, all[i].args, all[i].num_args);
        mlc_buf_printf(&body, "{%s, %s, %u, %u, %d, %d}, ", args,
                       relations(t, all[i].yields, all[i].num_yields), all[i].num_args,
                       all[i].num_yields, all[i].tells_args, all[i].tells_yields);
    }
    return intern(t, "MlcRegionSignature", 'g', &body);
}

static const char *
semantics(Tables *t, const MlcSemantics *s)
{
    MlcBuf body = {0};
    mlc_buf_printf(&body, "{%u}", s->meaning);
    return intern(t, "MlcSemantics", 'h', &body);
}

static const char *
interfaces(Tables *t, const MlcOpDef *op)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < op->num_interfaces; i++) {
        const MlcInterfaceEntry *entry = &op->interfaces[i];
        if (entry->id == MLC_INTERFACE_ACCESS) // the record's own data
            mlc_buf_printf(&body, "{%u, %s}, ", entry->id, access(t, entry->methods));
        else if (entry->id == MLC_INTERFACE_SEMANTICS)
            mlc_buf_printf(&body, "{%u, %s}, ", entry->id, semantics(t, entry->methods));
        else if (entry->id == MLC_INTERFACE_SIGNATURES)
            mlc_buf_printf(&body, "{%u, %s}, ", entry->id, signatures(t, op, entry->methods));
        else if (entry->id == MLC_INTERFACE_REQUIREMENTS)
            mlc_buf_printf(&body, "{%u, &%s_requirements}, ", entry->id,
                           gen_c_name(t->gen, op->name));
        else
            mlc_buf_printf(&body, "{%u, &%s}, ", entry->id, gen_symbol(t->d, &entry->methods));
    }
    return op->num_interfaces ? intern(t, "MlcInterfaceEntry", 'i', &body) : "NULL";
}

static const char *
structured(Tables *t, const MlcStructuredDef *s)
{
    if (!s)
        return "NULL";
    size_t n = (size_t)s->num_ins + s->num_outs;
    const char *maps = strings(t, s->maps, n, false);
    const char *names = strings(t, s->names, n, false);
    const char *symbols = strings(t, s->symbols, s->num_symbols, false);
    MlcBuf body = {0};
    mlc_buf_printf(&body,
                   "{.num_ins = %u, .num_outs = %u, .num_loops = %u, .names = %s, .iterators = ",
                   s->num_ins, s->num_outs, s->num_loops, names);
    gen_string(&body, s->iterators);
    mlc_buf_printf(&body, ", .maps = %s, .symbols = %s, .num_symbols = %zu, .body = ", maps,
                   symbols, s->num_symbols);
    gen_string(&body, s->body);
    if (gen_symbol(t->d, &s->build_body))
        mlc_buf_printf(&body, ", .build_body = %s", gen_symbol(t->d, &s->build_body));
    mlc_buf_append_c(&body, "}");
    return intern(t, "MlcStructuredDef", 'd', &body);
}

static const char *
lowerings(Tables *t, const MlcOpDef *op)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < op->num_lowers_to; i++) {
        const MlcLowering *to = &op->lowers_to[i];
        mlc_buf_append_c(&body, "{");
        gen_string(&body, to->op);
        mlc_buf_printf(&body, ", %s, %zu}, ",
                       to->num_attrs ? strings(t, to->attrs, 2 * to->num_attrs, false) : "NULL",
                       to->num_attrs);
    }
    return op->num_lowers_to ? intern(t, "MlcLowering", 'w', &body) : "NULL";
}

static void
field_string(MlcBuf *out, const char *name, const char *text)
{
    if (!text)
        return;
    mlc_buf_printf(out, "    .%s = ", name);
    gen_string(out, text);
    mlc_buf_append_c(out, ",\n");
}

static void
field(MlcBuf *out, const char *name, const char *value)
{
    if (strcmp(value, "NULL") != 0)
        mlc_buf_printf(out, "    .%s = %s,\n", name, value);
}

static void
field_count(MlcBuf *out, const char *name, size_t count)
{
    if (count)
        mlc_buf_printf(out, "    .%s = %zu,\n", name, count);
}

static void
field_hook(Tables *t, MlcBuf *out, const char *name, const void *slot)
{
    const char *symbol = gen_symbol(t->d, slot);
    if (symbol)
        mlc_buf_printf(out, "    .%s = %s,\n", name, symbol);
}

static void
print_op(Tables *t, const MlcOpDef *op)
{
    MlcBuf body = {0};
    field_string(&body, "name", op->name);
    mlc_buf_printf(&body, "    .dialect = &mlc_%s_dialect,\n", t->d->def->name);
    field_string(&body, "summary", op->summary);
    mlc_buf_printf(&body, "    .traits = UINT64_C(0x%llx),\n", (unsigned long long)op->traits);
    field(&body, "operands", values(t, op->operands, op->num_operands));
    field(&body, "results", values(t, op->results, op->num_results));
    field(&body, "attrs", attr_slots(t, op->attrs, op->num_attrs));
    field(&body, "regions", regions(t, op->regions, op->num_regions));
    field(&body, "successors", successors(t, op->successors, op->num_successors));
    field_count(&body, "num_operands", op->num_operands);
    field_count(&body, "num_results", op->num_results);
    field_count(&body, "num_attrs", op->num_attrs);
    field_count(&body, "num_regions", op->num_regions);
    field_count(&body, "num_successors", op->num_successors);
    field_count(&body, "num_interfaces", op->num_interfaces);
    field(&body, "interfaces", interfaces(t, op));
    mlc_buf_printf(&body, "    .facts = {%u, %u, %u, %u},\n", op->facts.operand_sizes,
                   op->facts.result_sizes, op->facts.value, op->facts.facts);
    field_count(&body, "cost", op->cost);
    size_t num_parents = 0;
    while (op->parents && op->parents[num_parents])
        num_parents++;
    if (num_parents)
        field(&body, "parents", strings(t, op->parents, num_parents, true));
    field_string(&body, "implicit_terminator", op->implicit_terminator);
    field(&body, "format", format(t, op->format));
    field(&body, "structured", structured(t, op->structured));
    field(&body, "loop", loop(t, op->loop));
    field_string(&body, "result_name", op->result_name);
    field_string(&body, "body", op->body);
    field(&body, "relations", relations(t, op->relations, op->num_relations));
    field_count(&body, "num_relations", op->num_relations);
    field(&body, "lowers_to", lowerings(t, op));
    field_count(&body, "num_lowers_to", op->num_lowers_to);
    field(&body, "canonical", patterns(t, op));
    field_count(&body, "num_canonical", op->num_canonical);
    field_hook(t, &body, "verify", &op->verify);
    field_hook(t, &body, "verify_regions", &op->verify_regions);
    field_hook(t, &body, "fold", &op->fold);
    field_hook(t, &body, "patterns", &op->patterns);
    field_hook(t, &body, "parse", &op->parse);
    field_hook(t, &body, "print", &op->print);
    field_hook(t, &body, "eval", &op->eval);
    field(&body, "rules", gen_rules_of(t->gen, t->d, op));
    mlc_buf_printf(t->out, "const MlcOpDef mlc_%s_%s_def = {\n%s};\n", t->d->def->name,
                   gen_c_name(t->gen, op->name), mlc_buf_c_str(&body));
    mlc_buf_release(&body);
}

static void
print_type(Tables *t, const MlcTypeDef *def)
{
    MlcBuf body = {0};
    field_string(&body, "name", def->name);
    mlc_buf_printf(&body, "    .dialect = &mlc_%s_dialect,\n", t->d->def->name);
    field_string(&body, "summary", def->summary);
    field_string(&body, "record", def->record);
    field(&body, "params", params(t, def->params, def->num_params));
    field_count(&body, "num_params", def->num_params);
    field(&body, "format", format(t, def->format));
    field_hook(t, &body, "verify", &def->verify);
    field_hook(t, &body, "parse", &def->parse);
    field_hook(t, &body, "print", &def->print);
    mlc_buf_printf(t->out, "const MlcTypeDef mlc_%s_%s_type_def = {\n%s};\n", t->d->def->name,
                   gen_c_name(t->gen, def->name), mlc_buf_c_str(&body));
    mlc_buf_release(&body);
}

static const char *
enum_cases(Tables *t, const MlcAttrDef *def)
{
    MlcBuf body = {0};
    for (size_t i = 0; i < def->num_cases; i++) {
        mlc_buf_append_c(&body, "{");
        gen_string(&body, def->cases[i].name);
        mlc_buf_printf(&body, ", %lld}, ", (long long)def->cases[i].value);
    }
    return def->num_cases ? intern(t, "MlcEnumCase", 'e', &body) : "NULL";
}

static void
print_attr(Tables *t, const MlcAttrDef *def)
{
    MlcBuf body = {0};
    field_string(&body, "name", def->name);
    mlc_buf_printf(&body, "    .dialect = &mlc_%s_dialect,\n", t->d->def->name);
    field_string(&body, "summary", def->summary);
    field_string(&body, "record", def->record);
    field(&body, "params", params(t, def->params, def->num_params));
    field_count(&body, "num_params", def->num_params);
    field(&body, "format", format(t, def->format));
    field(&body, "cases", enum_cases(t, def));
    field_count(&body, "num_cases", def->num_cases);
    field_count(&body, "is_poison", def->is_poison);
    field_count(&body, "is_bit_enum", def->is_bit_enum);
    field_count(&body, "is_bare_integer", def->is_bare_integer);
    field_count(&body, "has_alias", def->has_alias);
    field_count(&body, "enum_width", def->enum_width);
    field_string(&body, "separator", def->separator);
    field_string(&body, "upstream", def->upstream);
    field_string(&body, "unknown", def->unknown);
    field_string(&body, "missing", def->missing);
    field_hook(t, &body, "verify", &def->verify);
    field_hook(t, &body, "parse", &def->parse);
    field_hook(t, &body, "print", &def->print);
    mlc_buf_printf(t->out, "const MlcAttrDef mlc_%s_%s_attr_def = {\n%s};\n", t->d->def->name,
                   gen_c_name(t->gen, def->name), mlc_buf_c_str(&body));
    mlc_buf_release(&body);
}

static void
print_list(Tables *t, const char *type, const char *name, const char *suffix, const void *list,
           size_t n)
{
    const char *const *const *defs = list; // every definition starts with its name
    if (!n)
        return;
    mlc_buf_printf(t->out, "static const %s *const %s[] = {\n", type, name);
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(t->out, "    &mlc_%s_%s_%s,\n", t->d->def->name,
                       gen_c_name(t->gen, *defs[i]), suffix);
    mlc_buf_append_c(t->out, "};\n");
}

static void
print_dialect(Tables *t)
{
    const MlcDialectDef *d = t->d->def;
    print_list(t, "MlcOpDef", "all_ops", "def", d->ops, d->num_ops);
    print_list(t, "MlcTypeDef", "all_types", "type_def", d->types, d->num_types);
    print_list(t, "MlcAttrDef", "all_attrs", "attr_def", d->attrs, d->num_attrs);
    if (d->num_constraints)
        mlc_buf_append_c(t->out, "static const MlcConstraint *const all_constraints[] = {\n");
    for (size_t i = 0; i < d->num_constraints; i++)
        mlc_buf_printf(t->out, "    &mlc_%s_constraint_%s,\n", d->name, d->constraints[i]->name);
    if (d->num_constraints)
        mlc_buf_append_c(t->out, "};\n");
    MlcBuf body = {0};
    field_string(&body, "name", d->name);
    field_string(&body, "summary", d->summary);
    field_string(&body, "unknown_type", d->unknown_type);
    field(&body, "ops", d->num_ops ? "all_ops" : "NULL");
    field_count(&body, "num_ops", d->num_ops);
    field(&body, "types", d->num_types ? "all_types" : "NULL");
    field_count(&body, "num_types", d->num_types);
    field(&body, "attrs", d->num_attrs ? "all_attrs" : "NULL");
    field_count(&body, "num_attrs", d->num_attrs);
    field(&body, "constraints", d->num_constraints ? "all_constraints" : "NULL");
    field_count(&body, "num_constraints", d->num_constraints);
    field(&body, "discardable", attr_slots(t, d->discardable, d->num_discardable));
    field_count(&body, "num_discardable", d->num_discardable);
    size_t num_constants = 0;
    while (d->constants && d->constants[num_constants])
        num_constants++;
    if (num_constants)
        field(&body, "constants", strings(t, d->constants, num_constants, true));
    field_hook(t, &body, "materialize", &d->materialize);
    field_hook(t, &body, "verify_attr", &d->verify_attr);
    if (gen_symbol(t->d, &d->inliner))
        mlc_buf_printf(&body, "    .inliner = &%s,\n", gen_symbol(t->d, &d->inliner));
    field_count(&body, "inlines", d->inlines);
    if (t->d->rules.sets.size)
        field(&body, "more", "&more");
    mlc_buf_printf(t->out, "const MlcDialectDef mlc_%s_dialect = {\n%s};\n", d->name,
                   mlc_buf_c_str(&body));
    mlc_buf_release(&body);
}

static const char *
rule_constraint(void *user, const MlcConstraint *c)
{
    return constraint_symbol(user, c);
}

void
gen_tables(Gen *gen, GenDialect *d, MlcBuf *out)
{
    Tables t = {.gen = gen, .d = d, .out = out};
    mlc_buf_printf(out,
                   "// Written by mlc-gen from %s.yaml.\n#include \"mlc/dialects/%s.h\"\n"
                   "#include \"mlc/dialects/linalg_body.h\"\n#include \"mlc/ir/rewrite.h\"\n\n",
                   d->name, d->name);
    for (size_t i = 0; gen->outside && i < gen->dialects.size; i++) // checks of their constraints
        mlc_buf_printf(out, "#include \"mlc/dialects/%s.h\"\n", gen->dialects.data[i]->name);
    name_constraints(&t);
    print_named_constraints(&t);
    gen_rules(gen, d, out, rule_constraint, &t);
    for (size_t i = 0; i < d->def->num_types; i++)
        print_type(&t, d->def->types[i]);
    for (size_t i = 0; i < d->def->num_attrs; i++)
        print_attr(&t, d->def->attrs[i]);
    for (size_t i = 0; i < d->def->num_ops; i++)
        print_op(&t, d->def->ops[i]);
    print_dialect(&t);
    mlc_str_map_release(&t.interned);
    mlc_map_release(&t.constraints);
}

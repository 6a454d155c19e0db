// lower.c -- a lowering of a .rules file as a conversion: its rules are the patterns, its types the
// type converter's, and what only carries values (functions, calls, branches, loops) is retyped.
// Ops whose records say what they mean need no rule.
#include "conversion_impl.h"

#include "mlc/ir/interfaces.h"
#include "mlc/ir/text.h"
#include "rewrite/rules.h"

// --- types

// `text` with parameters of `type` in place of their names in braces, as a type.
static MlcType
fill_in(MlcContext *ctx, const MlcRuleType *rule, MlcType type)
{
    MlcBuf text = {0};
    const char *at = rule->to;
    for (const char *open; (open = strchr(at, '{')) != NULL;) {
        size_t size = (size_t)(strchr(open, '}') - open - 1), i = 0;
        while (!mlc_str_equal(mlc_str(rule->params[i]), mlc_str_n(open + 1, size)))
            i++;
        mlc_buf_append(&text, at, (size_t)(open - at));
        MlcAttr param = mlc_dialect_type_param(type, i);
        int64_t number;
        if (mlc_attr_is(param, MLC_ATTR_STRING))
            mlc_buf_append_str(&text, mlc_string_attr_value(param));
        else if (mlc_attr_is(param, MLC_ATTR_INTEGER) && mlc_attr_try_as_int(param, &number))
            mlc_buf_append_int(&text, number); // without its type, as dimensions are written
        else if (param)
            mlc_buf_append_c(&text, mlc_attr_text(param));
        at = open + size + 2;
    }
    mlc_buf_append_c(&text, at);
    MlcType made = mlc_parse_type(ctx, mlc_buf_str(&text));
    mlc_buf_release(&text);
    return made;
}

static bool
fits(MlcContext *ctx, const MlcRuleType *rule, MlcType type)
{
    return rule->def ? mlc_dialect_type_def(type) == rule->def
                     : type == mlc_parse_type(ctx, mlc_str(rule->from));
}

static bool
convert_all(MlcTypeConverter *tc, const MlcType *types, size_t num_types, MlcTypeVec *out)
{
    for (size_t i = 0; i < num_types; i++)
        if (!mlc_type_converter_convert(tc, types[i], out))
            return false;
    return true;
}

static MlcType
convert_function_type(MlcTypeConverter *tc, MlcType type)
{
    MlcTypeVec inputs = {0}, results = {0};
    bool ok = convert_all(tc, mlc_function_type_inputs(type), mlc_function_type_num_inputs(type),
                          &inputs) &&
              convert_all(tc, mlc_function_type_results(type), mlc_function_type_num_results(type),
                          &results);
    MlcType made =
        ok ? mlc_function_type_get(tc->ctx, inputs.data, inputs.size, results.data, results.size)
           : NULL;
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return made;
}

// What a type becomes; NULL: it cannot be converted. Containers follow their elements.
static MlcType
convert_type(MlcTypeConverter *tc, const MlcRuleSet *set, MlcType type)
{
    for (size_t i = 0; i < set->num_types; i++)
        if (fits(tc->ctx, &set->types[i], type))
            return fill_in(tc->ctx, &set->types[i], type);
    if (mlc_type_is(type, MLC_TYPE_FUNCTION))
        return convert_function_type(tc, type);
    MlcType element = mlc_type_element(type);
    if (element == type)
        return type;
    MlcType made = mlc_type_converter_convert_one(tc, element);
    return made && mlc_type_can_hold(mlc_type_kind(type), made) ? mlc_type_with_element(type, made)
                                                                : NULL;
}

static int
type_rule(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    MlcType made = convert_type(tc, user, type);
    if (made)
        mlc_vec_push(out, made);
    return made ? 1 : -1;
}

// --- patterns

typedef struct Host {
    MlcConversion *conversion;
    size_t mark; // of its log, before anything was made
} Host;

static MlcValue *
host_value(void *user, MlcValue *value)
{
    const Host *host = user;
    return mlc_conversion_remap(host->conversion, value);
}

static MlcType
host_type(void *user, MlcType type)
{
    const Host *host = user;
    return mlc_type_converter_convert_one(host->conversion->types, type);
}

static MlcAttr
host_attr(void *user, MlcAttr attr, const MlcAttrSlot *from, const MlcAttrSlot *to)
{
    const Host *host = user;
    return mlc_lowered_attr(host->conversion->builder.ctx, attr, from, to);
}

static bool
convert_entry(MlcConversion *c, MlcBlock *block, const MlcType *before, size_t num_before,
              const MlcType *after, size_t num_after)
{
    MlcSignatureConversion signature = {0};
    bool ok = true;
    for (size_t i = 0; i < num_before; i++)
        mlc_signature_conversion_add_extra(&signature, before[i]);
    for (uint32_t i = 0; ok && i < block->num_args; i++)
        ok = mlc_signature_conversion_add_converted(&signature, c->types,
                                                    mlc_value_type(mlc_block_arg(block, i)));
    for (size_t i = 0; i < num_after; i++)
        mlc_signature_conversion_add_extra(&signature, after[i]);
    if (ok)
        mlc_conversion_convert_signature(c, block, &signature);
    mlc_signature_conversion_release(&signature);
    return ok;
}

static bool
host_region(void *user, MlcRegion *to, MlcRegion *from, const MlcType *before, size_t num_before,
            const MlcType *after, size_t num_after)
{
    MlcConversion *c = ((const Host *)user)->conversion;
    mlc_conversion_move_region(c, to, from);
    MLC_FOR_EACH_BLOCK (block, to) {
        bool is_entry = block == mlc_region_first(to);
        if (is_entry ? !convert_entry(c, block, before, num_before, after, num_after)
                     : !mlc_conversion_convert_block_args(c, block))
            return false;
    }
    return true;
}

static void
host_inline(void *user, MlcBlock *block, MlcValue *const *args)
{
    mlc_conversion_inline_block(((const Host *)user)->conversion, block, args);
}

// A function's type by what its call is given and gives.
static MlcType
type_of_call(MlcOp *call)
{
    const MlcCall *interface = mlc_op_interface(call, MLC_INTERFACE_CALL);
    size_t first, count;
    MlcTypeVec inputs = {0}, results = {0};
    interface->arguments(call, &first, &count);
    for (size_t i = first; i < first + count; i++)
        mlc_vec_push(&inputs, mlc_value_type(mlc_op_operand(call, i)));
    for (uint32_t i = 0; i < call->num_results; i++)
        mlc_vec_push(&results, mlc_value_type(mlc_op_result(call, i)));
    MlcType type =
        mlc_function_type_get(call->ctx, inputs.data, inputs.size, results.data, results.size);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return type;
}

static void
make_function(MlcConversion *c, MlcOp *table, MlcStr name, MlcType type)
{
    MlcContext *ctx = c->builder.ctx;
    MlcNamedAttr attrs[] = {
        mlc_named(ctx, "sym_name", mlc_string_attr_get(ctx, name)),
        mlc_named(ctx, "function_type", mlc_type_attr_get(type)),
        mlc_named(ctx, "sym_visibility", mlc_string_attr_get(ctx, mlc_str("private")))};
    MlcOpState state = {.loc = c->builder.loc,
                        .def = mlc_context_op(ctx, mlc_str("func.func")),
                        .attrs = attrs,
                        .num_attrs = sizeof attrs / sizeof *attrs,
                        .num_regions = 1};
    MlcBuilder at = c->builder;
    mlc_builder_at_end(&at, mlc_region_first(mlc_op_region(table, 0)));
    mlc_builder_create(&at, &state);
}

// In the nearest symbol table, once.
static bool
host_declare(void *user, MlcOp *call, MlcStr name, MlcBuf *why)
{
    MlcConversion *c = ((const Host *)user)->conversion;
    MlcOp *table = mlc_symbol_table_of(mlc_op_parent(call));
    if (!table || (table != c->root && !mlc_op_is_ancestor(c->root, table))) {
        mlc_buf_printf(why, "no symbol table in what is lowered can declare '@%.*s'",
                       MLC_STR_FMT(name));
        return false;
    }
    MlcType type = type_of_call(call);
    MlcOp *known = mlc_symbol_lookup(table, name);
    const MlcFunction *function = known ? mlc_op_interface(known, MLC_INTERFACE_FUNCTION) : NULL;
    MlcType is = function ? function->type(known) : NULL;
    if (!known)
        make_function(c, table, name, type);
    else if (!is)
        mlc_buf_printf(why, "'@%.*s' is there already, and no function", MLC_STR_FMT(name));
    else if (is != type && mlc_type_converter_convert_one(c->types, is) != type)
        mlc_buf_printf(why, "'@%.*s' is there already as %s, not %s", MLC_STR_FMT(name),
                       mlc_type_text(is), mlc_type_text(type));
    return why->size == 0;
}

static void
host_take_back(void *user)
{
    const Host *host = user;
    mlc_conversion_undo(host->conversion, host->mark);
}

// `why`: of a rule that matched.
static void
no_rule(MlcConversion *c, MlcOp *op, const MlcRuleTable *table, MlcBuf *why)
{
    MlcBuf text = {0};
    mlc_rule_explain(table, op, &text);
    if (why->size)
        mlc_buf_printf(&text, "; %s", mlc_buf_c_str(why));
    mlc_conversion_no_match(c, op, "no rule matches: %s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
}

static bool
apply_rules(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands; // the host finds them, and those further up
    MlcValue **results = MLC_NEW_ARRAY(&c->arena, MlcValue *, op->num_results + 1);
    Host host = {.conversion = c, .mark = c->log.size};
    MlcBuf why = {0};
    MlcRuleHost hooks = {.builder = &c->builder,
                         .value = host_value,
                         .type = host_type,
                         .attr = host_attr,
                         .region = host_region,
                         .inline_block = host_inline,
                         .declare = host_declare,
                         .why = &why,
                         .take_back = host_take_back,
                         .user = &host};
    bool ok = mlc_rule_apply(user, op, &hooks, results) != NULL;
    if (!ok)
        no_rule(c, op, user, &why);
    mlc_buf_release(&why);
    if (!ok)
        return false;
    mlc_conversion_replace(c, op, results, op->num_results);
    return true;
}

// What carries values of any type from one place to another.
static bool
is_carrier(const MlcOp *op)
{
    static const MlcInterface carriers[] = {
        MLC_INTERFACE_FUNCTION, MLC_INTERFACE_CALL,          MLC_INTERFACE_CALLABLE,
        MLC_INTERFACE_BRANCH,   MLC_INTERFACE_REGION_BRANCH, MLC_INTERFACE_REGION_TERMINATOR};
    bool carries = mlc_op_has_trait(op, MLC_TRAIT_RETURN_LIKE);
    for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++)
        carries |= mlc_op_interface(op, carriers[i]) != NULL;
    return carries;
}

static bool
retype(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, void *user)
{
    return is_carrier(op) ? mlc_conversion_retype(c, op, operands, user)
                          : mlc_conversion_no_match(c, op,
                                                    "it has values of types that the "
                                                    "lowering converts, and no rule");
}

static bool
has_new_types(MlcOp *op, void *user)
{
    return mlc_type_converter_is_legal_signature(user, op);
}

static bool
expr_makes(const MlcRuleExpr *e, const MlcOpDef *op)
{
    bool made = e->kind == MLC_RULE_BUILD && e->op == op;
    for (size_t i = 0; i < e->num_args; i++)
        made |= expr_makes(e->args[i], op);
    for (size_t i = 0; i < e->num_regions; i++)
        if (e->regions[i].variable == MLC_RULE_WRITTEN)
            for (size_t k = 0; k < e->regions[i].num_after; k++)
                made |= expr_makes(e->regions[i].types[e->regions[i].num_before + k], op);
    return made;
}

// Whether a rule of the set makes such ops.
static bool
makes(const MlcRuleSet *set, const MlcOpDef *op)
{
    for (size_t i = 0; i < set->num_tables; i++)
        for (size_t k = 1; k < set->tables[i]->num_nodes; k++) {
            const MlcRuleNode *node = &set->tables[i]->nodes[k];
            const MlcRuleMatch *match = node->question == MLC_RULE_MATCH ? node->subject : NULL;
            if (match && expr_makes(match->rule->result, op))
                return true;
        }
    return false;
}

// Whether the set lowers ops of the dialect, so those that say what they mean go too; the set of no
// name is for those of all dialects.
static bool
lowers_dialect(const MlcRuleSet *set, const MlcDialectDef *dialect)
{
    bool lowers = !set->name;
    for (size_t i = 0; i < set->num_illegal; i++)
        lowers |= strcmp(set->illegal[i], dialect->name) == 0;
    for (size_t i = 0; i < set->num_tables; i++)
        lowers |= set->tables[i]->op->dialect == dialect;
    return lowers;
}

typedef void (*VisitOp)(const MlcOpDef *op, void *user);

// Ops with `semantics` that the set lowers.
static void
for_each_meaning(MlcContext *ctx, const MlcRuleSet *set, VisitOp visit, void *user)
{
    for (size_t i = 0; i < mlc_context_num_dialects(ctx); i++) {
        const MlcDialectDef *dialect = mlc_context_dialect_at(ctx, i);
        for (size_t k = 0; k < dialect->num_ops && lowers_dialect(set, dialect); k++)
            if (mlc_op_def_interface(dialect->ops[k], MLC_INTERFACE_SEMANTICS))
                visit(dialect->ops[k], user);
    }
}

typedef struct Meanings {
    MlcConversionTarget *target;
    MlcTypeConverter *types;
} Meanings;

// The end of a region of an op that stays, stays.
static bool
is_foreign_end(MlcOp *op, void *types)
{
    return mlc_is_foreign_end(op) && has_new_types(op, types);
}

static void
make_illegal(const MlcOpDef *op, void *user)
{
    const Meanings *m = user;
    mlc_conversion_target_dynamic_op(m->target, op->name, is_foreign_end, m->types);
}

static void
add_meaning(const MlcOpDef *op, void *patterns)
{
    mlc_vec_push((MlcConversionPatternVec *)patterns,
                 ((MlcConversionPattern){.name = "what it means",
                                         .root = op->name,
                                         .benefit = 2,
                                         .convert_ranges = mlc_lower_semantics_op}));
}

// Ops of rules and of `illegal` must go; others stay, if their types do.
static void
fill_target(MlcContext *ctx, const MlcRuleSet *set, MlcTypeConverter *types,
            MlcConversionTarget *target)
{
    for (size_t i = 0; i < mlc_context_num_dialects(ctx); i++) {
        const char *dialect = mlc_context_dialect_at(ctx, i)->name;
        if (set->num_types)
            mlc_conversion_target_dynamic_dialect(target, dialect, has_new_types, types);
        else
            mlc_conversion_target_legal_dialect(target, dialect);
    }
    for (size_t i = 0; i < set->num_illegal; i++)
        if (strchr(set->illegal[i], '.'))
            mlc_conversion_target_illegal_op(target, set->illegal[i]);
        else
            mlc_conversion_target_illegal_dialect(target, set->illegal[i]);
    for_each_meaning(ctx, set, make_illegal, &(Meanings){target, types});
    for (size_t i = 0; i < set->num_tables; i++) {
        const MlcOpDef *op = set->tables[i]->op;
        if (set->num_types && makes(set, op)) // again, with other types
            mlc_conversion_target_dynamic_op(target, op->name, has_new_types, types);
        else
            mlc_conversion_target_illegal_op(target, op->name);
    }
}

static void
add_patterns(MlcContext *ctx, const MlcRuleSet *set, MlcConversionPatternVec *patterns)
{
    for_each_meaning(ctx, set, add_meaning, patterns);
    for (size_t i = 0; i < set->num_tables; i++)
        mlc_vec_push(patterns, ((MlcConversionPattern){.name = set->name,
                                                       .root = set->tables[i]->op->name,
                                                       .benefit = 3,
                                                       .convert = apply_rules,
                                                       .user = (void *)(uintptr_t)set->tables[i]}));
    if (set->num_types)
        mlc_vec_push(patterns,
                     ((MlcConversionPattern){
                         .name = "types of values", .benefit = 1, .convert_ranges = retype}));
}

bool
mlc_lower(MlcOp *root, const MlcRuleSet *set)
{
    MlcContext *ctx = mlc_op_context(root);
    MlcTypeConverter *types = mlc_type_converter_create(ctx);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    MlcConversionPatternVec patterns = {0};
    mlc_type_converter_add(types, type_rule, (void *)(uintptr_t)set);
    fill_target(ctx, set, types, target);
    add_patterns(ctx, set, &patterns);
    bool ok = mlc_convert_partial(root, target, types, patterns.data, patterns.size);
    mlc_vec_release(&patterns);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(types);
    return ok;
}

bool
mlc_lower_semantics(MlcOp *root)
{
    return mlc_lower(root, &(MlcRuleSet){0});
}

// lower.c -- a lowering of a .rules file as a conversion: its rules are the patterns, its types the
// type converter's, and what only carries values (functions, calls, branches, loops) is retyped.
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
host_take_back(void *user)
{
    const Host *host = user;
    mlc_conversion_undo(host->conversion, host->mark);
}

static bool
apply_rules(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands; // the host finds them, and those further up
    MlcValue **results = MLC_NEW_ARRAY(&c->arena, MlcValue *, op->num_results + 1);
    Host host = {.conversion = c, .mark = c->log.size};
    MlcRuleHost hooks = {.builder = &c->builder,
                         .value = host_value,
                         .type = host_type,
                         .attr = host_attr,
                         .region = host_region,
                         .take_back = host_take_back,
                         .user = &host};
    if (!mlc_rule_apply(user, op, &hooks, results)) {
        MlcBuf why = {0};
        mlc_rule_explain(user, op, &why);
        mlc_conversion_no_match(c, op, "no rule matches: %s", mlc_buf_c_str(&why));
        mlc_buf_release(&why);
        return false;
    }
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
    for (size_t i = 0; i < set->num_tables; i++) {
        const MlcOpDef *op = set->tables[i]->op;
        if (set->num_types && makes(set, op)) // again, with other types
            mlc_conversion_target_dynamic_op(target, op->name, has_new_types, types);
        else
            mlc_conversion_target_illegal_op(target, op->name);
    }
}

static void
add_patterns(const MlcRuleSet *set, MlcConversionPatternVec *patterns)
{
    for (size_t i = 0; i < set->num_tables; i++)
        mlc_vec_push(patterns, ((MlcConversionPattern){.name = set->name,
                                                       .root = set->tables[i]->op->name,
                                                       .benefit = 2,
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
    add_patterns(set, &patterns);
    bool ok = mlc_convert_partial(root, target, types, patterns.data, patterns.size);
    mlc_vec_release(&patterns);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(types);
    return ok;
}

// rules.c -- does what rules that match say.
//
// The matcher walks a table's decision tree; all it remembers is the op found at each position.
// What a rule builds is evaluated after that: constants by the meaning of their ops
// (mlc_eval_fold), so that rules and folding know one arithmetic.
#include "rules_match.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/context.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/interfaces.h"
#include "mlc/ir/text.h"
#include "mlc/ir/verify.h"
#include "mlc/support/alloc.h"

// --- expressions

static bool evaluate(RuleRun *m, const MlcRuleExpr *e, MlcType want, MlcRuleArg *out);

// The type of what a rule makes in the place of one of this type; NULL: there is none.
static MlcType
new_type(const RuleRun *m, MlcType type)
{
    return m->host && m->is_building ? m->host->type(m->host->user, type) : type;
}

MlcValue *
mlc_rule_new_value(const RuleRun *m, MlcValue *value)
{
    return m->host && m->is_building ? m->host->value(m->host->user, value) : value;
}

bool
mlc_rule_fails(RuleRun *m, const char *format, ...)
{
    if (!m->host || !m->host->why)
        return false;
    va_list args;
    va_start(args, format);
    m->host->why->size = 0;
    mlc_buf_printf(m->host->why, "'%s': ", m->found->rule->name);
    mlc_buf_vprintf(m->host->why, format, args);
    va_end(args);
    return false;
}

// Stands for as many operands as there are.
static bool
is_list(const RuleRun *m, const MlcRuleExpr *e)
{
    return e->kind == MLC_RULE_RESULTS || e->kind == MLC_RULE_INLINE ||
           (e->kind == MLC_RULE_VARIABLE &&
            m->found->rule->vars[e->number].kind == MLC_RULE_VAR_LIST);
}

// Whether what is there goes with a region of the pattern.
static bool
is_inside(const RuleRun *m, uint8_t at)
{
    for (; at; at = m->table->positions[at].parent)
        if (m->table->positions[at].operand >= MLC_RULE_ARGUMENT &&
            m->table->positions[at].operand < MLC_RULE_FROM_END)
            return true;
    return false;
}

// What an attribute of the root is where it is not there.
static bool
read_default(const RuleRun *m, const char *name, MlcRuleArg *out)
{
    const MlcOp *op = m->ops[0];
    int slot = mlc_op_def_attr_slot(op->def, mlc_str(name));
    out->attr = slot >= 0 ? mlc_context_default_attr(op->ctx, &op->def->attrs[slot]) : NULL;
    return out->attr != NULL;
}

// A group of the root: its value where there is one at most, else how many there are.
static bool
read_group(const RuleRun *m, const MlcRuleVar *var, MlcRuleArg *out)
{
    const MlcOp *op = m->ops[0];
    bool is_result = var->kind == MLC_RULE_VAR_RESULTS;
    const MlcValueDef *def =
        is_result ? &op->def->results[var->index] : &op->def->operands[var->index];
    size_t first, size;
    (is_result ? mlc_op_result_group : mlc_op_operand_group)(op, var->index, &first, &size);
    out->number = (int64_t)size;
    if (def->arity >= MLC_VARIADIC)
        return true;
    if (size)
        out->value = is_result ? mlc_op_result(m->ops[0], first) : mlc_op_operand(op, first);
    out->type = out->value ? mlc_value_type(out->value) : NULL;
    return out->value != NULL;
}

// One that goes with a region is made again.
static bool
read_inner_constant(RuleRun *m, MlcValue *value, MlcRuleArg *out)
{
    out->type = new_type(m, mlc_value_type(value));
    if (out->type != mlc_value_type(value))
        return out->type != NULL;
    MlcOp *copy = mlc_builder_insert(m->builder, mlc_op_clone(mlc_value_def(value), NULL));
    mlc_vec_push(&m->made, copy);
    out->value = mlc_op_result(copy, mlc_value_index(value));
    return true;
}

static bool
read_variable(RuleRun *m, int64_t number, MlcRuleArg *out)
{
    const MlcRuleVar *var = &m->found->rule->vars[number];
    uint8_t at = m->found->positions[number];
    if (var->kind == MLC_RULE_VAR_ATTR) {
        out->attr = mlc_op_attr(m->ops[at], var->attr);
        return out->attr || !m->is_requirement || read_default(m, var->attr, out);
    }
    if (var->kind == MLC_RULE_VAR_OPERANDS || var->kind == MLC_RULE_VAR_RESULTS)
        return read_group(m, var, out);
    MlcValue *value =
        var->kind == MLC_RULE_VAR_LOCAL ? m->locals[number] : mlc_rule_value_at(m, at);
    if (!value)
        return false;
    if (var->kind == MLC_RULE_VAR_TYPE)
        return (out->type = new_type(m, mlc_value_type(value))) != NULL;
    if (var->kind == MLC_RULE_VAR_CONSTANT)
        out->attr = mlc_rule_constant_at(m, at);
    if (out->attr && m->is_building && is_inside(m, at))
        return read_inner_constant(m, value, out);
    out->value = var->kind == MLC_RULE_VAR_LOCAL ? value : mlc_rule_new_value(m, value);
    out->type = out->value ? mlc_value_type(out->value) : NULL;
    return out->value != NULL;
}

static MlcAttr
scalar_literal(const MlcRuleExpr *e, MlcType element)
{
    bool is_int = mlc_type_is_int_or_index(element);
    if (e->kind == MLC_RULE_FLOAT)
        return mlc_type_is_float(element) ? mlc_float_attr_get(element, mlc_rule_real(e->number))
                                          : NULL;
    if (!is_int)
        return NULL;
    if (e->kind == MLC_RULE_INTEGER)
        return mlc_integer_attr_get(element, e->number);
    MlcArena arena = {0};
    unsigned width = mlc_type_bit_width(element);
    MlcWide w = e->kind == MLC_RULE_SIGNED_MIN ? mlc_wide_signed_min(&arena, width)
                                               : mlc_wide_signed_max(&arena, width);
    MlcAttr attr = mlc_integer_attr_get_wide(element, &w);
    mlc_arena_release(&arena);
    return attr;
}

// A scalar in all lanes of `type`; NULL where its shape is not known.
MlcAttr
mlc_constant_splat(MlcType type, MlcAttr scalar)
{
    if (!scalar || !mlc_type_is_shaped(type))
        return scalar;
    bool is_static = mlc_type_has_rank(type) && mlc_type_has_static_shape(type);
    return is_static ? mlc_dense_attr_splat(type, scalar) : NULL;
}

bool
mlc_rule_type(RuleRun *m, const MlcRuleExpr *e, MlcType *type)
{
    MlcRuleArg arg = {0};
    if (!evaluate(m, e, NULL, &arg))
        return false;
    *type = arg.text ? mlc_parse_type(m->ops[0]->ctx, mlc_str(arg.text)) : arg.type;
    return *type != NULL;
}

static bool
literal(RuleRun *m, const MlcRuleExpr *e, MlcType want, MlcRuleArg *out)
{
    out->number = e->number;
    out->type = want;
    if (e->type && !mlc_rule_type(m, e->type, &out->type))
        return false;
    if (out->type)
        out->attr = mlc_constant_splat(out->type, scalar_literal(e, mlc_type_element(out->type)));
    return !out->type || out->attr;
}

// Operands and attributes of an op to be made; a literal takes its type from the operand before or
// behind it.
static bool
evaluate_args(RuleRun *m, const MlcRuleExpr *e, MlcType want, MlcRuleArg *args)
{
    MlcType type = NULL;
    if (e->op && mlc_op_def_has_trait(e->op, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE))
        type = want;
    for (int round = 0; round < 2; round++) // literals last
        for (size_t i = 0; i < e->num_args; i++) {
            bool is_literal =
                e->args[i]->kind >= MLC_RULE_INTEGER && e->args[i]->kind <= MLC_RULE_SIGNED_MAX;
            if (is_literal != (round == 1) || is_list(m, e->args[i]) ||
                e->args[i]->kind == MLC_RULE_TUPLE)
                continue;
            if (!evaluate(m, e->args[i], e->op && is_literal ? type : NULL, &args[i]))
                return false;
            if (args[i].type)
                type = args[i].type;
        }
    return true;
}

// Attribute `i` of the op that `e` makes, if it is one of the matched ops', as that op has it.
// False: it has no such case.
static bool
carry_attr(const RuleRun *m, const MlcRuleExpr *e, size_t i, MlcRuleArg *arg)
{
    int64_t number = e->attrs[i]->number;
    const MlcRuleVar *var = &m->found->rule->vars[number];
    if (!m->host || !arg->attr || e->attrs[i]->kind != MLC_RULE_VARIABLE ||
        var->kind != MLC_RULE_VAR_ATTR)
        return true;
    const MlcOpDef *of = m->ops[m->found->positions[number]]->def;
    int from = mlc_op_def_attr_slot(of, mlc_str(var->attr)),
        to = mlc_op_def_attr_slot(e->op, mlc_str(e->attr_names[i]));
    if (from >= 0 && to >= 0)
        arg->attr = m->host->attr(m->host->user, arg->attr, &of->attrs[from], &e->op->attrs[to]);
    return arg->attr != NULL;
}

static bool
evaluate_attrs(RuleRun *m, const MlcRuleExpr *e, MlcNamedAttr *attrs, size_t *num_attrs)
{
    *num_attrs = 0;
    for (size_t i = 0; i < e->num_attrs; i++) {
        MlcRuleArg arg = {0};
        MlcContext *ctx = m->ops[0]->ctx;
        if (!evaluate(m, e->attrs[i], NULL, &arg) || !carry_attr(m, e, i, &arg))
            return false;
        if (arg.text)
            arg.attr = mlc_parse_attr(ctx, mlc_str(arg.text));
        else if (e->attrs[i]->kind == MLC_RULE_INTEGER)
            arg.attr = mlc_i64_attr_get(ctx, arg.number);
        if (arg.attr)
            attrs[(*num_attrs)++] = mlc_named(ctx, e->attr_names[i], arg.attr);
    }
    return true;
}

static bool
has_one_result(const MlcOpDef *op)
{
    return op->num_results == 1 && op->results[0].arity == MLC_ONE;
}

// Whether the result is one op with as many groups of results as the root, and not one result.
static bool
is_op_for_op(const RuleRun *m, const MlcRuleExpr *e)
{
    const MlcOpDef *root = m->ops[0]->def;
    return e->kind == MLC_RULE_BUILD && e->op->num_results == root->num_results &&
           !(has_one_result(e->op) && has_one_result(root));
}

// A loop gives what it is given first.
static bool
loop_types(const MlcOpState *state, MlcTypeVec *types)
{
    const MlcOpDef *def = state->def;
    size_t first = def->loop ? def->loop->inits : 0;
    bool is_loop = first > 0 && first == def->num_operands;
    for (size_t i = 0; is_loop && i + 1 < first; i++)
        is_loop = def->operands[i].arity == MLC_ONE;
    mlc_vec_clear(types);
    for (size_t i = first; is_loop && i <= state->num_operands; i++)
        mlc_vec_push(types, mlc_value_type(state->operands[i - 1]));
    return is_loop;
}

static bool
type_list(RuleRun *m, const MlcRuleExpr *list, MlcTypeVec *types)
{
    for (size_t i = 0; i < list->num_args; i++) {
        MlcType type;
        if (!mlc_rule_type(m, list->args[i], &type))
            return false;
        mlc_vec_push(types, type);
    }
    return true;
}

// The types of the results, from the rule, the root, or the operands.
static bool
result_types(RuleRun *m, const MlcRuleExpr *e, const MlcOpState *state, MlcType want,
             MlcTypeVec *types)
{
    MlcType type = want;
    if (e == m->found->rule->result && is_op_for_op(m, e)) {
        for (uint32_t i = 0; i < m->ops[0]->num_results; i++) {
            mlc_vec_push(types, new_type(m, mlc_value_type(mlc_op_result(m->ops[0], i))));
            if (!mlc_vec_last(types))
                return false;
        }
        return true;
    }
    if (e->type && e->type->kind == MLC_RULE_TUPLE)
        return type_list(m, e->type, types);
    if (e->type && !mlc_rule_type(m, e->type, &type))
        return false;
    if (type && e->op->num_results == 1) {
        mlc_vec_push(types, type);
        return true;
    }
    return mlc_infer_types(m->ops[0]->ctx, state, types) || loop_types(state, types) ||
           mlc_rule_fails(m, "the types of the results of '%s' do not follow", e->op->name);
}

// An operand that has a type and nothing else, for an op that is only asked what it means.
static MlcOp *
placeholder(MlcContext *ctx, MlcType type)
{
    MlcOpState state = {.loc = mlc_loc_unknown(ctx),
                        .def = mlc_context_op(ctx, mlc_str("builtin.unrealized_conversion_cast")),
                        .result_types = &type,
                        .num_results = 1};
    return mlc_op_create(ctx, &state);
}

// What the op means on constants.
static bool
evaluate_op(MlcOp *op, const MlcRuleArg *args, const MlcRuleExpr *e, MlcRuleArg *out)
{
    MlcAttr constants[MLC_RULE_MAX_ARGS];
    MlcFold results[MLC_RULE_MAX_ARGS] = {{0}};
    for (size_t i = 0; i < e->num_args; i++)
        constants[i] = args[i].attr;
    if (!mlc_eval_fold(op, constants, results))
        return false;
    out->attr = results[e->result].attr;
    out->type = mlc_value_type(mlc_op_result(op, e->result));
    return out->attr != NULL;
}

// A constant operand: by the root's dialect, or that of the op that is made where ops of the root's
// are to go.
static MlcOp *
constant_operand(RuleRun *m, const MlcRuleExpr *e, MlcAttr value, MlcType type)
{
    const MlcOpDef *by = e->op ? e->op : m->found->rule->result->op;
    return m->host && by ? mlc_build_constant_by(m->builder, by->dialect, value, type)
                         : mlc_materialize_constant(m->builder, m->ops[0], value, type);
}

// Operands of a matched op.
static bool
push_group(RuleRun *m, int64_t number, MlcValueVec *operands)
{
    const MlcOp *op = m->ops[m->found->positions[number]];
    size_t first, size;
    mlc_op_operand_group(op, m->found->rule->vars[number].index, &first, &size);
    for (size_t i = first; i < first + size; i++) {
        MlcValue *value = mlc_rule_new_value(m, op->operands[i].value);
        if (!value)
            return false;
        mlc_vec_push(operands, value);
    }
    return true;
}

static bool
push_list(RuleRun *m, const MlcRuleExpr *e, MlcValueVec *operands)
{
    if (e->kind == MLC_RULE_INLINE)
        return mlc_rule_inline(m, e, operands);
    if (e->kind == MLC_RULE_VARIABLE)
        return push_group(m, e->number, operands);
    const MlcOp *op = m->locals[e->number] ? mlc_value_def(m->locals[e->number]) : NULL;
    for (size_t i = 0; op && i < op->num_results; i++)
        mlc_vec_push(operands, mlc_op_result(op, i));
    return true;
}

static bool
push_value(RuleRun *m, const MlcRuleExpr *e, const MlcRuleArg *arg, MlcValueVec *operands)
{
    MlcOp *op = NULL;
    if (!arg->value && arg->type)
        op = e->kind == MLC_RULE_EVAL ? placeholder(m->ops[0]->ctx, arg->type)
                                      : constant_operand(m, e, arg->attr, arg->type);
    if (op)
        mlc_vec_push(&m->made, op);
    mlc_vec_push(operands, op ? mlc_op_result(op, 0) : arg->value);
    return mlc_vec_last(operands) != NULL;
}

bool
mlc_rule_push(RuleRun *m, const MlcRuleExpr *of, const MlcRuleExpr *args, MlcValueVec *values)
{
    bool ok = true;
    for (size_t i = 0; ok && i < args->num_args; i++) {
        MlcRuleArg arg = {0};
        if (args->args[i]->kind == MLC_RULE_TUPLE)
            ok = mlc_rule_push(m, of, args->args[i], values);
        else if (is_list(m, args->args[i]))
            ok = push_list(m, args->args[i], values);
        else
            ok = evaluate(m, args->args[i], NULL, &arg) && push_value(m, of, &arg, values);
    }
    return ok;
}

// The operands, and how many each argument stands for.
static bool
push_operands(RuleRun *m, const MlcRuleExpr *e, const MlcRuleArg *args, MlcValueVec *operands,
              int32_t *sizes)
{
    bool ok = true, has_groups = e->num_args == e->op->num_operands;
    for (size_t i = 0; ok && i < e->num_args; i++) {
        size_t before = operands->size;
        if (is_list(m, e->args[i]))
            ok = push_list(m, e->args[i], operands);
        else if (e->args[i]->kind == MLC_RULE_TUPLE)
            ok = mlc_rule_push(m, e, e->args[i], operands);
        else
            ok = push_value(m, e, &args[i], operands);
        sizes[i] = (int32_t)(operands->size - before);
        if (ok && has_groups && sizes[i] != 1 && e->op->operands[i].arity == MLC_ONE)
            ok = mlc_rule_fails(m, "operand '%s' of '%s' would be %d values",
                                e->op->operands[i].name, e->op->name, sizes[i]);
    }
    return ok;
}

// The op's regions: as written, matched ones, or the body that a structured op has by its
// definition.
static bool
fill_regions(RuleRun *m, const MlcRuleExpr *e, MlcOp *op)
{
    for (size_t i = 0; i < e->num_regions; i++) {
        const MlcRuleRegion *region = &e->regions[i];
        bool is_written = region->variable == MLC_RULE_WRITTEN;
        if (!(is_written ? mlc_rule_write_region : mlc_rule_move_region)(m, region,
                                                                         mlc_op_region(op, i)))
            return false;
    }
    const MlcStructured *structured =
        e->num_regions ? NULL : mlc_op_interface(op, MLC_INTERFACE_STRUCTURED);
    return !structured || !structured->build_body || structured->build_body(op);
}

// Functions that the op calls, if the rule says that they are declared.
static bool
declare_functions(RuleRun *m, const MlcRuleExpr *e, MlcOp *op)
{
    MlcBuf why = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < e->num_attrs; i++)
        ok = e->attrs[i]->kind != MLC_RULE_SYMBOL ||
             m->host->declare(m->host->user, op, mlc_str(e->attrs[i]->text), &why) ||
             mlc_rule_fails(m, "%s", mlc_buf_c_str(&why));
    mlc_buf_release(&why);
    return ok;
}

// What a peephole writes is seen by other patterns before any verifier does, and a region may hold
// anything. What a lowering makes has types that are not settled yet.
static bool
may_stay(const RuleRun *m, MlcOp *op)
{
    if (m->host || op->num_regions == 0 || op->block != m->ops[0]->block)
        return true;
    MlcDiagList faults = {0};
    mlc_diag_capture_begin(op->ctx, &faults);
    bool ok = mlc_verify(op);
    mlc_diag_capture_end(op->ctx, &faults);
    mlc_diag_discard(op->ctx, &faults);
    return ok;
}

static bool
build(RuleRun *m, const MlcRuleExpr *e, const MlcOpState *state, MlcRuleArg *out)
{
    MlcOp *op = mlc_builder_create(m->builder, state);
    mlc_vec_push(&m->made, op);
    out->value = op->num_results > e->result ? mlc_op_result(op, e->result) : NULL;
    out->type = out->value ? mlc_value_type(out->value) : NULL;
    bool ok = (op->num_regions == 0 || fill_regions(m, e, op)) && declare_functions(m, e, op) &&
              may_stay(m, op);
    m->last = op;
    return ok;
}

static bool
make(RuleRun *m, const MlcRuleExpr *e, MlcType want, MlcRuleArg *args, MlcRuleArg *out)
{
    MlcNamedAttr attrs[MLC_RULE_MAX_ARGS + 1];
    int32_t sizes[MLC_RULE_MAX_ARGS];
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    MlcOpState state = {
        .loc = m->ops[0]->loc, .def = e->op, .attrs = attrs, .num_regions = e->op->num_regions};
    bool ok = evaluate_attrs(m, e, attrs, &state.num_attrs) &&
              push_operands(m, e, args, &operands, sizes);
    if (ok && mlc_op_def_has_trait(e->op, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        attrs[state.num_attrs++] =
            mlc_named(m->ops[0]->ctx, "operandSegmentSizes",
                      mlc_i32_array_attr_get(m->ops[0]->ctx, sizes, e->num_args));
    state.operands = operands.data;
    state.num_operands = operands.size;
    ok = ok && result_types(m, e, &state, want, &types);
    state.result_types = types.data;
    state.num_results = types.size;
    if (ok && e->kind == MLC_RULE_EVAL) {
        MlcOp *op = mlc_op_create(m->ops[0]->ctx, &state);
        ok = evaluate_op(op, args, e, out);
        mlc_op_erase(op);
    } else if (ok) {
        ok = build(m, e, &state, out);
    }
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    return ok;
}

// True in all lanes.
static bool
is_true(const MlcRuleArg *arg)
{
    if (!arg->attr)
        return arg->number != 0;
    if (!mlc_attr_is(arg->attr, MLC_ATTR_DENSE))
        return mlc_attr_is(arg->attr, MLC_ATTR_INTEGER) &&
               !mlc_wide_is_zero(mlc_attr_wide(arg->attr));
    size_t num_bytes;
    const unsigned char *bytes = mlc_elements_attr_data(arg->attr, &num_bytes);
    for (size_t i = 0; bytes && i < num_bytes; i++)
        if (!bytes[i])
            return false;
    return bytes && num_bytes > 0;
}

bool
mlc_rule_number(const MlcRuleArg *arg, int64_t *number)
{
    *number = arg->number;
    MlcAttr lane = arg->attr ? mlc_constant_lane(arg->attr) : NULL;
    return !arg->attr || mlc_attr_try_as_int(lane, number);
}

static bool
is_equal(RuleRun *m, MlcRuleArg *a, MlcRuleArg *b)
{
    MlcContext *ctx = m->ops[0]->ctx;
    if (a->text && b->type)
        a->type = mlc_parse_type(ctx, mlc_str(a->text));
    if (b->text && a->type)
        b->type = mlc_parse_type(ctx, mlc_str(b->text));
    int64_t x, y;
    if (a->value && b->value)
        return a->value == b->value;
    if (a->attr && b->attr)
        return a->attr == b->attr;
    if (!a->attr && !b->attr && a->type && b->type)
        return a->type == b->type;
    return mlc_rule_number(a, &x) && mlc_rule_number(b, &y) && x == y;
}

static bool call(RuleRun *m, const MlcRuleExpr *e, const MlcRuleArg *args, MlcRuleArg *out);

int
mlc_rule_truth(RuleRun *m, const MlcRuleExpr *e)
{
    MlcRuleArg arg = {0}, args[MLC_RULE_MAX_ARGS] = {{0}};
    int unknown = m->is_requirement ? -1 : 0;
    if (e->kind == MLC_RULE_CALL && m->is_requirement) // a function that says no knows
        return evaluate_args(m, e, NULL, args) ? call(m, e, args, &arg) && is_true(&arg) : unknown;
    return evaluate(m, e, NULL, &arg) ? is_true(&arg) : unknown;
}

// One side may decide, whatever the other is.
static bool
logic(RuleRun *m, const MlcRuleExpr *e, MlcRuleArg *out)
{
    int first = mlc_rule_truth(m, e->args[0]), decisive = e->kind == MLC_RULE_OR;
    if (e->kind == MLC_RULE_NOT) {
        out->number = !first;
        return first >= 0;
    }
    int second = first == decisive ? first : mlc_rule_truth(m, e->args[1]);
    out->number = second == decisive ? decisive : !decisive;
    return second == decisive || (first >= 0 && second >= 0);
}

// Comparisons of numbers; false too where a number is not known.
static bool
operation(RuleRun *m, const MlcRuleExpr *e, MlcRuleArg *out)
{
    MlcRuleArg args[2] = {{0}};
    int64_t x, y;
    if (e->kind == MLC_RULE_NOT || e->kind == MLC_RULE_AND || e->kind == MLC_RULE_OR)
        return logic(m, e, out);
    if (!evaluate(m, e->args[0], NULL, &args[0]) || !evaluate(m, e->args[1], NULL, &args[1]))
        return false;
    if (e->kind == MLC_RULE_EQUAL || e->kind == MLC_RULE_DIFFERENT) {
        out->number = is_equal(m, &args[0], &args[1]) == (e->kind == MLC_RULE_EQUAL);
        return true;
    }
    if (!mlc_rule_number(&args[0], &x) || !mlc_rule_number(&args[1], &y))
        return false;
    switch (e->kind) {
    case MLC_RULE_LESS:
        out->number = x < y;
        return true;
    case MLC_RULE_AT_MOST:
        out->number = x <= y;
        return true;
    case MLC_RULE_PLUS:
        return !__builtin_add_overflow(x, y, &out->number);
    case MLC_RULE_MINUS:
        return !__builtin_sub_overflow(x, y, &out->number);
    case MLC_RULE_DIVIDE:
    case MLC_RULE_REMAINDER:
        if (y == 0 || (x == INT64_MIN && y == -1))
            return false;
        out->number = e->kind == MLC_RULE_DIVIDE ? x / y : x % y;
        return true;
    default:
        return !__builtin_mul_overflow(x, y, &out->number);
    }
}

static bool
call(RuleRun *m, const MlcRuleExpr *e, const MlcRuleArg *args, MlcRuleArg *out)
{
    MlcRuleCall state = {.root = m->ops[0], .builder = m->builder};
    out->number = 1;
    if (!e->function(&state, args, out))
        return false;
    if (out->value)
        out->type = mlc_value_type(out->value);
    return true;
}

// count(xs) of a group that may be empty, of which there is nothing else to tell.
static bool
counts_group(const RuleRun *m, const MlcRuleExpr *e, MlcRuleArg *out)
{
    if (!m->is_requirement || e->function != mlc_rule_count ||
        e->args[0]->kind != MLC_RULE_VARIABLE)
        return false;
    const MlcRuleVar *var = &m->found->rule->vars[e->args[0]->number];
    MlcRuleArg group = {0};
    if (var->kind != MLC_RULE_VAR_OPERANDS && var->kind != MLC_RULE_VAR_RESULTS)
        return false;
    (void)read_group(m, var, &group);
    out->number = group.number;
    return true;
}

// Several values where one is wanted.
static bool
evaluate_one(RuleRun *m, const MlcRuleExpr *e, MlcRuleArg *out)
{
    MlcValueVec values = {0};
    bool ok =
        push_list(m, e, &values) &&
        (values.size == 1 || mlc_rule_fails(m, "%zu values where one is wanted", values.size));
    out->value = ok ? values.data[0] : NULL;
    out->type = ok ? mlc_value_type(out->value) : NULL;
    mlc_vec_release(&values);
    return ok;
}

static bool
evaluate(RuleRun *m, const MlcRuleExpr *e, MlcType want, MlcRuleArg *out)
{
    MlcRuleArg args[MLC_RULE_MAX_ARGS] = {{0}};
    switch (e->kind) {
    case MLC_RULE_VARIABLE:
        return read_variable(m, e->number, out);
    case MLC_RULE_INTEGER:
    case MLC_RULE_FLOAT:
    case MLC_RULE_SIGNED_MIN:
    case MLC_RULE_SIGNED_MAX:
        return literal(m, e, want, out);
    case MLC_RULE_ENUM:
        out->attr = mlc_enum_attr_get(m->ops[0]->ctx, e->attr_def, e->number);
        return true;
    case MLC_RULE_TEXT:
        out->text = e->text;
        return true;
    case MLC_RULE_BUILD:
    case MLC_RULE_EVAL:
        return evaluate_args(m, e, want, args) && make(m, e, want, args, out);
    case MLC_RULE_RESULTS:
    case MLC_RULE_INLINE:
        return evaluate_one(m, e, out);
    case MLC_RULE_SYMBOL:
        out->attr = mlc_symbol_ref_attr_get(m->ops[0]->ctx, mlc_str(e->text));
        return true;
    case MLC_RULE_CALL:
        return counts_group(m, e, out) ||
               (evaluate_args(m, e, NULL, args) && call(m, e, args, out));
    default:
        return operation(m, e, out);
    }
}

// --- results

// Evaluates what stands for result i of the root.
static bool
evaluate_result(RuleRun *m, size_t i, MlcFold *fold)
{
    const MlcRuleExpr *e = m->found->rule->result;
    MlcType type = new_type(m, mlc_value_type(mlc_op_result(m->ops[0], i)));
    MlcRuleArg arg = {0};
    if (!type || !evaluate(m, e->kind == MLC_RULE_TUPLE ? e->args[i] : e, type, &arg))
        return false;
    if (arg.value && mlc_value_type(arg.value) != type)
        return false;
    fold->attr = arg.attr;
    fold->value = arg.attr && !m->builder ? NULL : arg.value;
    return fold->attr || fold->value;
}

bool
mlc_rule_evaluate(RuleRun *m, const MlcRuleExpr *e, MlcRuleArg *out)
{
    return evaluate(m, e, NULL, out);
}

bool
mlc_rule_holds(RuleRun *m)
{
    const MlcRuleExpr *guard = m->found->rule->guard;
    return !guard || mlc_rule_truth(m, guard) == 1;
}

// Placeholders, and what a rule that failed had made.
static void
take_back(RuleRun *m, bool all)
{
    for (size_t i = m->made.size; i-- > 0;) {
        MlcOp *op = m->made.data[i];
        if (!op->block)
            mlc_op_erase(op);
        else if (all && m->rw)
            mlc_rewriter_erase(m->rw, op);
    }
    if (all && m->host)
        m->host->take_back(m->host->user);
    mlc_vec_clear(&m->made);
}

static bool
fold_found(RuleRun *m, MlcFold *results)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < m->ops[0]->num_results; i++)
        ok = evaluate_result(m, i, &results[i]);
    take_back(m, false);
    if (!ok)
        memset(results, 0, m->ops[0]->num_results * sizeof *results);
    return ok;
}

// That op; NULL where the rule does not match after all.
static MlcOp *
build_op(RuleRun *m)
{
    MlcRuleArg arg = {0};
    return evaluate(m, m->found->rule->result, NULL, &arg) ? m->last : NULL;
}

static bool
materialize(RuleRun *m, MlcFold *folds, MlcValue **values)
{
    for (uint32_t i = 0; i < m->ops[0]->num_results; i++) {
        MlcOp *constant = NULL;
        values[i] = folds[i].value;
        if (values[i])
            continue;
        constant =
            mlc_materialize_constant(m->builder, m->ops[0], folds[i].attr,
                                     new_type(m, mlc_value_type(mlc_op_result(m->ops[0], i))));
        if (!constant)
            return false;
        mlc_vec_push(&m->made, constant);
        values[i] = mlc_op_result(constant, 0);
    }
    return true;
}

// The values that stand for the root's results.
static bool
build_found(RuleRun *m, MlcValue **values)
{
    MlcFold folds[MLC_RULE_MAX_ARGS] = {{0}};
    bool ok = true;
    for (uint32_t i = 0; ok && i < m->ops[0]->num_results; i++)
        ok = evaluate_result(m, i, &folds[i]);
    return ok && materialize(m, folds, values);
}

// One op for the root: its results, or the root replaced by it.
static bool
replace_by_op(RuleRun *m)
{
    MlcOp *op = build_op(m);
    if (op && !m->values)
        mlc_rewriter_replace_with(m->rw, m->ops[0], op);
    for (uint32_t i = 0; op && m->values && i < op->num_results; i++)
        m->values[i] = mlc_op_result(op, i);
    return op != NULL;
}

static bool
replace_by_values(RuleRun *m)
{
    MlcValue *values[MLC_RULE_MAX_ARGS];
    if (!build_found(m, m->values ? m->values : values))
        return false;
    if (!m->values)
        mlc_rewriter_replace(m->rw, m->ops[0], values, m->ops[0]->num_results);
    return true;
}

// What a region's terminator has for the root: its results.
static bool
replace_by_block(RuleRun *m)
{
    MlcValueVec values = {0};
    size_t n = m->ops[0]->num_results;
    bool ok = mlc_rule_inline(m, m->found->rule->result, &values) &&
              (values.size == n || mlc_rule_fails(m, "%zu values for %zu results", values.size, n));
    for (size_t i = 0; ok && i < n; i++)
        ok = mlc_value_type(values.data[i]) ==
                 new_type(m, mlc_value_type(mlc_op_result(m->ops[0], i))) ||
             mlc_rule_fails(m, "value %zu is not of the type of the result", i + 1);
    if (ok && m->values && n)
        memcpy(m->values, values.data, n * sizeof *values.data);
    else if (ok && !m->values)
        mlc_rewriter_replace(m->rw, m->ops[0], values.data, n);
    mlc_vec_release(&values);
    return ok;
}

static bool
rewrite_found(RuleRun *m)
{
    const MlcRuleExpr *result = m->found->rule->result;
    m->is_building = true;
    bool ok = result->kind == MLC_RULE_INLINE ? replace_by_block(m)
              : is_op_for_op(m, result)       ? replace_by_op(m)
                                              : replace_by_values(m);
    m->is_building = false;
    take_back(m, !ok);
    return ok;
}

static const MlcRule *
apply(RuleRun *m, uint16_t at, MlcFold *results)
{
    while (at) {
        const MlcRuleNode *node = &m->table->nodes[at];
        if (node->question != MLC_RULE_MATCH) {
            at = mlc_rule_ask(m, node) ? node->yes : node->no;
            continue;
        }
        m->found = node->subject;
        if (mlc_rule_holds(m) && (results ? fold_found(m, results) : rewrite_found(m)))
            return m->found->rule;
        take_back(m, true);
        at = node->no;
    }
    return NULL;
}

bool
mlc_rules_fold(const MlcRuleTable *table, MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (!table->folds)
        return false;
    RuleRun m;
    mlc_rule_begin(&m, table, op);
    m.constants = constants;
    bool folded = apply(&m, table->folds, results) != NULL;
    mlc_vec_release(&m.made);
    return folded;
}

static bool
rewrite(MlcRewriter *rw, MlcOp *op, const MlcRuleTable *table, uint16_t start)
{
    RuleRun m;
    mlc_rule_begin(&m, table, op);
    m.rw = rw;
    m.builder = &rw->builder;
    const MlcRule *rule = apply(&m, start, NULL);
    mlc_vec_release(&m.made);
    if (rule)
        rw->rule = rule->name;
    return rule != NULL;
}

const MlcRule *
mlc_rule_try(const MlcRuleTable *table, MlcOp *root, MlcValue **results)
{
    MlcRewriter rw = {.rule = NULL};
    mlc_builder_init(&rw.builder, root->ctx);
    mlc_builder_before(&rw.builder, root);
    RuleRun m;
    mlc_rule_begin(&m, table, root);
    m.rw = &rw;
    m.builder = &rw.builder;
    m.values = results;
    const MlcRule *rule = apply(&m, table->folds, NULL);
    if (!rule)
        rule = apply(&m, table->rewrites, NULL);
    mlc_vec_release(&m.made);
    return rule;
}

const MlcRule *
mlc_rule_apply(const MlcRuleTable *table, MlcOp *root, const MlcRuleHost *host, MlcValue **results)
{
    RuleRun m;
    mlc_rule_begin(&m, table, root);
    m.builder = host->builder;
    m.host = host;
    m.values = results;
    const MlcRule *rule = apply(&m, table->rewrites, NULL);
    mlc_vec_release(&m.made);
    return rule;
}

static bool
rewrite_pattern(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcRuleTable *table = pattern->user;
    return rewrite(rw, op, table, table->rewrites);
}

// Rules of a loaded file: those that could fold are patterns too.
static bool
rewrite_loaded(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcRuleTable *table = pattern->user;
    return rewrite(rw, op, table, table->folds) || rewrite(rw, op, table, table->rewrites);
}

void
mlc_pattern_set_add_rules(MlcPatternSet *set, const MlcRuleTable *table, bool is_loaded)
{
    if (is_loaded || table->rewrites)
        mlc_pattern_set_add(set,
                            (MlcPattern){.name = "rules",
                                         .root = table->op->name,
                                         .benefit = 1,
                                         .rewrite = is_loaded ? rewrite_loaded : rewrite_pattern,
                                         .user = (void *)(uintptr_t)table});
}

// rules_bodies.c -- what rules make of regions: new ones as they are written, matched ones moved
// into a new op, and blocks in the place of a value.
//
// Where a host replaces ops on its own (a lowering) matched regions move, and it undoes that. A
// peephole has nobody to undo it: it copies, and the original goes with the root.
#include "rules_match.h"

#include "mlc/ir/context.h"

// --- matched regions

static MlcRegion *
region_of(const RuleRun *m, int64_t var)
{
    MlcOp *op = m->ops[m->found->positions[var]];
    return mlc_op_region(op, m->found->rule->vars[var].index);
}

static void
copy_region(RuleRun *m, MlcRegion *to, MlcRegion *from, const MlcType *types, size_t num_before,
            size_t num_after)
{
    MlcBlock *block;
    mlc_region_clone_into(from, to, NULL);
    block = mlc_region_first(to);
    for (size_t i = 0; block && i < num_before + num_after; i++)
        mlc_block_insert_arg(block, i < num_before ? i : mlc_block_num_args(block), types[i],
                             m->ops[0]->loc);
}

bool
mlc_rule_move_region(RuleRun *m, const MlcRuleRegion *region, MlcRegion *to)
{
    MlcType types[2 * MLC_RULE_MAX_ARGS];
    size_t num_types = (size_t)region->num_before + region->num_after;
    for (size_t i = 0; i < num_types; i++)
        if (!mlc_rule_type(m, region->types[i], &types[i]))
            return false;
    MlcRegion *from = region_of(m, region->variable);
    if (m->host)
        return m->host->region(m->host->user, to, from, types, region->num_before,
                               types + region->num_before, region->num_after);
    copy_region(m, to, from, types, region->num_before, region->num_after);
    return true;
}

// --- blocks in place

// Whether the values may stand for the block's arguments.
static bool
takes(RuleRun *m, const MlcBlock *block, const MlcValueVec *args, const char *name)
{
    if (mlc_block_num_args(block) != args->size)
        return mlc_rule_fails(m, "'@%s' has %zu arguments, not %zu", name,
                              mlc_block_num_args(block), args->size);
    for (size_t i = 0; i < args->size; i++) {
        MlcType type = mlc_value_type(mlc_block_arg(block, i));
        if (m->host)
            type = m->host->type(m->host->user, type);
        if (mlc_value_type(args->data[i]) != type)
            return mlc_rule_fails(m, "argument %zu of '@%s' is of another type", i + 1, name);
    }
    return true;
}

static void
copy_block(RuleRun *m, MlcBlock *block, MlcValue *const *args, MlcValueVec *values)
{
    MlcCloneMap *map = mlc_clone_map_create();
    MlcOp *end = mlc_block_terminator(block);
    for (size_t i = 0; i < mlc_block_num_args(block); i++)
        mlc_clone_map_set(map, mlc_block_arg(block, i), args[i]);
    for (MlcOp *op = mlc_block_first(block); op != end; op = mlc_op_next(op))
        mlc_vec_push(&m->made, mlc_builder_insert(m->builder, mlc_op_clone(op, map)));
    for (size_t i = 0; i < mlc_op_num_operands(end); i++)
        mlc_vec_push(values, mlc_clone_map_get(map, mlc_op_operand(end, i)));
    mlc_clone_map_destroy(map);
}

static bool
put_block(RuleRun *m, MlcBlock *block, MlcValue *const *args, MlcValueVec *values)
{
    if (!m->host) {
        copy_block(m, block, args, values);
        return true;
    }
    MlcOp *end = mlc_block_terminator(block);
    m->host->inline_block(m->host->user, block, args);
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_op_num_operands(end); i++) {
        mlc_vec_push(values, mlc_rule_new_value(m, mlc_op_operand(end, i)));
        ok = mlc_vec_last(values) != NULL;
    }
    return ok;
}

bool
mlc_rule_inline(RuleRun *m, const MlcRuleExpr *e, MlcValueVec *values)
{
    MlcRegion *region = region_of(m, e->number);
    const char *name = m->found->rule->vars[e->number].name;
    MlcOp *end =
        mlc_region_has_one_block(region) ? mlc_block_terminator(mlc_region_first(region)) : NULL;
    if (!end || mlc_op_num_successors(end) > 0)
        return mlc_rule_fails(m, "'@%s' is not one block with a terminator", name);
    MlcValueVec args = {0};
    bool ok = mlc_rule_push(m, e, e, &args) && takes(m, mlc_region_first(region), &args, name) &&
              put_block(m, mlc_region_first(region), args.data, values);
    mlc_vec_release(&args);
    return ok;
}

// --- regions that are written

static bool
write_op(RuleRun *m, const MlcRuleExpr *e)
{
    const MlcRuleExpr *made = e->kind == MLC_RULE_LET ? e->args[0] : e;
    MlcRuleArg arg = {0};
    if (made->kind == MLC_RULE_BUILD) {
        bool ok = mlc_rule_evaluate(m, made, &arg);
        if (e->kind == MLC_RULE_LET)
            m->locals[e->number] = arg.value;
        return ok;
    }
    MlcValueVec values = {0};
    MlcRuleExpr alone = {.kind = MLC_RULE_BUILD, .op = made->op, .args = &made, .num_args = 1};
    bool ok = mlc_rule_push(m, &alone, &alone, &values);
    if (ok && e->kind == MLC_RULE_LET)
        ok = values.size == 1 || mlc_rule_fails(m, "'%s' would be %zu values",
                                                m->found->rule->vars[e->number].name, values.size);
    if (ok && e->kind == MLC_RULE_LET)
        m->locals[e->number] = values.data[0];
    mlc_vec_release(&values);
    return ok;
}

static void
end_block(RuleRun *m, const MlcOpDef *op, const MlcBlock *block)
{
    const MlcOpDef *def = op->implicit_terminator && !mlc_block_terminator(block)
                              ? mlc_context_op(m->ops[0]->ctx, mlc_str(op->implicit_terminator))
                              : NULL;
    MlcOpState state = {.loc = m->ops[0]->loc, .def = def};
    if (def)
        mlc_vec_push(&m->made, mlc_builder_create(m->builder, &state));
}

bool
mlc_rule_write_region(RuleRun *m, const MlcRuleRegion *region, MlcRegion *to)
{
    MlcType types[MLC_RULE_MAX_ARGS];
    for (size_t i = 0; i < region->num_before; i++)
        if (!mlc_rule_type(m, region->types[i]->type, &types[i]))
            return false;
    MlcBuilder outer = *m->builder;
    MlcBlock *block = mlc_builder_create_block(m->builder, to, types, region->num_before);
    bool ok = true;
    for (size_t i = 0; i < region->num_before; i++)
        m->locals[region->types[i]->number] = mlc_block_arg(block, i);
    for (size_t i = 0; ok && i < region->num_after; i++)
        ok = write_op(m, region->types[region->num_before + i]);
    if (ok)
        end_block(m, mlc_op_def(mlc_region_parent(to)), block);
    m->builder->block = outer.block;
    m->builder->before = outer.before;
    m->builder->loc = outer.loc;
    return ok;
}

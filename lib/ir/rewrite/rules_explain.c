// rules_explain.c -- why rules do not match an op: of each the first question that is answered no.
#include "context/context_impl.h"
#include "rules_match.h"

#include "mlc/ir/def.h"
#include "mlc/support/alloc.h"

#define FAR UINT16_MAX

// The way to each node on which the fewest questions are answered yes: those that its rule asks.
typedef struct Ways {
    const MlcRuleTable *table;
    uint16_t *from, *length;
    MLC_VEC(uint16_t) ends; // where rules have matched, in the order in which they are tried
} Ways;

static void
find_ways(Ways *w, uint16_t at, uint16_t from, uint16_t length)
{
    for (; at && length < w->length[at]; at = w->table->nodes[at].no) {
        bool is_end = w->table->nodes[at].question == MLC_RULE_MATCH;
        if (is_end && w->length[at] == FAR)
            mlc_vec_push(&w->ends, at);
        w->length[at] = length;
        w->from[at] = from;
        if (!is_end)
            find_ways(w, w->table->nodes[at].yes, at, (uint16_t)(length + 1));
    }
}

static void
append_place(const MlcRuleTable *table, uint8_t at, MlcBuf *out)
{
    if (at == 0) {
        mlc_buf_append_c(out, "the op");
        return;
    }
    unsigned operand = table->positions[at].operand, n = operand % MLC_RULE_MAX_ARGS;
    unsigned region = operand / MLC_RULE_MAX_ARGS % MLC_RULE_MAX_REGIONS;
    if (operand < MLC_RULE_ARGUMENT)
        mlc_buf_printf(out, "operand %u", operand);
    else if (operand >= MLC_RULE_FROM_END)
        mlc_buf_printf(out, "operand %u from the end", n);
    else if (operand < MLC_RULE_OP_FROM_START)
        mlc_buf_printf(out, "argument %u of region %u", n, region);
    else if (operand < MLC_RULE_OP_FROM_END)
        mlc_buf_printf(out, "op %u in region %u", n, region);
    else
        mlc_buf_printf(out, "the last op in region %u", region);
    if (table->positions[at].parent || operand >= MLC_RULE_ARGUMENT) {
        mlc_buf_append_c(out, " of ");
        append_place(table, table->positions[at].parent, out);
    }
}

static void
append_literal(const MlcRuleExpr *e, MlcBuf *out)
{
    if (e->kind == MLC_RULE_FLOAT)
        mlc_buf_printf(out, "%g", mlc_rule_real(e->number));
    else if (e->kind == MLC_RULE_TEXT)
        mlc_buf_append_c(out, e->text);
    else if (e->kind == MLC_RULE_SIGNED_MIN || e->kind == MLC_RULE_SIGNED_MAX)
        mlc_buf_append_c(out, e->kind == MLC_RULE_SIGNED_MIN ? "smin" : "smax");
    else if (e->kind == MLC_RULE_ENUM)
        for (size_t i = 0; i < e->attr_def->num_cases; i++)
            mlc_buf_append_c(
                out, e->attr_def->cases[i].value == e->number ? e->attr_def->cases[i].name : "");
    else
        mlc_buf_append_int(out, e->number);
}

static void
append_block(const MlcRuleTable *table, const MlcRuleNode *node, MlcBuf *out)
{
    uint8_t at = node->at;
    unsigned region = (unsigned)node->number & 0xff, num_args = (unsigned)node->number >> 8 & 0xff;
    bool is_last = node->question == MLC_RULE_NO_OTHERS;
    if (is_last)
        region = table->positions[at].operand / MLC_RULE_MAX_ARGS % MLC_RULE_MAX_REGIONS;
    mlc_buf_printf(out, "region %u of ", region);
    append_place(table, is_last ? table->positions[at].parent : at, out);
    if (is_last)
        mlc_buf_append_c(out, " has other ops, too");
    else
        mlc_buf_printf(out, " is not one block of %u argument%s%s", num_args,
                       num_args == 1 ? "" : "s", node->number >> 16 ? " or more" : "");
}

// What is not so.
static void
append_no(const MlcRuleTable *table, const MlcRuleNode *node, MlcBuf *out)
{
    int question = node->question & ~MLC_RULE_ELSEWHERE;
    if (question == MLC_RULE_ATTR)
        mlc_buf_printf(out, "attribute '%s' of ", node->attr);
    if (node->question == MLC_RULE_BLOCK || node->question == MLC_RULE_NO_OTHERS) {
        append_block(table, node, out);
        return;
    }
    append_place(table, node->at, out);
    switch (question) {
    case MLC_RULE_MADE_BY:
        mlc_buf_printf(out, " is not made by '%s'", ((const MlcOpDef *)node->subject)->name);
        return;
    case MLC_RULE_NUM_OPERANDS:
        mlc_buf_printf(out, " has not %d operands", node->number);
        return;
    case MLC_RULE_CONSTANT:
        mlc_buf_append_c(out, " is no constant");
        return;
    case MLC_RULE_TYPE:
        mlc_buf_printf(out, " is not of type '%s'", ((const MlcConstraint *)node->subject)->name);
        return;
    case MLC_RULE_SAME:
    case MLC_RULE_SAME_TYPE:
        mlc_buf_append_c(out, question == MLC_RULE_SAME ? " is not " : " has not the type of ");
        append_place(table, (uint8_t)node->number, out);
        return;
    case MLC_RULE_OP:
        mlc_buf_printf(out, " is no '%s'", ((const MlcOpDef *)node->subject)->name);
        return;
    case MLC_RULE_OUTSIDE:
        mlc_buf_append_c(out, " is made in the region");
        return;
    default:
        mlc_buf_append_c(out, " is not ");
        append_literal(node->subject, out);
    }
}

// Asks what the rule of the node `end` asks, in order.
static void
explain(const Ways *w, RuleRun *m, uint16_t end, const char *matches, MlcBuf *out)
{
    uint16_t way[UINT8_MAX], size = 0;
    const MlcRuleMatch *match = w->table->nodes[end].subject;
    for (uint16_t at = w->from[end]; at && size < UINT8_MAX; at = w->from[at])
        way[size++] = at;
    mlc_buf_printf(out, "'%s': ", match->rule->name);
    while (size-- > 0)
        if (!mlc_rule_ask(m, &w->table->nodes[way[size]])) {
            append_no(w->table, &w->table->nodes[way[size]], out);
            return;
        }
    m->found = match;
    mlc_buf_append_c(out, mlc_rule_holds(m) ? matches : "its guard does not hold");
}

// `matches`: what is said of a rule whose questions are all answered yes.
static void
explain_all(const MlcRuleTable *table, MlcOp *root, const char *matches, MlcBuf *out)
{
    Ways w = {.table = table,
              .from = mlc_malloc(table->num_nodes * sizeof(uint16_t)),
              .length = mlc_malloc(table->num_nodes * sizeof(uint16_t))};
    for (size_t i = 0; i < table->num_nodes; i++)
        w.length[i] = FAR;
    find_ways(&w, table->folds, 0, 0);
    find_ways(&w, table->rewrites, 0, 0);
    for (size_t i = 0; i < w.ends.size; i++) {
        RuleRun m;
        mlc_rule_begin(&m, table, root);
        if (out->size)
            mlc_buf_append_c(out, "; ");
        explain(&w, &m, w.ends.data[i], matches, out);
        mlc_vec_release(&m.made);
    }
    mlc_vec_release(&w.ends);
    mlc_free(w.from);
    mlc_free(w.length);
}

void
mlc_rule_explain(const MlcRuleTable *table, MlcOp *root, MlcBuf *out)
{
    explain_all(table, root, "what it makes cannot be made here", out);
}

bool
mlc_rules_explain(MlcOp *op, MlcBuf *out)
{
    const MlcOpDef *def = mlc_op_def(op);
    bool any = def->rules != NULL;
    if (any)
        explain_all(def->rules, op, "it matches", out);
    for (const struct MlcLoaded *l = mlc_op_context(op)->loaded; l; l = l->next)
        for (size_t i = 0; i < l->num_rules; i++)
            if (l->rules[i]->op == def) {
                any = true;
                explain_all(l->rules[i], op, "it matches", out);
            }
    return any;
}

// rules_tree.c -- patterns to questions, questions to decision trees.
//
// A pattern is a list of questions; lists with a common head share it. A question that fails goes
// on to the next rule that could still match, which is known when the tree is made: a node has two
// links, and the matcher keeps no stack. Rules stay in their order: a list joins an older node only
// across nodes that exclude it (another op at the same place), so that the first rule that matches
// is the best one.
#include "rules_impl.h"

#define MAX_SWAPS 4
#define UNBOUND 0xff

typedef struct Node Node;
typedef MLC_VEC(Node *) NodeVec;
struct Node {
    MlcRuleNode test;
    NodeVec kids; // asked in order if the test holds
};

struct RuleTree {
    const MlcOpDef *op;
    MLC_VEC(MlcRulePosition) positions;
    NodeVec folds, rewrites;
    size_t num_nodes;
};

// --- questions

typedef struct Emit {
    RuleBuild *build;
    RuleTree *tree;
    RuleTermVec swappable;
    unsigned swaps; // bit i: the operands of swappable[i] change places
    MLC_VEC(MlcRuleNode) tests;
    uint8_t bound[MLC_RULE_MAX_VARS];
    uint8_t around;  // the op whose region is looked into, the outermost one; UNBOUND: none
    uint32_t inside; // positions of ops found there
    bool ok;
} Emit;

static void emit_region(Emit *e, const RuleTerm *region, uint8_t at, size_t index);

static bool
fail(Emit *e, const RuleTerm *t, const char *what)
{
    e->ok = false;
    return rules_fail(&e->build->compiler->parse, t->line, t->column, "%s", what);
}

static uint8_t
position(Emit *e, const RuleTerm *t, uint8_t parent, size_t operand)
{
    RuleTree *tree = e->tree;
    for (size_t i = 1; i < tree->positions.size; i++)
        if (tree->positions.data[i].parent == parent && tree->positions.data[i].operand == operand)
            return (uint8_t)i;
    if (tree->positions.size == MLC_RULE_MAX_POSITIONS)
        return fail(e, t, "the rules of this op look at too many places");
    mlc_vec_push(&tree->positions, (MlcRulePosition){parent, (uint8_t)operand});
    return (uint8_t)(tree->positions.size - 1);
}

static bool
is_elsewhere(const Emit *e, int32_t at)
{
    return e->tree->positions.data[at].operand >= MLC_RULE_ARGUMENT;
}

static void
ask(Emit *e, MlcRuleQuestion question, uint8_t at, int32_t number, const void *subject)
{
    bool has_other = question == MLC_RULE_SAME || question == MLC_RULE_SAME_TYPE;
    bool of_value = has_other || question == MLC_RULE_MADE_BY || question == MLC_RULE_CONSTANT ||
                    question == MLC_RULE_LITERAL || question == MLC_RULE_TYPE;
    unsigned elsewhere = of_value && (is_elsewhere(e, at) || (has_other && is_elsewhere(e, number)))
                             ? MLC_RULE_ELSEWHERE
                             : 0;
    mlc_vec_push(&e->tests, (MlcRuleNode){.question = (uint8_t)(question | elsewhere),
                                          .at = at,
                                          .number = number,
                                          .subject = subject});
}

// Binds a variable, or asks that it is the same here.
static void
bind(Emit *e, MlcRuleVarKind kind, MlcStr name, uint8_t at, MlcRuleQuestion same)
{
    int var = rules_find_var(e->build, kind, name);
    bool is_free = e->bound[var] == UNBOUND;
    if (!is_free)
        ask(e, same, at, e->bound[var], NULL);
    else
        e->bound[var] = at;
    if (is_free && kind == MLC_RULE_VAR_VALUE && e->around != UNBOUND &&
        !(e->build->inner >> var & 1)) // the right side may use it
        ask(e, MLC_RULE_OUTSIDE, at, e->around, NULL);
}

static void
emit_type(Emit *e, const RuleTerm *t, uint8_t at)
{
    if (!t->type)
        return;
    if (t->type->kind == RULE_NAME &&
        rules_find_var(e->build, MLC_RULE_VAR_TYPE, t->type->name) >= 0) {
        bind(e, MLC_RULE_VAR_TYPE, t->type->name, at, MLC_RULE_SAME_TYPE);
        return;
    }
    const MlcConstraint *c =
        t->type->kind == RULE_NAME ? rules_constraint(e->build->compiler, t->type->name) : NULL;
    if (!c)
        fail(e, t->type, "a type in a pattern is a variable (upper case) or a constraint's name");
    ask(e, MLC_RULE_TYPE, at, 0, c);
}

static void
emit_value(Emit *e, const RuleTerm *t, uint8_t at)
{
    switch (t->kind) {
    case RULE_NAME:
        if (!rules_is_any(t))
            bind(e, MLC_RULE_VAR_VALUE, t->name, at, MLC_RULE_SAME);
        break;
    case RULE_CONSTANT:
        ask(e, MLC_RULE_CONSTANT, at, 0, NULL);
        bind(e, MLC_RULE_VAR_CONSTANT, t->name, at, MLC_RULE_SAME);
        break;
    case RULE_LITERAL: {
        MlcRuleExpr *literal = MLC_NEW(e->build->compiler->parse.arena, MlcRuleExpr);
        literal->kind = t->literal;
        literal->number = t->number;
        ask(e, MLC_RULE_LITERAL, at, 0, literal);
        break;
    }
    default:
        ask(e, MLC_RULE_MADE_BY, at, rules_result_number(t), t->op);
        if (t->label.size)
            bind(e, MLC_RULE_VAR_VALUE, t->label, at, MLC_RULE_SAME);
    }
    emit_type(e, t, at);
}

static void
emit_attrs(Emit *e, const RuleTerm *t, uint8_t at)
{
    for (size_t i = 0; i < t->num_attrs; i++) {
        const RuleTerm *a = t->attrs[i];
        if (a->kind == RULE_ATTR) {
            int var = rules_find_var(e->build, MLC_RULE_VAR_ATTR, a->name);
            if (e->bound[var] != UNBOUND)
                fail(e, a, "an attribute variable stands in one place; compare in the guard");
            e->bound[var] = at;
            continue;
        }
        ask(e, MLC_RULE_ATTR, at, 0, rules_attr_literal(e->build, a, t->op));
        mlc_vec_last(&e->tests).attr = a->label.data;
        e->ok &= mlc_vec_last(&e->tests).subject != NULL;
    }
}

static void
bind_once(Emit *e, MlcRuleVarKind kind, const RuleTerm *t, uint8_t at)
{
    int var = rules_find_var(e->build, kind, t->name);
    if (e->bound[var] != UNBOUND)
        fail(e, t, "a list or a region stands in one place of a pattern");
    e->bound[var] = at;
}

static bool
is_swapped(const Emit *e, const RuleTerm *t)
{
    for (size_t i = 0; i < e->swappable.size; i++)
        if (e->swappable.data[i] == t)
            return e->swaps >> i & 1;
    return false;
}

static bool
has_fixed_operands(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_operands; i++)
        if (op->operands[i].arity != MLC_ONE)
            return false;
    return true;
}

static size_t
num_lists(const RuleTerm *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->num_args; i++)
        n += t->args[i]->kind == RULE_LIST;
    return n;
}

// Operand `i` of the op at `at`, from the end if it stands behind a list.
static uint8_t
operand_position(Emit *e, const RuleTerm *t, uint8_t at, size_t i)
{
    bool is_behind = false;
    for (size_t k = 0; k < i; k++)
        is_behind |= t->args[k]->kind == RULE_LIST;
    if (is_behind)
        return position(e, t->args[i], at, MLC_RULE_FROM_END + (t->num_args - 1 - i));
    return position(e, t->args[i], at, is_swapped(e, t) ? 1 - i : i);
}

// Attributes and operands of the op at `at`, near ones first: they fail sooner.
static void
emit_op(Emit *e, const RuleTerm *t, uint8_t at)
{
    bool has_list = num_lists(t) > 0;
    if (!has_fixed_operands(t->op) && !has_list) // which takes what there is
        ask(e, MLC_RULE_NUM_OPERANDS, at, (int32_t)t->num_args, NULL);
    else if (t->num_args != t->op->num_operands)
        fail(e, t, "the op has another number of operands");
    e->inside |= UINT32_C(1) << at;
    emit_attrs(e, t, at);
    uint8_t places[MLC_RULE_MAX_ARGS];
    for (size_t i = 0; e->ok && i < t->num_args; i++) {
        if (t->args[i]->kind == RULE_LIST) {
            bind_once(e, MLC_RULE_VAR_LIST, t->args[i], at);
            continue;
        }
        places[i] = operand_position(e, t, at, i);
        emit_value(e, t->args[i], places[i]);
    }
    for (size_t i = 0; e->ok && i < t->num_args; i++)
        if (t->args[i]->kind == RULE_APPLY)
            emit_op(e, t->args[i], places[i]);
    for (size_t i = 0; e->ok && i < t->num_regions; i++)
        emit_region(e, t->regions[i], at, i);
}

// An op of a region, whose number says where it stands.
static uint8_t
emit_inner_op(Emit *e, const RuleTerm *t, uint8_t at, size_t place)
{
    uint8_t op = position(e, t, at, place);
    if (!e->ok)
        return 0;
    ask(e, MLC_RULE_OP, op, 0, t->op);
    if ((t->label.size || t->type) && t->op->num_results == 0)
        fail(e, t, "an op without a result has no name and no type");
    if (t->label.size)
        bind(e, MLC_RULE_VAR_VALUE, t->label, op, MLC_RULE_SAME);
    emit_type(e, t, op);
    emit_op(e, t, op);
    return op;
}

static void
emit_body(Emit *e, const RuleTerm *region, uint8_t at, size_t first)
{
    bool has_others = false;
    size_t n = region->num_body;
    uint8_t last = 0;
    for (size_t i = 0; e->ok && i < n; i++) {
        if (region->body[i]->kind == RULE_LIST)
            has_others = true;
        else
            last = emit_inner_op(e, region->body[i], at,
                                 i + 1 == n ? MLC_RULE_OP_FROM_END + first
                                            : MLC_RULE_OP_FROM_START + first + i);
    }
    if (e->ok && !has_others)
        ask(e, MLC_RULE_NO_OTHERS, last, (int32_t)e->inside, NULL);
}

// The region's block, and what stands in it.
static void
emit_region(Emit *e, const RuleTerm *region, uint8_t at, size_t index)
{
    if (region->name.size && !mlc_str_equal(region->name, mlc_str("_")))
        bind_once(e, MLC_RULE_VAR_REGION, region, at);
    if (!region->body)
        return;
    size_t num_args = region->num_args, first = index * MLC_RULE_MAX_ARGS;
    bool has_more =
        !region->has_args || (num_args > 0 && region->args[num_args - 1]->kind == RULE_LIST);
    num_args -= num_args > 0 && has_more;
    ask(e, MLC_RULE_BLOCK, at, (int32_t)(index | num_args << 8 | (size_t)has_more << 16), NULL);
    uint8_t around = e->around;
    uint32_t inside = e->inside;
    e->around = around == UNBOUND ? at : around;
    e->inside = 0;
    for (size_t i = 0; e->ok && i < num_args; i++)
        emit_value(e, region->args[i],
                   position(e, region->args[i], at, MLC_RULE_ARGUMENT + first + i));
    emit_body(e, region, at, first);
    e->around = around;
    e->inside |= inside;
}

// --- commutative ops

static size_t
num_mentions(const RuleTerm *t, MlcStr name)
{
    size_t n = (t->kind == RULE_NAME && mlc_str_equal(t->name, name)) +
               (t->label.size && mlc_str_equal(t->label, name));
    for (size_t i = 0; i < t->num_args; i++)
        n += num_mentions(t->args[i], name);
    for (size_t i = 0; i < t->num_regions; i++)
        n += num_mentions(t->regions[i], name);
    for (size_t i = 0; i < t->num_body; i++)
        n += num_mentions(t->body[i], name);
    return n;
}

static bool
is_constant_term(const RuleTerm *t)
{
    return t->kind == RULE_CONSTANT || t->kind == RULE_LITERAL;
}

// Constants stand on the right when patterns run; a fold may come before that.
static bool
needs_both_orders(Emit *e, const RuleTerm *t, const RuleTerm *root)
{
    if (!mlc_op_def_has_trait(t->op, MLC_TRAIT_COMMUTATIVE) || t->num_args != 2 || num_lists(t))
        return false;
    const RuleTerm *a = t->args[0], *b = t->args[1];
    if (is_constant_term(a) && !is_constant_term(b))
        fail(e, a, "the constant operand of a commutative op stands on the right");
    if (is_constant_term(b))
        return t == root && e->build->is_fold && !is_constant_term(a);
    if (a->kind != RULE_NAME || b->kind != RULE_NAME)
        return true;
    return num_mentions(root, a->name) + num_mentions(root, b->name) > 2 &&
           !mlc_str_equal(a->name, b->name);
}

static void
find_swappable(Emit *e, RuleTerm *t, const RuleTerm *root)
{
    if (t->kind != RULE_APPLY)
        return;
    if (needs_both_orders(e, t, root))
        mlc_vec_push(&e->swappable, t);
    for (size_t i = 0; i < t->num_args; i++)
        find_swappable(e, t->args[i], root);
    for (size_t i = 0; i < t->num_regions; i++)
        for (size_t k = 0; k < t->regions[i]->num_body; k++)
            find_swappable(e, t->regions[i]->body[k], root);
}

// --- trees

static bool
is_same_literal(const MlcRuleExpr *a, const MlcRuleExpr *b)
{
    return a && b && a->kind == b->kind && a->number == b->number && a->attr_def == b->attr_def &&
           mlc_str_equal(mlc_str(a->text), mlc_str(b->text));
}

static bool
is_same_test(const MlcRuleNode *a, const MlcRuleNode *b)
{
    if (a->question != b->question || a->at != b->at || a->number != b->number ||
        a->question == MLC_RULE_MATCH || !mlc_str_equal(mlc_str(a->attr), mlc_str(b->attr)))
        return false;
    int question = a->question & ~MLC_RULE_ELSEWHERE;
    bool has_literal = question == MLC_RULE_LITERAL || question == MLC_RULE_ATTR;
    return has_literal ? is_same_literal(a->subject, b->subject) : a->subject == b->subject;
}

// If one holds, the other does not.
static bool
excludes(const MlcRuleNode *a, const MlcRuleNode *b)
{
    return (a->question & ~MLC_RULE_ELSEWHERE) == MLC_RULE_MADE_BY && a->question == b->question &&
           a->at == b->at && (a->subject != b->subject || a->number != b->number);
}

static Node *
find_node(const NodeVec *level, const MlcRuleNode *test)
{
    for (size_t i = level->size; i-- > 0;) {
        if (is_same_test(&level->data[i]->test, test))
            return level->data[i];
        if (!excludes(&level->data[i]->test, test))
            return NULL;
    }
    return NULL;
}

static void
insert(RuleTree *tree, NodeVec *level, const MlcRuleNode *tests, size_t num_tests)
{
    for (size_t i = 0; i < num_tests; i++) {
        Node *node = find_node(level, &tests[i]);
        if (!node) {
            node = mlc_calloc(1, sizeof *node);
            node->test = tests[i];
            mlc_vec_push(level, node);
            tree->num_nodes++;
        }
        level = &node->kids;
    }
}

static RuleTree *
tree_of(RuleTreeVec *trees, const MlcOpDef *op)
{
    for (size_t i = 0; i < trees->size; i++)
        if (trees->data[i]->op == op)
            return trees->data[i];
    RuleTree *tree = mlc_calloc(1, sizeof *tree);
    tree->op = op;
    mlc_vec_push(&tree->positions, (MlcRulePosition){0, 0});
    mlc_vec_push(trees, tree);
    return tree;
}

// The questions of one order of operands, and the match at their end.
static void
add_order(Emit *e, const RuleTerm *pattern)
{
    RuleBuild *b = e->build;
    memset(e->bound, UNBOUND, sizeof e->bound);
    e->around = UNBOUND;
    e->inside = 0;
    mlc_vec_clear(&e->tests);
    if (pattern->label.size)
        bind(e, MLC_RULE_VAR_VALUE, pattern->label, 0, MLC_RULE_SAME);
    emit_type(e, pattern, 0);
    emit_op(e, pattern, 0);
    if (!e->ok)
        return;
    MlcRuleMatch *match = MLC_NEW(b->compiler->parse.arena, MlcRuleMatch);
    match->rule = b->rule;
    match->positions = memcpy(mlc_arena_alloc(b->compiler->parse.arena, b->vars.size + 1, 1),
                              e->bound, b->vars.size);
    ask(e, MLC_RULE_MATCH, 0, 0, match);
    insert(e->tree, b->is_fold ? &e->tree->folds : &e->tree->rewrites, e->tests.data,
           e->tests.size);
}

bool
rules_tree_add(RuleBuild *b, RuleTreeVec *trees, const RuleText *text)
{
    Emit e = {.build = b, .tree = tree_of(trees, text->pattern->op), .ok = true};
    find_swappable(&e, text->pattern, text->pattern);
    if (e.swappable.size > MAX_SWAPS)
        fail(&e, text->pattern, "too many commutative ops in one pattern");
    for (unsigned i = 0; e.ok && i < 1u << e.swappable.size; i++) {
        e.swaps = i;
        add_order(&e, text->pattern);
    }
    mlc_vec_release(&e.swappable);
    mlc_vec_release(&e.tests);
    return e.ok;
}

// --- tables

typedef struct Layout {
    MlcRuleNode *nodes;
    uint16_t next;
} Layout;

// Lays out level[i] and what follows it; `after` is where to go when all of that fails.
static uint16_t
lay_out(Layout *l, const NodeVec *level, size_t i, uint16_t after)
{
    if (i == level->size)
        return after;
    uint16_t at = l->next++;
    MlcRuleNode *node = &l->nodes[at];
    *node = level->data[i]->test;
    node->no = lay_out(l, level, i + 1, after);
    uint16_t else_to = node->no;
    while (else_to && excludes(&l->nodes[else_to], node))
        else_to = l->nodes[else_to].no;
    node->yes = lay_out(l, &level->data[i]->kids, 0, else_to);
    return at;
}

void
rules_trees_finish(MlcRulesCompiler *c, const RuleTreeVec *trees, MlcRuleTableVec *tables)
{
    for (size_t i = 0; i < trees->size; i++) {
        const RuleTree *tree = trees->data[i];
        MlcRuleTable *table = MLC_NEW(c->parse.arena, MlcRuleTable);
        if (tree->num_nodes >= UINT16_MAX) {
            rules_fail(&c->parse, 1, 1, "too many rules for '%s'", tree->op->name);
            return;
        }
        Layout l = {MLC_NEW_ARRAY(c->parse.arena, MlcRuleNode, tree->num_nodes + 1), 1};
        MlcRulePosition *positions =
            MLC_NEW_ARRAY(c->parse.arena, MlcRulePosition, tree->positions.size);
        memcpy(positions, tree->positions.data, tree->positions.size * sizeof *positions);
        table->op = tree->op;
        table->positions = positions;
        table->num_positions = (uint16_t)tree->positions.size;
        table->folds = lay_out(&l, &tree->folds, 0, 0);
        table->rewrites = lay_out(&l, &tree->rewrites, 0, 0);
        table->nodes = l.nodes;
        table->num_nodes = l.next;
        mlc_vec_push(tables, table);
    }
}

static void
release_level(NodeVec *level)
{
    for (size_t i = 0; i < level->size; i++) {
        release_level(&level->data[i]->kids);
        mlc_free(level->data[i]);
    }
    mlc_vec_release(level);
}

void
rules_trees_release(RuleTreeVec *trees)
{
    for (size_t i = 0; i < trees->size; i++) {
        release_level(&trees->data[i]->folds);
        release_level(&trees->data[i]->rewrites);
        mlc_vec_release(&trees->data[i]->positions);
        mlc_free(trees->data[i]);
    }
    mlc_vec_release(trees);
}

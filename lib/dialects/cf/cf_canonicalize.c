// cf_canonicalize.c -- branches that go where only one way leads, or through blocks that only
// branch on, or whose condition is known, or has been asked before.
#include "mlc/dialects/cf.h"

#include "mlc/ir/rewrite.h"

// Where a branch goes, and with what.
typedef struct Edge {
    MlcBlock *to;
    MlcValueVec args;
} Edge;

typedef MLC_VEC(Edge) EdgeVec;

static void
read_edges(MlcOp *op, EdgeVec *edges)
{
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    for (size_t i = 0; i < mlc_op_num_successors(op); i++) {
        Edge edge = {.to = mlc_op_successor(op, i)};
        size_t first, count;
        branch->successor_operands(op, i, &first, &count);
        for (size_t k = 0; k < count; k++)
            mlc_vec_push(&edge.args, mlc_op_operand(op, first + k));
        mlc_vec_push(edges, edge);
    }
}

static void
release(EdgeVec *edges)
{
    for (size_t i = 0; i < edges->size; i++)
        mlc_vec_release(&edges->data[i].args);
    mlc_vec_release(edges);
}

static bool
same_edge(const Edge *a, const Edge *b)
{
    return a->to == b->to && a->args.size == b->args.size &&
           (a->args.size == 0 ||
            memcmp(a->args.data, b->args.data, a->args.size * sizeof *a->args.data) == 0);
}

// A branch in place of `op`: br to the one edge; cond_br on `flag`; or, with case values, switch.
static void
branch_to(MlcRewriter *rw, MlcOp *op, const MlcOpDef *def, MlcValue *flag, const EdgeVec *edges,
          MlcAttr values)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcValueVec operands = {0};
    MLC_VEC(MlcBlock *) successors = {0};
    MLC_VEC(int32_t) sizes = {0};
    if (flag)
        mlc_vec_push(&operands, flag);
    for (size_t i = 0; i < edges->size; i++) {
        const Edge *edge = &edges->data[i];
        for (size_t k = 0; k < edge->args.size; k++)
            mlc_vec_push(&operands, edge->args.data[k]);
        mlc_vec_push(&successors, edge->to);
        mlc_vec_push(&sizes, (int32_t)edge->args.size);
    }
    MlcOp *made = mlc_builder_create(mlc_rewriter_builder(rw),
                                     &(MlcOpState){.loc = mlc_op_loc(op),
                                                   .def = def,
                                                   .operands = operands.data,
                                                   .num_operands = operands.size,
                                                   .successors = successors.data,
                                                   .num_successors = successors.size});
    if (def == &mlc_cf_cond_br_def)
        mlc_cf_cond_br_set_operand_segment_sizes(
            made, mlc_i32_array_attr_get(ctx, (int32_t[]){1, sizes.data[0], sizes.data[1]}, 3));
    if (def == &mlc_cf_switch_def) {
        int32_t num_flags = flag != NULL, num_default = sizes.data[0],
                num_rest = (int32_t)operands.size - num_flags - num_default;
        mlc_cf_switch_set_operand_segment_sizes(
            made, mlc_i32_array_attr_get(ctx, (int32_t[]){num_flags, num_default, num_rest}, 3));
        mlc_cf_switch_set_case_operand_segments(
            made, mlc_i32_array_attr_get(ctx, sizes.data + 1, sizes.size - 1));
        mlc_cf_switch_set_case_values(made, values);
    }
    mlc_vec_release(&operands);
    mlc_vec_release(&successors);
    mlc_vec_release(&sizes);
    mlc_rewriter_erase(rw, op);
}

static void
go_to(MlcRewriter *rw, MlcOp *op, const Edge *edge)
{
    EdgeVec one = {.data = (Edge *)(uintptr_t)edge, .size = 1};
    branch_to(rw, op, &mlc_cf_br_def, NULL, &one, NULL);
}

// Takes the successor numbered `i`, whatever `op` is.
static bool
take(MlcRewriter *rw, MlcOp *op, size_t i)
{
    EdgeVec edges = {0};
    read_edges(op, &edges);
    go_to(rw, op, &edges.data[i]);
    release(&edges);
    return true;
}

// Who branches to a block.
typedef struct Predecessors {
    MlcOp *first;
    size_t count;
    bool is_one_op;
} Predecessors;

static void
count_predecessor(MlcOp *terminator, size_t i, void *user)
{
    (void)i;
    Predecessors *p = user;
    if (p->count++ == 0)
        p->first = terminator;
    p->is_one_op &= p->first == terminator;
}

// The only terminator that names the block, and names it once; NULL if there are others.
static MlcOp *
single_predecessor_end(const MlcBlock *block)
{
    Predecessors p = {.is_one_op = true};
    mlc_block_visit_predecessors(block, count_predecessor, &p);
    return p.count == 1 ? p.first : NULL;
}

// Where a block that only branches on leads; NULL if it does something.
static MlcBlock *
leads_to(MlcBlock *block)
{
    MlcOp *br = mlc_block_first(block);
    return mlc_cf_br_isa(br) && !mlc_op_next(br) ? mlc_op_successor(br, 0) : NULL;
}

// Blocks that only branch on, round in a circle: passing through them never ends.
static bool
leads_into_circle(MlcBlock *block)
{
    MlcBlock *slow = block, *fast = leads_to(block);
    while (fast && fast != slow) {
        fast = leads_to(fast);
        fast = fast ? leads_to(fast) : NULL;
        slow = leads_to(slow);
    }
    return fast != NULL;
}

// A block that only branches on, and whose arguments nobody else uses, is passed through.
static bool
collapse(Edge *edge)
{
    MlcBlock *block = edge->to;
    if (!leads_to(block) || leads_into_circle(block))
        return false;
    MlcOp *br = mlc_block_first(block);
    for (size_t i = 0; i < mlc_block_num_args(block); i++)
        MLC_FOR_EACH_USE (use, mlc_block_arg(block, i))
            if (mlc_use_owner(use) != br)
                return false;
    MlcValueVec args = {0};
    MLC_FOR_EACH_OPERAND (value, br)
        mlc_vec_push(&args, mlc_value_block(value) == block
                                ? edge->args.data[mlc_value_index(value)]
                                : value);
    mlc_vec_release(&edge->args);
    *edge = (Edge){mlc_op_successor(br, 0), args};
    return true;
}

bool
mlc_cf_erase_assertion(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t value;
    if (!mlc_value_constant_int(mlc_op_operand(op, 0), &value) || !value)
        return false;
    mlc_rewriter_erase(rw, op);
    return true;
}

// br ^b where nobody else goes to ^b: its ops come here.
bool
mlc_cf_join_only_successor(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBlock *from = mlc_op_block(op), *to = mlc_op_successor(op, 0);
    if (to == from || single_predecessor_end(to) != op)
        return false;
    MlcValueVec args = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&args, value);
    mlc_rewriter_erase(rw, op);
    mlc_rewriter_append_block(rw, to, from, args.data);
    mlc_vec_release(&args);
    return true;
}

// Any branch: successors that only branch on are passed through.
bool
mlc_cf_pass_through(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    EdgeVec edges = {0};
    read_edges(op, &edges);
    bool is_br = mlc_cf_br_isa(op), changed = false;
    for (size_t i = 0; i < edges.size; i++)
        changed |= (!is_br || edges.data[i].to != mlc_op_block(op)) && collapse(&edges.data[i]);
    if (changed)
        branch_to(rw, op, mlc_op_def(op), is_br ? NULL : mlc_op_operand(op, 0), &edges,
                  mlc_cf_switch_isa(op) ? mlc_cf_switch_case_values(op) : NULL);
    release(&edges);
    return changed;
}

bool
mlc_cf_take_known_successor(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr flag = mlc_value_constant(mlc_op_operand(op, 0));
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    int i = flag ? branch->successor_for(op, &flag) : -1;
    return i >= 0 && take(rw, op, (size_t)i);
}

// cond_br c, ^b(x), ^b(y) -> br ^b(select c, x, y); only if nobody else goes to ^b, since otherwise
// the selects are paid for nothing.
bool
mlc_cf_join_equal_successors(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    EdgeVec edges = {0};
    read_edges(op, &edges);
    Edge *yes = &edges.data[0], *no = &edges.data[1];
    Predecessors p = {.is_one_op = true};
    mlc_block_visit_predecessors(yes->to, count_predecessor, &p);
    bool ok = yes->to == no->to && (same_edge(yes, no) || p.is_one_op);
    for (size_t i = 0; ok && i < yes->args.size; i++) {
        MlcValue *x = yes->args.data[i], *y = no->args.data[i];
        if (x != y)
            yes->args.data[i] =
                mlc_build_select(mlc_rewriter_builder(rw), mlc_op_operand(op, 0), x, y);
    }
    if (ok)
        go_to(rw, op, yes);
    release(&edges);
    return ok;
}

// The only way here is a branch on the same condition.
bool
mlc_cf_take_as_predecessor_did(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *before = single_predecessor_end(mlc_op_block(op));
    if (!mlc_cf_cond_br_isa(before) || mlc_op_operand(before, 0) != mlc_op_operand(op, 0))
        return false;
    return take(rw, op, mlc_op_successor(before, 0) == mlc_op_block(op) ? 0 : 1);
}

// In a block to which only one way of the branch leads the condition is known.
bool
mlc_cf_propagate_truth(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    bool changed = false;
    for (size_t i = 0; i < 2; i++) {
        MlcBlock *to = mlc_op_successor(op, i);
        if (!single_predecessor_end(to))
            continue;
        MlcValue *known = NULL;
        MLC_FOR_EACH_USE_SAFE (use, mlc_op_operand(op, 0)) {
            MlcOp *user = mlc_use_owner(use);
            if (mlc_op_block(user) != to)
                continue;
            if (!known)
                known = mlc_build_int(mlc_rewriter_builder(rw),
                                      mlc_value_type(mlc_op_operand(op, 0)), i == 0);
            mlc_use_set(use, known);
            mlc_rewriter_changed(rw, user);
            changed = true;
        }
    }
    return changed;
}

// --- cf.switch

bool
mlc_cf_switch_only_default(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    return mlc_op_num_successors(op) == 1 && take(rw, op, 0);
}

// The switch without the cases marked; false if none is.
static bool
drop_cases(MlcRewriter *rw, MlcOp *op, EdgeVec *edges, const bool *is_dropped)
{
    MlcAttr values = mlc_cf_switch_case_values(op);
    EdgeVec kept = {0};
    MLC_VEC(MlcAttr) kept_values = {0};
    mlc_vec_push(&kept, edges->data[0]);
    for (size_t i = 1; i < edges->size; i++) {
        if (is_dropped[i])
            continue;
        mlc_vec_push(&kept, edges->data[i]);
        mlc_vec_push(&kept_values, mlc_elements_attr_element(values, i - 1));
    }
    bool changed = kept.size < edges->size;
    if (changed) {
        int64_t size = (int64_t)kept_values.size;
        MlcType type = mlc_value_type(mlc_op_operand(op, 0));
        MlcAttr left = size
                           ? mlc_dense_attr_from_elements(mlc_vector_type_get(type, &size, 1, NULL),
                                                          kept_values.data, kept_values.size)
                           : NULL;
        branch_to(rw, op, &mlc_cf_switch_def, mlc_op_operand(op, 0), &kept, left);
    }
    mlc_vec_release(&kept);
    mlc_vec_release(&kept_values);
    return changed;
}

bool
mlc_cf_switch_drop_default_cases(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    EdgeVec edges = {0};
    read_edges(op, &edges);
    MLC_VEC(bool) dropped = {0};
    for (size_t i = 0; i < edges.size; i++)
        mlc_vec_push(&dropped, same_edge(&edges.data[0], &edges.data[i]));
    bool changed = drop_cases(rw, op, &edges, dropped.data);
    mlc_vec_release(&dropped);
    release(&edges);
    return changed;
}

static MlcOp *
switch_on_same_flag_before(MlcOp *op)
{
    MlcOp *before = single_predecessor_end(mlc_op_block(op));
    return mlc_cf_switch_isa(before) && mlc_op_operand(before, 0) == mlc_op_operand(op, 0) ? before
                                                                                           : NULL;
}

// Reached from a case of a switch on the same flag, whose value it is therefore.
bool
mlc_cf_switch_as_predecessor(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *before = switch_on_same_flag_before(op);
    if (!before || mlc_op_successor(before, 0) == mlc_op_block(op))
        return false;
    size_t i = 1;
    while (mlc_op_successor(before, i) != mlc_op_block(op))
        i++;
    MlcAttr flag = mlc_elements_attr_element(mlc_cf_switch_case_values(before), i - 1);
    return take(rw, op, (size_t)mlc_cf_switch_branch.successor_for(op, &flag));
}

// Reached from the default of a switch on the same flag: the values of its cases cannot come.
bool
mlc_cf_switch_after_default(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *before = switch_on_same_flag_before(op);
    if (!before || mlc_op_successor(before, 0) != mlc_op_block(op))
        return false;
    MlcAttr values = mlc_cf_switch_case_values(op), gone = mlc_cf_switch_case_values(before);
    EdgeVec edges = {0};
    read_edges(op, &edges);
    MLC_VEC(bool) dropped = {0};
    for (size_t i = 0; i < edges.size; i++) {
        bool is_dropped = false;
        for (size_t k = 0; i && k + 1 < mlc_op_num_successors(before); k++)
            is_dropped |=
                mlc_elements_attr_element(values, i - 1) == mlc_elements_attr_element(gone, k);
        mlc_vec_push(&dropped, is_dropped);
    }
    bool changed = drop_cases(rw, op, &edges, dropped.data);
    mlc_vec_release(&dropped);
    release(&edges);
    return changed;
}

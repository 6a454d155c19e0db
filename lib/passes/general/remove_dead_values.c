// remove_dead_values.c -- values that nothing visible depends on go: ops, loop-carried values,
// function arguments and results, through calls.
//
// What is live is known before anything changes (mlc_solver_add_liveness). A value that goes may
// have uses that go later: they are given a stand-in meanwhile. Of an op with regions, everything
// that hands a value on to something that stays, stays: operands, terminator operands, arguments
// and results are marked to a fixpoint. Branches between blocks are not dealt with.
#include "mlc/pass.h"

#include "mlc/analysis/dataflow.h"
#include "mlc/dialects/builtin.h"
#include "mlc/support/alloc.h"

typedef struct Cleaner {
    MlcSolver *solver;
    MlcOp *root;
    MlcOpVec stand_ins;
    MlcOpVec calls; // of the function being cleaned
} Cleaner;

static void
drop_uses(Cleaner *c, MlcValue *value)
{
    if (!mlc_value_has_uses(value))
        return;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(c->root));
    MlcType type = mlc_value_type(value);
    MlcOp *op = mlc_builtin_unrealized_conversion_cast(&b, &type, 1, NULL, 0);
    mlc_vec_push(&c->stand_ins, op);
    mlc_value_replace_uses(value, mlc_op_result(op, 0));
}

static void
erase(Cleaner *c, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        drop_uses(c, mlc_op_result(op, i));
    mlc_op_erase(op);
}

static bool
is_live(const Cleaner *c, MlcValue *value)
{
    return mlc_solver_value_is_live(c->solver, value);
}

static bool
has_live_result(const Cleaner *c, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (is_live(c, mlc_op_result(op, i)))
            return true;
    return false;
}

// --- editing lists by what is kept

static void
keep_operands(MlcOp *op, size_t first, size_t count, const bool *keep)
{
    for (size_t i = count; i-- > 0;)
        if (!keep[i])
            mlc_op_drop_operand(op, first + i);
}

static void
keep_args(Cleaner *c, MlcBlock *block, const bool *keep)
{
    for (size_t i = mlc_block_num_args(block); i-- > 0;)
        if (!keep[i]) {
            drop_uses(c, mlc_block_arg(block, i));
            mlc_block_erase_arg(block, i);
        }
}

static MlcAttr
kept_elements(MlcAttr array, const bool *keep)
{
    MLC_VEC(MlcAttr) kept = {0};
    for (size_t i = 0; i < mlc_array_attr_size(array); i++)
        if (keep[i])
            mlc_vec_push(&kept, mlc_array_attr_element(array, i));
    MlcAttr made = mlc_array_attr_get(mlc_attr_context(array), kept.data, kept.size);
    mlc_vec_release(&kept);
    return made;
}

// A copy of `op` with some of its results, and its regions.
static void
keep_results(Cleaner *c, MlcOp *op, const bool *keep)
{
    MlcTypeVec types = {0};
    size_t n = mlc_op_num_results(op), num_regions = mlc_op_num_regions(op);
    for (size_t i = 0; i < n; i++)
        if (keep[i])
            mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    if (types.size < n) {
        MlcValueVec operands = {0};
        MLC_FOR_EACH_OPERAND (value, op)
            mlc_vec_push(&operands, value);
        MlcAttr attrs = mlc_op_all_attrs(op);
        MLC_VEC(MlcNamedAttr) named = {0};
        for (size_t i = 0; i < mlc_dict_attr_size(attrs); i++)
            mlc_vec_push(&named, mlc_dict_attr_entry(attrs, i));
        MlcOpState state = {.loc = mlc_op_loc(op),
                            .def = mlc_op_def(op),
                            .operands = operands.data,
                            .num_operands = operands.size,
                            .result_types = types.data,
                            .num_results = types.size,
                            .attrs = named.data,
                            .num_attrs = named.size,
                            .num_regions = num_regions};
        MlcOp *made = mlc_op_create(mlc_op_context(op), &state);
        mlc_op_insert_after(made, op);
        for (size_t i = 0; i < num_regions; i++)
            mlc_region_take_body(mlc_op_region(made, i), mlc_op_region(op, i));
        for (size_t i = 0, at = 0; i < n; i++)
            if (keep[i])
                mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, at++));
        erase(c, op);
        mlc_vec_release(&operands);
        mlc_vec_release(&named);
    }
    mlc_vec_release(&types);
}

// --- functions

static void
note_call(MlcOp *user, MlcAttr ref, void *data)
{
    Cleaner *c = data;
    (void)ref;
    mlc_vec_push(&c->calls, user);
}

typedef struct CallSearch {
    Cleaner *c;
    MlcOp *function;
} CallSearch;

static void
find_call(MlcOp *user, MlcAttr ref, void *data)
{
    CallSearch *search = data;
    if (mlc_symbol_lookup_ref(user, ref) == search->function)
        note_call(user, ref, search->c);
}

static void
clean_arguments(Cleaner *c, MlcOp *op, MlcBlock *entry, const bool *keep)
{
    const MlcFunction *function = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(op, function->arg_attrs_slot);
    if (attrs)
        mlc_op_set_slot(op, function->arg_attrs_slot, kept_elements(attrs, keep));
    for (size_t i = 0; i < c->calls.size; i++) {
        MlcOp *call = c->calls.data[i];
        size_t first, count;
        ((const MlcCall *)mlc_op_interface(call, MLC_INTERFACE_CALL))
            ->arguments(call, &first, &count);
        if (count == mlc_block_num_args(entry))
            keep_operands(call, first, count, keep);
    }
    keep_args(c, entry, keep);
}

static void
clean_results(Cleaner *c, MlcOp *op, size_t num_results, const bool *keep)
{
    const MlcFunction *function = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(op, function->res_attrs_slot);
    if (attrs)
        mlc_op_set_slot(op, function->res_attrs_slot, kept_elements(attrs, keep));
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *end = mlc_block_terminator(block);
        if (end && mlc_op_num_operands(end) == num_results)
            keep_operands(end, 0, num_results, keep);
    }
    for (size_t i = 0; i < c->calls.size; i++)
        keep_results(c, c->calls.data[i], keep);
}

static MlcAttr
kept_function_type(MlcType type, const bool *keep_args, const bool *keep_results)
{
    MlcTypeVec inputs = {0}, results = {0};
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
        if (keep_args[i])
            mlc_vec_push(&inputs, mlc_function_type_inputs(type)[i]);
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        if (keep_results[i])
            mlc_vec_push(&results, mlc_function_type_results(type)[i]);
    MlcType kept = mlc_function_type_get(mlc_type_context(type), inputs.data, inputs.size,
                                         results.data, results.size);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return mlc_type_attr_get(kept);
}

static void
clean_function(Cleaner *c, MlcOp *op)
{
    const MlcFunction *function = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcType type = function->type(op);
    MlcBlock *entry = mlc_region_first(mlc_op_region(op, 0));
    if (!entry || mlc_symbol_is_public(op) || !mlc_type_is(type, MLC_TYPE_FUNCTION))
        return;
    CallSearch search = {c, op};
    mlc_vec_clear(&c->calls);
    mlc_symbol_cache_begin();
    mlc_symbol_visit_uses(mlc_symbol_table_of(mlc_op_parent(op)), false, find_call, &search);
    mlc_symbol_cache_end();
    size_t num_args = mlc_block_num_args(entry), num_results = mlc_function_type_num_results(type);
    bool *keep = mlc_calloc(num_args + num_results + 1, sizeof *keep), *kept = keep + num_args;
    for (size_t i = 0; i < num_args; i++)
        keep[i] = is_live(c, mlc_block_arg(entry, i));
    for (size_t i = 0; i < c->calls.size; i++)
        for (size_t k = 0; k < num_results; k++)
            kept[k] |= is_live(c, mlc_op_result(c->calls.data[i], k));
    clean_arguments(c, op, entry, keep);
    clean_results(c, op, num_results, kept);
    mlc_op_set_slot(op, function->type_slot, kept_function_type(type, keep, kept));
    mlc_free(keep);
}

// --- ops with regions

typedef struct Marks { // what is kept of an op with regions
    MlcOp *op;
    const MlcRegionBranch *branch;
    bool *results, *operands;
    bool **args, **terminators; // one per region
    bool changed;
} Marks;

static MlcOp *
terminator_of(MlcOp *op, size_t region)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(op, region));
    return block ? mlc_block_terminator(block) : NULL;
}

// Calls visit for each pair (operand of `source`, input it is handed to).
static void
visit_edges(Marks *m, MlcOp *source, bool *operands, void (*visit)(Marks *m, bool *a, bool *b))
{
    const MlcRegionTerminator *leaving = mlc_op_interface(source, MLC_INTERFACE_REGION_TERMINATOR);
    int from = source == m->op ? -1 : (int)mlc_region_index(mlc_op_region_of(source));
    int *points = mlc_malloc((mlc_op_num_regions(m->op) + 2) * sizeof *points);
    size_t n = m->branch->successors(m->op, from, points);
    for (size_t p = 0; p < n; p++) {
        size_t first = 0, count = 0, first_input, num_inputs;
        if (points[p] >= 0 && mlc_region_is_empty(mlc_op_region(m->op, (size_t)points[p])))
            continue;
        if (source == m->op)
            m->branch->entry_operands(m->op, points[p], &first, &count);
        else if (leaving)
            leaving->operands(source, points[p], &first, &count);
        m->branch->inputs(m->op, points[p], &first_input, &num_inputs);
        bool *inputs = points[p] < 0 ? m->results : m->args[points[p]];
        for (size_t i = 0; i < count && i < num_inputs; i++)
            visit(m, &operands[first + i], &inputs[first_input + i]);
    }
    mlc_free(points);
}

static void
mark_handed_on(Marks *m, bool *operand, bool *input)
{
    (void)m, (void)input;
    *operand = false;
}

static void
mark_both(Marks *m, bool *operand, bool *input)
{
    m->changed |= *operand != *input;
    *operand = *input = *operand || *input;
}

static void
visit_all_edges(Marks *m, void (*visit)(Marks *m, bool *a, bool *b))
{
    visit_edges(m, m->op, m->operands, visit);
    for (size_t r = 0; r < mlc_op_num_regions(m->op); r++)
        if (terminator_of(m->op, r))
            visit_edges(m, terminator_of(m->op, r), m->terminators[r], visit);
}

static bool *
all_true(MlcArena *arena, size_t n)
{
    bool *marks = MLC_NEW_ARRAY(arena, bool, n + 1);
    memset(marks, true, n);
    return marks;
}

static Marks
mark_kept(const Cleaner *c, MlcOp *op, MlcArena *arena)
{
    size_t num_regions = mlc_op_num_regions(op);
    Marks m = {.op = op, .branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH)};
    m.results = all_true(arena, mlc_op_num_results(op));
    m.operands = all_true(arena, mlc_op_num_operands(op));
    m.args = MLC_NEW_ARRAY(arena, bool *, num_regions + 1);
    m.terminators = MLC_NEW_ARRAY(arena, bool *, num_regions + 1);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        m.results[i] = is_live(c, mlc_op_result(op, i));
    for (size_t r = 0; r < num_regions; r++) {
        MlcBlock *block = mlc_region_first(mlc_op_region(op, r));
        MlcOp *end = terminator_of(op, r);
        m.args[r] = all_true(arena, block ? mlc_block_num_args(block) : 0);
        m.terminators[r] = all_true(arena, end ? mlc_op_num_operands(end) : 0);
        for (size_t i = 0; block && i < mlc_block_num_args(block); i++)
            m.args[r][i] = is_live(c, mlc_block_arg(block, i));
    }
    visit_all_edges(&m, mark_handed_on);
    do {
        m.changed = false;
        visit_all_edges(&m, mark_both);
    } while (m.changed);
    return m;
}

static void
clean_region_op(Cleaner *c, MlcOp *op)
{
    if (mlc_op_is_memory_effect_free(op) && !has_live_result(c, op)) {
        erase(c, op);
        return;
    }
    MlcArena arena = {0};
    Marks m = mark_kept(c, op, &arena);
    keep_operands(op, 0, mlc_op_num_operands(op), m.operands);
    for (size_t r = 0; r < mlc_op_num_regions(op); r++) {
        MlcOp *end = terminator_of(op, r);
        if (mlc_region_is_empty(mlc_op_region(op, r)))
            continue;
        keep_args(c, mlc_region_first(mlc_op_region(op, r)), m.args[r]);
        if (end)
            keep_operands(end, 0, mlc_op_num_operands(end), m.terminators[r]);
    }
    keep_results(c, op, m.results);
    mlc_arena_release(&arena);
}

// --- the pass

static bool
is_beyond_us(MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_BRANCH) ||
           (mlc_op_interface(op, MLC_INTERFACE_SYMBOL_USER) &&
            !mlc_op_interface(op, MLC_INTERFACE_CALL)) ||
           (mlc_op_is_symbol(op) && !mlc_op_interface(op, MLC_INTERFACE_FUNCTION));
}

static void
clean(Cleaner *c, MlcOp *op)
{
    if (mlc_op_interface(op, MLC_INTERFACE_FUNCTION))
        clean_function(c, op);
    else if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH))
        clean_region_op(c, op);
    else if (!mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) && mlc_op_is_memory_effect_free(op) &&
             !has_live_result(c, op))
        erase(c, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (is_beyond_us(op)) { // as upstream, an error but no failure
            mlc_error(
                mlc_op_context(op), mlc_op_loc(op),
                "cannot optimize an IR with non-function symbol ops, non-call symbol user ops "
                "or branch ops\n");
            return true;
        }
    Cleaner c = {.solver = mlc_solver_create(root), .root = root};
    mlc_solver_add_constants(c.solver);
    mlc_solver_add_liveness(c.solver);
    mlc_solver_run(c.solver);
    MlcOpVec ops = {0}; // calls are left out: they are remade while their callee is cleaned
    MLC_FOR_EACH_POSTORDER (op, root)
        if (op != root && !mlc_op_interface(op, MLC_INTERFACE_CALL))
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++)
        clean(&c, ops.data[i]);
    for (size_t i = 0; i < c.stand_ins.size; i++)
        mlc_op_destroy(c.stand_ins.data[i]);
    mlc_vec_release(&ops);
    mlc_vec_release(&c.stand_ins);
    mlc_vec_release(&c.calls);
    mlc_solver_destroy(c.solver);
    return true;
}

MLC_PASS(remove_dead_values, .flag = "remove-dead-values", .summary = "Remove dead values",
         .run = run)

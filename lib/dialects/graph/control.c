// control.c -- graph.if, graph.loop and graph.scan: shapes, rules, canonicalisation, meanings.
//
// Bodies are on whole tensors, as what is around them, and read values from outside by name. What
// goes round keeps its shape: the type of a state is that of its initial value, and a body that
// yields another one is refused.
#include "mlc/dialects/graph_geometry.h"

#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/rewrite.h"

// ---- what the ops share

static MlcBlock *
body_of(const MlcOp *op, size_t region)
{
    return mlc_region_first(mlc_op_region(op, region));
}

static MlcOp *
yield_of(const MlcOp *op, size_t region)
{
    return mlc_block_last(body_of(op, region));
}

static bool
is_compatible(MlcType a, MlcType b)
{
    if (mlc_type_element(a) != mlc_type_element(b))
        return false;
    if (!mlc_type_has_rank(a) || !mlc_type_has_rank(b))
        return true;
    bool same = mlc_type_rank(a) == mlc_type_rank(b);
    for (size_t i = 0; same && i < mlc_type_rank(a); i++)
        same = mlc_type_dim(a, i) == mlc_type_dim(b, i) || mlc_type_dim(a, i) == MLC_DYNAMIC ||
               mlc_type_dim(b, i) == MLC_DYNAMIC;
    return same;
}

// What two types that are compatible know together.
static MlcType
join_types(MlcType a, MlcType b)
{
    MlcAttr sizes[MLC_SMALL_RANK];
    if (a == b || !mlc_type_has_rank(b))
        return a;
    if (!mlc_type_has_rank(a) || !mlc_type_has_small_rank(a))
        return b;
    for (size_t i = 0; i < mlc_type_rank(a); i++) {
        bool is_open = mlc_type_dim(a, i) == MLC_DYNAMIC;
        bool takes_b = is_open && (mlc_type_dim(b, i) != MLC_DYNAMIC || !mlc_size_of_dim(a, i));
        sizes[i] = mlc_size_of_dim(takes_b ? b : a, i);
    }
    return mlc_sized_type_get(mlc_type_element(a), sizes, mlc_type_rank(a));
}

MlcType
mlc_graph_scan_element_type(MlcType type)
{
    MlcAttr sizes[MLC_SMALL_RANK];
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) == 0)
        return mlc_unranked_tensor_type_get(mlc_type_element(type));
    for (size_t i = 1; i < mlc_type_rank(type); i++)
        sizes[i - 1] = mlc_size_of_dim(type, i);
    return mlc_sized_type_get(mlc_type_element(type), sizes, mlc_type_rank(type) - 1);
}

// So many elements of a type; NULL: nobody knows how many.
static MlcType
stacked_type(MlcType type, MlcAttr count)
{
    MlcAttr sizes[MLC_SMALL_RANK + 1] = {count};
    if (!mlc_type_has_small_rank(type))
        return mlc_unranked_tensor_type_get(mlc_type_element(type));
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        sizes[i + 1] = mlc_size_of_dim(type, i);
    return mlc_sized_type_get(mlc_type_element(type), sizes, mlc_type_rank(type) + 1);
}

// ---- the parts of a loop: what is carried, and what is one element of a result

typedef struct Parts {
    size_t first_init, num_carried; // operands
    size_t first_arg;               // of what is carried; a scan's elements come behind
    size_t first_yield;             // of what is carried; elements of results come behind
} Parts;

static Parts
parts_of(const MlcOp *op)
{
    Parts p = {0};
    bool is_loop = mlc_graph_loop_isa(op);
    mlc_op_operand_group(op, is_loop ? 2 : 0, &p.first_init, &p.num_carried);
    p.first_arg = is_loop ? 2 : 0;
    p.first_yield = is_loop ? 1 : 0;
    return p;
}

static size_t
num_inputs(const MlcOp *op)
{
    return mlc_graph_scan_isa(op) ? mlc_op_num_operands(op) - mlc_graph_scan_num_inits(op) : 0;
}

// Steps of a scan: what its inputs know together, NULL for nothing; false if they contradict.
static bool
scan_steps(const MlcOp *op, MlcAttr *steps)
{
    int64_t known = MLC_DYNAMIC;
    *steps = NULL;
    for (size_t i = mlc_graph_scan_num_inits(op); i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_value_type(mlc_op_operand(op, i));
        if (!mlc_type_has_rank(type))
            continue;
        if (mlc_type_rank(type) == 0)
            return false;
        int64_t dim = mlc_type_dim(type, 0);
        if (dim != MLC_DYNAMIC && known != MLC_DYNAMIC && dim != known)
            return false;
        if (!*steps || (dim != MLC_DYNAMIC && known == MLC_DYNAMIC))
            *steps = mlc_size_of_dim(type, 0);
        known = dim == MLC_DYNAMIC ? known : dim;
    }
    return true;
}

// The one element of a constant, behind ops that only hand it on.
static MlcAttr
known_element(MlcValue *value)
{
    MlcOp *def;
    while ((def = mlc_value_def(value)) && mlc_graph_identity_isa(def))
        value = mlc_op_operand(def, 0);
    MlcAttr constant = mlc_value_constant(value);
    if (!constant || mlc_type_num_elements(mlc_attr_type(constant)) != 1)
        return NULL;
    return mlc_elements_attr_element(constant, 0);
}

static bool
is_true(MlcValue *value)
{
    MlcAttr element = known_element(value);
    return element && mlc_attr_as_bool(element);
}

bool
mlc_graph_loop_is_counted(const MlcOp *op)
{
    MlcValue *next = mlc_op_operand(yield_of(op, 0), 0);
    for (MlcOp *def; (def = mlc_value_def(next)) && mlc_graph_identity_isa(def);)
        next = mlc_op_operand(def, 0);
    return is_true(mlc_graph_loop_condition(op)) &&
           (is_true(next) || next == mlc_block_arg(body_of(op, 0), 1));
}

bool
mlc_graph_loop_steps(const MlcOp *op, int64_t *steps)
{
    MlcAttr count = known_element(mlc_graph_loop_count(op));
    if (!count || !mlc_attr_try_as_int(count, steps) || !mlc_graph_loop_is_counted(op))
        return false;
    *steps = *steps < 0 ? 0 : *steps;
    return true;
}

// ---- shapes

static bool
infer_ops(MlcBlock *block)
{
    bool ok = true;
    MLC_FOR_EACH_OP (op, block) {
        const MlcInferShapes *shapes = mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES);
        ok &= !shapes || shapes->infer(op);
    }
    return ok;
}

static void
set_type(MlcValue *value, MlcType type)
{
    if (mlc_value_type(value) != type)
        mlc_value_set_type(value, type);
}

static bool
refine_result(MlcOp *op, size_t i, MlcType type)
{
    MlcValue *result = mlc_op_result(op, i);
    if (!is_compatible(mlc_value_type(result), type))
        return mlc_op_error(op, "result %zu has type %s, but its body makes it %s", i,
                            mlc_type_text(mlc_value_type(result)), mlc_type_text(type));
    set_type(result, join_types(mlc_value_type(result), type));
    return true;
}

static bool
infer_if(MlcOp *op)
{
    bool ok = infer_ops(body_of(op, 0));
    ok = infer_ops(body_of(op, 1)) && ok; // both, so that each branch's faults are told
    for (size_t i = 0; ok && i < mlc_op_num_results(op); i++) {
        MlcType a = mlc_value_type(mlc_op_operand(yield_of(op, 0), i));
        MlcType b = mlc_value_type(mlc_op_operand(yield_of(op, 1), i));
        if (mlc_type_element(a) != mlc_type_element(b))
            return mlc_op_error(op, "its branches give result %zu as %s and as %s", i,
                                mlc_type_text(a), mlc_type_text(b));
        if (!is_compatible(a, b))
            return mlc_op_unsupported(op,
                                      "its branches give result %zu as %s and as %s, of "
                                      "different shapes",
                                      i, mlc_type_text(a), mlc_type_text(b));
        ok = refine_result(op, i, join_types(a, b));
    }
    return ok;
}

// What is carried, behind the body's ops.
static bool
refine_carried(MlcOp *op, const Parts *p)
{
    for (size_t i = 0; i < p->num_carried; i++) {
        MlcType from = mlc_value_type(mlc_op_operand(op, p->first_init + i));
        MlcType to = mlc_value_type(mlc_op_operand(yield_of(op, 0), p->first_yield + i));
        if (mlc_type_element(from) != mlc_type_element(to))
            return mlc_op_error(op, "carried value %zu is of type %s at first and of type %s then",
                                i, mlc_type_text(from), mlc_type_text(to));
        if (!is_compatible(from, to))
            return mlc_op_unsupported(op, "carried value %zu changes its shape, from %s to %s", i,
                                      mlc_type_text(from), mlc_type_text(to));
        if (!refine_result(op, i, join_types(from, to)))
            return false;
    }
    return true;
}

static bool
refine_stacked(MlcOp *op, const Parts *p, MlcAttr steps)
{
    for (size_t i = p->num_carried; i < mlc_op_num_results(op); i++) {
        MlcType type = mlc_value_type(mlc_op_operand(yield_of(op, 0), p->first_yield + i));
        if (!refine_result(op, i, stacked_type(type, steps)))
            return false;
    }
    return true;
}

static void
set_carried_args(MlcOp *op, const Parts *p)
{
    for (size_t i = 0; i < p->num_carried; i++)
        set_type(mlc_block_arg(body_of(op, 0), p->first_arg + i),
                 mlc_value_type(mlc_op_operand(op, p->first_init + i)));
}

static bool
infer_loop(MlcOp *op)
{
    Parts p = parts_of(op);
    int64_t steps;
    set_carried_args(op, &p);
    return infer_ops(body_of(op, 0)) && refine_carried(op, &p) &&
           refine_stacked(op, &p,
                          mlc_graph_loop_steps(op, &steps)
                              ? mlc_size_number(mlc_op_context(op), steps)
                              : NULL);
}

static bool
infer_scan(MlcOp *op)
{
    Parts p = parts_of(op);
    MlcAttr steps;
    if (!scan_steps(op, &steps))
        return mlc_op_error(op, "its inputs have no first dimension of one size");
    set_carried_args(op, &p);
    for (size_t i = p.num_carried; i < mlc_op_num_operands(op); i++)
        set_type(mlc_block_arg(body_of(op, 0), i),
                 mlc_graph_scan_element_type(mlc_value_type(mlc_op_operand(op, i))));
    return infer_ops(body_of(op, 0)) && refine_carried(op, &p) && refine_stacked(op, &p, steps);
}

const MlcInferShapes mlc_graph_if_infer_shapes = {.infer = infer_if};
const MlcInferShapes mlc_graph_loop_infer_shapes = {.infer = infer_loop};
const MlcInferShapes mlc_graph_scan_infer_shapes = {.infer = infer_scan};

// ---- rules

static bool
check_one_element(MlcOp *op, const char *what, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return !mlc_type_has_rank(type) || !mlc_type_has_static_shape(type) ||
           mlc_type_num_elements(type) == 1 ||
           mlc_op_error(op, "%s has type %s, expected one element", what, mlc_type_text(type));
}

static bool
check_type(MlcOp *op, const char *what, size_t i, MlcType type, MlcType want)
{
    if (!mlc_type_is_shaped(type) || !is_compatible(type, want))
        return mlc_op_error(op, "%s %zu has type %s, expected %s", what, i, mlc_type_text(type),
                            mlc_type_text(want));
    return true;
}

static bool
check_yield(MlcOp *op, size_t region, size_t count)
{
    MlcOp *yield = yield_of(op, region);
    if (!yield || !mlc_graph_yield_isa(yield))
        return mlc_op_error(op, "expected 'graph.yield' at the end of region %zu", region);
    if (mlc_op_num_operands(yield) != count)
        return mlc_op_error(yield, "expected %zu operands, got %zu", count,
                            mlc_op_num_operands(yield));
    return true;
}

bool
mlc_graph_if_verify_regions(MlcOp *op)
{
    if (!check_one_element(op, "the condition", mlc_graph_if_condition(op)))
        return false;
    for (size_t r = 0; r < 2; r++) {
        if (!check_yield(op, r, mlc_op_num_results(op)))
            return false;
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            if (!check_type(yield_of(op, r), "operand", i,
                            mlc_value_type(mlc_op_operand(yield_of(op, r), i)),
                            mlc_value_type(mlc_op_result(op, i))))
                return false;
    }
    return true;
}

// Arguments and yields of a loop's body; `args` are the types of those that are not carried.
static bool
verify_body(MlcOp *op, const Parts *p)
{
    MlcBlock *body = body_of(op, 0);
    size_t num_args = p->first_arg + p->num_carried + num_inputs(op);
    if (mlc_block_num_args(body) != num_args)
        return mlc_op_error(op, "expected %zu block arguments, got %zu", num_args,
                            mlc_block_num_args(body));
    if (mlc_op_num_results(op) < p->num_carried)
        return mlc_op_error(op, "expected a result for each of %zu carried values, got %zu",
                            p->num_carried, mlc_op_num_results(op));
    if (!check_yield(op, 0, p->first_yield + mlc_op_num_results(op)))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType result = mlc_value_type(mlc_op_result(op, i));
        bool is_carried = i < p->num_carried;
        MlcType yielded = mlc_value_type(mlc_op_operand(yield_of(op, 0), p->first_yield + i));
        if (!check_type(yield_of(op, 0), "operand", p->first_yield + i, yielded,
                        is_carried ? result : mlc_graph_scan_element_type(result)))
            return false;
        if (is_carried &&
            (!check_type(op, "block argument", p->first_arg + i,
                         mlc_value_type(mlc_block_arg(body, p->first_arg + i)), result) ||
             !check_type(op, "result", i, result,
                         mlc_value_type(mlc_op_operand(op, p->first_init + i)))))
            return false;
    }
    return true;
}

bool
mlc_graph_loop_verify_regions(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    Parts p = parts_of(op);
    MlcType number =
        mlc_tensor_type_get(mlc_integer_type_get(ctx, 64, MLC_SIGNLESS), NULL, 0, NULL);
    MlcType truth = mlc_tensor_type_get(mlc_integer_type_get(ctx, 1, MLC_SIGNLESS), NULL, 0, NULL);
    if (!check_one_element(op, "the count", mlc_graph_loop_count(op)) ||
        !check_one_element(op, "the condition", mlc_graph_loop_condition(op)) ||
        !verify_body(op, &p))
        return false;
    MlcValue *next = mlc_op_operand(yield_of(op, 0), 0);
    return check_type(op, "block argument", 0, mlc_value_type(mlc_block_arg(body_of(op, 0), 0)),
                      number) &&
           check_type(op, "block argument", 1, mlc_value_type(mlc_block_arg(body_of(op, 0), 1)),
                      truth) &&
           (mlc_type_element(mlc_value_type(next)) == mlc_type_element(truth) ||
            check_type(yield_of(op, 0), "operand", 0, mlc_value_type(next), truth)) &&
           check_one_element(yield_of(op, 0), "the condition", next);
}

static bool
check_reversed(MlcOp *op, const char *name, size_t count)
{
    MlcAttr list = mlc_op_attr(op, name);
    return !list || mlc_int_list_attr_size(list) == count ||
           mlc_op_error(op, "'%s' has %zu entries, expected %zu", name,
                        mlc_int_list_attr_size(list), count);
}

bool
mlc_graph_scan_verify_regions(MlcOp *op)
{
    Parts p = parts_of(op);
    MlcAttr steps;
    if (num_inputs(op) == 0)
        return mlc_op_error(op, "expected at least one input");
    if (!scan_steps(op, &steps))
        return mlc_op_error(op, "its inputs have no first dimension of one size");
    if (!verify_body(op, &p) || !check_reversed(op, "input_reversed", num_inputs(op)) ||
        !check_reversed(op, "output_reversed", mlc_op_num_results(op) - p.num_carried))
        return false;
    for (size_t i = p.num_carried; i < mlc_op_num_operands(op); i++)
        if (!check_type(op, "block argument", i, mlc_value_type(mlc_block_arg(body_of(op, 0), i)),
                        mlc_graph_scan_element_type(mlc_value_type(mlc_op_operand(op, i)))))
            return false;
    return true;
}

bool
mlc_graph_scan_is_reversed(const MlcOp *op, const char *name, size_t i)
{
    int64_t value = 0;
    MlcAttr list = mlc_op_attr(op, name);
    return list && mlc_int_list_attr_get(list, i, &value) && value != 0;
}

// ---- canonicalisation

// if true { a } else { b } -> a
bool
mlc_graph_take_known_branch(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr condition = known_element(mlc_graph_if_condition(op));
    if (!condition)
        return false;
    size_t taken = mlc_attr_as_bool(condition) ? 0 : 1;
    MlcOp *yield = yield_of(op, taken);
    MlcValueVec values = {0};
    bool same = true;
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        mlc_vec_push(&values, mlc_op_operand(yield, i));
        same &= mlc_value_type(values.data[i]) == mlc_value_type(mlc_op_result(op, i));
    }
    if (same) {
        mlc_rewriter_erase(rw, yield);
        mlc_rewriter_inline_block(rw, body_of(op, taken), op, NULL);
        mlc_rewriter_replace(rw, op, values.data, values.size);
    }
    mlc_vec_release(&values);
    return same;
}

// ---- meanings

static bool
read_truth(MlcEval *e, const MlcDatum *tensor)
{
    MlcDatum element;
    mlc_datum_element(e, tensor, 0, &element);
    return mlc_datum_as_bool(&element);
}

bool
mlc_graph_if_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcRegion *region = mlc_op_region(op, read_truth(e, &operands[0]) ? 0 : 1);
    return mlc_eval_region(e, region, NULL, 0, results, mlc_op_num_results(op));
}

// Elements of a result, in a tensor that may have room for more.
typedef struct Stack {
    MlcDatum all;
    int64_t room, count;
} Stack;

static bool
grow(MlcEval *e, MlcOp *op, size_t result, Stack *stack, const MlcDatum *element, int64_t room)
{
    MlcType type = mlc_value_type(mlc_op_result(op, result));
    int64_t *shape = mlc_eval_alloc(e, (element->rank + 1) * sizeof *shape);
    MlcDatum all;
    shape[0] = room;
    for (size_t i = 0; i < element->rank; i++)
        shape[i + 1] = element->elements.shape[i];
    MlcType plain = mlc_unranked_tensor_type_get(mlc_type_element(type));
    if (!mlc_eval_elements_of_rank(e, op, plain, shape, element->rank + 1, &all))
        return false;
    if (stack->count)
        memcpy(all.elements.data, stack->all.elements.data,
               element->elements.num_bytes * (size_t)stack->count);
    stack->all = all;
    stack->room = room;
    return true;
}

static bool
push(MlcEval *e, MlcOp *op, size_t result, Stack *stack, const MlcDatum *element)
{
    if (stack->count == stack->room &&
        !grow(e, op, result, stack, element, stack->room ? 2 * stack->room : 8))
        return false;
    if (stack->count &&
        element->elements.num_bytes * (size_t)stack->room != stack->all.elements.num_bytes)
        return mlc_eval_error(e, op, "elements of result %zu differ in shape", result);
    memcpy((char *)stack->all.elements.data + element->elements.num_bytes * (size_t)stack->count++,
           element->elements.data, element->elements.num_bytes);
    return true;
}

// Without iterations the shape is the type's.
static bool
finish(MlcEval *e, MlcOp *op, size_t result, Stack *stack, bool reversed, MlcDatum *out)
{
    MlcType type = mlc_value_type(mlc_op_result(op, result));
    if (!stack->count && (!mlc_type_has_rank(type) || mlc_type_rank(type) == 0))
        return mlc_eval_error(e, op, "the rank of result %zu is not known", result);
    size_t rank = stack->count ? stack->all.rank : mlc_type_rank(type);
    int64_t *shape = mlc_eval_alloc(e, rank * sizeof *shape);
    for (size_t i = 0; i < rank; i++)
        shape[i] = stack->count ? stack->all.elements.shape[i] : mlc_type_dim(type, i);
    shape[0] = stack->count;
    for (size_t i = 1; i < rank; i++)
        if (shape[i] == MLC_DYNAMIC)
            return mlc_eval_error(e, op, "the shape of result %zu is not known", result);
    if (!mlc_eval_elements_of_rank(e, op, type, shape, rank, out))
        return false;
    if (stack->count == 0)
        return true;
    size_t bytes = out->elements.num_bytes / (size_t)stack->count;
    for (int64_t i = 0; i < stack->count; i++)
        memcpy((char *)out->elements.data + bytes * (size_t)i,
               (const char *)stack->all.elements.data +
                   bytes * (size_t)(reversed ? stack->count - 1 - i : i),
               bytes);
    return true;
}

static bool
push_all(MlcEval *e, MlcOp *op, const Parts *p, Stack *stacks, const MlcDatum *yielded)
{
    for (size_t i = p->num_carried; i < mlc_op_num_results(op); i++)
        if (!push(e, op, i, &stacks[i], &yielded[p->first_yield + i]))
            return false;
    return true;
}

// What goes on to the next iteration: the carried values, and the stacks.
static void
collect(MlcEval *e, MlcOp *op, const Parts *p, size_t mark, const Stack *stacks, MlcDatum *results)
{
    for (size_t i = p->num_carried; i < mlc_op_num_results(op); i++)
        results[i] = stacks[i].all;
    mlc_eval_collect(e, mark, results, mlc_op_num_results(op));
}

static bool
finish_all(MlcEval *e, MlcOp *op, const Parts *p, Stack *stacks, MlcDatum *results)
{
    for (size_t i = p->num_carried; i < mlc_op_num_results(op); i++) {
        bool reversed = mlc_graph_scan_is_reversed(op, "output_reversed", i - p->num_carried);
        if (!finish(e, op, i, &stacks[i], reversed, &results[i]))
            return false;
    }
    return true;
}

bool
mlc_graph_loop_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Parts p = parts_of(op);
    MlcBlock *body = body_of(op, 0);
    size_t num_results = mlc_op_num_results(op), num_args = 2 + p.num_carried;
    MlcDatum count, *args = mlc_eval_alloc(e, num_args * sizeof *args),
                    *yielded = mlc_eval_alloc(e, (1 + num_results) * sizeof *yielded);
    Stack *stacks = mlc_eval_alloc(e, (num_results + 1) * sizeof *stacks);
    bool goes_on = read_truth(e, &operands[1]);
    mlc_datum_element(e, &operands[0], 0, &count);
    memcpy(results, operands + 2, p.num_carried * sizeof *results);
    size_t mark = mlc_eval_mark(e);
    for (int64_t i = 0; goes_on && i < mlc_datum_as_int(&count); i++) {
        MlcDatum number =
            mlc_datum_int(mlc_type_element(mlc_value_type(mlc_block_arg(body, 0))), i);
        MlcDatum truth = mlc_datum_int(mlc_type_element(mlc_value_type(mlc_block_arg(body, 1))), 1);
        if (!mlc_eval_elements(e, op, mlc_value_type(mlc_block_arg(body, 0)), NULL, &args[0]) ||
            !mlc_eval_elements(e, op, mlc_value_type(mlc_block_arg(body, 1)), NULL, &args[1]))
            return false;
        mlc_datum_set_element(&args[0], 0, &number);
        mlc_datum_set_element(&args[1], 0, &truth);
        memcpy(args + 2, results, p.num_carried * sizeof *args);
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, num_args, yielded, 1 + num_results) ||
            !push_all(e, op, &p, stacks, yielded))
            return false;
        goes_on = read_truth(e, &yielded[0]);
        memcpy(results, yielded + 1, p.num_carried * sizeof *results);
        collect(e, op, &p, mark, stacks, results);
    }
    return finish_all(e, op, &p, stacks, results);
}

// Element `i` along the first dimension.
static bool
take_element(MlcEval *e, MlcOp *op, const MlcDatum *all, MlcType type, int64_t i, MlcDatum *out)
{
    if (!mlc_eval_elements_of_rank(e, op, type, all->elements.shape + 1, all->rank - 1, out))
        return false;
    memcpy(out->elements.data,
           (const char *)all->elements.data + out->elements.num_bytes * (size_t)i,
           out->elements.num_bytes);
    return true;
}

bool
mlc_graph_scan_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Parts p = parts_of(op);
    MlcBlock *body = body_of(op, 0);
    size_t num_results = mlc_op_num_results(op), num_args = mlc_op_num_operands(op);
    MlcDatum *args = mlc_eval_alloc(e, (num_args + num_results) * sizeof *args),
             *yielded = args + num_args;
    Stack *stacks = mlc_eval_alloc(e, (num_results + 1) * sizeof *stacks);
    int64_t steps = operands[p.num_carried].elements.shape[0];
    for (size_t i = p.num_carried; i < num_args; i++)
        if (operands[i].rank == 0 || operands[i].elements.shape[0] != steps)
            return mlc_eval_error(e, op, "has inputs of different numbers of steps");
    memcpy(results, operands, p.num_carried * sizeof *results);
    size_t mark = mlc_eval_mark(e);
    for (int64_t t = 0; t < steps; t++) {
        memcpy(args, results, p.num_carried * sizeof *args);
        for (size_t i = p.num_carried; i < num_args; i++) {
            bool reversed = mlc_graph_scan_is_reversed(op, "input_reversed", i - p.num_carried);
            if (!take_element(e, op, &operands[i], mlc_value_type(mlc_block_arg(body, i)),
                              reversed ? steps - 1 - t : t, &args[i]))
                return false;
        }
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, num_args, yielded, num_results) ||
            !push_all(e, op, &p, stacks, yielded))
            return false;
        memcpy(results, yielded, p.num_carried * sizeof *results);
        collect(e, op, &p, mark, stacks, results);
    }
    return finish_all(e, op, &p, stacks, results);
}

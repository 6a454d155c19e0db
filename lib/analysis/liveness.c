// liveness.c -- which values are needed after each op: a dense backward analysis.
//
// Its element is a list of value numbers in ascending order, which never changes once it is made.
// Ops need their operands and what their regions use from around them, and make their results.
#include "mlc/analysis.h"
#include "mlc/analysis/dataflow.h"
#include "mlc/support/alloc.h"
#include "mlc/support/map.h"

typedef struct Live {
    size_t size;
    const uint32_t *numbers;
    bool is_reached;
} Live;

struct MlcLiveness {
    MlcSolver *solver;
    MlcFlow *flow;
    MlcMap numbers; // value -> its number
    MlcValueVec values;
};

typedef MLC_VEC(uint32_t) Numbers;

static void
number_value(MlcLiveness *l, MlcValue *value)
{
    mlc_map_set_u64(&l->numbers, (uint64_t)(uintptr_t)value, l->values.size);
    mlc_vec_push(&l->values, value);
}

static void
number_values(MlcLiveness *l, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        for (size_t i = 0; op != root && i < mlc_op_num_results(op); i++)
            number_value(l, mlc_op_result(op, i));
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                number_value(l, mlc_block_arg(block, i));
    }
}

// False: a value from around the root.
static bool
number_of(const MlcLiveness *l, const MlcValue *value, uint32_t *number)
{
    uint64_t found;
    if (!mlc_map_get_u64(&l->numbers, (uint64_t)(uintptr_t)value, &found))
        return false;
    *number = (uint32_t)found;
    return true;
}

static size_t
place_of(const Numbers *set, uint32_t number)
{
    size_t low = 0, high = set->size;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (set->data[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
insert(const MlcLiveness *l, Numbers *set, const MlcValue *value)
{
    uint32_t number;
    if (!number_of(l, value, &number))
        return;
    size_t at = place_of(set, number);
    if (at < set->size && set->data[at] == number)
        return;
    mlc_vec_push(set, 0);
    memmove(set->data + at + 1, set->data + at, (set->size - 1 - at) * sizeof *set->data);
    set->data[at] = number;
}

static void
take_out(const MlcLiveness *l, Numbers *set, const MlcValue *value)
{
    uint32_t number;
    size_t at = number_of(l, value, &number) ? place_of(set, number) : set->size;
    if (at == set->size || set->data[at] != number)
        return;
    memmove(set->data + at, set->data + at + 1, (set->size - 1 - at) * sizeof *set->data);
    set->size--;
}

static void
read_set(const Live *live, Numbers *set)
{
    for (size_t i = 0; i < live->size; i++)
        mlc_vec_push(set, live->numbers[i]);
}

// Releases the set.
static void
write_set(MlcFlow *flow, Numbers *set, Live *live)
{
    uint32_t *numbers = MLC_NEW_ARRAY(mlc_flow_arena(flow), uint32_t, set->size + 1);
    if (set->size)
        memcpy(numbers, set->data, set->size * sizeof *numbers);
    *live = (Live){set->size, numbers, true};
    mlc_vec_release(set);
}

static bool
join(MlcFlow *flow, void *into, const void *from)
{
    Live *a = into;
    const Live *b = from;
    Numbers both = {0};
    for (size_t i = 0, j = 0; i < a->size || j < b->size;) {
        bool from_a = j == b->size || (i < a->size && a->numbers[i] <= b->numbers[j]);
        uint32_t number = from_a ? a->numbers[i] : b->numbers[j];
        mlc_vec_push(&both, number);
        i += i < a->size && a->numbers[i] == number;
        j += j < b->size && b->numbers[j] == number;
    }
    bool changed = both.size > a->size || (b->is_reached && !a->is_reached);
    if (changed)
        write_set(flow, &both, a);
    mlc_vec_release(&both);
    return changed;
}

// After the last op of a function nothing is needed.
static void
nothing_live(MlcFlow *flow, void *element)
{
    (void)flow;
    *(Live *)element = (Live){.is_reached = true};
}

static void
visit_op_alone(MlcFlow *flow, MlcOp *op, const void *from, void *into)
{
    const MlcLiveness *l = mlc_flow_user(flow);
    Numbers set = {0};
    read_set(from, &set);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        take_out(l, &set, mlc_op_result(op, i));
    MLC_FOR_EACH_OPERAND (value, op)
        insert(l, &set, value);
    write_set(flow, &set, into);
}

// What regions use from around the op is needed before it.
static void
visit(MlcFlow *flow, MlcOp *op, const void *from, void *into)
{
    const MlcLiveness *l = mlc_flow_user(flow);
    visit_op_alone(flow, op, from, into);
    if (mlc_op_num_regions(op) == 0)
        return;
    Numbers set = {0};
    read_set(into, &set);
    MLC_FOR_EACH_PREORDER (inner, op)
        MLC_FOR_EACH_OPERAND (value, inner)
            if (!mlc_value_is_inside(value, op))
                insert(l, &set, value);
    write_set(flow, &set, into);
}

// What is made where the edge leads is not needed before.
static void
visit_edge(MlcFlow *flow, MlcOp *op, MlcBlock *block, const void *from, void *into)
{
    Numbers set = {0};
    size_t n = block ? mlc_block_num_args(block) : mlc_op_num_results(op);
    read_set(from, &set);
    for (size_t i = 0; i < n; i++)
        take_out(mlc_flow_user(flow), &set, block ? mlc_block_arg(block, i) : mlc_op_result(op, i));
    write_set(flow, &set, into);
}

static const MlcDense definition = {
    .name = "liveness",
    .size = sizeof(Live),
    .join = join,
    .unknown = nothing_live,
    .visit = visit,
    .visit_regions_op = visit_op_alone,
    .visit_edge = visit_edge,
};

MlcLiveness *
mlc_liveness_create(MlcOp *root)
{
    MlcLiveness *l = mlc_calloc(1, sizeof *l);
    mlc_map_init(&l->numbers);
    number_values(l, root);
    l->solver = mlc_solver_create(root);
    l->flow = mlc_solver_add_dense_backward(l->solver, &definition, l);
    mlc_solver_run(l->solver);
    return l;
}

void
mlc_liveness_destroy(MlcLiveness *l)
{
    mlc_solver_destroy(l->solver);
    mlc_map_release(&l->numbers);
    mlc_vec_release(&l->values);
    mlc_free(l);
}

void
mlc_liveness_in(const MlcLiveness *l, const MlcBlock *block, MlcValueVec *out)
{
    MlcOp *first = mlc_block_first(block);
    const Live *live = first ? mlc_flow_before(l->flow, first) : NULL;
    for (size_t i = 0; live && i < live->size; i++)
        if (mlc_value_block(l->values.data[live->numbers[i]]) != block)
            mlc_vec_push(out, l->values.data[live->numbers[i]]);
}

void
mlc_liveness_out(const MlcLiveness *l, const MlcBlock *block, MlcValueVec *out)
{
    MlcOp *last = mlc_block_last(block);
    const Live *live = last ? mlc_flow_after(l->flow, last) : NULL;
    for (size_t i = 0; live && i < live->size; i++)
        mlc_vec_push(out, l->values.data[live->numbers[i]]);
}

bool
mlc_liveness_is_live_after(const MlcLiveness *l, const MlcValue *value, const MlcOp *op)
{
    const Live *live = mlc_flow_after(l->flow, op);
    uint32_t number;
    if (!live || !number_of(l, value, &number))
        return false;
    for (size_t i = 0; i < live->size; i++)
        if (live->numbers[i] == number)
            return true;
    return false;
}

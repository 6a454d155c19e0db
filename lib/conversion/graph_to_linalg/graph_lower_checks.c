// graph_lower_checks.c -- assertions: indices within their data, divisors not 0, numbers as
// expected.
//
// One reduction over all of them, before the loops that rely on it: whether any is wrong, gathered
// by `or` in an integer as wide as they are, so that it takes two or three vector instructions for
// as many as a register holds and no branch. Then cf.assert, outside of all loops: what follows in
// the kernel does not run unless it holds (assert-to-runtime), so it needs no clamps and no second
// check.
#include "graph_lower.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/tensor.h"
#include "mlc/support/map.h"

#include <stdarg.h>

enum { MIN_SHARED = 1 << 14 }; // elements: some microseconds

static void
keep_last(MlcStr name, void *user)
{
    *(MlcStr *)user = name;
}

// "node 'emb' (gather): " and what is wrong.
MLC_PRINTF(3, 4)
static void
assert_that(MlcGraphLower *l, MlcValue *condition, const char *format, ...)
{
    MlcBuilder *b = &l->b;
    MlcBuf text = {0};
    MlcStr node = {0}, op = mlc_op_name(l->op);
    MlcAttr name = mlc_op_attr(l->op, MLC_GRAPH_NODE);
    mlc_loc_visit_names(mlc_op_loc(l->op), keep_last, &node);
    if (mlc_attr_is(name, MLC_ATTR_STRING))
        node = mlc_string_attr_value(name);
    if (node.size)
        mlc_buf_printf(&text, "node '%.*s' (", MLC_STR_FMT(node));
    const char *dot = memchr(op.data, '.', op.size);
    size_t prefix = dot ? (size_t)(dot - op.data) + 1 : 0;
    mlc_buf_append(&text, op.data + prefix, op.size - prefix);
    mlc_buf_append_c(&text, node.size ? "): " : ": ");
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    mlc_cf_assert(b, condition, mlc_buf_str(&text));
    mlc_buf_release(&text);
}

// How many iterations of the first loop are worth sharing out between threads; 0: it is the only
// loop, or all of them take no time.
static int64_t
rows_to_share(const MlcGeneric *g)
{
    int64_t sizes[MLC_BUILD_RANK] = {0}, product = 1;
    for (size_t i = 0; i < g->num_inputs; i++)
        for (size_t k = 0; k < mlc_affine_map_num_results(g->maps[i]); k++)
            sizes[mlc_affine_position(mlc_affine_map_result(g->maps[i], k))] =
                mlc_type_dim(mlc_value_type(g->inputs[i]), k);
    for (size_t i = 0; i < g->num_loops; i++) {
        bool is_large =
            sizes[i] == MLC_DYNAMIC || __builtin_mul_overflow(product, sizes[i], &product);
        if (is_large)
            return 0;
    }
    return g->num_loops > 1 && product >= MIN_SHARED ? sizes[0] : 0;
}

static MlcValue *
either(MlcBuilder *b, MlcValue *const *args, void *user)
{
    (void)user;
    return mlc_arith_ori(b, args[1], args[0]);
}

// A reduction of all loops into one `element`, 0 at first; true if it is still 0 at the end. Of
// many elements one for each row comes first.
static MlcValue *
build_none(MlcGraphLower *l, MlcGeneric *g, MlcType element)
{
    char iterators[MLC_BUILD_RANK];
    MlcBuilder *b = &l->b;
    MlcTensorShape rows = {.dims = {rows_to_share(g)}};
    rows.rank = rows.dims[0] > 0;
    memset(iterators, 'r', sizeof iterators);
    if (rows.rank)
        iterators[0] = 'p';
    g->iterators = iterators;
    g->output = mlc_build_filled(&l->b, &rows, element, 0);
    g->maps[g->num_inputs] =
        mlc_map_of_loops(l->b.ctx, (unsigned)g->num_loops, (unsigned[]){0}, rows.rank);
    MlcValue *any = build_generic(l, g);
    if (rows.rank) {
        MlcGeneric join = {.inputs = {any},
                           .num_inputs = 1,
                           .maps = {identity_map(l, 1), mlc_map_of_loops(l->b.ctx, 1, NULL, 0)},
                           .num_loops = 1,
                           .iterators = "r",
                           .output = mlc_build_filled(&l->b, &(MlcTensorShape){0}, element, 0),
                           .make = either};
        any = build_generic(l, &join);
    }
    any = mlc_tensor_extract(b, any, NULL, 0);
    return mlc_arith_cmpi(b, any, mlc_build_int(b, element, 0), MLC_ARITH_CMPI_PREDICATE_EQ);
}

// What the body of such a reduction yields.
static MlcValue *
also_if(MlcBuilder *b, MlcValue *any, MlcValue *is_wrong)
{
    MlcValue *bits = mlc_arith_extsi(b, mlc_value_type(any), is_wrong);
    return mlc_arith_ori(b, any, bits);
}

// ---- indices

typedef struct IndexCheck {
    MlcGraphLower *l;
    MlcType type;        // in which they are compared
    size_t first, count; // dimensions that are indexed
} IndexCheck;

static MlcValue *
size_as(IndexCheck *check, MlcBuilder *b, size_t i)
{
    MlcType data = mlc_value_type(operand(check->l, 0));
    int64_t size = mlc_type_dim(data, check->first + i);
    if (size != MLC_DYNAMIC)
        return mlc_build_int(b, check->type, size);
    MlcValue *dim = mlc_build_dim(b, operand(check->l, 0), check->first + i);
    return mlc_arith_index_cast(b, check->type, dim);
}

// Not in [-size, size), by one comparison: index + size >= 2 * size, unsigned.
static MlcValue *
is_outside(MlcBuilder *b, MlcValue *const *args, void *user)
{
    IndexCheck *check = user;
    MlcValue *index = args[0], *size = size_as(check, b, 0);
    for (size_t i = 1; i < check->count; i++) {
        MlcValue *place = mlc_linalg_index(b, (int64_t)(rank_of(operand(check->l, 1)) - 1));
        MlcValue *is_this =
            mlc_arith_cmpi(b, place, mlc_build_index(b, (int64_t)i), MLC_ARITH_CMPI_PREDICATE_EQ);
        size = mlc_build_select(b, is_this, size_as(check, b, i), size);
    }
    if (mlc_value_type(index) != check->type)
        index = mlc_arith_extsi(b, check->type, index);
    MlcValue *from_start = mlc_arith_addi(b, index, size);
    MlcValue *twice = mlc_arith_addi(b, size, size);
    return also_if(b, args[1], mlc_arith_cmpi(b, from_start, twice, MLC_ARITH_CMPI_PREDICATE_UGE));
}

// Of i32 where it holds twice every size, else i64.
static MlcType
compared_type(MlcGraphLower *l, const IndexCheck *check)
{
    MlcType type = mlc_type_element(mlc_value_type(operand(l, 1)));
    bool fits = mlc_type_bit_width(type) == 32;
    for (size_t i = 0; i < check->count; i++) {
        int64_t size = mlc_type_dim(mlc_value_type(operand(l, 0)), check->first + i);
        fits &= size != MLC_DYNAMIC && size <= INT32_MAX;
    }
    return fits ? type : mlc_integer_type_get(l->b.ctx, 64, MLC_SIGNLESS);
}

void
mlc_graph_lower_check_indices(MlcGraphLower *l)
{
    int64_t wrong;
    IndexCheck check = {.l = l};
    if (mlc_graph_range(l->op, &wrong) == MLC_GRAPH_IN_RANGE)
        return;
    check.count = mlc_graph_indexed_dims(l->op, &check.first);
    check.type = compared_type(l, &check);
    size_t rank = rank_of(operand(l, 1));
    MlcGeneric g = {.inputs = {operand(l, 1)},
                    .num_inputs = 1,
                    .maps = {identity_map(l, rank)},
                    .num_loops = rank,
                    .make = is_outside,
                    .user = &check};
    MlcValue *none = build_none(l, &g, check.type);
    int64_t size = mlc_type_dim(mlc_value_type(operand(l, 0)), check.first);
    if (size == 0)
        assert_that(l, none, "an index, where there are no elements");
    else if (check.count == 1 && size != MLC_DYNAMIC)
        assert_that(l, none, "an index is outside of [%lld, %lld]", (long long)-size,
                    (long long)size - 1);
    else
        assert_that(l, none, "an index is outside of its dimension");
}

// ---- numbers

MlcValue *
mlc_graph_lower_expect(MlcGraphLower *l)
{
    MlcBuilder *b = &l->b;
    MlcValue *index[MLC_BUILD_RANK], *zero = mlc_build_index(b, 0), *value = operand(l, 1);
    int64_t expected = mlc_graph_expect_expected(l->op);
    for (size_t i = 0; i < rank_of(value); i++)
        index[i] = zero;
    value = mlc_tensor_extract(b, value, index, rank_of(value));
    MlcValue *number = mlc_build_int(b, mlc_value_type(value), expected);
    MlcStr what = mlc_graph_expect_what(l->op);
    MlcValue *holds = mlc_arith_cmpi(b, value, number, MLC_ARITH_CMPI_PREDICATE_EQ);
    if (bool_attr(l, "is_whole"))
        assert_that(l, holds, "%.*s", MLC_STR_FMT(what));
    else
        assert_that(l, holds, "%.*s is not %lld, as the model declares", MLC_STR_FMT(what),
                    (long long)expected);
    return operand(l, 0);
}

// ---- divisors

// What a body computes its divisors from.
typedef struct DivisorCheck {
    MlcBlock *body;
    MlcValueVec divisors;
    MlcMap needed; // values of the body
    size_t inputs[MLC_BUILD_MAX_INPUTS], num_inputs;
} DivisorCheck;

static bool
divides_integers(MlcOp *op)
{
    return mlc_arith_divsi_isa(op) || mlc_arith_divui_isa(op) || mlc_arith_remsi_isa(op) ||
           mlc_arith_remui_isa(op);
}

static void
find_divisors(MlcOp *generic, DivisorCheck *check)
{
    int64_t constant;
    check->body = mlc_region_first(mlc_op_region(generic, 0));
    MLC_FOR_EACH_OP (op, check->body)
        if (divides_integers(op) &&
            (!mlc_value_constant_int(mlc_op_operand(op, 1), &constant) || constant == 0))
            mlc_vec_push(&check->divisors, mlc_op_operand(op, 1));
    for (size_t i = 0; i < check->divisors.size; i++)
        mlc_map_set(&check->needed, check->divisors.data[i], check->divisors.data[i]);
    for (MlcOp *op = mlc_block_last(check->body); op; op = mlc_op_prev(op))
        if (mlc_op_num_results(op) == 1 && mlc_map_has(&check->needed, mlc_op_result(op, 0)))
            MLC_FOR_EACH_OPERAND (value, op)
                mlc_map_set(&check->needed, value, value);
    for (size_t i = 0; i + 1 < mlc_block_num_args(check->body); i++)
        if (mlc_map_has(&check->needed, mlc_block_arg(check->body, i)))
            check->inputs[check->num_inputs++] = i;
}

static MlcValue *
is_zero(MlcBuilder *b, MlcValue *const *args, void *user)
{
    DivisorCheck *check = user;
    MlcCloneMap *map = mlc_clone_map_create();
    MlcValue *any = args[check->num_inputs];
    for (size_t i = 0; i < check->num_inputs; i++)
        mlc_clone_map_set(map, mlc_block_arg(check->body, check->inputs[i]), args[i]);
    MLC_FOR_EACH_OP (op, check->body)
        if (mlc_op_num_results(op) == 1 && mlc_map_has(&check->needed, mlc_op_result(op, 0)))
            mlc_builder_insert(b, mlc_op_clone(op, map));
    for (size_t i = 0; i < check->divisors.size; i++) {
        MlcValue *divisor = mlc_clone_map_get(map, check->divisors.data[i]);
        MlcValue *zero = mlc_build_int(b, mlc_value_type(divisor), 0);
        any = also_if(b, any, mlc_arith_cmpi(b, divisor, zero, MLC_ARITH_CMPI_PREDICATE_EQ));
    }
    mlc_clone_map_destroy(map);
    return any;
}

// The inputs with their maps, in the loops alone that these run along.
static void
set_inputs(MlcGraphLower *l, MlcOp *generic, const MlcGeneric *of, DivisorCheck *check,
           MlcGeneric *g)
{
    unsigned loops[MLC_BUILD_RANK], place[MLC_BUILD_RANK];
    bool used[MLC_BUILD_RANK] = {false};
    for (size_t i = 0; i < check->num_inputs; i++) {
        MlcAffineMap map = of->maps[check->inputs[i]];
        for (size_t k = 0; k < mlc_affine_map_num_results(map); k++)
            used[mlc_affine_position(mlc_affine_map_result(map, k))] = true;
    }
    for (size_t i = 0; i < of->num_loops; i++)
        place[i] = (unsigned)(used[i] ? g->num_loops++ : 0);
    for (size_t i = 0; i < check->num_inputs; i++) {
        MlcAffineMap map = of->maps[check->inputs[i]];
        size_t rank = mlc_affine_map_num_results(map);
        for (size_t k = 0; k < rank; k++)
            loops[k] = place[mlc_affine_position(mlc_affine_map_result(map, k))];
        g->inputs[i] = mlc_op_operand(generic, check->inputs[i]);
        g->maps[i] = mlc_map_of_loops(l->b.ctx, (unsigned)g->num_loops, loops, rank);
    }
    g->num_inputs = check->num_inputs;
}

void
mlc_graph_lower_check_divisors(MlcGraphLower *l, MlcOp *generic, const MlcGeneric *of)
{
    int64_t wrong;
    DivisorCheck check = {0};
    if (mlc_graph_range(l->op, &wrong) == MLC_GRAPH_IN_RANGE)
        return;
    mlc_map_init(&check.needed);
    find_divisors(generic, &check);
    if (check.divisors.size) {
        MlcBuilder saved = l->b;
        MlcGeneric g = {.make = is_zero, .user = &check};
        mlc_builder_before(&l->b, generic);
        set_inputs(l, generic, of, &check, &g);
        MlcValue *none = build_none(l, &g, mlc_value_type(check.divisors.data[0]));
        assert_that(l, none, "divides by 0");
        l->b = saved;
    }
    mlc_vec_release(&check.divisors);
    mlc_map_release(&check.needed);
}

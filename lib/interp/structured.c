// structured.c -- the meaning of structured ops: loops over the operands' maps, and the body at
// each point.
//
// Loops run in the order of the op's dimensions, the last fastest, so sums come in a fixed order.
// Maps that are linear cost a few additions per point; bodies of common ops run as register
// programs (program.c), other bodies as the ops they are.
#include "mlc/interp.h"

#include <assert.h>

#include "interp_impl.h"

#include "mlc/support/alloc.h"
#include "mlc/support/map.h"
#include "mlc/support/strided.h"
#include "program.h"

// An operand, as the loops see it: an element's address at a point is base + bytes * (start + sum
// of steps).
typedef struct Access {
    MlcAffineMap map;
    MlcType type; // of the elements
    Element element;
    char *base;
    size_t bytes, rank;
    const int64_t *sizes; // per dimension
    const int64_t *strides;
    bool is_linear;
    int64_t start;
    int64_t steps[MLC_RANK_LIMIT]; // elements per iteration of each loop
    int64_t at;                    // the position at the current point
} Access;

typedef struct Nest {
    MlcEval *e;
    MlcOp *op;
    size_t num_loops, num_inputs, num_operands;
    int64_t sizes[MLC_RANK_LIMIT];
    int64_t index[MLC_RANK_LIMIT];
    Access *accesses;
    MlcBlock *body;
} Nest;

// --- operands

static int64_t *
packed_strides(MlcEval *e, const int64_t *sizes, size_t rank)
{
    int64_t *strides = mlc_eval_alloc(e, (rank + 1) * sizeof *strides), stride = 1;
    for (size_t i = rank; i-- > 0; stride *= sizes[i])
        strides[i] = stride;
    return strides;
}

// The bytes of a memref from its first element on; checked to its last.
static bool
open_memref(MlcEval *e, MlcOp *op, const MlcDatum *d, Access *a)
{
    int64_t low = d->memref.offset, high = d->memref.offset;
    for (size_t i = 0; i < d->rank; i++) {
        int64_t span = (d->memref.sizes[i] - 1) * d->memref.strides[i];
        if (d->memref.sizes[i] == 0) {
            a->base = NULL;
            return true; // no points
        }
        low += span < 0 ? span : 0;
        high += span > 0 ? span : 0;
    }
    int64_t bytes = (int64_t)a->bytes;
    char *first = mlc_eval_buffer_data(e, op, d->memref.buffer, low * bytes,
                                       (size_t)((high - low + 1) * bytes));
    if (!first)
        return false;
    a->base = first + (d->memref.offset - low) * bytes;
    return true;
}

static bool
open_access(Nest *nest, size_t i, const MlcDatum *d)
{
    Access *a = &nest->accesses[i];
    a->map = mlc_structured_map(nest->op, i);
    a->type = mlc_type_element(d->type);
    a->rank = d->rank;
    if (mlc_datum_is_elements(d)) {
        a->bytes = mlc_datum_element_bytes(d);
        a->base = d->elements.data;
        a->sizes = d->elements.shape;
        a->strides = packed_strides(nest->e, a->sizes, a->rank);
    } else if (mlc_datum_is_memref(d)) {
        a->bytes = mlc_datum_element_bytes(d);
        a->sizes = d->memref.sizes;
        a->strides = d->memref.strides;
        if (i >= nest->num_inputs && mlc_eval_is_folding(nest->e))
            return false;
        if (!open_memref(nest->e, nest->op, d, a))
            return false;
    } else {
        if (!mlc_type_is_int_or_index(d->type) && !mlc_type_is_float(d->type))
            return mlc_eval_error(nest->e, nest->op,
                                  "operand #%zu is of a type that the interpreter does not know",
                                  i);
        a->rank = 0;
        a->bytes = mlc_elements_attr_element_bytes(d->type);
        a->base = mlc_eval_alloc(nest->e, a->bytes + 16);
        mlc_datum_write(a->base, d);
        return true; // its map may name dimensions or not: there is one element
    }
    return true;
}

// --- loops

static bool
find_sizes(Nest *nest)
{
    for (size_t l = 0; l < nest->num_loops; l++)
        nest->sizes[l] = -1;
    for (size_t i = 0; i < nest->num_operands; i++) {
        const Access *a = &nest->accesses[i];
        for (size_t r = 0; r < a->rank; r++) {
            MlcAffineExpr expr = mlc_affine_map_result(a->map, r);
            if (mlc_affine_kind(expr) != MLC_AFFINE_DIM)
                continue;
            unsigned l = mlc_affine_position(expr);
            if (nest->sizes[l] >= 0 && nest->sizes[l] != a->sizes[r])
                return mlc_eval_error(
                    nest->e, nest->op,
                    "dimension %zu of operand #%zu has size %lld, others have %lld", r, i,
                    (long long)a->sizes[r], (long long)nest->sizes[l]);
            nest->sizes[l] = a->sizes[r];
        }
    }
    return true; // each loop has a size: the maps have an inverse
}

static bool
is_inside(Nest *nest, size_t operand, size_t dim, int64_t low, int64_t high)
{
    int64_t size = nest->accesses[operand].sizes[dim];
    if (low >= 0 && high < size)
        return true;
    return mlc_eval_error(
        nest->e, nest->op,
        "reaches from %lld to %lld in dimension %zu of operand #%zu, which has %lld",
        (long long)low, (long long)high, dim, operand, (long long)size);
}

// Start and steps from the linear parts, bounds checked at the corners; where a map is not linear,
// each point is checked.
static bool
linearise(Nest *nest, size_t operand)
{
    Access *a = &nest->accesses[operand];
    unsigned num_dims = mlc_affine_map_num_dims(a->map),
             num_symbols = mlc_affine_map_num_symbols(a->map);
    int64_t *coeffs = mlc_eval_alloc(nest->e, (num_dims + num_symbols + 1) * sizeof *coeffs);
    a->is_linear = true;
    for (size_t r = 0; r < a->rank; r++) {
        if (!mlc_affine_linear(mlc_affine_map_result(a->map, r), num_dims, num_symbols, coeffs)) {
            a->is_linear = false;
            return true;
        }
        int64_t low = coeffs[num_dims + num_symbols], high = low;
        a->start += low * a->strides[r];
        for (size_t l = 0; l < nest->num_loops && l < num_dims; l++) {
            int64_t span = coeffs[l] * (nest->sizes[l] - 1);
            low += span < 0 ? span : 0;
            high += span > 0 ? span : 0;
            a->steps[l] += coeffs[l] * a->strides[r];
        }
        if (!is_inside(nest, operand, r, low, high))
            return false;
    }
    return true;
}

// The element's position at the current point, from scratch.
static bool
locate(Nest *nest, size_t operand)
{
    Access *a = &nest->accesses[operand];
    if (a->is_linear) {
        a->at = a->start;
        for (size_t l = 0; l < nest->num_loops; l++)
            a->at += a->steps[l] * nest->index[l];
        return true;
    }
    int64_t results[MLC_RANK_LIMIT];
    if (a->rank > MLC_RANK_LIMIT || !mlc_affine_map_eval(a->map, nest->index, results))
        return mlc_eval_error(nest->e, nest->op, "has a map that cannot be evaluated");
    a->at = 0;
    for (size_t r = 0; r < a->rank; r++) {
        if (!is_inside(nest, operand, r, results[r], results[r]))
            return false;
        a->at += results[r] * a->strides[r];
    }
    return true;
}

static bool
locate_all(Nest *nest)
{
    for (size_t i = 0; i < nest->num_operands; i++)
        if (!locate(nest, i))
            return false;
    return true;
}

// --- bodies

static char *
place(const Access *a)
{
    return a->base + a->at * (int64_t)a->bytes;
}

// The innermost loop of out = out + a * b, the heart of matrix products and convolutions.
static void
run_multiply_adds(Nest *nest, int64_t count)
{
    Access *a = &nest->accesses[0], *b = &nest->accesses[1], *out = &nest->accesses[2];
    size_t last = nest->num_loops - 1;
    const char *x = place(a), *y = place(b);
    char *at = place(out);
    int64_t x_step = a->steps[last], y_step = b->steps[last],
            sum_step = out->steps[last] * (int64_t)sizeof(float);
    for (int64_t i = 0; i < count; i++, at += sum_step) {
        float product =
            (float)((double)mlc_f32_at(x, i * x_step) * (double)mlc_f32_at(y, i * y_step));
        float sum = (float)((double)mlc_f32_at(at, 0) + (double)product);
        memcpy(at, &sum, sizeof sum);
    }
}

static void
run_points(Nest *nest, Program *program, int64_t count)
{
    size_t last = nest->num_loops ? nest->num_loops - 1 : 0, num_inputs = nest->num_inputs;
    size_t num_args = mlc_block_num_args(nest->body);
    for (int64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < num_args; k++)
            element_load(&nest->accesses[k].element, place(&nest->accesses[k]),
                         &program->registers.data[k]);
        if (nest->num_loops)
            nest->index[last] = i;
        program_run(program, nest->index);
        for (size_t k = num_inputs; k < nest->num_operands; k++)
            element_store(&nest->accesses[k].element, place(&nest->accesses[k]),
                          &program->registers.data[program->results.data[k - num_inputs]]);
        for (size_t k = 0; k < nest->num_operands; k++)
            nest->accesses[k].at += nest->accesses[k].steps[last];
    }
    if (nest->num_loops)
        nest->index[last] = 0;
}

// What a value of the body is: made by the body, or from around it.
static bool
value_of(Nest *nest, const MlcMap *values, MlcValue *value, MlcDatum *out)
{
    const MlcDatum *d = mlc_map_get(values, value);
    d = d ? d : mlc_eval_lookup(nest->e, value);
    if (d)
        *out = *d;
    return d != NULL;
}

static bool
run_body_op(Nest *nest, MlcMap *values, MlcOp *op)
{
    size_t num_operands = mlc_op_num_operands(op), num_results = mlc_op_num_results(op);
    MlcDatum *operands =
        mlc_eval_alloc(nest->e, (num_operands + num_results + 1) * sizeof *operands);
    MlcDatum *results = operands + num_operands;
    for (size_t i = 0; i < num_operands; i++)
        if (!value_of(nest, values, mlc_op_operand(op, i), &operands[i]))
            return false;
    for (size_t i = 0; i < num_results; i++) {
        MlcValue *result = mlc_op_result(op, i);
        results[i].type = mlc_value_type(result);
        mlc_map_set_u64(values, (uint64_t)(uintptr_t)result, (uint64_t)(uintptr_t)&results[i]);
    }
    if (!mlc_op_def(op)->eval)
        return mlc_eval_error(nest->e, op, "has no meaning that the interpreter knows");
    return mlc_op_def(op)->eval(nest->e, op, operands, results);
}

// Through datums: any op, any type. A body that is the op's own runs as its region; that of a named
// op, or one that is being folded, belongs to no function, so its values are kept here.
static bool
run_body(Nest *nest, MlcDatum *args, MlcDatum *results)
{
    MlcEval *e = nest->e;
    size_t num_outputs = nest->num_operands - nest->num_inputs;
    size_t num_args = mlc_block_num_args(nest->body); // linalg.map has none for what is written
    MlcOp *last = mlc_block_last(nest->body);
    if (!mlc_eval_is_folding(e) && mlc_block_region(nest->body) &&
        mlc_block_parent(nest->body) == nest->op)
        return mlc_eval_region(e, mlc_block_region(nest->body), args, num_args, results,
                               num_outputs);
    MlcMap values = {0};
    for (size_t i = 0; i < num_args; i++)
        mlc_map_set_u64(&values, (uint64_t)(uintptr_t)mlc_block_arg(nest->body, i),
                        (uint64_t)(uintptr_t)&args[i]);
    bool ok = true;
    for (MlcOp *op = mlc_block_first(nest->body); ok && op != last; op = mlc_op_next(op))
        ok = run_body_op(nest, &values, op);
    for (size_t i = 0; ok && i < num_outputs; i++)
        ok = value_of(nest, &values, mlc_op_operand(last, i), &results[i]);
    mlc_map_release(&values);
    return ok;
}

static bool
run_slowly(Nest *nest)
{
    MlcEval *e = nest->e;
    size_t num_outputs = nest->num_operands - nest->num_inputs;
    MlcDatum *args = mlc_eval_alloc(e, (nest->num_operands + num_outputs + 1) * sizeof *args);
    MlcDatum *results = args + nest->num_operands;
    const int64_t *outer = e->indices;
    size_t num_outer = e->num_indices, mark = mlc_eval_mark(e);
    bool ok = true;
    e->indices = nest->index;
    e->num_indices = nest->num_loops;
    do {
        ok = locate_all(nest);
        for (size_t i = 0; ok && i < nest->num_operands; i++)
            mlc_datum_read(e, nest->accesses[i].type, place(&nest->accesses[i]), &args[i]);
        ok = ok && run_body(nest, args, results);
        for (size_t i = 0; ok && i < num_outputs; i++)
            mlc_datum_write(place(&nest->accesses[nest->num_inputs + i]), &results[i]);
        mlc_eval_collect(e, mark, NULL, 0);
    } while (ok && mlc_next_index(nest->index, nest->sizes, nest->num_loops));
    e->indices = outer;
    e->num_indices = num_outer;
    return ok;
}

static bool
run_fast(Nest *nest, Program *program)
{
    bool is_multiply_add =
        nest->num_loops > 0 && nest->num_operands == 3 && program_is_f32_multiply_add(program);
    for (size_t i = 0; i < nest->num_operands; i++)
        is_multiply_add &=
            nest->accesses[i].element.format == FORMAT_F32 && nest->accesses[i].rank > 0;
    bool all_linear = true;
    for (size_t i = 0; i < nest->num_operands; i++)
        all_linear &= nest->accesses[i].is_linear;
    // Without linear maps each point is located anew.
    size_t outer = nest->num_loops && all_linear ? nest->num_loops - 1 : nest->num_loops;
    int64_t count = outer < nest->num_loops ? nest->sizes[outer] : 1;
    do {
        if (!locate_all(nest))
            return false;
        if (is_multiply_add && all_linear) {
            run_multiply_adds(nest, count);
        } else if (all_linear) {
            run_points(nest, program, count);
        } else {
            for (size_t k = 0; k < mlc_block_num_args(nest->body); k++)
                element_load(&nest->accesses[k].element, place(&nest->accesses[k]),
                             &program->registers.data[k]);
            program_run(program, nest->index);
            for (size_t k = nest->num_inputs; k < nest->num_operands; k++)
                element_store(
                    &nest->accesses[k].element, place(&nest->accesses[k]),
                    &program->registers.data[program->results.data[k - nest->num_inputs]]);
        }
    } while (mlc_next_index(nest->index, nest->sizes, outer));
    return true;
}

static bool
run_nest(Nest *nest)
{
    for (size_t l = 0; l < nest->num_loops; l++)
        if (nest->sizes[l] == 0)
            return true;
    bool can_be_fast = true;
    for (size_t i = 0; i < nest->num_operands; i++) {
        if (!linearise(nest, i))
            return false;
        can_be_fast &= element_of(nest->accesses[i].type, &nest->accesses[i].element);
    }
    Program program;
    if (!can_be_fast || !program_compile(nest->e, nest->body, &program))
        return run_slowly(nest);
    bool ok =
        program.results.size == nest->num_operands - nest->num_inputs && run_fast(nest, &program);
    program_release(&program);
    return ok;
}

// --- the op

bool
mlc_eval_structured(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Nest nest = {.e = e,
                 .op = op,
                 .num_loops = mlc_structured_num_loops(op),
                 .num_inputs = mlc_structured_num_inputs(op),
                 .body = mlc_structured_body(op)};
    nest.num_operands = nest.num_inputs + mlc_structured_num_outputs(op);
    if (nest.num_loops > MLC_RANK_LIMIT)
        return mlc_eval_error(e, op, "has %zu loops, more than %d", nest.num_loops, MLC_RANK_LIMIT);
    assert(nest.body && mlc_block_num_args(nest.body) <= nest.num_operands);
    nest.accesses = mlc_eval_alloc(e, (nest.num_operands + 1) * sizeof *nest.accesses);
    for (size_t i = 0, made = 0; i < nest.num_operands; i++) {
        MlcDatum d = operands[i];
        if (i >= nest.num_inputs && mlc_datum_is_elements(&d)) {
            if (!mlc_eval_copy_elements(e, op, &operands[i], &d))
                return false;
            results[made++] = d;
        }
        if (!open_access(&nest, i, &d))
            return false;
    }
    return find_sizes(&nest) && mlc_interp_count_points(e, op, nest.sizes, nest.num_loops) &&
           run_nest(&nest);
}

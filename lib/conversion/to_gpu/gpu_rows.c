// gpu_rows.c -- rows in registers.
//
// The threads of a row have its elements one after the other: thread t has t, t + T, t + 2 T, ...,
// in registers from op to op. A reduction adds up a thread's elements, then those of a warp by
// shuffles, then those of the row's warps through workgroup memory; afterwards all threads have the
// result. So nothing but the run's inputs is read from memory, once, and nothing but what others
// need is written.
//
// Every buffer that the run writes is written and read at the same element of the same row, so
// threads need no order among them.
#include "gpu_rows.h"

#include "gpu_point.h"

#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

enum { MAX_ELEMENTS = 16, MAX_WARPS = 32, MIN_LENGTH = 16, THREADS_OF_SHORT_ROWS = 128 };
enum { REDUCTION_BYTES = MAX_WARPS * 8 }; // of workgroup memory

// --- which ops are a run

static bool
is_static(MlcOp *op)
{
    int64_t sizes[MLC_SMALL_RANK];
    if (!mlc_structured_is_small(op) || mlc_structured_num_outputs(op) != 1)
        return false;
    mlc_structured_loop_sizes(op, sizes);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (sizes[i] <= 0)
            return false;
    MLC_FOR_EACH_OPERAND (value, op)
        if (mlc_type_is(mlc_value_type(value), MLC_TYPE_TENSOR))
            return false;
    return gpu_is_buffer(gpu_output_of(op));
}

// A division of integers may trap or be undefined where a thread has no element.
static bool
is_total(MlcOp *op)
{
    MLC_FOR_EACH_OP (inner, mlc_structured_body(op))
        if (!mlc_op_is_speculatable(inner) &&
            inner != mlc_block_terminator(mlc_structured_body(op)))
            return false;
    return true;
}

static bool
is_reduction(MlcOp *op)
{
    return mlc_structured(op) && !mlc_structured_is_parallel(op);
}

// The rows of a reduction: its parallel loops, which come first; the rest is a row.
static bool
read_shape(RowRun *run, MlcOp *op)
{
    size_t n = mlc_structured_num_loops(op);
    run->num_rows = 0;
    while (run->num_rows < n && mlc_structured_iterator(op, run->num_rows) == MLC_ITERATOR_PARALLEL)
        run->num_rows++;
    run->num_row = n - run->num_rows;
    run->rows = run->length = 1;
    mlc_structured_loop_sizes(op, run->sizes);
    for (size_t i = 0; i < n; i++) {
        int64_t *size = i < run->num_rows ? &run->rows : &run->length;
        if (__builtin_mul_overflow(*size, run->sizes[i], size))
            return false;
    }
    return run->length >= MIN_LENGTH;
}

// Whether the op's loops are the run's: rows alone, or rows and a row, all of one kind.
static bool
has_shape(const RowRun *run, MlcOp *op)
{
    size_t n = mlc_structured_num_loops(op);
    int64_t sizes[MLC_SMALL_RANK];
    if (n != run->num_rows && n != run->num_rows + run->num_row)
        return false;
    mlc_structured_loop_sizes(op, sizes);
    for (size_t i = 0; i < n; i++) {
        MlcIterator kind = mlc_structured_iterator(op, i);
        if (sizes[i] != run->sizes[i] || kind == MLC_ITERATOR_WINDOW ||
            (i < run->num_rows && kind != MLC_ITERATOR_PARALLEL) ||
            (i > run->num_rows && kind != mlc_structured_iterator(op, run->num_rows)))
            return false;
    }
    size_t out = is_reduction(op) ? run->num_rows : n;
    return gpu_is_identity(mlc_structured_map(op, mlc_structured_num_inputs(op)), out) &&
           (!is_reduction(op) || gpu_can_combine(op)) && is_total(op);
}

// Whether `reader` reads what `writer` writes, or may, at another element than its own.
static bool
reads_elsewhere(const RowRun *run, MlcOp *reader, MlcOp *writer)
{
    MlcValue *written = gpu_output_of(writer);
    size_t rank = mlc_type_rank(mlc_value_type(written));
    for (size_t i = 0; i <= mlc_structured_num_inputs(reader); i++) {
        MlcValue *read = mlc_op_operand(reader, i);
        if (!gpu_is_buffer(read) || mlc_viewed_buffer(read) != mlc_viewed_buffer(written))
            continue;
        if (read != written || !gpu_is_identity(mlc_structured_map(reader, i), rank) ||
            (rank != run->num_rows && mlc_structured_num_loops(reader) == run->num_rows))
            return true;
    }
    return false;
}

// Whether neighbouring threads read neighbours in memory, or the same.
static bool
reads_neighbours(const RowRun *run, MlcOp *op)
{
    unsigned last = (unsigned)(run->num_rows + run->num_row - 1);
    if (mlc_structured_num_loops(op) == run->num_rows)
        return true;
    for (size_t i = 0; i < mlc_structured_num_inputs(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        size_t rank = mlc_affine_map_num_results(map);
        if (mlc_affine_map_uses_dim(map, last) && mlc_map_result_dim(map, rank - 1) != (int)last)
            return false;
    }
    return true;
}

static bool
joins(const RowRun *run, MlcOp *op)
{
    if (!mlc_structured(op) || !is_static(op) || !has_shape(run, op) ||
        !reads_neighbours(run, op) || reads_elsewhere(run, op, op))
        return false;
    for (size_t i = 0; i < run->ops.size; i++)
        if (reads_elsewhere(run, op, run->ops.data[i]) ||
            reads_elsewhere(run, run->ops.data[i], op))
            return false;
    return true;
}

static bool
is_harmless(MlcOp *op)
{
    return mlc_op_is_memory_effect_free(op) || mlc_memref_alloc_isa(op);
}

// The first reduction behind `first` with nothing but structured ops between.
static MlcOp *
first_reduction(MlcOp *first, bool (*is_taken)(void *user, MlcOp *op), void *user)
{
    for (MlcOp *op = first; op; op = mlc_op_next(op)) {
        if (is_taken(user, op) || (!mlc_structured(op) && !is_harmless(op)))
            return NULL;
        if (is_reduction(op))
            return op;
    }
    return NULL;
}

bool
gpu_row_run_read(RowRun *run, MlcOp *first, bool (*is_taken)(void *user, MlcOp *op), void *user)
{
    *run = (RowRun){0};
    MlcOp *reduction = first_reduction(first, is_taken, user);
    if (!reduction || !is_static(reduction) || !read_shape(run, reduction))
        return false;
    bool reduces = false;
    for (MlcOp *op = first; op; op = mlc_op_next(op)) {
        if (!is_taken(user, op) && joins(run, op)) {
            mlc_vec_push(&run->ops, op);
            reduces |= is_reduction(op);
        } else if (op == first || !is_harmless(op)) {
            break;
        }
    }
    return reduces;
}

void
gpu_row_run_release(RowRun *run)
{
    mlc_vec_release(&run->ops);
}

bool
gpu_row_run_schedule(const RowRun *run, Schedule *schedule)
{
    int64_t warps = 1;
    while (warps < MAX_WARPS && warps * WARP * MAX_ELEMENTS / 2 < run->length)
        warps *= 2;
    int64_t rows = warps == 1 ? THREADS_OF_SHORT_ROWS / WARP : 1;
    *schedule = (Schedule){.kind = MLC_GPU_SCHEDULE_KIND_ROWS, .warps = {rows, warps}};
    return warps * WARP * MAX_ELEMENTS >= run->length;
}

// --- the kernel

// A buffer's elements of the row that a thread has: one, or one for each of its places.
typedef struct RowValue {
    MlcValue *buffer;
    MlcValue *elements[MAX_ELEMENTS];
} RowValue;

// An element that was loaded, and is not written by the run.
typedef struct RowLoad {
    MlcValue *buffer;
    MlcAffineMap map;
    size_t place; // 0 where the map has rows alone
    MlcValue *element;
} RowLoad;

typedef struct RowKernel {
    MlcBuilder *b;
    const RowRun *run;
    int64_t threads;                                // of a row
    int64_t count;                                  // places of a thread
    MlcValue *thread, *lane;                        // in the row
    MlcValue *rows[MLC_SMALL_RANK];                 // indices of the row
    MlcValue *places[MAX_ELEMENTS][MLC_SMALL_RANK]; // indices within it
    MlcValue *inside[MAX_ELEMENTS];                 // NULL: always
    MLC_VEC(RowValue) values;
    MLC_VEC(RowLoad) loads;
    MlcValue *partial; // while a reduction is built: what it has come to
    MlcOp *reduction;
    size_t place;     // the one that is built
    MlcValue *memory; // [reductions][warps], for rows of several warps; NULL: of one
    int64_t num_reductions;
} RowKernel;

static RowValue *
find_value(RowKernel *k, MlcValue *buffer)
{
    for (size_t i = 0; i < k->values.size; i++)
        if (k->values.data[i].buffer == buffer)
            return &k->values.data[i];
    return NULL;
}

static RowValue *
value_for(RowKernel *k, MlcValue *buffer)
{
    RowValue *found = find_value(k, buffer);
    if (!found) {
        mlc_vec_push(&k->values, (RowValue){.buffer = buffer});
        found = &k->values.data[k->values.size - 1];
    }
    return found;
}

static MlcValue *
zero_of(MlcBuilder *b, MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_FLOAT) ? mlc_build_float(b, type, 0)
                                             : mlc_build_int(b, type, 0);
}

static bool
uses_row(const RowKernel *k, MlcAffineMap map)
{
    for (size_t i = 0; i < k->run->num_row; i++)
        if (mlc_affine_map_uses_dim(map, (unsigned)(k->run->num_rows + i)))
            return true;
    return false;
}

// From memory, where the thread has an element.
static MlcValue *
load_element(RowKernel *k, MlcOp *op, size_t i, MlcValue *const *ivs)
{
    MlcBuilder *b = k->b;
    if (!uses_row(k, mlc_structured_map(op, i)) || !k->inside[k->place])
        return gpu_load_element(b, op, i, ivs);
    MlcType type = mlc_type_element(mlc_value_type(mlc_op_operand(op, i)));
    MlcOp *guard = mlc_scf_if(b, &type, 1, k->inside[k->place]);
    MlcBuilder inner = *b;
    mlc_builder_create_block(&inner, mlc_op_region(guard, 0), NULL, 0);
    MlcValue *loaded = gpu_load_element(&inner, op, i, ivs);
    mlc_scf_yield(&inner, &loaded, 1);
    mlc_builder_create_block(&inner, mlc_op_region(guard, 1), NULL, 0);
    loaded = zero_of(&inner, type);
    mlc_scf_yield(&inner, &loaded, 1);
    return mlc_op_result(guard, 0);
}

// What is in registers: written by the run, or read before; else it is read now.
static MlcValue *
read_element(void *user, MlcBuilder *b, MlcOp *op, size_t i, MlcValue *const *ivs)
{
    (void)b;
    RowKernel *k = user;
    MlcValue *buffer = mlc_op_operand(op, i);
    MlcAffineMap map = mlc_structured_map(op, i);
    if (k->partial && op == k->reduction && i == mlc_structured_num_inputs(op))
        return k->partial;
    RowValue *known = find_value(k, buffer);
    if (known)
        return known
            ->elements[mlc_type_rank(mlc_value_type(buffer)) == k->run->num_rows ? 0 : k->place];
    size_t place = uses_row(k, map) ? k->place : 0;
    for (size_t n = 0; n < k->loads.size; n++)
        if (k->loads.data[n].buffer == buffer && k->loads.data[n].map == map &&
            k->loads.data[n].place == place)
            return k->loads.data[n].element;
    MlcValue *element = load_element(k, op, i, ivs);
    mlc_vec_push(&k->loads, (RowLoad){buffer, map, place, element});
    return element;
}

static MlcValue *
build_at(RowKernel *k, MlcOp *op, size_t place)
{
    MlcValue *ivs[MLC_SMALL_RANK];
    for (size_t i = 0; i < k->run->num_rows; i++)
        ivs[i] = k->rows[i];
    for (size_t i = 0; i < k->run->num_row; i++)
        ivs[k->run->num_rows + i] = k->places[place][i];
    k->place = place;
    return gpu_build_point(k->b, op, ivs, read_element, k);
}

// Of `lanes` neighbouring lanes, all of which get it.
static MlcValue *
reduce_lanes(RowKernel *k, MlcOp *op, MlcValue *value, int64_t lanes)
{
    MlcBuilder *b = k->b;
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    for (int64_t step = lanes / 2; step > 0; step /= 2) {
        MlcOp *shuffle = mlc_gpu_shuffle(b, value, mlc_build_int(b, i32, step),
                                         mlc_build_int(b, i32, WARP), MLC_GPU_SHUFFLE_MODE_XOR);
        value = gpu_combine(b, op, value, mlc_op_result(shuffle, 0));
    }
    return value;
}

// Of the row's warps, through a place of workgroup memory that is this reduction's alone.
static MlcValue *
reduce_warps(RowKernel *k, MlcOp *op, MlcValue *value)
{
    MlcBuilder *b = k->b;
    int64_t warps = k->threads / WARP;
    MlcType type = mlc_value_type(value);
    int64_t shape = warps;
    MlcAttr space = mlc_memref_type_memory_space(mlc_value_type(k->memory));
    MlcValue *offset = mlc_build_index(b, k->num_reductions++ * REDUCTION_BYTES);
    MlcValue *memory = mlc_memref_view(b, mlc_memref_type_get(type, &shape, 1, NULL, space),
                                       k->memory, offset, NULL, 0);
    MlcValue *warp = gpu_divide(b, k->thread, WARP), *zero = mlc_build_index(b, 0);
    MlcOp *guard =
        mlc_scf_if(b, NULL, 0, mlc_arith_cmpi(b, k->lane, zero, MLC_ARITH_CMPI_PREDICATE_EQ));
    MlcBuilder inner = *b;
    mlc_builder_create_block(&inner, mlc_op_region(guard, 0), NULL, 0);
    mlc_memref_store(&inner, value, memory, &warp, 1);
    mlc_scf_yield(&inner, NULL, 0);
    mlc_gpu_barrier(b);
    MlcValue *mine = gpu_modulo(b, k->lane, warps);
    return reduce_lanes(k, op, mlc_memref_load(b, memory, &mine, 1), warps);
}

static void
build_reduction(RowKernel *k, MlcOp *op)
{
    MlcBuilder *b = k->b;
    MlcValue *sum = gpu_neutral(b, op);
    k->reduction = op;
    for (int64_t i = 0; i < k->count; i++) {
        k->partial = sum;
        MlcValue *next = build_at(k, op, (size_t)i);
        sum = k->inside[i] ? mlc_build_select(b, k->inside[i], next, sum) : next;
    }
    k->partial = NULL;
    sum = reduce_lanes(k, op, sum, WARP);
    if (k->memory)
        sum = reduce_warps(k, op, sum);
    RowValue *known = find_value(k, gpu_output_of(op));
    size_t out = mlc_structured_num_inputs(op);
    MlcValue *before = known ? known->elements[0] : gpu_load_element(b, op, out, k->rows);
    value_for(k, gpu_output_of(op))->elements[0] = gpu_combine(b, op, before, sum);
}

static void
build_op(RowKernel *k, MlcOp *op)
{
    if (is_reduction(op)) {
        build_reduction(k, op);
        return;
    }
    MlcValue *made[MAX_ELEMENTS] = {NULL};
    bool is_row = mlc_structured_num_loops(op) > k->run->num_rows;
    for (int64_t i = 0; i < (is_row ? k->count : 1); i++)
        made[i] = build_at(k, op, (size_t)i);
    memcpy(value_for(k, gpu_output_of(op))->elements, made, sizeof made);
}

// Used by the run alone.
static bool
is_temporary(const RowRun *run, MlcValue *buffer)
{
    if (!mlc_memref_alloc_isa(mlc_value_def(buffer)))
        return false;
    MLC_FOR_EACH_USE (use, buffer) {
        bool is_in = false;
        for (size_t i = 0; i < run->ops.size; i++)
            is_in |= mlc_use_owner(use) == run->ops.data[i];
        if (!is_in)
            return false;
    }
    return true;
}

// Each buffer's last elements, where somebody needs them: a row's one by its first thread.
static void
write_values(RowKernel *k)
{
    MlcBuilder *b = k->b;
    for (size_t v = 0; v < k->values.size; v++) {
        RowValue *value = &k->values.data[v];
        size_t rank = mlc_type_rank(mlc_value_type(value->buffer));
        bool is_row = rank > k->run->num_rows;
        if (is_temporary(k->run, value->buffer))
            continue;
        for (int64_t i = 0; i < (is_row ? k->count : 1); i++) {
            MlcValue *indices[MLC_SMALL_RANK], *zero = mlc_build_index(b, 0);
            for (size_t d = 0; d < rank; d++)
                indices[d] = d < k->run->num_rows ? k->rows[d] : k->places[i][d - k->run->num_rows];
            MlcValue *writes =
                is_row ? k->inside[i]
                       : mlc_arith_cmpi(b, k->thread, zero, MLC_ARITH_CMPI_PREDICATE_EQ);
            MlcBuilder inner = *b;
            if (writes) {
                MlcOp *guard = mlc_scf_if(b, NULL, 0, writes);
                mlc_builder_create_block(&inner, mlc_op_region(guard, 0), NULL, 0);
                mlc_builder_before(&inner, mlc_scf_yield(&inner, NULL, 0));
            }
            mlc_memref_store(&inner, value->elements[i], value->buffer, indices, rank);
        }
    }
}

// Indices of loops `first` and on, from a number.
static void
split(RowKernel *k, MlcValue *number, size_t first, size_t count, MlcValue **indices)
{
    LoopGroup group = {.count = count};
    MlcValue *by_loop[MLC_SMALL_RANK];
    for (size_t i = 0; i < count; i++)
        group.loops[i] = (unsigned)(first + i);
    gpu_group_indices(k->b, &group, k->run->sizes, number, by_loop);
    memcpy(indices, by_loop + first, count * sizeof *indices);
}

// The launch; the builder goes into the code of one row.
static void
create_launch(RowKernel *k, const Schedule *s)
{
    MlcBuilder *b = k->b;
    const RowRun *run = k->run;
    int64_t rows = s->warps[0], num_reductions = 0;
    for (size_t i = 0; i < run->ops.size; i++)
        num_reductions += is_reduction(run->ops.data[i]);
    MlcValue *one = mlc_build_index(b, 1), *bytes = NULL;
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS), index[12];
    if (s->warps[1] > 1)
        bytes = mlc_build_int(b, i32, num_reductions * REDUCTION_BYTES);
    MlcOp *launch = mlc_gpu_launch(
        b, NULL, NULL, 0, mlc_build_index(b, mlc_ceil_div(run->rows, rows)), one, one,
        mlc_build_index(b, rows * k->threads), one, one, NULL, NULL, NULL, bytes);
    for (size_t i = 0; i < 12; i++)
        index[i] = mlc_index_type_get(b->ctx);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(launch, 0), index, 12);
    mlc_builder_before(b, mlc_gpu_terminator(b));
    MlcValue *number = mlc_arith_addi(b, gpu_scale(b, mlc_block_arg(body, 0), rows),
                                      gpu_divide(b, mlc_block_arg(body, 3), k->threads));
    k->thread = gpu_modulo(b, mlc_block_arg(body, 3), k->threads);
    k->lane = gpu_modulo(b, k->thread, WARP);
    if (bytes) {
        int64_t size = MLC_DYNAMIC;
        MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
        MlcAttr space = mlc_enum_attr_get(b->ctx, &mlc_gpu_address_space_attr_def,
                                          MLC_GPU_ADDRESS_SPACE_WORKGROUP);
        k->memory =
            mlc_gpu_dynamic_shared_memory(b, mlc_memref_type_get(byte, &size, 1, NULL, space));
    }
    if (run->rows % rows != 0) { // all lanes of a warp have one row, or none
        MlcOp *guard = mlc_scf_if(
            b, NULL, 0,
            mlc_arith_cmpi(b, number, mlc_build_index(b, run->rows), MLC_ARITH_CMPI_PREDICATE_ULT));
        mlc_builder_create_block(b, mlc_op_region(guard, 0), NULL, 0);
        mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
    }
    split(k, number, 0, run->num_rows, k->rows);
    MlcValue *length = mlc_build_index(b, run->length);
    for (int64_t i = 0; i < k->count; i++) {
        MlcValue *place = gpu_add(b, k->thread, i * k->threads);
        if ((i + 1) * k->threads > run->length)
            k->inside[i] = mlc_arith_cmpi(b, place, length, MLC_ARITH_CMPI_PREDICATE_ULT);
        split(k, place, run->num_rows, run->num_row, k->places[i]);
    }
}

void
gpu_row_run_launch(RowRun *run, const Schedule *schedule)
{
    MlcOp *last = run->ops.data[run->ops.size - 1];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(last));
    mlc_builder_before(&b, last);
    RowKernel k = {.b = &b, .run = run, .threads = schedule->warps[1] * WARP};
    k.count = mlc_ceil_div(run->length, k.threads);
    create_launch(&k, schedule);
    for (size_t i = 0; i < run->ops.size; i++)
        build_op(&k, run->ops.data[i]);
    write_values(&k);
    for (size_t i = run->ops.size; i-- > 0;) {
        MlcOp *def = mlc_value_def(gpu_output_of(run->ops.data[i]));
        mlc_op_erase(run->ops.data[i]);
        if (mlc_memref_alloc_isa(def) && !mlc_value_has_uses(mlc_op_result(def, 0)))
            mlc_op_erase(def);
    }
    mlc_vec_release(&k.values);
    mlc_vec_release(&k.loads);
}

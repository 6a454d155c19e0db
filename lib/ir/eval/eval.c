// eval.c -- the memory of an evaluation: counted cells, buffers, windows into them.
//
// A cell starts unheld, on the `fresh` stack. Whoever runs ops pops the stack down to where it was
// when the op began and frees what nobody took. So hooks never count references, and a hook that
// fails in the middle leaks nothing.
#include "mlc/ir/eval.h"

#include <assert.h>
#include <stdarg.h>

#include "eval_impl.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/support/alloc.h"
#include "mlc/support/hash.h"

#define DEFAULT_MAX_MEMORY ((size_t)8 << 30)

void
mlc_eval_init(MlcEval *e, MlcContext *ctx)
{
    *e = (MlcEval){.ctx = ctx, .max_memory = DEFAULT_MAX_MEMORY};
}

void
mlc_eval_release(MlcEval *e)
{
    mlc_eval_drain(e, 0);
    mlc_free(e->fresh);
    mlc_free(e->by_address);
    while (e->buffers) {
        MlcBuffer *buffer = e->buffers;
        e->buffers = buffer->next;
        if (buffer->root == buffer)
            mlc_free(buffer->data);
        mlc_free(buffer);
    }
}

MlcContext *
mlc_eval_context(MlcEval *e)
{
    return e->ctx;
}

bool
mlc_eval_is_folding(const MlcEval *e)
{
    return !e->runner;
}

bool
mlc_eval_error(MlcEval *e, MlcOp *op, const char *format, ...)
{
    if (!op || mlc_eval_is_folding(e))
        return false;
    MlcBuf buf = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&buf, format, args);
    va_end(args);
    mlc_op_error(op, "%s", mlc_buf_c_str(&buf));
    mlc_buf_release(&buf);
    return false;
}

// --- cells

static bool
take_memory(MlcEval *e, MlcOp *op, size_t size)
{
    if (size <= e->max_memory && e->memory <= e->max_memory - size)
        return true;
    return mlc_eval_error(e, op,
                          "needs %zu bytes, which passes the interpreter's memory limit of %zu",
                          size, e->max_memory);
}

static void
push_fresh(MlcEval *e, MlcCell *cell)
{
    if (e->num_fresh == e->max_fresh)
        e->fresh = mlc_vec_grow(e->fresh, &e->max_fresh, e->num_fresh + 1, sizeof *e->fresh);
    e->fresh[e->num_fresh++] = cell;
    cell->is_fresh = true;
}

static void
free_cell(MlcEval *e, MlcCell *cell)
{
    e->memory -= cell->size;
    mlc_free(cell);
}

MlcCell *
mlc_cell_create(MlcEval *e, size_t size)
{
    MlcCell *cell = mlc_malloc(sizeof *cell + size);
    *cell = (MlcCell){.size = size};
    e->memory += size;
    push_fresh(e, cell);
    return cell;
}

void
mlc_eval_drain(MlcEval *e, size_t mark)
{
    while (e->num_fresh > mark) {
        MlcCell *cell = e->fresh[--e->num_fresh];
        cell->is_fresh = false;
        if (cell->num_holders == 0)
            free_cell(e, cell);
    }
}

void
mlc_datum_hold(const MlcDatum *d)
{
    if (d->cell)
        d->cell->num_holders++;
}

void
mlc_datum_drop(MlcEval *e, const MlcDatum *d)
{
    MlcCell *cell = d->cell;
    if (cell && --cell->num_holders == 0 && !cell->is_fresh)
        free_cell(e, cell);
}

void
mlc_datum_unhold(MlcEval *e, const MlcDatum *d)
{
    MlcCell *cell = d->cell;
    if (!cell)
        return;
    --cell->num_holders;
    if (!cell->is_fresh)
        push_fresh(e, cell);
}

void *
mlc_eval_alloc(MlcEval *e, size_t size)
{
    return memset(mlc_cell_create(e, size)->bytes, 0, size);
}

size_t
mlc_eval_mark(const MlcEval *e)
{
    return e->num_fresh;
}

void
mlc_eval_collect(MlcEval *e, size_t mark, const MlcDatum *live, size_t num_live)
{
    for (size_t i = 0; i < num_live; i++)
        mlc_datum_hold(&live[i]);
    mlc_eval_drain(e, mark);
    for (size_t i = 0; i < num_live; i++)
        mlc_datum_unhold(e, &live[i]);
}

// --- what the runner does

bool
mlc_eval_region(MlcEval *e, MlcRegion *region, const MlcDatum *args, size_t num_args,
                MlcDatum *results, size_t num_results)
{
    return e->runner && e->runner->region(e, region, args, num_args, results, num_results);
}

bool
mlc_eval_call(MlcEval *e, MlcOp *op, MlcOp *callee, const MlcDatum *args, size_t num_args,
              MlcDatum *results, size_t num_results)
{
    return e->runner && e->runner->call(e, op, callee, args, num_args, results, num_results);
}

const MlcDatum *
mlc_eval_lookup(MlcEval *e, MlcValue *value)
{
    return e->runner ? e->runner->lookup(e, value) : NULL;
}

bool
mlc_eval_branch(MlcEval *e, MlcOp *op, size_t successor, const MlcDatum *args, size_t num_args)
{
    return e->runner && e->runner->branch(e, op, successor, args, num_args);
}

MlcOp *
mlc_eval_symbol(MlcEval *e, MlcOp *op, MlcAttr name)
{
    return e->runner ? e->runner->symbol(e, op, name) : NULL;
}

void **
mlc_eval_memory(MlcEval *e, MlcOp *key)
{
    return e->runner ? e->runner->memory(e, key) : NULL;
}

bool
mlc_eval_threads(MlcEval *e, MlcOp *op, size_t num_threads,
                 bool (*run)(MlcEval *e, size_t thread, void *user), void *user)
{
    return e->runner && e->runner->threads(e, op, num_threads, run, user);
}

bool
mlc_eval_barrier(MlcEval *e, MlcOp *op, size_t first, size_t count)
{
    return e->runner && e->runner->barrier(e, op, first, count);
}

void
mlc_eval_buffer_free_on_exit(MlcEval *e, MlcBuffer *buffer)
{
    if (e->runner)
        e->runner->on_exit(e, buffer);
}

static uint64_t
gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// i -> (a * i + b) mod n with a prime to n: a permutation without a table.
uint64_t
mlc_eval_order(const MlcEval *e, uint64_t i, uint64_t n)
{
    if (!e->seed || n < 2)
        return i;
    uint64_t a = mlc_hash_combine(e->seed, n) % n, b = mlc_hash_combine(e->seed, ~n) % n;
    while (gcd(a ? a : n, n) != 1)
        a = (a + 1) % n;
    __extension__ unsigned __int128 at = (unsigned __int128)a * i + b;
    return (uint64_t)(at % n);
}

// --- buffers

// Far enough apart that a small overrun of one does not reach the next.
#define ADDRESS_GAP UINT64_C(4096)

static void
give_address(MlcEval *e, MlcBuffer *buffer)
{
    if (e->num_by_address == e->max_by_address)
        e->by_address = mlc_vec_grow(e->by_address, &e->max_by_address, e->num_by_address + 1,
                                     sizeof *e->by_address);
    e->by_address[e->num_by_address++] = buffer;
    e->next_address += ADDRESS_GAP;
    buffer->address = e->next_address;
    e->next_address += (buffer->num_bytes + ADDRESS_GAP - 1) & ~(ADDRESS_GAP - 1);
}

MlcBuffer *
mlc_eval_buffer_create(MlcEval *e, MlcOp *op, size_t num_bytes)
{
    if (mlc_eval_is_folding(e) || !take_memory(e, op, num_bytes))
        return NULL;
    MlcBuffer *buffer = mlc_malloc(sizeof *buffer);
    *buffer = (MlcBuffer){.next = e->buffers, .num_bytes = num_bytes, .owner = op};
    buffer->root = buffer;
    buffer->data = mlc_malloc(num_bytes);
    memset(buffer->data, 0xff, num_bytes);
    e->buffers = buffer;
    e->memory += num_bytes;
    give_address(e, buffer);
    return buffer;
}

MlcBuffer *
mlc_eval_buffer_window(MlcEval *e, MlcOp *op, MlcBuffer *buffer, int64_t first, size_t num_bytes)
{
    unsigned char *data = mlc_eval_buffer_data(e, op, buffer, first, num_bytes);
    if (!data)
        return NULL;
    // Windows of the same place are one object, so that a loop that makes them does not fill
    // memory.
    for (MlcBuffer *w = buffer->root->windows; w; w = w->next_window)
        if (w->data == data && w->num_bytes == num_bytes)
            return w;
    MlcBuffer *window = mlc_malloc(sizeof *window);
    *window = (MlcBuffer){.next = e->buffers,
                          .num_bytes = num_bytes,
                          .owner = op,
                          .root = buffer->root,
                          .next_window = buffer->root->windows,
                          .offset = buffer->offset + (size_t)first,
                          .data = data};
    buffer->root->windows = window;
    e->buffers = window;
    return window;
}

bool
mlc_eval_buffer_free(MlcEval *e, MlcOp *op, MlcBuffer *buffer)
{
    MlcBuffer *root = buffer->root;
    if (root->is_freed)
        return mlc_eval_error(e, op, "frees memory that was freed before");
    if (root != buffer)
        return mlc_eval_error(e, op, "frees a part of a buffer");
    root->is_freed = true;
    e->memory -= root->num_bytes;
    mlc_free(root->data);
    root->data = NULL;
    return true;
}

void *
mlc_eval_buffer_data(MlcEval *e, MlcOp *op, MlcBuffer *buffer, int64_t first, size_t num_bytes)
{
    if (!buffer)
        return mlc_eval_error(e, op, "uses a null pointer"), NULL;
    if (buffer->root->is_freed)
        return mlc_eval_error(e, op, "uses memory after it was freed"), NULL;
    if (first < 0 || (uint64_t)first > buffer->num_bytes ||
        num_bytes > buffer->num_bytes - (uint64_t)first) {
        mlc_eval_error(e, op, "accesses %zu bytes at %lld of a buffer of %zu bytes", num_bytes,
                       (long long)first, buffer->num_bytes);
        return NULL;
    }
    return (unsigned char *)buffer->data + first;
}

uint64_t
mlc_buffer_address(const MlcBuffer *buffer)
{
    return buffer ? buffer->root->address + buffer->offset : 0;
}

// The last buffer that starts at or before the address.
static MlcBuffer *
buffer_at(const MlcEval *e, uint64_t address)
{
    size_t low = 0, high = e->num_by_address;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->by_address[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? e->by_address[low - 1] : NULL;
}

void *
mlc_eval_pointer(MlcEval *e, MlcOp *op, uint64_t address, size_t num_bytes, bool is_store)
{
    MlcBuffer *buffer = address ? buffer_at(e, address) : NULL;
    if (buffer && is_store && buffer->is_constant)
        return mlc_eval_error(e, op, "stores to constant memory"), NULL;
    return mlc_eval_buffer_data(e, op, buffer, buffer ? (int64_t)(address - buffer->address) : 0,
                                num_bytes);
}

uint64_t
mlc_eval_function_address(MlcEval *e, MlcOp *op, MlcOp *function)
{
    void **word = mlc_eval_memory(e, function);
    if (word && !*word) {
        MlcBuffer *buffer = mlc_eval_buffer_create(e, op, 0);
        if (buffer)
            buffer->function = function;
        *word = buffer;
    }
    return word && *word ? mlc_buffer_address(*word) : 0;
}

MlcOp *
mlc_eval_function_at(MlcEval *e, uint64_t address)
{
    MlcBuffer *buffer = buffer_at(e, address);
    return buffer && buffer->address == address ? buffer->function : NULL;
}

bool
mlc_eval_call_address(MlcEval *e, MlcOp *op, uint64_t address, const MlcDatum *args,
                      size_t num_args, MlcDatum *results, size_t num_results)
{
    MlcOp *function = mlc_eval_function_at(e, address);
    if (function)
        return mlc_eval_call(e, op, function, args, num_args, results, num_results);
    return e->runner && e->runner->service(e, op, address, args, num_args);
}

size_t
mlc_buffer_size(const MlcBuffer *buffer)
{
    return buffer->num_bytes;
}

bool
mlc_buffer_is_same(const MlcBuffer *a, const MlcBuffer *b)
{
    return a && b && a->root == b->root;
}

void
mlc_buffer_set_constant(MlcBuffer *buffer)
{
    buffer->root->is_constant = true;
}

// --- memrefs

MlcDatum
mlc_eval_memref(MlcEval *e, MlcType type, MlcBuffer *buffer, int64_t offset, size_t rank,
                const int64_t *sizes, const int64_t *strides)
{
    MlcCell *cell = mlc_cell_create(e, 2 * rank * sizeof(int64_t));
    int64_t *own = (int64_t *)cell->bytes;
    int64_t stride = 1;
    for (size_t i = rank; i-- > 0;) {
        own[i] = sizes[i];
        own[rank + i] = strides ? strides[i] : stride;
        if (__builtin_mul_overflow(stride, sizes[i], &stride))
            stride = 0;
    }
    MlcDatum d = {.type = type, .cell = cell, .rank = rank};
    d.memref.buffer = buffer;
    d.memref.offset = offset;
    d.memref.sizes = own;
    d.memref.strides = own + rank;
    return d;
}

bool
mlc_eval_memref_create(MlcEval *e, MlcOp *op, MlcType type, size_t rank, const int64_t *sizes,
                       MlcDatum *out)
{
    int64_t offset = 0, extent = 1, packed = 1, *strides = mlc_eval_alloc(e, (rank + 1) * 8);
    bool has_strides = mlc_memref_type_strides(type, &offset, strides), fits = true;
    for (size_t i = rank; i-- > 0;) {
        int64_t step;
        if (sizes[i] < 0)
            return mlc_eval_error(e, op, "has size %lld in dimension %zu", (long long)sizes[i], i);
        if (!has_strides || strides[i] == MLC_DYNAMIC)
            strides[i] = packed;
        fits &= !__builtin_mul_overflow(sizes[i] - 1, strides[i], &step) &&
                (step < 0 || !__builtin_add_overflow(extent, step, &extent)) &&
                !__builtin_mul_overflow(packed, sizes[i], &packed);
    }
    offset = !has_strides || offset == MLC_DYNAMIC ? 0 : offset;
    *out = mlc_eval_memref(e, type, NULL, offset, rank, sizes, strides);
    size_t bytes;
    if (!fits || offset < 0 || __builtin_add_overflow(extent, offset, &extent) ||
        !mlc_mul_size(packed ? (size_t)extent : 0, mlc_datum_element_bytes(out), &bytes))
        return mlc_eval_error(e, op, "needs more bytes for '%s' than can be counted",
                              mlc_type_text(type));
    out->memref.buffer = mlc_eval_buffer_create(e, op, bytes);
    return out->memref.buffer != NULL;
}

// Says which index is out of bounds of what.
static void *
out_of_bounds(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices)
{
    MlcBuf at = {0}, size = {0};
    for (size_t i = 0; i < memref->rank; i++) {
        mlc_buf_printf(&at, "%s%lld", i ? ", " : "", (long long)indices[i]);
        mlc_buf_printf(&size, "%s%lld", i ? "x" : "", (long long)memref->memref.sizes[i]);
    }
    mlc_eval_error(e, op, "accesses [%s] of a memref of %s elements", mlc_buf_c_str(&at),
                   mlc_buf_c_str(&size));
    mlc_buf_release(&at);
    mlc_buf_release(&size);
    return NULL;
}

void *
mlc_eval_address(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices,
                 bool is_store)
{
    int64_t at = memref->memref.offset;
    for (size_t i = 0; i < memref->rank; i++) {
        if (indices[i] < 0 || indices[i] >= memref->memref.sizes[i])
            return out_of_bounds(e, op, memref, indices);
        at += indices[i] * memref->memref.strides[i];
    }
    size_t size = mlc_datum_element_bytes(memref);
    if (is_store && memref->memref.buffer && memref->memref.buffer->root->is_constant)
        return mlc_eval_error(e, op, "stores to constant memory"), NULL;
    if (__builtin_mul_overflow(at, (int64_t)size, &at))
        return out_of_bounds(e, op, memref, indices);
    return mlc_eval_buffer_data(e, op, memref->memref.buffer, at, size);
}

bool
mlc_eval_load(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices, MlcDatum *out)
{
    const void *at = mlc_eval_address(e, op, memref, indices, false);
    if (!at)
        return false;
    mlc_datum_read(e, mlc_type_element(memref->type), at, out);
    return true;
}

bool
mlc_eval_store(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices,
               const MlcDatum *value)
{
    void *at = mlc_eval_address(e, op, memref, indices, true);
    if (!at)
        return false;
    mlc_datum_write(at, value);
    return true;
}

// Element by element, all checked.
static bool
copy_vector(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices,
            const MlcDatum *vector, bool is_store)
{
    size_t rank = memref->rank, lead = rank - vector->rank, bytes = mlc_datum_element_bytes(memref);
    if (rank < vector->rank)
        return mlc_eval_error(e, op, "accesses a vector of rank %zu in a memref of rank %zu",
                              vector->rank, rank);
    int64_t *inner = mlc_eval_alloc(e, (vector->rank + rank + 1) * sizeof *inner),
            *at = inner + vector->rank;
    memcpy(at, indices, rank * sizeof *at);
    char *packed = vector->elements.data;
    do {
        for (size_t i = lead; i < rank; i++)
            at[i] = indices[i] + inner[i - lead];
        void *place = mlc_eval_address(e, op, memref, at, is_store);
        if (!place)
            return false;
        memcpy(is_store ? place : packed, is_store ? packed : place, bytes);
        packed += bytes;
    } while (mlc_next_index(inner, vector->elements.shape, vector->rank));
    return true;
}

bool
mlc_eval_load_vector(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices,
                     MlcType type, MlcDatum *out)
{
    if (mlc_type_is(mlc_type_element(memref->type), MLC_TYPE_VECTOR))
        return mlc_eval_load(e, op, memref, indices, out);
    return mlc_eval_elements(e, op, type, NULL, out) &&
           copy_vector(e, op, memref, indices, out, false);
}

bool
mlc_eval_store_vector(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices,
                      const MlcDatum *vector)
{
    if (mlc_type_is(mlc_type_element(memref->type), MLC_TYPE_VECTOR))
        return mlc_eval_store(e, op, memref, indices, vector);
    return copy_vector(e, op, memref, indices, vector, true);
}

static bool
copy_all(MlcEval *e, MlcOp *op, const MlcDatum *memref, unsigned char *packed, bool is_store)
{
    size_t size = mlc_datum_element_bytes(memref);
    if (mlc_datum_num_elements(memref) == 0)
        return true;
    int64_t *index = mlc_calloc(memref->rank + 1, sizeof *index);
    unsigned char *at;
    do {
        at = mlc_eval_address(e, op, memref, index, is_store);
        if (!at)
            break;
        memcpy(is_store ? at : packed, is_store ? packed : at, size);
        packed += size;
    } while (mlc_next_index(index, memref->memref.sizes, memref->rank));
    mlc_free(index);
    return at != NULL;
}

bool
mlc_eval_gather(MlcEval *e, MlcOp *op, const MlcDatum *memref, void *to)
{
    return copy_all(e, op, memref, to, false);
}

bool
mlc_eval_scatter(MlcEval *e, MlcOp *op, const MlcDatum *memref, const void *from)
{
    // Only read through: the pointer goes into copy_all's one signature for both directions.
    return copy_all(e, op, memref, (unsigned char *)(uintptr_t)from, true);
}

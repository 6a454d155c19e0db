// buffer_places.c -- see buffer_places.h.
//
// The biggest buffers are placed first, each at the lowest offset where it fits ("greedy by size",
// Pisarchyk and Lee, 2020). Where that does not reach the lower bound, the buffer that sticks out
// is placed first and all others again, some times over; the best plan is kept.
#include "buffer_places.h"

#include "mlc/analysis/alias.h"

#include <stdlib.h>

enum { MAX_TRIES = 200 };

bool
mlc_buffer_has_place(MlcOp *alloc)
{
    MlcValue *buffer = mlc_op_result(alloc, 0);
    return mlc_type_has_static_shape(mlc_value_type(buffer)) && mlc_buffer_stays(buffer);
}

int64_t
mlc_buffer_align(int64_t bytes)
{
    return (bytes + MLC_BUFFER_ALIGNMENT - 1) / MLC_BUFFER_ALIGNMENT * MLC_BUFFER_ALIGNMENT;
}

int64_t
mlc_buffer_bytes(MlcType memref)
{
    unsigned bits = mlc_type_bit_width(mlc_type_element(memref));
    return mlc_type_num_elements(memref) * ((bits + 7) / 8);
}

static void
extend_life(MlcBufferPlace *buffer, MlcValue *value, MlcBlock *block, const MlcMap *positions)
{
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use), *top = mlc_block_find_ancestor(block, user);
        size_t at = (size_t)(uintptr_t)mlc_map_get(positions, top) - 1;
        if (mlc_op_interface(user, MLC_INTERFACE_VIEW_LIKE)) {
            extend_life(buffer, mlc_op_result(user, 0), block, positions);
            continue;
        }
        buffer->first = at < buffer->first ? at : buffer->first;
        buffer->last = at > buffer->last ? at : buffer->last;
    }
}

void
mlc_buffer_lives(MlcBlock *block, const MlcOpVec *allocs, MlcBufferPlaces *out)
{
    MlcMap positions;
    mlc_map_init(&positions);
    size_t at = 0;
    MLC_FOR_EACH_OP (op, block)
        mlc_map_set(&positions, op, (void *)(uintptr_t)++at);
    for (size_t i = 0; i < allocs->size; i++) {
        MlcValue *memref = mlc_op_result(allocs->data[i], 0);
        MlcBufferPlace buffer = {.alloc = allocs->data[i],
                                 .bytes =
                                     mlc_buffer_align(mlc_buffer_bytes(mlc_value_type(memref))),
                                 .first = SIZE_MAX};
        extend_life(&buffer, memref, block, &positions);
        mlc_vec_push(out, buffer);
    }
    mlc_map_release(&positions);
}

static int
bigger_first(const void *a, const void *b)
{
    const MlcBufferPlace *x = *(MlcBufferPlace *const *)a, *y = *(MlcBufferPlace *const *)b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x < y ? -1 : x > y; // elements of one array: in its order, whatever the sort does
}

// Places all in this order, each at the lowest offset where it fits. `placed` has room for all.
static int64_t
place_in_order(MlcBufferPlace *const *order, size_t n, MlcBufferPlace **placed)
{
    int64_t peak = 0;
    for (size_t i = 0; i < n; i++) {
        MlcBufferPlace *buffer = order[i];
        // `placed` is sorted by offset: the first gap between neighbours in time that is wide
        // enough.
        int64_t offset = 0;
        for (size_t j = 0; j < i; j++) {
            const MlcBufferPlace *other = placed[j];
            if (other->last < buffer->first || buffer->last < other->first)
                continue;
            if (other->offset - offset >= buffer->bytes)
                break;
            if (other->offset + other->bytes > offset)
                offset = other->offset + other->bytes;
        }
        buffer->offset = offset;
        size_t at = i;
        for (; at > 0 && placed[at - 1]->offset > offset; at--)
            placed[at] = placed[at - 1];
        placed[at] = buffer;
        peak = offset + buffer->bytes > peak ? offset + buffer->bytes : peak;
    }
    return peak;
}

static void
move_peak_to_front(MlcBufferPlace **order, size_t n, int64_t peak)
{
    size_t at = 0;
    while (at + 1 < n && order[at]->offset + order[at]->bytes != peak)
        at++;
    MlcBufferPlace *buffer = order[at];
    memmove(order + 1, order, at * sizeof *order);
    order[0] = buffer;
}

int64_t
mlc_buffer_place(MlcBufferPlaces *buffers, MlcArena *scratch)
{
    size_t n = buffers->size;
    MlcBufferPlace **order = MLC_NEW_ARRAY(scratch, MlcBufferPlace *, n),
                   **placed = MLC_NEW_ARRAY(scratch, MlcBufferPlace *, n);
    int64_t *best = MLC_NEW_ARRAY(scratch, int64_t, n), least = INT64_MAX;
    int64_t bound = mlc_buffer_lower_bound(buffers);
    for (size_t i = 0; i < n; i++)
        order[i] = &buffers->data[i];
    qsort(order, n, sizeof *order, bigger_first);
    for (size_t try = 0; try < MAX_TRIES && least > bound; try++) {
        int64_t peak = place_in_order(order, n, placed);
        if (peak < least) {
            least = peak;
            for (size_t i = 0; i < n; i++)
                best[i] = buffers->data[i].offset;
        }
        move_peak_to_front(order, n, peak);
    }
    for (size_t i = 0; i < n; i++)
        buffers->data[i].offset = best[i];
    return n ? least : 0;
}

int64_t
mlc_buffer_lower_bound(const MlcBufferPlaces *buffers)
{
    int64_t most = 0;
    for (size_t i = 0; i < buffers->size; i++) {
        int64_t alive = 0;
        for (size_t j = 0; j < buffers->size; j++)
            if (buffers->data[j].first <= buffers->data[i].first &&
                buffers->data[i].first <= buffers->data[j].last)
                alive += buffers->data[j].bytes;
        most = alive > most ? alive : most;
    }
    return most;
}

// buffer_places.c -- see buffer_places.h.
#include "buffer_places.h"

#include "mlc/support/places.h"

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
        MlcType type = mlc_value_type(memref);
        MlcBufferPlace buffer = {.alloc = allocs->data[i], .first = SIZE_MAX};
        if (mlc_type_has_static_shape(type))
            buffer.bytes = mlc_buffer_align(mlc_buffer_bytes(type));
        extend_life(&buffer, memref, block, &positions);
        mlc_vec_push(out, buffer);
    }
    mlc_map_release(&positions);
}

static MlcPlaced *
places_of(const MlcBufferPlaces *buffers)
{
    MlcPlaced *places = mlc_calloc(buffers->size + 1, sizeof *places);
    for (size_t i = 0; i < buffers->size; i++)
        places[i] = (MlcPlaced){.bytes = buffers->data[i].bytes,
                                .first = buffers->data[i].first,
                                .last = buffers->data[i].last};
    return places;
}

int64_t
mlc_buffer_place(MlcBufferPlaces *buffers, MlcArena *scratch)
{
    size_t n = buffers->size;
    MlcPlaced *places = places_of(buffers);
    int64_t peak = mlc_places_find(places, n, MAX_TRIES, MLC_NEW_ARRAY(scratch, MlcPlacing, n));
    for (size_t i = 0; i < n; i++)
        buffers->data[i].offset = places[i].offset;
    mlc_free(places);
    return peak;
}

int64_t
mlc_buffer_lower_bound(const MlcBufferPlaces *buffers)
{
    MlcPlaced *places = places_of(buffers);
    int64_t most = mlc_places_lower_bound(places, buffers->size);
    mlc_free(places);
    return most;
}

// places.c -- see places.h.
#include "mlc/support/places.h"

#include <stdlib.h>

static int
bigger_first(const void *a, const void *b)
{
    const MlcPlaced *x = ((const MlcPlacing *)a)->order, *y = ((const MlcPlacing *)b)->order;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x < y ? -1 : x > y; // elements of one array: in its order, whatever the sort does
}

// Places all in this order, each at the lowest offset where it fits.
static int64_t
place_in_order(MlcPlacing *work, size_t n)
{
    int64_t peak = 0;
    for (size_t i = 0; i < n; i++) {
        MlcPlaced *buffer = work[i].order;
        // What is placed is sorted by offset: the first gap between neighbours in time that is wide
        // enough.
        int64_t offset = 0;
        for (size_t j = 0; j < i; j++) {
            const MlcPlaced *other = work[j].placed;
            if (other->last < buffer->first || buffer->last < other->first)
                continue;
            if (other->offset - offset >= buffer->bytes)
                break;
            if (other->offset + other->bytes > offset)
                offset = other->offset + other->bytes;
        }
        buffer->offset = offset;
        size_t at = i;
        for (; at > 0 && work[at - 1].placed->offset > offset; at--)
            work[at].placed = work[at - 1].placed;
        work[at].placed = buffer;
        peak = offset + buffer->bytes > peak ? offset + buffer->bytes : peak;
    }
    return peak;
}

static void
move_peak_to_front(MlcPlacing *work, size_t n, int64_t peak)
{
    size_t at = 0;
    while (at + 1 < n && work[at].order->offset + work[at].order->bytes != peak)
        at++;
    MlcPlaced *buffer = work[at].order;
    for (; at > 0; at--)
        work[at].order = work[at - 1].order;
    work[0].order = buffer;
}

int64_t
mlc_places_lower_bound(const MlcPlaced *places, size_t n)
{
    int64_t most = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t alive = 0;
        for (size_t j = 0; j < n; j++)
            if (places[j].first <= places[i].first && places[i].first <= places[j].last)
                alive += places[j].bytes;
        most = alive > most ? alive : most;
    }
    return most;
}

int64_t
mlc_places_find(MlcPlaced *places, size_t n, size_t tries, MlcPlacing *work)
{
    int64_t least = INT64_MAX, bound = mlc_places_lower_bound(places, n);
    if (n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        work[i].order = &places[i];
    qsort(work, n, sizeof *work, bigger_first);
    for (size_t try = 0; try < tries && least > bound; try++) {
        int64_t peak = place_in_order(work, n);
        if (peak < least) {
            least = peak;
            for (size_t i = 0; i < n; i++)
                work[i].best = places[i].offset;
        }
        move_peak_to_front(work, n, peak);
    }
    for (size_t i = 0; i < n; i++)
        places[i].offset = work[i].best;
    return least;
}

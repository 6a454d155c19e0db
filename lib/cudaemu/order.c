// order.c -- whether work of two streams that touches the same memory was ordered, by events or by
// the host's waits; told by vector clocks (Lamport; Mattern), so that one run of any order finds
// it.
//
// Each piece of work that is done leaves a note of what it touched, until everybody knows of it.
#include "emulator.h"

#include "mlc/support/alloc.h"
#include "mlc/support/buf.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Note {
    unsigned slot;
    uint64_t position;
    MlcBuf name;
    Touches touches;
} Note;

static MLC_VEC(Note) notes;

Point *
point_create(void)
{
    Point *point = mlc_calloc(1, sizeof *point);
    point->refs = 1;
    return point;
}

Point *
point_keep(Point *point)
{
    point->refs++;
    return point;
}

void
point_release(Point *point)
{
    if (point && --point->refs == 0)
        mlc_free(point);
}

void
clock_join(Clock *to, const Clock *from)
{
    for (size_t i = 0; i < MAX_STREAMS; i++)
        to->done[i] = from->done[i] > to->done[i] ? from->done[i] : to->done[i];
}

static int
by_address(const void *a, const void *b)
{
    uint64_t x = ((const Touch *)a)->begin, y = ((const Touch *)b)->begin;
    return (x > y) - (x < y);
}

// What overlaps, of several tasks of a graph, becomes one.
void
touches_sort(Touches *touches)
{
    size_t kept = 0;
    if (touches->size)
        qsort(touches->data, touches->size, sizeof *touches->data, by_address);
    for (size_t i = 0; i < touches->size; i++) {
        Touch *last = kept ? &touches->data[kept - 1] : NULL, *next = &touches->data[i];
        if (!last || next->begin >= last->end) {
            touches->data[kept++] = *next;
            continue;
        }
        last->end = next->end > last->end ? next->end : last->end;
        last->is_written |= next->is_written;
    }
    touches->size = kept;
}

bool
touches_meet(const Touches *a, const Touches *b, uint64_t *address)
{
    size_t i = 0, k = 0;
    while (i < a->size && k < b->size) {
        const Touch *x = &a->data[i], *y = &b->data[k];
        if (x->begin < y->end && y->begin < x->end && (x->is_written || y->is_written)) {
            *address = x->begin > y->begin ? x->begin : y->begin;
            return true;
        }
        if (x->end < y->end)
            i++;
        else
            k++;
    }
    return false;
}

void
order_tell(MlcStr one, MlcStr other, uint64_t address)
{
    fprintf(stderr,
            "cudaemu: error: '%.*s' and '%.*s' touch the same memory, at 0x%" PRIx64
            ", and nothing orders them\n",
            MLC_STR_FMT(one), MLC_STR_FMT(other), address);
    if (emulator.trace)
        fprintf(emulator.trace, "{\"unordered\": [\"%.*s\", \"%.*s\"]}\n", MLC_STR_FMT(one),
                MLC_STR_FMT(other));
}

bool
order_is_asked_for(void)
{
    return !emulator.no_races && emulator.streams.size > 1;
}

static void
release_note(Note *note)
{
    mlc_buf_release(&note->name);
    mlc_vec_release(&note->touches);
}

static bool
is_known(const Clock *clock, const Note *note)
{
    return clock->done[note->slot] >= note->position;
}

// Whatever is asked for from now on is behind it, and so is what was asked for before.
static bool
is_over(const Note *note)
{
    bool is = is_known(&emulator.host->clock, note);
    for (size_t i = 0; i < emulator.streams.size && is; i++) {
        const MlcCudaStream *s = emulator.streams.data[i];
        is = (!s->first && !s->is_busy) || is_known(&s->clock, note);
    }
    return is;
}

static void
drop_notes(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < notes.size; i++) {
        if (is_over(&notes.data[i]))
            release_note(&notes.data[i]);
        else
            notes.data[kept++] = notes.data[i];
    }
    notes.size = kept;
}

MlcCudaResult
order_check(MlcCudaStream *stream, const Task *task, Touches *touches)
{
    MlcStr name = task_name(task);
    uint64_t address;
    touches_sort(touches);
    drop_notes();
    for (size_t i = 0; i < notes.size; i++) {
        const Note *note = &notes.data[i];
        if (is_known(&stream->clock, note) || !touches_meet(touches, &note->touches, &address))
            continue;
        order_tell(mlc_buf_str(&note->name), name, address);
        return emulator.fault = MLC_CUDA_LAUNCH_FAILED;
    }
    Note note = {.slot = stream->slot, .position = stream->num_done, .touches = *touches};
    mlc_buf_append_str(&note.name, name);
    mlc_vec_push(&notes, note);
    *touches = (Touches){0};
    return MLC_CUDA_SUCCESS;
}

void
order_forget_all(void)
{
    for (size_t i = 0; i < notes.size; i++)
        release_note(&notes.data[i]);
    mlc_vec_release(&notes);
}

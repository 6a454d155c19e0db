// exec_copy.c -- cp.async: copies of a thread into shared memory, in groups.
//
// A copy's destination is in flight from the instruction until its group is waited for; whether it
// happens at the beginning or at the end of that time is drawn from the seed.
#include "exec.h"
#include "exec_async.h"
#include "exec_words.h"
#include "launch.h"
#include "memory.h"

typedef struct Copy {
    uint32_t pc, group;
    uint8_t lane, bytes, given; // of the destination; from the source
    bool done;
    uint8_t *to;
    const uint8_t *from;
    Cell *cells;
} Copy;

typedef struct Copies {
    MLC_VEC(Copy) all;
    uint32_t open[LANES]; // the group that each lane adds to
} Copies;

static Copies *
copies_of(Warp *w)
{
    if (!w->copies)
        w->copies = mlc_calloc(1, sizeof *w->copies);
    return w->copies;
}

void
ptx_copies_release(Warp *w)
{
    if (!w->copies)
        return;
    mlc_vec_release(&w->copies->all);
    mlc_free(w->copies);
    w->copies = NULL;
}

static void
perform(Copy *copy)
{
    if (copy->done)
        return;
    memcpy(copy->to, copy->from, copy->given);
    memset(copy->to + copy->given, 0, copy->bytes - copy->given);
    copy->done = true;
}

// From here on the copy is in flight.
static void
put_copy(Warp *w, const Inst *in, unsigned lane, uint64_t given, const Place *to,
         const uint8_t *from)
{
    unsigned bytes = (unsigned)in->operand[2].imm;
    Copy copy = {.pc = ptx_pc_of(w, in),
                 .group = w->copies->open[lane],
                 .lane = (uint8_t)lane,
                 .bytes = (uint8_t)bytes,
                 .given = (uint8_t)given,
                 .to = to->data,
                 .from = from ? from : to->data,
                 .cells = to->cells};
    memset(to->written, 1, bytes);
    if (ptx_random(w->block->cluster, 2) == 0)
        perform(&copy);
    mlc_vec_push(&w->copies->all, copy);
    w->block->cluster->counters.async_copies++;
}

static uint64_t
given_bytes(const Warp *w, const Inst *in, unsigned lane)
{
    return in->operand[3].kind == OPERAND_NONE ? in->operand[2].imm
                                               : get_lane(w, &in->operand[3], lane);
}

static bool
begin_copy(Warp *w, const Inst *in, unsigned lane, uint64_t to, uint64_t from)
{
    static const AsyncTag tag = {.pending = true};
    unsigned bytes = (unsigned)in->operand[2].imm;
    uint64_t given = given_bytes(w, in, lane);
    Place target, source = {0};
    if (given > bytes)
        return ptx_fail(w, in, lane, "copies %" PRIu64 " of %u bytes", given, bytes), false;
    if (!ptx_resolve(w, in, lane, SPACE_SHARED, to & WINDOW_MASK, bytes, bytes, true, &target))
        return false;
    if (given && (!ptx_resolve(w, in, lane, SPACE_GLOBAL, from, given, 4, false, &source) ||
                  !ptx_check_written(w, in, lane, &source, given) ||
                  (source.cells && !ptx_race_access(w, in, lane, source.cells, source.offset,
                                                    (unsigned)given, ACCESS_READ, false))))
        return false;
    if (target.cells &&
        !ptx_race_async(w, in, lane, target.cells, target.offset, bytes, true, &tag))
        return false;
    put_copy(w, in, lane, given, &target, source.data);
    return true;
}

// Copies of all or nothing by each lane, looked at together. False: something is unusual.
static bool
begin_words(Warp *w, const Inst *in, uint32_t mask, const uint64_t *to, const uint64_t *from,
            Step *step)
{
    unsigned bytes = (unsigned)in->operand[2].imm;
    uint32_t full = 0;
    Words target, source;
    FOR_ACTIVE (l, mask) {
        uint64_t given = given_bytes(w, in, l);
        full |= (uint32_t)(given == bytes) << l;
        if ((given && given != bytes) || to[l] & ~WINDOW_MASK)
            return false;
    }
    if (!ptx_find_words(w, SPACE_SHARED, mask, to, bytes, true, &target) || target.race.repeated ||
        (full && !ptx_find_words(w, SPACE_GLOBAL, full, from, bytes, false, &source)))
        return false;
    *step = STEP_STOP;
    if (full && source.race.cells && !ptx_race_read_words(w, in, full, &source.race))
        return true;
    if (target.race.cells && !ptx_race_write_words(w, in, &target.race, NULL, NULL))
        return true;
    FOR_ACTIVE (l, mask) {
        uint64_t at = target.race.offsets[l];
        bool is_full = full >> l & 1;
        Place place = {.data = target.data + at,
                       .written = target.written + at,
                       .cells = target.race.cells ? target.race.cells + at / 4 : NULL};
        put_copy(w, in, l, is_full ? bytes : 0, &place,
                 is_full ? source.data + source.race.offsets[l] : NULL);
    }
    *step = STEP_NEXT;
    return true;
}

Step
ptx_copy_async(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t to[LANES], from[LANES];
    Step step;
    copies_of(w);
    ptx_addresses(w, &in->operand[0], to);
    ptx_addresses(w, &in->operand[1], from);
    if (!begin_words(w, in, mask, to, from, &step)) {
        step = STEP_NEXT;
        FOR_ACTIVE (l, mask)
            if (!begin_copy(w, in, l, to[l], from[l]))
                return STEP_STOP;
    }
    ptx_count_shared(w, to, mask, (unsigned)in->operand[2].imm);
    ptx_count_global(w, from, mask, (unsigned)in->operand[2].imm);
    return step;
}

Step
ptx_copy_commit(Warp *w, const Inst *in, uint32_t mask)
{
    (void)in;
    Copies *copies = copies_of(w);
    FOR_ACTIVE (l, mask)
        copies->open[l]++;
    return STEP_NEXT;
}

// Copies of the lanes that are in a group with at most `keep` behind it; all with `keep` < 0.
static void
finish(Warp *w, uint32_t mask, int64_t keep)
{
    Copies *copies = copies_of(w);
    size_t kept = 0;
    for (size_t i = 0; i < copies->all.size; i++) {
        Copy *copy = &copies->all.data[i];
        bool over = keep < 0 || (int64_t)copy->group < (int64_t)copies->open[copy->lane] - keep;
        if (!(mask >> copy->lane & 1) || !over) {
            copies->all.data[kept++] = *copy;
            continue;
        }
        perform(copy);
        if (copy->cells)
            ptx_race_settle(w, copy->lane, copy->pc, copy->cells, 0, copy->bytes, false);
    }
    copies->all.size = kept;
}

Step
ptx_copy_wait(Warp *w, const Inst *in, uint32_t mask)
{
    bool all = in->operand[0].kind == OPERAND_NONE;
    finish(w, mask, all ? -1 : (int64_t)in->operand[0].imm);
    return STEP_NEXT;
}

// The mbarrier counts that the lane's copies are there. in->flags & 1: .noinc.
Step
ptx_copy_arrive(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t addresses[LANES];
    Arrivals arrivals = {mask, addresses, 0};
    ptx_addresses(w, &in->operand[0], addresses);
    finish(w, mask, -1);
    FOR_ACTIVE (l, mask) {
        uint32_t number;
        Mbarrier *m = ptx_find_mbarrier(w, in, l, addresses[l], &number);
        if (!m)
            return STEP_STOP;
        if (!(in->flags & 1))
            m->pending++;
        ptx_mbarrier_arrive(w, l, m, 1, &arrivals);
    }
    return STEP_NEXT;
}

bool
ptx_copies_finish(Warp *w, uint32_t mask)
{
    if (w->copies)
        finish(w, mask, -1);
    return true;
}

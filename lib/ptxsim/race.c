// race.c -- vector clocks by warp, epochs by lane (after FastTrack: Flanagan & Freund, PLDI 2009).
//
// A warp's clock counts its releases and its barriers. Lanes of one warp are ordered by what makes
// them wait for each other; so a warp's entry says how far all lanes have come ("all"), and how far
// those that have released (Know).
#include "race.h"

#include "exec.h"
#include "launch.h"

static uint64_t
field(uint64_t epoch, unsigned at, unsigned bits)
{
    return epoch >> at & ((UINT64_C(1) << bits) - 1);
}

static unsigned
epoch_bytes(uint64_t epoch)
{
    return (unsigned)field(epoch, EPOCH_BYTES_AT, 4);
}

static uint64_t
load(const uint64_t *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static void
store(uint64_t *at, uint64_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

static uint64_t
make_epoch(const Warp *w, const Inst *in, unsigned lane, unsigned bytes, unsigned flags)
{
    uint32_t pc = ptx_pc_of(w, in), clock = w->clock < CLOCK_SATURATED ? w->clock : CLOCK_SATURATED;
    return (uint64_t)w->block->number << EPOCH_BLOCK_AT | (uint64_t)w->index << EPOCH_WARP_AT |
           (uint64_t)lane << EPOCH_LANE_AT | (uint64_t)clock << EPOCH_CLOCK_AT |
           (uint64_t)(pc < 0xffff ? pc : 0xffff) << EPOCH_PC_AT |
           (uint64_t)bytes << EPOCH_BYTES_AT | flags;
}

// The warp of an epoch, counted in `w`'s cluster; -1: of another cluster.
static int64_t
warp_of(const Warp *w, uint64_t epoch)
{
    const Cluster *c = w->block->cluster;
    uint32_t first = c->number * c->num_blocks;
    uint32_t rank = ((uint32_t)field(epoch, EPOCH_BLOCK_AT, 17) - first) & 0x1ffff;
    if (rank >= c->num_blocks)
        return -1;
    return rank * w->block->num_warps + (int64_t)field(epoch, EPOCH_WARP_AT, 5);
}

static bool
is_before(const Warp *w, unsigned lane, uint64_t epoch, bool was_write, const Clock *clock)
{
    uint32_t at = (uint32_t)field(epoch, EPOCH_CLOCK_AT, 14);
    if (at == CLOCK_PENDING)
        return false;
    int64_t warp = warp_of(w, epoch);
    if (warp < 0)
        return false;
    unsigned other = (unsigned)field(epoch, EPOCH_LANE_AT, 5);
    if (was_write && epoch & EPOCH_ASYNC) {
        uint32_t mbarrier = (uint32_t)field(epoch, EPOCH_LANE_AT, 10);
        // Phases are counted modulo the field: near ones are told apart.
        return clock->phases && ((clock->phases[mbarrier] - at) & 0x3fff) < 0x2000;
    }
    if (at == CLOCK_SATURATED)
        return true;
    const Know *know = &clock->warps[warp];
    if (warp == w->index_all && clock == &w->seen)
        return other == lane || (epoch & EPOCH_MANY && epoch_bytes(epoch) != 0xf) ||
               at < know->all || w->clock >= CLOCK_SATURATED;
    return at < know->all || (at <= know->some && know->lanes >> other & 1);
}

static void
tell_race(Warp *w, const Inst *in, unsigned lane, uint64_t epoch, bool is_write, bool was_write,
          const char *why)
{
    uint32_t pc = (uint32_t)field(epoch, EPOCH_PC_AT, 16);
    unsigned thread =
        (unsigned)(field(epoch, EPOCH_WARP_AT, 5) * LANES + field(epoch, EPOCH_LANE_AT, 5));
    uint32_t block[3], tid[3];
    ptx_block_of(w->block->cluster->run, (uint32_t)field(epoch, EPOCH_BLOCK_AT, 17), block);
    ptx_thread_of(w->block->cluster->run, thread, tid);
    ptx_fail(w, in, lane, "%s: it %s what another instruction %s", why,
             is_write ? "writes" : "reads", was_write ? "writes" : "reads");
    if (was_write && epoch & EPOCH_ASYNC)
        ptx_fail_note(w, pc,
                      "the other one, done with an mbarrier that this thread has not waited for");
    else
        ptx_fail_note(w, pc, "the other one, by thread (%u,%u,%u) of block (%u,%u,%u)%s", tid[0],
                      tid[1], tid[2], block[0], block[1], block[2],
                      field(epoch, EPOCH_CLOCK_AT, 14) == CLOCK_PENDING ? ", still in flight" : "");
}

static const char data_race[] = "data race";
static const char no_fence[] = "no fence.proxy.async orders it";

// A read by `lane` meets the last write, or a write the last write and read. `clock`: what is
// known.
static bool
check_cell(Warp *w, const Inst *in, unsigned lane, const Cell *cell, unsigned bytes, bool is_write,
           bool is_strong, bool same_value)
{
    uint64_t write = load(&cell->write);
    if (write && epoch_bytes(write) & bytes && !(is_strong && write & EPOCH_ATOMIC) &&
        !is_before(w, lane, write, true, &w->seen) &&
        !(is_write && same_value && warp_of(w, write) == w->index_all && !(write & EPOCH_ASYNC) &&
          field(write, EPOCH_CLOCK_AT, 14) != CLOCK_PENDING)) {
        tell_race(w, in, lane, write, is_write, true, data_race);
        return false;
    }
    if (!is_write)
        return true;
    uint64_t read = load(&cell->read);
    if (read && epoch_bytes(read) & bytes && !(is_strong && read & EPOCH_ATOMIC)) {
        // Several lanes of one warp have read: the writer is one of them, or waits for them.
        bool others = read & EPOCH_MANY && warp_of(w, read) == w->index_all;
        if (others ? field(read, EPOCH_CLOCK_AT, 14) >= w->seen.warps[w->index_all].all
                   : !is_before(w, lane, read, false, &w->seen)) {
            tell_race(w, in, lane, read, true, false, data_race);
            return false;
        }
    }
    return true;
}

static void
note_read(const Warp *w, unsigned lane, Cell *cell, uint64_t epoch)
{
    uint64_t old = load(&cell->read);
    if (!old) {
        store(&cell->read, epoch);
        return;
    }
    const uint64_t who = ~UINT64_C(0) << EPOCH_WARP_AT, clock = UINT64_C(0x3fff) << EPOCH_CLOCK_AT;
    if (((old ^ epoch) & (who | clock)) == 0) { // the same warp at the same clock
        uint64_t many = (old ^ epoch) >> EPOCH_LANE_AT & 31 ? EPOCH_MANY : 0;
        uint64_t merged = epoch | many | (old & (EPOCH_MANY | UINT64_C(15) << EPOCH_BYTES_AT));
        if (!(old & EPOCH_ATOMIC))
            merged &= ~(uint64_t)EPOCH_ATOMIC;
        if (merged != old)
            store(&cell->read, merged);
        return;
    }
    // A reader that this one does not know of stays: a writer that knows of it need not know of
    // this one, but then one of the two races is found.
    if (is_before(w, lane, old, false, &w->seen))
        store(&cell->read, epoch);
}

static void
note_write(Cell *cell, uint64_t epoch, unsigned bytes)
{
    uint64_t old = load(&cell->write);
    const uint64_t kept = ~UINT64_C(0) << EPOCH_WARP_AT | UINT64_C(0x3fff) << EPOCH_CLOCK_AT |
                          UINT64_C(0xffff) << EPOCH_PC_AT | EPOCH_ATOMIC | EPOCH_ASYNC;
    if (bytes != 0xf && old && ((old ^ epoch) & kept) == 0)
        epoch |= EPOCH_MANY | (old & UINT64_C(15) << EPOCH_BYTES_AT);
    store(&cell->write, epoch);
    uint64_t read = load(&cell->read);
    if (!read)
        return;
    if ((epoch_bytes(read) & ~bytes) == 0)
        store(&cell->read, 0);
    else
        store(&cell->read, read & ~((uint64_t)bytes << EPOCH_BYTES_AT));
}

bool
ptx_race_access(Warp *w, const Inst *in, unsigned lane, Cell *cells, unsigned offset,
                unsigned num_bytes, AccessKind kind, bool same_value)
{
    bool is_write = kind != ACCESS_READ && kind != ACCESS_STRONG_READ;
    bool is_strong = kind >= ACCESS_UPDATE;
    for (unsigned begin = offset, end = offset + num_bytes; begin < end;) {
        Cell *cell = &cells[begin / 4];
        unsigned stop = (begin | 3) + 1 < end ? (begin | 3) + 1 : end;
        unsigned bytes = ((1u << (stop - begin)) - 1) << (begin & 3);
        if (!check_cell(w, in, lane, cell, bytes, is_write, is_strong, same_value))
            return false;
        uint64_t epoch = make_epoch(w, in, lane, bytes, is_strong ? EPOCH_ATOMIC : 0);
        if (is_write)
            note_write(cell, epoch, bytes);
        else
            note_read(w, lane, cell, epoch);
        begin = stop;
    }
    return true;
}

// --- whole words

enum { MASK_OF_BLOCK = 0x1ffff };
static const uint64_t of_lane = ~UINT64_C(0) << EPOCH_LANE_AT;

// What the warp knows of the warp of an epoch, if that is of its own block and done at a clock that
// counts as usual; else NULL.
static const Know *
known_of(const Warp *w, uint64_t epoch, uint32_t *clock)
{
    *clock = (uint32_t)field(epoch, EPOCH_CLOCK_AT, 14);
    if (epoch & EPOCH_ASYNC || *clock >= CLOCK_SATURATED ||
        epoch >> EPOCH_BLOCK_AT != (w->block->number & MASK_OF_BLOCK))
        return NULL;
    return &w->seen.warps[w->block->rank * w->block->num_warps + field(epoch, EPOCH_WARP_AT, 5)];
}

// Whether all lanes of the warp know of the epoch's access.
static bool
all_know(const Warp *w, uint64_t epoch)
{
    uint32_t clock;
    const Know *know = known_of(w, epoch, &clock);
    return know && clock < know->all;
}

// The lane's own one, and done.
static bool
is_own(uint64_t old, uint64_t epoch)
{
    const uint64_t clock = UINT64_C(0x3fff) << EPOCH_CLOCK_AT;
    return ((old ^ epoch) & of_lane) == 0 && !(old & EPOCH_ASYNC) && (old & clock) != clock;
}

// As check_cell and note_read do it, in the usual cases; false: it is another, and nothing is done.
static bool
read_quickly(const Warp *w, Cell *cell, uint64_t epoch, bool is_repeated)
{
    const uint64_t clock = UINT64_C(0x3fff) << EPOCH_CLOCK_AT, warp = ~UINT64_C(0) << EPOCH_WARP_AT;
    uint64_t write = load(&cell->write), read = load(&cell->read);
    if (write && !all_know(w, write) && (is_repeated || !is_own(write, epoch)))
        return false;
    epoch |= is_repeated ? EPOCH_MANY : 0;
    if (!read) {
        store(&cell->read, epoch);
        return true;
    }
    if ((read ^ epoch) & (warp | clock)) { // somebody else's, or of before
        uint32_t at;
        const Know *know = known_of(w, read, &at);
        if (!know || (at >= know->all && at <= know->some))
            return false;
        if (at < know->all)
            store(&cell->read, epoch);
        else if (((read ^ epoch) & warp) == 0)
            return false;
        return true;
    }
    if (read & EPOCH_ATOMIC)
        return false;
    uint64_t merged = epoch | (read & EPOCH_MANY) | ((read ^ epoch) & of_lane ? EPOCH_MANY : 0);
    if (merged != read)
        store(&cell->read, merged);
    return true;
}

static bool
read_slowly(Warp *w, const Inst *in, uint32_t mask, const RaceWords *words, unsigned first,
            Cell *cell)
{
    FOR_ACTIVE (l, mask)
        if (words->same[l] == first && !ptx_race_access(w, in, l, cell, 0, 4, ACCESS_READ, false))
            return false;
    return true;
}

bool
ptx_race_read_words(Warp *w, const Inst *in, uint32_t mask, const RaceWords *words)
{
    uint64_t base = make_epoch(w, in, 0, 0xf, 0);
    for (uint32_t left = words->first; left; left &= left - 1) {
        unsigned l = first_lane(left);
        uint64_t epoch = base | (uint64_t)l << EPOCH_LANE_AT;
        Cell *cell = &words->cells[words->offsets[l] / 4];
        for (unsigned k = 0; k < words->num_bytes / 4; k++, cell++)
            if (!read_quickly(w, cell, epoch, words->repeated >> l & 1) &&
                !read_slowly(w, in, mask, words, l, cell))
                return false;
    }
    return true;
}

// What came before must be known, and for another proxy be fenced.
static bool
check_async(Warp *w, const Inst *in, unsigned lane, const Cell *cell, unsigned bytes, bool is_write,
            const AsyncTag *tag)
{
    if (!check_cell(w, in, lane, cell, bytes, is_write, tag->atomic, false))
        return false;
    if (!tag->proxy || w->block->cluster->run->launch->no_proxies)
        return true;
    uint64_t write = load(&cell->write), read = load(&cell->read);
    bool strict = w->block->cluster->run->launch->strict_proxies;
    if (write && epoch_bytes(write) & bytes && !(write & EPOCH_ASYNC) &&
        !(tag->atomic && write & EPOCH_ATOMIC) && !is_before(w, lane, write, true, &w->fenced)) {
        tell_race(w, in, lane, write, is_write, true, no_fence);
        return false;
    }
    if (strict && is_write && read && epoch_bytes(read) & bytes && !(read & EPOCH_ASYNC) &&
        !is_before(w, lane, read, false, &w->fenced)) {
        tell_race(w, in, lane, read, true, false, no_fence);
        return false;
    }
    return true;
}

bool
ptx_race_async(Warp *w, const Inst *in, unsigned lane, Cell *cells, unsigned offset,
               uint64_t num_bytes, bool is_write, const AsyncTag *tag)
{
    const uint64_t place = UINT64_C(0xffffff) << EPOCH_CLOCK_AT; // clock, lane, warp
    for (uint64_t begin = offset, end = offset + num_bytes; begin < end;) {
        Cell *cell = &cells[begin / 4];
        uint64_t stop = (begin | 3) + 1 < end ? (begin | 3) + 1 : end;
        unsigned bytes = ((1u << (stop - begin)) - 1) << (begin & 3);
        if (!check_async(w, in, lane, cell, bytes, is_write, tag))
            return false;
        uint64_t epoch = make_epoch(w, in, lane, bytes, tag->atomic ? EPOCH_ATOMIC : 0);
        if (tag->by_phase)
            epoch = (epoch & ~place) | EPOCH_ASYNC |
                    (uint64_t)(tag->phase & 0x3fff) << EPOCH_CLOCK_AT |
                    (uint64_t)tag->mbarrier << EPOCH_LANE_AT;
        else if (tag->pending)
            epoch |= UINT64_C(0x3fff) << EPOCH_CLOCK_AT;
        if (tag->proxy && !is_write)
            epoch |= EPOCH_ASYNC;
        if (is_write)
            note_write(cell, epoch, bytes);
        else
            store(&cell->read, epoch);
        begin = stop;
    }
    return true;
}

// As check_cell and note_write do it. `flight`: bits of one that is not over.
static bool
write_quickly(const Warp *w, Cell *cell, uint64_t epoch, uint64_t flight)
{
    uint64_t write = load(&cell->write), read = load(&cell->read);
    if (write && !is_own(write, epoch) && !all_know(w, write))
        return false;
    if (read && !all_know(w, read) && (read & EPOCH_MANY || !is_own(read, epoch)))
        return false;
    store(&cell->write, epoch | flight);
    if (read)
        store(&cell->read, 0);
    return true;
}

// A write of four bytes that the quick way does not take. `values`: NULL for a copy.
static bool
write_slowly(Warp *w, const Inst *in, unsigned lane, Cell *cell, const uint8_t *data,
             const uint8_t *values)
{
    static const AsyncTag copy = {.pending = true};
    return values ? ptx_race_access(w, in, lane, cell, 0, 4, ACCESS_WRITE,
                                    memcmp(data, values, 4) == 0)
                  : ptx_race_async(w, in, lane, cell, 0, 4, true, &copy);
}

bool
ptx_race_write_words(Warp *w, const Inst *in, const RaceWords *words, const uint8_t *data,
                     const uint8_t *values)
{
    uint64_t base = make_epoch(w, in, 0, 0xf, 0);
    uint64_t flight = values ? 0 : (uint64_t)CLOCK_PENDING << EPOCH_CLOCK_AT;
    for (uint32_t left = words->first; left; left &= left - 1) {
        unsigned l = first_lane(left);
        uint64_t epoch = base | (uint64_t)l << EPOCH_LANE_AT, offset = words->offsets[l];
        for (unsigned k = 0; k < words->num_bytes; k += 4) {
            Cell *cell = &words->cells[(offset + k) / 4];
            if (!write_quickly(w, cell, epoch, flight) &&
                !write_slowly(w, in, l, cell, values ? data + offset + k : NULL,
                              values ? values + 32 * l + k : NULL))
                return false;
        }
    }
    return true;
}

void
ptx_race_settle(const Warp *w, unsigned lane, uint32_t pc, Cell *cells, unsigned offset,
                uint64_t num_bytes, bool for_all)
{
    const uint64_t pending = UINT64_C(0x3fff) << EPOCH_CLOCK_AT;
    const uint64_t same = ~UINT64_C(0) << EPOCH_LANE_AT | UINT64_C(0xffff) << EPOCH_PC_AT;
    uint64_t mine = make_epoch(w, &w->kernel->code.data[pc], lane, 0, 0);
    uint64_t now = for_all ? (uint64_t)CLOCK_SATURATED << EPOCH_CLOCK_AT : mine & pending;
    for (uint64_t i = offset / 4; i < (offset + num_bytes + 3) / 4; i++) {
        uint64_t *epochs[] = {&cells[i].write, &cells[i].read};
        for (unsigned k = 0; k < 2; k++) {
            uint64_t epoch = load(epochs[k]);
            if ((epoch & pending) == pending && ((epoch ^ mine) & same) == 0)
                store(epochs[k], (epoch & ~pending) | now);
        }
    }
}

// --- clocks

size_t
ptx_clock_bytes(const MlcPtxEntry *kernel, unsigned num_warps)
{
    size_t phases = kernel->uses_mbarriers ? MAX_MBARRIERS * sizeof(uint32_t) : 0;
    return num_warps * sizeof(Know) + phases;
}

uint8_t *
ptx_clock_place(const MlcPtxEntry *kernel, unsigned num_warps, Clock *clock, uint8_t *at)
{
    clock->warps = (Know *)at;
    at += num_warps * sizeof(Know);
    clock->phases = kernel->uses_mbarriers ? (uint32_t *)at : NULL;
    return at + (kernel->uses_mbarriers ? MAX_MBARRIERS * sizeof(uint32_t) : 0);
}

static void
join_know(Know *into, Know from)
{
    uint32_t all = into->all > from.all ? into->all : from.all;
    if (into->lanes == 0 || (from.lanes == into->lanes && from.some > into->some) ||
        into->some < from.all) {
        into->some = from.some;
        into->lanes = from.lanes;
    } else if (from.lanes && from.some >= into->all) {
        into->some = into->some > from.some ? into->some : from.some;
        into->lanes |= from.lanes;
    }
    into->all = all;
}

void
ptx_clock_join(const Cluster *c, Clock *into, const Clock *from)
{
    for (unsigned i = 0; i < c->num_warps; i++)
        join_know(&into->warps[i], from->warps[i]);
    if (into->phases)
        for (unsigned i = 0; i < MAX_MBARRIERS; i++)
            if (into->phases[i] < from->phases[i])
                into->phases[i] = from->phases[i];
}

void
ptx_clock_clear(const Cluster *c, Clock *clock)
{
    memset(clock->warps, 0, c->num_warps * sizeof *clock->warps);
    if (clock->phases)
        memset(clock->phases, 0, MAX_MBARRIERS * sizeof *clock->phases);
}

void
ptx_clock_copy(const Cluster *c, Clock *to, const Clock *from)
{
    memcpy(to->warps, from->warps, c->num_warps * sizeof *to->warps);
    if (to->phases)
        memcpy(to->phases, from->phases, MAX_MBARRIERS * sizeof *to->phases);
}

void
ptx_release(Warp *w, uint32_t mask, Clock *seen, Clock *fenced)
{
    const Cluster *c = w->block->cluster;
    bool whole = (mask & w->live) == w->live;
    Know own = w->seen.warps[w->index_all];
    Know given = {whole ? w->clock + 1 : own.all, w->clock, mask};
    ptx_clock_join(c, seen, &w->seen);
    join_know(&seen->warps[w->index_all], given);
    if (fenced)
        ptx_clock_join(c, fenced, &w->fenced);
    w->clock++;
}

void
ptx_acquire(Warp *w, const Clock *seen, const Clock *fenced)
{
    const Cluster *c = w->block->cluster;
    Know own = w->seen.warps[w->index_all];
    if (own.all < seen->warps[w->index_all].all) // all its lanes have released together
        own.all = seen->warps[w->index_all].all;
    ptx_clock_join(c, &w->seen, seen);
    w->seen.warps[w->index_all] = own;
    if (fenced)
        ptx_clock_join(c, &w->fenced, fenced);
}

void
ptx_warp_sync(Warp *w)
{
    w->clock++;
    w->seen.warps[w->index_all].all = w->clock;
}

void
ptx_proxy_fence(Warp *w, uint32_t mask)
{
    Know own = w->seen.warps[w->index_all];
    ptx_clock_join(w->block->cluster, &w->fenced, &w->seen);
    Know *fenced = &w->fenced.warps[w->index_all];
    *fenced = (Know){own.all, w->clock, mask | (fenced->some == w->clock ? fenced->lanes : 0)};
    if ((fenced->lanes & w->live) == w->live)
        fenced->all = w->clock + 1;
    w->clock++;
}

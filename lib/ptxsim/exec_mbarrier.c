// exec_mbarrier.c -- mbarriers: arrivals and bytes are counted, a phase is complete when none of
// either is left to come.
//
// The object's state is kept beside shared memory; the 8 bytes there count as read by everything
// but init, so that an init that nothing orders is a race. A wait learns what all knew that arrived
// in the phase, and that the phase's copies are there.
#include "exec.h"
#include "exec_async.h"
#include "exec_warp.h"
#include "launch.h"

enum { MAX_TRIES = 16 }; // that a warp's waits give up in a row

static Mbarrier *
find(Cluster *c, uint32_t rank, uint32_t offset, uint32_t *number)
{
    for (unsigned i = 0; i < c->mbarriers->num; i++) {
        Mbarrier *m = &c->mbarriers->all[i];
        if (m->rank == rank && m->offset == offset) {
            *number = i;
            return m;
        }
    }
    return NULL;
}

static void
split_address(const Warp *w, uint64_t address, uint32_t *rank, uint32_t *offset)
{
    address &= WINDOW_MASK;
    uint64_t block = address >> RANK_SHIFT;
    *rank = block ? (uint32_t)block - 1 : w->block->rank;
    *offset = (uint32_t)(address & ((1u << RANK_SHIFT) - 1));
}

Mbarrier *
ptx_find_mbarrier(Warp *w, const Inst *in, unsigned lane, uint64_t address, uint32_t *number)
{
    uint32_t rank, offset;
    Place place;
    split_address(w, address, &rank, &offset);
    if (!ptx_resolve(w, in, lane, SPACE_SHARED, address & WINDOW_MASK, 8, 8, false, &place))
        return NULL;
    Mbarrier *m = find(w->block->cluster, rank, offset, number);
    if (!m || !m->is_valid) {
        ptx_fail(w, in, lane, "there is no mbarrier at 0x%x", offset);
        return NULL;
    }
    return place.cells && !ptx_race_access(w, in, lane, place.cells, place.offset, 8,
                                           ACCESS_STRONG_READ, false)
               ? NULL
               : m;
}

static Mbarrier *
add_mbarrier(Cluster *c)
{
    if (c->mbarriers->num == MAX_MBARRIERS)
        return NULL;
    Mbarrier *m = &c->mbarriers->all[c->mbarriers->num++];
    if (!m->memory) {
        size_t bytes = (ptx_clock_bytes(c->run->kernel, c->num_warps) + 63) & ~(size_t)63;
        m->memory = mlc_calloc(4, bytes);
        Clock *clocks[] = {&m->seen, &m->fenced, &m->given_seen, &m->given_fenced};
        for (unsigned i = 0; i < 4; i++)
            ptx_clock_place(c->run->kernel, c->num_warps, clocks[i], m->memory + i * bytes);
    }
    return m;
}

static bool
init(Warp *w, const Inst *in, unsigned lane, uint64_t address, uint64_t count)
{
    Cluster *c = w->block->cluster;
    uint32_t rank, offset, number;
    Place place;
    split_address(w, address, &rank, &offset);
    if (!ptx_resolve(w, in, lane, SPACE_SHARED, address & WINDOW_MASK, 8, 8, true, &place) ||
        (place.cells &&
         !ptx_race_access(w, in, lane, place.cells, place.offset, 8, ACCESS_WRITE, false)))
        return false;
    Mbarrier *m = find(c, rank, offset, &number);
    if (m && m->is_valid)
        return ptx_fail(w, in, lane, "there is an mbarrier at 0x%x already", offset), false;
    if (count == 0 || count >= 1 << 20)
        return ptx_fail(w, in, lane, "an mbarrier for %" PRIu64 " arrivals", count), false;
    if (!m)
        m = add_mbarrier(c);
    if (!m)
        return ptx_fail(w, in, lane, "more than %d mbarriers", MAX_MBARRIERS), false;
    m->rank = rank;
    m->offset = offset;
    m->is_valid = true;
    m->count = m->pending = (uint32_t)count;
    m->bytes = 0;
    ptx_clock_clear(c, &m->seen);
    ptx_clock_clear(c, &m->fenced);
    memset(place.written, 1, 8);
    return true;
}

static void
check_phase(Cluster *c, Mbarrier *m)
{
    if (m->pending || m->bytes)
        return;
    m->phases++;
    m->pending = m->count;
    ptx_clock_copy(c, &m->given_seen, &m->seen);
    ptx_clock_copy(c, &m->given_fenced, &m->fenced);
    ptx_clock_clear(c, &m->seen);
    ptx_clock_clear(c, &m->fenced);
    c->progress++;
}

void
ptx_mbarrier_bytes(Cluster *c, Mbarrier *m, int64_t num_bytes)
{
    m->bytes -= num_bytes;
    check_phase(c, m);
}

void
ptx_mbarrier_arrive(Warp *w, unsigned lane, Mbarrier *m, uint32_t count, Arrivals *arrivals)
{
    if (!(arrivals->given >> lane & 1)) {
        uint32_t together = 0;
        FOR_ACTIVE (l, arrivals->mask & ~0u << lane)
            together |= (uint32_t)(arrivals->addresses[l] == arrivals->addresses[lane]) << l;
        ptx_release(w, together, &m->seen, &m->fenced);
        arrivals->given |= together;
    }
    m->pending -= count;
    uint32_t phases = m->phases;
    check_phase(w->block->cluster, m);
    if (m->phases != phases) // later lanes arrive in the next one
        arrivals->given = 0;
}

static bool
arrive(Warp *w, const Inst *in, unsigned lane, Arrivals *arrivals)
{
    uint32_t number;
    Mbarrier *m = ptx_find_mbarrier(w, in, lane, arrivals->addresses[lane], &number);
    if (!m)
        return false;
    bool expects = in->flags & MBARRIER_EXPECTS;
    uint64_t value = in->operand[2].kind == OPERAND_NONE ? 1 : get_lane(w, &in->operand[2], lane);
    uint32_t count = expects || in->variant >= MBARRIER_EXPECT ? 1 : (uint32_t)value;
    put_lane(w, &in->operand[0], lane, m->phases);
    if (in->variant == MBARRIER_COMPLETE) {
        ptx_mbarrier_bytes(w->block->cluster, m, (int64_t)value);
        return true;
    }
    if (expects || in->variant == MBARRIER_EXPECT)
        m->bytes += (int64_t)value;
    if (m->bytes >= 1 << 20)
        return ptx_fail(w, in, lane, "the mbarrier at 0x%x expects %" PRId64 " bytes", m->offset,
                        m->bytes),
               false;
    if (in->variant == MBARRIER_EXPECT)
        return true;
    if (count > m->pending)
        return ptx_fail(w, in, lane, "more arrivals than the %u that the mbarrier at 0x%x is for",
                        m->count, m->offset),
               false;
    if (in->flags & MBARRIER_NO_COMPLETE && count == m->pending)
        return ptx_fail(w, in, lane,
                        "an arrival with .noComplete ends a phase of the mbarrier at 0x%x",
                        m->offset),
               false;
    if (in->variant == MBARRIER_ARRIVE_DROP)
        m->count -= count;
    if (in->flags & MBARRIER_RELAXED) {
        m->pending -= count;
        check_phase(w->block->cluster, m);
    } else {
        ptx_mbarrier_arrive(w, lane, m, count, arrivals);
    }
    return true;
}

Step
ptx_mbarrier(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t addresses[LANES];
    Arrivals arrivals = {mask, addresses, 0};
    ptx_addresses(w, &in->operand[1], addresses);
    FOR_ACTIVE (l, mask) {
        bool ok;
        uint32_t number;
        if (in->variant == MBARRIER_INIT) {
            ok = init(w, in, l, addresses[l], get_lane(w, &in->operand[2], l));
        } else if (in->variant == MBARRIER_INVAL) {
            Mbarrier *m = ptx_find_mbarrier(w, in, l, addresses[l], &number);
            ok = m != NULL;
            if (ok)
                m->is_valid = false;
        } else {
            ok = arrive(w, in, l, &arrivals);
        }
        if (!ok)
            return STEP_STOP;
    }
    return STEP_NEXT;
}

Step
ptx_mbarrier_wait(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t addresses[LANES];
    uint32_t done = 0;
    Cluster *c = w->block->cluster;
    ptx_addresses(w, &in->operand[1], addresses);
    FOR_ACTIVE (l, mask) {
        uint32_t number;
        Mbarrier *m = ptx_find_mbarrier(w, in, l, addresses[l], &number);
        if (!m)
            return STEP_STOP;
        uint64_t asked = get_lane(w, &in->operand[2], l);
        bool is_done =
            in->flags & MBARRIER_BY_PARITY ? (m->phases & 1) != (asked & 1) : m->phases > asked;
        if (!is_done) {
            w->waits_for = in->flags & MBARRIER_BY_PARITY && asked & 1
                               ? "a phase of odd parity of the mbarrier at 0x"
                               : "a phase of the mbarrier at 0x";
            w->waits_at = m->offset;
            continue;
        }
        done |= 1u << l;
        if (in->flags & MBARRIER_RELAXED)
            continue;
        ptx_acquire(w, &m->given_seen, &m->given_fenced);
        if (w->seen.phases[number] < m->phases)
            w->seen.phases[number] = m->phases;
    }
    // A try may give up, and then says no; mostly it waits, and after some in a row always: who
    // tries for ever is told to wait for ever.
    bool waits = in->flags & MBARRIER_TRIES &&
                 (!c->random || w->num_tries >= MAX_TRIES || ptx_random(c, 4) > 0);
    if (done != mask && waits)
        return STEP_WAIT;
    w->num_tries = done == mask ? 0 : w->num_tries + 1;
    put_pred(w, &in->operand[0], mask, done);
    return STEP_NEXT;
}

// exec_warp.c -- barriers, and what lanes of a warp tell each other.
#include "exec_warp.h"

#include "exec.h"
#include "launch.h"
#include "race.h"

Step
ptx_converge(Warp *w, const Inst *in, uint32_t mask, uint32_t members)
{
    if (mask & ~members)
        return ptx_fail(w, in, first_lane(mask & ~members),
                        "the lane is not in its own mask 0x%08x", members);
    if ((members & w->live & ~mask) == 0)
        return STEP_NEXT;
    w->waits_for = "lanes of its warp, mask 0x";
    w->waits_at = members & w->live & ~mask;
    return STEP_WAIT;
}

Step
ptx_nothing(Warp *w, const Inst *in, uint32_t mask)
{
    (void)w, (void)in, (void)mask;
    return STEP_NEXT;
}

Step
ptx_trap(Warp *w, const Inst *in, uint32_t mask)
{
    return ptx_fail(w, in, first_lane(mask), "the kernel gives up here");
}

// Time is counted in instructions.
Step
ptx_clock_register(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t now = w->block->cluster->progress;
    FOR_ACTIVE (l, mask)
        put_lane(w, &in->operand[0], l, now);
    return STEP_NEXT;
}

Step
ptx_active_mask(Warp *w, const Inst *in, uint32_t mask)
{
    FOR_ACTIVE (l, mask)
        put_lane(w, &in->operand[0], l, mask);
    return STEP_NEXT;
}

// --- barriers of a block

static uint32_t
needed(const Block *block, const BlockBarrier *barrier)
{
    return barrier->is_counted ? barrier->expected : block->num_live * LANES;
}

static void
finish(Cluster *c, BlockBarrier *barrier)
{
    barrier->arrived = 0;
    barrier->generation++;
    barrier->result = barrier->sum;
    barrier->sum = 0;
    ptx_clock_copy(c, &barrier->given_seen, &barrier->seen);
    ptx_clock_copy(c, &barrier->given_fenced, &barrier->fenced);
    ptx_clock_clear(c, &barrier->seen);
    ptx_clock_clear(c, &barrier->fenced);
}

void
ptx_barriers_after_exit(Block *block)
{
    Cluster *c = block->cluster;
    for (unsigned i = 0; i < MAX_BARRIERS; i++) {
        BlockBarrier *barrier = &block->barriers[i];
        if (barrier->arrived && !barrier->is_counted && barrier->arrived >= needed(block, barrier))
            finish(c, barrier);
    }
    unsigned live = 0;
    for (unsigned i = 0; i < c->num_blocks; i++)
        live += c->blocks[i].num_live;
    if (c->barrier.arrived && c->barrier.arrived >= live * LANES)
        finish(c, &c->barrier);
}

static Step
arrive(Warp *w, const Inst *in, uint32_t mask, BlockBarrier *barrier, uint32_t count)
{
    bool is_counted = count != 0;
    if (barrier->arrived && (barrier->is_counted != is_counted || barrier->expected != count))
        return ptx_fail(w, in, first_lane(mask),
                        "the barrier waits for %u threads, and this asks for %u",
                        barrier->is_counted ? barrier->expected : 0, count);
    barrier->is_counted = is_counted;
    barrier->expected = count;
    barrier->arrived += LANES;
    ptx_release(w, mask, &barrier->seen, &barrier->fenced);
    if (in->variant >= BARRIER_POPC) {
        uint32_t votes = pred_of(w, &in->operand[3]) & mask;
        barrier->sum += in->variant == BARRIER_POPC  ? (uint32_t)__builtin_popcount(votes)
                        : in->variant == BARRIER_AND ? votes != mask
                                                     : votes != 0;
    }
    w->now.token = (uint64_t)barrier->generation + 1;
    if (barrier->arrived >= needed(w->block, barrier))
        finish(w->block->cluster, barrier);
    return STEP_NEXT;
}

static void
put_votes(Warp *w, const Inst *in, uint32_t mask, uint32_t result)
{
    if (in->variant == BARRIER_POPC) {
        FOR_ACTIVE (l, mask)
            put_lane(w, &in->operand[0], l, result);
        return;
    }
    put_pred(w, &in->operand[0], mask, (in->variant == BARRIER_AND) == !result ? ALL_LANES : 0);
}

Step
ptx_barrier(Warp *w, const Inst *in, uint32_t mask)
{
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together != STEP_NEXT)
        return together;
    unsigned first = in->variant >= BARRIER_POPC, lane = first_lane(mask);
    uint64_t id = get_lane(w, &in->operand[first], lane), count = 0;
    if (in->operand[first + 1].kind != OPERAND_NONE)
        count = get_lane(w, &in->operand[first + 1], lane);
    if (id >= MAX_BARRIERS)
        return ptx_fail(w, in, lane, "barrier %" PRIu64 ": there are 16", id);
    if (count % LANES != 0 || count > w->block->num_warps * LANES)
        return ptx_fail(w, in, lane, "%" PRIu64 " threads: expected a multiple of 32, at most %u",
                        count, w->block->num_warps * LANES);
    BlockBarrier *barrier = &w->block->barriers[id];
    if (!w->now.token) {
        Step arrived = arrive(w, in, mask, barrier, (uint32_t)count);
        if (arrived != STEP_NEXT)
            return arrived;
        w->block->cluster->progress++;
    }
    if (in->variant == BARRIER_ARRIVE) {
        w->now.token = 0;
        return STEP_NEXT;
    }
    if (w->now.token == (uint64_t)barrier->generation + 1) {
        w->waits_for = "barrier ";
        w->waits_at = id;
        return STEP_WAIT;
    }
    w->now.token = 0;
    ptx_acquire(w, &barrier->given_seen, &barrier->given_fenced);
    ptx_warp_sync(w);
    if (first)
        put_votes(w, in, mask, barrier->result);
    w->block->cluster->counters.barriers++;
    return STEP_NEXT;
}

Step
ptx_warp_barrier(Warp *w, const Inst *in, uint32_t mask)
{
    Step together =
        ptx_converge(w, in, mask, (uint32_t)get_lane(w, &in->operand[0], first_lane(mask)));
    if (together == STEP_NEXT)
        ptx_warp_sync(w);
    return together;
}

// --- barriers of a cluster

Step
ptx_cluster_arrive(Warp *w, const Inst *in, uint32_t mask)
{
    Cluster *c = w->block->cluster;
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together != STEP_NEXT)
        return together;
    if (w->cluster_token)
        return ptx_fail(w, in, first_lane(mask), "the warp has not waited since it arrived before");
    unsigned live = 0;
    for (unsigned i = 0; i < c->num_blocks; i++)
        live += c->blocks[i].num_live;
    w->cluster_token = (uint64_t)c->barrier.generation + 1;
    c->barrier.arrived += LANES;
    if (!(in->flags & 1)) // .relaxed
        ptx_release(w, mask, &c->barrier.seen, &c->barrier.fenced);
    if (c->barrier.arrived >= live * LANES)
        finish(c, &c->barrier);
    return STEP_NEXT;
}

Step
ptx_cluster_wait(Warp *w, const Inst *in, uint32_t mask)
{
    Cluster *c = w->block->cluster;
    Step together = ptx_converge(w, in, mask, ALL_LANES);
    if (together != STEP_NEXT)
        return together;
    if (!w->cluster_token)
        return ptx_fail(w, in, first_lane(mask),
                        "the warp has not arrived at its cluster's barrier");
    if (w->cluster_token == (uint64_t)c->barrier.generation + 1) {
        w->waits_for = "the barrier of its cluster, phase ";
        w->waits_at = c->barrier.generation;
        return STEP_WAIT;
    }
    w->cluster_token = 0;
    ptx_acquire(w, &c->barrier.given_seen, &c->barrier.given_fenced);
    ptx_warp_sync(w);
    c->counters.barriers++;
    return STEP_NEXT;
}

// --- between lanes

// Operands: d, p, a, b, c, the mask (or nothing).
Step
ptx_shuffle(Warp *w, const Inst *in, uint32_t mask)
{
    uint32_t members = in->operand[5].kind == OPERAND_NONE
                           ? mask
                           : (uint32_t)get_lane(w, &in->operand[5], first_lane(mask));
    Step together = ptx_converge(w, in, mask, members);
    if (together != STEP_NEXT)
        return together;
    const uint32_t *a = lanes_of(w, &in->operand[2]), *b = lanes_of(w, &in->operand[3]),
                   *c = lanes_of(w, &in->operand[4]);
    uint32_t out[LANES], valid = 0, undefined = 0;
    FOR_ACTIVE (l, mask) {
        unsigned lane_b = b[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
        unsigned most = (l & segment) | (clamp & ~segment), least = l & segment;
        int from = (int)l;
        bool ok = true;
        switch (in->variant) {
        case SHUFFLE_UP:
            from = (int)l - (int)lane_b;
            ok = from >= (int)most;
            break;
        case SHUFFLE_DOWN:
            from = (int)(l + lane_b);
            ok = from <= (int)most;
            break;
        case SHUFFLE_BFLY:
            from = (int)(l ^ lane_b);
            ok = from <= (int)most;
            break;
        default:
            from = (int)(least | (lane_b & ~segment));
            ok = from <= (int)most;
            break;
        }
        if (!ok)
            from = (int)l;
        if (!(mask >> from & 1))
            return ptx_fail(w, in, l, "takes its value from lane %d, which does not take part",
                            from);
        out[l] = a[from];
        valid |= (uint32_t)ok << l;
        if (in->operand[2].kind == OPERAND_REG && !(w->ready[in->operand[2].reg] >> from & 1))
            undefined |= 1u << l;
    }
    w->undefined = undefined;
    put32(w, &in->operand[0], mask, out);
    put_pred(w, &in->operand[1], mask, valid);
    return STEP_NEXT;
}

// Operands: d, p, the mask (or nothing).
Step
ptx_vote(Warp *w, const Inst *in, uint32_t mask)
{
    uint32_t members = in->operand[2].kind == OPERAND_NONE
                           ? mask
                           : (uint32_t)get_lane(w, &in->operand[2], first_lane(mask));
    Step together = ptx_converge(w, in, mask, members);
    if (together != STEP_NEXT)
        return together;
    uint32_t votes = pred_of(w, &in->operand[1]) & mask;
    bool result = in->variant == VOTE_ALL   ? votes == mask
                  : in->variant == VOTE_ANY ? votes != 0
                                            : votes == mask || votes == 0;
    if (in->variant == VOTE_BALLOT) {
        FOR_ACTIVE (l, mask)
            put_lane(w, &in->operand[0], l, votes);
        return STEP_NEXT;
    }
    put_pred(w, &in->operand[0], mask, result ? ALL_LANES : 0);
    return STEP_NEXT;
}

// Operands: d, p (or nothing), a, the mask. in->variant: match.all.
Step
ptx_match(Warp *w, const Inst *in, uint32_t mask)
{
    Step together =
        ptx_converge(w, in, mask, (uint32_t)get_lane(w, &in->operand[3], first_lane(mask)));
    if (together != STEP_NEXT)
        return together;
    uint32_t out[LANES], equal = 0;
    FOR_ACTIVE (l, mask) {
        out[l] = 0;
        for (unsigned k = 0; k < LANES; k++)
            if (mask >> k & 1 && get_lane(w, &in->operand[2], k) == get_lane(w, &in->operand[2], l))
                out[l] |= 1u << k;
        if (in->variant && out[l] != mask)
            out[l] = 0;
        equal |= (uint32_t)(out[l] != 0) << l;
    }
    put32(w, &in->operand[0], mask, out);
    put_pred(w, &in->operand[1], mask, equal);
    return STEP_NEXT;
}

static uint32_t
combine(unsigned op, bool is_signed, uint32_t a, uint32_t b)
{
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch (op) {
    case 0:
        return a + b;
    case 1:
        return less ? a : b;
    case 2:
        return less ? b : a;
    case 3:
        return a & b;
    case 4:
        return a | b;
    default:
        return a ^ b;
    }
}

// Operands: d, a, the mask. in->variant: add, min, max, and, or, xor.
Step
ptx_redux(Warp *w, const Inst *in, uint32_t mask)
{
    Step together =
        ptx_converge(w, in, mask, (uint32_t)get_lane(w, &in->operand[2], first_lane(mask)));
    if (together != STEP_NEXT)
        return together;
    const uint32_t *a = lanes_of(w, &in->operand[1]);
    unsigned first = first_lane(mask);
    uint32_t result = a[first];
    FOR_ACTIVE (l, mask)
        if (l != first)
            result = combine(in->variant, ptx_types[in->type].class == CLASS_SIGNED, result, a[l]);
    FOR_ACTIVE (l, mask)
        put_lane(w, &in->operand[0], l, result);
    return STEP_NEXT;
}

// Operands: the lane, p, the mask.
Step
ptx_elect(Warp *w, const Inst *in, uint32_t mask)
{
    Step together =
        ptx_converge(w, in, mask, (uint32_t)get_lane(w, &in->operand[2], first_lane(mask)));
    if (together != STEP_NEXT)
        return together;
    unsigned leader = first_lane(mask);
    FOR_ACTIVE (l, mask)
        put_lane(w, &in->operand[0], l, leader);
    put_pred(w, &in->operand[1], mask, 1u << leader);
    return STEP_NEXT;
}

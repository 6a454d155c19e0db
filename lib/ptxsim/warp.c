// warp.c -- runs the lanes of a warp, in groups that are at one place.
//
// The group that is furthest behind runs first, so that lanes which a branch has parted meet again
// where their ways do. A group that waits stands aside; those that come to its place join it.
#include <stdarg.h>
#include <stdio.h>

#include "exec.h"
#include "exec_warp.h"
#include "launch.h"
#include "race.h"

static void
add_fault(Cluster *c, PtxAt at, bool is_note, char *text)
{
    mlc_vec_push(&c->faults, (Fault){at, is_note, text});
}

Step
ptx_fail(Warp *w, const Inst *in, unsigned lane, const char *format, ...)
{
    Cluster *c = w->block->cluster;
    if (c->failed)
        return STEP_STOP;
    MlcBuf text = {0};
    uint32_t tid[3];
    ptx_thread_of(c->run, w->index * LANES + lane, tid);
    mlc_buf_printf(&text, "'%s' in thread (%u,%u,%u) of block (%u,%u,%u): ", in->name, tid[0],
                   tid[1], tid[2], w->block->id[0], w->block->id[1], w->block->id[2]);
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    mlc_buf_c_str(&text);
    add_fault(c, (PtxAt){in->line, in->column}, false, mlc_buf_take(&text, NULL));
    c->failed = true;
    return STEP_STOP;
}

void
ptx_fail_note(Warp *w, uint32_t pc, const char *format, ...)
{
    const Inst *in = &w->kernel->code.data[pc < w->kernel->code.size ? pc : 0];
    MlcBuf text = {0};
    mlc_buf_printf(&text, "'%s': ", in->name);
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    mlc_buf_c_str(&text);
    add_fault(w->block->cluster, (PtxAt){in->line, in->column}, true, mlc_buf_take(&text, NULL));
}

// --- groups

// Joins groups at the place of the one that runs, and lets the one furthest behind run.
static void
regroup(Warp *w)
{
    unsigned behind = LANES;
    for (unsigned i = 0; i < w->num_others;) {
        Group *other = &w->others[i];
        if (other->pc == w->now.pc && !other->token && !w->now.token) {
            w->now.mask |= other->mask;
            *other = w->others[--w->num_others];
            continue;
        }
        if (!other->blocked && other->pc < w->now.pc &&
            (behind == LANES || other->pc < w->others[behind].pc))
            behind = i;
        i++;
    }
    if (behind < LANES) {
        Group group = w->others[behind];
        w->others[behind] = w->now;
        w->now = group;
        regroup(w); // once: nobody is further behind
        return;
    }
    w->next_pc = UINT32_MAX;
    for (unsigned i = 0; i < w->num_others; i++)
        if (w->others[i].pc > w->now.pc && w->others[i].pc < w->next_pc)
            w->next_pc = w->others[i].pc;
}

// Sets the group that ran aside, and takes one that is not blocked. False: there is none.
static bool
take_another(Warp *w)
{
    if (w->now.mask) {
        w->others[w->num_others++] = w->now;
        w->now.mask = 0;
    }
    unsigned best = LANES;
    for (unsigned i = 0; i < w->num_others; i++)
        if (!w->others[i].blocked && (best == LANES || w->others[i].pc < w->others[best].pc))
            best = i;
    if (best == LANES)
        return false;
    w->now = w->others[best];
    w->others[best] = w->others[--w->num_others];
    regroup(w);
    return true;
}

static bool
check_uses(Warp *w, const Inst *in, uint32_t mask)
{
    const uint32_t *regs = &w->kernel->regs.data[in->uses];
    for (unsigned i = 0; i < in->num_uses; i++) {
        uint32_t missing = mask & ~w->ready[regs[i]];
        if (!missing || (in->copies && !ptx_is_in_flight(w, regs[i])))
            continue;
        ptx_register_fault(w, in, first_lane(missing), regs[i], false);
        return false;
    }
    return true;
}

// Registers that were written may be read; those of a mov as far as its source may.
static void
note_defs(Warp *w, const Inst *in, uint32_t mask)
{
    if (w->matrices)
        ptx_note_dirty(w, in);
    const uint32_t *regs = &w->kernel->regs.data[in->defs];
    if (in->copies) {
        uint32_t ready = ~w->undefined;
        w->undefined = 0;
        const uint32_t *from = &w->kernel->regs.data[in->uses];
        for (unsigned i = 0; i < in->num_uses; i++)
            ready &= w->ready[from[i]];
        for (unsigned i = 0; i < in->num_defs; i++)
            w->ready[regs[i]] = (w->ready[regs[i]] & ~mask) | (ready & mask);
        return;
    }
    for (unsigned i = 0; i < in->num_defs; i++)
        w->ready[regs[i]] |= mask;
}

static void
count(Warp *w, const Inst *in, uint32_t mask)
{
    MlcPtxCounters *counters = &w->block->cluster->counters;
    unsigned lanes = mask == ALL_LANES ? LANES : (unsigned)__builtin_popcount(mask);
    counters->instructions++;
    counters->lane_instructions += lanes;
    if (in->counts & COUNT_FLOAT)
        counters->float_ops += lanes;
}

static uint32_t
guarded(const Warp *w, const Inst *in)
{
    uint32_t bits;
    memcpy(&bits, w->lanes + in->guard_at, sizeof bits);
    return w->now.mask & (in->guard_negated ? ~bits : bits);
}

// One instruction of the group that runs.
static Step
step(Warp *w)
{
    const Inst *in = &w->kernel->code.data[w->now.pc];
    uint32_t mask = w->now.mask;
    if (in->has_guard) {
        uint32_t missing = mask & ~w->ready[in->guard_reg];
        if (missing) {
            ptx_register_fault(w, in, first_lane(missing), in->guard_reg, false);
            return STEP_STOP;
        }
        mask = guarded(w, in);
        if (!mask && !(in->counts & COUNT_BRANCH)) {
            w->now.pc++;
            return STEP_NEXT;
        }
    }
    if ((!in->copies || w->num_in_flight) && !check_uses(w, in, mask))
        return STEP_STOP;
    if (w->num_in_flight && !ptx_check_in_flight(w, in, mask))
        return STEP_STOP;
    Step result = in->exec(w, in, mask);
    if (result == STEP_NEXT || result == STEP_JUMP) {
        count(w, in, mask);
        note_defs(w, in, mask);
    }
    if (result == STEP_NEXT)
        w->now.pc++;
    return result;
}

Step
ptx_run_warp(Warp *w, unsigned num_steps)
{
    Cluster *c = w->block->cluster;
    for (unsigned i = 0; i < w->num_others; i++)
        w->others[i].blocked = false;
    w->now.blocked = false;
    if (!w->now.mask && !take_another(w))
        return w->live ? STEP_WAIT : STEP_NEXT;
    for (unsigned i = 0; i < num_steps; i++) {
        if (w->now.pc >= w->next_pc)
            regroup(w);
        Step result = step(w);
        c->steps++;
        if (result == STEP_STOP)
            return STEP_STOP;
        if (result == STEP_WAIT)
            w->now.blocked = true;
        else
            c->progress++;
        if (result == STEP_JUMP && w->num_others && w->now.mask)
            regroup(w);
        if ((result == STEP_WAIT || !w->now.mask) && !take_another(w))
            return w->live ? STEP_WAIT : STEP_NEXT;
    }
    // Lanes that spin must not keep others from what they spin for.
    if (w->num_others) {
        Group group = w->now;
        group.blocked = true;
        w->now = group;
        take_another(w);
    }
    return STEP_NEXT;
}

void
ptx_leave(Warp *w, uint32_t mask)
{
    w->live &= ~mask;
    w->now.mask &= ~mask;
    if (w->live)
        return;
    w->block->num_live--;
    ptx_barriers_after_exit(w->block);
}

Step
ptx_branch(Warp *w, const Inst *in, uint32_t mask)
{
    uint32_t rest = w->now.mask & ~mask;
    MlcPtxCounters *counters = &w->block->cluster->counters;
    counters->branches++;
    if (!mask) {
        w->now.pc++;
        return STEP_JUMP;
    }
    if (rest) {
        counters->divergent_branches++;
        w->others[w->num_others++] = (Group){.pc = w->now.pc + 1, .mask = rest};
        w->now.mask = mask;
    }
    w->now.pc = in->target;
    return STEP_JUMP;
}

Step
ptx_exit(Warp *w, const Inst *in, uint32_t mask)
{
    Step leaving = ptx_check_exit(w, in, mask);
    if (leaving != STEP_NEXT)
        return leaving;
    w->now.pc++;
    ptx_leave(w, mask);
    return STEP_JUMP;
}

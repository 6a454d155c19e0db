// cluster.c -- the blocks of a cluster and their warps: memory for them, turns, and what is told
// when nobody can go on.
//
// Without a seed warps run in turn, each until it waits. With one, a warp is drawn for each turn,
// and runs for a while that is drawn too: so some are far ahead of others.
#include <stdio.h>

#include "async.h"
#include "exec_async.h"
#include "exec_matrix.h"
#include "cluster.h"
#include "exec.h"
#include "launch.h"
#include "race.h"

enum { TURN = 4096, MAX_WAITS_TOLD = 8 };

// Hands out pieces of one block of memory; counts where there is none yet.
typedef struct Layout {
    uint8_t *memory;
    size_t at;
} Layout;

static void *
piece(Layout *layout, size_t size)
{
    layout->at = (layout->at + 63) & ~(size_t)63;
    void *out = layout->memory ? layout->memory + layout->at : NULL;
    layout->at += size;
    return out;
}

static void
lay_clock(Layout *layout, const Cluster *c, Clock *clock)
{
    uint8_t *at = piece(layout, ptx_clock_bytes(c->run->kernel, c->num_warps));
    if (at)
        ptx_clock_place(c->run->kernel, c->num_warps, clock, at);
}

static void
lay_barrier(Layout *layout, const Cluster *c, BlockBarrier *barrier)
{
    lay_clock(layout, c, &barrier->seen);
    lay_clock(layout, c, &barrier->fenced);
    lay_clock(layout, c, &barrier->given_seen);
    lay_clock(layout, c, &barrier->given_fenced);
}

static void
lay_block(Layout *layout, Cluster *c, Block *block)
{
    const Run *run = c->run;
    const MlcPtxEntry *kernel = run->kernel;
    Warp *warps = piece(layout, run->num_warps * sizeof *warps);
    if (layout->memory)
        block->warps = warps;
    block->shared = piece(layout, run->shared_size);
    block->shared_written = piece(layout, run->shared_size);
    block->cells =
        run->races ? piece(layout, run->shared_size / 4 * sizeof(Cell) + sizeof(Cell)) : NULL;
    for (unsigned i = 0; i < MAX_BARRIERS; i++)
        lay_barrier(layout, c, &block->barriers[i]);
    for (unsigned i = 0; i < run->num_warps; i++) {
        Warp none = {0}, *w = layout->memory ? &block->warps[i] : &none;
        w->lanes = piece(layout, kernel->lane_bytes);
        w->ready = piece(layout, kernel->names.size * sizeof *w->ready);
        w->local = piece(layout, (size_t)kernel->local_bytes * LANES);
        w->local_written = piece(layout, (size_t)kernel->local_bytes * LANES);
        lay_clock(layout, c, &w->seen);
        lay_clock(layout, c, &w->fenced);
    }
}

void
cluster_init(Cluster *c, Run *run)
{
    *c = (Cluster){.run = run};
    c->num_blocks = run->cluster[0] * run->cluster[1] * run->cluster[2];
    c->num_warps = c->num_blocks * run->num_warps;
    c->blocks = mlc_calloc(c->num_blocks, sizeof *c->blocks);
    for (Layout layout = {0};;) {
        for (unsigned i = 0; i < c->num_blocks; i++)
            lay_block(&layout, c, &c->blocks[i]);
        lay_barrier(&layout, c, &c->barrier);
        if (layout.memory)
            break;
        c->memory_size = (layout.at + 63) & ~(size_t)63;
        c->memory = mlc_aligned_alloc(64, c->memory_size + 64);
        memset(c->memory, 0, c->memory_size);
        layout = (Layout){c->memory, 0};
    }
}

void
cluster_release(Cluster *c)
{
    for (size_t i = 0; i < c->faults.size; i++)
        mlc_free(c->faults.data[i].text);
    for (unsigned i = 0; i < c->num_blocks; i++)
        for (unsigned k = 0; k < c->run->num_warps; k++) {
            ptx_release_matrices(&c->blocks[i].warps[k]);
            ptx_copies_release(&c->blocks[i].warps[k]);
        }
    ptx_async_release(c);
    mlc_vec_release(&c->faults);
    mlc_free(c->blocks);
    mlc_free(c->memory);
}

// --- starting

static void
start_barrier(const Cluster *c, BlockBarrier *barrier)
{
    barrier->arrived = barrier->generation = barrier->sum = 0;
    ptx_clock_clear(c, &barrier->seen);
    ptx_clock_clear(c, &barrier->fenced);
}

static void
start_warp(Block *block, unsigned index)
{
    Cluster *c = block->cluster;
    const MlcPtxEntry *kernel = c->run->kernel;
    Warp *w = &block->warps[index];
    unsigned threads = block->num_threads - index * LANES;
    ptx_release_matrices(w);
    ptx_copies_release(w);
    *w = (Warp){.block = block,
                .kernel = kernel,
                .lanes = w->lanes,
                .ready = w->ready,
                .local = w->local,
                .local_written = w->local_written,
                .seen = w->seen,
                .fenced = w->fenced,
                .index = index,
                .next_pc = UINT32_MAX,
                .clock = 1};
    w->index_all = block->rank * block->num_warps + index;
    w->live = threads >= LANES ? ALL_LANES : (1u << threads) - 1;
    w->now.mask = w->live;
    memset(w->ready, 0, kernel->names.size * sizeof *w->ready);
    memset(w->local_written, 0, (size_t)kernel->local_bytes * LANES);
    ptx_clock_clear(c, &w->seen);
    ptx_clock_clear(c, &w->fenced);
    w->seen.warps[w->index_all].all = 1;
    ptx_start_specials(w);
}

static void
start_block(Cluster *c, unsigned rank)
{
    const Run *run = c->run;
    Block *block = &c->blocks[rank];
    block->cluster = c;
    block->rank = rank;
    block->number = c->number * c->num_blocks + rank;
    ptx_block_of(run, block->number, block->id);
    block->num_threads = run->num_threads;
    block->num_warps = block->num_live = run->num_warps;
    block->shared_size = run->shared_size;
    memset(block->shared_written, 0, run->shared_size);
    if (block->cells)
        memset(block->cells, 0, run->shared_size / 4 * sizeof(Cell));
    for (unsigned i = 0; i < MAX_BARRIERS; i++)
        start_barrier(c, &block->barriers[i]);
    for (unsigned i = 0; i < block->num_warps; i++)
        start_warp(block, i);
}

void
cluster_start(Cluster *c, uint32_t number)
{
    c->number = number;
    c->random =
        c->run->launch->seed ? c->run->launch->seed + number * UINT64_C(0x9e3779b97f4a7c15) : 0;
    c->progress = c->steps = 0;
    ptx_async_start(c);
    start_barrier(c, &c->barrier);
    for (unsigned i = 0; i < c->num_blocks; i++)
        start_block(c, i);
}

// --- running

// xorshift64* (Vigna, 2016).
uint32_t
ptx_random(Cluster *c, uint32_t below)
{
    if (!c->random || below < 2)
        return 0;
    c->random ^= c->random >> 12;
    c->random ^= c->random << 25;
    c->random ^= c->random >> 27;
    return (uint32_t)((c->random * UINT64_C(2685821657736338717)) >> 33) % below;
}

static void
tell_wait(Cluster *c, const Warp *w, bool is_note)
{
    uint32_t pc = w->num_others ? w->others[0].pc : w->now.pc;
    const Inst *in = &w->kernel->code.data[pc];
    MlcBuf text = {0};
    bool is_mask = w->waits_for && strstr(w->waits_for, "0x") != NULL;
    mlc_buf_printf(&text, "%swarp %u of block (%u,%u,%u) waits at '%s' for ",
                   is_note ? "" : "deadlock: nobody can go on: ", w->index, w->block->id[0],
                   w->block->id[1], w->block->id[2], in->name);
    mlc_buf_append_c(&text, w->waits_for ? w->waits_for : "nothing");
    if (is_mask)
        mlc_buf_append_hex(&text, w->waits_at, 8);
    else if (w->waits_for)
        mlc_buf_append_uint(&text, w->waits_at);
    mlc_buf_c_str(&text);
    mlc_vec_push(&c->faults, (Fault){{in->line, in->column}, is_note, mlc_buf_take(&text, NULL)});
}

static bool
tell_deadlock(Cluster *c)
{
    unsigned num_told = 0;
    for (unsigned i = 0; i < c->num_blocks; i++)
        for (unsigned k = 0; k < c->blocks[i].num_warps && num_told < MAX_WAITS_TOLD; k++)
            if (c->blocks[i].warps[k].live)
                tell_wait(c, &c->blocks[i].warps[k], num_told++ > 0);
    c->failed = true;
    return false;
}

static bool
tell_too_long(Cluster *c)
{
    for (unsigned i = 0; i < c->num_warps; i++) {
        Warp *w = &c->blocks[i / c->run->num_warps].warps[i % c->run->num_warps];
        if (!w->live)
            continue;
        Group at = w->now.mask ? w->now : w->others[0];
        ptx_fail(w, &w->kernel->code.data[at.pc], first_lane(at.mask),
                 "no end after %" PRIu64 " instructions", c->steps);
        break;
    }
    return false;
}

// A turn of each warp that is left. False after an error.
static bool
run_round(Cluster *c, bool *any_left)
{
    unsigned first = ptx_random(c, c->num_warps), stride = 1;
    *any_left = false;
    for (unsigned i = 0; i < c->num_warps; i++) {
        unsigned at = (first + i * stride) % c->num_warps;
        Warp *w = &c->blocks[at / c->run->num_warps].warps[at % c->run->num_warps];
        if (!w->live)
            continue;
        *any_left = true;
        if (c->random && ptx_random(c, 3) == 0 && ++w->num_skipped < 64)
            continue; // it is late
        w->num_skipped = 0;
        if (ptx_run_warp(w, c->random ? 1 + ptx_random(c, 200) : TURN) == STEP_STOP)
            return false;
        if (c->steps > c->run->max_steps)
            return tell_too_long(c);
    }
    return true;
}

bool
ptx_run_cluster(Cluster *c)
{
    unsigned idle = 0;
    for (bool any_left = true; any_left;) {
        uint64_t before = c->progress;
        if (!run_round(c, &any_left))
            return false;
        bool moved = c->progress != before;
        if (!moved || (c->random && ptx_random(c, 4) == 0))
            moved |= ptx_async_step(c, !moved);
        if (c->failed)
            return false;
        // A round of drawn turns may have passed those over that could go on.
        idle = moved ? 0 : idle + 1;
        if (any_left && idle > (c->random ? 256 : 0))
            return tell_deadlock(c);
    }
    while (ptx_async_step(c, true) && !c->failed)
        ;
    return !c->failed;
}

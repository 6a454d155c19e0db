// special.c -- special registers are ordinary ones that are filled in when a warp starts; a kernel
// has those that it names.
#include "special.h"

#include "exec.h"
#include "launch.h"

typedef struct Named {
    const char *name;
    SpecialKind kind;
    unsigned bytes;
    bool has_axes;
} Named;

static const Named table[] = {
    {"%tid", SPECIAL_TID, 4, true},
    {"%ntid", SPECIAL_NTID, 4, true},
    {"%ctaid", SPECIAL_CTAID, 4, true},
    {"%nctaid", SPECIAL_NCTAID, 4, true},
    {"%clusterid", SPECIAL_CLUSTERID, 4, true},
    {"%nclusterid", SPECIAL_NCLUSTERID, 4, true},
    {"%cluster_ctaid", SPECIAL_CLUSTER_CTAID, 4, true},
    {"%cluster_nctaid", SPECIAL_CLUSTER_NCTAID, 4, true},
    {"%laneid", SPECIAL_LANEID, 4, false},
    {"%warpid", SPECIAL_WARPID, 4, false},
    {"%nwarpid", SPECIAL_NWARPID, 4, false},
    {"%lanemask_eq", SPECIAL_LANEMASK_EQ, 4, false},
    {"%lanemask_le", SPECIAL_LANEMASK_LE, 4, false},
    {"%lanemask_lt", SPECIAL_LANEMASK_LT, 4, false},
    {"%lanemask_ge", SPECIAL_LANEMASK_GE, 4, false},
    {"%lanemask_gt", SPECIAL_LANEMASK_GT, 4, false},
    {"%cluster_ctarank", SPECIAL_CLUSTER_CTARANK, 4, false},
    {"%cluster_nctarank", SPECIAL_CLUSTER_NCTARANK, 4, false},
    {"%dynamic_smem_size", SPECIAL_DYNAMIC_SHARED, 4, false},
    {"%total_smem_size", SPECIAL_TOTAL_SHARED, 4, false},
    {"%smid", SPECIAL_ZERO, 4, false},
    {"%gridid", SPECIAL_ZERO, 8, false},
    {"%nsmid", SPECIAL_ONE, 4, false},
    {"%clock", SPECIAL_CLOCK, 4, false},
    {"%clock_hi", SPECIAL_ZERO, 4, false},
    {"%clock64", SPECIAL_CLOCK, 8, false},
    {"%globaltimer", SPECIAL_CLOCK, 8, false},
    {"%globaltimer_lo", SPECIAL_CLOCK, 4, false},
};

bool
ptx_find_special(MlcStr name, SpecialKind *kind, unsigned *bytes)
{
    MlcStr stem = name;
    unsigned axis = 0;
    bool has_axis = name.size > 2 && name.data[name.size - 2] == '.';
    if (has_axis) {
        axis = (unsigned)(name.data[name.size - 1] - 'x');
        stem.size -= 2;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!mlc_str_equal(stem, mlc_str(table[i].name)))
            continue;
        if (table[i].has_axes != has_axis || axis > 2)
            return false;
        *kind = table[i].kind + axis;
        *bytes = table[i].bytes;
        return true;
    }
    return false;
}

static uint64_t
of_lane(const Warp *w, SpecialKind kind, unsigned lane)
{
    switch (kind) {
    case SPECIAL_LANEID:
        return lane;
    case SPECIAL_LANEMASK_EQ:
        return 1u << lane;
    case SPECIAL_LANEMASK_LE:
        return UINT32_MAX >> (31 - lane);
    case SPECIAL_LANEMASK_LT:
        return (1u << lane) - 1;
    case SPECIAL_LANEMASK_GE:
        return UINT32_MAX << lane;
    case SPECIAL_LANEMASK_GT:
        return ~(UINT32_MAX >> (31 - lane));
    default: {
        uint32_t tid[3];
        ptx_thread_of(w->block->cluster->run, w->index * LANES + lane, tid);
        return tid[kind - SPECIAL_TID];
    }
    }
}

static uint64_t
of_warp(const Warp *w, SpecialKind kind)
{
    const Block *block = w->block;
    const Cluster *c = block->cluster;
    const Run *run = c->run;
    unsigned axis = (kind - SPECIAL_TID) % 3;
    switch (kind - (kind < SPECIAL_LANEID ? axis : 0)) {
    case SPECIAL_NTID:
        return run->block[axis];
    case SPECIAL_CTAID:
        return block->id[axis];
    case SPECIAL_NCTAID:
        return run->grid[axis];
    case SPECIAL_CLUSTERID:
        return block->id[axis] / run->cluster[axis];
    case SPECIAL_NCLUSTERID:
        return run->grid[axis] / run->cluster[axis];
    case SPECIAL_CLUSTER_CTAID:
        return block->id[axis] % run->cluster[axis];
    case SPECIAL_CLUSTER_NCTAID:
        return run->cluster[axis];
    case SPECIAL_WARPID:
        return w->index;
    case SPECIAL_NWARPID:
        return block->num_warps;
    case SPECIAL_CLUSTER_CTARANK:
        return block->rank;
    case SPECIAL_CLUSTER_NCTARANK:
        return c->num_blocks;
    case SPECIAL_DYNAMIC_SHARED:
        return run->launch->shared_bytes;
    case SPECIAL_TOTAL_SHARED:
        return run->shared_size - STATIC_SHARED_BASE;
    case SPECIAL_ONE:
        return 1;
    default:
        return 0;
    }
}

static bool
differs_by_lane(SpecialKind kind)
{
    return kind < SPECIAL_NTID || kind == SPECIAL_LANEID ||
           (kind >= SPECIAL_LANEMASK_EQ && kind <= SPECIAL_LANEMASK_GT);
}

void
ptx_start_specials(Warp *w)
{
    for (size_t i = 0; i < w->kernel->specials.size; i++) {
        const Special *special = &w->kernel->specials.data[i];
        Operand o = {.kind = OPERAND_REG,
                     .bytes = special->bytes,
                     .width = special->bytes,
                     .at = special->at};
        bool differs = differs_by_lane(special->what);
        uint64_t value = differs ? 0 : of_warp(w, special->what);
        FOR_LANES (l)
            put_lane(w, &o, l, differs ? of_lane(w, special->what, l) : value);
        w->ready[special->reg] = ALL_LANES;
    }
}

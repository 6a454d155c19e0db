// launch.c -- a grid: what is asked for is checked, then clusters run side by side.
//
// Host threads take clusters in order. After an error no later one is begun, and of several errors
// that of the first cluster is told.
#include "launch.h"

#include "mlc/support/pool.h"

#include "cluster.h"
#include "exec.h"
#include "memory.h"

void
ptx_block_of(const Run *run, uint32_t number, uint32_t block[3])
{
    // Clusters in order of x, y, z, and the blocks of a cluster in that order, too.
    uint32_t per = run->cluster[0] * run->cluster[1] * run->cluster[2];
    uint32_t cluster = number / per, rank = number % per;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t clusters = run->grid[i] / run->cluster[i];
        block[i] = cluster % clusters * run->cluster[i] + rank % run->cluster[i];
        cluster /= clusters;
        rank /= run->cluster[i];
    }
}

void
ptx_thread_of(const Run *run, uint32_t thread, uint32_t tid[3])
{
    tid[0] = thread % run->block[0];
    tid[1] = thread / run->block[0] % run->block[1];
    tid[2] = thread / run->block[0] / run->block[1];
}

static const char *
register_name(const Warp *w, uint32_t reg)
{
    return w->kernel->names.data[reg].data;
}

void
ptx_register_fault(Warp *w, const Inst *in, unsigned lane, uint32_t reg, bool is_write)
{
    if (is_write)
        ptx_fail(w, in, lane, "register '%s' is written while wgmma works on it",
                 register_name(w, reg));
    else if (ptx_is_in_flight(w, reg))
        ptx_fail(w, in, lane, "register '%s' is read while wgmma works on it",
                 register_name(w, reg));
    else
        ptx_fail(w, in, lane, "register '%s' is read before it is written", register_name(w, reg));
}

// --- what is asked for

static bool fail(MlcPtxDevice *device, const MlcPtxEntry *entry, const char *format, ...)
    MLC_PRINTF(3, 4);

static bool
fail(MlcPtxDevice *device, const MlcPtxEntry *entry, const char *format, ...)
{
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    ptx_tell(device, entry->module->file, entry->place, false, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

static bool
check_block(MlcPtxDevice *device, const MlcPtxLaunch *launch)
{
    const MlcPtxEntry *entry = launch->entry;
    const uint32_t *b = launch->block, *most = entry->max_threads;
    if (b[0] == 0 || b[1] == 0 || b[2] == 0 || b[0] > 1024 || b[1] > 1024 || b[2] > 64 ||
        (uint64_t)b[0] * b[1] * b[2] > 1024)
        return fail(device, entry, "a block of %u,%u,%u threads: expected 1 to 1024", b[0], b[1],
                    b[2]);
    bool same = b[0] == most[0] && b[1] == most[1] && b[2] == most[2];
    if (most[0] && (entry->is_required ? !same : b[0] * b[1] * b[2] > most[0] * most[1] * most[2]))
        return fail(device, entry, "a block of %u,%u,%u threads: '%s' is for %s%u,%u,%u", b[0],
                    b[1], b[2], entry->name.data, entry->is_required ? "" : "at most ", most[0],
                    most[1], most[2]);
    return true;
}

static bool
check_launch(MlcPtxDevice *device, const Run *run)
{
    const MlcPtxLaunch *launch = run->launch;
    const MlcPtxEntry *entry = launch->entry;
    const uint32_t *g = launch->grid, *k = run->cluster;
    if (g[0] == 0 || g[1] == 0 || g[2] == 0 || g[0] > INT32_MAX || g[1] > 65535 || g[2] > 65535 ||
        (uint64_t)g[0] * g[1] * g[2] > UINT32_MAX)
        return fail(device, entry, "a grid of %u,%u,%u blocks: expected 1 to 2^32", g[0], g[1],
                    g[2]);
    if (!check_block(device, launch))
        return false;
    if ((uint64_t)k[0] * k[1] * k[2] > MAX_BLOCKS_OF_CLUSTER || g[0] % k[0] || g[1] % k[1] ||
        g[2] % k[2])
        return fail(device, entry,
                    "clusters of %u,%u,%u blocks: expected at most 16 that divide the grid", k[0],
                    k[1], k[2]);
    if (launch->num_args != entry->num_params)
        return fail(device, entry, "'%s' takes %zu arguments, got %zu", entry->name.data,
                    entry->num_params, launch->num_args);
    if (launch->shared_bytes > MAX_SHARED_BYTES ||
        entry->static_shared + launch->shared_bytes > MAX_SHARED_BYTES)
        return fail(device, entry, "%u bytes of shared memory and %u more: a block has %d",
                    entry->static_shared, launch->shared_bytes, MAX_SHARED_BYTES);
    return true;
}

// --- host threads

typedef struct Crowd {
    Run *run;
    uint64_t next;         // cluster
    uint64_t first_failed; // UINT64_MAX: none
    pthread_mutex_t lock;
    MlcPtxCounters counters;
    MLC_VEC(Fault) faults;
} Crowd;

static void
add_counters(MlcPtxCounters *to, const MlcPtxCounters *from)
{
    const uint64_t *counts = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof(uint64_t); i++)
        ((uint64_t *)to)[i] += counts[i];
}

static bool
take_cluster(Crowd *crowd, uint64_t *number)
{
    pthread_mutex_lock(&crowd->lock);
    bool more = crowd->next < crowd->run->num_clusters && crowd->next < crowd->first_failed;
    if (more)
        *number = crowd->next++;
    pthread_mutex_unlock(&crowd->lock);
    return more;
}

static void
keep_faults(Crowd *crowd, Cluster *c)
{
    pthread_mutex_lock(&crowd->lock);
    if (c->number < crowd->first_failed) {
        crowd->first_failed = c->number;
        for (size_t i = 0; i < crowd->faults.size; i++)
            mlc_free(crowd->faults.data[i].text);
        mlc_vec_clear(&crowd->faults);
        for (size_t i = 0; i < c->faults.size; i++)
            mlc_vec_push(&crowd->faults, c->faults.data[i]);
        mlc_vec_clear(&c->faults);
    }
    pthread_mutex_unlock(&crowd->lock);
}

static void
work(void *user, size_t index, unsigned worker)
{
    (void)index, (void)worker;
    Crowd *crowd = user;
    Cluster c;
    uint64_t number;
    cluster_init(&c, crowd->run);
    while (!c.failed && take_cluster(crowd, &number)) {
        cluster_start(&c, (uint32_t)number);
        if (!ptx_run_cluster(&c))
            keep_faults(crowd, &c);
    }
    pthread_mutex_lock(&crowd->lock);
    add_counters(&crowd->counters, &c.counters);
    pthread_mutex_unlock(&crowd->lock);
    cluster_release(&c);
}

static bool
run_crowd(MlcPtxDevice *device, Run *run, MlcPtxCounters *counters)
{
    Crowd crowd = {.run = run, .first_failed = UINT64_MAX};
    pthread_mutex_init(&crowd.lock, NULL);
    uint64_t wanted = run->launch->num_threads;
    if (wanted == 1 || run->num_clusters == 1) {
        work(&crowd, 0, 0);
    } else {
        MlcPool *pool = mlc_pool_create(run->launch->num_threads);
        mlc_parallel_for(pool, mlc_pool_num_threads(pool), work, &crowd);
        mlc_pool_destroy(pool);
    }
    for (size_t i = 0; i < crowd.faults.size; i++) {
        const Fault *fault = &crowd.faults.data[i];
        ptx_tell(device, run->kernel->module->file, fault->at, fault->is_note, fault->text);
        mlc_free(fault->text);
    }
    mlc_vec_release(&crowd.faults);
    pthread_mutex_destroy(&crowd.lock);
    if (counters)
        add_counters(counters, &crowd.counters);
    return crowd.first_failed == UINT64_MAX;
}

bool
mlc_ptx_launch(MlcPtxDevice *device, const MlcPtxLaunch *launch, MlcPtxCounters *counters)
{
    const MlcPtxEntry *entry = launch->entry;
    Run run = {.device = device, .kernel = entry, .launch = launch, .races = !launch->no_races};
    for (unsigned i = 0; i < 3; i++) {
        run.grid[i] = launch->grid[i];
        run.block[i] = launch->block[i];
        run.cluster[i] = launch->cluster[i] ? launch->cluster[i] : 1;
    }
    if (!check_launch(device, &run))
        return false;
    run.num_threads = run.block[0] * run.block[1] * run.block[2];
    run.num_warps = (run.num_threads + LANES - 1) / LANES;
    run.num_clusters = (uint64_t)run.grid[0] * run.grid[1] * run.grid[2] /
                       (run.cluster[0] * run.cluster[1] * run.cluster[2]);
    run.max_steps = launch->max_steps ? launch->max_steps : UINT64_C(1) << 40;
    run.adversarial = launch->seed != 0;
    run.shared_size =
        (STATIC_SHARED_BASE + entry->static_shared + launch->shared_bytes + 15) & ~15u;
    run.params = mlc_calloc(1, entry->param_bytes + 1);
    for (size_t i = 0; i < entry->num_params; i++)
        memcpy(run.params + entry->params[i].at, launch->args[i], entry->params[i].bytes);
    ptx_forget_accesses(device);
    bool ok = run_crowd(device, &run, counters);
    mlc_free(run.params);
    return ok;
}

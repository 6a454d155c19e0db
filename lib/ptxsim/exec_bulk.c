// exec_bulk.c -- bulk copies between global and shared memory, of bytes or boxes of tensors.
//
// The cells are asked when a copy is issued, and its destination then belongs to the phase of its
// mbarrier, its source to its group: so whoever comes too early meets it, whenever it happens. When
// it happens is drawn from the seed.
#include "exec.h"
#include "exec_async.h"
#include "exec_warp.h"
#include "launch.h"
#include "memory.h"
#include "numeric.h"
#include "async.h"
#include "tensor_map.h"

typedef struct BulkCopy {
    const Inst *in;
    Warp *warp;
    unsigned lane;
    TensorMap map; // rank 0: bytes
    int32_t at[5]; // coordinates
    uint16_t offsets[3];
    uint64_t global, shared; // addresses; shared with its rank
    uint64_t from_shared;    // of a copy between blocks
    uint32_t bytes;
    uint32_t blocks; // that get it: a bit each
    uint64_t mbarrier;
    uint32_t group;
    bool done;
} BulkCopy;

typedef struct Bulk {
    MLC_VEC(BulkCopy) all;
} Bulk;

void
ptx_async_start(Cluster *c)
{
    if (!c->run->kernel->uses_mbarriers)
        return;
    if (!c->bulk)
        c->bulk = mlc_calloc(1, sizeof *c->bulk);
    if (!c->mbarriers)
        c->mbarriers = mlc_calloc(1, sizeof *c->mbarriers);
    c->bulk->all.size = 0;
    c->mbarriers->num = 0;
    for (unsigned i = 0; i < MAX_MBARRIERS; i++)
        c->mbarriers->all[i].phases = 0;
}

void
ptx_async_release(Cluster *c)
{
    if (c->bulk)
        mlc_vec_release(&c->bulk->all);
    for (unsigned i = 0; c->mbarriers && i < MAX_MBARRIERS; i++)
        mlc_free(c->mbarriers->all[i].memory);
    mlc_free(c->bulk);
    mlc_free(c->mbarriers);
}

static uint32_t
swizzle(uint32_t address, unsigned bits)
{
    return address ^ ((address >> 7 & ((1u << bits) - 1)) << 4);
}

// Where element 0 of each row of the box lies. False: the row is outside of the tensor.
static bool
row_start(const BulkCopy *copy, const uint32_t *index, int64_t *first, uint64_t *offset)
{
    const TensorMap *m = &copy->map;
    *offset = 0;
    *first = copy->at[0];
    for (unsigned i = 1; i < m->rank; i++) {
        int64_t at = copy->at[i] + (int64_t)index[i] * m->steps[i];
        if (at < 0 || at > m->dims[i])
            return false;
        *offset += (uint64_t)at * m->strides[i - 1];
    }
    return true;
}

// Of im2col, dimension 0 is channels, the last is the image, those between are walked by pixels.
static bool
pixel_start(const BulkCopy *copy, uint32_t pixel, int64_t *first, uint64_t *offset)
{
    const TensorMap *m = &copy->map;
    unsigned spatial = m->rank - 2u;
    int64_t at[5];
    uint64_t carry = pixel;
    for (unsigned i = 0; i < spatial; i++) {
        // The box of a filter's base pixels: lower corner to the tensor's end plus upper corner.
        int64_t low = m->lower[i], high = (int64_t)m->dims[i + 1] + m->upper[i],
                size = (high - low) / m->steps[i + 1] + 1;
        int64_t start = (copy->at[i + 1] - low) / m->steps[i + 1];
        uint64_t sum = (uint64_t)start + carry;
        if (size <= 0)
            return false;
        at[i + 1] = low + (int64_t)(sum % (uint64_t)size) * m->steps[i + 1] + copy->offsets[i];
        carry = sum / (uint64_t)size;
    }
    at[m->rank - 1] = copy->at[m->rank - 1] + (int64_t)carry;
    *first = copy->at[0];
    *offset = 0;
    for (unsigned i = 1; i < m->rank; i++) {
        if (at[i] < 0 || at[i] > m->dims[i])
            return false;
        *offset += (uint64_t)at[i] * m->strides[i - 1];
    }
    return true;
}

typedef struct Row {
    uint32_t shared;  // bytes from the box's start
    uint64_t global;  // address of the elements that are inside
    uint32_t skipped; // bytes of the row before them
    uint32_t inside;  // bytes
    uint32_t bytes;   // of the row
} Row;

static uint32_t
num_rows(const BulkCopy *copy)
{
    uint32_t rows = 1;
    if (copy->map.is_im2col)
        return copy->map.box[1];
    for (unsigned i = 1; i < copy->map.rank; i++)
        rows *= copy->map.box[i];
    return rows;
}

static Row
row_of(const BulkCopy *copy, uint32_t number)
{
    const TensorMap *m = &copy->map;
    uint32_t size = ptx_types[m->type].bytes, index[5] = {0}, rest = number;
    Row row = {.bytes = m->box[0] * size, .shared = number * m->box[0] * size};
    for (unsigned i = 1; i < m->rank; i++) {
        index[i] = rest % m->box[i];
        rest /= m->box[i];
    }
    int64_t first;
    uint64_t offset;
    if (!(m->is_im2col ? pixel_start(copy, number, &first, &offset)
                       : row_start(copy, index, &first, &offset)))
        return row;
    int64_t low = first < 0 ? -first : 0, high = (int64_t)m->dims[0] + 1 - first;
    high = high > m->box[0] ? m->box[0] : high;
    if (low >= high)
        return row;
    row.skipped = (uint32_t)low * size;
    row.inside = (uint32_t)(high - low) * size;
    row.global = m->base + offset + (uint64_t)(first + low) * size;
    return row;
}

static uint32_t
box_bytes(const BulkCopy *copy)
{
    return copy->map.rank ? num_rows(copy) * copy->map.box[0] * ptx_types[copy->map.type].bytes
                          : copy->bytes;
}

static uint8_t *
shared_of(Cluster *c, unsigned rank, uint64_t address)
{
    return c->blocks[rank].shared + (address & ((1u << RANK_SHIFT) - 1));
}

static unsigned
rank_of(const BulkCopy *copy, uint64_t address)
{
    uint64_t rank = address >> RANK_SHIFT;
    return rank ? (unsigned)rank - 1 : copy->warp->block->rank;
}

// --- what a copy touches is asked and noted when it is issued

static bool
note_global(const BulkCopy *copy, uint64_t address, uint32_t bytes, bool is_write)
{
    const AsyncTag tag = {.pending = true, .proxy = true, .atomic = copy->in->flags & BULK_REDUCES};
    Warp *w = copy->warp;
    Place place;
    if (!ptx_resolve(w, copy->in, copy->lane, SPACE_GLOBAL, address, bytes, 1, is_write, &place) ||
        (!is_write && !ptx_check_written(w, copy->in, copy->lane, &place, bytes)))
        return false;
    if (is_write && place.written)
        memset(place.written, 1, bytes);
    return !place.cells || ptx_race_async(w, copy->in, copy->lane, place.cells, place.offset, bytes,
                                          is_write, &tag);
}

static bool
note_all_global(const BulkCopy *copy, bool is_write)
{
    if (!copy->map.rank)
        return note_global(copy, copy->global, copy->bytes, is_write);
    for (uint32_t i = 0; i < num_rows(copy); i++) {
        Row row = row_of(copy, i);
        if (row.inside && !note_global(copy, row.global, row.inside, is_write))
            return false;
    }
    return true;
}

static bool
note_shared(const BulkCopy *copy, uint64_t address, bool is_write, const AsyncTag *tag)
{
    Warp *w = copy->warp;
    Place place;
    uint32_t bytes = box_bytes(copy);
    if (!ptx_resolve(w, copy->in, copy->lane, SPACE_SHARED, address, bytes,
                     copy->map.rank ? 128 : 16, is_write, &place))
        return false;
    if (is_write)
        memset(place.written, 1, bytes);
    else if (!ptx_check_written(w, copy->in, copy->lane, &place, bytes))
        return false;
    return !place.cells ||
           ptx_race_async(w, copy->in, copy->lane, place.cells, place.offset, bytes, is_write, tag);
}

// Into the shared memory of each block that gets it.
static bool
note_targets(const BulkCopy *copy)
{
    Warp *w = copy->warp;
    for (unsigned rank = 0; rank < w->block->cluster->num_blocks; rank++) {
        if (!(copy->blocks >> rank & 1))
            continue;
        uint64_t in_block = (uint64_t)(rank + 1) << RANK_SHIFT, mask = (1u << RANK_SHIFT) - 1;
        uint32_t number;
        Mbarrier *m =
            ptx_find_mbarrier(w, copy->in, copy->lane, (copy->mbarrier & mask) | in_block, &number);
        if (!m)
            return false;
        const AsyncTag tag = {
            .by_phase = true, .proxy = true, .mbarrier = number, .phase = m->phases + 1};
        if (!note_shared(copy, (copy->shared & mask) | in_block, true, &tag))
            return false;
    }
    return true;
}

// --- when it happens

static void
copy_chunks(BulkCopy *copy, uint8_t *base, uint32_t address, const Row *row, const uint8_t *from)
{
    // 16 bytes at a time: swizzles move no less.
    for (uint32_t i = 0; i < row->bytes; i += 16) {
        uint8_t chunk[16] = {0};
        uint32_t to = swizzle(address + row->shared + i, copy->map.swizzle_bits);
        if (copy->map.fills_nan)
            memset(chunk, 0xff, sizeof chunk);
        for (uint32_t k = 0; k < 16; k++)
            if (i + k >= row->skipped && i + k < row->skipped + row->inside)
                chunk[k] = from[i + k - row->skipped];
        memcpy(base + to, chunk, 16);
    }
}

static const uint8_t *
global_bytes(Cluster *c, uint64_t address)
{
    const Region *region = ptx_find_region(c->run->device, address);
    return region ? region->data + (address - region->base) : NULL;
}

static void
load_box(Cluster *c, BulkCopy *copy)
{
    for (unsigned rank = 0; rank < c->num_blocks; rank++) {
        if (!(copy->blocks >> rank & 1))
            continue;
        uint32_t address = (uint32_t)(copy->shared & ((1u << RANK_SHIFT) - 1));
        uint8_t *base = c->blocks[rank].shared;
        if (copy->from_shared)
            memcpy(base + address,
                   shared_of(c, rank_of(copy, copy->from_shared), copy->from_shared), copy->bytes);
        else if (!copy->map.rank)
            memcpy(base + address, global_bytes(c, copy->global), copy->bytes);
        for (uint32_t i = 0; copy->map.rank && i < num_rows(copy); i++) {
            Row row = row_of(copy, i);
            copy_chunks(copy, base, address, &row, row.inside ? global_bytes(c, row.global) : NULL);
        }
        for (unsigned k = 0; k < c->mbarriers->num; k++) {
            Mbarrier *m = &c->mbarriers->all[k];
            if (m->rank == rank && m->offset == (copy->mbarrier & ((1u << RANK_SHIFT) - 1)))
                ptx_mbarrier_bytes(c, m, box_bytes(copy));
        }
    }
}

static void
store_bytes(const BulkCopy *copy, uint8_t *to, const uint8_t *from, uint32_t bytes)
{
    const Inst *in = copy->in;
    if (!(in->flags & BULK_REDUCES)) {
        memcpy(to, from, bytes);
        return;
    }
    unsigned size = ptx_types[in->type].bytes;
    for (uint32_t i = 0; i < bytes; i += size) {
        uint64_t a = 0, b = 0;
        memcpy(&a, to + i, size);
        memcpy(&b, from + i, size);
        a = ptx_combine_elements(in->variant, in->type, a, b);
        memcpy(to + i, &a, size);
    }
}

static void
store_box(Cluster *c, BulkCopy *copy)
{
    uint8_t *base = c->blocks[rank_of(copy, copy->shared)].shared;
    uint32_t address = (uint32_t)(copy->shared & ((1u << RANK_SHIFT) - 1));
    pthread_mutex_lock(&c->run->device->atomics);
    if (!copy->map.rank)
        store_bytes(copy, (uint8_t *)(uintptr_t)global_bytes(c, copy->global), base + address,
                    copy->bytes);
    for (uint32_t i = 0; copy->map.rank && i < num_rows(copy); i++) {
        Row row = row_of(copy, i);
        uint8_t *to = row.inside ? (uint8_t *)(uintptr_t)global_bytes(c, row.global) : NULL;
        // An element is inside or outside as a whole, and in one chunk.
        for (uint32_t k = row.skipped; k < row.skipped + row.inside;) {
            uint32_t stop = (k | 15) + 1, end = row.skipped + row.inside;
            stop = stop < end ? stop : end;
            uint32_t from = swizzle(address + row.shared + (k & ~15u), copy->map.swizzle_bits);
            store_bytes(copy, to + (k - row.skipped), base + from + (k & 15), stop - k);
            k = stop;
        }
    }
    pthread_mutex_unlock(&c->run->device->atomics);
}

static void
perform(Cluster *c, BulkCopy *copy)
{
    if (copy->done)
        return;
    copy->done = true;
    if (copy->in->shape == BULK_STORE)
        store_box(c, copy);
    else
        load_box(c, copy);
}

static void
forget_loads(Bulk *bulk)
{
    size_t kept = 0;
    for (size_t i = 0; i < bulk->all.size; i++)
        if (!bulk->all.data[i].done || bulk->all.data[i].in->shape == BULK_STORE)
            bulk->all.data[kept++] = bulk->all.data[i];
    bulk->all.size = kept;
}

bool
ptx_async_step(Cluster *c, bool all_wait)
{
    if (!c->bulk)
        return false;
    size_t num_open = 0, chosen = 0;
    for (size_t i = 0; i < c->bulk->all.size; i++)
        num_open += !c->bulk->all.data[i].done;
    if (num_open == 0)
        return false;
    (void)all_wait;
    size_t wanted = ptx_random(c, (uint32_t)num_open);
    for (size_t i = 0; i < c->bulk->all.size; i++)
        if (!c->bulk->all.data[i].done && wanted-- == 0)
            chosen = i;
    perform(c, &c->bulk->all.data[chosen]);
    forget_loads(c->bulk);
    return true;
}

// --- the instruction

static bool
read_map(Warp *w, const Inst *in, unsigned lane, uint64_t address, TensorMap *map)
{
    Place place;
    if (!ptx_resolve(w, in, lane, SPACE_GENERIC, address, sizeof *map, 64, false, &place))
        return false;
    memcpy(map, place.data, sizeof *map);
    if (map->magic != TENSOR_MAP_MAGIC || map->rank != in->vector ||
        map->is_im2col != !!(in->flags & BULK_IM2COL))
        return ptx_fail(w, in, lane, "there is no tensor map for this at 0x%" PRIx64, address),
               false;
    return true;
}

static void
read_lists(Warp *w, const Inst *in, unsigned lane, BulkCopy *copy)
{
    for (unsigned i = 0; in->vector && i < in->operand[4].count && i < 5; i++)
        copy->at[i] = (int32_t)get_lane(w, &w->kernel->lists.data[in->operand[4].list + i], lane);
    for (unsigned i = 0; in->flags & BULK_IM2COL && i < in->operand[5].count && i < 3; i++)
        copy->offsets[i] =
            (uint16_t)get_lane(w, &w->kernel->lists.data[in->operand[5].list + i], lane);
}

static bool
check_bytes(Warp *w, const Inst *in, unsigned lane, const BulkCopy *copy)
{
    if (copy->bytes % 16 || (!copy->map.rank && copy->global % 16))
        return ptx_fail(w, in, lane, "%u bytes at 0x%" PRIx64 ": expected multiples of 16",
                        copy->bytes, copy->global),
               false;
    return true;
}

static bool
begin_copy(Warp *w, const Inst *in, unsigned lane, uint64_t to, uint64_t from)
{
    Cluster *c = w->block->cluster;
    BulkCopy copy = {.in = in, .warp = w, .lane = lane, .group = w->bulk_open};
    bool is_store = in->shape == BULK_STORE;
    copy.global = is_store ? to : from;
    copy.shared = (is_store ? from : to) & WINDOW_MASK;
    if (in->shape == BULK_SHARED)
        copy.from_shared = (from & WINDOW_MASK) | 0;
    if (in->vector && !read_map(w, in, lane, copy.global, &copy.map))
        return false;
    if (!in->vector)
        copy.bytes = (uint32_t)get_lane(w, &in->operand[2], lane);
    read_lists(w, in, lane, &copy);
    if (!check_bytes(w, in, lane, &copy))
        return false;
    bool ok;
    if (is_store) {
        const AsyncTag tag = {.pending = true, .proxy = true};
        ok = note_shared(&copy, copy.shared, false, &tag) && note_all_global(&copy, true);
    } else {
        copy.mbarrier = ptx_address_of(w, &in->operand[3], lane) & WINDOW_MASK;
        copy.blocks = in->flags & BULK_MULTICAST ? (uint32_t)get_lane(w, &in->operand[6], lane)
                                                 : 1u << rank_of(&copy, copy.shared);
        if (copy.blocks >> c->num_blocks)
            return ptx_fail(w, in, lane, "blocks 0x%x of a cluster of %u", copy.blocks,
                            c->num_blocks),
                   false;
        const AsyncTag tag = {.pending = true, .proxy = true};
        ok = note_targets(&copy) &&
             (in->shape == BULK_SHARED ? note_shared(&copy, copy.from_shared, false, &tag)
                                       : note_all_global(&copy, false));
    }
    if (!ok)
        return false;
    c->counters.async_copies++;
    if (ptx_random(c, 4) == 0)
        perform(c, &copy);
    if (!copy.done || is_store)
        mlc_vec_push(&c->bulk->all, copy);
    return true;
}

Step
ptx_bulk_copy(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t to[LANES], from[LANES];
    if (in->shape == BULK_PREFETCH)
        return STEP_NEXT;
    ptx_addresses(w, &in->operand[0], to);
    ptx_addresses(w, &in->operand[1], from);
    FOR_ACTIVE (l, mask)
        if (!begin_copy(w, in, l, to[l], from[l]))
            return STEP_STOP;
    return STEP_NEXT;
}

Step
ptx_bulk_commit(Warp *w, const Inst *in, uint32_t mask)
{
    (void)in, (void)mask;
    w->bulk_open++;
    return STEP_NEXT;
}

static void
settle_store(Warp *w, const BulkCopy *copy)
{
    uint32_t pc = ptx_pc_of(w, copy->in), bytes = box_bytes(copy);
    Block *block = &w->block->cluster->blocks[rank_of(copy, copy->shared)];
    uint32_t address = (uint32_t)(copy->shared & ((1u << RANK_SHIFT) - 1));
    if (block->cells)
        ptx_race_settle(w, copy->lane, pc, block->cells + address / 4, 0, bytes, false);
    uint32_t rows = copy->map.rank ? num_rows(copy) : 1;
    for (uint32_t i = 0; i < rows && w->block->cluster->run->races; i++) {
        Row row = {.global = copy->global, .inside = copy->bytes};
        if (copy->map.rank)
            row = row_of(copy, i);
        Region *region =
            row.inside ? ptx_find_region(w->block->cluster->run->device, row.global) : NULL;
        if (region)
            ptx_race_settle(w, copy->lane, pc, region->cells + (row.global - region->base) / 4,
                            (unsigned)((row.global - region->base) & 3), row.inside, false);
    }
}

// Groups are counted by warp: the lane that commits is the one that waits.
Step
ptx_bulk_wait(Warp *w, const Inst *in, uint32_t mask)
{
    Cluster *c = w->block->cluster;
    size_t kept = 0;
    (void)mask;
    for (size_t i = 0; i < c->bulk->all.size; i++) {
        BulkCopy *copy = &c->bulk->all.data[i];
        bool over = copy->in->shape == BULK_STORE && copy->warp == w &&
                    copy->group + in->operand[0].imm < w->bulk_open;
        if (!over) {
            c->bulk->all.data[kept++] = *copy;
            continue;
        }
        perform(c, copy);
        settle_store(w, copy);
    }
    c->bulk->all.size = kept;
    return STEP_NEXT;
}

Step
ptx_fence_proxy(Warp *w, const Inst *in, uint32_t mask)
{
    (void)in;
    ptx_proxy_fence(w, mask);
    return STEP_NEXT;
}

Step
ptx_check_exit(Warp *w, const Inst *in, uint32_t mask)
{
    Cluster *c = w->block->cluster;
    ptx_copies_finish(w, mask);
    if (w->num_in_flight && (w->live & ~mask) == 0)
        return ptx_fail(w, in, first_lane(mask), "leaves while wgmma is in flight");
    for (size_t i = 0; c->bulk && i < c->bulk->all.size; i++) {
        const BulkCopy *copy = &c->bulk->all.data[i];
        if (copy->warp == w && copy->in->shape == BULK_STORE && mask >> copy->lane & 1) {
            ptx_fail(w, in, copy->lane, "leaves before its bulk copy has read shared memory");
            ptx_fail_note(w, ptx_pc_of(w, copy->in), "the copy");
            return STEP_STOP;
        }
    }
    return STEP_NEXT;
}

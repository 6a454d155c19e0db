// exec_mem.c -- memory as instructions see it: addresses, bounds, alignment, what was never
// written, and counters of what an access costs.
#include "exec_mem.h"

#include "exec.h"
#include "exec_words.h"
#include "launch.h"
#include "memory.h"
#include "numeric.h"

void
ptx_addresses(const Warp *w, const Operand *o, uint64_t *to)
{
    if (o->reg == NO_REGISTER) {
        FOR_LANES (l)
            to[l] = o->imm;
        return;
    }
    const uint8_t *from = w->lanes + o->at;
    if (o->bytes == 8)
        FOR_LANES (l)
            to[l] = ((const uint64_t *)from)[l] + o->imm;
    else
        FOR_LANES (l)
            to[l] = ((const uint32_t *)from)[l] + (uint32_t)o->imm;
}

uint64_t
ptx_address_of(const Warp *w, const Operand *o, unsigned lane)
{
    uint64_t all[LANES];
    ptx_addresses(w, o, all);
    return all[lane];
}

static const char *
space_name(PtxSpace space)
{
    static const char *const names[] = {"generic", "global", "shared", "shared",
                                        "local",   "const",  "param"};
    return names[space];
}

static bool
resolve_global(Warp *w, const Inst *in, unsigned lane, uint64_t address, uint64_t num_bytes,
               bool is_write, Place *place)
{
    Run *run = w->block->cluster->run;
    Region *region = w->last_region;
    if (!region || address - region->base >= region->size)
        region = ptx_find_region(run->device, address);
    if (!region) {
        // Perhaps it runs over the end of one.
        const Region *before = address > 4096 ? ptx_find_region(run->device, address - 4096) : NULL;
        ptx_fail(w, in, lane, "%" PRIu64 " bytes at 0x%" PRIx64 " are in no global memory%s",
                 num_bytes, address, before ? ": beyond the end of some" : "");
        return false;
    }
    if (num_bytes > region->base + region->size - address) {
        ptx_fail(w, in, lane,
                 "%" PRIu64 " bytes at 0x%" PRIx64 " run over the end of %" PRIu64
                 " bytes at 0x%" PRIx64,
                 num_bytes, address, region->size, region->base);
        return false;
    }
    if (is_write && region->read_only) {
        ptx_fail(w, in, lane, "0x%" PRIx64 " is in constant memory, which kernels do not write",
                 address);
        return false;
    }
    w->last_region = region;
    if (!region->touched)
        region->touched = true;
    uint64_t offset = address - region->base;
    *place = (Place){region->data + offset,
                     region->written + offset,
                     run->races && !region->read_only ? region->cells + offset / 4 : NULL,
                     (unsigned)(offset & 3),
                     false,
                     true};
    return true;
}

static bool
resolve_shared(Warp *w, const Inst *in, unsigned lane, uint64_t address, uint64_t num_bytes,
               Place *place)
{
    Cluster *c = w->block->cluster;
    uint64_t rank = address >> RANK_SHIFT, offset = address & ((1u << RANK_SHIFT) - 1);
    if (rank > c->num_blocks) {
        ptx_fail(w, in, lane, "0x%" PRIx64 " is in the shared memory of no block of the cluster",
                 address);
        return false;
    }
    Block *block = rank ? &c->blocks[rank - 1] : w->block;
    if (offset < STATIC_SHARED_BASE || num_bytes > block->shared_size ||
        offset > block->shared_size - num_bytes) {
        ptx_fail(w, in, lane,
                 "%" PRIu64 " bytes at 0x%" PRIx64
                 " are outside the block's %u bytes of shared memory",
                 num_bytes, offset, block->shared_size - STATIC_SHARED_BASE);
        return false;
    }
    if (block != w->block && block->num_live == 0) {
        ptx_fail(w, in, lane, "the block whose shared memory this is has left the cluster");
        return false;
    }
    *place = (Place){block->shared + offset,
                     block->shared_written + offset,
                     block->cells ? block->cells + offset / 4 : NULL,
                     (unsigned)(offset & 3),
                     true,
                     false};
    return true;
}

static bool
resolve_local(Warp *w, const Inst *in, unsigned lane, uint64_t address, uint64_t num_bytes,
              Place *place)
{
    uint32_t size = w->kernel->local_bytes;
    if (num_bytes > size || address > size - num_bytes) {
        ptx_fail(w, in, lane,
                 "%" PRIu64 " bytes at 0x%" PRIx64
                 " are outside the thread's %u bytes of local memory",
                 num_bytes, address, size);
        return false;
    }
    *place = (Place){w->local + (size_t)lane * size + address,
                     w->local_written + (size_t)lane * size + address,
                     NULL,
                     0,
                     false,
                     false};
    return true;
}

static bool
resolve_param(Warp *w, const Inst *in, unsigned lane, uint64_t address, uint64_t num_bytes,
              Place *place)
{
    uint32_t size = w->kernel->param_bytes;
    if (num_bytes > size || address > size - num_bytes) {
        ptx_fail(w, in, lane,
                 "%" PRIu64 " bytes at 0x%" PRIx64 " are outside the %u bytes of parameters",
                 num_bytes, address, size);
        return false;
    }
    *place = (Place){w->block->cluster->run->params + address, NULL, NULL, 0, false, false};
    return true;
}

bool
ptx_resolve(Warp *w, const Inst *in, unsigned lane, PtxSpace space, uint64_t address,
            uint64_t num_bytes, unsigned align, bool is_write, Place *place)
{
    uint64_t window = address & ~WINDOW_MASK;
    bool ok;
    if (address & (align - 1)) {
        ptx_fail(w, in, lane, "0x%" PRIx64 " is no multiple of %u", address, align);
        return false;
    }
    if (space == SPACE_GENERIC && window >= PARAM_WINDOW && window <= SHARED_WINDOW) {
        space = window == SHARED_WINDOW  ? SPACE_SHARED
                : window == LOCAL_WINDOW ? SPACE_LOCAL
                                         : SPACE_PARAM;
        address &= WINDOW_MASK;
    }
    switch (space) {
    case SPACE_SHARED:
    case SPACE_SHARED_CLUSTER:
        ok = resolve_shared(w, in, lane, address, num_bytes, place);
        break;
    case SPACE_LOCAL:
        ok = resolve_local(w, in, lane, address, num_bytes, place);
        break;
    case SPACE_PARAM:
        ok = resolve_param(w, in, lane, address, num_bytes, place);
        if (ok && is_write) {
            ptx_fail(w, in, lane, "parameters of a kernel are not written");
            return false;
        }
        break;
    default:
        ok = resolve_global(w, in, lane, address, num_bytes, is_write, place);
        break;
    }
    return ok;
}

bool
ptx_check_written(Warp *w, const Inst *in, unsigned lane, const Place *place, uint64_t num_bytes)
{
    if (!place->written || !memchr(place->written, 0, num_bytes))
        return true;
    ptx_fail(w, in, lane, "reads %s memory that was never written",
             place->is_shared ? space_name(SPACE_SHARED)
                              : space_name(place->is_global ? SPACE_GLOBAL : SPACE_LOCAL));
    return false;
}

// --- what accesses cost

void
ptx_count_global(Warp *w, const uint64_t *addresses, uint32_t mask, unsigned num_bytes)
{
    MlcPtxCounters *counters = &w->block->cluster->counters;
    uint64_t seen[LANES], most = 0;
    unsigned num_seen = 0, lanes = (unsigned)__builtin_popcount(mask);
    FOR_ACTIVE (l, mask) {
        uint64_t sector = addresses[l] / 32;
        unsigned i = sector > most ? 0 : num_seen;
        while (i > 0 && seen[i - 1] != sector)
            i--;
        most = sector > most ? sector : most;
        if (i == 0)
            seen[num_seen++] = sector;
    }
    counters->global_accesses++;
    counters->global_sectors += num_seen;
    unsigned best = (lanes * num_bytes + 31) / 32;
    counters->global_sectors_best += best < num_seen ? best : num_seen;
}

// Wide accesses take turns: half a warp for 8 bytes, a quarter for 16. Within a turn a bank gives
// one word of 4 bytes. All lanes take part.
static bool
meets_no_conflict(const uint64_t *addresses, unsigned num_bytes)
{
    unsigned width = num_bytes >= 16 ? 16 : num_bytes == 8 ? 8 : 4, per_turn = 128 / width;
    for (unsigned first = 0; first < LANES; first += per_turn) {
        uint64_t at[LANES]; // by place in the row of banks
        uint32_t taken = 0;
        for (unsigned l = first; l < first + per_turn; l++) {
            unsigned place = addresses[l] / width % per_turn;
            if (taken >> place & 1 && at[place] != addresses[l])
                return false;
            at[place] = addresses[l];
            taken |= UINT32_C(1) << place;
        }
    }
    return num_bytes <= 16;
}

void
ptx_count_shared(Warp *w, const uint64_t *addresses, uint32_t mask, unsigned num_bytes)
{
    MlcPtxCounters *counters = &w->block->cluster->counters;
    if (mask == ALL_LANES && meets_no_conflict(addresses, num_bytes)) {
        counters->shared_accesses++;
        counters->shared_wavefronts += num_bytes >= 16 ? 4 : num_bytes == 8 ? 2 : 1;
        return;
    }
    unsigned per_turn = num_bytes >= 16  ? 8
                        : num_bytes == 8 ? 16
                                         : 32,
             words = num_bytes <= 4 ? 1 : num_bytes / 4;
    counters->shared_accesses++;
    for (unsigned first = 0; first < LANES; first += per_turn) {
        uint32_t word_of[LANES][4]; // of each bank, the first few
        uint8_t count[LANES] = {0};
        unsigned most = 0;
        for (unsigned l = first; l < first + per_turn; l++)
            for (unsigned k = 0; k < words && mask >> l & 1; k++) {
                uint32_t word = (uint32_t)(addresses[l] / 4) + k, bank = word % 32;
                unsigned i = 0, kept = count[bank] < 4 ? count[bank] : 4;
                while (i < kept && word_of[bank][i] != word)
                    i++;
                if (i < kept)
                    continue;
                if (count[bank] < 4)
                    word_of[bank][count[bank]] = word;
                count[bank]++;
                most = count[bank] > most ? count[bank] : most;
            }
        counters->shared_wavefronts += most;
        counters->bank_conflicts += most ? most - 1 : 0;
    }
}

static void
count_access(Warp *w, const uint64_t *addresses, uint32_t mask, unsigned num_bytes,
             const Place *place)
{
    if (place->is_shared)
        ptx_count_shared(w, addresses, mask, num_bytes);
    else if (place->is_global)
        ptx_count_global(w, addresses, mask, num_bytes);
}

// --- loads and stores

static const Operand *
elements(const Warp *w, const Operand *o)
{
    return o->kind == OPERAND_LIST ? &w->kernel->lists.data[o->list] : o;
}

static inline uint64_t
read_bytes(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    return value;
}

// Values to registers of 4 bytes. False: they are others.
static bool
give_words(Warp *w, const Operand *to, uint32_t mask, const Words *words)
{
    unsigned count = words->race.num_bytes / 4;
    for (unsigned k = 0; k < count; k++)
        if (to[k].bytes != 4)
            return false;
    for (unsigned k = 0; k < count; k++) {
        uint32_t values[LANES];
        FOR_ACTIVE (l, mask)
            memcpy(&values[l], words->data + words->race.offsets[l] + 4 * k, 4);
        put32(w, &to[k], mask, values);
    }
    return true;
}

// False: it is no access of whole words, and nothing is done.
static bool
load_words(Warp *w, const Inst *in, uint32_t mask, const uint64_t *addresses, Step *step)
{
    unsigned bytes = ptx_types[in->type].bytes, all = bytes * in->vector;
    Words words;
    if (bytes > 8 || in->flags ||
        !ptx_find_words(w, in->space, mask, addresses, all, false, &words))
        return false;
    *step = STEP_STOP;
    if (words.race.cells && !ptx_race_read_words(w, in, mask, &words.race))
        return true;
    const Operand *to = elements(w, &in->operand[0]);
    bool is_signed = ptx_types[in->type].class == CLASS_SIGNED;
    if (bytes != 4 || !give_words(w, to, mask, &words))
        FOR_ACTIVE (l, mask)
            for (unsigned k = 0; k < in->vector; k++)
                put_lane(w, &to[k], l,
                         extend(read_bytes(words.data + words.race.offsets[l] + k * bytes, bytes),
                                bytes, is_signed));
    (words.is_shared ? ptx_count_shared : ptx_count_global)(w, addresses, mask, all);
    *step = STEP_NEXT;
    return true;
}

static bool
store_words(Warp *w, const Inst *in, uint32_t mask, const uint64_t *addresses, Step *step)
{
    unsigned bytes = ptx_types[in->type].bytes, all = bytes * in->vector;
    const Operand *from = elements(w, &in->operand[1]);
    uint8_t values[LANES][32];
    Words words;
    if (in->flags || all > sizeof *values ||
        !ptx_find_words(w, in->space, mask, addresses, all, true, &words) || words.race.repeated)
        return false;
    *step = STEP_STOP;
    FOR_ACTIVE (l, mask)
        for (unsigned k = 0; k < in->vector; k++) {
            uint64_t value = get_lane(w, &from[k], l);
            memcpy(values[l] + k * bytes, &value, bytes);
        }
    if (words.race.cells && !ptx_race_write_words(w, in, &words.race, words.data, values[0]))
        return true;
    FOR_ACTIVE (l, mask) {
        memcpy(words.data + words.race.offsets[l], values[l], all);
        memset(words.written + words.race.offsets[l], 1, all);
    }
    (words.is_shared ? ptx_count_shared : ptx_count_global)(w, addresses, mask, all);
    *step = STEP_NEXT;
    return true;
}

Step
ptx_load(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t addresses[LANES];
    unsigned bytes = ptx_types[in->type].bytes, all = bytes * in->vector;
    bool is_signed = ptx_types[in->type].class == CLASS_SIGNED;
    const Operand *to = elements(w, &in->operand[0]);
    AccessKind kind = in->flags & MEMORY_STRONG ? ACCESS_STRONG_READ : ACCESS_READ;
    Place place = {0};
    ptx_addresses(w, &in->operand[1], addresses);
    Step step;
    if (load_words(w, in, mask, addresses, &step))
        return step;
    FOR_ACTIVE (l, mask) {
        if (!ptx_resolve(w, in, l, in->space, addresses[l], all, all, false, &place) ||
            !ptx_check_written(w, in, l, &place, all) ||
            (place.cells &&
             !ptx_race_access(w, in, l, place.cells, place.offset, all, kind, false)))
            return STEP_STOP;
        for (unsigned k = 0; k < in->vector; k++)
            put_lane(w, &to[k], l,
                     extend(read_bytes(place.data + k * bytes, bytes), bytes, is_signed));
    }
    count_access(w, addresses, mask, all, &place);
    return STEP_NEXT;
}

Step
ptx_load_param(Warp *w, const Inst *in, uint32_t mask)
{
    unsigned bytes = ptx_types[in->type].bytes, all = bytes * in->vector;
    bool is_signed = ptx_types[in->type].class == CLASS_SIGNED;
    const Operand *to = elements(w, &in->operand[0]);
    Place place;
    uint64_t addresses[LANES];
    ptx_addresses(w, &in->operand[1], addresses);
    FOR_ACTIVE (l, mask) {
        if (!ptx_resolve(w, in, l, SPACE_PARAM, addresses[l], all, bytes, false, &place))
            return STEP_STOP;
        for (unsigned k = 0; k < in->vector; k++)
            put_lane(w, &to[k], l,
                     extend(read_bytes(place.data + k * bytes, bytes), bytes, is_signed));
    }
    return STEP_NEXT;
}

Step
ptx_store(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t addresses[LANES];
    unsigned bytes = ptx_types[in->type].bytes, all = bytes * in->vector;
    const Operand *from = elements(w, &in->operand[1]);
    AccessKind kind = in->flags & MEMORY_STRONG ? ACCESS_STRONG_WRITE : ACCESS_WRITE;
    Place place = {0};
    Step step;
    ptx_addresses(w, &in->operand[0], addresses);
    if (store_words(w, in, mask, addresses, &step))
        return step;
    FOR_ACTIVE (l, mask) {
        uint8_t values[32];
        if (!ptx_resolve(w, in, l, in->space, addresses[l], all, all, true, &place))
            return STEP_STOP;
        for (unsigned k = 0; k < in->vector; k++) {
            uint64_t value = get_lane(w, &from[k], l);
            memcpy(values + k * bytes, &value, bytes);
        }
        if (place.cells) {
            bool same = memcmp(place.data, values, all) == 0;
            if (!ptx_race_access(w, in, l, place.cells, place.offset, all, kind, same))
                return STEP_STOP;
        }
        memcpy(place.data, values, all);
        if (place.written)
            memset(place.written, 1, all);
    }
    count_access(w, addresses, mask, all, &place);
    return STEP_NEXT;
}

// --- atomics

static uint64_t
atomic_float(AtomicOp op, PtxType type, uint64_t a, uint64_t b)
{
    if (type == TYPE_F64)
        return double_bits(bits_double(a) + bits_double(b));
    if (type == TYPE_F32) {
        float sum = bits_float((uint32_t)a) + bits_float((uint32_t)b);
        return sum != sum ? NAN_F32 : float_bits(sum);
    }
    bool two = type == TYPE_F16X2 || type == TYPE_BF16X2;
    uint64_t out = 0;
    for (unsigned shift = 0; shift <= (two ? 16u : 0u); shift += 16) {
        double x = ptx_widen(a >> shift & 0xffff, type), y = ptx_widen(b >> shift & 0xffff, type);
        double result = op == ATOMIC_ADD   ? x + y
                        : op == ATOMIC_MIN ? (x < y || y != y ? x : y)
                                           : (x > y || y != y ? x : y);
        out |= (uint64_t)ptx_narrow(result, type, ROUND_RN, false) << shift;
    }
    return out;
}

static uint64_t
atomic_result(unsigned op, PtxType type, uint64_t a, uint64_t b, uint64_t c)
{
    bool is_signed = ptx_types[type].class == CLASS_SIGNED;
    unsigned bytes = ptx_types[type].bytes;
    bool less =
        is_signed ? (int64_t)extend(a, bytes, true) < (int64_t)extend(b, bytes, true) : a < b;
    switch (op) {
    case ATOMIC_ADD:
        return a + b;
    case ATOMIC_MIN:
        return less ? a : b;
    case ATOMIC_MAX:
        return less ? b : a;
    case ATOMIC_AND:
        return a & b;
    case ATOMIC_OR:
        return a | b;
    case ATOMIC_XOR:
        return a ^ b;
    case ATOMIC_CAS:
        return a == b ? c : a;
    case ATOMIC_INC:
        return a >= b ? 0 : a + 1;
    case ATOMIC_DEC:
        return a == 0 || a > b ? b : a - 1;
    default:
        return b;
    }
}

uint64_t
ptx_combine_elements(unsigned op, PtxType type, uint64_t a, uint64_t b)
{
    bool is_float = ptx_types[type].class == CLASS_FLOAT && op <= ATOMIC_MAX;
    return is_float ? atomic_float(op, type, a, b) : atomic_result(op, type, a, b, 0);
}

static bool
atomic_lane(Warp *w, const Inst *in, unsigned lane, uint64_t address)
{
    unsigned bytes = ptx_types[in->type].bytes, all = bytes * in->vector;
    Place place;
    if (!ptx_resolve(w, in, lane, in->space, address, all, all, true, &place) ||
        !ptx_check_written(w, in, lane, &place, all) ||
        (place.cells &&
         !ptx_race_access(w, in, lane, place.cells, place.offset, all, ACCESS_UPDATE, false)))
        return false;
    const Operand *to = elements(w, &in->operand[0]), *from = elements(w, &in->operand[2]);
    for (unsigned k = 0; k < in->vector; k++) {
        uint64_t a = read_bytes(place.data + k * bytes, bytes),
                 b = extend(get_lane(w, &from[k], lane), bytes, false),
                 c = in->variant == ATOMIC_CAS ? get_lane(w, &in->operand[3], lane) : 0;
        uint64_t result = in->variant == ATOMIC_CAS
                              ? atomic_result(ATOMIC_CAS, in->type, a, b, extend(c, bytes, false))
                              : ptx_combine_elements(in->variant, in->type, a, b);
        memcpy(place.data + k * bytes, &result, bytes);
        if (in->operand[0].kind != OPERAND_NONE)
            put_lane(w, &to[k], lane, a);
    }
    return true;
}

Step
ptx_atomic(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t addresses[LANES];
    MlcPtxDevice *device = w->block->cluster->run->device;
    bool ok = true;
    ptx_addresses(w, &in->operand[1], addresses);
    pthread_mutex_lock(&device->atomics);
    FOR_ACTIVE (l, mask)
        ok = ok && atomic_lane(w, in, l, addresses[l]);
    pthread_mutex_unlock(&device->atomics);
    return ok ? STEP_NEXT : STEP_STOP;
}

// --- addresses between spaces

static uint64_t
window_of(PtxSpace space)
{
    switch (space) {
    case SPACE_SHARED:
    case SPACE_SHARED_CLUSTER:
        return SHARED_WINDOW;
    case SPACE_LOCAL:
        return LOCAL_WINDOW;
    case SPACE_PARAM:
        return PARAM_WINDOW;
    default:
        return 0;
    }
}

// in->variant: to the space, instead of from it.
Step
ptx_cvta(Warp *w, const Inst *in, uint32_t mask)
{
    uint64_t window = window_of(in->space);
    FOR_ACTIVE (l, mask) {
        uint64_t a = get_lane(w, &in->operand[1], l);
        put_lane(w, &in->operand[0], l, !window ? a : in->variant ? a & WINDOW_MASK : a | window);
    }
    return STEP_NEXT;
}

Step
ptx_is_space(Warp *w, const Inst *in, uint32_t mask)
{
    uint32_t result = 0;
    FOR_LANES (l) {
        uint64_t window = get_lane(w, &in->operand[1], l) & ~WINDOW_MASK;
        bool other = window >= PARAM_WINDOW && window <= SHARED_WINDOW;
        result |= (uint32_t)(window_of(in->space) ? window == window_of(in->space) : !other) << l;
    }
    put_pred(w, &in->operand[0], mask, result);
    return STEP_NEXT;
}

Step
ptx_map_address(Warp *w, const Inst *in, uint32_t mask)
{
    FOR_ACTIVE (l, mask) {
        uint64_t a = get_lane(w, &in->operand[1], l), rank = get_lane(w, &in->operand[2], l);
        uint64_t window = in->space == SPACE_GENERIC ? SHARED_WINDOW : 0;
        if (rank >= w->block->cluster->num_blocks)
            return ptx_fail(w, in, l, "rank %" PRIu64 " in a cluster of %u blocks", rank,
                            w->block->cluster->num_blocks);
        a = (a & ((1u << RANK_SHIFT) - 1)) | (rank + 1) << RANK_SHIFT | window;
        put_lane(w, &in->operand[0], l, a);
    }
    return STEP_NEXT;
}

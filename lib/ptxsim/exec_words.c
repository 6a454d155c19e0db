// exec_words.c -- accesses of whole words, which nearly all are: what exec_mem.c asks lane by lane
// is asked here of a warp at once.
#include "exec_words.h"

#include "exec.h"
#include "launch.h"
#include "memory.h"

// The piece of memory that the first lane's address lies in. False: another space.
static bool
find_piece(Warp *w, PtxSpace space, uint64_t address, Words *words, uint64_t *base, uint64_t *size)
{
    Run *run = w->block->cluster->run;
    Block *block = w->block;
    if (space == SPACE_SHARED) {
        *base = STATIC_SHARED_BASE;
        *size = block->shared_size - STATIC_SHARED_BASE;
        words->data = block->shared + STATIC_SHARED_BASE;
        words->written = block->shared_written + STATIC_SHARED_BASE;
        words->race.cells = block->cells ? block->cells + STATIC_SHARED_BASE / 4 : NULL;
        words->is_shared = true;
        return true;
    }
    if (space != SPACE_GLOBAL && space != SPACE_GENERIC)
        return false;
    Region *region = w->last_region;
    if (!region || address - region->base >= region->size)
        region = ptx_find_region(run->device, address);
    if (!region || region->is_written || region->read_only)
        return false;
    w->last_region = region;
    if (!region->touched)
        region->touched = true;
    *base = region->base;
    *size = region->size;
    words->data = region->data;
    words->written = region->written;
    words->race.cells = run->races ? region->cells : NULL;
    words->is_shared = false;
    return true;
}

static bool
was_written(const uint8_t *written, unsigned num_bytes)
{
    for (unsigned k = 0; k < num_bytes; k += 4) {
        uint32_t four;
        memcpy(&four, written + k, 4);
        if (four != 0x01010101)
            return false;
    }
    return true;
}

bool
ptx_find_words(Warp *w, PtxSpace space, uint32_t mask, const uint64_t *addresses,
               unsigned num_bytes, bool is_write, Words *words)
{
    enum { PLACES = 64, NOBODY = 0xff };
    uint8_t at_place[PLACES];
    uint64_t base, size;
    RaceWords *race = &words->race;
    if (num_bytes % 4 || !mask ||
        !find_piece(w, space, addresses[first_lane(mask)], words, &base, &size))
        return false;
    memset(at_place, NOBODY, sizeof at_place);
    race->num_bytes = num_bytes;
    race->first = race->repeated = 0;
    FOR_ACTIVE (l, mask) {
        uint64_t offset = addresses[l] - base;
        if (offset >= size || num_bytes > size - offset || offset & (num_bytes - 1))
            return false;
        uint8_t *place = &at_place[offset / num_bytes % PLACES];
        race->offsets[l] = offset;
        race->same[l] = (uint8_t)l;
        if (*place != NOBODY && race->offsets[*place] == offset) {
            race->same[l] = *place;
            race->repeated |= UINT32_C(1) << *place;
            continue;
        }
        if (!is_write && !was_written(words->written + offset, num_bytes))
            return false;
        *place = (uint8_t)l;
        race->first |= UINT32_C(1) << l;
    }
    return true;
}

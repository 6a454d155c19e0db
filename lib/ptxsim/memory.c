// memory.c -- regions are mapped with their shadows, which cost nothing where nobody looks.
//
// Addresses grow and are never given twice; a page lies between two regions, so that what runs over
// the end of one meets nothing.
#include "memory.h"

#include <sys/mman.h>

enum { PAGE = 4096 };
static const uint64_t first_address = UINT64_C(1) << 33;
static const uint64_t max_bytes = UINT64_C(1) << 36;

MlcPtxDevice *
mlc_ptx_device_create(MlcPtxMessageFn handler, void *user)
{
    MlcPtxDevice *device = mlc_calloc(1, sizeof *device);
    device->handler = handler;
    device->user = user;
    device->next_address = first_address;
    pthread_mutex_init(&device->atomics, NULL);
    return device;
}

static void
release_region(Region *region)
{
    munmap(region->mapped, region->mapped_size);
    mlc_free(region);
}

static void
release_entry(MlcPtxEntry *entry)
{
    mlc_vec_release(&entry->code);
    mlc_vec_release(&entry->lists);
    mlc_vec_release(&entry->names);
    mlc_vec_release(&entry->regs);
    mlc_vec_release(&entry->specials);
    mlc_buf_release(&entry->consts);
}

void
mlc_ptx_device_destroy(MlcPtxDevice *device)
{
    if (!device)
        return;
    for (size_t i = 0; i < device->modules.size; i++) {
        MlcPtxModule *module = device->modules.data[i];
        for (size_t k = 0; k < module->entries.size; k++)
            release_entry(module->entries.data[k]);
        mlc_vec_release(&module->entries);
        mlc_arena_release(&module->arena);
        mlc_free(module);
    }
    for (size_t i = 0; i < device->regions.size; i++)
        release_region(device->regions.data[i]);
    mlc_vec_release(&device->modules);
    mlc_vec_release(&device->regions);
    pthread_mutex_destroy(&device->atomics);
    mlc_free(device);
}

void
ptx_tell(void *user, const char *file, PtxAt at, bool is_note, const char *text)
{
    MlcPtxDevice *device = user;
    if (device->handler)
        device->handler(device->user, &(MlcPtxMessage){file, at.line, at.column, is_note, text});
}

Region *
ptx_add_region(MlcPtxDevice *device, uint64_t num_bytes)
{
    if (num_bytes > max_bytes || device->next_address > max_bytes * 512)
        return NULL;
    uint64_t padded = (num_bytes + PAGE - 1) / PAGE * PAGE + (num_bytes == 0 ? PAGE : 0);
    Region *region = mlc_calloc(1, sizeof *region);
    region->base = device->next_address;
    region->size = num_bytes;
    region->mapped_size = padded * (2 + sizeof(Cell) / 4);
    region->mapped = mmap(NULL, region->mapped_size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region->mapped == MAP_FAILED) {
        mlc_free(region);
        return NULL;
    }
    region->data = region->mapped;
    region->written = region->data + padded;
    region->cells = (Cell *)(region->written + padded);
    device->next_address += padded + PAGE;
    mlc_vec_push(&device->regions, region); // addresses grow: the list stays sorted
    return region;
}

// The first region that begins above `address`.
static size_t
index_above(const MlcPtxDevice *device, uint64_t address)
{
    size_t low = 0, high = device->regions.size;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (device->regions.data[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Region *
ptx_find_region(const MlcPtxDevice *device, uint64_t address)
{
    size_t above = index_above(device, address);
    Region *region = above ? device->regions.data[above - 1] : NULL;
    return region && address - region->base < region->size ? region : NULL;
}

void
ptx_forget_accesses(MlcPtxDevice *device)
{
    for (size_t i = 0; i < device->regions.size; i++) {
        Region *region = device->regions.data[i];
        if (region->touched)
            madvise(region->cells,
                    region->mapped_size - (size_t)((uint8_t *)region->cells - region->data),
                    MADV_DONTNEED);
        region->touched = false;
    }
}

typedef struct Touched {
    MlcPtxTouchFn visit;
    void *user;
    uint64_t begin, end;
    bool is_written;
} Touched;

static void
end_run(Touched *t)
{
    if (t->end > t->begin)
        t->visit(t->user, t->begin, t->end - t->begin, t->is_written);
    t->begin = t->end = 0;
}

static void
visit_cells(Touched *t, const Region *region, size_t from, size_t to)
{
    size_t count = (region->size + 3) / 4;
    for (size_t i = from; i < to && i < count; i++) {
        const Cell *cell = &region->cells[i];
        uint64_t address = region->base + i * 4;
        bool is_written = cell->write != 0;
        if (!cell->write && !cell->read)
            continue;
        if (t->end != address || t->is_written != is_written) {
            end_run(t);
            t->begin = address;
            t->is_written = is_written;
        }
        t->end = address + 4;
    }
}

// Pages of cells that are not there were touched by nobody.
void
mlc_ptx_visit_touched(const MlcPtxDevice *device, MlcPtxTouchFn visit, void *user)
{
    enum { PAGES = 4096 };
    unsigned char there[PAGES];
    Touched t = {.visit = visit, .user = user};
    for (size_t i = 0; i < device->regions.size; i++) {
        const Region *region = device->regions.data[i];
        size_t bytes = region->mapped_size - (size_t)((uint8_t *)region->cells - region->data);
        for (size_t at = 0; region->touched && at < bytes; at += (size_t)PAGES * PAGE) {
            size_t size = bytes - at < (size_t)PAGES * PAGE ? bytes - at : (size_t)PAGES * PAGE;
            if (mincore((char *)region->cells + at, size, there) != 0)
                memset(there, 1, sizeof there);
            for (size_t page = 0; page * PAGE < size; page++)
                if (there[page] & 1)
                    visit_cells(&t, region, (at + page * PAGE) / sizeof(Cell),
                                (at + (page + 1) * PAGE) / sizeof(Cell));
        }
    }
    end_run(&t);
}

uint64_t
mlc_ptx_alloc(MlcPtxDevice *device, uint64_t num_bytes)
{
    Region *region = ptx_add_region(device, num_bytes);
    return region ? region->base : 0;
}

bool
mlc_ptx_free(MlcPtxDevice *device, uint64_t address)
{
    size_t above = index_above(device, address);
    if (above == 0 || device->regions.data[above - 1]->base != address)
        return false;
    release_region(device->regions.data[above - 1]);
    for (size_t i = above; i < device->regions.size; i++)
        device->regions.data[i - 1] = device->regions.data[i];
    device->regions.size--;
    return true;
}

static Region *
find_piece(const MlcPtxDevice *device, uint64_t address, uint64_t num_bytes)
{
    Region *region = ptx_find_region(device, address);
    return region && num_bytes <= region->base + region->size - address ? region : NULL;
}

bool
mlc_ptx_write(MlcPtxDevice *device, uint64_t address, const void *bytes, uint64_t num_bytes)
{
    Region *region = find_piece(device, address, num_bytes);
    if (!region)
        return num_bytes == 0;
    memcpy(region->data + (address - region->base), bytes, num_bytes);
    if (!region->is_written)
        memset(region->written + (address - region->base), 1, num_bytes);
    return true;
}

bool
mlc_ptx_read(MlcPtxDevice *device, uint64_t address, void *bytes, uint64_t num_bytes)
{
    Region *region = find_piece(device, address, num_bytes);
    if (region)
        memcpy(bytes, region->data + (address - region->base), num_bytes);
    return region || num_bytes == 0;
}

uint64_t
mlc_ptx_num_unwritten(MlcPtxDevice *device, uint64_t address, uint64_t num_bytes)
{
    Region *region = find_piece(device, address, num_bytes);
    if (!region)
        return num_bytes;
    uint64_t count = 0;
    for (uint64_t i = 0; i < num_bytes; i++)
        count += !region->is_written && !region->written[address - region->base + i];
    return count;
}

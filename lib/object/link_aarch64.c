// link_aarch64.c -- relocations of "ELF for the Arm 64-bit Architecture" (AAELF64), small code
// model.
//
// An address is made of two parts: ADRP gives its page of 4 KiB, relative to the code's own, and
// the instruction behind adds the rest. Images are mapped at multiples of a page, so both are
// known.
#include "link.h"

#include <elf.h>
#include <string.h>

static uint32_t
read32(const char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

// Puts the low `width` bits of `value` at bit `shift` of an instruction.
static void
set_field(char *at, unsigned shift, unsigned width, int64_t value)
{
    uint32_t mask = (UINT32_C(1) << width) - 1, word = read32(at);
    word = (word & ~(mask << shift)) | ((uint32_t)value & mask) << shift;
    memcpy(at, &word, sizeof word);
}

static bool
fits(int64_t value, unsigned bits)
{
    return value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1);
}

static const char *
set_page(char *at, int64_t place, int64_t address)
{
    int64_t pages = (address >> 12) - (place >> 12);
    if (!fits(pages, 21))
        return mlc_link_overflows;
    set_field(at, 29, 2, pages);
    set_field(at, 5, 19, pages >> 2);
    return NULL;
}

// The last 12 bits of an address, in units of the access.
static const char *
set_low(char *at, int64_t address, unsigned log2_bytes)
{
    int64_t low = address & 0xfff;
    if (low & ((1 << log2_bytes) - 1))
        return "an access that is not aligned to its size";
    set_field(at, 10, 12, low >> log2_bytes);
    return NULL;
}

static const char *
set_branch(char *at, unsigned shift, unsigned width, int64_t distance)
{
    if ((distance & 3) != 0 || !fits(distance >> 2, width))
        return mlc_link_overflows;
    set_field(at, shift, width, distance >> 2);
    return NULL;
}

// Where there is no global offset table, `ldr x, [y, :got_lo12:s]` becomes `add x, y, :lo12:s`.
static const char *
set_low_of_got(const LinkRelocation *r)
{
    if (r->slot)
        return set_low(r->at, r->slot, 3);
    uint32_t word = read32(r->at);
    if ((word & 0xffc00000) != 0xf9400000) // ldr of 64 bits, unsigned offset
        return "an instruction reads the global offset table in a way that cannot be relaxed";
    word = 0x91000000 | (word & 0x3ff); // add, the same registers
    memcpy(r->at, &word, sizeof word);
    return set_low(r->at, r->target, 0);
}

static const char *
store_relative(const LinkRelocation *r, int64_t value)
{
    if (r->type == R_AARCH64_PREL64) {
        memcpy(r->at, &value, 8);
        return NULL;
    }
    if (!fits(value, 32))
        return mlc_link_overflows;
    set_field(r->at, 0, 16, value);
    set_field(r->at, 16, 16, value >> 16);
    return NULL;
}

static const char *
apply(const LinkRelocation *r)
{
    enum { PLT32 = 314 }; // younger than some <elf.h>
    if (r->type == R_AARCH64_NONE)
        return NULL;
    if (r->room < (r->type == R_AARCH64_PREL64 ? 8 : 4))
        return mlc_link_outside;
    int64_t address = r->target + r->addend, distance = address - r->place;
    switch (r->type) {
    case R_AARCH64_PREL32:
    case R_AARCH64_PREL64:
    case PLT32:
        return store_relative(r, distance);
    case R_AARCH64_ADR_PREL_LO21:
        if (!fits(distance, 21))
            return mlc_link_overflows;
        set_field(r->at, 29, 2, distance);
        set_field(r->at, 5, 19, distance >> 2);
        return NULL;
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADR_PREL_PG_HI21_NC:
        return set_page(r->at, r->place, address);
    case R_AARCH64_ADR_GOT_PAGE:
        return set_page(r->at, r->place, r->slot ? r->slot : r->target);
    case R_AARCH64_LD64_GOT_LO12_NC:
        return set_low_of_got(r);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
        return set_low(r->at, address, 0);
    case R_AARCH64_LDST16_ABS_LO12_NC:
        return set_low(r->at, address, 1);
    case R_AARCH64_LDST32_ABS_LO12_NC:
        return set_low(r->at, address, 2);
    case R_AARCH64_LDST64_ABS_LO12_NC:
        return set_low(r->at, address, 3);
    case R_AARCH64_LDST128_ABS_LO12_NC:
        return set_low(r->at, address, 4);
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26:
        return set_branch(r->at, 0, 26, distance);
    case R_AARCH64_CONDBR19:
        return set_branch(r->at, 5, 19, distance);
    case R_AARCH64_TSTBR14:
        return set_branch(r->at, 5, 14, distance);
    default:
        return mlc_link_not_relative;
    }
}

// adrp x16, slot; ldr x16, [x16, :lo12:slot]; br x16. The slot is within 2 GiB, and at a multiple
// of 8.
static void
write_stub(char *at, int64_t place, int64_t slot)
{
    static const uint32_t stub[] = {0x90000010, 0xf9400210, 0xd61f0200, 0};
    memcpy(at, stub, sizeof stub);
    (void)set_page(at, place, slot);
    (void)set_low(at + 4, slot, 3);
}

const LinkMachine mlc_link_aarch64 = {
    .name = "aarch64",
    .elf = EM_AARCH64,
    .page_size = 65536,
    .stub_bytes = 16,
    .padding = 0, // udf
    .write_stub = write_stub,
    .apply = apply,
};

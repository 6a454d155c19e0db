// link_x86_64.c -- relocations of the System V psABI for AMD64.
#include "link.h"

#include <elf.h>
#include <string.h>

// ff 25 disp32: jmp *disp(%rip)
static void
write_stub(char *at, int64_t place, int64_t slot)
{
    unsigned char stub[8] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
    int32_t displacement = (int32_t)(slot - (place + 6));
    memcpy(stub + 2, &displacement, 4);
    memcpy(at, stub, sizeof stub);
}

static const char *
store32(char *at, int64_t value)
{
    if (value < INT32_MIN || value > INT32_MAX)
        return mlc_link_overflows;
    int32_t narrow = (int32_t)value;
    memcpy(at, &narrow, 4);
    return NULL;
}

// A load from the global offset table: there is none, so `mov x@GOTPCREL(%rip), %r` becomes `lea
// x(%rip), %r` and `call *x@GOTPCREL(%rip)` a call with a prefix ("optimize GOTPCRELX
// relocations").
static const char *
relax_got(const LinkRelocation *r)
{
    unsigned char *opcode = (unsigned char *)r->at - 2;
    if (r->before >= 2 && opcode[0] == 0x8b) {
        opcode[0] = 0x8d;
        return NULL;
    }
    if (r->before >= 2 && opcode[0] == 0xff && opcode[1] == 0x15) {
        opcode[0] = 0x67;
        opcode[1] = 0xe8;
        return NULL;
    }
    return "an instruction reads the global offset table in a way that cannot be relaxed";
}

static const char *
apply(const LinkRelocation *r)
{
    if (r->type == R_X86_64_NONE)
        return NULL;
    if (r->room < (r->type == R_X86_64_PC64 ? 8 : 4))
        return mlc_link_outside;
    int64_t value = r->target + r->addend - r->place;
    switch (r->type) {
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        return store32(r->at, value);
    case R_X86_64_PC64:
        memcpy(r->at, &value, 8);
        return NULL;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        if (r->slot)
            return store32(r->at, r->slot + r->addend - r->place);
        const char *fault = relax_got(r);
        return fault ? fault : store32(r->at, value);
    default:
        return mlc_link_not_relative;
    }
}

const LinkMachine mlc_link_x86_64 = {
    .name = "x86_64",
    .elf = EM_X86_64,
    .page_size = 4096,
    .stub_bytes = 8,
    .padding = (char)0xcc, // int3
    .write_stub = write_stub,
    .apply = apply,
};

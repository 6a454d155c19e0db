// link.h -- what differs between machines when objects are linked: relocations and stubs.
#ifndef MLC_LIB_OBJECT_LINK_H
#define MLC_LIB_OBJECT_LINK_H

#include "mlc/support/base.h"

// One relocation. Addresses are those in the image.
typedef struct LinkRelocation {
    uint32_t type;
    char *at;        // the bytes to change
    uint64_t before; // bytes of the section before them, which may be looked at
    uint64_t room;   // bytes of the section from `at` on
    int64_t place;   // their address
    int64_t target;  // of the symbol, or of its stub
    int64_t slot;    // of the imported symbol's slot, which holds its address; 0: not imported
    int64_t addend;  // within 32 bits
} LinkRelocation;

typedef struct LinkMachine {
    const char *name;   // as the architecture in LLVM's triples
    uint16_t elf;       // e_machine
    uint32_t page_size; // the largest that systems of this machine have
    uint32_t stub_bytes;
    char padding; // between functions: a byte of what traps
    // Writes a jump to where the slot points.
    void (*write_stub)(char *at, int64_t place, int64_t slot);
    // Returns NULL, or what is wrong with it.
    const char *(*apply)(const LinkRelocation *r);
} LinkMachine;

extern const LinkMachine mlc_link_x86_64, mlc_link_aarch64;

// What `apply` returns.
extern const char mlc_link_overflows[], mlc_link_outside[], mlc_link_not_relative[];

#endif

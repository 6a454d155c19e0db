// object_link.c -- objects that the linker refuses, though they are well-formed ELF files: made
// here by hand, for both machines, since no compiler of ours emits them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mlc/object.h"

#include <elf.h>
#include <string.h>

enum { TEXT = 1, NOTES, SYMBOLS, STRINGS, RELOCATIONS, NUM_SECTIONS };

// An ELF file of one function of 16 bytes with one relocation, against a symbol of section `home`.
typedef struct Object {
    Elf64_Ehdr header;
    Elf64_Shdr sections[NUM_SECTIONS];
    unsigned char text[16], notes[16];
    Elf64_Sym symbols[2];
    char strings[8];
    Elf64_Rela relocation;
} Object;

static Elf64_Shdr
section(Elf64_Word type, Elf64_Xword flags, size_t offset, size_t size)
{
    return (Elf64_Shdr){.sh_type = type,
                        .sh_flags = flags,
                        .sh_offset = offset,
                        .sh_size = size,
                        .sh_addralign = 1};
}

static Object
object(Elf64_Half machine, Elf64_Half home, uint32_t type, Elf64_Sxword addend)
{
    Object o = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                   .e_type = ET_REL,
                   .e_machine = machine,
                   .e_shoff = offsetof(Object, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = NUM_SECTIONS,
                   .e_shstrndx = STRINGS},
        .sections = {[TEXT] = section(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
                                      offsetof(Object, text), 16),
                     [NOTES] = section(SHT_PROGBITS, 0, offsetof(Object, notes), 16),
                     [SYMBOLS] =
                         section(SHT_SYMTAB, 0, offsetof(Object, symbols), 2 * sizeof(Elf64_Sym)),
                     [STRINGS] = section(SHT_STRTAB, 0, offsetof(Object, strings), 8),
                     [RELOCATIONS] =
                         section(SHT_RELA, 0, offsetof(Object, relocation), sizeof(Elf64_Rela))},
        .symbols = {{0}, {.st_name = 1, .st_shndx = home}},
        .strings = "\0place",
        .relocation = {.r_offset = 8, .r_info = ELF64_R_INFO(1, type), .r_addend = addend},
    };
    o.sections[SYMBOLS].sh_link = STRINGS;
    o.sections[RELOCATIONS].sh_link = SYMBOLS;
    o.sections[RELOCATIONS].sh_info = TEXT;
    return o;
}

static void
refuses(Object o, const char *message)
{
    MlcImage image;
    MlcBuf error = {0};
    MlcStr bytes = mlc_str_n((const char *)&o, sizeof o);
    assert_false(mlc_image_link(&image, &bytes, 1, &error));
    assert_non_null(strstr(mlc_buf_c_str(&error), message));
    mlc_buf_release(&error);
}

static void
linked_where_nothing_is_wrong(void **state)
{
    (void)state;
    Object o = object(EM_X86_64, TEXT, R_X86_64_PC32, 0);
    MlcImage image;
    MlcBuf error = {0};
    MlcStr bytes = mlc_str_n((const char *)&o, sizeof o);
    assert_true(mlc_image_link(&image, &bytes, 1, &error));
    assert_int_equal(image.text.data[8], -8); // the function itself, from there
    mlc_image_release(&image);
    mlc_buf_release(&error);
}

static void
symbol_of_a_section_that_is_left_out(void **state)
{
    (void)state;
    refuses(object(EM_X86_64, NOTES, R_X86_64_PC32, 0),
            "'place' lies in a section that is not part of the code");
}

// push *place@GOTPCREL(%rip), which no other instruction stands for; str x0, [x1, :got_lo12:place]
static void
access_to_the_global_offset_table(void **state)
{
    (void)state;
    const char *message =
        "an instruction reads the global offset table in a way that cannot be relaxed";
    Object o = object(EM_X86_64, TEXT, R_X86_64_GOTPCRELX, -4);
    memcpy(o.text + 6, "\xff\x35", 2);
    refuses(o, message);
    o = object(EM_AARCH64, TEXT, R_AARCH64_LD64_GOT_LO12_NC, 0);
    memcpy(o.text + 8, "\x20\x00\x00\xf9", 4);
    refuses(o, message);
}

// ldr x0, [x0, :lo12:place + 1]
static void
access_that_is_not_aligned(void **state)
{
    (void)state;
    refuses(object(EM_AARCH64, TEXT, R_AARCH64_LDST64_ABS_LO12_NC, 1),
            "an access that is not aligned to its size");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linked_where_nothing_is_wrong),
        cmocka_unit_test(symbol_of_a_section_that_is_left_out),
        cmocka_unit_test(access_to_the_global_offset_table),
        cmocka_unit_test(access_that_is_not_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

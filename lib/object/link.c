// link.c -- a linker for what LLVM emits: ELF64 relocatable objects in, one flat image out.
//
// Three steps: lay out the allocated sections of all objects and collect their global symbols; find
// which functions are imported, which fixes the number of stubs and so the addresses of rodata and
// slots; apply relocations. Object bytes are checked as if they came from a stranger, so that a bug
// of ours upstream gives a message and not a crash.
#include "mlc/object.h"

#include "link.h"

#include <elf.h>

static const LinkMachine *const machines[] = {&mlc_link_x86_64, &mlc_link_aarch64};
enum { NUM_MACHINES = sizeof machines / sizeof *machines };

const char mlc_link_overflows[] = "a relocation overflows",
           mlc_link_outside[] = "a relocation lies outside its section",
           mlc_link_not_relative[] = "";

// Where an input section went.
typedef enum Home { HOME_NONE, HOME_TEXT, HOME_RODATA } Home;

typedef struct Section {
    Elf64_Shdr header;
    MlcStr name;
    Home home;
    uint64_t offset; // in its home
} Section;

typedef struct Object {
    MlcStr bytes;
    size_t index;
    Section *sections;
    size_t num_sections;
    size_t symtab; // section number, 0: none
    size_t num_symbols;
} Object;

typedef struct Linker {
    MlcImage *image;
    const LinkMachine *machine; // of the first object
    Object *objects;
    size_t num_objects;
    MlcBuf *error;
    MlcArena scratch;
    MlcStrMap import_slots; // name -> slot number
} Linker;

static bool fail(Linker *l, const char *format, ...) MLC_PRINTF(2, 3);

static bool
fail(Linker *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(l->error, format, args);
    va_end(args);
    return false;
}

static bool
malformed(Linker *l, const Object *o, const char *what)
{
    return fail(l, "object %zu is malformed: %s", o->index, what);
}

static bool
in_range(MlcStr bytes, uint64_t offset, uint64_t size)
{
    return offset <= bytes.size && size <= bytes.size - offset;
}

// The string at `offset` of string section `index`, or an empty one.
static MlcStr
string_at(const Object *o, size_t index, uint64_t offset)
{
    if (index >= o->num_sections)
        return mlc_str_n("", 0);
    const Elf64_Shdr *s = &o->sections[index].header;
    if (s->sh_type != SHT_STRTAB || offset >= s->sh_size)
        return mlc_str_n("", 0);
    const char *at = o->bytes.data + s->sh_offset + offset;
    return mlc_str_n(at, strnlen(at, s->sh_size - offset));
}

static MlcStr
contents(const Object *o, const Section *s)
{
    return mlc_str_n(o->bytes.data + s->header.sh_offset, s->header.sh_size);
}

static bool
read_header(Linker *l, Object *o, Elf64_Ehdr *h)
{
    if (o->bytes.size < sizeof *h)
        return malformed(l, o, "too short");
    memcpy(h, o->bytes.data, sizeof *h);
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_type != ET_REL)
        return malformed(l, o, "no relocatable little-endian ELF64 file");
    for (size_t i = 0; i < NUM_MACHINES && !l->machine; i++)
        l->machine = h->e_machine == machines[i]->elf ? machines[i] : NULL;
    if (!l->machine)
        return fail(l, "object %zu is for machine %u: there is no linker for it", o->index,
                    h->e_machine);
    if (h->e_machine != l->machine->elf)
        return fail(l, "object %zu is for machine %u, the others for %s", o->index, h->e_machine,
                    l->machine->name);
    if (h->e_shentsize != sizeof(Elf64_Shdr) || !in_range(o->bytes, h->e_shoff, sizeof(Elf64_Shdr)))
        return malformed(l, o, "section header table");
    return true;
}

static bool
read_sections(Linker *l, Object *o)
{
    Elf64_Ehdr h;
    if (!read_header(l, o, &h))
        return false;
    Elf64_Shdr first;
    memcpy(&first, o->bytes.data + h.e_shoff, sizeof first);
    // Counts that do not fit the header stand in the first section's fields.
    uint64_t count = h.e_shnum != 0 ? h.e_shnum : first.sh_size;
    uint32_t names = h.e_shstrndx != SHN_XINDEX ? h.e_shstrndx : first.sh_link;
    if (count > o->bytes.size / sizeof first ||
        !in_range(o->bytes, h.e_shoff, count * sizeof first))
        return malformed(l, o, "section header table");
    o->num_sections = count;
    o->sections = MLC_NEW_ARRAY(&l->scratch, Section, count + 1);
    for (size_t i = 0; i < count; i++) {
        Elf64_Shdr *s = &o->sections[i].header;
        memcpy(s, o->bytes.data + h.e_shoff + i * sizeof *s, sizeof *s);
        if (s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL &&
            !in_range(o->bytes, s->sh_offset, s->sh_size))
            return malformed(l, o, "a section lies outside the file");
        if ((s->sh_addralign & (s->sh_addralign - 1)) != 0 || s->sh_addralign > 4096)
            return malformed(l, o, "alignment of a section");
    }
    for (size_t i = 0; i < count; i++) {
        o->sections[i].name = string_at(o, names, o->sections[i].header.sh_name);
        if (o->sections[i].header.sh_type == SHT_SYMTAB)
            o->symtab = i;
    }
    if (o->symtab != 0)
        o->num_symbols = o->sections[o->symtab].header.sh_size / sizeof(Elf64_Sym);
    return true;
}

static uint64_t
align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

static void
append_aligned(MlcBuf *buf, uint64_t align, char fill, MlcStr bytes, uint64_t *offset)
{
    *offset = align_up(buf->size, align);
    mlc_buf_append_repeated(buf, fill, *offset - buf->size);
    mlc_buf_append_str(buf, bytes);
}

// Unwind tables are left out: compiled code does not throw, and nobody registers them.
static bool
is_wanted(const Section *s)
{
    return (s->header.sh_flags & SHF_ALLOC) != 0 && s->header.sh_size > 0 &&
           s->header.sh_type != SHT_NULL && s->header.sh_type != SHT_NOTE &&
           !mlc_str_equal(s->name, mlc_str(".eh_frame"));
}

static bool
lay_out(Linker *l, Object *o)
{
    uint64_t left = o->bytes.size; // sections that overlap could ask for its square
    for (size_t i = 0; i < o->num_sections; i++) {
        Section *s = &o->sections[i];
        if (!is_wanted(s))
            continue;
        if ((s->header.sh_flags & SHF_TLS) != 0 || (s->header.sh_flags & SHF_WRITE) != 0 ||
            s->header.sh_type == SHT_NOBITS)
            return fail(l,
                        "object %zu has writable data (section '%.*s', %llu bytes): compiled code "
                        "must be re-entrant",
                        o->index, MLC_STR_FMT(s->name), (unsigned long long)s->header.sh_size);
        if (s->header.sh_size > left)
            return malformed(l, o, "sections overlap");
        left -= s->header.sh_size;
        bool code = (s->header.sh_flags & SHF_EXECINSTR) != 0;
        s->home = code ? HOME_TEXT : HOME_RODATA;
        append_aligned(code ? &l->image->text : &l->image->rodata, s->header.sh_addralign,
                       code ? l->machine->padding : 0, contents(o, s), &s->offset);
    }
    return true;
}

static bool
read_symbol(const Object *o, uint64_t index, Elf64_Sym *symbol)
{
    if (o->symtab == 0 || index >= o->num_symbols)
        return false;
    memcpy(symbol, o->bytes.data + o->sections[o->symtab].header.sh_offset + index * sizeof *symbol,
           sizeof *symbol);
    return true;
}

static MlcStr
symbol_name(const Object *o, const Elf64_Sym *symbol)
{
    return string_at(o, o->sections[o->symtab].header.sh_link, symbol->st_name);
}

static bool
is_import(MlcStr name, const char **static_name)
{
    static const char *const names[] = {
#define NAME(function) #function,
        MLC_RT_IMPORTS(NAME)
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (mlc_str_equal(mlc_str(names[i]), name)) {
            *static_name = names[i];
            return true;
        }
    return false;
}

// A global symbol's value is packed until rodata's address is known.
typedef struct Place {
    Home home;
    uint64_t offset;
} Place;

static bool
symbol_place(const Object *o, const Elf64_Sym *symbol, Place *place)
{
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= o->num_sections)
        return false;
    const Section *s = &o->sections[symbol->st_shndx];
    *place = (Place){s->home, s->offset + symbol->st_value};
    return s->home != HOME_NONE && symbol->st_value <= s->header.sh_size;
}

static bool
collect_globals(Linker *l, const Object *o)
{
    for (size_t i = 1; i < o->num_symbols; i++) {
        Elf64_Sym symbol;
        Place place;
        if (!read_symbol(o, i, &symbol) || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL ||
            !symbol_place(o, &symbol, &place))
            continue;
        bool inserted;
        MlcStr name = symbol_name(o, &symbol);
        MlcStrMapEntry *entry = mlc_str_map_insert(&l->image->symbols, name, &inserted);
        if (!inserted)
            return fail(l, "'%.*s' is defined twice", MLC_STR_FMT(name));
        entry->value = place.offset << 1 | (place.home == HOME_RODATA);
    }
    return true;
}

static void
collect_functions(Linker *l, const Object *o)
{
    for (size_t i = 1; i < o->num_symbols; i++) {
        Elf64_Sym symbol;
        Place place;
        if (!read_symbol(o, i, &symbol) || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
            !symbol_place(o, &symbol, &place) || place.home != HOME_TEXT ||
            symbol.st_size > o->sections[symbol.st_shndx].header.sh_size - symbol.st_value)
            continue;
        MlcStr name = mlc_arena_strdup(&l->image->names, symbol_name(o, &symbol));
        MlcImageFunction function = {name.data, place.offset, symbol.st_size};
        mlc_vec_push(&l->image->functions, function);
    }
}

static bool
relocation_section(const Object *o, size_t index, const Section **target)
{
    const Elf64_Shdr *s = &o->sections[index].header;
    if (s->sh_type != SHT_RELA || s->sh_info >= o->num_sections)
        return false;
    *target = &o->sections[s->sh_info];
    return (*target)->home != HOME_NONE;
}

static bool
is_undefined(const Linker *l, const Object *o, const Elf64_Sym *symbol)
{
    return symbol->st_shndx == SHN_UNDEF &&
           !mlc_str_map_has(&l->image->symbols, symbol_name(o, symbol));
}

// Finds imports; reports every other undefined symbol, once each.
static bool
collect_imports(Linker *l, const Object *o, MlcStrMap *reported)
{
    for (size_t i = 1; i < o->num_symbols; i++) {
        Elf64_Sym symbol;
        if (!read_symbol(o, i, &symbol) || !is_undefined(l, o, &symbol))
            continue;
        MlcStr name = symbol_name(o, &symbol);
        const char *static_name;
        bool inserted;
        if (is_import(name, &static_name)) {
            MlcStrMapEntry *entry = mlc_str_map_insert(&l->import_slots, name, &inserted);
            if (inserted) {
                entry->value = l->image->imports.size;
                mlc_vec_push(&l->image->imports, mlc_str(static_name));
            }
            continue;
        }
        mlc_str_map_insert(reported, name, &inserted);
        if (inserted && reported->size == 1)
            fail(l, "undefined: '%.*s'", MLC_STR_FMT(name));
        else if (inserted)
            fail(l, ", '%.*s'", MLC_STR_FMT(name));
    }
    return true;
}

static bool
find_imports(Linker *l)
{
    MlcStrMap reported;
    mlc_str_map_init(&reported, NULL);
    for (size_t i = 0; i < l->num_objects; i++)
        collect_imports(l, &l->objects[i], &reported);
    bool ok = reported.size == 0;
    mlc_str_map_release(&reported);
    return ok || fail(l, " (code may call what it defines and the runtime's imports only)");
}

static uint64_t
slot_address(const Linker *l, uint64_t slot)
{
    return l->image->slots_address + slot * 8;
}

// Stubs go behind the code.
static void
emit_stubs(Linker *l, uint64_t first_stub)
{
    size_t bytes = l->machine->stub_bytes;
    for (uint64_t i = 0; i < l->image->imports.size; i++) {
        l->machine->write_stub(mlc_buf_reserve(&l->image->text, bytes),
                               (int64_t)(first_stub + i * bytes), (int64_t)slot_address(l, i));
        l->image->text.size += bytes;
    }
}

static bool
place_image(Linker *l, uint64_t *first_stub)
{
    MlcImage *image = l->image;
    uint64_t page = image->page_size;
    MlcStr none = {"", 0};
    append_aligned(&image->text, 16, l->machine->padding, none, first_stub);
    uint64_t text_size = *first_stub + image->imports.size * l->machine->stub_bytes;
    image->rodata_address = align_up(text_size, page);
    image->slots_address = image->rodata_address + align_up(image->rodata.size, page);
    if (image->slots_address + image->imports.size * 8 > INT32_MAX)
        return fail(l, "the code is too large: %llu bytes, at most 2 GiB",
                    (unsigned long long)image->slots_address);
    emit_stubs(l, *first_stub);
    MLC_STR_MAP_FOR_EACH (entry, &image->symbols)
        entry->value = (entry->value & 1 ? image->rodata_address : 0) + (entry->value >> 1);
    return true;
}

static uint64_t
home_address(const Linker *l, Home home)
{
    return home == HOME_RODATA ? l->image->rodata_address : 0;
}

typedef struct Target {
    uint64_t address;
    bool imported;
    uint64_t slot; // if imported
} Target;

static bool
resolve(Linker *l, const Object *o, uint64_t index, uint64_t first_stub, Target *target)
{
    Elf64_Sym symbol;
    if (!read_symbol(o, index, &symbol))
        return malformed(l, o, "a relocation's symbol");
    *target = (Target){0};
    Place place;
    if (symbol_place(o, &symbol, &place)) {
        target->address = home_address(l, place.home) + place.offset;
        return true;
    }
    MlcStr name = symbol_name(o, &symbol);
    if (symbol.st_shndx != SHN_UNDEF)
        return fail(l, "'%.*s' lies in a section that is not part of the code", MLC_STR_FMT(name));
    if (mlc_str_map_get_u64(&l->image->symbols, name, &target->address))
        return true;
    if (!mlc_str_map_get_u64(&l->import_slots, name, &target->slot))
        return malformed(l, o, "a relocation against nothing");
    target->imported = true;
    target->address = first_stub + target->slot * l->machine->stub_bytes;
    return true;
}

static bool
apply(Linker *l, const Object *o, const Section *s, const Elf64_Rela *r, uint64_t first_stub)
{
    uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
    Target target;
    if (type == 0) // none, on all machines
        return true;
    if (r->r_offset > s->header.sh_size)
        return malformed(l, o, mlc_link_outside);
    if (r->r_addend < INT32_MIN || r->r_addend > INT32_MAX)
        return malformed(l, o, mlc_link_overflows);
    if (!resolve(l, o, ELF64_R_SYM(r->r_info), first_stub, &target))
        return false;
    MlcBuf *home = s->home == HOME_TEXT ? &l->image->text : &l->image->rodata;
    LinkRelocation relocation = {
        .type = type,
        .at = home->data + s->offset + r->r_offset,
        .before = r->r_offset,
        .room = s->header.sh_size - r->r_offset,
        .place = (int64_t)(home_address(l, s->home) + s->offset + r->r_offset),
        .target = (int64_t)target.address,
        .slot = target.imported ? (int64_t)slot_address(l, target.slot) : 0,
        .addend = r->r_addend,
    };
    const char *fault = l->machine->apply(&relocation);
    if (fault == mlc_link_not_relative)
        return fail(l, "relocation type %u in section '%.*s' is not position-independent", type,
                    MLC_STR_FMT(s->name));
    return !fault || malformed(l, o, fault);
}

static bool
relocate(Linker *l, const Object *o, uint64_t first_stub)
{
    for (size_t i = 0; i < o->num_sections; i++) {
        const Section *target;
        if (!relocation_section(o, i, &target))
            continue;
        MlcStr table = contents(o, &o->sections[i]);
        for (size_t at = 0; at + sizeof(Elf64_Rela) <= table.size; at += sizeof(Elf64_Rela)) {
            Elf64_Rela r;
            memcpy(&r, table.data + at, sizeof r);
            if (!apply(l, o, target, &r, first_stub))
                return false;
        }
    }
    return true;
}

static bool
link_objects(Linker *l)
{
    for (size_t i = 0; i < l->num_objects; i++) {
        if (!read_sections(l, &l->objects[i]) || !lay_out(l, &l->objects[i]) ||
            !collect_globals(l, &l->objects[i]))
            return false;
        collect_functions(l, &l->objects[i]);
    }
    if (!l->machine)
        return fail(l, "there are no objects");
    l->image->machine = l->machine->elf;
    l->image->page_size = l->machine->page_size;
    uint64_t first_stub;
    if (!find_imports(l) || !place_image(l, &first_stub))
        return false;
    for (size_t i = 0; i < l->num_objects; i++)
        if (!relocate(l, &l->objects[i], first_stub))
            return false;
    return true;
}

bool
mlc_image_can_link(const MlcTargetDesc *machine)
{
    for (size_t i = 0; i < NUM_MACHINES; i++) {
        size_t size = strlen(machines[i]->name);
        if (strncmp(machine->triple, machines[i]->name, size) == 0 && machine->triple[size] == '-')
            return true;
    }
    return false;
}

bool
mlc_image_link(MlcImage *image, const MlcStr *objects, size_t num_objects, MlcBuf *error)
{
    *image = (MlcImage){0};
    mlc_str_map_init(&image->symbols, &image->names);
    Linker l = {.image = image, .num_objects = num_objects, .error = error};
    mlc_str_map_init(&l.import_slots, NULL);
    l.objects = MLC_NEW_ARRAY(&l.scratch, Object, num_objects + 1);
    for (size_t i = 0; i < num_objects; i++)
        l.objects[i] = (Object){.bytes = objects[i], .index = i};
    bool ok = link_objects(&l);
    if (!ok)
        mlc_image_release(image);
    mlc_str_map_release(&l.import_slots);
    mlc_arena_release(&l.scratch);
    return ok;
}

void
mlc_image_release(MlcImage *image)
{
    mlc_buf_release(&image->text);
    mlc_buf_release(&image->rodata);
    mlc_str_map_release(&image->symbols);
    mlc_vec_release(&image->functions);
    mlc_vec_release(&image->imports);
    mlc_arena_release(&image->names);
}

// load.c -- from the bytes of an artefact to a model that can run.
//
// Nothing in the file is believed before it is checked: the hash first (it finds damage), then
// every offset, count and name against the file (it finds what the hash cannot: files made with
// intent still must not lead us outside the mapping). The code itself is trusted: whoever can write
// the file can run code, as with any shared library.
#include "shapes.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mlc/support/alloc.h"
#include "mlc/support/cpu.h"
#include "mlc/support/powers.h"

static_assert(sizeof(MlcArtefactHeader) ==
                  8 + 8 + 24 + 24 + 5 * 8 + 5 * 8 + 16 * MLC_ARTEFACT_NUM_SECTIONS,
              "no padding");

#define MAX_BYTES (UINT64_C(1) << 47)

// Everything the checks need.
typedef struct Loader {
    MlcModel *model;
    const char *what; // the path, for messages
    const MlcModelOptions *options;
    int fd; // -1: from memory
    MlcRtError *error;
    uint32_t num_sizes; // in the shapes; 0: there are none
} Loader;

static bool
corrupt(Loader *l, const char *what)
{
    return mlc_rt_fail(l->error, MLC_RT_CORRUPT, "'%s' is damaged (%s): compile the model again",
                       l->what, what);
}

static const char *
section(const Loader *l, MlcArtefactSectionKind kind)
{
    return l->model->data + l->model->header.sections[kind].offset;
}

static size_t
section_size(const Loader *l, MlcArtefactSectionKind kind)
{
    return l->model->header.sections[kind].size;
}

static bool
check_versions(Loader *l)
{
    MlcModel *m = l->model;
    if (m->size < 16 || memcmp(m->data, MLC_ARTEFACT_MAGIC, 8) != 0)
        return mlc_rt_fail(l->error, MLC_RT_CORRUPT,
                           "'%s' is not a compiled model: make one with mlc compile", l->what);
    uint32_t versions[2];
    memcpy(versions, m->data + 8, sizeof versions);
    if (versions[0] != MLC_ARTEFACT_VERSION || versions[1] != MLC_RT_ABI_VERSION)
        return mlc_rt_fail(l->error, MLC_RT_VERSION,
                           "'%s' has format %u, ABI %u, but this runtime reads format %d, ABI %d: "
                           "compile the model "
                           "again with the mlc that belongs to the runtime",
                           l->what, versions[0], versions[1], MLC_ARTEFACT_VERSION,
                           MLC_RT_ABI_VERSION);
    if (m->size < sizeof m->header)
        return corrupt(l, "the file ends inside the header");
    memcpy(&m->header, m->data, sizeof m->header);
    if (m->header.file_size != m->size)
        return mlc_rt_fail(
            l->error, MLC_RT_CORRUPT,
            "'%s' is damaged (%zu bytes, should be %llu): copy it or compile the model again",
            l->what, m->size, (unsigned long long)m->header.file_size);
    return true;
}

static bool
check_sections(Loader *l)
{
    const MlcArtefactHeader *h = &l->model->header;
    uint64_t page = h->page_size;
    if (page < 4096 || page > 1 << 20 || !mlc_is_power_of_two((int64_t)page))
        return corrupt(l, "page size");
    uint64_t end = sizeof *h;
    for (int i = 0; i < MLC_ARTEFACT_NUM_SECTIONS; i++) {
        MlcArtefactSection s = h->sections[i];
        uint64_t align = i >= MLC_ARTEFACT_TEXT ? page : 8;
        if (s.offset < end || s.offset % align != 0 || s.offset > h->file_size ||
            s.size > h->file_size - s.offset)
            return corrupt(l, "section table");
        end = s.offset + s.size;
    }
    return true;
}

static bool
check_hash(Loader *l)
{
    const MlcArtefactHeader *h = &l->model->header;
    size_t start = offsetof(MlcArtefactHeader, constants_hash);
    size_t end = h->sections[MLC_ARTEFACT_CONSTANTS].offset;
    if (mlc_artefact_hash(l->model->data + start, end - start) != h->hash)
        return corrupt(l, "its hash differs");
    if (!l->options->trust_constants &&
        mlc_artefact_hash(section(l, MLC_ARTEFACT_CONSTANTS),
                          section_size(l, MLC_ARTEFACT_CONSTANTS)) != h->constants_hash)
        return corrupt(l, "the hash of its constants differs");
    return true;
}

static bool
check_string(const Loader *l, uint32_t offset)
{
    return offset < section_size(l, MLC_ARTEFACT_STRINGS);
}

static const char *
string(const Loader *l, uint32_t offset)
{
    return section(l, MLC_ARTEFACT_STRINGS) + offset;
}

static bool
check_strings(Loader *l)
{
    const MlcArtefactHeader *h = &l->model->header;
    size_t size = section_size(l, MLC_ARTEFACT_STRINGS);
    const char *strings = section(l, MLC_ARTEFACT_STRINGS);
    if (size == 0 || strings[0] != '\0' || strings[size - 1] != '\0')
        return corrupt(l, "string table");
    if (!check_string(l, h->model_name) || !check_string(l, h->isa) ||
        !check_string(l, h->features))
        return corrupt(l, "a name in the header");
    return true;
}

static bool
check_plan(Loader *l)
{
    const MlcArtefactHeader *h = &l->model->header;
    uint64_t text = section_size(l, MLC_ARTEFACT_TEXT),
             rodata = section_size(l, MLC_ARTEFACT_RODATA);
    if (h->arena_bytes > MAX_BYTES || h->scratch_bytes > MAX_BYTES ||
        h->prepared_bytes > MAX_BYTES || h->init_arena_bytes > MAX_BYTES ||
        h->scratch_bytes % MLC_RT_ALIGNMENT != 0)
        return corrupt(l, "memory plan");
    if (h->rodata_address % h->page_size != 0 || h->slots_address % h->page_size != 0 ||
        h->rodata_address < text || h->rodata_address > MAX_BYTES || h->slots_address > MAX_BYTES ||
        h->slots_address < h->rodata_address + rodata)
        return corrupt(l, "layout of the code");
    if (l->options->resolve)
        return true;
    if (h->main >= text || (h->init != MLC_ARTEFACT_NONE && h->init >= text) ||
        (h->shapes != MLC_ARTEFACT_NONE && h->shapes >= text))
        return corrupt(l, "entry points");
    return true;
}

// "amd64 needs avx512f, which this processor lacks": names all that is missing.
static bool
check_isa(Loader *l)
{
    const MlcArtefactHeader *h = &l->model->header;
    const char *isa = string(l, h->isa);
    if (h->machine != mlc_cpu_machine())
        return mlc_rt_fail(
            l->error, MLC_RT_ISA,
            "'%s' was compiled for another kind of processor (%s): compile the model for this one",
            l->what, isa);
    char missing[128];
    size_t used = 0;
    bool is_refused = false;
    for (const char *at = string(l, h->features); *at != '\0';) {
        size_t n = strcspn(at, ",");
        if (n > 0 && !mlc_cpu_has_feature(mlc_str_n(at, n)) && used < sizeof missing)
            used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%.*s",
                                     used ? ", " : "", (int)(n < 64 ? n : 64), at);
        else if (n > 0 && !mlc_cpu_allow(mlc_str_n(at, n)))
            is_refused = true;
        at += n + (at[n] == ',');
    }
    if (used > 0)
        return mlc_rt_fail(l->error, MLC_RT_ISA,
                           "'%s' was compiled for %s, and this processor lacks %s: compile the "
                           "model with --target=host "
                           "here, or for an older target",
                           l->what, isa, missing);
    if (is_refused)
        return mlc_rt_fail(l->error, MLC_RT_ISA,
                           "'%s' was compiled for %s, and the system does not let this process use "
                           "tile registers (AMX): compile the model with --target=x86-64-v4-vnni",
                           l->what, isa);
    return true;
}

// What stands behind the dims.
static bool
read_shapes(Loader *l)
{
    MlcModel *m = l->model;
    size_t dims = m->num_dims * sizeof(MlcArtefactDim);
    size_t size = m->shape_bytes = section_size(l, MLC_ARTEFACT_DIMS) - dims;
    if (size == 0)
        return true;
    m->shape_tables = malloc(size); // aligned
    if (!m->shape_tables)
        return mlc_rt_fail(l->error, MLC_RT_MEMORY, "not enough memory to load '%s'", l->what);
    memcpy(m->shape_tables, section(l, MLC_ARTEFACT_DIMS) + dims, size);
    const char *fault = mlc_rt_shapes_check(
        m->shape_tables, size, section_size(l, MLC_ARTEFACT_STRINGS), (uint32_t)m->num_outputs);
    if (fault)
        return corrupt(l, fault);
    l->num_sizes = ((const MlcArtefactShapes *)(const void *)m->shape_tables)->num_sizes;
    return true;
}

static bool
read_tensor(Loader *l, size_t i, size_t *next_dim)
{
    MlcModel *m = l->model;
    MlcArtefactTensor t;
    memcpy(&t, section(l, MLC_ARTEFACT_TENSORS) + i * sizeof t, sizeof t);
    if (!check_string(l, t.name) || mlc_rt_type_bytes((MlcRtType)t.type) == 0 ||
        t.rank > MLC_ARTEFACT_MAX_RANK || t.first_dim != *next_dim ||
        t.rank > m->num_dims - *next_dim)
        return corrupt(l, "table of inputs and outputs");
    bool dynamic = false, is_shaped = true;
    uint32_t num_sizes = l->num_sizes;
    for (uint32_t k = 0; k < t.rank; k++) {
        MlcArtefactDim d;
        memcpy(&d, section(l, MLC_ARTEFACT_DIMS) + (t.first_dim + k) * sizeof d, sizeof d);
        bool is_found = d.size < -1 && i >= (size_t)m->num_inputs; // in the data
        if ((d.size < -1 && !is_found) || !check_string(l, d.name))
            return corrupt(l, "table of dimensions");
        dynamic |= d.size == -1;
        m->dims[t.first_dim + k] = is_found ? -1 : d.size;
        m->bounds[t.first_dim + k] = is_found ? MLC_ARTEFACT_AT_MOST(d.size) : d.size;
        m->dim_names[t.first_dim + k] = string(l, d.name);
        m->dim_shapes[t.first_dim + k] = d.shape;
        if (d.shape && (d.size != -1 || d.shape > num_sizes))
            return corrupt(l, "table of dimensions");
        is_shaped &= d.size != -1 || d.shape > 0;
    }
    m->tensors[i] = (MlcRtTensorInfo){
        string(l, t.name),     (MlcRtType)t.type,          (int32_t)t.rank,
        m->dims + t.first_dim, m->dim_names + t.first_dim, m->bounds + t.first_dim};
    *next_dim += t.rank;
    size_t bytes;
    if (!dynamic &&
        !mlc_rt_tensor_bytes((MlcRtType)t.type, (int32_t)t.rank, m->tensors[i].bounds, &bytes))
        return corrupt(l, "a shape is too large");
    if (dynamic && m->header.shapes == MLC_ARTEFACT_NONE && !(num_sizes && is_shaped) &&
        !l->options->resolve)
        return corrupt(l, "dynamic dimensions without a shape function");
    return true;
}

// Of `count` entries, those before the first of this type or a later one.
static size_t
count_before(const char *entries, size_t count, uint32_t type)
{
    size_t i = 0;
    for (; i < count; i++) {
        MlcArtefactTensor t;
        memcpy(&t, entries + i * sizeof t, sizeof t);
        if (t.type >= type)
            break;
    }
    return i;
}

static bool
count_dims(Loader *l, size_t num_tensors)
{
    MlcArtefactTensor t;
    l->model->num_dims = 0;
    for (size_t i = 0; i < num_tensors; i++) {
        memcpy(&t, section(l, MLC_ARTEFACT_TENSORS) + i * sizeof t, sizeof t);
        if (t.rank > MLC_ARTEFACT_MAX_RANK)
            return false;
        l->model->num_dims += t.rank;
    }
    return l->model->num_dims <= section_size(l, MLC_ARTEFACT_DIMS) / sizeof(MlcArtefactDim);
}

static bool
read_tensors(Loader *l)
{
    MlcModel *m = l->model;
    size_t count = count_before(section(l, MLC_ARTEFACT_TENSORS),
                                section_size(l, MLC_ARTEFACT_TENSORS) / sizeof(MlcArtefactTensor),
                                MLC_ARTEFACT_INPUT_VALUE);
    if (count > 1 << 20 || m->header.num_inputs > count || !count_dims(l, count))
        return corrupt(l, "table of inputs and outputs");
    m->num_inputs = (int32_t)m->header.num_inputs;
    m->num_outputs = (int32_t)(count - m->header.num_inputs);
    if (!read_shapes(l))
        return false;
    m->tensors = calloc(count + 1, sizeof *m->tensors);
    m->dims = calloc(m->num_dims + 1, sizeof *m->dims);
    m->bounds = calloc(m->num_dims + 1, sizeof *m->bounds);
    m->dim_names = calloc(m->num_dims + 1, sizeof *m->dim_names);
    m->dim_shapes = calloc(m->num_dims + 1, sizeof *m->dim_shapes);
    if (!m->tensors || !m->dims || !m->bounds || !m->dim_names || !m->dim_shapes)
        return mlc_rt_fail(l->error, MLC_RT_MEMORY, "not enough memory to load '%s'", l->what);
    size_t next_dim = 0;
    for (size_t i = 0; i < count; i++)
        if (!read_tensor(l, i, &next_dim))
            return false;
    return mlc_rt_caches_check(m) || corrupt(l, "caches in the table of shapes");
}

static bool
read_operators(Loader *l, const char *entries, size_t count, MlcStr strings)
{
    MlcModel *m = l->model;
    char why[384];
    if (count == 0)
        return true;
    m->operators = calloc(count, sizeof *m->operators);
    if (!m->operators)
        return mlc_rt_fail(l->error, MLC_RT_MEMORY, "not enough memory to load '%s'", l->what);
    for (size_t i = 0; i < count; i++) {
        MlcArtefactLiteral o;
        memcpy(&o, entries + i * sizeof o, sizeof o);
        m->num_operators = i + 1;
        if (o.type != MLC_ARTEFACT_OPERATOR || o.offset > strings.size ||
            o.size > strings.size - o.offset ||
            !mlc_rt_operator_read(&m->operators[i], strings.data + o.offset, o.size))
            return corrupt(l, "table of operators");
        if (!mlc_rt_operator_find(&m->operators[i], l->options->libraries,
                                  l->options->num_libraries, l->what, why, sizeof why))
            return mlc_rt_fail(l->error, MLC_RT_FILE, "cannot load '%s': %s", l->what, why);
    }
    return true;
}

static bool
read_values(Loader *l)
{
    size_t num_tensors = (size_t)(l->model->num_inputs + l->model->num_outputs),
           count = section_size(l, MLC_ARTEFACT_TENSORS) / sizeof(MlcArtefactTensor);
    MlcStr strings = mlc_str_n(string(l, 0), section_size(l, MLC_ARTEFACT_STRINGS));
    const char *entries =
        section(l, MLC_ARTEFACT_TENSORS) + num_tensors * sizeof(MlcArtefactTensor);
    size_t rest = count - num_tensors;
    size_t num_values = count_before(entries, rest, MLC_ARTEFACT_LITERAL);
    size_t operators = count_before(entries, rest, MLC_ARTEFACT_OPERATOR);
    const size_t size = sizeof(MlcArtefactTensor);
    if (operators < num_values || !mlc_rt_read_values(l->model, entries, num_values, strings))
        return corrupt(l, "table of values");
    if (!mlc_rt_read_literals(l->model, entries + num_values * size, operators - num_values,
                              strings))
        return corrupt(l, "table of strings");
    return read_operators(l, entries + operators * size, rest - operators, strings);
}

static bool
read_kernels(Loader *l)
{
    MlcModel *m = l->model;
    size_t count = section_size(l, MLC_ARTEFACT_KERNELS) / sizeof(MlcArtefactKernel);
    if (count > 1 << 24)
        return corrupt(l, "table of kernels");
    m->kernels = calloc(count + 1, sizeof *m->kernels);
    if (!m->kernels)
        return mlc_rt_fail(l->error, MLC_RT_MEMORY, "not enough memory to load '%s'", l->what);
    for (size_t i = 0; i < count; i++) {
        MlcArtefactKernel k;
        memcpy(&k, section(l, MLC_ARTEFACT_KERNELS) + i * sizeof k, sizeof k);
        if (!check_string(l, k.name) || !check_string(l, k.nodes) || !check_string(l, k.notes))
            return corrupt(l, "table of kernels");
        m->kernels[i] = (MlcRtKernelInfo){string(l, k.name), string(l, k.nodes), string(l, k.notes),
                                          k.flops, k.bytes};
    }
    m->num_kernels = (int32_t)count;
    return true;
}

static bool
read_device(Loader *l)
{
    MlcStr strings = mlc_str_n(string(l, 0), section_size(l, MLC_ARTEFACT_STRINGS));
    return mlc_rt_read_device(l->model, section(l, MLC_ARTEFACT_DEVICE),
                              section_size(l, MLC_ARTEFACT_DEVICE), strings) ||
           corrupt(l, "code for devices");
}

static void *
find_import(const char *name)
{
    static const struct {
        const char *name;
        void *address;
    } imports[] = {
#define IMPORT_ROW(function) {#function, __extension__(void *)(uintptr_t) function},
        MLC_RT_IMPORTS(IMPORT_ROW)
#undef IMPORT_ROW
    };
    for (size_t i = 0; i < sizeof imports / sizeof imports[0]; i++)
        if (strcmp(imports[i].name, name) == 0)
            return imports[i].address;
    return NULL;
}

static bool
fill_slots(Loader *l, void **slots)
{
    size_t count = section_size(l, MLC_ARTEFACT_IMPORTS) / sizeof(uint32_t);
    for (size_t i = 0; i < count; i++) {
        uint32_t name;
        memcpy(&name, section(l, MLC_ARTEFACT_IMPORTS) + i * sizeof name, sizeof name);
        if (!check_string(l, name))
            return corrupt(l, "table of imports");
        slots[i] = find_import(string(l, name));
        if (!slots[i])
            return mlc_rt_fail(l->error, MLC_RT_VERSION,
                               "'%s' calls '%s', which this runtime does not offer: compile the "
                               "model again with the "
                               "mlc that belongs to the runtime",
                               l->what, string(l, name));
    }
    return true;
}

// A section of the image in its place: mapped from the file, or copied.
static bool
place(Loader *l, MlcArtefactSectionKind kind, uint64_t address, int protection)
{
    MlcModel *m = l->model;
    size_t size = section_size(l, kind);
    if (size == 0)
        return true;
    char *at = m->image + address;
    if (l->fd >= 0 && !l->options->perf_map) // perf looks for symbols in what a file is mapped to
        return mmap(at, size, protection, MAP_PRIVATE | MAP_FIXED, l->fd,
                    (off_t)m->header.sections[kind].offset) != MAP_FAILED;
    if (mprotect(at, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    memcpy(at, section(l, kind), size);
    return mprotect(at, size, protection) == 0;
}

// "ADDRESS SIZE NAME" lines in hexadecimal, as perf reads them for memory that is no file.
static bool
write_perf_map(Loader *l)
{
    size_t count = section_size(l, MLC_ARTEFACT_SYMBOLS) / sizeof(MlcArtefactSymbol),
           text = section_size(l, MLC_ARTEFACT_TEXT);
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "a") : NULL;
    bool ok = file != NULL, valid = true;
    for (size_t i = 0; i < count && ok && valid; i++) {
        MlcArtefactSymbol s;
        memcpy(&s, section(l, MLC_ARTEFACT_SYMBOLS) + i * sizeof s, sizeof s);
        valid = check_string(l, s.name) && s.offset <= text && s.size <= text - s.offset;
        if (valid)
            ok = fprintf(file, "%llx %llx %s\n",
                         (unsigned long long)(uintptr_t)l->model->image + s.offset,
                         (unsigned long long)s.size, string(l, s.name)) > 0;
    }
    int fault = errno;
    if (file)
        ok = fclose(file) == 0 && ok;
    else if (fd >= 0)
        close(fd);
    if (!valid)
        return corrupt(l, "table of symbols");
    return ok || mlc_rt_fail(l->error, MLC_RT_FILE, "cannot write '%s': %s", path, strerror(fault));
}

static bool
map_image(Loader *l)
{
    MlcModel *m = l->model;
    size_t slots_size = section_size(l, MLC_ARTEFACT_IMPORTS) / sizeof(uint32_t) * sizeof(void *);
    m->image_size = m->header.slots_address + slots_size + m->header.page_size;
    char *reserved =
        mmap(NULL, m->image_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED)
        return mlc_rt_fail(l->error, MLC_RT_MEMORY, "no room for the code of '%s': %s", l->what,
                           strerror(errno));
    m->image = reserved;
    if (!place(l, MLC_ARTEFACT_TEXT, 0, PROT_READ | PROT_EXEC) ||
        !place(l, MLC_ARTEFACT_RODATA, m->header.rodata_address, PROT_READ))
        return mlc_rt_fail(l->error, MLC_RT_FILE, "cannot map the code of '%s': %s", l->what,
                           strerror(errno));
    if (slots_size > 0) {
        char *slots = m->image + m->header.slots_address;
        if (mprotect(slots, slots_size, PROT_READ | PROT_WRITE) != 0)
            return mlc_rt_fail(l->error, MLC_RT_MEMORY, "not enough memory to load '%s'", l->what);
        if (!fill_slots(l, (void **)(void *)slots))
            return false;
        mprotect(slots, slots_size, PROT_READ);
    }
    if (l->options->perf_map && !write_perf_map(l))
        return false;
#if defined(__aarch64__)
    __builtin___clear_cache(m->image, m->image + section_size(l, MLC_ARTEFACT_TEXT));
#endif
    return true;
}

static MlcRtEntry
entry(const MlcModel *m, uint64_t offset)
{
    return offset == MLC_ARTEFACT_NONE ? NULL : (MlcRtEntry)(uintptr_t)(m->image + offset);
}

static MlcRtEntry
foreign_entry(Loader *l, const char *symbol)
{
    return (MlcRtEntry)(uintptr_t)l->options->resolve(l->options->user, symbol);
}

static bool
find_code(Loader *l)
{
    MlcModel *m = l->model;
    if (l->options->resolve) {
        m->main = foreign_entry(l, MLC_RT_SYMBOL_MAIN);
        m->init = foreign_entry(l, MLC_RT_SYMBOL_INIT);
        m->shapes = foreign_entry(l, MLC_RT_SYMBOL_SHAPES);
        return m->main ||
               mlc_rt_fail(l->error, MLC_RT_ARGUMENT, "the code given for '%s' has no '%s'",
                           l->what, MLC_RT_SYMBOL_MAIN);
    }
    if (!map_image(l))
        return false;
    m->main = entry(m, m->header.main);
    m->init = entry(m, m->header.init);
    m->shapes = entry(m, m->header.shapes);
    return true;
}

static bool
place_constants(Loader *l)
{
    MlcModel *m = l->model;
    const char *in_place = section(l, MLC_ARTEFACT_CONSTANTS);
    size_t size = section_size(l, MLC_ARTEFACT_CONSTANTS);
    m->constants = in_place;
    if (size == 0 || (uintptr_t)in_place % MLC_RT_ALIGNMENT == 0)
        return true;
    m->constants_copy = mlc_rt_pages_create(size);
    if (!m->constants_copy)
        return mlc_rt_fail(l->error, MLC_RT_MEMORY, "not enough memory for %zu bytes of constants",
                           size);
    memcpy(m->constants_copy, in_place, size);
    m->constants = m->constants_copy;
    return true;
}

static bool
prepare(Loader *l)
{
    MlcModel *m = l->model;
    size_t size = m->header.prepared_bytes;
    m->prepared = mlc_rt_pages_create(size);
    if (size > 0 && !m->prepared)
        return mlc_rt_fail(l->error, MLC_RT_MEMORY,
                           "not enough memory for %zu bytes of prepared constants", size);
    if (!m->init)
        return true;
    if (!mlc_rt_run_init(m, l->options->init_threads, l->error))
        return false;
    if (m->prepared)
        mprotect(m->prepared, size, PROT_READ);
    return true;
}

static bool
load(Loader *l)
{
    return check_versions(l) && check_sections(l) && check_hash(l) && check_strings(l) &&
           check_plan(l) && check_isa(l) && read_tensors(l) && read_values(l) && read_kernels(l) &&
           read_device(l) && find_code(l) && place_constants(l) && prepare(l);
}

static MlcModel *
load_or_destroy(const char *what, const void *data, size_t size, int fd,
                const MlcModelOptions *options, MlcRtError *error)
{
    MlcModelOptions own = {0};
    bool ok = (!options || mlc_sized_try_copy(&own, sizeof own, options)) ||
              mlc_rt_fail(error, MLC_RT_ARGUMENT, MLC_RT_NOT_SIZED, "MlcModelOptions");
    MlcModel *model = ok ? calloc(1, sizeof *model) : NULL;
    if (ok && !model)
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory to load '%s'", what);
    if (!model) {
        if (fd >= 0)
            munmap((void *)(uintptr_t)data, size);
        return NULL;
    }
    model->data = data;
    model->size = size;
    model->mapped = fd >= 0;
    Loader loader = {model, what, &own, fd, error, 0};
    if (load(&loader))
        return model;
    mlc_model_destroy(model);
    return NULL;
}

MlcModel *
mlc_model_load_file(int fd, const char *name, const MlcModelOptions *options, MlcRtError *error)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return mlc_rt_fail(error, MLC_RT_FILE, "cannot load '%s': %s", name, strerror(errno)), NULL;
    if (!S_ISREG(st.st_mode))
        return mlc_rt_fail(error, MLC_RT_FILE, "cannot load '%s': not a regular file", name), NULL;
    if (st.st_size == 0)
        return mlc_rt_fail(error, MLC_RT_CORRUPT, "'%s' is empty: compile the model again", name),
               NULL;
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return mlc_rt_fail(error, MLC_RT_FILE, "cannot map '%s': %s", name, strerror(errno)), NULL;
    return load_or_destroy(name, data, (size_t)st.st_size, fd, options, error);
}

MlcModel *
mlc_model_load(const char *path, const MlcModelOptions *options, MlcRtError *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe without a writer is no file
    if (fd < 0)
        return mlc_rt_fail(error, MLC_RT_FILE, "cannot open '%s': %s", path, strerror(errno)), NULL;
    MlcModel *model = mlc_model_load_file(fd, path, options, error);
    close(fd);
    return model;
}

MlcModel *
mlc_model_load_memory(const void *data, size_t size, const MlcModelOptions *options,
                      MlcRtError *error)
{
    return load_or_destroy("the model in memory", data, size, -1, options, error);
}

void
mlc_model_destroy(MlcModel *model)
{
    if (!model)
        return;
    mlc_rt_devices_destroy(model->devices);
    mlc_rt_pages_destroy(model->image, model->image_size);
    mlc_rt_pages_destroy(model->constants_copy,
                         model->header.sections[MLC_ARTEFACT_CONSTANTS].size);
    mlc_rt_pages_destroy(model->prepared, model->header.prepared_bytes);
    if (model->mapped)
        munmap((void *)(uintptr_t)model->data, model->size);
    free(model->tensors);
    free(model->dims);
    free(model->bounds);
    free(model->dim_names);
    free(model->dim_shapes);
    free(model->shape_tables);
    free(model->kernels);
    free(model->values);
    mlc_rt_strings_release(&model->literals);
    for (size_t i = 0; i < model->num_operators; i++)
        mlc_rt_operator_release(&model->operators[i]);
    free(model->operators);
    free(model);
}

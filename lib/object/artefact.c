// artefact.c -- writes the container of mlc/runtime/artefact.h.
//
// Everything up to the constants is made in one buffer. Constants, which may be gigabytes, are
// written from where they lie, or made a few at a time, and hashed on the way; then the header,
// which has the hash, is written again.
#include "mlc/object.h"

#include "mlc/support/cpu.h"
#include "mlc/support/file.h"
#include "mlc/support/pool.h"
#include "mlc/support/sized.h"

#include <assert.h>
#include <stdlib.h>

static_assert(sizeof(MlcArtefactTensor) == sizeof(MlcArtefactValue) &&
                  sizeof(MlcArtefactTensor) == sizeof(MlcArtefactLiteral),
              "entries of one table");

typedef struct Writer {
    const MlcArtefactSpec *spec;
    const MlcArtefactParts *parts;
    MlcArtefactHeader header;
    MlcBuf strings, tensors, dims, kernels, symbols, imports, shapes, device;
    MlcStrMap offsets; // string -> offset
    MlcBuf *error;
} Writer;

static uint64_t
align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) / align * align;
}

uint64_t
mlc_artefact_constant_offset(const MlcArtefactSpec *spec, size_t i)
{
    uint64_t offset = 0;
    for (size_t k = 0; k < i; k++) {
        offset += spec->constants[k].size;
        if (k + 1 < spec->num_constants)
            offset = align_up(offset, MLC_RT_ALIGNMENT);
    }
    return offset;
}

static uint32_t
add_bytes(Writer *w, MlcStr text)
{
    bool inserted;
    MlcStrMapEntry *entry = mlc_str_map_insert(&w->offsets, text, &inserted);
    if (inserted) {
        entry->value = w->strings.size;
        mlc_buf_append_str(&w->strings, text);
        mlc_buf_append_char(&w->strings, '\0');
    }
    return (uint32_t)entry->value;
}

static uint32_t
add_string(Writer *w, const char *text)
{
    return add_bytes(w, mlc_str(text ? text : ""));
}

static bool
add_tensor(Writer *w, const MlcRtTensorInfo *info)
{
    if (info->type <= 0 || info->type >= MLC_RT_NUM_TYPES || info->rank < 0 ||
        info->rank > MLC_ARTEFACT_MAX_RANK) {
        mlc_buf_printf(
            w->error,
            "'%s' has element type %d and rank %d: an artefact holds known types up to rank %d",
            info->name, (int)info->type, info->rank, MLC_ARTEFACT_MAX_RANK);
        return false;
    }
    MlcArtefactTensor tensor = {add_string(w, info->name), info->type, (uint32_t)info->rank,
                                (uint32_t)(w->dims.size / sizeof(MlcArtefactDim))};
    mlc_buf_append(&w->tensors, &tensor, sizeof tensor);
    for (int32_t i = 0; i < info->rank; i++) {
        const MlcArtefactShapesSpec *shapes = w->parts->shapes;
        int64_t most = info->bounds && info->dims[i] < 0 ? info->bounds[i] : -1;
        MlcArtefactDim dim = {.size = most >= 0           ? MLC_ARTEFACT_AT_MOST(most)
                                      : info->dims[i] < 0 ? -1
                                                          : info->dims[i],
                              .name = add_string(w, info->dim_names ? info->dim_names[i] : ""),
                              .shape = shapes ? shapes->dims[w->dims.size / sizeof dim] : 0};
        mlc_buf_append(&w->dims, &dim, sizeof dim);
    }
    return true;
}

static uint64_t
find_symbol(const Writer *w, const char *symbol)
{
    uint64_t address;
    if (w->spec->image && symbol &&
        mlc_str_map_get_u64(&w->spec->image->symbols, mlc_str(symbol), &address))
        return address;
    return MLC_ARTEFACT_NONE;
}

static int
by_address(const void *a, const void *b)
{
    const MlcImageFunction *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address) - (x->address < y->address)
                                    : strcmp(x->name, y->name);
}

static bool
belongs_to(const char *function, const char *kernel)
{
    size_t size = strlen(kernel);
    return size > 0 && strncmp(function, kernel, size) == 0 &&
           (function[size] == '\0' || function[size] == '_');
}

// "conv1+relu1@kernel_0_task_0"; with "[+2]" behind the nodes if the model calls it twice more.
static uint32_t
add_function_name(Writer *w, const char *function)
{
    MlcBuf name = {0};
    size_t calls = 0;
    for (size_t i = 0; i < w->spec->num_kernels; i++) {
        const MlcArtefactKernelSpec *k = &w->spec->kernels[i];
        if (belongs_to(function, k->name) && calls++ == 0)
            mlc_buf_append_c(&name, k->nodes ? k->nodes : "");
    }
    for (size_t i = 0; i < name.size; i++) // a line in perf's file
        name.data[i] = name.data[i] == '\n'                 ? '+'
                       : (unsigned char)name.data[i] <= ' ' ? '_'
                                                            : name.data[i];
    if (calls > 1)
        mlc_buf_printf(&name, "[+%zu]", calls - 1);
    mlc_buf_printf(&name, "@%s", function);
    uint32_t offset = add_string(w, mlc_buf_c_str(&name));
    mlc_buf_release(&name);
    return offset;
}

static void
add_symbols(Writer *w)
{
    const MlcImage *image = w->spec->image;
    MLC_VEC(MlcImageFunction) functions = {0};
    for (size_t i = 0; i < image->functions.size; i++)
        mlc_vec_push(&functions, image->functions.data[i]);
    if (functions.size > 0)
        qsort(functions.data, functions.size, sizeof *functions.data, by_address);
    for (size_t i = 0; i < functions.size; i++) {
        const MlcImageFunction *function = &functions.data[i];
        MlcArtefactSymbol symbol = {.name = add_function_name(w, function->name),
                                    .offset = function->address,
                                    .size = function->size};
        mlc_buf_append(&w->symbols, &symbol, sizeof symbol);
    }
    mlc_vec_release(&functions);
}

static void
add_shapes(Writer *w)
{
    const MlcArtefactShapesSpec *s = w->parts->shapes;
    MlcArtefactShapes counts = {.num_symbols = s->num_symbols,
                                .num_sizes = s->num_sizes,
                                .num_steps = s->num_steps,
                                .num_checks = s->num_checks,
                                .num_buffers = s->num_buffers,
                                .num_caches = s->num_caches};
    mlc_buf_append(&w->shapes, &counts, sizeof counts);
    for (uint32_t i = 0; i < s->num_symbols + s->num_symbols % 2; i++) {
        uint32_t name = i < s->num_symbols ? add_string(w, s->symbols[i]) : 0;
        mlc_buf_append(&w->shapes, &name, sizeof name);
    }
    for (uint32_t i = 0; i < s->num_sizes; i++) {
        MlcArtefactSize size = s->sizes[i];
        size.text = add_string(w, s->texts[i]);
        mlc_buf_append(&w->shapes, &size, sizeof size);
    }
    mlc_buf_append(&w->shapes, s->steps, s->num_steps * sizeof *s->steps);
    for (uint32_t i = 0; i < s->num_checks; i++) {
        MlcArtefactCheck check = s->checks[i];
        check.where = add_string(w, s->places[i]);
        mlc_buf_append(&w->shapes, &check, sizeof check);
    }
    mlc_buf_append(&w->shapes, s->buffers, s->num_buffers * sizeof *s->buffers);
    mlc_buf_append(&w->shapes, s->caches, s->num_caches * sizeof *s->caches);
}

// The section's head, then the images one behind the other, a NUL after each.
static void
add_device(Writer *w)
{
    const MlcArtefactDeviceSpec *d = w->parts->device;
    MlcArtefactDevice counts = {(uint32_t)d->num_images, (uint32_t)d->num_kernels};
    size_t num_names = d->num_kernels + d->num_kernels % 2;
    uint64_t offset =
        sizeof counts + d->num_images * sizeof(MlcArtefactImage) + num_names * sizeof(uint32_t);
    mlc_buf_append(&w->device, &counts, sizeof counts);
    for (size_t i = 0; i < d->num_images; i++) {
        MlcArtefactImage image = {.target = add_string(w, d->images[i].target),
                                  .offset = offset,
                                  .size = d->images[i].code.size + 1};
        mlc_buf_append(&w->device, &image, sizeof image);
        offset = align_up(offset + image.size, 8);
    }
    for (size_t i = 0; i < num_names; i++) {
        uint32_t name = i < d->num_kernels ? add_string(w, d->kernels[i]) : 0;
        mlc_buf_append(&w->device, &name, sizeof name);
    }
    for (size_t i = 0; i < d->num_images; i++) {
        size_t size = d->images[i].code.size;
        mlc_buf_append_str(&w->device, d->images[i].code);
        mlc_buf_append_repeated(&w->device, '\0', align_up(size + 1, 8) - size);
    }
}

static bool
add_tables(Writer *w)
{
    const MlcArtefactSpec *spec = w->spec;
    for (size_t i = 0; i < spec->num_inputs; i++)
        if (!add_tensor(w, &spec->inputs[i]))
            return false;
    for (size_t i = 0; i < spec->num_outputs; i++)
        if (!add_tensor(w, &spec->outputs[i]))
            return false;
    for (size_t i = 0; i < spec->num_kernels; i++) {
        const MlcArtefactKernelSpec *k = &spec->kernels[i];
        MlcArtefactKernel kernel = {.name = add_string(w, k->name),
                                    .nodes = add_string(w, k->nodes),
                                    .notes = add_string(w, k->notes),
                                    .flops = k->flops,
                                    .bytes = k->bytes};
        mlc_buf_append(&w->kernels, &kernel, sizeof kernel);
    }
    if (spec->image)
        add_symbols(w);
    if (w->parts->shapes)
        add_shapes(w);
    if (w->parts->device)
        add_device(w);
    for (size_t i = 0; spec->image && i < spec->image->imports.size; i++) {
        uint32_t name = add_string(w, spec->image->imports.data[i].data);
        mlc_buf_append(&w->imports, &name, sizeof name);
    }
    for (size_t i = 0; i < spec->num_values; i++) {
        const MlcArtefactValueSpec *v = &spec->values[i];
        MlcArtefactValue value = {add_string(w, v->name),
                                  v->is_output ? MLC_ARTEFACT_OUTPUT_VALUE
                                               : MLC_ARTEFACT_INPUT_VALUE,
                                  add_string(w, v->form), v->type};
        mlc_buf_append(&w->tensors, &value, sizeof value);
    }
    for (size_t i = 0; i < spec->num_literals; i++) {
        MlcArtefactLiteral literal = {add_bytes(w, spec->literals[i]), MLC_ARTEFACT_LITERAL,
                                      (uint32_t)spec->literals[i].size, 0};
        mlc_buf_append(&w->tensors, &literal, sizeof literal);
    }
    for (size_t i = 0; i < w->parts->num_operators; i++) {
        MlcArtefactLiteral fields = {add_bytes(w, w->parts->operators[i]), MLC_ARTEFACT_OPERATOR,
                                     (uint32_t)w->parts->operators[i].size, 0};
        mlc_buf_append(&w->tensors, &fields, sizeof fields);
    }
    if (w->strings.size > UINT32_MAX) // a model in protobuf has less than 2 GiB
        mlc_bug("strings of more than 4 GiB");
    return true;
}

static bool
fill_header(Writer *w)
{
    const MlcArtefactSpec *spec = w->spec;
    const MlcImage *image = spec->image;
    w->header = (MlcArtefactHeader){
        .magic = MLC_ARTEFACT_MAGIC,
        .version = MLC_ARTEFACT_VERSION,
        .abi_version = MLC_RT_ABI_VERSION,
        .machine = image ? image->machine : mlc_cpu_machine(), // code made here runs here
        .page_size = image ? image->page_size : 4096,
        .model_name = add_string(w, spec->name),
        .isa = add_string(w, spec->isa),
        .features = add_string(w, spec->features),
        .num_inputs = (uint32_t)spec->num_inputs,
        .arena_bytes = spec->arena_bytes,
        .scratch_bytes = align_up(spec->scratch_bytes, MLC_RT_ALIGNMENT),
        .prepared_bytes = spec->prepared_bytes,
        .init_arena_bytes = spec->init_arena_bytes,
        .left_out = spec->left_out,
        .main = find_symbol(w, MLC_RT_SYMBOL_MAIN),
        .init = find_symbol(w, MLC_RT_SYMBOL_INIT),
        .shapes = find_symbol(w, MLC_RT_SYMBOL_SHAPES),
        .rodata_address = image ? image->rodata_address : 0,
        .slots_address = image ? image->slots_address : 0,
    };
    if (image && w->header.main == MLC_ARTEFACT_NONE) {
        mlc_buf_append_c(w->error, "the code defines no '" MLC_RT_SYMBOL_MAIN "'");
        return false;
    }
    return true;
}

static void
append_section(Writer *w, MlcBuf *out, MlcArtefactSectionKind kind, MlcStr bytes)
{
    uint64_t align = kind >= MLC_ARTEFACT_TEXT ? w->header.page_size : 8;
    mlc_buf_append_repeated(out, '\0', align_up(out->size, align) - out->size);
    w->header.sections[kind] = (MlcArtefactSection){out->size, bytes.size};
    mlc_buf_append_str(out, bytes);
}

// The constants as a stream of pieces: data, then zeros up to the next one.
typedef bool (*PieceFn)(void *user, const void *data, size_t size);

// Some constants, of which those that are made are in memory together.
typedef struct Batch {
    size_t first, count;
    char *made;
    size_t room;             // bytes at `made`
    MLC_VEC(size_t) offsets; // of each constant in `made`; of the others, nothing
} Batch;

// While one batch is handed on, the next is made.
typedef struct Stream {
    const MlcArtefactSpec *spec;
    PieceFn fn;
    void *user;
    Batch *done, *next;
    bool ok;
} Stream;

enum { BATCH_BYTES = 16 << 20 };

static void
plan_batch(Stream *s, size_t first)
{
    Batch *batch = s->next;
    size_t total = 0;
    batch->first = first;
    batch->count = 0;
    mlc_vec_clear(&batch->offsets);
    for (size_t i = first; i < s->spec->num_constants && total < BATCH_BYTES; i++) {
        const MlcArtefactConstant *constant = &s->spec->constants[i];
        mlc_vec_push(&batch->offsets, total);
        total += constant->data ? 0 : align_up(constant->size, MLC_RT_ALIGNMENT);
        batch->count++;
    }
    if (total > batch->room) {
        mlc_file_memory_release(batch->made, batch->room);
        batch->made = mlc_file_memory(batch->room = total);
    }
}

static bool
hand_on(const Stream *s)
{
    static const char zeros[MLC_RT_ALIGNMENT];
    for (size_t k = 0; k < s->done->count; k++) {
        size_t i = s->done->first + k;
        const MlcArtefactConstant *constant = &s->spec->constants[i];
        const void *data =
            constant->data ? constant->data : s->done->made + s->done->offsets.data[k];
        size_t size = constant->size, padding = i + 1 < s->spec->num_constants
                                                    ? align_up(size, MLC_RT_ALIGNMENT) - size
                                                    : 0;
        if (!s->fn(s->user, data, size) || !s->fn(s->user, zeros, padding))
            return false;
    }
    return true;
}

static void
step(void *ctx, size_t i, unsigned worker)
{
    Stream *s = ctx;
    (void)worker;
    if (i == 0) {
        s->ok = hand_on(s);
        return;
    }
    const MlcArtefactConstant *constant = &s->spec->constants[s->next->first + i - 1];
    if (constant->data || constant->size == 0)
        return;
    void *to = s->next->made + s->next->offsets.data[i - 1];
    memset(to, 0, constant->size);
    constant->make(to, constant->user);
}

static bool
for_each_piece(const MlcArtefactSpec *spec, PieceFn fn, void *user)
{
    Batch batches[2] = {0};
    Stream s = {spec, fn, user, &batches[0], &batches[1], true};
    for (size_t first = 0; s.ok;) {
        plan_batch(&s, first);
        first += s.next->count;
        if (s.done->count + s.next->count == 0)
            break;
        mlc_parallel_for(spec->pool, 1 + s.next->count, step, &s);
        Batch *made = s.next;
        s.next = s.done;
        s.done = made;
    }
    for (size_t i = 0; i < 2; i++) {
        mlc_file_memory_release(batches[i].made, batches[i].room);
        mlc_vec_release(&batches[i].offsets);
    }
    return s.ok;
}

static bool
hash_piece(void *hasher, const void *data, size_t size)
{
    mlc_artefact_hasher_add(hasher, data, size);
    return true;
}

// All of the file but the constants and their hash.
static void
assemble(Writer *w, MlcBuf *out)
{
    const MlcImage *image = w->spec->image;
    mlc_buf_append_repeated(out, '\0', sizeof w->header);
    append_section(w, out, MLC_ARTEFACT_STRINGS, mlc_buf_str(&w->strings));
    append_section(w, out, MLC_ARTEFACT_TENSORS, mlc_buf_str(&w->tensors));
    mlc_buf_append_str(&w->dims, mlc_buf_str(&w->shapes));
    append_section(w, out, MLC_ARTEFACT_DIMS, mlc_buf_str(&w->dims));
    append_section(w, out, MLC_ARTEFACT_KERNELS, mlc_buf_str(&w->kernels));
    append_section(w, out, MLC_ARTEFACT_SYMBOLS, mlc_buf_str(&w->symbols));
    append_section(w, out, MLC_ARTEFACT_IMPORTS, mlc_buf_str(&w->imports));
    append_section(w, out, MLC_ARTEFACT_DEVICE, mlc_buf_str(&w->device));
    append_section(w, out, MLC_ARTEFACT_TEXT, image ? mlc_buf_str(&image->text) : mlc_str(""));
    append_section(w, out, MLC_ARTEFACT_RODATA, image ? mlc_buf_str(&image->rodata) : mlc_str(""));
    append_section(w, out, MLC_ARTEFACT_CONSTANTS, mlc_str(""));

    uint64_t constants = mlc_artefact_constant_offset(w->spec, w->spec->num_constants);
    w->header.sections[MLC_ARTEFACT_CONSTANTS].size = constants;
    w->header.file_size = out->size + constants;
    memcpy(out->data, &w->header, sizeof w->header);
}

// Puts the hashes into the header of what assemble made.
static void
seal(char *front, size_t size, MlcArtefactHasher *constants)
{
    MlcArtefactHeader header;
    size_t hashed = offsetof(MlcArtefactHeader, constants_hash);
    memcpy(&header, front, sizeof header);
    header.constants_hash = mlc_artefact_hasher_finish(constants);
    memcpy(front, &header, sizeof header);
    header.hash = mlc_artefact_hash(front + hashed, size - hashed);
    memcpy(front, &header, sizeof header);
}

// `out` is empty.
static bool
write_front(const MlcArtefactSpec *spec, const MlcArtefactParts *parts, MlcBuf *out, MlcBuf *error)
{
    Writer w = {.spec = spec, .parts = parts, .error = error};
    mlc_str_map_init(&w.offsets, NULL);
    add_string(&w, "");
    bool ok = fill_header(&w) && add_tables(&w);
    if (ok)
        assemble(&w, out);
    mlc_str_map_release(&w.offsets);
    mlc_buf_release(&w.strings);
    mlc_buf_release(&w.tensors);
    mlc_buf_release(&w.dims);
    mlc_buf_release(&w.kernels);
    mlc_buf_release(&w.symbols);
    mlc_buf_release(&w.imports);
    mlc_buf_release(&w.shapes);
    mlc_buf_release(&w.device);
    return ok;
}

typedef struct BufSink {
    MlcBuf *out;
    MlcArtefactHasher hasher;
} BufSink;

static bool
buf_piece(void *sink, const void *data, size_t size)
{
    BufSink *s = sink;
    mlc_artefact_hasher_add(&s->hasher, data, size);
    mlc_buf_append(s->out, data, size);
    return true;
}

bool
mlc_artefact_write_buf(const MlcArtefactSpec *spec, MlcBuf *out, MlcBuf *error)
{
    BufSink sink = {.out = out};
    mlc_buf_clear(out);
    if (!write_front(spec, &(MlcArtefactParts){0}, out, error))
        return false;
    size_t front = out->size;
    mlc_buf_reserve(out, mlc_artefact_constant_offset(spec, spec->num_constants));
    mlc_artefact_hasher_init(&sink.hasher);
    for_each_piece(spec, buf_piece, &sink);
    seal(out->data, front, &sink.hasher);
    return true;
}

typedef struct FileSink {
    MlcFileWriter *writer;
    MlcArtefactHasher hasher;
    MlcBuf *error;
} FileSink;

static bool
file_piece(void *sink, const void *data, size_t size)
{
    FileSink *s = sink;
    mlc_artefact_hasher_add(&s->hasher, data, size);
    return mlc_file_writer_write(s->writer, data, size, s->error);
}

// A reader at the other end of a pipe gets the hash first, so there constants are made twice.
static bool
write_pieces(const MlcArtefactSpec *spec, MlcBuf *front, FileSink *sink)
{
    mlc_artefact_hasher_init(&sink->hasher);
    if (sink->writer->is_direct) {
        for_each_piece(spec, hash_piece, &sink->hasher);
        seal(front->data, front->size, &sink->hasher);
    }
    if (!mlc_file_writer_write(sink->writer, front->data, front->size, sink->error) ||
        !for_each_piece(spec, file_piece, sink))
        return false;
    if (sink->writer->is_direct)
        return true;
    seal(front->data, front->size, &sink->hasher);
    return mlc_file_writer_rewrite(sink->writer, front->data, front->size, sink->error);
}

bool
mlc_artefact_write_parts(const MlcArtefactSpec *spec, const MlcArtefactParts *parts,
                         MlcFileWriter *writer, MlcBuf *error)
{
    MlcBuf front = {0};
    MlcArtefactParts own = {0};
    MlcArtefactShapesSpec shapes = {0};
    MlcArtefactDeviceSpec device = {0};
    FileSink sink = {.writer = writer, .error = error};
    if (parts)
        mlc_sized_copy(&own, sizeof own, parts, "MlcArtefactParts");
    if (own.shapes) {
        mlc_sized_copy(&shapes, sizeof shapes, own.shapes, "MlcArtefactShapesSpec");
        own.shapes = &shapes;
    }
    if (own.device) {
        mlc_sized_copy(&device, sizeof device, own.device, "MlcArtefactDeviceSpec");
        own.device = &device;
    }
    bool ok = write_front(spec, &own, &front, error) && write_pieces(spec, &front, &sink);
    mlc_buf_release(&front);
    return ok;
}

bool
mlc_artefact_write_shaped(const MlcArtefactSpec *spec, const MlcArtefactShapesSpec *shapes,
                          MlcFileWriter *writer, MlcBuf *error)
{
    MlcArtefactParts parts = {MLC_SIZED(MlcArtefactParts), .shapes = shapes};
    return mlc_artefact_write_parts(spec, &parts, writer, error);
}

bool
mlc_artefact_write(const MlcArtefactSpec *spec, MlcFileWriter *writer, MlcBuf *error)
{
    return mlc_artefact_write_shaped(spec, NULL, writer, error);
}

// artefact.c -- the loader of compiled models. No code of the file runs.
//
// An input is a file as it is (it begins as one), or a byte of flags and edits, four bytes each, of
// an artefact that is made here: inputs, outputs, kernels, imports, code and constants, all as the
// loader wants them. The hashes are made right after the edits, or else nothing behind them would
// be reached. What is loaded plans the shapes of a run.
#include "common.h"

#include "mlc/runtime.h"
#include "mlc/runtime/artefact.h"
#include "mlc/support/cpu.h"

#include <stddef.h>

enum {
    FLAG_RESOLVE = 1,    // code comes from elsewhere
    FLAG_NO_MAIN = 2,    // but not the main function,
    FLAG_INIT = 4,       // and one that prepares constants
    FLAG_TRUST = 8,      // constants are not hashed
    FLAG_UNALIGNED = 16, // the file is not at a multiple of anything
    FLAG_HASH = 32,      // the hashes stay as the edits left them
    FLAG_FILE = 64,      // no file of a model: one of several
    FLAG_DEVICE = 128,   // with code for a device, which is not there
};
enum {
    PAGE = 4096,
    NUM_TENSORS = 3,
    NUM_DIMS = 4,
    NUM_KERNELS = 2,
    NUM_SYMBOLS = 2,
    NUM_IMPORTS = 2,
    NUM_VALUES = 3,
    NUM_SIZES = 2,
    NUM_STEPS = 4,
};

typedef struct Shapes {
    MlcArtefactShapes counts;
    uint32_t symbols[2];
    MlcArtefactSize sizes[NUM_SIZES];
    MlcArtefactStep steps[NUM_STEPS];
    MlcArtefactCheck checks[1];
    MlcArtefactBuffer buffers[1];
} Shapes;

typedef struct Device {
    MlcArtefactDevice counts;
    MlcArtefactImage images[1];
    uint32_t kernels[2];
    char code[16];
} Device;

typedef struct Artefact {
    MlcArtefactHeader header;
    char strings[176];
    MlcArtefactTensor tensors[NUM_TENSORS];
    MlcArtefactValue values[NUM_VALUES]; // of the same table
    MlcArtefactDim dims[NUM_DIMS];
    Shapes shapes;
    MlcArtefactKernel kernels[NUM_KERNELS];
    MlcArtefactSymbol symbols[NUM_SYMBOLS];
    uint32_t imports[NUM_IMPORTS];
    Device device;
    char pad[PAGE]; // up to the next page; then text, rodata, constants
} Artefact;
#define TABLES offsetof(Artefact, pad)

static int32_t
no_code(const MlcRtCall *call)
{
    (void)call;
    return 0;
}

static void *
resolve(void *user, const char *symbol)
{
    unsigned flags = *(const unsigned *)user;
    bool found = strcmp(symbol, MLC_RT_SYMBOL_MAIN) == 0   ? !(flags & FLAG_NO_MAIN)
                 : strcmp(symbol, MLC_RT_SYMBOL_INIT) == 0 ? flags & FLAG_INIT
                                                           : false;
    return found ? (void *)(uintptr_t)no_code : NULL;
}

static void
hash(char *data, size_t size)
{
    MlcArtefactHeader *h = (MlcArtefactHeader *)(void *)data;
    MlcArtefactSection constants = h->sections[MLC_ARTEFACT_CONSTANTS];
    size_t start = offsetof(MlcArtefactHeader, constants_hash);
    if (constants.offset < start || constants.offset > size ||
        constants.size > size - constants.offset)
        return;
    h->constants_hash = mlc_artefact_hash(data + constants.offset, constants.size);
    h->hash = mlc_artefact_hash(data + start, constants.offset - start);
}

// Versions, size and hashes as the loader wants them.
static void
make_right(char *data, size_t size)
{
    MlcArtefactHeader *h = (MlcArtefactHeader *)(void *)data;
    memcpy(h->magic, MLC_ARTEFACT_MAGIC, sizeof h->magic);
    h->version = MLC_ARTEFACT_VERSION;
    h->abi_version = MLC_RT_ABI_VERSION;
    h->file_size = size;
    hash(data, size);
}

// Tensors of a value are among the model's, and those of its items.
static size_t
ask_value(const MlcRtValueInfo *value, int32_t num_tensors)
{
    size_t sum = strlen(value->name) + strlen(mlc_rt_form_name(value->form));
    int32_t count = value->form == MLC_RT_TENSOR;
    for (int32_t i = 0; i < value->num_items; i++) {
        sum += ask_value(&value->items[i], num_tensors);
        count += value->items[i].num_tensors;
    }
    if (count != value->num_tensors || value->first_tensor < 0 ||
        count > num_tensors - value->first_tensor)
        abort();
    return sum;
}

static void
ask(const MlcModel *model)
{
    volatile size_t sum = strlen(mlc_model_name(model)) + strlen(mlc_model_isa(model)) +
                          strlen(mlc_model_features(model));
    for (int32_t i = 0; i < mlc_model_num_inputs(model) + mlc_model_num_outputs(model); i++) {
        int32_t n = mlc_model_num_inputs(model);
        const MlcRtTensorInfo *info =
            i < n ? mlc_model_input(model, i) : mlc_model_output(model, i - n);
        sum += strlen(info->name);
        for (int32_t k = 0; k < info->rank; k++)
            sum += (size_t)info->dims[k] + strlen(info->dim_names[k]);
    }
    for (int32_t i = 0; i < mlc_model_num_input_values(model); i++)
        sum += ask_value(mlc_model_input_value(model, i), mlc_model_num_inputs(model));
    for (int32_t i = 0; i < mlc_model_num_output_values(model); i++)
        sum += ask_value(mlc_model_output_value(model, i), mlc_model_num_outputs(model));
    const char *target;
    for (int32_t i = 0; (target = mlc_model_device_target(model, i)); i++)
        sum += strlen(target);
    for (int32_t i = 0; i < mlc_model_num_kernels(model); i++)
        sum += strlen(mlc_model_kernel(model, i)->name) + strlen(mlc_model_kernel(model, i)->nodes);
}

// A run of one input: shapes are planned before the code, which does nothing, begins.
static void
plan(const MlcModel *model)
{
    MlcRtError error = {0};
    MlcSessionOptions options = {MLC_SIZED(MlcSessionOptions), .threads = 1};
    const MlcRtTensorInfo *info = mlc_model_input(model, 0);
    static double data[64];
    int64_t dims[2] = {3, 4};
    if (!info || mlc_model_num_inputs(model) != 1 || info->rank > 2)
        return;
    MlcSession *session = mlc_session_create(model, &options, &error);
    MlcRtTensor tensor = {info->type, info->rank, dims, data};
    if (session && mlc_session_set_input(session, 0, &tensor, &error))
        dims[0] = mlc_session_run(session, &error);
    mlc_session_destroy(session);
}

static void
load(const char *data, size_t size, unsigned flags)
{
    MlcRtError error = {0};
    MlcModelOptions options = {MLC_SIZED(MlcModelOptions), .trust_constants = flags & FLAG_TRUST,
                               .user = &flags};
    options.resolve = flags & FLAG_RESOLVE ? resolve : NULL;
    MlcArtefactHeader header = {.init = 0};
    memcpy(&header, data, size < sizeof header ? size : sizeof header);
    // What the file says is its code must not be called, nor a terabyte be prepared.
    if (!options.resolve && header.init != MLC_ARTEFACT_NONE)
        return;
    if (header.prepared_bytes >= 1 << 20 && header.prepared_bytes <= UINT64_C(1) << 47)
        return;
    MlcModel *model = mlc_model_load_memory(data, size, &options, &error);
    bool is_small = header.arena_bytes < 1 << 20 && header.scratch_bytes < 1 << 20;
    if (model)
        ask(model);
    if (model && options.resolve && is_small)
        plan(model);
    mlc_model_destroy(model);
    model = mlc_model_load(fuzz_write("model", data, size), &options, &error);
    if (model)
        ask(model);
    mlc_model_destroy(model);
}

static uint32_t
add_string(Artefact *a, size_t *at, const char *text)
{
    size_t start = *at;
    *at += strlen(text) + 1;
    memcpy(a->strings + start, text, *at - start);
    return (uint32_t)start;
}

static void
fill_tables(Artefact *a)
{
    size_t at = 1;
    MlcArtefactHeader *h = &a->header;
    h->model_name = add_string(a, &at, "model");
    h->isa = add_string(a, &at, "x86-64");
    uint32_t batch = add_string(a, &at, "batch"), x = add_string(a, &at, "x"),
             nodes = add_string(a, &at, "conv\nrelu");
    (void)add_string(a, &at, "nosuch,,alsonot,avx2");
    a->imports[0] = add_string(a, &at, "memcpy");
    a->imports[1] = add_string(a, &at, "expf");
    for (uint32_t i = 0; i < NUM_TENSORS; i++)
        a->tensors[i] =
            (MlcArtefactTensor){.name = x, .type = MLC_RT_F32, .first_dim = i < 1 ? 0 : i + 1};
    a->tensors[0].rank = 2;
    a->tensors[1].rank = a->tensors[2].rank = 1;
    for (size_t i = 0; i < NUM_DIMS; i++)
        a->dims[i] =
            (MlcArtefactDim){.size = i ? 4 : -1, .name = i ? 0 : batch, .shape = i ? 0 : 1};
    a->shapes = (Shapes){
        .counts = {1, NUM_SIZES, NUM_STEPS, 1, 1, 0},
        .symbols = {batch},
        .sizes = {{0, 1, batch, 0}, {1, 3, batch, 0}}, // batch, 4 * batch
        .steps = {{MLC_RT_STEP_SYMBOL, 0},
                  {MLC_RT_STEP_NUMBER, 4},
                  {MLC_RT_STEP_SYMBOL, 0},
                  {MLC_RT_STEP_OPERATION, MLC_RT_MUL}},
        .checks = {{0, 0, x, 0}},
        .buffers = {{1, 0, 1, 0}},
    };
    for (size_t i = 0; i < NUM_KERNELS; i++)
        a->kernels[i] = (MlcArtefactKernel){.name = x, .nodes = nodes, .notes = i ? nodes : 0};
    for (size_t i = 0; i < NUM_SYMBOLS; i++)
        a->symbols[i] = (MlcArtefactSymbol){.name = x, .offset = 32 * i, .size = 32};
    uint32_t tensor = add_string(a, &at, "tensor"),
             list = add_string(a, &at, "optional(sequence(tensor, tensor))"),
             none = add_string(a, &at, "sequence()");
    uint32_t target = add_string(a, &at, "cuda-sm_80");
    a->device = (Device){.counts = {1, 2},
                         .images = {{target, 0, offsetof(Device, code), sizeof a->device.code}},
                         .kernels = {x, nodes}};
    a->values[0] = (MlcArtefactValue){x, MLC_ARTEFACT_INPUT_VALUE, tensor, 0};
    a->values[1] = (MlcArtefactValue){x, MLC_ARTEFACT_OUTPUT_VALUE, list, MLC_RT_F32};
    a->values[2] = (MlcArtefactValue){x, MLC_ARTEFACT_OUTPUT_VALUE, none, 0};
}

// Returns its size: three pages behind the tables'.
static size_t
make(Artefact *a, bool has_device)
{
    const size_t offsets[] = {offsetof(Artefact, strings),
                              offsetof(Artefact, tensors),
                              offsetof(Artefact, dims),
                              offsetof(Artefact, kernels),
                              offsetof(Artefact, symbols),
                              offsetof(Artefact, imports),
                              offsetof(Artefact, device),
                              PAGE,
                              2 * PAGE,
                              3 * PAGE};
    const size_t sizes[] = {sizeof a->strings,
                            sizeof a->tensors + sizeof a->values,
                            sizeof a->dims + sizeof a->shapes,
                            sizeof a->kernels,
                            sizeof a->symbols,
                            sizeof a->imports,
                            has_device ? sizeof a->device : 0,
                            64,
                            100,
                            48};
    fill_tables(a);
    MlcArtefactHeader *h = &a->header;
    memcpy(h->magic, MLC_ARTEFACT_MAGIC, sizeof h->magic);
    h->version = MLC_ARTEFACT_VERSION;
    h->abi_version = MLC_RT_ABI_VERSION;
    h->machine = mlc_cpu_machine();
    h->page_size = PAGE;
    h->num_inputs = 1;
    h->arena_bytes = h->scratch_bytes = h->prepared_bytes = 4 * MLC_RT_ALIGNMENT;
    h->init = h->shapes = MLC_ARTEFACT_NONE;
    h->rodata_address = PAGE;
    h->slots_address = (uint64_t)2 * PAGE;
    for (int i = 0; i < MLC_ARTEFACT_NUM_SECTIONS; i++)
        h->sections[i] = (MlcArtefactSection){offsets[i], sizes[i]};
    return h->file_size = 3 * PAGE + sizes[MLC_ARTEFACT_CONSTANTS];
}

// Where, how and what: a place in the tables, and a number that is put there, or added.
static void
edit(char *data, const uint8_t *e)
{
    size_t at = (size_t)(e[0] | e[1] << 8) % (TABLES - sizeof(uint64_t));
    uint64_t whole, value = e[3];
    uint32_t half;
    memcpy(&whole, data + at, sizeof whole);
    memcpy(&half, data + at, sizeof half);
    switch (e[2] % 8) {
    case 0:
        data[at] = (char)value;
        return;
    case 1:
        half = (uint32_t)value;
        break;
    case 2:
        half += (uint32_t)(value - 128);
        break;
    case 3:
        half = 1u << value % 32;
        break;
    case 4:
        whole = value;
        break;
    case 5:
        whole += (value - 128) * (e[2] & 8 ? PAGE : 1);
        break;
    case 6:
        whole = UINT64_C(1) << value % 64;
        break;
    default:
        whole = 0 - value;
    }
    if (e[2] % 8 < 4)
        memcpy(data + at, &half, sizeof half);
    else
        memcpy(data + at, &whole, sizeof whole);
}

static void
load_edited(const uint8_t *input, size_t size)
{
    unsigned flags = input[0];
    char *room = aligned_alloc(PAGE, 6 * PAGE), *data = room + (flags & FLAG_UNALIGNED ? 8 : 0);
    memset(room, 0, 6 * PAGE);
    size_t length = make((Artefact *)(void *)data, flags & FLAG_DEVICE);
    for (size_t i = 1; i + 4 <= size; i += 4)
        edit(data, input + i);
    if (!(flags & FLAG_HASH))
        hash(data, length);
    // A file cut short says so itself, or does not.
    if (size % 4 == 2)
        length = length * input[size - 1] / 256;
    else if (size % 4 == 3)
        make_right(data, length = sizeof(MlcArtefactHeader) + input[size - 1] * (size_t)64);
    load(data, length, flags);
    free(room);
}

static void
load_no_model(const char *path)
{
    MlcRtError error = {0};
    MlcModel *model = mlc_model_load(path, NULL, &error);
    if (model)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] != 0x89) {
        load_edited(data, size);
    } else {
        char *copy = mlc_malloc(size + sizeof(MlcArtefactHeader));
        memcpy(copy, data, size);
        if (size >= sizeof(MlcArtefactHeader))
            make_right(copy, size);
        load(copy, size, FLAG_RESOLVE | size % 2 * FLAG_TRUST);
        load(copy, size, 0);
        mlc_free(copy);
    }
    if (data[0] & FLAG_FILE) {
        load_no_model("/");
        load_no_model("/nosuch/model");
        load_no_model(fuzz_write("empty", "", 0));
    }
    return 0;
}

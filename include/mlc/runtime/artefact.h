// artefact.h -- the file format of a compiled model: little-endian, offsets from the start of the
// file.
//
//   header | strings | tensors | dims | kernels | symbols | imports | device | (page) text |
//   (page) rodata | (page) constants
//
// The image is position-independent and already linked: in memory, rodata starts `rodata_address`
// bytes after text, and the slots of imported functions (8 bytes each, in the order of the imports)
// `slots_address` bytes after it; both are multiples of the page size and no other relocation is
// left to do. Text, rodata and constants are mapped as they lie. Sections may be empty; those
// before text are aligned to 8 bytes, text and what follows to `page_size`.
//
// Ownership: nothing is owned: it is a layout of bytes.
// Threads: any.
#ifndef MLC_RUNTIME_ARTEFACT_H
#define MLC_RUNTIME_ARTEFACT_H

#include "mlc/runtime/abi.h"

MLC_BEGIN_DECLS

#define MLC_ARTEFACT_MAGIC                                                                         \
    "\x89MLC\r\n\x1a\n"              // 8 bytes; a transfer that changes line ends is caught
#define MLC_ARTEFACT_NONE UINT64_MAX // no such entry point

enum {
    MLC_ARTEFACT_VERSION = 6,
    MLC_ARTEFACT_MAX_RANK = 16,
};

typedef struct MlcArtefactSection {
    uint64_t offset;
    uint64_t size; // bytes
} MlcArtefactSection;

typedef enum MlcArtefactSectionKind {
    MLC_ARTEFACT_STRINGS, // NUL-terminated; a string is named by its offset here, 0 is the empty
                          // one
    MLC_ARTEFACT_TENSORS, // inputs, outputs, then what is no tensor (MLC_ARTEFACT_INPUT_VALUE...)
    MLC_ARTEFACT_DIMS,    // of all tensors; behind them what MlcArtefactShapes says, if anything
    MLC_ARTEFACT_KERNELS,
    MLC_ARTEFACT_SYMBOLS, // of the text, in the order of their offsets
    MLC_ARTEFACT_IMPORTS, // uint32_t names
    MLC_ARTEFACT_DEVICE,  // MlcArtefactDevice; empty: all runs on the CPU
    MLC_ARTEFACT_TEXT,
    MLC_ARTEFACT_RODATA,
    MLC_ARTEFACT_CONSTANTS,
    MLC_ARTEFACT_NUM_SECTIONS,
} MlcArtefactSectionKind;

typedef struct MlcArtefactHeader {
    char magic[8];
    uint32_t version;        // MLC_ARTEFACT_VERSION
    uint32_t abi_version;    // MLC_RT_ABI_VERSION
    uint64_t file_size;      // bytes
    uint64_t hash;           // of the file from `constants_hash` up to the constants
    uint64_t constants_hash; // of the constants section
    uint32_t machine;        // ELF's e_machine: 62 x86-64, 183 AArch64
    uint32_t page_size;      // bytes
    uint32_t model_name;
    uint32_t isa;      // what the code was compiled for, to be read by people: "x86-64-v4"
    uint32_t features; // what it needs, in LLVM's names: "avx2,fma"
    uint32_t num_inputs;
    uint64_t arena_bytes;      // of a run; 0 where shapes say it
    uint64_t scratch_bytes;    // of each thread, a multiple of MLC_RT_ALIGNMENT
    uint64_t prepared_bytes;   // what mlc_init fills
    uint64_t init_arena_bytes; // of mlc_init
    uint64_t left_out;         // steps not done, or in part, for lack of time: the code depends on
                               // the clock; 0: on model, options and target alone
    uint64_t main;             // from the start of text
    uint64_t init;             // or MLC_ARTEFACT_NONE
    uint64_t shapes;           // or MLC_ARTEFACT_NONE
    uint64_t rodata_address;
    uint64_t slots_address;
    MlcArtefactSection sections[MLC_ARTEFACT_NUM_SECTIONS];
} MlcArtefactHeader;

typedef struct MlcArtefactTensor {
    uint32_t name;
    uint32_t type; // MlcRtType
    uint32_t rank;
    uint32_t first_dim; // index into the dims
} MlcArtefactTensor;

// Other types of entries of that table, behind the tensors and as long as they.
enum {
    MLC_ARTEFACT_INPUT_VALUE = 1 << 16, // MlcArtefactValue; none: all are tensors
    MLC_ARTEFACT_OUTPUT_VALUE,          // behind those of inputs
    MLC_ARTEFACT_LITERAL,               // MlcArtefactLiteral, behind those
    MLC_ARTEFACT_OPERATOR,              // the same, of the fields of an operator; behind those
};

// A string of the model: the next number, from 0.
typedef struct MlcArtefactLiteral {
    uint32_t offset; // among the strings; it may hold NUL
    uint32_t type;
    uint32_t size; // bytes, without the NUL behind it
    uint32_t unused;
} MlcArtefactLiteral;

// An operator that is a function of a library's (mlc/operator.h): fields, each a head and as many
// bytes as that says, filled up to 8. Inputs and outputs stand in order.
typedef enum MlcArtefactFieldKind {
    MLC_ARTEFACT_FIELD_FUNCTION = 1, // text: its symbol
    MLC_ARTEFACT_FIELD_LIBRARY,      // text: the file's name
    MLC_ARTEFACT_FIELD_DOMAIN,       // text
    MLC_ARTEFACT_FIELD_NAME,         // text
    MLC_ARTEFACT_FIELD_OPSET,        // an int64_t
    MLC_ARTEFACT_FIELD_INPUT,        // int64_t: MlcRtType, rank
    MLC_ARTEFACT_FIELD_OUTPUT,       // the same
    MLC_ARTEFACT_FIELD_ATTRIBUTE,    // text: the name of the next field
    MLC_ARTEFACT_FIELD_INTS,         // int64_t
    MLC_ARTEFACT_FIELD_FLOATS,       // double
    MLC_ARTEFACT_FIELD_TEXT,         // text
} MlcArtefactFieldKind;

typedef struct MlcArtefactField {
    uint32_t kind; // MlcArtefactFieldKind
    uint32_t size; // bytes; of a text with the NUL behind it
} MlcArtefactField;

// An input or output. Its form is "tensor", or "sequence", "optional" or "map" with what is in it:
// "sequence(tensor, tensor)", "optional(sequence())", "map(tensor, tensor)" (keys and values),
// "table(tensor, tensor)" (N maps: keys [K], values [N, K]). All inputs, and all outputs, have
// their tensors, in order.
typedef struct MlcArtefactValue {
    uint32_t name;
    uint32_t type;
    uint32_t form;     // a string
    uint32_t elements; // MlcRtType of the tensors in it; of a map, of the values; 0: not known
} MlcArtefactValue;

// A size that a run finds in its data and writes to output_dims, as MlcArtefactDim has it; and
// back.
#define MLC_ARTEFACT_AT_MOST(most) (-2 - (most))

typedef struct MlcArtefactDim {
    int64_t size;   // -1: dynamic; less, of outputs: found in the data, MLC_ARTEFACT_AT_MOST
    uint32_t name;  // dimensions of one name have one size; 0: none
    uint32_t shape; // which of the sizes of the shapes it is, counted from 1; 0: none
} MlcArtefactDim;

// How sizes follow from those of the inputs: this, then the tables that it counts, in this order.
// What is one symbol alone, as dimension of an input, gives the symbol its number; the code
// computes others (set_size of the table).
typedef struct MlcArtefactShapes {
    uint32_t num_symbols; // uint32_t names, an even number of them with a 0 behind
    uint32_t num_sizes;
    uint32_t num_steps;
    uint32_t num_checks;
    uint32_t num_buffers;
    uint32_t num_caches;
} MlcArtefactShapes;

typedef struct MlcArtefactSize {
    uint32_t first_step; // into the steps
    uint32_t num_steps;  // they leave one number on the stack
    uint32_t text;       // as people write it: "past + seq"
    uint32_t computed;   // it is one symbol, of a number that the code computes: this one, from 1
} MlcArtefactSize;

typedef struct MlcArtefactStep {
    int64_t kind;   // MlcRtStepKind
    int64_t number; // or the symbol, or an MlcRtOperation
} MlcArtefactStep;

// Two sizes that must be equal.
typedef struct MlcArtefactCheck {
    uint32_t a, b;
    uint32_t where; // the node that asks for it
    uint32_t unused;
} MlcArtefactCheck;

// A buffer of the arena, which needs it between two points of time, both included.
typedef struct MlcArtefactBuffer {
    uint32_t bytes; // the size that says how many
    uint32_t first, last;
    uint32_t output; // it is the memory of this output, counted from 1; 0: of none
} MlcArtefactBuffer;

// An output that is an input and more along a dimension, written in the input's memory: of that,
// the output is all there is room for. The memory begins with the input before a run. Its dimension
// is `past` before it and `present` behind it, of `room`; past and room are symbols, and no input
// has the room.
typedef struct MlcArtefactCache {
    uint32_t input, output, dim;
    uint32_t past, present, room; // sizes
} MlcArtefactCache;

typedef struct MlcArtefactKernel {
    uint32_t name;
    uint32_t nodes; // names of the nodes it computes, one a line
    uint32_t notes; // how it computes them and why, one a line
    uint32_t unused;
    uint64_t flops; // floating-point operations of a call; 0: not known
    uint64_t bytes; // read and written by a call, each once; 0: not known
} MlcArtefactKernel;

// A function, for profilers: "conv1+relu1@kernel_0_task_0".
typedef struct MlcArtefactSymbol {
    uint32_t name;
    uint32_t unused;
    uint64_t offset; // from the start of text
    uint64_t size;   // bytes
} MlcArtefactSymbol;

// Code for devices: this, then the images, uint32_t names of kernels (an even number of them with a
// 0 behind), and what the images are.
typedef struct MlcArtefactDevice {
    uint32_t num_images;
    uint32_t num_kernels;
} MlcArtefactDevice;

typedef struct MlcArtefactImage {
    uint32_t target; // "cuda-sm_80"; images of one target stand together
    uint32_t unused;
    uint64_t offset; // from the section's start
    uint64_t size;   // bytes; the last one is NUL
} MlcArtefactImage;

// The hash of the format: four lanes of 64 x 64 -> 128 bit multiplies, folded (after wyhash). It
// finds accidents, not adversaries.
typedef struct MlcArtefactHasher {
    uint64_t lanes[4];
    uint64_t size;           // bytes so far
    unsigned char block[64]; // the last size % 64 bytes
} MlcArtefactHasher;

#define MLC_ARTEFACT_HASH_K UINT64_C(0xa0761d6478bd642f)
#define MLC_ARTEFACT_HASH_M UINT64_C(0xe7037ed1a0b428db)

// One step of the hash: both words, multiplied and folded.
static inline uint64_t
mlc_artefact_mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// The hash of artefacts, 64 bytes at a time: begin, one block, any number of bytes, and the end.
// The same bytes in any portions give the same number.
static inline void
mlc_artefact_hasher_init(MlcArtefactHasher *h)
{
    memset(h, 0, sizeof *h);
    for (int i = 0; i < 4; i++)
        h->lanes[i] = MLC_ARTEFACT_HASH_K + (uint64_t)i * MLC_ARTEFACT_HASH_M;
}

// 64 bytes go into the four lanes.
static inline void
mlc_artefact_hash_block(uint64_t lanes[4], const void *block)
{
    uint64_t w[8];
    memcpy(w, block, sizeof w);
    for (int i = 0; i < 4; i++)
        lanes[i] =
            mlc_artefact_mix(lanes[i] ^ w[2 * i], w[2 * i + 1] ^ MLC_ARTEFACT_HASH_M) + w[2 * i];
}

// Any number of bytes, in any portions.
static inline void
mlc_artefact_hasher_add(MlcArtefactHasher *h, const void *data, size_t size)
{
    const unsigned char *at = (const unsigned char *)data;
    size_t held = h->size % 64;
    if (size == 0)
        return;
    h->size += size;
    if (held > 0) {
        size_t n = size < 64 - held ? size : 64 - held;
        memcpy(h->block + held, at, n);
        at += n;
        size -= n;
        if (held + n < 64)
            return;
        mlc_artefact_hash_block(h->lanes, h->block);
    }
    uint64_t lanes[4] = {h->lanes[0], h->lanes[1], h->lanes[2], h->lanes[3]};
    for (; size >= 64; at += 64, size -= 64)
        mlc_artefact_hash_block(lanes, at);
    memcpy(h->lanes, lanes, sizeof lanes);
    if (size > 0)
        memcpy(h->block, at, size);
}

// The number; nothing may be added afterwards.
static inline uint64_t
mlc_artefact_hasher_finish(MlcArtefactHasher *h)
{
    size_t held = h->size % 64;
    if (held > 0) {
        memset(h->block + held, 0, 64 - held);
        mlc_artefact_hash_block(h->lanes, h->block);
    }
    uint64_t hash = mlc_artefact_mix(h->size ^ MLC_ARTEFACT_HASH_K, MLC_ARTEFACT_HASH_M);
    for (int i = 0; i < 4; i++)
        hash = mlc_artefact_mix(hash ^ h->lanes[i], MLC_ARTEFACT_HASH_K + (uint64_t)i * 2);
    return hash;
}

// Of one piece.
static inline uint64_t
mlc_artefact_hash(const void *data, size_t size)
{
    MlcArtefactHasher hasher;
    mlc_artefact_hasher_init(&hasher);
    mlc_artefact_hasher_add(&hasher, data, size);
    return mlc_artefact_hasher_finish(&hasher);
}

MLC_END_DECLS

#endif

// inst.h -- a kernel as it runs: instructions decoded once, and what a warp, a block and a cluster
// are while they do.
//
// Ownership: kernels lie in their module's arena; blocks and warps belong to the host thread that
// runs them.
#ifndef MLC_LIB_PTXSIM_INST_H
#define MLC_LIB_PTXSIM_INST_H

#include <inttypes.h>

#include "ast.h"

#include "mlc/ptxsim.h"
#include "mlc/support/buf.h"
#include "mlc/support/vec.h"

enum {
    LANES = 32,
    MAX_WARPS = 32, // of a block
    MAX_BLOCKS_OF_CLUSTER = 16,
    MAX_BARRIERS = 16,
    MAX_OPERANDS = 8,
};
#define ALL_LANES UINT32_MAX
#define NO_REGISTER UINT32_MAX

typedef enum PtxType {
    TYPE_NONE,
    TYPE_PRED,
    TYPE_B8,
    TYPE_B16,
    TYPE_B32,
    TYPE_B64,
    TYPE_B128,
    TYPE_U8,
    TYPE_U16,
    TYPE_U32,
    TYPE_U64,
    TYPE_S8,
    TYPE_S16,
    TYPE_S32,
    TYPE_S64,
    TYPE_F16,
    TYPE_BF16,
    TYPE_F16X2,
    TYPE_BF16X2,
    TYPE_F32,
    TYPE_F64,
    TYPE_TF32,
    TYPE_E4M3,
    TYPE_E5M2,
    TYPE_E4M3X2,
    TYPE_E5M2X2,
    TYPE_U16X2,
    TYPE_S16X2,
    TYPE_S4,
    TYPE_U4,
    TYPE_B1,
    NUM_TYPES,
} PtxType;

typedef enum PtxClass { CLASS_BITS, CLASS_UNSIGNED, CLASS_SIGNED, CLASS_FLOAT } PtxClass;

typedef struct PtxTypeInfo {
    const char *name;
    uint8_t bytes;
    uint8_t class;
} PtxTypeInfo;
extern const PtxTypeInfo ptx_types[NUM_TYPES];

// Generic addresses of what is not global memory; each window has 2^40 bytes.
#define SHARED_WINDOW (UINT64_C(0x7e) << 40)
#define LOCAL_WINDOW (UINT64_C(0x7d) << 40)
#define PARAM_WINDOW (UINT64_C(0x7c) << 40)
#define WINDOW_MASK ((UINT64_C(1) << 40) - 1)
// Addresses of the shared memory of a cluster: the block's rank + 1 above these bits; 0 there is
// the block itself.
enum { RANK_SHIFT = 24, STATIC_SHARED_BASE = 1024, MAX_SHARED_BYTES = 227 * 1024 };

typedef enum PtxSpace {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_SHARED_CLUSTER,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
} PtxSpace;

typedef enum OperandKind {
    OPERAND_NONE, // "_", or not there
    OPERAND_REG,
    OPERAND_CONST, // lanes in the kernel's constants
    OPERAND_PRED,
    OPERAND_LIST,    // kernel->lists + list, count of them
    OPERAND_ADDRESS, // reg (or NO_REGISTER) + imm; list: coordinates
} OperandKind;

typedef struct Operand {
    uint8_t kind;
    uint8_t bytes; // of the register: 4 or 8; 4 for narrower ones
    uint8_t width; // of the register as declared, in bytes
    bool negated;  // !p
    uint32_t count;
    uint32_t reg; // its number
    uint32_t at;  // bytes from the start of the warp's lanes, or of the kernel's constants
    uint32_t list;
    uint64_t imm; // a constant's bits; an address's offset
} Operand;

typedef enum Step {
    STEP_NEXT,
    STEP_JUMP, // the function has set the group's place
    STEP_WAIT, // tried again later
    STEP_STOP, // an error was told
} Step;

typedef struct Warp Warp;
typedef struct Inst Inst;
typedef Step (*ExecFn)(Warp *w, const Inst *in, uint32_t mask);

// What an instruction has in the counters.
enum { COUNT_FLOAT = 1, COUNT_BRANCH = 2 };

struct Inst {
    ExecFn exec;
    ExecFn inner; // what `exec` calls in another rounding mode
    uint32_t line, column;
    uint32_t guard_at; // of the predicate, in the warp's lanes
    uint32_t guard_reg;
    uint32_t uses, num_uses; // kernel->regs: what is read, where nothing may be undefined
    uint32_t defs, num_defs; // what is written
    uint32_t target;         // of a branch
    bool has_guard, guard_negated;
    bool copies; // passes on what is undefined, and is no error itself
    uint8_t counts;
    uint8_t type, from; // of the result; of the operands, where they differ
    uint8_t space;
    uint8_t vector;  // elements of a vector access
    uint8_t variant; // by instruction: comparison, rounding, kind of shuffle
    uint8_t flags;   // by instruction
    uint16_t shape;  // by instruction
    uint8_t num_operands;
    const char *name; // the opcode as written
    Operand operand[MAX_OPERANDS];
};

typedef MLC_VEC(uint32_t) NumberVec;

// A special register: filled in when a warp starts.
typedef struct Special {
    uint8_t what; // SpecialKind
    uint8_t bytes;
    uint32_t at, reg;
} Special;

typedef struct Param {
    MlcStr name;
    uint32_t at, bytes;
} Param;

struct MlcPtxEntry {
    MlcPtxModule *module;
    MlcStr name;
    PtxAt place;
    const PtxFunction *function;
    Param *params;
    size_t num_params;
    uint32_t param_bytes;
    MLC_VEC(Inst) code;
    MLC_VEC(Operand) lists;
    MLC_VEC(MlcStr) names; // of registers
    NumberVec regs;        // for uses and defs
    MLC_VEC(Special) specials;
    MlcBuf consts;       // 4 or 8 bytes for each of 32 lanes
    uint32_t lane_bytes; // of a warp's registers
    uint32_t static_shared, local_bytes;
    uint32_t dynamic_at; // where shared memory of the launch's size begins
    bool uses_mbarriers, communicates;
    uint32_t max_threads[3];
    bool is_required;
};

struct MlcPtxModule {
    MlcPtxDevice *device;
    MlcArena arena;
    const char *file;
    PtxText text;
    MLC_VEC(MlcPtxEntry *) entries;
    struct ModuleVariable *variables;
    size_t num_variables;
};

typedef struct ModuleVariable {
    MlcStr name;
    MlcStr space;
    uint64_t address; // shared: an offset
    uint64_t num_bytes;
    bool is_dynamic; // shared, of a size that the launch says
} ModuleVariable;

// --- while it runs

// What one warp knows of another: all that its lanes did at clocks below `all`, and what `lanes`
// did at clocks up to `some`.
typedef struct Know {
    uint32_t all, some, lanes;
} Know;

typedef struct Clock {
    Know *warps;      // of the cluster
    uint32_t *phases; // of each mbarrier that was met: how many
} Clock;

// Lanes of a warp that are at one place.
typedef struct Group {
    uint32_t pc, mask;
    uint64_t token; // of the wait that it is in; 0: none
    bool blocked;
} Group;

typedef struct AsyncCopy AsyncCopy;
typedef struct Block Block;
typedef struct Cluster Cluster;
typedef struct Run Run;

struct Warp {
    Block *block;
    const MlcPtxEntry *kernel;
    uint8_t *lanes;  // registers
    uint32_t *ready; // by register: which lanes may be read
    uint8_t *local;
    uint8_t *local_written;
    unsigned index;      // in its block
    unsigned index_all;  // in its cluster
    uint32_t live;       // lanes that have not left
    Group now;           // the group that runs
    Group others[LANES]; // in no order
    unsigned num_others;
    uint32_t next_pc;   // the lowest of the others that are not blocked
    uint32_t carry;     // of add.cc, by lane
    uint32_t undefined; // lanes that the instruction at hand gives nothing
    uint32_t clock;     // counts what orders its accesses
    Clock seen, fenced;
    const char *waits_for;  // in words, while it is blocked
    uint64_t waits_at;      // and a number that belongs there
    uint64_t cluster_token; // it has arrived at its cluster's barrier and not waited yet
    unsigned num_skipped;   // turns
    unsigned num_tries;     // of waits for mbarriers that gave up, in a row
    unsigned num_in_flight; // registers that matrix units work on
    uint64_t steps;
    struct Region *last_region;
    struct Copies *copies;         // cp.async
    struct WarpMatrices *matrices; // wgmma
    uint32_t bulk_open;            // the group of bulk copies that is added to
};

typedef struct BlockBarrier {
    uint32_t expected, arrived; // threads
    uint32_t generation;
    bool is_counted;                // `expected` was said; else all warps that are left
    uint32_t sum, result;           // of bar.red: of this turn, and of the last
    Clock seen, fenced;             // what those that have arrived know
    Clock given_seen, given_fenced; // what those that waited get
} BlockBarrier;

struct Block {
    Cluster *cluster;
    uint32_t id[3], number, rank;
    unsigned num_warps, num_threads;
    unsigned num_live; // warps that have lanes left
    Warp *warps;
    uint8_t *shared, *shared_written;
    struct Cell *cells;   // of shared memory, one for 4 bytes; NULL: races are not looked for
    uint32_t shared_size; // bytes from address 0
    BlockBarrier barriers[MAX_BARRIERS];
};

typedef struct Fault {
    PtxAt at;
    bool is_note;
    char *text;
} Fault;

struct Cluster {
    Run *run;
    uint32_t number;
    unsigned num_blocks, num_warps;
    Block *blocks;
    uint64_t random;
    uint64_t progress;
    uint64_t steps;
    BlockBarrier barrier; // of the cluster
    struct Mbarriers *mbarriers;
    struct Bulk *bulk; // copies in flight
    MlcPtxCounters counters;
    MLC_VEC(Fault) faults; // an error and its notes
    bool failed;
    uint8_t *memory; // that blocks and warps lie in
    size_t memory_size;
};

// One launch.
struct Run {
    MlcPtxDevice *device;
    const MlcPtxEntry *kernel;
    const MlcPtxLaunch *launch;
    uint8_t *params;
    uint32_t grid[3], block[3], cluster[3];
    unsigned num_threads, num_warps; // of a block
    uint64_t num_clusters;
    uint64_t max_steps;
    uint32_t shared_size;
    bool races, adversarial;
};

#endif

// context_impl.h -- private: the context, and the layout of what it uniques.
//
// Everything uniqued is one flat record: a header and words. Children are uniqued before their
// parents, so two records are equal exactly when their bytes are, and one function interns them
// all.
#ifndef MLC_IR_CONTEXT_IMPL_H
#define MLC_IR_CONTEXT_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "mlc/ir/action.h"
#include "mlc/ir/context.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/extension.h"
#include "mlc/support/arena.h"
#include "mlc/support/hash.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"

typedef enum MlcCategory {
    MLC_CATEGORY_TYPE,
    MLC_CATEGORY_ATTR,
    MLC_CATEGORY_LOC,
    MLC_CATEGORY_EXPR,
    MLC_CATEGORY_MAP,
    MLC_CATEGORY_SET,
    MLC_CATEGORY_FILE,     // a file name of tagged locations -> its number
    MLC_CATEGORY_RESOURCE, // key -> blob
    MLC_CATEGORY_DEFAULT,  // slot -> its parsed default
    MLC_CATEGORY_PARSED,   // text of a record -> the map it says
} MlcCategory;

typedef struct MlcUniqued {
    uint32_t hash;
    uint8_t category;
    uint8_t kind;
    uint16_t height; // of what it holds, and 1: how deep values lie in each other; 0: it holds none
    MlcContext *ctx;
    size_t size; // bytes of `words` that are the key
    uint64_t words[];
} MlcUniqued;

// Bytes of a key; parts are multiples of 8 bytes except the last.
typedef struct MlcPart {
    const void *data;
    size_t size;
} MlcPart;

// The record with that key, made if there is none, followed by `extra` zeroed bytes that are not
// part of the key.
const void *mlc_intern(MlcContext *ctx, MlcCategory category, unsigned kind, const MlcPart *parts,
                       size_t num_parts, size_t extra);
const void *mlc_intern_words(MlcContext *ctx, MlcCategory category, unsigned kind,
                             const uint64_t *words, size_t num_words);

// How deep values lie in each other in a type, an attribute or a location. Who walks a value may
// recurse: readers and whoever puts locations in each other keep it within the limit on nesting,
// wherever the parts came from.
static inline uint64_t
mlc_height(const void *value)
{
    bool is_record = value && !((uintptr_t)value & 1); // locations may be words
    return is_record ? ((const MlcUniqued *)value)->height : 0;
}

static inline uint64_t
mlc_word(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

// Types.
__extension__ struct MlcTypeData {
    uint32_t hash;
    uint8_t category, kind;
    uint16_t height;
    MlcContext *ctx;
    size_t size;
    union {
        struct {
            uint64_t width, signedness;
        } integer;
        struct {
            uint64_t kind;
        } floating;
        struct { // shaped types and complex
            MlcType element;
            uint64_t rank;
            MlcAttr first; // encoding or layout
            MlcAttr memory_space;
            uint64_t has_scalable; // then one byte per dimension follows the shape
            int64_t shape[];
        } shaped;
        struct { // function (inputs, then results) and tuple
            uint64_t num_inputs, num_results;
            MlcType types[];
        } list;
        struct {
            const MlcTypeDef *def;
            uint64_t num_params;
            MlcAttr params[]; // then the body of an identified type, atomically set
        } dialect;
        struct {
            MlcAttr dialect, body;
        } opaque;
    };
};

__extension__ struct MlcAttrData {
    uint32_t hash;
    uint8_t category, kind;
    uint16_t height;
    MlcContext *ctx;
    size_t size;
    MlcType type; // NULL if untyped
    union {
        uint64_t words[1]; // integer
        struct {
            uint64_t lo, hi;
        } floating;
        struct {
            uint64_t size;
            char bytes[]; // and a NUL
        } string;
        struct { // array, symbol reference (strings), dense string
            uint64_t size;
            MlcAttr elements[];
        } array;
        struct {
            uint64_t size;
            MlcNamedAttr entries[];
        } dict;
        MlcType type_value;
        MlcAffineMap map;
        MlcIntegerSet set;
        MlcLoc loc;
        MlcAttr referenced; // distinct
        struct {
            uint64_t is_splat, size;
            unsigned char bytes[];
        } dense;
        struct MlcResource *resource;
        struct {
            MlcAttr indices, values;
        } sparse;
        struct {
            MlcType element;
            uint64_t size; // elements
            unsigned char bytes[];
        } dense_array;
        struct {
            int64_t offset;
            uint64_t size;
            int64_t strides[];
        } strided;
        struct {
            const MlcAttrDef *def;
            uint64_t num_params;
            MlcAttr params[];
        } dialect;
        struct {
            MlcAttr dialect, body;
        } opaque;
    };
};

// A key of dense_resource; the blob may come later.
typedef struct MlcResource {
    uint32_t hash;
    uint8_t category, kind;
    uint16_t height;
    MlcContext *ctx;
    size_t size;
    MlcAttr key;
    _Atomic(MlcBlob *) blob;            // retained
    struct MlcResource *next_with_blob; // list in the context, to release them
} MlcResource;

struct MlcExprData {
    uint32_t hash;
    uint8_t category, kind;
    uint16_t height;
    MlcContext *ctx;
    size_t size;
    union {
        struct {
            MlcAffineExpr lhs, rhs;
        };
        int64_t value;
    };
};

__extension__ struct MlcMapData {
    uint32_t hash;
    uint8_t category, kind;
    uint16_t height;
    MlcContext *ctx;
    size_t size;
    uint64_t num_dims, num_symbols, num_results;
    MlcAffineExpr results[];
};

__extension__ struct MlcSetData {
    uint32_t hash;
    uint8_t category, kind;
    uint16_t height;
    MlcContext *ctx;
    size_t size;
    uint64_t num_dims, num_symbols, num_constraints;
    MlcAffineExpr constraints[]; // then one byte each: is it an equality
};

__extension__ struct MlcLocData {
    uint32_t hash;
    uint8_t category, kind;
    uint16_t height;
    MlcContext *ctx;
    size_t size;
    union {
        struct {
            MlcAttr name;
            uint64_t line, column;
        } file; // what does not fit a word
        struct {
            MlcAttr name;
            MlcLoc child;
        } name;
        struct {
            MlcLoc callee, caller;
        } callsite;
        struct {
            MlcAttr metadata;
            uint64_t size;
            MlcLoc locs[];
        } fused;
    };
};

#define MLC_NUM_SHARDS 64

// An open-addressing table that readers probe without a lock: slots go from NULL to a record once,
// and a table that was outgrown is kept until the context dies.
typedef struct MlcInternTable {
    struct MlcInternTable *outgrown;
    uint32_t num_slots; // power of two
    _Atomic(const MlcUniqued *) slots[];
} MlcInternTable;

typedef struct MlcShard {
    _Atomic(MlcInternTable *) table; // NULL: empty
    pthread_mutex_t lock;
    uint32_t num_used;
    MlcArena arena;
} __attribute__((aligned(64))) MlcShard;

#define MLC_NUM_STRIPES 16
typedef struct MlcStripe {
    _Atomic int64_t bytes;
} __attribute__((aligned(64))) MlcStripe;

typedef struct MlcSource {
    MlcStr name, text;
} MlcSource;

// File names of tagged locations by number: block k holds 64 << k of them, so that readers need no
// lock.
#define MLC_FILE_BLOCKS 20

// A dialect or rules read from a file.
struct MlcLoaded {
    MlcArena arena; // of the records
    const struct MlcRuleTable *const *rules;
    size_t num_rules;
    const struct MlcRuleSet *sets;
    size_t num_sets;
    struct MlcLoaded *next;
};
struct MlcLoaded *mlc_context_loaded_create(MlcContext *ctx);

#define MLC_FEW_INPUTS 8 // of affine maps: as many dimensions and symbols are found at once
// What the rooms above know of text, given to a context when it is made (setup/context_create.c):
// records hold defaults, types and maps as text, and a diagnostic shows its location.
struct MlcYamlLoader;
struct MlcYaml;
typedef struct MlcTextFunctions {
    MlcAttr (*parse_attr)(MlcContext *ctx, MlcStr text);
    MlcType (*parse_type)(MlcContext *ctx, MlcStr text);
    MlcAffineMap (*parse_affine_map)(MlcContext *ctx, MlcStr text);
    void (*print_loc)(MlcContext *ctx, MlcLoc loc, MlcBuf *out);
    // What the rules' language says in records: compiled when one is loaded, asked of an op.
    const struct MlcRule *(*requirement)(struct MlcYamlLoader *loader, const MlcOpDef *op,
                                         const struct MlcYaml *condition,
                                         const struct MlcYaml *message);
    bool (*meets_requirements)(MlcOp *op);
    bool (*has_directive)(MlcStr name); // custom<name>, of formats
} MlcTextFunctions;

struct MlcContext {
    MlcShard shards[MLC_NUM_SHARDS];
    MlcStripe op_bytes[MLC_NUM_STRIPES]; // counted where the op's memory comes from
    const MlcTextFunctions *text;
    MlcLimits limits;
    bool allow_unregistered;
    unsigned threads;     // 0: one per processor
    size_t min_shared;    // bytes of text that are worth several
    struct MlcPool *pool; // under `lock`; NULL until asked for
    bool print_op_on_diag, verifies_first_fault;
    MlcActionHandler actions;

    pthread_rwlock_t dialects_lock;
    MLC_VEC(const MlcDialectDef *) dialects;
    MlcStrMap dialect_names;    // -> index in `dialects`
    MLC_VEC(MlcMap) interfaces; // of others, by number: MlcOpDef * -> methods
    MlcMap unsorted_ops; // MlcDialectDef * -> MlcStrMap * for those whose tables are not sorted

    pthread_mutex_t lock; // of the fields below
    MlcArena arena;
    MlcStrMap unregistered;
    MlcResource *resources;
    pthread_mutex_t patterns_lock;                           // held while the set is made
    _Atomic(struct MlcPatternSet *) canonicalization;        // NULL until asked for
    _Atomic(MlcAffineExpr) affine_inputs[2][MLC_FEW_INPUTS]; // d0, d1, ..., s0, s1, ...
    struct MlcLoaded *loaded;         // by mlc_load_...; their arenas die with the context
    MLC_VEC(MlcExtension) extensions; // what was loaded
    MlcExtensionLoader load_irdl;     // NULL: none was set
    _Atomic(MlcAttr *) files[MLC_FILE_BLOCKS];
    uint32_t num_files;
    uint64_t num_distinct;

    pthread_mutex_t diag_lock; // held while a handler runs
    MlcDiagHandler handler;
    void *handler_user;
    _Atomic uint64_t num_errors, num_unsupported;
    uint64_t num_printed;       // under diag_lock
    MLC_VEC(MlcSource) sources; // under `lock`
    uint64_t serial;            // tells a context from another at the same address

    // Asked for all the time; NULL until first made.
    _Atomic(MlcType) index_type, none_type, integer_types[65], float_types[MLC_FLOAT_NUM_KINDS];
    _Atomic(MlcAttr) unit_attr;

    // The printer that may keep its numbers in the values: one at a time (print_name.c).
    atomic_flag is_numbering;
    uint32_t print_generation; // under is_numbering; 1 to 255
};

// The pool for reading or printing `size` bytes of text; NULL: not worth it.
struct MlcPool *mlc_context_pool_for(MlcContext *ctx, size_t size);
// Bytes of text that the context's ops would about be.
size_t mlc_context_text_bytes(const MlcContext *ctx);

// Another place in the file of `file`, which is at line 0 and column 0; NULL if it does not fit a
// word.
MlcLoc mlc_loc_in_file(MlcLoc file, unsigned line, unsigned column);

// What limits.nesting says, where the stack of a thread has room for that.
static inline uint64_t
mlc_nesting_limit(const MlcContext *ctx)
{
    return ctx->limits.nesting < MLC_NESTING_LIMIT ? ctx->limits.nesting : MLC_NESTING_LIMIT;
}

// A context without dialects, and its end; mlc_context_create and _destroy are in setup/.
// "t.mlir:3:1", for messages that name a place but do not stand there.
void mlc_loc_append_place(MlcContext *ctx, MlcLoc loc, MlcBuf *out);

MlcContext *mlc_context_make(const MlcTextFunctions *text);
void mlc_context_free(MlcContext *ctx);

// Contexts that live are listed, because a pending diagnostic may outlive its own.
void mlc_diag_know_context(MlcContext *ctx);
// Called before a context goes, so that a pending diagnostic of this thread is not lost.
void mlc_diag_forget_context(MlcContext *ctx);

// Whether a dialect may have that name: a letter or '_', then those, digits and '$'.
bool mlc_is_dialect_namespace(MlcStr name);

// What mlc_context_add_interface gave ops of the definition; NULL: nothing.
const void *mlc_context_other_interface(const MlcContext *ctx, const MlcOpDef *def,
                                        uint32_t interface);

// Registered last, it is not there; nothing refers to it.
void mlc_context_drop_dialect(MlcContext *ctx, const MlcDialectDef *dialect);

// load_dialect.c: what loaded files ask of a context, and where their faults go; `user` is it.
const MlcDialectDef *mlc_loader_find_dialect(void *user, MlcStr name);
void mlc_loader_report(void *user, const char *filename, unsigned line, unsigned column,
                       const char *message);
struct MlcFile;
// Whether a text is a type, an attribute that meets the constraint (NULL: any); what is wrong
// otherwise goes to `error`.
bool mlc_loader_is_type(void *user, const char *text, MlcBuf *error);
bool mlc_loader_is_attr(void *user, const char *text, const MlcConstraint *constraint,
                        MlcBuf *error);
bool mlc_loader_open(MlcContext *ctx, const char *path, struct MlcFile *file);
// What `define` makes of a text, whose name messages have, and of a file; noted as an extension.
typedef bool (*MlcLoaderDefine)(MlcContext *ctx, MlcStr text, const char *name);
bool mlc_loader_load_text(MlcContext *ctx, MlcStr text, const char *name, MlcLoaderDefine define,
                          MlcExtensionKind kind);
bool mlc_loader_load_file(MlcContext *ctx, const char *path, MlcLoaderDefine define,
                          MlcExtensionKind kind);

#endif

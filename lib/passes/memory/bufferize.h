// bufferize.h -- the state of one bufferisation, shared by its analysis and its rewriting.
#ifndef MLC_PASSES_BUFFERIZE_H
#define MLC_PASSES_BUFFERIZE_H

#include "alias_class.h"

#include "mlc/dialects/bufferize.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

// Which writes are decided first.
typedef enum BufferizeOrder {
    BUFFERIZE_BOTTOM_UP,
    BUFFERIZE_TOP_DOWN,
    BUFFERIZE_FROM_TERMINATORS, // what ends regions, and what that is computed from, before the
                                // rest
    BUFFERIZE_SHUFFLED,
} BufferizeOrder;

// Tensors that may share memory, and tensors that have the same buffer: union-find over value
// numbers.
typedef struct Bufferization {
    MlcBufferizer base; // first: hooks give back this
    MlcOp *function;
    MlcMap numbers; // tensor value -> number
    MlcValueVec values;
    MLC_VEC(uint32_t) alias, same; // parents
    MLC_VEC(AliasClass) classes;   // at the roots of `alias`
    MlcMap places;                 // op -> its place << 32 | the last place inside of it
    BufferizeOrder order;
    uint64_t seed;         // of BUFFERIZE_SHUFFLED
    bool writes_arguments; // of the function, in place, unless they say otherwise
    bool copies_first;     // before every write
    bool ignores_parallel; // iterations that run at once may write one buffer
} Bufferization;

// On an argument of a function, a bool: whether it may be written in place.
#define MLC_WRITABLE "bufferization.writable"

void bufferize_init(Bufferization *bufferizer, MlcOp *function);
void bufferize_analyze(Bufferization *bufferizer);
void bufferize_release(Bufferization *bufferizer);
bool bufferize_same(Bufferization *bufferizer, MlcValue *a, MlcValue *b);
bool bufferize_may_share(Bufferization *bufferizer, MlcValue *a, MlcValue *b);
// All that may share the value's memory.
const MlcValueVec *bufferize_aliases(Bufferization *bufferizer, MlcValue *value);
bool bufferize_use_reads(MlcUse *use);
bool bufferize_is_writable(Bufferization *bufferizer, MlcValue *value); // with all its aliases
void bufferize_unite(Bufferization *bufferizer, MlcValue *a, MlcValue *b, bool whole);

#endif

// alias_class.h -- tensors that may share memory, and where in the program each matters, so that
// those that matter at some place are found without looking at all.
#ifndef MLC_PASSES_ALIAS_CLASS_H
#define MLC_PASSES_ALIAS_CLASS_H

#include "mlc/ir.h"

// Where a tensor can matter to a write, by places in program order: a write before `first` or
// behind `last` overwrites nothing that is read as this tensor, and it is written from
// `first_write` to `last_write`. Places in loops are all of the loop, where it runs again.
typedef struct AliasSpan {
    uint32_t first, last, first_write, last_write;
    bool has_twin; // an op that writes it writes another tensor, too
    bool is_writable;
} AliasSpan;
typedef MLC_VEC(AliasSpan) AliasSpans;

typedef struct AliasClass {
    MlcValueVec members;
    AliasSpans spans;  // of the members, in their order
    AliasSpans *above; // NULL for few; else each of above[n] is the union of 16 below
    AliasSpan all;     // the union of all
} AliasClass;

void alias_class_add(AliasClass *c, MlcValue *value, AliasSpan span);
void alias_class_take(AliasClass *to, AliasClass *from); // all members; `from` is empty then
void alias_class_release(AliasClass *c);

typedef enum AliasWhat {
    ALIAS_READ,    // what a write between the places may overwrite
    ALIAS_WRITTEN, // what is written between them
    ALIAS_TWIN,    // wherever
} AliasWhat;
// The next member from `i` on that matters, and perhaps some that do not; their number: none.
size_t alias_class_next(const AliasClass *c, size_t i, AliasWhat what, uint32_t from, uint32_t to);

#endif

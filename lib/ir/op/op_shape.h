// op_shape.h -- private: what an op shares with many others: definition, counts, types of its
// values and inherent attributes. What follows from these alone is found once per shape and kept in
// small tables by whoever asks (verify.c, print_shape.c).
#ifndef MLC_IR_OP_SHAPE_H
#define MLC_IR_OP_SHAPE_H

#include "op_impl.h"

#define MLC_SHAPE_WORDS 8

typedef struct MlcOpShape {
    const MlcOpDef *def; // NULL: of no op
    uint64_t counts;     // from these and `def` follows how many words there are
    uint32_t num_words;
    const void *words[MLC_SHAPE_WORDS]; // types of operands, types of results, attributes
} MlcOpShape;

// The shape of a registered op whose operands are all there, and a hash of it. False: it has too
// many parts, or counts that do not fit.
static inline bool
mlc_op_shape(const MlcOp *op, MlcOpShape *shape, uint64_t *hash)
{
    uint64_t n = (uint64_t)op->num_operands + op->num_results + op->num_slots;
    if (n > MLC_SHAPE_WORDS || (op->num_successors | op->num_regions) >> 28)
        return false;
    uint64_t h = (uint64_t)(uintptr_t)op->def;
    const void **word = shape->words;
    for (uint32_t i = 0; i < op->num_operands; i++, word++)
        h = (h << 9 | h >> 55) ^ (uint64_t)(uintptr_t)(*word = op->operands[i].value->type);
    for (uint32_t i = 0; i < op->num_results; i++, word++)
        h = (h << 9 | h >> 55) ^ (uint64_t)(uintptr_t)(*word = mlc_op_results_(op)[i].type);
    const MlcAttr *slots = mlc_op_slots_(op);
    for (uint32_t i = 0; i < op->num_slots; i++, word++)
        h = (h << 9 | h >> 55) ^ (uint64_t)(uintptr_t)(*word = slots[i]);
    shape->def = op->def;
    shape->num_words = (uint32_t)n;
    shape->counts = op->num_operands | op->num_results << 4 | (uint64_t)op->num_successors << 8 |
                    (uint64_t)op->num_regions << 36;
    *hash = (h ^ shape->counts) * UINT64_C(0x9E3779B97F4A7C15);
    return true;
}

static inline bool
mlc_op_shape_equal(const MlcOpShape *a, const MlcOpShape *b)
{
    if (a->def != b->def || a->counts != b->counts)
        return false;
    for (uint32_t i = 0; i < a->num_words; i++)
        if (a->words[i] != b->words[i])
            return false;
    return true;
}

#endif

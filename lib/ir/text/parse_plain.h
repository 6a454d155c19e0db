// parse_plain.h -- private: ops of plain formats, read without what formats need in general.
#ifndef MLC_IR_PARSE_PLAIN_H
#define MLC_IR_PARSE_PLAIN_H

#include "parse_format.h"

// The types that an op's text gave, by group and attribute; NULL where there is none.
typedef struct MlcPlainTypes {
    MlcType operands[4], results[4], attrs[2];
    uint32_t num_many; // operands of the group that may have any number
    bool is_whole;     // the op was read to its end, but its other types were not known
} MlcPlainTypes;

// NULL: the op's format is not plain, or its types follow from more than types.
MlcPlainFormat *mlc_plain_format(MlcParser *p, const MlcFormatInfo *info);
// 1: read, -1: error, 0: nothing was read.
int mlc_plain_read(MlcParser *p, MlcOpBuild *op, MlcPlainFormat *format, MlcPlainTypes *given);
// After 0, when the op was read the long way.
void mlc_plain_learn(MlcPlainFormat *format, const MlcPlainTypes *given, const MlcOpBuild *op);

#endif

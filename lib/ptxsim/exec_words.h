// exec_words.h -- whole words of one piece of memory, for a warp at once.
#ifndef MLC_LIB_PTXSIM_EXEC_WORDS_H
#define MLC_LIB_PTXSIM_EXEC_WORDS_H

#include "race.h"

// Where the lanes of an access lie. What several lanes name is asked for once.
typedef struct Words {
    uint8_t *data, *written;
    RaceWords race; // its cells are NULL where nobody looks
    bool is_shared;
} Words;

// False: something about the access is unusual, and is left to those who look lane by lane: an
// address outside, not aligned, in another space; or, unless `is_write`, a byte never written.
bool ptx_find_words(Warp *w, PtxSpace space, uint32_t mask, const uint64_t *addresses,
                    unsigned num_bytes, bool is_write, Words *words);

#endif

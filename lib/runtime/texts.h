// texts.h -- strings of a model and of a run, by numbers.
//
// Code has a string as a number. Equal strings have equal numbers, so what compares, moves and
// chooses strings is plain code on integers. The model's own strings have the first numbers; a run
// gives more to those that come in and to those that it makes, and forgets them before the next
// run: no result depends on what ran before.
#ifndef MLC_LIB_RUNTIME_TEXTS_H
#define MLC_LIB_RUNTIME_TEXTS_H

#include "mlc/runtime.h"
#include "mlc/runtime/abi.h"

// A set of strings with numbers from `first` on.
typedef struct MlcRtStrings {
    int64_t first, count, room;
    MlcRtString *all;
    int64_t *slots; // a hash table of numbers from 1 on; 0: none
    size_t num_slots;
    struct MlcRtChunk *chunks; // copies of bytes
} MlcRtStrings;

void mlc_rt_strings_release(MlcRtStrings *s);
void mlc_rt_strings_clear(MlcRtStrings *s); // keeps some of its memory
// The number of a string, which is added unless it is there; -1: not enough memory. `copy`: the
// bytes do not stay.
int64_t mlc_rt_strings_add(MlcRtStrings *s, MlcRtString string, bool copy);
int64_t mlc_rt_strings_find(const MlcRtStrings *s, MlcRtString string); // -1: it is not there

// The rest of a string that is cut into parts.
typedef struct MlcRtCutter {
    const char *at, *end;
    MlcRtString delimiter; // empty: whitespace
    int64_t most;          // cuts that are left; negative: any number
    bool is_done;
} MlcRtCutter;

// How far a string has been cut; all 0: none has.
typedef struct MlcRtWalk {
    int64_t args[3];   // string, delimiter, most cuts
    int64_t num_taken; // parts
    MlcRtCutter cutter;
} MlcRtWalk;

// What a session knows: the model's, and those of its run.
typedef struct MlcRtTexts {
    const MlcRtStrings *literals;
    MlcRtStrings own;
    MlcRtWalk walk;
} MlcRtTexts;

void mlc_rt_texts_clear(MlcRtTexts *t); // forgets the run's

// -1: not enough memory.
int64_t mlc_rt_text_number(MlcRtTexts *t, MlcRtString string);
// The empty string for what is no number of any.
MlcRtString mlc_rt_text_string(const MlcRtTexts *t, int64_t number);
bool mlc_rt_text_is_valid(MlcRtString string, size_t *at); // UTF-8; else the first byte that is not

// What MlcRtTable.text computes. NULL, or what is wrong.
const char *mlc_rt_text_compute(MlcRtTexts *t, int64_t what, const int64_t args[4],
                                int64_t *result);

#endif

// pads.h -- tensor.pad by a constant: copied into the middle of a filled buffer, or not made at all
// where its reader can leave out what lies outside.
#ifndef MLC_PASSES_PADS_H
#define MLC_PASSES_PADS_H

#include "windows.h"

#include "mlc/analysis/structured.h"
#include "mlc/machine.h"
#include "mlc/pass.h"

// A fill and a copy instead of the pad; the pad goes. The fill is of all of the buffer, or of what
// is `around` the source alone, in slabs. False: it is dynamic or negative, or its value depends on
// the position.
bool mlc_pad_decompose(MlcOp *pad, const MlcTargetDesc *target, bool around);

enum { MLC_MAX_CLIP_PARTS = 4 };

// A reader whose windows over a padded tensor can be clipped to what is inside: what it would read
// outside is neutral to it (zeros to a sum of products, the lowest value to a maximum). Only where
// that is worth variants of its tiles: every element is read by one output of each window position,
// so that a copy would cost as much as a good part of the reader itself (depthwise convolutions,
// pooling), or most of what it would read is padding (filters dilated as far as the image goes).
typedef struct MlcClip {
    MlcOp *pad, *reader;
    size_t operand; // of the reader
    // For each dimension of the padded tensor, position = stride * out + dilation * tap: loops of
    // the reader, tap -1 where there is no window.
    int out[MLC_SMALL_RANK], tap[MLC_SMALL_RANK];
    int64_t stride[MLC_SMALL_RANK], dilation[MLC_SMALL_RANK], num_taps[MLC_SMALL_RANK];
    int64_t low[MLC_SMALL_RANK],
        inside[MLC_SMALL_RANK]; // elements before, and elements of the source
    // For each loop of the reader, the parts that have the same taps inside each: where they begin.
    // 0: the loop has no window, or all taps are always inside.
    size_t num_parts[MLC_SMALL_RANK];
    int64_t parts[MLC_SMALL_RANK][MLC_MAX_CLIP_PARTS];
} MlcClip;
// False: the pad has to be decomposed.
bool mlc_pad_can_clip(MlcOp *pad, MlcClip *clip);
// Narrows the taps of iterations `loops` of the reader, which lie in the parts that begin at
// `begin` of each loop, to those that are inside.
void mlc_clip_taps(const MlcClip *clip, const int64_t begin[MLC_SMALL_RANK], MlcWindow *loops);
// The window of the source that is the window `w` of the padded tensor.
void mlc_clip_to_source(const MlcClip *clip, MlcWindow *w);

#endif

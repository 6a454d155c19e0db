// pads.h -- tensor.pad by a constant: copied into the middle of a filled buffer, or not made at all
// where its reader can leave out what lies outside.
#ifndef MLC_PASSES_PADS_H
#define MLC_PASSES_PADS_H

#include "structured.h"

// A fill and a copy instead of the pad; the pad goes. False: it is dynamic or negative, or its
// value depends on the position.
bool mlc_pad_decompose(MlcOp *pad, const MlcTargetDesc *target);

// A reader whose windows over a padded tensor can be clipped to what is inside: what it would read
// outside is neutral to it (zeros to a sum of products, the lowest value to a maximum). Only where
// every element is read by one output of each window position, so that a copy would cost as much
// as a good part of the reader itself: depthwise convolutions, pooling.
typedef struct MlcClip {
    MlcOp *pad, *reader;
    size_t operand; // of the reader
    // For each dimension of the padded tensor, position = stride * out + dilation * tap: loops of
    // the reader, tap -1 where there is no window.
    int out[MLC_MAX_RANK], tap[MLC_MAX_RANK];
    int64_t stride[MLC_MAX_RANK], dilation[MLC_MAX_RANK], num_taps[MLC_MAX_RANK];
    int64_t low[MLC_MAX_RANK], inside[MLC_MAX_RANK]; // elements before, and elements of the source
    // For each loop of the reader, how many iterations at its start and end have windows that hang
    // over.
    int64_t first_edge[MLC_MAX_LOOPS], last_edge[MLC_MAX_LOOPS];
} MlcClip;
// False: the pad has to be decomposed.
bool mlc_pad_can_clip(MlcOp *pad, MlcClip *clip);
// Narrows the taps of iterations `loops` of the reader to those that are inside for all of them:
// iterations of edges come one by one.
void mlc_clip_taps(const MlcClip *clip, MlcWindow *loops);
// The window of the source that is the window `w` of the padded tensor.
void mlc_clip_to_source(const MlcClip *clip, MlcWindow *w);

#endif

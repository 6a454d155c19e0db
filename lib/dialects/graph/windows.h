// windows.h -- windows and slices of one dimension, as the attributes of graph ops say them.
#ifndef MLC_DIALECTS_GRAPH_WINDOWS_H
#define MLC_DIALECTS_GRAPH_WINDOWS_H

#include "mlc/dialects/graph_geometry.h"
#include "mlc/ir.h"

typedef struct MlcGraphWindowAttrs {
    MlcAttr kernel, strides, dilations, pads;
    MlcStr auto_pad;
    bool ceil_mode;
    MlcGraphLayout layout;
} MlcGraphWindowAttrs;

// A list of integers, or NULL: none.
size_t mlc_graph_list_size(MlcAttr list);
int64_t mlc_graph_list_at(MlcAttr list, size_t i);

MlcGraphLayout mlc_graph_layout_of(MlcAttr attr);
size_t mlc_graph_first_spatial(MlcGraphLayout layout);

// Fills dimension `i` of the window. False if it depends on an unknown size.
bool mlc_graph_fill_window(const MlcGraphWindowAttrs *attrs, size_t i, int64_t input,
                           int64_t kernel, MlcGraphWindow *w);
// One dimension of a slice: where it starts, and how many elements it takes, `step` apart.
void mlc_graph_cut_dim(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *first,
                       int64_t *count);

// One axis of a slice; the texts, where there are any, stand for the numbers.
typedef struct MlcGraphCut {
    int64_t start, end, step;
    MlcAttr start_text, end_text;
    bool is_within; // places that are texts are within the size, which is checked
} MlcGraphCut;
// Entry `i` of graph.slice; returns the axis.
size_t mlc_graph_slice_cut(MlcOp *op, size_t i, MlcGraphCut *cut);

// Two sizes that must be equal when the model runs.
typedef struct MlcGraphCheck {
    MlcAttr a, b;
} MlcGraphCheck;
// Of a dimension of a size that is known when the model runs: where the slice starts, and how many
// elements it takes. False: no text says it.
bool mlc_graph_cut_size(MlcAttr size, const MlcGraphCut *cut, MlcAttr *first, MlcAttr *count,
                        MlcGraphCheck checks[2]);

#endif

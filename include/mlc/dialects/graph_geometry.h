// graph_geometry.h -- the graph dialect's geometry, for passes and conversions: windows with all
// defaults filled in, axes made positive; slices.
//
// Ownership: nothing is kept; results lie in the caller's structs.
// Threads: as for reading ops (mlc/ir/op.h).
#ifndef MLC_DIALECTS_GRAPH_GEOMETRY_H
#define MLC_DIALECTS_GRAPH_GEOMETRY_H

#include "mlc/dialects/graph.h"
#include "mlc/ir/builder.h"
#include "mlc/ir/op.h"

#include <string.h>

MLC_BEGIN_DECLS

#define MLC_GRAPH_MAX_SPATIAL 8 // spatial dimensions of windows

// The result's type if the operands had these types: what infer_shapes would find. NULL after a
// diagnostic if they contradict, or for an op whose shape is not the graph dialect's to find.
MLC_API MLC_NODISCARD MlcType mlc_graph_result_type(MlcOp *op, const MlcType *operand_types);

// Two sizes (mlc/dialects/graph_sizes.h) that an op's shapes want to be equal, and that are not the
// same text: whether they are is known when the model runs.
typedef void (*MlcSizesDiffer)(MlcAttr a, MlcAttr b, void *user);
// Calls it for each pair of such sizes.
MLC_API void mlc_graph_open_sizes(MlcOp *op, MlcSizesDiffer differ, void *user);

// Of conv, pools, batch_norm: the `layout` attribute.
MLC_API MlcGraphLayout mlc_graph_layout(const MlcOp *op);

// The window of a conv or pool, over `rank` spatial dimensions: sizes in elements, defaults filled
// in, auto_pad resolved.
typedef struct MlcGraphWindow {
    size_t rank;
    int64_t kernel[MLC_GRAPH_MAX_SPATIAL];
    int64_t strides[MLC_GRAPH_MAX_SPATIAL];
    int64_t dilations[MLC_GRAPH_MAX_SPATIAL];
    int64_t pad_begin[MLC_GRAPH_MAX_SPATIAL];
    int64_t pad_end[MLC_GRAPH_MAX_SPATIAL];
} MlcGraphWindow;

// Of graph.conv, graph.max_pool, graph.average_pool. False, without a diagnostic, where sizes that
// it depends on are unknown.
MLC_API MLC_NODISCARD bool mlc_graph_window(MlcOp *op, MlcGraphWindow *window);
// The same. Where auto_pad and steps of more than 1 go over a size that is known when the model
// runs, pads are the most that any size wants.
MLC_API MLC_NODISCARD bool mlc_graph_open_window(MlcOp *op, MlcGraphWindow *window);

// How many elements the mean of graph.average_pool is over, in dimension `i` of the window at
// output position `output`: those of the input, and of the padding where count_include_pad says so.
// The product over dimensions is the divisor.
MLC_API int64_t mlc_graph_window_count(MlcOp *op, const MlcGraphWindow *window, size_t i,
                                       int64_t output);
// Whether the means of graph.average_pool, of known sizes, are all over whole windows; and whether
// there are few enough of them (2^26 places of windows) to keep a divisor for each.
MLC_API bool mlc_graph_window_counts_whole(MlcOp *op, const MlcGraphWindow *window);
MLC_API bool mlc_graph_window_counts_kept(MlcOp *op, const MlcGraphWindow *window);

// The permutation of graph.transpose; the input must be ranked.
MLC_API void mlc_graph_permutation(MlcOp *op, int64_t *perm);

// Where graph.slice reads, per dimension of its ranked input: from starts[rank], steps[rank] apart.
// Dimensions of unknown size must be taken whole.
MLC_API void mlc_graph_slice_bounds(MlcOp *op, int64_t *starts, int64_t *steps);

// The same as sizes (mlc/dialects/graph_sizes.h): `names` has those of the input's dimensions that
// are known when the model runs. NULL: no text says it.
MLC_API void mlc_graph_slice_places(MlcOp *op, MlcAttr names, MlcAttr *starts);

// Makes the graph.slice of `x` that has, along axes[i], the neighbours from starts[i] to before
// ends[i], for each of `count` axes.
MLC_API MlcValue *mlc_graph_build_slice(MlcBuilder *b, MlcValue *x, const int64_t *axes,
                                        const int64_t *starts, const int64_t *ends, size_t count);

// Which axes a reduction removes or keeps as 1: marked[rank]; the input must be ranked.
MLC_API void mlc_graph_reduced_axes(MlcOp *op, bool *marked);

// An axis attribute made positive: of concat, flatten, gather, scatter, softmax, top_k; the (first)
// input must be ranked.
MLC_API int64_t mlc_graph_axis(MlcOp *op);

// Of graph.loop: whether its condition never ends it, and then how many iterations it has, where
// that is known.
MLC_API bool mlc_graph_loop_is_counted(const MlcOp *op);
MLC_API MLC_NODISCARD bool mlc_graph_loop_steps(const MlcOp *op, int64_t *steps);
// Of graph.scan: the type of an element along the first dimension of an input; entry `i` of
// `input_reversed` or `output_reversed`.
MLC_API MlcType mlc_graph_scan_element_type(MlcType type);
MLC_API bool mlc_graph_scan_is_reversed(const MlcOp *op, const char *name, size_t i);

// Roughly how many steps it takes to evaluate an op whose operands and result are of static shapes:
// elements moved, products summed, calls of scalar ops. INT64_MAX if that are more.
MLC_API int64_t mlc_graph_eval_steps(MlcOp *op);

// ---- trees

// Numbers of an elements attribute, where they lie; of a splat all are the first.
typedef struct MlcGraphNumbers {
    const char *data;
    size_t count;
    size_t bytes; // of a number: 4 or 8
    bool is_splat;
} MlcGraphNumbers;

// Number `i` of i32 elements.
static inline int32_t
mlc_graph_numbers_int(const MlcGraphNumbers *numbers, size_t i)
{
    int32_t value;
    memcpy(&value, numbers->data + (numbers->is_splat ? 0 : i) * sizeof value, sizeof value);
    return value;
}

// Number `i` of f32 or f64 elements.
static inline double
mlc_graph_numbers_float(const MlcGraphNumbers *numbers, size_t i)
{
    float narrow;
    double wide;
    const char *at = numbers->data + (numbers->is_splat ? 0 : i) * numbers->bytes;
    if (numbers->bytes == sizeof wide)
        return memcpy(&wide, at, sizeof wide), wide;
    return memcpy(&narrow, at, sizeof narrow), (double)narrow;
}

// Of graph.tree_ensemble: what its attributes hold, which they keep. `width` is how many targets a
// leaf has numbers for.
typedef struct MlcGraphTrees {
    size_t num_nodes, num_leaves, num_trees, width;
    MlcGraphNumbers thresholds, features, left, right, roots, targets, weights;
} MlcGraphTrees;

// The attributes of an op that is valid.
MLC_API void mlc_graph_trees(const MlcOp *op, MlcGraphTrees *trees);
// Nodes of tree `t` end before this one.
MLC_API size_t mlc_graph_trees_end(const MlcGraphTrees *trees, size_t t);

// ---- indices and divisors

// Discardable attributes that `graph-checks` leaves for the lowering: nothing is left to check when
// the model runs; or what to call the op where a check fails.
#define MLC_GRAPH_CHECKED "mlc.checked"
#define MLC_GRAPH_NODE "mlc.node"

// Whether the op has no result for some elements: of the graph dialect, one that takes indices,
// divides, or expects a number.
MLC_API bool mlc_graph_is_partial(MlcOp *op);

// Of the gather and scatter ops: which dimensions of the data are indexed, from `first` on; of
// gather_nd and scatter_nd one by each element of a tuple. 0 for any other op.
MLC_API size_t mlc_graph_indexed_dims(MlcOp *op, size_t *first);

typedef enum MlcGraphRange {
    MLC_GRAPH_RANGE_UNKNOWN, // until the model runs
    MLC_GRAPH_IN_RANGE,
    MLC_GRAPH_OUT_OF_RANGE, // some are not: `value` is the first
} MlcGraphRange;

// What constants say of an op's indices, or divisors if it divides integers.
MLC_API MlcGraphRange mlc_graph_range(MlcOp *op, int64_t *value);

MLC_END_DECLS

#endif

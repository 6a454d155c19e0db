// loc.h -- source locations. A file:line:col that fits is one tagged word and costs no memory.
// Every location is also an attribute (`loc(...)` in attribute position): mlc_loc_attr,
// mlc_attr_as_loc.
//
// Ownership: locations live as long as their context; names are copied.
// Threads: any.
#ifndef MLC_IR_LOC_H
#define MLC_IR_LOC_H

#include "mlc/ir/fwd.h"

MLC_BEGIN_DECLS

typedef enum MlcLocKind {
    MLC_LOC_UNKNOWN,
    MLC_LOC_FILE,     // "file":line:col
    MLC_LOC_NAME,     // "name"(child)
    MLC_LOC_CALLSITE, // callsite(callee at caller)
    MLC_LOC_FUSED,    // fused<metadata>[...]
} MlcLocKind;

// Locations are uniqued, and live as long as the context; names are copied.
MLC_API MlcLoc mlc_loc_unknown(MlcContext *ctx);
MLC_API MlcLoc mlc_loc_file(MlcContext *ctx, MlcStr file, unsigned line, unsigned column);
MLC_API MlcLoc mlc_loc_name(MlcContext *ctx, MlcStr name, MlcLoc child); // child NULL: unknown
// Where a call was inlined: the place in the callee, and that of the call.
MLC_API MlcLoc mlc_loc_callsite(MlcContext *ctx, MlcLoc callee, MlcLoc caller);
// Flattens, and removes duplicates and unknowns, as MLIR's FusedLoc::get does; metadata may be
// NULL.
MLC_API MlcLoc mlc_loc_fused(MlcContext *ctx, const MlcLoc *locs, size_t num_locs,
                             MlcAttr metadata);

// `ctx` is asked for where a tagged location could not name its context.
MLC_API MlcLocKind mlc_loc_kind(MlcLoc loc);
MLC_API MlcStr mlc_loc_file_name(MlcContext *ctx, MlcLoc loc);
MLC_API unsigned mlc_loc_line(MlcLoc loc);
MLC_API unsigned mlc_loc_column(MlcLoc loc);
MLC_API MlcStr mlc_loc_name_str(MlcLoc loc);
MLC_API size_t mlc_loc_num_children(MlcLoc loc); // name: 1, callsite: 2 (callee, caller), fused: n
// Part `i` of a fused location, a call site (callee, caller) or a name.
MLC_API MlcLoc mlc_loc_child(MlcLoc loc, size_t i);
// Of a fused location; NULL if it has none.
MLC_API MlcAttr mlc_loc_metadata(MlcLoc loc);
// The first file location inside, depth first; else NULL.
MLC_API MlcLoc mlc_loc_find_file(MlcLoc loc);

// Calls `visit` for each outermost name, in order: in a model's IR, the nodes.
MLC_API void mlc_loc_visit_names(MlcLoc loc, void (*visit)(MlcStr name, void *user), void *user);

// A location as an attribute, and back.
MLC_API MlcAttr mlc_loc_attr(MlcContext *ctx, MlcLoc loc);
// What mlc_loc_attr was given; `attr` must be of that kind.
MLC_API MlcLoc mlc_attr_as_loc(MlcAttr attr);

MLC_END_DECLS

#endif

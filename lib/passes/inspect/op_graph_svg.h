// op_graph_svg.h -- the drawing behind view-op-graph{format=svg}.
#ifndef MLC_PASSES_OP_GRAPH_SVG_H
#define MLC_PASSES_OP_GRAPH_SVG_H

#include "mlc/ir.h"

typedef struct MlcOpGraphStyle {
    bool data_flow, control_flow, result_types;
    size_t max_label; // characters of types that are shown
} MlcOpGraphStyle;

void mlc_op_graph_svg(MlcOp *root, const MlcOpGraphStyle *style, MlcBuf *out);

#endif

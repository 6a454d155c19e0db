// trees.h -- what the files of the dialect ask of graph.tree_ensemble.
#ifndef MLC_DIALECTS_GRAPH_TREES_H
#define MLC_DIALECTS_GRAPH_TREES_H

#include "mlc/ir/op.h"

// Whether the attributes are trees: false after a diagnostic. Time is linear in their size.
bool mlc_graph_trees_verify(MlcOp *op);
double mlc_graph_trees_steps(MlcOp *op); // of evaluating one element of the result

#endif

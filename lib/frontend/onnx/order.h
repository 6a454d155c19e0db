// order.h -- what nodes are called and read, and in which order they are imported.
//
// ONNX asks for nodes in topological order but not every writer obeys, so they are sorted here,
// keeping the file's order where it is one; a cycle is an error that names its nodes.
#ifndef MLC_FRONTEND_ONNX_ORDER_H
#define MLC_FRONTEND_ONNX_ORDER_H

#include "import.h"

// What a node reads: its inputs, and what its subgraphs take from around them.
typedef struct MlcOnnxNodeUses {
    const MlcStr *names;
    size_t count;
} MlcOnnxNodeUses;

// Nodes of one graph, each behind those that it reads.
typedef struct MlcOnnxOrdered {
    const MlcOnnxNode *const *nodes;
    const MlcOnnxNodeUses *uses; // of nodes[i]
    size_t num_nodes;
} MlcOnnxOrdered;

// Names that nodes which are imported once more take as given, by a Gradient (ops_gradient.c): the
// nodes, the graph that they are of, and the Gradient around it.
typedef struct MlcOnnxCut {
    const MlcOnnxNode *nodes;
    const MlcOnnxOrdered *graph;
    MlcStrMap names;
    const struct MlcOnnxCut *outer;
} MlcOnnxCut;

// False after an error: a name is defined twice, or nodes read each other.
bool mlc_onnx_order_nodes(MlcOnnxImport *im, const MlcOnnxNode *nodes, size_t num_nodes,
                          const MlcStrMap *initializers, MlcOnnxOrdered *ordered);

// Its name; nodes without one go by their first output that is not left out.
MlcStr mlc_onnx_node_name(const MlcOnnxNode *node);
// "node '/conv1/Conv' (Conv)", "node of output 'y' (Conv)"
MlcStr mlc_onnx_describe_node(MlcArena *arena, const MlcOnnxNode *node);
bool mlc_onnx_has_subgraphs(const MlcOnnxNode *node);
// Whether it is a Gradient, which names tensors of its graph.
bool mlc_onnx_is_gradient(const MlcOnnxNode *node);

#endif

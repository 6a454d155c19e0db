// trees.h -- ensembles of trees as models give them, on their way to graph.tree_ensemble.
//
// ops_ml_trees.c reads them from nodes of either form; trees.c makes one kind of comparison of all,
// and the op. Lists lie in the import's arena.
#ifndef MLC_FRONTEND_ONNX_TREES_H
#define MLC_FRONTEND_ONNX_TREES_H

#include "node.h"

typedef enum MlcOnnxTreeMode { // as TreeEnsemble numbers them
    MLC_ONNX_TREE_LEQ,
    MLC_ONNX_TREE_LT,
    MLC_ONNX_TREE_GTE,
    MLC_ONNX_TREE_GT,
    MLC_ONNX_TREE_EQ,
    MLC_ONNX_TREE_NEQ,
    MLC_ONNX_TREE_MEMBER,
    MLC_ONNX_TREE_LEAF, // of the older operators, whose leaves are nodes
} MlcOnnxTreeMode;

// Where a row goes: a node from 0 on, or the leaf ~child.
typedef int64_t MlcOnnxTreeChild;

typedef struct MlcOnnxTreeNode {
    MlcOnnxTreeMode mode;
    bool missing_is_yes; // where NaN goes
    int64_t feature;
    double value;
    const double *members; // of MEMBER
    size_t num_members;
    MlcOnnxTreeChild yes, no;
} MlcOnnxTreeNode;

typedef struct MlcOnnxTreeWeight {
    int64_t leaf, target;
    double value;
} MlcOnnxTreeWeight;

typedef struct MlcOnnxTrees {
    MlcOnnxTreeNode *nodes;
    MlcOnnxTreeChild *roots;
    MlcOnnxTreeWeight *weights;
    size_t num_nodes, num_roots, num_weights, num_leaves;
    bool are_wide; // the weights, f64
    int64_t num_targets;
    MlcGraphAggregate aggregate;
} MlcOnnxTrees;

// f64 [N, num_targets] of rows [N, F] of f32 or f64. NULL after an error: a node that is reached
// twice, or what is out of range.
MlcValue *mlc_onnx_build_trees(MlcOnnxNodeImport *n, const MlcOnnxTrees *trees, MlcValue *rows);

#endif

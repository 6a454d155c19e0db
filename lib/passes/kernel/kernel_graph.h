// kernel_graph.h -- the model function as kernels and the buffers between them, before it has any:
// for passes that decide what lives when.
#ifndef MLC_PASSES_KERNEL_GRAPH_H
#define MLC_PASSES_KERNEL_GRAPH_H

#include "mlc/pass.h"
#include "mlc/support/map.h"

// A value that will have a buffer of its own.
typedef struct MlcKernelBuffer {
    MlcValue *value;
    int64_t bytes;           // aligned; 0: the caller's memory (outputs), or not known
    uint32_t maker;          // node that makes it
    MLC_VEC(uint32_t) users; // nodes that read it, also through views, each once
} MlcKernelBuffer;

typedef struct MlcKernelNode {
    MlcOp *op;
    int64_t made;              // bytes of its results
    MLC_VEC(uint32_t) before;  // nodes whose values it reads, some perhaps twice
    MLC_VEC(uint32_t) after;   // those that read its values, likewise
    MLC_VEC(uint32_t) buffers; // what it makes and reads
} MlcKernelNode;

// All ops of a block but the last one, in order.
typedef struct MlcKernelGraph {
    MlcKernelNode *nodes;
    size_t num_nodes;
    MlcKernelBuffer *buffers;
    size_t num_buffers;
    MlcMap owners; // value -> the buffer it is in, + 1
} MlcKernelGraph;

// A reshape or slice, whose result is in its first operand's buffer.
bool mlc_is_tensor_view(MlcOp *op);
void mlc_kernel_graph_read(MlcKernelGraph *graph, MlcBlock *block, MlcArena *arena);
void mlc_kernel_graph_release(MlcKernelGraph *graph);

#endif

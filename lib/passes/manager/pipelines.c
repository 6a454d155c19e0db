// pipelines.c -- named pipelines: text that a user could write out.
#include "registry.h"

// What differs by machine: how halves are multiplied, and what long products are cut for.
#define GRAPH_PASSES(widen, split)                                                                 \
    "inline{default-pipeline=},"                                                                   \
    "graph-infer-shapes,"                                                                          \
    "graph-widen-to-bytes," widen "graph-integer-products,"                                        \
    "graph-block-products,"                                                                        \
    "canonicalize,"                                                                                \
    "graph-fold-batch-norm,"                                                                       \
    "graph-simplify,"                                                                              \
    "graph-fold-constants,"                                                                        \
    "graph-layout," split "graph-split-extremes,"                                                  \
    "canonicalize,"                                                                                \
    "cse,"                                                                                         \
    "graph-checks,"                                                                                \
    "graph-interpret,"                                                                             \
    "graph-check-lowerable"

const MlcPipelineDef mlc_builtin_pipelines[] = {
    {"cleanup", "Canonicalise, then share common subexpressions", "canonicalize,cse"},
    {"buffer-deallocation-pipeline", "Free every buffer that is allocated, and lower what frees",
     "expand-realloc{emit-deallocs=false},"
     "canonicalize,"
     "ownership-based-buffer-deallocation,"
     "canonicalize,"
     "buffer-deallocation-simplification,"
     "bufferization-lower-deallocations,"
     "cse,"
     "canonicalize"},
    // The levels of docs/architecture.md, each leading to the one it is named for; `mlc compile`
    // runs them all.
    {"graph-pipeline",
     "A model as imported, to graph ops with shapes, folded and laid out for the CPU",
     GRAPH_PASSES("graph-widen-floats,", "graph-split-products,")},
    // Matrix units multiply halves as they are, and no product is cut to fit into caches.
    {"gpu-graph-pipeline", "The same for a GPU",
     GRAPH_PASSES("graph-widen-floats{narrow-products},", "")},
    {"kernels-pipeline", "Graph ops to kernels, equal ones merged", "fuse,outline-kernels"},
    {"cpu-kernels-pipeline", "The same for a CPU, where caches grow in place",
     "graph-grow-caches,kernels-pipeline"},
    {"linalg-pipeline", "Kernels of graph ops to linalg on tensors",
     "graph-operators-to-calls,"
     "graph-to-linalg,"
     "canonicalize,"
     "cse,"
     "kernel-costs,"
     "linalg-batch-loop,"
     "linalg-winograd,"
     "decompose-pad{keep-clippable around},"
     "fuse,"
     "linalg-collapse,"
     "canonicalize,"
     "cse"},
    // Without the algorithms that are chosen by what they cost on a CPU. Kernels that stay there
    // become tiles of vectors at once.
    {"gpu-linalg-pipeline", "Kernels of graph ops to linalg on tensors, for a GPU",
     "gpu-host-kernels,"
     "kernels-at-place{place=host pipeline=\"graph-widen-floats,linalg-pipeline,vector-pipeline\"},"
     "kernels-at-place{place=device pipeline=\"gpu-kernels-linalg-pipeline\"}"},
    {"gpu-kernels-linalg-pipeline", "The same of those that run there",
     "graph-to-linalg,"
     "canonicalize,"
     "cse,"
     "kernel-costs,"
     "decompose-pad{keep-clippable},"
     "fuse,"
     "linalg-collapse,"
     "linalg-compute-masks,"
     "canonicalize,"
     "cse,"
     "linalg-dot-products{whole}"},
    {"vector-pipeline", "Kernels on tensors to tiles of vectors",
     "linalg-narrow-weights,"
     "linalg-dot-products,"
     "tile{rows},"
     "linalg-strassen,"
     "linalg-block,"
     "tile,"
     "canonicalize,"
     "cse,"
     "linalg-pack,"
     "linalg-vectorize,"
     "canonicalize,"
     "cse"},
    {"memref-pipeline", "Tensors to buffers",
     "order-kernels,recompute-kernels,kernel-constants,bufferize,canonicalize,cse"},
    {"cpu-loops-pipeline", "Kernels on buffers to affine loops, the outermost parallel",
     "lower-vector-transfers,"
     "convert-linalg-to-affine-loops,"
     "bound-buffers,"
     "raise-scf-to-affine,"
     "kernel-in-place,"
     "coalesce-copies,"
     "affine-parallelize{by-cost},"
     "canonicalize,"
     "cse,"
     "affine-prefetch"},
    {"affine-pipeline", "The same, and all buffers in one arena",
     "cpu-loops-pipeline,"
     "kernel-sizes,"
     "kernel-scratch,"
     "buffer-loop-hoisting,"
     "plan-memory"},
    {"scf-pipeline", "Affine loops to scf on plain loads and stores",
     "lower-affine,"
     "scf-alternate-parallel-loops,"
     "round-bounded,"
     "math-approximate{instructions},"
     "expand-narrow-floats,"
     "vector-to-amx,"
     "vector-dot-products,"
     "lower-vector-dims,"
     "canonicalize,"
     "cse"},
    {"llvm-pipeline", "Loops to the llvm dialect, with the entry point that the runtime calls",
     "parallel-to-runtime,"
     "gpu-to-runtime,"
     "buffer-loop-hoisting,"
     "ownership-based-buffer-deallocation{only-where-needed},"
     "buffer-deallocation-simplification,"
     "bufferization-lower-deallocations{inline},"
     "amx-registers,"
     "convert-scf-to-cf,"
     "arith-expand{only-divisions},"
     "sizes-to-runtime,assert-to-runtime,text-to-runtime,operators-to-runtime,"
     "convert-to-llvm{bare-pointers},"
     "llvm-narrow-floats-as-ints,"
     "canonicalize,"
     "cse,"
     "model-abi"},
    {"cpu-pipeline", "A model as imported, to the llvm dialect for a CPU",
     "graph-pipeline,"
     "cpu-kernels-pipeline,"
     "linalg-pipeline,"
     "vector-pipeline,"
     "memref-pipeline,"
     "affine-pipeline,"
     "scf-pipeline,"
     "llvm-pipeline"},
    // Functions by themselves, of any dialect below graph: for mlc run -e, which frees in between
    // what the program does not free itself (buffer-deallocation-pipeline).
    {"function-memref-pipeline", "Functions on tensors to buffers",
     "convert-elementwise-to-linalg,"
     "one-shot-bufferize{bufferize-function-boundaries},"
     "canonicalize"},
    {"function-llvm-pipeline", "Functions on buffers to the llvm dialect, with descriptors",
     "convert-linalg-to-loops,"
     "convert-vector-to-scf,"
     "scf-forall-to-for,"
     "expand-realloc,"
     "expand-strided-metadata,"
     "lower-affine,"
     "arith-expand,"
     "memref-expand,"
     "convert-complex-to-standard,"
     "math-approximate,"
     "expand-narrow-floats,"
     "lower-vector-transfers,"
     "lower-vector-dims,"
     "convert-math-to-libm,"
     "convert-scf-to-cf,"
     "canonicalize,"
     "convert-to-llvm,"
     "llvm-narrow-floats-as-ints,"
     "canonicalize,"
     "cse"},
    // The same kernels for a GPU: those with a schedule by it, others a thread an iteration.
    {"gpu-launch-pipeline",
     "Kernels of linalg on tensors to GPU modules, each launched by its function",
     "gpu-host-kernels,"
     "decompose-pad,"
     "memref-pipeline,"
     "kernels-at-place{place=host pipeline=\"cpu-loops-pipeline\"},"
     "kernels-at-place{place=device pipeline=\"gpu-loops-pipeline\"},"
     "kernel-sizes,"
     "canonicalize,"
     "gpu-place-kernels,"
     "convert-parallel-loops-to-gpu,"
     "gpu-fault-words,"
     "gpu-device-memory,"
     "gpu-kernel-outlining{for-runtime},"
     "canonicalize,"
     "cse,"
     "gpu-check-host-access"},
    {"gpu-loops-pipeline", "Kernels of linalg on buffers to launches and parallel loops",
     "gpu-schedule,"
     "convert-linalg-to-gpu,"
     "convert-linalg-to-affine-loops,"
     "affine-parallelize,"
     "canonicalize,"
     "lower-affine,"
     "math-approximate,"
     "canonicalize,"
     "cse,"
     "scf-parallel-loop-fusion,"
     "canonicalize,"
     "cse,"
     "scf-carry-memory"},
    {"gpu-memory-pipeline", "All buffers of models with kernels for a device in one plan",
     "kernel-scratch,"
     "plan-memory,"
     "gpu-streams"},
    {"nvvm-pipeline", "GPU modules to nvvm; the functions that launch them stay",
     "gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm{bare-pointers},"
     "convert-nvvm-to-llvm{keep-intrinsics}),"
     "canonicalize,"
     "cse"},
    {"gpu-pipeline", "A model as imported, to nvvm kernels: for mlc-translate --export-ptx",
     "gpu-graph-pipeline,"
     "kernels-pipeline,"
     "gpu-linalg-pipeline,"
     "gpu-launch-pipeline,"
     "nvvm-pipeline"},
};
const size_t mlc_num_builtin_pipelines =
    sizeof mlc_builtin_pipelines / sizeof *mlc_builtin_pipelines;

// RUN: mlc-opt %s --fuse | FileCheck %s --check-prefix=KERNEL
// RUN: mlc-opt %s --fuse --outline-kernels --graph-to-linalg --fuse --tile --target=x86-64-v4 | FileCheck %s --check-prefix=TILES
// A matrix product and its relu are one kernel, and one loop nest.
// KERNEL-LABEL: func.func @linear_relu
// KERNEL-COUNT-1: graph.kernel
// KERNEL-NOT: graph.kernel
// KERNEL: graph.relu
// TILES: func.func private @kernel_0
// TILES: scf.for
// TILES: linalg.matmul
// TILES: tensor.insert_slice
func.func @linear_relu(%x: tensor<1x3072xf32>, %w: tensor<3072x400xf32>) -> tensor<1x400xf32> {
  %product = graph.matmul %x, %w : (tensor<1x3072xf32>, tensor<3072x400xf32>) -> tensor<1x400xf32>
  %relu = graph.relu %product : (tensor<1x400xf32>) -> tensor<1x400xf32>
  return %relu : tensor<1x400xf32>
}

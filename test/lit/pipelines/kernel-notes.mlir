// RUN: mlc-opt %s --fuse --outline-kernels | FileCheck %s --check-prefix=KERNELS
// RUN: mlc-opt %s --kernels-pipeline --linalg-pipeline --vector-pipeline --memref-pipeline --affine-pipeline --target=x86-64-v4 | FileCheck %s --check-prefix=AFFINE
// What was decided about a kernel, and why, stays with its function; a note begins with its node's name where there are several.
// KERNELS: func.func private @kernel_0
// KERNELS-SAME: mlc.notes = ["layout nhwc"]
// KERNELS: func.func private @kernel_1
// KERNELS-SAME: mlc.notes = ["not fused: producer has several uses"]
// AFFINE: func.func private @kernel_0
// AFFINE-SAME: mlc.notes = ["layout nhwc", "conv: stays a convolution: not all callers pass a constant filter", "relu: tiles of 1x6x64 in 56x56x64",
// AFFINE-SAME: "conv: 57 iterations shared out, 17 at a time"
func.func @main(%x: tensor<1x56x56x64xf32>, %w: tensor<3x3x64x64xf32>) -> (tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) {
  %c = graph.conv %x, %w {layout = #graph.layout<nhwc>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> loc("conv")
  %r = graph.relu %c : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> loc("relu")
  %t = graph.tanh %r : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> loc("tanh")
  return %r, %t : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>
}

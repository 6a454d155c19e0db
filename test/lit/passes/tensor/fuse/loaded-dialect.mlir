// RUN: mlc-opt %s --load-dialect=%S/Inputs/toy.yaml --graph-layout --fuse | FileCheck %s
// RUN: mlc-opt %s --load-dialect=%S/Inputs/toy.yaml --graph-layout --fuse --outline-kernels --graph-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: mlc-opt %s --load-dialect=%S/Inputs/toy.yaml --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --load-dialect=%S/Inputs/toy.yaml --graph-layout --fuse --outline-kernels --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// An op from YAML joins the convolution like a built-in one, takes its layout, and lowers by its body.
// CHECK-LABEL: func.func @f
// CHECK: graph.kernel
// CHECK: %[[Y:.*]] = graph.conv
// CHECK-NEXT: %[[Z:.*]] = toy.squash %[[Y]] {gain = 2.000000e+00 : f32} : tensor<1x4x4x2xf32>
// CHECK-NEXT: graph.yield %[[Z]]
// LINALG: linalg.conv_2d_nhwc_hwcf
// LINALG: math.absf
// LINALG: arith.divf
func.func @f(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %y = graph.conv %x, %w : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %z = toy.squash %y {gain = 2.0 : f32} : tensor<1x2x4x4xf32>
  return %z : tensor<1x2x4x4xf32>
}

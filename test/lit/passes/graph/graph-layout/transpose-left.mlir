// RUN: mlc-opt %s --graph-layout --verify-diagnostics | FileCheck %s
// A convolution computes in NHWC: the transposes of its input, its filter and what is returned are told.
// CHECK: graph.transpose %arg0
// CHECK: graph.conv
// CHECK: graph.transpose
func.func @f(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32> {
  // expected-remark @+3 {{a transpose is left: its input and its users want different layouts}}
  // expected-remark @+2 {{a transpose is left: its input and its users want different layouts}}
  // expected-remark @+1 {{a transpose is left: its input and its users want different layouts}}
  %0 = graph.conv %x, %w : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

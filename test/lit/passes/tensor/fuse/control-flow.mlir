// RUN: mlc-opt %s --fuse | FileCheck %s
// RUN: mlc-opt %s --fuse --outline-kernels --graph-to-linalg --fuse | FileCheck %s --check-prefix=MERGED
// An op with regions is a kernel by itself; what they read from outside are its arguments, weights too.
// CHECK-LABEL: func.func @main
// CHECK: %[[W:.*]] = graph.constant dense<5.000000e-01> : tensor<4x4xf32>
// CHECK: graph.kernel ins(%arg0, %arg1, %[[W]] : tensor<2x4xf32>, tensor<3x2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK: graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK: graph.scan
// CHECK: graph.kernel
// CHECK: graph.relu
// MERGED-LABEL: func.func private @kernel_0
// MERGED: scf.for
// MERGED: linalg.matmul
// MERGED: linalg.generic
// MERGED: math.tanh
// MERGED-NEXT: arith.mulf
func.func @main(%h: tensor<2x4xf32>, %x: tensor<3x2x4xf32>) -> tensor<2x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %0 = graph.scan %h : tensor<2x4xf32> over %x : tensor<3x2x4xf32> -> tensor<2x4xf32> {
  ^bb0(%s: tensor<2x4xf32>, %e: tensor<2x4xf32>):
    %w = graph.constant dense<0.5> : tensor<4x4xf32>
    %p = graph.gemm %s, %w, %e : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %t = graph.tanh %p : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %m = graph.mul %t, %two : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    graph.yield %m : tensor<2x4xf32>
  }
  %1 = graph.relu %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

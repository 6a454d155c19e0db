// RUN: mlc-opt %s --graph-fold-batch-norm | FileCheck %s
// Without a convolution of its own before it: x * s + t, per channel.
// CHECK-LABEL: func.func @f
func.func @f(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %scale = graph.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %bias = graph.constant dense<[0.5, 0.0]> : tensor<2xf32>
  %mean = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %variance = graph.constant dense<[4.0, 16.0]> : tensor<2xf32>
  // CHECK: graph.constant dense<1.000000e+00> : tensor<2x1x1xf32>
  // CHECK: graph.constant {{.*}} : tensor<2x1x1xf32>
  // CHECK: graph.mul
  // CHECK: graph.add
  %0 = graph.batch_norm %x, %scale, %bias, %mean, %variance {epsilon = 0.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

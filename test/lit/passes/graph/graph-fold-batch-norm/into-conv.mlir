// RUN: mlc-opt %s --graph-fold-batch-norm | FileCheck %s
// w' = w * scale / sqrt(variance + epsilon), b' = bias - mean * that.
// CHECK-LABEL: func.func @f
func.func @f(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = graph.constant dense<[[[[1.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %scale = graph.constant dense<[4.0, 8.0]> : tensor<2xf32>
  %bias = graph.constant dense<[0.5, 0.0]> : tensor<2xf32>
  %mean = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %variance = graph.constant dense<[4.0, 16.0]> : tensor<2xf32>
  // CHECK-DAG: %[[W:.*]] = graph.constant dense<{{.*2.000000e\+00.*6.000000e\+00.*}}> : tensor<2x1x1x1xf32>
  // CHECK-DAG: %[[B:.*]] = graph.constant dense<[-1.500000e+00, -4.000000e+00]> : tensor<2xf32>
  // CHECK: graph.conv %{{.*}}, %[[W]], %[[B]]
  // CHECK-NOT: graph.batch_norm
  %0 = graph.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.batch_norm %0, %scale, %bias, %mean, %variance {epsilon = 0.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

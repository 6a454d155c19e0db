// RUN: mlc-opt %s --graph-fold-constants | FileCheck %s
// What depends on constants alone is computed when compiling, by the ops' own meanings.
// CHECK-LABEL: func.func @f
func.func @f() -> tensor<2x3xf32> {
  // CHECK: %[[C:.*]] = graph.constant dense<{{.*}}[2.000000e+00, 1.000000e+00, 1.000000e+00], [4.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<2x3xf32>
  // CHECK: return %[[C]]
  %a = graph.constant dense<[[1.0, -2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %b = graph.constant dense<[[1.0, 1.0, -1.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.relu %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.add %1, %one : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

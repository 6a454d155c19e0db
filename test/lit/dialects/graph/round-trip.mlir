// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt | FileCheck %s
// CHECK-LABEL: func.func @f
func.func @f(%x: tensor<?x3x8x8xf32, #graph.dims<["N", "", "", ""]>>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<*xf32> {
  // CHECK: graph.conv %{{.*}}, %{{.*}}, %{{.*}} {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x3x8x8xf32, #graph.dims<["N", "", "", ""]>>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<*xf32>
  %0 = graph.conv %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x3x8x8xf32, #graph.dims<["N", "", "", ""]>>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<*xf32>
  // CHECK: graph.kernel ins(%{{.*}} : tensor<*xf32>) -> tensor<*xf32> {
  // CHECK: ^bb0(%[[A:.*]]: tensor<*xf32>):
  %1 = graph.kernel ins(%0 : tensor<*xf32>) -> tensor<*xf32> {
  ^bb0(%a: tensor<*xf32>):
    // CHECK: %[[R:.*]] = graph.clip %[[A]] {high = 6.000000e+00 : f32, low = 0.000000e+00 : f32} : (tensor<*xf32>) -> tensor<*xf32>
    %r = graph.clip %a {high = 6.0 : f32, low = 0.0 : f32} : (tensor<*xf32>) -> tensor<*xf32>
    // CHECK: graph.yield %[[R]] : tensor<*xf32>
    graph.yield %r : tensor<*xf32>
  }
  // CHECK: graph.constant dense<1.000000e+00> : tensor<4xf32>
  %c = graph.constant dense<1.0> : tensor<4xf32>
  // CHECK: graph.concat %{{.*}}, %{{.*}} {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %2 = graph.concat %c, %c {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<*xf32>
}

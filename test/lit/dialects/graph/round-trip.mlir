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
// CHECK-LABEL: func.func @indexed
func.func @indexed(%x: tensor<4x6xf32>, %i: tensor<4x2xi64>) -> (tensor<4x2x6xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<2x3xf32>, tensor<4x6xi1>) {
  // CHECK: graph.gather %{{.*}}, %{{.*}} : (tensor<4x6xf32>, tensor<4x2xi64>) -> tensor<4x2x6xf32>
  %0 = graph.gather %x, %i {axis = 0 : i64} : (tensor<4x6xf32>, tensor<4x2xi64>) -> tensor<4x2x6xf32>
  // CHECK: graph.gather_nd
  %1 = graph.gather_nd %x, %i : (tensor<4x6xf32>, tensor<4x2xi64>) -> tensor<4xf32>
  // CHECK: graph.gather_elements %{{.*}}, %{{.*}} {axis = 1 : i64}
  %2 = graph.gather_elements %x, %i {axis = 1 : i64} : (tensor<4x6xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  // CHECK: graph.slice %{{.*}} {axes = array<i64: 1, 0>, ends = array<i64: 6, 3>, starts = array<i64: 0, 1>, steps = array<i64: 2, 1>}
  %3 = graph.slice %x {starts = array<i64: 0, 1>, ends = array<i64: 6, 3>, axes = array<i64: 1, 0>, steps = array<i64: 2, 1>} : (tensor<4x6xf32>) -> tensor<2x3xf32>
  // CHECK: graph.is_nan
  %4 = graph.is_nan %x : (tensor<4x6xf32>) -> tensor<4x6xi1>
  return %0, %1, %2, %3, %4 : tensor<4x2x6xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<2x3xf32>, tensor<4x6xi1>
}
// CHECK-LABEL: func.func @quantized
func.func @quantized(%x: tensor<4x6xf32>, %z: tensor<f32>, %i: tensor<1x2x4x4xi32>, %f: tensor<3x2x3x3xi32>) -> (tensor<4x6xui8>, tensor<1x3x2x2xi32>) {
  // CHECK: graph.quantize %{{.*}}, %{{.*}} {high = 1.000000e+02 : f32} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xui8>
  %0 = graph.quantize %x, %z {high = 100.0 : f32} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xui8>
  // CHECK: graph.conv %{{.*}}, %{{.*}} : (tensor<1x2x4x4xi32>, tensor<3x2x3x3xi32>) -> tensor<1x3x2x2xi32>
  %1 = graph.conv %i, %f : (tensor<1x2x4x4xi32>, tensor<3x2x3x3xi32>) -> tensor<1x3x2x2xi32>
  return %0, %1 : tensor<4x6xui8>, tensor<1x3x2x2xi32>
}
// CHECK-LABEL: func.func @selected
func.func @selected(%x: tensor<4x6xf32>, %i: tensor<4x2xi64>, %u: tensor<4x2xf32>, %v: tensor<4xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x6xi64>) {
  // CHECK: graph.scatter_elements %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64, reduction = #graph.scatter<mul>} : (tensor<4x6xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x6xf32>
  %0 = graph.scatter_elements %x, %i, %u {axis = 1 : i64, reduction = #graph.scatter<mul>} : (tensor<4x6xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x6xf32>
  // CHECK: graph.scatter_nd %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x6xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<4x6xf32>
  %1 = graph.scatter_nd %x, %i, %v : (tensor<4x6xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<4x6xf32>
  // CHECK: graph.top_k %{{.*}} {axis = 0 : i64, k = 3 : i64, largest = false} : (tensor<4x6xf32>) -> tensor<3x6xi64>
  %2 = graph.top_k %x {axis = 0 : i64, k = 3 : i64, largest = false} : (tensor<4x6xf32>) -> tensor<3x6xi64>
  return %0, %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x6xi64>
}
// CHECK-LABEL: func.func @ordered
func.func @ordered(%x: tensor<4x6xf32>, %c: tensor<9xi1>, %b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %n: tensor<i64>, %o: tensor<f32>) -> (tensor<4x6xi64>, tensor<9xi64>, tensor<4x6xf32>, tensor<10x3xi64>) {
  // CHECK: graph.argsort %{{.*}} {descending = true} : (tensor<4x6xf32>) -> tensor<4x6xi64>
  %0 = graph.argsort %x {descending = true} : (tensor<4x6xf32>) -> tensor<4x6xi64>
  // CHECK: graph.true_places %{{.*}} : (tensor<9xi1>) -> tensor<9xi64>
  %1 = graph.true_places %c : (tensor<9xi1>) -> tensor<9xi64>
  // CHECK: graph.running_sum %{{.*}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = graph.running_sum %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: graph.non_max_suppression %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {is_centered = true, most = 5 : i64}
  %3 = graph.non_max_suppression %b, %s, %n, %o, %o {most = 5 : i64, is_centered = true} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<10x3xi64>
  return %0, %1, %2, %3 : tensor<4x6xi64>, tensor<9xi64>, tensor<4x6xf32>, tensor<10x3xi64>
}
// CHECK-LABEL: func.func @grows
func.func @grows(%x: tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["room", ""]>> {
  // CHECK: graph.grow %{{.*}} {axis = 0 : i64, sizes = ["room", ""], start_sizes = ["past"]} : (tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["room", ""]>>
  %0 = graph.grow %x {axis = 0 : i64, sizes = ["room", ""], start_sizes = ["past"]} : (tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["room", ""]>>
  return %0 : tensor<?x8xf32, #graph.dims<["room", ""]>>
}

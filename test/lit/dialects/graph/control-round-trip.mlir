// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt | FileCheck %s
// CHECK-LABEL: func.func @f
func.func @f(%c: tensor<i1>, %n: tensor<1xi64>, %x: tensor<3xf32>, %s: tensor<5x3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  // CHECK: graph.if %{{.*}} : tensor<i1> -> tensor<3xf32> {
  %0 = graph.if %c : tensor<i1> -> tensor<3xf32> {
    // CHECK: graph.yield %{{.*}} : tensor<3xf32>
    graph.yield %x : tensor<3xf32>
  // CHECK: } else {
  } else {
    %r = graph.relu %x : (tensor<3xf32>) -> tensor<3xf32>
    graph.yield %r : tensor<3xf32>
  }
  // CHECK: graph.loop %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1xi64>, tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  // CHECK: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<3xf32>):
  %1:2 = graph.loop %n, %c, %0 : (tensor<1xi64>, tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<3xf32>):
    graph.yield %go, %v, %v : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  // CHECK: graph.scan %{{.*}} : tensor<3xf32> over %{{.*}} : tensor<5x3xf32> -> tensor<3xf32> attributes {input_reversed = array<i64: 1>} {
  %2 = graph.scan %1#0 : tensor<3xf32> over %s : tensor<5x3xf32> -> tensor<3xf32> attributes {input_reversed = array<i64: 1>} {
  ^bb0(%v: tensor<3xf32>, %e: tensor<3xf32>):
    %a = graph.add %v, %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    graph.yield %a : tensor<3xf32>
  }
  // CHECK: graph.scan over %{{.*}}, %{{.*}} : tensor<5x3xf32>, tensor<5x3xf32> -> tensor<5xf32> {
  %3 = graph.scan over %s, %s : tensor<5x3xf32>, tensor<5x3xf32> -> tensor<5xf32> {
  ^bb0(%e: tensor<3xf32>, %g: tensor<3xf32>):
    %m = graph.reduce_max %e {keepdims = false} : (tensor<3xf32>) -> tensor<f32>
    graph.yield %m : tensor<f32>
  }
  return %2, %1#1 : tensor<3xf32>, tensor<?x3xf32>
}

// RUN: mlc-opt %s --graph-widen-floats | FileCheck %s
// A branch is computed on f32 as well; what it reads from outside may be f32 already.
// CHECK-LABEL: func.func @f
// CHECK: %[[S:.*]] = graph.add %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: graph.if %{{.*}} : tensor<i1> -> tensor<3xf16> {
// CHECK: %[[E:.*]] = graph.exp %[[S]] : (tensor<3xf32>) -> tensor<3xf32>
// CHECK: %[[N:.*]] = graph.cast %[[E]] : (tensor<3xf32>) -> tensor<3xf16>
// CHECK: graph.yield %[[N]] : tensor<3xf16>
// CHECK: else
// CHECK: %[[M:.*]] = graph.cast %[[S]] : (tensor<3xf32>) -> tensor<3xf16>
// CHECK: graph.yield %[[M]] : tensor<3xf16>
func.func @f(%c: tensor<i1>, %x: tensor<3xf16>) -> tensor<3xf16> {
  %s = graph.add %x, %x : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %0 = graph.if %c : tensor<i1> -> tensor<3xf16> {
    %e = graph.exp %s : (tensor<3xf16>) -> tensor<3xf16>
    graph.yield %e : tensor<3xf16>
  } else {
    graph.yield %s : tensor<3xf16>
  }
  return %0 : tensor<3xf16>
}

// RUN: mlc-opt %s --graph-widen-to-bytes | FileCheck %s
// Branches hand bytes on.
// CHECK-LABEL: func.func @f
// CHECK: graph.if %{{.*}} : tensor<i1> -> tensor<3xui8> {
// CHECK: graph.yield %{{.*}} : tensor<3xui8>
// CHECK: graph.yield %{{.*}} : tensor<3xui8>
func.func @f(%c: tensor<i1>, %x: tensor<3xf4E2M1FN>, %y: tensor<3xf4E2M1FN>) -> tensor<3xf4E2M1FN> {
  %0 = graph.if %c : tensor<i1> -> tensor<3xf4E2M1FN> {
    graph.yield %x : tensor<3xf4E2M1FN>
  } else {
    graph.yield %y : tensor<3xf4E2M1FN>
  }
  return %0 : tensor<3xf4E2M1FN>
}

// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// One reshape says it all; back to the first shape it says nothing.
// CHECK-LABEL: func.func @merged
// CHECK: %[[Y:.*]] = graph.reshape %{{.*}} : (tensor<2x3x4xf32>) -> tensor<24xf32>
// CHECK-NEXT: return %[[Y]]
func.func @merged(%x: tensor<2x3x4xf32>) -> tensor<24xf32> {
  %0 = graph.flatten %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %1 = graph.reshape %0 {shape = array<i64: -1>} : (tensor<2x12xf32>) -> tensor<24xf32>
  return %1 : tensor<24xf32>
}
// CHECK-LABEL: func.func @gone
// CHECK-NEXT: return %{{.*}} : tensor<2x3x4xf32>
func.func @gone(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = graph.reshape %x {shape = array<i64: 24>} : (tensor<2x3x4xf32>) -> tensor<24xf32>
  %1 = graph.reshape %0 {shape = array<i64: 2, 3, 4>} : (tensor<24xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

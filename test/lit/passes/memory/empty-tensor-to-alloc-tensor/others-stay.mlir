// RUN: mlc-opt %s --empty-tensor-to-alloc-tensor | FileCheck %s
// Tensors with elements are no room to be filled.
// CHECK-NOT: alloc_tensor
// CHECK: tensor.splat
// CHECK: arith.constant dense
// CHECK-NOT: alloc_tensor
func.func @f(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.splat %x : tensor<4xf32>
  %1 = arith.constant dense<1.0> : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// RUN: mlc-opt %s --convert-linalg-to-loops --log-actions-to=%t.log | FileCheck %s
// RUN: mlc-opt %s --convert-linalg-to-parallel-loops | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// Loops write buffers; an op on tensors stays until there are any.
// CHECK-NOT: scf.
// CHECK: linalg.exp
// CHECK-NOT: scf.
// LOG: on 'linalg.exp': works on tensors, or has no scalar body
func.func @f(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: mlc-opt %s --order-kernels | FileCheck %s
// Without a limit nothing moves.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @grow
// CHECK-NEXT: call @grow
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = call @grow(%x) : (tensor<4xf32>) -> tensor<4096xf32>
  %b = call @grow(%x) : (tensor<4xf32>) -> tensor<4096xf32>
  %c = call @shrink(%a) : (tensor<4096xf32>) -> tensor<4xf32>
  %d = call @shrink(%b) : (tensor<4096xf32>) -> tensor<4xf32>
  return %c, %d : tensor<4xf32>, tensor<4xf32>
}
func.func private @grow(tensor<4xf32>) -> tensor<4096xf32>
func.func private @shrink(tensor<4096xf32>) -> tensor<4xf32>

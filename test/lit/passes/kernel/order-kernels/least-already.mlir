// RUN: mlc-opt %s --order-kernels | FileCheck %s
// An order that needs least stays as it is.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @grow
// CHECK-NEXT: call @shrink
// CHECK-NEXT: call @grow
// CHECK-NEXT: call @shrink
// CHECK-NEXT: call @add
module attributes {mlc.max_arena = 1 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = call @grow(%x) : (tensor<4xf32>) -> tensor<4096xf32>
    %c = call @shrink(%a) : (tensor<4096xf32>) -> tensor<4xf32>
    %b = call @grow(%x) : (tensor<4xf32>) -> tensor<4096xf32>
    %d = call @shrink(%b) : (tensor<4096xf32>) -> tensor<4xf32>
    %e = call @add(%c, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %e : tensor<4xf32>
  }
  func.func private @grow(tensor<4xf32>) -> tensor<4096xf32>
  func.func private @shrink(tensor<4096xf32>) -> tensor<4xf32>
  func.func private @add(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
}

// RUN: mlc-opt %s --order-kernels | FileCheck %s
// Of two branches that both grow, one is finished before the other begins; a view goes with what it shows.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @grow
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: call @shrink
// CHECK-NEXT: call @grow
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: call @shrink
// CHECK-NEXT: call @add
// CHECK-NEXT: return
module attributes {mlc.max_arena = 1 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = call @grow(%x) : (tensor<4xf32>) -> tensor<64x64xf32>
    %b = call @grow(%x) : (tensor<4xf32>) -> tensor<64x64xf32>
    %av = tensor.collapse_shape %a [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
    %bv = tensor.collapse_shape %b [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
    %c = call @shrink(%av) : (tensor<4096xf32>) -> tensor<4xf32>
    %d = call @shrink(%bv) : (tensor<4096xf32>) -> tensor<4xf32>
    %e = call @add(%c, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %e : tensor<4xf32>
  }
  func.func private @grow(tensor<4xf32>) -> tensor<64x64xf32>
  func.func private @shrink(tensor<4096xf32>) -> tensor<4xf32>
  func.func private @add(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
}

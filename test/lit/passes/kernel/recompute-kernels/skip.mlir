// RUN: mlc-opt %s --recompute-kernels | FileCheck %s
// What is read in the beginning and at the end is made twice, from what is small; a view goes with what it shows.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.+]] = call @grow(%arg0)
// CHECK-NEXT: %[[V:.+]] = tensor.collapse_shape %[[A]]
// CHECK-NEXT: %[[B:.+]] = call @shrink(%[[V]])
// CHECK-NEXT: %[[C:.+]] = call @grow(%[[B]])
// CHECK-NEXT: %[[W:.+]] = tensor.collapse_shape %[[C]]
// CHECK-NEXT: %[[D:.+]] = call @shrink(%[[W]])
// CHECK-NEXT: %[[AGAIN:.+]] = call @grow(%arg0)
// CHECK-NEXT: %[[E:.+]] = tensor.collapse_shape %[[AGAIN]]
// CHECK-NEXT: %[[F:.+]] = call @add(%[[E]], %[[D]])
// CHECK-NEXT: return %[[F]]
module attributes {mlc.max_arena = 20000 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = call @grow(%x) : (tensor<4xf32>) -> tensor<64x64xf32>
    %av = tensor.collapse_shape %a [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
    %b = call @shrink(%av) : (tensor<4096xf32>) -> tensor<4xf32>
    %c = call @grow(%b) : (tensor<4xf32>) -> tensor<64x64xf32>
    %cv = tensor.collapse_shape %c [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
    %d = call @shrink(%cv) : (tensor<4096xf32>) -> tensor<4xf32>
    %e = call @add(%av, %d) : (tensor<4096xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %e : tensor<4xf32>
  }
  func.func private @grow(%x: tensor<4xf32>) -> tensor<64x64xf32> {
    %i = arith.constant 0 : index
    %f = tensor.extract %x[%i] : tensor<4xf32>
    %e = tensor.splat %f : tensor<64x64xf32>
    return %e : tensor<64x64xf32>
  }
  func.func private @shrink(%x: tensor<4096xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %x[0] [4] [1] : tensor<4096xf32> to tensor<4xf32>
    return %s : tensor<4xf32>
  }
  func.func private @add(%x: tensor<4096xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    return %y : tensor<4xf32>
  }
}

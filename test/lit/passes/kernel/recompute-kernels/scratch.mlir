// RUN: mlc-opt %s --recompute-kernels | FileCheck %s
// What a kernel needs for itself lives at its call: the peak is there, though it reads and makes little.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.+]] = call @grow(%arg0)
// CHECK-NEXT: %[[B:.+]] = call @shrink(%[[A]])
// CHECK-NEXT: %[[C:.+]] = call @wide(%[[B]])
// CHECK-NEXT: %[[AGAIN:.+]] = call @grow(%arg0)
// CHECK-NEXT: %[[D:.+]] = call @add(%[[AGAIN]], %[[C]])
// CHECK-NEXT: return %[[D]]
module attributes {mlc.max_arena = 20000 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = call @grow(%x) : (tensor<4xf32>) -> tensor<4096xf32>
    %b = call @shrink(%a) : (tensor<4096xf32>) -> tensor<4xf32>
    %c = call @wide(%b) : (tensor<4xf32>) -> tensor<4xf32>
    %d = call @add(%a, %c) : (tensor<4096xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %d : tensor<4xf32>
  }
  func.func private @grow(%x: tensor<4xf32>) -> tensor<4096xf32> {
    %i = arith.constant 0 : index
    %f = tensor.extract %x[%i] : tensor<4xf32>
    %e = tensor.splat %f : tensor<4096xf32>
    return %e : tensor<4096xf32>
  }
  func.func private @shrink(%x: tensor<4096xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %x[0] [4] [1] : tensor<4096xf32> to tensor<4xf32>
    return %s : tensor<4xf32>
  }
  func.func private @wide(%x: tensor<4xf32>) -> tensor<4xf32> {
    %i = arith.constant 1 : index
    %f = tensor.extract %x[%i] : tensor<4xf32>
    %e = tensor.splat %f : tensor<4096xf32>
    %s = tensor.extract_slice %e[8] [4] [1] : tensor<4096xf32> to tensor<4xf32>
    return %s : tensor<4xf32>
  }
  func.func private @add(%x: tensor<4096xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    return %y : tensor<4xf32>
  }
}

// RUN: mlc-opt %s --recompute-kernels | FileCheck %s
// What makes it is made again, too, where that is large and nobody keeps it.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.+]] = call @grow(%arg0)
// CHECK-NEXT: %[[B:.+]] = call @flip(%[[A]])
// CHECK-NEXT: %[[C:.+]] = call @shrink(%[[B]])
// CHECK-NEXT: %[[D:.+]] = call @wide(%[[C]])
// CHECK-NEXT: %[[E:.+]] = call @narrow(%[[D]])
// CHECK-NEXT: %[[AGAIN:.+]] = call @grow(%arg0)
// CHECK-NEXT: %[[F:.+]] = call @flip(%[[AGAIN]])
// CHECK-NEXT: %[[G:.+]] = call @add(%[[F]], %[[E]])
// CHECK-NEXT: return %[[G]]
module attributes {mlc.max_arena = 70000 : i64} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = call @grow(%x) : (tensor<4xf32>) -> tensor<4096xf32>
    %b = call @flip(%a) : (tensor<4096xf32>) -> tensor<4096xf32>
    %c = call @shrink(%b) : (tensor<4096xf32>) -> tensor<4xf32>
    %d = call @wide(%c) : (tensor<4xf32>) -> tensor<16384xf32>
    %e = call @narrow(%d) : (tensor<16384xf32>) -> tensor<4xf32>
    %f = call @add(%b, %e) : (tensor<4096xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %f : tensor<4xf32>
  }
  func.func private @grow(%x: tensor<4xf32>) -> tensor<4096xf32> {
    %zero = arith.constant 0 : index
    %f = tensor.extract %x[%zero] : tensor<4xf32>
    %e = tensor.splat %f : tensor<4096xf32>
    return %e : tensor<4096xf32>
  }
  func.func private @flip(%x: tensor<4096xf32>) -> tensor<4096xf32> {
    %last = arith.constant 4095 : index
    %to = tensor.empty() : tensor<4096xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%to : tensor<4096xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %k = arith.subi %last, %i : index
      %v = tensor.extract %x[%k] : tensor<4096xf32>
      linalg.yield %v : f32
    } -> tensor<4096xf32>
    return %y : tensor<4096xf32>
  }
  func.func private @shrink(%x: tensor<4096xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %x[0] [4] [1] : tensor<4096xf32> to tensor<4xf32>
    return %s : tensor<4xf32>
  }
  func.func private @wide(%x: tensor<4xf32>) -> tensor<16384xf32> {
    %zero = arith.constant 0 : index
    %f = tensor.extract %x[%zero] : tensor<4xf32>
    %e = tensor.splat %f : tensor<16384xf32>
    return %e : tensor<16384xf32>
  }
  func.func private @narrow(%x: tensor<16384xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %x[0] [4] [1] : tensor<16384xf32> to tensor<4xf32>
    return %s : tensor<4xf32>
  }
  func.func private @add(%x: tensor<4096xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %x[0] [4] [1] : tensor<4096xf32> to tensor<4xf32>
    %r = linalg.add ins(%s, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// RUN: mlc-opt %s --recompute-kernels --split-input-file | FileCheck %s
// Nothing is called again where the limit is kept, where there is none, where the calls may give something else, and for
// what an output of the model is made of.
// CHECK: func.func @main
// CHECK-COUNT-2: call @grow
// CHECK-NOT: call @grow
// CHECK: func.func @main
// CHECK-COUNT-2: call @grow
// CHECK-NOT: call @grow
// CHECK: func.func @main
// CHECK-COUNT-2: call @grow
// CHECK-NOT: call @grow
// CHECK: func.func @main
// CHECK-COUNT-2: call @grow
// CHECK-NOT: call @grow
module attributes {mlc.max_arena = 33000 : i64} {
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

// -----

module {
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

// -----

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
  func.func private @grow(tensor<4xf32>) -> tensor<64x64xf32>
  func.func private @shrink(tensor<4096xf32>) -> tensor<4xf32>
  func.func private @add(tensor<4096xf32>, tensor<4xf32>) -> tensor<4xf32>
}

// -----

module attributes {mlc.max_arena = 10000 : i64} {
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<64x64xf32>) {
    %a = call @grow(%x) : (tensor<4xf32>) -> tensor<64x64xf32>
    %av = tensor.collapse_shape %a [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
    %b = call @shrink(%av) : (tensor<4096xf32>) -> tensor<4xf32>
    %c = call @grow(%b) : (tensor<4xf32>) -> tensor<64x64xf32>
    %cv = tensor.collapse_shape %c [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
    %d = call @shrink(%cv) : (tensor<4096xf32>) -> tensor<4xf32>
    %e = call @add(%av, %d) : (tensor<4096xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %e, %a : tensor<4xf32>, tensor<64x64xf32>
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

// RUN: mlc-opt %s --bufferize | FileCheck %s
// RUN: mlc-opt %s --bufferize --bufferize | FileCheck %s
// Tiles of a tensor that goes round are cut out, worked on and put back in its buffer: nothing is
// allocated, nothing copied, however deep the loops are.
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy

// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[OUT:[^:]*]]: memref<64x64xf32> {mlc.result}
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[OUT]] :
// CHECK: %[[TILE:.*]] = memref.subview %[[OUT]]
// CHECK: linalg.matmul {{.*}} outs(%[[TILE]] :
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%ci = %start) -> (tensor<64x64xf32>) {
    %ri = scf.for %j = %c0 to %c64 step %c8 iter_args(%cj = %ci) -> (tensor<64x64xf32>) {
      %rj = scf.for %k = %c0 to %c64 step %c8 iter_args(%ck = %cj) -> (tensor<64x64xf32>) {
        %ta = tensor.extract_slice %a[%i, %k] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
        %tb = tensor.extract_slice %b[%k, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
        %tc = tensor.extract_slice %ck[%i, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
        %m = linalg.matmul ins(%ta, %tb : tensor<8x8xf32>, tensor<8x8xf32>) outs(%tc : tensor<8x8xf32>) -> tensor<8x8xf32>
        %n = tensor.insert_slice %m into %ck[%i, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf32>
        scf.yield %n : tensor<64x64xf32>
      }
      scf.yield %rj : tensor<64x64xf32>
    }
    scf.yield %ri : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// A tile goes round itself, in an inner loop, and of it a smaller one.
// CHECK-LABEL: func.func @tile_of_tile(
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @tile_of_tile(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %e = tensor.empty() : tensor<64xf32>
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %e) -> (tensor<64xf32>) {
    %to = tensor.extract_slice %a[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %from = tensor.extract_slice %x[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %tile = scf.for %j = %c0 to %c8 step %c2 iter_args(%b = %to) -> (tensor<8xf32>) {
      %part = tensor.extract_slice %b[%j] [2] [1] : tensor<8xf32> to tensor<2xf32>
      %in = tensor.extract_slice %from[%j] [2] [1] : tensor<8xf32> to tensor<2xf32>
      %sum = linalg.add ins(%in, %in : tensor<2xf32>, tensor<2xf32>) outs(%part : tensor<2xf32>) -> tensor<2xf32>
      %next = tensor.insert_slice %sum into %b[%j] [2] [1] : tensor<2xf32> into tensor<8xf32>
      scf.yield %next : tensor<8xf32>
    }
    %next = tensor.insert_slice %tile into %a[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// Two tensors go round; each element is read just before it is written. A while loop does it again.
// CHECK-LABEL: func.func @element_by_element(
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @element_by_element(%n: index) -> (tensor<64xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %a0 = linalg.fill ins(%one : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b0 = linalg.fill ins(%one : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  %r:3 = scf.while (%t = %c0, %a = %a0, %b = %b0) : (index, tensor<64xf32>, tensor<?xf32>) -> (tensor<?xf32>, index, tensor<64xf32>) {
    %more = arith.cmpi slt, %t, %n : index
    scf.condition(%more) %b, %t, %a : tensor<?xf32>, index, tensor<64xf32>
  } do {
  ^bb0(%b: tensor<?xf32>, %t: index, %a: tensor<64xf32>):
    %s:2 = scf.for %i = %c0 to %n step %c8 iter_args(%u = %a, %v = %b) -> (tensor<64xf32>, tensor<?xf32>) {
      %x = tensor.extract_slice %u[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
      %y = tensor.extract_slice %v[%i] [8] [1] : tensor<?xf32> to tensor<8xf32>
      %sum = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      %product = linalg.mul ins(%sum, %y : tensor<8xf32>, tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
      %u1 = tensor.insert_slice %sum into %u[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
      %v1 = tensor.insert_slice %product into %v[%i] [8] [1] : tensor<8xf32> into tensor<?xf32>
      scf.yield %u1, %v1 : tensor<64xf32>, tensor<?xf32>
    }
    %t1 = arith.addi %t, %c1 : index
    scf.yield %t1, %s#0, %s#1 : index, tensor<64xf32>, tensor<?xf32>
  }
  return %r#2, %r#0 : tensor<64xf32>, tensor<?xf32>
}

// One branch works on a tile, the other leaves the tensor: one buffer, of any shape.
// CHECK-LABEL: func.func @branches(
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: linalg.exp ins(%[[TILE:.*]] : {{.*}}) outs(%[[TILE]] :
// CHECK-NOT: memref.copy
// CHECK: return
func.func @branches(%n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %start = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%a = %start) -> (tensor<?xf32>) {
    %small = arith.cmpi slt, %i, %c4 : index
    %next = scf.if %small -> (tensor<?xf32>) {
      %tile = tensor.extract_slice %a[%i] [8] [1] : tensor<?xf32> to tensor<8xf32>
      %exp = linalg.exp ins(%tile : tensor<8xf32>) outs(%tile : tensor<8xf32>) -> tensor<8xf32>
      %put = tensor.insert_slice %exp into %a[%i] [8] [1] : tensor<8xf32> into tensor<?xf32>
      scf.yield %put : tensor<?xf32>
    } else {
      scf.yield %a : tensor<?xf32>
    }
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// An argument of the function is not to be written; what is made of it begins in the destination.
// CHECK-LABEL: func.func @begins_as_argument(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32>, %[[OUT:[^:]*]]: memref<4xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %[[X]], %[[OUT]]
// CHECK-NOT: memref.copy
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @begins_as_argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %next = tensor.insert %one into %a[%i] : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

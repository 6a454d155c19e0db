// RUN: mlc-opt %s --interpret --entry views | FileCheck %s
// Windows of one buffer of 0..11: what numpy's a[1:3, 0:4:2], its transpose, and a flat view say.
// CHECK: dense<{{\[\[}}4, 6], [8, 10]]> : tensor<2x2xi32>
// CHECK-NEXT: dense<{{\[\[}}4, 8], [6, 10]]> : tensor<2x2xi32>
// CHECK-NEXT: 11 : i32
// CHECK-NEXT: dense<[4, 5, 99, 7]> : tensor<4xi32>
// CHECK-NEXT: 4 : index
// CHECK-NEXT: dense<[1, 2, 3]> : tensor<3xi32>
memref.global "private" constant @table : memref<3xi32> = dense<[1, 2, 3]>
func.func @views() -> (memref<2x2xi32, strided<[4, 2], offset: 4>>, memref<2x2xi32, strided<[2, 4], offset: 4>>, i32,
                       memref<4xi32, strided<[1], offset: 4>>, index, memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %bytes = memref.alloc() : memref<48xi8>
  %m = memref.view %bytes[%c0][] : memref<48xi8> to memref<3x4xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %r = arith.muli %i, %c4 : index
      %s = arith.addi %r, %j : index
      %v = arith.index_cast %s : index to i32
      memref.store %v, %m[%i, %j] : memref<3x4xi32>
    }
  }
  %w = memref.subview %m[1, 0] [2, 2] [1, 2] : memref<3x4xi32> to memref<2x2xi32, strided<[4, 2], offset: 4>>
  %t = "memref.transpose"(%w) <{permutation = affine_map<(i, j) -> (j, i)>}>
      : (memref<2x2xi32, strided<[4, 2], offset: 4>>) -> memref<2x2xi32, strided<[2, 4], offset: 4>>
  %flat = memref.collapse_shape %m [[0, 1]] : memref<3x4xi32> into memref<12xi32>
  %last = memref.load %flat[%c11] : memref<12xi32>
  %row = memref.subview %m[1, 0] [1, 4] [1, 1] : memref<3x4xi32> to memref<4xi32, strided<[1], offset: 4>>
  %dim = memref.dim %m, %c1 : memref<3x4xi32>
  %copy = memref.alloc() : memref<2x2xi32, strided<[2, 1]>>
  %global = memref.get_global @table : memref<3xi32>
  %w2 = memref.alloc() : memref<3x4xi32>
  memref.copy %m, %w2 : memref<3x4xi32> to memref<3x4xi32>
  %row2 = memref.subview %w2[1, 0] [1, 4] [1, 1] : memref<3x4xi32> to memref<4xi32, strided<[1], offset: 4>>
  %c99 = arith.constant 99 : i32
  memref.store %c99, %row2[%c2] : memref<4xi32, strided<[1], offset: 4>>
  return %w, %t, %last, %row2, %dim, %global : memref<2x2xi32, strided<[4, 2], offset: 4>>,
      memref<2x2xi32, strided<[2, 4], offset: 4>>, i32, memref<4xi32, strided<[1], offset: 4>>, index, memref<3xi32>
}

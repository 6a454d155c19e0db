// RUN: mlc-opt %s --interpret | FileCheck %s
// RUN: mlc-opt %s --expand-strided-metadata --lower-affine --interpret | FileCheck %s
// A window of a window of 0, 1, ... 23 in 4 x 6; columns joined; rows split.
// CHECK{LITERAL}: dense<[[9, 11], [21, 23]]>
// CHECK{LITERAL}: dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
// CHECK{LITERAL}: dense<[[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]
func.func @main() -> (memref<2x2xindex>, memref<24xindex>, memref<2x2x6xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<4x6xindex>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %0 = arith.muli %i, %c6 : index
      %1 = arith.addi %0, %j : index
      memref.store %1, %m[%i, %j] : memref<4x6xindex>
    }
  }
  %s = memref.subview %m[%c1, 1] [3, 5] [1, 1] : memref<4x6xindex> to memref<3x5xindex, strided<[6, 1], offset: ?>>
  %t = memref.subview %s[0, 2] [2, 2] [2, 2] : memref<3x5xindex, strided<[6, 1], offset: ?>> to memref<2x2xindex, strided<[12, 2], offset: ?>>
  %out = memref.alloc() : memref<2x2xindex>
  memref.copy %t, %out : memref<2x2xindex, strided<[12, 2], offset: ?>> to memref<2x2xindex>
  %c = memref.collapse_shape %m [[0, 1]] : memref<4x6xindex> into memref<24xindex>
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xindex> into memref<2x2x6xindex>
  return %out, %c, %e : memref<2x2xindex>, memref<24xindex>, memref<2x2x6xindex>
}

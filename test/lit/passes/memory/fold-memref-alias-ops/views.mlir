// RUN: mlc-opt %s --fold-memref-alias-ops -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --fold-memref-alias-ops --interpret --entry run | FileCheck %s --check-prefix=EVAL
// Through a window of a window; dimensions of 1 that were left out are at their offsets.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: memref.subview
// CHECK: %[[X:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 2)>()[%arg1, %arg2]
// CHECK: memref.load %arg0[%[[X]], %arg2]
func.func @windows(%m: memref<8x8xindex>, %i: index, %j: index) -> index {
  %s = memref.subview %m[%i, 0] [4, 8] [2, 1] : memref<8x8xindex> to memref<4x8xindex, strided<[16, 1], offset: ?>>
  %t = memref.subview %s[0, %j] [4, 1] [1, 1] : memref<4x8xindex, strided<[16, 1], offset: ?>> to memref<4xindex, strided<[16], offset: ?>>
  %0 = memref.load %t[%j] : memref<4xindex, strided<[16], offset: ?>>
  return %0 : index
}
// Split dimensions are joined again, joined ones split; affine accesses get plain indices.
// CHECK-LABEL: func.func @reshapes
// CHECK: %[[X:.*]] = affine.apply affine_map<()[s0, s1, s2] -> (s0 * s2 + s1)>()[%arg1, %arg2, %arg3]
// CHECK: memref.load %arg0[%[[X]], %arg2]
// CHECK-DAG: %[[Q:.*]] = affine.apply affine_map<()[s0] -> ((s0 + 3) floordiv 8)>()[%arg1]
// CHECK-DAG: %[[R:.*]] = affine.apply affine_map<()[s0] -> (s0 - ((s0 + 3) floordiv 8) * 8 + 3)>()[%arg1]
// CHECK: affine.load %arg0[%[[Q]], %[[R]]]
func.func @reshapes(%m: memref<8x8xindex>, %i: index, %j: index, %n: index) -> (index, index) {
  %d = memref.cast %m : memref<8x8xindex> to memref<?x8xindex>
  %e = memref.expand_shape %d [[0, 1], [2]] output_shape [2, %n, 8] : memref<?x8xindex> into memref<2x?x8xindex>
  %0 = memref.load %e[%i, %j, %j] : memref<2x?x8xindex>
  %c = memref.collapse_shape %m [[0, 1]] : memref<8x8xindex> into memref<64xindex>
  %1 = affine.load %c[symbol(%i) + 3] : memref<64xindex>
  return %0, %1 : index, index
}
// Vectors go through windows whose elements are neighbours, with the permutation over more dimensions.
// CHECK-LABEL: func.func @vectors
// CHECK: vector.transfer_read %arg0[%{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x8xindex>
// CHECK: vector.load %arg0[
// CHECK: %[[S:.*]] = memref.subview {{.*}} [2, 1]
// CHECK: vector.load %[[S]]
func.func @vectors(%m: memref<8x8xindex>, %i: index, %j: index) -> (vector<2xindex>, vector<2xindex>, vector<2xindex>) {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%i, %j] [4, 1] [1, 1] : memref<8x8xindex> to memref<4xindex, strided<[8], offset: ?>>
  %0 = vector.transfer_read %s[%i], %c0 {in_bounds = [true]} : memref<4xindex, strided<[8], offset: ?>>, vector<2xindex>
  %t = memref.subview %m[%i, 1] [4, 4] [1, 1] : memref<8x8xindex> to memref<4x4xindex, strided<[8, 1], offset: ?>>
  %1 = vector.load %t[%i, %j] : memref<4x4xindex, strided<[8, 1], offset: ?>>, vector<2xindex>
  %u = memref.subview %m[0, 1] [4, 4] [2, 1] : memref<8x8xindex> to memref<4x4xindex, strided<[16, 1], offset: 1>>
  %2 = vector.load %u[%i, %j] : memref<4x4xindex, strided<[16, 1], offset: 1>>, vector<2xindex>
  return %0, %1, %2 : vector<2xindex>, vector<2xindex>, vector<2xindex>
}
// Row 1 + 2 * 2, column 2; row 1 * 4 + 2; element 4; rows 2 and 3 of column 2; row 2, columns 3 and 4.
// EVAL: 42 : index
// EVAL-NEXT: 50 : index
// EVAL-NEXT: 4 : index
// EVAL-NEXT: dense<[18, 26]>
// EVAL-NEXT: dense<[19, 20]>
func.func @run() -> (index, index, index, vector<2xindex>, vector<2xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<8x8xindex>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %j)
      affine.store %0, %m[%i, %j] : memref<8x8xindex>
    }
  }
  %0 = func.call @windows(%m, %c1, %c2) : (memref<8x8xindex>, index, index) -> index
  %1:2 = func.call @reshapes(%m, %c1, %c2, %c4) : (memref<8x8xindex>, index, index, index) -> (index, index)
  %2:3 = func.call @vectors(%m, %c1, %c2) : (memref<8x8xindex>, index, index) -> (vector<2xindex>, vector<2xindex>, vector<2xindex>)
  return %0, %1#0, %1#1, %2#0, %2#1 : index, index, index, vector<2xindex>, vector<2xindex>
}
// Vectors through maps and prefetches are accesses as others are.
// CHECK-LABEL: func.func @through_maps
// CHECK-NOT: memref.subview
// CHECK: affine.prefetch %arg0[{{.*}}], read, locality<3>, data : memref<8x8xindex>
// CHECK: affine.vector_load %arg0[{{.*}}] : memref<8x8xindex>, vector<2xindex>
func.func @through_maps(%m: memref<8x8xindex>, %i: index) -> vector<2xindex> {
  %s = memref.subview %m[2, 2] [4, 4] [1, 1] : memref<8x8xindex> to memref<4x4xindex, strided<[8, 1], offset: 18>>
  affine.prefetch %s[symbol(%i), 0], read, locality<3>, data : memref<4x4xindex, strided<[8, 1], offset: 18>>
  %0 = affine.vector_load %s[symbol(%i) + 1, 0] : memref<4x4xindex, strided<[8, 1], offset: 18>>, vector<2xindex>
  return %0 : vector<2xindex>
}

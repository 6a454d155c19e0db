// RUN: mlc-opt %s --generate-runtime-verification | FileCheck %s
// Casts, and views behind what they make: where they end in the buffer is a map of the sizes and strides
// that are not known.

// CHECK-DAG: #[[BASE:.*]] = affine_map<()[s0] -> (s0 * 4 + 4)>
// CHECK-DAG: #[[VIEW:.*]] = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2 + 2)>

// CHECK-LABEL: func.func @cast
// CHECK: %[[ANY:.*]] = memref.cast %arg0 : memref<?x4xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK: memref.extract_strided_metadata %[[ANY]]
// CHECK: ^ size mismatch of dim 0
// CHECK-NOT: size mismatch of dim 1
// CHECK: ^ offset mismatch
// CHECK-NOT: stride mismatch of dim 0
// CHECK: ^ stride mismatch of dim 1
// CHECK: memref.cast %arg0 : memref<?x4xf32> to memref<8x?xf32>
func.func @cast(%m: memref<?x4xf32>) -> memref<8x?xf32> {
  %0 = memref.cast %m : memref<?x4xf32> to memref<8x?xf32>
  return %0 : memref<8x?xf32>
}

// CHECK-LABEL: func.func @cast_ranks
// CHECK: %[[RANK:.*]] = memref.rank %arg0
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[RANK]], %[[TWO]] : index
// CHECK: cf.assert %[[SAME]], "{{.*}}^ rank mismatch
// CHECK: memref.cast %arg0 : memref<*xf32> to memref<?x?xf32>
// CHECK-NOT: cf.assert
// CHECK: return
func.func @cast_ranks(%u: memref<*xf32>) -> memref<*xf32> {
  %0 = memref.cast %u : memref<*xf32> to memref<?x?xf32>
  %1 = memref.cast %0 : memref<?x?xf32> to memref<*xf32>
  return %1 : memref<*xf32>
}

// CHECK-LABEL: func.func @subview
// CHECK: %[[S:.*]] = memref.subview
// CHECK: %{{.*}}, %{{.*}}, %[[SIZES:.*]]:2, %{{.*}}:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[END:.*]] = affine.apply #[[BASE]]()[%[[SIZES]]#0]
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[S]]
// CHECK: %[[LAST:.*]] = affine.apply #[[VIEW]]()[%[[OFFSET]]
// CHECK: arith.cmpi sge, %[[OFFSET]], %[[ZERO]]
// CHECK: arith.cmpi sle, %[[LAST]], %[[END]]
// CHECK: ^ subview is out-of-bounds of the base memref
func.func @subview(%m: memref<?x4xf32>, %o: index, %n: index, %s: index)
    -> memref<?x2xf32, strided<[?, 1], offset: ?>> {
  %0 = memref.subview %m[%o, 1] [%n, 2] [%s, 1]
      : memref<?x4xf32> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<?x2xf32, strided<[?, 1], offset: ?>>
}

// CHECK-LABEL: func.func @reinterpret
// CHECK: ^ result of reinterpret_cast is out-of-bounds of the base memref
func.func @reinterpret(%m: memref<8xf32>, %o: index) -> memref<2xf32, strided<[1], offset: ?>> {
  %0 = memref.reinterpret_cast %m to offset: [%o], sizes: [2], strides: [1]
      : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  return %0 : memref<2xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: func.func @expand
// CHECK: %[[DIM:.*]] = memref.dim %arg0
// CHECK: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK: %[[REST:.*]] = arith.remsi %[[DIM]], %[[FIVE]]
// CHECK: arith.cmpi eq, %[[REST]]
// CHECK: ^ static result dims in reassoc group do not divide src dim evenly
func.func @expand(%m: memref<?xf32>, %n: index) -> memref<?x5xf32> {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%n, 5] : memref<?xf32> into memref<?x5xf32>
  return %0 : memref<?x5xf32>
}

// RUN: mlc-opt %s --expand-strided-metadata -mlir-print-local-scope | FileCheck %s
// A window: strides are multiplied, its offset is counted in elements of the base buffer.
// CHECK-LABEL: func.func @window
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[S0:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%arg2, %[[STRIDES]]#0]
// CHECK: %[[S1:.*]] = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%[[STRIDES]]#1]
// CHECK: %[[AT:.*]] = affine.apply affine_map<()[s0, s1, s2, s3] -> (s0 + s1 * s2 + s3 * 3)>()[%[[OFFSET]], %arg1, %[[STRIDES]]#0, %[[STRIDES]]#1]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[AT]]], sizes: [%arg2, 4], strides: [%[[S0]], %[[S1]]]
func.func @window(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %i: index, %n: index) -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
  %0 = memref.subview %m[%i, 3] [%n, 4] [%n, 2] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
}
// Dimensions split: what is not known is left over from the rest.
// CHECK-LABEL: func.func @split
// CHECK: %[[SIZE:.*]] = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%{{.*}}#0]
// CHECK: sizes: [%[[SIZE]], 4, 8], strides: [32, 8, 1]
func.func @split(%m: memref<?x8xf32>, %n: index) -> memref<?x4x8xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
  return %0 : memref<?x4x8xf32>
}
// Dimensions joined: the product of sizes, the least stride of those that are not 1.
// CHECK-LABEL: func.func @join
// CHECK: %[[SIZE:.*]] = affine.apply affine_map<()[s0] -> (s0 * 4)>()
// CHECK: %[[STRIDE:.*]] = affine.min affine_map<()[s0, s1] -> (s0, s1)>
// CHECK: sizes: [%[[SIZE]]], strides: [%[[STRIDE]]]
func.func @join(%m: memref<?x4x1xf32, strided<[?, ?, ?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
  %0 = memref.collapse_shape %m [[0, 1, 2]] : memref<?x4x1xf32, strided<[?, ?, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  return %0 : memref<?xf32, strided<[?], offset: ?>>
}
// CHECK-LABEL: func.func @rank_0
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata
// CHECK: return %[[BASE]]
func.func @rank_0(%m: memref<1x1xf32>) -> memref<f32> {
  %0 = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>
  return %0 : memref<f32>
}

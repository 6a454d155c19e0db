// RUN: mlc-opt %s --convert-to-llvm | FileCheck %s
// Sizes that the result's type leaves open are those that the op has, or products of the source's; strides follow.
// CHECK-LABEL: llvm.func @expand
// CHECK-SAME: %[[A:[^:]*]]: i64, %[[B:[^:]*]]: i64)
// CHECK: %[[STRIDE:.*]] = llvm.mul %{{.*}}, %[[B]] : i64
// CHECK: llvm.insertvalue %[[A]], %{{.*}}[3, 0]
// CHECK: llvm.insertvalue %[[STRIDE]], %{{.*}}[4, 0]
// CHECK: llvm.insertvalue %[[B]], %{{.*}}[3, 1]
func.func @expand(%m: memref<?x4xf32>, %a: index, %b: index) -> memref<?x?x4xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%a, %b, 4] : memref<?x4xf32> into memref<?x?x4xf32>
  return %0 : memref<?x?x4xf32>
}
// CHECK-LABEL: llvm.func @collapse
// CHECK: %[[A:.*]] = llvm.extractvalue %{{.*}}[3, 0]
// CHECK: %[[B:.*]] = llvm.extractvalue %{{.*}}[3, 1]
// CHECK: %[[SIZE:.*]] = llvm.mul %[[A]], %[[B]] : i64
// CHECK: llvm.insertvalue %[[SIZE]], %{{.*}}[3, 0]
func.func @collapse(%m: memref<?x?x4xf32>) -> memref<?x4xf32> {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<?x?x4xf32> into memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

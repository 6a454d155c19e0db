// RUN: mlc-opt %s --bound-buffers | FileCheck %s
// What copies a buffer, or takes it whole in another way, sees its size: it stays as it is. So does
// a buffer without a bound.
// CHECK-LABEL: func.func @asked(
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NOT: memref.cast
func.func @asked(%n: index, %from: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %size = affine.min affine_map<(n) -> (8, n)>(%n)
  %copied = memref.alloc(%size) : memref<?xf32>
  memref.copy %from, %copied : memref<?xf32> to memref<?xf32>
  %open = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %open[%c0] : memref<?xf32>
  return
}

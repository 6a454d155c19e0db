// RUN: mlc-opt %s --convert-bufferization-to-memref | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run > %t
// RUN: mlc-opt %s --convert-bufferization-to-memref --interpret --entry run | diff %t -
// A clone is memory of its own with the same elements.
// CHECK-LABEL: @clone
// CHECK: %[[SIZE:.*]] = memref.dim %arg0
// CHECK: %[[NEW:.*]] = memref.alloc(%[[SIZE]]) : memref<?x2xf32>
// CHECK: memref.copy %arg0, %[[NEW]]
// CHECK: %[[CAST:.*]] = memref.cast %[[NEW]] : memref<?x2xf32> to memref<?x2xf32, strided<[?, ?], offset: ?>>
// CHECK: return %[[CAST]]
func.func @clone(%m: memref<?x2xf32, strided<[?, ?], offset: ?>>) -> memref<?x2xf32, strided<[?, ?], offset: ?>> {
  %0 = bufferization.clone %m : memref<?x2xf32, strided<[?, ?], offset: ?>> to memref<?x2xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x2xf32, strided<[?, ?], offset: ?>>
}
func.func @run() -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<2xf32>
  memref.store %x, %m[%c0] : memref<2xf32>
  %0 = bufferization.clone %m : memref<2xf32> to memref<2xf32>
  memref.store %y, %m[%c0] : memref<2xf32>
  %a = memref.load %0[%c0] : memref<2xf32>
  %b = memref.load %m[%c0] : memref<2xf32>
  return %a, %b : f32, f32
}

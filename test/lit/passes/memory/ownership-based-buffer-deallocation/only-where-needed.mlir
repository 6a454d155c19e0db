// RUN: mlc-opt %s --ownership-based-buffer-deallocation=only-where-needed | FileCheck %s
// Functions without buffers of their own, and those that free by hand, stay as they are.
// CHECK-LABEL: func.func @reads(
// CHECK-NOT: dealloc
// CHECK-LABEL: func.func @by_hand(
// CHECK-NOT: bufferization.dealloc
// CHECK-LABEL: func.func @allocates(
// CHECK: bufferization.dealloc
// CHECK-LABEL: func.func @calls(
// CHECK: bufferization.dealloc
// CHECK-LABEL: func.func @gives_back(
// CHECK: bufferization.clone
func.func @reads(%m: memref<2xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %m) -> memref<2xf32> {
    scf.yield %k : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}
func.func @by_hand() {
  %x = memref.alloc() : memref<2xf32>
  memref.dealloc %x : memref<2xf32>
  return
}
func.func @allocates() {
  %x = memref.alloc() : memref<2xf32>
  return
}
func.func private @elsewhere() -> memref<2xf32>
func.func @calls() {
  %x = call @elsewhere() : () -> memref<2xf32>
  return
}
func.func @gives_back(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

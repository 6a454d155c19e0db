// RUN: mlc-opt %s --ownership-based-buffer-deallocation | FileCheck %s
// Nothing is freed here: no buffer, one of the stack, one that is freed by hand.
// CHECK-LABEL: func.func @no_buffers
// CHECK-NOT: dealloc
// CHECK-LABEL: func.func @on_the_stack
// CHECK-NOT: dealloc
// CHECK-LABEL: func.func @by_hand
// CHECK: %[[X:.*]] = memref.alloc
// CHECK: cf.assert %{{.*}}, "expected that the block does not have ownership"
// CHECK-NEXT: memref.dealloc %[[X]] {
// CHECK-NOT: memref.dealloc
func.func @no_buffers(%c: i1) {
  cf.assert %c, "it must be"
  return
}
func.func @on_the_stack() {
  %x = memref.alloca() : memref<2xf32>
  return
}
func.func @by_hand() {
  %x = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  memref.dealloc %x {bufferization.manual_deallocation} : memref<2xf32>
  return
}

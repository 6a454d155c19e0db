// RUN: mlc-opt %s --bufferization-lower-deallocations | FileCheck %s
// RUN: mlc-opt %s --bufferization-lower-deallocations --bufferization-lower-deallocations | FileCheck %s
// One buffer is compared with those retained on the spot; nothing to compare, nothing to call.
// CHECK-LABEL: func.func @none
// CHECK-NEXT: return
func.func @none() {
  bufferization.dealloc
  return
}
// CHECK-LABEL: func.func @alone
// CHECK-NEXT: scf.if %arg1 {
// CHECK-NEXT: memref.dealloc %arg0
// CHECK-NEXT: }
func.func @alone(%m: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<2xf32>) if (%c)
  return
}
// CHECK-LABEL: func.func @retained
// CHECK: %[[M:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK: %[[R:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK: %[[DIFFERS:.*]] = arith.cmpi ne, %[[M]], %[[R]]
// CHECK: %[[FREES:.*]] = arith.andi %[[DIFFERS]], %arg1
// CHECK: scf.if %[[FREES]]
// CHECK: %[[SAME:.*]] = arith.xori %[[DIFFERS]], %true
// CHECK: arith.andi %[[SAME]], %arg1
func.func @retained(%m: memref<2xf32>, %c: i1, %r: memref<*xf32>) -> i1 {
  %0 = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%r : memref<*xf32>)
  return %0 : i1
}
// CHECK-NOT: @dealloc_helper

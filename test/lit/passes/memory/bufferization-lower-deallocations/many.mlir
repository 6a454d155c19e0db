// RUN: mlc-opt %s --bufferization-lower-deallocations | FileCheck %s
// RUN: mlc-opt %s --bufferization-lower-deallocations=inline | FileCheck %s --check-prefix=INLINE
// RUN: mlc-opt %s --bufferization-lower-deallocations=inline --interpret | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt %s --interpret | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt %s --bufferization-lower-deallocations --interpret | FileCheck %s --check-prefix=RESULT
// Several buffers go through a function, of which each symbol table that needs it has one. Of %a,
// %a again, %b and %c, all owned but %c: %a is freed once, %b is retained.
// CHECK-LABEL: func.func @main
// CHECK: call @dealloc_helper
// CHECK: module @without
// CHECK-NOT: @dealloc_helper
// CHECK: module @with
// CHECK: call @dealloc_helper
// CHECK: func.func private @dealloc_helper
// CHECK: func.func private @dealloc_helper
// CHECK-NOT: func.func private @dealloc_helper
// INLINE-COUNT-4: memref.extract_aligned_pointer_as_index
// INLINE: arith.cmpi eq
// INLINE-NOT: dealloc_helper
// RESULT: true
// RESULT-NEXT: false
func.func @main() -> (i1, i1) {
  %yes = arith.constant true
  %no = arith.constant false
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %c = memref.alloc() : memref<2xf32>
  %0:2 = bufferization.dealloc (%a, %a, %b, %c : memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) if (%yes, %yes, %yes, %no) retain (%b, %c : memref<2xf32>, memref<2xf32>)
  memref.dealloc %b : memref<2xf32>
  memref.dealloc %c : memref<2xf32>
  return %0#0, %0#1 : i1, i1
}
module @without {
  func.func @one(%m: memref<2xf32>, %c: i1) {
    bufferization.dealloc (%m : memref<2xf32>) if (%c)
    return
  }
}
module @with {
  func.func @two(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
    bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
    return
  }
}

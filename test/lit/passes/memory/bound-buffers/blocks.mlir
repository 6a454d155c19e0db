// RUN: mlc-opt %s --bound-buffers | FileCheck %s
// RUN: mlc-opt %s --bound-buffers --buffer-loop-hoisting | FileCheck %s --check-prefix=HOISTED
// A buffer of at most 8 rows has 8, and can be made before the loop; what asks how many there are
// gets the number that the buffer was made with.
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[ROWS:.*]] = affine.min
// CHECK: %[[LARGE:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<8x?xf32>
// CHECK: memref.cast %[[LARGE]] : memref<8x?xf32> to memref<?x?xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ROWS]]
// HOISTED: memref.alloc
// HOISTED: scf.for
// HOISTED-NOT: memref.alloc
func.func @blocks(%n: index, %k: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %rows = affine.min affine_map<(i)[n] -> (8, n - i)>(%i)[%n]
    %block = memref.alloc(%rows, %k) {alignment = 64 : i64} : memref<?x?xf32>
    %end = memref.dim %block, %c0 : memref<?x?xf32>
    scf.for %r = %c0 to %end step %c1 {
      memref.store %x, %block[%r, %c0] : memref<?x?xf32>
    }
  }
  return
}

// RUN: mlc-opt %s --parallel-to-runtime | FileCheck %s
// The thread's scratch has no room for a buffer of unknown size, which the task allocates.
// CHECK: mlc.scratch_bytes = 0
// CHECK-LABEL: func.func private @kernel_task(
// CHECK: scf.for
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
func.func @kernel(%m: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %n = arith.addi %i, %c1 : index
    %buffer = memref.alloc(%n) : memref<?xf32>
    %v = memref.load %m[%i] : memref<10xf32>
    memref.store %v, %buffer[%i] : memref<?xf32>
    %w = memref.load %buffer[%i] : memref<?xf32>
    memref.store %w, %m[%i] : memref<10xf32>
    scf.reduce
  }
  return
}

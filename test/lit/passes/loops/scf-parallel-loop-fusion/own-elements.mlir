// RUN: mlc-opt %s --scf-parallel-loop-fusion | FileCheck %s
// Fill, accumulate and rectify each touch only the element of their own iteration: one loop.
// CHECK-LABEL: func.func @dot
// CHECK: scf.parallel
// CHECK-NOT: scf.parallel
func.func @dot(%a: memref<16x8xf32>, %b: memref<8xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %zero, %out[%i] : memref<16xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    scf.for %k = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %k] : memref<16x8xf32>
      %y = memref.load %b[%k] : memref<8xf32>
      %sum = memref.load %out[%i] : memref<16xf32>
      %product = arith.mulf %x, %y : f32
      %more = arith.addf %sum, %product : f32
      memref.store %more, %out[%i] : memref<16xf32>
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = memref.load %out[%i] : memref<16xf32>
    %y = arith.maximumf %x, %zero : f32
    memref.store %y, %out[%i] : memref<16xf32>
    scf.reduce
  }
  return
}

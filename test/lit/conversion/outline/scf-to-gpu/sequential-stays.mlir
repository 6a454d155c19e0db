// RUN: mlc-opt %s --convert-parallel-loops-to-gpu | FileCheck %s
// A sequential loop is no grid.
// CHECK: scf.for
// CHECK-NOT: gpu.launch
func.func @f(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}

// REQUIRES: target
// RUN: not --crash mlc run %s 2>&1 | FileCheck %s
// CHECK: mlc: out of memory: a model asked for -9223372036854775808 bytes
func.func @main(%out: memref<2xf32> {mlc.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %huge = arith.constant 2305843009213693952 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c2 step %c1 {
    %n = arith.muli %i, %huge : index
    %t = memref.alloc(%n) : memref<?xf32>
    memref.store %one, %t[%c0] : memref<?xf32>
    %v = memref.load %t[%c0] : memref<?xf32>
    memref.store %v, %out[%i] : memref<2xf32>
  }
  return
}

// REQUIRES: mlc, target
// RUN: not mlc run %s -e far --input 1000000000000 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not mlc run %s -e deep --input 1 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: mlc run %s -e far --input 3 | FileCheck %s --check-prefix=NEAR
// A function that uses memory which is not there ends with an error that names it, not with a signal.
// FAR: mlc: function 'far' failed: it used memory that is not there or could not be had, divided by 0, or nested its calls too deep; mlc-opt --interpret says where
// DEEP: mlc: function 'deep' failed:
// NEAR: 1
func.func @far(%n: index) -> f32 {
  %c = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<8xf32>
  memref.store %c, %m[%n] : memref<8xf32>
  %r = memref.load %m[%n] : memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  return %r : f32
}
func.func @deep(%n: i64) -> i64 {
  %m = memref.alloca() : memref<1000xi64>
  %c0 = arith.constant 0 : index
  memref.store %n, %m[%c0] : memref<1000xi64>
  %0 = func.call @deep(%n) : (i64) -> i64
  %1 = memref.load %m[%c0] : memref<1000xi64>
  %2 = arith.addi %0, %1 : i64
  return %2 : i64
}

// RUN: mlc-opt %s --buffer-deallocation-pipeline | FileCheck %s
// From allocations that nobody frees to plain frees: what is known when compiling costs no test.
// CHECK-LABEL: func.func @sum
// CHECK: scf.for
// CHECK: %[[X:.*]] = memref.alloc
// CHECK: memref.load %[[X]]
// CHECK: memref.dealloc %[[X]]
// CHECK: scf.yield
// CHECK-NOT: bufferization
func.func @sum(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.alloc(%n) : memref<?xf32>
    memref.store %one, %x[%c0] : memref<?xf32>
    %v = memref.load %x[%c0] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

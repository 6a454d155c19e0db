// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-invariant-code-motion))' -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-invariant-code-motion))' --interpret --entry run | FileCheck %s --check-prefix=EVAL
// A load of one place goes before the loop; a sum of what it loads follows.
// CHECK-LABEL: func.func @load
// CHECK-NEXT: %[[X:.*]] = affine.load %arg0[3]
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.store %[[Y]]
func.func @load(%m: memref<8xf32>, %q: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %m[3] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %q[%i] : memref<8xf32>
  }
  return
}
// What is loaded may have been stored by the iteration before.
// CHECK-LABEL: func.func @stored
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.load
func.func @stored(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %m[3] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i] : memref<8xf32>
  }
  return
}
// A whole loop leaves another.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 5 {
// CHECK-NEXT: affine.load %arg0[%[[J]]]
// CHECK-NEXT: affine.store
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %{{.*}} = 0 to 10 {
// CHECK-NEXT: }
func.func @loop(%m: memref<8xf32>, %q: memref<8xf32>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 5 {
      %x = affine.load %m[%j] : memref<8xf32>
      affine.store %x, %q[%j] : memref<8xf32>
    }
  }
  return
}
// It is not known that this loop runs: nothing is stored before it.
// CHECK-LABEL: func.func @maybe
// CHECK-NEXT: arith.addf
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.store
func.func @maybe(%m: memref<8xf32>, %n: index, %f: f32) {
  affine.for %i = 0 to %n {
    %x = arith.addf %f, %f : f32
    affine.store %x, %m[3] : memref<8xf32>
  }
  return
}
// eight times 2; m[3] is 2 from the fourth iteration on, so the last stores 4
// EVAL: 1.600000e+01
// EVAL: 4.000000e+00
func.func @run() -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<8xf32>
  %q = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %one, %m[%i] : memref<8xf32>
  }
  func.call @load(%m, %q) : (memref<8xf32>, memref<8xf32>) -> ()
  %sum = affine.for %i = 0 to 8 iter_args(%s = %zero) -> f32 {
    %x = affine.load %q[%i] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  func.call @stored(%m) : (memref<8xf32>) -> ()
  %last = affine.load %m[7] : memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  memref.dealloc %q : memref<8xf32>
  return %sum, %last : f32, f32
}

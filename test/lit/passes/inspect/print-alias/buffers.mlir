// RUN: mlc-opt %s --print-alias --verify-diagnostics
// Two allocations are apart, and an allocation from what comes in; two arguments may be one.
func.func @allocs(%a: memref<4xf32>, %b: memref<4xf32>, %i: index, %v: f32) {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloca() : memref<4xf32>
  // expected-remark@+1 {{access 0}}
  memref.store %v, %x[%i] : memref<4xf32>
  // expected-remark@+1 {{access 1}}
  memref.store %v, %y[%i] : memref<4xf32>
  // expected-remark@+1 {{access 2}}
  memref.store %v, %a[%i] : memref<4xf32>
  // expected-remark@+1 {{access 3: may alias 2}}
  memref.store %v, %b[%i] : memref<4xf32>
  return
}
// Views are what they look at.
func.func @views(%i: index, %v: f32) {
  %x = memref.alloc() : memref<8xf32>
  %s = memref.subview %x[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %c = memref.cast %s : memref<4xf32, strided<[1], offset: 2>> to memref<?xf32, strided<[1], offset: 2>>
  // expected-remark@+1 {{access 0}}
  memref.store %v, %c[%i] : memref<?xf32, strided<[1], offset: 2>>
  // expected-remark@+1 {{access 1: must alias 0}}
  %0 = memref.load %x[%i] : memref<8xf32>
  return
}
// What regions and branches hand on may be either.
func.func @flow(%cond: i1, %n: index, %i: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<8xf32>
  %y = memref.alloc() : memref<8xf32>
  %z = memref.alloc() : memref<8xf32>
  %w = scf.if %cond -> memref<8xf32> {
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %y : memref<8xf32>
  }
  %l = scf.for %k = %c0 to %n step %c1 iter_args(%m = %w) -> memref<8xf32> {
    // expected-remark@+1 {{access 0}}
    memref.store %v, %m[%k] : memref<8xf32>
    scf.yield %m : memref<8xf32>
  }
  cf.br ^next(%l : memref<8xf32>)
^next(%a: memref<8xf32>):
  // expected-remark@+1 {{access 1: may alias 0}}
  memref.store %v, %a[%i] : memref<8xf32>
  // expected-remark@+1 {{access 2: may alias 0, may alias 1}}
  memref.store %v, %x[%i] : memref<8xf32>
  // expected-remark@+1 {{access 3}}
  memref.store %v, %z[%i] : memref<8xf32>
  return
}

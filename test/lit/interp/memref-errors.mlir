// RUN: mlc-opt %s --interpret --entry f -split-input-file -verify-diagnostics
// What real memory would let pass: out of bounds, after free, freed twice, written though constant.
func.func @f() -> f32 {
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<2x4xf32>
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'memref.load' op accesses [0, 4] of a memref of 2x4 elements}}
  %v = memref.load %m[%c0, %c4] : memref<2x4xf32>
  return %v : f32
}

// -----

func.func @f() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  // expected-error @+1 {{'memref.load' op uses memory after it was freed}}
  %v = memref.load %m[%c0] : memref<4xf32>
  return %v : f32
}

// -----

func.func @f() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  // expected-error @+1 {{'memref.dealloc' op frees memory that was freed before}}
  memref.dealloc %m : memref<4xf32>
  return
}

// -----

memref.global "private" constant @c : memref<2xf32> = dense<1.0>
func.func @f() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %m = memref.get_global @c : memref<2xf32>
  // expected-error @+1 {{'memref.store' op stores to constant memory}}
  memref.store %v, %m[%c0] : memref<2xf32>
  return
}

// -----

func.func @f() {
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{'memref.subview' op reaches from 3 to 4 in dimension 0, which has 4 elements}}
  %w = memref.subview %m[%c3] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @f() -> memref<99999999999999xf32> {
  // expected-error @+1 {{'memref.alloca' op needs 399999999999996 bytes, which passes the interpreter's memory limit}}
  %m = memref.alloca() : memref<99999999999999xf32>
  return %m : memref<99999999999999xf32>
}

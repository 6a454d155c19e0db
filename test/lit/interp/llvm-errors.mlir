// RUN: mlc-opt %s --interpret --entry f -split-input-file -verify-diagnostics
// What the interpreter does not know of the llvm dialect, and lanes that are not there.

func.func @f() {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  // expected-error@+1 {{'llvm.alloca' op works on type '!llvm.struct<(i32)>', which the interpreter does not know}}
  %0 = llvm.alloca %c1 x !llvm.struct<(i32)> : (i64) -> !llvm.ptr
  return
}

// -----

llvm.mlir.global internal @number(1 : i32) : i32
func.func @f() {
  // expected-error@+1 {{'llvm.mlir.addressof' op takes the address of a global, which the interpreter does not know}}
  %0 = llvm.mlir.addressof @number : !llvm.ptr
  return
}

// -----

func.func @f() {
  %n = llvm.mlir.constant(4611686018427387904 : i64) : i64
  // expected-error@+1 {{'llvm.alloca' op has more bytes than can be counted}}
  %0 = llvm.alloca %n x i64 : (i64) -> !llvm.ptr
  return
}

// -----

func.func @f() {
  %n = llvm.mlir.constant(1 : i64) : i64
  // expected-error@+1 {{'llvm.alloca' op works on type '!llvm.array<4611686018427387904 x i64>', which the interpreter does not know}}
  %0 = llvm.alloca %n x !llvm.array<4611686018427387904 x i64> : (i64) -> !llvm.ptr
  return
}

// -----

func.func @f() -> f32 {
  %i = llvm.mlir.constant(4 : i32) : i32
  %v = llvm.mlir.constant(dense<1.0> : vector<4xf32>) : vector<4xf32>
  // expected-error@+1 {{'llvm.extractelement' op accesses element 4 of 4}}
  %0 = llvm.extractelement %v[%i : i32] : vector<4xf32>
  return %0 : f32
}

// -----

func.func @f() -> vector<4xf32> {
  %v = llvm.mlir.constant(dense<1.0> : vector<4xf32>) : vector<4xf32>
  // expected-error@+1 {{'llvm.shufflevector' op takes element 8 of 8}}
  %0 = llvm.shufflevector %v, %v [0, 1, 2, 8] : vector<4xf32>
  return %0 : vector<4xf32>
}

// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Constants whose value is not of their type.

llvm.func @complex() {
  // expected-error@+1 {{expected struct type with two elements of the same type, the type of a complex constant}}
  %0 = llvm.mlir.constant([1.0 : f32, 2.0 : f32]) : !llvm.struct<(f32, f64)>
  llvm.return
}

// -----

llvm.func @three() {
  // expected-error@+1 {{'llvm.mlir.constant' op expected array attribute with two elements, representing a complex constant}}
  %0 = llvm.mlir.constant([1.0 : f32, 2.0 : f32, 3.0 : f32]) : !llvm.struct<(f32, f32)>
  llvm.return
}

// -----

llvm.func @parts() {
  // expected-error@+1 {{'llvm.mlir.constant' op expected array attribute with two elements of the same type}}
  %0 = llvm.mlir.constant([1.0 : f32, 2.0 : f64]) : !llvm.struct<(f32, f32)>
  llvm.return
}

// -----

llvm.func @pointers() {
  // expected-error@+1 {{expected struct element types to be floating point type or integer type}}
  %0 = llvm.mlir.constant([1 : i64, 2 : i64]) : !llvm.struct<(ptr, ptr)>
  llvm.return
}

// -----

llvm.func @float() {
  // expected-error@+1 {{'llvm.mlir.constant' op expected float type of width 64}}
  %0 = llvm.mlir.constant(1.0 : f64) : f32
  llvm.return
}

// -----

llvm.func @bits() {
  // expected-error@+1 {{'llvm.mlir.constant' op expected integer type of width 16}}
  %0 = llvm.mlir.constant(1.0 : f16) : i32
  llvm.return
}

// -----

llvm.func @text() {
  // expected-error@+1 {{'llvm.mlir.constant' op expected array type of 3 i8 elements for the string constant}}
  %0 = llvm.mlir.constant("abc") : !llvm.array<4 x i8>
  llvm.return
}

// -----

llvm.func @event() {
  // expected-error@+1 {{'llvm.mlir.constant' op does not support target extension type.}}
  %0 = llvm.mlir.constant(1 : i32) : !llvm.target<"spirv.Event">
  llvm.return
}

// -----

llvm.func @integer() {
  // expected-error@+1 {{'llvm.mlir.constant' op expected integer type}}
  %0 = llvm.mlir.constant(1 : i32) : f32
  llvm.return
}

// -----

llvm.func @splat() {
  // expected-error@+1 {{'llvm.mlir.constant' op expected vector or array type}}
  %0 = llvm.mlir.constant(dense<1> : vector<4xi32>) : i32
  llvm.return
}

// -----

llvm.func @symbol() {
  // expected-error@+1 {{'llvm.mlir.constant' op only supports integer, float, string or elements attributes}}
  %0 = llvm.mlir.constant(@f) : i32
  llvm.return
}

// -----

llvm.func @no_zero() {
  // expected-error@+1 {{'llvm.mlir.zero' op target extension type does not support zero-initializer}}
  %0 = llvm.mlir.zero : !llvm.target<"amdgcn.no.zero">
  llvm.return
}

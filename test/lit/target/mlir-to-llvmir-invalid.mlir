// RUN: mlc-translate --mlir-to-llvmir -split-input-file -verify-diagnostics %s
// RUN: not mlc-translate --mlir-to-llvmir --no-implicit-module %S/Inputs/one-function.mlir 2>&1 | FileCheck %s
// CHECK: 'llvm.func' op can not be translated to an LLVMIR module

// expected-error@+1 {{cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: func.func}}
func.func @high() {
  return
}

// -----

// expected-error@+1 {{LLVM attribute 'allocsize' expects a value}}
llvm.func @size() attributes {passthrough = ["allocsize"]}

// -----

llvm.func @typo(%x: f32) {
  // expected-error@+2 {{could not find LLVM intrinsic: "llvm.sqroot"}}
  // expected-error@+1 {{LLVM Translation failed for operation: llvm.call_intrinsic}}
  %0 = llvm.call_intrinsic "llvm.sqroot"(%x) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @signature(%x: i32) {
  // expected-error@+2 {{call intrinsic signature i32 (i32) to overloaded intrinsic "llvm.sqrt" does not match any of the overloads}}
  // expected-error@+1 {{LLVM Translation failed for operation: llvm.call_intrinsic}}
  %0 = llvm.call_intrinsic "llvm.sqrt"(%x) : (i32) -> i32
  llvm.return
}

// -----

llvm.comdat @a {
  llvm.comdat_selector @x any
}
llvm.comdat @b {
  // expected-error@+1 {{comdat selection symbols must be unique even in different comdat regions}}
  llvm.comdat_selector @x largest
}

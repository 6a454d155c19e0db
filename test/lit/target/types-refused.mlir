// RUN: mlc-translate --mlir-to-llvmir --split-input-file --verify-diagnostics %s
// Types, operands and constants that no machine has.
// expected-error@+1 {{'llvm.func' op no machine type for vector<2x4xf32>: only vectors of rank 1 have one}}
llvm.func @vectors() {
  llvm.return
^bb1(%x: vector<2x4xf32>):
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op index has no machine type: convert it to an integer first}}
llvm.func @index() {
  llvm.return
^bb1(%x: index):
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op no machine type for tensor<4xf32>: lower it to the llvm dialect first}}
llvm.func @tensor() {
  llvm.return
^bb1(%x: tensor<4xf32>):
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op no machine type for !gpu.async.token: lower it to the llvm dialect first}}
llvm.func @token() {
  llvm.return
^bb1(%x: !gpu.async.token):
  llvm.return
}

// -----

llvm.func @lanes(%x: vector<4xf32>) {
  // expected-error@+1 {{'llvm.shufflevector' op takes lane 8 of 8}}
  %0 = llvm.shufflevector %x, %x [0, 1, 2, 8] : vector<4xf32>
  llvm.return
}

// -----

llvm.func @no_lanes(%x: vector<4xf32>) {
  // expected-error@+1 {{'llvm.shufflevector' op the mask has no lanes}}
  %0 = "llvm.shufflevector"(%x, %x) <{mask = array<i32>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.mlir.global' op the initialiser is not constant}}
llvm.mlir.global external @freeze() : i32 {
  %0 = llvm.mlir.undef : i32
  %1 = llvm.freeze %0 : i32
  llvm.return %1 : i32
}

// -----

llvm.func @complex() {
  // expected-error@+1 {{'llvm.mlir.constant' op no machine constant for the elements of tensor<2xcomplex<f32>>}}
  %0 = llvm.mlir.constant(dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>) : !llvm.array<2 x f32>
  llvm.return
}

// -----

llvm.func @unreachable(%p: !llvm.ptr) {
  llvm.return
^use:
  // expected-error@+1 {{'llvm.store' op operand 0 has no machine value}}
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^def
^def:
  %x = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^use
}

// -----

llvm.func @personality(...) -> i32
llvm.func @invokes() attributes {personality = @personality} {
  // expected-error@+1 {{'llvm.invoke' op 'missing' is no function or global of this module}}
  llvm.invoke @missing() to ^done unwind ^pad : () -> ()
^pad:
  %0 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.br ^done
^done:
  llvm.return
}

// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Globals, what makes them, and groups of them.

// expected-error@+1 {{'llvm.mlir.global' op this target extension type cannot be used in a global}}
llvm.mlir.global external @event() : !llvm.target<"amdgcn.named.barrier">

// -----

// expected-error@+1 {{'llvm.mlir.global' op global with target extension type can only be initialized with zero-initializer}}
llvm.mlir.global external @event(1 : i32) : !llvm.target<"spirv.Event">

// -----

// expected-error@+1 {{'llvm.mlir.global' op expected array type for 'appending' linkage}}
llvm.mlir.global appending @list() : i32

// -----

// expected-error@+1 {{'llvm.mlir.global' op expects type to be a valid element type for an LLVM global}}
llvm.mlir.global external @function() : !llvm.func<void ()>

// -----

llvm.func @inside() {
  // expected-error@+1 {{'llvm.mlir.global' op symbol's parent must have the SymbolTable trait}}
  llvm.mlir.global internal @local(1 : i32) : i32
  llvm.return
}

// -----

// expected-error@+1 {{alignment attribute is not a power of 2}}
llvm.mlir.global external @aligned(1 : i32) {alignment = 3 : i64} : i32

// -----

// expected-error@+1 {{expected comdat symbol}}
llvm.mlir.global external @grouped(1 : i32) comdat(@missing) : i32

// -----

// expected-error@+1 {{'llvm.mlir.global' op initializer region cannot return void}}
llvm.mlir.global external @void() : i32 {
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.mlir.global' op initializer region type 'i64' does not match global type 'i32'}}
llvm.mlir.global external @wide() : i32 {
  %0 = llvm.mlir.constant(1 : i64) : i64
  llvm.return %0 : i64
}

// -----

llvm.mlir.global external @other() : i32
llvm.mlir.global external @loaded() : i32 {
  %0 = llvm.mlir.addressof @other : !llvm.ptr
  // expected-error@+1 {{ops with side effects not allowed in global initializers}}
  %1 = llvm.load volatile %0 : !llvm.ptr -> i32
  llvm.return %1 : i32
}

// -----

// expected-error@+1 {{'llvm.mlir.global' op cannot have both initializer value and region}}
llvm.mlir.global external @twice(1 : i32) : i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}

// -----

// expected-error@+1 {{custom op 'llvm.mlir.global' type can only be omitted for string globals}}
llvm.mlir.global external @untyped(1 : i32)

// -----

llvm.comdat @group {
  // expected-error@+1 {{'llvm.mlir.global' op must appear at the module level}}
  llvm.mlir.global external @member() : i32
}

// -----

llvm.func @start() {
  llvm.return
}
// expected-error@+1 {{mismatch between the number of ctors and the number of priorities}}
llvm.mlir.global_ctors {ctors = [@start], priorities = []}

// -----

llvm.func @stop() {
  llvm.return
}
// expected-error@+1 {{mismatch between the number of dtors and the number of priorities}}
llvm.mlir.global_dtors {dtors = [@stop], priorities = [1 : i32, 2 : i32]}

// -----

llvm.func @declared()
// expected-error@+1 {{'llvm.mlir.global_ctors' op 'declared' does not have a definition}}
llvm.mlir.global_ctors {ctors = [@declared], priorities = [0 : i32]}

// -----

llvm.func @address() {
  // expected-error@+1 {{'llvm.mlir.addressof' op must reference a global defined by 'llvm.mlir.global' or 'llvm.func'}}
  %0 = llvm.mlir.addressof @nothing : !llvm.ptr
  llvm.return
}

// -----

llvm.comdat @group {
  // expected-error@+1 {{only comdat selector symbols can appear in a comdat region}}
  llvm.func @member()
}

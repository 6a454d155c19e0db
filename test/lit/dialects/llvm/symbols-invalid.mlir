// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Functions, globals, calls and the attributes of arguments.

// expected-error@+1 {{"llvm.byval" should be a type attribute}}
llvm.func @byval(!llvm.ptr {llvm.byval})

// -----

// expected-error@+1 {{"llvm.nonnull" attribute attached to non-pointer LLVM type}}
llvm.func @nonnull(i32 {llvm.nonnull})

// -----

// expected-error@+1 {{"llvm.sret" is not a valid result attribute}}
llvm.func @sret() -> (!llvm.ptr {llvm.sret = i32})

// -----

llvm.func @takes(i32, i64)
llvm.func @gives(%x: i32) {
  // expected-error@+1 {{incorrect number of operands (1) for callee (expecting: 2)}}
  llvm.call @takes(%x) : (i32) -> ()
  llvm.return
}

// -----

llvm.func @log(!llvm.ptr, ...)
llvm.func @forgot(%p: !llvm.ptr) {
  // expected-error@+1 {{missing var_callee_type attribute for vararg call}}
  llvm.call @log(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

// expected-note@+1 {{when returning from function}}
llvm.func @answer() -> i32 {
  %0 = llvm.mlir.constant(42 : i64) : i64
  // expected-error@+1 {{mismatching result types}}
  llvm.return %0 : i64
}

// -----

// expected-error@+1 {{expected zero value for 'common' linkage}}
llvm.mlir.global common @one(1 : i8) : i8

// -----

// expected-error@+1 {{requires an i8 array type of the length equal to that of the string attribute}}
llvm.mlir.global constant @text("abc") : !llvm.array<4 x i8>

// -----

llvm.mlir.global @far() {addr_space = 3 : i32} : i8
llvm.func @near() {
  // expected-error@+1 {{pointer address space must match address space of the referenced global}}
  %0 = llvm.mlir.addressof @far : !llvm.ptr
  llvm.return
}

// -----

// expected-error@+1 {{external functions must have 'external' or 'extern_weak' linkage}}
llvm.func private @elsewhere()

// -----

// expected-error@+1 {{'main' does not reference a valid LLVM function}}
llvm.mlir.global_ctors {ctors = [@main], priorities = [0 : i32]}

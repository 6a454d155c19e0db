// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Calls that do not fit what they call.

llvm.func @log(!llvm.ptr, ...)
llvm.func @fixed(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.call' op expected var_callee_type to be a variadic function type}}
  llvm.call @log(%p) vararg(!llvm.func<void (ptr)>) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @log(!llvm.ptr, ...)
llvm.func @many(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.call' op expected var_callee_type to have at most 1 parameters}}
  llvm.call @log(%p) vararg(!llvm.func<void (ptr, i32, ...)>) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @log(!llvm.ptr, ...)
llvm.func @type(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.call' op var_callee_type parameter type mismatch: 'i32' != '!llvm.ptr'}}
  llvm.call @log(%p) vararg(!llvm.func<void (i32, ...)>) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @log(!llvm.ptr, ...)
llvm.func @value(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.call' op expected var_callee_type to return void}}
  llvm.call @log(%p) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @log(!llvm.ptr, ...) -> i32
llvm.func @result(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.call' op var_callee_type return type mismatch: 'i64' != 'i32'}}
  %0 = llvm.call @log(%p) vararg(!llvm.func<i64 (ptr, ...)>) : (!llvm.ptr) -> i32
  llvm.return
}

// -----

llvm.func @log(!llvm.ptr, !llvm.ptr, ...)
llvm.func @few(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.call' op incorrect number of operands (1) for varargs callee (expecting at least: 2)}}
  llvm.call @log(%p) vararg(!llvm.func<void (ptr, ...)>) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @gives() -> i32
llvm.func @ignored() {
  // expected-error@+1 {{'llvm.call' op expected function call to produce a value}}
  llvm.call @gives() : () -> ()
  llvm.return
}

// -----

llvm.func @void()
llvm.func @wanted() {
  // expected-error@+1 {{'llvm.call' op calling function with void result must not produce values}}
  %0 = llvm.call @void() : () -> i32
  llvm.return
}

// -----

llvm.func @gives() -> i32
llvm.func @other() {
  // expected-error@+1 {{'llvm.call' op result type mismatch: 'i64' != 'i32'}}
  %0 = llvm.call @gives() : () -> i64
  llvm.return
}

// -----

llvm.func @takes(i32)
llvm.func @other(%x: i64) {
  // expected-error@+1 {{'llvm.call' op operand type mismatch for operand 0: 'i64' != 'i32'}}
  llvm.call @takes(%x) : (i64) -> ()
  llvm.return
}

// -----

llvm.func @nobody() {
  // expected-error@+1 {{'llvm.call' op must have either a `callee` attribute or at least an operand}}
  "llvm.call"() <{operandSegmentSizes = array<i32: 0, 0>, op_bundle_sizes = array<i32>}> : () -> ()
  llvm.return
}

// -----

llvm.func @number(%x: i64) {
  // expected-error@+1 {{'llvm.call' op indirect call expects a pointer as callee: 'i64'}}
  llvm.call %x() : i64, () -> ()
  llvm.return
}

// -----

llvm.func @unknown() {
  // expected-error@+1 {{'llvm.call' op 'nothing' does not reference a symbol in the current scope}}
  llvm.call @nothing() : () -> ()
  llvm.return
}

// -----

llvm.func @personality(...) -> i32
llvm.func @nobody() attributes {personality = @personality} {
  // expected-error@+1 {{invalid properties {op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0, 0>} for op llvm.invoke: size mismatch in attribute conversion: 4 vs 3}}
  "llvm.invoke"()[^done, ^pad] <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, op_bundle_sizes = array<i32>}> : () -> ()
^pad:
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.br ^done
^done:
  llvm.return
}

// -----

llvm.func @f()
llvm.func @type() {
  // expected-error@+1 {{custom op 'llvm.call' expected trailing function type}}
  llvm.call @f() : i32
  llvm.return
}

// -----

llvm.func @f()
llvm.func @results() {
  // expected-error@+1 {{custom op 'llvm.call' expected function with 0 or 1 result}}
  %0:2 = llvm.call @f() : () -> (i32, i32)
  llvm.return
}

// -----

llvm.func @f()
llvm.func @void() {
  // expected-error@+1 {{custom op 'llvm.call' expected a non-void result type}}
  %0 = llvm.call @f() : () -> !llvm.void
  llvm.return
}

// -----

llvm.func @f()
llvm.func @direct(%p: !llvm.ptr) {
  // expected-error@+1 {{custom op 'llvm.call' expected direct call to have 1 trailing type}}
  llvm.call @f() : !llvm.ptr, () -> ()
  llvm.return
}

// -----

llvm.func @indirect(%p: !llvm.ptr) {
  // expected-error@+1 {{custom op 'llvm.call' expected indirect call to have 2 trailing types}}
  llvm.call %p() : () -> ()
  llvm.return
}

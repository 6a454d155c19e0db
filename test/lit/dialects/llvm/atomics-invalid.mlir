// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Orderings, alignments and types that an atomic access cannot have.

llvm.func @plain(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.load' op expected syncscope to be null for non-atomic access}}
  %x = llvm.load %p {syncscope = "agent"} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @weak_fence() {
  // expected-error@+1 {{'llvm.fence' op can be given only acquire, release, acq_rel, and seq_cst orderings}}
  llvm.fence monotonic
  llvm.return
}

// -----

llvm.func @add(%p: !llvm.ptr, %x: i32) {
  // expected-error@+1 {{'llvm.atomicrmw' op expected LLVM IR floating point type}}
  %0 = llvm.atomicrmw fadd %p, %x monotonic : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @scalable(%p: !llvm.ptr, %x: vector<[2]xf16>) {
  // expected-error@+1 {{'llvm.atomicrmw' op operand #1 must be floating point LLVM type or LLVM pointer type or signless integer, but got 'vector<[2]xf16>'}}
  %0 = "llvm.atomicrmw"(%p, %x) {bin_op = 11 : i64, ordering = 2 : i64} : (!llvm.ptr, vector<[2]xf16>) -> vector<[2]xf16>
  llvm.return
}

// -----

llvm.func @lanes(%p: !llvm.ptr, %x: vector<2xi16>) {
  // expected-error@+1 {{'llvm.atomicrmw' op operand #1 must be floating point LLVM type or LLVM pointer type or signless integer, but got 'vector<2xi16>'}}
  %0 = "llvm.atomicrmw"(%p, %x) {bin_op = 11 : i64, ordering = 2 : i64} : (!llvm.ptr, vector<2xi16>) -> vector<2xi16>
  llvm.return
}

// -----

llvm.func @exchange(%p: !llvm.ptr, %x: i7) {
  // expected-error@+1 {{'llvm.atomicrmw' op unexpected LLVM IR type for 'xchg' bin_op}}
  %0 = llvm.atomicrmw xchg %p, %x monotonic : !llvm.ptr, i7
  llvm.return
}

// -----

llvm.func @add(%p: !llvm.ptr, %x: f32) {
  // expected-error@+1 {{'llvm.atomicrmw' op expected LLVM IR integer type}}
  %0 = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr, f32
  llvm.return
}

// -----

llvm.func @unordered(%p: !llvm.ptr, %x: i32) {
  // expected-error@+1 {{'llvm.atomicrmw' op expected at least 'monotonic' ordering}}
  %0 = llvm.atomicrmw add %p, %x unordered : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @pair(%p: !llvm.ptr, %x: i32) {
  // expected-error@+1 {{'llvm.cmpxchg' op failed to verify that result #0 has an LLVM struct type consisting of the type of operand #2 and a bool}}
  %0 = "llvm.cmpxchg"(%p, %x, %x) {success_ordering = 2 : i64, failure_ordering = 2 : i64} : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i8)>
  llvm.return
}

// -----

llvm.func @odd(%p: !llvm.ptr, %x: i7) {
  // expected-error@+1 {{'llvm.cmpxchg' op unexpected LLVM IR type}}
  %0 = llvm.cmpxchg %p, %x, %x monotonic monotonic : !llvm.ptr, i7
  llvm.return
}

// -----

llvm.func @unordered(%p: !llvm.ptr, %x: i32) {
  // expected-error@+1 {{'llvm.cmpxchg' op ordering must be at least 'monotonic'}}
  %0 = llvm.cmpxchg %p, %x, %x unordered monotonic : !llvm.ptr, i32
  llvm.return
}

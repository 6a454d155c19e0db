// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Accesses and addresses that LLVM cannot have.

llvm.func @half_byte(%p: !llvm.ptr) {
  // expected-error@+1 {{unsupported type 'i4' for atomic access}}
  %x = llvm.load %p atomic acquire {alignment = 1 : i64} : !llvm.ptr -> i4
  llvm.return
}

// -----

llvm.func @release_load(%p: !llvm.ptr) {
  // expected-error@+1 {{unsupported ordering 'acq_rel'}}
  %x = llvm.load %p atomic acq_rel {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @unaligned(%p: !llvm.ptr, %x: i32) {
  // expected-error@+1 {{expected alignment for atomic access}}
  llvm.store %x, %p atomic release : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @swap(%p: !llvm.ptr, %x: i32) {
  // expected-error@+1 {{failure ordering cannot be 'release' or 'acq_rel'}}
  %0 = llvm.cmpxchg %p, %x, %x seq_cst acq_rel : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @member(%p: !llvm.ptr) {
  // expected-error@+1 {{index 1 indexing a struct is out of bounds}}
  %0 = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i8)>
  llvm.return
}

// -----

llvm.func @scalar(%p: !llvm.ptr, %i: i64) {
  // expected-error@+1 {{type 'f32' cannot be indexed (index #2)}}
  %0 = llvm.getelementptr %p[%i, 1, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
  llvm.return
}

// -----

llvm.func @spaces(%p: !llvm.ptr<3>) {
  // expected-error@+1 {{cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead}}
  %0 = llvm.bitcast %p : !llvm.ptr<3> to !llvm.ptr
  llvm.return
}

// -----

llvm.func @narrower(%x: i32) {
  // expected-error@+1 {{integer width of the output type is smaller or equal to the integer width of the input type}}
  %0 = llvm.sext %x : i32 to i16
  llvm.return
}

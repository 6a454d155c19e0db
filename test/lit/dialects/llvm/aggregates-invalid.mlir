// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Members and elements that an aggregate does not have.

llvm.func @variable(%p: !llvm.ptr, %i: i64) {
  // expected-error@+1 {{'llvm.getelementptr' op expected index 1 indexing a struct to be constant}}
  %0 = llvm.getelementptr %p[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i8, i8)>
  llvm.return
}

// -----

llvm.func @too_few(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.getelementptr' op expected as many dynamic indices as specified in 'rawConstantIndices'}}
  %0 = "llvm.getelementptr"(%p) {elem_type = i8, rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @scalar(%s: !llvm.struct<(i32, f32)>) {
  %0 = llvm.extractvalue %s[0, 0] : !llvm.struct<(i32, f32)>
  // expected-error@+1 {{custom op 'llvm.extractvalue' expected LLVM IR structure/array type, got: 'i32'}}
  llvm.return
}

// -----

llvm.func @behind(%s: !llvm.array<4 x i32>) {
  %0 = llvm.extractvalue %s[4] : !llvm.array<4 x i32>
  // expected-error@+1 {{custom op 'llvm.extractvalue' position out of bounds: 4}}
  llvm.return
}

// -----

llvm.func @result(%s: !llvm.struct<(i32, f32)>) {
  // expected-error@+1 {{'llvm.extractvalue' op Type mismatch: extracting from '!llvm.struct<(i32, f32)>' should produce 'i32' but this op returns 'f32'}}
  %0 = "llvm.extractvalue"(%s) {position = array<i64: 0>} : (!llvm.struct<(i32, f32)>) -> f32
  llvm.return
}

// -----

llvm.func @member(%s: !llvm.struct<(i32, f32)>, %x: f32) {
  // expected-error@+1 {{'llvm.insertvalue' op Type mismatch: cannot insert 'f32' into '!llvm.struct<(i32, f32)>'}}
  %0 = "llvm.insertvalue"(%s, %x) {position = array<i64: 0>} : (!llvm.struct<(i32, f32)>, f32) -> !llvm.struct<(i32, f32)>
  llvm.return
}

// -----

llvm.func @on_stack(%n: i64) {
  // expected-error@+1 {{'llvm.alloca' op this target extension type cannot be used in alloca}}
  %0 = llvm.alloca %n x !llvm.target<"amdgcn.named.barrier"> : (i64) -> !llvm.ptr
  llvm.return
}

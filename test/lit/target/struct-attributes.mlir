// RUN: mlc-translate --mlir-to-llvmir -split-input-file -verify-diagnostics %s | FileCheck %s
// Attributes of a struct's fields are left out, since LLVM IR has no place for them. What is valid is written.
// CHECK: define void @f({ i32 } %0)
llvm.func @f(%s: !llvm.struct<(i32)> {llvm.struct_attrs = [{llvm.noundef}]}) {
  llvm.return
}

// -----

// expected-error@below {{an integer of no bits has no machine type}}
llvm.func @g(%a: i0) {
  llvm.return
}

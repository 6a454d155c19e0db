// RUN: mlc-opt %s --llvm-narrow-floats-as-ints --target=x86-64-v2 --verify-diagnostics | FileCheck %s
// A function that computes on them, or takes one, stays as it is.
// CHECK-LABEL: llvm.func @computes
// CHECK: llvm.load %arg0 : !llvm.ptr -> f16
llvm.func @computes(%from: !llvm.ptr) -> f32 {
  %x = llvm.load %from : !llvm.ptr -> f16
  // expected-remark @below {{its f16 or bf16 stays what it is: 'llvm.fpext' computes on it}}
  %y = llvm.fpext %x : f16 to f32
  llvm.return %y : f32
}

// CHECK-LABEL: llvm.func @takes
// CHECK: llvm.store %arg0, %arg1 : f16, !llvm.ptr
llvm.func @takes(%x: f16, %to: !llvm.ptr) {
  llvm.store %x, %to : f16, !llvm.ptr
  llvm.return
}

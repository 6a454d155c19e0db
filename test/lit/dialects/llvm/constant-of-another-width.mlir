// RUN: mlc-opt %s --canonicalize | FileCheck %s
// The attribute of a constant may be wider than the constant: no crash.
// CHECK-LABEL: llvm.func @mul
// CHECK: llvm.return
llvm.func @mul() -> i32 {
  %a = llvm.mlir.constant(5 : i64) : i32
  %b = llvm.mlir.constant(3 : i32) : i32
  %c = llvm.mul %a, %b : i32
  llvm.return %c : i32
}

// RUN: mlc-opt %s --canonicalize | FileCheck %s
// What folds in the llvm dialect is a constant of the llvm dialect: nothing of arith may be left behind for the back end.
// CHECK-LABEL: llvm.func @either
// CHECK: %[[C:.*]] = llvm.mlir.constant(3 : i64) : i64
// CHECK-NEXT: llvm.return %[[C]]
// CHECK-NOT: arith
llvm.func @either() -> i64 {
  %two = llvm.mlir.constant(2 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %either = llvm.or %two, %three : i64
  llvm.return %either : i64
}

// RUN: mlc-cpu-runner %s -entry-point-result=void -shared-libs=%runner_utils | FileCheck %s
// Constructors run before the function, destructors after it, each by their priority.
// CHECK: {{^}}1, 2, 3, 4, 5, 
module {
  llvm.mlir.global_ctors {ctors = [@two, @one], priorities = [7 : i32, 3 : i32]}
  llvm.mlir.global_dtors {dtors = [@four, @five], priorities = [0 : i32, 0 : i32]}
  llvm.func @printI64(i64)
  llvm.func @printComma()
  llvm.func @show(%n: i64) {
    llvm.call @printI64(%n) : (i64) -> ()
    llvm.call @printComma() : () -> ()
    llvm.return
  }
  llvm.func @one() {
    %0 = llvm.mlir.constant(1 : i64) : i64
    llvm.call @show(%0) : (i64) -> ()
    llvm.return
  }
  llvm.func @two() {
    %0 = llvm.mlir.constant(2 : i64) : i64
    llvm.call @show(%0) : (i64) -> ()
    llvm.return
  }
  llvm.func @main() {
    %0 = llvm.mlir.constant(3 : i64) : i64
    llvm.call @show(%0) : (i64) -> ()
    llvm.return
  }
  llvm.func @four() {
    %0 = llvm.mlir.constant(4 : i64) : i64
    llvm.call @show(%0) : (i64) -> ()
    llvm.return
  }
  llvm.func @five() {
    %0 = llvm.mlir.constant(5 : i64) : i64
    llvm.call @show(%0) : (i64) -> ()
    llvm.return
  }
}

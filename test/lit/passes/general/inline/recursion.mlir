// RUN: mlc-opt %s --inline="default-pipeline=" --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// Functions that call each other are one group. A body is not put into a copy of itself, but each
// of the four rounds takes it in once more; places say where a copy was called from.
// CHECK-LABEL: func.func @a
// CHECK-NEXT: call @b() : () -> () loc(callsite(callsite("a.mlir":2:1 at "b.mlir":2:1) at callsite(
// CHECK-NEXT: return
func.func @a() {
  call @b() : () -> () loc("a.mlir":2:1)
  return
}
// CHECK-LABEL: func.func @b
// CHECK-NEXT: call @b() : () -> () loc(callsite("a.mlir":2:1 at "b.mlir":2:1))
func.func @b() {
  call @a() : () -> () loc("b.mlir":2:1)
  return
}
// CHECK-LABEL: func.func @self
// CHECK-NEXT: call @self
func.func @self() {
  call @self() : () -> ()
  return
}
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: call @self
// CHECK-NEXT: return
func.func @caller() {
  call @self() : () -> ()
  return
}
// A chain: private functions go with their last call, whatever the order they are written in.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: arith.constant 3
// CHECK-NEXT: arith.constant 3
// CHECK-NEXT: arith.addi
// CHECK-NOT: func.func
func.func @chain() -> i32 {
  %x = call @one() : () -> i32
  %y = call @two() : () -> i32
  %z = arith.addi %x, %y : i32
  return %z : i32
}
func.func private @one() -> i32 {
  %x = call @two() : () -> i32
  return %x : i32
}
func.func private @two() -> i32 {
  %x = arith.constant 3 : i32
  return %x : i32
}

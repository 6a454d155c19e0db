// RUN: mlc-opt %s --convert-nvvm-to-llvm | FileCheck %s
// What is an intrinsic of LLVM needs no PTX.
// CHECK-NOT: llvm.inline_asm
// CHECK: nvvm.barrier0
// CHECK: nvvm.read.ptx.sreg.tid.x
func.func @f() -> i32 {
  nvvm.barrier0
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  return %0 : i32
}

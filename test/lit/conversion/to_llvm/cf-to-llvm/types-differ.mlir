// RUN: mlc-opt %s --convert-cf-to-llvm | FileCheck %s
// A branch stays while what it passes values to is of a type that is not llvm's.
// CHECK-LABEL: @f
// CHECK: cf.br ^bb1(%arg0 : index)
// CHECK: llvm.br ^bb2(%arg1 : i32)
func.func @f(%i: index, %x: i32) -> i32 {
  cf.br ^bb1(%i : index)
^bb1(%j: index):
  cf.br ^bb2(%x : i32)
^bb2(%y: i32):
  return %y : i32
}

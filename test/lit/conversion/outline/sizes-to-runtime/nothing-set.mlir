// RUN: mlc-opt %s --sizes-to-runtime | FileCheck %s
// Calls of other functions stay.
// CHECK: func.func private @other
// CHECK: call @other
func.func private @other(i64) -> index
func.func @main(%call: !llvm.ptr, %x: i64) -> index {
  %y = func.call @other(%x) : (i64) -> index
  return %y : index
}

// RUN: mlc-opt %s --text-to-runtime | FileCheck %s
// Calls of other functions stay.
// CHECK: func.func private @other
// CHECK: call @other
func.func private @other(i64) -> i64
func.func @kernel(%call: !llvm.ptr, %x: i64) -> i64 {
  %y = func.call @other(%x) : (i64) -> i64
  return %y : i64
}

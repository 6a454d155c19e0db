// RUN: mlc-opt %s --operators-to-runtime | FileCheck %s
// Calls of other functions stay.
// CHECK-NOT: mlc.operators
// CHECK: func.func private @other
// CHECK: call @other
func.func private @other(memref<4xf32>)
func.func @kernel(%call: !llvm.ptr, %x: memref<4xf32>) {
  func.call @other(%x) : (memref<4xf32>) -> ()
  return
}

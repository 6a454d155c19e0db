// RUN: mlc-opt %s --text-to-runtime | FileCheck %s
// What is asked of strings becomes a call of the runtime's table; the function that stood for it goes.
// CHECK-NOT: @mlc_text
// CHECK-LABEL: func.func @kernel
// CHECK: %[[TABLE:.*]] = llvm.load %arg0
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[TABLE]][5]
// CHECK: %[[ASK:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[ANSWER:.*]] = llvm.call %[[ASK]](%arg0, %{{.*}}, %arg1, %arg1, %arg1, %arg1)
// CHECK: memref.store %[[ANSWER]]
func.func private @mlc_text(i64, i64, i64, i64, i64) -> i64
func.func @kernel(%call: !llvm.ptr, %x: i64, %to: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %what = arith.constant 1 : i64
  %y = func.call @mlc_text(%what, %x, %x, %x, %x) : (i64, i64, i64, i64, i64) -> i64
  memref.store %y, %to[%c0] : memref<1xi64>
  return
}

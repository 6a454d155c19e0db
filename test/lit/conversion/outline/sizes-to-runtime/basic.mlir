// RUN: mlc-opt %s --sizes-to-runtime | FileCheck %s
// A computed size is told to the runtime by its table; a failure is an assertion's. The function that stood for it goes.
// CHECK-NOT: @mlc_set_size
// CHECK-LABEL: func.func @main
// CHECK: %[[TABLE:.*]] = llvm.load %arg0
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[TABLE]][10]
// CHECK: %[[SET:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[VALUE:.*]] = llvm.call %[[SET]](%arg0, %{{.*}}, %arg1)
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[VALUE]]
// CHECK: cf.assert %[[FITS]], "a size that the model computes is none"
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[VALUE]]
// CHECK: return %[[SIZE]]
func.func private @mlc_set_size(i64, i64) -> index
func.func @main(%call: !llvm.ptr, %x: i64) -> index {
  %number = arith.constant 0 : i64
  %size = func.call @mlc_set_size(%number, %x) {mlc.size = "computed.0"} : (i64, i64) -> index
  return %size : index
}

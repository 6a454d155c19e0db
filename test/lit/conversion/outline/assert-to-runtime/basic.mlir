// RUN: mlc-opt %s --assert-to-runtime | FileCheck %s
// A failed assertion tells the runtime and leaves the function; a loop around it makes no difference.
// CHECK: llvm.mlir.global private constant @assertion_0("no room\00")
// CHECK-LABEL: func.func @kernel
// CHECK: cf.cond_br %arg1, ^[[REST:.*]], ^[[FAILED:.*]]
// CHECK: ^[[REST]]:
// CHECK-NEXT: memref.store
// CHECK: return
// CHECK: ^[[FAILED]]:
// CHECK: %[[TABLE:.*]] = llvm.load %arg0
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[TABLE]][4]
// CHECK: %[[FAIL:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @assertion_0
// CHECK: llvm.call %[[FAIL]](%arg0, %{{.*}}, %[[TEXT]])
// CHECK-NEXT: return
func.func @kernel(%call: !llvm.ptr, %fits: i1, %x: f32, %to: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  cf.assert %fits, "no room"
  memref.store %x, %to[%c0] : memref<1xf32>
  return
}

// RUN: mlc-opt %s --kernel-scratch | FileCheck %s
// What a callee is given is a buffer of its caller, which stands before it here and is given room in turn.
// CHECK-LABEL: func.func @main
// CHECK: %[[ROOM:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
// CHECK: call @caller(%{{.*}}, %[[ROOM]])
// CHECK-LABEL: func.func private @caller(
// CHECK-NOT: memref.alloc
// CHECK: %[[VIEW:.*]] = memref.view %arg1
// CHECK: call @kernel(%arg0, %[[VIEW]])
// CHECK-LABEL: func.func private @kernel(
// CHECK-NOT: memref.alloc
func.func @main(%m: memref<4xf32>) {
  call @caller(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @caller(%m: memref<4xf32>) {
  call @kernel(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @kernel(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<10xf32>
  %v = memref.load %m[%c0] : memref<4xf32>
  memref.store %v, %a[%c0] : memref<10xf32>
  return
}

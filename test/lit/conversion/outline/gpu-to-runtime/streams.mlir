// RUN: mlc-opt %s --parallel-to-runtime --gpu-to-runtime | FileCheck %s
// Another stream is told ahead of what it does, then the events that it waits for; an event behind what records it (MlcRtOrder: 0 a
// stream, 1 record, 2 wait, 3 submit). What says nothing is on stream 0. A copy that the host reads at the end is 3 (MlcRtCopy).
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[CALL:[a-z0-9]+]]: !llvm.ptr
// CHECK: %[[STREAM:.*]] = llvm.mlir.constant(0 : i64) : i64
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK: llvm.call %{{.*}}(%[[CALL]], %[[STREAM]], %[[ONE]]) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
// CHECK: %[[WAIT:.*]] = llvm.mlir.constant(2 : i64) : i64
// CHECK: %[[EVENT:.*]] = llvm.mlir.constant(5 : i64) : i64
// CHECK: llvm.call %{{.*}}(%[[CALL]], %[[WAIT]], %[[EVENT]]) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
// CHECK: call @kernel(%[[CALL]], %{{.*}}) : (!llvm.ptr,
// CHECK: %[[RECORD:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK: %[[NUMBER:.*]] = llvm.mlir.constant(6 : i64) : i64
// CHECK: llvm.call %{{.*}}(%[[CALL]], %[[RECORD]], %[[NUMBER]]) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
// CHECK: %[[SUBMIT:.*]] = llvm.mlir.constant(3 : i64) : i64
// CHECK: llvm.call %{{.*}}(%[[CALL]], %[[SUBMIT]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
// CHECK: call @kernel(%[[CALL]], %{{.*}}) : (!llvm.ptr,
// CHECK: %[[LATER:.*]] = llvm.mlir.constant(3 : i64) : i64
// CHECK: llvm.call %{{.*}}(%[[CALL]], %{{.*}}, %{{.*}}, %{{.*}}, %[[LATER]]) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
func.func @main(%d: memref<4xf32, #gpu.address_space<global>>, %h: memref<4xf32>) {
  call @kernel(%d) {mlc.stream = 1 : i64, mlc.waits = [5], mlc.event = 6 : i64} : (memref<4xf32, #gpu.address_space<global>>) -> ()
  call @kernel(%d) {mlc.submit} : (memref<4xf32, #gpu.address_space<global>>) -> ()
  gpu.memcpy %h, %d : memref<4xf32>, memref<4xf32, #gpu.address_space<global>> {mlc.at_end}
  return
}
func.func private @kernel(%d: memref<4xf32, #gpu.address_space<global>>) {
  return
}

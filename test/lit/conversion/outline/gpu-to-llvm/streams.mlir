// RUN: mlc-opt %s --gpu-to-llvm | FileCheck %s
// A token is a stream. One that others wait for gets an event behind what was put into it; to wait is to end the stream.
// CHECK-LABEL: llvm.func @join
func.func @join() {
  // CHECK: %[[A:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK: %[[E:.*]] = llvm.call @mgpuEventCreate()
  // CHECK: llvm.call @mgpuEventRecord(%[[E]], %[[A]])
  %a = gpu.wait async
  // CHECK: %[[B:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK: llvm.call @mgpuStreamWaitEvent(%[[B]], %[[E]])
  // CHECK: llvm.call @mgpuEventDestroy(%[[E]])
  %b = gpu.wait async [%a]
  // CHECK: llvm.call @mgpuStreamSynchronize(%[[A]])
  // CHECK: llvm.call @mgpuStreamDestroy(%[[A]])
  // CHECK: llvm.call @mgpuStreamSynchronize(%[[B]])
  // CHECK: llvm.call @mgpuStreamDestroy(%[[B]])
  gpu.wait [%a, %b]
  return
}

// One that comes from elsewhere is an event.
// CHECK-LABEL: llvm.func @given(
// CHECK-SAME: %[[T:.*]]: !llvm.ptr
// CHECK: llvm.call @mgpuEventSynchronize(%[[T]])
// CHECK: llvm.call @mgpuEventDestroy(%[[T]])
func.func @given(%t: !gpu.async.token) {
  gpu.wait [%t]
  return
}

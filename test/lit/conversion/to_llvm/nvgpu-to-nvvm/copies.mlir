// RUN: mlc-opt %s --convert-nvgpu-to-nvvm | FileCheck %s
// Sizes in bytes; tokens are nothing, for groups are counted.
// CHECK-LABEL: func.func @copies
func.func @copies(%s: memref<128x32xf16, 3>, %g: memref<128x32xf16>, %i: index) {
  // CHECK: %[[FROM:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[FROM]], 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  %0 = nvgpu.device_async_copy %g[%i, %i], %s[%i, %i], 8 {bypassL1} : memref<128x32xf16> to memref<128x32xf16, 3>
  // CHECK: %[[BITS:.*]] = llvm.mul %{{.*}}, %{{.*}} : i32
  // CHECK: %[[BYTES:.*]] = llvm.lshr %[[BITS]], %{{.*}} : i32
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %[[BYTES]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
  %1 = nvgpu.device_async_copy %g[%i, %i], %s[%i, %i], 4, %i : memref<128x32xf16> to memref<128x32xf16, 3>
  // CHECK: nvvm.cp.async.commit.group
  %2 = nvgpu.device_async_create_group %0, %1
  // CHECK: nvvm.cp.async.wait.group 1
  nvgpu.device_async_wait %2 {numGroups = 1 : i32}
  // CHECK: nvvm.cp.async.wait.group 0
  nvgpu.device_async_wait %2
  return
}

// RUN: mlc-opt %s --gpu-to-llvm | FileCheck %s
// Memory comes from the library, in a stream; sizes are bytes. What both sides see is allocated without one.
// CHECK-LABEL: llvm.func @f(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64, %{{.*}}: f32
func.func @f(%n: index, %x: f32) {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
  %t0 = gpu.wait async
  // CHECK: %[[END:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK: %[[BYTES:.*]] = llvm.ptrtoint %[[END]]
  // CHECK: %[[ALONE:.*]] = llvm.mlir.constant(0 : i8)
  // CHECK: %[[P:.*]] = llvm.call @mgpuMemAlloc(%[[BYTES]], %[[S]], %[[ALONE]])
  %a, %t1 = gpu.alloc async [%t0] (%n) : memref<?x4xf32>
  // CHECK: %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[SHARED:.*]] = llvm.mlir.constant(1 : i8)
  // CHECK: llvm.call @mgpuMemAlloc(%{{.*}}, %{{.*}}, %[[SHARED]])
  %b = gpu.alloc host_shared (%n) : memref<?x4xf32>
  // CHECK: llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %{{.*}}, %[[S]]) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
  %t2 = gpu.memcpy async [%t1] %a, %b : memref<?x4xf32>, memref<?x4xf32>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: llvm.call @mgpuMemset32(%{{.*}}, %[[BITS]], %{{.*}}, %[[S]])
  %t3 = gpu.memset async [%t2] %a, %x : memref<?x4xf32>, f32
  // CHECK: %[[Q:.*]] = llvm.extractvalue %{{.*}}[0]
  // CHECK: llvm.call @mgpuMemFree(%[[Q]], %[[S]])
  %t4 = gpu.dealloc async [%t3] %a : memref<?x4xf32>
  gpu.wait [%t4]
  return
}

// CHECK-LABEL: llvm.func @seen(
// CHECK: llvm.call @mgpuMemHostRegisterMemRef(%{{.*}}, %{{.*}}, %{{.*}}) : (i64, !llvm.ptr, i64) -> ()
// CHECK: llvm.call @mgpuMemHostUnregisterMemRef(
// CHECK: llvm.call @mgpuSetDefaultDevice(%{{.*}}) : (i32) -> ()
func.func @seen(%m: memref<*xf32>, %d: i32) {
  gpu.host_register %m : memref<*xf32>
  gpu.host_unregister %m : memref<*xf32>
  gpu.set_default_device %d
  return
}

// Elements of 16 bits are words of the library, too.
// CHECK-LABEL: llvm.func @half(
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(8 : index)
// CHECK: llvm.call @mgpuMemset16(%{{.*}}, %{{.*}}, %[[COUNT]], %{{.*}}) : (!llvm.ptr, i16, i64, !llvm.ptr) -> ()
func.func @half(%m: memref<2x4xf16>, %x: f16) {
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %m, %x : memref<2x4xf16>, f16
  gpu.wait [%t1]
  return
}

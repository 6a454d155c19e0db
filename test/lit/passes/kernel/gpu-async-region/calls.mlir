// RUN: mlc-opt %s --gpu-async-region --gpu-to-llvm | FileCheck %s
// With tokens all of it is calls of the library.
// CHECK: %[[S:.*]] = llvm.call @mgpuStreamCreate()
// CHECK: llvm.call @mgpuMemAlloc(%{{.*}}, %[[S]],
// CHECK: llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %{{.*}}, %[[S]])
// CHECK: llvm.call @mgpuMemFree(%{{.*}}, %[[S]])
// CHECK: llvm.call @mgpuStreamSynchronize(%[[S]])
// CHECK: llvm.call @mgpuStreamDestroy(%[[S]])
// CHECK-NOT: gpu.
func.func @f(%a: memref<8xf32>) {
  %m = gpu.alloc () : memref<8xf32>
  gpu.memcpy %m, %a : memref<8xf32>, memref<8xf32>
  gpu.dealloc %m : memref<8xf32>
  return
}

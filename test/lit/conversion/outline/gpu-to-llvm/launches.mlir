// RUN: mlc-opt %s --gpu-to-llvm | FileCheck %s
// RUN: mlc-opt %s --gpu-to-llvm='use-bare-pointers-for-kernels use-bare-pointers-for-host' | FileCheck %s --check-prefix=BARE
// Launches stay, with the fields of descriptors and with the stream; code for the device is left alone.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    llvm.func @k(%a: i32, %b: !llvm.ptr, %c: !llvm.ptr, %d: i64, %e: i64, %f: i64) attributes {gpu.kernel} {
      llvm.return
    }
  }
  // BARE: llvm.func @f(%[[P:.*]]: !llvm.ptr)
  func.func @f(%m: memref<8xf32>) {
    %n = arith.constant 8 : index
    %i = arith.constant 3 : i32
    // CHECK: gpu.launch_func @kernels::@k clusters in (%{{.*}}) blocks in (%{{.*}}) threads in (%{{.*}}) : i64 dynamic_shared_memory_size %{{.*}} args(%{{.*}} : i32, %{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : i64, %{{.*}} : i64, %{{.*}} : i64) {note}
    // BARE: gpu.launch_func @kernels::@k {{.*}} args(%{{.*}} : i32, %{{.*}} : !llvm.ptr)
    gpu.launch_func @kernels::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
      dynamic_shared_memory_size %i args(%i : i32, %m : memref<8xf32>) {note}
    // CHECK: %[[S:.*]] = llvm.call @mgpuStreamCreate()
    // CHECK: gpu.launch_func <%[[S]] : !llvm.ptr> @kernels::@k
    %t0 = gpu.launch_func async @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%i : i32, %m : memref<8xf32>)
    // CHECK: gpu.launch_func <%[[S]] : !llvm.ptr> @kernels::@k
    %t1 = gpu.launch_func async [%t0] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%i : i32, %m : memref<8xf32>)
    // CHECK: llvm.call @mgpuStreamSynchronize(%[[S]])
    gpu.wait [%t1]
    return
  }
}

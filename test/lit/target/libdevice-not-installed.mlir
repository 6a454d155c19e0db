// RUN: not env -u MLC_LIBDEVICE CUDA_HOME=/nowhere CUDA_PATH=/nowhere mlc-translate --export-ptx %s 2>&1 | FileCheck %s
// REQUIRES: no-libdevice
// CHECK: error: {{.*}}the kernel calls CUDA's math functions, and libdevice.10.bc is not installed: install CUDA's nvvm, or set MLC_LIBDEVICE
gpu.module @kernels {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @f(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = llvm.call @__nv_expf(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

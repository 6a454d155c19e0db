// REQUIRES: llvm-as
// RUN: llvm-as %S/Inputs/libdevice.ll -o %t.bc
// RUN: not env MLC_LIBDEVICE=%t.bc mlc-translate --export-ptx %s 2>&1 | FileCheck %s
// A kernel that defines what the library defines, too.
// CHECK: error: {{.*}}symbol multiply defined{{.*}}; libdevice cannot be linked with the kernel
gpu.module @kernels {
  llvm.func @__nv_sinf(f32) -> f32
  llvm.func @__nv_expf(%x: f32) -> f32 {
    llvm.return %x : f32
  }
  llvm.func @f(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = llvm.call @__nv_expf(%x) : (f32) -> f32
    %z = llvm.call @__nv_sinf(%y) : (f32) -> f32
    llvm.store %z, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

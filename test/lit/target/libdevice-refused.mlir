// RUN: not env MLC_LIBDEVICE=/nowhere mlc-translate --export-ptx %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not env MLC_LIBDEVICE=%s mlc-translate --export-ptx %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not mlc-translate --export-object --target=nvptx64-sm_80 %s 2>&1 | FileCheck %s --check-prefix=OBJECT
// MISSING: error: {{.*}}'/nowhere': No such file or directory
// TEXT: error: {{.*}}LLVM: Invalid bitcode signature; '{{.*}}libdevice-refused.mlir' is no bitcode that LLVM 19 reads
// OBJECT: error: {{.*}}no object files for nvptx64: emit assembly, which is PTX
gpu.module @kernels {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @f(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = llvm.call @__nv_expf(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

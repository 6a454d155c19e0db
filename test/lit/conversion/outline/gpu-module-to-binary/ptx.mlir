// REQUIRES: target
// RUN: mlc-opt %s --gpu-module-to-binary=format=isa | FileCheck %s
// One object a target, of the code that LLVM has for its chip.
// CHECK-NOT: gpu.module
// CHECK: gpu.binary @m [#gpu.object<#nvvm.target<chip = "sm_90", features = "+ptx80">, assembly = "{{.*}}.target sm_90{{.*}}.entry k{{.*}}">, #gpu.object<#nvvm.target<{{.*}}chip = "sm_70">, assembly = "{{.*}}.target sm_70
module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<chip = "sm_90", features = "+ptx80">, #nvvm.target<O = 0, chip = "sm_70">] {
    llvm.func @k(%p: !llvm.ptr, %x: f32) attributes {gpu.kernel, nvvm.kernel} {
      llvm.store %x, %p : f32, !llvm.ptr
      llvm.return
    }
  }
}

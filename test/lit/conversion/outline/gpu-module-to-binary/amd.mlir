// REQUIRES: target
// RUN: mlc-opt %s --convert-gpu-to-rocdl=chipset=gfx942 --gpu-module-to-binary | FileCheck %s
// AMD's assembly, with what a code object says of the kernel.
// CHECK: gpu.binary @m [#gpu.object<#rocdl.target<chip = "gfx942">, assembly = "{{.*}}amdgcn-amd-amdhsa--gfx942{{.*}}s_barrier{{.*}}.amdhsa_kernel k{{.*}}.max_flat_workgroup_size: 256{{.*}}.vgpr_spill_count: 0
module attributes {gpu.container_module} {
  gpu.module @m [#rocdl.target<chip = "gfx942">] {
    gpu.func @k(%out: memref<256xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %i = gpu.thread_id x
      memref.store %x, %out[%i] : memref<256xf32>
      gpu.barrier
      gpu.return
    }
  }
}

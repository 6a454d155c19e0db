// RUN: not mlc-translate %s --export-ptx --target=cuda-sm_80 2>&1 | FileCheck %s
// Matrices of a shape that no machine has.
gpu.module @m {
  llvm.func @f(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    // CHECK: nvvm-refused.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'nvvm.wmma.load' op LLVM 19 has no intrinsic 'llvm.nvvm.wmma.m5n5k5.load.c.row.stride.f32'
    %0 = nvvm.wmma.load %p, %n {eltype = #nvvm.mma_type<f32>, frag = #nvvm.mma_frag<c>, k = 5 : i32, layout = #nvvm.mma_layout<row>, m = 5 : i32, n = 5 : i32}
      : (!llvm.ptr<1>) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    llvm.return
  }
}

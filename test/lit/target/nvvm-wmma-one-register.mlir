// RUN: mlc-translate %s --export-ptx --target=nvptx64-sm_80 | FileCheck %s
// LLVM has no struct around the one register of a fragment; the op's result is one.
// CHECK: wmma.load.b.sync.aligned.row.m32n8k16.u8
gpu.module @m {
  llvm.func @k(%from: !llvm.ptr, %to: !llvm.ptr) attributes {nvvm.kernel} {
    %stride = llvm.mlir.constant(16 : i32) : i32
    %x = nvvm.wmma.load %from, %stride {eltype = #nvvm.mma_type<u8>, frag = #nvvm.mma_frag<b>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 32 : i32, n = 8 : i32} : (!llvm.ptr) -> !llvm.struct<(i32)>
    %y = llvm.extractvalue %x[0] : !llvm.struct<(i32)>
    llvm.store %y, %to : i32, !llvm.ptr
    llvm.return
  }
}

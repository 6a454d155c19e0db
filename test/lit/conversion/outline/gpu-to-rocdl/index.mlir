// RUN: mlc-opt %s --convert-gpu-to-rocdl=index-bitwidth=32 | FileCheck %s
// RUN: mlc-opt %s --convert-gpu-to-nvvm=index-bitwidth=32 | FileCheck %s --check-prefix=CUDA
// An index as wide as the registers is read as it is.
gpu.module @m {
  // CHECK: llvm.func @f() -> i32
  // CHECK: %[[I:.*]] = rocdl.workitem.id.x : i32
  // CHECK: llvm.return %[[I]] : i32
  // CUDA: %[[I:.*]] = nvvm.read.ptx.sreg.tid.x : i32
  // CUDA: llvm.return %[[I]] : i32
  func.func @f() -> index {
    %i = gpu.thread_id x
    return %i : index
  }
}

// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' | FileCheck %s
// Kernels keep their name, their block size, and what marks them for launches; ids are special registers.
gpu.module @kernels {
  // CHECK: llvm.func @scale(%[[P:.*]]: !llvm.ptr, %[[BY:.*]]: f32)
  // CHECK-SAME: gpu.kernel
  // CHECK-SAME: nvvm.kernel
  // CHECK-SAME: nvvm.maxntid = array<i32: 64, 1, 1>
  gpu.func @scale(%p: memref<64xf32>, %by: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: %[[I:.*]] = llvm.sext %[[TID]] : i32 to i64
    %i = gpu.thread_id x
    // CHECK: nvvm.read.ptx.sreg.ctaid.y
    %j = gpu.block_id y
    // CHECK: llvm.getelementptr %[[P]][%[[I]]]
    // CHECK: llvm.load
    %x = memref.load %p[%i] : memref<64xf32>
    // CHECK: llvm.fmul %{{.*}}, %[[BY]]
    %y = arith.mulf %x, %by : f32
    // CHECK: nvvm.barrier0
    gpu.barrier
    memref.store %y, %p[%i] : memref<64xf32>
    // CHECK: llvm.return
    gpu.return
  }
}

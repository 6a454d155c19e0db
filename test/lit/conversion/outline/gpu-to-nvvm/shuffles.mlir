// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' | FileCheck %s
// All lanes take part; a width below 32 fixes bits of a lane's number. 64 bits go as two words.
gpu.module @m {
  // CHECK-LABEL: llvm.func @f
  gpu.func @f(%x: f32, %d: f64, %off: i32, %out: memref<8xf32>, %wide: memref<8xf64>) kernel {
    %w = arith.constant 32 : i32
    %half = arith.constant 16 : i32
    // CHECK: %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid : i32
    %lane = gpu.lane_id
    // CHECK: llvm.mlir.constant(31 : i32)
    // CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32 -> f32
    %v, %p = gpu.shuffle xor %x, %off, %w : f32
    // CHECK: llvm.mlir.constant(4096 : i32)
    // CHECK: %[[R:.*]] = nvvm.shfl.sync up {{.*}} {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    // CHECK: llvm.extractvalue %[[R]][1]
    %u, %q = gpu.shuffle up %v, %off, %half : f32
    %s = arith.select %q, %u, %v : f32
    // CHECK-COUNT-2: nvvm.shfl.sync idx %{{.*}} : i32 -> i32
    %e, %r = gpu.shuffle idx %d, %off, %w : f64
    memref.store %s, %out[%lane] : memref<8xf32>
    memref.store %e, %wide[%lane] : memref<8xf64>
    gpu.return
  }
}

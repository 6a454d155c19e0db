// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// RUN: mlc-opt %s --gpu-schedule=tf32 | FileCheck %s --check-prefix=TF32
// Matrix instructions for halves, fused multiply and add for f32 unless it may be rounded; what has a schedule keeps it.

// CHECK-LABEL: func.func @halves
func.func @halves(%a: memref<1024x512xf16>, %b: memref<512x2048xf16>, %c: memref<1024x2048xf16>) {
  // CHECK: linalg.matmul {mlc.schedule = #gpu.schedule<kind = mma, tile = [128, 128, 32], warps = [2, 4], stages = 3>}
  linalg.matmul ins(%a, %b : memref<1024x512xf16>, memref<512x2048xf16>) outs(%c : memref<1024x2048xf16>)
  return
}

// Fewer tiles than multiprocessors: smaller ones.
// CHECK-LABEL: func.func @small
func.func @small(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // CHECK: mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 3>
  // TF32: mlc.schedule = #gpu.schedule<kind = mma, tile = [16, 32, 32], warps = [1, 2], stages = 4>
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// A long depth is shared by groups of warps, where there are few tiles; not where sums have one order.
// CHECK-LABEL: func.func @deep
// CHECK-SAME: mlc.notes = ["tiles of 16x32, the depth shared by 8 groups of warps"]
func.func @deep(%a: memref<49x2048xf32>, %b: memref<2048x64xf32>, %c: memref<49x64xf32>) {
  // CHECK: mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 3, split_k = 8>
  linalg.matmul ins(%a, %b : memref<49x2048xf32>, memref<2048x64xf32>) outs(%c : memref<49x64xf32>)
  return
}

// CHECK-LABEL: func.func @said
func.func @said(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // CHECK: mlc.schedule = #gpu.schedule<kind = fma, tile = [64, 64, 16], warps = [2, 2], stages = 2>
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [64, 64, 16], warps = [2, 2], stages = 2>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

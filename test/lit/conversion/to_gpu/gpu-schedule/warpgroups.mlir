// RUN: mlc-opt %s --gpu-schedule --target=cuda-sm_90a | FileCheck %s
// Where the machine has warpgroups, products of halves are theirs, if bulk copies can bring the tiles, and there are enough.

// CHECK-LABEL: func.func @large
func.func @large(%a: memref<2048x512xf16>, %b: memref<512x4096xf16>, %c: memref<2048x4096xf16>) {
  // CHECK: mlc.schedule = #gpu.schedule<kind = wgmma, tile = [128, 256, 64], warps = [8, 1], stages = 4>
  linalg.matmul ins(%a, %b : memref<2048x512xf16>, memref<512x4096xf16>) outs(%c : memref<2048x4096xf16>)
  return
}

// CHECK-LABEL: func.func @medium
func.func @medium(%a: memref<1024x72xbf16>, %b: memref<72x1024xbf16>, %c: memref<1024x1024xf32>) {
  // CHECK: mlc.schedule = #gpu.schedule<kind = wgmma, tile = [64, 64, 64], warps = [4, 1], stages = 4>
  linalg.matmul ins(%a, %b : memref<1024x72xbf16>, memref<72x1024xbf16>) outs(%c : memref<1024x1024xf32>)
  return
}

// Too few tiles.
// CHECK-LABEL: func.func @small
func.func @small(%a: memref<256x512xf16>, %b: memref<512x256xf16>, %c: memref<256x256xf16>) {
  // CHECK: mlc.schedule = #gpu.schedule<kind = mma,
  linalg.matmul ins(%a, %b : memref<256x512xf16>, memref<512x256xf16>) outs(%c : memref<256x256xf16>)
  return
}

// Rows that do not begin at multiples of 16 bytes.
// CHECK-LABEL: func.func @odd
func.func @odd(%a: memref<2048x516xf16>, %b: memref<516x4096xf16>, %c: memref<2048x4096xf16>) {
  // CHECK: mlc.schedule = #gpu.schedule<kind = mma,
  linalg.matmul ins(%a, %b : memref<2048x516xf16>, memref<516x4096xf16>) outs(%c : memref<2048x4096xf16>)
  return
}

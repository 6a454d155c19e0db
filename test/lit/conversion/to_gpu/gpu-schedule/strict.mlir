// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// Under strict numerics a sum has one order, whatever the shape: its depth is not split.
// CHECK: mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 3>
module attributes {mlc.numerics = "strict"} {
  func.func @deep(%a: memref<49x2048xf32>, %b: memref<2048x64xf32>, %c: memref<49x64xf32>) {
    linalg.matmul ins(%a, %b : memref<49x2048xf32>, memref<2048x64xf32>) outs(%c : memref<49x64xf32>)
    return
  }
}

// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// No schedule of a product: sizes that are not known, a few rows, integers, channels that both factors have, gaps in memory, f64, sums
// in a factor's place.
// CHECK-NOT: kind = {{fma|mma|rows}}
func.func @open(%a: memref<?x64xf32>, %b: memref<64x64xf32>, %c: memref<?x64xf32>) {
  linalg.matmul ins(%a, %b : memref<?x64xf32>, memref<64x64xf32>) outs(%c : memref<?x64xf32>)
  return
}
func.func @row(%a: memref<1x64xf32>, %b: memref<64x64xf32>, %c: memref<1x64xf32>) {
  linalg.matmul ins(%a, %b : memref<1x64xf32>, memref<64x64xf32>) outs(%c : memref<1x64xf32>)
  return
}
func.func @integers(%a: memref<64x64xi32>, %b: memref<64x64xi32>, %c: memref<64x64xi32>) {
  linalg.matmul ins(%a, %b : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>)
  return
}
func.func @channels(%a: memref<1x66x66x32xf32>, %b: memref<3x3x32xf32>, %c: memref<1x64x64x32xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %b : memref<1x66x66x32xf32>, memref<3x3x32xf32>) outs(%c : memref<1x64x64x32xf32>)
  return
}
func.func @gaps(%a: memref<64x64xf32, strided<[128, 1]>>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32, strided<[128, 1]>>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
func.func @doubles(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
  linalg.matmul ins(%a, %b : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>)
  return
}
func.func @square(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  return
}

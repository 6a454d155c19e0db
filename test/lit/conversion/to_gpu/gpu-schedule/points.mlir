// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// What reads a padded buffer has a thread for each point, and reductions that are no rows too: several threads where
// there are few points.
// CHECK-LABEL: func.func @inside
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}mlc.schedule = #gpu.schedule<kind = points, warps = [256, 1]>
func.func @inside(%x: memref<1x6x6x8xf32>, %w: memref<3x3x8xf32>, %y: memref<1x6x6x8xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %padded = memref.alloc() : memref<1x8x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x8x8x8xf32>)
  %middle = memref.subview %padded[0, 1, 1, 0] [1, 6, 6, 8] [1, 1, 1, 1] : memref<1x8x8x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  memref.copy %x, %middle : memref<1x6x6x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  linalg.fill ins(%zero : f32) outs(%y : memref<1x6x6x8xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : memref<1x8x8x8xf32>, memref<3x3x8xf32>) outs(%y : memref<1x6x6x8xf32>)
  return
}
// CHECK-LABEL: func.func @columns
// CHECK: linalg.reduce {{.*}}mlc.schedule = #gpu.schedule<kind = points, warps = [8, 32]>
func.func @columns(%a: memref<512x64xf32>, %s: memref<64xf32>) {
  linalg.reduce {arith.addf} ins(%a : memref<512x64xf32>) outs(%s : memref<64xf32>) dimensions = [0]
  return
}
// CHECK-LABEL: func.func @halves
// CHECK: linalg.reduce {{.*}}mlc.schedule = #gpu.schedule<kind = points, warps = [256, 1]>
func.func @halves(%a: memref<512x64xf16>, %s: memref<64xf16>) {
  linalg.reduce {arith.addf} ins(%a : memref<512x64xf16>) outs(%s : memref<64xf16>) dimensions = [0]
  return
}

// RUN: mlc-opt %s --gpu-schedule --convert-linalg-to-gpu | FileCheck %s
// Neither a product nor a thread for each point needs a padded buffer: both ask whether they are inside. They read it
// where what is inside changes afterwards, or more than a fill and a copy made it.
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
// CHECK: %[[AT:.+]] = arith.subi %{{.*}}, %c1
// CHECK: arith.cmpi ult, %[[AT]], %c6
// CHECK: scf.if
// CHECK: memref.load %arg0
// CHECK: scf.yield %cst
// CHECK-NOT: linalg.
// CHECK: return
func.func @depthwise(%x: memref<1x6x6x8xf32>, %w: memref<3x3x8xf32>, %y: memref<1x6x6x8xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %padded = memref.alloc() : memref<1x8x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x8x8x8xf32>)
  %middle = memref.subview %padded[0, 1, 1, 0] [1, 6, 6, 8] [1, 1, 1, 1] : memref<1x8x8x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  memref.copy %x, %middle : memref<1x6x6x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  linalg.fill ins(%zero : f32) outs(%y : memref<1x6x6x8xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : memref<1x8x8x8xf32>, memref<3x3x8xf32>) outs(%y : memref<1x6x6x8xf32>)
  return
}
// CHECK-LABEL: func.func @convolution
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
// CHECK: %[[FLAT:.+]] = memref.collapse_shape %arg0
// CHECK: nvgpu.device_async_copy %[[FLAT]]
// CHECK-NOT: linalg.
// CHECK: return
func.func @convolution(%x: memref<1x6x6x8xf32>, %w: memref<3x3x8x16xf32>, %y: memref<1x6x6x16xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %padded = memref.alloc() : memref<1x8x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x8x8x8xf32>)
  %middle = memref.subview %padded[0, 1, 1, 0] [1, 6, 6, 8] [1, 1, 1, 1] : memref<1x8x8x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  memref.copy %x, %middle : memref<1x6x6x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  linalg.fill ins(%zero : f32) outs(%y : memref<1x6x6x16xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : memref<1x8x8x8xf32>, memref<3x3x8x16xf32>) outs(%y : memref<1x6x6x16xf32>)
  return
}
// CHECK-LABEL: func.func @changed
// CHECK: memref.copy
// CHECK: gpu.launch
// CHECK: memref.load %alloc
func.func @changed(%x: memref<1x6x6x8xf32>, %w: memref<3x3x8xf32>, %y: memref<1x6x6x8xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %padded = memref.alloc() : memref<1x8x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x8x8x8xf32>)
  %middle = memref.subview %padded[0, 1, 1, 0] [1, 6, 6, 8] [1, 1, 1, 1] : memref<1x8x8x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  memref.copy %x, %middle : memref<1x6x6x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  linalg.fill ins(%zero : f32) outs(%x : memref<1x6x6x8xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : memref<1x8x8x8xf32>, memref<3x3x8xf32>) outs(%y : memref<1x6x6x8xf32>)
  return
}
// CHECK-LABEL: func.func @twice
// CHECK: memref.copy
// CHECK: gpu.launch
// CHECK: memref.load %alloc
func.func @twice(%x: memref<1x6x6x8xf32>, %w: memref<3x3x8xf32>, %y: memref<1x6x6x8xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %padded = memref.alloc() : memref<1x8x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x8x8x8xf32>)
  %middle = memref.subview %padded[0, 1, 1, 0] [1, 6, 6, 8] [1, 1, 1, 1] : memref<1x8x8x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  memref.copy %x, %middle : memref<1x6x6x8xf32> to memref<1x6x6x8xf32, strided<[512, 64, 8, 1], offset: 72>>
  linalg.fill ins(%one : f32) outs(%padded : memref<1x8x8x8xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : memref<1x8x8x8xf32>, memref<3x3x8xf32>) outs(%y : memref<1x6x6x8xf32>)
  return
}

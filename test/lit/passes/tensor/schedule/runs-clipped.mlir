// RUN: mlc-opt %s --interpret --entry depthwise --input iota --input iota --input iota > %t.before
// RUN: mlc-opt %s --decompose-pad=keep-clippable --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry depthwise --input iota --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --interpret --entry pool --input random:1 > %t.before
// RUN: mlc-opt %s --decompose-pad=keep-clippable --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry pool --input random:1 > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --interpret --entry tiny --input iota --input iota > %t.before
// RUN: mlc-opt %s --decompose-pad=keep-clippable --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry tiny --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --decompose-pad=keep-clippable --fuse --linalg-collapse --tile | FileCheck %s
// Windows that hang over are tiles of their own, and read what is inside: no padded tensor. Small integers: every order of the sum is exact.

// 5 x 5, stride 2, dilation 1 and 2, two edges above, one below, one on the left; bias before, relu after.
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor<1x21x27x19xf32>
// CHECK: return
func.func @depthwise(%x: tensor<1x17x24x19xf32>, %w: tensor<5x5x19xf32>, %bias: tensor<19xf32>) -> tensor<1x9x10x19xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 2, 2, 0] high[0, 2, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x17x24x19xf32> to tensor<1x21x27x19xf32>
  %empty = tensor.empty() : tensor<1x9x10x19xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<19xf32>) outs(%empty : tensor<1x9x10x19xf32>) {
  ^bb0(%b: f32, %out: f32):
    linalg.yield %b : f32
  } -> tensor<1x9x10x19xf32>
  %conv = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %w : tensor<1x21x27x19xf32>, tensor<5x5x19xf32>) outs(%start : tensor<1x9x10x19xf32>) -> tensor<1x9x10x19xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<1x9x10x19xf32>) outs(%empty : tensor<1x9x10x19xf32>) {
  ^bb0(%e: f32, %out: f32):
    %max = arith.maximumf %e, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x9x10x19xf32>
  return %relu : tensor<1x9x10x19xf32>
}

// CHECK-LABEL: func.func @pool
// CHECK-NOT: tensor<1x13x11x18xf32>
// CHECK: return
func.func @pool(%x: tensor<1x11x9x18xf32>) -> tensor<1x6x5x18xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %lowest : f32
  } : tensor<1x11x9x18xf32> to tensor<1x13x11x18xf32>
  %empty = tensor.empty() : tensor<1x6x5x18xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%empty : tensor<1x6x5x18xf32>) -> tensor<1x6x5x18xf32>
  %max = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %window : tensor<1x13x11x18xf32>, tensor<3x3xf32>) outs(%init : tensor<1x6x5x18xf32>) -> tensor<1x6x5x18xf32>
  return %max : tensor<1x6x5x18xf32>
}

// Every window hangs over, on both sides at once.
// CHECK-LABEL: func.func @tiny
// CHECK-NOT: tensor<1x4x3x5xf32>
// CHECK: return
func.func @tiny(%x: tensor<1x2x1x5xf32>, %w: tensor<3x3x5xf32>) -> tensor<1x2x1x5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x2x1x5xf32> to tensor<1x4x3x5xf32>
  %empty = tensor.empty() : tensor<1x2x1x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x1x5xf32>) -> tensor<1x2x1x5xf32>
  %conv = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x4x3x5xf32>, tensor<3x3x5xf32>) outs(%init : tensor<1x2x1x5xf32>) -> tensor<1x2x1x5xf32>
  return %conv : tensor<1x2x1x5xf32>
}

// Read by every output channel: the copy is small, and stays.
// CHECK-LABEL: func.func @dense
// CHECK: : tensor<1x10x10x8xf32> to tensor<1x8x8x8xf32>
// CHECK: return
func.func @dense(%x: tensor<1x8x8x8xf32>, %w: tensor<3x3x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x8xf32> to tensor<1x10x10x8xf32>
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x10x10x8xf32>, tensor<3x3x8x16xf32>) outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %conv : tensor<1x8x8x16xf32>
}

// RUN: mlc-opt %s --interpret --entry dilated --input iota --input iota --input iota > %t.before
// RUN: mlc-opt %s --decompose-pad=keep-clippable --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry dilated --input iota --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --interpret --entry from_one --input iota --input iota > %t.before
// RUN: mlc-opt %s --decompose-pad=keep-clippable --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry from_one --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --decompose-pad=keep-clippable --fuse --linalg-collapse --tile | FileCheck %s
// Convolutions most of whose products would be with padding: each part of the image that has the same taps inside has tiles of its own.

// Dilated by 4 and 3: of 3 x 3 taps 2 x 2 are inside, others in each quarter; bias before, relu after.
// CHECK-LABEL: func.func @dilated
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor<1x16x12x3xf32>
// CHECK: tensor.extract_slice %{{.*}}[1, 1, 0, 0] [2, 2, 3, 5] [1, 1, 1, 1] : tensor<3x3x3x5xf32> to tensor<2x2x3x5xf32>
// CHECK: return
func.func @dilated(%x: tensor<1x8x6x3xf32>, %w: tensor<3x3x3x5xf32>, %bias: tensor<5xf32>) -> tensor<1x8x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 4, 3, 0] high[0, 4, 3, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x8x6x3xf32> to tensor<1x16x12x3xf32>
  %empty = tensor.empty() : tensor<1x8x6x5xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<5xf32>) outs(%empty : tensor<1x8x6x5xf32>) {
  ^bb0(%b: f32, %out: f32):
    linalg.yield %b : f32
  } -> tensor<1x8x6x5xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<[4, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x16x12x3xf32>, tensor<3x3x3x5xf32>) outs(%start : tensor<1x8x6x5xf32>) -> tensor<1x8x6x5xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<1x8x6x5xf32>) outs(%empty : tensor<1x8x6x5xf32>) {
  ^bb0(%e: f32, %out: f32):
    %max = arith.maximumf %e, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x8x6x5xf32>
  return %relu : tensor<1x8x6x5xf32>
}

// A transposed convolution of one pixel: one tap of 9 for each point.
// CHECK-LABEL: func.func @from_one
// CHECK-NOT: tensor<1x5x5x4xf32>
// CHECK: return
func.func @from_one(%x: tensor<1x1x1x4xf32>, %w: tensor<3x3x4x6xf32>) -> tensor<1x3x3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x1x1x4xf32> to tensor<1x5x5x4xf32>
  %empty = tensor.empty() : tensor<1x3x3x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3x3x6xf32>) -> tensor<1x3x3x6xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x5x5x4xf32>, tensor<3x3x4x6xf32>) outs(%init : tensor<1x3x3x6xf32>) -> tensor<1x3x3x6xf32>
  return %conv : tensor<1x3x3x6xf32>
}

// The edges of a plain convolution are few: its image is padded.
// CHECK-LABEL: func.func @few
// CHECK: tensor<1x10x8x3xf32>
// CHECK: return
func.func @few(%x: tensor<1x8x6x3xf32>, %w: tensor<3x3x3x5xf32>, %init: tensor<1x8x6x5xf32>) -> tensor<1x8x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x8x6x3xf32> to tensor<1x10x8x3xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x10x8x3xf32>, tensor<3x3x3x5xf32>) outs(%init : tensor<1x8x6x5xf32>) -> tensor<1x8x6x5xf32>
  return %conv : tensor<1x8x6x5xf32>
}

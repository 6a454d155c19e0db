// RUN: mlc-opt %s --target=x86-64-v4 --decompose-pad --fuse --linalg-collapse > %t.merged
// RUN: mlc-opt %t.merged --target=x86-64-v4 --decompose-pad --fuse --linalg-collapse | diff %t.merged -
// RUN: mlc-opt %t.merged --target=x86-64-v4 --tile > %t.tiled
// RUN: mlc-opt %t.tiled --target=x86-64-v4 --tile | diff %t.tiled -
// RUN: mlc-opt %t.tiled --target=x86-64-v4 --linalg-vectorize > %t.vectors
// RUN: mlc-opt %t.vectors --target=x86-64-v4 --tile --linalg-vectorize | diff %t.vectors -
// RUN: FileCheck %s < %t.vectors
// Each pass leaves its own output alone. Nothing stays scalar.
// CHECK-NOT: linalg.
// CHECK: vector.fma
// CHECK-NOT: linalg.
func.func @conv_relu(%x: tensor<1x9x9x8xf32>, %w: tensor<3x3x8x40xf32>, %init: tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x8xf32> to tensor<1x11x11x8xf32>
  %empty = tensor.empty() : tensor<1x9x9x40xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %w : tensor<1x11x11x8xf32>, tensor<3x3x8x40xf32>) outs(%init : tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<1x9x9x40xf32>) outs(%empty : tensor<1x9x9x40xf32>) {
  ^bb0(%e: f32, %out: f32):
    %max = arith.maximumf %e, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x9x9x40xf32>
  return %relu : tensor<1x9x9x40xf32>
}

// RUN: mlc-opt %s --interpret --entry conv --input iota --input iota --input iota > %t.before
// RUN: mlc-opt %s --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry conv --input iota --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// Sizes that divide nothing: 7 columns, 11 rows, 19 channels, stride 2, dilation 2. Small integers: every order of the sum is exact.
func.func @conv(%x: tensor<1x25x17x2xf32>, %w: tensor<3x2x2x19xf32>, %bias: tensor<19xf32>) -> tensor<1x11x8x19xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x11x8x19xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<19xf32>) outs(%empty : tensor<1x11x8x19xf32>) {
  ^bb0(%b: f32, %out: f32):
    linalg.yield %b : f32
  } -> tensor<1x11x8x19xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 2]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%x, %w : tensor<1x25x17x2xf32>, tensor<3x2x2x19xf32>) outs(%start : tensor<1x11x8x19xf32>) -> tensor<1x11x8x19xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<1x11x8x19xf32>) outs(%empty : tensor<1x11x8x19xf32>) {
  ^bb0(%e: f32, %out: f32):
    %max = arith.maximumf %e, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x11x8x19xf32>
  return %relu : tensor<1x11x8x19xf32>
}

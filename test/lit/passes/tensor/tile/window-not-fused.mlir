// RUN: mlc-opt %s --tile=tile-sizes=0,4,4,8 --verify-diagnostics -o /dev/null
// Windows of neighbouring tiles overlap: the relu is not computed in each of them.
func.func @relu_conv(%x: tensor<1x10x10x8xf32>, %w: tensor<3x3x8x16xf32>, %init: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x10x8xf32>
  // expected-remark @below {{not fused: its consumer reads a window of it, which tiles share}}
  %relu = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x10x10x8xf32>) outs(%empty : tensor<1x10x10x8xf32>) {
  ^bb0(%e: f32, %out: f32):
    %max = arith.maximumf %e, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x10x10x8xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%relu, %w : tensor<1x10x10x8xf32>, tensor<3x3x8x16xf32>) outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %conv : tensor<1x8x8x16xf32>
}

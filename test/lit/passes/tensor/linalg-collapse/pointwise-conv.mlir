// RUN: mlc-opt %s --linalg-collapse | FileCheck %s
// Rows and columns of a 1x1 convolution are one loop over pixels; the relu after it follows, with no reshape between.
// CHECK-LABEL: func.func @conv_relu
func.func @conv_relu(%x: tensor<1x14x14x32xf32>, %w: tensor<1x1x32x64xf32>, %init: tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  // CHECK-DAG: tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2], [3]] : tensor<1x14x14x32xf32> into tensor<196x32xf32>
  // CHECK-DAG: tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2], [3]] : tensor<1x1x32x64xf32> into tensor<32x64xf32>
  // CHECK: %[[CONV:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
  // CHECK-NOT: expand_shape
  // CHECK: %[[RELU:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[CONV]] : tensor<196x64xf32>)
  // CHECK: tensor.expand_shape %[[RELU]] {{\[}}[0, 1, 2], [3]] output_shape [1, 14, 14, 64]
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x14x14x64xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x14x14x32xf32>, tensor<1x1x32x64xf32>) outs(%init : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<1x14x14x64xf32>) outs(%empty : tensor<1x14x14x64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %max = arith.maximumf %e, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x14x14x64xf32>
  return %relu : tensor<1x14x14x64xf32>
}

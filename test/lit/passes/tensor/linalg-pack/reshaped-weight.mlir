// RUN: mlc-opt %s --linalg-collapse --tile=tile-sizes=0,2 --linalg-pack | FileCheck %s
// The weights of a 1x1 convolution lose their ones, then become panels; the constant is both at once.
module {
  // CHECK-LABEL: func.func private @pointwise
  // CHECK-SAME: tensor<2x3x2xf32>
  func.func private @pointwise(%x: tensor<1x2x2x3xf32>, %w: tensor<1x1x3x4xf32>, %init: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x2x2x3xf32>, tensor<1x1x3x4xf32>) outs(%init : tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    return %0 : tensor<1x2x2x4xf32>
  }
  // CHECK-LABEL: func.func @main
  // CHECK: arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [5.000000e+00, 6.000000e+00], [9.000000e+00, 1.000000e+01]], {{\[\[}}3.000000e+00, 4.000000e+00], [7.000000e+00, 8.000000e+00], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  func.func @main(%x: tensor<1x2x2x3xf32>, %init: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
    %w = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]]]> : tensor<1x1x3x4xf32>
    %0 = func.call @pointwise(%x, %w, %init) : (tensor<1x2x2x3xf32>, tensor<1x1x3x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    return %0 : tensor<1x2x2x4xf32>
  }
}

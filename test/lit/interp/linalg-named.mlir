// RUN: mlc-opt %s --interpret --entry matmul --input iota --input iota | FileCheck %s --check-prefix=MATMUL
// RUN: mlc-opt %s --interpret --entry conv --input iota | FileCheck %s --check-prefix=CONV
// Named ops mean the body of their record.
// Expected: numpy. arange(6).reshape(2,3) @ arange(12).reshape(3,4)
// MATMUL: dense<{{\[\[}}2.000000e+01, 2.300000e+01, 2.600000e+01, 2.900000e+01], [5.600000e+01, 6.800000e+01, 8.000000e+01, 9.200000e+01]]> : tensor<2x4xf32>
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}
// x = arange(25).reshape(1,5,5,1), all ones 3x3, stride 2: each sum is 9 times the window's middle: 6, 8, 16, 18.
// CONV: dense<{{\[\[\[\[}}5.400000e+01], [7.200000e+01]], {{\[\[}}1.440000e+02], [1.620000e+02]]]]> : tensor<1x2x2x1xf32>
func.func @conv(%x: tensor<1x5x5x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = arith.constant dense<1.0> : tensor<3x3x1x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x2x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x5x5x1xf32>, tensor<3x3x1x1xf32>) outs(%z : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  return %r : tensor<1x2x2x1xf32>
}

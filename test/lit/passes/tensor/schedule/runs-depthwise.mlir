// RUN: mlc-opt %s --interpret --entry conv --input iota --input iota --input iota > %t.before
// RUN: mlc-opt %s --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry conv --input iota --input iota --input iota > %t.after
// RUN: diff %t.before %t.after
// Channels are vectors in both inputs.
func.func @conv(%x: tensor<1x7x7x40xf32>, %w: tensor<3x3x40xf32>, %init: tensor<1x3x3x40xf32>) -> tensor<1x3x3x40xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x7x7x40xf32>, tensor<3x3x40xf32>) outs(%init : tensor<1x3x3x40xf32>) -> tensor<1x3x3x40xf32>
  return %0 : tensor<1x3x3x40xf32>
}

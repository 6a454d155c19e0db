// RUN: mlc-opt %s --interpret --entry pool --input random:1 > %t.before
// RUN: mlc-opt %s --decompose-pad --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry pool --input random:1 > %t.after
// RUN: diff %t.before %t.after
// A padded maximum: the pad becomes a fill and a copy, the window is two loops around the vectors.
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

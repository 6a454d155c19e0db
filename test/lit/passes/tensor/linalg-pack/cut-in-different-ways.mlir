// RUN: mlc-opt %s --linalg-pack --verify-diagnostics -o /dev/null
// Panels that start where no panel starts.
module {
  // expected-remark @below {{argument 0 not packed: its tiles are cut in different ways}}
  func.func private @product(%w: tensor<2x6xf32>, %x: tensor<1x2xf32>, %init: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %panel = tensor.extract_slice %w[0, 1] [2, 4] [1, 1] : tensor<2x6xf32> to tensor<2x4xf32>
    %0 = linalg.matmul ins(%x, %panel : tensor<1x2xf32>, tensor<2x4xf32>) outs(%init : tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
  func.func @caller(%x: tensor<1x2xf32>, %init: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %w = arith.constant dense<1.0> : tensor<2x6xf32>
    %0 = func.call @product(%w, %x, %init) : (tensor<2x6xf32>, tensor<1x2xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
}

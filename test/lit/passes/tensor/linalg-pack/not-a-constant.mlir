// RUN: mlc-opt %s --tile=tile-sizes=0,2 --linalg-pack --verify-diagnostics -o /dev/null
module {
  // expected-remark @below {{argument 1 not packed: not all callers pass a constant}}
  func.func private @product(%x: tensor<1x2xf32>, %w: tensor<2x4xf32>, %init: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x4xf32>) outs(%init : tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
  func.func @caller(%x: tensor<1x2xf32>, %w: tensor<2x4xf32>, %init: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %0 = func.call @product(%x, %w, %init) : (tensor<1x2xf32>, tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
}
